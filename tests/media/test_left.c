/* Commands and threads that are left in the middle: nothing of them reaches what comes next, and
 * nothing of what comes next is taken for them. */
#include "spawn.h"
#include "tests/proves.h"

#define REG_GDRST 0x941cu

static enum eu_stop
goes_on(struct stage *s, struct eu_thread *t, unsigned step)
{
   s->next_step = step + 1;
   return step < 3 ? EU_STOP_BUDGET : stage_end(t);
}

static void
object_dwords(uint32_t *dw, unsigned descriptor, unsigned group)
{
   gen7_gpgpu_object_pack(dw, &(struct hw_gpgpu_object){.interface_descriptor_offset = descriptor,
                                                        .thread_group_id_x = group,
                                                        .end_of_thread_group = true,
                                                        .execution_mask = 0xff});
}

#define SIDE 16u /* of a walk: more threads than the machine has slots */

static void
walker_dwords(uint32_t *dw, unsigned descriptor)
{
   struct hw_media_object_walker w = stage_raster(SIDE, SIDE);
   w.interface_descriptor_offset = descriptor;
   gen7_media_object_walker_pack(dw, &w);
}

/* CS-023: a GPGPU_OBJECT that was left with its ring does not swallow the next one. */
static void
object_after_one_that_was_left(void **state)
{
   proves("CS-023");
   struct stage *s = *state;
   uint32_t dw[GEN7_GPGPU_OBJECT_LENGTH];
   stage_standard(s, true);
   s->actor[1] = goes_on;
   object_dwords(dw, 1, 1);
   assert_int_equal(stage_direct(s, dw, GEN7_GPGPU_OBJECT_LENGTH, 1), CS_AGAIN);
   object_dwords(dw, 0, 2);
   assert_int_equal(stage_direct_all(s, dw, GEN7_GPGPU_OBJECT_LENGTH), CS_DONE);
   assert_int_equal(s->ended, 2);
   assert_int_equal(s->record[1].r[0][1], 2);
   assert_true(media_idle(s->media));
}

/* CS-023: so for MEDIA_OBJECT_WALKER; and one that a flush has run to its end while its command
 * waits is not walked twice. */
static void
walk_after_one_that_was_left(void **state)
{
   proves("CS-023");
   struct stage *s = *state;
   uint32_t dw[GEN7_MEDIA_OBJECT_WALKER_LENGTH];
   for (unsigned flushed = 0; flushed < 2; flushed++) {
      stage_standard(s, false);
      s->actor[1] = goes_on;
      s->count = s->ended = 0;
      walker_dwords(dw, 1);
      assert_int_equal(stage_direct(s, dw, GEN7_MEDIA_OBJECT_WALKER_LENGTH, 1), CS_AGAIN);
      uint64_t budget = 10000;
      if (flushed)
         assert_int_equal(media_drain(s->media, &budget), CS_DONE);
      else
         walker_dwords(dw, 2);
      assert_int_equal(stage_direct_all(s, dw, GEN7_MEDIA_OBJECT_WALKER_LENGTH), CS_DONE);
      stage_flush(s);
      assert_int_equal(s->ended, (flushed ? 1 : 2) * SIDE * SIDE);
      assert_int_equal(s->count, s->ended);
   }
   rig_forget(s->rig);
}

/* MEDIA-068, MEDIA-071: a group of GPGPU_OBJECTs that is complete is not preempted, even if its
 * first thread is still to come: no image could hold it. */
static void
closed_group_is_not_preempted(void **state)
{
   proves("MEDIA-068", "MEDIA-071");
   struct stage *s = *state;
   uint32_t dw[GEN7_GPGPU_OBJECT_LENGTH], flush[2] = {0x70040000, 0};
   stage_standard(s, true);
   gen7_gpgpu_object_pack(dw, &(struct hw_gpgpu_object){.execution_mask = 0xff});
   assert_int_equal(stage_direct_all(s, dw, GEN7_GPGPU_OBJECT_LENGTH), CS_DONE);
   reg_set(s->dev, 0x2134, 1);
   assert_int_equal(stage_direct(s, flush, 2, 0), CS_AGAIN);
   assert_int_equal(stage_direct_all(s, flush, 2), CS_DONE);
   assert_int_equal(s->media->job.phase, GPGPU_NONE);
   assert_int_equal(s->ended, 1);
}

static enum eu_stop
spawns_and_vanishes(struct stage *s, struct eu_thread *t, unsigned step)
{
   for (unsigned i = 0; i < 12; i++)
      spawn(t, 2, 0, 1, false);
   return EU_STOP_EOT; /* by a message to somebody else */
}

static enum eu_stop
child_ends(struct stage *s, struct eu_thread *t, unsigned step)
{
   return stage_end_child(t);
}

/* MEDIA-187, MEDIA-261: messages of a thread that ended without telling the spawner are still on
 * the bus when its slot could be taken: it is not, and the next one in it is not held for them. */
static void
messages_of_a_thread_that_has_gone(void **state)
{
   proves("MEDIA-187", "MEDIA-261", "MEDIA-268");
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = spawns_and_vanishes;
   s->actor[2] = child_ends;
   for (unsigned i = 0; i < 4; i++)
      stage_object(
          s, &(struct hw_media_object){.interface_descriptor_offset = 1, .children_present = true},
          one, 1);
   stage_flush(s);
   assert_said(s, "MEDIA-261");
   assert_null(rig_find(s->rig, "MEDIA-268")); /* nobody stands still */
   assert_int_equal(s->count, 4 * 13);
   assert_true(media_idle(s->media));
   for (unsigned i = 0; i < TS_MAX_THREADS; i++)
      assert_int_equal(s->media->ts->thread[i].unsent, 0);
   rig_forget(s->rig);
}

/* Writes register value[0] with value[1], once. */
static enum eu_stop
writes_register(struct stage *s, struct eu_thread *t, unsigned step)
{
   uint32_t m[8] = {[0] = s->value[1], [2] = s->value[0], [3] = 1};
   if (s->value[0] == 0x2030)
      m[0] = s->rig->tail[RCS];
   if (!s->value[2]++)
      stage_message(t, SFID_GATEWAY, 6, m, false, NULL);
   return stage_end(t);
}

/* A batch with threads of either kind in front of a store, and a store in the ring. */
static void
run_in_batch(struct stage *s, bool gpgpu)
{
   struct hw_media_vfe_state v = stage_vfe();
   uint32_t *batch = stage_memory(s, RIG_BATCH), *out = stage_memory(s, STAGE_OUT);
   rig_start(s->rig, RCS, 16, 0);
   stage_standard(s, gpgpu);
   v.gateway_mmio_access_control = 2;
   stage_put_vfe(s, &v);
   s->actor[1] = writes_register;
   s->count = s->ended = s->value[2] = 0;
   memset(out, 0, 8);
   if (gpgpu) {
      struct hw_gpgpu_walker w = stage_walk(1, 16, 3, 40, 1, 1);
      gen7_gpgpu_walker_pack(batch, &w);
      batch += GEN7_GPGPU_WALKER_LENGTH;
   } else {
      walker_dwords(batch, 1);
      batch += GEN7_MEDIA_OBJECT_WALKER_LENGTH;
   }
   memcpy(batch, IDS(PC, 1u << 20 | 1u << 1, 0, 0, 0, SDI, 0, STAGE_OUT, 1, BBE, 0), 44);
   rig_ring(s->rig, RCS, IDS(BBS, RIG_BATCH, SDI, 0, STAGE_OUT + 4, 1), 6);
   assert_int_not_equal(pergola_run(s->dev, 100000), PERGOLA_RUN_BUDGET);
}

/* CS-024, SF-082: a thread resets, stops, moves or flushes the engine that it runs on: that waits
 * for the end of its turn. */
static void
registers_that_end_the_work(void **state)
{
   proves("CS-024", "SF-082");
   struct stage *s = *state;
   static const struct {
      uint32_t offset, value;
      bool stops; /* what lies behind the walk is not executed */
   } table[] = {
       {REG_GDRST, 1 << 1, true},
       {REG_GDRST, 1, true},
       {0x203c, 0, true},                 /* ring disabled */
       {0x20c0, 1 << 5 | 1 << 21, false}, /* sync flush */
       {0x101008, 1, false},
       {0x2228, 0x100000, false}, /* aperture TLB; page directory */
       {0x2030, 0, false},        /* the tail, as it is */
   };
   for (unsigned i = 0; i < COUNT(table); i++)
      for (unsigned gpgpu = 0; gpgpu < 2; gpgpu++) {
         s->value[0] = table[i].offset;
         s->value[1] = table[i].value;
         run_in_batch(s, gpgpu);
         assert_int_equal(s->ended, s->count);
         assert_int_equal(stage_memory(s, STAGE_OUT)[0], !table[i].stops);
         assert_int_equal(stage_memory(s, STAGE_OUT)[1], !table[i].stops);
         assert_in_range(s->count, 1, gpgpu ? 120 : SIDE * SIDE);
         if (!table[i].stops)
            assert_int_equal(s->count, gpgpu ? 120 : SIDE * SIDE); /* each once */
         rig_forget(s->rig);
      }
}

static enum eu_stop
is_counted(struct stage *s, struct eu_thread *t, unsigned step)
{
   s->value[1]++;
   return s->value[0] ? stage_end(t) : EU_STOP_BUDGET;
}

/* CS-002, VCS-049: a sync flush that threads hold takes no more than the engine is given, and no
 * command is executed before it is over. */
static void
flush_that_threads_hold(void **state)
{
   proves("CS-002", "VCS-049");
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = is_counted;
   stage_object(s, &(struct hw_media_object){.interface_descriptor_offset = 1}, one, 1);
   s->value[1] = 0;
   rig_set(s->rig, 0x20c0, 1u << 21 | 1u << 5);
   assert_true(rig_reg(s->rig, 0x20c0) & 1u << 5); /* not over */
   assert_int_equal(s->value[1],
                    0); /* another engine, which may have asked, has no budget to give */
   *stage_memory(s, STAGE_OUT) = 0;
   rig_ring(s->rig, RCS, IDS(SDI, 0, STAGE_OUT, 7), 4);
   for (unsigned i = 0; i < 10; i++)
      assert_int_equal(pergola_run(s->dev, 20), PERGOLA_RUN_BUDGET);
   assert_in_range(s->value[1], 10, 200);
   assert_int_equal(*stage_memory(s, STAGE_OUT), 0);
   s->value[0] = 1;
   assert_int_equal(stage_run(s), PERGOLA_RUN_IDLE);
   assert_false(rig_reg(s->rig, 0x20c0) & 1u << 5);
   assert_int_equal(*stage_memory(s, STAGE_OUT), 7);
}

/* Asks for a sync flush, again and again, and does not end before it is told to. */
static enum eu_stop
asks_for_flushes(struct stage *s, struct eu_thread *t, unsigned step)
{
   if (s->value[0])
      return stage_end(t);
   for (uint32_t on = 0; on < 2; on++)
      stage_message(t, SFID_GATEWAY, 6,
                    (uint32_t[8]){[0] = 1u << 21 | on << 5, [2] = 0x20c0, [3] = 1}, false, NULL);
   return is_counted(s, t, step);
}

/* CS-024, CS-002: a flush that a thread asks for and holds itself takes the engine's budget as
 * well. */
static void
flushes_that_threads_ask_for(void **state)
{
   proves("CS-024", "CS-002");
   struct stage *s = *state;
   struct hw_media_vfe_state v = stage_vfe();
   stage_standard(s, false);
   v.gateway_mmio_access_control = 2;
   stage_put_vfe(s, &v);
   s->actor[1] = asks_for_flushes;
   uint32_t dw[GEN7_MEDIA_OBJECT_LENGTH];
   gen7_media_object_pack(dw, &(struct hw_media_object){.interface_descriptor_offset = 1});
   rig_ring(s->rig, RCS, dw, GEN7_MEDIA_OBJECT_LENGTH);
   for (unsigned i = 0; i < 10; i++)
      assert_int_equal(pergola_run(s->dev, 20), PERGOLA_RUN_BUDGET);
   assert_in_range(s->value[1], 10, 200);
   s->value[0] = 1;
   assert_int_equal(stage_run(s), PERGOLA_RUN_IDLE);
   assert_false(rig_reg(s->rig, 0x20c0) & 1u << 5);
   rig_forget(s->rig);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, stage_setup, stage_teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(object_after_one_that_was_left), CASE(walk_after_one_that_was_left),
       CASE(closed_group_is_not_preempted),  CASE(messages_of_a_thread_that_has_gone),
       CASE(registers_that_end_the_work),    CASE(flush_that_threads_hold),
       CASE(flushes_that_threads_ask_for),
   };
   return cmocka_run_group_tests_name("media_left", tests, NULL, NULL);
}
