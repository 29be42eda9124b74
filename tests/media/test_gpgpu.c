/* GPGPU_WALKER: order, masks, dimensions, limits, threads that end badly. */
#include "stage.h"
#include "tests/proves.h"

/* MEDIA-103, MEDIA-105, MEDIA-443, MEDIA-444, MEDIA-445, MEDIA-446, MEDIA-025, MEDIA-026: order of
 * the groups, the start, the wrap to 0. */
static void
groups_come_in_order(void **state)
{
   proves("MEDIA-103", "MEDIA-105", "MEDIA-443", "MEDIA-444", "MEDIA-445", "MEDIA-446", "MEDIA-025",
          "MEDIA-026");
   struct stage *s = *state;
   stage_standard(s, true);
   struct hw_gpgpu_walker w = stage_walk(0, 16, 1, 3, 2, 2);
   stage_walker(s, &w);
   assert_int_equal(s->count, 12);
   for (unsigned i = 0; i < 12; i++) {
      assert_int_equal(s->record[i].r[0][1], i % 3);
      assert_int_equal(s->record[i].r[0][6], i / 3 % 2);
      assert_int_equal(s->record[i].r[0][7], i / 6);
      assert_true(s->record[i].in_group);
   }
   s->count = 0;
   w.thread_group_id_starting_x = 2;
   w.thread_group_id_starting_y = 1;
   w.thread_group_id_starting_z = 0;
   stage_walker(s, &w);
   assert_int_equal(s->count, 12 - 5); /* less the linear index of the start */
   assert_int_equal(s->record[0].r[0][1], 2);
   assert_int_equal(s->record[1].r[0][1], 0); /* to 0, not to its start */
   assert_int_equal(s->record[1].r[0][7], 1);
   assert_int_equal(s->record[6].r[0][1], 2);
   assert_quiet(s);
}

static void
masks_of_the_edges(void **state)
{
   proves("MEDIA-104", "MEDIA-113", "MEDIA-114", "MEDIA-117", "MEDIA-111", "MEDIA-212", "MEDIA-121",
          "MEDIA-102");
   struct stage *s = *state;
   stage_standard(s, true);
   struct hw_gpgpu_walker w = stage_walk(0, 32, 3, 1, 1, 1);
   w.thread_height_counter_maximum = 1;
   w.thread_depth_counter_maximum = 1;
   w.right_execution_mask = 0xff0000ff;
   w.bottom_execution_mask = 0x0ffff0f0;
   stage_walker(s, &w);
   assert_int_equal(s->count, 3 * 2 * 2);
   for (unsigned i = 0; i < 12; i++) {
      uint32_t mask = ~0u;
      if (i % 3 == 2)
         mask &= 0xff0000ff;
      if (i / 3 % 2 == 1)
         mask &= 0x0ffff0f0;
      assert_int_equal(s->record[i].mask, mask);
      assert_int_equal(s->record[i].sr0[2], mask);
   }
   assert_quiet(s);
}

/* MEDIA-106 MEDIA-440: low bits by the SIMD size. */
static void
masks_of_widths(void **state)
{
   proves("MEDIA-106", "MEDIA-212", "MEDIA-286", "MEDIA-440");
   struct stage *s = *state;
   struct hw_gpgpu_walker w;
   stage_standard(s, true);
   static const uint32_t all[] = {0xff, 0xffff, 0xffffffff};
   for (unsigned simd = 0; simd < 3; simd++) {
      s->count = 0;
      w = stage_walk(0, 8u << simd, 1, 1, 1, 1);
      stage_walker(s, &w);
      assert_int_equal(s->record[0].mask, all[simd]);
   }
   assert_quiet(s);
   /* MEDIA-286: a reserved encoding is named and counts as value 0. */
   s->count = 0;
   w.simd_size = 3;
   stage_walker(s, &w);
   assert_said(s, "MEDIA-440");
   assert_int_equal(s->record[0].mask, 0xff);
}

/* MEDIA-112: the drawn 3 x 3 grid of 8 x 4 tiles: last column 6 wide, last row 2 high. */
static void
mask_example_22_by_10(void **state)
{
   proves("MEDIA-112");
   (void)state;
   struct hw_gpgpu_walker w = stage_walk(0, 32, 3, 1, 1, 1);
   uint32_t mask[GROUP_MAX_THREADS];
   w.thread_height_counter_maximum = 2;
   w.right_execution_mask = 0x3f3f3f3f;
   w.bottom_execution_mask = 0x0000ffff;
   assert_int_equal(gpgpu_group_masks(&w, mask), 9);
   unsigned channels = 0;
   for (unsigned i = 0; i < 9; i++)
      channels += (unsigned)__builtin_popcount(mask[i]);
   assert_int_equal(channels, 22 * 10);
   assert_int_equal(mask[0], 0xffffffff);
   assert_int_equal(mask[2], 0x3f3f3f3f);
   assert_int_equal(mask[6], 0x0000ffff);
   assert_int_equal(mask[8], 0x00003f3f);
}

/* MEDIA-115: 2Z x 2Y x 12X as 16 x 2 tiles; MEDIA-116: the same 48 channels packed. */
static void
mask_examples_48_channels(void **state)
{
   proves("MEDIA-115", "MEDIA-116");
   (void)state;
   uint32_t mask[GROUP_MAX_THREADS];
   struct hw_gpgpu_walker w = stage_walk(0, 32, 1, 1, 1, 1);
   w.thread_depth_counter_maximum = 1;
   w.right_execution_mask = 0x0fff0fff;
   assert_int_equal(gpgpu_group_masks(&w, mask), 2);
   assert_int_equal(mask[0], 0x0fff0fff);
   assert_int_equal(mask[1], 0x0fff0fff);
   w = stage_walk(0, 32, 2, 1, 1, 1);
   w.right_execution_mask = 0x0000ffff;
   assert_int_equal(gpgpu_group_masks(&w, mask), 2);
   assert_int_equal(mask[0], 0xffffffff);
   assert_int_equal(mask[1], 0x0000ffff);
}

/* MEDIA-061, MEDIA-436, MEDIA-060: the registers replace the dimensions; the fields are ignored. */
static void
indirect_dimensions(void **state)
{
   proves("MEDIA-061", "MEDIA-436", "MEDIA-060");
   struct stage *s = *state;
   stage_standard(s, true);
   assert_int_equal(rig_reg(s->rig, 0x2500), 0);
   rig_set(s->rig, 0x2500, 4);
   rig_set(s->rig, 0x2504, 3);
   rig_set(s->rig, 0x2508, 2);
   struct hw_gpgpu_walker w = stage_walk(0, 8, 1, 1, 1, 1);
   w.indirect_parameter_enable = true;
   stage_walker(s, &w);
   assert_int_equal(s->count, 24);
   assert_int_equal(s->record[23].r[0][1], 3);
   assert_int_equal(s->record[23].r[0][6], 2);
   assert_int_equal(s->record[23].r[0][7], 1);
   /* MEDIA-060: loaded from memory that an earlier group wrote */
   s->count = 0;
   *stage_memory(s, STAGE_OUT) = 5;
   stage_submit(s, IDS(GEN7_MI_LOAD_REGISTER_MEM_HEADER | 1 | 1u << 22, 0x2500, STAGE_OUT), 3);
   stage_walker(s, &w);
   assert_int_equal(s->count, 30);
   assert_quiet(s);
}

/* MEDIA-062, MEDIA-064, MEDIA-448: no work, and it is said. */
static void
impossible_dimensions(void **state)
{
   proves("MEDIA-062", "MEDIA-064", "MEDIA-448");
   struct stage *s = *state;
   stage_standard(s, true);
   struct hw_gpgpu_walker w = stage_walk(0, 8, 1, 1, 0, 1);
   stage_walker(s, &w);
   assert_said(s, "MEDIA-064");
   rig_set(s->rig, 0x2500, 0); /* MEDIA-062: a register that is 0 */
   w.indirect_parameter_enable = true;
   stage_walker(s, &w);
   assert_said(s, "MEDIA-064");
   w = stage_walk(0, 8, 1, 2, 2, 2);
   w.thread_group_id_starting_y = 2;
   stage_walker(s, &w);
   assert_said(s, "MEDIA-448");
   assert_int_equal(s->count, 0);
   w = stage_walk(0, 8, 1, 2, 2, 2); /* the next one runs */
   stage_walker(s, &w);
   assert_int_equal(s->count, 8);
   assert_quiet(s);
}

/* MEDIA-063, MEDIA-470: a dimension of 0 ends the batch before the indirect walker, in either
 * order. */
static void
zero_dimension_ends_the_batch(void **state)
{
   proves("MEDIA-063", "MEDIA-470");
   struct stage *s = *state;
   stage_standard(s, true);
   struct hw_gpgpu_walker w = stage_walk(0, 8, 1, 1, 1, 1);
   w.indirect_parameter_enable = true;
   for (unsigned order = 0; order < 2; order++)
      for (unsigned zero = 0; zero < 4; zero++) {
         uint32_t dw[64], n = 0;
         for (unsigned i = 0; i < 3; i++)
            stage_memory(s, STAGE_OUT)[2 * i] = i == zero ? 0 : i + 2;
         for (unsigned pass = 0; pass < 2; pass++)
            for (unsigned i = 0; i < 3; i++) {
               uint32_t at = STAGE_OUT + 8 * i;
               if (pass == order) {
                  memcpy(dw + n, IDS(0x1b000001 | 1u << 22 | 1u << 21, 0, at), 12);
                  n += 3;
               } else {
                  memcpy(dw + n,
                         IDS(GEN7_MI_LOAD_REGISTER_MEM_HEADER | 1 | 1u << 22, 0x2500 + 4 * i, at),
                         12);
                  n += 3;
               }
            }
         gen7_gpgpu_walker_pack(dw + n, &w);
         s->count = 0;
         rig_batch(s->rig, RCS, false, dw, n + GEN7_GPGPU_WALKER_LENGTH);
         assert_int_equal(s->count, zero < 3 ? 0 : 2 * 3 * 4);
      }
}

static void
predicate_skips(void **state)
{
   proves("MEDIA-437", "MEDIA-421");
   struct stage *s = *state;
   stage_standard(s, true);
   struct hw_gpgpu_walker w = stage_walk(0, 8, 1, 1, 1, 1);
   for (unsigned enable = 0; enable < 2; enable++)
      for (unsigned result = 0; result < 2; result++) {
         reg_set(s->dev, 0x2418, result);
         s->count = 0;
         w.predicate_enable = enable;
         stage_walker(s, &w);
         assert_int_equal(s->count, enable && !result ? 0 : 1);
         uint32_t dw[GEN7_GPGPU_OBJECT_LENGTH];
         struct hw_gpgpu_object o = {
             .predicate_enable = enable, .end_of_thread_group = true, .execution_mask = 0xff};
         gen7_gpgpu_object_pack(dw, &o);
         s->count = 0;
         assert_int_equal(stage_direct_all(s, dw, GEN7_GPGPU_OBJECT_LENGTH), CS_DONE);
         assert_int_equal(s->count, enable && !result ? 0 : 1);
      }
}

static void
lengths_are_fixed(void **state)
{
   proves("MEDIA-438", "MEDIA-422");
   struct stage *s = *state;
   stage_standard(s, true);
   uint32_t dw[12] = {0};
   struct hw_gpgpu_walker w = stage_walk(0, 8, 1, 1, 1, 1);
   gen7_gpgpu_walker_pack(dw, &w);
   assert_int_equal(stage_direct_all(s, dw, 10), CS_DONE);
   assert_said(s, "MEDIA-438");
   assert_int_equal(s->count, 0);
   assert_int_equal(stage_direct_all(s, dw, 12), CS_DONE);
   assert_non_null(strstr(rig_find(s->rig, "MEDIA-438")->message, "10; 9 is"));
   assert_said(s, "MEDIA-438");
   gen7_gpgpu_object_pack(dw, &(struct hw_gpgpu_object){.end_of_thread_group = true});
   assert_int_equal(stage_direct_all(s, dw, 8), CS_DONE);
   assert_int_equal(rig_count(s->rig, "MEDIA-422"), 0);
   assert_int_equal(stage_direct_all(s, dw, 7), CS_DONE);
   assert_said(s, "MEDIA-422");
}

/* MEDIA-119, MEDIA-442, MEDIA-120: 64 threads of SIMD16, 32 of SIMD32; 1024 channels in either case
 * have at most 6 KB of ids. */
static void
group_size_limits(void **state)
{
   proves("MEDIA-119", "MEDIA-442", "MEDIA-120");
   struct stage *s = *state;
   stage_standard(s, true);
   struct hw_interface_descriptor_data d = stage_descriptor(0);
   d.constant_urb_entry_read_length = 3; /* X, Y and Z of 16 channels */
   stage_put_descriptor(s, 0, &d);
   stage_load_descriptors(s, 1);
   struct hw_gpgpu_walker w = stage_walk(0, 16, 64, 1, 1, 1);
   stage_walker(s, &w);
   assert_int_equal(s->count, 64);
   assert_int_equal(s->record[63].r[3][0] + 1, 6 * 1024 / 32); /* the last of 6 KB of ids */
   d.constant_urb_entry_read_length = 6;
   stage_flush(s);
   stage_put_descriptor(s, 0, &d);
   stage_load_descriptors(s, 1);
   w = stage_walk(0, 32, 32, 1, 1, 1);
   stage_walker(s, &w);
   assert_int_equal(s->count, 96);
   assert_int_equal(s->record[95].r[6][0] + 1, 6 * 1024 / 32);
   assert_quiet(s);
   w = stage_walk(0, 32, 33, 1, 1, 1);
   stage_walker(s, &w);
   assert_said(s, "MEDIA-442");
   w = stage_walk(0, 16, 64, 1, 1, 1);
   w.thread_height_counter_maximum = 1;
   s->count = 0;
   stage_walker(s, &w);
   assert_said(s, "MEDIA-442");
   assert_int_equal(s->count, 64); /* and not more than there is room for */
}

/* MEDIA-119: a half-slice of GT1 has 36 threads, of Valleyview 32 (MEDIA-467). */
static void
group_larger_than_the_part(void **state)
{
   proves("MEDIA-119", "MEDIA-467", "MEDIA-292");
   struct stage *s = *state;
   struct hw_media_vfe_state v = stage_vfe();
   v.maximum_number_of_threads =
       s->dev->sku.half_slices * s->dev->sku.eus_per_half_slice * s->dev->sku.threads_per_eu - 1;
   stage_standard(s, true);
   rig_forget(s->rig);
   stage_put_vfe(s, &v);
   assert_quiet(s);
   struct hw_gpgpu_walker w = stage_walk(0, 8, v.maximum_number_of_threads + 1, 1, 1, 1);
   stage_walker(s, &w);
   assert_quiet(s);
   w = stage_walk(0, 8, v.maximum_number_of_threads + 2, 1, 1, 1);
   stage_walker(s, &w);
   assert_said(s, "MEDIA-119");
   for (unsigned i = 0; i < s->count; i++) { /* but nobody sits where the part has nothing */
      assert_true(s->record[i].eu < s->dev->sku.eus_per_half_slice);
      assert_true(s->record[i].slot < s->dev->sku.threads_per_eu);
   }
   /* MEDIA-292: one more than the part has */
   v.maximum_number_of_threads++;
   stage_flush(s);
   stage_put_vfe(s, &v);
   char text[64];
   snprintf(text, sizeof(text), "%u threads are allowed", v.maximum_number_of_threads + 1);
   assert_non_null(strstr(rig_find(s->rig, "MEDIA-292")->message, text));
   assert_said(s, "MEDIA-292");
}

static enum eu_stop
asks_for_a_child(struct stage *s, struct eu_thread *t, unsigned step)
{
   stage_message(t, SFID_THREAD_SPAWNER, 1, NULL, false, NULL);
   return stage_end(t);
}

/* MEDIA-027: no children of GPGPU threads. */
static void
gpgpu_thread_spawns_nothing(void **state)
{
   proves("MEDIA-027");
   struct stage *s = *state;
   stage_standard(s, true);
   s->actor[1] = asks_for_a_child;
   struct hw_gpgpu_walker w = stage_walk(1, 16, 2, 1, 1, 1);
   stage_walker(s, &w);
   assert_said(s, "MEDIA-027");
   assert_int_equal(s->count, 2);
}

static enum eu_stop
ends_silently(struct stage *s, struct eu_thread *t, unsigned step)
{
   return EU_STOP_EOT;
}

static enum eu_stop
faults(struct stage *s, struct eu_thread *t, unsigned step)
{
   return EU_STOP_FAULT;
}

/* MEDIA-261 and MEDIA-023: the spawner must be told; a thread that faults leaves its place as well.
 */
static void
threads_that_end_badly(void **state)
{
   proves("MEDIA-261", "MEDIA-023");
   struct stage *s = *state;
   stage_standard(s, true);
   s->actor[1] = ends_silently;
   struct hw_gpgpu_walker w = stage_walk(1, 16, 2, 4, 1, 1);
   stage_walker(s, &w);
   assert_said(s, "MEDIA-261");
   assert_int_equal(s->ended, 8);
   s->actor[2] = faults;
   w = stage_walk(2, 16, 2, 4, 1, 1);
   stage_walker(s, &w);
   assert_int_equal(s->ended, 16);
   w = stage_walk(0, 16, 2, 4, 1, 1);
   stage_walker(s, &w);
   assert_int_equal(s->ended, 24);
   assert_quiet(s);
}

/* MEDIA-327: a kernel at an unmapped address; MEDIA-321: a descriptor that was never loaded. */
static void
bad_descriptors(void **state)
{
   proves("MEDIA-327", "MEDIA-321");
   struct stage *s = *state;
   stage_standard(s, true);
   struct hw_interface_descriptor_data d = stage_descriptor(1);
   d.kernel_start_pointer = 0x70000000;
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   struct hw_gpgpu_walker w = stage_walk(1, 16, 2, 4, 1, 1);
   stage_walker(s, &w);
   assert_said(s, "MEDIA-327");
   assert_int_equal(s->count, 0);
   w = stage_walk(31, 16, 2, 4, 1, 1); /* zeros: actor 0 */
   stage_walker(s, &w);
   assert_said(s, "MEDIA-321");
   assert_int_equal(s->count, 8);
   w = stage_walk(32 + 3, 16, 1, 1, 1, 1); /* wraps to 3 */
   stage_walker(s, &w);
   assert_said(s, "MEDIA-321");
   assert_int_equal(s->record[8].kernel, 3 * 64);
   assert_int_equal(stage_field(s->record[8].r[0][2], 9, 4), 3);
}

/* Dimensions whose product has 96 bits: a budget's worth is walked, no more. */
static void
huge_walk_is_bounded(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   struct hw_gpgpu_walker w = stage_walk(0, 16, 1, ~0u, ~0u, ~0u);
   uint32_t dw[GEN7_GPGPU_WALKER_LENGTH];
   gen7_gpgpu_walker_pack(dw, &w);
   assert_int_equal(stage_direct(s, dw, GEN7_GPGPU_WALKER_LENGTH, 2000), CS_AGAIN);
   assert_in_range(s->count, 500, 1100);
   assert_int_equal(stage_direct(s, dw, GEN7_GPGPU_WALKER_LENGTH, 2000), CS_AGAIN);
   assert_int_equal(s->record[s->count - 1].r[0][1], s->count - 1);
   media_reset(s->media);
}

/* A walk whose ring is switched off in the middle: what the pipeline has taken in ends, then comes
 * the next one, whole. */
static void
walk_left_alone(void **state)
{
   struct stage *s = *state;
   uint32_t dw[GEN7_GPGPU_WALKER_LENGTH];
   stage_standard(s, true);
   struct hw_gpgpu_walker w = stage_walk(0, 16, 1, 20, 1, 1);
   gen7_gpgpu_walker_pack(dw, &w);
   assert_int_equal(stage_direct(s, dw, GEN7_GPGPU_WALKER_LENGTH, 5), CS_AGAIN);
   unsigned begun = s->count;
   assert_in_range(begun, 1, 19);
   s->hand = CS_FRESH;
   w.thread_group_id_x_dimension = 7;
   gen7_gpgpu_walker_pack(dw, &w);
   assert_int_equal(stage_direct_all(s, dw, GEN7_GPGPU_WALKER_LENGTH), CS_DONE);
   assert_int_equal(s->count, 20 + 7);
   for (unsigned i = 0; i < 27; i++)
      assert_int_equal(s->record[i].r[0][1], i < 20 ? i : i - 20);
   assert_quiet(s);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, stage_setup, stage_teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(groups_come_in_order),
       CASE(walk_left_alone),
       CASE(masks_of_the_edges),
       CASE(masks_of_widths),
       cmocka_unit_test(mask_example_22_by_10),
       cmocka_unit_test(mask_examples_48_channels),
       CASE(indirect_dimensions),
       CASE(impossible_dimensions),
       CASE(zero_dimension_ends_the_batch),
       CASE(predicate_skips),
       CASE(lengths_are_fixed),
       CASE(group_size_limits),
       cmocka_unit_test_setup_teardown(group_larger_than_the_part, stage_setup_gt1, stage_teardown),
       cmocka_unit_test_setup_teardown(group_larger_than_the_part, stage_setup_vlv, stage_teardown),
       CASE(gpgpu_thread_spawns_nothing),
       CASE(threads_that_end_badly),
       CASE(bad_descriptors),
       CASE(huge_walk_is_bounded),
   };
   return cmocka_run_group_tests_name("media_gpgpu", tests, NULL, NULL);
}
