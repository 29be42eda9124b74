/* Products and carries of dwords by way of the accumulator, eight channels at a time. */
#include "eu/fast_vector.h"

/* Of source 1 the multiplier takes the low word, unsigned. */
INLINE const struct eu_op *
run_mul(struct eu_thread *t, const struct eu_op *op, bool is_signed)
{
   v8i a = load_any(t, op, 0, 0), b = v8i_and(load_any(t, op, 1, 0), v8i_all(0xffff));
   v8l_store_masked(t->acc, write_mask(t, op), v8i_product(a, b, is_signed));
   return op + 1;
}

/* EU-149: the accumulator takes the sum on every channel, the destination its upper half on enabled
 * ones. */
INLINE const struct eu_op *
run_mach(struct eu_thread *t, const struct eu_op *op, bool is_signed)
{
   v8i a = load_any(t, op, 0, 0), b = load_any(t, op, 1, 0);
   v8l w = v8i_product(a, is_signed ? v8i_asr_by(b, 16) : v8i_shr_by(b, 16), is_signed);
   w = v8l_add(v8l_load(t->acc), v8l_shl_by(w, 16));
   if (!(t->cr0[0] & CR0_ACC_DISABLE)) /* EU-011 */
      v8l_store(t->acc, w);
   store(t, op, 0, v8l_dwords(w, true), write_mask(t, op), false);
   return op + 1;
}

/* EU-150, EU-151: the accumulator takes the carry or the borrow, both on enabled channels alone. */
INLINE const struct eu_op *
run_carry(struct eu_thread *t, const struct eu_op *op, bool subtract)
{
   uint32_t m = write_mask(t, op);
   v8i a = load_any(t, op, 0, 0), b = load_any(t, op, 1, 0);
   v8i r = subtract ? v8i_sub(a, b) : v8i_add(a, b);
   v8i least = subtract ? v8u_min(a, b) : v8u_min(r, a);
   v8i none = v8i_equal(least, subtract ? b : a);
   if (!(t->cr0[0] & CR0_ACC_DISABLE)) /* EU-011 */
      v8l_store_masked(t->acc, m, v8u_widen(v8i_add(none, v8i_all(1))));
   store(t, op, 0, r, m, false);
   return op + 1;
}

static const struct eu_op *
mul_ud(struct eu_thread *t, const struct eu_op *op)
{
   return run_mul(t, op, false);
}

static const struct eu_op *
mul_d(struct eu_thread *t, const struct eu_op *op)
{
   return run_mul(t, op, true);
}

static const struct eu_op *
mach_ud(struct eu_thread *t, const struct eu_op *op)
{
   return run_mach(t, op, false);
}

static const struct eu_op *
mach_d(struct eu_thread *t, const struct eu_op *op)
{
   return run_mach(t, op, true);
}

static const struct eu_op *
addc(struct eu_thread *t, const struct eu_op *op)
{
   return run_carry(t, op, false);
}

static const struct eu_op *
subb(struct eu_thread *t, const struct eu_op *op)
{
   return run_carry(t, op, true);
}

eu_op_fn
HOST_NAME(eu_fast_accumulator)(enum fast_operation f, bool is_signed)
{
   switch (f) {
   case FAST_MUL_ACC:
      return is_signed ? mul_d : mul_ud;
   case FAST_MACH:
      return is_signed ? mach_d : mach_ud;
   case FAST_ADDC:
      return addc;
   default:
      return subb;
   }
}
