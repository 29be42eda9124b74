/* Fast paths, eight channels in a vector. Compiled for what every host of its kind has, and on
 * x86-64 once more for AVX2 and FMA (eu_fast_choose). */
#include "eu/fast_vector.h"

/* ---- operations ----------------------------------------------------------------------------- */

/* One that is no number gives 0. */
INLINE v8i
saturated(v8f v)
{
   return v8_as_int(v8f_min(v8f_max(v, v8f_all(0)), v8f_all(1)));
}

INLINE v8f
lerp(v8f a, v8f b, v8f c)
{
   v8d x = v8f_widen(a), y = v8f_widen(b), z = v8f_widen(c);
   return v8d_narrow(V8_EACH(v8d, x.p[k] * y.p[k] + (1.0 - x.p[k]) * z.p[k]));
}

/* EU-156: in double, term by term; both groups of four at once. */
INLINE v8f
dot(enum fast_operation f, v8f a, v8f b)
{
   if (f == FAST_F_DPH)
      a = v8f_choose(v8i_mask(0x88), v8f_all(1), a);
   v8d x = v8f_widen(a), y = v8f_widen(b);
   return v8d_narrow(v8d_sums(V8_EACH(v8d, x.p[k] * y.p[k]), f == FAST_F_DP2   ? 2
                                                             : f == FAST_F_DP3 ? 3
                                                                               : 4));
}

INLINE v8f
float_result(enum fast_operation f, v8f a, v8f b, v8f c, bool nearest)
{
   switch (f) {
   case FAST_F_ADD:
      return v8f_add(a, b);
   case FAST_F_MUL:
      return v8f_mul(a, b);
   case FAST_F_MAD:
      return v8f_fused(b, c, a, nearest);
   case FAST_F_LRP:
      return lerp(a, b, c);
   case FAST_F_DP2:
   case FAST_F_DP3:
   case FAST_F_DP4:
   case FAST_F_DPH:
      return dot(f, a, b);
   case FAST_F_MOV:
      return v8f_flushed(a);
   case FAST_F_RNDU:
      return v8f_integral(v8f_flushed(a), 1);
   case FAST_F_RNDD:
      return v8f_integral(v8f_flushed(a), 2);
   case FAST_F_RNDE:
      return v8f_integral(v8f_flushed(a), 0);
   case FAST_F_FRC:
      a = v8f_flushed(a);
      return v8f_sub(a, v8f_integral(a, 2));
   default:
      return v8f_integral(v8f_flushed(a), 3);
   }
}

/* EU-117: conditions of a number as comparisons with zero. */
INLINE uint32_t
float_condition(unsigned condition, v8f r)
{
   switch (condition) {
   case EU_COND_Z:
      return v8i_signs(v8f_equal(r, v8f_all(0)));
   case EU_COND_NZ:
      return v8i_signs(v8f_differs(r, v8f_all(0)));
   case EU_COND_G:
      return v8i_signs(v8f_more(r, v8f_all(0)));
   case EU_COND_GE:
      return v8i_signs(v8f_at_least(r, v8f_all(0)));
   case EU_COND_L:
      return v8i_signs(v8f_less(r, v8f_all(0)));
   default:
      return v8i_signs(v8f_at_most(r, v8f_all(0)));
   }
}

INLINE bool
has_two_sources(enum fast_operation f)
{
   return f == FAST_F_ADD || f == FAST_F_MUL || f == FAST_F_MAD || f == FAST_F_LRP ||
          (f >= FAST_F_DP2 && f <= FAST_F_DPH);
}

/* EU-158: p·u + q·v + r. */
INLINE v8f
plane(const struct eu_thread *t, const struct eu_op *op, unsigned half, bool nearest)
{
   const uint8_t *at = place(t, op->src[0][0] & ~15u), *uv = place(t, op->src[1][half]);
   v8f p = v8_as_float(v8i_all(load32(place(t, op->src[0][0])))),
       q = v8_as_float(v8i_all(load32(at + 4))), r = v8_as_float(v8i_all(load32(at + 12)));
   v8f u = v8_as_float(v8i_load(uv)), v = v8_as_float(v8i_load(uv + 32));
   return v8f_fused(q, v, v8f_fused(p, u, r, nearest), nearest);
}

/* Arithmetic that gives floats. */
INLINE const struct eu_op *
run_float(struct eu_thread *t, const struct eu_op *op, enum fast_operation f, unsigned k0,
          unsigned k1, unsigned k2, bool sat, bool plain)
{
   uint32_t m = plain ? enabled(t, op) : write_mask(t, op);
   bool nearest = rounds_to_nearest(t);
   /* EU-154: to nearest, whatever cr0 says */
   bool other = f == FAST_F_FRC && !nearest;
   for (unsigned half = 0;;) {
      v8f r;
      if (f == FAST_F_PLN) {
         r = plane(t, op, half, nearest);
      } else {
         v8f a = load_float(t, op, 0, half, k0), b = a, c = a;
         if (has_two_sources(f))
            b = load_float(t, op, 1, half, k1);
         if (f == FAST_F_MAD || f == FAST_F_LRP)
            c = load_float(t, op, 2, half, k2);
         r = float_result(f, a, b, c, nearest);
      }
      if (__builtin_expect(other, 0)) {
         hand_over(t, op, half, m, UINT32_MAX);
      } else {
         if (!plain && op->d->condition)
            store_flags(t, op, half, float_condition(op->d->condition, r), m);
         store(t, op, half, sat ? saturated(r) : v8_as_int(settled(r)), m, plain);
      }
      if (++half == op->count)
         return op + 1;
      m >>= 8;
   }
}

/* EU-124: minimum and maximum; one NaN gives the other operand. */
INLINE const struct eu_op *
run_minmax(struct eu_thread *t, const struct eu_op *op, bool less, unsigned k0, unsigned k1,
           bool plain)
{
   uint32_t m = plain ? enabled(t, op) : write_mask(t, op);
   for (unsigned half = 0;;) {
      v8f a = load_float(t, op, 0, half, k0), b = load_float(t, op, 1, half, k1);
      v8i first = less ? v8f_less(a, b) : v8f_at_least(a, b);
      v8f r = v8f_flushed(v8f_choose(v8i_or(first, v8f_nan(b)), a, b));
      store(t, op, half, v8_as_int(settled(r)), m, plain);
      if (++half == op->count)
         return op + 1;
      m >>= 8;
   }
}

INLINE v8i
compare_result(enum fast_operation f, v8i a, v8i b)
{
   v8f x = v8_as_float(a), y = v8_as_float(b);
   switch (f) {
   case FAST_F_CMP_Z:
      return v8f_equal(x, y);
   case FAST_F_CMP_NZ:
      return v8f_differs(x, y);
   case FAST_F_CMP_G:
      return v8f_more(x, y);
   case FAST_F_CMP_GE:
      return v8f_at_least(x, y);
   case FAST_F_CMP_L:
      return v8f_less(x, y);
   case FAST_F_CMP_LE:
      return v8f_at_most(x, y);
   case FAST_I_CMP_Z:
      return v8i_equal(a, b);
   case FAST_I_CMP_NZ:
      return v8i_not(v8i_equal(a, b));
   case FAST_I_CMP_G:
      return v8i_more(a, b);
   case FAST_I_CMP_GE:
      return v8i_not(v8i_more(b, a));
   case FAST_I_CMP_L:
      return v8i_more(b, a);
   case FAST_I_CMP_LE:
      return v8i_not(v8i_more(a, b));
   case FAST_U_CMP_G:
      return v8i_more(v8u_order(a), v8u_order(b));
   case FAST_U_CMP_GE:
      return v8i_not(v8i_more(v8u_order(b), v8u_order(a)));
   case FAST_U_CMP_L:
      return v8i_more(v8u_order(b), v8u_order(a));
   default:
      return v8i_not(v8i_more(v8u_order(a), v8u_order(b)));
   }
}

INLINE const struct eu_op *
run_compare(struct eu_thread *t, const struct eu_op *op, enum fast_operation f, unsigned k0,
            unsigned k1)
{
   bool floats = f <= FAST_F_CMP_LE;
   uint32_t m = write_mask(t, op);
   for (unsigned half = 0;;) {
      v8i a = floats ? v8_as_int(load_float(t, op, 0, half, k0)) : load_int(t, op, 0, half, k0);
      v8i b = floats ? v8_as_int(load_float(t, op, 1, half, k1)) : load_int(t, op, 1, half, k1);
      v8i r = compare_result(f, a, b);
      store_flags(t, op, half, v8i_signs(r), m);
      if (op->dst_kind != FAST_TO_NULL)
         store(t, op, half, r, m, false);
      if (++half == op->count)
         return op + 1;
      m >>= 8;
   }
}

/* By halves, which are exact; rounded once, when they are put together. */
INLINE v8i
unsigned_to_float(v8i v, bool nearest)
{
   v8f high = v8i_to_float(v8i_shr_by(v, 16)), low = v8i_to_float(v8i_and(v, v8i_all(0xffff)));
   return v8_as_int(v8f_fused(high, v8f_all(65536.0f), low, nearest));
}

/* Shift counts are taken modulo 32. */
INLINE v8i
int_result(enum fast_operation f, v8i a, v8i b, bool nearest)
{
   v8i count = v8i_and(b, v8i_all(31));
   switch (f) {
   case FAST_I_ADD:
      return v8i_add(a, b);
   case FAST_I_MUL:
      return v8i_mul(a, b);
   case FAST_I_AND:
      return v8i_and(a, b);
   case FAST_I_OR:
      return v8i_or(a, b);
   case FAST_I_XOR:
      return v8i_xor(a, b);
   case FAST_I_NOT:
      return v8i_not(a);
   case FAST_I_SHL:
      return v8i_shl(a, count);
   case FAST_I_SHR:
      return v8i_shr(a, count);
   case FAST_I_ASR:
      return v8i_asr(a, count);
   case FAST_I_MIN:
      return v8i_min(a, b);
   case FAST_I_MAX:
      return v8i_max(a, b);
   case FAST_U_MIN:
      return v8u_min(a, b);
   case FAST_U_MAX:
      return v8u_max(a, b);
   case FAST_I_TO_F:
      return v8_as_int(v8i_to_float(a));
   case FAST_U_TO_F:
      return unsigned_to_float(a, nearest);
   default:
      return a;
   }
}

INLINE bool
has_one_source(enum fast_operation f)
{
   return f == FAST_I_MOV || f == FAST_I_NOT || f == FAST_I_TO_F || f == FAST_U_TO_F;
}

INLINE bool
may_set_flags(enum fast_operation f)
{
   return f == FAST_I_MOV || f == FAST_I_AND || f == FAST_I_OR || f == FAST_I_XOR ||
          f == FAST_I_NOT;
}

/* A copy of floats goes by what they are as numbers. */
static inline void
int_flags(struct eu_thread *t, const struct eu_op *op, unsigned half, v8i r, uint32_t m)
{
   uint32_t z = v8i_signs(v8i_equal(r, v8i_all(0))), negative = v8i_signs(r), truth;
   switch (op->d->condition) {
   case 1:
      truth = z;
      break;
   case 2:
      truth = ~z;
      break;
   case 3:
      truth = ~(z | negative);
      break;
   case 4:
      truth = ~negative;
      break;
   case 5:
      truth = negative;
      break;
   default:
      truth = z | negative;
      break;
   }
   if (op->d->exec_class == CLASS_FLOAT)
      truth = float_condition(op->d->condition, v8_as_float(r));
   store_flags(t, op, half, truth, m);
}

INLINE const struct eu_op *
run_int(struct eu_thread *t, const struct eu_op *op, enum fast_operation f, unsigned k0,
        unsigned k1, bool plain)
{
   uint32_t m = plain ? enabled(t, op) : write_mask(t, op);
   for (unsigned half = 0;;) {
      v8i a = load_int(t, op, 0, half, k0);
      v8i b = has_one_source(f) ? a : load_int(t, op, 1, half, k1);
      v8i r = int_result(f, a, b, rounds_to_nearest(t));
      if (f == FAST_I_TO_F && op->modifier[0] & FAST_NEGATE) /* EU-125: 2^31 fits a float */
         r = v8i_xor(r, v8i_shl_by(v8i_equal(a, v8i_all(INT32_MIN)), 31));
      if (!plain && may_set_flags(f) && op->d->condition)
         int_flags(t, op, half, r, m);
      store(t, op, half, r, m, plain);
      if (++half == op->count)
         return op + 1;
      m >>= 8;
   }
}

/* The predicate chooses; it does not disable. */
INLINE const struct eu_op *
run_select(struct eu_thread *t, const struct eu_op *op, bool floats, unsigned k0, unsigned k1,
           bool plain)
{
   uint32_t m = enabled(t, op);
   uint32_t choice = op->predicate ? predicate_bits(t, op) : UINT32_MAX;
   for (unsigned half = 0;;) {
      v8i a = floats ? v8_as_int(load_float(t, op, 0, half, k0)) : load_int(t, op, 0, half, k0);
      v8i b = floats ? v8_as_int(load_float(t, op, 1, half, k1)) : load_int(t, op, 1, half, k1);
      store(t, op, half, v8i_choose(v8i_mask(choice), a, b), m, plain);
      if (++half == op->count)
         return op + 1;
      m >>= 8;
      choice >>= 8;
   }
}

/* EU-045: toward zero; what does not fit is clamped, NaN gives 0. */
INLINE v8i
to_signed(v8f a)
{
   v8i r = v8i_xor(v8f_truncate(a), v8f_at_least(a, v8f_all(0x1p31f)));
   return v8i_and(r, v8f_equal(a, a));
}

/* In two halves of the range. */
INLINE v8i
to_unsigned(v8f a)
{
   v8f positive = v8f_max(a, v8f_all(0)) /* NaN gives the zero */, half = v8f_all(0x1p31f);
   v8i high = v8f_at_least(positive, half);
   v8f rest = v8f_sub(positive, v8_as_float(v8i_and(high, v8_as_int(half))));
   v8i r = v8i_xor(v8f_truncate(rest), v8i_shl_by(high, 31));
   return v8i_or(r, v8f_at_least(positive, v8f_all(0x1p32f)));
}

INLINE const struct eu_op *
run_to_int(struct eu_thread *t, const struct eu_op *op, bool is_signed, unsigned k0, bool plain)
{
   uint32_t m = plain ? enabled(t, op) : write_mask(t, op);
   for (unsigned half = 0;;) {
      v8f a = load_float(t, op, 0, half, k0);
      store(t, op, half, is_signed ? to_signed(a) : to_unsigned(a), m, plain);
      if (++half == op->count)
         return op + 1;
      m >>= 8;
   }
}

/* ---- the table ------------------------------------------------------------------------------ */

#define DEFINE_ONE(name, body)                                                                     \
   static const struct eu_op *name(struct eu_thread *t, const struct eu_op *op)                    \
   {                                                                                               \
      return body;                                                                                 \
   }

/* Twice: for plain writes, which need no stack frame, and for others. */
#define DEFINE(name, body)                                                                         \
   static __attribute__((noinline))                                                                \
   const struct eu_op *name##_other(struct eu_thread *t, const struct eu_op *op)                   \
   {                                                                                               \
      const bool plain = false;                                                                    \
      return body;                                                                                 \
   }                                                                                               \
   static const struct eu_op *name(struct eu_thread *t, const struct eu_op *op)                    \
   {                                                                                               \
      const bool plain = true;                                                                     \
      if (!op->plain)                                                                              \
         return name##_other(t, op);                                                               \
      return body;                                                                                 \
   }

#define SOURCES2(prefix, CALL)                                                                     \
   DEFINE(prefix##_vv, CALL(FAST_VECTOR, FAST_VECTOR))                                             \
   DEFINE(prefix##_vs, CALL(FAST_VECTOR, FAST_SCALAR))                                             \
   DEFINE(prefix##_vc, CALL(FAST_VECTOR, FAST_CONST))                                              \
   DEFINE(prefix##_va, CALL(FAST_VECTOR, FAST_ANY))                                                \
   DEFINE(prefix##_sv, CALL(FAST_SCALAR, FAST_VECTOR))                                             \
   DEFINE(prefix##_ss, CALL(FAST_SCALAR, FAST_SCALAR))                                             \
   DEFINE(prefix##_sc, CALL(FAST_SCALAR, FAST_CONST))                                              \
   DEFINE(prefix##_sa, CALL(FAST_SCALAR, FAST_ANY))                                                \
   DEFINE(prefix##_av, CALL(FAST_ANY, FAST_VECTOR))                                                \
   DEFINE(prefix##_as, CALL(FAST_ANY, FAST_SCALAR))                                                \
   DEFINE(prefix##_ac, CALL(FAST_ANY, FAST_CONST))                                                 \
   DEFINE(prefix##_aa, CALL(FAST_ANY, FAST_ANY))                                                   \
   static const eu_op_fn prefix##_table[3][4] = {                                                  \
       {prefix##_vv, prefix##_vs, prefix##_vc, prefix##_va},                                       \
       {prefix##_sv, prefix##_ss, prefix##_sc, prefix##_sa},                                       \
       {prefix##_av, prefix##_as, prefix##_ac, prefix##_aa},                                       \
   };

#define SOURCES1(prefix, CALL)                                                                     \
   DEFINE(prefix##_v, CALL(FAST_VECTOR, FAST_VECTOR))                                              \
   DEFINE(prefix##_s, CALL(FAST_SCALAR, FAST_SCALAR))                                              \
   DEFINE(prefix##_c, CALL(FAST_CONST, FAST_CONST))                                                \
   DEFINE(prefix##_a, CALL(FAST_ANY, FAST_ANY))                                                    \
   static const eu_op_fn prefix##_table[4] = {prefix##_v, prefix##_s, prefix##_c, prefix##_a};

#define CALL(a, b) run_float(t, op, FAST_F_ADD, a, b, 0, false, plain)
SOURCES2(f_add, CALL)
#undef CALL
#define CALL(a, b) run_float(t, op, FAST_F_MUL, a, b, 0, false, plain)
SOURCES2(f_mul, CALL)
#undef CALL
#define CALL(a, b) run_minmax(t, op, true, a, b, plain)
SOURCES2(f_sell, CALL)
#undef CALL
#define CALL(a, b) run_minmax(t, op, false, a, b, plain)
SOURCES2(f_selge, CALL)
#undef CALL
#define CALL(a, b) run_select(t, op, true, a, b, plain)
SOURCES2(f_sel, CALL)
#undef CALL
#define CALL(a, b) run_select(t, op, false, a, b, plain)
SOURCES2(i_sel, CALL)
#undef CALL
#define CALL(a, b) run_float(t, op, FAST_F_MOV, a, b, 0, false, plain)
SOURCES1(f_mov, CALL)
#undef CALL
#define CALL(a, b) run_int(t, op, FAST_I_MOV, a, b, plain)
SOURCES1(i_mov, CALL)
#undef CALL
#define CALL(a, b) run_int(t, op, FAST_I_NOT, a, b, plain)
SOURCES1(i_not, CALL)
#undef CALL
#define CALL(a, b) run_int(t, op, FAST_I_TO_F, a, b, plain)
SOURCES1(i_to_f, CALL)
#undef CALL
#define CALL(a, b) run_int(t, op, FAST_U_TO_F, a, b, plain)
SOURCES1(u_to_f, CALL)
#undef CALL
#define CALL(a, b) run_to_int(t, op, true, a, plain)
SOURCES1(f_to_d, CALL)
#undef CALL
#define CALL(a, b) run_to_int(t, op, false, a, plain)
SOURCES1(f_to_ud, CALL)
#undef CALL

#define CALL(a, b) run_int(t, op, FAST_I_ADD, a, b, plain)
SOURCES2(i_add, CALL)
#undef CALL
#define CALL(a, b) run_int(t, op, FAST_I_MUL, a, b, plain)
SOURCES2(i_mul, CALL)
#undef CALL
#define CALL(a, b) run_int(t, op, FAST_I_AND, a, b, plain)
SOURCES2(i_and, CALL)
#undef CALL
#define CALL(a, b) run_int(t, op, FAST_I_OR, a, b, plain)
SOURCES2(i_or, CALL)
#undef CALL
#define CALL(a, b) run_int(t, op, FAST_I_XOR, a, b, plain)
SOURCES2(i_xor, CALL)
#undef CALL
#define CALL(a, b) run_int(t, op, FAST_I_SHL, a, b, plain)
SOURCES2(i_shl, CALL)
#undef CALL
#define CALL(a, b) run_int(t, op, FAST_I_SHR, a, b, plain)
SOURCES2(i_shr, CALL)
#undef CALL
#define CALL(a, b) run_int(t, op, FAST_I_ASR, a, b, plain)
SOURCES2(i_asr, CALL)
#undef CALL

DEFINE(i_min, run_int(t, op, FAST_I_MIN, FAST_ANY, FAST_ANY, plain))
DEFINE(i_max, run_int(t, op, FAST_I_MAX, FAST_ANY, FAST_ANY, plain))
DEFINE(u_min, run_int(t, op, FAST_U_MIN, FAST_ANY, FAST_ANY, plain))
DEFINE(u_max, run_int(t, op, FAST_U_MAX, FAST_ANY, FAST_ANY, plain))

#define COMPARE(code)                                                                              \
   DEFINE_ONE(compare_##code##_vv, run_compare(t, op, code, FAST_VECTOR, FAST_VECTOR))             \
   DEFINE_ONE(compare_##code##_vc, run_compare(t, op, code, FAST_VECTOR, FAST_CONST))              \
   DEFINE_ONE(compare_##code##_aa, run_compare(t, op, code, FAST_ANY, FAST_ANY))
COMPARE(FAST_F_CMP_Z)
COMPARE(FAST_F_CMP_NZ)
COMPARE(FAST_F_CMP_G)
COMPARE(FAST_F_CMP_GE)
COMPARE(FAST_F_CMP_L)
COMPARE(FAST_F_CMP_LE)
COMPARE(FAST_I_CMP_Z)
COMPARE(FAST_I_CMP_NZ)
COMPARE(FAST_I_CMP_G)
COMPARE(FAST_I_CMP_GE)
COMPARE(FAST_I_CMP_L)
COMPARE(FAST_I_CMP_LE)
COMPARE(FAST_U_CMP_G)
COMPARE(FAST_U_CMP_GE)
COMPARE(FAST_U_CMP_L)
COMPARE(FAST_U_CMP_LE)

#define FLOAT_SAT(name, code)                                                                      \
   DEFINE(name##_sat, run_float(t, op, code, FAST_ANY, FAST_ANY, FAST_ANY, true, plain))
#define FLOAT_ANY(name, code)                                                                      \
   DEFINE(name, run_float(t, op, code, FAST_ANY, FAST_ANY, FAST_ANY, false, plain))                \
   FLOAT_SAT(name, code)
FLOAT_SAT(any_add, FAST_F_ADD)
FLOAT_SAT(any_mul, FAST_F_MUL)
FLOAT_SAT(any_mov, FAST_F_MOV)
FLOAT_ANY(any_mad, FAST_F_MAD)
FLOAT_ANY(any_rndu, FAST_F_RNDU)
FLOAT_ANY(any_rndd, FAST_F_RNDD)
FLOAT_ANY(any_rnde, FAST_F_RNDE)
FLOAT_ANY(any_rndz, FAST_F_RNDZ)
FLOAT_ANY(any_frc, FAST_F_FRC)
FLOAT_ANY(any_lrp, FAST_F_LRP)
FLOAT_ANY(any_dp2, FAST_F_DP2)
FLOAT_ANY(any_dp3, FAST_F_DP3)
FLOAT_ANY(any_dp4, FAST_F_DP4)
FLOAT_ANY(any_dph, FAST_F_DPH)
FLOAT_ANY(any_pln, FAST_F_PLN)

#define MAD(a, b, c) run_float(t, op, FAST_F_MAD, a, b, c, false, plain)
DEFINE(mad_vvv, MAD(FAST_VECTOR, FAST_VECTOR, FAST_VECTOR))
DEFINE(mad_vvs, MAD(FAST_VECTOR, FAST_VECTOR, FAST_SCALAR))
DEFINE(mad_vsv, MAD(FAST_VECTOR, FAST_SCALAR, FAST_VECTOR))
DEFINE(mad_vss, MAD(FAST_VECTOR, FAST_SCALAR, FAST_SCALAR))
DEFINE(mad_svv, MAD(FAST_SCALAR, FAST_VECTOR, FAST_VECTOR))
DEFINE(mad_svs, MAD(FAST_SCALAR, FAST_VECTOR, FAST_SCALAR))
DEFINE(mad_ssv, MAD(FAST_SCALAR, FAST_SCALAR, FAST_VECTOR))
DEFINE(mad_sss, MAD(FAST_SCALAR, FAST_SCALAR, FAST_SCALAR))

static unsigned
column(const struct eu_op *op, unsigned n, bool constants)
{
   if (op->modifier[n])
      return constants ? 3 : 2;
   switch (op->kind[n]) {
   case FAST_VECTOR:
      return 0;
   case FAST_SCALAR:
      return 1;
   case FAST_CONST:
      return 2;
   default:
      return constants ? 3 : 2;
   }
}

static eu_op_fn
mad_function(const struct eu_op *op)
{
   static const eu_op_fn table[8] = {mad_vvv, mad_vvs, mad_vsv, mad_vss,
                                     mad_svv, mad_svs, mad_ssv, mad_sss};
   unsigned index = 0;
   for (unsigned n = 0; n < 3; n++) {
      unsigned c = column(op, n, false);
      if (c > 1)
         return any_mad;
      index = index * 2 + c;
   }
   return table[index];
}

/* Operations that are not worth a function per kind of source. */
static eu_op_fn
any_function(enum fast_operation f, bool saturate)
{
   static const eu_op_fn table[][2] = {
       [FAST_F_ADD] = {NULL, any_add_sat},       [FAST_F_MUL] = {NULL, any_mul_sat},
       [FAST_F_MOV] = {NULL, any_mov_sat},       [FAST_F_MAD] = {any_mad, any_mad_sat},
       [FAST_F_RNDU] = {any_rndu, any_rndu_sat}, [FAST_F_RNDD] = {any_rndd, any_rndd_sat},
       [FAST_F_RNDE] = {any_rnde, any_rnde_sat}, [FAST_F_RNDZ] = {any_rndz, any_rndz_sat},
       [FAST_F_FRC] = {any_frc, any_frc_sat},    [FAST_F_LRP] = {any_lrp, any_lrp_sat},
       [FAST_F_DP2] = {any_dp2, any_dp2_sat},    [FAST_F_DP3] = {any_dp3, any_dp3_sat},
       [FAST_F_DP4] = {any_dp4, any_dp4_sat},    [FAST_F_DPH] = {any_dph, any_dph_sat},
       [FAST_F_PLN] = {any_pln, any_pln_sat},
   };
   return table[f][saturate];
}

static eu_op_fn
compare_function(enum fast_operation f, const struct eu_op *op)
{
   unsigned a = column(op, 0, true), b = column(op, 1, true);
   unsigned which = a == 0 && b == 0 ? 0 : a == 0 && b == 2 ? 1 : 2;
#define ROW(code)                                                                                  \
   case code: {                                                                                    \
      static const eu_op_fn row[3] = {compare_##code##_vv, compare_##code##_vc,                    \
                                      compare_##code##_aa};                                        \
      return row[which];                                                                           \
   }
   switch (f) {
      ROW(FAST_F_CMP_Z)
      ROW(FAST_F_CMP_NZ)
      ROW(FAST_F_CMP_G)
      ROW(FAST_F_CMP_GE)
      ROW(FAST_F_CMP_L)
      ROW(FAST_F_CMP_LE)
      ROW(FAST_I_CMP_Z)
      ROW(FAST_I_CMP_NZ)
      ROW(FAST_I_CMP_G)
      ROW(FAST_I_CMP_GE)
      ROW(FAST_I_CMP_L)
      ROW(FAST_I_CMP_LE)
      ROW(FAST_U_CMP_G)
      ROW(FAST_U_CMP_GE)
      ROW(FAST_U_CMP_L)
   default: {
      static const eu_op_fn row[3] = {compare_FAST_U_CMP_LE_vv, compare_FAST_U_CMP_LE_vc,
                                      compare_FAST_U_CMP_LE_aa};
      return row[which];
   }
   }
}

static eu_op_fn
fast_function(enum fast_operation f, const struct eu_op *op, bool saturate)
{
   unsigned a = column(op, 0, false), b = column(op, 1, true), one = column(op, 0, true);
   if (saturate)
      return any_function(f, true);
   switch (f) {
   case FAST_F_ADD:
      return f_add_table[a][b];
   case FAST_F_MUL:
      return f_mul_table[a][b];
   case FAST_F_MAD:
      return mad_function(op);
   case FAST_F_MOV:
      return f_mov_table[one];
   case FAST_F_SEL:
      return f_sel_table[a][b];
   case FAST_F_SELL:
      return f_sell_table[a][b];
   case FAST_F_SELGE:
      return f_selge_table[a][b];
   case FAST_F_RNDU:
   case FAST_F_RNDD:
   case FAST_F_RNDE:
   case FAST_F_RNDZ:
   case FAST_F_FRC:
   case FAST_F_LRP:
   case FAST_F_DP2:
   case FAST_F_DP3:
   case FAST_F_DP4:
   case FAST_F_DPH:
   case FAST_F_PLN:
      return any_function(f, false);
   case FAST_F_TO_D:
      return f_to_d_table[one];
   case FAST_F_TO_UD:
      return f_to_ud_table[one];
   case FAST_F_INV:
   case FAST_F_SQRT:
   case FAST_F_RSQ:
   case FAST_F_FDIV:
   case FAST_F_LOG:
   case FAST_F_EXP:
   case FAST_F_SIN:
   case FAST_F_COS:
   case FAST_F_POW:
      return HOST_NAME(eu_fast_math)(f);
   case FAST_I_MOV:
      return i_mov_table[one];
   case FAST_I_NOT:
      return i_not_table[one];
   case FAST_I_TO_F:
      return i_to_f_table[one];
   case FAST_U_TO_F:
      return u_to_f_table[one];
   case FAST_I_ADD:
      return i_add_table[a][b];
   case FAST_I_MUL:
      return i_mul_table[a][b];
   case FAST_I_AND:
      return i_and_table[a][b];
   case FAST_I_OR:
      return i_or_table[a][b];
   case FAST_I_XOR:
      return i_xor_table[a][b];
   case FAST_I_SHL:
      return i_shl_table[a][b];
   case FAST_I_SHR:
      return i_shr_table[a][b];
   case FAST_I_ASR:
      return i_asr_table[a][b];
   case FAST_I_SEL:
      return i_sel_table[a][b];
   case FAST_I_MIN:
      return i_min;
   case FAST_I_MAX:
      return i_max;
   case FAST_U_MIN:
      return u_min;
   case FAST_U_MAX:
      return u_max;
   default:
      return compare_function(f, op);
   }
}

const struct eu_fast_functions HOST_NAME(eu_fast) = {
    .function = fast_function,
    .accumulator = HOST_NAME(eu_fast_accumulator),
    .eight = HOST_NAME(eu_fast_eight),
};
