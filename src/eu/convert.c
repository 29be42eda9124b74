/* Conversions between the number types. */
#include "eu/convert.h"

int64_t
df_to_int(uint64_t bits, unsigned type)
{
   int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
   bool negative = bits >> 63;
   if (bits_nan64(bits) || exponent < 0)
      return 0;
   if (exponent > 40)
      return negative ? type_min(type) : type_max(type);
   uint64_t mantissa = (bits & 0xfffffffffffff) | (uint64_t)1 << 52;
   int64_t v = (int64_t)(mantissa >> (52 - exponent));
   if (negative)
      v = -v;
   if (v < type_min(type))
      return type_min(type);
   return v > type_max(type) ? type_max(type) : v;
}

int64_t
f_to_int(uint32_t bits, unsigned type)
{
   return df_to_int(f_to_df(bits_flush(bits)), type);
}

uint64_t
f_to_df(uint32_t bits)
{
   uint64_t sign = (uint64_t)(bits >> 31) << 63;
   uint32_t exponent = bits >> 23 & 0xff, mantissa = bits & 0x7fffff;
   if (exponent == 0xff) {
      uint64_t quiet = mantissa ? (uint64_t)1 << 51 : 0;
      return sign | 0x7ff0000000000000 | quiet | (uint64_t)mantissa << 29;
   }
   if (!exponent) {
      if (!mantissa)
         return sign;
      unsigned shift = (unsigned)__builtin_clz(mantissa) - 8;
      mantissa = mantissa << shift & 0x7fffff;
      return sign | (uint64_t)(1023 - 126 - shift) << 52 | (uint64_t)mantissa << 29;
   }
   return sign | (uint64_t)(exponent + 1023 - 127) << 52 | (uint64_t)mantissa << 29;
}

uint32_t
df_to_f(uint64_t bits)
{
   uint32_t sign = (uint32_t)(bits >> 63) << 31;
   int exponent = (int)(bits >> 52 & 0x7ff);
   uint64_t mantissa = bits & 0xfffffffffffff;
   if (exponent == 0x7ff)
      return sign | 0x7f800000 | (mantissa ? 0x400000 : 0) | (uint32_t)(mantissa >> 29);
   exponent -= 1023;
   if (exponent > 127)
      return sign | 0x7f7fffff;
   if (exponent >= -126)
      return sign | (uint32_t)(exponent + 127) << 23 | (uint32_t)(mantissa >> 29);
   if (exponent < -149)
      return sign;
   return sign | (uint32_t)((mantissa | (uint64_t)1 << 52) >> (29 + -126 - exponent));
}

/* value / 2^shift, rounded; sign as magnitude's sign. */
static uint32_t
round_shift(uint32_t value, unsigned shift, unsigned rounding, bool negative)
{
   if (shift > 31)
      shift = 31;
   uint32_t kept = value >> shift, rest = value & ((1u << shift) - 1),
            half = shift ? 1u << (shift - 1) : 0;
   bool up = false;
   switch (rounding) {
   case 0:
      up = rest > half || (rest == half && rest && kept & 1);
      break;
   case 1:
      up = rest && !negative;
      break;
   case 2:
      up = rest && negative;
      break;
   }
   return kept + up;
}

uint16_t
f_to_half(uint32_t bits, unsigned rounding)
{
   uint16_t sign = bits >> 16 & 0x8000;
   int exponent = (int)(bits >> 23 & 0xff);
   uint32_t mantissa = bits & 0x7fffff;
   if (exponent == 0xff)
      return (uint16_t)(sign | 0x7c00 | (mantissa ? 0x200 | mantissa >> 13 : 0));
   if (!exponent)
      return sign;
   mantissa |= 0x800000;
   exponent -= 127;
   uint32_t h;
   if (exponent >= -14)
      h = round_shift(mantissa, 13, rounding, sign) + ((uint32_t)(exponent + 14) << 10);
   else
      h = round_shift(mantissa, (unsigned)(13 + -14 - exponent), rounding, sign);
   if (h >= 0x7c00) { /* overflow goes to infinity or to the largest number */
      bool away = rounding == 0 || (rounding == 1 && !sign) || (rounding == 2 && sign);
      h = away ? 0x7c00 : 0x7bff;
   }
   return (uint16_t)(sign | h);
}

uint32_t
half_to_f(uint16_t half)
{
   uint32_t sign = (uint32_t)(half & 0x8000) << 16;
   uint32_t exponent = half >> 10 & 0x1f, mantissa = half & 0x3ff;
   if (exponent == 0x1f)
      return sign | 0x7f800000 | (mantissa ? 0x400000 : 0) | mantissa << 13;
   if (!exponent) {
      if (!mantissa)
         return sign;
      unsigned shift = (unsigned)__builtin_clz(mantissa) - 21;
      return sign | (113 - shift) << 23 | (mantissa << shift & 0x3ff) << 13;
   }
   return sign | (exponent + 112) << 23 | mantissa << 13;
}

uint32_t
f_round(uint32_t bits, unsigned rounding)
{
   uint32_t sign = bits & 0x80000000, exponent = bits >> 23 & 0xff;
   if (exponent >= 150)
      return bits; /* integral already, infinite, or not a number */
   uint32_t mantissa = (bits & 0x7fffff) | (exponent ? 0x800000 : 0);
   unsigned shift = 150 - exponent;
   if (shift > 25)
      shift = 25; /* everything is fraction, less than a half */
   uint32_t whole = round_shift(mantissa, shift, rounding, sign);
   if (!whole)
      return sign;
   unsigned top = 31 - (unsigned)__builtin_clz(whole);
   uint32_t result = top > 23 ? whole >> (top - 23) : whole << (23 - top);
   return sign | (top + 127) << 23 | (result & 0x7fffff);
}
