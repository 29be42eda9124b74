/* Private to the short ways of texel messages: elements of a slice as vectors of eight. */
#ifndef PERGOLA_SF_SLICE_AVX2_H
#define PERGOLA_SF_SLICE_AVX2_H

#include "shared_functions/dataport/quick_pack_avx2.h"
#include "shared_functions/slice.h"

/* All ones where an unsigned lane is below n, which is not 0. */
static ALWAYS_INLINE v8
below8(v8 v, uint32_t n)
{
   return _mm256_cmpeq_epi32(_mm256_min_epu32(v, all8(n - 1)), v);
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

/* MEM-020, MEM-021: graphics addresses of elements, of a slice whose pitch is one of whole tiles. */
static ALWAYS_INLINE v8
element_addresses(const struct sf_slice *m, v8 x, v8 y)
{
   v8 x_B = _mm256_sll_epi32(_mm256_add_epi32(x, all8(m->x_el)), _mm_cvtsi32_si128(m->element_log2));
   v8 row = _mm256_add_epi32(y, all8(m->row)), base = all8(m->base), pitch = all8(m->pitch_B);
   if (m->tiling == MEM_LINEAR)
      return _mm256_add_epi32(_mm256_add_epi32(base, x_B), _mm256_mullo_epi32(row, pitch));
   bool tile_x = m->tiling == MEM_TILE_X;
   uint32_t rows = tile_x ? 7 : 31, bytes = tile_x ? 511 : 127;
   v8 tiles = _mm256_mullo_epi32(_mm256_andnot_si256(all8(rows), row), pitch);
   tiles = _mm256_add_epi32(tiles, _mm256_sll_epi32(_mm256_andnot_si256(all8(bytes), x_B), _mm_cvtsi32_si128(tile_x ? 3 : 5)));
   v8 inside, y_in = _mm256_and_si256(row, all8(rows)), x_in = _mm256_and_si256(x_B, all8(bytes));
   if (tile_x)
      inside = _mm256_add_epi32(_mm256_slli_epi32(y_in, 9), x_in);
   else
      inside = _mm256_add_epi32(_mm256_slli_epi32(y_in, 4),
                                _mm256_or_si256(_mm256_slli_epi32(_mm256_andnot_si256(all8(15), x_in), 5),
                                                _mm256_and_si256(x_in, all8(15))));
   return _mm256_add_epi32(base, _mm256_add_epi32(tiles, inside));
}

static ALWAYS_INLINE bool
in_window(const struct sf_slice *m, v8 at, uint32_t step)
{
   return m->limit > step && every8(below8(_mm256_sub_epi32(at, all8(m->start)), m->limit - step));
}

/* Are all these elements, and those a step behind them, in the window of the slice, or can they be? */
static ALWAYS_INLINE bool
reach(struct sf_slice *m, struct mem_space *space, v8 at, uint32_t step, bool write)
{
   return __builtin_expect(in_window(m, at, step), 1) ||
          (sf_slice_look(m, space, (uint32_t)_mm256_extract_epi32(at, 0), write) && in_window(m, at, step));
}

/* From the left one of two elements side by side to the right one, where the left one's x is even: columns of Y tiles are 16
 * bytes wide (MEM-021). */
static ALWAYS_INLINE uint32_t
step_of(const struct sf_slice *m)
{
   return m->element_log2 == 4 && m->tiling == MEM_TILE_Y ? 512 : 1u << m->element_log2;
}

/* ---- channels -------------------------------------------------------------------------------- */

static ALWAYS_INLINE v8
decode_channel(const struct sf_channel *c, const v8 word[4])
{
   if (c->kind == SF_CHANNEL_ABSENT)
      return all8(c->absent);
   v8 v = word[c->word];
   if (c->kind == SF_CHANNEL_BITS)
      return v;
   v = _mm256_sll_epi32(v, _mm_cvtsi32_si128(32 - c->shift - c->bits));
   __m128i back = _mm_cvtsi32_si128(32 - c->bits);
   if (c->kind == SF_CHANNEL_SINT)
      return _mm256_sra_epi32(v, back);
   v = _mm256_srl_epi32(v, back);
   if (c->kind == SF_CHANNEL_UINT)
      return v;
   /* SMP-398: no quotient lies halfway between two floats, so that it is rounded as one in double precision is. */
   __m256 most = _mm256_set1_ps((float)((1u << c->bits) - 1));
   return _mm256_castps_si256(_mm256_div_ps(_mm256_cvtepi32_ps(v), most));
}

/* Four lanes of four words in each half: rows become columns. */
static ALWAYS_INLINE void
transpose8(v8 word[4])
{
   v8 a = _mm256_unpacklo_epi32(word[0], word[1]), b = _mm256_unpacklo_epi32(word[2], word[3]);
   v8 c = _mm256_unpackhi_epi32(word[0], word[1]), d = _mm256_unpackhi_epi32(word[2], word[3]);
   word[0] = _mm256_unpacklo_epi64(a, b);
   word[1] = _mm256_unpackhi_epi64(a, b);
   word[2] = _mm256_unpacklo_epi64(c, d);
   word[3] = _mm256_unpackhi_epi64(c, d);
}

#endif
