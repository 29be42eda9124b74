/* The math box, eight channels in a vector. */
#include "eu/fast_vector.h"

#define BOX_LANES V8_WIDE_LANES
#include "eu/box.h"

INLINE box_v
square_root(box_v v)
{
#ifdef __AVX2__
   return (box_v)_mm256_sqrt_pd((__m256d)v);
#else
   for (unsigned i = 0; i < BOX_LANES; i++)
      v[i] = __builtin_sqrt(v[i]);
   return v;
#endif
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
      return square_root(a);
   case FAST_F_RSQ:
      return 1.0 / square_root(a);
   default:
      return a / b;
   }
}

INLINE v8f
eight(enum fast_operation f, v8f a, v8f b)
{
   v8d x = v8f_widen(a), y = v8f_widen(b);
   return v8d_narrow(V8_EACH(v8d, (v8_wide_d)function(f, (box_v)x.p[k], (box_v)y.p[k])));
}

/* The math box rounds to nearest; other modes are the general path's. */
INLINE const struct eu_op *
run_math(struct eu_thread *t, const struct eu_op *op, enum fast_operation f)
{
   uint32_t m = write_mask(t, op);
   bool nearest = rounds_to_nearest(t);
   for (unsigned half = 0;;) {
      v8f a = load_float(t, op, 0, half, FAST_ANY), b = a;
      if (f == FAST_F_FDIV || f == FAST_F_POW)
         b = load_float(t, op, 1, half, FAST_ANY);
      if (__builtin_expect(!nearest, 0))
         hand_over(t, op, half, m, UINT32_MAX);
      else
         store(t, op, half, v8_as_int(settled(eight(f, a, b))), m, false);
      if (++half == op->count)
         return op + 1;
      m >>= 8;
   }
}

/* What generated code calls, in the registers of its host. */
#ifdef __AVX2__
#define EIGHT(name, f)                                                                             \
   static __m256 name##_eight(__m256 a, __m256 b)                                                  \
   {                                                                                               \
      return (__m256)eight(f, (v8f){{(v8_part_f)a}}, (v8f){{(v8_part_f)b}}).p[0];                  \
   }
#else
#define EIGHT(name, f)
#endif
#define MATH(name, f)                                                                              \
   static const struct eu_op *name(struct eu_thread *t, const struct eu_op *op)                    \
   {                                                                                               \
      return run_math(t, op, f);                                                                   \
   }                                                                                               \
   EIGHT(name, f)
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
HOST_NAME(eu_fast_math)(enum fast_operation f)
{
   static const eu_op_fn table[] = {inv,    sqrt_of, rsq,    quotient, log_of,
                                    exp_of, sin_of,  cos_of, pow_of};
   return table[f - FAST_F_INV];
}

const void *
HOST_NAME(eu_fast_eight)(enum fast_operation f)
{
#ifdef __AVX2__
   static __m256 (*const table[])(__m256, __m256) = {inv_eight,      sqrt_of_eight, rsq_eight,
                                                     quotient_eight, log_of_eight,  exp_of_eight,
                                                     sin_of_eight,   cos_of_eight,  pow_of_eight};
   const void *p;
   __builtin_memcpy(&p, &table[f - FAST_F_INV], sizeof(p));
   return p;
#else
   return NULL;
#endif
}
