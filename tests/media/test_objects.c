/* Media state, URB entries, MEDIA_OBJECT and its payload, PRT, MEDIA_OBJECT_WALKER. */
#include "stage.h"

static uint32_t
bits(uint32_t v, unsigned hi, unsigned lo)
{
   return v >> lo & (uint32_t)((UINT64_C(1) << (hi - lo + 1)) - 1);
}

static void
walk(struct stage *s, const struct gen7_media_object_walker *w, const uint32_t *data, unsigned n)
{
   uint32_t dw[GEN7_MEDIA_OBJECT_WALKER_LENGTH + 600];
   gen7_media_object_walker_pack(dw, w);
   dw[0] += n;
   if (n)
      memcpy(dw + GEN7_MEDIA_OBJECT_WALKER_LENGTH, data, n * 4);
   assert_int_equal(stage_direct_all(s, dw, GEN7_MEDIA_OBJECT_WALKER_LENGTH + n), CS_DONE);
}

static struct gen7_media_object_walker
raster(unsigned w, unsigned h)
{
   return (struct gen7_media_object_walker){.repel = true,
                                            .global_loop_exec_count = 1,
                                            .local_loop_exec_count = h - 1,
                                            .block_resolution_x = w,
                                            .block_resolution_y = h,
                                            .local_end_x = w - 1,
                                            .local_outer_loop_stride_y = 1,
                                            .local_inner_loop_unit_x = 1,
                                            .global_resolution_x = w,
                                            .global_resolution_y = h,
                                            .global_outer_loop_stride_x = (int)w,
                                            .global_inner_loop_unit_y = (int)h};
}

static void
prt(struct stage *s, const struct gen7_media_object_prt *o)
{
   uint32_t dw[GEN7_MEDIA_OBJECT_PRT_LENGTH];
   gen7_media_object_prt_pack(dw, o);
   assert_int_equal(stage_direct_all(s, dw, GEN7_MEDIA_OBJECT_PRT_LENGTH), CS_DONE);
}

/* MEDIA-098, MEDIA-099, MEDIA-100, MEDIA-005, MEDIA-084, MEDIA-085, MEDIA-097, MEDIA-011,
 * MEDIA-220, MEDIA-223, MEDIA-021, MEDIA-224, MEDIA-226, MEDIA-228, MEDIA-229, MEDIA-231, MEDIA-232, MEDIA-233,
 * MEDIA-234, MEDIA-235, MEDIA-237, MEDIA-214, MEDIA-164, MEDIA-213, MEDIA-230, MEDIA-236, MEDIA-003,
 * MEDIA-365, MEDIA-373, MEDIA-374, MEDIA-375, MEDIA-090, MEDIA-078, MEDIA-091, MEDIA-101 */
static void
root_thread_payload(void **state)
{
   struct stage *s = *state;
   stage_standard(s, false);
   struct gen7_interface_descriptor_data d = stage_descriptor(3);
   d.sampler_state_pointer = 0xabcd20;
   d.binding_table_pointer = 0x1240;
   d.constant_urb_entry_read_length = 2;
   d.constant_urb_entry_read_offset = 5;
   stage_put_descriptor(s, 3, &d);
   stage_load_descriptors(s, 4);
   uint32_t data[12];
   for (unsigned i = 0; i < 12; i++)
      data[i] = 0x100 + i;
   for (unsigned i = 0; i < 8; i++)
      stage_memory(s, STAGE_INDIRECT + 0x64)[i] = 0x200 + i;
   struct gen7_media_object o = {.interface_descriptor_offset = 3,
                                 .indirect_data_length = 32,
                                 .indirect_data_start_address = 0x64,
                                 .scoreboard_x = 0x1ab,
                                 .scoreboard_y = 0x0cd,
                                 .scoreboard_color = 9,
                                 .scoreboard_mask = 0xa5};
   stage_object(s, &o, data, 12);
   assert_int_equal(s->count, 0);
   stage_flush(s);
   assert_int_equal(s->count, 1);
   const struct record *r = &s->record[0];
   const uint32_t *r0 = r->r[0];
   assert_int_equal(r0[0], 0xa5u << 24 | s->media->vfe.handle[0]);
   assert_int_equal(r0[1], 0x0cd << 16 | 0x1ab); /* also with Use Scoreboard = 0 */
   assert_int_equal(r0[2], 3 << 4 | 9);
   assert_int_equal(r0[3], 0xabcd20 | 1);
   assert_int_equal(r0[4], 0x1240);
   assert_int_equal(r0[5], 0x4000); /* scratch of FFTID 0 */
   assert_int_equal(r0[6], 0);
   assert_int_equal(r0[7], 0);
   assert_int_equal(r->r[1][0], 5); /* constants */
   assert_int_equal(r->r[2][0], 6);
   for (unsigned i = 0; i < 12; i++) /* inline */
      assert_int_equal(r->r[3 + i / 8][i % 8], 0x100 + i);
   for (unsigned i = 4; i < 8; i++) /* zero filled */
      assert_int_equal(r->r[4][i], 0);
   for (unsigned i = 0; i < 8; i++) /* indirect */
      assert_int_equal(r->r[5][i], 0x200 + i);
   assert_int_equal(r->mask, 0xffffffff);
   assert_int_equal(r->sr0[3], 0xffffffff);
   assert_false(r->in_group); /* MEDIA-028 */
   assert_int_equal(r->ffid, 7);
   /* the payload also lies in the thread's entry, as VFE wrote it */
   uint32_t row[8];
   assert_true(urb_read(&s->media->urb, s->media->vfe.handle[0] * 64u, row, 32));
   assert_int_equal(row[7], 0x107);
   assert_quiet(s);
}

/* MEDIA-223: the last register of inline data and of indirect data is filled with zeros, whatever an earlier command had
 * there. */
static void
filled_with_zeros(void **state)
{
   struct stage *s = *state;
   stage_standard(s, false);
   uint32_t data[64];
   memset(data, 0xee, sizeof(data));
   memset(stage_memory(s, STAGE_INDIRECT), 0xdd, 256);
   struct gen7_media_object o = {.indirect_data_length = 160};
   stage_object(s, &o, data, 24);
   o.indirect_data_length = 36;
   stage_object(s, &o, data, 9);
   assert_said(s, "MEDIA-371"); /* no multiple of 32 */
   stage_flush(s);
   assert_int_equal(s->count, 2);
   const struct record *r = &s->record[1];
   for (unsigned i = 0; i < 8; i++) {
      assert_int_equal(r->r[2][i], i < 1 ? 0xeeeeeeee : 0);
      assert_int_equal(r->r[3][i], 0xdddddddd);
      assert_int_equal(r->r[4][i], i < 1 ? 0xdddddddd : 0);
   }
}

/* MEDIA-078, MEDIA-361, MEDIA-028: every non-empty combination of constants, inline and indirect data. */
static void
payload_combinations(void **state)
{
   struct stage *s = *state;
   stage_standard(s, false);
   struct gen7_interface_descriptor_data d = stage_descriptor(1);
   d.constant_urb_entry_read_length = 1;
   d.constant_urb_entry_read_offset = 200;
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   stage_memory(s, STAGE_INDIRECT)[0] = 300;
   uint32_t data[8] = {100};
   for (unsigned mask = 1; mask < 8; mask++) {
      s->count = 0;
      struct gen7_media_object o = {.interface_descriptor_offset = mask & 1,
                                    .indirect_data_length = mask & 4 ? 32 : 0};
      stage_object(s, &o, data, mask & 2 ? 8 : 0);
      stage_flush(s);
      unsigned at = 1;
      if (mask & 1)
         assert_int_equal(s->record[0].r[at++][0], 200);
      if (mask & 2)
         assert_int_equal(s->record[0].r[at++][0], 100);
      if (mask & 4)
         assert_int_equal(s->record[0].r[at++][0], 300);
      assert_quiet(s);
   }
   stage_object(s, &(struct gen7_media_object){0}, NULL, 0);
   assert_said(s, "MEDIA-361");
}

/* MEDIA-362, MEDIA-363, MEDIA-364, MEDIA-371, MEDIA-372, MEDIA-302, MEDIA-303, MEDIA-304 */
static void
payload_limits(void **state)
{
   struct stage *s = *state;
   struct gen7_media_vfe_state v = stage_vfe();
   stage_standard(s, false);
   v.urb_entry_allocation_size = 63; /* 64 rows */
   stage_put_vfe(s, &v);
   static uint32_t data[512];
   struct gen7_media_object o = {0};
   stage_object(s, &o, data, 504);
   assert_quiet(s);
   stage_object(s, &o, data, 505);
   assert_said(s, "MEDIA-362");
   o.indirect_data_length = 49 * 32; /* 63 + 49 = 112 registers */
   stage_object(s, &o, data, 504);
   assert_quiet(s);
   o.indirect_data_length = 50 * 32;
   stage_object(s, &o, data, 504);
   assert_said(s, "MEDIA-363");
   o.indirect_data_length = 496 * 4;
   stage_object(s, &o, NULL, 0);
   assert_quiet(s);
   o.indirect_data_length = 496 * 4 + 32;
   stage_object(s, &o, NULL, 0);
   assert_said(s, "MEDIA-371");
   o.indirect_data_length = 36;
   stage_object(s, &o, NULL, 0);
   assert_said(s, "MEDIA-371");
   o.indirect_data_length = 32;
   o.indirect_data_start_address = 2;
   stage_object(s, &o, NULL, 0);
   assert_said(s, "MEDIA-372");
   stage_flush(s);
   v.urb_entry_allocation_size = 1;
   v.number_of_urb_entries = 2;
   stage_put_vfe(s, &v);
   stage_object(s, &(struct gen7_media_object){0}, data, 16);
   assert_quiet(s); /* matches the two rows of an entry */
   stage_object(s, &(struct gen7_media_object){0}, data, 17);
   assert_said(s, "MEDIA-302");
   stage_object(s, &(struct gen7_media_object){.indirect_data_length = 4 * 32}, NULL, 0);
   assert_quiet(s); /* as much as all entries hold */
   stage_object(s, &(struct gen7_media_object){.indirect_data_length = 5 * 32}, NULL, 0);
   assert_said(s, "MEDIA-303");
   stage_object(s, &(struct gen7_media_object){.indirect_data_length = 32}, data, 17);
   assert_said(s, "MEDIA-304");
   stage_flush(s);
}

/* MEDIA-037, MEDIA-372, MEDIA-453: indirect data past the bound reads as 0. */
static void
indirect_bound(void **state)
{
   struct stage *s = *state;
   stage_standard(s, false);
   for (unsigned i = 0; i < 16; i++)
      stage_memory(s, STAGE_INDIRECT + 0x1000 - 32)[i] = 7;
   static const uint32_t bounds[] = {STAGE_INDIRECT + 0x1000, 0, 0xfffff000};
   for (unsigned i = 0; i < 3; i++) {
      s->count = 0;
      uint32_t dw[] = {0x61010008, 0, 0, 0, 0, 0, 0, 0, bounds[i] | 1, 0};
      stage_submit(s, dw, 10);
      rig_forget(s->rig);
      stage_object(s,
                   &(struct gen7_media_object){.indirect_data_length = 64,
                                               .indirect_data_start_address = 0x1000 - 32},
                   NULL, 0);
      stage_flush(s);
      assert_int_equal(s->record[0].r[1][7], 7);
      assert_int_equal(s->record[0].r[2][0], i ? 7 : 0);
      if (i)
         assert_quiet(s);
      else
         assert_said(s, "MEDIA-037");
   }
}

/* MEDIA-093, MEDIA-094, MEDIA-096, MEDIA-122, MEDIA-020, MEDIA-293, MEDIA-300, MEDIA-167, MEDIA-041, MEDIA-305:
 * handles go round in order; each is a whole 512-bit unit behind descriptors and CURBE. */
static void
handles_in_order(void **state)
{
   struct stage *s = *state;
   struct gen7_media_vfe_state v = stage_vfe();
   stage_standard(s, false);
   v.number_of_urb_entries = 3;
   v.urb_entry_allocation_size = 4; /* 5 rows, in a pitch of 6 */
   v.curbe_allocation_size = 255;
   stage_put_vfe(s, &v);
   assert_int_equal(s->media->vfe.handle_count, 3);
   for (unsigned i = 0; i < 3; i++)
      assert_int_equal(s->media->vfe.handle[i] * 2, 32 + 256 + 6 * i);
   uint32_t data[1] = {1};
   for (unsigned i = 0; i < 7; i++)
      stage_object(s, &(struct gen7_media_object){0}, data, 1);
   stage_flush(s);
   assert_int_equal(s->count, 7); /* a handle is free again once its thread has started */
   for (unsigned i = 0; i < 7; i++)
      assert_int_equal(bits(s->record[i].r[0][0], 15, 0), s->media->vfe.handle[s->record[i].id % 3]); /* id: order of dispatch */
   /* MEDIA-041: a new state makes new ones */
   v.number_of_urb_entries = 64;
   v.urb_entry_allocation_size = 0;
   stage_put_vfe(s, &v);
   assert_int_equal(s->media->vfe.handle_count, 64);
   assert_int_equal(s->media->vfe.handle_head, 0);
   assert_quiet(s);
}

/* MEDIA-301, MEDIA-123, MEDIA-124, MEDIA-306: what does not fit is named and clamped. */
static void
urb_budget(void **state)
{
   struct stage *s = *state;
   struct gen7_media_vfe_state v = stage_vfe();
   stage_bases(s, false);
   v.curbe_allocation_size = 2016;
   v.number_of_urb_entries = 64;
   v.urb_entry_allocation_size = 96; /* 64 * 96 + 2016 + 32 = 8192 rows */
   stage_put_vfe(s, &v);
   assert_quiet(s);
   v.urb_entry_allocation_size = 97;
   stage_put_vfe(s, &v);
   assert_said(s, "MEDIA-301");
   assert_true(s->media->vfe.handle_count < 64);
   assert_true(s->media->vfe.handle_count > 0);
   v = stage_vfe();
   v.curbe_allocation_size = 8192 - 32;
   v.number_of_urb_entries = 0;
   stage_put_vfe(s, &v);
   assert_quiet(s);
   v.curbe_allocation_size++;
   stage_put_vfe(s, &v);
   assert_said(s, "MEDIA-306");
}

/* MEDIA-294: no entries: constants alone go, data does not. */
static void
no_urb_entries(void **state)
{
   struct stage *s = *state;
   struct gen7_media_vfe_state v = stage_vfe();
   stage_standard(s, false);
   v.number_of_urb_entries = 0;
   v.urb_entry_allocation_size = 0;
   stage_put_vfe(s, &v);
   struct gen7_interface_descriptor_data d = stage_descriptor(1);
   d.constant_urb_entry_read_length = 1;
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   stage_object(s, &(struct gen7_media_object){.interface_descriptor_offset = 1}, NULL, 0);
   stage_flush(s);
   assert_int_equal(s->count, 1);
   assert_int_equal(bits(s->record[0].r[0][0], 15, 0), 0);
   assert_quiet(s);
   uint32_t data[1] = {1};
   stage_object(s, &(struct gen7_media_object){0}, data, 1);
   assert_said(s, "MEDIA-294");
   stage_flush(s);
   assert_int_equal(s->count, 1);
}

/* MEDIA-314, MEDIA-315, MEDIA-316, MEDIA-318, MEDIA-042, MEDIA-033 */
static void
curbe_load(void **state)
{
   struct stage *s = *state;
   struct gen7_media_vfe_state v = stage_vfe();
   stage_bases(s, true);
   stage_load_curbe(s, 64);
   assert_said(s, "MEDIA-041"); /* no space was given yet */
   v.curbe_allocation_size = 4;
   stage_put_vfe(s, &v);
   for (unsigned i = 0; i < 64; i++)
      stage_memory(s, STAGE_DYNAMIC + STAGE_CURBE)[i] = 0x500 + i;
   stage_load_curbe(s, 128);
   uint32_t row[8];
   urb_read(&s->media->urb, 32 * 32, row, 32); /* from entry 32 */
   assert_int_equal(row[0], 0x500);
   urb_read(&s->media->urb, 35 * 32, row, 32);
   assert_int_equal(row[7], 0x51f);
   stage_memory(s, STAGE_DYNAMIC + STAGE_CURBE)[0] = 0x600;
   stage_load_curbe(s, 32); /* the last load wins */
   urb_read(&s->media->urb, 32 * 32, row, 32);
   assert_int_equal(row[0], 0x600);
   assert_quiet(s);
   stage_load_curbe(s, 160); /* MEDIA-318: the fifth row is not written */
   assert_said(s, "MEDIA-318");
   urb_read(&s->media->urb, 36 * 32, row, 32);
   assert_int_equal(row[0], 0);
   stage_load_curbe(s, 20);
   assert_said(s, "MEDIA-315");
   stage_submit(s, IDS(0x70010002, 0, 32, STAGE_CURBE + 4), 4);
   assert_said(s, "MEDIA-316");
   stage_submit(s, IDS(0x70010002, 0, 32, 0x70000000), 4); /* not mapped */
   assert_said(s, "MEDIA-316");
}

/* MEDIA-320, MEDIA-323, MEDIA-324, MEDIA-043, MEDIA-217, MEDIA-038 */
static void
descriptor_load(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   uint32_t row[8];
   for (unsigned i = 0; i < STAGE_ACTORS; i++) {
      urb_read(&s->media->urb, 32 * i, row, 32);
      assert_int_equal(row[0], i * 64);
   }
   assert_quiet(s);
   stage_submit(s, IDS(0x70020002, 0, 1024, 0), 4);
   assert_quiet(s);
   for (unsigned i = 0; i < 8; i++)
      stage_memory(s, STAGE_DYNAMIC + 1024)[i] = 0x777; /* a 33rd descriptor, for which there is no row */
   static const uint32_t bad[] = {0, 48, 1056};
   for (unsigned i = 0; i < 3; i++) {
      stage_submit(s, IDS(0x70020002, 0, bad[i], 0), 4);
      assert_said(s, "MEDIA-323");
   }
   urb_read(&s->media->urb, 32 * 32, row, 32); /* the CURBE behind was not touched */
   assert_int_equal(row[0], 0);
   stage_submit(s, IDS(0x70020002, 0, 32, 16), 4);
   assert_said(s, "MEDIA-324");
   /* MEDIA-038: the bound of dynamic state */
   uint32_t dw[] = {0x61010008, 0, 0, 0, 0, 0, 0, (STAGE_DYNAMIC + 0x1000) | 1, 0, 0};
   stage_submit(s, dw, 10);
   rig_forget(s->rig);
   stage_submit(s, IDS(0x70020002, 0, 64, 0xfe0), 4);
   assert_said(s, "MEDIA-038");
}

/* MEDIA-041, MEDIA-043: nothing runs without state. */
static void
primitives_without_state(void **state)
{
   struct stage *s = *state;
   stage_bases(s, false);
   uint32_t data[1] = {0};
   stage_object(s, &(struct gen7_media_object){0}, data, 1);
   assert_said(s, "MEDIA-041");
   stage_flush(s);
   assert_int_equal(s->count, 0);
   struct gen7_media_vfe_state v = stage_vfe();
   stage_put_vfe(s, &v);
   stage_object(s, &(struct gen7_media_object){0}, data, 1);
   assert_said(s, "MEDIA-043");
}

/* MEDIA-029, MEDIA-030, MEDIA-031, MEDIA-032, MEDIA-034, MEDIA-288, MEDIA-322, MEDIA-352, MEDIA-092: state
 * behind a primitive needs a flush; a MEDIA_STATE_FLUSH is enough for loads and scoreboard fields. */
static void
flush_between_primitive_and_state(void **state)
{
   struct stage *s = *state;
   struct gen7_media_vfe_state v = stage_vfe();
   stage_standard(s, false);
   uint32_t data[1] = {0};
   stage_put_vfe(s, &v); /* before the first primitive: freely */
   assert_quiet(s);
   stage_object(s, &(struct gen7_media_object){0}, data, 1);
   assert_int_equal(stage_direct_all(s, IDS(0x70020002, 0, 32, 0), 4), CS_DONE);
   assert_said(s, "MEDIA-030");
   stage_object(s, &(struct gen7_media_object){0}, data, 1);
   assert_int_equal(stage_direct_all(s, IDS(0x70040000, 0), 2), CS_DONE);
   assert_int_equal(stage_direct_all(s, IDS(0x70020002, 0, 32, 0), 4), CS_DONE);
   v.scoreboard_enable = true;
   v.scoreboard_mask = 1;
   uint32_t dw[GEN7_MEDIA_VFE_STATE_LENGTH];
   gen7_media_vfe_state_pack(dw, &v);
   assert_int_equal(stage_direct_all(s, dw, 8), CS_DONE);
   assert_quiet(s);
   v.per_thread_scratch_space = 3; /* MEDIA-288: more than the scoreboard: a real flush */
   gen7_media_vfe_state_pack(dw, &v);
   assert_int_equal(stage_direct_all(s, dw, 8), CS_DONE);
   assert_said(s, "MEDIA-030");
   stage_object(s, &(struct gen7_media_object){0}, data, 1);
   stage_flush(s);
   stage_flush(s); /* MEDIA-034: several in a row are legal */
   v.per_thread_scratch_space = 4;
   stage_put_vfe(s, &v);
   assert_quiet(s);
}

/* MEDIA-030, MEDIA-031: each primitive begins anew; an older state flush does not cover it. For each of the loads. */
static void
state_flush_covers_what_is_before_it(void **state)
{
   struct stage *s = *state;
   uint32_t data[1] = {0};
   stage_standard(s, false);
   for (unsigned curbe = 0; curbe < 2; curbe++) {
      const uint32_t *load = curbe ? IDS(0x70010002, 0, 32, STAGE_CURBE) : IDS(0x70020002, 0, 32, 0);
      stage_object(s, &(struct gen7_media_object){0}, data, 1);
      stage_direct_all(s, IDS(0x70040000, 0), 2);
      stage_direct_all(s, load, 4);
      assert_quiet(s);
      stage_object(s, &(struct gen7_media_object){0}, data, 1);
      stage_direct_all(s, load, 4);
      assert_said(s, "MEDIA-030");
      stage_flush(s);
   }
}

/* MEDIA-049: GPGPU and media primitives want a flush between them. */
static void
gpgpu_and_media_apart(void **state)
{
   struct stage *s = *state;
   stage_standard(s, false);
   uint32_t data[1] = {0};
   struct gen7_gpgpu_walker w = stage_walk(0, 8, 1, 1, 1, 1);
   stage_object(s, &(struct gen7_media_object){0}, data, 1);
   stage_walker(s, &w);
   assert_said(s, "MEDIA-049");
   stage_flush(s);
   stage_walker(s, &w);
   stage_flush(s);
   stage_object(s, &(struct gen7_media_object){0}, data, 1);
   stage_flush(s);
   assert_quiet(s);
   assert_int_equal(s->count, 4);
}

/* MEDIA-369: the half-slice of a media thread. */
static void
half_slice_select(void **state)
{
   struct stage *s = *state;
   stage_standard(s, false);
   uint32_t data[1] = {0};
   for (unsigned select = 0; select < 4; select++)
      for (unsigned i = 0; i < 4; i++)
         stage_object(s, &(struct gen7_media_object){.half_slice_destination_select = select}, data, 1);
   assert_said(s, "MEDIA-369");
   stage_flush(s);
   unsigned seen[2] = {0};
   for (unsigned i = 0; i < s->count; i++)
      seen[s->record[i].half_slice]++;
   assert_int_equal(seen[0] + seen[1], 16);
   assert_int_equal(seen[0], 8); /* 4 chosen, 4 of the 8 free ones by load */
}

/* MEDIA-376, MEDIA-240, MEDIA-241, MEDIA-242, MEDIA-243, MEDIA-244, MEDIA-377, MEDIA-379, MEDIA-380, MEDIA-385,
 * MEDIA-459, MEDIA-378, MEDIA-381 */
static void
persistent_root_payload(void **state)
{
   struct stage *s = *state;
   stage_standard(s, false);
   struct gen7_interface_descriptor_data d = stage_descriptor(2);
   d.constant_urb_entry_read_length = 1;
   d.constant_urb_entry_read_offset = 9;
   stage_put_descriptor(s, 2, &d);
   stage_load_descriptors(s, 3);
   struct gen7_media_object_prt o = {.interface_descriptor_offset = 2,
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
   assert_said(s, "MEDIA-380");
   stage_flush(s);
}

/* MEDIA-194: first behind the flush. */
static void
persistent_root_alone(void **state)
{
   struct stage *s = *state;
   stage_standard(s, false);
   uint32_t data[1] = {0};
   prt(s, &(struct gen7_media_object_prt){0});
   stage_object(s, &(struct gen7_media_object){0}, data, 1); /* MEDIA-193: others may follow */
   assert_quiet(s);
   prt(s, &(struct gen7_media_object_prt){0});
   assert_said(s, "MEDIA-194");
   stage_flush(s);
   prt(s, &(struct gen7_media_object_prt){0});
   stage_flush(s);
   assert_quiet(s);
}

/* MEDIA-386, MEDIA-387, MEDIA-388, MEDIA-390, MEDIA-245, MEDIA-393, MEDIA-399, MEDIA-417, MEDIA-079, MEDIA-391 */
static void
walker_threads(void **state)
{
   struct stage *s = *state;
   stage_standard(s, false);
   struct gen7_media_object_walker w = raster(5, 3);
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
      assert_int_equal(bits(r->r[0][0], 31, 24), 0x42);
      assert_int_equal(r->r[1][0], 1);
      assert_int_equal(r->r[2][0], 9);
      assert_int_equal(r->r[2][1], 0);
   }
   assert_quiet(s);
   struct gen7_interface_descriptor_data d = stage_descriptor(4);
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

/* MEDIA-392, MEDIA-397, MEDIA-398, MEDIA-082, MEDIA-401, MEDIA-158, MEDIA-400 */
static void
walker_rules(void **state)
{
   struct stage *s = *state;
   stage_standard(s, false);
   uint32_t dw[GEN7_MEDIA_OBJECT_WALKER_LENGTH], data[1] = {0};
   struct gen7_media_object_walker w = raster(2, 2);
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
   w = raster(2, 2);
   w.dual_mode = true;
   walk(s, &w, data, 1);
   assert_said(s, "MEDIA-401");
   w = raster(2, 2);
   w.local_end_x = 0;
   walk(s, &w, data, 1);
   assert_true(rig_count(s->rig, "MEDIA-158") == 1);
   stage_flush(s);
}

/* MEDIA-140: in dual mode the two halves of a walk go to different half-slices. */
static void
dual_mode_half_slices(void **state)
{
   struct stage *s = *state;
   stage_standard(s, false);
   uint32_t data[1] = {0};
   struct gen7_media_object_walker w = raster(8, 2);
   w.dual_mode = true;
   w.repel = false;
   walk(s, &w, data, 1);
   stage_flush(s);
   assert_int_equal(s->count, 16);
   for (unsigned i = 0; i < 16; i++)
      assert_int_equal(s->record[i].half_slice, (s->record[i].r[0][1] & 511) >= 4);
}

/* MEDIA-321: descriptors past the table; MEDIA-327: kernels nowhere. The next command runs. */
static void
bad_descriptors(void **state)
{
   struct stage *s = *state;
   stage_standard(s, false);
   uint32_t data[1] = {0};
   stage_object(s, &(struct gen7_media_object){.interface_descriptor_offset = 20}, data, 1);
   assert_said(s, "MEDIA-321");
   struct gen7_interface_descriptor_data d = stage_descriptor(1);
   d.kernel_start_pointer = 0x7f000000;
   stage_flush(s);
   s->count = 0;
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   stage_object(s, &(struct gen7_media_object){.interface_descriptor_offset = 1}, data, 1);
   assert_said(s, "MEDIA-327");
   stage_object(s, &(struct gen7_media_object){0}, data, 1);
   stage_flush(s);
   assert_int_equal(s->count, 1);
   assert_quiet(s);
}

/* MEDIA-475: parsed, not executed. MEDIA-044: no primitive at all is legal. */
static void
instructions_disabled(void **state)
{
   struct stage *s = *state;
   stage_standard(s, false);
   stage_flush(s);
   rig_set(s->rig, 0x20c0, 1u << 19 | 1u << 3);
   uint32_t data[1] = {0};
   stage_object(s, &(struct gen7_media_object){0}, data, 1);
   stage_flush(s);
   assert_int_equal(s->count, 0);
   rig_set(s->rig, 0x20c0, 1u << 19);
   stage_object(s, &(struct gen7_media_object){0}, data, 1);
   stage_flush(s);
   assert_int_equal(s->count, 1);
   assert_quiet(s);
}

/* MEDIA-080, MEDIA-081, MEDIA-013, MEDIA-048, MEDIA-455, MEDIA-286, MEDIA-010, MEDIA-086, MEDIA-087, MEDIA-088, MEDIA-477: what other
 * generations had is unknown here; it is named, skipped by its length, and the batch goes on. */
static void
commands_of_other_parts(void **state)
{
   struct stage *s = *state;
   stage_standard(s, false);
   static const uint32_t unknown[] = {0x70030000, 0x70050000, 0x71010000, 0x71060000, 0x72000000};
   for (unsigned i = 0; i < 5; i++) {
      uint32_t before = rig_reg(s->rig, 0x2034);
      stage_submit(s, IDS(unknown[i], 0xffffffff, 0, 0), 4);
      assert_int_equal(rig_reg(s->rig, 0x2034), before + 16);
      assert_true(pergola_diagnostic_count(s->dev, PERGOLA_WARNING) > i);
      rig_forget(s->rig);
   }
   uint32_t data[1] = {0};
   stage_object(s, &(struct gen7_media_object){0}, data, 1);
   stage_flush(s);
   assert_int_equal(s->count, 1);
   assert_quiet(s);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, stage_setup, stage_teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
      CASE(root_thread_payload),
      CASE(filled_with_zeros),
   CASE(payload_combinations),
      CASE(payload_limits),
      CASE(indirect_bound),
      CASE(handles_in_order),
      CASE(urb_budget),
      CASE(no_urb_entries),
      CASE(curbe_load),
      CASE(descriptor_load),
      CASE(primitives_without_state),
      CASE(flush_between_primitive_and_state),
      CASE(state_flush_covers_what_is_before_it),
   CASE(gpgpu_and_media_apart),
      CASE(half_slice_select),
      CASE(persistent_root_payload),
      CASE(persistent_root_alone),
      CASE(walker_threads),
      CASE(walker_rules),
      CASE(dual_mode_half_slices),
      CASE(bad_descriptors),
      CASE(instructions_disabled),
      CASE(commands_of_other_parts),
   };
   return cmocka_run_group_tests_name("media_objects", tests, NULL, NULL);
}
