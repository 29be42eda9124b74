/* The search itself: a media walker over the macroblocks of a picture, on a device of its own. */
#include "cli.h"
#include "exec.h"
#include "vme.h"

#include "eu/isa/asm.h"

#include <stdlib.h>
#include <string.h>

/* Graphics addresses; all states lie within 64 KiB of their base. */
#define SURFACES 0x200000u
#define DYNAMIC 0x210000u
#define KERNEL 0x220000u
#define ANSWERS 0x400000u
#define PICTURE(i) (0x4000000u + 0x3000000u * (i))
/* From the dynamic state base. */
#define CURBE 0x0u
#define DESCRIPTOR 0x400u
#define STATE 0x800u
/* From the surface state base. */
#define TABLE 0x0u
#define SURFACE(i) (0x100u + 32u * (i))
enum { SURFTYPE_2D = 1, SURFTYPE_BUFFER = 4 };
#define CURBE_REGISTERS 6u
#define FRAMES_PER_RING 3000u

struct vme_machine {
   struct exec *x;
   unsigned frames;
};

static void
put(struct vme_machine *m, uint32_t address, const void *data, size_t size)
{
   memcpy(m->x->memory + address, data, size);
}

static void
report(void *data, const struct pergola_diagnostic *d)
{
   (void)data;
   fprintf(stderr, "pergola: %s %s\n", d->rule, d->message);
}

struct vme_machine *
vme_machine_create(const char *sku, const char *kernel, size_t size)
{
   struct vme_machine *m = calloc(1, sizeof(*m));
   struct eu_program p;
   struct eu_asm_error error;
   m->x = m ? exec_create(sku, PERGOLA_CHECK_REPORT, 0) : NULL;
   if (!m || !m->x) {
      free(m);
      return NULL;
   }
   if (!eu_asm_text(kernel, size, cli_device_bit(m->x->dev), &p, &error) || p.size > 0x10000) {
      fprintf(stderr, "pergola: the kernel, line %u: %s\n", error.line, error.message);
      vme_machine_destroy(m);
      return NULL;
   }
   put(m, KERNEL, p.bytes, p.size);
   eu_program_free(&p);
   pergola_add_diagnostic_sink(m->x->dev, report, NULL);
   return m;
}

void
vme_machine_destroy(struct vme_machine *m)
{
   exec_destroy(m->x);
   free(m);
}

struct pergola_device *
vme_machine_device(struct vme_machine *m)
{
   return m->x->dev;
}

/* ---- states ---- */

/* DP-107: pitches of linear surfaces are multiples of 64 bytes. */
static uint32_t
pitch_of(const struct vme_image *p)
{
   return (p->stride + 63) & ~63u;
}

static void
put_media_surface(struct vme_machine *m, unsigned index, const struct vme_image *p)
{
   uint32_t dw[8];
   struct hw_media_surface_state st = {.surface_base_address = PICTURE(index),
                                       .width = p->stride - 1,
                                       .height = p->rows - 1,
                                       .surface_format = GEN7_MEDIA_SURFACE_FORMAT_Y8_UNORM,
                                       .surface_pitch = pitch_of(p) - 1};
   gen7_media_surface_state_pack(dw, &st);
   put(m, SURFACES + SURFACE(index), dw, sizeof(dw));
   for (uint32_t y = 0; y < p->rows; y++)
      put(m, PICTURE(index) + y * pitch_of(p), p->y + (size_t)y * p->stride, p->stride);
}

static void
put_surfaces(struct vme_machine *m, const struct vme_image *source,
             const struct vme_image *const reference[2])
{
   uint32_t dw[8], macroblocks = source->stride / 16 * (source->rows / 16);
   uint32_t last = macroblocks * (uint32_t)sizeof(struct vme_answer) - 1;
   put_media_surface(m, 0, source);
   put_media_surface(m, 1, reference[0]);
   put_media_surface(m, 2, reference[1] ? reference[1] : reference[0]);
   struct hw_render_surface_state answers = {.surface_type = SURFTYPE_BUFFER,
                                             .surface_format = GEN7_SURFACE_FORMAT_RAW,
                                             .surface_base_address = ANSWERS,
                                             .width = last & 0x7f,
                                             .height = last >> 7 & 0x3fff,
                                             .depth = last >> 21};
   gen7_render_surface_state_pack(dw, &answers);
   put(m, SURFACES + SURFACE(3), dw, sizeof(dw));
   struct hw_render_surface_state bytes = {.surface_type = SURFTYPE_2D,
                                           .surface_format = GEN7_SURFACE_FORMAT_R8_UNORM,
                                           .surface_base_address = PICTURE(0),
                                           .width = source->stride - 1,
                                           .height = source->rows - 1,
                                           .surface_pitch = pitch_of(source) - 1};
   gen7_render_surface_state_pack(dw, &bytes);
   put(m, SURFACES + SURFACE(4), dw, sizeof(dw));
   for (uint32_t i = 0; i < 5; i++)
      put(m, SURFACES + TABLE + 4 * i, &(uint32_t){SURFACE(i)}, 4);
}

static void
put_states(struct vme_machine *m, const struct vme_settings *s, const struct vme_image *source)
{
   uint32_t dw[8], curbe[CURBE_REGISTERS][8] = {{0}};
   struct hw_interface_descriptor_data d = {.sampler_state_pointer = STATE,
                                            .binding_table_pointer = TABLE,
                                            .binding_table_entry_count = 5,
                                            .constant_urb_entry_read_length = CURBE_REGISTERS};
   gen7_interface_descriptor_data_pack(dw, &d);
   put(m, DYNAMIC + DESCRIPTOR, dw, sizeof(dw));
   memcpy(curbe, s->in, sizeof(s->in));
   curbe[5][0] = source->stride / 16;
   put(m, DYNAMIC + CURBE, curbe, sizeof(curbe));
   put(m, DYNAMIC + STATE, s->state, sizeof(s->state));
}

/* ---- commands ---- */

struct batch {
   uint32_t dw[256];
   unsigned count;
};
#define ADD(b, command, ...)                                                                       \
   do {                                                                                            \
      struct hw_##command v = {__VA_ARGS__};                                                       \
      gen7_##command##_pack((b)->dw + (b)->count, &v);                                             \
      (b)->count += gen7_length_of((b)->dw + (b)->count);                                          \
   } while (0)

/* Dwords of a command that has just been packed. */
static unsigned
gen7_length_of(const uint32_t *dw)
{
   const struct hw_command *c = hw_command_find(dw[0], HW_RCS, HW_IVB);
   return hw_command_length(c, dw[0]);
}

static void
build(struct batch *b, const struct vme_image *source)
{
   uint32_t columns = source->stride / 16, rows = source->rows / 16;
   b->count = 0;
   ADD(b, pipe_control, .command_streamer_stall_enable = true, .dc_flush_enable = true,
       .state_cache_invalidation_enable = true, .texture_cache_invalidation_enable = true,
       .instruction_cache_invalidate_enable = true, .stall_at_pixel_scoreboard = true);
   ADD(b, pipeline_select, .pipeline_selection = 1);
   ADD(b, state_base_address, .general_state_base_address_modify_enable = true,
       .surface_state_base_address = SURFACES, .surface_state_base_address_modify_enable = true,
       .dynamic_state_base_address = DYNAMIC, .dynamic_state_base_address_modify_enable = true,
       .indirect_object_base_address_modify_enable = true, .instruction_base_address = KERNEL,
       .instruction_base_address_modify_enable = true,
       .general_state_access_upper_bound_modify_enable = true,
       .dynamic_state_access_upper_bound_modify_enable = true,
       .indirect_object_access_upper_bound_modify_enable = true,
       .instruction_access_upper_bound_modify_enable = true);
   ADD(b, media_vfe_state, .maximum_number_of_threads = 63, .number_of_urb_entries = 32,
       .urb_entry_allocation_size = 4, .bypass_gateway_control = true,
       .curbe_allocation_size = CURBE_REGISTERS);
   ADD(b, media_curbe_load, .curbe_total_data_length = CURBE_REGISTERS * 32,
       .curbe_data_start_address = CURBE);
   ADD(b, media_interface_descriptor_load, .interface_descriptor_total_length = 32,
       .interface_descriptor_data_start_address = DESCRIPTOR);
   ADD(b, media_object_walker, .repel = true, .global_loop_exec_count = 0x3ff,
       .local_loop_exec_count = 0x3ff, .block_resolution_x = columns, .block_resolution_y = rows,
       .local_end_x = columns - 1, .local_end_y = 0, .local_outer_loop_stride_y = 1,
       .local_inner_loop_unit_x = 1, .global_resolution_x = columns, .global_resolution_y = rows,
       .global_outer_loop_stride_x = (int32_t)columns, .global_inner_loop_unit_y = (int32_t)rows);
   ADD(b, pipe_control, .command_streamer_stall_enable = true, .dc_flush_enable = true,
       .stall_at_pixel_scoreboard = true);
   b->dw[b->count++] = GEN7_MI_BATCH_BUFFER_END_HEADER;
}

/* The ring does not turn round: it starts anew in time. */
static bool
submit(struct vme_machine *m, const struct batch *b)
{
   const uint32_t start[] = {GEN7_MI_BATCH_BUFFER_START_HEADER, EXEC_BATCH};
   put(m, EXEC_BATCH, b->dw, b->count * 4);
   if (++m->frames % FRAMES_PER_RING == 0) {
      pergola_mmio_write(m->x->dev, REG_RCS_RING_BUFFER_CTL, 4, 0);
      pergola_mmio_write(m->x->dev, REG_RCS_RING_BUFFER_HEAD, 4, 0);
      pergola_mmio_write(m->x->dev, REG_RCS_RING_BUFFER_TAIL, 4, 0);
      pergola_mmio_write(m->x->dev, REG_RCS_RING_BUFFER_CTL, 4, EXEC_RING_ON);
      m->x->tail[0] = 0;
   }
   return exec_ring(m->x, PERGOLA_RCS, start, 2);
}

const struct vme_answer *
vme_machine_search(struct vme_machine *m, const struct vme_settings *s,
                   const struct vme_image *source, const struct vme_image *const reference[2])
{
   struct batch b;
   put_surfaces(m, source, reference);
   put_states(m, s, source);
   build(&b, source);
   if (!submit(m, &b) || exec_run(m->x, 0) != PERGOLA_RUN_IDLE) {
      fprintf(stderr, "pergola: the search did not end\n");
      return NULL;
   }
   return (const struct vme_answer *)(m->x->memory + ANSWERS);
}
