/* Registers of the system side: interrupts, power, reset, fences, mirrors; both parts. */
#include "register_table.h"
#include "tests/proves.h"

static const struct register_case interrupt_registers[] = {
    /* SYS-442, MEM-013, VCS-313: the three banks. */
    {"SYS-442", "DEISR", 0x44000, 0, 0, NULL},
    {"SYS-442", "DEIMR", 0x44004, 0xffffffff, 0xffffffff, NULL},
    {"SYS-442", "DEIIR", 0x44008, 0, 0, NULL},
    {"SYS-443", "DEIER", 0x4400c, 0, 0xff007fff,
     "31:31 Master Interrupt Control;30:30 Error Interrupts Combined;29:29 GSE;28:28 PCH "
     "Display "
     "Interrupt;27:27 DP A Hot Plug;26:26 AUX A Done;25:25 DPST Histogram;24:24 DPST Phase "
     "In;14:14 Sprite "
     "C Flip Done;13:13 Primary C Flip Done;12:12 Line Compare C;11:11 VSync C;10:10 VBlank "
     "C;9:9 Sprite B "
     "Flip Done;8:8 Primary B Flip Done;7:7 Line Compare B;6:6 VSync B;5:5 VBlank B;4:4 Sprite "
     "A Flip "
     "Done;3:3 Primary A Flip Done;2:2 Line Compare A;1:1 VSync A;0:0 VBlank A"},
    {"SYS-442", "GTISR", 0x44010, 0, 0, NULL},
    {"SYS-442", "GTIMR", 0x44014, 0xffffffff, 0xffffffff, NULL},
    {"SYS-442", "GTIIR", 0x44018, 0, 0, NULL, "MEM-013"},
    {"SYS-444", "GTIER", 0x4401c, 0, 0x675dd3fd,
     "30:30 Blitter Context Switch;29:29 Blitter Page Directory Fault;26:26 Blitter MI_FLUSH_DW "
     "Notify;25:25 Blitter Streamer Error;24:24 Blitter Sync Flush Status;22:22 Blitter User "
     "Interrupt;20:20 Video Context Switch;19:19 Video Page Directory Fault;18:18 Video "
     "Watchdog;16:16 "
     "Video MI_FLUSH_DW Notify;15:15 Video Streamer Error;14:14 Video Sync Flush Status;12:12 "
     "Video User "
     "Interrupt;9:9 Render Monitor Buffer Half Full;8:8 Render Context Switch;7:7 Render Page "
     "Directory "
     "Fault;6:6 Render Watchdog;5:5 L3 Parity Error;4:4 Render PIPE_CONTROL Notify;3:3 Render "
     "Streamer "
     "Error;2:2 Render Sync Flush Status;0:0 Render User Interrupt",
     "VCS-312"},
    {"SYS-442", "PMISR", 0x44020, 0, 0, NULL},
    {"SYS-442", "PMIMR", 0x44024, 0xffffffff, 0xffffffff, NULL},
    {"SYS-442", "PMIIR", 0x44028, 0, 0, NULL},
    {"SYS-445", "PMIER", 0x4402c, 0, 0x3000076,
     "25:25 Pcode to Driver Mailbox;24:24 PCU Thermal;6:6 RP Down Timeout in RC6;5:5 RP Up "
     "Threshold;4:4 RP "
     "Down Threshold;2:2 Up Evaluation Interval;1:1 Down Evaluation Interval"},
    {"SYS-445", "PMINTRMSK", 0xa168, 0xffffffff, 0xffffffff, NULL},
    {"SYS-446", "ERR_INT", 0x44040, 0, 0,
     "31:31 Poison;29:29 Invalid GTT PTE;28:28 Invalid PTE Data;23:21 Pipe C GTT Faults;20:18 "
     "Pipe B GTT "
     "Faults;17:15 Pipe A GTT Faults;13:13 Unclaimed MMIO Access;8:8 Pipe C CRC Done;6:6 Pipe C "
     "FIFO "
     "Underrun;5:5 Pipe B CRC Done;3:3 Pipe B FIFO Underrun;2:2 Pipe A CRC Done;0:0 Pipe A FIFO "
     "Underrun"},
    {"SYS-447", "HOTPLUG_CTL", 0x44030, 0, 0x1c, "4:4 Enable;3:2 Pulse Width;1:0 Status"},
    {"SYS-447", "SDEISR", 0xc4000, 0, 0, NULL},
    {"SYS-447", "SDEIMR", 0xc4004, 0xffffffff, 0xffffffff, NULL},
    {"SYS-447", "SDEIIR", 0xc4008, 0, 0, NULL},
    {"SYS-447", "SDEIER", 0xc400c, 0, 0xeeeb0777,
     "31:31 Audio Power D;27:27 AUX D;25:25 AUX B;23:23 Hot Plug D;21:21 Hot Plug B;19:19 CRT "
     "Hot "
     "Plug;17:17 GMBUS;16:16 South Error;8:8 FDI RX C;4:4 FDI RX B;0:0 FDI RX A"},
    {"SYS-448", "DE_RRMR", 0x44050, 0, 0x70ef2f,
     "22:22 Pipe C Horizontal Blank;21:21 Pipe C Vertical Blank;20:20 Sprite C Flip;15:15 "
     "Primary C "
     "Flip;14:14 Pipe C Scan Line;13:13 Pipe B Horizontal Blank;11:11 Pipe B Vertical "
     "Blank;10:10 Sprite B "
     "Flip;9:9 Primary B Flip;8:8 Pipe B Scan Line;5:5 Pipe A Horizontal Blank;3:3 Pipe A "
     "Vertical "
     "Blank;2:2 Sprite A Flip;1:1 Primary A Flip;0:0 Pipe A Scan Line"},
    {"SYS-449", "RCS_IMR", 0x20a8, 0xffffffff, 0xffffffff,
     "9:9 Monitor Buffer Half Full;8:8 Context Switch;7:7 Page Fault;6:6 Watchdog Expired;5:5 "
     "L3 "
     "Parity;4:4 PIPE_CONTROL Notify;3:3 Master Error;2:2 Sync Status;0:0 User Interrupt"},
    {"SYS-449", "RCS_HWSTAM", 0x2098, 0xffffffff, 0xffffffff, NULL},
    {"SYS-450", "RCS_EIR", 0x20b0, 0, 0, "0:0 Instruction Error"},
    {"SYS-450", "RCS_EMR", 0x20b4, 0xffffffff, 0xffffffff, "7:0 Error Mask"},
    {"SYS-450", "RCS_ESR", 0x20b8, 0, 0, NULL},
    {"SYS-451", "BCS_IMR", 0x220a8, 0xffffffff, 0xffffffff,
     "29:29 Page Directory Fault;26:26 MI_FLUSH_DW Notify;25:25 Master Error;24:24 Sync "
     "Status;22:22 User "
     "Interrupt"},
    {"SYS-451", "BCS_HWSTAM", 0x22098, 0xffffffff, 0xffffffff, NULL},
};

static const struct register_case valleyview_interrupt_registers[] = {
    {"SYS-454", "VLV_MASTER_IER", 0x4400c, 0, 0x80000000, "31:31 Master Interrupt Control"},
    {"SYS-454", "GTIMR", 0x44014, 0xffffffff, 0xffffffff, NULL, "VCS-313"},
    {"SYS-454", "PMIMR", 0x44024, 0xffffffff, 0xffffffff, NULL},
    {"SYS-454", "VLV_SCRATCH", 0x18209c, 0, 0xffffffff, NULL},
    {"SYS-454", "VLV_IIR_RW", 0x182084, 0, 0x80fe80ff, NULL},
    {"MEM-038", "VLV_IER", 0x1820a0, 0, 0x80fe80ff,
     "31:31 VED Power;23:23 VED Block;22:22 ISP;21:21 LPE Pipe B;20:20 LPE Pipe A;19:19 MIPI "
     "B;18:18 MIPI "
     "A;17:17 Hot Plug;15:15 Master Error;7:7 Pipe A Vertical Blank;6:6 Pipe A Event;5:5 Pipe B "
     "Vertical "
     "Blank;4:4 Pipe B Event;3:3 DPBM A;2:2 DPBM B;1:1 GAM Write Invalid;0:0 ASLE"},
    {"MEM-038", "VLV_IIR", 0x1820a4, 0, 0, NULL},
    {"MEM-038", "VLV_IMR", 0x1820a8, 0xffffffff, 0xffffffff, NULL},
    {"MEM-038", "VLV_ISR", 0x1820ac, 0, 0, NULL},
    {"SYS-454", "VLV_PWRCTX_BASE", 0x182120, 0, 0xfffff001, "31:12 Address;0:0 Lock"},
    {"SYS-455", "VLV_EIR", 0x1820b0, 0, 0,
     "6:6 TLB Data Error;5:5 TLB PTE Error;4:4 Page Table Error;0:0 Claim Error"},
    {"SYS-455", "VLV_EMR", 0x1820b4, 0x71, 0x71, NULL},
    {"SYS-455", "VLV_ESR", 0x1820b8, 0, 0, NULL},
    {"MEM-032", "VLV_IOSF_DOORBELL", 0x182100, 0, 0xfffffffe, "0:0 Busy"},
    {"MEM-032", "VLV_IOSF_DATA", 0x182104, 0, 0xffffffff, NULL},
    {"MEM-032", "VLV_IOSF_ADDR", 0x182108, 0, 0xffffffff, NULL},
};

static const struct register_case power_and_reset_registers[] = {
    {"SYS-457", "FORCEWAKE", 0xa18c, 0, 1, "0:0 Request"},
    {"SYS-457", "FORCEWAKE_ACK", 0x130090, 0, 0, "0:0 Acknowledge"},
    {"SYS-458", "FORCEWAKE_MT", 0xa188, 0, 0xffff, "15:0 Request"},
    {"SYS-458", "FORCEWAKE_MT_ACK", 0x130040, 0, 0, "15:0 Acknowledge"},
    {"SYS-458", "ECOBUS", 0xa180, 0x20, 0xffffffff, "5:5 Multi-Threaded Force Wake"},
    {"SYS-459", "GT_THREAD_STATUS", 0x13805c, 0x80000000, 0x80000000,
     "31:31 Active;11:8 Wished State;6:4 Power Down State;2:0 Thread C-State"},
    {"SYS-459", "GT_CORE_STATUS", 0x138060, 0x80000000, 0x80000000,
     "31:31 Active;24:24 Block Request;6:4 CPD State;2:0 Core C-State"},
    {"SYS-460", "GTFIFOCTL", 0x120008, 0x40, 0xffffffc0, "6:0 Free Entries"},
    {"SYS-460", "GTFIFODBG", 0x120000, 0, 0,
     "6:6 Sideband Drop;5:5 Blob Drop;4:4 Sideband Read Abort;3:3 Drop;2:2 Overflow;1:1 CPU "
     "Write "
     "Error;0:0 CPU Read Error"},
    {"SYS-463", "RC6_RESIDENCY", 0x138108, 0, 0, NULL},
    {"SYS-463", "RC6P_RESIDENCY", 0x13810c, 0, 0, NULL},
    {"SYS-463", "RC6PP_RESIDENCY", 0x138110, 0, 0, NULL},
    {"SYS-464", "PCODE_DATA", 0x138128, 0, 0xffffffff, NULL},
    {"SYS-464", "PCODE_DATA1", 0x13812c, 0, 0xffffffff, NULL},
    {"SYS-464", "G2P_EVENTS", 0x138164, 0, 0, "7:0 Events"},
    {"SYS-465", "GDRST", 0x941c, 0, 0,
     "3:3 Blitter Domain Reset;2:2 Media Domain Reset;1:1 Render Domain Reset;0:0 Full Soft "
     "Reset"},
    {"SYS-466", "RSTCTL", 0x9420, 0, 0xf, "3:2 Stagger;1:0 Residency"},
    {"SYS-466", "MISCCPCTL", 0x9424, 0, 0xffffffff,
     "1:1 No L1 Clock Gating in Resets;0:0 DOP Clock Gating Enable"},
    {"SYS-466", "FLRCTLMSG", 0x8100, 0, 0, "0:0 Start GT FLR"},
    {"SYS-466", "CGMSG", 0x8104, 0, 3, "1:1 Gate Media Clock;0:0 Gate Row Clock"},
    {"SYS-466", "RSTFCTLMSG", 0x8108, 0, 0xf3, NULL},
    {"SYS-468", "OACONTROL", 0x2360, 0, 0xffffffff,
     "31:12 Context ID;11:6 Timer Period Exponent;5:5 Timer Enable;4:2 Counter Select;1:1 "
     "Specific Context "
     "Enable;0:0 Performance Counter Enable"},
    {"SYS-469", "OASTATUS1", 0x2364, 0, 0xffffffff,
     "31:6 Tail Pointer;5:3 Inter Trigger Report Buffer Size;2:2 Counter Overflow;1:1 Buffer "
     "Overflow;0:0 "
     "Report Lost"},
    {"SYS-469", "OASTATUS2", 0x2368, 0, 0xffffffc1, "31:6 Head Pointer;0:0 Memory Select"},
    {"SYS-469", "OABUFFER", 0x23b0, 0, 0xffffffc7,
     "31:6 Report Buffer Offset;2:2 Report Trigger Edge;1:1 Stop-Resume Enable;0:0 Resume "
     "Counting"},
    {"SYS-473", "CEC0_0", 0x2390, 0, 0x1fffff,
     "20:19 Source;18:3 Compare Value;2:0 Compare Function"},
    {"SYS-473", "CEC0_1", 0x2394, 0, 0xffffffff, "31:16 Considerations;15:0 Mask"},
    {"SYS-473", "CEC1_0", 0x2398, 0, 0x1fffff, NULL},
    {"SYS-473", "CEC1_1", 0x239c, 0, 0xffffffff, NULL},
    {"SYS-473", "CEC2_0", 0x23a0, 0, 0x1fffff, NULL},
    {"SYS-473", "CEC2_1", 0x23a4, 0, 0xffffffff, NULL},
    {"SYS-473", "CEC3_0", 0x23a8, 0, 0x1fffff, NULL},
    {"SYS-473", "CEC3_1", 0x23ac, 0, 0xffffffff, NULL},
    {"SYS-473", "OASTARTTRIG1", 0x238c, 0, 0xffffffff, NULL},
    {"SYS-473", "OASTARTTRIG2", 0x2388, 0, 0xffffffff, NULL},
    {"SYS-473", "OAREPORTTRIG1", 0x237c, 0, 0xffffffff, NULL},
    {"SYS-473", "OAREPORTTRIG2", 0x2378, 0, 0xffffffff, NULL},
};

static const struct register_case power_and_reset_registers_vlv[] = {
    {"SYS-462", "FORCEWAKE_VLV", 0x1300b0, 0, 0xffff, "15:0 Request"},
    {"SYS-462", "FORCEWAKE_ACK_VLV", 0x1300b4, 0, 0, "15:0 Acknowledge"},
    {"SYS-462", "FORCEWAKE_MEDIA_VLV", 0x1300b8, 0, 0xffff, "15:0 Request"},
    {"SYS-462", "FORCEWAKE_ACK_MEDIA_VLV", 0x1300bc, 0, 0, "15:0 Acknowledge"},
    {"SYS-462", "GTLC_WAKE_CTRL", 0x130090, 0, 0x3000001,
     "25:25 Render Context Exists;24:24 Media Context Exists;0:0 ALLOWWAKEREQ"},
    {"SYS-462", "GTLC_PW_STATUS", 0x130094, 0xa0, 0xa0,
     "7:7 Render Well Status;5:5 Media Well Status;1:1 ALLOWWAKEERR;0:0 ALLOWWAKEACK"},
    {"SYS-462", "GTLC_SURVIVABILITY", 0x130098, 0, 0xc, "3:3 Clock Status;2:2 Force Clock On"},
    {"SYS-463", "VLV_COUNTER_CONTROL", 0x138104, 0, 0x8003,
     "15:15 Counter Range High;1:1 Media Count Enable;0:0 Render Count Enable"},
    {"SYS-466", "MISCCPCTL", 0x9424, 2, 0xffffffff, NULL},
};

static const struct register_case system_agent_registers[] = {
    {"SYS-439", "TOLUD", 0x108000, 0, 0, "31:20 Top of Low Usable DRAM"},
    {"SYS-439", "GGC", 0x108040, 0x213, 0x213,
     "14:14 VAMEN;9:8 GTT Size;7:3 Stolen Memory;1:1 IGD VGA Disable;0:0 Lock"},
    {"SYS-439", "TOUUD", 0x108080, 0, 0, "38:20 Top of Upper Usable DRAM"},
    {"SYS-439", "BDSM", 0x1080c0, 0, 0, "31:20 Base of Data Stolen Memory"},
    {"SYS-439", "BGSM", 0x108100, 0x100000, 0x100000, "31:20 Base of GTT Stolen Memory"},
    {"SYS-439", "PMEN", 0x1081c0, 0, 0, NULL},
    {"SYS-439", "PLMLIMIT", 0x108240, 0, 0, NULL},
    {"SYS-439", "PHMBASE", 0x108280, 0, 0, NULL},
    {"SYS-439", "VTD_COMMAND", 0x108300, 0, 0, NULL},
    {"SYS-439", "EMRR_BASE", 0x108340, 0, 0, NULL},
    {"SYS-439", "EMRR_MASK", 0x108380, 0, 0, NULL},
    {"MEM-045", "STOLEN_RESERVED", 0x1082c0, 0, 0, "31:20 Base;5:4 Size;0:0 Enable"},
    {"SYS-440", "FENCE_0", 0x100000, 0, 0xfffff003,
     "63:44 Upper Bound Page;42:32 Pitch;31:12 Lower Bound Page;1:1 Tile Walk;0:0 Valid"},
    {"RCS-198", "FENCE_15", 0x100078, 0, 0xfffff003,
     "63:44 Upper Bound Page;31:12 Lower Bound Page;1:1 Tile Walk;0:0 Valid"},
    {"SYS-440", "FENCE_31", 0x1000f8, 0, 0xfffff003, NULL},
    {"SYS-440", "DPFC_CPU_FENCE", 0x100100, 0, 0x2000001f, "29:29 Fence Enable;4:0 Fence Number"},
    {"SYS-440", "DPFC_Y_OFFSET", 0x100104, 0, 0x3fffff, "21:0 Y Offset"},
    {"SYS-440", "TILECTL", 0x101000, 0, 0xffffffff,
     "1:0 Address Bit 6 Swizzle;2:2 No Tile-Y TLB Prefetch;3:3 No Back Snoop"},
    {"SYS-440", "GFX_FLSH_CNTL", 0x101008, 0, 0, NULL},
    {"SYS-474", "MAD_DIMM_C0", 0x145004, 8, 8, "7:0 DIMM A Size;15:8 DIMM B Size"},
    {"SYS-474", "MAD_DIMM_C1", 0x145008, 0, 0, "7:0 DIMM A Size;15:8 DIMM B Size"},
    {"SYS-474", "GT_PERF_STATUS", 0x145948, 0, 0, "15:8 Current Ratio"},
    {"SYS-474", "RP_STATE_LIMITS", 0x145994, 0xff, 0xff, NULL},
    {"SYS-474", "RP_STATE_CAP", 0x145998, 0x70d17, 0x70d17, "7:0 RP0;15:8 RP1;23:16 RPn"},
    {"MEM-044", "DISP_ARB_CTL", 0x45000, 0, 0xffffffff, NULL},
    {"MEM-046", "BCS_SWCTRL", 0x22200, 0, 3, "1:1 Tile Y Destination;0:0 Tile Y Source"},
    {"MEM-047", "GAM_ECOCHK", 0x4090, 0, 0xffffffff, NULL},
    {"MEM-047", "GAC_ECO_BITS", 0x14090, 0, 0xffffffff, NULL},
};

static void
what_the_firmware_has_set(void **state)
{
   proves("MEM-023", "MEM-029", "MEM-044", "RCS-198", "SYS-440");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   /* MEM-044, MEM-023: unequal channels, no swizzle. MEM-029: the frequencies of the row. */
   assert_int_not_equal(pergola_mmio_read(dev, 0x145004, 4), pergola_mmio_read(dev, 0x145008, 4));
   assert_int_equal(pergola_mmio_read(dev, 0x145998, 1), 0x17);
   assert_int_equal(pergola_mmio_read(dev, 0x145999, 1), 0x0d);
   assert_int_equal(pergola_mmio_read(dev, 0x14599a, 1), 0x07);
   assert_int_equal(pergola_mmio_read(dev, 0x145994, 4), 0xff);
   /* RCS-198: the upper half of a fence: [63:44] and the pitch. */
   pergola_mmio_write(dev, 0x100004, 4, 0xffffffff);
   assert_int_equal(pergola_mmio_read(dev, 0x100004, 4), 0xfffff7ff);
   pergola_device_destroy(dev);
   assert_null(hw_register_at(0x100080, HW_VLV)); /* SYS-440: sixteen on Valleyview */
   assert_non_null(hw_register_at(0x100078, HW_VLV));
}

static const struct register_case l3_registers[] = {
    {"MEM-034", "L3SQCREG1", 0xb010, 0x01730000, 0xffffffff,
     "23:20 General Priority Credits;19:16 High Priority Credits;24:24 Convert DC to "
     "Uncached;25:25 Convert "
     "IS to Uncached;26:26 Convert C to Uncached;27:27 Convert T to Uncached"},
    {"MEM-034", "L3SQCREG2", 0xb014, 0x4567, 0xffffffff, NULL},
    {"MEM-034", "L3SQCREG3", 0xb018, 0x1abf, 0xffffffff, NULL},
    {"MEM-034", "L3CNTLREG1", 0xb01c, 0x8c47ff80, 0xffffffff, NULL},
    {"MEM-035", "L3CNTLREG2", 0xb020, 0x80040, 0xffffffff,
     "0:0 SLM Enable;6:1 URB Ways;7:7 URB Low Bandwidth;13:8 ALL Ways;19:14 RO Ways;20:20 RO "
     "Low "
     "Bandwidth;26:21 DC Ways;27:27 DC Low Bandwidth",
     "SFV-108"},
    {"MEM-035", "L3CNTLREG3", 0xb024, 0, 0xffffffff,
     "6:1 IS Ways;7:7 IS Low Bandwidth;13:8 C Ways;14:14 C Low Bandwidth;20:15 T Ways;21:21 T "
     "Low "
     "Bandwidth",
     "SFV-109"},
    {"MEM-034", "L3SLMREG", 0xb028, 0x40000000, 0xffffffff,
     "31:31 Disable Periodic Slot Allocation;30:27 SLM SQ Pending Max", "SFV-110"},
    {"MEM-034", "GARBCNTLREG", 0xb02c, 0x29000000, 0xffffffff, NULL},
    {"MEM-034", "L3SQCREG4", 0xb034, 0x88000000, 0xffffffff, NULL},
    {"MEM-034", "L3_ERROR_LOG_0", 0xb070, 0, 0xffffffff, NULL},
    {"MEM-034", "L3_ERROR_LOG_31", 0xb0ec, 0, 0xffffffff, NULL},
};

static void
l3_registers_return_with_a_render_reset(void **state)
{
   proves("MEM-014");
   (void)state;
   /* MEM-014: the L3 registers return with a render reset and belong to the context. */
   struct pergola_device *dev = new_device(NULL);
   pergola_mmio_write(dev, 0xb020, 4, 1);
   pergola_mmio_write(dev, 0x941c, 4, 2);
   assert_int_equal(pergola_mmio_read(dev, 0xb020, 4), 0x80040);
   assert_true(hw_register_at(0xb020, HW_IVB)->context);
   pergola_device_destroy(dev);
}

/* MEM-030, MEM-031: registers that a driver writes and expects to read back. */
static void
storage_registers_read_back(void **state)
{
   proves("MEM-030", "MEM-031");
   (void)state;
   static const uint32_t plain[] = {0xa008, 0xa010, 0xa014, 0xa024, 0xa02c, 0xa030, 0xa068, 0xa06c,
                                    0xa070, 0xa090, 0xa094, 0xa098, 0xa09c, 0xa0a0, 0xa0a8, 0xa0ac,
                                    0xa0b0, 0xa0b4, 0xa0b8, 0xa0bc, 0xa0c0, 0xa168, /* MEM-030 */
                                    0x9400, 0x9404, 0x9408, 0x940c, 0x9410, 0x9414, 0x9424, 0x9030,
                                    0xb000, 0xb01c, 0xb030, 0xb034}; /* MEM-031 */
   static const uint32_t masked[] = {0x2084, 0x208c, 0x2090, 0x20d0, 0x20e0, 0x7010,
                                     0x7014, 0xe100, 0xe184, 0xe4f4, 0xf4f4};
   struct pergola_device *dev = new_device(NULL);
   for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
      uint32_t value = 0x3c07ff8c ^ (uint32_t)i;
      pergola_mmio_write(dev, plain[i], 4, value);
      if (pergola_mmio_read(dev, plain[i], 4) != value)
         fail_msg("0x%x does not read back", plain[i]);
      pergola_mmio_write(dev, plain[i], 4, 0);
   }
   for (size_t i = 0; i < sizeof(masked) / sizeof(masked[0]); i++) {
      pergola_mmio_write(dev, masked[i], 4, 0x84218421);
      if (pergola_mmio_read(dev, masked[i], 4) != 0x8421)
         fail_msg("0x%x does not read back", masked[i]);
   }
   pergola_device_destroy(dev);
}

/* SYS-427: where Valleyview's registers lie. */
static void
valleyview_register_space(void **state)
{
   proves("SYS-427");
   (void)state;
   static const struct {
      uint32_t first, last;
   } range[] = {{0x0, 0x3ffff},
                {0x40000, 0xfffff},
                {0x100000, 0x17ffff},
                {0x181000, 0x182fff},
                {0x183000, 0x1fffff}}; /* the last: the display's copy */
   unsigned count[5] = {0};
   for (size_t i = 0; i < hw_register_count; i++) {
      if (!(hw_registers[i].devices & HW_VLV))
         continue;
      bool found = false;
      for (unsigned k = 0; k < 5; k++)
         if (hw_registers[i].offset >= range[k].first && hw_registers[i].offset <= range[k].last) {
            count[k]++;
            found = true;
         }
      if (!found)
         fail_msg("%s at 0x%x lies in no block", hw_registers[i].layout->name,
                  hw_registers[i].offset);
   }
   for (unsigned k = 0; k < 5; k++)
      assert_true(count[k] > 0);
   struct pergola_device *dev = new_device("vlv");
   pergola_mmio_write(dev, 0x3ffffc, 4, 0x1003); /* the last entry of the GTT window */
   assert_int_equal(pergola_mmio_read(dev, 0x3ffffc, 4), 0x1003);
   pergola_device_destroy(dev);
}

static void
idle_units_read_all_ones(void **state)
{
   proves("MEM-033");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   static const uint32_t table[] = {0x206c, 0x7100, 0xe160, 0xe164, 0x1206c, 0x2206c};
   for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
      assert_int_equal(pergola_mmio_read(dev, table[i], 4), 0xffffffff);
   pergola_device_destroy(dev);
}

int
main(void)
{
   struct CMUnitTest tests[160] = {
       cmocka_unit_test(what_the_firmware_has_set),
       cmocka_unit_test(l3_registers_return_with_a_render_reset),
       cmocka_unit_test(storage_registers_read_back),
       cmocka_unit_test(idle_units_read_all_ones),
       cmocka_unit_test(valleyview_register_space),
   };
   size_t count = 5;
   count += REGISTER_CASES(tests + count, interrupt_registers, "ivb-gt2");
   count += REGISTER_CASES(tests + count, valleyview_interrupt_registers, "vlv");
   count += REGISTER_CASES(tests + count, power_and_reset_registers_vlv, "vlv");
   count += REGISTER_CASES(tests + count, power_and_reset_registers, "ivb-gt2");
   count += REGISTER_CASES(tests + count, system_agent_registers, "ivb-gt2");
   count += REGISTER_CASES(tests + count, l3_registers, "vlv");
   count += REGISTER_CASES(tests + count, l3_registers, "ivb-gt2");
   return _cmocka_run_group_tests("registers_system", tests, count, NULL, NULL);
}
