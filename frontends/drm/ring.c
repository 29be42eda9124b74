/* Engines: start-up, and what surrounds a batch on the ring, as i915 does it on Gen7. */
#include "kernel.h"

#include "dump.h"
#include "gen7_hw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ENABLE(bits) ((bits) << 16 | (bits))
#define DISABLE(bits) ((bits) << 16)

#define HWS_SCRATCH 0x200u

#define RING_SIZE 0x10000u
static const uint32_t bases[ENGINES] = {REG_BASE_RCS, REG_BASE_VCS, REG_BASE_BCS};
static const uint32_t status_pages[ENGINES] = {REG_RCS_HWS_PGA, REG_VCS_HWS_PGA, REG_BCS_HWS_PGA};
static const uint32_t user_interrupts[ENGINES] = {REG_GTIIR__RENDER_USER_INTERRUPT,
                                                  REG_GTIIR__VIDEO_USER_INTERRUPT,
                                                  REG_GTIIR__BLITTER_USER_INTERRUPT};

static int
take_page(struct kernel *k, uint64_t size, uint64_t *physical, uint64_t *ggtt, uint32_t **host)
{
   void *p;
   int ret = arena_take(&k->memory, size, physical, &p);
   if (ret)
      return ret;
   *host = p;
   return ggtt_bind(k, *physical, size, ggtt);
}

static void
global_workarounds(struct kernel *k)
{
   const uint32_t users =
       user_interrupts[KERNEL_RCS] | user_interrupts[KERNEL_VCS] | user_interrupts[KERNEL_BCS];
   /* What the kernel driver sets on this part before it uses the engines. */
   const struct {
      uint32_t reg, value;
   } w[] = {
       {REG_ARB_MODE, ENABLE(REG_ARB_MODE__ADDRESS_SWIZZLING_FOR_TILED_SURFACES)},
       {REG_L3CNTLREG1, 0x3c47ff8c},
       {REG_L3_CHICKEN_MODE_REGISTER, 0x20000000},
       {REG_3D_CHICKEN, ENABLE(1u << 10)}, /* constant buffer, VF chicken */
       {REG_GTIMR, ~users},
       {REG_GTIER, users},
       {REG_DEIER, REG_DEIER__MASTER_INTERRUPT_CONTROL},
   };
   for (size_t i = 0; i < sizeof(w) / sizeof(w[0]); i++)
      bus_write(k, w[i].reg, w[i].value);
}

void
engine_start(struct kernel *k, struct engine *e)
{
   uint32_t b = e->base;
   bus_write(k, b + ENGINE_MI_MODE, ENABLE(REG_RCS_MI_MODE__STOP_RINGS));
   bus_write(k, b + ENGINE_RING_BUFFER_CTL, 0);
   bus_write(k, b + ENGINE_RING_BUFFER_HEAD, 0);
   bus_write(k, b + ENGINE_RING_BUFFER_TAIL, 0);
   bus_write(k, status_pages[e->id], (uint32_t)e->hws_ggtt);
   bus_write(k, b + ENGINE_HWSTAM, ~0u);
   bus_write(k, b + ENGINE_INSTPM,
             ENABLE(REG_RCS_INSTPM__SYNC_FLUSH_ENABLE | REG_RCS_INSTPM__TLB_INVALIDATE));
   bus_write(k, b + ENGINE_RING_BUFFER_START, (uint32_t)e->ring.ggtt);
   bus_write(k, b + ENGINE_PP_DCLV, ~0u);
   bus_write(k, b + ENGINE_PP_DCLV + 4, ~0u);
   bus_write(k, b + ENGINE_PP_DIR_BASE, vm_pp_dir_base(k->kernel_vm));
   bus_write(k, b + ENGINE_GFX_MODE, ENABLE(REG_RCS_GFX_MODE__PER_PROCESS_GTT_ENABLE));
   bus_write(k, b + ENGINE_IMR, ~user_interrupts[e->id]);
   bus_write(k, b + ENGINE_RING_BUFFER_HEAD, 0);
   bus_write(k, b + ENGINE_RING_BUFFER_TAIL, 0);
   bus_write(k, b + ENGINE_RING_BUFFER_CTL,
             (RING_SIZE - 4096) | REG_RCS_RING_BUFFER_CTL__RING_BUFFER_ENABLE);
   bus_write(k, b + ENGINE_MI_MODE, DISABLE(REG_RCS_MI_MODE__STOP_RINGS));
   e->ring.tail = e->ring.free_from = 0;
   e->current = NULL;
   e->vm = NULL;
}

int
engines_create(struct kernel *k)
{
   global_workarounds(k);
   for (int i = 0; i < ENGINES; i++) {
      struct engine *e = &k->engine[i];
      e->id = i;
      e->base = bases[i];
      e->queue_end = &e->queue;
      e->inflight_end = &e->inflight;
      e->ring.size = RING_SIZE;
      int ret = take_page(k, RING_SIZE, &e->ring.physical, &e->ring.ggtt, &e->ring.host);
      if (!ret)
         ret = take_page(k, PAGE, &e->hws_physical, &e->hws_ggtt, &e->hws);
      if (ret)
         return ret;
      engine_start(k, e);
   }
   return 0;
}

void
engines_restart(struct kernel *k)
{
   global_workarounds(k);
   for (int i = 0; i < ENGINES; i++)
      engine_start(k, &k->engine[i]);
}

/* DRM-017 */
bool
ring_has_room(const struct engine *e, uint32_t dwords)
{
   uint32_t used = (e->ring.tail - e->ring.free_from) & (e->ring.size - 1);
   /* Twice: the padding up to the end may be as long as the request. A full ring looks empty, so
    * one line stays free. */
   return used + 8 * dwords + 64 <= e->ring.size;
}

static void
emit(struct ring *r, uint32_t dw)
{
   r->host[r->tail / 4] = dw;
   r->tail = (r->tail + 4) & (r->size - 1);
}

static void
emit_dwords(struct ring *r, const uint32_t *dw, unsigned count)
{
   for (unsigned i = 0; i < count; i++)
      emit(r, dw[i]);
}

static void
emit_noop(struct ring *r)
{
   emit(r, GEN7_MI_NOOP_HEADER);
}

static void
emit_lri(struct ring *r, uint32_t reg, uint32_t value)
{
   uint32_t dw[GEN7_MI_LOAD_REGISTER_IMM_LENGTH];
   gen7_mi_load_register_imm_pack(
       dw, &(struct hw_mi_load_register_imm){.register_offset = reg, .data_dword = value});
   emit_dwords(r, dw, GEN7_MI_LOAD_REGISTER_IMM_LENGTH);
}

/* Without its last dword, the upper half of the immediate data: the post-sync write is a dword. The
 * length field is the lowest of the header. */
static void
emit_pipe_control(struct ring *r, const struct hw_pipe_control *v)
{
   uint32_t dw[GEN7_PIPE_CONTROL_LENGTH];
   gen7_pipe_control_pack(dw, v);
   dw[0]--;
   emit_dwords(r, dw, GEN7_PIPE_CONTROL_LENGTH - 1);
}

static void
emit_flush_dw(struct ring *r, const struct hw_mi_flush_dw *v)
{
   uint32_t dw[GEN7_MI_FLUSH_DW_LENGTH];
   gen7_mi_flush_dw_pack(dw, v);
   dw[0]--;
   emit_dwords(r, dw, GEN7_MI_FLUSH_DW_LENGTH - 1);
}

static void
emit_invalidate(struct kernel *k, struct engine *e)
{
   struct ring *r = &e->ring;
   if (e->id == KERNEL_RCS) {
      emit_pipe_control(r, &(struct hw_pipe_control){.command_streamer_stall_enable = true,
                                                     .stall_at_pixel_scoreboard = true});
      emit_pipe_control(
          r, &(struct hw_pipe_control){
                 .command_streamer_stall_enable = true,
                 .tlb_invalidate = true,
                 .instruction_cache_invalidate_enable = true,
                 .texture_cache_invalidation_enable = true,
                 .vf_cache_invalidation_enable = true,
                 .constant_cache_invalidation_enable = true,
                 .state_cache_invalidation_enable = true,
                 .generic_media_state_clear = true,
                 .post_sync_operation = GEN7_PIPE_CONTROL_POST_SYNC_OPERATION_WRITE_IMMEDIATE_DATA,
                 .destination_address_type = true,
                 .address = (uint32_t)k->scratch_ggtt});
      return;
   }
   emit_flush_dw(
       r, &(struct hw_mi_flush_dw){.store_data_index = true,
                                   .post_sync_operation =
                                       GEN7_MI_FLUSH_DW_POST_SYNC_OPERATION_WRITE_IMMEDIATE_DATA,
                                   .tlb_invalidate = true,
                                   .video_pipeline_cache_invalidate = e->id == KERNEL_VCS,
                                   .address = HWS_SCRATCH,
                                   .destination_address_type = true});
   emit_noop(r);
}

static void
emit_directory(struct kernel *k, struct engine *e, struct vm *vm)
{
   struct ring *r = &e->ring;
   emit_lri(r, e->base + ENGINE_PP_DCLV, ~0u);
   emit_lri(r, e->base + ENGINE_PP_DIR_BASE, vm_pp_dir_base(vm));
   uint32_t dw[GEN7_MI_STORE_REGISTER_MEM_LENGTH];
   gen7_mi_store_register_mem_pack(
       dw, &(struct hw_mi_store_register_mem){.use_global_gtt = true,
                                              .register_address = e->base + ENGINE_PP_DIR_BASE,
                                              .memory_address = (uint32_t)k->scratch_ggtt + 0x80});
   emit_dwords(r, dw, GEN7_MI_STORE_REGISTER_MEM_LENGTH);
   emit_lri(r, e->base + ENGINE_INSTPM, ENABLE(REG_RCS_INSTPM__TLB_INVALIDATE));
   e->vm = vm;
}

static void
emit_arbitration(struct ring *r, bool on)
{
   uint32_t dw[GEN7_MI_ARB_ON_OFF_LENGTH];
   gen7_mi_arb_on_off_pack(dw, &(struct hw_mi_arb_on_off){.arbitration_enable = on});
   emit_dwords(r, dw, GEN7_MI_ARB_ON_OFF_LENGTH);
}

static void
emit_context(struct engine *e, struct context *ctx, bool restore_inhibit)
{
   struct ring *r = &e->ring;
   uint32_t dw[GEN7_MI_SET_CONTEXT_LENGTH];
   gen7_mi_set_context_pack(
       dw, &(struct hw_mi_set_context){.logical_context_address = (uint32_t)ctx->image_ggtt,
                                       .extended_state_save_enable = true,
                                       .extended_state_restore_enable = true,
                                       .restore_inhibit = restore_inhibit});
   emit_arbitration(r, false);
   emit_noop(r);
   emit_dwords(r, dw, GEN7_MI_SET_CONTEXT_LENGTH);
   emit_noop(r);
   emit_arbitration(r, true);
   e->current = ctx;
}

static void
emit_batch(struct ring *r, uint32_t address, bool secure)
{
   uint32_t dw[GEN7_MI_BATCH_BUFFER_START_LENGTH];
   gen7_mi_batch_buffer_start_pack(
       dw, &(struct hw_mi_batch_buffer_start){.address_space_indicator = !secure,
                                              .buffer_start_address = address});
   emit_dwords(r, dw, GEN7_MI_BATCH_BUFFER_START_LENGTH);
}

static void
emit_store_index(struct ring *r, uint32_t offset, uint32_t value)
{
   uint32_t dw[GEN7_MI_STORE_DATA_INDEX_LENGTH];
   gen7_mi_store_data_index_pack(
       dw, &(struct hw_mi_store_data_index){.offset = offset, .data_dword_0 = value});
   emit_dwords(r, dw, GEN7_MI_STORE_DATA_INDEX_LENGTH);
}

static void
emit_breadcrumb(struct engine *e, uint32_t seqno)
{
   struct ring *r = &e->ring;
   if (e->id == KERNEL_RCS) {
      emit_pipe_control(
          r, &(struct hw_pipe_control){
                 .render_target_cache_flush_enable = true,
                 .depth_cache_flush_enable = true,
                 .dc_flush_enable = true,
                 .pipe_control_flush_enable = true,
                 .command_streamer_stall_enable = true,
                 .post_sync_operation = GEN7_PIPE_CONTROL_POST_SYNC_OPERATION_WRITE_IMMEDIATE_DATA,
                 .destination_address_type = true,
                 .address = (uint32_t)e->hws_ggtt + HWS_SEQNO,
                 .immediate_data_low = seqno});
      emit(r, GEN7_MI_USER_INTERRUPT_HEADER);
      emit_noop(r);
      return;
   }
   emit_flush_dw(
       r, &(struct hw_mi_flush_dw){.store_data_index = true,
                                   .post_sync_operation =
                                       GEN7_MI_FLUSH_DW_POST_SYNC_OPERATION_WRITE_IMMEDIATE_DATA,
                                   .address = HWS_SEQNO,
                                   .destination_address_type = true,
                                   .immediate_data_low = seqno});
   for (int i = 0; i < 32; i++)
      emit_store_index(r, HWS_SEQNO, seqno);
   emit_flush_dw(r, &(struct hw_mi_flush_dw){0});
   emit(r, GEN7_MI_USER_INTERRUPT_HEADER);
   emit_noop(r);
}

/* No command may lie across the ring's end: what is left there is filled with nothing. (DRM-017) */
static void
ring_begin(struct ring *r, uint32_t bytes)
{
   if (r->size - r->tail >= bytes)
      return;
   while (r->tail)
      emit_noop(r);
}

void
ring_emit_request(struct kernel *k, struct engine *e, struct request *q)
{
   struct ring *r = &e->ring;
   ring_begin(r, 4 * REQUEST_DWORDS);
   q->ring_begin = r->tail;
   emit_invalidate(k, e);
   if (e->vm != q->vm)
      emit_directory(k, e, q->vm);
   if (e->id == KERNEL_RCS && e->current != q->ctx) {
      context_unref(q->previous); /* after a reset it may be here for the second time */
      q->previous = e->current ? context_ref(e->current) : NULL; /* DRM-105 */
      emit_context(e, q->ctx, false);
   }
   if (q->sol_reset) {
      for (unsigned i = 0; i < 4; i++)
         emit_lri(r, REG_SO_WRITE_OFFSET_0 + 4 * i, 0);
   }
   if (!q->zombie)
      emit_batch(r, q->first, q->first_secure);
   if (q->has_second)
      emit_batch(r, q->second, false);
   q->ring_postfix = r->tail;
   q->seqno = ++e->seqno;
   emit_breadcrumb(e, q->seqno);
   if (r->tail & 7)
      emit_noop(r);
   q->ring_end = r->tail;
   __atomic_thread_fence(__ATOMIC_RELEASE);
   if (dump_wanted(k))
      dump_before(k, e, q, r->tail);
   bus_write(k, e->base + ENGINE_RING_BUFFER_TAIL, r->tail);
}

#define RECORD_BUDGET 1000000u

/* A context that nothing has touched is saved once; every new context begins as a copy of it, so
 * that what one programs never shows in another. Before the device has its thread. */
int
engines_record_defaults(struct kernel *k)
{
   struct engine *e = &k->engine[KERNEL_RCS];
   struct context *fresh = context_create(k, k->kernel_vm);
   if (!fresh)
      return -ENOMEM;
   emit_context(e, fresh, true);
   emit_context(e, k->kernel_context, true);
   bus_write(k, e->base + ENGINE_RING_BUFFER_TAIL, e->ring.tail);
   pergola_run(k->dev, RECORD_BUDGET);
   e->ring.free_from = e->ring.tail;
   void *image = k->memory.host + (fresh->image_physical - k->memory.physical);
   k->default_image = malloc(CONTEXT_IMAGE_SIZE);
   if (k->default_image)
      memcpy(k->default_image, image, CONTEXT_IMAGE_SIZE);
   context_unref(fresh);
   if (!k->default_image)
      return -ENOMEM;
   memcpy(k->memory.host + (k->kernel_context->image_physical - k->memory.physical),
          k->default_image, CONTEXT_IMAGE_SIZE);
   return 0;
}
