/* Registers by name: offset, value after a reset and fields, as the rows of the ledger give them.
 * Where a row has numbers without names, the names are those of Linux' driver (i915_reg.h). */
#include "layouts.h"
#include "tests/places.h"
#include "tests/proves.h"

/* fields: "high:low name; …"; NULL: not looked at. */
struct expected_register {
   const char *id, *name;
   uint32_t offset, value;
   const char *fields;
};

/* What both families of parts have. */
static const struct expected_register common[] = {
    {"RCS-026", "RCS_TIMESTAMP", 0x2358, 0, "35:0 Count"},
    {"RCS-026", "BCS_TIMESTAMP", 0x22358, 0, "35:0 Count"},
    {"VCS-192", "VCS_TIMESTAMP", 0x12358, 0, "35:0 Count"},
    {"RCS-054", "GFX_ENG_FR", 0x4094, 0, "31:12 Virtual Page Address; 10:3 Source ID; 0:0 Valid"},
    {"RCS-054", "MEDIA_ENG_FR", 0x4194, 0, "31:12 Virtual Page Address; 10:3 Source ID; 0:0 Valid"},
    {"RCS-054", "BLT_ENG_FR", 0x4294, 0, "31:12 Virtual Page Address; 10:3 Source ID; 0:0 Valid"},
    {"VCS-306", "MEDIA_ENG_FR", 0x4194, 0, "31:12 Virtual Page Address; 10:3 Source ID; 0:0 Valid"},
    {"RCS-200", "GDRST", 0x941c, 0,
     "3:3 Blitter Domain Reset; 2:2 Media Domain Reset; 1:1 Render Domain Reset; 0:0 Full Soft "
     "Reset"},
    /* The power context, in the order of the image; values where a row of the register has one. */
    {"RCS-140", "RCS_RING_BUFFER_START", 0x2038, 0, NULL},
    {"RCS-140", "RCS_RING_BUFFER_CTL", 0x203c, 0, NULL},
    {"RCS-140", "RVSYNC", 0x2040, 0, NULL},
    {"RCS-140", "RBSYNC", 0x2044, 0, NULL},
    {"RCS-140", "RCS_PSMI_CTL", 0x2050, 0, NULL},
    {"RCS-140", "RCS_PWRCTX_MAXCNT", 0x2054, 0x40, NULL},
    {"RCS-140", "RCS_CTX_WA_PTR", 0x2058, 0, NULL},
    {"RCS-140", "RCS_NOPID", 0x2094, 0, NULL},
    {"RCS-140", "RCS_HWSTAM", 0x2098, 0xffffffff, NULL},
    {"RCS-140", "FF_MODE", 0x20a0, 0x28a01010, NULL},
    {"RCS-140", "RCS_IMR", 0x20a8, 0xffffffff, NULL},
    {"RCS-140", "CMD_CCTL_0", 0x20c4, 0, NULL},
    {"RCS-140", "GAFS_MODE", 0x212c, 0, NULL},
    {"RCS-140", "RCS_UHPTR", 0x2134, 0, NULL},
    {"RCS-140", "BB_PREEMPT_ADDR", 0x2148, 0, NULL},
    {"RCS-140", "RING_BUFFER_HEAD_PREEMPT_REG", 0x214c, 0, NULL},
    {"RCS-140", "CXT_OFFSET", 0x21ac, 0, NULL},
    {"RCS-140", "CXT_PIPESTATEBASE", 0x21b0, 0, NULL},
    {"RCS-140", "PREEMPT_DLY", 0x2214, 0, NULL},
    {"RCS-140", "RCS_GFX_MODE", 0x229c, 0x2800, NULL},
    {"RCS-140", "MTCH_CID_RST", 0x222c, 0, NULL},
    {"RCS-140", "RLCONTENT_0", 0x2250, 0, NULL},
    {"RCS-140", "RLCONTENT_1", 0x2254, 0, NULL},
    {"RCS-140", "RLCONTENT_7", 0x226c, 0, NULL},
    {"RCS-140", "RLCONTENT_8", 0x2270, 0, NULL},
    {"RCS-140", "RLCONTENT_15", 0x228c, 0, NULL},
    {"RCS-140", "SYNC_FLIP_STATUS", 0x22d0, 0, NULL},
    {"RCS-140", "SYNC_FLIP_STATUS_1", 0x22d4, 0, NULL},
    {"RCS-144", "SARB_ERROR_STATUS", 0xb004, 0, NULL},
    {"RCS-144", "L3CD_ERROR_STATUS_1", 0xb008, 0, NULL},
    {"RCS-144", "L3CD_ERROR_STATUS_2", 0xb00c, 0, NULL},
    {"RCS-144", "L3SQCREG1", 0xb010, 0x01730000, NULL},
    {"RCS-144", "L3SQCREG2", 0xb014, 0x4567, NULL},
    {"RCS-144", "L3SQCREG3", 0xb018, 0x1abf, NULL},
    {"RCS-144", "L3CNTLREG1", 0xb01c, 0x8c47ff80, NULL},
    {"RCS-144", "L3CNTLREG2", 0xb020, 0x00080040, NULL},
    {"RCS-144", "L3CNTLREG3", 0xb024, 0, NULL},
    {"RCS-144", "L3SLMREG", 0xb028, 0x40000000, NULL},
    {"RCS-144", "GARBCNTLREG", 0xb02c, 0x29000000, NULL},
    {"RCS-144", "L3SQCREG4", 0xb034, 0x88000000, NULL},
    {"RCS-144", "L3_SCRATCH_PAD", 0xb038, 0, NULL},
    {"RCS-148", "TD_CTL2", 0xe404, 0, NULL},
    {"RCS-148", "TD_VF_VS_EMSK", 0xe408, 0, NULL},
    {"RCS-148", "TD_GS_EMSK", 0xe40c, 0, NULL},
    {"RCS-148", "TD_WIZ_EMSK", 0xe410, 0, NULL},
    {"RCS-148", "TD_TS_EMSK", 0xe428, 0, NULL},
    {"RCS-148", "TD_HS_EMSK", 0xe4b0, 0, NULL},
    {"RCS-148", "TD_DS_EMSK", 0xe4b4, 0, NULL},
    {"RCS-149", "SUPERSPAN_COUNT", 0x5520, 0, NULL},
    {"VCS-314", "GTSCRATCH_0", 0x4f100, 0, NULL},
    {"VCS-314", "GTSCRATCH_7", 0x4f11c, 0, NULL},
    {"MEM-030", "RPNSWREQ", 0xa008, 0, NULL},
    {"MEM-030", "RC_VIDEO_FREQ", 0xa00c, 0, NULL},
    {"MEM-030", "RP_DOWN_TIMEOUT", 0xa010, 0, NULL},
    {"MEM-030", "RP_INTERRUPT_LIMITS", 0xa014, 0, NULL},
    {"MEM-030", "RPSTAT1", 0xa01c, 0, NULL},
    {"MEM-030", "RP_CONTROL", 0xa024, 0, NULL},
    {"MEM-030", "RP_UP_THRESHOLD", 0xa02c, 0, NULL},
    {"MEM-030", "RP_DOWN_THRESHOLD", 0xa030, 0, NULL},
    {"MEM-030", "RP_CUR_UP_EI", 0xa050, 0, NULL},
    {"MEM-030", "RP_CUR_UP", 0xa054, 0, NULL},
    {"MEM-030", "RP_PREV_UP", 0xa058, 0, NULL},
    {"MEM-030", "RP_CUR_DOWN_EI", 0xa05c, 0, NULL},
    {"MEM-030", "RP_CUR_DOWN", 0xa060, 0, NULL},
    {"MEM-030", "RP_PREV_DOWN", 0xa064, 0, NULL},
    {"MEM-030", "RP_UP_EI", 0xa068, 0, NULL},
    {"MEM-030", "RP_DOWN_EI", 0xa06c, 0, NULL},
    {"MEM-030", "RP_IDLE_HYSTERSIS", 0xa070, 0, NULL},
    {"MEM-030", "RC_CONTROL", 0xa090, 0, NULL},
    {"MEM-030", "RC_STATE", 0xa094, 0, NULL},
    {"MEM-030", "RC1_WAKE_RATE_LIMIT", 0xa098, 0, NULL},
    {"MEM-030", "RC6_WAKE_RATE_LIMIT", 0xa09c, 0, NULL},
    {"MEM-030", "RC6PP_WAKE_RATE_LIMIT", 0xa0a0, 0, NULL},
    {"MEM-030", "RC_EVALUATION_INTERVAL", 0xa0a8, 0, NULL},
    {"MEM-030", "RC_IDLE_HYSTERSIS", 0xa0ac, 0, NULL},
    {"MEM-030", "RC_SLEEP", 0xa0b0, 0, NULL},
    {"MEM-030", "RC1E_THRESHOLD", 0xa0b4, 0, NULL},
    {"MEM-030", "RC6_THRESHOLD", 0xa0b8, 0, NULL},
    {"MEM-030", "RC6P_THRESHOLD", 0xa0bc, 0, NULL},
    {"MEM-030", "RC6PP_THRESHOLD", 0xa0c0, 0, NULL},
    {"MEM-031", "3D_CHICKEN", 0x2084, 0, NULL},
    {"MEM-031", "3D_CHICKEN2", 0x208c, 0, NULL},
    {"MEM-031", "3D_CHICKEN3", 0x2090, 0, NULL},
    {"MEM-031", "CHICKEN_20D0", 0x20d0, 0, NULL},
    {"MEM-031", "CHICKEN_20E0", 0x20e0, 0, NULL},
    {"MEM-031", "ECOSKPD", 0x21d0, 0, NULL},
    {"MEM-031", "COMMON_SLICE_CHICKEN1", 0x7010, 0, NULL},
    {"MEM-031", "COMMON_SLICE_CHICKEN2", 0x7014, 0, NULL},
    {"MEM-031", "SQ_CHICKEN_MBCUNIT_CONFIG", 0x9030, 0, NULL},
    {"MEM-031", "UCGCTL1", 0x9400, 0, NULL},
    {"MEM-031", "UCGCTL2", 0x9404, 0, NULL},
    {"MEM-031", "UCGCTL3", 0x9408, 0, NULL},
    {"MEM-031", "UCGCTL4", 0x940c, 0, NULL},
    {"MEM-031", "RCGCTL1", 0x9410, 0, NULL},
    {"MEM-031", "RCGCTL2", 0x9414, 0, NULL},
    {"MEM-031", "L3_CHICKEN_B000", 0xb000, 0, NULL},
    {"MEM-031", "L3_CHICKEN_MODE_REGISTER", 0xb030, 0, NULL},
    {"MEM-031", "HALF_SLICE_CHICKEN1", 0xe100, 0, NULL},
    {"MEM-031", "HALF_SLICE_CHICKEN3", 0xe184, 0, NULL},
    {"MEM-031", "ROW_CHICKEN", 0xe4f0, 0, NULL},
    {"MEM-031", "ROW_CHICKEN2", 0xe4f4, 0, NULL},
    {"MEM-031", "ROW_CHICKEN2_GT2", 0xf4f4, 0, NULL},
    {"MEM-033", "RCS_INSTDONE", 0x206c, 0xffffffff, NULL},
    {"MEM-033", "VCS_INSTDONE", 0x1206c, 0xffffffff, NULL},
    {"MEM-033", "BCS_INSTDONE", 0x2206c, 0xffffffff, NULL},
    {"MEM-033", "SC_INSTDONE", 0x7100, 0xffffffff, NULL},
    {"MEM-033", "SAMPLER_INSTDONE", 0xe160, 0xffffffff, NULL},
    {"MEM-033", "ROW_INSTDONE", 0xe164, 0xffffffff, NULL},
    {"MEM-034", "L3SQCREG1", 0xb010, 0x01730000, NULL},
    {"MEM-034", "L3SQCREG2", 0xb014, 0x4567, NULL},
    {"MEM-034", "L3SQCREG3", 0xb018, 0x1abf, NULL},
    {"MEM-034", "L3CNTLREG1", 0xb01c, 0x8c47ff80, NULL},
    {"MEM-034", "L3CNTLREG2", 0xb020, 0x00080040, NULL},
    {"MEM-034", "L3CNTLREG3", 0xb024, 0, NULL},
    {"MEM-034", "L3SLMREG", 0xb028, 0x40000000, NULL},
    {"MEM-034", "GARBCNTLREG", 0xb02c, 0x29000000, NULL},
    {"MEM-034", "L3SQCREG4", 0xb034, 0x88000000, NULL},
    {"MEM-034", "L3_ERROR_LOG_0", 0xb070, 0, NULL},
    {"MEM-034", "L3_ERROR_LOG_31", 0xb0ec, 0, NULL},
    {"MEM-045", "STOLEN_RESERVED", 0x1082c0, 0, "31:20 Base; 5:4 Size; 0:0 Enable"},
    {"MEM-046", "BCS_SWCTRL", 0x22200, 0, "0:0 Tile Y Source; 1:1 Tile Y Destination"},
    {"MEM-047", "GAM_ECOCHK", 0x4090, 0, NULL},
    {"MEM-047", "GAC_ECO_BITS", 0x14090, 0, NULL},
};

/* Valleyview: what starts otherwise there, the sideband, what its driver saves over a sleep, and
 * the display that it writes while none is in use. */
static const struct expected_register of_valleyview[] = {
    {"RCS-006", "GT_MODE", 0x7008, 0, "9:9 WIZ Hashing Mode High Bit; 7:7 WIZ Hashing Mode"},
    {"VCS-027", "VCS_CXT_SIZE", 0x121a8, 0x40d02, "20:16 VCS Context Size; 12:8 VCR Context Size"},
    {"MEM-032", "VLV_IOSF_DOORBELL", 0x182100, 0, "0:0 Busy"},
    {"MEM-032", "VLV_IOSF_DATA", 0x182104, 0, NULL},
    {"MEM-032", "VLV_IOSF_ADDR", 0x182108, 0, NULL},
    {"MEM-003", "VLV_G3DCTL", 0x9024, 0, NULL},
    {"MEM-003", "VLV_GSCKGCTL", 0x9028, 0, NULL},
    {"MEM-003", "VLV_MBCTL", 0x907c, 0, NULL},
    {"MEM-003", "VLV_GFXPAUSE", 0xa000, 0, NULL},
    {"MEM-003", "VLV_RPDEUHWTC", 0xa080, 0, NULL},
    {"MEM-003", "VLV_RPDEUC", 0xa084, 0, NULL},
    {"MEM-003", "VLV_RPDEUCSW", 0xa088, 0, NULL},
    {"MEM-003", "VLV_SPAREG2H", 0xa194, 0, NULL},
    {"MEM-003", "VLV_PWRDWNUPCTL", 0xa294, 0, NULL},
    {"MEM-003", "VLV_PMWGICZ", 0x1300a4, 0, NULL},
    {"MEM-003", "VLV_GU_CTL0", 0x182030, 0, NULL},
    {"MEM-003", "VLV_GU_CTL1", 0x182034, 0, NULL},
    {"MEM-003", "VLV_GUNIT_CLOCK_GATE", 0x182060, 0, NULL},
    {"MEM-003", "VLV_GUNIT_CLOCK_GATE2", 0x182064, 0, NULL},
    {"MEM-050", "VLV_DSPFW1", 0x1f0034, 0, NULL},
    {"MEM-050", "VLV_DSPFW2", 0x1f0038, 0, NULL},
    {"MEM-050", "VLV_DSPFW3", 0x1f003c, 0, NULL},
    {"MEM-050", "VLV_DDL1", 0x1f0050, 0, NULL},
    {"MEM-050", "VLV_DDL2", 0x1f0054, 0, NULL},
    {"MEM-050", "VLV_DSPFW4", 0x1f0070, 0, NULL},
    {"MEM-050", "VLV_DSPFW5", 0x1f0074, 0, NULL},
    {"MEM-050", "VLV_DSPFW6", 0x1f0078, 0, NULL},
    {"MEM-050", "VLV_DSPFW7", 0x1f007c, 0, NULL},
};

static const struct expected_register of_ivy_bridge[] = {
    {"RCS-006", "GT_MODE", 0x7008, 0x200, "9:9 WIZ Hashing Mode High Bit; 7:7 WIZ Hashing Mode"},
    {"VCS-027", "VCS_CXT_SIZE", 0x121a8, 0x40d00, "20:16 VCS Context Size; 12:8 VCR Context Size"},
    {"MEM-044", "DISP_ARB_CTL", 0x45000, 0, NULL},
    {"MEM-044", "TILECTL", 0x101000, 0, NULL},
};

static const struct table {
   const struct expected_register *rows;
   size_t count;
   unsigned devices;
} tables[] = {{common, N(common), HW_IVB | HW_VLV},
              {of_valleyview, N(of_valleyview), HW_VLV},
              {of_ivy_bridge, N(of_ivy_bridge), HW_IVB}};

static void
check_fields_of(const struct hw_layout *l, const char *fields)
{
   for (const char *p = fields; *p;) {
      struct place place = {0};
      char name[64];
      int used;
      if (sscanf(p, "%u:%u %63[^;]%n", &place.hi, &place.lo, name, &used) != 3)
         fail_msg("%s: '%s'", l->name, p);
      const struct hw_field *f = find(l, name);
      if (f->start != place.lo || f->end != place.hi)
         fail_msg("%s: %s is at %u:%u", l->name, name, f->end, f->start);
      p += used;
      p += strspn(p, "; ");
   }
}

static void
check_register(const struct expected_register *e, unsigned device)
{
   const struct hw_register *r = hw_register_by_name(e->name, device);
   if (!r)
      fail_msg("no register %s", e->name);
   if (r->offset != e->offset || hw_register_at(e->offset, device) != r)
      fail_msg("%s is at 0x%x", e->name, r->offset);
   if (r->default_value != e->value)
      fail_msg("%s starts with 0x%08x", e->name, r->default_value);
   if (e->fields)
      check_fields_of(r->layout, e->fields);
}

struct row {
   const struct table *table;
   const char *id;
};

static void
registers_of_a_row(void **state)
{
   const struct row *row = *state;
   const struct table *t = row->table;
   proves(row->id);
   for (size_t i = 0; i < t->count; i++)
      for (unsigned device = HW_IVB; device <= HW_VLV; device <<= 1)
         if (!strcmp(t->rows[i].id, row->id) && t->devices & device)
            check_register(&t->rows[i], device);
}

/* Two generations have structures of one name: that of the row. */
static const struct hw_layout *
structure(const char *name, const char *id)
{
   for (size_t i = 0; i < hw_struct_count; i++)
      if (!strcmp(hw_structs[i].name, name) && !strcmp(hw_structs[i].ledger, id))
         return &hw_structs[i];
   fail_msg("no structure %s of %s", name, id);
   return NULL;
}

/* MEM-004, MEM-009: entries of one dword. */
static void
table_entries(void **state)
{
   proves("MEM-004", "MEM-009");
   (void)state;
   static const struct place entry[] = {
       {"Address", 0, 31, 12, NULL}, {"Address High", 0, 11, 4, NULL}, {"Valid", 0, 0, 0, NULL}};
   const struct hw_layout *directory = structure("PAGE_DIRECTORY_ENTRY", "MEM-009");
   const struct hw_layout *const entries[] = {structure("GTT_ENTRY", "MEM-004"),
                                              structure("VLV_GTT_ENTRY", "MEM-004"), directory};
   for (size_t i = 0; i < N(entries); i++) {
      check_places(entries[i], entry, N(entry));
      assert_int_equal(entries[i]->length_dw, 1);
   }
   check_place(directory, &(struct place){"Pages of 32 KB", 0, 1, 1, NULL});
}

/* MEM-032: a register of the sideband's units is one dword. */
static void
sideband_dwords(void **state)
{
   proves("MEM-032");
   (void)state;
   static const char *const names[] = {"VLV_PUNIT_DISPLAY_SPEED", "VLV_PUNIT_FREQUENCY_REQUEST",
                                       "VLV_PUNIT_FREQUENCY_STATUS", "VLV_FREQUENCY_FUSE",
                                       "VLV_CLOCK"};
   for (size_t i = 0; i < N(names); i++) {
      const struct hw_layout *l = hw_struct_by_name(names[i]);
      assert_non_null(l);
      assert_int_equal(l->length_dw, 1);
   }
}

int
main(void)
{
   struct CMUnitTest tests[64] = {
       cmocka_unit_test(table_entries),
       cmocka_unit_test(sideband_dwords),
   };
   static struct row rows[64];
   static char names[64][32]; /* a row may have a case of each part */
   size_t count = 2;
   for (size_t t = 0; t < N(tables); t++)
      for (size_t i = 0; i < tables[t].count; i++) {
         const char *id = tables[t].rows[i].id;
         if (i && !strcmp(id, tables[t].rows[i - 1].id))
            continue;
         assert_true(count < N(tests));
         rows[count] = (struct row){&tables[t], id};
         snprintf(names[count], sizeof(names[count]), "%s%s", id,
                  tables[t].devices == HW_IVB ? " on Ivy Bridge" : "");
         tests[count] = (struct CMUnitTest){
             .name = names[count], .test_func = registers_of_a_row, .initial_state = &rows[count]};
         count++;
      }
   return _cmocka_run_group_tests("register_layouts", tests, count, NULL, NULL);
}
