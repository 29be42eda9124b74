/* The bits of a float or double, and back. */
#ifndef PERGOLA_FLOAT_BITS_H
#define PERGOLA_FLOAT_BITS_H

#include <stdint.h>
#include <string.h>

#define FLOAT_ONE 0x3f800000u /* the bits of 1.0 */

static inline uint32_t
float_bits(float f)
{
   uint32_t u;
   memcpy(&u, &f, 4);
   return u;
}

static inline float
bits_float(uint32_t u)
{
   float f;
   memcpy(&f, &u, 4);
   return f;
}

static inline uint64_t
double_bits(double d)
{
   uint64_t u;
   memcpy(&u, &d, 8);
   return u;
}

static inline double
bits_double(uint64_t u)
{
   double d;
   memcpy(&d, &u, 8);
   return d;
}

#endif
