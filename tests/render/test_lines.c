/* Lines: the published rules, walked pixel by pixel in whole numbers, against setup and windower.
 */
#include "unit.h"

/* ---- the diamond rule ------------------------------------------------------------------------ */

struct segment {
   int64_t a[2], b[2]; /* in 256ths of a pixel */
   bool legacy;
};

/* A place of the segment relative to the middle of a pixel, times `den`: is it in the diamond? */
static bool
in_diamond(const struct segment *l, int64_t x, int64_t y, int64_t den)
{
   int64_t dx = l->b[0] - l->a[0], dy = l->b[1] - l->a[1], far = llabs(x) + llabs(y);
   bool y_major = llabs(dy) > llabs(dx), falls = dx == dy, rises = dx == -dy;
   if (far != 128 * den)
      return far < 128 * den;
   if (y < 0)
      return false; /* the upper edges and the top */
   if (x == 0)
      return true; /* the bottom */
   if (!l->legacy)
      return y > 0 || (x > 0 && y_major);
   if (y == 0)
      return falls ? x < 0 : x > 0;
   return x < 0 ? falls : rises;
}

/* Between what parts of its way (as fractions) is the segment in the closed diamond? */
struct fraction {
   int64_t num, den; /* den above 0 */
};

static bool
below(struct fraction p, struct fraction q)
{
   return p.num * q.den < q.num * p.den;
}

static bool
cross(const struct segment *l, const int64_t c[2], struct fraction t[2])
{
   static const int8_t normal[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
   t[0] = (struct fraction){0, 1};
   t[1] = (struct fraction){1, 1};
   for (unsigned i = 0; i < 4; i++) {
      int64_t at = 128 - normal[i][0] * (l->a[0] - c[0]) - normal[i][1] * (l->a[1] - c[1]),
              by = normal[i][0] * (l->b[0] - l->a[0]) + normal[i][1] * (l->b[1] - l->a[1]);
      if (by == 0 && at < 0)
         return false; /* beside it */
      struct fraction f = by > 0 ? (struct fraction){at, by} : (struct fraction){-at, -by};
      if (by > 0 && below(f, t[1]))
         t[1] = f;
      if (by < 0 && below(t[0], f))
         t[0] = f;
   }
   return !below(t[1], t[0]);
}

static bool
part_in_diamond(const struct segment *l, const int64_t c[2], struct fraction t)
{
   return in_diamond(l, (l->a[0] - c[0]) * t.den + (l->b[0] - l->a[0]) * t.num,
                     (l->a[1] - c[1]) * t.den + (l->b[1] - l->a[1]) * t.num, t.den);
}

/* Lit: it has been in the diamond, and is not at its end; or may end there. */
static bool
reference_lit(const struct segment *l, int x, int y, bool last)
{
   const int64_t c[2] = {256 * x + 128, 256 * y + 128};
   struct fraction t[2];
   if (!cross(l, c, t))
      return false;
   struct fraction middle = {t[0].num * t[1].den + t[1].num * t[0].den, 2 * t[0].den * t[1].den};
   bool was =
       part_in_diamond(l, c, middle) || part_in_diamond(l, c, t[0]) || part_in_diamond(l, c, t[1]);
   return was && (last || !in_diamond(l, l->b[0] - c[0], l->b[1] - c[1], 1));
}

static void
draw_line(struct unit *u, const struct segment *l)
{
   bin_empty(&u->r->bin);
   u->o.kind = OBJECT_LINE;
   for (unsigned i = 0; i < 2; i++)
      place(u, i, (float)(i ? l->b : l->a)[0] / 256, (float)(i ? l->b : l->a)[1] / 256, 0, 1);
   sf_object(u->r, &u->o, NULL);
}

/* All octants, ends on borders and corners of diamonds, and everywhere else. */
static void
diamonds(void **state)
{
   proves("P3D-213", "P3D-229", "P3D-230");
   struct unit *u = *state;
   uint64_t seed = 1;
   unsigned lit = 0;
   for (unsigned n = 0; n < 60000; n++) {
      static const int64_t steps[4] = {128, 64, 16, 1};
      struct segment l = {.legacy = n & 1};
      int64_t step = steps[n / 2 % 4];
      for (unsigned i = 0; i < 2; i++) {
         l.a[i] = 1024 + random32(&seed) % 1536 / step * step;
         l.b[i] = 1024 + random32(&seed) % 1536 / step * step;
      }
      if (n % 5 == 0) /* at 45 degrees */
         l.b[1] = l.a[1] + (n & 16 ? 1 : -1) * (l.b[0] - l.a[0]);
      u->r->state.wm.legacy_diamond_line_rasterization = l.legacy;
      u->r->state.sf.last_pixel_enable = u->o.last = n >> 3 & 1;
      draw_line(u, &l);
      bool none = l.a[0] == l.b[0] && l.a[1] == l.b[1];
      const struct setup *s = u->r->bin.setups ? setup_of(u, 0) : NULL;
      for (int y = 0; y < 18; y++)
         for (int x = 2; x < 12; x++) {
            bool want = !none && reference_lit(&l, x, y, n >> 3 & 1), got = s && lit_by(s, x, y);
            lit += want;
            if (got != want)
               fail_msg("%u: %ld,%ld to %ld,%ld%s: pixel %d,%d (%d,%d) is %d", n, l.a[0], l.a[1],
                        l.b[0], l.b[1], l.legacy ? ", legacy" : "", x, y, 256 * x + 128,
                        256 * y + 128, got);
         }
   }
   assert_in_range(lit, 60000, UINT32_MAX);
}

/* ---- stipple --------------------------------------------------------------------------------- */

/* Strips of lines, and lists: a pixel's place along all of them decides. */
static void
stipples(void **state)
{
   proves("P3D-236");
   struct unit *u = *state;
   uint64_t seed = 2;
   unsigned left_out = 0;
   u->r->state.wm.line_stipple_enable = true;
   for (unsigned n = 0; n < 1500; n++) {
      struct hw_3dstate_line_stipple *p = &u->r->state.line_stipple;
      bool list = n & 1, wide = n & 2;
      int64_t at[2] = {8192, 8192};
      uint32_t counter = 0;
      p->line_stipple_pattern = random32(&seed) & 0xffff;
      p->line_stipple_repeat_count = 1 + random32(&seed) % 5;
      u->r->state.sf.line_width = wide ? 3 * 128 : 0;
      u->o.topology = list ? 2 : 3;
      for (unsigned k = 0; k < 5; k++) {
         struct segment l = {.a = {at[0], at[1]}};
         for (unsigned i = 0; i < 2; i++)
            l.b[i] = at[i] += (int64_t)(random32(&seed) % 4000) - 2000;
         bool y_major = llabs(l.b[1] - l.a[1]) > llabs(l.b[0] - l.a[0]);
         unsigned major = y_major;
         int64_t from = l.a[major], to = l.b[major];
         u->o.first = k == 0;
         if (k == 0 || list)
            counter = 0;
         draw_line(u, &l);
         const struct setup *s = u->r->bin.setups ? setup_of(u, 0) : NULL;
         /* Along the line: a column of pixels after the other. */
         int first = (int)(from >> 8) - (from > to ? -2 : 2),
             end = (int)(to >> 8) + (to > from ? 3 : -3);
         for (int c = first; c != end; c += from < to ? 1 : -1) {
            bool column = false,
                 on = p->line_stipple_pattern >> (counter / p->line_stipple_repeat_count % 16) & 1;
            if (wide) {
               int64_t middle = 256 * c + 128;
               column = from < to ? middle >= from && middle < to : middle >= to && middle < from;
            }
            for (int v = 0; v < 96; v++) {
               int x = y_major ? v : c, y = y_major ? c : v;
               if (x < 0 || y < 0 || x > 95 || y > 95)
                  continue;
               bool in = s && lit_by(s, x, y);
               if (!wide)
                  column |= reference_lit(&l, x, y, false);
               if (!in)
                  continue;
               unsigned bit =
                   (unsigned)(16 * ((y & 7) / 2) + 4 * ((x & 7) / 2) + 2 * (y & 1) + (x & 1));
               bool got = line_dashes(u->r, s, x & ~7, y & ~7) >> bit & 1;
               left_out += !got;
               if (got != on)
                  fail_msg("%u: line %u, pixel %d,%d: %d at %u of %#x by %u", n, k, x, y, got,
                           counter, p->line_stipple_pattern, p->line_stipple_repeat_count);
            }
            counter += column;
         }
      }
   }
   assert_in_range(left_out, 5000, UINT32_MAX);
}

/* ---- wide lines ------------------------------------------------------------------------------ */

/* Between two sloped and two upright borders (or level ones, by the other axis); what lies on a
 * left or a top border is inside. */
static void
parallelograms(void **state)
{
   proves("P3D-231");
   struct unit *u = *state;
   uint64_t seed = 3;
   for (unsigned n = 0; n < 20000; n++) {
      int64_t width = 64 * (1 + random32(&seed) % 20), step = n & 1 ? 64 : 1;
      struct segment l;
      for (unsigned i = 0; i < 2; i++) {
         l.a[i] = 2048 + random32(&seed) % 2048 / step * step;
         l.b[i] = 2048 + random32(&seed) % 2048 / step * step;
      }
      if (l.a[0] == l.b[0] && l.a[1] == l.b[1])
         continue;
      u->r->state.sf.line_width = (uint32_t)(width / 2); /* in 128ths */
      draw_line(u, &l);
      unsigned u_axis = llabs(l.b[1] - l.a[1]) > llabs(l.b[0] - l.a[0]), v_axis = !u_axis;
      bool forward = l.b[u_axis] > l.a[u_axis];
      const int64_t *p = forward ? l.a : l.b, *q = forward ? l.b : l.a;
      int64_t du = q[u_axis] - p[u_axis], dv = q[v_axis] - p[v_axis];
      const struct setup *s = u->r->bin.setups ? setup_of(u, 0) : NULL;
      for (int y = 0; y < 24; y++)
         for (int x = 0; x < 24; x++) {
            int64_t c[2] = {256 * x + 128, 256 * y + 128}, along = c[u_axis] - p[u_axis];
            /* twice the distance across, times du; borders are at -width and +width */
            int64_t across = 2 * ((c[v_axis] - p[v_axis]) * du - dv * along), border = width * du;
            /* Of a line that is nearer to the x axis the first border is the upper one: it is a
             * left one too if it rises to the right, or level; the left one of the other kind
             * always is. */
            bool first = u_axis ? true : dv <= 0, second = u_axis ? false : dv > 0;
            bool want = along >= 0 && along < du &&
                        (first ? across >= -border : across > -border) &&
                        (second ? across <= border : across < border);
            if (want != (s && lit_by(s, x, y)))
               fail_msg("%u: %ld,%ld to %ld,%ld, width %ld: pixel %d,%d is %d", n, l.a[0], l.a[1],
                        l.b[0], l.b[1], width, x, y, !want);
         }
   }
}

/* ---- antialiased lines ----------------------------------------------------------------------- */

/* The ramps by the distance of the pixel's middle from the line, in long double. */
static void
smooth_lines(void **state)
{
   proves("P3D-233", "P3D-234", "P3D-235");
   struct unit *u = *state;
   struct render_state *r = &u->r->state;
   uint64_t seed = 4;
   unsigned between = 0;
   r->sf.antialiasing_enable = true;
   for (unsigned n = 0; n < 4000; n++) {
      struct segment l;
      long double width = (1 + random32(&seed) % 40) / 8.0L, region, cap;
      unsigned codes[2] = {random32(&seed) % 4, random32(&seed) % 4};
      bool true_distance = n & 1, slopes = n % 3 == 0;
      for (unsigned i = 0; i < 2; i++) {
         l.a[i] = 3000 + random32(&seed) % 4000;
         l.b[i] = 3000 + random32(&seed) % 4000;
      }
      r->sf.line_width = (uint32_t)(width * 128);
      r->sf.aa_line_distance_mode = true_distance;
      r->wm.line_antialiasing_region_width = codes[0];
      r->wm.line_end_cap_antialiasing_region_width = r->sf.line_end_cap_antialiasing_region_width =
          codes[1];
      r->aa_line = (struct hw_3dstate_aa_line_parameters){10, slopes ? 200 : 0, 20, 180};
      region = 0.5L * (1 << codes[0]);
      cap = 0.5L * (1 << codes[1]);
      draw_line(u, &l);
      long double dx = (l.b[0] - l.a[0]) / 256.0L, dy = (l.b[1] - l.a[1]) / 256.0L,
                  length = sqrtl(dx * dx + dy * dy);
      if (length < 1)
         continue;
      const struct setup *s = u->r->bin.setups ? setup_of(u, 0) : NULL;
      assert_true(!s || s->smooth); /* none: it lies between the middles of pixels */
      for (int y = 0; y < 40; y++)
         for (int x = 0; x < 40; x++) {
            long double px = x + 0.5L - l.a[0] / 256.0L, py = y + 0.5L - l.a[1] / 256.0L,
                        t = (px * dx + py * dy) / length, away = (py * dx - px * dy) / length;
            bool inside = fabsl(away) < width / 2 - 0.02L && t > -cap + 0.02L &&
                              t<length + cap - 0.02L, outside = fabsl(away)> width / 2 + 0.02L ||
                          t < -cap - 0.02L || t > length + cap + 0.02L;
            bool lit = s && lit_by(s, x, y);
            if ((inside && !lit) || (outside && lit))
               fail_msg("%u: pixel %d,%d is %d", n, x, y, lit);
            if (!lit)
               continue;
            if (!true_distance)
               away *= length / fmaxl(fabsl(dx), fabsl(dy));
            long double want;
            if (slopes) {
               long double e[4] = {200 / 256.0L * (width / 2 + away) - 10 / 256.0L,
                                   200 / 256.0L * (width / 2 - away) - 10 / 256.0L,
                                   180 / 256.0L * (t + cap) - 20 / 256.0L,
                                   180 / 256.0L * (length + cap - t) - 20 / 256.0L};
               want = 1;
               for (unsigned i = 0; i < 4; i++)
                  want *= fminl(fmaxl(e[i], 0), 1);
            } else {
               long double over = fmaxl(0, fmaxl(-t, t - length));
               want = fminl(fmaxl((width / 2 - fabsl(away)) * 2 / region, 0), 1) *
                      fmaxl(0, 1 - over / cap);
            }
            long double got = line_coverage(u->r, s, x, y);
            between += got > 0 && got < 1;
            if (fabsl(got - want) > 0.51L / 255)
               fail_msg("%u: pixel %d,%d is %Lg, not %Lg", n, x, y, got, want);
         }
   }
   assert_in_range(between, 20000, UINT32_MAX);
   r->sf.multisample_rasterization_mode = 2; /* P3D-234 */
   draw_line(u, &(struct segment){.a = {3000, 3000}, .b = {5000, 4000}});
   assert_false(setup_of(u, 0)->smooth);
   r->sf.multisample_rasterization_mode = 0;
   r->sf.line_width = 0;
   draw_line(u, &(struct segment){.a = {3000, 3000}, .b = {5000, 4000}});
   assert_false(setup_of(u, 0)->smooth);
}

/* ---- values and outlines ----------------------------------------------------------------------
 */

/* P3D-238: along the line, by the place on it that is nearest; 1/w as it is there. */
static void
values(void **state)
{
   proves("P3D-238");
   struct unit *u = *state;
   uint64_t seed = 5;
   unsigned checked = 0;
   u->r->state.sf.line_width = 3 * 128;
   for (unsigned n = 0; n < 2000; n++) {
      float p[2][4];
      u->o.kind = OBJECT_LINE;
      bin_empty(&u->r->bin);
      for (unsigned i = 0; i < 2; i++) {
         for (unsigned k = 0; k < 3; k++)
            p[i][k] = (float)random_in(&seed, k == 2 ? 0 : 4, k == 2 ? 1 : 28);
         p[i][3] = (float)random_in(&seed, 0.5, 3); /* 1/w */
         place(u, i, p[i][0], p[i][1], p[i][2], p[i][3]);
      }
      sf_object(u->r, &u->o, NULL);
      if (!u->r->bin.setups)
         continue;
      const struct setup *s = setup_of(u, 0);
      double dx = (double)p[1][0] - (double)p[0][0], dy = (double)p[1][1] - (double)p[0][1];
      if (dx * dx + dy * dy < 1)
         continue;
      for (int y = 2; y < 30; y++)
         for (int x = 2; x < 30; x++) {
            double t = ((x + 0.5 - (double)p[0][0]) * dx + (y + 0.5 - (double)p[0][1]) * dy) /
                       (dx * dx + dy * dy),
                   w = (double)p[0][3] + t * ((double)p[1][3] - (double)p[0][3]);
            if (!lit_by(s, x, y))
               continue;
            assert_float_equal(plane_at(&s->l1, x, y), t, 1e-5);
            assert_float_equal(plane_at(&s->n1, x, y) / plane_at(&s->d, x, y),
                               t * (double)p[1][3] / w, 1e-5);
            assert_float_equal(plane_at(&s->z, x, y),
                               (double)p[0][2] + t * ((double)p[1][2] - (double)p[0][2]), 1e-5);
            assert_true(plane_at(&s->l2, x, y) == 0);
            checked++;
         }
   }
   assert_in_range(checked, 20000, UINT32_MAX);
}

/* P3D-219: three lines, one after the other, each without its last pixel; the stipple goes around.
 */
static void
outlines(void **state)
{
   proves("P3D-217", "P3D-219", "P3D-218");
   struct unit *u = *state;
   uint64_t seed = 6;
   u->r->state.sf.frontface_fill_mode = u->r->state.sf.backface_fill_mode = 1;
   u->r->state.wm.line_stipple_enable = true;
   u->r->state.line_stipple.line_stipple_repeat_count = 1;
   for (unsigned n = 0; n < 2000; n++) {
      int64_t v[3][2];
      uint8_t flags = (uint8_t)(n % 8);
      for (unsigned i = 0; i < 6; i++)
         v[i / 2][i % 2] = 1024 + random32(&seed) % 4096;
      for (unsigned i = 0; i < 3; i++)
         place(u, i, (float)v[i][0] / 256, (float)v[i][1] / 256, 0, 1);
      u->o.edges = (uint8_t)(flags | flags << 3);
      bin_empty(&u->r->bin);
      sf_object(u->r, &u->o, NULL);
      unsigned at = 0, pixels = 0;
      for (unsigned i = 0; i < 3; i++) {
         const struct segment l = {.a = {v[i][0], v[i][1]},
                                   .b = {v[(i + 1) % 3][0], v[(i + 1) % 3][1]}};
         unsigned mine = 0;
         if (!(flags >> i & 1))
            continue;
         for (int y = 2; y < 24; y++)
            for (int x = 2; x < 24; x++)
               mine += reference_lit(&l, x, y, false);
         if (!mine)
            continue; /* no object for it */
         const struct setup *s = at < u->r->bin.setups ? setup_of(u, at) : NULL;
         assert_non_null(s);
         for (int y = 2; y < 24; y++)
            for (int x = 2; x < 24; x++)
               if (reference_lit(&l, x, y, false) != lit_by(s, x, y))
                  fail_msg("%u: edge %u, pixel %d,%d", n, i, x, y);
         if (i == 0)
            pixels = 0;
         if (flags & 1) /* else the counter is another triangle's */
            assert_int_equal(s->line.count, pixels);
         pixels += mine;
         at++;
      }
      assert_int_equal(at, u->r->bin.setups);
      /* Its vertices as points. */
      u->r->state.sf.frontface_fill_mode = u->r->state.sf.backface_fill_mode = 2;
      u->r->state.sf.point_width_source = 1;
      u->r->state.sf.point_width = 8;
      bin_empty(&u->r->bin);
      sf_object(u->r, &u->o, NULL);
      assert_int_equal(u->r->bin.setups, __builtin_popcount(flags));
      u->r->state.sf.frontface_fill_mode = u->r->state.sf.backface_fill_mode = 1;
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       UNIT_CASE(diamonds),     UNIT_CASE(stipples), UNIT_CASE(parallelograms),
       UNIT_CASE(smooth_lines), UNIT_CASE(values),   UNIT_CASE(outlines),
   };
   return cmocka_run_group_tests_name("render_lines", tests, NULL, NULL);
}
