/* Conversions of doubles that leave undefined dwords, so that whole states cannot be compared. */
#include "compare.h"
#include "tests/proves.h"

static uint32_t
convert(struct machine *m, uint64_t d)
{
   uint32_t got;
   for (unsigned n = 0; n < 4; n++)
      memcpy(m->t->grf + 20 * 32 + n * 8, &d, 8);
   machine_run(m, "mov(8) g10<1>F g20<8,8,1>DF { align1 WE_all 1Q };\n" EOT_TEXT);
   memcpy(&got, m->t->grf + 10 * 32 + 8, 4); /* double 1 lands in the even float of its pair */
   return got;
}

/* EU-049: toward zero whatever the rounding mode; denormal floats may result; overflow gives the
 * largest finite value; infinity stays; a denormal double gives a zero of its sign. */
static void
double_to_float(void **state)
{
   proves("EU-049");
   static const struct {
      uint64_t d;
      uint32_t f;
   } cases[] = {
       {0x3FF0000000000000, 0x3F800000}, {0x3FFFFFFFFFFFFFFF, 0x3FFFFFFF},
       {0xBFFFFFFFFFFFFFFF, 0xBFFFFFFF}, {0x47EFFFFFE0000000, 0x7F7FFFFF},
       {0x47EFFFFFFFFFFFFF, 0x7F7FFFFF}, {0x47F0000000000000, 0x7F7FFFFF},
       {0xC7F0000000000000, 0xFF7FFFFF}, {0x7FEFFFFFFFFFFFFF, 0x7F7FFFFF},
       {0x7FF0000000000000, 0x7F800000}, {0xFFF0000000000000, 0xFF800000},
       {0x3810000000000000, 0x00800000}, {0x3800000000000000, 0x00400000},
       {0x36A0000000000000, 0x00000001}, {0x36AFFFFFFFFFFFFF, 0x00000001},
       {0x3690000000000000, 0x00000000}, {0x000FFFFFFFFFFFFF, 0x00000000},
       {0x8000000000000001, 0x80000000}, {0x8000000000000000, 0x80000000},
   };
   struct machine m;
   machine_open(&m, PERGOLA_CHECK_OFF);
   for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
      uint32_t got = convert(&m, cases[n].d);
      if (got != cases[n].f)
         fail_msg("0x%016llx gave 0x%08x, not 0x%08x", (unsigned long long)cases[n].d, got,
                  cases[n].f);
   }
   assert_true(ref_f_is_nan(convert(&m, 0x7FF8000000000000)));
   machine_close(&m);
}

/* EU-049 against the oracle. */
static void
random_doubles_to_float(void **state)
{
   proves("EU-049");
   struct machine m;
   struct generator g = {.random = compare_seed() | 1, .doubles = true};
   machine_open(&m, PERGOLA_CHECK_OFF);
   machine_load(&m, "mov(8) g10<1>F g20<8,8,1>DF { align1 WE_all 1Q };\n" EOT_TEXT);
   for (unsigned round = 0; round < 20000; round++) {
      uint64_t d[4];
      eu_thread_init(m.t, &m.env, 0, 0xFF);
      eu_thread_mark(m.t, 0, 128);
      m.t->cr0[0] |= gen_pick(&g, 4) << 4;
      for (unsigned n = 0; n < 4; n++)
         d[n] = (gen_random(&g) & UINT64_C(0x800FFFFFFFFFFFFF)) |
                (uint64_t)(1023 - 160 + gen_pick(&g, 300)) << 52;
      memcpy(m.t->grf + 20 * 32, d, sizeof(d));
      assert_int_equal(eu_run(m.t, 1), EU_STOP_BUDGET);
      for (unsigned n = 0; n < 4; n++) {
         uint32_t got, want = ref_d_to_f(d[n], oracle_fp_mode(&(struct oracle){0}));
         memcpy(&got, m.t->grf + 10 * 32 + n * 8, 4);
         if (got != want)
            fail_msg("seed 0x%llx: 0x%016llx gave 0x%08x, not 0x%08x",
                     (unsigned long long)compare_seed(), (unsigned long long)d[n], got, want);
      }
   }
   machine_close(&m);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(double_to_float),
       cmocka_unit_test(random_doubles_to_float),
   };
   compare_setup();
   return cmocka_run_group_tests(tests, NULL, NULL);
}
