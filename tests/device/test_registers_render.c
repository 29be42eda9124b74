/* Registers of the render engine, row by row of the ledger. */
#include "register_table.h"
#include "tests/proves.h"

static const struct register_case modes_and_parser_registers[] = {
    {"RCS-001", "GT4_MODE_CONTROL", 0x9038, 0, 3, "1:0 GT4 Usage Mode", "RCS-002"},
    {"RCS-003", "RCS_MI_MODE", 0x209c, 0x200, 0x7b41,
     "15:15 Suspend Flush;14:14 Async Flip Performance mode;13:13 Flush Performance mode;12:12 "
     "MI_FLUSH "
     "Enable;11:11 Invalidate UHPTR enable;9:9 Rings Idle;8:8 Stop Rings;6:6 Vertex Shader "
     "Timer "
     "Dispatch Enable;0:0 Mask IIR disable"},
    {"RCS-004", "FF_MODE", 0x20a0, 0x28a01010, 0x3ffff070,
     "29:26 DS Hit Max Value;25:20 VS Hit Max Value;19:19 DS Reference Count Full Force Miss "
     "Enable;18:17 TS Thread Dispatch Mode;16:16 TS Thread Dispatch Override Enable;15:15 VS "
     "Reference "
     "Count Full Force Miss Enable;14:13 VS Thread Dispatch Mode;12:12 VS Thread Dispatch "
     "Override "
     "Enable;6:5 DS Thread Dispatch Mode;4:4 DS Thread Dispatch Override Enable"},
    {"RCS-005", "RCS_GFX_MODE", 0x229c, 0x2800, 0x2a00,
     "13:13 Flush TLB invalidation Mode;11:11 Replay Mode;9:9 Per-Process GTT Enable"},
    {"RCS-006", "GT_MODE", 0x7008, 0x200, 0xffff,
     "9:9 WIZ Hashing Mode High Bit;7:7 WIZ Hashing Mode"},
    {"RCS-007", "CACHE_MODE_0", 0x7000, 4, 0x82ff,
     "15:15 Sampler L2 Disable;9:9 Sampler L2 TLB Prefetch Enable;7:6 Sampler L2 Request "
     "Arbitration;5:5 STC Eviction Policy;4:4 RCC Eviction Policy;2:2 Hierarchical Z RAW Stall "
     "Optimization Disable;0:0 Render Cache Operational Flush Enable"},
    {"RCS-008", "CACHE_MODE_1", 0x7004, 0x180, 0x11e8,
     "12:12 HIZ Eviction Policy;8:7 Sampler Cache Set XOR Selection;6:6 Pixel Backend sub-span "
     "collection Optimization Disable;5:5 MCS Cache Disable;3:3 Depth Read Hit Write-Only "
     "Optimization "
     "Disable"},
    {"RCS-009", "GAFS_MODE", 0x212c, 0, 1, "0:0 Selection of Arbitration for GAFS"},
    {"RCS-167", "CCID", 0x2180, 0, 0xfffff10d,
     "31:12 Logical Render Context Address;3:3 Extended State Save Enable;2:2 Extended State "
     "Restore "
     "Enable;0:0 Valid"},
    {"RCS-168", "CXT_SIZE", 0x21a8, 0x48a7b8cd, 0xffffffff,
     "31:25 Power Context Size;24:22 Ring Context Size;21:16 Render Context Size;15:9 Extended "
     "Context "
     "Size;8:6 GT1 Mode Context Size;5:0 VF State Context Size"},
    {"RCS-181", "RCS_INSTPM", 0x20c0, 0, 0xf7df,
     "11:11 CLFLUSH Toggle;9:9 TLB Invalidate;8:8 Memory Sync Enable;7:7 Force Sync Command "
     "Ordering;6:6 CONSTANT_BUFFER Address Offset Disable;5:5 Sync Flush Enable;3:3 Media "
     "Instruction "
     "Disable;2:2 3D Rendering Instruction Disable;1:1 3D State Instruction Disable;0:0 Texture "
     "Palette "
     "Load Instruction Disable"},
    {"RCS-182", "RCS_EXCC", 0x2028, 0, 0x1f,
     "11:11 Pending Indirect State Dirty;10:7 Pending Indirect State Counter;4:0 User Defined "
     "Condition Codes"},
    {"RCS-183", "RCS_NOPID", 0x2094, 0, 0x3fffff, "21:0 Identification Number"},
    {"RCS-184", "RVSYNC", 0x2040, 0, 0xffffffff, NULL},
    {"RCS-184", "RBSYNC", 0x2044, 0, 0xffffffff, NULL},
    {"RCS-185", "VFSKPD", 0x2470, 0, 6,
     "2:2 Vertex Cache Implicit Disable Inhibit;1:1 Disable Over Fetch Cache"},
    {"RCS-186", "FBC_RT_BASE_ADDR_REGISTER", 0x7020, 0, 0xfffff003,
     "31:12 Render Target Base;1:1 Buffer;0:0 Address Valid"},
    {"RCS-187", "PR_CTR_CTL", 0x2178, 1, 0xffffffff, "31:31 Count Select;30:0 Counter Logic Op"},
    {"RCS-187", "PR_CTR_THRSH", 0x217c, 0x145855, 0xffffffff, NULL},
    {"RCS-187", "PR_CTR", 0x2190, 0, 0, NULL},
    {"RCS-188", "CSPWRFSM", 0x22ac, 0, 0,
     "29:28 FBC;23:21 CS ARB;19:17 CSSWITCH;16:13 CSCSBUPDATE;12:11 R2MWRREQ;9:7 LOADARB;6:4 "
     "CSBLOCK;3:0 "
     "CSIDLE"},
    {"RCS-192", "RCS_BB_ADDR", 0x2140, 0, 0, "31:2 Batch Buffer Head Pointer;0:0 Valid"},
    {"RCS-192", "RCS_BB_STATE", 0x2110, 0, 0, "5:5 Address Space Indicator"},
    {"RCS-193", "SYNC_FLIP_STATUS", 0x22d0, 0, 0x77f7f71f,
     "30:30 Plane A Async Flip Pending;29:29 Plane A Sync Flip Pending;28:28 Sprite A Flip "
     "Pending;26:26 Plane B Async Flip Pending;25:25 Plane B Sync Flip Pending;24:24 Sprite B "
     "Flip "
     "Pending;18:18 Pipe A Scan Line Wait;17:17 Pipe A Vertical Blank Wait;16:16 Pipe A "
     "Horizontal "
     "Blank Wait;4:0 Condition Code Wait Select"},
    {"RCS-193", "SYNC_FLIP_STATUS_1", 0x22d4, 0, 0xff7,
     "11:11 SyncFlush Status;2:2 Pipe C Scan Line Wait;1:1 Pipe C Vertical Blank Wait;0:0 Pipe "
     "C "
     "Horizontal Blank Wait"},
    {"RCS-199", "ARB_MODE", 0x4030, 0, 0x7f3f,
     "14:14 GAM Bypass GTT Translation;13:13 DC GDR Enable;12:12 HIZ GDR Enable;11:11 STC GDR "
     "Enable;10:10 BLB GDR Enable;9:9 GAM PD GDR Enable;5:5 Address Swizzling for Tiled "
     "Surfaces;4:4 VMC "
     "GDR Enable;3:3 Texture GDR Enable;2:2 Depth GDR Enable;1:1 Colour GDR Enable;0:0 GTT "
     "Accesses GDR"},
};

static void
gt_mode_of_valleyview(void **state)
{
   proves("RCS-006");
   (void)state;
   /* RCS-006: Valleyview starts GT_MODE with 0. */
   struct pergola_device *vlv = new_device("vlv");
   assert_int_equal(pergola_mmio_read(vlv, 0x7008, 4), 0);
   pergola_device_destroy(vlv);
}

static const struct register_case ring_registers[] = {
    {"RCS-173", "RCS_RING_BUFFER_TAIL", 0x2030, 0, 0x1ffff8, "20:3 Tail Offset"},
    {"RCS-173", "VCS_RING_BUFFER_TAIL", 0x12030, 0, 0x1ffff8, "20:3 Tail Offset"},
    {"RCS-173", "BCS_RING_BUFFER_TAIL", 0x22030, 0, 0x1ffff8, "20:3 Tail Offset"},
    {"RCS-174", "RCS_RING_BUFFER_HEAD", 0x2034, 0, 0xfffffffc,
     "31:21 Wrap Count;20:2 Head Offset;0:0 Wait for Condition Indicator"},
    {"RCS-175", "RCS_RING_BUFFER_START", 0x2038, 0, 0xfffff000, "31:12 Starting Address"},
    {"RCS-176", "RCS_RING_BUFFER_CTL", 0x203c, 0, 0x1ff007,
     "20:12 Buffer Length;11:11 RBWait;10:10 Semaphore Wait;2:1 Automatic Report Head "
     "Pointer;0:0 Ring "
     "Buffer Enable"},
    {"RCS-177", "RCS_UHPTR", 0x2134, 0, 0xfffffff9,
     "31:3 Head Pointer Address;0:0 Head Pointer Valid"},
    {"RCS-179", "RCS_HWS_PGA", 0x4080, 0, 0xfffff000, "31:12 Hardware Status Page Address"},
    {"RCS-194", "RCS_PP_DCLV", 0x2220, 0, 0xffffffff, "31:0 PPGTT Directory Cache Restore"},
    {"RCS-195", "RCS_PP_DIR_BASE", 0x2228, 0, 0x7fff0000,
     "30:16 Page Directory Base Offset;0:0 PD Load Busy"},
    {"RCS-170", "BB_PREEMPT_ADDR", 0x2148, 0, 0, "31:2 Preempted Address"},
    {"RCS-170", "RING_BUFFER_HEAD_PREEMPT_REG", 0x214c, 0, 0,
     "20:2 Preempted Head Offset;1:0 Ring or Batch"},
    {"RCS-170", "BB_START_ADDR", 0x2150, 0, 0, NULL},
    {"RCS-170", "BB_ADDR_DIFF", 0x2154, 0, 0, "31:2 Difference"},
    {"RCS-170", "CXT_PIPESTATEBASE", 0x21b0, 0, 0xfffff001, "31:12 Base;0:0 Valid"},
    {"RCS-170", "RCS_CTX_WA_PTR", 0x2058, 0, 0xffffffff, NULL},
    {"RCS-170", "RCS_PSMI_CTL", 0x2050, 0, 5, "4:4 GO Indicator;3:3 IDLE Indicator"},
    {"RCS-170", "RCS_PWRCTX_MAXCNT", 0x2054, 0x40, 0xfffff, "19:0 IDLE Wait Time"},
};

/* RCS-053: the status page addresses, each at the arbiter's place and (video, blitter) the
 * streamer's. */
static void
status_page_addresses_have_two_places(void **state)
{
   proves("RCS-053");
   (void)state;
   static const uint32_t pair[2][2] = {{0x4180, 0x12080}, {0x4280, 0x22080}};
   struct pergola_device *dev = new_device(NULL);
   for (unsigned i = 0; i < 2; i++) {
      pergola_mmio_write(dev, pair[i][0], 4, 0x12345fff);
      assert_int_equal(pergola_mmio_read(dev, pair[i][1], 4), 0x12345000);
      pergola_mmio_write(dev, pair[i][1], 4, 0x00777000);
      assert_int_equal(pergola_mmio_read(dev, pair[i][0], 4), 0x00777000);
   }
   pergola_mmio_write(dev, 0x4080, 4, 0xabcdefff);
   assert_int_equal(pergola_mmio_read(dev, 0x4080, 4), 0xabcde000);
   pergola_device_destroy(dev);
}

/* Counters and 64-bit registers: both halves hold what is written and are saved with the context.
 */
struct counter {
   const char *id, *name;
   uint32_t offset;
};
static const struct counter counters[] = {
    {"RCS-016", "IA_VERTICES_COUNT", 0x2310},
    {"RCS-017", "IA_PRIMITIVES_COUNT", 0x2318},
    {"RCS-018", "VS_INVOCATION_COUNT", 0x2320},
    {"RCS-019", "HS_INVOCATION_COUNT", 0x2300},
    {"RCS-020", "DS_INVOCATION_COUNT", 0x2308},
    {"RCS-021", "GS_INVOCATION_COUNT", 0x2328},
    {"RCS-022", "GS_PRIMITIVES_COUNT", 0x2330},
    {"RCS-023", "CL_INVOCATION_COUNT", 0x2338},
    {"RCS-024", "CL_PRIMITIVES_COUNT", 0x2340},
    {"RCS-025", "PS_INVOCATION_COUNT", 0x2348},
    {"RCS-027", "PS_DEPTH_COUNT", 0x2350},
    {"RCS-028", "SO_NUM_PRIMS_WRITTEN_0", 0x5200},
    {"RCS-028", "SO_NUM_PRIMS_WRITTEN_1", 0x5208},
    {"RCS-028", "SO_NUM_PRIMS_WRITTEN_2", 0x5210},
    {"RCS-028", "SO_NUM_PRIMS_WRITTEN_3", 0x5218},
    {"RCS-029", "SO_PRIM_STORAGE_NEEDED_0", 0x5240},
    {"RCS-029", "SO_PRIM_STORAGE_NEEDED_1", 0x5248},
    {"RCS-029", "SO_PRIM_STORAGE_NEEDED_2", 0x5250},
    {"RCS-029", "SO_PRIM_STORAGE_NEEDED_3", 0x5258},
    {"RCS-031", "MI_PREDICATE_SRC0", 0x2400},
    {"RCS-032", "MI_PREDICATE_SRC1", 0x2408},
    {"RCS-033", "MI_PREDICATE_DATA", 0x2410},
};

/* 64 bits, which belong to the context. */
static void
counter_of_the_context(void **state)
{
   const struct counter *c = *state;
   proves(c->id);
   struct pergola_device *dev = new_device(NULL);
   const struct hw_register *row = hw_register_by_name(c->name, HW_IVB);
   assert_non_null(row);
   assert_int_equal(row->offset, c->offset);
   assert_int_equal(row->layout->length_dw, 2);
   const struct hw_register *upper = hw_register_at(row->offset + 4, HW_IVB);
   assert_true(row->context && upper->context && upper->layout == row->layout);
   assert_int_equal(pergola_mmio_read(dev, c->offset, 8), 0);
   pergola_mmio_write(dev, c->offset, 8, UINT64_C(0x1234567890abcdef));
   assert_int_equal(pergola_mmio_read(dev, c->offset, 8), UINT64_C(0x1234567890abcdef));
   assert_int_equal(pergola_mmio_read(dev, c->offset + 4, 4), 0x12345678);
   pergola_device_destroy(dev);
}

static const struct register_case indirect_and_predicate_registers[] = {
    {"RCS-030", "SO_WRITE_OFFSET_0", 0x5280, 0, 0xfffffffc, "31:2 Offset"},
    {"RCS-030", "SO_WRITE_OFFSET_1", 0x5284, 0, 0xfffffffc, "31:2 Offset"},
    {"RCS-030", "SO_WRITE_OFFSET_2", 0x5288, 0, 0xfffffffc, "31:2 Offset"},
    {"RCS-030", "SO_WRITE_OFFSET_3", 0x528c, 0, 0xfffffffc, "31:2 Offset"},
    {"RCS-034", "MI_PREDICATE_RESULT", 0x2418, 0, 1, "0:0 Result"},
    {"RCS-035", "3DPRIM_END_OFFSET", 0x2420, 0, 0xffffffff, NULL},
    {"RCS-036", "3DPRIM_START_VERTEX", 0x2430, 0, 0xffffffff, NULL},
    {"RCS-037", "3DPRIM_VERTEX_COUNT", 0x2434, 0, 0xffffffff, NULL},
    {"RCS-038", "3DPRIM_INSTANCE_COUNT", 0x2438, 0, 0xffffffff, NULL},
    {"RCS-039", "3DPRIM_START_INSTANCE", 0x243c, 0, 0xffffffff, NULL},
    {"RCS-040", "3DPRIM_BASE_VERTEX", 0x2440, 0, 0xffffffff, NULL},
    {"RCS-045", "GPGPU_DISPATCHDIMX", 0x2500, 0, 0xffffffff, NULL},
    {"RCS-046", "GPGPU_DISPATCHDIMY", 0x2504, 0, 0xffffffff, NULL},
    {"RCS-047", "GPGPU_DISPATCHDIMZ", 0x2508, 0, 0xffffffff, NULL},
};

/* Those of the table whose names begin so. */
static void
belong_to_the_context(const char *begin, unsigned expected)
{
   unsigned found = 0;
   for (size_t i = 0;
        i < sizeof(indirect_and_predicate_registers) / sizeof(indirect_and_predicate_registers[0]);
        i++) {
      const char *name = indirect_and_predicate_registers[i].name;
      if (strncmp(name, begin, strlen(begin)))
         continue;
      assert_true(hw_register_by_name(name, HW_IVB)->context);
      found++;
   }
   assert_int_equal(found, expected);
}

static void
primitive_registers_belong_to_the_context(void **state)
{
   proves("RCS-030", "RCS-034", "RCS-035", "RCS-036", "RCS-037", "RCS-038", "RCS-039", "RCS-040");
   (void)state;
   belong_to_the_context("SO_WRITE_OFFSET_", 4);
   belong_to_the_context("MI_PREDICATE_RESULT", 1);
   belong_to_the_context("3DPRIM_", 6);
}

static void
dispatch_registers_belong_to_the_context(void **state)
{
   proves("RCS-045", "RCS-046", "RCS-047");
   (void)state;
   belong_to_the_context("GPGPU_DISPATCHDIM", 3);
}

/* RCS-048: any write to the low dword resets the counter; both halves are saved with the context.
 */
static void
dispatched_threads_counter_is_reset_by_a_write(void **state)
{
   proves("RCS-048");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   reg_set(dev, 0x2290, 77);
   reg_set(dev, 0x2294, 3);
   assert_int_equal(pergola_mmio_read(dev, 0x2290, 8), UINT64_C(0x30000004d));
   pergola_mmio_write(dev, 0x2290, 4, 0x55);
   assert_int_equal(pergola_mmio_read(dev, 0x2290, 8), 0);
   assert_true(hw_register_at(0x2290, HW_IVB)->context && hw_register_at(0x2294, HW_IVB)->context);
   pergola_device_destroy(dev);
}

static const struct register_case arbiter_registers[] = {
    {"RCS-050", "PWRCTX_REST_DONE", 0x4000, 0, 1, "0:0 Restore Done"},
    {"RCS-050", "WR_WATERMARK", 0x4028, 0xffea4, 0xfffff,
     "19:19 Timeout Enable;18:8 Timeout;7:7 Watermark Enable;6:0 High Watermark"},
    {"RCS-050", "GFX_PRIO_CTRL", 0x402c, 0x11d10, 0x1ffff,
     "16:12 Read Max Reject;11:9 C Priority;8:6 Z Priority;5:3 L3 Priority;2:0 GAFM Priority"},
    {"RCS-050", "GFX_PEND_TLB_0", 0x4034, 0, 0xbfbfbfbf,
     "31:31 TEX Limit Enable;29:24 TEX Limit Count;23:23 DC Limit Enable;21:16 DC Limit "
     "Count;15:15 VF "
     "Limit Enable;13:8 VF Limit Count;7:7 VMC Limit Enable;5:0 VMC Limit Count"},
    {"RCS-050", "GFX_PEND_TLB_1", 0x4038, 0, 0xbfbfbfbf,
     "31:31 SOL Limit Enable;29:24 SOL Limit Count;23:23 L3 Limit Enable;21:16 L3 Limit "
     "Count;15:15 RCZ "
     "Limit Enable;13:8 RCZ Limit Count;7:7 RCC Limit Enable;5:0 RCC Limit Count"},
    {"RCS-051", "L3_LRA_0", 0x403c, 0x3f201f00, 0xffffffff,
     "31:24 LRA1 Max;23:16 LRA1 Min;15:8 LRA0 Max;7:0 LRA0 Min"},
    {"RCS-051", "L3_LRA_1", 0x4040, 0x0900ff40, 0x3f00ffff,
     "29:28 DC LRA Select;27:26 TEXTURE LRA Select;25:24 L3 LRA Select;15:8 LRA2 Max;7:0 LRA2 "
     "Min"},
    {"RCS-051", "CVS_TLB_LRA_0", 0x4044, 0x1f080700, 0x1f1f1f1f, NULL},
    {"RCS-051", "CVS_TLB_LRA_1", 0x4048, 0x1f18, 0x1f1f, NULL},
    {"RCS-051", "CVS_TLB_LRA_2", 0x404c, 5, 0x3f,
     "5:4 CS LRA Select;3:2 VF LRA Select;1:0 SO LRA Select"},
    {"RCS-051", "ZTLB_LRA_0", 0x4050, 0x1f107f00, 0x7f7f7f7f, NULL},
    {"RCS-051", "ZTLB_LRA_1", 0x4054, 0x2f20, 0x3f7f7f,
     "21:20 STC LRA Select;19:18 HIZ LRA Select;17:16 RCZ LRA Select;14:8 LRA2 Max;6:0 LRA2 "
     "Min"},
    {"RCS-051", "RCC_LRA_0", 0x4058, 0x3f100f00, 0x3f3f3f3f, NULL},
    {"RCS-051", "RCC_LRA_1", 0x405c, 0x10000, 0xf0000, "19:18 MSC LRA Select;17:16 RCC LRA Select"},
    {"RCS-051", "CASC_LRA_0", 0x4060, 0x1f100f00, 0xffffffff, NULL},
    {"RCS-051", "CASC_LRA_1", 0x4064, 0x3f302f20, 0xffffffff, NULL},
    {"RCS-051", "CASC_LRA_2", 0x4068, 0x9f40, 0xffff, NULL},
    {"RCS-051", "CASC_LRA_3", 0x406c, 0x14e4, 0x3ffff,
     "17:15 BCS LRA Select;14:12 BLB LRA Select;11:9 VCS LRA Select;8:6 VMX LRA Select;5:3 VMC "
     "LRA "
     "Select;2:0 VCR LRA Select"},
    {"RCS-052", "MEDIA_MAX_REQ_COUNT", 0x4070, 0x10202020, 0xffff3f3f,
     "31:24 GFX;23:16 MFX BLT;13:8 VLF;5:0 CASC"},
    {"RCS-052", "GFX_MAX_REQ_COUNT", 0x4074, 0x43f20101, 0xfff7efff,
     "31:26 GAP Writes;25:20 CVS;18:13 L3;11:6 Z;5:0 RCC"},
    {"RCS-055", "ERROR", 0x40a0, 0, 0x15f,
     "8:8 Unloaded PD;6:6 PD VT-d Translation Error;4:4 TLB VT-d Translation Error;3:3 Hardware "
     "Status "
     "Page Fault;2:2 Invalid PD Entry;1:1 Context Page Fault;0:0 TLB Page Fault"},
    {"RCS-055", "DONE_REG", 0x40b0, 0xffffffef, 0xffffffef,
     "31:31 CVS Credit;30:30 CVS TLB;29:29 Z Credit;28:28 Z TLB;27:27 RCC Credit;26:26 RCC "
     "TLB;25:25 L3 "
     "Credit;24:24 L3 TLB;23:23 VLF Credit;22:22 VLF TLB;21:21 CASC Credit;20:20 CASC TLB;19:19 "
     "Miss;18:18 Read Stream;17:17 Read Stream FIFO;16:16 Recycle FIFO;12:12 Read Route;2:2 "
     "Fence "
     "Idle;1:1 Non PD Load Done"},
    {"RCS-056", "TLB_RD_ADDR", 0x4700, 0, 0x3ff, "9:0 Entry Address"},
    {"RCS-056", "TLB_RD_DATA", 0x4704, 0, 0, NULL},
    {"RCS-145", "L3CD_ERROR_STATUS_1", 0xb008, 0, 0xffffffff, NULL},
    {"RCS-145", "L3CD_ERROR_STATUS_2", 0xb00c, 0, 0xffffffff, NULL},
};

static void
arbiter_registers_lie_together(void **state)
{
   proves("RCS-058");
   (void)state;
   /* RCS-058: everything of the list lies in 0x4000-0x47FF. */
   for (size_t i = 0; i + 2 < sizeof(arbiter_registers) / sizeof(arbiter_registers[0]); i++)
      assert_true(arbiter_registers[i].offset >= 0x4000 && arbiter_registers[i].offset <= 0x47ff);
   assert_int_equal(hw_register_by_name("GFX_ENG_FR", HW_IVB)->offset, 0x4094);
   assert_int_equal(hw_register_by_name("MEDIA_ENG_FR", HW_IVB)->offset, 0x4194);
   assert_int_equal(hw_register_by_name("BLT_ENG_FR", HW_IVB)->offset, 0x4294);
}

/* Debug views and triggers that the bus can only read: RCS-057, RCS-171, RCS-196, RCS-201. */
static void
debug_views_read_zero_and_ignore_writes(void **state)
{
   proves("RCS-057", "RCS-171", "RCS-196", "RCS-201");
   (void)state;
   static const struct {
      uint32_t first, last;
   } range[] = {
       {0x4720, 0x4720}, {0x4724, 0x4724}, {0x4728, 0x472c}, {0x4730, 0x473c}, {0x4740, 0x475c},
       {0x4760, 0x4770}, /* RCS-057 */
       {0x6ffc, 0x6ffc}, {0x7ffc, 0x7ffc}, {0x5ffc, 0x5ffc}, {0xe1fc, 0xe1fc}, {0xe0fc, 0xe0fc},
       {0xb1fc, 0xb1fc}, {0x51fc, 0x51fc}, {0x80fc, 0x80fc}, {0x52fc, 0x52fc}, /* RCS-171 */
       {0x4580, 0x45fc},                                                       /* RCS-196 */
       {0x4800, 0x48fc}, {0x4900, 0x49fc}, {0x4a00, 0x4afc}, {0x4b00, 0x4bfc}, {0x4780, 0x479c},
       {0x4708, 0x470c}, {0x4400, 0x44fc}, {0x4500, 0x457c}, {0x4600, 0x46fc}, /* RCS-201 */
   };
   struct pergola_device *dev = new_device(NULL);
   for (size_t i = 0; i < sizeof(range) / sizeof(range[0]); i++)
      for (uint32_t o = range[i].first; o <= range[i].last; o += 4) {
         const struct hw_register *row = hw_register_at(o, HW_IVB);
         if (!row)
            fail_msg("no register at 0x%x", o);
         assert_int_equal(row->access, HW_RO);
         pergola_mmio_write(dev, o, 4, 0xffffffff);
         assert_int_equal(pergola_mmio_read(dev, o, 4), 0);
      }
   pergola_device_destroy(dev);
}

/* RCS-189, RCS-190: the bits of IMR and HWSTAM; reserved ones stay masked. */
static void
interrupt_masks_keep_reserved_bits_set(void **state)
{
   proves("RCS-189", "RCS-190");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   static const struct {
      unsigned bit;
      const char *name;
   } bits[] = {{0, "User Interrupt"},      {2, "Sync Status"},    {3, "Master Error"},
               {4, "PIPE_CONTROL Notify"}, {5, "L3 Parity"},      {6, "Watchdog Expired"},
               {7, "Page Fault"},          {8, "Context Switch"}, {9, "Monitor Buffer Half Full"}};
   const struct hw_layout *l = hw_register_by_name("RCS_IMR", HW_IVB)->layout;
   for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
      const struct hw_field *f = find_field(l, bits[i].name, strlen(bits[i].name));
      assert_non_null(f);
      assert_int_equal(f->start, bits[i].bit);
   }
   assert_int_equal(pergola_mmio_read(dev, 0x20a8, 4), 0xffffffff);
   assert_int_equal(pergola_mmio_read(dev, 0x2098, 4), 0xffffffff);
   pergola_mmio_write(dev, 0x20a8, 4, 0);
   assert_int_equal(pergola_mmio_read(dev, 0x20a8, 4), ~0x3fdu);
   pergola_mmio_write(dev, 0x2098, 4, ~4u);
   assert_int_equal(pergola_mmio_read(dev, 0x2098, 4), ~4u);
   pergola_device_destroy(dev);
}

/* RCS-191: EIR write one to clear except the fatal bits; EMR upper bits are ones; ESR read only. */
static void
error_registers(void **state)
{
   proves("RCS-191");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   reg_set(dev, 0x20b0, 0x13);
   pergola_mmio_write(dev, 0x20b0, 4, 0xffff);
   assert_int_equal(pergola_mmio_read(dev, 0x20b0, 4) & 2, 0);
   assert_int_equal(pergola_mmio_read(dev, 0x20b0, 4) & 0x11, 0x11);
   assert_int_equal(pergola_mmio_read(dev, 0x20b4, 4), 0xffffffff);
   pergola_mmio_write(dev, 0x20b4, 4, 0xffffff00);
   assert_int_equal(pergola_mmio_read(dev, 0x20b4, 4), 0xffffff00);
   pergola_mmio_write(dev, 0x20b4, 4, 0x00000055);
   assert_int_equal(pergola_mmio_read(dev, 0x20b4, 4), 0xffffff55);
   assert_int_equal(hw_register_at(0x20b8, HW_IVB)->access, HW_RO);
   pergola_mmio_write(dev, 0x941c, 4, 2);
   assert_int_equal(pergola_mmio_read(dev, 0x20b0, 4), 0);
   pergola_device_destroy(dev);
}

/* RCS-010, VCS-016, VCS-031, VCS-040, VCS-044, VCS-038: bit n changes only with bit n + 16; the
 * mask reads 0. FF_MODE is a plain register. */
static void
masked_registers_change_only_enabled_bits(void **state)
{
   proves("RCS-010", "VCS-016", "VCS-031", "VCS-040", "VCS-044", "VCS-038");
   (void)state;
   static const struct {
      uint32_t offset, bit;
   } table[] = {
       {0x209c, 1u << 6},  {0x229c, 1u << 9},  {0x7008, 1u << 7},   {0x7000, 1u << 9},
       {0x7004, 1u << 5},  {0x212c, 1},        {0x20c0, 1u << 3},   {0x2028, 1u << 2},
       {0x4030, 1u << 5},  {0x2470, 1u << 2},  {0x12028, 1u << 3},  {0x1209c, 1u << 4},
       {0x1229c, 1u << 9}, {0x120c0, 1u << 6}, {0x120a0, 1u << 15},
   };
   struct pergola_device *dev = new_device(NULL);
   for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
      uint32_t o = table[i].offset, bit = table[i].bit;
      uint32_t before = (uint32_t)pergola_mmio_read(dev, o, 4);
      assert_int_equal(before >> 16, 0);
      pergola_mmio_write(dev, o, 4, bit);
      assert_int_equal(pergola_mmio_read(dev, o, 4), before);
      pergola_mmio_write(dev, o, 4, bit | bit << 16);
      assert_int_equal(pergola_mmio_read(dev, o, 4), before | bit);
      pergola_mmio_write(dev, o, 4, 0xffff & ~bit); /* no mask: nothing */
      assert_int_equal(pergola_mmio_read(dev, o, 4), before | bit);
      pergola_mmio_write(dev, o, 4, bit << 16);
      assert_int_equal(pergola_mmio_read(dev, o, 4), before & ~bit);
   }
   pergola_mmio_write(dev, 0x20a0, 4, 0x10);
   assert_int_equal(pergola_mmio_read(dev, 0x20a0, 4), 0x10);
   pergola_device_destroy(dev);
}

/* RCS-169: a matching context is reset, others are not. */
static void
match_context_id_resets_only_the_running_context(void **state)
{
   proves("RCS-169");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   reg_set(dev, REG_CCID, 0x55000101);
   pergola_mmio_write(dev, REG_RCS_UHPTR, 4, 0x1000);
   pergola_mmio_write(dev, 0x222c, 4, 0x66000001);
   assert_int_equal(pergola_mmio_read(dev, 0x222c, 4), 0x66000000);
   assert_int_equal(pergola_mmio_read(dev, REG_RCS_UHPTR, 4), 0x1000);
   pergola_mmio_write(dev, 0x222c, 4, 0x55000001);
   assert_int_equal(pergola_mmio_read(dev, 0x222c, 4), 0x55000002);
   assert_int_equal(pergola_mmio_read(dev, REG_RCS_UHPTR, 4), 0); /* it was a reset */
   pergola_device_destroy(dev);
}

/* RCS-042: violating and conforming. */
static void
zero_dispatch_dimension_is_reported(void **state)
{
   proves("RCS-042");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   pergola_mmio_write(dev, 0x2500, 4, 1);
   pergola_mmio_write(dev, 0x2508, 4, 0xffffffff);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_NOTE), 0);
   pergola_mmio_write(dev, 0x2504, 4, 0);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_ERROR), 1);
   pergola_device_destroy(dev);
}

int
main(void)
{
   struct CMUnitTest tests[160] = {
       cmocka_unit_test(gt_mode_of_valleyview),
       cmocka_unit_test(status_page_addresses_have_two_places),
       cmocka_unit_test(primitive_registers_belong_to_the_context),
       cmocka_unit_test(dispatch_registers_belong_to_the_context),
       cmocka_unit_test(dispatched_threads_counter_is_reset_by_a_write),
       cmocka_unit_test(arbiter_registers_lie_together),
       cmocka_unit_test(debug_views_read_zero_and_ignore_writes),
       cmocka_unit_test(interrupt_masks_keep_reserved_bits_set),
       cmocka_unit_test(error_registers),
       cmocka_unit_test(masked_registers_change_only_enabled_bits),
       cmocka_unit_test(match_context_id_resets_only_the_running_context),
       cmocka_unit_test(zero_dispatch_dimension_is_reported),
   };
   size_t count = 12;
   for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
      tests[count++] = (struct CMUnitTest){.name = counters[i].name,
                                           .test_func = counter_of_the_context,
                                           .initial_state = (void *)(uintptr_t)&counters[i]};
   count += REGISTER_CASES(tests + count, modes_and_parser_registers, "ivb-gt2");
   count += REGISTER_CASES(tests + count, ring_registers, "ivb-gt2");
   count += REGISTER_CASES(tests + count, indirect_and_predicate_registers, "ivb-gt2");
   count += REGISTER_CASES(tests + count, arbiter_registers, "ivb-gt2");
   return _cmocka_run_group_tests("registers_render", tests, count, NULL, NULL);
}
