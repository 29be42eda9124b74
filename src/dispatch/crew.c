/* Workers: how they share items and budget, and when other host threads are worth it. */
#include "dispatch/dispatch.h"

#include <string.h>

#define INLINE_FIRST 20000     /* of the budget, before other host threads are woken for a walk */
#define BUDGET_SHARE (1 << 16) /* that a worker has at most … */
#define BUDGET_LEAST (1 << 15) /* … and does not begin with less, if there is more */
#define OWN_ROUNDS 2u          /* of all slots, that a worker's own may be ahead of others */

bool
dispatch_add_worker(struct dispatch_crew *c)
{
   struct dispatch_worker *w = c->unit->create(c->data);
   if (!w)
      return false;
   w->crew = c;
   w->index = c->workers;
   c->worker[c->workers++] = w;
   return true;
}

bool
dispatch_crew_init(struct dispatch_crew *c, struct dispatcher *d, const struct dispatch_unit *unit,
                   void *data)
{
   memset(c, 0, sizeof(*c));
   c->d = d;
   c->unit = unit;
   c->data = data;
   pthread_mutex_init(&c->lock, NULL);
   return dispatch_add_worker(c);
}

void
dispatch_crew_finish(struct dispatch_crew *c)
{
   if (!c->unit)
      return;
   for (unsigned i = 0; i < c->workers; i++)
      c->unit->destroy(c->worker[i]);
   pthread_mutex_destroy(&c->lock);
   c->unit = NULL;
}

void
dispatch_drop(struct dispatch_crew *c)
{
   memset(&c->walk, 0, sizeof(c->walk));
   for (unsigned i = 0; i < c->workers; i++) {
      struct dispatch_worker *w = c->worker[i];
      w->running = w->holds = false;
      w->next = w->end = 0;
   }
}

void
dispatch_state_changed(struct dispatch_crew *c)
{
   c->state++;
}

void
dispatch_set_threads(struct dispatch_crew *c, unsigned threads)
{
   unsigned most = dispatch_hardware_threads(c->d);
   threads = threads < most ? threads : most;
   c->walk.threads = threads ? threads : 1;
   c->walk.slots = c->walk.threads < DISPATCH_SLOTS ? c->walk.threads : DISPATCH_SLOTS;
}

void
dispatch_begin(struct dispatch_crew *c)
{
   struct dispatch_walk *k = &c->walk;
   k->parallel = k->stop = false;
   k->dispatched = 0;
   k->turn = 0;
   for (unsigned i = 0; i < k->slots; i++)
      k->slot[i] = (struct dispatch_slot){.next = i * k->run, .rest = k->run};
}

void
dispatch_stop(struct dispatch_crew *c)
{
   __atomic_store_n(&c->walk.stop, true, __ATOMIC_RELAXED);
}

/* ---- items ----------------------------------------------------------------------------------- */

uint64_t
dispatch_first_left(const struct dispatch_walk *k)
{
   uint64_t first = k->items;
   for (unsigned i = 0; i < k->slots; i++)
      if (k->slot[i].next < first)
         first = k->slot[i].next;
   return first;
}

/* Whose slot it is: that of the same worker in each walk, so that memory that walk after walk goes
 * over stays in the caches of one host core. */
static bool
is_own(const struct dispatch_walk *k, unsigned slot, unsigned worker)
{
   return slot * k->workers / k->slots == worker;
}

/* One worker alone takes the items in their order; several, from the free slot that is behind the
 * others. A slot of somebody else's counts as further ahead than it is: who has not come, or is
 * slow, is helped before the walk is far ahead of him. */
static struct dispatch_slot *
free_slot(struct dispatch_walk *k, unsigned worker, uint64_t end)
{
   struct dispatch_slot *best = &k->slot[k->turn];
   uint64_t least = UINT64_MAX, away = OWN_ROUNDS * k->slots * k->run;
   if (!k->parallel)
      return best->next < end ? best : NULL;
   best = NULL;
   for (unsigned i = 0; i < k->slots; i++) {
      struct dispatch_slot *s = &k->slot[i];
      uint64_t at = s->next + (is_own(k, i, worker) ? 0 : away);
      if (s->taken || s->next >= end || at >= least)
         continue;
      best = s;
      least = at;
   }
   return best;
}

/* How many items a worker takes at once: one alone; of several, many while there are many left, so
 * that they seldom meet. */
static uint64_t
share_of(const struct dispatch_walk *k, const struct dispatch_slot *s)
{
   if (k->whole)
      return s->rest;
   if (k->workers < 2 || s->rest < 2)
      return 1;
   uint64_t share = (k->items - s->next) / (4 * k->slots);
   return share > s->rest ? s->rest : share ? share : 1;
}

static void
take_from(struct dispatch_walk *k, struct dispatch_slot *s, struct dispatch_worker *w, uint64_t end)
{
   uint64_t share = share_of(k, s);
   share = share < end - s->next ? share : end - s->next;
   s->taken = true;
   w->slot = (unsigned)(s - k->slot);
   w->next = s->next;
   w->end = s->next += share;
   s->rest -= share;
   if (w->end > k->dispatched) {
      k->dispatched = w->end;
      k->turn = s->rest ? w->slot : w->slot + 1 < k->slots ? w->slot + 1 : 0;
   }
   if (!s->rest) {
      s->rest = k->run;
      s->next += (k->slots - 1) * k->run;
   }
}

/* A worker that is by itself has nobody to keep out. */
static void
lock(struct dispatch_crew *c)
{
   if (c->walk.workers > 1)
      pthread_mutex_lock(&c->lock);
}

static void
unlock(struct dispatch_crew *c)
{
   if (c->walk.workers > 1)
      pthread_mutex_unlock(&c->lock);
}

/* The slot that the worker had is free; the next items of another, or of the same. */
static bool
take(struct dispatch_worker *w)
{
   struct dispatch_crew *c = w->crew;
   struct dispatch_walk *k = &c->walk;
   lock(c);
   if (w->holds)
      k->slot[w->slot].taken = false;
   /* Items are dispatched in order: once the walk is to stop, those before the last one still have
    * to be. */
   uint64_t end = __atomic_load_n(&k->stop, __ATOMIC_RELAXED) ? k->dispatched : k->items;
   struct dispatch_slot *s = free_slot(k, w->index, end);
   w->holds = s != NULL;
   if (s)
      take_from(k, s, w, end);
   unlock(c);
   if (s && c->unit->take)
      c->unit->take(w);
   return s != NULL;
}

static void
release(struct dispatch_worker *w)
{
   lock(w->crew);
   w->crew->walk.slot[w->slot].taken = w->holds = false;
   unlock(w->crew);
}

/* ---- a worker's turn ------------------------------------------------------------------------- */

/* Takes a share of the budget that all workers draw on. */
static int64_t
budget_take(struct dispatch_walk *k, int64_t want)
{
   int64_t left = __atomic_fetch_sub(&k->budget, want, __ATOMIC_RELAXED);
   if (left >= want)
      return want;
   int64_t got = left > 0 ? left : 0;
   __atomic_fetch_add(&k->budget, want - got, __ATOMIC_RELAXED);
   return got;
}

static void
run_items(struct dispatch_crew *c, struct dispatch_worker *w, int64_t *share)
{
   while (!rules_stopped(c->d->dev) && !dispatch_stuck(c->d)) {
      if (*share < BUDGET_LEAST)
         *share += budget_take(&c->walk, BUDGET_SHARE - *share); /* what it owes, too */
      if (*share <= 0 || (!dispatch_busy(w) && !take(w)))
         return;
      c->unit->run(w, share);
   }
}

static void
work(void *data, unsigned index)
{
   struct dispatch_crew *c = data;
   int64_t share = 0;
   if (index >= c->workers)
      return;
   struct dispatch_worker *w = c->worker[index];
   uint32_t host_modes = eu_enter(c->d->dev->eu);
   if (w->state != c->state)
      c->unit->prepare(w);
   w->state = c->state;
   c->unit->enter(w);
   run_items(c, w, &share);
   if (w->holds && !dispatch_busy(w))
      release(w);
   eu_leave(c->d->dev->eu, host_modes);
   if (c->unit->leave)
      c->unit->leave(w);
   __atomic_fetch_add(&c->walk.budget, share,
                      __ATOMIC_RELAXED); /* what is left, or has been overdrawn */
}

/* ---- a turn of all --------------------------------------------------------------------------- */

/* All workers, or the calling thread's alone, until the budget or the walk ends. */
static void
run_workers(struct dispatch_crew *c, unsigned workers, int64_t *budget)
{
   c->walk.workers = workers;
   c->walk.budget = *budget;
   if (workers > 1)
      pool_run(c->d->pool, work, c);
   else
      work(c, 0);
   for (unsigned i = 1; i < c->workers; i++) /* items of those who did not come */
      if (dispatch_busy(c->worker[i]))
         work(c, i);
   *budget = c->walk.budget;
}

static bool
worth_the_pool(const struct dispatch_crew *c)
{
   const struct dispatch_walk *k = &c->walk;
   return !k->alone && k->slots > 1 && dispatch_first_left(k) < k->items &&
          dispatch_host_threads(c->d) > 1;
}

/* Host threads and workers beyond the first are made when a walk is first worth them. */
static unsigned
prepare_workers(struct dispatch_crew *c)
{
   struct dispatcher *d = c->d;
   unsigned threads = dispatch_host_threads(d);
   if (threads > 1 && !d->pool)
      d->pool = pool_create(threads, d->dev->host_thread_begins);
   threads = d->pool && threads > 1 ? pool_threads(d->pool) : 1;
   while (c->workers < threads && c->workers < MAX_HOST_THREADS && dispatch_add_worker(c))
      ;
   return threads > 1 ? c->workers : 1;
}

/* Items that a worker has, or that must be dispatched since later ones have been. */
static bool
in_flight(const struct dispatch_crew *c, uint64_t first_left)
{
   for (unsigned i = 0; i < c->workers; i++)
      if (dispatch_busy(c->worker[i]))
         return true;
   return first_left < c->walk.dispatched;
}

bool
dispatch_pay(struct dispatch_crew *c, uint64_t *budget)
{
   uint64_t debt = (uint64_t)c->debt, paid = debt < *budget ? debt : *budget;
   *budget -= paid;
   c->debt -= (int64_t)paid;
   return *budget && !c->debt;
}

enum dispatch_result
dispatch_run(struct dispatch_crew *c, uint64_t *budget)
{
   struct dispatch_walk *k = &c->walk;
   struct pergola_device *dev = c->d->dev;
   if (rules_stopped(dev) || dispatch_stuck(c->d))
      return DISPATCH_ERROR;
   int64_t given = *budget > INT64_MAX / 2 ? INT64_MAX / 2 : (int64_t)*budget,
           left = given - c->debt;
   /* A short walk ends sooner than other threads wake up. */
   if (!k->parallel && left > INLINE_FIRST && worth_the_pool(c)) {
      int64_t later = left - INLINE_FIRST;
      left = INLINE_FIRST;
      run_workers(c, 1, &left);
      left += later;
   }
   if (!rules_stopped(dev) && !dispatch_stuck(c->d)) {
      bool parallel = (k->parallel || worth_the_pool(c)) && prepare_workers(c) > 1;
      k->parallel |= parallel;
      run_workers(c, parallel ? c->workers : 1, &left);
   }
   c->debt = left < 0 ? -left : 0; /* time goes by what has been done, however many have done it */
   *budget = left > 0 ? *budget - (uint64_t)(given - left) : 0;
   if (rules_stopped(dev) || dispatch_stuck(c->d))
      return DISPATCH_ERROR;
   uint64_t first_left = dispatch_first_left(k);
   if (in_flight(c, first_left))
      return DISPATCH_AGAIN;
   if (first_left < k->items)
      return k->stop ? DISPATCH_STOPPED : DISPATCH_AGAIN;
   return c->debt ? DISPATCH_AGAIN : DISPATCH_DONE; /* whose time it is, pays for it */
}
