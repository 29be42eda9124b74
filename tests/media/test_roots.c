/* Roots: how many at once, and those that wait for a message of another thread. */
#include "spawn.h"
#include "tests/proves.h"

static enum eu_stop
lives_a_while(struct stage *s, struct eu_thread *t, unsigned step)
{
   if (s->media->ts->roots > s->value[0])
      s->value[0] = s->media->ts->roots;
   unsigned like_me = 0; /* MEDIA-226: no two roots at a time have the same FFTID */
   for (unsigned i = 0; i < TS_MAX_THREADS; i++) {
      const struct ts_thread *th = &s->media->ts->thread[i];
      like_me += th->state != TS_FREE && th->place.fftid == t->fftid;
   }
   s->value[1] += like_me != 1;
   if (step == 5)
      return stage_end(t);
   s->next_step = step + 1;
   return EU_STOP_BUDGET;
}

static void
root_limit(void **state)
{
   proves("MEDIA-162", "MEDIA-179", "MEDIA-180", "MEDIA-163", "MEDIA-160", "MEDIA-161", "MEDIA-172",
          "MEDIA-211", "MEDIA-209", "MEDIA-226");
   struct stage *s = *state;
   struct hw_media_vfe_state v = stage_vfe();
   stage_standard(s, false);
   s->actor[1] = lives_a_while;
   for (unsigned most = 0; most < 6; most += 5) {
      v.maximum_number_of_threads = most;
      stage_flush(s);
      stage_put_vfe(s, &v);
      s->value[0] = s->count = 0;
      for (unsigned i = 0; i < 14; i++)
         stage_object(s, &(struct hw_media_object){.interface_descriptor_offset = 1}, one, 1);
      stage_flush(s);
      assert_int_equal(s->count, 14);
      assert_int_equal(s->value[0], most + 1); /* the field is the count minus one */
      assert_int_equal(s->value[1], 0);
      for (unsigned i = 0; i < 14; i++) {
         assert_true(s->record[i].fftid <= most); /* lowest free, below the count */
         assert_int_equal(s->record[i].r[0][5],
                          0x4000 + s->record[i].fftid * 2048 + s->record[i].fftid);
      }
   }
   assert_quiet(s);
}

static enum eu_stop
releases_roots(struct stage *s, struct eu_thread *t, unsigned step)
{
   build(s, handle_of(t), 0, 0x5000);
   build(s, handle_of(t), 1, 0x6000);
   for (unsigned i = 0; i < s->value[0]; i++)
      spawn(t, 9, 0, i == 0 ? 2 : 0, true);
   return end_with_handle(t);
}

static void
synchronized_roots(void **state)
{
   proves("MEDIA-008", "MEDIA-173", "MEDIA-190", "MEDIA-221", "MEDIA-262", "MEDIA-283", "MEDIA-276",
          "MEDIA-367", "MEDIA-175", "MEDIA-285");
   struct stage *s = *state;
   stage_standard(s, false);
   struct hw_interface_descriptor_data d = stage_descriptor(3);
   d.constant_urb_entry_read_length = 1;
   d.constant_urb_entry_read_offset = 44;
   stage_put_descriptor(s, 3, &d);
   stage_load_descriptors(s, 4);
   s->actor[1] = releases_roots;
   s->value[0] = 2;
   uint32_t data[1] = {0x99};
   stage_object(
       s, &(struct hw_media_object){.interface_descriptor_offset = 1, .children_present = true},
       one, 1);
   for (unsigned i = 0; i < 2; i++)
      stage_object(s,
                   &(struct hw_media_object){.interface_descriptor_offset = 3,
                                             .thread_synchronization = true,
                                             .scoreboard_x = i},
                   data, 1);
   stage_flush(s);
   assert_int_equal(s->count, 3);
   assert_int_equal(s->record[0].kernel, 64);
   const struct record *r = &s->record[1];
   for (unsigned i = 1; i < 3; i++)
      if (s->record[i].r[0][1] == 0)
         r = &s->record[i];
   assert_int_equal(r->r[0][2],
                    3 << 4);         /* R0 by the spawner of threads, not by the spawning thread */
   assert_int_equal(r->r[1][0], 44); /* constants */
   assert_int_equal(r->r[2][0], 0x5000); /* data of the spawning thread */
   assert_int_equal(r->r[3][0], 0x6000);
   assert_int_equal(r->r[4][0], 0x99); /* VFE's */
   assert_quiet(s);
   /* MEDIA-175: a message too few */
   s->value[0] = 1;
   stage_object(
       s, &(struct hw_media_object){.interface_descriptor_offset = 1, .children_present = true},
       one, 1);
   for (unsigned i = 0; i < 2; i++)
      stage_object(s,
                   &(struct hw_media_object){.interface_descriptor_offset = 3,
                                             .thread_synchronization = true},
                   data, 1);
   stage_flush(s);
   const struct rig_diagnostic *w = rig_find(s->rig, "MEDIA-268");
   assert_non_null(w);
   assert_non_null(strstr(w->message, "a synchronized root waits for a spawn-root message"));
}

/* MEDIA-175: a message too many. */
static void
spawn_root_without_root(void **state)
{
   proves("MEDIA-174", "MEDIA-175", "MEDIA-268");
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = releases_roots;
   s->value[0] = 1;
   stage_object(
       s, &(struct hw_media_object){.interface_descriptor_offset = 1, .children_present = true},
       one, 1);
   stage_flush(s);
   const struct rig_diagnostic *w = rig_find(s->rig, "MEDIA-268");
   assert_non_null(w);
   assert_non_null(strstr(w->message, "a spawn-root message waits for a synchronized root"));
   assert_true(ts_idle(s->media));
}

static enum eu_stop
controls(struct stage *s, struct eu_thread *t, unsigned step)
{
   if (step == 0)
      spawn(t, 0, 0, 0, true); /* lifts the fence */
   s->value[10]++;
   return stage_end(t);
}

/* MEDIA-046, MEDIA-048: the manual's order for barrier groups, twice, through the ring. */
static void
barrier_group_sequence(void **state)
{
   proves("MEDIA-046", "MEDIA-048", "MEDIA-268");
   struct stage *s = *state;
   uint32_t dw[64];
   s->actor[1] = controls;
   stage_standard(s, false);
   rig_set(s->rig, 0x209c, 1u << 28 | 1u << 12);
   for (unsigned group = 0; group < 2; group++) {
      stage_load_descriptors(s, STAGE_ACTORS);
      stage_load_curbe(s, 64);
      unsigned n = 0;
      memcpy(dw, IDS(0x70030000, 1), 8); /* MEDIA_GATEWAY_STATE of the older part: skipped */
      n += 2;
      gen7_media_object_prt_pack(dw + n,
                                 &(struct hw_media_object_prt){.interface_descriptor_offset = 1,
                                                               .prt_fence_needed = true,
                                                               .prt_fence_type = 1});
      n += GEN7_MEDIA_OBJECT_PRT_LENGTH;
      memcpy(dw + n, IDS(0x70040000, 1u << 6, 0x04000000), 12); /* watermark; arbitration off */
      n += 3;
      for (unsigned i = 0; i < 3; i++) {
         gen7_media_object_pack(dw + n, &(struct hw_media_object){.scoreboard_x = i});
         dw[n]++;
         dw[n + GEN7_MEDIA_OBJECT_LENGTH] = i;
         n += GEN7_MEDIA_OBJECT_LENGTH + 1;
      }
      memcpy(dw + n, IDS(0x04000001, 0x70040000, 0, 0x02000000),
             16); /* on; flush of state; MI_FLUSH */
      stage_submit(s, dw, n + 4);
   }
   assert_int_equal(s->value[10], 2);
   assert_int_equal(s->count, 2 * 4);
   assert_int_equal(rig_count(s->rig, "MEDIA-268"), 0);
   assert_true(media_idle(s->media));
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, stage_setup, stage_teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(root_limit),
       CASE(synchronized_roots),
       CASE(spawn_root_without_root),
       CASE(barrier_group_sequence),
   };
   return cmocka_run_group_tests_name("media_roots", tests, NULL, NULL);
}
