/* Batch buffers: levels, security, conditional end. */
#include "rig.h"

#include <string.h>
#include "tests/proves.h"

#define SECOND (1u << 22)
#define NONSECURE (1u << 8)

static void
put(uint32_t *to, const uint32_t *dw, unsigned count)
{
   memcpy(to, dw, count * 4);
}
#define PUT(to, ...)                                                                               \
   put(to, (const uint32_t[]){__VA_ARGS__}, COUNT(((const uint32_t[]){__VA_ARGS__})))

/* VCS-216, RCS-205, RCS-206, VCS-207, VCS-208: a batch runs to its end and the ring goes on behind
 * the start; a chained batch returns to the ring too. */
static void
first_level_and_chaining(void **state)
{
   proves("VCS-216", "RCS-205", "RCS-206", "VCS-207", "VCS-208");
   struct rig *r = *state;
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      PUT(rig_ggtt(r, RIG_BATCH), SDI, 0, RIG_DATA, 1 + e, BBS, RIG_BATCH2, SDI, 0, RIG_DATA + 12,
          9);
      PUT(rig_ggtt(r, RIG_BATCH2), SDI, 0, RIG_DATA + 4, 2 + e, BBE, 0);
      SUBMIT(r, e, BBS, RIG_BATCH, SDI, 0, RIG_DATA + 8, 3 + e);
      assert_int_equal(rig_ggtt(r, RIG_DATA)[0], 1 + e);
      assert_int_equal(rig_ggtt(r, RIG_DATA)[1], 2 + e);
      assert_int_equal(rig_ggtt(r, RIG_DATA)[2], 3 + e);
      assert_int_equal(rig_ggtt(r, RIG_DATA)[3], 0); /* behind the chain: never */
   }
   rig_clean(r);
}

/* VCS-208, VCS-215, VCS-217: three storages: ring, first level, second level. */
static void
second_level_returns_to_first(void **state)
{
   proves("VCS-208", "VCS-215", "VCS-217");
   struct rig *r = *state;
   PUT(rig_ggtt(r, RIG_BATCH), BBS | SECOND, RIG_BATCH2, SDI, 0, RIG_DATA + 4, 2, BBS | SECOND,
       RIG_BATCH2, SDI, 0, RIG_DATA + 8, 3, BBE, 0);
   PUT(rig_ggtt(r, RIG_BATCH2), SDI, 0, RIG_DATA, 1, BBE, 0);
   SUBMIT(r, VCS, BBS, RIG_BATCH, SDI, 0, RIG_DATA + 12, 4);
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(rig_ggtt(r, RIG_DATA)[i], i + 1);
   rig_clean(r);
   /* from the ring there is no first level to return to: taken as one */
   SUBMIT(r, VCS, BBS | SECOND, RIG_BATCH2, SDI, 0, RIG_DATA + 12, 5);
   assert_int_equal(rig_ggtt(r, RIG_DATA)[3], 5);
   rig_expect(r, "VCS-217");
}

/* VCS-219: no chaining in the second level; VCS-220: the storage is overwritten. */
static void
second_level_chaining(void **state)
{
   proves("VCS-219", "VCS-220");
   struct rig *r = *state;
   PUT(rig_ggtt(r, RIG_BATCH), BBS | SECOND, RIG_BATCH2, SDI, 0, RIG_DATA + 4, 2, BBE, 0);
   PUT(rig_ggtt(r, RIG_BATCH2), BBS | SECOND, RIG_BATCH2 + 64, BBE, 0);
   PUT(rig_ggtt(r, RIG_BATCH2 + 64), SDI, 0, RIG_DATA, 1, BBE, 0);
   SUBMIT(r, VCS, BBS, RIG_BATCH);
   assert_int_equal(rig_ggtt(r, RIG_DATA)[0], 1);
   assert_int_equal(rig_ggtt(r, RIG_DATA)[1], 2);
   rig_expect(r, "VCS-219");
   /* VCS-220: a first level start inside the second level replaces the first level */
   PUT(rig_ggtt(r, RIG_BATCH2), BBS, RIG_BATCH2 + 64, BBE, 0);
   memset(rig_ggtt(r, RIG_DATA), 0, 16);
   SUBMIT(r, VCS, BBS, RIG_BATCH);
   assert_int_equal(rig_ggtt(r, RIG_DATA)[0], 1);
   assert_int_equal(rig_ggtt(r, RIG_DATA)[1], 0);
   rig_clean(r);
}

/* VCS-218: no non-secure second level from a non-secure first level; VCS-220: it runs all the same.
 */
static void
second_level_security(void **state)
{
   proves("VCS-218", "VCS-220");
   struct rig *r = *state;
   rig_ppgtt(r);
   PUT(rig_pp(r, RIG_BATCH), BBS | SECOND | NONSECURE, RIG_BATCH2, BBE, 0);
   PUT(rig_pp(r, RIG_BATCH2), SDI & ~GLOBAL, 0, RIG_DATA, 1, BBE, 0);
   SUBMIT(r, VCS, BBS | NONSECURE, RIG_BATCH);
   assert_int_equal(*rig_pp(r, RIG_DATA), 1);
   rig_expect(r, "VCS-218");
   PUT(rig_ggtt(r, RIG_BATCH), BBS | SECOND, RIG_BATCH2, BBE, 0);
   PUT(rig_ggtt(r, RIG_BATCH2), SDI, 0, RIG_DATA, 2, BBE, 0);
   SUBMIT(r, VCS, BBS, RIG_BATCH);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 2);
   rig_clean(r);
}

/* RCS-205, CS-013: bit 22 is reserved on the render engine and the blitter. */
static void
second_level_elsewhere(void **state)
{
   proves("RCS-205", "CS-013");
   struct rig *r = *state;
   PUT(rig_ggtt(r, RIG_BATCH2), SDI, 0, RIG_DATA, 1, BBE, 0);
   BATCH(r, RCS, false, BBS | SECOND, RIG_BATCH2, SDI, 0, RIG_DATA + 4, 2);
   assert_int_equal(rig_ggtt(r, RIG_DATA)[1], 2);
   rig_expect(r, "RCS-205");
   BATCH(r, BCS, false, BBS | SECOND, RIG_BATCH2);
   rig_expect(r, "CS-013");
   BATCH(r, BCS, false, NOOP);
   rig_clean(r);
   SUBMIT(r, BCS, BBS | 1u << 11,
          RIG_BATCH); /* Clear Command Buffer Enable is the render engine's */
   rig_expect(r, "CS-013");
}

/* VCS-221, VCS-223, VCS-328: the first batch decides the space and the privilege of all that is
 * called from it. */
static void
security_is_inherited(void **state)
{
   proves("VCS-221", "VCS-223", "VCS-328", "VCS-297");
   struct rig *r = *state;
   rig_ppgtt(r);
   /* a non-secure batch asks for a secure one: the per-process space is kept */
   PUT(rig_pp(r, RIG_BATCH), BBS, RIG_BATCH2);
   PUT(rig_pp(r, RIG_BATCH2), SDI & ~GLOBAL, 0, RIG_DATA, 1, LRI(1), 0x12040, 7, BBE);
   PUT(rig_ggtt(r, RIG_BATCH2), SDI, 0, RIG_DATA, 9, BBE, 0);
   SUBMIT(r, VCS, BBS | NONSECURE, RIG_BATCH);
   assert_int_equal(*rig_pp(r, RIG_DATA), 1);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 0);
   assert_int_equal(rig_reg(r, 0x12040), 0); /* still restricted */
   assert_int_equal(rig_count(r, "VCS-223"), 1);
   assert_int_equal(rig_count(r, "VCS-297"), 1);
   rig_forget(r);
   /* MI_STORE_DATA_IMM to the per-process space is allowed, a secure batch may do both */
   BATCH(r, VCS, false, SDI & ~GLOBAL, 0, RIG_DATA, 3, SDI, 0, RIG_DATA, 4, LRI(1), 0x12040, 7);
   assert_int_equal(*rig_pp(r, RIG_DATA), 3);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 4);
   assert_int_equal(rig_reg(r, 0x12040), 7);
   rig_clean(r);
}

/* VCS-222: non-secure needs the per-process GTT. */
static void
nonsecure_needs_ppgtt(void **state)
{
   proves("VCS-222", "RCS-205");
   struct rig *r = *state;
   PUT(rig_ggtt(r, RIG_BATCH), SDI & ~GLOBAL, 0, RIG_DATA, 6, BBE, 0);
   SUBMIT(r, VCS, BBS | NONSECURE, RIG_BATCH);
   rig_expect(r, "VCS-222");
   SUBMIT(r, RCS, BBS | NONSECURE, RIG_BATCH);
   rig_expect(r, "RCS-205");
   rig_ppgtt(r);
   PUT(rig_pp(r, RIG_BATCH), SDI & ~GLOBAL, 0, RIG_DATA, 6, BBE, 0);
   SUBMIT(r, VCS, BBS | NONSECURE, RIG_BATCH);
   rig_clean(r);
}

/* VCS-224: the address is dword granular; BB_ADDR shows 31:3 (VCS-140 shows where). */
static void
batch_alignment(void **state)
{
   proves("VCS-224", "VCS-140");
   struct rig *r = *state;
   PUT(rig_ggtt(r, RIG_BATCH + 4), SEMA | 1u << 20 | 1u << 18, 5, 0, BBE);
   RING(r, VCS, BBS, RIG_BATCH + 4);
   rig_run(r);
   assert_int_equal(rig_reg(r, 0x12074), RIG_BATCH + 4);
   assert_int_equal(rig_reg(r, 0x12140), RIG_BATCH | 1);
   rig_set(r, 0x12040, 6);
   rig_run(r);
   assert_int_equal(rig_reg(r, 0x12140) & 7, 0); /* bits 2 and 1 are never there */
   PUT(rig_ggtt(r, RIG_BATCH + 4), SEMA | 1u << 20 | 1u << 18, 5, 0, BBE);
   RING(r, RCS, BBS, RIG_BATCH + 4);
   rig_run(r);
   assert_int_equal(rig_reg(r, 0x2140), (RIG_BATCH + 4) | 1);
}

/* VCS-141, VCS-142: BB_ADDR is valid while a batch runs; software cannot write it. */
static void
batch_head_pointer(void **state)
{
   proves("VCS-141", "VCS-142");
   struct rig *r = *state;
   assert_int_equal(rig_reg(r, 0x12140) & 1, 0);
   PUT(rig_ggtt(r, RIG_BATCH), NOOP, NOOP, SEMA | 1u << 20 | 1u << 18, 5, 0, BBE);
   RING(r, VCS, BBS, RIG_BATCH);
   rig_run(r);
   assert_int_equal(rig_reg(r, 0x12140), (RIG_BATCH + 8) | 1);
   rig_forget(r);
   rig_set(r, 0x12140, 0);
   assert_int_equal(rig_reg(r, 0x12140), (RIG_BATCH + 8) | 1);
   assert_true(r->diagnostics != NULL); /* named as a write to a read-only register */
   rig_set(r, 0x12040, 6);
   rig_run(r);
   assert_int_equal(rig_reg(r, 0x12140) & 1, 0);
}

/* VCS-144, VCS-145, VCS-146: BB_STATE shows the effective security of both levels; only batch
 * starts set it. */
static void
batch_state(void **state)
{
   proves("VCS-077", "VCS-144", "VCS-145", "VCS-146");
   struct rig *r = *state;
   rig_ppgtt(r);
   assert_int_equal(rig_reg(r, 0x12110), 0);
   uint32_t wait[] = {SEMA | 1u << 20 | 1u << 18, 5, 0, BBE};
   put(rig_pp(r, RIG_BATCH2), wait, 4);
   PUT(rig_pp(r, RIG_BATCH), BBS | SECOND | NONSECURE, RIG_BATCH2, BBE, 0);
   RING(r, VCS, BBS | NONSECURE, RIG_BATCH);
   rig_run(r);
   assert_int_equal(rig_reg(r, 0x12110), 1u << 6 | 1u << 5);
   rig_set(r, 0x12110, 0);
   assert_int_equal(rig_reg(r, 0x12110), 1u << 6 | 1u << 5);
   rig_set(r, 0x12040, 6);
   rig_run(r);
   assert_int_equal(rig_reg(r, 0x12110), 0);
   rig_set(r, 0x12040, 0);
   put(rig_ggtt(r, RIG_BATCH), wait, 4);
   RING(r, VCS, BBS, RIG_BATCH);
   rig_run(r);
   assert_int_equal(rig_reg(r, 0x12110), 0); /* secure */
   /* a secure start from a non-secure batch shows what is in force */
   rig_set(r, 0x12040, 6);
   rig_run(r);
   rig_set(r, 0x12040, 0);
   PUT(rig_pp(r, RIG_BATCH), BBS, RIG_BATCH2);
   RING(r, VCS, BBS | NONSECURE, RIG_BATCH);
   rig_run(r);
   assert_int_equal(rig_reg(r, 0x12110), 1u << 5);
}

/* VCS-025, VCS-026: 0x12144 shows the second level address; the last one stays, and a CPU write is
 * stored. */
static void
second_level_address(void **state)
{
   proves("VCS-025", "VCS-026");
   struct rig *r = *state;
   rig_set(r, 0x12144, 0x1234);
   assert_int_equal(rig_reg(r, 0x12144), 0x1234);
   PUT(rig_ggtt(r, RIG_BATCH), BBS | SECOND, RIG_BATCH2, BBE, 0);
   PUT(rig_ggtt(r, RIG_BATCH2), NOOP, SEMA | 1u << 20 | 1u << 18, 5, 0, BBE, 0);
   RING(r, VCS, BBS, RIG_BATCH);
   rig_run(r);
   assert_int_equal(rig_reg(r, 0x12144), RIG_BATCH2 + 4);
   rig_set(r, 0x12040, 6);
   rig_run(r);
   assert_int_equal(rig_reg(r, 0x12144), RIG_BATCH2 + 4);
}

/* VCS-209: an end in the ring is a no-op that is named. */
static void
end_in_the_ring(void **state)
{
   proves("VCS-209");
   struct rig *r = *state;
   SUBMIT(r, VCS, BBE, NOOP, SDI, 0, RIG_DATA, 1);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 1);
   rig_expect(r, "VCS-209");
   assert_int_equal(rig_reg(r, 0x120b8), 0); /* no instruction error */
}

/* VCS-210, VCS-212, VCS-214: mask AND data of a QWord, unsigned, greater goes on. */
static void
conditional_end_on_video(void **state)
{
   proves("VCS-210", "VCS-212", "VCS-214", "VCS-211");
   struct rig *r = *state;
   static const struct {
      uint32_t mask, data, compare;
      bool on;
   } cases[] = {
       {0xffffffff, 5, 4, true},
       {0xffffffff, 5, 5, false},
       {0xff, 0x105, 4, true},
       {0xff, 0x105, 5, false},
       {0xffffffff, 0x80000000, 1, true},
       {0, 0xffffffff, 0, false},
       {0xffffffff, 0xffffffff, 0x7fffffff, true},
   };
   for (unsigned i = 0; i < COUNT(cases); i++) {
      rig_ggtt(r, RIG_DATA + 64)[0] = cases[i].mask;
      rig_ggtt(r, RIG_DATA + 64)[1] = cases[i].data;
      *rig_ggtt(r, RIG_DATA) = 0;
      BATCH(r, VCS, false, CBBE | GLOBAL | 1u << 21, cases[i].compare, RIG_DATA + 64, SDI, 0,
            RIG_DATA, 1);
      assert_int_equal(*rig_ggtt(r, RIG_DATA), cases[i].on);
   }
   rig_clean(r);
   *rig_ggtt(r, RIG_DATA) = 0; /* no comparison: a no-op */
   BATCH(r, VCS, false, CBBE | GLOBAL, 0, RIG_DATA + 64, SDI, 0, RIG_DATA, 1);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 1);
   rig_expect(r, "VCS-214");
}

/* RCS-207, RCS-208: one dword on the render engine; without a comparison the batch ends; without an
 * address it ends and is named. */
static void
conditional_end_on_render(void **state)
{
   proves("RCS-207", "RCS-208");
   struct rig *r = *state;
   static const struct {
      uint32_t value, compare;
      bool on;
   } cases[] = {{5, 4, true}, {5, 5, false}, {0, 0, false}, {1, 0, true}, {0x80000000, 1, true}};
   for (unsigned i = 0; i < COUNT(cases); i++) {
      rig_ggtt(r, RIG_DATA + 64)[0] = cases[i].value;
      rig_ggtt(r, RIG_DATA + 64)[1] = 0;
      *rig_ggtt(r, RIG_DATA) = 0;
      BATCH(r, RCS, false, CBBE | GLOBAL | 1u << 21, cases[i].compare, RIG_DATA + 64, SDI, 0,
            RIG_DATA, 1);
      assert_int_equal(*rig_ggtt(r, RIG_DATA), cases[i].on);
   }
   rig_clean(r);
   *rig_ggtt(r, RIG_DATA) = 0;
   BATCH(r, RCS, false, CBBE | GLOBAL, 0, RIG_DATA + 64, SDI, 0, RIG_DATA, 1);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 0);
   rig_expect(r, "RCS-208");
   BATCH(r, RCS, false, (CBBE & ~1u) | 1u << 21, 0, SDI, 0, RIG_DATA, 1);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 0);
   rig_expect(r, "RCS-208");
}

/* VCS-211: the global bit needs privilege; otherwise the per-process space is read. */
static void
conditional_end_address_space(void **state)
{
   proves("VCS-211", "VCS-212", "RCS-207");
   struct rig *r = *state;
   rig_ppgtt(r);
   rig_ggtt(r, RIG_DATA + 64)[0] = rig_ggtt(r, RIG_DATA + 64)[1] = 0;
   rig_pp(r, RIG_DATA + 64)[0] = rig_pp(r, RIG_DATA + 64)[1] = 0xff;
   BATCH(r, VCS, true, CBBE | GLOBAL | 1u << 21, 5, RIG_DATA + 64, SDI & ~GLOBAL, 0, RIG_DATA, 1);
   assert_int_equal(*rig_pp(r, RIG_DATA), 1); /* 0xff > 5 of the per-process page */
   rig_expect(r, "VCS-211");
   BATCH(r, VCS, false, CBBE | GLOBAL | 1u << 21, 5, RIG_DATA + 64, SDI, 0, RIG_DATA, 1);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 0); /* the global one ends it */
   BATCH(r, VCS, false, CBBE | 1u << 21, 5, RIG_DATA + 64, SDI, 0, RIG_DATA, 2);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 2);
   rig_clean(r);
}

/* VCS-213: in a first level batch only. */
static void
conditional_end_in_second_level(void **state)
{
   proves("VCS-213");
   struct rig *r = *state;
   rig_ggtt(r, RIG_DATA + 64)[0] = rig_ggtt(r, RIG_DATA + 64)[1] = 0xff;
   PUT(rig_ggtt(r, RIG_BATCH2), CBBE | GLOBAL | 1u << 21, 5, RIG_DATA + 64, BBE);
   BATCH(r, VCS, false, BBS | SECOND, RIG_BATCH2);
   rig_expect(r, "VCS-213");
   BATCH(r, VCS, false, CBBE | GLOBAL | 1u << 21, 5, RIG_DATA + 64);
   rig_clean(r);
}

/* CS-002: a batch that calls itself ends with the budget, and goes on when called again. */
static void
self_calling_batch(void **state)
{
   proves("CS-002");
   struct rig *r = *state;
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      PUT(rig_ggtt(r, RIG_BATCH), NOOP, NOOP, BBS, RIG_BATCH);
      RING(r, e, BBS, RIG_BATCH);
      assert_int_equal(pergola_run(r->dev, 1000), PERGOLA_RUN_BUDGET);
      assert_int_equal(pergola_run(r->dev, 1000), PERGOLA_RUN_BUDGET);
      PUT(rig_ggtt(r, RIG_BATCH), BBE, BBE, BBE, BBE);
      assert_int_equal(pergola_run(r->dev, 1000), PERGOLA_RUN_IDLE);
   }
}

/* RCS-224, VCS-297, CS-017: what becomes a no-op in a non-secure batch. */
static void
privileged_commands(void **state)
{
   proves("RCS-224", "VCS-297", "CS-017");
   struct rig *r = *state;
   rig_ppgtt(r);
   static const struct {
      uint32_t dw[4];
      unsigned count;
      bool on_blitter;
   } cases[] = {
       {{LRI(1), 0x2400, 1}, 3, true},
       {{GEN7_MI_UPDATE_GTT_HEADER | GLOBAL | 1, 0x1000000, 0x1234}, 3, true},
       {{SRM, 0x2400, RIG_DATA}, 3, true},
       {{LRM, 0x2400, RIG_DATA}, 3, true},
       {{GEN7_MI_DISPLAY_FLIP_HEADER | 1, 0, 0}, 3, true},
       {{GEN7_MI_ARB_ON_OFF_HEADER}, 1, false},
       {{GEN7_MI_ARB_CHECK_HEADER}, 1, true},
       {{GEN7_MI_WAIT_FOR_EVENT_HEADER | 1u << 16}, 1, true},
       {{SDI, 0, RIG_DATA, 77}, 4, true},
   };
   *rig_ggtt(r, RIG_DATA) = 5;
   rig_set(r, 0x2028, 0x00010001);
   for (unsigned i = 0; i < COUNT(cases); i++) {
      rig_batch(r, RCS, true, cases[i].dw, cases[i].count);
      assert_int_equal(cs_state(r->dev->cs[RCS]), CS_IDLE);
      rig_expect(r, "RCS-224");
   }
   assert_int_equal(rig_reg(r, 0x2400), 0);
   assert_int_equal(r->dev->gsm[0x1000], 0);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 5);
   assert_int_equal(*rig_pp(r, RIG_DATA), 0);
   assert_false(r->dev->cs[RCS]->arbitration_off);
   /* the same from a secure batch works */
   rig_batch(r, RCS, false, cases[0].dw, 3);
   rig_batch(r, RCS, false, cases[1].dw, 3);
   rig_batch(r, RCS, false, cases[8].dw, 4);
   assert_int_equal(rig_reg(r, 0x2400), 1);
   assert_int_equal(r->dev->gsm[0x1000], 0x1234);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 77);
   rig_clean(r);
}

/* What a non-secure batch may do is done in it. */
static void
commands_of_a_non_secure_batch(void **state)
{
   proves("VCS-207", "VCS-243", "VCS-247", "VCS-271", "VCS-276", "VCS-279");
   struct rig *r = *state;
   rig_ppgtt(r);
   rig_set(r, 0x44018, 0xffffffff);
   rig_set(r, 0x44018, 0xffffffff);
   BATCH(r, VCS, true, GEN7_MI_NOOP_HEADER | 1u << 22 | 7, GEN7_MI_USER_INTERRUPT_HEADER, SDX,
         0x200, 5, GEN7_MI_SUSPEND_FLUSH_HEADER | 1);
   assert_int_equal(rig_reg(r, 0x12094), 7);
   assert_int_equal(rig_reg(r, 0x44018), 1u << 12);
   assert_int_equal(*rig_ggtt(r, RIG_STATUS(VCS) + 0x200), 5);
   assert_true(rig_reg(r, 0x1209c) & MI_MODE_SUSPEND_FLUSH);
   assert_int_equal(rig_reg(r, 0x12140) & 1, 0); /* the batch has come to its end */
   rig_clean(r);
   BATCH(r, BCS, true, LRI(1), 0x22200, 0x00030003);
   assert_int_equal(rig_count(r, "RCS-224"), 0);
}

/* VCS-297: the video engine's outcomes. */
static void
privileged_commands_on_video(void **state)
{
   proves("VCS-297", "VCS-269");
   struct rig *r = *state;
   rig_ppgtt(r);
   BATCH(r, VCS, true, LRI(1), 0x12040, 1);
   assert_int_equal(rig_reg(r, 0x12040), 0);
   rig_expect(r, "VCS-297");
   BATCH(r, VCS, true, SRM, 0x12040, RIG_DATA);
   rig_expect(r, "VCS-297");
   *rig_pp(r, RIG_DATA) = 9;
   BATCH(r, VCS, true, LRM & ~GLOBAL, 0x12040, RIG_DATA);
   assert_int_equal(rig_reg(r, 0x12040), 0);
   rig_expect(r, "VCS-297");
   BATCH(r, VCS, true, SDI, 0, RIG_DATA, 1);
   rig_expect(r, "VCS-269");
   /* the flush and its notification are done, the global write is not */
   rig_set(r, 0x44018, 0xffffffff);
   BATCH(r, VCS, true, FLUSH_DW | 1u << 14 | 1u << 8, RIG_DATA | 4, 0x55, 0x66);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 0);
   assert_int_equal(rig_reg(r, 0x44018), 1u << 16);
   rig_expect(r, "VCS-297");
   BATCH(r, VCS, true, SDI & ~GLOBAL, 0, RIG_DATA, 1);
   assert_int_equal(*rig_pp(r, RIG_DATA), 1);
   rig_clean(r);
}

/* CS-012: the blitter's own control register may be loaded by anyone. */
static void
blitter_software_control(void **state)
{
   proves("CS-012", "RCS-224");
   struct rig *r = *state;
   rig_ppgtt(r);
   BATCH(r, BCS, true, LRI(1), 0x22200, 0x00030003);
   assert_int_equal(rig_count(r, "RCS-224"), 0);
   assert_int_equal(rig_reg(r, 0x22200) & 3, 3);
   BATCH(r, BCS, true, LRI(1), 0x222fc, 0);
   assert_int_equal(rig_count(r, "RCS-224"), 0);
   rig_forget(r);
   BATCH(r, BCS, true, LRI(1), 0x22040, 3);
   assert_int_equal(rig_reg(r, 0x22040), 0);
   rig_expect(r, "RCS-224");
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
   const struct CMUnitTest tests[] = {
       T(first_level_and_chaining),
       T(second_level_returns_to_first),
       T(second_level_chaining),
       T(second_level_security),
       T(second_level_elsewhere),
       T(security_is_inherited),
       T(nonsecure_needs_ppgtt),
       T(batch_alignment),
       T(batch_head_pointer),
       T(batch_state),
       T(second_level_address),
       T(end_in_the_ring),
       T(conditional_end_on_video),
       T(conditional_end_on_render),
       T(conditional_end_address_space),
       T(conditional_end_in_second_level),
       T(self_calling_batch),
       T(privileged_commands),
       T(privileged_commands_on_video),
       T(blitter_software_control),
       T(commands_of_a_non_secure_batch),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
