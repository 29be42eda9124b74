/* Private to the deinterlace message: a block of two frames on its way. Coordinates count from the
 * block's upper left pixel. */
#ifndef PERGOLA_SAMPLER_VDI_H
#define PERGOLA_SAMPLER_VDI_H

#include "shared_functions/sampler/media.h"

#include <stdlib.h>

/* Pixels around the block that some filter looks at, with whole 4 by 4 blocks on all sides. */
#define VDI_LEFT 16
#define VDI_ABOVE 8
#define VDI_W 48
#define VDI_H 24
#define VDI_BLOCK_W 16

enum vdi_frame { VDI_CURRENT, VDI_PREVIOUS };

/* A field that is made into a frame: the lines of one frame's field stay, the others are made. */
struct vdi_field {
   enum vdi_frame frame, other; /* that it is of; the nearest other one */
   int kept;                    /* parity of its lines */
   uint8_t cadence; /* SMP-513: 0: deinterlace, 1: with the previous field, 2: the next */
};

struct vdi {
   const struct media_message_in *in;
   struct hw_deinterlace_sampler_state st;
   struct media_surface frame[2];
   struct surface statistics;
   bool has_statistics, has_previous; /* false in a first frame: SMP-520 */
   bool chroma_422;                   /* what comes in */
   int32_t x, y;                      /* of the block */
   int rows;                          /* of the block: 4 with the deinterlacer, else 8 */
   uint8_t luma[2][VDI_H][VDI_W];
   struct { /* of 4 by 4 blocks: SMP-499 */
      int stad, shcm, svcm;
      uint8_t history; /* the new one */
   } block[2][4];
   uint8_t noise; /* SMP-505 */
};

static inline int
vdi_luma(const struct vdi *d, enum vdi_frame f, int x, int y)
{
   return d->luma[f][y + VDI_ABOVE][x + VDI_LEFT];
}

/* SMP-497: a byte of the statistics surface, clamped to the picture; 0 where there is none. */
uint8_t vdi_motion(const struct vdi *d, int x, int y);  /* of the pixel pair */
uint8_t vdi_history(const struct vdi *d, int x, int y); /* of the 4 by 4 block */

/* denoise.c: rows of the current frame become denoised ones; the block's measures are kept. */
void vdi_denoise(struct vdi *d);
/* SMP-505 */
void vdi_estimate_noise(struct vdi *d);

/* fmd.c: SMP-518, the block's variances before any filter; SMP-519, the registers that they and the
 * noise are summed in. NULL: a block of the denoiser alone has no variances. */
#define FMD_VARIANCES 11
void vdi_detect(const struct vdi *d, uint32_t variance[FMD_VARIANCES]);
void vdi_sum(const struct vdi *d, const uint32_t *variance);

/* deinterlace.c: luma and chroma (Cr, Cb) of a whole block; rows of motion that the field decides.
 */
struct vdi_picture {
   uint8_t luma[4][VDI_BLOCK_W];
   uint8_t chroma[4][VDI_BLOCK_W / 2][2];
};
/* STMM2 and STMM3 of the lines that are made; both fields together have all four rows. */
struct vdi_motion {
   uint8_t stored[4][VDI_BLOCK_W / 2];
   uint8_t smooth[4][VDI_BLOCK_W / 2];
};
void vdi_measure(const struct vdi *d, const struct vdi_field fields[2], struct vdi_motion *m);
/* Motion vectors of a row of pairs, and how good they are: mcdi.c. */
struct vdi_vectors {
   int8_t x[4][VDI_BLOCK_W / 2], y[4][VDI_BLOCK_W / 2];
   int sad[4][VDI_BLOCK_W / 2];
};
void vdi_search(const struct vdi *d, const struct vdi_field fields[2], struct vdi_vectors *v);
/* SMP-517: the pixel that motion gives, or the spatial one. */
struct vdi_choice {
   int offset;     /* of the angle */
   int cost;       /* of the angle: 6 by 3 */
   int complexity; /* SHCM + SVCM */
   int spatial;
};
int vdi_merge(const struct vdi *d, const struct vdi_field *f, const struct vdi_vectors *v, int x,
              int y, const struct vdi_choice *c);
void vdi_deinterlace(const struct vdi *d, const struct vdi_field *f, const struct vdi_motion *m,
                     const struct vdi_vectors *v, struct vdi_picture *out);

/* vdi_chroma.c: SMP-511, up-sampled to a value a line. which: 0 Cr, 1 Cb; x: of the pixel pair. */
uint8_t vdi_chroma(const struct vdi *d, enum vdi_frame f, unsigned which, int x, int y,
                   unsigned motion);
/* SMP-511, SMP-512: by motion, between what lies in time and what lies in space. */
int vdi_blend(const struct vdi *d, unsigned motion, int temporal, int spatial);

/* SMP-498: the line itself, or for one outside the picture the nearest one of its field. */
int vdi_line(int y, int height);

#endif
