/* The fast path of render target writes: subspans that lie inside the target, of a pixel shader
 * thread. What tests and blending make of the colours is the back end's matter. */
#include "shared_functions/view_vector.h"
#include "shared_functions/pixel_backend.h"

/* Eight slots are two subspans; bit i of `on`: subspan i is stored. offset: of their upper rows,
 * and four further of their lower ones. */
static ALWAYS_INLINE void
store_elements(const struct surface_view *m, const uint32_t *offset, v8i word[4], unsigned on)
{
   uint8_t *host = m->window[1].host;
   if (m->size_log2 == 2 && on == 3 && offset[1] == offset[0] + 8 && offset[5] == offset[4] + 8) {
      v8i rows = v8i_crossed(word[0]); /* side by side: row by row */
      v8i_store_halves(host + offset[0], host + offset[4], rows);
      return;
   }
   _Alignas(32) uint8_t bytes[4][32];
   unsigned words = m->size_log2 > 2 ? 1u << (m->size_log2 - 2) : 1;
   if (m->size_log2 == 3) {
      v8i low = v8i_low_pairs(word[0], word[1]), high = v8i_high_pairs(word[0], word[1]);
      word[0] = low, word[1] = high;
   } else if (m->size_log2 == 4) {
      transpose(word);
   }
   for (unsigned k = 0; k < words; k++)
      v8i_store(bytes[k], word[k]);
   for (unsigned i = 0; i < 2; i++) {
      uint8_t *upper = host + offset[i], *lower = host + offset[4 + i];
      if (!(on >> i & 1))
         continue;
      switch (m->size_log2) {
      case 0:
         upper[0] = bytes[0][16 * i], upper[1] = bytes[0][16 * i + 4];
         lower[0] = bytes[0][16 * i + 8], lower[1] = bytes[0][16 * i + 12];
         break;
      case 1:
         memcpy(upper, bytes[0] + 16 * i, 2), memcpy(upper + 2, bytes[0] + 16 * i + 4, 2);
         memcpy(lower, bytes[0] + 16 * i + 8, 2), memcpy(lower + 2, bytes[0] + 16 * i + 12, 2);
         break;
      case 2:
         memcpy(upper, bytes[0] + 16 * i, 8);
         memcpy(lower, bytes[0] + 16 * i + 8, 8);
         break;
      case 3: /* the upper row is in the low halves, the lower one in the high ones */
         memcpy(upper, bytes[0] + 16 * i, 16);
         memcpy(lower, bytes[1] + 16 * i, 16);
         break;
      default:
         memcpy(upper, bytes[0] + 16 * i, 16), memcpy(upper + step_of(m), bytes[1] + 16 * i, 16);
         memcpy(lower, bytes[2] + 16 * i, 16), memcpy(lower + step_of(m), bytes[3] + 16 * i, 16);
      }
   }
}

/* The same way back. */
static ALWAYS_INLINE void
load_elements(const struct surface_view *m, const uint32_t *offset, v8i word[4])
{
   const uint8_t *host = m->window[1].host;
   const uint8_t *row[4] = {host + offset[0], host + offset[4], host + offset[1], host + offset[5]};
   uint32_t narrow[8] = {0};
   uint64_t pair[4];
   switch (m->size_log2) {
   case 2:
      if (offset[1] == offset[0] + 8 && offset[5] == offset[4] + 8) {
         word[0] = v8i_crossed(v8i_load_halves(row[0], row[1]));
         return;
      }
      for (unsigned i = 0; i < 4; i++)
         memcpy(&pair[i], row[i], 8);
      word[0] = v8i_load(pair);
      return;
   case 3: {
      v8i low = v8i_load_halves(row[0], row[2]), high = v8i_load_halves(row[1], row[3]);
      word[0] = v8i_near_evens(low, high);
      word[1] = v8i_near_odds(low, high);
      return;
   }
   case 4:
      for (unsigned i = 0; i < 2; i++) {
         word[2 * i] = v8i_load_halves(row[i], row[2 + i]);
         word[2 * i + 1] = v8i_load_halves(row[i] + step_of(m), row[2 + i] + step_of(m));
      }
      transpose(word);
      return;
   default:
      for (unsigned i = 0; i < 4; i++) {
         uint32_t both = 0;
         memcpy(&both, row[i], m->size_log2 ? 4 : 2);
         narrow[2 * i] = m->size_log2 ? both & 0xffff : both & 0xff;
         narrow[2 * i + 1] = m->size_log2 ? both >> 16 : both >> 8;
      }
      word[0] = v8i_load(narrow);
   }
}

/* Nothing that the record of the thread would make a rule of: this is its first message, and its
 * last. */
static ALWAYS_INLINE bool
in_order(const struct pixel_backend *pixel, const struct rt_record *r, const struct sf_quick *q,
         uint32_t dispatched, unsigned slots)
{
   return v8i_none(v8i_load(r->written)) && q->ends_pixels && pixel->dispatch_width == slots &&
          dispatched == (uint16_t)r->dispatched;
}

/* What R0 and R1, or the header, say that needs the slow path. */
static ALWAYS_INLINE bool
has_more(const struct sf_quick *q, const struct rt_bypass *b, const uint32_t *header)
{
   const uint32_t more = GEN7_DP_RENDER_TARGET_WRITE_HEADER__SOURCE0_ALPHA_PRESENT |
                         GEN7_DP_RENDER_TARGET_WRITE_HEADER__OMASK_PRESENT |
                         GEN7_DP_RENDER_TARGET_WRITE_HEADER__SOURCE_DEPTH_PRESENT;
   return q->header ? (header[0] & more) != 0 : b->omask || b->source_depth;
}

static ALWAYS_INLINE void
write_eight(const struct surface_view *m, const struct rt_mix *mix, const uint32_t *offset,
            v8i color[4], uint32_t live)
{
   v8i word[4], old[4];
   bool all = live == 0xff;
   unsigned words = m->size_log2 > 2 ? 1u << (m->size_log2 - 2) : 1;
   if (!all || mix->reads)
      load_elements(m, offset, old);
   if (__builtin_expect(mix->mix != NULL, 0)) {
      _Alignas(32) uint32_t in[4][8], out[4][8];
      for (unsigned c = 0; c < 4; c++)
         v8i_store(in[c], color[c]);
      for (unsigned k = 0; k < words && mix->reads; k++)
         v8i_store(out[k], old[k]);
      mix->mix(mix->state, m, (const uint32_t(*)[8])in, 1, out);
      for (unsigned k = 0; k < words; k++)
         word[k] = v8i_load(out[k]);
   } else {
      encode_elements(m, color, word);
   }
   for (unsigned k = 0; k < words && !all; k++)
      word[k] = v8i_choose(lanes8(live), word[k], old[k]);
   store_elements(m, offset, word, (live & 15 ? 1 : 0) | (live >> 4 ? 2 : 0));
}

/* ---- rows: 16 slots that are four subspans side by side, elements of 32 bits -------------------
 */

/* Their upper pixels, and their lower ones; of a Y tile the left half, and the right one: 32 bytes
 * each (MEM-021). */
struct row {
   uint32_t offset, second; /* from the base; from one to the other */
   bool columns;
};

/* False: they are no row, or lie outside. */
static ALWAYS_INLINE bool
find_row(const struct surface_view *m, struct slice slice, const uint32_t *at4, struct row *out)
{
   const v4 apart = {0, 2, 4, 6};
   v4 other = load4(at4) ^ (at4[0] + apart);
   uint32_t x = at4[0] & 0xffff, y = at4[0] >> 16, x_B = 4 * (x + slice.x_el), row = y + slice.row;
   if (m->size_log2 != 2 || other[1] | other[2] | other[3] || x_B & 31 || row & 1 ||
       x + 8 > m->width || y + 2 > m->height)
      return false;
   switch (m->tiling) {
   case MEM_LINEAR:
      *out = (struct row){row * m->pitch_B + x_B, m->pitch_B, false};
      return true;
   case MEM_TILE_X:
      *out = (struct row){row / 8 * (8 * m->pitch_B) + x_B / 512 * 4096 + row % 8 * 512 + x_B % 512,
                          512, false};
      return true;
   case MEM_TILE_Y:
      *out = (struct row){row / 32 * (32 * m->pitch_B) + x_B / 16 * 512 + row % 32 * 16, 512, true};
      return true;
   default:
      return false;
   }
}

static ALWAYS_INLINE bool
reach_row(struct surface_view *m, struct mem_space *space, const struct row *row)
{
   const struct view_window *w = &m->window[1];
   uint32_t last = row->second + 28;
   for (unsigned i = 0; i < 2; i++) {
      uint32_t at = row->offset - w->start;
      if (__builtin_expect(at < w->limit[2] && w->limit[2] - at > last, 1))
         return true;
      if (i || !surface_view_look(m, space, row->offset, true))
         break;
   }
   return false;
}

/* To the order of subspans, and back. */
static ALWAYS_INLINE void
swap_row(bool columns, v8i *a, v8i *b)
{
   v8i low = columns ? *a : v8i_lower(*a, *b), high = columns ? *b : v8i_upper(*a, *b);
   *a = v8i_crossed(low);
   *b = v8i_crossed(high);
}

static ALWAYS_INLINE void
order_row(bool columns, v8i *a, v8i *b)
{
   v8i low = v8i_crossed(*a), high = v8i_crossed(*b);
   *a = columns ? low : v8i_lower(low, high);
   *b = columns ? high : v8i_upper(low, high);
}

/* A channel of eight bits as encode_channel has it, in the lowest bits of a float of 2^23 and more.
 */
static ALWAYS_INLINE v8i
encode_eight(const uint8_t *at)
{
   v8f f = v8f_max(v8_as_float(v8i_load(at)), v8f_all(0));
   f = v8f_min(f, v8f_all(1.0f)); /* NaN has become 0 */
   return v8f_code(f, 255.0f);
}

/* As encode_elements for four of them, red or blue the lowest. The bits above the channels leave by
 * the shifts, but for those of the lowest. */
static ALWAYS_INLINE v8i
encode_eights(const uint8_t *half, bool blue_first)
{
   v8i red = encode_eight(half), green = encode_eight(half + 2 * EU_REG_SIZE),
       blue = encode_eight(half + 4 * EU_REG_SIZE), alpha = encode_eight(half + 6 * EU_REG_SIZE),
       lowest = v8i_and(blue_first ? blue : red, v8i_all(0xff)),
       third = v8i_shl_by(blue_first ? red : blue, 16);
   return v8i_or(v8i_or(lowest, v8i_shl_by(green, 8)), v8i_or(third, v8i_shl_by(alpha, 24)));
}

/* Colours of eight slots, the payload's half h, as elements: `old` are those that are there. */
static ALWAYS_INLINE v8i
row_elements(const struct surface_view *m, const struct rt_mix *mix, const uint8_t *payload,
             unsigned h, v8i old)
{
   const uint8_t *half = payload + h * EU_REG_SIZE;
   if (mix->mix) {
      _Alignas(32) uint32_t word[4][8];
      v8i_store(word[0], old);
      mix->mix(mix->state, m, (const uint32_t(*)[8])(const void *)half, 2, word);
      return v8i_load(word[0]);
   }
   v8i color[4], word[4];
   for (unsigned c = 0; c < 4; c++)
      color[c] = v8i_load(half + 2 * c * EU_REG_SIZE);
   encode_elements(m, color, word);
   return word[0];
}

/* Columns of Y tiles lie too far apart for the host to see that they are walked: those of the next
 * eight pixels to the right, and eight rows, are fetched ahead. */
static ALWAYS_INLINE void
fetch_block(const uint8_t *at)
{
   for (unsigned i = 0; i < 2; i++) {
      __builtin_prefetch(at + 1024 + 512 * i);
      __builtin_prefetch(at + 1024 + 512 * i + 64);
   }
}

/* Colours of 16 slots as elements. */
static ALWAYS_INLINE void
mix_row(const struct surface_view *m, const struct rt_mix *mix, const uint8_t *payload, v8i *low,
        v8i *high)
{
   if (mix->mix_row) {
      _Alignas(32) uint32_t word[2][8];
      v8i_store(word[0], *low);
      v8i_store(word[1], *high);
      mix->mix_row(mix->state, m, (const uint32_t(*)[8])(const void *)payload, word);
      *low = v8i_load(word[0]);
      *high = v8i_load(word[1]);
      return;
   }
   *low = row_elements(m, mix, payload, 0, *low);
   *high = row_elements(m, mix, payload, 1, *high);
}

/* All of a row, colours that are packed into four channels of eight bits. */
static ALWAYS_INLINE void
write_eights(uint8_t *first, uint8_t *second, bool columns, const uint8_t *payload, bool blue_first)
{
   v8i low = encode_eights(payload, blue_first),
       high = encode_eights(payload + EU_REG_SIZE, blue_first);
   order_row(columns, &low, &high);
   v8i_store(first, low);
   v8i_store(second, high);
}

/* Apart from what is packed only: that needs hardly any of the host's registers. */
static __attribute__((noinline)) void
write_mixed(const struct surface_view *m, const struct rt_mix *mix, uint32_t live,
            const struct row *row, const uint8_t *payload)
{
   uint8_t *first = m->window[1].host + (row->offset - m->window[1].start),
           *second = first + row->second;
   v8i a = v8i_all(0), b = a;
   bool all = live == 0xffff;
   if (!all || mix->reads) {
      a = v8i_load(first), b = v8i_load(second);
      swap_row(row->columns, &a, &b);
   }
   v8i low = a, high = b;
   mix_row(m, mix, payload, &low, &high);
   if (!all) {
      low = v8i_choose(lanes8(live & 0xff), low, a);
      high = v8i_choose(lanes8(live >> 8), high, b);
   }
   order_row(row->columns, &low, &high);
   v8i_store(first, low);
   v8i_store(second, high);
}

static ALWAYS_INLINE void
write_row(const struct surface_view *m, const struct rt_mix *mix, uint32_t live,
          const struct row *row, const uint8_t *payload)
{
   uint8_t *first = m->window[1].host + (row->offset - m->window[1].start),
           *second = first + row->second;
   if (row->columns && !(row->offset & 0x70)) /* the first row of a block */
      fetch_block(first);
   if (live != 0xffff || !m->eights || mix->mix)
      write_mixed(m, mix, live, row, payload);
   else if (m->eights == VIEW_BGRA)
      write_eights(first, second, row->columns, payload, true);
   else
      write_eights(first, second, row->columns, payload, false);
}

/* ---- what others ask of a message --------------------------------------------------------------
 */

/* struct rt_plain */
static bool
plain_element(const struct rt_plain *p, uint32_t element[4])
{
   const struct surface_view *m = p->view;
   v8i other = v8i_all(0), first[4] = {other, other, other, other};
   if (m->size_log2 < 2)
      return false;
   for (unsigned h = 0; h < 2; h++) {
      v8i color[4], word[4];
      for (unsigned c = 0; c < 4; c++)
         color[c] = p->replicated ? v8i_all(dword_at(p->payload, c))
                                  : v8i_load(p->payload + (c * 2 + h) * EU_REG_SIZE);
      encode_elements(m, color, word);
      for (unsigned k = 0; k < 1u << (m->size_log2 - 2); k++) {
         if (!h)
            first[k] = v8i_spread(word[k], 0);
         other = v8i_or(other, v8i_xor(word[k], first[k]));
      }
   }
   for (unsigned k = 0; k < 4; k++)
      element[k] = (uint32_t)v8i_lane(first[k], 0);
   return v8i_none(other);
}

/* What is kept of the message. view: NULL, nothing that could be said of it again. */
static ALWAYS_INLINE bool
written(const struct pixel_backend *pixel, struct rt_record *r, const struct rt_mix *mix,
        struct surface_view *view, uint32_t layer, const uint8_t *payload, unsigned slots,
        bool replicated)
{
   if (r)
      r->written[0] = (1u << slots) - 1;
   if (__builtin_expect(pixel->plain != NULL, 0))
      *pixel->plain = (struct rt_plain){.view = mix->mix || mix->reads ? NULL : view,
                                        .slice = view && view->depth == UINT32_MAX ? 0 : layer,
                                        .payload = payload,
                                        .replicated = replicated,
                                        .element = plain_element};
   return true;
}

/* Where the subspans of a message lie in a view: a row, or each by itself. */
struct spot {
   bool is_row;
   struct row row;
   uint32_t offset[8]; /* as store_elements has them */
};

/* False: not all of them inside, or not in reach. at4: their places; live: slots that count. */
static ALWAYS_INLINE bool
find_spot(struct surface_view *m, struct mem_space *space, uint32_t layer, const uint32_t *places,
          uint32_t live, unsigned regs, bool replicated, struct spot *out)
{
   struct slice slice = slice_of(m, m->depth == UINT32_MAX ? 0 : layer);
   out->is_row = regs == 2 && !replicated && find_row(m, slice, places, &out->row) &&
                 reach_row(m, space, &out->row);
   if (out->is_row)
      return true;
   /* Subspans of which no pixel is written lie anywhere: they stand where the first other one does.
    */
   uint32_t at4[4], all = (1u << 8 * regs) - 1;
   memcpy(at4, places, sizeof(at4));
   for (unsigned i = 0, first = (unsigned)__builtin_ctz(live) / 4; i < 2 * regs && live != all; i++)
      if (!(live >> 4 * i & 15))
         at4[i] = at4[first];
   /* DP-360: the upper rows of the subspans, and their lower ones; of two, each twice. */
   v8i place = v8i_load_twice(at4);
   if (regs == 1)
      place = v8i_low_halves(place, place);
   v8i x = v8i_and(place, v8i_all(0xffff)), y = v8i_shr_by(place, 16);
   y = v8i_add(y, v8i_of(0, 0, 0, 0, 1, 1, 1, 1));
   v8i inside = v8i_and(below8(v8i_add(x, v8i_all(1)), m->width), below8(y, m->height));
   if (!v8i_every(inside) || !v8i_none(v8i_and(v8i_add(x, v8i_all(slice.x_el)),
                                               v8i_all(1)))) /* a pair lies side by side */
      return false;
   v8i at = element_offsets(m, slice, x, y);
   if (!reach(m, space, at, step_of(m), true))
      return false;
   v8i_store(out->offset, v8i_sub(at, v8i_all(m->window[1].start)));
   return true;
}

static ALWAYS_INLINE void
store_spot(const struct surface_view *m, const struct rt_mix *mix, const struct spot *at,
           const uint8_t *payload, unsigned regs, bool replicated)
{
   if (at->is_row) {
      if (mix->live)
         write_row(m, mix, mix->live, &at->row, payload);
      return;
   }
   for (unsigned h = 0; h < regs; h++) {
      v8i color[4];
      uint32_t live = mix->live >> 8 * h & 0xff;
      if (!live)
         continue;
      for (unsigned c = 0; c < 4; c++) /* DP-389, DP-391, DP-392 */
         color[c] = replicated ? v8i_all(dword_at(payload, c))
                               : v8i_load(payload + (c * regs + h) * EU_REG_SIZE);
      write_eight(m, mix, at->offset + 2 * h, color, live);
   }
}

/* ---- several samples ---------------------------------------------------------------------------
 */

/* Elements of the control surface: of each live slot, or of a whole row of 8 x 2 pixels, one byte
 * each, the first of each line. */
struct control {
   bool is_row;
   uint8_t *at[16];
};

static ALWAYS_INLINE uint8_t *
control_element(struct surface_view *m, struct mem_space *space, uint32_t layer, uint32_t x,
                uint32_t y)
{
   struct slice slice = slice_of(m, m->depth == UINT32_MAX ? 0 : layer);
   uint32_t x_B = (x + slice.x_el) << m->size_log2, row = y + slice.row;
   if (x >= m->width || y >= m->height)
      return NULL;
   return surface_view_host(
       m, space, row / 32 * (32 * m->pitch_B) + x_B / 16 * 512 + row % 32 * 16 + x_B % 16, true);
}

/* False: not all in reach. A row of the target is aligned to 8 x 2 pixels: of bytes, it lies in
 * one piece of a Y tile. */
static ALWAYS_INLINE bool
find_control(struct surface_view *m, struct mem_space *space, uint32_t layer,
             const uint32_t *places, uint32_t live, bool is_row, struct control *out)
{
   out->is_row = is_row && live == 0xffff && !m->size_log2 && !(m->x_el & 7) &&
                 !((m->row | m->slice_rows) & 1);
   if (out->is_row) {
      out->at[0] = control_element(m, space, layer, places[0] & 0xffff, places[0] >> 16);
      out->at[1] = out->at[0] + 16;
      return out->at[0] != NULL;
   }
   for (uint32_t left = live; left; left &= left - 1) {
      unsigned i = (unsigned)__builtin_ctz(left);
      uint32_t x = (places[i / 4] & 0xffff) + (i & 1), y = (places[i / 4] >> 16) + (i >> 1 & 1);
      out->at[i] = control_element(m, space, layer, x, y);
      if (!out->at[i])
         return false;
   }
   return true;
}

/* Have these pixels all their samples in slice 0? */
static ALWAYS_INLINE bool
is_shared(const struct surface_view *m, uint32_t live, const struct control *c)
{
   static const uint8_t zeros[8];
   if (c->is_row)
      return !memcmp(c->at[0], zeros, 8) && !memcmp(c->at[1], zeros, 8);
   for (; live; live &= live - 1)
      if (memcmp(c->at[__builtin_ctz(live)], zeros, m->size_B) != 0)
         return false;
   return true;
}

static ALWAYS_INLINE void
share(const struct surface_view *m, uint32_t live, const struct control *c)
{
   if (c->is_row) {
      memset(c->at[0], 0, 8);
      memset(c->at[1], 0, 8);
      return;
   }
   for (; live; live &= live - 1)
      memset(c->at[__builtin_ctz(live)], 0, m->size_B);
}

/* ---- what is remembered of a row ---------------------------------------------------------------
 */

/* shared: the target whose samples share the view's slice; or NULL. */
static ALWAYS_INLINE void
remember_row(const struct pixel_backend *pixel, const struct eu_thread *t, const struct sf_quick *q,
             struct surface_view *m, uint32_t layer, struct sf_target *shared,
             const struct rt_mix *mix)
{
   if (!pixel->rows || q->header || !mix->lasting || !t->buffers)
      return;
   struct slice slice = slice_of(m, m->depth == UINT32_MAX ? 0 : layer);
   *pixel->rows = (struct rt_rows){.quick = q,
                                   .generation = t->buffers->generation,
                                   .view = m,
                                   .layer = layer,
                                   .x_el = slice.x_el,
                                   .row = slice.row,
                                   .shared = shared,
                                   .mix = *mix};
}

/* Of pixels that have all their samples lit, and may share an element. Apart from rows of one
 * sample, as write_mixed is. */
static __attribute__((noinline)) bool
write_shared(const struct eu_thread *t, const struct rt_rows *k, const uint32_t *places,
             uint32_t live, const struct row *row, const uint8_t *payload)
{
   struct sf_target *m = k->shared;
   struct control control;
   for (unsigned s = 0; s < m->samples; s++)
      if (k->mix.samples[s] != live)
         return false;
   if (!find_control(&m->control, t->env->space, k->layer, places, live, true, &control) ||
       (k->mix.reads && !is_shared(&m->control, live, &control)))
      return false;
   write_row(k->view, &k->mix, live, row, payload);
   share(&m->control, live, &control);
   return true;
}

/* ---- messages ----------------------------------------------------------------------------------
 */

/* A row by what is remembered. False: nothing has been done, as with all of these. */
static ALWAYS_INLINE bool
known_row(struct eu_thread *t, const struct sf_quick *q)
{
   const struct pixel_backend *pixel = t->env->pixel;
   const struct rt_rows *k = pixel ? pixel->rows : NULL;
   if (!k || k->quick != q || sf_observed(t) || !sf_buffers_good(t->buffers, t) ||
       t->buffers->generation != k->generation)
      return false;
   struct surface_view *m = k->view;
   struct rt_record *r = q->rules ? pixel->now_record : NULL;
   const uint32_t *header = pixel->now->header;
   const uint8_t *payload = t->grf + q->payload;
   struct row row;
   uint32_t live = hw_get(header[GEN7_DP_RENDER_TARGET_WRITE_HEADER__PIXEL_SAMPLE_ENABLES_DW],
                          GEN7_DP_RENDER_TARGET_WRITE_HEADER__PIXEL_SAMPLE_ENABLES);
   if (!live || *k->mix.lasting != m->format || (m->converts && eu_rounding(t)) ||
       (r && !v8i_none(v8i_load(r->written))) || (q->rules && !r) ||
       !find_row(m, (struct slice){k->x_el, k->row}, header + 10, &row) ||
       !reach_row(m, t->env->space, &row))
      return false;
   if (__builtin_expect(!k->shared, 1))
      write_row(m, &k->mix, live, &row, payload);
   else if (!write_shared(t, k, header + 10, live, &row, payload))
      return false;
   if (r)
      r->written[0] = 0xffff;
   return true;
}

/* A pixel all of whose samples are written has one element, in slice 0 (as mcs_write does it);
 * without a control surface every sample has its own. */
static __attribute__((noinline)) bool
target_samples(struct eu_thread *t, const struct sf_quick *q, struct sf_target *m,
               const uint32_t *header, const uint8_t *payload, uint32_t layer, unsigned regs)
{
   const struct pixel_backend *pixel = t->env->pixel;
   struct spot at[SF_SAMPLES];
   struct rt_mix mix = {.live =
                            header[GEN7_DP_RENDER_TARGET_WRITE_HEADER__PIXEL_SAMPLE_ENABLES_DW] &
                            ((1u << 8 * regs) - 1)};
   unsigned slices = m->controlled ? 1 : m->samples;
   uint32_t live = mix.live;
   struct control control;
   if (!pixel->mix || pixel->samples != m->samples)
      return false;
   for (unsigned s = 0; s < slices; s++)
      if (!find_spot(&m->sample[s], t->env->space, layer, header + 10, mix.live, regs, false,
                     &at[s]))
         return false;
   if (!pixel->mix(pixel->pixels_data, q->header ? header : NULL, &m->view, 8 * regs, q->last,
                   &mix))
      return false;
   if (!m->controlled) {
      for (unsigned s = 0; s < slices; s++) {
         mix.live = mix.samples[s] & live;
         store_spot(&m->sample[s], &mix, &at[s], payload, regs, false);
      }
      return true;
   }
   mix.live = mix.samples[0] & live;
   for (unsigned s = 1; s < m->samples; s++)
      if ((mix.samples[s] & live) != mix.live)
         return false;
   if (!find_control(&m->control, t->env->space, layer, header + 10, mix.live, at[0].is_row,
                     &control) ||
       (mix.reads && !is_shared(&m->control, mix.live, &control)))
      return false;
   store_spot(&m->sample[0], &mix, &at[0], payload, regs, false);
   share(&m->control, mix.live, &control);
   if (at[0].is_row)
      remember_row(pixel, t, q, &m->sample[0], layer, m, &mix);
   return true;
}

static ALWAYS_INLINE bool
target(struct eu_thread *t, const struct sf_quick *q, unsigned regs, bool replicated)
{
   const struct pixel_backend *pixel = t->env->pixel;
   const uint8_t *payload = t->grf + q->payload + (q->header ? EU_REG_SIZE : 0);
   unsigned slots = 8 * regs;
   const struct rt_bypass *b = pixel ? pixel->now : NULL; /* DP-461 */
   if (!b || (pixel->pixels && !pixel->mix) || pixel->per_sample || pixel->dual_source_blend ||
       sf_observed(t))
      return false;
   const uint32_t *header =
       q->header ? (const uint32_t *)(const void *)(t->grf + q->payload - EU_REG_SIZE) : b->header;
   if (has_more(q, b, header))
      return false;
   struct rt_record *r = !q->rules           ? NULL
                         : pixel->now_record ? pixel->now_record
                         : pixel->record     ? pixel->record(pixel->data, t)
                                             : NULL;
   if (r &&
       !in_order(
           pixel, r, q,
           hw_get(header[GEN7_DP_RENDER_TARGET_WRITE_HEADER__DISPATCHED_PIXEL_SAMPLE_ENABLES_DW],
                  GEN7_DP_RENDER_TARGET_WRITE_HEADER__DISPATCHED_PIXEL_SAMPLE_ENABLES),
           slots))
      return false;
   struct sf_target *known = sf_target_of(t, q->bti);
   struct surface_view *m = known ? &known->view : NULL;
   if (!m || (m->converts && eu_rounding(t))) /* rounds to nearest */
      return false;
   if (replicated && q->rules &&
       (m->tiling == MEM_LINEAR || pixel->dispatch_width == 8)) /* DP-393, DP-464 */
      return false;
   uint32_t layer = surface_view_layer(
       m, hw_get(header[GEN7_DP_RENDER_TARGET_WRITE_HEADER__RENDER_TARGET_ARRAY_INDEX_DW],
                 GEN7_DP_RENDER_TARGET_WRITE_HEADER__RENDER_TARGET_ARRAY_INDEX));
   struct rt_mix mix = {.live =
                            header[GEN7_DP_RENDER_TARGET_WRITE_HEADER__PIXEL_SAMPLE_ENABLES_DW] &
                            ((1u << slots) - 1)}; /* DP-459 */
   if (layer >= m->depth || !mix.live)
      return false;
   if (__builtin_expect(known->samples > 1, 0))
      return !replicated && target_samples(t, q, known, header, payload, layer, regs) &&
             written(pixel, r, &mix, NULL, layer, payload, slots, false);
   struct spot at;
   if (!find_spot(m, t->env->space, layer, header + 10, mix.live, regs, replicated, &at))
      return false;
   if (pixel->mix &&
       !pixel->mix(pixel->pixels_data, q->header ? header : NULL, m, slots, q->last, &mix))
      return false;
   store_spot(m, &mix, &at, payload, regs, replicated);
   if (at.is_row && !pixel->plain)
      remember_row(pixel, t, q, m, layer, NULL, &mix);
   return written(pixel, r, &mix, regs == 2 ? m : NULL, layer, payload, slots, replicated);
}

static bool
target8(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask)
{
   (void)exec_mask; /* DP-459: is not asked */
   return target(t, q, 1, false);
}

static __attribute__((noinline)) bool
target16(struct eu_thread *t, const struct sf_quick *q)
{
   return target(t, q, 2, false);
}

static bool
target16_message(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask)
{
   (void)exec_mask;
   return known_row(t, q) || target16(t, q);
}

static bool
target_replicated(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask)
{
   (void)exec_mask;
   return target(t, q, 2, true);
}

const struct dp_quick_target_functions HOST_NAME(dp_quick_target) = {
    .simd8 = target8,
    .simd16 = target16_message,
    .replicated = target_replicated,
};
