/* The edges of the streamers' rules: the last value that is allowed beside the first that is not.
 */
#include "rig.h"

#include <stdio.h>
#include <string.h>
#include "tests/proves.h"

/* RCS-048: a write to either value's low dword resets all 64 bits. */
static void
thread_counter_is_reset_whole(void **state)
{
   proves("RCS-048");
   struct rig *r = *state;
   reg_set(r->dev, REG_GPGPU_THREADS_DISPATCHED, 0x1234);
   reg_set(r->dev, REG_GPGPU_THREADS_DISPATCHED + 4, 0x5678);
   rig_set(r, REG_GPGPU_THREADS_DISPATCHED, 0x99);
   assert_int_equal(rig_reg(r, REG_GPGPU_THREADS_DISPATCHED), 0);
   assert_int_equal(rig_reg(r, REG_GPGPU_THREADS_DISPATCHED + 4), 0);
}

/* RCS-055, VCS-307: each kind of fault has its bit in the arbiter's register of the engine. */
static void
kinds_of_faults(void **state)
{
   proves("RCS-055", "VCS-307");
   (void)state;
   static const struct {
      enum engine_id engine;
      uint32_t error, page, directory, unloaded;
   } c[] = {{RCS, 0x40a0, 1u << 0, 1u << 2, 1u << 8},
            {BCS, 0x40a0, 1u << 0, 1u << 2, 1u << 8},
            {VCS, 0x140a0, 1u << 0, 0, 1u << 8}};
   for (unsigned i = 0; i < COUNT(c); i++) {
      for (unsigned kind = 0; kind < 3; kind++) {
         struct rig *r = rig_create("ivb-gt2", PERGOLA_CHECK_REPORT);
         rig_ppgtt(r);
         uint32_t *pte = (uint32_t *)(r->ram + 0x800000 + 4 * (RIG_DATA >> 12));
         if (kind == 0)
            *pte = 0;
         if (kind == 2) {
            rig_set(r, engine_base[c[i].engine] + 0x220, 2);
            rig_set(r, engine_base[c[i].engine] + 0x228, (0x40000 * 4 / 64) << 16);
         }
         uint32_t address = kind == 1 ? 1u << 22 : RIG_DATA;
         SUBMIT(r, c[i].engine, SDI & ~GLOBAL, 0, address, 1);
         uint32_t want[] = {c[i].page, c[i].directory, c[i].unloaded};
         assert_int_equal(rig_reg(r, c[i].error), want[kind]);
         rig_destroy(r);
      }
   }
}

/* RCS-055, VCS-305: a context that cannot be fetched stops the engine, with a bit of its own. */
static void
context_that_is_not_there(void **state)
{
   proves("RCS-055", "VCS-305");
   struct rig *r = *state;
   SUBMIT(r, RCS, GEN7_MI_SET_CONTEXT_HEADER, 0x30000000 | 1u << 8, NOOP, NOOP);
   rig_expect(r, "VCS-305");
   assert_int_equal(cs_state(r->dev->cs[RCS]), CS_STOPPED);
   assert_int_equal(rig_reg(r, 0x40a0) & 1u << 1, 1u << 1);
}

static bool
told(struct rig *r, const char *rule, const char *words)
{
   for (struct rig_diagnostic *d = r->diagnostics; d; d = d->next)
      if (!strcmp(d->rule, rule) && strstr(d->message, words))
         return true;
   return false;
}

/* VCS-266, VCS-281: the video engine has fewer bits of length; each of the others is named. */
static void
reserved_bits_of_lengths(void **state)
{
   proves("VCS-266", "VCS-281");
   struct rig *r = *state;
   static const struct {
      uint32_t dw[3];
      unsigned bit;
      const char *rule;
   } c[] = {{{GEN7_MI_UPDATE_GTT_HEADER | GLOBAL, 0x2000000}, 6, "VCS-281"},
            {{GEN7_MI_UPDATE_GTT_HEADER | GLOBAL, 0x2000000}, 7, "VCS-281"},
            {{GEN7_MI_STORE_DATA_IMM_HEADER | GLOBAL, 0, RIG_DATA}, 8, "VCS-266"},
            {{GEN7_MI_STORE_DATA_IMM_HEADER | GLOBAL, 0, RIG_DATA}, 9, "VCS-266"}};
   for (unsigned i = 0; i < COUNT(c); i++) {
      uint32_t dw[1024] = {c[i].dw[0] | 1u << c[i].bit, c[i].dw[1], c[i].dw[2]};
      char words[64];
      snprintf(words, sizeof(words), "bits 0x%08x of", 1u << c[i].bit);
      rig_submit(r, VCS, dw, (1u << c[i].bit) + 2);
      assert_true(told(r, c[i].rule, words));
      rig_forget(r);
   }
   uint32_t most[65] = {GEN7_MI_UPDATE_GTT_HEADER | GLOBAL | 63, 0x2000000};
   rig_submit(r, VCS, most, 65);
   rig_clean(r);
}

/* RCS-101: a post-sync write needs its address, and immediate data its data. */
static void
shortest_post_sync_writes(void **state)
{
   proves("RCS-101");
   struct rig *r = *state;
   uint32_t *d = rig_ggtt(r, RIG_DATA);
   d[0] = d[1] = 0;
   reg_set(r->dev, REG_PS_DEPTH_COUNT, 0x77);
   SUBMIT(r, RCS, PC - 2, 2u << 14 | 1u << 13 | 1u << 24, RIG_DATA, NOOP);
   rig_clean(r);
   assert_int_equal(d[0], 0x77);
   SUBMIT(r, RCS, PC - 2, 1u << 14 | 1u << 24, RIG_DATA, NOOP);
   rig_expect(r, "RCS-101");
   assert_int_equal(d[0], 0x77);
}

/* RCS-119: the flushes may stand beside a TLB invalidation. RCS-227: no interrupt unless asked. */
static void
companions_of_pipe_control(void **state)
{
   proves("RCS-119", "RCS-227");
   struct rig *r = *state;
   static const uint32_t beside[] = {0, 1u << 0, 1u << 1, 1u << 5, 1u << 12};
   for (unsigned i = 0; i < COUNT(beside); i++) {
      SUBMIT(r, RCS, PC, 1u << 18 | 1u << 20 | 1u << 14 | 1u << 24 | beside[i], RIG_DATA, 1, 0);
      rig_clean(r);
   }
   assert_int_equal(rig_reg(r, 0x44018), 0);
   SUBMIT(r, RCS, PC, 1u << 14 | 1u << 24 | 1u << 8, RIG_DATA, 1, 0);
   assert_int_equal(rig_reg(r, 0x44018), 1u << 4);
}

/* VCS-107, VCS-237: MI_FLUSH_DW notifies when bit 8 says so, and only then. VCS-198: two dwords are
 * enough without a store. */
static void
notification_of_flush_dw(void **state)
{
   proves("VCS-107", "VCS-237", "VCS-198");
   struct rig *r = *state;
   SUBMIT(r, VCS, GEN7_MI_FLUSH_DW_HEADER, 0);
   rig_clean(r);
   SUBMIT(r, VCS, FLUSH_DW | 1u << 14, RIG_DATA | 4, 0x11, 0);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 0x11);
   assert_int_equal(rig_reg(r, 0x44018), 0);
   SUBMIT(r, VCS, FLUSH_DW | 1u << 8 | 1u << 14, RIG_DATA | 4, 0x12, 0);
   assert_int_equal(rig_reg(r, 0x44018), 1u << 16);
   rig_clean(r);
}

/* CS-022: an instruction takes 2 ns of one EU; what is less than a nanosecond of all of them is
 * kept for the next. */
static void
small_work_adds_up(void **state)
{
   proves("CS-022");
   struct rig *r = *state;
   struct cs *cs = r->dev->cs[RCS];
   unsigned eus = r->dev->sku.half_slices * r->dev->sku.eus_per_half_slice;
   uint64_t before = cs->time_ns, executed = r->dev->eu_clock;
   for (unsigned i = 0; i < 10 * eus; i++)
      cs_work(cs, 1);
   assert_int_equal(cs->time_ns - before, 20);
   assert_int_equal(r->dev->eu_clock - executed, 10 * eus);
}

/* VCS-319, VCS-068: the first tail, and the first head, that does not lie in the ring. */
static void
ends_of_the_ring(void **state)
{
   proves("VCS-319", "VCS-068");
   (void)state;
   for (uint32_t pages = 1; pages < 4; pages++) {
      struct rig *r = rig_create("ivb-gt2", PERGOLA_CHECK_REPORT);
      rig_start(r, VCS, pages, 0);
      rig_set(r, 0x12030, pages * 4096 - 8);
      rig_run(r);
      rig_clean(r);
      rig_set(r, 0x12030, pages * 4096);
      rig_expect(r, "VCS-319");
      rig_run(r);
      rig_forget(r);
      for (unsigned beyond = 0; beyond < 2; beyond++) {
         rig_set(r, 0x1203c, 0);
         rig_set(r, 0x12030, 0);
         rig_set(r, 0x12034, pages * 4096 - (beyond ? 0 : 4));
         rig_set(r, 0x1203c, (pages - 1) << 12 | 1);
         assert_int_equal(rig_count(r, "VCS-068"), beyond);
         rig_forget(r);
      }
      rig_destroy(r);
   }
}

/* RCS-042: no dimension may be loaded with 0. */
static void
dimensions_of_zero(void **state)
{
   proves("RCS-042");
   struct rig *r = *state;
   for (uint32_t offset = 0x2500; offset <= 0x2508; offset += 4) {
      SUBMIT(r, RCS, LRI(1), offset, 1, NOOP);
      rig_clean(r);
      SUBMIT(r, RCS, LRI(1), offset, 0, NOOP);
      rig_expect(r, "RCS-042");
   }
   SUBMIT(r, RCS, LRI(1), 0x250c, 0, NOOP); /* behind the last of them */
   assert_int_equal(rig_count(r, "RCS-042"), 0);
}

/* RCS-003, VCS-035: MI_MODE tells whether the engine is at rest, and changes in nothing else.
 * RCS-216, VCS-278: MI_SUSPEND_FLUSH sets and clears its bit alone. */
static void
bits_of_mi_mode(void **state)
{
   proves("RCS-003", "VCS-035", "RCS-216", "VCS-278");
   struct rig *r = *state;
   for (enum engine_id e = RCS; e <= VCS; e++) {
      uint32_t mode = engine_base[e] + 0x9c;
      uint32_t idle = rig_reg(r, mode);
      assert_int_equal(idle >> 9 & 1, 1);
      SUBMIT(r, e, GEN7_MI_SUSPEND_FLUSH_HEADER | 1, NOOP);
      assert_int_equal(rig_reg(r, mode), idle | 1u << 15);
      SUBMIT(r, e, GEN7_MI_SUSPEND_FLUSH_HEADER, NOOP);
      assert_int_equal(rig_reg(r, mode), idle);
      /* a wait that does not end: not at rest */
      assert_int_equal(SUBMIT(r, e, SEMA | 1u << 20 | 1u << 18 | 2u << 16, 5, 0),
                       PERGOLA_RUN_WAITING);
      assert_int_equal(rig_reg(r, mode), idle & ~(1u << 9));
   }
}

/* RCS-160, VCS-066: behind a wrap too, a command is taken when the tail has passed all of it. */
static void
tail_behind_the_wrap(void **state)
{
   proves("RCS-160", "VCS-066");
   struct rig *r = *state;
   for (enum engine_id e = RCS; e <= VCS; e++) {
      rig_start(r, e, 1, 0);
      uint32_t dw[] = {SDI, 0, RIG_DATA + 64 * e, 2};
      memcpy(rig_ggtt(r, RIG_RING(e) + 0xff8), dw, 8);
      memcpy(rig_ggtt(r, RIG_RING(e)), dw + 2, 8);
      rig_set(r, engine_base[e] + 0x30, 0xff8);
      assert_int_equal(rig_run(r), PERGOLA_RUN_IDLE);
      rig_set(r, engine_base[e] + 0x30, 0);
      assert_int_equal(rig_run(r), PERGOLA_RUN_WAITING);
      assert_int_equal(*rig_ggtt(r, RIG_DATA + 64 * e), 0);
      rig_forget(r);
      rig_set(r, engine_base[e] + 0x30, 8);
      assert_int_equal(rig_run(r), PERGOLA_RUN_IDLE);
      assert_int_equal(*rig_ggtt(r, RIG_DATA + 64 * e), 2);
   }
}

/* RCS-005: GFX_MODE[13] clear: translations outlive the start of a batch. */
static void
translations_at_the_start_of_a_batch(void **state)
{
   rig_looks_at_caches(*state);
   proves("RCS-005");
   struct rig *r = *state;
   rig_ppgtt(r);
   uint32_t *pte = (uint32_t *)(r->ram + 0x800000 + 4 * (RIG_DATA >> 12));
   uint32_t *there = rig_pp(r, RIG_DATA), *elsewhere = (uint32_t *)(r->ram + 0xa00000);
   uint32_t here = *pte, moved = (RIG_PHYS + 0xa00000) | 7;
   for (unsigned set = 0; set < 2; set++) {
      rig_set(r, 0x229c, set ? 0x20002000 : 0x20000000);
      *pte = here;
      *there = *elsewhere = 0;
      SUBMIT(r, RCS, PC, 1u << 18 | 1u << 20 | 1u << 14 | 1u << 24, RIG_DATA + 64, 0, 0,
             SDI & ~GLOBAL, 0, RIG_DATA, 1);
      assert_int_equal(*there, 1);
      *pte = moved;
      BATCH(r, RCS, false, SDI & ~GLOBAL, 0, RIG_DATA, 3);
      assert_int_equal(*there, set ? 1 : 3);
      assert_int_equal(*elsewhere, set ? 3 : 0);
   }
}

/* RCS-211, VCS-263, VCS-264: the ranges whose data is undefined, to their ends. */
static void
undefined_reads(void **state)
{
   proves("RCS-211", "VCS-263", "VCS-264");
   struct rig *r = *state;
   static const uint32_t undefined[] = {0x8800, 0x88fc, 0xc0000, 0x3b0, 0x3dc, 0x2020};
   static const uint32_t defined[] = {0x2358, 0x12358, 0xbfffc, 0x8900, 0x3e0};
   for (unsigned i = 0; i < COUNT(undefined); i++) {
      SUBMIT(r, RCS, SRM, undefined[i], RIG_DATA, NOOP);
      rig_expect(r, "RCS-211");
      rig_forget(r);
   }
   for (unsigned i = 0; i < COUNT(defined); i++) {
      SUBMIT(r, RCS, SRM, defined[i], RIG_DATA, NOOP);
      assert_int_equal(rig_count(r, "RCS-211"), 0);
      rig_forget(r);
   }
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
   const struct CMUnitTest tests[] = {
       T(thread_counter_is_reset_whole),
       cmocka_unit_test(kinds_of_faults),
       T(context_that_is_not_there),
       T(reserved_bits_of_lengths),
       T(shortest_post_sync_writes),
       T(companions_of_pipe_control),
       T(notification_of_flush_dw),
       T(small_work_adds_up),
       cmocka_unit_test(ends_of_the_ring),
       T(dimensions_of_zero),
       T(bits_of_mi_mode),
       T(tail_behind_the_wrap),
       T(translations_at_the_start_of_a_batch),
       T(undefined_reads),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
