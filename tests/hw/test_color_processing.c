/* The colour processing state: where each field lies, and that the manual's default dwords give the
 * manual's default values. */
#include "layouts.h"
#include "tests/proves.h"

static const struct hw_layout *
layout(void)
{
   return hw_struct_by_name("COLOR_PROCESSING_STATE");
}

struct expected_default {
   uint8_t dw, hi, lo;
   uint32_t value;
};

/* The listed fields have these values, all others of the part are 0. */
static void
check_defaults(const uint32_t *part, unsigned first, unsigned count,
               const struct expected_default *rows, unsigned row_count)
{
   uint32_t dw[67] = {0};
   memcpy(dw + first, part, count * 4);
   assert_int_equal(hw_validate(layout(), dw, 67, NULL, NULL), 0);
   unsigned found = 0;
   for (unsigned i = 0; i < layout()->field_count; i++) {
      const struct hw_field *f = &layout()->fields[i];
      uint64_t value = hw_field_get(f, dw, 67), want = 0;
      if (!is_named(f))
         continue;
      for (unsigned k = 0; k < row_count; k++)
         if (f->start == (first + rows[k].dw) * 32u + rows[k].lo &&
             f->end == (first + rows[k].dw) * 32u + rows[k].hi) {
            want = rows[k].value;
            found++;
         }
      if (value != want)
         fail_msg("%s is %llu and not %llu", f->name, (unsigned long long)value,
                  (unsigned long long)want);
   }
   assert_int_equal(found, row_count);
}
#define CHECK(dw, first, rows)                                                                     \
   check_defaults(dw, first, sizeof(dw) / 4, rows, sizeof(rows) / sizeof(rows[0]))

/* SMP-350: 67 dwords in six parts, at dwords 0, 29, 42, 53, 55 and 64; the fields of all of them.
 */
static void
fields_of_the_state(void **state)
{
   proves("SMP-350");
   assert_non_null(layout());
   assert_int_equal(layout()->length_dw, 67);
   check_ranges(layout(), "0[0] 0[1] 0[2] 0[9:4] 0[15:10] 0[23:16] 0[31:24] 1[7:0] 1[17:10] "
                          "1[20:18] 1[27:21] 1[30:28] 2[6:0] "
                          "2[12:7] 2[20:13] 3[7] 3[15:8] 3[23:16] 3[31:24] 4[7:0] 4[12:8] 4[17:13] "
                          "5[15:0] 5[31:16] 6[15:0] "
                          "6[23:16] 6[31:24] 7[7:0] 7[15:8] 7[23:16] 7[31:24] 8[7:0] 8[15:8] "
                          "8[26:16] 9[10:0] 9[21:11] 10[10:0] "
                          "10[18:11] 10[26:19] 11[7:0] 11[15:8] 11[23:16] 11[31:24] 12[7:0] "
                          "12[15:8] 12[26:16] 13[10:0] 13[21:11] "
                          "14[10:0] 14[11] 14[19:12] 14[27:20] 15[6:0] 15[13:7] 15[20:14] "
                          "15[30:21] 16[9:0] 16[19:10] 16[30:20] "
                          "17[10:0] 17[21:11] 18[10:0] 18[17:11] 18[24:18] 18[31:25] 19[9:0] "
                          "19[19:10] 19[29:20] 20[10:0] 20[21:11] "
                          "21[10:0] 21[21:11] 22[6:0] 22[13:7] 22[20:14] 22[30:21] 23[9:0] "
                          "23[19:10] 23[30:20] 24[10:0] 24[21:11] "
                          "25[10:0] 25[17:11] 25[24:18] 25[31:25] 26[9:0] 26[19:10] 26[29:20] "
                          "27[10:0] 27[21:11] 28[10:0] 28[21:11] "
                          "29[0] 29[1] 29[6:2] 30[7:0] 30[15:8] 30[23:16] 30[31:24] 31[7:0] "
                          "31[15:8] 31[23:16] 31[31:24] 32[7:0] "
                          "32[15:8] 32[23:16] 32[31:24] 33[7:0] 33[15:8] 33[23:16] 33[31:24] "
                          "34[7:0] 34[15:8] 34[23:16] 34[31:24] "
                          "35[7:0] 35[15:8] 36[10:0] 36[26:16] 37[10:0] 37[26:16] 38[10:0] "
                          "38[26:16] 39[10:0] 39[26:16] 40[10:0] "
                          "40[26:16] 41[10:0] 42[7] 42[15:8] 42[23:16] 42[31:24] 43[15:8] "
                          "43[23:16] 43[31:24] 44[9:0] 44[19:10] "
                          "44[29:20] 45[9:0] 45[19:10] 45[29:20] 46[15:0] 46[31:16] 47[15:0] "
                          "47[31:16] 48[15:0] 48[31:16] 49[11:2] "
                          "49[21:12] 49[31:22] 50[11:2] 50[21:12] 50[31:22] 51[2:0] 51[12:8] "
                          "51[18:16] 51[30:24] 52[8:0] 52[31:16] "
                          "53[0] 53[12:1] 53[27:17] 54[15:0] 54[31:16] 55[0] 55[1] 55[2] 55[15:3] "
                          "55[28:16] 56[12:0] 56[25:13] "
                          "57[12:0] 57[25:13] 58[12:0] 58[25:13] 59[12:0] 60[9:0] 60[19:10] "
                          "61[9:0] 61[19:10] 62[9:0] 62[19:10] "
                          "63[15:0] 63[16] 64[9:0] 64[19:10] 64[29:20] 64[30] 64[31] 65[9:0] "
                          "65[30:28] 66[3:0] 66[4] 66[23:22] "
                          "66[25:24] 66[27:26] 66[28] 66[29] 66[30] 66[31]");
}

static void
skin_tone(void **state)
{
   proves("SMP-527", "SMP-528");
   static const uint32_t dw[] = {0x9a6e39f0, 0x400c0000, 0x00001180, 0xfe2f2e00, 0x000000ff,
                                 0x00140000, 0xd82e0000, 0x8285ecec, 0x00008282, 0x00000000,
                                 0x02117000, 0xa38fec96, 0x00008cc8, 0x00000000, 0x01478000,
                                 0x0007c300, 0x00000000, 0x00000000, 0x1c180000, 0x00000000,
                                 0x00000000, 0x00000000, 0x0007cf80, 0x00000000, 0x00000000,
                                 0x1c080000, 0x00000000, 0x00000000, 0x00000000};
   static const struct expected_default rows[] = {
       {0, 31, 24, 154}, {0, 23, 16, 110}, {0, 15, 10, 14},   {0, 9, 4, 31},     {1, 30, 28, 4},
       {1, 20, 18, 3},   {2, 12, 7, 35},   {3, 31, 24, 254},  {3, 23, 16, 47},   {3, 15, 8, 46},
       {4, 7, 0, 255},   {5, 31, 16, 20},  {6, 31, 24, 216},  {6, 23, 16, 46},   {7, 31, 24, 130},
       {7, 23, 16, 133}, {7, 15, 8, 236},  {7, 7, 0, 236},    {8, 15, 8, 130},   {8, 7, 0, 130},
       {10, 26, 19, 66}, {10, 18, 11, 46}, {11, 31, 24, 163}, {11, 23, 16, 143}, {11, 15, 8, 236},
       {11, 7, 0, 150},  {12, 15, 8, 140}, {12, 7, 0, 200},   {14, 27, 20, 20},  {14, 19, 12, 120},
       {15, 20, 14, 31}, {15, 13, 7, 6},   {18, 31, 25, 14},  {18, 24, 18, 6},   {22, 20, 14, 31},
       {22, 13, 7, 31},  {25, 31, 25, 14}, {25, 24, 18, 2}};
   CHECK(dw, 0, rows);
}

static void
automatic_contrast(void **state)
{
   proves("SMP-529");
   static const uint32_t dw[] = {0x00000068, 0x4c382410, 0x9c887460, 0xebd8c4b0, 0x604c3824,
                                 0xb09c8874, 0x0000d8c4, 0x00000000, 0x00000000, 0x00000000,
                                 0x00000000, 0x00000000, 0x00000000};
   static const struct expected_default rows[] = {
       {0, 6, 2, 26},    {1, 31, 24, 76},  {1, 23, 16, 56},  {1, 15, 8, 36},   {1, 7, 0, 16},
       {2, 31, 24, 156}, {2, 23, 16, 136}, {2, 15, 8, 116},  {2, 7, 0, 96},    {3, 31, 24, 235},
       {3, 23, 16, 216}, {3, 15, 8, 196},  {3, 7, 0, 176},   {4, 31, 24, 96},  {4, 23, 16, 76},
       {4, 15, 8, 56},   {4, 7, 0, 36},    {5, 31, 24, 176}, {5, 23, 16, 156}, {5, 15, 8, 136},
       {5, 7, 0, 116},   {6, 15, 8, 216},  {6, 7, 0, 196}};
   CHECK(dw, 29, rows);
}

static void
total_color_control(void **state)
{
   proves("SMP-530");
   static const uint32_t dw[] = {0xdcdcdc00, 0xdcdcdc00, 0x1e34cc91, 0x3e3cce91,
                                 0x02e80195, 0x0197046b, 0x01790174, 0x00096000,
                                 0x00000000, 0x03030000, 0x009201c0};
   static const struct expected_default rows[] = {
       {0, 31, 24, 220}, {0, 23, 16, 220},  {0, 15, 8, 220},  {1, 31, 24, 220}, {1, 23, 16, 220},
       {1, 15, 8, 220},  {2, 29, 20, 483},  {2, 19, 10, 307}, {2, 9, 0, 145},   {3, 29, 20, 995},
       {3, 19, 10, 819}, {3, 9, 0, 657},    {4, 31, 16, 744}, {4, 15, 0, 405},  {5, 31, 16, 407},
       {5, 15, 0, 1131}, {6, 31, 16, 377},  {6, 15, 0, 372},  {7, 21, 12, 150}, {9, 30, 24, 3},
       {9, 18, 16, 3},   {10, 31, 16, 146}, {10, 8, 0, 448}};
   CHECK(dw, 42, rows);
}

static void
procamp(void **state)
{
   proves("SMP-531");
   static const uint32_t dw[] = {0x00020001, 0x01000000};
   static const struct expected_default rows[] = {{0, 27, 17, 1}, {0, 0, 0, 1}, {1, 31, 16, 256}};
   CHECK(dw, 53, rows);
}

/* SMP-532: C8 as it is printed, 1204 */
static void
color_space_conversion(void **state)
{
   proves("SMP-532");
   static const uint32_t dw[] = {0x00002000, 0x00000000, 0x00000400, 0x00000000, 0x000004b4,
                                 0x00000000, 0x00000000, 0x00000000, 0x00000000};
   static const struct expected_default rows[] = {
       {0, 15, 3, 1024}, {2, 12, 0, 1024}, {4, 12, 0, 1204}};
   CHECK(dw, 55, rows);
}

static void
gamut_compression(void **state)
{
   proves("SMP-533");
   static const uint32_t dw[] = {0x0cd2911f, 0x30000334, 0x8a800000};
   static const struct expected_default rows[] = {
       {0, 29, 20, 205}, {0, 19, 10, 164}, {0, 9, 0, 287}, {1, 30, 28, 3}, {1, 9, 0, 820},
       {2, 31, 31, 1},   {2, 27, 26, 2},   {2, 25, 24, 2}, {2, 23, 22, 2}};
   CHECK(dw, 64, rows);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(fields_of_the_state),
       cmocka_unit_test(skin_tone),
       cmocka_unit_test(automatic_contrast),
       cmocka_unit_test(total_color_control),
       cmocka_unit_test(procamp),
       cmocka_unit_test(color_space_conversion),
       cmocka_unit_test(gamut_compression),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
