/* Engines: start-up, and what surrounds a batch on the ring, as i915 does it on Gen7. */
#include "kernel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Registers, relative to the engine. */
#define RING_TAIL 0x30u
#define RING_HEAD 0x34u
#define RING_START 0x38u
#define RING_CTL 0x3cu
#define RING_HWSTAM 0x98u
#define RING_MI_MODE 0x9cu
#define RING_IMR 0xa8u
#define RING_INSTPM 0xc0u
#define RING_PP_DCLV 0x220u
#define RING_PP_DIR_BASE 0x228u
#define RING_GFX_MODE 0x29cu
#define HWS_PGA(engine) (0x4080u + 0x100u * (unsigned)(engine))
#define SO_WRITE_OFFSET(i) (0x5280u + 4u * (i))

#define STOP_RING 0x0100u
#define ENABLE(bits) ((bits) << 16 | (bits))
#define DISABLE(bits) ((bits) << 16)

/* Commands. */
#define MI_NOOP 0u
#define MI_USER_INTERRUPT (0x02u << 23)
#define MI_ARB_ON_OFF (0x08u << 23)
#define MI_SET_CONTEXT (0x18u << 23)
#define MI_STORE_DWORD_INDEX (0x21u << 23 | 1)
#define MI_LOAD_REGISTER_IMM(n) (0x22u << 23 | (2u * (n)-1))
#define MI_STORE_REGISTER_MEM_GGTT (0x24u << 23 | 1u << 22 | 1)
#define MI_FLUSH_DW (0x26u << 23 | 1)
#define MI_BATCH_BUFFER_START (0x31u << 23)
#define MI_BATCH_NON_SECURE (1u << 8)
#define PIPE_CONTROL 0x7a000002u

#define PC_DEPTH_FLUSH (1u << 0)
#define PC_SCOREBOARD_STALL (1u << 1)
#define PC_STATE_INVALIDATE (1u << 2)
#define PC_CONSTANT_INVALIDATE (1u << 3)
#define PC_VF_INVALIDATE (1u << 4)
#define PC_DC_FLUSH (1u << 5)
#define PC_FLUSH_ENABLE (1u << 7)
#define PC_TEXTURE_INVALIDATE (1u << 10)
#define PC_INSTRUCTION_INVALIDATE (1u << 11)
#define PC_RENDER_FLUSH (1u << 12)
#define PC_WRITE_IMMEDIATE (1u << 14)
#define PC_MEDIA_STATE_CLEAR (1u << 16)
#define PC_TLB_INVALIDATE (1u << 18)
#define PC_CS_STALL (1u << 20)
#define PC_GGTT (1u << 24)

#define FLUSH_STORE_INDEX (1u << 21)
#define FLUSH_TLB (1u << 18)
#define FLUSH_WRITE (1u << 14)
#define FLUSH_BSD (1u << 7)
#define FLUSH_GGTT (1u << 2)

#define HWS_SCRATCH 0x200u

#define RING_SIZE 0x10000u
static const uint32_t bases[ENGINES] = {0x2000, 0x12000, 0x22000};

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
   /* What the kernel driver sets on this part before it uses the engines. */
   static const struct {
      uint32_t reg, value;
   } w[] = {
       {0x4030, ENABLE(1u << 5)},                   /* ARB_MODE: swizzle control, no effect here */
       {0xb01c, 0x3c47ff8c},                        /* L3CNTLREG1 */
       {0xb030, 0x20000000},                        /* L3 chicken mode */
       {0x2084, ENABLE(1u << 10)},                  /* constant buffer, VF chicken */
       {0x44014, ~(1u << 0 | 1u << 12 | 1u << 22)}, /* GTIMR: the three user interrupts pass */
       {0x4401c, 1u << 0 | 1u << 12 | 1u << 22},    /* GTIER */
       {0x4400c, 1u << 31},                         /* DEIER: master */
   };
   for (size_t i = 0; i < sizeof(w) / sizeof(w[0]); i++)
      bus_write(k, w[i].reg, w[i].value);
}

void
engine_start(struct kernel *k, struct engine *e)
{
   static const uint32_t user_interrupt[ENGINES] = {1u << 0, 1u << 12, 1u << 22};
   uint32_t b = e->base;
   bus_write(k, b + RING_MI_MODE, ENABLE(STOP_RING));
   bus_write(k, b + RING_CTL, 0);
   bus_write(k, b + RING_HEAD, 0);
   bus_write(k, b + RING_TAIL, 0);
   bus_write(k, HWS_PGA(e->id), (uint32_t)e->hws_ggtt);
   bus_write(k, b + RING_HWSTAM, ~0u);
   bus_write(k, b + RING_INSTPM, ENABLE(1u << 5 | 1u << 9));
   bus_write(k, b + RING_START, (uint32_t)e->ring.ggtt);
   bus_write(k, b + RING_PP_DCLV, ~0u);
   bus_write(k, b + RING_PP_DCLV + 4, ~0u);
   bus_write(k, b + RING_PP_DIR_BASE, vm_pp_dir_base(k->kernel_vm));
   bus_write(k, b + RING_GFX_MODE, ENABLE(1u << 9));
   bus_write(k, b + RING_IMR, ~user_interrupt[e->id]);
   bus_write(k, b + RING_HEAD, 0);
   bus_write(k, b + RING_TAIL, 0);
   bus_write(k, b + RING_CTL, (RING_SIZE - 4096) | 1);
   bus_write(k, b + RING_MI_MODE, DISABLE(STOP_RING));
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
emit_lri(struct ring *r, uint32_t reg, uint32_t value)
{
   emit(r, MI_LOAD_REGISTER_IMM(1));
   emit(r, reg);
   emit(r, value);
}

static void
emit_pipe_control(struct ring *r, uint32_t flags, uint32_t address, uint32_t value)
{
   emit(r, PIPE_CONTROL);
   emit(r, flags);
   emit(r, address);
   emit(r, value);
}

static void
emit_invalidate(struct kernel *k, struct engine *e)
{
   struct ring *r = &e->ring;
   if (e->id == KERNEL_RCS) {
      emit_pipe_control(r, PC_CS_STALL | PC_SCOREBOARD_STALL, 0, 0);
      emit_pipe_control(r,
                        PC_CS_STALL | PC_TLB_INVALIDATE | PC_INSTRUCTION_INVALIDATE |
                            PC_TEXTURE_INVALIDATE | PC_VF_INVALIDATE | PC_CONSTANT_INVALIDATE |
                            PC_STATE_INVALIDATE | PC_MEDIA_STATE_CLEAR | PC_WRITE_IMMEDIATE |
                            PC_GGTT,
                        (uint32_t)k->scratch_ggtt, 0);
      return;
   }
   emit(r, MI_FLUSH_DW | FLUSH_STORE_INDEX | FLUSH_WRITE | FLUSH_TLB |
               (e->id == KERNEL_VCS ? FLUSH_BSD : 0));
   emit(r, HWS_SCRATCH | FLUSH_GGTT);
   emit(r, 0);
   emit(r, MI_NOOP);
}

static void
emit_directory(struct kernel *k, struct engine *e, struct vm *vm)
{
   struct ring *r = &e->ring;
   emit_lri(r, e->base + RING_PP_DCLV, ~0u);
   emit_lri(r, e->base + RING_PP_DIR_BASE, vm_pp_dir_base(vm));
   emit(r, MI_STORE_REGISTER_MEM_GGTT);
   emit(r, e->base + RING_PP_DIR_BASE);
   emit(r, (uint32_t)k->scratch_ggtt + 0x80);
   emit_lri(r, e->base + RING_INSTPM, ENABLE(1u << 9));
   e->vm = vm;
}

#define CONTEXT_MEMORY_SPACE (1u << 8)
#define CONTEXT_SAVE_EXTENDED (1u << 3)
#define CONTEXT_RESTORE_EXTENDED (1u << 2)
#define CONTEXT_RESTORE_INHIBIT (1u << 0)

static void
emit_context(struct engine *e, struct context *ctx, uint32_t flags)
{
   struct ring *r = &e->ring;
   emit(r, MI_ARB_ON_OFF);
   emit(r, MI_NOOP);
   emit(r, MI_SET_CONTEXT);
   emit(r, (uint32_t)ctx->image_ggtt | CONTEXT_MEMORY_SPACE | CONTEXT_SAVE_EXTENDED |
               CONTEXT_RESTORE_EXTENDED | flags);
   emit(r, MI_NOOP);
   emit(r, MI_ARB_ON_OFF | 1);
   e->current = ctx;
}

static void
emit_batch(struct ring *r, uint32_t address, bool secure)
{
   emit(r, MI_BATCH_BUFFER_START | (secure ? 0 : MI_BATCH_NON_SECURE));
   emit(r, address);
}

static void
emit_breadcrumb(struct engine *e, uint32_t seqno)
{
   struct ring *r = &e->ring;
   if (e->id == KERNEL_RCS) {
      emit_pipe_control(r,
                        PC_RENDER_FLUSH | PC_DEPTH_FLUSH | PC_DC_FLUSH | PC_FLUSH_ENABLE |
                            PC_WRITE_IMMEDIATE | PC_GGTT | PC_CS_STALL,
                        (uint32_t)e->hws_ggtt + HWS_SEQNO, seqno);
      emit(r, MI_USER_INTERRUPT);
      emit(r, MI_NOOP);
      return;
   }
   emit(r, MI_FLUSH_DW | FLUSH_STORE_INDEX | FLUSH_WRITE);
   emit(r, HWS_SEQNO | FLUSH_GGTT);
   emit(r, seqno);
   for (int i = 0; i < 32; i++) {
      emit(r, MI_STORE_DWORD_INDEX);
      emit(r, HWS_SEQNO);
      emit(r, seqno);
   }
   emit(r, MI_FLUSH_DW);
   emit(r, 0);
   emit(r, 0);
   emit(r, MI_USER_INTERRUPT);
   emit(r, MI_NOOP);
}

/* No command may lie across the ring's end: what is left there is filled with nothing. */
static void
ring_begin(struct ring *r, uint32_t bytes)
{
   if (r->size - r->tail >= bytes)
      return;
   while (r->tail)
      emit(r, MI_NOOP);
}

void
ring_emit_request(struct kernel *k, struct engine *e, struct request *q)
{
   struct ring *r = &e->ring;
   ring_begin(r, 4 * REQUEST_DWORDS);
   emit_invalidate(k, e);
   if (e->vm != q->vm)
      emit_directory(k, e, q->vm);
   if (e->id == KERNEL_RCS && e->current != q->ctx) {
      context_unref(q->previous); /* after a reset it may be here for the second time */
      q->previous = e->current ? context_ref(e->current) : NULL;
      emit_context(e, q->ctx, 0);
   }
   if (q->sol_reset) {
      emit(r, MI_LOAD_REGISTER_IMM(4));
      for (unsigned i = 0; i < 4; i++) {
         emit(r, SO_WRITE_OFFSET(i));
         emit(r, 0);
      }
      emit(r, MI_NOOP);
   }
   if (!q->zombie)
      emit_batch(r, q->first, q->first_secure);
   if (q->has_second)
      emit_batch(r, q->second, false);
   q->seqno = ++e->seqno;
   emit_breadcrumb(e, q->seqno);
   if (r->tail & 7)
      emit(r, MI_NOOP);
   q->ring_end = r->tail;
   __atomic_thread_fence(__ATOMIC_RELEASE);
   bus_write(k, e->base + RING_TAIL, r->tail);
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
   emit_context(e, fresh, CONTEXT_RESTORE_INHIBIT);
   emit_context(e, k->kernel_context, CONTEXT_RESTORE_INHIBIT);
   bus_write(k, e->base + RING_TAIL, e->ring.tail);
   pergola_run(k->device.dev, RECORD_BUDGET);
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
