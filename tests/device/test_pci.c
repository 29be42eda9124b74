/* PCI configuration space, the aperture and its fences. */
#include "register_table.h"
#include "tests/pci_widths.h"
#include "tests/proves.h"

static void
identity_of_the_function(void **state)
{
   proves("MEM-002", "SYS-424");
   (void)state;
   static const struct {
      const char *sku;
      uint16_t id;
   } parts[] = {{"ivb-gt1", 0x0152}, {"ivb-gt2", 0x0166}, {"vlv", 0x0f31}};
   for (unsigned i = 0; i < 3; i++) {
      struct pergola_device *dev = new_device(parts[i].sku);
      assert_int_equal(pergola_pci_read(dev, 0, 4), 0x8086 | (uint32_t)parts[i].id << 16);
      assert_int_equal(pergola_pci_read(dev, 0x08, 1), 9);
      assert_int_equal(pergola_pci_read(dev, 0x0b, 1), 0x03);
      assert_int_equal(pergola_pci_read(dev, 0x0a, 1), 0x80); /* no VGA: GGC.IVD = 1 */
      assert_int_equal(pergola_pci_read(dev, 0x09, 1), 0);
      assert_int_equal(pergola_pci_read(dev, 0x0c, 4), 0);
      pergola_pci_write(dev, 0, 4, 0xffffffff);
      assert_int_equal(pergola_pci_read(dev, 0, 2), 0x8086);
      pergola_device_destroy(dev);
   }
}

struct config_case {
   const char *id;
   uint16_t offset;
   uint8_t size;
   uint32_t reset, ones; /* after creation; after a write of all ones */
};

static void
check_config(const struct config_case *c, size_t count, const char *sku)
{
   for (size_t i = 0; i < count; i++) {
      struct pergola_device *dev = new_device(sku);
      assert_non_null(ledger_find(c[i].id));
      uint32_t reset = pergola_pci_read(dev, c[i].offset, c[i].size);
      if (reset != c[i].reset)
         fail_msg("%s: 0x%02x holds 0x%x", c[i].id, c[i].offset, reset);
      pergola_pci_write(dev, c[i].offset, c[i].size, 0xffffffff);
      uint32_t ones = pergola_pci_read(dev, c[i].offset, c[i].size);
      if (ones != c[i].ones)
         fail_msg("%s: 0x%02x holds 0x%x after a write of ones", c[i].id, c[i].offset, ones);
      pergola_pci_write(dev, c[i].offset, c[i].size, 0);
      if (reset == ones && pergola_pci_read(dev, c[i].offset, c[i].size) != reset)
         fail_msg("%03x is not read only", c[i].offset);
      pergola_device_destroy(dev);
   }
}

static void
configuration_header(void **state)
{
   proves("SYS-425", "SYS-426", "SYS-428", "SYS-429", "SYS-430", "MEM-016");
   (void)state;
   static const struct config_case ivb[] = {
       {"SYS-425", 0x04, 2, 0, 0x407},
       {"SYS-425", 0x06, 2, 0x90, 0x90},
       {"SYS-426", 0x10, 4, 4, 0xffc00004},
       {"SYS-426", 0x14, 4, 0, 0xffffffff},
       {"SYS-428", 0x18, 4, 0xc, 0xf000000c}, /* 256 MB */
       {"SYS-429", 0x20, 4, 1, 0xffc1},
       {"SYS-430", 0x30, 4, 0, 0},
       {"SYS-430", 0x3c, 1, 0, 0xff},
       {"SYS-430", 0x3d, 1, 1, 1},
       {"SYS-430", 0x3e, 2, 0, 0},
       {"MEM-016", 0x10, 4, 4, 0xffc00004},
   };
   check_config(ivb, sizeof(ivb) / sizeof(ivb[0]), "ivb-gt2");
}

static void
configuration_capabilities(void **state)
{
   proves("SYS-431", "SYS-432", "SYS-434", "SYS-435");
   (void)state;
   static const struct config_case ivb[] = {
       {"SYS-431", 0x34, 1, 0x90, 0x90},
       {"SYS-431", 0x90, 2, 0xd005, 0xd005},
       {"SYS-431", 0xd0, 2, 0xa401, 0xa401},
       {"SYS-431", 0xa4, 2, 0x0013, 0x0013},
       {"SYS-431", 0x40, 4, 0x010c0009, 0x010c0009},
       {"SYS-432", 0x92, 2, 0, 0x71},
       {"SYS-432", 0x94, 4, 0, 0xfffffffc},
       {"SYS-432", 0x98, 2, 0, 0xffff},
       {"SYS-434", 0xd2, 2, 0x22, 0x22},
       {"SYS-434", 0xd4, 2, 0, 3},
       {"SYS-435", 0xa6, 2, 0x0306, 0x0306},
       {"SYS-435", 0xa8, 1, 0, 0}, /* the reset it starts is over */
       {"SYS-435", 0xa9, 1, 0, 0},
   };
   check_config(ivb, sizeof(ivb) / sizeof(ivb[0]), "ivb-gt2");
}

static void
configuration_of_the_chip(void **state)
{
   proves("SYS-428", "SYS-436", "SYS-438", "MEM-018", "MEM-017");
   (void)state;
   static const struct config_case ivb[] = {
       {"SYS-428", 0x62, 1, 2, 0xf6},       {"SYS-436", 0x50, 2, 0x213, 0x213},
       {"SYS-436", 0x54, 4, 0x10, 0x10},    {"SYS-436", 0x5c, 4, 0, 0},
       {"SYS-436", 0x60, 2, 0, 0xffff},     {"SYS-438", 0xe0, 2, 0, 0xffff},
       {"SYS-438", 0xe4, 4, 0, 0xffffffff}, {"SYS-438", 0xe8, 2, 0, 0x8001},
       {"SYS-438", 0xfc, 4, 0, 0xffffffff}, {"MEM-018", 0xfc, 4, 0, 0xffffffff},
       {"MEM-017", 0x50, 2, 0x213, 0x213},
   };
   check_config(ivb, sizeof(ivb) / sizeof(ivb[0]), "ivb-gt2");
}

static void
configuration_of_valleyview(void **state)
{
   proves("SYS-425", "SYS-426", "SYS-428", "SYS-429", "SYS-431", "SYS-437");
   (void)state;
   static const struct config_case vlv[] = {
       {"SYS-425", 0x06, 2, 0x10, 0x10},     {"SYS-426", 0x10, 4, 0, 0xffc00000},
       {"SYS-426", 0x14, 4, 0, 0},           {"SYS-428", 0x18, 4, 8, 0xf0000008},
       {"SYS-428", 0x1c, 4, 0, 0},           {"SYS-429", 0x20, 4, 1, 0xfff9},
       {"SYS-431", 0x34, 1, 0xd0, 0xd0},     {"SYS-431", 0xd0, 2, 0x9001, 0x9001},
       {"SYS-431", 0x90, 2, 0xb005, 0xb005}, {"SYS-431", 0xb0, 4, 0x01070009, 0x01070009},
       {"SYS-437", 0x50, 2, 0x213, 0x213}, /* locked */
       {"SYS-437", 0x5c, 4, 0, 0xfff00001},  {"SYS-437", 0x70, 4, 0, 0xfff00001},
       {"SYS-437", 0xc4, 4, 0, 1},
   };
   check_config(vlv, sizeof(vlv) / sizeof(vlv[0]), "vlv");
}

static const struct register_width ivb_widths[] = {
    {0x0, 2},  {0x2, 2},  {0x4, 2},  {0x6, 2},  {0x8, 1},  {0x9, 3},  {0xc, 1},
    {0xd, 1},  {0xe, 1},  {0x10, 4}, {0x14, 4}, {0x18, 4}, {0x1c, 4}, {0x20, 4},
    {0x2c, 2}, {0x2e, 2}, {0x30, 4}, {0x34, 1}, {0x3c, 1}, {0x3d, 1}, {0x40, 4},
    {0x50, 2}, {0x54, 4}, {0x5c, 4}, {0x60, 2}, {0x62, 1}, {0x90, 2}, {0x92, 2},
    {0x94, 4}, {0x98, 2}, {0xa4, 2}, {0xa6, 2}, {0xa8, 1}, {0xa9, 1}, {0xd0, 2},
    {0xd2, 2}, {0xd4, 2}, {0xe0, 2}, {0xe4, 4}, {0xe8, 2}, {0xfc, 4}};
static const struct register_width vlv_widths[] = {
    {0x0, 2},  {0x2, 2},  {0x4, 2},  {0x6, 2},  {0x8, 1},  {0x9, 3},  {0xc, 1},
    {0xd, 1},  {0xe, 1},  {0x10, 4}, {0x18, 4}, {0x20, 4}, {0x2c, 2}, {0x2e, 2},
    {0x30, 4}, {0x34, 1}, {0x3c, 1}, {0x3d, 1}, {0x50, 2}, {0x5c, 4}, {0x62, 1},
    {0x70, 4}, {0x90, 2}, {0x92, 2}, {0x94, 4}, {0x98, 2}, {0xb0, 4}, {0xc4, 4},
    {0xd0, 2}, {0xd2, 2}, {0xd4, 2}, {0xe0, 2}, {0xe4, 4}, {0xfc, 4}};

static void
widths_of_the_registers(void)
{
   struct pergola_device *dev = new_device("ivb-gt2");
   check_widths(dev, ivb_widths, sizeof(ivb_widths) / sizeof(ivb_widths[0]));
   pergola_device_destroy(dev);
   dev = new_device("vlv");
   check_widths(dev, vlv_widths, sizeof(vlv_widths) / sizeof(vlv_widths[0]));
   pergola_device_destroy(dev);
}

static void
widths_of_the_header(void **state)
{
   proves("SYS-424", "SYS-425", "SYS-426", "SYS-428", "SYS-429", "SYS-430");
   (void)state;
   widths_of_the_registers();
}

static void
widths_behind_the_header(void **state)
{
   proves("SYS-431", "SYS-432", "SYS-434", "SYS-435", "SYS-436", "SYS-437", "SYS-438");
   (void)state;
   widths_of_the_registers();
}

/* SYS-430: the subsystem ids take one write. SYS-434: D1 and D2 do not exist. */
static void
write_once_and_power_states(void **state)
{
   proves("SYS-430", "SYS-434");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   pergola_pci_write(dev, 0x2c, 2, 0x1234);
   pergola_pci_write(dev, 0x2c, 4, 0x99999999);
   assert_int_equal(pergola_pci_read(dev, 0x2c, 4), 0x99991234);
   pergola_pci_write(dev, 0x2e, 2, 0);
   assert_int_equal(pergola_pci_read(dev, 0x2e, 2), 0x9999);
   pergola_pci_write(dev, 0xd4, 1, 3);
   pergola_pci_write(dev, 0xd4, 1, 1);
   assert_int_equal(pergola_pci_read(dev, 0xd4, 1), 3);
   pergola_pci_write(dev, 0xd4, 1, 2);
   assert_int_equal(pergola_pci_read(dev, 0xd4, 1), 3);
   pergola_pci_write(dev, 0xd4, 1, 0);
   assert_int_equal(pergola_pci_read(dev, 0xd4, 1), 0);
   pergola_device_destroy(dev);
}

/* SYS-428, MEM-016: the aperture's size decides its base bits. */
static void
aperture_size_decides_the_base_bits(void **state)
{
   proves("SYS-428", "MEM-016");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   static const struct {
      uint8_t msac;
      uint32_t mask;
   } sizes[] = {{0, 0xf8000000}, {2, 0xf0000000}, {6, 0xe0000000}};
   for (unsigned i = 0; i < 3; i++) {
      pergola_pci_write(dev, 0x62, 1, sizes[i].msac);
      pergola_pci_write(dev, 0x18, 4, 0xffffffff);
      assert_int_equal(pergola_pci_read(dev, 0x18, 4), sizes[i].mask | 0xc);
   }
   pergola_device_destroy(dev);
}

/* SYS-428: conforming and violating. */
static void
aperture_size_is_set_before_the_aperture_is_placed(void **state)
{
   proves("SYS-428");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   pergola_pci_write(dev, 0x62, 1, 6);
   pergola_pci_write(dev, 0x18, 4, 0xc0000000);
   pergola_pci_write(dev, 0x62, 1, 6);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_NOTE), 0);
   pergola_pci_write(dev, 0x62, 1, 2);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_ERROR), 1);
   pergola_device_destroy(dev);
   dev = new_device(NULL);
   pergola_pci_write(dev, 0x62, 1, 4);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_ERROR), 1);
   pergola_device_destroy(dev);
}

/* SYS-440: conforming and violating fences. */
static void
fences_with_odd_pitch_or_order_are_named(void **state)
{
   proves("SYS-440");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   pergola_mmio_write(dev, 0x100004, 4, 0x9003); /* 512 bytes */
   pergola_mmio_write(dev, 0x100000, 4, 0x8001);
   pergola_mmio_write(dev, 0x10000c, 4, 0x9000); /* 128 bytes, Y */
   pergola_mmio_write(dev, 0x100008, 4, 0x8003);
   pergola_mmio_write(dev, 0x100014, 4, 0x1000); /* not valid: nothing to say */
   pergola_mmio_write(dev, 0x100010, 4, 0x8000);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_NOTE), 0);
   pergola_mmio_write(dev, 0x10001c, 4, 0x9000);
   pergola_mmio_write(dev, 0x100018, 4, 0x8001); /* X with 128 bytes */
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_ERROR), 1);
   pergola_mmio_write(dev, 0x100024, 4, 0x7003);
   pergola_mmio_write(dev, 0x100020, 4, 0x8001); /* ends before it begins */
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_ERROR), 2);
   pergola_device_destroy(dev);
}

/* SYS-426: the GTT window takes aligned dwords. */
static void
gtt_window_takes_aligned_dwords(void **state)
{
   proves("SYS-426");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   pergola_mmio_write(dev, 0x200000, 4, 0x1001);
   pergola_mmio_write(dev, 0x200008, 8, UINT64_C(0x200100001001));
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_NOTE), 0);
   pergola_mmio_write(dev, 0x200000, 1, 3);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_WARNING), 1);
   pergola_mmio_read(dev, 0x200002, 4);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_WARNING), 2);
   assert_int_equal(pergola_mmio_read(dev, 0x200000, 4), 0x1003);
   pergola_device_destroy(dev);
}

/* SYS-435: function level reset. */
static void
function_level_reset(void **state)
{
   proves("SYS-435");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   pergola_pci_write(dev, 0x04, 2, 7);
   pergola_pci_write(dev, 0x10, 4, 0xf0000000);
   pergola_mmio_write(dev, 0x2038, 4, 0x3000);
   pergola_mmio_write(dev, 0x4401c, 4, 1);
   pergola_mmio_write(dev, 0x200000, 4, 0x1001);
   pergola_pci_write(dev, 0xa8, 1, 1);
   assert_int_equal(pergola_pci_read(dev, 0xa8, 1), 0);
   assert_int_equal(pergola_pci_read(dev, 0x04, 2), 0);
   assert_int_equal(pergola_pci_read(dev, 0x10, 4), 4);
   assert_int_equal(pergola_mmio_read(dev, 0x2038, 4), 0);
   assert_int_equal(pergola_mmio_read(dev, 0x4401c, 4), 0);
   assert_int_equal(pergola_mmio_read(dev, 0x200000, 4), 0x1001);
   pergola_device_destroy(dev);
}

/* SYS-438: a write of GSE raises one display event. */
static void
software_event_raises_an_interrupt(void **state)
{
   proves("SYS-438");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   pergola_mmio_write(dev, 0x44004, 4, 0);
   pergola_pci_write(dev, 0xe3, 1, 1); /* beside it: none */
   pergola_pci_write(dev, 0xe8, 2, 1);
   assert_int_equal(pergola_mmio_read(dev, 0x44008, 4), 0);
   pergola_pci_write(dev, 0xe5, 1, 1);
   assert_int_equal(pergola_mmio_read(dev, 0x44008, 4), 1u << 29);
   pergola_device_destroy(dev);
   dev = new_device("vlv");
   pergola_mmio_write(dev, 0x1820a8, 4, 0);
   pergola_pci_write(dev, 0xe4, 4, 1);
   assert_int_equal(pergola_mmio_read(dev, 0x1820a4, 4), 1);
   pergola_device_destroy(dev);
}

static void
bad_configuration_accesses_are_named(void **state)
{
   proves("MEM-002");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   assert_int_equal(pergola_pci_read(dev, 0x100, 4), 0);
   assert_int_equal(pergola_pci_read(dev, 0xff, 2), 0);
   assert_int_equal(pergola_pci_read(dev, 0, 3), 0);
   pergola_pci_write(dev, 0xfffffffe, 4, 1);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_WARNING), 4);
   pergola_device_destroy(dev);
}

/* SYS-429: index and data port, only while I/O decoding is on. */
static void
io_window_reaches_registers_and_entries(void **state)
{
   proves("SYS-429");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   pergola_io_write(dev, 0, 4, 0x4f100);
   assert_int_equal(pergola_io_read(dev, 4, 4), 0xffffffff); /* not enabled */
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_WARNING), 2);
   pergola_pci_write(dev, 0x04, 2, 1);
   pergola_io_write(dev, 0, 4, 0x4f100);
   assert_int_equal(pergola_io_read(dev, 0, 4), 0x4f100);
   pergola_io_write(dev, 4, 4, 0xcafe);
   assert_int_equal(pergola_mmio_read(dev, 0x4f100, 4), 0xcafe);
   assert_int_equal(pergola_io_read(dev, 5, 1), 0xca);
   pergola_io_write(dev, 0, 4, 0x200004);
   pergola_io_write(dev, 4, 4, 0x5001);
   assert_int_equal(pergola_mmio_read(dev, 0x200004, 4), 0x5001);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_WARNING), 2);
   pergola_io_write(dev, 0, 4, 0xfffffffc);
   assert_int_equal(pergola_io_read(dev, 4, 4), 0);
   pergola_io_read(dev, 2, 4);
   pergola_io_write(dev, 9, 1, 0);
   pergola_io_read(dev, 0, 0);
   assert_true(pergola_diagnostic_count(dev, PERGOLA_WARNING) >= 6);
   pergola_device_destroy(dev);
}

#define PAGES 64

static struct pergola_device *
mapped(struct pergola_machine *m)
{
   static const struct pergola_config config = {.check = PERGOLA_CHECK_REPORT};
   static const struct pergola_machine_memory memory = {
       .physical = 0x100000, .size = PAGES * 4096, .mapped = PAGES * 4096};
   assert_int_equal(pergola_machine_create(m, &config, &memory, NULL), 0);
   return m->dev;
}

static void
aperture_goes_through_the_ggtt(void **state)
{
   proves("MEM-015");
   (void)state;
   struct pergola_machine m;
   struct pergola_device *dev = mapped(&m);
   uint8_t *ram = m.memory;
   pergola_mmio_write(dev, 0x200004, 4, 0x100000 + 5 * 4096 + 1); /* page 1 is page 5 of memory */
   uint8_t data[100], back[100];
   for (unsigned i = 0; i < sizeof(data); i++)
      data[i] = (uint8_t)(i + 1);
   pergola_aperture_write(dev, 4096 - 50, data, sizeof(data));
   assert_memory_equal(ram + 4096 - 50, data, 50);
   assert_memory_equal(ram + 5 * 4096, data + 50, 50);
   pergola_aperture_read(dev, 4096 - 50, back, sizeof(back));
   assert_memory_equal(back, data, sizeof(data));
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_NOTE), 0);
   pergola_aperture_read(dev, (256u << 20) - 4, back, 8);
   pergola_aperture_write(dev, ~UINT64_C(3), data, 8);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_WARNING), 2);
   pergola_machine_destroy(&m);
}

/* MEM-019, SYS-440, RCS-198: a fenced write lands in tiles; the engines' own view does not change.
 */
static void
fence_tiles_what_the_host_writes(void **state)
{
   proves("MEM-019", "SYS-440", "RCS-198");
   (void)state;
   for (unsigned y_major = 0; y_major < 2; y_major++) {
      struct pergola_machine m;
      struct pergola_device *dev = mapped(&m);
      uint8_t *ram = m.memory;
      static const uint8_t straight[600] = {[0] = 1, [300] = 2, [599] = 3};
      const uint32_t pitch = 1024, rows = 32, start = 8 * 4096;
      pergola_mmio_write(dev, 0x100000 + 8 * 3 + 4, 4,
                         (start + pitch * rows - 4096) | (pitch / 128 - 1));
      pergola_mmio_write(dev, 0x100000 + 8 * 3, 4, start | y_major << 1 | 1);
      uint8_t *picture = malloc(pitch * rows), *back = malloc(pitch * rows);
      for (uint32_t i = 0; i < pitch * rows; i++)
         picture[i] = (uint8_t)(i * 31 + (i >> 8) * 7);
      pergola_aperture_write(dev, start, picture, pitch * rows);
      for (uint32_t y = 0; y < rows; y++)
         for (uint32_t x = 0; x < pitch; x++) {
            /* Written out here from the tile's shape, not by the model's function. */
            uint32_t at = y_major
                              ? (y / 32 * (pitch / 128) + x / 128) * 4096 + x % 128 / 16 * 512 +
                                    y % 32 * 16 + x % 16
                              : (y / 8 * (pitch / 512) + x / 512) * 4096 + y % 8 * 512 + x % 512;
            assert_int_equal(ram[start + at], picture[y * pitch + x]);
         }
      pergola_aperture_read(dev, start, back, pitch * rows);
      assert_memory_equal(back, picture, pitch * rows);
      pergola_aperture_write(dev, start - 600, straight, 600); /* on both sides of it */
      assert_memory_equal(ram + start - 600, straight, 600);
      pergola_aperture_write(dev, start + pitch * rows, straight, 600);
      assert_memory_equal(ram + start + pitch * rows, straight, 600);
      /* The register behind the last fence is another one. */
      pergola_mmio_write(dev, 0x100104, 4, (start + pitch * rows) | (pitch / 128 - 1));
      pergola_mmio_write(dev, 0x100100, 4, (start + pitch * rows) | 1);
      assert_int_equal(pergola_mmio_read(dev, 0x100100, 4) & 1, 1);
      pergola_aperture_read(dev, start + pitch * rows, back, 600);
      assert_memory_equal(back, straight, 600);
      uint8_t byte;
      mem_read(&dev->ggtt, start + 512, &byte, 1); /* an engine sees memory as it is */
      assert_int_equal(byte, ram[start + 512]);
      /* The lowest-numbered fence wins. */
      pergola_mmio_write(dev, 0x100004, 4, start | (pitch / 128 - 1));
      pergola_mmio_write(dev, 0x100000, 4, start | (y_major ^ 1) << 1 | 1);
      pergola_aperture_read(dev, start, back, 1024);
      uint8_t want = y_major ? ram[start + 20] : ram[start + 512 + 4];
      assert_int_equal(back[20], want);
      /* It ends with its page: the next byte is the other one's. */
      pergola_aperture_read(dev, start + 4096, back, 1);
      assert_int_equal(back[0], picture[4096]);
      pergola_machine_destroy(&m);
      free(picture);
      free(back);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(identity_of_the_function),
       cmocka_unit_test(configuration_header),
       cmocka_unit_test(configuration_capabilities),
       cmocka_unit_test(configuration_of_the_chip),
       cmocka_unit_test(configuration_of_valleyview),
       cmocka_unit_test(widths_of_the_header),
       cmocka_unit_test(widths_behind_the_header),
       cmocka_unit_test(write_once_and_power_states),
       cmocka_unit_test(aperture_size_decides_the_base_bits),
       cmocka_unit_test(aperture_size_is_set_before_the_aperture_is_placed),
       cmocka_unit_test(fences_with_odd_pitch_or_order_are_named),
       cmocka_unit_test(gtt_window_takes_aligned_dwords),
       cmocka_unit_test(function_level_reset),
       cmocka_unit_test(software_event_raises_an_interrupt),
       cmocka_unit_test(bad_configuration_accesses_are_named),
       cmocka_unit_test(io_window_reaches_registers_and_entries),
       cmocka_unit_test(aperture_goes_through_the_ggtt),
       cmocka_unit_test(fence_tiles_what_the_host_writes),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
