/* Blits as a driver sends them: in a batch, through the ring of the blitter, GGTT and PPGTT. */
#include "../cs/rig.h"

#include <string.h>
#include "tests/proves.h"

#define OP(opcode) (0x40000000u | (uint32_t)(opcode) << 22)
#define DST 0x200000u
#define SRC 0x280000u

/* BLT-001, BLT-002: a fill and a copy of 32-bit pixels. */
static void
batch_through_the_ring(void **state)
{
   proves("BLT-001", "BLT-002");
   struct rig *r = *state;
   for (unsigned i = 0; i < 64; i++)
      rig_ggtt(r, SRC)[i] = 0x1000 + i;
   const uint32_t batch[] = {
       OP(0x50) | 3u << 20 | 4,
       3u << 24 | 0xf0u << 16 | 256,
       0,
       16u << 16 | 64,
       DST,
       0xdeadbeef,
       OP(0x53) | 3u << 20 | 6,
       3u << 24 | 0xccu << 16 | 256,
       2u << 16 | 8,
       3u << 16 | 24,
       DST,
       4,
       256,
       SRC,
   };
   assert_int_equal(rig_batch(r, BCS, false, batch, 14), PERGOLA_RUN_IDLE);
   for (unsigned y = 0; y < 16; y++)
      for (unsigned x = 0; x < 64; x++)
         assert_int_equal(rig_ggtt(r, DST)[y * 64 + x],
                          y == 2 && x >= 8 && x < 24 ? 0x1000 + 4 + x - 8 : 0xdeadbeef);
   assert_int_equal(pergola_diagnostic_count(r->dev, PERGOLA_WARNING), 0);
}

/* BLT-075, BLT-001: the data go where the batch's address space says. */
static void
batch_in_ppgtt(void **state)
{
   proves("BLT-075", "BLT-001");
   struct rig *r = *state;
   rig_ppgtt(r);
   const uint32_t batch[] = {
       OP(0x50) | 3u << 20 | 4, 3u << 24 | 0xf0u << 16 | 256, 0, 1u << 16 | 4, DST, 0xcafe0001};
   assert_int_equal(rig_batch(r, BCS, true, batch, 6), PERGOLA_RUN_IDLE);
   assert_int_equal(rig_pp(r, DST)[3], 0xcafe0001);
   assert_int_equal(rig_ggtt(r, DST)[3], 0);
}

/* BLT-074: the device gives slices; a large blit comes out whole, and later commands wait for it.
 */
static void
large_blit_in_slices(void **state)
{
   proves("BLT-074");
   struct rig *r = *state;
   const uint32_t ring[] = {
       OP(0x50) | 3u << 20 | 4,
       3u << 24 | 0xf0u << 16 | 1024,
       0,
       256u << 16 | 256,
       DST,
       0x01020304,
       0x10000002,
       0,
       SRC,
       0x77, /* MI_STORE_DATA_IMM */
   };
   rig_ring(r, BCS, ring, 10);
   unsigned slices = 0;
   while (pergola_run(r->dev, 4) == PERGOLA_RUN_BUDGET && slices < 100000) {
      bool done = rig_ggtt(r, DST)[256 * 256 - 1] == 0x01020304;
      if (!done)
         assert_int_equal(*rig_ggtt(r, SRC), 0);
      slices++;
   }
   assert_true(slices > 10);
   assert_int_equal(*rig_ggtt(r, SRC), 0x77);
   for (unsigned i = 0; i < 256 * 256; i++)
      assert_int_equal(rig_ggtt(r, DST)[i], 0x01020304);
}

/* CS-023, BLT-074: a blit that was left with its ring goes no further, and the next one at its
 * address is not taken for it. */
static void
blit_after_one_that_was_left(void **state)
{
   proves("CS-023", "BLT-074");
   struct rig *r = *state;
   uint32_t fill[] = {OP(0x50) | 3u << 20 | 4,
                      3u << 24 | 0xf0u << 16 | 1024,
                      0,
                      256u << 16 | 256,
                      DST,
                      0x01020304};
   rig_ring(r, BCS, fill, 6);
   assert_int_equal(pergola_run(r->dev, 40), PERGOLA_RUN_BUDGET);
   assert_int_equal(rig_ggtt(r, DST)[0], 0x01020304);
   rig_start(r, BCS, 4, 0);
   fill[4] = SRC;
   fill[5] = 0x0a0b0c0d;
   rig_ring(r, BCS, fill, 6);
   assert_int_equal(rig_run(r), PERGOLA_RUN_IDLE);
   for (unsigned i = 0; i < 256 * 256; i++)
      assert_int_equal(rig_ggtt(r, SRC)[i], 0x0a0b0c0d);
   assert_int_equal(rig_ggtt(r, DST)[255 * 256], 0);
}

/* VCS-036, VCS-035: a ring that is stopped in the middle of a blit is idle when the blit has ended,
 * not before, and what comes behind it waits. */
static void
stopped_in_the_middle(void **state)
{
   proves("VCS-036", "VCS-035");
   struct rig *r = *state;
   const uint32_t ring[] = {OP(0x50) | 3u << 20 | 4,
                            3u << 24 | 0xf0u << 16 | 1024,
                            0,
                            256u << 16 | 256,
                            DST,
                            0x01020304,
                            0x10000002,
                            0,
                            SRC,
                            0x77};
   rig_ring(r, BCS, ring, 10);
   assert_int_equal(pergola_run(r->dev, 40), PERGOLA_RUN_BUDGET);
   assert_int_equal(rig_ggtt(r, DST)[256 * 256 - 1], 0);
   rig_set(r, 0x2209c, 0x01000100);
   assert_false(rig_reg(r, 0x2209c) & 1u << 9);
   assert_int_equal(rig_run(r), PERGOLA_RUN_IDLE);
   assert_int_equal(rig_ggtt(r, DST)[256 * 256 - 1], 0x01020304);
   assert_int_equal(*rig_ggtt(r, SRC), 0);
   assert_true(rig_reg(r, 0x2209c) & 1u << 9);
   rig_set(r, 0x2209c, 0x01000000);
   assert_int_equal(rig_run(r), PERGOLA_RUN_IDLE);
   assert_int_equal(*rig_ggtt(r, SRC), 0x77);
}

/* VCS-074: the ring becomes much shorter in the middle of a blit: it goes on in what is left,
 * nothing behind that is executed. */
static void
ring_made_shorter(void **state)
{
   proves("VCS-074");
   struct rig *r = *state;
   uint32_t fill[] = {OP(0x50) | 3u << 20 | 4,
                      3u << 24 | 0xf0u << 16 | 1024,
                      0,
                      256u << 16 | 256,
                      DST,
                      0x01020304};
   rig_start(r, BCS, 16, 0);
   r->tail[BCS] = 0x9000;
   rig_set(r, 0x22030, 0x9000);
   assert_int_equal(rig_run(r), PERGOLA_RUN_IDLE);
   rig_ring(r, BCS, fill, 6);
   assert_int_equal(pergola_run(r->dev, 40), PERGOLA_RUN_BUDGET);
   rig_set(r, 0x2203c, 1); /* a page */
   memcpy(rig_ggtt(r, RIG_RING(BCS) + 0x8018), (uint32_t[]){SDI, 0, SRC + 4, 4}, 16);
   r->ring_size[BCS] = 4096;
   r->tail[BCS] = 0x18;
   rig_ring(r, BCS, (uint32_t[]){SDI, 0, SRC, 3}, 4);
   assert_int_equal(rig_run(r), PERGOLA_RUN_IDLE);
   assert_int_equal(rig_ggtt(r, DST)[255 * 256], 0x01020304);
   assert_int_equal(*rig_ggtt(r, SRC), 3);
   assert_int_equal(*rig_ggtt(r, SRC + 4), 0);
   assert_int_equal(rig_reg(r, 0x22034) & 0x1fffff, 0x28);
}

/* BLT-029: an opcode that is not there is named. */
static void
unknown_opcode(void **state)
{
   proves("BLT-029");
   struct rig *r = *state;
   const uint32_t batch[] = {OP(0x42) | 1, 0, 0};
   rig_batch(r, BCS, false, batch, 3);
   assert_true(pergola_diagnostic_count(r->dev, PERGOLA_WARNING) > 0);
}

/* A blit moves its own engine's clock; the device's stands where the farthest engine is,
 * and does not add them up. */
static void
blit_beside_another_engine(void **state)
{
   proves("BLT-074", "CS-004");
   struct rig *r = *state;
   const uint32_t blit[] = {
       OP(0x50) | 3u << 20 | 4, 3u << 24 | 0xf0u << 16 | 1024, 0, 256u << 16 | 256, DST, 1};
   static uint32_t noops[2000];
   rig_ring(r, RCS, noops, COUNT(noops));
   rig_ring(r, BCS, blit, COUNT(blit));
   assert_int_equal(rig_run(r), PERGOLA_RUN_IDLE);
   uint64_t render = r->dev->cs[RCS]->time_ns, blitter = r->dev->cs[BCS]->time_ns;
   assert_true(render && blitter > 256);
   assert_int_equal(pergola_time_ns(r->dev), render > blitter ? render : blitter);
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
   const struct CMUnitTest tests[] = {
       CASE(batch_through_the_ring), CASE(batch_in_ppgtt),
       CASE(large_blit_in_slices),   CASE(blit_after_one_that_was_left),
       CASE(ring_made_shorter),      CASE(stopped_in_the_middle),
       CASE(unknown_opcode),         CASE(blit_beside_another_engine),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
