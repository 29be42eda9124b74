#include "stage.h"

#include "eu/isa/asm.h"

#include <stdlib.h>

static struct stage *current; /* the run function has no argument of its own */
static pthread_mutex_t record_lock = PTHREAD_MUTEX_INITIALIZER;

static void
record(struct stage *s, const struct eu_thread *t)
{
   if (s->count == STAGE_RECORDS)
      return;
   struct record *r = &s->record[s->count++];
   memcpy(r->r, t->grf, sizeof(r->r));
   memcpy(r->cr0, t->cr0, sizeof(r->cr0));
   memcpy(r->sr0, t->sr0, sizeof(r->sr0));
   memcpy(r->tdr, t->tdr, sizeof(r->tdr));
   memcpy(r->n0, t->n0, sizeof(r->n0));
   r->mask = t->dispatch_mask;
   r->kernel = t->kernel_start;
   r->id = t->id;
   r->binding_table = t->binding_table;
   r->sampler_states = t->sampler_states;
   r->scratch_base = t->scratch_base;
   r->scratch_size = t->scratch_size_B;
   r->half_slice = t->half_slice;
   r->eu = t->eu;
   r->slot = t->slot;
   r->fftid = t->fftid;
   r->ffid = t->ffid;
   r->in_group = t->group != NULL;
   if (t->group && t->group->slm) {
      r->slm_offset = (uint32_t)(t->group->slm - s->media->slm[t->half_slice]);
      r->slm_size = t->group->slm_size_B;
   }
}

/* The actor's step is kept where a kernel has its instruction pointer. */
static enum eu_stop
run(struct eu_thread *t, uint64_t budget)
{
   struct stage *s = current;
   unsigned actor = t->kernel_start / 64 % STAGE_ACTORS;
   pthread_mutex_lock(&record_lock);
   unsigned step = (t->ip - t->kernel_start) / 16;
   if (!t->instructions)
      record(s, t);
   s->next_step = step;
   enum eu_stop stop = s->actor[actor](s, t, step);
   if (stop == EU_STOP_EOT || stop == EU_STOP_FAULT)
      s->ended++;
   else
      t->ip = t->kernel_start + 16 * s->next_step;
   t->instructions += stop == EU_STOP_WAIT ? 1 : 2;
   pthread_mutex_unlock(&record_lock);
   return stop;
}

struct stage *
stage_create(const char *sku)
{
   return stage_create_checked(sku, PERGOLA_CHECK_REPORT);
}

struct stage *
stage_create_checked(const char *sku, enum pergola_check check)
{
   struct stage *s = calloc(1, sizeof(*s));
   s->rig = rig_create(sku, check);
   s->dev = s->rig->dev;
   s->media = s->dev->media;
   s->record = calloc(STAGE_RECORDS, sizeof(s->record[0]));
   for (unsigned i = 0; i < STAGE_ACTORS; i++)
      s->actor[i] = actor_ends;
   rig_start(s->rig, RCS, 16, 0);
   media_set_run(s->media, run);
   rig_forget(s->rig);
   current = s;
   return s;
}

void
stage_destroy(struct stage *s)
{
   rig_destroy(s->rig);
   free(s->record);
   free(s);
}

int
stage_setup(void **state)
{
   *state = stage_create("ivb-gt2");
   return 0;
}

int
stage_setup_gt1(void **state)
{
   *state = stage_create("ivb-gt1");
   return 0;
}

int
stage_setup_vlv(void **state)
{
   *state = stage_create("vlv");
   return 0;
}

int
stage_teardown(void **state)
{
   stage_destroy(*state);
   return 0;
}

uint32_t *
stage_memory(struct stage *s, uint32_t address)
{
   return rig_ggtt(s->rig, address);
}

void
stage_assemble(struct stage *s, const char *text, uint32_t offset)
{
   struct eu_program p;
   struct eu_asm_error error;
   if (!eu_asm_text(text, strlen(text), s->dev->hw_device, &p, &error))
      fail_msg("line %u, column %u: %s", error.line, error.column, error.message);
   memcpy(stage_memory(s, STAGE_INSTRUCTION + offset), p.bytes, p.size);
   eu_program_free(&p);
}

/* Runs before the ring is full. */
void
stage_submit(struct stage *s, const uint32_t *dw, unsigned count)
{
   rig_ring(s->rig, RCS, dw, count);
   pergola_run(s->dev, 0);
}

enum pergola_run_result
stage_run(struct stage *s)
{
   return pergola_run(s->dev, 0);
}

static struct cs_command
command(struct stage *s, const uint32_t *dw, unsigned count)
{
   return (struct cs_command){
       .cs = s->dev->cs[RCS],
       .dev = s->dev,
       .desc = hw_command_find(dw[0], HW_RCS, s->dev->hw_device),
       .dw = dw,
       .count_dw = count,
       .address = 0x100000 + 4 * s->commands++, /* each at a place of its own: diagnostics repeat */
       .space = &s->dev->ggtt,
   };
}

enum cs_result
stage_direct(struct stage *s, const uint32_t *dw, unsigned count, uint64_t budget)
{
   struct cs_command c = command(s, dw, count);
   assert_non_null(c.desc);
   /* A streamer gives again what it has in hand; a command that was left is not there any more. */
   assert_true(count <= COUNT(s->in_hand));
   if (count != s->in_hand_count || memcmp(s->in_hand, dw, count * 4))
      s->hand = CS_FRESH;
   c.hand = &s->hand;
   memcpy(s->in_hand, dw, count * 4);
   s->in_hand_count = count;
   enum cs_result r = media_command(s->media, &c, &budget);
   s->hand = r != CS_AGAIN ? CS_FRESH : s->hand ? s->hand : CS_HELD;
   return r;
}

enum cs_result
stage_direct_all(struct stage *s, const uint32_t *dw, unsigned count)
{
   enum cs_result r;
   do
      r = stage_direct(s, dw, count, 1000);
   while (r == CS_AGAIN);
   return r;
}

void
stage_bases(struct stage *s, bool gpgpu)
{
   uint32_t dw[] = {0x69040000 | (gpgpu ? 2 : 1),
                    0x61010008,
                    STAGE_GENERAL | 1,
                    STAGE_SURFACE | 1,
                    STAGE_DYNAMIC | 1,
                    STAGE_INDIRECT | 1,
                    STAGE_INSTRUCTION | 1,
                    1,
                    1,
                    1,
                    1};
   stage_submit(s, dw, sizeof(dw) / 4);
}

struct hw_media_vfe_state
stage_vfe(void)
{
   return (struct hw_media_vfe_state){.scratch_space_base_pointer = 0x4000,
                                      .per_thread_scratch_space = 1,
                                      .maximum_number_of_threads = 127,
                                      .number_of_urb_entries = 16,
                                      .bypass_gateway_control = true,
                                      .urb_entry_allocation_size = 7,
                                      .curbe_allocation_size = 256};
}

struct hw_interface_descriptor_data
stage_descriptor(unsigned actor)
{
   return (struct hw_interface_descriptor_data){.kernel_start_pointer = actor * 64};
}

void
stage_put_vfe(struct stage *s, const struct hw_media_vfe_state *v)
{
   uint32_t dw[GEN7_MEDIA_VFE_STATE_LENGTH];
   gen7_media_vfe_state_pack(dw, v);
   stage_submit(s, dw, GEN7_MEDIA_VFE_STATE_LENGTH);
}

void
stage_put_descriptor(struct stage *s, unsigned index, const struct hw_interface_descriptor_data *d)
{
   gen7_interface_descriptor_data_pack(stage_memory(s, STAGE_DYNAMIC + 32 * index), d);
}

void
stage_load_descriptors(struct stage *s, unsigned count)
{
   uint32_t dw[] = {0x70020002, 0, count * 32, 0};
   stage_submit(s, dw, 4);
}

void
stage_load_curbe(struct stage *s, uint32_t bytes)
{
   uint32_t dw[] = {0x70010002, 0, bytes, STAGE_CURBE};
   stage_submit(s, dw, 4);
}

void
stage_flush(struct stage *s)
{
   uint32_t dw[GEN7_PIPE_CONTROL_LENGTH];
   gen7_pipe_control_pack(dw, &(struct hw_pipe_control){.command_streamer_stall_enable = true,
                                                        .stall_at_pixel_scoreboard = true});
   stage_submit(s, dw, GEN7_PIPE_CONTROL_LENGTH);
}

void
stage_state_flush(struct stage *s)
{
   stage_submit(s, IDS(0x70040000, 0), 2);
}

void
stage_standard(struct stage *s, bool gpgpu)
{
   struct hw_media_vfe_state v = stage_vfe();
   stage_bases(s, gpgpu);
   stage_put_vfe(s, &v);
   for (unsigned i = 0; i < STAGE_ACTORS; i++) {
      struct hw_interface_descriptor_data d = stage_descriptor(i);
      stage_put_descriptor(s, i, &d);
   }
   for (unsigned row = 0; row < 256; row++)
      for (unsigned i = 0; i < 8; i++)
         stage_memory(s, STAGE_DYNAMIC + STAGE_CURBE + 32 * row)[i] = row;
   stage_load_curbe(s, 256 * 32);
   stage_load_descriptors(s, STAGE_ACTORS);
}

struct hw_media_object_walker
stage_raster(unsigned w, unsigned h)
{
   return (struct hw_media_object_walker){.repel = true,
                                          .global_loop_exec_count = 1,
                                          .local_loop_exec_count = h - 1,
                                          .block_resolution_x = w,
                                          .block_resolution_y = h,
                                          .local_end_x = w - 1,
                                          .local_outer_loop_stride_y = 1,
                                          .local_inner_loop_unit_x = 1,
                                          .global_resolution_x = w,
                                          .global_resolution_y = h,
                                          .global_outer_loop_stride_x = (int)w,
                                          .global_inner_loop_unit_y = (int)h};
}

struct hw_gpgpu_walker
stage_walk(unsigned descriptor, unsigned simd, unsigned threads, unsigned x, unsigned y, unsigned z)
{
   return (struct hw_gpgpu_walker){.interface_descriptor_offset = descriptor,
                                   .simd_size = simd == 32 ? 2 : simd == 16,
                                   .thread_width_counter_maximum = threads - 1,
                                   .thread_group_id_x_dimension = x,
                                   .thread_group_id_y_dimension = y,
                                   .thread_group_id_z_dimension = z,
                                   .right_execution_mask = ~0u,
                                   .bottom_execution_mask = ~0u};
}

void
stage_walker(struct stage *s, const struct hw_gpgpu_walker *w)
{
   uint32_t dw[GEN7_GPGPU_WALKER_LENGTH];
   gen7_gpgpu_walker_pack(dw, w);
   stage_submit(s, dw, GEN7_GPGPU_WALKER_LENGTH);
}

void
stage_object(struct stage *s, const struct hw_media_object *o, const uint32_t *data,
             unsigned dwords)
{
   uint32_t dw[GEN7_MEDIA_OBJECT_LENGTH + 600];
   gen7_media_object_pack(dw, o);
   dw[0] += dwords;
   if (dwords)
      memcpy(dw + GEN7_MEDIA_OBJECT_LENGTH, data, dwords * 4);
   /* not through pergola_run: the ring going idle would run the thread to its end */
   assert_int_equal(stage_direct(s, dw, GEN7_MEDIA_OBJECT_LENGTH + dwords, 1000000), CS_DONE);
}

void
stage_message(struct eu_thread *t, unsigned sfid, uint32_t desc, const uint32_t *dw, bool eot,
              uint32_t *response)
{
   uint32_t payload[8] = {0};
   if (dw)
      memcpy(payload, dw, sizeof(payload));
   struct sf_message m = {.sfid = (uint8_t)sfid,
                          .eot = eot,
                          .mlen = 1,
                          .rlen = response ? 1 : 0,
                          .exec_size = 8,
                          .desc = desc,
                          .exec_mask = 0xff,
                          .payload = (uint8_t *)payload,
                          .response = (uint8_t *)response,
                          .ip = t->ip};
   if (sfid == SFID_THREAD_SPAWNER)
      sf_thread_spawner(t, &m);
   else if (sfid == SFID_GATEWAY)
      sf_gateway(t, &m);
   else
      fail_msg("no actor sends to %u", sfid);
}

enum eu_stop
stage_end(struct eu_thread *t)
{
   stage_message(t, SFID_THREAD_SPAWNER, 0x10, eu_grf(t, 0), true, NULL);
   return EU_STOP_EOT;
}

enum eu_stop
stage_end_child(struct eu_thread *t)
{
   stage_message(t, SFID_THREAD_SPAWNER, 0x12, eu_grf(t, 0), true, NULL);
   return EU_STOP_EOT;
}

/* wait n0.sub: goes on with `step` once there is a notification. */
enum eu_stop
stage_wait(struct stage *s, struct eu_thread *t, unsigned sub, unsigned step)
{
   if (!t->n0[sub])
      return EU_STOP_WAIT;
   t->n0[sub]--;
   s->next_step = step;
   return EU_STOP_BUDGET;
}

enum eu_stop
actor_ends(struct stage *s, struct eu_thread *t, unsigned step)
{
   return stage_end(t);
}

enum eu_stop
actor_meets_at_barrier(struct stage *s, struct eu_thread *t, unsigned step)
{
   unsigned rounds = s->value[0];
   if (step == 2 * rounds)
      return stage_end(t);
   if (step % 2) {
      if (!t->n0[0])
         return EU_STOP_WAIT;
      t->n0[0]--;
      /* nobody is past the barrier before all have come */
      assert_int_equal(s->value[1 + step / 2], t->group->thread_count);
      s->next_step = step + 1;
      return EU_STOP_BUDGET;
   }
   uint32_t m[8] = {0};
   m[2] = eu_grf(t, 0)[2] & 0x0f000000; /* SF-173: as drivers send it */
   s->value[1 + step / 2]++;
   s->next_step = step + 1;
   stage_message(t, SFID_GATEWAY, 4, m, false, NULL);
   return EU_STOP_BUDGET;
}
