/* Products and carries of dwords by way of the accumulator: the native form of
 * fast_accumulator.c. Its lanes are quadwords, so eight channels are two parts. */
#include "eu/jit/operand.h"

static struct x86_rm
lanes_at(unsigned part)
{
   struct x86_rm rm = THREAD(acc);
   rm.disp += 32 * (int32_t)part;
   return rm;
}

/* Four dwords of a register, made quadwords. */
static void
extend(struct jit *j, enum vex_op how, unsigned to, unsigned from, unsigned part)
{
   if (part)
      vex_imm(&j->a, VEXTRACTF128_I, from, 0, x86_reg(to), 1);
   vex(&j->a, how, to, 0, x86_reg(part ? to : from));
}

/* Four lanes in SCRATCH to their place, those of `mask` (0: all). */
static void
store_part(struct jit *j, unsigned part, unsigned mask)
{
   if (mask) {
      extend(j, VPMOVSXDQ, SCRATCH + 1, mask, part);
      vex(&j->a, VMOVDQU_LOAD, SCRATCH + 2, 0, lanes_at(part));
      vex_blend(&j->a, SCRATCH, SCRATCH + 2, x86_reg(SCRATCH), SCRATCH + 1);
   }
   vex(&j->a, VMOVDQU_STORE, SCRATCH, 0, lanes_at(part));
}

/* The register with the lanes that write, or 0: all of them do. */
static unsigned
mask_of(struct jit *j, const struct eu_op *op)
{
   bool some = jit_by_mask(j, op) || op->predicate;
   return some ? jit_write_lanes(j, op, 0, op->predicate != 0, SCRATCH + 3) : 0;
}

/* EU-011: leaves a jump over what follows, an implicit write. */
static size_t
jump_if_disabled(struct jit *j)
{
   x86_test_imm(&j->a, THREAD(cr0[0]), CR0_ACC_DISABLE);
   return x86_jump_if(&j->a, CC_NZ);
}

/* EU-150, EU-151 */
static void
carry(struct jit *j, const struct eu_op *op)
{
   struct x86 *a = &j->a;
   bool subtract = op->operation == FAST_SUBB;
   jit_pin_destination(j, op, 0);
   unsigned x = jit_source(j, op, 0, 0, SCRATCH, false),
            y = jit_source(j, op, 1, 0, SCRATCH + 1, false);
   unsigned r = jit_new_register(j), c = jit_new_register(j);
   vex(a, subtract ? VPSUBD : VPADDD, r, x, x86_reg(y));
   vex(a, VPMINUD, c, subtract ? y : r, x86_reg(x));
   vex(a, VPCMPEQD, c, c, x86_reg(subtract ? y : x)); /* all ones: none */
   vex(a, VPSUBD, c, c, CONSTANT(ones));
   unsigned mask = mask_of(j, op);
   size_t disabled = jump_if_disabled(j);
   for (unsigned part = 0; part < 2; part++) {
      extend(j, VPMOVZXDQ, SCRATCH, c, part);
      store_part(j, part, mask);
   }
   x86_patch(a, disabled, a->size);
   jit_store(j, op, 0, r, op->predicate != 0);
}

/* SCRATCH = four products of x and y. */
static void
multiply(struct jit *j, const struct eu_op *op, unsigned x, unsigned y, unsigned part)
{
   bool is_signed = op->d->src[0].type == T_D;
   extend(j, VPMOVZXDQ, SCRATCH, x, part);
   extend(j, VPMOVZXDQ, SCRATCH + 1, y, part);
   vex(&j->a, is_signed ? VPMULDQ : VPMULUDQ, SCRATCH, SCRATCH, x86_reg(SCRATCH + 1));
}

/* Of source 1 the multiplier takes the low word, unsigned. */
static void
mul(struct jit *j, const struct eu_op *op)
{
   unsigned x = jit_new_register(j), y = jit_new_register(j);
   jit_load_into(j, op, 0, 0, x, false);
   jit_load_into(j, op, 1, 0, y, false);
   vex(&j->a, VPAND, y, y, CONSTANT(low_half));
   unsigned mask = mask_of(j, op);
   for (unsigned part = 0; part < 2; part++) {
      multiply(j, op, x, y, part);
      store_part(j, part, mask);
   }
}

/* EU-149: the product with the high word, where it stands, is added; on every channel. */
static void
mach(struct jit *j, const struct eu_op *op)
{
   struct x86 *a = &j->a;
   jit_pin_destination(j, op, 0);
   unsigned x = jit_new_register(j), y = jit_new_register(j), r = jit_new_register(j);
   jit_load_into(j, op, 0, 0, x, false);
   jit_load_into(j, op, 1, 0, y, false);
   vex_shift(a, VPSRLD, y, y, 16);
   vex_shift(a, VPSLLD, y, y, 16);
   multiply(j, op, x, y, 0);
   vex(a, VPADDQ, r, SCRATCH, lanes_at(0));
   multiply(j, op, x, y, 1);
   vex(a, VPADDQ, SCRATCH, SCRATCH, lanes_at(1));
   size_t disabled = jump_if_disabled(j);
   vex(a, VMOVDQU_STORE, r, 0, lanes_at(0));
   vex(a, VMOVDQU_STORE, SCRATCH, 0, lanes_at(1));
   x86_patch(a, disabled, a->size);
   vex_imm(a, VSHUFPS_I, r, r, x86_reg(SCRATCH), 0xdd); /* the upper dwords */
   vex_imm(a, VPERMQ_I, r, 0, x86_reg(r), 0xd8);
   jit_store(j, op, 0, r, op->predicate != 0);
}

void
jit_accumulator(struct jit *j, const struct eu_op *op)
{
   switch (op->operation) {
   case FAST_MUL_ACC:
      mul(j, op);
      break;
   case FAST_MACH:
      mach(j, op);
      break;
   default:
      carry(j, op);
      break;
   }
}
