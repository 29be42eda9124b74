/* The math box, which computes in double and rounds to nearest (box.h).
 *
 * A double has more than twice the bits of a float and two more, so that a quotient or a square
 * root that is rounded to double and then to single is the one that is rounded at once. The host's
 * single precision gives these. Not so the reciprocal of a root. */
#include "eu/jit/operand.h"

/* r = 1 / sqrt(r), eight lanes, as the box does it, in `to`. */
static void
slow_root(struct jit *j, unsigned r, unsigned to)
{
   struct x86 *a = &j->a;
   const unsigned one = SCRATCH, high = SCRATCH + 3;
   vex(a, VMOVDQU_LOAD, one, 0, CONSTANT(one_d));
   vex_imm(a, VEXTRACTF128_I, r, 0, x86_reg(high), 1);
   for (unsigned part = 0; part < 2; part++) {
      unsigned x = part ? high : to;
      vex(a, VCVTPS2PD, x, 0, x86_reg(part ? high : r));
      vex(a, VSQRTPD, x, 0, x86_reg(x));
      vex(a, VDIVPD, x, one, x86_reg(x));
      vex(a, VCVTPD2PS, x, 0, x86_reg(x));
   }
   vex_imm(a, VINSERTF128_I, to, to, x86_reg(high), 1);
}

/* The reciprocal of a root. The host's estimate s has twelve bits or a little less. e = 1 - xss
 * says how wrong it is: y = s (1 + e/2) is right to 2^-21. The e of this, with what is lost in the
 * product of x and y, makes y (1 + e/2), which is right to 2^-42.5 before it is rounded. Where a
 * bit more or less, 2^-42, rounds to the same float, that is the one which the box gives;
 * elsewhere, once in 100 000 times, and where x is no positive number, it is computed as the box
 * does. Nothing waits for the two that are compared. */
static unsigned
reciprocal_root(struct jit *j, const struct eu_op *op, unsigned half)
{
   struct x86 *a = &j->a;
   const unsigned e = SCRATCH, s = SCRATCH + 1, y = SCRATCH + 2, less = SCRATCH + 3;
   unsigned x = jit_source(j, op, 0, half, e, true), r = jit_new_register(j);
   if (x == e) { /* it is asked for once more at the end */
      x = r;
      vex(a, VMOVDQU_LOAD, x, 0, x86_reg(e));
   }
   const unsigned result = x == r ? s : r;
   vex(a, VRSQRTPS, s, 0, x86_reg(x));
   vex(a, VMULPS, e, x, x86_reg(s));
   vex(a, VMULPS, y, s, CONSTANT(half));
   vex(a, VFNMADD213PS, e, s, CONSTANT(one));
   vex(a, VFMADD213PS, y, e, x86_reg(s));
   vex(a, VMULPS, e, x, x86_reg(y));
   vex(a, VMULPS, less, y, CONSTANT(half));
   vex(a, VMOVDQU_LOAD, s, 0, x86_reg(x));
   vex(a, VFMSUB213PS, s, y, x86_reg(e)); /* what is lost */
   vex(a, VFNMADD213PS, e, less, CONSTANT(half));
   vex(a, VFNMADD231PS, e, s, x86_reg(less)); /* half of its e */
   vex(a, VMOVDQU_LOAD, result, 0, x86_reg(e));
   vex(a, VFMADD213PS, result, y, x86_reg(y));
   vex(a, VADDPS, less, e, CONSTANT(root_error));
   vex(a, VSUBPS, e, e, CONSTANT(root_error));
   vex(a, VFMADD213PS, less, y, x86_reg(y));
   vex(a, VFMADD213PS, e, y, x86_reg(y));
   vex_imm(a, VCMPPS_I, e, e, x86_reg(less), VCMP_NEQ_UQ);
   vex(a, VTESTPS, e, 0, x86_reg(e));
   size_t sure = x86_jump_if(a, CC_Z);
   slow_root(j, x, result);
   x86_patch(a, sure, a->size);
   if (result != r)
      vex(a, VMOVDQU_LOAD, r, 0, x86_reg(result));
   return r;
}

/* In and out as the ABI has it: ymm0, ymm1. */
static unsigned
called(struct jit *j, const struct eu_op *op, unsigned half)
{
   unsigned f = op->operation;
   jit_load_into(j, op, 0, half, SCRATCH, true);
   if (f == FAST_F_POW)
      jit_load_into(j, op, 1, half, SCRATCH + 1, true);
   x86_mov_imm(&j->a, RAX, (uint64_t)(uintptr_t)eu_fast_choose()->eight(f));
   x86_call(&j->a, RAX);
   jit_forget(j);
   unsigned r = jit_new_register(j);
   vex(&j->a, VMOVDQU_LOAD, r, 0, x86_reg(SCRATCH));
   return r;
}

unsigned
jit_math(struct jit *j, const struct eu_op *op, unsigned half)
{
   struct x86 *a = &j->a;
   unsigned f = op->operation, x, r;
   if (f > FAST_F_FDIV)
      return called(j, op, half);
   if (f == FAST_F_RSQ)
      return reciprocal_root(j, op, half);
   x = jit_source(j, op, 0, half, SCRATCH, true);
   if (f == FAST_F_FDIV) {
      struct x86_rm y = jit_source_rm(j, op, 1, half, SCRATCH + 1, true);
      r = jit_new_register(j);
      vex(a, VDIVPS, r, x, y);
      return r;
   }
   r = jit_new_register(j);
   if (f == FAST_F_SQRT) {
      vex(a, VSQRTPS, r, 0, x86_reg(x));
      return r;
   }
   vex(a, VMOVDQU_LOAD, SCRATCH + 1, 0, CONSTANT(one));
   vex(a, VDIVPS, r, SCRATCH + 1, x86_reg(x));
   return r;
}
