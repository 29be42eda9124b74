/* Integer search: windows, paths, records, sources, fields, carried records; the vectors of an open
 * driver's test. The oracle is a plain loop over the places. */
#include "tests/proves.h"
#include "tests/vme/stand.h"

#include <stdio.h>
#include <stdlib.h>

#define W 160
#define H 128

static uint8_t source_px[W * H], ref_px[W * H], ref1_px[W * H];
static const struct vme_picture source = {W, H, source_px}, ref = {W, H, ref_px},
                                ref1 = {W, H, ref1_px};

static void
pictures(struct vme_stand *s, uint32_t seed)
{
   stand_forget(s);
   if (seed % 2) {
      picture_random(source_px, W, H, seed);
      picture_random(ref_px, W, H, seed + 1);
      picture_random(ref1_px, W, H, seed + 2);
   } else {
      picture_natural(source_px, W, H, 0, 0, seed);
      picture_natural(ref_px, W, H, 11, -7, seed);
      picture_natural(ref1_px, W, H, -22, 9, seed);
   }
}

struct bench {
   struct vme_request q;
   struct request_fields f;
   uint32_t out[10][8];
   struct hw_vme_w0 w0;
};

static void
plain(struct bench *b)
{
   request_plain(&b->q, &source, &ref, 64, 48);
   b->q.reference[1] = ref1;
   request_get(&b->q, &b->f);
}

static void
run(struct vme_stand *s, struct bench *b)
{
   request_put(&b->q, &b->f);
   vme_model_run(s, &b->q, b->out);
   gen7_vme_w0_unpack(&b->w0, b->out[0]);
}

/* ---- the oracle ---- */

static int
at(const struct vme_picture *p, int x, int y, int field, int polarity)
{
   int h = field ? (int)p->height / 2 : (int)p->height;
   x = x < 0 ? 0 : x >= (int)p->width ? (int)p->width - 1 : x;
   y = y < 0 ? 0 : y >= h ? h - 1 : y;
   return p->pixels[(field ? 2 * y + polarity : y) * (int)p->width + x];
}

struct view { /* frame or field of source and reference */
   int field, src_polarity, ref_polarity;
};

static int
distortion(const struct bench *b, const struct vme_picture *r, const struct view *v, int bx, int by,
           int w, int h, int mx, int my)
{
   int sum = 0, sx = (int)b->f.m0.srcx, sy = (int)b->f.m0.srcy;
   for (int cy = 0; cy < h; cy += 4)
      for (int cx = 0; cx < w; cx += 4) {
         int cell = 0;
         for (int i = 0; i < 16; i++) {
            int x = bx + cx + i % 4, y = by + cy + i / 4;
            cell += abs(at(&b->q.source, sx + x, sy + y, v->field, v->src_polarity) -
                        at(r, sx + x + mx, sy + y + my, v->field, v->ref_polarity));
         }
         sum += cell / 2;
      }
   return sum;
}

struct best {
   int cost, x, y; /* whole pixels */
};

/* The best of a block over all places of a list of units (raster in a unit, first wins). */
static struct best
search(const struct bench *b, const struct vme_picture *r, const struct view *v, int rx, int ry,
       const uint8_t (*units)[2], unsigned count, int su_w, int su_h, int bx, int by, int w, int h)
{
   struct best best = {1 << 20, 0, 0};
   for (unsigned u = 0; u < count; u++)
      for (int i = 0; i < su_w * su_h; i++) {
         int x = rx + units[u][0] * su_w + i % su_w, y = ry + units[u][1] * su_h + i / su_w;
         int d = distortion(b, r, v, bx, by, w, h, x, y);
         if (d < best.cost)
            best = (struct best){d, x, y};
      }
   return best;
}

static void
all_units(uint8_t (*units)[2], unsigned columns, unsigned rows)
{
   for (unsigned i = 0; i < columns * rows; i++) {
      unsigned y = i / columns, x = i % columns;
      units[i][0] = (uint8_t)(y % 2 ? columns - 1 - x : x); /* serpentine */
      units[i][1] = (uint8_t)y;
   }
}

/* ---- cases ---- */

/* The vectors that Beignet's test expects of Ivy Bridge: a bright block in a flat picture. */
static void
test_open_driver_vectors(void **state)
{
   proves("VME-402", "VME-066", "VME-403", "VME-192");
   struct vme_stand *s = *state;
   static uint8_t px[71 * 41];
   memset(px, 17, sizeof(px));
   for (unsigned y = 16; y < 32; y++)
      memset(px + y * 71 + 32, 100, 16);
   struct vme_picture p = {71, 41, px};
   for (unsigned mb = 0; mb < 8; mb++) {
      struct bench b;
      request_plain(&b.q, &p, &p, mb % 4 * 16, mb / 4 * 16);
      request_get(&b.q, &b.f);
      b.f.m0.submbpartmask = 0x7e;
      b.f.m1.maxnummvs = 16;
      run(s, &b);
      int x = mb == 6 ? 0 : mb == 7 ? 0 : -64, y = mb == 6 ? 0 : -48;
      assert_int_equal(mv_x(b.out[1][0]), x);
      assert_int_equal(mv_y(b.out[1][0]), y);
   }
}

/* Each shape by itself finds the best of its blocks over the whole window. */
static void
test_whole_window(void **state)
{
   proves("VME-043", "VME-046", "VME-047", "VME-064", "VME-175", "VME-210", "VME-211", "VME-226",
          "VME-241", "VME-246");
   struct vme_stand *s = *state;
   uint8_t units[48][2];
   const struct view frame = {0, 0, 0};
   all_units(units, 8, 6);
   for (uint32_t seed = 1; seed < 5; seed++) {
      pictures(s, seed);
      for (unsigned shape = 0; shape < 7; shape++) {
         static const uint8_t size[7][2] = {{16, 16}, {16, 8}, {8, 16}, {8, 8},
                                            {8, 4},   {4, 8},  {4, 4}};
         struct bench b;
         plain(&b);
         b.f.m0.submbpartmask = 0x7fu & ~(1u << shape);
         run(s, &b);
         int w = size[shape][0], h = size[shape][1], total = 0;
         assert_int_equal(b.w0.search_path_length, 48);
         for (int by = 0; by < 16; by += h)
            for (int bx = 0; bx < 16; bx += w) {
               struct best e = search(&b, &ref, &frame, -16, -12, units, 48, 4, 4, bx, by, w, h);
               unsigned k = (unsigned)(by / 8 * 2 + bx / 8),
                        j = (unsigned)(by / 4 % 2 * 2 + bx / 4 % 2);
               unsigned slot = shape > 3 ? 4 * k + j : k;
               uint32_t mv = b.out[1 + slot / 4][2 * (slot % 4)];
               assert_int_equal(mv_x(mv), 4 * e.x);
               assert_int_equal(mv_y(mv), 4 * e.y);
               assert_int_equal(b.out[5][slot / 2] >> 16 * (slot % 2) & 0xffff, e.cost);
               total += e.cost;
            }
         assert_int_equal(b.w0.interdistortion, total < 0x3fff ? total : 0x3fff);
      }
   }
}

/* Costs of vectors move the choice; the reported cost is that of the reported vector. */
static void
test_costs_count(void **state)
{
   proves("VME-067", "VME-156", "VME-140", "VME-142", "VME-198");
   struct vme_stand *s = *state;
   const struct view frame = {0, 0, 0};
   pictures(s, 2);
   for (unsigned set = 0; set < 4; set++) {
      struct bench b;
      plain(&b);
      b.q.descriptor |= set << 11 | (2 * set + 1) << 8; /* each in a state of its own */
      b.f.m0.submbpartmask = 0x7e;
      b.f.m1.costcenter0x = -12;
      b.f.m1.costcenter0y = 20;
      for (unsigned i = 0; i < 8; i++)
         b.q.state[72 + 16 * set + i] = (uint8_t)(0x10 * (set + 1) | i);
      b.q.state[56 + 2 * set] = 0x13; /* MODE_INTER_16x16: 6 */
      run(s, &b);
      int best = 1 << 20, bx = 0, by = 0;
      for (int u = 0; u < 48; u++)
         for (int i = 0; i < 16; i++) {
            int row = u / 8, column = row % 2 ? 7 - u % 8 : u % 8;
            int x = -16 + column * 4 + i % 4, y = -12 + row * 4 + i / 4, cost = 0;
            for (unsigned axis = 0; axis < 2; axis++) {
               int d = abs(axis ? 4 * y - 20 : 4 * x + 12), lut[8], p = 0;
               for (int k = 0; k < 8; k++)
                  lut[k] = k << (set + 1);
               static const int places[8] = {0, 1, 2, 4, 8, 16, 32, 64};
               if (d > 64) {
                  cost += lut[7] + d - 64;
                  continue;
               }
               while (p < 7 && places[p + 1] <= d)
                  p++;
               cost += p == 7 ? lut[7]
                              : lut[p] + (lut[p + 1] - lut[p]) * (d - places[p]) /
                                             (places[p + 1] - places[p]);
            }
            cost += distortion(&b, &ref, &frame, 0, 0, 16, 16, x, y);
            if (cost < best) {
               best = cost;
               bx = x;
               by = y;
            }
         }
      assert_int_equal(mv_x(b.out[1][0]), 4 * bx);
      assert_int_equal(mv_y(b.out[1][0]), 4 * by);
      assert_int_equal(b.out[5][0] & 0xffff, best);
      assert_int_equal(b.w0.minimal_distortion, best + 6);
   }
}

/* A path by its deltas: what is searched, what is counted. */
static void
test_fixed_path(void **state)
{
   proves("VME-051", "VME-052", "VME-053", "VME-055", "VME-057", "VME-058", "VME-145", "VME-164",
          "VME-381", "VME-050");
   struct vme_stand *s = *state;
   const struct view frame = {0, 0, 0};
   pictures(s, 1);
   /* From (2, 1): right, twice left (once again the start), down, far left (wraps to 14: outside),
    * back by 3 (modulo 16: 1), then the end. */
   static const uint8_t deltas[] = {0x01, 0x0f, 0x0f, 0x10, 0x0d, 0x03, 0x00, 0x01};
   static const uint8_t visited[][2] = {{2, 1}, {3, 1}, {2, 1}, {1, 1}, {1, 2}, {14, 2}, {1, 2}};
   for (unsigned length = 1; length <= 10; length++)
      for (unsigned most = 1; most <= 10; most++) {
         struct bench b;
         plain(&b);
         request_path(&b.q, deltas, sizeof(deltas));
         b.f.m0.submbpartmask = 0x7e;
         b.f.m1.start0x = 2;
         b.f.m1.start0y = 1;
         b.f.m1.lensp = length;
         b.f.m1.maxnumsu = most;
         run(s, &b);
         unsigned steps = length < most ? length : most, n = 0;
         uint8_t units[8][2];
         for (unsigned i = 0; i < steps && i < 7; i++) {
            bool again = visited[i][0] > 7;
            for (unsigned k = 0; k < n; k++)
               again |= !memcmp(units[k], visited[i], 2);
            if (!again)
               memcpy(units[n++], visited[i], 2);
         }
         struct best e =
             search(&b, &ref, &frame, -16, -12, (const uint8_t(*)[2])units, n, 4, 4, 0, 0, 16, 16);
         assert_int_equal(b.w0.search_path_length, n);
         assert_int_equal(b.w0.alternate_search_path_length, 0);
         assert_int_equal(mv_x(b.out[1][0]), 4 * e.x);
         assert_int_equal(mv_y(b.out[1][0]), 4 * e.y);
      }
}

/* Two starts, one record: the deltas go on from the second. */
static void
test_two_starts(void **state)
{
   proves("VME-227", "VME-275");
   struct vme_stand *s = *state;
   const struct view frame = {0, 0, 0};
   static const uint8_t units[][2] = {{0, 0}, {5, 3}, {6, 3}, {6, 4}};
   pictures(s, 3);
   for (unsigned length = 1; length <= 4; length++) {
      struct bench b;
      plain(&b);
      request_path(&b.q, (const uint8_t[]){0x01, 0x10}, 2);
      b.f.m0.searchctrl = 1;
      b.f.m0.submbpartmask = 0x7e;
      b.f.m1.start1x = 5;
      b.f.m1.start1y = 3;
      b.f.m1.lensp = length;
      run(s, &b);
      struct best e = search(&b, &ref, &frame, -16, -12, units, length, 4, 4, 0, 0, 16, 16);
      assert_int_equal(b.w0.search_path_length, length);
      assert_int_equal(mv_x(b.out[1][0]), 4 * e.x);
      assert_int_equal(mv_y(b.out[1][0]), 4 * e.y);
   }
}

/* Two records on one reference: each pays to its own center; a unit goes to the path that came
 * first; the better entries stay. */
static void
test_two_records(void **state)
{
   proves("VME-228", "VME-060", "VME-330", "VME-232", "VME-262");
   struct vme_stand *s = *state;
   const struct view frame = {0, 0, 0};
   pictures(s, 4);
   struct bench b;
   plain(&b);
   request_path(&b.q, (const uint8_t[]){0x01, 0x01}, 2);
   b.f.m0.searchctrl = 3;
   b.f.m0.ref1x = b.f.m0.ref0x;
   b.f.m0.ref1y = b.f.m0.ref0y;
   b.f.m0.submbpartmask = 0x7e;
   b.f.m1.start0x = 2;
   b.f.m1.start1x = 3; /* path 0: 2, 3 (taken by path 1 before), 4; path 1: 3, 4 (…), 5 */
   b.f.m1.lensp = 3;
   b.f.m1.maxnumsu = 3;
   b.q.state[72] = 0x05; /* every vector at its center costs 2 * 5, others less by the curve */
   run(s, &b);
   /* In turn 2, 3, 3 (again), 4, 4 (again), 5: two units of path 0 at most. */
   assert_int_equal(b.w0.search_path_length, 4);
   assert_int_equal(b.w0.alternate_search_path_length, 3);
   b.q.state[72] = 0;
   run(s, &b);
   static const uint8_t units[][2] = {{2, 0}, {3, 0}, {4, 0}, {5, 0}};
   struct best e = search(&b, &ref, &frame, -16, -12, units, 4, 4, 4, 0, 0, 16, 16);
   assert_int_equal(b.out[5][0] & 0xffff, e.cost);
   assert_int_equal(mv_x(b.out[1][0]), 4 * e.x);
   /* Only center 1 is near: its record wins with the same distortion. */
   b.f.m1.costcenter0x = 2000;
   b.f.m1.costcenter1x = 4 * (-16 + 3 * 4);
   b.f.m0.submbpartmask = 0x7e;
   run(s, &b);
   assert_true(mv_x(b.out[1][0]) >= 4 * (-16 + 12) && mv_x(b.out[1][0]) < 4 * (-16 + 24));
}

/* Two references: own windows, own paths by option, directions in the answer. */
static void
test_two_references(void **state)
{
   proves("VME-229", "VME-224", "VME-225", "VME-244", "VME-200", "VME-199", "VME-044");
   struct vme_stand *s = *state;
   const struct view frame = {0, 0, 0};
   for (uint32_t seed = 1; seed < 5; seed++)
      for (unsigned apart = 0; apart < 2; apart++) {
         struct bench b;
         pictures(s, seed);
         plain(&b);
         request_path(&b.q, (const uint8_t[]){0x01, 0x10, 0x10, 0x01}, 4);
         b.f.m0.searchctrl = 7;
         b.f.m0.refwidth = b.f.m0.refheight = 32;
         b.f.m0.ref0x = -8;
         b.f.m0.ref0y = -6;
         b.f.m0.ref1x = -2;
         b.f.m0.ref1y = -10;
         b.f.m0.dual_search_path_option = apart;
         b.f.m0.submbpartmask = 0x77;
         b.f.m1.bisubmbpartmask = 15;
         b.f.m1.start1x = 1;
         b.f.m1.lensp = b.f.m1.maxnumsu = 8;
         run(s, &b);
         /* Common: right, down, down, right. Apart: path 0 right, down; path 1 down, right. */
         static const uint8_t common0[][2] = {{0, 0}, {1, 0}, {1, 1}, {1, 2}, {2, 2}};
         static const uint8_t common1[][2] = {{1, 0}, {2, 0}, {2, 1}, {2, 2}, {3, 2}};
         static const uint8_t own0[][2] = {{0, 0}, {1, 0}, {1, 1}},
                              own1[][2] = {{1, 0}, {1, 1}, {2, 1}};
         unsigned n = apart ? 3 : 5;
         assert_int_equal(b.w0.search_path_length, 2 * n);
         assert_int_equal(b.w0.alternate_search_path_length, n);
         for (int k = 0; k < 4; k++) {
            struct best e[2];
            e[0] = search(&b, &ref, &frame, -8, -6, apart ? own0 : common0, n, 4, 4, k % 2 * 8,
                          k / 2 * 8, 8, 8);
            e[1] = search(&b, &ref1, &frame, -2, -10, apart ? own1 : common1, n, 4, 4, k % 2 * 8,
                          k / 2 * 8, 8, 8);
            unsigned d = e[1].cost < e[0].cost;
            assert_int_equal(b.w0.submbpredmode >> 2 * k & 3, d);
            assert_int_equal(mv_x(b.out[1][2 * k + (int)d]), 4 * e[d].x);
            assert_int_equal(mv_y(b.out[1][2 * k + (int)d]), 4 * e[d].y);
            assert_int_equal(b.out[1][2 * k + !d], 0);
         }
      }
}

/* 16x8 and 8x8 sources: larger units, other search points. */
static void
test_small_sources(void **state)
{
   proves("VME-048", "VME-056", "VME-207", "VME-239", "VME-240", "VME-063");
   struct vme_stand *s = *state;
   const struct view frame = {0, 0, 0};
   for (uint32_t seed = 1; seed < 5; seed++)
      for (unsigned eight = 0; eight < 2; eight++) {
         struct bench b;
         pictures(s, seed);
         plain(&b);
         b.f.m0.srcsize = eight ? 3 : 1;
         b.f.m0.submbpartmask = eight ? 0x77 : 0x7d;
         b.f.m0.refwidth = 36; /* 20 or 28 points: the last unit sticks out by 4 */
         b.f.m0.refheight = 28;
         b.f.m1.start0x = 3; /* the unit of columns 8 to 15 */
         b.f.m1.lensp = b.f.m1.maxnumsu = 4;
         request_path(&b.q, (const uint8_t[]){0x0f, 0x10, 0x02}, 3);
         run(s, &b);
         int su_h = eight ? 8 : 4, points = eight ? 28 : 20;
         /* (3,0): unit 1; (2,0): the same; (2,1): unit 1 of row 1 (8x4) or the same (8x8); (4,1).
          */
         uint8_t units[3][2] = {{1, 0}, {1, 1}, {2, 1}};
         unsigned n = 3;
         if (eight) {
            memcpy(units, (const uint8_t[]){1, 0, 2, 0}, 4);
            n = 2;
         }
         assert_int_equal(b.w0.search_path_length, n);
         struct best best = {1 << 20, 0, 0};
         for (unsigned u = 0; u < n; u++)
            for (int i = 0; i < 8 * su_h; i++) {
               int x = units[u][0] * 8 + i % 8, y = units[u][1] * su_h + i / 8;
               if (x >= points || y >= 28 - 8)
                  continue;
               int d = distortion(&b, &ref, &frame, 0, 0, eight ? 8 : 16, 8, x - 16, y - 12);
               if (d < best.cost)
                  best = (struct best){d, x - 16, y - 12};
            }
         assert_int_equal(b.out[5][0] & 0xffff, best.cost);
         assert_int_equal(mv_x(b.out[1][0]), 4 * best.x);
         assert_int_equal(mv_y(b.out[1][0]), 4 * best.y);
         /* Outside only where no place is left: columns 24 on of the 16x8's 20. */
         request_path(&b.q, (const uint8_t[]){0x03}, 1);
         b.f.m1.lensp = b.f.m1.maxnumsu = 2;
         run(s, &b);
         assert_int_equal(b.w0.search_path_length, eight ? 2 : 1);
      }
}

static void
test_fields_and_tiles(void **state)
{
   proves("VME-193", "VME-234", "VME-235", "VME-250", "VME-251", "VME-252", "VME-241", "VME-190",
          "VME-394", "VME-192");
   struct vme_stand *s = *state;
   uint8_t units[48][2];
   all_units(units, 8, 6);
   for (unsigned i = 0; i < 12; i++) {
      static const unsigned tilings[3] = {STAND_LINEAR, STAND_TILE_X, STAND_TILE_Y};
      struct bench b;
      const struct view v = {i / 3 % 2 || i > 8, (int)(i & 1), (int)(i >> 1 & 1)};
      s->tiling = tilings[i % 3];
      pictures(s, 1);
      plain(&b);
      b.f.m0.submbpartmask = 0x7e;
      b.f.m0.srcaccess = b.f.m0.refaccess = (unsigned)v.field;
      b.f.m1.srcfieldpolarity = (unsigned)v.src_polarity;
      b.f.m1.ref0fieldpolarity = (unsigned)v.ref_polarity;
      b.f.m0.srcx = i % 2 ? 144 : 0; /* windows over the edges */
      b.f.m0.srcy = v.field ? 48 : 112;
      run(s, &b);
      struct best e =
          search(&b, &ref, &v, -16, -12, (const uint8_t(*)[2])units, 48, 4, 4, 0, 0, 16, 16);
      assert_int_equal(b.out[5][0] & 0xffff, e.cost < 0x3fff ? e.cost : 0x3fff);
      assert_int_equal(mv_x(b.out[1][0]), 4 * e.x);
      assert_int_equal(mv_y(b.out[1][0]), 4 * e.y);
      assert_int_equal(b.w0.fieldmbflag, v.field);
   }
   s->tiling = STAND_LINEAR;
}

/* A smooth hill: from the start the walk goes to the match, unit by unit. */
static void
test_adaptive(void **state)
{
   proves("VME-059", "VME-061", "VME-065", "VME-279", "VME-281", "VME-379", "VME-382", "VME-273");
   struct vme_stand *s = *state;
   struct bench b;
   stand_forget(s);
   for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) {
         source_px[y * W + x] = (uint8_t)(40 + x + y / 2);
         ref_px[y * W + x] = (uint8_t)(40 + (x - 10) + y / 2); /* the match lies ten to the right */
      }
   plain(&b);
   b.f.m0.submbpartmask = 0x7e;
   b.f.m1.start0x = 1;
   b.f.m1.start0y = 3;
   b.f.m1.lensp = 2;
   request_path(&b.q, (const uint8_t[]){0x01}, 1);
   run(s, &b); /* not adaptive: two units, columns -12 to -5 */
   assert_int_equal(b.w0.search_path_length, 2);
   b.f.m1.adaptiveen = true;
   b.f.m1.adaptivevalidationcontrol = true;
   run(s, &b);
   /* On a ramp of slope (1, 1/2) places (10 - d, 2 d) match as well; the first unit with one ends
    * it. */
   assert_int_equal(b.w0.interdistortion, 0);
   unsigned waiting = b.w0.search_path_length;
   assert_true(waiting > 2 && waiting < 20);
   b.f.m1.adaptivevalidationcontrol = false; /* the choice is a step behind: no fewer units */
   run(s, &b);
   assert_int_equal(b.w0.interdistortion, 0);
   assert_true(b.w0.search_path_length >= waiting);
   b.f.m1.maxnumsu = 3;
   run(s, &b);
   assert_int_equal(b.w0.search_path_length, 3);
   b.f.m1.maxnumsu = 2; /* the fixed path only */
   run(s, &b);
   assert_int_equal(b.w0.search_path_length, 2);
   /* A match in the interior of its unit ends the walk. */
   b.f.m1.maxnumsu = 48;
   b.f.m1.adaptivevalidationcontrol = true;
   b.f.m1.start0x = 6; /* columns 8 to 11: 10 is interior */
   b.f.m1.start0y = 3;
   picture_random(ref_px, W, H, 9);
   for (int i = 0; i < W * H; i++) /* no other place is as good */
      source_px[i] = (uint8_t)at(&ref, i % W + 10, i / W + 1, 0, 0);
   stand_forget(s);
   request_path(&b.q, (const uint8_t[]){0x01}, 1);
   b.f.m1.lensp = 1; /* VME-302 wants two; the walk itself does not mind */
   b.f.m0.srcx = 64;
   b.f.m0.srcy = 48;
   run(s, &b);
   assert_int_equal(b.w0.search_path_length, 1);
   assert_int_equal(mv_x(b.out[1][0]), 40);
   assert_int_equal(mv_y(b.out[1][0]), 4);
   s->rule_count = 0;
}

/* Stream-out, then stream-in: two calls over halves of a window find what one call does. */
static void
test_carried_records(void **state)
{
   proves("VME-166", "VME-167", "VME-170", "VME-171", "VME-195", "VME-196");
   struct vme_stand *s = *state;
   for (uint32_t seed = 1; seed < 9; seed++)
      for (unsigned dual = 0; dual < 2; dual++) {
         struct bench whole, first, second;
         pictures(s, seed);
         plain(&whole);
         if (dual) {
            whole.f.m0.searchctrl = 7;
            whole.f.m0.ref1x = -16;
            whole.f.m0.ref1y = -12;
         }
         whole.f.m0.submbpartmask = 0x70; /* carried are the major shapes */
         whole.f.m1.bisubmbpartmask = 15;
         first = second = whole;
         run(s, &whole);
         first.f.m1.lensp = first.f.m1.maxnumsu = 24;
         first.q.descriptor |= VME_STREAM_OUT;
         run(s, &first);
         second.f.m1.start0y = second.f.m1.start1y = 3;
         second.f.m1.lensp = second.f.m1.maxnumsu = 24;
         second.q.descriptor |= VME_STREAM_IN | VME_STREAM_OUT;
         memcpy(second.q.in[5], first.out[6], 4 * 32);
         /* The second half goes on as the serpentine does: its rows begin where the first ended. */
         run(s, &second);
         assert_int_equal(second.w0.interdistortion, whole.w0.interdistortion);
         assert_int_equal(second.w0.mbtype, whole.w0.mbtype);
         for (unsigned i = 0; i < 8; i++)
            assert_int_equal(second.out[5][i], whole.out[5][i]);
         s->rule_count = 0;
      }
}

/* A picture that has moved moves the vectors. */
static void
test_moved_picture(void **state)
{
   struct vme_stand *s = *state;
   for (int i = 0; i < 12; i++) {
      struct bench b;
      int dx = i * 7 % 15 - 7, dy = i * 5 % 13 - 6;
      stand_forget(s);
      picture_natural(source_px, W, H, 0, 0, 77);
      picture_natural(ref_px, W, H, -4 * dx, -4 * dy, 77);
      plain(&b);
      run(s, &b);
      assert_int_equal(b.w0.interdistortion, 0);
      assert_int_equal(mv_x(b.out[1][0]), 4 * dx);
      assert_int_equal(mv_y(b.out[1][0]), 4 * dy);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       STAND_TEST(test_open_driver_vectors), STAND_TEST(test_whole_window),
       STAND_TEST(test_costs_count),         STAND_TEST(test_fixed_path),
       STAND_TEST(test_two_starts),          STAND_TEST(test_two_records),
       STAND_TEST(test_two_references),      STAND_TEST(test_small_sources),
       STAND_TEST(test_fields_and_tiles),    STAND_TEST(test_adaptive),
       STAND_TEST(test_carried_records),     STAND_TEST(test_moved_picture),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
