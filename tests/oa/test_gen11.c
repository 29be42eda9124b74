/* Ice Lake's performance counters as a unit: registers, counters, reports. */
#include "gen11_unit.h"

#include "oa/record.h"

#include <unistd.h>

/* ---- registers ---- */

/* What can be written, register by register: the rows' fields. */
static void
registers_hold_their_fields(void **state)
{
   proves("SYS-254", "SYS-255", "SYS-257", "SYS-258", "SYS-259", "SYS-260", "SYS-267");
   struct unit *u = *state;
   static const struct {
      uint32_t offset, writable;
   } table[] = {
       {0x2360, 0x000000ff}, {0x2364, 0xffffffff}, {0x23b4, 0xffffffff},
       {0x2b00, 0x0000001f}, {0x2b08, 0x0003000f}, {0x2b0c, 0xffffffc0},
       {0x2b10, 0xffffffc0}, {0x2b14, 0xfffffff9}, {0x2b20, 0xffffffff},
   };
   for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
      assert_true(oa11_owns(table[i].offset));
      assert_int_equal(rd(u, table[i].offset), table[i].offset == 0x2b20 ? 0xffffffff : 0);
      wr(u, table[i].offset, 0xffffffff);
      assert_int_equal(rd(u, table[i].offset), table[i].writable);
      wr(u, table[i].offset, 0);
      assert_int_equal(rd(u, table[i].offset) & table[i].writable, 0);
   }
   /* OA_DEBUG: the upper half says which bits are written. */
   wr(u, 0x2b04, 0x0066ffff);
   assert_int_equal(rd(u, 0x2b04), 0x66);
   wr(u, 0x2b04, 0x00040000);
   assert_int_equal(rd(u, 0x2b04), 0x62);
   wr(u, 0x2b04, 0x00000000);
   assert_int_equal(rd(u, 0x2b04), 0x62);
}

static void
trigger_registers(void **state)
{
   proves("SYS-263", "SYS-264", "SYS-266", "SYS-416", "SYS-417", "SYS-261", "SYS-262", "SYS-414");
   struct unit *u = *state;
   for (uint32_t at = 0x2710; at <= 0x275c; at += 4) {
      bool start = at < 0x2740;
      unsigned n = (at - (start ? 0x2710 : 0x2740)) / 4 % 4;
      if (at > 0x272c && at < 0x2740) {
         assert_false(oa11_owns(at));
         continue;
      }
      assert_true(oa11_owns(at));
      assert_int_equal(rd(u, at), 0);
      wr(u, at, 0xffffffff);
      uint32_t want = n == 1 ? (start ? 0xf0ffffff : 0x80ffffff) : n == 0 && start ? 0xffff : ~0u;
      assert_int_equal(rd(u, at), want);
      wr(u, at, 0);
   }
   /* The counters of the blocks: read only; in TRIG1 too. All four signals, inverted where 0. */
   wr(u, 0x2b00, 1);
   wr(u, 0x2710, 9);
   wr(u, 0x2714, ALWAYS | 1u << 23);
   wr(u, 0x2720, 100);
   wr(u, 0x2724, ALWAYS | 1u << 23);
   wr(u, 0x2740, 20);
   wr(u, 0x2744, 1u << 31 | ALWAYS | 1u << 23);
   oa11_advance(&u->o, 7, 0, false, NULL);
   assert_int_equal(rd(u, 0x2b18), 7 << 16 | 7);
   assert_int_equal(rd(u, 0x2710), 7 << 16 | 9);
   assert_int_equal(rd(u, 0x2714) >> 24 & 1, 0);
   assert_int_equal(rd(u, 0x2b1c), 7);
   wr(u, 0x2b18, 0);
   wr(u, 0x2b1c, 0);
   assert_int_equal(rd(u, 0x2b18), 7 << 16 | 7);
   assert_int_equal(rd(u, 0x2b1c), 7);
   oa11_advance(&u->o, 2, 0, false, NULL);
   assert_int_equal(rd(u, 0x2714) >> 24 & 1, 1);
   assert_int_equal(rd(u, 0x2724) >> 24 & 1, 0);
}

static void
custom_and_flexible_registers(void **state)
{
   proves("SYS-265", "SYS-408", "SYS-409", "SYS-370", "SYS-418");
   struct unit *u = *state;
   static const uint16_t ctl[] = {0xe458, 0xe558, 0xe658, 0xe758, 0xe45c, 0xe55c, 0xe65c};
   for (unsigned i = 0; i < 7; i++) {
      assert_true(oa11_owns(ctl[i]));
      assert_int_equal(rd(u, ctl[i]), 0x0000f00f);
      wr(u, ctl[i], 0xffffffff);
      assert_int_equal(rd(u, ctl[i]), 0xffffffff);
   }
   assert_int_equal(u->rules, 0);
   assert_false(oa11_owns(0xe75c));
   for (unsigned n = 0; n < 16; n++) {
      assert_int_equal(rd(u, 0x2770 + 4 * n), 0);
      wr(u, 0x2770 + 4 * n, 0x10000u * n + 2);
   }
   for (unsigned n = 0; n < 16; n++)
      assert_int_equal(rd(u, 0x2770 + 4 * n), 0x10000u * n + 2);
   static const uint16_t noa[][2] = {
       {0x0d00, 0x0d2c}, {0x20cc, 0x20cc}, {0x91b8, 0x91dc}, {0x9800, 0x9888}, {0xe180, 0xe180}};
   for (unsigned i = 0; i < 5; i++)
      for (uint32_t at = noa[i][0]; at <= noa[i][1]; at += 4)
         wr(u, at, at * 3);
   for (unsigned i = 0; i < 5; i++) {
      assert_false(oa11_owns(noa[i][0] - 4u));
      assert_false(oa11_owns(noa[i][1] + 4u));
      for (uint32_t at = noa[i][0]; at <= noa[i][1]; at += 4)
         assert_int_equal(rd(u, at), at * 3);
   }
   /* Misaligned, or of nobody. */
   assert_false(oa11_owns(0x2b01));
   wr(u, 0x2b24, 1);
   assert_int_equal(rd(u, 0x2b24), 0);
}

static void
counters_by_mmio(void **state)
{
   proves("SYS-268", "SYS-269", "SYS-270", "SYS-271", "SYS-274", "SYS-415", "SYS-245", "SYS-242");
   struct unit *u = *state;
   for (unsigned n = 0; n < 32; n++) {
      wr(u, 0x2800 + 8 * n, 0x11110000 + n);
      wr(u, 0x2804 + 8 * n, 0xffffff20 + n);
   }
   for (unsigned n = 0; n < 4; n++)
      wr(u, 0x2900 + 4 * n, 0x22220000 + n);
   wr(u, 0x2910, 0x33330000);
   for (unsigned n = 0; n < 8; n++) {
      wr(u, 0x2920 + 4 * n, 0x44440000 + n);
      wr(u, 0x2940 + 4 * n, 0x55550000 + n);
      wr(u, 0x2960 + 4 * n, n & 1 ? 0xffffff60 + n : 0x66660000 + n);
   }
   for (unsigned n = 0; n < 32; n++) {
      assert_int_equal(rd(u, 0x2800 + 8 * n), 0x11110000 + n);
      assert_int_equal(rd(u, 0x2804 + 8 * n), 0x20 + n); /* 40 bits */
   }
   for (unsigned n = 0; n < 4; n++)
      assert_int_equal(rd(u, 0x2900 + 4 * n), 0x22220000 + n);
   assert_int_equal(rd(u, 0x2910), 0x33330000);
   for (unsigned n = 0; n < 8; n++) {
      assert_int_equal(rd(u, 0x2920 + 4 * n), 0x44440000 + n);
      assert_int_equal(rd(u, 0x2940 + 4 * n), 0x55550000 + n);
      assert_int_equal(rd(u, 0x2960 + 4 * n), n & 1 ? 0x60 + n : 0x66660000 + n);
   }
   /* A counts on from 2^40 - 1 to 0, A32 from 2^32 - 1, and the status says so. */
   counting(u);
   struct oa_events e = {0};
   e.eu[OA_VS][0][OA_THREADS] = 3;
   e.eu[OA_TS][9][OA_MEMORY] = 4;
   wr(u, 0x2808, 0xfffffffe);
   wr(u, 0x280c, 0xff);
   wr(u, 0x2900, 0xfffffffc);
   wr(u, 0x2b08, 0);
   oa11_advance(&u->o, 0, 0, false, &e);
   assert_int_equal(rd(u, 0x2808), 1);
   assert_int_equal(rd(u, 0x280c), 0);
   assert_int_equal(rd(u, 0x2900), 0);
   assert_int_equal(rd(u, 0x2b08), 4);
   wr(u, 0x2b08, 0);
   oa11_advance(&u->o, 0, 0, false, &e);
   assert_int_equal(rd(u, 0x2b08), 0);
}

/* ---- formats ---- */

/* The four layouts as the rows print them: a letter and a number for every dword. */
static uint32_t
layout(const char *name, unsigned n)
{
   switch (name[0]) {
   case 'A':
      return 0xa0000000 + n;
   case 'B':
      return 0xb0000000 + n;
   case 'C':
      return 0xc0000000 + n;
   default: /* high bytes of A4n..A4n+3 */
      return (0x80 + 4 * n) * 0x01010101u + 0x03020100;
   }
}

static void
formats(void **state)
{
   proves("SYS-281", "SYS-282", "SYS-283", "SYS-284", "SYS-286", "SYS-320", "SYS-321", "SYS-285",
          "SYS-304", "SYS-311");
   struct unit *u = *state;
   static const struct {
      unsigned select, dwords;
      struct {
         unsigned at, count, first;
         const char *what;
      } part[4];
   } table[] = {
       {0, 16, {{4, 12, 7, "A"}}},
       {2, 32, {{4, 12, 7, "A"}, {16, 8, 0, "B"}, {24, 8, 0, "C"}}},
       {7, 16, {{4, 4, 0, "C"}, {8, 8, 0, "B"}}},
       {5, 64, {{4, 36, 0, "A"}, {40, 8, 0, "high"}, {48, 8, 0, "B"}, {56, 8, 0, "C"}}},
   };
   for (unsigned n = 0; n < 36; n++)
      u->o.live.a[n] = 0xa0000000 + n + (n < 32 ? (uint64_t)(0x80 + n) << 32 : 0);
   for (unsigned n = 0; n < 8; n++) {
      u->o.live.b[n] = 0xb0000000 + n;
      u->o.live.c[n] = 0xc0000000 + n;
   }
   u->o.live.ticks = 0x12345678;
   oa11_context(&u->o, true, 0xfeedface);
   u->o.timestamp = UINT64_C(0x987654321);
   for (unsigned i = 0; i < 4; i++) {
      uint32_t want[64] = {0x5eed, 0x87654321, 0xfeedface, 0x12345678}, got[65];
      for (unsigned p = 0; p < 4; p++)
         for (unsigned n = 0; n < table[i].part[p].count; n++)
            want[table[i].part[p].at + n] =
                layout(table[i].part[p].what, table[i].part[p].first + n);
      wr(u, 0x2360, 1);
      wr(u, 0x2b00, table[i].select << 2 | 1);
      got[64] = 0x77777777;
      assert_int_equal(oa11_command_report(&u->o, 0x5eed, got), table[i].dwords);
      assert_memory_equal(got, want, table[i].dwords * 4);
      assert_int_equal(got[64], 0x77777777);
      /* The same into the buffer, but for the identity. */
      wr(u, 0x2b14, 0x100000 | 1);
      wr(u, 0x2b10, 0x100000);
      u->writes = 0;
      u->o.clock += 1000;
      oa11_context(&u->o, true, 0xfeedface);
      assert_int_equal(u->writes, 1);
      assert_int_equal(u->bytes, table[i].dwords * 4);
      assert_memory_equal(&u->report[1], &want[1], table[i].dwords * 4 - 4);
   }
   assert_int_equal(u->rules, 0);
}

static void
undefined_formats(void **state)
{
   proves("SYS-287", "SYS-288");
   struct unit *u = *state;
   static const unsigned undefined[] = {1, 3, 4, 6};
   wr(u, 0x2360, 1);
   for (unsigned i = 0; i < 4; i++) {
      uint32_t got[64];
      wr(u, 0x2b00, undefined[i] << 2 | 1);
      u->o.live.a[7] = 0x7777;
      u->rules = 0;
      assert_int_equal(oa11_command_report(&u->o, 1, got), 16);
      assert_int_equal(got[4], 0x7777);
      assert_string_equal(u->rule, "SYS-287");
      assert_int_equal(u->rules, 1);
   }
}

/* ---- identity of reports ---- */

static void
reasons(void **state)
{
   proves("SYS-295", "SYS-296", "SYS-297", "SYS-299", "SYS-300", "SYS-301", "SYS-302", "SYS-303",
          "SYS-305", "SYS-290");
   struct unit *u = *state;
   counting(u);
   /* No context is valid. */
   wr(u, 0x2360, 1 | 2 | 3 << 2); /* every 16 ticks */
   oa11_advance(&u->o, 100, 16, false, NULL);
   expect_report(u, 1u << 19, 0);
   u->o.clock += 1000; /* the last one has been written */
   oa11_context(&u->o, true, 0x89abcdef);
   expect_report(u, 1u << 22 | 1u << 16, 0x89abcdef);
   u->o.clock += 1000;
   oa11_sleep(&u->o);
   expect_report(u, 1u << 23 | 1u << 16, 0x89abcdef);
   u->o.clock += 1000;
   oa11_clock_ratio(&u->o, 3, 4);
   expect_report(u, 1u << 24 | 1u << 16, 0x89abcdef);
   u->o.clock += 1000;
   wr(u, 0x2744, 1u << 31 | ALWAYS);
   oa11_advance(&u->o, 1, 17, false, NULL);
   expect_report(u, 1u << 20 | 1u << 16, 0x89abcdef);
   u->o.clock += 1000;
   wr(u, 0x2744, 0);
   wr(u, 0x2754, 1u << 31 | ALWAYS);
   oa11_advance(&u->o, 1, 18, false, NULL);
   expect_report(u, 1u << 21 | 1u << 16, 0x89abcdef);
   u->o.clock += 1000;
   oa11_context(&u->o, false, 0);
   expect_report(u, 1u << 22, 0);
}

/* Which block the two bits tell of: trigger 2 if it alone is the reason, else trigger 1. */
static void
which_block_a_report_tells_of(void **state)
{
   proves("SYS-306", "SYS-307", "SYS-315");
   struct unit *u = *state;
   static const struct {
      bool one, two;
      unsigned block;
   } table[] = {{false, false, 0}, {true, false, 0}, {false, true, 1}, {true, true, 0}};
   for (unsigned i = 0; i < 4; i++)
      for (unsigned bits = 0; bits < 16; bits++) {
         oa11_reset(&u->o);
         counting(u);
         for (unsigned n = 0; n < 2; n++) {
            wr(u, 0x2714 + 16 * n, bits >> n & 1 ? ALWAYS : NEVER);
            /* threshold 1: a report at the first clock */
            wr(u, 0x2740 + 16 * n, 1);
            wr(u, 0x2744 + 16 * n,
               (n              ? table[i].two
                : table[i].one ? 1u
                               : 0)
                       << 31 |
                   ALWAYS | (bits >> (2 + n) & 1) << 23);
         }
         u->writes = 0;
         oa11_advance(&u->o, 1, 0, false, NULL);
         if (!i)
            oa11_context(&u->o, false, 0);
         assert_int_equal(u->writes, 1);
         unsigned b = table[i].block;
         assert_int_equal(u->report[0] >> 18 & 1, bits >> b & 1);
         assert_int_equal(u->report[0] >> 17 & 1, bits >> (2 + b) & 1);
      }
}

static void
clock_ratios(void **state)
{
   proves("SYS-303", "SYS-308", "SYS-309", "SYS-310", "SYS-324");
   struct unit *u = *state;
   counting(u);
   u->writes = 0;
   oa11_clock_ratio(&u->o, 0x1b5, 0x0aa);
   assert_int_equal(u->writes, 1);
   assert_int_equal(u->report[0], 1u << 24); /* not asked for */
   wr(u, 0x2b04, 0x00400040);
   for (unsigned i = 0; i < 2; i++) { /* back to the same: once more */
      u->o.clock += 1000;
      oa11_clock_ratio(&u->o, 0x1b5, 0x0aa);
      assert_int_equal(u->writes, 2 + i);
      assert_int_equal(u->report[0], 0x35u << 25 | 1u << 24 | 3u << 9 | 0x0aa);
   }
   wr(u, 0x2b04, 0x00200020);
   u->o.clock += 1000;
   oa11_clock_ratio(&u->o, 0x012, 0x1ff);
   assert_int_equal(u->writes, 3); /* no reports of it … */
   oa11_context(&u->o, false, 0);
   assert_int_equal(u->report[0], 0x12u << 25 | 1u << 22 | 0x1ff); /* … but the ratios */
}

/* ---- when ---- */

static void
timer(void **state)
{
   proves("SYS-298", "SYS-297", "SYS-292", "SYS-289");
   struct unit *u = *state;
   counting(u);
   for (unsigned exponent = 0; exponent < 10; exponent++) {
      uint64_t period = UINT64_C(2) << exponent, from = u->o.timestamp, to = from + 4000;
      wr(u, 0x2360, 1 | 2 | exponent << 2);
      u->writes = 0;
      uint32_t ticks = rd(u, 0x2910);
      /* 100 clocks a tick; in uneven steps */
      for (uint64_t at = from; at < to;) {
         uint64_t step = 1 + (at * 7) % 300;
         step = at + step > to ? to - at : step;
         at += step;
         unsigned before = u->writes;
         oa11_advance(&u->o, 100 * step, at, false, NULL);
         for (unsigned n = before; n < u->writes; n++) {
            assert_int_equal(u->log[n].timestamp % period, 0); /* a bit of the time stamp */
            assert_int_equal(u->log[n].ticks - ticks,
                             (uint32_t)(100 * (u->log[n].timestamp - (uint32_t)from)));
         }
      }
      assert_int_equal(u->writes, to / period - from / period);
      assert_int_equal(rd(u, 0x2910) - ticks, 100 * 4000);
   }
   u->writes = 0;
   wr(u, 0x2360, 1 | 4 << 2); /* the timer is off */
   oa11_advance(&u->o, 100000, u->o.timestamp + 1000, false, NULL);
   assert_int_equal(u->writes, 0);
   wr(u, 0x2360, 1 | 2 | 4 << 2);
   wr(u, 0x2b00, 0); /* all of it is */
   oa11_advance(&u->o, 100000, u->o.timestamp + 1000, false, NULL);
   assert_int_equal(u->writes, 0);
}

static void
context_switches(void **state)
{
   proves("SYS-322", "SYS-323", "SYS-301");
   struct unit *u = *state;
   static const uint32_t ids[] = {5, 9, 5, 0xffffffff, 7};
   struct oa_events e = {0};
   counting(u);
   u->writes = 0;
   for (unsigned i = 0; i < 5; i++) {
      e.eu[OA_PS][2][OA_THREADS] = 10 + i;
      oa11_advance(&u->o, 500, 0, true, &e);
      oa11_context(&u->o, true, ids[i]);
      assert_int_equal(u->writes, i + 1);
      assert_int_equal(u->address, 0x100000 + 256 * i); /* the next location */
      assert_int_equal(u->report[0] >> 19 & 63, 8);
      assert_int_equal(u->report[2], ids[i]);
      assert_int_equal(u->report[4 + 6], 10 * (i + 1) + i * (i + 1) / 2);
   }
   wr(u, 0x2b04, 0x00020002);
   oa11_advance(&u->o, 500, 0, true, NULL);
   oa11_context(&u->o, true, 1);
   assert_int_equal(u->writes, 5);
}

/* ---- the buffer ---- */

static void
the_buffer(void **state)
{
   proves("SYS-248", "SYS-249", "SYS-260");
   struct unit *u = *state;
   for (unsigned n = 0; n < 8; n++) {
      uint32_t size = 0x20000u << n, base = 0x2000000, reports = size / 256;
      oa11_reset(&u->o);
      wr(u, 0x2b0c, base);
      wr(u, 0x2b14, base | n << 3 | (n & 1));
      wr(u, 0x23b4, 0x12);
      wr(u, 0x2b10, base);
      wr(u, 0x2360, 1);
      wr(u, 0x2b00, 5 << 2 | 1);
      for (unsigned i = 0; i < reports; i++) {
         oa11_advance(&u->o, 200, 0, false, NULL);
         oa11_context(&u->o, true, i);
         if (i % 97 && i < reports - 2)
            continue;
         assert_true(u->address == (UINT64_C(0x12) << 32 | (base + 256 * i)));
         assert_int_equal(u->ggtt, n & 1);
         assert_int_equal(rd(u, 0x2b10), base + (i + 1) % reports * 256);
         assert_int_equal(rd(u, 0x2b08), i + 1 == reports ? 1u << 17 : 0);
      }
      /* Full. One more writes over the oldest. */
      oa11_advance(&u->o, 200, 0, false, NULL);
      oa11_context(&u->o, true, 77);
      assert_true(u->address == (UINT64_C(0x12) << 32 | base));
      assert_int_equal(rd(u, 0x2b08), 1u << 17 | 2);
      /* It stays until software clears it. */
      wr(u, 0x2b0c, base + 256);
      assert_int_equal(rd(u, 0x2b08), 1u << 17 | 2);
      wr(u, 0x2b08, 0);
      wr(u, 0x2b0c, base); /* software goes round */
      assert_int_equal(rd(u, 0x2b08), 1u << 16);
   }
   assert_int_equal(u->rules, 0);
   wr(u, 0x2b14, 0x2020000 | 1 << 3); /* 256 KiB at 128 KiB */
   assert_string_equal(u->rule, "SYS-260");
}

/* SYS-249: a request while a report is under way is lost, and nothing else. */
static void
lost_reports(void **state)
{
   proves("SYS-249", "SYS-248");
   struct unit *u = *state;
   counting(u);
   u->writes = 0;
   oa11_context(&u->o, true, 1);
   oa11_context(&u->o, true, 2);
   assert_int_equal(u->writes, 1);
   assert_int_equal(rd(u, 0x2b08), 1);
   assert_int_equal(rd(u, 0x2b10), 0x100000 + 256);
   struct oa_events e = {0};
   e.eu[OA_VS][0][OA_THREADS] = 3;
   oa11_advance(&u->o, 100, 0, false, &e);
   assert_int_equal(rd(u, 0x2808), 3); /* counters go on */
   oa11_context(&u->o, true, 3);
   assert_int_equal(u->writes, 2);
   assert_int_equal(rd(u, 0x2b08), 1);
   /* A command's report needs no buffer, and does not move the tail. */
   uint32_t got[64];
   oa11_command_report(&u->o, 1, got);
   assert_int_equal(u->writes, 2);
   assert_int_equal(rd(u, 0x2b10), 0x100000 + 512);
}

static void
half_full(void **state)
{
   proves("SYS-241", "SYS-256", "SYS-275", "SYS-276", "SYS-277", "SYS-278", "SYS-280");
   struct unit *u = *state;
   for (unsigned masked = 0; masked < 2; masked++) {
      oa11_reset(&u->o);
      counting(u);
      wr(u, 0x2b20, masked ? 1u << 28 : ~(1u << 28)); /* the other bits are not OA's */
      u->interrupts = 0;
      for (unsigned i = 0; i < 400; i++) {
         oa11_advance(&u->o, 200, 0, false, NULL);
         uint32_t got[64];
         oa11_command_report(&u->o, 1, got);
         oa11_context(&u->o, true, i);
         assert_int_equal(u->interrupts, !masked && i >= 255); /* half of 512 reports */
      }
      wr(u, 0x2b0c, 0x100000 + 100 * 256); /* 300 are left: still so */
      assert_int_equal(u->interrupts, !masked);
      wr(u, 0x2b0c, 0x100000 + 200 * 256); /* 200: no longer */
      wr(u, 0x2b0c, 0x100000 + 100 * 256);
      assert_int_equal(u->interrupts, masked ? 0 : 2);
   }
}

/* ---- counting at all ---- */

static void
what_lets_counters_advance(void **state)
{
   proves("SYS-250", "SYS-251", "SYS-255", "SYS-326", "SYS-246", "SYS-327", "SYS-270");
   struct unit *u = *state;
   struct oa_events e = {0};
   e.eu[OA_TS][1][OA_THREADS] = 5; /* A4 */
   e.eu[OA_PS][1][OA_THREADS] = 7; /* A6 */
   wr(u, 0xe55c, 0x000004f);       /* neither A17 … */
   for (unsigned bits = 0; bits < 16; bits++) {
      bool enable = bits & 1, resume = bits & 2, specific = bits & 4, ours = bits & 8;
      oa11_reset(&u->o);
      wr(u, 0x2b00, 5 << 2 | specific << 1 | enable);
      oa11_context(&u->o, true, ours ? 42 : 41);
      wr(u, 0x2360, resume);
      wr(u, 0x2364, 42);
      oa11_advance(&u->o, 1000, 0, true, &e);
      bool counts = enable && resume && (!specific || ours);
      assert_int_equal(rd(u, 0x2820), counts ? 5 : 0);
      assert_int_equal(rd(u, 0x2830), counts ? 7 : 0);
      assert_int_equal(rd(u, 0x2960), 5); /* free-running: always */
      assert_int_equal(rd(u, 0x2968), 7);
      assert_int_equal(rd(u, 0x2910), 1000);
      assert_int_equal(rd(u, 0x2800), counts ? 1000 : 0);
      uint32_t got[64];
      u->rules = 0;
      oa11_command_report(&u->o, 1, got);
      assert_int_equal(u->rules, enable && !resume);
      if (u->rules)
         assert_string_equal(u->rule, "SYS-251");
   }
   /* Engines that are busy with no thread: A0 alone; idle: nothing. */
   oa11_reset(&u->o);
   counting(u);
   oa11_advance(&u->o, 300, 0, false, NULL);
   assert_int_equal(rd(u, 0x2800), 0);
   oa11_advance(&u->o, 200, 0, true, NULL);
   assert_int_equal(rd(u, 0x2800), 200);
   for (unsigned n = 1; n < 36; n++)
      assert_int_equal(u->o.live.a[n], 0);
}

static void
threads_dispatched(void **state)
{
   proves("SYS-328", "SYS-329", "SYS-330", "SYS-331", "SYS-332", "SYS-333");
   struct unit *u = *state;
   /* By the row's name of the stage. */
   static const struct {
      unsigned counter;
      enum oa_stage stage;
   } table[] = {{1, OA_VS}, {2, OA_HS}, {3, OA_DS}, {4, OA_TS}, {5, OA_GS}, {6, OA_PS}};
   for (unsigned i = 0; i < 6; i++) {
      struct oa_events e = {0};
      oa11_reset(&u->o);
      counting(u);
      for (unsigned eu = 0; eu < OA_EUS; eu++)
         e.eu[table[i].stage][eu][OA_THREADS] = eu + 1;
      oa11_advance(&u->o, 10, 0, false, &e);
      for (unsigned n = 0; n < 36; n++)
         assert_int_equal(u->o.live.a[n], n == table[i].counter ? 32 * 33 / 2 : 0);
   }
}

static void
messages(void **state)
{
   proves("SYS-357", "SYS-358", "SYS-359", "SYS-360", "SYS-361", "SYS-362", "SYS-363", "SYS-364",
          "SYS-365", "SYS-366");
   struct unit *u = *state;
   static const uint8_t table[][2] = {
       {OA_SAMPLER_2X2, 28}, {OA_SLM_READ, 30}, {OA_SLM_WRITE, 31},  {OA_MEMORY, 32},
       {OA_ATOMIC, 34},      {OA_BARRIER, 35},  {OA_SLM_ATOMIC, 99}, {OA_TARGET_WRITE, 99}};
   for (unsigned i = 0; i < 8; i++)
      for (unsigned flag = 0; flag < 2; flag++) {
         struct oa_events e = {0};
         u->o.slm_atomics = flag;
         oa11_reset(&u->o);
         counting(u);
         for (unsigned s = 0; s < OA_STAGES; s++)
            e.eu[s][5 * s][table[i][0]] = s + 1;
         oa11_advance(&u->o, 10, 0, false, &e);
         unsigned counter = table[i][0] == OA_SLM_ATOMIC && flag ? 34 : table[i][1];
         for (unsigned n = 0; n < 36; n++)
            assert_int_equal(u->o.live.a[n], n == counter ? 21 : 0);
      }
   u->o.slm_atomics = false;
}

/* Events that nothing of the model makes yet: the rows SYS-348..354 ask for more than this. */
static void
pixels(void **state)
{
   struct unit *u = *state;
   static const uint8_t table[7][2] = {
       {OA_RASTERIZED, 21},  {OA_FAST_FAILED, 22}, {OA_SLOW_FAILED, 23}, {OA_KILLED, 24},
       {OA_LATE_FAILED, 25}, {OA_WRITTEN, 26},     {OA_BLENDED, 27}};
   for (unsigned i = 0; i < 7; i++) {
      struct oa_events e = {0};
      oa11_reset(&u->o);
      counting(u);
      e.pixels[table[i][0]] = 1000 + i;
      oa11_advance(&u->o, 10, 0, false, &e);
      for (unsigned n = 0; n < 36; n++)
         assert_int_equal(u->o.live.a[n], n == table[i][1] ? 1000 + i : 0);
   }
}

/* ---- power and reset ---- */

static void
sleep_and_wake(void **state)
{
   proves("SYS-252", "SYS-273", "SYS-272", "SYS-243", "SYS-302", "SYS-268", "SYS-271");
   struct unit *u = *state;
   struct oa_events e = {0};
   e.eu[OA_TS][1][OA_THREADS] = 5;
   counting(u);
   wr(u, 0x2714, 1u << 23); /* B and C count too */
   u->o.signals = 0xffff;
   wr(u, 0xe458, 0x00005004);
   oa11_advance(&u->o, 50, 0, true, &e);
   uint32_t at_sleep[0x180 / 4], ctl = rd(u, 0xe458);
   u->writes = 0;
   oa11_sleep(&u->o);
   assert_int_equal(u->writes, 1);
   for (unsigned n = 0; n < 0x180 / 4; n++)
      at_sleep[n] = rd(u, 0x2800 + 4 * n);
   assert_int_equal(at_sleep[0x120 / 4], 50);
   assert_int_equal(at_sleep[0x140 / 4], 50);
   oa11_advance(&u->o, 50, 0, true, &e); /* lost */
   wr(u, 0xe458, 0);
   assert_int_equal(rd(u, 0x2820), 10);
   wr(u, 0x2b04, 0x00200020);
   oa11_wake(&u->o);
   assert_int_equal(rd(u, 0x2b04), 0); /* OA_DEBUG is not saved */
   for (unsigned n = 0; n < 0x180 / 4; n++)
      assert_int_equal(rd(u, 0x2800 + 4 * n), at_sleep[n]);
   assert_int_equal(rd(u, 0xe458), ctl);
   oa11_advance(&u->o, 50, 0, true, &e); /* and on from there */
   assert_int_equal(rd(u, 0x2820), 10);
   assert_int_equal(rd(u, 0x2910), 100);
   wr(u, 0x2b04, 0x00040004);
   oa11_sleep(&u->o);
   assert_int_equal(u->writes, 1);
}

static void
global_reset(void **state)
{
   proves("SYS-247");
   struct unit *u = *state;
   counting(u);
   wr(u, 0x2710, 5);
   wr(u, 0x2744, 0x80000001);
   wr(u, 0x2770, 9);
   wr(u, 0xe458, 0x123);
   wr(u, 0x9888, 4);
   oa11_advance(&u->o, 100, 0, true, NULL);
   oa11_reset(&u->o);
   for (uint32_t at = 0; at < 0x10000; at += 4) {
      if (!oa11_owns(at))
         continue;
      bool ctl = (at & 0xfffff0ff) == 0xe058 || (at & 0xfffff0ff) == 0xe05c;
      assert_int_equal(rd(u, at), at == 0x2b20 ? 0xffffffff : ctl ? 0xf00f : 0);
   }
}

/* ---- recordings ---- */

static void
recordings(void **state)
{
   (void)state;
   char path[] = "oa-recording-XXXXXX";
   int fd = mkstemp(path);
   assert_true(fd >= 0);
   close(fd);
   struct oa_record *r = oa_record_open(path, "ivb-gt2", 16, 8);
   assert_non_null(r);
   struct oa_events e = {0};
   e.eu[OA_TS][0][OA_THREADS] = 4;
   e.eu[OA_TS][0][OA_FPU0_TERNARY] = 30;
   e.eu[OA_PS][1][OA_FPU1_BINARY] = 5;
   oa_record_events(r, 10, 0, &e); /* of no dispatch */
   for (unsigned i = 0; i < 3; i++) {
      oa_record_dispatch(r, i == 1 ? "3DPRIMITIVE, \"x\"" : "GPGPU_WALKER", 0x1000 + i);
      for (unsigned k = 0; k <= i; k++)
         oa_record_events(r, 100, 0, &e);
   }
   assert_true(oa_record_close(r));
   static uint64_t data[1024];
   FILE *f = fopen(path, "rb");
   assert_non_null(f);
   size_t size = fread(data, 1, sizeof(data), f);
   fclose(f);
   unlink(path);
   struct oa_file file;
   assert_null(oa_file_read(&file, data, size));
   assert_int_equal(file.dispatches, 3);
   for (unsigned i = 0; i < 3; i++) {
      struct oa_file_row row;
      oa_file_row(&file, i, &row);
      uint64_t n = i + 1 + (i == 0); /* what came before the first is the first one's */
      assert_int_equal(file.record[i + 1].address, 0x1000 + i);
      assert_int_equal(row.a[4], 4 * n);
      assert_int_equal(row.a[7], 35 * n);
      assert_int_equal(row.a[9], 30 * n);
      assert_int_equal(row.a[10], 5 * n);
      assert_int_equal(row.a[14], 30 * n);
      assert_int_equal(row.a[19], 30 * n); /* GPGPU on FPU0 */
      assert_int_equal(row.a[20], 5 * n);
      assert_int_equal(row.ticks, i ? 100 * n : 110);
   }
   for (size_t cut = 0; cut < size; cut += 7)
      assert_non_null(oa_file_read(&file, data, cut));
   memset((char *)data + 112 + 320, 'x', 32);
   assert_non_null(oa_file_read(&file, data, size));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       T(registers_hold_their_fields),
       T(trigger_registers),
       T(custom_and_flexible_registers),
       T(counters_by_mmio),
       T(formats),
       T(undefined_formats),
       T(reasons),
       T(which_block_a_report_tells_of),
       T(clock_ratios),
       T(timer),
       T(context_switches),
       T(the_buffer),
       T(lost_reports),
       T(half_full),
       T(what_lets_counters_advance),
       T(threads_dispatched),
       T(messages),
       T(pixels),
       T(sleep_and_wake),
       T(global_reset),
       T(recordings),
   };
   return cmocka_run_group_tests_name("oa_gen11", tests, NULL, NULL);
}
