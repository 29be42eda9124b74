/* GPGPU_OBJECT: groups thread by thread. */
#include "stage.h"
#include "tests/proves.h"

static void
object(struct stage *s, const struct hw_gpgpu_object *o)
{
   uint32_t dw[GEN7_GPGPU_OBJECT_LENGTH];
   gen7_gpgpu_object_pack(dw, o);
   assert_int_equal(stage_direct_all(s, dw, GEN7_GPGPU_OBJECT_LENGTH), CS_DONE);
}

/* MEDIA-419, MEDIA-424, MEDIA-426, MEDIA-431, MEDIA-432, MEDIA-433, MEDIA-077, MEDIA-027: a group
 * thread by thread; sections and keys count on. */
static void
objects_make_a_group(void **state)
{
   proves("MEDIA-419", "MEDIA-424", "MEDIA-426", "MEDIA-431", "MEDIA-432", "MEDIA-433", "MEDIA-077",
          "MEDIA-027");
   struct stage *s = *state;
   stage_standard(s, true);
   struct hw_interface_descriptor_data d = stage_descriptor(1);
   d.constant_urb_entry_read_length = 2;
   d.barrier_enable = true;
   d.number_of_threads_in_gpgpu_thread_group = 3;
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   s->actor[1] = actor_meets_at_barrier;
   s->value[0] = 1;
   for (unsigned g = 0; g < 2; g++) {
      s->value[1] = 0;
      for (unsigned i = 0; i < 3; i++) {
         struct hw_gpgpu_object o = {.interface_descriptor_offset = 1,
                                     .end_of_thread_group = i == 2,
                                     .thread_group_id_x = 7 + g,
                                     .thread_group_id_y = 8,
                                     .thread_group_id_z = 0xfffffff9,
                                     .execution_mask = 0x10 + i};
         object(s, &o);
         assert_int_equal(s->count, i == 2 ? 3 * g + 3 : 3 * g); /* a barrier needs them all */
      }
   }
   assert_int_equal(s->ended, 6);
   for (unsigned i = 0; i < 6; i++) {
      const struct record *r = &s->record[i];
      assert_int_equal(r->mask, 0x10 + i % 3);
      assert_int_equal(r->r[0][1], 7 + i / 3);
      assert_int_equal(r->r[0][6], 8);
      assert_int_equal(r->r[0][7], 0xfffffff9);
      assert_int_equal(r->r[1][0], i % 3 * 2); /* its section; restarts with each group */
      assert_int_equal(stage_field(r->r[0][2], 23, 16), i);
   }
   assert_quiet(s);
}

/* MEDIA-057 and MEDIA-068: another group before the end of the first. */
static void
objects_out_of_order(void **state)
{
   proves("MEDIA-057", "MEDIA-068");
   struct stage *s = *state;
   stage_standard(s, true);
   object(s, &(struct hw_gpgpu_object){.thread_group_id_x = 1, .execution_mask = 1});
   object(s, &(struct hw_gpgpu_object){
                 .thread_group_id_x = 2, .execution_mask = 1, .end_of_thread_group = true});
   assert_said(s, "MEDIA-057");
   assert_int_equal(s->count, 2); /* the first was closed and ran */
   /* a flush in the middle of a group runs what there is */
   object(s, &(struct hw_gpgpu_object){.thread_group_id_x = 3, .execution_mask = 1});
   assert_false(media_idle(s->media));
   stage_flush(s);
   assert_int_equal(s->count, 3);
   assert_true(media_idle(s->media));
}

/* MEDIA-205, MEDIA-423, MEDIA-425, MEDIA-056: software says where the shared memory lies. */
static void
objects_with_fixed_shared_memory(void **state)
{
   proves("MEDIA-205", "MEDIA-423", "MEDIA-425", "MEDIA-056");
   struct stage *s = *state;
   stage_standard(s, true);
   rig_set(s->rig, 0xb020, 0x00080041);
   struct hw_interface_descriptor_data d = stage_descriptor(1);
   d.shared_local_memory_size = 4;
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   struct hw_gpgpu_object o = {.interface_descriptor_offset = 1,
                               .shared_local_memory_fixed_offset = true,
                               .shared_local_memory_offset = 8,
                               .end_of_thread_group = true,
                               .execution_mask = 1};
   object(s, &o);
   assert_int_equal(s->record[0].slm_offset, 8 * 4096);
   assert_int_equal(stage_field(s->record[0].r[0][0], 27, 24), 8);
   o.shared_local_memory_fixed_offset = false; /* MEDIA-056: mixed with hardware's choice */
   object(s, &o);
   assert_int_equal(s->record[1].slm_offset, 0);
   assert_quiet(s);
   o.shared_local_memory_fixed_offset = true;
   o.shared_local_memory_offset = 6; /* not aligned to 16 KB */
   object(s, &o);
   assert_said(s, "MEDIA-425");
   o.shared_local_memory_offset = 8;
   o.end_of_thread_group = false;
   object(s, &o);
   o.shared_local_memory_offset = 4;
   o.end_of_thread_group = true;
   object(s, &o);
   assert_said(s, "MEDIA-205");
}

static void
objects_choose_a_half_slice(void **state)
{
   proves("MEDIA-427", "MEDIA-428");
   struct stage *s = *state;
   stage_standard(s, true);
   struct hw_gpgpu_object o = {.half_slice_destination_select = 2, .execution_mask = 1};
   object(s, &o);
   object(s, &o);                       /* says the same */
   o.half_slice_destination_select = 0; /* follows the first */
   o.end_of_thread_group = true;
   object(s, &o);
   for (unsigned i = 0; i < 3; i++)
      assert_int_equal(s->record[i].half_slice, 1);
   assert_quiet(s);
   o = (struct hw_gpgpu_object){.half_slice_destination_select = 1, .execution_mask = 1};
   object(s, &o);
   o.half_slice_destination_select = 2;
   o.end_of_thread_group = true;
   object(s, &o);
   assert_said(s, "MEDIA-428");
   o.half_slice_destination_select = 3;
   object(s, &o);
   assert_said(s, "MEDIA-427");
}

static void
objects_with_indirect_data(void **state)
{
   proves("MEDIA-082", "MEDIA-429", "MEDIA-430");
   struct stage *s = *state;
   stage_standard(s, true);
   struct hw_interface_descriptor_data d = stage_descriptor(1);
   d.constant_urb_entry_read_length = 1;
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   stage_memory(s, STAGE_INDIRECT + 0x40)[0] = 0xabcd;
   stage_memory(s, STAGE_INDIRECT + 0x40)[15] = 0xef01;
   struct hw_gpgpu_object o = {.interface_descriptor_offset = 1,
                               .indirect_data_length = 64,
                               .indirect_data_start_address = 0x40,
                               .end_of_thread_group = true,
                               .execution_mask = 1};
   object(s, &o);
   assert_int_equal(rig_count(s->rig, "MEDIA-429") + rig_count(s->rig, "MEDIA-430"), 0);
   assert_said(s,
               "MEDIA-082"); /* not in the payload table: named, delivered behind the constants */
   assert_int_equal(s->record[0].r[2][0], 0xabcd);
   assert_int_equal(s->record[0].r[3][7], 0xef01);
   o.indirect_data_length = 40;
   object(s, &o);
   assert_said(s, "MEDIA-429");
   o.indirect_data_length = 64;
   o.indirect_data_start_address = 0x20;
   object(s, &o);
   assert_said(s, "MEDIA-430");
   rig_forget(s->rig);
   o.indirect_data_start_address = 0;
   o.indirect_data_length = 496 * 4; /* the most that there may be */
   object(s, &o);
   assert_int_equal(rig_count(s->rig, "MEDIA-429"), 0);
   o.indirect_data_length = 496 * 4 + 32;
   object(s, &o);
   assert_said(s, "MEDIA-429");
   /* the largest group, each thread with as much as it may have */
   o.indirect_data_length = 496 * 4;
   s->count = 0;
   for (unsigned i = 0; i < 64; i++) {
      stage_memory(s, STAGE_INDIRECT + 0x800)[0] = i;
      o.indirect_data_start_address = 0x800;
      o.end_of_thread_group = i == 63;
      object(s, &o);
   }
   assert_int_equal(s->count, 64);
   for (unsigned i = 0; i < 64; i++)
      assert_int_equal(s->record[i].r[2][0], i);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, stage_setup, stage_teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(objects_make_a_group),
       CASE(objects_out_of_order),
       CASE(objects_with_fixed_shared_memory),
       CASE(objects_choose_a_half_slice),
       CASE(objects_with_indirect_data),
   };
   return cmocka_run_group_tests_name("media_gpgpu_objects", tests, NULL, NULL);
}
