/* Private to src/eu: the host's floating-point modes while a thread runs.
 *
 * Single precision denormals are flushed at inputs and outputs of every operation, as the host does
 * it with its flush bits set; the rounding mode is the thread's. Hosts differ in which results are
 * tiny enough to be flushed: what can come near goes through narrowed(). */
#ifndef PERGOLA_EU_FPMODE_H
#define PERGOLA_EU_FPMODE_H

#include "eu/op.h"
#include "machine/fpmode.h"

#include <math.h>

static inline uint32_t
fpmode_thread(const struct eu_thread *t)
{
   return FPMODE_HOST | FPMODE_FLUSH | FPMODE_ROUNDING(eu_rounding(t));
}

/* To single precision; what is tiny becomes a zero. x86-64 decides that after rounding, as if
 * exponents had no end, AArch64 before: so what is small is rounded and judged where it is not. */
static inline float
narrowed(double d)
{
   if (!(fabs(d) < 0x1p-100))
      return (float)d;
   float scaled = (float)(d * 0x1p64);
   return fabsf(scaled) < 0x1p-62f ? copysignf(0.0f, scaled) : scaled * 0x1p-64f;
}

#endif
