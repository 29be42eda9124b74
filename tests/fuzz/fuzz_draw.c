/* Any state of the 3D pipeline with a primitive, on a device with a little memory: good kernels,
 * vertices and surfaces lie there, and the input changes what it likes. After each input the engine
 * is reset and has to run a good batch.
 *
 * Input: bytes 0-3 choose (tame pointers, topology, turns); then records of a byte for the command
 * and its dwords; what is 0xff first is memory: two bytes of place, 16 of content. */
#include "streamer.h"

#include "eu/isa/asm.h"
#include "hw/hw.h"

#define KERNELS 0x30000u
#define DYNAMIC 0x40000u
#define SURFACES 0x50000u
#define VERTICES 0x60000u
#define TARGET 0x80000u
#define CHANGEABLE 0x30000u /* from KERNELS on: what records of memory reach */

static const char vertex_kernel[] =
    "mov(8) g113<1>UD g0<4>UD { align16 WE_all 1Q };\n"
    "or(1) g113.5<1>UD g0.5<0,1,0>UD 0x0000ff00UD { align1 WE_all 1N };\n"
    "mov(8) g114<1>UD 0UD { align16 1Q };\n"
    "mov(8) g115<1>F g2<4>F { align16 1Q };\n"
    "mov(8) g116<1>F g3<4>F { align16 1Q };\n"
    "mov(8) g117<1>F g3<4>F { align16 1Q };\n"
    "send(8) null<1>F g113<4>F 0x8a08c000 urb MsgDesc: mlen 5 rlen 0 { align16 1Q EOT };\n";
static const char pixel_kernel[] = "mov(16) g112<1>F g6.3<0,1,0>F { align1 1H };\n"
                                   "mov(16) g114<1>F g6.7<0,1,0>F { align1 1H };\n"
                                   "mov(16) g116<1>F g7.3<0,1,0>F { align1 1H };\n"
                                   "mov(16) g118<1>F 1F { align1 1H };\n"
                                   "send(16) null<1>UW g112<8,8,1>UD 0x10031000 render MsgDesc: "
                                   "mlen 8 rlen 0 { align1 1H EOT };\n";

static void
load(struct fuzz_streamer *s, uint32_t at, const char *text)
{
   struct eu_program p;
   struct eu_asm_error error;
   if (!eu_asm_text(text, strlen(text), s->dev->hw_device, &p, &error))
      abort();
   memcpy(s->ram + at, p.bytes, p.size);
   eu_program_free(&p);
}

/* ---- a draw that is right ----------------------------------------------------------------------
 */

struct batch {
   uint32_t *dw, count;
};

#define ADD(b, NAME, name, ...)                                                                    \
   do {                                                                                            \
      gen7_##name##_pack((b)->dw + (b)->count, &(struct hw_##name){__VA_ARGS__});                  \
      (b)->count += GEN7_##NAME##_LENGTH;                                                          \
   } while (0)

static void
add_vertices(struct batch *b)
{
   static const struct hw_vertex_buffer_state buffer = {.buffer_pitch = 32,
                                                        .address_modify_enable = true,
                                                        .buffer_starting_address = VERTICES,
                                                        .end_address = VERTICES + 0xfff};
   b->dw[b->count++] = 0x78080003;
   gen7_vertex_buffer_state_pack(b->dw + b->count, &buffer);
   b->count += 4;
   b->dw[b->count++] = 0x78090003;
   for (unsigned i = 0; i < 2; i++, b->count += 2)
      gen7_vertex_element_state_pack(
          b->dw + b->count, &(struct hw_vertex_element_state){.valid = true,
                                                              .source_element_offset = 16 * i,
                                                              .component_0_control = 1,
                                                              .component_1_control = 1,
                                                              .component_2_control = 1,
                                                              .component_3_control = 1});
}

static void
add_state(struct batch *b)
{
   static const uint32_t bases[] = {
       0x69040000, 0x61010008, 1, SURFACES | 1, DYNAMIC | 1, 1, KERNELS | 1, 1, 1, 1, 1};
   memcpy(b->dw, bases, sizeof(bases));
   b->count = sizeof(bases) / 4;
   add_vertices(b);
   ADD(b, 3DSTATE_URB_VS, 3dstate_urb_vs, .urb_starting_address = 2, .number_of_urb_entries = 64,
       .urb_entry_allocation_size = 1);
   ADD(b, 3DSTATE_VS, 3dstate_vs, .enable = true, .maximum_number_of_threads = 31,
       .vertex_urb_entry_read_length = 1, .dispatch_grf_start_register_for_urb_data = 2);
   ADD(b, 3DSTATE_CLIP, 3dstate_clip, .clip_enable = true, .viewport_xy_clip_test_enable = true,
       .viewport_z_clip_test_enable = true);
   ADD(b, 3DSTATE_SF, 3dstate_sf, .viewport_transform_enable = true, .cull_mode = 1);
   ADD(b, 3DSTATE_SBE, 3dstate_sbe, .number_of_sf_output_attributes = 1,
       .vertex_urb_entry_read_offset = 1, .vertex_urb_entry_read_length = 1);
   ADD(b, 3DSTATE_WM, 3dstate_wm, .thread_dispatch_enable = true);
   ADD(b, 3DSTATE_PS, 3dstate_ps, ._16_pixel_dispatch_enable = true, .attribute_enable = true,
       .maximum_number_of_threads = 47, .kernel_start_pointer_0 = 0x400,
       .dispatch_grf_start_register_for_constant_setup_data_0 = 6);
   ADD(b, 3DSTATE_DRAWING_RECTANGLE, 3dstate_drawing_rectangle,
       .clipped_drawing_rectangle_x_max = 63, .clipped_drawing_rectangle_y_max = 63);
   ADD(b, 3DSTATE_SAMPLE_MASK, 3dstate_sample_mask, .sample_mask = 1);
   ADD(b, 3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP, 3dstate_viewport_state_pointers_sf_clip,
       .sf_clip_viewport_pointer = 0x100);
}

static void
fill_memory(struct fuzz_streamer *s)
{
   load(s, KERNELS, vertex_kernel);
   load(s, KERNELS + 0x400, pixel_kernel);
   gen7_sf_clip_viewport_pack((uint32_t *)(void *)(s->ram + DYNAMIC + 0x100),
                              &(struct hw_sf_clip_viewport){.viewport_matrix_element_m00 = 32,
                                                            .viewport_matrix_element_m11 = 32,
                                                            .viewport_matrix_element_m22 = 1,
                                                            .viewport_matrix_element_m30 = 32,
                                                            .viewport_matrix_element_m31 = 32});
   memcpy(s->ram + SURFACES, &(uint32_t){0x40}, 4);
   gen7_render_surface_state_pack((uint32_t *)(void *)(s->ram + SURFACES + 0x40),
                                  &(struct hw_render_surface_state){.surface_type = 1,
                                                                    .surface_format = 0xc7,
                                                                    .surface_base_address = TARGET,
                                                                    .width = 63,
                                                                    .height = 63,
                                                                    .surface_pitch = 255});
   for (unsigned i = 0; i < 64; i++) {
      const float v[8] = {(float)(i * 7 % 16) / 8 - 1,
                          (float)(i * 5 % 16) / 8 - 1,
                          0.5f,
                          1,
                          (float)(i % 3),
                          0.5f,
                          1,
                          0};
      memcpy(s->ram + VERTICES + sizeof(v) * i, v, sizeof(v));
   }
}

/* ---- what the input changes --------------------------------------------------------------------
 */

struct input {
   const uint8_t *data;
   size_t left;
};

static uint32_t
take(struct input *in, unsigned bytes)
{
   uint32_t v = 0;
   for (unsigned i = 0; i < bytes && in->left; i++, in->left--)
      v |= (uint32_t)*in->data++ << 8 * i;
   return v;
}

/* State commands of the 3D pipeline; 0: not one. */
static unsigned
state_length(const struct hw_command *c)
{
   uint32_t opcode = c ? c->header >> 16 : 0;
   bool state = (opcode & 0xff00) == 0x7800 || (opcode & 0xff00) == 0x7900;
   return state && opcode != 0x7b00 && c->layout.length_dw < 80 ? c->layout.length_dw : 0;
}

static void
add_records(struct fuzz_streamer *s, struct batch *b, struct input *in, bool tame)
{
   while (in->left && b->count < 3000) {
      uint32_t kind = take(in, 1);
      if (kind == 0xff) {
         uint32_t at = KERNELS + (take(in, 2) * 4) % CHANGEABLE;
         for (unsigned i = 0; i < 16; i++)
            s->ram[at + i] = (uint8_t)take(in, 1);
         continue;
      }
      const struct hw_command *c = hw_command_by_id(kind % GEN7_COMMAND_COUNT);
      unsigned length = state_length(c);
      if (!length)
         continue;
      b->dw[b->count++] = c->header;
      for (unsigned i = 1; i < length; i++) {
         uint32_t v = take(in, 4);
         b->dw[b->count++] = tame && v > FUZZ_RAM ? v % FUZZ_RAM : v;
      }
   }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct fuzz_streamer *s = fuzz_streamer_stand();
   struct input in = {data, size};
   if (size < 4)
      return 0;
   uint32_t flags = take(&in, 1), topology = take(&in, 1), count = take(&in, 1),
            turns = take(&in, 1);
   fuzz_fresh(s, RCS, false);
   fill_memory(s);
   struct batch b = {.dw = (uint32_t *)(void *)(s->ram + FUZZ_BATCH)};
   add_state(&b);
   add_records(s, &b, &in, flags & 1);
   ADD(&b, 3DPRIMITIVE, 3dprimitive, .primitive_topology_type = topology & 0x3f,
       .vertex_access_type = flags >> 1 & 1,
       .vertex_count_per_instance = flags & 4 ? count << 24 : count,
       .instance_count = 1 + (flags >> 4 & 3), .indirect_parameter_enable = flags >> 3 & 1);
   b.dw[b.count++] = 0x05000000;
   b.dw[b.count++] = 0;
   memcpy(s->ram + FUZZ_RING, (uint32_t[2]){0x18800000, FUZZ_BATCH}, 8);
   fuzz_write(s, engine_base[RCS] + 0x3c, 1);
   fuzz_write(s, engine_base[RCS] + 0x30, 8);
   for (unsigned i = 0; i < 1 + turns % 8; i++)
      pergola_run(s->dev, flags & 0x40 ? 500 : 20000);
   fuzz_good_batch(s, RCS);
   return 0;
}
