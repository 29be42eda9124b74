/* Kinds of surfaces: what resinfo says of them, where their elements are, odd formats. */
#include "eu/fpmode.h"
#include "rig.h"

#define FORMAT(name) GEN7_SURFACE_FORMAT_##name
#define MODE(name) GEN7_TEXTURE_COORDINATE_MODE_##name

static void
nearest_sampler(struct fx *f, unsigned mode)
{
   struct hw_sampler_state st = {.max_lod = 14 << 8,
                                 .tcx_address_control_mode = mode,
                                 .tcy_address_control_mode = mode,
                                 .tcz_address_control_mode = mode};
   rig_sampler(f, 0, &st);
   f->exec_mask = 0xff;
}

static void
near(double got, double want)
{
   if (!(fabs(got - want) < 1e-6))
      fail_msg("%.9g for %.9g", got, want);
}

/* Sizes by kind and level; outside the levels colours are 0 and alpha still counts them. Pixels of
 * a multisampled surface, not samples. */
static void
sizes(void **state)
{
   proves("SMP-102", "SMP-257", "SMP-258", "SMP-259", "SMP-261", "SMP-262", "SMP-305");
   struct fx *f = *state;
   static const struct {
      unsigned type, array, depth, samples;
      uint32_t level0[4], level1[4];
   } list[] = {
       {SURFTYPE_1D, 0, 1, 0, {37, 0, 0, 3}, {18, 0, 0, 3}},
       {SURFTYPE_1D, 1, 5, 0, {37, 5, 0, 3}, {18, 5, 0, 3}},
       {SURFTYPE_2D, 0, 1, 0, {37, 21, 0, 3}, {18, 10, 0, 3}},
       {SURFTYPE_2D, 1, 5, 0, {37, 21, 5, 3}, {18, 10, 5, 3}},
       {SURFTYPE_3D, 0, 9, 0, {37, 21, 9, 3}, {18, 10, 4, 3}},
       {SURFTYPE_CUBE, 0, 1, 0, {37, 37, 0, 3}, {18, 18, 0, 3}},
       {SURFTYPE_CUBE, 1, 4, 0, {37, 37, 4, 3}, {18, 18, 4, 3}},
       {SURFTYPE_2D, 0, 1, 2, {37, 21, 0, 1}, {0, 0, 0, 1}},
   };
   f->exec_mask = 0xff;
   for (unsigned i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
      struct hw_render_surface_state s = rig_2d(FORMAT(R8_UNORM), 37, 21, 128);
      s.surface_type = list[i].type;
      s.surface_array = list[i].array;
      s.depth = list[i].depth - 1;
      s.height = list[i].type == SURFTYPE_1D ? 0 : list[i].type == SURFTYPE_CUBE ? 36 : 20;
      s.mip_count_or_lod = list[i].samples ? 0 : 2;
      s.number_of_multisamples = list[i].samples;
      if (list[i].samples) { /* as such a surface is */
         s.tiled_surface = true;
         s.tile_walk = s.surface_array_spacing = s.surface_vertical_alignment = 1;
      }
      fx_surface(f, 1, &s);
      for (unsigned p = 0; p < 8; p++)
         rig_put(f, SIMD8, false, 0, p, p == 6 ? 3 : p == 7 ? 0xffffffff : p & 1);
      rig_send(f, SAMPLER_RESINFO, SIMD8, 1, 0, 1);
      for (unsigned c = 0; c < 4; c++) {
         assert_int_equal(rig_get(f, SIMD8, c, 0), list[i].level0[c]);
         assert_int_equal(rig_get(f, SIMD8, c, 1), list[i].level1[c]);
         for (unsigned p = 6; p < 8; p++)
            assert_int_equal(rig_get(f, SIMD8, c, p), c == 3 ? list[i].level0[3] : 0);
      }
   }
   assert_silent(f);
}

/* Minimum Array Element is added to what the message says; an index that is not sent is 0. */
static void
elements(void **state)
{
   proves("SMP-224", "SMP-221", "SMP-366");
   struct fx *f = *state;
   struct hw_render_surface_state s = rig_2d(FORMAT(R32_FLOAT), 4, 4, 64);
   s.surface_array = true;
   s.surface_array_spacing = 1;
   s.depth = 2;
   s.minimum_array_element = 2;
   for (unsigned slice = 0; slice < 8; slice++)
      for (unsigned y = 0; y < 4; y++)
         for (unsigned x = 0; x < 4; x++)
            *fx_dw(f, FX_DATA + 64 * (4 * slice + y) + 4 * x) = rig_bits((float)slice);
   fx_surface(f, 1, &s);
   nearest_sampler(f, MODE(CLAMP));
   fx_clear_payload(f);
   for (unsigned p = 0; p < 8; p++)
      rig_put_float(f, SIMD8, false, 3, p, p == 7 ? 100 : (float)p / 2); /* ties to even */
   rig_send(f, SAMPLER_SAMPLE_L, SIMD8, 1, 0, 4);
   static const float want[8] = {2, 2, 3, 4, 4, 4, 4, 4};
   for (unsigned p = 0; p < 8; p++)
      near(rig_get_float(f, SIMD8, 0, p), want[p]);
   rig_send(f, SAMPLER_SAMPLE_L, SIMD8, 1, 0, 3);
   for (unsigned p = 0; p < 8; p++)
      near(rig_get_float(f, SIMD8, 0, p), 2);
   assert_silent(f);
}

/* Where components are equal, Z wins over Y and Y over X. */
static void
ties(void **state)
{
   proves("SMP-481");
   struct fx *f = *state;
   struct hw_render_surface_state s = rig_2d(FORMAT(R32_FLOAT), 2, 2, 64);
   s.surface_type = SURFTYPE_CUBE;
   s.surface_array_spacing = 1;
   s.cube_face_enable_negative_x = s.cube_face_enable_positive_x = true;
   s.cube_face_enable_negative_y = s.cube_face_enable_positive_y = true;
   s.cube_face_enable_negative_z = s.cube_face_enable_positive_z = true;
   for (unsigned face = 0; face < 6; face++)
      for (unsigned i = 0; i < 4; i++)
         *fx_dw(f, FX_DATA + 64 * (2 * face + i / 2) + 4 * (i % 2)) = rig_bits((float)face);
   fx_surface(f, 1, &s);
   nearest_sampler(f, MODE(CLAMP)); /* so that the face shows */
   static const float at[8][3] = {{1, 1, 1},     {1, 1, -1},    {1, 1, 0.5f},    {1, -1, 0.5f},
                                  {-1, 0.5f, 1}, {0.5f, 1, -1}, {1, 0.5f, 0.5f}, {-1, -1, -1}};
   static const float want[8] = {4, 5, 2, 3, 4, 5, 0, 5};
   fx_clear_payload(f);
   for (unsigned p = 0; p < 8; p++)
      for (unsigned k = 0; k < 3; k++)
         rig_put_float(f, SIMD8, false, 1 + k, p, at[p][k]);
   rig_send(f, SAMPLER_SAMPLE_L, SIMD8, 1, 0, 4);
   for (unsigned p = 0; p < 8; p++)
      near(rig_get_float(f, SIMD8, 0, p), want[p]);
   assert_silent(f);
}

/* Luma and interleaved chroma of PLANAR_420_8: Cr, Y, Cb. */
static void
planar(void **state)
{
   proves("SMP-369");
   struct fx *f = *state;
   struct hw_render_surface_state s = rig_2d(FORMAT(PLANAR_420_8), 8, 4, 64);
   uint32_t dw[8];
   gen7_render_surface_state_pack(dw, &s);
   dw[6] = 6 << 16 | 10; /* X and Y of the UV plane */
   for (unsigned i = 0; i < 64 * 16; i++)
      *fx_at(f, FX_DATA + i) = (uint8_t)(i * 7 + i / 64);
   fx_surface_dw(f, 1, dw);
   nearest_sampler(f, MODE(CLAMP));
   for (unsigned p = 0; p < 8; p++) {
      rig_put_float(f, SIMD8, false, 0, p, 0);
      rig_put_float(f, SIMD8, false, 1, p, ((float)p + 0.5f) / 8);
      rig_put_float(f, SIMD8, false, 2, p, 3.5f / 4);
   }
   rig_send(f, SAMPLER_SAMPLE_L, SIMD8, 1, 0, 3);
   for (unsigned p = 0; p < 8; p++) {
      const uint8_t *uv = fx_at(f, FX_DATA + 64 * (10 + 1) + 6 + (p & ~1u));
      near(rig_get_float(f, SIMD8, 1, p), *fx_at(f, FX_DATA + 64 * 3 + p) / 255.0);
      near(rig_get_float(f, SIMD8, 2, p), uv[0] / 255.0);
      near(rig_get_float(f, SIMD8, 0, p), uv[1] / 255.0);
      near(rig_get_float(f, SIMD8, 3, p), 1);
   }
   /* behind what there is, and behind all addresses */
   const uint32_t behind[2] = {FX_FIRST + FX_MEMORY, 0xffffffc0};
   for (unsigned i = 0; i < 2; i++) {
      dw[1] = behind[i];
      fx_surface_dw(f, 1, dw);
      surface_cache_invalidate(f->dev->surfaces);
      rig_send(f, SAMPLER_SAMPLE_L, SIMD8, 1, 0, 3);
      for (unsigned p = 0; p < 8; p++)
         for (unsigned c = 0; c < 4; c++)
            assert_float_equal(rig_get_float(f, SIMD8, c, p), c == 3, 0);
   }
}

/* One bit a texel, the leftmost in bit 0; a shared exponent. */
static void
odd_formats(void **state)
{
   proves("SMP-140", "SMP-157", "SMP-403");
   struct fx *f = *state;
   struct hw_render_surface_state s = rig_2d(FORMAT(R1_UNORM), 32, 1, 64);
   *fx_dw(f, FX_DATA) = 0xb1;
   fx_surface(f, 1, &s);
   nearest_sampler(f, MODE(CLAMP));
   for (unsigned p = 0; p < 8; p++) {
      rig_put_float(f, SIMD8, false, 0, p, 0);
      rig_put_float(f, SIMD8, false, 1, p, ((float)p + 0.5f) / 32);
      rig_put_float(f, SIMD8, false, 2, p, 0.5f);
   }
   rig_send(f, SAMPLER_SAMPLE_L, SIMD8, 1, 0, 3);
   for (unsigned p = 0; p < 8; p++) {
      near(rig_get_float(f, SIMD8, 0, p), 0xb1 >> p & 1);
      near(rig_get_float(f, SIMD8, 1, p), 0);
      near(rig_get_float(f, SIMD8, 3, p), 1);
   }
   s = rig_2d(FORMAT(R9G9B9E5_SHAREDEXP), 8, 1, 64);
   uint32_t seed = 9;
   for (unsigned p = 0; p < 8; p++) {
      seed = seed * 1664525 + 1013904223;
      *fx_dw(f, FX_DATA + 4 * p) = (seed & 0x07ffffff) | (10 + p) << 27;
      rig_put_float(f, SIMD8, false, 1, p, ((float)p + 0.5f) / 8);
   }
   fx_surface(f, 1, &s);
   rig_send(f, SAMPLER_SAMPLE_L, SIMD8, 1, 0, 3);
   for (unsigned p = 0; p < 8; p++) {
      uint32_t v = *fx_dw(f, FX_DATA + 4 * p);
      for (unsigned c = 0; c < 3; c++)
         near(rig_get_float(f, SIMD8, c, p), ldexp(v >> 9 * c & 511, (int)(v >> 27) - 24));
      near(rig_get_float(f, SIMD8, 3, p), 1);
   }
   assert_silent(f);
}

static void
at_texels(struct fx *f, unsigned width, unsigned height, unsigned row)
{
   fx_clear_payload(f);
   for (unsigned p = 0; p < 8; p++) {
      rig_put_float(f, SIMD8, false, 1, p, ((float)(p * (width / 8)) + 0.5f) / (float)width);
      rig_put_float(f, SIMD8, false, 2, p, ((float)row + 0.5f) / (float)height);
   }
}

/* Where a byte of a tiled surface lies, as the manual draws it: bit by bit of the address. */
static uint32_t
drawn(bool y_major, unsigned x, unsigned y, unsigned tiles_across)
{
   unsigned w = y_major ? 7 : 9, h = y_major ? 5 : 3;
   uint32_t tile = (y >> h) * tiles_across + (x >> w), in = 0;
   if (y_major) /* columns of 16 bytes by 32 rows */
      in = (x & 15) | (y & 31) << 4 | (x >> 4 & 7) << 9;
   else
      in = (x & 511) | (y & 7) << 9;
   return tile << 12 | in;
}

/* The state says how a surface is tiled: no fence, and no swizzle of address bit 6. */
static void
tiles(void **state)
{
   proves("SMP-466", "SMP-467");
   struct fx *f = *state;
   nearest_sampler(f, MODE(CLAMP));
   for (unsigned i = 0; i < 0x10000; i++)
      *fx_at(f, FX_DATA + i) = (uint8_t)(i * 5 + (i >> 6) + (i >> 11));
   for (unsigned walk = 0; walk < 3; walk++)
      for (unsigned mode = 0; mode < 4; mode++) {
         unsigned pitch = walk == 1 ? 1024 : 256;
         struct hw_render_surface_state s = rig_2d(FORMAT(R8_UNORM), 256, 64, pitch);
         s.tiled_surface = walk > 0;
         s.tile_walk = walk == 2;
         fx_surface(f, 1, &s);
         /* ARB_MODE's swizzle bit, and a fence of the other tiling over the surface. */
         pergola_mmio_write(f->dev, 0x4030, 0x00200000u | (mode & 1) << 5, 4);
         pergola_mmio_write(f->dev, 0x100000, mode & 2 ? FX_DATA | (walk == 2 ? 1 : 3) : 0, 4);
         pergola_mmio_write(f->dev, 0x100004, mode & 2 ? (FX_DATA + 0xf000) | 7 : 0, 4);
         for (unsigned row = 0; row < 64; row += 3) {
            at_texels(f, 256, 64, row);
            rig_send(f, SAMPLER_SAMPLE_L, SIMD8, 1, 0, 3);
            for (unsigned p = 0; p < 8; p++) {
               uint32_t at = !walk ? 256 * row + 32 * p
                                   : drawn(walk == 2, 32 * p, row, pitch / (walk == 2 ? 128 : 512));
               near(rig_get_float(f, SIMD8, 0, p), *fx_at(f, FX_DATA + at) / 255.0);
            }
         }
      }
}

/* By the fast path: the registers of the answer are emptied first. False: it does not take it. */
static bool
send_quick(struct fx *f, unsigned type, unsigned parameters)
{
   struct sf_quick q;
   uint32_t desc = 1 | type << 12 | SIMD8 << 17 | 4u << 20 | parameters << 25;
   uint8_t kept[4 * EU_REG_SIZE];
   if (!sf_quick_select(&q, f->dev, SFID_SAMPLER, desc, false, FX_PAYLOAD, FX_RESPONSE))
      return false;
   memcpy(kept, fx_out(f, 0), sizeof(kept));
   memset(fx_out(f, 0), 0xa5, sizeof(kept));
   unsigned modes = fpmode_get();
   fpmode_set(FPMODE_HOST | FPMODE_FLUSH);
   bool done = q.fn(&f->t, &q, f->exec_mask);
   fpmode_set(modes);
   if (!done)
      memcpy(fx_out(f, 0), kept, sizeof(kept));
   return done;
}

/* Texels of four bytes, in levels that lie beside each other: every one of them. */
static void
tiles_of_levels(void **state)
{
   proves("MEM-020", "MEM-021");
   struct fx *f = *state;
   struct sf_buffers buffers = {0};
   unsigned quick = 0;
   f->t.buffers = &buffers;
   static const uint32_t sizes[][3] = {{4, 4, 512},     {64, 16, 512},    {16, 64, 512},
                                       {256, 32, 1024}, {32, 256, 512},   {512, 64, 2048},
                                       {60, 20, 512},   {64, 16, 0x8000}, {1024, 4, 4096}};
   static const unsigned modes[] = {MODE(WRAP), MODE(CLAMP)};
   for (unsigned i = 0; i < 0x100000; i += 4)
      *fx_dw(f, FX_DATA + i) = i * 2654435761u;
   for (unsigned k = 0; k < 2 * 3 * sizeof(sizes) / sizeof(sizes[0]); k++) {
      const unsigned walk = k / 2 % 3, w = sizes[k / 6][0], h = sizes[k / 6][1];
      const unsigned pitch = sizes[k / 6][2];
      struct hw_render_surface_state s = rig_2d(FORMAT(R8G8B8A8_UNORM), w, h, pitch);
      s.tiled_surface = walk > 0;
      s.tile_walk = walk == 2;
      s.mip_count_or_lod = 2;
      fx_surface(f, 1, &s);
      struct hw_sampler_state st = {.max_lod = 14 << 8,
                                    .mip_mode_filter = 1,
                                    .tcx_address_control_mode = modes[k & 1],
                                    .tcy_address_control_mode = modes[k & 1],
                                    .tcz_address_control_mode = modes[k & 1]};
      rig_sampler(f, 0, &st);
      for (unsigned lod = 0; lod < 3; lod++) {
         const unsigned width = w >> lod, height = h >> lod, x0 = lod == 2 ? (w / 2 + 3) & ~3u : 0,
                        y0 = lod ? (h + 1) & ~1u : 0;
         for (unsigned n = 0; n < width * height; n += 8) {
            unsigned x[8], y[8];
            fx_clear_payload(f);
            for (unsigned p = 0; p < 8; p++) {
               unsigned at = (n + p) * 7 % (width * height);
               x[p] = at % width;
               y[p] = at / width;
               rig_put_float(f, SIMD8, false, 0, p, (float)lod);
               rig_put_float(f, SIMD8, false, 1, p, ((float)x[p] + 0.5f) / (float)width);
               rig_put_float(f, SIMD8, false, 2, p, ((float)y[p] + 0.5f) / (float)height);
            }
            rig_send(f, SAMPLER_SAMPLE_L, SIMD8, 1, 0, 3);
            if (n & 8)
               quick += send_quick(f, SAMPLER_SAMPLE_L, 3);
            for (unsigned p = 0; p < 8; p++) {
               unsigned x_B = 4 * (x0 + x[p]), row = y0 + y[p];
               uint32_t at = !walk ? pitch * row + x_B
                                   : drawn(walk == 2, x_B, row, pitch / (walk == 2 ? 128 : 512));
               for (unsigned c = 0; c < 4; c++)
                  near(rig_get_float(f, SIMD8, c, p), fx_at(f, FX_DATA + at)[c] / 255.0);
            }
         }
      }
   }
   assert_true(quick > 4000);
   f->t.buffers = NULL;
   assert_silent(f);
}

/* Blocks are decoded on the way: a BC1 block of two colours, every texel. */
static void
compressed(void **state)
{
   proves("SMP-078");
   struct fx *f = *state;
   struct hw_render_surface_state s = rig_2d(FORMAT(BC1_UNORM), 8, 4, 64);
   /* 31, 0, 0 and 0, 0, 31 of 5:6:5; four colours, two bits a texel from the lowest on. */
   uint32_t block[2] = {31u << 11 | 31u << 16, 0xe41b93c6};
   memcpy(fx_at(f, FX_DATA + 8), block, 8);
   memset(fx_at(f, FX_DATA), 0, 8);
   fx_surface(f, 1, &s);
   nearest_sampler(f, MODE(CLAMP));
   static const double red[4] = {1, 0, 2 / 3.0, 1 / 3.0};
   for (unsigned row = 0; row < 4; row++) {
      at_texels(f, 8, 4, row);
      rig_send(f, SAMPLER_SAMPLE_L, SIMD8, 1, 0, 3);
      for (unsigned p = 4; p < 8; p++) {
         unsigned code = block[1] >> (8 * row + 2 * (p - 4)) & 3;
         near(rig_get_float(f, SIMD8, 0, p), red[code]);
         near(rig_get_float(f, SIMD8, 1, p), 0);
         near(rig_get_float(f, SIMD8, 2, p), 1 - red[code]);
         near(rig_get_float(f, SIMD8, 3, p), 1);
      }
   }
   assert_silent(f);
}

/* The texture cache keeps nothing that a program could see: texels that were written are read, with
 * or without a flush by message, through blocks too. */
static void
nothing_stale(void **state)
{
   proves("SMP-077");
   struct fx *f = *state;
   struct sf_buffers buffers = {0};
   f->t.buffers = &buffers;
   nearest_sampler(f, MODE(CLAMP));
   for (unsigned kind = 0; kind < 2; kind++) {
      struct hw_render_surface_state s =
          rig_2d(kind ? FORMAT(BC4_UNORM) : FORMAT(R8_UNORM), 8, 4, 64);
      fx_surface(f, 1, &s);
      for (unsigned round = 0; round < 6; round++) {
         uint8_t value = (uint8_t)(40 * round + 7);
         memset(fx_at(f, FX_DATA), value, 64 * 4);
         if (kind) /* two ends alike, index 0 */
            for (unsigned b = 0; b < 2; b++)
               memset(fx_at(f, FX_DATA + 8 * b + 2), 0, 6);
         if (round & 1) {
            struct sf_message m = {.sfid = SFID_SAMPLER,
                                   .header = true,
                                   .mlen = 1,
                                   .payload = f->t.grf + FX_PAYLOAD * EU_REG_SIZE,
                                   .desc = 31u << 12 | 3u << 17 | 1u << 19 | 1u << 25};
            fx_fill_response(f, 1, 0x77);
            assert_int_equal(sf_sampler(&f->t, &m), SF_OK);
            assert_int_equal(fx_out(f, 0)[0], 0x77);
         }
         at_texels(f, 8, 4, round % 4);
         rig_send(f, SAMPLER_SAMPLE_L, SIMD8, 1, 0, 3);
         for (unsigned p = 0; p < 8; p++)
            near(rig_get_float(f, SIMD8, 0, p), value / 255.0);
      }
   }
   assert_silent(f);
   f->t.buffers = NULL;
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, rig_setup, fx_teardown)
   const struct CMUnitTest tests[] = {
       CASE(sizes), CASE(elements),        CASE(ties),       CASE(planar),       CASE(odd_formats),
       CASE(tiles), CASE(tiles_of_levels), CASE(compressed), CASE(nothing_stale)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
