/* Private to src/eu: the host's floating-point modes while a thread runs.
 *
 * Single precision denormals are flushed at inputs and outputs of every operation, as the host does
 * it with its flush bits set; the rounding mode is the thread's. Hosts differ in which results are
 * tiny enough to be flushed: what can come near goes through narrowed(). */
#ifndef PERGOLA_EU_FPMODE_H
#define PERGOLA_EU_FPMODE_H

#include "eu/op.h"

#include <math.h>

#if defined __x86_64__
#define FPMODE_HOST 0x1f80u  /* MXCSR: no exceptions, to nearest */
#define FPMODE_FLUSH 0x8040u /* inputs and results */
#define FPMODE_ROUNDING(cr0) ((uint16_t[4]){0, 0x4000, 0x2000, 0x6000}[cr0])

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
#elif defined __aarch64__
#define FPMODE_HOST 0u /* FPCR */
#define FPMODE_FLUSH 0x01000000u
#define FPMODE_ROUNDING(cr0) ((uint32_t)(cr0) << 22)

static inline void
fpmode_set(uint32_t fpcr)
{
   __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)fpcr) : "memory");
}
static inline uint32_t
fpmode_get(void)
{
   uint64_t fpcr;
   __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr) : : "memory");
   return (uint32_t)fpcr;
}
#else
#error "how does this host round, and flush denormals?"
#endif

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
