/* Double precision operations. Denormals are kept or flushed as cr0 says, so the host's modes
 * change around each. */
#include "eu/alu_ops.h"
#include "eu/fpmode.h"
#include "eu/step.h"

#include <math.h>

#define QUIET64 ((uint64_t)1 << 51)
#define NOT_A_NUMBER64 0x7ff8000000000000u

#define ALU_NUMBER double
#define ALU_HAS_NAN
#include "eu/alu_compare.h"

#define A operand(s, 0, k)
#define B operand(s, 1, k)
#define C operand(s, 2, k)

/* The host never flushes: which results are tiny is not the same on all. */
static uint32_t
enter(void)
{
   uint32_t mode = fpmode_get();
   fpmode_set(mode & ~FPMODE_FLUSH);
   return mode;
}

/* EU-054 */
static bool
flushes(const struct eu_step *s)
{
   return !(s->t->cr0[0] & CR0_DF_DENORMALS);
}

static uint64_t
flush64(const struct eu_step *s, uint64_t u)
{
   return flushes(s) && !(u & 0x7ff0000000000000) ? u & (uint64_t)1 << 63 : u;
}

static double
flushed(const struct eu_step *s, double d)
{
   return bits_double(flush64(s, double_bits(d)));
}

static double
operand(const struct eu_step *s, unsigned n, unsigned k)
{
   return bits_double(flush64(s, s->src[n].b[k]));
}

static uint64_t
settle(struct eu_step *s, unsigned k, double r)
{
   uint64_t u = double_bits(r);
   bool finite = true;
   for (unsigned n = 0; n < s->d->sources; n++)
      finite = finite && (s->src[n].b[k] & 0x7ff0000000000000) != 0x7ff0000000000000;
   if (finite && (u & INT64_MAX) == 0x7ff0000000000000)
      s->over |= 1u << k;
   return r == r ? u : NOT_A_NUMBER64; /* EU-055 */
}

#define DOUBLE_OP(name, sources, expression)                                                       \
   void name(struct eu_step *s)                                                                    \
   {                                                                                               \
      for (unsigned n = 0; n < sources; n++)                                                       \
         eu_fetch_double(s, n);                                                                    \
      uint32_t mode = enter();                                                                     \
      for (unsigned k = 0; k < s->count && k < 16; k++)                                            \
         s->r.b[k] = settle(s, k, (expression));                                                   \
      fpmode_set(mode);                                                                            \
      eu_finish_double(s);                                                                         \
   }

static double
acc_double(const struct eu_step *s, unsigned k)
{
   unsigned lane = eu_acc_lane(s, k);
   return lane < 16 ? bits_double(s->t->acc[lane]) : 0.0;
}

/* a * b + c, rounded once. What may be tiny is computed again where it is not, and judged by what
 * it is rounded to. A zero is one already: it was exact, or is far below. */
static double
fused(const struct eu_step *s, double a, double b, double c)
{
   double r = fma(a, b, c);
   if (!flushes(s) || r == 0 || !(fabs(r) <= 0x1p-1022))
      return r;
   bool small_a = fabs(a) < fabs(b);
   r = fma(small_a ? a * 0x1p200 : a, small_a ? b : b * 0x1p200, c * 0x1p200);
   return fabs(r) < 0x1p-822 ? copysign(0.0, r) : r * 0x1p-200;
}

/* The sum that makes no difference has the product's sign. */
static double
product(const struct eu_step *s, double a, double b)
{
   return fused(s, a, b, copysign(0.0, a) * copysign(1.0, b));
}

DOUBLE_OP(alu_double_add, 2, flushed(s, A + B)) /* exact where it is tiny */
DOUBLE_OP(alu_double_mul, 2, product(s, A, B))
DOUBLE_OP(alu_double_mac, 2, fused(s, A, B, flushed(s, acc_double(s, k))))
DOUBLE_OP(alu_double_mad, 3, fused(s, B, C, A))

void
alu_double_mov(struct eu_step *s)
{
   eu_fetch_double(s, 0);
   for (unsigned k = 0; k < s->count && k < 16; k++) {
      uint64_t u = s->src[0].b[k];
      if (bits_nan64(u))
         s->r.b[k] = u | QUIET64;
      else
         s->r.b[k] = s->d->dst.type == T_DF ? flush64(s, u) : u;
   }
   eu_finish_double(s);
}

static void
compare_all(struct eu_step *s, bool nan_rule)
{
   eu_fetch_double(s, 0);
   eu_fetch_double(s, 1);
   uint32_t mode = enter();
   for (unsigned k = 0; k < s->count && k < 16; k++) {
      bool truth = nan_rule ? compare_nan(s->d->condition, A, B) : compare(s->d->condition, A, B);
      s->truth |= (uint32_t)truth << k;
   }
   fpmode_set(mode);
   eu_finish_truth(s);
}

void
alu_double_cmp(struct eu_step *s)
{
   compare_all(s, false);
}
void
alu_double_cmpn(struct eu_step *s)
{
   compare_all(s, true);
}

void
alu_double_sel(struct eu_step *s)
{
   unsigned cond = s->d->condition;
   eu_fetch_double(s, 0);
   eu_fetch_double(s, 1);
   uint32_t mode = enter();
   for (unsigned k = 0; k < s->count && k < 16; k++) {
      bool first = cond ? select_first(cond, A, B) : s->predicate >> (2 * k) & 1;
      uint64_t u = first ? s->src[0].b[k] : s->src[1].b[k];
      s->r.b[k] = !cond ? u : bits_nan64(u) ? NOT_A_NUMBER64 : flush64(s, u);
   }
   fpmode_set(mode);
   eu_finish_double(s);
}
