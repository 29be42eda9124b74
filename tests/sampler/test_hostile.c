/* States and messages that no driver makes, and a guest may. What reads past an end, or converts
 * what does not fit, is seen by the sanitizers. */
#include "rig.h"

#define FORMAT(name) GEN7_SURFACE_FORMAT_##name
#define MODE(name) GEN7_TEXTURE_COORDINATE_MODE_##name
#define FILTER(name) GEN7_MAP_FILTER_##name

static struct hw_sampler_state
sampler(unsigned filter, unsigned mode)
{
   return (struct hw_sampler_state){.mag_mode_filter = filter,
                                    .min_mode_filter = filter,
                                    .max_lod = 0xfff,
                                    .border_color_pointer = RIG_BORDER,
                                    .tcx_address_control_mode = mode,
                                    .tcy_address_control_mode = mode,
                                    .tcz_address_control_mode = mode};
}

static void
put_all(struct fx *f, unsigned n, float v)
{
   for (unsigned p = 0; p < 8; p++)
      rig_put_float(f, SIMD8, false, n, p, v);
}

/* MIP Count 15 is a sixteenth level, which there is no room for anywhere. */
static void
sixteen_levels(void **state)
{
   proves("SMP-023");
   struct fx *f = *state;
   struct hw_render_surface_state s = rig_2d(FORMAT(R32_FLOAT), 4, 4, 256);
   struct hw_sampler_state st = sampler(FILTER(NEAREST), MODE(CLAMP));
   st.mip_mode_filter = GEN7_SAMPLER_STATE_MIP_MODE_FILTER_NEAREST;
   rig_sampler(f, 0, &st);
   f->exec_mask = 0xff;
   put_all(f, 0, 0);
   s.mip_count_or_lod = 14;
   fx_surface(f, 1, &s);
   rig_send(f, SAMPLER_RESINFO, SIMD8, 1, 0, 1);
   assert_int_equal(rig_get(f, SIMD8, 3, 0), 15);
   assert_silent(f);
   s.mip_count_or_lod = 15;
   fx_surface(f, 1, &s);
   rig_send(f, SAMPLER_RESINFO, SIMD8, 1, 0, 1);
   assert_int_equal(rig_get(f, SIMD8, 3, 0), 15);
   assert_rule(f, "SMP-023");
   for (unsigned n = 0; n < 3; n++)
      put_all(f, n, n ? 0.5f : 40.0f);
   rig_send(f, SAMPLER_SAMPLE_L, SIMD8, 1, 0, 3);
   assert_int_equal(rig_get(f, SIMD8, 3, 0), rig_bits(1.0f));
}

/* A corner of a cube whose faces are not square. */
static void
flat_cube(void **state)
{
   struct fx *f = *state;
   struct hw_render_surface_state s = rig_2d(FORMAT(R32_FLOAT), 8, 2, 256);
   struct hw_sampler_state st = sampler(FILTER(LINEAR), MODE(CUBE));
   s.surface_type = SURFTYPE_CUBE;
   s.surface_array_spacing = 1;
   s.cube_face_enable_positive_x = s.cube_face_enable_negative_x = true;
   s.cube_face_enable_positive_y = s.cube_face_enable_negative_y = true;
   s.cube_face_enable_positive_z = s.cube_face_enable_negative_z = true;
   for (unsigned i = 0; i < 0x4000; i += 4)
      *fx_dw(f, FX_DATA + i) = rig_bits(3.0f);
   fx_surface(f, 1, &s);
   rig_sampler(f, 0, &st);
   f->exec_mask = 0xff;
   for (unsigned n = 0; n < 4; n++)
      put_all(f, n, n == 0 ? 0.0f : n == 2 ? -1.0f : 1.0f); /* the lower right corner of +Z */
   rig_send(f, SAMPLER_SAMPLE_L, SIMD8, 1, 0, 4);
   assert_true(fabsf(rig_get_float(f, SIMD8, 0, 0) - 3.0f) < 1e-5f);
}

/* sampleinfo has no parameter; that its header has not come either is no reason to read on. */
static void
no_registers(void **state)
{
   struct fx *f = *state;
   struct hw_render_surface_state s = rig_2d(FORMAT(R32_FLOAT), 4, 4, 256);
   fx_surface(f, 1, &s);
   f->exec_mask = 0xffff;
   struct sf_message m = {.sfid = SFID_SAMPLER,
                          .header = true,
                          .rlen = 8,
                          .exec_size = 16,
                          .exec_mask = f->exec_mask,
                          .response = f->t.grf};
   m.desc = 1 | SAMPLER_SAMPLEINFO << 12 | SIMD16 << 17 | 1u << 19 | 8u << 20;
   uint8_t *end = malloc(EU_REG_SIZE); /* the last register: behind it is nothing */
   memset(end, 0, EU_REG_SIZE);
   m.payload = end;
   assert_int_equal(sf_sampler(&f->t, &m), SF_OK);
   free(end);
   uint32_t samples;
   memcpy(&samples, f->t.grf, 4);
   assert_int_equal(samples, 1);
}

/* Keys are whole numbers; texels of floats need not be near any. */
static void
key_of_floats(void **state)
{
   struct fx *f = *state;
   static const float texels[4] = {INFINITY, -INFINITY, 1e30f, NAN};
   struct hw_render_surface_state s = rig_2d(FORMAT(R32G32B32A32_FLOAT), 4, 1, 64);
   struct hw_sampler_state st = sampler(FILTER(NEAREST), MODE(CLAMP));
   st.chromakey_enable = true;
   rig_sampler(f, 0, &st);
   fx_surface(f, 1, &s);
   f->dev->surfaces->sampler.chroma_key[0].high = 0xffffffff;
   for (unsigned i = 0; i < 16; i++)
      *fx_dw(f, FX_DATA + 4 * i) = rig_bits(texels[i / 4]);
   f->exec_mask = 0xff;
   put_all(f, 1, 0.5f);
   for (unsigned p = 0; p < 8; p++)
      rig_put_float(f, SIMD8, false, 0, p, (float)(p % 4) * 0.25f + 0.125f);
   rig_send(f, SAMPLER_KILLPIX, SIMD8, 1, 0, 2);
   assert_int_equal(fx_out(f, 4)[0] & 0xff, 0xff); /* none is inside 0 to 255 */
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, rig_setup, fx_teardown)
   const struct CMUnitTest tests[] = {CASE(sixteen_levels), CASE(flat_cube), CASE(no_registers),
                                      CASE(key_of_floats)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
