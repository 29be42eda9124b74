/* Reports of the performance counters, by MI_REPORT_PERF_COUNT in a ring. */
#include "machine/device.h"
#include "pergola/pergola_machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include "tests/proves.h"

enum { PAGE = 4096, PAGES = 4, TARGET = 2 * PAGE + 64 };

struct machine {
   struct pergola_machine machine;
   struct pergola_device *dev;
   uint32_t *ram;
};

static int
setup(void **state)
{
   struct machine *m = calloc(1, sizeof(*m));
   struct pergola_machine_memory pages = {.size = PAGES * PAGE, .mapped = PAGES * PAGE};
   if (pergola_machine_create(&m->machine, NULL, &pages, NULL))
      return -1;
   m->dev = m->machine.dev;
   m->ram = (uint32_t *)m->machine.memory;
   memset(m->ram, 0x5a, PAGES * PAGE);
   for (uint32_t i = 0; i < 45; i++)
      m->dev->oa_a[i] = 0xa000 + i;
   for (uint32_t i = 0; i < 4; i++)
      m->dev->oa_b[i] = 0xb000 + i;
   *state = m;
   return 0;
}

static int
teardown(void **state)
{
   struct machine *m = *state;
   pergola_machine_destroy(&m->machine);
   free(m);
   return 0;
}

static const uint32_t *
report(struct machine *m, uint32_t control)
{
   static const uint32_t commands[] = {0x14000001, TARGET | 1, 0x1d, 0}; /* SYS-472 */
   pergola_mmio_write(m->dev, 0x2360, 4, control);
   memset((char *)m->ram + TARGET, 0x5a, 512);
   pergola_mmio_write(m->dev, 0x203c, 4, 0);
   memcpy(m->ram, commands, sizeof(commands));
   pergola_mmio_write(m->dev, 0x2034, 4, 0);
   pergola_mmio_write(m->dev, 0x2030, 4, 0);
   pergola_mmio_write(m->dev, 0x2038, 4, 0);
   pergola_mmio_write(m->dev, 0x203c, 4, 1);
   pergola_mmio_write(m->dev, 0x2030, 4, 16);
   assert_int_equal(pergola_run(m->dev, 1000), PERGOLA_RUN_IDLE);
   return m->ram + TARGET / 4;
}

/* SYS-470, SYS-472: every defined format, its length, and nothing behind it. */
static void
formats_by_counter_select(void **state)
{
   proves("RCS-222", "SYS-470", "SYS-472");
   struct machine *m = *state;
   static const struct {
      unsigned select, length, a_low, first_a, count_a, b_at;
   } table[] = {
       {0, 16, 1, 0, 0, 0},    {1, 32, 1, 13, 16, 0},  {2, 32, 1, 0, 0, 16},
       {3, 48, 1, 13, 16, 32}, {5, 64, 1, 13, 32, 48}, {6, 32, 0, 29, 16, 0},
   };
   clock_advance(m->dev, UINT64_C(80) << 33); /* the stamp has an upper half */
   for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
      const uint32_t *r = report(m, table[i].select << 2 | 1);
      uint32_t want[64] = {0x1d, r[1], 2};
      assert_in_range(r[1], 0, 1000);
      for (unsigned k = 0; k < 13 && table[i].a_low; k++)
         want[3 + k] = 0xa000 + k;
      for (unsigned k = 0; k < table[i].count_a; k++)
         want[16 + k] = 0xa000 + table[i].first_a + k;
      /* A41 goes on counting: the render engine is busy with the command itself. */
      if (table[i].count_a && table[i].first_a + table[i].count_a > 41) {
         uint32_t *busy = &want[16 + 41 - table[i].first_a];
         assert_in_range(r[16 + 41 - table[i].first_a], *busy, *busy + 1000);
         *busy = r[16 + 41 - table[i].first_a];
      }
      for (unsigned k = 0; k < 4 && table[i].b_at; k++)
         want[table[i].b_at + k] = 0xb000 + k;
      assert_memory_equal(r, want, table[i].length * 4);
      assert_int_equal(r[table[i].length], 0x5a5a5a5a);
   }
   assert_int_equal(pergola_diagnostic_count(m->dev, PERGOLA_NOTE), 0);
   assert_int_equal(pergola_mmio_read(m->dev, 0x2364, 4), 0); /* SYS-472: the tail does not move */
}

/* SYS-468, SYS-470: counters off, and selects that no manual defines. */
static void
undefined_reports_are_named(void **state)
{
   proves("SYS-468", "SYS-470");
   struct machine *m = *state;
   const uint32_t *r = report(m, 0);
   assert_int_equal(pergola_diagnostic_count(m->dev, PERGOLA_WARNING), 1);
   assert_int_equal(r[0], 0x1d);
   r = report(m, 4 << 2 | 1);
   assert_int_equal(pergola_diagnostic_count(m->dev, PERGOLA_WARNING), 2);
   assert_int_equal(r[3], 0xa000);
   assert_int_equal(r[16], 0x5a5a5a5a);
   report(m, 7 << 2 | 1);
   assert_int_equal(pergola_diagnostic_count(m->dev, PERGOLA_WARNING), 3);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test_setup_teardown(formats_by_counter_select, setup, teardown),
       cmocka_unit_test_setup_teardown(undefined_reports_are_named, setup, teardown),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
