/* The math instruction against the oracle: integer division exactly, the rest within the published
 * bounds. */
#include "compare.h"

#include <math.h>
#include "tests/proves.h"

#define BLOCK 32

/* Units in the last place between two finite floats. */
static uint64_t
ulps(uint32_t a, uint32_t b)
{
   int64_t x = a & 0x80000000 ? -(int64_t)(a & 0x7FFFFFFF) : (int64_t)a;
   int64_t y = b & 0x80000000 ? -(int64_t)(b & 0x7FFFFFFF) : (int64_t)b;
   return (uint64_t)(x > y ? x - y : y - x);
}

static bool
is_exact_value(uint32_t f)
{
   return !(f & 0x7FFFFFFF) || (f & 0x7F800000) == 0x7F800000 || f == 0x3F800000;
}

static bool
within(const struct eu_inst *i, uint32_t got, uint32_t want, double input)
{
   double x = ref_f_value(got), y = ref_f_value(want);
   if (got == want)
      return true;
   if (ref_f_is_nan(want))
      return ref_f_is_nan(got);
   if (ref_f_is_nan(got) || isinf(x) != isinf(y))
      return false;
   switch (i->math_function) {
   case EU_MATH_INV:
   case EU_MATH_SQRT:
   case EU_MATH_FDIV:
      return ulps(got, want) <= 1;
   case EU_MATH_EXP:
   case EU_MATH_RSQ:
      return ulps(got, want) <= 3 || (!is_exact_value(want) && fabs(x - y) < 1e-37);
   case EU_MATH_LOG:
      return fabs(x - y) <= ldexp(1, -21) * (input >= 0.5 && input <= 2 ? 1 : fabs(y));
   case EU_MATH_SIN:
   case EU_MATH_COS:
      return fabs(input) > 314.159 ? fabs(x) <= 1.0001 : fabs(x - y) <= 0.0008;
   default: /* pow: no bound is published */
      return fabs(x - y) <= fabs(y) * 1e-5 + 1e-37;
   }
}

/* Checks what one instruction left, then takes the oracle's value, so that the rest can be compared
 * exactly. */
static bool
settle(struct eu_thread *t, const struct oracle *before, const struct oracle *after,
       const struct eu_inst *i)
{
   struct fp_mode m = oracle_fp_mode(before);
   if (i->math_function >= EU_MATH_INTDIVMOD)
      return true;
   for (unsigned ch = 0; ch < i->exec_size; ch++) {
      uint32_t at = oracle_dst_address(before, i, ch, 0), got, want;
      double input = ref_f_value(ref_f_in(oracle_source(before, i, 0, ch, 0, EXEC_F).f, m));
      memcpy(&got, t->grf + at, 4);
      memcpy(&want, after->grf + at, 4);
      if (!within(i, got, want, input)) {
         char line[EU_DISASM_MAX];
         eu_disasm_inst(i, HW_IVB, line);
         printf("# seed 0x%llx: %s\n#   channel %u: %g (0x%08x), oracle %g (0x%08x), of %g, cr0 "
                "0x%x\n",
                (unsigned long long)compare_seed(), line, ch, ref_f_value(got), got,
                ref_f_value(want), want, input, before->cr0);
         return false;
      }
      memcpy(t->grf + at, &want, 4);
   }
   return true;
}

/* EU-161 inv, EU-162 log, EU-163 exp, EU-164 sqrt, EU-165 rsq, EU-166 sin, EU-167 cos, EU-168 fdiv,
 * EU-169 pow: within the bounds, special values exactly, in IEEE and ALT mode. EU-170, EU-171:
 * integer division to the bit, by zero too. */
/* Of these functions, a bit each. */
static void
compare_math(uint32_t functions)
{
   struct machine m;
   struct program *p = malloc(sizeof(*p));
   unsigned failures = 0;
   unsigned long seen[16] = {0};
   machine_open(&m, PERGOLA_CHECK_OFF);
   for (unsigned number = 0;
        number < compare_count() / 150 / BLOCK && failures < compare_failures(); number++) {
      struct generator g = {.random = (compare_seed() ^ 0x3A7400000) +
                                      number * UINT64_C(0x9E3779B97F4A7C15) + 1,
                            .functions = functions,
                            .acc = ACC_D};
      struct oracle start, states[BLOCK + 1];
      struct eu_inst inst[BLOCK];
      compare_start_state(&g, &start, machine_native());
      g.alt = start.cr0 & 1;
      states[0] = start;
      p->steps = BLOCK;
      p->size = BLOCK * EU_INST_SIZE;
      for (unsigned n = 0; n < BLOCK; n++) {
         gen_math(&g, n % 32, &inst[n]);
         eu_inst_encode(&inst[n], HW_IVB, p->dw[n]);
         compare_decode(p->dw[n], &inst[n]);
         states[n + 1] = states[n];
         oracle_step(&states[n + 1], &inst[n]);
         seen[inst[n].math_function]++;
      }
      compare_load(&m, p);
      compare_to_thread(&m, &start);
      assert_int_equal(eu_run(m.t, BLOCK), EU_STOP_BUDGET);
      bool good = true;
      for (unsigned n = 0; n < BLOCK && good; n++)
         good = settle(m.t, &states[n], &states[BLOCK], &inst[n]);
      char text[160];
      if (good && compare_difference(m.t, &states[BLOCK], g.acc, text)) {
         printf("# seed 0x%llx, program %u: %s\n", (unsigned long long)compare_seed(), number,
                text);
         good = false;
      }
      failures += !good;
   }
   machine_close(&m);
   free(p);
   assert_int_equal(failures, 0);
   for (unsigned f = 1; f < 14; f++)
      if (functions >> f & 1)
         assert_true(seen[f] > 100);
}

static void
functions_of_one(void **state)
{
   proves("EU-161", "EU-162", "EU-163", "EU-164", "EU-165", "EU-166", "EU-167");
   (void)state;
   compare_math(1u << EU_MATH_INV | 1u << EU_MATH_LOG | 1u << EU_MATH_EXP | 1u << EU_MATH_SQRT |
                1u << EU_MATH_RSQ | 1u << EU_MATH_SIN | 1u << EU_MATH_COS);
}

static void
functions_of_two(void **state)
{
   proves("EU-168", "EU-169");
   (void)state;
   compare_math(1u << EU_MATH_FDIV | 1u << EU_MATH_POW);
}

static void
integer_division(void **state)
{
   proves("EU-170", "EU-171");
   (void)state;
   compare_math(1u << EU_MATH_INTDIVMOD | 1u << EU_MATH_INTDIV | 1u << EU_MATH_INTMOD);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(functions_of_one),
                                      cmocka_unit_test(functions_of_two),
                                      cmocka_unit_test(integer_division)};
   compare_setup();
   return cmocka_run_group_tests(tests, NULL, NULL);
}
