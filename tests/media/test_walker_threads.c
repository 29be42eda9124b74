/* MEDIA_OBJECT_WALKER: the threads that it makes, and its rules. */
#include "stage.h"
#include "tests/proves.h"

static void
walk(struct stage *s, const struct hw_media_object_walker *w, const uint32_t *data, unsigned n)
{
   uint32_t dw[GEN7_MEDIA_OBJECT_WALKER_LENGTH + 600];
   gen7_media_object_walker_pack(dw, w);
   dw[0] += n;
   if (n)
      memcpy(dw + GEN7_MEDIA_OBJECT_WALKER_LENGTH, data, n * 4);
   assert_int_equal(stage_direct_all(s, dw, GEN7_MEDIA_OBJECT_WALKER_LENGTH + n), CS_DONE);
}

static void
walker_threads(void **state)
{
   proves("MEDIA-386", "MEDIA-387", "MEDIA-388", "MEDIA-390", "MEDIA-245", "MEDIA-393", "MEDIA-399",
          "MEDIA-417", "MEDIA-079", "MEDIA-391");
   struct stage *s = *state;
   stage_standard(s, false);
   struct hw_media_object_walker w = stage_raster(5, 3);
   w.scoreboard_mask = 0x42;
   w.interface_descriptor_offset = 4;
   w.color_count_minus_one = 1;
   uint32_t data[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
   walk(s, &w, data, 9);
   stage_flush(s);
   assert_int_equal(s->count, 30);
   bool seen[30] = {false};
   for (unsigned i = 0; i < 30; i++) {
      const struct record *r = &s->record[i];
      unsigned n = r->id;
      assert_false(seen[n]);
      seen[n] = true;
      assert_int_equal(r->r[0][1], n / 10 << 16 | n / 2 % 5);
      assert_int_equal(r->r[0][2], 4 << 4 | n % 2);
      assert_int_equal(stage_field(r->r[0][0], 31, 24), 0x42);
      assert_int_equal(r->r[1][0], 1);
      assert_int_equal(r->r[2][0], 9);
      assert_int_equal(r->r[2][1], 0);
   }
   assert_quiet(s);
   struct hw_interface_descriptor_data d = stage_descriptor(4);
   d.constant_urb_entry_read_length = 1;
   stage_flush(s);
   stage_put_descriptor(s, 4, &d);
   stage_load_descriptors(s, 5);
   s->count = 0;
   walk(s, &w, NULL, 0); /* constants alone */
   stage_flush(s);
   assert_int_equal(s->count, 30);
   assert_quiet(s);
   w.interface_descriptor_offset = 5;
   walk(s, &w, NULL, 0);
   assert_said(s, "MEDIA-387"); /* neither */
}

static void
walker_rules(void **state)
{
   proves("MEDIA-392", "MEDIA-397", "MEDIA-398", "MEDIA-082", "MEDIA-401", "MEDIA-158",
          "MEDIA-391");
   struct stage *s = *state;
   stage_standard(s, false);
   uint32_t dw[GEN7_MEDIA_OBJECT_WALKER_LENGTH], data[505] = {0};
   struct hw_media_object_walker w = stage_raster(2, 2);
   gen7_media_object_walker_pack(dw, &w);
   assert_int_equal(stage_direct_all(s, dw, 16), CS_DONE);
   assert_said(s, "MEDIA-392");
   w.indirect_data_length = 32;
   w.indirect_data_start_address = 0x77777777; /* ignored with its length */
   walk(s, &w, data, 1);
   assert_said(s, "MEDIA-082");
   stage_flush(s);
   assert_int_equal(s->count, 4);
   assert_int_equal(s->record[0].r[2][0], 0);
   w = stage_raster(2, 2);
   w.dual_mode = true;
   walk(s, &w, data, 1);
   assert_said(s, "MEDIA-401");
   w = stage_raster(2, 2);
   w.local_end_x = 0;
   walk(s, &w, data, 1);
   assert_true(rig_count(s->rig, "MEDIA-158") == 1);
   w = stage_raster(2, 2);
   walk(s, &w, data, 504);
   assert_int_equal(rig_count(s->rig, "MEDIA-391"), 0);
   walk(s, &w, data, 505);
   assert_said(s, "MEDIA-391");
   stage_flush(s);
}

/* MEDIA-140: in dual mode the two halves of a walk go to different half-slices. */
static void
dual_mode_half_slices(void **state)
{
   proves("MEDIA-140", "MEDIA-400");
   struct stage *s = *state;
   stage_standard(s, false);
   uint32_t data[1] = {0};
   struct hw_media_object_walker w = stage_raster(8, 2);
   w.dual_mode = true;
   w.repel = false;
   walk(s, &w, data, 1);
   stage_flush(s);
   assert_quiet(s); /* there are two */
   assert_int_equal(s->count, 16);
   for (unsigned i = 0; i < 16; i++)
      assert_int_equal(s->record[i].half_slice, (s->record[i].r[0][1] & 511) >= 4);
}

static enum eu_stop
stays(struct stage *s, struct eu_thread *t, unsigned step)
{
   (void)step;
   return s->value[0] ? stage_end(t) : EU_STOP_BUDGET;
}

/* MEDIA-140: a walk of single points has no second half: whatever the load, all of it goes to the
 * first half-slice. */
static void
dual_mode_under_load(void **state)
{
   proves("MEDIA-140");
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[0] = stays;
   uint32_t data[1] = {0};
   struct hw_media_object_walker w = stage_raster(1, 4);
   w.dual_mode = true;
   w.repel = false;
   walk(s, &w, data, 1);
   uint64_t budget = 300;
   media_drain(s->media, &budget);
   assert_int_equal(s->count, 4); /* none has ended */
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(s->record[i].half_slice, 0);
   s->value[0] = 1;
   stage_flush(s);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, stage_setup, stage_teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(walker_threads),
       CASE(walker_rules),
       CASE(dual_mode_half_slices),
       CASE(dual_mode_under_load),
   };
   return cmocka_run_group_tests_name("media_walker_threads", tests, NULL, NULL);
}
