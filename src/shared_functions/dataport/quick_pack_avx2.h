/* Private to the fast paths that write texels: channels of eight slots to elements, as format_pack
 * does it. Results do not depend on the host's floating-point modes: what is rounded says how, or
 * is rounded by integers. */
#ifndef PERGOLA_DP_QUICK_PACK_AVX2_H
#define PERGOLA_DP_QUICK_PACK_AVX2_H

#include "shared_functions/dataport/quick_avx2.h"

#include "surface/format.h"

static ALWAYS_INLINE v8
all8(uint32_t n)
{
   return _mm256_set1_epi32((int)n);
}

/* Four at a time: the product is exact in a double. */
static ALWAYS_INLINE v8
scale8(__m256 f, uint32_t one)
{
   __m256d by = _mm256_set1_pd(one);
   __m256d low = _mm256_mul_pd(_mm256_cvtps_pd(_mm256_castps256_ps128(f)), by);
   __m256d high = _mm256_mul_pd(_mm256_cvtps_pd(_mm256_extractf128_ps(f, 1)), by);
   enum { NEAREST = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC };
   return _mm256_set_m128i(_mm256_cvttpd_epi32(_mm256_round_pd(high, NEAREST)),
                           _mm256_cvttpd_epi32(_mm256_round_pd(low, NEAREST)));
}

/* DP-218: NaN becomes 0; a minimum or maximum gives its second operand then. */
static ALWAYS_INLINE v8
unorm8(v8 v, unsigned bits)
{
   __m256 f = _mm256_max_ps(_mm256_castsi256_ps(v), _mm256_setzero_ps());
   return scale8(_mm256_min_ps(f, _mm256_set1_ps(1.0f)), (1u << bits) - 1);
}

static ALWAYS_INLINE v8
snorm8(v8 v, unsigned bits)
{
   __m256 f = _mm256_castsi256_ps(v);
   f = _mm256_and_ps(f, _mm256_cmp_ps(f, f, _CMP_ORD_Q));
   f = _mm256_min_ps(_mm256_max_ps(f, _mm256_set1_ps(-1.0f)), _mm256_set1_ps(1.0f));
   return _mm256_and_si256(scale8(f, (1u << (bits - 1)) - 1), all8((1u << bits) - 1));
}

/* v >> shift, to nearest even. */
static ALWAYS_INLINE v8
round_shift8(v8 v, v8 shift)
{
   v8 odd = _mm256_and_si256(_mm256_srlv_epi32(v, shift), all8(1));
   v8 half = _mm256_sllv_epi32(all8(1), add8(shift, UINT32_MAX));
   return _mm256_srlv_epi32(_mm256_add_epi32(_mm256_add_epi32(v, odd), add8(half, UINT32_MAX)),
                            shift);
}

/* Magnitudes to floats of 5 exponent bits, no sign; what is too large becomes `top`. */
static ALWAYS_INLINE v8
small8(v8 magnitude, unsigned fraction_bits, uint32_t top)
{
   unsigned drop = 23 - fraction_bits;
   uint32_t infinity = 31u << fraction_bits;
   v8 fraction = _mm256_and_si256(magnitude, all8(0x7fffff));
   v8 normal = round_shift8(add8(magnitude, 0u - (112u << 23)), all8(drop));
   v8 shift = _mm256_sub_epi32(all8(drop + 113), _mm256_srli_epi32(magnitude, 23));
   v8 denormal = round_shift8(_mm256_or_si256(fraction, all8(0x800000)), shift);
   v8 nan = _mm256_or_si256(_mm256_srl_epi32(fraction, _mm_cvtsi32_si128((int)drop)),
                            all8(infinity | 1u << (fraction_bits - 1)));
   v8 v = _mm256_blendv_epi8(_mm256_min_epu32(normal, all8(top)), denormal,
                             _mm256_cmpgt_epi32(all8(113u << 23), magnitude));
   v = _mm256_blendv_epi8(v, all8(infinity), _mm256_cmpeq_epi32(magnitude, all8(0x7f800000)));
   return _mm256_blendv_epi8(v, nan, _mm256_cmpgt_epi32(magnitude, all8(0x7f800000)));
}

static ALWAYS_INLINE v8
float8(v8 v, unsigned bits)
{
   v8 magnitude = _mm256_and_si256(v, all8(0x7fffffff));
   if (bits == 32)
      return v;
   if (bits == 16)
      return _mm256_or_si256(small8(magnitude, 10, 31u << 10),
                             _mm256_and_si256(_mm256_srli_epi32(v, 16), all8(0x8000)));
   /* No sign: what is negative, and no NaN, becomes 0; what is finite stays so. */
   unsigned fraction_bits = bits - 5;
   v8 negative = _mm256_andnot_si256(_mm256_cmpgt_epi32(magnitude, all8(0x7f800000)),
                                     _mm256_srai_epi32(v, 31));
   return _mm256_andnot_si256(negative,
                              small8(magnitude, fraction_bits, (31u << fraction_bits) - 1));
}

static ALWAYS_INLINE v8
encode8(const struct format_channel *c, v8 v)
{
   unsigned bits = c->bits;
   uint32_t ones = bits == 32 ? UINT32_MAX : (1u << bits) - 1;
   switch (c->type) {
   case CHANNEL_UNORM:
      return unorm8(v, bits);
   case CHANNEL_SNORM:
      return snorm8(v, bits);
   case CHANNEL_UINT:
      return _mm256_min_epu32(v, all8(ones));
   case CHANNEL_SINT:
      v = _mm256_min_epi32(_mm256_max_epi32(v, all8(~(ones >> 1))), all8(ones >> 1));
      return _mm256_and_si256(v, all8(ones));
   default:
      return float8(v, bits);
   }
}

/* Dwords of eight elements. */
static ALWAYS_INLINE void
pack8(const struct format_info *f, const v8 in[4], v8 out[4])
{
   for (unsigned k = 0; k < 4; k++)
      out[k] = _mm256_setzero_si256();
   for (unsigned i = 0; i < 4; i++) {
      const struct format_channel *c = &f->channel[i];
      if (c->type == CHANNEL_NONE)
         continue;
      v8 *dword = &out[c->start / 32];
      *dword = _mm256_or_si256(
          *dword, _mm256_sll_epi32(encode8(c, in[i]), _mm_cvtsi32_si128(c->start % 32)));
   }
}

#endif
