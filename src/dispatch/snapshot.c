/* Walks in the middle, saved and loaded: see machine/snapshot.h. What a worker has under way is its
 * unit's to say; workers are not bound to host threads, so any number of these may go on. */
#include "dispatch/dispatch.h"

#include <string.h>

#define MOST_ITEMS (UINT64_C(1) << 62)
#define MOST_RUN (UINT64_C(1) << 32)

void
dispatcher_snapshot(struct dispatcher *d, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct dispatcher, 4120);
   snapshot_room(s, "DISP");
   SNAP(s, d->stuck);
   snapshot_bytes(s, d->n0, sizeof(d->n0));
}

static void
walk(struct dispatch_crew *c, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct dispatch_walk, 896);
   struct dispatch_walk *k = &c->walk;
   SNAP_BELOW(s, k->items, MOST_ITEMS);
   SNAP_BELOW(s, k->slots, DISPATCH_SLOTS + 1);
   SNAP_BELOW(s, k->threads, dispatch_hardware_threads(c->d) + 1);
   SNAP_BELOW(s, k->run, MOST_RUN);
   SNAP(s, k->whole);
   SNAP(s, k->alone);
   SNAP(s, k->parallel);
   SNAP(s, k->stop);
   SNAP_BELOW(s, k->dispatched, MOST_ITEMS);
   SNAP_BELOW(s, k->turn, DISPATCH_SLOTS);
   snapshot_check(s, !k->items || (k->slots && k->run), "a walk without slots");
   for (unsigned i = 0; i < k->slots; i++) {
      SNAP_BELOW(s, k->slot[i].next, MOST_ITEMS);
      SNAP_BETWEEN(s, k->slot[i].rest, 1, (int64_t)k->run);
   }
}

/* Items that it has taken, and the slot they are in, which nobody else has. */
static void
worker(struct dispatch_worker *w, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct dispatch_worker, 40);
   struct dispatch_walk *k = &w->crew->walk;
   SNAP_BELOW(s, w->end, k->items + 1);
   SNAP_BELOW(s, w->next, w->end + 1);
   SNAP(s, w->running);
   SNAP(s, w->holds);
   SNAP_BELOW(s, w->slot, DISPATCH_SLOTS);
   bool right = w->slot < k->slots && w->holds && !k->slot[w->slot].taken;
   if (s->loading && snapshot_check(s, !dispatch_busy(w) || right, "the slot of a worker"))
      k->slot[w->slot].taken = w->holds;
}

/* The workers up to the last one that has something under way. */
static unsigned
busy_workers(const struct dispatch_crew *c)
{
   unsigned n = c->workers;
   while (n && !dispatch_busy(c->worker[n - 1]) && !c->worker[n - 1]->holds)
      n--;
   return n;
}

void
dispatch_crew_snapshot(struct dispatch_crew *c, bool walking, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct dispatch_crew, 1536);
   unsigned workers = busy_workers(c);
   snapshot_room(s, "CREW");
   if (s->loading) {
      dispatch_drop(c);
      dispatch_state_changed(c);
   }
   SNAP_BETWEEN(s, c->debt, 0, INT64_MAX / 4);
   if (!walking)
      return;
   walk(c, s);
   SNAP_BELOW(s, workers, MAX_HOST_THREADS + 1);
   snapshot_check(s, !workers || c->walk.items, "workers without a walk");
   for (unsigned i = 0; i < workers && !s->refused; i++) {
      if (i == c->workers && !dispatch_add_worker(c)) {
         snapshot_refuse(s, "out of memory");
         break;
      }
      struct dispatch_worker *w = c->worker[i];
      if (s->loading) {
         c->unit->prepare(w);
         w->state = c->state;
      }
      worker(w, s);
      if (!s->refused && dispatch_busy(w))
         c->unit->snapshot(w, s);
   }
   if (s->refused)
      dispatch_drop(c);
}
