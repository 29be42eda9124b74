/* Private to the short ways of texel messages: elements of a slice as vectors of eight. */
#ifndef PERGOLA_SF_SLICE_AVX2_H
#define PERGOLA_SF_SLICE_AVX2_H

#include "shared_functions/dataport/quick_pack_avx2.h"
#include "shared_functions/slice.h"

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

/* Graphics addresses. */
static ALWAYS_INLINE v8
element_addresses(const struct sf_slice *m, v8 x, v8 y)
{
   v8 x_B = _mm256_sll_epi32(add8(x, m->x_el), _mm_cvtsi32_si128(m->element_log2));
   return add8(tile_offset8(m->tiling, x_B, add8(y, m->row), m->pitch_B), m->base);
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

#endif
