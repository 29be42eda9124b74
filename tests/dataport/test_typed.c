/* Typed surface read, write and atomic. */
#include "typed.h"

#include <math.h>
#include "tests/proves.h"

static uint32_t
bits(float v)
{
   uint32_t u;
   memcpy(&u, &v, 4);
   return u;
}

/* DP-034 DP-183 DP-237 DP-238 DP-239 DP-240 DP-264 DP-242 DP-277 DP-216 DP-187: parameters of each
 * surface type, in the formats that can be read, with an address worked out by hand. */
static void
read_dimensions(void **state)
{
   proves("DP-034", "DP-183", "DP-237", "DP-238", "DP-239", "DP-240", "DP-264", "DP-277", "DP-216",
          "DP-187");
   struct fx *f = *state;
   /* rows of 1024 bytes; slices of QPitch rows: round_up(20, 2) + round_up(10, 2) + 12 * 2 = 54 */
   static const struct {
      unsigned type, depth, params;
      uint32_t p[4], row, x;
   } table[] = {{SURFTYPE_1D, 1, 1, {7, 99, 99, 0}, 0, 7},
                {SURFTYPE_1D, 4, 2, {7, 2, 99, 0}, 2 * (2 + 2 + 24), 7},
                {SURFTYPE_2D, 1, 2, {7, 5, 99, 0}, 5, 7},
                {SURFTYPE_2D, 4, 3, {7, 5, 3, 0}, 3 * 54 + 5, 7},
                {SURFTYPE_3D, 4, 3, {7, 5, 3, 0}, 3 * 20 + 5, 7}};
   static const unsigned formats[3] = {R32_SINT, R32_UINT, R32_FLOAT};
   for (unsigned t = 0; t < 5; t++)
      for (unsigned k = 0; k < 3; k++) {
         struct hw_render_surface_state st = image(
             table[t].type, formats[k], 30, table[t].type == SURFTYPE_1D ? 1 : 20, table[t].depth);
         fx_surface(f, 0, &st);
         memset(fx_at(f, FX_DATA), 0, 400 * 1024);
         *fx_dw(f, FX_DATA + table[t].row * 1024 + table[t].x * 4) = 0x89abcdef;
         parameters(f, table[t].params, table[t].p);
         fx_send(f, SFID_DP_RENDER, READ(14u, 0u), true, 1 + table[t].params, 1);
         for (unsigned i = 0; i < 8; i++)
            assert_int_equal(fx_out(f, 0)[i], 0x89abcdef);
      }
   struct hw_render_surface_state st = fx_buffer_state(SURFTYPE_BUFFER, R32_UINT, FX_DATA, 64, 12);
   fx_surface(f, 0, &st);
   fx_pattern(f, FX_DATA, 1024);
   header(f, 0xff);
   for (unsigned i = 0; i < 8; i++)
      fx_in(f, 1)[i] = 3 * i;
   fx_send(f, SFID_DP_RENDER, READ(14u, 0u), true, 2, 1);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(fx_out(f, 0)[i], 0xA0000000u + 36 * i);
   assert_silent(f);
}

/* DP-234: channels that the format lacks are 0, alpha 1 in the type of the format. DP-277: masked
 * ones take no register. */
static void
missing_channels(void **state)
{
   proves("DP-234", "DP-277");
   struct fx *f = *state;
   static const uint32_t one[3] = {1, 1, 0x3f800000};
   for (unsigned k = 0; k < 3; k++) {
      struct hw_render_surface_state st = image(SURFTYPE_2D, R32_SINT + k, 30, 20, 1);
      fx_surface(f, 0, &st);
      *fx_dw(f, FX_DATA) = 55;
      header(f, 0xff);
      fx_send(f, SFID_DP_RENDER, READ(0u, 0u), true, 3, 4);
      assert_int_equal(fx_out(f, 0)[3], 55);
      assert_int_equal(fx_out(f, 1)[3], 0);
      assert_int_equal(fx_out(f, 2)[3], 0);
      assert_int_equal(fx_out(f, 3)[3], one[k]);
      fx_send(f, SFID_DP_RENDER, READ(6u, 0u), true, 3, 2);
      assert_int_equal(fx_out(f, 0)[3], 55);
      assert_int_equal(fx_out(f, 1)[3], one[k]);
   }
   assert_silent(f);
}

/* DP-230 DP-231 DP-232 DP-233 DP-422: one past every edge gives 0 in all channels, and is not
 * written. DP-265: an LOD that is not sent is 0; one that is sent counts from Surface Min LOD. */
static void
bounds_and_levels(void **state)
{
   proves("DP-230", "DP-231", "DP-232", "DP-233", "DP-422", "DP-265");
   struct fx *f = *state;
   struct hw_render_surface_state st = image(SURFTYPE_2D, R32_UINT, 32, 20, 4);
   st.mip_count_or_lod = 1;
   st.surface_min_lod = 1;
   fx_surface(f, 0, &st);
   memset(fx_at(f, FX_DATA), 0x33, 400 * 1024);
   static const struct {
      uint32_t p[4];
      bool in;
   } at[8] = {{{15, 9, 3, 0}, true},  {{16, 9, 3, 0}, false},        {{15, 10, 3, 0}, false},
              {{15, 9, 4, 0}, false}, {{7, 4, 3, 1}, true},          {{8, 4, 3, 1}, false},
              {{0, 0, 0, 2}, false},  {{0xffffffff, 0, 0, 0}, false}};
   header(f, 0xff);
   for (unsigned p = 0; p < 4; p++)
      for (unsigned i = 0; i < 8; i++)
         fx_in(f, 1 + p)[i] = at[i].p[p];
   fx_fill_response(f, 4, 7);
   fx_send(f, SFID_DP_RENDER, READ(0u, 0u), true, 5, 4);
   for (unsigned i = 0; i < 8; i++) {
      assert_int_equal(fx_out(f, 0)[i], at[i].in ? 0x33333333 : 0);
      assert_int_equal(fx_out(f, 3)[i], at[i].in ? 1 : 0);
   }
   for (unsigned i = 0; i < 8; i++)
      fx_in(f, 5)[i] = 1;
   fx_send(f, SFID_DP_RENDER, WRITE(14u, 0u), true, 6, 0);
   unsigned changed = 0;
   for (unsigned i = 0; i < 100 * 1024; i++)
      changed += fx_dw(f, FX_DATA)[i] != 0x33333333;
   assert_int_equal(changed, 2);
   /* LOD 1 lies below LOD 0 (20 rows), LOD 2 right of it; QPitch is 20 + 10 + 24 */
   assert_int_equal(*fx_dw(f, FX_DATA + (3 * 54 + 20 + 9) * 1024 + 15 * 4), 1);
   assert_int_equal(*fx_dw(f, FX_DATA + (3 * 54 + 20 + 4) * 1024 + (16 + 7) * 4), 1);
   assert_silent(f);
}

/* DP-227 DP-228 DP-242: eight bits of the header's mask, low or high; writes obey it, reads do not.
 */
static void
slot_groups(void **state)
{
   proves("DP-227", "DP-228", "DP-242");
   struct fx *f = *state;
   struct hw_render_surface_state st = image(SURFTYPE_2D, R32_UINT, 30, 20, 1);
   fx_surface(f, 0, &st);
   for (unsigned high = 0; high < 2; high++) {
      memset(fx_at(f, FX_DATA), 0, 64);
      header(f, 0xa5c3);
      f->exec_mask = 0x7e;
      for (unsigned i = 0; i < 8; i++) {
         fx_in(f, 1)[i] = i;
         fx_in(f, 2)[i] = 0;
         fx_in(f, 3)[i] = 9;
      }
      fx_send(f, SFID_DP_RENDER, WRITE(14u, high), true, 4, 0);
      unsigned mask = 0x7e & (high ? 0xa5 : 0xc3);
      for (unsigned i = 0; i < 8; i++)
         assert_int_equal(fx_dw(f, FX_DATA)[i], mask >> i & 1 ? 9 : 0);
      fx_fill_response(f, 1, 4);
      fx_send(f, SFID_DP_RENDER, READ(14u, high), true, 3, 1);
      for (unsigned i = 0; i < 8; i++)
         assert_int_equal(fx_out(f, 0)[i], !(0x7e >> i & 1) ? 4 : mask >> i & 1 ? 9 : 0);
      fx_send(f, SFID_DP_RENDER, ATOMIC(5u, 1u, high), true, 3, 1);
      for (unsigned i = 0; i < 8; i++)
         assert_int_equal(fx_dw(f, FX_DATA)[i], mask >> i & 1 ? 10 : 0);
   }
   assert_silent(f);
}

/* DP-035 DP-187 DP-217 DP-218 DP-268: every format that can be written, bit by bit, from values on
 * both sides of each clamp. */
static void
write_formats(void **state)
{
   proves("DP-035", "DP-187", "DP-217", "DP-218", "DP-268");
   struct fx *f = *state;
   static const struct {
      unsigned format;
      uint32_t in[4], want[4];
   } table[] = {
       {0x000, {0x3f800001, 0x7fc00000, 0x80000000, 1}, {0x3f800001, 0x7fc00000, 0x80000000, 1}},
       {0x001, {1, 0x80000000, 3, 4}, {1, 0x80000000, 3, 4}},
       {0x002, {1, 0x80000000, 3, 4}, {1, 0x80000000, 3, 4}},
       {0x083, {70000, 5, 65535, 65536}, {0x0005ffff, 0xffffffff}},
       {0x082, {40000, (uint32_t)-40000, (uint32_t)-5, 7}, {0x80007fff, 0x0007fffb}},
       {0x0cb, {256, 255, 1, 0x80000000}, {0xff01ffff}},
       {0x0ca, {(uint32_t)-129, 127, 128, (uint32_t)-1}, {0xff7f7f80}},
       {0x0c4, {1023, 1024, 5, 4}, {3u << 30 | 5u << 20 | 1023u << 10 | 1023}},
       {0x0cf, {65536, 2, 0, 0}, {0x0002ffff}},
       {0x109, {300, 2, 0, 0}, {0x02ff}},
       {0x143, {300, 0, 0, 0}, {0xff}},
       {0x142, {(uint32_t)-300, 0, 0, 0}, {0x80}},
       {0x10d, {70000, 0, 0, 0}, {0xffff}},
       {R32_SINT, {0xdeadbeef, 0, 0, 0}, {0xdeadbeef}},
   };
   for (unsigned t = 0; t < sizeof(table) / sizeof(table[0]); t++) {
      const struct format_info *info = format_get(table[t].format);
      struct hw_render_surface_state st = image(SURFTYPE_2D, table[t].format, 30, 20, 1);
      fx_surface(f, 0, &st);
      memset(fx_at(f, FX_DATA), 0, 64);
      header(f, 1);
      for (unsigned c = 0; c < 4; c++)
         fx_in(f, 3 + c)[0] = table[t].in[c];
      fx_send(f, SFID_DP_RENDER, WRITE(0u, 0u), true, 7, 0);
      assert_memory_equal(fx_at(f, FX_DATA), table[t].want, info->bits / 8);
      assert_int_equal(fx_at(f, FX_DATA)[info->bits / 8], 0);
   }
   static const struct {
      unsigned format;
      float in[4];
      uint32_t want[2];
   } floats[] = {
       {0x0c7, {0, 1, 2, -1}, {0x00ffff00}},
       {0x0c7, {0.5f, 0.49999997f, 0.50000006f, NAN}, {0x00807f80}}, /* 127.5 goes to even */
       {0x0c0, {1, 0, 0, 1}, {0xffff0000}},
       {0x0c9, {-1, -2, 1, 0.5f}, {0x407f8181}},
       {0x0c2, {1, 0, 1, 1}, {0xfff003ff}},
       {0x0d1, {1, 0, 0, 0}, {0x3ff00000}},
       {0x100, {1, 0, 0, 0}, {0xf800}},
       {0x102, {0, 1, 0, 1}, {0x83e0}},
       {0x104, {0, 0, 1, 1}, {0xf00f}},
       {0x11a, {0, 0, 1, 1}, {0x001f}},
       {0x144, {1, 1, 1, 0.2f}, {51}},
       {0x10a, {1, 0, 0, 0}, {0xffff}},
       {0x10b, {-1, 0, 0, 0}, {0x8001}},
       {0x10e, {1.0f / 3, 0, 0, 0}, {0x3555}},
       {0x10e, {65520, 0, 0, 0}, {0x7c00}},
       {0x10e, {5.9604645e-8f, 0, 0, 0}, {0x0001}},
       {0x0d3, {1, -3, 65024, 0}, {0x3c0u | 0u << 11 | 0x3dfu << 22}},
       {0x0d0, {1, -2, 0, 0}, {0xc0003c00}},
       {0x080, {1, 0, 0.5f, 1}, {0x0000ffff, 0xffff8000}},
       {0x081, {-1, 1, 0, -2}, {0x7fff8001, 0x80010000}},
       {0x084, {1, 2, 3, 4}, {0x40003c00, 0x44004200}},
       {0x0cc, {1, 0.5f, 0, 0}, {0x8000ffff}},
       {0x0cd, {1, -1, 0, 0}, {0x80017fff}},
       {0x106, {1, 0, 0, 0}, {0x00ff}},
       {0x107, {1, -1, 0, 0}, {0x817f}},
       {0x140, {0.5f, 0, 0, 0}, {0x80}},
       {0x141, {-0.5f, 0, 0, 0}, {0xc0}},
       {0x085, {1, 2, 0, 0}, {0x3f800000, 0x40000000}},
       {R32_FLOAT, {1, 0, 0, 0}, {0x3f800000}},
   };
   for (unsigned t = 0; t < sizeof(floats) / sizeof(floats[0]); t++) {
      const struct format_info *info = format_get(floats[t].format);
      struct hw_render_surface_state st = image(SURFTYPE_2D, floats[t].format, 30, 20, 1);
      fx_surface(f, 0, &st);
      memset(fx_at(f, FX_DATA), 0, 64);
      header(f, 1);
      for (unsigned c = 0; c < 4; c++)
         fx_in(f, 3 + c)[0] = bits(floats[t].in[c]);
      fx_send(f, SFID_DP_RENDER, WRITE(0u, 0u), true, 7, 0);
      if (memcmp(fx_at(f, FX_DATA), floats[t].want, info->bits / 8))
         fail_msg("%s (case %u): 0x%08x, not 0x%08x", info->name, t, *fx_dw(f, FX_DATA),
                  floats[t].want[0]);
   }
   assert_silent(f);
}

/* DP-036 DP-219 DP-247 DP-266 DP-280 DP-191: atomics on the two formats that have them. */
static void
typed_atomics(void **state)
{
   proves("DP-036", "DP-219", "DP-247", "DP-266", "DP-280", "DP-191");
   struct fx *f = *state;
   static const uint32_t want[16] = {0,  4, 14, 10, 6, 13, 11, 18, 6, (uint32_t)-6,
                                     12, 6, 12, 6,  6, 11};
   for (unsigned format = R32_SINT; format <= R32_UINT; format++)
      for (unsigned op = 1; op < 16; op++)
         for (unsigned ret = 0; ret < 2; ret++) {
            unsigned sources = op == 5 || op == 6 || op == 15 ? 0 : op == 14 ? 2 : 1;
            struct hw_render_surface_state st = image(SURFTYPE_2D, format, 30, 20, 1);
            fx_surface(f, 0, &st);
            for (unsigned i = 0; i < 8; i++)
               fx_dw(f, FX_DATA)[i + 256] = op == 14 && i % 2 ? 7 : 12;
            header(f, 0xff);
            for (unsigned i = 0; i < 8; i++) {
               fx_in(f, 1)[i] = i;
               fx_in(f, 2)[i] = 1;
               fx_in(f, 3)[i] = op == 14 ? 12 : 6;
               fx_in(f, 4)[i] = 6;
            }
            if (!sources)
               fx_in(f, 3)[0] = 0;
            fx_fill_response(f, 1, 99);
            fx_send(f, SFID_DP_RENDER, ATOMIC(op, ret, 0u), true, 3 + sources, ret);
            for (unsigned i = 0; i < 8; i++) {
               uint32_t old = op == 14 && i % 2 ? 7 : 12;
               assert_int_equal(fx_dw(f, FX_DATA)[i + 256], op == 14 && i % 2 ? 7 : want[op]);
               assert_int_equal(fx_out(f, 0)[i], !ret ? 99 : op == 15 ? 11 : old);
            }
         }
   assert_silent(f);
   fx_send(f, SFID_DP_RENDER, ATOMIC(0u, 1u, 0u), true, 4, 1);
   assert_rule(f, "DP-247");
   struct hw_render_surface_state st = image(SURFTYPE_2D, R32_FLOAT, 30, 20, 1);
   fx_surface(f, 0, &st);
   fx_send(f, SFID_DP_RENDER, ATOMIC(7u, 1u, 0u), true, 4, 1);
   assert_rule(f, "DP-219");
}

/* DP-184 DP-215 DP-216 DP-223 DP-224 DP-243 DP-257 DP-420 DP-423: rules. */
static void
typed_rules(void **state)
{
   proves("DP-184", "DP-215", "DP-216", "DP-223", "DP-224", "DP-243", "DP-257", "DP-420", "DP-423");
   struct fx *f = *state;
   struct hw_render_surface_state st = image(SURFTYPE_CUBE, R32_UINT, 20, 20, 1);
   fx_surface(f, 0, &st);
   header(f, 0xff);
   fx_send(f, SFID_DP_RENDER, READ(14u, 0u), true, 4, 1);
   assert_rule(f, "DP-215");
   st = image(SURFTYPE_2D, 0xc7, 20, 20, 1);
   fx_surface(f, 0, &st);
   fx_send(f, SFID_DP_RENDER, READ(14u, 0u), true, 3, 1);
   assert_rule(f, "DP-216");
   st = image(SURFTYPE_2D, R32_UINT, 20, 20, 4);
   st.vertical_line_stride = 1;
   fx_surface(f, 0, &st);
   fx_send(f, SFID_DP_RENDER, READ(14u, 0u), true, 4, 1);
   assert_rule(f, "DP-184");
   st = image(SURFTYPE_2D, R32_UINT, 20, 20, 1);
   st.surface_base_address += 2;
   fx_surface(f, 0, &st);
   fx_send(f, SFID_DP_RENDER, READ(14u, 0u), true, 3, 1);
   assert_rule(f, "DP-423");
   fx_send(f, SFID_DP_RENDER, READ(14u, 0u) | 255, true, 3, 1);
   assert_rule(f, "DP-224");
   fx_send(f, SFID_DP_RENDER, READ(15u, 0u), true, 3, 0);
   assert_rule(f, "DP-243");
   fx_send(f, SFID_DP_RENDER, WRITE(15u, 0u), true, 3, 0);
   assert_rule(f, "DP-243");
   st = (struct hw_render_surface_state){.surface_type = SURFTYPE_NULL, .tiled_surface = true};
   fx_surface(f, 0, &st);
   fx_fill_response(f, 1, 5);
   f->exec_mask = 0xffff; /* only eight slots exist: the second register stays */
   fx_fill_response(f, 2, 5);
   fx_send(f, SFID_DP_RENDER, READ(14u, 0u), true, 3, 1);
   assert_int_equal(fx_out(f, 0)[0], 0);
   assert_int_equal(fx_out(f, 1)[0], 5);
   assert_silent(f);
}

/* DP-184 DP-472: the rows of a field. */
static void
fields(void **state)
{
   proves("DP-184", "DP-472");
   struct fx *f = *state;
   struct hw_render_surface_state st = image(SURFTYPE_2D, R32_UINT, 20, 20, 1);
   st.vertical_line_stride = 1;
   st.vertical_line_stride_offset = 1;
   fx_surface(f, 0, &st);
   for (unsigned y = 0; y < 40; y++)
      *fx_dw(f, FX_DATA + 1024 * y) = y;
   header(f, 0xff);
   for (unsigned i = 0; i < 8; i++)
      fx_in(f, 2)[i] = 2 * i;
   fx_send(f, SFID_DP_RENDER, READ(14u, 0u), true, 3, 1);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(fx_out(f, 0)[i], 2 * (2 * i) + 1);
   assert_silent(f);
}

/* DP-471: no address swizzle on any part of this family that is modelled: bit 6 is left alone. */
static void
no_swizzle(void **state)
{
   proves("DP-471");
   struct fx *f = *state;
   struct hw_render_surface_state st = image(SURFTYPE_2D, R32_UINT, 256, 64, 1);
   st.tiled_surface = true;
   fx_surface(f, 0, &st);
   *fx_dw(f, FX_DATA + 512) = 17;
   header(f, 0xff);
   for (unsigned i = 0; i < 8; i++)
      fx_in(f, 2)[i] = 1;
   fx_send(f, SFID_DP_RENDER, READ(14u, 0u), true, 3, 1);
   assert_int_equal(fx_out(f, 0)[0], 17);
}

/* DP-421: a 3D surface that begins at a slice: R counts from there, up to the last slice. Named, as
 * the manual has the field for render targets only. */
static void
first_slice(void **state)
{
   proves("DP-421");
   struct fx *f = *state;
   struct hw_render_surface_state st = image(SURFTYPE_3D, R32_UINT, 30, 20, 4);
   st.minimum_array_element = 2;
   fx_surface(f, 0, &st);
   for (uint32_t slice = 0; slice < 4; slice++)
      *fx_dw(f, FX_DATA + (slice * 20 + 5) * 1024 + 7 * 4) = 100 + slice;
   static const struct {
      uint32_t params, p[3], got;
   } table[] = {
       {2, {7, 5}, 102}, {3, {7, 5, 1}, 103}, {3, {7, 5, 2}, 0}, {3, {7, 5, 0xfffffffe}, 0}};
   for (unsigned t = 0; t < 4; t++) {
      parameters(f, table[t].params, table[t].p);
      fx_send(f, SFID_DP_RENDER, READ(14u, 0u), true, 1 + table[t].params, 1);
      assert_int_equal(fx_out(f, 0)[3], table[t].got);
      assert_rule(f, "DP-421");
   }
   parameters(f, 3, (const uint32_t[]){7, 5, 9}); /* the third is the data */
   fx_send(f, SFID_DP_RENDER, WRITE(14u, 0u), true, 4, 0);
   assert_int_equal(*fx_dw(f, FX_DATA + (2 * 20 + 5) * 1024 + 7 * 4), 9);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       FX_TEST(read_dimensions), FX_TEST(missing_channels), FX_TEST(bounds_and_levels),
       FX_TEST(slot_groups),     FX_TEST(write_formats),    FX_TEST(typed_atomics),
       FX_TEST(typed_rules),     FX_TEST(fields),           FX_TEST(no_swizzle),
       FX_TEST(first_slice),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
