/* MEDIA_OBJECT and the payload of its threads. */
#include "stage.h"
#include "tests/proves.h"

/* An object that has something of everything: descriptor 3, constants, inline and indirect data,
 * and values for the scoreboard, which is off. */
static const struct record *
full_object(struct stage *s)
{
   stage_standard(s, false);
   struct hw_interface_descriptor_data d = stage_descriptor(3);
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
   struct hw_media_object o = {.interface_descriptor_offset = 3,
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
   assert_quiet(s);
   return &s->record[0];
}

/* A command makes a root thread, which runs with all channels and belongs to no group. */
static void
root_of_a_command(void **state)
{
   proves("MEDIA-005", "MEDIA-028", "MEDIA-084", "MEDIA-085", "MEDIA-090", "MEDIA-098", "MEDIA-213",
          "MEDIA-466");
   struct stage *s = *state;
   const struct record *r = full_object(s);
   assert_int_equal(r->r[0][2] >> 4, 3); /* the control part … */
   assert_int_equal(r->r[3][0], 0x100);  /* … inline data, and indirect data */
   assert_int_equal(r->r[5][0], 0x200);
   assert_int_equal(r->mask, 0xffffffff);
   assert_int_equal(r->sr0[3], 0xffffffff);
   assert_false(r->in_group);    /* MEDIA-028 */
   assert_int_equal(r->ffid, 7); /* MEDIA-466: the thread spawner made it */
   assert_int_equal(stage_field(r->sr0[0], 27, 24), 7);
}

/* R0: what the descriptor, the state and the spawner give. */
static void
root_header_resources(void **state)
{
   proves("MEDIA-099", "MEDIA-101", "MEDIA-164", "MEDIA-214", "MEDIA-224", "MEDIA-226", "MEDIA-228",
          "MEDIA-229", "MEDIA-235");
   struct stage *s = *state;
   const uint32_t *r0 = full_object(s)->r[0];
   assert_int_equal(r0[0] & 0xffffff, s->media->vfe.handle[0]);
   assert_int_equal(r0[3], 0xabcd20 | 1);
   assert_int_equal(r0[4], 0x1240);
   assert_int_equal(r0[5], 0x4000); /* scratch of FFTID 0 */
   assert_int_equal(r0[6], 0);
   assert_int_equal(r0[7], 0);
}

/* R0: what the command gives, also with Use Scoreboard = 0. */
static void
root_header_scoreboard(void **state)
{
   proves("MEDIA-230", "MEDIA-231", "MEDIA-232", "MEDIA-233", "MEDIA-234", "MEDIA-236", "MEDIA-237",
          "MEDIA-365", "MEDIA-373", "MEDIA-374");
   struct stage *s = *state;
   const uint32_t *r0 = full_object(s)->r[0];
   assert_int_equal(r0[0] >> 16, 0xa500);
   assert_int_equal(r0[1], 0x0cd << 16 | 0x1ab);
   assert_int_equal(r0[2], 3 << 4 | 9);
}

static void
root_payload_order(void **state)
{
   proves("MEDIA-021", "MEDIA-078", "MEDIA-097", "MEDIA-220", "MEDIA-223", "MEDIA-375");
   struct stage *s = *state;
   const struct record *r = full_object(s);
   assert_int_equal(r->r[1][0], 5); /* constants */
   assert_int_equal(r->r[2][0], 6);
   for (unsigned i = 0; i < 12; i++) /* inline */
      assert_int_equal(r->r[3 + i / 8][i % 8], 0x100 + i);
   for (unsigned i = 4; i < 8; i++) /* zero filled */
      assert_int_equal(r->r[4][i], 0);
   for (unsigned i = 0; i < 8; i++) /* indirect */
      assert_int_equal(r->r[5][i], 0x200 + i);
   /* the payload also lies in the thread's entry, as VFE wrote it */
   uint32_t row[8];
   assert_true(urb_read(s->dev->urb, s->media->vfe.handle[0] * 64u, row, 32));
   assert_int_equal(row[7], 0x107);
}

/* MEDIA-223: the last register of inline data and of indirect data is filled with zeros, whatever
 * an earlier command had there. */
static void
filled_with_zeros(void **state)
{
   proves("MEDIA-223", "MEDIA-371");
   struct stage *s = *state;
   stage_standard(s, false);
   uint32_t data[64];
   memset(data, 0xee, sizeof(data));
   memset(stage_memory(s, STAGE_INDIRECT), 0xdd, 256);
   struct hw_media_object o = {.indirect_data_length = 160};
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

/* MEDIA-078, MEDIA-361, MEDIA-028: every non-empty combination of constants, inline and indirect
 * data. */
static void
payload_combinations(void **state)
{
   proves("MEDIA-078", "MEDIA-361", "MEDIA-028");
   struct stage *s = *state;
   stage_standard(s, false);
   struct hw_interface_descriptor_data d = stage_descriptor(1);
   d.constant_urb_entry_read_length = 1;
   d.constant_urb_entry_read_offset = 200;
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   stage_memory(s, STAGE_INDIRECT)[0] = 300;
   uint32_t data[8] = {100};
   for (unsigned mask = 1; mask < 8; mask++) {
      s->count = 0;
      struct hw_media_object o = {.interface_descriptor_offset = mask & 1,
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
   stage_object(s, &(struct hw_media_object){0}, NULL, 0);
   assert_said(s, "MEDIA-361");
}

static void
payload_limits(void **state)
{
   proves("MEDIA-362", "MEDIA-363", "MEDIA-364", "MEDIA-371", "MEDIA-372", "MEDIA-302", "MEDIA-303",
          "MEDIA-304");
   struct stage *s = *state;
   struct hw_media_vfe_state v = stage_vfe();
   stage_standard(s, false);
   v.urb_entry_allocation_size = 63; /* 64 rows */
   stage_put_vfe(s, &v);
   static uint32_t data[512];
   struct hw_media_object o = {0};
   stage_object(s, &o, data, 504);
   assert_quiet(s);
   stage_object(s, &o, data, 505);
   assert_said(s, "MEDIA-362");
   o.indirect_data_length = 49 * 32; /* 63 + 49 = 112 registers */
   stage_object(s, &o, data, 504);
   assert_quiet(s);
   o.indirect_data_length = 50 * 32;
   stage_object(s, &o, data, 504);
   assert_non_null(strstr(rig_find(s->rig, "MEDIA-363")->message, "113 registers"));
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
   o.indirect_data_start_address = 0x20000000; /* past 512 MB */
   stage_object(s, &o, NULL, 0);
   assert_non_null(strstr(rig_find(s->rig, "MEDIA-372")->message, "512 MB"));
   assert_said(s, "MEDIA-372");
   stage_flush(s);
   rig_forget(s->rig);
   v.urb_entry_allocation_size = 1;
   v.number_of_urb_entries = 2;
   stage_put_vfe(s, &v);
   stage_object(s, &(struct hw_media_object){0}, data, 16);
   assert_quiet(s); /* matches the two rows of an entry */
   stage_object(s, &(struct hw_media_object){0}, data, 17);
   assert_said(s, "MEDIA-302");
   stage_object(s, &(struct hw_media_object){.indirect_data_length = 4 * 32}, NULL, 0);
   assert_quiet(s); /* as much as all entries hold */
   stage_object(s, &(struct hw_media_object){.indirect_data_length = 5 * 32}, NULL, 0);
   assert_said(s, "MEDIA-303");
   stage_object(s, &(struct hw_media_object){.indirect_data_length = 32}, data, 17);
   assert_said(s, "MEDIA-304");
   stage_flush(s);
}

/* MEDIA-037, MEDIA-372, MEDIA-453: indirect data past the bound reads as 0. */
static void
indirect_bound(void **state)
{
   proves("MEDIA-037", "MEDIA-372", "MEDIA-453");
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
                   &(struct hw_media_object){.indirect_data_length = 64,
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

/* MEDIA-369: the half-slice of a media thread. */
static void
half_slice_select(void **state)
{
   proves("MEDIA-369", "MEDIA-465");
   struct stage *s = *state;
   stage_standard(s, false);
   uint32_t data[1] = {0};
   for (unsigned select = 0; select < 4; select++)
      for (unsigned i = 0; i < 4; i++)
         stage_object(s, &(struct hw_media_object){.half_slice_destination_select = select}, data,
                      1);
   assert_said(s, "MEDIA-369");
   stage_flush(s);
   unsigned seen[2] = {0};
   for (unsigned i = 0; i < s->count; i++)
      seen[s->record[i].half_slice]++;
   assert_int_equal(seen[0] + seen[1], 16);
   assert_int_equal(seen[0], 8); /* 4 chosen, 4 of the 8 free ones by load */
   for (unsigned half_slice = 0; half_slice < 2; half_slice++) { /* MEDIA-465: or FF_MODE says */
      reg_set(s->dev, 0x20a0, 1u << 16 | (half_slice + 1) << 17);
      s->count = 0;
      for (unsigned i = 0; i < 4; i++)
         stage_object(s, &(struct hw_media_object){.half_slice_destination_select = 1}, data, 1);
      stage_flush(s);
      assert_int_equal(s->count, 4);
      for (unsigned i = 0; i < 4; i++)
         assert_int_equal(s->record[i].half_slice, half_slice);
   }
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, stage_setup, stage_teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(root_of_a_command),  CASE(root_header_resources), CASE(root_header_scoreboard),
       CASE(root_payload_order), CASE(filled_with_zeros),     CASE(payload_combinations),
       CASE(payload_limits),     CASE(indirect_bound),        CASE(half_slice_select),
   };
   return cmocka_run_group_tests_name("media_objects", tests, NULL, NULL);
}
