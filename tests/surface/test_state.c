/* Surface state: unpacking, the cache, bad input. */
#include "fixture.h"

#include "surface/view.h"

#include <pthread.h>
#include "tests/proves.h"

static struct surface
unpack(const struct hw_render_surface_state *st)
{
   uint32_t dw[8];
   struct surface s;
   gen7_render_surface_state_pack(dw, st);
   surface_unpack(&s, dw, HW_IVB);
   return s;
}

/* DP-416: every field of the eight dwords arrives where it belongs. */
static void
fields(void **state)
{
   proves("DP-416");
   (void)state;
   struct hw_render_surface_state st = {.surface_type = SURFTYPE_2D,
                                        .surface_array = true,
                                        .surface_format = 0xc7,
                                        .surface_vertical_alignment = 1,
                                        .surface_horizontal_alignment = 1,
                                        .tiled_surface = true,
                                        .tile_walk = 1,
                                        .vertical_line_stride = 1,
                                        .vertical_line_stride_offset = 1,
                                        .surface_array_spacing = 1,
                                        .media_boundary_pixel_mode = 2,
                                        .cube_face_enable_negative_x = true,
                                        .cube_face_enable_positive_z = true,
                                        .surface_base_address = 0x12345000,
                                        .height = 99,
                                        .width = 199,
                                        .depth = 9,
                                        .surface_pitch = 1023,
                                        .render_target_rotation = 3,
                                        .minimum_array_element = 5,
                                        .render_target_view_extent = 7,
                                        .multisampled_surface_storage_format = 1,
                                        .number_of_multisamples = 2,
                                        .multisample_position_palette_index = 6,
                                        .x_offset = 3,
                                        .y_offset = 2,
                                        .memory_object_control_state = 5,
                                        .surface_min_lod = 2,
                                        .mip_count_or_lod = 4,
                                        .mcs_enable = true,
                                        .mcs_base_address = 0xabcde000,
                                        .mcs_surface_pitch = 17,
                                        .red_clear_color = 1,
                                        .blue_clear_color = 1,
                                        .resource_min_lod = 0x123};
   struct surface s = unpack(&st);
   assert_int_equal(s.type, SURFTYPE_2D);
   assert_int_equal(s.array, 1);
   assert_int_equal(s.format, 0xc7);
   assert_string_equal(s.info->name, "R8G8B8A8_UNORM");
   assert_int_equal(s.valign, 4);
   assert_int_equal(s.halign, 8);
   assert_int_equal(s.tiling, MEM_TILE_Y);
   assert_int_equal(s.vls, 1);
   assert_int_equal(s.vlso, 1);
   assert_int_equal(s.lod0_spacing, 1);
   assert_int_equal(s.boundary_mode, 2);
   assert_int_equal(s.cube_faces, 0x21);
   assert_int_equal(s.base, 0x12345000);
   assert_int_equal(s.height, 100);
   assert_int_equal(s.width, 200);
   assert_int_equal(s.depth, 10);
   assert_int_equal(s.pitch_B, 1024);
   assert_int_equal(s.rotation, 3);
   assert_int_equal(s.min_array_element, 5);
   assert_int_equal(s.view_extent, 8);
   assert_int_equal(s.interleaved, 1);
   assert_int_equal(s.samples, 4);
   assert_int_equal(s.palette, 6);
   assert_int_equal(s.x_offset, 12);
   assert_int_equal(s.y_offset, 4);
   assert_int_equal(s.mocs, 5);
   assert_int_equal(s.min_lod, 2);
   assert_int_equal(s.levels, 5);
   assert_int_equal(s.rt_lod, 4);
   assert_int_equal(s.mcs_base, 0xabcde000);
   assert_int_equal(s.mcs_pitch_tiles, 18);
   assert_int_equal(s.clear_colour, 0xa);
   assert_int_equal(s.resource_min_lod, 0x123);
   /* the same dwords as the manual numbers them */
   uint32_t dw[8];
   gen7_render_surface_state_pack(dw, &st);
   assert_int_equal(dw[0], 1u << 29 | 1u << 28 | 0xc7u << 18 | 1u << 16 | 1u << 15 | 3u << 13 |
                               7u << 10 | 2u << 6 | 0x21);
   assert_int_equal(dw[2], 99u << 16 | 199);
   assert_int_equal(dw[3], 9u << 21 | 1023);
   assert_int_equal(dw[4], 3u << 29 | 5u << 18 | 7u << 7 | 1u << 6 | 2u << 3 | 6);
   assert_int_equal(dw[5], 3u << 25 | 2u << 20 | 5u << 16 | 2u << 4 | 4);
   assert_int_equal(dw[6], 0xabcde000u | 17u << 3 | 1);
   assert_int_equal(dw[7], 1u << 31 | 1u << 29 | 0x123);
}

/* DP-416: each face has its bit; dword 6 is an append counter or, with a planar format, the place
 * of the UV plane. */
static void
faces_and_dword_6(void **state)
{
   proves("DP-416");
   (void)state;
   uint32_t dw[8];
   struct surface s;
   for (unsigned face = 0; face < 6; face++) { /* DW0[5:0]: -x +x -y +y -z +z */
      struct hw_render_surface_state st = {.surface_type = SURFTYPE_CUBE,
                                           .surface_format = 0xc7,
                                           .surface_pitch = 255,
                                           .width = 15,
                                           .height = 15};
      gen7_render_surface_state_pack(dw, &st);
      dw[0] |= 1u << face;
      surface_unpack(&s, dw, HW_IVB);
      assert_int_equal(s.cube_faces, 1u << face);
   }
   struct hw_render_surface_state st = {
       .surface_type = SURFTYPE_2D, .surface_format = 0xc7, .surface_pitch = 255};
   gen7_render_surface_state_pack(dw, &st);
   dw[6] = 0xabcdef40 | 2;
   surface_unpack(&s, dw, HW_IVB);
   assert_int_equal(s.append_enable, 1);
   assert_int_equal(s.append_address, 0xabcdef40);
   assert_int_equal(s.mcs_pitch_tiles, 0);
   dw[6] = 0xabcdef40 | 1; /* an MCS: no counter */
   surface_unpack(&s, dw, HW_IVB);
   assert_int_equal(s.append_enable, 0);
   st.surface_format = GEN7_SURFACE_FORMAT_PLANAR_420_8;
   gen7_render_surface_state_pack(dw, &st);
   dw[6] = 0x1234u << 16 | 0x2567;
   surface_unpack(&s, dw, HW_IVB);
   assert_int_equal(s.uv_x, 0x1234);
   assert_int_equal(s.uv_y, 0x2567);
   assert_int_equal(s.append_enable, 0);
}

/* DP-423 DP-361: linear images by the size of an element (two of them for YUV), samples on 2D
 * surfaces only. */
static void
broken_linear_images(void **state)
{
   proves("DP-423", "DP-361", "SMP-360", "SMP-348");
   (void)state;
   static const struct {
      unsigned format, base, pitch, rules;
   } table[] = {{0xc7, 0x1000, 256, 0},
                {0xc7, 0x1004, 252, 0},
                {0xc7, 0x1002, 256, SURFACE_BAD_BASE},
                {0xc7, 0x1000, 254, SURFACE_BAD_PITCH},
                {0x140, 0x1001, 251, 0},
                {0x000, 0x1008, 256, SURFACE_BAD_BASE},
                {0x000, 0x1010, 264, SURFACE_BAD_PITCH},
                {0x182, 0x1002, 256, SURFACE_BAD_BASE},
                {0x182, 0x1004, 254, SURFACE_BAD_PITCH},
                {0x182, 0x1004, 252, 0}};
   for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
      struct hw_render_surface_state st = {.surface_type = SURFTYPE_2D,
                                           .surface_format = table[i].format,
                                           .width = 7,
                                           .height = 7,
                                           .surface_base_address = table[i].base,
                                           .surface_pitch = table[i].pitch - 1};
      assert_int_equal(unpack(&st).rules, table[i].rules);
   }
   for (unsigned type = SURFTYPE_1D; type <= SURFTYPE_CUBE; type++) {
      struct hw_render_surface_state st = {.surface_type = type,
                                           .surface_format = 0xc7,
                                           .width = 7,
                                           .height = 7,
                                           .surface_pitch = 255,
                                           .number_of_multisamples = 2};
      assert_int_equal(!!(unpack(&st).rules & SURFACE_BAD_SAMPLES), type != SURFTYPE_2D);
   }
   struct hw_render_surface_state st = {.surface_type = SURFTYPE_2D,
                                        .surface_format = 0xc7,
                                        .width = 7,
                                        .height = 7,
                                        .surface_pitch = 255,
                                        .media_boundary_pixel_mode = 1};
   assert_int_equal(unpack(&st).rules, SURFACE_BAD_RESERVED);
   st.media_boundary_pixel_mode = 0, st.surface_vertical_alignment = 2;
   assert_int_equal(unpack(&st).rules, SURFACE_BAD_RESERVED);
   st = fx_buffer_state(SURFTYPE_BUFFER, 0x1ff, 0x1002, 64, 1);
   assert_int_equal(unpack(&st).rules, SURFACE_BAD_BASE);
}

/* DP-417: seven bits of width, fourteen of height, six or ten of depth. */
static void
entry_counts(void **state)
{
   proves("DP-417");
   (void)state;
   static const uint32_t counts[] = {1,        4,        128,     132, 1u << 20, (1u << 27) - 4,
                                     1u << 27, 1u << 29, 1u << 30};
   for (unsigned i = 0; i < sizeof(counts) / 4; i++) {
      struct hw_render_surface_state st = fx_buffer_state(SURFTYPE_BUFFER, 0x1ff, 0, counts[i], 1);
      assert_int_equal(unpack(&st).entries, counts[i]);
      assert_int_equal(!!(unpack(&st).rules & SURFACE_BAD_RAW_SIZE), counts[i] % 4 != 0);
      st = fx_buffer_state(SURFTYPE_BUFFER, 0xd7, 0, counts[i], 4);
      assert_int_equal(unpack(&st).entries, (counts[i] - 1) % (1u << 27) + 1);
      st = fx_buffer_state(SURFTYPE_STRBUF, 0x1ff, 0, counts[i], 4);
      assert_int_equal(unpack(&st).entries, (counts[i] - 1) % (1u << 27) + 1);
   }
}

/* DP-361 DP-423 DP-419 DP-002: what a state can break. */
static void
broken_states(void **state)
{
   proves("DP-361", "DP-423", "DP-419", "DP-002", "SMP-360", "SMP-363", "SMP-477", "SMP-478");
   (void)state;
   struct hw_render_surface_state good = {.surface_type = SURFTYPE_2D,
                                          .surface_format = 0xc7,
                                          .tiled_surface = true,
                                          .surface_base_address = 0x4000,
                                          .width = 99,
                                          .height = 99,
                                          .surface_pitch = 511};
   assert_int_equal(unpack(&good).rules, 0);
   struct hw_render_surface_state st = good;
   st.surface_base_address = 0x4100;
   assert_int_equal(unpack(&st).rules, SURFACE_BAD_BASE);
   st = good, st.surface_pitch = 255;
   assert_int_equal(unpack(&st).rules, SURFACE_BAD_PITCH);
   st.tile_walk = 1; /* Y tiles are 128 bytes wide */
   assert_int_equal(unpack(&st).rules, 0);
   st = good, st.number_of_multisamples = 1;
   assert_int_equal(unpack(&st).rules, SURFACE_BAD_SAMPLES);
   for (unsigned code = 4; code < 8; code++) {
      st = good, st.number_of_multisamples = code;
      assert_int_equal(unpack(&st).rules, SURFACE_BAD_SAMPLES);
   }
   static const unsigned count[4] = {1, 1, 4, 8};
   for (unsigned code = 0; code < 4; code += code ? 1 : 2) {
      st = good, st.number_of_multisamples = code;
      assert_int_equal(unpack(&st).samples, count[code]);
   }
   st = good, st.tiled_surface = false, st.x_offset = 1;
   assert_int_equal(unpack(&st).rules, SURFACE_BAD_OFFSET);
   st = good, st.media_boundary_pixel_mode = 3, st.height = 98;
   assert_int_equal(unpack(&st).rules, SURFACE_BAD_BOUNDARY);
   st = good, st.surface_format = 0x1f0;
   assert_int_equal(unpack(&st).rules, SURFACE_BAD_FORMAT);
   st = good, st.surface_type = 6;
   assert_true(unpack(&st).rules & SURFACE_BAD_RESERVED);
   st = fx_buffer_state(SURFTYPE_BUFFER, 0x1ff, 0x1000, 64, 1);
   st.tiled_surface = true;
   assert_int_equal(unpack(&st).rules, SURFACE_BAD_TILED);
   st = fx_buffer_state(SURFTYPE_STRBUF, 0x1ff, 0x1000, 64, 6);
   assert_int_equal(unpack(&st).rules, SURFACE_BAD_PITCH);
   st = fx_buffer_state(SURFTYPE_BUFFER, 0xd7, 0x1000, 1u << 27, 2048);
   assert_int_equal(unpack(&st).rules, SURFACE_BAD_SIZE);
   st = fx_buffer_state(SURFTYPE_BUFFER, 0xd7, 0x1000, 1u << 20, 2048);
   assert_int_equal(unpack(&st).rules, 0); /* 2 GiB to the byte */
   st = fx_buffer_state(SURFTYPE_BUFFER, 0xd7, 0x1000, (1u << 20) + 1, 2048);
   assert_int_equal(unpack(&st).rules, SURFACE_BAD_SIZE);
   st = fx_buffer_state(SURFTYPE_STRBUF, 0x1ff, 0x1000, 64, 2052);
   assert_int_equal(unpack(&st).rules, SURFACE_BAD_PITCH);
   /* Images: 16384 rows of 128 KiB are 2 GiB; an array and a volume count their slices. */
   st = good, st.width = st.height = 16383, st.surface_pitch = (128u << 10) - 1;
   assert_int_equal(unpack(&st).rules, 0);
   st.surface_pitch = (256u << 10) - 1;
   assert_int_equal(unpack(&st).rules, SURFACE_BAD_SIZE);
   st.height = 1023, st.surface_array = true, st.surface_array_spacing = 1, st.depth = 7;
   assert_int_equal(unpack(&st).rules, 0);
   st.depth = 8;
   assert_int_equal(unpack(&st).rules, SURFACE_BAD_SIZE);
   st.surface_array = false, st.surface_type = SURFTYPE_3D;
   assert_int_equal(unpack(&st).rules, SURFACE_BAD_SIZE);
   st.depth = 7;
   assert_int_equal(unpack(&st).rules, 0);
   st = good, st.surface_type = SURFTYPE_NULL, st.surface_base_address = 1, st.surface_pitch = 3;
   assert_int_equal(unpack(&st).rules, 0);
}

/* A state is unpacked once and kept until it is invalidated. */
static void
cached_until_invalidated(void **state)
{
   struct fx *f = *state;
   struct surface s;
   fx_raw(f, 0, FX_DATA, 64);
   uint32_t at = FX_STATE + FX_STATES;
   assert_true(surface_get(f->dev->surfaces, &f->dev->ggtt, at, false, &s));
   assert_int_equal(s.entries, 64);
   assert_int_equal(s.state, at);
   *fx_dw(f, at + 4) = 0x777000; /* changed behind the cache's back */
   assert_true(surface_get(f->dev->surfaces, &f->dev->ggtt, at, false, &s));
   assert_int_equal(s.base, FX_DATA);
   surface_cache_invalidate(f->dev->surfaces);
   assert_true(surface_get(f->dev->surfaces, &f->dev->ggtt, at, false, &s));
   assert_int_equal(s.base, 0x777000);
}

/* A state that nothing maps is a null surface. */
static void
unmapped_state(void **state)
{
   struct fx *f = *state;
   struct surface s;
   assert_false(surface_get(f->dev->surfaces, &f->dev->ggtt, 0x7000000, false, &s));
   assert_int_equal(s.type, SURFTYPE_NULL);
}

struct reader {
   struct fx *f;
   unsigned wrong;
};

static void *
read_all(void *data)
{
   struct reader *r = data;
   for (unsigned k = 0; k < 30000; k++) {
      struct surface s;
      unsigned n = k % 100;
      surface_get(r->f->dev->surfaces, &r->f->dev->ggtt, FX_STATE + FX_STATES + 32 * n * 37, false,
                  &s);
      r->wrong += s.base != 0x1000 * (n + 1) || s.entries != 4 * (n + 1);
      if (k % 1000 == 0)
         surface_cache_invalidate(r->f->dev->surfaces);
   }
   return NULL;
}

/* Host threads read, replace and invalidate at once; nobody sees half a surface. */
static void
many_readers(void **state)
{
   struct fx *f = *state;
   pthread_t id[4];
   struct reader r[4];
   for (unsigned n = 0; n < 100; n++) {
      struct hw_render_surface_state st =
          fx_buffer_state(SURFTYPE_BUFFER, 0x1ff, 0x1000 * (n + 1), 4 * (n + 1), 1);
      gen7_render_surface_state_pack(fx_dw(f, FX_STATE + FX_STATES + 32 * n * 37), &st);
   }
   for (unsigned k = 0; k < 4; k++) {
      r[k] = (struct reader){f, 0};
      pthread_create(&id[k], NULL, read_all, &r[k]);
   }
   for (unsigned k = 0; k < 4; k++) {
      pthread_join(id[k], NULL);
      assert_int_equal(r[k].wrong, 0);
   }
}

/* DP-058: what the fast paths of a buffer may reach ends where graphics memory does. */
static void
buffers_end_with_memory(void **state)
{
   proves("DP-058");
   for (unsigned entries = 15; entries < 18; entries++) {
      struct hw_render_surface_state st = {.surface_type = SURFTYPE_BUFFER,
                                           .surface_format = 0xd7,
                                           .surface_base_address = 0xffffff00,
                                           .width = entries - 1,
                                           .surface_pitch = 15};
      struct surface s = unpack(&st);
      struct surface_view v;
      surface_view_make(&v, &s, 0);
      assert_int_equal(v.block_B, entries < 16 ? 16 * entries : 256);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(fields),
                                      cmocka_unit_test(buffers_end_with_memory),
                                      cmocka_unit_test(faces_and_dword_6),
                                      cmocka_unit_test(broken_linear_images),
                                      cmocka_unit_test(entry_counts),
                                      cmocka_unit_test(broken_states),
                                      FX_TEST(cached_until_invalidated),
                                      FX_TEST(unmapped_state),
                                      FX_TEST(many_readers)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
