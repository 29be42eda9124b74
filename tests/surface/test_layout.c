/* The address of a texel against a model that is written from the manual's text alone, and the
 * property that no two texels share bytes. */
#include "surface/format.h"
#include "surface/surface.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include "tests/proves.h"

static uint32_t
random32(uint32_t *seed)
{
   *seed = *seed * 1664525u + 1013904223u;
   return *seed >> 3 ^ *seed << 11;
}

static uint64_t
round_up(uint64_t v, uint64_t a)
{
   while (v % a)
      v++;
   return v;
}

/* Tiles are filled cell by cell in memory order; the oracle walks that order to find the cell. */
static uint64_t
oracle_tile(enum mem_tiling tiling, uint64_t x, uint64_t y, uint64_t pitch)
{
   uint64_t w = tiling == MEM_TILE_X ? 512 : 128, h = tiling == MEM_TILE_X ? 8 : 32;
   if (tiling == MEM_LINEAR)
      return y * pitch + x;
   uint64_t tiles_across = pitch / w, tile = y / h * tiles_across + x / w, tx = x % w, ty = y % h,
            at = 0;
   if (tiling == MEM_TILE_X) {
      for (uint64_t row = 0; row < ty; row++)
         at += 512;
      return tile * 4096 + at + tx;
   }
   for (uint64_t column = 0; column < tx / 16; column++)
      at += 32 * 16; /* a column of OWords is 32 rows high */
   return tile * 4096 + at + ty * 16 + tx % 16;
}

struct oracle {
   unsigned type, array, lod0, i, j, samples, ims, block_w, block_h, bytes, tiling, vls, vlso;
   uint64_t w, h, d, pitch, base, min_element;
};

static uint64_t
level(uint64_t v, unsigned lod)
{
   for (unsigned k = 0; k < lod; k++)
      v = v / 2;
   return v < 1 ? 1 : v;
}

static uint64_t
oracle_address(const struct oracle *o, unsigned lod, uint64_t x, uint64_t y, uint64_t slice,
               unsigned sample)
{
   uint64_t W = o->w, H = o->type == SURFTYPE_1D ? 1 : o->h;
   if (o->samples > 1 && o->ims) {
      static const unsigned sx4[4] = {0, 1, 0, 1}, sy4[4] = {0, 0, 1, 1};
      static const unsigned sx8[8] = {0, 1, 0, 1, 2, 3, 2, 3}, sy8[8] = {0, 0, 1, 1, 0, 0, 1, 1};
      unsigned across = o->samples == 4 ? 2 : 4;
      W = (W + 1) / 2 * 2 * across;
      H = (H + 1) / 2 * 4;
      /* a 2 by 2 block of pixels becomes across × 2 blocks of 2 by 2, one for each sample */
      uint64_t bx = x / 2, by = y / 2;
      unsigned sx = o->samples == 4 ? sx4[sample] : sx8[sample],
               sy = o->samples == 4 ? sy4[sample] : sy8[sample];
      x = (bx * across + sx) * 2 + x % 2;
      y = (by * 2 + sy) * 2 + y % 2;
   } else if (o->samples > 1) {
      slice = (slice + o->min_element) * o->samples + sample - o->min_element;
   }
   uint64_t px = 0, py = 0;
   if (o->type == SURFTYPE_3D) {
      uint64_t y0 = 0;
      for (unsigned k = 0; k < lod; k++) {
         uint64_t per_row = 1ull << k, slices = level(o->d, k), rows = 0;
         while (rows * per_row < slices)
            rows++;
         y0 += rows * round_up(level(H, k), o->j);
      }
      px = slice % (1ull << lod) * round_up(level(W, lod), o->i);
      py = y0 + slice / (1ull << lod) * round_up(level(H, lod), o->j);
   } else {
      if (lod >= 1)
         py = round_up(level(H, 0), o->j);
      for (unsigned k = 2; k < lod; k++)
         py += round_up(level(H, k), o->j);
      if (lod >= 2)
         px = round_up(level(W, 1), o->i);
      uint64_t q = round_up(H, o->j);
      if (!o->lod0)
         q += round_up(level(H, 1), o->j) + 12 * o->j;
      py += (slice + o->min_element) * q;
   }
   uint64_t ex = (px + x) / o->block_w, ey = (py + y) / o->block_h;
   if (o->vls)
      ey = ey * 2 + o->vlso;
   return o->base + oracle_tile(o->tiling, ex * o->bytes, ey, o->pitch);
}

static struct surface
make(const struct oracle *o, unsigned format, unsigned levels)
{
   struct hw_render_surface_state st = {.surface_type = o->type,
                                        .surface_array = o->array,
                                        .surface_format = format,
                                        .surface_vertical_alignment = o->j == 4,
                                        .surface_horizontal_alignment = o->i == 8,
                                        .tiled_surface = o->tiling != MEM_LINEAR,
                                        .tile_walk = o->tiling == MEM_TILE_Y,
                                        .vertical_line_stride = o->vls,
                                        .vertical_line_stride_offset = o->vlso,
                                        .surface_array_spacing = o->lod0,
                                        .surface_base_address = (uint32_t)o->base,
                                        .height = (uint32_t)o->h - 1,
                                        .width = (uint32_t)o->w - 1,
                                        .depth = (uint32_t)o->d - 1,
                                        .surface_pitch = (uint32_t)o->pitch - 1,
                                        .minimum_array_element = (uint32_t)o->min_element,
                                        .multisampled_surface_storage_format = o->ims,
                                        .number_of_multisamples = o->samples == 8   ? 3
                                                                  : o->samples == 4 ? 2
                                                                                    : 0,
                                        .mip_count_or_lod = levels - 1};
   uint32_t dw[8];
   struct surface s;
   gen7_render_surface_state_pack(dw, &st);
   surface_unpack(&s, dw, HW_IVB);
   return s;
}

static const struct {
   unsigned format, bytes, block_w, block_h, align_i, align_j;
} formats[] = {{0x140, 1, 1, 1, 0, 0},  {0x106, 2, 1, 1, 0, 0}, {0xc7, 4, 1, 1, 0, 0},
               {0x80, 8, 1, 1, 0, 0},   {0x00, 16, 1, 1, 0, 0}, {0x186, 8, 4, 4, 4, 4},
               {0x188, 16, 4, 4, 4, 4}, {0x192, 16, 8, 4, 8, 4}};

/* DP-468 DP-469 SMP-463 SMP-464 SMP-468 SMP-469 SMP-470 SMP-471 SMP-472 SMP-473 SMP-474 SMP-475
 * SMP-476: tiling × dimension × level × array × samples, random surfaces, random texels. */
static void
expect_places(unsigned runs, bool many)
{
   uint32_t seed = 20240611;
   for (unsigned run = 0; run < runs; run++) {
      unsigned f = random32(&seed) % 8;
      struct oracle o = {.type = many ? SURFTYPE_2D : random32(&seed) % 4,
                         .bytes = formats[f].bytes,
                         .block_w = formats[f].block_w,
                         .block_h = formats[f].block_h,
                         .tiling = random32(&seed) % 3,
                         .samples = 1};
      o.i = formats[f].align_i ? formats[f].align_i : random32(&seed) & 1 ? 8 : 4;
      o.j = formats[f].align_j ? formats[f].align_j : random32(&seed) & 1 ? 4 : 2;
      o.w = 1 + random32(&seed) % 300;
      o.h = o.type == SURFTYPE_1D ? 1 : 1 + random32(&seed) % 300;
      o.d = o.type == SURFTYPE_3D ? 1 + random32(&seed) % 40 : 1;
      o.array = o.type != SURFTYPE_3D && random32(&seed) & 1;
      if (o.array)
         o.d = 1 + random32(&seed) % 6;
      if (o.type == SURFTYPE_2D && formats[f].block_w == 1 && many) {
         o.samples = random32(&seed) & 1 ? 8 : 4;
         o.ims = random32(&seed) & 1;
      }
      unsigned levels = o.samples > 1 ? 1 : 1 + random32(&seed) % 9;
      o.lod0 = levels == 1 && random32(&seed) & 1;
      o.min_element = o.array ? random32(&seed) % 3 : 0;
      if (o.type == SURFTYPE_2D && !o.array && levels == 1 && o.samples == 1 &&
          formats[f].block_w == 1 && random32(&seed) % 4 == 0) {
         o.vls = 1;
         o.vlso = random32(&seed) & 1;
      }
      o.pitch = round_up(o.w * 8 * o.bytes + 4096, 512);
      o.base = 0x100000;
      struct surface s = make(&o, formats[f].format, levels);
      for (unsigned k = 0; k < 20; k++) {
         struct surface_texel at = {.lod = (uint8_t)(random32(&seed) % levels),
                                    .sample = (uint8_t)(random32(&seed) % o.samples)};
         struct surface_extent e = surface_level_size(&s, at.lod);
         assert_int_equal(e.width, level(o.w, at.lod));
         assert_int_equal(e.height, o.type == SURFTYPE_1D ? 1 : level(o.h, at.lod));
         at.x = random32(&seed) % e.width;
         at.y = random32(&seed) % e.height;
         at.slice = random32(&seed) % e.depth;
         uint32_t got;
         assert_true(surface_contains(&s, &at));
         assert_true(surface_address(&s, &at, &got));
         uint64_t want = oracle_address(&o, at.lod, at.x, at.y, at.slice, at.sample);
         if (got != want)
            fail_msg(
                "run %u: type %u format %x tiling %u lod %u (%u,%u,%u) sample %u: %x, not %llx",
                run, o.type, formats[f].format, o.tiling, at.lod, at.x, at.y, at.slice, at.sample,
                got, (unsigned long long)want);
      }
   }
}

static void
random_surfaces(void **state)
{
   proves("DP-468", "DP-469", "SMP-463", "SMP-464", "SMP-468", "SMP-469", "SMP-470", "SMP-471",
          "SMP-472", "SMP-474");
   expect_places(3000, false);
}

/* Samples beside each other, or in slices. */
static void
random_samples(void **state)
{
   proves("SMP-468", "SMP-475", "SMP-476");
   expect_places(1500, true);
}

/* Every texel of a surface has bytes of its own. */
static void
no_two_texels_share(void **state)
{
   static const unsigned tilings[3] = {MEM_LINEAR, MEM_TILE_X, MEM_TILE_Y};
   (void)state;
   for (unsigned type = 0; type < 4; type++)
      for (unsigned t = 0; t < 3; t++)
         for (unsigned ms = 0; ms < 5; ms++) {
            if (ms && type != SURFTYPE_2D)
               continue;
            struct oracle o = {.type = type,
                               .array = type != SURFTYPE_3D,
                               .i = 4,
                               .j = ms ? 4 : 2,
                               .samples = !ms      ? 1
                                          : ms < 3 ? 4
                                                   : 8,
                               .ims = ms == 2 || ms == 4,
                               .bytes = 4,
                               .tiling = tilings[t],
                               .w = 37,
                               .h = type == SURFTYPE_1D ? 1 : 21,
                               .d = 3,
                               .pitch = 2048,
                               .base = 0,
                               .lod0 = ms != 0};
            unsigned levels = ms ? 1 : 6;
            struct surface s = make(&o, 0xc7, levels);
            enum { CELLS = 1 << 20 };
            uint8_t *seen = calloc(CELLS, 1);
            unsigned count = 0;
            for (unsigned lod = 0; lod < levels; lod++) {
               struct surface_extent e = surface_level_size(&s, lod);
               for (uint32_t z = 0; z < e.depth; z++)
                  for (uint32_t y = 0; y < e.height; y++)
                     for (uint32_t x = 0; x < e.width; x++)
                        for (unsigned n = 0; n < o.samples; n++) {
                           struct surface_texel at = {x, y, z, (uint8_t)lod, (uint8_t)n};
                           uint32_t a;
                           assert_true(surface_address(&s, &at, &a));
                           assert_true(a / 4 < CELLS && a % 4 == 0);
                           assert_int_equal(seen[a / 4], 0);
                           seen[a / 4] = 1;
                           count++;
                        }
            }
            assert_true(count > 100);
            free(seen);
         }
}

/* DP-233: just inside and just outside, in every direction. */
static void
edges(void **state)
{
   proves("DP-233");
   struct oracle o = {.type = SURFTYPE_2D,
                      .array = 1,
                      .i = 4,
                      .j = 2,
                      .samples = 1,
                      .bytes = 4,
                      .tiling = MEM_LINEAR,
                      .w = 20,
                      .h = 10,
                      .d = 4,
                      .pitch = 256,
                      .base = 0x1000};
   struct surface s = make(&o, 0xc7, 3);
   (void)state;
   assert_true(surface_contains(&s, &(struct surface_texel){19, 9, 3, 0, 0}));
   assert_false(surface_contains(&s, &(struct surface_texel){20, 9, 3, 0, 0}));
   assert_false(surface_contains(&s, &(struct surface_texel){19, 10, 3, 0, 0}));
   assert_false(surface_contains(&s, &(struct surface_texel){19, 9, 4, 0, 0}));
   assert_false(surface_contains(&s, &(struct surface_texel){0, 0, 0, 3, 0}));
   assert_false(surface_contains(&s, &(struct surface_texel){0, 0, 0, 0, 1}));
   assert_true(surface_contains(&s, &(struct surface_texel){4, 1, 3, 2, 0}));
   assert_false(surface_contains(&s, &(struct surface_texel){5, 1, 3, 2, 0}));
   assert_false(surface_contains(&s, &(struct surface_texel){0xffffffff, 0, 0, 0, 0}));
}

/* DP-470 SMP-465: a bijection of the 64 by 64 cell, in blocks of 8 by 8 with alternating bits. */
static void
w_tiles(void **state)
{
   proves("DP-470", "SMP-465");
   uint8_t seen[4096] = {0};
   (void)state;
   for (uint32_t y = 0; y < 64; y++)
      for (uint32_t x = 0; x < 64; x++) {
         uint64_t a = mem_tile_offset(MEM_TILE_W, x, y, 128), want = 0;
         static const unsigned weight_x[6] = {1, 4, 16, 512, 1024, 2048},
                               weight_y[6] = {2, 8, 32, 64, 128, 256};
         for (unsigned k = 0; k < 6; k++)
            want += (x >> k & 1) * weight_x[k] + (y >> k & 1) * weight_y[k];
         assert_int_equal(a, want);
         assert_int_equal(seen[a]++, 0);
      }
   /* the programmed pitch counts two rows: 256 is a row of two tiles */
   assert_int_equal(mem_tile_offset(MEM_TILE_W, 64, 0, 256), 4096);
   assert_int_equal(mem_tile_offset(MEM_TILE_W, 0, 64, 256), 8192);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(random_surfaces), cmocka_unit_test(random_samples),
       cmocka_unit_test(no_two_texels_share), cmocka_unit_test(edges), cmocka_unit_test(w_tiles)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
