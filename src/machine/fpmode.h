/* The floating-point modes of the host. */
#ifndef PERGOLA_HOST_FPMODE_H
#define PERGOLA_HOST_FPMODE_H

#include <stdint.h>

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

#endif
