/* ACE, TCC, ProcAmp, CSC, CGC, and the order of the blocks. */
#include "shared_functions/dataport/iecp.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

void
iecp_open(struct iecp *p, const uint32_t *dw)
{
   gen7_color_processing_state_unpack(&p->st, dw);
}

static void
ace_points(const struct hw_color_processing_state *st, int32_t y[12], int32_t b[12], int32_t s[11])
{
   const uint32_t points[12] = {st->ace_ymin, st->ace_y1, st->ace_y2,  st->ace_y3,
                                st->ace_y4,   st->ace_y5, st->ace_y6,  st->ace_y7,
                                st->ace_y8,   st->ace_y9, st->ace_y10, st->ace_ymax};
   const uint32_t biases[12] = {st->ace_ymin, st->ace_b1, st->ace_b2,  st->ace_b3,
                                st->ace_b4,   st->ace_b5, st->ace_b6,  st->ace_b7,
                                st->ace_b8,   st->ace_b9, st->ace_b10, st->ace_ymax};
   const uint32_t slopes[11] = {st->ace_s0, st->ace_s1, st->ace_s2, st->ace_s3,
                                st->ace_s4, st->ace_s5, st->ace_s6, st->ace_s7,
                                st->ace_s8, st->ace_s9, st->ace_s10};
   for (unsigned i = 0; i < 12; i++) {
      y[i] = (int32_t)points[i];
      b[i] = (int32_t)biases[i];
      if (i < 11)
         s[i] = (int32_t)slopes[i];
   }
}

/* DP-454; DP-455: outside the curve luma stays. */
int32_t
iecp_ace(const struct hw_color_processing_state *st, int32_t luma)
{
   int32_t y[12], b[12], s[11];
   ace_points(st, y, b, s);
   if (luma < y[0] * 16 || luma >= y[11] * 16)
      return luma;
   unsigned i = 0;
   while (i < 10 && luma >= y[i + 1] * 16)
      i++;
   return iecp_clip(b[i] * 16 + (int64_t)s[i] * (luma - y[i] * 16) / 1024);
}

/* DP-398: 1024 is a full turn. */
static double
angle(int32_t u, int32_t v)
{
   double au = abs(u), av = abs(v), x = av > au ? au / av : (au ? av / au : 0);
   double a = -0.2880 * x * x + 1.0797 * x - 0.005, t;
   if (u > 0 && v >= 0)
      t = av <= au ? a : PI / 2 - a;
   else if (u <= 0 && v > 0)
      t = av >= au ? PI / 2 + a : PI - a;
   else if (u < 0 && v <= 0)
      t = av <= au ? PI + a : 3 * PI / 2 - a;
   else
      t = av >= au ? 3 * PI / 2 + a : 2 * PI - a;
   double turn = t * 1024 / (2 * PI);
   return turn < 0 ? turn + 1024 : turn >= 1024 ? turn - 1024 : turn;
}

static double
clamp01(double v)
{
   return v < 0 ? 0 : v > 1 ? 1 : v;
}

/* DP-399, DP-400: between two anchor colours. */
static double
anchor_factor(const struct hw_color_processing_state *st, int theta)
{
   const uint32_t base[6] = {st->basecolor1, st->basecolor2, st->basecolor3,
                             st->basecolor4, st->basecolor5, st->basecolor6};
   const uint32_t factor[6] = {st->satfactor1, st->satfactor2, st->satfactor3,
                               st->satfactor4, st->satfactor5, st->satfactor6};
   const uint32_t slope[6] = {st->colortransitslope12, st->colortransitslope23,
                              st->colortransitslope34, st->colortransitslope45,
                              st->colortransitslope56, st->colortransitslope61};
   const uint32_t bias[6] = {st->colorbias1, st->colorbias2, st->colorbias3,
                             st->colorbias4, st->colorbias5, st->colorbias6};
   unsigned i = 5; /* from the sixth round to the first */
   for (unsigned k = 0; k < 5; k++)
      if (theta >= (int)base[k] && theta < (int)base[k + 1])
         i = k;
   int away = (theta - (int)base[i]) & 1023;
   double alpha = clamp01(away * (slope[i] / 65536.0) - bias[i] / 256.0);
   return (1 - alpha) * factor[i] / 128.0 + alpha * factor[(i + 1) % 6] / 128.0;
}

/* DP-397, DP-400, DP-401, DP-402, DP-403 */
void
iecp_tcc(const struct hw_color_processing_state *st, unsigned score, struct iecp_pixel *px)
{
   int32_t u = (px->u >> 2) - 512, v = (px->v >> 2) - 512;
   int top = abs(u) > abs(v) ? abs(u) : abs(v);
   double sf = anchor_factor(st, (int)angle(u, v));
   if (sf > 1)
      sf = top <= (int)st->uvmaxcolor
               ? 1 + (sf - 1) * ((int)st->uvmaxcolor - top) * (st->inv_uvmaxcolor / 65536.0)
               : 1;
   if (sf > 1)
      sf = 1 + (sf - 1) *
                   clamp01((top - (int)st->uv_threshold) / (double)(1u << st->uv_threshold_bits));
   double ste = ((int)score - (int)st->ste_threshold) * 8.0 * (1u << st->ste_slope_bits);
   ste = ste < 0 ? 0 : ste > 255 ? 255 : ste;
   int final = (int)((128 * ste + (256 - ste) * sf * 128) / 256); /* U1.7, truncated */
   int32_t un = u * final / 128 + 512, vn = v * final / 128 + 512;
   px->u = (un < 0 ? 0 : un > 1023 ? 1023 : un) << 2;
   px->v = (vn < 0 ? 0 : vn > 1023 ? 1023 : vn) << 2;
}

/* DP-404, DP-405, DP-407: full products, half added, shifted, clipped. */
void
iecp_procamp(const struct hw_color_processing_state *st, struct iecp_pixel *px)
{
   int64_t u = px->u - 2048, v = px->v - 2048, c = st->cos_c_s, s = st->sin_c_s;
   px->y = iecp_clip((((px->y - 256) * (int64_t)st->contrast + 64) >> 7) + st->brightness + 256);
   px->u = iecp_clip(((u * c + v * s + 128) >> 8) + 2048);
   px->v = iecp_clip(((v * c - u * s + 128) >> 8) + 2048);
}

/* DP-408, DP-409, DP-410 */
void
iecp_csc(const struct hw_color_processing_state *st, struct iecp_pixel *px)
{
   const int32_t m[3][3] = {
       {st->c0, st->c1, st->c2}, {st->c3, st->c4, st->c5}, {st->c6, st->c7, st->c8}};
   const int32_t in[3] = {st->offset_in_1, st->offset_in_2, st->offset_in_3};
   const int32_t out[3] = {st->offset_out_1, st->offset_out_2, st->offset_out_3};
   int64_t a[3] = {px->y, px->u, px->v};
   int32_t *result[3] = {&px->y, &px->u, &px->v};
   for (unsigned i = 0; i < 3 && st->yuv_in; i++)
      a[i] += in[i] * 4;
   for (unsigned i = 0; i < 3; i++) {
      int64_t sum = (m[i][0] * a[0] + m[i][1] * a[1] + m[i][2] * a[2] + 512) >> 10;
      *result[i] = iecp_clip(sum + (st->yuv_out ? out[i] * 4 : 0));
   }
}

/* DP-411, DP-414, DP-415: the equations are not public. Chroma shrinks along its own hue until red,
 * green and blue are in range; both modes. */
void
iecp_cgc(const struct hw_color_processing_state *st, struct iecp_pixel *px)
{
   bool bt601 = st->display_color_space == 1;
   double kr = bt601 ? 0.299 : 0.2126, kb = bt601 ? 0.114 : 0.0722;
   double y = (px->y / 16.0 - 16) / 219, cb = (px->u / 16.0 - 128) / 224,
          cr = (px->v / 16.0 - 128) / 224;
   y = clamp01(y);
   double dr = 2 * (1 - kr) * cr, db = 2 * (1 - kb) * cb;
   const double away[3] = {dr, db, -(kr * dr + kb * db) / (1 - kr - kb)};
   double k = 1;
   for (unsigned i = 0; i < 3; i++) {
      double room = away[i] > 0 ? 1 - y : y;
      if (fabs(away[i]) * k > room)
         k = room / fabs(away[i]);
   }
   if (k >= 1 && px->y >= 256 && px->y <= 3760)
      return;
   px->y = iecp_clip((int64_t)floor((y * 219 + 16) * 16 + 0.5));
   px->u = iecp_clip((int64_t)floor((cb * k * 224 + 128) * 16 + 0.5));
   px->v = iecp_clip((int64_t)floor((cr * k * 224 + 128) * 16 + 0.5));
}

static void
add_bin(uint32_t *reg, uint32_t bits)
{
   uint32_t old = __atomic_load_n(reg, __ATOMIC_RELAXED), next;
   do {
      if ((old & bits) == bits)
         return; /* it stays at its largest */
      next = old + hw_put(1, bits);
   } while (
       !__atomic_compare_exchange_n(reg, &old, next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

/* DP-456 */
static void
count(const struct iecp *p, int32_t luma, unsigned score)
{
   uint32_t y10 = (uint32_t)luma >> 2, bin = y10 >> 3, *mmio = p->dev->mmio;
   add_bin(&mmio[REG_ACE_HISTOGRAM_0 / 4 + bin / 2],
           bin & 1 ? REG_ACE_HISTOGRAM_0__ODD_BIN : REG_ACE_HISTOGRAM_0__EVEN_BIN);
   if (score <= p->st.skin_threshold)
      return;
   bool first = __atomic_fetch_add(&mmio[REG_SKIN_PIXEL_COUNT / 4], 1, __ATOMIC_RELAXED) == 0;
   uint32_t *range = &mmio[REG_SKIN_DATA / 4], old = __atomic_load_n(range, __ATOMIC_RELAXED), next;
   do {
      uint32_t low = hw_get(old, REG_SKIN_DATA__YMIN), high = hw_get(old, REG_SKIN_DATA__YMAX);
      low = first || y10 < low ? y10 : low;
      high = first || y10 > high ? y10 : high;
      next = hw_put(high, REG_SKIN_DATA__YMAX) | hw_put(low, REG_SKIN_DATA__YMIN);
   } while (
       !__atomic_compare_exchange_n(range, &old, next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

/* DP-007, DP-413 */
void
iecp_run(const struct iecp *p, struct iecp_pixel *px)
{
   const struct hw_color_processing_state *st = &p->st;
   unsigned score = st->std_enable ? iecp_std_score(st, px) : 0;
   if (st->std_enable && st->output_control) { /* DP-449 */
      px->y = iecp_clip(0x7ff + (int32_t)(score << 6));
      px->u = px->v = 0x7ff;
   } else if (st->ste_enable) {
      iecp_ste(st, score, px);
   }
   if (st->cgc_enable)
      iecp_cgc(st, px);
   if (st->tcc_enable)
      iecp_tcc(st, score, px);
   if (st->ace_enable) {
      if (p->histogram)
         count(p, px->y, score);
      px->y = iecp_ace(st, px->y);
   }
   if (st->procamp_enable)
      iecp_procamp(st, px);
   if (st->transform_enable)
      iecp_csc(st, px);
   if (st->alpha_from_state_select) /* DP-441 */
      px->alpha = (uint16_t)st->color_pipe_alpha;
}

/* DP-443 */
static bool
ordered(const int32_t *p, const int32_t *b, unsigned n)
{
   for (unsigned i = 1; i < n; i++)
      if (p[i] < p[i - 1] || (b && p[i] == p[i - 1] && b[i] != b[i - 1]))
         return false;
   return true;
}

/* Each of the first three segments of a VY line ends where the next begins, but for the rounding of
 * its slope. */
static bool
vy_line(const int32_t p[4], const int32_t b[4], const int32_t s[4])
{
   for (unsigned i = 0; i < 3; i++)
      if (fabs(b[i] + s[i] / 256.0 * (p[i + 1] - p[i]) - b[i + 1]) > 1)
         return false;
   return ordered(p, b, 4);
}

static const char *
check_vy(const struct hw_color_processing_state *st)
{
   const int32_t lower[4] = {(int)st->p0l, (int)st->p1l, (int)st->p2l, (int)st->p3l};
   const int32_t upper[4] = {(int)st->p0u, (int)st->p1u, (int)st->p2u, (int)st->p3u};
   const int32_t lower_b[4] = {(int)st->b0l, (int)st->b1l, (int)st->b2l, (int)st->b3l};
   const int32_t upper_b[4] = {(int)st->b0u, (int)st->b1u, (int)st->b2u, (int)st->b3u};
   const int32_t lower_s[4] = {st->s0l, st->s1l, st->s2l, st->s3l},
                 upper_s[4] = {st->s0u, st->s1u, st->s2u, st->s3u};
   if (!vy_line(lower, lower_b, lower_s) || !vy_line(upper, upper_b, upper_s))
      return "P0 … P3 of the VY lines";
   return lower[0] != upper[0] ? "P0L and P0U" : NULL;
}

const char *
iecp_check(const struct hw_color_processing_state *st)
{
   int32_t y[12], b[12], s[11];
   const int32_t luma[4] = {(int)st->y_point_1, (int)st->y_point_2, (int)st->y_point_3,
                            (int)st->y_point_4};
   ace_points(st, y, b, s);
   if (st->ace_enable && !ordered(y, b, 12))
      return "ACE Ymin … Ymax";
   if (st->std_enable && !ordered(luma, NULL, 4))
      return "Y_point_1 … Y_point_4";
   const char *vy = st->std_enable && st->vy_std_enable ? check_vy(st) : NULL;
   return vy ? vy : st->ste_enable ? iecp_ste_check(st) : NULL;
}
