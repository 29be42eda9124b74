/* The multisample control surface: for each pixel, the slice that holds each sample. */
#ifndef PERGOLA_SURFACE_MCS_H
#define PERGOLA_SURFACE_MCS_H

#include "surface/surface.h"

#include <stdbool.h>
#include <stdint.h>

/* SMP-476: samples of a pixel may share slices. */
static inline bool
mcs_present(const struct surface *s)
{
   return s->samples > 1 && !s->interleaved && s->mcs_pitch_tiles;
}

/* SMP-105, SMP-271, SMP-370: a surface of its own, in Y tiles; 8 bits for 4 samples, 32 for 8. */
void mcs_surface(const struct surface *s, struct surface *out);

/* SMP-108: bits that count; all of them: no slice is valid, the pixel has the clear colour. */
static inline uint32_t
mcs_bits(unsigned samples)
{
   return samples == 8 ? 0xffffff : 0xff;
}

static inline bool
mcs_is_clear(unsigned samples, uint32_t value)
{
   return (value & mcs_bits(samples)) == mcs_bits(samples);
}

static inline unsigned
mcs_slice(unsigned samples, uint32_t value, unsigned sample)
{
   return samples == 8 ? value >> 3 * sample & 7 : value >> 2 * sample & 3;
}

/* Every sample in its own slice. */
static inline uint32_t
mcs_identity(unsigned samples)
{
   return samples == 8 ? 076543210 : 0xe4;
}

#endif
