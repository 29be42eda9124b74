/* Surface and sampler states, and the codes of the surface formats, against the ledger's rows. */
#include "layouts.h"
#include "tests/proves.h"

static const struct expected_layout *
render_surface_state(void)
{
   static const struct expected_layout row = {
       "SMP-112",
       HW_IVB,
       0,
       "RENDER_SURFACE_STATE",
       8,
       "0[31:29] 0[28] 0[26:18] 0[17:16] 0[15] 0[14] 0[13] 0[12] 0[11] 0[10] 0[8] 0[7:6] 0[5] 0[4] "
       "0[3] 0[2] 0[1] 0[0] 1[31:0] 2[29:16] 2[13:0] 3[31:21] 3[17:0] 4[30:29] 4[28:18] 4[17:7] "
       "4[6] "
       "4[5:3] 4[2:0] 5[31:25] 5[23:20] 5[19:16] 5[7:4] 5[3:0] 6[31:12] 6[11:3] 6[1] 6[0] 7[31] "
       "7[30] "
       "7[29] 7[28] 7[11:0]"};
   return &row;
}

/* SMP-112, DP-416: the eight dwords, and the second meanings of dwords 4 and 6. */
static void
render_surface_state_fields(void **state)
{
   proves("SMP-112", "DP-416");
   check_struct(render_surface_state());
   static const struct expected_layout parts[] = {
       {"SMP-112", HW_IVB, 0, "RENDER_SURFACE_STATE_DW4_STRBUF", 1, "0[26:0]"},
       {"SMP-112", HW_IVB, 0, "RENDER_SURFACE_STATE_DW6_APPEND", 1, "0[31:6] 0[1] 0[0]"},
       {"SMP-112", HW_IVB, 0, "RENDER_SURFACE_STATE_DW6_PLANAR", 1, "0[29:16] 0[13:0]"},
   };
   for (size_t i = 0; i < 3; i++)
      check_struct(&parts[i]);

   struct hw_render_surface_state v = {.surface_type = GEN7_SURFACE_TYPE_2D,
                                       .surface_format = GEN7_SURFACE_FORMAT_B8G8R8A8_UNORM,
                                       .tiled_surface = true,
                                       .tile_walk = 1,
                                       .surface_base_address = 0x12345000,
                                       .height = 99,
                                       .width = 199,
                                       .depth = 5,
                                       .surface_pitch = 1023,
                                       .x_offset = 3,
                                       .y_offset = 5,
                                       .resource_min_lod = 0x180};
   uint32_t dw[8];
   gen7_render_surface_state_pack(dw, &v);
   assert_int_equal(dw[0], 1u << 29 | 0xc0u << 18 | 1u << 14 | 1u << 13);
   assert_int_equal(dw[1], 0x12345000);
   assert_int_equal(dw[2], 99u << 16 | 199);
   assert_int_equal(dw[3], 5u << 21 | 1023);
   assert_int_equal(dw[5], 3u << 25 | 5u << 20);
   assert_int_equal(dw[7], 0x180);
   struct hw_render_surface_state back;
   gen7_render_surface_state_unpack(&back, dw);
   assert_int_equal(back.surface_format, 0xc0);
   assert_int_equal(back.surface_pitch, 1023);
   assert_int_equal(hw_validate(hw_struct_by_name("RENDER_SURFACE_STATE"), dw, 8, NULL, NULL), 0);
}

/* SMP-112: values that the row calls reserved are refused, and so are its MBZ bits. */
static void
render_surface_state_reserved_values(void **state)
{
   proves("SMP-112");
   const struct hw_layout *l = hw_struct_by_name("RENDER_SURFACE_STATE");
   static const uint32_t bad[][2] = {{0, 6u << 29}, {0, 1u << 27}, {0, 2u << 16}, {0, 1u << 9},
                                     {0, 1u << 6},  {2, 1u << 31}, {2, 1u << 14}, {3, 1u << 18},
                                     {4, 1u << 31}, {5, 1u << 24}, {5, 1u << 8},  {7, 1u << 12}};
   for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
      uint32_t dw[8] = {0};
      dw[bad[i][0]] = bad[i][1];
      assert_int_equal(hw_validate(l, dw, 8, NULL, NULL), 1);
   }
   uint32_t hole[8] = {0x1feu << 18}; /* a format code that nobody has */
   assert_int_equal(hw_validate(l, hole, 8, NULL, NULL), 1);
}

/* SMP-111: bits 31:5 of each dword point at a surface state. */
static void
binding_table_state(void **state)
{
   proves("SMP-111");
   static const struct expected_layout row = {"SMP-111", HW_IVB,   0, "BINDING_TABLE_STATE",
                                              1,         "0[31:5]"};
   check_struct(&row);
   uint32_t dw = 0xdeadbee0;
   struct hw_binding_table_state v;
   gen7_binding_table_state_unpack(&v, &dw);
   assert_int_equal(v.surface_state_pointer, 0xdeadbee0);
   assert_int_equal(check_reserved_bits(hw_struct_by_name("BINDING_TABLE_STATE"), 0), 5);
}

static void
media_surface_state(void **state)
{
   proves("SMP-172");
   static const struct expected_layout row = {"SMP-172",
                                              HW_IVB,
                                              0,
                                              "MEDIA_SURFACE_STATE",
                                              8,
                                              "0[31:0] 1[31:18] 1[17:4] 1[3:2] 1[1:0] 2[31:28] "
                                              "2[27] 2[25:22] 2[20:3] 2[2] 2[1:0] 3[29:16] "
                                              "3[13:0] 4[29:16] 4[14:0]"};
   check_struct(&row);
   const struct hw_field *format = field_at(hw_struct_by_name(row.name), 92, 95);
   static const char *const names[] = {"YCRCB_NORMAL",   "YCRCB_SWAPUVY",      "YCRCB_SWAPUV",
                                       "YCRCB_SWAPY",    "PLANAR_420_8",       "PLANAR_411_8",
                                       "PLANAR_422_8",   "STMM_DN_STATISTICS", "R10G10B10A2_UNORM",
                                       "R8G8B8A8_UNORM", "R8B8_UNORM",         "R8_UNORM",
                                       "Y8_UNORM"};
   assert_int_equal(format->value_count, 13);
   for (unsigned i = 0; i < 13; i++) {
      assert_int_equal(format->values[i].value, i);
      assert_string_equal(format->values[i].name, names[i]);
   }
}

/* SMP-175, SMP-174: four dwords; the LODs are U4.8. */
static void
sampler_state(void **state)
{
   proves("SMP-175", "SMP-174");
   static const struct expected_layout row = {"SMP-175",
                                              HW_IVB,
                                              0,
                                              "SAMPLER_STATE",
                                              4,
                                              "0[31] 0[29] 0[28] 0[26:22] 0[21:20] 0[19:17] "
                                              "0[16:14] 0[13:1] 0[0] 1[31:20] 1[19:8] 1[3:1] 1[0] "
                                              "2[31:5] 3[25] 3[24:23] 3[22] 3[21:19] 3[18] 3[17] "
                                              "3[16] 3[15] 3[14] 3[13] 3[12:11] 3[10] 3[8:6] "
                                              "3[5:3] 3[2:0]"};
   check_struct(&row);
   const struct hw_layout *l = hw_struct_by_name(row.name);
   char text[64];
   const struct hw_field *max_lod = field_at(l, 40, 51), *bias = field_at(l, 1, 13);
   hw_field_print(max_lod, 14 << 8, text, sizeof(text));
   assert_string_equal(text, "14");
   hw_field_print(bias, 0x1f80, text, sizeof(text));
   assert_string_equal(text, "-0.5");
}

static void
sampler_states_of_the_scaler_and_the_deinterlacer(void **state)
{
   proves("SMP-176", "SMP-385");
   static const struct expected_layout rows[] = {
       {"SMP-176", HW_IVB, 0, "SAMPLER_STATE_8X8_MESSAGE", 4,
        "0[31] 0[29] 0[18] 0[17:16] 0[7:0] 1[31:5] 2[30:26] 2[25:21] 2[20:16] 2[13:8] 2[5:0] 3[31] "
        "3[30:28] 3[26:24] 3[22:20] 3[19:14] 3[10:6] 3[4:0]"},
       {"SMP-385", HW_IVB, 0, "DEINTERLACE_SAMPLER_STATE", 8,
        "0[31:24] 0[23:16] 0[14] 0[13:12] 0[11:8] 0[7:0] 1[29:24] 1[21:16] 1[15:13] 1[12:8] 1[7:0] "
        "2[29:24] 2[23:20] 2[19:16] 2[15:14] 2[11:8] 2[7:0] 3[31] 3[30:24] 3[23:16] 3[13:8] 3[7:0] "
        "4[31:24] 4[23:22] 4[21:20] 4[19:16] 4[15:8] 4[7:0] 5[31:24] 5[23:16] 5[15:8] 5[7:0] "
        "6[31:24] "
        "6[23:16] 6[15:14] 6[13:8] 6[7] 6[6] 6[5] 6[4] 6[3] 6[2] 6[1] 6[0] 7[31:23] 7[22:19] 7[18] "
        "7[17:16] 7[15:10] 7[9:8] 7[7:4] 7[3:0]"},
   };
   for (size_t i = 0; i < 2; i++)
      check_struct(&rows[i]);
   /* SMP-176: the defaults of the row, taken apart */
   struct hw_sampler_state_8x8_message d;
   const uint32_t defaults[4] = {0, 0, 0x0d090801, 0x721a03c6};
   gen7_sampler_state_8x8_message_unpack(&d, defaults);
   assert_int_equal(d.r5c_coefficient, 3);
   assert_int_equal(d.r5cx_coefficient, 8);
   assert_int_equal(d.r5x_coefficient, 9);
   assert_int_equal(d.strong_edge_threshold, 8);
   assert_int_equal(d.weak_edge_threshold, 1);
   assert_int_equal(d.strong_edge_weight, 7);
   assert_int_equal(d.regular_weight, 2);
   assert_int_equal(d.non_edge_weight, 1);
   assert_int_equal(d.gain_factor, 40);
   assert_int_equal(d.r3c_coefficient, 15);
   assert_int_equal(d.r3x_coefficient, 6);
}

/* SMP-382: 17 elements of eight dwords, then two dwords; coefficients are S1.6. */
static void
sampler_8x8_state(void **state)
{
   proves("SMP-382");
   const struct hw_layout *l = hw_struct_by_name("SAMPLER_8X8_STATE");
   assert_non_null(l);
   assert_int_equal(l->length_dw, 138);
   unsigned coefficients = 0;
   for (unsigned n = 0; n < 17; n++)
      for (unsigned table = 0; table < 4; table++) {
         bool narrow = table >= 2; /* tables 1X and 1Y have the taps 2 to 5 only */
         for (unsigned tap = narrow ? 2 : 0; tap < (narrow ? 6 : 8); tap++) {
            unsigned start = (8 * n + 2 * table + tap / 4) * 32 + tap % 4 * 8;
            const struct hw_field *f = field_at(l, start, start + 7);
            char name[64];
            snprintf(name, sizeof(name), "Table %c%c Filter Coefficient %u %u", '0' + narrow,
                     table & 1 ? 'Y' : 'X', n, tap);
            assert_non_null(f);
            assert_string_equal(f->name, name);
            assert_int_equal(f->fraction, 6);
            assert_int_equal(f->type, HW_INT);
            coefficients++;
         }
      }
   assert_int_equal(coefficients, 17 * 24);
   static const unsigned rest[][2] = {{143, 143},   {142, 142},   {4376, 4383},
                                      {4368, 4375}, {4360, 4367}, {4356, 4358},
                                      {4352, 4354}, {4406, 4406}, {4405, 4405}};
   for (size_t i = 0; i < sizeof(rest) / sizeof(rest[0]); i++)
      assert_non_null(field_at(l, rest[i][0], rest[i][1]));
}

/* SMP-186, SMP-188: four floats, or one dword of UNORM8 in DX9 mode. */
static void
border_colours(void **state)
{
   proves("SMP-186", "SMP-188");
   static const struct expected_layout rows[] = {
       {"SMP-186", HW_IVB, 0, "SAMPLER_BORDER_COLOR_STATE", 4, "0[31:0] 1[31:0] 2[31:0] 3[31:0]"},
       {"SMP-186", HW_IVB, 0, "SAMPLER_BORDER_COLOR_STATE_DX9", 1,
        "0[31:24] 0[23:16] 0[15:8] 0[7:0]"},
   };
   for (size_t i = 0; i < 2; i++)
      check_struct(&rows[i]);
   uint32_t dw = 0x44332211;
   struct hw_sampler_border_color_state_dx9 v;
   gen7_sampler_border_color_state_dx9_unpack(&v, &dw);
   assert_int_equal(v.red, 0x11);
   assert_int_equal(v.alpha, 0x44);
}

/* SMP-199, SMP-200, SMP-201: headers and fields. */
static void
sampler_commands(void **state)
{
   proves("SMP-199", "SMP-200", "SMP-201");
   static const struct expected_layout rows[] = {
       {"SMP-199", HW_IVB, 0x79040002, "3DSTATE_CHROMA_KEY", 4, "1[31:30] 2[31:0] 3[31:0]"},
       {"SMP-200", HW_IVB, 0x790200ff, "3DSTATE_SAMPLER_PALETTE_LOAD0", 0, ""},
       {"SMP-200", HW_IVB, 0x790c00ff, "3DSTATE_SAMPLER_PALETTE_LOAD1", 0, ""},
       {"SMP-201", HW_IVB, 0x79110000, "3DSTATE_MONOFILTER_SIZE", 2, "1[5:3] 1[2:0]"},
   };
   for (size_t i = 0; i < 4; i++)
      check_command(&rows[i]);
   const struct hw_command *load = hw_command_find(0x790200ff, HW_RCS, HW_IVB);
   assert_int_equal(hw_command_length(load, 0x790200ff), 257); /* 256 entries and the header */
   assert_string_equal(load->layout.tail_struct, "PALETTE_ENTRY");
   uint32_t dw = 0x44332211;
   struct hw_palette_entry v;
   gen7_palette_entry_unpack(&v, &dw);
   assert_int_equal(v.alpha, 0x44);
   assert_int_equal(v.red, 0x33);
   assert_int_equal(v.green, 0x22);
   assert_int_equal(v.blue, 0x11);
}

/* SMP-113, SMP-388, SMP-389, SMP-390, SMP-391, SMP-392, SMP-393, SMP-394: nine bits; each code has
 * its name, and no other code has one. */
static void
surface_format_codes(void **state)
{
   proves("SMP-113", "SMP-388", "SMP-389", "SMP-390", "SMP-391", "SMP-392", "SMP-393", "SMP-394");
   static const struct hw_value rows[] = {
       /* SMP-388 */
       {"R32G32B32A32_FLOAT", 0x000},
       {"R32G32B32A32_SINT", 0x001},
       {"R32G32B32A32_UINT", 0x002},
       {"R32G32B32A32_UNORM", 0x003},
       {"R32G32B32A32_SNORM", 0x004},
       {"R64G64_FLOAT", 0x005},
       {"R32G32B32X32_FLOAT", 0x006},
       {"R32G32B32A32_SSCALED", 0x007},
       {"R32G32B32A32_USCALED", 0x008},
       {"R32G32B32A32_SFIXED", 0x020},
       {"R64G64_PASSTHRU", 0x021},
       {"R32G32B32_FLOAT", 0x040},
       {"R32G32B32_SINT", 0x041},
       {"R32G32B32_UINT", 0x042},
       {"R32G32B32_UNORM", 0x043},
       {"R32G32B32_SNORM", 0x044},
       {"R32G32B32_SSCALED", 0x045},
       {"R32G32B32_USCALED", 0x046},
       {"R32G32B32_SFIXED", 0x050},
       /* SMP-389 */
       {"R16G16B16A16_UNORM", 0x080},
       {"R16G16B16A16_SNORM", 0x081},
       {"R16G16B16A16_SINT", 0x082},
       {"R16G16B16A16_UINT", 0x083},
       {"R16G16B16A16_FLOAT", 0x084},
       {"R32G32_FLOAT", 0x085},
       {"R32G32_SINT", 0x086},
       {"R32G32_UINT", 0x087},
       {"R32_FLOAT_X8X24_TYPELESS", 0x088},
       {"X32_TYPELESS_G8X24_UINT", 0x089},
       {"L32A32_FLOAT", 0x08a},
       {"R32G32_UNORM", 0x08b},
       {"R32G32_SNORM", 0x08c},
       {"R64_FLOAT", 0x08d},
       {"R16G16B16X16_UNORM", 0x08e},
       {"R16G16B16X16_FLOAT", 0x08f},
       {"A32X32_FLOAT", 0x090},
       {"L32X32_FLOAT", 0x091},
       {"I32X32_FLOAT", 0x092},
       {"R16G16B16A16_SSCALED", 0x093},
       {"R16G16B16A16_USCALED", 0x094},
       {"R32G32_SSCALED", 0x095},
       {"R32G32_USCALED", 0x096},
       {"R32G32_SFIXED", 0x0a0},
       {"R64_PASSTHRU", 0x0a1},
       /* SMP-390 */
       {"B8G8R8A8_UNORM", 0x0c0},
       {"B8G8R8A8_UNORM_SRGB", 0x0c1},
       {"R10G10B10A2_UNORM", 0x0c2},
       {"R10G10B10A2_UNORM_SRGB", 0x0c3},
       {"R10G10B10A2_UINT", 0x0c4},
       {"R10G10B10_SNORM_A2_UNORM", 0x0c5},
       {"R8G8B8A8_UNORM", 0x0c7},
       {"R8G8B8A8_UNORM_SRGB", 0x0c8},
       {"R8G8B8A8_SNORM", 0x0c9},
       {"R8G8B8A8_SINT", 0x0ca},
       {"R8G8B8A8_UINT", 0x0cb},
       {"R16G16_UNORM", 0x0cc},
       {"R16G16_SNORM", 0x0cd},
       {"R16G16_SINT", 0x0ce},
       {"R16G16_UINT", 0x0cf},
       {"R16G16_FLOAT", 0x0d0},
       {"B10G10R10A2_UNORM", 0x0d1},
       {"B10G10R10A2_UNORM_SRGB", 0x0d2},
       {"R11G11B10_FLOAT", 0x0d3},
       {"R32_SINT", 0x0d6},
       {"R32_UINT", 0x0d7},
       {"R32_FLOAT", 0x0d8},
       {"R24_UNORM_X8_TYPELESS", 0x0d9},
       {"X24_TYPELESS_G8_UINT", 0x0da},
       {"L32_UNORM", 0x0dd},
       {"A32_UNORM", 0x0de},
       {"L16A16_UNORM", 0x0df},
       {"I24X8_UNORM", 0x0e0},
       {"L24X8_UNORM", 0x0e1},
       {"A24X8_UNORM", 0x0e2},
       {"I32_FLOAT", 0x0e3},
       {"L32_FLOAT", 0x0e4},
       {"A32_FLOAT", 0x0e5},
       {"X8B8_UNORM_G8R8_SNORM", 0x0e6},
       {"A8X8_UNORM_G8R8_SNORM", 0x0e7},
       {"B8X8_UNORM_G8R8_SNORM", 0x0e8},
       {"B8G8R8X8_UNORM", 0x0e9},
       {"B8G8R8X8_UNORM_SRGB", 0x0ea},
       {"R8G8B8X8_UNORM", 0x0eb},
       {"R8G8B8X8_UNORM_SRGB", 0x0ec},
       {"R9G9B9E5_SHAREDEXP", 0x0ed},
       {"B10G10R10X2_UNORM", 0x0ee},
       {"L16A16_FLOAT", 0x0f0},
       {"R32_UNORM", 0x0f1},
       {"R32_SNORM", 0x0f2},
       {"R10G10B10X2_USCALED", 0x0f3},
       {"R8G8B8A8_SSCALED", 0x0f4},
       {"R8G8B8A8_USCALED", 0x0f5},
       {"R16G16_SSCALED", 0x0f6},
       {"R16G16_USCALED", 0x0f7},
       {"R32_SSCALED", 0x0f8},
       {"R32_USCALED", 0x0f9},
       /* SMP-391 */
       {"B5G6R5_UNORM", 0x100},
       {"B5G6R5_UNORM_SRGB", 0x101},
       {"B5G5R5A1_UNORM", 0x102},
       {"B5G5R5A1_UNORM_SRGB", 0x103},
       {"B4G4R4A4_UNORM", 0x104},
       {"B4G4R4A4_UNORM_SRGB", 0x105},
       {"R8G8_UNORM", 0x106},
       {"R8G8_SNORM", 0x107},
       {"R8G8_SINT", 0x108},
       {"R8G8_UINT", 0x109},
       {"R16_UNORM", 0x10a},
       {"R16_SNORM", 0x10b},
       {"R16_SINT", 0x10c},
       {"R16_UINT", 0x10d},
       {"R16_FLOAT", 0x10e},
       {"A8P8_UNORM_PALETTE0", 0x10f},
       {"A8P8_UNORM_PALETTE1", 0x110},
       {"I16_UNORM", 0x111},
       {"L16_UNORM", 0x112},
       {"A16_UNORM", 0x113},
       {"L8A8_UNORM", 0x114},
       {"I16_FLOAT", 0x115},
       {"L16_FLOAT", 0x116},
       {"A16_FLOAT", 0x117},
       {"L8A8_UNORM_SRGB", 0x118},
       {"R5G5_SNORM_B6_UNORM", 0x119},
       {"B5G5R5X1_UNORM", 0x11a},
       {"B5G5R5X1_UNORM_SRGB", 0x11b},
       {"R8G8_SSCALED", 0x11c},
       {"R8G8_USCALED", 0x11d},
       {"R16_SSCALED", 0x11e},
       {"R16_USCALED", 0x11f},
       {"P8A8_UNORM_PALETTE0", 0x122},
       {"P8A8_UNORM_PALETTE1", 0x123},
       {"A1B5G5R5_UNORM", 0x124},
       {"A4B4G4R4_UNORM", 0x125},
       {"L8A8_UINT", 0x126},
       {"L8A8_SINT", 0x127},
       /* SMP-392 */
       {"R8_UNORM", 0x140},
       {"R8_SNORM", 0x141},
       {"R8_SINT", 0x142},
       {"R8_UINT", 0x143},
       {"A8_UNORM", 0x144},
       {"I8_UNORM", 0x145},
       {"L8_UNORM", 0x146},
       {"P4A4_UNORM_PALETTE0", 0x147},
       {"A4P4_UNORM_PALETTE0", 0x148},
       {"R8_SSCALED", 0x149},
       {"R8_USCALED", 0x14a},
       {"P8_UNORM_PALETTE0", 0x14b},
       {"L8_UNORM_SRGB", 0x14c},
       {"P8_UNORM_PALETTE1", 0x14d},
       {"P4A4_UNORM_PALETTE1", 0x14e},
       {"A4P4_UNORM_PALETTE1", 0x14f},
       {"Y8_UNORM", 0x150},
       {"L8_UINT", 0x152},
       {"L8_SINT", 0x153},
       {"I8_UINT", 0x154},
       {"I8_SINT", 0x155},
       /* SMP-393 */
       {"DXT1_RGB_SRGB", 0x180},
       {"R1_UNORM", 0x181},
       {"YCRCB_NORMAL", 0x182},
       {"YCRCB_SWAPUVY", 0x183},
       {"P2_UNORM_PALETTE0", 0x184},
       {"P2_UNORM_PALETTE1", 0x185},
       {"BC1_UNORM", 0x186},
       {"BC2_UNORM", 0x187},
       {"BC3_UNORM", 0x188},
       {"BC4_UNORM", 0x189},
       {"BC5_UNORM", 0x18a},
       {"BC1_UNORM_SRGB", 0x18b},
       {"BC2_UNORM_SRGB", 0x18c},
       {"BC3_UNORM_SRGB", 0x18d},
       {"MONO8", 0x18e},
       {"YCRCB_SWAPUV", 0x18f},
       {"YCRCB_SWAPY", 0x190},
       {"DXT1_RGB", 0x191},
       {"FXT1", 0x192},
       {"R8G8B8_UNORM", 0x193},
       {"R8G8B8_SNORM", 0x194},
       {"R8G8B8_SSCALED", 0x195},
       {"R8G8B8_USCALED", 0x196},
       {"R64G64B64A64_FLOAT", 0x197},
       {"R64G64B64_FLOAT", 0x198},
       {"BC4_SNORM", 0x199},
       {"BC5_SNORM", 0x19a},
       {"R16G16B16_FLOAT", 0x19b},
       {"R16G16B16_UNORM", 0x19c},
       {"R16G16B16_SNORM", 0x19d},
       {"R16G16B16_SSCALED", 0x19e},
       {"R16G16B16_USCALED", 0x19f},
       {"BC6H_SF16", 0x1a1},
       {"BC7_UNORM", 0x1a2},
       {"BC7_UNORM_SRGB", 0x1a3},
       {"BC6H_UF16", 0x1a4},
       {"PLANAR_420_8", 0x1a5},
       {"R8G8B8_UNORM_SRGB", 0x1a8},
       {"ETC1_RGB8", 0x1a9},
       {"ETC2_RGB8", 0x1aa},
       {"EAC_R11", 0x1ab},
       {"EAC_RG11", 0x1ac},
       {"EAC_SIGNED_R11", 0x1ad},
       {"EAC_SIGNED_RG11", 0x1ae},
       {"ETC2_SRGB8", 0x1af},
       {"R16G16B16_UINT", 0x1b0},
       {"R16G16B16_SINT", 0x1b1},
       {"R32_SFIXED", 0x1b2},
       {"R10G10B10A2_SNORM", 0x1b3},
       {"R10G10B10A2_USCALED", 0x1b4},
       {"R10G10B10A2_SSCALED", 0x1b5},
       {"R10G10B10A2_SINT", 0x1b6},
       {"B10G10R10A2_SNORM", 0x1b7},
       {"B10G10R10A2_USCALED", 0x1b8},
       {"B10G10R10A2_SSCALED", 0x1b9},
       {"B10G10R10A2_UINT", 0x1ba},
       {"B10G10R10A2_SINT", 0x1bb},
       {"R64G64B64A64_PASSTHRU", 0x1bc},
       {"R64G64B64_PASSTHRU", 0x1bd},
       {"ETC2_RGB8_PTA", 0x1c0},
       {"ETC2_SRGB8_PTA", 0x1c1},
       {"ETC2_EAC_RGBA8", 0x1c2},
       {"ETC2_EAC_SRGB8_A8", 0x1c3},
       {"R8G8B8_UINT", 0x1c8},
       {"R8G8B8_SINT", 0x1c9},
       {"RAW", 0x1ff},
       /* SMP-394 */
       {"R32G32_FLOAT_LD", 0x097},
   };
   const struct hw_field *f = field_at(hw_struct_by_name("RENDER_SURFACE_STATE"), 18, 26);
   assert_non_null(f);
   assert_int_equal(f->value_count, sizeof(rows) / sizeof(rows[0]));
   for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      const char *name = NULL;
      for (unsigned k = 0; k < f->value_count; k++)
         if (f->values[k].value == rows[i].value)
            name = f->values[k].name;
      assert_non_null(name);
      assert_string_equal(name, rows[i].name);
   }
}

/* SMP-351: the forms of Ivy Bridge and of Valleyview. */
static void
memory_object_control_state(void **state)
{
   proves("SMP-351");
   static const struct expected_layout rows[] = {
       {"SMP-351", HW_IVB, 0, "MEMORY_OBJECT_CONTROL_STATE", 1, "0[2] 0[1] 0[0]"},
       {"SMP-351", HW_VLV, 0, "MEMORY_OBJECT_CONTROL_STATE_VLV", 1, "0[2:1] 0[0]"},
   };
   for (size_t i = 0; i < 2; i++)
      check_struct(&rows[i]);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(render_surface_state_fields),
       cmocka_unit_test(render_surface_state_reserved_values),
       cmocka_unit_test(binding_table_state),
       cmocka_unit_test(media_surface_state),
       cmocka_unit_test(sampler_state),
       cmocka_unit_test(sampler_states_of_the_scaler_and_the_deinterlacer),
       cmocka_unit_test(sampler_8x8_state),
       cmocka_unit_test(border_colours),
       cmocka_unit_test(sampler_commands),
       cmocka_unit_test(surface_format_codes),
       cmocka_unit_test(memory_object_control_state),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
