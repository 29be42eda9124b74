/* The math box: transcendental functions (box.h) and integer division. Results are computed in
 * double and rounded to nearest, which meets every published bound. */
#include "eu/alu_ops.h"
#include "eu/convert.h"
#include "eu/fpmode.h"
#include "eu/step.h"

#include <math.h>

static double
inverse_root(double x)
{
   return x == 0 ? copysign(INFINITY, x) : 1.0 / sqrt(x);
}

/* EU-161, EU-162, EU-163, EU-164, EU-165, EU-166, EU-167, EU-168, EU-169 */
static double
function(unsigned f, double a, double b, bool alt)
{
   switch (f) {
   case EU_MATH_INV:
      return 1.0 / a;
   case EU_MATH_LOG:
      return eu_box(f, alt ? fabs(a) : a, b);
   case EU_MATH_SQRT:
      return sqrt(alt ? fabs(a) : a);
   case EU_MATH_RSQ:
      return inverse_root(alt ? fabs(a) : a);
   case EU_MATH_EXP:
   case EU_MATH_SIN:
   case EU_MATH_COS:
      return eu_box(f, a, b);
   case EU_MATH_FDIV:
      return a / b;
   case EU_MATH_POW:
      return alt && b == 0 ? 1.0 : eu_box(f, a, b);
   default:
      return 0.0;
   }
}

static void
math_float(struct eu_step *s, bool two)
{
   bool alt = s->t->cr0[0] & CR0_ALT;
   eu_fetch_float(s, 0);
   if (two)
      eu_fetch_float(s, 1);
   else
      memset(&s->src[1], 0, sizeof(s->src[1]));
   uint32_t mode = fpmode_get();
   fpmode_set(FPMODE_HOST);
   for (unsigned k = 0; k < s->count; k++) {
      uint32_t a = bits_flush(s->src[0].u[k]), b = bits_flush(s->src[1].u[k]);
      double x = bits_double(f_to_df(a)), y = bits_double(f_to_df(b));
      double exact = function(s->d->inst.math_function, x, y, alt);
      uint32_t u = float_bits(narrowed(exact));
      s->r.u[k] = bits_nan(u) ? 0x7fc00000 : u; /* EU-055 */
   }
   fpmode_set(mode);
   eu_finish_float(s);
}

/* EU-170, EU-171 */
static void
divide(bool is_signed, int64_t a, int64_t b, int64_t *quotient, int64_t *remainder)
{
   a = is_signed ? (int32_t)a : (int64_t)(uint32_t)a;
   b = is_signed ? (int32_t)b : (int64_t)(uint32_t)b;
   if (b == 0) {
      if (!is_signed) {
         *quotient = *remainder = UINT32_MAX;
         return;
      }
      *quotient = a >= 0 ? INT32_MAX : INT32_MIN;
      *remainder = a;
      return;
   }
   *quotient = a / b;
   *remainder = a % b;
}

static void
math_divide(struct eu_step *s)
{
   unsigned f = s->d->inst.math_function;
   bool is_signed = s->d->src[0].type == T_D;
   union eu_values remainder;
   eu_fetch_int(s, 0);
   eu_fetch_int(s, 1);
   for (unsigned k = 0; k < s->count; k++) {
      int64_t q, r;
      divide(is_signed, s->src[0].i[k], s->src[1].i[k], &q, &r);
      s->r.i[k] = f == EU_MATH_INTMOD ? r : q;
      remainder.i[k] = r;
   }
   eu_finish_int(s);
   if (f != EU_MATH_INTDIVMOD || s->d->dst.kind != OPERAND_GRF)
      return;
   /* The remainder goes to the register after the quotient. */
   struct eu_detail second = *s->d;
   const struct eu_detail *first = s->d;
   for (unsigned k = 0; k < 32; k++) {
      uint32_t a = second.dst.offset[k];
      bool outside = a == OFFSET_NONE || a + EU_REG_SIZE >= EU_GRF_COUNT * EU_REG_SIZE;
      second.dst.offset[k] = outside ? OFFSET_NONE : (uint16_t)(a + EU_REG_SIZE);
   }
   s->d = &second;
   s->r = remainder;
   eu_finish_int(s);
   s->d = first;
}

void
alu_math(struct eu_step *s)
{
   switch (s->d->inst.math_function) {
   case EU_MATH_INTDIVMOD:
   case EU_MATH_INTDIV:
   case EU_MATH_INTMOD:
      math_divide(s);
      break;
   case EU_MATH_FDIV:
   case EU_MATH_POW:
      math_float(s, true);
      break;
   default:
      math_float(s, false);
      break;
   }
}
