/* Private to src/eu: sources, masks and destinations of the fast paths, eight channels in a vector.
 */
#ifndef PERGOLA_EU_FAST_AVX2_H
#define PERGOLA_EU_FAST_AVX2_H

#include "eu/fast.h"

#include <immintrin.h>

#define INLINE static inline __attribute__((always_inline))

/* Every way to reach a source is known when the function is made, or (FAST_ANY) looked up. */
#define FAST_ANY 0xff

/* Offsets of operands are from the GRF's start; flags and accumulators lie behind it. */
INLINE uint8_t *
place(const struct eu_thread *t, unsigned offset)
{
   return (uint8_t *)(uintptr_t)t + offsetof(struct eu_thread, grf) + offset;
}

/* ---- sources -------------------------------------------------------------------------------- */

INLINE __m256i
load256(const void *p)
{
   return _mm256_loadu_si256(p);
}

/* Any alignment: an operand may start at any byte. */
INLINE int32_t
load32(const uint8_t *p)
{
   int32_t v;
   __builtin_memcpy(&v, p, 4);
   return v;
}

INLINE uint16_t
load16(const uint8_t *p)
{
   uint16_t v;
   __builtin_memcpy(&v, p, 2);
   return v;
}

INLINE __m256i
near16(const uint8_t *p, __m256i places)
{
   return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)p)),
                              places);
}

/* The upper or lower dwords of eight quadwords. */
INLINE __m256i
dwords_of(__m256i first, __m256i second, bool upper)
{
   __m256 a = _mm256_castsi256_ps(first), b = _mm256_castsi256_ps(second);
   __m256 mixed = upper ? _mm256_shuffle_ps(a, b, 0xdd) : _mm256_shuffle_ps(a, b, 0x88);
   return _mm256_permute4x64_epi64(_mm256_castps_si256(mixed), 0xd8);
}

static inline __m256i
load_any(const struct eu_thread *t, const struct eu_op *op, unsigned n, unsigned half)
{
   const uint8_t *p = place(t, op->src[n][half]);
   __m256i index = load256(op->vec[n]);
   switch (op->kind[n]) {
   case FAST_VECTOR:
      return load256(p);
   case FAST_SCALAR:
      return _mm256_set1_epi32(load32(p));
   case FAST_CONST:
      return index;
   case FAST_PERMUTE:
      return _mm256_permutevar8x32_epi32(load256(p), index);
   case FAST_PERMUTE2: {
      __m256i low = _mm256_permutevar8x32_epi32(load256(p), index);
      __m256i high = _mm256_permutevar8x32_epi32(load256(p + 32), index);
      return _mm256_castps_si256(_mm256_blendv_ps(
          _mm256_castsi256_ps(low), _mm256_castsi256_ps(high), _mm256_castsi256_ps(index)));
   }
   case FAST_WORDS:
      return _mm256_cvtepi16_epi32(_mm_loadu_si128((const void *)p));
   case FAST_UWORDS:
      return _mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)p));
   case FAST_BYTES:
      return _mm256_cvtepi8_epi32(_mm_loadl_epi64((const void *)p));
   case FAST_UBYTES:
      return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)p));
   case FAST_WORD1:
      return _mm256_set1_epi32((int16_t)load16(p));
   case FAST_UWORD1:
      return _mm256_set1_epi32(load16(p));
   case FAST_BYTE1:
      return _mm256_set1_epi32(*(const int8_t *)p);
   case FAST_UBYTE1:
      return _mm256_set1_epi32(*p);
   case FAST_LOW_W:
      return _mm256_srai_epi32(_mm256_slli_epi32(load256(p), 16), 16);
   case FAST_LOW_UW:
      return _mm256_srli_epi32(_mm256_slli_epi32(load256(p), 16), 16);
   case FAST_LOW_B:
      return _mm256_srai_epi32(_mm256_slli_epi32(load256(p), 24), 24);
   case FAST_NEAR_U:
      return near16(p, index);
   case FAST_NEAR_W:
      return _mm256_srai_epi32(near16(p, index), 16);
   case FAST_NEAR_B:
      return _mm256_srai_epi32(near16(p, index), 24);
   case FAST_LOW_UB:
      return _mm256_srli_epi32(_mm256_slli_epi32(load256(p), 24), 24);
   case FAST_ACC:
      return dwords_of(load256(p), load256(p + 32), false);
   }
   __m256i v = _mm256_i32gather_epi32((const int *)(const void *)p, index, 1);
   switch (op->kind[n]) {
   case FAST_GATHER_W:
      return _mm256_srai_epi32(_mm256_slli_epi32(v, 16), 16);
   case FAST_GATHER_UW:
      return _mm256_srli_epi32(_mm256_slli_epi32(v, 16), 16);
   case FAST_GATHER_B:
      return _mm256_srai_epi32(_mm256_slli_epi32(v, 24), 24);
   case FAST_GATHER_UB:
      return _mm256_srli_epi32(_mm256_slli_epi32(v, 24), 24);
   default:
      return v;
   }
}

INLINE __m256i
load(const struct eu_thread *t, const struct eu_op *op, unsigned n, unsigned half, unsigned kind)
{
   const uint8_t *p = place(t, op->src[n][half]);
   switch (kind) {
   case FAST_VECTOR:
      return load256(p);
   case FAST_SCALAR:
      return _mm256_set1_epi32(load32(p));
   case FAST_CONST:
      return load256(op->vec[n]);
   default:
      return load_any(t, op, n, half);
   }
}

INLINE __m256
load_float(const struct eu_thread *t, const struct eu_op *op, unsigned n, unsigned half,
           unsigned kind)
{
   __m256 v = _mm256_castsi256_ps(load(t, op, n, half, kind));
   if (kind == FAST_ANY) {
      if (op->modifier[n] & FAST_ABS)
         v = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), v);
      if (op->modifier[n] & FAST_NEGATE)
         v = _mm256_xor_ps(_mm256_set1_ps(-0.0f), v);
   }
   return v;
}

INLINE __m256i
load_int(const struct eu_thread *t, const struct eu_op *op, unsigned n, unsigned half,
         unsigned kind)
{
   __m256i v = load(t, op, n, half, kind);
   if (kind == FAST_ANY) {
      if (op->modifier[n] & FAST_ABS)
         v = _mm256_abs_epi32(v);
      if (op->modifier[n] & FAST_NEGATE)
         v = _mm256_sub_epi32(_mm256_setzero_si256(), v);
   }
   return v;
}

/* ---- masks ---------------------------------------------------------------------------------- */

INLINE uint32_t
predicate_bits(const struct eu_thread *t, const struct eu_op *op)
{
   if (op->predicate == 1) {
      uint32_t f = t->flag[op->flag_reg] >> op->flag_shift;
      return op->d->predicate_inverse ? ~f : f;
   }
   return eu_predicate(t, op->d);
}

INLINE uint32_t
enabled(const struct eu_thread *t, const struct eu_op *op)
{
   return (t->active | op->no_mask) >> op->group & op->channels;
}

/* NoMask shifts ones in from above as well. */
INLINE uint32_t
write_mask(const struct eu_thread *t, const struct eu_op *op)
{
   uint32_t m = enabled(t, op);
   if (__builtin_expect(op->no_mask != 0, 0))
      m = op->channels;
   if (op->predicate)
      m &= predicate_bits(t, op);
   return m;
}

/* The sign bit of lane k is bit k. */
INLINE __m256i
lanes(uint32_t m)
{
   return _mm256_sllv_epi32(_mm256_set1_epi32((int)m),
                            _mm256_setr_epi32(31, 30, 29, 28, 27, 26, 25, 24));
}

/* ---- destinations --------------------------------------------------------------------------- */

static inline void
store_words(uint8_t *p, __m256i v, uint32_t m)
{
   const __m256i low = _mm256_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, -1, -1, -1, -1, -1, -1, -1, -1, 0,
                                        1, 4, 5, 8, 9, 12, 13, -1, -1, -1, -1, -1, -1, -1, -1);
   __m256i packed = _mm256_permute4x64_epi64(_mm256_shuffle_epi8(v, low), 0x08);
   __m128i words = _mm256_castsi256_si128(packed);
   if ((m & 0xff) == 0xff) {
      _mm_storeu_si128((void *)p, words);
      return;
   }
   uint16_t out[8];
   _mm_storeu_si128((void *)out, words);
   for (; m; m &= m - 1) {
      unsigned c = (unsigned)__builtin_ctz(m);
      __builtin_memcpy(p + c * 2, &out[c], 2);
   }
}

static inline void
store_low_words(uint8_t *p, __m256i v, uint32_t m)
{
   __m256i low = _mm256_srli_epi32(_mm256_srai_epi32(lanes(m), 31), 16);
   _mm256_storeu_si256((void *)p, _mm256_blendv_epi8(load256(p), v, low));
}

static inline void
store_strided(struct eu_thread *t, const struct eu_op *op, unsigned half, __m256i v, uint32_t m)
{
   const uint16_t *at = op->d->dst.offset + half * 8;
   unsigned size = op->dst_kind == FAST_TO_STRIDED_D   ? 4
                   : op->dst_kind == FAST_TO_STRIDED_W ? 2
                                                       : 1;
   uint32_t out[8];
   _mm256_storeu_si256((void *)out, v);
   for (; m; m &= m - 1) {
      unsigned c = (unsigned)__builtin_ctz(m);
      if (size == 4)
         __builtin_memcpy(t->grf + at[c], &out[c], 4);
      else if (size == 2)
         __builtin_memcpy(t->grf + at[c], &out[c], 2);
      else
         t->grf[at[c]] = (uint8_t)out[c];
   }
}

INLINE void
store(struct eu_thread *t, const struct eu_op *op, unsigned half, __m256i v, uint32_t m)
{
   uint8_t *p = place(t, op->dst[half]);
   if (__builtin_expect(op->dst_kind == FAST_TO_DWORDS, 1)) {
      if (__builtin_expect((m & 0xff) == 0xff, 1))
         _mm256_storeu_si256((void *)p, v);
      else
         _mm256_maskstore_epi32((void *)p, lanes(m), v);
      return;
   }
   if (op->dst_kind == FAST_TO_NULL)
      return;
   if (op->dst_kind == FAST_TO_WORDS)
      store_words(p, v, m & 0xff);
   else if (op->dst_kind == FAST_TO_LOW_W)
      store_low_words(p, v, m);
   else
      store_strided(t, op, half, v, m & 0xff);
}

INLINE void
store_flags(struct eu_thread *t, const struct eu_op *op, unsigned half, uint32_t truth, uint32_t m)
{
   unsigned shift = op->flag_shift + half * 8;
   uint32_t bits = (m & 0xff) << shift;
   uint32_t *f = &t->flag[op->flag_reg];
   *f = (*f & ~bits) | (truth << shift & bits);
}

/* ---- what has no fast path --------------------------------------------------------------------
 */

static inline void
hand_over(struct eu_thread *t, const struct eu_op *op, unsigned half, uint32_t m,
          uint32_t predicate)
{
   t->ip = op->ip;
   /* m and predicate are this half's; the general path wants the whole instruction's. */
   unsigned first = half * 8;
   eu_alu_half(t, op->d, op->d->halves == 2 ? half : 0, m << first, predicate << first);
}

/* EU-055: one NaN for all. */
INLINE __m256
settled(__m256 v)
{
   __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fc00000));
   return _mm256_blendv_ps(v, nan, _mm256_cmp_ps(v, v, _CMP_UNORD_Q));
}

#endif
