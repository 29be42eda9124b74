/* Skin tone detection and enhancement (STD/STE). DP-453: points are 8 bits with 4 fraction bits of
 * the pipe below them, factors are truncated, chroma is rounded half up; the manual does not give
 * the precision. */
#include "shared_functions/dataport/iecp.h"

#include "machine/bounds.h"

#include <math.h>

static int
limit(double v)
{
   return v <= 0 ? 0 : v >= 31 ? 31 : (int)v;
}

/* DP-444 */
static void
rotate(const struct hw_color_processing_state *st, const struct iecp_pixel *px, double *sat,
       double *hue)
{
   double u = px->u / 16.0 - st->u_mid, v = px->v / 16.0 - st->v_mid;
   double c = st->cos / 128.0, s = st->sin / 128.0;
   *sat = -(u * c - v * s);
   *hue = -(u * s + v * c);
}

/* DP-445 */
static int
rectangle(const struct hw_color_processing_state *st, double sat, double hue)
{
   double s = st->sat_max - fabs(sat), h = st->hue_max - fabs(hue);
   double scale = ldexp(1.0, 5 - (int)st->hs_margin);
   if (s < 0 || h < 0)
      return 0;
   return int_least(limit(s * scale), limit(h * scale));
}

/* DP-446 */
static int
rhombus(const struct hw_color_processing_state *st, double sat, double hue)
{
   double dist = fabs(sat - st->diamond_du) + st->diamond_alpha / 64.0 * fabs(hue - st->diamond_dv);
   double th = st->diamond_th;
   if (dist >= th)
      return 0;
   if (dist < th - ldexp(1.0, (int)st->diamond_margin))
      return 31;
   return limit((th - dist) * ldexp(1.0, 5 - (int)st->diamond_margin));
}

/* DP-447 */
static int
luma(const struct hw_color_processing_state *st, double y)
{
   if (y >= st->y_point_1 && y < st->y_point_2)
      return limit((y - st->y_point_1) * st->y_slope_1);
   if (y >= st->y_point_2 && y < st->y_point_3)
      return 31;
   if (y >= st->y_point_3 && y < st->y_point_4)
      return limit((st->y_point_4 - y) * st->y_slope_2);
   return 0;
}

static double
line(const double p[4], const double b[4], const double s[4], double y)
{
   unsigned i = 0;
   while (i < 3 && y >= p[i + 1])
      i++;
   return b[i] + s[i] / 256.0 * (y - p[i]);
}

/* DP-448 */
static int
vy(const struct hw_color_processing_state *st, double y, double v)
{
   const double pl[4] = {st->p0l, st->p1l, st->p2l, st->p3l},
                bl[4] = {st->b0l, st->b1l, st->b2l, st->b3l},
                sl[4] = {st->s0l, st->s1l, st->s2l, st->s3l};
   const double pu[4] = {st->p0u, st->p1u, st->p2u, st->p3u},
                bu[4] = {st->b0u, st->b1u, st->b2u, st->b3u},
                su[4] = {st->s0u, st->s1u, st->s2u, st->s3u};
   double lower = (v - line(pl, bl, sl, y)) * st->inv_margin_vyl / 65536.0;
   double upper = (line(pu, bu, su, y) - v) * st->inv_margin_vyu / 65536.0;
   return int_least(limit(lower * 32), limit(upper * 32));
}

unsigned
iecp_std_score(const struct hw_color_processing_state *st, const struct iecp_pixel *px)
{
   double sat, hue;
   rotate(st, px, &sat, &hue);
   int score = int_least(rectangle(st, sat, hue), rhombus(st, sat, hue));
   score = int_least(score, luma(st, px->y / 16.0));
   if (st->vy_std_enable)
      score = int_least(score, vy(st, px->y / 16.0, px->v / 16.0));
   return (unsigned)score;
}

struct curve {
   double p[5], b[5], s[4];
};

/* DP-450 */
static double
apply(const struct curve *c, double v)
{
   unsigned i = 0;
   while (i < 3 && v >= c->p[i + 1])
      i++;
   return c->b[i] + c->s[i] * (v - c->p[i]);
}

#define CURVE(name, NAME, top, dark)                                                               \
   static struct curve name(const struct hw_color_processing_state *st)                            \
   {                                                                                               \
      double t = st->top;                                                                          \
      return (struct curve){                                                                       \
          {-t, st->NAME##p1##dark, st->NAME##p2##dark, st->NAME##p3##dark, t},                     \
          {-t, st->NAME##b1##dark / 4.0, st->NAME##b2##dark / 4.0, st->NAME##b3##dark / 4.0, t},   \
          {st->NAME##s0##dark / 256.0, st->NAME##s1##dark / 256.0, st->NAME##s2##dark / 256.0,     \
           st->NAME##s3##dark / 256.0}};                                                           \
   }
CURVE(sat_bright, sat, sat_max, )
CURVE(hue_bright, hue, hue_max, )
CURVE(sat_dark, sat, sat_max, _dark)
CURVE(hue_dark, hue, hue_max, _dark)

/* DP-443: each segment ends where the next begins, the last at the end point; biases do not
 * decrease. Slopes are rounded, so half a step is allowed. */
static bool
meets(struct curve c)
{
   for (unsigned i = 0; i < 4; i++) {
      double end = c.b[i] + c.s[i] * (c.p[i + 1] - c.p[i]);
      if (c.p[i + 1] < c.p[i] || c.b[i + 1] < c.b[i] || fabs(end - c.b[i + 1]) > 0.5)
         return false;
   }
   return true;
}

const char *
iecp_ste_check(const struct hw_color_processing_state *st)
{
   if (!meets(sat_bright(st)))
      return "SATP, SATB and SATS";
   if (!meets(hue_bright(st)))
      return "HUEP, HUEB and HUES";
   if (st->skin_types_enable && !meets(sat_dark(st)))
      return "SATP, SATB and SATS of dark skin";
   if (st->skin_types_enable && !meets(hue_dark(st)))
      return "HUEP, HUEB and HUES of dark skin";
   return NULL;
}

/* DP-451: 1 for dark skin, 0 for bright, a ramp between. */
static double
dark_part(const struct hw_color_processing_state *st, double y)
{
   double a = (double)st->skin_types_thresh - st->skin_types_margin;
   double b = (double)st->skin_types_thresh + st->skin_types_margin;
   if (!st->skin_types_enable || y > b)
      return 0;
   if (y < a)
      return 1;
   double d = (b - y) * st->inv_skin_types_margin / 65536.0;
   return d > 1 ? 1 : d;
}

void
iecp_ste(const struct hw_color_processing_state *st, unsigned score, struct iecp_pixel *px)
{
   if (!score)
      return;
   double sat, hue, dark = dark_part(st, px->y / 16.0);
   rotate(st, px, &sat, &hue);
   struct curve sb = sat_bright(st), hb = hue_bright(st), sd = sat_dark(st), hd = hue_dark(st);
   double sat_new = (1 - dark) * apply(&sb, sat) + dark * apply(&sd, sat);
   double hue_new = (1 - dark) * apply(&hb, hue) + dark * apply(&hd, hue);
   double c = st->cos / 128.0, s = st->sin / 128.0;
   /* DP-452: back, and in by the score. */
   double u = -(sat_new * c + hue_new * s) + st->u_mid, v = sat_new * s - hue_new * c + st->v_mid;
   double u_in = px->u / 16.0, v_in = px->v / 16.0;
   px->u = iecp_clip((int64_t)floor((u_in + (u - u_in) * score / 32) * 16 + 0.5));
   px->v = iecp_clip((int64_t)floor((v_in + (v - v_in) * score / 32) * 16 + 0.5));
}
