/* The math box, eight channels in a vector. */
#include "eu/fast_avx2.h"

#define BOX_LANES 4
#include "eu/box.h"

INLINE box_v
wide(__m128 v)
{
   return (box_v)_mm256_cvtps_pd(v);
}

INLINE __m128
narrow(box_v v)
{
   return _mm256_cvtpd_ps((__m256d)v);
}

INLINE box_v
function(enum fast_operation f, box_v a, box_v b)
{
   switch (f) {
   case FAST_F_LOG:
      return box_log2(a);
   case FAST_F_EXP:
      return box_exp2(a);
   case FAST_F_SIN:
      return box_sin(a, 0);
   case FAST_F_COS:
      return box_sin(a, 1);
   case FAST_F_POW:
      return box_pow(a, b);
   case FAST_F_INV:
      return 1.0 / a;
   case FAST_F_SQRT:
      return (box_v)_mm256_sqrt_pd((__m256d)a);
   case FAST_F_RSQ:
      return 1.0 / (box_v)_mm256_sqrt_pd((__m256d)a);
   default:
      return a / b;
   }
}

INLINE __m256
eight(enum fast_operation f, __m256 a, __m256 b)
{
   __m128 low =
       narrow(function(f, wide(_mm256_castps256_ps128(a)), wide(_mm256_castps256_ps128(b))));
   __m128 high =
       narrow(function(f, wide(_mm256_extractf128_ps(a, 1)), wide(_mm256_extractf128_ps(b, 1))));
   return _mm256_set_m128(high, low);
}

/* The math box rounds to nearest; other modes are the general path's. */
INLINE const struct eu_op *
run_math(struct eu_thread *t, const struct eu_op *op, enum fast_operation f)
{
   uint32_t m = write_mask(t, op);
   bool nearest = !(t->cr0[0] >> CR0_ROUNDING_SHIFT & 3);
   for (unsigned half = 0;;) {
      __m256 a = load_float(t, op, 0, half, FAST_ANY), b = a;
      if (f == FAST_F_FDIV || f == FAST_F_POW)
         b = load_float(t, op, 1, half, FAST_ANY);
      if (__builtin_expect(!nearest, 0))
         hand_over(t, op, half, m, UINT32_MAX);
      else
         store(t, op, half, _mm256_castps_si256(settled(eight(f, a, b))), m);
      if (++half == op->count)
         return op + 1;
      m >>= 8;
   }
}

#define MATH(name, f)                                                                              \
   static const struct eu_op *name(struct eu_thread *t, const struct eu_op *op)                    \
   {                                                                                               \
      return run_math(t, op, f);                                                                   \
   }                                                                                               \
   static __m256 name##_eight(__m256 a, __m256 b)                                                  \
   {                                                                                               \
      return eight(f, a, b);                                                                       \
   }
MATH(inv, FAST_F_INV)
MATH(sqrt_of, FAST_F_SQRT)
MATH(rsq, FAST_F_RSQ)
MATH(quotient, FAST_F_FDIV)
MATH(log_of, FAST_F_LOG)
MATH(exp_of, FAST_F_EXP)
MATH(sin_of, FAST_F_SIN)
MATH(cos_of, FAST_F_COS)
MATH(pow_of, FAST_F_POW)

eu_op_fn
eu_fast_math(enum fast_operation f)
{
   static const eu_op_fn table[] = {inv,    sqrt_of, rsq,    quotient, log_of,
                                    exp_of, sin_of,  cos_of, pow_of};
   return table[f - FAST_F_INV];
}

const void *
eu_fast_eight(enum fast_operation f)
{
   static __m256 (*const table[])(__m256, __m256) = {inv_eight,      sqrt_of_eight, rsq_eight,
                                                     quotient_eight, log_of_eight,  exp_of_eight,
                                                     sin_of_eight,   cos_of_eight,  pow_of_eight};
   const void *p;
   __builtin_memcpy(&p, &table[f - FAST_F_INV], sizeof(p));
   return p;
}
