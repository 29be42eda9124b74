/* Waiting and waking: semaphores, condition codes, arbitration, flushes that are suspended. */
#include "rig.h"

#include <string.h>
#include "tests/proves.h"

#define COMPARE (1u << 20)
#define UPDATE (1u << 21)
#define REGISTER (1u << 18)
#define SELECT(n) ((uint32_t)(n) << 16)

/* VCS-252, VCS-255, VCS-257, VCS-259, VCS-329, RCS-215, CS-011: each mailbox of each engine;
 * strictly greater, unsigned. */
static void
mailboxes_of_all_engines(void **state)
{
   proves("VCS-252", "VCS-255", "VCS-257", "VCS-259", "VCS-329", "RCS-215", "CS-011", "VCS-258");
   struct rig *r = *state;
   static const struct {
      enum engine_id waits, signals;
      unsigned select;
      uint32_t mailbox;
   } boxes[] = {
       {RCS, VCS, 0, 0x2040},  {RCS, BCS, 2, 0x2044},  {VCS, BCS, 0, 0x12040},
       {VCS, RCS, 2, 0x12044}, {BCS, RCS, 0, 0x22040}, {BCS, VCS, 2, 0x22044},
   };
   for (unsigned i = 0; i < COUNT(boxes); i++) {
      enum engine_id w = boxes[i].waits, s = boxes[i].signals;
      *rig_ggtt(r, RIG_DATA) = 0;
      RING(r, w, SEMA | COMPARE | REGISTER | SELECT(boxes[i].select), 0x7fffffff, 0, NOOP, SDI, 0,
           RIG_DATA, 1);
      assert_int_equal(rig_run(r), PERGOLA_RUN_WAITING);
      SUBMIT(r, s, LRI(1), boxes[i].mailbox, 0x7fffffff); /* equal does not pass */
      assert_int_equal(cs_state(r->dev->cs[w]), CS_WAITING);
      assert_int_equal(*rig_ggtt(r, RIG_DATA), 0);
      /* signal: update with the register named by DW2 */
      SUBMIT(r, s, SEMA | UPDATE | REGISTER, 0x80000000, boxes[i].mailbox);
      assert_int_equal(cs_state(r->dev->cs[w]), CS_IDLE);
      assert_int_equal(*rig_ggtt(r, RIG_DATA), 1);
      assert_int_equal(rig_reg(r, boxes[i].mailbox),
                       0x80000000); /* the consumer does not change it */
   }
   assert_int_equal(rig_count(r, "VCS-255"), 0);
}

/* VCS-058: a write by the host wakes as well; VCS-056 and VCS-057 name the two registers. */
static void
host_wakes_a_waiter(void **state)
{
   proves("VCS-058", "VCS-056", "VCS-057");
   struct rig *r = *state;
   RING(r, VCS, SEMA | COMPARE | REGISTER | SELECT(2), 3, 0);
   rig_run(r);
   rig_set(r, 0x12040, 9); /* the other register: no */
   assert_int_equal(rig_run(r), PERGOLA_RUN_WAITING);
   rig_set(r, 0x12044, 4);
   assert_int_equal(rig_run(r), PERGOLA_RUN_IDLE);
}

/* RCS-215, VCS-255, VCS-258: Register Select 1 is reserved; 3 takes any register, on the render
 * engine, and is reserved on the others, which are told so and do as it does. */
static void
register_select(void **state)
{
   proves("RCS-215", "VCS-255", "VCS-258");
   struct rig *r = *state;
   rig_set(r, 0x2400, 10);
   SUBMIT(r, RCS, SEMA | COMPARE | REGISTER | SELECT(3), 9, 0x2400);
   assert_int_equal(cs_state(r->dev->cs[RCS]), CS_IDLE);
   rig_clean(r);
   rig_set(r, 0x12040, 10);
   SUBMIT(r, VCS, SEMA | COMPARE | REGISTER | SELECT(1), 9, 0x2400); /* DW2 is ignored */
   rig_expect(r, "VCS-255");
   rig_set(r, 0x2040, 10);
   SUBMIT(r, RCS, SEMA | COMPARE | REGISTER | SELECT(1), 9, 0);
   rig_expect(r, "RCS-215");
   SUBMIT(r, VCS, SEMA | COMPARE | REGISTER | SELECT(0), 9, 0x2400);
   rig_clean(r);
   rig_set(r, 0x2404, 9);
   RING(r, VCS, SEMA | COMPARE | REGISTER | SELECT(3), 9, 0x2404);
   assert_int_equal(rig_run(r), PERGOLA_RUN_WAITING);
   rig_expect(r, "VCS-255");
   rig_set(r, 0x2404, 10);
   assert_int_equal(rig_run(r), PERGOLA_RUN_IDLE);
}

/* VCS-249, VCS-250, VCS-251, VCS-254, VCS-256: the memory form works and is named as not to be
 * used. */
static void
semaphores_in_memory(void **state)
{
   proves("VCS-249", "VCS-250", "VCS-251", "VCS-254", "VCS-256", "RCS-215");
   struct rig *r = *state;
   SUBMIT(r, VCS, SEMA | GLOBAL | UPDATE, 5, RIG_DATA);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 5);
   rig_expect(r, "VCS-254");
   RING(r, VCS, SEMA | GLOBAL | COMPARE, 5, RIG_DATA);
   assert_int_equal(rig_run(r), PERGOLA_RUN_WAITING);
   *rig_ggtt(r, RIG_DATA) = 6;
   assert_int_equal(rig_run(r), PERGOLA_RUN_IDLE);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 6);
   /* compare and update: stored when the comparison holds, not before */
   RING(r, VCS, SEMA | GLOBAL | COMPARE | UPDATE, 7, RIG_DATA);
   assert_int_equal(rig_run(r), PERGOLA_RUN_WAITING);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 6);
   *rig_ggtt(r, RIG_DATA) = 20;
   rig_run(r);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 7);
   SUBMIT(r, VCS, SEMA | GLOBAL | COMPARE | UPDATE, 2, RIG_DATA); /* holds at once: 7 exceeds 2 */
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 2);
   *rig_ggtt(r, RIG_DATA) = 7;
   rig_forget(r);
   rig_ppgtt(r);
   SUBMIT(r, VCS, SEMA | UPDATE, 9, RIG_DATA); /* without the bit: per-process memory */
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 7);
   assert_int_equal(*rig_pp(r, RIG_DATA), 9);
   BATCH(r, VCS, true, SEMA | UPDATE, 9, RIG_DATA); /* which is all right in any batch */
   assert_int_equal(rig_count(r, "VCS-250"), 0);
   RING(r, VCS, SEMA | COMPARE, 9, RIG_DATA);
   assert_int_equal(rig_run(r), PERGOLA_RUN_WAITING);
   *rig_pp(r, RIG_DATA) = 10;
   assert_int_equal(rig_run(r), PERGOLA_RUN_IDLE);
   rig_forget(r);
   /* in a non-secure batch the global bit is ignored */
   BATCH(r, VCS, true, SEMA | GLOBAL | UPDATE, 30, RIG_DATA);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 7);
   assert_int_equal(*rig_pp(r, RIG_DATA), 30);
   rig_expect(r, "VCS-250");
   SUBMIT(r, RCS, SEMA | GLOBAL | UPDATE, 5, RIG_DATA);
   rig_expect(r, "RCS-215");
}

/* VCS-251, VCS-253: update and compare of a register exclude each other; one of them must be there.
 */
static void
semaphore_restrictions(void **state)
{
   proves("VCS-251", "VCS-253");
   struct rig *r = *state;
   rig_set(r, 0x12040, 5);
   SUBMIT(r, VCS, SEMA | COMPARE | REGISTER, 4, 0);
   SUBMIT(r, VCS, SEMA | UPDATE | REGISTER, 4, 0x2040);
   rig_clean(r);
   SUBMIT(r, VCS, SEMA | COMPARE | UPDATE | REGISTER, 4, 0);
   assert_int_equal(rig_reg(r, 0x12040), 5);
   rig_expect(r, "VCS-251");
   SUBMIT(r, VCS, SEMA | REGISTER, 4, 0);
   rig_expect(r, "VCS-253");
}

/* CS-001: who waits for what, once. */
static void
endless_wait_is_named(void **state)
{
   proves("CS-001");
   struct rig *r = *state;
   RING(r, RCS, SEMA | COMPARE | REGISTER | SELECT(0), 5, 0); /* for the video engine … */
   RING(r, VCS, SEMA | COMPARE | REGISTER | SELECT(2), 7,
        0); /* … which waits for the render engine */
   assert_int_equal(rig_run(r), PERGOLA_RUN_WAITING);
   assert_int_equal(rig_count(r, "CS-001"), 2);
   const struct rig_diagnostic *d = rig_find(r, "CS-001"); /* the last: video */
   assert_non_null(strstr(d->message, "VRSYNC (0x12044) to exceed 0x7"));
   assert_non_null(strstr(d->next->message, "RVSYNC (0x2040) to exceed 0x5"));
   uint64_t said = pergola_diagnostic_count(r->dev, PERGOLA_WARNING);
   rig_run(r);
   assert_int_equal(rig_count(r, "CS-001"), 2);
   assert_int_equal(pergola_diagnostic_count(r->dev, PERGOLA_WARNING),
                    said); /* nor counted again */
   rig_set(r, 0x12044, 8); /* the host breaks the knot */
   rig_run(r);
   assert_int_equal(cs_state(r->dev->cs[VCS]), CS_IDLE);
   assert_int_equal(cs_state(r->dev->cs[RCS]), CS_WAITING);
}

/* CS-004: a chain render, video, blitter: each wakes the next, in one run. */
static void
chain_of_three(void **state)
{
   proves("CS-004");
   struct rig *r = *state;
   RING(r, BCS, SEMA | COMPARE | REGISTER | SELECT(2), 0, 0, NOOP, SDI, 0, RIG_DATA + 8, 3);
   RING(r, VCS, SEMA | COMPARE | REGISTER | SELECT(2), 0, 0, NOOP, SDI, 0, RIG_DATA + 4, 2, LRI(1),
        0x22044, 1);
   RING(r, RCS, SDI, 0, RIG_DATA, 1, LRI(1), 0x12044, 1);
   assert_int_equal(rig_run(r), PERGOLA_RUN_IDLE);
   for (unsigned i = 0; i < 3; i++)
      assert_int_equal(rig_ggtt(r, RIG_DATA)[i], i + 1);
   rig_clean(r);
}

/* VCS-017, VCS-018, VCS-288, RCS-182, RCS-219: a wait while the code is 1; no-op while it is 0;
 * signalled by a masked write. */
static void
condition_codes(void **state)
{
   proves("VCS-017", "VCS-018", "VCS-288", "RCS-182", "RCS-219");
   struct rig *r = *state;
   for (unsigned e = 0; e < 2; e++) {
      uint32_t excc = engine_base[e] + R_EXCC;
      for (unsigned code = 0; code < 5; code++) {
         uint32_t wait = GEN7_MI_WAIT_FOR_EVENT_HEADER | (code + 1) << 16;
         assert_int_equal(SUBMIT(r, e, wait), PERGOLA_RUN_IDLE); /* 0: discarded */
         rig_set(r, excc, 0x10001u << code);
         *rig_ggtt(r, RIG_DATA) = 0;
         RING(r, e, wait, NOOP, SDI, 0, RIG_DATA, 1);
         assert_int_equal(rig_run(r), PERGOLA_RUN_WAITING);
         SUBMIT(r, BCS, SDI, 0, RIG_DATA + 4, code); /* the others run */
         assert_int_equal(rig_ggtt(r, RIG_DATA)[1], code);
         rig_set(r, excc, 1u << code); /* no mask bit: no change */
         assert_int_equal(rig_run(r), PERGOLA_RUN_WAITING);
         rig_set(r, excc, 0x10000u << code);
         assert_int_equal(rig_run(r), PERGOLA_RUN_IDLE);
         assert_int_equal(*rig_ggtt(r, RIG_DATA), 1);
      }
   }
}

/* RCS-219: display events are signalled already. VCS-287: they do not exist on the video engine. */
static void
display_events(void **state)
{
   proves("RCS-219", "VCS-287");
   struct rig *r = *state;
   static const unsigned bits[] = {0, 1, 2, 3, 5, 8, 9, 10, 11, 13, 14, 15, 20, 21, 22};
   for (unsigned i = 0; i < COUNT(bits); i++) {
      assert_int_equal(SUBMIT(r, RCS, GEN7_MI_WAIT_FOR_EVENT_HEADER | 1u << bits[i]),
                       PERGOLA_RUN_IDLE);
      rig_clean(r);
      SUBMIT(r, VCS, GEN7_MI_WAIT_FOR_EVENT_HEADER | 1u << bits[i]);
      rig_expect(r, "VCS-287");
   }
   SUBMIT(r, RCS, GEN7_MI_WAIT_FOR_EVENT_HEADER | 1u << 4); /* reserved */
   rig_expect(r, "RCS-219");
}

/* VCS-289: one event only; VCS-290, VCS-291: selects 6 to 15 are no-ops that are named. */
static void
event_selects(void **state)
{
   proves("VCS-289", "VCS-290", "VCS-291", "RCS-219");
   struct rig *r = *state;
   SUBMIT(r, VCS, GEN7_MI_WAIT_FOR_EVENT_HEADER | 5u << 16);
   rig_clean(r);
   for (unsigned s = 6; s < 16; s++) {
      assert_int_equal(SUBMIT(r, VCS, GEN7_MI_WAIT_FOR_EVENT_HEADER | s << 16), PERGOLA_RUN_IDLE);
      rig_expect(r, "VCS-290");
   }
   SUBMIT(r, RCS, GEN7_MI_WAIT_FOR_EVENT_HEADER | 1u << 1 | 1u << 9);
   rig_expect(r, "RCS-219");
   SUBMIT(r, VCS, GEN7_MI_WAIT_FOR_EVENT_HEADER | 1u << 16 | 1u << 9);
   rig_expect(r, "VCS-289");
   SUBMIT(r, BCS, GEN7_MI_WAIT_FOR_EVENT_HEADER | 1u << 16 | 1u << 9);
   rig_expect(r, "RCS-219");
}

/* VCS-204, VCS-206, RCS-204: while arbitration is off UHPTR is not taken and stays valid: nothing
 * comes between the commands for two threads that wait for each other (MEDIA-052). */
static void
arbitration_off(void **state)
{
   proves("VCS-204", "VCS-206", "RCS-204", "MEDIA-052");
   struct rig *r = *state;
   for (unsigned e = 0; e < 2; e++) {
      uint32_t base = engine_base[e];
      RING(r, e, GEN7_MI_ARB_ON_OFF_HEADER, GEN7_MI_ARB_CHECK_HEADER,
           GEN7_MI_NOOP_HEADER | 1u << 22 | 1, GEN7_MI_ARB_ON_OFF_HEADER | 1,
           GEN7_MI_ARB_CHECK_HEADER, GEN7_MI_NOOP_HEADER | 1u << 22 | 2);
      *rig_ggtt(r, RIG_RING(e) + 0x100) = GEN7_MI_NOOP_HEADER | 1u << 22 | 3;
      rig_set(r, base + R_UHPTR, 0x100 | 1);
      pergola_run(r->dev, 3);
      assert_int_equal(rig_reg(r, base + R_NOPID), 1); /* it went on */
      assert_int_equal(rig_reg(r, base + R_UHPTR) & 1, 1);
      rig_set(r, base + R_TAIL, 0x108);
      rig_run(r);
      assert_int_equal(rig_reg(r, base + R_NOPID), 3); /* on again: taken, 2 was skipped */
      assert_int_equal(rig_reg(r, base + R_UHPTR) & 1, 0);
   }
   rig_clean(r);
}

/* VCS-205: an off and on pair. */
static void
arbitration_pairs(void **state)
{
   proves("VCS-205", "RCS-204");
   struct rig *r = *state;
   SUBMIT(r, VCS, GEN7_MI_ARB_ON_OFF_HEADER, GEN7_MI_ARB_ON_OFF_HEADER | 1);
   rig_clean(r);
   SUBMIT(r, VCS, GEN7_MI_ARB_ON_OFF_HEADER | 1);
   rig_expect(r, "VCS-205");
   SUBMIT(r, RCS, GEN7_MI_ARB_ON_OFF_HEADER, GEN7_MI_ARB_ON_OFF_HEADER);
   rig_expect(r, "RCS-204");
}

/* VCS-201, VCS-202: MI_ARB_CHECK not in a batch on the video engine and the blitter: no jump, the
 * bit stays. */
static void
arbitration_check_in_a_batch(void **state)
{
   proves("VCS-201", "VCS-202");
   struct rig *r = *state;
   SUBMIT(r, VCS, GEN7_MI_ARB_CHECK_HEADER);
   rig_clean(r);
   uint32_t batch[] = {GEN7_MI_ARB_CHECK_HEADER,  SDI, 0, RIG_DATA, 1,
                       SEMA | COMPARE | REGISTER, 5,   0, BBE};
   memcpy(rig_ggtt(r, RIG_BATCH), batch, sizeof(batch));
   RING(r, VCS, BBS, RIG_BATCH);
   rig_set(r, 0x12134, 0x100 | 1);
   rig_run(r);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 1);
   assert_int_equal(rig_reg(r, 0x12134), 0x100 | 1);
   rig_expect(r, "VCS-201");
}

/* VCS-032, VCS-278, VCS-277, RCS-216: the command sets MI_MODE[15]; a sync flush is held back
 * meanwhile. */
static void
suspended_flush(void **state)
{
   proves("VCS-032", "VCS-278", "VCS-277", "RCS-216", "VCS-049");
   struct rig *r = *state;
   static const uint32_t sync[ENGINE_COUNT] = {1u << 2, 1u << 14, 1u << 24};
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      uint32_t base = engine_base[e];
      uint32_t before = rig_reg(r, 0x44010) & sync[e];
      SUBMIT(r, e, GEN7_MI_SUSPEND_FLUSH_HEADER); /* nothing is held back: nothing happens */
      assert_int_equal(rig_reg(r, 0x44010) & sync[e], before);
      SUBMIT(r, e, GEN7_MI_SUSPEND_FLUSH_HEADER | 1);
      assert_true(rig_reg(r, base + R_MI_MODE) & MI_MODE_SUSPEND_FLUSH);
      rig_set(r, base + R_INSTPM, 0x00200020);
      assert_true(rig_reg(r, base + R_INSTPM) & INSTPM_SYNC_FLUSH); /* pending */
      assert_int_equal(rig_reg(r, 0x44010) & sync[e], before);
      SUBMIT(r, e, GEN7_MI_SUSPEND_FLUSH_HEADER);
      assert_false(rig_reg(r, base + R_MI_MODE) & MI_MODE_SUSPEND_FLUSH);
      assert_false(rig_reg(r, base + R_INSTPM) & INSTPM_SYNC_FLUSH);
      assert_int_equal(rig_reg(r, 0x44010) & sync[e], before ^ sync[e]);
   }
   rig_clean(r);
   SUBMIT(r, VCS, GEN7_MI_SUSPEND_FLUSH_HEADER | 1, GEN7_MI_WAIT_FOR_EVENT_HEADER);
   rig_expect(r, "VCS-277"); /* no wait in between */
}

static unsigned scratch_writes;

static void
observe(void *data, const struct pergola_event *e)
{
   scratch_writes += e->a == 0x4f100;
}

/* VCS-049, VCS-050, VCS-052, VCS-110, VCS-321: the sync flush clears its bit, writes to the scratch
 * register, then toggles Sync Status, which goes to the status page. */
static void
sync_flush(void **state)
{
   proves("VCS-049", "VCS-050", "VCS-052", "VCS-110", "VCS-321", "VCS-111");
   struct rig *r = *state;
   uint32_t *page = rig_ggtt(r, RIG_STATUS(VCS));
   pergola_add_observer(r->dev, 1u << PERGOLA_EVENT_MMIO, observe, NULL);
   scratch_writes = 0;
   rig_set(r, 0x12098, ~(1u << 14)); /* HWSTAM: sync status */
   rig_set(r, 0x1209c, 0x01000100);  /* stop */
   assert_true(rig_reg(r, 0x1209c) & MI_MODE_IDLE);
   for (unsigned i = 0; i < 4; i++) {
      uint32_t saved = page[0];
      rig_set(r, 0x44018, 1u << 14); /* VCS-111: cleared before the next one */
      rig_set(r, 0x120c0, 0x00600060);
      assert_int_equal(rig_reg(r, 0x120c0) & INSTPM_SYNC_FLUSH, 0);
      assert_int_equal((page[0] ^ saved) & 1u << 14, 1u << 14);
   }
   assert_int_equal(scratch_writes, 4);
   assert_int_equal(rig_reg(r, 0x4f100), 0); /* the data is not published: storage stays */
   rig_clean(r);
   rig_set(r, 0x120c0, 0x00600060);
   rig_set(r, 0x120c0, 0x00600060); /* not cleared */
   rig_expect(r, "VCS-111");
   rig_set(r, 0x1209c, 0x01000000);
}

/* VCS-051: stop the ring and wait for idle first. */
static void
sync_flush_while_running(void **state)
{
   proves("VCS-051");
   struct rig *r = *state;
   rig_set(r, 0x1209c, 0x01000100);
   rig_set(r, 0x120c0, 0x00200020);
   rig_set(r, 0x1209c, 0x01000000);
   SUBMIT(r, VCS, LRI(1), 0x120c0, 0x00200000); /* asks for none */
   rig_clean(r);
   SUBMIT(r, VCS, LRI(1), 0x120c0, 0x00200020);
   assert_int_equal(rig_reg(r, 0x120c0) & INSTPM_SYNC_FLUSH, 0);
   assert_non_null(rig_find(r, "VCS-051"));
   assert_int_equal(rig_count(r, "VCS-051"), 1);
   assert_int_equal(rig_find(r, "VCS-051")->address, 0x120c0);
   rig_forget(r);
   /* by the host, between two turns of a ring that has more to do */
   RING(r, BCS, NOOP, NOOP, NOOP, NOOP, NOOP, NOOP, NOOP, NOOP);
   assert_int_equal(pergola_run(r->dev, 4), PERGOLA_RUN_BUDGET);
   rig_set(r, 0x220c0, 0x00200020);
   rig_expect(r, "VCS-051");
   assert_int_equal(rig_run(r), PERGOLA_RUN_IDLE);
}

/* VCS-046, VCS-048: TLB Invalidate belongs to a sync flush: a changed page table entry is seen
 * afterwards. */
static void
sync_flush_forgets_translations(void **state)
{
   proves("VCS-046", "VCS-048");
   struct rig *r = *state;
   rig_ppgtt(r);
   SUBMIT(r, VCS, SDI & ~GLOBAL, 0, RIG_DATA, 1);
   *(uint32_t *)(r->ram + 0x800000 + 4 * (RIG_DATA >> 12)) = (RIG_PHYS + 0xa00000) | 7;
   rig_set(r, 0x1209c, 0x01000100);
   rig_set(r, 0x120c0, 0x02600260);
   assert_int_equal(rig_reg(r, 0x120c0) & 0x20, 0);
   rig_set(r, 0x1209c, 0x01000000);
   SUBMIT(r, VCS, SDI & ~GLOBAL, 0, RIG_DATA, 2);
   assert_int_equal(*rig_pp(r, RIG_DATA), 1);
   assert_int_equal(*(uint32_t *)(r->ram + 0xa00000), 2);
}

/* VCS-046: a sync flush without the bit leaves translations alone. */
static void
sync_flush_alone_keeps_translations(void **state)
{
   rig_looks_at_caches(*state);
   proves("VCS-046", "VCS-049");
   struct rig *r = *state;
   rig_ppgtt(r);
   SUBMIT(r, VCS, SDI & ~GLOBAL, 0, RIG_DATA, 1);
   *(uint32_t *)(r->ram + 0x800000 + 4 * (RIG_DATA >> 12)) = (RIG_PHYS + 0xa00000) | 7;
   rig_set(r, 0x1209c, 0x01000100);
   rig_set(r, 0x120c0, 0x00200020);
   assert_int_equal(rig_reg(r, 0x120c0) & INSTPM_SYNC_FLUSH, 0);
   rig_set(r, 0x1209c, 0x01000000);
   SUBMIT(r, VCS, SDI & ~GLOBAL, 0, RIG_DATA, 2);
   assert_int_equal(*rig_pp(r, RIG_DATA), 2);
}

/* While the flush is held back, so is the invalidation that belongs to it. */
static void
suspended_flush_keeps_translations(void **state)
{
   rig_looks_at_caches(*state);
   proves("VCS-046", "VCS-032");
   struct rig *r = *state;
   rig_ppgtt(r);
   SUBMIT(r, VCS, SDI & ~GLOBAL, 0, RIG_DATA, 1, GEN7_MI_SUSPEND_FLUSH_HEADER | 1);
   *(uint32_t *)(r->ram + 0x800000 + 4 * (RIG_DATA >> 12)) = (RIG_PHYS + 0xa00000) | 7;
   rig_set(r, 0x120c0, 0x02200220);
   assert_true(rig_reg(r, 0x120c0) & INSTPM_SYNC_FLUSH);
   SUBMIT(r, VCS, SDI & ~GLOBAL, 0, RIG_DATA, 2);
   assert_int_equal(*rig_pp(r, RIG_DATA), 2);
   SUBMIT(r, VCS, GEN7_MI_SUSPEND_FLUSH_HEADER, SDI & ~GLOBAL, 0, RIG_DATA, 3);
   assert_int_equal(*rig_pp(r, RIG_DATA), 2);
   assert_int_equal(*(uint32_t *)(r->ram + 0xa00000), 3);
}

/* RCS-218, VCS-279, VCS-280, VCS-112, CS-015: bit 0, 12 or 22; parsing goes on. */
static void
user_interrupts(void **state)
{
   proves("RCS-218", "VCS-279", "VCS-280", "VCS-112", "CS-015");
   struct rig *r = *state;
   static const uint32_t bit[ENGINE_COUNT] = {0, 12, 22};
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      rig_set(r, 0x44018, 0xffffffff);
      rig_set(r, 0x44018, 0xffffffff);
      *rig_ggtt(r, RIG_DATA) = 0;
      SUBMIT(r, e, GEN7_MI_USER_INTERRUPT_HEADER, NOOP, SDI, 0, RIG_DATA, 1);
      assert_int_equal(rig_reg(r, 0x44018), 1u << bit[e]);
      assert_int_equal(*rig_ggtt(r, RIG_DATA), 1);
      assert_true(r->line);
   }
   rig_clean(r);
}

/* RCS-223, CS-020: display commands are accepted and named. */
static void
display_commands(void **state)
{
   proves("RCS-223", "CS-020");
   struct rig *r = *state;
   SUBMIT(r, RCS, GEN7_MI_DISPLAY_FLIP_HEADER | 1, 0x1000, 0x100000, NOOP);
   assert_int_equal(rig_count(r, "RCS-223"), 1);
   rig_clean(r);
   SUBMIT(r, RCS, GEN7_MI_LOAD_SCAN_LINES_INCL_HEADER, 5u << 16 | 10,
          GEN7_MI_LOAD_SCAN_LINES_EXCL_HEADER, 0);
   assert_int_equal(rig_count(r, "CS-020"), 2);
   rig_clean(r);
   SUBMIT(r, RCS, GEN7_MI_DISPLAY_FLIP_HEADER | 1, 1u << 16, 0x100000, NOOP);
   assert_true(rig_count(r, "RCS-223") > 1); /* reserved bits */
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
   const struct CMUnitTest tests[] = {
       T(mailboxes_of_all_engines),
       T(host_wakes_a_waiter),
       T(register_select),
       T(semaphores_in_memory),
       T(semaphore_restrictions),
       T(endless_wait_is_named),
       T(chain_of_three),
       T(condition_codes),
       T(display_events),
       T(event_selects),
       T(arbitration_off),
       T(arbitration_pairs),
       T(arbitration_check_in_a_batch),
       T(suspended_flush),
       T(sync_flush),
       T(sync_flush_while_running),
       T(sync_flush_forgets_translations),
       T(sync_flush_alone_keeps_translations),
       T(suspended_flush_keeps_translations),
       T(user_interrupts),
       T(display_commands),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
