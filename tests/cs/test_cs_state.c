/* Predicate and pipeline state. */
#include "rig.h"

#include <string.h>
#include "tests/proves.h"

/* RCS-064, RCS-065, RCS-031, RCS-032, RCS-033, RCS-034: every combination against the definition,
 * operands loaded from memory. */
static void
predicate_truth_table(void **state)
{
   proves("RCS-064", "RCS-065", "RCS-031", "RCS-032", "RCS-033", "RCS-034");
   struct rig *r = *state;
   static const uint64_t operands[][3] = {
       {5, 5, 0}, {7, 5, 2}, {7, 5, 3}, {5, 7, (uint64_t)-2}, {0, 0, 1}, {UINT64_C(1) << 40, 1, 0}};
   for (unsigned n = 0; n < COUNT(operands); n++)
      for (unsigned load = 0; load < 4; load++)
         for (unsigned combine = 0; combine < 4; combine++)
            for (unsigned compare = 0; compare < 4; compare++)
               for (unsigned old = 0; old < 2; old++) {
                  uint64_t s0 = operands[n][0], s1 = operands[n][1], data = operands[n][2];
                  if (load == 1)
                     continue; /* reserved */
                  memcpy(rig_ggtt(r, RIG_DATA), operands[n], 24);
                  rig_set(r, 0x2418, old);
                  for (unsigned k = 0; k < 6; k++)
                     SUBMIT(r, RCS, LRM, 0x2400 + 4 * k, RIG_DATA + 4 * k);
                  SUBMIT(r, RCS, GEN7_MI_PREDICATE_HEADER | load << 6 | combine << 3 | compare);
                  uint64_t delta = s0 - s1;
                  bool c = compare == 0   ? true
                           : compare == 1 ? false
                           : compare == 2 ? delta == 0
                                          : delta == data;
                  bool v = combine == 0   ? c
                           : combine == 1 ? (old && c)
                           : combine == 2 ? (old || c)
                                          : old != c;
                  bool want = load == 0 ? old : load == 2 ? v : !v;
                  assert_int_equal(rig_reg(r, 0x2418), want);
                  uint64_t kept = rig_reg(r, 0x2410) | (uint64_t)rig_reg(r, 0x2414) << 32;
                  assert_true(kept == (compare == 2 ? delta : data));
               }
   rig_clean(r);
   SUBMIT(r, RCS, GEN7_MI_PREDICATE_HEADER | 1u << 6);
   rig_expect(r, "RCS-064"); /* the reserved load operation */
}

#define PRIMITIVE (GEN7_3DPRIMITIVE_HEADER | 5)

#define COUNT_VERTICES GEN7_3DSTATE_VF_STATISTICS_HEADER | 1

/* Primitives whose vertices have been fetched since the last time, if there was one vertex or three
 * of each. */
static unsigned
draws(struct rig *r)
{
   unsigned n = rig_reg(r, 0x2310);
   rig_set(r, 0x2310, 0);
   rig_forget(r);
   return n == 3 ? 1 : n;
}

/* RCS-061, RCS-062, RCS-063: Predicate Enable executes when the bit is 1 and skips when it is 0.
 */
static void
predicate_polarity(void **state)
{
   proves("RCS-061", "RCS-062", "RCS-063", "P3D-012");
   struct rig *r = *state;
   SUBMIT(r, RCS, COUNT_VERTICES);
   for (unsigned bit = 0; bit < 2; bit++) {
      SUBMIT(r, RCS, GEN7_MI_PREDICATE_HEADER | 2u << 6 | !bit);
      assert_int_equal(rig_reg(r, 0x2418), bit);
      SUBMIT(r, RCS, PRIMITIVE | 1u << 8, 4, 3, 0, 1, 0, 0);
      assert_int_equal(draws(r), bit);
      SUBMIT(r, RCS, PRIMITIVE, 4, 3, 0, 1, 0, 0); /* not predicated */
      assert_int_equal(draws(r), 1);
   }
}

/* P3D-010: no vertices or no instances, of its own or by registers: nothing is fetched. */
static void
empty_primitives(void **state)
{
   proves("P3D-009", "P3D-010");
   struct rig *r = *state;
   SUBMIT(r, RCS, COUNT_VERTICES);
   SUBMIT(r, RCS, PRIMITIVE, 1, 0, 0, 1, 0, 0);
   assert_int_equal(draws(r), 0);
   SUBMIT(r, RCS, PRIMITIVE, 1, 1, 0, 0, 0, 0);
   assert_int_equal(draws(r), 0);
   SUBMIT(r, RCS, PRIMITIVE, 1, 1, 0, 1, 0, 0);
   assert_int_equal(draws(r), 1);
   SUBMIT(r, RCS, PRIMITIVE | 1u << 10, 1, 1, 0, 1, 0, 0); /* counts of registers, which are 0 */
   assert_int_equal(draws(r), 0);
   rig_set(r, 0x2434, 3);
   SUBMIT(r, RCS, PRIMITIVE | 1u << 10, 1, 0, 0, 0, 0, 0);
   assert_int_equal(draws(r), 0);
   rig_set(r, 0x2438, 1);
   SUBMIT(r, RCS, PRIMITIVE | 1u << 10, 1, 0, 0, 0, 0, 0);
   assert_int_equal(draws(r), 1);
}

/* RCS-060: other topologies than the filter's are discarded; 0 filters nothing. */
static void
topology_filter(void **state)
{
   proves("RCS-060", "P3D-016");
   struct rig *r = *state;
   SUBMIT(r, RCS, COUNT_VERTICES);
   SUBMIT(r, RCS, GEN7_MI_TOPOLOGY_FILTER_HEADER | 4, PRIMITIVE, 4, 3, 0, 1, 0, 0);
   assert_int_equal(draws(r), 1);
   SUBMIT(r, RCS, PRIMITIVE, 5, 3, 0, 1, 0, 0);
   assert_int_equal(draws(r), 0);
   SUBMIT(r, RCS, GEN7_MI_TOPOLOGY_FILTER_HEADER, PRIMITIVE, 5, 3, 0, 1, 0, 0);
   assert_int_equal(draws(r), 1);
   SUBMIT(r, RCS, GEN7_MI_TOPOLOGY_FILTER_HEADER | 1u << 6);
   rig_expect(r, "RCS-060");
}

/* RCS-181: instruction classes that INSTPM disables are parsed and checked, not executed. */
static void
disabled_instructions(void **state)
{
   proves("RCS-181");
   struct rig *r = *state;
   SUBMIT(r, RCS, COUNT_VERTICES);
   rig_set(r, 0x20c0, 0x00040004);
   SUBMIT(r, RCS, PRIMITIVE, 4, 3, 0, 1, 0, 0);
   assert_int_equal(draws(r), 0);
   rig_set(r, 0x20c0, 0x00040000);
   SUBMIT(r, RCS, PRIMITIVE, 4, 3, 0, 1, 0, 0);
   assert_int_equal(draws(r), 1);
   rig_set(r, 0x20c0, 0x00010001);
   SUBMIT(r, RCS, GEN7_3DSTATE_SAMPLER_PALETTE_LOAD0_HEADER, 5);
   assert_null(cs_state_command(r->dev, GEN7_3DSTATE_SAMPLER_PALETTE_LOAD0_ID, NULL));
   rig_set(r, 0x20c0, 0x00010000);
   SUBMIT(r, RCS, GEN7_3DSTATE_SAMPLER_PALETTE_LOAD0_HEADER, 5);
   assert_non_null(cs_state_command(r->dev, GEN7_3DSTATE_SAMPLER_PALETTE_LOAD0_ID, NULL));
}

#define SBA (GEN7_STATE_BASE_ADDRESS_HEADER | 8)

/* RCS-069, RCS-161: each base and bound moves only with its modify bit. */
static void
base_addresses(void **state)
{
   proves("RCS-069", "RCS-161");
   struct rig *r = *state;
   SUBMIT(r, RCS, SBA, 0x1001, 0x2001, 0x3001, 0x4001, 0x5001, 0x11001, 0x13001, 0x14001, 0x15001);
   const struct state_bases *b = cs_state_bases(r->dev);
   assert_int_equal(b->general, 0x1000);
   assert_int_equal(b->surface, 0x2000);
   assert_int_equal(b->dynamic, 0x3000);
   assert_int_equal(b->indirect, 0x4000);
   assert_int_equal(b->instruction, 0x5000);
   assert_int_equal(b->general_end, 0x11000);
   assert_int_equal(b->dynamic_end, 0x13000);
   assert_int_equal(b->indirect_end, 0x14000);
   assert_int_equal(b->instruction_end, 0x15000);
   SUBMIT(r, RCS, SBA, 0x9000, 0x9001, 0x9000, 0x9000, 0x9000, 0x9000, 0x19001, 0x9000, 0x9000);
   assert_int_equal(b->general, 0x1000);
   assert_int_equal(b->surface, 0x9000);
   assert_int_equal(b->dynamic, 0x3000);
   assert_int_equal(b->dynamic_end, 0x19000);
   assert_int_equal(b->instruction_end, 0x15000);
   rig_clean(r);
   SUBMIT(r, RCS, SBA, 0x1003, 0, 0, 0, 0, 0, 0, 0, 0);
   rig_expect(r, "RCS-069");
}

/* RCS-162: a bound of 0 checks nothing, and neither does 0xFFFFF for indirect objects; else it
 * exceeds the base. */
static void
base_address_bounds(void **state)
{
   proves("RCS-162");
   struct rig *r = *state;
   SUBMIT(r, RCS, SBA, 0x5001, 1, 0x5001, 0x5001, 0x5001, 0x6001, 0x0001, 0xfffff001, 0x6001);
   assert_int_equal(cs_state_bases(r->dev)->dynamic_end, 0);
   assert_int_equal(cs_state_bases(r->dev)->indirect_end, 0);
   rig_clean(r);
   SUBMIT(r, RCS, SBA, 0, 0, 0, 0, 0, 0x5001, 0, 0, 0);
   rig_expect(r, "RCS-162");
}

/* RCS-070, RCS-071: three pipes; 3 is reserved and keeps the old one; commands of the other pipe
 * are named. */
static void
pipeline_selection(void **state)
{
   proves("RCS-070", "RCS-071");
   struct rig *r = *state;
   static const enum pipeline pipes[] = {PIPELINE_3D, PIPELINE_MEDIA, PIPELINE_GPGPU};
   for (unsigned i = 0; i < 3; i++) {
      SUBMIT(r, RCS, GEN7_PIPELINE_SELECT_HEADER | i);
      assert_int_equal(cs_pipeline(r->dev), pipes[i]);
   }
   rig_clean(r);
   SUBMIT(r, RCS, GEN7_PIPELINE_SELECT_HEADER | 3);
   assert_int_equal(cs_pipeline(r->dev), PIPELINE_GPGPU);
   rig_expect(r, "RCS-070");
   SUBMIT(r, RCS, PRIMITIVE, 4, 3, 0, 1, 0, 0);
   rig_expect(r, "RCS-070");
   SUBMIT(r, RCS, GEN7_PIPELINE_SELECT_HEADER, GEN7_MEDIA_STATE_FLUSH_HEADER, 0);
   rig_expect(r, "RCS-070");
}

/* RCS-068, RCS-164, RCS-067: kept as they came; reserved bits are named. */
static void
simple_state_commands(void **state)
{
   proves("RCS-068", "RCS-164", "RCS-067", "G3D-060");
   struct rig *r = *state;
   static const struct {
      unsigned id;
      uint32_t dw[2], bad;
      const char *rule;
   } cases[] = {
       {GEN7_STATE_SIP_ID, {GEN7_STATE_SIP_HEADER, 0x12340}, 0x12341, "RCS-068"},
       {GEN7_SWTESS_BASE_ADDRESS_ID, {GEN7_SWTESS_BASE_ADDRESS_HEADER, 0x55555500}, 1, "G3D-060"},
       {GEN7_MI_URB_CLEAR_ID, {GEN7_MI_URB_CLEAR_HEADER, 0x00100020}, 1u << 31, "RCS-067"},
   };
   for (unsigned i = 0; i < COUNT(cases); i++) {
      rig_submit(r, RCS, cases[i].dw, 2);
      rig_clean(r);
      uint32_t n;
      const uint32_t *dw = cs_state_command(r->dev, cases[i].id, &n);
      assert_non_null(dw);
      assert_int_equal(n, 2);
      assert_memory_equal(dw, cases[i].dw, 8);
      SUBMIT(r, RCS, cases[i].dw[0], cases[i].bad);
      rig_expect(r, cases[i].rule);
   }
}

/* RCS-165: performance only. */
static void
prefetch(void **state)
{
   proves("RCS-165");
   struct rig *r = *state;
   memset(rig_ggtt(r, RIG_DATA), 0x5a, 512);
   SUBMIT(r, RCS, GEN7_STATE_PREFETCH_HEADER, RIG_DATA | 7);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 0x5a5a5a5a);
   assert_null(cs_state_command(r->dev, GEN7_STATE_PREFETCH_ID, NULL));
   rig_clean(r);
   SUBMIT(r, RCS, GEN7_STATE_PREFETCH_HEADER, RIG_DATA | 8);
   rig_expect(r, "RCS-165");
}

/* RCS-159, RCS-157: every state command of the map is known by its opcode, kept and given back. */
static void
every_state_command_is_kept(void **state)
{
   proves("RCS-159", "RCS-157");
   struct rig *r = *state;
   static const uint16_t opcodes[] = {
       0x6101, 0x6102, 0x6103, 0x6904, 0x7804, 0x7805, 0x7806, 0x7807, 0x7808, 0x7809, 0x780a,
       0x680b, 0x780e, 0x780f, 0x7810, 0x7811, 0x7812, 0x7813, 0x7814, 0x7815, 0x7816, 0x7817,
       0x7818, 0x7819, 0x781a, 0x781b, 0x781c, 0x781d, 0x781e, 0x781f, 0x7820, 0x7821, 0x7823,
       0x7824, 0x7825, 0x7826, 0x7827, 0x7828, 0x7829, 0x782a, 0x782b, 0x782c, 0x782d, 0x782e,
       0x782f, 0x7830, 0x7831, 0x7832, 0x7833, 0x7900, 0x7902, 0x7904, 0x7906, 0x7907, 0x7908,
       0x790a, 0x790c, 0x790d, 0x7911, 0x7912, 0x7913, 0x7914, 0x7915, 0x7916, 0x7917, 0x7918,
   };
   for (unsigned i = 0; i < COUNT(opcodes); i++) {
      const struct hw_command *c = hw_command_find((uint32_t)opcodes[i] << 16, HW_RCS, HW_IVB);
      assert_non_null(c);
      uint32_t dw[320] = {0}, n = c->layout.length_dw + (c->layout.variable ? 4 : 0);
      dw[0] = c->header | (c->length_bits ? n - c->bias : 0);
      for (unsigned k = 0; k < c->layout.length_dw; k++)
         dw[k] |= c->layout.mbo[k];
      rig_submit(r, RCS, dw, n);
      uint32_t count = 0;
      const uint32_t *kept = cs_state_command(r->dev, c->id, &count);
      assert_non_null(kept);
      assert_true(count >= n || opcodes[i] == 0x7808);
      assert_int_equal(kept[0] & 0xffff0000, c->header);
   }
   assert_non_null(hw_command_find(0x60030000, HW_RCS, HW_IVB));
   assert_non_null(hw_command_find(0x7a000000, HW_RCS, HW_IVB));
   assert_non_null(hw_command_find(0x7b000000, HW_RCS, HW_IVB));
   assert_null(hw_command_find(0x7fff0000, HW_RCS, HW_IVB));
   rig_forget(r);
   /* an unknown one is named and skipped by its length */
   SUBMIT(r, RCS, 0x78ff0001, 1, 2, SDI, 0, RIG_DATA, 1);
   assert_int_equal(*rig_ggtt(r, RIG_DATA), 1);
   rig_expect(r, "RCS-159");
}

/* RCS-154, RCS-153, RCS-150: buffers that are programmed one at a time keep their places. */
static void
indexed_state_accumulates(void **state)
{
   proves("RCS-154", "RCS-153", "RCS-150", "P3D-042");
   struct rig *r = *state;
   uint32_t vb = GEN7_3DSTATE_VERTEX_BUFFERS_HEADER | 3;
   SUBMIT(r, RCS, vb, 2u << 26 | 1u << 14, 0x200, 0x2ff, 0);
   SUBMIT(r, RCS, vb, 0u << 26 | 1u << 14, 0x100, 0x1ff, 0);
   SUBMIT(r, RCS, vb, 2u << 26 | 1u << 14, 0x300, 0x3ff, 0);
   SUBMIT(r, RCS, vb, 2u << 26 | 12, 0x400, 0x4ff, 5); /* no address: the old one stays */
   uint32_t n;
   const uint32_t *dw = cs_state_command(r->dev, GEN7_3DSTATE_VERTEX_BUFFERS_ID, &n);
   assert_int_equal(n, 9);
   assert_int_equal(dw[0] & 0xff, 7);
   assert_int_equal(dw[2], 0x100);
   assert_int_equal(dw[5], 2u << 26 | 1u << 14 | 12);
   assert_int_equal(dw[6], 0x300);
   assert_int_equal(dw[7], 0x3ff);
   assert_int_equal(dw[8], 5);
   uint32_t so = GEN7_3DSTATE_SO_BUFFER_HEADER | 2;
   SUBMIT(r, RCS, so, 3u << 29, 0x1000, 0x2000);
   SUBMIT(r, RCS, so, 1u << 29, 0x3000, 0x4000);
   dw = cs_state_command(r->dev, GEN7_3DSTATE_SO_BUFFER_ID, &n);
   assert_int_equal(n, 16);
   assert_int_equal(dw[0], 0);
   assert_int_equal(dw[4 + 2], 0x3000);
   assert_int_equal(dw[12 + 2], 0x1000);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
   const struct CMUnitTest tests[] = {
       T(predicate_truth_table),
       T(predicate_polarity),
       T(empty_primitives),
       T(topology_filter),
       T(disabled_instructions),
       T(base_addresses),
       T(base_address_bounds),
       T(pipeline_selection),
       T(simple_state_commands),
       T(prefetch),
       T(every_state_command_is_kept),
       T(indexed_state_accumulates),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
