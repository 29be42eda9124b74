/* The arithmetic of VME on pixels, as a table of functions chosen once for the CPU. Every variant
 * gives the bits of the plain C one. */
#ifndef PERGOLA_VME_DSP_H
#define PERGOLA_VME_DSP_H

#include <stdbool.h>
#include <stdint.h>

#define VME_BLOCKS 41 /* of a record (VME-064); their order is in vme.h */
#define VME_LANE_NONE UINT16_MAX

/* The best costs of a search by block and by place in a tile of 4 by 4 (raster order), and when
 * each was found. Costs fit: the worst Haar distortion of a macroblock is 61200, a vector and its
 * direction cost at most 3966. */
struct vme_lanes {
   _Alignas(32) uint16_t cost[VME_BLOCKS][16]; /* VME_LANE_NONE: none yet */
   _Alignas(32) uint16_t order[VME_BLOCKS][16];
};

/* The distortions of the 4x4 blocks (by AVC number) at 4 by 4 places. */
typedef uint16_t vme_tile[16][16];

struct vme_dsp {
   const char *name;
   /* By measure (SAD, Haar): sum of the halved distortions of the 4x4 blocks of w by h pixels; the
    * source has 16 bytes a row. */
   uint32_t (*distortion[2])(const uint8_t *src, const uint8_t *ref, unsigned stride, unsigned w,
                             unsigned h);
   /* By measure: two tiles side by side, of the first `cells` 4x4 blocks. Eight places need 8 + 16
    * columns of ref. */
   void (*tiles[2])(const uint8_t *src, const uint8_t *ref, unsigned stride, unsigned cells,
                    vme_tile out[2]);
   /* The blocks of a source of `cells` 4x4 blocks (with `minors` those smaller than 8x8 too) at the
    * places of a tile, with what a vector costs by column and by row. Strictly lower replaces
    * (VME-066). */
   void (*update)(struct vme_lanes *l, const vme_tile tile, unsigned cells, bool minors,
                  const uint16_t across[4], const uint16_t down[4], unsigned order);
   /* The lowest cost of a block; *lanes: the places that have it. */
   uint16_t (*lowest)(const uint16_t cost[16], unsigned *lanes);
   /* VME-068 … VME-075: w by h pixels (16 bytes a row) at px + (fx, fy) quarters. One row and
    * column before and two after the block are there. */
   void (*predict)(const uint8_t *px, unsigned stride, unsigned fx, unsigned fy, bool bilinear,
                   unsigned w, unsigned h, uint8_t *out);
   /* By measure: the distortions of w by h pixels at px + (fx, y) quarters for those of three y
    * whose bit is set in `wanted`. y: -2 to 5; rows and columns around them are there as for
    * predict. */
   void (*column[2])(const uint8_t *src, const uint8_t *px, unsigned stride, unsigned fx,
                     const int y[3], unsigned wanted, bool bilinear, unsigned w, unsigned h,
                     uint32_t out[3]);
};

extern const struct vme_dsp vme_dsp_c, vme_dsp_avx2;
const struct vme_dsp *vme_dsp_select(void);

/* Taps of a quarter position: weights, and the shift that rounds. */
struct vme_taps {
   int8_t tap[4];
   uint8_t shift;
};
extern const struct vme_taps vme_taps[2][4]; /* by BilinearEnable */

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
