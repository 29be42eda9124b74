/* Thread groups: their place in the machine, shared local memory, barrier, and the loop that runs
 * their threads in turn on one host thread. */
#include "media/start.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define GROUP_SLICE 4096u /* instructions of one thread before the next one has its turn */

struct group_worker *
group_worker_create(struct media *m)
{
   struct group_worker *w = aligned_alloc(64, sizeof(*w));
   if (!w)
      return NULL;
   memset(w, 0, sizeof(*w));
   size_t size = (GROUP_MAX_THREADS + 1) * sizeof(struct eu_thread);
   w->m = m;
   w->threads = aligned_alloc(64, size);
   w->buffers = calloc(1, sizeof(*w->buffers));
   if (!w->threads || !w->buffers) {
      group_worker_destroy(w);
      return NULL;
   }
   memset(w->threads, 0, size);
   w->fresh = &w->threads[GROUP_MAX_THREADS];
   w->group.dev = m->dev;
   w->group.threads = w->pointer;
   return w;
}

void
group_worker_destroy(struct group_worker *w)
{
   free(w->threads);
   free(w->buffers);
   free(w);
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

static uint32_t
first_constant(const struct kernel_state *k)
{
   return VFE_DESCRIPTOR_ROWS + k->d.constant_urb_entry_read_offset;
}

void
group_prepare(struct group_worker *w, const struct gpgpu_payload *p)
{
   struct media *m = w->m;
   const struct kernel_state *k = p->kernel;
   w->payload = p;
   w->channels = 0;
   for (unsigned i = 0; i < p->layout->threads; i++)
      w->channels += (unsigned)__builtin_popcount(p->mask[i]);
   w->rows = k->d.constant_urb_entry_read_length;
   if (w->rows > EU_GRF_COUNT - 1)
      w->rows = EU_GRF_COUNT - 1;
   w->constants = urb_row(&m->urb, first_constant(k),
                          k->d.constant_urb_entry_read_length * p->layout->threads);
   thread_prepare(m, w->fresh, p->env, k);
   w->fresh->group = &w->group;
   w->again = NULL;
   w->needs = 0;
   w->fresh->buffers = w->buffers;
   sf_buffers_walk(w->buffers, p->walk);
   eu_thread_mark(w->fresh, 0, 1 + w->rows);
   w->r0[3] = k->d.sampler_state_pointer | m->vfe.state.per_thread_scratch_space;
   w->r0[4] = k->d.binding_table_pointer;
}

/* Where the group's first thread goes, and its part of R0 (MEDIA-248). */
static void
begin_threads(struct group_worker *w, uint64_t ordinal)
{
   const struct gpgpu_payload *p = w->payload;
   const struct group_layout *l = p->layout;
   const struct eu_group *g = &w->group;
   const struct vfe *vfe = &w->m->vfe;
   unsigned eus = w->m->dev->sku.eus_per_half_slice;
   unsigned number = w->slot / l->half_slices * l->threads;
   w->place.eu = number % eus;
   w->place.slot = number / eus % 8;
   /* MEDIA-211: below the thread count, unique among threads in flight. */
   w->place.fftid = w->slot * l->threads & 0xff;
   w->next_id = (uint32_t)ordinal * l->threads;
   w->next_handle = vfe->handle_count ? (p->first_thread + w->next_id) % vfe->handle_count : 0;
   unsigned block = g->slm ? (unsigned)(g->slm - w->m->slm[w->place.half_slice]) / SLM_BLOCK : 0;
   w->r0[0] = block << 24;
   w->r0[1] = g->id[0];
   /* MEDIA-253: the id lies where BarrierMsg expects it. */
   w->r0[2] = (uint32_t)g->barrier_enabled << 29 | (uint32_t)(g->slm != NULL) << 28 |
              (uint32_t)g->barrier_id << 24 | p->kernel->index << 4;
   w->r0[6] = g->id[1];
   w->r0[7] = g->id[2];
   for (unsigned i = 0; i < l->threads; i++)
      w->spare[i] = &w->threads[l->threads - 1 - i];
   w->spares = l->threads;
}

void
group_begin(struct group_worker *w, unsigned slot, const uint32_t id[3], uint64_t ordinal)
{
   struct media *m = w->m;
   const struct gpgpu_payload *p = w->payload;
   const struct group_layout *l = p->layout;
   struct eu_group *g = &w->group;
   unsigned index = slot / l->half_slices;
   w->place.half_slice = l->first_half_slice + slot % l->half_slices;
   w->slot = slot;
   w->ended = 0;
   g->slm_size_B = l->slm_blocks * SLM_BLOCK;
   /* MEDIA-203: the lowest unused block; MEDIA-206: an unused barrier. Places are taken in turn. */
   unsigned block = p->slm_block >= 0 ? (unsigned)p->slm_block : index * l->slm_blocks;
   g->slm = l->slm_blocks ? m->slm[w->place.half_slice] + block * SLM_BLOCK : NULL;
   g->barrier_enabled = l->barrier;
   g->barrier_id = l->barrier ? (uint8_t)index : 0;
   g->barrier_count = l->barrier_count;
   g->barrier_arrived = 0;
   g->barrier_waiting = 0;
   g->released = 0;
   g->thread_count = g->unmade = l->threads;
   memcpy(g->id, id, sizeof(g->id));
   memset(g->state, GROUP_READY, l->threads);
   begin_threads(w, ordinal);
   w->dispatched += w->channels; /* RCS-049: the channels that are active, of both halves at once. */
   if (trace_wants(&m->dev->trace, PERGOLA_EVENT_DISPATCH)) /* a group is dispatched as a whole */
      group_make_all(g);
}

/* MEDIA-248: R0 of a GPGPU thread, written as dwords: this runs once per thread. */
static void
make_header(struct group_worker *w, uint32_t *r0)
{
   const struct vfe *vfe = &w->m->vfe;
   unsigned fftid = w->place.fftid;
   memcpy(r0, w->r0, sizeof(w->r0));
   /* MEDIA-294: without entries the handle is 0. */
   if (vfe->handle_count)
      r0[0] |= vfe->handle[w->next_handle];
   r0[2] |= ((w->payload->dispatch_key + w->next_id) & 0xff) << 16; /* MEDIA-255: 8 bits of key */
   r0[5] = scratch_pointer(w->m, fftid) | fftid;
}

/* MEDIA-082 */
static void
load_indirect(struct group_worker *w, struct eu_thread *t, const struct gpgpu_objects *o)
{
   unsigned rows = o->indirect_rows[t->group_index];
   if (rows > EU_GRF_COUNT - 1 - w->rows)
      rows = EU_GRF_COUNT - 1 - w->rows;
   if (!rows)
      return;
   memcpy(eu_grf(t, 1 + w->rows),
          o->indirect + (size_t)t->group_index * OBJECT_INDIRECT_ROWS * EU_REG_SIZE,
          (size_t)rows * EU_REG_SIZE);
   eu_thread_mark(t, 1 + w->rows, rows);
}

static void
load_payload(struct group_worker *w, struct eu_thread *t)
{
   const struct kernel_state *k = w->payload->kernel;
   make_header(w, eu_grf(t, 0));
   /* MEDIA-110: dispatch n of a group reads section n. */
   unsigned row = t->group_index * k->d.constant_urb_entry_read_length;
   if (w->constants && w->needs && t->dispatch_mask == w->need_channels)
      for (unsigned i = 0; i < w->needs; i++)
         memcpy(eu_grf(t, 1u + w->need[i]), w->constants + (row + w->need[i]) * URB_ROW_SIZE, EU_REG_SIZE);
   else if (w->constants)
      memcpy(eu_grf(t, 1), w->constants + row * URB_ROW_SIZE, w->rows * EU_REG_SIZE);
   else if (w->rows)
      urb_read(&w->m->urb, (first_constant(k) + row) * (uint64_t)URB_ROW_SIZE, eu_grf(t, 1),
               w->rows * EU_REG_SIZE);
   if (w->payload->objects)
      load_indirect(w, t, w->payload->objects);
}

static void
advance_place(struct group_worker *w)
{
   w->next_id++;
   w->place.fftid = (w->place.fftid + 1) & 0xff;
   if (++w->place.eu == w->m->dev->sku.eus_per_half_slice) {
      w->place.eu = 0;
      w->place.slot = (w->place.slot + 1) % 8;
   }
   if (++w->next_handle >= w->m->vfe.handle_count)
      w->next_handle = 0;
}

/* The first of the group's threads that is not there yet. It takes the memory of the one that ended last, which
 * is still in the host's cache. */
static void
make_thread(struct group_worker *w)
{
   struct media *m = w->m;
   const struct gpgpu_payload *p = w->payload;
   unsigned index = w->group.thread_count - w->group.unmade--;
   struct eu_thread *t = w->pointer[index] = w->spare[--w->spares];
   if (t == w->again)
      eu_series_again(t, w->fresh);
   else
      eu_thread_copy(t, w->fresh);
   w->again = NULL;
   thread_start(m, t, p->mask[index], &w->place);
   t->group_index = (uint8_t)index;
   t->id = w->next_id;
   load_payload(w, t);
   advance_place(w);
   if (trace_wants(&m->dev->trace, PERGOLA_EVENT_DISPATCH))
      trace_emit(&m->dev->trace, &(struct pergola_event){
                                    .kind = PERGOLA_EVENT_DISPATCH,
                                    .engine = "TS",
                                    .time_ns = m->dev->time_ns,
                                    .a = p->env->instruction_base + p->kernel->d.kernel_start_pointer,
                                    .b = t->id,
                                 });
}

void
group_make_all(struct eu_group *g)
{
   struct group_worker *w =
      (struct group_worker *)(void *)((uint8_t *)g - offsetof(struct group_worker, group));
   while (g->unmade)
      make_thread(w);
}

static void
thread_ended(struct group_worker *w, unsigned index)
{
   struct media *m = w->m;
   struct eu_thread *t = w->pointer[index];
   w->group.state[index] = GROUP_ENDED;
   w->ended++;
   w->spare[w->spares++] = t;
   /* The next one runs the same, most likely. Written only when new: copying it right after would have to wait
    * for all stores before this one. */
   if (w->fresh->kernel != t->kernel || w->fresh->kernel_generation != t->kernel_generation) {
      w->fresh->kernel = t->kernel;
      w->fresh->kernel_generation = t->kernel_generation;
   }
   thread_keep_notifications(m, t);
   if (trace_wants(&m->dev->trace, PERGOLA_EVENT_THREAD_END))
      trace_emit(&m->dev->trace, &(struct pergola_event){
                                    .kind = PERGOLA_EVENT_THREAD_END,
                                    .engine = "TS",
                                    .time_ns = m->dev->time_ns,
                                    .a = t->instructions,
                                    .b = t->id,
                                 });
}

static struct rule_place
place_of_kernel(const struct group_worker *w, const char *subject)
{
   const struct gpgpu_payload *p = w->payload;
   return (struct rule_place){.engine = "TS",
                              .subject = subject,
                              .has_address = true,
                              .address = p->env->instruction_base + p->kernel->d.kernel_start_pointer};
}

static void
check_release(struct group_worker *w, unsigned index)
{
   /* MEDIA-261: the thread spawner hears of an end only by a message of its own. */
   if (w->group.released >> index & 1)
      return;
   struct rule_place place = place_of_kernel(w, "end of thread");
   rule_report(w->m->dev, PERGOLA_ERROR, "MEDIA-261", &place,
               "a thread ended without a dereference message to the thread spawner; its resources "
               "are taken back all the same");
}

/* All threads that are left wait, and nobody is left to wake them. */
static void
group_give_up(struct group_worker *w)
{
   struct eu_group *g = &w->group;
   uint64_t waiting = 0, ended = 0;
   for (unsigned i = 0; i < g->thread_count && i < GROUP_MAX_THREADS; i++) {
      waiting |= (uint64_t)(g->state[i] == GROUP_WAITING) << i;
      ended |= (uint64_t)(g->state[i] == GROUP_ENDED) << i;
   }
   struct rule_place place = place_of_kernel(w, "thread group");
   place.field = "barrier";
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

static bool
notified(const struct eu_thread *t)
{
   return t->n0[0] || t->n0[1] || t->n0[2];
}

/* One turn of one thread. True: it did something. */
static bool
group_step(struct group_worker *w, unsigned index, int64_t *budget)
{
   struct eu_thread *t = w->pointer[index];
   struct eu_group *g = &w->group;
   uint64_t before = t->instructions;
   uint32_t ip = t->ip;
   bool waited = g->state[index] == GROUP_WAITING;
   if (waited && !notified(t))
      return false;
   uint64_t slice = *budget < (int64_t)GROUP_SLICE ? (uint64_t)*budget : GROUP_SLICE;
   enum eu_stop stop = w->m->run(t, slice);
   uint64_t used = t->instructions - before;
   *budget -= (int64_t)(used ? used : 1);
   switch (stop) {
   case EU_STOP_EOT:
      check_release(w, index);
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

/* Drivers give every thread all constants; most kernels read a few rows of them. */
static void
find_needs(struct group_worker *w, const struct eu_series *s)
{
   unsigned count = 0;
   w->needs = 0;
   w->need_channels = s->channels;
   for (unsigned row = 0; row < w->rows; row++) {
      unsigned reg = row + 1;
      if (!(s->needs[reg / 64] >> reg % 64 & 1))
         continue;
      if (count == sizeof(w->need))
         return;
      w->need[count++] = (uint8_t)row;
   }
   w->needs = count;
}

/* Threads that do not wait for each other, each from its beginning to its end. Leaves the rest to the turns. */
static void
run_series(struct group_worker *w, int64_t *budget)
{
   struct eu_group *g = &w->group;
   struct eu_series s;
   if (w->m->run != eu_run_inside || !eu_series_begin(&s, w->fresh))
      return;
   find_needs(w, &s);
   while (g->unmade && *budget >= (int64_t)GROUP_SLICE && !rules_stopped(w->m->dev)) {
      unsigned index = g->thread_count - g->unmade;
      make_thread(w);
      struct eu_thread *t = w->pointer[index];
      enum eu_stop stop = eu_series_run(&s, t, GROUP_SLICE);
      *budget -= (int64_t)t->instructions;
      if (stop != EU_STOP_EOT && stop != EU_STOP_FAULT) {
         g->state[index] = stop == EU_STOP_WAIT ? GROUP_WAITING : GROUP_READY;
         break;
      }
      if (stop == EU_STOP_EOT)
         check_release(w, index);
      thread_ended(w, index);
      if (stop == EU_STOP_EOT)
         w->again = t;
   }
   w->needs = 0;
}

bool
group_run(struct group_worker *w, int64_t *budget)
{
   struct eu_group *g = &w->group;
   if (g->unmade == g->thread_count && !g->barrier_enabled)
      run_series(w, budget);
   while (w->ended < g->thread_count) {
      bool progress = false;
      for (unsigned i = 0; i < g->thread_count; i++) {
         if (g->state[i] == GROUP_ENDED)
            continue;
         if (*budget <= 0)
            return false;
         if (i + g->unmade == g->thread_count)
            make_thread(w);
         progress |= group_step(w, i, budget);
      }
      if (progress || w->ended == g->thread_count)
         continue;
      group_give_up(w);
   }
   return true;
}
