/* Private to the fast paths of texel messages: elements of a view as vectors of eight. */
#ifndef PERGOLA_VIEW_VECTOR_H
#define PERGOLA_VIEW_VECTOR_H

#include "shared_functions/dataport/quick_pack.h"
#include "surface/view.h"

/* All ones where an unsigned lane is below n, which is not 0. */
static ALWAYS_INLINE v8i
below8(v8i v, uint32_t n)
{
   return up_to8(v, n - 1);
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* Where a slice begins. */
struct slice {
   uint32_t x_el, row;
};

static ALWAYS_INLINE struct slice
slice_of(const struct surface_view *m, uint32_t slice)
{
   uint32_t beside = slice & ((1u << m->slices_log2) - 1);
   return (struct slice){m->x_el + beside * m->slice_el,
                         m->row + (slice >> m->slices_log2) * m->slice_rows};
}

/* Offsets from the base. */
static ALWAYS_INLINE v8i
element_offsets(const struct surface_view *m, struct slice s, v8i x, v8i y)
{
   v8i x_B = v8i_shl_by(add8(x, s.x_el), m->size_log2);
   return tile_offset8(m->tiling, x_B, add8(y, s.row), m->pitch_B);
}

static ALWAYS_INLINE bool
elements_in(const struct view_window *w, v8i at, uint32_t step)
{
   return w->limit[2] > step &&
          v8i_every(below8(v8i_sub(at, v8i_all(w->start)), w->limit[2] - step));
}

/* Are all these elements, and those a step behind them, in the window of the view, or can they be?
 */
static ALWAYS_INLINE bool
reach(struct surface_view *m, struct mem_space *space, v8i at, uint32_t step, bool write)
{
   return __builtin_expect(elements_in(&m->window[write], at, step), 1) ||
          (surface_view_look(m, space, (uint32_t)v8i_lane(at, 0), write) &&
           elements_in(&m->window[write], at, step));
}

/* From the left one of two elements side by side to the right one, where the left one's x is even:
 * columns of Y tiles are 16 bytes wide (MEM-021). */
static ALWAYS_INLINE uint32_t
step_of(const struct surface_view *m)
{
   return m->size_log2 == 4 && m->tiling == MEM_TILE_Y ? 512 : 1u << m->size_log2;
}

/* Columns of Y tiles lie too far apart for the host to see that they are walked: the same places of
 * the next tile are fetched ahead. The host may ask for any address so. */
static ALWAYS_INLINE void
fetch_ahead(const struct surface_view *m, const uint8_t *host, const uint32_t offset[8])
{
   for (unsigned i = 0; i < 8 && m->tiling == MEM_TILE_Y; i += 2)
      __builtin_prefetch(host + offset[i] + MEM_PAGE_SIZE);
}

/* ---- channels -------------------------------------------------------------------------------- */

static ALWAYS_INLINE v8i
decode_channel(const struct view_channel *c, const v8i word[4])
{
   if (c->kind == VIEW_CHANNEL_ABSENT)
      return v8i_all(c->absent);
   v8i v = word[c->word];
   if (c->kind == VIEW_CHANNEL_BITS)
      return v;
   v = v8i_shl_by(v, 32 - c->shift - c->bits);
   int back = 32 - c->bits;
   if (c->kind == VIEW_CHANNEL_SINT)
      return v8i_asr_by(v, back);
   v = v8i_shr_by(v, back);
   if (c->kind == VIEW_CHANNEL_UINT)
      return v;
   return v8_as_int(v8f_of_code(v, c->most, c->by)); /* SMP-398 */
}

/* Channel i of the texels of eight slots. */
static ALWAYS_INLINE v8i
decode_elements(const struct surface_view *m, const v8i word[4], unsigned i)
{
   return m->whole && m->channel[i].kind ? word[i] : decode_channel(&m->channel[i], word);
}

/* DP-218: a channel in its place in a dword. */
static ALWAYS_INLINE v8i
encode_channel(const struct surface_view *m, unsigned i, v8i v)
{
   const struct view_channel *c = &m->channel[i];
   const struct format_channel *other = &m->format->channel[i];
   if (c->kind == VIEW_CHANNEL_ABSENT && other->type == CHANNEL_NONE)
      return v8i_all(0);
   if (c->kind != VIEW_CHANNEL_UNORM)
      return v8i_shl_by(encode8(other, v), c->shift);
   /* NaN becomes 0. */
   v8f f = v8f_min(v8f_max(v8_as_float(v), v8f_all(0)), v8f_all(1.0f));
   return v8i_shl_by(v8i_and(v8f_code(f, c->most), v8i_all(0x7fffff)), c->shift);
}

/* As pack8, where the host rounds to nearest. Elements of a dword, and those of whole dwords, stay
 * in registers. */
static ALWAYS_INLINE void
encode_elements(const struct surface_view *m, const v8i color[4], v8i word[4])
{
   if (m->whole) {
      for (unsigned i = 0; i < 4; i++)
         word[i] = color[i];
      return;
   }
   if (m->size_log2 > 2) {
      pack8(m->format, color, word);
      return;
   }
   v8i low = v8i_or(encode_channel(m, 0, color[0]), encode_channel(m, 1, color[1]));
   v8i high = v8i_or(encode_channel(m, 2, color[2]), encode_channel(m, 3, color[3]));
   word[0] = v8i_or(low, high);
}

#endif
