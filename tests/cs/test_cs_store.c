/* Stores and registers: MI_STORE_DATA_*, MI_LOAD_REGISTER_*, MI_STORE_REGISTER_MEM, MI_UPDATE_GTT,
 * MI_NOOP. */
#include "rig.h"

#include <string.h>
#include "tests/proves.h"

/* VCS-248, RCS-202, VCS-247, VCS-055: the number goes to NOPID only with bit 22; NOPID can be
 * written for a power save. */
static void
noop_identification(void **state)
{
   proves("VCS-248", "RCS-202", "VCS-247", "VCS-055");
   struct rig *r = *state;
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      uint32_t nopid = engine_base[e] + R_NOPID;
      SUBMIT(r, e, 1u << 22 | 0x3fffff);
      assert_int_equal(rig_reg(r, nopid), 0x3fffff);
      SUBMIT(r, e, 0x1234);
      assert_int_equal(rig_reg(r, nopid), 0x3fffff);
      SUBMIT(r, e, 1u << 22 | 0x2a);
      assert_int_equal(rig_reg(r, nopid), 0x2a);
   }
   rig_clean(r);
   rig_set(r, 0x12094, 0x155);
   assert_int_equal(rig_reg(r, 0x12094), 0x155);
}

/* RCS-212, VCS-266, VCS-267: a dword or a quadword. */
static void
store_data_immediate(void **state)
{
   proves("RCS-212", "VCS-266", "VCS-267");
   struct rig *r = *state;
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      uint32_t *to = rig_ggtt(r, RIG_DATA + 0x100 * e);
      SUBMIT(r, e, SDI, 0, RIG_DATA + 0x100 * e + 4, 0xa5a5 + e, SDI64, 0, RIG_DATA + 0x100 * e + 8,
             1, 2);
      assert_int_equal(to[0], 0);
      assert_int_equal(to[1], 0xa5a5 + e);
      assert_int_equal(to[2], 1);
      assert_int_equal(to[3], 2);
   }
   rig_clean(r);
}

/* VCS-270: dword aligned, eight bytes for a QWord. */
static void
store_data_alignment(void **state)
{
   proves("VCS-270", "VCS-266", "RCS-212");
   struct rig *r = *state;
   SUBMIT(r, VCS, SDI64, 0, RIG_DATA + 8, 1, 2);
   rig_clean(r);
   SUBMIT(r, VCS, SDI64, 0, RIG_DATA + 4, 3, 4);
   rig_expect(r, "VCS-270");
   SUBMIT(r, VCS, SDI, 0, RIG_DATA + 2, 3);
   rig_expect(r, "VCS-266"); /* reserved bits of the address */
   SUBMIT(r, RCS, SDI64, 0, RIG_DATA + 4, 3, 4);
   rig_expect(r, "RCS-212");
   SUBMIT(r, RCS, SDI, 1, RIG_DATA, 3); /* DW1 must be zero */
   rig_expect(r, "RCS-212");
}

/* VCS-268: bit 22 selects the global GTT, and must while there is no other. */
static void
store_data_address_space(void **state)
{
   proves("VCS-268", "VCS-269");
   struct rig *r = *state;
   SUBMIT(r, VCS, SDI & ~GLOBAL, 0, RIG_DATA, 1);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 1);
   rig_expect(r, "VCS-268");
   rig_ppgtt(r);
   SUBMIT(r, VCS, SDI & ~GLOBAL, 0, RIG_DATA, 2, SDI, 0, RIG_DATA, 3);
   assert_int_equal(*rig_pp(r, RIG_DATA), 2);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 3);
   rig_clean(r);
   /* VCS-269: from a non-secure batch the global write does not happen, and nothing else does */
   BATCH(r, VCS, true, SDI, 0, RIG_DATA, 4);
   assert_int_equal(*rig_pp(r, RIG_DATA), 2);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 3);
   assert_int_equal(rig_reg(r, 0x120b8), 0);
   rig_expect(r, "VCS-269");
}

/* RCS-213, VCS-271, VCS-272, VCS-275: the status page, the lower dword first; VCS-020: through the
 * global GTT. */
static void
store_data_index(void **state)
{
   proves("RCS-213", "VCS-271", "VCS-272", "VCS-275", "VCS-020", "RCS-053", "RCS-179", "VCS-019");
   struct rig *r = *state;
   rig_ppgtt(r);
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      uint32_t *page = rig_ggtt(r, RIG_STATUS(e));
      SUBMIT(r, e, SDX, 0x100, 11, NOOP, SDX + 1, 0x108, 12, 13);
      assert_int_equal(page[0x40], 11);
      assert_int_equal(page[0x42], 12);
      assert_int_equal(page[0x43], 13);
      assert_int_equal(*rig_pp(r, RIG_STATUS(e) + 0x100), 0);
      SUBMIT(r, e, SDX, 0xffc, 14);
      assert_int_equal(page[0x3ff], 14);
   }
   rig_clean(r);
}

/* VCS-273: the page must have been set; VCS-274: dwords 0 to 15 are not for software, QWords are
 * aligned. */
static void
store_data_index_limits(void **state)
{
   proves("VCS-273", "VCS-274", "RCS-213");
   struct rig *r = *state;
   SUBMIT(r, VCS, SDX, 16 * 4, 1);
   rig_clean(r);
   SUBMIT(r, VCS, SDX, 15 * 4, 1);
   rig_expect(r, "VCS-274");
   SUBMIT(r, VCS, SDX + 1, 0x104, 1, 2);
   rig_expect(r, "VCS-274");
   SUBMIT(r, RCS, SDX, 15 * 4, 1);
   rig_expect(r, "RCS-213");
   rig_set(r, 0x4180, 0);
   SUBMIT(r, VCS, SDX, 0x100, 1);
   rig_expect(r, "VCS-273");
   rig_set(r, 0x4180, RIG_STATUS(VCS));
   SUBMIT(r, VCS, SDX, 0x100, 1);
   rig_clean(r);
}

/* RCS-214, VCS-326, RCS-180, VCS-308: dword 4 of the page gets the head register; not from a batch.
 */
static void
report_head(void **state)
{
   proves("RCS-214", "VCS-326", "RCS-180", "VCS-308");
   struct rig *r = *state;
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      uint32_t *page = rig_ggtt(r, RIG_STATUS(e));
      page[4] = 0xdead;
      SUBMIT(r, e, NOOP, NOOP, NOOP, GEN7_MI_REPORT_HEAD_HEADER);
      assert_int_equal(page[4], 12);
      assert_int_equal(page[3], 0);
      assert_int_equal(page[5], 0);
      rig_clean(r);
      page[4] = 0xdead;
      BATCH(r, e, false, GEN7_MI_REPORT_HEAD_HEADER);
      assert_int_equal(page[4], 0xdead);
      rig_expect(r, e == RCS ? "RCS-214" : "VCS-326");
   }
}

/* VCS-281, VCS-282, VCS-286, RCS-217: consecutive entries of the global table, at once in force. */
static void
update_gtt(void **state)
{
   proves("VCS-281", "VCS-282", "VCS-286", "RCS-217");
   struct rig *r = *state;
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      uint32_t page = 0x2000 + 0x10 * e;
      r->dev->gsm[page + 2] = 0x1230;
      SUBMIT(r, e, GEN7_MI_UPDATE_GTT_HEADER | GLOBAL | 2, page << 12, (RIG_PHYS + RIG_DATA) | 7,
             (RIG_PHYS + RIG_DATA + 0x1000) | 7);
      assert_int_equal(r->dev->gsm[page], (RIG_PHYS + RIG_DATA) | 7);
      assert_int_equal(r->dev->gsm[page + 1], (RIG_PHYS + RIG_DATA + 0x1000) | 7);
      assert_int_equal(r->dev->gsm[page + 2], 0x1230);
      SUBMIT(r, e, SDI, 0, (page << 12) + 4, 0x31 + e, SDI, 0, (page + 1) << 12, 0x32 + e);
      assert_int_equal(rig_ggtt(r, RIG_DATA)[1], 0x31 + e);
      assert_int_equal(*rig_ggtt(r, RIG_DATA + 0x1000), 0x32 + e);
      /* and changed again, with the translation in use */
      SUBMIT(r, e, GEN7_MI_UPDATE_GTT_HEADER | GLOBAL | 1, page << 12,
             (RIG_PHYS + RIG_DATA + 0x2000) | 7, NOOP, SDI, 0, page << 12, 0x33 + e);
      assert_int_equal(*rig_ggtt(r, RIG_DATA + 0x2000), 0x33 + e);
   }
   rig_clean(r);
}

/* VCS-284: privileged; VCS-285: bit 31 of the address is beyond the table; RCS-217: bit 22 must
 * be 1. */
static void
update_gtt_limits(void **state)
{
   proves("VCS-284", "VCS-285", "RCS-217", "VCS-297", "VCS-281");
   struct rig *r = *state;
   rig_ppgtt(r);
   BATCH(r, VCS, true, GEN7_MI_UPDATE_GTT_HEADER | GLOBAL | 1, 0x2000000, 0x1111);
   assert_int_equal(r->dev->gsm[0x2000], 0);
   rig_expect(r, "VCS-297"); /* converted to a NOOP */
   BATCH(r, VCS, false, GEN7_MI_UPDATE_GTT_HEADER | GLOBAL | 1, 0x2000000, 0x1111);
   assert_int_equal(r->dev->gsm[0x2000], 0x1111);
   rig_clean(r);
   SUBMIT(r, VCS, GEN7_MI_UPDATE_GTT_HEADER | GLOBAL | 1, 0x80000000, 0x1111);
   rig_expect(r, "VCS-285");
   SUBMIT(r, VCS, GEN7_MI_UPDATE_GTT_HEADER | GLOBAL | 1, 0x7ffff000, 0x2222);
   assert_int_equal(r->dev->gsm[0x7ffff], 0x2222);
   SUBMIT(r, VCS, GEN7_MI_UPDATE_GTT_HEADER | GLOBAL | 3, 0x7ffff000, 0x4444, 0x5555,
          0x6666); /* past the last entry */
   assert_int_equal(r->dev->gsm[0x7ffff], 0x4444);
   rig_clean(r);
   SUBMIT(r, VCS, GEN7_MI_UPDATE_GTT_HEADER | 1, 0x2000000, 0x3333);
   assert_int_equal(r->dev->gsm[0x2000], 0x1111);
   rig_expect(r, "VCS-281");
   SUBMIT(r, RCS, GEN7_MI_UPDATE_GTT_HEADER | 1, 0x2000000, 0x3333);
   rig_expect(r, "RCS-217");
}

/* VCS-243, VCS-244, VCS-246, RCS-209: pairs of register and data, in order and before the next
 * command. */
static void
load_register_immediate(void **state)
{
   proves("VCS-243", "VCS-244", "VCS-246", "RCS-209");
   struct rig *r = *state;
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      uint32_t a = engine_base[e] + R_SYNC_0, b = engine_base[e] + R_SYNC_1;
      SUBMIT(r, e, LRI(1), a, 5, SRM, a, RIG_DATA);
      assert_int_equal(*rig_ggtt(r, RIG_DATA), 5);
      SUBMIT(r, e, LRI(2), a, 6, b, 7);
      assert_int_equal(rig_reg(r, a), 6);
      assert_int_equal(rig_reg(r, b), 7);
      SUBMIT(r, e, LRI(2), a, 8, a, 9); /* the last one stays */
      assert_int_equal(rig_reg(r, a), 9);
   }
   rig_clean(r);
   SUBMIT(r, BCS, (LRI(1)) + 1, 0x22040, 1, 0x22044); /* half a pair is left over */
   rig_expect(r, "VCS-246");
   SUBMIT(r, RCS, (LRI(1)) + 1, 0x2040, 1, 0x2044);
   rig_expect(r, "RCS-209");
   SUBMIT(r, VCS, (LRI(1)) + 1, 0x12040, 1, 0x12044);
   assert_int_equal(cs_state(r->dev->cs[VCS]), CS_STOPPED); /* an instruction error there */
   rig_expect(r, "VCS-246");
}

/* VCS-245: byte write disables. */
static void
byte_write_disables(void **state)
{
   proves("VCS-245");
   struct rig *r = *state;
   SUBMIT(r, VCS, LRI(1), 0x12040, 0x11223344);
   SUBMIT(r, VCS, (LRI(1)) | 0xf00, 0x12040, 0xffffffff);
   assert_int_equal(rig_reg(r, 0x12040), 0x11223344); /* all disabled: no write */
   SUBMIT(r, VCS, (LRI(1)) | 0x100, 0x12040, 0xaabbccdd);
   assert_int_equal(rig_reg(r, 0x12040), 0xaabbcc44);
   SUBMIT(r, VCS, (LRI(1)) | 0x600, 0x12040, 0x01020304);
   assert_int_equal(rig_reg(r, 0x12040), 0x01bbcc04);
   rig_clean(r);
}

/* VCS-327, RCS-209: 0x8800 to 0x88FF and 0xC0000 up are not to be written; a display register is
 * read back before the next is written. */
static void
load_register_limits(void **state)
{
   proves("VCS-327", "RCS-209");
   struct rig *r = *state;
   SUBMIT(r, VCS, LRI(1), 0x12040, 1);
   rig_clean(r);
   SUBMIT(r, VCS, LRI(1), 0x8800, 1);
   rig_expect(r, "VCS-327");
   SUBMIT(r, VCS, LRI(1), 0x100000, 1);
   rig_expect(r, "VCS-327");
   SUBMIT(r, VCS, LRI(1), 0xc0000, 1);
   rig_expect(r, "VCS-327");
   SUBMIT(r, VCS, LRI(1), 0x8900, 1); /* behind the first range */
   assert_int_equal(rig_count(r, "VCS-327"), 0);
   rig_forget(r);
   SUBMIT(r, RCS, LRI(1), 0x88fc, 1);
   rig_expect(r, "RCS-209");
   SUBMIT(r, VCS, LRI(1), 0x4401c, 1, SRM, 0x4401c, RIG_DATA, LRI(1), 0x4401c, 5, SRM, 0x4401c,
          RIG_DATA);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 5);
   rig_clean(r);
   SUBMIT(r, VCS, LRI(1), 0x4401c, 1, LRI(1), 0x44014, 0);
   rig_expect(r, "VCS-327");
}

/* RCS-210, VCS-292, VCS-293, VCS-295, VCS-296: memory to register, with and without the
 * asynchronous bit. */
static void
load_register_memory(void **state)
{
   proves("RCS-210", "VCS-292", "VCS-293", "VCS-295", "VCS-296");
   struct rig *r = *state;
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      uint32_t a = engine_base[e] + R_SYNC_0;
      *rig_ggtt(r, RIG_DATA) = 0x600 + e;
      SUBMIT(r, e, LRM, a, RIG_DATA);
      assert_int_equal(rig_reg(r, a), 0x600 + e);
      *rig_ggtt(r, RIG_DATA) = 0x700 + e;
      SUBMIT(r, e, LRM | 1u << 21, a, RIG_DATA);
      assert_int_equal(rig_reg(r, a), 0x700 + e);
   }
   rig_clean(r);
   SUBMIT(r, VCS, LRM, 0x12040 | 1u << 23, RIG_DATA); /* the register field ends at bit 22 */
   rig_expect(r, "VCS-292");
}

/* VCS-294: which memory. */
static void
load_register_memory_space(void **state)
{
   proves("VCS-294");
   struct rig *r = *state;
   *rig_ggtt(r, RIG_DATA) = 1;
   *rig_pp(r, RIG_DATA) = 2;
   SUBMIT(r, VCS, LRM & ~GLOBAL, 0x12040, RIG_DATA);
   assert_int_equal(rig_reg(r, 0x12040), 1);
   rig_expect(r, "VCS-294");
   rig_ppgtt(r);
   SUBMIT(r, VCS, LRM & ~GLOBAL, 0x12040, RIG_DATA);
   assert_int_equal(rig_reg(r, 0x12040), 2);
   SUBMIT(r, VCS, LRM, 0x12040, RIG_DATA);
   assert_int_equal(rig_reg(r, 0x12040), 1);
   rig_clean(r);
}

/* RCS-211, VCS-260, VCS-261, VCS-262: register to memory. */
static void
store_register_memory(void **state)
{
   proves("RCS-211", "VCS-260", "VCS-261", "VCS-262");
   struct rig *r = *state;
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      rig_set(r, engine_base[e] + R_SYNC_1, 0xbeef0 + e);
      SUBMIT(r, e, SRM, engine_base[e] + R_SYNC_1, RIG_DATA + 4 * e);
      assert_int_equal(rig_ggtt(r, RIG_DATA)[e], 0xbeef0 + e);
   }
   rig_clean(r);
   SUBMIT(r, VCS, SRM & ~GLOBAL, 0x12044, RIG_DATA);
   rig_expect(r, "VCS-262");
   rig_ppgtt(r);
   SUBMIT(r, VCS, SRM & ~GLOBAL, 0x12044, RIG_DATA);
   assert_int_equal(*rig_pp(r, RIG_DATA), 0xbeef1);
   rig_clean(r);
   /* the parser's own registers show where it is */
   SUBMIT(r, VCS, NOOP, SRM, 0x12034, RIG_DATA);
   assert_int_equal(*rig_ggtt(r, RIG_DATA) & 7, 4);
}

/* VCS-263, VCS-264, VCS-265: undefined reads store 0 and are named; the display range reads
 * normally. */
static void
store_register_limits(void **state)
{
   proves("VCS-263", "VCS-264", "VCS-265", "RCS-211");
   struct rig *r = *state;
   static const struct {
      uint32_t offset;
      const char *rule;
   } bad[] = {{0x2020, "VCS-263"}, {0x100000, "VCS-263"}, {0x3c0, "VCS-263"},
              {0x8800, "VCS-264"}, {0x88fc, "VCS-264"},   {0xc4000, "VCS-264"}};
   for (unsigned i = 0; i < COUNT(bad); i++) {
      *rig_ggtt(r, RIG_DATA) = 0xdead;
      SUBMIT(r, VCS, SRM, bad[i].offset, RIG_DATA);
      assert_int_equal(*rig_ggtt(r, RIG_DATA), 0);
      rig_expect(r, bad[i].rule);
   }
   SUBMIT(r, RCS, SRM, 0x100000, RIG_DATA);
   rig_expect(r, "RCS-211");
   SUBMIT(r, VCS, SRM, 0x4401c, RIG_DATA);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), rig_reg(r, 0x4401c));
   assert_true(*rig_ggtt(r, RIG_DATA) & 1);
   SUBMIT(r, VCS, SRM, 0x12044, RIG_DATA);
   rig_clean(r);
}

/* RCS-220: INSTPM[11] toggles with each MI_CLFLUSH; half lines come in pairs. */
static void
cache_line_flush(void **state)
{
   proves("RCS-220");
   struct rig *r = *state;
   uint32_t before = rig_reg(r, 0x20c0) & INSTPM_CLFLUSH_TOGGLE;
   SUBMIT(r, RCS, GEN7_MI_CLFLUSH_HEADER | GLOBAL | 3, RIG_DATA, 0, 0, 0);
   assert_int_equal(rig_reg(r, 0x20c0) & INSTPM_CLFLUSH_TOGGLE, before ^ INSTPM_CLFLUSH_TOGGLE);
   rig_clean(r);
   SUBMIT(r, RCS, GEN7_MI_CLFLUSH_HEADER | GLOBAL | 2, RIG_DATA, 0, 0);
   assert_int_equal(rig_reg(r, 0x20c0) & INSTPM_CLFLUSH_TOGGLE, before);
   rig_expect(r, "RCS-220");
}

/* RCS-222: report id first, the time second. */
static void
performance_report_header(void **state)
{
   proves("RCS-222", "RCS-224");
   struct rig *r = *state;
   clock_advance(r->dev, 8000);
   pergola_mmio_write(r->dev, REG_OACONTROL, 4, 1); /* counters on */
   SUBMIT(r, RCS, GEN7_MI_REPORT_PERF_COUNT_HEADER | 1, (RIG_DATA + 64) | 1, 0xabcd);
   assert_int_equal(*rig_ggtt(r, RIG_DATA + 64), 0xabcd);
   assert_in_range(rig_ggtt(r, RIG_DATA + 64)[1], 100, 110);
   rig_clean(r);
   rig_ppgtt(r);
   BATCH(r, RCS, true, GEN7_MI_REPORT_PERF_COUNT_HEADER | 1, RIG_DATA | 1, 0xabcd);
   rig_expect(r, "RCS-224");
   BATCH(r, RCS, true, GEN7_MI_REPORT_PERF_COUNT_HEADER | 1, RIG_DATA + 64, 0xabce);
   assert_int_equal(*rig_pp(r, RIG_DATA + 64), 0xabce); /* not privileged in memory of its own */
}

/* RCS-225: everything in order: the register that is stored last has what was loaded before it. */
static void
execution_in_order(void **state)
{
   proves("RCS-225");
   struct rig *r = *state;
   SUBMIT(r, RCS, LRI(1), 0x2400, 1, SRM, 0x2400, RIG_DATA, LRI(1), 0x2400, 2, SRM, 0x2400,
          RIG_DATA + 4, SDI, 0, RIG_DATA + 8, 3, LRM, 0x2400, RIG_DATA + 8, SRM, 0x2400,
          RIG_DATA + 12);
   uint32_t *d = rig_ggtt(r, RIG_DATA);
   assert_int_equal(d[0], 1);
   assert_int_equal(d[1], 2);
   assert_int_equal(d[3], 3);
}

/* RCS-041, RCS-042: the dispatch dimensions are loaded from the stream or by MMIO, but not with 0.
 */
static void
dispatch_dimensions(void **state)
{
   proves("RCS-041", "RCS-042");
   struct rig *r = *state;
   *rig_ggtt(r, RIG_DATA) = 12;
   SUBMIT(r, RCS, LRM, 0x2500, RIG_DATA);
   assert_int_equal(rig_reg(r, 0x2500), 12);
   rig_set(r, 0x2504, 13);
   assert_int_equal(rig_reg(r, 0x2504), 13);
   SUBMIT(r, RCS, LRI(1), 0x2508, 14);
   assert_int_equal(rig_reg(r, 0x2508), 14);
   rig_clean(r);
   SUBMIT(r, RCS, LRI(1), 0x2508, 0);
   rig_expect(r, "RCS-042");
   /* the guarded sequence: a zero from memory ends the batch before the walker */
   *rig_ggtt(r, RIG_DATA) = 0;
   BATCH(r, RCS, false, LRM, 0x2500, RIG_DATA, CBBE | GLOBAL | 1u << 21, 0, RIG_DATA, SDI, 0,
         RIG_DATA + 4, 1);
   assert_int_equal(rig_ggtt(r, RIG_DATA)[1], 0);
   rig_clean(r);
}

/* RCS-012, RCS-013, RCS-014: counters are reset by the stream, to zero, and read at any time. */
static void
statistics_registers(void **state)
{
   proves("RCS-012", "RCS-013", "RCS-014");
   struct rig *r = *state;
   reg_set(r->dev, 0x2310, 0x1234);
   assert_int_equal(rig_reg(r, 0x2310), 0x1234);
   SUBMIT(r, RCS, SRM, 0x2310, RIG_DATA);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 0x1234);
   SUBMIT(r, RCS, LRI(2), 0x2310, 0, 0x2314, 0);
   assert_int_equal(rig_reg(r, 0x2310), 0);
   rig_clean(r);
   SUBMIT(r, RCS, LRI(1), 0x2310, 5);
   assert_int_equal(rig_reg(r, 0x2310), 5); /* stored all the same */
   rig_expect(r, "RCS-012");
   rig_set(r, 0x2310, 0);
   rig_expect(r, "RCS-013");
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
   const struct CMUnitTest tests[] = {
       T(noop_identification),   T(store_data_immediate),
       T(store_data_alignment),  T(store_data_address_space),
       T(store_data_index),      T(store_data_index_limits),
       T(report_head),           T(update_gtt),
       T(update_gtt_limits),     T(load_register_immediate),
       T(byte_write_disables),   T(load_register_limits),
       T(load_register_memory),  T(load_register_memory_space),
       T(store_register_memory), T(store_register_limits),
       T(cache_line_flush),      T(performance_report_header),
       T(execution_in_order),    T(dispatch_dimensions),
       T(statistics_registers),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
