/* Inside of the sampler: one message on its way. */
#ifndef PERGOLA_SAMPLER_H
#define PERGOLA_SAMPLER_H

#include "shared_functions/quick.h"
#include "shared_functions/sf.h"
#include "surface/format.h"
#include "surface/surface.h"

enum sampler_simd { SAMPLER_SIMD4X2, SAMPLER_SIMD8, SAMPLER_SIMD16, SAMPLER_SIMD32 };
#define SAMPLER_MAX_PARAMETERS 11

struct sampler_message {
   struct eu_thread *t;
   const struct sf_message *m;
   const char *name;
   uint8_t simd;        /* enum sampler_simd */
   uint8_t pixels;      /* 2, 8 or 16 */
   uint32_t valid;      /* a bit per pixel */
   uint8_t masked;      /* write channel mask: bit 0 red … bit 3 alpha, 1 = not written */
   int8_t offset[3];    /* U, V, R texel offsets */
   unsigned parameters; /* how many were sent */
   uint32_t parameter[SAMPLER_MAX_PARAMETERS][16];
   struct surface s;
};

/* Result of one pixel. */
typedef uint32_t sampler_texel[4];

void sampler_ld(const struct sampler_message *s, unsigned pixel, sampler_texel out);
void sampler_resinfo(const struct sampler_message *s, unsigned pixel, sampler_texel out);
void sampler_sampleinfo(const struct sampler_message *s, unsigned pixel, sampler_texel out);

/* Of quick_ld_avx2.c. */
bool sampler_quick_ld8(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask);
bool sampler_quick_ld16(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask);

__attribute__((format(printf, 4, 5))) void sampler_report(const struct sampler_message *s,
                                                          enum pergola_severity severity,
                                                          const char *rule, const char *format,
                                                          ...);
#endif
