/* Configuration space of the part: every register's reset value, what a write of ones leaves, and
 * the side effects. */
#include "gen11_test.h"
#include "tests/pci_widths.h"
#include "tests/proves.h"

struct config_case {
   uint16_t offset;
   uint8_t size;
   uint32_t reset, ones;
};

static void
check(const struct config_case *c, size_t count)
{
   for (size_t i = 0; i < count; i++) {
      struct pergola_device *dev =
          pergola_device_create(&(struct pergola_config){.sku = "icl"}, NULL);
      uint32_t reset = pergola_pci_read(dev, c[i].offset, c[i].size);
      if (reset != c[i].reset)
         fail_msg("%03x holds 0x%x", c[i].offset, reset);
      pergola_pci_write(dev, c[i].offset, c[i].size, 0xffffffff);
      uint32_t ones = pergola_pci_read(dev, c[i].offset, c[i].size);
      if (ones != c[i].ones)
         fail_msg("%03x holds 0x%x after ones", c[i].offset, ones);
      pergola_pci_write(dev, c[i].offset, c[i].size, 0);
      if (reset == ones && pergola_pci_read(dev, c[i].offset, c[i].size) != reset)
         fail_msg("%03x is not read only", c[i].offset);
      pergola_device_destroy(dev);
   }
}
#define CHECK(...)                                                                                 \
   do {                                                                                            \
      static const struct config_case cases[] = {__VA_ARGS__};                                     \
      check(cases, sizeof(cases) / sizeof(cases[0]));                                              \
   } while (0)

static void
identity(void **state)
{
   proves("SYS-080", "SYS-081", "SYS-082", "SYS-083", "SYS-084", "SYS-085", "SYS-086", "SYS-087",
          "SYS-088", "SYS-160");
   (void)state;
   CHECK({0x00, 2, 0x8086, 0x8086}, {0x02, 2, 0x8a52, 0x8a52}, {0x04, 2, 0, 0x0407},
         {0x06, 2, 0x0010, 0x0010}, {0x08, 1, 0x07, 0x07}, {0x09, 1, 0, 0},
         {0x0a, 2, 0x0380, 0x0380}, {0x0c, 1, 0, 0xff}, {0x0d, 1, 0, 0}, {0x0e, 1, 0, 0},
         {0x0f, 1, 0, 0}, {0x28, 4, 0, 0}, {0x38, 4, 0, 0}, {0x80, 4, 0, 0}, {0x400, 4, 0, 0},
         {0xffc, 4, 0, 0});
   struct pergola_device *dev = new_icl();
   assert_int_equal(pergola_pci_size(dev), 0x1000); /* one function of 4 KiB, 000h to FFFh */
   assert_int_equal(pergola_pci_read(dev, 0x1000, 4), 0);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_WARNING), 1);
   pergola_device_destroy(dev);
}

/* All of the registers, and no extended capability more. */
static void
widths(void **state)
{
   proves("SYS-080", "SYS-135", "SYS-136", "SYS-137", "SYS-138", "SYS-139", "SYS-140");
   (void)state;
   static const struct register_width all[] = {
       {0x0, 2},   {0x2, 2},   {0x4, 2},   {0x6, 2},   {0x8, 1},   {0x9, 3},   {0xc, 1},
       {0xd, 1},   {0xe, 1},   {0xf, 1},   {0x10, 4},  {0x14, 4},  {0x18, 4},  {0x1c, 4},
       {0x20, 4},  {0x2c, 2},  {0x2e, 2},  {0x30, 4},  {0x34, 1},  {0x3c, 1},  {0x3d, 1},
       {0x3e, 1},  {0x3f, 1},  {0x40, 2},  {0x42, 2},  {0x44, 4},  {0x48, 4},  {0x50, 2},
       {0x54, 4},  {0x58, 4},  {0x60, 4},  {0x70, 2},  {0x72, 2},  {0x74, 4},  {0x78, 2},
       {0x7a, 2},  {0xac, 2},  {0xae, 2},  {0xb0, 4},  {0xb4, 2},  {0xb8, 4},  {0xbc, 4},
       {0xc0, 4},  {0xc4, 4},  {0xc8, 4},  {0xcc, 4},  {0xd0, 2},  {0xd2, 2},  {0xd4, 2},
       {0xe0, 2},  {0xe4, 4},  {0xe8, 2},  {0xfc, 4},  {0x100, 4}, {0x104, 2}, {0x106, 2},
       {0x200, 4}, {0x204, 2}, {0x206, 2}, {0x300, 4}, {0x304, 2}, {0x306, 2}, {0x308, 4},
       {0x30c, 4}};
   struct pergola_device *dev = new_icl();
   check_widths(dev, all, sizeof(all) / sizeof(all[0]));
   pergola_device_destroy(dev);
}

static void
bars_and_pins(void **state)
{
   proves("SYS-089", "SYS-090", "SYS-091", "SYS-094", "SYS-095", "SYS-096", "SYS-097", "SYS-098",
          "SYS-099", "SYS-107");
   (void)state;
   CHECK({0x10, 4, 4, 0xff000004}, {0x14, 4, 0, 0xffffffff}, {0x18, 4, 0xc, 0xf000000c},
         {0x1c, 4, 0, 0xffffffff}, {0x20, 4, 1, 0xffc1}, {0x30, 4, 0, 0}, {0x34, 1, 0x40, 0x40},
         {0x3c, 1, 0, 0xff}, {0x3d, 1, 1, 1}, {0x3e, 1, 0, 0}, {0x3f, 1, 0, 0},
         {0x60, 4, 0x10000, 0xff0000});
   static const struct {
      uint8_t code;
      uint32_t mib;
   } sizes[] = {{0, 128},  {1, 256},   {2, 512},   {3, 512},   {5, 1024},  {7, 1024},
                {8, 2048}, {15, 2048}, {16, 4096}, {31, 4096}, {0xe1, 256}};
   struct pergola_device *dev = new_icl();
   for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
      pergola_pci_write(dev, 0x62, 1, sizes[i].code);
      assert_int_equal(pergola_bar_size(dev, 2) >> 20, sizes[i].mib);
      pergola_pci_write(dev, 0x18, 4, ~0u);
      assert_int_equal(pergola_pci_read(dev, 0x18, 4),
                       (uint32_t) ~(((uint64_t)sizes[i].mib << 20) - 1) | 0xc);
   }
   assert_int_equal(pergola_bar_size(dev, 0), 16 << 20);
   /* Registers below 2 MiB, then nothing, then 8-byte entries from 8 MiB on. */
   pergola_mmio_write(dev, 0x800008, 8, 0x123456789001);
   assert_int_equal(pergola_mmio_read(dev, 0x800008, 8), 0x123456789001);
   assert_int_equal(pergola_mmio_read(dev, 0xfffff8, 8), 0);
   pergola_mmio_write(dev, 0x300000, 4, 7);
   assert_int_equal(rd(dev, 0x300000), 0);
   /* The I/O window: index, then data. */
   pergola_pci_write(dev, 4, 2, 7);
   pergola_io_write(dev, 0, 4, 0x800008);
   assert_int_equal(pergola_io_read(dev, 4, 4), 0x56789001);
   pergola_pci_write(dev, 4, 2, 6);
   assert_int_equal(pergola_io_read(dev, 4, 4), 0xffffffff);
   pergola_device_destroy(dev);
}

static void
host_bridge_mirrors(void **state)
{
   proves("SYS-100", "SYS-101", "SYS-102", "SYS-103", "SYS-104", "SYS-105", "SYS-106", "SYS-119",
          "SYS-120", "SYS-121");
   (void)state;
   CHECK({0x40, 2, 0x7009, 0x7009}, {0x42, 2, 0x010c, 0x010c}, {0x44, 4, 0, 0}, {0x48, 4, 0, 0},
         {0x50, 2, 0x02c3, 0x02c3}, {0x54, 4, 0x11, 0x11}, {0x58, 4, 0, 1}, {0xc0, 4, 0, 0},
         {0xc4, 4, 0, 0}, {0xc8, 4, 0, 0}, {0xcc, 4, 0, 0});
   struct pergola_device *dev = new_icl();
   assert_int_equal(rd(dev, 0x108040), 0x02c3);
   assert_int_equal(pergola_mmio_read(dev, 0x1080c0, 8), 0);
   pergola_pci_write(dev, 0x20, 4, 0x1000);
   pergola_pci_write(dev, 4, 2, 7);
   assert_int_equal(pergola_io_read(dev, 0, 4), 0);
   pergola_pci_write(dev, 0x58, 4, 1); /* the I/O BAR disappears, and what it decodes */
   assert_int_equal(pergola_pci_read(dev, 0x20, 4), 0);
   assert_int_equal(pergola_pci_read(dev, 0x1f, 4) >> 8, 0);
   assert_int_equal(pergola_io_read(dev, 0, 4), 0xffffffff);
   pergola_pci_write(dev, 0x58, 4, 0);
   assert_int_equal(pergola_pci_read(dev, 0x20, 4), 0x1001);
   pergola_device_destroy(dev);
}

static void
subsystem_takes_one_write(void **state)
{
   proves("SYS-092", "SYS-093");
   (void)state;
   struct pergola_device *dev = new_icl();
   for (unsigned at = 0x2c; at <= 0x2e; at += 2) {
      assert_int_equal(pergola_pci_read(dev, at, 2), 0);
      pergola_pci_write(dev, at, 2, 0x1234);
      pergola_pci_write(dev, at, 2, 0x4321);
      assert_int_equal(pergola_pci_read(dev, at, 2), 0x1234);
   }
   pergola_device_destroy(dev);
}

static void
express(void **state)
{
   proves("SYS-108", "SYS-109", "SYS-110", "SYS-111", "SYS-112");
   (void)state;
   CHECK({0x70, 2, 0xac10, 0xac10}, {0x72, 2, 0x0092, 0x0092}, {0x74, 4, 0x10008000, 0x10008000},
         {0x7a, 2, 0, 0});
   struct pergola_device *dev = new_icl();
   pergola_pci_write(dev, 0x78, 2, 0x7fff);
   assert_int_equal(pergola_pci_read(dev, 0x78, 2), 0x7fff);
   /* Function level reset: registers, BARs and the command register are new, and the bit reads 0.
    */
   wr(dev, 0x190030, 0xffffffff);
   pergola_pci_write(dev, 0x10, 4, 0xc0000000);
   pergola_pci_write(dev, 0x78, 2, 0x8000);
   assert_int_equal(pergola_pci_read(dev, 0x78, 2), 0);
   assert_int_equal(pergola_pci_read(dev, 0x10, 4), 4);
   assert_int_equal(pergola_pci_read(dev, 0x04, 2), 0);
   pergola_pci_write(dev, 4, 2, 2);
   assert_int_equal(rd(dev, 0x190030), 0);
   pergola_device_destroy(dev);
}

/* A source that is always there: the Graphics System Event. */
static void
raise_event(struct pergola_device *dev)
{
   wr(dev, 0x444f8, ~0u);
   pergola_pci_write(dev, 0xe4, 4, 1);
}

static void
messages(void **state)
{
   proves("SYS-113", "SYS-114", "SYS-115", "SYS-116", "SYS-117", "SYS-118", "SYS-035");
   (void)state;
   CHECK({0xac, 2, 0xd005, 0xd005}, {0xae, 2, 0x0100, 0x0171}, {0xb0, 4, 0, 0xfffffffc},
         {0xb4, 2, 0, 0xffff}, {0xb6, 2, 0, 0}, {0xb8, 4, 0, 1}, {0xbc, 4, 0, 0});
   struct pergola_device *dev = new_icl();
   uint32_t *page = aligned_alloc(4096, 4096);
   memset(page, 0, 4096);
   assert_int_equal(pergola_memory_add(dev, 0x100000, page, 4096, 0), 0);
   pergola_pci_write(dev, 0xb0, 4, 0x100010);
   pergola_pci_write(dev, 0xb4, 2, 0xbeef);
   pergola_pci_write(dev, 0xae, 2, 1);
   wr(dev, 0x444f4, 0); /* GU misc: unmasked, enabled */
   wr(dev, 0x444fc, ~0u);
   wr(dev, 0x190010, 0x80000000);
   raise_event(dev);
   assert_int_equal(page[4], 0xbeef); /* the upper half is 0 */
   page[4] = 0;
   pergola_pci_write(dev, 0xe4, 4, 1); /* the level is high already */
   assert_int_equal(page[4], 0);
   wr(dev, 0x190010, 0); /* re-armed by the enable, … */
   wr(dev, 0x190010, 0x80000000);
   assert_int_equal(page[4], 0xbeef);
   page[4] = 0;
   pergola_pci_write(dev, 0xb8, 4, 1); /* masked: it waits */
   raise_event(dev);                   /* … or by clearing the source */
   assert_int_equal(page[4], 0);
   assert_int_equal(pergola_pci_read(dev, 0xbc, 4), 1);
   pergola_pci_write(dev, 0xbc, 4, 0);
   assert_int_equal(pergola_pci_read(dev, 0xbc, 4), 1);
   pergola_pci_write(dev, 0xb8, 4, 0);
   assert_int_equal(page[4], 0xbeef);
   assert_int_equal(pergola_pci_read(dev, 0xbc, 4), 0);
   page[4] = 0;
   pergola_pci_write(dev, 4, 2, 2); /* no bus mastering, no message */
   raise_event(dev);
   assert_int_equal(page[4], 0);
   assert_int_equal(pergola_pci_read(dev, 6, 2), 0x18); /* the status is live */
   pergola_device_destroy(dev);
   free(page);
}

static void
power_and_software_events(void **state)
{
   proves("SYS-122", "SYS-123", "SYS-124", "SYS-125", "SYS-126", "SYS-127", "SYS-128", "SYS-079",
          "SYS-078");
   (void)state;
   CHECK({0xd0, 2, 1, 1}, {0xd2, 2, 0x22, 0x22}, {0xd4, 2, 0, 3}, {0xe0, 2, 0, 0xffff},
         {0xe4, 4, 0, ~0u}, {0xfc, 4, 0, ~0u});
   struct pergola_device *dev = new_icl();
   wr(dev, 0x190030, 5);
   pergola_pci_write(dev, 0xd4, 2, 3);
   pergola_pci_write(dev, 0xd4, 2, 1); /* D1 and D2 do not exist */
   pergola_pci_write(dev, 0xd4, 2, 2);
   assert_int_equal(pergola_pci_read(dev, 0xd4, 2), 3);
   assert_int_equal(pergola_mmio_read(dev, 0x190030, 4), 0xffffffff); /* nobody decodes it */
   assert_int_equal(pergola_mmio_read(dev, 0x140000, 2), 0xffff);
   wr(dev, 0x190030, 6);
   pergola_pci_write(dev, 0xd4, 2, 0);
   assert_int_equal(rd(dev, 0x190030), 5); /* the write was dropped, the value has stayed */
   pergola_pci_write(dev, 4, 2, 0);
   assert_int_equal(pergola_mmio_read(dev, 0x190030, 8), ~UINT64_C(0));
   pergola_pci_write(dev, 4, 2, 6);
   /* SWSCI: the select bit takes one write, the others go on. */
   pergola_pci_write(dev, 0xe8, 2, 0x8000);
   pergola_pci_write(dev, 0xe8, 2, 0x7ffe);
   assert_int_equal(pergola_pci_read(dev, 0xe8, 2), 0xfffe);
   /* GSE: any byte, one event. */
   wr(dev, 0x444f4, 0);
   for (unsigned byte = 0; byte < 4; byte++) {
      assert_int_equal(rd(dev, 0x444f8), 0);
      pergola_pci_write(dev, 0xe4 + byte, 1, 0x11);
      assert_int_equal(rd(dev, 0x444f8), 1u << 27);
      wr(dev, 0x444f8, 1u << 27);
   }
   assert_int_equal(pergola_pci_read(dev, 0xe4, 4), 0x11111111);
   pergola_device_destroy(dev);
}

static void
extended_capabilities(void **state)
{
   proves("SYS-129", "SYS-130", "SYS-131", "SYS-132", "SYS-133", "SYS-134", "SYS-135", "SYS-136",
          "SYS-137", "SYS-138");
   (void)state;
   CHECK({0x100, 4, 0x2001001b, 0x2001001b}, {0x104, 2, 0x1400, 0x1400}, {0x106, 2, 0, 7},
         {0x200, 4, 0x3001000f, 0x3001000f}, {0x204, 2, 0, 0}, {0x206, 2, 0, 0x801f},
         {0x300, 4, 0x00010013, 0x00010013}, {0x304, 2, 0, 1}, {0x306, 2, 0x100, 0x100},
         {0x308, 4, 0, 0});
}

static void
page_requests_and_chain(void **state)
{
   proves("SYS-139", "SYS-159", "SYS-161");
   (void)state;
   CHECK({0x30c, 4, 0, ~0u});
   struct pergola_device *dev = new_icl();
   static const uint8_t order[] = {0x40, 0x70, 0xac, 0xd0, 0};
   uint32_t at = pergola_pci_read(dev, 0x34, 1);
   for (unsigned i = 0; i < sizeof(order); i++) {
      assert_int_equal(at, order[i]);
      at = at ? pergola_pci_read(dev, at + 1, 1) : 0;
   }
   static const uint16_t extended[] = {0x100, 0x200, 0x300, 0};
   at = 0x100;
   for (unsigned i = 0; i < 4; i++) {
      assert_int_equal(at, extended[i]);
      at = at ? pergola_pci_read(dev, at, 4) >> 20 : 0;
   }
   /* Every register has a row, lies inside, and none overlaps another. */
   bool taken[0x1000] = {false};
   struct pergola_pci_register r;
   size_t count = 0;
   for (; pergola_pci_register_at(dev, count, &r); count++) {
      assert_memory_equal(r.rule, "SYS-", 4);
      for (unsigned b = 0; b < r.size; b++) {
         assert_false(taken[r.offset + b]);
         taken[r.offset + b] = true;
      }
   }
   assert_in_range(count, 60, 100);
   /* What no register has reads 0 and takes nothing. */
   for (unsigned b = 0; b < 0x1000; b++) {
      if (taken[b])
         continue;
      pergola_pci_write(dev, b, 1, 0xff);
      assert_int_equal(pergola_pci_read(dev, b, 1), 0);
   }
   pergola_device_destroy(dev);
}

/* Not modelled: the rows' own choice is that all of it reads 0. */
static void
no_virtual_functions(void **state)
{
   (void)state;
   struct pergola_device *dev = new_icl();
   for (unsigned at = 0x320; at < 0x360; at += 2) {
      pergola_pci_write(dev, at, 2, 0xffff);
      assert_int_equal(pergola_pci_read(dev, at, 2), 0);
   }
   assert_int_equal(pergola_pci_read(dev, 0x300, 4) >> 20, 0); /* nor is it linked */
   pergola_device_destroy(dev);
}
static void
no_virtual_functions_control(void **state)
{
   proves("SYS-140", "SYS-141", "SYS-142", "SYS-143", "SYS-144", "SYS-145", "SYS-146", "SYS-147",
          "SYS-148", "SYS-149");
   no_virtual_functions(state);
}
static void
no_virtual_functions_bars(void **state)
{
   proves("SYS-150", "SYS-151", "SYS-152", "SYS-153", "SYS-154", "SYS-155", "SYS-156", "SYS-157",
          "SYS-158");
   no_virtual_functions(state);
}

const struct CMUnitTest pci_tests[] = {
    cmocka_unit_test(identity),
    cmocka_unit_test(widths),
    cmocka_unit_test(bars_and_pins),
    cmocka_unit_test(host_bridge_mirrors),
    cmocka_unit_test(subsystem_takes_one_write),
    cmocka_unit_test(express),
    cmocka_unit_test(messages),
    cmocka_unit_test(power_and_software_events),
    cmocka_unit_test(extended_capabilities),
    cmocka_unit_test(page_requests_and_chain),
    cmocka_unit_test(no_virtual_functions_control),
    cmocka_unit_test(no_virtual_functions_bars),
};
const size_t pci_test_count = sizeof(pci_tests) / sizeof(pci_tests[0]);
