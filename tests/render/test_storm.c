/* A storm of draws: random state of every stage, and the same memory and counters whatever runs the
 * threads, for one, four and eight samples a pixel. Devices with one, two and four host threads,
 * with native code and without, get the same commands; the last one is a second run of the one
 * before.
 *
 * usage: test_render_storm [DRAWS] */
#include "scene.h"
#include "tests/proves.h"

#define DEVICES 5u
#define ACROSS 136u /* the targets: three by two tiles, which host threads share */
#define DOWN 72u
#define COLOR_SIZE (ACROSS * DOWN * 16u)
#define OUT 0x26a000u
#define OUT_SIZE 0x8000u
#define DEPTH 0x272000u
#define DEPTH_PITCH 640u
#define DEPTH_SIZE (DEPTH_PITCH * 96u)
#define HIER 0x281000u
#define HIER_SIZE 0x4000u
#define SAMPLED 0x288000u /* of several samples: colours, control, depths */
#define SAMPLED_PITCH 1152u
#define SAMPLED_SIZE (8u * DOWN * SAMPLED_PITCH)
#define CONTROL 0x32a000u
#define CONTROL_PITCH 640u
#define CONTROL_SIZE (CONTROL_PITCH * 96u)
#define SAMPLED_DEPTH 0x339000u
#define SAMPLED_DEPTH_PITCH 2176u
#define SAMPLED_DEPTH_SIZE (SAMPLED_DEPTH_PITCH * 160u)
#define BLEND 0x400u /* of the dynamic state */
#define STENCIL 0x440u
#define FACTORS 0x480u
#define RANGE 0x4c0u
#define MESH 48u
#define VS_KERNEL 0x1000u
#define HS_KERNEL 0x1400u
#define DS_KERNEL 0x1800u
#define GS_KERNEL 0x2000u /* and 0x800 for each count of vertices */
#define PS8_KERNEL 0x6000u
#define PS16_KERNEL 0x6800u

static unsigned draws = 160;
static uint64_t random_state;

static uint32_t
rnd(uint32_t below)
{
   random_state = random_state * 6364136223846793005u + 1442695040888963407u;
   return (uint32_t)((random_state >> 33) % below);
}

static bool
chance(uint32_t percent)
{
   return rnd(100) < percent;
}

/* ---- kernels ------------------------------------------------------------------------------------
 */

#define URB_HEADER                                                                                 \
   "mov(8) g112<1>UD g0<8,8,1>UD { align1 WE_all 1Q };\n"                                          \
   "mov(1) g112.5<1>UD 0x0000ff00UD { align1 WE_all };\n"

/* As many vertices as came in, each as it was. */
static void
load_geometry(struct scene *s, unsigned vertices)
{
   char text[4096];
   int n = snprintf(text, sizeof(text), URB_HEADER "mov(1) g112.2<1>UD %uUD { align1 WE_all };\n",
                    vertices);
   for (unsigned v = 0; v < vertices; v++)
      n += snprintf(text + n, sizeof(text) - (size_t)n,
                    "mov(8) g113<1>UD g%u<8,8,1>UD { align1 WE_all 1Q };\n"
                    "send(8) null<1>UW g112<8,8,1>UD 0x%08x urb MsgDesc: mlen 2 rlen 0 { align1 "
                    "WE_all 1Q %s};\n",
                    3 + v, 0x04080000 | v << 3 | (v + 1 == vertices ? 1 << 15 : 0),
                    v + 1 == vertices ? "EOT " : "");
   assert_true(n > 0 && (size_t)n < sizeof(text));
   load_kernel(s, GS_KERNEL + 0x800 * vertices, text);
}

static void
load_kernels(struct scene *s)
{
   load_kernel(s, VS_KERNEL,
               URB_HEADER "mov(8) g113<1>UD g2<8,8,1>UD { align1 WE_all 1Q };\n"
                          "mov(8) g114<1>UD g3<8,8,1>UD { align1 WE_all 1Q };\n"
                          "send(8) null<1>UW g112<8,8,1>UD 0x0608c000 urb MsgDesc: mlen 3 rlen 0 { "
                          "align1 1Q EOT };\n");
   load_kernel(s, HS_KERNEL,
               URB_HEADER "mov(1) g112.2<1>UD 0UD { align1 WE_all };\n"
                          "mov(8) g113<1>UD g5<8,8,1>UD { align1 WE_all 1Q };\n"
                          "send(8) null<1>UW g112<8,8,1>UD 0x04088000 urb MsgDesc: mlen 2 rlen 0 { "
                          "align1 WE_all 1Q EOT };\n");
   load_kernel(s, DS_KERNEL,
               URB_HEADER "mov(8) g113<1>UD 0UD { align1 WE_all 1Q };\n"
                          "mul(8) g114<1>F g1<8,8,1>F 68.0F { align1 WE_all 1Q };\n"
                          "mov(1) g114.2<1>F 0.5F { align1 WE_all };\n"
                          "mov(1) g114.3<1>F 1.0F { align1 WE_all };\n"
                          "mov(1) g114.6<1>F 0.25F { align1 WE_all };\n"
                          "mov(1) g114.7<1>F 1.0F { align1 WE_all };\n"
                          "send(8) null<1>UW g112<8,8,1>UD 0x0608c000 urb MsgDesc: mlen 3 rlen 0 { "
                          "align1 1Q EOT };\n");
   for (unsigned v = 1; v <= 6; v++)
      load_geometry(s, v);
   /* x, y, the number of the object, a half. */
   load_kernel(s, PS8_KERNEL,
               "add(8) g10<1>UW g1.4<2,4,0>UW 0x10101010V { align1 WE_all 1Q };\n"
               "add(8) g11<1>UW g1.5<2,4,0>UW 0x11001100V { align1 WE_all 1Q };\n"
               "mov(8) g112<1>F g10<8,8,1>UW { align1 1Q };\n"
               "mul(8) g112<1>F g112<8,8,1>F 0.015625F { align1 1Q };\n"
               "mov(8) g113<1>F g11<8,8,1>UW { align1 1Q };\n"
               "mul(8) g113<1>F g113<8,8,1>F 0.03125F { align1 1Q };\n"
               "mov(8) g114<1>F g4.3<0,1,0>UD { align1 1Q };\n"
               "mul(8) g114<1>F g114<8,8,1>F 0.03125F { align1 1Q };\n"
               "mov(8) g115<1>F 0.5F { align1 1Q };\n" END8);
   load_kernel(s, PS16_KERNEL,
               "add(16) g10<1>UW g1.4<2,4,0>UW 0x10101010V { align1 WE_all 1H };\n"
               "add(16) g11<1>UW g1.5<2,4,0>UW 0x11001100V { align1 WE_all 1H };\n"
               "mov(16) g112<1>F g10<8,8,1>UW { align1 1H };\n"
               "mul(16) g112<1>F g112<8,8,1>F 0.015625F { align1 1H };\n"
               "mov(16) g114<1>F g11<8,8,1>UW { align1 1H };\n"
               "mul(16) g114<1>F g114<8,8,1>F 0.03125F { align1 1H };\n"
               "mov(16) g116<1>F g6.3<0,1,0>UD { align1 1H };\n"
               "mul(16) g116<1>F g116<8,8,1>F 0.03125F { align1 1H };\n"
               "mov(16) g118<1>F 0.5F { align1 1H };\n" END16);
}

/* ---- state --------------------------------------------------------------------------------------
 */

/* What a draw has beside the scene's own. */
struct storm {
   struct scene *s[DEVICES];
   struct hw_3dstate_gs gs;
   struct hw_3dstate_hs hs;
   struct hw_3dstate_te te;
   struct hw_3dstate_ds ds;
   struct hw_3dstate_streamout so;
   struct hw_blend_state_entry blend;
   struct hw_depth_stencil_state depth;
   struct hw_3dstate_line_stipple dashes;
   float factor[8], mesh[MESH][3];
   bool control;                        /* of the samples */
   unsigned format, samples, stages[7]; /* how often each was on */
};

static const uint8_t topologies[] = {1,   2,   3,   4,   5,    6,    7,    8,    9,    0xa,
                                     0xb, 0xc, 0xd, 0xe, 0x10, 0x11, 0x12, 0x13, 0x14, 0x16};
/* Vertices of an object, by topology. */
static const uint8_t object_vertices[0x17] = {
    [1] = 1,    [2] = 2,    [3] = 2,    [4] = 3,    [5] = 3,    [6] = 3,   [7] = 3,
    [8] = 3,    [9] = 4,    [0xa] = 4,  [0xb] = 6,  [0xc] = 6,  [0xd] = 3, [0xe] = 3,
    [0x10] = 2, [0x11] = 1, [0x12] = 2, [0x13] = 2, [0x14] = 2, [0x16] = 3};

static void
random_front(struct storm *t, struct scene *s)
{
   bool tessellate = chance(25), geometry = chance(35);
   unsigned topology = topologies[rnd(sizeof(topologies))];
   s->primitive = (struct hw_3dprimitive){.vertex_count_per_instance = 1 + rnd(MESH - 1),
                                          .instance_count = 1 + rnd(2)};
   s->primitive.primitive_topology_type = tessellate ? 0x22 : topology;
   s->vs = (struct hw_3dstate_vs){.enable = tessellate || chance(70),
                                  .statistics_enable = true,
                                  .kernel_start_pointer = VS_KERNEL,
                                  .maximum_number_of_threads = rnd(64),
                                  .single_vertex_dispatch = chance(20),
                                  .dispatch_grf_start_register_for_urb_data = 2,
                                  .vertex_urb_entry_read_length = 1};
   t->hs = (struct hw_3dstate_hs){.enable = tessellate,
                                  .statistics_enable = true,
                                  .kernel_start_pointer = HS_KERNEL,
                                  .maximum_number_of_threads = rnd(32),
                                  .instance_count = rnd(3),
                                  .include_vertex_handles = true,
                                  .dispatch_grf_start_register_for_urb_data = 5};
   unsigned domain = rnd(3), out = domain == 2 ? rnd(2) : chance(10) ? 0 : 2 + rnd(2);
   t->te = (struct hw_3dstate_te){.te_enable = tessellate,
                                  .te_domain = domain,
                                  .partitioning = rnd(3),
                                  .output_topology = out,
                                  .maximum_tessellation_factor_odd = 63,
                                  .maximum_tessellation_factor_not_odd = 64};
   t->ds = (struct hw_3dstate_ds){.enable = tessellate,
                                  .statistics_enable = true,
                                  .kernel_start_pointer = DS_KERNEL,
                                  .maximum_number_of_threads = rnd(32),
                                  .ds_cache_disable = chance(20),
                                  .dispatch_grf_start_register_for_urb_data = 2,
                                  .patch_urb_entry_read_length = 1,
                                  .compute_w_coordinate_enable = domain == 1};
   for (unsigned i = 0; i < 8; i++)
      t->factor[i] = chance(3) ? -1.0f : (float)rnd(160) / 16;
   unsigned vertices = tessellate ? (out == 0 ? 1 : out == 1 ? 2 : 3) : object_vertices[topology];
   static const uint8_t to[3] = {1, 3, 5};
   t->gs = (struct hw_3dstate_gs){.enable = geometry,
                                  .statistics_enable = true,
                                  .kernel_start_pointer = GS_KERNEL + 0x800 * vertices,
                                  .maximum_number_of_threads = rnd(32),
                                  .output_topology = to[rnd(3)],
                                  .output_vertex_size = 1,
                                  .instance_control = chance(20) ? rnd(4) : 0,
                                  .vertex_urb_entry_read_length = 1,
                                  .reorder_mode = rnd(2),
                                  .dispatch_grf_start_register_for_urb_data = 3};
   t->so = (struct hw_3dstate_streamout){.so_function_enable = chance(30),
                                         .rendering_disable = chance(20),
                                         .so_statistics_enable = true,
                                         .so_buffer_enable_0 = true};
   t->stages[0] += s->vs.enable;
   t->stages[1] += tessellate;
   t->stages[2] += geometry;
   t->stages[3] += t->so.so_function_enable;
}

static void
random_samples(struct storm *t, struct scene *s)
{
   static const uint8_t samples[] = {1, 1, 1, 1, 4, 8};
   t->samples = samples[rnd(6)];
   t->control = chance(70);
   s->mask.sample_mask = t->samples == 1 ? 1 : chance(60) ? 0xff : rnd(256);
   s->wm.multisample_rasterization_mode = t->samples == 1 ? rnd(2) * 2 : chance(70) ? 3 : rnd(4);
   s->sf.multisample_rasterization_mode = s->wm.multisample_rasterization_mode;
   s->wm.multisample_dispatch_mode = t->samples == 1 || chance(50);
   if (!s->wm.multisample_dispatch_mode && s->ps._16_pixel_dispatch_enable)
      s->ps._8_pixel_dispatch_enable = false; /* P3D-280: one width */
   s->depth.surface_base_address = t->samples == 1 ? DEPTH : SAMPLED_DEPTH;
   s->depth.surface_pitch = (t->samples == 1 ? DEPTH_PITCH : SAMPLED_DEPTH_PITCH) - 1;
   t->stages[5] += t->samples == 4;
   t->stages[6] += t->samples == 8;
}

static void
random_raster(struct storm *t, struct scene *s)
{
   s->clip = (struct hw_3dstate_clip){.clip_enable = chance(70),
                                      .clip_mode = chance(5) ? 3 : 4,
                                      .statistics_enable = true,
                                      .perspective_divide_disable = true,
                                      .minimum_point_width = 1,
                                      .maximum_point_width = 100};
   s->sf = (struct hw_3dstate_sf){.statistics_enable = true,
                                  .cull_mode = chance(60) ? 1 : rnd(4),
                                  .front_winding = rnd(2),
                                  .frontface_fill_mode = chance(70) ? 0 : rnd(3),
                                  .backface_fill_mode = chance(70) ? 0 : rnd(3),
                                  .line_width = chance(40) ? 0 : 64 + rnd(800),
                                  .last_pixel_enable = rnd(2),
                                  .point_width_source = true,
                                  .point_width = 1 + rnd(90),
                                  .global_depth_offset_enable_solid = chance(20),
                                  .global_depth_offset_constant = 2,
                                  .depth_buffer_surface_format = 1,
                                  .triangle_strip_list_provoking_vertex_select = rnd(3),
                                  .line_strip_list_provoking_vertex_select = rnd(2),
                                  .triangle_fan_provoking_vertex_select = rnd(3)};
   s->clip.triangle_strip_list_provoking_vertex_select =
       s->sf.triangle_strip_list_provoking_vertex_select;
   s->clip.line_strip_list_provoking_vertex_select = s->sf.line_strip_list_provoking_vertex_select;
   s->clip.triangle_fan_provoking_vertex_select = s->sf.triangle_fan_provoking_vertex_select;
   s->wm = (struct hw_3dstate_wm){.thread_dispatch_enable = true,
                                  .statistics_enable = true,
                                  .line_stipple_enable = chance(20)};
   t->dashes = (struct hw_3dstate_line_stipple){.modify_enable = true,
                                                .line_stipple_pattern = rnd(65536),
                                                .line_stipple_repeat_count = 1 + rnd(5)};
   bool wide = chance(50);
   s->ps = (struct hw_3dstate_ps){._8_pixel_dispatch_enable = !wide || chance(50),
                                  ._16_pixel_dispatch_enable = wide,
                                  .maximum_number_of_threads = 3 + rnd(100),
                                  .attribute_enable = true,
                                  .dispatch_grf_start_register_for_constant_setup_data_0 = 4,
                                  .dispatch_grf_start_register_for_constant_setup_data_2 = 6,
                                  .kernel_start_pointer_0 = PS8_KERNEL,
                                  .kernel_start_pointer_2 = PS16_KERNEL};
   random_samples(t, s);
   if (wide && !s->ps._8_pixel_dispatch_enable) {
      s->ps.kernel_start_pointer_0 = PS16_KERNEL;
      s->ps.dispatch_grf_start_register_for_constant_setup_data_0 = 6;
   }
   static const uint8_t factor[] = {1, 2, 3, 4, 5, 0x11, 0x12, 0x13, 0x14, 0x15};
   static const uint16_t format[] = {0xc7, 0x02 - 2, 0xc0, 0x84,
                                     0x100}; /* 8, 32, 8, 16 bits, 565 */
   t->format = format[rnd(5)];
   if (t->samples > 1 && t->format == 0) /* there is room for eight bytes a sample */
      t->format = 0x84;
   t->blend = (struct hw_blend_state_entry){.color_buffer_blend_enable = chance(60),
                                            .color_blend_function = rnd(5),
                                            .source_blend_factor = factor[rnd(10)],
                                            .destination_blend_factor = factor[rnd(10)],
                                            .write_disable_red = chance(10),
                                            .write_disable_alpha = chance(10),
                                            .alphatocoverage_enable = chance(20),
                                            .alphatoone_enable = chance(20),
                                            .color_clamp_range = 2,
                                            .pre_blend_color_clamp_enable = true,
                                            .post_blend_color_clamp_enable = true};
   t->depth = (struct hw_depth_stencil_state){.depth_test_enable = chance(60),
                                              .depth_buffer_write_enable = chance(70),
                                              .depth_test_function = rnd(8)};
   t->stages[4] += t->depth.depth_test_enable;
   for (unsigned i = 0; i < MESH; i++) {
      t->mesh[i][0] = (float)rnd(9600) / 64 - 30;
      t->mesh[i][1] = (float)rnd(6400) / 64 - 30;
      t->mesh[i][2] = (float)rnd(1024) / 1024;
   }
}

/* ---- draws --------------------------------------------------------------------------------------
 */

static unsigned
emit_storm(const struct storm *t, uint32_t *dw)
{
   static const struct hw_3dstate_so_buffer buffer = {
       .surface_base_address = OUT, .surface_end_address = OUT + OUT_SIZE, .surface_pitch = 32};
   static const uint32_t declarations[7] = {0x79170005, 1, 2, 0x00f, 0, 0x01f, 0};
   static const struct hw_3dstate_constant_hs constants = {.constant_buffer_0_read_length = 1,
                                                           .pointer_to_constant_buffer_0 = FACTORS};
   /* Entries: 64 of 128 bytes for vertices, 8 for patches, 64 for points, 32 of 512. */
   static const uint32_t entries[8] = {
       0x78300000, 4u << 25 | 1 << 16 | 64, 0x78310000, 6u << 25 | 1 << 16 | 8,
       0x78320000, 8u << 25 | 1 << 16 | 64, 0x78330000, 12u << 25 | 7 << 16 | 32};
   static const uint32_t pointers[8] = {0x78240000, BLEND | 1, 0x78250000, STENCIL | 1,
                                        0x780e0000, 1,         0x78230000, RANGE};
   static const uint32_t stall[5] = {0x7a000003, 1 << 13 | 1 << 14 | 1 << 24, RIG_DATA - 0x1000};
   unsigned n = 0;
   memcpy(dw + n, stall, sizeof(stall)); /* P3D-019 */
   n += 5;
   memcpy(dw + n, entries, sizeof(entries));
   n += 8;
   memcpy(dw + n, pointers, sizeof(pointers));
   n += 8;
   EMIT(dw, n, 3DSTATE_HS, 3dstate_hs, &t->hs);
   EMIT(dw, n, 3DSTATE_TE, 3dstate_te, &t->te);
   EMIT(dw, n, 3DSTATE_DS, 3dstate_ds, &t->ds);
   EMIT(dw, n, 3DSTATE_GS, 3dstate_gs, &t->gs);
   EMIT(dw, n, 3DSTATE_CONSTANT_HS, 3dstate_constant_hs, &constants);
   EMIT(dw, n, 3DSTATE_STREAMOUT, 3dstate_streamout, &t->so);
   EMIT(dw, n, 3DSTATE_SO_BUFFER, 3dstate_so_buffer, &buffer);
   memcpy(dw + n, declarations, sizeof(declarations));
   n += 7;
   EMIT(dw, n, 3DSTATE_LINE_STIPPLE, 3dstate_line_stipple, &t->dashes);
   const uint32_t count = t->samples == 8 ? 3 : t->samples == 4 ? 2 : 0;
   const uint32_t places[4] = {0x790d0002, count << 1, count == 3 ? 0x53d97b95 : 0xae2ae662,
                               0xf1bf173d};
   memcpy(dw + n, places, sizeof(places));
   n += 4;
   return n;
}

static void
emit_target(const struct storm *t, uint32_t *surface)
{
   struct hw_render_surface_state target = {.surface_type = 1,
                                            .surface_format = t->format,
                                            .surface_base_address = TARGET,
                                            .width = ACROSS - 1,
                                            .height = DOWN - 1,
                                            .surface_pitch = ACROSS * 16 - 1};
   if (t->samples > 1) {
      target.tiled_surface = true;
      target.tile_walk = 1;
      target.surface_base_address = SAMPLED;
      target.surface_array_spacing = 1;
      target.surface_vertical_alignment = 1;
      target.number_of_multisamples = t->samples == 8 ? 3 : 2;
      target.surface_pitch = SAMPLED_PITCH - 1;
      target.mcs_enable = t->control;
      target.mcs_base_address = t->control ? CONTROL : 0;
      target.mcs_surface_pitch = t->control ? CONTROL_PITCH / 128 - 1 : 0;
      target.green_clear_color = 1;
   }
   gen7_render_surface_state_pack(surface, &target);
}

static void
draw_one(struct storm *t, struct scene *s)
{
   uint32_t dw[512], more[128];
   *rig_ggtt(s->rig, SURFACES) = 0x40;
   emit_target(t, rig_ggtt(s->rig, SURFACES + 0x40));
   gen7_blend_state_entry_pack(rig_ggtt(s->rig, DYNAMIC + BLEND), &t->blend);
   gen7_depth_stencil_state_pack(rig_ggtt(s->rig, DYNAMIC + STENCIL), &t->depth);
   memcpy(rig_ggtt(s->rig, DYNAMIC + FACTORS), t->factor, sizeof(t->factor));
   memcpy(rig_ggtt(s->rig, VERTICES), t->mesh, sizeof(t->mesh));
   rig_set(s->rig, REG_SO_WRITE_OFFSET_0, 0);
   rig_forget(s->rig);
   rig_submit(s->rig, RCS, more, emit_storm(t, more));
   s->extras = 0;
   rig_ring(s->rig, RCS, dw, record(s, dw));
   unsigned turns = 0;
   while (pergola_run(s->rig->dev, 1u << 30) == PERGOLA_RUN_BUDGET && turns < 1000)
      turns++;
   assert_in_range(turns, 0, 999);
}

static const uint32_t counters[] = {
    REG_IA_VERTICES_COUNT,        REG_IA_PRIMITIVES_COUNT, REG_VS_INVOCATION_COUNT,
    REG_HS_INVOCATION_COUNT,      REG_DS_INVOCATION_COUNT, REG_GS_INVOCATION_COUNT,
    REG_GS_PRIMITIVES_COUNT,      REG_CL_INVOCATION_COUNT, REG_CL_PRIMITIVES_COUNT,
    REG_PS_INVOCATION_COUNT,      REG_PS_DEPTH_COUNT,      REG_SO_NUM_PRIMS_WRITTEN_0,
    REG_SO_PRIM_STORAGE_NEEDED_0, REG_SO_WRITE_OFFSET_0};

static const struct {
   uint32_t start, size;
   const char *name;
} memory[] = {{TARGET, COLOR_SIZE, "colour"},
              {OUT, OUT_SIZE, "stream output"},
              {DEPTH, DEPTH_SIZE, "depth"},
              {SAMPLED, SAMPLED_SIZE, "samples"},
              {CONTROL, CONTROL_SIZE, "control of samples"},
              {SAMPLED_DEPTH, SAMPLED_DEPTH_SIZE, "depths of samples"}};

static void
compare(const struct storm *t, unsigned n)
{
   for (unsigned d = 1; d < DEVICES; d++) {
      struct rig *a = t->s[0]->rig, *b = t->s[d]->rig;
      for (unsigned i = 0; i < COUNT(memory); i++)
         if (memcmp(rig_ggtt(a, memory[i].start), rig_ggtt(b, memory[i].start), memory[i].size))
            fail_msg("draw %u, device %u: %s differs", n, d, memory[i].name);
      for (unsigned i = 0; i < COUNT(counters); i++)
         if (rig_reg(a, counters[i]) != rig_reg(b, counters[i]))
            fail_msg("draw %u, device %u: counter %#x: %u, not %u", n, d, counters[i],
                     rig_reg(b, counters[i]), rig_reg(a, counters[i]));
   }
}

/* Control of the samples: cleared, of one slice, or random, the same on all devices. */
static void
scribble(struct scene *s, unsigned n)
{
   uint64_t kept = random_state;
   for (unsigned i = 0; i < CONTROL_SIZE / 4; i++)
      rig_ggtt(s->rig, CONTROL)[i] = n % 150 == 0 ? UINT32_MAX : n % 150 == 50 ? 0 : rnd(1u << 31);
   random_state = kept;
}

static void
storm(void **state)
{
   proves("P3D-390", "P3D-092", "P3D-329", "P3D-002", "P3D-099", "P3D-313");
   (void)state;
   static const struct {
      unsigned threads;
      enum pergola_native native;
   } way[DEVICES] = {{1, PERGOLA_NATIVE_OFF},
                     {1, PERGOLA_NATIVE_ALWAYS},
                     {2, PERGOLA_NATIVE_ALWAYS},
                     {4, PERGOLA_NATIVE_AUTO},
                     {4, PERGOLA_NATIVE_AUTO}};
   static struct storm t;
   uint64_t lit = 0;
   for (unsigned d = 0; d < DEVICES; d++) {
      setup((void **)&t.s[d]);
      struct scene *s = t.s[d];
      s->rig->dev->config.host_threads = way[d].threads;
      s->rig->dev->config.native = way[d].native;
      s->vf.statistics_enable = true;
      s->area.clipped_drawing_rectangle_x_max = ACROSS - 1; /* of tiles of 64 pixels */
      s->area.clipped_drawing_rectangle_y_max = DOWN - 1;
      s->depth = (struct hw_3dstate_depth_buffer){.surface_type = 1,
                                                  .depth_write_enable = true,
                                                  .surface_format = 1,
                                                  .width = ACROSS - 1,
                                                  .height = DOWN - 1,
                                                  .surface_pitch = DEPTH_PITCH - 1,
                                                  .surface_base_address = DEPTH};
      s->sbe = (struct hw_3dstate_sbe){.number_of_sf_output_attributes = 1,
                                       .vertex_urb_entry_read_length = 1,
                                       .attribute_swizzle_enable = true,
                                       .attribute_0 = 3u << 9 | 15u << 12};
      s->hier =
          (struct hw_3dstate_hier_depth_buffer){.surface_base_address = HIER, .surface_pitch = 127};
      rig_ggtt(s->rig, DYNAMIC + RANGE)[1] = 0x3f800000; /* depth from 0 to 1 */
      memset(rig_ggtt(s->rig, HIER), 0x5a, HIER_SIZE);
      load_kernels(s);
   }
   for (unsigned n = 0; n < draws; n++) {
      struct scene *first = t.s[0];
      random_state = n;
      rnd(2);
      random_front(&t, first);
      random_raster(&t, first);
      for (unsigned d = 0; d < DEVICES; d++) {
         struct scene *s = t.s[d];
         s->primitive = first->primitive;
         s->vs = first->vs;
         s->clip = first->clip;
         s->sf = first->sf;
         s->wm = first->wm;
         s->ps = first->ps;
         s->mask = first->mask;
         s->depth = first->depth;
         if (n % 50 == 0)
            scribble(s, n);
         draw_one(&t, s);
      }
      rig_clean(first->rig); /* they are valid */
      compare(&t, n);
      lit = rig_reg(first->rig, REG_PS_INVOCATION_COUNT);
   }
   for (unsigned i = 0; i < 7; i++)
      assert_true(t.stages[i] > draws / 10);    /* the storm is one of all stages … */
   assert_true(lit > draws * 20);               /* … and of pixels */
   for (unsigned i = 0; i < HIER_SIZE / 4; i++) /* P3D-313: nobody touches it */
      assert_int_equal(rig_ggtt(t.s[0]->rig, HIER)[i], 0x5a5a5a5a);
   for (unsigned d = 0; d < DEVICES; d++)
      teardown((void **)&t.s[d]);
}

int
main(int argc, char **argv)
{
   if (argc > 1)
      draws = (unsigned)atoi(argv[1]);
   const struct CMUnitTest tests[] = {cmocka_unit_test(storm)};
   return cmocka_run_group_tests_name("render_storm", tests, NULL, NULL);
}
