/* What the paths of texels do with eight numbers beyond arithmetic: lanes that change places,
 * words, loads from anywhere, and products and quotients that are rounded once. Written once for
 * every host, as vector.h. */
#ifndef PERGOLA_VECTOR_LANES_H
#define PERGOLA_VECTOR_LANES_H

#include "machine/vector.h"

/* ---- tests ----------------------------------------------------------------------------------- */

V8 bool
v8i_none(v8i v)
{
#ifdef __AVX2__
   return _mm256_testz_si256((__m256i)v.p[0], (__m256i)v.p[0]);
#else
   v8_wide_i both = (v8_wide_i)(v.p[0] | v.p[1]);
   return !(both[0] | both[1]);
#endif
}
/* Has no bit of a its like in b? */
V8 bool
v8i_apart(v8i a, v8i b)
{
#ifdef __AVX2__
   return _mm256_testz_si256((__m256i)a.p[0], (__m256i)b.p[0]);
#else
   return v8i_none(v8i_and(a, b));
#endif
}
/* All lanes of a mask. */
V8 bool
v8i_every(v8i v)
{
#ifdef __AVX2__
   return _mm256_movemask_epi8((__m256i)v.p[0]) == -1;
#else
   return v8i_none(v8i_not(v));
#endif
}
V8 v8i
v8i_and_not(v8i a, v8i b)
{
#ifdef __AVX2__ /* plain, GCC turns the comparison round that b comes from, which takes longer */
   return (v8i){{(v8_part_i)_mm256_andnot_si256((__m256i)b.p[0], (__m256i)a.p[0])}};
#else
   return V8_EACH(v8i, a.p[k] & ~b.p[k]);
#endif
}
V8 v8f
v8f_and(v8f a, v8i mask)
{
   return v8_as_float(v8i_and(v8_as_int(a), mask));
}
V8 v8f
v8f_xor(v8f a, v8i bits)
{
   return v8_as_float(v8i_xor(v8_as_int(a), bits));
}

/* ---- one lane -------------------------------------------------------------------------------- */

V8 v8i
v8i_of(int a, int b, int c, int d, int e, int f, int g, int h)
{
#ifdef __AVX2__
   return (v8i){{{a, b, c, d, e, f, g, h}}};
#else
   return (v8i){{{a, b, c, d}, {e, f, g, h}}};
#endif
}
V8 int32_t
v8i_lane(v8i v, unsigned n)
{
#ifdef __AVX2__
   if (!__builtin_constant_p(n))
      return _mm256_cvtsi256_si32(
          _mm256_permutevar8x32_epi32((__m256i)v.p[0], _mm256_set1_epi32((int)n)));
   return v.p[0][n];
#else
   return v.p[n / 4][n % 4];
#endif
}
/* Lanes 0 and 4. */
V8 uint32_t
v8i_first_of(v8i v, unsigned half)
{
   return (uint32_t)v8i_lane(v, half ? 4 : 0);
}
/* One for all. */
V8 v8i
v8i_spread(v8i v, unsigned n)
{
#ifdef __AVX2__
   return (v8i){
       {(v8_part_i)_mm256_permutevar8x32_epi32((__m256i)v.p[0], _mm256_set1_epi32((int)n))}};
#else
   return v8i_all(v8i_lane(v, n));
#endif
}
V8 v8f
v8f_spread(v8f v, unsigned n)
{
#ifdef __AVX2__
   return (v8f){{(v8_part_f)_mm256_permutevar8x32_ps((__m256)v.p[0], _mm256_set1_epi32((int)n))}};
#else
   return v8_as_float(v8i_spread(v8_as_int(v), n));
#endif
}
/* Lane 0, 1 or 2 of four for these four. */
V8 v8i
v8i_of_each(v8i v, unsigned n)
{
#ifdef __AVX2__
   __m256i a = (__m256i)v.p[0];
   return (v8i){{(v8_part_i)(n == 0   ? _mm256_shuffle_epi32(a, 0x00)
                             : n == 1 ? _mm256_shuffle_epi32(a, 0x55)
                                      : _mm256_shuffle_epi32(a, 0xaa))}};
#else
   return n == 0   ? V8_EACH(v8i, __builtin_shufflevector(v.p[k], v.p[k], 0, 0, 0, 0))
          : n == 1 ? V8_EACH(v8i, __builtin_shufflevector(v.p[k], v.p[k], 1, 1, 1, 1))
                   : V8_EACH(v8i, __builtin_shufflevector(v.p[k], v.p[k], 2, 2, 2, 2));
#endif
}
V8 v8f
v8f_of_each(v8f v, unsigned n)
{
   return v8_as_float(v8i_of_each(v8_as_int(v), n));
}

/* ---- lanes that change places ---------------------------------------------------------------- */

/* Of each four of a, and the same four of b. */
#ifdef __AVX2__
#define V8_SHUFFLE(name, instruction, ...)                                                         \
   V8 v8i name(v8i a, v8i b)                                                                       \
   {                                                                                               \
      return (v8i){{(v8_part_i)instruction((__m256i)a.p[0], (__m256i)b.p[0])}};                    \
   }
#define V8_EVENS(a, b) _mm256_castps_si256(_mm256_shuffle_ps((__m256)(a), (__m256)(b), 0x88))
#define V8_ODDS(a, b) _mm256_castps_si256(_mm256_shuffle_ps((__m256)(a), (__m256)(b), 0xdd))
#else
#define V8_SHUFFLE(name, instruction, ...)                                                         \
   V8 v8i name(v8i a, v8i b)                                                                       \
   {                                                                                               \
      return V8_EACH(v8i, __builtin_shufflevector(a.p[k], b.p[k], __VA_ARGS__));                   \
   }
#endif
V8_SHUFFLE(v8i_low_pairs, _mm256_unpacklo_epi32, 0, 4, 1, 5)
V8_SHUFFLE(v8i_high_pairs, _mm256_unpackhi_epi32, 2, 6, 3, 7)
V8_SHUFFLE(v8i_low_halves, _mm256_unpacklo_epi64, 0, 1, 4, 5)
V8_SHUFFLE(v8i_high_halves, _mm256_unpackhi_epi64, 2, 3, 6, 7)
V8_SHUFFLE(v8i_near_evens, V8_EVENS, 0, 2, 4, 6)
V8_SHUFFLE(v8i_near_odds, V8_ODDS, 1, 3, 5, 7)

/* The lower four of both, and the upper four. */
V8 v8i
v8i_lower(v8i a, v8i b)
{
#ifdef __AVX2__
   return (v8i){{(v8_part_i)_mm256_permute2x128_si256((__m256i)a.p[0], (__m256i)b.p[0], 0x20)}};
#else
   return (v8i){{a.p[0], b.p[0]}};
#endif
}
V8 v8i
v8i_upper(v8i a, v8i b)
{
#ifdef __AVX2__
   return (v8i){{(v8_part_i)_mm256_permute2x128_si256((__m256i)a.p[0], (__m256i)b.p[0], 0x31)}};
#else
   return (v8i){{a.p[1], b.p[1]}};
#endif
}
/* Pairs 0, 2, 1, 3. */
V8 v8i
v8i_crossed(v8i v)
{
#ifdef __AVX2__
   return (v8i){{(v8_part_i)_mm256_permute4x64_epi64((__m256i)v.p[0], 0xd8)}};
#else
   return (v8i){{__builtin_shufflevector(v.p[0], v.p[1], 0, 1, 4, 5),
                 __builtin_shufflevector(v.p[0], v.p[1], 2, 3, 6, 7)}};
#endif
}
/* Lanes 0, 2, 4, 6 of both, and 1, 3, 5, 7. */
V8 v8i
v8i_evens(v8i a, v8i b)
{
   return v8i_crossed(v8i_near_evens(a, b));
}
V8 v8i
v8i_odds(v8i a, v8i b)
{
   return v8i_crossed(v8i_near_odds(a, b));
}

/* Lane i becomes what lane i + n was, modulo 8. */
V8 v8i
v8i_turned(v8i v, unsigned n)
{
#ifdef __AVX2__
   v8i index = v8i_add(v8i_of(0, 1, 2, 3, 4, 5, 6, 7), v8i_all((int32_t)n));
   return (v8i){{(v8_part_i)_mm256_permutevar8x32_epi32((__m256i)v.p[0], (__m256i)index.p[0])}};
#else
   int32_t twice[16];
   v8i_store(twice, v);
   v8i_store(twice + 8, v);
   return v8i_load(twice + (n & 7));
#endif
}

/* Four lanes from each of two places, and to them. */
V8 v8i
v8i_load_halves(const void *low, const void *high)
{
#ifdef __AVX2__
   return (v8i){{(v8_part_i)_mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(low)),
                                                    _mm_loadu_si128(high), 1)}};
#else
   return (v8i){{*(const v8_part_there *)low, *(const v8_part_there *)high}};
#endif
}
V8 void
v8i_store_halves(void *low, void *high, v8i v)
{
#ifdef __AVX2__
   _mm_storeu_si128(low, _mm256_castsi256_si128((__m256i)v.p[0]));
   _mm_storeu_si128(high, _mm256_extracti128_si256((__m256i)v.p[0], 1));
#else
   *(v8_part_there *)low = v.p[0];
   *(v8_part_there *)high = v.p[1];
#endif
}
/* Two from each of four places. */
V8 v8i
v8i_load_quarters(const void *a, const void *b, const void *c, const void *d)
{
#ifdef __AVX2__
   return (v8i){
       {(v8_part_i)_mm256_set_m128i(_mm_unpacklo_epi64(_mm_loadl_epi64(c), _mm_loadl_epi64(d)),
                                    _mm_unpacklo_epi64(_mm_loadl_epi64(a), _mm_loadl_epi64(b)))}};
#else
   int64_t pair[4];
   __builtin_memcpy(&pair[0], a, 8);
   __builtin_memcpy(&pair[1], b, 8);
   __builtin_memcpy(&pair[2], c, 8);
   __builtin_memcpy(&pair[3], d, 8);
   return (v8i){
       {(v8_part_i)(v8_wide_i){pair[0], pair[1]}, (v8_part_i)(v8_wide_i){pair[2], pair[3]}}};
#endif
}
/* The same four for both. */
V8 v8i
v8i_load_twice(const void *p)
{
#ifdef __AVX2__
   return (v8i){{(v8_part_i)_mm256_broadcastsi128_si256(_mm_loadu_si128(p))}};
#else
   return v8i_load_halves(p, p);
#endif
}

/* ---- loads from anywhere --------------------------------------------------------------------- */

V8 int32_t
v8_dword(const uint8_t *p)
{
   int32_t v;
   __builtin_memcpy(&v, p, 4);
   return v;
}

/* Dwords at distances below 2^32: single loads, since many hosts do them sooner than a gather. */
V8 v8i
v8i_fetch(const uint8_t *host, v8i at)
{
#ifdef __AVX2__
   v8_wide_u two = (v8_wide_u)at.p[0];
   uint64_t a = two[0], b = two[1], c = two[2], d = two[3];
   return v8i_of(v8_dword(host + (uint32_t)a), v8_dword(host + (a >> 32)),
                 v8_dword(host + (uint32_t)b), v8_dword(host + (b >> 32)),
                 v8_dword(host + (uint32_t)c), v8_dword(host + (c >> 32)),
                 v8_dword(host + (uint32_t)d), v8_dword(host + (d >> 32)));
#else
   v8_wide_u low = (v8_wide_u)at.p[0], high = (v8_wide_u)at.p[1];
   uint64_t a = low[0], b = low[1], c = high[0], d = high[1];
   return v8i_of(v8_dword(host + (uint32_t)a), v8_dword(host + (a >> 32)),
                 v8_dword(host + (uint32_t)b), v8_dword(host + (b >> 32)),
                 v8_dword(host + (uint32_t)c), v8_dword(host + (c >> 32)),
                 v8_dword(host + (uint32_t)d), v8_dword(host + (d >> 32)));
#endif
}
/* The same for distances that lie in memory: a load each, where they would be taken out of the
 * vector. */
V8 v8i
v8i_fetch_by(const uint8_t *host, const uint32_t at[8])
{
   return v8i_of(v8_dword(host + at[0]), v8_dword(host + at[1]), v8_dword(host + at[2]),
                 v8_dword(host + at[3]), v8_dword(host + at[4]), v8_dword(host + at[5]),
                 v8_dword(host + at[6]), v8_dword(host + at[7]));
}
/* Lanes that are off stay zero, and their places are not looked at. */
V8 v8i
v8i_gather_some(const uint8_t *p, v8i at, v8i on)
{
#ifdef __AVX2__
   return (v8i){
       {(v8_part_i)_mm256_mask_i32gather_epi32(_mm256_setzero_si256(), (const int *)(const void *)p,
                                               (__m256i)at.p[0], (__m256i)on.p[0], 1)}};
#else
   int32_t v[8], place[8];
   uint32_t left = v8i_signs(on);
   v8i_store(v, v8i_all(0));
   v8i_store(place, at);
   for (; left; left &= left - 1)
      v[__builtin_ctz(left)] = v8_dword(p + place[__builtin_ctz(left)]);
   return v8i_load(v);
#endif
}

/* The same at host addresses, and so many bytes behind them. */
V8 v8i
v8i_gather_wide(uintptr_t behind, v8l at, v8i on)
{
#ifdef __AVX2__
   __m128i part[2];
   for (unsigned h = 0; h < 2; h++)
      part[h] =
          _mm256_mask_i64gather_epi32(_mm_setzero_si128(), (const int *)behind, (__m256i)at.p[h],
                                      h ? _mm256_extracti128_si256((__m256i)on.p[0], 1)
                                        : _mm256_castsi256_si128((__m256i)on.p[0]),
                                      1);
   return (v8i){{(v8_part_i)_mm256_set_m128i(part[1], part[0])}};
#else
   int32_t v[8];
   uint64_t place[8];
   uint32_t left = v8i_signs(on);
   v8i_store(v, v8i_all(0));
   v8l_store(place, at);
   for (; left; left &= left - 1) {
      unsigned i = (unsigned)__builtin_ctz(left);
      v[i] = v8_dword((const uint8_t *)(uintptr_t)place[i] + behind);
   }
   return v8i_load(v);
#endif
}

/* ---- words: sixteen numbers of 16 bits ------------------------------------------------------- */

typedef int16_t v8_part_w __attribute__((vector_size(4 * V8_LANES)));
typedef uint16_t v8_part_uw __attribute__((vector_size(4 * V8_LANES)));

#define V8_WORD2(name, operator)                                                                   \
   V8 v8i name(v8i a, v8i b)                                                                       \
   {                                                                                               \
      return V8_EACH(v8i, (v8_part_i)((v8_part_uw)a.p[k] operator(v8_part_uw) b.p[k]));            \
   }
V8_WORD2(v8w_add, +)
V8_WORD2(v8w_sub, -)
V8_WORD2(v8w_mul, *)

V8 v8i
v8w_shr_by(v8i a, int n)
{
   return V8_EACH(v8i, (v8_part_i)((v8_part_uw)a.p[k] >> n));
}
/* The even words of a, the odd ones of b. */
V8 v8i
v8w_mixed(v8i a, v8i b)
{
#ifdef __AVX2__
   return (v8i){{(v8_part_i)_mm256_blend_epi16((__m256i)a.p[0], (__m256i)b.p[0], 0xaa)}};
#else
   return v8i_or(v8i_and(a, v8i_all(0xffff)), v8i_and_not(b, v8i_all(0xffff)));
#endif
}
/* Products of signed words, added in pairs. */
V8 v8i
v8w_dot(v8i a, v8i b)
{
#if defined __AVX2__
   return (v8i){{(v8_part_i)_mm256_madd_epi16((__m256i)a.p[0], (__m256i)b.p[0])}};
#elif defined __SSE2__
   return V8_EACH(v8i, (v8_part_i)_mm_madd_epi16((__m128i)a.p[k], (__m128i)b.p[k]));
#else
   v8i low = v8i_mul(v8i_asr_by(v8i_shl_by(a, 16), 16), v8i_asr_by(v8i_shl_by(b, 16), 16));
   return v8i_add(low, v8i_mul(v8i_asr_by(a, 16), v8i_asr_by(b, 16)));
#endif
}
/* Unsigned bytes of a by signed ones of b, not negative; products added in pairs become words. */
V8 v8i
v8w_dot_bytes(v8i a, v8i b)
{
#ifdef __AVX2__
   return (v8i){{(v8_part_i)_mm256_maddubs_epi16((__m256i)a.p[0], (__m256i)b.p[0])}};
#else
   v8i even = v8i_all(0x00ff00ff);
   return v8w_add(v8w_mul(v8i_and(a, even), v8i_and(b, even)),
                  v8w_mul(v8w_shr_by(a, 8), v8w_shr_by(b, 8)));
#endif
}

/* ---- floats ---------------------------------------------------------------------------------- */

/* As the host multiplies: where results are not tiny, or are not flushed. v8f_mul is for others. */
V8 v8f
v8f_times(v8f a, v8f b)
{
   return V8_EACH(v8f, a.p[k] * b.p[k]);
}
/* a * b + c, rounded once or twice. */
V8 v8f
v8f_about(v8f a, v8f b, v8f c)
{
#ifdef __AVX2__
   return v8f_fused(a, b, c, true);
#else
   return v8f_add(v8f_times(a, b), c);
#endif
}
V8 v8f
v8f_over(v8f a, v8f b)
{
   return V8_EACH(v8f, a.p[k] / b.p[k]);
}
V8 v8f
v8f_sqrt(v8f a)
{
#if defined __AVX2__
   return (v8f){{(v8_part_f)_mm256_sqrt_ps((__m256)a.p[0])}};
#elif defined __SSE2__
   return V8_EACH(v8f, (v8_part_f)_mm_sqrt_ps((__m128)a.p[k]));
#else
   return V8_EACH(v8f, ((v8_part_f){__builtin_sqrtf(a.p[k][0]), __builtin_sqrtf(a.p[k][1]),
                                    __builtin_sqrtf(a.p[k][2]), __builtin_sqrtf(a.p[k][3])}));
#endif
}
/* Down to a whole number that fits; of others, any. */
V8 v8i
v8f_floor(v8f a)
{
#ifdef __AVX2__
   return v8f_truncate(v8f_integral(a, 2));
#else
   v8i r = V8_EACH(v8i, __builtin_convertvector(a.p[k], v8_part_i));
   return v8i_add(r, v8f_less(a, v8i_to_float(r)));
#endif
}
V8 v8d
v8i_to_double(v8i a)
{
#ifdef __AVX2__
   __m256i v = (__m256i)a.p[0];
   return (v8d){{(v8_wide_d)_mm256_cvtepi32_pd(_mm256_castsi256_si128(v)),
                 (v8_wide_d)_mm256_cvtepi32_pd(_mm256_extracti128_si256(v, 1))}};
#else
   return V8_EACH(v8d, ((v8_wide_d){a.p[k / 2][k % 2 * 2], a.p[k / 2][k % 2 * 2 + 1]}));
#endif
}

/* Toward zero; of what does not fit, any. */
V8 v8i
v8d_truncate(v8d a)
{
#if defined __AVX2__
   return (v8i){{(v8_part_i)_mm256_set_m128i(_mm256_cvttpd_epi32((__m256d)a.p[1]),
                                             _mm256_cvttpd_epi32((__m256d)a.p[0]))}};
#elif defined __SSE2__
   return V8_EACH(v8i, (v8_part_i)_mm_unpacklo_epi64(_mm_cvttpd_epi32((__m128d)a.p[2 * k]),
                                                     _mm_cvttpd_epi32((__m128d)a.p[2 * k + 1])));
#else
   return v8l_dwords(V8_EACH(v8l, __builtin_convertvector(a.p[k], v8_wide_i)), false);
#endif
}
/* The whole number that is nearest to a * by, of at most 23 bits and not negative, in the lowest
 * bits: those above are the exponent's on some hosts. To be asked where the host rounds to nearest.
 */
V8 v8i
v8f_code(v8f a, float by)
{
#ifdef __AVX2__ /* the last bit of a float of 2^23 is 1 */
   return v8_as_int(v8f_fused(a, v8f_all(by), v8f_all(8388608.0f), true));
#else /* the product is exact in a double */
   v8d x = v8f_widen(a);
   return v8l_dwords(V8_EACH(v8l, (v8_wide_i)(x.p[k] * by + 0x1p52)), false);
#endif
}
/* A code of at most 16 bits, or of 24, over the greatest, rounded once; by: the reciprocal. The
 * product with that is at most a place off, which what is left tells. No quotient lies halfway
 * between two floats. */
V8 v8f
v8f_of_code(v8i code, float greatest, float by)
{
   v8f f = v8i_to_float(code);
#ifdef __AVX2__
   __m256 v = (__m256)f.p[0], reciprocal = _mm256_set1_ps(by), q = _mm256_mul_ps(v, reciprocal);
   __m256 left = _mm256_fnmadd_ps(q, _mm256_set1_ps(greatest), v);
   return (v8f){{(v8_part_f)_mm256_fmadd_ps(left, reciprocal, q)}};
#else
   (void)by;
   return v8f_over(f, v8f_all(greatest));
#endif
}
/* A whole number of at most 24 bits over another one, a constant, rounded once: the reciprocal in
 * two floats. What is left out is of 2^-48, and no quotient by 255 of numbers of 24 bits comes so
 * near to the middle between two floats. */
V8 v8f
v8f_part_of(v8i whole, float by)
{
   v8f f = v8i_to_float(whole);
#ifdef __AVX2__
   const float high = (float)(1.0 / by), low = (float)(1.0 / by - (double)high);
   return v8f_fused(f, v8f_all(high), v8f_times(f, v8f_all(low)), true);
#else
   return v8f_over(f, v8f_all(by));
#endif
}
#ifndef __AVX2__
/* Apart: it is asked in many places, by formats that are seldom met. */
static __attribute__((noinline, unused)) void
v8_scale(const float f[8], uint32_t by, int32_t r[8])
{
   for (unsigned c = 0; c < 8; c++) { /* product and rest are exact */
      double product = (double)f[c] * by;
      int64_t whole = (int64_t)product;
      double rest = product - (double)whole, size = rest < 0 ? -rest : rest;
      if (size > 0.5 || (size == 0.5 && whole & 1))
         whole += rest < 0 ? -1 : 1;
      r[c] = (int32_t)whole;
   }
}
#endif
/* The whole numbers nearest to a * by, in any mode of the host. */
V8 v8i
v8f_scaled(v8f a, uint32_t by)
{
#ifdef __AVX2__
   enum { NEAREST = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC };
   v8d x = v8f_widen(a);
   return v8d_truncate(
       V8_EACH(v8d, (v8_wide_d)_mm256_round_pd((__m256d)(x.p[k] * (double)by), NEAREST)));
#else
   int32_t r[8];
   float f[8];
   v8i_store(f, v8_as_int(a));
   v8_scale(f, by, r);
   return v8i_load(r);
#endif
}

#endif
