/* Random legal requests: whatever was decided, the reported costs are those of the reported
 * vectors, and the masks and limits of the request are kept. */
#include "tests/proves.h"
#include "tests/vme/stand.h"

#include <stdio.h>
#include <stdlib.h>

#define W 96
#define H 96

static uint8_t px[3][W * H];

static uint32_t
next(uint32_t *seed)
{
   *seed = *seed * 1664525u + 1013904223u;
   return *seed >> 8;
}
#define PICK(...)                                                                                  \
   ((const unsigned[]){                                                                            \
       __VA_ARGS__}[next(seed) % (sizeof((const unsigned[]){__VA_ARGS__}) / sizeof(unsigned))])

struct bench {
   struct vme_request q;
   struct request_fields f;
   uint32_t out[10][8];
   struct hw_vme_w0 w0;
   int src_w, src_h;
};

static void
make_pictures(struct vme_stand *s, unsigned kind, uint32_t seed)
{
   for (unsigned i = 0; i < 3; i++) {
      if (kind == 0)
         picture_random(px[i], W, H, seed + i);
      else
         picture_natural(px[i], W, H, (int)i * 13 - 7, (int)i * -9, seed);
      for (unsigned k = 0; k < W * H; k++) {
         if (kind == 2)
            px[i][k] = px[i][k] & 64 ? 255 : 0;
         else if (kind == 1)
            px[i][k] = (uint8_t)(px[i][k] ^ (k * 2654435761u >> 29));
      }
   }
   stand_forget(s);
}

static void
make(struct bench *b, uint32_t *seed)
{
   struct vme_picture p[3] = {{W, H, px[0]}, {W, H, px[1]}, {W, H, px[2]}};
   struct request_fields *f = &b->f;
   request_plain(&b->q, &p[0], &p[1], 0, 0);
   b->q.reference[1] = p[2];
   request_get(&b->q, f);
   bool field = next(seed) % 4 == 0;
   f->m0.srcsize = PICK(0, 0, 0, 1, 3);
   b->src_w = f->m0.srcsize == 3 ? 8 : 16;
   b->src_h = f->m0.srcsize ? 8 : 16;
   f->m0.srcx = next(seed) % (W - 15);
   f->m0.srcy = next(seed) % ((field ? H / 2 : H) - 15) & ~1u;
   f->m0.srcaccess = f->m0.refaccess = field;
   f->m1.srcfieldpolarity = next(seed) & 1;
   f->m1.ref0fieldpolarity = next(seed) & 1;
   f->m1.ref1fieldpolarity = next(seed) & 1;
   f->m0.searchctrl = PICK(0, 1, 3, 7, 7, 7);
   bool dual = f->m0.searchctrl == 7;
   f->m0.refwidth = dual ? PICK(32, 28, 20, 40) : PICK(48, 40, 32, 20);
   f->m0.refheight = dual ? PICK(24, 20) : PICK(40, 32, 24);
   f->m0.ref0x = (int)(next(seed) % 24) - 20;
   f->m0.ref0y = ((int)(next(seed) % 20) - 16) & ~1;
   f->m0.ref1x = dual ? (int)(next(seed) % 24) - 20 : f->m0.ref0x;
   f->m0.ref1y = dual ? ((int)(next(seed) % 20) - 16) & ~1 : f->m0.ref0y;
   f->m0.dual_search_path_option = next(seed) & 1;
   f->m0.subpelmode = PICK(0, 1, 3, 3);
   f->m0.intersad = PICK(0, 0, 2);
   f->m0.submbpartmask = next(seed) % 3 ? next(seed) & 0x7f : 0;
   f->m1.bilinearenable = next(seed) % 4 == 0;
   f->m1.mvcostscalefactor = next(seed) & 3;
   f->m1.costcenter0x = (int)(next(seed) % 80) - 40;
   f->m1.costcenter0y = (int)(next(seed) % 80) - 40;
   f->m1.costcenter1x = dual ? (int)(next(seed) % 80) - 40 : f->m1.costcenter0x;
   f->m1.costcenter1y = dual ? (int)(next(seed) % 80) - 40 : f->m1.costcenter0y;
   f->m1.lensp = 1 + next(seed) % 12;
   f->m1.maxnumsu = 1 + next(seed) % 30;
   f->m1.adaptiveen = next(seed) & 1;
   f->m1.adaptivevalidationcontrol = next(seed) & 1;
   f->m1.maxnummvs = PICK(32, 32, 16, 8, 5, 4, 2, 1, 12);
   f->m1.reparten = next(seed) % 3 == 0;
   f->m1.partcandidateen = !f->m0.srcsize && next(seed) % 3 == 0;
   f->m1.parttolerancethrhd = next(seed) & 0x7f;
   f->m1.bisubmbpartmask = next(seed) & 15;
   f->m1.biweight = PICK(16, 21, 32, 43, 48);
   f->m1.unimixdisable = dual && next(seed) % 4 == 0;
   f->m1.bimixdis = next(seed) % 4 == 0;
   f->m1.fbprunen = dual && next(seed) % 4 == 0;
   f->m1.fbprunthrhd = next(seed) & 0x1f;
   f->m1.earlysuccessen = next(seed) & 1;
   f->m1.earlyimesuccessen = next(seed) & 1;
   f->m1.quitinteren = next(seed) % 4 == 0;
   f->m1.earlyimestop = next(seed) % 3 ? 0 : next(seed) & 0x7f;
   f->m1.imetoogood = next(seed) % 3 ? 0 : next(seed) & 0x7f;
   f->m1.imetoobad = next(seed) & 0xff;
   f->m1.earlyfmesuccess = next(seed) % 3 ? 0 : next(seed) & 0x7f;
   for (unsigned i = 0; i < 40; i++)
      b->q.state[i] = (uint8_t)PICK(0x01, 0x10, 0x0f, 0xf0, 0x11, 0x02, 0xff);
   for (unsigned i = 0; i < 8; i++) {
      b->q.state[64 + i] = next(seed) & 0x3f;
      b->q.state[72 + i] = next(seed) & 0x2f;
   }
   b->q.state[56] = next(seed) & 0x3f;
   b->q.state[57] = (uint8_t)(next(seed) % 2 ? next(seed) & 0xbf : 0);
}

/* ---- the costs of an answer, from its vectors ---- */

static int
u4u4(unsigned byte)
{
   return (int)((byte & 15) << (byte >> 4));
}

static int
clamp(int v, int size)
{
   return v < 0 ? 0 : v >= size ? size - 1 : v;
}

static int
fetch(const uint8_t *p, int x, int y, bool field, unsigned polarity)
{
   y = clamp(y, field ? H / 2 : H);
   return p[(field ? 2 * y + (int)polarity : y) * W + clamp(x, W)];
}

static int
tap(const int p[4], int q, bool bilinear)
{
   static const int8_t taps[2][4][5] = {
       {{0, 1, 0, 0, 0}, {-1, 13, 5, -1, 4}, {-1, 5, 5, -1, 3}, {-1, 5, 13, -1, 4}},
       {{0, 1, 0, 0, 0}, {0, 3, 1, 0, 2}, {0, 1, 1, 0, 1}, {0, 1, 3, 0, 2}}};
   const int8_t *t = taps[bilinear][q];
   int v = (t[0] * p[0] + t[1] * p[1] + t[2] * p[2] + t[3] * p[3] + (1 << t[4] >> 1)) >> t[4];
   return v < 0 ? 0 : v > 255 ? 255 : v;
}

/* A sample of reference r at a place in quarter pixels from its window; the window's edge is
 * repeated. */
static int
sample(const struct bench *b, unsigned r, int x4, int y4)
{
   const struct hw_vme_m0 *m0 = &b->f.m0;
   int ox = (int)m0->srcx + (r ? m0->ref1x : m0->ref0x),
       oy = (int)m0->srcy + (r ? m0->ref1y : m0->ref0y), column[4];
   unsigned polarity = r ? b->f.m1.ref1fieldpolarity : b->f.m1.ref0fieldpolarity;
   for (int j = 0; j < 4; j++) {
      int row[4];
      for (int i = 0; i < 4; i++)
         row[i] = fetch(px[1 + r], ox + clamp((x4 >> 2) - 1 + i, (int)m0->refwidth),
                        oy + clamp((y4 >> 2) - 1 + j, (int)m0->refheight), m0->refaccess, polarity);
      column[j] = tap(row, x4 & 3, b->f.m1.bilinearenable);
   }
   return tap(column, y4 & 3, b->f.m1.bilinearenable);
}

static int
cell_cost(const int d[16], bool haar)
{
   int sum = 0, t[8], s[4];
   for (int i = 0; i < 16; i++)
      sum += abs(d[i]);
   if (!haar)
      return sum / 2;
   sum = 0;
   for (int i = 0; i < 8; i++) {
      t[i] = d[2 * i] + d[2 * i + 1];
      sum += abs(d[2 * i] - d[2 * i + 1]);
   }
   for (int i = 0; i < 4; i++) {
      int a = t[(i & 1) + (i & 2) * 2], c = t[(i & 1) + (i & 2) * 2 + 2];
      s[i] = a + c;
      sum += abs(a - c);
   }
   sum += abs(s[0] - s[1]) + abs(s[2] - s[3]) + abs(s[0] + s[1] + s[2] + s[3]) +
          abs(s[0] + s[1] - s[2] - s[3]);
   return sum / 2;
}

static int
component_cost(const struct bench *b, int distance)
{
   int d = abs(distance) >> b->f.m1.mvcostscalefactor, low = 0, high = 1, i = 0;
   const uint8_t *lut = b->q.state + 72;
   if (d > 64) {
      int c = u4u4(lut[7]) + d - 64;
      return c < 1023 ? c : 1023;
   }
   while (high <= d && i < 7) {
      low = high;
      high = i ? high * 2 : 2;
      i++;
   }
   if (d == low)
      return u4u4(lut[i]);
   int rise = (u4u4(lut[i + 1]) - u4u4(lut[i])) * (d - low), run = high - low;
   return u4u4(lut[i]) + (rise >= 0 ? rise / run : -((-rise + run - 1) / run));
}

static int
vector_cost(const struct bench *b, unsigned r, uint32_t mv)
{
   const struct hw_vme_m1 *m1 = &b->f.m1;
   return component_cost(b, mv_x(mv) - (r ? m1->costcenter1x : m1->costcenter0x)) +
          component_cost(b, mv_y(mv) - (r ? m1->costcenter1y : m1->costcenter0y));
}

/* Without the shape's penalty. */
static int
part_cost(const struct bench *b, int bx, int by, int w, int h, unsigned direction,
          const uint32_t mv[2])
{
   const struct hw_vme_m0 *m0 = &b->f.m0;
   int sum = 0, alpha = (int)b->f.m1.biweight;
   for (int cy = by; cy < by + h; cy += 4)
      for (int cx = bx; cx < bx + w; cx += 4) {
         int d[16];
         for (int i = 0; i < 16; i++) {
            int x = cx + i % 4, y = cy + i / 4, p[2] = {0, 0};
            for (unsigned r = 0; r < 2; r++)
               if (direction == 2 || direction == r)
                  p[r] = sample(b, r, 4 * (x - (r ? m0->ref1x : m0->ref0x)) + mv_x(mv[r]),
                                4 * (y - (r ? m0->ref1y : m0->ref0y)) + mv_y(mv[r]));
            int pred =
                direction == 2 ? ((64 - alpha) * p[0] + alpha * p[1] + 32) >> 6 : p[direction];
            d[i] = pred - fetch(px[0], (int)m0->srcx + x, (int)m0->srcy + y, m0->srcaccess,
                                b->f.m1.srcfieldpolarity);
         }
         sum += cell_cost(d, m0->intersad == 2);
      }
   for (unsigned r = 0; r < 2; r++)
      if (direction == 2 || direction == r)
         sum += vector_cost(b, r, mv[r]);
   unsigned bias = b->q.state[57];
   if (direction != 2 && (bias >> 7 ? direction == 0 : direction == 1))
      sum += (int)((bias & 15) << (bias >> 4 & 7));
   return sum;
}

struct tally {
   int total;
   unsigned vectors, directions;
};

static void
check_part(const struct bench *b, struct tally *t, unsigned slot, int x, int y, int w, int h,
           unsigned direction)
{
   const uint32_t *mv = &b->out[1 + slot / 4][2 * (slot % 4)];
   int cost = part_cost(b, x, y, w, h, direction, mv);
   assert_int_equal(b->out[5][slot / 2] >> 16 * (slot % 2) & 0xffff, cost < 0x3fff ? cost : 0x3fff);
   for (unsigned r = 0; r < 2; r++)
      if (direction != 2 && direction != r)
         assert_int_equal(mv[r], 0);
   t->total += cost;
   t->vectors += direction == 2 ? 2 : 1;
   t->directions |= 1u << direction;
}

static void
check_answer(const struct bench *b)
{
   const struct hw_vme_m0 *m0 = &b->f.m0;
   const struct hw_vme_m1 *m1 = &b->f.m1;
   const uint8_t *lut = b->q.state + 64;
   struct tally t = {0};
   unsigned mode = b->w0.intermbmode;
   if (b->w0.intrambflag) { /* nothing was found */
      assert_int_equal(b->w0.minimal_distortion, 0x3fff);
      return;
   }
   if (mode < 3) {
      assert_false(m0->submbpartmask >> mode & 1);
      int w = mode == 2 ? 8 : 16, h = mode == 1 ? 8 : 16;
      unsigned parts = mode && b->src_h == 16 ? 2 : 1;
      for (unsigned i = 0; i < parts; i++)
         check_part(b, &t, mode == 1 ? 2 * i : i, mode == 2 ? 8 * (int)i : 0,
                    mode == 1 ? 8 * (int)i : 0, w, h, b->w0.submbpredmode >> 2 * i & 3);
      t.total += u4u4(mode ? lut[4] : b->q.state[56]);
   } else {
      for (unsigned k = 0; k < (unsigned)(b->src_w * b->src_h / 64); k++) {
         unsigned shape = b->w0.submbshape >> 2 * k & 3, n = shape == 0 ? 1 : shape == 3 ? 4 : 2;
         assert_false(m0->submbpartmask >> (3 + shape) & 1);
         for (unsigned i = 0; i < n; i++) {
            unsigned dx = shape == 2 || shape == 3 ? i & 1 : 0, dy = shape == 1   ? i
                                                                     : shape == 3 ? i >> 1
                                                                                  : 0;
            unsigned slot = b->w0.mvsize == 6 ? 4 * k + dx + 2 * dy : k;
            check_part(b, &t, slot, (int)(k % 2 * 8 + 4 * dx), (int)(k / 2 * 8 + 4 * dy),
                       shape >= 2 ? 4 : 8, shape & 1 ? 4 : 8, b->w0.submbpredmode >> 2 * k & 3);
         }
         t.total += u4u4(lut[shape == 0 ? 5 : shape == 3 ? 7 : 6]);
      }
   }
   assert_int_equal(b->w0.interdistortion, t.total < 0x3fff ? t.total : 0x3fff);
   assert_int_equal(b->w0.minimal_distortion, b->w0.interdistortion);
   assert_int_equal(b->w0.mvquantity, t.vectors & 31);
   if (!m0->srcsize)
      assert_true(t.vectors <= m1->maxnummvs);
   if (m1->unimixdisable)
      assert_int_not_equal(t.directions & 3, 3);
   if (m1->bimixdis)
      assert_true(!(t.directions & 4) || t.directions == 4);
   if (m0->searchctrl != 7)
      assert_int_equal(t.directions, 1);
}

static void
test_costs_are_those_of_the_vectors(void **state)
{
   proves("VME-067", "VME-084", "VME-120", "VME-148", "VME-150", "VME-155", "VME-282", "VME-288",
          "VME-300", "VME-341");
   struct vme_stand *s = *state;
   const char *given = getenv("PERGOLA_SEED"), *many = getenv("PERGOLA_VME_REQUESTS");
   uint32_t first = given ? (uint32_t)strtoul(given, NULL, 0) : 1, seed = first;
   unsigned count = many ? (unsigned)strtoul(many, NULL, 0) : 10000, found = 0, both = 0, minor = 0;
   for (unsigned i = 0; i < count; i++) {
      struct bench b;
      if (i % 500 == 0)
         make_pictures(s, i / 500 % 3, first + i);
      uint32_t mine = seed;
      make(&b, &seed);
      request_put(&b.q, &b.f);
      vme_model_run(s, &b.q, b.out);
      gen7_vme_w0_unpack(&b.w0, b.out[0]);
      if (i == 0 || given)
         print_message("# seed %u, request %u from %u\n", first, i, mine);
      check_answer(&b);
      found += !b.w0.intrambflag;
      both += b.w0.bme_improved;
      minor += b.w0.mvsize == 6;
      s->rule_count = 0;
   }
   print_message("# %u of %u found something, %u became bidirectional, %u have minor shapes\n",
                 found, count, both, minor);
   assert_true(found > count / 2 && both > count / 40 && minor > count / 40);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       STAND_TEST(test_costs_are_those_of_the_vectors),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
