/* GPGPU_WALKER: the stream of thread groups that one command makes. */
#include "media/media_internal.h"

#include <string.h>

#define REG_PREDICATE_RESULT 0x2418u
#define REG_UHPTR 0x2134u
#define REG_DISPATCHDIM 0x2500u
#define MOST_GROUPS 16u    /* that a worker takes at once */
#define INLINE_FIRST 20000 /* instructions of a walk before other host threads are woken */

/* MEDIA-113 and MEDIA-114: width runs fastest, then height, then depth; the masks of the right and
 * the bottom edge apply where their counter stands at its maximum. MEDIA-117: the fields hold count
 * - 1. */
unsigned
gpgpu_group_masks(const struct gen7_gpgpu_walker *w, uint32_t mask[GROUP_MAX_THREADS])
{
   /* MEDIA-440: the low 8, 16 or 32 bits are used; MEDIA-286: a reserved encoding counts as 0. */
   uint32_t simd = w->simd_size == 2 ? ~0u : w->simd_size == 1 ? 0xffffu : 0xffu;
   unsigned n = 0;
   for (unsigned d = 0; d <= w->thread_depth_counter_maximum; d++)
      for (unsigned h = 0; h <= w->thread_height_counter_maximum; h++)
         for (unsigned x = 0; x <= w->thread_width_counter_maximum; x++) {
            uint32_t m = simd;
            if (x == w->thread_width_counter_maximum)
               m &= w->right_execution_mask;
            if (h == w->thread_height_counter_maximum)
               m &= w->bottom_execution_mask;
            if (n == GROUP_MAX_THREADS)
               return GROUP_MAX_THREADS;
            mask[n++] = m;
         }
   return n;
}

bool
gpgpu_preemption_asked(const struct media *m)
{
   /* MEDIA-066: the valid bit of UHPTR; MEDIA-355: the flush command can switch this off. */
   /* MEDIA-473: nor is it heard while arbitration is off. */
   return (reg_get(m->dev, REG_UHPTR) & 1) && !m->vfe.preemption_disabled && cs_arbitration(m->dev);
}

/* MEDIA-105 and MEDIA-446: X to its maximum, then to 0 (not to its start) and Y + 1; so for Y and
 * Z. So many groups on; false: the walk ends before. */
static bool
advance(uint32_t at[3], const uint32_t dim[3], uint64_t by)
{
   for (unsigned axis = 0; axis < 3; axis++) {
      uint64_t to = at[axis] + by;
      if (to < dim[axis]) {
         at[axis] = (uint32_t)to;
         return true;
      }
      at[axis] = (uint32_t)(to % dim[axis]);
      by = to / dim[axis];
   }
   return false;
}

/* Groups of a place that lie side by side. In a long walk they do, so that host threads that work
 * on different places seldom touch the same pages. Depends on the walk alone. */
static unsigned
run_of(const struct gpgpu_job *j)
{
   uint64_t groups = (uint64_t)j->dim[0] * j->dim[1];
   groups = groups > UINT32_MAX ? groups : groups * j->dim[2];
   uint64_t most = j->single ? 1 : groups / (16 * j->layout.slots);
   unsigned run = 1; /* a power of two: no divisions */
   while (run < MOST_GROUPS && 2 * run <= most)
      run *= 2;
   return run;
}

/* From a group of a place to the next one. */
static uint64_t
step(const struct gpgpu_job *j, uint64_t ordinal)
{
   return (ordinal + 1) & (j->run - 1) ? 1 : 1 + (uint64_t)(j->layout.slots - 1) * j->run;
}

/* The place of the group after the last one that was dispatched, which was in this slot. */
static unsigned
place_of_next(const struct gpgpu_job *j, unsigned slot)
{
   if (j->dispatched & (j->run - 1))
      return slot;
   return slot + 1 < j->layout.slots ? slot + 1 : 0;
}

void
gpgpu_places_init(struct gpgpu_job *j, const uint32_t first[3])
{
   j->run = run_of(j);
   uint32_t at[3];
   bool some = true;
   memcpy(at, first, sizeof(at));
   for (unsigned i = 0; i < j->layout.slots; i++) {
      struct gpgpu_place *p = &j->place[i];
      *p = (struct gpgpu_place){.ordinal = (uint64_t)i * j->run, .exhausted = !some};
      memcpy(p->next, at, sizeof(at));
      some = some && !j->single && advance(at, j->dim, j->run);
   }
}

/* The first group that has not been taken. NULL: there is none. */
static const struct gpgpu_place *
first_place(const struct gpgpu_job *j)
{
   const struct gpgpu_place *first = NULL;
   for (unsigned i = 0; i < j->layout.slots; i++) {
      const struct gpgpu_place *p = &j->place[i];
      if (!p->exhausted && (!first || p->ordinal < first->ordinal))
         first = p;
   }
   return first;
}

/* One worker alone takes the groups in their order; several, from the free place that is behind the
 * others. */
static struct gpgpu_place *
free_place(struct gpgpu_job *j, uint64_t end)
{
   struct gpgpu_place *best = &j->place[j->turn];
   if (!j->parallel)
      return best->exhausted || best->ordinal >= end ? NULL : best;
   best = NULL;
   for (unsigned i = 0; i < j->layout.slots; i++) {
      struct gpgpu_place *p = &j->place[i];
      if (!p->taken && !p->exhausted && p->ordinal < end && (!best || p->ordinal < best->ordinal))
         best = p;
   }
   return best;
}

/* How many groups a worker takes at once: one alone; of several, many while there are many left, so
 * that they seldom meet. */
static unsigned
share_of(const struct gpgpu_job *j, const struct gpgpu_place *p)
{
   if (j->workers < 2)
      return 1;
   uint64_t row = j->dim[0] - p->next[0]; /* left in this one */
   bool last = p->next[1] + 1 >= j->dim[1] && p->next[2] + 1 >= j->dim[2];
   if (!last)
      row += j->dim[0];
   uint64_t share = row / (4 * j->layout.slots);
   uint64_t rest = j->run - (p->ordinal & (j->run - 1)); /* those behind lie elsewhere */
   share = share > rest && j->run > 1 ? rest : share > MOST_GROUPS ? MOST_GROUPS : share;
   return share ? (unsigned)share : 1;
}

static void
release_place(struct media *m, struct group_worker *w)
{
   pthread_mutex_lock(&m->take_lock);
   m->job.place[w->slot].taken = w->holds = false;
   pthread_mutex_unlock(&m->take_lock);
}

/* The place that the worker had is free; the next groups of another, or of the same. */
static bool
take_groups(struct media *m, struct group_worker *w)
{
   struct gpgpu_job *j = &m->job;
   pthread_mutex_lock(&m->take_lock);
   if (w->holds)
      j->place[w->slot].taken = false;
   /* Groups are dispatched in order: once the walk is to stop, those behind the last one still have
    * to be. */
   uint64_t end = __atomic_load_n(&j->stop, __ATOMIC_RELAXED) ? j->dispatched : UINT64_MAX;
   struct gpgpu_place *p = rules_stopped(m->dev) ? NULL : free_place(j, end);
   w->holds = p != NULL;
   if (p) {
      p->taken = true;
      w->slot = (unsigned)(p - j->place);
      w->next_ordinal = p->ordinal;
      memcpy(w->next, p->next, sizeof(w->next));
      w->more = 0;
      for (unsigned share = share_of(j, p); w->more < share && !p->exhausted && p->ordinal < end;
           w->more++) {
         if (p->ordinal >= j->dispatched) {
            j->dispatched = p->ordinal + 1;
            j->turn = place_of_next(j, w->slot);
         }
         uint64_t by = step(j, p->ordinal);
         p->exhausted = j->single || !advance(p->next, j->dim, by);
         p->ordinal += by;
      }
   }
   pthread_mutex_unlock(&m->take_lock);
   return p != NULL;
}

static bool
take_group(struct media *m, struct group_worker *w)
{
   struct gpgpu_job *j = &m->job;
   if (!w->more && !take_groups(m, w))
      return false;
   w->more--;
   w->taken = true;
   group_begin(w, w->slot, w->next, w->next_ordinal);
   uint64_t by = step(j, w->next_ordinal);
   if (w->more)
      advance(w->next, j->dim, by);
   w->next_ordinal += by;
   return true;
}

/* Takes a share of the budget that all workers draw on. */
static int64_t
budget_take(struct gpgpu_job *j, int64_t want)
{
   int64_t left = __atomic_fetch_sub(&j->budget, want, __ATOMIC_RELAXED);
   if (left >= want)
      return want;
   int64_t got = left > 0 ? left : 0;
   __atomic_fetch_add(&j->budget, want - got, __ATOMIC_RELAXED);
   return got;
}

static void
run_groups(struct media *m, struct group_worker *w, int64_t *share)
{
   struct gpgpu_job *j = &m->job;
   for (;;) {
      if (*share <= 0)
         *share += budget_take(j, 1 << 16);
      if (*share <= 0)
         return;
      if (!w->taken && !take_group(m, w))
         return;
      if (!group_run(w, share)) {
         if (media_stuck(m))
            return;
         continue;
      }
      w->taken = false;
      /* MEDIA-069: hardware itself notices the request at a group boundary. */
      if (j->may_preempt && gpgpu_preemption_asked(m))
         __atomic_store_n(&j->stop, true, __ATOMIC_RELAXED);
   }
}

static void
work(void *data, unsigned index)
{
   struct media *m = data;
   struct gpgpu_job *j = &m->job;
   int64_t share = 0;
   if (index >= m->worker_count)
      return;
   struct group_worker *w = m->worker[index];
   uint32_t host_modes = eu_enter(m->dev->eu);
   if (!w->taken && !w->more)
      group_prepare(w, &j->payload);
   sf_windows_forget(w->buffers);
   run_groups(m, w, &share);
   if (w->holds && !w->taken && !w->more)
      release_place(m, w);
   eu_leave(m->dev->eu, host_modes);
   __atomic_fetch_add((uint64_t *)&m->dev->mmio[REG_GPGPU_THREADS_DISPATCHED / 4], w->dispatched,
                      __ATOMIC_RELAXED);
   w->dispatched = 0;
   __atomic_fetch_add(&j->budget, share,
                      __ATOMIC_RELAXED); /* what is left, or has been overdrawn */
}

/* Groups that a worker has, or that must be dispatched since later ones have been. */
static bool
in_flight(const struct media *m)
{
   for (unsigned i = 0; i < m->worker_count; i++)
      if (m->worker[i]->taken || m->worker[i]->more)
         return true;
   const struct gpgpu_place *first = first_place(&m->job);
   return first && first->ordinal < m->job.dispatched;
}

/* Workers beyond the first are made when a walk is first worth them. */
static unsigned
prepare_workers(struct media *m)
{
   struct pool *pool = media_pool(m->dev);
   unsigned threads = pool ? pool_threads(pool) : 1;
   while (m->worker_count < threads && (m->worker[m->worker_count] = group_worker_create(m)))
      m->worker_count++;
   return m->worker_count;
}

/* All workers, or those of the calling thread alone, until the budget or the walk ends. */
static void
run_workers(struct media *m, unsigned workers, int64_t *budget)
{
   struct gpgpu_job *j = &m->job;
   j->workers = workers;
   j->budget = *budget;
   if (workers > 1)
      pool_run(m->pool, work, m);
   else
      work(m, 0);
   for (unsigned i = 1; i < m->worker_count; i++) /* groups of those who did not come */
      if (m->worker[i]->taken || m->worker[i]->more)
         work(m, i);
   *budget = j->budget;
}

static bool
worth_the_pool(const struct media *m)
{
   const struct gpgpu_job *j = &m->job;
   return !j->single && first_place(j) && j->layout.slots > 1 && media_host_threads(m) > 1;
}

void
gpgpu_job_drop(struct media *m)
{
   memset(&m->job, 0, sizeof(m->job));
   for (unsigned i = 0; i < m->worker_count; i++) {
      m->worker[i]->taken = m->worker[i]->holds = false;
      m->worker[i]->more = 0;
   }
}

enum cs_result
gpgpu_job_run(struct media *m, uint64_t *budget, bool may_preempt)
{
   struct gpgpu_job *j = &m->job;
   if (!j->active)
      return CS_DONE;
   if (media_stuck(m))
      return CS_ERROR;
   j->may_preempt = may_preempt && !j->single; /* MEDIA-071: no image could hold such a group */
   j->stop = j->may_preempt && gpgpu_preemption_asked(m);
   int64_t given = *budget > INT64_MAX / 2 ? INT64_MAX / 2 : (int64_t)*budget, left = given;
   /* A short walk ends sooner than other threads wake up. */
   if (worth_the_pool(m) && !j->parallel && given > INLINE_FIRST) {
      left = INLINE_FIRST;
      run_workers(m, 1, &left);
      left += given - INLINE_FIRST;
   }
   bool parallel = (j->parallel || worth_the_pool(m)) && prepare_workers(m) > 1;
   j->parallel |= parallel;
   run_workers(m, parallel ? m->worker_count : 1, &left);
   *budget -= (uint64_t)(given - left) < *budget ? (uint64_t)(given - left) : *budget;
   if (rules_stopped(m->dev) || media_stuck(m))
      return CS_ERROR;
   if (in_flight(m))
      return CS_AGAIN;
   if (first_place(j))
      return j->stop ? CS_DONE : CS_AGAIN;
   j->active = false;
   m->vfe.dispatch_key += (uint32_t)(j->dispatched * j->layout.threads);
   return CS_DONE;
}

static bool
dimensions_ok(struct media *m, const struct cs_command *c, const struct gpgpu_job *j,
              const uint32_t first[3])
{
   static const char *const axis[3] = {"X", "Y", "Z"};
   for (unsigned i = 0; i < 3; i++) {
      /* MEDIA-064: no work, where a literal machine would count to 2^32. */
      if (!j->dim[i]) {
         media_report(m, c, PERGOLA_ERROR, "MEDIA-064", "Thread Group ID Dimension",
                      "the %s dimension is 0; nothing is dispatched", axis[i]);
         return false;
      }
      if (first[i] >= j->dim[i]) {
         media_report(m, c, PERGOLA_ERROR, "MEDIA-448", "Thread Group ID Starting",
                      "the walk starts at %s = %u, past its dimension %u; nothing is dispatched",
                      axis[i], first[i], j->dim[i]);
         return false;
      }
   }
   return true;
}

static void
check_group_size(struct media *m, const struct cs_command *c, const struct gen7_gpgpu_walker *w,
                 const struct gpgpu_job *j)
{
   unsigned asked = (w->thread_depth_counter_maximum + 1) * (w->thread_height_counter_maximum + 1) *
                    (w->thread_width_counter_maximum + 1);
   unsigned limit = w->simd_size == 2 ? 32 : 64;
   if (asked > limit)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-442", "Thread Counter Maximum",
                   "%u threads in a group; at most %u at this SIMD size", asked, limit);
   const struct pergola_sku *sku = &m->dev->sku;
   unsigned capacity = sku->eus_per_half_slice * sku->threads_per_eu;
   if (j->layout.threads > capacity)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-119", "Thread Counter Maximum",
                   "%u threads in a group; a half-slice of this part has %u", j->layout.threads,
                   capacity);
   /* MEDIA-347: the count is that of the barrier messages to expect. */
   if (j->layout.barrier && j->layout.barrier_count != j->layout.threads)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-347", "Number of Threads in GPGPU Thread Group",
                   "the descriptor says %u, the walker makes %u threads a group",
                   j->layout.barrier_count, j->layout.threads);
   uint32_t last = j->kernel.d.constant_urb_entry_read_offset +
                   j->kernel.d.constant_urb_entry_read_length * j->layout.threads;
   if (j->kernel.d.constant_urb_entry_read_length && last > m->vfe.state.curbe_allocation_size)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-339", "Constant URB Entry Read Length",
                   "the sections of %u threads end at row %u of a CURBE of %u rows",
                   j->layout.threads, last, m->vfe.state.curbe_allocation_size);
}

static enum cs_result
job_create(struct media *m, const struct cs_command *c)
{
   struct gpgpu_job *j = &m->job;
   struct gen7_gpgpu_walker w;
   gen7_gpgpu_walker_unpack(&w, c->dw);
   gpgpu_job_drop(m);
   if (c->count_dw != GEN7_GPGPU_WALKER_LENGTH)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-438", "DWord Length",
                   "%u; 9 is the only value that this command has", c->count_dw - 2);
   /* MEDIA-437: skipped only if asked for and the predicate is 0. */
   if (w.predicate_enable && !(reg_get(m->dev, REG_PREDICATE_RESULT) & 1))
      return CS_DONE;
   if (!vfe_ready(m, c) || !descriptor_fetch(m, c, w.interface_descriptor_offset, &j->kernel))
      return CS_DONE;
   uint32_t first[3] = {w.thread_group_id_starting_x, w.thread_group_id_starting_y,
                        w.thread_group_id_starting_z};
   j->dim[0] = w.thread_group_id_x_dimension;
   j->dim[1] = w.thread_group_id_y_dimension;
   j->dim[2] = w.thread_group_id_z_dimension;
   /* MEDIA-436: the dimensions come from the registers. */
   if (w.indirect_parameter_enable)
      for (unsigned i = 0; i < 3; i++)
         j->dim[i] = reg_get(m->dev, REG_DISPATCHDIM + 4 * i);
   if (!dimensions_ok(m, c, j, first))
      return CS_DONE;
   media_env(m, c, &j->env);
   if (!descriptor_kernel_mapped(m, &j->env, &j->kernel, c))
      return CS_DONE;
   memcpy(j->dw, c->dw, sizeof(j->dw));
   j->address = c->address;
   group_layout_init(m, &j->kernel, gpgpu_group_masks(&w, j->mask), &j->layout);
   check_group_size(m, c, &w, j);
   gpgpu_places_init(j, first);
   j->payload = (struct gpgpu_payload){.env = &j->env,
                                       .kernel = &j->kernel,
                                       .layout = &j->layout,
                                       .mask = j->mask,
                                       .walk = ++m->walks,
                                       .dispatch_key = m->vfe.dispatch_key,
                                       .first_thread = m->vfe.dispatch_key,
                                       .slm_block = -1};
   vfe_primitive_issued(m, c, true);
   j->active = true;
   return CS_DONE;
}

enum cs_result
gpgpu_walker(struct media *m, const struct cs_command *c, uint64_t *budget)
{
   if (!m->begun) {
      enum cs_result r = job_create(m, c);
      if (r != CS_DONE)
         return r;
      m->begun = true;
   }
   enum cs_result r = gpgpu_job_run(m, budget, true);
   m->begun = r == CS_AGAIN;
   return r;
}

void
gpgpu_job_rewrite(const struct gpgpu_job *j, uint32_t dw[GEN7_GPGPU_WALKER_LENGTH])
{
   memcpy(dw, j->dw, sizeof(j->dw));
   /* MEDIA-072: it starts at the next group that was not dispatched. The dimensions are fixed now,
    * the registers may have changed when it runs again; the predicate has been evaluated. */
   dw[0] &= ~(1u << 10 | 1u << 8);
   const struct gpgpu_place *first = first_place(j);
   for (unsigned i = 0; i < 3; i++) {
      if (first)
         dw[3 + 2 * i] = first->next[i];
      dw[4 + 2 * i] = j->dim[i];
   }
}
