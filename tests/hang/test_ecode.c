/* Codes of hangs: made from a command and busy units, taken apart again. */
#include "hang/ecode.h"
#include "hang/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static void
parses(const char *line, unsigned generation, unsigned engines, uint32_t code)
{
   struct hang_ecode e;
   assert_true(hang_ecode_parse(line, &e));
   assert_int_equal(e.generation, generation);
   assert_int_equal(e.engines, engines);
   assert_int_equal(e.code, code);
}

static void
every_form_of_the_line(void **state)
{
   const unsigned rcs = HW_RCS, vcs = HW_VCS, bcs = HW_BCS;
   parses("[drm] GPU HANG: ecode 0:0x85fdfffd", 0, rcs, 0x85fdfffd);
   parses("[   12.5] [drm] GPU HANG: ecode 7:0:0x85fffff8, in Xorg [812], reason: Ring hung, "
          "action: reset",
          7, rcs, 0x85fffff8);
   parses("GPU HANG: ecode 7:1:0x85fffff8, in a [1], hang on rcs0", 7, rcs, 0x85fffff8);
   parses("GPU HANG: ecode 7:1:85dffffb, in glxgears [12]", 7, rcs, 0x85dffffb);
   parses("GPU HANG: ecode 7:4:0000000f, in x [1]", 7, bcs, 0xf);
   parses("GPU HANG: ecode 7:2:00000001", 7, vcs, 1);
   parses("GPU HANG: ecode 7:1:0x85fdfffd, reason: Ring hung", 7, rcs | vcs, 0x85fdfffd);
   parses("7:0:0x85fdfffd", 7, rcs, 0x85fdfffd);
   parses("0x85fdfffd", 0, 0, 0x85fdfffd);
   parses("85FDFFFD\r", 0, 0, 0x85fdfffd);
}

static void
no_code_in_the_line(void **state)
{
   static const char *const lines[] = {
       "",      "ecode ",   "ecode 7:0:",   "7:0:", "123", "deadbeef01", "ecode 0x123456789",
       "hello", "7:0:0x1g", "0x85fdfffd hi"};
   struct hang_ecode e;
   for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
      assert_false(hang_ecode_parse(lines[i], &e));
}

static void
first_is(uint32_t ipehr, uint32_t instdone, unsigned engine, const char *name)
{
   struct hang_candidate c[4];
   unsigned n = hang_ecode_explain(ipehr ^ instdone, engine, HW_IVB, c, 4);
   assert_true(n >= 1);
   assert_string_equal(c[0].command->layout.name, name);
   assert_int_equal(c[0].ipehr, ipehr);
   assert_int_equal(c[0].instdone, instdone);
   for (unsigned i = 1; i < n; i++)
      assert_true(c[i].cost >= c[i - 1].cost);
}

static void
commands_are_found_again(void **state)
{
   first_is(0x7a000003, 0xfffdfffe, HW_RCS, "PIPE_CONTROL");
   first_is(0x7b000005, 0xfffffffa, HW_RCS, "3DPRIMITIVE");
   first_is(0x0b160001, 0xfffffffe, HW_RCS, "MI_SEMAPHORE_MBOX");
   first_is(0x71050009, 0xfffcfffe, HW_RCS, "GPGPU_WALKER");
   first_is(0x00000000, 0xfffffffe, HW_VCS, "MI_NOOP");
   first_is(0x54c00006, 0xfffffffc, HW_BCS, "XY_SRC_COPY_BLT");
   first_is(0x13000002, 0xfffffffe, HW_VCS, "MI_FLUSH_DW");
}

/* Reserved bits of INSTDONE settle the upper bits of the header: foreign memory fits nothing. */
static void
foreign_memory_fits_nothing(void **state)
{
   struct hang_candidate c[4];
   static const uint32_t text[] = {0x6c6c6548, 0xdeadbeef, 0x3f800000, 0xffffffff};
   for (size_t i = 0; i < sizeof(text) / sizeof(text[0]); i++)
      assert_int_equal(hang_ecode_explain(~text[i], 0, HW_IVB, c, 4), 0);
}

static void
count_unit(void *data, const char *unit, const char *meaning)
{
   assert_true(unit[0] && meaning[0]);
   ++*(unsigned *)data;
}

static void
every_unit_has_a_meaning(void **state)
{
   for (unsigned engine = HW_RCS; engine <= HW_BCS; engine <<= 1) {
      unsigned told = 0, busy = hang_busy_units(0, engine, HW_IVB, count_unit, &told);
      uint32_t units = hang_unit_bits(hang_instdone(engine, HW_IVB));
      assert_int_equal(told, busy);
      assert_int_equal(busy + 1, (unsigned)__builtin_popcount(units));
      assert_int_equal(hang_ring_bit(hang_instdone(engine, HW_IVB)), 1);
      assert_int_equal(hang_busy_units(UINT32_MAX, engine, HW_IVB, count_unit, &told), 0);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(every_form_of_the_line),   cmocka_unit_test(no_code_in_the_line),
       cmocka_unit_test(commands_are_found_again), cmocka_unit_test(foreign_memory_fits_nothing),
       cmocka_unit_test(every_unit_has_a_meaning),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
