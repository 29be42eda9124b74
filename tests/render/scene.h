/* What the tests of rectangles share: a device, the state of the pipeline, a target that is read
 * back from memory. */
#ifndef PERGOLA_TEST_RENDER_SCENE_H
#define PERGOLA_TEST_RENDER_SCENE_H

#include "../cs/rig.h"

#include "eu/isa/asm.h"
#include "render/render.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNELS 0x200000u
#define DYNAMIC 0x210000u
#define SURFACES 0x220000u
#define VERTICES 0x230000u
#define INSTANCES 0x231000u
#define CONSTANTS 0x232000u
#define TARGET 0x240000u
#define SCRATCH 0x238000u
#define WIDTH 64
#define HEIGHT 32
#define UNTOUCHED 0xeeeeeeee

/* The state that the tests share; each changes what it is about. */
struct scene {
   struct rig *rig;
   struct hw_3dprimitive primitive;
   struct hw_3dstate_ps ps;
   struct hw_3dstate_wm wm;
   struct hw_3dstate_sbe sbe;
   struct hw_3dstate_clip clip;
   struct hw_3dstate_sf sf;
   struct hw_3dstate_vs vs;
   struct hw_3dstate_constant_ps constants;
   struct hw_3dstate_drawing_rectangle area;
   struct hw_3dstate_sample_mask mask;
   struct hw_3dstate_vf_statistics vf;
   struct hw_3dstate_depth_buffer depth;
   struct hw_3dstate_stencil_buffer stencil;
   struct hw_3dstate_hier_depth_buffer hier;
   struct hw_3dstate_clear_params clear;
   struct hw_vertex_buffer_state buffer[2];
   struct hw_vertex_element_state element[4];
   unsigned elements;
   float vertex[12][3];
   uint32_t extra[64]; /* commands before the primitive */
   unsigned extras;
};

enum { SRC = 1, ZERO, ONE_F, ONE_I, VID, IID, PID };

/* Both widths end by writing g112 and what follows: four channels. */
#define END8                                                                                       \
   "send(8) null<1>UW g112<8,8,1>UD 0x08031400 render MsgDesc: mlen 4 rlen 0 { align1 1Q EOT };\n"
#define END16                                                                                      \
   "send(16) null<1>UW g112<8,8,1>UD 0x10031000 render MsgDesc: mlen 8 rlen 0 { align1 1H EOT "    \
   "};\n"

static inline void
load_kernel(struct scene *s, uint32_t offset, const char *text)
{
   struct eu_program p;
   struct eu_asm_error error;
   if (!eu_asm_text(text, strlen(text), s->rig->dev->hw_device, &p, &error))
      fail_msg("line %u, column %u: %s", error.line, error.column, error.message);
   memcpy(rig_ggtt(s->rig, KERNELS + offset), p.bytes, p.size);
   eu_program_free(&p);
}

static inline void
set_rectangle(struct scene *s, unsigned n, float x0, float y0, float x1, float y1)
{
   const float v[3][3] = {{x1, y1, 0}, {x0, y1, 0}, {x0, y0, 0}};
   memcpy(s->vertex[3 * n], v, sizeof(v));
}

static inline struct hw_vertex_element_state
element(unsigned buffer, unsigned format, unsigned offset, unsigned a, unsigned b, unsigned c,
        unsigned d)
{
   return (struct hw_vertex_element_state){.valid = true,
                                           .vertex_buffer_index = buffer,
                                           .source_element_format = format,
                                           .source_element_offset = offset,
                                           .component_0_control = a,
                                           .component_1_control = b,
                                           .component_2_control = c,
                                           .component_3_control = d};
}

static inline int
setup(void **state)
{
   struct scene *s = calloc(1, sizeof(*s));
   s->rig = rig_create("ivb-gt2", PERGOLA_CHECK_REPORT);
   rig_start(s->rig, RCS, 16, 0);
   s->primitive =
       (struct hw_3dprimitive){.primitive_topology_type = GEN7_3D_PRIMITIVE_TOPOLOGY_TYPE_RECTLIST,
                               .vertex_count_per_instance = 3,
                               .instance_count = 1};
   s->ps = (struct hw_3dstate_ps){._8_pixel_dispatch_enable = true,
                                  .maximum_number_of_threads = 47,
                                  .dispatch_grf_start_register_for_constant_setup_data_0 = 4,
                                  .dispatch_grf_start_register_for_constant_setup_data_2 = 6};
   s->wm = (struct hw_3dstate_wm){.thread_dispatch_enable = true};
   s->mask.sample_mask = 1;
   s->depth = (struct hw_3dstate_depth_buffer){.surface_type = 7, .surface_format = 1}; /* none */
   s->clip = (struct hw_3dstate_clip){.perspective_divide_disable = true};
   s->area = (struct hw_3dstate_drawing_rectangle){.clipped_drawing_rectangle_x_max = 0xffff,
                                                   .clipped_drawing_rectangle_y_max = 0xffff};
   s->buffer[0] = (struct hw_vertex_buffer_state){.buffer_pitch = 12,
                                                  .address_modify_enable = true,
                                                  .buffer_starting_address = VERTICES,
                                                  .end_address = VERTICES + 0xfff};
   s->buffer[1] = (struct hw_vertex_buffer_state){.vertex_buffer_index = 1,
                                                  .buffer_access_type = 1,
                                                  .address_modify_enable = true,
                                                  .buffer_starting_address = INSTANCES,
                                                  .end_address = INSTANCES + 0xfff};
   s->element[0] = element(0, 0, 0, ZERO, ZERO, ZERO, ZERO);
   s->element[1] = element(0, 0x40, 0, SRC, SRC, SRC, ONE_F);
   s->elements = 2;
   set_rectangle(s, 0, 0, 0, 8, 4);
   /* eight pixels: x, y, the lowest dword of the setup, 7 */
   load_kernel(s, 0,
               "add(8) g10<1>UW g1.4<2,4,0>UW 0x10101010V { align1 WE_all 1Q };\n"
               "add(8) g11<1>UW g1.5<2,4,0>UW 0x11001100V { align1 WE_all 1Q };\n"
               "mov(8) g112<1>UD g10<8,8,1>UW { align1 1Q };\n"
               "mov(8) g113<1>UD g11<8,8,1>UW { align1 1Q };\n"
               "mov(8) g114<1>UD 9UD { align1 1Q };\n"
               "mov(8) g115<1>UD 7UD { align1 1Q };\n" END8);
   *state = s;
   return 0;
}

static inline int
teardown(void **state)
{
   struct scene *s = *state;
   rig_destroy(s->rig);
   free(s);
   return 0;
}

#define EMIT(batch, n, NAME, name, value)                                                          \
   do {                                                                                            \
      gen7_##name##_pack((batch) + (n), value);                                                    \
      (n) += GEN7_##NAME##_LENGTH;                                                                 \
   } while (0)

static inline unsigned
emit_vertices(const struct scene *s, uint32_t *dw)
{
   unsigned n = 0;
   for (unsigned i = 0; i < 2;
        i++, n += 4) { /* G3D-089: the second command leaves the first one's buffer as it is */
      dw[n++] = 0x78080000 | (4 - 1);
      gen7_vertex_buffer_state_pack(dw + n, &s->buffer[i]);
   }
   dw[n++] = 0x78090000 | (2 * s->elements - 1);
   for (unsigned i = 0; i < s->elements; i++, n += 2)
      gen7_vertex_element_state_pack(dw + n, &s->element[i]);
   return n;
}

static inline unsigned
record(struct scene *s, uint32_t *dw)
{
   static const uint32_t bases[10] = {
       0x61010008, 1, SURFACES | 1, DYNAMIC | 1, 1, KERNELS | 1, 1, 1, 1, 1};
   /* P3D-019 to P3D-022: depth stall with a write, depth cache flush with a stall, depth stall. */
   static const uint32_t between[3][5] = {
       {0x7a000003, 1 << 13 | 1 << 14 | 1 << 24, RIG_DATA - 0x1000, 0, 0},
       {0x7a000003, 1 << 0 | 1 << 20, 0, 0, 0},
       {0x7a000003, 1 << 13, 0, 0, 0}};
   unsigned n = 0;
   dw[n++] = 0x69040000; /* PIPELINE_SELECT: 3D */
   for (unsigned i = 0; i < sizeof(between) / sizeof(between[0]); i++, n += 5)
      memcpy(dw + n, between[i], sizeof(between[0]));
   memcpy(dw + n, bases, sizeof(bases));
   n += 10;
   n += emit_vertices(s, dw + n);
   EMIT(dw, n, 3DSTATE_VS, 3dstate_vs, &s->vs);
   EMIT(dw, n, 3DSTATE_CLIP, 3dstate_clip, &s->clip);
   EMIT(dw, n, 3DSTATE_SF, 3dstate_sf, &s->sf);
   EMIT(dw, n, 3DSTATE_SBE, 3dstate_sbe, &s->sbe);
   EMIT(dw, n, 3DSTATE_WM, 3dstate_wm, &s->wm);
   EMIT(dw, n, 3DSTATE_PS, 3dstate_ps, &s->ps);
   EMIT(dw, n, 3DSTATE_CONSTANT_PS, 3dstate_constant_ps, &s->constants);
   EMIT(dw, n, 3DSTATE_DRAWING_RECTANGLE, 3dstate_drawing_rectangle, &s->area);
   EMIT(dw, n, 3DSTATE_VF_STATISTICS, 3dstate_vf_statistics, &s->vf);
   EMIT(dw, n, 3DSTATE_SAMPLE_MASK, 3dstate_sample_mask, &s->mask);
   EMIT(dw, n, 3DSTATE_DEPTH_BUFFER, 3dstate_depth_buffer, &s->depth);
   EMIT(dw, n, 3DSTATE_STENCIL_BUFFER, 3dstate_stencil_buffer, &s->stencil);
   EMIT(dw, n, 3DSTATE_HIER_DEPTH_BUFFER, 3dstate_hier_depth_buffer, &s->hier);
   EMIT(dw, n, 3DSTATE_CLEAR_PARAMS, 3dstate_clear_params, &s->clear);
   memcpy(dw + n, s->extra, s->extras * sizeof(s->extra[0]));
   n += s->extras;
   EMIT(dw, n, 3DPRIMITIVE, 3dprimitive, &s->primitive);
   return n;
}

static inline void
prepare(struct scene *s)
{
   memcpy(rig_ggtt(s->rig, VERTICES), s->vertex, sizeof(s->vertex));
   *rig_ggtt(s->rig, SURFACES) = 0x40;
   gen7_render_surface_state_pack(
       rig_ggtt(s->rig, SURFACES + 0x40),
       &(struct hw_render_surface_state){.surface_type = 1,
                                         .surface_format = 2,
                                         .surface_base_address = TARGET,
                                         .width = WIDTH - 1,
                                         .height = HEIGHT - 1,
                                         .surface_pitch = WIDTH * 16 - 1});
   for (unsigned i = 0; i < WIDTH * HEIGHT * 4; i++)
      rig_ggtt(s->rig, TARGET)[i] = UNTOUCHED;
   rig_forget(s->rig);
}

static inline void
draw(struct scene *s)
{
   uint32_t dw[512];
   prepare(s);
   unsigned n = record(s, dw);
   rig_submit(s->rig, RCS, dw, n);
}

static inline const uint32_t *
pixel(struct scene *s, unsigned x, unsigned y)
{
   return rig_ggtt(s->rig, TARGET) + 4 * (y * WIDTH + x);
}

/* All pixels of the rectangle have their coordinates in them, no other is touched. */
static inline void
expect_pixels(struct scene *s, int x0, int y0, int x1, int y1)
{
   for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++) {
         const uint32_t *p = pixel(s, (unsigned)x, (unsigned)y);
         bool inside = x >= x0 && x < x1 && y >= y0 && y < y1;
         if (inside ? p[0] != (uint32_t)x || p[1] != (uint32_t)y || p[3] != 7 : p[0] != UNTOUCHED)
            fail_msg("pixel %d,%d: %#x %#x, %s", x, y, p[0], p[1], inside ? "inside" : "outside");
      }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
