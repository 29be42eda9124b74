/* Half floats by the definition, for the cases that compare with them. */
#ifndef HALF_H
#define HALF_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t
float_bits(float f)
{
   uint32_t u;
   memcpy(&u, &f, 4);
   return u;
}

static inline uint16_t
to_half(float f)
{
   double m = fabs((double)f);
   uint16_t sign = (uint16_t)(float_bits(f) >> 16 & 0x8000);
   if (m == 0.0)
      return sign;
   int e;
   frexp(m, &e); /* m = x * 2^e with x in [0.5, 1) */
   int shift = e - 1 < -14 ? -24 : e - 11;
   double q = nearbyint(ldexp(m, -shift));
   if (ldexp(q, shift) >= 65520.0)
      return sign | 0x7c00;
   if (e - 1 < -14)
      return sign | (uint16_t)q;
   if (q >= 2048.0) {
      q = 1024.0;
      e++;
   }
   return (uint16_t)(sign | (e + 14) << 10 | ((int)q & 0x3ff));
}

static inline float
from_half(uint16_t h)
{
   int e = h >> 10 & 31;
   float m = e ? ldexpf((float)(1024 + (h & 1023)), e - 25) : ldexpf((float)(h & 1023), -24);
   return h & 0x8000 ? -m : m;
}

#endif
