/* Fast paths, eight channels in a vector. Compiled for AVX2 and FMA; only used where the CPU has
 * them. */
#include "eu/fast_avx2.h"

/* ---- operations ----------------------------------------------------------------------------- */

INLINE __m256
as_float(__m256i v)
{
   return _mm256_castsi256_ps(v);
}

INLINE __m256i
as_int(__m256 v)
{
   return _mm256_castps_si256(v);
}

INLINE __m256i
saturated(__m256 v)
{
   return as_int(_mm256_min_ps(_mm256_max_ps(v, _mm256_setzero_ps()), _mm256_set1_ps(1.0f)));
}

/* Denormals to zeros of their sign, which the rounding instruction of some CPUs does not keep. */
INLINE __m256
flushed(__m256 v)
{
   __m256i exponent = _mm256_and_si256(_mm256_castps_si256(v), _mm256_set1_epi32(0x7f800000));
   __m256i tiny = _mm256_cmpeq_epi32(exponent, _mm256_setzero_si256());
   __m256i drop = _mm256_srli_epi32(tiny, 1); /* all but the sign */
   return _mm256_andnot_ps(_mm256_castsi256_ps(drop), v);
}

INLINE __m256d
lower(__m256 v)
{
   return _mm256_cvtps_pd(_mm256_castps256_ps128(v));
}

INLINE __m256d
upper(__m256 v)
{
   return _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1));
}

INLINE __m128
lerp(__m256d a, __m256d b, __m256d c)
{
   __m256d rest = _mm256_sub_pd(_mm256_set1_pd(1.0), a);
   return _mm256_cvtpd_ps(_mm256_add_pd(_mm256_mul_pd(a, b), _mm256_mul_pd(rest, c)));
}

/* EU-156: in double, term by term; both groups of four at once. */
INLINE __m256
dot(enum fast_operation f, __m256 a, __m256 b)
{
   if (f == FAST_F_DPH)
      a = _mm256_blend_ps(a, _mm256_set1_ps(1.0f), 0x88);
   __m256d first = _mm256_mul_pd(lower(a), lower(b)), second = _mm256_mul_pd(upper(a), upper(b));
   __m256d even = _mm256_unpacklo_pd(first, second), odd = _mm256_unpackhi_pd(first, second);
   __m128d sum = _mm_add_pd(_mm256_castpd256_pd128(even), _mm256_castpd256_pd128(odd));
   if (f != FAST_F_DP2)
      sum = _mm_add_pd(sum, _mm256_extractf128_pd(even, 1));
   if (f == FAST_F_DP4 || f == FAST_F_DPH)
      sum = _mm_add_pd(sum, _mm256_extractf128_pd(odd, 1));
   return _mm256_permutevar8x32_ps(_mm256_castps128_ps256(_mm_cvtpd_ps(sum)),
                                   _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1));
}

INLINE __m256
float_result(enum fast_operation f, __m256 a, __m256 b, __m256 c)
{
   switch (f) {
   case FAST_F_ADD:
      return _mm256_add_ps(a, b);
   case FAST_F_MUL:
      return _mm256_mul_ps(a, b);
   case FAST_F_MAD:
      return _mm256_fmadd_ps(b, c, a);
   case FAST_F_LRP:
      return _mm256_set_m128(lerp(upper(a), upper(b), upper(c)),
                             lerp(lower(a), lower(b), lower(c)));
   case FAST_F_DP2:
   case FAST_F_DP3:
   case FAST_F_DP4:
   case FAST_F_DPH:
      return dot(f, a, b);
   case FAST_F_MOV:
      return flushed(a);
   case FAST_F_RNDU:
      return _mm256_round_ps(flushed(a), _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
   case FAST_F_RNDD:
      return _mm256_round_ps(flushed(a), _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
   case FAST_F_RNDE:
      return _mm256_round_ps(flushed(a), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
   case FAST_F_FRC:
      a = flushed(a);
      return _mm256_sub_ps(a, _mm256_round_ps(a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC));
   default:
      return _mm256_round_ps(flushed(a), _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
   }
}

/* EU-117: conditions of a number as comparisons with zero. */
INLINE uint32_t
float_condition(unsigned condition, __m256 r)
{
   __m256 zero = _mm256_setzero_ps(), truth;
   switch (condition) {
   case 1:
      truth = _mm256_cmp_ps(r, zero, _CMP_EQ_OQ);
      break;
   case 2:
      truth = _mm256_cmp_ps(r, zero, _CMP_NEQ_UQ);
      break;
   case 3:
      truth = _mm256_cmp_ps(r, zero, _CMP_GT_OQ);
      break;
   case 4:
      truth = _mm256_cmp_ps(r, zero, _CMP_GE_OQ);
      break;
   case 5:
      truth = _mm256_cmp_ps(r, zero, _CMP_LT_OQ);
      break;
   default:
      truth = _mm256_cmp_ps(r, zero, _CMP_LE_OQ);
      break;
   }
   return (uint32_t)_mm256_movemask_ps(truth);
}

INLINE bool
has_two_sources(enum fast_operation f)
{
   return f == FAST_F_ADD || f == FAST_F_MUL || f == FAST_F_MAD || f == FAST_F_LRP ||
          (f >= FAST_F_DP2 && f <= FAST_F_DPH);
}

/* EU-158: p·u + q·v + r. */
INLINE __m256
plane(const struct eu_thread *t, const struct eu_op *op, unsigned half)
{
   const uint8_t *at = place(t, op->src[0][0] & ~15u), *uv = place(t, op->src[1][half]);
   __m256 p = _mm256_broadcast_ss((const float *)(const void *)place(t, op->src[0][0])),
          q = _mm256_broadcast_ss((const float *)(const void *)(at + 4)),
          r = _mm256_broadcast_ss((const float *)(const void *)(at + 12));
   __m256 u = _mm256_loadu_ps((const float *)(const void *)uv),
          v = _mm256_loadu_ps((const float *)(const void *)(uv + 32));
   return _mm256_fmadd_ps(q, v, _mm256_fmadd_ps(p, u, r));
}

/* Arithmetic that gives floats. */
INLINE const struct eu_op *
run_float(struct eu_thread *t, const struct eu_op *op, enum fast_operation f, unsigned k0,
          unsigned k1, unsigned k2, bool sat)
{
   uint32_t m = write_mask(t, op);
   /* EU-154: to nearest, whatever cr0 says */
   bool other = f == FAST_F_FRC && t->cr0[0] >> CR0_ROUNDING_SHIFT & 3;
   for (unsigned half = 0;;) {
      __m256 r;
      if (f == FAST_F_PLN) {
         r = plane(t, op, half);
      } else {
         __m256 a = load_float(t, op, 0, half, k0), b = a, c = a;
         if (has_two_sources(f))
            b = load_float(t, op, 1, half, k1);
         if (f == FAST_F_MAD || f == FAST_F_LRP)
            c = load_float(t, op, 2, half, k2);
         r = float_result(f, a, b, c);
      }
      if (__builtin_expect(other, 0)) {
         hand_over(t, op, half, m, UINT32_MAX);
      } else {
         if (op->d->condition)
            store_flags(t, op, half, float_condition(op->d->condition, r), m);
         store(t, op, half, sat ? saturated(r) : as_int(settled(r)), m);
      }
      if (++half == op->count)
         return op + 1;
      m >>= 8;
   }
}

/* EU-124: minimum and maximum; one NaN gives the other operand. */
INLINE const struct eu_op *
run_minmax(struct eu_thread *t, const struct eu_op *op, bool less, unsigned k0, unsigned k1)
{
   uint32_t m = write_mask(t, op);
   for (unsigned half = 0;;) {
      __m256 a = load_float(t, op, 0, half, k0), b = load_float(t, op, 1, half, k1);
      __m256 first = less ? _mm256_cmp_ps(a, b, _CMP_LT_OQ) : _mm256_cmp_ps(a, b, _CMP_GE_OQ);
      first = _mm256_or_ps(first, _mm256_cmp_ps(b, b, _CMP_UNORD_Q));
      __m256 r = flushed(_mm256_blendv_ps(b, a, first));
      store(t, op, half, as_int(settled(r)), m);
      if (++half == op->count)
         return op + 1;
      m >>= 8;
   }
}

INLINE __m256i
unsigned_order(__m256i v)
{
   return _mm256_xor_si256(v, _mm256_set1_epi32(INT32_MIN));
}

INLINE __m256i
invert(__m256i v)
{
   return _mm256_xor_si256(v, _mm256_set1_epi32(-1));
}

INLINE __m256i
compare_result(enum fast_operation f, __m256i a, __m256i b)
{
   __m256 x = as_float(a), y = as_float(b);
   switch (f) {
   case FAST_F_CMP_Z:
      return as_int(_mm256_cmp_ps(x, y, _CMP_EQ_OQ));
   case FAST_F_CMP_NZ:
      return as_int(_mm256_cmp_ps(x, y, _CMP_NEQ_UQ));
   case FAST_F_CMP_G:
      return as_int(_mm256_cmp_ps(x, y, _CMP_GT_OQ));
   case FAST_F_CMP_GE:
      return as_int(_mm256_cmp_ps(x, y, _CMP_GE_OQ));
   case FAST_F_CMP_L:
      return as_int(_mm256_cmp_ps(x, y, _CMP_LT_OQ));
   case FAST_F_CMP_LE:
      return as_int(_mm256_cmp_ps(x, y, _CMP_LE_OQ));
   case FAST_I_CMP_Z:
      return _mm256_cmpeq_epi32(a, b);
   case FAST_I_CMP_NZ:
      return invert(_mm256_cmpeq_epi32(a, b));
   case FAST_I_CMP_G:
      return _mm256_cmpgt_epi32(a, b);
   case FAST_I_CMP_GE:
      return invert(_mm256_cmpgt_epi32(b, a));
   case FAST_I_CMP_L:
      return _mm256_cmpgt_epi32(b, a);
   case FAST_I_CMP_LE:
      return invert(_mm256_cmpgt_epi32(a, b));
   case FAST_U_CMP_G:
      return _mm256_cmpgt_epi32(unsigned_order(a), unsigned_order(b));
   case FAST_U_CMP_GE:
      return invert(_mm256_cmpgt_epi32(unsigned_order(b), unsigned_order(a)));
   case FAST_U_CMP_L:
      return _mm256_cmpgt_epi32(unsigned_order(b), unsigned_order(a));
   default:
      return invert(_mm256_cmpgt_epi32(unsigned_order(a), unsigned_order(b)));
   }
}

INLINE const struct eu_op *
run_compare(struct eu_thread *t, const struct eu_op *op, enum fast_operation f, unsigned k0,
            unsigned k1)
{
   bool floats = f <= FAST_F_CMP_LE;
   uint32_t m = write_mask(t, op);
   for (unsigned half = 0;;) {
      __m256i a = floats ? as_int(load_float(t, op, 0, half, k0)) : load_int(t, op, 0, half, k0);
      __m256i b = floats ? as_int(load_float(t, op, 1, half, k1)) : load_int(t, op, 1, half, k1);
      __m256i r = compare_result(f, a, b);
      store_flags(t, op, half, (uint32_t)_mm256_movemask_ps(as_float(r)), m);
      if (op->dst_kind != FAST_TO_NULL)
         store(t, op, half, r, m);
      if (++half == op->count)
         return op + 1;
      m >>= 8;
   }
}

/* By halves, which are exact; rounded once, when they are put together. */
INLINE __m256i
unsigned_to_float(__m256i v)
{
   __m256 high = _mm256_cvtepi32_ps(_mm256_srli_epi32(v, 16));
   __m256 low = _mm256_cvtepi32_ps(_mm256_and_si256(v, _mm256_set1_epi32(0xffff)));
   return as_int(_mm256_fmadd_ps(high, _mm256_set1_ps(65536.0f), low));
}

/* Shift counts are taken modulo 32. */
INLINE __m256i
int_result(enum fast_operation f, __m256i a, __m256i b)
{
   __m256i count = _mm256_and_si256(b, _mm256_set1_epi32(31));
   switch (f) {
   case FAST_I_ADD:
      return _mm256_add_epi32(a, b);
   case FAST_I_MUL:
      return _mm256_mullo_epi32(a, b);
   case FAST_I_AND:
      return _mm256_and_si256(a, b);
   case FAST_I_OR:
      return _mm256_or_si256(a, b);
   case FAST_I_XOR:
      return _mm256_xor_si256(a, b);
   case FAST_I_NOT:
      return invert(a);
   case FAST_I_SHL:
      return _mm256_sllv_epi32(a, count);
   case FAST_I_SHR:
      return _mm256_srlv_epi32(a, count);
   case FAST_I_ASR:
      return _mm256_srav_epi32(a, count);
   case FAST_I_MIN:
      return _mm256_min_epi32(a, b);
   case FAST_I_MAX:
      return _mm256_max_epi32(a, b);
   case FAST_U_MIN:
      return _mm256_min_epu32(a, b);
   case FAST_U_MAX:
      return _mm256_max_epu32(a, b);
   case FAST_I_TO_F:
      return as_int(_mm256_cvtepi32_ps(a));
   case FAST_U_TO_F:
      return unsigned_to_float(a);
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
int_flags(struct eu_thread *t, const struct eu_op *op, unsigned half, __m256i r, uint32_t m)
{
   __m256i zero = _mm256_setzero_si256();
   uint32_t z = (uint32_t)_mm256_movemask_ps(as_float(_mm256_cmpeq_epi32(r, zero))),
            negative = (uint32_t)_mm256_movemask_ps(as_float(r)), truth;
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
      truth = float_condition(op->d->condition, as_float(r));
   store_flags(t, op, half, truth, m);
}

INLINE const struct eu_op *
run_int(struct eu_thread *t, const struct eu_op *op, enum fast_operation f, unsigned k0,
        unsigned k1)
{
   uint32_t m = write_mask(t, op);
   for (unsigned half = 0;;) {
      __m256i a = load_int(t, op, 0, half, k0);
      __m256i b = has_one_source(f) ? a : load_int(t, op, 1, half, k1);
      __m256i r = int_result(f, a, b);
      if (f == FAST_I_TO_F && op->modifier[0] & FAST_NEGATE) /* EU-125: 2^31 fits a float */
         r = _mm256_xor_si256(
             r, _mm256_slli_epi32(_mm256_cmpeq_epi32(a, _mm256_set1_epi32(INT32_MIN)), 31));
      if (may_set_flags(f) && op->d->condition)
         int_flags(t, op, half, r, m);
      store(t, op, half, r, m);
      if (++half == op->count)
         return op + 1;
      m >>= 8;
   }
}

/* The predicate chooses; it does not disable. */
INLINE const struct eu_op *
run_select(struct eu_thread *t, const struct eu_op *op, bool floats, unsigned k0, unsigned k1)
{
   uint32_t m = op->no_mask ? op->channels : enabled(t, op);
   uint32_t choice = op->predicate ? predicate_bits(t, op) : UINT32_MAX;
   for (unsigned half = 0;;) {
      __m256i a = floats ? as_int(load_float(t, op, 0, half, k0)) : load_int(t, op, 0, half, k0);
      __m256i b = floats ? as_int(load_float(t, op, 1, half, k1)) : load_int(t, op, 1, half, k1);
      __m256 r = _mm256_blendv_ps(as_float(b), as_float(a), as_float(lanes(choice)));
      store(t, op, half, as_int(r), m);
      if (++half == op->count)
         return op + 1;
      m >>= 8;
      choice >>= 8;
   }
}

/* EU-045: toward zero; what does not fit is clamped, NaN gives 0. The host gives INT32_MIN for all
 * of these. */
INLINE __m256i
to_signed(__m256 a)
{
   __m256 beyond = _mm256_cmp_ps(a, _mm256_set1_ps(0x1p31f), _CMP_GE_OQ);
   __m256i r = _mm256_xor_si256(_mm256_cvttps_epi32(a), as_int(beyond));
   return _mm256_and_si256(r, as_int(_mm256_cmp_ps(a, a, _CMP_ORD_Q)));
}

/* In two halves of the range. */
INLINE __m256i
to_unsigned(__m256 a)
{
   __m256 positive = _mm256_max_ps(a, _mm256_setzero_ps()); /* NaN gives the zero */
   __m256 half = _mm256_set1_ps(0x1p31f);
   __m256 high = _mm256_cmp_ps(positive, half, _CMP_GE_OQ);
   __m256i r = _mm256_cvttps_epi32(_mm256_sub_ps(positive, _mm256_and_ps(high, half)));
   r = _mm256_xor_si256(r, _mm256_slli_epi32(as_int(high), 31));
   return _mm256_or_si256(r, as_int(_mm256_cmp_ps(positive, _mm256_set1_ps(0x1p32f), _CMP_GE_OQ)));
}

INLINE const struct eu_op *
run_to_int(struct eu_thread *t, const struct eu_op *op, bool is_signed, unsigned k0)
{
   uint32_t m = write_mask(t, op);
   for (unsigned half = 0;;) {
      __m256 a = load_float(t, op, 0, half, k0);
      store(t, op, half, is_signed ? to_signed(a) : to_unsigned(a), m);
      if (++half == op->count)
         return op + 1;
      m >>= 8;
   }
}

/* ---- the table ------------------------------------------------------------------------------ */

#define DEFINE(name, body)                                                                         \
   static const struct eu_op *name(struct eu_thread *t, const struct eu_op *op)                    \
   {                                                                                               \
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

#define CALL(a, b) run_float(t, op, FAST_F_ADD, a, b, 0, false)
SOURCES2(f_add, CALL)
#undef CALL
#define CALL(a, b) run_float(t, op, FAST_F_MUL, a, b, 0, false)
SOURCES2(f_mul, CALL)
#undef CALL
#define CALL(a, b) run_minmax(t, op, true, a, b)
SOURCES2(f_sell, CALL)
#undef CALL
#define CALL(a, b) run_minmax(t, op, false, a, b)
SOURCES2(f_selge, CALL)
#undef CALL
#define CALL(a, b) run_select(t, op, true, a, b)
SOURCES2(f_sel, CALL)
#undef CALL
#define CALL(a, b) run_select(t, op, false, a, b)
SOURCES2(i_sel, CALL)
#undef CALL
#define CALL(a, b) run_float(t, op, FAST_F_MOV, a, b, 0, false)
SOURCES1(f_mov, CALL)
#undef CALL
#define CALL(a, b) run_int(t, op, FAST_I_MOV, a, b)
SOURCES1(i_mov, CALL)
#undef CALL
#define CALL(a, b) run_int(t, op, FAST_I_NOT, a, b)
SOURCES1(i_not, CALL)
#undef CALL
#define CALL(a, b) run_int(t, op, FAST_I_TO_F, a, b)
SOURCES1(i_to_f, CALL)
#undef CALL
#define CALL(a, b) run_int(t, op, FAST_U_TO_F, a, b)
SOURCES1(u_to_f, CALL)
#undef CALL
#define CALL(a, b) run_to_int(t, op, true, a)
SOURCES1(f_to_d, CALL)
#undef CALL
#define CALL(a, b) run_to_int(t, op, false, a)
SOURCES1(f_to_ud, CALL)
#undef CALL

#define INT2(prefix, code)                                                                         \
   static inline __attribute__((always_inline)) const struct eu_op *prefix##_call(                 \
       struct eu_thread *t, const struct eu_op *op, unsigned a, unsigned b)                        \
   {                                                                                               \
      return run_int(t, op, code, a, b);                                                           \
   }
#define CALL(a, b) i_add_call(t, op, a, b)
INT2(i_add, FAST_I_ADD)
SOURCES2(i_add, CALL)
#undef CALL
#define CALL(a, b) i_mul_call(t, op, a, b)
INT2(i_mul, FAST_I_MUL)
SOURCES2(i_mul, CALL)
#undef CALL
#define CALL(a, b) i_and_call(t, op, a, b)
INT2(i_and, FAST_I_AND)
SOURCES2(i_and, CALL)
#undef CALL
#define CALL(a, b) i_or_call(t, op, a, b)
INT2(i_or, FAST_I_OR)
SOURCES2(i_or, CALL)
#undef CALL
#define CALL(a, b) i_xor_call(t, op, a, b)
INT2(i_xor, FAST_I_XOR)
SOURCES2(i_xor, CALL)
#undef CALL
#define CALL(a, b) i_shl_call(t, op, a, b)
INT2(i_shl, FAST_I_SHL)
SOURCES2(i_shl, CALL)
#undef CALL
#define CALL(a, b) i_shr_call(t, op, a, b)
INT2(i_shr, FAST_I_SHR)
SOURCES2(i_shr, CALL)
#undef CALL
#define CALL(a, b) i_asr_call(t, op, a, b)
INT2(i_asr, FAST_I_ASR)
SOURCES2(i_asr, CALL)
#undef CALL

#define ANY2(name, body) DEFINE(name, body)
ANY2(i_min, run_int(t, op, FAST_I_MIN, FAST_ANY, FAST_ANY))
ANY2(i_max, run_int(t, op, FAST_I_MAX, FAST_ANY, FAST_ANY))
ANY2(u_min, run_int(t, op, FAST_U_MIN, FAST_ANY, FAST_ANY))
ANY2(u_max, run_int(t, op, FAST_U_MAX, FAST_ANY, FAST_ANY))

#define COMPARE(code)                                                                              \
   DEFINE(compare_##code##_vv, run_compare(t, op, code, FAST_VECTOR, FAST_VECTOR))                 \
   DEFINE(compare_##code##_vc, run_compare(t, op, code, FAST_VECTOR, FAST_CONST))                  \
   DEFINE(compare_##code##_aa, run_compare(t, op, code, FAST_ANY, FAST_ANY))
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
   DEFINE(name##_sat, run_float(t, op, code, FAST_ANY, FAST_ANY, FAST_ANY, true))
#define FLOAT_ANY(name, code)                                                                      \
   DEFINE(name, run_float(t, op, code, FAST_ANY, FAST_ANY, FAST_ANY, false))                       \
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

#define MAD(a, b, c) run_float(t, op, FAST_F_MAD, a, b, c, false)
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

eu_op_fn
eu_fast_function(enum fast_operation f, const struct eu_op *op, bool saturate)
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
      return eu_fast_math(f);
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
