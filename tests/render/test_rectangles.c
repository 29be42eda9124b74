/* Rectangles through a pixel shader: vertices, pixels, payload, kernels; and what is not modelled
 * is named. The shaders are assembled here, the target is read back from memory. */
#include "scene.h"
#include "surface/format.h"
#include "tests/proves.h"

/* ---- pixels --------------------------------------------------------------------------------- */

/* G3D-093: a pixel is inside if its centre is; left and top edges belong to it. G3D-096, G3D-097:
 * four slots are 2x2 pixels, whose place R1 has. */
static void
pixels_inside(void **state)
{
   proves("G3D-093", "G3D-096", "G3D-097");
   struct scene *s = *state;
   static const struct {
      float x0, y0, x1, y1;
      int want[4];
   } table[] = {
       {0, 0, 8, 4, {0, 0, 8, 4}},
       {3, 5, 4, 6, {3, 5, 4, 6}},
       {1, 1, 30, 11, {1, 1, 30, 11}},
       {1.5f, 2.5f, 4.5f, 5.5f, {1, 2, 4, 5}},
       {1.501f,
        2.499f,
        4.51f,
        5.49f,
        {1, 2, 5, 5}}, /* on a grid of 1/256: 1.5, 2.5, 4.511, 5.488 */
       {1.51f, 2.0f, 4.49f, 5.6f, {2, 2, 4, 6}},
       {60, 30, 100, 100, {60, 30, 64, 32}}, /* the surface ends there */
       {-5, -9, 3, 2, {0, 0, 3, 2}},
       {7, 7, 7, 9, {0, 0, 0, 0}},
       {2.6f, 3, 3.4f, 9, {0, 0, 0, 0}}, /* between two centres */
   };
   for (unsigned i = 0; i < COUNT(table); i++) {
      set_rectangle(s, 0, table[i].x0, table[i].y0, table[i].x1, table[i].y1);
      draw(s);
      expect_pixels(s, table[i].want[0], table[i].want[1], table[i].want[2], table[i].want[3]);
      rig_clean(s->rig);
   }
}

static void
grid_of_sixteenths(void **state)
{
   proves("G3D-093");
   struct scene *s = *state;
   set_rectangle(s, 0, 1.53f, 0, 5.53f, 2); /* 1.5, where 1/256 would have been 1.53 */
   draw(s);
   expect_pixels(s, 2, 0, 6, 2);
   s->sf.vertex_sub_pixel_precision_select = 1;
   draw(s);
   expect_pixels(s, 1, 0, 5, 2);
}

static void
drawing_rectangle_clips(void **state)
{
   proves("G3D-093");
   struct scene *s = *state;
   set_rectangle(s, 0, 0, 0, 40, 20);
   s->area = (struct hw_3dstate_drawing_rectangle){.clipped_drawing_rectangle_x_min = 3,
                                                   .clipped_drawing_rectangle_y_min = 4,
                                                   .clipped_drawing_rectangle_x_max = 12,
                                                   .clipped_drawing_rectangle_y_max = 9};
   draw(s);
   expect_pixels(s, 3, 4, 13, 10);
   s->area.drawing_rectangle_origin_x = 6;
   s->area.drawing_rectangle_origin_y = 8;
   draw(s);
   expect_pixels(s, 6, 8, 13, 10);
}

/* G3D-093: the mask of samples takes the only one away. */
static void
sample_mask(void **state)
{
   proves("G3D-093");
   struct scene *s = *state;
   s->mask.sample_mask = 2;
   draw(s);
   expect_pixels(s, 0, 0, 0, 0);
   rig_clean(s->rig);
}

/* What another target than the first gets is written too
 * (P3D-335). */
static void
second_target(void **state)
{
   proves("P3D-335");
   struct scene *s = *state;
   load_kernel(
       s, 0,
       "mov(8) g110<1>UD g0<8,8,1>UD { align1 WE_all 1Q };\n"
       "mov(8) g111<1>UD g1<8,8,1>UD { align1 WE_all 1Q };\n"
       "mov(1) g110.2<1>UD 1UD { align1 WE_all 1N };\n"
       "add(8) g10<1>UW g1.4<2,4,0>UW 0x10101010V { align1 WE_all 1Q };\n"
       "add(8) g11<1>UW g1.5<2,4,0>UW 0x11001100V { align1 WE_all 1Q };\n"
       "mov(8) g112<1>UD g10<8,8,1>UW { align1 1Q };\n"
       "mov(8) g113<1>UD g11<8,8,1>UW { align1 1Q };\n"
       "mov(8) g114<1>UD 9UD { align1 1Q };\n"
       "mov(8) g115<1>UD 7UD { align1 1Q };\n"
       "send(8) null<1>UW g110<8,8,1>UD 0x0c0b1400 render MsgDesc: mlen 6 rlen 0 { align1 1Q };\n"
       "mov(1) g110.2<1>UD 0UD { align1 WE_all 1N };\n" END8);
   draw(s);
   rig_clean(s->rig);
   expect_pixels(s, 0, 0, 8, 4);
}

static void
not_a_number(void **state)
{
   proves("G3D-093");
   struct scene *s = *state;
   for (unsigned i = 0; i < 4; i++) {
      set_rectangle(s, 0, i == 0 ? NAN : 0, i == 1 ? NAN : 0, i == 2 ? NAN : 8, i == 3 ? NAN : 4);
      draw(s);
      expect_pixels(s, 0, 0, 0, 0);
      rig_clean(s->rig);
   }
}

/* ---- kernels and payload -------------------------------------------------------------------- */

/* P3D-208: the scissor rectangle of each viewport is read from memory. */
static void
scissors_of_viewports(void **state)
{
   proves("P3D-208");
   struct scene *s = *state;
   enum { SCISSORS = 0x400 };
   for (unsigned i = 0; i < 16; i++)
      gen7_scissor_rect_pack(rig_ggtt(s->rig, DYNAMIC + SCISSORS + 8 * i),
                             &(struct hw_scissor_rect){.scissor_rectangle_x_min = i,
                                                       .scissor_rectangle_x_max = i + 2,
                                                       .scissor_rectangle_y_max = 3});
   EMIT(s->extra, s->extras, 3DSTATE_SCISSOR_STATE_POINTERS, 3dstate_scissor_state_pointers,
        &(struct hw_3dstate_scissor_state_pointers){SCISSORS});
   s->sf.scissor_rectangle_enable = true;
   s->clip.maximum_vp_index = 15;
   set_rectangle(s, 0, 0, 0, 20, 4);
   s->element[0] = element(1, 0x40, 0, ZERO, ZERO, SRC, ZERO); /* the viewport's number */
   for (unsigned i = 0; i < 16; i++) {
      rig_ggtt(s->rig, INSTANCES)[2] = i;
      draw(s);
      expect_pixels(s, (int)i, 0, (int)i + 3, 4);
      rig_clean(s->rig);
   }
}

/* P3D-278, P3D-279: with one sample a pixel the offset is its middle, and the mask its only bit. */
static void
offsets_and_coverage(void **state)
{
   proves("P3D-278", "P3D-279");
   struct scene *s = *state;
   s->wm.pixel_shader_uses_input_coverage_mask = true;
   load_kernel(s, 0,
               "mov(8) g112<1>UD g3<8,8,1>UD { align1 1Q };\n"
               "mov(8) g113<1>UD g2<8,8,1>UW { align1 1Q };\n"
               "mov(8) g114<1>UD 9UD { align1 1Q };\n"
               "mov(8) g115<1>UD 7UD { align1 1Q };\n" END8);
   for (unsigned select = 2; select <= 3; select++) { /* centroid, sample */
      s->ps.position_xy_offset_select = select;
      draw(s);
      rig_clean(s->rig);
      for (unsigned y = 0; y < 4; y++)
         for (unsigned x = 0; x < 8; x++) {
            assert_int_equal(pixel(s, x, y)[0], 1);
            assert_int_equal(pixel(s, x, y)[1], 0x0808);
         }
   }
}

/* G3D-095: the first kernel for eight pixels, the third for sixteen when both are on. */
static void
kernel_by_width(void **state)
{
   proves("G3D-095");
   struct scene *s = *state;
   load_kernel(s, 0x400,
               "add(16) g10<1>UW g1.4<2,4,0>UW 0x10101010V { align1 WE_all 1H };\n"
               "add(16) g11<1>UW g1.5<2,4,0>UW 0x11001100V { align1 WE_all 1H };\n"
               "mov(16) g112<1>UD g10<8,8,1>UW { align1 1H };\n"
               "mov(16) g114<1>UD g11<8,8,1>UW { align1 1H };\n"
               "mov(16) g116<1>UD 16UD { align1 1H };\n"
               "mov(16) g118<1>UD 7UD { align1 1H };\n" END16);
   s->ps._16_pixel_dispatch_enable = true;
   s->ps.kernel_start_pointer_2 = 0x400;
   set_rectangle(s, 0, 0, 0, 12, 2); /* four subspans, and two that are left */
   draw(s);
   expect_pixels(s, 0, 0, 12, 2);
   for (unsigned x = 0; x < 12; x++)
      assert_int_equal(pixel(s, x, 1)[2], x < 8 ? 16 : 9);
   s->ps._8_pixel_dispatch_enable = false; /* now the only one is the first */
   s->ps.kernel_start_pointer_0 = 0x400;
   draw(s);
   expect_pixels(s, 0, 0, 12, 2);
   assert_int_equal(pixel(s, 11, 0)[2], 16);
   rig_clean(s->rig);
   s->ps._32_pixel_dispatch_enable = true; /* sixteen beside it: the third again */
   s->ps.kernel_start_pointer_0 = 0;
   set_rectangle(s, 0, 0, 0, 8, 2);
   draw(s);
   assert_int_equal(pixel(s, 0, 0)[2], 16);
}

/* What a guest may write and no chip has: registers end, and so do attributes. */
static void
too_many_attributes(void **state)
{
   struct scene *s = *state;
   s->sbe = (struct hw_3dstate_sbe){.vertex_urb_entry_read_length = 31,
                                    .number_of_sf_output_attributes = 63};
   s->ps.attribute_enable = true;
   for (unsigned start = 0; start < 128; start += 127) {
      s->ps.dispatch_grf_start_register_for_constant_setup_data_0 = start;
      draw(s);
   }
   expect_pixels(s, 0, 0, 8, 4);
}

/* G3D-097: who made it, its number, its tables. */
static void
headers(void **state)
{
   proves("G3D-097");
   struct scene *s = *state;
   set_rectangle(s, 0, 0, 0, 8, 2); /* two threads */
   load_kernel(s, 0,
               "mov(1) g20<1>UD sr0<0,1,0>UD { align1 WE_all 1N };\n"
               "mov(8) g112<1>UD g20<0,1,0>UD { align1 1Q };\n"
               "and(8) g113<1>UD g0.5<0,1,0>UD 0x000001ffUD { align1 1Q };\n"
               "mov(8) g114<1>UD g0<0,1,0>UD { align1 1Q };\n"
               "mov(8) g115<1>UD g1.7<0,1,0>UD { align1 1Q };\n" END8);
   draw(s);
   const uint32_t *first = pixel(s, 0, 0), *second = pixel(s, 4, 0);
   assert_int_equal(first[0] >> 24 & 15, 15);
   assert_int_not_equal(first[1], second[1]);
   assert_int_equal(first[2] & 63, GEN7_3D_PRIMITIVE_TOPOLOGY_TYPE_RECTLIST);
   assert_int_equal(first[3], 0x00ff00ff);
   rig_clean(s->rig);
}

/* R1, and R2 of 32 pixels: of each four subspans their places, 0 where there is none, and twice
 * which pixels are inside. Slots in the order of subspans along the row. */
static void
write_header(char *text, size_t size, unsigned width)
{
   size_t n = 0;
   for (unsigned q = 0; q < width / 8; q++) { /* of eight slots each */
      unsigned half = width > 8 ? 2 : 1, to = 112 + q % 2, reg = 1 + q / 2;
      n += (size_t)snprintf(text + n, size - n,
                            "mov(8) g%u<1>UD g%u.%u<1,4,0>UD { align1 WE_all 1Q };\n"
                            "mov(8) g%u<1>UD g%u.7<0,1,0>UD { align1 WE_all 1Q };\n"
                            "mov(8) g%u<1>UW 0x%xV { align1 WE_all 1Q };\n"
                            "mov(8) g%u<1>UD g20<8,8,1>UW { align1 WE_all 1Q };\n"
                            "add(8) g%u<1>UD g%u<8,8,1>UD %uUD { align1 WE_all 1Q };\n"
                            "mov(8) g%u<1>UD g%u.5<0,1,0>UD { align1 WE_all 1Q };\n",
                            to, reg, 2 + q % 2 * 2, to + half, reg, 20u, 0x76543210u, to + 2 * half,
                            to + 2 * half, to + 2 * half, q % 2 * 8, to + 3 * half, reg);
      if (width == 32 && q == 1)
         n += (size_t)snprintf(text + n, size - n,
                               "send(16) null<1>UW g112<8,8,1>UD 0x10030000 render MsgDesc: mlen 8 "
                               "rlen 0 { align1 1H };\n");
   }
   snprintf(text + n, size - n, "%s",
            width == 8    ? END8
            : width == 16 ? END16
                          : "send(16) null<1>UW g112<8,8,1>UD 0x10031800 render MsgDesc: mlen 8 "
                            "rlen 0 { align1 2H EOT };\n");
}

static void
places_of_subspans(void **state)
{
   proves("G3D-097", "G3D-096");
   struct scene *s = *state;
   const unsigned left = 17, top = 6;
   for (unsigned width = 8; width <= 32; width *= 2)
      for (unsigned count = 1; count <= 9; count++) /* subspans */
         for (unsigned rows = 1; rows <= 2; rows++) {
            char text[4096];
            unsigned right = 16 + 2 * count;
            write_header(text, sizeof(text), width);
            load_kernel(s, 0, text);
            s->ps._8_pixel_dispatch_enable = width == 8;
            s->ps._16_pixel_dispatch_enable = width == 16;
            s->ps._32_pixel_dispatch_enable = width == 32;
            const uint32_t flush[5] = {0x7a000003, 1 << 11}; /* kernels are written anew */
            memcpy(s->extra, flush, sizeof(flush));
            s->extras = 5;
            set_rectangle(s, 0, (float)left, (float)top, (float)right, (float)(top + rows));
            draw(s);
            rig_clean(s->rig);
            for (unsigned y = top; y < top + rows; y++)
               for (unsigned x = left; x < right; x++) {
                  unsigned per = width < 16 ? 2 : 4; /* subspans of a register */
                  unsigned n = (x - 16) / 2, first = n / per * per;
                  uint32_t lit = 0, last = first + 3;
                  for (unsigned i = first; i < first + per && i < count; i++)
                     lit |= (rows == 2 ? 0xfu : 0x3u) << 4 * (i - first);
                  if (!first) /* the left column is not inside */
                     lit &= ~0x5u;
                  bool there = per == 4 && last < count;
                  const uint32_t want[4] = {(y & ~1u) << 16 | (x & ~1u), lit << 16 | lit,
                                            (n - first) * 4 + y % 2 * 2 + x % 2,
                                            there ? top << 16 | (16 + 2 * last) : 0};
                  for (unsigned i = 0; i < 4; i++)
                     if (pixel(s, x, y)[i] != want[i])
                        fail_msg("%u pixels, %u subspans: %u,%u has %#x in %u, not %#x", width,
                                 count, x, y, pixel(s, x, y)[i], i, want[i]);
               }
         }
}

/* G3D-099: buffers of constants come before the setup, one behind the other. */
static void
constants(void **state)
{
   proves("G3D-099");
   struct scene *s = *state;
   for (unsigned i = 0; i < 64; i++)
      rig_ggtt(s->rig, CONSTANTS)[i] = 100 + i;
   memset(rig_ggtt(s->rig, DYNAMIC + 0x800), 0x55, 64);
   s->ps.push_constant_enable = true;
   s->constants = (struct hw_3dstate_constant_ps){.constant_buffer_0_read_length = 2,
                                                  .pointer_to_constant_buffer_0 = 0x800,
                                                  .constant_buffer_1_read_length = 1,
                                                  .pointer_to_constant_buffer_1 = CONSTANTS + 32};
   load_kernel(s, 0,
               "mov(8) g112<1>UD g4<0,1,0>UD { align1 1Q };\n"
               "mov(8) g113<1>UD g5.7<0,1,0>UD { align1 1Q };\n"
               "mov(8) g114<1>UD g6<0,1,0>UD { align1 1Q };\n"
               "mov(8) g115<1>UD g6.7<0,1,0>UD { align1 1Q };\n" END8);
   draw(s);
   static const uint32_t want[4] = {0x55555555, 0x55555555, 108, 115};
   assert_memory_equal(pixel(s, 3, 2), want, 16);
   rig_clean(s->rig);
   rig_set(s->rig, REG_RCS_INSTPM, 1u << 22 | 1u << 6); /* the first one by its address as well */
   s->constants.pointer_to_constant_buffer_0 = CONSTANTS + 64;
   draw(s);
   assert_int_equal(pixel(s, 3, 2)[0], 116);
}

/* G3D-094: a0 is the value at the first vertex, bit for bit; a1 and a2 are the ways to the others.
 * G3D-091: instance data. */
static void
flat_attributes(void **state)
{
   proves("G3D-094", "G3D-091", "G3D-090", "G3D-092");
   struct scene *s = *state;
   static const uint32_t data[8] = {0xffffffff, 0x7fc12345, 3, 0x80000000, 5, 6, 7, 8};
   memcpy(rig_ggtt(s->rig, INSTANCES), data, sizeof(data));
   s->element[2] = element(1, 0, 0, SRC, SRC, SRC, SRC);
   s->element[3] = element(1, 0, 16, SRC, VID, ONE_I, IID); /* G3D-090, G3D-092 */
   s->elements = 4;
   s->sbe = (struct hw_3dstate_sbe){.vertex_urb_entry_read_offset = 1,
                                    .vertex_urb_entry_read_length = 1,
                                    .number_of_sf_output_attributes = 2,
                                    .constant_interpolation_enable = 3};
   s->ps.attribute_enable = true;
   load_kernel(s, 0,
               "mov(8) g112<1>UD g4.3<0,1,0>UD { align1 1Q };\n"
               "mov(8) g113<1>UD g4.7<0,1,0>UD { align1 1Q };\n"
               "mov(8) g114<1>UD g5.7<0,1,0>UD { align1 1Q };\n"
               "or(8) g115<1>UD g4<0,1,0>UD g5.5<0,1,0>UD { align1 1Q };\n" END8);
   draw(s);
   static const uint32_t want[4] = {0xffffffff, 0x7fc12345, 0x80000000, 0};
   assert_memory_equal(pixel(s, 5, 3), want, 16);
   s->ps.kernel_start_pointer_0 = 0x800;
   load_kernel(s, 0x800,
               "mov(8) g112<1>UD g6.3<0,1,0>UD { align1 1Q };\n"
               "mov(8) g113<1>UD g6.7<0,1,0>UD { align1 1Q };\n"
               "mov(8) g114<1>UD g7.3<0,1,0>UD { align1 1Q };\n"
               "mov(8) g115<1>UD g7.7<0,1,0>UD { align1 1Q };\n" END8);
   draw(s);
   static const uint32_t second[4] = {5, 0, 1, 0};
   assert_memory_equal(pixel(s, 0, 0), second, 16);
   rig_clean(s->rig);
}

/* G3D-094, G3D-098: a plane through three vertices, by linear barycentrics. */
static void
interpolated_attributes(void **state)
{
   proves("G3D-094", "G3D-098");
   struct scene *s = *state;
   s->element[2] = element(0, 0x40, 0, SRC, SRC, ZERO, ZERO); /* the position itself */
   s->element[3] = element(0, 0x40, 0, ZERO, ZERO, ZERO, ZERO);
   s->elements = 4;
   s->sbe = (struct hw_3dstate_sbe){.vertex_urb_entry_read_offset = 1,
                                    .vertex_urb_entry_read_length = 1,
                                    .number_of_sf_output_attributes = 1};
   s->ps.attribute_enable = true;
   s->clip.non_perspective_barycentric_enable = true;
   s->wm.barycentric_interpolation_mode = 1 << 3;
   set_rectangle(s, 0, 2, 1, 50, 17);
   load_kernel(s, 0,
               "pln(8) g112<1>F g4<0,1,0>F g2<8,8,1>F { align1 1Q };\n"
               "pln(8) g113<1>F g4.4<0,1,0>F g2<8,8,1>F { align1 1Q };\n"
               "mov(8) g114<1>UD 0UD { align1 1Q };\n"
               "mov(8) g115<1>UD 7UD { align1 1Q };\n" END8);
   draw(s);
   for (unsigned y = 1; y < 17; y++)
      for (unsigned x = 2; x < 50; x++) {
         float got[2];
         memcpy(got, pixel(s, x, y), 8);
         assert_float_equal(got[0], (float)x + 0.5f, 1e-4f);
         assert_float_equal(got[1], (float)y + 0.5f, 1e-4f);
      }
   assert_int_equal(pixel(s, 50, 3)[0], UNTOUCHED);
   rig_clean(s->rig);
}

/* G3D-098: by 1/W. The weights of the vertices are 1, 2 and 4. */
static void
perspective(void **state)
{
   proves("G3D-098");
   struct scene *s = *state;
   static const float v[3][4] = {{8, 4, 0, 1}, {0, 4, 0, 2}, {0, 0, 0, 4}};
   memcpy(rig_ggtt(s->rig, VERTICES + 0x800), v, sizeof(v));
   s->buffer[0].buffer_starting_address = VERTICES + 0x800;
   s->buffer[0].buffer_pitch = 16;
   s->element[1] = element(0, 0, 0, SRC, SRC, SRC, SRC);
   s->wm.barycentric_interpolation_mode = 1 << 0;
   load_kernel(s, 0,
               "mov(8) g112<1>F g2<8,8,1>F { align1 1Q };\n"
               "mov(8) g113<1>F g3<8,8,1>F { align1 1Q };\n"
               "mov(8) g114<1>UD 0UD { align1 1Q };\n"
               "mov(8) g115<1>UD 7UD { align1 1Q };\n" END8);
   draw(s);
   for (unsigned y = 0; y < 4; y++)
      for (unsigned x = 0; x < 8; x++) {
         float got[2], l2 = 1 - ((float)y + 0.5f) / 4, l1 = 1 - ((float)x + 0.5f) / 8 - l2;
         float w = (1 - l1 - l2) * 1 + l1 * 2 + l2 * 4;
         memcpy(got, pixel(s, x, y), 8);
         assert_float_equal(got[0], l1 * 2 / w, 1e-5f);
         assert_float_equal(got[1], l2 * 4 / w, 1e-5f);
      }
   rig_clean(s->rig);
}

/* ---- vertices ------------------------------------------------------------------------------- */

/* G3D-089, G3D-092: several objects and a start. */
static void
several_objects(void **state)
{
   proves("G3D-089", "G3D-092");
   struct scene *s = *state;
   set_rectangle(s, 0, 0, 0, 64, 32); /* not drawn: before the start */
   set_rectangle(s, 1, 0, 0, 10, 5);
   set_rectangle(s, 2, 10, 0, 20, 5);
   set_rectangle(s, 3, 20, 0, 30, 5); /* not drawn: two vertices are none */
   s->primitive.start_vertex_location = 3;
   s->primitive.vertex_count_per_instance = 8;
   draw(s);
   expect_pixels(s, 0, 0, 20, 5);
   rig_clean(s->rig);
}

/* G3D-091: past the end of a buffer there are zeros. */
static void
end_of_buffer(void **state)
{
   proves("G3D-091");
   struct scene *s = *state;
   set_rectangle(s, 0, 0, 0, 10, 6); /* the third vertex, which would be 0,0 anyway … */
   set_rectangle(s, 1, 4, 2, 10, 6); /* … and one that is not */
   s->buffer[0].end_address = VERTICES + 5 * 12 - 1; /* five vertices */
   s->primitive.start_vertex_location = 3;
   draw(s);
   expect_pixels(s, 0, 0, 10, 6);
   s->buffer[0].null_vertex_buffer = true;
   draw(s);
   expect_pixels(s, 0, 0, 0, 0);
   rig_clean(s->rig);
}

/* G3D-092: instance after instance, its number in the vertex and by that the layer in R0. G3D-091:
 * data of an instance, of every second one with a step rate of 2, from the start instance on. */
static void
instances(void **state)
{
   proves("G3D-092", "G3D-091", "P3D-036");
   struct scene *s = *state;
   for (unsigned i = 0; i < 32; i++)
      rig_ggtt(s->rig, INSTANCES)[i] = 1000 + i;
   s->element[0] = element(0, 0, 0, ZERO, IID, ZERO, ZERO);
   s->element[2] = element(1, 0, 0, SRC, IID, ZERO, ZERO);
   s->element[3] = element(0, 0, 0, ZERO, ZERO, ZERO, ZERO);
   s->elements = 4;
   s->buffer[1].buffer_pitch = 16;
   s->buffer[1].instance_data_step_rate = 2;
   s->primitive.instance_count = 5;
   s->primitive.start_instance_location = 1;
   s->sbe = (struct hw_3dstate_sbe){.vertex_urb_entry_read_offset = 1,
                                    .vertex_urb_entry_read_length = 1,
                                    .number_of_sf_output_attributes = 1,
                                    .constant_interpolation_enable = 1};
   s->ps.attribute_enable = true;
   load_kernel(s, 0,
               "mov(8) g112<1>UD g4.3<0,1,0>UD { align1 1Q };\n"
               "mov(8) g113<1>UD g4.7<0,1,0>UD { align1 1Q };\n"
               "mov(8) g114<1>UD g0<0,1,0>UD { align1 1Q };\n"
               "mov(8) g115<1>UD 7UD { align1 1Q };\n" END8);
   draw(s);
   const uint32_t *p = pixel(s, 2, 2); /* the last instance, 4, comes last */
   assert_int_equal(p[0], 1000 + 4 * (1 + 4 / 2));
   assert_int_equal(p[1], 4);
   assert_int_equal(p[2] >> 16 & 0x7ff, 4);
   s->clip.force_zero_rta_index_enable = true;
   draw(s);
   assert_int_equal(pixel(s, 2, 2)[2] >> 16 & 0x7ff, 0);
}

static void
statistics(void **state)
{
   proves("G3D-101");
   struct scene *s = *state;
   set_rectangle(s, 0, 1, 1, 4, 2); /* two subspans in one thread */
   draw(s);
   assert_int_equal(
       rig_reg(s->rig, REG_IA_VERTICES_COUNT) | rig_reg(s->rig, REG_PS_INVOCATION_COUNT), 0);
   s->vf.statistics_enable = s->wm.statistics_enable = true;
   set_rectangle(s, 1, 9, 9, 9, 9); /* counted too */
   s->primitive.vertex_count_per_instance = 8;
   draw(s);
   assert_int_equal(rig_reg(s->rig, REG_IA_VERTICES_COUNT), 8); /* those that are left over too */
   assert_int_equal(rig_reg(s->rig, REG_IA_PRIMITIVES_COUNT), 2);
   assert_int_equal(rig_reg(s->rig, REG_PS_INVOCATION_COUNT), 8);
   rig_clean(s->rig);
}

/* ---- limits --------------------------------------------------------------------------------- */

/* The budget may end anywhere. */
static void
small_budgets(void **state)
{
   struct scene *s = *state;
   uint32_t dw[256];
   set_rectangle(s, 0, 1, 1, 33, 17);
   prepare(s);
   rig_ring(s->rig, RCS, dw, record(s, dw));
   unsigned turns = 0;
   while (pergola_run(s->rig->dev, 3) == PERGOLA_RUN_BUDGET && turns < 100000)
      turns++;
   assert_in_range(turns, 100, 99999);
   expect_pixels(s, 1, 1, 33, 17);
   rig_clean(s->rig);
}

static void
no_objects_many_instances(void **state)
{
   struct scene *s = *state;
   s->primitive.vertex_count_per_instance = 2;
   s->primitive.instance_count = UINT32_MAX;
   draw(s);
   expect_pixels(s, 0, 0, 0, 0);
}

static void
a_shader_that_waits(void **state)
{
   proves("G3D-100");
   struct scene *s = *state;
   load_kernel(s, 0, "wait(1) n0<1>UD { align1 WE_all 1N };\n" END8);
   draw(s);
   rig_expect(s->rig, "G3D-100");
   expect_pixels(s, 0, 0, 0, 0);
}

static void
keep_thread(void *data, const struct pergola_thread *t)
{
   struct pergola_thread *to = data;
   *to = *t;
   to->instruction = strstr(t->instruction, "wait(1)") ? "wait" : "";
}

/* DRM-116: as in a chip, if that is asked for, until the engine is reset. DRM-115: and it can be
 * seen. */
static void
a_shader_that_waits_for_ever(void **state)
{
   proves("DRM-116", "DRM-115", "G3D-100", "CS-025");
   struct scene *s = *state;
   struct pergola_thread t = {0};
   s->rig->dev->config.deadlocks_hang = true;
   load_kernel(s, 0, "wait(1) n0<1>UD { align1 WE_all 1N };\n" END8);
   draw(s);
   assert_int_equal(rig_run(s->rig), PERGOLA_RUN_STOPPED);
   rig_expect(s->rig, "G3D-100");
   assert_int_equal(pergola_threads(s->rig->dev, keep_thread, &t), 1);
   assert_string_equal(t.maker, "pixel shader");
   assert_string_equal(t.instruction, "wait");
   assert_int_equal(t.ip, KERNELS);
   assert_non_null(t.waits_for);
   assert_int_equal(rig_reg(s->rig, REG_RCS_INSTDONE), 0xfffffffe);
   assert_int_equal(rig_reg(s->rig, REG_SC_INSTDONE), ~6u); /* windower */
   assert_int_equal(rig_reg(s->rig, REG_ROW_INSTDONE), ~(1u << 16 | 1u << 8 | 1u << 6 | 1u << 1));
   rig_reset(s->rig, RCS);
   assert_int_equal(rig_reg(s->rig, REG_RCS_INSTDONE), 0xffffffff);
   assert_int_equal(rig_reg(s->rig, REG_SC_INSTDONE), 0xffffffff);
   assert_int_equal(rig_reg(s->rig, REG_ROW_INSTDONE), 0xffffffff);
   assert_int_equal(pergola_threads(s->rig->dev, keep_thread, &t), 0);
}

/* P3D-286, P3D-179: what cannot be so is told, and nothing goes wrong. */
static void
broken_state(void **state)
{
   proves("P3D-286", "P3D-179");
   struct scene *s = *state;
   s->clip.clip_enable = true;
   for (unsigned mode = 0; mode < 8; mode++) {
      bool known = mode == 0 || mode == 3 || mode == 4;
      s->clip.clip_mode = mode;
      draw(s);
      if (known)
         rig_clean(s->rig);
      else
         rig_expect(s->rig, "P3D-179");
      expect_pixels(s, 0, 0, mode == 3 ? 0 : 8, mode == 3 ? 0 : 4);
   }
   s->clip.clip_mode = 0;
   s->ps._8_pixel_dispatch_enable = false;
   draw(s);
   rig_expect(s->rig, "P3D-286");
   expect_pixels(s, 0, 0, 0, 0);
}

/* A geometry shader that has no entry for its vertices: nothing is drawn, and it is said why. */
static void
no_entries(void **state)
{
   proves("P3D-133");
   struct scene *s = *state;
   const struct hw_3dstate_gs gs = {.enable = true, .output_topology = 1},
                              gs_off = {.include_vertex_handles = true,
                                        .dispatch_grf_start_register_for_urb_data = 1};
   EMIT(s->extra, s->extras, 3DSTATE_GS, 3dstate_gs, &gs);
   draw(s);
   rig_expect(s->rig, "P3D-074");
   expect_pixels(s, 0, 0, 0, 0);
   s->extras = 0;
   EMIT(s->extra, s->extras, 3DSTATE_GS, 3dstate_gs, &gs_off);
   draw(s);
   expect_pixels(s, 0, 0, 8, 4);
}

/* ---- threads -----------------------------------------------------------------------------------
 */

/* A kernel of so many pixels: coordinates, `mark`, 7. */
static void
load_wide(struct scene *s, uint32_t at, unsigned width, unsigned mark)
{
   static char text[4096];
   int n = 0;
   if (width == 8) {
      n = snprintf(text, sizeof(text),
                   "add(8) g10<1>UW g1.4<2,4,0>UW 0x10101010V { align1 WE_all 1Q };\n"
                   "add(8) g11<1>UW g1.5<2,4,0>UW 0x11001100V { align1 WE_all 1Q };\n"
                   "mov(8) g112<1>UD g10<8,8,1>UW { align1 1Q };\n"
                   "mov(8) g113<1>UD g11<8,8,1>UW { align1 1Q };\n"
                   "mov(8) g114<1>UD %uUD { align1 1Q };\n"
                   "mov(8) g115<1>UD 7UD { align1 1Q };\n" END8,
                   mark);
   }
   for (unsigned half = 0; half < width / 16; half++) {
      bool last = half + 1 == width / 16;
      n += snprintf(
          text + n, sizeof(text) - (size_t)n,
          "add(16) g10<1>UW g%u.4<2,4,0>UW 0x10101010V { align1 WE_all 1H };\n"
          "add(16) g11<1>UW g%u.5<2,4,0>UW 0x11001100V { align1 WE_all 1H };\n"
          "mov(16) g%u<1>UD g10<8,8,1>UW { align1 WE_all 1H };\n"
          "mov(16) g%u<1>UD g11<8,8,1>UW { align1 WE_all 1H };\n"
          "mov(16) g%u<1>UD %uUD { align1 WE_all 1H };\n"
          "mov(16) g%u<1>UD 7UD { align1 WE_all 1H };\n"
          "send(16) null<1>UW g%u<8,8,1>UD 0x1003%x%03x render MsgDesc: mlen 8 rlen 0 { align1 %s "
          "%s};\n",
          1 + half, 1 + half, 104 + 8 * half, 106 + 8 * half, 108 + 8 * half, mark, 110 + 8 * half,
          104 + 8 * half, last ? 1 : 0, half ? 0x800 : 0, half ? "2H" : "1H", last ? "EOT " : "");
   }
   assert_true(n > 0 && (size_t)n < sizeof(text));
   load_kernel(s, at, text);
}

/* P3D-283: the table of the manual; a pointer that is not of a width on has a kernel that shows. */
static void
kernel_choice(void **state)
{
   proves("P3D-283");
   struct scene *s = *state;
   enum { WRONG = 0x3000 };
   static const struct {
      bool on[3];
      int pointer[3]; /* which of 0, 1, 2 has the kernel of 8, 16, 32 */
   } table[] = {{{1, 0, 0}, {0, -1, -1}}, {{0, 1, 0}, {-1, 0, -1}}, {{0, 0, 1}, {-1, -1, 0}},
                {{1, 1, 0}, {0, 2, -1}},  {{0, 1, 1}, {-1, 2, 1}},  {{1, 1, 1}, {0, 2, 1}}};
   load_wide(s, WRONG, 8, 99);
   for (unsigned k = 0; k < 3; k++)
      load_wide(s, 0x1000 + 0x800 * k, 8u << k, 8u << k);
   set_rectangle(s, 0, 3, 1, 45, 30);
   for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
      uint32_t start[3] = {WRONG, WRONG, WRONG};
      unsigned used[33] = {0};
      for (unsigned k = 0; k < 3; k++)
         if (table[i].on[k])
            start[table[i].pointer[k]] = 0x1000 + 0x800 * k;
      s->ps._8_pixel_dispatch_enable = table[i].on[0];
      s->ps._16_pixel_dispatch_enable = table[i].on[1];
      s->ps._32_pixel_dispatch_enable = table[i].on[2];
      s->ps.kernel_start_pointer_0 = start[0];
      s->ps.kernel_start_pointer_1 = start[1];
      s->ps.kernel_start_pointer_2 = start[2];
      draw(s);
      expect_pixels(s, 3, 1, 45, 30);
      for (unsigned y = 1; y < 30; y++)
         for (unsigned x = 3; x < 45; x++)
            used[pixel(s, x, y)[2] < 33 ? pixel(s, x, y)[2] : 0]++;
      for (unsigned k = 0; k < 3; k++)
         assert_true(table[i].on[k] || !used[8u << k]);
      assert_int_equal(used[8] + used[16] + used[32], 42 * 29);
   }
}

/* P3D-282: small objects side by side; a thread has pixels of one. */
static void
one_object_a_thread(void **state)
{
   proves("P3D-282", "P3D-273");
   struct scene *s = *state;
   uint32_t object_of[64];
   for (unsigned i = 0; i < 4; i++)
      set_rectangle(s, i, (float)(2 * i), 0, (float)(2 * i + 2), 2);
   s->primitive.vertex_count_per_instance = 12;
   s->sbe = (struct hw_3dstate_sbe){.number_of_sf_output_attributes = 1,
                                    .vertex_urb_entry_read_length = 1,
                                    .attribute_swizzle_enable = true,
                                    .attribute_0 = 3u << 9 | 15u << 12}; /* PrimitiveID */
   s->ps.attribute_enable = true;
   load_kernel(s, 0x800,
               "mov(8) g112<1>UD g0.6<0,1,0>UD { align1 1Q };\n"
               "mov(8) g113<1>UD g4.3<0,1,0>UD { align1 1Q };\n"
               "mov(8) g114<1>UD g1.7<0,1,0>UD { align1 1Q };\n"
               "mov(8) g115<1>UD 7UD { align1 1Q };\n" END8);
   s->ps.kernel_start_pointer_0 = 0x800;
   draw(s);
   uint32_t first = pixel(s, 0, 0)[0];
   memset(object_of, 0xff, sizeof(object_of));
   for (unsigned y = 0; y < 2; y++)
      for (unsigned x = 0; x < 8; x++) {
         const uint32_t *p = pixel(s, x, y);
         uint32_t thread = (p[0] - first) & 63;
         assert_int_equal(p[1], x / 2);
         assert_true(object_of[thread] == UINT32_MAX || object_of[thread] == p[1]);
         object_of[thread] = p[1];
         assert_int_equal(p[2], 0x000f000f); /* one subspan, all of it */
      }
   /* P3D-273: of a subspan that is covered in part, those that are lit and no other. */
   set_rectangle(s, 0, 1, 1, 4, 2);
   s->primitive.vertex_count_per_instance = 3;
   draw(s);
   for (unsigned x = 1; x < 4; x++)
      assert_int_equal(pixel(s, x, 1)[2], 0x00c800c8);
}

/* P3D-318, P3D-321: fields of R0; no setup data where they are not asked for. */
static void
header_fields(void **state)
{
   proves("P3D-318", "P3D-321", "P3D-357");
   struct scene *s = *state;
   const struct hw_3dstate_cc_state_pointers cc = {.color_calc_state_pointer = 0x5c0};
   EMIT(s->extra, s->extras, 3DSTATE_CC_STATE_POINTERS, 3dstate_cc_state_pointers, &cc);
   s->extra[s->extras - 1] |= 1;
   load_kernel(s, 0x800,
               "mov(8) g112<1>UD g0<0,1,0>UD { align1 1Q };\n"
               "mov(8) g113<1>UD g0.1<0,1,0>UD { align1 1Q };\n"
               "mov(8) g114<1>UD 9UD { align1 1Q };\n"
               "mov(8) g115<1>UD 7UD { align1 1Q };\n" END8);
   s->ps.kernel_start_pointer_0 = 0x800;
   s->element[0] = element(1, 0, 0, SRC, SRC, SRC, SRC); /* layer and viewport of the vertex */
   s->sf.cull_mode = 1;
   s->primitive.primitive_topology_type = GEN7_3D_PRIMITIVE_TOPOLOGY_TYPE_TRILIST;
   for (unsigned i = 0; i < 16; i++) {
      uint32_t header[4] = {0, i * 3, i, 0};
      bool back = i & 1;
      memcpy(rig_ggtt(s->rig, INSTANCES), header, sizeof(header));
      s->clip.maximum_vp_index = 15;
      s->sf.front_winding = back; /* clockwise is front with 0 */
      const float v[3][3] = {{0, 0, 0}, {16, 0, 0}, {0, 16, 0}};
      memcpy(s->vertex, v, sizeof(v));
      s->clip.force_zero_rta_index_enable = i == 15;
      draw(s);
      uint32_t layer = i == 15 ? 0 : i * 3;
      /* A target of one layer takes those that are out of range (P3D-357). */
      const uint32_t *p = pixel(s, 2, 2);
      assert_int_equal(p[0] & 0x3f, 4);
      assert_int_equal(p[0] >> 15 & 1, back);
      assert_int_equal(p[0] >> 16 & 0x7ff, layer);
      assert_int_equal(p[0] >> 27 & 15, i);
      assert_int_equal(p[1] & ~0x3fu, 0x5c0);
   }
   /* Attribute Enable: else the register is nobody's, which is told. */
   s->sbe = (struct hw_3dstate_sbe){.number_of_sf_output_attributes = 1,
                                    .vertex_urb_entry_read_length = 1};
   load_kernel(s, 0xc00,
               "mov(8) g112<1>UD g4.3<0,1,0>UD { align1 1Q };\n"
               "mov(8) g113<1>UD g4.7<0,1,0>UD { align1 1Q };\n"
               "mov(8) g114<1>UD g5.3<0,1,0>UD { align1 1Q };\n"
               "mov(8) g115<1>UD 7UD { align1 1Q };\n" END8);
   load_kernel(s, 0x1000,
               "mov(8) g112<1>UD g4.3<0,1,0>UD { align1 1Q };\n"
               "mov(8) g113<1>UD g4.7<0,1,0>UD { align1 1Q };\n"
               "mov(8) g114<1>UD g5.3<0,1,0>UD { align1 1Q };\n"
               "mov(8) g115<1>UD 7UD { align1 1Q };\n" END8);
   for (unsigned on = 0; on < 2; on++) {
      s->ps.kernel_start_pointer_0 = on ? 0xc00 : 0x1000;
      s->ps.attribute_enable = on;
      draw(s);
      assert_int_equal(rig_count(s->rig, "EU-206") > 0, !on);
      assert_int_equal(pixel(s, 2, 2)[2] == 15, on);
   }
}

/* P3D-259: what is beside the target is dispatched and not written. */
static void
beside_the_target(void **state)
{
   proves("P3D-259");
   struct scene *s = *state;
   s->wm.statistics_enable = true;
   set_rectangle(s, 0, 58, 26, 72, 40);
   uint32_t before = rig_reg(s->rig, REG_PS_INVOCATION_COUNT);
   draw(s);
   expect_pixels(s, 58, 26, 64, 32);
   assert_int_equal(rig_reg(s->rig, REG_PS_INVOCATION_COUNT) - before, 14 * 14);
   const uint32_t *behind = rig_ggtt(s->rig, TARGET + WIDTH * HEIGHT * 16);
   for (unsigned i = 0; i < 4 * WIDTH * 10; i++)
      assert_int_not_equal(behind[i], 7);
}

/* ---- targets -------------------------------------------------------------------------------- */

enum { TARGET_PITCH = 1024 };

/* Where an element lies in a target, by the manual: X tiles are 8 rows of 512 bytes, Y tiles 32
 * rows of 128 bytes in columns of 16. */
static uint32_t
element_at(unsigned tiling, uint32_t x_B, uint32_t y)
{
   if (tiling == 0)
      return y * TARGET_PITCH + x_B;
   if (tiling == 1)
      return y / 8 * 8 * TARGET_PITCH + x_B / 512 * 4096 + y % 8 * 512 + x_B % 512;
   return y / 32 * 32 * TARGET_PITCH + x_B / 128 * 4096 + x_B % 128 / 16 * 512 + y % 32 * 16 +
          x_B % 16;
}

static void
draw_on(struct scene *s, unsigned format, unsigned tiling)
{
   /* Kernels and surfaces are written anew: what is cached of them is not valid any more. */
   const uint32_t flush[5] = {0x7a000003, 1 << 11 | 1 << 2};
   const struct hw_render_surface_state target = {.surface_type = 1,
                                                  .surface_format = format,
                                                  .surface_base_address = TARGET,
                                                  .tiled_surface = tiling != 0,
                                                  .tile_walk = tiling == 2,
                                                  .width = WIDTH - 1,
                                                  .height = HEIGHT - 1,
                                                  .surface_pitch = TARGET_PITCH - 1};
   uint32_t dw[512];
   prepare(s);
   memcpy(s->extra, flush, sizeof(flush));
   s->extras = 5;
   gen7_render_surface_state_pack(rig_ggtt(s->rig, SURFACES + 0x40), &target);
   rig_submit(s->rig, RCS, dw, record(s, dw));
}

/* P3D-358: every format that can be written, in every tiling; of R8 and R32 in Y tiles stencil and
 * depth are written as colour. */
static void
formats_and_tilings(void **state)
{
   proves("P3D-358");
   struct scene *s = *state;
   unsigned tried = 0;
   set_rectangle(s, 0, 1, 2, 61, 31);
   for (unsigned n = 0; n < 3 * FORMAT_COUNT; n++) {
      const struct format_info *f = format_get(n / 3);
      unsigned size = f->bits / 8u, tiling = n % 3;
      bool floats = f->channel_class == FORMAT_CLASS_FLOAT;
      if (!(f->capabilities & FORMAT_RENDER) || f->layout != FORMAT_PLAIN)
         continue;
      load_kernel(s, 0,
                  floats ? "add(8) g10<1>UW g1.4<2,4,0>UW 0x10101010V { align1 WE_all 1Q };\n"
                           "add(8) g11<1>UW g1.5<2,4,0>UW 0x11001100V { align1 WE_all 1Q };\n"
                           "mov(8) g112<1>F g10<8,8,1>UW { align1 1Q };\n"
                           "mov(8) g113<1>F g11<8,8,1>UW { align1 1Q };\n"
                           "mul(8) g112<1>F g112<8,8,1>F 0.015625F { align1 1Q };\n"
                           "mul(8) g113<1>F g113<8,8,1>F 0.03125F { align1 1Q };\n"
                           "mov(8) g114<1>F 0.5F { align1 1Q };\n"
                           "mov(8) g115<1>F 0.75F { align1 1Q };\n" END8
                         : "add(8) g10<1>UW g1.4<2,4,0>UW 0x10101010V { align1 WE_all 1Q };\n"
                           "add(8) g11<1>UW g1.5<2,4,0>UW 0x11001100V { align1 WE_all 1Q };\n"
                           "mov(8) g112<1>UD g10<8,8,1>UW { align1 1Q };\n"
                           "mov(8) g113<1>UD g11<8,8,1>UW { align1 1Q };\n"
                           "mov(8) g114<1>UD 9UD { align1 1Q };\n"
                           "mov(8) g115<1>UD 7UD { align1 1Q };\n" END8);
      draw_on(s, n / 3, tiling);
      tried++;
      for (unsigned y = 0; y < HEIGHT; y++)
         for (unsigned x = 0; x < WIDTH; x++) {
            const float color[4] = {(float)x / 64, (float)y / 32, 0.5f, 0.75f};
            format_texel in = {x, y, 9, 7};
            uint32_t want[4] = {UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED},
                     at = element_at(tiling, x * size, y);
            if (floats)
               memcpy(in, color, sizeof(color));
            if (x >= 1 && x < 61 && y >= 2 && y < 31)
               format_pack(f, in, want);
            const uint8_t *there = (const uint8_t *)rig_ggtt(s->rig, TARGET) + at;
            if (memcmp(there, want, size) != 0)
               fail_msg("format %u, tiling %u: pixel %u,%u", n / 3, tiling, x, y);
         }
   }
   assert_in_range(tried, 3 * 50, 3 * FORMAT_COUNT);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(pixels_inside),
       CASE(formats_and_tilings),
       CASE(grid_of_sixteenths),
       CASE(drawing_rectangle_clips),
       CASE(sample_mask),
       CASE(broken_state),
       CASE(second_target),
       CASE(not_a_number),
       CASE(scissors_of_viewports),
       CASE(offsets_and_coverage),
       CASE(kernel_by_width),
       CASE(headers),
       CASE(places_of_subspans),
       CASE(too_many_attributes),
       CASE(constants),
       CASE(flat_attributes),
       CASE(interpolated_attributes),
       CASE(several_objects),
       CASE(end_of_buffer),
       CASE(instances),
       CASE(statistics),
       CASE(perspective),
       CASE(small_budgets),
       CASE(no_objects_many_instances),
       CASE(a_shader_that_waits),
       CASE(a_shader_that_waits_for_ever),
       CASE(no_entries),
       CASE(kernel_choice),
       CASE(one_object_a_thread),
       CASE(header_fields),
       CASE(beside_the_target),
   };
   return cmocka_run_group_tests_name("render_rectangles", tests, NULL, NULL);
}
