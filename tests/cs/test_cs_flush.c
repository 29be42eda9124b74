/* MI_FLUSH_DW and MI_FLUSH. */
#include "rig.h"

#include <string.h>
#include "tests/proves.h"

#define POST(n) ((uint32_t)(n) << 14)
#define INDEX (1u << 21)
#define TLB (1u << 18)
#define NOTIFY (1u << 8)

/* VCS-225, VCS-226, VCS-227, VCS-233, VCS-234, VCS-236, VCS-239, VCS-240, VCS-242:
 * post-sync operations, dword and quadword form. */
static void
post_sync_operations(void **state)
{
   proves("VCS-225", "VCS-226", "VCS-227", "VCS-233", "VCS-234", "VCS-236", "VCS-239", "VCS-240",
          "VCS-242", "VCS-228");
   struct rig *r = *state;
   rig_ppgtt(r);
   for (unsigned e = VCS; e <= BCS; e++) {
      uint32_t *d = rig_ggtt(r, RIG_DATA);
      memset(d, 0xee, 64);
      SUBMIT(r, e, FLUSH_DW | POST(0), RIG_DATA | 4, 1, 2); /* nothing is written */
      assert_int_equal(d[0], 0xeeeeeeee);
      SUBMIT(r, e, FLUSH_DW | POST(1), RIG_DATA | 4, 3, 4);
      assert_int_equal(d[0], 3);
      assert_int_equal(d[1], 4);
      SUBMIT(r, e, (FLUSH_DW - 1) | POST(1), (RIG_DATA + 8) | 4, 5); /* three dwords: one dword */
      assert_int_equal(d[2], 5);
      assert_int_equal(d[3], 0xeeeeeeee);
      clock_advance(r->dev, 80 * 1000);
      uint64_t now = clock_timestamp(r->dev);
      SUBMIT(r, e, FLUSH_DW | POST(3), (RIG_DATA + 16) | 4, 9, 9); /* always eight bytes */
      assert_in_range(d[4], now, now + 10);
      assert_int_equal(d[5], 0);
      SUBMIT(r, e, FLUSH_DW | POST(1), RIG_DATA, 6, 7); /* per-process */
      assert_int_equal(*rig_pp(r, RIG_DATA), 6);
      assert_int_equal(d[0], 3);
   }
   rig_clean(r);
}

/* VCS-228, VCS-242: the status page, offset 11:3. */
static void
store_data_index_form(void **state)
{
   proves("VCS-228", "VCS-242");
   struct rig *r = *state;
   for (unsigned e = VCS; e <= BCS; e++) {
      uint32_t *page = rig_ggtt(r, RIG_STATUS(e));
      SUBMIT(r, e, (FLUSH_DW - 1) | POST(1) | INDEX, 0x100, 0x77);
      assert_int_equal(page[0x40], 0x77);
      SUBMIT(r, e, FLUSH_DW | POST(1) | INDEX, 0x200, 0x78, 0x79);
      assert_int_equal(page[0x80], 0x78);
      assert_int_equal(page[0x81], 0x79);
   }
   rig_clean(r);
   SUBMIT(r, VCS, FLUSH_DW | INDEX, 0x100, 0, 0);
   rig_expect(r, "VCS-228");
}

/* VCS-229, VCS-231: TLB Invalidate counts with post-sync 1 and 3; with GFX_MODE[13] of the render
 * engine clear every flush invalidates. */
static void
tlb_invalidate(void **state)
{
   rig_looks_at_caches(*state);
   proves("VCS-229", "VCS-231");
   struct rig *r = *state;
   rig_ppgtt(r);
   uint32_t *pte = (uint32_t *)(r->ram + 0x800000 + 4 * (RIG_DATA >> 12));
   uint32_t *there = (uint32_t *)(r->ram + RIG_PPGTT_RAM + RIG_DATA),
            *elsewhere = (uint32_t *)(r->ram + 0xa00000);
   uint32_t here = *pte, moved = (RIG_PHYS + 0xa00000) | 7;
   static const struct {
      uint32_t header;
      bool batch_mode, forgets;
   } cases[] = {
       {FLUSH_DW | TLB | POST(1) | INDEX, true, true},
       {FLUSH_DW | TLB | POST(3) | INDEX, true, true},
       {FLUSH_DW | POST(1) | INDEX, true, false},
       {FLUSH_DW | TLB, true, false},
       {FLUSH_DW | POST(1) | INDEX, false, true},
       {FLUSH_DW, false, true},
   };
   for (unsigned i = 0; i < COUNT(cases); i++) {
      rig_set(r, 0x229c, cases[i].batch_mode ? 0x20002000 : 0x20000000);
      *pte = here;
      SUBMIT(r, VCS, FLUSH_DW | TLB | POST(1) | INDEX, 0x100, 0, 0);
      *there = *elsewhere = 0;
      SUBMIT(r, VCS, SDI & ~GLOBAL, 0, RIG_DATA, 1);
      assert_int_equal(*there, 1);
      *pte = moved;
      SUBMIT(r, VCS, cases[i].header, 0x100, 0, 0, SDI & ~GLOBAL, 0, RIG_DATA, 2);
      assert_int_equal(*elsewhere, cases[i].forgets ? 2 : 0);
      assert_int_equal(*there, cases[i].forgets ? 1 : 2);
   }
   rig_forget(r);
   SUBMIT(r, VCS, FLUSH_DW | TLB, 0, 0, 0);
   rig_expect(r, "VCS-229");
}

static unsigned scratch_writes;

static void
observe(void *data, const struct pergola_event *e)
{
   scratch_writes += e->a == 0x4f100;
}

/* VCS-230: with GFX_MODE[13] the invalidating flush writes to 0x4F100. */
static void
scratch_write_of_the_flush(void **state)
{
   proves("VCS-230");
   struct rig *r = *state;
   pergola_add_observer(r->dev, 1u << PERGOLA_EVENT_MMIO, observe, NULL);
   scratch_writes = 0;
   rig_set(r, 0x229c, 0x20002000);
   SUBMIT(r, VCS, FLUSH_DW | TLB | POST(1) | INDEX, 0x100, 0, 0);
   assert_int_equal(scratch_writes, 1);
   SUBMIT(r, VCS, FLUSH_DW | POST(1) | INDEX, 0x100, 0, 0);
   assert_int_equal(scratch_writes, 1);
   rig_set(r, 0x229c, 0x20000000);
   SUBMIT(r, VCS, FLUSH_DW | TLB | POST(1) | INDEX, 0x100, 0, 0);
   assert_int_equal(scratch_writes, 1);
}

/* VCS-232: Synchronize GFDT needs a store; VCS-235: 2 is reserved; VCS-238: bit 7 is accepted on
 * the video engine, CS-013: and reserved on the blitter; VCS-241: the QWord erratum. */
static void
flush_restrictions(void **state)
{
   proves("VCS-232", "VCS-235", "VCS-238", "CS-013", "VCS-241");
   struct rig *r = *state;
   SUBMIT(r, VCS, FLUSH_DW | POST(1) | 1u << 17 | 1u << 7, RIG_DATA | 4, 1, 2);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 1);
   rig_clean(r);
   SUBMIT(r, VCS, FLUSH_DW | 1u << 17, 0, 0, 0);
   rig_expect(r, "VCS-232");
   SUBMIT(r, VCS, FLUSH_DW | POST(2), RIG_DATA | 4, 9, 9);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 1);
   rig_expect(r, "VCS-235");
   SUBMIT(r, BCS, FLUSH_DW | 1u << 7, 0, 0, 0);
   rig_expect(r, "CS-013");
   SUBMIT(r, VCS, FLUSH_DW | POST(1), (RIG_DATA + 0x20) | 4, 5, 6);
   assert_int_equal(rig_ggtt(r, RIG_DATA)[8], 5); /* the model does it correctly */
   rig_expect(r, "VCS-241");
   SUBMIT(r, VCS, (FLUSH_DW - 1) | POST(1), (RIG_DATA + 0x20) | 4, 5);
   rig_clean(r);
}

static uint32_t seen_at_interrupt;
static uint32_t *watched;

static void
at_interrupt(void *data, bool asserted)
{
   if (asserted)
      seen_at_interrupt = *watched;
}

/* VCS-107, VCS-237: the interrupt comes after the store. */
static void
notify_after_the_store(void **state)
{
   proves("VCS-107", "VCS-237");
   struct rig *r = *state;
   static const uint32_t bit[ENGINE_COUNT] = {0, 16, 26};
   for (unsigned e = VCS; e <= BCS; e++) {
      rig_set(r, 0x44018, 0xffffffff);
      rig_set(r, 0x44018, 0xffffffff);
      watched = rig_ggtt(r, RIG_DATA);
      *watched = seen_at_interrupt = 0;
      pergola_set_interrupt_handler(r->dev, at_interrupt, NULL);
      SUBMIT(r, e, FLUSH_DW | POST(1) | NOTIFY, RIG_DATA | 4, 0x123, 0);
      assert_int_equal(rig_reg(r, 0x44018), 1u << bit[e]);
      assert_int_equal(seen_at_interrupt, 0x123);
   }
   rig_clean(r);
}

/* CS-014: the blit is in memory when the store and its interrupt come; a non-secure batch cannot
 * store globally. */
static void
blitter_flush(void **state)
{
   proves("CS-014", "VCS-297");
   struct rig *r = *state;
   watched = rig_ggtt(r, RIG_DATA + 0x400);
   *watched = seen_at_interrupt = 0;
   pergola_set_interrupt_handler(r->dev, at_interrupt, NULL);
   SUBMIT(r, BCS, 0x54300004, 3u << 24 | 0xf0u << 16 | 64, 0, 4u << 16 | 4, RIG_DATA + 0x400,
          0xcafe, FLUSH_DW | POST(1) | NOTIFY, RIG_DATA | 4, 0x123, 0);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 0x123);
   assert_int_equal(seen_at_interrupt, 0xcafe);
   assert_int_equal(rig_reg(r, 0x44018), 1u << 26);
   rig_clean(r);
   for (unsigned e = VCS; e <= BCS; e++) {
      rig_ppgtt(r);
      *rig_ggtt(r, RIG_DATA) = 7;
      BATCH(r, e, true, FLUSH_DW | POST(1), RIG_DATA | 4, 8, 0);
      assert_int_equal(*rig_ggtt(r, RIG_DATA), 7);
      rig_expect(r, e == VCS ? "VCS-297" : "CS-014");
      BATCH(r, e, true, FLUSH_DW | POST(1), RIG_DATA, 9, 0);
      assert_int_equal(*rig_pp(r, RIG_DATA), 9);
      rig_clean(r);
   }
}

/* RCS-221: MI_FLUSH lives only with MI_MODE[12]; bit 3 resets the counters. */
static void
obsolete_flush(void **state)
{
   proves("RCS-221");
   struct rig *r = *state;
   reg_set(r->dev, 0x2310, 77);
   SUBMIT(r, RCS, GEN7_MI_FLUSH_HEADER | 1u << 3);
   assert_int_equal(rig_reg(r, 0x2310), 77);
   rig_expect(r, "RCS-221");
   rig_set(r, 0x209c, 0x10001000);
   SUBMIT(r, RCS, GEN7_MI_FLUSH_HEADER | 1u << 3);
   assert_int_equal(rig_reg(r, 0x2310), 0);
   reg_set(r->dev, 0x2310, 78);
   assert_false(r->dev->cs[RCS]->media_state_cleared || r->dev->cs[RCS]->indirect_state_dropped);
   SUBMIT(r, RCS, GEN7_MI_FLUSH_HEADER | 1u << 4 | 1u << 5 | 1u << 2 | 1u << 1);
   assert_int_equal(rig_reg(r, 0x2310), 78);
   assert_true(r->dev->cs[RCS]->media_state_cleared);
   assert_true(r->dev->cs[RCS]->indirect_state_dropped);
   rig_clean(r);
   SUBMIT(r, RCS, GEN7_MI_FLUSH_HEADER | 1);
   rig_expect(r, "RCS-221"); /* reserved bit */
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
   const struct CMUnitTest tests[] = {
       T(post_sync_operations), T(store_data_index_form),
       T(tlb_invalidate),       T(scratch_write_of_the_flush),
       T(flush_restrictions),   T(notify_after_the_store),
       T(blitter_flush),        T(obsolete_flush),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
