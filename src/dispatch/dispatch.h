/* The dispatcher: threads of every stage, on the host threads of the device.
 *
 * A unit that makes threads (the GPGPU walker, the windower, vertex shading, …) has a *crew*: a
 * worker for each host thread. A command is a *walk* over numbered *items*: thread groups, groups
 * of pixels, pairs of vertices. Items are in flight in *slots*; with n of them and runs of r items,
 * slot s has the runs s, s + n, s + 2n, …, in their order. So what a thread sees of its slot
 * depends on the walk alone, not on host threads; and since a worker takes a slot for itself, none
 * ever waits for another. */
#ifndef PERGOLA_DISPATCH_H
#define PERGOLA_DISPATCH_H

#include "dispatch/pool.h"
#include "eu/eu.h"
#include "machine/snapshot.h"

#define MAX_HOST_THREADS 64u
#define DISPATCH_SLOTS 32u /* of a walk: more would occupy no more host threads */

/* ---- the device's dispatcher ----------------------------------------------------------------- */

struct dispatcher {
   struct pergola_device *dev;
   struct pool *pool; /* made when a walk is first worth it */
   bool stuck; /* threads that can never go on have been found, and stay (from any host thread) */
   /* SF-169: notification counts stay with the hardware thread, not with the software thread. */
   uint32_t n0[EU_HALF_SLICES][EU_COUNT][EU_THREADS][4];
};

struct dispatcher *dispatcher_create(struct pergola_device *dev);
void dispatcher_destroy(struct dispatcher *d);
void dispatcher_reset(struct dispatcher *d);
void dispatcher_snapshot(struct dispatcher *d, struct snapshot *s);

/* As many as the configuration asks for, or the machine has. */
unsigned dispatch_host_threads(const struct dispatcher *d);
static inline bool
dispatch_stuck(const struct dispatcher *d)
{
   return __atomic_load_n(&d->stuck, __ATOMIC_RELAXED);
}
/* Threads that can never go on have been reported: do they stay, and stop the engine? */
bool dispatch_stay_stuck(struct dispatcher *d);

/* ---- hardware threads ------------------------------------------------------------------------ */

/* Where a thread sits. */
struct thread_place {
   unsigned half_slice, eu, slot, fftid;
};
/* Hardware threads of the part. */
unsigned dispatch_hardware_threads(const struct dispatcher *d);
/* Number n of them, half-slices and EUs in turn; its FFTID is n. */
struct thread_place dispatch_place(const struct dispatcher *d, unsigned n);

/* ---- walks and crews ------------------------------------------------------------------------- */

struct dispatch_walk {
   uint64_t items;
   unsigned slots; /* at most DISPATCH_SLOTS */
   unsigned
       threads; /* hardware threads that the slots of a stage share: slot s has s, s + slots, … */
   uint64_t run; /* items of a slot that follow each other */
   bool whole; /* a worker takes all of a run at once; else an item, or several if many are left */
   bool alone; /* the calling host thread does everything: somebody wants to see their order */
   bool parallel;    /* the pool has worked on it */
   unsigned workers; /* host threads at work on it */
   /* What the workers write, apart from what they only read. */
   _Alignas(64) int64_t budget; /* atomic while the pool runs */
   bool stop;                   /* take nothing behind what is dispatched; atomic */
   /* Under the crew's lock. */
   uint64_t dispatched; /* items so far, when those with lower numbers are all taken */
   unsigned turn;       /* the slot of the item after these */
   struct dispatch_slot {
      uint64_t next; /* of its items; at or past the walk's end: none is left */
      uint64_t rest; /* of the run */
      bool taken;    /* a worker has it */
   } slot[DISPATCH_SLOTS];
};

/* A host thread of a crew: the first member of the unit's own struct. */
struct dispatch_worker {
   struct dispatch_crew *crew;
   uint64_t next, end; /* items that it has taken and not begun */
   bool running;       /* one that it has begun is under way */
   bool holds;         /* has a slot: */
   unsigned slot;
   uint32_t state; /* for which it is prepared */
   unsigned index; /* in the crew */
};

/* What a unit tells the dispatcher. `w` points to the unit's own struct. */
struct dispatch_unit {
   void *(*create)(void *unit); /* a worker; NULL: no memory. Zeros but for what the unit knows */
   void (*destroy)(void *w);
   void (*prepare)(void *w); /* before its first items after dispatch_state_changed() */
   void (*enter)(void *w);   /* its turn begins: translations may have changed */
   void (*take)(void *w);    /* it has taken items next … end in a slot; or NULL */
   /* Begins items, runs them, until the budget or its items end. `running` says whether the last
    * one has ended. */
   void (*run)(void *w, int64_t *budget);
   void (*leave)(void *w); /* its turn ends: counts are added up; or NULL */
   /* What it has under way; loading, it has been prepared, and knows its items and its slot. */
   void (*snapshot)(void *w, struct snapshot *s);
};

struct dispatch_crew {
   struct dispatcher *d;
   const struct dispatch_unit *unit;
   void *data;                                       /* the unit's */
   struct dispatch_worker *worker[MAX_HOST_THREADS]; /* [0] is the calling thread's */
   unsigned workers;
   uint32_t state; /* number of what its threads have in common now */
   int64_t debt;   /* what has been done beyond the budget of earlier turns */
   pthread_mutex_t lock;
   struct dispatch_walk walk;
};

bool dispatch_crew_init(struct dispatch_crew *c, struct dispatcher *d,
                        const struct dispatch_unit *unit, void *data);
void dispatch_crew_finish(struct dispatch_crew *c);
/* Nothing is under way any more. */
void dispatch_drop(struct dispatch_crew *c);
/* What threads have in common is another than before: workers prepare themselves anew. */
void dispatch_state_changed(struct dispatch_crew *c);
/* A walk begins: the caller has set items, slots, run, whole and alone of c->walk, and the rest of
 * it is set here. */
void dispatch_begin(struct dispatch_crew *c);

/* For a stage that may have so many threads in flight: threads and slots of the walk, no more than
 * the part has. */
void dispatch_set_threads(struct dispatch_crew *c, unsigned threads);

enum dispatch_result {
   DISPATCH_DONE,
   DISPATCH_AGAIN,   /* the budget has ended */
   DISPATCH_STOPPED, /* by dispatch_stop(): nothing is in flight, items are left */
   DISPATCH_ERROR,   /* stuck, or a broken rule stops the engine */
};
/* One turn. A walk that is done has paid for all that it did. */
enum dispatch_result dispatch_run(struct dispatch_crew *c, uint64_t *budget);
/* Of crew.debt, for work without threads. False: no budget is left. */
bool dispatch_pay(struct dispatch_crew *c, uint64_t *budget);
/* walking: a walk has begun, and not ended. */
void dispatch_crew_snapshot(struct dispatch_crew *c, bool walking, struct snapshot *s);
/* One more worker; false: no memory. */
bool dispatch_add_worker(struct dispatch_crew *c);
/* From a worker: nothing more is begun but what has to be since later items have been. */
void dispatch_stop(struct dispatch_crew *c);
/* The first item that nobody has taken; the walk's end: there is none. */
uint64_t dispatch_first_left(const struct dispatch_walk *k);

static inline bool
dispatch_busy(const struct dispatch_worker *w)
{
   return w->running || w->next < w->end;
}

#endif
