/* Products and carries of dwords by way of the accumulator, eight channels in two vectors. Compiled
 * for AVX2. */
#include "eu/fast_avx2.h"

struct wide {
   __m256i part[2]; /* channels 0-3 and 4-7, 64 bits each */
};

INLINE __m128i
half(__m256i v, unsigned which)
{
   return which ? _mm256_extracti128_si256(v, 1) : _mm256_castsi256_si128(v);
}

/* a × b; b is a word, unsigned unless is_signed. */
INLINE struct wide
product(__m256i a, __m256i b, bool is_signed)
{
   struct wide w;
   for (unsigned p = 0; p < 2; p++) {
      __m256i x = _mm256_cvtepu32_epi64(half(a, p)), y = _mm256_cvtepu32_epi64(half(b, p));
      w.part[p] = is_signed ? _mm256_mul_epi32(x, y) : _mm256_mul_epu32(x, y);
   }
   return w;
}

INLINE void
store_lanes(struct eu_thread *t, uint32_t m, struct wide w)
{
   __m256i on = lanes(m);
   for (unsigned p = 0; p < 2; p++)
      _mm256_maskstore_epi64((long long *)(void *)(t->acc + 4 * p),
                             _mm256_cvtepi32_epi64(half(on, p)), w.part[p]);
}

/* Of source 1 the multiplier takes the low word, unsigned. */
INLINE const struct eu_op *
run_mul(struct eu_thread *t, const struct eu_op *op, bool is_signed)
{
   __m256i a = load_any(t, op, 0, 0), b = load_any(t, op, 1, 0);
   store_lanes(t, write_mask(t, op),
               product(a, _mm256_and_si256(b, _mm256_set1_epi32(0xffff)), is_signed));
   return op + 1;
}

/* EU-149: the accumulator takes the sum on every channel, the destination its upper half on enabled
 * ones. */
INLINE const struct eu_op *
run_mach(struct eu_thread *t, const struct eu_op *op, bool is_signed)
{
   __m256i a = load_any(t, op, 0, 0), b = load_any(t, op, 1, 0);
   struct wide w =
       product(a, is_signed ? _mm256_srai_epi32(b, 16) : _mm256_srli_epi32(b, 16), is_signed);
   for (unsigned p = 0; p < 2; p++) {
      w.part[p] = _mm256_add_epi64(load256(t->acc + 4 * p), _mm256_slli_epi64(w.part[p], 16));
      if (!(t->cr0[0] & CR0_ACC_DISABLE)) /* EU-011 */
         _mm256_storeu_si256((void *)(t->acc + 4 * p), w.part[p]);
   }
   store(t, op, 0, dwords_of(w.part[0], w.part[1], true), write_mask(t, op));
   return op + 1;
}

/* EU-150, EU-151: the accumulator takes the carry or the borrow, both on enabled channels alone. */
INLINE const struct eu_op *
run_carry(struct eu_thread *t, const struct eu_op *op, bool subtract)
{
   uint32_t m = write_mask(t, op);
   __m256i a = load_any(t, op, 0, 0), b = load_any(t, op, 1, 0);
   __m256i r = subtract ? _mm256_sub_epi32(a, b) : _mm256_add_epi32(a, b);
   __m256i least = subtract ? _mm256_min_epu32(a, b) : _mm256_min_epu32(r, a);
   __m256i none = _mm256_cmpeq_epi32(least, subtract ? b : a);
   __m256i carry = _mm256_add_epi32(none, _mm256_set1_epi32(1));
   if (!(t->cr0[0] & CR0_ACC_DISABLE)) /* EU-011 */
      store_lanes(t, m,
                  (struct wide){{_mm256_cvtepu32_epi64(half(carry, 0)),
                                 _mm256_cvtepu32_epi64(half(carry, 1))}});
   store(t, op, 0, r, m);
   return op + 1;
}

static const struct eu_op *
mul_ud(struct eu_thread *t, const struct eu_op *op)
{
   return run_mul(t, op, false);
}

static const struct eu_op *
mul_d(struct eu_thread *t, const struct eu_op *op)
{
   return run_mul(t, op, true);
}

static const struct eu_op *
mach_ud(struct eu_thread *t, const struct eu_op *op)
{
   return run_mach(t, op, false);
}

static const struct eu_op *
mach_d(struct eu_thread *t, const struct eu_op *op)
{
   return run_mach(t, op, true);
}

static const struct eu_op *
addc(struct eu_thread *t, const struct eu_op *op)
{
   return run_carry(t, op, false);
}

static const struct eu_op *
subb(struct eu_thread *t, const struct eu_op *op)
{
   return run_carry(t, op, true);
}

eu_op_fn
eu_fast_accumulator(enum fast_operation f, bool is_signed)
{
   switch (f) {
   case FAST_MUL_ACC:
      return is_signed ? mul_d : mul_ud;
   case FAST_MACH:
      return is_signed ? mach_d : mach_ud;
   case FAST_ADDC:
      return addc;
   default:
      return subb;
   }
}
