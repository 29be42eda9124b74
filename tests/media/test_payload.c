/* What a GPGPU thread finds in its registers: header, constants, thread ids. */
#include "stage.h"
#include "tests/proves.h"

/* MEDIA-076, MEDIA-109, MEDIA-110, MEDIA-107, MEDIA-108, MEDIA-055, MEDIA-258, MEDIA-259,
 * MEDIA-118, MEDIA-340: the thread ids of 2Z x 2Y x 12X at SIMD16, three rows a dispatch, the same
 * for every group. */
static void
thread_ids_from_curbe(void **state)
{
   proves("MEDIA-076", "MEDIA-109", "MEDIA-110", "MEDIA-107", "MEDIA-108", "MEDIA-055", "MEDIA-258",
          "MEDIA-259", "MEDIA-118", "MEDIA-340");
   struct stage *s = *state;
   stage_standard(s, true);
   struct hw_interface_descriptor_data d = stage_descriptor(0);
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
   struct hw_gpgpu_walker w = stage_walk(0, 16, 3, 4, 1, 1);
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

/* MEDIA-339 and MEDIA-338: the read offset counts from the start of CURBE; length 0 loads nothing.
 */
static void
curbe_read_offset(void **state)
{
   proves("MEDIA-339", "MEDIA-338");
   struct stage *s = *state;
   stage_standard(s, true);
   struct hw_interface_descriptor_data d = stage_descriptor(0);
   d.constant_urb_entry_read_length = 2;
   d.constant_urb_entry_read_offset = 10;
   stage_put_descriptor(s, 0, &d);
   stage_load_descriptors(s, 1);
   struct hw_gpgpu_walker w = stage_walk(0, 16, 2, 1, 1, 1);
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
   assert_int_equal(s->record[2].r[1][0], 10); /* and what there is of them is read */
   assert_int_equal(s->record[3].r[1][0], 10 + 63);
}

/* MEDIA-110: of sections that reach past the URB itself each dispatch has its own, as far as it
 * goes.
 */
static void
sections_at_the_end(void **state)
{
   proves("MEDIA-110");
   struct stage *s = *state;
   stage_standard(s, true);
   uint32_t rows = urb_rows(s->dev->urb);
   for (uint32_t i = 1; i <= 5; i++)
      *(uint32_t *)(void *)urb_row(s->dev->urb, rows - i, 1) = 0x1000 + i;
   struct hw_interface_descriptor_data d = stage_descriptor(0);
   d.constant_urb_entry_read_length = 2;
   d.constant_urb_entry_read_offset = rows - 32 - 5; /* behind the rows of descriptors */
   stage_put_descriptor(s, 0, &d);
   stage_load_descriptors(s, 1);
   struct hw_gpgpu_walker w = stage_walk(0, 16, 3, 1, 1, 1);
   stage_walker(s, &w);
   assert_int_equal(s->count, 3);
   for (unsigned i = 0; i < 3; i++)
      assert_int_equal(s->record[i].r[1][0], 0x1005 - 2 * i);
   assert_int_equal(s->record[0].r[2][0], 0x1004);
   assert_int_equal(s->record[1].r[2][0], 0x1002);
}

static void
group_ids(void **state)
{
   proves("MEDIA-248");
   struct stage *s = *state;
   stage_standard(s, true);
   struct hw_gpgpu_walker w = stage_walk(0, 16, 1, 2, 3, 4);
   stage_walker(s, &w);
   assert_int_equal(s->count, 24);
   bool seen[24] = {false};
   for (unsigned i = 0; i < 24; i++) {
      const uint32_t *r0 = s->record[i].r[0];
      assert_true(r0[1] < 2 && r0[6] < 3 && r0[7] < 4);
      unsigned n = (r0[7] * 3 + r0[6]) * 2 + r0[1];
      assert_false(seen[n]);
      seen[n] = true;
   }
}

/* Four groups of two threads whose descriptor has something of everything. */
static void
full_walk(struct stage *s)
{
   stage_standard(s, true);
   struct hw_interface_descriptor_data d = stage_descriptor(5);
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
   struct hw_gpgpu_walker w = stage_walk(5, 16, 2, 4, 1, 1);
   s->media->vfe.dispatch_key = 254; /* MEDIA-255: it wraps at 8 bits */
   stage_walker(s, &w);
   assert_int_equal(s->count, 8);
   assert_quiet(s);
}

/* The same walk with another descriptor. */
static void
walk_again(struct stage *s, const struct hw_interface_descriptor_data *d)
{
   struct hw_gpgpu_walker w = stage_walk(5, 16, 2, 4, 1, 1);
   stage_flush(s);
   stage_put_descriptor(s, 5, d);
   stage_load_descriptors(s, 8);
   s->count = 0;
   stage_walker(s, &w);
   assert_quiet(s);
}

/* R0: the group, its barrier and its shared memory. */
static void
header_of_a_group(void **state)
{
   proves("MEDIA-248", "MEDIA-249", "MEDIA-252", "MEDIA-253", "MEDIA-254", "MEDIA-255",
          "MEDIA-257");
   struct stage *s = *state;
   full_walk(s);
   for (unsigned i = 0; i < 8; i++) {
      const struct record *r = &s->record[i];
      const uint32_t *r0 = r->r[0];
      unsigned group = i / 2, place = group / 2; /* half-slices take turns */
      assert_int_equal(r->half_slice, group % 2);
      assert_int_equal(stage_field(r0[0], 27, 24), place * 4); /* 4 KB blocks */
      assert_int_equal(r->slm_offset, place * 0x4000);
      assert_int_equal(r->slm_size, 0x4000);
      assert_int_equal(r0[1], group);
      assert_int_equal(r0[6], 0);
      assert_int_equal(r0[7], 0);
      assert_int_equal(stage_field(r0[2], 29, 28), 3);
      assert_int_equal(stage_field(r0[2], 27, 24), place);
      assert_int_equal(stage_field(r0[2], 23, 16), (254 + i) & 255);
      assert_int_equal(stage_field(r0[2], 15, 10), 0);
      assert_int_equal(stage_field(r0[2], 9, 4), 5);
      assert_int_equal(stage_field(r0[2], 3, 0), 0);
   }
   struct hw_interface_descriptor_data d = stage_descriptor(5);
   walk_again(s, &d);
   assert_int_equal(stage_field(s->record[0].r[0][2], 29, 28),
                    0); /* no barrier, no shared memory */
}

static void
pointers_of_a_group(void **state)
{
   proves("MEDIA-227", "MEDIA-239", "MEDIA-256");
   struct stage *s = *state;
   full_walk(s);
   for (unsigned i = 0; i < 8; i++) {
      const struct record *r = &s->record[i];
      assert_int_equal(r->r[0][3] & ~15u, 0x12340);
      assert_int_equal(r->r[0][4], 0x5660);
      assert_int_equal(r->binding_table, 0x5660);
      assert_int_equal(r->sampler_states, 0x12340);
   }
}

static void
scratch_space_of_a_group(void **state)
{
   proves("MEDIA-209", "MEDIA-211", "MEDIA-225", "MEDIA-238", "MEDIA-250", "MEDIA-251", "MEDIA-289",
          "MEDIA-290");
   struct stage *s = *state;
   full_walk(s);
   for (unsigned i = 0; i < 8; i++) {
      const struct record *r = &s->record[i];
      const uint32_t *r0 = r->r[0];
      assert_int_equal(r0[3] & 15, 1);               /* the raw size */
      assert_int_equal(stage_field(r0[5], 7, 0), i); /* FFTID: unique, lowest first */
      assert_int_equal(stage_field(r0[5], 9, 8), 0);
      assert_int_equal(r0[5] & ~1023u, 0x4000 + i * 2048); /* base + FFTID * 2 KB */
      assert_int_equal(r->fftid, i);
      assert_int_equal(r->sr0[1], i << 24);
      assert_int_equal(r->scratch_size, 2048);
   }
}

/* What the descriptor says of the thread's control and state registers. */
static void
registers_of_a_group(void **state)
{
   proves("MEDIA-328", "MEDIA-329", "MEDIA-330", "MEDIA-331", "MEDIA-332", "MEDIA-333", "MEDIA-342",
          "SF-168");
   struct stage *s = *state;
   full_walk(s);
   for (unsigned i = 0; i < 8; i++) {
      const struct record *r = &s->record[i];
      unsigned group = i / 2;
      assert_int_equal(stage_field(r->sr0[0], 27, 24), 7);
      assert_int_equal(stage_field(r->sr0[0], 23, 23), 1);
      assert_int_equal(stage_field(r->sr0[0], 12, 12), group % 2);
      assert_int_equal(stage_field(r->sr0[0], 11, 8), r->eu);
      assert_int_equal(stage_field(r->sr0[0], 2, 0), r->slot);
      assert_int_equal(r->cr0[0], 1 | 1 << 2 | 3 << 4);
      assert_int_equal(r->cr0[1], 1 << 12 | 1 << 13); /* DW1[13] and DW1[7] */
   }
   struct hw_interface_descriptor_data d = stage_descriptor(5);
   d.maskstack_exception_enable = true;
   walk_again(s, &d);
   assert_int_equal(s->record[0].cr0[1], 1 << 11);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, stage_setup, stage_teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(thread_ids_from_curbe),    CASE(curbe_read_offset),
       CASE(sections_at_the_end),      CASE(group_ids),
       CASE(header_of_a_group),        CASE(pointers_of_a_group),
       CASE(scratch_space_of_a_group), CASE(registers_of_a_group),
   };
   return cmocka_run_group_tests_name("media_payload", tests, NULL, NULL);
}
