/* Thread groups: where they sit in the machine, and the loop that runs their threads in turn on one
 * host thread. */
#include "media/group.h"
#include "eu/observe.h"
#include "eu/series.h"
#include "rules/plural.h"

#include <stdlib.h>
#include <string.h>

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
   w->group.make_all = group_make_all;
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

#define TS_MODE(value) REG_FF_MODE__TS_THREAD_DISPATCH_MODE##value

/* MEDIA-465: FF_MODE can send all threads to one half-slice. */
static void
choose_half_slices(const struct media *m, struct group_layout *l)
{
   uint32_t ff_mode = reg_get(m->dev, REG_FF_MODE);
   unsigned mode = hw_get(ff_mode, TS_MODE());
   l->first_half_slice = 0;
   l->half_slices = m->dev->sku.half_slices;
   if (!(ff_mode & REG_FF_MODE__TS_THREAD_DISPATCH_OVERRIDE_ENABLE) ||
       (mode != TS_MODE(_HALF_SLICE_0) && mode != TS_MODE(_HALF_SLICE_1)))
      return;
   if (mode == TS_MODE(_HALF_SLICE_1) && l->half_slices > 1)
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

static void
group_thread_ended(struct group_worker *w, unsigned index)
{
   struct eu_thread *t = w->pointer[index];
   w->group.state[index] = GROUP_ENDED;
   if (t->kernel != w->fresh->kernel) /* what others leave behind is not known */
      w->rooms &= ~(UINT64_C(1) << (t - w->threads));
   w->ended++;
   w->spare[w->spares++] = t;
   /* The next one runs the same, most likely. Written only when new: copying it right after would
    * have to wait for all stores before this one. */
   if (w->fresh->kernel != t->kernel || w->fresh->kernel_generation != t->kernel_generation) {
      w->fresh->kernel = t->kernel;
      w->fresh->kernel_generation = t->kernel_generation;
   }
   thread_keep_notifications(w->start[index].n0, t);
   if (w->counted && w->group.barrier_enabled) {
      eu_group_clocks_add(&w->clocks, t);
      if (w->ended == w->group.thread_count)
         eu_tally_group(t, &w->clocks);
   }
   eu_announce_end(t, "TS");
}

static struct rule_place
place_of_kernel(const struct group_worker *w, const char *subject)
{
   const struct gpgpu_payload *p = w->payload;
   return (struct rule_place){.engine = "TS",
                              .subject = subject,
                              .has_address = true,
                              .address =
                                  p->env->instruction_base + p->kernel->d.kernel_start_pointer};
}

void
group_not_released(struct group_worker *w)
{
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
               "group (%u, %u, %u) can never go on: barrier %u expects %u message%s, %u %s come "
               "(threads %#llx); threads %#llx wait, threads %#llx have ended; %s",
               g->id[0], g->id[1], g->id[2], g->barrier_id, g->barrier_count,
               plural(g->barrier_count), g->barrier_arrived, have(g->barrier_arrived),
               (unsigned long long)g->barrier_waiting, (unsigned long long)waiting,
               (unsigned long long)ended,
               w->m->dev->config.deadlocks_hang ? "the engine stops" : "the group is ended");
   if (dispatch_stay_stuck(w->m->dev->dispatcher))
      return;
   for (unsigned i = 0; i < g->thread_count; i++)
      if (waiting >> i & 1)
         group_thread_ended(w, i);
}

static bool
notified(const struct eu_thread *t)
{
   return t->n0[0] || t->n0[1] || t->n0[2];
}

/* A turn of the thread with this index, in rounds; and of those behind it, from the first one again
 * behind the last: the index becomes that of the last one that ran, which has executed `used`.
 * *did: those before it did something. */
static enum eu_stop
step_in_rounds(struct group_worker *w, struct eu_rounds *rounds, unsigned *index, uint64_t slice,
               int64_t *budget, uint64_t *used, bool *did)
{
   struct eu_series *s = &rounds->series;
   bool whole = *budget > (int64_t)GROUP_SLICE;
   unsigned first = *index;
   s->threads = w->pointer;
   s->ring = whole ? w->group.thread_count : 0;
   s->at = first;
   s->slice = slice;
   s->room = (uint64_t)(*budget - (int64_t)slice);
   uint64_t room = s->room;
   enum eu_stop stop = eu_rounds_run(rounds, slice);
   *did = s->room != room;
   if (*did) { /* all that wait natively have waited before, but perhaps this one */
      w->group.state[first] = GROUP_WAITING;
      w->rings++;
   }
   *index = s->at;
   *budget -= (int64_t)(room - s->room);
   *used = s->last;
   return stop;
}

/* One turn of one thread, or of several in rounds: the index is then that of the last. True: one
 * did something. rounds: or NULL. */
static bool
group_step(struct group_worker *w, struct eu_rounds *rounds, unsigned *at, int64_t *budget)
{
   struct eu_thread *t = w->pointer[*at];
   struct eu_group *g = &w->group;
   uint64_t used, before = t->instructions;
   uint32_t ip = t->ip;
   bool waited = g->state[*at] == GROUP_WAITING, did = false;
   if (waited && !notified(t))
      return false;
   uint64_t slice = *budget < (int64_t)GROUP_SLICE ? (uint64_t)*budget : GROUP_SLICE;
   enum eu_stop stop;
   if (rounds) {
      stop = step_in_rounds(w, rounds, at, slice, budget, &used, &did);
      t = w->pointer[*at];
   } else {
      stop = w->m->run(t, slice);
      used = t->instructions - before;
   }
   const unsigned index = *at;
   *budget -= (int64_t)(used ? used : 1) + eu_thread_paid(t);
   switch (stop) {
   case EU_STOP_EOT:
      if (rounds && rounds->series.ends)
         g->released |= UINT64_C(1) << index;
      group_check_release(w, index);
      group_thread_ended(w, index);
      return true;
   case EU_STOP_FAULT:
      group_thread_ended(w, index);
      return true;
   case EU_STOP_WAIT:
      g->state[index] = GROUP_WAITING;
      return !waited || did || used > 1 || t->ip != ip;
   case EU_STOP_BUDGET:
   case EU_STOP_BREAK:
      break;
   }
   g->state[index] = GROUP_READY;
   return true;
}

bool
group_run(struct group_worker *w, int64_t *budget)
{
   struct eu_group *g = &w->group;
   if (g->unmade == g->thread_count && !g->barrier_enabled)
      group_run_series(w, budget);
   if (w->ended == g->thread_count)
      return true;
   w->in_series = false;
   struct eu_rounds r, *rounds = group_rounds_begin(w, &r) ? &r : NULL;
   while (w->ended < g->thread_count) {
      bool progress = false;
      for (unsigned i = 0; i < g->thread_count; i++) {
         if (g->state[i] == GROUP_ENDED)
            continue;
         if (*budget <= 0)
            return false;
         if (i + g->unmade == g->thread_count && rounds)
            group_make_in_rounds(w);
         else if (i + g->unmade == g->thread_count)
            group_make_thread(w);
         progress |= group_step(w, rounds, &i, budget);
      }
      if (progress || w->ended == g->thread_count)
         continue;
      group_give_up(w);
      if (dispatch_stuck(w->m->dev->dispatcher))
         return false;
   }
   return true;
}
