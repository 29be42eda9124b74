/* The streamer and the media pipeline: what waits for threads, what is invalidated, indirect
 * dispatch. */
#include "../media/stage.h"

#include "eu/op.h"
#include "surface/cache.h"
#include "tests/proves.h"

static void
put_object(struct stage *s)
{
   uint32_t dw[GEN7_MEDIA_OBJECT_LENGTH + 8] = {0};
   struct hw_media_object o = {0};
   gen7_media_object_pack(dw, &o);
   dw[0] += 8; /* eight dwords of inline data */
   rig_ring(s->rig, RCS, dw, COUNT(dw));
}

/* Notes what memory and state are when it runs, and writes. */
static enum eu_stop
actor_looks(struct stage *s, struct eu_thread *t, unsigned step)
{
   s->value[0]++;
   s->value[1] |= *rig_ggtt(s->rig, RIG_DATA);
   s->value[2] = cs_state_bases(s->dev)->general;
   s->value[3] = cs_pipeline(s->dev);
   *rig_ggtt(s->rig, RIG_DATA + 64) = 0x77;
   return stage_end(t);
}

/* RCS-076, RCS-078, RCS-079, RCS-080, RCS-094, RCS-127: what was parsed before is finished, its
 * writes visible, before the post-sync write and whatever follows. */
static void
pipe_control_waits_for_threads(void **state)
{
   proves("RCS-076", "RCS-078", "RCS-079", "RCS-080", "RCS-094", "RCS-127");
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[0] = actor_looks;
   static const uint32_t flags[] = {1u << 20 | 1u << 14, 1u << 14, 1u << 20 | 1u << 5 | 1u << 14,
                                    1u << 12 | 1u << 14};
   for (unsigned i = 0; i < COUNT(flags); i++) {
      memset(s->value, 0, sizeof(s->value));
      *rig_ggtt(s->rig, RIG_DATA) = 0;
      *rig_ggtt(s->rig, RIG_DATA + 64) = 0;
      for (unsigned k = 0; k < 5; k++)
         put_object(s);
      RING(s->rig, RCS, PC, flags[i] | 1u << 24, RIG_DATA, 1, 0, LRM, 0x2400, RIG_DATA + 64);
      rig_run(s->rig);
      assert_int_equal(s->value[0], 5);
      assert_int_equal(s->value[1], 0); /* nobody saw the post-sync write */
      assert_int_equal(*rig_ggtt(s->rig, RIG_DATA), 1);
      assert_int_equal(rig_reg(s->rig, 0x2400), 0x77); /* and the threads' write was there */
      assert_true(media_idle(s->media));
   }
   assert_quiet(s);
}

/* RCS-163, RCS-070: new base addresses and another pipe wait for the threads of the old. */
static void
state_changes_wait_for_threads(void **state)
{
   proves("RCS-163", "RCS-070");
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[0] = actor_looks;
   uint32_t old = cs_state_bases(s->dev)->general;
   put_object(s);
   RING(s->rig, RCS, GEN7_STATE_BASE_ADDRESS_HEADER | 8, 0x300001, 0, 0, 0, 0, 0, 0, 0, 0);
   rig_run(s->rig);
   assert_int_equal(s->value[0], 1);
   assert_int_equal(s->value[2], old);
   assert_int_equal(cs_state_bases(s->dev)->general, 0x300000);
   stage_standard(s, false);
   s->value[0] = 0;
   put_object(s);
   RING(s->rig, RCS, GEN7_PIPELINE_SELECT_HEADER);
   rig_run(s->rig);
   assert_int_equal(s->value[0], 1);
   assert_int_equal(s->value[3], PIPELINE_MEDIA);
   assert_int_equal(cs_pipeline(s->dev), PIPELINE_3D);
}

/* RCS-073, RCS-075, RCS-091, RCS-097: each invalidation drops its own cache and no other, at once.
 */
static void
invalidations(void **state)
{
   proves("RCS-073", "RCS-075", "RCS-091", "RCS-097");
   struct stage *s = *state;
   static const struct {
      uint32_t flags;
      bool instructions, state;
   } cases[] = {
       {1u << 11, true, false},          {1u << 2, false, true},  {1u << 10, false, true},
       {1u << 3, false, true},           {1u << 4, false, false}, {1u << 1, false, false},
       {1u << 11 | 1u << 2, true, true},
   };
   rig_set(s->rig, 0x229c, 0x20002000); /* no implicit TLB invalidation */
   for (unsigned i = 0; i < COUNT(cases); i++) {
      uint32_t e = s->dev->eu->generation, c = s->dev->surfaces->generation;
      SUBMIT(s->rig, RCS, PC, cases[i].flags, 0, 0, 0);
      assert_int_equal(s->dev->eu->generation != e, cases[i].instructions);
      assert_int_equal(s->dev->surfaces->generation != c, cases[i].state);
   }
   assert_quiet(s);
}

/* RCS-074: invalidating under running threads is named; after a stall it is fine. */
static void
invalidation_does_not_wait(void **state)
{
   proves("RCS-074");
   struct stage *s = *state;
   stage_standard(s, false);
   put_object(s);
   RING(s->rig, RCS, PC, 1u << 20 | 1u << 1, 0, 0, 0, NOOP, PC, 1u << 10, 0, 0, 0);
   rig_run(s->rig);
   assert_quiet(s);
   put_object(s);
   RING(s->rig, RCS, PC, 1u << 10, 0, 0, 0);
   rig_run(s->rig);
   assert_said(s, "RCS-074");
}

/* RCS-049, RCS-048: the set bits of every thread's mask. RCS-044: a zero dimension dispatches
 * nothing and is named. */
static void
threads_dispatched_counter(void **state)
{
   proves("RCS-049", "RCS-048", "RCS-044", "RCS-042");
   struct stage *s = *state;
   stage_standard(s, true);
   struct hw_gpgpu_walker w = stage_walk(0, 16, 2, 3, 1, 1);
   w.right_execution_mask = 0x7;
   rig_set(s->rig, 0x2290, 0);
   stage_walker(s, &w);
   unsigned bits = 0;
   for (unsigned i = 0; i < s->count; i++)
      bits += (unsigned)__builtin_popcount(s->record[i].mask);
   assert_int_equal(s->count, 6);
   assert_int_equal(bits, 3 * 16 + 3 * 3);
   assert_int_equal(rig_reg(s->rig, 0x2290), bits);
   assert_quiet(s);
   s->count = 0;
   SUBMIT(s->rig, RCS, LRI(2), 0x2500, 1, 0x2504, 1);
   *rig_ggtt(s->rig, RIG_DATA) = 0;
   SUBMIT(s->rig, RCS, LRM, 0x2508, RIG_DATA);
   w.indirect_parameter_enable = true;
   stage_walker(s, &w);
   assert_int_equal(s->count, 0);
   assert_int_equal(rig_reg(s->rig, 0x2290), bits);
   assert_int_equal(cs_state(s->dev->cs[RCS]), CS_IDLE);
   assert_true(rig_count(s->rig, "RCS-042") || rig_count(s->rig, "RCS-044"));
}

/* RCS-043: a guarded indirect walker is the last of its batch. */
static void
guarded_walker_is_the_last(void **state)
{
   proves("RCS-043");
   struct stage *s = *state;
   stage_standard(s, true);
   struct hw_gpgpu_walker w = stage_walk(0, 16, 1, 1, 1, 1);
   w.indirect_parameter_enable = true;
   uint32_t walker[GEN7_GPGPU_WALKER_LENGTH], batch[64], n = 0;
   gen7_gpgpu_walker_pack(walker, &w);
   rig_ggtt(s->rig, RIG_BATCH2)[0] = 1;
   for (unsigned d = 0; d < 3; d++) {
      uint32_t guard[] = {LRM, 0x2500 + 4 * d, RIG_BATCH2, CBBE | GLOBAL | 1u << 21, 0, RIG_BATCH2};
      memcpy(batch + n, guard, sizeof(guard));
      n += COUNT(guard);
   }
   memcpy(batch + n, walker, sizeof(walker));
   n += GEN7_GPGPU_WALKER_LENGTH;
   rig_batch(s->rig, RCS, false, batch, n);
   assert_int_equal(s->count, 1);
   assert_quiet(s);
   memcpy(batch + n, walker, sizeof(walker));
   rig_batch(s->rig, RCS, false, batch, n + GEN7_GPGPU_WALKER_LENGTH);
   assert_said(s, "RCS-043");
   /* one that no guard stands before may have others behind it */
   memcpy(batch, walker, sizeof(walker));
   memcpy(batch + GEN7_GPGPU_WALKER_LENGTH, walker, sizeof(walker));
   rig_batch(s->rig, RCS, false, batch, 2 * GEN7_GPGPU_WALKER_LENGTH);
   assert_quiet(s);
}

/* CS-023, RCS-043: what a batch had that was left in the middle does not count for the next one. */
static void
guarded_walker_that_was_left(void **state)
{
   proves("CS-023", "RCS-043");
   struct stage *s = *state;
   struct hw_gpgpu_walker w = stage_walk(0, 16, 1, 1, 1, 1);
   uint32_t walker[GEN7_GPGPU_WALKER_LENGTH];
   for (unsigned reset = 0; reset < 2; reset++) {
      uint32_t *batch = rig_ggtt(s->rig, RIG_BATCH);
      stage_standard(s, true);
      rig_ggtt(s->rig, RIG_BATCH2)[0] = 1;
      for (unsigned d = 0; d < 3; d++, batch += 6)
         memcpy(
             batch,
             (uint32_t[]){LRM, 0x2500 + 4 * d, RIG_BATCH2, CBBE | GLOBAL | 1u << 21, 0, RIG_BATCH2},
             24);
      w.indirect_parameter_enable = true;
      gen7_gpgpu_walker_pack(batch, &w);
      memcpy(batch + GEN7_GPGPU_WALKER_LENGTH, (uint32_t[]){SEMA | 1u << 20 | 1u << 18, 1, 0}, 12);
      s->count = 0;
      assert_int_equal(SUBMIT(s->rig, RCS, BBS, RIG_BATCH), PERGOLA_RUN_WAITING);
      assert_int_equal(s->count, 1);
      if (reset)
         rig_reset(s->rig, RCS);
      else
         rig_start(s->rig, RCS, 4, 0);
      stage_standard(s, true);
      w.indirect_parameter_enable = false;
      gen7_gpgpu_walker_pack(walker, &w);
      rig_submit(s->rig, RCS, walker, GEN7_GPGPU_WALKER_LENGTH);
      assert_int_equal(s->count, 2);
      assert_null(rig_find(s->rig, "RCS-043"));
   }
   rig_forget(s->rig);
}

/* RCS-063, RCS-061: GPGPU_WALKER with Predicate Enable. RCS-181: media commands can be disabled. */
static void
walkers_can_be_switched_off(void **state)
{
   proves("RCS-063", "RCS-061", "RCS-181");
   struct stage *s = *state;
   stage_standard(s, true);
   struct hw_gpgpu_walker w = stage_walk(0, 16, 1, 1, 1, 1);
   w.predicate_enable = true;
   SUBMIT(s->rig, RCS, GEN7_MI_PREDICATE_HEADER | 2u << 6 | 1); /* false */
   stage_walker(s, &w);
   assert_int_equal(s->count, 0);
   SUBMIT(s->rig, RCS, GEN7_MI_PREDICATE_HEADER | 2u << 6); /* true */
   stage_walker(s, &w);
   assert_int_equal(s->count, 1);
   rig_set(s->rig, 0x20c0, 0x00080008);
   stage_walker(s, &w);
   assert_int_equal(s->count, 1);
   rig_set(s->rig, 0x20c0, 0x00080000);
   stage_walker(s, &w);
   assert_int_equal(s->count, 2);
   assert_quiet(s);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, stage_setup, stage_teardown)
   const struct CMUnitTest tests[] = {
       T(pipe_control_waits_for_threads),
       T(state_changes_wait_for_threads),
       T(invalidations),
       T(invalidation_does_not_wait),
       T(threads_dispatched_counter),
       T(guarded_walker_is_the_last),
       T(guarded_walker_that_was_left),
       T(walkers_can_be_switched_off),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
