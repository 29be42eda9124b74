/* Rings: registers, wrap, head report, preemption, stopping. */
#include "rig.h"

#include <string.h>
#include "tests/proves.h"

/* VCS-001: the video streamer fetches, waits and stops on its own. */
static void
engines_are_independent(void **state)
{
   proves("VCS-001", "VCS-093", "CS-010", "CS-004");
   struct rig *r = *state;
   RING(r, VCS, SEMA | 1u << 20 | 1u << 18, 5, 0); /* waits */
   RING(r, BCS, 0x2b000000u);                      /* client 1: stops, CS-010 */
   RING(r, RCS, SDI, 0, RIG_DATA, 42);
   rig_run(r);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 42); /* CS-004 */
   assert_int_equal(cs_state(r->dev->cs[VCS]), CS_WAITING);
   assert_int_equal(cs_state(r->dev->cs[BCS]), CS_STOPPED);
   assert_int_equal(cs_state(r->dev->cs[RCS]), CS_IDLE);
   /* The only coupling is the sync register. */
   SUBMIT(r, RCS, LRI(1), 0x12040, 6);
   assert_int_equal(cs_state(r->dev->cs[VCS]), CS_IDLE);
}

/* VCS-002: the block of the video engine repeats the render offsets at 0x10000; VCS-064: four
 * dwords make a ring, reached through the global GTT. */
static void
ring_registers_of_each_block(void **state)
{
   proves("VCS-002", "VCS-064");
   struct rig *r = *state;
   static const uint32_t tail[] = {0x2030, 0x12030, 0x22030};
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      assert_int_equal(tail[e], 0x2030 + 0x10000 * e);
      assert_int_equal(rig_reg(r, tail[e] + 8), RIG_RING(e)); /* START */
      assert_int_equal(rig_reg(r, tail[e] + 12) & 1, 1);      /* CTL */
      *rig_ggtt(r, RIG_RING(e)) = GEN7_MI_NOOP_HEADER | 1u << 22 | (0x100 + e);
      *rig_ggtt(r, RIG_RING(e) + 4) = 0;
      rig_set(r, tail[e], 8);
      rig_run(r);
      assert_int_equal(rig_reg(r, tail[e] + 4), 8); /* HEAD */
      assert_int_equal(rig_reg(r, engine_base[e] + R_NOPID), 0x100 + e);
   }
}

/* VCS-066, VCS-071, RCS-160: from the head up to the tail, not including it. */
static void
head_stops_at_the_tail(void **state)
{
   proves("VCS-066", "VCS-071", "RCS-160");
   struct rig *r = *state;
   uint32_t *ring = rig_ggtt(r, RIG_RING(VCS));
   for (unsigned i = 0; i < 8; i++)
      ring[i] = GEN7_MI_NOOP_HEADER | 1u << 22 | (i + 1);
   rig_set(r, 0x12030, 16);
   assert_int_equal(rig_run(r), PERGOLA_RUN_IDLE);
   assert_int_equal(rig_reg(r, 0x12094), 4);
   assert_int_equal(rig_reg(r, 0x12034), 16);
   rig_set(r, 0x12030, 32); /* a tail write extends what is valid */
   rig_run(r);
   assert_int_equal(rig_reg(r, 0x12094), 8);
   assert_int_equal(rig_reg(r, 0x12034), 32);
}

/* VCS-067, VCS-319: new commands lie behind the tail, padded to quadwords; a tail inside a command
 * is diagnosed, and the rest is awaited. */
static void
tail_inside_a_command(void **state)
{
   proves("VCS-067", "VCS-319");
   struct rig *r = *state;
   SUBMIT(r, VCS, SDI, 0, RIG_DATA, 1); /* conforming */
   rig_clean(r);
   uint32_t dw[] = {SDI, 0, RIG_DATA, 2};
   memcpy(rig_ggtt(r, RIG_RING(VCS) + 16), dw, sizeof(dw));
   rig_set(r, 0x12030, 24);
   assert_int_equal(rig_run(r), PERGOLA_RUN_WAITING);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 1);
   rig_expect(r, "VCS-319");
   rig_set(r, 0x12030, 32);
   assert_int_equal(rig_run(r), PERGOLA_RUN_IDLE);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 2);
}

/* VCS-068, VCS-091: head and tail are written before the length of the ring is, and the engine may
 * look at them in between. */
static void
head_before_length(void **state)
{
   proves("VCS-068", "VCS-091");
   struct rig *r = *state;
   rig_start(r, VCS, 4, 0);
   rig_run(r);
   rig_set(r, 0x1203c, 0);
   rig_set(r, 0x12034, 0x29a8);
   rig_set(r, 0x12030, 0x29a8);
   rig_run(r);
   assert_int_equal(rig_reg(r, 0x12034), 0x29a8);
   assert_int_equal(rig_reg(r, 0x12030), 0x29a8);
   rig_set(r, 0x1203c, 0x3001);
   assert_int_equal(rig_run(r), PERGOLA_RUN_IDLE);
   assert_int_equal(rig_reg(r, 0x12034), 0x29a8);
   rig_clean(r);
}

/* VCS-319: a tail beyond the ring; VCS-074: it counts modulo the length. */
static void
tail_beyond_the_ring(void **state)
{
   proves("VCS-319", "VCS-074");
   struct rig *r = *state;
   rig_start(r, VCS, 1, 0);
   *rig_ggtt(r, RIG_RING(VCS)) = GEN7_MI_NOOP_HEADER | 1u << 22 | 9;
   rig_set(r, 0x12030, 0x1008);
   rig_expect(r, "VCS-319");
   assert_int_equal(rig_run(r), PERGOLA_RUN_IDLE);
   assert_int_equal(rig_reg(r, 0x12094), 9);
   assert_int_equal(rig_reg(r, 0x12034) & 0x1ffffc, 8);
}

/* VCS-068: head and tail are programmed before the ring is enabled; it may be enabled empty or not.
 */
static void
enable_with_and_without_commands(void **state)
{
   proves("VCS-068");
   struct rig *r = *state;
   rig_start(r, VCS, 1, 0);
   assert_int_equal(rig_run(r), PERGOLA_RUN_IDLE);
   rig_set(r, 0x1203c, 0);
   *rig_ggtt(r, RIG_RING(VCS) + 64) = GEN7_MI_NOOP_HEADER | 1u << 22 | 5;
   rig_set(r, 0x12034, 64);
   rig_set(r, 0x12030, 72);
   assert_int_equal(rig_run(r), PERGOLA_RUN_IDLE);
   assert_int_equal(rig_reg(r, 0x12094), 0); /* disabled: nothing runs */
   rig_set(r, 0x1203c, 1);
   rig_run(r);
   assert_int_equal(rig_reg(r, 0x12094), 5);
   rig_clean(r);
}

/* VCS-070: the wrap count goes up by one at each wrap and rolls over at eleven bits. */
static void
wrap_count(void **state)
{
   proves("VCS-070");
   struct rig *r = *state;
   rig_start(r, BCS, 1, 0);
   rig_set(r, 0x2203c, 0);
   rig_set(r, 0x22034, 0x7feu << 21 | 0xff8);
   rig_set(r, 0x2203c, 1);
   rig_set(r, 0x22030, 8);
   rig_run(r);
   assert_int_equal(rig_reg(r, 0x22034), 0x7ffu << 21 | 8);
   rig_set(r, 0x22030, 0);
   rig_run(r);
   assert_int_equal(rig_reg(r, 0x22034), 0); /* 0x7ff + 1 */
}

/* VCS-080: length is pages minus one; the head wraps there. */
static void
ring_lengths(void **state)
{
   proves("VCS-080");
   struct rig *r = *state;
   static const uint32_t pages[] = {1, 2, 3};
   for (unsigned i = 0; i < COUNT(pages); i++) {
      uint32_t size = pages[i] * 4096;
      rig_start(r, BCS, pages[i], 0);
      rig_set(r, 0x22030, size - 8);
      rig_run(r);
      assert_int_equal(rig_reg(r, 0x22034), size - 8);
      rig_set(r, 0x22030, 0);
      rig_run(r);
      assert_int_equal(rig_reg(r, 0x22034), 1u << 21);
   }
   /* 512 pages: 2 MiB, the most. */
   rig_set(r, 0x2203c, 0);
   rig_set(r, 0x22034, 0);
   rig_set(r, 0x22030, 0);
   rig_set(r, 0x22038, 0x100000);
   rig_set(r, 0x2203c, 0x1ff000 | 1);
   rig_set(r, 0x22030, 0x1ffff8);
   rig_run(r);
   assert_int_equal(rig_reg(r, 0x22034), 0x1ffff8);
}

/* VCS-072: the head of an enabled ring is not written; VCS-074: it is taken all the same. */
static void
head_written_while_enabled(void **state)
{
   proves("VCS-072", "VCS-074");
   struct rig *r = *state;
   rig_set(r, 0x1203c, 0);
   rig_set(r, 0x12034, 8); /* conforming: disabled */
   rig_clean(r);
   rig_set(r, 0x1203c, 1);
   rig_set(r, 0x12034, 16);
   rig_expect(r, "VCS-072");
   rig_set(r, 0x12030, 16);
   rig_run(r);
   assert_int_equal(rig_reg(r, 0x12034), 16);
}

/* CS-023, VCS-072: a wait lies where the head was; the ring goes on where it was moved to, not some
 * dwords behind that. */
static void
head_moved_away_from_a_wait(void **state)
{
   proves("CS-023", "VCS-072");
   struct rig *r = *state;
   RING(r, VCS, SEMA | 1u << 20 | 1u << 18, 1, 0, 0, SDI, 0, RIG_DATA, 1, SDI, 0, RIG_DATA + 4, 2);
   assert_int_equal(rig_run(r), PERGOLA_RUN_WAITING);
   rig_set(r, 0x12034, 16);
   rig_expect(r, "VCS-072");
   assert_int_equal(rig_run(r), PERGOLA_RUN_IDLE);
   rig_set(r, 0x12040, 2); /* too late to mean anything */
   rig_set(r, 0x12044, 2);
   assert_int_equal(rig_run(r), PERGOLA_RUN_IDLE);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 1);
   assert_int_equal(*rig_ggtt(r, RIG_DATA + 4), 2);
   assert_int_equal(rig_reg(r, 0x12034), 48);
}

/* VCS-074: a command may wrap around the end (diagnosed by VCS-319). */
static void
command_wraps(void **state)
{
   proves("VCS-074", "VCS-319");
   struct rig *r = *state;
   rig_start(r, VCS, 1, 0);
   r->tail[VCS] = 0xff8;
   r->allow_wrap = true;
   rig_set(r, 0x12030, 0xff8);
   rig_run(r);
   SUBMIT(r, VCS, SDI, 0, RIG_DATA, 0x77);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 0x77);
   assert_int_equal(rig_reg(r, 0x12034), 1u << 21 | 8);
   rig_expect(r, "VCS-319");
}

/* VCS-073: bit 0 of the head register shows a wait for a condition code, on the render engine
 * alone. */
static void
wait_for_condition_indicator(void **state)
{
   proves("VCS-073");
   struct rig *r = *state;
   for (unsigned e = 0; e < 2; e++) {
      rig_set(r, engine_base[e] + R_EXCC, 0x00010001);
      SUBMIT(r, e, GEN7_MI_WAIT_FOR_EVENT_HEADER | 1u << 16);
      assert_int_equal(rig_reg(r, engine_base[e] + R_HEAD) & 1, e == RCS);
      rig_set(r, engine_base[e] + R_EXCC, 0x00010000);
      rig_run(r);
      assert_int_equal(rig_reg(r, engine_base[e] + R_HEAD), 8);
   }
}

/* The ring lies where the GTT maps: in the low 2 GiB, up to its very end, where stock kernels put
 * it. */
static void
start_address_limit(void **state)
{
   proves("VCS-076");
   struct rig *r = *state;
   rig_set(r, 0x1203c, 0);
   rig_set(r, 0x12038, 0x7ffff000);
   rig_clean(r);
   rig_set(r, 0x12038, 0x80000000);
   rig_expect(r, "VCS-076");
}

/* VCS-077: the ring is fetched through the global GTT, whatever the per-process enable says. */
static void
ring_in_global_gtt(void **state)
{
   proves("VCS-077");
   struct rig *r = *state;
   rig_ppgtt(r);
   *rig_pp(r, RIG_RING(VCS)) = GEN7_MI_NOOP_HEADER | 1u << 22 | 1;
   *rig_ggtt(r, RIG_RING(VCS)) = GEN7_MI_NOOP_HEADER | 1u << 22 | 2;
   rig_set(r, 0x12030, 8);
   rig_run(r);
   assert_int_equal(rig_reg(r, 0x12094), 2);
}

/* VCS-081: RBWait is set in a wait for an event; writing 1 ends the wait, writing 0 does nothing.
 */
static void
ring_wait_ended_by_software(void **state)
{
   proves("VCS-081");
   struct rig *r = *state;
   rig_set(r, 0x12028, 0x00020002);
   RING(r, VCS, GEN7_MI_WAIT_FOR_EVENT_HEADER | 2u << 16, NOOP, SDI, 0, RIG_DATA, 5);
   assert_int_equal(rig_run(r), PERGOLA_RUN_WAITING);
   uint32_t ctl = rig_reg(r, 0x1203c);
   assert_true(ctl & CTL_RB_WAIT);
   rig_set(r, 0x1203c, ctl & ~CTL_RB_WAIT);
   rig_run(r);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 0);
   assert_true(rig_reg(r, 0x1203c) & CTL_RB_WAIT);
   rig_set(r, 0x1203c, ctl);
   rig_run(r);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 5);
   assert_false(rig_reg(r, 0x1203c) & CTL_RB_WAIT);
}

/* VCS-082, VCS-083: the same of the semaphore wait. */
static void
semaphore_wait_ended_by_software(void **state)
{
   proves("VCS-082", "VCS-083");
   struct rig *r = *state;
   RING(r, VCS, SEMA | 1u << 20 | 1u << 18, 9, 0, NOOP, SDI, 0, RIG_DATA, 6);
   assert_int_equal(rig_run(r), PERGOLA_RUN_WAITING);
   uint32_t ctl = rig_reg(r, 0x1203c);
   assert_true(ctl & CTL_SEMAPHORE_WAIT);
   rig_set(r, 0x1203c, ctl & ~CTL_SEMAPHORE_WAIT);
   assert_int_equal(rig_run(r), PERGOLA_RUN_WAITING);
   rig_set(r, 0x1203c, ctl);
   rig_run(r);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 6);
   assert_false(rig_reg(r, 0x1203c) & CTL_SEMAPHORE_WAIT);
   /* and it clears when the comparison succeeds */
   RING(r, VCS, SEMA | 1u << 20 | 1u << 18, 9, 0);
   rig_run(r);
   rig_set(r, 0x12040, 10);
   rig_run(r);
   assert_false(rig_reg(r, 0x1203c) & CTL_SEMAPHORE_WAIT);
}

/* VCS-084, VCS-085: a ring with register accesses disabled reads but does not write registers. */
static void
register_accesses_disabled(void **state)
{
   proves("VCS-084", "VCS-085");
   struct rig *r = *state;
   rig_start(r, VCS, 4, CTL_DISABLE_REGISTERS);
   SUBMIT(r, VCS, LRI(1), 0x12040, 7);
   assert_int_equal(rig_reg(r, 0x12040), 0);
   rig_expect(r, "VCS-085");
   *rig_ggtt(r, RIG_DATA) = 8;
   SUBMIT(r, VCS, LRM, 0x12040, RIG_DATA);
   assert_int_equal(rig_reg(r, 0x12040), 0);
   rig_expect(r, "VCS-085");
   rig_set(r, 0x12044, 0x55);
   SUBMIT(r, VCS, SRM, 0x12044, RIG_DATA);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 0x55);
   rig_clean(r);
   rig_start(r, VCS, 4, 0);
   SUBMIT(r, VCS, LRI(1), 0x12040, 7);
   assert_int_equal(rig_reg(r, 0x12040), 7);
   rig_clean(r);
   rig_start(r, RCS, 4, CTL_DISABLE_REGISTERS); /* the render ring has no such bit */
   SUBMIT(r, RCS, LRI(1), 0x2040, 7);
   assert_int_equal(rig_reg(r, 0x2040), 7);
   assert_int_equal(rig_count(r, "VCS-085"), 0);
}

/* VCS-086, VCS-089: the head register goes to dword 4 of the status page at each boundary, the wrap
 * included. */
static void
automatic_head_report(void **state)
{
   proves("VCS-086", "VCS-089");
   struct rig *r = *state;
   uint32_t *page = rig_ggtt(r, RIG_STATUS(BCS));
   static const struct {
      uint32_t mode, stride;
   } modes[] = {{0, 0}, {1, 0x10000}, {2, 0x1000}, {3, 0x20000}};
   for (unsigned i = 0; i < COUNT(modes); i++) {
      uint32_t size = 0x40000;
      rig_set(r, 0x2203c, 0);
      rig_set(r, 0x22034, 0);
      rig_set(r, 0x22030, 0);
      rig_set(r, 0x22038, RIG_BATCH);
      memset(rig_ggtt(r, RIG_BATCH), 0, size);
      rig_set(r, 0x2203c, (size / 4096 - 1) << 12 | modes[i].mode << 1 | 1);
      page[4] = 0xdead;
      rig_set(r, 0x22030, 0xff8);
      rig_run(r);
      assert_int_equal(page[4], 0xdead);
      if (!modes[i].mode) {
         rig_set(r, 0x22030, 0x3fff8);
         rig_run(r);
         assert_int_equal(page[4], 0xdead);
         continue;
      }
      rig_set(r, 0x22030, modes[i].stride + 0x100);
      rig_run(r);
      assert_int_equal(page[4], modes[i].stride);
      rig_set(r, 0x22030, 0); /* around the end */
      rig_run(r);
      assert_int_equal(page[4], 1u << 21);
   }
}

/* VCS-087, VCS-088: the 4 KB report is not for ring buffer scheduling; it is accepted and
 * diagnosed. */
static void
head_report_every_page(void **state)
{
   proves("VCS-087", "VCS-088");
   struct rig *r = *state;
   rig_start(r, BCS, 4, 1u << 1);
   rig_start(r, BCS, 4, 3u << 1);
   rig_clean(r);
   rig_start(r, BCS, 4, 2u << 1);
   rig_expect(r, "VCS-087");
   rig_start(r, VCS, 4, 3u << 1); /* from the report of every 128 KB */
   rig_clean(r);
   rig_set(r, 0x1203c, (rig_reg(r, 0x1203c) & ~6u) | 2u << 1);
   rig_expect(r, "VCS-087");
}

/* VCS-090, VCS-091: the ring may be disabled at any time; head, tail, start and control stay, the
 * batch is forgotten. */
static void
disable_in_a_batch(void **state)
{
   proves("VCS-090", "VCS-091");
   struct rig *r = *state;
   uint32_t batch[] = {SEMA | 1u << 20 | 1u << 18, 1, 0, SDI, 0, RIG_DATA, 1, BBE};
   memcpy(rig_ggtt(r, RIG_BATCH), batch, sizeof(batch));
   RING(r, VCS, BBS, RIG_BATCH, SDI, 0, RIG_DATA + 4, 2);
   assert_int_equal(rig_run(r), PERGOLA_RUN_WAITING);
   assert_int_equal(rig_reg(r, 0x12140), RIG_BATCH | 1);
   uint32_t ctl = rig_reg(r, 0x1203c);
   rig_set(r, 0x1203c, ctl & ~1u);
   assert_int_equal(rig_run(r), PERGOLA_RUN_IDLE);
   assert_int_equal(rig_reg(r, 0x12140) & 1, 0);
   assert_int_equal(rig_reg(r, 0x12034), 8);
   assert_int_equal(rig_reg(r, 0x12030), 24);
   assert_int_equal(rig_reg(r, 0x12038), RIG_RING(VCS));
   rig_set(r, 0x1203c, ctl & ~0xc00u);
   rig_run(r);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 0);
   assert_int_equal(*rig_ggtt(r, RIG_DATA + 4), 2);
}

/* VCS-093: arbitration happens at MI_ARB_CHECK and when the ring is empty; a tail write starts it.
 */
static void
arbitration_points(void **state)
{
   proves("VCS-093");
   struct rig *r = *state;
   uint32_t *ring = rig_ggtt(r, RIG_RING(VCS));
   ring[0] = GEN7_MI_NOOP_HEADER | 1u << 22 | 1;
   ring[1] = 0;
   rig_set(r, 0x12030, 8);
   rig_run(r);
   assert_int_equal(rig_reg(r, 0x12094), 1);
   /* empty: moves to UHPTR, the start of the ring */
   ring[0] = GEN7_MI_NOOP_HEADER | 1u << 22 | 2;
   rig_set(r, 0x12134, 0 | 1);
   rig_run(r);
   assert_int_equal(rig_reg(r, 0x12134) & 1, 0);
   assert_int_equal(rig_reg(r, 0x12094), 2);
   assert_int_equal(rig_reg(r, 0x12034), 8);
}

/* VCS-095, VCS-097, VCS-200, RCS-178, RCS-203: MI_ARB_CHECK with UHPTR valid goes on at its head,
 * wrap count and all, skips what lies between and clears the valid bit; equal only clears it;
 * invalid goes on. */
static void
preemption_by_uhptr(void **state)
{
   proves("VCS-095", "VCS-097", "VCS-200", "RCS-178", "RCS-203");
   struct rig *r = *state;
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      uint32_t base = engine_base[e];
      uint32_t *ring = rig_ggtt(r, RIG_RING(e));
      ring[0] = GEN7_MI_ARB_CHECK_HEADER; /* invalid: goes on */
      ring[1] = GEN7_MI_NOOP_HEADER | 1u << 22 | 1;
      rig_set(r, base + R_TAIL, 8);
      rig_run(r);
      assert_int_equal(rig_reg(r, base + R_NOPID), 1);
      ring[2] = GEN7_MI_ARB_CHECK_HEADER;
      ring[3] = GEN7_MI_NOOP_HEADER | 1u << 22 | 2; /* skipped */
      ring[0x80] = GEN7_MI_NOOP_HEADER | 1u << 22 | 3;
      ring[0x81] = 0;
      rig_set(r, base + R_UHPTR, 3u << 21 | 0x200 | 1);
      rig_set(r, base + R_TAIL, 0x208);
      rig_run(r);
      assert_int_equal(rig_reg(r, base + R_NOPID), 3);
      assert_int_equal(rig_reg(r, base + R_HEAD), 3u << 21 | 0x208);
      assert_int_equal(rig_reg(r, base + R_UHPTR), 3u << 21 | 0x200);
      /* equal: the valid bit falls, nothing moves */
      ring[0x82] = GEN7_MI_ARB_CHECK_HEADER;
      ring[0x83] = GEN7_MI_NOOP_HEADER | 1u << 22 | 4;
      rig_set(r, base + R_UHPTR, 3u << 21 | 0x208 | 1);
      rig_set(r, base + R_TAIL, 0x210);
      rig_run(r);
      assert_int_equal(rig_reg(r, base + R_NOPID), 4);
      assert_int_equal(rig_reg(r, base + R_UHPTR) & 1, 0);
   }
   assert_int_equal(reg_get(r->dev, 0x214c), 0x8); /* RCS-178: the head that was left */
   rig_clean(r);
}

/* RCS-178, RCS-203: on the render engine a batch is preempted as well. */
static void
preemption_of_a_batch(void **state)
{
   proves("RCS-178", "RCS-203");
   struct rig *r = *state;
   uint32_t batch[] = {NOOP, GEN7_MI_ARB_CHECK_HEADER, SDI, 0, RIG_DATA, 1, BBE, 0};
   memcpy(rig_ggtt(r, RIG_BATCH), batch, sizeof(batch));
   *rig_ggtt(r, RIG_RING(RCS) + 0x100) = GEN7_MI_NOOP_HEADER | 1u << 22 | 7;
   RING(r, RCS, BBS, RIG_BATCH);
   rig_set(r, 0x2134, 0x100 | 1);
   rig_set(r, 0x2030, 0x108);
   rig_run(r);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 0);
   assert_int_equal(rig_reg(r, 0x2094), 7);
   assert_int_equal(reg_get(r->dev, 0x2148), RIG_BATCH + 4);
   assert_int_equal(reg_get(r->dev, 0x214c), 8 | 1);
   assert_int_equal(rig_reg(r, 0x2140) & 1, 0);
}

/* VCS-033, VCS-034: with MI_MODE[11] the engine's own UHPTR is dropped when it equals the head. */
static void
uhptr_equal_to_head_is_invalidated(void **state)
{
   proves("VCS-033", "VCS-034");
   struct rig *r = *state;
   SUBMIT(r, VCS, NOOP, NOOP);
   rig_set(r, 0x12134, 8 | 1);
   assert_int_equal(rig_reg(r, 0x12134), 8 | 1);
   rig_set(r, 0x12134, 0);
   rig_set(r, 0x1209c, 0x08000800);
   rig_set(r, 0x12134, 8 | 1);
   assert_int_equal(rig_reg(r, 0x12134), 8);
   rig_set(r, 0x12134, 16 | 1);
   assert_int_equal(rig_reg(r, 0x12134), 16 | 1);
}

/* VCS-035, VCS-036, VCS-037, VCS-322: Stop Ring holds the parser at a command boundary, Ring Idle
 * shows it; the ring goes on from the same head. */
static void
stop_ring(void **state)
{
   proves("VCS-035", "VCS-036", "VCS-037", "VCS-322");
   struct rig *r = *state;
   assert_true(rig_reg(r, 0x1209c) & MI_MODE_IDLE); /* at rest */
   rig_set(r, 0x1209c, 0x02000000);                 /* writes do not touch it */
   assert_true(rig_reg(r, 0x1209c) & MI_MODE_IDLE);
   rig_set(r, 0x1209c, 0x01000100);
   RING(r, VCS, SDI, 0, RIG_DATA, 3);
   assert_int_equal(rig_run(r), PERGOLA_RUN_IDLE);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 0);
   assert_true(rig_reg(r, 0x1209c) & MI_MODE_IDLE);
   assert_int_equal(rig_reg(r, 0x12034), 0);
   rig_set(r, 0x1209c, 0x01000000);
   rig_run(r);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 3);
   /* in a batch, by the stream itself */
   BATCH(r, VCS, false, LRI(1), 0x1209c, 0x01000100, SDI, 0, RIG_DATA, 4);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 3);
   assert_int_equal(rig_reg(r, 0x12140), ((RIG_BATCH + 12) & ~7u) | 1);
   rig_set(r, 0x1209c, 0x01000000);
   rig_run(r);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 4);
   /* a wait is not idle of the ring: the parser stalls in it */
   RING(r, VCS, SEMA | 1u << 20 | 1u << 18, 5, 0);
   rig_run(r);
   assert_false(rig_reg(r, 0x1209c) & MI_MODE_IDLE);
}

/* VCS-320: the visible head moves after each command that was executed. */
static void
head_moves_command_by_command(void **state)
{
   proves("VCS-320", "CS-002");
   struct rig *r = *state;
   RING(r, VCS, SDI, 0, RIG_DATA, 1, SDI, 0, RIG_DATA, 2);
   assert_int_equal(pergola_run(r->dev, 1), PERGOLA_RUN_BUDGET); /* CS-002 */
   assert_int_equal(rig_reg(r, 0x12034), 16);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 1);
   rig_run(r);
   assert_int_equal(rig_reg(r, 0x12034), 32);
}

/* CS-018: what a hang dump reads. */
static void
registers_of_a_hang_dump(void **state)
{
   proves("CS-018");
   struct rig *r = *state;
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      uint32_t base = engine_base[e];
      assert_int_equal(rig_reg(r, base + R_INSTDONE), 0xffffffff);
      uint32_t batch[] = {NOOP, SEMA | 1u << 20 | 1u << 18, 5, 0, BBE, 0};
      memcpy(rig_ggtt(r, RIG_BATCH), batch, sizeof(batch));
      RING(r, e, BBS, RIG_BATCH);
      rig_run(r);
      assert_int_equal(rig_reg(r, base + R_ACTHD), RIG_BATCH + 4);
      assert_int_equal(rig_reg(r, base + R_IPEHR), batch[1]);
      assert_int_equal(rig_reg(r, base + R_DMA_FADD), RIG_BATCH + 4);
      assert_int_equal(rig_reg(r, base + R_INSTDONE), 0xfffffffe);
   }
}

/* Streamers that parse, a blit that is under way, and a fatal fault of each engine. */
static void
busy_units(void **state)
{
   proves("CS-025");
   static const uint32_t parses[] = {0xfffffffe, 0xbffffffe, 0xfffffff6};
   static const uint32_t faulted[] = {0xfff77ffe, 0x7ffffffe, 0xfffffffa};
   struct rig *r = *state;
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      memcpy(rig_ggtt(r, RIG_BATCH), (const uint32_t[]){BBS, RIG_BATCH}, 8);
      RING(r, e, BBS, RIG_BATCH);
      assert_int_equal(pergola_run(r->dev, 1000), PERGOLA_RUN_BUDGET);
      assert_int_equal(rig_reg(r, engine_base[e] + R_INSTDONE), parses[e]);
      rig_reset(r, e);
      assert_int_equal(rig_reg(r, engine_base[e] + R_INSTDONE), 0xffffffff);
      RING(r, e, BBS, 0x40000000); /* nothing is there */
      assert_int_equal(rig_run(r), PERGOLA_RUN_STOPPED);
      assert_int_equal(rig_reg(r, engine_base[e] + R_INSTDONE), faulted[e]);
      rig_reset(r, e);
   }
   RING(r, BCS, 0x54300004, 0x03f04000, 0, 0x04000400, RIG_DATA, 0x12345678); /* 1024 x 1024 */
   assert_int_equal(pergola_run(r->dev, 1000), PERGOLA_RUN_BUDGET);
   assert_int_equal(rig_reg(r, engine_base[BCS] + R_INSTDONE), 0xfffffffc);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
   const struct CMUnitTest tests[] = {
       T(busy_units),
       T(engines_are_independent),
       T(ring_registers_of_each_block),
       T(head_stops_at_the_tail),
       T(tail_inside_a_command),
       T(head_before_length),
       T(tail_beyond_the_ring),
       T(enable_with_and_without_commands),
       T(wrap_count),
       T(ring_lengths),
       T(head_written_while_enabled),
       T(head_moved_away_from_a_wait),
       T(command_wraps),
       T(wait_for_condition_indicator),
       T(start_address_limit),
       T(ring_in_global_gtt),
       T(ring_wait_ended_by_software),
       T(semaphore_wait_ended_by_software),
       T(register_accesses_disabled),
       T(automatic_head_report),
       T(head_report_every_page),
       T(disable_in_a_batch),
       T(arbitration_points),
       T(preemption_by_uhptr),
       T(preemption_of_a_batch),
       T(uhptr_equal_to_head_is_invalidated),
       T(stop_ring),
       T(head_moves_command_by_command),
       T(registers_of_a_hang_dump),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
