/* Depth and stencil: one sample against tables and whole numbers, then groups in memory against a
 * plain array of samples whose places are computed here. */
#include "../cs/rig.h"

#include "tests/proves.h"

#include "eu/fpmode.h"
#include "machine/float_bits.h"
#include "render/depth/depth.h"
#include "render/pixel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#define DEPTH_AT 0x200000u
#define STENCIL_AT 0x280000u

static uint64_t seed = 7;

static uint32_t
dice(uint32_t n)
{
   seed = seed * 6364136223846793005u + 1442695040888963407u;
   return (uint32_t)(seed >> 33) % n;
}

/* ---- one sample -------------------------------------------------------------------------------
 */

/* less, equal, greater, unordered */
static const char accepted[8][5] = {"yyyy", "nnnn", "ynnn", "nynn", "yynn", "nnyn", "ynyy", "nyyn"};

static void
compare_functions(void **state)
{
   proves("P3D-301", "P3D-303");
   (void)state;
   const float z[4] = {0.25f, 0.5f, 0.75f, NAN};
   static const struct {
      unsigned format;
      uint32_t half;
   } formats[] = {{DEPTH_D32_FLOAT, 0x3f000000},
                  {DEPTH_D24_UNORM_X8, 0xab800000 | 0x800000}, /* X bits do not count */
                  {DEPTH_D16_UNORM, 0x8000}};
   for (unsigned f = 0; f < 8; f++)
      for (unsigned k = 0; k < 3; k++)
         for (unsigned i = 0; i < 4; i++)
            assert_int_equal(depth_compare(formats[k].format, f, z[i], formats[k].half),
                             accepted[f][i] == 'y');
}

/* z * (2^n - 1) to the nearest, halves up, in whole numbers. */
static uint32_t
exact_unorm(float z, unsigned bits)
{
   int exponent;
   float m = frexpf(z, &exponent);
   __int128 most = (1 << bits) - 1, v = (__int128)(m * 16777216.0f) * most; /* over 2^(24 - e) */
   int shift = 24 - exponent;
   if (shift > 100)
      return 0;
   return (uint32_t)((2 * v + ((__int128)1 << shift)) >> (shift + 1));
}

static void
quantisation(void **state)
{
   proves("P3D-302", "P3D-303");
   (void)state;
   for (unsigned n = 0; n < 200000; n++) {
      float z =
          n % 3 ? (float)dice(1 << 24) / 16777216.0f : ldexpf((float)dice(1 << 24), -(int)dice(60));
      if (z > 1)
         continue;
      assert_int_equal(depth_encode(DEPTH_D24_UNORM_X8, z), exact_unorm(z, 24));
      assert_int_equal(depth_encode(DEPTH_D16_UNORM, z), exact_unorm(z, 16));
      assert_int_equal(depth_encode(DEPTH_D32_FLOAT, z), float_bits(z));
   }
   assert_int_equal(depth_encode(DEPTH_D24_UNORM_X8, 1.0f), 0xffffff);
   assert_int_equal(depth_encode(DEPTH_D24_UNORM_X8, 7.0f), 0xffffff);
   assert_int_equal(depth_encode(DEPTH_D16_UNORM, -1.0f), 0);
   assert_int_equal(depth_encode(DEPTH_D16_UNORM, NAN), 0);
}

static void
clamping(void **state)
{
   proves("P3D-301");
   (void)state;
   const float range[2] = {0.25f, 0.75f};
   assert_true(depth_clamp(0, range) == 0.25f);
   assert_true(depth_clamp(0.5f, range) == 0.5f);
   assert_true(depth_clamp(INFINITY, range) == 0.75f);
   assert_true(isnan(depth_clamp(NAN, range)));
}

static void
stencil_operations(void **state)
{
   proves("P3D-306");
   (void)state;
   for (int v = 0; v < 256; v++) {
      const int want[8] = {
          v,      0, 77, v == 255 ? 255 : v + 1, v == 0 ? 0 : v - 1, (v + 1) % 256, (v + 255) % 256,
          255 - v};
      for (unsigned op = 0; op < 8; op++)
         assert_int_equal(stencil_operate(op, (uint8_t)v, 77), want[op]);
   }
}

/* What should become of a sample, written apart: a table of cases instead of an order of steps. */
static void
one_sample(void)
{
   struct depth d = {.format = DEPTH_D24_UNORM_X8,
                     .function = (uint8_t)dice(8),
                     .test = dice(2),
                     .write = dice(2),
                     .stencil = dice(2),
                     .stencil_write = dice(2)};
   for (unsigned i = 0; i < 2; i++)
      d.face[i] = (struct stencil_face){(uint8_t)dice(8),  (uint8_t)dice(8),   (uint8_t)dice(8),
                                        (uint8_t)dice(8),  (uint8_t)dice(256), (uint8_t)dice(256),
                                        (uint8_t)dice(256)};
   bool back = dice(2);
   const struct stencil_face *f = &d.face[back];
   uint32_t stored = dice(4) * 0x555555, code = dice(4) * 0x555555;
   uint8_t there = (uint8_t)dice(256);
   unsigned a = f->reference & f->test_mask, b = there & f->test_mask;
   bool s = !d.stencil || accepted[f->function][a < b ? 0 : a == b ? 1 : 2] == 'y';
   bool z = !d.test || accepted[d.function][code < stored ? 0 : code == stored ? 1 : 2] == 'y';
   struct depth_outcome got =
       depth_sample(&d, back, (float)((double)code / 0xffffff), stored, there);
   assert_int_equal(got.pass, s && z);
   assert_int_equal(got.write_depth, s && z && d.write);
   if (got.write_depth)
      assert_int_equal(got.depth, code);
   uint8_t want = there;
   if (d.stencil && d.stencil_write) {
      unsigned op = s ? (z ? f->pass : f->depth_fail) : f->fail;
      want = (uint8_t)((stencil_operate(op, there, f->reference) & f->write_mask) |
                       (there & ~f->write_mask));
   }
   assert_int_equal(got.write_stencil ? got.stencil : there, want);
}

static void
outcomes(void **state)
{
   proves("P3D-304", "P3D-305", "P3D-307");
   (void)state;
   for (unsigned n = 0; n < 100000; n++)
      one_sample();
}

/* ---- buffers in memory ------------------------------------------------------------------------
 */

struct buffers {
   struct rig *rig;
   struct depth_source in;
   struct depth d;
};

static int
setup(void **state)
{
   struct buffers *b = calloc(1, sizeof(*b));
   b->rig = rig_create("ivb-gt2", PERGOLA_CHECK_REPORT);
   rig_start(b->rig, RCS, 16, 0);
   b->in.buffer = (struct hw_3dstate_depth_buffer){.surface_type = 1,
                                                   .surface_format = DEPTH_D24_UNORM_X8,
                                                   .surface_pitch = 512 - 1,
                                                   .surface_base_address = DEPTH_AT,
                                                   .depth_write_enable = true,
                                                   .stencil_write_enable = true,
                                                   .width = 60 - 1,
                                                   .height = 50 - 1};
   b->in.stencil = (struct hw_3dstate_stencil_buffer){.surface_pitch = 2 * 128 - 1,
                                                      .surface_base_address = STENCIL_AT};
   b->in.state = (struct hw_depth_stencil_state){
       .depth_test_enable = true, .depth_test_function = 2, .depth_buffer_write_enable = true};
   for (unsigned i = 0; i < 16; i++)
      b->in.viewport[i] = (struct hw_cc_viewport){0, 1};
   *state = b;
   return 0;
}

static int
teardown(void **state)
{
   struct buffers *b = *state;
   rig_destroy(b->rig);
   free(b);
   return 0;
}

static void
bind(struct buffers *b, unsigned samples)
{
   depth_bind(&b->d, &b->in, b->rig->dev, &b->rig->dev->ggtt, samples);
}

/* DP-469: columns of 16 bytes, 32 rows high. */
static uint32_t
y_tiled(uint32_t x_B, uint32_t y, uint32_t pitch)
{
   return y / 32 * (pitch * 32) + x_B / 128 * 4096 + x_B % 128 / 16 * 512 + y % 32 * 16 + x_B % 16;
}

/* DP-470 */
static uint32_t
w_tiled(uint32_t x, uint32_t y, uint32_t pitch)
{
   static const uint8_t spread[8] = {0, 1, 4, 5, 16, 17, 20, 21};
   return y / 64 * (pitch / 2 * 64) + x / 64 * 4096 + x % 64 / 8 * 512 + y % 64 / 8 * 64 +
          spread[x % 8] + 2u * spread[y % 8];
}

static uint8_t *
at(struct buffers *b, uint32_t address)
{
   return (uint8_t *)rig_ggtt(b->rig, address & ~3u) + (address & 3);
}

static struct pixel_group
group_at(unsigned x, unsigned y, unsigned samples)
{
   struct pixel_group g = {.subspans = 4, .samples = (uint8_t)samples};
   for (unsigned i = 0; i < 4; i++)
      g.x[i] = (uint16_t)(x + 2 * i), g.y[i] = (uint16_t)y;
   for (unsigned s = 0; s < samples; s++)
      g.lit[s] = 0xffff;
   return g;
}

/* Every pixel gets a depth of its own, in every format, level, layer and with an offset. */
static void
addresses(void **state)
{
   proves("P3D-294", "P3D-295", "P3D-297", "MEM-021");
   struct buffers *b = *state;
   static const struct {
      unsigned format, size, lod, layer, first;
      int dx, dy;
   } kinds[] = {{DEPTH_D24_UNORM_X8, 4, 0, 0, 0, 0, 0}, {DEPTH_D32_FLOAT, 4, 0, 0, 0, 0, 0},
                {DEPTH_D16_UNORM, 2, 0, 0, 0, 0, 0},    {DEPTH_D24_UNORM_X8, 4, 1, 0, 0, 0, 0},
                {DEPTH_D16_UNORM, 2, 2, 0, 0, 0, 0},    {DEPTH_D32_FLOAT, 4, 0, 2, 0, 0, 0},
                {DEPTH_D32_FLOAT, 4, 1, 1, 1, 0, 0},    {DEPTH_D24_UNORM_X8, 4, 0, 9, 0, 0, 0},
                {DEPTH_D24_UNORM_X8, 4, 0, 0, 0, 4, 8}};
   for (unsigned k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
      unsigned size = kinds[k].size, lod = kinds[k].lod, halign = size == 2 ? 8 : 4;
      b->in.buffer.surface_format = kinds[k].format;
      b->in.buffer.lod = lod;
      b->in.buffer.depth = b->in.buffer.render_target_view_extent = 3;
      b->in.buffer.minimum_array_element = kinds[k].first;
      b->in.buffer.depth_coordinate_offset_x = kinds[k].dx;
      b->in.buffer.depth_coordinate_offset_y = kinds[k].dy;
      bind(b, 1);
      /* 60x50, 30x25, 15x12: heights with alignment 4 are 52, 28, 12; widths of the second 32 */
      const unsigned w[3] = {60, 30, 15}, h[3] = {50, 25, 12},
                     x0[3] = {0, 0, halign == 8 ? 32 : 32}, y0[3] = {0, 52, 52};
      unsigned slice = (kinds[k].layer < 4 ? kinds[k].layer : 0) + kinds[k].first,
               qpitch = 52 + 28 + 12 * 4;
      memset(at(b, DEPTH_AT), 0xff, 0x40000);
      for (unsigned y = 0; y < 50; y += 2)
         for (unsigned x = 0; x < 60; x += 8) {
            struct pixel_group g = group_at(x, y, 1);
            g.layer = (uint16_t)kinds[k].layer;
            for (unsigned i = 0; i < 16; i++) {
               unsigned px = x + i / 4 * 2 + i % 2, py = y + i / 2 % 2;
               g.z[0][i] = (float)(px + 64 * py) / 65535.0f;
            }
            b->d.function = 0;
            depth_group(&b->d, &g, (const float(*)[32])g.z, g.lit, true);
         }
      for (unsigned y = 0; y < 50; y++)
         for (unsigned x = 0; x < 60; x++) {
            int mx = (int)x + kinds[k].dx, my = (int)y + kinds[k].dy;
            if (mx >= (int)w[lod] || my >= (int)h[lod])
               continue;
            float z = (float)(x + 64 * y) / 65535.0f;
            uint32_t got = 0, where = y_tiled((x0[lod] + (unsigned)mx) * size,
                                              y0[lod] + (unsigned)my + slice * qpitch, 512);
            memcpy(&got, at(b, DEPTH_AT + where), size);
            uint32_t want = kinds[k].format == DEPTH_D32_FLOAT ? float_bits(z)
                            : size == 2                        ? x + 64 * y
                                                               : exact_unorm(z, 24);
            if (got != want)
               fail_msg("case %u: %u,%u is %#x, not %#x", k, x, y, got, want);
         }
   }
   rig_clean(b->rig);
}

static void
other_types(void **state)
{
   proves("P3D-294", "P3D-299", "P3D-300");
   struct buffers *b = *state;
   b->in.buffer.surface_type = 7; /* NULL: tests pass, nothing is written */
   bind(b, 1);
   struct pixel_group g = group_at(0, 0, 1);
   b->d.function = 1;
   depth_group(&b->d, &g, (const float(*)[32])g.z, g.lit, true);
   assert_int_equal(g.lit[0], 0xffff);
   b->in.buffer.surface_type = 1; /* stencil alone: there is no memory at address 0 */
   b->in.buffer.surface_base_address = 0;
   b->in.state.stencil_test_enable = b->in.state.stencil_buffer_write_enable = true;
   b->in.state.stencil_pass_depth_pass_op = GEN7_STENCIL_OPERATION_REPLACE;
   b->in.state.stencil_write_mask = b->in.state.stencil_test_mask = 0xff;
   b->in.cc.stencil_reference_value = 0x5a;
   bind(b, 1);
   uint32_t first = *rig_ggtt(b->rig, 0);
   depth_group(&b->d, &g, (const float(*)[32])g.z, g.lit, true);
   assert_int_equal(*at(b, STENCIL_AT), 0x5a);
   assert_int_equal(*rig_ggtt(b->rig, 0), first);
   rig_clean(b->rig);
   b->in.buffer.surface_base_address = DEPTH_AT; /* a format that is none */
   for (unsigned known = 1; known < 2; known--)
      for (unsigned f = 0; f < 8; f++) {
         if (known != (f == 1 || f == 3 || f == 5))
            continue;
         b->in.buffer.surface_format = f;
         bind(b, 1);
         assert_int_equal(b->d.present, known);
         assert_int_equal(rig_count(b->rig, "P3D-294") != 0, !known);
         if (!known)
            continue;
         *rig_ggtt(b->rig, DEPTH_AT) =
             0x3f7fffff; /* there is memory: 0 is nearer, in each format */
         depth_group(&b->d, &g, (const float(*)[32])g.z, g.lit, true);
         assert_int_equal(*rig_ggtt(b->rig, DEPTH_AT) & 0xffff, 0);
      }
}

/* A 3D surface has its slices, a cube its faces. */
static void
volumes_and_cubes(void **state)
{
   proves("P3D-297");
   struct buffers *b = *state;
   b->in.buffer.depth = b->in.buffer.render_target_view_extent = 5;
   b->in.state.depth_test_function = 0;
   for (unsigned type = 2; type <= 3; type++)
      for (unsigned layer = 0; layer < 6; layer++) {
         b->in.buffer.surface_type = type;
         b->in.buffer.depth = type == 3 ? 0 : 5;
         memset(at(b, DEPTH_AT), 0xff, 0x40000);
         bind(b, 1);
         struct pixel_group g = group_at(8, 4, 1);
         g.layer = (uint16_t)layer;
         depth_group(&b->d, &g, (const float(*)[32])g.z, g.lit, true);
         /* slices of level 0 of a volume lie below each other, 52 rows apart */
         unsigned row = 4 + layer * (type == 2 ? 52 : 52 + 28 + 48);
         uint32_t got;
         memcpy(&got, at(b, DEPTH_AT + y_tiled(8 * 4, row, 512)), 4);
         assert_int_equal(got, 0);
      }
   rig_clean(b->rig);
}

/* Stencil lies in W tiles, with the size, level and layer of depth. */
static void
stencil_addresses(void **state)
{
   proves("P3D-298", "P3D-306");
   struct buffers *b = *state;
   b->in.state =
       (struct hw_depth_stencil_state){.stencil_test_enable = true,
                                       .stencil_buffer_write_enable = true,
                                       .stencil_pass_depth_pass_op = GEN7_STENCIL_OPERATION_REPLACE,
                                       .stencil_write_mask = 0xff};
   b->in.buffer.depth = b->in.buffer.render_target_view_extent = 1;
   for (unsigned lod = 0; lod < 2; lod++)
      for (unsigned layer = 0; layer < 2; layer++) {
         const unsigned w[2] = {60, 30}, h[2] = {50, 25}, y0[2] = {0, 56}; /* alignment 8 */
         unsigned qpitch = 56 + 32 + 12 * 8;
         memset(at(b, STENCIL_AT), 0xff, 0x20000);
         b->in.buffer.lod = lod;
         for (unsigned y = 0; y < h[lod]; y += 2)
            for (unsigned x = 0; x < w[lod]; x += 8)
               for (unsigned i = 0; i < 16; i++) {
                  unsigned px = x + i / 4 * 2 + i % 2, py = y + i / 2 % 2;
                  b->in.cc.stencil_reference_value = (px * 7 + py * 13) & 0xff;
                  bind(b, 1);
                  struct pixel_group g = group_at(x, y, 1);
                  g.lit[0] = 1u << i;
                  g.layer = (uint16_t)layer;
                  depth_group(&b->d, &g, (const float(*)[32])g.z, g.lit, true);
               }
         for (unsigned y = 0; y < h[lod]; y++)
            for (unsigned x = 0; x < w[lod]; x++) {
               uint8_t got = *at(b, STENCIL_AT + w_tiled(x, y + y0[lod] + layer * qpitch, 256));
               if (got != ((x * 7 + y * 13) & 0xff))
                  fail_msg("level %u layer %u: %u,%u is %#x", lod, layer, x, y, got);
            }
      }
   rig_clean(b->rig);
}

/* A storm of tests on groups against a plain array; with `commit` off nothing changes. */
static void
storm(void **state)
{
   proves("P3D-301", "P3D-304", "P3D-305", "P3D-306", "P3D-307", "MEM-021");
   struct buffers *b = *state;
   static uint32_t depth[64][64];
   static uint8_t stencil[64][64];
   static const unsigned formats[3] = {DEPTH_D32_FLOAT, DEPTH_D24_UNORM_X8, DEPTH_D16_UNORM};
   for (unsigned k = 0; k < 3; k++) {
      unsigned size = k == 2 ? 2 : 4;
      memset(depth, 0, sizeof(depth));
      memset(stencil, 0, sizeof(stencil));
      memset(at(b, DEPTH_AT), 0, 0x20000);
      memset(at(b, STENCIL_AT), 0, 0x20000);
      b->in.buffer.surface_format = formats[k];
      for (unsigned n = 0; n < 3000; n++) {
         b->in.state =
             (struct hw_depth_stencil_state){.stencil_test_enable = dice(2),
                                             .stencil_test_function = dice(8),
                                             .stencil_fail_op = dice(8),
                                             .stencil_pass_depth_fail_op = dice(8),
                                             .stencil_pass_depth_pass_op = dice(8),
                                             .stencil_buffer_write_enable = dice(4) != 0,
                                             .double_sided_stencil_enable = dice(2),
                                             .backface_stencil_test_function = dice(8),
                                             .backface_stencil_fail_op = dice(8),
                                             .backface_stencil_pass_depth_fail_op = dice(8),
                                             .backface_stencil_pass_depth_pass_op = dice(8),
                                             .stencil_test_mask = dice(256),
                                             .stencil_write_mask = dice(256),
                                             .backface_stencil_test_mask = dice(256),
                                             .backface_stencil_write_mask = dice(256),
                                             .depth_test_enable = dice(4) != 0,
                                             .depth_test_function = dice(8),
                                             .depth_buffer_write_enable = dice(4) != 0};
         b->in.buffer.depth_write_enable = dice(8) != 0;
         b->in.buffer.stencil_write_enable = dice(8) != 0;
         b->in.cc.stencil_reference_value = dice(256);
         b->in.cc.backface_stencil_reference_value = dice(256);
         b->in.viewport[3] = (struct hw_cc_viewport){0.1f, 0.9f};
         bind(b, 1);
         struct pixel_group g = group_at(dice(30) * 2, dice(26) * 2, 1);
         g.viewport = dice(2) ? 3 : 0;
         g.back_facing = dice(2);
         uint32_t lit = g.lit[0] = dice(65536), want = lit;
         bool commit = dice(4) != 0;
         for (unsigned i = 0; i < 16; i++) {
            unsigned x = g.x[i / 4] + i % 2, y = g.y[0] + i / 2 % 2;
            g.z[0][i] = (float)dice(9) / 8.0f;
            if (!(lit >> i & 1))
               continue;
            bool uses = b->d.test || b->d.write || b->d.stencil;
            if (uses && (x >= 60 || y >= 50)) {
               want &= ~(1u << i);
               continue;
            }
            if (!uses)
               continue;
            float z = g.viewport == 3 ? fmaxf(0.1f, fminf(0.9f, g.z[0][i])) : g.z[0][i];
            struct depth_outcome o =
                depth_sample(&b->d, g.back_facing, z, depth[y][x], stencil[y][x]);
            want &= o.pass ? ~0u : ~(1u << i);
            if (commit && o.write_depth)
               depth[y][x] = o.depth;
            if (commit && o.write_stencil)
               stencil[y][x] = o.stencil;
         }
         depth_group(&b->d, &g, (const float(*)[32])g.z, g.lit, commit);
         assert_int_equal(g.lit[0], want);
      }
      for (unsigned y = 0; y < 50; y++)
         for (unsigned x = 0; x < 60; x++) {
            uint32_t got = 0;
            memcpy(&got, at(b, DEPTH_AT + y_tiled(x * size, y, 512)), size);
            assert_int_equal(got, depth[y][x]);
            assert_int_equal(*at(b, STENCIL_AT + w_tiled(x, y, 256)), stencil[y][x]);
         }
   }
   rig_clean(b->rig);
}

/* Eight pixels at once and one by one: the same lit samples, the same memory, with the host's modes
 * as threads have them. */
static void
fast_equals_general(void **state)
{
   proves("P3D-290", "P3D-301", "P3D-302", "P3D-303", "P3D-304", "MEM-021");
   struct buffers *b = *state;
   static uint8_t before[0x38000], after[0x38000];
   static const uint32_t some[] = {0x7fc00000, 0xffc00001, 0x7f800000, 0xff800000, 0x80000000,
                                   0,          1,          0x80000001, 0x3f800000, 0xbf800000};
   unsigned taken = 0;
   b->in.buffer.depth = b->in.buffer.render_target_view_extent = 2;
   for (uint32_t page = 0; page < 0x200000; page += 4096) /* what is around it is known as well */
      assert_non_null(mem_translate(&b->rig->dev->ggtt, DEPTH_AT + page, MEM_WRITE));
   for (unsigned i = 0; i < sizeof(before); i += 4) {
      uint32_t v = dice(3) ? float_bits((float)dice(9) / 8.0f) : some[dice(10)];
      memcpy(before + i, &v, 4);
   }
   memcpy(at(b, DEPTH_AT), before, sizeof(before));
   for (unsigned n = 0; n < 6000; n++) {
      struct pixel_group g = group_at(dice(28) * 2, dice(25) * 2, 1), same;
      bool commit = dice(4) != 0;
      b->in.buffer.surface_format = dice(2) ? DEPTH_D32_FLOAT : DEPTH_D24_UNORM_X8;
      b->in.state = (struct hw_depth_stencil_state){.depth_test_enable = dice(4) != 0,
                                                    .depth_test_function = dice(8),
                                                    .depth_buffer_write_enable = dice(4) != 0};
      b->in.viewport[0] = (struct hw_cc_viewport){dice(2) ? 0 : 0.2f, dice(2) ? 1 : 0.7f};
      bind(b, 1);
      g.layer = (uint16_t)dice(4);
      g.lit[0] = dice(65536);
      if (dice(2))
         g.x[2] = (uint16_t)(dice(30) * 2), g.y[2] = (uint16_t)((g.y[0] + 2) % 50);
      for (unsigned i = 0; i < 16; i++)
         g.z[0][i] = dice(3) ? (float)dice(9) / 8.0f : bits_float(some[dice(10)]);
      same = g;
      taken += b->d.fast != NULL;
      unsigned modes = fpmode_get();
      fpmode_set(FPMODE_HOST | FPMODE_FLUSH);
      memcpy(before, at(b, DEPTH_AT), sizeof(before));
      depth_group(&b->d, &g, (const float(*)[32])g.z, g.lit, commit);
      memcpy(after, at(b, DEPTH_AT), sizeof(after));
      memcpy(at(b, DEPTH_AT), before, sizeof(before));
      b->d.fast = NULL;
      depth_group(&b->d, &same, (const float(*)[32])same.z, same.lit, commit);
      fpmode_set(modes);
      assert_int_equal(g.lit[0], same.lit[0]);
      assert_memory_equal(after, at(b, DEPTH_AT), sizeof(after));
   }
   assert_true(taken > 3000);
   rig_clean(b->rig);
}

/* Interleaved samples: a pixel of four is two by two, one of eight four by two. */
static void
samples_interleave(void **state)
{
   proves("P3D-296");
   struct buffers *b = *state;
   b->in.buffer.width = 28 - 1;
   b->in.buffer.height = 20 - 1;
   b->in.state.depth_test_function = 0;
   for (unsigned samples = 4; samples <= 8; samples *= 2) {
      memset(at(b, DEPTH_AT), 0xff, 0x20000);
      bind(b, samples);
      for (unsigned y = 0; y < 20; y += 2)
         for (unsigned x = 0; x < 28; x += 8) {
            struct pixel_group g = group_at(x, y, samples);
            for (unsigned s = 0; s < samples; s++)
               for (unsigned i = 0; i < 16; i++) {
                  unsigned px = x + i / 4 * 2 + i % 2, py = y + i / 2 % 2;
                  g.z[s][i] = (float)((px + 32 * py) * 8 + s) / 16777215.0f;
               }
            depth_group(&b->d, &g, (const float(*)[32])g.z, g.lit, true);
         }
      for (unsigned y = 0; y < 20; y++)
         for (unsigned x = 0; x < 28; x++)
            for (unsigned s = 0; s < samples; s++) {
               unsigned sx = samples == 4 ? x / 2 * 4 + (s & 1) * 2 + x % 2
                                          : x / 2 * 8 + (s >> 2) * 4 + (s & 1) * 2 + x % 2,
                        sy = y / 2 * 4 + (s >> 1 & 1) * 2 + y % 2;
               uint32_t got;
               memcpy(&got, at(b, DEPTH_AT + y_tiled(sx * 4, sy, 512)), 4);
               assert_int_equal(got, (x + 32 * y) * 8 + s);
            }
   }
   rig_clean(b->rig);
}

static void
clears(void **state)
{
   proves("P3D-311");
   struct buffers *b = *state;
   static const unsigned formats[3] = {DEPTH_D32_FLOAT, DEPTH_D24_UNORM_X8, DEPTH_D16_UNORM};
   static const uint32_t values[3] = {0x3f400000, 0xcc123456, 0x89ab};
   for (unsigned n = 0; n < 60; n++) {
      unsigned k = n % 3, size = k == 2 ? 2 : 4, x0 = dice(40), y0 = dice(40), x1 = x0 + dice(40),
               y1 = y0 + dice(40);
      bool valid = dice(2), with_stencil = dice(2);
      b->in.buffer.surface_format = formats[k];
      b->in.state = (struct hw_depth_stencil_state){.depth_buffer_write_enable = true,
                                                    .stencil_test_enable = with_stencil,
                                                    .stencil_buffer_write_enable = true,
                                                    .stencil_pass_depth_pass_op =
                                                        GEN7_STENCIL_OPERATION_REPLACE,
                                                    .stencil_write_mask = 0xf0};
      b->in.cc.stencil_reference_value = 0x77;
      b->in.clear = (struct hw_3dstate_clear_params){values[k], valid};
      memset(at(b, DEPTH_AT), 0x11, 0x20000);
      memset(at(b, STENCIL_AT), 0x11, 0x20000);
      bind(b, 1);
      depth_clear(&b->d, (int32_t)x0, (int32_t)y0, (int32_t)x1, (int32_t)y1, 0, 0.5f);
      uint32_t cleared = !valid   ? depth_encode(formats[k], 0.5f)
                         : k == 1 ? values[k] & 0xffffff
                                  : values[k];
      for (unsigned y = 0; y < 64; y++)
         for (unsigned x = 0; x < 64; x++) {
            bool in = x >= x0 && x < x1 && y >= y0 && y < y1 && x < 60 && y < 50;
            uint32_t got = 0, kept = size == 2 ? 0x1111 : 0x11111111;
            memcpy(&got, at(b, DEPTH_AT + y_tiled(x * size, y, 512)), size);
            assert_int_equal(got, in ? cleared : kept);
            assert_int_equal(*at(b, STENCIL_AT + w_tiled(x, y, 256)),
                             in && with_stencil ? 0x71 : 0x11);
         }
   }
   rig_clean(b->rig);
}

static void
hostile(void **state)
{
   proves("P3D-317");
   struct buffers *b = *state;
   struct pixel_group g = group_at(0, 0, 1);
   bind(b, 1);
   rig_clean(b->rig);
   b->in.buffer.surface_pitch = 128 - 1; /* 60 pixels need 240 bytes */
   bind(b, 1);
   assert_true(rig_count(b->rig, "P3D-317"));
   b->in.buffer.width = 16383;
   b->in.buffer.height = 16383;
   bind(b, 1);
   for (unsigned i = 0; i < 4; i++)
      g.x[i] = 16382, g.y[i] = 16382;
   depth_group(&b->d, &g, (const float(*)[32])g.z, g.lit, true);
   b->in.buffer.surface_base_address = 0x7ffff000; /* not mapped: faults, nothing else */
   b->in.buffer.lod = 15;
   rig_forget(b->rig);
   bind(b, 1);
   assert_true(rig_count(b->rig, "P3D-317"));
   depth_group(&b->d, &g, (const float(*)[32])g.z, g.lit, true);
   depth_clear(&b->d, 0, 0, 64, 64, 0, 1);
   assert_int_equal(g.lit[0], 0);
   rig_forget(b->rig);
}

/* A block of 8x8 pixels at once, and as four rows of subspans one by one. */
static void
blocks_equal_general(void **state)
{
   proves("MEM-021");
   struct buffers *b = *state;
   static uint8_t before[0x20000], after[0x20000];
   unsigned taken = 0;
   for (unsigned i = 0; i < sizeof(before); i += 4) {
      uint32_t v = float_bits((float)dice(9) / 8.0f);
      memcpy(before + i, &v, 4);
   }
   memcpy(at(b, DEPTH_AT), before, sizeof(before));
   b->in.buffer.surface_format = DEPTH_D32_FLOAT;
   b->in.viewport[0] = (struct hw_cc_viewport){0, 1};
   for (unsigned n = 0; n < 2000; n++) {
      float z[4][16];
      unsigned x = 8 * dice(7), y = 8 * dice(6);
      uint64_t lit = (uint64_t)dice(65536) << 48 | (uint64_t)dice(65536) << 32 |
                     (uint64_t)dice(65536) << 16 | dice(65536),
               fast = lit, want = 0;
      b->in.state = (struct hw_depth_stencil_state){.depth_test_enable = true,
                                                    .depth_test_function = dice(8),
                                                    .depth_buffer_write_enable = dice(4) != 0};
      bind(b, 1);
      for (unsigned i = 0; i < 64; i++)
         z[i / 16][i % 16] = (float)dice(9) / 8.0f;
      struct pixel_group g = group_at(x, y, 1);
      memcpy(before, at(b, DEPTH_AT), sizeof(before));
      bool done = b->d.fast && b->d.fast->block(&b->d, &g, (int32_t)x, (int32_t)y, z, &fast, true);
      memcpy(after, at(b, DEPTH_AT), sizeof(after));
      if (!done)
         assert_memory_equal(before, after, sizeof(before));
      memcpy(at(b, DEPTH_AT), before, sizeof(before));
      b->d.fast = NULL;
      for (unsigned i = 0; i < 4; i++) {
         g = group_at(x, y + 2 * i, 1);
         g.lit[0] = lit >> 16 * i & 0xffff;
         memcpy(g.z[0], z[i], sizeof(z[i]));
         depth_group(&b->d, &g, (const float(*)[32])g.z, g.lit, true);
         want |= (uint64_t)g.lit[0] << 16 * i;
      }
      if (!done)
         continue;
      taken++;
      assert_true(fast == want);
      assert_memory_equal(after, at(b, DEPTH_AT), sizeof(after));
   }
   if (taken && taken < 1000) /* a host without the vectors has no blocks */
      fail_msg("only %u blocks were taken", taken);
   rig_clean(b->rig);
}

/* The fast path asks once for a subspan's page: tiles that are no pages are not for it. */
static void
tiles_across_pages(void **state)
{
   proves("P3D-317");
   struct buffers *b = *state;
   b->in.state = (struct hw_depth_stencil_state){.depth_test_enable = true,
                                                 .depth_buffer_write_enable = true};
   bind(b, 1);
   assert_non_null(b->d.fast);
   rig_clean(b->rig);
   b->in.buffer.surface_base_address += 0xff8;
   bind(b, 1);
   assert_null(b->d.fast);
   assert_true(rig_count(b->rig, "P3D-317"));
   rig_forget(b->rig);
   b->in.buffer.surface_base_address -= 0xff8;
   b->in.buffer.surface_pitch += 8;
   bind(b, 1);
   assert_null(b->d.fast);
   assert_true(rig_count(b->rig, "P3D-317"));
   rig_forget(b->rig);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(compare_functions),
       cmocka_unit_test(quantisation),
       cmocka_unit_test(clamping),
       cmocka_unit_test(stencil_operations),
       cmocka_unit_test(outcomes),
       CASE(addresses),
       CASE(other_types),
       CASE(volumes_and_cubes),
       CASE(stencil_addresses),
       CASE(storm),
       CASE(fast_equals_general),
       CASE(samples_interleave),
       CASE(clears),
       CASE(hostile),
       CASE(blocks_equal_general),
       CASE(tiles_across_pages),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
