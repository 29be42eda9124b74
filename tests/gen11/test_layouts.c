/* Ice Lake's registers, structures and commands against the places that the rows of the ledger
 * give, written here a second time. Asks the tables alone. */
#include "gen11_test.h"
#include "tests/places.h"
#include "tests/proves.h"

#include <stdio.h>

struct register_place {
   const char *id, *name;
   uint32_t offset;
   unsigned count, stride; /* 0: one, without a number in its name */
   uint32_t after_reset;
   const char *fields; /* "hi:lo Name;…": all that have a name; NULL: Value; "": not asked */
};

/* Of the command streamers: offsets from the start of each one's block. */
static const struct streamer {
   const char *name;
   uint32_t base;
} streamers[] = {{"RCS0", 0x2000},
                 {"BCS0", 0x22000},
                 {"VCS0", 0x1c0000},
                 {"VCS2", 0x1d0000},
                 {"VECS0", 0x1c8000}};

#define MASKED "31:16 Mask;15:0 Requests"
#define GRANTED "15:0 Granted"
#define HALVES "31:16 First;15:0 Second"
#define GU_MISC "31:28 Other;27:27 System Event;26:0 Low"
#define EVENTS "23:12 Event 1;11:0 Event 0"
#define IN_UNIT 0x55555555 /* after reset: the unit knows, not the table */
#define COUNTS "31:16 Block 2;15:0 Block 1"

/* clang-format off */
static const struct register_place registers[] = {
   {"SYS-034", "ICL_MASTER_INTERRUPT", 0x190010, 0, 0, 0,
    "31:31 Master Control Enable;30:30 PCU;29:29 GU Misc;16:16 Display;1:1 GT DW1;0:0 GT DW0"},
   {"SYS-034", "ICL_PCU_ISR", 0x444e0, 0, 0, 0, NULL},
   {"SYS-034", "ICL_PCU_IMR", 0x444e4, 0, 0, 0xffffffff, NULL},
   {"SYS-034", "ICL_PCU_IIR", 0x444e8, 0, 0, 0, NULL},
   {"SYS-034", "ICL_PCU_IER", 0x444ec, 0, 0, 0, NULL},
   {"SYS-034", "ICL_GU_MISC_ISR", 0x444f0, 0, 0, 0, GU_MISC},
   {"SYS-034", "ICL_GU_MISC_IMR", 0x444f4, 0, 0, 0xffffffff, GU_MISC},
   {"SYS-034", "ICL_GU_MISC_IIR", 0x444f8, 0, 0, 0, GU_MISC},
   {"SYS-034", "ICL_GU_MISC_IER", 0x444fc, 0, 0, 0, GU_MISC},
   {"SYS-034", "ICL_DISPLAY_INTERRUPT", 0x44200, 0, 0, 0,
    "31:31 Display Interrupt Enable;23:16 Sources"},
   /* The bits of the sources are those of SYS-037 and SYS-413. */
   {"SYS-042", "ICL_GT_INT_DW_0", 0x190018, 0, 0, 0,
    "31:31 CSME;30:29 Unassigned 30;28:28 Gunit;27:26 Unassigned 27;25:25 GuC;24:24 SCTRG;"
    "23:21 Unassigned 23;20:20 WDOAPerf;19:19 KCR;18:17 Unassigned 18;16:16 GTPM;15:15 BCS0;"
    "14:1 Unassigned 14;0:0 RCS0"},
   {"SYS-042", "ICL_GT_INT_DW_1", 0x19001c, 0, 0, 0,
    "31:31 VECS0;30:30 VECS1;29:29 VECS2;28:28 VECS3;27:8 Unassigned 27;7:7 VCS7;6:6 VCS6;"
    "5:5 VCS5;4:4 VCS4;3:3 VCS3;2:2 VCS2;1:1 VCS1;0:0 VCS0"},
   {"SYS-042", "ICL_SELECTOR", 0x190070, 2, 4, 0, NULL},
   {"SYS-042", "ICL_IDENTITY", 0x190060, 2, 4, 0, ""},
   {"SYS-056", "ICL_IDENTITY", 0x190060, 2, 4, 0,
    "31:31 Data Valid;29:27 VF ID;25:20 Instance ID;18:16 Class ID;15:0 Data"},
   {"SYS-070", "ICL_RENDER_COPY_INTR_ENABLE", 0x190030, 0, 0, 0, HALVES},
   {"SYS-070", "ICL_VCS_VECS_INTR_ENABLE", 0x190034, 0, 0, 0, HALVES},
   {"SYS-070", "ICL_GUC_SG_INTR_ENABLE", 0x190038, 0, 0, 0, HALVES},
   {"SYS-070", "ICL_GPM_WGBOXPERF_INTR_ENABLE", 0x19003c, 0, 0, 0, HALVES},
   {"SYS-070", "ICL_CRYPTO_RSVD_INTR_ENABLE", 0x190040, 0, 0, 0, HALVES},
   {"SYS-070", "ICL_GUNIT_CSME_INTR_ENABLE", 0x190044, 0, 0, 0, HALVES},
   {"SYS-070", "ICL_RCS0_RSVD_INTR_MASK", 0x190090, 0, 0, 0xffffffff, HALVES},
   {"SYS-070", "ICL_BCS_RSVD_INTR_MASK", 0x1900a0, 0, 0, 0xffffffff, HALVES},
   {"SYS-070", "ICL_VCS0_VCS1_INTR_MASK", 0x1900a8, 0, 0, 0xffffffff, HALVES},
   {"SYS-070", "ICL_VCS2_VCS3_INTR_MASK", 0x1900ac, 0, 0, 0xffffffff, HALVES},
   {"SYS-070", "ICL_VCS4_VCS5_INTR_MASK", 0x1900b0, 0, 0, 0xffffffff, HALVES},
   {"SYS-070", "ICL_VCS6_VCS7_INTR_MASK", 0x1900b4, 0, 0, 0xffffffff, HALVES},
   {"SYS-070", "ICL_VECS0_VECS1_INTR_MASK", 0x1900d0, 0, 0, 0xffffffff, HALVES},
   {"SYS-070", "ICL_VECS2_VECS3_INTR_MASK", 0x1900d4, 0, 0, 0xffffffff, HALVES},
   {"SYS-070", "ICL_GUC_SG_INTR_MASK", 0x1900e8, 0, 0, 0xffffffff, HALVES},
   {"SYS-070", "ICL_GPM_WGBOXPERF_INTR_MASK", 0x1900ec, 0, 0, 0xffffffff, HALVES},
   {"SYS-070", "ICL_CRYPTO_RSVD_INTR_MASK", 0x1900f0, 0, 0, 0xffffffff, HALVES},
   {"SYS-070", "ICL_GUNIT_CSME_INTR_MASK", 0x1900f4, 0, 0, 0xffffffff, HALVES},
   /* The aperture starts at 140000h; i915 reads 5948h and 5998h of the bridge. */
   {"SYS-077", "ICL_GT_PERF_STATUS", 0x140000 + 0x5948, 0, 0, 0, NULL},
   {"SYS-077", "ICL_RP_STATE_CAP", 0x140000 + 0x5998, 0, 0, 6 << 16 | 6 << 8 | 22,
    "23:16 Lowest;15:8 Efficient;7:0 Highest"},
   {"SYS-104", "ICL_GGC", 0x108040, 0, 0, 3 << 6 | 2 << 8 | 1 << 1 | 1, NULL},
   {"SYS-119", "ICL_BDSM", 0x1080c0, 0, 0, 0, "63:0 Value"},
   {"SYS-164", "ICL_FORCEWAKE_GT", 0xa188, 0, 0, 0, MASKED},
   {"SYS-164", "ICL_FORCEWAKE_ACK_GT", 0x130044, 0, 0, 0, GRANTED},
   {"SYS-165", "ICL_FORCEWAKE_RENDER", 0xa278, 0, 0, 0, MASKED},
   {"SYS-165", "ICL_FORCEWAKE_ACK_RENDER", 0xd84, 0, 0, 0, GRANTED},
   {"SYS-166", "ICL_FORCEWAKE_MEDIA_VDBOX", 0xa540, 8, 4, 0, MASKED},
   {"SYS-166", "ICL_FORCEWAKE_ACK_MEDIA_VDBOX", 0xd50, 8, 4, 0, GRANTED},
   {"SYS-174", "ICL_FORCEWAKE_MEDIA_VEBOX", 0xa560, 4, 4, 0, MASKED},
   {"SYS-174", "ICL_FORCEWAKE_ACK_MEDIA_VEBOX", 0xd70, 4, 4, 0, GRANTED},
   {"SYS-223", "ICL_MCR_SELECTOR", 0xfdc, 0, 0, 0x80000000,
    "31:31 Multicast;30:27 Slice;26:24 Instance;23:0 Other"},
   {"SYS-224", "ICL_EU_DISABLE", 0x9134, 0, 0, 0, NULL},
   {"SYS-224", "ICL_SLICE_ENABLE", 0x9138, 0, 0, 1, NULL},
   {"SYS-224", "ICL_SUBSLICE_DISABLE", 0x913c, 0, 0, 0, NULL},
   /* There are VDBOX 0 and 2, and VEBOX 0. */
   {"SYS-224", "ICL_MEDIA_DISABLE", 0x9140, 0, 0, (0xf & ~1u) << 16 | (0xff & ~5u),
    "31:20 Other;19:16 VEBOX;15:8 Middle;7:0 VDBOX"},
   {"SYS-254", "ICL_OACTXCONTROL", 0x2360, 0, 0, 0,
    "7:2 Timer Period;1:1 Timer Enable;0:0 Counter Resume"},
   {"SYS-255", "ICL_OACTXID", 0x2364, 0, 0, 0, "31:0 Context ID"},
   {"SYS-256", "ICL_OA_IMR", 0x2b20, 0, 0, IN_UNIT, /* the place: SYS-414 */
    "31:29 High;28:28 Buffer Half Full;27:0 Low"},
   {"SYS-257", "ICL_OASTATUS", 0x2b08, 0, 0, 0,
    "17:17 Tail Pointer Wrap;16:16 Head Pointer Wrap;3:3 Overrun Status;2:2 Counter Overflow;"
    "1:1 Buffer Overflow;0:0 Report Lost"},
   {"SYS-258", "ICL_OAHEADPTR", 0x2b0c, 0, 0, 0, "31:6 Address"},
   {"SYS-259", "ICL_OATAILPTR", 0x2b10, 0, 0, 0, "31:6 Address"},
   {"SYS-260", "ICL_OABUFFER", 0x2b14, 0, 0, 0, "31:6 Base;5:3 Size;0:0 Global GTT"},
   {"SYS-260", "ICL_OABUFFER_UPPER", 0x23b4, 0, 0, 0, NULL},
   {"SYS-261", "ICL_OASTARTTRIG_COUNTER", 0x2b18, 0, 0, 0, COUNTS}, /* SYS-414, the next too */
   {"SYS-262", "ICL_OARPTTRIG_COUNTER", 0x2b1c, 0, 0, 0, COUNTS},
   {"SYS-265", "ICL_OA_CEC", 0x2770, 16, 4, 0, NULL},
   {"SYS-267", "ICL_OACONTROL", 0x2b00, 0, 0, 0,
    "4:2 Counter Select;1:1 Specific Context Enable;0:0 Counter Enable"},
   {"SYS-267", "ICL_OA_DEBUG", 0x2b04, 0, 0, 0,
    "31:16 Mask;6:6 Include Clock Ratio;5:5 No Clock Ratio Reports;2:2 No GO Reports;"
    "1:1 No Context Switch Reports"},
   /* The places of the counters: SYS-274, of the free-running ones SYS-415. */
   {"SYS-268", "ICL_OAPERF_A", 0x2800, 32, 8, 0, "39:0 Value"},
   {"SYS-269", "ICL_OAPERF_NARROW_A", 0x2900, 4, 4, 0, NULL},
   {"SYS-270", "ICL_OAPERF_A_FREE", 0x2960, 4, 8, 0, "39:0 Value"},
   {"SYS-271", "ICL_OAPERF_B", 0x2920, 8, 4, 0, NULL},
   {"SYS-274", "ICL_OAPERF_GPU_TICKS", 0x2910, 0, 0, 0, NULL},
   {"SYS-274", "ICL_OAPERF_C", 0x2940, 8, 4, 0, NULL},
   {"SYS-274", "ICL_OAPERF_A", 0x2800, 32, 8, 0, ""},
   {"SYS-274", "ICL_OAPERF_NARROW_A", 0x2900, 4, 4, 0, ""},
   {"SYS-274", "ICL_OAPERF_B", 0x2920, 8, 4, 0, ""},
   /* Places: SYS-274; fields: SYS-370. */
   {"SYS-408", "ICL_EU_PERF_CNT_CTL0", 0xe458, 0, 0, IN_UNIT, EVENTS},
   {"SYS-408", "ICL_EU_PERF_CNT_CTL1", 0xe558, 0, 0, IN_UNIT, EVENTS},
   {"SYS-408", "ICL_EU_PERF_CNT_CTL2", 0xe658, 0, 0, IN_UNIT, EVENTS},
   {"SYS-408", "ICL_EU_PERF_CNT_CTL3", 0xe758, 0, 0, IN_UNIT, EVENTS},
   {"SYS-408", "ICL_EU_PERF_CNT_CTL4", 0xe45c, 0, 0, IN_UNIT, EVENTS},
   {"SYS-408", "ICL_EU_PERF_CNT_CTL5", 0xe55c, 0, 0, IN_UNIT, EVENTS},
   {"SYS-408", "ICL_EU_PERF_CNT_CTL6", 0xe65c, 0, 0, IN_UNIT, EVENTS},
   {"SYS-416", "ICL_OASTARTTRIG", 0x2710, 8, 4, 0, NULL},
   {"SYS-417", "ICL_OAREPORTTRIG", 0x2740, 8, 4, 0, NULL},
   {"SYS-418", "ICL_NOA_CONFIG", 0xd04, (0xd2c - 0xd04) / 4 + 1, 4, 0, NULL},
   {"SYS-418", "ICL_WAIT_FOR_RC6_EXIT", 0x20cc, 0, 0, 0, NULL},
   {"SYS-418", "ICL_OA_PERFCNT", 0x91b8, (0x91dc - 0x91b8) / 4 + 1, 4, 0, NULL},
   {"SYS-418", "ICL_NOA_9800", 0x9800, (0x9888 - 0x9800) / 4 + 1, 4, 0, NULL},
   {"SYS-418", "ICL_NOA_E180", 0xe180, 0, 0, 0, NULL},
   {"SYS-420", "RCS0_R_PWR_CLK_STATE", 0x20c8, 0, 0, 0,
    "31:31 Enable;30:20 Reserved Stored;19:19 Force Media Awake;18:18 Slice Count Enable;"
    "17:12 Slice Count;11:11 Subslice Count Enable;10:8 Subslice Count;7:4 EU Max;3:0 EU Min"},
   {"SYS-423", "ICL_GDRST", 0x941c, 0, 0, 0,
    "20:17 SFC;16:16 VECS3;15:15 VECS2;14:14 VECS1;13:13 VECS0;12:12 VCS7;11:11 VCS6;10:10 VCS5;"
    "9:9 VCS4;8:8 VCS3;7:7 VCS2;6:6 VCS1;5:5 VCS0;4:4 Reserved Stored;3:3 GuC;2:2 BCS0;1:1 RCS0;"
    "0:0 Full"},
   {"SYS-475", "ICL_FPGA_DBG", 0x42300, 0, 0, 0, "31:31 Unclaimed Access"},
};

static const struct register_place of_streamers[] = {
   {"SYS-021", "RING_IMR", 0xa8, 0, 0, 0, NULL},
   {"SYS-422", "RING_TAIL", 0x30, 0, 0, 0, "20:3 Tail Offset"},
   {"SYS-422", "EXECLIST_SUBMIT", 0x230, 0, 0, 0, NULL},
   {"SYS-422", "EXECLIST_SQ", 0x510, 8, 8, 0, "63:0 Value"},
   {"SYS-422", "EXECLIST_CONTROL", 0x550, 0, 0, 0, "0:0 Load"},
   {"SYS-423", "RESET_CTL", 0xd0, 0, 0, 0,
    "31:16 Mask;2:2 Catastrophic Error;1:1 Ready;0:0 Request"},
};
/* clang-format on */

static unsigned
named(const struct hw_layout *l)
{
   unsigned n = 0;
   for (unsigned i = 0; i < l->field_count; i++)
      n += l->fields[i].type < HW_MBZ;
   return n;
}

static void
check_fields(const struct hw_layout *l, const char *fields)
{
   unsigned expected = 0;
   for (const char *p = fields; *p; expected++) {
      unsigned hi, lo;
      int used;
      char name[48];
      assert_int_equal(sscanf(p, "%u:%u %47[^;]%n", &hi, &lo, name, &used), 3);
      const struct hw_field *f = find(l, name);
      if (f->start != lo || f->end != hi)
         fail_msg("%s: %s is at %u:%u", l->name, name, f->end, f->start);
      p += used + (p[used] == ';');
   }
   assert_int_equal(named(l), expected);
}

static void
check_one(const struct register_place *p, const char *name, uint32_t offset)
{
   const struct hw_register *r = hw_register_by_name(name, HW_ICL);
   if (!r)
      fail_msg("%s: no register %s", p->id, name);
   if (r->offset != offset || (p->after_reset != IN_UNIT && r->default_value != p->after_reset))
      fail_msg("%s: %s is at 0x%x and holds 0x%x after reset", p->id, name, r->offset,
               r->default_value);
   assert_ptr_equal(hw_register_at(offset, HW_ICL), r);
   if (!p->fields || *p->fields)
      check_fields(r->layout, p->fields ? p->fields : "31:0 Value");
}

static void
check_register(const struct register_place *p, const char *before, uint32_t base)
{
   char name[64];
   for (unsigned i = 0; i < (p->count ? p->count : 1); i++) {
      int n = snprintf(name, sizeof(name), "%s%s", before, p->name);
      if (p->count)
         snprintf(name + n, sizeof(name) - (size_t)n, "_%u", i);
      check_one(p, name, base + p->offset + i * p->stride);
   }
   if (p->count) /* there is no other */
      snprintf(name, sizeof(name), "%s%s_%u", before, p->name, p->count);
   if (p->count)
      assert_null(hw_register_by_name(name, HW_ICL));
}

static void
registers_of_a_row(void **state)
{
   const char *id = *state;
   proves(id);
   for (size_t i = 0; i < N(registers); i++)
      if (!strcmp(registers[i].id, id))
         check_register(&registers[i], "", 0);
   for (size_t i = 0; i < N(of_streamers); i++)
      for (size_t s = 0; s < N(streamers) && !strcmp(of_streamers[i].id, id); s++) {
         char before[8];
         snprintf(before, sizeof(before), "%s_", streamers[s].name);
         check_register(&of_streamers[i], before, streamers[s].base);
      }
}

/* SYS-421: places by the domain that their range is in. */
enum { NONE = WAKE_NONE, GT = WAKE_GT, RENDER = WAKE_RENDER, VD0 = 2, VD2 = 4, VE0 = 10 };
static const struct domain_place {
   const char *name;
   uint32_t offset;
   int domain;
} ranged[] = {
    {"ICL_RPM_CONFIG0", 0xd00, NONE},
    {"ICL_PGTBL_ER", 0x2024, RENDER},
    {"ICL_CHICKEN_2090", 0x2090, RENDER},
    {"ICL_CHICKEN_20D4", 0x20d4, RENDER},
    {"ICL_CHICKEN_20E0", 0x20e0, RENDER},
    {"ICL_CHICKEN_20EC", 0x20ec, RENDER},
    {"ICL_STATISTICS_0", 0x2310, RENDER},
    {"ICL_CHICKEN_2580", 0x2580, RENDER},
    {"ICL_GLOBAL_MOCS_0", 0x4000, GT},
    {"ICL_ARB_MODE", 0x4030, GT},
    {"ICL_RING_FAULT", 0x4094, GT},
    {"ICL_GAM_40E0_0", 0x40e0, GT},
    {"ICL_TLB_INVALIDATE_0", 0x4260, GT},
    {"ICL_TLB_INVALIDATE_4", 0x4270, GT},
    {"ICL_FAULT_TLB_DATA_0", 0x4b10, GT},
    {"ICL_FAULT_TLB_DATA_1", 0x4b14, GT},
    {"ICL_WMBE_5500", 0x5500, RENDER},
    {"ICL_WMBE_5FFC", 0x5ffc, RENDER},
    {"ICL_CHICKEN_7004", 0x7004, RENDER},
    {"ICL_CHICKEN_7008", 0x7008, RENDER},
    {"ICL_CHICKEN_7010", 0x7010, RENDER},
    {"ICL_CHICKEN_7014", 0x7014, RENDER},
    {"ICL_CHICKEN_7018", 0x7018, RENDER},
    {"ICL_CHICKEN_701C", 0x701c, RENDER},
    {"ICL_SLICE_7100", 0x7100, RENDER},
    {"ICL_CHICKEN_7300", 0x7300, RENDER},
    {"ICL_CHICKEN_7304", 0x7304, RENDER},
    {"ICL_MCFG_0", 0x8000, GT},
    {"ICL_INF_UNIT", 0x9118, GT},
    {"ICL_UNSLICE_9420_0", 0x9420, GT},
    {"ICL_SUBSLICE_94D0_0", 0x94d0, RENDER},
    {"ICL_PM_A000_0", 0xa000, GT},
    {"ICL_CTC_MODE", 0xa26c, GT},
    {"ICL_L3_STATUS_0", 0xb000, RENDER},
    {"ICL_LNCF_MOCS_0", 0xb020, RENDER},
    {"ICL_LNCF_MOCS_31", 0xb09c, RENDER},
    {"ICL_L3_BANK_0", 0xb100, RENDER},
    {"ICL_GUC_STATUS", 0xc000, GT},
    {"ICL_ENGINE_MOCS_C800_0", 0xc800, GT},
    {"ICL_ENGINE_MOCS_10000_0", 0x10000, GT},
    {"ICL_SAMPLER_INSTDONE_0", 0xe160, RENDER},
    {"ICL_SAMPLER_INSTDONE_1", 0xe164, RENDER},
    {"ICL_CHICKEN_E184", 0xe184, RENDER},
    {"ICL_CHICKEN_E18C", 0xe18c, RENDER},
    {"ICL_CHICKEN_E7FC", 0xe7fc, RENDER},
    {"RCS0_RING_HEAD", 0x2034, RENDER},
    {"RCS0_RING_START", 0x2038, RENDER},
    {"RCS0_RING_CTL", 0x203c, RENDER},
    {"RCS0_CS_GPR_15", 0x2678, RENDER},
    {"BCS0_RING_MI_MODE", 0x2209c, GT},
    {"BCS0_EXECLIST_STATUS", 0x22234, GT},
    {"BCS0_CONTEXT_CONTROL", 0x22244, GT},
    {"ICL_DFSM", 0x51000, NONE},
    {"ICL_PVINFO_0", 0x78000, NONE},
    {"ICL_FENCE_0", 0x100000, NONE},
    {"ICL_GFX_FLUSH_CNTL", 0x101008, NONE},
    {"ICL_GT_THREAD_STATUS", 0x13805c, NONE},
    {"ICL_RC6_RESIDENCY_0", 0x138104, NONE},
    {"ICL_PCODE_MAILBOX", 0x138124, NONE},
    {"ICL_PCODE_DATA_0", 0x138128, NONE},
    {"VCS0_RING_ACTHD", 0x1c0074, VD0},
    {"ICL_VCS0_88C", 0x1c088c, VD0},
    {"ICL_VCS0_1000", 0x1c1000, VD0},
    {"ICL_VCS0_3F18", 0x1c3f18, VD0},
    {"VECS0_CONTEXT_STATUS_PTR", 0x1c83a0, VE0},
    {"ICL_VECS0_2014", 0x1ca014, VE0},
    {"VCS2_EXECUTION_MODE", 0x1d029c, VD2},
    {"ICL_VCS2_2A00", 0x1d2a00, VD2},
    {"ICL_VCS2_3F10", 0x1d3f10, VD2},
};

static void
registers_lie_in_their_domains(void **state)
{
   proves("SYS-421");
   (void)state;
   for (size_t i = 0; i < N(ranged); i++) {
      const struct hw_register *r = hw_register_by_name(ranged[i].name, HW_ICL);
      if (!r)
         fail_msg("no register %s", ranged[i].name);
      if (r->offset != ranged[i].offset || (int)gen11_wake_domain(r->offset) != ranged[i].domain)
         fail_msg("%s is at 0x%x, domain %d", r->layout->name, r->offset,
                  gen11_wake_domain(r->offset));
   }
}

static void
check_all(const struct hw_layout *l, const struct place *p, size_t count)
{
   check_places(l, p, count);
   assert_int_equal(named(l), count);
}

static void
messages(void **state)
{
   proves("SYS-004", "SYS-019", "SYS-021", "SYS-022", "SYS-024", "SYS-277");
   (void)state;
   static const struct place message[] = {{"VF", 0, 29, 27, "SYS-024"},
                                          {"Instance", 0, 25, 20, NULL},
                                          {"Class", 0, 18, 16, "SYS-004"},
                                          {"Data", 0, 15, 0, "SYS-019"}};
   check_all(hw_struct_by_name("INTERRUPT_MESSAGE"), message, N(message));
   static const struct place streamer[] = {
       {"User", 0, 0, 0, NULL},           {"Error", 0, 3, 3, NULL},
       {"Notify", 0, 4, 4, NULL},         {"Page Fault", 0, 7, 7, NULL},
       {"Context Switch", 0, 8, 8, NULL}, {"Wait on Semaphore", 0, 11, 11, NULL}};
   check_all(hw_struct_by_name("STREAMER_EVENTS"), streamer, N(streamer));
   static const struct place counters[] = {{"OA Buffer Half Full", 0, 12, 12, NULL}};
   check_all(hw_struct_by_name("WDOAPERF_EVENTS"), counters, N(counters));
}

static void
triggers(void **state)
{
   proves("SYS-263", "SYS-275", "SYS-416");
   (void)state;
   static const struct place start[] = {
       {"Invert A", 0, 15, 0, NULL},          {"Invert B", 0, 19, 16, NULL},
       {"Invert C", 0, 21, 20, NULL},         {"Invert D", 0, 22, 22, NULL},
       {"Threshold Enable", 0, 23, 23, NULL}, {"Start Flag", 0, 24, 24, NULL},
       {"Event Select", 0, 31, 28, NULL}};
   const struct hw_layout *l = hw_struct_by_name("OA_START_TRIGGER_CONTROL");
   check_all(l, start, N(start));
   assert_int_equal(l->mbz[0], 7u << 25);
   static const struct place report[] = {
       {"Invert A", 0, 15, 0, NULL},          {"Invert B", 0, 19, 16, NULL},
       {"Invert C", 0, 21, 20, NULL},         {"Invert D", 0, 22, 22, NULL},
       {"Threshold Enable", 0, 23, 23, NULL}, {"Report Trigger Enable", 0, 31, 31, NULL}};
   l = hw_struct_by_name("OA_REPORT_TRIGGER_CONTROL");
   check_all(l, report, N(report));
   assert_int_equal(l->mbz[0], 0x7fu << 24);
   static const struct place half_full = {"Buffer Half Full", 0, 28, 28, "SYS-275"};
   check_place(hw_register_by_name("ICL_OA_IMR", HW_ICL)->layout, &half_full);
}

static void
check_values(const struct hw_field *f, const char *const *names, unsigned count)
{
   assert_int_equal(f->value_count, count);
   for (unsigned i = 0; i < count; i++) {
      assert_int_equal(f->values[i].value, i);
      assert_string_equal(f->values[i].name, names[i]);
   }
}

static void
events_and_reports(void **state)
{
   proves("SYS-295", "SYS-308", "SYS-370", "SYS-411");
   (void)state;
   static const struct place event[] = {{"Fine Filter", 0, 11, 8, NULL},
                                        {"Coarse Filter", 0, 7, 4, NULL},
                                        {"Increment Event", 0, 3, 0, NULL}};
   check_all(hw_struct_by_name("OA_EU_EVENT"), event, N(event));
   static const struct place custom[] = {{"Compare Function", 0, 2, 0, NULL},
                                         {"Compare Value", 0, 18, 3, NULL},
                                         {"Source", 0, 20, 19, NULL},
                                         {"Negate", 0, 31, 21, NULL},
                                         {"Mask", 1, 15, 0, NULL},
                                         {"Considerations", 1, 31, 16, NULL}};
   const struct hw_layout *l = hw_struct_by_name("OA_CUSTOM_EVENT");
   check_all(l, custom, N(custom));
   static const char *const functions[] = {"Any Equal",        "Greater", "Equal",
                                           "Greater or Equal", "Less",    "Not Equal",
                                           "Less or Equal",    "Reserved"};
   check_values(find(l, "Compare Function"), functions, N(functions));
   static const char *const sources[] = {"Internal Signals", "Previous Block", "Boolean Events",
                                         "Reserved"};
   check_values(find(l, "Source"), sources, N(sources));
   static const struct place id[] = {{"Slice Clock Frequency", 0, 31, 25, NULL},
                                     {"Report Reason", 0, 24, 19, NULL},
                                     {"Start Trigger Event", 0, 18, 18, NULL},
                                     {"Threshold Enable", 0, 17, 17, NULL},
                                     {"Render Context Valid", 0, 16, 16, NULL},
                                     {"Slice Clock Frequency High", 0, 10, 9, "SYS-308"},
                                     {"Unslice Clock Frequency", 0, 8, 0, "SYS-308"}};
   check_all(hw_struct_by_name("OA_REPORT_ID"), id, N(id));
}

/* `header`: with the least length. */
static const struct hw_layout *
command(const char *name, uint32_t header, unsigned length_dw)
{
   const struct hw_command *c = hw_command_by_name(name, HW_ICL);
   assert_non_null(c);
   assert_int_equal(c->header, header & c->header_mask);
   assert_int_equal(hw_command_length(c, header), length_dw);
   assert_int_equal(c->layout.length_dw, length_dw);
   return &c->layout;
}

static void
commands(void **state)
{
   proves("SYS-179", "SYS-182", "SYS-238", "SYS-412");
   (void)state;
   static const struct place wake[] = {{"Mask Bits", 1, 31, 16, "SYS-179"},
                                       {"Force Media Slice 3 Awake", 1, 4, 4, "SYS-179"},
                                       {"Force Media Slice 2 Awake", 1, 3, 3, "SYS-179"},
                                       {"Force Media Slice 1 Awake", 1, 2, 2, "SYS-179"},
                                       {"Force Render Awake", 1, 1, 1, "SYS-179"},
                                       {"Force Media Slice 0 Awake", 1, 0, 0, "SYS-179"}};
   const struct hw_layout *l = command("MI_FORCE_WAKEUP", 0x1du << 23, 2);
   check_all(l, wake, N(wake));
   assert_int_equal(l->mbz[0], 0x007fff00);
   static const struct place select[] = {{"Mask Bits", 0, 15, 8, "SYS-182"},
                                         {"Force Media Awake", 0, 5, 5, "SYS-182"},
                                         {"Media Sampler DOP Clock Gate Enable", 0, 4, 4, NULL},
                                         {"Pipeline Selection", 0, 1, 0, NULL}};
   l = command("PIPELINE_SELECT", 3u << 29 | 1u << 27 | 1u << 24 | 4u << 16, 1);
   check_all(l, select, N(select));
   static const struct place report[] = {{"Memory Address", 1, 47, 6, "SYS-412"},
                                         {"Core Mode Enable", 1, 4, 4, "SYS-412"},
                                         {"Use Global GTT", 1, 0, 0, "SYS-412"},
                                         {"Report ID", 3, 31, 0, "SYS-412"}};
   l = command("MI_REPORT_PERF_COUNT", 0x28u << 23 | 2, 4);
   check_places(l, report, N(report));
   assert_int_equal(l->mbz[0], 0x007fffc0);
   assert_int_equal(l->mbz[1], 1u << 5 | 7u << 1);
   assert_int_equal(l->mbz[2], 0xffff0000);
   assert_int_equal(l->mbz[3], 0);
}

/* A case for every row of the two tables. */
static size_t
row_cases(struct CMUnitTest *tests, const struct register_place *p, size_t count, size_t before)
{
   size_t used = before;
   for (size_t i = 0; i < count; i++) {
      bool again = false;
      for (size_t k = 0; k < used; k++)
         again |= !strcmp(tests[k].name, p[i].id);
      if (!again)
         tests[used++] = (struct CMUnitTest){.name = p[i].id,
                                             .test_func = registers_of_a_row,
                                             .initial_state = (void *)(uintptr_t)p[i].id};
   }
   return used;
}

int
main(void)
{
   struct CMUnitTest tests[N(registers) + N(of_streamers) + 5] = {
       cmocka_unit_test(registers_lie_in_their_domains),
       cmocka_unit_test(messages),
       cmocka_unit_test(triggers),
       cmocka_unit_test(events_and_reports),
       cmocka_unit_test(commands),
   };
   size_t count = row_cases(tests, registers, N(registers), 5);
   count = row_cases(tests, of_streamers, N(of_streamers), count);
   return _cmocka_run_group_tests("gen11_layouts", tests, count, NULL, NULL);
}
