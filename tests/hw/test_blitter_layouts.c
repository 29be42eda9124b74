/* Commands of the 2D engine: opcode, length and fields as the packets of the manual (Ivy Bridge,
 * volume 1 part 4, 1.8 and 1.9) give them. */
#include "layouts.h"
#include "tests/places.h"
#include "tests/proves.h"

/* What many packets have in the same places. */
#define CHANNELS "0[21] 0[20] "
#define TILED "0[11] "
#define SEEDS "0[14:12] 0[10:8] "
#define CONTROL "1[25:24] 1[23:16] 1[15:0] "
#define CLIPPED "1[30] " CONTROL
#define RECTANGLE "2[31:16] 2[15:0] 3[31:16] 3[15:0] "
#define TARGET RECTANGLE "4[31:0] "

/* length_dw: without the immediate data. */
static const struct packet {
   const char *ledger;
   uint32_t header;
   const char *name;
   unsigned length_dw;
   bool immediate;
   const char *fields;
} packets[] = {
    {"BLT-018", 0x40400000, "XY_SETUP_BLT", 8, false,
     CHANNELS TILED "1[29] " CLIPPED TARGET "5[31:0] 6[31:0] 7[31:0]"},
    {"BLT-020", 0x40c00000, "XY_SETUP_CLIP_BLT", 3, false,
     TILED "1[31:16] 1[15:0] 2[31:16] 2[15:0]"},
    {"BLT-019", 0x44400000, "XY_SETUP_MONO_PATTERN_SL_BLT", 9, false,
     CHANNELS TILED "1[31] 1[28] " CLIPPED TARGET "5[31:0] 6[31:0] 7[31:0] 8[31:0]"},
    {"BLT-021", 0x49000000, "XY_PIXEL_BLT", 2, false, TILED "1[31:16] 1[15:0]"},
    {"BLT-022", 0x49400000, "XY_SCANLINES_BLT", 3, false,
     TILED SEEDS "1[31:16] 1[15:0] 2[31:16] 2[15:0]"},
    {"BLT-023", 0x49800000, "XY_TEXT_BLT", 4, false,
     TILED "0[16] 1[31:16] 1[15:0] 2[31:16] 2[15:0] 3[31:0]"},
    {"BLT-024", 0x4c400000, "XY_TEXT_IMMEDIATE_BLT", 3, true,
     TILED "0[16] 1[31:16] 1[15:0] 2[31:16] 2[15:0]"},
    {"BLT-025", 0x50000000, "COLOR_BLT", 5, false,
     CHANNELS CONTROL "2[31:16] 2[15:0] 3[31:0] 4[31:0]"},
    {"BLT-026", 0x50c00000, "SRC_COPY_BLT", 6, false,
     CHANNELS "1[30] " CONTROL "2[31:16] 2[15:0] 3[31:0] 4[15:0] 5[31:0]"},
    {"BLT-001", 0x54000000, "XY_COLOR_BLT", 6, false, CHANNELS TILED CLIPPED TARGET "5[31:0]"},
    {"BLT-003", 0x54400000, "XY_PAT_BLT", 6, false, CHANNELS TILED SEEDS CLIPPED TARGET "5[31:0]"},
    {"BLT-004", 0x54800000, "XY_MONO_PAT_BLT", 9, false,
     CHANNELS TILED SEEDS "1[28] " CLIPPED TARGET "5[31:0] 6[31:0] 7[31:0] 8[31:0]"},
    {"BLT-005", 0x56400000, "XY_MONO_PAT_FIXED_BLT", 7, false,
     CHANNELS TILED SEEDS "0[18:15] 1[28] " CLIPPED TARGET "5[31:0] 6[31:0]"},
    {"BLT-002", 0x54c00000, "XY_SRC_COPY_BLT", 8, false,
     CHANNELS TILED "0[15] " CLIPPED TARGET "5[31:16] 5[15:0] 6[15:0] 7[31:0]"},
    {"BLT-006", 0x55000000, "XY_MONO_SRC_COPY_BLT", 8, false,
     CHANNELS TILED "0[19:17] 1[29] " CLIPPED TARGET "5[31:0] 6[31:0] 7[31:0]"},
    {"BLT-007", 0x55400000, "XY_FULL_BLT", 9, false,
     CHANNELS TILED SEEDS "0[15] " CLIPPED TARGET "5[15:0] 6[31:16] 6[15:0] 7[31:0] 8[31:0]"},
    {"BLT-008", 0x55800000, "XY_FULL_MONO_SRC_BLT", 9, false,
     CHANNELS TILED SEEDS "0[19:17] 1[29] " CLIPPED TARGET "5[31:0] 6[31:0] 7[31:0] 8[31:0]"},
    {"BLT-009", 0x55c00000, "XY_FULL_MONO_PATTERN_BLT", 12, false,
     CHANNELS TILED SEEDS "0[15] 1[31] 1[28] " CLIPPED TARGET
                          "5[15:0] 6[31:16] 6[15:0] 7[31:0] 8[31:0] 9[31:0] 10[31:0] 11[31:0]"},
    {"BLT-010", 0x56000000, "XY_FULL_MONO_PATTERN_MONO_SRC_BLT", 12, false,
     CHANNELS TILED SEEDS "0[19:17] 1[31] 1[29] 1[28] " CLIPPED TARGET
                          "5[31:0] 6[31:0] 7[31:0] 8[31:0] 9[31:0] 10[31:0] 11[31:0]"},
    {"BLT-011", 0x5c400000, "XY_MONO_SRC_COPY_IMMEDIATE_BLT", 7, true,
     CHANNELS TILED "0[19:17] 1[29] " CLIPPED TARGET "5[31:0] 6[31:0]"},
    {"BLT-012", 0x5c800000, "XY_PAT_BLT_IMMEDIATE", 5, true, CHANNELS TILED SEEDS CLIPPED TARGET},
    {"BLT-013", 0x5cc00000, "XY_SRC_COPY_CHROMA_BLT", 10, false,
     CHANNELS TILED "0[19:17] 0[15] " CLIPPED TARGET
                    "5[31:16] 5[15:0] 6[15:0] 7[31:0] 8[31:0] 9[31:0]"},
    {"BLT-014", 0x5d000000, "XY_FULL_IMMEDIATE_PATTERN_BLT", 8, true,
     CHANNELS TILED SEEDS "0[15] " CLIPPED TARGET "5[15:0] 6[31:16] 6[15:0] 7[31:0]"},
    {"BLT-015", 0x5d400000, "XY_FULL_MONO_SRC_IMMEDIATE_PATTERN_BLT", 8, true,
     CHANNELS TILED SEEDS "0[19:17] 1[29] " CLIPPED TARGET "5[31:0] 6[31:0] 7[31:0]"},
    {"BLT-016", 0x5d800000, "XY_PAT_CHROMA_BLT", 8, false,
     CHANNELS TILED SEEDS "0[19:17] " CLIPPED TARGET "5[31:0] 6[31:0] 7[31:0]"},
    {"BLT-017", 0x5dc00000, "XY_PAT_CHROMA_BLT_IMMEDIATE", 7, true,
     CHANNELS TILED SEEDS "0[19:17] " CLIPPED TARGET "5[31:0] 6[31:0]"},
};

static const struct hw_command *
command_of(uint32_t header)
{
   const struct hw_command *c = hw_command_find(header, HW_BCS, HW_IVB);
   if (!c)
      fail_msg("no command starts with 0x%08x", header);
   assert_ptr_equal(hw_command_find(header, HW_BCS, HW_VLV), c);
   return c;
}

/* Opcode, length and every named field; what has no name is reserved and must be zero. */
static void
packet_is_laid_out(void **state)
{
   const struct packet *p = *state;
   proves(p->ledger);
   const struct hw_command *c = command_of(p->header);
   const struct hw_layout *l = &c->layout;
   assert_string_equal(l->name, p->name);
   assert_string_equal(l->ledger, p->ledger);
   assert_int_equal(l->length_dw, p->length_dw);
   assert_int_equal(l->variable, p->immediate);
   assert_int_equal(hw_command_length(c, p->header | (p->length_dw - 2)), p->length_dw);
   assert_null(hw_command_find(p->header, HW_RCS, HW_IVB));
   assert_null(hw_command_find(p->header, HW_VCS, HW_IVB));
   check_ranges(l, p->fields);
   check_rest_is_reserved(l, p->fields, p->header >> 28 == 5 && p->header < 0x54000000 ? 6 : 8, 22);
}

/* A field that several packets have, always in one place: those packets have it, no others do. */
#define COLORED "01 11 40 43 50 51 52 53 54 55 56 57 58 59 71 72 73 74 75 76 77"
#define CLIPS "01 11 50 51 52 53 54 55 56 57 58 59 71 72 73 74 75 76 77"
#define SEEDED "25 51 52 55 56 57 58 59 72 74 75 76 77"
static const struct shared_field {
   const char *id;
   struct place place;
   const char *opcodes;
} shared[] = {
    {"BLT-034", {"Fixed Pattern", 0, 18, 15, "BLT-034"}, "59"},
    {"BLT-039", {"Raster Operation", 1, 23, 16, "BLT-039"}, COLORED},
    {"BLT-040", {"Color Depth", 1, 25, 24, "BLT-040"}, COLORED},
    {"BLT-041", {"32bpp Alpha Write Enable", 0, 21, 21, "BLT-041"}, COLORED},
    {"BLT-041", {"32bpp RGB Write Enable", 0, 20, 20, "BLT-041"}, COLORED},
    {"BLT-042", {"Monochrome Source Transparency Mode", 1, 29, 29, "BLT-042"}, "01 54 56 58 71 75"},
    {"BLT-043", {"Monochrome Pattern Transparency Mode", 1, 28, 28, "BLT-043"}, "11 52 57 58 59"},
    {"BLT-044", {"Pattern Horizontal Seed", 0, 14, 12, "BLT-044"}, SEEDED},
    {"BLT-044", {"Pattern Vertical Seed", 0, 10, 8, "BLT-044"}, SEEDED},
    {"BLT-045", {"Solid Pattern Select", 1, 31, 31, "BLT-045"}, "11 57 58"},
    {"BLT-046", {"Monochrome Source Start", 0, 19, 17, "BLT-046"}, "54 56 58 71 75"},
    {"BLT-047", {"Byte Packed", 0, 16, 16, "BLT-047"}, "26 31"},
    {"BLT-048", {"Transparency Range Mode", 0, 19, 17, "BLT-048"}, "73 76 77"},
    {"BLT-050", {"Destination Pitch", 1, 15, 0, "BLT-050"}, COLORED},
    {"BLT-051", {"Source Tiling Enable", 0, 15, 15, "BLT-051"}, "53 55 57 73 74"},
    {"BLT-051", {"Destination Tiling Enable", 0, 11, 11, "BLT-051"}, CLIPS " 03 24 25 26 31"},
    {"BLT-053", {"Clipping Enable", 1, 30, 30, "BLT-053"}, CLIPS},
    {"BLT-060", {"X Direction", 1, 30, 30, "BLT-060"}, "43"},
};

static bool
is_one_of(uint32_t header, const char *opcodes)
{
   char opcode[3];
   snprintf(opcode, sizeof(opcode), "%02x", header >> 22 & 0x7f);
   return strstr(opcodes, opcode) != NULL;
}

static bool
has_field(const struct hw_layout *l, const char *name)
{
   for (unsigned i = 0; i < l->field_count; i++)
      if (!strcmp(l->fields[i].name, name))
         return true;
   return false;
}

static void
shared_field_has_one_place(void **state)
{
   const struct shared_field *first = *state;
   proves(first->id);
   for (const struct shared_field *s = first; s < shared + N(shared) && !strcmp(s->id, first->id);
        s++)
      for (size_t i = 0; i < N(packets); i++) {
         const struct hw_layout *l = &command_of(packets[i].header)->layout;
         if (has_field(l, s->place.name) != is_one_of(packets[i].header, s->opcodes))
            fail_msg("%s and %s", l->name, s->place.name);
         if (has_field(l, s->place.name))
            check_place(l, &s->place);
      }
}

/* The pitch of the source, which has no place of its own: bits 15:0 of the dword before or behind
 * the coordinates. */
static void
source_pitch(void **state)
{
   proves("BLT-050");
   (void)state;
   static const struct {
      uint32_t header;
      unsigned dw;
   } table[] = {{0x50c00000, 4}, {0x54c00000, 6}, {0x5cc00000, 6},
                {0x55400000, 5}, {0x55c00000, 5}, {0x5d000000, 5}};
   for (size_t i = 0; i < N(table); i++)
      check_place(&command_of(table[i].header)->layout,
                  &(struct place){"Source Pitch", table[i].dw, 15, 0, "BLT-050"});
}

/* The clip rectangle: Y in the upper half of a dword, X in the lower. */
static void
clip_rectangle(void **state)
{
   proves("BLT-053");
   (void)state;
   static const struct {
      uint32_t header;
      unsigned dw;
   } table[] = {{0x40400000, 2}, {0x44400000, 2}, {0x40c00000, 1}};
   for (size_t i = 0; i < N(table); i++) {
      const struct place corner[] = {
          {"ClipRect Y1 Coordinate", table[i].dw, 31, 16, "BLT-053"},
          {"ClipRect X1 Coordinate", table[i].dw, 15, 0, "BLT-053"},
          {"ClipRect Y2 Coordinate", table[i].dw + 1, 31, 16, "BLT-053"},
          {"ClipRect X2 Coordinate", table[i].dw + 1, 15, 0, "BLT-053"},
      };
      check_places(&command_of(table[i].header)->layout, corner, N(corner));
   }
}

int
main(void)
{
   struct CMUnitTest tests[N(packets) + N(shared) + 2] = {
       cmocka_unit_test(source_pitch),
       cmocka_unit_test(clip_rectangle),
   };
   size_t count = 2;
   for (size_t i = 0; i < N(packets); i++)
      tests[count++] = (struct CMUnitTest){.name = packets[i].name,
                                           .test_func = packet_is_laid_out,
                                           .initial_state = (void *)&packets[i]};
   for (size_t i = 0; i < N(shared); i++)
      if (!i || strcmp(shared[i].id, shared[i - 1].id))
         tests[count++] = (struct CMUnitTest){.name = shared[i].place.name,
                                              .test_func = shared_field_has_one_place,
                                              .initial_state = (void *)&shared[i]};
   return _cmocka_run_group_tests("blitter_layouts", tests, count, NULL, NULL);
}
