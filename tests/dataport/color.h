/* What the tests of the colour pipe share: the default state, a Y-tiled surface, the header of a
 * block. */
#ifndef PERGOLA_TEST_COLOR_H
#define PERGOLA_TEST_COLOR_H

#include "fixture.h"
#include "shared_functions/dataport/iecp.h"

#define WRITE (10u << 14)
#define STATE 0x8000u /* from the general state base */
#define PITCH 1024u

typedef struct hw_color_processing_state cps;

/* The defaults of the manual, everything off. */
static inline cps
defaults(void)
{
   return (cps){.v_mid = 154,
                .u_mid = 110,
                .hue_max = 14,
                .sat_max = 31,
                .diamond_margin = 4,
                .hs_margin = 3,
                .cos = 79,
                .sin = 101,
                .diamond_alpha = 100,
                .diamond_th = 35,
                .y_point_1 = 46,
                .y_point_2 = 47,
                .y_point_3 = 254,
                .y_point_4 = 255,
                .y_slope_1 = 31,
                .y_slope_2 = 31,
                .inv_margin_vyl = 3300,
                .inv_margin_vyu = 1600,
                .p0l = 46,
                .p1l = 216,
                .p2l = 236,
                .p3l = 236,
                .b0l = 133,
                .b1l = 130,
                .b2l = 130,
                .b3l = 130,
                .s0l = -5,
                .p0u = 46,
                .p1u = 66,
                .p2u = 150,
                .p3u = 236,
                .b0u = 143,
                .b1u = 163,
                .b2u = 200,
                .b3u = 140,
                .s0u = 256,
                .s1u = 113,
                .s2u = -179,
                .skin_types_margin = 20,
                .skin_types_thresh = 120,
                .inv_skin_types_margin = 1638,
                .satp1 = -6,
                .satp2 = 6,
                .satp3 = 31,
                .satb1 = -8,
                .satb2 = 8,
                .satb3 = 124,
                .sats0 = 297,
                .sats1 = 85,
                .sats2 = 297,
                .sats3 = 256,
                .huep1 = -6,
                .huep2 = 6,
                .huep3 = 14,
                .hueb1 = -8,
                .hueb2 = 8,
                .hueb3 = 56,
                .hues0 = 384,
                .hues1 = 85,
                .hues2 = 384,
                .hues3 = 256,
                .satp1_dark = -11,
                .satp2_dark = 31,
                .satp3_dark = 31,
                .satb1_dark = 0,
                .satb2_dark = 124,
                .satb3_dark = 124,
                .sats0_dark = 397,
                .sats1_dark = 189,
                .sats2_dark = 256,
                .sats3_dark = 256,
                .huep1_dark = 0,
                .huep2_dark = 2,
                .huep3_dark = 14,
                .hueb1_dark = 0,
                .hueb2_dark = 0,
                .hueb3_dark = 56,
                .hues0_dark = 256,
                .hues1_dark = 0,
                .hues2_dark = 299,
                .hues3_dark = 256,
                .skin_threshold = 26,
                .ace_ymin = 16,
                .ace_y1 = 36,
                .ace_y2 = 56,
                .ace_y3 = 76,
                .ace_y4 = 96,
                .ace_y5 = 116,
                .ace_y6 = 136,
                .ace_y7 = 156,
                .ace_y8 = 176,
                .ace_y9 = 196,
                .ace_y10 = 216,
                .ace_ymax = 235,
                .ace_b1 = 36,
                .ace_b2 = 56,
                .ace_b3 = 76,
                .ace_b4 = 96,
                .ace_b5 = 116,
                .ace_b6 = 136,
                .ace_b7 = 156,
                .ace_b8 = 176,
                .ace_b9 = 196,
                .ace_b10 = 216,
                .ace_s0 = 1024,
                .ace_s1 = 1024,
                .ace_s2 = 1024,
                .ace_s3 = 1024,
                .ace_s4 = 1024,
                .ace_s5 = 1024,
                .ace_s6 = 1024,
                .ace_s7 = 1024,
                .ace_s8 = 1024,
                .ace_s9 = 1024,
                .ace_s10 = 1024,
                .satfactor1 = 220,
                .satfactor2 = 220,
                .satfactor3 = 220,
                .satfactor4 = 220,
                .satfactor5 = 220,
                .satfactor6 = 220,
                .basecolor1 = 145,
                .basecolor2 = 307,
                .basecolor3 = 483,
                .basecolor4 = 657,
                .basecolor5 = 819,
                .basecolor6 = 995,
                .colortransitslope12 = 405,
                .colortransitslope23 = 744,
                .colortransitslope34 = 1131,
                .colortransitslope45 = 407,
                .colortransitslope56 = 372,
                .colortransitslope61 = 377,
                .colorbias2 = 150,
                .uv_threshold = 3,
                .uv_threshold_bits = 3,
                .inv_uvmaxcolor = 146,
                .uvmaxcolor = 448,
                .contrast = 128,
                .cos_c_s = 256,
                .c0 = 1024,
                .c4 = 1024,
                .c8 = 1024};
}

static inline void
load(struct fx *f, const cps *st)
{
   uint32_t dw[67];
   gen7_color_processing_state_pack(dw, st);
   memcpy(fx_at(f, FX_GENERAL + STATE), dw, sizeof(dw));
}

static inline uint32_t
place(uint32_t x, uint32_t y)
{
   return FX_DATA + y / 32 * 32 * PITCH + x / 128 * 4096 + x % 128 / 16 * 512 + y % 32 * 16 +
          x % 16;
}

static inline void
bind(struct fx *f, unsigned format, unsigned width, unsigned height)
{
   struct hw_render_surface_state st = {.surface_type = SURFTYPE_2D,
                                        .surface_format = format,
                                        .tiled_surface = true,
                                        .tile_walk = 1,
                                        .surface_base_address = FX_DATA,
                                        .width = width - 1,
                                        .height = height - 1,
                                        .surface_pitch = PITCH - 1};
   fx_surface(f, 0, &st);
}

/* Header of a block; message format in bits 3:2. */
static inline void
block(struct fx *f, int x, int y, unsigned width, unsigned rows, unsigned format)
{
   fx_clear_payload(f);
   fx_in(f, 0)[0] = (uint32_t)x;
   fx_in(f, 0)[1] = (uint32_t)y;
   fx_in(f, 0)[2] = (rows - 1) << 16 | (width - 1);
   fx_in(f, 0)[3] = STATE | format << 2 | 1;
}

#endif
