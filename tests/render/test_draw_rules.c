/* Rules of draws: a draw that keeps one, and one that breaks it. */
#include "scene.h"

#include "tests/proves.h"

static void
add_extra(struct scene *s, const uint32_t *dw, unsigned count)
{
   memcpy(s->extra + s->extras, dw, count * sizeof(*dw));
   s->extras += count;
}

/* 3DSTATE_URB_VS, HS, DS, GS. */
static void
add_urb(struct scene *s, unsigned stage, unsigned start, unsigned entries, unsigned size)
{
   uint32_t dw[GEN7_3DSTATE_URB_VS_LENGTH];
   gen7_3dstate_urb_vs_pack(dw, &(struct hw_3dstate_urb_vs){.urb_starting_address = start,
                                                            .number_of_urb_entries = entries,
                                                            .urb_entry_allocation_size = size});
   dw[0] += stage << 16;
   add_extra(s, dw, GEN7_3DSTATE_URB_VS_LENGTH);
}

/* The draw keeps the rule; nothing else is asked of it. */
static void
keeps(struct scene *s, const char *rule)
{
   draw(s);
   assert_int_equal(rig_count(s->rig, rule), 0);
}

static void
breaks(struct scene *s, const char *rule)
{
   draw(s);
   rig_expect(s->rig, rule);
}

static void
clip_and_setup_agree(void **state)
{
   proves("P3D-201");
   struct scene *s = *state;
   s->clip.clip_enable = true;
   s->clip.clip_mode = 4;
   s->clip.early_cull_enable = true;
   s->clip.cull_mode = s->sf.cull_mode = 1;
   s->clip.triangle_strip_list_provoking_vertex_select = 2;
   s->sf.triangle_strip_list_provoking_vertex_select = 2;
   keeps(s, "P3D-201");
   s->sf.triangle_strip_list_provoking_vertex_select = 0;
   breaks(s, "P3D-201");
   s->sf.triangle_strip_list_provoking_vertex_select = 2;
   s->sf.line_strip_list_provoking_vertex_select = 1;
   breaks(s, "P3D-201");
   s->sf.line_strip_list_provoking_vertex_select = 0;
   s->sf.triangle_fan_provoking_vertex_select = 1;
   breaks(s, "P3D-201");
   s->clip.triangle_fan_provoking_vertex_select = 1;
   s->clip.front_winding = true;
   breaks(s, "P3D-201");
   s->clip.front_winding = false;
   s->clip.cull_mode = 2;
   breaks(s, "P3D-201");
   s->clip.early_cull_enable = false; /* then nobody uses these */
   keeps(s, "P3D-201");
}

static void
constants_fit(void **state)
{
   proves("P3D-083");
   struct scene *s = *state;
   uint32_t room[2] = {GEN7_3DSTATE_PUSH_CONSTANT_ALLOC_PS_HEADER, 2};
   s->constants.pointer_to_constant_buffer_0 = CONSTANTS - DYNAMIC;
   s->constants.pointer_to_constant_buffer_1 = CONSTANTS;
   s->constants.constant_buffer_0_read_length = 60;
   s->constants.constant_buffer_1_read_length = 4;
   keeps(s, "P3D-083");
   s->constants.constant_buffer_1_read_length = 5;
   breaks(s, "P3D-083");
   s->constants.constant_buffer_0_read_length = 40; /* all four count */
   s->constants.constant_buffer_2_read_length = s->constants.constant_buffer_3_read_length = 10;
   s->constants.pointer_to_constant_buffer_2 = s->constants.pointer_to_constant_buffer_3 =
       CONSTANTS;
   breaks(s, "P3D-083");
   s->constants.constant_buffer_1_read_length = 4;
   keeps(s, "P3D-083");
   add_extra(s, room, 2);
   keeps(s, "P3D-083"); /* 2 KiB are 64 registers */
   s->extra[1] = 1;
   breaks(s, "P3D-083");
   s->constants.constant_buffer_0_read_length = 0;
   breaks(s, "P3D-083"); /* a gap */
}

static void
urb_commands(void **state)
{
   proves("P3D-075", "P3D-073");
   struct scene *s = *state;
   for (unsigned i = 0; i < 4; i++)
      add_urb(s, i, 2 + 2 * i, i ? 0 : 64, 1);
   keeps(s, "P3D-075");
   keeps(s, "P3D-073");
   s->extras = 2;
   breaks(s, "P3D-075");
   s->extras = 0;
   keeps(s, "P3D-075");             /* none is as good as all */
   for (unsigned i = 0; i < 4; i++) /* 64 entries of 128 bytes fill one unit of 8 KiB */
      add_urb(s, i, 2 + i, i == 1 || i == 2 ? 0 : 64, 1);
   keeps(s, "P3D-073");
   s->extras = 0;
   for (unsigned i = 0; i < 4; i++)
      add_urb(s, i, 2, i == 1 || i == 2 ? 0 : 64, 1);
   breaks(s, "P3D-073");
   s->extras = 0;
   for (unsigned i = 0; i < 4; i++)
      add_urb(s, i, i ? 0 : 30, i ? 0 : 64, 8); /* behind the last one */
   s->vs.enable = true;
   breaks(s, "P3D-073");
}

static void
entries_of_vertices(void **state)
{
   proves("P3D-074");
   struct scene *s = *state;
   for (unsigned i = 0; i < 4; i++)
      add_urb(s, i, 2 + 2 * i, 0, 1);
   keeps(s, "P3D-074"); /* nobody needs them */
   s->vs.enable = true;
   breaks(s, "P3D-074");
   expect_pixels(s, 0, 0, 0, 0);
}

static void
vertex_formats(void **state)
{
   proves("P3D-055");
   struct scene *s = *state;
   s->element[2] = element(0, 0x40, 0, SRC, SRC, SRC, ONE_F);
   s->elements = 3;
   keeps(s, "P3D-055");
   s->element[2] = element(0, 0x186, 0, SRC, SRC, SRC, ONE_F); /* BC1 */
   breaks(s, "P3D-055");
   expect_pixels(s, 0, 0, 8, 4); /* positions are read as ever */
   s->element[1].source_element_format = 0x1ff;
   breaks(s, "P3D-055");
   expect_pixels(s, 0, 0, 0, 0); /* all are 0 */
}

/* P3D-042: a buffer that never had an address reads 0; one that had keeps it. */
static void
addresses_of_buffers(void **state)
{
   proves("P3D-042");
   struct scene *s = *state;
   s->element[0] = element(1, 0, 0, ZERO, ZERO, ZERO, SRC);
   s->buffer[1].address_modify_enable = false;
   breaks(s, "P3D-042");
   s->buffer[1].address_modify_enable = true;
   keeps(s, "P3D-042");
   s->buffer[1].address_modify_enable = false;
   keeps(s, "P3D-042");
}

static void
topologies(void **state)
{
   proves("P3D-068", "P3D-033");
   struct scene *s = *state;
   keeps(s, "P3D-068");
   for (unsigned t = 0; t < 0x20; t++) {
      if (t && t != 0x15 && t < 0x17)
         continue;
      s->primitive.primitive_topology_type = t;
      breaks(s, "P3D-068");
      expect_pixels(s, 0, 0, 0, 0);
   }
   uint32_t index[GEN7_3DSTATE_INDEX_BUFFER_LENGTH];
   gen7_3dstate_index_buffer_pack(
       index, &(struct hw_3dstate_index_buffer){.cut_index_enable = true,
                                                .buffer_starting_address = CONSTANTS,
                                                .buffer_ending_address = CONSTANTS + 15});
   add_extra(s, index, GEN7_3DSTATE_INDEX_BUFFER_LENGTH);
   s->primitive.vertex_access_type = 1;
   s->primitive.primitive_topology_type = 4;
   keeps(s, "P3D-033");
   s->primitive.primitive_topology_type = 6;
   breaks(s, "P3D-033");
}

static void
rectangles_and_attributes(void **state)
{
   proves("P3D-241", "P3D-250", "P3D-322");
   struct scene *s = *state;
   keeps(s, "P3D-241");
   s->vertex[0][0] += 2;
   s->vertex[1][1] += 2;
   breaks(s, "P3D-241");
   expect_pixels(s, 0, 0, 10, 6); /* what bounds it */
   set_rectangle(s, 0, 0, 0, 8, 4);
   s->sbe.number_of_sf_output_attributes = 32;
   s->sbe.vertex_urb_entry_read_length = 16;
   keeps(s, "P3D-250");
   s->sbe.number_of_sf_output_attributes = 33;
   breaks(s, "P3D-250");
   s->sbe = (struct hw_3dstate_sbe){.number_of_sf_output_attributes = 1,
                                    .vertex_urb_entry_read_length = 1};
   s->ps.attribute_enable = true;
   s->ps.dispatch_grf_start_register_for_constant_setup_data_0 = 126;
   keeps(s, "P3D-322");
   s->ps.dispatch_grf_start_register_for_constant_setup_data_0 = 127;
   breaks(s, "P3D-322");
   expect_pixels(s, 0, 0, 8, 4);
}

/* P3D-267: of a triangle those pixels whose bit is set; of a rectangle all. */
static void
polygon_stipple(void **state)
{
   proves("P3D-267");
   struct scene *s = *state;
   uint32_t pattern[33] = {0x7907001f}, *offset = &s->extra[s->extras + 1];
   for (uint32_t i = 0; i < 32; i++)
      pattern[1 + i] = (i + 1) * 2654435761u ^ i << 7;
   add_extra(s, (const uint32_t[2]){0x79060000, 0}, 2);
   add_extra(s, pattern, 33);
   set_rectangle(s, 0, 0, 0, WIDTH, HEIGHT);
   s->sf.cull_mode = GEN7_3DSTATE_SF_CULL_MODE_NONE;
   s->wm.polygon_stipple_enable = true;
   for (unsigned shift = 0; shift < 3; shift++) {
      static bool covered[HEIGHT][WIDTH];
      unsigned right = shift * 5, down = shift * 11, lit = 0, dark = 0;
      *offset = right << 8 | down;
      s->primitive.primitive_topology_type = GEN7_3D_PRIMITIVE_TOPOLOGY_TYPE_RECTLIST;
      draw(s);
      expect_pixels(s, 0, 0, WIDTH, HEIGHT);
      s->primitive.primitive_topology_type = GEN7_3D_PRIMITIVE_TOPOLOGY_TYPE_TRILIST;
      for (unsigned stippled = 0; stippled < 2; stippled++) {
         s->wm.polygon_stipple_enable = stippled;
         draw(s);
         for (unsigned y = 0; y < HEIGHT; y++)
            for (unsigned x = 0; x < WIDTH; x++) {
               bool drawn = *pixel(s, x, y) != UNTOUCHED,
                    kept = pattern[1 + (y + down) % 32] >> (31 - (x + right) % 32) & 1;
               if (!stippled)
                  covered[y][x] = drawn;
               else
                  assert_int_equal(drawn, covered[y][x] && kept);
               lit += stippled && drawn;
               dark += stippled && covered[y][x] && !drawn;
            }
      }
      assert_true(lit > 50 && dark > 50);
   }
}

/* Threads of 32 pixels, with no other kernel: R1 has the lower 16 slots, R2 the upper. */
static void
thirty_two_wide(void **state)
{
   proves("P3D-320");
   struct scene *s = *state;
   load_kernel(
       s, 0,
       "add(16) g10<1>UW g1.4<2,4,0>UW 0x10101010V { align1 WE_all 1H };\n"
       "add(16) g11<1>UW g1.5<2,4,0>UW 0x11001100V { align1 WE_all 1H };\n"
       "add(16) g12<1>UW g2.4<2,4,0>UW 0x10101010V { align1 WE_all 1H };\n"
       "add(16) g13<1>UW g2.5<2,4,0>UW 0x11001100V { align1 WE_all 1H };\n"
       "mov(16) g104<1>UD g10<8,8,1>UW { align1 WE_all 1H };\n"
       "mov(16) g106<1>UD g11<8,8,1>UW { align1 WE_all 1H };\n"
       "mov(16) g108<1>UD 1UD { align1 WE_all 1H };\n"
       "mov(16) g110<1>UD 7UD { align1 WE_all 1H };\n"
       "send(16) null<1>UW g104<8,8,1>UD 0x10030000 render MsgDesc: mlen 8 rlen 0 { align1 1H };\n"
       "mov(16) g112<1>UD g12<8,8,1>UW { align1 WE_all 1H };\n"
       "mov(16) g114<1>UD g13<8,8,1>UW { align1 WE_all 1H };\n"
       "mov(16) g116<1>UD 2UD { align1 WE_all 1H };\n"
       "mov(16) g118<1>UD 7UD { align1 WE_all 1H };\n"
       "send(16) null<1>UW g112<8,8,1>UD 0x10031800 render MsgDesc: mlen 8 rlen 0 { align1 2H EOT "
       "};\n");
   s->ps._8_pixel_dispatch_enable = false;
   s->ps._32_pixel_dispatch_enable = true;
   set_rectangle(s, 0, 3, 1, 45, 30);
   draw(s);
   expect_pixels(s, 3, 1, 45, 30);
   unsigned halves[3] = {0};
   for (unsigned y = 1; y < 30; y++)
      for (unsigned x = 3; x < 45; x++)
         halves[pixel(s, x, y)[2] % 3]++;
   assert_int_equal(halves[0], 0);
   assert_true(halves[1] > 300 && halves[2] > 300);
}

/* P3D-087: what 3DSTATE_PS says of arithmetic is in cr0. */
static void
arithmetic_modes(void **state)
{
   proves("P3D-087");
   struct scene *s = *state;
   load_kernel(s, 0,
               "mov(8) g112<1>UD cr0<0,1,0>UD { align1 1Q };\n"
               "mov(8) g113<1>UD cr0.1<0,1,0>UD { align1 1Q };\n"
               "mov(8) g114<1>UD 9UD { align1 1Q };\n"
               "mov(8) g115<1>UD 7UD { align1 1Q };\n" END8);
   for (unsigned i = 0; i < 16; i++) {
      s->ps.rounding_mode = i & 3;
      s->ps.denormal_mode = i >> 2 & 1;
      s->ps.floating_point_mode = i >> 3;
      s->ps.software_exception_enable = i & 1;
      draw(s);
      const uint32_t *p = pixel(s, 2, 2);
      assert_int_equal(p[0] & 0x71, (i & 3) << 4 | (i >> 2 & 1) << 6 | i >> 3);
      assert_int_equal(p[1] >> 13 & 1, i & 1);
   }
}

/* Fields that nothing says the arithmetic of: told. */
static void
unmodelled_fields(void **state)
{
   proves("G3D-076", "G3D-078");
   struct scene *s = *state;
   static const uint32_t pointers[4] = {0x780e0000, 0x480 | 1, 0x78240000, 0x400 | 1};
   uint32_t *calc = rig_ggtt(s->rig, DYNAMIC + 0x480);
   add_extra(s, pointers, 4);
   keeps(s, "G3D-078");
   calc[0] = 1u << 15;
   breaks(s, "G3D-078");
   expect_pixels(s, 0, 0, 8, 4);
   calc[0] = 0;
   gen7_blend_state_entry_pack(
       rig_ggtt(s->rig, DYNAMIC + 0x400),
       &(struct hw_blend_state_entry){.alphatocoverage_dither_enable = true});
   keeps(s, "G3D-076"); /* without coverage there is nothing to dither */
   gen7_blend_state_entry_pack(
       rig_ggtt(s->rig, DYNAMIC + 0x400),
       &(struct hw_blend_state_entry){.alphatocoverage_enable = true,
                                      .alphatocoverage_dither_enable = true});
   draw(s);
   assert_true(rig_count(s->rig, "G3D-076") > 0);
}

/* ---- between draws ------------------------------------------------------------------------------
 */

#define DEPTH_FLUSH (1u << 0)
#define POST_SYNC (1u << 14 | 1u << 24)
#define DEPTH_STALL (1u << 13)
#define CS_STALL (1u << 20 | 1u << 1)

/* A draw of what is there; then these commands; then another. How often the rule was broken. */
static unsigned
between(struct scene *s, const uint32_t *dw, unsigned count, const char *rule)
{
   uint32_t again[GEN7_3DPRIMITIVE_LENGTH];
   draw(s);
   rig_submit(s->rig, RCS, dw, count);
   gen7_3dprimitive_pack(again, &s->primitive);
   rig_submit(s->rig, RCS, again, GEN7_3DPRIMITIVE_LENGTH);
   return rig_count(s->rig, rule);
}

#define BETWEEN(s, rule, ...)                                                                      \
   between(s, (const uint32_t[]){__VA_ARGS__}, COUNT(((const uint32_t[]){__VA_ARGS__})), rule)
#define CONTROL(flags) PC, (flags), RIG_DATA - 0x1000, 0, 0

static void
use_part(struct scene *s, const char *part)
{
   struct scene *fresh;
   rig_destroy(s->rig);
   s->rig = rig_create(part, PERGOLA_CHECK_REPORT);
   rig_start(s->rig, RCS, 16, 0);
   setup((void **)&fresh); /* for its kernel */
   memcpy(rig_ggtt(s->rig, KERNELS), rig_ggtt(fresh->rig, KERNELS), 0x1000);
   teardown((void **)&fresh);
}

static void
vertex_state_behind_draws(void **state)
{
   proves("P3D-019", "P3D-018");
   struct scene *s = *state;
   static const uint32_t header[5] = {GEN7_3DSTATE_URB_VS_HEADER,
                                      GEN7_3DSTATE_BINDING_TABLE_POINTERS_VS_HEADER,
                                      GEN7_3DSTATE_SAMPLER_STATE_POINTERS_VS_HEADER,
                                      GEN7_3DSTATE_VS_HEADER, GEN7_3DSTATE_CONSTANT_VS_HEADER};
   static const unsigned count[5] = {2, 2, 2, GEN7_3DSTATE_VS_LENGTH,
                                     GEN7_3DSTATE_CONSTANT_VS_LENGTH};
   for (unsigned i = 0; i < 5; i++) {
      uint32_t dw[5 + GEN7_3DSTATE_VS_LENGTH + GEN7_3DSTATE_CONSTANT_VS_LENGTH] = {
          CONTROL(POST_SYNC | DEPTH_STALL)};
      dw[3] = 0x1234 + i;
      dw[5] = header[i] | (count[i] - 2);
      *rig_ggtt(s->rig, RIG_DATA - 0x1000) = 0;
      assert_int_equal(between(s, dw + 5, count[i], "P3D-019"), 1);
      assert_int_equal(between(s, dw, 5 + count[i], "P3D-019"), 0);
      /* The stall writes what it is told to, and nothing else comes of it. */
      assert_int_equal(*rig_ggtt(s->rig, RIG_DATA - 0x1000), 0x1234 + i);
      expect_pixels(s, 0, 0, 8, 4);
      dw[1] = DEPTH_STALL;
      assert_int_equal(between(s, dw, 5 + count[i], "P3D-019"), 1);
      dw[1] = POST_SYNC;
      assert_int_equal(between(s, dw, 5 + count[i], "P3D-019"), 1);
   }
   use_part(s, "vlv");
   assert_int_equal(BETWEEN(s, "P3D-019", GEN7_3DSTATE_URB_VS_HEADER, 0), 0);
   expect_pixels(s, 0, 0, 8, 4);
}

static void
allocation_of_constants(void **state)
{
   proves("P3D-020");
   struct scene *s = *state;
   const uint32_t room = GEN7_3DSTATE_PUSH_CONSTANT_ALLOC_PS_HEADER;
   assert_int_equal(BETWEEN(s, "P3D-020", room, 8), 1);
   assert_int_equal(BETWEEN(s, "P3D-020", room, 8, CONTROL(CS_STALL)), 0);
   assert_int_equal(BETWEEN(s, "P3D-020", CONTROL(CS_STALL), room, 8), 1);
   assert_int_equal(BETWEEN(s, "P3D-020", room, 8, CONTROL(DEPTH_STALL | POST_SYNC)), 1);
   assert_int_equal(BETWEEN(s, "P3D-020", GEN7_3DSTATE_PUSH_CONSTANT_ALLOC_VS_HEADER, 8), 0);
   use_part(s, "vlv");
   assert_int_equal(BETWEEN(s, "P3D-020", room, 8), 0);
}

static void
geometry_shader_comes_and_goes(void **state)
{
   proves("P3D-021");
   struct scene *s = *state;
   static const char *const parts[3] = {"ivb-gt2", "ivb-gt1", "vlv"};
   const struct hw_3dstate_gs gs = {.enable = true, .output_topology = 1};
   uint32_t dw[GEN7_3DSTATE_GS_LENGTH + 5], off[GEN7_3DSTATE_GS_LENGTH];
   const uint32_t stall[5] = {CONTROL(CS_STALL)};
   gen7_3dstate_gs_pack(dw, &gs);
   gen7_3dstate_gs_pack(off, &(struct hw_3dstate_gs){0});
   memcpy(dw + GEN7_3DSTATE_GS_LENGTH, stall, sizeof(stall));
   memcpy(s->extra, off, sizeof(off));
   s->extras = GEN7_3DSTATE_GS_LENGTH;
   for (unsigned i = 0; i < 3; i++) {
      if (i)
         use_part(s, parts[i]);
      assert_int_equal(between(s, dw, GEN7_3DSTATE_GS_LENGTH, "P3D-021"), i == 0);
      assert_int_equal(between(s, dw, GEN7_3DSTATE_GS_LENGTH + 5, "P3D-021"), 0);
      assert_int_equal(between(s, off, GEN7_3DSTATE_GS_LENGTH, "P3D-021"), 0); /* as it was */
   }
}

#define DEPTH(type) GEN7_3DSTATE_DEPTH_BUFFER_HEADER | 5, (type) << 29 | 1u << 18, 0, 0, 0, 0, 0
#define STENCIL GEN7_3DSTATE_STENCIL_BUFFER_HEADER | 1, 0, 0
#define HIER_DEPTH GEN7_3DSTATE_HIER_DEPTH_BUFFER_HEADER | 1, 0, 0
#define CLEAR_PARAMS GEN7_3DSTATE_CLEAR_PARAMS_HEADER | 1, 0, 1
#define DEPTH_COMMANDS(type) DEPTH(type), STENCIL, HIER_DEPTH, CLEAR_PARAMS

static void
depth_buffers_behind_draws(void **state)
{
   proves("P3D-022");
   struct scene *s = *state;
   s->depth = (struct hw_3dstate_depth_buffer){.surface_type = 1,
                                               .surface_format = 1,
                                               .width = WIDTH - 1,
                                               .height = HEIGHT - 1,
                                               .surface_pitch = 511,
                                               .surface_base_address = 0x280000};
   assert_int_equal(BETWEEN(s, "P3D-022", DEPTH_COMMANDS(7u)), 1);
   assert_int_equal(BETWEEN(s, "P3D-022", CONTROL(DEPTH_STALL), CONTROL(DEPTH_FLUSH),
                            CONTROL(DEPTH_STALL), DEPTH_COMMANDS(7u)),
                    0);
   assert_int_equal(BETWEEN(s, "P3D-022", CONTROL(DEPTH_FLUSH), CONTROL(DEPTH_STALL),
                            CONTROL(DEPTH_STALL), DEPTH_COMMANDS(7u)),
                    1);
   assert_int_equal(BETWEEN(s, "P3D-022", CONTROL(DEPTH_STALL), CONTROL(DEPTH_FLUSH),
                            CONTROL(DEPTH_STALL), CLEAR_PARAMS),
                    1); /* not all four */
   s->depth = (struct hw_3dstate_depth_buffer){.surface_type = 7, .surface_format = 1};
   assert_int_equal(BETWEEN(s, "P3D-022", DEPTH_COMMANDS(7u)), 0); /* nobody used it */
   assert_int_equal(BETWEEN(s, "P3D-022", STENCIL), 1);
   assert_int_equal(BETWEEN(s, "P3D-022", STENCIL, HIER_DEPTH, CLEAR_PARAMS), 1);
   assert_int_equal(BETWEEN(s, "P3D-022", DEPTH(7u), HIER_DEPTH, CLEAR_PARAMS), 1);
   assert_int_equal(BETWEEN(s, "P3D-022", DEPTH(7u), STENCIL, CLEAR_PARAMS), 1);
   assert_int_equal(BETWEEN(s, "P3D-022", DEPTH(7u), STENCIL, HIER_DEPTH), 1);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(clip_and_setup_agree),
       CASE(constants_fit),
       CASE(urb_commands),
       CASE(entries_of_vertices),
       CASE(vertex_formats),
       CASE(addresses_of_buffers),
       CASE(topologies),
       CASE(rectangles_and_attributes),
       CASE(polygon_stipple),
       CASE(thirty_two_wide),
       CASE(arithmetic_modes),
       CASE(unmodelled_fields),
       CASE(vertex_state_behind_draws),
       CASE(allocation_of_constants),
       CASE(geometry_shader_comes_and_goes),
       CASE(depth_buffers_behind_draws),
   };
   return cmocka_run_group_tests_name("render_draw_rules", tests, NULL, NULL);
}
