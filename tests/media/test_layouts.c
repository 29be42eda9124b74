/* Every field of the media commands, descriptors, headers and messages, against the bit positions
 * of the manual, written here a second time. */
#include "stage.h"
#include "tests/facts.h"

static unsigned
named(const struct hw_layout *l)
{
   unsigned n = 0;
   for (unsigned i = 0; i < l->field_count; i++)
      n += l->fields[i].type != HW_MBZ && l->fields[i].type != HW_MBO &&
           l->fields[i].type != HW_IGNORED;
   return n;
}

/* All named fields of the layout are in the table, and stand where it says. */
static void
check(const struct hw_layout *l, const struct place *p, unsigned count)
{
   assert_non_null(l);
   assert_int_equal(named(l), count);
   for (unsigned i = 0; i < count; i++)
      check_place(l, &p[i]);
}

static const struct hw_layout *
check_command(const char *name, uint32_t header, unsigned length, bool variable,
              const struct place *p, unsigned count)
{
   const struct hw_command *c = hw_command_by_name(name, HW_IVB);
   assert_non_null(c);
   assert_ptr_equal(hw_command_find(header, HW_RCS, HW_IVB), c);
   assert_ptr_equal(hw_command_find(header, HW_RCS, HW_VLV), c);
   assert_ptr_not_equal(hw_command_find(header, HW_VCS, HW_IVB),
                        c); /* the video engine has others there */
   assert_int_equal(hw_command_length(c, header), length);
   assert_int_equal(c->layout.length_dw, length);
   assert_int_equal(c->layout.variable, variable);
   check(&c->layout, p, count);
   return &c->layout;
}

static const struct place vfe_state_places[] = {
    {"Scratch Space Base Pointer", 1, 31, 10, "MEDIA-289"},
    {"Per Thread Scratch Space", 1, 3, 0, "MEDIA-290"},
    {"Maximum Number of Threads", 2, 31, 16, "MEDIA-292"},
    {"Number of URB Entries", 2, 15, 8, "MEDIA-293"},
    {"Reset Gateway Timer", 2, 7, 7, "MEDIA-295"},
    {"Bypass Gateway Control", 2, 6, 6, "MEDIA-296"},
    {"Gateway MMIO Access Control", 2, 4, 3, "MEDIA-297"},
    {"GPGPU Mode", 2, 2, 2, "MEDIA-298"},
    {"URB Entry Allocation Size", 4, 31, 16, "MEDIA-300"},
    {"CURBE Allocation Size", 4, 15, 0, "MEDIA-305"},
    {"Scoreboard Enable", 5, 31, 31, "MEDIA-307"},
    {"Scoreboard Type", 5, 30, 30, "MEDIA-308"},
    {"Scoreboard Mask", 5, 7, 0, "MEDIA-309"},
    {"Scoreboard 0 Delta X", 6, 3, 0, "MEDIA-310"},
    {"Scoreboard 0 Delta Y", 6, 7, 4, "MEDIA-310"},
    {"Scoreboard 1 Delta X", 6, 11, 8, "MEDIA-310"},
    {"Scoreboard 1 Delta Y", 6, 15, 12, "MEDIA-310"},
    {"Scoreboard 2 Delta X", 6, 19, 16, "MEDIA-310"},
    {"Scoreboard 2 Delta Y", 6, 23, 20, "MEDIA-310"},
    {"Scoreboard 3 Delta X", 6, 27, 24, "MEDIA-310"},
    {"Scoreboard 3 Delta Y", 6, 31, 28, "MEDIA-310"},
    {"Scoreboard 4 Delta X", 7, 3, 0, "MEDIA-310"},
    {"Scoreboard 4 Delta Y", 7, 7, 4, "MEDIA-310"},
    {"Scoreboard 5 Delta X", 7, 11, 8, "MEDIA-310"},
    {"Scoreboard 5 Delta Y", 7, 15, 12, "MEDIA-310"},
    {"Scoreboard 6 Delta X", 7, 19, 16, "MEDIA-310"},
    {"Scoreboard 6 Delta Y", 7, 23, 20, "MEDIA-310"},
    {"Scoreboard 7 Delta X", 7, 27, 24, "MEDIA-310"},
    {"Scoreboard 7 Delta Y", 7, 31, 28, "MEDIA-310"},
};

static void
vfe_state_fields(void **state)
{
   proves("MEDIA-287", "MEDIA-299", "MEDIA-310", "SF-171");
   (void)state;
   const struct hw_layout *l = check_command("MEDIA_VFE_STATE", 0x70000006, 8, false,
                                             vfe_state_places, N(vfe_state_places));
   assert_int_equal(l->mbz[3], 0xffffffff); /* MEDIA-299 */
   assert_int_equal(l->mbz[1], 0x3f0);
   assert_int_equal(l->mbz[2], 0x23);
   assert_int_equal(l->mbz[5], 0x3fffff00);
   struct hw_media_vfe_state v;
   uint32_t dw[8] = {0x70000006, 0, 0, 0, 0, 0, 0x8000007f, 0};
   gen7_media_vfe_state_unpack(&v, dw);
   assert_int_equal(v.scoreboard_0_delta_x, -1); /* S3 */
   assert_int_equal(v.scoreboard_0_delta_y, 7);
   assert_int_equal(v.scoreboard_3_delta_y, -8);
}

static const struct place load_and_flush_curbe_places[] = {
    {"CURBE Total Data Length", 2, 16, 0, "MEDIA-315"},
    {"CURBE Data Start Address", 3, 31, 0, "MEDIA-316"},
};

static const struct place load_and_flush_id_places[] = {
    {"Interface Descriptor Total Length", 2, 16, 0, "MEDIA-323"},
    {"Interface Descriptor Data Start Address", 3, 31, 0, "MEDIA-324"},
};

static const struct place load_and_flush_flush_places[] = {
    {"Disable Preemption", 1, 8, 8, "MEDIA-355"},
    {"Watermark Required", 1, 6, 6, "MEDIA-356"},
    {"Interface Descriptor Offset", 1, 5, 0, "MEDIA-359"},
};

static void
load_and_flush_fields(void **state)
{
   proves("MEDIA-313", "MEDIA-319", "MEDIA-348", "MEDIA-218");
   (void)state;
   const struct hw_layout *l =
       check_command("MEDIA_CURBE_LOAD", 0x70010002, 4, false, load_and_flush_curbe_places,
                     N(load_and_flush_curbe_places));
   assert_int_equal(l->mbz[1], 0xffffffff);
   assert_int_equal(l->mbz[2], 0xfffe0000);
   l = check_command("MEDIA_INTERFACE_DESCRIPTOR_LOAD", 0x70020002, 4, false,
                     load_and_flush_id_places, N(load_and_flush_id_places));
   assert_int_equal(l->mbz[1], 0xffffffff);
   l = check_command("MEDIA_STATE_FLUSH", 0x70040000, 2, false, load_and_flush_flush_places,
                     N(load_and_flush_flush_places));
   assert_int_equal(l->mbz[1], 0xfffffe80);
}

static const struct place interface_descriptor_places[] = {
    {"Kernel Start Pointer", 0, 31, 6, "MEDIA-327"},
    {"Single Program Flow", 1, 18, 18, "MEDIA-328"},
    {"Thread Priority", 1, 17, 17, "MEDIA-329"},
    {"Floating Point Mode", 1, 16, 16, "MEDIA-330"},
    {"Illegal Opcode Exception Enable", 1, 13, 13, "MEDIA-331"},
    {"MaskStack Exception Enable", 1, 11, 11, "MEDIA-332"},
    {"Software Exception Enable", 1, 7, 7, "MEDIA-333"},
    {"Sampler State Pointer", 2, 31, 5, "MEDIA-334"},
    {"Sampler Count", 2, 4, 2, "MEDIA-335"},
    {"Binding Table Pointer", 3, 15, 5, "MEDIA-336"},
    {"Binding Table Entry Count", 3, 4, 0, "MEDIA-337"},
    {"Constant URB Entry Read Length", 4, 31, 16, "MEDIA-338"},
    {"Constant URB Entry Read Offset", 4, 15, 0, "MEDIA-339"},
    {"Rounding Mode", 5, 23, 22, "MEDIA-342"},
    {"Barrier Enable", 5, 21, 21, "MEDIA-343"},
    {"Shared Local Memory Size", 5, 20, 16, "MEDIA-344"},
    {"Number of Threads in GPGPU Thread Group", 5, 7, 0, "MEDIA-347"},
};

static void
interface_descriptor_fields(void **state)
{
   proves("MEDIA-326", "MEDIA-335", "MEDIA-338", "MEDIA-339", "MEDIA-341", "MEDIA-344",
          "MEDIA-345");
   (void)state;
   const struct hw_layout *l = hw_struct_by_name("INTERFACE_DESCRIPTOR_DATA");
   check(l, interface_descriptor_places, N(interface_descriptor_places));
   assert_int_equal(l->length_dw, 8);
   assert_int_equal(l->mbz[5],
                    0xff00ff00); /* MEDIA-341 and MEDIA-345: both barrier return fields */
   assert_int_equal(l->mbz[6], 0xffffffff);
   assert_int_equal(l->mbz[7], 0xffffffff);
   const struct hw_field *slm = find(l, "Shared Local Memory Size");
   assert_true(slm->closed);
   for (unsigned i = 0; i < slm->value_count; i++)
      assert_int_equal(slm->values[i].value & (slm->values[i].value - 1), 0);
   assert_int_equal(slm->values[slm->value_count - 1].value, 16);
   assert_int_equal(find(l, "Sampler Count")->max, 4);
   assert_int_equal(find(l, "Constant URB Entry Read Length")->max, 63);
   assert_int_equal(find(l, "Constant URB Entry Read Offset")->max, 2015);
}

static const struct place media_object_places[] = {
    {"Interface Descriptor Offset", 1, 5, 0, "MEDIA-365"},
    {"Children Present", 2, 31, 31, "MEDIA-366"},
    {"Thread Synchronization", 2, 24, 24, "MEDIA-367"},
    {"Use Scoreboard", 2, 21, 21, "MEDIA-368"},
    {"Half Slice Destination Select", 2, 18, 17, "MEDIA-369"},
    {"Indirect Data Length", 2, 16, 0, "MEDIA-371"},
    {"Indirect Data Start Address", 3, 31, 0, "MEDIA-372"},
    {"Scoreboard Y", 4, 24, 16, "MEDIA-373"},
    {"Scoreboard X", 4, 8, 0, "MEDIA-373"},
    {"Scoreboard Color", 5, 19, 16, "MEDIA-373"},
    {"Scoreboard Mask", 5, 7, 0, "MEDIA-374"},
};

static void
media_object_fields(void **state)
{
   proves("MEDIA-360", "MEDIA-375", "MEDIA-456", "MEDIA-370");
   (void)state;
   const struct hw_layout *l = check_command("MEDIA_OBJECT", 0x71000004, 6, true,
                                             media_object_places, N(media_object_places));
   assert_string_equal(l->tail, "Inline Data");
   assert_int_equal(l->mbz[2], 0x7ed80000); /* MEDIA-370: bits 20:19 among them */
   /* MEDIA-456: the length has 16 bits in these classes; sub opcodes that are not listed do not
    * exist. */
   assert_int_equal(hw_command_length(hw_command_find(0x710001fc, HW_RCS, HW_IVB), 0x710001fc),
                    510);
   static const uint16_t known[] = {0x7000, 0x7001, 0x7002, 0x7004, 0x7100,
                                    0x7102, 0x7103, 0x7104, 0x7105};
   for (uint32_t head = 0x7000; head < 0x7800; head++) {
      bool listed = false;
      for (unsigned i = 0; i < N(known); i++)
         listed |= known[i] == head;
      assert_int_equal(hw_command_find(head << 16, HW_RCS, HW_IVB) != NULL, listed);
   }
}

static void
prt_fields(void **state)
{
   proves("MEDIA-376", "MEDIA-381", "MEDIA-382", "MEDIA-383", "MEDIA-384", "MEDIA-385");
   (void)state;
   static const struct place p[] = {
       {"Interface Descriptor Offset", 1, 5, 0, "MEDIA-381"},
       {"Children Present", 2, 31, 31, "MEDIA-382"},
       {"PRT Fence Needed", 2, 23, 23, "MEDIA-383"},
       {"PRT Fence Type", 2, 22, 22, "MEDIA-384"},
       {"Inline Data 0", 4, 31, 0, "MEDIA-385"},
       {"Inline Data 1", 5, 31, 0, "MEDIA-385"},
       {"Inline Data 2", 6, 31, 0, "MEDIA-385"},
       {"Inline Data 3", 7, 31, 0, "MEDIA-385"},
       {"Inline Data 4", 8, 31, 0, "MEDIA-385"},
       {"Inline Data 5", 9, 31, 0, "MEDIA-385"},
       {"Inline Data 6", 10, 31, 0, "MEDIA-385"},
       {"Inline Data 7", 11, 31, 0, "MEDIA-385"},
       {"Inline Data 8", 12, 31, 0, "MEDIA-385"},
       {"Inline Data 9", 13, 31, 0, "MEDIA-385"},
       {"Inline Data 10", 14, 31, 0, "MEDIA-385"},
       {"Inline Data 11", 15, 31, 0, "MEDIA-385"},
   };
   const struct hw_layout *l = check_command("MEDIA_OBJECT_PRT", 0x7102000e, 16, false, p, N(p));
   assert_int_equal(l->mbz[2], 0x7f3fffff);
   assert_int_equal(l->mbz[3], 0xffffffff);
}

static const struct place media_walker_places[] = {
    {"Interface Descriptor Offset", 1, 5, 0, "MEDIA-393"},
    {"Children Present", 2, 31, 31, "MEDIA-394"},
    {"Thread Synchronization", 2, 24, 24, "MEDIA-395"},
    {"Use Scoreboard", 2, 21, 21, "MEDIA-396"},
    {"Indirect Data Length", 2, 16, 0, "MEDIA-397"},
    {"Indirect Data Start Address", 3, 31, 0, "MEDIA-398"},
    {"Scoreboard Mask", 5, 7, 0, "MEDIA-399"},
    {"Dual Mode", 6, 31, 31, "MEDIA-400"},
    {"Repel", 6, 30, 30, "MEDIA-401"},
    {"Color Count Minus One", 6, 27, 24, "MEDIA-402"},
    {"Middle Loop Extra Steps", 6, 20, 16, "MEDIA-404"},
    {"Local Mid Loop Unit Y", 6, 13, 12, "MEDIA-405"},
    {"Mid Loop Unit X", 6, 9, 8, "MEDIA-405"},
    {"Global Loop Exec Count", 7, 25, 16, "MEDIA-406"},
    {"Local Loop Exec Count", 7, 9, 0, "MEDIA-406"},
    {"Block Resolution Y", 8, 24, 16, "MEDIA-408"},
    {"Block Resolution X", 8, 8, 0, "MEDIA-408"},
    {"Local Start Y", 9, 24, 16, "MEDIA-409"},
    {"Local Start X", 9, 8, 0, "MEDIA-409"},
    {"Local End Y", 10, 24, 16, "MEDIA-410"},
    {"Local End X", 10, 8, 0, "MEDIA-410"},
    {"Local Outer Loop Stride Y", 11, 25, 16, "MEDIA-411"},
    {"Local Outer Loop Stride X", 11, 9, 0, "MEDIA-411"},
    {"Local Inner Loop Unit Y", 12, 25, 16, "MEDIA-412"},
    {"Local Inner Loop Unit X", 12, 9, 0, "MEDIA-412"},
    {"Global Resolution Y", 13, 24, 16, "MEDIA-413"},
    {"Global Resolution X", 13, 8, 0, "MEDIA-413"},
    {"Global Start Y", 14, 25, 16, "MEDIA-414"},
    {"Global Start X", 14, 9, 0, "MEDIA-414"},
    {"Global Outer Loop Stride Y", 15, 25, 16, "MEDIA-415"},
    {"Global Outer Loop Stride X", 15, 9, 0, "MEDIA-415"},
    {"Global Inner Loop Unit Y", 16, 25, 16, "MEDIA-416"},
    {"Global Inner Loop Unit X", 16, 9, 0, "MEDIA-416"},
};

static void
media_walker_fields(void **state)
{
   proves("MEDIA-386", "MEDIA-405", "MEDIA-412", "MEDIA-414", "MEDIA-417");
   (void)state;
   const struct hw_layout *l = check_command("MEDIA_OBJECT_WALKER", 0x7103000f, 17, true,
                                             media_walker_places, N(media_walker_places));
   assert_string_equal(l->tail, "Inline Data");
   for (unsigned i = 8; i < 17; i++) /* unlisted bits are reserved */
      assert_int_equal(l->mbz[i], i == 8 || i == 9 || i == 10 || i == 13 ? 0xfe00fe00 : 0xfc00fc00);
   struct hw_media_object_walker w;
   uint32_t dw[17] = {0x7103000f};
   dw[6] = 2u << 12 | 1u << 8;     /* S1: -2 and 1 */
   dw[12] = 0x3ffu << 16 | 0x200u; /* S9: -1 and -512 */
   dw[14] = 0x1ffu << 16 | 0x3fcu;
   gen7_media_object_walker_unpack(&w, dw);
   assert_int_equal(w.local_mid_loop_unit_y, -2);
   assert_int_equal(w.mid_loop_unit_x, 1);
   assert_int_equal(w.local_inner_loop_unit_y, -1);
   assert_int_equal(w.local_inner_loop_unit_x, -512);
   assert_int_equal(w.global_start_y, 511);
   assert_int_equal(w.global_start_x, -4);
}

static const struct place gpgpu_object_places[] = {
    {"Predicate Enable", 0, 8, 8, "MEDIA-421"},
    {"Shared Local Memory Fixed Offset", 1, 7, 7, "MEDIA-423"},
    {"Interface Descriptor Offset", 1, 5, 0, "MEDIA-424"},
    {"Shared Local Memory Offset", 2, 31, 28, "MEDIA-425"},
    {"End of Thread Group", 2, 24, 24, "MEDIA-426"},
    {"Half Slice Destination Select", 2, 18, 17, "MEDIA-427"},
    {"Indirect Data Length", 2, 16, 0, "MEDIA-429"},
    {"Indirect Data Start Address", 3, 31, 0, "MEDIA-430"},
    {"Thread Group ID X", 4, 31, 0, "MEDIA-431"},
    {"Thread Group ID Y", 5, 31, 0, "MEDIA-431"},
    {"Thread Group ID Z", 6, 31, 0, "MEDIA-431"},
    {"Execution Mask", 7, 31, 0, "MEDIA-432"},
};

static void
gpgpu_object_fields(void **state)
{
   proves("MEDIA-419");
   (void)state;
   const struct hw_layout *l = check_command("GPGPU_OBJECT", 0x71040006, 8, false,
                                             gpgpu_object_places, N(gpgpu_object_places));
   assert_int_equal(l->mbz[2], 0x0ef80000);
   assert_int_equal(l->mbz[0], 0xfe00);
}

static void
gpgpu_walker_fields(void **state)
{
   proves("MEDIA-434", "MEDIA-436", "MEDIA-437", "MEDIA-439", "MEDIA-440", "MEDIA-441", "MEDIA-443",
          "MEDIA-444", "MEDIA-445", "MEDIA-447");
   (void)state;
   static const struct place p[] = {
       {"Indirect Parameter Enable", 0, 10, 10, "MEDIA-436"},
       {"Predicate Enable", 0, 8, 8, "MEDIA-437"},
       {"Interface Descriptor Offset", 1, 5, 0, "MEDIA-439"},
       {"SIMD Size", 2, 31, 30, "MEDIA-440"},
       {"Thread Depth Counter Maximum", 2, 21, 16, "MEDIA-441"},
       {"Thread Height Counter Maximum", 2, 13, 8, "MEDIA-441"},
       {"Thread Width Counter Maximum", 2, 5, 0, "MEDIA-441"},
       {"Thread Group ID Starting X", 3, 31, 0, "MEDIA-443"},
       {"Thread Group ID X Dimension", 4, 31, 0, "MEDIA-445"},
       {"Thread Group ID Starting Y", 5, 31, 0, "MEDIA-443"},
       {"Thread Group ID Y Dimension", 6, 31, 0, "MEDIA-445"},
       {"Thread Group ID Starting Z", 7, 31, 0, "MEDIA-444"},
       {"Thread Group ID Z Dimension", 8, 31, 0, "MEDIA-445"},
       {"Right Execution Mask", 9, 31, 0, "MEDIA-447"},
       {"Bottom Execution Mask", 10, 31, 0, "MEDIA-447"},
   };
   const struct hw_layout *l = check_command("GPGPU_WALKER", 0x71050009, 11, false, p, N(p));
   assert_int_equal(l->mbz[0], 0xfa00);
   assert_int_equal(l->mbz[2], 0x3fc0c0c0);
   assert_int_equal(find(l, "SIMD Size")->value_count, 3);
}

static const struct place root_header_root_places[] = {
    {"Scoreboard Mask", 0, 31, 24, "MEDIA-234"},
    {"URB Handle", 0, 15, 0, "MEDIA-235"},
    {"Scoreboard Y", 1, 24, 16, "MEDIA-233"},
    {"Scoreboard X", 1, 8, 0, "MEDIA-233"},
    {"Interface Descriptor Offset", 2, 9, 4, "MEDIA-231"},
    {"Scoreboard Color", 2, 3, 0, "MEDIA-232"},
    {"Sampler State Pointer", 3, 31, 5, "MEDIA-228"},
    {"Per Thread Scratch Space", 3, 3, 0, "MEDIA-229"},
    {"Binding Table Pointer", 4, 31, 5, "MEDIA-227"},
    {"Scratch Space Pointer", 5, 31, 10, "MEDIA-225"},
    {"FFTID", 5, 7, 0, "MEDIA-226"},
};

static const struct place root_header_prt_places[] = {
    {"URB Handle", 0, 15, 0, NULL},
    {"Interface Descriptor Offset", 2, 9, 4, "MEDIA-243"},
    {"Thread Restart Enable", 2, 0, 0, "MEDIA-242"},
    {"Sampler State Pointer", 3, 31, 5, NULL},
    {"Per Thread Scratch Space", 3, 3, 0, NULL},
    {"Binding Table Pointer", 4, 31, 5, NULL},
    {"Scratch Space Pointer", 5, 31, 10, NULL},
    {"FFTID", 5, 7, 0, NULL},
};

static void
root_header_fields(void **state)
{
   proves("MEDIA-224", "MEDIA-230", "MEDIA-236", "MEDIA-241", "MEDIA-219");
   (void)state;
   const struct hw_layout *l = hw_struct_by_name("R0 Generic Root");
   check(l, root_header_root_places, N(root_header_root_places));
   assert_int_equal(l->mbz[2], 0xfffffc00); /* MEDIA-230 and MEDIA-236: no barrier fields here */
   assert_int_equal(l->mbz[1], 0xfe00fe00);
   l = hw_struct_by_name("R0 Persistent Root");
   check(l, root_header_prt_places, N(root_header_prt_places));
   assert_int_equal(l->mbz[1], 0xffffffff);
   assert_int_equal(l->mbz[2], 0xfffffc0e);
}

static void
gpgpu_header_fields(void **state)
{
   proves("MEDIA-248", "MEDIA-249", "MEDIA-250", "MEDIA-251", "MEDIA-252", "MEDIA-253", "MEDIA-254",
          "MEDIA-256", "MEDIA-257");
   (void)state;
   static const struct place p[] = {
       {"Shared Local Memory Index", 0, 27, 24, "MEDIA-257"},
       {"URB Handle", 0, 15, 0, NULL},
       {"Thread Group ID X", 1, 31, 0, "MEDIA-249"},
       {"Barrier Enable", 2, 29, 29, "MEDIA-252"},
       {"SLM Enable", 2, 28, 28, "MEDIA-252"},
       {"BarrierID", 2, 27, 24, "MEDIA-253"},
       {"Dispatch Key", 2, 23, 16, "MEDIA-254"},
       {"Interface Descriptor Offset", 2, 9, 4, "MEDIA-248"},
       {"Sampler State Pointer", 3, 31, 5, NULL},
       {"Per Thread Scratch Space", 3, 3, 0, "MEDIA-251"},
       {"Binding Table Pointer", 4, 31, 5, "MEDIA-248"},
       {"Scratch Space Pointer", 5, 31, 10, "MEDIA-250"},
       {"FFTID", 5, 7, 0, "MEDIA-250"},
       {"Thread Group ID Y", 6, 31, 0, "MEDIA-249"},
       {"Thread Group ID Z", 7, 31, 0, "MEDIA-249"},
   };
   const struct hw_layout *l = hw_struct_by_name("R0 GPGPU");
   check(l, p, N(p));
   assert_int_equal(l->mbz[4], 0x1f); /* MEDIA-256 */
}

static const struct place spawn_message_d_places[] = {
    {"Resource Select", 0, 4, 4, "MEDIA-270"},
    {"Requester Type", 0, 1, 1, "MEDIA-272"},
    {"Opcode", 0, 0, 0, "MEDIA-273"},
};

static const struct place spawn_message_places[] = {
    {"Dispatch URB Handle", 0, 15, 0, "MEDIA-281"},
    {"Shared Local Memory Index", 0, 27, 24, "MEDIA-280"},
    {"Scoreboard Color", 2, 3, 0, "MEDIA-279"},
    {"Interface Descriptor Offset", 2, 9, 4, "MEDIA-279"},
    {"BarrierID", 2, 27, 24, "MEDIA-278"},
    {"URB Handle Offset", 4, 9, 0, "MEDIA-277"},
    {"Dispatch URB Length", 4, 15, 10, "MEDIA-276"},
    {"FFTID", 5, 7, 0, "MEDIA-275"},
};

static void
spawn_message_fields(void **state)
{
   proves("MEDIA-269", "MEDIA-274");
   (void)state;
   const struct hw_layout *l = hw_struct_by_name("Thread Spawn Message Descriptor");
   check(l, spawn_message_d_places, N(spawn_message_d_places));
   assert_int_equal(l->mbz[0], 0x000fffec);
   l = hw_struct_by_name("Thread Spawn Message Payload");
   check(l, spawn_message_places, N(spawn_message_places));
   assert_int_equal(l->mbz[0], 0x00ff0000);
}

/* What is above is illegal. */
static void
assert_most(const struct hw_layout *l, const char *name, int max)
{
   const struct hw_field *f = find(l, name);
   assert_true(f->has_max);
   assert_int_equal(f->max, max);
}

static void
gateway_opening_fields(void **state)
{
   proves("SF-010", "SF-012", "SF-013", "SF-023", "SF-028", "SF-029", "SF-036", "SFV-083",
          "SFV-094", "SFV-101");
   (void)state;
   static const struct place d[] = {
       {"Notify", 0, 16, 15, "SF-012"},
       {"AckReq", 0, 14, 14, "SF-013"},
       {"SubFuncID", 0, 2, 0, "SF-023"},
   };
   const struct hw_layout *l = hw_struct_by_name("Gateway Message Descriptor");
   check(l, d, N(d));
   assert_int_equal(l->mbz[0], 1u << 19 | 0x3ff8);
   assert_most(l, "Notify", 2);    /* 3 is reserved */
   assert_most(l, "SubFuncID", 6); /* and 7 */
   static const struct place open[] = {
       {"RegBase", 5, 28, 21, "SF-029"},
       {"Gateway Size", 5, 10, 8, NULL},
       {"Dispatch ID", 5, 7, 0, NULL},
   };
   l = hw_struct_by_name("OpenGateway Payload");
   check(l, open, N(open));
   assert_most(l, "RegBase", 127);
   assert_int_equal(l->mbz[4], 0xffffffff);
   assert_int_equal(l->mbz[5], 0xe01ff800);
   static const struct place closing[] = {{"Dispatch ID", 5, 7, 0, NULL}};
   check(hw_struct_by_name("CloseGateway Payload"), closing, N(closing));
}

static void
gateway_forward_fields(void **state)
{
   proves("SF-032", "SF-042", "SF-043", "SF-044", "SF-047", "SFV-112");
   (void)state;
   static const struct place forward[] = {
       {"Data 0", 0, 31, 0, NULL},
       {"Data 1", 1, 31, 0, NULL},
       {"Data 2", 2, 31, 0, NULL},
       {"Data 3", 3, 31, 0, NULL},
       {"HSID", 4, 28, 28, NULL},
       {"EUID", 4, 27, 24, NULL},
       {"TID", 4, 18, 16, NULL},
       {"Key", 4, 15, 0, "SF-032"},
       {"Register Offset", 5, 28, 21, "SF-043"},
       {"DWord Offset", 5, 20, 18, "SF-043"},
       {"Byte Offset", 5, 17, 16, "SF-044"},
       {"Length", 5, 10, 8, NULL},
       {"Dispatch ID", 5, 7, 0, NULL},
   };
   const struct hw_layout *l = hw_struct_by_name("ForwardMsg Payload");
   check(l, forward, N(forward));
   assert_int_equal(l->mbz[5], 0xe000f800);
   assert_most(l, "Register Offset", 127);
}

static void
gateway_other_fields(void **state)
{
   proves("SF-008", "SF-057", "SF-069", "SF-070", "SF-080", "SFV-115", "SFV-117");
   (void)state;
   static const struct place stamp[] = {
       {"Return to High GRF", 5, 31, 31, NULL},
       {"Dispatch ID", 5, 7, 0, NULL},
   };
   check(hw_struct_by_name("GetTimeStamp Payload"), stamp, N(stamp));
   static const struct place barrier[] = {
       {"BarrierID", 2, 27, 24, NULL},
       {"Barrier Count Enable", 2, 15, 15, "SF-070"},
       {"Barrier Count", 2, 14, 9, "SF-070"},
   };
   check(hw_struct_by_name("BarrierMsg Payload"), barrier, N(barrier));
   static const struct place update[] = {
       {"Barrier Byte", 0, 7, 0, NULL},
       {"BarrierID", 2, 27, 24, NULL},
   };
   check(hw_struct_by_name("UpdateGatewayState Payload"), update, N(update));
   static const struct place mmio[] = {
       {"Write Data", 0, 31, 0, NULL},
       {"MMIO Address", 2, 22, 2, NULL},
       {"Write", 3, 0, 0, NULL},
   };
   check(hw_struct_by_name("MMIOReadWrite Payload"), mmio, N(mmio));
}

static void
urb_message_fields(void **state)
{
   proves("SF-105", "SF-107", "SF-109", "SF-110", "SF-111", "SF-113", "SFV-038", "SFV-048",
          "SFV-072");
   (void)state;
   static const struct place d[] = {
       {"Per Slot Offset", 0, 16, 16, "SF-107"}, {"Complete", 0, 15, 15, "SF-109"},
       {"Swizzle Control", 0, 14, 14, "SF-110"}, {"Global Offset", 0, 13, 3, "SF-111"},
       {"URB Opcode", 0, 2, 0, "SF-113"},
   };
   const struct hw_layout *l = hw_struct_by_name("URB Message Descriptor");
   check(l, d, N(d));
   assert_int_equal(l->mbo[0], 1u << 19);
   assert_int_equal(find(l, "URB Opcode")->value_count, 6);
   assert_most(l, "URB Opcode", 5);
}

static void
urb_header_fields(void **state)
{
   proves("SF-116", "SF-117", "SF-118", "SF-119", "SF-121", "SF-123", "SF-124", "SF-125", "SF-143");
   (void)state;
   static const struct place h[] = {
       {"URB Handle 0", 0, 15, 0, "SF-125"},
       {"Handle ID 0", 0, 31, 16, "SF-125"},
       {"URB Handle 1", 1, 15, 0, "SF-125"},
       {"Handle ID 1", 1, 31, 16, "SF-125"},
       {"GS Number of Output Vertices Slot 0", 2, 15, 0, "SF-124"},
       {"GS Number of Output Vertices Slot 1", 2, 31, 16, "SF-124"},
       {"Slot 0 Offset", 3, 31, 0, "SF-123"},
       {"Slot 1 Offset", 4, 31, 0, "SF-121"},
       {"Cull Test DWord Enables", 5, 7, 0, "SF-116"},
       {"Channel Mask", 5, 15, 8, "SF-119"},
       {"High OWORD Enable", 5, 16, 16, "SF-118"},
   };
   check(hw_struct_by_name("URB Message Header"), h, N(h));
   static const struct place a[] = {{"URB Handle", 0, 15, 0, NULL},
                                    {"Source0 Data", 2, 31, 0, NULL}};
   check(hw_struct_by_name("URB Atomic Header"), a, N(a));
}

/* Fields that a table gives a row of the ledger, in the layout of that name. */
static const struct layout_table {
   const char *layout;
   const struct place *places;
   unsigned count;
} layout_tables[] = {
    {"MEDIA_VFE_STATE", vfe_state_places, N(vfe_state_places)},
    {"MEDIA_CURBE_LOAD", load_and_flush_curbe_places, N(load_and_flush_curbe_places)},
    {"MEDIA_INTERFACE_DESCRIPTOR_LOAD", load_and_flush_id_places, N(load_and_flush_id_places)},
    {"MEDIA_STATE_FLUSH", load_and_flush_flush_places, N(load_and_flush_flush_places)},
    {"INTERFACE_DESCRIPTOR_DATA", interface_descriptor_places, N(interface_descriptor_places)},
    {"MEDIA_OBJECT", media_object_places, N(media_object_places)},
    {"MEDIA_OBJECT_WALKER", media_walker_places, N(media_walker_places)},
    {"GPGPU_OBJECT", gpgpu_object_places, N(gpgpu_object_places)},
    {"R0 Generic Root", root_header_root_places, N(root_header_root_places)},
    {"R0 Persistent Root", root_header_prt_places, N(root_header_prt_places)},
    {"Thread Spawn Message Descriptor", spawn_message_d_places, N(spawn_message_d_places)},
    {"Thread Spawn Message Payload", spawn_message_places, N(spawn_message_places)},
};

/* What the rows say beyond the places: lengths, ranges, codes, and bits that are zero. */
static const struct facts facts[] = {
    {"MEDIA-218", "GFX Header", 1,
     "Subtype 0[28:27] (Common=0|Single DWord=1|Media=2|3D=3); Opcode 0[26:24]; Sub Opcode "
     "0[23:16];"},
    {"MEDIA-218", "Media Header", 1, "DWord Length 0[15:0];"},
    {"MEDIA-225", "R0 Persistent Root", 8, "Scratch Space Pointer 5[31:10]; MBZ 5[9:8];"},
    {"MEDIA-226", "R0 Persistent Root", 8, "FFTID 5[7:0]; MBZ 5[9:8];"},
    {"MEDIA-227", "R0 Persistent Root", 8, "Binding Table Pointer 4[31:5]; MBZ 4[4:0];"},
    {"MEDIA-228", "R0 Persistent Root", 8, "Sampler State Pointer 3[31:5]; MBZ 3[4];"},
    {"MEDIA-229", "R0 Persistent Root", 8, "Per Thread Scratch Space 3[3:0]; MBZ 3[4];"},
    {"MEDIA-235", "R0 Persistent Root", 8, "URB Handle 0[15:0]; MBZ 0[31:16];"},
    {"MEDIA-235", "R0 GPGPU", 8, "URB Handle 0[15:0]; MBZ 0[23:16];"},
    {"MEDIA-239", "R0 GPGPU", 8, "Sampler State Pointer 3[31:5]; MBZ 3[4];"},
    {"MEDIA-248", "R0 GPGPU", 8, "MBZ 5[9:8]; MBZ 3[4]; MBZ 2[31:30];"},
    {"MEDIA-290", "MEDIA_VFE_STATE", 8, "Per Thread Scratch Space 1[3:0] <=11; MBZ 1[9:4];"},
    {"MEDIA-293", "MEDIA_VFE_STATE", 8, "Number of URB Entries 2[15:8] <=64;"},
    {"MEDIA-297", "MEDIA_VFE_STATE", 8,
     "Gateway MMIO Access Control 2[4:3] {No MMIO Access=0|Any Address=2};"},
    {"MEDIA-298", "MEDIA_VFE_STATE", 8, "GPGPU Mode 2[2]; MBZ 2[1:0];"},
    {"MEDIA-308", "MEDIA_VFE_STATE", 8, "Scoreboard Type 5[30] (Stalling=0|Non-Stalling=1);"},
    {"MEDIA-310", "MEDIA_VFE_STATE", 8,
     "Scoreboard 0 Delta X 6[3:0] S0; Scoreboard 0 Delta Y 6[7:4] S0; Scoreboard 1 Delta X 6[11:8] "
     "S0; Scoreboard 1 Delta Y 6[15:12] S0; Scoreboard 2 Delta X 6[19:16] S0; Scoreboard 2 Delta Y "
     "6[23:20] S0; Scoreboard 3 Delta X 6[27:24] S0; Scoreboard 3 Delta Y 6[31:28] S0; Scoreboard "
     "4 Delta X 7[3:0] S0; Scoreboard 4 Delta Y 7[7:4] S0; Scoreboard 5 Delta X 7[11:8] S0; "
     "Scoreboard 5 Delta Y 7[15:12] S0; Scoreboard 6 Delta X 7[19:16] S0; Scoreboard 6 Delta Y "
     "7[23:20] S0; Scoreboard 7 Delta X 7[27:24] S0; Scoreboard 7 Delta Y 7[31:28] S0;"},
    {"MEDIA-323", "MEDIA_INTERFACE_DESCRIPTOR_LOAD", 4,
     "Interface Descriptor Total Length 2[16:0] >=32 <=1024; MBZ 2[31:17];"},
    {"MEDIA-359", "MEDIA_STATE_FLUSH", 2, "Interface Descriptor Offset 1[5:0] <=31;"},
    {"MEDIA-330", "INTERFACE_DESCRIPTOR_DATA", 8,
     "Floating Point Mode 1[16] (IEEE-754=0|Alternate=1);"},
    {"MEDIA-335", "INTERFACE_DESCRIPTOR_DATA", 8, "Sampler Count 2[4:2] <=4; MBZ 2[1:0];"},
    {"MEDIA-338", "INTERFACE_DESCRIPTOR_DATA", 8, "Constant URB Entry Read Length 4[31:16] <=63;"},
    {"MEDIA-339", "INTERFACE_DESCRIPTOR_DATA", 8, "Constant URB Entry Read Offset 4[15:0] <=2015;"},
    {"MEDIA-342", "INTERFACE_DESCRIPTOR_DATA", 8,
     "Rounding Mode 5[23:22] (RTNE=0|RU=1|RD=2|RTZ=3);"},
    {"MEDIA-344", "INTERFACE_DESCRIPTOR_DATA", 8,
     "Shared Local Memory Size 5[20:16] {0=0|4 KB=1|8 KB=2|16 KB=4|32 KB=8|64 KB=16};"},
    {"MEDIA-347", "INTERFACE_DESCRIPTOR_DATA", 8,
     "Number of Threads in GPGPU Thread Group 5[7:0] <=64;"},
    {"MEDIA-365", "MEDIA_OBJECT", 6, "Interface Descriptor Offset 1[5:0] <=31; MBZ 1[7:6];"},
    {"MEDIA-369", "MEDIA_OBJECT", 6, "Half Slice Destination Select 2[18:17] <=2;"},
    {"MEDIA-371", "MEDIA_OBJECT", 6, "Indirect Data Length 2[16:0] <=1984;"},
    {"MEDIA-372", "MEDIA_OBJECT", 6, "Indirect Data Start Address 3[31:0] <=0x1fffffff;"},
    {"MEDIA-381", "MEDIA_OBJECT_PRT", 16, "Interface Descriptor Offset 1[5:0] <=31; MBZ 1[31:6];"},
    {"MEDIA-384", "MEDIA_OBJECT_PRT", 16,
     "PRT Fence Type 2[22] (Root Thread Queue=0|VFE State Flush=1); MBZ 2[21:0];"},
    {"MEDIA-393", "MEDIA_OBJECT_WALKER", 17,
     "Interface Descriptor Offset 1[5:0] <=31; MBZ 1[7:6];"},
    {"MEDIA-400", "MEDIA_OBJECT_WALKER", 17, "Dual Mode 6[31];"},
    {"MEDIA-401", "MEDIA_OBJECT_WALKER", 17, "Repel 6[30]; MBZ 6[29:28];"},
    {"MEDIA-405", "MEDIA_OBJECT_WALKER", 17,
     "Local Mid Loop Unit Y 6[13:12] S0; Mid Loop Unit X 6[9:8] S0;"},
    {"MEDIA-406", "MEDIA_OBJECT_WALKER", 17,
     "Global Loop Exec Count 7[25:16]; Local Loop Exec Count 7[9:0]; MBZ 7[31:26]; MBZ 7[15:10];"},
    {"MEDIA-411", "MEDIA_OBJECT_WALKER", 17,
     "Local Outer Loop Stride Y 11[25:16] S0; Local Outer Loop Stride X 11[9:0] S0;"},
    {"MEDIA-412", "MEDIA_OBJECT_WALKER", 17,
     "Local Inner Loop Unit Y 12[25:16] S0; Local Inner Loop Unit X 12[9:0] S0;"},
    {"MEDIA-414", "MEDIA_OBJECT_WALKER", 17,
     "Global Start Y 14[25:16] S0; Global Start X 14[9:0] S0;"},
    {"MEDIA-415", "MEDIA_OBJECT_WALKER", 17,
     "Global Outer Loop Stride Y 15[25:16] S0; Global Outer Loop Stride X 15[9:0] S0;"},
    {"MEDIA-416", "MEDIA_OBJECT_WALKER", 17,
     "Global Inner Loop Unit Y 16[25:16] S0; Global Inner Loop Unit X 16[9:0] S0;"},
    {"MEDIA-419", "GPGPU_OBJECT", 8, "MBZ 0[15:9]; MBZ 1[6]; MBZ 2[27:25]; MBZ 2[23:19];"},
    {"MEDIA-424", "GPGPU_OBJECT", 8, "Interface Descriptor Offset 1[5:0] <=31;"},
    {"MEDIA-427", "GPGPU_OBJECT", 8,
     "Half Slice Destination Select 2[18:17] (Either=0|Half Slice 0=1|Half Slice 1=2) <=2;"},
    {"MEDIA-429", "GPGPU_OBJECT", 8, "Indirect Data Length 2[16:0] <=1984;"},
    {"MEDIA-430", "GPGPU_OBJECT", 8, "Indirect Data Start Address 3[31:0] <=0x1fffffff;"},
    {"MEDIA-434", "GPGPU_WALKER", 11,
     "MBZ 0[15:11]; MBZ 0[9]; MBZ 1[7:6]; MBZ 2[29:22]; MBZ 2[15:14]; MBZ 2[7:6];"},
    {"MEDIA-439", "GPGPU_WALKER", 11, "Interface Descriptor Offset 1[5:0] <=31;"},
    {"MEDIA-440", "GPGPU_WALKER", 11, "SIMD Size 2[31:30] {SIMD8=0|SIMD16=1|SIMD32=2};"},
    {"MEDIA-441", "GPGPU_WALKER", 11,
     "Thread Depth Counter Maximum 2[21:16]; Thread Height Counter Maximum 2[13:8]; Thread Width "
     "Counter Maximum 2[5:0];"},
    {"MEDIA-272", "Thread Spawn Message Descriptor", 1, "Requester Type 0[1] (Root=0|Child=1);"},
    {"MEDIA-273", "Thread Spawn Message Descriptor", 1,
     "Opcode 0[0] (Dereference Resource=0|Spawn Thread=1);"},
};

/* The fields of one row of the ledger: a case. */
struct field_row {
   const struct layout_table *table;
   const char *id;
   char name[64];
};

static void
fields_of_a_row(void **state)
{
   const struct field_row *r = *state;
   proves(r->id);
   const struct hw_command *c = hw_command_by_name(r->table->layout, HW_IVB);
   const struct hw_layout *l = c ? &c->layout : hw_struct_by_name(r->table->layout);
   assert_non_null(l);
   for (unsigned i = 0; i < r->table->count; i++)
      if (r->table->places[i].id && !strcmp(r->table->places[i].id, r->id))
         check_place(l, &r->table->places[i]);
}

static size_t
field_cases(struct CMUnitTest *tests)
{
   static struct field_row rows[128];
   size_t used = 0;
   for (unsigned n = 0; n < N(layout_tables); n++) {
      const struct layout_table *t = &layout_tables[n];
      for (unsigned i = 0; i < t->count && used < N(rows); i++) {
         bool again = !t->places[i].id;
         for (unsigned k = 0; k < i && !again; k++)
            again = t->places[k].id && !strcmp(t->places[k].id, t->places[i].id);
         if (again)
            continue;
         struct field_row *r = &rows[used];
         *r = (struct field_row){.table = t, .id = t->places[i].id};
         snprintf(r->name, sizeof(r->name), "%s: %s", t->layout, r->id);
         tests[used++] =
             (struct CMUnitTest){.name = r->name, .test_func = fields_of_a_row, .initial_state = r};
      }
   }
   return used;
}

int
main(void)
{
   struct CMUnitTest tests[256] = {
       cmocka_unit_test(vfe_state_fields),
       cmocka_unit_test(load_and_flush_fields),
       cmocka_unit_test(interface_descriptor_fields),
       cmocka_unit_test(media_object_fields),
       cmocka_unit_test(prt_fields),
       cmocka_unit_test(media_walker_fields),
       cmocka_unit_test(gpgpu_object_fields),
       cmocka_unit_test(gpgpu_walker_fields),
       cmocka_unit_test(root_header_fields),
       cmocka_unit_test(gpgpu_header_fields),
       cmocka_unit_test(spawn_message_fields),
       cmocka_unit_test(gateway_opening_fields),
       cmocka_unit_test(gateway_forward_fields),
       cmocka_unit_test(gateway_other_fields),
       cmocka_unit_test(urb_message_fields),
       cmocka_unit_test(urb_header_fields),
   };
   size_t count = 16;
   count += field_cases(tests + count);
   count += facts_cases(tests + count, facts, N(facts));
   return _cmocka_run_group_tests("media_layouts", tests, count, NULL, NULL);
}
