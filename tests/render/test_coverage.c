/* Which pixels are lit: the rasteriser against one that knows nothing but wide integers. */
#include "unit.h"

typedef __int128 wide;

/* ---- the oracle: three edges, each pixel by itself ---------------------------------------------
 */

static int64_t
grid(double at)
{
   return (int64_t)nearbyint(at * 256);
}

/* Twice the area of a, b and a place; above 0: to the right of a to b, on a screen whose y goes
 * down. */
static wide
side(const int64_t a[2], const int64_t b[2], wide x, wide y)
{
   return ((wide)b[0] - a[0]) * (y - a[1]) - ((wide)b[1] - a[1]) * (x - a[0]);
}

/* Top: level, and the triangle is below. Left: the triangle is to the right of an edge that is not
 * level. Of a triangle that goes with the clock. */
static bool
owns_border(const int64_t a[2], const int64_t b[2])
{
   bool top = a[1] == b[1] && b[0] > a[0], left = b[1] < a[1];
   return top || left;
}

/* At a place of the grid. */
static bool
oracle_inside(const int64_t v[3][2], int64_t x, int64_t y)
{
   wide area = ((wide)v[1][0] - v[0][0]) * ((wide)v[2][1] - v[0][1]) -
               ((wide)v[2][0] - v[0][0]) * ((wide)v[1][1] - v[0][1]);
   if (!area)
      return false;
   for (unsigned i = 0; i < 3; i++) {
      const int64_t *a = v[i], *b = v[(i + 1) % 3];
      if (area < 0) { /* the other way around */
         const int64_t *c = a;
         a = b;
         b = c;
      }
      wide s = side(a, b, x, y);
      if (s < 0 || (s == 0 && !owns_border(a, b)))
         return false;
   }
   return true;
}

/* At the middle of a pixel. */
static bool
oracle_lit(const int64_t v[3][2], int64_t x, int64_t y)
{
   return oracle_inside(v, 256 * x + 128, 256 * y + 128);
}

/* ---- cases -------------------------------------------------------------------------------------
 */

static void
draw_triangle(struct unit *u, const double p[3][2])
{
   bin_empty(&u->r->bin);
   for (unsigned i = 0; i < 3; i++)
      place(u, i, (float)p[i][0], (float)p[i][1], 0, 1);
   sf_object(u->r, &u->o, NULL);
}

static void
compare(struct unit *u, const double p[3][2], int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
   int64_t v[3][2];
   for (unsigned i = 0; i < 6; i++)
      v[i / 2][i % 2] = grid((float)p[i / 2][i % 2]);
   const struct setup *s = u->r->bin.setups ? setup_of(u, 0) : NULL;
   for (int32_t by = y0 & ~7; by < y1; by += 8)
      for (int32_t bx = x0 & ~7; bx < x1; bx += 8) {
         uint64_t mask = s ? wm_coverage(s, bx, by) : 0;
         if (s && mask != wm_coverage_plain(s, bx, by, 0, 0))
            fail_msg("block %d,%d: two ways, two masks", bx, by);
         for (unsigned n = 0; n < 64; n++) {
            int32_t x = bx + (int32_t)(2 * (n / 4 % 4) + (n & 1)),
                    y = by + (int32_t)(2 * (n / 16) + (n >> 1 & 1));
            if ((bool)(mask >> n & 1) != oracle_lit(v, x, y))
               fail_msg("pixel %d,%d of (%g,%g) (%g,%g) (%g,%g): %d", x, y, p[0][0], p[0][1],
                        p[1][0], p[1][1], p[2][0], p[2][1], (int)(mask >> n & 1));
         }
      }
}

static unsigned random_count = 100000;

/* P3D-253, P3D-254: small ones, many of whose edges pass through the middle of pixels. */
static void
random_triangles(void **state)
{
   proves("P3D-253", "P3D-254", "P3D-211");
   struct unit *u = *state;
   uint64_t seed = 1;
   for (unsigned n = 0; n < random_count; n++) {
      double p[3][2];
      unsigned coarse = n % 4; /* places on the grid, of halves, of sixteenths, anywhere */
      for (unsigned i = 0; i < 6; i++) {
         double at = random_in(&seed, 8, 24);
         p[i / 2][i % 2] = coarse == 0   ? floor(at * 2) / 2
                           : coarse == 1 ? floor(at * 16) / 16
                           : coarse == 2 ? floor(at) + 0.5
                                         : at;
      }
      draw_triangle(u, p);
      compare(u, p, 8, 8, 25, 25);
   }
}

/* P3D-256: a 256th of a pixel high, and from one end of what can be drawn to the other. */
static void
slivers_and_giants(void **state)
{
   proves("P3D-256");
   struct unit *u = *state;
   uint64_t seed = 2;
   for (unsigned n = 0; n < 3000; n++) {
      double y = random_in(&seed, 16, 48), x = random_in(&seed, 0, 30);
      const double sliver[3][2] = {
          {x, y}, {x + 33, y + random_in(&seed, -3, 3)}, {x, y + 1 / 256.0}};
      draw_triangle(u, sliver);
      compare(u, sliver, 0, 8, 64, 64);
   }
   for (unsigned n = 0; n < 3000; n++) {
      double p[3][2];
      for (unsigned i = 0; i < 6; i++)
         p[i / 2][i % 2] = random_in(&seed, -32768, 32767);
      draw_triangle(u, p);
      int32_t x = (int32_t)random_in(&seed, 0, 32000), y = (int32_t)random_in(&seed, 0, 32000);
      compare(u, p, x, y, x + 16, y + 16);
   }
}

/* P3D-255: triangles around a point that is the middle of a pixel light each pixel once. */
static void
fans_light_once(void **state)
{
   proves("P3D-255");
   struct unit *u = *state;
   uint64_t seed = 3;
   for (unsigned n = 0; n < 400; n++) {
      unsigned corners = 3 + random32(&seed) % 9, times[40][40] = {{0}};
      double cx = 20.5, cy = 20.5, ring[12][2];
      for (unsigned i = 0; i < corners; i++) {
         double a = 6.283185307 * (i + random_in(&seed, 0, 0.8)) / corners,
                r = random_in(&seed, 5, 18);
         ring[i][0] = floor((cx + r * cos(a)) * 4) / 4;
         ring[i][1] = floor((cy + r * sin(a)) * 4) / 4;
      }
      bool folds = false; /* a corner that is not on the same side of the middle */
      for (unsigned i = 0; i < corners; i++) {
         const double *a = ring[i], *b = ring[(i + 1) % corners];
         double area = (a[0] - cx) * (b[1] - cy) - (b[0] - cx) * (a[1] - cy);
         folds |= area <= 0;
      }
      if (folds)
         continue;
      for (unsigned i = 0; i < corners; i++) {
         const double t[3][2] = {{cx, cy},
                                 {ring[i][0], ring[i][1]},
                                 {ring[(i + 1) % corners][0], ring[(i + 1) % corners][1]}};
         draw_triangle(u, t);
         for (int32_t y = 0; y < 40 && u->r->bin.setups; y++)
            for (int32_t x = 0; x < 40; x++)
               times[y][x] += lit_by(setup_of(u, 0), x, y);
      }
      for (unsigned i = 0; i < 1600; i++)
         assert_in_range(times[i / 40][i % 40], 0, 1);
      assert_int_equal(times[20][20], 1);
   }
}

/* P3D-213, P3D-214, P3D-215 */
static void
facing(void **state)
{
   proves("P3D-213", "P3D-214", "P3D-215");
   struct unit *u = *state;
   static const double clockwise[3][2] = {{8, 8}, {20, 8}, {8, 20}},
                       line[3][2] = {{1, 1}, {5, 5}, {9, 9}};
   for (unsigned i = 0; i < 16; i++) {
      bool odd = i & 1, winding = i >> 1 & 1;
      unsigned cull = i >> 2; /* both, none, front, back */
      u->o.odd = odd;
      u->r->state.sf.front_winding = winding;
      u->r->state.sf.cull_mode = cull;
      draw_triangle(u, clockwise);
      bool back = odd != winding;
      bool gone = cull == 0 || (cull == 2 && !back) || (cull == 3 && back);
      assert_int_equal(u->r->bin.setups, !gone);
      if (!gone)
         assert_int_equal(setup_of(u, 0)->back_facing, back);
   }
   u->r->state.sf.cull_mode = 1;
   draw_triangle(u, line);
   assert_int_equal(u->r->bin.setups, 0);
}

/* P3D-239, P3D-258: both ends are inside; nothing is left where they cross. */
static void
scissors(void **state)
{
   proves("P3D-239", "P3D-258", "P3D-210");
   struct unit *u = *state;
   struct render_state *s = &u->r->state;
   static const double big[3][2] = {{-100, -100}, {400, -100}, {-100, 400}};
   s->area.clipped_drawing_rectangle_x_min = 4;
   s->area.clipped_drawing_rectangle_y_min = 6;
   s->area.clipped_drawing_rectangle_x_max = 30;
   s->area.clipped_drawing_rectangle_y_max = 40;
   s->area.drawing_rectangle_origin_x = 3;
   s->area.drawing_rectangle_origin_y = -2;
   s->sf.scissor_rectangle_enable = true;
   s->scissor[0] = (struct hw_scissor_rect){.scissor_rectangle_x_min = 7,
                                            .scissor_rectangle_x_max = 20,
                                            .scissor_rectangle_y_min = 1,
                                            .scissor_rectangle_y_max = 50};
   draw_triangle(u, big);
   const struct setup *t = setup_of(u, 0);
   for (int32_t y = 0; y < 64; y++)
      for (int32_t x = 0; x < 64; x++)
         assert_int_equal(lit_by(t, x, y), x >= 10 && x <= 23 && y >= 6 && y <= 40);
   s->scissor[0].scissor_rectangle_x_max = 6;
   draw_triangle(u, big);
   assert_int_equal(u->r->bin.setups, 0);
}

/* P3D-226, P3D-227, P3D-228 */
static void
points(void **state)
{
   proves("P3D-226", "P3D-227");
   struct unit *u = *state;
   u->o.kind = OBJECT_POINT;
   u->r->state.sf.point_width_source = 1;
   static const float middle[3][2] = {{16.5f, 16.25f}, {12.5f, 20.25f}, {20.5f, 12.25f}};
   for (unsigned rule = 0; rule < 6; rule++)
      for (unsigned width = 1; width < 40; width += 3) {
         float mx = middle[rule / 2][0], my = middle[rule / 2][1];
         u->r->state.wm.point_rasterization_rule = rule & 1;
         u->r->state.sf.point_width = width;
         bin_empty(&u->r->bin);
         place(u, 0, mx, my, 0, 1);
         sf_object(u->r, &u->o, NULL);
         double half = width / 16.0, left = mx - half, right = mx + half, top = my - half,
                bottom = my + half;
         for (int32_t y = 8; y < 24; y++)
            for (int32_t x = 8; x < 24; x++) {
               double cx = x + 0.5, cy = y + 0.5;
               bool across = rule & 1 ? cx > left && cx <= right : cx >= left && cx < right;
               bool want = across && cy >= top && cy < bottom;
               assert_int_equal(u->r->bin.setups && lit_by(setup_of(u, 0), x, y), want);
            }
      }
}

/* P3D-229, P3D-230: the pixels whose diamond the line leaves, by walking along it in small steps.
 */
static bool
in_diamond(double x, double y, int px, int py)
{
   return fabs(x - px - 0.5) + fabs(y - py - 0.5) < 0.5;
}

static void
cosmetic_lines(void **state)
{
   proves("P3D-229", "P3D-230");
   struct unit *u = *state;
   uint64_t seed = 5;
   u->o.kind = OBJECT_LINE;
   u->o.last = true;
   for (unsigned n = 0; n < 1500; n++) {
      double p[2][2];
      bool last = n & 1;
      for (unsigned i = 0; i < 4;
           i++) /* away from borders of diamonds: there rules differ by side */
         p[i / 2][i % 2] = floor(random_in(&seed, 10, 30) * 256) / 256 + 1 / 517.0;
      u->r->state.sf.last_pixel_enable = last;
      bin_empty(&u->r->bin);
      for (unsigned i = 0; i < 2; i++)
         place(u, i, (float)p[i][0], (float)p[i][1], 0, 1);
      sf_object(u->r, &u->o, NULL);
      double q[2][2];
      for (unsigned i = 0; i < 4; i++)
         q[i / 2][i % 2] = nearbyint((double)(float)p[i / 2][i % 2] * 256) / 256;
      const struct setup *s = u->r->bin.setups ? setup_of(u, 0) : NULL;
      for (int y = 8; y < 32; y++)
         for (int x = 8; x < 32; x++) {
            bool was = false, want = false, near = false;
            for (unsigned k = 0; k <= 6000; k++) {
               double t = k / 6000.0, lx = q[0][0] + t * (q[1][0] - q[0][0]),
                      ly = q[0][1] + t * (q[1][1] - q[0][1]);
               double to = fabs(lx - x - 0.5) + fabs(ly - y - 0.5);
               near |= fabs(to - 0.5) < 0.003 && (k == 0 || k == 6000);
               bool now = in_diamond(lx, ly, x, y);
               want |= was && !now;
               was = now;
            }
            want |= was && last;
            bool got = s && lit_by(s, x, y);
            /* A line that just touches a diamond is seen by one of the two only. */
            if (got != want && !near) {
               double dx = q[1][0] - q[0][0], dy = q[1][1] - q[0][1],
                      t = ((x + 0.5 - q[0][0]) * dx + (y + 0.5 - q[0][1]) * dy) /
                          (dx * dx + dy * dy),
                      minor = fabs(dx) >= fabs(dy)
                                  ? q[0][1] + (x + 0.5 - q[0][0]) / dx * dy - y - 0.5
                                  : q[0][0] + (y + 0.5 - q[0][1]) / dy * dx - x - 0.5;
               if (fabs(fabs(minor) - 0.5) > 0.004)
                  fail_msg("line %g,%g to %g,%g: pixel %d,%d is %d (at %g)", q[0][0], q[0][1],
                           q[1][0], q[1][1], x, y, got, t);
            }
         }
   }
}

/* P3D-260, P3D-372: eight points anywhere in the pixel, each by itself. */
static void
random_samples(void **state)
{
   proves("P3D-260", "P3D-372", "P3D-253");
   struct unit *u = *state;
   uint64_t seed = 12;
   uint8_t point[8][2];
   u->r->state.multisample.number_of_multisamples = 3;
   u->r->state.wm.multisample_rasterization_mode = 3;
   for (unsigned n = 0; n < 6000; n++) {
      uint32_t dw[4] = {0, 3 << 1, random32(&seed), random32(&seed)};
      double p[3][2];
      int64_t v[3][2];
      gen7_3dstate_multisample_unpack(&u->r->state.multisample, dw);
      msaa_state_changed(u->r);
      for (unsigned i = 0; i < 8; i++) {
         point[i][0] = dw[2 + i / 4] >> (8 * (i % 4) + 4) & 15;
         point[i][1] = dw[2 + i / 4] >> (8 * (i % 4)) & 15;
      }
      for (unsigned i = 0; i < 6; i++) {
         double at = random_in(&seed, 8, 24);
         p[i / 2][i % 2] = n & 1 ? floor(at * 16) / 16 : at;
         v[i / 2][i % 2] = grid((float)p[i / 2][i % 2]);
      }
      draw_triangle(u, p);
      const struct setup *s = u->r->bin.setups ? setup_of(u, 0) : NULL;
      for (unsigned i = 0; i < 8; i++)
         for (int32_t y = 7; y < 25; y++)
            for (int32_t x = 7; x < 25; x++) {
               const struct wm_sample *at = &u->r->wm.sample[i];
               uint64_t mask = s ? wm_coverage_at(s, x & ~7, y & ~7, at->dx, at->dy) : 0;
               unsigned bit =
                   (unsigned)(16 * ((y & 7) / 2) + 4 * ((x & 7) / 2) + 2 * (y & 1) + (x & 1));
               if ((mask >> bit & 1) !=
                   oracle_inside(v, 256 * x + 16 * point[i][0], 256 * y + 16 * point[i][1]))
                  fail_msg("pixel %d,%d sample %u at %u,%u", x, y, i, point[i][0], point[i][1]);
            }
   }
}

/* ---- samples of whole tiles --------------------------------------------------------------------
 */

#define TILE 64 /* pixels, both ways */
#define SCREEN (3 * TILE)

/* Samples of each pixel that the walk over all tiles has given to groups. */
static void
walk_tiles(struct unit *u, uint8_t lit[SCREEN][SCREEN])
{
   struct render *r = u->r;
   struct stage_crew crew = {.data = r};
   struct ps_worker *w = aligned_alloc(64, (sizeof(*w) + 63) & ~(size_t)63);
   const struct pixel_group *g = &w->pixel.group;
   memset(w, 0, sizeof(*w));
   memset(lit, 0, SCREEN * SCREEN);
   w->w.crew = &crew;
   w->pixel.group.samples = r->wm.samples;
   r->wm.subspans = 4;
   r->bin.tile_shift = 6;
   bin_sort(r);
   for (unsigned i = 0; i < r->bin.tiles; i++) {
      for (wm_enter_tile(w, r->bin.tile[i]); wm_next_group(w) || w->s; w->w.owed = 0)
         for (unsigned n = 0; n < 16u * r->wm.samples; n++) {
            unsigned at = n % 16, k = at / 4, x = g->x[k] + (at & 1u), y = g->y[k] + (at >> 1 & 1u);
            if (k >= g->subspans || !(g->lit[n / 16] >> at & 1))
               continue;
            assert_true(x < SCREEN && y < SCREEN);
            assert_false(lit[y][x] >> n / 16 & 1); /* once */
            lit[y][x] |= (uint8_t)(1u << n / 16);
         }
   }
   free(w);
}

/* One edge passes a corner of a tile within two pixels, all else is far away. */
static void
giant_at_corner(uint64_t *seed, double p[3][2])
{
   double turn = random_in(seed, 0, 6.283185307), dx = cos(turn), dy = sin(turn),
          far = random_in(seed, 300, 3000), x = TILE * (1 + random32(seed) % 2),
          y = TILE * (1 + random32(seed) % 2);
   if (random32(seed) % 4 == 0) { /* along a border or a diagonal, to the sixteenth */
      unsigned octant = random32(seed) % 8;
      dx = octant % 4 == 2 ? 0 : octant < 2 || octant > 6 ? 1 : -1;
      dy = octant % 4 == 0 ? 0 : octant < 4 ? 1 : -1;
   }
   x += random_in(seed, -2, 2);
   y += random_in(seed, -2, 2);
   const double corner[3][2] = {{x - far * dx, y - far * dy},
                                {x + far * dx, y + far * dy},
                                {x - far * dy + dx * 7, y + far * dx + dy * 7}};
   for (unsigned i = 0; i < 6; i++)
      p[i / 2][i % 2] = floor(corner[i / 2][i % 2] * 16) / 16;
}

/* P3D-260: the tiles that an object covers, and those that it misses, are known without a look at
 * their samples; which are as far away from the pixel's location as they can be. */
static void
sampled_tiles(void **state)
{
   proves("P3D-260", "P3D-372");
   static uint8_t lit[SCREEN][SCREEN];
   struct unit *u = *state;
   struct render *r = u->r;
   uint64_t seed = 14;
   unsigned whole = 0;
   r->state.area.clipped_drawing_rectangle_x_max = SCREEN - 1;
   r->state.area.clipped_drawing_rectangle_y_max = SCREEN - 1;
   r->state.wm.multisample_rasterization_mode = 3;
   r->state.wm.multisample_dispatch_mode = 1;
   r->state.sample_mask.sample_mask = 0xff;
   for (unsigned n = 0; n < 240; n++) {
      bool corner = n & 1, eight = n & 2;
      /* Anywhere, or in the pixel's corners. */
      uint32_t dw[4] = {0, (uint32_t)corner << 4 | (eight ? 3u : 2u) << 1,
                        n & 4 ? random32(&seed) : 0xff0ff000, n & 4 ? random32(&seed) : 0x8f0ff0ff};
      double p[3][2];
      int64_t v[3][2];
      gen7_3dstate_multisample_unpack(&r->state.multisample, dw);
      assert_int_equal(r->state.multisample.pixel_location, corner);
      msaa_state_changed(r);
      assert_int_equal(r->wm.samples, eight ? 8 : 4);
      r->wm.sx = r->wm.sy = corner ? 0 : 0.5;
      giant_at_corner(&seed, p);
      for (unsigned i = 0; i < 6; i++)
         v[i / 2][i % 2] = grid((float)p[i / 2][i % 2]);
      draw_triangle(u, p);
      walk_tiles(u, lit);
      for (int32_t y = 0; y < SCREEN; y++)
         for (int32_t x = 0; x < SCREEN; x++) {
            int32_t px = x % TILE, py = y % TILE; /* borders of tiles, and a pixel inside */
            if (px > 1 && px < TILE - 2 && py > 1 && py < TILE - 2 && (px != 30 || py != 30))
               continue;
            for (unsigned i = 0; i < r->wm.samples; i++) {
               int64_t sx = dw[2 + i / 4] >> (8 * (i % 4) + 4) & 15,
                       sy = dw[2 + i / 4] >> (8 * (i % 4)) & 15;
               bool want = oracle_inside(v, 256 * x + 16 * sx, 256 * y + 16 * sy);
               whole += want;
               if ((lit[y][x] >> i & 1) != want)
                  fail_msg("%u: pixel %d,%d sample %u of (%g,%g) (%g,%g) (%g,%g): not %d", n, x, y,
                           i, p[0][0], p[0][1], p[1][0], p[1][1], p[2][0], p[2][1], want);
            }
         }
   }
   assert_true(whole > 100000);
}

/* An object of 2048 by 2048 blocks that lights nothing: the walk over it comes back in between, and
 * says what it has cost. */
static void
walk_over_nothing(void **state)
{
   struct unit *u = *state;
   struct stage_crew crew = {.data = u->r};
   struct setup nothing = {.edges = 1, .edge[0] = {.c = -1}};
   struct ps_worker *w = aligned_alloc(64, (sizeof(*w) + 63) & ~(size_t)63);
   memset(w, 0, sizeof(*w));
   w->w.crew = &crew;
   w->s = &nothing;
   w->bx1 = w->by1 = 16384;
   w->pixel.group.samples = 1;
   u->r->wm.subspans = 4;
   uint64_t owed = 0;
   unsigned returns = 0;
   for (; !wm_next_group(w) && w->s; returns++) {
      assert_in_range(w->w.owed, WM_OWED_MOST, WM_OWED_MOST + WM_BLOCK_COST);
      owed += (uint64_t)w->w.owed;
      w->w.owed = 0;
   }
   owed += (uint64_t)w->w.owed;
   assert_int_equal(owed, UINT64_C(2048) * 2048 * WM_BLOCK_COST);
   assert_int_equal(returns, owed / WM_OWED_MOST - 1); /* the last stretch ends it */
   free(w);
}

int
main(int argc, char **argv)
{
   if (argc > 1)
      random_count = (unsigned)atoi(argv[1]);
   const struct CMUnitTest tests[] = {
       UNIT_CASE(random_samples),  UNIT_CASE(random_triangles), UNIT_CASE(slivers_and_giants),
       UNIT_CASE(fans_light_once), UNIT_CASE(facing),           UNIT_CASE(scissors),
       UNIT_CASE(points),          UNIT_CASE(cosmetic_lines),   UNIT_CASE(walk_over_nothing),
       UNIT_CASE(sampled_tiles),
   };
   return cmocka_run_group_tests_name("render_coverage", tests, NULL, NULL);
}
