/* State of the sampling engine that commands load, not memory: chroma keys, palettes, the size of
 * the monochrome filter. */
#ifndef PERGOLA_SAMPLER_TABLES_H
#define PERGOLA_SAMPLER_TABLES_H

#include <stdint.h>

struct sampler_tables {
   struct {
      uint32_t low, high; /* SMP-085: A, R, G, B from the top byte */
   } chroma_key[4];
   uint32_t palette[2][256]; /* A, R, G, B from the top byte */
   uint8_t mono_width, mono_height;
};

/* Takes in a command as it was parsed; one that is not of the sampler changes nothing. */
void sampler_tables_command(struct sampler_tables *t, const uint32_t *dw, uint32_t count);

#endif
