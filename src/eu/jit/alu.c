/* Arithmetic, eight channels in a vector: the native form of what fast_avx2.c does. */
#include "eu/jit/translate.h"

#include <immintrin.h>

/* ---- kept registers ------------------------------------------------------------------------- */

int
jit_find_kept(const struct jit *j, unsigned offset)
{
   for (unsigned i = 0; i < KEPT_COUNT; i++)
      if (j->kept.offset[i] == offset)
         return (int)i;
   return -1;
}

static void
drop_range(struct jit *j, unsigned offset, unsigned size)
{
   for (unsigned i = 0; i < KEPT_COUNT; i++) {
      unsigned at = j->kept.offset[i];
      if (at != OFFSET_NONE && at < offset + size && offset < at + 32)
         j->kept.offset[i] = OFFSET_NONE;
   }
}

/* A register for a result; not one that the operation still reads. */
unsigned
jit_new_register(struct jit *j)
{
   while (j->pinned >> j->victim & 1)
      j->victim = (j->victim + 1) % KEPT_COUNT;
   unsigned i = j->victim;
   j->victim = (i + 1) % KEPT_COUNT;
   j->kept.offset[i] = OFFSET_NONE;
   j->pinned |= 1u << i;
   return KEPT + i;
}

/* ---- sources -------------------------------------------------------------------------------- */

static struct x86_rm
constant_of(const struct jit *j, const struct eu_op *op, unsigned n)
{
   struct x86_rm rm = jit_op_at(j, op);
   rm.disp += (int32_t)(offsetof(struct eu_op, vec) + n * sizeof(op->vec[0]));
   return rm;
}

static void
load_narrow(struct jit *j, const struct eu_op *op, unsigned n, struct x86_rm at, unsigned to)
{
   static const enum x86_op scalar[4] = {X86_MOVSX16, X86_MOVZX16, X86_MOVSX8, X86_MOVZX8};
   static const enum vex_op row[4] = {VPMOVSXWD, VPMOVZXWD, VPMOVSXBD, VPMOVZXBD};
   static const uint8_t shift[4] = {16, 16, 24, 24};
   unsigned kind = op->kind[n];
   if (kind >= FAST_LOW_W) {
      unsigned i = kind - FAST_LOW_W;
      vex(&j->a, VMOVDQU_LOAD, to, 0, at);
      vex_shift(&j->a, VPSLLD, to, to, shift[i]);
      vex_shift(&j->a, i & 1 ? VPSRLD : VPSRAD, to, to, shift[i]);
   } else if (kind >= FAST_WORD1) {
      x86_op(&j->a, scalar[kind - FAST_WORD1], false, RAX, at);
      vex128(&j->a, VMOVD_FROM, to, 0, x86_reg(RAX));
      vex(&j->a, VPBROADCASTD, to, 0, x86_reg(to));
   } else {
      vex(&j->a, row[kind - FAST_WORDS], to, 0, at);
   }
}

static void
modify(struct jit *j, const struct eu_op *op, unsigned n, unsigned reg, bool floats)
{
   struct x86 *a = &j->a;
   if (op->modifier[n] & FAST_ABS) {
      if (floats)
         vex(a, VANDPS, reg, reg, CONSTANT(magnitude));
      else
         vex(a, VPABSD, reg, 0, x86_reg(reg));
   }
   if (!(op->modifier[n] & FAST_NEGATE))
      return;
   if (floats) {
      vex(a, VXORPS, reg, reg, CONSTANT(sign));
   } else {
      unsigned zero = SCRATCH + 3;
      vex(a, VPXOR, zero, zero, x86_reg(zero));
      vex(a, VPSUBD, reg, zero, x86_reg(reg));
   }
}

/* Source n into the register `to`. */
static void
load_into(struct jit *j, const struct eu_op *op, unsigned n, unsigned half, unsigned to, bool floats)
{
   struct x86_rm at = jit_grf(op->src[n][half]);
   int kept = op->kind[n] == FAST_VECTOR ? jit_find_kept(j, op->src[n][half]) : -1;
   switch (op->kind[n]) {
   case FAST_VECTOR: vex(&j->a, VMOVDQU_LOAD, to, 0, kept < 0 ? at : x86_reg(KEPT + (unsigned)kept)); break;
   case FAST_SCALAR: vex(&j->a, VPBROADCASTD, to, 0, at); break;
   case FAST_CONST: vex(&j->a, VMOVDQU_LOAD, to, 0, constant_of(j, op, n)); break;
   case FAST_PERMUTE:
      vex(&j->a, VMOVDQU_LOAD, to, 0, constant_of(j, op, n));
      vex(&j->a, VPERMD, to, to, at);
      break;
   default: load_narrow(j, op, n, at, to);
   }
   modify(j, op, n, to, floats);
}

/* Source n in some register: where it is kept, or `scratch`. */
static unsigned
source(struct jit *j, const struct eu_op *op, unsigned n, unsigned half, unsigned scratch, bool floats)
{
   int kept = jit_find_kept(j, op->src[n][half]);
   if (op->kind[n] == FAST_VECTOR && !op->modifier[n] && kept >= 0) {
      j->pinned |= 1u << kept;
      return KEPT + (unsigned)kept;
   }
   load_into(j, op, n, half, scratch, floats);
   return scratch;
}

/* The same for an operand that may be memory. */
static struct x86_rm
source_rm(struct jit *j, const struct eu_op *op, unsigned n, unsigned half, unsigned scratch, bool floats)
{
   if (!op->modifier[n] && op->kind[n] == FAST_CONST)
      return constant_of(j, op, n);
   if (!op->modifier[n] && op->kind[n] == FAST_VECTOR && jit_find_kept(j, op->src[n][half]) < 0)
      return jit_grf(op->src[n][half]);
   return x86_reg(source(j, op, n, half, scratch, floats));
}

/* ---- masks ---------------------------------------------------------------------------------- */

static bool
by_mask(const struct jit *j, const struct eu_op *op)
{
   return !op->no_mask && j->version == MASKED;
}

/* Lanes of the flag, by sign. */
static void
load_predicate(struct jit *j, const struct eu_op *op, unsigned half, unsigned to)
{
   struct x86_rm shift = CONSTANT(shift);
   shift.disp += 4 * (op->flag_shift + 8 * (int32_t)half);
   vex(&j->a, VPBROADCASTD, to, 0, op->flag_reg ? THREAD(flag[1]) : THREAD(flag[0]));
   vex(&j->a, VPSLLVD, to, to, shift);
   if (op->d->predicate_inverse)
      vex(&j->a, VPXOR, to, to, CONSTANT(ones));
}

/* The lanes of a half that are active. */
static unsigned
active_lanes(struct jit *j, const struct eu_op *op, unsigned half, unsigned scratch)
{
   unsigned first = op->group + 8 * half;
   if (first == 0 || first == 8) {
      jit_load_masks(j);
      return first ? MASK1 : MASK0;
   }
   struct x86_rm shift = CONSTANT(shift);
   shift.disp += 4 * (int32_t)first;
   vex(&j->a, VPBROADCASTD, scratch, 0, THREAD(active));
   vex(&j->a, VPSLLVD, scratch, scratch, shift);
   return scratch;
}

/* The lanes of a half that write, by sign. Only where some may not. */
static unsigned
write_lanes(struct jit *j, const struct eu_op *op, unsigned half, bool predicated, unsigned scratch)
{
   if (!by_mask(j, op)) {
      load_predicate(j, op, half, scratch);
      return scratch;
   }
   unsigned active = active_lanes(j, op, half, scratch);
   if (!predicated)
      return active;
   unsigned p = SCRATCH + 2;
   load_predicate(j, op, half, p);
   vex(&j->a, VPAND, scratch, active, x86_reg(p));
   return scratch;
}

/* ---- destinations --------------------------------------------------------------------------- */

static unsigned
lanes_of(const struct eu_op *op)
{
   return op->d->exec_size < 8 ? op->d->exec_size : 8;
}

void
jit_store_whole(struct jit *j, unsigned offset, unsigned r)
{
   vex(&j->a, VMOVDQU_STORE, r, 0, jit_grf(offset));
   drop_range(j, offset, 32);
   j->kept.offset[r - KEPT] = (uint16_t)offset;
}

/* The result of a half, in a new register, to its place. */
static void
store(struct jit *j, const struct eu_op *op, unsigned half, unsigned r, bool predicated)
{
   struct x86 *a = &j->a;
   unsigned offset = op->dst[half], n = lanes_of(op);
   struct x86_rm at = jit_grf(offset);
   if (op->dst_kind == FAST_TO_NULL)
      return;
   if (op->dst_kind == FAST_TO_WORDS) {
      vex(a, VPSHUFB, SCRATCH, r, CONSTANT(low_words));
      vex_imm(a, VPERMQ_I, SCRATCH, 0, x86_reg(SCRATCH), 0x08);
      vex128(a, VMOVDQU_STORE, SCRATCH, 0, at);
      drop_range(j, offset, 16);
      return;
   }
   if (n < 8) {
      if (n == 4)
         vex128(a, VMOVDQU_STORE, r, 0, at);
      else
         vex128(a, n == 2 ? VMOVQ_STORE : VMOVD_STORE, r, 0, at);
      drop_range(j, offset, 4 * n);
      return;
   }
   bool some = by_mask(j, op) || predicated;
   if (some || op->dst_kind == FAST_TO_LOW_W) {
      unsigned mask = some ? write_lanes(j, op, half, predicated, SCRATCH + 3) : 0;
      int kept = jit_find_kept(j, offset);
      unsigned old = SCRATCH + 2;
      if (kept >= 0)
         old = KEPT + (unsigned)kept;
      else
         vex(a, VMOVDQU_LOAD, old, 0, at);
      if (some)
         vex_blend(a, r, old, x86_reg(r), mask);
      else
         vex_imm(a, VPBLENDW_I, r, old, x86_reg(r), 0x55);
   }
   jit_store_whole(j, offset, r);
}

/* The register that holds the old value of a masked destination must outlive the computation. */
static void
pin_destination(struct jit *j, const struct eu_op *op, unsigned half)
{
   int kept = jit_find_kept(j, op->dst[half]);
   if (op->dst_kind == FAST_TO_DWORDS && kept >= 0)
      j->pinned |= 1u << kept;
}

/* Can the destination be written natively, whatever the operation? */
static bool
storable(const struct jit *j, const struct eu_op *op, bool predicated)
{
   const struct eu_detail *d = op->d;
   bool some = by_mask(j, op) || predicated;
   if (op->channels != d->channels || d->predicate > 1 || d->exec_size > 16)
      return false;
   if (some && lanes_of(op) < 8)
      return false;
   switch (op->dst_kind) {
   case FAST_TO_NULL: return true;
   case FAST_TO_DWORDS: return true;
   case FAST_TO_WORDS:
   case FAST_TO_LOW_W: return !some && lanes_of(op) == 8;
   default: return false;
   }
}

/* Flags from comparison results: bits of both halves in eax, inverted if `invert`. The channels that write are
 * those of the instruction. */
static void
store_flags(struct jit *j, const struct eu_op *op, const unsigned r[2], bool invert)
{
   struct x86 *a = &j->a;
   struct x86_rm flag = op->flag_reg ? THREAD(flag[1]) : THREAD(flag[0]);
   bool some = by_mask(j, op) || op->predicate;
   uint32_t all = op->channels;
   vex(a, VMOVMSKPS, RDX, 0, x86_reg(r[0]));
   if (op->count == 2) {
      vex(a, VMOVMSKPS, RCX, 0, x86_reg(r[1]));
      x86_shift(a, true, RCX, 8);
      x86_op(a, X86_OR, false, RDX, x86_reg(RCX));
   }
   if (invert)
      x86_imm(a, X86_XOR_I, false, x86_reg(RDX), (int32_t)all);
   if (some) {
      jit_channels(j, op, true); /* eax; uses ecx */
      x86_op(a, X86_AND, false, RDX, x86_reg(RAX));
      x86_shift(a, true, RDX, op->flag_shift);
      x86_shift(a, true, RAX, op->flag_shift);
      x86_not(a, false, RAX);
      x86_op(a, X86_AND, false, RAX, flag);
      x86_op(a, X86_OR, false, RAX, x86_reg(RDX));
   } else {
      if (lanes_of(op) < 8)
         x86_imm(a, X86_AND_I, false, x86_reg(RDX), (int32_t)all);
      x86_shift(a, true, RDX, op->flag_shift);
      x86_op(a, X86_LOAD, false, RAX, flag);
      x86_imm(a, X86_AND_I, false, x86_reg(RAX), (int32_t)~(all << op->flag_shift));
      x86_op(a, X86_OR, false, RAX, x86_reg(RDX));
   }
   x86_op(a, X86_STORE, false, RAX, flag);
}

/* ---- floats --------------------------------------------------------------------------------- */

/* Leaves a jump to the general path where a lane of `bad` that writes has its sign set. */
static size_t
jump_if_bad(struct jit *j, const struct eu_op *op, unsigned half, unsigned bad)
{
   struct x86 *a = &j->a;
   if (lanes_of(op) < 8) {
      vex(a, VMOVMSKPS, RAX, 0, x86_reg(bad));
      x86_test_imm(a, x86_reg(RAX), op->channels);
   } else if (by_mask(j, op)) {
      vex(a, VTESTPS, bad, 0, x86_reg(active_lanes(j, op, half, SCRATCH + 3)));
   } else {
      vex(a, VTESTPS, bad, 0, x86_reg(bad));
   }
   return x86_jump_if(a, CC_NZ);
}

static unsigned
float_result(struct jit *j, const struct eu_op *op, unsigned half, unsigned *bad)
{
   static const uint8_t rounding[4] = {_MM_FROUND_TO_POS_INF, _MM_FROUND_TO_NEG_INF, _MM_FROUND_TO_NEAREST_INT,
                                       _MM_FROUND_TO_ZERO};
   struct x86 *a = &j->a;
   unsigned f = op->operation, x, r;
   struct x86_rm y;
   *bad = SCRATCH;
   switch (f) {
   case FAST_F_ADD:
   case FAST_F_MUL:
      x = source(j, op, 0, half, SCRATCH, true);
      y = source_rm(j, op, 1, half, SCRATCH + 1, true);
      r = jit_new_register(j);
      vex(a, f == FAST_F_ADD ? VADDPS : VMULPS, r, x, y);
      break;
   case FAST_F_MAD:
      x = source(j, op, 1, half, SCRATCH, true);
      y = source_rm(j, op, 2, half, SCRATCH + 1, true);
      r = jit_new_register(j);
      load_into(j, op, 0, half, r, true);
      vex(a, VFMADD231PS, r, x, y);
      break;
   case FAST_F_SELL:
   case FAST_F_SELGE:
      x = source(j, op, 0, half, SCRATCH, true);
      y = x86_reg(source(j, op, 1, half, SCRATCH + 1, true));
      r = jit_new_register(j);
      vex_imm(a, VCMPPS_I, SCRATCH + 2, x, y, f == FAST_F_SELL ? _CMP_LT_OQ : _CMP_GE_OQ);
      vex_blend(a, r, y.reg, x86_reg(x), SCRATCH + 2);
      vex(a, VMULPS, r, r, CONSTANT(one)); /* flushes denormals, as the host's modes say */
      vex_imm(a, VCMPPS_I, *bad, x, y, _CMP_UNORD_Q);
      return r;
   case FAST_F_TO_D:
   case FAST_F_TO_UD:
      x = source(j, op, 0, half, SCRATCH, true);
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
      x = source(j, op, 0, half, SCRATCH, true);
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
      store(j, op, half, r[half], false);
   }
   struct stub *s = jit_stub(j, STUB_SLOW_BOTH, op);
   s->from[0] = from;
   s->back = j->a.size;
   s->kept = j->kept;
}

static void
float_half(struct jit *j, const struct eu_op *op, unsigned half)
{
   unsigned bad;
   pin_destination(j, op, half);
   unsigned r = float_result(j, op, half, &bad);
   size_t from = jump_if_bad(j, op, half, bad);
   if (op->d->saturate)
      saturate(j, r);
   store(j, op, half, r, op->predicate != 0);
   struct stub *s = jit_stub(j, STUB_SLOW_HALF, op);
   s->half = (uint8_t)half;
   s->from[0] = from;
   s->back = j->a.size;
   s->kept = j->kept;
}

static bool
float_operation(struct jit *j, const struct eu_op *op)
{
   bool together = op->count == 2 && !by_mask(j, op) && !op->predicate && op->dst_kind == FAST_TO_DWORDS;
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
   unsigned f = op->operation, x = SCRATCH, y = SCRATCH + 1, high = SCRATCH + 2, yhigh = SCRATCH + 3;
   pin_destination(j, op, half);
   x86_test_imm(a, THREAD(cr0[0]), 3u << CR0_ROUNDING_SHIFT);
   size_t mode = x86_jump_if(a, CC_NZ);
   load_into(j, op, 0, half, x, true);
   vex_imm(a, VEXTRACTF128_I, x, 0, x86_reg(high), 1);
   if (f == FAST_F_FDIV) {
      load_into(j, op, 1, half, y, true);
      vex_imm(a, VEXTRACTF128_I, y, 0, x86_reg(yhigh), 1);
   }
   math_part(j, f, x, y);
   math_part(j, f, high, yhigh);
   unsigned r = jit_new_register(j);
   vex_imm(a, VINSERTF128_I, r, x, x86_reg(high), 1);
   vex_imm(a, VCMPPS_I, SCRATCH, r, x86_reg(r), _CMP_UNORD_Q);
   size_t from = jump_if_bad(j, op, half, SCRATCH);
   store(j, op, half, r, op->predicate != 0);
   struct stub *s = jit_stub(j, STUB_SLOW_HALF, op);
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
      [FAST_I_ADD] = VPADDD, [FAST_I_MUL] = VPMULLD, [FAST_I_AND] = VPAND,   [FAST_I_OR] = VPOR,
      [FAST_I_XOR] = VPXOR,  [FAST_I_SHL] = VPSLLVD, [FAST_I_SHR] = VPSRLVD, [FAST_I_ASR] = VPSRAVD,
      [FAST_I_MIN] = VPMINSD, [FAST_I_MAX] = VPMAXSD, [FAST_U_MIN] = VPMINUD, [FAST_U_MAX] = VPMAXUD,
   };
   struct x86 *a = &j->a;
   unsigned f = op->operation, r;
   if (f == FAST_I_MOV) {
      r = jit_new_register(j);
      load_into(j, op, 0, half, r, false);
      return r;
   }
   if (f == FAST_U_TO_F) { /* by halves, rounded once */
      unsigned x = source(j, op, 0, half, SCRATCH, false);
      r = jit_new_register(j);
      vex(a, VPAND, r, x, CONSTANT(low_half));
      vex(a, VCVTDQ2PS, r, 0, x86_reg(r));
      vex_shift(a, VPSRLD, SCRATCH + 1, x, 16);
      vex(a, VCVTDQ2PS, SCRATCH + 1, 0, x86_reg(SCRATCH + 1));
      vex(a, VFMADD231PS, r, SCRATCH + 1, CONSTANT(two_16));
      return r;
   }
   if (f == FAST_I_NOT || f == FAST_I_TO_F) {
      unsigned x = source(j, op, 0, half, SCRATCH, false);
      r = jit_new_register(j);
      if (f == FAST_I_NOT)
         vex(a, VPXOR, r, x, CONSTANT(ones));
      else
         vex(a, VCVTDQ2PS, r, 0, x86_reg(x));
      return r;
   }
   unsigned x = source(j, op, 0, half, SCRATCH, false);
   struct x86_rm y = source_rm(j, op, 1, half, SCRATCH + 1, false);
   bool shift = f == FAST_I_SHL || f == FAST_I_SHR || f == FAST_I_ASR;
   if (shift && !counts_are_small(op)) {
      if (y.memory)
         vex(a, VMOVDQU_LOAD, SCRATCH + 1, 0, y);
      vex(a, VPAND, SCRATCH + 1, y.memory ? SCRATCH + 1 : y.reg, CONSTANT(count));
      y = x86_reg(SCRATCH + 1);
   }
   r = jit_new_register(j);
   if (shift && counts_are_equal(op))
      vex_shift(a, f == FAST_I_SHL ? VPSLLD : f == FAST_I_SHR ? VPSRLD : VPSRAD, r, x, op->vec[1][0]);
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
      pin_destination(j, op, half);
      unsigned r = int_result(j, op, half);
      if (flags) {
         zero[half] = jit_new_register(j);
         aside |= 1u << (zero[half] - KEPT);
         vex(&j->a, VPCMPEQD, zero[half], r, CONSTANT(zero));
      }
      store(j, op, half, r, op->predicate != 0);
   }
   if (flags)
      store_flags(j, op, zero, op->d->condition == 2);
   return true;
}

/* ---- comparisons and choices ---------------------------------------------------------------- */

/* The truth of a half, in `r`; returns whether it is inverted. */
static bool
compare(struct jit *j, const struct eu_op *op, unsigned half, unsigned r)
{
   static const uint8_t floats[6] = {_CMP_EQ_OQ, _CMP_NEQ_UQ, _CMP_GT_OQ, _CMP_GE_OQ, _CMP_LT_OQ, _CMP_LE_OQ};
   struct x86 *a = &j->a;
   unsigned f = op->operation;
   bool is_float = f <= FAST_F_CMP_LE;
   unsigned x = source(j, op, 0, half, SCRATCH, is_float);
   if (is_float) {
      vex_imm(a, VCMPPS_I, r, x, source_rm(j, op, 1, half, SCRATCH + 1, true), floats[f - FAST_F_CMP_Z]);
      return false;
   }
   switch (f) {
   case FAST_I_CMP_Z:
   case FAST_I_CMP_NZ:
      vex(a, VPCMPEQD, r, x, source_rm(j, op, 1, half, SCRATCH + 1, false));
      return f == FAST_I_CMP_NZ;
   case FAST_I_CMP_G:
   case FAST_I_CMP_LE:
      vex(a, VPCMPGTD, r, x, source_rm(j, op, 1, half, SCRATCH + 1, false));
      return f == FAST_I_CMP_LE;
   case FAST_I_CMP_L:
   case FAST_I_CMP_GE: {
      unsigned y = source(j, op, 1, half, SCRATCH + 1, false);
      vex(a, VPCMPGTD, r, y, x86_reg(x));
      return f == FAST_I_CMP_GE;
   }
   case FAST_U_CMP_GE: /* the greater is the first */
   case FAST_U_CMP_L:
      vex(a, VPMAXUD, r, x, source_rm(j, op, 1, half, SCRATCH + 1, false));
      vex(a, VPCMPEQD, r, r, x86_reg(x));
      return f == FAST_U_CMP_L;
   default:
      vex(a, VPMINUD, r, x, source_rm(j, op, 1, half, SCRATCH + 1, false));
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
      pin_destination(j, op, half);
      r[half] = jit_new_register(j);
      results |= 1u << (r[half] - KEPT);
      inverted = compare(j, op, half, r[half]);
      if (!value)
         continue;
      /* The destination gets a copy: masks change it. */
      unsigned copy = jit_new_register(j);
      vex(&j->a, VPXOR, copy, r[half], inverted ? CONSTANT(ones) : CONSTANT(zero));
      store(j, op, half, copy, op->predicate != 0);
   }
   store_flags(j, op, r, inverted);
   return true;
}

/* The predicate chooses; it does not disable. */
static void
select_operation(struct jit *j, const struct eu_op *op)
{
   bool floats = op->operation == FAST_F_SEL;
   for (unsigned half = 0; half < op->count; half++) {
      j->pinned = 0;
      pin_destination(j, op, half);
      unsigned x = source(j, op, 0, half, SCRATCH, floats);
      unsigned y = source(j, op, 1, half, SCRATCH + 1, floats);
      unsigned r = jit_new_register(j);
      if (op->predicate) {
         load_predicate(j, op, half, SCRATCH + 2);
         vex_blend(&j->a, r, y, x86_reg(x), SCRATCH + 2);
      } else {
         vex(&j->a, VMOVDQU_LOAD, r, 0, x86_reg(x));
      }
      store(j, op, half, r, false);
   }
}

/* ---- all of them ---------------------------------------------------------------------------- */

static bool
loadable(const struct eu_op *op)
{
   unsigned sources = op->d->opcode == EU_OP_MATH && op->operation != FAST_F_FDIV ? 1 : op->d->sources;
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
   if (!op->fast || !loadable(op) || !storable(j, op, op->predicate && !select))
      return false;
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
