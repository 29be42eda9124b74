/* The interpreter against the oracle: random programs on random states, compared bit for bit. */
#include "compare.h"
#include "coverage.h"
#include "tests/proves.h"

#define BLOCK 48
#define FLOW_STEPS 4000

static void
run_oracle(struct oracle *o, const struct program *p, unsigned steps)
{
   for (unsigned n = 0; n < steps; n++) {
      struct eu_inst i;
      compare_decode((const uint8_t *)p->dw + o->ip, &i);
      oracle_step(o, &i);
   }
}

static void
print_operands(const struct oracle *o, const struct eu_inst *i)
{
   for (unsigned n = 0; n < eu_opcodes[i->opcode].sources && n < 3; n++) {
      if (i->src[n].file != EU_FILE_GRF)
         continue;
      printf("#   source %u:", n);
      for (unsigned ch = 0; ch < i->exec_size; ch++) {
         struct value v = oracle_source(
             o, i, n, ch, oracle_halves(o, i) == 2 && ch >= i->exec_size / 2u, oracle_exec_type(i));
         printf(" %llx", (unsigned long long)(ref_type_is_int(i->src[n].type) ? (uint64_t)v.i
                                              : i->src[n].type == EU_TYPE_DF  ? v.d
                                                                              : v.f));
      }
      printf("\n");
   }
}

/* Finds the first step after which they differ, and fails with it. */
static void
explain(struct machine *m, const struct program *p, const struct oracle *start, enum acc_class acc,
        unsigned long long number)
{
   char text[160], line[EU_DISASM_MAX];
   for (unsigned steps = 1; steps <= p->steps; steps++) {
      struct oracle o = *start, before;
      run_oracle(&o, p, steps - 1);
      before = o;
      struct eu_inst i;
      compare_decode((const uint8_t *)p->dw + o.ip, &i);
      oracle_step(&o, &i);
      compare_to_thread(m, start);
      eu_run(m->t, steps);
      if (!compare_difference(m->t, &o, acc, text))
         continue;
      eu_disasm_inst(&i, HW_IVB, line);
      printf("# seed 0x%llx, program %llu, step %u at 0x%x: %s\n#   %s\n#   masks 0x%08x flags "
             "0x%08x 0x%08x cr0 0x%x\n",
             (unsigned long long)compare_seed(), number, steps, before.ip, line, text,
             oracle_mask(&before), before.flag[0], before.flag[1], before.cr0);
      print_operands(&before, &i);
      fflush(stdout);
      return;
   }
   printf("# seed 0x%llx, program %llu: differs only when run at a stretch\n",
          (unsigned long long)compare_seed(), number);
}

static bool
same(struct machine *m, const struct program *p, const struct oracle *start,
     const struct oracle *end, enum acc_class acc, unsigned long long number)
{
   char text[160];
   compare_load(m, p);
   compare_to_thread(m, start);
   enum eu_stop stop = eu_run(m->t, p->steps);
   if (stop == EU_STOP_BUDGET && !compare_difference(m->t, end, acc, text))
      return true;
   if (stop != EU_STOP_BUDGET)
      printf("# program %llu stopped with %d\n", number, stop);
   else
      printf("# program %llu: %s\n", number, text);
   explain(m, p, start, acc, number);
   return false;
}

/* In the compact form, half of the times that there is one. */
static unsigned
append(struct generator *g, struct program *p, struct eu_inst *i)
{
   uint8_t *at = (uint8_t *)p->dw + p->size;
   uint32_t dw[4];
   uint64_t compact;
   eu_inst_encode(i, HW_IVB, dw);
   memcpy(at, dw, sizeof(dw));
   if (eu_inst_compact(dw, &compact) && gen_chance(g, 50))
      memcpy(at, &compact, sizeof(compact));
   compare_decode(at, i);
   return i->size;
}

static void
make_straight(struct generator *g, struct program *p, struct oracle *o, struct coverage *c)
{
   p->steps = BLOCK;
   p->size = 0;
   for (unsigned n = 0; n < BLOCK; n++) {
      struct eu_inst i;
      gen_instruction(g, o, &i);
      p->size += append(g, p, &i);
      coverage_note(c, o, &i);
      oracle_step(o, &i);
   }
}

static void
compare_programs(unsigned long long instructions, bool doubles, uint32_t families, uint64_t salt,
                 struct coverage *coverage)
{
   struct machine m;
   struct program *p = malloc(sizeof(*p));
   unsigned long long done = 0, number = 0;
   unsigned failures = 0;
   machine_open(&m, PERGOLA_CHECK_OFF);
   while (done < instructions && failures < compare_failures()) {
      struct generator g = {.random =
                                (compare_seed() ^ salt) + number * UINT64_C(0x9E3779B97F4A7C15) + 1,
                            .doubles = doubles,
                            .families = families};
      for (unsigned n = 0; n < 4; n++)
         gen_random(&g);
      g.acc = doubles ? ACC_DF : (enum acc_class)(number % 3);
      struct oracle start, end;
      compare_start_state(&g, &start, machine_native());
      end = start;
      make_straight(&g, p, &end, coverage);
      failures += !same(&m, p, &start, &end, g.acc, number);
      done += p->steps;
      number++;
   }
   printf("# %llu instructions in %llu programs\n", done, number);
   machine_close(&m);
   free(p);
   assert_int_equal(failures, 0);
}

#define OF(family) (1u << GEN_##family)

/* Programs of these families, three instructions of four, so that each opcode comes often. */
static void
compare_families(uint32_t families, const uint8_t *ops, unsigned count)
{
   struct coverage coverage = {0};
   compare_programs(compare_count() / 11, false, families, (uint64_t)families << 40, &coverage);
   for (unsigned n = 0; n < count; n++)
      if (coverage.opcode[ops[n]] < 100)
         fail_msg("%s was executed %lu times", eu_opcodes[ops[n]].name, coverage.opcode[ops[n]]);
}

#define COMPARE_FAMILIES(families, ...)                                                            \
   compare_families((families), (const uint8_t[]){__VA_ARGS__},                                    \
                    sizeof((const uint8_t[]){__VA_ARGS__}))

/* EU-131 logic, EU-132 EU-133 EU-134 shifts; EU-040 vectors of integers, EU-125 modifiers. */
static void
logic_programs(void **state)
{
   proves("EU-040", "EU-125", "EU-131", "EU-132", "EU-133", "EU-134");
   (void)state;
   COMPARE_FAMILIES(OF(LOGIC) | OF(SHIFT), EU_OP_AND, EU_OP_OR, EU_OP_XOR, EU_OP_SHR, EU_OP_SHL,
                    EU_OP_ASR);
}

/* EU-135 to EU-142: operations on bits. */
static void
bit_programs(void **state)
{
   proves("EU-135", "EU-136", "EU-137", "EU-138", "EU-139", "EU-140", "EU-141", "EU-142");
   (void)state;
   COMPARE_FAMILIES(OF(BITS) | OF(THREE), EU_OP_NOT, EU_OP_BFREV, EU_OP_CBIT, EU_OP_FBH, EU_OP_FBL,
                    EU_OP_LZD, EU_OP_BFI1, EU_OP_BFI2, EU_OP_BFE);
}

/* Integers: EU-042 execution type, EU-118 overflow, EU-145 add, EU-146 mul, EU-147 avg, EU-152
 * EU-153 sums of differences.
 */
static void
integer_programs(void **state)
{
   proves("EU-042", "EU-118", "EU-145", "EU-146", "EU-147", "EU-152", "EU-153");
   (void)state;
   COMPARE_FAMILIES(OF(INTEGER) | OF(MULTIPLY) | OF(SUM), EU_OP_ADD, EU_OP_MUL, EU_OP_AVG,
                    EU_OP_SAD2, EU_OP_SADA2);
}

/* Comparisons of both kinds of numbers: EU-117 conditions, EU-121 cmp, EU-122 cmpn, EU-123 EU-124
 * sel. */
static void
compare_and_select_programs(void **state)
{
   proves("EU-117", "EU-121", "EU-122", "EU-123", "EU-124");
   (void)state;
   COMPARE_FAMILIES(OF(INTEGER) | OF(FLOAT), EU_OP_CMP, EU_OP_CMPN, EU_OP_SEL);
}

/* Floats: EU-030 rounding, EU-041 vectors, EU-043 order, EU-052 saturation, EU-053 denormals,
 * EU-055 NaN, EU-056 ALT mode, EU-154 frc, EU-155 rnd. */
static void
float_programs(void **state)
{
   proves("EU-030", "EU-041", "EU-043", "EU-052", "EU-053", "EU-055", "EU-056", "EU-154", "EU-155");
   (void)state;
   COMPARE_FAMILIES(OF(FLOAT) | OF(ROUND), EU_OP_ADD, EU_OP_MUL, EU_OP_FRC, EU_OP_RNDU, EU_OP_RNDD,
                    EU_OP_RNDE, EU_OP_RNDZ);
}

/* EU-156 dot products, EU-157 line, EU-158 pln, EU-159 mad, EU-160 lrp. */
static void
product_programs(void **state)
{
   proves("EU-156", "EU-157", "EU-158", "EU-159", "EU-160");
   (void)state;
   COMPARE_FAMILIES(OF(DOT) | OF(THREE), EU_OP_DP4, EU_OP_DPH, EU_OP_DP3, EU_OP_DP2, EU_OP_LINE,
                    EU_OP_PLN, EU_OP_MAD, EU_OP_LRP);
}

/* EU-129 mov: EU-044 raw, EU-045 EU-046 EU-047 conversions, EU-081 of 32 channels; half floats:
 * EU-050 EU-051, EU-143 EU-144 their operands. */
static void
conversion_programs(void **state)
{
   proves("EU-044", "EU-045", "EU-046", "EU-047", "EU-050", "EU-051", "EU-081", "EU-129", "EU-143",
          "EU-144");
   (void)state;
   COMPARE_FAMILIES(OF(CONVERT) | OF(HALF), EU_OP_MOV, EU_OP_F32TO16, EU_OP_F16TO32);
}

/* EU-009 to EU-014: accumulators; EU-148 mac, EU-149 mach, EU-150 addc, EU-151 subb. */
static void
accumulator_programs(void **state)
{
   proves("EU-009", "EU-010", "EU-011", "EU-012", "EU-013", "EU-014", "EU-148", "EU-149", "EU-150",
          "EU-151");
   (void)state;
   COMPARE_FAMILIES(OF(ACCUMULATOR) | OF(ARCHITECTURE), EU_OP_MAC, EU_OP_MACH, EU_OP_ADDC,
                    EU_OP_SUBB);
}

/* Operands: EU-005 null, EU-023 a0, EU-024 flags, EU-072 EU-073 Align1, EU-074 EU-075 Align16,
 * EU-078 EU-079 EU-080 addresses. */
static void
operand_programs(void **state)
{
   proves("EU-005", "EU-023", "EU-024", "EU-072", "EU-073", "EU-074", "EU-075", "EU-078", "EU-079",
          "EU-080");
   (void)state;
   COMPARE_FAMILIES(OF(LOGIC) | OF(INTEGER) | OF(FLOAT) | OF(ARCHITECTURE), EU_OP_MOV, EU_OP_MOVI);
}

/* Every opcode of the two- and three-source formats, every mode: EU-025 EU-119 flags of channels,
 * EU-026 EU-116 masks, EU-077 halves, EU-110 to EU-113 predicates, EU-128 hints. */
static void
straight_programs(void **state)
{
   proves("EU-025", "EU-026", "EU-077", "EU-110", "EU-111", "EU-112", "EU-113", "EU-116", "EU-119",
          "EU-128");
   (void)state;
   struct coverage coverage = {0};
   char text[80];
   compare_programs(compare_count() / 11, false, 0, 0, &coverage);
   if (coverage_gap(&coverage, text))
      fail_msg("never executed: %s", text);
}

/* EU-048 F to double, EU-054 denormals of doubles, EU-058 doubles as pairs of channels. */
static void
double_programs(void **state)
{
   proves("EU-048", "EU-054", "EU-058");
   struct coverage coverage = {0};
   compare_programs(compare_count() * 5 / 100, true, 0, UINT64_C(0xD0B1E5) << 20, &coverage);
   static const uint8_t ops[] = {EU_OP_MOV, EU_OP_ADD,  EU_OP_MUL, EU_OP_MAD,
                                 EU_OP_CMP, EU_OP_CMPN, EU_OP_SEL};
   for (unsigned n = 0; n < sizeof(ops); n++)
      assert_true(coverage.opcode[ops[n]] > 100);
   assert_true(coverage.src_type[EU_TYPE_F] > 100 && coverage.src_type[EU_TYPE_D] > 100);
}

static void
flow_state(struct generator *g, struct oracle *o)
{
   compare_start_state(g, o, machine_native());
   o->cr0 &= ~1u;
   /* Small numbers, so that comparisons go both ways; loop limits of 1 to 4. */
   for (unsigned n = 20 * 8; n < 60 * 8; n++) {
      int32_t v = (int)gen_pick(g, 9) - 4;
      memcpy(o->grf + n * 4, &v, 4);
   }
   for (unsigned n = 80 * 8; n < 84 * 8; n++) {
      int32_t v = 1 + (int)gen_pick(g, 4);
      memcpy(o->grf + n * 4, &v, 4);
   }
   if (gen_chance(g, 70))
      o->dispatch_mask &= 0xFFFF;
   if (!(o->dispatch_mask & 0xFF))
      o->dispatch_mask |= 0x5A;
   if (!(o->dispatch_mask & 0xFF00))
      o->dispatch_mask |= 0x2100;
   o->sr0[2] = o->dispatch_mask;
   o->sr0[3] = o->vector_mask = compare_vector_mask(o->dispatch_mask);
}

static void
compare_flow(unsigned long long instructions, bool wild, uint64_t salt)
{
   struct machine m;
   struct program *p = malloc(sizeof(*p));
   unsigned long long done = 0, number = 0;
   unsigned failures = 0;
   machine_open(&m, PERGOLA_CHECK_OFF);
   while (done < instructions && failures < compare_failures()) {
      struct generator g = {.random =
                                (compare_seed() ^ salt) + number * UINT64_C(0x9E3779B97F4A7C15) + 1,
                            .acc = ACC_D};
      struct oracle start, end;
      flow_state(&g, &start);
      if (wild && gen_chance(&g, 25))
         start.cr0 |= 4;
      end = start;
      p->size = EU_INST_SIZE * (wild ? gen_wild_program(&g, p->dw, start.cr0 & 4)
                                     : gen_flow_program(&g, p->dw, FLOW_LIMIT));
      p->steps = 0;
      while (end.ip < p->size && p->steps < (wild ? 200 : FLOW_STEPS)) {
         run_oracle(&end, p, 1);
         p->steps++;
      }
      if (p->steps)
         failures += !same(&m, p, &start, &end, g.acc, number);
      done += p->steps;
      number++;
   }
   printf("# %llu instructions in %llu programs\n", done, number);
   machine_close(&m);
   free(p);
   assert_int_equal(failures, 0);
}

/* EU-173, EU-174 if, EU-175 else, EU-176 endif, EU-177 while, EU-178 break, EU-179 cont, EU-180
 * halt: nested blocks and loops, with channels leaving by break, cont and halt. */
static void
flow_programs(void **state)
{
   proves("EU-173", "EU-174", "EU-175", "EU-176", "EU-177", "EU-178", "EU-179", "EU-180");
   compare_flow(compare_count() / 10, false, UINT64_C(0xF10F10F10));
}

/* EU-181 brd, EU-182 brc, EU-183 jmpi: branches to anywhere; EU-186: a quarter in single program
 * flow. */
static void
wild_flow_programs(void **state)
{
   proves("EU-181", "EU-182", "EU-183", "EU-186");
   compare_flow(compare_count() / 20, true, UINT64_C(0x317D317D));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(logic_programs),      cmocka_unit_test(bit_programs),
       cmocka_unit_test(integer_programs),    cmocka_unit_test(compare_and_select_programs),
       cmocka_unit_test(float_programs),      cmocka_unit_test(product_programs),
       cmocka_unit_test(conversion_programs), cmocka_unit_test(accumulator_programs),
       cmocka_unit_test(operand_programs),    cmocka_unit_test(straight_programs),
       cmocka_unit_test(double_programs),     cmocka_unit_test(flow_programs),
       cmocka_unit_test(wild_flow_programs),
   };
   compare_setup();
   return cmocka_run_group_tests(tests, NULL, NULL);
}
