/* Skin tone detection and enhancement against the formulas of the ledger, written down a second
 * time. */
#include "color.h"

#include <math.h>
#include "tests/proves.h"

static uint32_t
random32(uint32_t *seed)
{
   *seed = *seed * 1664525u + 1013904223u;
   return *seed >> 8;
}

static int
between(uint32_t *seed, int low, int high)
{
   return low + (int)(random32(seed) % (unsigned)(high - low + 1));
}

static double
limit31(double v)
{
   return floor(fmin(fmax(v, 0), 31));
}

/* Value of a line of segments: b[i] + s[i] (x - p[i]), the first segment going on to the left. */
static double
segments(unsigned count, const double *p, const double *b, const double *s, double x)
{
   unsigned i = count - 1;
   while (i > 0 && x < p[i])
      i--;
   return b[i] + s[i] * (x - p[i]);
}

/* DP-444 to DP-448. */
static double
oracle_score(const cps *st, double y, double u, double v)
{
   double c = st->cos / 128.0, s = st->sin / 128.0, uc = u - st->u_mid, vc = v - st->v_mid;
   double sat = -(uc * c - vc * s), hue = -(uc * s + vc * c);
   double score = 0;
   if (fabs(sat) <= st->sat_max && fabs(hue) <= st->hue_max)
      score = fmin(limit31((st->sat_max - fabs(sat)) * pow(2, 5.0 - st->hs_margin)),
                   limit31((st->hue_max - fabs(hue)) * pow(2, 5.0 - st->hs_margin)));
   double dist = fabs(sat - st->diamond_du) + st->diamond_alpha / 64.0 * fabs(hue - st->diamond_dv);
   double rhombus = dist >= st->diamond_th ? 0
                    : dist < st->diamond_th - pow(2, st->diamond_margin)
                        ? 31
                        : limit31((st->diamond_th - dist) * pow(2, 5.0 - st->diamond_margin));
   double luma = y < st->y_point_1   ? 0
                 : y < st->y_point_2 ? limit31((y - st->y_point_1) * st->y_slope_1)
                 : y < st->y_point_3 ? 31
                 : y < st->y_point_4 ? limit31((st->y_point_4 - y) * st->y_slope_2)
                                     : 0;
   score = fmin(score, fmin(rhombus, luma));
   if (!st->vy_std_enable)
      return score;
   const double pl[4] = {st->p0l, st->p1l, st->p2l, st->p3l},
                bl[4] = {st->b0l, st->b1l, st->b2l, st->b3l};
   const double pu[4] = {st->p0u, st->p1u, st->p2u, st->p3u},
                bu[4] = {st->b0u, st->b1u, st->b2u, st->b3u};
   const double sl[4] = {st->s0l / 256.0, st->s1l / 256.0, st->s2l / 256.0, st->s3l / 256.0};
   const double su[4] = {st->s0u / 256.0, st->s1u / 256.0, st->s2u / 256.0, st->s3u / 256.0};
   double low = (v - segments(4, pl, bl, sl, y)) * st->inv_margin_vyl / 65536.0;
   double high = (segments(4, pu, bu, su, y) - v) * st->inv_margin_vyu / 65536.0;
   return fmin(score, fmin(limit31(low * 32), limit31(high * 32)));
}

/* Points in order, everything else anyhow. */
static cps
random_detection(uint32_t *seed)
{
   cps st = defaults();
   st.cos = between(seed, -127, 127), st.sin = between(seed, -127, 127);
   st.u_mid = (uint32_t)between(seed, 90, 160), st.v_mid = (uint32_t)between(seed, 90, 160);
   st.sat_max = (uint32_t)between(seed, 10, 63), st.hue_max = (uint32_t)between(seed, 10, 63);
   st.hs_margin = (uint32_t)between(seed, 0, 5);
   st.diamond_du = between(seed, -15, 15), st.diamond_dv = between(seed, -15, 15);
   st.diamond_alpha = (uint32_t)between(seed, 0, 255),
   st.diamond_th = (uint32_t)between(seed, 20, 63);
   st.diamond_margin = (uint32_t)between(seed, 0, 5);
   st.y_point_1 = (uint32_t)between(seed, 20, 60),
   st.y_point_2 = st.y_point_1 + (uint32_t)between(seed, 0, 40);
   st.y_point_3 = st.y_point_2 + (uint32_t)between(seed, 0, 80),
   st.y_point_4 = st.y_point_3 + (uint32_t)between(seed, 0, 40);
   st.y_slope_1 = (uint32_t)between(seed, 1, 31), st.y_slope_2 = (uint32_t)between(seed, 1, 31);
   st.vy_std_enable = random32(seed) & 1;
   st.p0l = st.p0u = (uint32_t)between(seed, 20, 60);
   st.p1l = st.p0l + (uint32_t)between(seed, 1, 40),
   st.p2l = st.p1l + (uint32_t)between(seed, 1, 40),
   st.p3l = st.p2l + (uint32_t)between(seed, 1, 40);
   st.p1u = st.p0u + (uint32_t)between(seed, 1, 40),
   st.p2u = st.p1u + (uint32_t)between(seed, 1, 40),
   st.p3u = st.p2u + (uint32_t)between(seed, 1, 40);
   st.b0l = (uint32_t)between(seed, 60, 120), st.b1l = (uint32_t)between(seed, 60, 120),
   st.b2l = (uint32_t)between(seed, 60, 120), st.b3l = (uint32_t)between(seed, 60, 120);
   st.b0u = (uint32_t)between(seed, 130, 200), st.b1u = (uint32_t)between(seed, 130, 200),
   st.b2u = (uint32_t)between(seed, 130, 200), st.b3u = (uint32_t)between(seed, 130, 200);
   st.s0l = between(seed, -100, 100), st.s1l = between(seed, -100, 100),
   st.s2l = between(seed, -100, 100), st.s3l = between(seed, -100, 100);
   st.s0u = between(seed, -100, 100), st.s1u = between(seed, -100, 100),
   st.s2u = between(seed, -100, 100), st.s3u = between(seed, -100, 100);
   st.inv_margin_vyl = (uint32_t)between(seed, 500, 6000),
   st.inv_margin_vyu = (uint32_t)between(seed, 500, 6000);
   return st;
}

/* DP-444 DP-445 DP-446 DP-447 DP-448: scores of random colours under random states. */
static void
scores(void **state)
{
   proves("DP-444", "DP-445", "DP-446", "DP-447", "DP-448");
   (void)state;
   uint32_t seed = 11;
   unsigned kinds[3] = {0}; /* none, some, full */
   for (unsigned run = 0; run < 3000; run++) {
      cps st = random_detection(&seed);
      for (unsigned k = 0; k < 20; k++) {
         struct iecp_pixel p = {between(&seed, 0, 4095),
                                (int)st.u_mid * 16 + between(&seed, -500, 500),
                                (int)st.v_mid * 16 + between(&seed, -500, 500), 0};
         double want = oracle_score(&st, p.y / 16.0, p.u / 16.0, p.v / 16.0);
         int got = (int)iecp_std_score(&st, &p);
         assert_int_equal(got, want);
         kinds[got == 0 ? 0 : got == 31 ? 2 : 1]++;
      }
   }
   assert_true(kinds[0] > 1000 && kinds[1] > 1000 && kinds[2] > 1000); /* each has been met */
}

static double
oracle_curve(int top, const int32_t p[3], const int32_t b[3], const uint32_t s[4], double x)
{
   const double points[4] = {-top, p[0], p[1], p[2]},
                biases[4] = {-top, b[0] / 4.0, b[1] / 4.0, b[2] / 4.0};
   const double slopes[4] = {s[0] / 256.0, s[1] / 256.0, s[2] / 256.0, s[3] / 256.0};
   return segments(4, points, biases, slopes, x);
}

static void
random_curves(cps *st, uint32_t *seed)
{
   int32_t *p[12] = {&st->satp1,      &st->satp2,      &st->satp3,      &st->huep1,
                     &st->huep2,      &st->huep3,      &st->satp1_dark, &st->satp2_dark,
                     &st->satp3_dark, &st->huep1_dark, &st->huep2_dark, &st->huep3_dark};
   int32_t *b[12] = {&st->satb1,      &st->satb2,      &st->satb3,      &st->hueb1,
                     &st->hueb2,      &st->hueb3,      &st->satb1_dark, &st->satb2_dark,
                     &st->satb3_dark, &st->hueb1_dark, &st->hueb2_dark, &st->hueb3_dark};
   uint32_t *s[16] = {&st->sats0,      &st->sats1,      &st->sats2,      &st->sats3,
                      &st->hues0,      &st->hues1,      &st->hues2,      &st->hues3,
                      &st->sats0_dark, &st->sats1_dark, &st->sats2_dark, &st->sats3_dark,
                      &st->hues0_dark, &st->hues1_dark, &st->hues2_dark, &st->hues3_dark};
   for (unsigned i = 0; i < 12; i++) {
      *p[i] = i % 3 ? *p[i - 1] + between(seed, 0, 12) : between(seed, -9, 0);
      *b[i] = between(seed, -60, 60);
   }
   for (unsigned i = 0; i < 16; i++)
      *s[i] = (uint32_t)between(seed, 0, 700);
   st->skin_types_enable = random32(seed) & 1;
   st->skin_types_thresh = (uint32_t)between(seed, 80, 160),
   st->skin_types_margin = (uint32_t)between(seed, 5, 40);
   st->inv_skin_types_margin = 65536 / (2 * st->skin_types_margin);
}

/* DP-450, DP-451: the new saturation and hue. */
static void
oracle_correct(const cps *st, double y, double *sat, double *hue)
{
   double low = (double)st->skin_types_thresh - st->skin_types_margin,
          high = (double)st->skin_types_thresh + st->skin_types_margin;
   double dark = !st->skin_types_enable ? 0
                 : y < low              ? 1
                 : y > high             ? 0
                                        : (high - y) * st->inv_skin_types_margin / 65536.0;
   double bright_sat = oracle_curve((int)st->sat_max, (int32_t[]){st->satp1, st->satp2, st->satp3},
                                    (int32_t[]){st->satb1, st->satb2, st->satb3},
                                    (uint32_t[]){st->sats0, st->sats1, st->sats2, st->sats3}, *sat);
   double bright_hue = oracle_curve((int)st->hue_max, (int32_t[]){st->huep1, st->huep2, st->huep3},
                                    (int32_t[]){st->hueb1, st->hueb2, st->hueb3},
                                    (uint32_t[]){st->hues0, st->hues1, st->hues2, st->hues3}, *hue);
   double dark_sat = oracle_curve(
       (int)st->sat_max, (int32_t[]){st->satp1_dark, st->satp2_dark, st->satp3_dark},
       (int32_t[]){st->satb1_dark, st->satb2_dark, st->satb3_dark},
       (uint32_t[]){st->sats0_dark, st->sats1_dark, st->sats2_dark, st->sats3_dark}, *sat);
   double dark_hue = oracle_curve(
       (int)st->hue_max, (int32_t[]){st->huep1_dark, st->huep2_dark, st->huep3_dark},
       (int32_t[]){st->hueb1_dark, st->hueb2_dark, st->hueb3_dark},
       (uint32_t[]){st->hues0_dark, st->hues1_dark, st->hues2_dark, st->hues3_dark}, *hue);
   *sat = dark * dark_sat + (1 - dark) * bright_sat;
   *hue = dark * dark_hue + (1 - dark) * bright_hue;
}

/* DP-450 DP-451 DP-452 DP-453: random curves, both skin types, both chroma components. */
static void
corrections(void **state)
{
   proves("DP-450", "DP-451", "DP-452", "DP-453");
   (void)state;
   uint32_t seed = 23;
   for (unsigned run = 0; run < 4000; run++) {
      cps st = random_detection(&seed);
      random_curves(&st, &seed);
      unsigned score = random32(&seed) & 31;
      struct iecp_pixel p = {between(&seed, 800, 3000),
                             (int)st.u_mid * 16 + between(&seed, -300, 300),
                             (int)st.v_mid * 16 + between(&seed, -300, 300), 0},
                        q = p;
      double c = st.cos / 128.0, s = st.sin / 128.0, uc = p.u / 16.0 - st.u_mid,
             vc = p.v / 16.0 - st.v_mid;
      double sat = -(uc * c - vc * s), hue = -(uc * s + vc * c);
      oracle_correct(&st, p.y / 16.0, &sat, &hue);
      double u = -(sat * c + hue * s) + st.u_mid, v = sat * s - hue * c + st.v_mid;
      double want_u = floor((p.u / 16.0 + (u - p.u / 16.0) * score / 32) * 16 + 0.5);
      double want_v = floor((p.v / 16.0 + (v - p.v / 16.0) * score / 32) * 16 + 0.5);
      iecp_ste(&st, score, &q);
      assert_int_equal(q.y, p.y);
      assert_int_equal(q.u, fmin(fmax(want_u, 0), 4095));
      assert_int_equal(q.v, fmin(fmax(want_v, 0), 4095));
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(scores), cmocka_unit_test(corrections)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
