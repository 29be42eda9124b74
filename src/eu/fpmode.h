/* Private to src/eu: the host's floating-point modes while a thread runs.
 *
 * Single precision denormals are flushed at inputs and outputs of every operation, as the host does
 * it with both of its flush bits set; the rounding mode is the thread's. */
#ifndef PERGOLA_EU_FPMODE_H
#define PERGOLA_EU_FPMODE_H

#include "eu/op.h"

#include <xmmintrin.h>

#define MXCSR_MASKED 0x1f80u
#define MXCSR_FLUSH 0x8040u

/* EU-030: cr0.0[5:4]: nearest, up, down, zero. */
static inline uint32_t
fpmode_thread(const struct eu_thread *t)
{
   static const uint16_t rounding[4] = {0, 0x4000, 0x2000, 0x6000};
   return MXCSR_MASKED | MXCSR_FLUSH | rounding[t->cr0[0] >> CR0_ROUNDING_SHIFT & 3];
}

static inline void
fpmode_set(uint32_t mxcsr)
{
   __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr) : "memory");
}
static inline uint32_t
fpmode_get(void)
{
   uint32_t mxcsr;
   __asm__ volatile("stmxcsr %0" : "=m"(mxcsr) : : "memory");
   return mxcsr;
}

#endif
