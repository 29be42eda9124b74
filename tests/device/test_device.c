/* Creation, the bus side, interrupts, reset: what a driver sees. */
#include "cs/cs.h"
#include "device/device.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include "tests/proves.h"

static int
setup(void **state)
{
   *state = pergola_device_create(NULL, NULL);
   return *state ? 0 : -1;
}

static int
teardown(void **state)
{
   pergola_device_destroy(*state);
   return 0;
}

static void
unknown_part_is_refused(void **state)
{
   (void)state;
   const char *error = NULL;
   struct pergola_config c = {.sku = "tnt2"};
   assert_null(pergola_device_create(&c, &error));
   assert_non_null(error);
}

static void
unclaimed_offset_reads_zero_and_is_named(void **state)
{
   proves("MEM-003");
   struct pergola_device *dev = *state;
   assert_int_equal(pergola_mmio_read(dev, 0x1ffff0, 4), 0);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_WARNING), 1);
   pergola_mmio_write(dev, 0x1ffff0, 4, 5);
   assert_int_equal(pergola_mmio_read(dev, 0x1ffff0, 4), 0);
}

static void
timestamp_counts_model_time(void **state)
{
   proves("RCS-026");
   struct pergola_device *dev = *state;
   clock_advance(dev, 8000);
   assert_int_equal(pergola_mmio_read(dev, REG_RCS_TIMESTAMP, 8), 100);
   clock_advance(dev, 80 * ((UINT64_C(1) << 36) - 100));
   assert_int_equal(pergola_mmio_read(dev, REG_RCS_TIMESTAMP, 8), 0);
}

static void
line_changed(void *data, bool asserted)
{
   int *edges = data;
   edges[asserted]++;
}

static void
interrupt_goes_through_every_mask(void **state)
{
   proves("MEM-012");
   struct pergola_device *dev = *state;
   int edges[2] = {0};
   pergola_set_interrupt_handler(dev, line_changed, edges);
   interrupt_gt(dev, RCS, 0);
   assert_int_equal(pergola_mmio_read(dev, REG_GTIIR, 4),
                    0); /* masked by the engine and the bank */
   pergola_mmio_write(dev, REG_RCS_IMR, 4, ~1u);
   pergola_mmio_write(dev, REG_GTIMR, 4, ~1u);
   interrupt_gt(dev, RCS, 0);
   assert_int_equal(pergola_mmio_read(dev, REG_GTIIR, 4), 1);
   assert_int_equal(edges[1], 0);
   pergola_mmio_write(dev, REG_GTIER, 4, 1);
   assert_int_equal(edges[1], 0); /* the master is off */
   pergola_mmio_write(dev, REG_DEIER, 4, 0x80000000);
   assert_int_equal(edges[1], 1);
   pergola_mmio_write(dev, REG_DEIER, 4, 0);
   assert_int_equal(edges[0], 1);
   pergola_mmio_write(dev, REG_DEIER, 4, 0x80000000);
   assert_int_equal(edges[1], 2); /* still pending: a new edge */
   pergola_mmio_write(dev, REG_GTIIR, 4, 1);
   assert_int_equal(edges[0], 2);
   assert_int_equal(pergola_mmio_read(dev, REG_GTIIR, 4), 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(unknown_part_is_refused),
       cmocka_unit_test_setup_teardown(unclaimed_offset_reads_zero_and_is_named, setup, teardown),
       cmocka_unit_test_setup_teardown(timestamp_counts_model_time, setup, teardown),
       cmocka_unit_test_setup_teardown(interrupt_goes_through_every_mask, setup, teardown),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
