/* The thread spawner: what waits for it, deadlock, what stays with a slot. */
#include "spawn.h"
#include "tests/proves.h"

/* MEDIA-358, MEDIA-356, MEDIA-349, MEDIA-350, MEDIA-359, MEDIA-031: waits for the
 * last dispatch, not for the last end; with a watermark, for the room that a group needs. */
static void
state_flush_waits(void **state)
{
   proves("MEDIA-358", "MEDIA-356", "MEDIA-349", "MEDIA-350", "MEDIA-359", "MEDIA-031");
   struct stage *s = *state;
   struct hw_media_vfe_state v = stage_vfe();
   stage_standard(s, false);
   v.number_of_urb_entries = 64;
   stage_put_vfe(s, &v);
   struct hw_interface_descriptor_data d = stage_descriptor(2);
   d.number_of_threads_in_gpgpu_thread_group = 64;
   stage_put_descriptor(s, 2, &d);
   stage_load_descriptors(s, 3);
   s->actor[1] = stays;
   for (unsigned i = 0; i < 10; i++)
      stage_object(s, &(struct hw_media_object){.interface_descriptor_offset = 1}, one, 1);
   assert_int_equal(stage_direct(s, IDS(0x70040000, 0), 2, 5000), CS_DONE);
   assert_true(ts_dispatched_all(s->media));
   assert_false(ts_idle(s->media)); /* they still run */
   assert_int_equal(stage_direct(s, IDS(0x70040000, 0), 2, 5000),
                    CS_DONE); /* a second one is harmless */
   assert_int_equal(stage_direct(s, IDS(0x70040000, 1u << 6 | 2), 2, 5000), CS_AGAIN);
   s->value[0] = 1;
   assert_int_equal(stage_direct(s, IDS(0x70040000, 1u << 6 | 2), 2, 5000), CS_DONE);
   stage_flush(s);
   assert_quiet(s);
}

/* MEDIA-353: behind a state flush constants and descriptors may change while threads run, but not
 * while one runs that may have children: they share them. */
static void
state_shared_with_children(void **state)
{
   proves("MEDIA-353");
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = stays;
   for (unsigned children = 0; children < 2; children++) {
      s->value[0] = 0;
      stage_object(
          s,
          &(struct hw_media_object){.interface_descriptor_offset = 1, .children_present = children},
          one, 1);
      assert_int_equal(stage_direct(s, IDS(0x70040000, 0), 2, 5000), CS_DONE);
      assert_false(ts_idle(s->media));
      assert_int_equal(stage_direct(s, IDS(0x70010002, 0, 32, STAGE_CURBE), 4, 5000), CS_DONE);
      assert_int_equal(rig_count(s->rig, "MEDIA-353"), children);
      assert_int_equal(stage_direct(s, IDS(0x70020002, 0, 32, 0), 4, 5000), CS_DONE);
      assert_int_equal(rig_count(s->rig, "MEDIA-353"), 2 * children);
      s->value[0] = 1;
      stage_flush(s);
      assert_int_equal(stage_direct(s, IDS(0x70010002, 0, 32, STAGE_CURBE), 4, 5000), CS_DONE);
      assert_int_equal(rig_count(s->rig, "MEDIA-353"), 2 * children);
   }
}

/* MEDIA-358: constants may change once the last thread has been dispatched. */
static void
constants_change_behind_dispatch(void **state)
{
   proves("MEDIA-358");
   struct stage *s = *state;
   stage_standard(s, false);
   struct hw_interface_descriptor_data d = stage_descriptor(1);
   d.constant_urb_entry_read_length = 1;
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   for (unsigned i = 0; i < 2; i++) {
      stage_memory(s, STAGE_DYNAMIC + STAGE_CURBE)[0] = 0x70 + i;
      assert_int_equal(stage_direct_all(s, IDS(0x70010002, 0, 32, STAGE_CURBE), 4), CS_DONE);
      stage_object(s, &(struct hw_media_object){.interface_descriptor_offset = 1}, one, 1);
      assert_int_equal(stage_direct_all(s, IDS(0x70040000, 0), 2), CS_DONE);
   }
   stage_flush(s);
   for (unsigned i = 0; i < 2; i++)
      assert_int_equal(s->record[i].r[1][0], 0x70 + s->record[i].id);
   assert_quiet(s);
}

static enum eu_stop
waits_for_ever(struct stage *s, struct eu_thread *t, unsigned step)
{
   return EU_STOP_WAIT;
}

/* MEDIA-268: who waits for whom, and the next batch runs. */
static void
deadlock_report(void **state)
{
   proves("MEDIA-268");
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = waits_for_ever;
   for (unsigned i = 0; i < 3; i++)
      stage_object(s, &(struct hw_media_object){.interface_descriptor_offset = 1}, one, 1);
   stage_flush(s);
   const struct rig_diagnostic *d = rig_find(s->rig, "MEDIA-268");
   assert_non_null(d);
   assert_non_null(strstr(d->message, "threads wait for notifications"));
   assert_non_null(strstr(d->message, "3 threads in slots, of which 3 wait"));
   rig_forget(s->rig);
   s->count = 0;
   stage_object(s, &(struct hw_media_object){0}, one, 1);
   stage_flush(s);
   assert_int_equal(s->count, 1);
   assert_quiet(s);
}

static enum eu_stop
records_n0(struct stage *s, struct eu_thread *t, unsigned step)
{
   eu_notify(t, 2);
   return stage_end(t);
}

/* SF-169: a notification outlives the thread: the next one in that place finds it. */
static void
notifications_stay_with_the_slot(void **state)
{
   proves("SF-169");
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = records_n0;
   for (unsigned i = 0; i < 2; i++) {
      stage_object(s, &(struct hw_media_object){.interface_descriptor_offset = 1}, one, 1);
      stage_flush(s);
   }
   assert_int_equal(s->record[0].n0[2], 0);
   assert_int_equal(s->record[1].n0[2], 1);
   media_reset(s->media);
   assert_int_equal(s->media->dev->dispatcher->n0[0][0][0][2], 0);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, stage_setup, stage_teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(state_flush_waits),
       CASE(constants_change_behind_dispatch),
       CASE(state_shared_with_children),
       CASE(deadlock_report),
       CASE(notifications_stay_with_the_slot),
   };
   return cmocka_run_group_tests_name("media_spawner", tests, NULL, NULL);
}
