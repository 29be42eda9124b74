/* Private to the fast paths of texel messages: elements of a view as vectors of eight. */
#ifndef PERGOLA_VIEW_AVX2_H
#define PERGOLA_VIEW_AVX2_H

#include "shared_functions/dataport/quick_pack_avx2.h"
#include "surface/view.h"

/* All ones where an unsigned lane is below n, which is not 0. */
static ALWAYS_INLINE v8
below8(v8 v, uint32_t n)
{
   return up_to8(v, n - 1);
}

static ALWAYS_INLINE bool
every8(v8 v)
{
   return _mm256_movemask_epi8(v) == -1;
}

static ALWAYS_INLINE bool
none8(v8 v)
{
   return _mm256_testz_si256(v, v);
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
static ALWAYS_INLINE v8
element_offsets(const struct surface_view *m, struct slice s, v8 x, v8 y)
{
   v8 x_B = _mm256_sll_epi32(add8(x, s.x_el), _mm_cvtsi32_si128(m->size_log2));
   return tile_offset8(m->tiling, x_B, add8(y, s.row), m->pitch_B);
}

static ALWAYS_INLINE bool
elements_in(const struct view_window *w, v8 at, uint32_t step)
{
   return w->limit[2] > step &&
          every8(below8(_mm256_sub_epi32(at, all8(w->start)), w->limit[2] - step));
}

/* Are all these elements, and those a step behind them, in the window of the view, or can they be?
 */
static ALWAYS_INLINE bool
reach(struct surface_view *m, struct mem_space *space, v8 at, uint32_t step, bool write)
{
   return __builtin_expect(elements_in(&m->window[write], at, step), 1) ||
          (surface_view_look(m, space, (uint32_t)_mm256_extract_epi32(at, 0), write) &&
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
      _mm_prefetch((const char *)host + offset[i] + MEM_PAGE_SIZE, _MM_HINT_T0);
}

/* ---- channels -------------------------------------------------------------------------------- */

static ALWAYS_INLINE v8
decode_channel(const struct view_channel *c, const v8 word[4])
{
   if (c->kind == VIEW_CHANNEL_ABSENT)
      return all8(c->absent);
   v8 v = word[c->word];
   if (c->kind == VIEW_CHANNEL_BITS)
      return v;
   v = _mm256_sll_epi32(v, _mm_cvtsi32_si128(32 - c->shift - c->bits));
   __m128i back = _mm_cvtsi32_si128(32 - c->bits);
   if (c->kind == VIEW_CHANNEL_SINT)
      return _mm256_sra_epi32(v, back);
   v = _mm256_srl_epi32(v, back);
   if (c->kind == VIEW_CHANNEL_UINT)
      return v;
   /* SMP-398: a quotient, rounded once: the product with the reciprocal is at most a place off,
    * which what is left tells. No quotient lies halfway between two floats, so that it is the one
    * in double precision. */
   __m256 f = _mm256_cvtepi32_ps(v), by = _mm256_set1_ps(c->by), q = _mm256_mul_ps(f, by);
   return _mm256_castps_si256(
       _mm256_fmadd_ps(_mm256_fnmadd_ps(q, _mm256_set1_ps(c->most), f), by, q));
}

/* Channel i of the texels of eight slots. */
static ALWAYS_INLINE v8
decode_elements(const struct surface_view *m, const v8 word[4], unsigned i)
{
   return m->whole && m->channel[i].kind ? word[i] : decode_channel(&m->channel[i], word);
}

/* DP-218: a channel in its place in a dword. */
static ALWAYS_INLINE v8
encode_channel(const struct surface_view *m, unsigned i, v8 v)
{
   const struct view_channel *c = &m->channel[i];
   const struct format_channel *other = &m->format->channel[i];
   __m128i shift = _mm_cvtsi32_si128(c->shift);
   if (c->kind == VIEW_CHANNEL_ABSENT && other->type == CHANNEL_NONE)
      return _mm256_setzero_si256();
   if (c->kind != VIEW_CHANNEL_UNORM)
      return _mm256_sll_epi32(encode8(other, v), shift);
   /* NaN becomes 0; the sum has the product, rounded once, in its lowest bits. */
   __m256 unit = _mm256_set1_ps(8388608.0f); /* a float whose last bit is 1 */
   __m256 f = _mm256_min_ps(_mm256_max_ps(_mm256_castsi256_ps(v), _mm256_setzero_ps()),
                            _mm256_set1_ps(1.0f));
   f = _mm256_fmadd_ps(f, _mm256_set1_ps(c->most), unit);
   return _mm256_sll_epi32(_mm256_xor_si256(_mm256_castps_si256(f), _mm256_castps_si256(unit)),
                           shift);
}

/* As pack8, where the host rounds to nearest. Elements of a dword, and those of whole dwords, stay
 * in registers. */
static ALWAYS_INLINE void
encode_elements(const struct surface_view *m, const v8 color[4], v8 word[4])
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
   v8 low = _mm256_or_si256(encode_channel(m, 0, color[0]), encode_channel(m, 1, color[1]));
   v8 high = _mm256_or_si256(encode_channel(m, 2, color[2]), encode_channel(m, 3, color[3]));
   word[0] = _mm256_or_si256(low, high);
}

#endif
