/* The table of functions: the plain C one against numbers worked out by hand, the others against
 * the plain C one. */
#include "shared_functions/vme/vme.h"
#include "tests/proves.h"
#include "tests/vme/stand.h"

#include <stdio.h>
#include <stdlib.h>

static uint32_t
next(uint32_t *seed)
{
   *seed = *seed * 1664525u + 1013904223u;
   return *seed >> 8;
}

/* Random, flat, extreme. */
static void
fill(uint8_t *px, unsigned size, uint32_t *seed)
{
   unsigned kind = next(seed) % 4;
   for (unsigned i = 0; i < size; i++) {
      uint32_t r = next(seed);
      px[i] = kind == 0   ? (uint8_t)r
              : kind == 1 ? (uint8_t)(r & 1 ? 255 : 0)
              : kind == 2 ? 77
                          : (uint8_t)(i * 3 + r % 5);
   }
}

static void
test_sad_is_halved_by_4x4(void **state)
{
   proves("VME-118");
   uint8_t src[256] = {0}, ref[256] = {0};
   ref[0] = 5;  /* block 0: 5 >> 1 = 2 */
   ref[4] = 3;  /* block 1: 1 */
   ref[64] = 1; /* the block below: 0 */
   for (unsigned i = 0; i < 2; i++) {
      const struct vme_dsp *d = i ? vme_dsp_select() : &vme_dsp_c;
      assert_int_equal(d->distortion[0](src, ref, 16, 4, 4), 2);
      assert_int_equal(d->distortion[0](src, ref, 16, 8, 4), 3);
      assert_int_equal(d->distortion[0](src, ref, 16, 16, 16), 3);
      memset(ref + 128, 255, 128);
      assert_int_equal(d->distortion[0](src + 128, ref + 128, 16, 16, 8), 8 * 2040);
      memset(ref + 128, 0, 128);
   }
}

/* The coefficients of the matrix figure for chosen differences. */
static void
test_haar(void **state)
{
   proves("VME-110", "VME-111", "VME-112", "VME-113", "VME-114", "VME-115", "VME-116", "VME-117",
          "VME-119");
   static const struct {
      int16_t diff[16];
      uint32_t sum; /* of absolute coefficients */
   } cases[] = {
       /* flat: only the sum of all is there */
       {{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 16},
       /* one pixel: one coefficient of every level and place, twice at the last */
       {{9}, 9 * 5},
       /* left against right: h02 and h03 are 8 each, the level after that is 0 */
       {{1, 1, -1, -1, 1, 1, -1, -1, 1, 1, -1, -1, 1, 1, -1, -1}, 16},
       /* upper against lower: only h01, which a sum of columns would have put elsewhere */
       {{1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1, -1}, 16},
       /* columns in turn: eight first differences of 2 */
       {{1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1}, 16},
       /* rows in turn: four second differences of 4 */
       {{1, 1, 1, 1, -1, -1, -1, -1, 1, 1, 1, 1, -1, -1, -1, -1}, 16},
       /* the upper left quarter: s = {4, 0, 0, 0}: h02 4, upper 4, h00 4, h01 4 */
       {{1, 1, 0, 0, 1, 1, 0, 0}, 12},
       /* quarters of 1 and 3 above: h02 = 8, upper = 16, h00 = h01 = 16 */
       {{1, 1, 3, 3, 1, 1, 3, 3}, 40},
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      uint8_t src[64], ref[64];
      memset(src, 100, sizeof(src));
      for (unsigned k = 0; k < 16; k++)
         ref[k / 4 * 16 + k % 4] = (uint8_t)(100 + cases[i].diff[k]);
      assert_int_equal(vme_dsp_c.distortion[1](src, ref, 16, 4, 4), cases[i].sum / 2);
      assert_int_equal(vme_dsp_select()->distortion[1](src, ref, 16, 4, 4), cases[i].sum / 2);
   }
}

/* One sample at a quarter position, by the taps that the manual prints. */
static int
by_hand(const int p[4], unsigned quarter, bool bilinear)
{
   int v = p[1];
   if (bilinear)
      v = quarter == 1   ? (3 * p[1] + p[2] + 2) >> 2
          : quarter == 2 ? (p[1] + p[2] + 1) >> 1
          : quarter == 3 ? (p[1] + 3 * p[2] + 2) >> 2
                         : v;
   else if (quarter == 2)
      v = (-p[0] + 5 * p[1] + 5 * p[2] - p[3] + 4) >> 3;
   else if (quarter == 1)
      v = (-p[0] + 13 * p[1] + 5 * p[2] - p[3] + 8) >> 4;
   else if (quarter == 3)
      v = (-p[0] + 5 * p[1] + 13 * p[2] - p[3] + 8) >> 4;
   return v < 0 ? 0 : v > 255 ? 255 : v;
}

static void
test_filters(void **state)
{
   proves("VME-068", "VME-069", "VME-070", "VME-071", "VME-074", "VME-075", "VME-184", "VME-253");
   uint32_t seed = 7;
   for (unsigned round = 0; round < 200; round++) {
      uint8_t px[24 * 32], out[256];
      fill(px, sizeof(px), &seed);
      for (unsigned q = 0; q < 32; q++) {
         unsigned fx = q & 3, fy = q >> 2 & 3;
         bool bilinear = q >> 4;
         vme_dsp_c.predict(px + 4 * 32 + 4, 32, fx, fy, bilinear, 16, 16, out);
         unsigned x = next(&seed) % 16, y = next(&seed) % 16;
         int column[4];
         for (unsigned r = 0; r < 4; r++) {
            int row[4];
            for (unsigned c = 0; c < 4; c++)
               row[c] = px[(3 + y + r) * 32 + 3 + x + c];
            column[r] = by_hand(row, fx, bilinear);
         }
         assert_int_equal(out[y * 16 + x], by_hand(column, fy, bilinear));
      }
   }
}

/* Every function of the fast table gives the bits of the plain one (VME-064: the record of all
 * shapes, with their order). */
static void
test_variants_agree(void **state)
{
   proves("VME-064");
   const struct vme_dsp *fast = vme_dsp_select(), *plain = &vme_dsp_c;
   static const uint8_t sizes[7][2] = {{16, 16}, {16, 8}, {8, 16}, {8, 8}, {8, 4}, {4, 8}, {4, 4}};
   uint32_t seed = 99;
   print_message("# dsp: %s\n", fast->name);
   for (unsigned round = 0; round < 300; round++) {
      _Alignas(32) uint8_t src[256], ref[40 * 96], a[256], b[256];
      static vme_tile ta[2], tb[2];
      fill(src, sizeof(src), &seed);
      fill(ref, sizeof(ref), &seed);
      const uint8_t *at = ref + 2 * 96 + 3 + next(&seed) % 20;
      for (unsigned m = 0; m < 2; m++) {
         for (unsigned i = 0; i < 7; i++)
            assert_int_equal(fast->distortion[m](src, at, 96, sizes[i][0], sizes[i][1]),
                             plain->distortion[m](src, at, 96, sizes[i][0], sizes[i][1]));
         unsigned cells = 4u << next(&seed) % 3;
         fast->tiles[m](src, at, 96, cells, ta);
         plain->tiles[m](src, at, 96, cells, tb);
         for (unsigned c = 0; c < cells; c++)
            for (unsigned t = 0; t < 2; t++)
               assert_memory_equal(ta[t][c], tb[t][c], 32);
         struct vme_lanes la, lb;
         uint16_t across[4], down[4];
         for (unsigned i = 0; i < VME_BLOCKS * 16; i++) {
            (&la.cost[0][0])[i] = (uint16_t)(next(&seed) % 3 ? next(&seed) : 0xffff);
            (&la.order[0][0])[i] = (uint16_t)next(&seed);
         }
         lb = la;
         for (unsigned i = 0; i < 4; i++) {
            across[i] = (uint16_t)(next(&seed) % 1024);
            down[i] = (uint16_t)(next(&seed) % 2944);
         }
         bool minors = next(&seed) & 1;
         fast->update(&la, (const uint16_t(*)[16])tb[0], cells, minors, across, down, round);
         plain->update(&lb, (const uint16_t(*)[16])tb[0], cells, minors, across, down, round);
         assert_memory_equal(&la, &lb, sizeof(la));
         for (unsigned block = 0; block < VME_BLOCKS; block++) {
            unsigned wa, wb;
            assert_int_equal(fast->lowest(la.cost[block], &wa), plain->lowest(la.cost[block], &wb));
            assert_int_equal(wa, wb);
         }
      }
      for (unsigned q = 0; q < 32; q++) {
         unsigned i = next(&seed) % 7, wanted = 1 + next(&seed) % 7, haar = next(&seed) & 1;
         int step = 1 + (int)(next(&seed) & 1), middle = (int)(next(&seed) & 3);
         const int y[3] = {middle - step, middle, middle + step};
         uint32_t ca[3] = {1, 2, 3}, cb[3] = {1, 2, 3};
         fast->column[haar](src, at, 96, q & 3, y, wanted, q >> 4, sizes[i][0], sizes[i][1], ca);
         plain->column[haar](src, at, 96, q & 3, y, wanted, q >> 4, sizes[i][0], sizes[i][1], cb);
         assert_memory_equal(ca, cb, sizeof(ca));
         memset(a, 1, sizeof(a));
         memset(b, 1, sizeof(b));
         fast->predict(at, 96, q & 3, q >> 2 & 3, q >> 4, sizes[i][0], sizes[i][1], a);
         plain->predict(at, 96, q & 3, q >> 2 & 3, q >> 4, sizes[i][0], sizes[i][1], b);
         assert_memory_equal(a, b, sizeof(a));
      }
   }
}

/* Costs of lanes fit in 16 bits: the worst case is reached, and no more. */
static void
test_worst_haar_fits(void **state)
{
   uint32_t worst = 0;
   for (unsigned pattern = 0; pattern < 65536; pattern++) { /* a convex function: corners suffice */
      uint8_t src[64], ref[64];
      for (unsigned k = 0; k < 16; k++) {
         src[k / 4 * 16 + k % 4] = pattern >> k & 1 ? 0 : 255;
         ref[k / 4 * 16 + k % 4] = pattern >> k & 1 ? 255 : 0;
      }
      uint32_t d = vme_dsp_c.distortion[1](src, ref, 16, 4, 4);
      worst = d > worst ? d : worst;
   }
   assert_int_equal(worst, 3825);
   assert_true(16 * worst + 2 * 0x3ff + (15 << 7) < VME_LANE_NONE);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_sad_is_halved_by_4x4),
       cmocka_unit_test(test_haar),
       cmocka_unit_test(test_filters),
       cmocka_unit_test(test_variants_agree),
       cmocka_unit_test(test_worst_haar_fits),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
