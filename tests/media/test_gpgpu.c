/* GPGPU_WALKER and GPGPU_OBJECT: groups, masks, payload, places. */
#include "stage.h"

static uint32_t
field(uint32_t v, unsigned hi, unsigned lo)
{
   return v >> lo & (uint32_t)((UINT64_C(1) << (hi - lo + 1)) - 1);
}

/* MEDIA-103, MEDIA-105, MEDIA-443, MEDIA-444, MEDIA-445, MEDIA-446, MEDIA-025, MEDIA-026: order of the
 * groups, the start, the wrap to 0. */
static void
groups_come_in_order(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   struct gen7_gpgpu_walker w = stage_walk(0, 16, 1, 3, 2, 2);
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

/* MEDIA-104, MEDIA-113, MEDIA-114, MEDIA-117, MEDIA-441, MEDIA-440, MEDIA-447, MEDIA-111, MEDIA-106,
 * MEDIA-212, MEDIA-121, MEDIA-102 */
static void
masks_of_the_edges(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   struct gen7_gpgpu_walker w = stage_walk(0, 32, 3, 1, 1, 1);
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
   /* MEDIA-440: low bits by the SIMD size. */
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
   (void)state;
   struct gen7_gpgpu_walker w = stage_walk(0, 32, 3, 1, 1, 1);
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
   (void)state;
   uint32_t mask[GROUP_MAX_THREADS];
   struct gen7_gpgpu_walker w = stage_walk(0, 32, 1, 1, 1, 1);
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

/* MEDIA-076, MEDIA-109, MEDIA-110, MEDIA-107, MEDIA-108, MEDIA-055, MEDIA-258, MEDIA-259, MEDIA-118, MEDIA-340: the
 * thread ids of 2Z x 2Y x 12X at SIMD16, three rows a dispatch, the same for every group. */
static void
thread_ids_from_curbe(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   struct gen7_interface_descriptor_data d = stage_descriptor(0);
   d.constant_urb_entry_read_length = 3;
   stage_put_descriptor(s, 0, &d);
   uint16_t *ids = (uint16_t *)stage_memory(s, STAGE_DYNAMIC + STAGE_CURBE);
   for (unsigned c = 0; c < 48; c++) {
      uint16_t *row = ids + c / 16 * 48 + c % 16;
      row[0] = (uint16_t)(c % 12);
      row[16] = (uint16_t)(c / 12 % 2);
      row[32] = (uint16_t)(c / 24);
   }
   stage_load_curbe(s, 9 * 32);
   stage_load_descriptors(s, 1);
   struct gen7_gpgpu_walker w = stage_walk(0, 16, 3, 4, 1, 1);
   stage_walker(s, &w);
   assert_int_equal(s->count, 12);
   for (unsigned i = 0; i < 12; i++) {
      const struct record *r = &s->record[i];
      const uint16_t *x = (const uint16_t *)r->r[1];
      for (unsigned lane = 0; lane < 16; lane++) {
         unsigned c = i % 3 * 16 + lane;
         assert_int_equal(x[lane], c % 12);
         assert_int_equal(x[16 + lane], c / 12 % 2);
         assert_int_equal(x[32 + lane], c / 24);
      }
      assert_int_equal(r->r[0][1], i / 3); /* only the group id differs */
   }
   assert_quiet(s);
}

/* MEDIA-339 and MEDIA-338: the read offset counts from the start of CURBE; length 0 loads nothing. */
static void
curbe_read_offset(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   struct gen7_interface_descriptor_data d = stage_descriptor(0);
   d.constant_urb_entry_read_length = 2;
   d.constant_urb_entry_read_offset = 10;
   stage_put_descriptor(s, 0, &d);
   stage_load_descriptors(s, 1);
   struct gen7_gpgpu_walker w = stage_walk(0, 16, 2, 1, 1, 1);
   stage_walker(s, &w);
   assert_int_equal(s->record[0].r[1][0], 10);
   assert_int_equal(s->record[0].r[2][7], 11);
   assert_int_equal(s->record[1].r[1][0], 12);
   assert_quiet(s);
   /* sections that reach past the CURBE are named */
   d.constant_urb_entry_read_length = 63;
   stage_flush(s);
   stage_put_descriptor(s, 0, &d);
   stage_load_descriptors(s, 1);
   w = stage_walk(0, 16, 8, 1, 1, 1);
   stage_walker(s, &w);
   assert_said(s, "MEDIA-339");
}

/* MEDIA-248, MEDIA-249, MEDIA-250, MEDIA-251, MEDIA-252, MEDIA-253, MEDIA-254, MEDIA-255, MEDIA-256,
 * MEDIA-257, MEDIA-209, MEDIA-211, MEDIA-239, MEDIA-225, MEDIA-227, MEDIA-331, MEDIA-332, MEDIA-333,
 * MEDIA-328, MEDIA-329, MEDIA-330, MEDIA-342, SF-168, MEDIA-466, MEDIA-289, MEDIA-290, MEDIA-238 */
static void
payload_register_by_register(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   struct gen7_interface_descriptor_data d = stage_descriptor(5);
   d.sampler_state_pointer = 0x12340;
   d.binding_table_pointer = 0x5660;
   d.barrier_enable = true;
   d.number_of_threads_in_gpgpu_thread_group = 2;
   d.shared_local_memory_size = 4;
   d.floating_point_mode = 1;
   d.single_program_flow = true;
   d.thread_priority = true;
   d.rounding_mode = 3;
   d.illegal_opcode_exception_enable = true;
   d.software_exception_enable = true;
   stage_put_descriptor(s, 5, &d);
   stage_load_descriptors(s, 8);
   rig_set(s->rig, 0xb020, 0x00080041);
   struct gen7_gpgpu_walker w = stage_walk(5, 16, 2, 4, 1, 1);
   s->media->vfe.dispatch_key = 254; /* MEDIA-255: it wraps at 8 bits */
   stage_walker(s, &w);
   assert_int_equal(s->count, 8);
   for (unsigned i = 0; i < 8; i++) {
      const struct record *r = &s->record[i];
      const uint32_t *r0 = r->r[0];
      unsigned group = i / 2, place = group / 2; /* half-slices take turns */
      assert_int_equal(r->half_slice, group % 2);
      assert_int_equal(field(r0[0], 27, 24), place * 4); /* 4 KB blocks */
      assert_int_equal(r->slm_offset, place * 0x4000);
      assert_int_equal(r->slm_size, 0x4000);
      assert_int_equal(r0[1], group);
      assert_int_equal(r0[6], 0);
      assert_int_equal(r0[7], 0);
      assert_int_equal(field(r0[2], 29, 28), 3);
      assert_int_equal(field(r0[2], 27, 24), place);
      assert_int_equal(field(r0[2], 23, 16), (254 + i) & 255);
      assert_int_equal(field(r0[2], 15, 10), 0);
      assert_int_equal(field(r0[2], 9, 4), 5);
      assert_int_equal(field(r0[2], 3, 0), 0);
      assert_int_equal(r0[3], 0x12340 | 1); /* pointer and raw scratch size */
      assert_int_equal(r0[4], 0x5660);
      assert_int_equal(field(r0[5], 7, 0), i); /* FFTID: unique, lowest first */
      assert_int_equal(field(r0[5], 9, 8), 0);
      assert_int_equal(r0[5] & ~1023u, 0x4000 + i * 2048); /* base + FFTID * 2 KB */
      assert_int_equal(r->fftid, i);
      assert_int_equal(r->sr0[1], i << 24);
      assert_int_equal(field(r->sr0[0], 27, 24), 7);
      assert_int_equal(field(r->sr0[0], 23, 23), 1);
      assert_int_equal(field(r->sr0[0], 12, 12), group % 2);
      assert_int_equal(field(r->sr0[0], 11, 8), r->eu);
      assert_int_equal(field(r->sr0[0], 2, 0), r->slot);
      assert_int_equal(r->cr0[0], 1 | 1 << 2 | 3 << 4);
      assert_int_equal(r->cr0[1], 1 << 12 | 1 << 13); /* DW1[13] and DW1[7] */
      assert_int_equal(r->binding_table, 0x5660);
      assert_int_equal(r->sampler_states, 0x12340);
      assert_int_equal(r->scratch_size, 2048);
   }
   d = stage_descriptor(5);
   d.maskstack_exception_enable = true;
   stage_flush(s);
   stage_put_descriptor(s, 5, &d);
   stage_load_descriptors(s, 8);
   s->count = 0;
   stage_walker(s, &w);
   assert_int_equal(s->record[0].cr0[1], 1 << 11);
   assert_int_equal(field(s->record[0].r[0][2], 29, 28), 0); /* no barrier, no shared memory */
   assert_quiet(s);
}

/* MEDIA-061, MEDIA-436, MEDIA-060: the registers replace the dimensions; the fields are ignored. */
static void
indirect_dimensions(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   assert_int_equal(rig_reg(s->rig, 0x2500), 0);
   rig_set(s->rig, 0x2500, 4);
   rig_set(s->rig, 0x2504, 3);
   rig_set(s->rig, 0x2508, 2);
   struct gen7_gpgpu_walker w = stage_walk(0, 8, 1, 1, 1, 1);
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
   struct stage *s = *state;
   stage_standard(s, true);
   struct gen7_gpgpu_walker w = stage_walk(0, 8, 1, 1, 0, 1);
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

/* MEDIA-063, MEDIA-470: a dimension of 0 ends the batch before the indirect walker, in either order. */
static void
zero_dimension_ends_the_batch(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   struct gen7_gpgpu_walker w = stage_walk(0, 8, 1, 1, 1, 1);
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
                  memcpy(dw + n, IDS(GEN7_MI_LOAD_REGISTER_MEM_HEADER | 1 | 1u << 22, 0x2500 + 4 * i, at),
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

/* MEDIA-437, MEDIA-421 */
static void
predicate_skips(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   struct gen7_gpgpu_walker w = stage_walk(0, 8, 1, 1, 1, 1);
   for (unsigned enable = 0; enable < 2; enable++)
      for (unsigned result = 0; result < 2; result++) {
         reg_set(s->dev, 0x2418, result);
         s->count = 0;
         w.predicate_enable = enable;
         stage_walker(s, &w);
         assert_int_equal(s->count, enable && !result ? 0 : 1);
         uint32_t dw[GEN7_GPGPU_OBJECT_LENGTH];
         struct gen7_gpgpu_object o = {.predicate_enable = enable,
                                       .end_of_thread_group = true,
                                       .execution_mask = 0xff};
         gen7_gpgpu_object_pack(dw, &o);
         s->count = 0;
         assert_int_equal(stage_direct_all(s, dw, GEN7_GPGPU_OBJECT_LENGTH), CS_DONE);
         assert_int_equal(s->count, enable && !result ? 0 : 1);
      }
}

/* MEDIA-438, MEDIA-422 */
static void
lengths_are_fixed(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   uint32_t dw[12] = {0};
   struct gen7_gpgpu_walker w = stage_walk(0, 8, 1, 1, 1, 1);
   gen7_gpgpu_walker_pack(dw, &w);
   assert_int_equal(stage_direct_all(s, dw, 10), CS_DONE);
   assert_said(s, "MEDIA-438");
   assert_int_equal(s->count, 0);
   assert_int_equal(stage_direct_all(s, dw, 12), CS_DONE);
   assert_said(s, "MEDIA-438");
   gen7_gpgpu_object_pack(dw, &(struct gen7_gpgpu_object){.end_of_thread_group = true});
   assert_int_equal(stage_direct_all(s, dw, 7), CS_DONE);
   assert_said(s, "MEDIA-422");
}

/* MEDIA-119, MEDIA-442, MEDIA-120: 64 threads of SIMD16, 32 of SIMD32; 1024 channels in either case have
 * at most 6 KB of ids. */
static void
group_size_limits(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   struct gen7_interface_descriptor_data d = stage_descriptor(0);
   d.constant_urb_entry_read_length = 3; /* X, Y and Z of 16 channels */
   stage_put_descriptor(s, 0, &d);
   stage_load_descriptors(s, 1);
   struct gen7_gpgpu_walker w = stage_walk(0, 16, 64, 1, 1, 1);
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
   struct stage *s = *state;
   struct gen7_media_vfe_state v = stage_vfe();
   v.maximum_number_of_threads =
      s->dev->sku.half_slices * s->dev->sku.eus_per_half_slice * s->dev->sku.threads_per_eu - 1;
   stage_standard(s, true);
   rig_forget(s->rig);
   stage_put_vfe(s, &v);
   assert_quiet(s);
   struct gen7_gpgpu_walker w = stage_walk(0, 8, v.maximum_number_of_threads + 1, 1, 1, 1);
   stage_walker(s, &w);
   assert_quiet(s);
   w = stage_walk(0, 8, v.maximum_number_of_threads + 2, 1, 1, 1);
   stage_walker(s, &w);
   assert_said(s, "MEDIA-119");
   /* MEDIA-292: one more than the part has */
   v.maximum_number_of_threads++;
   stage_flush(s);
   stage_put_vfe(s, &v);
   assert_said(s, "MEDIA-292");
}

/* MEDIA-180, MEDIA-196, MEDIA-199, MEDIA-200, MEDIA-203, MEDIA-206, SF-170: how many groups a machine
 * holds, and where. */
static void
places_of_groups(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   struct kernel_state k = {0};
   struct group_layout l;
   group_layout_init(s->media, &k, 1, &l);
   assert_int_equal(l.slots, 32); /* 16 of each half-slice, barrier or not */
   group_layout_init(s->media, &k, 8, &l);
   assert_int_equal(l.slots, 16); /* 64 threads of a half-slice */
   group_layout_init(s->media, &k, 64, &l);
   assert_int_equal(l.slots, 2);
   for (unsigned blocks = 1; blocks <= 16; blocks *= 2) {
      k.slm_size_B = blocks * 4096;
      group_layout_init(s->media, &k, 1, &l);
      assert_int_equal(l.slots, 2 * 16 / blocks); /* 64 KB of each half-slice */
   }
   k.slm_size_B = 0;
   s->media->vfe.max_threads = 24;
   group_layout_init(s->media, &k, 8, &l);
   assert_int_equal(l.slots, 3);
   /* SF-170: a count of 0 disables the barrier */
   k.d.barrier_enable = true;
   group_layout_init(s->media, &k, 8, &l);
   assert_false(l.barrier);
   k.d.number_of_threads_in_gpgpu_thread_group = 8;
   group_layout_init(s->media, &k, 8, &l);
   assert_true(l.barrier);
   assert_int_equal(l.barrier_count, 8);
}

/* MEDIA-465: FF_MODE chooses the half-slice. */
static void
half_slice_override(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   for (unsigned mode = 0; mode < 3; mode++) {
      reg_set(s->dev, 0x20a0, 1u << 16 | mode << 17);
      s->count = 0;
      struct gen7_gpgpu_walker w = stage_walk(0, 8, 1, 8, 1, 1);
      stage_walker(s, &w);
      unsigned seen[2] = {0};
      for (unsigned i = 0; i < 8; i++)
         seen[s->record[i].half_slice]++;
      assert_int_equal(seen[0], mode == 0 ? 4 : mode == 1 ? 8 : 0);
   }
}

/* ---- barriers and shared memory -------------------------------------------------------------- */

static enum eu_stop
meets_at_barrier(struct stage *s, struct eu_thread *t, unsigned step)
{
   unsigned rounds = s->value[0];
   if (step == 2 * rounds)
      return stage_end(t);
   if (step % 2) {
      if (!t->n0[0])
         return EU_STOP_WAIT;
      t->n0[0]--;
      /* nobody is past the barrier before all have come */
      assert_int_equal(s->value[1 + step / 2], t->group->thread_count);
      s->next_step = step + 1;
      return EU_STOP_BUDGET;
   }
   uint32_t m[8] = {0};
   m[2] = eu_grf(t, 0)[2] & 0x0f000000; /* SF-173: as drivers send it */
   s->value[1 + step / 2]++;
   s->next_step = step + 1;
   stage_message(t, SFID_GATEWAY, 4, m, false, NULL);
   return EU_STOP_BUDGET;
}

/* MEDIA-058, MEDIA-059, MEDIA-053, MEDIA-054, MEDIA-195, SF-020, SF-065, SF-066, SF-071, SF-077,
 * SF-078, SF-079, SF-173, MEDIA-343, MEDIA-347, MEDIA-346, SFV-080, SFV-093, SFV-100, SFV-116 */
static void
barrier_releases_all(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   struct gen7_interface_descriptor_data d = stage_descriptor(1);
   d.barrier_enable = true;
   d.number_of_threads_in_gpgpu_thread_group = 24;
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   s->actor[1] = meets_at_barrier;
   s->value[0] = 5;
   struct gen7_gpgpu_walker w = stage_walk(1, 16, 24, 1, 1, 1);
   stage_walker(s, &w);
   assert_int_equal(s->ended, 24);
   assert_quiet(s);
   /* MEDIA-347: a count that does not match is named */
   d.number_of_threads_in_gpgpu_thread_group = 23;
   stage_flush(s);
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   s->actor[1] = actor_ends;
   stage_walker(s, &w);
   assert_said(s, "MEDIA-347");
}

/* Thread 0 writes into thread 3, which sits three EUs on, before that one has had a turn. */
static enum eu_stop
writes_to_the_fourth(struct stage *s, struct eu_thread *t, unsigned step)
{
   (void)step;
   if (t->group_index == 3) {
      s->value[0] = eu_grf(t, 5)[2];
      s->value[1] = t->n0[0];
      s->value[2] = eu_grf(t, 0)[1];
      t->n0[0] = 0;
   }
   if (t->group_index == 0) {
      uint32_t m[8], desc;
      struct gen7_forwardmsg_payload p = {.data_0 = 0xabcd0000 + t->group->id[0],
                                          .hsid = t->half_slice,
                                          .euid = t->eu + 3u,
                                          .tid = t->slot,
                                          .register_offset = 5,
                                          .dword_offset = 2,
                                          .length = 2};
      gen7_forwardmsg_payload_pack(m, &p);
      gen7_gateway_message_descriptor_pack(
         &desc, &(struct gen7_gateway_message_descriptor){.subfuncid = 2, .notify = 1});
      stage_message(t, SFID_GATEWAY, desc, m, false, NULL);
   }
   return stage_end(t);
}

/* SF-039, SF-041: all threads of a group are there from its start, whoever runs first. */
static void
message_to_a_thread_that_has_not_run(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   s->actor[1] = writes_to_the_fourth;
   for (unsigned groups = 1; groups < 4; groups++) {
      struct gen7_gpgpu_walker w = stage_walk(1, 16, 4, groups, 1, 1);
      stage_walker(s, &w);
      assert_int_equal(s->value[0], 0xabcd0000 + groups - 1);
      assert_int_equal(s->value[1], 1);
      assert_int_equal(s->value[2], groups - 1);
      stage_flush(s);
   }
   assert_quiet(s);
}

static enum eu_stop
some_miss_the_barrier(struct stage *s, struct eu_thread *t, unsigned step)
{
   if (step == 0 && t->id % 4 == 3)
      return stage_end(t);
   if (step == 0) {
      uint32_t m[8] = {[2] = eu_grf(t, 0)[2] & 0x0f000000};
      stage_message(t, SFID_GATEWAY, 4, m, false, NULL);
   }
   s->next_step = 1;
   return t->n0[0] ? stage_end(t) : EU_STOP_WAIT;
}

/* MEDIA-207 and MEDIA-204: a group that can never go on is named, ended, and its place used again. */
static void
barrier_that_never_completes(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   struct gen7_interface_descriptor_data d = stage_descriptor(1);
   d.barrier_enable = true;
   d.number_of_threads_in_gpgpu_thread_group = 4;
   d.shared_local_memory_size = 16;
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   rig_set(s->rig, 0xb020, 0x00080041);
   s->actor[1] = some_miss_the_barrier;
   struct gen7_gpgpu_walker w = stage_walk(1, 16, 4, 6, 1, 1);
   stage_walker(s, &w);
   const struct rig_diagnostic *r = rig_find(s->rig, "MEDIA-058");
   assert_non_null(r);
   assert_non_null(strstr(r->message, "expects 4 messages, 3 have come (threads 0x7)"));
   assert_non_null(strstr(r->message, "threads 0x8 have ended"));
   rig_forget(s->rig);
   assert_int_equal(s->count, 24); /* the groups behind it ran in the same places */
   w = stage_walk(0, 16, 4, 1, 1, 1);
   stage_walker(s, &w);
   assert_int_equal(s->count, 28);
   assert_quiet(s);
}

static enum eu_stop
never_ends(struct stage *s, struct eu_thread *t, unsigned step)
{
   return EU_STOP_BUDGET;
}

/* A thread that never ends is bounded by the budget; the caller sees CS_AGAIN and may reset. */
static void
endless_thread_costs_its_budget(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   s->actor[2] = never_ends;
   struct gen7_gpgpu_walker w = stage_walk(2, 16, 2, 1, 1, 1);
   uint32_t dw[GEN7_GPGPU_WALKER_LENGTH];
   gen7_gpgpu_walker_pack(dw, &w);
   for (unsigned i = 0; i < 10; i++)
      assert_int_equal(stage_direct(s, dw, GEN7_GPGPU_WALKER_LENGTH, 1000), CS_AGAIN);
   assert_false(media_idle(s->media));
   media_reset(s->media);
   assert_true(media_idle(s->media));
}

static enum eu_stop
counts_in_slm(struct stage *s, struct eu_thread *t, unsigned step)
{
   uint32_t *slm = (uint32_t *)(void *)t->group->slm;
   if (t->id % t->group->thread_count == 0)
      slm[0] = 0;
   slm[0]++;
   s->value[0] = slm[0];
   return stage_end(t);
}

/* MEDIA-202, MEDIA-344, MEDIA-201: sizes are powers of two; the threads of a group share one block. */
static void
shared_memory_sizes(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   rig_set(s->rig, 0xb020, 0x00080041);
   s->actor[1] = counts_in_slm;
   static const unsigned sizes[] = {1, 2, 4, 8, 16, 3};
   for (unsigned i = 0; i < 6; i++) {
      struct gen7_interface_descriptor_data d = stage_descriptor(1);
      d.shared_local_memory_size = sizes[i];
      stage_flush(s);
      stage_put_descriptor(s, 1, &d);
      stage_load_descriptors(s, 2);
      s->count = 0;
      struct gen7_gpgpu_walker w = stage_walk(1, 16, 8, 3, 1, 1);
      stage_walker(s, &w);
      assert_int_equal(s->value[0], 8);
      assert_int_equal(s->record[0].slm_size, sizes[i] == 3 ? 0x4000 : sizes[i] * 4096);
      if (sizes[i] != 3)
         assert_quiet(s);
   }
   assert_said(s, "MEDIA-344");
}

/* ---- GPGPU_OBJECT ---------------------------------------------------------------------------- */

static void
object(struct stage *s, const struct gen7_gpgpu_object *o)
{
   uint32_t dw[GEN7_GPGPU_OBJECT_LENGTH];
   gen7_gpgpu_object_pack(dw, o);
   assert_int_equal(stage_direct_all(s, dw, GEN7_GPGPU_OBJECT_LENGTH), CS_DONE);
}

/* MEDIA-419, MEDIA-424, MEDIA-426, MEDIA-431, MEDIA-432, MEDIA-433, MEDIA-077, MEDIA-027: a group thread by
 * thread; sections and keys count on. */
static void
objects_make_a_group(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   struct gen7_interface_descriptor_data d = stage_descriptor(1);
   d.constant_urb_entry_read_length = 2;
   d.barrier_enable = true;
   d.number_of_threads_in_gpgpu_thread_group = 3;
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   s->actor[1] = meets_at_barrier;
   s->value[0] = 1;
   for (unsigned g = 0; g < 2; g++) {
      s->value[1] = 0;
      for (unsigned i = 0; i < 3; i++) {
         struct gen7_gpgpu_object o = {.interface_descriptor_offset = 1,
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
      assert_int_equal(field(r->r[0][2], 23, 16), i);
   }
   assert_quiet(s);
}

/* MEDIA-057 and MEDIA-068: another group before the end of the first. */
static void
objects_out_of_order(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   object(s, &(struct gen7_gpgpu_object){.thread_group_id_x = 1, .execution_mask = 1});
   object(s, &(struct gen7_gpgpu_object){
                .thread_group_id_x = 2, .execution_mask = 1, .end_of_thread_group = true});
   assert_said(s, "MEDIA-057");
   assert_int_equal(s->count, 2); /* the first was closed and ran */
   /* a flush in the middle of a group runs what there is */
   object(s, &(struct gen7_gpgpu_object){.thread_group_id_x = 3, .execution_mask = 1});
   assert_false(media_idle(s->media));
   stage_flush(s);
   assert_int_equal(s->count, 3);
   assert_true(media_idle(s->media));
}

/* MEDIA-205, MEDIA-423, MEDIA-425, MEDIA-056: software says where the shared memory lies. */
static void
objects_with_fixed_shared_memory(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   rig_set(s->rig, 0xb020, 0x00080041);
   struct gen7_interface_descriptor_data d = stage_descriptor(1);
   d.shared_local_memory_size = 4;
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   struct gen7_gpgpu_object o = {.interface_descriptor_offset = 1,
                                 .shared_local_memory_fixed_offset = true,
                                 .shared_local_memory_offset = 8,
                                 .end_of_thread_group = true,
                                 .execution_mask = 1};
   object(s, &o);
   assert_int_equal(s->record[0].slm_offset, 8 * 4096);
   assert_int_equal(field(s->record[0].r[0][0], 27, 24), 8);
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

/* MEDIA-427, MEDIA-428 */
static void
objects_choose_a_half_slice(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   struct gen7_gpgpu_object o = {.half_slice_destination_select = 2, .execution_mask = 1};
   object(s, &o);
   object(s, &o);                       /* says the same */
   o.half_slice_destination_select = 0; /* follows the first */
   o.end_of_thread_group = true;
   object(s, &o);
   for (unsigned i = 0; i < 3; i++)
      assert_int_equal(s->record[i].half_slice, 1);
   assert_quiet(s);
   o = (struct gen7_gpgpu_object){.half_slice_destination_select = 1, .execution_mask = 1};
   object(s, &o);
   o.half_slice_destination_select = 2;
   o.end_of_thread_group = true;
   object(s, &o);
   assert_said(s, "MEDIA-428");
   o.half_slice_destination_select = 3;
   object(s, &o);
   assert_said(s, "MEDIA-427");
}

/* MEDIA-082, MEDIA-429, MEDIA-430 */
static void
objects_with_indirect_data(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   struct gen7_interface_descriptor_data d = stage_descriptor(1);
   d.constant_urb_entry_read_length = 1;
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   stage_memory(s, STAGE_INDIRECT + 0x40)[0] = 0xabcd;
   stage_memory(s, STAGE_INDIRECT + 0x40)[15] = 0xef01;
   struct gen7_gpgpu_object o = {.interface_descriptor_offset = 1,
                                 .indirect_data_length = 64,
                                 .indirect_data_start_address = 0x40,
                                 .end_of_thread_group = true,
                                 .execution_mask = 1};
   object(s, &o);
   assert_int_equal(rig_count(s->rig, "MEDIA-429") + rig_count(s->rig, "MEDIA-430"), 0);
   assert_said(s, "MEDIA-082"); /* not in the payload table: named, delivered behind the constants */
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
   struct stage *s = *state;
   stage_standard(s, true);
   s->actor[1] = asks_for_a_child;
   struct gen7_gpgpu_walker w = stage_walk(1, 16, 2, 1, 1, 1);
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

/* MEDIA-261 and MEDIA-023: the spawner must be told; a thread that faults leaves its place as well. */
static void
threads_that_end_badly(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   s->actor[1] = ends_silently;
   struct gen7_gpgpu_walker w = stage_walk(1, 16, 2, 4, 1, 1);
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
   struct stage *s = *state;
   stage_standard(s, true);
   struct gen7_interface_descriptor_data d = stage_descriptor(1);
   d.kernel_start_pointer = 0x70000000;
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   struct gen7_gpgpu_walker w = stage_walk(1, 16, 2, 4, 1, 1);
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
   assert_int_equal(field(s->record[8].r[0][2], 9, 4), 3);
}

/* Dimensions whose product has 96 bits: a budget's worth is walked, no more. */
static void
huge_walk_is_bounded(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   struct gen7_gpgpu_walker w = stage_walk(0, 16, 1, ~0u, ~0u, ~0u);
   uint32_t dw[GEN7_GPGPU_WALKER_LENGTH];
   gen7_gpgpu_walker_pack(dw, &w);
   assert_int_equal(stage_direct(s, dw, GEN7_GPGPU_WALKER_LENGTH, 2000), CS_AGAIN);
   assert_in_range(s->count, 500, 1100);
   assert_int_equal(stage_direct(s, dw, GEN7_GPGPU_WALKER_LENGTH, 2000), CS_AGAIN);
   assert_int_equal(s->record[s->count - 1].r[0][1], s->count - 1);
   media_reset(s->media);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, stage_setup, stage_teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
      CASE(groups_come_in_order),
      CASE(masks_of_the_edges),
      cmocka_unit_test(mask_example_22_by_10),
      cmocka_unit_test(mask_examples_48_channels),
      CASE(thread_ids_from_curbe),
      CASE(curbe_read_offset),
      CASE(payload_register_by_register),
      CASE(indirect_dimensions),
      CASE(impossible_dimensions),
      CASE(zero_dimension_ends_the_batch),
      CASE(predicate_skips),
      CASE(lengths_are_fixed),
      CASE(group_size_limits),
      cmocka_unit_test_setup_teardown(group_larger_than_the_part, stage_setup_gt1, stage_teardown),
      cmocka_unit_test_setup_teardown(group_larger_than_the_part, stage_setup_vlv, stage_teardown),
      CASE(places_of_groups),
      CASE(half_slice_override),
      CASE(barrier_releases_all),
      CASE(message_to_a_thread_that_has_not_run),
      CASE(barrier_that_never_completes),
      CASE(endless_thread_costs_its_budget),
      CASE(shared_memory_sizes),
      CASE(objects_make_a_group),
      CASE(objects_out_of_order),
      CASE(objects_with_fixed_shared_memory),
      CASE(objects_choose_a_half_slice),
      CASE(objects_with_indirect_data),
      CASE(gpgpu_thread_spawns_nothing),
      CASE(threads_that_end_badly),
      CASE(bad_descriptors),
      CASE(huge_walk_is_bounded),
   };
   return cmocka_run_group_tests_name("media_gpgpu", tests, NULL, NULL);
}
