#include "snapshot_works.h"

#include "../render/scene.h"

/* Binding table entry 0: a raw buffer. */
static void
put_buffer(struct stage *s)
{
   *stage_memory(s, STAGE_SURFACE) = 0x40;
   gen7_render_surface_state_pack(
       stage_memory(s, STAGE_SURFACE + 0x40),
       &(struct hw_render_surface_state){.surface_type = 4,
                                         .surface_format = 0x1ff,
                                         .surface_base_address = STAGE_OUT,
                                         .width = 16383 & 127,
                                         .height = 16383 >> 7});
}

static void
put_kernel(struct stage *s, const char *text, struct hw_interface_descriptor_data d)
{
   stage_standard(s, true);
   rig_set(s->rig, 0xb020, 0x00080041); /* L3 has shared local memory */
   put_buffer(s);
   stage_assemble(s, text, 0x400);
   d.kernel_start_pointer = 0x400;
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
}

static void
ring_walk(struct stage *s, unsigned simd, unsigned threads, unsigned groups)
{
   uint32_t dw[GEN7_GPGPU_WALKER_LENGTH];
   struct hw_gpgpu_walker w = stage_walk(1, simd, threads, groups, 1, 1);
   gen7_gpgpu_walker_pack(dw, &w);
   rig_ring(s->rig, RCS, dw, GEN7_GPGPU_WALKER_LENGTH);
}

#define BARRIER                                                                                    \
   "send(8) null<1>UW g10<8,8,1>UD 0x02000004 gateway MsgDesc: mlen 1 rlen 0 { align1 WE_all 1Q "  \
   "};\n"                                                                                          \
   "wait(1) n0<1>UD { align1 WE_all 1N };\n"

/* Atomics on shared local memory and on the buffer, with barriers between. */
static void
groups(struct stage *s)
{
   put_kernel(s,
              "mov(8) g12<1>UD 0UD { align1 WE_all 1Q };\n"
              "mov(8) g13<1>UD 1UD { align1 WE_all 1Q };\n"
              "mov(8) g10<1>UD 0UD { align1 WE_all 1Q };\n"
              "and(1) g10.2<1>UD g0.2<0,1,0>UD 0x0f000000UD { align1 WE_all 1N };\n"
              "send(8) null<1>UW g12<8,8,1>UD 0x040197fe data MsgDesc: mlen 2 rlen 0 { align1 "
              "WE_all 1Q };\n" BARRIER
              "send(8) null<1>UW g12<8,8,1>UD 0x04019700 data MsgDesc: mlen 2 rlen 0 { align1 "
              "WE_all 1Q };\n" BARRIER END_OF_THREAD,
              (struct hw_interface_descriptor_data){.barrier_enable = true,
                                                    .shared_local_memory_size = 1,
                                                    .number_of_threads_in_gpgpu_thread_group = 4});
   ring_walk(s, 8, 4, 24);
}

/* Threads by themselves, that take long, read what is there and write something else (a group that
 * ran twice would show). */
#define LONG_KERNEL                                                                                \
   "mov(8) g30<1>UW 0x76543210V { align1 WE_all 1Q };\n"                                           \
   "mov(8) g12<1>UD g30<8,8,1>UW { align1 WE_all 1Q };\n"                                          \
   "shl(8) g12<1>UD g12<8,8,1>UD 2UD { align1 WE_all 1Q };\n"                                      \
   "mov(8) g14<1>UD g0.1<0,1,0>UD { align1 WE_all 1Q };\n"                                         \
   "shl(8) g14<1>UD g14<8,8,1>UD 5UD { align1 WE_all 1Q };\n"                                      \
   "and(8) g14<1>UD g14<8,8,1>UD 0x3fffUD { align1 WE_all 1Q };\n"                                 \
   "add(8) g12<1>UD g12<8,8,1>UD g14<8,8,1>UD { align1 WE_all 1Q };\n"                             \
   "send(8) g20<1>UD g12<8,8,1>UD 0x02116e00 data MsgDesc: mlen 1 rlen 1 { align1 1Q };\n"         \
   "mov(1) g40<1>UD 20UD { align1 WE_all 1N };\n"                                                  \
   "L:\n"                                                                                          \
   "add(8) g20<1>UD g20<8,8,1>UD g12<8,8,1>UD { align1 WE_all 1Q };\n"                             \
   "add.nz.f0(1) g40<1>D g40<0,1,0>D -1D { align1 WE_all 1N };\n"                                  \
   "(+f0) jmpi(1) JIP: L { align1 WE_all 1N };\n"                                                  \
   "mov(8) g13<1>UD g20<8,8,1>UD { align1 WE_all 1Q };\n"                                          \
   "send(8) null<1>UW g12<8,8,1>UD 0x04036e00 data MsgDesc: mlen 2 rlen 0 { align1 1Q };\n"

static void
long_threads(struct stage *s)
{
   put_kernel(s, LONG_KERNEL END_OF_THREAD, (struct hw_interface_descriptor_data){0});
   ring_walk(s, 8, 2, 20);
}

/* Root threads of a media walk, of which each waits for the one at its left. */
static void
media_walk(struct stage *s)
{
   uint32_t dw[GEN7_MEDIA_OBJECT_WALKER_LENGTH + 8];
   struct hw_media_object_walker w = stage_raster(6, 5);
   struct hw_media_vfe_state v = stage_vfe();
   stage_standard(s, false);
   v.scoreboard_enable = true;
   v.scoreboard_mask = 1;
   v.scoreboard_0_delta_x = -1;
   stage_put_vfe(s, &v);
   put_buffer(s);
   stage_assemble(s, LONG_KERNEL END_OF_THREAD, 0x400);
   struct hw_interface_descriptor_data d = {.kernel_start_pointer = 0x400};
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   w.interface_descriptor_offset = 1;
   w.use_scoreboard = true;
   w.scoreboard_mask = 1;
   gen7_media_object_walker_pack(dw, &w);
   memset(dw + GEN7_MEDIA_OBJECT_WALKER_LENGTH, 0x11, 32);
   dw[0] += 8;
   rig_ring(s->rig, RCS, dw, GEN7_MEDIA_OBJECT_WALKER_LENGTH + 8);
}

/* Binding table entries 1 to 3: pictures, of which the later ones are the first a little moved. */
static void
put_pictures(struct stage *s)
{
   for (unsigned i = 0; i < 3; i++) {
      uint8_t *picture = (uint8_t *)stage_memory(s, STAGE_OUT + 0x8000 + 0x4000 * i);
      stage_memory(s, STAGE_SURFACE)[1 + i] = 0x80 + 0x20 * i;
      gen7_media_surface_state_pack(
          stage_memory(s, STAGE_SURFACE + 0x80 + 0x20 * i),
          &(struct hw_media_surface_state){.surface_base_address = STAGE_OUT + 0x8000 + 0x4000 * i,
                                           .width = 63,
                                           .height = 47,
                                           .surface_format = GEN7_MEDIA_SURFACE_FORMAT_Y8_UNORM,
                                           .surface_pitch = 63});
      for (unsigned y = 0; y < 48; y++)
         for (unsigned x = 0; x < 64; x++)
            picture[64 * y + x] = (uint8_t)((x + 3 * i) * (y + i) * 7 ^ (x + 3 * i) * 29);
   }
}

/* A search for each macroblock: the request is inline data, the first registers of the answer go to
 * the buffer. */
static void
motion(struct stage *s)
{
   static const struct hw_vme_m0 m0 = {.ref0x = -8,
                                       .ref0y = -8,
                                       .ref1x = -8,
                                       .ref1y = -8,
                                       .refwidth = 32,
                                       .refheight = 32,
                                       .subpelmode = 1};
   static const struct hw_vme_m1 m1 = {
       .lensp = 16, .maxnumsu = 16, .maxnummvs = 32, .biweight = 32};
   struct hw_media_object_walker w = stage_raster(4, 3);
   struct hw_interface_descriptor_data d = {.kernel_start_pointer = 0x400,
                                            .sampler_state_pointer = 0x800};
   uint32_t dw[GEN7_MEDIA_OBJECT_WALKER_LENGTH + 16];
   stage_standard(s, false);
   put_buffer(s);
   put_pictures(s);
   stage_assemble(
       s,
       "and(1) g7<1>UD g0.1<0,1,0>UD 0x01ff01ffUD { align1 WE_all 1N };\n"
       "shl(1) g1.2<1>UD g7<0,1,0>UD 4UD { align1 WE_all 1N };\n"
       "mov(8) g3<1>UD 0UD { align1 WE_all 1Q };\n"
       "mov(8) g4<1>UD 0UD { align1 WE_all 1Q };\n"
       "mov(8) g5<1>UD 0x22222222UD { align1 WE_all 1Q };\n"
       "send(8) g41<1>UW g1<8,8,1>UD 0x0a686001 vme MsgDesc: mlen 5 rlen 6 { align1 WE_all 1Q };\n"
       "and(1) g8<1>UD g7<0,1,0>UD 3UD { align1 WE_all 1N };\n"
       "shr(1) g9<1>UD g7<0,1,0>UD 14UD { align1 WE_all 1N };\n"
       "add(1) g8<1>UD g8<0,1,0>UD g9<0,1,0>UD { align1 WE_all 1N };\n"
       "mov(8) g40<1>UD g0<8,8,1>UD { align1 WE_all 1Q };\n"
       "shl(1) g40.2<1>UD g8<0,1,0>UD 3UD { align1 WE_all 1N };\n"
       "send(16) null<1>UW g40<8,8,1>UD 0x0a0a0400 data MsgDesc: mlen 5 rlen 0 { align1 WE_all 1H "
       "};\n" END_OF_THREAD,
       0x400);
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   memset(stage_memory(s, STAGE_DYNAMIC + 0x800), 0, 128);
   w.interface_descriptor_offset = 1;
   gen7_media_object_walker_pack(dw, &w);
   gen7_vme_m0_pack(dw + GEN7_MEDIA_OBJECT_WALKER_LENGTH, &m0);
   gen7_vme_m1_pack(dw + GEN7_MEDIA_OBJECT_WALKER_LENGTH + 8, &m1);
   dw[0] += 16;
   rig_ring(s->rig, RCS, dw, COUNT(dw));
}

/* Each macroblock has an answer: eight owords, of which the second register's are vectors. */
static void
all_answered(struct stage *s)
{
   for (unsigned i = 0; i < 12; i++)
      assert_int_not_equal(stage_memory(s, STAGE_OUT + 128 * i)[0], 0);
}

#define BLIT(rop, from, to)                                                                        \
   0x54f00006 & ~0xc00u, 3u << 24 | (uint32_t)(rop) << 16 | 512, 0, 40u << 16 | 100, to, 0, 512,   \
       from

/* Copies, one of them inverted, and a fill over what was copied. */
static void
blits(struct stage *s)
{
   for (unsigned i = 0; i < 0x8000; i++)
      stage_memory(s, STAGE_OUT)[i] = i * 2654435761u;
   RING(s->rig, BCS, BLIT(0xcc, STAGE_OUT, STAGE_OUT + 0x8000),
        BLIT(0x66, STAGE_OUT, STAGE_OUT + 0x8204),
        BLIT(0xcc, STAGE_OUT + 0x8000, STAGE_OUT + 0x200), SDI, 0, STAGE_OUT, 77);
}

/* The blitter waits for the threads, the render engine then for the blitter, and in memory. */
static void
semaphores(struct stage *s)
{
   *stage_memory(s, RIG_DATA) = 0;
   RING(s->rig, BCS, SEMA | 1u << 20 | 1u << 18, 5, 0, BLIT(0x55, STAGE_OUT, STAGE_OUT), SDI, 0,
        RIG_DATA, 9);
   put_kernel(s, LONG_KERNEL END_OF_THREAD, (struct hw_interface_descriptor_data){0});
   ring_walk(s, 8, 2, 4);
   RING(s->rig, RCS, PC, 1u << 20 | 1u << 1, 0, 0, 0, SEMA | 1u << 21 | 1u << 18, 6, 0x22040,
        SEMA | 1u << 20 | 1u << 22, 8, RIG_DATA);
   ring_walk(s, 8, 2, 4);
}

/* A walk in a batch that the host preempts on its way (turn()), another context with work of its
 * own, and back. */
static void
preemption(struct stage *s)
{
   RING(s->rig, RCS, SET_CONTEXT(CONTEXT_A, 1));
   put_kernel(s, LONG_KERNEL END_OF_THREAD, (struct hw_interface_descriptor_data){0});
   struct hw_gpgpu_walker w = stage_walk(1, 8, 2, 40, 1, 1);
   uint32_t *batch = stage_memory(s, RIG_BATCH);
   gen7_gpgpu_walker_pack(batch, &w);
   memcpy(batch + 11, IDS(0x70040000, 0, 0x02800000 /* MI_ARB_CHECK */, BBE, 0), 20);
   RING(s->rig, RCS, BBS, RIG_BATCH, 0, 0);
   s->value[2] = s->rig->tail[RCS];
   RING(s->rig, RCS, LRI(1), 0x2134, 0, PC, 1u << 20 | 1u << 1, 0, 0, 0, SET_CONTEXT(CONTEXT_B, 1));
   *stage_memory(s, RIG_DATA) = s->value[2];
}

/* A texel of a surface for every channel. */
static void
sampler(struct stage *s)
{
   put_kernel(s,
              "mov(8) g30<1>UW 0x76543210V { align1 WE_all 1Q };\n"
              "mov(8) g12<1>UD g30<8,8,1>UW { align1 WE_all 1Q };\n"
              "mov(8) g13<1>UD 0UD { align1 WE_all 1Q };\n"
              "mov(8) g14<1>UD g0.1<0,1,0>UD { align1 WE_all 1Q };\n"
              "send(8) g20<1>UD g12<8,8,1>UD 0x06427001 sampler MsgDesc: mlen 3 rlen 4 { align1 1Q "
              "};\n"
              "shl(8) g12<1>UD g12<8,8,1>UD 2UD { align1 WE_all 1Q };\n"
              "shl(8) g14<1>UD g14<8,8,1>UD 5UD { align1 WE_all 1Q };\n"
              "add(8) g12<1>UD g12<8,8,1>UD g14<8,8,1>UD { align1 WE_all 1Q };\n"
              "add(8) g13<1>UD g20<8,8,1>UD g21<8,8,1>UD { align1 WE_all 1Q };\n"
              "send(8) null<1>UW g12<8,8,1>UD 0x04036e00 data MsgDesc: mlen 2 rlen 0 { align1 1Q "
              "};\n" END_OF_THREAD,
              (struct hw_interface_descriptor_data){0});
   stage_memory(s, STAGE_SURFACE)[1] = 0x80;
   gen7_render_surface_state_pack(
       stage_memory(s, STAGE_SURFACE + 0x80),
       &(struct hw_render_surface_state){.surface_type = 1,
                                         .surface_format = 2, /* R32G32B32A32_UINT */
                                         .surface_base_address = STAGE_OUT + 0x8000,
                                         .width = 7,
                                         .height = 31,
                                         .surface_pitch = 127});
   for (unsigned i = 0; i < 1024; i++)
      stage_memory(s, STAGE_OUT + 0x8000)[i] = i * 2654435761u;
   ring_walk(s, 8, 1, 24);
}

/* What tests of draws share, on this device. */
static struct scene *
scene_of(struct stage *s)
{
   void *state;
   setup(&state);
   struct scene *c = state;
   rig_destroy(c->rig);
   c->rig = s->rig;
   return c;
}

static void
ring_draw(struct stage *s, struct scene *c)
{
   uint32_t dw[512];
   prepare(c);
   rig_ring(s->rig, RCS, dw, record(c, dw));
   free(c);
}

/* Coordinates of the pixels, and from which thread they are; it takes long and reads no memory. */
#define PIXEL_KERNEL(loops)                                                                        \
   "add(8) g10<1>UW g1.4<2,4,0>UW 0x10101010V { align1 WE_all 1Q };\n"                             \
   "add(8) g11<1>UW g1.5<2,4,0>UW 0x11001100V { align1 WE_all 1Q };\n"                             \
   "mov(1) g40<1>UD " loops "UD { align1 WE_all 1N };\n"                                           \
   "L:\n"                                                                                          \
   "add.nz.f0(1) g40<1>D g40<0,1,0>D -1D { align1 WE_all 1N };\n"                                  \
   "(+f0) jmpi(1) JIP: L { align1 WE_all 1N };\n"                                                  \
   "mov(8) g112<1>UD g10<8,8,1>UW { align1 1Q };\n"                                                \
   "mov(8) g113<1>UD g11<8,8,1>UW { align1 1Q };\n"                                                \
   "mov(8) g114<1>UD g0.6<0,1,0>UD { align1 1Q };\n"                                               \
   "mov(8) g115<1>UD g0.5<0,1,0>UD { align1 1Q };\n" END8

/* Three rectangles over each other. */
static void
draws(struct stage *s)
{
   struct scene *c = scene_of(s);
   load_kernel(c, 0, PIXEL_KERNEL("9"));
   set_rectangle(c, 0, 0, 0, 30, 20);
   set_rectangle(c, 1, 10, 5, 40, 31);
   set_rectangle(c, 2, 3, 3, 60, 9);
   c->primitive.vertex_count_per_instance = 9;
   ring_draw(s, c);
}

/* ---- draws with every stage ---- */

#define HS_KERNEL 0x1000u
#define DS_KERNEL 0x1800u
#define GS_KERNEL 0x2000u
#define STREAM 0x250000u
#define THREAD_HEADER                                                                              \
   "mov(8) g112<1>UD g0<8,8,1>UD { align1 WE_all 1Q };\n"                                          \
   "mov(1) g112.5<1>UD 0x0000ff00UD { align1 WE_all };\n"

/* Two instances of a patch meet at a barrier; each writes its factors. */
static void
put_hull(struct scene *c)
{
   static const struct hw_3dstate_hs hs = {.enable = true,
                                           .statistics_enable = true,
                                           .kernel_start_pointer = HS_KERNEL,
                                           .instance_count = 1,
                                           .maximum_number_of_threads = 7,
                                           .include_vertex_handles = true,
                                           .dispatch_grf_start_register_for_urb_data = 5};
   static const struct hw_3dstate_urb_hs urb = {
       .urb_starting_address = 6, .urb_entry_allocation_size = 0, .number_of_urb_entries = 3};
   static const struct hw_3dstate_constant_hs constants = {.constant_buffer_0_read_length = 1,
                                                           .pointer_to_constant_buffer_0 = 0x800};
   static const float factors[8] = {0, 0, 4, 3, 5, 3, 2, 6};
   load_kernel(c, HS_KERNEL,
               THREAD_HEADER
               "mov(1) g112.2<1>UD 0UD { align1 WE_all };\n"
               "mov(8) g113<1>UD g5<8,8,1>UD { align1 WE_all 1Q };\n"
               "mov(8) g20<1>UD 0UD { align1 WE_all 1Q };\n"
               "and(1) g20.2<1>UD g0.2<0,1,0>UD 0xf000UD { align1 WE_all };\n"
               "shl(1) g20.2<1>UD g20.2<0,1,0>UD 12UD { align1 WE_all };\n"
               "or(1) g20.2<1>UD g20.2<0,1,0>UD 0x8400UD { align1 WE_all };\n"
               "send(8) null<1>UW g20<8,8,1>UD 0x02000004 gateway MsgDesc: mlen 1 rlen 0 { align1 "
               "WE_all 1Q };\n"
               "wait(1) n0<1>UD { align1 WE_all 1N };\n"
               "send(8) null<1>UW g112<8,8,1>UD 0x04088000 urb MsgDesc: mlen 2 rlen 0 { align1 "
               "WE_all 1Q EOT };\n");
   memcpy(rig_ggtt(c->rig, DYNAMIC + 0x800), factors, sizeof(factors));
   EMIT(c->extra, c->extras, 3DSTATE_HS, 3dstate_hs, &hs);
   EMIT(c->extra, c->extras, 3DSTATE_URB_HS, 3dstate_urb_hs, &urb);
   EMIT(c->extra, c->extras, 3DSTATE_CONSTANT_HS, 3dstate_constant_hs, &constants);
}

/* Points of a quad on the screen; fewer entries than a patch has points. */
static void
put_domain(struct scene *c)
{
   static const struct hw_3dstate_te te = {.te_enable = true,
                                           .partitioning = 1,
                                           .output_topology = 2,
                                           .maximum_tessellation_factor_odd = 63,
                                           .maximum_tessellation_factor_not_odd = 64};
   static const struct hw_3dstate_ds ds = {.enable = true,
                                           .statistics_enable = true,
                                           .kernel_start_pointer = DS_KERNEL,
                                           .maximum_number_of_threads = 7,
                                           .dispatch_grf_start_register_for_urb_data = 2,
                                           .patch_urb_entry_read_length = 1};
   static const struct hw_3dstate_urb_ds urb = {
       .urb_starting_address = 8, .urb_entry_allocation_size = 0, .number_of_urb_entries = 24};
   load_kernel(c, DS_KERNEL,
               THREAD_HEADER
               "mov(8) g113<1>UD 0UD { align1 WE_all 1Q };\n"
               "mul(8) g114<1>F g1<8,8,1>F 20.0F { align1 WE_all 1Q };\n"
               "mov(1) g114.3<1>F 1.0F { align1 WE_all };\n"
               "mov(1) g114.7<1>F 1.0F { align1 WE_all };\n"
               "send(8) null<1>UW g112<8,8,1>UD 0x0608c000 urb MsgDesc: mlen 3 rlen 0 { align1 1Q "
               "EOT };\n");
   EMIT(c->extra, c->extras, 3DSTATE_TE, 3dstate_te, &te);
   EMIT(c->extra, c->extras, 3DSTATE_DS, 3dstate_ds, &ds);
   EMIT(c->extra, c->extras, 3DSTATE_URB_DS, 3dstate_urb_ds, &urb);
}

/* Two instances of each triangle, with its three vertices. */
static void
put_geometry(struct scene *c)
{
   static const struct hw_3dstate_gs gs = {.enable = true,
                                           .kernel_start_pointer = GS_KERNEL,
                                           .statistics_enable = true,
                                           .maximum_number_of_threads = 7,
                                           .instance_control = 1,
                                           .output_topology = 5,
                                           .output_vertex_size = 1,
                                           .vertex_urb_entry_read_length = 1,
                                           .dispatch_grf_start_register_for_urb_data = 3};
   static const struct hw_3dstate_urb_gs urb = {
       .urb_starting_address = 10, .urb_entry_allocation_size = 1, .number_of_urb_entries = 16};
#define GS_VERTEX(from, desc, eot)                                                                 \
   "mov(8) g113<1>UD g" from "<8,8,1>UD { align1 WE_all 1Q };\n"                                   \
   "send(8) null<1>UW g112<8,8,1>UD " desc " urb MsgDesc: mlen 2 rlen 0 { align1 WE_all 1Q " eot   \
   "};\n"
   load_kernel(c, GS_KERNEL,
               THREAD_HEADER
               "mov(1) g112.2<1>UD 3UD { align1 WE_all };\n" GS_VERTEX("3", "0x04080000", "")
                   GS_VERTEX("4", "0x04080008", "") GS_VERTEX("5", "0x04088010", "EOT "));
   EMIT(c->extra, c->extras, 3DSTATE_GS, 3dstate_gs, &gs);
   EMIT(c->extra, c->extras, 3DSTATE_URB_GS, 3dstate_urb_gs, &urb);
}

/* Both slots of every vertex to memory, and the objects on. */
static void
put_stream(struct stage *s)
{
   static const struct hw_3dstate_streamout so = {
       .so_function_enable = true, .so_statistics_enable = true, .so_buffer_enable_0 = true};
   static const struct hw_3dstate_so_buffer buffer = {
       .surface_base_address = STREAM, .surface_end_address = STREAM + 0x8000, .surface_pitch = 32};
   static const uint32_t declarations[7] = {0x79170005, 1, 2, 0x00f, 0, 0x01f, 0};
   uint32_t dw[64];
   unsigned n = 0;
   EMIT(dw, n, 3DSTATE_STREAMOUT, 3dstate_streamout, &so);
   EMIT(dw, n, 3DSTATE_SO_BUFFER, 3dstate_so_buffer, &buffer);
   memcpy(dw + n, declarations, sizeof(declarations));
   rig_ring(s->rig, RCS, dw, n + 7);
}

/* Patches through all stages, to memory and to the screen. */
static void
stages(struct stage *s)
{
   static const uint32_t spare_entries[4] = {0x78300000, 32 | 1 << 16 | 5u << 25, 0x78330000, 0};
   struct scene *c = scene_of(s);
   load_kernel(c, 0, PIXEL_KERNEL("1"));
   c->primitive.primitive_topology_type = 0x22; /* patches of three vertices */
   c->primitive.vertex_count_per_instance = 12;
   c->sf.cull_mode = 1; /* none */
   memcpy(c->extra, spare_entries, sizeof(spare_entries));
   c->extras = 4;
   put_stream(s);
   put_hull(c);
   put_domain(c);
   put_geometry(c);
   assert_true(c->extras <= COUNT(c->extra));
   ring_draw(s, c);
}

/* None of them was off. */
static void
all_stages(struct stage *s)
{
   static const uint32_t counters[] = {REG_HS_INVOCATION_COUNT, REG_DS_INVOCATION_COUNT,
                                       REG_GS_INVOCATION_COUNT, REG_GS_PRIMITIVES_COUNT,
                                       REG_SO_NUM_PRIMS_WRITTEN_0};
   for (unsigned i = 0; i < COUNT(counters); i++)
      assert_int_not_equal(rig_reg(s->rig, counters[i]), 0);
   assert_int_equal(stage_memory(s, TARGET)[4 * (5 * WIDTH + 9)], 9);
   assert_int_equal(stage_memory(s, TARGET)[4 * (5 * WIDTH + 9) + 1], 5);
}

const struct work works[WORKS] = {
    {"groups", groups, 13},
    {"threads", long_threads, 61},
    {"media walk", media_walk, 67},
    {"blits", blits, 5},
    {"semaphores", semaphores, 41},
    {"preemption", preemption, 151, .preempts = true},
    {"sampler", sampler, 9},
    {"draws", draws, 71},
    {"stages", stages, 701, all_stages},
    {"motion", motion, 211, all_answered, .least = 12 * 4096 / 211},
};
