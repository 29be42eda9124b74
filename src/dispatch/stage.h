/* Stages whose threads do not wait for each other: an item of the walk is a thread, and a worker
 * runs one after the other in the hardware threads of its slot.
 *
 * The stage gives functions; what threads of a kernel have in common is in `fresh` and in
 * `common`. Where the kernel has native code for it, threads run as a series: stage_series(), which
 * a stage makes its own by giving it functions that are inlined. */
#ifndef PERGOLA_DISPATCH_STAGE_H
#define PERGOLA_DISPATCH_STAGE_H

#include "dispatch/dispatch.h"
#include "dispatch/place.h"
#include "eu/series.h"

/* How a series is compiled: native code needs AVX2 anyway. */
#ifdef __x86_64__
#define STAGE_VECTORS __attribute__((target("avx2")))
#else
#define STAGE_VECTORS
#endif

/* A register, or a part of a thread's start. Moved as a whole: it is read as a whole soon after,
 * and a load that needs two stores has to wait for both. */
typedef uint32_t stage_row __attribute__((vector_size(EU_REG_SIZE), may_alias));

#define STAGE_KERNELS 3u /* that the threads of one walk may run */
#define STAGE_PLACES                                                                               \
   4u /* hardware threads that a slot's threads have in turn, where there are as many */

struct stage_worker;
struct stage {
   const char *engine;     /* "WM": who it is in events and reports */
   const char *maker;      /* "pixel shader" */
   const char *stuck_rule; /* ledger id for a thread that waits for ever */
   size_t worker_size;     /* of the stage's struct, which begins with struct stage_worker */
   unsigned cost;          /* of the budget to make a thread: as much as so many instructions */

   /* Before a worker's first thread after dispatch_state_changed(): w->env, stage_fresh() for each
    * kernel, common. */
   void (*prepare)(struct stage_worker *w);
   /* w->work.next … end are taken; or NULL. */
   void (*take)(struct stage_worker *w);
   /* Chooses the next thread of these: its kernel to w->kernel. An item may make no thread, or
    * several: work.next goes on when the last one of it has been chosen. False: there is no other
    * one; or, with work.next before its end, it has done a lot (w->owed) and wants to be asked
    * again. */
   bool (*next)(struct stage_worker *w);
   /* What is its own: w->t is as fresh[kernel], and gets its id, its channels if they are others
    * (stage_channels()) and its registers; those of common[kernel] are loaded behind it. */
   void (*fill)(struct stage_worker *w);
   /* The thread has ended (not: it stays stuck). Also for threads of a series. Or NULL. */
   void (*ended)(struct stage_worker *w, enum eu_stop stop);
   /* Runs the chosen thread, and those that follow, by stage_series(). NULL: one by one. */
   void (*series)(struct stage_worker *w, const struct eu_series *s, int64_t *budget);
   void (*leave)(struct stage_worker *w); /* a turn ends: counts are added up; or NULL */
   /* What the worker has of its own in the middle of its items; loading, behind prepare and take,
    * with its items, thread and kernel known. */
   void (*snapshot)(struct stage_worker *w, struct snapshot *s);
};

struct stage_worker {
   struct dispatch_worker work;
   struct stage_crew *crew;
   struct eu_thread *t, *fresh; /* fresh: one for each kernel, as they are dispatched */
   struct sf_buffers *buffers;
   struct eu_env env;
   enum stage_thread { STAGE_NONE, STAGE_CHOSEN, STAGE_RUNNING } thread; /* chosen: by next() */
   unsigned kernel;                                                      /* that it runs */
   int64_t owed; /* of the budget: by next(), for what it did beside choosing threads */
   struct thread_place place;                /* of the thread: one of … */
   struct thread_place places[STAGE_PLACES]; /* … those of its slot, in turn */
   unsigned place_count, turn;
   unsigned seated; /* kernels, a bit each, of which `seat` has … */
   /* … the start of a thread in each of the places, as fresh[kernel]'s but for where it sits. */
   _Alignas(32) uint8_t seat[STAGE_KERNELS][STAGE_PLACES][EU_START_SIZE];
   /* Registers that threads of a kernel have in common: constants, attributes. */
   struct stage_common {
      unsigned first, count;
      const uint32_t (*row)[8]; /* by register, aligned to 32; next() may change it */
      /* … and then counts here; fill() writes to none of the registers. If so, what the kernel does
       * not write to is loaded once for many threads. */
      bool lasts;
      uint32_t changes;
   } common[STAGE_KERNELS];
};

/* A stage of a unit, with its workers. */
struct stage_crew {
   struct dispatch_crew crew;
   const struct stage *stage;
   void *data; /* the unit's */
};

bool stage_crew_init(struct stage_crew *c, struct dispatcher *d, const struct stage *stage,
                     void *data);
void stage_crew_finish(struct stage_crew *c);
/* A walk begins: so many threads may be in flight, in runs of so many items. Whoever listens hears
 * them in their order. */
void stage_begin(struct stage_crew *c, uint64_t items, unsigned threads, uint64_t run);
/* Threads under way are forgotten. */
void stage_drop(struct stage_crew *c);
/* Every thread under way; returns how many. */
unsigned stage_threads(struct stage_crew *c, pergola_thread_fn fn, void *data);

/* From prepare(): a thread of a kernel with these channels, in its slot. The caller adds cr0,
 * modes, tables, and eu_thread_mark() for the registers that are loaded. */
struct eu_thread *stage_fresh(struct stage_worker *w, unsigned kernel, uint8_t ffid,
                              uint32_t kernel_start, uint32_t channels);

/* Makes `seat` of a kernel. */
void stage_make_seats(struct stage_worker *w, unsigned kernel);

/* The next thread sits in the next of its slot's places. */
static inline void
stage_sit(struct stage_worker *w)
{
   w->place = w->places[w->turn];
   w->turn = w->turn + 1 < w->place_count ? w->turn + 1 : 0;
   thread_sit(w->t, &w->place);
}

/* From fill(): the channels of a thread that has others than fresh[kernel]. */
static inline void
stage_channels(struct eu_thread *t, uint32_t mask)
{
   eu_thread_channels(t, mask);
   t->active = mask;
   t->sr0[2] = mask;
   t->sr0[3] = t->vector_mask;
}

/* ---- series ---------------------------------------------------------------------------------- */

#define STAGE_SLICE 65536u /* instructions of a thread at once */

/* The registers in common that a thread with all channels of the kernel reads before it writes
 * them. again: the first of them, which each thread has to load. */
unsigned stage_needs(const struct stage_worker *w, const struct eu_series *s,
                     uint8_t need[EU_GRF_COUNT], unsigned *again);
/* It has ended, but not by its end of thread, or it waits for ever: then it stays, or is ended. */
void stage_stopped(struct stage_worker *w, enum eu_stop stop);

/* Threads of one kernel one after the other, each from its beginning to its end in native code. The
 * stage calls this from its series() with its own functions, known when it is compiled: the loop
 * runs once per thread. */
STAGE_VECTORS static inline __attribute__((always_inline)) void
stage_series(struct stage_worker *w, const struct eu_series *s, int64_t *budget,
             bool (*next)(struct stage_worker *w), void (*fill)(struct stage_worker *w),
             void (*ended)(struct stage_worker *w, enum eu_stop stop), unsigned cost)
{
   struct eu_thread *t = w->t;
   struct dispatcher *d = w->work.crew->d;
   const unsigned kernel = w->kernel;
   const struct eu_thread *fresh = &w->fresh[kernel];
   const bool *stopped = rules_stop_flag(d->dev);
   uint8_t need[EU_GRF_COUNT];
   unsigned again, needs = stage_needs(w, s, need, &again);
   uint32_t loaded = w->common[kernel].changes - 1;
   stage_row *grf = (stage_row *)(void *)t->grf,
             *to = (stage_row *)(void *)((uint8_t *)t + EU_START_OFFSET);
   if (!(w->seated >> kernel & 1))
      stage_make_seats(w, kernel);
   eu_thread_copy(t, fresh);
   do {
      const stage_row *start = (const stage_row *)(const void *)w->seat[kernel][w->turn];
      for (unsigned i = 0; i < EU_START_SIZE / sizeof(stage_row); i++)
         to[i] = start[i];
      w->thread = STAGE_RUNNING;
      w->place = w->places[w->turn];
      w->turn = w->turn + 1 < w->place_count ? w->turn + 1 : 0;
      fill(w);
      const struct stage_common *c = &w->common[kernel];
      const stage_row *common = (const stage_row *)(const void *)c->row;
      unsigned load = loaded == c->changes ? again : needs;
      if (t->dispatch_mask == s->channels)
         for (unsigned i = 0; i < load; i++)
            grf[need[i]] = common[need[i]];
      else
         for (unsigned i = c->first; i < c->first + c->count; i++)
            grf[i] = common[i];
      loaded = c->changes;
      if (!s->quiet) /* else nobody sees either */
         thread_arrive(t, place_n0(d, &w->place), place_port(d, &w->place));
      *budget -= cost;
      if (*budget <= 0)
         return;
      enum eu_stop stop =
          eu_series_run(s, t, *budget < (int64_t)STAGE_SLICE ? (uint64_t)*budget : STAGE_SLICE);
      *budget -= (int64_t)t->instructions + eu_thread_paid(t);
      if (__builtin_expect(stop != EU_STOP_EOT, 0)) {
         stage_stopped(w, stop);
         if (w->thread == STAGE_RUNNING)
            return;
         eu_thread_copy(t, fresh);
         loaded = c->changes - 1;
      } else {
         if (!s->quiet)
            thread_keep_notifications(place_n0(d, &w->place), t);
         ended(w, stop);
      }
      w->thread = next(w) ? STAGE_CHOSEN : STAGE_NONE;
   } while (w->thread == STAGE_CHOSEN && w->kernel == kernel && *budget > 0 &&
            !__atomic_load_n(stopped, __ATOMIC_RELAXED));
}

#endif
