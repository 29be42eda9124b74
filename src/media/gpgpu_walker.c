/* GPGPU_WALKER: the stream of thread groups that one command makes. */
#include "media/media_internal.h"
#include "rules/plural.h"

#include <string.h>

#define MOST_GROUPS 256u /* of a slot that follow each other */

/* MEDIA-113 and MEDIA-114: width runs fastest, then height, then depth; the masks of the right and
 * the bottom edge apply where their counter stands at its maximum. MEDIA-117: the fields hold count
 * - 1. */
unsigned
gpgpu_group_masks(const struct hw_gpgpu_walker *w, uint32_t mask[GROUP_MAX_THREADS])
{
   /* MEDIA-440: the low 8, 16 or 32 bits are used; MEDIA-286: a reserved encoding counts as 0. */
   uint32_t simd = w->simd_size == GEN7_GPGPU_WALKER_SIMD_SIZE_SIMD32   ? ~0u
                   : w->simd_size == GEN7_GPGPU_WALKER_SIMD_SIZE_SIMD16 ? 0xffffu
                                                                        : 0xffu;
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
   return reg_get(m->dev, REG_RCS_UHPTR) & REG_RCS_UHPTR__HEAD_POINTER_VALID &&
          !m->vfe.preemption_disabled && cs_arbitration(m->dev);
}

/* MEDIA-105 and MEDIA-446: X to its maximum, then to 0 (not to its start) and Y + 1; so for Y and
 * Z. So many groups on. */
static void
advance(uint32_t at[3], const uint32_t dim[3], uint64_t by)
{
   for (unsigned axis = 0; axis < 3 && by; axis++) {
      uint64_t to = at[axis] + by;
      if (to < dim[axis]) {
         at[axis] = (uint32_t)to;
         return;
      }
      at[axis] = (uint32_t)(to % dim[axis]);
      by = to / dim[axis];
   }
}

/* ---- the walk -------------------------------------------------------------------------------- */

/* Groups from the first to the last; far more than can ever be run, if there are more. */
static uint64_t
count_groups(const struct gpgpu_job *j)
{
   __extension__ typedef unsigned __int128 wide;
   wide x = j->dim[0], y = j->dim[1], z = j->dim[2];
   wide count = x * y * z - (j->first[0] + x * (j->first[1] + y * j->first[2]));
   return count > INT64_MAX / 2 ? INT64_MAX / 2 : (uint64_t)count;
}

/* Groups of a slot that lie side by side: as many as there are if each slot had one such run, in
 * long walks a part of that. Host threads have slots of their own, so they stay out of each other's
 * memory. Depends on the walk alone. */
static uint64_t
run_of(const struct dispatch_walk *k)
{
   uint64_t round = MOST_GROUPS * k->slots, rounds = (k->items + round - 1) / round;
   uint64_t runs = rounds * k->slots;
   return rounds ? (k->items + runs - 1) / runs : 1;
}

void
gpgpu_job_begin(struct media *m)
{
   struct gpgpu_job *j = &m->job;
   struct dispatch_walk *k = &m->crew.walk;
   k->items = j->single ? 1 : count_groups(j);
   k->slots = j->layout.slots;
   k->run = run_of(k);
   k->whole = false;
   k->alone = j->single;
   dispatch_state_changed(&m->crew);
   dispatch_begin(&m->crew);
   j->phase = GPGPU_WALKING;
}

/* ---- workers --------------------------------------------------------------------------------- */

static void *
worker_create(void *data)
{
   return group_worker_create(data);
}

static void
worker_destroy(void *w)
{
   group_worker_destroy(w);
}

static void
worker_prepare(void *data)
{
   struct group_worker *w = data;
   const struct gpgpu_job *j = &w->m->job;
   group_prepare(w, &j->payload);
   w->ordinal = 0;
   memcpy(w->id, j->first, sizeof(w->id));
}

static void
worker_enter(void *data)
{
   struct group_worker *w = data;
   sf_windows_forget(w->buffers);
   w->in_series = false;
   w->counted = eu_counts(w->m->dev->eu);
}

/* w->id becomes that of a group. */
static void
find_id(struct group_worker *w, uint64_t ordinal)
{
   const struct gpgpu_job *j = &w->m->job;
   if (ordinal < w->ordinal) { /* of a slot that is behind the last one */
      w->ordinal = 0;
      memcpy(w->id, j->first, sizeof(w->id));
   }
   advance(w->id, j->dim, ordinal - w->ordinal);
   w->ordinal = ordinal;
}

static void
begin_group(struct group_worker *w)
{
   find_id(w, w->work.next++);
   group_begin(w, w->id, w->ordinal);
}

void
gpgpu_group_set_up(struct group_worker *w, uint64_t ordinal)
{
   find_id(w, ordinal);
   group_set_up(w, w->id, ordinal);
}

static void
worker_run(void *data, int64_t *budget)
{
   struct group_worker *w = data;
   if (!w->work.running)
      begin_group(w);
   w->work.running = !group_run(w, budget);
   /* MEDIA-069: hardware itself notices the request at a group boundary. */
   if (!w->work.running && w->m->job.may_preempt && gpgpu_preemption_asked(w->m))
      dispatch_stop(w->work.crew);
}

static void
worker_leave(void *data)
{
   struct group_worker *w = data;
   if (w->dispatched)
      __atomic_fetch_add((uint64_t *)&w->m->dev->mmio[REG_GPGPU_THREADS_DISPATCHED / 4],
                         w->dispatched, __ATOMIC_RELAXED);
   w->dispatched = 0;
}

const struct dispatch_unit gpgpu_unit = {
    .create = worker_create,
    .destroy = worker_destroy,
    .prepare = worker_prepare,
    .enter = worker_enter,
    .run = worker_run,
    .leave = worker_leave,
    .snapshot = group_worker_snapshot,
};

/* ---- the job --------------------------------------------------------------------------------- */

void
gpgpu_job_drop(struct media *m)
{
   memset(&m->job, 0, sizeof(m->job));
   dispatch_drop(&m->crew);
}

void
gpgpu_job_resume(struct media *m)
{
   if (m->job.phase == GPGPU_PREEMPTED)
      m->job.phase = GPGPU_WALKING;
}

enum cs_result
gpgpu_job_run(struct media *m, uint64_t *budget, bool may_preempt)
{
   struct gpgpu_job *j = &m->job;
   if (j->phase == GPGPU_NONE)
      return CS_DONE;
   j->may_preempt = may_preempt && !j->single; /* MEDIA-071: no image could hold such a group */
   m->crew.walk.stop = j->may_preempt && gpgpu_preemption_asked(m);
   switch (dispatch_run(&m->crew, budget)) {
   case DISPATCH_AGAIN:
      return CS_AGAIN;
   case DISPATCH_STOPPED:
      return CS_DONE;
   case DISPATCH_ERROR:
      return CS_ERROR;
   case DISPATCH_DONE:
      break;
   }
   j->phase = GPGPU_NONE;
   m->vfe.dispatch_key += (uint32_t)(m->crew.walk.dispatched * j->layout.threads);
   return CS_DONE;
}

static bool
dimensions_ok(struct media *m, const struct cs_command *c, const struct gpgpu_job *j)
{
   static const char *const axis[3] = {"X", "Y", "Z"};
   for (unsigned i = 0; i < 3; i++) {
      /* MEDIA-064: no work, where a literal machine would count to 2^32. */
      if (!j->dim[i]) {
         media_report(m, c, PERGOLA_ERROR, "MEDIA-064", "Thread Group ID Dimension",
                      "the %s dimension is 0; nothing is dispatched", axis[i]);
         return false;
      }
      if (j->first[i] >= j->dim[i]) {
         media_report(m, c, PERGOLA_ERROR, "MEDIA-448", "Thread Group ID Starting",
                      "the walk starts at %s = %u, past its dimension %u; nothing is dispatched",
                      axis[i], j->first[i], j->dim[i]);
         return false;
      }
   }
   return true;
}

static void
check_group_size(struct media *m, const struct cs_command *c, const struct hw_gpgpu_walker *w,
                 const struct gpgpu_job *j)
{
   unsigned asked = (w->thread_depth_counter_maximum + 1) * (w->thread_height_counter_maximum + 1) *
                    (w->thread_width_counter_maximum + 1);
   unsigned limit = w->simd_size == GEN7_GPGPU_WALKER_SIMD_SIZE_SIMD32 ? 32 : 64;
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
                   "the descriptor says %u, the walker makes %u thread%s a group",
                   j->layout.barrier_count, j->layout.threads, plural(j->layout.threads));
   uint32_t last = j->kernel.d.constant_urb_entry_read_offset +
                   j->kernel.d.constant_urb_entry_read_length * j->layout.threads;
   if (j->kernel.d.constant_urb_entry_read_length && last > m->vfe.state.curbe_allocation_size)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-339", "Constant URB Entry Read Length",
                   "the sections of %u thread%s end at row %u of a CURBE of %u", j->layout.threads,
                   plural(j->layout.threads), last, m->vfe.state.curbe_allocation_size);
}

static enum cs_result
job_create(struct media *m, const struct cs_command *c)
{
   struct gpgpu_job *j = &m->job;
   struct hw_gpgpu_walker w;
   gen7_gpgpu_walker_unpack(&w, c->dw);
   gpgpu_job_drop(m);
   if (c->count_dw != GEN7_GPGPU_WALKER_LENGTH)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-438", "DWord Length",
                   "%u; 9 is the only value that this command has", c->count_dw - 2);
   /* MEDIA-437: skipped only if asked for and the predicate is 0. */
   if (w.predicate_enable &&
       !(reg_get(m->dev, REG_MI_PREDICATE_RESULT) & REG_MI_PREDICATE_RESULT__RESULT))
      return CS_DONE;
   if (!vfe_ready(m, c) || !descriptor_fetch(m, c, w.interface_descriptor_offset, &j->kernel))
      return CS_DONE;
   j->first[0] = w.thread_group_id_starting_x;
   j->first[1] = w.thread_group_id_starting_y;
   j->first[2] = w.thread_group_id_starting_z;
   j->dim[0] = w.thread_group_id_x_dimension;
   j->dim[1] = w.thread_group_id_y_dimension;
   j->dim[2] = w.thread_group_id_z_dimension;
   /* MEDIA-436: the dimensions come from the registers. */
   if (w.indirect_parameter_enable)
      for (unsigned i = 0; i < 3; i++)
         j->dim[i] = reg_get(m->dev, REG_GPGPU_DISPATCHDIMX + 4 * i);
   if (!dimensions_ok(m, c, j))
      return CS_DONE;
   media_env(m, c, &j->env);
   if (!descriptor_kernel_mapped(m, &j->env, &j->kernel, c))
      return CS_DONE;
   memcpy(j->dw, c->dw, sizeof(j->dw));
   j->address = c->address;
   group_layout_init(m, &j->kernel, gpgpu_group_masks(&w, j->mask), &j->layout);
   check_group_size(m, c, &w, j);
   j->payload = (struct gpgpu_payload){.env = &j->env,
                                       .kernel = &j->kernel,
                                       .layout = &j->layout,
                                       .mask = j->mask,
                                       .dispatch_key = m->vfe.dispatch_key,
                                       .first_thread = m->vfe.dispatch_key,
                                       .slm_block = -1};
   vfe_primitive_issued(m, c, true);
   gpgpu_job_begin(m);
   return CS_DONE;
}

enum cs_result
gpgpu_walker(struct media *m, const struct cs_command *c, uint64_t *budget)
{
   if (!cs_begun(c)) {
      enum cs_result r = job_create(m, c);
      if (r != CS_DONE)
         return r;
      cs_begin(c);
   }
   return gpgpu_job_run(m, budget, true);
}

void
gpgpu_job_rewrite(const struct media *m, uint32_t dw[GEN7_GPGPU_WALKER_LENGTH])
{
   const struct gpgpu_job *j = &m->job;
   uint32_t at[3];
   memcpy(at, j->first, sizeof(at));
   memcpy(dw, j->dw, sizeof(j->dw));
   /* MEDIA-072: it starts at the next group that was not dispatched. The dimensions are fixed now,
    * the registers may have changed when it runs again; the predicate has been evaluated. */
   dw[0] &= ~(GEN7_GPGPU_WALKER__INDIRECT_PARAMETER_ENABLE | GEN7_GPGPU_WALKER__PREDICATE_ENABLE);
   uint64_t left = dispatch_first_left(&m->crew.walk);
   advance(at, j->dim, left < m->crew.walk.items ? left : 0);
   for (unsigned i = 0; i < 3; i++) {
      dw[3 + 2 * i] = at[i];
      dw[4 + 2 * i] = j->dim[i];
   }
}
