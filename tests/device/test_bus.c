/* The bus side: widths, reset, force wake, mailbox, schedule. */
#include "register_table.h"
#include "tests/proves.h"

static char last_rule[16];
static uint64_t last_address;
static unsigned reports;

static void
note(void *data, const struct pergola_diagnostic *d)
{
   (void)data;
   snprintf(last_rule, sizeof(last_rule), "%s", d->rule);
   last_address = d->has_address ? d->address : UINT64_MAX;
   reports++;
}

static struct pergola_device *
watched(const char *sku)
{
   struct pergola_device *dev = new_device(sku);
   reports = 0;
   last_rule[0] = 0;
   pergola_add_diagnostic_sink(dev, note, NULL);
   return dev;
}

static void
registers_take_every_width_at_every_offset(void **state)
{
   proves("MEM-041");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   uint8_t model[32] = {0};
   const uint32_t base = 0x4f100; /* eight plain dwords */
   uint64_t seed = 88172645463325252u;
   for (unsigned round = 0; round < 4000; round++) {
      seed ^= seed << 13;
      seed ^= seed >> 7;
      seed ^= seed << 17;
      static const unsigned sizes[] = {1, 2, 4, 8};
      unsigned size = sizes[seed & 3], at = seed >> 8 & 31;
      if (at + size > 32)
         continue;
      uint64_t value = seed * UINT64_C(0x9e3779b97f4a7c15), want = 0;
      if (seed >> 60 & 1) {
         pergola_mmio_write(dev, base + at, size, value);
         memcpy(model + at, &value, size);
      }
      memcpy(&want, model + at, size);
      assert_int_equal(pergola_mmio_read(dev, base + at, size), want);
   }
   pergola_device_destroy(dev);
}

/* MEM-041: the enabling byte must come in the same access. */
static void
narrow_write_to_a_masked_register(void **state)
{
   proves("MEM-041");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   pergola_mmio_write(dev, 0x7004, 2, 0x40); /* no mask bytes */
   assert_int_equal(pergola_mmio_read(dev, 0x7004, 4), 0x180);
   pergola_mmio_write(dev, 0x7004, 4, 0x00400040);
   assert_int_equal(pergola_mmio_read(dev, 0x7004, 4), 0x1c0);
   pergola_mmio_write(dev, 0x7006, 2, 0x40); /* mask only: the data bytes are not there */
   assert_int_equal(pergola_mmio_read(dev, 0x7004, 4), 0x1c0);
   pergola_device_destroy(dev);
}

/* MEM-001, MEM-003: outside BAR0, bad sizes, offsets with no register; each named once. */
static void
accesses_outside_are_named_and_harmless(void **state)
{
   proves("MEM-001", "MEM-003");
   (void)state;
   struct pergola_device *dev = watched(NULL);
   assert_int_equal(pergola_mmio_read(dev, 0x400000, 4), 0);
   assert_string_equal(last_rule, "MEM-001");
   assert_int_equal(pergola_mmio_read(dev, 0x3fffff, 2), 0);
   assert_int_equal(pergola_mmio_read(dev, 0xffffffff, 8), 0);
   assert_int_equal(pergola_mmio_read(dev, 0x2030, 3), 0);
   assert_int_equal(pergola_mmio_read(dev, 0x2030, 0), 0);
   pergola_mmio_write(dev, 0xfffffffc, 8, ~UINT64_C(0));
   pergola_mmio_write(dev, 0x2030, 16, 1);
   unsigned before = reports;
   for (unsigned i = 0; i < 100; i++)
      assert_int_equal(pergola_mmio_read(dev, 0x1f0000, 4), 0);
   assert_string_equal(last_rule, "MEM-003");
   assert_int_equal(reports, before + 1);
   pergola_mmio_write(dev, 0x1f0000, 4, 1);
   assert_int_equal(reports, before + 1); /* same place, same rule */
   assert_true(pergola_diagnostic_count(dev, PERGOLA_WARNING) >= 108);
   pergola_device_destroy(dev);
}

static void
reserved_bits_and_read_only_registers_are_named(void **state)
{
   proves("RCS-173", "RCS-188");
   (void)state;
   struct pergola_device *dev = watched(NULL);
   pergola_mmio_write(dev, 0x2030, 4, 0x1000); /* conforming */
   assert_int_equal(reports, 0);
   pergola_mmio_write(dev, 0x2030, 4, 0x80001000);
   assert_string_equal(last_rule, "RCS-173");
   assert_int_equal(pergola_mmio_read(dev, 0x2030, 4), 0x1000);
   pergola_mmio_write(dev, 0x22ac, 4, 1);
   assert_string_equal(last_rule, "RCS-188");
   assert_int_equal(reports, 2);
   pergola_device_destroy(dev);
}

/* RCS-004, RCS-007, RCS-008, RCS-052, RCS-170, RCS-185, VCS-315: values that the rows limit. */
static void
limited_fields_are_named(void **state)
{
   proves("RCS-004", "RCS-007", "RCS-008", "RCS-052", "RCS-170", "RCS-185", "VCS-315");
   (void)state;
   static const struct {
      uint32_t offset, good, bad;
      const char *rule;
   } table[] = {
       {0x20a0, 0x28a01010, 0x30a01010, "RCS-004"}, /* DS Hit Max 12: 1-11 */
       {0x20a0, 0x04101010, 0x04001010, "RCS-004"}, /* VS Hit Max 0: 1-58 */
       {0x7000, 0x00040004, 0x00200020, "RCS-007"},
       {0x7000, 0x00040004, 0x00100010, "RCS-007"},
       {0x7000, 0x00040004, 0x00010001, "RCS-007"},
       {0x7004, 0x00400040, 0x00080008, "RCS-008"},
       {0x4070, 0x10202020, 0x00202020, "RCS-052"},
       {0x4074, 0x43f22041, 0x43f22040, "RCS-052"},
       {0x2054, 2, 1, "RCS-170"},
       {0x12054, 0x40, 1, "VCS-315"},
       {0x2470, 0x00040004, 0x00020002, "RCS-185"},
   };
   for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
      struct pergola_device *dev = watched(NULL);
      pergola_mmio_write(dev, table[i].offset, 4, table[i].good);
      if (reports)
         fail_msg("0x%x: %s is broken by a good value", table[i].offset, last_rule);
      pergola_mmio_write(dev, table[i].offset, 4, table[i].bad);
      assert_int_equal(reports, 1);
      assert_string_equal(last_rule, table[i].rule);
      pergola_device_destroy(dev);
   }
}

/* MEM-014, RCS-200, SYS-465: one engine's registers return, the others' and memory stay. */
static void
reset_of_one_engine_leaves_the_others(void **state)
{
   proves("MEM-014", "RCS-200", "SYS-465");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   static const uint32_t bit[ENGINE_COUNT] = {2, 4, 8};
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      for (unsigned k = 0; k < ENGINE_COUNT; k++) {
         pergola_mmio_write(dev, engine_base[k] + 0x38, 4, 0x5000);
         pergola_mmio_write(dev, engine_base[k] + 0x29c, 4, 0x02000200);
      }
      pergola_mmio_write(dev, 0x100008, 4, 0x7001);
      pergola_mmio_write(dev, 0x200010, 4, 0x12345001);
      clock_advance(dev, 800);
      uint64_t stamp = pergola_mmio_read(dev, 0x2358, 8);
      pergola_mmio_write(dev, 0x941c, 4, bit[e]);
      assert_int_equal(pergola_mmio_read(dev, 0x941c, 4), 0);
      for (unsigned k = 0; k < ENGINE_COUNT; k++) {
         assert_int_equal(pergola_mmio_read(dev, engine_base[k] + 0x38, 4), k == e ? 0 : 0x5000);
         assert_int_equal(pergola_mmio_read(dev, engine_base[k] + 0x29c, 4) >> 9 & 1, k != e);
      }
      assert_int_equal(pergola_mmio_read(dev, 0x100008, 4), 0x7001);
      assert_int_equal(pergola_mmio_read(dev, 0x200010, 4), 0x12345001);
      assert_int_equal(pergola_mmio_read(dev, 0x2358, 8), stamp);
   }
   pergola_mmio_write(dev, 0x941c, 4, 0);
   assert_int_equal(pergola_mmio_read(dev, engine_base[RCS] + 0x38, 4), 0x5000);
   pergola_mmio_write(dev, 0x941c, 4, 1);
   for (unsigned k = 0; k < ENGINE_COUNT; k++)
      assert_int_equal(pergola_mmio_read(dev, engine_base[k] + 0x38, 4), 0);
   pergola_device_destroy(dev);
}

/* SYS-466: the message starts a function reset, which takes interrupts with it, and clears itself.
 */
static void
function_reset_message(void **state)
{
   proves("SYS-466");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   pergola_mmio_write(dev, 0x4401c, 4, 0xffffffff);
   pergola_mmio_write(dev, 0x2038, 4, 0x5000);
   pergola_mmio_write(dev, 0x8100, 4, 1); /* without the mask bit: nothing */
   assert_int_equal(pergola_mmio_read(dev, 0x2038, 4), 0x5000);
   pergola_mmio_write(dev, 0x8100, 4, 0x00010001);
   assert_int_equal(pergola_mmio_read(dev, 0x8100, 4), 0);
   assert_int_equal(pergola_mmio_read(dev, 0x2038, 4), 0);
   assert_int_equal(pergola_mmio_read(dev, 0x4401c, 4), 0);
   pergola_device_destroy(dev);
}

/* SYS-467, VCS-323: the state after reset. */
static void
state_after_reset(void **state)
{
   proves("SYS-467", "VCS-323");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      uint32_t b = engine_base[e];
      assert_int_equal(pergola_mmio_read(dev, b + 0x3c, 4) & 1, 0);
      assert_int_equal(pergola_mmio_read(dev, b + 0xa8, 4), 0xffffffff);
      assert_int_equal(pergola_mmio_read(dev, b + 0x98, 4), 0xffffffff);
      assert_int_equal(pergola_mmio_read(dev, b + 0x94, 4), 0);
      assert_int_equal(pergola_mmio_read(dev, b + 0xc0, 4), 0);
      assert_int_equal(pergola_mmio_read(dev, b + 0x6c, 4), 0xffffffff);
   }
   assert_int_equal(pergola_mmio_read(dev, 0x4401c, 4), 0);
   for (unsigned i = 0; i < 32; i++)
      assert_int_equal(pergola_mmio_read(dev, 0x100000 + 8 * i, 4) & 1, 0);
   assert_int_equal(pergola_run(dev, 100), PERGOLA_RUN_IDLE);
   pergola_device_destroy(dev);
}

static void
force_wake_is_acknowledged_at_once(void **state)
{
   proves("MEM-024", "SYS-457", "SYS-458", "MEM-026");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   pergola_mmio_write(dev, 0xa188, 4, 0x00010001);
   assert_int_equal(pergola_mmio_read(dev, 0x130040, 4), 1);
   pergola_mmio_write(dev, 0xa188, 4, 0x80008000);
   assert_int_equal(pergola_mmio_read(dev, 0x130040, 4), 0x8001);
   pergola_mmio_write(dev, 0xa188, 4, 0x00010000);
   assert_int_equal(pergola_mmio_read(dev, 0x130040, 4), 0x8000);
   assert_int_equal(pergola_mmio_read(dev, 0xa180, 4) & 0x20, 0x20);
   pergola_mmio_write(dev, 0xa18c, 4, 1);
   assert_int_equal(pergola_mmio_read(dev, 0x130090, 4), 1);
   pergola_mmio_write(dev, 0xa18c, 4, 0);
   assert_int_equal(pergola_mmio_read(dev, 0x130090, 4), 0);
   assert_true((pergola_mmio_read(dev, 0x120008, 4) & 0x7f) >= 21);
   assert_int_equal(pergola_mmio_read(dev, 0x120000, 4) & 0x7f, 0);
   assert_int_equal(pergola_mmio_read(dev, 0x13805c, 4) & 7, 0);
   assert_int_equal(pergola_mmio_read(dev, 0x138060, 4) & 7, 0);
   pergola_device_destroy(dev);
}

static void
valleyview_wake_registers_answer(void **state)
{
   proves("MEM-025", "SYS-462");
   (void)state;
   struct pergola_device *dev = new_device("vlv");
   pergola_mmio_write(dev, 0x130090, 4, 1);
   assert_int_equal(pergola_mmio_read(dev, 0x130094, 4), 0xa1);
   pergola_mmio_write(dev, 0x130090, 4, 0x01000001);
   pergola_mmio_write(dev, 0x130090, 4, 0); /* "context exists" can only be set */
   assert_int_equal(pergola_mmio_read(dev, 0x130090, 4), 0x01000000);
   assert_int_equal(pergola_mmio_read(dev, 0x130094, 4), 0xa0);
   pergola_mmio_write(dev, 0x1300b0, 4, 0x00010001);
   pergola_mmio_write(dev, 0x1300b8, 4, 0x00020002);
   assert_int_equal(pergola_mmio_read(dev, 0x1300b4, 4), 1);
   assert_int_equal(pergola_mmio_read(dev, 0x1300bc, 4), 2);
   pergola_mmio_write(dev, 0x130098, 4, 4);
   assert_int_equal(pergola_mmio_read(dev, 0x130098, 4), 0xc);
   pergola_mmio_write(dev, 0x130098, 4, 0);
   assert_int_equal(pergola_mmio_read(dev, 0x130098, 4), 0);
   pergola_device_destroy(dev);

   /* The hardware says itself that contexts exist: of a well that was held awake and let go. */
   dev = new_device("vlv");
   pergola_mmio_write(dev, 0x1300b0, 4, 0x00010000); /* it was not held */
   pergola_mmio_write(dev, 0x1300b0, 4, 0x00010001);
   pergola_mmio_write(dev, 0x1300b8, 4, 0x00030003);
   pergola_mmio_write(dev, 0x1300b8, 4, 0x00010000); /* still held by the other bit */
   assert_int_equal(pergola_mmio_read(dev, 0x130090, 4), 0);
   pergola_mmio_write(dev, 0x1300b8, 4, 0x00020000);
   assert_int_equal(pergola_mmio_read(dev, 0x130090, 4), 0x01000000);
   pergola_mmio_write(dev, 0x1300b0, 4, 0x00010000);
   assert_int_equal(pergola_mmio_read(dev, 0x130090, 4), 0x03000000);
   pergola_device_destroy(dev);
}

/* MEM-027, SYS-461: once RC6 is on, a read of a sleeping well without a request is named. */
static void
reading_a_sleeping_well_is_named(void **state)
{
   proves("MEM-027", "SYS-457", "SYS-458", "SYS-461");
   (void)state;
   struct pergola_device *dev = watched(NULL);
   pergola_mmio_read(dev, 0x2030, 4); /* RC6 is off: always awake */
   pergola_mmio_write(dev, 0xa090, 4, 0x80040000);
   pergola_mmio_read(dev, 0x44010, 4); /* outside the well */
   pergola_mmio_read(dev, 0x941c, 4);  /* reset stays reachable */
   pergola_mmio_read(dev, 0xa180, 4);  /* and so do ECOBUS … */
   pergola_mmio_read(dev, 0xa18c, 4);  /* … to FORCEWAKE */
   pergola_mmio_write(dev, 0xa188, 4, 0x00010001);
   pergola_mmio_read(dev, 0x2030, 4); /* conforming */
   assert_int_equal(reports, 0);
   pergola_mmio_write(dev, 0xa188, 4, 0x00010000);
   pergola_mmio_read(dev, 0x2030, 4); /* violating */
   assert_int_equal(reports, 1);
   assert_string_equal(last_rule, "SYS-461");
   assert_int_equal(last_address, 0x2030);
   pergola_mmio_write(dev, 0xa18c, 4, 1); /* the single requester's register does as well */
   pergola_mmio_read(dev, 0x2034, 4);
   assert_int_equal(reports, 1);
   pergola_mmio_write(dev, 0xa18c, 4, 0);
   pergola_mmio_read(dev, 0x2038, 4);
   assert_int_equal(reports, 2);
   pergola_device_destroy(dev);

   dev = watched("vlv");
   pergola_mmio_write(dev, 0xa090, 4, 0x80040000);
   pergola_mmio_write(dev, 0x1300b0, 4, 0x00010001); /* render only */
   pergola_mmio_read(dev, 0x2030, 4);
   pergola_mmio_read(dev, 0xb010, 4);
   assert_int_equal(reports, 0);
   pergola_mmio_read(dev, 0x12030, 4);
   pergola_mmio_read(dev, 0x22030, 4);
   assert_int_equal(reports, 2);
   pergola_mmio_write(dev, 0x1300b0, 4, 0x00010000); /* nothing is asked for */
   pergola_mmio_read(dev, 0x2030, 4);
   assert_int_equal(reports, 3);
   pergola_mmio_read(dev, 0x182100, 4); /* the sideband lies in no well */
   assert_int_equal(reports, 3);
   pergola_device_destroy(dev);
}

static void
mailbox_completes_at_once(void **state)
{
   proves("MEM-028", "SYS-464");
   (void)state;
   struct pergola_device *dev = new_device(NULL);
   pergola_mmio_write(dev, 0x138128, 4, 77);
   pergola_mmio_write(dev, 0x138124, 4, 0x80000009);
   assert_int_equal(pergola_mmio_read(dev, 0x138124, 4), 0);
   assert_int_equal(pergola_mmio_read(dev, 0x138128, 4), 0);
   static const uint8_t known[] = {0x04, 0x05, 0x08, 0x09, 0x0b, 0x0c, 0x10, 0x11};
   for (unsigned command = 0; command < 256; command++) {
      pergola_mmio_write(dev, 0x138124, 4, 0x80000000 | command);
      bool legal = memchr(known, (int)command, sizeof(known)) != NULL;
      assert_int_equal(pergola_mmio_read(dev, 0x138124, 4), !legal);
   }
   pergola_mmio_write(dev, 0x138128, 4, 77);
   pergola_mmio_write(dev, 0x138124, 4, 9); /* only run/busy starts a command */
   assert_int_equal(pergola_mmio_read(dev, 0x138124, 4), 9);
   assert_int_equal(pergola_mmio_read(dev, 0x138128, 4), 77);
   pergola_mmio_write(dev, 0x138164, 4, 0xff);
   assert_int_equal(pergola_mmio_read(dev, 0x138164, 4), 0);
   pergola_device_destroy(dev);
}

static uint32_t
sideband(struct pergola_device *dev, unsigned port, unsigned opcode, uint32_t address,
         uint32_t value)
{
   pergola_mmio_write(dev, 0x182108, 4, address);
   pergola_mmio_write(dev, 0x182104, 4, value);
   pergola_mmio_write(dev, 0x182100, 4, opcode << 16 | port << 8 | 0xf0 | 1);
   assert_int_equal(pergola_mmio_read(dev, 0x182100, 4) & 1, 0); /* done at once */
   return (uint32_t)pergola_mmio_read(dev, 0x182104, 4);
}

/* Power wells and the frequency follow what is asked; other units are named once each. */
static void
sideband_reaches_the_power_controller(void **state)
{
   proves("MEM-032");
   (void)state;
   enum { PUNIT = 4, READ = 6, WRITE = 7 };
   struct pergola_device *dev = watched("vlv");
   assert_int_equal(sideband(dev, PUNIT, READ, 0x61, 0), 0); /* all wells are on */
   sideband(dev, PUNIT, WRITE, 0x60, 0x0c00);
   assert_int_equal(sideband(dev, PUNIT, READ, 0x61, 7), 0x0c00);
   assert_int_equal(sideband(dev, PUNIT, READ, 0x60, 7), 0x0c00);
   sideband(dev, PUNIT, WRITE, 0x61, 0); /* the status is not for writing */
   assert_int_equal(sideband(dev, PUNIT, READ, 0x61, 7), 0x0c00);
   assert_int_equal(sideband(dev, PUNIT, READ, 0x32, 0) & 3, 3); /* decoder, camera: off */
   assert_int_equal(sideband(dev, PUNIT, READ, 0x39, 0) & 3, 3);
   uint32_t highest = sideband(dev, 0x11, READ, 0x1c, 0) >> 3 & 0xff,
            lowest = sideband(dev, PUNIT, READ, 0xd3, 0);
   assert_true(highest > lowest);
   sideband(dev, PUNIT, WRITE, 0xd4, highest);
   assert_int_equal(sideband(dev, PUNIT, READ, 0xd8, 0), highest << 8 | 0x10);
   assert_int_equal(reports, 0);
   assert_int_equal(sideband(dev, PUNIT, READ, 0x100, 9), 0); /* past its last register */
   assert_int_equal(sideband(dev, 0x12, 0, 0x8200, 9), 0);
   assert_int_equal(sideband(dev, 0x12, 0, 0x8204, 9), 0);
   assert_int_equal(reports, 2);
   assert_string_equal(last_rule, "MEM-032");
   pergola_device_destroy(dev);
}

/* The power controller sets the clock of the display, and the clocks show it. */
static void
sideband_reaches_the_clocks(void **state)
{
   proves("MEM-032");
   (void)state;
   enum { PUNIT = 4, CCK = 0x14, READ = 6, WRITE = 7 };
   struct pergola_device *dev = watched("vlv");
   assert_int_equal(sideband(dev, CCK, READ, 0x08, 9), 0); /* 800 MHz */
   assert_int_equal(sideband(dev, CCK, READ, 0x62, 9), 0x0707);
   assert_int_equal(sideband(dev, CCK, READ, 0x67, 9), 0x0f0f);
   assert_int_equal(sideband(dev, CCK, READ, 0x6b, 9), 0x0707);
   for (uint32_t speed = 0; speed < 3; speed++) {
      static const uint32_t divider[] = {0x0707, 0x0505, 0x0404};
      sideband(dev, PUNIT, WRITE, 0x36, speed << 14 | 5);
      assert_int_equal(sideband(dev, PUNIT, READ, 0x36, 9), speed << 30 | speed << 14 | 5);
      assert_int_equal(sideband(dev, CCK, READ, 0x6b, 9), divider[speed]);
   }
   assert_int_equal(reports, 0);
   sideband(dev, CCK, WRITE, 0x6b, 3); /* past the power controller: not modelled */
   assert_int_equal(reports, 1);
   assert_int_equal(sideband(dev, CCK, READ, 0x6b, 9), 0x0404);
   pergola_device_destroy(dev);
}

/* What a stock kernel's i915 reads and writes outside the engines while the display is fused off is
 * stored. That nothing comes of the display's is said at the first write of one. */
static void
registers_of_a_stock_kernel(void **state)
{
   proves("MEM-050");
   static const uint32_t offsets[] = {0x2024,  0x900c,  0x42000,  0x4200c, 0x42014,
                                      0x42020, 0x45010, 0xc2004,  0xc2014, 0xc2020,
                                      0xc4040, 0xc6204, 0x145d10, 0x145e04};
   struct pergola_device *dev = watched("ivb-gt2");
   for (unsigned i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
      assert_int_equal(pergola_mmio_read(dev, offsets[i], 4), 0);
      assert_int_equal(reports, i > 2); /* two are not the display's */
      pergola_mmio_write(dev, offsets[i], 4, 0x12345670 + i);
      assert_int_equal(pergola_mmio_read(dev, offsets[i], 4), 0x12345670 + i);
   }
   assert_int_equal(reports, 1);
   assert_string_equal(last_rule, "MEM-050");
   assert_int_equal(pergola_mmio_read(dev, 0x78000, 8), 0); /* no magic: no hypervisor helps */
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_WARNING), 0);
   pergola_device_destroy(dev);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(registers_of_a_stock_kernel),
       cmocka_unit_test(registers_take_every_width_at_every_offset),
       cmocka_unit_test(narrow_write_to_a_masked_register),
       cmocka_unit_test(accesses_outside_are_named_and_harmless),
       cmocka_unit_test(reserved_bits_and_read_only_registers_are_named),
       cmocka_unit_test(limited_fields_are_named),
       cmocka_unit_test(reset_of_one_engine_leaves_the_others),
       cmocka_unit_test(function_reset_message),
       cmocka_unit_test(state_after_reset),
       cmocka_unit_test(force_wake_is_acknowledged_at_once),
       cmocka_unit_test(valleyview_wake_registers_answer),
       cmocka_unit_test(reading_a_sleeping_well_is_named),
       cmocka_unit_test(mailbox_completes_at_once),
       cmocka_unit_test(sideband_reaches_the_power_controller),
       cmocka_unit_test(sideband_reaches_the_clocks),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
