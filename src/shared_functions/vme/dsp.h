/* The arithmetic of VME on pixels, as a table of functions chosen once for the CPU. Every variant
 * gives the bits of the plain C one. */
#ifndef PERGOLA_VME_DSP_H
#define PERGOLA_VME_DSP_H

#include <stdbool.h>
#include <stdint.h>

/* Sum of the halved distortions of the 4x4 blocks of w by h pixels; the source has 16 bytes a row.
 */
typedef uint32_t (*vme_distortion_fn)(const uint8_t *src, const uint8_t *ref, unsigned stride,
                                      unsigned w, unsigned h);
/* The same by 4x4 block (AVC number, the first `cells`) for 4 by 4 places from ref on, in raster
 * order. */
typedef void (*vme_tile_fn)(const uint8_t *src, const uint8_t *ref, unsigned stride, unsigned cells,
                            uint16_t out[16][16]);

struct vme_dsp {
   const char *name;
   vme_distortion_fn distortion[2]; /* SAD, Haar */
   vme_tile_fn tile[2];
};

extern const struct vme_dsp vme_dsp_c;
const struct vme_dsp *vme_dsp_select(void);

/* Place of a 4x4 block in the macroblock, in blocks (VME-385). */
static inline unsigned
vme_cell_x(unsigned cell)
{
   return (cell & 1) | (cell >> 1 & 2);
}
static inline unsigned
vme_cell_y(unsigned cell)
{
   return (cell >> 1 & 1) | (cell >> 2 & 2);
}

#endif
