/* The message phases of motion estimation and its state, against the bits that the rows name. */
#include "gen7_hw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/facts.h"

static const struct facts table[] = {
    {"VME-194", "VME Message Descriptor", 1,
     "Header Present 0[19]; MBZ 0[18:17]; Stream-in Enable 0[16]; Stream-out Enable 0[15]; "
     "Message Type 0[14:13]; LUT Subindex 0[12:11]; Search Path LUT State Index 0[10:8]; "
     "Binding Table Index 0[7:0] <=254;"},
    {"VME-195", "VME Message Descriptor", 1, "Stream-in Enable 0[16];"},
    {"VME-196", "VME Message Descriptor", 1, "Stream-out Enable 0[15];"},
    {"VME-197", "VME Message Descriptor", 1,
     "Message Type 0[14:13] {Inter=1|Intra=2|Inter and Intra=3};"},
    {"VME-198", "VME Message Descriptor", 1, "LUT Subindex 0[12:11];"},
    {"VME-199", "VME Message Descriptor", 1, "Search Path LUT State Index 0[10:8];"},
    {"VME-200", "VME Message Descriptor", 1, "Binding Table Index 0[7:0] <=254;"},

    {"VME-203", "VME M0", 8, "RefHeight 5[31:24]; RefWidth 5[23:16]; Dispatch ID 5[7:0];"},
    {"VME-204", "VME M0", 8, "RefHeight 5[31:24];"},
    {"VME-205", "VME M0", 8, "RefWidth 5[23:16];"},
    {"VME-208", "VME M0", 8, "Dispatch ID 5[7:0];"},
    {"VME-209", "VME M0", 8, "MBZ 3[31]; SubMbPartMask 3[30:24];"},
    {"VME-210", "VME M0", 8, "SubMbPartMask 3[30:24] U0;"},
    {"VME-213", "VME M0", 8, "IntraSAD 3[23:22] {None=0|Haar=2};"},
    {"VME-214", "VME M0", 8, "InterSAD 3[21:20] {None=0|Haar=2};"},
    {"VME-215", "VME M0", 8, "MBZ 3[3]; MBZ 3[2]; SrcSize 3[1:0]; MbTypeRemap 3[5:4];"},
    {"VME-216", "VME M0", 8, "Block-Based Skip Enabled 3[19]; MBZ 3[18];"},
    {"VME-218", "VME M0", 8, "Disable Aligned VME Source Fetch 3[17];"},
    {"VME-219", "VME M0", 8, "Disable Aligned VME Reference Fetch 3[16];"},
    {"VME-220", "VME M0", 8, "Disable Field Cache Allocation 3[15];"},
    {"VME-221", "VME M0", 8, "SkipType 3[14] (SKIP_1MVP=0|SKIP_4MVP=1);"},
    {"VME-223", "VME M0", 8, "SubPelMode 3[13:12] {Integer=0|Half=1|Quarter=3};"},
    {"VME-225", "VME M0", 8, "Dual Search Path Option 3[11];"},
    {"VME-230", "VME M0", 8,
     "SearchCtrl 3[10:8] {Single reference, single record, single start=0|"
     "Single reference, single record, dual start=1|Single reference, dual record=3|"
     "Dual reference, dual record=7};"},
    {"VME-234", "VME M0", 8, "RefAccess 3[7] (Frame=0|Field=1);"},
    {"VME-235", "VME M0", 8, "SrcAccess 3[6] (Frame=0|Field=1);"},
    {"VME-236", "VME M0", 8, "MbTypeRemap 3[5:4] {None=0|Forward=1|Backward=2};"},
    {"VME-239", "VME M0", 8, "SrcSize 3[1:0] {16x16=0|16x8=1|8x8=3};"},
    {"VME-241", "VME M0", 8, "SrcY 2[31:16] U0;"},
    {"VME-243", "VME M0", 8, "SrcX 2[15:0] U0;"},
    {"VME-244", "VME M0", 8, "Ref1Y 1[31:16] S0; Ref1X 1[15:0] S0;"},
    {"VME-246", "VME M0", 8, "Ref0Y 0[31:16] S0; Ref0X 0[15:0] S0;"},

    {"VME-106", "VME M1", 8, "IntraPartMask 7[2:0]; MBZ 7[4:3]; NonSkipZMvAdded 7[5];"},
    {"VME-247", "VME M1", 8,
     "MBZ 7[23:22]; MBZ 7[4:3]; MBZ 6[31:0]; MBZ 1[23:22]; MBZ 1[15:6]; MbIntraStruct 7[15:8];"},
    {"VME-248", "VME M1", 8, "SkipCenterMask 7[31:24];"},
    {"VME-250", "VME M1", 8, "Ref1FieldPolarity 7[21]; MBZ 7[23:22];"},
    {"VME-251", "VME M1", 8, "Ref0FieldPolarity 7[20];"},
    {"VME-252", "VME M1", 8, "SrcFieldPolarity 7[19];"},
    {"VME-253", "VME M1", 8, "BilinearEnable 7[18];"},
    {"VME-254", "VME M1", 8, "MVCostScaleFactor 7[17:16];"},
    {"VME-255", "VME M1", 8, "MbIntraStruct 7[15:8] $VME MbIntraStruct;"},
    {"VME-255", "VME MbIntraStruct", 1,
     "MBZ 0[7]; Left Top Half 0[6]; Left 0[5]; Upper 0[4]; Upper Right 0[3]; Upper Left 0[2]; "
     "MBZ 0[1:0];"},
    {"VME-256", "VME MbIntraStruct", 1, "Upper Right 0[3]; Upper Left 0[2];"},
    {"VME-257", "VME MbIntraStruct", 1, "Left Top Half 0[6]; Left 0[5];"},
    {"VME-258", "VME M1", 8, "IntraCornerSwap 7[7];"},
    {"VME-259", "VME M1", 8, "NonSkipModeAdded 7[6];"},
    {"VME-260", "VME M1", 8, "NonSkipZMvAdded 7[5];"},
    {"VME-261", "VME M1", 8, "IntraPartMask 7[2:0]; MBZ 7[4:3]; NonSkipZMvAdded 7[5];"},
    {"VME-262", "VME M1", 8, "CostCenter1Y 5[31:16] S2; CostCenter1X 5[15:0] S2;"},
    {"VME-263", "VME M1", 8, "CostCenter0Y 4[31:16] S2; CostCenter0X 4[15:0] S2;"},
    {"VME-264", "VME M1", 8, "ImeTooGood 3[31:24];"},
    {"VME-267", "VME M1", 8, "ImeTooBad 3[23:16];"},
    {"VME-268", "VME M1", 8, "PartToleranceThrhd 3[15:8];"},
    {"VME-270", "VME M1", 8, "FBPrunThrhd 3[7:0];"},
    {"VME-271", "VME M1", 8, "Start1Y 2[31:28]; Start1X 2[27:24];"},
    {"VME-272", "VME M1", 8, "Start0Y 2[23:20]; Start0X 2[19:16];"},
    {"VME-273", "VME M1", 8, "MaxNumSU 2[15:8];"},
    {"VME-274", "VME M1", 8, "LenSP 2[7:0];"},
    {"VME-277", "VME M1", 8, "RepartEn 1[31];"},
    {"VME-278", "VME M1", 8, "FBPrunEn 1[30];"},
    {"VME-279", "VME M1", 8, "AdaptiveValidationControl 1[29];"},
    {"VME-282", "VME M1", 8, "UniMixDisable 1[28];"},
    {"VME-284", "VME M1", 8, "BiSubMbPartMask 1[27:24]; MBZ 1[23:22];"},
    {"VME-286", "VME M1", 8, "BiWeight 1[21:16]; MBZ 1[23:22]; MBZ 1[15:6];"},
    {"VME-288", "VME M1", 8, "MaxNumMVs 1[5:0]; MBZ 1[15:6];"},
    {"VME-290", "VME M1", 8, "EarlyImeStop 0[31:24];"},
    {"VME-292", "VME M1", 8, "EarlyFmeSuccess 0[23:16];"},
    {"VME-294", "VME M1", 8, "SkipSuccess 0[15:8];"},
    {"VME-295", "VME M1", 8, "T8x8FlagForInterEn 0[7];"},
    {"VME-296", "VME M1", 8, "QuitInterEn 0[6];"},
    {"VME-297", "VME M1", 8, "EarlyImeSuccessEn 0[5];"},
    {"VME-298", "VME M1", 8, "EarlySuccessEn 0[4];"},
    {"VME-299", "VME M1", 8, "PartCandidateEn 0[3];"},
    {"VME-300", "VME M1", 8, "BiMixDis 0[2];"},
    {"VME-302", "VME M1", 8, "AdaptiveEn 0[1];"},
    {"VME-303", "VME M1", 8, "SkipModeEn 0[0];"},

    {"VME-306", "VME M2", 8,
     "Ref0 SkipCenter 0 Y 0[31:16] S2; Ref0 SkipCenter 0 X 0[15:0] S2; "
     "Ref1 SkipCenter 0 Y 1[31:16] S2; Ref1 SkipCenter 0 X 1[15:0] S2; "
     "Ref0 SkipCenter 1 Y 2[31:16] S2; Ref0 SkipCenter 1 X 2[15:0] S2; "
     "Ref1 SkipCenter 1 Y 3[31:16] S2; Ref1 SkipCenter 1 X 3[15:0] S2; "
     "Ref0 SkipCenter 2 Y 4[31:16] S2; Ref0 SkipCenter 2 X 4[15:0] S2; "
     "Ref1 SkipCenter 2 Y 5[31:16] S2; Ref1 SkipCenter 2 X 5[15:0] S2; "
     "Ref0 SkipCenter 3 Y 6[31:16] S2; Ref0 SkipCenter 3 X 6[15:0] S2; "
     "Ref1 SkipCenter 3 Y 7[31:16] S2; Ref1 SkipCenter 3 X 7[15:0] S2;"},

    {"VME-308", "VME M3", 8,
     "Neighbor pixels 0 to 3 above 2[31:0]; Neighbor pixels 4 to 7 above 3[31:0]; "
     "Neighbor pixels 8 to 11 above 4[31:0]; Neighbor pixels 12 to 15 above 5[31:0]; "
     "Neighbor pixels 16 to 19 above 6[31:0]; Neighbor pixels 20 to 23 above 7[31:0];"},
    {"VME-310", "VME M3", 8,
     "Neighbor pixels 20 to 23 above 7[31:0]; Neighbor pixels 0 to 3 above 2[31:0]; "
     "Corner Neighbor pixel 0 1[31:24]; Intra16x16ModeMask 1[3:0]; Intra8x8ModeMask 0[24:16]; "
     "Intra4x4ModeMask 0[8:0];"},
    {"VME-311", "VME M3", 8, "Corner Neighbor pixel 0 1[31:24];"},
    {"VME-312", "VME M3", 8,
     "Intra16x16ModeMask 1[3:0]; Intra8x8ModeMask 0[24:16]; Intra4x4ModeMask 0[8:0];"},

    {"VME-308", "VME M4", 8,
     "Neighbor pixels 0 to 3 left 0[31:0]; Neighbor pixels 4 to 7 left 1[31:0]; "
     "Neighbor pixels 8 to 11 left 2[31:0]; Neighbor pixels 12 to 14 left 3[23:0];"},
    {"VME-314", "VME M4", 8,
     "MBZ 7[31:0]; MBZ 6[31:0]; MBZ 5[31:0]; Corner Neighbor pixel 1 3[31:24]; "
     "Neighbor pixels 12 to 14 left 3[23:0];"},
    {"VME-315", "VME M4", 8,
     "IntraMxMPredModeB15 4[31:28]; IntraMxMPredModeB14 4[27:24]; IntraMxMPredModeB11 4[23:20]; "
     "IntraMxMPredModeB10 4[19:16]; IntraMxMPredModeA15 4[15:12]; IntraMxMPredModeA13 4[11:8]; "
     "IntraMxMPredModeA7 4[7:4]; IntraMxMPredModeA5 4[3:0];"},
    {"VME-319", "VME M4", 8, "Corner Neighbor pixel 1 3[31:24];"},

    {"VME-321", "VME W0", 8,
     "MBZ 3[27:14]; MBZ 2[31]; MBZ 2[15:14]; MBZ 1[31:30]; MBZ 0[30:29]; MBZ 0[23]; MBZ 0[16]; "
     "MBZ 0[6]; MBZ 0[3];"},
    {"VME-322", "VME W0", 8,
     "FME Improved 7[28]; BME Improved 7[29]; Extra Candidate Better 7[30]; "
     "MaxMV Restricted 7[31];"},
    {"VME-323", "VME W0", 8,
     "EarlySkipExit 7[23]; EarlyImeStop 7[24]; ImeTooGood 7[25]; ImeTooBad 7[26]; "
     "EarlyFmeExit 7[27];"},
    {"VME-325", "VME W0", 8,
     "Skip Check Performed 7[16]; IME Performed 7[17]; FME Primary Performed 7[18]; "
     "FME Extra Performed 7[19]; BME Primary Performed 7[20]; BME Extra Performed 7[21];"},
    {"VME-326", "VME W0", 8, "Intra Performed 7[22];"},
    {"VME-327", "VME W0", 8, "SubMbPredMode 7[15:8];"},
    {"VME-329", "VME W0", 8, "SubMbShape 7[7:0];"},
    {"VME-330", "VME W0", 8, "Alternate Search Path Length 6[31:26];"},
    {"VME-331", "VME W0", 8, "Total VME Stalled Clocks 6[25:16];"},
    {"VME-332", "VME W0", 8, "Total VME Compute Clocks 6[15:8];"},
    {"VME-333", "VME W0", 8, "MbIntraStruct 6[7:0];"},
    {"VME-334", "VME W0", 8,
     "LumaIntraPredModes 3 5[31:16]; LumaIntraPredModes 2 5[15:0]; LumaIntraPredModes 1 4[31:16];"},
    {"VME-335", "VME W0", 8, "LumaIntraPredModes 0 4[15:0];"},
    {"VME-337", "VME W0", 8, "Direct8x8Pattern 3[31:28]; MBZ 3[27:14];"},
    {"VME-338", "VME W0", 8, "BestIntraDistortion 3[13:0]; MBZ 3[27:14];"},
    {"VME-339", "VME W0", 8, "SkipRawDistortion 2[29:16]; MBZ 2[15:14];"},
    {"VME-340", "VME W0", 8, "SkipRawDistortionInvalid 2[30]; MBZ 2[31];"},
    {"VME-341", "VME W0", 8, "InterDistortion 2[13:0]; MBZ 2[15:14];"},
    {"VME-343", "VME W0", 8, "Minimal Distortion 1[29:16]; MBZ 1[31:30];"},
    {"VME-345", "VME W0", 8, "Search Path Length 1[15:8];"},
    {"VME-346", "VME W0", 8,
     "Reference 1 border reached 1[7:4]; Reference 0 border reached 1[3:0];"},
    {"VME-348", "VME W0", 8, "ExtendedForm 0[31]; MBZ 0[30:29];"},
    {"VME-350", "VME W0", 8, "MvQuantity 0[28:24]; MBZ 0[30:29]; MBZ 0[23];"},
    {"VME-352", "VME W0", 8, "MvSize 0[22:20] (None=0|8MV=4|32MV=6); MBZ 0[23];"},
    {"VME-354", "VME W0", 8,
     "DcBlockCodedYFlag 0[19]; DcBlockCodedCbFlag 0[18]; DcBlockCodedCrFlag 0[17]; MBZ 0[16];"},
    {"VME-355", "VME W0", 8, "Transform8x8Flag 0[15];"},
    {"VME-356", "VME W0", 8, "FieldMbFlag 0[14];"},
    {"VME-357", "VME W0", 8, "IntraMbFlag 0[13];"},
    {"VME-358", "VME W0", 8, "MbType 0[12:8];"},
    {"VME-361", "VME W0", 8, "FieldMbPolarityFlag 0[7];"},
    {"VME-362", "VME W0", 8,
     "IntraMbMode 0[5:4] (INTRA_16x16=0|INTRA_8x8=1|INTRA_4x4=2|IPCM=3); MBZ 0[6]; MBZ 0[3];"},
    {"VME-363", "VME W0", 8, "MbSkipFlag 0[2]; MBZ 0[3];"},
    {"VME-365", "VME W0", 8,
     "InterMbMode 0[1:0] (INTER16x16=0|INTER16x8=1|INTER8x16=2|INTER8x8=3);"},

    {"VME-366", "VME W1 to W4", 8,
     "MVa 0 Y 0[31:16] S2; MVa 0 X 0[15:0] S2; MVb 0 Y 1[31:16] S2; MVb 0 X 1[15:0] S2; "
     "MVa 1 Y 2[31:16] S2; MVa 1 X 2[15:0] S2; MVb 1 Y 3[31:16] S2; MVb 1 X 3[15:0] S2; "
     "MVa 2 Y 4[31:16] S2; MVa 2 X 4[15:0] S2; MVb 2 Y 5[31:16] S2; MVb 2 X 5[15:0] S2; "
     "MVa 3 Y 6[31:16] S2; MVa 3 X 6[15:0] S2; MVb 3 Y 7[31:16] S2; MVb 3 X 7[15:0] S2;"},

    {"VME-374", "VME Stream Distortions", 8,
     "MBZ 7[31:0]; MBZ 6[31:0]; 16x16 Y 5[31:16] S2; 16x16 X 5[15:0] S2; MBZ 4[31:14]; "
     "Distortion 16x16 4[13:0];"},
    {"VME-375", "VME Stream Distortions", 8,
     "Distortion 8x8_3 3[29:16]; Distortion 8x8_2 3[13:0]; Distortion 8x8_1 2[29:16]; "
     "Distortion 8x8_0 2[13:0]; Distortion 8x16_1 1[30:16]; Distortion 8x16_0 1[14:0]; "
     "Distortion 16x8_1 0[30:16]; Distortion 16x8_0 0[14:0];"},
    {"VME-376", "VME Stream Vectors", 8,
     "8x8_3 Y 7[31:16] S2; 8x8_3 X 7[15:0] S2; 8x8_2 Y 6[31:16] S2; 8x8_2 X 6[15:0] S2; "
     "8x8_1 Y 5[31:16] S2; 8x8_1 X 5[15:0] S2; 8x8_0 Y 4[31:16] S2; 8x8_0 X 4[15:0] S2; "
     "8x16_1 Y 3[31:16] S2; 8x16_1 X 3[15:0] S2; 8x16_0 Y 2[31:16] S2; 8x16_0 X 2[15:0] S2; "
     "16x8_1 Y 1[31:16] S2; 16x8_1 X 1[15:0] S2; 16x8_0 Y 0[31:16] S2; 16x8_0 X 0[15:0] S2;"},
};

/* W5.n: [29:16] InterDistortion[2n+1], [13:0] InterDistortion[2n]; the rest is zero. */
static void
distortions_of_the_slots(void **state)
{
   proves("VME-369", "VME-370");
   const struct hw_layout *l = facts_layout("VME W5");
   assert_int_equal(l->length_dw, 8);
   for (unsigned slot = 0; slot < 16; slot++) {
      char name[32];
      snprintf(name, sizeof(name), "InterDistortion %u", slot);
      unsigned lo = slot % 2 ? 16 : 0;
      check_place(l, &(struct place){name, slot / 2, lo + 13, lo, NULL});
      assert_int_equal(l->mbz[slot / 2], 0xc000c000);
   }
}

static void
check_byte(const char *name, unsigned dw, unsigned byte)
{
   const struct hw_layout *l = facts_layout("VME_SEARCH_PATH_LUT_STATE");
   check_place(l, &(struct place){name, dw, byte * 8 + 7, byte * 8, NULL});
}

/* Location 4*d+b in byte b of DWd. */
static void
search_path_locations(void **state)
{
   proves("VME-144", "VME-145");
   assert_int_equal(facts_layout("VME_SEARCH_PATH_LUT_STATE")->length_dw, 32);
   for (unsigned d = 0; d <= 13; d++)
      for (unsigned b = 0; b < 4; b++) {
         char name[40];
         snprintf(name, sizeof(name), "Search Path Location %u", 4 * d + b);
         check_byte(name, d, b);
      }
}

/* LUT_MbMode[9] and [8] of two sets in DW14 and DW15; each set has four dwords from DW16 on: two of
 * LUT_MbMode[0..7], two of LUT_MV[0..7]. */
static void
cost_tables(void **state)
{
   proves("VME-144", "VME-149");
   for (unsigned set = 0; set < 4; set++)
      for (unsigned i = 0; i < 10; i++) {
         char name[40];
         snprintf(name, sizeof(name), "Set %u LUT_MbMode %u", set, i);
         if (i < 8)
            check_byte(name, 16 + 4 * set + i / 4, i % 4);
         else
            check_byte(name, 14 + set / 2, set % 2 * 2 + i - 8);
         snprintf(name, sizeof(name), "Set %u LUT_MV %u", set, i);
         if (i < 8)
            check_byte(name, 18 + 4 * set + i / 4, i % 4);
      }
}

/* LUT_MbMode[8] and [9], of each set: a byte in which the base is bits 3:0 and the shift those
 * above (of [9] the sign is bit 7). */
static void
last_modes(void **state)
{
   proves("VME-147", "VME-148");
   const struct hw_layout *l = facts_layout("VME_SEARCH_PATH_LUT_STATE");
   for (unsigned set = 0; set < 4; set++)
      for (unsigned i = 8; i < 10; i++) {
         char name[40];
         snprintf(name, sizeof(name), "Set %u LUT_MbMode %u", set, i);
         unsigned byte = set % 2 * 2 + i - 8;
         check_byte(name, 14 + set / 2, byte);
         uint32_t dw[32];
         memset(dw, 0xff, sizeof(dw));
         dw[14 + set / 2] = ~(0xb5u << 8 * byte); /* 0x4a between ones */
         uint64_t value = hw_field_get(find(l, name), dw, 32);
         assert_int_equal(i == 8 ? (value & 15) << (value >> 4) : value & 15, i == 8 ? 160 : 10);
         assert_int_equal(value >> 4 & 7, 4);
         assert_int_equal(value >> 7, 0);
      }
}

int
main(void)
{
   struct CMUnitTest tests[N(table) + 4] = {
       cmocka_unit_test(distortions_of_the_slots),
       cmocka_unit_test(search_path_locations),
       cmocka_unit_test(cost_tables),
       cmocka_unit_test(last_modes),
   };
   size_t count = 4;
   count += facts_cases(tests + count, table, N(table));
   return _cmocka_run_group_tests("vme_layouts", tests, count, NULL, NULL);
}
