/* Creation, the bus side, interrupts, reset: what a driver sees. */
#include "cs/cs.h"
#include "machine/device.h"
#include "pergola/pergola_machine.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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

/* As built, which the headers say at compile time; a program of an older header, or of a newer one.
 */
static void
versions_and_sizes(void **state)
{
   (void)state;
   char built[32];
   const char *error = NULL;
   snprintf(built, sizeof(built), "%d.%d.%d", PERGOLA_VERSION_MAJOR, PERGOLA_VERSION_MINOR,
            PERGOLA_VERSION_PATCH);
   assert_string_equal(pergola_version(), built);
   struct pergola_config older = {
       .size = offsetof(struct pergola_config, host_threads), .sku = "vlv", .host_threads = 3};
   struct pergola_device *dev = pergola_device_create(&older, &error);
   assert_non_null(dev);
   assert_string_equal(dev->config.sku, "vlv");
   assert_int_equal(dev->config.host_threads, 0); /* it did not know the member */
   pergola_device_destroy(dev);
   struct pergola_config newer = {.size = sizeof(newer) + 8};
   assert_null(pergola_device_create(&newer, &error));
   assert_string_equal(error, "the configuration is of a newer version");
}

/* What a device is made as when nobody says anything is what the list of parts says. */
static void
default_part(void **state)
{
   (void)state;
   struct pergola_device *dev = pergola_device_create(NULL, NULL);
   assert_string_equal(pergola_sku_find(NULL)->name, pergola_device_sku(dev)->name);
   pergola_device_destroy(dev);
}

/* On every part: memory that can be read and written through the GGTT, and nothing beside it. */
static void
machines_have_memory(void **state)
{
   (void)state;
   for (size_t i = 0; pergola_sku_at(i) && pergola_sku_at(i)->generation == 70; i++) {
      struct pergola_config config = {.sku = pergola_sku_at(i)->name,
                                      .check = PERGOLA_CHECK_REPORT};
      struct pergola_machine m;
      struct pergola_machine_memory want = {
          .physical = 0x3200000000, .size = 0x4000, .graphics = 0x10000, .mapped = 0x3000};
      assert_int_equal(pergola_machine_create(&m, &config, &want, NULL), 0);
      uint32_t value = 0x12345678, back = 0;
      pergola_aperture_write(m.dev, 0x12ffc, &value, 4);
      assert_memory_equal(m.memory + 0x2ffc, &value, 4);
      m.memory[0x1000] = 7;
      pergola_aperture_read(m.dev, 0x11000, &back, 4);
      assert_int_equal(back, 7);
      mem_write32(&m.dev->ggtt, 0x10004, 9); /* as the GPU does */
      assert_int_equal(m.memory[4], 9);
      assert_int_equal(pergola_diagnostic_count(m.dev, PERGOLA_NOTE), 0);
      assert_int_equal(pergola_mmio_read(m.dev, PERGOLA_MMIO_SIZE / 2 + 4 * 0x13, 4) & 1, 0);
      pergola_machine_destroy(&m);
   }
}

static void
machines_that_cannot_be_are_refused(void **state)
{
   (void)state;
   static const struct pergola_machine_memory wrong[] = {
       {.size = 0},
       {.size = 100, .mapped = 0},
       {.size = 0x1000, .mapped = 0x2000},
       {.size = 0x1000, .mapped = 0x1000, .graphics = 0x80000000},
       {.size = 0x1000, .mapped = 0x1000, .graphics = 0x100},
       {.size = 0x1000, .mapped = 0x1000, .physical = UINT64_C(1) << 40},
   };
   for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
      struct pergola_machine m;
      const char *error = NULL;
      assert_int_equal(pergola_machine_create(&m, NULL, &wrong[i], &error), -EINVAL);
      assert_non_null(error);
      assert_null(m.dev);
      assert_null(m.memory);
   }
}

/* What a part is comes from its row: no name is asked for. */
static void
parts_say_what_they_are(void **state)
{
   (void)state;
   static const struct {
      const char *name;
      unsigned hw_device, generation, threads, fences, io_size;
   } want[] = {{"ivb-gt1", HW_IVB, 70, 36, 32, 64},
               {"ivb-gt2", HW_IVB, 70, 128, 32, 64},
               {"vlv", HW_VLV, 70, 32, 16, 8}};
   for (unsigned i = 0; i < 3; i++) {
      struct pergola_device *dev =
          pergola_device_create(&(struct pergola_config){.sku = want[i].name}, NULL);
      assert_non_null(dev);
      const struct pergola_sku *s = pergola_device_sku(dev);
      assert_int_equal(dev->hw_device, want[i].hw_device);
      assert_int_equal(s->generation, want[i].generation);
      assert_int_equal(s->half_slices * s->eus_per_half_slice * s->threads_per_eu, want[i].threads);
      assert_int_equal(s->fences, want[i].fences);
      assert_int_equal(pergola_bar_size(dev, 0), PERGOLA_MMIO_SIZE);
      assert_int_equal(pergola_bar_size(dev, 4), want[i].io_size);
      for (unsigned bar = 1; bar < 8; bar++)
         assert_int_equal(pergola_bar_size(dev, bar) != 0, bar == 2 || bar == 4);
      pergola_device_destroy(dev);
   }
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

/* A driver that reads a register and puts the value back changes nothing; another value is named.
 */
static void
read_only_register_keeps_its_value(void **state)
{
   struct pergola_device *dev = *state;
   uint64_t value = pergola_mmio_read(dev, REG_RCS_IPEIR, 4);
   pergola_mmio_write(dev, REG_RCS_IPEIR, 4, value);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_WARNING), 0);
   pergola_mmio_write(dev, REG_RCS_IPEIR, 4, ~value);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_WARNING), 1);
   assert_int_equal(pergola_mmio_read(dev, REG_RCS_IPEIR, 4), value);
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
   proves("MEM-012", "SYS-442");
   struct pergola_device *dev = *state;
   int edges[2] = {0};
   pergola_set_interrupt_handler(dev, line_changed, edges);
   interrupt_gt(dev, RCS, 1u << 0);
   assert_int_equal(pergola_mmio_read(dev, REG_GTIIR, 4),
                    0); /* masked by the engine and the bank */
   pergola_mmio_write(dev, REG_RCS_IMR, 4, ~1u);
   pergola_mmio_write(dev, REG_GTIMR, 4, ~1u);
   interrupt_gt(dev, RCS, 1u << 0);
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
       cmocka_unit_test(parts_say_what_they_are),
       cmocka_unit_test(versions_and_sizes),
       cmocka_unit_test(default_part),
       cmocka_unit_test(machines_have_memory),
       cmocka_unit_test(machines_that_cannot_be_are_refused),
       cmocka_unit_test(unknown_part_is_refused),
       cmocka_unit_test_setup_teardown(unclaimed_offset_reads_zero_and_is_named, setup, teardown),
       cmocka_unit_test_setup_teardown(read_only_register_keeps_its_value, setup, teardown),
       cmocka_unit_test_setup_teardown(timestamp_counts_model_time, setup, teardown),
       cmocka_unit_test_setup_teardown(interrupt_goes_through_every_mask, setup, teardown),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
