/* Descriptors and headers of the data port: their fields by name, at the bits of the manual. */
#include "color.h"
#include "tests/facts.h"

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

/* What the rows say of whole descriptors and headers: lengths, message types, codes. */
static const struct facts facts[] = {
    {"DP-038", "DP_SAMPLER_DESCRIPTOR", 1,
     "Header Present 0[19]; Message Type 0[17:14] {Unaligned OWord Block Read=1|Media Block "
     "Read=4}; Message Specific Control 0[13:8]; Binding Table Index 0[7:0];"},
    {"DP-040", "DP_RENDER_DESCRIPTOR", 1,
     "Header Present 0[19]; Message Type 0[17:14] {Media Block Read=4|Typed Surface Read=5|Typed "
     "Atomic Operation=6|Memory Fence=7|Media Block Write=10|Render Target Write=12|Typed Surface "
     "Write=13}; Message Specific Control 0[13:8]; Binding Table Index 0[7:0];"},
    {"DP-042", "DP_CONSTANT_DESCRIPTOR", 1,
     "Header Present 0[19]; Message Type 0[17:14] {OWord Block Read=0|Unaligned OWord Block "
     "Read=1|OWord Dual Block Read=2|DWord Scattered Read=3}; Message Specific Control 0[13:8]; "
     "Binding Table Index 0[7:0];"},
    {"DP-044", "DP_DATA_DESCRIPTOR", 1,
     "Header Present 0[19]; Category 0[18]; Message Type 0[17:14] {OWord Block Read=0|Unaligned "
     "OWord Block Read=1|OWord Dual Block Read=2|DWord Scattered Read=3|Byte Scattered "
     "Read=4|Untyped Surface Read=5|Untyped Atomic Operation=6|Memory Fence=7|OWord Block "
     "Write=8|OWord Dual Block Write=10|DWord Scattered Write=11|Byte Scattered Write=12|Untyped "
     "Surface Write=13}; Message Specific Control 0[13:8]; Binding Table Index 0[7:0];"},
    {"DP-045", "DP_SCRATCH_DESCRIPTOR", 1,
     "Category 0[18]; Write 0[17]; Channel Mode 0[16] (OWord=0|DWord=1); Invalidate After Read "
     "0[15]; MBZ 0[14]; Block Size 0[13:12] {1 register=0|2 registers=1|4 registers=3}; Offset "
     "0[11:0];"},
    {"DP-304", "DP_SCRATCH_DESCRIPTOR", 1,
     "Category 0[18]; Write 0[17]; Channel Mode 0[16] (OWord=0|DWord=1); MBZ 0[14]; Offset "
     "0[11:0];"},
    {"DP-075", "DP_OWORD_BLOCK_DESCRIPTOR", 1,
     "Invalidate After Read Enable 0[13]; Block Size 0[10:8] {1 OWord low=0|1 OWord high=1|2 "
     "OWords=2|4 OWords=3|8 OWords=4};"},
    {"DP-076", "DP_OWORD_DUAL_BLOCK_DESCRIPTOR", 1, "Invalidate After Read Enable 0[13];"},
    {"DP-076", "DP_DWORD_SCATTERED_DESCRIPTOR", 1, "Invalidate After Read Enable 0[13];"},
    {"DP-085", "DP_UNALIGNED_OWORD_BLOCK_DESCRIPTOR", 1,
     "Block Size 0[10:8] {1 OWord low=0|1 OWord high=1|2 OWords=2|4 OWords=3|8 OWords=4};"},
    {"DP-093", "DP_OWORD_DUAL_BLOCK_DESCRIPTOR", 1, "Block Size 0[9:8] {1 OWord=0|4 OWords=2};"},
    {"DP-126", "DP_MEDIA_BLOCK_DESCRIPTOR", 1,
     "MBZ 0[13:11]; Vertical Line Stride Override 0[10]; Override Vertical Line Stride 0[9]; "
     "Override Vertical Line Stride Offset 0[8];"},
    {"DP-165", "DP_DWORD_SCATTERED_DESCRIPTOR", 1, "Block Size 0[9:8] {8 DWords=2|16 DWords=3};"},
    {"DP-178", "DP_BYTE_SCATTERED_DESCRIPTOR", 1,
     "Data Size 0[11:10] {1 byte=0|2 bytes=1|4 bytes=2}; SIMD Mode 0[8] (SIMD8=0|SIMD16=1);"},
    {"DP-242", "DP_TYPED_SURFACE_DESCRIPTOR", 1,
     "Slot Group 0[13] (Low=0|High=1); Channel Mask 0[11:8];"},
    {"DP-244", "DP_UNTYPED_SURFACE_DESCRIPTOR", 1,
     "SIMD Mode 0[13:12] {SIMD4x2=0|SIMD16=1|SIMD8=2}; Channel Mask 0[11:8];"},
    {"DP-247", "DP_TYPED_ATOMIC_DESCRIPTOR", 1,
     "Return Data Control 0[13]; Slot Group 0[12] (Low=0|High=1); Atomic Operation Type 0[11:8] {"
     "AND=1|OR=2|XOR=3|MOV=4|INC=5|DEC=6|ADD=7|SUB=8|REVSUB=9|IMAX=10|IMIN=11|UMAX=12|UMIN=13|"
     "CMPWR=14|PREDEC=15};"},
    {"DP-249", "DP_UNTYPED_ATOMIC_DESCRIPTOR", 1,
     "Return Data Control 0[13]; SIMD Mode 0[12] (SIMD16=0|SIMD8=1); Atomic Operation Type 0[11:8] "
     "(CMPWR8B=0|AND=1|OR=2|XOR=3|MOV=4|INC=5|DEC=6|ADD=7|SUB=8|REVSUB=9|IMAX=10|IMIN=11|UMAX=12|"
     "UMIN=13|CMPWR=14|PREDEC=15);"},
    {"DP-315", "DP_MEMORY_FENCE_DESCRIPTOR", 1, "Commit Enable 0[13]; MBZ 0[12:8];"},
    {"DP-371", "DP_RENDER_TARGET_WRITE_DESCRIPTOR", 1,
     "Last Render Target Select 0[12]; Slot Group Select 0[11]; Message Type 0[10:8] "
     "{SIMD16=0|SIMD16_REPDATA=1|SIMD8_DUALSRC_LO=2|SIMD8_DUALSRC_HI=3|SIMD8_LO=4};"},
    {"DP-052", "DP_HEADER", 8,
     "Immediate Buffer Base Address 5[31:10]; Dispatch ID 5[7:0]; Global Offset 2[31:0];"},
    {"DP-257", "DP_SURFACE_HEADER", 8,
     "Pixel Sample Mask 7[15:0]; Immediate Buffer Base Address 5[31:10];"},
    {"DP-129", "DP_MEDIA_BLOCK_HEADER", 8,
     "FFTID 5[7:0]; Color Processing State Pointer 3[31:5]; Block Height 2[21:16]; Block Width "
     "2[5:0]; Y Offset 1[31:0] S0; X Offset 0[31:0] S0;"},
    {"DP-131", "DP_MEDIA_BLOCK_HEADER", 8, "Color Processing State Pointer 3[31:5];"},
    {"DP-132", "DP_MEDIA_BLOCK_HEADER", 8, "Message Mode 3[4] (NORMAL=0|PIXEL_MASK=1);"},
    {"DP-135", "DP_MEDIA_BLOCK_HEADER", 8,
     "Message Format 3[3:2] (YUV 422 8 bit=0|YUV 444 8 bit=1|YUV 422 16 bit=2|YUV 444 16 bit=3);"},
    {"DP-376", "DP_RENDER_TARGET_WRITE_HEADER", 16,
     "Color Code 5[9:8]; FFTID 5[7:0]; Render Target Index 2[2:0]; Color Calculator State Pointer "
     "1[31:6]; Viewport Index 0[30:27]; Render Target Array Index 0[26:16]; Back Facing 0[15]; "
     "Source Depth Present 0[13]; oMask Present 0[12]; Source0 Alpha Present 0[11]; Starting "
     "Sample Pair Index 0[8:6]; Dispatched Pixel Sample Enables 15[31:16]; Pixel Sample Enables "
     "15[15:0]; Y3 13[31:16]; X3 13[15:0]; Y2 12[31:16]; X2 12[15:0]; Y1 11[31:16]; X1 11[15:0]; "
     "Y0 10[31:16]; X0 10[15:0];"},
    {"DP-005", "COLOR_PROCESSING_STATE", 67,
     "SATB1 15[30:21]; Skin Threshold 29[6:2]; SatFactor3 42[31:24]; Contrast 53[27:17]; C1 "
     "55[28:16]; Color Pipe Alpha 63[15:0]; CGC Enable 64[31];"},
    {"DP-434", "COLOR_PROCESSING_STATE", 67,
     "SATB1 15[30:21] S2; SATB1 Dark 22[30:21] S2; MBZ 15[31]; MBZ 22[31];"},
    {"DP-435", "COLOR_PROCESSING_STATE", 67, "Skin Threshold 29[6:2]; MBZ 29[31:7];"},
    {"DP-436", "COLOR_PROCESSING_STATE", 67,
     "SatFactor3 42[31:24] U7; SatFactor2 42[23:16] U7; SatFactor1 42[15:8] U7;"},
    {"DP-437", "COLOR_PROCESSING_STATE", 67,
     "Contrast 53[27:17] U7; MBZ 53[31:28]; MBZ 53[16:13];"},
    {"DP-438", "COLOR_PROCESSING_STATE", 67, "C1 55[28:16] S10; C0 55[15:3] S10; MBZ 55[31:29];"},
};

int
main(void)
{
   struct CMUnitTest tests[N(facts) + 4] = {
       cmocka_unit_test(block_descriptors),
       cmocka_unit_test(scratch_and_typed_descriptors),
       cmocka_unit_test(media_block_header),
       cmocka_unit_test(color_processing_state),
   };
   size_t count = 4;
   count += facts_cases(tests + count, facts, N(facts));
   return _cmocka_run_group_tests("dp_layouts", tests, count, NULL, NULL);
}
