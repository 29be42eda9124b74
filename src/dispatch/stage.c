/* Stages whose threads do not wait for each other: their turns and their end. */
#include "dispatch/stage.h"
#include "eu/observe.h"

#include "eu/snapshot.h"
#include "shared_functions/quick.h"

#include <stdlib.h>

/* ---- workers --------------------------------------------------------------------------------- */

static void
destroy(void *data)
{
   struct stage_worker *w = data;
   free(w->t);
   free(w->buffers);
   free(w);
}

static void *
create(void *data)
{
   struct stage_crew *c = data;
   size_t size = (1 + STAGE_KERNELS) * sizeof(struct eu_thread);
   struct stage_worker *w = aligned_alloc(64, (c->stage->worker_size + 63) & ~(size_t)63);
   if (!w)
      return NULL;
   memset(w, 0, c->stage->worker_size);
   w->crew = c;
   w->t = aligned_alloc(64, size);
   w->buffers = calloc(1, sizeof(*w->buffers));
   if (!w->t || !w->buffers) {
      destroy(w);
      return NULL;
   }
   memset(w->t, 0, size);
   w->fresh = w->t + 1;
   return w;
}

static void
prepare(void *data)
{
   struct stage_worker *w = data;
   w->thread = STAGE_NONE;
   w->seated = 0;
   sf_buffers_walk(w->buffers, w->work.crew->state);
   w->crew->stage->prepare(w);
}

static void
enter(void *data)
{
   struct stage_worker *w = data;
   sf_windows_forget(w->buffers);
}

/* Its threads sit in the hardware threads of the slot. */
static void
take(void *data)
{
   struct stage_worker *w = data;
   const struct dispatch_crew *c = w->work.crew;
   unsigned n = w->work.slot;
   for (w->place_count = 0; w->place_count < STAGE_PLACES && n < c->walk.threads;
        n += c->walk.slots)
      w->places[w->place_count++] = dispatch_place(c->d, n);
   w->turn = 0;
   w->seated = 0;
   if (w->crew->stage->take)
      w->crew->stage->take(w);
}

static void
leave(void *data)
{
   struct stage_worker *w = data;
   if (w->crew->stage->leave)
      w->crew->stage->leave(w);
}

struct eu_thread *
stage_fresh(struct stage_worker *w, unsigned kernel, uint8_t ffid, uint32_t kernel_start,
            uint32_t channels)
{
   struct eu_thread *t = &w->fresh[kernel];
   eu_thread_init(t, &w->env, kernel_start, channels);
   t->ffid = ffid;
   t->active = channels;
   t->sr0[0] = hw_put(ffid, GEN7_STATE_REGISTER__FFID);
   t->buffers = w->buffers;
   t->sr0[2] = channels;
   t->sr0[3] = t->vector_mask;
   return t;
}

void
stage_make_seats(struct stage_worker *w, unsigned kernel)
{
   struct eu_thread *t = w->t;
   eu_thread_copy(t, &w->fresh[kernel]);
   for (unsigned i = 0; i < w->place_count; i++) {
      thread_sit(t, &w->places[i]);
      memcpy(w->seat[kernel][i], (const uint8_t *)t + EU_START_OFFSET, EU_START_SIZE);
   }
   w->seated |= 1u << kernel;
}

/* ---- threads --------------------------------------------------------------------------------- */

static void
start(struct stage_worker *w, int64_t *budget)
{
   const struct stage *stage = w->crew->stage;
   const struct stage_common *common = &w->common[w->kernel];
   struct dispatcher *d = w->work.crew->d;
   struct eu_thread *t = w->t;
   *budget -= stage->cost;
   eu_thread_copy(t, &w->fresh[w->kernel]);
   w->thread = STAGE_RUNNING;
   stage_sit(w);
   stage->fill(w);
   if (common->count)
      memcpy(eu_grf(t, common->first), common->row[common->first],
             common->count * (size_t)EU_REG_SIZE);
   thread_arrive(t, place_n0(d, &w->place), place_port(d, &w->place));
   eu_announce_begin(t, stage->engine);
}

static void
report_stuck(struct stage_worker *w, bool stays)
{
   const struct stage *stage = w->crew->stage;
   struct rule_place place = {.engine = stage->engine,
                              .subject = stage->maker,
                              .has_address = true,
                              .address = w->env.instruction_base + w->t->kernel_start};
   rule_report(w->work.crew->d->dev, PERGOLA_ERROR, stage->stuck_rule, &place,
               "a %s waits for a notification that nobody sends; %s", stage->maker,
               stays ? "the engine stops" : "it is ended");
}

void
stage_stopped(struct stage_worker *w, enum eu_stop stop)
{
   struct dispatcher *d = w->work.crew->d;
   struct eu_thread *t = w->t, *fresh = &w->fresh[w->kernel];
   if (stop == EU_STOP_BUDGET || stop == EU_STOP_BREAK)
      return;
   fresh->kernel = t->kernel; /* the next one runs the same, most likely */
   fresh->kernel_generation = t->kernel_generation;
   if (stop == EU_STOP_WAIT) {
      bool stays = dispatch_stay_stuck(d);
      report_stuck(w, stays);
      if (stays)
         return;
   }
   w->thread = STAGE_NONE;
   thread_keep_notifications(place_n0(d, &w->place), t);
   eu_announce_end(t, w->crew->stage->engine);
   if (w->crew->stage->ended)
      w->crew->stage->ended(w, stop);
}

/* One turn of the thread. */
static void
step(struct stage_worker *w, int64_t *budget)
{
   struct eu_thread *t = w->t;
   uint64_t before = t->instructions,
            slice = *budget < (int64_t)STAGE_SLICE ? (uint64_t)*budget : STAGE_SLICE;
   enum eu_stop stop = eu_run_inside(t, slice);
   uint64_t used = t->instructions - before;
   *budget -= (used ? (int64_t)used : 1) + eu_thread_paid(t);
   stage_stopped(w, stop);
}

unsigned
stage_needs(const struct stage_worker *w, const struct eu_series *s, uint8_t need[EU_GRF_COUNT],
            unsigned *again)
{
   const struct stage_common *c = &w->common[w->kernel];
   unsigned count = 0;
   for (unsigned lasting = 0; lasting < 2; lasting++) {
      for (unsigned reg = c->first; reg < c->first + c->count; reg++) {
         bool needed = s->needs[reg / 64] >> reg % 64 & 1,
              stays = c->lasts && !(s->touches[reg / 64] >> reg % 64 & 1);
         if (needed && stays == lasting)
            need[count++] = (uint8_t)reg;
      }
      if (!lasting)
         *again = count;
   }
   return count;
}

/* True: there is a thread to run. */
static bool
choose(struct stage_worker *w)
{
   if (w->thread == STAGE_NONE && w->crew->stage->next(w))
      w->thread = STAGE_CHOSEN;
   return w->thread != STAGE_NONE;
}

static void
run(void *data, int64_t *budget)
{
   struct stage_worker *w = data;
   const struct stage *stage = w->crew->stage;
   struct dispatcher *d = w->work.crew->d;
   while (*budget > 0 && !dispatch_stuck(d) && !rules_stopped(d->dev) && choose(w)) {
      struct eu_series s;
      if (w->thread == STAGE_RUNNING)
         step(w, budget);
      else if (stage->series && eu_series_begin(&s, &w->fresh[w->kernel]))
         stage->series(w, &s, budget);
      else
         start(w, budget);
   }
   w->work.running = w->thread != STAGE_NONE;
   *budget -= w->owed;
   w->owed = 0;
}

/* ---- snapshots ------------------------------------------------------------------------------- */

/* Its place is the one before the next. */
static void
place(struct stage_worker *w, struct snapshot *s)
{
   if (s->loading)
      take(w);
   SNAP_BELOW(s, w->turn, w->place_count);
   if (s->loading && w->place_count)
      w->place = w->places[w->turn ? w->turn - 1 : w->place_count - 1];
}

static void
snapshot(void *data, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct stage_worker, 1536);
   struct stage_worker *w = data;
   SNAP_BELOW(s, w->thread, STAGE_RUNNING + 1);
   SNAP_BELOW(s, w->kernel, STAGE_KERNELS);
   SNAP_BETWEEN(s, w->owed, 0, INT64_C(1) << 40);
   place(w, s);
   if (!s->refused)
      w->crew->stage->snapshot(w, s);
   if (w->thread == STAGE_RUNNING)
      eu_thread_snapshot(w->t, s);
   if (!s->loading)
      return;
   w->t->env = &w->env;
   w->t->buffers = w->buffers;
   w->work.running = w->thread != STAGE_NONE;
}

/* ---- the crew -------------------------------------------------------------------------------- */

static const struct dispatch_unit unit = {
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .enter = enter,
    .take = take,
    .run = run,
    .leave = leave,
    .snapshot = snapshot,
};

bool
stage_crew_init(struct stage_crew *c, struct dispatcher *d, const struct stage *stage, void *data)
{
   memset(c, 0, sizeof(*c));
   c->stage = stage;
   c->data = data;
   return dispatch_crew_init(&c->crew, d, &unit, c);
}

void
stage_crew_finish(struct stage_crew *c)
{
   dispatch_crew_finish(&c->crew);
}

void
stage_begin(struct stage_crew *c, uint64_t items, unsigned threads, uint64_t run)
{
   struct dispatch_walk *k = &c->crew.walk;
   k->items = items;
   k->run = run;
   k->whole = true;
   k->alone = c->crew.d->dev->trace.wanted != 0;
   dispatch_set_threads(&c->crew, threads);
   dispatch_begin(&c->crew);
}

void
stage_drop(struct stage_crew *c)
{
   dispatch_drop(&c->crew);
   for (unsigned i = 0; i < c->crew.workers; i++)
      ((struct stage_worker *)(void *)c->crew.worker[i])->thread = STAGE_NONE;
}

unsigned
stage_threads(struct stage_crew *c, pergola_thread_fn fn, void *data)
{
   unsigned count = 0;
   for (unsigned i = 0; i < c->crew.workers; i++) {
      const struct stage_worker *w = (const struct stage_worker *)(const void *)c->crew.worker[i];
      if (w->thread != STAGE_RUNNING)
         continue;
      struct pergola_thread info = {
          .maker = c->stage->maker,
          .waits_for = w->t->stop == EU_STOP_WAIT ? "a notification that nobody sends" : NULL};
      eu_thread_tell(w->t, &info, fn, data);
      count++;
   }
   return count;
}
