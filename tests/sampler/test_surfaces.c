/* Kinds of surfaces: what resinfo says of them, where their elements are, odd formats. */
#include "rig.h"

#define FORMAT(name) GEN7_SURFACE_FORMAT_##name
#define MODE(name) GEN7_TEXTURE_COORDINATE_MODE_##name

static void
nearest_sampler(struct fx *f, unsigned mode)
{
   struct gen7_sampler_state st = {.max_lod = 14 << 8,
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
      struct gen7_render_surface_state s = rig_2d(FORMAT(R8_UNORM), 37, 21, 128);
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
   struct gen7_render_surface_state s = rig_2d(FORMAT(R32_FLOAT), 4, 4, 64);
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
   struct gen7_render_surface_state s = rig_2d(FORMAT(R32_FLOAT), 2, 2, 64);
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
   struct gen7_render_surface_state s = rig_2d(FORMAT(PLANAR_420_8), 8, 4, 64);
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
}

/* One bit a texel, the leftmost in bit 0; a shared exponent. */
static void
odd_formats(void **state)
{
   proves("SMP-140", "SMP-157", "SMP-403");
   struct fx *f = *state;
   struct gen7_render_surface_state s = rig_2d(FORMAT(R1_UNORM), 32, 1, 64);
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

int
main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, rig_setup, fx_teardown)
   const struct CMUnitTest tests[] = {CASE(sizes), CASE(elements), CASE(ties), CASE(planar),
                                      CASE(odd_formats)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
