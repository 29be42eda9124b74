/* Floating point with the rounding written out in integers. */
#include "oracle.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

#define F_QNAN 0x7FC00000u
#define F_MAX 0x7F7FFFFFu
#define D_QNAN UINT64_C(0x7FF8000000000000)

struct fp_mode
oracle_fp_mode(const struct oracle *o)
{
   return (struct fp_mode){o->cr0 >> 4 & 3, o->cr0 & 1, o->cr0 >> 6 & 1};
}

static uint64_t
d_bits(double v)
{
   uint64_t u;
   memcpy(&u, &v, 8);
   return u;
}

static double
d_value(uint64_t u)
{
   double v;
   memcpy(&v, &u, 8);
   return v;
}

double
ref_f_value(uint32_t u)
{
   float v;
   memcpy(&v, &u, 4);
   return v;
}

bool
ref_f_is_nan(uint32_t f)
{
   return (f & 0x7FFFFFFF) > 0x7F800000;
}

static bool
f_is_inf(uint32_t f)
{
   return (f & 0x7FFFFFFF) == 0x7F800000;
}

bool
ref_d_is_nan(uint64_t d)
{
   return (d << 1) > UINT64_C(0xFFE0000000000000);
}

uint32_t
ref_f_in(uint32_t f, struct fp_mode m)
{
   if (m.alt && ref_f_is_nan(f))
      return 0;
   if (m.alt && f_is_inf(f))
      return (f & 0x80000000) | F_MAX;
   if (!(f & 0x7F800000))
      return f & 0x80000000;
   return f;
}

uint64_t
ref_d_in(uint64_t d, struct fp_mode m)
{
   if (!m.keep_df_denormals && !(d & UINT64_C(0x7FF0000000000000)))
      return d & UINT64_C(0x8000000000000000);
   return d;
}

/* Should a magnitude of which `rest` of `unit` was cut off go up? */
static bool
rounds_up(unsigned rounding, bool negative, bool odd, uint64_t rest, uint64_t unit)
{
   switch (rounding) {
   case 0:
      return rest > unit / 2 || (rest == unit / 2 && odd);
   case 1:
      return rest && !negative;
   case 2:
      return rest && negative;
   default:
      return false;
   }
}

/* 24 bits with an unbounded exponent first, then overflow and underflow (flush). The argument is
 * the exact value, or rounded to odd with 53 bits, which rounds the same. */
uint32_t
ref_f_round(double x, struct fp_mode m, bool *overflow)
{
   int exponent;
   bool negative = signbit(x);
   uint32_t sign = negative ? 0x80000000 : 0;
   if (x == 0)
      return sign;
   if (isinf(x))
      return m.alt ? sign | F_MAX : sign | 0x7F800000;
   double fraction = frexp(fabs(x), &exponent); /* [0.5, 1) */
   uint64_t bits53 = (uint64_t)ldexp(fraction, 53);
   uint64_t unit = UINT64_C(1) << 29, rest = bits53 & (unit - 1), bits24 = bits53 >> 29;
   if (rounds_up(m.rounding, negative, bits24 & 1, rest, unit))
      bits24++;
   if (bits24 == 1u << 24) {
      bits24 >>= 1;
      exponent++;
   }
   if (exponent > 128) {
      bool to_max = m.alt || m.rounding == 3 || (m.rounding == 1 && negative) ||
                    (m.rounding == 2 && !negative);
      *overflow = true;
      return sign | (to_max ? F_MAX : 0x7F800000);
   }
   if (exponent < -125)
      return sign;
   return sign | (uint32_t)(exponent + 126) << 23 | ((uint32_t)bits24 & 0x7FFFFF);
}

/* a + b rounded to odd: keeps enough for a second rounding to 24 bits. */
double
ref_odd_sum(double a, double b, struct fp_mode m)
{
   double s = a + b;
   if (s == 0) {
      if (signbit(a) == signbit(b))
         return a;
      return m.rounding == 2 ? -0.0 : 0.0;
   }
   if (isinf(s))
      return s;
   double t = s - a, rest = (a - (s - t)) + (b - t);
   uint64_t u = d_bits(s);
   if (rest != 0 && !(u & 1))
      u = (rest > 0) == (s > 0) ? u + 1 : u - 1;
   return d_value(u);
}

/* Whatever it came from (EU-055). */
static const struct result not_a_number = {.v.f = F_QNAN};

struct result
ref_f_add(uint32_t a, uint32_t b, struct fp_mode m)
{
   struct result r = {0};
   uint32_t op[2] = {ref_f_in(a, m), ref_f_in(b, m)};
   if (ref_f_is_nan(op[0]) || ref_f_is_nan(op[1]) ||
       (f_is_inf(op[0]) && f_is_inf(op[1]) && op[0] != op[1]))
      return not_a_number;
   r.v.f = ref_f_round(ref_odd_sum(ref_f_value(op[0]), ref_f_value(op[1]), m), m, &r.overflow);
   return r;
}

struct result
ref_f_mul(uint32_t a, uint32_t b, struct fp_mode m)
{
   struct result r = {0};
   uint32_t op[2] = {ref_f_in(a, m), ref_f_in(b, m)};
   double product = ref_f_value(op[0]) * ref_f_value(op[1]); /* 48 bits: exact */
   if (isnan(product))
      return not_a_number;
   r.v.f = ref_f_round(product, m, &r.overflow);
   return r;
}

struct result
ref_f_mad(uint32_t a, uint32_t b, uint32_t c, struct fp_mode m)
{
   struct result r = {0};
   uint32_t op[3] = {ref_f_in(a, m), ref_f_in(b, m), ref_f_in(c, m)};
   double product = ref_f_value(op[0]) * ref_f_value(op[1]), addend = ref_f_value(op[2]);
   if (isnan(product) || isnan(addend) || (isinf(product) && isinf(addend) && product != addend))
      return not_a_number;
   r.v.f = ref_f_round(ref_odd_sum(product, addend, m), m, &r.overflow);
   return r;
}

/* a - floor(a) rounded to nearest (EU-154). */
struct result
ref_f_frc(uint32_t a, struct fp_mode m)
{
   struct result r = {0};
   uint32_t x = ref_f_in(a, m);
   if (ref_f_is_nan(x) || f_is_inf(x))
      return not_a_number;
   double v = ref_f_value(x), part = v - floor(v);
   struct fp_mode nearest = m;
   nearest.rounding = 0;
   if (v < 0 && v > -1 && part == 1)
      part = ref_odd_sum(v, 1, nearest);
   r.v.f = part == 0 ? 0 : ref_f_round(part, nearest, &r.overflow);
   return r;
}

/* Opcode order: rndu 1, rndd 2, rnde 0, rndz 3 as in cr0. */
struct result
ref_f_round_integral(uint32_t a, unsigned rounding, struct fp_mode m)
{
   struct result r = {0};
   uint32_t x = ref_f_in(a, m);
   if (ref_f_is_nan(x))
      return not_a_number;
   double v = ref_f_value(x), w;
   switch (rounding) {
   case 1:
      w = ceil(v);
      break;
   case 2:
      w = floor(v);
      break;
   case 3:
      w = trunc(v);
      break;
   default:
      w = floor(v);
      if (v - w > 0.5 || (v - w == 0.5 && fmod(w, 2) != 0))
         w += 1;
   }
   r.v.f = ref_f_round(copysign(w, v), m, &r.overflow);
   return r;
}

static const int fe_modes[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

/* Products are exact in double; sums in double by the mode; one rounding to F (EU-156). */
struct result
ref_f_dot(const uint32_t *a, const uint32_t *b, unsigned op, struct fp_mode m)
{
   struct result r = {0};
   unsigned n = op == EU_OP_DP2 ? 2 : op == EU_OP_DP3 ? 3 : 4;
   uint32_t in[8];
   for (unsigned k = 0; k < n; k++) {
      in[k] = ref_f_in(a[k], m);
      in[4 + k] = ref_f_in(b[k], m);
   }
   fesetround(fe_modes[m.rounding]);
   volatile double sum = ref_f_value(in[0]) * ref_f_value(in[4]);
   for (unsigned k = 1; k < n; k++) {
      volatile double term = op == EU_OP_DPH && k == 3
                                 ? ref_f_value(in[7])
                                 : ref_f_value(in[k]) * ref_f_value(in[4 + k]);
      sum = sum + term;
   }
   fesetround(FE_TONEAREST);
   if (isnan(sum))
      return not_a_number;
   r.v.f = ref_f_round(sum, m, &r.overflow);
   return r;
}

struct result
ref_f_lrp(uint32_t a, uint32_t b, uint32_t c, struct fp_mode m)
{
   struct result r = {0};
   uint32_t in[3] = {ref_f_in(a, m), ref_f_in(b, m), ref_f_in(c, m)};
   double x = ref_f_value(in[0]), y = ref_f_value(in[1]), z = ref_f_value(in[2]);
   fesetround(fe_modes[m.rounding]);
   volatile double first = x * y, inverse = 1.0 - x;
   volatile double second = inverse * z;
   volatile double sum = first + second;
   fesetround(FE_TONEAREST);
   if (isnan(sum))
      return not_a_number;
   r.v.f = ref_f_round(sum, m, &r.overflow);
   return r;
}

/* Doubles: the host rounds; add, mul, and mad as b * c + a. */
struct result
ref_d_op(unsigned op, uint64_t a, uint64_t b, uint64_t c, struct fp_mode m)
{
   struct result r = {0};
   uint64_t in[3] = {ref_d_in(a, m), ref_d_in(b, m), ref_d_in(c, m)};
   volatile double x = d_value(in[0]), y = d_value(in[1]), z = d_value(in[2]), v;
   bool finite = isfinite(x) && isfinite(y);
   fesetround(fe_modes[m.rounding]);
   switch (op) {
   case EU_OP_ADD:
      v = x + y;
      break;
   case EU_OP_MUL:
      v = x * y;
      break;
   case EU_OP_MAC: /* c is the accumulator */
      v = fma(x, y, z);
      finite = finite && isfinite(z);
      break;
   default:
      v = fma(y, z, x);
      finite = finite && isfinite(z);
   }
   fesetround(FE_TONEAREST);
   if (isnan(v))
      r.v.d = D_QNAN;
   else
      r.v.d = ref_d_in(d_bits(v), m);
   r.overflow = finite && isinf(v);
   return r;
}

uint32_t
ref_half_to_f(uint16_t h)
{
   uint32_t sign = (uint32_t)(h & 0x8000) << 16, e = h >> 10 & 31, f = h & 0x3FF;
   if (e == 31)
      return sign | 0x7F800000 | f << 13 | (f ? 0x400000 : 0);
   double v = e ? ldexp(1024 + f, (int)e - 25) : ldexp(f, -24);
   float x = (float)v;
   uint32_t u;
   memcpy(&u, &x, 4);
   return sign | u;
}

uint16_t
ref_f_to_half(uint32_t f, struct fp_mode m)
{
   uint16_t sign = (uint16_t)(f >> 16 & 0x8000);
   bool negative = sign;
   if (ref_f_is_nan(f))
      return sign | 0x7E00 | (f >> 13 & 0x3FF);
   if (f_is_inf(f))
      return sign | 0x7C00;
   if (!(f & 0x7F800000))
      return sign;
   double v = fabs(ref_f_value(f));
   /* Units of the last place: 2^-24 for denormals, else by the exponent. */
   int e = (int)(f >> 23 & 255) - 127, scale = (e < -14 ? -14 : e) - 10;
   double units = ldexp(v, -scale);
   uint64_t whole = (uint64_t)floor(units);
   uint64_t rest = (uint64_t)ldexp(units - floor(units), 40);
   if (units - floor(units) > 0 && !rest)
      rest = 1;
   if (rounds_up(m.rounding, negative, whole & 1, rest, UINT64_C(1) << 40))
      whole++;
   if (ldexp((double)whole, scale) > 65504.0) {
      bool to_max =
          m.rounding == 3 || (m.rounding == 1 && negative) || (m.rounding == 2 && !negative);
      return sign | (to_max ? 0x7BFF : 0x7C00);
   }
   if (whole == 2048) {
      whole = 1024;
      scale++;
   }
   return (uint16_t)(sign |
                     (whole < 1024 ? whole : ((uint64_t)(scale + 25) << 10 | (whole & 0x3FF))));
}

uint32_t
ref_int_to_f(int64_t i, struct fp_mode m)
{
   bool overflow;
   return ref_f_round((double)i, m, &overflow);
}

int64_t
ref_f_to_int(double v, bool nan, int64_t low, int64_t high)
{
   if (nan)
      return 0;
   if (v <= (double)low)
      return low;
   if (v >= (double)high)
      return high;
   return (int64_t)v;
}

/* Toward zero; half-precision-like denormal results are kept (EU-049). */
uint32_t
ref_d_to_f(uint64_t d, struct fp_mode m)
{
   uint32_t sign = d >> 63 ? 0x80000000 : 0;
   double v = fabs(d_value(d));
   if (ref_d_is_nan(d))
      return sign | 0x7FC00000 | (uint32_t)(d >> 29 & 0x3FFFFF);
   if (!(d & UINT64_C(0x7FF0000000000000)))
      return sign;
   if (isinf(v))
      return sign | 0x7F800000;
   if (v > ref_f_value(F_MAX))
      return sign | F_MAX;
   int e;
   frexp(v, &e);
   int scale = (e - 1 < -126 ? -126 : e - 1) - 23;
   float x = (float)ldexp(floor(ldexp(v, -scale)), scale);
   uint32_t u;
   memcpy(&u, &x, 4);
   return sign | u;
}

uint64_t
ref_f_to_d(uint32_t f)
{
   if (ref_f_is_nan(f))
      return (uint64_t)(f >> 31) << 63 | UINT64_C(0x7FF8000000000000) |
             (uint64_t)(f & 0x3FFFFF) << 29;
   return d_bits(ref_f_value(f));
}
