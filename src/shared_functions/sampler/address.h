/* A coordinate to texels and weights, one axis at a time.
 *
 * SMP-021: coordinates are counted in 1/256 of a texel, rounded down, or to the nearest one when
 * the rounding enable of the axis is set; linear weights are the 8 fraction bits. */
#ifndef PERGOLA_SAMPLER_ADDRESS_H
#define PERGOLA_SAMPLER_ADDRESS_H

#include "gen7_hw.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define ADDRESS_FAR 4194304.0f /* 2^22 texels: farther out, all modes but two are the same */

/* SMP-068, SMP-070, SMP-075: exact for any number of wraps. u: normalised. */
static inline float
address_reduce(float u, unsigned mode)
{
   if (mode == GEN7_TEXTURE_COORDINATE_MODE_WRAP)
      return u - floorf(u);
   float half = u * 0.5f;
   return 2.0f * (half - floorf(half));
}

/* Position on an axis in texels of the level, 8 fraction bits. */
static inline int32_t
address_position(float u, bool normalized, uint32_t size, unsigned mode, bool round, float offset)
{
   float x = normalized ? u * (float)size : u;
   if (!(fabsf(x) < ADDRESS_FAR)) { /* infinite, too */
      bool repeats = mode <= GEN7_TEXTURE_COORDINATE_MODE_MIRROR && fabsf(u) < INFINITY;
      x = repeats && normalized ? address_reduce(u, mode) * (float)size
          : x > 0               ? ADDRESS_FAR
                                : -ADDRESS_FAR;
   }
   x += offset; /* SMP-220: exact texels */
   return (int32_t)floorf(x * 256.0f + (round ? 0.5f : 0.0f));
}

enum address_where { ADDRESS_INSIDE, ADDRESS_HALF, ADDRESS_BORDER };

/* The texel that a number stands for. */
static inline enum address_where
address_texel(unsigned mode, int32_t size, int32_t *i)
{
   int32_t n = *i, period;
   switch (mode) {
   case GEN7_TEXTURE_COORDINATE_MODE_WRAP: /* SMP-068 */
      n %= size;
      *i = n < 0 ? n + size : n;
      return ADDRESS_INSIDE;
   case GEN7_TEXTURE_COORDINATE_MODE_MIRROR: /* SMP-070 */
      period = 2 * size;
      n %= period;
      n = n < 0 ? n + period : n;
      *i = n < size ? n : period - 1 - n;
      return ADDRESS_INSIDE;
   case GEN7_TEXTURE_COORDINATE_MODE_MIRROR_ONCE: /* SMP-072 */
      n = n < 0 ? -1 - n : n;
      *i = n < size ? n : size - 1;
      return ADDRESS_INSIDE;
   case GEN7_TEXTURE_COORDINATE_MODE_CLAMP_BORDER: /* SMP-066 */
      return n < 0 || n >= size ? ADDRESS_BORDER : ADDRESS_INSIDE;
   case GEN7_TEXTURE_COORDINATE_MODE_HALF_BORDER: /* SMP-067 */
      if (n >= 0 && n < size)
         return ADDRESS_INSIDE;
      *i = n < 0 ? 0 : size - 1;
      return ADDRESS_HALF;
   default: /* SMP-065 */
      *i = n < 0 ? 0 : n >= size ? size - 1 : n;
      return ADDRESS_INSIDE;
   }
}

#endif
