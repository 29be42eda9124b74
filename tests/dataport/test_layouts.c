/* Descriptors and headers of the data port: their fields by name, at the bits of the manual. */
#include "color.h"
#include "tests/places.h"
#include "tests/proves.h"

static void
block_descriptors(void **state)
{
   proves("DP-075", "DP-076", "DP-085", "DP-093", "DP-126", "DP-165", "DP-178");
   (void)state;
   static const struct place oword[] = {{"Invalidate After Read Enable", 0, 13, 13, "DP-076"},
                                        {"Block Size", 0, 10, 8, NULL},
                                        {"Binding Table Index", 0, 7, 0, NULL}},
                             unaligned[] = {{"Block Size", 0, 10, 8, NULL}},
                             two[] = {{"Invalidate After Read Enable", 0, 13, 13, "DP-076"},
                                      {"Block Size", 0, 9, 8, NULL}};
   check_places(hw_struct_by_name("DP_OWORD_BLOCK_DESCRIPTOR"), oword, N(oword));
   check_places(hw_struct_by_name("DP_UNALIGNED_OWORD_BLOCK_DESCRIPTOR"), unaligned, N(unaligned));
   check_places(hw_struct_by_name("DP_OWORD_DUAL_BLOCK_DESCRIPTOR"), two, N(two));
   check_places(hw_struct_by_name("DP_DWORD_SCATTERED_DESCRIPTOR"), two, N(two));
}

static void
scratch_and_typed_descriptors(void **state)
{
   proves("DP-045", "DP-242", "DP-304");
   (void)state;
   static const struct place scratch[] = {
       {"Category", 0, 18, 18, NULL},     {"Write", 0, 17, 17, "DP-045"},
       {"Channel Mode", 0, 16, 16, NULL}, {"Invalidate After Read", 0, 15, 15, NULL},
       {"Block Size", 0, 13, 12, NULL},   {"Offset", 0, 11, 0, NULL}};
   static const struct place typed[] = {{"Slot Group", 0, 13, 13, NULL},
                                        {"Channel Mask", 0, 11, 8, "DP-242"}};
   check_places(hw_struct_by_name("DP_SCRATCH_DESCRIPTOR"), scratch, N(scratch));
   check_places(hw_struct_by_name("DP_TYPED_SURFACE_DESCRIPTOR"), typed, N(typed));
}

static void
media_block_header(void **state)
{
   proves("DP-129", "DP-131", "DP-132", "DP-135", "DP-136", "DP-137");
   (void)state;
   static const struct place p[] = {{"X Offset", 0, 31, 0, NULL},
                                    {"Y Offset", 1, 31, 0, NULL},
                                    {"Block Height", 2, 21, 16, NULL},
                                    {"Block Width", 2, 5, 0, NULL},
                                    {"Color Processing State Pointer", 3, 31, 5, "DP-131"},
                                    {"Message Mode", 3, 4, 4, "DP-132"},
                                    {"Message Format", 3, 3, 2, "DP-135"},
                                    {"Area of Interest", 3, 1, 1, "DP-136"},
                                    {"Color Processing Enable", 3, 0, 0, "DP-137"},
                                    {"FFTID", 5, 7, 0, NULL}};
   check_places(hw_struct_by_name("DP_MEDIA_BLOCK_HEADER"), p, N(p));
}

/* The first field of each part of the state, with those around it. */
static void
color_processing_state(void **state)
{
   proves("DP-433", "DP-434", "DP-435", "DP-436", "DP-437", "DP-438", "DP-439", "DP-441", "DP-449");
   (void)state;
   static const struct place p[] = {{"Sat Max", 0, 9, 4, NULL},
                                    {"Output Control", 0, 2, 2, "DP-449"},
                                    {"STE Enable", 0, 1, 1, NULL},
                                    {"STD Enable", 0, 0, 0, NULL},
                                    {"SATB1", 15, 30, 21, "DP-434"},
                                    {"SATP3", 15, 20, 14, NULL},
                                    {"SATP2", 15, 13, 7, NULL},
                                    {"SATP1", 15, 6, 0, NULL},
                                    {"SATB1 Dark", 22, 30, 21, "DP-434"},
                                    {"SATP3 Dark", 22, 20, 14, NULL},
                                    {"Skin Threshold", 29, 6, 2, "DP-435"},
                                    {"SatFactor3", 42, 31, 24, "DP-436"},
                                    {"Contrast", 53, 27, 17, "DP-437"},
                                    {"C1", 55, 28, 16, "DP-438"},
                                    {"Alpha from State Select", 63, 16, 16, "DP-441"},
                                    {"Color Pipe Alpha", 63, 15, 0, NULL},
                                    {"CGC Enable", 64, 31, 31, "DP-439"},
                                    {"Full Range Mapping Enable", 64, 30, 30, NULL},
                                    {"STD Factor Mode", 66, 27, 26, "DP-439"},
                                    {"MV Dark Factor Mode", 66, 25, 24, NULL},
                                    {"Scaling Factor Mode", 66, 23, 22, NULL}};
   check_places(hw_struct_by_name("COLOR_PROCESSING_STATE"), p, N(p));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(block_descriptors),
       cmocka_unit_test(scratch_and_typed_descriptors),
       cmocka_unit_test(media_block_header),
       cmocka_unit_test(color_processing_state),
   };
   return cmocka_run_group_tests_name("dp_layouts", tests, NULL, NULL);
}
