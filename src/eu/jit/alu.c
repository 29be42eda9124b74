/* Arithmetic, eight channels in a vector: the native form of what fast_avx2.c does. */
#include "eu/jit/operand.h"

#include <immintrin.h>

/* ---- floats --------------------------------------------------------------------------------- */

/* Leaves a jump to the general path where a lane of `bad` that writes has its sign set. */
static size_t
jump_if_bad(struct jit *j, const struct eu_op *op, unsigned half, unsigned bad)
{
   struct x86 *a = &j->a;
   if (jit_lanes_of(op) < 8) {
      vex(a, VMOVMSKPS, RAX, 0, x86_reg(bad));
      x86_test_imm(a, x86_reg(RAX), op->channels);
   } else if (jit_by_mask(j, op)) {
      vex(a, VTESTPS, bad, 0, x86_reg(jit_active_lanes(j, op, half, SCRATCH + 3)));
   } else {
      vex(a, VTESTPS, bad, 0, x86_reg(bad));
   }
   return x86_jump_if(a, CC_NZ);
}

static unsigned
float_result(struct jit *j, const struct eu_op *op, unsigned half, unsigned *bad)
{
   static const uint8_t rounding[4] = {_MM_FROUND_TO_POS_INF, _MM_FROUND_TO_NEG_INF,
                                       _MM_FROUND_TO_NEAREST_INT, _MM_FROUND_TO_ZERO};
   struct x86 *a = &j->a;
   unsigned f = op->operation, x, r;
   struct x86_rm y;
   *bad = SCRATCH;
   switch (f) {
   case FAST_F_ADD:
   case FAST_F_MUL:
      x = jit_source(j, op, 0, half, SCRATCH, true);
      y = jit_source_rm(j, op, 1, half, SCRATCH + 1, true);
      r = jit_new_register(j);
      vex(a, f == FAST_F_ADD ? VADDPS : VMULPS, r, x, y);
      break;
   case FAST_F_MAD:
      x = jit_source(j, op, 1, half, SCRATCH, true);
      y = jit_source_rm(j, op, 2, half, SCRATCH + 1, true);
      r = jit_new_register(j);
      jit_load_into(j, op, 0, half, r, true);
      vex(a, VFMADD231PS, r, x, y);
      break;
   case FAST_F_SELL:
   case FAST_F_SELGE:
      x = jit_source(j, op, 0, half, SCRATCH, true);
      y = x86_reg(jit_source(j, op, 1, half, SCRATCH + 1, true));
      r = jit_new_register(j);
      vex_imm(a, VCMPPS_I, SCRATCH + 2, x, y, f == FAST_F_SELL ? _CMP_LT_OQ : _CMP_GE_OQ);
      vex_blend(a, r, y.reg, x86_reg(x), SCRATCH + 2);
      vex(a, VMULPS, r, r, CONSTANT(one)); /* flushes denormals, as the host's modes say */
      vex_imm(a, VCMPPS_I, *bad, x, y, _CMP_UNORD_Q);
      return r;
   case FAST_F_TO_D:
   case FAST_F_TO_UD:
      x = jit_source(j, op, 0, half, SCRATCH, true);
      r = jit_new_register(j);
      vex(a, VCVTTPS2DQ, r, 0, x86_reg(x));
      *bad = SCRATCH + 1;
      if (f == FAST_F_TO_D) {
         vex(a, VPCMPEQD, *bad, r, CONSTANT(sign));
      } else {
         vex_imm(a, VCMPPS_I, *bad, x, CONSTANT(zero), _CMP_NGE_UQ);
         vex(a, VPOR, *bad, *bad, x86_reg(r)); /* 2^31 and above give the sign bit */
      }
      return r;
   default: /* mov and roundings: denormals go first */
      x = jit_source(j, op, 0, half, SCRATCH, true);
      r = jit_new_register(j);
      vex(a, VMULPS, r, x, CONSTANT(one));
      if (f != FAST_F_MOV)
         vex_imm(a, VROUNDPS_I, r, 0, x86_reg(r), rounding[f - FAST_F_RNDU] | _MM_FROUND_NO_EXC);
      break;
   }
   vex_imm(a, VCMPPS_I, *bad, r, x86_reg(r), _CMP_UNORD_Q);
   return r;
}

static void
saturate(struct jit *j, unsigned r)
{
   vex(&j->a, VMAXPS, r, r, CONSTANT(zero));
   vex(&j->a, VMINPS, r, r, CONSTANT(one));
}

/* Does half 1 read what half 0 writes? */
static bool
halves_meet(const struct eu_op *op)
{
   for (unsigned n = 0; n < op->d->sources; n++) {
      unsigned at = op->src[n][1], size = op->kind[n] == FAST_SCALAR ? 4 : 32;
      if (op->kind[n] != FAST_CONST && at < op->dst[0] + 32u && op->dst[0] < at + size)
         return true;
   }
   return false;
}

/* All channels of both halves: looked at together, then stored. */
static void
float_together(struct jit *j, const struct eu_op *op)
{
   unsigned bad, r[2];
   r[0] = float_result(j, op, 0, &bad);
   vex(&j->a, VMOVDQU_LOAD, SCRATCH + 3, 0, x86_reg(bad));
   r[1] = float_result(j, op, 1, &bad);
   vex(&j->a, VPOR, bad, bad, x86_reg(SCRATCH + 3));
   vex(&j->a, VTESTPS, bad, 0, x86_reg(bad));
   size_t from = x86_jump_if(&j->a, CC_NZ);
   for (unsigned half = 0; half < 2; half++) {
      if (op->d->saturate)
         saturate(j, r[half]);
      jit_store(j, op, half, r[half], false);
   }
   struct detour *s = jit_detour(j, DETOUR_SLOW_BOTH, op);
   s->from[0] = from;
   s->back = j->a.size;
   s->kept = j->kept;
}

static void
float_half(struct jit *j, const struct eu_op *op, unsigned half)
{
   unsigned bad;
   jit_pin_destination(j, op, half);
   unsigned r = float_result(j, op, half, &bad);
   size_t from = jump_if_bad(j, op, half, bad);
   if (op->d->saturate)
      saturate(j, r);
   jit_store(j, op, half, r, op->predicate != 0);
   struct detour *s = jit_detour(j, DETOUR_SLOW_HALF, op);
   s->half = (uint8_t)half;
   s->from[0] = from;
   s->back = j->a.size;
   s->kept = j->kept;
}

static bool
float_operation(struct jit *j, const struct eu_op *op)
{
   bool together =
       op->count == 2 && !jit_by_mask(j, op) && !op->predicate && op->dst_kind == FAST_TO_DWORDS;
   if (op->d->saturate && op->operation > FAST_F_MOV)
      return false;
   if (op->dst_kind == FAST_TO_NULL)
      return true;
   if (together && !halves_meet(op)) {
      float_together(j, op);
      return true;
   }
   for (unsigned half = 0; half < op->count; half++) {
      j->pinned = 0;
      float_half(j, op, half);
   }
   return true;
}

/* The math box computes in double and rounds to nearest. */
static void
math_part(struct jit *j, unsigned f, unsigned x, unsigned y)
{
   struct x86 *a = &j->a;
   vex(a, VCVTPS2PD, x, 0, x86_reg(x));
   if (f == FAST_F_FDIV) {
      vex(a, VCVTPS2PD, y, 0, x86_reg(y));
      vex(a, VDIVPD, x, x, x86_reg(y));
   } else {
      if (f != FAST_F_INV)
         vex(a, VSQRTPD, x, 0, x86_reg(x));
      if (f != FAST_F_SQRT) {
         vex(a, VMOVDQU_LOAD, y, 0, CONSTANT(one_d));
         vex(a, VDIVPD, x, y, x86_reg(x));
      }
   }
   vex(a, VCVTPD2PS, x, 0, x86_reg(x));
}

static void
math_half(struct jit *j, const struct eu_op *op, unsigned half)
{
   struct x86 *a = &j->a;
   unsigned f = op->operation, x = SCRATCH, y = SCRATCH + 1, high = SCRATCH + 2,
            yhigh = SCRATCH + 3;
   jit_pin_destination(j, op, half);
   x86_test_imm(a, THREAD(cr0[0]), 3u << CR0_ROUNDING_SHIFT);
   size_t mode = x86_jump_if(a, CC_NZ);
   jit_load_into(j, op, 0, half, x, true);
   vex_imm(a, VEXTRACTF128_I, x, 0, x86_reg(high), 1);
   if (f == FAST_F_FDIV) {
      jit_load_into(j, op, 1, half, y, true);
      vex_imm(a, VEXTRACTF128_I, y, 0, x86_reg(yhigh), 1);
   }
   math_part(j, f, x, y);
   math_part(j, f, high, yhigh);
   unsigned r = jit_new_register(j);
   vex_imm(a, VINSERTF128_I, r, x, x86_reg(high), 1);
   vex_imm(a, VCMPPS_I, SCRATCH, r, x86_reg(r), _CMP_UNORD_Q);
   size_t from = jump_if_bad(j, op, half, SCRATCH);
   jit_store(j, op, half, r, op->predicate != 0);
   struct detour *s = jit_detour(j, DETOUR_SLOW_HALF, op);
   s->half = (uint8_t)half;
   s->from[0] = mode;
   s->from[1] = from;
   s->back = j->a.size;
   s->kept = j->kept;
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
      r = jit_new_register(j);
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
   r = jit_new_register(j);
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

static bool
sets_flags(const struct eu_op *op)
{
   unsigned f = op->operation;
   bool logic = f == FAST_I_AND || f == FAST_I_OR || f == FAST_I_XOR || f == FAST_I_NOT;
   return logic && op->d->condition; /* 1: zero, 2: not */
}

static bool
int_operation(struct jit *j, const struct eu_op *op)
{
   bool flags = sets_flags(op);
   unsigned zero[2] = {0, 0};
   uint32_t aside = 0;
   for (unsigned half = 0; half < op->count; half++) {
      j->pinned = aside;
      jit_pin_destination(j, op, half);
      unsigned r = int_result(j, op, half);
      if (flags) {
         zero[half] = jit_new_register(j);
         aside |= 1u << (zero[half] - KEPT);
         vex(&j->a, VPCMPEQD, zero[half], r, CONSTANT(zero));
      }
      jit_store(j, op, half, r, op->predicate != 0);
   }
   if (flags)
      jit_store_flags(j, op, zero, op->d->condition == 2);
   return true;
}

/* ---- comparisons and choices ---------------------------------------------------------------- */

/* The truth of a half, in `r`; returns whether it is inverted. */
static bool
compare(struct jit *j, const struct eu_op *op, unsigned half, unsigned r)
{
   static const uint8_t floats[6] = {_CMP_EQ_OQ, _CMP_NEQ_UQ, _CMP_GT_OQ,
                                     _CMP_GE_OQ, _CMP_LT_OQ,  _CMP_LE_OQ};
   struct x86 *a = &j->a;
   unsigned f = op->operation;
   bool is_float = f <= FAST_F_CMP_LE;
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
   case FAST_I_CMP_L:
   case FAST_I_CMP_GE: {
      unsigned y = jit_source(j, op, 1, half, SCRATCH + 1, false);
      vex(a, VPCMPGTD, r, y, x86_reg(x));
      return f == FAST_I_CMP_GE;
   }
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

static bool
compare_operation(struct jit *j, const struct eu_op *op)
{
   unsigned r[2] = {0, 0};
   bool inverted = false, value = op->dst_kind != FAST_TO_NULL;
   if (op->dst_kind != FAST_TO_NULL && op->dst_kind != FAST_TO_DWORDS)
      return false;
   uint32_t results = 0;
   for (unsigned half = 0; half < op->count; half++) {
      j->pinned = results;
      jit_pin_destination(j, op, half);
      r[half] = jit_new_register(j);
      results |= 1u << (r[half] - KEPT);
      inverted = compare(j, op, half, r[half]);
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
      unsigned x = jit_source(j, op, 0, half, SCRATCH, floats);
      unsigned y = jit_source(j, op, 1, half, SCRATCH + 1, floats);
      unsigned r = jit_new_register(j);
      if (op->predicate) {
         jit_load_predicate(j, op, half, SCRATCH + 2);
         vex_blend(&j->a, r, y, x86_reg(x), SCRATCH + 2);
      } else {
         vex(&j->a, VMOVDQU_LOAD, r, 0, x86_reg(x));
      }
      jit_store(j, op, half, r, false);
   }
}

/* ---- all of them ---------------------------------------------------------------------------- */

static bool
loadable(const struct eu_op *op)
{
   unsigned sources =
       op->d->opcode == EU_OP_MATH && op->operation != FAST_F_FDIV ? 1 : op->d->sources;
   for (unsigned n = 0; n < sources; n++)
      if (op->kind[n] == FAST_PERMUTE2 || op->kind[n] >= FAST_GATHER_D)
         return false;
   return true;
}

bool
jit_alu(struct jit *j, const struct eu_op *op)
{
   unsigned f = op->operation;
   bool select = f == FAST_F_SEL || f == FAST_I_SEL;
   if (!op->fast || !loadable(op) || !jit_storable(j, op, op->predicate && !select))
      return false;
   if (f >= FAST_MUL_ACC && f <= FAST_SUBB) {
      jit_accumulator(j, op);
      return true;
   }
   if (select) {
      if (op->predicate > 1)
         return false;
      select_operation(j, op);
      return true;
   }
   if ((f >= FAST_F_CMP_Z && f <= FAST_F_CMP_LE) || f >= FAST_I_CMP_Z)
      return compare_operation(j, op);
   if (f >= FAST_F_INV && f <= FAST_F_FDIV) {
      for (unsigned half = 0; half < op->count; half++) {
         j->pinned = 0;
         math_half(j, op, half);
      }
      return true;
   }
   return f <= FAST_F_TO_UD ? float_operation(j, op) : int_operation(j, op);
}
