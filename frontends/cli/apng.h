/* Moving pictures: PNG files with frames (APNG), which browsers show. */
#ifndef PERGOLA_CLI_APNG_H
#define PERGOLA_CLI_APNG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct apng {
   FILE *f;
   uint32_t width, height, sequence;
   bool failed;
};

/* A rectangle of the picture that a frame replaces. */
struct apng_frame {
   uint32_t x, y, width, height;
   uint16_t delay_ms;
};

/* False and a message: it cannot be written. Red, green, blue; it is shown over and over. */
bool apng_begin(struct apng *a, const char *path, uint32_t width, uint32_t height, uint32_t frames);
/* The first one has the whole picture. `pixels`: of the whole picture. */
void apng_add(struct apng *a, const struct apng_frame *frame, const uint8_t *pixels);
bool apng_end(struct apng *a, const char *path);

#endif
