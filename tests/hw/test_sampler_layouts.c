/* States, descriptors and payloads of the sampler, against the bits and codes that the rows name.
 */
#include "gen7_hw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/facts.h"

static const struct facts table[] = {
    {"SMP-175", "SAMPLER_STATE", 4,
     "MBZ 0[30]; MBZ 0[27]; MBZ 1[7:4]; MBZ 2[4:0]; MBZ 3[31:26]; MBZ 3[9]; "
     "Anisotropic Algorithm 0[0] (LEGACY=0|EWA=1); Border Color Pointer 2[31:5]; "
     "ChromaKey Index 3[24:23]; Maximum Anisotropy 3[21:19];"},
    {"SMP-026", "SAMPLER_STATE", 4, "Base Mip Level 0[26:22] U1;"},
    {"SMP-030", "SAMPLER_STATE", 4, "Texture LOD Bias 0[13:1] S8;"},
    {"SMP-032", "SAMPLER_STATE", 4, "LOD PreClamp Enable 0[28]; MBZ 0[27];"},
    {"SMP-076", "SAMPLER_STATE", 4,
     "TCX Address Control Mode 3[8:6] (WRAP=0|MIRROR=1|CLAMP=2|CUBE=3|CLAMP_BORDER=4|"
     "MIRROR_ONCE=5|HALF_BORDER=6); "
     "TCY Address Control Mode 3[5:3]; TCZ Address Control Mode 3[2:0];"},
    {"SMP-081", "SAMPLER_STATE", 4, "ChromaKey Enable 3[25]; ChromaKey Index 3[24:23];"},
    {"SMP-082", "SAMPLER_STATE", 4,
     "ChromaKey Mode 3[22] (KEYFILTER_KILL_ON_ANY_MATCH=0|KEYFILTER_REPLACE_BLACK=1);"},
    {"SMP-174", "SAMPLER_STATE", 4, "Min LOD 1[31:20] U8; Max LOD 1[19:8] U8; MBZ 1[7:4];"},
    {"SMP-177", "SAMPLER_STATE", 4, "Sampler Disable 0[31]; MBZ 0[30];"},
    {"SMP-373", "SAMPLER_STATE", 4, "Texture Border Color Mode 0[29] (DX10/OGL=0|DX9=1);"},
    {"SMP-374", "SAMPLER_STATE", 4,
     "Mip Mode Filter 0[21:20] {NONE=0|NEAREST=1|LINEAR=3}; "
     "Mag Mode Filter 0[19:17] {NEAREST=0|LINEAR=1|ANISOTROPIC=2|MONO=6}; "
     "Min Mode Filter 0[16:14] {NEAREST=0|LINEAR=1|ANISOTROPIC=2|MONO=6};"},
    {"SMP-378", "SAMPLER_STATE", 4, "Trilinear Filter Quality 3[12:11] (FULL=0|MED=2|LOW=3);"},
    {"SMP-379", "SAMPLER_STATE", 4, "Non-normalized Coordinate Enable 3[10]; MBZ 3[9];"},
    {"SMP-384", "SAMPLER_STATE_8X8_MESSAGE", 4,
     "SAMPLER_8x8_STATE Pointer 1[31:5]; MBZ 1[4:0]; ChromaKey Enable 0[18]; "
     "ChromaKey Index 0[17:16];"},
    {"SMP-176", "SAMPLER_STATE_8X8_MESSAGE", 4,
     "MBZ 0[28:19]; MBZ 0[15:8]; MBZ 1[4:0]; MBZ 2[31]; MBZ 2[15:14]; MBZ 2[7:6]; MBZ 3[27]; "
     "MBZ 3[23]; MBZ 3[13:11]; MBZ 3[5];"},
    {"SMP-200", "PALETTE_ENTRY", 1, "Alpha 0[31:24]; Red 0[23:16]; Green 0[15:8]; Blue 0[7:0];"},

    {"SMP-112", "RENDER_SURFACE_STATE", 8,
     "MBZ 0[27]; MBZ 0[9]; MBZ 2[31:30]; MBZ 2[15:14]; MBZ 3[20:18]; MBZ 4[31]; MBZ 5[24]; "
     "Render Cache Read Write Mode 0[8] (write only allocation=0|read write allocation=1); "
     "Multisample Position Palette Index 4[2:0]; Render Target View Extent 4[17:7];"},
    {"SMP-046", "RENDER_SURFACE_STATE", 8, "Surface Min LOD 5[7:4]; MIP Count or LOD 5[3:0];"},
    {"SMP-113", "RENDER_SURFACE_STATE", 8, "Surface Format 0[26:18] !;"},
    {"SMP-249", "RENDER_SURFACE_STATE", 8,
     "Cube Face Enable Negative X 0[5]; Cube Face Enable Positive X 0[4]; "
     "Cube Face Enable Negative Y 0[3]; Cube Face Enable Positive Y 0[2]; "
     "Cube Face Enable Negative Z 0[1]; Cube Face Enable Positive Z 0[0];"},
    {"SMP-337", "RENDER_SURFACE_STATE", 8,
     "Media Boundary Pixel Mode 0[7:6] {NORMAL_MODE=0|PROGRESSIVE_FRAME=2|INTERLACED_FRAME=3};"},
    {"SMP-351", "RENDER_SURFACE_STATE", 8, "Memory Object Control State 5[19:16]; MBZ 5[15:8];"},
    {"SMP-353", "RENDER_SURFACE_STATE", 8,
     "Surface Type 0[31:29] {1D=0|2D=1|3D=2|CUBE=3|BUFFER=4|STRBUF=5|NULL=7};"},
    {"SMP-354", "RENDER_SURFACE_STATE", 8, "Surface Array 0[28]; MBZ 0[27];"},
    {"SMP-356", "RENDER_SURFACE_STATE", 8,
     "Surface Vertical Alignment 0[17:16] {VALIGN_2=0|VALIGN_4=1}; "
     "Surface Horizontal Alignment 0[15] (HALIGN_4=0|HALIGN_8=1);"},
    {"SMP-357", "RENDER_SURFACE_STATE", 8,
     "Tiled Surface 0[14]; Tile Walk 0[13] (XMAJOR=0|YMAJOR=1);"},
    {"SMP-358", "RENDER_SURFACE_STATE", 8,
     "Vertical Line Stride 0[12]; Vertical Line Stride Offset 0[11];"},
    {"SMP-359", "RENDER_SURFACE_STATE", 8,
     "Surface Array Spacing 0[10] (ARYSPC_FULL=0|ARYSPC_LOD0=1); MBZ 0[9];"},
    {"SMP-361", "RENDER_SURFACE_STATE", 8,
     "Height 2[29:16]; Width 2[13:0]; Depth 3[31:21]; MBZ 2[31:30]; MBZ 2[15:14]; MBZ 3[20:18];"},
    {"SMP-365", "RENDER_SURFACE_STATE", 8,
     "Render Target Rotation 4[30:29] (0 degrees=0|90 degrees=1|270 degrees=3); MBZ 4[31];"},
    {"SMP-366", "RENDER_SURFACE_STATE", 8, "Minimum Array Element 4[28:18];"},
    {"SMP-366", "RENDER_SURFACE_STATE_DW4_STRBUF", 1, "Minimum Array Element 0[26:0];"},
    {"SMP-367", "RENDER_SURFACE_STATE", 8,
     "Multisampled Surface Storage Format 4[6] (MSFMT_MSS=0|MSFMT_DEPTH_STENCIL=1); "
     "Number of Multisamples 4[5:3] "
     "(MULTISAMPLECOUNT_1=0|MULTISAMPLECOUNT_4=2|MULTISAMPLECOUNT_8=3);"},
    {"SMP-368", "RENDER_SURFACE_STATE", 8, "X Offset 5[31:25]; Y Offset 5[23:20]; MBZ 5[24];"},
    {"SMP-369", "RENDER_SURFACE_STATE_DW6_PLANAR", 1,
     "X Offset for UV Plane 0[29:16]; Y Offset for UV Plane 0[13:0]; MBZ 0[31:30]; MBZ 0[15:14];"},
    {"SMP-370", "RENDER_SURFACE_STATE", 8,
     "MCS Base Address 6[31:12]; MCS Surface Pitch 6[11:3]; MCS Enable 6[0];"},
    {"SMP-172", "MEDIA_SURFACE_STATE", 8,
     "MBZ 2[26]; MBZ 2[21]; MBZ 3[31:30]; MBZ 3[15:14]; MBZ 4[31:30]; MBZ 4[15]; MBZ 5[31:0]; "
     "MBZ 6[31:0]; MBZ 7[31:0]; Cr Cb Pixel Offset V Direction 1[1:0] U2;"},
    {"SMP-351", "MEDIA_SURFACE_STATE", 8, "Memory Object Control State 2[25:22]; MBZ 2[21];"},
    {"SMP-372", "MEDIA_SURFACE_STATE", 8,
     "Picture Structure 1[3:2] {frame=0|top field=1|bottom field=2}; Surface Format 2[31:28] !; "
     "Half Pitch for Chroma 2[2]; Tile Mode 2[1:0] {LINEAR=0|XMAJOR=2|YMAJOR=3};"},

    {"SMP-208", "SAMPLER_DESCRIPTOR", 1,
     "Header Present 0[19]; SIMD Mode 0[18:17] (SIMD4x2=0|SIMD8=1|SIMD16=2|SIMD32 64=3); "
     "Message Type 0[16:12]; Sampler Index 0[11:8]; Binding Table Index 0[7:0];"},
    {"SMP-209", "SAMPLER_DESCRIPTOR", 1, "Header Present 0[19]; SIMD Mode 0[18:17];"},
    {"SMP-211", "SAMPLER_DESCRIPTOR", 1, "Sampler Index 0[11:8];"},
    {"SMP-231", "SAMPLER_DESCRIPTOR", 1,
     "Message Type 0[16:12] (sample=0|sample_b=1|sample_l=2|sample_c=3|sample_d=4|sample_b_c=5|"
     "sample_l_c=6|ld=7|gather4=8|LOD=9|resinfo=10|sampleinfo=11|sample_killpix=12|gather4_c=16|"
     "gather4_po=17|gather4_po_c=18|sample_d_c=20|ld_mcs=29|ld2dms=30|ld2dss=31);"},
    {"SMP-214", "SAMPLER_HEADER", 8,
     "MBZ 4[31:0]; MBZ 5[4:0]; MBZ 2[23]; "
     "Gather4 Source Channel 2[17:16] (Red=0|Green=1|Blue=2|Alpha=3); "
     "Alpha Write Channel Mask 2[15]; Blue Write Channel Mask 2[14]; "
     "Green Write Channel Mask 2[13]; Red Write Channel Mask 2[12]; U Offset 2[11:8] S0; "
     "V Offset 2[7:4] S0; R Offset 2[3:0] S0;"},
    {"SMP-485", "SAMPLER_WIDE_PAYLOAD", 8,
     "Delta U 0[31:0]; U 2nd Derivative 1[31:0]; Pixel 0 U 2[31:0]; Delta V 5[31:0]; "
     "Pixel 0 V 6[31:0];"},
    {"SMP-485", "DEINTERLACE_BLOCK", 8, "X 2[11:0]; Y 6[10:0];"},
    {"SMP-486", "SAMPLER_WIDE_MEDIA_PAYLOAD", 8,
     "Vertical Block Number 1[15:0]; Pixel 0 U 2[31:0]; Pixel 0 V 3[31:0]; Delta U 4[31:0]; "
     "Delta V 5[31:0]; U 2nd Derivative 6[31:0]; Group ID Number 7[31:0];"},
    {"SMP-493", "DEINTERLACE_STATISTICS", 8,
     "Y 7[31:16]; X 7[15:0]; STAD 0 to 3 6[31:0]; SHCM 0 to 3 5[31:0]; SVCM 0 to 3 4[31:0]; "
     "Diff cTpT 3[31:16]; Diff cBpB 3[15:0]; Diff cTcB 2[31:16]; Diff cTpB 2[15:0]; "
     "Diff cBpT 1[31:16]; Motion Count 1[15:8]; Block Noise Estimate 1[7:0]; "
     "Denoise History 0 to 3 0[31:0];"},
    {"SMP-494", "DENOISE_STATISTICS", 8,
     "Y 7[31:16]; X 7[15:0]; STAD 0 to 3 6[31:0]; SHCM 0 to 3 5[31:0]; SVCM 0 to 3 4[31:0]; "
     "MBZ 3[31:0]; Block Noise Estimate 2[7:0]; Denoise History 4 to 7 1[31:0]; "
     "Denoise History 0 to 3 0[31:0];"},
};

/* Haswell's surface state has more in dwords 3 and 7; in the others it is the same. */
static size_t
next_surface_state(struct facts *next)
{
   size_t count = 0;
   for (size_t i = 0; i < N(table); i++)
      if (!strcmp(table[i].layout, "RENDER_SURFACE_STATE") && strcmp(table[i].id, "SMP-112") &&
          strcmp(table[i].id, "SMP-361")) {
         next[count] = table[i];
         next[count++].layout = "RENDER_SURFACE_STATE/2";
      }
   next[count++] = (struct facts){"SMP-361", "RENDER_SURFACE_STATE/2", 8,
                                  "Height 2[29:16]; Width 2[13:0]; Depth 3[31:21]; MBZ 2[31:30]; "
                                  "MBZ 2[15:14]; Surface Pitch 3[17:0];"};
   next[count++] = (struct facts){"SMP-112", "RENDER_SURFACE_STATE/2", 8,
                                  "MBZ 0[27]; MBZ 0[9]; MBZ 4[31]; MBZ 5[24]; MBZ 5[15:8];"};
   return count;
}

/* The next part has one dword for each integer channel behind the floats, from DW16 on. */
static void
border_colour_of_the_next_part(void **state)
{
   proves("SMP-198");
   const struct hw_layout *l = NULL;
   for (size_t i = 0; i < hw_struct_count; i++)
      if (!strcmp(hw_structs[i].name, "SAMPLER_BORDER_COLOR_STATE") &&
          !strcmp(hw_structs[i].ledger, "SMP-198"))
         l = &hw_structs[i];
   assert_non_null(l);
   assert_int_equal(l->length_dw, 20);
   static const struct place p[] = {{"Integer Red", 16, 31, 0, NULL},
                                    {"Integer Green", 17, 31, 0, NULL},
                                    {"Integer Blue", 18, 31, 0, NULL},
                                    {"Integer Alpha", 19, 31, 0, NULL}};
   check_places(l, p, N(p));
}

int
main(void)
{
   static struct facts next[N(table) + 2];
   struct CMUnitTest tests[2 * N(table) + 3] = {
       cmocka_unit_test(border_colour_of_the_next_part),
   };
   size_t count = 1;
   count += facts_cases(tests + count, table, N(table));
   count += facts_cases(tests + count, next, next_surface_state(next));
   return _cmocka_run_group_tests("sampler_layouts", tests, count, NULL, NULL);
}
