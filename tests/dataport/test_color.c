/* The colour pipe: its state, each block, formats in and out, statistics, rules. */
#include "color.h"

#include <math.h>
#include "tests/proves.h"

/* DP-005 DP-006 DP-433 DP-434 DP-435 DP-436 DP-437 DP-438 DP-439: fields of each sub-state at the
 * bits of the manual. */
static void
state_layout(void **state)
{
   proves("DP-005", "DP-006", "DP-433", "DP-434", "DP-435", "DP-436", "DP-437", "DP-438", "DP-439");
   uint32_t dw[67];
   (void)state;
   assert_int_equal(GEN7_COLOR_PROCESSING_STATE_LENGTH, 67);
   memset(dw, 0, sizeof(dw));
   cps v;
#define BITS(word, lo, value, member, want)                                                        \
   do {                                                                                            \
      memset(dw, 0, sizeof(dw));                                                                   \
      dw[word] = (uint32_t)(value) << (lo);                                                        \
      gen7_color_processing_state_unpack(&v, dw);                                                  \
      assert_int_equal(v.member, want);                                                            \
   } while (0)
   BITS(0, 24, 154, v_mid, 154);
   BITS(0, 16, 110, u_mid, 110);
   BITS(0, 10, 14, hue_max, 14);
   BITS(0, 4, 31, sat_max, 31);
   BITS(0, 2, 1, output_control, 1);
   BITS(0, 1, 1, ste_enable, 1);
   BITS(0, 0, 1, std_enable, 1);
   BITS(1, 28, 4, diamond_margin, 4);
   BITS(1, 21, 0x7f, diamond_du, -1);
   BITS(1, 18, 3, hs_margin, 3);
   BITS(1, 10, 0x80, cos, -128);
   BITS(1, 0, 101, sin, 101);
   BITS(2, 13, 100, diamond_alpha, 100);
   BITS(2, 7, 35, diamond_th, 35);
   BITS(2, 0, 0x40, diamond_dv, -64);
   BITS(3, 24, 254, y_point_3, 254);
   BITS(3, 16, 47, y_point_2, 47);
   BITS(3, 8, 46, y_point_1, 46);
   BITS(3, 7, 1, vy_std_enable, 1);
   BITS(4, 13, 31, y_slope_2, 31);
   BITS(4, 8, 31, y_slope_1, 31);
   BITS(4, 0, 255, y_point_4, 255);
   BITS(5, 16, 1638, inv_skin_types_margin, 1638);
   BITS(5, 0, 3300, inv_margin_vyl, 3300);
   BITS(6, 24, 216, p1l, 216);
   BITS(6, 16, 46, p0l, 46);
   BITS(6, 0, 1600, inv_margin_vyu, 1600);
   BITS(7, 24, 130, b1l, 130);
   BITS(7, 16, 133, b0l, 133);
   BITS(7, 8, 236, p3l, 236);
   BITS(7, 0, 236, p2l, 236);
   BITS(8, 16, 0x7fb, s0l, -5);
   BITS(8, 8, 130, b3l, 130);
   BITS(8, 0, 130, b2l, 130);
   BITS(9, 11, 0x400, s2l, -1024);
   BITS(9, 0, 1, s1l, 1);
   BITS(10, 19, 66, p1u, 66);
   BITS(10, 11, 46, p0u, 46);
   BITS(10, 0, 3, s3l, 3);
   BITS(11, 24, 163, b1u, 163);
   BITS(11, 16, 143, b0u, 143);
   BITS(11, 8, 236, p3u, 236);
   BITS(11, 0, 150, p2u, 150);
   BITS(12, 16, 256, s0u, 256);
   BITS(12, 8, 140, b3u, 140);
   BITS(12, 0, 200, b2u, 200);
   BITS(13, 11, 0x74d, s2u, -179);
   BITS(13, 0, 113, s1u, 113);
   BITS(14, 20, 20, skin_types_margin, 20);
   BITS(14, 12, 120, skin_types_thresh, 120);
   BITS(14, 11, 1, skin_types_enable, 1);
   BITS(14, 0, 2, s3u, 2);
   BITS(15, 21, 0x3f8, satb1, -8);
   BITS(15, 14, 31, satp3, 31);
   BITS(15, 7, 6, satp2, 6);
   BITS(15, 0, 0x7a, satp1, -6);
   BITS(16, 20, 297, sats0, 297);
   BITS(16, 10, 124, satb3, 124);
   BITS(16, 0, 8, satb2, 8);
   BITS(17, 11, 297, sats2, 297);
   BITS(17, 0, 85, sats1, 85);
   BITS(18, 25, 14, huep3, 14);
   BITS(18, 18, 6, huep2, 6);
   BITS(18, 11, 0x7a, huep1, -6);
   BITS(18, 0, 256, sats3, 256);
   BITS(19, 20, 56, hueb3, 56);
   BITS(19, 10, 8, hueb2, 8);
   BITS(19, 0, 0x3f8, hueb1, -8);
   BITS(20, 11, 85, hues1, 85);
   BITS(20, 0, 384, hues0, 384);
   BITS(21, 11, 256, hues3, 256);
   BITS(21, 0, 384, hues2, 384);
   BITS(22, 0, 0x75, satp1_dark, -11);
   BITS(23, 20, 397, sats0_dark, 397);
   BITS(25, 18, 2, huep2_dark, 2);
   BITS(28, 0, 299, hues2_dark, 299);
   BITS(28, 11, 256, hues3_dark, 256);
   BITS(29, 2, 26, skin_threshold, 26);
   BITS(29, 1, 1, full_image_histogram, 1);
   BITS(29, 0, 1, ace_enable, 1);
   BITS(30, 0, 16, ace_ymin, 16);
   BITS(30, 24, 76, ace_y3, 76);
   BITS(31, 8, 116, ace_y5, 116);
   BITS(32, 16, 216, ace_y10, 216);
   BITS(32, 24, 235, ace_ymax, 235);
   BITS(33, 0, 36, ace_b1, 36);
   BITS(34, 24, 176, ace_b8, 176);
   BITS(35, 8, 216, ace_b10, 216);
   BITS(36, 16, 1024, ace_s1, 1024);
   BITS(36, 0, 1024, ace_s0, 1024);
   BITS(41, 0, 1024, ace_s10, 1024);
   BITS(42, 24, 220, satfactor3, 220);
   BITS(42, 8, 220, satfactor1, 220);
   BITS(42, 7, 1, tcc_enable, 1);
   BITS(43, 24, 220, satfactor6, 220);
   BITS(43, 8, 219, satfactor4, 219);
   BITS(44, 20, 483, basecolor3, 483);
   BITS(44, 0, 145, basecolor1, 145);
   BITS(45, 10, 819, basecolor5, 819);
   BITS(46, 16, 744, colortransitslope23, 744);
   BITS(46, 0, 405, colortransitslope12, 405);
   BITS(47, 16, 407, colortransitslope45, 407);
   BITS(48, 16, 377, colortransitslope61, 377);
   BITS(49, 12, 150, colorbias2, 150);
   BITS(50, 22, 1, colorbias6, 1);
   BITS(51, 24, 3, uv_threshold, 3);
   BITS(51, 16, 3, uv_threshold_bits, 3);
   BITS(51, 8, 7, ste_threshold, 7);
   BITS(51, 0, 5, ste_slope_bits, 5);
   BITS(52, 16, 146, inv_uvmaxcolor, 146);
   BITS(52, 0, 448, uvmaxcolor, 448);
   BITS(53, 17, 128, contrast, 128);
   BITS(53, 1, 0xfff, brightness, -1);
   BITS(53, 0, 1, procamp_enable, 1);
   BITS(54, 16, 256, cos_c_s, 256);
   BITS(54, 0, 0x8000, sin_c_s, -32768);
   BITS(55, 16, 5, c1, 5);
   BITS(55, 3, 0x1fff, c0, -1);
   BITS(55, 2, 1, yuv_in, 1);
   BITS(55, 1, 1, yuv_out, 1);
   BITS(55, 0, 1, transform_enable, 1);
   BITS(56, 13, 6, c3, 6);
   BITS(56, 0, 7, c2, 7);
   BITS(58, 13, 8, c7, 8);
   BITS(59, 0, 9, c8, 9);
   BITS(60, 10, 0x3ff, offset_out_1, -1);
   BITS(62, 0, 0x200, offset_in_3, -512);
   BITS(63, 16, 1, alpha_from_state_select, 1);
   BITS(63, 0, 0xabcd, color_pipe_alpha, 0xabcd);
   BITS(64, 31, 1, cgc_enable, 1);
   BITS(64, 30, 1, full_range_mapping_enable, 1);
   BITS(64, 20, 205, d_in_default, 205);
   BITS(64, 10, 164, d_out_default, 164);
   BITS(64, 0, 287, d1_out, 287);
   BITS(65, 28, 3, compression_line_shift, 3);
   BITS(65, 0, 820, d1_in, 820);
   BITS(66, 31, 1, xvycc_decode_encode_enable, 1);
   BITS(66, 26, 2, std_factor_mode, 2);
   BITS(66, 24, 2, mv_dark_factor_mode, 2);
   BITS(66, 22, 2, scaling_factor_mode, 2);
   BITS(66, 0, 1, display_color_space, 1);
}

/* DP-006 DP-125 DP-131 DP-135 DP-137 DP-152 DP-153 DP-154 DP-155 DP-441 DP-442 DP-145 DP-406
 * DP-412: with every function off the pixel only changes its format. */
static void
pass_through(void **state)
{
   proves("DP-125", "DP-131", "DP-135", "DP-152", "DP-153", "DP-154", "DP-155", "DP-441", "DP-442");
   struct fx *f = *state;
   cps st = defaults();
   load(f, &st);
   /* two pixels: Y 0x12 and 0x34, U 0x56, V 0x78, alpha 0x9a, in each message format */
   static const struct {
      unsigned bytes, alpha;
      uint8_t data[16];
   } message[4] = {{4, 0, {0x12, 0x56, 0x34, 0x78}},
                   {8, 0x9a, {0x78, 0x56, 0x12, 0x9a, 0x78, 0x56, 0x34, 0x9a}},
                   {8, 0, {0x0f, 0x12, 0x0f, 0x56, 0x0f, 0x34, 0x0f, 0x78}},
                   {16,
                    0x9a,
                    {0x0f, 0x56, 0x0f, 0x12, 0x0f, 0x78, 0x0f, 0x9a, 0x0f, 0x56, 0x0f, 0x34, 0x0f,
                     0x78, 0x0f, 0x9a}}};
   for (unsigned m = 0; m < 4; m++) {
      unsigned in_B = message[m].bytes / 2, a = message[m].alpha;
      for (unsigned out = 0; out < 6; out++) {
         static const unsigned formats[6] = {0xc7, 0xc0, 0x80, 0xc2, 0x182, 0x190};
         unsigned out_B = out == 2 ? 8 : out >= 4 ? 2 : 4;
         bind(f, formats[out], 100, 40);
         memset(fx_at(f, FX_DATA), 0xcc, 64 * 1024);
         block(f, (int)(4 * in_B), 6, message[m].bytes < 4 ? 4 : message[m].bytes, 1, m);
         memcpy(fx_in(f, 1), message[m].data, 16);
         fx_send(f, SFID_DP_RENDER, WRITE, true, 2, 0);
         uint8_t got[16];
         for (unsigned i = 0; i < 2 * out_B; i++)
            got[i] = *fx_at(f, place(4 * out_B + i, 6));
         for (unsigned p = 0; p < 2 && out < 4; p++) {
            unsigned y = p ? 0x34 : 0x12,
                     low = m >= 2 ? 0 : 0; /* 16-bit input has its low nibble cut */
            uint32_t dw;
            uint16_t w[4];
            memcpy(&dw, got + p * out_B, 4);
            memcpy(w, got + p * out_B, 8 < out_B ? 8 : out_B);
            if (out == 0)
               assert_int_equal(dw, a << 24 | 0x78u << 16 | 0x56u << 8 | y);
            if (out == 1)
               assert_int_equal(dw, a << 24 | y << 16 | 0x56u << 8 | 0x78);
            if (out == 2) {
               memcpy(w, got + p * 8, 8);
               assert_int_equal(w[0], y << 8 | low);
               assert_int_equal(w[1], 0x5600 | low);
               assert_int_equal(w[2], 0x7800 | low);
               assert_int_equal(w[3], a << 8 | (m == 3 ? 0 : 0));
            }
            if (out == 3)
               assert_int_equal(dw, (a >> 6) << 30 | 0x78u << 22 | 0x56u << 12 | y << 2);
         }
         static const uint8_t yuyv[4] = {0x12, 0x56, 0x34, 0x78},
                              uyvy[4] = {0x56, 0x12, 0x78, 0x34};
         if (out >= 4)
            assert_memory_equal(got, out == 4 ? yuyv : uyvy, 4);
         assert_int_equal(*fx_at(f, place(4 * out_B - 1, 6)), 0xcc);
         assert_int_equal(*fx_at(f, place(6 * out_B, 6)), 0xcc);
      }
   }
   assert_silent(f);
   st.alpha_from_state_select = 1;
   st.color_pipe_alpha = 0x4321;
   load(f, &st);
   bind(f, 0x80, 100, 40);
   block(f, 0, 0, 4, 1, 0);
   fx_send(f, SFID_DP_RENDER, WRITE, true, 2, 0);
   assert_int_equal(*fx_at(f, place(6, 0)), 0x21);
   assert_int_equal(*fx_at(f, place(7, 0)), 0x43);
}

/* DP-125: chroma of a 4:2:2 pair is the mean of the two pixels. */
static void
chroma_mean(void **state)
{
   proves("DP-125");
   struct fx *f = *state;
   cps st = defaults();
   load(f, &st);
   bind(f, 0x182, 100, 40);
   block(f, 0, 0, 8, 1, 1);
   static const uint8_t two[8] = {10, 100, 1, 0, 21, 50, 2, 0}; /* V U Y A */
   memcpy(fx_in(f, 1), two, 8);
   fx_send(f, SFID_DP_RENDER, WRITE, true, 2, 0);
   static const uint8_t want[4] = {1, 75, 2, 15};
   assert_memory_equal(fx_at(f, place(0, 0)), want, 4);
}

static void
procamp(void **state)
{
   proves("DP-404", "DP-405", "DP-406", "DP-407");
   (void)state;
   for (unsigned n = 0; n < 2000; n++) {
      cps st = defaults();
      st.contrast = n * 37 % 2048;
      st.brightness = (int)(n * 53 % 4096) - 2048;
      st.cos_c_s = (int)(n * 71 % 1024) - 512;
      st.sin_c_s = (int)(n * 91 % 1024) - 512;
      struct iecp_pixel p = {(int)(n * 131 % 4096), (int)(n * 17 % 4096), (int)(n * 301 % 4096), 0};
      double y = (p.y - 256) * (st.contrast / 128.0) + st.brightness + 256;
      double u = (p.u - 2048) * (st.cos_c_s / 256.0) + (p.v - 2048) * (st.sin_c_s / 256.0) + 2048;
      double v = (p.v - 2048) * (st.cos_c_s / 256.0) - (p.u - 2048) * (st.sin_c_s / 256.0) + 2048;
      iecp_procamp(&st, &p);
      assert_int_equal(p.y, fmin(fmax(floor(y + 0.5), 0), 4095));
      assert_int_equal(p.u, fmin(fmax(floor(u + 0.5), 0), 4095));
      assert_int_equal(p.v, fmin(fmax(floor(v + 0.5), 0), 4095));
   }
   cps st = defaults();
   struct iecp_pixel p = {1000, 2000, 3000, 0};
   iecp_procamp(&st, &p); /* the defaults change nothing */
   assert_int_equal(p.y, 1000);
   assert_int_equal(p.u, 2000);
   assert_int_equal(p.v, 3000);
}

/* DP-408 DP-409 DP-410: BT.601 to RGB by the matrix of the manual's kind, random matrices, the
 * offset enables. */
static void
csc(void **state)
{
   proves("DP-408", "DP-409", "DP-410");
   (void)state;
   uint32_t seed = 5;
   for (unsigned n = 0; n < 2000; n++) {
      int32_t c[9], o[6];
      cps st = defaults();
      for (unsigned i = 0; i < 9; i++)
         seed = seed * 1664525u + 1013904223u, c[i] = (int)(seed >> 20) - 2048;
      for (unsigned i = 0; i < 6; i++)
         seed = seed * 1664525u + 1013904223u, o[i] = (int)(seed >> 22) - 512;
      st.c0 = c[0], st.c1 = c[1], st.c2 = c[2], st.c3 = c[3], st.c4 = c[4], st.c5 = c[5],
      st.c6 = c[6], st.c7 = c[7], st.c8 = c[8];
      st.offset_in_1 = o[0], st.offset_in_2 = o[1], st.offset_in_3 = o[2], st.offset_out_1 = o[3],
      st.offset_out_2 = o[4], st.offset_out_3 = o[5];
      st.yuv_in = n & 1;
      st.yuv_out = n >> 1 & 1;
      struct iecp_pixel p = {(int)(n * 131 % 4096), (int)(n * 17 % 4096), (int)(n * 301 % 4096), 0};
      double in[3] = {p.y, p.u, p.v};
      int32_t *out[3] = {&p.y, &p.u, &p.v};
      iecp_csc(&st, &p);
      for (unsigned i = 0; i < 3; i++) {
         double sum = 0;
         for (unsigned k = 0; k < 3; k++)
            sum += c[3 * i + k] / 1024.0 * (in[k] + (n & 1 ? 4 * o[k] : 0));
         sum = floor(sum + 0.5) + (n >> 1 & 1 ? 4 * o[3 + i] : 0);
         assert_int_equal(*out[i], fmin(fmax(sum, 0), 4095));
      }
   }
}

/* DP-454 DP-455: the default curve is the identity; a bent one bends; outside nothing changes. */
static void
ace_curve(void **state)
{
   proves("DP-454", "DP-455");
   (void)state;
   cps st = defaults();
   for (int y = 0; y < 4096; y++)
      assert_int_equal(iecp_ace(&st, y), y);
   st.ace_b5 = 140; /* lift the middle */
   st.ace_s4 = 1024 * 44 / 20;
   st.ace_s5 = 0;
   for (int y = 0; y < 4096; y++) {
      int want = y;
      if (y >= 96 * 16 && y < 116 * 16)
         want = 96 * 16 + (1024 * 44 / 20) * (y - 96 * 16) / 1024;
      if (y >= 116 * 16 && y < 136 * 16)
         want = 140 * 16;
      assert_int_equal(iecp_ace(&st, y), want);
   }
}

/* DP-136 DP-456: bins of the seven upper luma bits, skin pixels, registers that clear when read;
 * counted for the whole image or for the area of interest. */
static void
statistics(void **state)
{
   proves("DP-136", "DP-456", "SMP-519");
   struct fx *f = *state;
   cps st = defaults();
   st.ace_enable = st.std_enable = 1;
   bind(f, 0x182, 100, 40);
   for (unsigned way = 0; way < 3; way++) { /* nobody asks, area of interest, full image */
      st.full_image_histogram = way == 2;
      load(f, &st);
      block(f, 0, 0, 16, 1, 0);
      fx_in(f, 0)[3] |= (way == 1) << 1;
      for (unsigned i = 0; i < 4; i++) { /* eight pixels, the colour of skin, luma 60, 61, … 67 */
         uint8_t px[4] = {(uint8_t)(60 + 2 * i), 110, (uint8_t)(61 + 2 * i), 154};
         memcpy((uint8_t *)fx_in(f, 1) + 4 * i, px, 4);
      }
      fx_send(f, SFID_DP_RENDER, WRITE, true, 2, 0);
      unsigned total = 0;
      for (unsigned k = 0; k < 64; k++) {
         uint32_t v = (uint32_t)pergola_mmio_read(f->dev, 0x5080 + 4 * k, 4);
         for (unsigned h = 0; h < 2; h++) {
            unsigned bin = 2 * k + h, want = 0;
            for (unsigned y = 60; y < 68; y++)
               want += (y * 4) >> 3 == bin; /* ten bits of luma, less three */
            assert_int_equal(v >> 16 * h & 0xffff, way ? want : 0);
            total += v >> 16 * h & 0xffff;
         }
         assert_int_equal(pergola_mmio_read(f->dev, 0x5080 + 4 * k, 4), 0);
      }
      assert_int_equal(total, way ? 8 : 0);
      assert_int_equal(pergola_mmio_read(f->dev, 0x5074, 4), way ? 8 : 0);
      assert_int_equal(pergola_mmio_read(f->dev, 0x5070, 4), way ? 67u * 4 << 16 | 60 * 4 : 0);
      assert_int_equal(pergola_mmio_read(f->dev, 0x5074, 4), 0);
   }
   /* a bin stays at FFFFh */
   st.full_image_histogram = 1;
   load(f, &st);
   f->dev->mmio[0x5080 / 4] = 0x1234ffff;
   block(f, 0, 0, 4, 1, 0);
   fx_in(f, 1)[0] = 0;
   fx_send(f, SFID_DP_RENDER, WRITE, true, 2, 0);
   assert_int_equal(pergola_mmio_read(f->dev, 0x5080, 4), 0x1234ffff);
}

static struct iecp_pixel
at_angle(double turn, double radius) /* turn in 1024ths */
{
   double t = turn * 2 * 3.14159265358979 / 1024;
   return (struct iecp_pixel){2000, (int)lround(cos(t) * radius * 4) + 2048,
                              (int)lround(sin(t) * radius * 4) + 2048, 0};
}

static double
gain(const cps *st, unsigned score, double turn, double radius)
{
   struct iecp_pixel p = at_angle(turn, radius), q = p;
   iecp_tcc(st, score, &q);
   assert_int_equal(q.y, p.y);
   double before = hypot(p.u - 2048, p.v - 2048), after = hypot(q.u - 2048, q.v - 2048);
   return after / before;
}

/* DP-397 DP-398 DP-399 DP-400 DP-401 DP-402 DP-403: factors at and between the anchors, by angle;
 * unity leaves ten bits; large chroma is spared; skin is spared. */
static void
tcc(void **state)
{
   proves("DP-397", "DP-398", "DP-399", "DP-400", "DP-401", "DP-402", "DP-403");
   (void)state;
   cps st = defaults();
   uint32_t *factor[6] = {&st.satfactor1, &st.satfactor2, &st.satfactor3,
                          &st.satfactor4, &st.satfactor5, &st.satfactor6};
   static const unsigned base[6] = {145, 307, 483, 657, 819, 995};
   st.colorbias2 = 0;
   st.colortransitslope12 = 65536 / 162, st.colortransitslope23 = 65536 / 176,
   st.colortransitslope34 = 65536 / 174;
   st.colortransitslope45 = 65536 / 162, st.colortransitslope56 = 65536 / 176,
   st.colortransitslope61 = 65536 / 174;
   for (unsigned i = 0; i < 6; i++)
      *factor[i] = 128;
   for (unsigned turn = 0; turn < 1024; turn += 7) {
      struct iecp_pixel p = at_angle(turn, 200), q = p;
      iecp_tcc(&st, 0, &q);
      assert_int_equal(q.u, p.u & ~3);
      assert_int_equal(q.v, p.v & ~3);
   }
   for (unsigned i = 0; i < 6; i++) /* every anchor has its own factor, a seventh steps between */
      *factor[i] = 40 + 12 * i;
   for (unsigned i = 0; i < 6; i++) {
      double next = *factor[(i + 1) % 6], here = *factor[i];
      unsigned width = (base[(i + 1) % 6] - base[i]) & 1023;
      for (unsigned k = 0; k < 8; k++) {
         double part = k / 8.0, want = (here + (next - here) * part) / 128;
         double got = gain(&st, 0, base[i] + width * part + 1, 300);
         assert_true(fabs(got - want) < 0.03);
      }
   }
   for (unsigned i = 0; i < 6; i++)
      *factor[i] = 220;
   /* 1 + (220/128 - 1) × (448 - max) / 448 */
   for (unsigned r = 40; r < 440; r += 50) {
      double want = 1 + (220.0 / 128 - 1) * (448 - r) * 146 / 65536;
      assert_true(fabs(gain(&st, 0, 0, r) - want) < 0.01 + 1.0 / r); /* a unit of ten bits is cut */
   }
   assert_true(gain(&st, 0, 0, 470) <= 1.0001); /* past UVMaxColor */
   assert_true(fabs(gain(&st, 0, 0, 3) - 1) < 0.35 &&
               gain(&st, 0, 0, 2) <= 1.0001);           /* at the threshold */
   assert_true(fabs(gain(&st, 31, 0, 100) - 1) < 0.05); /* 31 × 8 of 256 is nearly all */
   assert_true(gain(&st, 16, 0, 100) > 1.2 && gain(&st, 16, 0, 100) < gain(&st, 0, 0, 100));
   struct iecp_pixel edge = {0, 4095, 4095, 0}; /* no overflow */
   iecp_tcc(&st, 0, &edge);
   assert_true(edge.u <= 4095 && edge.v <= 4095);
}

static struct iecp_pixel
skin(const cps *st, double sat, double hue, double y)
{
   /* the inverse of the rotation, with the true length of (cos, sin) taken out */
   double c = st->cos / 128.0, s = st->sin / 128.0, n = c * c + s * s;
   double u = -(sat * c + hue * s) / n, v = (sat * s - hue * c) / n;
   return (struct iecp_pixel){(int)lround(y * 16), (int)lround((u + st->u_mid) * 16),
                              (int)lround((v + st->v_mid) * 16), 0};
}

/* DP-444 DP-445 DP-446 DP-447 DP-448: the score inside, at the edge and outside of the rectangle,
 * the rhombus, the luma range and the VY lines. */
static void
skin_detection(void **state)
{
   proves("DP-444", "DP-445", "DP-446", "DP-447", "DP-448");
   (void)state;
   cps st = defaults();
   st.diamond_th = 63, st.diamond_alpha = 0, st.diamond_margin = 0; /* rectangle alone */
   static const struct {
      double sat, hue, y;
      int low, high;
   } box[] = {{0, 0, 100, 31, 31},   {20, 0, 100, 31, 31}, {31.5, 0, 100, 0, 0},
              {0, 14.5, 100, 0, 0},  {29, 0, 100, 7, 8},   {30, 0, 100, 3, 4},
              {0, -12, 100, 7, 8},   {0, 0, 45, 0, 0},     {0, 0, 46.5, 15, 15},
              {0, 0, 254.5, 15, 15}, {0, 0, 255, 0, 0}};
   for (unsigned i = 0; i < sizeof(box) / sizeof(box[0]); i++) {
      struct iecp_pixel p = skin(&st, box[i].sat, box[i].hue, box[i].y);
      int score = (int)iecp_std_score(&st, &p);
      assert_in_range(score, box[i].low, box[i].high);
   }
   st = defaults();
   static const struct {
      double sat, hue;
      int low, high;
   } diamond[] = {{0, 0, 31, 31}, {10, 0, 31, 31}, {25, 0, 19, 20}, {12, 12, 8, 9}};
   for (unsigned i = 0; i < 4; i++) { /* th 35, margin 16, alpha 100/64: (35 - dist) × 2 */
      struct iecp_pixel p = skin(&st, diamond[i].sat, diamond[i].hue, 100);
      int score = (int)iecp_std_score(&st, &p);
      assert_in_range(score, diamond[i].low, diamond[i].high);
   }
   st.vy_std_enable = 1;
   st.s0l = st.s0u = 0; /* V between 133 and 143 (lower segment) */
   st.inv_margin_vyl = st.inv_margin_vyu = 65535;
   for (int v = 128; v < 150; v++) {
      struct iecp_pixel p = {50 * 16, 110 * 16, v * 16, 0};
      bool in = v > 133 && v < 143;
      cps plain = st;
      plain.vy_std_enable = 0;
      assert_int_equal(iecp_std_score(&st, &p), in ? iecp_std_score(&plain, &p) : 0);
   }
}

/* DP-450 DP-451 DP-452 DP-453: identity curves leave the pixel; others move it by the score; dark
 * skin has its own set. */
static void
skin_enhancement(void **state)
{
   proves("DP-450", "DP-451", "DP-452", "DP-453");
   (void)state;
   cps st = defaults();
   st.cos = 0, st.sin = 127; /* nearly a quarter turn */
   st.satb1 = -24, st.satb2 = 24, st.satb3 = 124,
   st.sats0 = st.sats1 = st.sats2 = st.sats3 = 256; /* identity */
   st.hueb1 = -24, st.hueb2 = 24, st.hueb3 = 56, st.hues0 = st.hues1 = st.hues2 = st.hues3 = 256;
   for (int d = -10; d <= 10; d++) {
      struct iecp_pixel p = skin(&st, d, -d / 2, 100), q = p;
      iecp_ste(&st, 31, &q);
      assert_true(abs(p.u - q.u) <= 5 && abs(p.v - q.v) <= 5);
      q = p;
      iecp_ste(&st, 0, &q);
      assert_memory_equal(&p, &q, sizeof(p));
   }
   cps move = defaults();
   move.cos = 127, move.sin = 0;      /* Sat = -U, Hue = -V */
   move.satb2 = 48, move.sats1 = 512; /* Sat 6 becomes 12; -6 … 6 has slope 2 */
   move.satb1 = -48;
   struct iecp_pixel p = skin(&move, 3, 0, 100), q = p;
   iecp_ste(&move, 16, &q); /* half of the way from 3 to 6 */
   double sat = -(q.u / 16.0 - move.u_mid) * 127 / 128;
   assert_true(fabs(sat - 4.5) < 0.2);
   move.skin_types_enable = 1;
   move.satb1_dark = move.satb2_dark = move.satb3_dark = 0;
   move.sats0_dark = move.sats1_dark = 0;
   struct iecp_pixel dark = skin(&move, 3, 0, 80), mid = skin(&move, 3, 0, 120);
   iecp_ste(&move, 31, &dark);
   sat = -(dark.u / 16.0 - move.u_mid) * 127 / 128;
   assert_true(fabs(sat - 3.0 / 32) < 0.2); /* the dark set gives 0 */
   iecp_ste(&move, 31, &mid);
   sat = -(mid.u / 16.0 - move.u_mid) * 127 / 128;
   assert_true(fabs(sat - 3.0) < 0.3); /* half 6, half 0 */
}

/* DP-449: the score itself is put out. */
static void
decisions(void **state)
{
   proves("DP-449");
   struct fx *f = *state;
   struct iecp pipe = {.st = defaults(), .dev = f->dev};
   pipe.st.std_enable = pipe.st.output_control = 1;
   struct iecp_pixel p = {100 * 16, 110 * 16, 154 * 16, 0}, q = {100 * 16, 0, 0, 0};
   iecp_run(&pipe, &p);
   assert_int_equal(p.y, 0x7ff + (31 << 6));
   assert_int_equal(p.u, 0x7ff);
   assert_int_equal(p.v, 0x7ff);
   iecp_run(&pipe, &q);
   assert_int_equal(q.y, 0x7ff);
}

/* DP-411 DP-414 DP-415: a colour in range stays and one outside moves towards grey along
 * its hue. */
static void
gamut(void **state)
{
   proves("DP-411", "DP-412", "DP-414", "DP-415");
   (void)state;
   cps st = defaults();
   for (unsigned space = 0; space < 2; space++) {
      double kr = space ? 0.299 : 0.2126, kb = space ? 0.114 : 0.0722;
      st.display_color_space = space;
      for (unsigned n = 0; n < 3000; n++) {
         struct iecp_pixel p = {(int)(n * 131 % 4096), (int)(n * 577 % 4096), (int)(n * 301 % 4096),
                                0},
                           q = p;
         iecp_cgc(&st, &q);
         double y = (q.y / 16.0 - 16) / 219, cb = (q.u / 16.0 - 128) / 224,
                cr = (q.v / 16.0 - 128) / 224;
         double r = y + 2 * (1 - kr) * cr, b = y + 2 * (1 - kb) * cb,
                g = (y - kr * r - kb * b) / (1 - kr - kb);
         assert_true(r > -0.01 && r < 1.01 && g > -0.01 && g < 1.01 && b > -0.01 && b < 1.01);
         double y0 = (p.y / 16.0 - 16) / 219, r0 = y0 + 2 * (1 - kr) * (p.v / 16.0 - 128) / 224,
                b0 = y0 + 2 * (1 - kb) * (p.u / 16.0 - 128) / 224,
                g0 = (y0 - kr * r0 - kb * b0) / (1 - kr - kb);
         if (fmin(fmin(r0, g0), fmin(b0, y0)) > 0.01 && fmax(fmax(r0, g0), fmax(b0, y0)) < 0.99)
            assert_true(p.y == q.y && abs(p.u - q.u) <= 1 && abs(p.v - q.v) <= 1);
         double u0 = p.u - 2048, v0 = p.v - 2048, u1 = q.u - 2048, v1 = q.v - 2048;
         assert_true(fabs(u0 * v1 - v0 * u1) <= 2.0 * (hypot(u0, v0) + 1)); /* the same hue */
         assert_true(hypot(u1, v1) <= hypot(u0, v0) + 2);
         if (p.y == q.y && p.u == q.u && p.v == q.v)
            continue;
         struct iecp_pixel again = q;
         iecp_cgc(&st, &again);
         assert_true(abs(again.u - q.u) <= 16 && abs(again.v - q.v) <= 16);
      }
   }
}

/* DP-007 DP-413: the order. Each block sees what the one before made. */
static void
order(void **state)
{
   proves("DP-007", "DP-413");
   struct fx *f = *state;
   struct iecp pipe = {.st = defaults(), .dev = f->dev};
   pipe.st.ace_enable = 1, pipe.st.ace_b5 = 140, pipe.st.ace_s5 = 0;
   pipe.st.procamp_enable = 1, pipe.st.brightness = 160; /* ten steps of luma */
   pipe.st.transform_enable = 1, pipe.st.c0 = 512;
   struct iecp_pixel p = {120 * 16, 2048, 2048, 0};
   iecp_run(&pipe, &p);
   assert_int_equal(p.y, (140 * 16 + 160) / 2); /* curve, brightness, half */
   pipe.st = defaults();
   pipe.st.tcc_enable = 1, pipe.st.procamp_enable = 1, pipe.st.cos_c_s = 0;
   p = (struct iecp_pixel){120 * 16, 3000, 1000, 0};
   iecp_run(&pipe, &p);
   assert_int_equal(p.u, 2048); /* chroma is taken away after TCC */
   assert_int_equal(p.v, 2048);
}

/* DP-117 DP-118 DP-119 DP-120 DP-121 DP-122 DP-123: NV12, luma for all, chroma of the upper left.
 */
static void
nv12(void **state)
{
   proves("DP-117", "DP-118", "DP-119", "DP-120", "DP-121", "DP-122", "DP-123");
   struct fx *f = *state;
   cps st = defaults();
   load(f, &st);
   for (unsigned m = 0; m < 3; m++) {
      bind(f, 0x10a, 32, 40); /* 64 pixels */
      memset(fx_at(f, FX_DATA), 0, 128 * 1024);
      unsigned in_B = m == 0 ? 2 : 4, w = 4;
      block(f, (int)(8 * in_B), 6, w * in_B, 2, m);
      for (unsigned r = 0; r < 2; r++)
         for (unsigned i = 0; i < 4; i++) {
            uint8_t *row = (uint8_t *)fx_in(f, 1) + r * (m == 0 ? 8 : 16);
            uint8_t y = (uint8_t)(10 * r + i + 1), u = (uint8_t)(100 + 10 * r + i),
                    v = (uint8_t)(200 + 10 * r + i);
            if (m == 1) {
               uint8_t px[4] = {v, u, y, 0};
               memcpy(row + 4 * i, px, 4);
            } else if (m == 0) {
               row[i / 2 * 4 + (i & 1) * 2] = y;
               if (!(i & 1))
                  row[i / 2 * 4 + 1] = u, row[i / 2 * 4 + 3] = v;
            } else {
               row[i / 2 * 8 + (i & 1) * 4 + 1] = y;
               if (!(i & 1))
                  row[i / 2 * 8 + 3] = u, row[i / 2 * 8 + 7] = v;
            }
         }
      fx_send(f, SFID_DP_RENDER, WRITE, true, 2, 0);
      for (unsigned r = 0; r < 2; r++)
         for (unsigned i = 0; i < 4; i++)
            assert_int_equal(*fx_at(f, place(8 + i, 6 + r)), 10 * r + i + 1);
      for (unsigned i = 0; i < 4; i++) /* one row of chroma, below the 40 of luma */
         assert_int_equal(*fx_at(f, place(8 + i, 40 + 3)), (i & 1 ? 200 : 100) + (i & ~1u));
      assert_silent(f);
   }
   static const struct {
      int x, y;
      unsigned width, rows, format, surface_w, surface_h;
      const char *rule;
   } bad[] = {{0, 0, 8, 2, 0, 33, 40, "DP-118"},  {0, 0, 8, 2, 0, 32, 41, "DP-119"},
              {0, 1, 8, 2, 0, 32, 40, "DP-120"},  {4, 0, 8, 2, 0, 32, 40, "DP-120"},
              {0, 0, 32, 2, 1, 32, 40, "DP-121"}, {0, 0, 8, 3, 0, 32, 40, "DP-121"},
              {0, 0, 32, 2, 3, 32, 40, "DP-122"}};
   for (unsigned i = 0; i < 7; i++) {
      bind(f, 0x10a, bad[i].surface_w, bad[i].surface_h);
      block(f, bad[i].x, bad[i].y, bad[i].width, bad[i].rows, bad[i].format);
      fx_send(f, SFID_DP_RENDER, WRITE, true, 3, 0);
      assert_rule(f, bad[i].rule);
   }
}

/* DP-104 DP-152 DP-154: half of a pair is named and left out; what lies behind the payload is not
 * looked at. */
static void
split_pairs(void **state)
{
   proves("DP-104", "DP-152", "DP-154");
   struct fx *f = *state;
   static const struct {
      unsigned format, width, whole_B; /* whole_B: of the pixels that are written, in the surface */
   } rows[] = {{2, 4, 0}, {2, 8, 8}, {2, 12, 8}, {0, 4, 8}, {0, 6, 8}, {0, 8, 16}};
   cps st = defaults();
   load(f, &st);
   bind(f, 0xc7, 100, 40);
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      memset(fx_at(f, FX_DATA), 0xcc, 4096);
      block(f, 0, 0, rows[i].width, 1, rows[i].format);
      memset(fx_in(f, 1), 0x12, EU_REG_SIZE);
      fx_send(f, SFID_DP_RENDER, WRITE, true, 2, 0);
      assert_int_equal(fx_said(f, "DP-104"), rows[i].width % (rows[i].format ? 8 : 4) != 0);
      f->rule_count = 0;
      for (unsigned x = 0; x < 32; x++)
         assert_int_equal(*fx_at(f, place(x, 0)) != 0xcc, x < rows[i].whole_B);
   }
}

/* DP-106 DP-124 DP-442 DP-443 DP-449 DP-415 DP-005: rules. */
static void
color_rules(void **state)
{
   proves("DP-106", "DP-124", "DP-442", "DP-443", "DP-449", "DP-415", "DP-005");
   struct fx *f = *state;
   cps st = defaults();
   load(f, &st);
   struct hw_render_surface_state s = {.surface_type = SURFTYPE_2D,
                                       .surface_format = 0xc7,
                                       .width = 63,
                                       .height = 39,
                                       .surface_base_address = FX_DATA,
                                       .surface_pitch = 511};
   fx_surface(f, 0, &s);
   block(f, 0, 0, 8, 2, 0);
   fx_send(f, SFID_DP_RENDER, WRITE, true, 2, 0);
   assert_rule(f, "DP-106");
   s.tiled_surface = true, s.vertical_line_stride = 1;
   fx_surface(f, 0, &s);
   fx_send(f, SFID_DP_RENDER, WRITE, true, 2, 0);
   assert_rule(f, "DP-124");
   unsigned allowed = 0;
   s.vertical_line_stride = 0;
   for (unsigned code = 0; code < 512; code++) {
      s.surface_format = code;
      fx_surface(f, 0, &s);
      fx_send(f, SFID_DP_RENDER, WRITE, true, 2, 0);
      allowed += !fx_said(f, "DP-442");
      f->rule_count = 0;
   }
   assert_int_equal(allowed, 14);
   s.surface_format = 0xd8; /* R32: not allowed, so nothing is written */
   fx_surface(f, 0, &s);
   memset(fx_in(f, 1), 0x12, EU_REG_SIZE);
   memset(fx_at(f, FX_DATA), 0xcc, 4096);
   fx_send(f, SFID_DP_RENDER, WRITE, true, 2, 0);
   assert_rule(f, "DP-442");
   for (unsigned i = 0; i < 4096 / 4; i++)
      assert_int_equal(fx_dw(f, FX_DATA)[i], 0xcccccccc);
   s.surface_format = 0xc7;
   fx_surface(f, 0, &s);
   st.ace_enable = 1, st.ace_y4 = 60;
   load(f, &st);
   fx_send(f, SFID_DP_RENDER, WRITE, true, 2, 0);
   assert_rule(f, "DP-443");
   st = defaults();
   st.std_enable = 1, st.y_point_2 = 40;
   load(f, &st);
   fx_send(f, SFID_DP_RENDER, WRITE, true, 2, 0);
   assert_rule(f, "DP-443");
   st = defaults();
   st.std_enable = st.output_control = st.tcc_enable = 1;
   load(f, &st);
   fx_send(f, SFID_DP_RENDER, WRITE, true, 2, 0);
   assert_rule(f, "DP-449");
   st = defaults();
   st.cgc_enable = 1;
   load(f, &st);
   fx_send(f, SFID_DP_RENDER, WRITE, true, 2, 0);
   assert_rule(f, "DP-415");
   fx_in(f, 0)[3] = 0x60000000u | 1;
   fx_send(f, SFID_DP_RENDER, WRITE, true, 2, 0);
   assert_rule(f, "DP-005");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(state_layout),
       FX_TEST(pass_through),
       FX_TEST(chroma_mean),
       cmocka_unit_test(procamp),
       cmocka_unit_test(csc),
       cmocka_unit_test(ace_curve),
       FX_TEST(statistics),
       cmocka_unit_test(tcc),
       cmocka_unit_test(skin_detection),
       cmocka_unit_test(skin_enhancement),
       FX_TEST(decisions),
       cmocka_unit_test(gamut),
       FX_TEST(order),
       FX_TEST(nv12),
       FX_TEST(split_pairs),
       FX_TEST(color_rules),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
