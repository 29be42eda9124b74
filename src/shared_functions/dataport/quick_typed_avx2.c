/* Typed reads, writes and atomic operations: the texels of eight slots at a time. Compiled for
 * AVX2.
 *
 * Coordinates become offsets from the start of the image, and these host addresses: by the window
 * of pages that the message before has left, or by a translation each. Whatever would be named, or
 * is not translated yet, is left to the slow path before anything is touched. */
#include "shared_functions/view_avx2.h"

#include "shared_functions/dataport/dataport.h"

/* ---- where texels lie --------------------------------------------------------------------------
 */

struct texels {
   const struct surface_view *m;
   uint32_t mask; /* slots whose texel is inside */
   v8 on;         /* the same */
   v8 at;         /* distance from `host`, or from the base of the image */
   uint8_t *host; /* NULL: they do not lie in one window */
};

/* DP-237, DP-238, DP-239, DP-240: what the parameters mean. False: not the level that the image is
 * of. */
static ALWAYS_INLINE bool
place(struct texels *x, const uint8_t *parameter, unsigned parameters)
{
   const struct surface_view *m = x->m;
   v8 zero = _mm256_setzero_si256(), u = load8(parameter), v = zero, r = zero;
   if (parameters > 1)
      v = load8(parameter + 32);
   if (parameters > 2)
      r = load8(parameter + 64);
   if (parameters > 3 && !_mm256_testz_si256(load8(parameter + 96), x->on))
      return false;
   if (m->line) {
      r = v;
      v = zero;
   }
   v8 row = add8(v, m->row);
   x->on =
       _mm256_and_si256(x->on, _mm256_and_si256(up_to8(u, m->width - 1), up_to8(v, m->height - 1)));
   if (m->depth != UINT32_MAX) {
      x->on = _mm256_and_si256(x->on, up_to8(r, m->depth - 1));
      row = _mm256_add_epi32(row, mul8(r, m->slice_rows));
   }
   x->mask = bits8(x->on);
   x->at = tile_offset8(m->tiling, add8(mul8(u, m->step_B), m->x_el * m->step_B), row, m->pitch_B);
   return true;
}

static ALWAYS_INLINE bool
in_window(struct texels *x, const struct view_window *w)
{
   v8 distance = _mm256_sub_epi32(x->at, _mm256_set1_epi32((int)w->start));
   v8 limit = _mm256_set1_epi32((int)w->limit[2]);
   v8 past = _mm256_cmpeq_epi32(_mm256_max_epu32(distance, limit), distance);
   if (!_mm256_testz_si256(past, x->on))
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
   v8 u = load8(parameter), v = load8(parameter + EU_REG_SIZE);
   x->mask = 0xff;
   x->on = _mm256_set1_epi32(-1);
   x->at = tile_offset8(m->tiling, add8(_mm256_slli_epi32(u, 2), 4 * m->x_el), add8(v, m->row),
                        m->pitch_B);
   return _mm256_testc_si256(_mm256_and_si256(up_to8(u, m->width - 1), up_to8(v, m->height - 1)),
                             x->on) &&
          in_window(x, &m->window[access == MEM_WRITE]);
}

/* A translation each, 0 for slots that are off; false: one is missing. The next message may find a
 * window. */
static __attribute__((noinline)) bool
translate(const struct eu_thread *t, const struct sf_quick *q, uint32_t base, v8 at, v8 on,
          enum mem_access access, struct places *p)
{
   v8 good = _mm256_set1_epi64x(-1), address = add8(at, base);
   uint32_t mask = bits8(on);
   for (unsigned h = 0; h < 2; h++)
      p->at[h] = known4(t->env->space, half8(address, h), _mm256_cvtepi32_epi64(half8(on, h)),
                        access, &good);
   if ((uint32_t)_mm256_movemask_epi8(good) != UINT32_MAX)
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
   for (unsigned h = 0; h < 2; h++)
      p->at[h] = _mm256_add_epi64(_mm256_cvtepu32_epi64(half8(x->at, h)),
                                  _mm256_set1_epi64x((long long)(uintptr_t)x->host));
   return true;
}

/* Two times four texels of a dword each, `step` bytes from one to the next, all on and in a window:
 * the parts of a row (4), or of two columns of tile Y (16), as drivers number the invocations of a
 * group that touches images. */
static ALWAYS_INLINE bool
is_quads(const struct texels *x, unsigned step)
{
   int s = (int)step;
   v8 steps = _mm256_setr_epi32(0, s, 2 * s, 3 * s, 0, s, 2 * s, 3 * s);
   v8 other = _mm256_xor_si256(x->at, _mm256_add_epi32(_mm256_shuffle_epi32(x->at, 0), steps));
   return x->mask == 0xff && x->host && x->m->size_B == 4 && _mm256_testz_si256(other, other);
}

static ALWAYS_INLINE uint8_t *
quad(const struct texels *x, unsigned which)
{
   return x->host + (uint32_t)_mm_cvtsi128_si32(half8(x->at, which));
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
static ALWAYS_INLINE v8
narrow(v8 dwords, v8 at, unsigned size_B)
{
   v8 shift = _mm256_slli_epi32(and8(at, 3), 3);
   return and8(_mm256_srlv_epi32(dwords, shift), size_B == 1 ? 0xff : 0xffff);
}

static ALWAYS_INLINE __m128i
load_column(const uint8_t *p)
{
   return _mm_setr_epi32((int)dword_at(p, 0), (int)dword_at(p, 4), (int)dword_at(p, 8),
                         (int)dword_at(p, 12));
}

static ALWAYS_INLINE bool
fetch_quads(const struct texels *x, v8 *out)
{
   if (is_quads(x, 4)) {
      *out = slots8(quad(x, 0), quad(x, 1));
      return true;
   }
   if (!is_quads(x, 16))
      return false;
   look_ahead(x, MEM_READ);
   *out = _mm256_set_m128i(load_column(quad(x, 1)), load_column(quad(x, 0)));
   return true;
}

static ALWAYS_INLINE bool
fetch(const struct texels *x, const struct eu_thread *t, const struct sf_quick *q, v8 *out)
{
   v8 at = x->at;
   if (fetch_quads(x, out))
      return true;
   if (x->host) {
      *out = _mm256_mask_i32gather_epi32(_mm256_setzero_si256(), (const int *)(const void *)x->host,
                                         and8(at, ~3u), x->on, 1);
   } else {
      struct places p;
      __m128i part[2];
      if (!translate(t, q, x->m->base, at, x->on, MEM_READ, &p))
         return false;
      for (unsigned h = 0; h < 2; h++)
         part[h] = _mm256_mask_i64gather_epi32(_mm_setzero_si128(), NULL,
                                               _mm256_and_si256(p.at[h], _mm256_set1_epi64x(~3ll)),
                                               half8(x->on, h), 1);
      *out = _mm256_set_m128i(part[1], part[0]);
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
   v8 red, answered = lanes8(exec);
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
      put(out, c == 3 ? _mm256_and_si256(_mm256_set1_epi32(one), x.on) : _mm256_setzero_si256(),
          answered); /* DP-232 */
      out += EU_REG_SIZE;
   }
   sf_quick_mark(t, q);
   return true;
}

static bool
read_typed(struct eu_thread *t, const struct sf_quick *q, uint32_t exec)
{
   struct texels x;
   v8 red;
   if (q->channels != 1 || !begin_common(&x, t, q, exec, MEM_READ) || !x.m->red)
      return read_rest(t, q, exec);
   if (!fetch_quads(&x, &red)) /* a row above or below those of its tile, to name one */
      red = _mm256_i32gather_epi32((const int *)(const void *)x.host, x.at, 1);
   store8(t->grf + q->response, red);
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
store_each(uint32_t mask, const struct places *p, const v8 element[4], unsigned size_B)
{
   const uint64_t *at = (const uint64_t *)(const void *)p->at;
   const uint32_t(*dword)[8] = (const uint32_t(*)[8])(const void *)element;
   EACH_SLOT(i, mask, 8)
   for (unsigned k = 0; 4 * k < size_B; k++)
      memcpy((uint8_t *)at[i] + 4 * k, &dword[k][i], size_B < 4 ? size_B : 4);
}

static ALWAYS_INLINE void
store_texels(uint32_t mask, const struct places *p, const v8 element[4], unsigned size_B)
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
           unsigned channels, v8 element[4])
{
   v8 in[4];
   for (unsigned c = 0; c < 4; c++) {
      in[c] = channels >> c & 1 ? load8(data) : _mm256_setzero_si256();
      data += channels >> c & 1 ? EU_REG_SIZE : 0;
   }
   if (m->eights && !eu_rounding(t))
      encode_elements(m, in, element);
   else
      pack8(m->format, in, element);
}

static ALWAYS_INLINE void
store_column(uint8_t *p, __m128i v)
{
   uint32_t dword[4] = {(uint32_t)_mm_cvtsi128_si32(v), (uint32_t)_mm_extract_epi32(v, 1),
                        (uint32_t)_mm_extract_epi32(v, 2), (uint32_t)_mm_extract_epi32(v, 3)};
   for (unsigned i = 0; i < 4; i++)
      memcpy(p + 16 * i, &dword[i], 4);
}

static ALWAYS_INLINE bool
store_quads(const struct texels *x, v8 v)
{
   if (is_quads(x, 4)) {
      for (unsigned h = 0; h < 2; h++)
         _mm_storeu_si128((__m128i *)(void *)quad(x, h), half8(v, h));
      return true;
   }
   if (!is_quads(x, 16))
      return false;
   look_ahead(x, MEM_WRITE);
   for (unsigned h = 0; h < 2; h++)
      store_column(quad(x, h), half8(v, h));
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
   v8 element[4];
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
             const struct surface_view *m, uint8_t *host, v8 at)
{
   struct texels x = {.m = m, .mask = 0xff, .host = host, .at = at};
   v8 element[4];
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
   return store_quads(&x, load8(t->grf + q->payload + 2 * EU_REG_SIZE)) || write_rest(t, q, exec);
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
      put(t->grf + q->response, load8(result), lanes8(exec));
   sf_quick_mark(t, q);
   return true;
}

const struct dp_quick_typed_functions dp_quick_typed_avx2 = {read_typed, write_typed, atomic_typed};
