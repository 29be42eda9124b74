/* Persistent roots: payload, fence, being asked to leave and coming back. */
#include "spawn.h"
#include "tests/proves.h"

static void
persistent_root_payload(void **state)
{
   proves("MEDIA-240", "MEDIA-241", "MEDIA-243", "MEDIA-244", "MEDIA-379", "MEDIA-380", "MEDIA-385",
          "MEDIA-459", "MEDIA-378", "MEDIA-381");
   struct stage *s = *state;
   stage_standard(s, false);
   struct hw_interface_descriptor_data d = stage_descriptor(2);
   d.constant_urb_entry_read_length = 1;
   d.constant_urb_entry_read_offset = 9;
   stage_put_descriptor(s, 2, &d);
   stage_load_descriptors(s, 3);
   struct hw_media_object_prt o = {.interface_descriptor_offset = 2,
                                   .inline_data_0 = 11,
                                   .inline_data_8 = 22,
                                   .inline_data_11 = 33};
   prt(s, &o);
   stage_flush(s);
   const struct record *r = &s->record[0];
   assert_int_equal(r->r[0][0], s->media->vfe.handle[0]);
   assert_int_equal(r->r[0][1], 0);
   assert_int_equal(r->r[0][2], 2 << 4); /* a fresh start */
   assert_int_equal(r->r[1][0], 9);
   assert_int_equal(r->r[2][0], 11);
   assert_int_equal(r->r[3][0], 22);
   assert_int_equal(r->r[3][3], 33);
   assert_int_equal(r->r[3][4], 0);
   assert_quiet(s);
   uint32_t dw[22];
   memset(dw, 0, sizeof(dw));
   gen7_media_object_prt_pack(dw, &o);
   assert_int_equal(stage_direct_all(s, dw, 22), CS_DONE); /* a header that says 14h */
   assert_non_null(strstr(rig_find(s->rig, "MEDIA-380")->message, "20; the command has 16"));
   assert_said(s, "MEDIA-380");
   stage_flush(s);
}

/* MEDIA-194: first behind the flush. */
static void
persistent_root_alone(void **state)
{
   proves("MEDIA-194", "MEDIA-193");
   struct stage *s = *state;
   stage_standard(s, false);
   uint32_t data[1] = {0};
   prt(s, &(struct hw_media_object_prt){0});
   stage_object(s, &(struct hw_media_object){0}, data, 1); /* MEDIA-193: others may follow */
   assert_quiet(s);
   prt(s, &(struct hw_media_object_prt){0});
   assert_said(s, "MEDIA-194");
   stage_flush(s);
   prt(s, &(struct hw_media_object_prt){0});
   stage_flush(s);
   assert_quiet(s);
}

static enum eu_stop
persistent_with_fence(struct stage *s, struct eu_thread *t, unsigned step)
{
   if (step < 6) { /* nobody starts while the fence stands */
      assert_int_equal(s->count, 1);
      s->next_step = step + 1;
      return EU_STOP_BUDGET;
   }
   if (step == 6) {
      s->value[0] = s->media->ts->root_count; /* what stands behind the fence */
      spawn(t, 0, 0, 0, true);
      s->next_step = 7;
      return EU_STOP_BUDGET;
   }
   return s->count > 1 ? stage_end(t) : EU_STOP_BUDGET;
}

static void
persistent_root_fence(void **state)
{
   proves("MEDIA-383", "MEDIA-384", "MEDIA-284", "MEDIA-193", "MEDIA-046");
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = persistent_with_fence;
   for (unsigned type = 0; type < 2; type++) {
      s->count = 0;
      prt(s, &(struct hw_media_object_prt){.interface_descriptor_offset = 1,
                                           .prt_fence_needed = true,
                                           .prt_fence_type = type});
      for (unsigned i = 0; i < 2; i++) /* type 1: they cannot even enter until the thread says so */
         stage_object(s, &(struct hw_media_object){0}, one, 1);
      stage_flush(s);
      assert_int_equal(s->count, 3);
      assert_int_equal(s->value[0], type ? 0 : 2);
      assert_quiet(s);
   }
}

static enum eu_stop
child_counts_apart(struct stage *s, struct eu_thread *t, unsigned step)
{
   s->value[3]++;
   return stage_end_child(t);
}

static enum eu_stop
persistent(struct stage *s, struct eu_thread *t, unsigned step)
{
   if (eu_grf(t, 0)[2] & 1)
      s->value[0]++; /* restarted */
   if (t->cr0[1] >> 26 & 1) {
      assert_int_equal(s->media->ts->roots, 1); /* MEDIA-265 */
      s->value[1]++;
      spawn(t, 2, 0, 1, false); /* MEDIA-266: children still go */
      return stage_end(t);
   }
   return s->value[2] ? stage_end(t) : EU_STOP_BUDGET;
}

/* MEDIA-007, MEDIA-191, MEDIA-192, MEDIA-265, MEDIA-377, MEDIA-242, MEDIA-266: asked to leave,
 * saved, restarted. */
static void
persistent_root_restarts(void **state)
{
   proves("MEDIA-007", "MEDIA-191", "MEDIA-192", "MEDIA-265", "MEDIA-377", "MEDIA-242",
          "MEDIA-266");
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = persistent;
   s->actor[2] = child_counts_apart;
   prt(s, &(struct hw_media_object_prt){.interface_descriptor_offset = 1, .inline_data_0 = 0x1234});
   stage_object(s, &(struct hw_media_object){0}, one, 1);
   uint64_t budget = 1000;
   assert_int_equal(media_drain(s->media, &budget), CS_AGAIN); /* it lives on */
   reg_set(s->dev, 0x2134, 1);                                 /* a new head is waiting */
   budget = 1000;
   assert_int_equal(media_drain(s->media, &budget), CS_DONE);
   assert_int_equal(s->value[1], 1);
   assert_int_equal(s->value[3], 1);
   reg_set(s->dev, 0x2134, 0);
   uint8_t image[1024];
   media_context_save(s->media, image);
   media_reset(s->media);
   s->count = 0;
   s->value[2] = 1;
   media_context_restore(s->media, image);
   budget = 1000;
   assert_int_equal(media_drain(s->media, &budget), CS_DONE);
   assert_int_equal(s->count, 1);
   assert_int_equal(s->value[0], 1);
   assert_int_equal(s->record[0].r[1][0], 0x1234);
   assert_int_equal(s->record[0].r[0][2], 1 << 4 | 1);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, stage_setup, stage_teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(persistent_root_payload),
       CASE(persistent_root_alone),
       CASE(persistent_root_fence),
       CASE(persistent_root_restarts),
   };
   return cmocka_run_group_tests_name("media_persistent", tests, NULL, NULL);
}
