/* Registers of the video command streamer and of the media arbiter, row by row of the ledger. */
#include "register_table.h"
#include "tests/proves.h"

static const struct register_case streamer_registers[] = {
    {"VCS-008", "VCS_PP_DCLV", 0x12220, 0, 0xffffffff, "31:0 PPGTT Directory Cache Restore"},
    {"VCS-015", "VCS_EXCC", 0x12028, 0, 0x1f, "4:0 User Defined Condition Codes"},
    {"VCS-019", "VCS_HWS_PGA", 0x4180, 0, 0xfffff000, "31:12 Hardware Status Page Address",
     "VCS-023"},
    {"VCS-024", "VCS_BBA_LEVEL2", 0x12144, 0, 0xfffffffc, "31:2 WA Batch Buffer Address"},
    {"VCS-027", "VCS_CXT_SIZE", 0x121a8, 0x40d00, 0x1f1f1f,
     "20:16 VCS Context Size;12:8 VCR Context Size"},
    {"VCS-030", "VCS_MI_MODE", 0x1209c, 0x200, 0x7bff,
     "15:15 Suspend Flush;11:11 Invalidate UHPTR enable;9:9 Rings Idle;8:8 Stop Rings"},
    {"VCS-039", "VCS_MFX_MODE", 0x1229c, 0, 0xffff, "9:9 Per-Process GTT Enable", "VCS-042"},
    {"VCS-043", "VCS_INSTPM", 0x120c0, 0, 0xffdf,
     "9:9 TLB Invalidate;6:6 Memory Sync Enable;5:5 Sync Flush Enable", "VCS-045"},
    {"VCS-054", "VCS_NOPID", 0x12094, 0, 0x3fffff, "21:0 Identification Number"},
    {"VCS-056", "VBSYNC", 0x12040, 0, 0xffffffff, "31:0 Semaphore Data"},
    {"VCS-057", "VRSYNC", 0x12044, 0, 0xffffffff, "31:0 Semaphore Data"},
    {"VCS-059", "GAC_MODE", 0x120a0, 0, 0xffff, NULL},
    {"VCS-060", "VCS_PREEMPTION_HINT_UDW", 0x124c8, 0, 0xffff, "15:0 Preempted Hint Address"},
    {"VCS-065", "VCS_RING_BUFFER_TAIL", 0x12030, 0, 0x1ffff8, "20:3 Tail Offset"},
    {"VCS-069", "VCS_RING_BUFFER_HEAD", 0x12034, 0, 0xfffffffc,
     "31:21 Wrap Count;20:2 Head Offset"},
    {"VCS-075", "VCS_RING_BUFFER_START", 0x12038, 0, 0xfffff000, "31:12 Starting Address"},
    {"VCS-079", "VCS_RING_BUFFER_CTL", 0x1203c, 0, 0x1ff107,
     "20:12 Buffer Length;11:11 RBWait;10:10 Semaphore Wait;8:8 Disable Register Accesses;2:1 "
     "Automatic "
     "Report Head Pointer;0:0 Ring Buffer Enable"},
    {"VCS-065", "BCS_RING_BUFFER_TAIL", 0x22030, 0, 0x1ffff8, "20:3 Tail Offset"},
    {"VCS-069", "BCS_RING_BUFFER_HEAD", 0x22034, 0, 0xfffffffc,
     "31:21 Wrap Count;20:2 Head Offset"},
    {"VCS-075", "BCS_RING_BUFFER_START", 0x22038, 0, 0xfffff000, "31:12 Starting Address"},
    {"VCS-094", "VCS_UHPTR", 0x12134, 0, 0xfffffff9,
     "31:3 Head Pointer Address;0:0 Head Pointer Valid"},
    {"VCS-094", "BCS_UHPTR", 0x22134, 0, 0xfffffff9,
     "31:3 Head Pointer Address;0:0 Head Pointer Valid"},
    {"VCS-098", "VCS_CNTR", 0x12178, 0xffffffff, 0xffffffff, "31:0 Count"},
    {"VCS-100", "VCS_THRSH", 0x1217c, 0x150000, 0xffffffff, "31:0 Threshold"},
    {"VCS-116", "VCS_HWSTAM", 0x12098, 0xffffffff, 0xffffffff, NULL},
    {"VCS-122", "VCS_IMR", 0x120a8, 0xffffffff, 0xffffffff,
     "20:20 Context Switch;19:19 Page Directory Fault;18:18 Watchdog Expired;16:16 MI_FLUSH_DW "
     "Notify;15:15 Master Error;14:14 Sync Status;12:12 User Interrupt",
     "VCS-103"},
    {"VCS-131", "VCS_EIR", 0x120b0, 0, 0, "0:0 Instruction Error;15:1 Error Identity", "VCS-126"},
    {"VCS-134", "VCS_EMR", 0x120b4, 0xffff, 0xffff, "0:0 Instruction Error Mask"},
    {"VCS-137", "VCS_ESR", 0x120b8, 0, 0, "15:0 Error Status"},
    {"VCS-140", "VCS_BB_ADDR", 0x12140, 0, 0, "31:3 Batch Buffer Head Pointer;0:0 Valid"},
    {"VCS-140", "BCS_BB_ADDR", 0x22140, 0, 0, "31:3 Batch Buffer Head Pointer;0:0 Valid"},
    {"VCS-140", "RCS_BB_ADDR", 0x2140, 0, 0, "31:2 Batch Buffer Head Pointer;0:0 Valid"},
    {"VCS-143", "VCS_BB_STATE", 0x12110, 0, 0,
     "6:6 2nd Level Buffer Security Indicator;5:5 1st Level Buffer Security Indicator"},
    {"VCS-143", "BCS_BB_STATE", 0x22110, 0, 0, "5:5 1st Level Buffer Security Indicator"},
    {"VCS-298", "VCS_PP_DIR_BASE", 0x12228, 0, 0x7fff0000,
     "30:16 Page Directory Base Offset;0:0 PD Load Busy"},
    {"VCS-298", "BCS_PP_DIR_BASE", 0x22228, 0, 0x7fff0000,
     "30:16 Page Directory Base Offset;0:0 PD Load Busy"},
    {"VCS-315", "VCS_PWRCTX_MAXCNT", 0x12054, 0x40, 0xfffff, "19:0 IDLE Wait Time"},
    {"VCS-316", "VCS_PSMI_CTL", 0x12050, 0, 5,
     "4:4 GO Indicator;3:3 IDLE Indicator;2:2 Sleep Flush Disable;0:0 RC IDLE Message Disable"},
    {"VCS-317", "VCS_RCCID", 0x12190, 0, 0xffffffff, "63:0 Context Descriptor"},
    {"VCS-317", "VCS_RNCID", 0x12198, 0, 0xffffffff, "63:0 Context Descriptor"},
    {"VCS-318", "VCS_CTXT_SR_CTL", 0x12114, 0, 1, "0:0 MFX Context Restore Inhibit"},
    {"VCS-329", "RVSYNC", 0x2040, 0, 0xffffffff, NULL},
    {"VCS-329", "RBSYNC", 0x2044, 0, 0xffffffff, NULL},
    {"VCS-329", "BRSYNC", 0x22040, 0, 0xffffffff, NULL},
    {"VCS-329", "BVSYNC", 0x22044, 0, 0xffffffff, NULL},
};

static void
video_streamer_is_the_render_streamer_moved(void **state)
{
   proves("VCS-002", "VCS-027", "VCS-029");
   (void)state;
   /* VCS-027, VCS-029: Valleyview's default has a bit more; [4:0] is storage. */
   struct pergola_device *vlv = new_device("vlv");
   assert_int_equal(pergola_mmio_read(vlv, 0x121a8, 4), 0x40d02);
   pergola_device_destroy(vlv);
   /* VCS-002: the render offset plus 0x10000, at the example of the row and others. */
   static const char *const same[] = {
       "RING_BUFFER_TAIL", "RING_BUFFER_CTL", "MI_MODE", "IMR",         "EXCC",     "NOPID",
       "HWSTAM",           "INSTPM",          "UHPTR",   "PP_DIR_BASE", "TIMESTAMP"};
   for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
      char r[40], v[40];
      snprintf(r, sizeof(r), "RCS_%s", same[i]);
      snprintf(v, sizeof(v), "VCS_%s", same[i]);
      assert_int_equal(hw_register_by_name(v, HW_IVB)->offset,
                       hw_register_by_name(r, HW_IVB)->offset + 0x10000);
   }
}

/* VCS-120, VCS-116, VCS-122: reserved interrupt bits keep their reset value 1. */
static void
interrupt_masks_keep_reserved_bits_set(void **state)
{
   proves("VCS-120", "VCS-116", "VCS-122");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   pergola_mmio_write(dev, 0x120a8, 4, 0);
   assert_int_equal(pergola_mmio_read(dev, 0x120a8, 4), ~0x1dd000u);
   pergola_mmio_write(dev, 0x12098, 4, 0);
   assert_int_equal(pergola_mmio_read(dev, 0x12098, 4), ~0x1dd000u);
   pergola_mmio_write(dev, 0x220a8, 4, 0);
   assert_int_equal(pergola_mmio_read(dev, 0x220a8, 4), ~0x67400000u);
   pergola_device_destroy(dev);
}

/* VCS-134, VCS-136: reserved error bits always read 1; bit 0 is the only one that can be opened. */
static void
reserved_error_masks_read_one(void **state)
{
   proves("VCS-134", "VCS-136");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   pergola_mmio_write(dev, 0x120b4, 4, 0);
   assert_int_equal(pergola_mmio_read(dev, 0x120b4, 4), 0xfffe);
   pergola_device_destroy(dev);
}

/* VCS-055: NOPID can be written over the bus. */
static void
nopid_can_be_restored_over_the_bus(void **state)
{
   proves("VCS-055");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   pergola_mmio_write(dev, 0x12094, 4, 0x123456);
   assert_int_equal(pergola_mmio_read(dev, 0x12094, 4), 0x123456);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_NOTE), 0);
   pergola_device_destroy(dev);
}

/* VCS-142, VCS-146: hardware's own; writes change nothing and are named. */
static void
batch_registers_are_read_only(void **state)
{
   proves("VCS-142", "VCS-146");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   pergola_mmio_read(dev, 0x12140, 4);
   pergola_mmio_read(dev, 0x12110, 4);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_NOTE), 0);
   pergola_mmio_write(dev, 0x12140, 4, 0xffffffff);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_WARNING), 1);
   pergola_mmio_write(dev, 0x12110, 4, 0xffffffff);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_WARNING), 2);
   assert_int_equal(pergola_mmio_read(dev, 0x12140, 4), 0);
   assert_int_equal(pergola_mmio_read(dev, 0x12110, 4), 0);
   pergola_device_destroy(dev);
}

/* VCS-028: conforming and violating. */
static void
context_sizes_take_whole_dwords_only(void **state)
{
   proves("VCS-028");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   pergola_mmio_write(dev, 0x121a8, 4, 0x40d00);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_NOTE), 0);
   pergola_mmio_write(dev, 0x121a8, 1, 1);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_ERROR), 1);
   pergola_device_destroy(dev);
}

/* VCS-062, VCS-063: stored, without effect, and named. */
static void
preemption_hint_is_not_for_use(void **state)
{
   proves("VCS-062", "VCS-063");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   pergola_mmio_read(dev, 0x124c8, 4);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_NOTE), 0);
   pergola_mmio_write(dev, 0x124c8, 4, 0x1234);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_ERROR), 1);
   assert_int_equal(pergola_mmio_read(dev, 0x124c8, 4), 0x1234);
   pergola_device_destroy(dev);
}

/* VCS-068: a ring is enabled with head and tail inside it. */
static void
ring_is_enabled_with_head_and_tail_inside(void **state)
{
   proves("VCS-068");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   pergola_mmio_write(dev, 0x12034, 4, 0xff8);
   pergola_mmio_write(dev, 0x12030, 4, 0xff8);
   pergola_mmio_write(dev, 0x1203c, 4, 1);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_NOTE), 0);
   pergola_mmio_write(dev, 0x1203c, 4, 0);
   pergola_mmio_write(dev, 0x12030, 4, 0x2000);
   pergola_mmio_write(dev, 0x1203c, 4, 1);
   assert_true(pergola_diagnostic_count(dev, PERGOLA_ERROR) >= 1);
   pergola_device_destroy(dev);
}

/* VCS-114, VCS-118, VCS-119: what may be unmasked in HWSTAM. */
static void
status_mask_opens_one_bit_that_imr_opens(void **state)
{
   proves("VCS-114", "VCS-118", "VCS-119");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   pergola_mmio_write(dev, 0x120a8, 4, ~(1u << 14 | 1u << 19));
   pergola_mmio_write(dev, 0x12098, 4, ~(1u << 14));
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_NOTE), 0);
   pergola_mmio_write(dev, 0x12098, 4, ~(1u << 14 | 1u << 19)); /* VCS-119 */
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_ERROR), 1);
   pergola_mmio_write(dev, 0x12098, 4, ~(1u << 15)); /* VCS-118 */
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_ERROR), 2);
   pergola_mmio_write(dev, 0x120a8, 4, ~(1u << 18));
   pergola_mmio_write(dev, 0x12098, 4, ~(1u << 18)); /* VCS-114 */
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_ERROR), 3);
   pergola_device_destroy(dev);
}

/* RCS-190, VCS-114: bit by bit, which may be unmasked in the HWSTAM of each engine. */
static void
status_mask_never_opens_some_bits(void **state)
{
   proves("RCS-190", "VCS-114");
   (void)state;
   static const struct {
      uint32_t block, own, never;
   } engine[] = {{0x2000, 0x3ff, 1u << 6 | 1u << 8},
                 {0x12000, 0x1ff000, 1u << 18 | 1u << 20},
                 {0x22000, 0x7fc00000, 1u << 30}};
   for (unsigned e = 0; e < 3; e++) {
      for (unsigned bit = 0; bit < 32; bit++) {
         if (!(engine[e].own & 1u << bit))
            continue;
         struct pergola_device *dev = new_device(NULL);
         pergola_mmio_write(dev, engine[e].block + 0xa8, 4, ~(1u << bit));
         pergola_mmio_write(dev, engine[e].block + 0x98, 4, ~(1u << bit));
         assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_ERROR), engine[e].never >> bit & 1);
         pergola_device_destroy(dev);
      }
   }
}

static void
enhancement_statistics_are_cleared_by_reading(void **state)
{
   proves("VCS-149", "VCS-151", "VCS-152", "VCS-153", "VCS-154", "VCS-155");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   static const struct {
      uint32_t first, last;
      const char *name;
   } range[] = {
       {0x5000, 0x5028, "FMD_VARIANCE_S0_0"}, {0x502c, 0x502c, "GNE_SUM_S0"},
       {0x5030, 0x5030, "GNE_COUNT_S0"},      {0x5034, 0x505c, "FMD_VARIANCE_S1_0"},
       {0x5060, 0x5060, "GNE_SUM_S1"},        {0x5064, 0x5064, "GNE_COUNT_S1"},
       {0x5070, 0x5070, "SKIN_DATA"},         {0x5074, 0x5074, "SKIN_PIXEL_COUNT"},
       {0x5080, 0x517c, "ACE_HISTOGRAM_0"},
   };
   for (size_t i = 0; i < sizeof(range) / sizeof(range[0]); i++) {
      assert_int_equal(hw_register_by_name(range[i].name, HW_IVB)->offset, range[i].first);
      for (uint32_t o = range[i].first; o <= range[i].last; o += 4) {
         assert_int_equal(pergola_mmio_read(dev, o, 4), 0);
         reg_set(dev, o, 0x1000 + o);
         assert_int_equal(pergola_mmio_read(dev, o, 4), 0x1000 + o);
         assert_int_equal(pergola_mmio_read(dev, o, 4), 0);
         reg_set(dev, o, 0xaabbccdd);
         assert_int_equal(pergola_mmio_read(dev, o + 1, 1), 0xcc);
         assert_int_equal(pergola_mmio_read(dev, o, 4), 0);
         pergola_mmio_write(dev, o, 4, 7);
         assert_int_equal(pergola_mmio_read(dev, o, 4), 0);
      }
   }
   const struct hw_layout *skin = hw_register_by_name("SKIN_DATA", HW_IVB)->layout;
   check_fields(&(struct register_case){"VCS-152", "SKIN_DATA", .fields = "25:16 Ymax;9:0 Ymin"},
                skin);
   const struct hw_layout *bins = hw_register_by_name("ACE_HISTOGRAM_0", HW_IVB)->layout;
   check_fields(&(struct register_case){"VCS-152", "ACE", .fields = "31:16 Odd Bin;15:0 Even Bin"},
                bins);
   pergola_device_destroy(dev);
}

static const struct register_case media_arbiter_registers[] = {
    {"VCS-156", "GAC_PEND_TLB", 0x14040, 0, 0x3fbfbfbf,
     "29:24 VMX BS Limit Count;23:23 VMC Limit Enable;21:16 VMC TLB Limit Count;15:15 VMXRS "
     "Limit "
     "Enable;13:8 VMX RS TLB Limit Count;7:7 VCS Limit Enable;5:0 VCS TLB Limit Count",
     "VCS-157"},
    {"VCS-158", "GAC_ARB_CTL_REG", 0x14050, 0x400002, 0xffdfdf3f,
     "31:31 GAC Write Request Limit Enable;30:30 VLF Final Write Limit Enable;29:24 Write "
     "Request Limit "
     "Count;23:23 Read Only Limit Enable;22:22 Fixed Priority;20:16 Read Only Limit Counter "
     "Value;15:15 "
     "Read Limit Enable;14:14 Default Priority;12:8 Read Limit Counter Value;5:0 Lowest PPGTT "
     "Entry of "
     "TLB064",
     "VCS-164"},
    {"VCS-307", "GAC_ERROR", 0x140a0, 0, 0x103,
     "8:8 Unloaded PD Error;1:1 Context Page Fault Error;0:0 TLB Page Fault Error"},
    {"VCS-165", "TLB064_VA_0", 0x14800, 0, 0, "31:12 Page Virtual Address"},
    {"VCS-165", "TLB064_VA_63", 0x148fc, 0, 0, "31:12 Page Virtual Address"},
    {"VCS-166", "TLB132_VA_0", 0x14900, 0, 0, "31:12 Page Virtual Address"},
    {"VCS-166", "TLB132_VA_63", 0x149fc, 0, 0, "31:12 Page Virtual Address"},
    {"VCS-167", "TLB232_VA_0", 0x14a00, 0, 0, "31:12 Page Virtual Address"},
    {"VCS-167", "TLB232_VA_63", 0x14afc, 0, 0, "31:12 Page Virtual Address"},
    {"VCS-168", "TLB304_VA_0", 0x14b00, 0, 0, "31:12 Page Virtual Address"},
    {"VCS-168", "TLB304_VA_63", 0x14bfc, 0, 0, "31:12 Page Virtual Address", "VCS-177"},
    {"VCS-169", "MTTLB064_VLD0", 0x14780, 0, 0, NULL},
    {"VCS-170", "MTTLB064_VLD1", 0x14784, 0, 0, NULL},
    {"VCS-171", "MTTLB132_VLD0", 0x14788, 0, 0, NULL},
    {"VCS-172", "MTTLB132_VLD1", 0x1478c, 0, 0, NULL},
    {"VCS-173", "MTTLB232_VLD0", 0x14790, 0, 0, NULL},
    {"VCS-174", "MTTLB232_VLD1", 0x14794, 0, 0, NULL},
    {"VCS-175", "MTTLB304_VLD0", 0x14798, 0, 0, NULL},
    {"VCS-176", "MTTLB304_VLD1", 0x1479c, 0, 0, NULL},
    {"VCS-179", "VCS_TLBPEND_VLD0", 0x14700, 0, 0xffffffff, NULL, "VCS-178"},
    {"VCS-180", "VCS_TLBPEND_VLD1", 0x14704, 0, 0xffffffff, NULL},
    {"VCS-181", "VCS_TLBPEND_RDY0", 0x14708, 0, 0xffffffff, NULL},
    {"VCS-182", "VCS_TLBPEND_RDY1", 0x1470c, 0, 0xffffffff, NULL},
    {"VCS-183", "VCS_TLBPEND_SEC0_0", 0x14400, 0, 0xffffffff,
     "31:31 vtstatus;30:28 GTT Bits;27:0 Current Address"},
    {"VCS-183", "VCS_TLBPEND_SEC0_63", 0x144fc, 0, 0xffffffff, NULL},
    {"VCS-185", "VCS_TLBPEND_SEC1_0", 0x14500, 0, 0xf7ffffff,
     "31:28 Current Address;26:26 GFDT;25:24 Cacheability Control;23:23 ZLR;22:4 TAG;3:0 SRC "
     "ID",
     "VCS-189"},
    {"VCS-185", "VCS_TLBPEND_SEC1_63", 0x145fc, 0, 0xf7ffffff, NULL},
    {"VCS-190", "VCS_TLBPEND_SEC2_0", 0x14600, 0, 0x7ff, "10:8 Current Address;7:0 PAT Entry",
     "VCS-191"},
    {"VCS-190", "VCS_TLBPEND_SEC2_63", 0x146fc, 0, 0x7ff, NULL},
};

static const struct register_case codec_status_registers[] = {
    {"VCS-330", "MFD_ERROR_STATUS", 0x12400, 0, 0,
     "31:16 Number of Errors;15:0 Bitstream Error Flags"},
    {"VCS-333", "MFX_STATUS_FLAGS", 0x12438, 0, 0,
     "16:16 MFX Active;9:9 Streamout Enable;7:7 Post Deblocking;6:6 Pre Deblocking;5:5 Decoder "
     "Mode;4:4 "
     "Codec;3:2 Video Mode;1:1 Long Format;0:0 Stitch Mode"},
    {"VCS-334", "MFX_FRAME_PERFORMANCE_CT", 0x12460, 0, 0, NULL},
    {"VCS-334", "MFX_SLICE_PERFORMANCE_CT", 0x12464, 0, 0, NULL},
    {"VCS-334", "MFX_FRAME_MACROBLOCK_CT", 0x12468, 0, 0, NULL},
    {"VCS-334", "MFX_FRAME_SEBIN_CT", 0x1246c, 0, 0, NULL},
    {"VCS-334", "MFX_READ_LATENCY_REFERENCE", 0x12470, 0, 0,
     "31:24 Max Requests;23:16 Outstanding Requests;15:8 Max Latency;7:0 Min Latency"},
    {"VCS-334", "MFX_LATENCY_REFERENCE_SUM", 0x12474, 0, 0, "25:0 Accumulated Latency"},
    {"VCS-334", "MFX_READ_LATENCY_ROWSTORE", 0x12478, 0, 0, "15:8 Max Latency;7:0 Min Latency"},
    {"VCS-334", "MFX_LATENCY_ROWSTORE_SUM", 0x1247c, 0, 0, "25:0 Accumulated Latency"},
    {"VCS-334", "MFX_ROW_STORE_READ_CT", 0x12480, 0, 0, "15:0 Reads"},
    {"VCS-334", "MFX_MC_READ_CT", 0x12484, 0, 0, "19:0 Reads"},
    {"VCS-334", "MFX_MC_MISS_CT", 0x12488, 0, 0, "15:0 Misses"},
    {"VCS-334", "MFD_PICTURE_PARAM", 0x12420, 0, 0xffffffff, NULL},
    {"VCS-334", "MFX_ERROR_INJECTION", 0x12454, 0, 0, NULL},
    {"VCS-335", "MFC_BITSTREAM_BYTECOUNT_FRAME", 0x124a0, 0, 0, NULL},
    {"VCS-335", "MFC_BITSTREAM_SE_BITCOUNT_FRAME", 0x124a4, 0, 0, NULL},
    {"VCS-335", "MFC_AVC_CABAC_BIN_COUNT_FRAME", 0x124a8, 0, 0, NULL},
    {"VCS-335", "MFC_AVC_CABAC_INSERTION_COUNT", 0x124ac, 0, 0, NULL},
    {"VCS-335", "MFC_AVC_MINSIZE_PADDING_COUNT", 0x124b0, 0, 0, NULL},
    {"VCS-335", "MFC_IMAGE_STATUS_MASK", 0x124b4, 0, 0, NULL},
    {"VCS-335", "MFC_IMAGE_STATUS_CONTROL", 0x124b8, 0, 0,
     "31:24 Cumulative Slice Delta QP;23:16 Suggested Slice QP Delta;15:15 QP Polarity "
     "Change;14:13 "
     "Passes After Change;11:8 Total Passes;2:2 Panic;1:1 Frame Bit Count Violation;0:0 Max MB "
     "Conformance"},
    {"VCS-335", "MFC_QP_STATUS_COUNT", 0x124bc, 0, 0, "31:24 Cumulative QP Adjust;23:0 Sum of QP"},
    {"VCS-335", "MFC_BITSTREAM_BYTECOUNT_SLICE", 0x124d0, 0, 0, NULL},
    {"VCS-335", "MFC_BITSTREAM_SE_BITCOUNT_SLICE", 0x124d4, 0, 0, NULL},
    {"VCS-336", "PAK_WARN", 0x124e4, 0, 0,
     "21:21 Skip Run Too Long;20:20 Incorrect Skip MB;19:19 Dual Prime MV Difference;18:18 "
     "Missing End of "
     "Slice;17:17 DCT Type for Field Picture;16:16 MV Outside fcode Range;15:8 MB Y;7:0 MB X"},
    {"VCS-336", "PAK_ERR", 0x124e8, 0, 0,
     "21:21 Intra Flag in I Slice;20:20 Symbol Code Out of Range;19:19 MB Type;18:18 MV Outside "
     "Frame;17:17 Scale Code Zero;16:16 DCT Type for Motion Type;15:8 MB Y;7:0 MB X"},
    {"VCS-336", "PAK_REPORT_STAT", 0x124ec, 0, 0, "0:0 PAK Busy"},
};

static void
codec_status_is_of_no_context(void **state)
{
   proves("VCS-330", "VCS-333", "VCS-334", "VCS-335", "VCS-336");
   (void)state;
   for (size_t i = 0; i < sizeof(codec_status_registers) / sizeof(codec_status_registers[0]); i++)
      assert_false(hw_register_by_name(codec_status_registers[i].name, HW_IVB)->context);
}

/* VCS-003: registers that hang dumps read exist; any other offset of the block reads 0 and is
 * named. */
static void
undescribed_registers_of_the_block(void **state)
{
   proves("VCS-003");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   static const struct {
      uint32_t offset, idle;
   } known[] = {{0x12064, 0}, {0x12068, 0}, {0x1206c, 0xffffffff},
                {0x12070, 0}, {0x12074, 0}, {0x12078, 0}};
   for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
      assert_int_equal(pergola_mmio_read(dev, known[i].offset, 4), known[i].idle);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_NOTE), 0);
   pergola_mmio_write(dev, 0x12ff0, 4, 5);
   assert_int_equal(pergola_mmio_read(dev, 0x12ff0, 4), 0);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_WARNING), 2);
   pergola_device_destroy(dev);
}

/* VCS-004: every register of the engine takes its default at a full reset. */
static void
full_reset_gives_every_default(void **state)
{
   proves("VCS-004");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   unsigned checked = 0;
   for (size_t i = 0; i < hw_register_count; i++)
      if (hw_registers[i].devices & HW_IVB && hw_registers[i].reset == HW_RESET_VCS)
         dev->mmio[hw_registers[i].offset / 4] = ~hw_registers[i].default_value;
   pergola_mmio_write(dev, 0x941c, 4, 1);
   for (size_t i = 0; i < hw_register_count; i++) {
      const struct hw_register *r = &hw_registers[i];
      if (!(r->devices & HW_IVB) || r->reset != HW_RESET_VCS)
         continue;
      if (reg_get(dev, r->offset) != r->default_value && r->offset != REG_VCS_MI_MODE)
         fail_msg("%s holds 0x%08x", r->layout->name, reg_get(dev, r->offset));
      checked++;
   }
   assert_true(checked > 500);
   pergola_device_destroy(dev);
}

/* VCS-314, MEM-043: eight scratch dwords. */
static void
scratch_registers_hold_values(void **state)
{
   proves("VCS-314", "MEM-043");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   for (uint32_t i = 0; i < 8; i++) {
      assert_int_equal(pergola_mmio_read(dev, 0x4f100 + 4 * i, 4), 0);
      pergola_mmio_write(dev, 0x4f100 + 4 * i, 4, 0xabc00000 + i);
   }
   for (uint32_t i = 0; i < 8; i++)
      assert_int_equal(pergola_mmio_read(dev, 0x4f100 + 4 * i, 4), 0xabc00000 + i);
   assert_null(hw_register_at(0x4f120, HW_IVB));
   pergola_device_destroy(dev);
}

/* VCS-192, VCS-193, VCS-194, VCS-195: 36 bits of 80 ns, not reset by a graphics reset. */
static void
video_timestamp_survives_a_graphics_reset(void **state)
{
   proves("VCS-192", "VCS-193", "VCS-194", "VCS-195");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   clock_advance(dev, 80 * 1000 + 79);
   assert_int_equal(pergola_mmio_read(dev, 0x12358, 4), 1000);
   pergola_mmio_write(dev, 0x12358, 4, 5);
   assert_int_equal(pergola_mmio_read(dev, 0x12358, 4), 1000);
   pergola_mmio_write(dev, 0x941c, 4, 1);
   assert_int_equal(pergola_mmio_read(dev, 0x12358, 4), 1000);
   clock_advance(dev, UINT64_C(80) << 32);
   assert_int_equal(pergola_mmio_read(dev, 0x1235c, 4), 1);
   clock_advance(dev, UINT64_C(80) * 15 << 32);
   assert_int_equal(pergola_mmio_read(dev, 0x1235c, 4), 0); /* [63:36] are always 0 */
   pergola_device_destroy(dev);
}

int
main(void)
{
   struct CMUnitTest tests[160] = {
       cmocka_unit_test(video_streamer_is_the_render_streamer_moved),
       cmocka_unit_test(interrupt_masks_keep_reserved_bits_set),
       cmocka_unit_test(reserved_error_masks_read_one),
       cmocka_unit_test(nopid_can_be_restored_over_the_bus),
       cmocka_unit_test(batch_registers_are_read_only),
       cmocka_unit_test(context_sizes_take_whole_dwords_only),
       cmocka_unit_test(preemption_hint_is_not_for_use),
       cmocka_unit_test(ring_is_enabled_with_head_and_tail_inside),
       cmocka_unit_test(status_mask_opens_one_bit_that_imr_opens),
       cmocka_unit_test(status_mask_never_opens_some_bits),
       cmocka_unit_test(enhancement_statistics_are_cleared_by_reading),
       cmocka_unit_test(codec_status_is_of_no_context),
       cmocka_unit_test(undescribed_registers_of_the_block),
       cmocka_unit_test(full_reset_gives_every_default),
       cmocka_unit_test(scratch_registers_hold_values),
       cmocka_unit_test(video_timestamp_survives_a_graphics_reset),
   };
   size_t count = 16;
   count += REGISTER_CASES(tests + count, streamer_registers, "ivb-gt2");
   count += REGISTER_CASES(tests + count, media_arbiter_registers, "ivb-gt2");
   count += REGISTER_CASES(tests + count, codec_status_registers, "ivb-gt2");
   return _cmocka_run_group_tests("registers_video", tests, count, NULL, NULL);
}
