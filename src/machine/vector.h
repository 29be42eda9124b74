/* Eight numbers of 32 bits side by side, written once for every host.
 *
 * A vector is one host vector of 256 bits where the file is compiled for AVX2, else two of 128, as
 * SSE2 and AArch64 have them. Operations are the compiler's own on vectors; those that AVX2 does by
 * one instruction that the compiler does not find are named in it. Results are the same bits
 * everywhere, in the modes of eu/fpmode.h. */
#ifndef PERGOLA_VECTOR_H
#define PERGOLA_VECTOR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif
#ifdef __AVX2__
#define V8_PARTS 1
#else
#define V8_PARTS 2
#endif
#define V8_LANES (8 / V8_PARTS) /* of a part */

typedef int32_t v8_part_i __attribute__((vector_size(4 * V8_LANES)));
typedef uint32_t v8_part_u __attribute__((vector_size(4 * V8_LANES)));
typedef float v8_part_f __attribute__((vector_size(4 * V8_LANES)));
typedef struct {
   v8_part_i p[V8_PARTS];
} v8i;
typedef struct {
   v8_part_f p[V8_PARTS];
} v8f;

/* Doubles of eight numbers, in parts of half as many lanes. */
#define V8_WIDE_PARTS (2 * V8_PARTS)
#define V8_WIDE_LANES (V8_LANES / 2)
typedef double v8_wide_d __attribute__((vector_size(8 * V8_WIDE_LANES)));
typedef int64_t v8_wide_i __attribute__((vector_size(8 * V8_WIDE_LANES)));
typedef uint64_t v8_wide_u __attribute__((vector_size(8 * V8_WIDE_LANES)));
typedef struct {
   v8_wide_d p[V8_WIDE_PARTS];
} v8d;
typedef struct {
   v8_wide_i p[V8_WIDE_PARTS];
} v8l;

#define V8 static inline __attribute__((always_inline))

/* `value` of every part `k`, written out: a loop hides from the compiler that these are registers.
 */
#define V8_EACH(type, value)                                                                       \
   ({                                                                                              \
      type v8_r;                                                                                   \
      V8_PART(0, value)                                                                            \
      V8_PART(1, value)                                                                            \
      V8_PART(2, value)                                                                            \
      V8_PART(3, value)                                                                            \
      v8_r;                                                                                        \
   })
#define V8_COUNT (sizeof(v8_r.p) / sizeof(v8_r.p[0]))
#define V8_PART(n, value)                                                                          \
   if (n < V8_COUNT) {                                                                             \
      enum { k = n < V8_COUNT ? n : 0 };                                                           \
      v8_r.p[k] = (value);                                                                         \
   }

/* ---- in and out ------------------------------------------------------------------------------ */

/* Parts as they lie in memory, at any alignment. A copy by memcpy would be made of pieces. */
typedef int32_t v8_part_there __attribute__((vector_size(4 * V8_LANES), aligned(1), may_alias));
typedef int64_t v8_wide_there
    __attribute__((vector_size(8 * V8_WIDE_LANES), aligned(1), may_alias));

V8 v8i
v8i_load(const void *p)
{
   return V8_EACH(v8i, ((const v8_part_there *)p)[k]);
}
V8 void
v8i_store(void *p, v8i v)
{
   ((v8_part_there *)p)[0] = v.p[0];
#if V8_PARTS > 1
   ((v8_part_there *)p)[1] = v.p[1];
#endif
}
V8 v8i
v8i_all(int32_t n)
{
   return V8_EACH(v8i, n + (v8_part_i){0});
}
V8 v8f
v8f_all(float f)
{
#ifdef __AVX2__
   return (v8f){{(v8_part_f)_mm256_set1_ps(f)}};
#else
   union {
      float f;
      int32_t i;
   } bits = {.f = f};
   return V8_EACH(v8f, (v8_part_f)(bits.i + (v8_part_i){0}));
#endif
}
V8 v8f
v8_as_float(v8i v)
{
   return V8_EACH(v8f, (v8_part_f)v.p[k]);
}
V8 v8i
v8_as_int(v8f v)
{
   return V8_EACH(v8i, (v8_part_i)v.p[k]);
}

/* Eight numbers in a row, made dwords. */
#define V8_CONVERT(name, from)                                                                     \
   V8 v8i name(const void *p)                                                                      \
   {                                                                                               \
      typedef from part __attribute__((vector_size(sizeof(from) * V8_LANES)));                     \
      part v[V8_PARTS];                                                                            \
      __builtin_memcpy(v, p, sizeof(v));                                                           \
      return V8_EACH(v8i, __builtin_convertvector(v[k], v8_part_i));                               \
   }
#ifdef __AVX2__
V8 v8i
v8i_load_words(const void *p)
{
   return (v8i){{(v8_part_i)_mm256_cvtepi16_epi32(_mm_loadu_si128(p))}};
}
V8 v8i
v8i_load_uwords(const void *p)
{
   return (v8i){{(v8_part_i)_mm256_cvtepu16_epi32(_mm_loadu_si128(p))}};
}
V8 v8i
v8i_load_bytes(const void *p)
{
   return (v8i){{(v8_part_i)_mm256_cvtepi8_epi32(_mm_loadl_epi64(p))}};
}
V8 v8i
v8i_load_ubytes(const void *p)
{
   return (v8i){{(v8_part_i)_mm256_cvtepu8_epi32(_mm_loadl_epi64(p))}};
}
#else
V8_CONVERT(v8i_load_words, int16_t)
V8_CONVERT(v8i_load_uwords, uint16_t)
V8_CONVERT(v8i_load_bytes, int8_t)
V8_CONVERT(v8i_load_ubytes, uint8_t)
#endif

/* The low words of eight dwords, in a row. */
V8 void
v8i_store_words(void *p, v8i v)
{
#ifdef __AVX2__
   const __m256i low = _mm256_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, -1, -1, -1, -1, -1, -1, -1, -1, 0,
                                        1, 4, 5, 8, 9, 12, 13, -1, -1, -1, -1, -1, -1, -1, -1);
   __m256i packed = _mm256_permute4x64_epi64(_mm256_shuffle_epi8((__m256i)v.p[0], low), 0x08);
   _mm_storeu_si128(p, _mm256_castsi256_si128(packed));
#else
   typedef int16_t words __attribute__((vector_size(2 * V8_LANES)));
   for (unsigned k = 0; k < V8_PARTS; k++) {
      words w = __builtin_convertvector(v.p[k], words);
      __builtin_memcpy((uint8_t *)p + k * sizeof(w), &w, sizeof(w));
   }
#endif
}

/* Dwords of the 32 bytes at p; of an index the low three bits count. */
V8 v8i
v8i_permute(const uint8_t *p, v8i index)
{
#ifdef __AVX2__
   return (v8i){{(v8_part_i)_mm256_permutevar8x32_epi32(_mm256_loadu_si256((const void *)p),
                                                        (__m256i)index.p[0])}};
#else
   int32_t v[8];
   uint32_t at[8];
   v8i_store(at, index);
   for (unsigned c = 0; c < 8; c++)
      __builtin_memcpy(&v[c], p + 4 * (at[c] & 7), 4);
   return v8i_load(v);
#endif
}

/* Bytes of the 16 at p, four for each dword; a place with its upper bit set gives 0. */
V8 v8i
v8i_near(const uint8_t *p, v8i places)
{
#ifdef __AVX2__
   __m256i all = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)p));
   return (v8i){{(v8_part_i)_mm256_shuffle_epi8(all, (__m256i)places.p[0])}};
#else
   uint8_t v[32], at[32];
   v8i_store(at, places);
   for (unsigned c = 0; c < 32; c++)
      v[c] = at[c] & 0x80 ? 0 : p[at[c] & 15];
   return v8i_load(v);
#endif
}

/* Dwords at byte offsets. */
V8 v8i
v8i_gather(const uint8_t *p, v8i offset)
{
#ifdef __AVX2__
   return (v8i){
       {(v8_part_i)_mm256_i32gather_epi32((const int *)(const void *)p, (__m256i)offset.p[0], 1)}};
#else
   int32_t v[8], at[8];
   v8i_store(at, offset);
   for (unsigned c = 0; c < 8; c++)
      __builtin_memcpy(&v[c], p + at[c], 4);
   return v8i_load(v);
#endif
}

/* ---- masks ----------------------------------------------------------------------------------- */

/* A lane of a mask is all ones or zero; the functions that take one look at its sign alone where
 * that is cheaper. Lane k from bit k. */
V8 v8i
v8i_mask(uint32_t bits)
{
#ifdef __AVX2__
   return (v8i){{(v8_part_i)_mm256_sllv_epi32(_mm256_set1_epi32((int)bits),
                                              _mm256_setr_epi32(31, 30, 29, 28, 27, 26, 25, 24))}};
#else
   const v8_part_i bit[2] = {{1, 2, 4, 8}, {16, 32, 64, 128}};
   return V8_EACH(v8i, (v8_part_i)(((int32_t)bits & bit[k]) != 0));
#endif
}

/* The same, all ones or zero for certain. */
V8 v8i
v8i_whole_mask(uint32_t bits)
{
   v8i v = v8i_mask(bits);
   return V8_EACH(v8i, v.p[k] >> 31);
}

/* Bit k from the sign of lane k. */
V8 uint32_t
v8i_signs(v8i v)
{
#ifdef __AVX2__
   return (uint32_t)_mm256_movemask_ps((__m256)v.p[0]);
#elif defined __SSE2__
   return (uint32_t)(_mm_movemask_ps((__m128)v.p[0]) | _mm_movemask_ps((__m128)v.p[1]) << 4);
#else
   const v8_part_i bit[2] = {{1, 2, 4, 8}, {16, 32, 64, 128}};
   v8_part_i m = ((v.p[0] >> 31) & bit[0]) | ((v.p[1] >> 31) & bit[1]);
   return (uint32_t)(m[0] | m[1] | m[2] | m[3]);
#endif
}

V8 v8i
v8i_choose(v8i mask, v8i yes, v8i no)
{
#ifdef __AVX2__
   return (v8i){
       {(v8_part_i)_mm256_blendv_ps((__m256)no.p[0], (__m256)yes.p[0], (__m256)mask.p[0])}};
#else
   return V8_EACH(v8i, (yes.p[k] & mask.p[k]) | (no.p[k] & ~mask.p[k]));
#endif
}
/* The sign of a lane chooses. */
V8 v8i
v8i_choose_by_sign(v8i v, v8i yes, v8i no)
{
#ifdef __AVX2__
   return v8i_choose(v, yes, no);
#else
   return v8i_choose(V8_EACH(v8i, v.p[k] >> 31), yes, no);
#endif
}
V8 v8f
v8f_choose(v8i mask, v8f yes, v8f no)
{
   return v8_as_float(v8i_choose(mask, v8_as_int(yes), v8_as_int(no)));
}

/* Dwords in a row where the mask is set. */
V8 void
v8i_store_masked(void *p, uint32_t bits, v8i v)
{
#ifdef __AVX2__
   _mm256_maskstore_epi32(p, (__m256i)v8i_mask(bits).p[0], (__m256i)v.p[0]);
#else
   v8i_store(p, v8i_choose(v8i_mask(bits), v, v8i_load(p)));
#endif
}

/* ---- integers -------------------------------------------------------------------------------- */

#define V8_INT2(name, value)                                                                       \
   V8 v8i name(v8i a, v8i b)                                                                       \
   {                                                                                               \
      return V8_EACH(v8i, value);                                                                  \
   }
V8_INT2(v8i_add, (v8_part_i)((v8_part_u)a.p[k] + (v8_part_u)b.p[k]))
V8_INT2(v8i_sub, (v8_part_i)((v8_part_u)a.p[k] - (v8_part_u)b.p[k]))
V8_INT2(v8i_mul, (v8_part_i)((v8_part_u)a.p[k] * (v8_part_u)b.p[k]))
V8_INT2(v8i_and, a.p[k] & b.p[k])
V8_INT2(v8i_or, a.p[k] | b.p[k])
V8_INT2(v8i_xor, a.p[k] ^ b.p[k])
V8_INT2(v8i_equal, (v8_part_i)(a.p[k] == b.p[k]))
V8_INT2(v8i_more, (v8_part_i)(a.p[k] > b.p[k]))
/* Counts below 32. */
V8_INT2(v8i_shl, (v8_part_i)((v8_part_u)a.p[k] << (v8_part_u)b.p[k]))
V8_INT2(v8i_shr, (v8_part_i)((v8_part_u)a.p[k] >> (v8_part_u)b.p[k]))
V8_INT2(v8i_asr, a.p[k] >> b.p[k])

V8 v8i
v8i_shl_by(v8i a, int n)
{
   return V8_EACH(v8i, (v8_part_i)((v8_part_u)a.p[k] << n));
}
V8 v8i
v8i_shr_by(v8i a, int n)
{
   return V8_EACH(v8i, (v8_part_i)((v8_part_u)a.p[k] >> n));
}
V8 v8i
v8i_asr_by(v8i a, int n)
{
   return V8_EACH(v8i, a.p[k] >> n);
}
V8 v8i
v8i_not(v8i a)
{
   return V8_EACH(v8i, ~a.p[k]);
}
/* Unsigned numbers in the order of signed ones. */
V8 v8i
v8u_order(v8i a)
{
   return v8i_xor(a, v8i_all(INT32_MIN));
}
#ifdef __AVX2__
#define V8_LEAST(name, instruction, less)                                                          \
   V8 v8i name(v8i a, v8i b)                                                                       \
   {                                                                                               \
      return (v8i){{(v8_part_i)instruction((__m256i)a.p[0], (__m256i)b.p[0])}};                    \
   }
#else
#define V8_LEAST(name, instruction, less)                                                          \
   V8 v8i name(v8i a, v8i b)                                                                       \
   {                                                                                               \
      return v8i_choose(less, a, b);                                                               \
   }
#endif
V8_LEAST(v8i_min, _mm256_min_epi32, v8i_more(b, a))
V8_LEAST(v8i_max, _mm256_max_epi32, v8i_more(a, b))
V8_LEAST(v8u_min, _mm256_min_epu32, v8i_more(v8u_order(b), v8u_order(a)))
V8_LEAST(v8u_max, _mm256_max_epu32, v8i_more(v8u_order(a), v8u_order(b)))

/* Unsigned. */
V8 v8i
v8u_at_most(v8i a, v8i b)
{
#ifdef __AVX2__
   return v8i_equal(v8u_min(a, b), a);
#else
   return v8i_not(v8i_more(v8u_order(a), v8u_order(b)));
#endif
}

V8 v8i
v8i_abs(v8i a)
{
#ifdef __AVX2__
   return (v8i){{(v8_part_i)_mm256_abs_epi32((__m256i)a.p[0])}};
#else
   v8i sign = v8i_asr_by(a, 31);
   return v8i_sub(v8i_xor(a, sign), sign);
#endif
}

/* ---- 64 bits --------------------------------------------------------------------------------- */

V8 v8l
v8l_load(const void *p)
{
   return V8_EACH(v8l, ((const v8_wide_there *)p)[k]);
}
V8 void
v8l_store(void *p, v8l v)
{
   ((v8_wide_there *)p)[0] = v.p[0];
   ((v8_wide_there *)p)[1] = v.p[1];
#if V8_WIDE_PARTS > 2
   ((v8_wide_there *)p)[2] = v.p[2];
   ((v8_wide_there *)p)[3] = v.p[3];
#endif
}
V8 v8l
v8l_add(v8l a, v8l b)
{
   return V8_EACH(v8l, (v8_wide_i)((v8_wide_u)a.p[k] + (v8_wide_u)b.p[k]));
}
V8 v8l
v8l_shl_by(v8l a, int n)
{
   return V8_EACH(v8l, (v8_wide_i)((v8_wide_u)a.p[k] << n));
}

V8 v8l
v8u_widen(v8i a)
{
#ifdef __AVX2__
   __m256i v = (__m256i)a.p[0];
   return (v8l){{(v8_wide_i)_mm256_cvtepu32_epi64(_mm256_castsi256_si128(v)),
                 (v8_wide_i)_mm256_cvtepu32_epi64(_mm256_extracti128_si256(v, 1))}};
#else
   return V8_EACH(
       v8l, ((v8_wide_i){(uint32_t)a.p[k / 2][k % 2 * 2], (uint32_t)a.p[k / 2][k % 2 * 2 + 1]}));
#endif
}
V8 v8l
v8i_widen(v8i a)
{
#ifdef __AVX2__
   __m256i v = (__m256i)a.p[0];
   return (v8l){{(v8_wide_i)_mm256_cvtepi32_epi64(_mm256_castsi256_si128(v)),
                 (v8_wide_i)_mm256_cvtepi32_epi64(_mm256_extracti128_si256(v, 1))}};
#else
   return V8_EACH(v8l, ((v8_wide_i){a.p[k / 2][k % 2 * 2], a.p[k / 2][k % 2 * 2 + 1]}));
#endif
}
/* Products of dwords, whole. */
V8 v8l
v8i_product(v8i a, v8i b, bool is_signed)
{
#ifdef __AVX2__
   v8l x = v8u_widen(a), y = v8u_widen(b);
   return V8_EACH(v8l, (v8_wide_i)(is_signed ? _mm256_mul_epi32((__m256i)x.p[k], (__m256i)y.p[k])
                                             : _mm256_mul_epu32((__m256i)x.p[k], (__m256i)y.p[k])));
#else
   v8l x = is_signed ? v8i_widen(a) : v8u_widen(a), y = is_signed ? v8i_widen(b) : v8u_widen(b);
   return V8_EACH(v8l, (v8_wide_i)((v8_wide_u)x.p[k] * (v8_wide_u)y.p[k]));
#endif
}
/* The upper or lower dwords of quadwords. */
V8 v8i
v8l_dwords(v8l v, bool upper)
{
#ifdef __AVX2__
   __m256 a = (__m256)v.p[0], b = (__m256)v.p[1];
   __m256 mixed = upper ? _mm256_shuffle_ps(a, b, 0xdd) : _mm256_shuffle_ps(a, b, 0x88);
   return (v8i){{(v8_part_i)_mm256_permute4x64_epi64((__m256i)mixed, 0xd8)}};
#else
   v8_part_i d[4] = {(v8_part_i)v.p[0], (v8_part_i)v.p[1], (v8_part_i)v.p[2], (v8_part_i)v.p[3]};
   if (upper)
      return V8_EACH(v8i, __builtin_shufflevector(d[2 * k], d[2 * k + 1], 1, 3, 5, 7));
   return V8_EACH(v8i, __builtin_shufflevector(d[2 * k], d[2 * k + 1], 0, 2, 4, 6));
#endif
}
V8 void
v8l_store_masked(void *p, uint32_t bits, v8l v)
{
#ifdef __AVX2__
   v8l on = v8i_widen(v8i_mask(bits));
   for (unsigned k = 0; k < V8_WIDE_PARTS; k++)
      _mm256_maskstore_epi64((long long *)p + 4 * k, (__m256i)on.p[k], (__m256i)v.p[k]);
#else
   v8l on = v8i_widen(v8i_mask(bits)), old = v8l_load(p);
   v8l_store(p, V8_EACH(v8l, (v.p[k] & on.p[k]) | (old.p[k] & ~on.p[k])));
#endif
}

/* ---- floats ---------------------------------------------------------------------------------- */

#define V8_COMPARE(name, operator)                                                                 \
   V8 v8i name(v8f a, v8f b)                                                                       \
   {                                                                                               \
      return V8_EACH(v8i, (v8_part_i)(a.p[k] operator b.p[k]));                                    \
   }
V8_COMPARE(v8f_equal, ==)
V8_COMPARE(v8f_differs, !=) /* also what is no number */
V8_COMPARE(v8f_less, <)
V8_COMPARE(v8f_at_most, <=)
V8_COMPARE(v8f_more, >)
V8_COMPARE(v8f_at_least, >=)

V8 v8i
v8f_nan(v8f a)
{
   return v8f_differs(a, a);
}

/* The greater or the lesser; b if they cannot be compared. */
V8 v8f
v8f_max(v8f a, v8f b)
{
#ifdef __AVX2__
   return (v8f){{(v8_part_f)_mm256_max_ps((__m256)a.p[0], (__m256)b.p[0])}};
#else
   return v8f_choose(v8f_more(a, b), a, b);
#endif
}
V8 v8f
v8f_min(v8f a, v8f b)
{
#ifdef __AVX2__
   return (v8f){{(v8_part_f)_mm256_min_ps((__m256)a.p[0], (__m256)b.p[0])}};
#else
   return v8f_choose(v8f_less(a, b), a, b);
#endif
}

/* Denormals to zeros of their sign. */
V8 v8f
v8f_flushed(v8f v)
{
   v8i tiny = v8i_equal(v8i_and(v8_as_int(v), v8i_all(0x7f800000)), v8i_all(0));
   return v8_as_float(v8i_and(v8_as_int(v), v8i_not(v8i_shr_by(tiny, 1)))); /* all but the sign */
}

V8 v8f
v8f_add(v8f a, v8f b)
{
   return V8_EACH(v8f, a.p[k] + b.p[k]);
}
V8 v8f
v8f_sub(v8f a, v8f b)
{
   return V8_EACH(v8f, a.p[k] - b.p[k]);
}

#ifndef __AVX2__
/* One half of a part, and both put together. */
V8 v8_wide_d
v8_wide_of(v8_part_f v, unsigned half)
{
#ifdef __SSE2__
   return (v8_wide_d)_mm_cvtps_pd(half ? _mm_movehl_ps((__m128)v, (__m128)v) : (__m128)v);
#else
   return half ? (v8_wide_d){v[2], v[3]} : (v8_wide_d){v[0], v[1]};
#endif
}
V8 v8_part_f
v8_part_of(v8_wide_d low, v8_wide_d high)
{
#ifdef __SSE2__
   return (v8_part_f)_mm_movelh_ps(_mm_cvtpd_ps((__m128d)low), _mm_cvtpd_ps((__m128d)high));
#else
   return (v8_part_f){(float)low[0], (float)low[1], (float)high[0], (float)high[1]};
#endif
}
#endif

V8 v8d
v8f_widen(v8f a)
{
#ifdef __AVX2__
   return (v8d){{(v8_wide_d)_mm256_cvtps_pd(_mm256_castps256_ps128((__m256)a.p[0])),
                 (v8_wide_d)_mm256_cvtps_pd(_mm256_extractf128_ps((__m256)a.p[0], 1))}};
#else
   return V8_EACH(v8d, v8_wide_of(a.p[k / 2], k % 2));
#endif
}

/* Doubles to floats as they come. */
V8 v8f
v8d_to_float(v8d a)
{
#ifdef __AVX2__
   return (v8f){{(v8_part_f)_mm256_set_m128(_mm256_cvtpd_ps((__m256d)a.p[1]),
                                            _mm256_cvtpd_ps((__m256d)a.p[0]))}};
#else
   return (v8f){{v8_part_of(a.p[0], a.p[1]), v8_part_of(a.p[2], a.p[3])}};
#endif
}

/* Of each four, the sum of the first `terms`, one after the other, in all four. */
V8 v8d
v8d_sums(v8d v, unsigned terms)
{
#ifdef __AVX2__
   __m256d even = _mm256_unpacklo_pd((__m256d)v.p[0], (__m256d)v.p[1]),
           odd = _mm256_unpackhi_pd((__m256d)v.p[0], (__m256d)v.p[1]);
   __m128d sum = _mm_add_pd(_mm256_castpd256_pd128(even), _mm256_castpd256_pd128(odd));
   if (terms > 2)
      sum = _mm_add_pd(sum, _mm256_extractf128_pd(even, 1));
   if (terms > 3)
      sum = _mm_add_pd(sum, _mm256_extractf128_pd(odd, 1));
   return (v8d){{(v8_wide_d)_mm256_broadcastsd_pd(sum),
                 (v8_wide_d)_mm256_broadcastsd_pd(_mm_unpackhi_pd(sum, sum))}};
#else
   v8d r;
   for (unsigned g = 0; g < 2; g++) {
      double sum = v.p[2 * g][0] + v.p[2 * g][1];
      if (terms > 2)
         sum += v.p[2 * g + 1][0];
      if (terms > 3)
         sum += v.p[2 * g + 1][1];
      r.p[2 * g] = r.p[2 * g + 1] = (v8_wide_d){sum, sum};
   }
   return r;
#endif
}

/* Rounded to floats; what is tiny becomes zero. AArch64 looks whether a number is tiny before it
 * has rounded it, x86-64 afterwards, as if the exponent had no end: so what is small is made
 * larger, rounded, judged, and made small again. */
V8 v8f
v8d_narrow(v8d a)
{
#ifdef __aarch64__
   v8l small = V8_EACH(v8l, (v8_wide_d)((v8_wide_i)a.p[k] & INT64_MAX) < 0x1p-100);
   v8d scaled = V8_EACH(v8d, (v8_wide_d)(((v8_wide_i)(a.p[k] * 0x1p64) & small.p[k]) |
                                         ((v8_wide_i)a.p[k] & ~small.p[k])));
   v8i is = v8l_dwords(small, false);
   v8f r = v8d_to_float(scaled), size = v8_as_float(v8i_and(v8_as_int(r), v8i_all(INT32_MAX)));
   v8i sign = v8i_and(v8_as_int(r), v8i_all(INT32_MIN)), gone = v8f_less(size, v8f_all(0x1p-62f));
   v8f back = V8_EACH(v8f, r.p[k] * 0x1p-64f);
   back = v8f_choose(gone, v8_as_float(sign), back);
   return v8f_choose(is, back, r);
#else
   return v8d_to_float(a);
#endif
}

V8 v8f
v8f_mul(v8f a, v8f b)
{
#ifdef __aarch64__
   v8d x = v8f_widen(a), y = v8f_widen(b);
   return v8d_narrow(V8_EACH(v8d, x.p[k] * y.p[k]));
#else
   return V8_EACH(v8f, a.p[k] * b.p[k]);
#endif
}

/* The sum of two, which has been rounded to nearest, rounded to odd. */
V8 v8_wide_d
v8_to_odd(v8_wide_d sum, v8_wide_d a, v8_wide_d b)
{
   v8_wide_d part = sum - a, lost = (a - (sum - part)) + (b - part);
   v8_wide_i inexact = (lost < 0) | (lost > 0), even = ((v8_wide_i)sum & 1) - 1,
             less = ((v8_wide_i)lost ^ (v8_wide_i)sum) < 0; /* -1: toward zero */
   return (v8_wide_d)((v8_wide_i)sum + (inexact & even & (less | 1)));
}

/* a * b + c, rounded once. The product is exact in double. The sum is rounded to odd (what was lost
 * shows in its last bit), so that the second rounding sees on which side of a half it was; where
 * the mode is not to nearest, rounding twice is the same as rounding once. */
V8 v8f
v8f_fused(v8f a, v8f b, v8f c, bool nearest)
{
#ifdef __AVX2__
   return (v8f){{(v8_part_f)_mm256_fmadd_ps((__m256)a.p[0], (__m256)b.p[0], (__m256)c.p[0])}};
#else
   v8d x = v8f_widen(a), y = v8f_widen(b), z = v8f_widen(c);
   v8d p = V8_EACH(v8d, x.p[k] * y.p[k]), sum = V8_EACH(v8d, p.p[k] + z.p[k]);
   if (nearest)
      sum = V8_EACH(v8d, v8_to_odd(sum.p[k], p.p[k], z.p[k]));
   return v8d_narrow(sum);
#endif
}

/* Toward zero; what does not fit, or is no number, gives INT32_MIN. */
V8 v8i
v8f_truncate(v8f a)
{
   v8i r = V8_EACH(v8i, __builtin_convertvector(a.p[k], v8_part_i));
#ifdef __aarch64__ /* it saturates */
   v8i fits = v8i_and(v8f_less(a, v8f_all(0x1p31f)), v8f_at_least(a, v8f_all(-0x1p31f)));
   return v8i_choose(fits, r, v8i_all(INT32_MIN));
#else
   return r;
#endif
}
V8 v8f
v8i_to_float(v8i a)
{
   return V8_EACH(v8f, __builtin_convertvector(a.p[k], v8_part_f));
}

/* To an integral number, in cr0's code: 0 nearest, 1 up, 2 down, 3 toward zero. The sign of a zero
 * stays. No denormals come in. */
V8 v8f
v8f_integral(v8f a, unsigned rounding)
{
#ifdef __AVX2__
   switch (rounding) {
   case 0:
      return (v8f){{(v8_part_f)_mm256_round_ps((__m256)a.p[0], 8 | _MM_FROUND_TO_NEAREST_INT)}};
   case 1:
      return (v8f){{(v8_part_f)_mm256_round_ps((__m256)a.p[0], 8 | _MM_FROUND_TO_POS_INF)}};
   case 2:
      return (v8f){{(v8_part_f)_mm256_round_ps((__m256)a.p[0], 8 | _MM_FROUND_TO_NEG_INF)}};
   default:
      return (v8f){{(v8_part_f)_mm256_round_ps((__m256)a.p[0], 8 | _MM_FROUND_TO_ZERO)}};
   }
#else
   v8i bits = v8_as_int(a), sign = v8i_and(bits, v8i_all(INT32_MIN));
   v8f size = v8_as_float(v8i_xor(bits, sign));
   v8i fraction = v8f_less(size, v8f_all(0x1p23f)); /* else it is integral, or no number */
   v8i whole = v8f_truncate(v8f_choose(fraction, size, v8f_all(0)));
   v8f rest = v8f_sub(v8f_choose(fraction, size, v8f_all(0)), v8i_to_float(whole)); /* exact */
   v8i up; /* -1: one more */
   if (rounding == 0)
      up = v8i_or(v8f_more(rest, v8f_all(0.5f)),
                  v8i_and(v8f_equal(rest, v8f_all(0.5f)),
                          v8i_equal(v8i_and(whole, v8i_all(1)), v8i_all(1))));
   else if (rounding == 3)
      up = v8i_all(0);
   else
      up = v8i_and(v8f_more(rest, v8f_all(0)),
                   v8i_equal(sign, v8i_all(rounding == 1 ? 0 : INT32_MIN)));
   v8f r = v8i_to_float(v8i_sub(whole, up));
   return v8f_choose(fraction, v8_as_float(v8i_or(v8_as_int(r), sign)), a);
#endif
}

#endif
