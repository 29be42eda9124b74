/* Arithmetic, eight channels in a vector: the native form of what fast_vector.c does. */
#include "eu/jit/operand.h"

/* ---- floats --------------------------------------------------------------------------------- */

/* EU-055: one NaN for all. */
void
jit_settle(struct jit *j, unsigned to, unsigned from)
{
   vex_imm(&j->a, VCMPPS_I, SCRATCH, from, x86_reg(from), VCMP_UNORD_Q);
   vex_blend(&j->a, to, from, CONSTANT(nan), SCRATCH);
}

/* EU-124: the host gives the second operand if one is not a number. */
static unsigned
least_or_greatest(struct jit *j, const struct eu_op *op, unsigned half)
{
   struct x86 *a = &j->a;
   bool less = op->operation == FAST_F_SELL;
   unsigned x = jit_source(j, op, 0, half, SCRATCH, true);
   unsigned y = jit_source(j, op, 1, half, SCRATCH + 1, true);
   unsigned r = jit_new_register(j), second = less ? y : x, other = less ? x : y;
   vex(a, less ? VMINPS : VMAXPS, r, other, x86_reg(second));
   vex_imm(a, VCMPPS_I, SCRATCH + 2, second, x86_reg(second), VCMP_UNORD_Q);
   vex_blend(a, r, r, x86_reg(other), SCRATCH + 2);
   vex(a, VMULPS, r, r, CONSTANT(one)); /* flushes denormals, as the host's modes say */
   return r;
}

/* EU-045; the host gives INT32_MIN for all that does not fit. */
static unsigned
to_signed(struct jit *j, unsigned x)
{
   struct x86 *a = &j->a;
   unsigned r = jit_new_register(j), mask = SCRATCH + 2;
   vex(a, VCVTTPS2DQ, r, 0, x86_reg(x));
   vex_imm(a, VCMPPS_I, mask, x, CONSTANT(two_31), VCMP_GE_OQ);
   vex(a, VPXOR, r, r, x86_reg(mask));
   vex_imm(a, VCMPPS_I, mask, x, x86_reg(x), VCMP_ORD_Q);
   vex(a, VPAND, r, r, x86_reg(mask));
   return r;
}

/* In two halves of the range. */
static unsigned
to_unsigned(struct jit *j, unsigned x)
{
   struct x86 *a = &j->a;
   unsigned r = jit_new_register(j), positive = SCRATCH + 1, mask = SCRATCH + 2;
   vex(a, VMAXPS, positive, x, CONSTANT(zero)); /* NaN gives the zero */
   vex_imm(a, VCMPPS_I, mask, positive, CONSTANT(two_31), VCMP_GE_OQ);
   vex(a, VANDPS, r, mask, CONSTANT(two_31));
   vex(a, VSUBPS, r, positive, x86_reg(r));
   vex(a, VCVTTPS2DQ, r, 0, x86_reg(r));
   vex_shift(a, VPSLLD, mask, mask, 31);
   vex(a, VPXOR, r, r, x86_reg(mask));
   vex_imm(a, VCMPPS_I, mask, positive, CONSTANT(two_32), VCMP_GE_OQ);
   vex(a, VPOR, r, r, x86_reg(mask));
   return r;
}

/* Four lanes of a register as doubles. */
static void
widen(struct jit *j, unsigned to, unsigned from, unsigned part)
{
   if (part)
      vex_imm(&j->a, VEXTRACTF128_I, from, 0, x86_reg(to), 1);
   vex(&j->a, VCVTPS2PD, to, 0, x86_reg(part ? to : from));
}

static unsigned
lerp(struct jit *j, const struct eu_op *op, unsigned half)
{
   struct x86 *a = &j->a;
   unsigned x[3], r = jit_new_register(j);
   for (unsigned n = 0; n < 3; n++) {
      x[n] = jit_new_register(j);
      jit_load_into(j, op, n, half, x[n], true);
   }
   for (unsigned part = 0; part < 2; part++) {
      for (unsigned n = 0; n < 3; n++)
         widen(j, SCRATCH + n, x[n], part);
      vex(a, VMULPD, SCRATCH + 1, SCRATCH + 1, x86_reg(SCRATCH));
      vex(a, VMOVDQU_LOAD, SCRATCH + 3, 0, CONSTANT(one_d));
      vex(a, VSUBPD, SCRATCH, SCRATCH + 3, x86_reg(SCRATCH));
      vex(a, VMULPD, SCRATCH + 2, SCRATCH + 2, x86_reg(SCRATCH));
      vex(a, VADDPD, SCRATCH + 1, SCRATCH + 1, x86_reg(SCRATCH + 2));
      vex(a, VCVTPD2PS, part ? SCRATCH + 1 : r, 0, x86_reg(SCRATCH + 1));
   }
   vex_imm(a, VINSERTF128_I, r, r, x86_reg(SCRATCH + 1), 1);
   return r;
}

/* EU-156: in double, term by term; both groups of four at once. */
static unsigned
dot(struct jit *j, const struct eu_op *op, unsigned half)
{
   struct x86 *a = &j->a;
   unsigned f = op->operation, x = jit_source(j, op, 0, half, SCRATCH, true),
            y = jit_source(j, op, 1, half, SCRATCH + 1, true), r = jit_new_register(j);
   unsigned first = SCRATCH + 2, second = SCRATCH + 3, next = SCRATCH;
   if (f == FAST_F_DPH) {
      vex_imm(a, VBLENDPS_I, SCRATCH, x, CONSTANT(one), 0x88);
      x = SCRATCH;
   }
   widen(j, first, x, 0);
   widen(j, r, y, 0);
   vex(a, VMULPD, first, first, x86_reg(r));
   widen(j, second, x, 1);
   widen(j, r, y, 1);
   vex(a, VMULPD, second, second, x86_reg(r));
   vex(a, VUNPCKLPD, r, first, x86_reg(second));     /* terms 0 and 2 … */
   vex(a, VUNPCKHPD, first, first, x86_reg(second)); /* … 1 and 3 */
   vex128(a, VADDPD, second, r, x86_reg(first));
   if (f != FAST_F_DP2) {
      vex_imm(a, VEXTRACTF128_I, r, 0, x86_reg(next), 1);
      vex128(a, VADDPD, second, second, x86_reg(next));
   }
   if (f == FAST_F_DP4 || f == FAST_F_DPH) {
      vex_imm(a, VEXTRACTF128_I, first, 0, x86_reg(next), 1);
      vex128(a, VADDPD, second, second, x86_reg(next));
   }
   vex128(a, VCVTPD2PS, r, 0, x86_reg(second));
   vex(a, VMOVDQU_LOAD, next, 0, CONSTANT(first_and_second));
   vex(a, VPERMD, r, next, x86_reg(r));
   return r;
}

/* EU-158 */
static unsigned
plane(struct jit *j, const struct eu_op *op, unsigned half)
{
   struct x86 *a = &j->a;
   unsigned row = op->src[0][0] & ~15u, u = op->src[1][half];
   unsigned r = jit_new_register(j);
   vex(a, VPBROADCASTD, r, 0, jit_grf(row + 12));
   vex(a, VPBROADCASTD, SCRATCH, 0, jit_grf(op->src[0][0]));
   vex(a, VFMADD231PS, r, SCRATCH, jit_place(j, u));
   vex(a, VPBROADCASTD, SCRATCH, 0, jit_grf(row + 4));
   vex(a, VFMADD231PS, r, SCRATCH, jit_place(j, u + 32));
   return r;
}

/* Is source n, as it is, what the destination had before? */
static bool
is_old_value(const struct eu_op *op, unsigned n, unsigned half)
{
   return op->kind[n] == FAST_VECTOR && !op->modifier[n] && op->src[n][half] == op->dst[half] &&
          op->dst_kind == FAST_TO_DWORDS;
}

/* One operand is in the result's register: a factor that is replaced, or the addend. */
static unsigned
multiply_add(struct jit *j, const struct eu_op *op, unsigned half)
{
   struct x86 *a = &j->a;
   unsigned factor = is_old_value(op, 1, half) ? 1 : is_old_value(op, 2, half) ? 2 : 0;
   if (factor) {
      unsigned by = jit_source(j, op, 3 - factor, half, SCRATCH, true);
      struct x86_rm addend = jit_source_rm(j, op, 0, half, SCRATCH + 1, true);
      struct x86_rm old = jit_place(j, op->src[factor][half]);
      unsigned r = jit_result_register(j, op, half);
      if (old.memory || old.reg != r)
         vex(a, VMOVDQU_LOAD, r, 0, old);
      vex(a, VFMADD213PS, r, by, addend);
      return r;
   }
   unsigned x = jit_source(j, op, 1, half, SCRATCH, true);
   struct x86_rm y = jit_source_rm(j, op, 2, half, SCRATCH + 1, true);
   unsigned r = jit_result_register(j, op, half);
   const struct ir_value *v = jit_value(j, IR_VECTOR, op->dst[half]);
   if (!(is_old_value(op, 0, half) && v && r == KEPT + (unsigned)v->reg))
      jit_load_into(j, op, 0, half, r, true);
   vex(a, VFMADD231PS, r, x, y);
   return r;
}

/* The source that an addition takes away, or 2. */
static unsigned
subtrahend(const struct eu_op *op)
{
   if (op->operation != FAST_F_ADD)
      return 2;
   return op->modifier[1] == FAST_NEGATE                       ? 1
          : op->modifier[0] == FAST_NEGATE && !op->modifier[1] ? 0
                                                               : 2;
}

static unsigned
float_result(struct jit *j, const struct eu_op *op, unsigned half)
{
   static const uint8_t rounding[4] = {VROUND_UP, VROUND_DOWN, VROUND_NEAREST, VROUND_ZERO};
   struct x86 *a = &j->a;
   unsigned f = op->operation, less = subtrahend(op), x, r;
   struct x86_rm y;
   switch (f) {
   case FAST_F_ADD:
   case FAST_F_MUL:
      if (less < 2) {
         x = jit_source(j, op, 1 - less, half, SCRATCH, true);
         y = jit_unmodified_rm(j, op, less, half, SCRATCH + 1);
         r = jit_result_register(j, op, half);
         vex(a, VSUBPS, r, x, y);
         return r;
      }
      x = jit_source(j, op, 0, half, SCRATCH, true);
      y = jit_source_rm(j, op, 1, half, SCRATCH + 1, true);
      r = jit_result_register(j, op, half);
      vex(a, f == FAST_F_ADD ? VADDPS : VMULPS, r, x, y);
      return r;
   case FAST_F_MAD:
      return multiply_add(j, op, half);
   case FAST_F_SELL:
   case FAST_F_SELGE:
      return least_or_greatest(j, op, half);
   case FAST_F_LRP:
      return lerp(j, op, half);
   case FAST_F_DP2:
   case FAST_F_DP3:
   case FAST_F_DP4:
   case FAST_F_DPH:
      return dot(j, op, half);
   case FAST_F_PLN:
      return plane(j, op, half);
   case FAST_F_TO_D:
      return to_signed(j, jit_source(j, op, 0, half, SCRATCH, true));
   case FAST_F_TO_UD:
      return to_unsigned(j, jit_source(j, op, 0, half, SCRATCH, true));
   case FAST_F_FRC:
      x = jit_source(j, op, 0, half, SCRATCH, true);
      r = jit_new_register(j);
      vex(a, VMULPS, r, x, CONSTANT(one));
      vex_imm(a, VROUNDPS_I, SCRATCH, 0, x86_reg(r), VROUND_DOWN | VROUND_QUIET);
      vex(a, VSUBPS, r, r, x86_reg(SCRATCH));
      return r;
   default: /* mov and roundings: denormals go first */
      x = jit_source(j, op, 0, half, SCRATCH, true);
      r = jit_result_register(j, op, half);
      vex(a, VMULPS, r, x, CONSTANT(one));
      if (f != FAST_F_MOV)
         vex_imm(a, VROUNDPS_I, r, 0, x86_reg(r), rounding[f - FAST_F_RNDU] | VROUND_QUIET);
      return r;
   }
}

void
jit_saturate(struct jit *j, unsigned r)
{
   vex(&j->a, VMAXPS, r, r, CONSTANT(zero)); /* NaN gives the zero */
   vex(&j->a, VMINPS, r, r, CONSTANT(one));
}

static bool
is_math(unsigned f)
{
   return f >= FAST_F_INV && f <= FAST_F_POW;
}

/* EU-117: conditions 1 to 6 of a number are comparisons with zero. */
static void
float_condition(struct jit *j, const struct eu_op *op, unsigned to, unsigned r)
{
   static const uint8_t code[7] = {0,          VCMP_EQ_OQ, VCMP_NEQ_UQ, VCMP_GT_OQ,
                                   VCMP_GE_OQ, VCMP_LT_OQ, VCMP_LE_OQ};
   vex_imm(&j->a, VCMPPS_I, to, r, CONSTANT(zero), code[op->d->condition]);
}

static bool
float_operation(struct jit *j, const struct eu_op *op)
{
   unsigned f = op->operation, truth[2] = {0, 0};
   bool flags = op->d->condition && f != FAST_F_SELL && f != FAST_F_SELGE;
   bool to_int = f == FAST_F_TO_D || f == FAST_F_TO_UD;
   bool nearest = (is_math(f) || f == FAST_F_FRC) && !j->region && !j->wide &&
                  !j->iterate; /* EU-154; they have asked */
   uint32_t aside = 0;
   size_t mode = 0;
   if (op->dst_kind == FAST_TO_NULL && !flags)
      return true;
   if (nearest) {
      x86_test_imm(&j->a, THREAD(cr0[0]), CR0_ROUNDING);
      mode = x86_jump_if(&j->a, CC_NZ);
   }
   for (unsigned half = 0; half < op->count; half++) {
      j->pinned = aside;
      jit_pin_destination(j, op, half);
      unsigned r = is_math(f) ? jit_math(j, op, half) : float_result(j, op, half);
      if (flags) {
         truth[half] = op->dst_kind == FAST_TO_NULL ? r : jit_new_register(j);
         aside |= 1u << (truth[half] - KEPT);
         float_condition(j, op, truth[half], r);
      }
      if (op->dst_kind == FAST_TO_NULL)
         continue;
      if (op->d->saturate)
         jit_saturate(j, r);
      else if (!to_int && !jit_stays_open(j, op, half))
         jit_settle(j, r, r);
      jit_store(j, op, half, r, op->predicate != 0);
   }
   if (flags)
      jit_store_flags(j, op, truth, false);
   if (nearest) {
      struct detour *s = jit_detour(j, DETOUR_SLOW, op);
      s->from[0] = mode;
      s->back = j->a.size;
      s->kept = j->kept;
   }
   return true;
}

/* ---- integers ------------------------------------------------------------------------------- */

static bool
counts_are_small(const struct eu_op *op)
{
   for (unsigned c = 0; c < 8; c++)
      if (op->vec[1][c] > 31)
         return false;
   return op->kind[1] == FAST_CONST && !op->modifier[1];
}

static bool
counts_are_equal(const struct eu_op *op)
{
   for (unsigned c = 1; c < 8; c++)
      if (op->vec[1][c] != op->vec[1][0])
         return false;
   return counts_are_small(op);
}

static unsigned
int_result(struct jit *j, const struct eu_op *op, unsigned half)
{
   static const enum vex_op ops[] = {
       [FAST_I_ADD] = VPADDD,  [FAST_I_MUL] = VPMULLD, [FAST_I_AND] = VPAND,
       [FAST_I_OR] = VPOR,     [FAST_I_XOR] = VPXOR,   [FAST_I_SHL] = VPSLLVD,
       [FAST_I_SHR] = VPSRLVD, [FAST_I_ASR] = VPSRAVD, [FAST_I_MIN] = VPMINSD,
       [FAST_I_MAX] = VPMAXSD, [FAST_U_MIN] = VPMINUD, [FAST_U_MAX] = VPMAXUD,
   };
   struct x86 *a = &j->a;
   unsigned f = op->operation, r;
   if (f == FAST_I_MOV) {
      r = jit_result_register(j, op, half);
      jit_load_into(j, op, 0, half, r, false);
      return r;
   }
   if (f == FAST_U_TO_F) { /* by halves, rounded once */
      unsigned x = jit_source(j, op, 0, half, SCRATCH, false);
      r = jit_new_register(j);
      vex(a, VPAND, r, x, CONSTANT(low_half));
      vex(a, VCVTDQ2PS, r, 0, x86_reg(r));
      vex_shift(a, VPSRLD, SCRATCH + 1, x, 16);
      vex(a, VCVTDQ2PS, SCRATCH + 1, 0, x86_reg(SCRATCH + 1));
      vex(a, VFMADD231PS, r, SCRATCH + 1, CONSTANT(two_16));
      return r;
   }
   if (f == FAST_I_NOT || f == FAST_I_TO_F) {
      unsigned x = jit_source(j, op, 0, half, SCRATCH, false);
      r = jit_new_register(j);
      if (f == FAST_I_NOT)
         vex(a, VPXOR, r, x, CONSTANT(ones));
      else
         vex(a, VCVTDQ2PS, r, 0, x86_reg(x));
      if (f == FAST_I_TO_F && op->modifier[0] & FAST_NEGATE) { /* EU-125: 2^31 fits a float */
         vex(a, VPCMPEQD, SCRATCH + 1, x, CONSTANT(sign));
         vex_shift(a, VPSLLD, SCRATCH + 1, SCRATCH + 1, 31);
         vex(a, VXORPS, r, r, x86_reg(SCRATCH + 1));
      }
      return r;
   }
   unsigned x = jit_source(j, op, 0, half, SCRATCH, false);
   struct x86_rm y = jit_source_rm(j, op, 1, half, SCRATCH + 1, false);
   bool shift = f == FAST_I_SHL || f == FAST_I_SHR || f == FAST_I_ASR;
   if (shift && !counts_are_small(op)) {
      if (y.memory)
         vex(a, VMOVDQU_LOAD, SCRATCH + 1, 0, y);
      vex(a, VPAND, SCRATCH + 1, y.memory ? SCRATCH + 1 : y.reg, CONSTANT(count));
      y = x86_reg(SCRATCH + 1);
   }
   r = jit_result_register(j, op, half);
   if (shift && counts_are_equal(op))
      vex_shift(a,
                f == FAST_I_SHL   ? VPSLLD
                : f == FAST_I_SHR ? VPSRLD
                                  : VPSRAD,
                r, x, op->vec[1][0]);
   else
      vex(a, ops[f], r, x, y);
   return r;
}

/* The truth of the condition, inverted if it returns true. A copy of floats goes by what they are
 * as numbers. */
static bool
int_condition(struct jit *j, const struct eu_op *op, unsigned to, unsigned r)
{
   struct x86 *a = &j->a;
   unsigned condition = op->d->condition;
   if (op->d->exec_class == CLASS_FLOAT) {
      float_condition(j, op, to, r);
      return false;
   }
   switch (condition) {
   case EU_COND_Z:
   case EU_COND_NZ:
      vex(a, VPCMPEQD, to, r, CONSTANT(zero));
      return condition == EU_COND_NZ;
   case EU_COND_G:
   case EU_COND_LE:
      vex(a, VPCMPGTD, to, r, CONSTANT(zero));
      return condition == EU_COND_LE;
   default: /* the sign */
      if (to != r)
         vex(a, VMOVDQU_LOAD, to, 0, x86_reg(r));
      return condition == EU_COND_GE;
   }
}

static bool
int_operation(struct jit *j, const struct eu_op *op)
{
   unsigned f = op->operation, truth[2] = {0, 0};
   bool logic = f == FAST_I_AND || f == FAST_I_OR || f == FAST_I_XOR || f == FAST_I_NOT;
   bool flags = (logic || f == FAST_I_MOV) && op->d->condition, inverted = false;
   uint32_t aside = 0;
   for (unsigned half = 0; half < op->count; half++) {
      j->pinned = aside;
      jit_pin_destination(j, op, half);
      unsigned r = int_result(j, op, half);
      if (flags) {
         truth[half] = op->dst_kind == FAST_TO_NULL ? r : jit_new_register(j);
         aside |= 1u << (truth[half] - KEPT);
         inverted = int_condition(j, op, truth[half], r);
      }
      jit_store(j, op, half, r, op->predicate != 0);
   }
   if (flags)
      jit_store_flags(j, op, truth, inverted);
   return true;
}

/* ---- comparisons and choices ---------------------------------------------------------------- */

bool
jit_compare(struct jit *j, const struct eu_op *op, unsigned half, unsigned r)
{
   static const uint8_t floats[6] = {VCMP_EQ_OQ, VCMP_NEQ_UQ, VCMP_GT_OQ,
                                     VCMP_GE_OQ, VCMP_LT_OQ,  VCMP_LE_OQ};
   struct x86 *a = &j->a;
   unsigned f = op->operation;
   bool is_float = f <= FAST_F_CMP_LE;
   if (f == FAST_I_CMP_L || f == FAST_I_CMP_GE) {
      unsigned y = jit_source(j, op, 1, half, SCRATCH + 1, false);
      vex(a, VPCMPGTD, r, y, jit_source_rm(j, op, 0, half, SCRATCH, false));
      return f == FAST_I_CMP_GE;
   }
   unsigned x = jit_source(j, op, 0, half, SCRATCH, is_float);
   if (is_float) {
      vex_imm(a, VCMPPS_I, r, x, jit_source_rm(j, op, 1, half, SCRATCH + 1, true),
              floats[f - FAST_F_CMP_Z]);
      return false;
   }
   switch (f) {
   case FAST_I_CMP_Z:
   case FAST_I_CMP_NZ:
      vex(a, VPCMPEQD, r, x, jit_source_rm(j, op, 1, half, SCRATCH + 1, false));
      return f == FAST_I_CMP_NZ;
   case FAST_I_CMP_G:
   case FAST_I_CMP_LE:
      vex(a, VPCMPGTD, r, x, jit_source_rm(j, op, 1, half, SCRATCH + 1, false));
      return f == FAST_I_CMP_LE;
   case FAST_U_CMP_GE: /* the greater is the first */
   case FAST_U_CMP_L:
      vex(a, VPMAXUD, r, x, jit_source_rm(j, op, 1, half, SCRATCH + 1, false));
      vex(a, VPCMPEQD, r, r, x86_reg(x));
      return f == FAST_U_CMP_L;
   default:
      vex(a, VPMINUD, r, x, jit_source_rm(j, op, 1, half, SCRATCH + 1, false));
      vex(a, VPCMPEQD, r, r, x86_reg(x));
      return f == FAST_U_CMP_G;
   }
}

/* A comparison for its result alone. */
static void
compare_to_value(struct jit *j, const struct eu_op *op)
{
   for (unsigned half = 0; half < op->count; half++) {
      bool again = false; /* the result's register may still be read */
      for (unsigned n = 0; n < 2; n++)
         again = again || op->src[n][half] == op->dst[half];
      j->pinned = 0;
      jit_pin_destination(j, op, half);
      unsigned r = again ? jit_new_register(j) : jit_result_register(j, op, half);
      if (jit_compare(j, op, half, r))
         vex(&j->a, VPXOR, r, r, CONSTANT(ones));
      jit_store(j, op, half, r, op->predicate != 0);
   }
}

static bool
compare_operation(struct jit *j, const struct eu_op *op)
{
   unsigned r[2] = {0, 0};
   bool inverted = false, value = op->dst_kind != FAST_TO_NULL;
   uint32_t results = 0;
   if (value && jit_flags_are_unasked(j, op)) {
      compare_to_value(j, op);
      j->kept.truth.known = false;
      return true;
   }
   for (unsigned half = 0; half < op->count; half++) {
      j->pinned = results;
      jit_pin_destination(j, op, half);
      r[half] = jit_new_register(j);
      results |= 1u << (r[half] - KEPT);
      inverted = jit_compare(j, op, half, r[half]);
      if (!value)
         continue;
      /* The destination gets a copy: masks change it. */
      unsigned copy = jit_new_register(j);
      vex(&j->a, VPXOR, copy, r[half], inverted ? CONSTANT(ones) : CONSTANT(zero));
      jit_store(j, op, half, copy, op->predicate != 0);
   }
   jit_store_flags(j, op, r, inverted);
   return true;
}

/* The predicate chooses; it does not disable. */
static void
select_operation(struct jit *j, const struct eu_op *op)
{
   bool floats = op->operation == FAST_F_SEL;
   for (unsigned half = 0; half < op->count; half++) {
      j->pinned = 0;
      jit_pin_destination(j, op, half);
      bool inverted = false;
      unsigned r, p = 0;
      if (op->predicate)
         p = jit_predicate_lanes(j, op, half, SCRATCH + 2, &inverted);
      struct x86_rm first = jit_source_rm(j, op, inverted, half, SCRATCH, floats);
      if (op->predicate) {
         unsigned other = jit_source(j, op, !inverted, half, SCRATCH + 1, floats);
         r = jit_result_register(j, op, half);
         vex_blend(&j->a, r, other, first, p);
      } else {
         r = jit_result_register(j, op, half);
         vex(&j->a, VMOVDQU_LOAD, r, 0, first);
      }
      jit_store(j, op, half, r, false);
   }
}

/* ---- all of them ---------------------------------------------------------------------------- */

bool
jit_alu(struct jit *j, const struct eu_op *op)
{
   unsigned f = op->operation;
   bool select = f == FAST_F_SEL || f == FAST_I_SEL;
   if (!op->fast || !jit_storable(j, op, op->predicate && !select))
      return false;
   if (f >= FAST_MUL_ACC && f <= FAST_SUBB) {
      jit_accumulator(j, op);
      return true;
   }
   if (select) {
      select_operation(j, op);
      return true;
   }
   if ((f >= FAST_F_CMP_Z && f <= FAST_F_CMP_LE) || f >= FAST_I_CMP_Z)
      return compare_operation(j, op);
   return f <= FAST_F_POW ? float_operation(j, op) : int_operation(j, op);
}
