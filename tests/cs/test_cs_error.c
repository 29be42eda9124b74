/* What is illegal: unknown commands, error registers, faults, reset; the watchdog. */
#include "rig.h"

#include <stdio.h>
#include <string.h>
#include "tests/proves.h"

/* RCS-157, RCS-158, VCS-108, VCS-128, VCS-129, CS-010: clients and MI opcodes of each engine.
 * Illegal ones set the instruction error and stop the parser at the command; the blitter skips
 * unknown opcodes. */
static void
clients_of_each_engine(void **state)
{
   proves("RCS-157", "RCS-158", "VCS-108", "VCS-128", "VCS-129", "CS-010", "RCS-015", "CS-021",
          "RCS-159");
   struct rig *r = *state;
   static const struct {
      enum engine_id e;
      uint32_t header;
      bool stops;
      const char *rule;
   } cases[] = {
       {RCS, 1u << 29, true, "RCS-157"},        {RCS, 2u << 29, true, "RCS-157"},
       {RCS, 4u << 29, true, "RCS-157"},        {RCS, 7u << 29, true, "RCS-157"},
       {RCS, 0x01u << 23, true, "RCS-158"},     {RCS, 0x26u << 23 | 1, true, "RCS-158"},
       {RCS, 0x2au << 23 | 1, true, "RCS-158"}, /* RCS-015: not on this part */
       {RCS, 0x1au << 23, true, "RCS-158"},     /* CS-021: MI_MATH neither */
       {VCS, 1u << 29, true, "VCS-129"},        {VCS, 2u << 29, true, "VCS-129"},
       {VCS, 5u << 29, true, "VCS-129"},        {VCS, 0x0cu << 23, true, "VCS-129"},
       {VCS, 0x04u << 23, true, "VCS-129"},     {VCS, 0x18u << 23, true, "VCS-129"},
       {VCS, 0x7f000000u, false, "RCS-159"},    {BCS, 1u << 29, true, "CS-010"},
       {BCS, 3u << 29, true, "CS-010"},         {BCS, 6u << 29, true, "CS-010"},
       {BCS, 0x08u << 23, false, "CS-010"},     {BCS, 0x36u << 23, false, "CS-010"},
       {BCS, 0x18u << 23, false, "CS-010"},     {BCS, 0x0cu << 23, false, "CS-010"},
   };
   for (unsigned i = 0; i < COUNT(cases); i++) {
      enum engine_id e = cases[i].e;
      uint32_t base = engine_base[e];
      *rig_ggtt(r, RIG_DATA) = 0;
      uint32_t noops[64] = {0}; /* each at an address of its own: equal diagnostics are told once */
      rig_ring(r, e, noops, 2 * i + 2);
      enum pergola_run_result result =
          SUBMIT(r, e, cases[i].header, NOOP, NOOP, SDI, 0, RIG_DATA, 1);
      assert_int_equal(result, cases[i].stops ? PERGOLA_RUN_STOPPED : PERGOLA_RUN_IDLE);
      assert_int_equal(*rig_ggtt(r, RIG_DATA), !cases[i].stops);
      assert_int_equal(rig_reg(r, base + R_ESR) & 1, cases[i].stops);
      if (cases[i].stops) {
         assert_int_equal(rig_reg(r, base + R_HEAD), 8 * i + 8); /* left at it */
         assert_int_equal(rig_reg(r, base + R_IPEHR), cases[i].header);
      }
      rig_expect(r, cases[i].rule);
      rig_reset(r, e);
   }
}

/* CS-010, RCS-157, VCS-128, VCS-129: who reads of an unknown command is told of zeros before it:
 * they lie behind most batches that have no end. */
static void
zeros_before_unknown_commands(void **state)
{
   proves("CS-010", "RCS-157", "VCS-128", "VCS-129");
   struct rig *r = *state;
   static const struct {
      enum engine_id e;
      uint32_t header;
      const char *rule;
   } cases[] = {
       {RCS, 1u << 29, "RCS-157"}, {VCS, 0x0cu << 23, "VCS-129"}, {BCS, 0x36u << 23, "CS-010"}};
   for (unsigned i = 0; i < COUNT(cases); i++)
      for (unsigned zeros = 3; zeros < 6; zeros++) {
         uint32_t dw[16] = {SDI, 0, RIG_DATA, 1};
         dw[4 + zeros] = cases[i].header;
         char words[128];
         snprintf(words, sizeof(words),
                  "; %u zeros are before it: the batch at 0x%08x has probably run past its end, "
                  "for 0x%x bytes",
                  zeros, RIG_BATCH, 4 * (4 + zeros));
         rig_batch(r, cases[i].e, false, dw, COUNT(dw));
         const struct rig_diagnostic *d = rig_find(r, cases[i].rule);
         assert_non_null(d);
         assert_int_equal(!!strstr(d->message, words), zeros >= 4);
         assert_int_equal(!!strstr(d->message, "zeros"), zeros >= 4);
         rig_expect(r, cases[i].rule);
         rig_reset(r, cases[i].e);
      }
}

/* VCS-197, VCS-196, RCS-158, CS-015: the MI opcodes that each engine has. */
static void
opcode_maps(void **state)
{
   proves("VCS-197", "VCS-196", "RCS-158", "CS-015", "CS-021", "RCS-015");
   struct rig *r = *state;
   static const struct {
      enum engine_id e;
      uint8_t opcodes[32];
   } maps[] = {
       {RCS, {0x00, 0x02, 0x03, 0x04, 0x05, 0x07, 0x08, 0x0a, 0x0b, 0x0c, 0x0d, 0x12, 0x13, 0x14,
              0x16, 0x18, 0x19, 0x20, 0x21, 0x22, 0x23, 0x24, 0x27, 0x28, 0x29, 0x31, 0x36, 0xff}},
       {VCS,
        {0x00, 0x02, 0x03, 0x05, 0x07, 0x08, 0x0a, 0x0b, 0x16, 0x20, 0x21, 0x22, 0x23, 0x24, 0x26,
         0x29, 0x31, 0x36, 0xff}},
       {BCS, {0x00, 0x02, 0x03, 0x05, 0x07, 0x0a, 0x0b, 0x12, 0x13, 0x14,
              0x16, 0x20, 0x21, 0x22, 0x23, 0x24, 0x26, 0x29, 0x31, 0xff}},
   };
   for (unsigned m = 0; m < COUNT(maps); m++) {
      const struct cs *cs = r->dev->cs[maps[m].e];
      for (unsigned op = 0; op < 64; op++) {
         bool listed = memchr(maps[m].opcodes, (int)op, sizeof(maps[m].opcodes)) &&
                       (op || !maps[m].opcodes[0]);
         if (memchr(maps[m].opcodes, 0xff, 32) < memchr(maps[m].opcodes, (int)op, 32))
            listed = false; /* behind the end of the list */
         assert_int_equal(cs->mi[op] != 0, listed);
      }
   }
   struct rig *vlv = rig_create("vlv", PERGOLA_CHECK_REPORT);
   assert_int_equal(vlv->dev->cs[VCS]->mi[0x23], 0); /* VCS-197: no MI_UPDATE_GTT there */
   assert_int_not_equal(vlv->dev->cs[RCS]->mi[0x23], 0);
   rig_destroy(vlv);
   /* CS-021: MI_MATH is described for the part that has it */
   assert_non_null(hw_command_by_name("MI_MATH", HW_HSW));
   assert_null(hw_command_by_name("MI_MATH", HW_IVB));
   assert_non_null(hw_command_by_name("MI_LOAD_REGISTER_REG", HW_HSW)); /* RCS-015 */
   assert_null(hw_command_by_name("MI_LOAD_REGISTER_REG", HW_IVB));
}

/* VCS-324, VCS-325: MFX commands are known by name and length, and named as not executed. */
static void
codec_commands(void **state)
{
   proves("VCS-324", "VCS-325");
   struct rig *r = *state;
   static const struct {
      uint16_t opcode;
      const char *name;
   } map[] = {
       {0x7000, "MFX_PIPE_MODE_SELECT"},
       {0x7001, "MFX_SURFACE_STATE"},
       {0x7002, "MFX_PIPE_BUF_ADDR_STATE"},
       {0x7003, "MFX_IND_OBJ_BASE_ADDR_STATE"},
       {0x7004, "MFX_BSP_BUF_BASE_ADDR_STATE"},
       {0x7006, "MFX_STATE_POINTER"},
       {0x7029, "MFD_IT_OBJECT"},
       {0x7100, "MFX_AVC_IMG_STATE"},
       {0x7102, "MFX_AVC_DIRECTMODE_STATE"},
       {0x7103, "MFX_AVC_SLICE_STATE"},
       {0x7104, "MFX_AVC_REF_IDX_STATE"},
       {0x7105, "MFX_AVC_WEIGHTOFFSET_STATE"},
       {0x7128, "MFD_AVC_BSD_OBJECT"},
       {0x7149, "MFC_AVC_PAK_OBJECT"},
       {0x7201, "MFX_VC1_PRED_PIPE_STATE"},
       {0x7202, "MFX_VC1_DIRECTMODE_STATE"},
       {0x7228, "MFD_VC1_BSD_OBJECT"},
       {0x7300, "MFX_MPEG2_PIC_STATE"},
       {0x7328, "MFD_MPEG2_BSD_OBJECT"},
       {0x7728, "MFD_JPEG_BSD_OBJECT"},
   };
   for (unsigned i = 0; i < COUNT(map); i++) {
      const struct hw_command *c = hw_command_find((uint32_t)map[i].opcode << 16, HW_VCS, HW_IVB);
      assert_non_null(c);
      assert_string_equal(c->layout.name, map[i].name);
      *rig_ggtt(r, RIG_DATA) = 0;
      SUBMIT(r, VCS, (uint32_t)map[i].opcode << 16 | 3, 1, 2, 3, 4, NOOP, SDI, 0, RIG_DATA, 1);
      assert_int_equal(*rig_ggtt(r, RIG_DATA), 1); /* skipped by its length */
      assert_string_equal(rig_find(r, "VCS-325")->subject, map[i].name);
      rig_expect(r, "VCS-325");
   }
   SUBMIT(r, VCS, 0x68000000); /* a single dword */
   assert_int_equal(cs_state(r->dev->cs[VCS]), CS_IDLE);
}

/* VCS-127, VCS-132, VCS-135, VCS-138: ESR goes through EMR into EIR, and any EIR bit is the master
 * error. */
static void
error_flow(void **state)
{
   proves("VCS-127", "VCS-132", "VCS-135", "VCS-138", "VCS-139", "VCS-133", "VCS-109", "RCS-191");
   struct rig *r = *state;
   static const uint32_t bit[ENGINE_COUNT] = {1u << 3, 1u << 15, 1u << 25};
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      uint32_t base = engine_base[e];
      rig_set(r, 0x44018, 0xffffffff);
      rig_set(r, 0x44018, 0xffffffff);
      SUBMIT(r, e, 1u << 29); /* masked by default */
      assert_int_equal(rig_reg(r, base + R_ESR) & 1, 1);
      assert_int_equal(rig_reg(r, base + R_EIR) & 1, 0);
      assert_int_equal(rig_reg(r, 0x44018) & bit[e], 0);
      /* VCS-139: unmasking latches it */
      rig_set(r, base + R_EMR, rig_reg(r, base + R_EMR) & ~1u);
      assert_int_equal(rig_reg(r, base + R_EIR) & 1, 1);
      assert_int_equal(rig_reg(r, 0x44018) & bit[e], bit[e]);
      assert_int_equal(rig_reg(r, 0x44010) & bit[e], bit[e]);
      /* VCS-133, VCS-109, RCS-191: the instruction error cannot be cleared but by reset */
      rig_set(r, base + R_EIR, 1);
      assert_int_equal(rig_reg(r, base + R_EIR) & 1, 1);
      rig_set(r, base + R_ESR, 0); /* not writable */
      assert_int_equal(rig_reg(r, base + R_ESR) & 1, 1);
      rig_reset(r, e);
      assert_int_equal(rig_reg(r, base + R_EIR), 0);
      assert_int_equal(rig_reg(r, base + R_ESR), 0);
   }
}

/* VCS-109, VCS-133, VCS-139: a recoverable bit is cleared by a one in EIR, in ESR too; the master
 * error falls. */
static void
error_clearing(void **state)
{
   proves("VCS-109", "VCS-133", "VCS-139");
   struct rig *r = *state;
   rig_set(r, 0x20b4, rig_reg(r, 0x20b4) & ~2u);
   cs_error(r->dev->cs[RCS], 2);
   assert_int_equal(rig_reg(r, 0x20b0), 2);
   assert_true(rig_reg(r, 0x44010) & 1u << 3);
   rig_set(r, 0x20b0, 0); /* zeros leave it */
   assert_int_equal(rig_reg(r, 0x20b0), 2);
   rig_set(r, 0x20b0, 2);
   assert_int_equal(rig_reg(r, 0x20b0), 0);
   assert_int_equal(rig_reg(r, 0x20b8), 0);
   assert_false(rig_reg(r, 0x44010) & 1u << 3);
   rig_set(r, 0x44018, 1u << 3);
   assert_false(rig_reg(r, 0x44018) & 1u << 3);
}

/* VCS-198, VCS-196: lengths come from the header; shorter than the layout is an instruction error
 * on the video engine, elsewhere the command is skipped; longer than the layout is named and the
 * rest ignored. */
static void
command_lengths(void **state)
{
   proves("VCS-198", "VCS-196", "RCS-212", "RCS-211");
   struct rig *r = *state;
   static const uint32_t shorts[] = {
       GEN7_MI_SEMAPHORE_MBOX_HEADER | 1u << 20, GEN7_MI_LOAD_REGISTER_IMM_HEADER,
       GEN7_MI_STORE_DATA_IMM_HEADER | 1,        GEN7_MI_STORE_DATA_INDEX_HEADER,
       GEN7_MI_STORE_REGISTER_MEM_HEADER,        GEN7_MI_FLUSH_DW_HEADER | 1u << 14};
   for (unsigned i = 0; i < COUNT(shorts); i++) {
      SUBMIT(r, VCS, shorts[i], 0, 0, 0);
      assert_int_equal(cs_state(r->dev->cs[VCS]), CS_STOPPED);
      assert_int_equal(rig_reg(r, 0x120b8) & 1, 1);
      rig_expect(r, "VCS-198");
      rig_reset(r, VCS);
   }
   SUBMIT(r, RCS, GEN7_MI_STORE_DATA_IMM_HEADER | GLOBAL | 1, 0, RIG_DATA, NOOP, SDI, 0,
          RIG_DATA + 4, 2);
   assert_int_equal(rig_ggtt(r, RIG_DATA)[1], 2);
   rig_expect(r, "RCS-212");
   SUBMIT(r, RCS, SRM + 2, 0x2400, RIG_DATA, 7, 8, NOOP);
   rig_expect(r, "RCS-211");
   /* VCS-198: the lengths that drivers use */
   rig_set(r, 0x12040, 10);
   SUBMIT(r, VCS, SEMA | 1u << 20 | 1u << 18, 1, 0, LRI(1), 0x12044, 0, SDX, 0x100, 0,
          (FLUSH_DW - 1), 0, 0, SDI, 0, RIG_DATA, 0, SDI64, 0, RIG_DATA, 0, 0);
   rig_clean(r);
}

/* RCS-157: command sequences may be any length; a length past the end of memory is not followed. */
static void
length_past_the_end(void **state)
{
   proves("RCS-157", "VCS-305");
   struct rig *r = *state;
   uint32_t at = RIG_GGTT_SIZE - 8;
   *rig_ggtt(r, at) = 0x78ff00ff; /* unknown, 257 dwords: the last page ends before */
   SUBMIT(r, RCS, BBS, at);
   assert_int_equal(cs_state(r->dev->cs[RCS]), CS_STOPPED);
   rig_expect(r, "VCS-305");
}

/* VCS-305, CS-003: commands that cannot be fetched stop the engine; the others go on; a reset
 * repairs it. */
static void
fetch_faults(void **state)
{
   proves("VCS-305", "CS-003", "MEM-014");
   struct rig *r = *state;
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      assert_int_equal(SUBMIT(r, e, BBS, 0x30000000), PERGOLA_RUN_STOPPED);
      assert_int_equal(rig_count(r, "VCS-305"), 1);
      rig_forget(r);
      rig_reset(r, e);
      rig_forget(r);
      assert_int_equal(SUBMIT(r, e, SDI, 0, RIG_DATA, e + 1), PERGOLA_RUN_IDLE);
      assert_int_equal(*rig_ggtt(r, RIG_DATA), e + 1);
      rig_clean(r);
   }
}

/* CS-003, VCS-323: after a reset the ring is disabled, errors and interrupts are masked, NOPID is
 * 0. */
static void
state_after_reset(void **state)
{
   proves("CS-003", "VCS-323");
   struct rig *r = *state;
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      uint32_t base = engine_base[e];
      SUBMIT(r, e, 1u << 22 | 5, 7u << 29);
      rig_set(r, 0x941c, 2u << e);
      assert_int_equal(rig_reg(r, base + R_CTL), 0);
      assert_int_equal(rig_reg(r, base + R_HEAD), 0);
      assert_int_equal(rig_reg(r, base + R_TAIL), 0);
      assert_int_equal(rig_reg(r, base + 0xa8), 0xffffffff);
      assert_int_equal(rig_reg(r, base + 0x98), 0xffffffff);
      assert_int_equal(rig_reg(r, base + R_EMR) & 0xff, 0xff);
      assert_int_equal(rig_reg(r, base + R_NOPID), 0);
      assert_int_equal(rig_reg(r, base + R_INSTDONE), 0xffffffff);
      assert_int_equal(rig_run(r), PERGOLA_RUN_IDLE);
   }
   /* a display write that nobody read back before the reset is none after it */
   rig_start(r, VCS, 4, 0);
   SUBMIT(r, VCS, LRI(1), 0x4401c, 1);
   rig_reset(r, VCS);
   rig_forget(r);
   SUBMIT(r, VCS, LRI(1), 0x4401c, 1);
   rig_clean(r);
}

#define LONG_BATCH(e) (RIG_BATCH + (e)*0x8000u)
#define STORES 1000u

static unsigned
stored(struct rig *r, unsigned e)
{
   unsigned n = 0;
   for (unsigned i = 0; i < STORES; i++)
      n += rig_ggtt(r, RIG_DATA + 0x1000 * e)[i] == e + 1;
   return n;
}

/* Batches of many stores on all engines, begun and not ended. */
static void
begin_batches(struct rig *r)
{
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      uint32_t *dw = rig_ggtt(r, LONG_BATCH(e));
      for (unsigned i = 0; i < STORES; i++, dw += 4) {
         const uint32_t store[4] = {SDI, 0, RIG_DATA + 0x1000 * e + 4 * i, e + 1};
         memcpy(dw, store, sizeof(store));
      }
      dw[0] = BBE;
      dw[1] = 0;
      memset(rig_ggtt(r, RIG_DATA + 0x1000 * e), 0, 0x1000);
      RING(r, e, BBS, LONG_BATCH(e));
   }
   assert_int_equal(pergola_run(r->dev, STORES * 3 / 4), PERGOLA_RUN_BUDGET);
   for (unsigned e = 0; e < ENGINE_COUNT; e++)
      assert_in_range(stored(r, e), 1, STORES - 1);
}

/* What an engine was at is gone with its reset; the others go on with theirs. */
static void
reset_drops_work(void **state)
{
   proves("MEM-014", "RCS-200");
   (void)state;
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      struct rig *r = rig_create("ivb-gt2", PERGOLA_CHECK_REPORT);
      begin_batches(r);
      unsigned done = stored(r, e);
      rig_reset(r, e);
      assert_int_equal(SUBMIT(r, e, SDI, 0, RIG_DATA + 0x1000 * e + 0xffc, 77), PERGOLA_RUN_IDLE);
      assert_int_equal(rig_ggtt(r, RIG_DATA + 0x1000 * e)[0x3ff], 77);
      for (unsigned k = 0; k < ENGINE_COUNT; k++)
         assert_int_equal(stored(r, k), k == e ? done : STORES);
      rig_clean(r);
      rig_destroy(r);
   }
}

/* The level stop: the first broken rule stops, the reset releases. CS-003 */
static void
stop_at_the_first_rule(void **state)
{
   proves("CS-003");
   struct rig *r = rig_create("ivb-gt2", PERGOLA_CHECK_STOP);
   assert_int_equal(SUBMIT(r, RCS, SDI, 1, RIG_DATA, 1, SDI, 0, RIG_DATA + 4, 1),
                    PERGOLA_RUN_STOPPED);
   assert_int_equal(rig_ggtt(r, RIG_DATA)[1], 0);
   rig_reset(r, RCS);
   assert_int_equal(SUBMIT(r, RCS, SDI, 0, RIG_DATA + 4, 1), PERGOLA_RUN_IDLE);
   assert_int_equal(rig_ggtt(r, RIG_DATA)[1], 1);
   rig_destroy(r);
}

/* VCS-099, VCS-101, VCS-102, VCS-106: 0 starts, all ones stop; at the threshold an interrupt and a
 * new start. */
static void
video_watchdog(void **state)
{
   proves("VCS-099", "VCS-101", "VCS-102", "VCS-106");
   struct rig *r = *state;
   uint32_t noops[64] = {0};
   assert_int_equal(rig_reg(r, 0x12178), 0xffffffff);
   rig_submit(r, VCS, noops, 64);
   assert_int_equal(rig_reg(r, 0x44018), 0);
   rig_set(r, 0x1217c, 50);
   rig_set(r, 0x12178, 0);
   rig_submit(r, VCS, noops, 40);
   assert_int_equal(rig_reg(r, 0x12178), 40);
   assert_int_equal(rig_reg(r, 0x44018), 0);
   rig_submit(r, VCS, noops, 20);
   assert_int_equal(rig_reg(r, 0x44018), 1u << 18);
   assert_int_equal(rig_reg(r, 0x12178), 10); /* counts on from 0 */
   rig_set(r, 0x12178, 45);                   /* any value runs from there */
   rig_set(r, 0x44018, 1u << 18);
   rig_submit(r, VCS, noops, 6);
   assert_int_equal(rig_reg(r, 0x44018), 1u << 18);
   rig_set(r, 0x12178, 0xffffffff);
   rig_set(r, 0x44018, 1u << 18);
   rig_set(r, 0x44018, 1u << 18);
   rig_submit(r, VCS, noops, 64);
   rig_submit(r, VCS, noops, 64);
   assert_int_equal(rig_reg(r, 0x44018), 0);
}

/* RCS-187: the render watchdog counts the streamer's clock or 640 ns; 1 stops and clears. */
static void
render_watchdog(void **state)
{
   proves("RCS-187");
   struct rig *r = *state;
   uint32_t noops[64] = {0};
   rig_set(r, 0x217c, 30);
   rig_set(r, 0x2178, 1u << 31);
   rig_submit(r, RCS, noops, 20);
   assert_int_equal(rig_reg(r, 0x2190), 20);
   rig_submit(r, RCS, noops, 20);
   assert_int_equal(rig_reg(r, 0x44018), 1u << 6);
   assert_int_equal(rig_reg(r, 0x2190), 10);
   rig_set(r, 0x2178, 1u << 31 | 1);
   assert_int_equal(rig_reg(r, 0x2190), 0);
   rig_set(r, 0x44018, 1u << 6);
   rig_set(r, 0x217c, 2);
   rig_set(r, 0x2178, 0); /* every 640 ns: 64 commands of 10 ns are one */
   rig_submit(r, RCS, noops, 64);
   assert_int_equal(rig_reg(r, 0x2190), 1);
   assert_int_equal(rig_reg(r, 0x44018), 0);
   rig_submit(r, RCS, noops, 64);
   assert_int_equal(rig_reg(r, 0x44018), 1u << 6);
}

/* VCS-003: offsets of the block that no manual describes read 0; what a hang dump reads is there.
 */
static void
undescribed_offsets(void **state)
{
   proves("VCS-003");
   struct rig *r = *state;
   rig_set(r, 0x12f00, 0x1234);
   assert_int_equal(rig_reg(r, 0x12f00), 0);
   assert_true(r->diagnostics != NULL); /* named */
   assert_int_equal(rig_reg(r, 0x1206c), 0xffffffff);
   assert_int_equal(rig_reg(r, 0x12074), 0);
}

/* VCS-193, VCS-194, VCS-195, RCS-086, RCS-087: 80 ns a count, forward only, through a graphics
 * reset. */
static void
time_stamps(void **state)
{
   proves("VCS-193", "VCS-194", "VCS-195", "RCS-086", "RCS-087");
   struct rig *r = *state;
   uint32_t before = rig_reg(r, 0x12358);
   clock_advance(r->dev, 80 * 7 + 79);
   uint32_t after = rig_reg(r, 0x12358);
   assert_in_range(after - before, 7, 8);
   assert_int_equal(rig_reg(r, 0x1235c), 0);
   rig_reset(r, VCS);
   assert_true(rig_reg(r, 0x12358) >= after);
   clock_advance(r->dev, UINT64_C(80) << 33);
   assert_int_equal(rig_reg(r, 0x1235c), 2);
   clock_advance(r->dev, UINT64_C(80) << 36); /* rolls over: 36 bits */
   assert_int_equal(rig_reg(r, 0x1235c), 2);
   SUBMIT(r, RCS, PC, 3u << 14 | 1u << 24, RIG_DATA, 0, 0, NOOP, PC, 3u << 14 | 1u << 24,
          RIG_DATA + 8, 0, 0);
   uint64_t t[2];
   memcpy(t, rig_ggtt(r, RIG_DATA), 16);
   assert_true(t[1] >= t[0]);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
   const struct CMUnitTest tests[] = {
       T(clients_of_each_engine),
       T(zeros_before_unknown_commands),
       T(opcode_maps),
       T(codec_commands),
       T(error_flow),
       T(error_clearing),
       T(command_lengths),
       T(length_past_the_end),
       T(fetch_faults),
       T(state_after_reset),
       cmocka_unit_test(reset_drops_work),
       cmocka_unit_test(stop_at_the_first_rule),
       T(video_watchdog),
       T(render_watchdog),
       T(undescribed_offsets),
       T(time_stamps),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
