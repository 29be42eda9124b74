/* Messages one by one: where parameters lie, what comes back. */
#include "eu/fpmode.h"
#include "rig.h"

#define FORMAT(name) GEN7_SURFACE_FORMAT_##name
#define MODE(name) GEN7_TEXTURE_COORDINATE_MODE_##name
#define FILTER(name) GEN7_MAP_FILTER_##name

static void
near(double got, double want)
{
   if (!(fabs(got - want) < 1e-6))
      fail_msg("%.9g for %.9g", got, want);
}

/* A 4x4 texture of R32_FLOAT: texel (x, y) is 10 y + x. */
static void
numbers(struct fx *f, unsigned bti)
{
   struct hw_render_surface_state st = rig_2d(FORMAT(R32_FLOAT), 4, 4, 16);
   for (unsigned i = 0; i < 16; i++)
      *fx_dw(f, FX_DATA + 4 * i) = rig_bits((float)(i / 4 * 10 + i % 4));
   fx_surface(f, bti, &st);
}

static struct hw_sampler_state
sampler(unsigned filter, unsigned mode)
{
   return (struct hw_sampler_state){.mag_mode_filter = filter,
                                    .min_mode_filter = filter,
                                    .max_lod = 14 << 8,
                                    .border_color_pointer = RIG_BORDER,
                                    .tcx_address_control_mode = mode,
                                    .tcy_address_control_mode = mode,
                                    .tcz_address_control_mode = mode};
}

/* The sampler index chooses one of 16 states; a disabled one gives zeros. */
static void
states(void **state)
{
   proves("SMP-001", "SMP-002", "SMP-175", "SMP-177", "SMP-055", "SMP-210", "SMP-353");
   struct fx *f = *state;
   numbers(f, 1);
   for (unsigned i = 0; i < 16; i++) {
      struct hw_sampler_state st = sampler(i & 1 ? FILTER(LINEAR) : FILTER(NEAREST), MODE(CLAMP));
      st.sampler_disable = i == 6;
      rig_sampler(f, i, &st);
   }
   f->exec_mask = 0xff;
   for (unsigned i = 0; i < 16; i++) {
      for (unsigned p = 0; p < 8; p++) {
         rig_put_float(f, SIMD8, false, 0, p, 0);
         rig_put_float(f, SIMD8, false, 1, p, 0.5f + 0.03125f); /* x = 2.125 */
         rig_put_float(f, SIMD8, false, 2, p, 0.375f);          /* y = 1.5 */
      }
      rig_send(f, SAMPLER_SAMPLE_L, SIMD8, 1, i, 3);
      near(rig_get_float(f, SIMD8, 0, 3), i == 6 ? 0 : i & 1 ? 11.625 : 12);
      near(rig_get_float(f, SIMD8, 3, 3), i == 6 ? 0 : 1);
   }
   struct hw_render_surface_state null = {.surface_type = SURFTYPE_NULL, .tiled_surface = true};
   fx_surface(f, 1, &null);
   fx_fill_response(f, 4, 5);
   rig_send(f, SAMPLER_SAMPLE_L, SIMD8, 1, 0, 3);
   for (unsigned c = 0; c < 4; c++)
      assert_int_equal(rig_get(f, SIMD8, c, 0), 0);
   assert_silent(f);
}

/* One unit is a texel of level 0 with unnormalised coordinates. */
static void
unnormalized(void **state)
{
   proves("SMP-015", "SMP-016");
   struct fx *f = *state;
   struct hw_sampler_state st = sampler(FILTER(NEAREST), MODE(CLAMP));
   st.non_normalized_coordinate_enable = true;
   st.max_lod = 0;
   numbers(f, 1);
   rig_sampler(f, 0, &st);
   static const float at[8] = {0, 0.99f, 1, 3.5f, 4, 100, -3, 2.25f};
   static const float want[8] = {20, 20, 21, 23, 23, 23, 20, 22};
   for (unsigned p = 0; p < 8; p++) {
      rig_put_float(f, SIMD8, false, 0, p, 0);
      rig_put_float(f, SIMD8, false, 1, p, at[p]);
      rig_put_float(f, SIMD8, false, 2, p, 2.5f);
   }
   f->exec_mask = 0xff;
   rig_send(f, SAMPLER_SAMPLE_L, SIMD8, 1, 0, 3);
   for (unsigned p = 0; p < 8; p++)
      near(rig_get_float(f, SIMD8, 0, p), want[p]);
   assert_silent(f);
}

/* SIMD4x2: coordinates first, then lod, ref, offsets. */
static void
pairs(void **state)
{
   proves("SMP-206", "SMP-226", "SMP-232", "SMP-233", "SMP-252", "SMP-314");
   struct fx *f = *state;
   struct hw_sampler_state st = sampler(FILTER(NEAREST), MODE(CLAMP));
   st.shadow_function = 2; /* texel < ref gives 0 */
   numbers(f, 1);
   rig_sampler(f, 0, &st);
   f->exec_mask = 0xff;
   fx_clear_payload(f);
   for (unsigned p = 0; p < 2; p++) {
      rig_put_float(f, SIMD4X2, false, 0, p, p ? 0.9f : 0.1f); /* u */
      rig_put_float(f, SIMD4X2, false, 1, p, p ? 0.1f : 0.9f); /* v */
      rig_put_float(f, SIMD4X2, false, 4, p, 0);               /* lod */
   }
   rig_send(f, SAMPLER_SAMPLE_L, SIMD4X2, 1, 0, 5);
   near(rig_get_float(f, SIMD4X2, 0, 0), 30);
   near(rig_get_float(f, SIMD4X2, 0, 1), 3);
   for (unsigned p = 0; p < 2; p++)
      rig_put_float(f, SIMD4X2, false, 4, p, p ? 3.5f : 29.5f); /* ref, then lod */
   rig_send(f, SAMPLER_SAMPLE_L_C, SIMD4X2, 1, 0, 6);
   near(rig_get_float(f, SIMD4X2, 0, 0), 1);
   near(rig_get_float(f, SIMD4X2, 0, 1), 0);
   assert_silent(f);
}

/* Texel offsets of the header, in texels of the level. */
static void
offsets(void **state)
{
   proves("SMP-214", "SMP-218", "SMP-220");
   struct fx *f = *state;
   struct hw_sampler_state st = sampler(FILTER(NEAREST), MODE(CLAMP));
   numbers(f, 1);
   rig_sampler(f, 0, &st);
   fx_clear_payload(f);
   fx_in(f, 0)[2] = 0x2 << 8 | 0xf << 4; /* +2, -1 */
   for (unsigned p = 0; p < 8; p++) {
      rig_put_float(f, SIMD8, true, 1, p, 0.2f);
      rig_put_float(f, SIMD8, true, 2, p, 0.7f);
   }
   f->exec_mask = 0xff;
   rig_send_full(f, SAMPLER_SAMPLE_L, SIMD8, 1, 0, true, 3, 0, false);
   near(rig_get_float(f, SIMD8, 0, 5), 12);
   assert_silent(f);
}

/* Lower left, lower right, upper right, upper left in red, green, blue, alpha. */
static void
gather(void **state)
{
   proves("SMP-111", "SMP-214", "SMP-281", "SMP-282", "SMP-286", "SMP-288", "SMP-290", "SMP-283");
   struct fx *f = *state;
   struct hw_sampler_state st = sampler(FILTER(NEAREST), MODE(CLAMP));
   st.shadow_function = 2;
   numbers(f, 1);
   rig_sampler(f, 0, &st);
   f->exec_mask = 0xff;
   fx_clear_payload(f);
   for (unsigned p = 0; p < 8; p++) {
      rig_put_float(f, SIMD8, false, 0, p, 0.5f);
      rig_put_float(f, SIMD8, false, 1, p, 0.25f);
   }
   rig_send(f, SAMPLER_GATHER4, SIMD8, 1, 0, 2);
   static const float want[4] = {11, 12, 2, 1};
   for (unsigned c = 0; c < 4; c++)
      near(rig_get_float(f, SIMD8, c, 2), want[c]);
   /* A channel that the format lacks: blue is 0, alpha 1. */
   for (unsigned channel = 2; channel < 4; channel++) {
      fx_clear_payload(f);
      fx_in(f, 0)[2] = channel << 16;
      rig_send_full(f, SAMPLER_GATHER4, SIMD8, 1, 0, true, 2, 0, false);
      for (unsigned c = 0; c < 4; c++)
         near(rig_get_float(f, SIMD8, c, 0), channel == 3);
   }
   /* Offsets by pixel: six bits of them. */
   fx_clear_payload(f);
   for (unsigned p = 0; p < 8; p++) {
      rig_put_float(f, SIMD8, false, 0, p, 0.5f);
      rig_put_float(f, SIMD8, false, 1, p, 0.25f);
      rig_put(f, SIMD8, false, 2, p, p == 3 ? 0xffffffff : p == 4 ? 64 + 1 : 0);
      rig_put(f, SIMD8, false, 3, p, p == 3 ? 2 : 0);
   }
   rig_send(f, SAMPLER_GATHER4_PO, SIMD8, 1, 0, 4);
   near(rig_get_float(f, SIMD8, 0, 0), 11);
   near(rig_get_float(f, SIMD8, 0, 3), 30);
   near(rig_get_float(f, SIMD8, 0, 4), 12);
   for (unsigned p = 0; p < 8; p++) { /* ref, u, v */
      rig_put_float(f, SIMD8, false, 0, p, 11.5f);
      rig_put_float(f, SIMD8, false, 1, p, 0.5f);
      rig_put_float(f, SIMD8, false, 2, p, 0.25f);
   }
   rig_send(f, SAMPLER_GATHER4_C, SIMD8, 1, 0, 3);
   static const float less[4] = {0, 1, 0, 0};
   for (unsigned c = 0; c < 4; c++)
      near(rig_get_float(f, SIMD8, c, 2), less[c]);
   assert_silent(f);
}

/* Green of two channels of 32 bits comes with blue's number. */
static void
gather_green(void **state)
{
   proves("SMP-287", "SMP-288", "SMP-394");
   struct fx *f = *state;
   struct hw_sampler_state st = sampler(FILTER(NEAREST), MODE(CLAMP));
   struct hw_render_surface_state s = rig_2d(FORMAT(R32G32_FLOAT_LD), 2, 2, 16);
   for (unsigned i = 0; i < 8; i++)
      *fx_dw(f, FX_DATA + 4 * i) = rig_bits((float)(100 * (i & 1) + i / 2));
   fx_surface(f, 1, &s);
   rig_sampler(f, 0, &st);
   fx_clear_payload(f);
   fx_in(f, 0)[2] = 2 << 16;
   for (unsigned p = 0; p < 16; p++)
      fx_in(f, 1)[p] = rig_bits(0.5f);
   f->exec_mask = 0xff;
   rig_send_full(f, SAMPLER_GATHER4, SIMD8, 1, 0, true, 2, 0, false);
   static const float want[4] = {102, 103, 101, 100};
   for (unsigned c = 0; c < 4; c++)
      near(rig_get_float(f, SIMD8, c, 0), want[c]);
}

/* A quad that steps two texels a pixel is at level 1. */
static void
lod(void **state)
{
   proves("SMP-044", "SMP-204", "SMP-278", "SMP-280", "SMP-028", "SMP-025");
   struct fx *f = *state;
   struct hw_sampler_state st = sampler(FILTER(LINEAR), MODE(WRAP));
   struct hw_render_surface_state s = rig_2d(FORMAT(R8G8B8A8_UNORM), 64, 64, 256);
   st.mip_mode_filter = 3;
   st.texture_lod_bias = 128;
   st.max_lod = 2 << 8;
   s.surface_min_lod = 1; /* the view begins with 32 by 32 */
   s.mip_count_or_lod = 4;
   fx_surface(f, 1, &s);
   rig_sampler(f, 0, &st);
   for (unsigned p = 0; p < 8; p++) {
      float step = p < 4 ? 2.0f / 32 : 16.0f / 32;
      rig_put_float(f, SIMD8, false, 0, p, p & 1 ? step : 0);
      rig_put_float(f, SIMD8, false, 1, p, p & 2 ? step / 2 : 0);
      rig_put_float(f, SIMD8, false, 2, p, 0);
   }
   fx_fill_response(f, 4, 0x55);
   f->exec_mask = 0x88; /* the pixels that gradients come from are not valid themselves */
   rig_send(f, SAMPLER_LOD, SIMD8, 1, 0, 3);
   near(rig_get_float(f, SIMD8, 0, 3), 1.5 + 1); /* with Surface Min LOD */
   near(rig_get_float(f, SIMD8, 1, 3), 1.5);
   near(rig_get_float(f, SIMD8, 0, 7), 2 + 1);
   near(rig_get_float(f, SIMD8, 1, 7), 4.5);
   assert_int_equal(rig_get(f, SIMD8, 0, 0), 0x55);
   assert_silent(f);
}

/* Gradients and a reference in one message: reference first, then u, its gradients, v … */
static void
gradients_and_reference(void **state)
{
   proves("SMP-256");
   struct fx *f = *state;
   struct hw_sampler_state st = sampler(FILTER(NEAREST), MODE(CLAMP));
   st.shadow_function = 2; /* texel < ref gives 0 */
   numbers(f, 1);
   rig_sampler(f, 0, &st);
   fx_clear_payload(f);
   for (unsigned p = 0; p < 8; p++) {
      rig_put_float(f, SIMD8, false, 0, p, (float)p * 4);        /* ref */
      rig_put_float(f, SIMD8, false, 1, p, 0.6f);                /* u: texel 2 */
      rig_put_float(f, SIMD8, false, 4, p, p & 1 ? 0.3f : 0.6f); /* v: 1 or 2 */
   }
   f->exec_mask = 0xff;
   rig_send(f, SAMPLER_SAMPLE_D_C, SIMD8, 1, 0, 7);
   for (unsigned p = 0; p < 8; p++)
      near(rig_get_float(f, SIMD8, 0, p), (p & 1 ? 12 : 22) < (int)p * 4 ? 0 : 1);
   assert_silent(f);
}

/* Types of later parts are reserved. */
static void
later_types(void **state)
{
   proves("SMP-275");
   struct fx *f = *state;
   numbers(f, 1);
   f->exec_mask = 0xff;
   for (unsigned type = 26; type <= 28; type += 2) {
      fx_fill_response(f, 4, 3);
      rig_send(f, type, SIMD8, 1, 0, 2);
      assert_rule(f, "SMP-231");
      assert_int_equal(rig_get(f, SIMD8, 0, 0), 0);
   }
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void
command(struct fx *f, const uint32_t *dw, unsigned count)
{
   sampler_tables_command(&f->dev->surfaces->sampler, dw, count);
}

static void
at_texels(struct fx *f, unsigned size)
{
   for (unsigned p = 0; p < 8; p++) {
      rig_put_float(f, SIMD8, false, 0, p, 0);
      rig_put_float(f, SIMD8, false, 1, p, ((float)p + 0.5f) / (float)size);
      rig_put_float(f, SIMD8, false, 2, p, 0.5f);
   }
   f->exec_mask = 0xff;
}

static void
palettes(void **state)
{
   proves("SMP-006", "SMP-079", "SMP-147", "SMP-155", "SMP-200", "SMP-406");
   struct fx *f = *state;
   struct hw_sampler_state st = sampler(FILTER(NEAREST), MODE(CLAMP));
   uint32_t load0[5] = {GEN7_3DSTATE_SAMPLER_PALETTE_LOAD0_HEADER | 3, 0x80102030, 0x81112131,
                        0x82122232, 0x83132333};
   uint32_t load1[3] = {GEN7_3DSTATE_SAMPLER_PALETTE_LOAD1_HEADER | 1, 0xff445566, 0xfe778899};
   command(f, load0, 5);
   command(f, load1, 3);
   command(f, (uint32_t[]){GEN7_3DSTATE_SAMPLER_PALETTE_LOAD1_HEADER, 0xfd010203}, 2);
   rig_sampler(f, 0, &st);
   static const struct {
      uint16_t format;
      uint8_t bytes[16], bits;
      uint32_t want[3]; /* A, R, G, B */
      bool dx9;
   } list[] = {
       {FORMAT(P8_UNORM_PALETTE0), {0, 2, 3}, 8, {0x80102030, 0x82122232, 0x83132333}, false},
       {FORMAT(P8_UNORM_PALETTE1), {0, 1, 0}, 8, {0xfd010203, 0xfe778899, 0xfd010203}, false},
       {FORMAT(P2_UNORM_PALETTE0), {0x39}, 2, {0x81112131, 0x82122232, 0x83132333}, false},
       {FORMAT(A8P8_UNORM_PALETTE0),
        {7, 1, 9, 2, 0, 3},
        16,
        {0x07112131, 0x09122232, 0x00132333},
        false},
       {FORMAT(P8A8_UNORM_PALETTE0),
        {1, 7, 2, 9, 3, 0},
        16,
        {0x07112131, 0x09122232, 0x00132333},
        false},
       {FORMAT(P4A4_UNORM_PALETTE0),
        {0x51, 0xf2, 0x03},
        8,
        {0x55112131, 0xff122232, 0x00132333},
        true},
       {FORMAT(A4P4_UNORM_PALETTE0),
        {0x15, 0x2f, 0x30},
        8,
        {0x55112131, 0xff122232, 0x00132333},
        true},
   };
   for (unsigned i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
      struct hw_render_surface_state s = rig_2d(list[i].format, 8, 1, 64);
      st.texture_border_color_mode = list[i].dx9;
      rig_sampler(f, 0, &st);
      memcpy(fx_at(f, FX_DATA), list[i].bytes, 16);
      fx_surface(f, 1, &s);
      at_texels(f, 8);
      rig_send(f, SAMPLER_SAMPLE_L, SIMD8, 1, 0, 3);
      for (unsigned p = 0; p < 3; p++)
         for (unsigned c = 0; c < 4; c++)
            near(rig_get_float(f, SIMD8, c, p),
                 (list[i].want[p] >> (c == 3 ? 24 : 16 - 8 * c) & 0xff) / 255.0);
   }
   assert_silent(f);
}

/* Kill bits beside the colours; or black before the filter. */
static void
chroma_key(void **state)
{
   proves("SMP-080", "SMP-081", "SMP-082", "SMP-083", "SMP-084", "SMP-085", "SMP-199", "SMP-237",
          "SMP-312");
   struct fx *f = *state;
   struct hw_sampler_state st = sampler(FILTER(NEAREST), MODE(CLAMP));
   struct hw_render_surface_state s = rig_2d(FORMAT(B8G8R8A8_UNORM), 8, 1, 64);
   st.chromakey_enable = true;
   st.chromakey_index = 2;
   command(f, (uint32_t[]){GEN7_3DSTATE_CHROMA_KEY_HEADER | 2, 2u << 30, 0x00102030, 0xff112131},
           4);
   static const uint32_t texels[8] = {0xff102030, 0x00112131, 0xff102130, 0xff0f2030,
                                      0xff122030, 0xff101f30, 0xff102230, 0xff10212f};
   memcpy(fx_at(f, FX_DATA), texels, sizeof(texels));
   fx_surface(f, 1, &s);
   rig_sampler(f, 0, &st);
   for (unsigned p = 0; p < 8; p++) {
      rig_put_float(f, SIMD8, false, 0, p, ((float)p + 0.5f) / 8);
      rig_put_float(f, SIMD8, false, 1, p, 0.5f);
   }
   f->exec_mask = 0xff;
   fx_fill_response(f, 5, 0x33333333);
   rig_send(f, SAMPLER_KILLPIX, SIMD8, 1, 0, 2);
   assert_int_equal(fx_out(f, 4)[0], 0xfffffff8u); /* the first three are in the range */
   assert_int_equal(fx_out(f, 4)[1], 0x33333333u);
   near(rig_get_float(f, SIMD8, 0, 0), 0x10 / 255.0); /* the colour itself stays */
   rig_send(f, SAMPLER_SAMPLE, SIMD8, 1, 0, 2);
   st.chromakey_mode = 1;
   rig_sampler(f, 0, &st);
   rig_send(f, SAMPLER_KILLPIX, SIMD8, 1, 0, 2);
   assert_int_equal(fx_out(f, 4)[0], 0xffffffffu);
   for (unsigned c = 0; c < 4; c++)
      near(rig_get_float(f, SIMD8, c, 2), 0);
   near(rig_get_float(f, SIMD8, 0, 3), 0x0f / 255.0);
   assert_silent(f);
   /* 5 bits are widened: 00010b is 10h. */
   struct hw_render_surface_state narrow = rig_2d(FORMAT(B5G6R5_UNORM), 8, 1, 64);
   uint16_t words[8] = {2 << 11 | 8 << 5 | 6, 2 << 11 | 8 << 5 | 7};
   memcpy(fx_at(f, FX_DATA), words, sizeof(words));
   fx_surface(f, 1, &narrow);
   rig_send(f, SAMPLER_KILLPIX, SIMD8, 1, 0, 2);
   near(rig_get_float(f, SIMD8, 0, 0), 0);
   near(rig_get_float(f, SIMD8, 0, 1), 2 / 31.0);
}

/* The share of ones under a window of Nu by Nv texels. */
static void
monochrome(void **state)
{
   proves("SMP-061", "SMP-062", "SMP-162", "SMP-201", "SMP-405");
   struct fx *f = *state;
   struct hw_sampler_state st = sampler(FILTER(MONO), MODE(CLAMP_BORDER));
   struct hw_render_surface_state s = rig_2d(FORMAT(MONO8), 32, 4, 64);
   uint32_t seed = 1;
   uint8_t bit[4][32];
   for (unsigned y = 0; y < 4; y++)
      for (unsigned x = 0; x < 32; x++) {
         seed = seed * 1664525 + 1013904223;
         bit[y][x] = seed >> 30 & 1;
         uint8_t *byte = fx_at(f, FX_DATA + 64 * y + x / 8);
         *byte = (uint8_t)((*byte & ~(1u << x % 8)) | bit[y][x] << x % 8);
      }
   fx_surface(f, 1, &s);
   rig_sampler(f, 0, &st);
   static const uint8_t sizes[3][2] = {{1, 1}, {3, 2}, {7, 7}};
   for (unsigned k = 0; k < 3; k++) {
      int nu = sizes[k][0], nv = sizes[k][1];
      command(f, (uint32_t[]){GEN7_3DSTATE_MONOFILTER_SIZE_HEADER, (uint32_t)(nu << 3 | nv)}, 2);
      float at[8][2];
      for (unsigned p = 0; p < 8; p++) {
         at[p][0] = (float)(p * 37 % 32) + (float)p / 8;
         at[p][1] = (float)(p % 4) + (float)(p * 3 % 8) / 8;
         rig_put_float(f, SIMD8, false, 0, p, 0);
         rig_put_float(f, SIMD8, false, 1, p, at[p][0] / 32);
         rig_put_float(f, SIMD8, false, 2, p, at[p][1] / 4);
      }
      f->exec_mask = 0xff;
      rig_send(f, SAMPLER_SAMPLE_L, SIMD8, 1, 0, 3);
      for (unsigned p = 0; p < 8; p++) {
         /* A box of Nu by Nv around the point: the area of ones in it. */
         double sum = 0, left = at[p][0] - nu / 2.0, top = at[p][1] - nv / 2.0;
         for (int y = 0; y < 4; y++)
            for (int x = 0; x < 32; x++) {
               double w = fmin(x + 1, left + nu) - fmax(x, left);
               double h = fmin(y + 1, top + nv) - fmax(y, top);
               sum += w > 0 && h > 0 ? bit[y][x] * w * h : 0;
            }
         for (unsigned c = 0; c < 4; c++)
            near(rig_get_float(f, SIMD8, c, p), sum / (nu * nv));
      }
   }
   assert_silent(f);
}

/* ---- borders --------------------------------------------------------------------------------- */

/* DX9 mode: a dword of bytes; border values also where the format has no channel, 1.0 in colours
 * that it lacks. */
static void
border_modes(void **state)
{
   proves("SMP-066", "SMP-122", "SMP-131", "SMP-145", "SMP-186", "SMP-187", "SMP-188", "SMP-189",
          "SMP-381");
   struct fx *f = *state;
   struct hw_sampler_state st = sampler(FILTER(NEAREST), MODE(CLAMP_BORDER));
   struct hw_render_surface_state s = rig_2d(FORMAT(R8G8_UNORM), 8, 1, 64);
   memset(fx_at(f, FX_DATA), 51, 64);
   fx_surface(f, 1, &s);
   for (unsigned dx9 = 0; dx9 < 2; dx9++) {
      st.texture_border_color_mode = dx9;
      if (dx9)
         *fx_dw(f, RIG_SAMPLERS + RIG_BORDER) = 0x40302010;
      else
         rig_border(f, 0.25f, 0.5f, 0.75f, 2.0f);
      rig_sampler(f, 0, &st);
      for (unsigned p = 0; p < 8; p++) {
         rig_put_float(f, SIMD8, false, 0, p, 0);
         rig_put_float(f, SIMD8, false, 1, p, p & 1 ? 1.5f : 0.5f);
         rig_put_float(f, SIMD8, false, 2, p, 0.5f);
      }
      f->exec_mask = 0xff;
      rig_send(f, SAMPLER_SAMPLE_L, SIMD8, 1, 0, 3);
      static const double inside[2][4] = {{0.2, 0.2, 0, 1}, {0.2, 0.2, 1, 1}};
      double outside[2][4] = {{0.25, 0.5, 0, 1}, {0x10 / 255.0, 0x20 / 255.0, 1, 0x40 / 255.0}};
      for (unsigned c = 0; c < 4; c++) {
         near(rig_get_float(f, SIMD8, c, 0), inside[dx9][c]);
         near(rig_get_float(f, SIMD8, c, 1), outside[dx9][c]);
      }
   }
   assert_silent(f);
}

/* A face that is off is the border. */
static void
cube_faces(void **state)
{
   proves("SMP-249", "SMP-018", "SMP-020", "SMP-473");
   struct fx *f = *state;
   struct hw_sampler_state st = sampler(FILTER(NEAREST), MODE(CUBE));
   struct hw_render_surface_state s = rig_2d(FORMAT(R32_FLOAT), 4, 4, 64);
   s.surface_type = SURFTYPE_CUBE;
   s.cube_face_enable_positive_x = true; /* -X is off */
   s.cube_face_enable_positive_y = true;
   s.cube_face_enable_negative_y = true;
   s.cube_face_enable_positive_z = true;
   s.cube_face_enable_negative_z = true;
   s.surface_array_spacing = 1;
   for (unsigned face = 0; face < 6; face++)
      for (unsigned i = 0; i < 16; i++)
         *fx_dw(f, FX_DATA + 64 * (4 * face + i / 4) + 4 * (i % 4)) =
             rig_bits((float)(100 * face + i / 4 * 10 + i % 4));
   fx_surface(f, 1, &s);
   rig_border(f, 7, 7, 7, 7);
   rig_sampler(f, 0, &st);
   /* A point of each face: one right of its middle, one down; by the figure of the manual. */
   static const float at[8][3] = {{1, -0.3f, -0.3f}, {-1, -0.3f, 0.3f}, {0.3f, 1, 0.3f},
                                  {0.3f, -1, -0.3f}, {0.3f, -0.3f, 1},  {-0.3f, -0.3f, -1},
                                  {1, 0.3f, 0.3f},   {1, 0.3f, -0.3f}};
   static const float want[8] = {22, 7, 222, 322, 422, 522, 11, 12};
   for (unsigned p = 0; p < 8; p++) {
      rig_put_float(f, SIMD8, false, 0, p, 0);
      for (unsigned k = 0; k < 3; k++)
         rig_put_float(f, SIMD8, false, 1 + k, p, at[p][k]);
   }
   f->exec_mask = 0xff;
   rig_send(f, SAMPLER_SAMPLE_L, SIMD8, 1, 0, 4);
   for (unsigned p = 0; p < 8; p++)
      near(rig_get_float(f, SIMD8, 0, p), want[p]);
   assert_silent(f);
}

/* Every texel of a level is the level's number. */
static void
cube_of_levels(struct fx *f)
{
   struct hw_render_surface_state s = rig_2d(FORMAT(R32_FLOAT), 32, 32, 256);
   s.surface_type = SURFTYPE_CUBE;
   s.cube_face_enable_negative_x = s.cube_face_enable_positive_x = true;
   s.cube_face_enable_negative_y = s.cube_face_enable_positive_y = true;
   s.cube_face_enable_negative_z = s.cube_face_enable_positive_z = true;
   s.mip_count_or_lod = 5;
   uint32_t dw[8], address;
   struct surface u;
   gen7_render_surface_state_pack(dw, &s);
   surface_unpack(&u, dw, f->dev->hw_device);
   for (unsigned level = 0; level < 6; level++) {
      struct surface_view v;
      unsigned size = 32u >> level;
      surface_view_make(&v, &u, level);
      for (unsigned i = 0; i < 6 * size * size; i++) {
         assert_true(
             surface_view_address(&v, i % size, i / size % size, i / size / size, 0, &address));
         *fx_dw(f, address) = rig_bits((float)level);
      }
   }
   fx_surface(f, 1, &s);
}

/* A quad over an edge of a cube is as wide as on the plane of each pixel's own face. A neighbour
 * behind that face, of which this cannot be said, counts where it is. */
static void
lod_over_an_edge(void **state)
{
   proves("SMP-028", "SMP-029");
   struct fx *f = *state;
   struct hw_sampler_state st = sampler(FILTER(NEAREST), MODE(CUBE));
   st.mip_mode_filter = 1;
   cube_of_levels(f);
   rig_sampler(f, 0, &st);
   f->t.buffers = calloc(1, sizeof(*f->t.buffers));
   static const float next[7][3] = {{1.25f, 0, 1}, {0.75f, 0.25f, 1}, {1.75f, 0, 1},
                                    {2.75f, 0, 1}, {1, 0, -0.5f},     {-1.25f, -1.25f, 1},
                                    {1, 0, 0}};
   static const float want[7] = {3, 2, 4, 5, 2, 5, 2};
   for (unsigned face = 0; face < 6; face++)
      for (unsigned i = 0; i < 7; i++) {
         float sign = face & 1 ? -1 : 1, most = 0;
         for (unsigned k = 0; k < 3; k++)
            most = fmaxf(most, fabsf(next[i][k]));
         for (unsigned p = 0; p < 8; p++)
            for (unsigned k = 0; k < 3; k++) {
               float at = p == 1 ? next[i][k] / most : k == 0 ? 0.75f : k == 2;
               rig_put_float(f, SIMD8, false, (face / 2 + 1 + k) % 3, p, sign * at);
            }
         /* Pixel 3 lies where pixel 0 does. */
         f->exec_mask = 9;
         rig_send(f, SAMPLER_SAMPLE, SIMD8, 1, 0, 3);
         near(rig_get_float(f, SIMD8, 0, 0), want[i]);
         near(rig_get_float(f, SIMD8, 0, 3), want[i]);
         struct sf_quick q;
         uint32_t desc = 1 | SAMPLER_SAMPLE << 12 | SIMD8 << 17 | 4 << 20 | 3u << 25;
         assert_true(
             sf_quick_select(&q, f->dev, SFID_SAMPLER, desc, false, FX_PAYLOAD, FX_RESPONSE));
         fx_fill_response(f, 4, 0x55);
         assert_true(q.fn(&f->t, &q, 9));
         near(rig_get_float(f, SIMD8, 0, 0), want[i]);
         near(rig_get_float(f, SIMD8, 0, 3), want[i]);
      }
   /* A rectangle whose first row and column begin with its pixel 3: the others lie past a corner.
    */
   static const float past[4][3] = {
       {-1.25f, -1.25f, 1}, {-0.75f, -1.25f, 1}, {-1.25f, -0.75f, 1}, {-0.75f, -0.75f, 1}};
   for (unsigned p = 0; p < 8; p++)
      for (unsigned k = 0; k < 3; k++)
         rig_put_float(f, SIMD8, false, k, p,
                       past[p % 4][k] / fmaxf(1, fmaxf(-past[p % 4][0], -past[p % 4][1])));
   f->exec_mask = 0x88;
   rig_send(f, SAMPLER_SAMPLE, SIMD8, 1, 0, 3);
   near(rig_get_float(f, SIMD8, 0, 3), 3);
   struct sf_quick q;
   uint32_t desc = 1 | SAMPLER_SAMPLE << 12 | SIMD8 << 17 | 4 << 20 | 3u << 25;
   if (sf_quick_select(&q, f->dev, SFID_SAMPLER, desc, false, FX_PAYLOAD, FX_RESPONSE)) {
      fx_fill_response(f, 4, 0x55);
      assert_true(q.fn(&f->t, &q, 0x88));
      near(rig_get_float(f, SIMD8, 0, 7), 3);
   }
   free(f->t.buffers);
   f->t.buffers = NULL;
   assert_silent(f);
}

/* ---- multisampling --------------------------------------------------------------------------- */

static void
multisampled(void **state)
{
   proves("SMP-101", "SMP-105", "SMP-107", "SMP-108", "SMP-268", "SMP-270", "SMP-271", "SMP-272",
          "SMP-303", "SMP-370");
   struct fx *f = *state;
   struct hw_render_surface_state s = rig_2d(FORMAT(R32_UINT), 16, 16, 128);
   s.tiled_surface = true;
   s.tile_walk = 1;
   s.number_of_multisamples = 2;
   s.surface_array_spacing = 1;
   s.surface_vertical_alignment = 1;
   s.mcs_enable = true;
   s.mcs_base_address = FX_DATA + 0x10000;
   s.red_clear_color = true;
   uint32_t dw[8];
   struct surface u;
   struct surface_view v;
   gen7_render_surface_state_pack(dw, &s);
   surface_unpack(&u, dw, f->dev->hw_device);
   surface_view_make(&v, &u, 0);
   fx_surface(f, 1, &s);
   for (unsigned slice = 0; slice < 4; slice++) {
      uint32_t address;
      assert_true(surface_view_address(&v, 5, 3, 0, slice, &address));
      *fx_dw(f, address) = 1000 + slice;
   }
   /* MCS element (5, 3), tile Y: column 0, row 3. */
   *fx_at(f, FX_DATA + 0x10000 + 3 * 16 + 5) = 0xe1; /* slices 1, 0, 2, 3 of samples 0 to 3 */
   f->exec_mask = 0xff;
   fx_clear_payload(f);
   for (unsigned p = 0; p < 8; p++) {
      rig_put(f, SIMD8, false, 0, p, 5);
      rig_put(f, SIMD8, false, 1, p, p == 7 ? 16 : 3);
   }
   rig_send(f, SAMPLER_LD_MCS, SIMD8, 1, 0, 2);
   assert_int_equal(rig_get(f, SIMD8, 0, 0), 0xe1);
   assert_int_equal(rig_get(f, SIMD8, 3, 0), 0);
   assert_int_equal(rig_get(f, SIMD8, 0, 7), 0);
   for (unsigned p = 0; p < 8; p++) {
      rig_put(f, SIMD8, false, 0, p, p); /* sample: beyond the last one is the last one */
      rig_put(f, SIMD8, false, 1, p, p == 6 ? 0xff : 0xe1);
      rig_put(f, SIMD8, false, 2, p, 5);
      rig_put(f, SIMD8, false, 3, p, 3);
   }
   rig_send(f, SAMPLER_LD2DMS, SIMD8, 1, 0, 4);
   static const uint32_t want[8] = {1001, 1000, 1002, 1003, 1003, 1003, 1, 1003};
   for (unsigned p = 0; p < 8; p++)
      assert_int_equal(rig_get(f, SIMD8, 0, p), want[p]);
   for (unsigned c = 1; c < 4; c++) /* of the clear one too, what the format does not have */
      assert_int_equal(rig_get(f, SIMD8, c, 6), c == 3);
   for (unsigned p = 0; p < 8; p++) {
      rig_put(f, SIMD8, false, 1, p, 5);
      rig_put(f, SIMD8, false, 2, p, 3);
   }
   rig_send(f, SAMPLER_LD2DSS, SIMD8, 1, 0, 3);
   for (unsigned p = 0; p < 4; p++)
      assert_int_equal(rig_get(f, SIMD8, 0, p), 1000 + p);
   assert_silent(f);
}

/* ---- the fast path --------------------------------------------------------------------------- */

/* SIMD16 sample_l of surface 1, sampler 0, by its fast path. False: not for it, or the host has
 * none. */
static bool
send_quickly(struct fx *f)
{
   struct sf_quick q;
   uint32_t desc = 1 | SAMPLER_SAMPLE_L << 12 | SIMD16 << 17 | 8 << 20 | 6u << 25;
   fx_fill_response(f, 8, 0x55);
   if (!sf_quick_select(&q, f->dev, SFID_SAMPLER, desc, false, FX_PAYLOAD, FX_RESPONSE))
      return false;
   uint32_t modes = fpmode_get();
   fpmode_set(fpmode_thread(&f->t));
   bool done = q.fn(&f->t, &q, f->exec_mask);
   fpmode_set(modes);
   return done;
}

static const uint32_t orders[] = {FORMAT(R8G8B8A8_UNORM), FORMAT(B8G8R8A8_UNORM),
                                  FORMAT(B8G8R8X8_UNORM), FORMAT(R8G8B8X8_UNORM)};

/* Channel c of texel i. */
static unsigned
code(unsigned i, unsigned c)
{
   return (i * (2 * c + 1) + 77 * c) & 0xff;
}

/* 64 by 4 texels, which have every code in each channel. */
static void
all_codes(struct fx *f, unsigned order)
{
   struct hw_render_surface_state s = rig_2d(orders[order], 64, 4, 256);
   bool swapped = order == 1 || order == 2;
   for (unsigned i = 0; i < 256; i++)
      *fx_dw(f, FX_DATA + 4 * i) = code(i, swapped ? 2 : 0) | code(i, 1) << 8 |
                                   code(i, swapped ? 0 : 2) << 16 | code(i, 3) << 24;
   fx_surface(f, 1, &s);
}

static void
check_codes(struct fx *f, unsigned first, bool opaque)
{
   for (unsigned p = 0; p < 16; p++)
      for (unsigned c = 0; c < 4; c++) {
         float want = c == 3 && opaque ? 1 : (float)(code(first + p, c) / 255.0);
         assert_int_equal(rig_get(f, SIMD16, c, p), rig_bits(want));
      }
}

/* A texel's channel is its code over 255, rounded once. */
static void
every_code(void **state)
{
   proves("SMP-055");
   struct fx *f = *state;
   struct hw_sampler_state st = sampler(FILTER(NEAREST), MODE(WRAP));
   f->t.buffers = calloc(1, sizeof(*f->t.buffers));
   f->exec_mask = 0xffff;
   rig_sampler(f, 0, &st);
   for (unsigned order = 0; order < 4; order++) {
      all_codes(f, order);
      for (unsigned first = 0; first < 256; first += 16) {
         for (unsigned p = 0; p < 16; p++) {
            rig_put_float(f, SIMD16, false, 0, p, 0);
            rig_put_float(f, SIMD16, false, 1, p, ((float)((first + p) % 64) + 0.5f) / 64 - 3);
            rig_put_float(f, SIMD16, false, 2, p, ((float)(first / 64) + 0.5f) / 4 + 5);
         }
         rig_send(f, SAMPLER_SAMPLE_L, SIMD16, 1, 0, 3);
         check_codes(f, first, order >= 2);
         assert_true(send_quickly(f));
         check_codes(f, first, order >= 2);
      }
   }
   free(f->t.buffers);
   f->t.buffers = NULL;
   assert_silent(f);
}

/* Coordinates that are no numbers, or so far out that they are reduced before they are scaled:
 * the fast path has the bits of the general one, whichever pixel it is. */
static void
far_quickly(void **state)
{
   struct fx *f = *state;
   static const float far[] = {NAN,          INFINITY,   -INFINITY,  1023.99f,   1024,
                               -1024,        -1025.3f,   46341.3f,   65536.125f, 524288.125f,
                               -524288.375f, 4194303.5f, 4194304.5f, 5000001,    -5000001,
                               33554436,     3e38f,      -3e38f,     1e-40f,     -1e-40f};
   struct hw_render_surface_state s = rig_2d(FORMAT(R8G8B8A8_UNORM), 4096, 4, 16384);
   f->t.buffers = calloc(1, sizeof(*f->t.buffers));
   for (unsigned i = 0; i < 4 * 4096; i++)
      *fx_dw(f, FX_DATA + 4 * i) = i * 2654435761u;
   fx_surface(f, 1, &s);
   for (unsigned way = 0; way < 8; way++) {
      struct hw_sampler_state st =
          sampler(way & 1 ? FILTER(LINEAR) : FILTER(NEAREST), way & 2 ? MODE(CLAMP) : MODE(WRAP));
      st.non_normalized_coordinate_enable = way >= 4;
      rig_sampler(f, 0, &st);
      for (unsigned i = 0; i < 16 * 2 * sizeof(far) / sizeof(far[0]); i++) {
         for (unsigned p = 0; p < 16; p++)
            for (unsigned n = 0; n < 3; n++)
               rig_put_float(f, SIMD16, false, n, p, n ? (float)(p * n) / 32 : 0);
         rig_put_float(f, SIMD16, false, 1 + i / 16 % 2, i % 16, far[i / 32]);
         f->exec_mask = i & 8 ? 0xffff : 0x0ff0 | 1u << i % 16;
         fx_fill_response(f, 8, 0x55);
         rig_send(f, SAMPLER_SAMPLE_L, SIMD16, 1, 0, 3);
         uint8_t want[8 * EU_REG_SIZE];
         memcpy(want, fx_out(f, 0), sizeof(want));
         if (send_quickly(f))
            assert_memory_equal(want, fx_out(f, 0), sizeof(want));
         else
            assert_int_equal(rig_get(f, SIMD16, 0, i % 16), 0x55);
      }
   }
   free(f->t.buffers);
   f->t.buffers = NULL;
}

/* ---- bad numbers ----------------------------------------------------------------------------- */

/* NaN, infinities and levels far out: texels of the map, every time. */
static void
hostile_numbers(void **state)
{
   struct fx *f = *state;
   static const uint32_t bad[] = {0x7fc00000, 0x7f800000, 0xff800000, 0x7f7fffff, 0xff7fffff,
                                  0x00000001, 0x80000001, 0x4f000000, 0xcf000000, 0x7f800001};
   numbers(f, 1);
   f->exec_mask = 0xff;
   for (unsigned mode = 0; mode < 7; mode++)
      for (unsigned filter = 0; filter < 2; filter++) {
         struct hw_sampler_state st = sampler(filter, mode == 3 ? 0 : mode);
         rig_border(f, 1, 0, 0, 1);
         rig_sampler(f, 0, &st);
         for (unsigned i = 0; i < 1000; i++) {
            for (unsigned p = 0; p < 8; p++)
               for (unsigned n = 0; n < 3; n++)
                  rig_put(f, SIMD8, false, n, p, bad[(i * 7 + p * 3 + n * (1 + i / 10)) % 10]);
            rig_send(f, SAMPLER_SAMPLE_L, SIMD8, 1, 0, 3);
            for (unsigned p = 0; p < 8; p++) {
               float v = rig_get_float(f, SIMD8, 0, p);
               assert_true(v >= 0 && v <= 33);
            }
         }
      }
   assert_silent(f);
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, rig_setup, fx_teardown)
   const struct CMUnitTest tests[] = {CASE(states),
                                      CASE(unnormalized),
                                      CASE(pairs),
                                      CASE(offsets),
                                      CASE(gather),
                                      CASE(gather_green),
                                      CASE(lod),
                                      CASE(palettes),
                                      CASE(chroma_key),
                                      CASE(monochrome),
                                      CASE(border_modes),
                                      CASE(cube_faces),
                                      CASE(lod_over_an_edge),
                                      CASE(multisampled),
                                      CASE(gradients_and_reference),
                                      CASE(later_types),
                                      CASE(every_code),
                                      CASE(far_quickly),
                                      CASE(hostile_numbers)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
