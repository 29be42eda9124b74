/* The colour pipe: enables, control points, total color control against its formulas, blocks that
 * hang over the edge. */
#include "color.h"

#include <math.h>
#include "tests/proves.h"

static uint32_t
random32(uint32_t *seed)
{
   *seed = *seed * 1664525u + 1013904223u;
   return *seed >> 8;
}

/* DP-398 in words: the octant, then the polynomial of the smaller over the larger. */
static double
oracle_angle(int u, int v)
{
   static const double pi = 3.14159265358979323846;
   double au = abs(u), av = abs(v), x = au == 0 && av == 0 ? 0 : av > au ? au / av : av / au;
   double a = -0.2880 * x * x + 1.0797 * x - 0.005, turn;
   if (u > 0 && v >= 0)
      turn = av <= au ? a : pi / 2 - a;
   else if (v > 0)
      turn = av >= au ? pi / 2 + a : pi - a;
   else if (u < 0)
      turn = av <= au ? pi + a : 1.5 * pi - a;
   else
      turn = av >= au ? 1.5 * pi + a : 2 * pi - a;
   turn *= 512 / pi;
   return turn < 0 ? turn + 1024 : turn;
}

/* DP-400, line by line. */
static double
oracle_factor(const cps *st, int u, int v, int score)
{
   const unsigned base[7] = {st->basecolor1, st->basecolor2, st->basecolor3,       st->basecolor4,
                             st->basecolor5, st->basecolor6, st->basecolor1 + 1024};
   const unsigned sat[7] = {st->satfactor1, st->satfactor2, st->satfactor3, st->satfactor4,
                            st->satfactor5, st->satfactor6, st->satfactor1};
   const unsigned slope[6] = {st->colortransitslope12, st->colortransitslope23,
                              st->colortransitslope34, st->colortransitslope45,
                              st->colortransitslope56, st->colortransitslope61};
   const unsigned bias[6] = {st->colorbias1, st->colorbias2, st->colorbias3,
                             st->colorbias4, st->colorbias5, st->colorbias6};
   unsigned theta = (unsigned)oracle_angle(u, v), i = 0;
   if (theta < base[0])
      theta += 1024;
   while (i < 5 && theta >= base[i + 1])
      i++;
   double alpha = fmin(fmax((theta - base[i]) * (slope[i] / 65536.0) - bias[i] / 256.0, 0), 1);
   double sf = ((1 - alpha) * sat[i] + alpha * sat[i + 1]) / 128,
          top = abs(u) > abs(v) ? abs(u) : abs(v);
   if (sf > 1)
      sf = top > st->uvmaxcolor
               ? 1
               : 1 + (sf - 1) * (st->uvmaxcolor - top) * st->inv_uvmaxcolor / 65536.0;
   if (sf > 1)
      sf =
          1 + (sf - 1) *
                  fmin(fmax((top - st->uv_threshold) / ldexp(1, (int)st->uv_threshold_bits), 0), 1);
   double ste =
       fmin(fmax((score - (int)st->ste_threshold) * 8 * ldexp(1, (int)st->ste_slope_bits), 0), 255);
   return floor((128 * ste + (256 - ste) * sf * 128) / 256);
}

/* DP-397 DP-398 DP-399 DP-400 DP-401 DP-402 DP-403: random states and colours, against the
 * formulas; a step of the ten bits may be lost to rounding. */
static void
tcc_formulas(void **state)
{
   proves("DP-397", "DP-398", "DP-399", "DP-400", "DP-401", "DP-402", "DP-403");
   (void)state;
   uint32_t seed = 77;
   for (unsigned run = 0; run < 300; run++) {
      cps st = defaults();
      uint32_t *sat[6] = {&st.satfactor1, &st.satfactor2, &st.satfactor3,
                          &st.satfactor4, &st.satfactor5, &st.satfactor6};
      uint32_t *slope[6] = {&st.colortransitslope12, &st.colortransitslope23,
                            &st.colortransitslope34, &st.colortransitslope45,
                            &st.colortransitslope56, &st.colortransitslope61};
      uint32_t *bias[6] = {&st.colorbias1, &st.colorbias2, &st.colorbias3,
                           &st.colorbias4, &st.colorbias5, &st.colorbias6};
      for (unsigned i = 0; i < 6; i++) {
         *sat[i] = random32(&seed) & 255;
         *slope[i] =
             run % 3 ? 300 + random32(&seed) % 900 : 65535; /* 65535: a jump at the anchor */
         *bias[i] = run % 2 ? random32(&seed) % 300 : 0;
      }
      st.uv_threshold = random32(&seed) & 127, st.uv_threshold_bits = random32(&seed) & 7;
      st.ste_threshold = random32(&seed) & 31, st.ste_slope_bits = random32(&seed) & 3;
      for (unsigned k = 0; k < 60; k++) {
         int u = (int)(random32(&seed) & 1023) - 512, v = (int)(random32(&seed) & 1023) - 512,
             score = (int)(random32(&seed) & 31);
         if (k % 5 == 0)
            u = k % 2 ? 0 : u, v = k % 2 ? v : 0;
         struct iecp_pixel p = {1234, (u + 512) << 2 | (int)(run & 3), (v + 512) << 2, 0};
         double factor = oracle_factor(&st, u, v, score) / 128;
         iecp_tcc(&st, (unsigned)score, &p);
         assert_int_equal(p.y, 1234);
         assert_int_equal(p.u & 3, 0);
         assert_true(fabs(fmin(fmax(u * factor + 512, 0), 1023) - p.u / 4) <= 1.0 + 512.0 / 128);
         assert_true(fabs(fmin(fmax(v * factor + 512, 0), 1023) - p.v / 4) <= 1.0 + 512.0 / 128);
         if (u || v) /* nearly always the very same number */
            assert_true(fabs(fmin(fmax(trunc(u * factor) + 512, 0), 1023) - p.u / 4) <= 1);
      }
   }
}

/* DP-455 DP-454: below Ymin and from Ymax on luma stays, whatever the slopes of the first and last
 * segment. */
static void
ace_ends(void **state)
{
   proves("DP-455", "DP-454");
   (void)state;
   cps st = defaults();
   st.ace_s0 = 0, st.ace_s10 = 0;
   for (int y = 0; y < 4096; y++) {
      int want = y;
      if (y >= 16 * 16 && y < 36 * 16)
         want = 16 * 16;
      if (y >= 216 * 16 && y < 235 * 16)
         want = 216 * 16;
      assert_int_equal(iecp_ace(&st, y), want);
   }
   st = defaults();
   st.ace_s3 = 2047; /* 76 … 96 goes up at nearly two */
   assert_int_equal(iecp_ace(&st, 86 * 16), 76 * 16 + 2047 * 160 / 1024);
}

/* A state whose every block would move this colour. */
static cps
busy(void)
{
   cps st = defaults();
   st.satb1 = -64, st.satb2 = 64, st.sats1 = 1365; /* STE */
   st.ace_b5 = 140, st.ace_s5 = 0;
   st.brightness = 160;
   st.c0 = 512;
   return st;
}

/* DP-006 DP-007: seven enables, each for its own block alone; STE without STD has no score and does
 * nothing. */
static void
enables(void **state)
{
   proves("DP-006", "DP-007");
   struct fx *f = *state;
   const struct iecp_pixel in = {120 * 16, 113 * 16, 157 * 16, 0};
   struct iecp pipe = {.dev = f->dev};
   for (unsigned on = 0; on < 128; on++) {
      struct iecp_pixel want = in, got = in;
      unsigned score;
      pipe.st = busy();
      pipe.st.std_enable = on & 1, pipe.st.ste_enable = on >> 1 & 1,
      pipe.st.ace_enable = on >> 2 & 1;
      pipe.st.tcc_enable = on >> 3 & 1, pipe.st.procamp_enable = on >> 4 & 1,
      pipe.st.transform_enable = on >> 5 & 1;
      pipe.st.cgc_enable = on >> 6 & 1;
      score = on & 1 ? iecp_std_score(&pipe.st, &in) : 0;
      if (on & 2)
         iecp_ste(&pipe.st, score, &want);
      if (on & 64)
         iecp_cgc(&pipe.st, &want);
      if (on & 8)
         iecp_tcc(&pipe.st, score, &want);
      if (on & 4)
         want.y = iecp_ace(&pipe.st, want.y);
      if (on & 16)
         iecp_procamp(&pipe.st, &want);
      if (on & 32)
         iecp_csc(&pipe.st, &want);
      iecp_run(&pipe, &got);
      assert_memory_equal(&got, &want, sizeof(got));
      bool moves = on & 0x3c || (on & 3) == 3;
      if (!(on & 64))
         assert_int_equal(memcmp(&got, &in, sizeof(in)) != 0, moves);
   }
}

/* DP-411 DP-415: off, a colour outside the gamut passes; on, both modes bring it in, the same way
 * here. */
static void
gamut_modes(void **state)
{
   proves("DP-411", "DP-415");
   struct fx *f = *state;
   const struct iecp_pixel wild = {500, 4000, 100, 0};
   struct iecp_pixel result[2];
   struct iecp pipe = {.st = defaults(), .dev = f->dev};
   struct iecp_pixel p = wild;
   iecp_run(&pipe, &p);
   assert_memory_equal(&p, &wild, sizeof(p));
   pipe.st.cgc_enable = 1;
   for (unsigned full = 0; full < 2; full++) {
      pipe.st.full_range_mapping_enable = full;
      result[full] = wild;
      iecp_run(&pipe, &result[full]);
   }
   assert_memory_not_equal(&result[0], &wild, sizeof(wild));
   assert_memory_equal(&result[0], &result[1], sizeof(wild));
}

/* DP-456: only pixels whose score is above the threshold are skin; the range grows both ways; both
 * halves of a bin register stay at their largest. */
static void
skin_statistics(void **state)
{
   proves("DP-456");
   struct fx *f = *state;
   cps st = defaults();
   st.std_enable = st.ace_enable = st.full_image_histogram = 1;
   struct iecp pipe = {.st = st, .dev = f->dev, .histogram = true};
   static const int lumas[6] = {100, 80, 120, 90, 110, 60};
   for (unsigned i = 0; i < 6; i++) {
      struct iecp_pixel p = {lumas[i] * 16, 110 * 16, 154 * 16, 0},
                        grey = {200 * 16, 2048, 2048, 0};
      iecp_run(&pipe, &p);
      iecp_run(&pipe, &grey);
   }
   pipe.st.skin_threshold = 31; /* no score is above it */
   struct iecp_pixel p = {220 * 16, 110 * 16, 154 * 16, 0};
   iecp_run(&pipe, &p);
   assert_int_equal(pergola_mmio_read(f->dev, 0x5074, 4), 6);
   assert_int_equal(pergola_mmio_read(f->dev, 0x5070, 4), 120u * 4 << 16 | 60 * 4);
   f->dev->mmio[0x5080 / 4] = 0xffff1234;
   p = (struct iecp_pixel){2 * 16, 2048, 2048, 0}; /* bin 1 */
   iecp_run(&pipe, &p);
   assert_int_equal(pergola_mmio_read(f->dev, 0x5080, 4), 0xffff1234);
}

/* DP-443: every list of points, in order and out of order, and the curves that must meet. */
static void
control_points(void **state)
{
   proves("DP-443");
   (void)state;
   cps good = defaults();
   good.std_enable = good.ste_enable = good.ace_enable = good.vy_std_enable =
       good.skin_types_enable = 1;
   assert_null(iecp_check(&good));
#define BROKEN(member, value)                                                                      \
   do {                                                                                            \
      cps st = good;                                                                               \
      st.member = value;                                                                           \
      if (!iecp_check(&st))                                                                        \
         fail_msg("%s = %d was not found", #member, value);                                        \
      st.std_enable = st.ste_enable = st.ace_enable = 0;                                           \
      assert_null(iecp_check(&st)); /* a block that is off may hold anything */                    \
   } while (0)
   BROKEN(ace_y1, 10);
   BROKEN(ace_y2, 30);
   BROKEN(ace_y3, 50);
   BROKEN(ace_y5, 90);
   BROKEN(ace_y6, 110);
   BROKEN(ace_y7, 130);
   BROKEN(ace_y8, 150);
   BROKEN(ace_y9, 170);
   BROKEN(ace_y10, 190);
   BROKEN(ace_ymax, 210);
   BROKEN(ace_y4, 76); /* equal to Y3, with another bias */
   BROKEN(y_point_2, 45);
   BROKEN(y_point_3, 40);
   BROKEN(y_point_4, 250);
   BROKEN(p1l, 45);
   BROKEN(p2l, 200);
   BROKEN(p3l, 200);
   BROKEN(p1u, 45);
   BROKEN(p2u, 60);
   BROKEN(p3u, 140);
   BROKEN(p0l, 47);
   BROKEN(p0u, 45);
   BROKEN(b1l, 140);
   BROKEN(b2u, 190);
   BROKEN(s2u, 0);
   BROKEN(satp2, -7);
   BROKEN(satp3, 5);
   BROKEN(satb2, -12);
   BROKEN(sats0, 256);
   BROKEN(satb3, 100);
   BROKEN(huep2, -7);
   BROKEN(huep3, 5);
   BROKEN(hueb1, 8);
   BROKEN(hues1, 256);
   BROKEN(hueb3, 40);
   BROKEN(satp2_dark, -12);
   BROKEN(satb1_dark, 8);
   BROKEN(huep3_dark, 1);
   BROKEN(hues2_dark, 256);
#undef BROKEN
   cps st = good;
   st.skin_types_enable = 0, st.huep3_dark = 1; /* not used */
   assert_null(iecp_check(&st));
   st = good;
   st.vy_std_enable = 0, st.p1l = 45;
   assert_null(iecp_check(&st));
}

/* DP-442: by name. */
static void
output_formats(void **state)
{
   proves("DP-442", "SMP-397");
   (void)state;
   static const char *const names[14] = {"R16G16B16A16_UNORM", "B8G8R8A8_UNORM",
                                         "R10G10B10A2_UNORM",  "R10G10B10A2_UNORM_SRGB",
                                         "R8G8B8A8_UNORM",     "R8G8B8A8_UNORM_SRGB",
                                         "B10G10R10A2_UNORM",  "B10G10R10A2_UNORM_SRGB",
                                         "B8G8R8X8_UNORM",     "YCRCB_NORMAL",
                                         "YCRCB_SWAPUVY",      "YCRCB_SWAPUV",
                                         "YCRCB_SWAPY",        "R16_UNORM"};
   for (unsigned code = 0; code < 512; code++) {
      bool listed = false;
      for (unsigned i = 0; i < 14; i++)
         listed |= !strcmp(format_get(code)->name, names[i]);
      assert_int_equal((format_get(code)->capabilities & FORMAT_COLOR_PROCESSING) != 0, listed);
   }
}

/* DP-110 DP-145: processed blocks that hang over each edge, of RGB, 4:2:2 and NV12 surfaces.
 * Outside nothing changes. */
static void
blocks_at_the_edges(void **state)
{
   proves("DP-110", "DP-145");
   struct fx *f = *state;
   static const struct {
      unsigned format, width_dw, pixels, out_B; /* pixels of a row */
   } kinds[3] = {{0xc7, 10, 10, 4}, {0x182, 6, 12, 2}, {0x10a, 8, 16, 1}};
   static const int at[5][2] = {{-2, 2}, {8, 2}, {4, -2}, {4, 6}, {40, 2}};
   cps st = defaults();
   load(f, &st);
   for (unsigned k = 0; k < 3; k++)
      for (unsigned a = 0; a < 5; a++) {
         bind(f, kinds[k].format, kinds[k].width_dw, 8);
         memset(fx_at(f, FX_DATA), 0xcc, 64 * 1024);
         block(f, at[a][0] * 4, at[a][1], 16, 4, 1); /* 4 by 4 pixels of 4:4:4 */
         for (unsigned i = 0; i < 16; i++)
            fx_in(f, 1)[i] = 0x80 | 0x80u << 8 | (0x20 + i) << 16;
         fx_send(f, SFID_DP_RENDER, WRITE, true, 3, 0);
         for (int y = 0; y < 16; y++)
            for (int x = 0; x < 100; x++) {
               int i = y - at[a][1], px = x / (int)kinds[k].out_B, j = px - at[a][0];
               bool in = i >= 0 && i < 4 && j >= 0 && j < 4 && y < 8 && px < (int)kinds[k].pixels;
               uint8_t want = in ? (uint8_t)(0x20 + 4 * i + j) : 0xcc;
               int c = x % (int)kinds[k].out_B;
               if (in && (kinds[k].out_B == 2 ? c == 1 : c == 1 || c == 2))
                  want = 0x80; /* chroma */
               if (in && c == 3)
                  want = 0;
               if (kinds[k].out_B == 1 && y >= 8)
                  continue; /* the chroma plane: nv12 looks at it */
               assert_int_equal(*fx_at(f, place((uint32_t)x, (uint32_t)y)), want);
            }
         f->rule_count = 0; /* NV12 has rules for the place of a block */
      }
}

/* DP-131 DP-137: without the enable the pointer is not looked at, and raw bytes are written. */
static void
disabled(void **state)
{
   proves("DP-131", "DP-137");
   struct fx *f = *state;
   bind(f, 0xc7, 10, 8);
   block(f, 0, 0, 16, 1, 1);
   fx_in(f, 0)[3] = 0x60000000;
   fx_in(f, 1)[0] = 0x01020304;
   fx_send(f, SFID_DP_RENDER, WRITE, true, 2, 0);
   assert_int_equal(*fx_dw(f, place(0, 0)), 0x01020304);
   fx_in(f, 0)[3] = 0x60000000;
   fx_send(f, SFID_DP_RENDER, 4u << 14, true, 1, 1);
   assert_int_equal(fx_out(f, 0)[0], 0x01020304);
   assert_silent(f);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(tcc_formulas),
       cmocka_unit_test(ace_ends),
       FX_TEST(enables),
       FX_TEST(gamut_modes),
       FX_TEST(skin_statistics),
       cmocka_unit_test(control_points),
       cmocka_unit_test(output_formats),
       FX_TEST(blocks_at_the_edges),
       FX_TEST(disabled),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
