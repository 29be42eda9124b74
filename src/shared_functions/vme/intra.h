/* Intra predictions from source pixels (VME-104). */
#ifndef PERGOLA_VME_INTRA_H
#define PERGOLA_VME_INTRA_H

#include "shared_functions/vme/vme.h"

/* Pixels around the macroblock, and which of them exist. */
struct vme_around {
   uint8_t above[25]; /* the corner, 16 above, 8 above to the right */
   uint8_t left[16];
   bool has_left, has_above, has_right, has_corner;
};

/* 16 bytes a row; false: the mode needs pixels that are not there. Block: AVC number. */
bool vme_intra_16x16(const struct vme *v, const struct vme_around *n, unsigned block, unsigned mode,
                     uint8_t *out);
bool vme_intra_8x8(const struct vme *v, const struct vme_around *n, unsigned block, unsigned mode,
                   uint8_t *out);
bool vme_intra_4x4(const struct vme *v, const struct vme_around *n, unsigned block, unsigned mode,
                   uint8_t *out);

#endif
