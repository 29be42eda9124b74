/* Random commands on the engine and on the oracle: the memories must be equal after each. */
#include "stand.h"
#include "tests/proves.h"

#define ROUNDS 400

struct kind {
   uint8_t opcode;
   uint8_t fixed_dw;
   uint8_t dst, src_xy, src_pitch, src, pattern, mono, key; /* dword numbers, 0: none */
   bool immediate_pattern, immediate_mono;
};

static const struct kind kinds[] = {
    {0x50, 6, .dst = 4},
    {0x51, 6, .dst = 4, .pattern = 5},
    {0x52, 9, .dst = 4},
    {0x53, 8, .dst = 4, .src_xy = 5, .src_pitch = 6, .src = 7},
    {0x54, 8, .dst = 4, .mono = 5},
    {0x55, 9, .dst = 4, .src_xy = 6, .src_pitch = 5, .src = 7, .pattern = 8},
    {0x56, 9, .dst = 4, .mono = 5, .pattern = 8},
    {0x57, 12, .dst = 4, .src_xy = 6, .src_pitch = 5, .src = 7},
    {0x58, 12, .dst = 4, .mono = 5},
    {0x59, 7, .dst = 4},
    {0x71, 7, .dst = 4, .immediate_mono = true},
    {0x72, 5, .dst = 4, .immediate_pattern = true},
    {0x73, 10, .dst = 4, .src_xy = 5, .src_pitch = 6, .src = 7, .key = 8},
    {0x74, 8, .dst = 4, .src_xy = 6, .src_pitch = 5, .src = 7, .immediate_pattern = true},
    {0x75, 8, .dst = 4, .mono = 5, .immediate_pattern = true},
    {0x76, 8, .dst = 4, .pattern = 5, .key = 6},
    {0x77, 7, .dst = 4, .key = 5, .immediate_pattern = true},
};

static uint64_t seed;

static uint32_t
below(uint32_t n)
{
   return (uint32_t)(stand_next(&seed) >> 11) % n;
}

static uint32_t
bits(void)
{
   return (uint32_t)(stand_next(&seed) >> 16);
}

/* Pitch field and base of a surface of about 100 lines that stays in the memory. */
static uint32_t
pitch_and_base(bool tiled, uint32_t *base)
{
   uint32_t middle = STAND_BASE + STAND_SIZE / 4 + below(STAND_SIZE / 4);
   if (tiled) {
      *base = (middle & ~0xfffu) | (below(8) ? 0 : bits() & 0xfff);
      return below(16) ? (1 + below(4)) * 128
                       : below(600); /* whole X tiles; or any number of dwords */
   }
   static const int32_t unit[] = {64, 64, 4, 1};
   int32_t u = unit[below(4)];
   int32_t pitch = (int32_t)(1 + below(1024 / (uint32_t)u)) * u;
   *base = below(4) ? middle & ~3u : middle;
   return PITCH(below(5) ? pitch : -pitch);
}

static uint32_t
any_rect(uint32_t *corner2)
{
   int x = (int)below(60) - 10, y = (int)below(50) - 10;
   *corner2 = XY(x + (int)below(70) - 2, y + (int)below(30) - 1);
   return XY(x, y);
}

static bool
is_tiled(const struct stand *s, uint32_t dw0, unsigned bit, unsigned y_bit)
{
   return dw0 >> bit & 1 || s->oracle.swctrl >> y_bit & 1;
}

static unsigned
make(struct stand *s, const struct kind *k, uint32_t *dw)
{
   const struct hw_command *c = hw_command_find(OP(k->opcode), HW_BCS, HW_IVB);
   for (unsigned i = 0; i < 80; i++)
      dw[i] = bits();
   dw[0] = OP(k->opcode) | (bits() & 0x003fff00 & ~c->layout.mbz[0]);
   dw[1] &= ~c->layout.mbz[1];
   if (below(2))
      dw[0] |= CHANNELS;
   static const uint8_t common[] = {0xf0, 0xcc, 0xaa, 0x5a, 0x66, 0x00, 0xff, 0xe2, 0xb8};
   if (below(2))
      dw[1] = (dw[1] & ~0xff0000u) | ROP(common[below(sizeof(common))]);
   dw[2] = any_rect(&dw[3]);
   uint32_t pitch = pitch_and_base(is_tiled(s, dw[0], 11, 1), &dw[4]);
   dw[1] = (dw[1] & 0xffff0000) | pitch;
   if (k->src) {
      dw[k->src_pitch] = pitch_and_base(is_tiled(s, dw[0], 15, 0), &dw[k->src]);
      dw[k->src_xy] = XY((int)below(80) - 8, (int)below(60) - 8);
      if (below(3) == 0) { /* over itself */
         dw[k->src] = dw[4];
         dw[k->src_pitch] = pitch;
         dw[0] = (dw[0] & ~0x8000u) | (dw[0] >> 11 & 1) << 15;
      }
   }
   if (k->pattern)
      dw[k->pattern] = STAND_BASE + below(STAND_SIZE - 256);
   if (k->mono)
      dw[k->mono] = STAND_BASE + below(STAND_SIZE / 2);
   if (k->key) {
      dw[k->key] = bits() & bits();
      dw[k->key + 1] = bits() | bits();
   }
   unsigned count = k->fixed_dw;
   if (k->immediate_pattern)
      count += below(8) ? 64 : below(64);
   if (k->immediate_mono)
      count += below(70);
   return count;
}

static void
new_clip(struct stand *s)
{
   uint32_t c2, c1 = any_rect(&c2);
   BOTH(s, "clip", OP(0x03), c1, c2);
}

static struct stand *
start(uint64_t first_seed)
{
   struct stand *s = stand_create("ivb-gt2", PERGOLA_CHECK_OFF);
   seed = first_seed;
   print_message("# seed 0x%llx\n", (unsigned long long)first_seed);
   stand_random(s, &seed);
   return s;
}

/* Every XY command that carries its own control, against the oracle. */
static void
expect_agreement(uint64_t first_seed, unsigned first, unsigned last)
{
   struct stand *s = start(first_seed);
   for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
      char what[32];
      if (kinds[k].opcode < first || kinds[k].opcode > last)
         continue;
      snprintf(what, sizeof(what), "opcode 0x%02x", kinds[k].opcode);
      for (unsigned i = 0; i < ROUNDS; i++) {
         uint32_t dw[96];
         if (i % 8 == 0)
            new_clip(s);
         stand_swctrl(s, below(3) ? 0 : below(4));
         s->budget = below(4) ? UINT64_MAX : 1 + below(5);
         stand_both(s, dw, make(s, &kinds[k], dw), what);
      }
   }
   stand_destroy(s);
}

static void
xy_commands_agree_with_the_oracle(void **state)
{
   proves("BLT-003", "BLT-004", "BLT-005", "BLT-006", "BLT-007", "BLT-008", "BLT-009", "BLT-010");
   expect_agreement(0x1d872b41a5f3c9e7, 0x50, 0x59);
}

/* BLT-011, BLT-012, BLT-014, BLT-015, BLT-017: data in the command; BLT-013, BLT-016: keys. */
static void
xy_commands_with_data_or_keys_agree(void **state)
{
   proves("BLT-011", "BLT-012", "BLT-013", "BLT-014", "BLT-015", "BLT-016", "BLT-017");
   expect_agreement(0x5ab1e63f90d2c487, 0x71, 0x77);
}

static void
random_setup(struct stand *s)
{
   uint32_t clip2, clip1 = any_rect(&clip2), base;
   bool mono = below(2), tiled = below(2);
   uint32_t dw0 = OP(mono ? 0x11 : 0x01) | (bits() & CHANNELS) | (uint32_t)tiled << 11;
   uint32_t pitch = pitch_and_base(tiled || s->oracle.swctrl >> 1, &base);
   uint32_t br01 = (bits() & (mono ? 0xd3ff0000 : 0x63ff0000)) | pitch;
   if (mono)
      BOTH(s, "setup", dw0, br01, clip1, clip2, base, bits(), bits(), bits(), bits());
   else
      BOTH(s, "setup", dw0, br01, clip1, clip2, base, bits(), bits(),
           STAND_BASE + below(STAND_SIZE - 256));
}

/* BLT-018, BLT-019, BLT-020, BLT-021, BLT-022, BLT-023, BLT-024: what draws with the setup's state.
 */
static void
setup_commands_agree_with_the_oracle(void **state)
{
   proves("BLT-018", "BLT-019", "BLT-020", "BLT-021", "BLT-022", "BLT-023", "BLT-024");
   struct stand *s = start(0x7c15b0d2e4936af1);
   for (unsigned i = 0; i < 6 * ROUNDS; i++) {
      if (i % 6 == 0) {
         stand_swctrl(s, below(3) ? 0 : below(4));
         random_setup(s);
      }
      s->budget = below(4) ? UINT64_MAX : 1 + below(5);
      uint32_t tiled = s->oracle.channel_mask & 0x800, c2, c1 = any_rect(&c2);
      uint32_t dw[80] = {0};
      for (unsigned k = 3; k < 80; k++)
         dw[k] = bits();
      dw[1] = c1;
      dw[2] = c2;
      switch (below(5)) {
      case 0:
         new_clip(s);
         break;
      case 1:
         dw[0] = OP(0x24) | tiled;
         stand_both(s, dw, 2, "pixel");
         break;
      case 2:
         dw[0] = OP(0x25) | tiled | (bits() & 0x7700);
         stand_both(s, dw, 3, "scan lines");
         break;
      case 3:
         dw[0] = OP(0x26) | tiled | (bits() & 0x10000);
         dw[3] = STAND_BASE + below(STAND_SIZE / 2);
         stand_both(s, dw, 4, "text");
         break;
      default:
         dw[0] = OP(0x31) | tiled | (bits() & 0x10000);
         stand_both(s, dw, 3 + below(64), "immediate text");
      }
   }
   stand_destroy(s);
}

/* BLT-025, BLT-026: bytes, not pixels; any width, any address, both directions. */
static void
linear_commands_agree_with_the_oracle(void **state)
{
   proves("BLT-025", "BLT-026");
   struct stand *s = start(0x2f6e9d10c47b835a);
   for (unsigned i = 0; i < 4 * ROUNDS; i++) {
      uint32_t size = XY(below(300), below(40)), control = (bits() & 0x03ff0000);
      uint32_t to, from, pitch = pitch_and_base(false, &to),
                         from_pitch = pitch_and_base(false, &from);
      s->budget = below(4) ? UINT64_MAX : 1 + below(5);
      if (below(2))
         BOTH(s, "fill", OP(0x40) | (bits() & CHANNELS), control | pitch, size, to, bits());
      else
         BOTH(s, "copy", OP(0x43) | (bits() & CHANNELS), control | below(2) << 30 | pitch, size, to,
              from_pitch, below(2) ? from : to + below(200));
   }
   stand_destroy(s);
}

/* BLT-039: each of the 256 codes, at each depth, on all three operands. */
static void
all_raster_operations_at_all_depths(void **state)
{
   proves("BLT-039");
   struct stand *s = start(0x5ab1c3d7e9f20468);
   for (unsigned depth = 0; depth < 4; depth++)
      for (unsigned rop = 0; rop < 256; rop++)
         BOTH(s, "raster operation", OP(0x55) | CHANNELS, DEPTH(depth) | ROP(rop) | PITCH(256),
              XY(3, 2), XY(23, 7), STAND_BASE + 0x10000, 256, XY(1, 1), STAND_BASE + 0x20000,
              STAND_BASE + 0x30000);
   stand_destroy(s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(xy_commands_agree_with_the_oracle),
       cmocka_unit_test(xy_commands_with_data_or_keys_agree),
       cmocka_unit_test(setup_commands_agree_with_the_oracle),
       cmocka_unit_test(linear_commands_agree_with_the_oracle),
       cmocka_unit_test(all_raster_operations_at_all_depths),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
