/* Every rule of what a message may ask: it is silent as it stands, and named when broken. */
#include "rig.h"

struct trial {
   struct hw_render_surface_state surface;
   struct hw_sampler_state sampler;
   unsigned type, simd, parameters, rlen;
   uint32_t header; /* dword 2; 0: no header */
   bool eot;
   float value[6]; /* of the first parameters */
};

#define FORMAT(name) GEN7_SURFACE_FORMAT_##name
#define MODE(name) GEN7_TEXTURE_COORDINATE_MODE_##name
#define FILTER(name) GEN7_MAP_FILTER_##name

static struct trial
plain(unsigned type)
{
   struct trial t = {.surface = rig_2d(FORMAT(R8G8B8A8_UNORM), 16, 16, 64),
                     .sampler = {.max_lod = 14 << 8, .border_color_pointer = RIG_BORDER},
                     .type = type,
                     .simd = SIMD8,
                     .parameters = 4};
   return t;
}

static void
modes(struct trial *t, unsigned mode)
{
   t->sampler.tcx_address_control_mode = t->sampler.tcy_address_control_mode =
       t->sampler.tcz_address_control_mode = mode;
}

static void
cube(struct trial *t)
{
   t->surface.surface_type = SURFTYPE_CUBE;
   t->surface.cube_face_enable_negative_x = t->surface.cube_face_enable_positive_x = true;
   t->surface.cube_face_enable_negative_y = t->surface.cube_face_enable_positive_y = true;
   t->surface.cube_face_enable_negative_z = t->surface.cube_face_enable_positive_z = true;
   modes(t, MODE(CUBE));
   for (unsigned i = 0; i < 6; i++)
      t->value[i] = 1;
}

static struct trial
shadow(unsigned type)
{
   struct trial t = plain(type);
   t.surface.surface_format = FORMAT(R32_FLOAT);
   return t;
}

static void
run(struct fx *f, const struct trial *t)
{
   bool header = t->header != 0;
   fx_clear_payload(f);
   fx_surface(f, 1, &t->surface);
   rig_sampler(f, 2, &t->sampler);
   if (header)
      fx_in(f, 0)[2] = t->header;
   unsigned pixels = t->simd == SIMD4X2 ? 2 : t->simd == SIMD8 ? 8 : 16;
   for (unsigned n = 0; n < 6 && n < t->parameters; n++)
      for (unsigned i = 0; i < pixels; i++)
         rig_put_float(f, t->simd, header, n, i, t->value[n]);
   f->exec_mask = 0xffff;
   rig_send_full(f, t->type, t->simd, 1, 2, header, t->parameters, t->rlen, t->eot);
}

static void
holds(struct fx *f, const struct trial *t)
{
   run(f, t);
   assert_silent(f);
}

static void
breaks(struct fx *f, const struct trial *t, const char *rule)
{
   f->rule_count = 0;
   run(f, t);
   assert_rule(f, rule);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Linear surfaces begin at any byte and have any pitch; tiled ones at a page, in whole tiles. */
static void
places_and_pitches(void **state)
{
   proves("SMP-360", "SMP-363", "SMP-467", "SMP-477", "SMP-478");
   struct fx *f = *state;
   struct trial t = plain(SAMPLER_SAMPLE_L);
   t.surface.surface_base_address = FX_DATA + 1;
   t.surface.surface_pitch = 64 + 2;
   holds(f, &t);
   for (unsigned walk = 0; walk < 2; walk++) {
      unsigned tile = walk ? 128 : 512;
      t = plain(SAMPLER_SAMPLE_L);
      t.surface.tiled_surface = true;
      t.surface.tile_walk = walk;
      t.surface.surface_pitch = 3 * tile - 1;
      holds(f, &t);
      t.surface.surface_pitch = 3 * tile + 63;
      breaks(f, &t, "SMP-363");
      t.surface.surface_pitch = 3 * tile - 1;
      t.surface.surface_base_address = FX_DATA + 2048;
      breaks(f, &t, "SMP-360");
   }
   t = plain(SAMPLER_SAMPLE_L);
   t.surface.width = t.surface.height = 16383;
   t.surface.surface_pitch = (128u << 10) - 1;
   holds(f, &t);
   t.surface.surface_pitch = (256u << 10) - 1;
   breaks(f, &t, "SMP-477");
   t = plain(SAMPLER_LD);
   t.surface = fx_buffer_state(SURFTYPE_BUFFER, FORMAT(R32_FLOAT), FX_DATA, 64, 2048);
   holds(f, &t);
   t.surface.surface_pitch = 2051;
   breaks(f, &t, "SMP-363");
   t.surface.surface_pitch = 3;
   t.surface.tiled_surface = true;
   breaks(f, &t, "SMP-478");
}

/* ---- the message ----------------------------------------------------------------------------- */

static void
lengths_and_masks(void **state)
{
   proves("SMP-202", "SMP-216", "SMP-223", "SMP-227");
   struct fx *f = *state;
   struct trial t = plain(SAMPLER_SAMPLE);
   holds(f, &t);
   t.eot = true;
   breaks(f, &t, "SMP-202");
   t = plain(SAMPLER_SAMPLE);
   t.header = 7 << 12;
   holds(f, &t);
   t.header = 15 << 12;
   breaks(f, &t, "SMP-216");
   t = plain(SAMPLER_GATHER4);
   holds(f, &t);
   t.header = 1 << 12;
   breaks(f, &t, "SMP-216");
   t = plain(SAMPLER_SAMPLE);
   t.simd = SIMD16;
   t.header = 1 << 12;
   t.rlen = 6;
   holds(f, &t);
   t.rlen = 8;
   breaks(f, &t, "SMP-227");
   t = plain(SAMPLER_SAMPLE);
   t.rlen = 5;
   breaks(f, &t, "SMP-227");
}

static void
widths(void **state)
{
   proves("SMP-229", "SMP-230", "SMP-236", "SMP-238", "SMP-240", "SMP-247", "SMP-279");
   struct fx *f = *state;
   static const struct {
      uint8_t type;
      const char *rule;
   } quads[] = {{SAMPLER_SAMPLE, "SMP-236"},
                {SAMPLER_SAMPLE_B, "SMP-240"},
                {SAMPLER_SAMPLE_C, "SMP-247"},
                {SAMPLER_LOD, "SMP-279"}};
   for (unsigned i = 0; i < 4; i++) { /* they need adjacent pixels */
      struct trial t = i == 2 ? shadow(quads[i].type) : plain(quads[i].type);
      holds(f, &t);
      t.simd = SIMD4X2;
      breaks(f, &t, quads[i].rule);
   }
   struct trial t = plain(SAMPLER_LD); /* which does not */
   t.simd = SIMD4X2;
   holds(f, &t);
   t = plain(SAMPLER_KILLPIX);
   holds(f, &t);
   t.simd = SIMD16;
   breaks(f, &t, "SMP-238");
   t = plain(SAMPLER_SAMPLE_D);
   t.parameters = 6;
   holds(f, &t);
   t.simd = SIMD16;
   t.parameters = 5;
   breaks(f, &t, "SMP-230");
   t = shadow(SAMPLER_SAMPLE_L_C);
   t.simd = SIMD16;
   t.parameters = 5;
   holds(f, &t);
   t.parameters = 6;
   breaks(f, &t, "SMP-229");
}

static void
parameters(void **state)
{
   proves("SMP-239", "SMP-019", "SMP-299", "SMP-215", "SMP-217", "SMP-269");
   struct fx *f = *state;
   struct trial t = plain(SAMPLER_SAMPLE_B);
   t.value[0] = -16;
   holds(f, &t);
   t.value[0] = 16;
   breaks(f, &t, "SMP-239");
   struct sf_buffers *buffers = calloc(1, sizeof(*buffers)); /* and on the fast path */
   f->t.buffers = buffers;
   t.value[0] = 1;
   holds(f, &t);
   holds(f, &t);
   t.value[0] = 16;
   breaks(f, &t, "SMP-239");
   f->t.buffers = NULL;
   free(buffers);
   t = plain(SAMPLER_SAMPLE);
   cube(&t);
   holds(f, &t);
   t.value[0] = t.value[1] = t.value[2] = 0.5f;
   breaks(f, &t, "SMP-019");
   t = shadow(SAMPLER_GATHER4_C);
   t.header = 1 << 8; /* an offset, so that there is a header */
   holds(f, &t);
   t.header = 1 << 16;
   breaks(f, &t, "SMP-215");
   t = plain(SAMPLER_SAMPLE_L);
   t.header = 1 << 8;
   holds(f, &t);
   cube(&t);
   breaks(f, &t, "SMP-217");
}

/* ---- the surface ----------------------------------------------------------------------------- */

/* Types of surfaces and formats that each message takes. */
static void
surfaces(void **state)
{
   proves("SMP-236", "SMP-240", "SMP-242", "SMP-245", "SMP-254", "SMP-277", "SMP-279", "SMP-284",
          "SMP-291");
   struct fx *f = *state;
   static const struct {
      uint8_t type, bad;
      const char *rule;
   } list[] = {{SAMPLER_SAMPLE, SURFTYPE_BUFFER, "SMP-236"},
               {SAMPLER_SAMPLE_B, SURFTYPE_BUFFER, "SMP-240"},
               {SAMPLER_SAMPLE_L, SURFTYPE_BUFFER, "SMP-242"},
               {SAMPLER_SAMPLE_C, SURFTYPE_3D, "SMP-245"},
               {SAMPLER_SAMPLE_D, SURFTYPE_BUFFER, "SMP-254"},
               {SAMPLER_LOD, SURFTYPE_BUFFER, "SMP-279"},
               {SAMPLER_GATHER4, SURFTYPE_3D, "SMP-284"},
               {SAMPLER_GATHER4_PO, SURFTYPE_CUBE, "SMP-284"},
               {SAMPLER_GATHER4_C, SURFTYPE_1D, "SMP-291"},
               {SAMPLER_GATHER4_PO_C, SURFTYPE_CUBE, "SMP-291"},
               {SAMPLER_SAMPLEINFO, SURFTYPE_3D, "SMP-277"}};
   for (unsigned i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
      bool compares = sampler_kinds[list[i].type].flags & SAMPLER_COMPARES;
      struct trial t = compares ? shadow(list[i].type) : plain(list[i].type);
      holds(f, &t);
      t.surface.surface_type = list[i].bad;
      fx_fill_response(f, 4, 0x77);
      breaks(f, &t, list[i].rule);
      assert_int_equal(rig_get(f, SIMD8, 0, 0), 0); /* and gives zeros */
   }
}

static void
formats(void **state)
{
   proves("SMP-096", "SMP-114", "SMP-115", "SMP-250", "SMP-291", "SMP-374");
   struct fx *f = *state;
   struct trial t = plain(SAMPLER_SAMPLE_L);
   t.surface.surface_format = FORMAT(RAW);
   breaks(f, &t, "SMP-114");
   t.surface.surface_format = FORMAT(R32_SFIXED); /* for vertices */
   breaks(f, &t, "SMP-115");
   t = shadow(SAMPLER_SAMPLE_C);
   holds(f, &t);
   t.surface.surface_format = FORMAT(R8_UNORM);
   breaks(f, &t, "SMP-096");
   t = shadow(SAMPLER_GATHER4_C);
   holds(f, &t);
   t.surface.surface_format = FORMAT(L32_FLOAT);
   breaks(f, &t, "SMP-291");
   t = shadow(SAMPLER_SAMPLE_L_C);
   cube(&t);
   t.parameters = 6;
   holds(f, &t);
   t.surface.surface_format = FORMAT(I32_FLOAT);
   breaks(f, &t, "SMP-250");
   t = plain(SAMPLER_SAMPLE_L);
   t.sampler.min_mode_filter = t.sampler.mag_mode_filter = FILTER(LINEAR);
   holds(f, &t);
   t.surface.surface_format = FORMAT(R8G8B8A8_UINT);
   breaks(f, &t, "SMP-374");
}

static void
integers(void **state)
{
   proves("SMP-236", "SMP-240", "SMP-242", "SMP-254", "SMP-279", "SMP-284");
   struct fx *f = *state;
   static const struct {
      uint8_t type;
      const char *rule;
   } list[] = {{SAMPLER_SAMPLE, "SMP-236"},
               {SAMPLER_SAMPLE_B, "SMP-240"},
               {SAMPLER_SAMPLE_L, "SMP-242"},
               {SAMPLER_SAMPLE_D, "SMP-254"}};
   for (unsigned i = 0; i < 4; i++) {
      struct trial t = plain(list[i].type);
      t.surface.surface_format = FORMAT(R8G8B8A8_UINT);
      holds(f, &t);
      modes(&t, MODE(CLAMP_BORDER));
      breaks(f, &t, list[i].rule);
      modes(&t, MODE(CLAMP));
      t.surface.surface_type = SURFTYPE_3D;
      breaks(f, &t, list[i].rule);
   }
   struct trial t = plain(SAMPLER_GATHER4);
   t.surface.surface_format = FORMAT(R8G8B8A8_UINT);
   breaks(f, &t, "SMP-284");
   t.type = SAMPLER_LOD;
   breaks(f, &t, "SMP-279");
}

static void
samples(void **state)
{
   proves("SMP-104", "SMP-106", "SMP-269", "SMP-271", "SMP-273");
   struct fx *f = *state;
   struct trial t = plain(SAMPLER_LD2DMS);
   t.surface.tiled_surface = true;
   t.surface.tile_walk = 1;
   t.surface.surface_pitch = 127;
   t.surface.surface_array_spacing = 1;
   t.surface.surface_vertical_alignment = 1;
   t.surface.number_of_multisamples = 2;
   holds(f, &t);
   t.header = 1 << 8;
   breaks(f, &t, "SMP-269");
   t.header = 0;
   t.type = SAMPLER_SAMPLE_L;
   breaks(f, &t, "SMP-104");
   t.type = SAMPLER_LD;
   breaks(f, &t, "SMP-273");
   t.type = SAMPLER_LD2DSS;
   holds(f, &t);
   t.surface.multisampled_surface_storage_format = 1;
   breaks(f, &t, "SMP-104");
   t.surface.multisampled_surface_storage_format = 0;
   t.surface.mip_count_or_lod = 1;
   breaks(f, &t, "SMP-104");
   t = plain(SAMPLER_LD_MCS);
   breaks(f, &t, "SMP-271");
}

static void
layouts(void **state)
{
   proves("SMP-354", "SMP-355", "SMP-356", "SMP-357", "SMP-359", "SMP-361", "SMP-367", "SMP-368");
   struct fx *f = *state;
   struct trial t = plain(SAMPLER_SAMPLE_L);
   cube(&t);
   t.surface.height = t.surface.width;
   holds(f, &t);
   t.surface.height++;
   breaks(f, &t, "SMP-361");
   t = plain(SAMPLER_SAMPLE_L);
   t.surface.surface_array = 1;
   holds(f, &t);
   t.surface.surface_type = SURFTYPE_3D;
   breaks(f, &t, "SMP-354");
   t = plain(SAMPLER_SAMPLE_L);
   t.surface.x_offset = 4 / 4;
   breaks(f, &t, "SMP-368");
   t = plain(SAMPLER_LD2DMS);
   t.surface.tiled_surface = true;
   t.surface.tile_walk = 1;
   t.surface.surface_pitch = 127;
   t.surface.surface_array_spacing = 1;
   t.surface.surface_vertical_alignment = 1;
   t.surface.number_of_multisamples = 3;
   holds(f, &t);
   struct trial good = t;
   t.surface.surface_format = FORMAT(R32G32B32A32_FLOAT);
   breaks(f, &t, "SMP-355");
   t.surface.surface_format = FORMAT(R16G16B16A16_FLOAT);
   t.surface.surface_pitch = 255;
   holds(f, &t);
   t = good;
   t.surface.surface_vertical_alignment = 0;
   breaks(f, &t, "SMP-356");
   t = good;
   t.surface.surface_array_spacing = 0;
   breaks(f, &t, "SMP-359");
   t = good;
   t.surface.tiled_surface = false;
   t.surface.tile_walk = 0;
   breaks(f, &t, "SMP-357");
   t = good;
   t.surface.multisampled_surface_storage_format = 1;
   holds(f, &t);
   t.surface.width = 8191;
   t.surface.surface_pitch = 0x3ffff;
   holds(f, &t);
   t.surface.width = 8192;
   breaks(f, &t, "SMP-367");
}

/* What is broken is named by every message, so that none takes the fast path; a warning is named
 * once. */
static void
fast_with_rules(void **state)
{
   proves("SMP-376");
   struct fx *f = *state;
   struct sf_buffers *buffers = calloc(1, sizeof(*buffers));
   f->t.buffers = buffers;
   for (unsigned kind = 0; kind < 3; kind++) {
      struct trial t = plain(SAMPLER_SAMPLE_L);
      t.sampler.cube_surface_control_mode = kind == 1;
      t.sampler.tcx_address_control_mode = kind == 2 ? 7 : 0; /* SMP-076 */
      t.parameters = 3;
      run(f, &t);
      assert_int_equal(fx_said(f, "SMP-376"), kind == 1);
      assert_int_equal(fx_said(f, "SMP-076"), kind == 2);
      f->rule_count = 0;
      uint32_t desc = 1 | 2 << 8 | SAMPLER_SAMPLE_L << 12 | SIMD8 << 17 | 4 << 20 | 3u << 25;
      struct sf_quick q;
      assert_true(sf_quick_select(&q, f->dev, SFID_SAMPLER, desc, false, FX_PAYLOAD, FX_RESPONSE));
      assert_int_equal(q.fn(&f->t, &q, 0xff), kind != 2);
   }
   f->t.buffers = NULL;
   free(buffers);
}

/* ---- the sampler ----------------------------------------------------------------------------- */

static void
address_modes(void **state)
{
   proves("SMP-071", "SMP-076", "SMP-249", "SMP-376", "SMP-379");
   struct fx *f = *state;
   struct trial t = plain(SAMPLER_SAMPLE_L);
   t.sampler.non_normalized_coordinate_enable = true;
   t.sampler.max_lod = 0;
   modes(&t, MODE(CLAMP));
   holds(f, &t);
   modes(&t, MODE(MIRROR));
   breaks(f, &t, "SMP-071");
   modes(&t, MODE(WRAP));
   breaks(f, &t, "SMP-379");
   modes(&t, MODE(CLAMP));
   t.sampler.min_mode_filter = FILTER(ANISOTROPIC);
   breaks(f, &t, "SMP-379");
   t = plain(SAMPLER_SAMPLE_L);
   modes(&t, MODE(HALF_BORDER));
   holds(f, &t);
   modes(&t, 7);
   breaks(f, &t, "SMP-076");
   t = plain(SAMPLER_SAMPLE_L);
   cube(&t);
   t.value[0] = 0;
   holds(f, &t);
   t.sampler.cube_surface_control_mode = 1;
   breaks(f, &t, "SMP-376");
   t.sampler.cube_surface_control_mode = 0;
   modes(&t, MODE(WRAP));
   breaks(f, &t, "SMP-376");
   modes(&t, MODE(CLAMP));
   holds(f, &t);
   t.surface.cube_face_enable_positive_y = false;
   breaks(f, &t, "SMP-249");
   modes(&t, MODE(CUBE));
   holds(f, &t);
}

static void
filters(void **state)
{
   proves("SMP-057", "SMP-060", "SMP-285", "SMP-358", "SMP-371", "SMP-374");
   struct fx *f = *state;
   struct trial t = plain(SAMPLER_SAMPLE);
   t.sampler.min_mode_filter = t.sampler.mag_mode_filter = FILTER(ANISOTROPIC);
   holds(f, &t);
   t.surface.surface_type = SURFTYPE_3D;
   breaks(f, &t, "SMP-057");
   t = plain(SAMPLER_SAMPLE_L);
   t.surface.surface_format = FORMAT(MONO8);
   t.surface.width = 31;
   t.sampler.min_mode_filter = t.sampler.mag_mode_filter = FILTER(MONO);
   modes(&t, MODE(CLAMP_BORDER));
   holds(f, &t);
   t.sampler.mip_mode_filter = 1;
   breaks(f, &t, "SMP-374");
   t.sampler.mip_mode_filter = 0;
   t.sampler.min_lod = 256;
   breaks(f, &t, "SMP-374");
   t.sampler.min_lod = 0;
   t.surface.resource_min_lod = 1;
   breaks(f, &t, "SMP-371");
   t.surface.resource_min_lod = 0;
   t.surface.surface_format = FORMAT(R8_UNORM);
   breaks(f, &t, "SMP-060");
   t = plain(SAMPLER_GATHER4);
   holds(f, &t);
   t.sampler.mip_mode_filter = 1;
   breaks(f, &t, "SMP-285");
   t = plain(SAMPLER_SAMPLE_L);
   t.surface.vertical_line_stride = true;
   holds(f, &t);
   t.sampler.mip_mode_filter = 1;
   breaks(f, &t, "SMP-358");
}

static void
borders(void **state)
{
   proves("SMP-117", "SMP-189", "SMP-248", "SMP-289", "SMP-373");
   struct fx *f = *state;
   struct trial t = plain(SAMPLER_SAMPLE_L);
   t.sampler.texture_border_color_mode = 1;
   holds(f, &t);
   static const uint16_t tens[] = {FORMAT(R8_UNORM),  FORMAT(R8_SNORM),    FORMAT(R8_SINT),
                                   FORMAT(R8_UINT),   FORMAT(R16_UNORM),   FORMAT(R16_SNORM),
                                   FORMAT(BC4_UNORM), FORMAT(BC5_UNORM),   FORMAT(BC4_SNORM),
                                   FORMAT(BC5_SNORM), FORMAT(L32A32_FLOAT)};
   for (unsigned i = 0; i < sizeof(tens) / sizeof(tens[0]); i++) {
      t.surface.surface_format = tens[i];
      f->rule_count = 0;
      run(f, &t);
      assert_true(fx_said(f, tens[i] == FORMAT(R8_SINT) || tens[i] == FORMAT(R8_UINT) ? "SMP-373"
                                                                                      : "SMP-117"));
   }
   f->rule_count = 0;
   t.surface.surface_format = FORMAT(I24X8_UNORM);
   breaks(f, &t, "SMP-189");
   t.surface.surface_format = FORMAT(R8G8B8A8_UINT);
   breaks(f, &t, "SMP-373");
   t.surface.surface_format = FORMAT(P4A4_UNORM_PALETTE0);
   holds(f, &t);
   t.sampler.texture_border_color_mode = 0;
   breaks(f, &t, "SMP-373");
   t = shadow(SAMPLER_SAMPLE_L_C);
   t.sampler.texture_border_color_mode = 1;
   holds(f, &t);
   modes(&t, MODE(CLAMP_BORDER));
   breaks(f, &t, "SMP-248");
   t = plain(SAMPLER_GATHER4);
   t.sampler.texture_border_color_mode = 1;
   holds(f, &t);
   modes(&t, MODE(HALF_BORDER));
   breaks(f, &t, "SMP-289");
}

static void
chroma_keys(void **state)
{
   proves("SMP-371", "SMP-377");
   struct fx *f = *state;
   struct trial t = plain(SAMPLER_KILLPIX);
   t.surface.surface_format = FORMAT(B8G8R8A8_UNORM);
   t.sampler.chromakey_enable = true;
   holds(f, &t);
   t.surface.resource_min_lod = 1;
   breaks(f, &t, "SMP-371");
   t.surface.resource_min_lod = 0;
   t.surface.surface_format = FORMAT(R8G8B8A8_UNORM);
   breaks(f, &t, "SMP-377");
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, rig_setup, fx_teardown)
   const struct CMUnitTest tests[] = {CASE(places_and_pitches),
                                      CASE(lengths_and_masks),
                                      CASE(widths),
                                      CASE(parameters),
                                      CASE(surfaces),
                                      CASE(formats),
                                      CASE(integers),
                                      CASE(samples),
                                      CASE(layouts),
                                      CASE(fast_with_rules),
                                      CASE(address_modes),
                                      CASE(filters),
                                      CASE(borders),
                                      CASE(chroma_keys)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
