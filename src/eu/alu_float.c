/* Single precision operations. The host's modes (fpmode.h) flush denormals and round. */
#include "eu/alu_ops.h"
#include "eu/convert.h"
#include "eu/fpmode.h"
#include "eu/step.h"

#include <math.h>

#define QUIET 0x400000u
#define NOT_A_NUMBER 0x7fc00000u

#define ALU_NUMBER float
#define ALU_HAS_NAN
#include "eu/alu_compare.h"

#define A (s->src[0].f[k])
#define B (s->src[1].f[k])
#define C (s->src[2].f[k])

/* EU-055: what computes has one NaN to give (docs/decisions/0012). */
static uint32_t
settle(float r)
{
   return r == r ? float_bits(r) : NOT_A_NUMBER;
}

#define FETCH1 eu_fetch_float(s, 0)
#define FETCH2                                                                                     \
   eu_fetch_float(s, 0);                                                                           \
   eu_fetch_float(s, 1)
#define FETCH3                                                                                     \
   FETCH2;                                                                                         \
   eu_fetch_float(s, 2)
#define FLOAT_OP(name, fetch, expression)                                                          \
   void name(struct eu_step *s)                                                                    \
   {                                                                                               \
      fetch;                                                                                       \
      for (unsigned k = 0; k < s->count; k++)                                                      \
         s->r.u[k] = settle(expression);                                                           \
      eu_finish_float(s);                                                                          \
   }

/* What ALT mode makes of an operand that no fetch has seen. */
static uint32_t
alt_bits(const struct eu_step *s, uint32_t u)
{
   if (!(s->t->cr0[0] & CR0_ALT))
      return u;
   return bits_nan(u) ? 0 : (u & 0x7fffffff) == 0x7f800000 ? u - 1 : u;
}

static float
acc_float(const struct eu_step *s, unsigned k)
{
   unsigned lane = eu_acc_lane(s, k);
   return lane < 16 ? bits_float(alt_bits(s, (uint32_t)s->t->acc[lane])) : 0.0f;
}

static float
flushed(float f)
{
   return bits_float(bits_flush(float_bits(f)));
}

/* The rounding mode is the instruction's own, in cr0's code. */
static float
integral(float f, unsigned rounding)
{
   return bits_float(f_round(bits_flush(float_bits(f)), rounding));
}

static float
product(float a, float b)
{
   return narrowed((double)a * b); /* exact in double */
}

static float
lerp(float a, float b, float c)
{
   return narrowed((double)a * b + (1.0 - (double)a) * c);
}

/* A sum that has been rounded to nearest, rounded to odd: what was lost shows in its last bit, and
 * a second rounding sees on which side of a half it was. */
static double
to_odd(double sum, double a, double b)
{
   double part = sum - a, lost = (a - (sum - part)) + (b - part);
   uint64_t bits = double_bits(sum);
   if (!(lost < 0 || lost > 0) || bits & 1)
      return sum;
   return bits_double((lost < 0) == (sum < 0) ? bits + 1 : bits - 1);
}

/* a * b + c, rounded once. Where the mode is not to nearest, rounding twice is the same. */
static float
fused(const struct eu_step *s, float a, float b, float c)
{
   double p = (double)flushed(a) * flushed(b), d = flushed(c), sum = p + d;
   return narrowed(eu_rounding(s->t) ? sum : to_odd(sum, p, d));
}

FLOAT_OP(alu_float_add, FETCH2, A + B)
FLOAT_OP(alu_float_mul, FETCH2, product(A, B))
/* EU-159, EU-160 */
FLOAT_OP(alu_float_mad, FETCH3, fused(s, B, C, A))
FLOAT_OP(alu_lrp, FETCH3, lerp(A, B, C))
FLOAT_OP(alu_rndu, FETCH1, integral(A, 1))
FLOAT_OP(alu_rndd, FETCH1, integral(A, 2))
FLOAT_OP(alu_rndz, FETCH1, integral(A, 3))
FLOAT_OP(alu_rnde, FETCH1, integral(A, 0))

void
alu_float_mac(struct eu_step *s)
{
   FETCH2;
   for (unsigned k = 0; k < s->count; k++)
      s->r.u[k] = settle(fused(s, A, B, acc_float(s, k)));
   eu_finish_float(s);
}

/* EU-053: format conversions do not flush; a modifier or saturation makes it arithmetic. EU-055: a
 * NaN is copied, quiet, with the sign that the modifier gives it. */
void
alu_float_mov(struct eu_step *s)
{
   FETCH1;
   for (unsigned k = 0; k < s->count; k++) {
      uint32_t u = s->src[0].u[k];
      if (bits_nan(u))
         s->r.u[k] = u | QUIET;
      else
         s->r.u[k] = s->d->dst.type == T_F ? bits_flush(u) : u;
   }
   eu_finish_float(s);
}

/* EU-154: a - floor(a), to nearest whatever cr0 says; 1.0 may come out for tiny negative values. */
void
alu_frc(struct eu_step *s)
{
   uint32_t mode = fpmode_get();
   FETCH1;
   fpmode_set(FPMODE_HOST | FPMODE_FLUSH);
   for (unsigned k = 0; k < s->count; k++) {
      float a = flushed(A), r = a - integral(a, 2);
      s->r.u[k] = settle(r);
   }
   fpmode_set(mode);
   eu_finish_float(s);
}

/* EU-156: dot products over each aligned four channels: products and sums in double, one rounding
 * at the end. */
static void
dot(struct eu_step *s, unsigned terms, bool homogeneous)
{
   FETCH2;
   for (unsigned k = 0; k < s->count; k += 4) {
      /* No zero to begin with: -0 + 0 depends on the rounding mode, which compilers overlook. */
      double sum = (double)s->src[0].f[k] * s->src[1].f[k];
      for (unsigned i = 1; i < terms && k + i < s->count; i++)
         sum += (double)s->src[0].f[k + i] * s->src[1].f[k + i];
      if (homogeneous && k + 3 < s->count)
         sum += s->src[1].f[k + 3];
      uint32_t u = settle(narrowed(sum));
      for (unsigned i = 0; i < 4 && k + i < s->count; i++)
         s->r.u[k + i] = u;
   }
   eu_finish_float(s);
}

void
alu_dp4(struct eu_step *s)
{
   dot(s, 4, false);
}
void
alu_dph(struct eu_step *s)
{
   dot(s, 3, true);
}
void
alu_dp3(struct eu_step *s)
{
   dot(s, 3, false);
}
void
alu_dp2(struct eu_step *s)
{
   dot(s, 2, false);
}

/* A dword of the OWord in which scalar source 0 lies, its modifiers applied. */
static float
plane_coefficient(struct eu_step *s, unsigned dword)
{
   const struct op_operand *o = &s->d->src[0];
   uint32_t address[32], u = 0;
   eu_addresses(s, o, address);
   if (o->kind != OPERAND_GRF && o->kind != OPERAND_INDIRECT)
      return 0.0f;
   if (address[0] == OFFSET_NONE)
      return 0.0f;
   memcpy(&u, s->t->grf + (address[0] & ~15u) + dword * 4, 4);
   if (o->abs)
      u &= 0x7fffffff;
   if (o->negate)
      u ^= 0x80000000;
   return bits_float(alt_bits(s, u));
}

/* EU-157 */
void
alu_line(struct eu_step *s)
{
   FETCH2;
   float q = plane_coefficient(s, 3);
   for (unsigned k = 0; k < s->count; k++)
      s->r.u[k] = settle(fused(s, A, B, q));
   eu_finish_float(s);
}

/* EU-158: channels 0-7: u in register R, v in R + 1; 8-15: R + 2, R + 3. */
void
alu_pln(struct eu_step *s)
{
   const struct op_operand *o = &s->d->src[1];
   FETCH2;
   float q = plane_coefficient(s, 1), r = plane_coefficient(s, 3);
   uint32_t base = o->kind == OPERAND_GRF ? o->offset[0] : OFFSET_NONE;
   for (unsigned k = 0; k < s->count; k++) {
      unsigned ch = s->first + k;
      uint32_t at = base + ch / 8 * 64 + ch % 8 * 4;
      uint32_t u = 0, v = 0;
      if (base != OFFSET_NONE && at + 36 <= EU_GRF_COUNT * EU_REG_SIZE) {
         memcpy(&u, s->t->grf + at, 4);
         memcpy(&v, s->t->grf + at + 32, 4);
      }
      if (o->abs)
         u &= 0x7fffffff, v &= 0x7fffffff;
      if (o->negate)
         u ^= 0x80000000, v ^= 0x80000000;
      u = alt_bits(s, u), v = alt_bits(s, v);
      s->src[1].u[k] = u;
      s->r.u[k] = settle(fused(s, q, bits_float(v), fused(s, A, bits_float(u), r)));
   }
   eu_finish_float(s);
}

/* EU-121 */
void
alu_float_cmp(struct eu_step *s)
{
   FETCH2;
   for (unsigned k = 0; k < s->count; k++)
      s->truth |= (uint32_t)compare(s->d->condition, A, B) << k;
   eu_finish_truth(s);
}

void
alu_float_cmpn(struct eu_step *s)
{
   FETCH2;
   for (unsigned k = 0; k < s->count; k++)
      s->truth |= (uint32_t)compare_nan(s->d->condition, A, B) << k;
   eu_finish_truth(s);
}

void
alu_float_sel(struct eu_step *s)
{
   unsigned cond = s->d->condition;
   FETCH2;
   for (unsigned k = 0; k < s->count; k++) {
      bool first = cond ? select_first(cond, A, B) : s->predicate >> k & 1;
      uint32_t u = first ? s->src[0].u[k] : s->src[1].u[k];
      /* The predicated form copies bits. */
      s->r.u[k] = !cond ? u : bits_nan(u) ? NOT_A_NUMBER : bits_flush(u);
   }
   eu_finish_float(s);
}

/* EU-143: the half goes to the low word; what else is written is the destination type's. */
void
alu_f32to16(struct eu_step *s)
{
   unsigned rounding = eu_rounding(s->t);
   FETCH1;
   for (unsigned k = 0; k < s->count; k++) {
      uint32_t u = s->src[0].u[k];
      if (s->d->saturate) {
         float f = bits_float(u);
         u = float_bits(f > 0 ? f < 1 ? f : 1 : 0);
      }
      s->r.b[k] = f_to_half(u, rounding);
   }
   eu_store(s);
}
