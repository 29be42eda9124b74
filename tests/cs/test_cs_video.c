/* The rest of the video streamer's rows: translation, modes, formats. */
#include "rig.h"

#include <stdlib.h>
#include <string.h>
#include "tests/proves.h"

#define DIRECTORY 0x40000u /* GTT slot of the page directory, as rig_ppgtt has it */

static void
load_directory(struct rig *r, uint32_t dclv)
{
   rig_set(r, 0x12220, dclv);
   rig_set(r, 0x12228, (DIRECTORY * 4 / 64) << 16);
}

static uint32_t *
ram(struct rig *r, uint32_t offset)
{
   return (uint32_t *)(r->ram + offset);
}

/* VCS-006, VCS-007, VCS-302, VCS-303, VCS-299: 31:22 chooses the directory entry, 21:12 the table
 * entry; the directory lies in the GGTT's table at PP_DIR_BASE. */
static void
two_level_translation(void **state)
{
   proves("VCS-006", "VCS-007", "VCS-302", "VCS-303", "VCS-299", "VCS-306");
   struct rig *r = *state;
   rig_ppgtt(r);
   uint32_t table = 0x900000;
   rig_set(r, 0x200000 + 4 * (DIRECTORY + 5),
           (RIG_PHYS + table) | 1); /* directory entry 5: 20 MiB up */
   *ram(r, table + 4 * 7) = (RIG_PHYS + 0xa00000) | 7;
   load_directory(r, 0xffffffff);
   SUBMIT(r, VCS, SDI & ~GLOBAL, 0, 5u << 22 | 7u << 12 | 0x124, 0x31);
   assert_int_equal(*ram(r, 0xa00124), 0x31);
   rig_clean(r);
   /* an entry that is not valid is a fault and changes nothing */
   SUBMIT(r, VCS, SDI & ~GLOBAL, 0, 5u << 22 | 8u << 12, 0x32);
   assert_int_equal(rig_reg(r, 0x4194), 5u << 22 | 8u << 12 | 8u << 3 | 1);
   rig_expect(r, "VCS-306");
   /* VCS-303: entries may be changed with MI_STORE_DATA_IMM */
   rig_set(r, 0x4194, 0);
   SUBMIT(r, VCS, GEN7_MI_UPDATE_GTT_HEADER | GLOBAL | 1, 0x1000000, (RIG_PHYS + table) | 7, NOOP,
          SDI, 0, 0x1000000 + 4 * 8, (RIG_PHYS + 0xb00000) | 7,
          FLUSH_DW | 1u << 18 | 1u << 14 | 1u << 21, 0x100, 0, 0, SDI & ~GLOBAL, 0,
          5u << 22 | 8u << 12, 0x33);
   assert_int_equal(*ram(r, 0xb00000), 0x33);
   rig_clean(r);
}

/* VCS-007, VCS-009, VCS-013: a group of sixteen directory entries whose bit is 0 is not loaded. */
static void
directory_groups(void **state)
{
   proves("VCS-007", "VCS-009", "VCS-013");
   struct rig *r = *state;
   rig_ppgtt(r);
   rig_set(r, 0x200000 + 4 * (DIRECTORY + 16),
           (RIG_PHYS + 0x800000) | 1); /* the first of group 1 */
   load_directory(r, 3);
   SUBMIT(r, VCS, SDI & ~GLOBAL, 0, (16u << 22) + RIG_DATA, 0x41);
   assert_int_equal(*rig_pp(r, RIG_DATA), 0x41);
   rig_clean(r);
   load_directory(r, 1);
   SUBMIT(r, VCS, SDI & ~GLOBAL, 0, (16u << 22) + RIG_DATA, 0x42);
   assert_int_equal(*rig_pp(r, RIG_DATA), 0x41);
   assert_int_equal(rig_reg(r, 0x4194) & 7, 2u << 1 | 1); /* unloaded */
   rig_expect(r, "VCS-013");
}

/* VCS-014: the engine whose directory group is not loaded stands still until it is reset; the
 * others go on. The numbers of the sources are not published: the record has 0 there. */
static void
unloaded_directory_stops_the_engine(void **state)
{
   proves("VCS-013");
   proves("VCS-014");
   struct rig *r = *state;
   rig_ppgtt(r);
   load_directory(r, 2); /* group 0 is not there */
   SUBMIT(r, VCS, SDI & ~GLOBAL, 0, RIG_DATA + 0x3000, 0x42);
   assert_int_equal(rig_reg(r, 0x4194), (RIG_DATA + 0x3000) | 8u << 3 | 2u << 1 | 1);
   assert_int_equal(rig_reg(r, 0x140a0), 1u << 8);
   assert_int_equal(*rig_pp(r, RIG_DATA + 0x3000), 0);
   rig_expect(r, "VCS-013");
   for (unsigned i = 0; i < 2; i++) {
      assert_int_equal(SUBMIT(r, VCS, SDI, 0, RIG_DATA, 0x43), PERGOLA_RUN_STOPPED);
      assert_int_equal(*rig_ggtt(r, RIG_DATA), 0);
   }
   SUBMIT(r, RCS, SDI, 0, RIG_DATA + 8, 0x44);
   SUBMIT(r, BCS, SDI, 0, RIG_DATA + 16, 0x45);
   assert_int_equal(*rig_ggtt(r, RIG_DATA + 8), 0x44);
   assert_int_equal(*rig_ggtt(r, RIG_DATA + 16), 0x45);
   rig_reset(r, VCS);
   assert_int_equal(SUBMIT(r, VCS, SDI, 0, RIG_DATA, 0x46), PERGOLA_RUN_IDLE);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 0x46);
}

/* VCS-041: PPGTT off, both kinds use the global GTT; on, each its own. */
static void
per_process_enable(void **state)
{
   proves("VCS-041");
   struct rig *r = *state;
   rig_ppgtt(r);
   rig_set(r, 0x1229c, 0x02000000);
   SUBMIT(r, VCS, SDI & ~GLOBAL, 0, RIG_DATA, 1, SDI, 0, RIG_DATA + 4, 2);
   assert_int_equal(rig_ggtt(r, RIG_DATA)[0], 1);
   assert_int_equal(rig_ggtt(r, RIG_DATA)[1], 2);
   rig_set(r, 0x1229c, 0x02000200);
   SUBMIT(r, VCS, SDI & ~GLOBAL, 0, RIG_DATA, 3, SDI, 0, RIG_DATA + 4, 4);
   assert_int_equal(rig_pp(r, RIG_DATA)[0], 3);
   assert_int_equal(rig_ggtt(r, RIG_DATA)[0], 1);
   assert_int_equal(rig_ggtt(r, RIG_DATA)[1], 4);
}

/* VCS-300, VCS-301: 40 bits of address; bit 1 is the write permission on Valleyview alone. */
static void
global_entries(void **state)
{
   proves("VCS-300", "VCS-301", "VCS-306", "MEM-004");
   struct rig *r = *state;
   uint8_t *high = aligned_alloc(4096, 4096);
   memset(high, 0, 4096);
   assert_int_equal(pergola_memory_add(r->dev, UINT64_C(0xab12345000), high, 4096, 0), 0);
   rig_set(r, 0x200000 + 4 * 0x800, 0x12345000 | 0xab << 4 | 1); /* 39:32 in 11:4 */
   SUBMIT(r, VCS, SDI, 0, 0x800008, 0x51);
   assert_int_equal(((uint32_t *)high)[2], 0x51); /* bit 1 is cacheability: written */
   rig_clean(r);
   rig_set(r, 0x200000 + 4 * 0x801, 0x12345000 | 0xab << 4); /* not valid */
   SUBMIT(r, VCS, SDI, 0, 0x801008, 0x52);
   assert_int_equal(((uint32_t *)high)[2], 0x51);
   rig_expect(r, "VCS-306");
   struct rig *v = rig_create("vlv", PERGOLA_CHECK_REPORT);
   rig_set(v, 0x200000 + 4 * 0x800, (RIG_PHYS + RIG_DATA) | 1);
   rig_set(v, 0x200000 + 4 * 0x801, (RIG_PHYS + RIG_DATA) | 3);
   SUBMIT(v, VCS, SDI, 0, 0x800000, 0x53);
   assert_int_equal(*rig_ggtt(v, RIG_DATA), 0);
   rig_forget(v);
   SUBMIT(v, VCS, SDI, 0, 0x801000, 0x54);
   assert_int_equal(*rig_ggtt(v, RIG_DATA), 0x54);
   rig_clean(v);
   rig_destroy(v);
   rig_destroy(r);
   free(high);
   *state = rig_create("ivb-gt2", PERGOLA_CHECK_REPORT);
}

/* VCS-304: 32 KB pages: 21:15 selects, 14:0 is the offset; the first entry of each eight counts. */
static void
large_pages(void **state)
{
   proves("VCS-304");
   struct rig *r = *state;
   rig_ppgtt(r);
   uint32_t table = 0x900000;
   rig_set(r, 0x200000 + 4 * (DIRECTORY + 6), (RIG_PHYS + table) | 3);
   *ram(r, table + 4 * 16) = (RIG_PHYS + 0xa00000) | 7; /* page 2 of 32 KB */
   load_directory(r, 0xffffffff);
   SUBMIT(r, VCS, SDI & ~GLOBAL, 0, (6u << 22) + 2 * 0x8000 + 0x7abc, 0x61);
   assert_int_equal(*ram(r, 0xa07abc), 0x61);
   rig_clean(r);
}

/* VCS-105, VCS-130, VCS-126: a page fault is interrupt bit 19 and a record, not an error bit; EIR
 * knows bit 0 only. */
static void
page_faults(void **state)
{
   proves("VCS-014", "VCS-105", "VCS-130", "VCS-126");
   struct rig *r = *state;
   rig_set(r, 0x120b4, 0);
   SUBMIT(r, VCS, SDI, 0, 0x30000000, 1);
   assert_int_equal(rig_reg(r, 0x44018) & 1u << 19, 1u << 19);
   assert_int_equal(rig_reg(r, 0x4194) & 1, 1);
   assert_int_equal(rig_reg(r, 0x120b0), 0);
   assert_int_equal(rig_reg(r, 0x120b8), 0);
   assert_int_equal(rig_reg(r, 0x120b4), 0xfffe); /* undefined error bits read 1 */
   SUBMIT(r, VCS, SDI, 0, 0x31000000, 1);
   assert_int_equal(rig_reg(r, 0x4194) & ~0xfffu, 0x30000000); /* the first fault's */
   SUBMIT(r, VCS, 7u << 29);
   assert_int_equal(rig_reg(r, 0x120b0), 1);
}

/* VCS-004, VCS-323: every register takes its eight-digit default at a full reset. */
static void
defaults_at_full_reset(void **state)
{
   proves("VCS-004", "VCS-323");
   struct rig *r = *state;
   static const uint32_t ones[] = {0x120a8, 0x12098, 0x12178};
   static const uint32_t zero[] = {0x12028, 0x12030, 0x12034, 0x12038, 0x1203c, 0x12040,
                                   0x12044, 0x12094, 0x120b0, 0x120b8, 0x120c0, 0x12134,
                                   0x12140, 0x12110, 0x12220, 0x12224};
   rig_set(r, 0x12044, 5);
   SUBMIT(r, VCS, 1u << 22 | 3);
   rig_set(r, 0x941c, 1);
   for (unsigned i = 0; i < COUNT(ones); i++)
      assert_int_equal(rig_reg(r, ones[i]), 0xffffffff);
   for (unsigned i = 0; i < COUNT(zero); i++)
      assert_int_equal(rig_reg(r, zero[i]), 0);
   assert_int_equal(rig_reg(r, 0x120b4), 0xffff);
   assert_int_equal(rig_reg(r, 0x1209c) & MI_MODE_IDLE, MI_MODE_IDLE);
}

/* VCS-023: bit 0 of the status page address reads 0, and a later change of the GTT applies. */
static void
status_page_translation(void **state)
{
   proves("VCS-023");
   struct rig *r = *state;
   rig_set(r, 0x4180, RIG_STATUS(VCS) | 1);
   assert_int_equal(rig_reg(r, 0x4180), RIG_STATUS(VCS));
   SUBMIT(r, VCS, SDX, 0x100, 1);
   assert_int_equal(*rig_ggtt(r, RIG_STATUS(VCS) + 0x100), 1);
   rig_set(r, 0x200000 + 4 * (RIG_STATUS(VCS) >> 12), (RIG_PHYS + 0xc00000) | 7);
   SUBMIT(r, VCS, SDX, 0x100, 2);
   assert_int_equal(*rig_ggtt(r, RIG_STATUS(VCS) + 0x100), 1);
   assert_int_equal(*ram(r, 0xc00100), 2);
}

/* VCS-053, VCS-045, VCS-042: no bit of INSTPM disables commands here; reserved bits behind the mask
 * have no function. */
static void
modes_without_function(void **state)
{
   proves("VCS-053", "VCS-045", "VCS-042", "VCS-325");
   struct rig *r = *state;
   rig_set(r, 0x120c0, 0xffdf0000 | 0xfd9f);
   assert_int_equal(rig_reg(r, 0x120c0), 0xfd9f); /* reserved bits are implemented */
   SUBMIT(r, VCS, SDI, 0, RIG_DATA, 1, 0x70000003, 1, 2, 3, 4, NOOP, SDI, 0, RIG_DATA + 4, 2);
   assert_int_equal(rig_ggtt(r, RIG_DATA)[0], 1);
   assert_int_equal(rig_ggtt(r, RIG_DATA)[1], 2);
   assert_int_equal(rig_count(r, "VCS-325"), 1);
   rig_set(r, 0x1229c, 0xfdff0000 | 0xfdff); /* everything but bit 9 */
   SUBMIT(r, VCS, SDI, 0, RIG_DATA, 3);
   assert_int_equal(rig_ggtt(r, RIG_DATA)[0], 3);
   assert_false(rig_reg(r, 0x1229c) & 1u << 9);
}

/* VCS-103, VCS-312: the events of each engine in the shared registers. */
static void
interrupt_bits(void **state)
{
   proves("VCS-103", "VCS-312", "VCS-105");
   struct rig *r = *state;
   static const struct {
      unsigned user, sync, error, notify, page_fault;
   } want[ENGINE_COUNT] = {{0, 2, 3, 4, 7}, {12, 14, 15, 16, 19}, {22, 24, 25, 26, 29}};
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      uint32_t base = engine_base[e], seen = 0;
#define EVENT(...)                                                                                 \
   do {                                                                                            \
      rig_set(r, 0x44018, 0xffffffff);                                                             \
      rig_set(r, 0x44018, 0xffffffff);                                                             \
      __VA_ARGS__;                                                                                 \
      seen = rig_reg(r, 0x44018);                                                                  \
   } while (0)
      EVENT(SUBMIT(r, e, GEN7_MI_USER_INTERRUPT_HEADER));
      assert_int_equal(seen, 1u << want[e].user);
      EVENT(rig_set(r, base + R_INSTPM, 0x00200020));
      assert_int_equal(seen, 1u << want[e].sync);
      if (e == RCS)
         EVENT(SUBMIT(r, e, PC, 1u << 8, 0, 0, 0));
      else
         EVENT(SUBMIT(r, e, FLUSH_DW | 1u << 8, 0, 0, 0));
      assert_int_equal(seen, 1u << want[e].notify);
      EVENT(SUBMIT(r, e, SDI, 0, 0x30000000, 1));
      assert_int_equal(seen, 1u << want[e].page_fault);
      rig_set(r, base + R_EMR, 0xfffffffe);
      EVENT(SUBMIT(r, e, 7u << 29));
      assert_int_equal(seen, 1u << want[e].error);
   }
}

/* VCS-124: the engine's mask gates what it forwards; the shared IER what reaches the CPU. */
static void
engine_mask_gates(void **state)
{
   proves("VCS-124");
   struct rig *r = *state;
   rig_set(r, 0x120a8, 0xffffffff);
   SUBMIT(r, VCS, GEN7_MI_USER_INTERRUPT_HEADER);
   assert_int_equal(rig_reg(r, 0x44018), 0);
   rig_set(r, 0x120a8, ~(1u << 12));
   rig_set(r, 0x4401c, 0);
   SUBMIT(r, VCS, GEN7_MI_USER_INTERRUPT_HEADER);
   assert_int_equal(rig_reg(r, 0x44018), 1u << 12);
   assert_false(r->line);
   rig_set(r, 0x4401c, 1u << 12);
   assert_true(r->line);
}

/* VCS-148, VCS-104: one implicit context: MI_SET_CONTEXT is unknown and no context switch interrupt
 * comes. */
static void
no_logical_contexts(void **state)
{
   proves("VCS-148", "VCS-104", "VCS-129");
   struct rig *r = *state;
   SUBMIT(r, VCS, GEN7_MI_ARB_ON_OFF_HEADER, GEN7_MI_ARB_ON_OFF_HEADER | 1,
          GEN7_MI_ARB_CHECK_HEADER, NOOP);
   assert_int_equal(rig_reg(r, 0x44018) & 1u << 20, 0);
   SUBMIT(r, VCS, GEN7_MI_SET_CONTEXT_HEADER, RIG_CONTEXT | 0x100);
   assert_int_equal(cs_state(r->dev->cs[VCS]), CS_STOPPED);
   assert_int_equal(*rig_ggtt(r, RIG_CONTEXT + 4 * 0x73), 0);
   assert_int_equal(rig_reg(r, 0x44018) & 1u << 20, 0);
   rig_expect(r, "VCS-129");
}

/* VCS-164, VCS-177, VCS-178, VCS-189: arbiter controls are storage; the model has no TLB to show.
 */
static void
arbiter_registers(void **state)
{
   proves("VCS-164", "VCS-177", "VCS-178", "VCS-189");
   struct rig *r = *state;
   assert_int_equal(rig_reg(r, 0x14050), 0x00400002);
   rig_set(r, 0x14050, 0xdeadbeef);
   SUBMIT(r, VCS, SDI, 0, RIG_DATA, 1); /* no effect on work */
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 1);
   for (uint32_t o = 0x14800; o < 0x14c00; o += 4)
      assert_int_equal(rig_reg(r, o), 0);
   for (uint32_t o = 0x14780; o < 0x147a0; o += 4)
      assert_int_equal(rig_reg(r, o), 0);
   for (uint32_t o = 0x14400; o < 0x14710; o += 4)
      assert_int_equal(rig_reg(r, o), 0);
}

/* VCS-199, VCS-203, VCS-207, VCS-276, VCS-279, VCS-326, VCS-196: single dwords; the other bits are
 * reserved. */
static void
single_dword_layouts(void **state)
{
   proves("VCS-199", "VCS-203", "VCS-207", "VCS-276", "VCS-279", "VCS-326", "VCS-196");
   struct rig *r = *state;
   static const struct {
      uint32_t header, reserved;
      const char *rule;
   } cases[] = {
       {0x05u << 23, 0x7fffff, "VCS-199"}, {0x08u << 23 | 1, 0x7ffffe, "VCS-203"},
       {0x0bu << 23, 0x7ffffe, "VCS-276"}, {0x02u << 23, 0x7fffff, "VCS-279"},
       {0x07u << 23, 0x7fffff, "VCS-326"}, {0x0au << 23, 0x7fffff, "VCS-207"},
   };
   for (unsigned i = 0; i < COUNT(cases); i++) {
      const struct hw_command *c = hw_command_find(cases[i].header, HW_VCS, HW_IVB);
      assert_non_null(c);
      assert_int_equal(hw_command_length(c, 0), 1);
      assert_int_equal(c->layout.mbz[0], cases[i].reserved);
      rig_forget(r);
      SUBMIT(r, VCS, cases[i].header | 1u << 22);
      rig_expect(r, cases[i].rule);
   }
}

/* RCS-002: the mode is kept and has no other effect. */
static void
split_frame_mode(void **state)
{
   proves("RCS-002");
   struct rig *r = *state;
   for (uint32_t mode = 0; mode < 4; mode++) {
      rig_set(r, 0x9038, mode);
      assert_int_equal(rig_reg(r, 0x9038), mode);
      SUBMIT(r, RCS, SDI, 0, RIG_DATA, mode + 1);
      assert_int_equal(*rig_ggtt(r, RIG_DATA), mode + 1);
   }
   rig_clean(r);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
   const struct CMUnitTest tests[] = {
       T(two_level_translation),
       T(directory_groups),
       T(unloaded_directory_stops_the_engine),
       T(per_process_enable),
       T(global_entries),
       T(large_pages),
       T(page_faults),
       T(defaults_at_full_reset),
       T(status_page_translation),
       T(modes_without_function),
       T(interrupt_bits),
       T(engine_mask_gates),
       T(no_logical_contexts),
       T(arbiter_registers),
       T(single_dword_layouts),
       T(split_frame_mode),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
