/* The same bits on every host: kernels and random programs whose registers afterwards have the
 * hashes that are written here. Every host computes them: AVX2 interpreted and as native code,
 * x86-64 without AVX2, AArch64 (docs/decisions/0016). A change of what the model computes changes
 * them; PERGOLA_CORPUS=print shows the new ones, which are right if all hosts show the same. */
#include "../eu_oracle/compare.h"

#include <math.h>

#define BLOCK 48u
#define MIX UINT64_C(0x9E3779B97F4A7C15)

/* ---- hashes ---------------------------------------------------------------------------------- */

static uint64_t
hash(uint64_t h, const void *bytes, size_t size)
{
   for (size_t i = 0; i < size; i++)
      h = (h ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
   return h;
}

/* What compare_difference() compares. */
static uint64_t
hash_thread(uint64_t h, const struct eu_thread *t, enum acc_class acc)
{
   unsigned lanes = acc == ACC_D ? 8 : acc == ACC_DF ? 4 : 16;
   uint64_t mask = acc == ACC_F ? UINT32_MAX : acc == ACC_W ? UINT64_C(0x1FFFFFFFF) : UINT64_MAX;
   h = hash(h, t->grf, EU_GRF_COUNT * EU_REG_SIZE);
   h = hash(h, t->flag, sizeof(t->flag));
   for (unsigned n = 0; n < lanes; n++) {
      uint64_t lane = t->acc[n] & mask;
      h = hash(h, &lane, sizeof(lane));
   }
   return h;
}

static void
check(const char *name, uint64_t got, uint64_t want)
{
   const char *mode = getenv("PERGOLA_CORPUS");
   printf("# %s: 0x%016llx\n", name, (unsigned long long)got);
   if (mode && !strcmp(mode, "print"))
      return;
   if (got != want)
      fail_msg("%s: 0x%016llx, on other hosts 0x%016llx", name, (unsigned long long)got,
               (unsigned long long)want);
}

/* ---- random programs ------------------------------------------------------------------------- */

enum kind { STRAIGHT, DOUBLES, MATH, FLOW };

static void
make_program(enum kind kind, struct generator *g, struct oracle *o, struct program *p)
{
   p->size = 0;
   if (kind == FLOW) {
      p->size = EU_INST_SIZE * gen_flow_program(g, p->dw, FLOW_LIMIT);
      return;
   }
   for (unsigned n = 0; n < BLOCK; n++, p->size += EU_INST_SIZE) {
      struct eu_inst i;
      if (kind == MATH)
         gen_math(g, n % 32, &i);
      else
         gen_instruction(g, o, &i);
      eu_inst_encode(&i, HW_IVB, p->dw[n]);
      compare_decode(p->dw[n], &i);
      if (kind != MATH) /* the next instruction depends on what its addresses are */
         oracle_step(o, &i);
   }
}

static uint64_t
run_programs(enum kind kind, unsigned count)
{
   struct machine m;
   struct program *p = malloc(sizeof(*p));
   uint64_t h = UINT64_C(0xcbf29ce484222325);
   machine_open(&m, PERGOLA_CHECK_OFF);
   for (unsigned number = 0; number < count; number++) {
      struct generator g = {.random = (((uint64_t)kind + 1) << 40) + number * MIX,
                            .doubles = kind == DOUBLES,
                            .acc = kind == DOUBLES    ? ACC_DF
                                   : kind == STRAIGHT ? (enum acc_class)(number % 3)
                                                      : ACC_D};
      struct oracle start, o;
      compare_start_state(&g, &start, true);
      g.alt = start.cr0 & 1;
      if (kind == FLOW) {
         start.cr0 &= ~1u;
         for (unsigned n = 20 * 8; n < 84 * 8; n++) { /* so that comparisons go both ways */
            int32_t v = n < 60 * 8 ? (int)gen_pick(&g, 9) - 4 : 1 + (int)gen_pick(&g, 4);
            memcpy(start.grf + n * 4, &v, 4);
         }
      }
      o = start;
      make_program(kind, &g, &o, p);
      compare_load(&m, p);
      compare_to_thread(&m, &start);
      enum eu_stop stop = eu_run(m.t, kind == FLOW ? 4000 : BLOCK);
      assert_true(stop == EU_STOP_BUDGET || stop == EU_STOP_EOT);
      h = hash(h, p->dw, p->size);
      h = hash_thread(h, m.t, g.acc);
   }
   machine_close(&m);
   free(p);
   return h;
}

static void
straight_programs(void **state)
{
   check("straight programs", run_programs(STRAIGHT, 1500), UINT64_C(0x0390be65f9f1d845));
}

static void
double_programs(void **state)
{
   check("programs of doubles", run_programs(DOUBLES, 500), UINT64_C(0xab31c807b2b63b2e));
}

static void
math_programs(void **state)
{
   check("programs of the math box", run_programs(MATH, 500), UINT64_C(0xda000d3ba8e3a894));
}

static void
flow_programs(void **state)
{
   check("programs with branches", run_programs(FLOW, 300), UINT64_C(0x1817efc473e17cd3));
}

/* ---- borders --------------------------------------------------------------------------------- */

/* What hosts treat in different ways: NaN, numbers that are tiny before they are rounded and not
 * afterwards, denormals, what no integer holds, angles of many turns. */
static const uint32_t special[32] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345,
    0x7f812345, 0x00000001, 0x807fffff, 0x00800000, 0x80800001, 0x20000001, 0x1ffffffe, 0x20000000,
    0xa0000001, 0x3f7fffff, 0x3f7ffffe, 0x3f800001, 0x7f7fffff, 0xff7fffff, 0x4f000000, 0xcf000000,
    0x4f7fffff, 0x4f800000, 0x49800000, 0xc9800001, 0x7e123456, 0x6789abcd, 0x3effffff, 0x4b000001};

#define OP2(name, to) name "(8) " to "<1>F g4<8,8,1>F g5<8,8,1>F { align1 1Q };\n"
#define OP1(name, to) name "(8) " to "<1>F g4<8,8,1>F { align1 1Q };\n"
#define MATH1(name, to) "math " name "(8) " to "<1>F g4<8,8,1>F null<8,8,1>F { align1 1Q };\n"
#define MATH2(name, to) "math " name "(8) " to "<1>F g4<8,8,1>F g5<8,8,1>F { align1 1Q };\n"
#define OP3(name, to) name "(8) " to "<1>F g4<4,4,1>F g5<4,4,1>F g6<4,4,1>F { align16 1Q };\n"
#define DOT(name, to) name "(8) " to "<1>F g4<4>F g5<4>F { align16 1Q };\n"

static const char borders[] = OP2("add", "g20") OP2("mul", "g21") OP3("mad", "g22")
    OP3("lrp", "g23") DOT("dp4", "g24") DOT("dp3", "g25") DOT("dph", "g26") DOT("dp2", "g27") OP1(
        "frc", "g28") OP1("rnde", "g29") OP1("rndd", "g30") OP1("rndu", "g31") OP1("rndz", "g32")
        MATH1("inv", "g33") MATH1("sqrt", "g34") MATH1("rsq", "g35") MATH1("log", "g36")
            MATH1("exp", "g37") MATH1("sin", "g38") MATH1("cos", "g39") MATH2("pow", "g40") MATH2(
                "fdiv", "g41") "sel.ge(8) g42<1>F g4<8,8,1>F g5<8,8,1>F { align1 1Q };\n"
                               "sel.l(8) g43<1>F g4<8,8,1>F g5<8,8,1>F { align1 1Q };\n"
                               "cmp.l.f0(8) g44<1>F g4<8,8,1>F g5<8,8,1>F { align1 1Q };\n"
                               "mov(8) g45<1>D g4<8,8,1>F { align1 1Q };\n"
                               "mov(8) g46<1>UD g4<8,8,1>F { align1 1Q };\n"
                               "mov(8) g47<1>F g4<8,8,1>D { align1 1Q };\n"
                               "mov(8) g48<1>F g4<8,8,1>UD { align1 1Q };\n"
                               "mov.sat(8) g49<1>F -g4<8,8,1>F { align1 1Q };\n"
                               "mul.sat(8) g50<1>F g4<8,8,1>F g5<8,8,1>F { align1 1Q };\n"
                               "mov(8) acc0<1>F g6<8,8,1>F { align1 1Q };\n"
                               "mac(8) g51<1>F g4<8,8,1>F g5<8,8,1>F { align1 1Q };\n"
                               "mul(16) g52<1>F g4<8,8,1>F g5<0,1,0>F { align1 1H };\n" EOT_TEXT;

static void
borders_of_numbers(void **state)
{
   struct machine m;
   uint64_t h = UINT64_C(0xcbf29ce484222325);
   machine_open(&m, PERGOLA_CHECK_OFF);
   for (unsigned run = 0; run < 4 * 32 * 4; run++) {
      unsigned rounding = run % 4, turn = run / 4 % 32, offset = run / 128;
      machine_load(&m, borders);
      memset(m.t->grf, 0, EU_GRF_COUNT * EU_REG_SIZE);
      for (unsigned n = 0; n < 8; n++) { /* all pairs come, eight at a time */
         unsigned first = n * 4 + offset;
         grf_ud(&m, 4)[n] = special[first];
         grf_ud(&m, 5)[n] = special[(first + turn) % 32];
         grf_ud(&m, 6)[n] = special[(first + 3 * turn) % 32];
      }
      m.t->cr0[0] = (m.t->cr0[0] & ~0x30u) | rounding << 4;
      assert_int_equal(eu_run(m.t, 1000), EU_STOP_EOT);
      h = hash_thread(h, m.t, ACC_F);
   }
   machine_close(&m);
   check("borders of numbers", h, UINT64_C(0x6c1cc7a98d614d42));
}

/* ---- roots and quotients --------------------------------------------------------------------- */

/* The reciprocals of their roots lie within 2^-18 of the distance between two floats from the
 * middle of them. */
static const uint32_t middles[16] = {
    0x3f012a4f, 0x3f01f8b5, 0x3f09f038, 0x3f0bfcf9, 0x3f15e036, 0x3f1dd16a, 0x3f1ff519, 0x3f20744c,
    0x3f340d3c, 0x3f4ce453, 0x3f64d0e2, 0x3f6a2f96, 0x3f7c6a62, 0x3f7dbbac, 0x3f7ffff6, 0x3f7ffffe};

static const char quotients[] =
    "math inv(16) g20<1>F g4<8,8,1>F null<8,8,1>F { align1 WE_all 1H };\n"
    "math sqrt(16) g22<1>F g4<8,8,1>F null<8,8,1>F { align1 WE_all 1H };\n"
    "math rsq(16) g24<1>F g4<8,8,1>F null<8,8,1>F { align1 WE_all 1H };\n"
    "math fdiv(16) g26<1>F g4<8,8,1>F g6<8,8,1>F { align1 WE_all 1H };\n" EOT_TEXT;

/* A positive number whose quotients are neither tiny nor huge. */
static uint32_t
middling(uint64_t *random)
{
   *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
   return (uint32_t)(0x30000000 + (*random >> 33) % 0x20000000);
}

static void
check_float(const char *what, uint32_t x, float got, double want)
{
   float f = (float)want;
   if (memcmp(&got, &f, sizeof(f)) != 0)
      fail_msg("%s of 0x%08x is %a, not %a", what, x, (double)got, (double)f);
}

/* The math box computes in double: where native code does it in another way, the result is the
 * same. */
static void
quotients_are_rounded_doubles(void **state)
{
   struct machine m;
   uint64_t random = MIX;
   machine_open(&m, PERGOLA_CHECK_OFF);
   machine_load(&m, quotients);
   struct eu_thread start = *m.t;
   for (unsigned run = 0; run < 20000; run++) {
      *m.t = start;
      uint32_t *x = grf_ud(&m, 4), *y = grf_ud(&m, 6);
      for (unsigned n = 0; n < 16; n++) {
         x[n] = run ? middling(&random) : middles[n];
         y[n] = middling(&random);
      }
      assert_int_equal(eu_run(m.t, 100), EU_STOP_EOT);
      for (unsigned n = 0; n < 16; n++) {
         float a, b, got[4];
         memcpy(&a, &x[n], sizeof(a));
         memcpy(&b, &y[n], sizeof(b));
         for (unsigned f = 0; f < 4; f++)
            memcpy(&got[f], &grf_ud(&m, 20 + 2 * f)[n], sizeof(got[f]));
         check_float("inverse", x[n], got[0], 1 / (double)a);
         check_float("root", x[n], got[1], sqrt((double)a));
         check_float("inverse of the root", x[n], got[2], 1 / sqrt((double)a));
         check_float("quotient", x[n], got[3], (double)a / (double)b);
      }
   }
   machine_close(&m);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(straight_programs),  cmocka_unit_test(double_programs),
       cmocka_unit_test(math_programs),      cmocka_unit_test(flow_programs),
       cmocka_unit_test(borders_of_numbers), cmocka_unit_test(quotients_are_rounded_doubles),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
