/* Private to src/eu: architecture registers as bytes. */
#ifndef PERGOLA_EU_ARF_H
#define PERGOLA_EU_ARF_H

#include "eu/op.h"

#define ARF_IMAGE_SIZE 32

/* The register as bytes; parts that do not exist read 0. `d`: the reading instruction. */
void eu_arf_read(struct eu_thread *t, const struct eu_detail *d, unsigned reg,
                 uint8_t image[ARF_IMAGE_SIZE]);
/* `written`: which bytes. Parts that are read-only or do not exist keep their value. cr0 and ip
 * only change here; what follows from that is eu_control_written's and the caller's. */
void eu_arf_write(struct eu_thread *t, unsigned reg, const uint8_t image[ARF_IMAGE_SIZE],
                  uint32_t written);

#endif
