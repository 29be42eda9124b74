/* Thread groups: their place in the machine, shared local memory, barrier, and the loop that runs
 * their threads in turn on one host thread. */
#include "media/media_internal.h"

#include <stdlib.h>
#include <string.h>

#define GROUP_SLICE 4096u /* instructions of one thread before the next one has its turn */

bool
group_worker_init(struct group_worker *w, struct media *m)
{
   memset(w, 0, sizeof(*w));
   w->m = m;
   size_t size = GROUP_MAX_THREADS * sizeof(struct eu_thread);
   w->threads = aligned_alloc(64, (size + 63) & ~(size_t)63);
   w->buffers = calloc(1, sizeof(*w->buffers));
   if (!w->threads || !w->buffers) {
      group_worker_finish(w);
      return false;
   }
   memset(w->threads, 0, size);
   for (unsigned i = 0; i < GROUP_MAX_THREADS; i++)
      w->pointer[i] = &w->threads[i];
   w->group.dev = m->dev;
   w->group.threads = w->pointer;
   return true;
}

void
group_worker_finish(struct group_worker *w)
{
   free(w->threads);
   free(w->buffers);
   w->threads = NULL;
   w->buffers = NULL;
}

/* MEDIA-465: FF_MODE can send all threads to one half-slice. */
static void
choose_half_slices(const struct media *m, struct group_layout *l)
{
   uint32_t ff_mode = reg_get(m->dev, 0x20a0);
   unsigned mode = ff_mode >> 17 & 3;
   l->first_half_slice = 0;
   l->half_slices = m->dev->sku.half_slices;
   if (!(ff_mode >> 16 & 1) || (mode != 1 && mode != 2))
      return;
   if (mode == 2 && l->half_slices > 1)
      l->first_half_slice = 1;
   l->half_slices = 1;
}

void
group_layout_init(struct media *m, const struct kernel_state *k, unsigned threads,
                  struct group_layout *l)
{
   memset(l, 0, sizeof(*l));
   const struct pergola_sku *sku = &m->dev->sku;
   unsigned capacity = sku->eus_per_half_slice * sku->threads_per_eu;
   l->threads = threads;
   l->slm_blocks = k->slm_size_B / SLM_BLOCK;
   l->barrier = k->d.barrier_enable && k->d.number_of_threads_in_gpgpu_thread_group;
   l->barrier_count = k->d.number_of_threads_in_gpgpu_thread_group;
   choose_half_slices(m, l);
   unsigned per_half_slice = capacity / threads ? capacity / threads : 1;
   /* MEDIA-196 and MEDIA-199: each active group has one of 16 tracking slots, barrier or not. */
   if (per_half_slice > BARRIERS_PER_HALF_SLICE)
      per_half_slice = BARRIERS_PER_HALF_SLICE;
   /* MEDIA-203: 64 KiB of blocks of one size. */
   if (l->slm_blocks && per_half_slice > 16 / l->slm_blocks)
      per_half_slice = 16 / l->slm_blocks;
   l->slots = per_half_slice * l->half_slices;
   /* MEDIA-180: GPGPU threads count as roots. */
   if (l->slots * threads > m->vfe.max_threads)
      l->slots = m->vfe.max_threads / threads;
   if (!l->slots)
      l->slots = 1;
}

void
group_begin(struct group_worker *w, const struct gpgpu_payload *p, unsigned slot,
            const uint32_t id[3])
{
   struct media *m = w->m;
   const struct group_layout *l = p->layout;
   struct eu_group *g = &w->group;
   unsigned index = slot / l->half_slices;
   unsigned half_slice = l->first_half_slice + slot % l->half_slices;
   w->slot = slot;
   sf_buffers_walk(w->buffers, p->walk);
   w->ended = 0;
   g->slm_size_B = l->slm_blocks * SLM_BLOCK;
   /* MEDIA-203: the lowest unused block; MEDIA-206: an unused barrier. Places are taken in turn. */
   unsigned block = p->slm_block >= 0 ? (unsigned)p->slm_block : index * l->slm_blocks;
   g->slm = l->slm_blocks ? m->slm[half_slice] + block * SLM_BLOCK : NULL;
   g->barrier_enabled = l->barrier;
   g->barrier_id = l->barrier ? (uint8_t)index : 0;
   g->barrier_count = l->barrier_count;
   g->barrier_arrived = 0;
   g->barrier_waiting = 0;
   g->released = 0;
   g->thread_count = l->threads;
   memcpy(g->id, id, sizeof(g->id));
   memset(g->state, GROUP_READY, l->threads);
}

/* R0 of a GPGPU thread (MEDIA-248), written as dwords: this runs once per thread. */
static void
gpgpu_header(struct media *m, uint32_t *r0, const struct gpgpu_payload *p, const struct eu_group *g,
             unsigned slm_index, unsigned fftid, uint32_t key, uint16_t handle)
{
   const struct kernel_state *k = p->kernel;
   r0[0] = slm_index << 24 | handle;
   r0[1] = g->id[0];
   /* MEDIA-253: the id lies where BarrierMsg expects it. MEDIA-255: 8 bits of key. */
   r0[2] = (uint32_t)g->barrier_enabled << 29 | (uint32_t)(g->slm != NULL) << 28 |
           (uint32_t)g->barrier_id << 24 | (key & 0xff) << 16 | k->index << 4;
   r0[3] = k->d.sampler_state_pointer | m->vfe.state.per_thread_scratch_space;
   r0[4] = k->d.binding_table_pointer;
   r0[5] = scratch_pointer(m, fftid) | fftid;
   r0[6] = g->id[1];
   r0[7] = g->id[2];
}

void
group_thread_make(struct group_worker *w, const struct gpgpu_payload *p, unsigned index,
                  uint64_t ordinal, uint32_t mask)
{
   struct media *m = w->m;
   const struct group_layout *l = p->layout;
   const struct kernel_state *k = p->kernel;
   struct eu_thread *t = &w->threads[index];
   struct eu_group *g = &w->group;
   const struct pergola_sku *sku = &m->dev->sku;
   unsigned place = w->slot / l->half_slices;
   unsigned number = place * l->threads + index;
   struct thread_place at = {
      .half_slice = l->first_half_slice + w->slot % l->half_slices,
      .eu = number % sku->eus_per_half_slice,
      .slot = number / sku->eus_per_half_slice % 8,
      /* MEDIA-211: below the thread count, unique among threads in flight. */
      .fftid = (w->slot * l->threads + index) & 0xff,
   };
   thread_start(m, t, p->env, k, mask, &at);
   /* RCS-049: the channels that are active, of both halves at once. */
   __atomic_fetch_add((uint64_t *)&m->dev->mmio[REG_GPGPU_THREADS_DISPATCHED / 4],
                      (uint64_t)__builtin_popcount(mask), __ATOMIC_RELAXED);
   t->group = g;
   t->buffers = w->buffers;
   t->id = (uint32_t)(ordinal * l->threads + index);
   uint32_t nth = p->first_thread + t->id;
   /* MEDIA-294: without entries the handle is 0. */
   uint16_t handle = m->vfe.handle_count ? m->vfe.handle[nth % m->vfe.handle_count] : 0;
   unsigned block = g->slm ? (unsigned)(g->slm - m->slm[at.half_slice]) / SLM_BLOCK : 0;
   gpgpu_header(m, eu_grf(t, 0), p, g, block, at.fftid, p->dispatch_key + t->id, handle);
   /* MEDIA-110: dispatch n of a group reads section n. */
   unsigned rows = k->d.constant_urb_entry_read_length;
   if (rows > EU_GRF_COUNT - 1)
      rows = EU_GRF_COUNT - 1;
   uint64_t at_row = VFE_DESCRIPTOR_ROWS + k->d.constant_urb_entry_read_offset +
                     (uint64_t)index * k->d.constant_urb_entry_read_length;
   if (rows)
      urb_read(&m->urb, at_row * URB_ROW_SIZE, eu_grf(t, 1), rows * EU_REG_SIZE);
   unsigned extra = p->objects ? p->objects->indirect_rows[index] : 0; /* MEDIA-082 */
   if (extra > EU_GRF_COUNT - 1 - rows)
      extra = EU_GRF_COUNT - 1 - rows;
   if (extra)
      memcpy(eu_grf(t, 1 + rows),
             p->objects->indirect + (size_t)index * OBJECT_INDIRECT_ROWS * EU_REG_SIZE,
             (size_t)extra * EU_REG_SIZE);
   eu_thread_mark(t, 0, 1 + rows + extra);
   if (trace_wants(&m->dev->trace, PERGOLA_EVENT_DISPATCH))
      trace_emit(&m->dev->trace, &(struct pergola_event){
                                    .kind = PERGOLA_EVENT_DISPATCH,
                                    .engine = "TS",
                                    .time_ns = m->dev->time_ns,
                                    .a = p->env->instruction_base + k->d.kernel_start_pointer,
                                    .b = t->id,
                                 });
}

/* SF-169: the notification counts of the hardware thread outlive the software thread. */
static void
thread_ended(struct group_worker *w, unsigned index)
{
   struct media *m = w->m;
   struct eu_thread *t = &w->threads[index];
   w->group.state[index] = GROUP_ENDED;
   w->ended++;
   memcpy(m->n0[t->half_slice][t->eu][t->slot], t->n0, 3 * sizeof(uint32_t));
   if (trace_wants(&m->dev->trace, PERGOLA_EVENT_THREAD_END))
      trace_emit(&m->dev->trace, &(struct pergola_event){
                                    .kind = PERGOLA_EVENT_THREAD_END,
                                    .engine = "TS",
                                    .time_ns = m->dev->time_ns,
                                    .a = t->instructions,
                                    .b = t->id,
                                 });
}

static void
check_release(struct group_worker *w, const struct eu_env *env, unsigned index)
{
   /* MEDIA-261: the thread spawner hears of an end only by a message of its own. */
   if (w->group.released >> index & 1)
      return;
   struct rule_place place = {.engine = "TS",
                              .subject = "end of thread",
                              .has_address = true,
                              .address = env->instruction_base + w->threads[index].kernel_start};
   rule_report(w->m->dev, PERGOLA_ERROR, "MEDIA-261", &place,
               "a thread ended without a dereference message to the thread spawner; its resources "
               "are taken back all the same");
}

/* All threads that are left wait, and nobody is left to wake them. */
static void
group_give_up(struct group_worker *w, const struct eu_env *env)
{
   struct eu_group *g = &w->group;
   uint64_t waiting = 0, ended = 0;
   for (unsigned i = 0; i < g->thread_count && i < GROUP_MAX_THREADS; i++) {
      waiting |= (uint64_t)(g->state[i] == GROUP_WAITING) << i;
      ended |= (uint64_t)(g->state[i] == GROUP_ENDED) << i;
   }
   struct rule_place place = {.engine = "TS",
                              .subject = "thread group",
                              .field = "barrier",
                              .has_address = true,
                              .address = env->instruction_base + w->threads[0].kernel_start};
   rule_report(w->m->dev, PERGOLA_ERROR, "MEDIA-058", &place,
               "group (%u, %u, %u) can never go on: barrier %u expects %u messages, %u have come "
               "(threads %#llx); threads %#llx wait, threads %#llx have ended; the group is ended",
               g->id[0], g->id[1], g->id[2], g->barrier_id, g->barrier_count, g->barrier_arrived,
               (unsigned long long)g->barrier_waiting, (unsigned long long)waiting,
               (unsigned long long)ended);
   for (unsigned i = 0; i < g->thread_count; i++)
      if (waiting >> i & 1)
         thread_ended(w, i);
}

/* One turn of one thread. True: it did something. */
static bool
group_step(struct group_worker *w, const struct eu_env *env, unsigned index, int64_t *budget)
{
   struct eu_thread *t = &w->threads[index];
   struct eu_group *g = &w->group;
   uint64_t before = t->instructions;
   uint32_t ip = t->ip;
   bool waited = g->state[index] == GROUP_WAITING;
   uint64_t slice = *budget < (int64_t)GROUP_SLICE ? (uint64_t)*budget : GROUP_SLICE;
   enum eu_stop stop = w->m->run(t, slice);
   uint64_t used = t->instructions - before;
   *budget -= (int64_t)(used ? used : 1);
   switch (stop) {
   case EU_STOP_EOT:
      check_release(w, env, index);
      thread_ended(w, index);
      return true;
   case EU_STOP_FAULT:
      thread_ended(w, index);
      return true;
   case EU_STOP_WAIT:
      g->state[index] = GROUP_WAITING;
      return !waited || used > 1 || t->ip != ip;
   case EU_STOP_BUDGET:
   case EU_STOP_BREAK:
      break;
   }
   g->state[index] = GROUP_READY;
   return true;
}

bool
group_run(struct group_worker *w, const struct eu_env *env, int64_t *budget)
{
   struct eu_group *g = &w->group;
   while (w->ended < g->thread_count) {
      bool progress = false;
      for (unsigned i = 0; i < g->thread_count; i++) {
         if (g->state[i] == GROUP_ENDED)
            continue;
         if (*budget <= 0)
            return false;
         progress |= group_step(w, env, i, budget);
      }
      if (progress || w->ended == g->thread_count)
         continue;
      group_give_up(w, env);
   }
   return true;
}
