/* Interrupts: banks, depth, status page, PCI. */
#include "pergola/pergola_machine.h"
#include "register_table.h"
#include "tests/proves.h"

static int edges[2];
static bool line;

static void
line_changed(void *data, bool asserted)
{
   (void)data;
   edges[asserted]++;
   line = asserted;
}

static void
listen_to(struct pergola_device *dev)
{
   edges[0] = edges[1] = 0;
   line = false;
   pergola_set_interrupt_handler(dev, line_changed, NULL);
}

static struct pergola_device *
listening(const char *sku)
{
   struct pergola_device *dev = new_device(sku);
   listen_to(dev);
   return dev;
}

/* With memory, of which the first pages are mapped at STATUS. */
#define STATUS 0x3000u
static struct pergola_machine
listening_machine(uint64_t physical, uint64_t size, uint64_t mapped)
{
   struct pergola_machine m;
   struct pergola_machine_memory memory = {physical, size, STATUS, mapped};
   struct pergola_config c = {.check = PERGOLA_CHECK_REPORT};
   assert_int_equal(pergola_machine_create(&m, &c, &memory, NULL), 0);
   listen_to(m.dev);
   return m;
}

/* SYS-441, VCS-313, VCS-123, VCS-125: two events deep; a disabled bit still shows in the IIR. */
static void
identity_holds_two_events(void **state)
{
   proves("SYS-441", "VCS-313", "VCS-123", "VCS-125");
   (void)state;
   struct pergola_device *dev = listening(NULL);
   pergola_mmio_write(dev, 0x120a8, 4, ~(1u << 12));
   pergola_mmio_write(dev, 0x44014, 4, 0);
   interrupt_gt(dev, VCS, 1u << 12);
   assert_int_equal(pergola_mmio_read(dev, 0x44018, 4), 1u << 12); /* IER is 0 */
   assert_int_equal(edges[1], 0);
   pergola_mmio_write(dev, 0x4401c, 4, 1u << 12);
   pergola_mmio_write(dev, 0x4400c, 4, 1u << 31);
   assert_int_equal(edges[1], 1);
   interrupt_gt(dev, VCS, 1u << 12);
   interrupt_gt(dev, VCS, 1u << 12); /* a third is lost */
   pergola_mmio_write(dev, 0x44018, 4, 1u << 12);
   assert_int_equal(pergola_mmio_read(dev, 0x44018, 4), 1u << 12);
   assert_int_equal(edges[0], 1); /* low for a moment */
   assert_int_equal(edges[1], 2);
   pergola_mmio_write(dev, 0x44018, 4, 0); /* writing 0 clears nothing */
   assert_int_equal(pergola_mmio_read(dev, 0x44018, 4), 1u << 12);
   pergola_mmio_write(dev, 0x44018, 4, 1u << 12);
   assert_int_equal(pergola_mmio_read(dev, 0x44018, 4), 0);
   assert_false(line);
   pergola_device_destroy(dev);
}

/* VCS-123, VCS-124, SYS-449, SYS-451: what the engine masks never arrives; each engine has its own
 * bits. */
static void
engine_masks_gate_their_own_bits(void **state)
{
   proves("VCS-123", "VCS-124", "SYS-449", "SYS-451", "SYS-452");
   (void)state;
   struct pergola_device *dev = listening(NULL);
   static const struct {
      enum engine_id engine;
      unsigned bit;
   } events[] = {{RCS, 0},  {RCS, 4},  {RCS, 8},  {VCS, 12}, {VCS, 16},
                 {VCS, 18}, {BCS, 22}, {BCS, 26}, {BCS, 30}};
   pergola_mmio_write(dev, 0x44014, 4, 0);
   for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
      uint32_t imr = engine_base[events[i].engine] + 0xa8, bit = 1u << events[i].bit;
      interrupt_gt(dev, events[i].engine, 1u << events[i].bit);
      assert_int_equal(pergola_mmio_read(dev, 0x44018, 4), 0);
      pergola_mmio_write(dev, imr, 4, ~bit);
      interrupt_gt(dev, events[i].engine, 1u << events[i].bit);
      assert_int_equal(pergola_mmio_read(dev, 0x44018, 4), bit);
      assert_int_equal(pergola_mmio_read(dev, 0x44010, 4), 0); /* SYS-452: a pulse does not last */
      pergola_mmio_write(dev, 0x44018, 4, bit);
      pergola_mmio_write(dev, imr, 4, 0xffffffff);
   }
   pergola_device_destroy(dev);
}

/* SYS-453: the driver's order of service; something still pending asserts again. */
static void
service_order_of_the_driver(void **state)
{
   proves("SYS-453");
   (void)state;
   struct pergola_device *dev = listening(NULL);
   pergola_mmio_write(dev, 0x44014, 4, 0xffffffff);
   pergola_mmio_write(dev, 0x4401c, 4, 0);
   pergola_mmio_write(dev, 0x44018, 4, 0xffffffff);
   pergola_mmio_write(dev, 0x44018, 4, 0xffffffff);
   assert_int_equal(pergola_mmio_read(dev, 0x44018, 4), 0);
   pergola_mmio_write(dev, 0x44014, 4, ~(1u << 0 | 1u << 22));
   pergola_mmio_write(dev, 0x4401c, 4, 1u << 0 | 1u << 22);
   pergola_mmio_write(dev, 0x20a8, 4, ~1u);
   pergola_mmio_write(dev, 0x220a8, 4, ~(1u << 22));
   pergola_mmio_write(dev, 0x4400c, 4, 1u << 31);
   interrupt_gt(dev, RCS, 1u << 0);
   assert_true(line);
   pergola_mmio_write(dev, 0x4400c, 4, 0);
   assert_false(line);
   uint32_t iir = (uint32_t)pergola_mmio_read(dev, 0x44018, 4);
   interrupt_gt(dev, BCS, 1u << 22); /* arrives in between */
   pergola_mmio_write(dev, 0x44018, 4, iir);
   pergola_mmio_write(dev, 0x4400c, 4, 1u << 31);
   assert_true(line);
   assert_int_equal(edges[1], 2);
   pergola_device_destroy(dev);
}

/* RCS-190, VCS-117, VCS-118, VCS-121, VCS-113, VCS-115: dword 0 of the status page. */
static void
status_page_gets_the_status_on_change(void **state)
{
   proves("RCS-190", "VCS-117", "VCS-118", "VCS-121", "VCS-113", "VCS-115");
   (void)state;
   struct pergola_machine m = listening_machine(0x10000, 4096, 4096);
   struct pergola_device *dev = m.dev;
   memset(m.memory, 0xee, 4096);
   pergola_mmio_write(dev, 0x4180, 4, STATUS);
   uint32_t *page = (uint32_t *)(void *)m.memory;
   interrupt_gt(dev, VCS, 1u << 14);
   assert_int_equal(page[0], 0xeeeeeeee); /* masked in both */
   pergola_mmio_write(dev, 0x12098, 4, ~(1u << 14));
   interrupt_gt(dev, VCS, 1u << 14);
   assert_int_equal(page[0], 0xeeeeeeee); /* VCS-118: still masked in IMR */
   pergola_mmio_write(dev, 0x120a8, 4, ~(1u << 14));
   interrupt_gt(dev, VCS, 1u << 14); /* sync status toggles: set by the third event */
   assert_int_equal(page[0], 1u << 14);
   interrupt_gt(dev, VCS, 1u << 14);
   assert_int_equal(page[0], 0); /* and falls: a change in either direction is written */
   pergola_mmio_write(dev, 0x120a8, 4, ~(1u << 12));
   pergola_mmio_write(dev, 0x12098, 4, ~(1u << 12));
   page[0] = 0x55;
   interrupt_gt(dev, VCS, 1u << 12);
   assert_int_equal(page[0], 0); /* user interrupt and notify are stored as 0 */
   for (unsigned i = 1; i < 1024; i++)
      assert_int_equal(page[i], 0xeeeeeeee);
   pergola_machine_destroy(&m);
}

/* RCS-190, VCS-117: every engine writes its own bits into its own page; those of the others, set
 * meanwhile, do not show there. */
static void
status_pages_of_the_engines(void **state)
{
   proves("RCS-190", "VCS-117");
   (void)state;
   static const unsigned sync[ENGINE_COUNT] = {2, 14, 24}, error[ENGINE_COUNT] = {3, 15, 25};
   static const uint32_t block[ENGINE_COUNT] = {0x2000, 0x12000, 0x22000};
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      struct pergola_machine m = listening_machine(0x10000, 3 * 4096, 3 * 4096);
      struct pergola_device *dev = m.dev;
      uint32_t *ram = (uint32_t *)(void *)m.memory;
      memset(ram, 0xee, 3 * 4096);
      for (unsigned k = 0; k < ENGINE_COUNT; k++)
         pergola_mmio_write(dev, 0x4080 + 0x100 * k, 4, STATUS + 0x1000 * k);
      for (unsigned k = 0; k < ENGINE_COUNT; k++)
         if (k != e)
            interrupt_gt_level(dev, k, 1u << error[k], true);
      pergola_mmio_write(dev, block[e] + 0xa8, 4, ~(1u << sync[e]));
      pergola_mmio_write(dev, block[e] + 0x98, 4, ~(1u << sync[e]));
      interrupt_gt(dev, e, 1u << sync[e]);
      interrupt_gt_level(dev, e, 1u << error[e], true); /* masked: no write of its own */
      for (unsigned k = 0; k < ENGINE_COUNT; k++)
         assert_int_equal(ram[1024 * k], k == e ? 1u << sync[e] : 0xeeeeeeee);
      interrupt_gt(dev, e, 1u << sync[e]); /* the next write has the error as well */
      assert_int_equal(ram[1024 * e], 1u << error[e]);
      pergola_machine_destroy(&m);
   }
}

/* SYS-445: PM events pass their source mask and the bank. */
static void
power_events_pass_their_masks(void **state)
{
   proves("SYS-445");
   (void)state;
   struct pergola_device *dev = listening(NULL);
   pergola_mmio_write(dev, 0x44024, 4, 0);
   interrupt_pm(dev, 1u << 5);
   assert_int_equal(pergola_mmio_read(dev, 0x44028, 4), 0);
   pergola_mmio_write(dev, 0xa168, 4, ~(1u << 5));
   interrupt_pm(dev, 1u << 5);
   assert_int_equal(pergola_mmio_read(dev, 0x44028, 4), 1u << 5);
   pergola_mmio_write(dev, 0x4402c, 4, 1u << 5);
   pergola_mmio_write(dev, 0x4400c, 4, 1u << 31);
   assert_true(line);
   pergola_device_destroy(dev);
}

/* SYS-446: any error bit holds bit 30 of the display bank. */
static void
display_errors_hold_their_bit(void **state)
{
   proves("SYS-446");
   (void)state;
   struct pergola_device *dev = listening(NULL);
   pergola_mmio_write(dev, 0x44004, 4, 0);
   reg_set(dev, 0x44040, 1u << 13);
   interrupt_update(dev);
   assert_int_equal(pergola_mmio_read(dev, 0x44008, 4), 1u << 30);
   assert_int_equal(pergola_mmio_read(dev, 0x44000, 4), 1u << 30);
   pergola_mmio_write(dev, 0x44040, 4, 1u << 13);
   assert_int_equal(pergola_mmio_read(dev, 0x44000, 4), 0);
   assert_int_equal(pergola_mmio_read(dev, 0x44040, 4), 0);
   pergola_mmio_write(dev, 0x44008, 4, 1u << 30);
   assert_int_equal(pergola_mmio_read(dev, 0x44008, 4), 0);
   pergola_device_destroy(dev);
}

/* An access where no register is, is one of these errors. */
static void
unclaimed_access_is_an_error(void **state)
{
   proves("SYS-446", "MEM-003", "MEM-012");
   (void)state;
   struct pergola_device *dev = listening(NULL);
   pergola_mmio_write(dev, 0x44004, 4, 0);
   pergola_mmio_write(dev, 0x4400c, 4, 1u << 31 | 1u << 30);
   pergola_mmio_read(dev, 0x2358, 4);
   assert_int_equal(pergola_mmio_read(dev, 0x44040, 4), 0);
   for (unsigned write = 0; write < 2; write++) {
      if (write)
         pergola_mmio_write(dev, 0x3fff0, 4, 1);
      else
         pergola_mmio_read(dev, 0x3fff0, 4);
      assert_int_equal(pergola_mmio_read(dev, 0x44040, 4), 1u << 13);
      assert_true(line);
      pergola_mmio_write(dev, 0x44040, 4, 1u << 13);
      pergola_mmio_write(dev, 0x44008, 4, 1u << 30);
      assert_false(line);
   }
   regs_read(dev, 0x3fff0, "RCS");     /* a streamer's is not the host's */
   pergola_mmio_read(dev, 0x7fff0, 4); /* the display's, which is outside */
   pergola_mmio_read(dev, 0xffff0, 4);
   assert_int_equal(pergola_mmio_read(dev, 0x44040, 4), 0);
   pergola_device_destroy(dev);
}

/* Valleyview counts them. EMR holds EIR back, not the count. */
static void
claim_errors_are_counted(void **state)
{
   proves("SYS-455", "SYS-476");
   (void)state;
   struct pergola_device *dev = listening("vlv");
   pergola_mmio_read(dev, 0x2358, 4);
   assert_int_equal(pergola_mmio_read(dev, 0x182028, 4), 0);
   pergola_mmio_read(dev, 0x3fff0, 4);
   pergola_mmio_write(dev, 0x3fff0, 4, 1);
   assert_int_equal(pergola_mmio_read(dev, 0x182028, 4), 2);
   assert_int_equal(pergola_mmio_read(dev, 0x1820b0, 4), 0); /* masked */
   pergola_mmio_write(dev, 0x1820b4, 4, 0x70);
   pergola_mmio_read(dev, 0x3fff0, 4);
   assert_int_equal(pergola_mmio_read(dev, 0x182028, 4), 3);
   assert_int_equal(pergola_mmio_read(dev, 0x1820b0, 4), 1);
   assert_int_equal(pergola_mmio_read(dev, 0x1820a4, 4) >> 15 & 1, 1);
   pergola_mmio_write(dev, 0x182028, 4, 0x7fffffff);
   assert_int_equal(pergola_mmio_read(dev, 0x182028, 4), 3);
   for (unsigned i = 3; i < 0xffff; i++)
      pergola_mmio_read(dev, 0x3fff0, 4);
   assert_int_equal(pergola_mmio_read(dev, 0x182028, 4), 0xffff);
   pergola_mmio_read(dev, 0x3fff0, 4);
   assert_int_equal(pergola_mmio_read(dev, 0x182028, 4), 0x1ffff);
   pergola_mmio_write(dev, 0x182028, 4, 1u << 31);
   assert_int_equal(pergola_mmio_read(dev, 0x182028, 4), 0);
   regs_read(dev, 0x3fff0, "RCS");      /* a streamer's is not the host's */
   pergola_mmio_read(dev, 0x1ffff0, 4); /* the display's, which is outside */
   assert_int_equal(pergola_mmio_read(dev, 0x182028, 4), 0);
   pergola_device_destroy(dev);
}

/* SYS-454, SYS-456, SYS-455: Valleyview's own set does not pass the master. */
static void
valleyview_display_set_bypasses_the_master(void **state)
{
   proves("SYS-454", "SYS-456", "SYS-455");
   (void)state;
   struct pergola_device *dev = listening("vlv");
   pergola_mmio_write(dev, 0x1820a8, 4, ~1u);
   pergola_mmio_write(dev, 0x1820a0, 4, 1);
   interrupt_display(dev, 1u << 0);
   assert_true(line);
   assert_int_equal(pergola_mmio_read(dev, 0x1820a4, 4), 1);
   assert_int_equal(pergola_mmio_read(dev, 0x182084, 4), 1);
   pergola_mmio_write(dev, 0x1820a4, 4, 1);
   assert_false(line);
   assert_int_equal(pergola_mmio_read(dev, 0x182084, 4), 0);
   pergola_mmio_write(dev, 0x20a8, 4, ~1u);
   pergola_mmio_write(dev, 0x44014, 4, ~1u);
   pergola_mmio_write(dev, 0x4401c, 4, 1);
   interrupt_gt(dev, RCS, 1u << 0);
   assert_false(line);
   pergola_mmio_write(dev, 0x4400c, 4, 1u << 31);
   assert_true(line);
   pergola_mmio_write(dev, 0x4400c, 4, 0);
   reg_set(dev, 0x1820b0, 0x41);
   interrupt_update(dev);
   assert_int_equal(pergola_mmio_read(dev, 0x1820a4, 4), 1u << 15);
   pergola_mmio_write(dev, 0x1820b0, 4, 0x41);
   assert_int_equal(pergola_mmio_read(dev, 0x1820b0, 4), 0);
   pergola_device_destroy(dev);
}

/* SYS-432, SYS-433, MEM-049: one message per rising level, when bus mastering and messages are on.
 */
static void
message_is_written_on_a_rising_level(void **state)
{
   proves("SYS-432", "SYS-433", "MEM-049");
   (void)state;
   struct pergola_machine m = listening_machine(0xfee00000, 4096, 0);
   struct pergola_device *dev = m.dev;
   const uint32_t *ram = (const uint32_t *)(const void *)m.memory;
   memset(m.memory, 0xee, 4096);
   pergola_pci_write(dev, 0x94, 4, 0xfee0000f);
   assert_int_equal(pergola_pci_read(dev, 0x94, 4), 0xfee0000c);
   pergola_pci_write(dev, 0x98, 2, 0x4123);
   pergola_mmio_write(dev, 0x20a8, 4, ~1u);
   pergola_mmio_write(dev, 0x44014, 4, ~1u);
   pergola_mmio_write(dev, 0x4401c, 4, 1);
   pergola_mmio_write(dev, 0x4400c, 4, 1u << 31);
   interrupt_gt(dev, RCS, 1u << 0);
   assert_int_equal(pergola_pci_read(dev, 0x06, 2) & 8, 8); /* whatever the enables say */
   assert_int_equal(ram[3], 0xeeeeeeee);
   pergola_pci_write(dev, 0x92, 2, 1);
   assert_int_equal(ram[3], 0xeeeeeeee);
   pergola_pci_write(dev, 0x04, 2, 4); /* now all three are set */
   assert_int_equal(ram[3], 0x4123);   /* all of the dword, and nothing beside it */
   assert_int_equal(ram[2], 0xeeeeeeee);
   assert_int_equal(ram[4], 0xeeeeeeee);
   memset(m.memory, 0, 4096);
   pergola_mmio_write(dev, 0x4401c, 4, 0);
   assert_int_equal(pergola_pci_read(dev, 0x06, 2) & 8, 0);
   assert_int_equal(ram[3], 0);
   pergola_mmio_write(dev, 0x4401c, 4, 1);
   assert_int_equal(ram[3], 0x4123);
   pergola_machine_destroy(&m);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(identity_holds_two_events),
       cmocka_unit_test(engine_masks_gate_their_own_bits),
       cmocka_unit_test(service_order_of_the_driver),
       cmocka_unit_test(status_page_gets_the_status_on_change),
       cmocka_unit_test(status_pages_of_the_engines),
       cmocka_unit_test(power_events_pass_their_masks),
       cmocka_unit_test(display_errors_hold_their_bit),
       cmocka_unit_test(unclaimed_access_is_an_error),
       cmocka_unit_test(claim_errors_are_counted),
       cmocka_unit_test(valleyview_display_set_bypasses_the_master),
       cmocka_unit_test(message_is_written_on_a_rising_level),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
