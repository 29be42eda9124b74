/* The tessellator: places of the factors, their bounds, and what every tessellation must have: the
 * triangles cover the patch once, neighbours share whole edges, and an edge depends on its own
 * factor alone. Point and index lists are compared with an independent model elsewhere. */
#include "render/te/te.h"
#include "tests/proves.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct te_output out;

static bool
run(enum te_domain domain, enum te_partitioning mode, enum te_topology topology,
    const float *factor, unsigned count)
{
   struct te_state s = {domain, mode, topology, 63, 64};
   uint32_t header[8] = {0};
   for (unsigned i = 0; i < count; i++)
      memcpy(&header[7 - i], &factor[i], 4);
   return te_tessellate(&s, header, &out);
}

static uint32_t seed;

static uint32_t
next_random(void)
{
   seed = seed * 1664525 + 1013904223;
   return seed >> 8;
}

/* Whole, just beside whole, and any; below and above the bounds. */
static float
random_factor(void)
{
   float whole = (float)(next_random() % 66);
   switch (next_random() % 4) {
   case 0:
      return whole < 1 ? 1 : whole;
   case 1:
      return whole + 1.0f / 65536;
   case 2:
      return (float)(next_random() % 8000 + 1) / 1000;
   default:
      return (float)(next_random() % 70000 + 1) / 1000;
   }
}

/* Twice the signed area, in squares of 2^-16. */
static int64_t
area(unsigned a, unsigned b, unsigned c)
{
   const struct te_point *p = out.point;
   int64_t ux = (int64_t)p[b].u - p[a].u, uy = (int64_t)p[b].v - p[a].v;
   int64_t vx = (int64_t)p[c].u - p[a].u, vy = (int64_t)p[c].v - p[a].v;
   return ux * vy - uy * vx;
}

static bool
on_border(enum te_domain domain, unsigned a, unsigned b)
{
   const struct te_point *p = &out.point[a], *q = &out.point[b];
   if ((!p->u && !q->u) || (!p->v && !q->v))
      return true;
   if (domain == TE_TRI)
      return p->u + p->v == TE_ONE && q->u + q->v == TE_ONE;
   return (p->u == TE_ONE && q->u == TE_ONE) || (p->v == TE_ONE && q->v == TE_ONE);
}

#define DEGREE 272u /* a centre may meet the points of all four edges */
static int8_t balance[TE_MAX_POINTS]
                     [DEGREE]; /* edges from a point: how often forth less how often back */
static uint16_t other[TE_MAX_POINTS][DEGREE];
static uint16_t others[TE_MAX_POINTS];

static void
count_edge(unsigned a, unsigned b)
{
   unsigned low = a < b ? a : b, high = a < b ? b : a, i = 0;
   while (i < others[low] && other[low][i] != high)
      i++;
   if (i == others[low]) {
      assert_true(i < DEGREE);
      other[low][i] = (uint16_t)high;
      balance[low][i] = 0;
      others[low]++;
   }
   balance[low][i] += a < b ? 1 : -1;
}

static void
covers_once(enum te_domain domain)
{
   int64_t sum = 0, whole = (int64_t)TE_ONE * TE_ONE * (domain == TE_QUAD ? 2 : 1);
   memset(others, 0, sizeof(others));
   for (unsigned i = 0; i < out.indices; i += 3) {
      const uint16_t *t = &out.index[i];
      assert_true(t[0] < out.points && t[1] < out.points && t[2] < out.points);
      /* A place is a multiple of a rounded reciprocal: up to 32 half units off, which may turn
       * the thinnest triangles over, but none by more. */
      assert_true(area(t[0], t[1], t[2]) >= -(int64_t)(32 * TE_ONE));
      sum += area(t[0], t[1], t[2]);
      for (unsigned k = 0; k < 3; k++)
         count_edge(t[k], t[(k + 1) % 3]);
   }
   assert_int_equal(sum, whole);
   for (unsigned p = 0; p < out.points; p++)
      for (unsigned i = 0; i < others[p]; i++)
         if (!on_border(domain, p, other[p][i]))
            assert_int_equal(balance[p][i], 0);
}

static void
triangles_cover_the_patch_once(void **state)
{
   proves("P3D-117", "P3D-118", "P3D-120", "P3D-121", "P3D-122");
   for (seed = 1; seed < 900000; seed += 300) {
      uint32_t start = seed;
      enum te_domain domain = next_random() & 1 ? TE_TRI : TE_QUAD;
      enum te_partitioning mode = (enum te_partitioning)(next_random() % 3);
      float f[6];
      for (unsigned i = 0; i < 6; i++)
         f[i] = random_factor();
      assert_true(run(domain, mode, TE_TRI_CW, f, 6));
      covers_once(domain);
      seed = start;
   }
}

static unsigned
edge_points(uint32_t list[70])
{
   unsigned n = 0;
   for (unsigned i = 0; i < out.points && out.point[i].u == 0; i++)
      list[n++] = out.point[i].v;
   return n;
}

static void
an_edge_depends_on_its_own_factor(void **state)
{
   proves("P3D-125");
   for (seed = 1; seed < 300000; seed += 300) {
      uint32_t start = seed, one[70], two[70];
      enum te_partitioning mode = (enum te_partitioning)(next_random() % 3);
      float shared = random_factor(), f[6], g[6];
      for (unsigned i = 0; i < 6; i++) {
         f[i] = random_factor();
         g[i] = random_factor();
      }
      f[0] = g[0] = shared;
      f[1] = g[1] = f[2] = g[2] = 3; /* no patch of the minimum */
      assert_true(run(TE_QUAD, mode, TE_TRI_CW, f, 6));
      unsigned n = edge_points(one);
      assert_true(run(TE_TRI, mode, TE_TRI_CW, g, 4));
      assert_int_equal(edge_points(two), n);
      assert_memory_equal(one, two, n * sizeof(one[0]));
      for (unsigned i = 0; i < n; i++) /* the same seen from the other side */
         assert_int_equal(one[i] + one[n - 1 - i], TE_ONE);
      seed = start;
   }
}

static void
points_are(const uint32_t (*p)[2], unsigned count)
{
   assert_int_equal(out.points, count);
   for (unsigned i = 0; i < count; i++) {
      assert_int_equal(out.point[i].u, p[i][0]);
      assert_int_equal(out.point[i].v, p[i][1]);
   }
}

static void
minimum_tessellation(void **state)
{
   proves("P3D-115", "P3D-124");
   static const float ones[6] = {1, 1, 1, 1, 1, 1};
   static const uint32_t quad[][2] = {{0, 0}, {TE_ONE, 0}, {TE_ONE, TE_ONE}, {0, TE_ONE}};
   static const uint32_t tri[][2] = {{0, TE_ONE}, {0, 0}, {TE_ONE, 0}};
   static const uint16_t cw[] = {0, 1, 3, 1, 2, 3}, ccw[] = {0, 3, 1, 1, 3, 2};
   for (unsigned mode = TE_INTEGER; mode <= TE_ODD; mode++) {
      assert_true(run(TE_QUAD, mode, TE_TRI_CW, ones, 6));
      points_are(quad, 4);
      assert_int_equal(out.indices, 6);
      assert_memory_equal(out.index, cw, sizeof(cw));
      assert_true(run(TE_QUAD, mode, TE_TRI_CCW, ones, 6));
      assert_memory_equal(out.index, ccw, sizeof(ccw));
      assert_true(run(TE_TRI, mode, TE_TRI_CW, ones, 4));
      points_are(tri, 3);
      assert_int_equal(out.indices, 3);
   }
   assert_true(run(TE_QUAD, TE_EVEN, TE_TRI_CW, ones, 6)); /* clamped to two */
   assert_int_equal(out.points, 9);
   assert_true(run(TE_QUAD, TE_EVEN, TE_POINTS, ones, 6));
   assert_int_equal(out.indices, 9);
   for (unsigned i = 0; i < 9; i++)
      assert_int_equal(out.index[i], i);
   assert_true(run(TE_TRI, TE_EVEN, TE_LINES, ones, 4));
   assert_int_equal(out.indices, out.points);
}

static unsigned
count_points(bool (*on)(const struct te_point *))
{
   unsigned n = 0;
   for (unsigned i = 0; i < out.points; i++)
      n += on(&out.point[i]);
   return n;
}
static bool
u_is_0(const struct te_point *p)
{
   return p->u == 0;
}
static bool
v_is_0(const struct te_point *p)
{
   return p->v == 0;
}
static bool
u_is_1(const struct te_point *p)
{
   return p->u == TE_ONE;
}
static bool
v_is_1(const struct te_point *p)
{
   return p->v == TE_ONE;
}
static bool
w_is_0(const struct te_point *p)
{
   return p->u + p->v == TE_ONE;
}

static void
places_of_the_factors(void **state)
{
   proves("P3D-109", "P3D-112", "P3D-119");
   const float f[6] = {3, 4, 5, 6, 7, 9};
   assert_true(run(TE_QUAD, TE_INTEGER, TE_TRI_CW, f, 6));
   assert_int_equal(count_points(u_is_0), 4);
   assert_int_equal(count_points(v_is_0), 5);
   assert_int_equal(count_points(u_is_1), 6);
   assert_int_equal(count_points(v_is_1), 7);
   assert_int_equal(out.points, 3 + 4 + 5 + 6 + 6 * 8); /* inside: 7 and 9 segments */
   assert_true(run(TE_TRI, TE_INTEGER, TE_TRI_CW, f, 4));
   assert_int_equal(count_points(u_is_0), 4);
   assert_int_equal(count_points(v_is_0), 5);
   assert_int_equal(count_points(w_is_0), 6);
   const float rounded[6] = {2.5f, 3.25f, 4.0001f, 5.5f, 6.5f, 8.5f};
   struct te_output *before = malloc(sizeof(*before));
   assert_true(run(TE_QUAD, TE_INTEGER, TE_TRI_CW, f, 6));
   memcpy(before, &out, sizeof(out));
   assert_true(run(TE_QUAD, TE_INTEGER, TE_TRI_CW, rounded, 6));
   assert_int_equal(out.points, before->points);
   assert_memory_equal(out.point, before->point, out.points * sizeof(out.point[0]));
   free(before);
   const float lines[2] = {2, 3}; /* detail, density */
   assert_true(run(TE_ISOLINE, TE_INTEGER, TE_LINES, lines, 2));
   static const uint32_t p[][2] = {{0, 0},      {0x8000, 0},      {TE_ONE, 0},
                                   {0, 0x5555}, {0x8000, 0x5555}, {TE_ONE, 0x5555},
                                   {0, 0xaaab}, {0x8000, 0xaaab}, {TE_ONE, 0xaaab}};
   static const uint16_t segments[] = {0, 1, 1, 2, 3, 4, 4, 5, 6, 7, 7, 8};
   points_are(p, 9);
   assert_int_equal(out.indices, 12);
   assert_memory_equal(out.index, segments, sizeof(segments));
}

static void
culled_patches(void **state)
{
   proves("P3D-110");
   static const float bad[] = {0, -0.0f, -3, NAN, -INFINITY};
   for (unsigned k = 0; k < sizeof(bad) / sizeof(bad[0]); k++)
      for (unsigned i = 0; i < 6; i++) {
         float f[6] = {2, 2, 2, 2, 2, 2};
         f[i] = bad[k];
         for (unsigned mode = 0; mode < 3; mode++) {
            assert_int_equal(run(TE_QUAD, mode, TE_TRI_CW, f, 6), i >= 4);
            assert_int_equal(run(TE_TRI, mode, TE_TRI_CW, f, 4), i >= 3);
            assert_int_equal(run(TE_ISOLINE, mode, TE_LINES, f, 2), i >= 2);
         }
      }
}

static void
bounds_of_the_factors(void **state)
{
   proves("P3D-111");
   static const struct {
      enum te_partitioning mode;
      unsigned least, most;
   } rows[] = {{TE_INTEGER, 2, 65}, {TE_ODD, 2, 64}, {TE_EVEN, 3, 65}};
   for (unsigned i = 0; i < 3; i++) {
      const float small[4] = {0.001f, 3, 3, NAN}, large[4] = {1e30f, 3, 3, INFINITY};
      uint32_t list[70];
      assert_true(run(TE_TRI, rows[i].mode, TE_TRI_CW, small, 4));
      assert_int_equal(edge_points(list), rows[i].least);
      assert_true(run(TE_TRI, rows[i].mode, TE_TRI_CW, large, 4));
      assert_int_equal(edge_points(list), rows[i].most);
   }
   struct te_state s = {TE_TRI, TE_INTEGER, TE_TRI_CW, 63, 16};
   float f[4] = {64, 3, 3, 3};
   uint32_t header[8] = {0};
   for (unsigned i = 0; i < 4; i++)
      memcpy(&header[7 - i], &f[i], 4);
   assert_true(te_tessellate(&s, header, &out)); /* a smaller maximum of the state */
   assert_int_equal(count_points(u_is_0), 17);
   const float density[2] = {1, 1e9f};
   assert_true(run(TE_ISOLINE, TE_ODD, TE_LINES, density, 2));
   assert_int_equal(out.points, 2 * 64);
}

/* P3D-113: an inside factor of one beside a larger edge is a little more than one, so that there is
 * an inner ring. */
static void
frame_of_odd_patches(void **state)
{
   proves("P3D-113", "P3D-114", "P3D-116");
   const float framed[6] = {1, 1, 1, 1.0001f, 1, 1}, inside[6] = {1, 1, 1, 1, 1.5f, 1};
   const float almost[6] = {1, 1, 1, 1.0f + 1.0f / 262144, 1, 1};
   assert_true(run(TE_QUAD, TE_ODD, TE_TRI_CW, framed, 6));
   assert_int_equal(out.points, 6 + 4);
   assert_true(run(TE_QUAD, TE_ODD, TE_TRI_CW, inside, 6));
   assert_int_equal(out.points, 4 + 4);
   assert_true(run(TE_QUAD, TE_ODD, TE_TRI_CW, almost, 6)); /* rounds to one */
   assert_int_equal(out.points, 4);
   /* Places of an edge by hand: factor 3.5, between 3 and 5 segments (7.3). */
   const float edge[6] = {3.5f, 3, 3, 3, 3, 3};
   static const uint32_t v[] = {0x10000, 0xb333, 0xa667, 0x5999, 0x4ccd};
   assert_true(run(TE_QUAD, TE_ODD, TE_TRI_CW, edge, 6));
   for (unsigned i = 0; i < 5; i++)
      assert_int_equal(out.point[i].v, v[i]);
   /* Even, 2.5: between 2 and 4 segments; the midpoint is exactly a half. */
   const float even[6] = {2.5f, 2, 2, 2, 2, 2};
   static const uint32_t w[] = {0x10000, 0x9000, 0x8000, 0x7000};
   assert_true(run(TE_QUAD, TE_EVEN, TE_TRI_CW, even, 6));
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(out.point[i].v, w[i]);
}

/* Patches from standard input, a line each: domain, partitioning, topology and the header's dwords
 * 7 to 2 in hexadecimal. What comes out goes to test_te_model.py, which has a model of its own. */
static int
batch(void)
{
   unsigned domain, mode, topology;
   uint32_t header[8] = {0};
   while (scanf("%u %u %u %x %x %x %x %x %x", &domain, &mode, &topology, &header[7], &header[6],
                &header[5], &header[4], &header[3], &header[2]) == 9) {
      struct te_state s = {(enum te_domain)domain, (enum te_partitioning)mode,
                           (enum te_topology)topology, 63, 64};
      if (!te_tessellate(&s, header, &out)) {
         puts("culled");
         continue;
      }
      for (unsigned i = 0; i < out.points; i++)
         printf("%x,%x ", out.point[i].u, out.point[i].v);
      printf("|");
      for (unsigned i = 0; i < out.indices; i++)
         printf(" %u", out.index[i]);
      printf("\n");
   }
   return 0;
}

int
main(int argc, char **argv)
{
   if (argc > 1 && !strcmp(argv[1], "batch"))
      return batch();
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(triangles_cover_the_patch_once),
       cmocka_unit_test(an_edge_depends_on_its_own_factor),
       cmocka_unit_test(minimum_tessellation),
       cmocka_unit_test(places_of_the_factors),
       cmocka_unit_test(culled_patches),
       cmocka_unit_test(bounds_of_the_factors),
       cmocka_unit_test(frame_of_odd_patches),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
