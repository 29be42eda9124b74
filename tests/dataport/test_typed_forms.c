/* Typed messages: parts of a texel, parameters that are ignored, every edge, every format, pages
 * that are not there. */
#include "typed.h"
#include "tests/proves.h"

/* DP-242 DP-268: channels that are masked are neither in the payload nor written; the others close
 * up. */
static void
partial_writes(void **state)
{
   proves("DP-242", "DP-268");
   struct fx *f = *state;
   static const unsigned formats[2] = {R8G8B8A8_UINT,
                                       0xc4}; /* and R10G10B10A2_UINT, where no channel is a byte */
   static const unsigned start[2][5] = {{0, 8, 16, 24, 32}, {0, 10, 20, 30, 32}};
   for (unsigned k = 0; k < 2; k++)
      for (unsigned mask = 0; mask < 15; mask++) {
         struct hw_render_surface_state st = image(SURFTYPE_2D, formats[k], 30, 20, 1);
         fx_surface(f, 0, &st);
         fx_dw(f, FX_DATA)[0] = 0xa5a5a5a5;
         fx_dw(f, FX_DATA)[1] = 0x5a5a5a5a;
         header(f, 0xff);
         f->exec_mask = 1;
         uint32_t want = 0xa5a5a5a5;
         unsigned at = 3;
         for (unsigned c = 0; c < 4; c++) {
            if (mask >> c & 1)
               continue;
            uint32_t value = c == 3 ? 2 : 17 + c,
                     bits = (1ull << start[k][c + 1]) - (1ull << start[k][c]);
            fx_in(f, at++)[0] = value;
            want = (want & ~bits) | value << start[k][c];
         }
         fx_send(f, SFID_DP_RENDER, WRITE(mask, 0u), true, at, 0);
         assert_int_equal(fx_dw(f, FX_DATA)[0], want);
         assert_int_equal(fx_dw(f, FX_DATA)[1], 0x5a5a5a5a);
      }
   struct hw_render_surface_state st = image(SURFTYPE_2D, R32_UINT, 30, 20, 1);
   fx_surface(f, 0, &st);
   fx_dw(f, FX_DATA)[0] = 1;
   header(f, 0xff);
   fx_send(f, SFID_DP_RENDER, WRITE(1u, 0u), true, 6,
           0); /* all but red: the format has nothing else */
   assert_int_equal(fx_dw(f, FX_DATA)[0], 1);
   assert_silent(f);
}

/* DP-237 DP-238 DP-239 DP-240 DP-242 DP-264: parameters that the type does not use are ignored,
 * also bit 12. */
static void
unused_parameters(void **state)
{
   proves("DP-237", "DP-238", "DP-239", "DP-240", "DP-242", "DP-264");
   struct fx *f = *state;
   static const struct {
      unsigned type, depth, count;
      uint32_t p[4], row;
   } table[] = {
       {SURFTYPE_1D, 1, 3, {7, 99, 99}, 0},         {SURFTYPE_1D, 4, 3, {7, 2, 99}, 2 * 28},
       {SURFTYPE_2D, 1, 3, {7, 5, 99}, 5},          {SURFTYPE_2D, 1, 4, {7, 5, 99, 0}, 5},
       {SURFTYPE_BUFFER, 1, 4, {7, 99, 99, 99}, 0}, {SURFTYPE_3D, 4, 4, {7, 5, 3, 0}, 3 * 20 + 5}};
   for (unsigned t = 0; t < sizeof(table) / sizeof(table[0]); t++) {
      struct hw_render_surface_state st =
          image(table[t].type, R32_UINT, 30, table[t].type == SURFTYPE_1D ? 1 : 20, table[t].depth);
      if (table[t].type == SURFTYPE_BUFFER)
         st = fx_buffer_state(SURFTYPE_BUFFER, R32_UINT, FX_DATA, 30, 4);
      fx_surface(f, 0, &st);
      memset(fx_at(f, FX_DATA), 0, 100 * 1024);
      *fx_dw(f, FX_DATA + table[t].row * 1024 + 28) = 77;
      parameters(f, table[t].count, table[t].p);
      fx_send(f, SFID_DP_RENDER, READ(14u, 0u) | 1u << 12, true, 1 + table[t].count, 1);
      assert_int_equal(fx_out(f, 0)[5], 77);
   }
   assert_silent(f);
}

/* DP-230 DP-231 DP-233 DP-240 DP-422: one past the end, in every direction of every type. */
static void
edges_of_types(void **state)
{
   proves("DP-230", "DP-231", "DP-233", "DP-240", "DP-422");
   struct fx *f = *state;
   static const struct {
      unsigned type, depth;
      uint32_t p[4];
      bool in;
   } table[] = {{SURFTYPE_1D, 1, {29}, true},
                {SURFTYPE_1D, 1, {30}, false},
                {SURFTYPE_1D, 4, {29, 3}, true},
                {SURFTYPE_1D, 4, {29, 4}, false},
                {SURFTYPE_2D, 1, {29, 19}, true},
                {SURFTYPE_2D, 1, {30, 19}, false},
                {SURFTYPE_2D, 1, {29, 20}, false},
                {SURFTYPE_3D, 4, {29, 19, 3}, true},
                {SURFTYPE_3D, 4, {30, 19, 3}, false},
                {SURFTYPE_3D, 4, {29, 20, 3}, false},
                {SURFTYPE_3D, 4, {29, 19, 4}, false},
                {SURFTYPE_BUFFER, 1, {29}, true},
                {SURFTYPE_BUFFER, 1, {30}, false},
                {SURFTYPE_BUFFER, 1, {0xffffffff}, false},
                {SURFTYPE_2D, 1, {0, 0, 0, 1}, false},
                {SURFTYPE_2D, 1, {0, 0, 0, 0x100}, false},
                {SURFTYPE_2D, 1, {0, 0, 0, 0xffffffff}, false}};
   for (unsigned t = 0; t < sizeof(table) / sizeof(table[0]); t++) {
      struct hw_render_surface_state st =
          image(table[t].type, R32_UINT, 30, table[t].type == SURFTYPE_1D ? 1 : 20, table[t].depth);
      if (table[t].type == SURFTYPE_BUFFER)
         st = fx_buffer_state(SURFTYPE_BUFFER, R32_UINT, FX_DATA, 30, 4);
      fx_surface(f, 0, &st);
      memset(fx_at(f, FX_DATA), 0x11, 300 * 1024);
      parameters(f, 4, table[t].p);
      fx_in(f, 5)[0] = 9;
      f->exec_mask = 1;
      fx_fill_response(f, 1, 5);
      fx_send(f, SFID_DP_RENDER, READ(14u, 0u), true, 5, 1);
      assert_int_equal(fx_out(f, 0)[0], table[t].in ? 0x11111111 : 0);
      fx_send(f, SFID_DP_RENDER, ATOMIC(5u, 1u, 0u), true, 5, 1);
      assert_int_equal(fx_out(f, 0)[0], table[t].in ? 0x11111111 : 0);
      fx_send(f, SFID_DP_RENDER, WRITE(14u, 0u), true, 6, 0);
      unsigned changed = 0;
      for (unsigned i = 0; i < 75 * 1024; i++)
         changed += fx_dw(f, FX_DATA)[i] != 0x11111111;
      assert_int_equal(changed, table[t].in);
   }
   assert_silent(f);
}

/* DP-422: the smallest level there is, and none behind it, however the LOD is put together. */
static void
last_level(void **state)
{
   proves("DP-422");
   struct fx *f = *state;
   memset(fx_at(f, FX_DATA), 0x11, 0x800000);
   for (unsigned first = 0; first <= 14; first += 7) {
      struct hw_render_surface_state st = image(SURFTYPE_1D, R32_UINT, 16384, 1, 1);
      st.surface_pitch = 65535;
      st.surface_min_lod = first;
      st.mip_count_or_lod = 14;
      fx_surface(f, 0, &st);
      for (unsigned lod = 13; lod < 17; lod++) {
         const uint32_t p[4] = {0, 0, 0, lod - first};
         parameters(f, 4, p);
         fx_fill_response(f, 1, 5);
         fx_send(f, SFID_DP_RENDER, READ(14u, 0u), true, 5, 1);
         assert_int_equal(fx_out(f, 0)[0], lod - first < 15 && lod < 15 ? 0x11111111 : 0);
      }
   }
   assert_silent(f);
}

/* DP-216 DP-217 DP-219: which format is for which message, by name. */
static void
formats_of_messages(void **state)
{
   proves("DP-216", "DP-217", "DP-219");
   struct fx *f = *state;
   static const char *const write[] = {"R32G32B32A32_FLOAT",
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
                                       "R10G10B10A2_UNORM",
                                       "R10G10B10A2_UINT",
                                       "R8G8B8A8_UNORM",
                                       "R8G8B8A8_SNORM",
                                       "R8G8B8A8_SINT",
                                       "R8G8B8A8_UINT",
                                       "R16G16_UNORM",
                                       "R16G16_SNORM",
                                       "R16G16_SINT",
                                       "R16G16_UINT",
                                       "R16G16_FLOAT",
                                       "B10G10R10A2_UNORM",
                                       "R11G11B10_FLOAT",
                                       "R32_SINT",
                                       "R32_UINT",
                                       "R32_FLOAT",
                                       "B5G6R5_UNORM",
                                       "B5G5R5A1_UNORM",
                                       "B4G4R4A4_UNORM",
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
                                       "R8_UNORM",
                                       "R8_SNORM",
                                       "R8_SINT",
                                       "R8_UINT",
                                       "A8_UNORM"};
   for (unsigned code = 0; code < 512; code++) {
      const char *name = format_get(code)->name;
      struct hw_render_surface_state st = image(SURFTYPE_2D, code, 30, 20, 1);
      bool atomic = !strcmp(name, "R32_SINT") || !strcmp(name, "R32_UINT"),
           read = atomic || !strcmp(name, "R32_FLOAT");
      bool listed = false;
      for (unsigned i = 0; i < sizeof(write) / sizeof(write[0]); i++)
         listed |= !strcmp(name, write[i]);
      fx_surface(f, 0, &st);
      header(f, 0xff);
      fx_send(f, SFID_DP_RENDER, READ(14u, 0u), true, 3, 1);
      assert_int_equal(fx_said(f, "DP-216"), !read);
      fx_send(f, SFID_DP_RENDER, WRITE(0u, 0u), true, 7, 0);
      assert_int_equal(fx_said(f, "DP-217"), !listed);
      memset(fx_at(f, FX_DATA), 0, 64);
      fx_send(f, SFID_DP_RENDER, ATOMIC(5u, 0u, 0u), true, 3, 0);
      assert_int_equal(fx_said(f, "DP-219"), !atomic);
      assert_int_equal(
          *fx_dw(f, FX_DATA),
          format_get(code)->layout == FORMAT_PLAIN && format_get(code)->bits == 32 ? 8 : 0);
      f->rule_count = 0;
   }
}

/* DP-215: every other surface type is named and reads as nothing. */
static void
types_of_surfaces(void **state)
{
   proves("DP-215");
   struct fx *f = *state;
   for (unsigned type = 0; type < SURFTYPE_NULL; type++) {
      struct hw_render_surface_state st = image(type, R32_UINT, 8, type == SURFTYPE_1D ? 1 : 8, 1);
      if (type == SURFTYPE_BUFFER || type == SURFTYPE_STRBUF)
         st = fx_buffer_state(type, R32_UINT, FX_DATA, 8, 4);
      fx_surface(f, 0, &st);
      header(f, 0xff);
      fx_send(f, SFID_DP_RENDER, READ(14u, 0u), true, 3, 1);
      bool bad = type == SURFTYPE_CUBE || type == SURFTYPE_STRBUF || type == SURFTYPE_RESERVED;
      assert_int_equal(fx_said(f, "DP-215"), bad);
      f->rule_count = 0;
   }
}

/* DP-259 DP-423: no address, five parameters; a tiled buffer. */
static void
malformed(void **state)
{
   proves("DP-259", "DP-423");
   struct fx *f = *state;
   struct hw_render_surface_state st = image(SURFTYPE_2D, R32_UINT, 30, 20, 1);
   fx_surface(f, 0, &st);
   header(f, 0xff);
   fx_send(f, SFID_DP_RENDER, READ(14u, 0u), true, 1, 1);
   assert_rule(f, "DP-259");
   fx_send(f, SFID_DP_RENDER, READ(14u, 0u), true, 6, 1);
   assert_rule(f, "DP-259");
   fx_send(f, SFID_DP_RENDER, READ(14u, 0u), true, 5, 1);
   assert_silent(f);
   st = fx_buffer_state(SURFTYPE_BUFFER, R32_UINT, FX_DATA, 30, 4);
   st.tiled_surface = true;
   fx_surface(f, 0, &st);
   fx_send(f, SFID_DP_RENDER, READ(14u, 0u), true, 2, 1);
   assert_rule(f, "DP-423");
}

/* A surface on pages that are not mapped: zeros, and nobody falls. */
static void
unmapped(void **state)
{
   struct fx *f = *state;
   struct hw_render_surface_state st = image(SURFTYPE_2D, R32_UINT, 30, 20, 1);
   st.surface_base_address = 0x40000000;
   fx_surface(f, 0, &st);
   header(f, 0xff);
   fx_fill_response(f, 1, 5);
   fx_send(f, SFID_DP_RENDER, ATOMIC(5u, 1u, 0u), true, 3, 1);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(fx_out(f, 0)[i], 0);
   fx_fill_response(f, 1, 5);
   fx_send(f, SFID_DP_RENDER, READ(14u, 0u), true, 3, 1);
   assert_int_equal(fx_out(f, 0)[7], 0);
   fx_send(f, SFID_DP_RENDER, WRITE(14u, 0u), true, 4, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       FX_TEST(partial_writes),      FX_TEST(unused_parameters),
       FX_TEST(edges_of_types),      FX_TEST(last_level),
       FX_TEST(formats_of_messages), FX_TEST(types_of_surfaces),
       FX_TEST(malformed),           FX_TEST(unmapped),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
