/* Private to the media messages of the sampler: SIMD32 and SIMD64. */
#ifndef PERGOLA_SAMPLER_MEDIA_H
#define PERGOLA_SAMPLER_MEDIA_H

#include "shared_functions/sampler/sampler.h"
#include "surface/media_surface.h"

enum media_message { MEDIA_UNORM, MEDIA_UNORM_KILL, MEDIA_8X8, MEDIA_DI, MEDIA_FLUSH, MEDIA_NONE };

/* SMP-485, SMP-486: both layouts of the payload. */
struct media_message_in {
   struct eu_thread *t;
   const struct sf_message *m;
   const char *name;
   enum media_message what;
   uint8_t masked;               /* as in struct sampler_message */
   float u, v, du, dv, second_u; /* normalised */
   uint32_t block;               /* vertical block number */
};

__attribute__((format(printf, 4, 5))) void sampler_media_report(const struct media_message_in *in,
                                                                enum pergola_severity severity,
                                                                const char *rule,
                                                                const char *format, ...);

void media_sample_8x8(const struct media_message_in *in);
void media_deinterlace(const struct media_message_in *in, const uint32_t *payload);

/* SMP-234: UNORM16 whose 1.0 is FF00h. */
#define MEDIA_ONE 0xff00u

#endif
