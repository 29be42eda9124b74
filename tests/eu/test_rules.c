/* The rules: each with an instruction that keeps it and one that breaks it. */
#include "machine.h"
#include "eu/op.h"
#include "tests/proves.h"

static struct machine m;

struct seen {
   const char *rule;
   unsigned count;
   enum pergola_severity severity;
};

static void
look(void *data, const struct pergola_diagnostic *d)
{
   struct seen *s = data;
   if (s->rule && !strcmp(d->rule, s->rule)) {
      s->count++;
      s->severity = d->severity;
   }
}

static struct seen seen;
static const uint32_t no_patch[4];
static const uint32_t *patch = no_patch;

/* How often the rule is named when the program is decoded and its first instruction executed. */
static unsigned
broken(const char *rule, const char *text)
{
   /* A device of its own: equal diagnostics are told only once. */
   machine_open(&m, PERGOLA_CHECK_REPORT);
   seen = (struct seen){.rule = rule};
   pergola_add_diagnostic_sink(m.dev, look, &seen);
   machine_load(&m, text);
   uint32_t *code = (uint32_t *)(void *)(m.memory + m.env.instruction_base);
   for (unsigned i = 0; i < 4; i++)
      code[i] ^= patch[i];
   eu_run(m.t, 1);
   machine_close(&m);
   return seen.count;
}

static void
pair(const char *rule, const char *good, const char *bad)
{
   char text[1024];
   snprintf(text, sizeof(text), "%s\n" EOT_TEXT, good);
   if (broken(rule, text))
      fail_msg("%s is named for: %s", rule, good);
   snprintf(text, sizeof(text), "%s\n" EOT_TEXT, bad);
   if (!broken(rule, text))
      fail_msg("%s is not named for: %s", rule, bad);
}

/* The instruction keeps the rule; with these bits of one dword turned it breaks it. */
static void
patched(const char *rule, const char *good, unsigned dword, uint32_t bits)
{
   char text[1024];
   uint32_t change[4] = {0};
   snprintf(text, sizeof(text), "%s\n" EOT_TEXT, good);
   if (broken(rule, text))
      fail_msg("%s is named for: %s", rule, good);
   change[dword] = bits;
   patch = change;
   unsigned n = broken(rule, text);
   patch = no_patch;
   if (!n)
      fail_msg("%s is not named for %s with dword %u ^ 0x%x", rule, good, dword, bits);
}

static void
encodings(void **state)
{
   proves("EU-082", "EU-207", "EU-172", "EU-203", "EU-061", "EU-208");
   (void)state;
   const char *mov = "mov(8) g3<1>D g2<8,8,1>D { align1 1Q };";
   patched("EU-082", mov, 0, 3u << 14); /* thread control 3 */
   patched("EU-082", mov, 1, 3);        /* the destination's file */
   patched("EU-207", mov, 2, 1u << 27); /* a reserved bit */
   patched("EU-172", "math inv(8) g3<1>F g2<8,8,1>F null<8,8,1>F { align1 1Q };", 0, 9u << 24);
   /* Opcodes that the part does not have end the thread. */
   patched("EU-203", mov, 0, 0x80);        /* EU-061: bit 7 is decoded */
   patched("EU-203", mov, 0, 0x01 ^ 0x26); /* EU-208: case, */
   patched("EU-203", mov, 0, 0x01 ^ 0x33); /* split send, */
   patched("EU-203", mov, 0, 0x01 ^ 0x0a); /* and Haswell's dim */
}

static void
uninitialised(void **state)
{
   proves("EU-206");
   (void)state;
   machine_open(&m, PERGOLA_CHECK_REPORT);
   machine_load(&m,
                "mov(8) g3<1>D g2<8,8,1>D { align1 1Q };\nmov(8) g5<1>D g3<8,8,1>D { align1 1Q };\n"
                "mov(8) g6<1>D g4<8,8,1>D { align1 1Q };\n" EOT_TEXT);
   m.t->initialised[0] = 1u << 2;
   m.t->initialised[1] = UINT64_MAX;
   eu_run(m.t, 2);
   assert_int_equal(m.diagnostics, 0);
   eu_run(m.t, 1);
   assert_int_equal(m.diagnostics, 1);
   assert_string_equal(m.last_rule, "EU-206");
   assert_non_null(strstr(m.last_message, "g4"));
   assert_non_null(strstr(m.last_subject, "mov(8)"));
   machine_close(&m);

   /* A predicated sel may pass over what was never written; its result counts as written. */
   machine_open(&m, PERGOLA_CHECK_REPORT);
   machine_load(&m, "(+f0.0) sel(8) g3<1>D g2<8,8,1>D g7<8,8,1>D { align1 1Q };\n"
                    "mov(8) g5<1>D g3<8,8,1>D { align1 1Q };\n" EOT_TEXT);
   m.t->initialised[0] = 1u << 2;
   m.t->initialised[1] = UINT64_MAX;
   eu_run(m.t, 2);
   assert_int_equal(m.diagnostics, 0);
   machine_close(&m);
}

/* Each place once a kernel, where threads come by the million; then nothing is left to ask, and who
 * was asked so far, native code, does not go on asking. */
static void
named_once(void **state)
{
   proves("EU-206");
   (void)state;
   static const unsigned named[] = {1, 2, 2, 2};
   machine_open(&m, PERGOLA_CHECK_REPORT);
   seen = (struct seen){.rule = "EU-206"};
   pergola_add_diagnostic_sink(m.dev, look, &seen);
   for (unsigned n = 0; n < 4; n++) {
      if (!n)
         machine_load(&m, "mov(8) g5<1>D g4<8,8,1>D { align1 1Q };\n"
                          "mov(8) g6<1>D g4<8,8,1>D { align1 1Q };\n" EOT_TEXT);
      eu_thread_init(m.t, &m.env, 0, 0xff);
      m.t->ffid = GEN7_FIXED_FUNCTION_ID_WINDOWER;
      m.t->initialised[0] = 0;
      m.t->initialised[1] = UINT64_MAX;
      assert_int_equal(eu_run(m.t, 100), EU_STOP_EOT);
      assert_int_equal(seen.count, named[n]);
   }
   assert_true(!m.dev->eu->native_after || !m.t->ways[1]);
   machine_close(&m);
}

static void
alt_mode_instructions(void **state)
{
   proves("EU-057");
   (void)state;
   for (unsigned alt = 0; alt < 2; alt++) {
      machine_open(&m, PERGOLA_CHECK_REPORT);
      machine_load(&m, "f32to16(8) g3<2>W g2<8,8,1>F { align1 1Q };\n" EOT_TEXT);
      m.t->alt_mode = alt;
      eu_run(m.t, 1);
      assert_int_equal(m.diagnostics, alt);
      assert_string_equal(m.last_rule, alt ? "EU-057" : "");
      machine_close(&m);
   }
}

static void
registers(void **state)
{
   proves("EU-002", "EU-006", "EU-109", "EU-091");
   (void)state;
   pair("EU-002", "mov(8) g127<1>F g2<8,8,1>F { align1 1Q };",
        "mov(16) g127<1>F g2<8,8,1>F { align1 1H };");
   pair("EU-002", "movi(8) g3<1>UD g[a0 32]<8,8,1>UD { align1 1Q };",
        "movi(8) g3<1>UD g[a0 -32]<8,8,1>UD { align1 1Q };");
   pair("EU-006", "add(1) g3<1>UD a0<0,1,0>UD g2<0,1,0>UD { align1 1N };",
        "add(1) g3<1>UD g2<0,1,0>UD a0<0,1,0>UD { align1 1N };");
   patched("EU-109", "mov(1) g3<1>D g2<0,1,0>D { align1 1N };", 2, 1);
   patched("EU-091", "mov(8) g3<1>D g2<8,8,1>D { align1 1Q };", 1, 1u << 29);
}

static void
accumulator(void **state)
{
   proves("EU-015", "EU-016", "EU-017", "EU-018", "EU-019", "EU-020", "EU-021", "EU-022");
   (void)state;
   pair("EU-015", "mov(16) acc0<1>F g2<8,8,1>F { align1 1H };",
        "mov(16) acc0<1>D g2<8,8,1>D { align1 1H };");
   pair("EU-016", "cbit(8) g3<1>UD g2<8,8,1>UD { align1 1Q };",
        "cbit(8) g3<1>UD g2<8,8,1>UD { align1 1Q AccWrEnable };");
   pair("EU-017", "mul(8) g3<1>F g2<8,8,1>F g2<8,8,1>F { align1 1Q };",
        "mul(8) g3<1>F acc0<8,8,1>F g2<8,8,1>F { align1 1Q };");
   pair("EU-018", "shl(8) g3<1>D g2<8,8,1>D 1D { align1 1Q };",
        "shl(8) acc0<1>D g2<8,8,1>D 1D { align1 1Q };");
   pair("EU-019", "mov(8) acc0<1>F g2<8,8,1>F { align1 1Q };",
        "mov(8) acc0<1>F -acc0<8,8,1>F { align1 1Q };");
   pair("EU-020", "and(8) g3<1>UD acc0<8,8,1>UD g2<8,8,1>UD { align1 1Q };",
        "and(8) g3<1>UD -acc0<8,8,1>UD g2<8,8,1>UD { align1 1Q };");
   pair("EU-021", "mac(8) g3<1>F g2<8,8,1>F g2<8,8,1>F { align1 1Q };",
        "mac(8) g3<1>F acc0<8,8,1>F g2<8,8,1>F { align1 1Q };");
   pair("EU-022", "addc(8) g3<1>UD g2<8,8,1>UD g4<8,8,1>UD { align1 1Q AccWrEnable };",
        "addc(8) g3<1>UD g2<8,8,1>UD g4<8,8,1>UD { align1 1Q };");
}

static void
sources(void **state)
{
   proves("EU-059", "EU-086", "EU-087", "EU-088", "EU-089", "EU-090", "EU-092", "EU-093", "EU-099");
   (void)state;
   pair("EU-059", "add(8) g3<1>F g2<8,8,1>F g4<8,8,1>F { align1 1Q };",
        "add(8) g3<1>F g2<8,8,1>F g4<8,8,1>D { align1 1Q };");
   pair("EU-086", "mov(8) g3<1>F g2<8,8,1>F { align1 1Q };",
        "mov(4) g3<1>F g2<8,8,1>F { align1 1N };");
   pair("EU-087", "mov(8) g3<1>F g2<8,8,1>F { align1 1Q };",
        "mov(8) g3<1>F g2<4,8,1>F { align1 1Q };");
   pair("EU-088", "mov(8) g3<1>F g2<4,1,0>F { align1 1Q };",
        "mov(8) g3<1>F g2<4,1,1>F { align1 1Q };");
   pair("EU-089", "mov(1) g3<1>F g2<0,1,0>F { align1 1N };",
        "mov(1) g3<1>F g2<4,1,0>F { align1 1N };");
   pair("EU-090", "mov(8) g3<1>F g2<0,1,0>F { align1 1Q };",
        "mov(8) g3<1>F g2<0,4,0>F { align1 1Q };");
   pair("EU-092", "mov(8) g3<1>F g2<4,4,1>F { align1 1Q };",
        "mov(8) g3<1>F g2.4<8,8,1>F { align1 1Q };");
   pair("EU-093", "mov(8) g3<1>F g2<16,8,2>F { align1 1Q };",
        "mov(8) g3<1>F g2<16,4,4>F { align1 1Q };");
   pair("EU-099", "mov(8) g3<1>W 0x76543210V { align1 1Q };",
        "mov(8) g3<1>D 0x76543210V { align1 1Q };");
}

static void
destinations(void **state)
{
   proves("EU-083", "EU-084", "EU-085", "EU-094", "EU-095", "EU-096");
   (void)state;
   pair("EU-083", "mov(16) g4<1>F g2<8,8,1>F { align1 1H };",
        "mov(32) g4<1>F g2<0,1,0>F { align1 };");
   pair("EU-083", "add(16) g4<1>UW g2<8,8,1>UW 0x11001010V { align1 1H };",
        "mov(32) g4<1>F g2<0,1,0>F { align1 };");
   pair("EU-084", "mov(8) g3<2>W g2<8,8,1>D { align1 1Q };",
        "mov(8) g3<1>W g2<8,8,1>D { align1 1Q };");
   pair("EU-085", "mov(8) g3<1>UB g2<8,8,1>UB { align1 1Q };",
        "add(8) g3<1>UB g2<8,8,1>UB g4<8,8,1>UB { align1 1Q };");
   pair("EU-094", "mov(8) g3<2>W g4<16,8,2>D { align1 1Q };",
        "mov(4) g3.3<1>D g4<4,1,0>D { align1 1N };");
   pair("EU-095", "mov(8) g3.4<1>D g4.4<4,4,1>D { align1 1Q };",
        "mov(8) g3.2<1>D g4.2<4,4,1>D { align1 1Q };");
   pair("EU-096", "mov(16) g4<1>D g2<8,8,1>D { align1 1H };",
        "mov(16) g4<1>D g2<0,8,1>D { align1 1H };");
}

static void
align16(void **state)
{
   proves("EU-097", "EU-098");
   (void)state;
   pair("EU-097", "mov(8) g3<1>F g2<4>F { align16 1Q };", "mov(16) g4<1>F g2<4>F { align16 1H };");
   pair("EU-098", "mov(8) g3<1>F g2<4>F { align16 1Q };", "mov(16) g4<1>DF g2<4>F { align16 1H };");
}

/* EU-103 EU-215: what compilers of stock drivers write and the chip does is a warning, which does
 * not stop a thread; the flag of a converting mov is that of the converted value. */
static void
habits_of_drivers(void **state)
{
   proves("EU-103", "EU-215");
   (void)state;
   assert_int_equal(broken("EU-103", "mov.z.f0.0(8) g3<1>D g2<8,8,1>UW { align1 1Q };\n" EOT_TEXT),
                    1);
   assert_int_equal(seen.severity, PERGOLA_WARNING);
   assert_int_equal(broken("EU-215", "fbl(1) g3<1>UD f0<0,1,0>UW { align1 WE_all 1N };\n" EOT_TEXT),
                    1);
   assert_int_equal(seen.severity, PERGOLA_WARNING);
   machine_open(&m, PERGOLA_CHECK_STOP);
   machine_load(&m, "mov.z.f0.0(8) g3<1>D g2<8,8,1>F { align1 1Q };\n" EOT_TEXT);
   for (unsigned i = 0; i < 8; i++)
      ((float *)(void *)eu_grf(m.t, 2))[i] = i & 1 ? 0.75f : -1.5f;
   assert_int_equal(eu_run(m.t, 100), EU_STOP_EOT);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(((int32_t *)(void *)eu_grf(m.t, 3))[i], i & 1 ? 0 : -1);
   assert_int_equal(m.t->flag[0] & 0xff, 0xaa);
   machine_close(&m);
}

static void
types(void **state)
{
   proves("EU-100", "EU-101", "EU-102", "EU-103", "EU-104", "EU-106", "EU-215");
   (void)state;
   pair("EU-100", "mov(8) g3<1>DF g2<8,8,1>DF { align1 1Q };",
        "mov(8) g3<1>DF g2<8,8,1>B { align1 1Q };");
   pair("EU-101", "mov(32) g3<1>UB g2<32,16,1>UB { align1 };",
        "mov.nz.f0.0(32) g3<1>UB g2<32,16,1>UB { align1 };");
   pair("EU-102", "cmp.z.f0.0(8) null<1>D g2<8,8,1>D 1D { align1 1Q };",
        "cmp(8) null<1>D g2<8,8,1>D 1D { align1 1Q };");
   pair("EU-103", "mov.nz.f0.0(8) g3<1>D g2<8,8,1>D { align1 1Q };",
        "mov.nz.f0.0(8) g3<1>F g2<8,8,1>D { align1 1Q };");
   pair("EU-104", "mul(8) g3<1>D g2<8,8,1>D 3W { align1 1Q };",
        "mul.sat(8) g3<1>D g2<8,8,1>D 3W { align1 1Q };");
   pair("EU-106", "math inv(8) g3<1>F g2<8,8,1>F null<8,8,1>F { align1 1Q };",
        "math intdiv(16) g4<1>D g2<8,8,1>D g6<8,8,1>D { align1 1H };");
   pair("EU-215", "add(8) g3<1>F g2<8,8,1>F g4<8,8,1>F { align1 1Q };",
        "add(8) g3<1>D g2<8,8,1>F g4<8,8,1>F { align1 1Q };");
}

/* EU-105: execution size, the scalar and its place for line and pln; size and stride for dot
 * products. */
static void
planes_and_dot_products(void **state)
{
   proves("EU-105");
   (void)state;
   static const char *const planes[] = {"line", "pln"}, *const dots[] = {"dp2", "dp3", "dp4",
                                                                         "dph"};
   char good[128], bad[128];
   for (unsigned i = 0; i < 2; i++) {
      snprintf(good, sizeof(good), "%s(8) g3<1>F g2<0,1,0>F g4<8,8,1>F { align1 1Q };", planes[i]);
      snprintf(bad, sizeof(bad), "%s(4) g3<1>F g2<0,1,0>F g4<4,4,1>F { align1 1N };", planes[i]);
      pair("EU-105", good, bad);
      snprintf(good, sizeof(good), "%s(16) g4<1>F g2.4<0,1,0>F g6<8,8,1>F { align1 1H };",
               planes[i]);
      snprintf(bad, sizeof(bad), "%s(8) g3<1>F g2<8,8,1>F g4<8,8,1>F { align1 1Q };", planes[i]);
      pair("EU-105", good, bad);
      for (unsigned sub = 1; sub < 8; sub++) {
         snprintf(bad, sizeof(bad), "%s(8) g3<1>F g2.%u<0,1,0>F g4<8,8,1>F { align1 1Q };",
                  planes[i], sub);
         if (sub != 4)
            pair("EU-105", good, bad);
      }
   }
   for (unsigned i = 0; i < 4; i++) {
      snprintf(good, sizeof(good), "%s(4) g3<1>F g2<4,4,1>F g4<4,4,1>F { align1 1N };", dots[i]);
      snprintf(bad, sizeof(bad), "%s(2) g3<1>F g2<2,2,1>F g4<2,2,1>F { align1 1N };", dots[i]);
      pair("EU-105", good, bad);
      snprintf(good, sizeof(good), "%s(8) g3<1>F g2<4>F g4<4>F { align16 1Q };", dots[i]);
      snprintf(bad, sizeof(bad), "%s(4) g3<2>F g2<4,4,1>F g4<4,4,1>F { align1 1N };", dots[i]);
      pair("EU-105", good, bad);
   }
}

/* SF-169: something stands between two waits, of whatever notification. */
static void
two_waits(void **state)
{
   proves("SF-169");
   (void)state;
#define WAIT(n) "wait(1) n" n "<1>UD { align1 WE_all 1N };\n"
   pair("SF-169", WAIT("0") "nop;\n" WAIT("0"), WAIT("0") WAIT("0"));
   pair("SF-169", WAIT("0") "mov(8) g3<1>F g2<8,8,1>F { align1 1Q };\n" WAIT("0.2"),
        WAIT("0") WAIT("0.2"));
}

static void
modifiers(void **state)
{
   proves("EU-115", "EU-120", "EU-126", "EU-127");
   (void)state;
   pair("EU-115", "(+f0.0) sel(8) g3<1>F g2<8,8,1>F g4<8,8,1>F { align1 1Q };",
        "(+f0.0) sel.l(8) g3<1>F g2<8,8,1>F g4<8,8,1>F { align1 1Q };");
   pair("EU-120", "lzd.nz.f0.0(8) g3<1>UD g2<8,8,1>UD { align1 1Q };",
        "cbit.nz.f0.0(8) g3<1>UD g2<8,8,1>UD { align1 1Q };");
   pair("EU-126", "add(8) g3<1>UD -g2<8,8,1>UD g4<8,8,1>UD { align1 1Q };",
        "bfrev(8) g3<1>UD -g2<8,8,1>UD { align1 1Q };");
   pair("EU-127", "add.sat(8) g3<1>D g2<8,8,1>D g4<8,8,1>D { align1 1Q };",
        "and.sat(8) g3<1>D g2<8,8,1>D g4<8,8,1>D { align1 1Q };");
}

#define SEND(body) "send(8) " body
static void
messages(void **state)
{
   proves("EU-107", "EU-189", "EU-191", "EU-192", "EU-197", "EU-198", "EU-194", "EU-195", "EU-196");
   (void)state;
   const char *good = SEND("g4<1>UW g2<8,8,1>UD 0x02106efe data { align1 1Q };");
   pair("EU-107", good, "send(8) g4<1>UW g2<8,8,1>UD 0x02106efe data { align1 1Q switch };");
   pair("EU-189", good, SEND("g4<1>UW g2<8,8,1>UD 0x03106efe data { align1 1Q };"));
   pair("EU-189", SEND("g4<1>UW g2<8,8,1>UD 0x03006efe data { align1 1Q };"),
        SEND("g4<1>UW g2<8,8,1>UD 0x03106efe data { align1 1Q };"));
   pair("EU-191", good, SEND("g4<1>UW g2<8,8,1>UD 0x00106efe data { align1 1Q };"));
   patched("EU-192", good, 0, 0x0a000000 ^ 0x0e000000);
   pair("EU-197", good, SEND("null<1>UW g2<8,8,1>UD 0x02106efe data { align1 1Q };"));
   pair("EU-198", good, SEND("g127<1>UW g2<8,8,1>UD 0x02206efe data { align1 1Q };"));
   pair("EU-194", "nop;",
        SEND("g4<1>UW g120<8,8,1>UD 0x82000010 thread_spawner { align1 WE_all 1Q EOT };"));
   pair("EU-195", "nop;",
        SEND("null<1>UW g20<8,8,1>UD 0x82000010 thread_spawner { align1 WE_all 1Q EOT };"));
   pair("EU-196", "nop;",
        SEND("null<1>UW g120<8,8,1>UD 0x82000000 sampler { align1 WE_all 1Q EOT };"));
}

static void
flow(void **state)
{
   proves("EU-201", "EU-187", "EU-108");
   (void)state;
   patched("EU-201", "wait(1) n0<1>UD { align1 WE_all 1N };", 0, 1u << 21);
   pair("EU-187", "jmpi(1) 2D { align1 WE_all 1N };\nnop;", "jmpi(1) -200D { align1 WE_all 1N };");
   pair("EU-108",
        "(+f0.0) if(8) JIP: L UIP: L { align1 1Q };\nL:\nendif(8) JIP: M { align1 1Q };\nM:",
        "(+f0.0) if(8) JIP: L UIP: L { align1 1Q };\nL:\nendif(16) JIP: M { align1 1H };\nM:");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(encodings),
       cmocka_unit_test(uninitialised),
       cmocka_unit_test(named_once),
       cmocka_unit_test(alt_mode_instructions),
       cmocka_unit_test(registers),
       cmocka_unit_test(accumulator),
       cmocka_unit_test(sources),
       cmocka_unit_test(destinations),
       cmocka_unit_test(align16),
       cmocka_unit_test(types),
       cmocka_unit_test(planes_and_dot_products),
       cmocka_unit_test(two_waits),
       cmocka_unit_test(habits_of_drivers),
       cmocka_unit_test(modifiers),
       cmocka_unit_test(messages),
       cmocka_unit_test(flow),
   };
   return cmocka_run_group_tests_name("eu_rules", tests, NULL, NULL);
}
