/* Snapshots from the middle of thread groups, of a blit and of a draw, changed in any bytes, behind
 * a header that fits: refused, or taken and run, without harm; then the device is good for work. */
#include "streamer.h"

#include "device/assembly.h"
#include "eu/isa/asm.h"

#define TURNS 16u /* the snapshots that there are of each piece of work */
#define TURN 37u
#define KERNEL 0x40000u
#define STATE 0x50000u /* surface and dynamic state */
#define VERTICES 0x60000u
#define TARGET 0x80000u

static const char groups_text[] =
    "mov(8) g10<1>UD 0UD { align1 WE_all 1Q };\n"
    "mov(8) g12<1>UD 0UD { align1 WE_all 1Q };\n"
    "mov(8) g13<1>UD 1UD { align1 WE_all 1Q };\n"
    "and(1) g10.2<1>UD g0.2<0,1,0>UD 0x0f000000UD { align1 WE_all 1N };\n"
    "send(8) null<1>UW g12<8,8,1>UD 0x040197fe data MsgDesc: mlen 2 rlen 0 { align1 WE_all 1Q };\n"
    "send(8) null<1>UW g10<8,8,1>UD 0x02000004 gateway MsgDesc: mlen 1 rlen 0 { align1 WE_all 1Q "
    "};\n"
    "wait(1) n0<1>UD { align1 WE_all 1N };\n"
    "mov(8) g127<1>UD g0<8,8,1>UD { align1 WE_all 1Q };\n"
    "send(8) null<1>UW g127<8,8,1>UD 0x02000010 thread_spawner MsgDesc: mlen 1 rlen 0 { align1 "
    "WE_all 1Q EOT };\n";
static const char pixels_text[] =
    "mov(8) g112<1>UD 1UD { align1 1Q };\n"
    "mov(8) g113<1>UD 2UD { align1 1Q };\n"
    "mov(8) g114<1>UD 3UD { align1 1Q };\n"
    "mov(8) g115<1>UD 4UD { align1 1Q };\n"
    "send(8) null<1>UW g112<8,8,1>UD 0x08031400 render MsgDesc: mlen 4 rlen 0 { align1 1Q EOT };\n";

static void
assemble(struct fuzz_streamer *s, const char *text)
{
   struct eu_program p;
   struct eu_asm_error error;
   if (!eu_asm_text(text, strlen(text), HW_IVB, &p, &error))
      abort();
   memcpy(s->ram + KERNEL, p.bytes, p.size);
   eu_program_free(&p);
}

static uint32_t *
ram(struct fuzz_streamer *s, uint32_t address)
{
   return (uint32_t *)(void *)(s->ram + address);
}

/* Starts the ring with so many dwords that are in it. */
static void
start(struct fuzz_streamer *s, enum engine_id e, uint32_t ring, unsigned count)
{
   fuzz_write(s, engine_base[e] + 0x38, ring);
   fuzz_write(s, engine_base[e] + 0x3c, 1);
   fuzz_write(s, engine_base[e] + 0x30, (count + 1) / 2 * 8);
}

#define PUT(to, n, NAME, name, ...)                                                                \
   do {                                                                                            \
      gen7_##name##_pack((to) + (n), &(struct hw_##name)__VA_ARGS__);                              \
      (n) += GEN7_##NAME##_LENGTH;                                                                 \
   } while (0)

static unsigned
put_bases(uint32_t *dw, unsigned pipeline)
{
   const uint32_t bases[] = {
       0x69040000 | pipeline, 0x61010008, 1, STATE | 1, STATE | 1, 1, KERNEL | 1, 1, 1, 1, 1};
   memcpy(dw, bases, sizeof(bases));
   return sizeof(bases) / 4;
}

static void
groups_and_blit(struct fuzz_streamer *s)
{
   uint32_t *dw = ram(s, FUZZ_RING);
   unsigned n = put_bases(dw, 2);
   assemble(s, groups_text);
   fuzz_write(s, 0xb020, 0x00080041);
   gen7_interface_descriptor_data_pack(
       ram(s, STATE),
       &(struct hw_interface_descriptor_data){.barrier_enable = true,
                                              .shared_local_memory_size = 1,
                                              .number_of_threads_in_gpgpu_thread_group = 4});
   PUT(dw, n, MEDIA_VFE_STATE, media_vfe_state,
       {.maximum_number_of_threads = 63,
        .number_of_urb_entries = 8,
        .bypass_gateway_control = true});
   memcpy(dw + n, (uint32_t[]){0x70020002, 0, 32, 0}, 16);
   n += 4;
   PUT(dw, n, GPGPU_WALKER, gpgpu_walker,
       {.thread_width_counter_maximum = 3,
        .thread_group_id_x_dimension = 40,
        .thread_group_id_y_dimension = 1,
        .thread_group_id_z_dimension = 1,
        .right_execution_mask = ~0u,
        .bottom_execution_mask = ~0u});
   const uint32_t blit[] = {
       0x54f00006,     3u << 24 | 0x66u << 16 | 256, 0, 200u << 16 | 50, TARGET, 0, 256,
       TARGET + 0x8000};
   memcpy(ram(s, 0x30000), blit, sizeof(blit));
   start(s, RCS, FUZZ_RING, n);
   start(s, BCS, 0x30000, 8);
}

static void
draw(struct fuzz_streamer *s)
{
   static const float corner[3][3] = {{60, 30, 0}, {0, 30, 0}, {0, 0, 0}};
   uint32_t *dw = ram(s, FUZZ_RING);
   unsigned n = put_bases(dw, 0);
   assemble(s, pixels_text);
   memcpy(s->ram + VERTICES, corner, sizeof(corner));
   *ram(s, STATE) = 0x40;
   gen7_render_surface_state_pack(ram(s, STATE + 0x40),
                                  &(struct hw_render_surface_state){.surface_type = 1,
                                                                    .surface_format = 2,
                                                                    .surface_base_address = TARGET,
                                                                    .width = 63,
                                                                    .height = 31,
                                                                    .surface_pitch = 1023});
   dw[n++] = 0x78080003;
   PUT(dw, n, VERTEX_BUFFER_STATE, vertex_buffer_state,
       {.buffer_pitch = 12,
        .address_modify_enable = true,
        .buffer_starting_address = VERTICES,
        .end_address = VERTICES + 0xfff});
   dw[n++] = 0x78090003;
   PUT(dw, n, VERTEX_ELEMENT_STATE, vertex_element_state,
       {.valid = true,
        .component_0_control = 2,
        .component_1_control = 2,
        .component_2_control = 2,
        .component_3_control = 2});
   PUT(dw, n, VERTEX_ELEMENT_STATE, vertex_element_state,
       {.valid = true,
        .source_element_format = 0x40,
        .component_0_control = 1,
        .component_1_control = 1,
        .component_2_control = 1,
        .component_3_control = 3});
   PUT(dw, n, 3DSTATE_CLIP, 3dstate_clip, {.perspective_divide_disable = true});
   PUT(dw, n, 3DSTATE_WM, 3dstate_wm, {.thread_dispatch_enable = true});
   PUT(dw, n, 3DSTATE_PS, 3dstate_ps,
       {._8_pixel_dispatch_enable = true, .maximum_number_of_threads = 47});
   PUT(dw, n, 3DSTATE_DRAWING_RECTANGLE, 3dstate_drawing_rectangle,
       {.clipped_drawing_rectangle_x_max = 63, .clipped_drawing_rectangle_y_max = 31});
   PUT(dw, n, 3DSTATE_SAMPLE_MASK, 3dstate_sample_mask, {.sample_mask = 1});
   PUT(dw, n, 3DSTATE_DEPTH_BUFFER, 3dstate_depth_buffer, {.surface_type = 7, .surface_format = 1});
   PUT(dw, n, 3DPRIMITIVE, 3dprimitive,
       {.primitive_topology_type = GEN7_3D_PRIMITIVE_TOPOLOGY_TYPE_RECTLIST,
        .vertex_count_per_instance = 3,
        .instance_count = 1});
   start(s, RCS, FUZZ_RING, n);
}

struct taken {
   uint8_t *data;
   size_t size;
};

/* Snapshots after one turn, two, …: made once. */
static const struct taken *
snapshot(struct fuzz_streamer *s, bool draws, unsigned turn)
{
   static struct taken all[2][TURNS];
   if (all[draws][0].data)
      return &all[draws][turn];
   fuzz_fresh(s, BCS, false);
   fuzz_fresh(s, RCS, false);
   if (draws)
      draw(s);
   else
      groups_and_blit(s);
   for (unsigned i = 0; i < TURNS; i++) {
      pergola_run(s->dev, TURN);
      int64_t size = pergola_device_save(s->dev, NULL, 0);
      struct taken *t = &all[draws][i];
      *t = (struct taken){malloc((size_t)size), (size_t)size};
      if (!t->data || pergola_device_save(s->dev, t->data, t->size) != size)
         abort();
   }
   return &all[draws][turn];
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct fuzz_streamer *s = fuzz_streamer_stand();
   if (size < 2)
      return 0;
   const struct taken *t = snapshot(s, data[0] & 1, data[1] % TURNS);
   uint8_t *copy = malloc(t->size);
   if (!copy)
      abort();
   memcpy(copy, t->data, t->size);
   /* Four bytes each: where, and what is flipped there. */
   for (size_t i = 2; i + 4 <= size; i += 4) {
      uint32_t at = data[i] | (uint32_t)data[i + 1] << 8 | (uint32_t)data[i + 2] << 16;
      copy[64 + at % (t->size - 64)] ^= data[i + 3];
   }
   device_snapshot_seal(s->dev, copy, t->size);
   if (!pergola_device_restore(s->dev, copy, t->size, NULL))
      for (unsigned i = 0; i < 8; i++)
         pergola_run(s->dev, 200);
   free(copy);
   pergola_function_reset(s->dev);
   fuzz_good_batch(s, RCS);
   return 0;
}
