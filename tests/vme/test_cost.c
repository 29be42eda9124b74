/* The state: where its bytes lie, what they stand for, what a vector costs; the minor decision
 * against all combinations. */
#include "shared_functions/vme/partition.h"
#include "shared_functions/vme/vme.h"
#include "tests/proves.h"
#include "tests/vme/stand.h"

static void
test_u4u4(void **state)
{
   proves("VME-122", "VME-147");
   assert_int_equal(vme_u4u4(0x4a), 160); /* the manual's example */
   assert_int_equal(vme_u4u4(0x00), 0);
   assert_int_equal(vme_u4u4(0xa0), 0);
   assert_int_equal(vme_u4u4(0x0f), 15);
   assert_int_equal(vme_u4u4(0xaf), 15 << 10);
}

/* All of the byte of LUT_MbMode[8], in each set, and nothing of its neighbours. */
static void
test_whole_byte(void **state)
{
   proves("VME-147");
   for (unsigned set = 0; set < 4; set++) {
      struct vme v = {.d.lut_subindex = set};
      uint32_t dw[32] = {0};
      unsigned byte = set % 2 * 16;
      dw[14 + set / 2] = ~(0xffu << byte);
      vme_state_unpack(&v, dw);
      assert_int_equal(v.costs.mode[8], 0);
      dw[14 + set / 2] = 0x4au << byte;
      vme_state_unpack(&v, dw);
      assert_int_equal(v.costs.mode[8], 160);
      dw[14 + set / 2] = 0x85u << byte;
      vme_state_unpack(&v, dw);
      assert_int_equal(v.costs.mode[8], 1280);
   }
}

/* Every byte of the state in its place, by set. */
static void
test_state_layout(void **state)
{
   proves("VME-144", "VME-198", "VME-149");
   for (unsigned set = 0; set < 4; set++) {
      struct hw_vme_search_path_lut_state st = {0};
      uint32_t dw[32];
      struct vme v = {0};
      uint8_t bytes[128];
      for (unsigned i = 0; i < 128; i++)
         bytes[i] = (uint8_t)(0x10 | i % 13); /* values below 32, twice the low digit */
      memcpy(dw, bytes, sizeof(dw));
      gen7_vme_search_path_lut_state_unpack(&st, dw);
      v.d.lut_subindex = set;
      vme_state_unpack(&v, dw);
      assert_memory_equal(v.path, bytes, 56);
      const uint32_t mode8[] = {st.set_0_lut_mbmode_8, st.set_1_lut_mbmode_8, st.set_2_lut_mbmode_8,
                                st.set_3_lut_mbmode_8};
      const uint32_t mode0[] = {st.set_0_lut_mbmode_0, st.set_1_lut_mbmode_0, st.set_2_lut_mbmode_0,
                                st.set_3_lut_mbmode_0};
      const uint32_t mode7[] = {st.set_0_lut_mbmode_7, st.set_1_lut_mbmode_7, st.set_2_lut_mbmode_7,
                                st.set_3_lut_mbmode_7};
      const uint32_t mv0[] = {st.set_0_lut_mv_0, st.set_1_lut_mv_0, st.set_2_lut_mv_0,
                              st.set_3_lut_mv_0};
      const uint32_t mv7[] = {st.set_0_lut_mv_7, st.set_1_lut_mv_7, st.set_2_lut_mv_7,
                              st.set_3_lut_mv_7};
      assert_int_equal(v.costs.mode[8], vme_u4u4(mode8[set]));
      assert_int_equal(v.costs.mode[0], vme_u4u4(mode0[set]));
      assert_int_equal(v.costs.mode[7], vme_u4u4(mode7[set]));
      assert_int_equal(v.costs.mv[0], vme_u4u4(mv0[set]));
      assert_int_equal(v.costs.mv[7], vme_u4u4(mv7[set]));
      /* and by the byte: DW16 + 4 set on */
      assert_int_equal(v.costs.mode[4], vme_u4u4(bytes[64 + 16 * set + 4]));
      assert_int_equal(v.costs.mv[3], vme_u4u4(bytes[72 + 16 * set + 3]));
   }
}

static void
test_backward_bias(void **state)
{
   proves("VME-148");
   for (unsigned set = 0; set < 4; set++) {
      struct vme v = {.d.lut_subindex = set};
      uint32_t dw[32] = {0};
      unsigned byte = set % 2 * 16 + 8; /* LUT_MbMode[9] of the set */
      dw[14 + set / 2] = 0x35u << byte; /* sign 0: backward pays 5 << 3 */
      vme_state_unpack(&v, dw);
      assert_int_equal(v.costs.backward[0], 0);
      assert_int_equal(v.costs.backward[1], 40);
      dw[14 + set / 2] = 0xffu << byte; /* sign 1: forward pays 15 << 7 */
      vme_state_unpack(&v, dw);
      assert_int_equal(v.costs.backward[0], 1920);
      assert_int_equal(v.costs.backward[1], 0);
   }
}

static void
test_wide_values_saturate(void **state)
{
   proves("VME-146");
   struct vme v = {0};
   uint32_t dw[32];
   memset(dw, 0xff, sizeof(dw));
   vme_state_unpack(&v, dw);
   for (unsigned i = 0; i < 9; i++)
      assert_int_equal(v.costs.mode[i], (i >= 1 && i <= 4) || i == 8 ? 0xfff : 0x3ff);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(v.costs.mv[i], 0x3ff);
}

/* The polygon through the given points, written another way: by division of its segment. */
static void
test_mv_cost(void **state)
{
   proves("VME-156", "VME-157", "VME-158", "VME-159", "VME-160", "VME-162", "VME-163", "VME-179",
          "VME-254");
   static const int32_t tables[4][8] = {{0, 2, 3, 9, 30, 31, 60, 100},
                                        {900, 800, 7, 650, 3, 400, 1, 0},
                                        {5, 5, 5, 5, 5, 5, 5, 1000},
                                        {5, 5, 5, 5, 5, 5, 5, 1500}}; /* 64 itself has no cap */
   static const int at[8] = {0, 1, 2, 4, 8, 16, 32, 64};
   for (unsigned t = 0; t < 4; t++)
      for (unsigned scale = 0; scale < 4; scale++)
         for (int distance = -700; distance <= 700; distance++) {
            struct vme_costs c = {.scale = scale};
            memcpy(c.mv, tables[t], sizeof(c.mv));
            int d = (distance < 0 ? -distance : distance) / (1 << scale), expect;
            if (d >= 64) {
               expect = c.mv[7] + d - 64;
               expect = d > 64 && expect > 1023 ? 1023 : expect;
            } else {
               unsigned i = 0;
               while (at[i + 1] <= d)
                  i++;
               int rise = (c.mv[i + 1] - c.mv[i]) * (d - at[i]), run = at[i + 1] - at[i];
               /* towards minus infinity */
               expect = c.mv[i] + (rise >= 0 ? rise / run : -((-rise + run - 1) / run));
            }
            assert_int_equal(vme_mv_cost_1d(&c, distance), expect);
         }
}

static void
test_vector_cost_is_a_sum(void **state)
{
   proves("VME-161", "VME-177");
   struct vme v = {.costs = {.mv = {0, 1, 2, 4, 8, 16, 32, 64}}};
   /* The manual's vectors: cost (2, -10), record (16, -13) in whole pixels. */
   v.center[1] = (struct vme_mv){8, -40};
   struct vme_mv mv = {64, -52};
   assert_int_equal(vme_mv_cost(&v, 1, mv),
                    vme_mv_cost_1d(&v.costs, 56) + vme_mv_cost_1d(&v.costs, -12));
   assert_int_equal(vme_mv_cost(&v, 1, mv), 56 + 12);
}

/* ---- SelectBestCombinedMinors ---- */

static uint32_t
next(uint32_t *seed)
{
   *seed = *seed * 1664525u + 1013904223u;
   return *seed >> 8;
}

static void
test_limited_minors_are_the_best(void **state)
{
   proves("VME-017", "VME-019", "VME-027", "VME-028", "VME-029", "VME-030", "VME-031", "VME-032",
          "VME-033", "VME-034");
   static const unsigned vectors[4] = {1, 2, 2, 4};
   uint32_t seed = 3;
   for (unsigned round = 0; round < 20000; round++) {
      int32_t d[4][4];
      uint8_t shape[4];
      unsigned range = round % 3 ? 4000 : 6, limit = 4 + round % 12;
      for (unsigned i = 0; i < 16; i++)
         d[i / 4][i % 4] = next(&seed) % 11 ? (int32_t)(next(&seed) % range) : VME_NONE;
      int32_t best = VME_NONE;
      for (unsigned all = 0; all < 256; all++) {
         unsigned count = 0;
         int32_t sum = 0;
         for (unsigned k = 0; k < 4; k++) {
            count += vectors[all >> 2 * k & 3];
            sum += d[k][all >> 2 * k & 3];
         }
         if (count <= limit && sum < best)
            best = sum;
      }
      int32_t got = vme_select_limited(d, limit, shape);
      assert_int_equal(got < VME_NONE ? got : VME_NONE, best);
      if (best == VME_NONE)
         continue;
      unsigned count = 0;
      int32_t sum = 0;
      for (unsigned k = 0; k < 4; k++) {
         count += vectors[shape[k]];
         sum += d[k][shape[k]];
      }
      assert_int_equal(sum, best); /* the shapes are those of the total */
      assert_true(count <= limit);
   }
}

/* Ties, by the printed comparisons. */
static void
test_limited_minors_ties(void **state)
{
   proves("VME-027", "VME-028", "VME-030");
   uint8_t shape[4];
   /* 8x4 and 4x8 alike, both better than 8x8: 8x4. */
   int32_t d[4][4] = {{9, 5, 5, 9}, {9, 9, 9, 9}, {9, 9, 9, 9}, {9, 9, 9, 9}};
   assert_int_equal(vme_select_limited(d, 5, shape), 5 + 27);
   assert_memory_equal(shape, ((uint8_t[]){1, 0, 0, 0}), 4);
   d[0][2] = 4;
   vme_select_limited(d, 5, shape);
   assert_memory_equal(shape, ((uint8_t[]){2, 0, 0, 0}), 4);
   /* Blocks 0 and 2 would both like two vectors, one may: the second of the pair. */
   int32_t pair[4][4] = {{9, 5, 9, 9}, {9, 9, 9, 9}, {9, 5, 9, 9}, {9, 9, 9, 9}};
   vme_select_limited(pair, 5, shape);
   assert_memory_equal(shape, ((uint8_t[]){0, 0, 1, 0}), 4);
   /* Of four vectors the first of the pair gets them. */
   int32_t four[4][4] = {{9, 9, 9, 5}, {9, 9, 9, 9}, {9, 9, 9, 5}, {9, 9, 9, 9}};
   vme_select_limited(four, 7, shape);
   assert_memory_equal(shape, ((uint8_t[]){3, 0, 0, 0}), 4);
   /* Between the pairs the one of blocks 1 and 3 gets fewest. */
   int32_t both[4][4] = {{9, 5, 9, 9}, {9, 5, 9, 9}, {9, 9, 9, 9}, {9, 9, 9, 9}};
   vme_select_limited(both, 5, shape);
   assert_memory_equal(shape, ((uint8_t[]){1, 0, 0, 0}), 4);
   /* Nothing gained: the fewest vectors. */
   int32_t flat[4][4] = {{5, 5, 5, 5}, {5, 5, 5, 5}, {5, 5, 5, 5}, {5, 5, 5, 5}};
   assert_int_equal(vme_select_limited(flat, 15, shape), 20);
   assert_memory_equal(shape, ((uint8_t[]){0, 0, 0, 0}), 4);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_u4u4),
       cmocka_unit_test(test_whole_byte),
       cmocka_unit_test(test_state_layout),
       cmocka_unit_test(test_backward_bias),
       cmocka_unit_test(test_wide_values_saturate),
       cmocka_unit_test(test_mv_cost),
       cmocka_unit_test(test_vector_cost_is_a_sum),
       cmocka_unit_test(test_limited_minors_are_the_best),
       cmocka_unit_test(test_limited_minors_ties),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
