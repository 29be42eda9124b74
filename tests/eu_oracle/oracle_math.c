/* The math instruction: integer division exactly, the rest in double with one rounding. */
#include "oracle.h"

#include <math.h>

static struct result
divide(const struct eu_inst *i, struct value a, struct value b, uint32_t *second)
{
   bool is_signed = i->src[0].type == EU_TYPE_D;
   int64_t quotient, remainder;
   if (!b.i) { /* EU-171 */
      quotient = !is_signed ? INT64_C(0xFFFFFFFF) : a.i >= 0 ? INT32_MAX : INT32_MIN;
      remainder = is_signed ? a.i : INT64_C(0xFFFFFFFF);
   } else {
      quotient = a.i / b.i;
      remainder = a.i % b.i;
   }
   *second = (uint32_t)remainder;
   return (struct result){.v.i = i->math_function == EU_MATH_INTMOD
                                     ? remainder
                                     : (int64_t)(is_signed ? (int32_t)quotient : quotient)};
}

static double
power(double a, double b, bool alt)
{
   a = fabs(a);
   if (isnan(a) || isnan(b))
      return NAN;
   if (alt && b == 0)
      return 1;
   if ((a == 1 && isinf(b)) || (a == 0 && b == 0) || (isinf(a) && b == 0))
      return NAN;
   return pow(a, b);
}

struct result
oracle_math_channel(const struct eu_inst *i, struct value a, struct value b, struct fp_mode m,
                    uint32_t *second)
{
   struct result r = {0};
   struct fp_mode nearest = m;
   bool overflow;
   nearest.rounding = 0;
   if (i->math_function >= EU_MATH_INTDIVMOD)
      return divide(i, a, b, second);
   double x = ref_f_value(ref_f_in(a.f, m)), y = ref_f_value(ref_f_in(b.f, m)), v;
   switch (i->math_function) {
   case EU_MATH_INV:
      v = 1 / x;
      break;
   case EU_MATH_LOG:
      v = log2(m.alt ? fabs(x) : x);
      break;
   case EU_MATH_EXP:
      v = exp2(x);
      break;
   case EU_MATH_SQRT:
      v = sqrt(m.alt ? fabs(x) : x);
      break;
   case EU_MATH_RSQ:
      v = 1 / sqrt(m.alt ? fabs(x) : x);
      break;
   case EU_MATH_SIN:
      v = sin(x);
      break;
   case EU_MATH_COS:
      v = cos(x);
      break;
   case EU_MATH_FDIV:
      v = x / y;
      break;
   default:
      v = power(x, y, m.alt);
   }
   r.v.f = isnan(v) ? 0x7FC00000 : ref_f_round(v, nearest, &overflow);
   return r;
}
