/* The batch decoder: what it shows, where it goes, and that no input upsets it. */
#include "gen7_hw.h"
#include "hw/decode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define START 0x18800000u
#define END 0x05000000u

struct seen {
   uint32_t address[64];
   const char *name[64];
   unsigned level[64];
   unsigned commands, notes;
   char note[16][160];
};

static void
see_command(void *data, const struct hw_decode_command *c)
{
   struct seen *s = data;
   assert_true(c->count_dw >= 1);
   if (s->commands < 64) {
      s->address[s->commands] = c->address;
      s->level[s->commands] = c->level;
      s->name[s->commands] = c->desc ? c->desc->layout.name : "?";
   }
   s->commands++;
}

static void
see_note(void *data, unsigned level, uint32_t address, const char *text)
{
   struct seen *s = data;
   if (s->notes < 16)
      snprintf(s->note[s->notes], sizeof(s->note[0]), "%s", text);
   s->notes++;
}

static struct hw_decode_result
walk(struct hw_decode_request r, struct seen *s)
{
   struct hw_decode_sink sink = {s, see_command, see_note};
   struct hw_decode_result result;
   memset(s, 0, sizeof(*s));
   if (!r.engine_bit)
      r.engine_bit = HW_RCS;
   if (!r.device_bit)
      r.device_bit = HW_IVB;
   assert_true(hw_decode(&r, &sink, &result));
   assert_int_equal(result.commands, s->commands);
   return result;
}

static char *
text_of(const uint32_t *dw, size_t count, bool json, bool color)
{
   char *text = NULL;
   size_t size = 0;
   struct hw_decode_writer w = {.out = open_memstream(&text, &size),
                                .color = color,
                                .engine_bit = HW_RCS,
                                .device_bit = HW_IVB};
   struct hw_decode_request r = {
       .dw = dw, .count_dw = count, .base = 0x1000, .engine_bit = HW_RCS, .device_bit = HW_IVB};
   struct hw_decode_sink sink;
   struct hw_decode_result result;
   if (json) {
      hw_decode_json(&w, &sink);
      hw_decode_json_begin(&w);
   } else {
      hw_decode_text(&w, &sink);
   }
   assert_true(hw_decode(&r, &sink, &result));
   if (json)
      hw_decode_json_end(&w);
   fclose(w.out);
   return text;
}

static void
names_fields_enums_and_units(void **state)
{
   struct hw_3dprimitive p = {.primitive_topology_type = GEN7_3D_PRIMITIVE_TOPOLOGY_TYPE_RECTLIST,
                              .vertex_count_per_instance = 3,
                              .base_vertex_location = -7};
   uint32_t dw[8];
   gen7_3dprimitive_pack(dw, &p);
   dw[7] = END;
   char *t = text_of(dw, 8, false, false);
   assert_non_null(strstr(t, "0x00001000:  0x7b000005  3DPRIMITIVE (7 dwords)\n"));
   assert_non_null(strstr(t, "Primitive Topology Type: 15 (RECTLIST)\n"));
   assert_non_null(strstr(t, "Vertex Count Per Instance: 3\n"));
   assert_non_null(strstr(t, "Base Vertex Location: -7\n"));
   assert_null(strchr(t, '\033'));
   free(t);
   t = text_of(dw, 8, false, true);
   assert_non_null(strchr(t, '\033'));
   free(t);
   struct hw_3dstate_sf sf = {.line_width = 0x180, .global_depth_offset_scale = 2.5f};
   uint32_t s[8];
   gen7_3dstate_sf_pack(s, &sf);
   s[7] = END;
   t = text_of(s, 8, false, false);
   assert_non_null(strstr(t, "Line Width: 3 pixels\n"));
   assert_non_null(strstr(t, "Global Depth Offset Scale: 2.5\n"));
   free(t);
}

static void
shows_repeated_and_nested_structures(void **state)
{
   uint32_t dw[] = {0x78080007, 0x04004010, 0x1000, 0x2000, 0, 0x4020, 0x3000, 0x4000, 9, END};
   char *t = text_of(dw, 10, false, false);
   assert_non_null(strstr(t, "Vertex Buffer State 0\n"));
   assert_non_null(strstr(t, "Vertex Buffer State 1\n"));
   assert_non_null(strstr(t, "Buffer Pitch: 32 bytes\n"));
   assert_non_null(strstr(t, "Instance Data Step Rate: 9\n"));
   free(t);
   /* two stream-out declarations: stream 1 of the first has register 5, mask 3 */
   uint32_t so[] = {0x79170005, 0xf, 0x0202, 0x00530000, 0, 0, 0, END};
   t = text_of(so, 8, false, false);
   assert_non_null(strstr(t, "Entry 1\n"));
   assert_non_null(strstr(t, "Stream 1 Decl: 83\n"));
   assert_non_null(strstr(t, "Component Mask: 3\n"));
   assert_non_null(strstr(t, "Register Index: 5\n"));
   free(t);
}

static void
shows_what_is_wrong(void **state)
{
   /* a topology that is reserved, a reserved bit that is one */
   uint32_t dw[] = {0x7b000005, 0x00000415, 0, 0, 0, 0, 0, END};
   char *t = text_of(dw, 8, false, false);
   assert_non_null(strstr(t, "Primitive Topology Type [5:0]: 21: the value is reserved\n"));
   assert_non_null(strstr(t, "reserved bits must be zero\n"));
   free(t);
   uint32_t longer[] = {0x79110001, 9, 5, END};
   t = text_of(longer, 4, false, false);
   assert_non_null(strstr(t, "past the end of the command"));
   free(t);
   uint32_t shorter[] = {0x7b000000, 4, END};
   t = text_of(shorter, 3, false, false);
   assert_non_null(strstr(t, "too short: the command has 7"));
   free(t);
}

static void
unknown_commands_have_a_name(void **state)
{
   char what[160];
   hw_decode_unknown(0x78ff0000, HW_RCS, HW_IVB, what, sizeof(what));
   assert_string_equal(what, "subtype 3 opcode 0 sub-opcode 0xff");
   hw_decode_unknown(0x50800000, HW_RCS, HW_IVB, what, sizeof(what));
   assert_string_equal(what, "2D opcode 0x42");
   hw_decode_unknown(0xffffffff, HW_RCS, HW_IVB, what, sizeof(what));
   assert_string_equal(what, "command type 7, which is reserved");
   hw_decode_unknown(0x7b000005, HW_BCS, HW_IVB, what, sizeof(what));
   assert_string_equal(what,
                       "subtype 3 opcode 3 sub-opcode 0x00; --engine rcs has it: 3DPRIMITIVE");
   hw_decode_unknown(0x780c0000, HW_RCS, HW_VLV, what, sizeof(what));
   assert_string_equal(what, "subtype 3 opcode 0 sub-opcode 0x0c; Haswell has it: 3DSTATE_VF");
}

static void
follows_a_chain_inside_the_file(void **state)
{
   struct seen s;
   uint32_t dw[] = {START, 0x10010, 0xffffffff, 0xffffffff, 0x79110000, 9, END};
   struct hw_decode_request r = {.dw = dw, .count_dw = 7, .base = 0x10000};
   struct hw_decode_result result = walk(r, &s);
   assert_int_equal(s.commands, 3);
   assert_int_equal(s.address[1], 0x10010);
   assert_string_equal(s.name[1], "3DSTATE_MONOFILTER_SIZE");
   assert_int_equal(s.level[1], 0);
   assert_true(result.ended);
}

static void
a_ring_calls_and_comes_back(void **state)
{
   struct seen s;
   uint32_t dw[] = {START, 0x10, 0x79110000, 9, 0x79060000, 0, END};
   struct hw_decode_request r = {.dw = dw, .count_dw = 7, .ring = true};
   walk(r, &s);
   assert_int_equal(s.level[1], 1);
   assert_int_equal(s.address[1], 0x10);
   assert_string_equal(s.name[3], "3DSTATE_MONOFILTER_SIZE");
   assert_int_equal(s.level[3], 0);
}

static void
loops_and_far_targets_end(void **state)
{
   struct seen s;
   uint32_t self[] = {0x79110000, 9, START, 0};
   struct hw_decode_request r = {.dw = self, .count_dw = 4};
   walk(r, &s);
   assert_int_equal(s.commands, 2);
   assert_non_null(strstr(s.note[s.notes - 1], "has been shown already"));
   uint32_t far[] = {START, 0x7ffff000, END};
   r = (struct hw_decode_request){.dw = far, .count_dw = 3, .base = 0x1000};
   walk(r, &s);
   assert_int_equal(s.commands, 1);
   assert_non_null(strstr(s.note[0], "outside the file"));
   uint32_t below[] = {START, 0x10, END};
   r = (struct hw_decode_request){.dw = below, .count_dw = 3, .base = 0x1000};
   walk(r, &s);
   assert_non_null(strstr(s.note[0], "outside the file"));
}

static void
stops_at_the_end_unless_told(void **state)
{
   struct seen s;
   uint32_t dw[] = {END, 0x79110000, 9};
   struct hw_decode_request r = {.dw = dw, .count_dw = 3};
   walk(r, &s);
   assert_int_equal(s.commands, 1);
   assert_string_equal(s.note[0], "2 dwords follow the end of the batch; --all shows them");
   r.all = true;
   walk(r, &s);
   assert_int_equal(s.commands, 2);
}

static void
a_file_that_is_cut_off_is_said_to_be(void **state)
{
   struct seen s;
   uint32_t dw[] = {0x78130005, 1, 2};
   struct hw_decode_request r = {.dw = dw, .count_dw = 3};
   struct hw_decode_result result = walk(r, &s);
   assert_int_equal(result.cut_off, 1);
   char *t = text_of(dw, 3, false, false);
   assert_non_null(strstr(t, "cut off: the file has 3 of them"));
   free(t);
   t = text_of(dw, 3, true, false);
   assert_non_null(strstr(t, "\"cut_off\":true"));
   free(t);
}

static uint64_t
next_random(uint64_t *x)
{
   *x ^= *x << 13;
   *x ^= *x >> 7;
   return *x ^= *x << 17;
}

static void
random_dwords_are_harmless(void **state)
{
   uint64_t seed = 0x9e3779b97f4a7c15;
   print_message("# seed 0x%llx\n", (unsigned long long)seed);
   for (unsigned round = 0; round < 200; round++) {
      uint32_t dw[256];
      size_t count = 1 + next_random(&seed) % 256;
      for (size_t i = 0; i < count; i++) {
         dw[i] = (uint32_t)next_random(&seed);
         if (next_random(&seed) % 4 == 0) /* a known header, with any length and flags */
            dw[i] = hw_commands[next_random(&seed) % hw_command_count].header | (dw[i] & 0x3f);
         if (next_random(&seed) % 16 == 0)
            dw[i] = START;
      }
      struct seen s;
      for (unsigned mode = 0; mode < 4; mode++) {
         struct hw_decode_request r = {.dw = dw,
                                       .count_dw = count,
                                       .engine_bit = 1u << round % 3,
                                       .device_bit = 1u << round % 2 * 2,
                                       .ring = mode & 1,
                                       .all = mode & 2};
         struct hw_decode_result result = walk(r, &s);
         assert_true(result.commands <= (uint64_t)count * count + 1);
      }
      char *t = text_of(dw, count, round & 1, false);
      assert_true(strlen(t) > 0);
      free(t);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(names_fields_enums_and_units),
       cmocka_unit_test(shows_repeated_and_nested_structures),
       cmocka_unit_test(shows_what_is_wrong),
       cmocka_unit_test(unknown_commands_have_a_name),
       cmocka_unit_test(follows_a_chain_inside_the_file),
       cmocka_unit_test(a_ring_calls_and_comes_back),
       cmocka_unit_test(loops_and_far_targets_end),
       cmocka_unit_test(stops_at_the_end_unless_told),
       cmocka_unit_test(a_file_that_is_cut_off_is_said_to_be),
       cmocka_unit_test(random_dwords_are_harmless),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
