/* Render target write: kinds of surfaces and their edges, samples, slot groups, formats, caches. */
#include "render_target.h"
#include "tests/proves.h"

#define UINT32 0xd7u /* R32_UINT */

/* A linear target of R32_UINT. */
static struct hw_render_surface_state
linear(unsigned type, unsigned width, unsigned height)
{
   return (struct hw_render_surface_state){.surface_type = type,
                                           .surface_format = UINT32,
                                           .surface_base_address = FX_DATA,
                                           .width = width - 1,
                                           .height = height - 1,
                                           .surface_pitch = 255};
}

/* Sends a SIMD8 message whose red is 100 + slot. */
static void
send8(struct fx *f, uint32_t dw0, uint32_t place0, uint32_t place1, uint32_t enables)
{
   header(f, dw0, enables);
   fx_in(f, 1)[2] = place0;
   fx_in(f, 1)[3] = place1;
   for (unsigned i = 0; i < 8; i++)
      fx_in(f, 2)[i] = 100 + i;
   fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 6, 0);
}

static unsigned
dwords_set(struct fx *f, uint32_t size)
{
   unsigned n = 0;
   for (uint32_t i = 0; i < size; i += 4)
      n += *fx_dw(f, FX_DATA + i) != 0;
   return n;
}

/* DP-460 DP-360: of subspans that hang over the edges only the pixels inside are written, and
 * nothing else in memory. */
static void
edges(void **state)
{
   proves("DP-460", "DP-360");
   struct fx *f = *state;
   struct hw_render_surface_state st = linear(SURFTYPE_2D, 13, 7);
   f->env.pixel = plain_windower();
   fx_surface(f, 0, &st);
   memset(fx_at(f, FX_DATA), 0, 0x10000);
   send8(f, 0, 0u << 16 | 12, 6u << 16 | 4, 0xff);
   assert_int_equal(*fx_dw(f, FX_DATA + 12 * 4), 100);
   assert_int_equal(*fx_dw(f, FX_DATA + 256 + 12 * 4), 102);
   assert_int_equal(*fx_dw(f, FX_DATA + 6 * 256 + 4 * 4), 104);
   assert_int_equal(*fx_dw(f, FX_DATA + 6 * 256 + 5 * 4), 105);
   assert_int_equal(dwords_set(f, 0x10000), 4);
   send8(f, 0, 0u << 16 | 14, 8u << 16 | 4, 0xff);
   send8(f, 0, 0xfffeu << 16, 0xfffe, 0xff);
   assert_int_equal(dwords_set(f, 0x10000), 4);
   assert_silent(f);
}

/* DP-422 DP-460: the level that the state names has its own size. */
static void
edges_of_a_level(void **state)
{
   proves("DP-422", "DP-460");
   struct fx *f = *state;
   struct hw_render_surface_state st = linear(SURFTYPE_2D, 12, 8);
   f->env.pixel = plain_windower();
   st.mip_count_or_lod = 1;
   fx_surface(f, 0, &st);
   memset(fx_at(f, FX_DATA), 0, 0x10000);
   send8(f, 0, 2u << 16 | 4, 4u << 16 | 6, 0xff); /* 6 by 4 pixels, below the 8 rows of level 0 */
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(*fx_dw(f, FX_DATA + (8 + 2 + i / 2) * 256 + (4 + i % 2) * 4), 100 + i);
   assert_int_equal(dwords_set(f, 0x10000), 4);
}

/* DP-457 DP-381 DP-460: a buffer has entries along X and nothing else. */
static void
buffer_target(void **state)
{
   proves("DP-457", "DP-381", "DP-460");
   struct fx *f = *state;
   f->env.pixel = plain_windower();
   fx_buffer(f, 0, UINT32, FX_DATA, 10, 4);
   memset(fx_at(f, FX_DATA), 0, 4096);
   send8(f, 0, 8, 10, 0x33);
   assert_int_equal(fx_dw(f, FX_DATA)[8], 100);
   assert_int_equal(fx_dw(f, FX_DATA)[9], 101);
   assert_int_equal(dwords_set(f, 4096), 2);
   assert_silent(f);
   send8(f, 0, 2, 4, 0x03 | 0x04);
   assert_rule(f, "DP-457");
   assert_int_equal(dwords_set(f, 4096), 4);
   send8(f, 1u << 16, 4, 4, 0x01);
   assert_rule(f, "DP-457");
   assert_int_equal(fx_dw(f, FX_DATA)[4], 100);
}

/* DP-457 DP-381: a 1D surface has one row in each element of its array. */
static void
one_dimension(void **state)
{
   proves("DP-457", "DP-381");
   struct fx *f = *state;
   struct hw_render_surface_state st = linear(SURFTYPE_1D, 16, 1);
   f->env.pixel = plain_windower();
   st.surface_array = true, st.depth = 3, st.render_target_view_extent = 3;
   st.surface_array_spacing = 1;
   fx_surface(f, 0, &st);
   memset(fx_at(f, FX_DATA), 0, 4096);
   send8(f, 3u << 16, 14, 16, 0x33);
   assert_silent(f);
   assert_int_equal(*fx_dw(f, FX_DATA + 3 * 2 * 256 + 14 * 4),
                    100); /* VALIGN_2: two rows an element */
   assert_int_equal(dwords_set(f, 4096), 2);
   send8(f, 3u << 16, 14, 16, 0x04);
   assert_rule(f, "DP-457");
   assert_int_equal(dwords_set(f, 4096), 2);
}

/* DP-381 DP-382 DP-421: z of a 3D surface counts from the first element; outside the view it is
 * that element; a level has fewer slices. */
static void
three_dimensions(void **state)
{
   proves("DP-381", "DP-382", "DP-421");
   struct fx *f = *state;
   static const struct {
      unsigned lod, extent, index;
      int z; /* -1: nothing is written */
   } table[] = {{0, 5, 2, 5},  {0, 2, 1, 4}, {0, 2, 2, 3}, {0, 5, 4, 7},
                {0, 8, 5, -1}, {1, 8, 0, 3}, {1, 8, 1, -1}};
   f->env.pixel = plain_windower();
   for (unsigned t = 0; t < sizeof(table) / sizeof(table[0]); t++) {
      struct hw_render_surface_state st = linear(SURFTYPE_3D, 16, 8);
      st.depth = 7, st.minimum_array_element = 3;
      st.render_target_view_extent = table[t].extent - 1, st.mip_count_or_lod = table[t].lod;
      fx_surface(f, 0, &st);
      memset(fx_at(f, FX_DATA), 0, 0x10000);
      send8(f, table[t].index << 16, 0, 0, 1);
      unsigned z = (unsigned)table[t].z;
      uint32_t at = table[t].lod ? (8 * 8 + z / 2 * 4) * 256 + z % 2 * 8 * 4 : z * 8 * 256;
      assert_int_equal(dwords_set(f, 0x10000), table[t].z >= 0);
      if (table[t].z >= 0)
         assert_int_equal(*fx_dw(f, FX_DATA + at), 100);
   }
   assert_silent(f);
}

/* DP-382: an index that the view does not have is the view's first element, for arrays and for
 * cubes. */
static void
outside_the_view(void **state)
{
   proves("DP-382");
   struct fx *f = *state;
   struct hw_render_surface_state st = linear(SURFTYPE_2D, 16, 8);
   f->env.pixel = plain_windower();
   st.surface_array = true, st.surface_array_spacing = 1;
   st.depth = 5, st.minimum_array_element = 1,
   st.render_target_view_extent = 2; /* elements 1, 2, 3 */
   fx_surface(f, 0, &st);
   for (unsigned index = 0; index < 9; index++) {
      memset(fx_at(f, FX_DATA), 0, 0x10000);
      send8(f, index << 16, 0, 0, 1);
      assert_int_equal(*fx_dw(f, FX_DATA + (1 + (index < 3 ? index : 0)) * 8 * 256), 100);
      assert_int_equal(dwords_set(f, 0x10000), 1);
   }
}

/* DP-420 DP-457: a null surface takes nothing and says nothing; a structured buffer and the
 * reserved type take nothing. */
static void
no_target(void **state)
{
   proves("DP-420", "DP-457");
   struct fx *f = *state;
   f->env.pixel = plain_windower();
   memset(fx_at(f, FX_DATA), 0, 4096);
   struct hw_render_surface_state st = linear(SURFTYPE_NULL, 16, 8);
   st.surface_format = 0x1ff;
   fx_surface(f, 0, &st);
   send8(f, 0, 0, 2, 0xff);
   assert_silent(f);
   for (unsigned type = SURFTYPE_STRBUF; type <= SURFTYPE_RESERVED; type++) {
      st = linear(type, 16, 8);
      fx_surface(f, 0, &st);
      send8(f, 0, 0, 2, 0x33);
      assert_rule(f, "DP-457");
   }
   assert_int_equal(dwords_set(f, 4096), 0);
}

/* DP-364 DP-366 DP-368 DP-462: in PERSAMPLE mode a slot is one sample; SSPI says which pair comes
 * first. The enables and oMask are then those of samples. */
static void
per_sample(void **state)
{
   proves("DP-364", "DP-366", "DP-368", "DP-462");
   struct fx *f = *state;
   static struct pixel_backend windower = {.dispatch_width = 16, .per_sample = true};
   static const struct {
      unsigned samples, type, pair, first; /* first sample of slots 3:0 */
   } table[] = {{4, SIMD8, 0, 0},  {4, SIMD8, 1, 2},  {8, SIMD8, 3, 6},
                {4, SIMD16, 0, 0}, {8, SIMD16, 0, 0}, {8, SIMD16, 2, 4}};
   f->env.pixel = &windower;
   for (unsigned t = 0; t < sizeof(table) / sizeof(table[0]); t++) {
      unsigned wide = table[t].type == SIMD16, slots = wide ? 16 : 8;
      target(f, UINT32, table[t].samples);
      memset(fx_at(f, FX_DATA), 0, 8 * 64 * 2048);
      header(f, table[t].pair << 6, 0x7fb7); /* slots 3, 6 and 15 are off */
      for (unsigned i = 0; i < slots; i++)
         fx_in(f, 2 + i / 8)[i % 8] = 1 + i;
      fx_send(f, SFID_DP_RENDER, RT(table[t].type), true, wide ? 10 : 6, 0);
      unsigned on = 0;
      for (unsigned i = 0; i < slots; i++) {
         unsigned sample = table[t].first + i / 4, x = 8 + i % 2, y = 4 + i % 4 / 2;
         bool enabled = 0x7fb7 >> i & 1;
         on += enabled;
         assert_int_equal(
             *fx_dw(f, FX_DATA + sample * 64 * 2048 + x * 4 / 16 * 512 + y * 16 + x * 4 % 16),
             enabled ? 1 + i : 0);
      }
      assert_int_equal(dwords_set(f, 8 * 64 * 2048), on);
   }
   assert_silent(f);
}

/* DP-462 DP-386: oMask, indexed by the slot's own sample. */
static void
omask_per_sample(void **state)
{
   proves("DP-462", "DP-386");
   struct fx *f = *state;
   static struct pixel_backend windower = {.dispatch_width = 8, .per_sample = true};
   f->env.pixel = &windower;
   target(f, UINT32, 4);
   memset(fx_at(f, FX_DATA), 0, 4 * 64 * 2048);
   header(f, OMASK | 1u << 6, 0xff);
   for (unsigned i = 0; i < 4; i++) /* slots 2i and 2i+1: sample 2 is kept, sample 3 is not */
      fx_in(f, 2)[i] = 0x00070007;
   for (unsigned i = 0; i < 8; i++)
      fx_in(f, 3)[i] = 1 + i;
   fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 7, 0);
   assert_int_equal(dwords_set(f, 4 * 64 * 2048), 4);
   assert_int_equal(*fx_dw(f, FX_DATA + 2 * 64 * 2048 + 2 * 512 + 4 * 16), 1);
}

/* DP-374 DP-464: SLOTGRP_HI is for 32 pixels; replicated data is not for 8. */
static void
dispatch_widths(void **state)
{
   proves("DP-374", "DP-464");
   struct fx *f = *state;
   static struct pixel_backend windower = {0};
   f->env.pixel = &windower;
   target(f, 0xc7, 1);
   for (unsigned width = 8; width <= 32; width *= 2) {
      windower.dispatch_width = (uint8_t)width;
      header(f, 0, 0xffff);
      fx_send(f, SFID_DP_RENDER, RT(SIMD8) | 1u << 11, true, 6, 0);
      assert_int_equal(fx_said(f, "DP-374"), width < 32);
      f->rule_count = 0;
      fx_send(f, SFID_DP_RENDER, RT(REPDATA), true, 3, 0);
      assert_int_equal(fx_said(f, "DP-464"), width == 8);
      f->rule_count = 0;
   }
}

/* DP-320 DP-463 DP-371 DP-376 DP-427: combinations that the table does not list, and parts that are
 * not there. */
static void
malformed(void **state)
{
   proves("DP-320", "DP-463", "DP-371", "DP-376", "DP-427", "DP-465");
   struct fx *f = *state;
   target(f, 0xc7, 1);
   header(f, ALPHA0, 0xffff);
   fx_in(f, 0)[2] = 1;
   fx_send(f, SFID_DP_RENDER, RT(REPDATA), true, 4, 0);
   assert_rule(f, "DP-463");
   header(f, 0, 0xffff);
   fx_send(f, SFID_DP_RENDER, RT(SIMD8) | 1u << 13, true, 6, 0);
   assert_rule(f, "DP-371");
   fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 1, 0);
   assert_rule(f, "DP-376");
   fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 2, 0); /* whole, with nothing behind it */
   assert_false(fx_said(f, "DP-376"));
   assert_rule(f, "DP-465");
   fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 6, 1);
   assert_rule(f, "DP-427");
   fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 5, 0);
   assert_rule(f, "DP-465");
}

/* DP-351 DP-354: with dual source blending on, the single source message leaves the target alone;
 * with it off, the dual source message writes source 0. */
static void
dual_source_and_memory(void **state)
{
   proves("DP-351", "DP-354");
   struct fx *f = *state;
   static struct pixel_backend windower = {.dispatch_width = 16, .dual_source_blend = true};
   const uint32_t at = FX_DATA + 2 * 512 + 4 * 16;
   f->env.pixel = &windower;
   target(f, UINT32, 1);
   *fx_dw(f, at) = 1;
   header(f, 0, 1);
   fx_in(f, 2)[0] = 5;
   fx_in(f, 6)[0] = 6;
   fx_send(f, SFID_DP_RENDER, RT(SIMD8) | LAST, true, 6, 0);
   assert_int_equal(*fx_dw(f, at), 1);
   windower.dual_source_blend = false;
   fx_send(f, SFID_DP_RENDER, RT(DUAL_LO), true, 10, 0);
   assert_int_equal(*fx_dw(f, at), 5);
   assert_silent(f);
}

/* DP-466: the formats by name. */
static void
render_target_formats(void **state)
{
   proves("DP-466", "SMP-395", "SMP-396");
   (void)state;
   static const char *const names[] = {"R32G32B32A32_FLOAT",
                                       "R32G32B32A32_SINT",
                                       "R32G32B32A32_UINT",
                                       "R16G16B16A16_UNORM",
                                       "R16G16B16A16_SNORM",
                                       "R16G16B16A16_SINT",
                                       "R16G16B16A16_UINT",
                                       "R16G16B16A16_FLOAT",
                                       "R32G32_FLOAT",
                                       "R32G32_SINT",
                                       "R32G32_UINT",
                                       "B8G8R8A8_UNORM",
                                       "B8G8R8A8_UNORM_SRGB",
                                       "R10G10B10A2_UNORM",
                                       "R10G10B10A2_UINT",
                                       "R8G8B8A8_UNORM",
                                       "R8G8B8A8_UNORM_SRGB",
                                       "R8G8B8A8_SNORM",
                                       "R8G8B8A8_SINT",
                                       "R8G8B8A8_UINT",
                                       "R16G16_UNORM",
                                       "R16G16_SNORM",
                                       "R16G16_SINT",
                                       "R16G16_UINT",
                                       "R16G16_FLOAT",
                                       "B10G10R10A2_UNORM",
                                       "B10G10R10A2_UNORM_SRGB",
                                       "R11G11B10_FLOAT",
                                       "R32_SINT",
                                       "R32_UINT",
                                       "R32_FLOAT",
                                       "B5G6R5_UNORM",
                                       "B5G6R5_UNORM_SRGB",
                                       "B5G5R5A1_UNORM",
                                       "B5G5R5A1_UNORM_SRGB",
                                       "B4G4R4A4_UNORM",
                                       "B4G4R4A4_UNORM_SRGB",
                                       "R8G8_UNORM",
                                       "R8G8_SNORM",
                                       "R8G8_SINT",
                                       "R8G8_UINT",
                                       "R16_UNORM",
                                       "R16_SNORM",
                                       "R16_SINT",
                                       "R16_UINT",
                                       "R16_FLOAT",
                                       "B5G5R5X1_UNORM",
                                       "B5G5R5X1_UNORM_SRGB",
                                       "R8_UNORM",
                                       "R8_SNORM",
                                       "R8_SINT",
                                       "R8_UINT",
                                       "A8_UNORM",
                                       "YCRCB_NORMAL",
                                       "YCRCB_SWAPUVY",
                                       "YCRCB_SWAPUV",
                                       "YCRCB_SWAPY"};
   for (unsigned code = 0; code < 512; code++) {
      const struct format_info *info = format_get(code);
      bool listed = false;
      for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
         listed |= !strcmp(info->name, names[i]);
      bool number =
          strstr(info->name, "_SINT") || strstr(info->name, "_UINT") || strstr(info->name, "YCRCB");
      assert_int_equal((info->capabilities & FORMAT_RENDER) != 0, listed);
      assert_int_equal((info->capabilities & FORMAT_BLEND) != 0, listed && !number);
   }
}

/* DP-467 DP-390: clamped to the range of the target, rounded to the nearest, ties to even; 32-bit
 * channels go as they are. */
static void
clamp_and_round(void **state)
{
   proves("DP-467", "DP-390");
   struct fx *f = *state;
   static const struct {
      unsigned format;
      float in[4];
      uint32_t out;
   } table[] = {{0xc7, {-1, 2, 0.49f / 255, 0.51f / 255}, 0x0100ff00},  /* R8G8B8A8_UNORM */
                {0xc9, {-2, 2, -0.51f / 127, 0.49f / 127}, 0x00ff7f81}, /* SNORM */
                {0xd0, {1 + 0x1p-11f, 1 + 0x3p-11f}, 0x3c023c00}};      /* R16G16_FLOAT */
   const uint32_t at = FX_DATA + 2 * 512 + 4 * 16;
   for (unsigned t = 0; t < sizeof(table) / sizeof(table[0]); t++) {
      target(f, table[t].format, 1);
      header(f, 0, 1);
      for (unsigned c = 0; c < 4; c++)
         fx_in(f, 2 + c)[0] = float_bits(table[t].in[c]);
      fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 6, 0);
      assert_int_equal(*fx_dw(f, at), table[t].out);
   }
   target(f, RGBA_FLOAT, 1); /* 16 bytes a pixel: eight tile columns of 128 bytes */
   header(f, 0, 1);
   for (unsigned c = 0; c < 4; c++)
      fx_in(f, 2 + c)[0] = float_bits(1e30f + (float)c);
   fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 6, 0);
   for (unsigned c = 0; c < 4; c++)
      assert_int_equal(*fx_dw(f, FX_DATA + 4096 + 4 * 16 + 4 * c), float_bits(1e30f + (float)c));
}

static void
read_back(void *data, struct eu_thread *t, struct rt_write *w)
{
   uint32_t *seen = data;
   assert_true(rt_load(t, w, 8, 4, 0, seen));
   assert_false(rt_load(t, w, 64, 4, 0, seen + 4));
   rt_store(t, w, 9, 4, 0, seen);
}

/* Who blends can read the target, unpacked, and put a colour back. */
static void
windower_reads_the_target(void **state)
{
   struct fx *f = *state;
   static uint32_t seen[8];
   static struct pixel_backend windower = {
       .pixels_data = seen, .dispatch_width = 16, .pixels = read_back};
   f->env.pixel = &windower;
   target(f, 0xc7, 1);
   *fx_dw(f, FX_DATA + 2 * 512 + 4 * 16) = 0xff003366;
   header(f, 0, 1);
   fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 6, 0);
   assert_true(bits_float(seen[0]) == 0x66 / 255.0f && bits_float(seen[1]) == 0x33 / 255.0f);
   assert_true(seen[2] == 0 && bits_float(seen[3]) == 1.0f);
   assert_int_equal(*fx_dw(f, FX_DATA + 2 * 512 + 4 * 16 + 4), 0xff003366);
}

/* DP-310 DP-316: a pixel goes through the render cache; another cache sees it after a flush. */
static void
render_cache(void **state)
{
   proves("DP-310", "DP-316");
   struct fx *f = *state;
   target(f, UINT32, 1);
   fx_raw(f, 1, FX_DATA, 0x10000);
   assert_int_equal(hazard_enable(f->dev->surfaces, true), 0);
   header(f, 0, 1);
   fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 6, 0);
   fx_clear_payload(f);
   f->exec_mask = 1;
   fx_in(f, 0)[0] = 2 * 512 + 4 * 16;
   fx_send(f, SFID_DP_DATA0, 5u << 14 | 2u << 12 | 14u << 8 | 1, false, 1, 1);
   assert_rule(f, "DP-310");
   hazard_flush(f->dev->surfaces, 1u << HAZARD_RENDER, 1u << HAZARD_DATA);
   fx_send(f, SFID_DP_DATA0, 5u << 14 | 2u << 12 | 14u << 8 | 1, false, 1, 1);
   assert_silent(f);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       FX_TEST(edges),
       FX_TEST(edges_of_a_level),
       FX_TEST(buffer_target),
       FX_TEST(one_dimension),
       FX_TEST(three_dimensions),
       FX_TEST(outside_the_view),
       FX_TEST(no_target),
       FX_TEST(per_sample),
       FX_TEST(omask_per_sample),
       FX_TEST(dispatch_widths),
       FX_TEST(malformed),
       FX_TEST(dual_source_and_memory),
       cmocka_unit_test(render_target_formats),
       FX_TEST(clamp_and_round),
       FX_TEST(windower_reads_the_target),
       FX_TEST(render_cache),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
