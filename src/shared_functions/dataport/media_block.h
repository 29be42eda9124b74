/* Media block messages: what reading, writing and colour processing share. */
#ifndef PERGOLA_DP_MEDIA_BLOCK_H
#define PERGOLA_DP_MEDIA_BLOCK_H

#include "shared_functions/dataport/dataport.h"

struct media_block {
   struct hw_dp_media_block_header h;
   uint32_t pixel_mask;    /* all ones in NORMAL mode */
   unsigned width_B, rows; /* of the block */
   unsigned reg_pitch_B;
   uint32_t row_B;  /* bytes of a surface row */
   uint32_t height; /* rows of the field or frame that is addressed */
   unsigned vls, vlso;
   unsigned pixel_B;  /* 0: a size that has no rule */
   bool yuv422, yuyv; /* yuyv: luma in the even bytes */
};

/* The bytes [x_B, x_B + size) of frame row `row`; all inside the surface. */
void media_block_store(struct dp *d, uint32_t x_B, uint32_t row, const void *data, unsigned size);

/* The whole block at once, memory to `out` or `in` to memory (the other is NULL), when it lies
 * inside and the registers have room for it; false: nothing was done. */
bool media_block_inside(struct dp *d, const struct media_block *b, uint8_t *out, const uint8_t *in,
                        unsigned room_B);

/* Media Block Write with Color Processing Enable. */
enum sf_status dp_color_process(struct dp *d, struct media_block *b);

#endif
