/* Fields of the streamers' commands by their names and places: the rows of the ledger, that is the
 * packets of the manual, written down a second time. Fields of one width that change places show
 * here alone. */
#include "layouts.h"
#include "tests/places.h"
#include "tests/proves.h"

/* fields: "dword[high:low] name; …". */
struct command_fields {
   const char *id;
   const char *command;
   unsigned engine;
   uint32_t header;
   const char *fields;
   unsigned length_dw; /* 0: another row has it */
};

/* Commands that a row describes whole. */
static const struct command_fields commands[] = {
    {"RCS-202", "MI_NOOP", HW_RCS, 0x00000000,
     "0[22:22] Identification Number Register Write Enable; 0[21:0] Identification Number", 1},
    {"RCS-203", "MI_ARB_CHECK", HW_RCS, 0x02800000, "", 1},
    {"RCS-204", "MI_ARB_ON_OFF", HW_RCS, 0x04000000, "0[0:0] Arbitration Enable", 1},
    {"RCS-205", "MI_BATCH_BUFFER_START", HW_RCS, 0x18800000,
     "0[11:11] Clear Command Buffer Enable; 0[8:8] Address Space Indicator; 1[31:2] Buffer Start "
     "Address",
     2},
    {"RCS-206", "MI_BATCH_BUFFER_END", HW_RCS, 0x05000000, "", 1},
    {"RCS-207", "MI_CONDITIONAL_BATCH_BUFFER_END", HW_RCS, 0x1b000000,
     "0[22:22] Use Global GTT; 0[21:21] Compare Semaphore; 1[31:0] Compare Data Dword; 2[31:3] "
     "Compare Address",
     3},
    {"RCS-209", "MI_LOAD_REGISTER_IMM", HW_RCS, 0x11000001,
     "0[11:8] Byte Write Disables; 2[31:0] Data DWord", 3},
    {"RCS-210", "MI_LOAD_REGISTER_MEM", HW_RCS, 0x14800001,
     "0[22:22] Use Global GTT; 0[21:21] Async Mode Enable; 2[31:2] Memory Address", 3},
    {"RCS-211", "MI_STORE_REGISTER_MEM", HW_RCS, 0x12000001,
     "0[22:22] Use Global GTT; 2[31:2] Memory Address", 3},
    {"RCS-212", "MI_STORE_DATA_IMM", HW_RCS, 0x10000002,
     "0[22:22] Use Global GTT; 2[31:2] Address; 3[31:0] Data DWord 0", 4},
    {"RCS-213", "MI_STORE_DATA_INDEX", HW_RCS, 0x10800001, "1[11:2] Offset; 2[31:0] Data DWord 0",
     3},
    {"RCS-214", "MI_REPORT_HEAD", HW_RCS, 0x03800000, "", 1},
    {"RCS-215", "MI_SEMAPHORE_MBOX", HW_RCS, 0x0b000001,
     "0[22:22] Use Global GTT; 0[21:21] Update Semaphore; 0[20:20] Compare Semaphore; 0[18:18] "
     "Compare Register; 0[17:16] Register Select; 1[31:0] Semaphore Data Dword; 2[31:2] Semaphore "
     "Address",
     3},
    {"RCS-216", "MI_SUSPEND_FLUSH", HW_RCS, 0x05800000, "0[0:0] Suspend Flush", 1},
    /* The manual's default length is 0: no entry, which the row does not speak of. */
    {"RCS-217", "MI_UPDATE_GTT", HW_RCS, 0x11800000,
     "0[22:22] Use Global GTT; 1[31:12] Entry Address", 2},
    {"RCS-218", "MI_USER_INTERRUPT", HW_RCS, 0x01000000, "", 1},
    {"RCS-219", "MI_WAIT_FOR_EVENT", HW_RCS, 0x01800000,
     "0[22:22] Display Pipe C Horizontal Blank Wait Enable; 0[21:21] Display Pipe C Vertical Blank "
     "Wait Enable; 0[20:20] Display Sprite C Flip Pending Wait Enable; 0[19:16] Condition Code "
     "Wait Select; 0[15:15] Display Plane C Flip Pending Wait Enable; 0[14:14] Display Pipe C Scan "
     "Line Wait Enable; 0[13:13] Display Pipe B Horizontal Blank Wait Enable; 0[11:11] Display "
     "Pipe B Vertical Blank Wait Enable; 0[10:10] Display Sprite B Flip Pending Wait Enable; "
     "0[9:9] Display Plane B Flip Pending Wait Enable; 0[8:8] Display Pipe B Scan Line Wait "
     "Enable; 0[5:5] Display Pipe A Horizontal Blank Wait Enable; 0[3:3] Display Pipe A Vertical "
     "Blank Wait Enable; 0[2:2] Display Sprite A Flip Pending Wait Enable; 0[1:1] Display Plane A "
     "Flip Pending Wait Enable; 0[0:0] Display Pipe A Scan Line Wait Enable",
     1},
    {"RCS-220", "MI_CLFLUSH", HW_RCS, 0x13800001,
     "0[22:22] Use Global GTT; 1[31:12] Page Base Address; 1[11:6] Starting Cacheline Offset; "
     "2[15:0] Page Base Address High",
     3},
    {"RCS-221", "MI_FLUSH", HW_RCS, 0x02000000,
     "0[5:5] Indirect State Pointers Disable; 0[4:4] Generic Media State Clear; 0[3:3] Global "
     "Snapshot Count Reset; 0[2:2] Render Cache Flush Inhibit; 0[1:1] State Instruction Cache "
     "Invalidate",
     1},
    {"RCS-222", "MI_REPORT_PERF_COUNT", HW_RCS, 0x14000001,
     "1[31:6] Memory Address; 1[0:0] Use Global GTT; 2[31:0] Report ID", 3},
    {"RCS-223", "MI_DISPLAY_FLIP", HW_RCS, 0x0a000001,
     "0[22:22] Async Flip Indicator; 0[21:19] Display Plane Select; 1[15:6] Display Buffer Pitch; "
     "1[0:0] Tile Parameter; 2[31:12] Display Buffer Base Address; 2[1:0] Flip Type",
     3},
    {"RCS-059", "MI_SET_CONTEXT", HW_RCS, 0x0c000000,
     "1[31:12] Logical Context Address; 1[3:3] Extended State Save Enable; 1[2:2] Extended State "
     "Restore Enable; 1[1:1] Force Restore; 1[0:0] Restore Inhibit",
     2},
    {"RCS-060", "MI_TOPOLOGY_FILTER", HW_RCS, 0x06800000, "0[5:0] Topology Filter Value", 1},
    {"RCS-064", "MI_PREDICATE", HW_RCS, 0x06000000,
     "0[7:6] Load Operation; 0[4:3] Combine Operation; 0[1:0] Compare Operation", 1},
    {"RCS-067", "MI_URB_CLEAR", HW_RCS, 0x0c800000,
     "1[28:16] URB Clear Length; 1[13:0] URB Address", 2},
    {"RCS-068", "STATE_SIP", HW_RCS, 0x61020000, "1[31:4] System Instruction Pointer", 2},
    {"RCS-069", "STATE_BASE_ADDRESS", HW_RCS, 0x61010008,
     "1[31:12] General State Base Address; 1[11:8] General State Memory Object Control State; "
     "1[7:4] Stateless Data Port Access Memory Object Control State; 1[3:3] Stateless Data Port "
     "Access Force Write Thru; 1[0:0] General State Base Address Modify Enable; "
     "2[31:12] Surface State Base Address; 2[11:8] Surface State Memory Object Control State; "
     "2[0:0] Surface State Base Address Modify Enable; "
     "3[31:12] Dynamic State Base Address; 3[11:8] Dynamic State Memory Object Control State; "
     "3[0:0] Dynamic State Base Address Modify Enable; "
     "4[31:12] Indirect Object Base Address; 4[11:8] Indirect Object Memory Object Control State; "
     "4[0:0] Indirect Object Base Address Modify Enable; "
     "5[31:12] Instruction Base Address; 5[11:8] Instruction Memory Object Control State; "
     "5[0:0] Instruction Base Address Modify Enable; "
     "6[31:12] General State Access Upper Bound; "
     "6[0:0] General State Access Upper Bound Modify Enable; "
     "7[31:12] Dynamic State Access Upper Bound; "
     "7[0:0] Dynamic State Access Upper Bound Modify Enable; "
     "8[31:12] Indirect Object Access Upper Bound; "
     "8[0:0] Indirect Object Access Upper Bound Modify Enable; "
     "9[31:12] Instruction Access Upper Bound; "
     "9[0:0] Instruction Access Upper Bound Modify Enable",
     10},
    {"RCS-162", "STATE_BASE_ADDRESS", HW_RCS, 0x61010008,
     "6[31:12] General State Access Upper Bound; 7[31:12] Dynamic State Access Upper Bound; "
     "8[31:12] Indirect Object Access Upper Bound; 9[31:12] Instruction Access Upper Bound",
     0},
    {"RCS-070", "PIPELINE_SELECT", HW_RCS, 0x69040000, "0[1:0] Pipeline Selection", 1},
    {"RCS-165", "STATE_PREFETCH", HW_RCS, 0x60030000,
     "1[31:6] Prefetch Pointer; 1[2:0] Prefetch Count", 2},
    {"RCS-101", "PIPE_CONTROL", HW_RCS, 0x7a000003,
     "2[31:2] Address; 3[31:0] Immediate Data Low; 4[31:0] Immediate Data High", 5},
    {"VCS-225", "MI_FLUSH_DW", HW_VCS, 0x13000002,
     "0[21:21] Store Data Index; 0[18:18] TLB Invalidate; 0[17:17] Synchronize GFDT surface; "
     "0[15:14] Post-Sync Operation; 0[8:8] Notify Enable; 0[7:7] Video Pipeline Cache Invalidate; "
     "1[31:3] Address; 1[2:2] Destination Address Type; 2[31:0] Immediate Data Low; 3[31:0] "
     "Immediate Data High",
     4},
    {"VCS-243", "MI_LOAD_REGISTER_IMM", HW_VCS, 0x11000001,
     "0[11:8] Byte Write Disables; 1[22:2] Register Offset; 2[31:0] Data DWord", 3},
    {"VCS-260", "MI_STORE_REGISTER_MEM", HW_VCS, 0x12000001,
     "0[22:22] Use Global GTT; 1[22:2] Register Address; 2[31:2] Memory Address", 3},
    {"VCS-292", "MI_LOAD_REGISTER_MEM", HW_VCS, 0x14800001,
     "0[22:22] Use Global GTT; 0[21:21] Async Mode Enable; 1[22:2] Register Address; 2[31:2] "
     "Memory Address",
     3},
    {"VCS-215", "MI_BATCH_BUFFER_START", HW_VCS, 0x18800000,
     "0[22:22] 2nd Level Batch Buffer; 0[8:8] Address Space Indicator; 1[31:2] Buffer Start "
     "Address",
     2},
    {"VCS-324", "MFX_WAIT", HW_VCS, 0x68000000, "0[8:8] MFX Sync Control Flag", 1},
    /* Fields that have a row of their own. */
    {"RCS-135", "MI_SET_CONTEXT", HW_RCS, 0x0c000000, "1[31:12] Logical Context Address", 0},
    {"VCS-211", "MI_CONDITIONAL_BATCH_BUFFER_END", HW_VCS, 0x1b000000, "0[22:22] Use Global GTT",
     0},
    {"VCS-212", "MI_CONDITIONAL_BATCH_BUFFER_END", HW_VCS, 0x1b000000, "0[21:21] Compare Semaphore",
     0},
    {"VCS-228", "MI_FLUSH_DW", HW_VCS, 0x13000002, "0[21:21] Store Data Index", 0},
    {"VCS-229", "MI_FLUSH_DW", HW_VCS, 0x13000002, "0[18:18] TLB Invalidate", 0},
    {"VCS-232", "MI_FLUSH_DW", HW_VCS, 0x13000002, "0[17:17] Synchronize GFDT surface", 0},
    {"VCS-237", "MI_FLUSH_DW", HW_VCS, 0x13000002, "0[8:8] Notify Enable", 0},
    {"VCS-238", "MI_FLUSH_DW", HW_VCS, 0x13000002, "0[7:7] Video Pipeline Cache Invalidate", 0},
    {"VCS-239", "MI_FLUSH_DW", HW_VCS, 0x13000002, "1[2:2] Destination Address Type", 0},
    {"VCS-245", "MI_LOAD_REGISTER_IMM", HW_VCS, 0x11000001, "0[11:8] Byte Write Disables", 0},
    {"VCS-250", "MI_SEMAPHORE_MBOX", HW_VCS, 0x0b000001, "0[22:22] Use Global GTT", 0},
    {"VCS-251", "MI_SEMAPHORE_MBOX", HW_VCS, 0x0b000001, "0[21:21] Update Semaphore", 0},
    {"VCS-252", "MI_SEMAPHORE_MBOX", HW_VCS, 0x0b000001, "0[20:20] Compare Semaphore", 0},
    {"VCS-254", "MI_SEMAPHORE_MBOX", HW_VCS, 0x0b000001, "0[18:18] Compare Register", 0},
    {"VCS-255", "MI_SEMAPHORE_MBOX", HW_VCS, 0x0b000001, "0[17:16] Register Select", 0},
    {"VCS-256", "MI_SEMAPHORE_MBOX", HW_VCS, 0x0b000001, "2[31:2] Semaphore Address", 0},
    {"VCS-262", "MI_STORE_REGISTER_MEM", HW_VCS, 0x12000001, "0[22:22] Use Global GTT", 0},
    {"VCS-268", "MI_STORE_DATA_IMM", HW_VCS, 0x10000002, "0[22:22] Use Global GTT", 0},
    {"VCS-282", "MI_UPDATE_GTT", HW_VCS, 0x11800000, "1[31:12] Entry Address", 0},
    {"VCS-294", "MI_LOAD_REGISTER_MEM", HW_VCS, 0x14800001, "0[22:22] Use Global GTT", 0},
    {"VCS-295", "MI_LOAD_REGISTER_MEM", HW_VCS, 0x14800001, "0[21:21] Async Mode Enable", 0},
    {"VCS-296", "MI_LOAD_REGISTER_MEM", HW_VCS, 0x14800001, "1[22:2] Register Address", 0},
    {"RCS-113", "PIPE_CONTROL", HW_RCS, 0x7a000003, "1[23:23] LRI Post Sync Operation", 0},
    {"RCS-114", "PIPE_CONTROL", HW_RCS, 0x7a000003, "1[19:19] Global Snapshot Count Reset", 0},
    {"RCS-115", "PIPE_CONTROL", HW_RCS, 0x7a000003, "1[16:16] Generic Media State Clear", 0},
    {"RCS-116", "PIPE_CONTROL", HW_RCS, 0x7a000003, "1[9:9] Indirect State Pointers Disable", 0},
    {"RCS-117", "PIPE_CONTROL", HW_RCS, 0x7a000003, "1[21:21] Store Data Index", 0},
    {"RCS-118", "PIPE_CONTROL", HW_RCS, 0x7a000003, "1[17:17] Synchronize GFDT Surface", 0},
    {"RCS-119", "PIPE_CONTROL", HW_RCS, 0x7a000003, "1[18:18] TLB Invalidate", 0},
    {"RCS-120", "PIPE_CONTROL", HW_RCS, 0x7a000003, "1[15:14] Post Sync Operation", 0},
    {"RCS-121", "PIPE_CONTROL", HW_RCS, 0x7a000003, "1[8:8] Notify Enable", 0},
    {"RCS-123", "PIPE_CONTROL", HW_RCS, 0x7a000003, "1[13:13] Depth Stall Enable", 0},
    {"RCS-124", "PIPE_CONTROL", HW_RCS, 0x7a000003, "1[12:12] Render Target Cache Flush Enable", 0},
    {"RCS-125", "PIPE_CONTROL", HW_RCS, 0x7a000003, "1[0:0] Depth Cache Flush Enable", 0},
    {"RCS-126", "PIPE_CONTROL", HW_RCS, 0x7a000003,
     "1[1:1] Stall At Pixel Scoreboard; 1[11:11] Instruction Cache Invalidate Enable; 1[10:10] "
     "Texture Cache Invalidation Enable; 1[4:4] VF Cache Invalidation Enable; 1[3:3] Constant "
     "Cache Invalidation Enable; 1[2:2] State Cache Invalidation Enable",
     0},
    {"RCS-128", "PIPE_CONTROL", HW_RCS, 0x7a000003, "1[20:20] Command Streamer Stall Enable", 0},
    {"RCS-132", "PIPE_CONTROL", HW_RCS, 0x7a000003,
     "1[5:5] DC Flush Enable; 1[7:7] Pipe Control Flush Enable", 0},
    {"RCS-226", "PIPE_CONTROL", HW_RCS, 0x7a000003, "1[24:24] Destination Address Type", 0},
};

static void
check_named(const struct hw_layout *l, const char *fields)
{
   for (const char *p = fields; *p;) {
      struct place place = {0};
      char name[96];
      int used;
      if (sscanf(p, "%u[%u:%u] %95[^;]%n", &place.dw, &place.hi, &place.lo, name, &used) != 4)
         fail_msg("%s: '%s'", l->name, p);
      place.name = name;
      check_place(l, &place);
      p += used;
      p += strspn(p, "; ");
   }
}

static void
fields_of_a_row(void **state)
{
   const struct command_fields *e = *state;
   proves(e->id);
   for (unsigned device = HW_IVB; device <= HW_VLV; device <<= 1) {
      const struct hw_command *c = hw_command_find(e->header, e->engine, device);
      if (!c)
         fail_msg("no command starts with 0x%08x (%s)", e->header, e->command);
      assert_string_equal(c->layout.name, e->command);
      check_named(&c->layout, e->fields);
      if (e->length_dw) {
         assert_int_equal(c->layout.length_dw, e->length_dw);
         assert_int_equal(hw_command_length(c, e->header),
                          e->header >> 29 || e->length_dw == 1 || e->header & 0xff
                              ? e->length_dw
                              : (e->header & 0xff) + 2);
      }
   }
}

/* RCS-101: what lies between the fields of PIPE_CONTROL must be zero. */
static void
pipe_control_keeps_reserved_bits(void **state)
{
   proves("RCS-101");
   (void)state;
   const struct hw_layout *l = &hw_command_find(0x7a000003, HW_RCS, HW_IVB)->layout;
   static const uint32_t reserved[5] = {0xff00, 0xfe400040, 3, 0, 0};
   for (unsigned i = 0; i < 5; i++)
      assert_int_equal(l->mbz[i], reserved[i]);
}

/* RCS-070: 3 is reserved. */
static void
pipelines_are_three(void **state)
{
   proves("RCS-070");
   (void)state;
   const struct hw_layout *l = &hw_command_find(0x69040000, HW_RCS, HW_IVB)->layout;
   for (uint32_t pipeline = 0; pipeline < 4; pipeline++) {
      uint32_t dw = 0x69040000 | pipeline;
      assert_int_equal(hw_validate(l, &dw, 1, NULL, NULL), pipeline == 3);
   }
}

/* RCS-064: 1 is no load operation. */
static void
load_operations_are_three(void **state)
{
   proves("RCS-064");
   (void)state;
   const struct hw_layout *l = &hw_command_find(0x06000000, HW_RCS, HW_IVB)->layout;
   for (uint32_t load = 0; load < 4; load++) {
      uint32_t dw = 0x06000000 | load << 6;
      assert_int_equal(hw_validate(l, &dw, 1, NULL, NULL), load == 1);
   }
}

/* RCS-139: bit 12 of MI_LOAD_REGISTER_IMM, and no other, is ignored: context images set it. */
static void
images_set_bit_12_of_load_register_imm(void **state)
{
   proves("RCS-139");
   (void)state;
   const struct hw_layout *l = &hw_command_find(0x11000001, HW_RCS, HW_IVB)->layout;
   assert_int_equal(l->mbz[0], 0x7fe000);
   const struct hw_field *bit = field_at(l, 12, 12);
   assert_non_null(bit);
   assert_int_equal(bit->type, HW_IGNORED);
   uint32_t dw[3] = {0x11001001, 0x2038, 0};
   assert_int_equal(hw_validate(l, dw, 3, NULL, NULL), 0);
}

/* RCS-015: of the next part; here the opcode is none. */
static void
load_register_reg_is_of_the_next_part(void **state)
{
   proves("RCS-015");
   (void)state;
   assert_null(hw_command_find(0x15000001, HW_RCS, HW_IVB));
   assert_null(hw_command_find(0x15000001, HW_RCS, HW_VLV));
   const struct hw_command *c = hw_command_find(0x15000001, HW_RCS, HW_HSW);
   assert_non_null(c);
   assert_string_equal(c->layout.name, "MI_LOAD_REGISTER_REG");
   assert_int_equal(c->layout.length_dw, 3);
   assert_int_equal(hw_command_length(c, 0x15000001), 3);
   check_named(&c->layout, "1[22:2] Source Register Address; 2[22:2] Destination Register Address");
   assert_int_equal(c->layout.mbz[0], 0x7fff00);
   assert_int_equal(c->layout.mbz[1], 0xff800003);
   assert_int_equal(c->layout.mbz[2], 0xff800003);
}

/* VCS-325: codec, sub opcodes A and B, and the names that both maps have. The shortest form of each
 * has two dwords, since its length field holds the total less two. */
static void
codec_commands(void **state)
{
   proves("VCS-325");
   (void)state;
   static const struct {
      unsigned codec, a, b;
      const char *name;
   } table[] = {
       {0, 0, 0, "MFX_PIPE_MODE_SELECT"},
       {0, 0, 1, "MFX_SURFACE_STATE"},
       {0, 0, 2, "MFX_PIPE_BUF_ADDR_STATE"},
       {0, 0, 3, "MFX_IND_OBJ_BASE_ADDR_STATE"},
       {0, 0, 4, "MFX_BSP_BUF_BASE_ADDR_STATE"},
       {0, 0, 6, "MFX_STATE_POINTER"},
       {0, 1, 9, "MFD_IT_OBJECT"},
       {1, 0, 0, "MFX_AVC_IMG_STATE"},
       {1, 0, 2, "MFX_AVC_DIRECTMODE_STATE"},
       {1, 0, 3, "MFX_AVC_SLICE_STATE"},
       {1, 0, 4, "MFX_AVC_REF_IDX_STATE"},
       {1, 0, 5, "MFX_AVC_WEIGHTOFFSET_STATE"},
       {1, 1, 8, "MFD_AVC_BSD_OBJECT"},
       {1, 2, 9, "MFC_AVC_PAK_OBJECT"},
       {2, 0, 1, "MFX_VC1_PRED_PIPE_STATE"},
       {2, 0, 2, "MFX_VC1_DIRECTMODE_STATE"},
       {2, 1, 8, "MFD_VC1_BSD_OBJECT"},
       {3, 0, 0, "MFX_MPEG2_PIC_STATE"},
       {3, 1, 8, "MFD_MPEG2_BSD_OBJECT"},
   };
   for (size_t i = 0; i < N(table); i++) {
      uint32_t header =
          3u << 29 | 2u << 27 | table[i].codec << 24 | table[i].a << 21 | table[i].b << 16;
      const struct hw_command *c = hw_command_find(header, HW_VCS, HW_IVB);
      if (!c)
         fail_msg("no command is %u/%u/%u (%s)", table[i].codec, table[i].a, table[i].b,
                  table[i].name);
      assert_string_equal(c->layout.name, table[i].name);
      assert_int_equal(c->layout.length_dw, 2);
      assert_true(c->layout.variable);
      assert_int_equal(hw_command_length(c, header | 0xfff), 0xfff + 2);
   }
}

/* VCS-324: MFX_WAIT is one dword, whatever its low bits say; no other single dword is known. */
static void
single_dword_of_the_codec(void **state)
{
   proves("VCS-324");
   (void)state;
   const struct hw_command *wait = hw_command_find(0x68000000, HW_VCS, HW_IVB);
   assert_non_null(wait);
   assert_int_equal(hw_command_length(wait, 0x68000005), 1);
   assert_null(hw_command_find(0x68010000, HW_VCS, HW_IVB));
   assert_null(hw_command_find(0x69000000, HW_VCS, HW_IVB));
   assert_null(hw_command_find(0x68000000, HW_RCS, HW_IVB));
}

/* Flags of the codec's error register, by standard. */
static void
codec_error_flags(void **state)
{
   proves("VCS-331", "VCS-332");
   (void)state;
   static const struct {
      const char *name, *fields;
      unsigned count;
   } table[] = {
       {"MFD_ERRORS_AVC_CAVLC",
        "0[15:15] Total Zero Out of Bound; 0[14:14] Coefficient Level Out of Bound; 0[13:13] "
        "RunBefore Out of Bound; 0[12:12] Total Coefficient Out of Bound; 0[11:11] Temporal Direct "
        "Motion Vector Out of Bound; 0[10:10] Final Motion Vector Out of Bound; 0[9:9] Motion "
        "Vector Delta Out of Bound; 0[8:8] Reference Index Out of Bound; 0[7:7] RunBefore or "
        "TotalZero; 0[6:6] Exponential Golomb; 0[5:5] Total Coefficient; 0[4:4] Coded Block "
        "Pattern; 0[3:3] Macroblock Type; 0[2:2] Chroma Intra Prediction Mode; 0[1:1] Luma Intra "
        "Prediction Mode; 0[0:0] Macroblock Concealed",
        16},
       {"MFD_ERRORS_AVC_CABAC",
        "0[14:14] Coefficient Level Out of Bound; 0[11:11] Temporal Direct Motion Vector Out of "
        "Bound; 0[10:10] Final Motion Vector Out of Bound; 0[9:9] Motion Vector Delta Out of "
        "Bound; 0[8:8] Reference Index Out of Bound; 0[7:7] Macroblock QP Delta; 0[6:6] Motion "
        "Vector Delta; 0[5:5] Reference Index; 0[4:4] Residual; 0[3:3] Slice End; 0[2:2] Chroma "
        "Intra Prediction Mode; 0[1:1] Luma Intra Prediction Mode; 0[0:0] Macroblock Concealed",
        13},
       {"MFD_ERRORS_VC1",
        "0[7:7] Sync Marker; 0[6:6] Macroblock Mode; 0[5:5] Transform Type; 0[4:4] Coefficient; "
        "0[3:3] Motion Vector; 0[2:2] Coded Block Pattern; 0[1:1] MQUANT; 0[0:0] Macroblock "
        "Concealed",
        8},
       {"MFD_ERRORS_MPEG2",
        "0[5:5] Missing End of Block; 0[4:4] Overlapping Macroblocks; 0[3:3] Slice Out of Bound; "
        "0[2:2] Premature Frame End; 0[1:1] Missing Macroblocks; 0[0:0] Macroblock Concealed",
        6},
       {"MFD_ERRORS_JPEG",
        "0[4:4] Inconsistent Symbol; 0[3:3] Extra Block; 0[2:2] Missing Block; 0[1:1] Extra Coded "
        "Segment; 0[0:0] Missing Coded Segment",
        5},
   };
   for (size_t i = 0; i < N(table); i++) {
      const struct hw_layout *l = hw_struct_by_name(table[i].name);
      assert_non_null(l);
      assert_int_equal(l->length_dw, 1);
      check_named(l, table[i].fields);
      unsigned named = 0;
      for (unsigned k = 0; k < l->field_count; k++)
         named += is_named(&l->fields[k]);
      assert_int_equal(named, table[i].count);
   }
}

int
main(void)
{
   struct CMUnitTest tests[N(commands) + 8] = {
       cmocka_unit_test(pipe_control_keeps_reserved_bits),
       cmocka_unit_test(pipelines_are_three),
       cmocka_unit_test(load_operations_are_three),
       cmocka_unit_test(images_set_bit_12_of_load_register_imm),
       cmocka_unit_test(load_register_reg_is_of_the_next_part),
       cmocka_unit_test(codec_commands),
       cmocka_unit_test(single_dword_of_the_codec),
       cmocka_unit_test(codec_error_flags),
   };
   static char names[N(commands)][80];
   size_t count = 8;
   for (size_t i = 0; i < N(commands); i++) {
      snprintf(names[i], sizeof(names[i]), "%s of %s", commands[i].command, commands[i].id);
      tests[count++] = (struct CMUnitTest){
          .name = names[i], .test_func = fields_of_a_row, .initial_state = (void *)&commands[i]};
   }
   return _cmocka_run_group_tests("streamer_layouts", tests, count, NULL, NULL);
}
