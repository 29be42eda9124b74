/* Typed reads, writes and atomic operations: the texels of eight slots at a time.
 *
 * Coordinates become offsets from the start of the image, and these host addresses: by the window
 * of pages that the message before has left, or by a translation each. Whatever would be named, or
 * is not translated yet, is left to the slow path before anything is touched. */
#include "shared_functions/view_vector.h"

#include "shared_functions/dataport/dataport.h"

/* ---- where texels lie --------------------------------------------------------------------------
 */

struct texels {
   const struct surface_view *m;
   uint32_t mask; /* slots whose texel is inside */
   v8i on;        /* the same */
   v8i at;        /* distance from `host`, or from the base of the image */
   uint8_t *host; /* NULL: they do not lie in one window */
};

/* DP-237, DP-238, DP-239, DP-240: what the parameters mean. False: not the level that the image is
 * of. */
static ALWAYS_INLINE bool
place(struct texels *x, const uint8_t *parameter, unsigned parameters)
{
   const struct surface_view *m = x->m;
   v8i zero = v8i_all(0), u = v8i_load(parameter), v = zero, r = zero;
   if (parameters > 1)
      v = v8i_load(parameter + 32);
   if (parameters > 2)
      r = v8i_load(parameter + 64);
   if (parameters > 3 && !v8i_apart(v8i_load(parameter + 96), x->on))
      return false;
   if (m->line) {
      r = v;
      v = zero;
   }
   v8i row = add8(v, m->row);
   x->on = v8i_and(x->on, v8i_and(up_to8(u, m->width - 1), up_to8(v, m->height - 1)));
   if (m->depth != UINT32_MAX) {
      x->on = v8i_and(x->on, up_to8(r, m->depth - 1));
      row = v8i_add(row, mul8(r, m->slice_rows));
   }
   x->mask = v8i_signs(x->on);
   x->at = tile_offset8(m->tiling, add8(mul8(u, m->step_B), m->x_el * m->step_B), row, m->pitch_B);
   return true;
}

static ALWAYS_INLINE bool
in_window(struct texels *x, const struct view_window *w)
{
   v8i distance = v8i_sub(x->at, v8i_all(w->start));
   v8i limit = v8i_all((int)w->limit[2]);
   v8i past = v8i_equal(v8u_max(distance, limit), distance);
   if (!v8i_apart(past, x->on))
      return false;
   x->at = distance;
   x->host = w->host;
   return true;
}

/* mask: slots that take part. False: this is for the slow path. */
static ALWAYS_INLINE bool
begin_typed(struct texels *x, const struct eu_thread *t, const struct sf_quick *q, uint32_t mask,
            enum mem_access access, struct surface_view *found)
{
   bool known = sf_surface_known(t, q->bti);
   if (sf_observed(t))
      return false;
   x->m = known ? &t->buffers->view[q->bti] : sf_view_find(t, q->bti, found);
   if (!(x->m->users & VIEW_TYPED) || (q->rules && !(x->m->format->capabilities & q->capability)))
      return false;
   x->on = lanes8(mask);
   x->host = NULL;
   if (!place(x, t->grf + q->payload, q->parameters))
      return false;
   if (known)
      in_window(x, &x->m->window[access == MEM_WRITE]);
   return true;
}

/* What is most common: a 2D image of dwords, all slots on, all texels inside and in the window. */
static ALWAYS_INLINE bool
begin_common(struct texels *x, const struct eu_thread *t, const struct sf_quick *q, uint32_t mask,
             enum mem_access access)
{
   const uint8_t *parameter = t->grf + q->payload;
   if ((mask & 0xff) != 0xff || q->parameters != 2 || !sf_surface_known(t, q->bti) ||
       sf_observed(t))
      return false;
   const struct surface_view *m = x->m = &t->buffers->view[q->bti];
   if (m->size_B != 4 || !(m->users & VIEW_TYPED) || m->line ||
       (q->rules && !(m->format->capabilities & q->capability)))
      return false;
   v8i u = v8i_load(parameter), v = v8i_load(parameter + EU_REG_SIZE);
   x->mask = 0xff;
   x->on = v8i_all(-1);
   x->at =
       tile_offset8(m->tiling, add8(v8i_shl_by(u, 2), 4 * m->x_el), add8(v, m->row), m->pitch_B);
   return v8i_every(v8i_and(up_to8(u, m->width - 1), up_to8(v, m->height - 1))) &&
          in_window(x, &m->window[access == MEM_WRITE]);
}

/* A translation each, 0 for slots that are off; false: one is missing. The next message may find a
 * window. */
static __attribute__((noinline)) bool
translate(const struct eu_thread *t, const struct sf_quick *q, uint32_t base, v8i at, v8i on,
          enum mem_access access, struct places *p)
{
   uint32_t mask = v8i_signs(on);
   if (!known8(t->env->space, add8(at, base), on, access, &p->at[0]))
      return false;
   if (mask && sf_surface_known(t, q->bti))
      surface_view_look(&t->buffers->view[q->bti], t->env->space,
                        dword_at((const uint8_t *)&at, (unsigned)__builtin_ctz(mask)),
                        access == MEM_WRITE);
   return true;
}

/* Host addresses. */
static ALWAYS_INLINE bool
addresses(const struct texels *x, const struct eu_thread *t, const struct sf_quick *q,
          enum mem_access access, struct places *p)
{
   if (!x->host)
      return translate(t, q, x->m->base, x->at, x->on, access, p);
   p->at[0] = from_host(x->host, x->at, x->on);
   return true;
}

/* Two times four texels of a dword each, `step` bytes from one to the next, all on and in a window:
 * the parts of a row (4), or of two columns of tile Y (16), as drivers number the invocations of a
 * group that touches images. */
static ALWAYS_INLINE bool
is_quads(const struct texels *x, unsigned step)
{
   int s = (int)step;
   v8i steps = v8i_of(0, s, 2 * s, 3 * s, 0, s, 2 * s, 3 * s);
   v8i other = v8i_xor(x->at, v8i_add(v8i_of_each(x->at, 0), steps));
   return x->mask == 0xff && x->host && x->m->size_B == 4 && v8i_none(other);
}

static ALWAYS_INLINE uint8_t *
quad(const struct texels *x, unsigned which)
{
   return x->host + v8i_first_of(x->at, which);
}

/* Groups go along the rows of an image, so the columns behind come next; 512 bytes apart, they are
 * not what a host's prefetcher follows. Columns and tiles of a row lie one behind the other
 * (MEM-021). */
static ALWAYS_INLINE void
look_ahead(const struct texels *x, enum mem_access access)
{
   const uint8_t *next = quad(x, 0) + 4 * 512;
   if (access == MEM_WRITE)
      __builtin_prefetch(next, 1);
   else
      __builtin_prefetch(next);
}

/* ---- reads -------------------------------------------------------------------------------------
 */

/* Elements of one or two bytes lie in one dword, too. */
static ALWAYS_INLINE v8i
narrow(v8i dwords, v8i at, unsigned size_B)
{
   v8i shift = v8i_shl_by(and8(at, 3), 3);
   return and8(v8i_shr(dwords, shift), size_B == 1 ? 0xff : 0xffff);
}

static ALWAYS_INLINE v8i
load_columns(const uint8_t *p, const uint8_t *q)
{
   return v8i_of((int)dword_at(p, 0), (int)dword_at(p, 4), (int)dword_at(p, 8),
                 (int)dword_at(p, 12), (int)dword_at(q, 0), (int)dword_at(q, 4),
                 (int)dword_at(q, 8), (int)dword_at(q, 12));
}

static ALWAYS_INLINE bool
fetch_quads(const struct texels *x, v8i *out)
{
   if (is_quads(x, 4)) {
      *out = v8i_load_halves(quad(x, 0), quad(x, 1));
      return true;
   }
   if (!is_quads(x, 16))
      return false;
   look_ahead(x, MEM_READ);
   *out = load_columns(quad(x, 0), quad(x, 1));
   return true;
}

static ALWAYS_INLINE bool
fetch(const struct texels *x, const struct eu_thread *t, const struct sf_quick *q, v8i *out)
{
   v8i at = x->at;
   if (fetch_quads(x, out))
      return true;
   if (x->host) {
      *out = v8i_gather_some(x->host, and8(at, ~3u), x->on);
   } else {
      struct places p;
      if (!translate(t, q, x->m->base, at, x->on, MEM_READ, &p))
         return false;
      *out = v8i_gather_wide(0, V8_EACH(v8l, p.at[0].p[k] & ~3ll), x->on);
      at = add8(at, x->m->base);
   }
   if (x->m->size_B < 4)
      *out = narrow(*out, at, x->m->size_B);
   return true;
}

/* DP-228: whatever the header's mask. */
static __attribute__((noinline)) bool
read_rest(struct eu_thread *t, const struct sf_quick *q, uint32_t exec)
{
   struct texels x;
   struct surface_view found;
   v8i red, answered = lanes8(exec);
   if (!begin_typed(&x, t, q, exec & 0xff, MEM_READ, &found) || !x.m->red || !fetch(&x, t, q, &red))
      return false;
   int one = x.m->format->channel_class == FORMAT_CLASS_FLOAT ? 0x3f800000 : 1; /* DP-234 */
   uint8_t *out = t->grf + q->response;
   if (q->channels & 1) {
      put(out, red, answered);
      out += EU_REG_SIZE;
   }
   for (unsigned c = 1; c < 4 && q->channels > 1; c++) {
      if (!(q->channels >> c & 1))
         continue;
      put(out, c == 3 ? v8i_and(v8i_all(one), x.on) : v8i_all(0), answered); /* DP-232 */
      out += EU_REG_SIZE;
   }
   sf_quick_mark(t, q);
   return true;
}

static bool
read_typed(struct eu_thread *t, const struct sf_quick *q, uint32_t exec)
{
   struct texels x;
   v8i red;
   if (q->channels != 1 || !begin_common(&x, t, q, exec, MEM_READ) || !x.m->red)
      return read_rest(t, q, exec);
   if (!fetch_quads(&x, &red)) /* a row above or below those of its tile, to name one */
      red = v8i_gather(x.host, x.at);
   v8i_store(t->grf + q->response, red);
   sf_quick_mark(t, q);
   return true;
}

/* ---- writes ------------------------------------------------------------------------------------
 */

static ALWAYS_INLINE uint32_t
write_mask(const struct eu_thread *t, const struct sf_quick *q, uint32_t exec)
{
   return exec &
          dword_at(t->grf + q->payload - EU_REG_SIZE,
                   GEN7_DP_SURFACE_HEADER__PIXEL_SAMPLE_MASK_DW) >>
              q->slots &
          0xff; /* DP-227 */
}

/* Slot after slot; size_B is a constant of each call. */
static ALWAYS_INLINE void
store_each(uint32_t mask, const struct places *p, const v8i element[4], unsigned size_B)
{
   const uint64_t *at = (const uint64_t *)(const void *)p->at;
   const uint32_t(*dword)[8] = (const uint32_t(*)[8])(const void *)element;
   EACH_SLOT(i, mask, 8)
   for (unsigned k = 0; 4 * k < size_B; k++)
      memcpy((uint8_t *)at[i] + 4 * k, &dword[k][i], size_B < 4 ? size_B : 4);
}

static ALWAYS_INLINE void
store_texels(uint32_t mask, const struct places *p, const v8i element[4], unsigned size_B)
{
   switch (size_B) {
   case 1:
      store_each(mask, p, element, 1);
      return;
   case 2:
      store_each(mask, p, element, 2);
      return;
   case 4:
      store_each(mask, p, element, 4);
      return;
   case 8:
      store_each(mask, p, element, 8);
      return;
   default:
      store_each(mask, p, element, 16);
      return;
   }
}

/* The registers of a message's channels follow its parameters. The host rounds as the thread does:
 * bytes are packed in a few steps if it is to the nearest. */
static ALWAYS_INLINE void
pack_slots(const struct eu_thread *t, const struct surface_view *m, const uint8_t *data,
           unsigned channels, v8i element[4])
{
   v8i in[4];
   for (unsigned c = 0; c < 4; c++) {
      in[c] = channels >> c & 1 ? v8i_load(data) : v8i_all(0);
      data += channels >> c & 1 ? EU_REG_SIZE : 0;
   }
   if (m->eights && !eu_rounding(t))
      encode_elements(m, in, element);
   else
      pack8(m->format, in, element);
}

static ALWAYS_INLINE void
store_lane(uint8_t *p, v8i v, unsigned n)
{
   int32_t dword = v8i_lane(v, n);
   memcpy(p, &dword, 4);
}

static ALWAYS_INLINE void
store_columns(uint8_t *p, uint8_t *q, v8i v)
{
   store_lane(p, v, 0);
   store_lane(p + 16, v, 1);
   store_lane(p + 32, v, 2);
   store_lane(p + 48, v, 3);
   store_lane(q, v, 4);
   store_lane(q + 16, v, 5);
   store_lane(q + 32, v, 6);
   store_lane(q + 48, v, 7);
}

static ALWAYS_INLINE bool
store_quads(const struct texels *x, v8i v)
{
   if (is_quads(x, 4)) {
      v8i_store_halves(quad(x, 0), quad(x, 1), v);
      return true;
   }
   if (!is_quads(x, 16))
      return false;
   look_ahead(x, MEM_WRITE);
   store_columns(quad(x, 0), quad(x, 1), v);
   return true;
}

/* A texel of which some channels are to keep their bits takes the slow path. */
static ALWAYS_INLINE bool
is_whole(const struct surface_view *m, const struct sf_quick *q)
{
   return m->packed && (q->channels & m->packed) == m->packed;
}

static __attribute__((noinline)) bool
write_rest(struct eu_thread *t, const struct sf_quick *q, uint32_t exec)
{
   struct texels x;
   struct surface_view found;
   struct places p;
   v8i element[4];
   if (!begin_typed(&x, t, q, write_mask(t, q, exec), MEM_WRITE, &found) || !is_whole(x.m, q) ||
       !addresses(&x, t, q, MEM_WRITE, &p))
      return false;
   pack_slots(t, x.m, t->grf + q->payload + q->parameters * EU_REG_SIZE, q->channels, element);
   store_texels(x.mask, &p, element, x.m->size_B); /* DP-231 */
   return true;
}

/* The common image, if its dwords are packed; x.at apart, since it stays in a register so. */
static __attribute__((noinline)) bool
write_packed(struct eu_thread *t, const struct sf_quick *q, uint32_t exec,
             const struct surface_view *m, uint8_t *host, v8i at)
{
   struct texels x = {.m = m, .mask = 0xff, .host = host, .at = at};
   v8i element[4];
   pack_slots(t, m, t->grf + q->payload + 2 * EU_REG_SIZE, q->channels, element);
   return store_quads(&x, element[0]) || write_rest(t, q, exec);
}

static bool
write_typed(struct eu_thread *t, const struct sf_quick *q, uint32_t exec)
{
   struct texels x;
   if (!begin_common(&x, t, q, write_mask(t, q, exec), MEM_WRITE) || !is_whole(x.m, q))
      return write_rest(t, q, exec);
   if (!x.m->red)
      return write_packed(t, q, exec, x.m, x.host, x.at);
   return store_quads(&x, v8i_load(t->grf + q->payload + 2 * EU_REG_SIZE)) ||
          write_rest(t, q, exec);
}

/* ---- atomic operations -------------------------------------------------------------------------
 */

static bool
atomic_typed(struct eu_thread *t, const struct sf_quick *q, uint32_t exec)
{
   struct texels x;
   struct surface_view found;
   struct places p;
   uint32_t source[2][8] = {{0}}, result[8] = {0};
   if (!begin_typed(&x, t, q, write_mask(t, q, exec), MEM_WRITE, &found) || x.m->size_B != 4 ||
       !addresses(&x, t, q, MEM_WRITE, &p))
      return false;
   memcpy(source, t->grf + q->payload + q->parameters * EU_REG_SIZE,
          q->sources * sizeof(source[0]));
   const uint64_t *at = (const uint64_t *)(const void *)p.at;
   EACH_SLOT(i, x.mask, 8)
   result[i] = dp_atomic((uint32_t *)at[i], q->op, source[0][i], source[1][i]);
   if (q->returns)
      put(t->grf + q->response, v8i_load(result), lanes8(exec));
   sf_quick_mark(t, q);
   return true;
}

const struct dp_quick_typed_functions HOST_NAME(dp_quick_typed) = {read_typed, write_typed,
                                                                   atomic_typed};
