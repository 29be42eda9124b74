/* The colour pipe: image enhancement and colour processing of one pixel, 12 bits a component. */
#ifndef PERGOLA_DP_IECP_H
#define PERGOLA_DP_IECP_H

#include "machine/device.h"

struct iecp_pixel {
   int32_t y, u, v; /* 0 … 4095; red, green, blue after a conversion to RGB */
   uint16_t alpha;
};

struct iecp {
   struct hw_color_processing_state st;
   struct pergola_device *dev; /* whose statistics registers count */
   bool histogram;             /* this block is counted */
};

/* Unpacks 67 dwords; the result is ready for iecp_run. */
void iecp_open(struct iecp *p, const uint32_t *dw);
/* DP-443: names of point lists that decrease, or NULL. */
const char *iecp_check(const struct hw_color_processing_state *st);
const char *
iecp_ste_check(const struct hw_color_processing_state *st); /* of its saturation and hue curves */
/* DP-007: all blocks that are enabled, in their order. */
void iecp_run(const struct iecp *p, struct iecp_pixel *px);

/* The blocks, for tests. Score: 0 … 31. */
unsigned iecp_std_score(const struct hw_color_processing_state *st, const struct iecp_pixel *px);
void iecp_ste(const struct hw_color_processing_state *st, unsigned score, struct iecp_pixel *px);
void iecp_tcc(const struct hw_color_processing_state *st, unsigned score, struct iecp_pixel *px);
int32_t iecp_ace(const struct hw_color_processing_state *st, int32_t y);
void iecp_procamp(const struct hw_color_processing_state *st, struct iecp_pixel *px);
void iecp_csc(const struct hw_color_processing_state *st, struct iecp_pixel *px);
void iecp_cgc(const struct hw_color_processing_state *st, struct iecp_pixel *px);

static inline int32_t
iecp_clip(int64_t v)
{
   return v < 0 ? 0 : v > 4095 ? 4095 : (int32_t)v;
}

#endif
