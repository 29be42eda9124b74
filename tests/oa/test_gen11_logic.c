/* The logic inside Ice Lake's performance unit, against a second description of it: gates, compare
 * blocks and filters as the rows tell them, one signal at a time. */
#include "gen11_unit.h"

/* The same sequence in every run. */
static uint32_t
random32(void)
{
   static uint64_t s = 0x9e3779b97f4a7c15;
   s ^= s << 13;
   s ^= s >> 7;
   s ^= s << 17;
   return (uint32_t)(s >> 16);
}

/* ---- triggers ---- */

static bool
bit(uint32_t v, unsigned n)
{
   return v >> n & 1;
}

/* SYS-319, signal by signal. before: the clock before's, for inputs that look at edges. */
static bool
reference_gates(const uint32_t reg[4], uint32_t edges, uint16_t signals, uint16_t before,
                bool strobe)
{
   bool in[16], b[4] = {true, true, true, strobe}, c[2], d;
   for (unsigned n = 0; n < 16; n++) {
      unsigned select = n < 8 ? reg[3] >> 4 * n & 15 : reg[2] >> 4 * (n - 8) & 15;
      in[n] = bit(signals, select);
      if (bit(edges, n))
         in[n] = in[n] && !bit(before, select);
      if (bit(reg[1], n))
         in[n] = !in[n];
      if (!in[n])
         b[n / 4] = false;
   }
   for (unsigned n = 0; n < 4; n++)
      b[n] = b[n] != bit(reg[1], 16 + n);
   c[0] = (b[0] && b[1]) != bit(reg[1], 20);
   c[1] = (b[2] && b[3]) != bit(reg[1], 21);
   d = c[0] && c[1];
   return d != bit(reg[1], 22);
}

static void
random_gates(uint32_t reg[4])
{
   for (unsigned n = 0; n < 4; n++)
      reg[n] = random32();
   /* Few signals and many inversions: else nearly everything is false. */
   if (random32() & 1)
      reg[2] = reg[3] = 0x11111111 * (random32() & 15);
   reg[0] = (reg[0] & 0xffff0000) | (random32() & 7);
}

static void
start_triggers(void **state)
{
   proves("SYS-319", "SYS-313", "SYS-416", "SYS-318");
   (void)state;
   unsigned fired = 0, held = 0;
   for (unsigned i = 0; i < 20000; i++) {
      struct oa_trigger t = {0};
      random_gates(t.reg);
      unsigned threshold = t.reg[0] & 0xffff, seen = 0;
      bool want = false, enabled = bit(t.reg[1], 23);
      for (unsigned clock = 0; clock < 12; clock++) {
         uint16_t signals = (uint16_t)random32();
         bool strobe = random32() & 1, result = reference_gates(t.reg, 0, signals, 0, strobe);
         seen += result;
         want = want || (enabled ? seen >= threshold : result);
         assert_int_equal(oa_start_clock(&t, signals, strobe), want);
      }
      fired += want;
      held += !want;
   }
   assert_true(fired > 1000 && held > 1000);
}

static void
report_triggers(void **state)
{
   proves("SYS-319", "SYS-417", "SYS-263", "SYS-264", "SYS-318");
   (void)state;
   unsigned reports = 0;
   for (unsigned i = 0; i < 20000; i++) {
      struct oa_trigger t = {0};
      random_gates(t.reg);
      unsigned threshold = t.reg[0] & 0xffff, seen = 0;
      bool counts = bit(t.reg[1], 23) && threshold, last = false;
      uint16_t before = 0;
      for (unsigned clock = 0; clock < 12; clock++) {
         uint16_t signals = (uint16_t)random32();
         bool strobe = random32() & 1,
              result = reference_gates(t.reg, t.reg[0] >> 16, signals, before, strobe);
         bool want = counts ? result && ++seen == threshold : result && !last;
         if (counts && want)
            seen = 0;
         last = result;
         before = signals;
         want = want && bit(t.reg[1], 31);
         assert_int_equal(oa_report_clock(&t, signals, strobe), want);
         reports += want;
      }
   }
   assert_true(reports > 1000);
}

/* Which counters a start trigger holds back, and which it does not. */
static void
start_triggers_gate_b_and_c(void **state)
{
   proves("SYS-312", "SYS-313", "SYS-314", "SYS-316", "SYS-317", "SYS-285", "SYS-410", "SYS-416");
   struct unit *u = *state;
   struct oa_events e = {0};
   e.eu[OA_VS][0][OA_THREADS] = 1;
   for (unsigned blocks = 0; blocks < 4; blocks++) {
      oa11_reset(&u->o);
      counting(u);
      u->o.signals = 0x3c5a;
      for (unsigned n = 0; n < 2; n++) { /* after five clocks, or never */
         wr(u, 0x2710 + 16 * n, 5);
         wr(u, 0x2714 + 16 * n,
            1u << 23 | (blocks >> n & 1 ? 0xf0000u & ~0x80000u : 0u) |
                (blocks >> n & 1 ? 0x80000u : 0));
         /* all gates inverted: true whatever the signals, but for those that see four ones */
         wr(u, 0x2718 + 16 * n, 0);
         wr(u, 0x271c + 16 * n, 0);
      }
      oa11_advance(&u->o, 4, 0, true, &e);
      for (unsigned n = 0; n < 8; n++)
         assert_int_equal(u->o.live.b[n] + u->o.live.c[n], 0);
      assert_int_equal(rd(u, 0x2808), 1); /* A1 */
      assert_int_equal(rd(u, 0x2800), 4); /* A0 */
      oa11_advance(&u->o, 11, 0, true, &e);
      for (unsigned n = 0; n < 8; n++) {
         unsigned clocks = blocks ? 11 : 0; /* from the fifth on */
         assert_int_equal(u->o.live.b[n], bit(0x5a, n) ? clocks : 0);
         assert_int_equal(u->o.live.c[n], bit(0x3c, n) ? clocks : 0);
      }
      /* The condition is false again: they go on. Off, and on: they do not. */
      wr(u, 0x2714, 1u << 23);
      wr(u, 0x2724, 1u << 23);
      oa11_advance(&u->o, 3, 0, true, NULL);
      assert_int_equal(u->o.live.b[1], blocks ? 14 : 0);
      wr(u, 0x2b00, 0);
      wr(u, 0x2b00, 5 << 2 | 1);
      oa11_advance(&u->o, 3, 0, true, NULL);
      assert_int_equal(u->o.live.b[1], blocks ? 14 : 0);
   }
   /* Four of five, off and on: five clocks anew. */
   oa11_reset(&u->o);
   counting(u);
   u->o.signals = 0x3c5a;
   wr(u, 0x2710, 5);
   wr(u, 0x2714, 1u << 23 | 0xf0000);
   wr(u, 0x2720, 5);
   wr(u, 0x2724, 1u << 23);
   oa11_advance(&u->o, 4, 0, true, NULL);
   wr(u, 0x2b00, 0);
   wr(u, 0x2b00, 5 << 2 | 1);
   oa11_advance(&u->o, 4, 0, true, NULL);
   assert_int_equal(u->o.live.b[1], 0);
   oa11_advance(&u->o, 1, 0, true, NULL);
   assert_int_equal(u->o.live.b[1], 1);
   /* Threshold 0 fires at once: the first clock counts. */
   oa11_reset(&u->o);
   counting(u);
   u->o.signals = 0xffff;
   wr(u, 0x2714, 0x00800000);
   oa11_advance(&u->o, 6, 0, true, NULL);
   assert_int_equal(u->o.live.b[7], 6);
   assert_int_equal(u->o.live.c[0], 6);
}

/* A report trigger of the unit: the strobe of the timer is one of its inputs. */
static void
triggers_of_the_unit(void **state)
{
   proves("SYS-319", "SYS-299", "SYS-300", "SYS-311");
   struct unit *u = *state;
   for (unsigned n = 0; n < 2; n++) {
      oa11_reset(&u->o);
      counting(u);
      wr(u, 0x2360, 1 | 2 | 9 << 2);             /* a strobe every 1024 ticks */
      wr(u, 0x2744 + 16 * n, 1u << 31 | 0xffff); /* all signals 0, and the strobe */
      u->writes = 0;
      for (uint64_t at = 100; at <= 10300; at += 100)
         oa11_advance(&u->o, 1000, at, false, NULL);
      /* The trigger comes first; the timer's own report is lost behind it. */
      assert_int_equal(u->writes, 10);
      for (unsigned i = 0; i < 10; i++)
         assert_int_equal(u->log[i].id >> 19 & 63, n ? 4 : 2);
   }
}

/* ---- custom events ---- */

static bool
reference_compare(unsigned function, uint16_t bus, uint16_t value, uint16_t mask)
{
   int sign = 0; /* of bus - value, by the highest bit that counts and differs */
   bool any = false;
   for (int n = 15; n >= 0; n--) {
      if (bit(mask, (unsigned)n))
         continue;
      any = any || bit(bus, (unsigned)n) == bit(value, (unsigned)n);
      if (!sign && bit(bus, (unsigned)n) != bit(value, (unsigned)n))
         sign = bit(bus, (unsigned)n) ? 1 : -1;
   }
   const bool results[8] = {any,      sign > 0,  sign == 0, sign >= 0,
                            sign < 0, sign != 0, sign <= 0, true};
   return results[function];
}

static void
custom_events(void **state)
{
   proves("SYS-411", "SYS-244", "SYS-265", "SYS-242");
   (void)state;
   for (unsigned i = 0; i < 5000; i++) {
      struct oa_custom block[8] = {{{0, 0}, 0}};
      uint16_t last[8] = {0};
      uint8_t booleans = 0, want = 0;
      for (unsigned n = 0; n < 8; n++) {
         block[n].cec[0] = random32();
         block[n].cec[1] = random32() | (random32() & 1 ? 0xfff0 : 0);
         if (random32() & 1)
            block[n].cec[0] = (block[n].cec[0] & ~0x180000u) | 0x100000;
      }
      for (unsigned clock = 0; clock < 20; clock++) {
         uint16_t signals = (uint16_t)random32(), previous = 0;
         for (unsigned n = 0; n < 8; n++) {
            uint16_t source = 0, bus = 0;
            switch (block[n].cec[0] >> 19 & 3) {
            case 0:
               source = signals;
               break;
            case 1:
               source = previous;
               break;
            case 2:
               source = (uint16_t)(signals >> 8 << 8 | booleans);
               break;
            }
            for (unsigned b = 0; b < 16; b++) {
               bool v = bit(block[n].cec[1], 16 + b) ? bit(last[n], b) : bit(source, b);
               if (b <= 10 && bit(block[n].cec[0], 21 + b))
                  v = !v;
               bus |= (uint16_t)(v << b);
            }
            last[n] = source;
            want = (uint8_t)((want & ~(1u << n)) |
                             (unsigned)reference_compare(block[n].cec[0] & 7, bus,
                                                         block[n].cec[0] >> 3 & 0xffff,
                                                         block[n].cec[1] & 0xffff)
                                 << n);
            previous = bus;
         }
         assert_int_equal(oa_custom_clock(block, signals, booleans), want);
         booleans = want;
      }
   }
}

/* SYS-411: the public TestOa set of Ice Lake: ratios of its B counters to the clock. */
static void
test_oa_set(void **state)
{
   proves("SYS-411", "SYS-410", "SYS-242");
   struct unit *u = *state;
   static const uint32_t cec[8][2] = {{4, 0xffff},        {3, 0xffff},        {7, 0xffff},
                                      {0x100002, 0xfff7}, {0x100002, 0xffcf}, {0x100082, 0xffef},
                                      {0x1000c2, 0xffe7}, {0x100001, 0xffe7}};
   static const unsigned sixths[8] = {0, 6, 6, 3, 2, 2, 1, 4};
   counting(u);
   for (unsigned n = 0; n < 8; n++) {
      wr(u, 0x2770 + 8 * n, cec[n][0]);
      wr(u, 0x2774 + 8 * n, cec[n][1]);
   }
   assert_int_equal(u->rules, 1); /* function 7 */
   assert_string_equal(u->rule, "SYS-411");
   wr(u, 0x2714, 0xf0800000);
   wr(u, 0x2724, 0xf0800000);
   oa11_advance(&u->o, 12, 0, true, NULL); /* settled */
   uint32_t before[8];
   memcpy(before, u->o.live.b, sizeof(before));
   /* Many clocks at once and one by one are the same. */
   for (unsigned i = 0; i < 60; i++)
      oa11_advance(&u->o, 1, 0, true, NULL);
   for (unsigned n = 0; n < 8; n++)
      assert_int_equal(u->o.live.b[n] - before[n], 10 * sixths[n]);
   oa11_advance(&u->o, UINT64_C(6000000060), 0, true, NULL);
   for (unsigned n = 0; n < 8; n++)
      assert_int_equal((uint32_t)(u->o.live.b[n] - before[n]),
                       (uint32_t)(UINT64_C(1000000020) * sixths[n]));
   /* A counter whose select bit is 0 takes the signal. */
   memcpy(before, u->o.live.b, sizeof(before));
   wr(u, 0x2714, 0xd0800000);
   wr(u, 0x2724, 0xe0800000);
   u->o.signals = 0x12;
   oa11_advance(&u->o, 600, 0, true, NULL);
   for (unsigned n = 0; n < 8; n++)
      assert_int_equal(u->o.live.b[n] - before[n], n == 1 || n == 4 ? 600 : 100 * sixths[n]);
}

/* However clocks are divided into calls. */
static void
periods_are_exact(void **state)
{
   proves("SYS-411");
   struct unit *u = *state;
   for (unsigned i = 0; i < 200; i++) {
      struct oa11 *a = &u->o, b;
      oa11_reset(a);
      counting(u);
      for (unsigned n = 0; n < 8; n++) {
         wr(u, 0x2770 + 8 * n, (random32() & ~0x180000u) | (random32() & 7 ? 0x100000 : 0));
         wr(u, 0x2774 + 8 * n, random32() | (random32() & 3 ? 0xff00 : 0));
      }
      wr(u, 0x2714, 0xf0800000);
      wr(u, 0x2724, 0xf0800000);
      a->signals = (uint16_t)random32();
      b = *a;
      oa11_advance(a, 3000, 0, true, NULL);
      for (unsigned n = 0; n < 3000; n++)
         oa11_advance(&b, 1, 0, true, NULL);
      assert_memory_equal(a->live.b, b.live.b, sizeof(b.live.b));
      assert_memory_equal(a->live.c, b.live.c, sizeof(b.live.c));
      assert_int_equal(a->clock, b.clock);
   }
}

/* The other block goes on counting though one has fired. */
static void
blocks_by_themselves(void **state)
{
   proves("SYS-416", "SYS-261");
   struct unit *u = *state;
   counting(u);
   wr(u, 0x2714, 0x00800000);
   wr(u, 0x2720, 5000);
   wr(u, 0x2724, 1u << 23 | ALWAYS);
   oa11_advance(&u->o, 3000, 0, true, NULL);
   assert_int_equal(rd(u, 0x2b18), 3000u << 16);
   wr(u, 0x2724, 1u << 23 | ALWAYS); /* the count lies in the first register of its block */
   assert_int_equal(rd(u, 0x2720), 3000u << 16 | 5000);
   wr(u, 0x2720, 5000);
   assert_int_equal(rd(u, 0x2720), 5000);
   oa11_advance(&u->o, 3000, 0, true, NULL);
   assert_int_equal(rd(u, 0x2b18), 3000u << 16);
   assert_int_equal(rd(u, 0x2724) >> 24 & 1, 0);
   oa11_advance(&u->o, 3000, 0, true, NULL);
   assert_int_equal(rd(u, 0x2b18), 5000u << 16);
   assert_int_equal(rd(u, 0x2724) >> 24 & 1, 1);
}

/* ---- flexible events ---- */

/* One clock of one EU, as the filters see it. */
struct moment {
   unsigned eu, stage;
   bool fpu0, fpu1, send, branch, loaded;
   char class0, class1; /* of the instructions: m, b, t, or o */
};

/* SYS-371..407: does the event count this clock? Literally from the rows. */
static bool
reference_event(uint32_t field, const struct moment *m)
{
   unsigned increment = field & 15, coarse = field >> 4 & 15, fine = field >> 8 & 15;
   bool some = m->fpu0 || m->fpu1 || m->send || m->branch, event = false;
   switch (increment) {
   case 0:
      event = m->fpu0;
      break;
   case 1:
      event = m->fpu1;
      break;
   case 2:
      event = m->send;
      break;
   case 3:
      event = m->fpu0 && m->fpu1;
      break;
   case 4:
      event = some;
      break;
   case 5:
      event = m->loaded && !some;
      break;
   }
   if (coarse >= 1 && coarse <= 6)
      event = event && m->stage == coarse - 1;
   else if (coarse == 7 || coarse == 8)
      event = event && (m->eu & 4 ? 1u : 0u) == coarse - 7;
   else if (coarse > 8)
      event = false;
   const char *classes = " .tbm";
   bool first = increment == 0 || increment == 4, second = increment == 1 || increment == 4;
   if (fine >= 1 && fine <= 4)
      event = event && ((first && m->fpu0 && m->class0 == classes[fine]) ||
                        (second && m->fpu1 && m->class1 == classes[fine]));
   else if (fine == 5)
      event = event && m->send && (increment == 2 || increment == 4);
   else if (fine >= 7 && fine <= 10)
      event = event && (m->eu & 3) == fine - 7;
   else if (fine)
      event = false;
   return event;
}

/* The same clock as the model's events. */
static void
add_moment(struct oa_events *e, const struct moment *m)
{
   uint64_t *eu = e->eu[m->stage][m->eu];
   if (m->fpu0)
      eu[m->class0 == 'm'   ? OA_FPU0_MOV
         : m->class0 == 'b' ? OA_FPU0_BINARY
         : m->class0 == 't' ? OA_FPU0_TERNARY
                            : OA_FPU0_OTHER]++;
   if (m->fpu1)
      eu[m->class1 == 'b' ? OA_FPU1_BINARY : OA_FPU1_OTHER]++;
   eu[OA_SEND] += m->send;
   eu[OA_BRANCH] += m->branch;
   eu[OA_FPU_BOTH] += m->fpu0 && m->fpu1;
   eu[OA_STALLED] += m->loaded && !(m->fpu0 || m->fpu1 || m->send || m->branch);
}

static struct moment
random_moment(void)
{
   struct moment m = {.eu = random32() % 32, .stage = random32() % 6, .loaded = true};
   switch (random32() % 6) {
   case 0:
   case 1:
      m.fpu0 = true;
      break;
   case 2:
      m.fpu1 = true;
      break;
   case 3:
      m.fpu0 = m.fpu1 = true;
      break;
   case 4:
      m.send = random32() & 1;
      m.branch = !m.send;
      break;
   }
   m.class0 = "mbto"[random32() & 3];
   m.class1 = "bo"[random32() & 1];
   return m;
}

static void
check_flexible(unsigned first, unsigned last)
{
   static struct moment moments[3000];
   struct oa_events *e = calloc(1, sizeof(*e));
   assert_non_null(e);
   for (unsigned i = 0; i < 3000; i++) {
      moments[i] = random_moment();
      add_moment(e, &moments[i]);
   }
   const uint64_t pulses[OA_EUS] = {0};
   for (uint32_t field = 0; field < 4096; field++) {
      uint64_t want = 0;
      if ((field & 15) < first || (field & 15) > last)
         continue;
      /* A class is asked of pipelines together: not supported, and counted for each of them. */
      bool each = (field & 15) == 4 && (field >> 8 & 15) >= 1 && (field >> 8 & 15) <= 4;
      for (unsigned i = 0; i < 3000; i++) {
         want += reference_event(each ? field & 0xff0 : field, &moments[i]);
         want += each && reference_event((field & 0xff0) | 1, &moments[i]);
      }
      if (oa_flexible(field, e, pulses) != want)
         fail_msg("event %03x: %llu, not %llu", field,
                  (unsigned long long)oa_flexible(field, e, pulses), (unsigned long long)want);
   }
   free(e);
}

static void
increment_events(void **state)
{
   proves("SYS-371", "SYS-372", "SYS-373", "SYS-374", "SYS-375", "SYS-376", "SYS-368", "SYS-369");
   (void)state;
   check_flexible(0, 5);
}

static void
no_event(void **state)
{
   proves("SYS-380", "SYS-407");
   (void)state;
   check_flexible(6, 7);
   check_flexible(9, 15);
}

static void
coarse_filters(void **state)
{
   proves("SYS-386", "SYS-387", "SYS-388", "SYS-389", "SYS-390", "SYS-391", "SYS-392", "SYS-393",
          "SYS-394");
   (void)state;
   const uint64_t pulses[OA_EUS] = {0};
   for (unsigned stage = 0; stage < 6; stage++)
      for (unsigned eu = 0; eu < 32; eu++) {
         struct oa_events e = {0};
         e.eu[stage][eu][OA_FPU0_MOV] = 10;
         e.eu[stage][eu][OA_FPU1_OTHER] = 20;
         e.eu[stage][eu][OA_SEND] = 30;
         for (unsigned coarse = 0; coarse < 16; coarse++)
            for (unsigned increment = 0; increment < 3; increment++) {
               bool row = (eu / 4) & 1;
               bool passes = coarse == 0 || coarse == stage + 1 || (coarse == 7 && !row) ||
                             (coarse == 8 && row);
               assert_int_equal(oa_flexible(coarse << 4 | increment, &e, pulses),
                                passes ? 10 * (increment + 1) : 0);
            }
      }
}

static void
fine_filters(void **state)
{
   proves("SYS-395", "SYS-396", "SYS-397", "SYS-398", "SYS-399", "SYS-400", "SYS-402", "SYS-403",
          "SYS-404", "SYS-405");
   (void)state;
   const uint64_t pulses[OA_EUS] = {0};
   for (unsigned eu = 0; eu < 32; eu++) {
      struct oa_events e = {0};
      e.eu[OA_TS][eu][OA_FPU0_MOV] = 1;
      e.eu[OA_TS][eu][OA_FPU0_BINARY] = 10;
      e.eu[OA_TS][eu][OA_FPU0_TERNARY] = 100;
      e.eu[OA_TS][eu][OA_FPU0_OTHER] = 1000;
      e.eu[OA_TS][eu][OA_FPU1_BINARY] = 5;
      e.eu[OA_TS][eu][OA_SEND] = 7;
      static const unsigned fpu0[] = {1111, 0, 100, 10, 1, 0}, fpu1[] = {5, 0, 0, 5, 0, 0};
      for (unsigned fine = 0; fine < 6; fine++) {
         assert_int_equal(oa_flexible(fine << 8 | 0, &e, pulses), fpu0[fine]);
         assert_int_equal(oa_flexible(fine << 8 | 1, &e, pulses), fpu1[fine]);
      }
      assert_int_equal(oa_flexible(0x502, &e, pulses), 7);
      assert_int_equal(oa_flexible(0x504, &e, pulses), 7);
      for (unsigned n = 0; n < 4; n++)
         assert_int_equal(oa_flexible((7 + n) << 8, &e, pulses), eu % 4 == n ? 1111 : 0);
   }
}

static void
last_eu_filter(void **state)
{
   proves("SYS-406");
   (void)state;
   const uint64_t pulses[OA_EUS] = {0};
   struct oa_events e = {0};
   for (unsigned eu = 0; eu < 32; eu++)
      e.eu[OA_PS][eu][OA_SEND] = 1u << eu % 4;
   assert_int_equal(oa_flexible(0xa02, &e, pulses), 8 * 8);
}

/* SYS-377: clock by clock, an accumulator of three bits for each EU. */
static void
integrator(void **state)
{
   proves("SYS-377", "SYS-379", "SYS-385");
   struct unit *u = *state;
   counting(u);
   wr(u, 0xe458, 0x708 << 12 | 0x008); /* A7: all; A8: EU 0 of every four */
   unsigned acc[32] = {0};
   uint64_t all = 0, zeros = 0;
   for (unsigned i = 0; i < 3000; i++) {
      struct oa_events e = {0};
      for (unsigned k = 0; k < 5; k++) {
         unsigned eu = random32() % 32, threads = random32() % 8, stage = random32() % 6;
         if (threads) { /* one executes, the others are loaded */
            e.eu[stage][eu][OA_FPU0_MOV]++;
            e.eu[stage][eu][OA_WAITED] += threads - 1;
         }
         acc[eu] += threads;
      }
      for (unsigned eu = 0; eu < 32; eu++)
         for (; acc[eu] >= 8; acc[eu] -= 8) {
            all++;
            zeros += eu % 4 == 0;
         }
      oa11_advance(&u->o, 1, 0, true, &e);
      assert_int_equal(u->o.live.a[7], all);
      assert_int_equal(u->o.live.a[8], zeros);
   }
   assert_true(all > 1000);
   assert_int_equal(u->rules, 0);
}

/* A7..A20: events 2n and 2n + 1 are in register n. */
static void
aggregating_counters(void **state, unsigned first, unsigned count)
{
   struct unit *u = *state;
   static const uint16_t ctl[] = {0xe458, 0xe558, 0xe658, 0xe758, 0xe45c, 0xe55c, 0xe65c};
   struct oa_events e = {0};
   for (unsigned eu = 0; eu < 32; eu++)
      e.eu[OA_GS][eu][OA_SEND] = 100 + eu;
   for (unsigned n = first; n < first + count; n++) {
      oa11_reset(&u->o);
      counting(u);
      for (unsigned i = 0; i < 7; i++)
         wr(u, ctl[i], 0xffffffff);
      wr(u, ctl[n / 2], n & 1 ? 0x00002fff : 0x00fff042);
      uint32_t free_before = rd(u, 0x2970), free20 = rd(u, 0x2978);
      oa11_advance(&u->o, 1, 0, true, &e);
      for (unsigned a = 1; a < 36; a++)
         assert_int_equal(u->o.live.a[a], a == 7 + n ? 32 * 100 + 31 * 16 : 0);
      assert_int_equal(rd(u, 0x2970) - free_before, n == 12 ? 3696 : 0); /* A19 */
      assert_int_equal(rd(u, 0x2978) - free20, n == 13 ? 3696 : 0);      /* A20 */
   }
}

static void
aggregating_counters_0_to_6(void **state)
{
   proves("SYS-334", "SYS-335", "SYS-336", "SYS-337", "SYS-338", "SYS-339", "SYS-340", "SYS-370");
   aggregating_counters(state, 0, 7);
}

static void
aggregating_counters_7_to_13(void **state)
{
   proves("SYS-341", "SYS-342", "SYS-343", "SYS-344", "SYS-345", "SYS-346", "SYS-347", "SYS-270");
   aggregating_counters(state, 7, 7);
}

/* Every event with every filter: who is named, and why. */
static void
filters_that_are_not_supported(void **state)
{
   proves("SYS-381", "SYS-382", "SYS-383", "SYS-384", "SYS-385", "SYS-401", "SYS-407");
   struct unit *u = *state;
   for (uint32_t field = 0; field < 4096; field++) {
      unsigned increment = field & 15, coarse = field >> 4 & 15, fine = field >> 8 & 15;
      bool rows = coarse == 0 || coarse == 7 || coarse == 8,
           eus = fine == 0 || (fine >= 7 && fine <= 10);
      bool known = (increment < 6 || increment == 8) && coarse <= 8 && fine <= 10 && fine != 6;
      const char *want = NULL;
      if (increment == 15)
         want = NULL;
      else if (!known)
         want = "SYS-407";
      else if (increment == 2 && !(eus || fine == 5))
         want = "SYS-381";
      else if (increment == 3 && !(rows && eus))
         want = "SYS-382";
      else if (increment == 4 && !(rows && (eus || fine == 5)))
         want = "SYS-383";
      else if (increment == 5 && !(rows && eus))
         want = "SYS-384";
      else if (increment == 8 && !(rows && eus))
         want = "SYS-385";
      else if (increment < 2 && fine == 5)
         want = "SYS-401";
      for (unsigned half = 0; half < 2; half++) {
         u->rules = 0;
         wr(u, 0xe758, half ? field << 12 | 0xf : field | 0xf000);
         assert_int_equal(u->rules, want != NULL);
         if (want)
            assert_string_equal(u->rule, want);
      }
   }
}

/* Whatever is written and told: no crash, no endless loop, reports where they belong. */
static void
hostile(void **state)
{
   struct unit *u = *state;
   struct oa_events e = {0};
   uint64_t timestamp = 0;
   for (unsigned i = 0; i < 60000; i++) {
      uint32_t offset = 0;
      do
         offset = random32() % 0x10000 & ~3u;
      while (!oa11_owns(offset));
      wr(u, offset, random32() & (random32() & 1 ? random32() : ~0u));
      if (i % 64 == 0)
         wr(u, 0x2b00, 5 << 2 | 1);
      if (i % 16 == 0) {
         timestamp += random32() % 3000;
         e.eu[random32() % 6][random32() % 32][random32() % OA_EVENTS] = random32();
         u->o.signals = (uint16_t)random32();
         oa11_advance(&u->o, random32() % 2000, timestamp, true, &e);
      }
      if (i % 40 == 0)
         oa11_context(&u->o, true, random32());
      assert_true(u->o.unread <= oa11_buffer_size(&u->o));
   }
   assert_true(u->writes > 100);
   /* A second with reports at every other tick, and triggers that never rest. */
   wr(u, 0x2360, 3);
   wr(u, 0x2744, 1u << 31);
   wr(u, 0x2b00, 5 << 2 | 1);
   oa11_advance(&u->o, 500000000, timestamp + 12000000, true, NULL);
   oa11_advance(&u->o, UINT64_MAX / 4, UINT64_MAX, true, NULL);
   assert_int_equal(rd(u, 0x2b08) & 1, 1);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       T(start_triggers),
       T(report_triggers),
       T(start_triggers_gate_b_and_c),
       T(triggers_of_the_unit),
       T(custom_events),
       T(test_oa_set),
       T(periods_are_exact),
       T(blocks_by_themselves),
       T(increment_events),
       T(no_event),
       T(coarse_filters),
       T(fine_filters),
       T(last_eu_filter),
       T(integrator),
       T(aggregating_counters_0_to_6),
       T(aggregating_counters_7_to_13),
       T(filters_that_are_not_supported),
       T(hostile),
   };
   return cmocka_run_group_tests_name("oa_gen11_logic", tests, NULL, NULL);
}
