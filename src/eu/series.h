/* Series of threads in native code: for dispatchers. */
#ifndef PERGOLA_EU_SERIES_H
#define PERGOLA_EU_SERIES_H

#include "eu/group.h"

/* Many threads of one kernel that differ in their payload alone, one after the other on one host
 * thread: what they have in common is asked once. False: they have to be run one by one
 * (eu_run_inside). fresh: as for eu_thread_copy. */
struct eu_op;
struct eu_series;
/* How native code is entered: eu/jit/jit.h. */
typedef const struct eu_op *(*eu_enter_fn)(struct eu_thread *t, uint64_t entry, uint64_t *left,
                                           const struct eu_op *ops,
                                           const struct sf_buffers *buffers,
                                           struct eu_series *rounds);
/* How many threads it leaves that have not begun. */
typedef uint64_t (*eu_iterate_fn)(struct eu_thread *t, const uint8_t *payload, uint64_t stride_B,
                                  uint64_t count, const struct sf_buffers *buffers,
                                  const struct eu_op *ops);
struct sf_quick;
struct eu_series {
   uint32_t channels;   /* a thread with just these, no more and no less, … */
   uint64_t needs[2];   /* … needs these registers only, a bit each */
   uint64_t touches[2]; /* no thread writes to any other one than these */
   bool
       ends; /* EU_STOP_EOT means the plain end of a GPGPU thread: the group marks it as released */
   bool quiet; /* nothing goes to the message gateway, and notifications are not looked at */
   /* Threads with just these channels do all the same if these registers of theirs are alike: no
    * branches, and one message, which ends them. */
   bool uniform;
   uint64_t uniform_needs[2];
   /* Threads with just these channels store what this ld returns, and nothing else; NULL: others.
    * Where the registers are alike, U goes by the pixel's X alone, V by its Y, the rest by neither.
    */
   const struct sf_quick *fetch;
   uint64_t fetch_needs[2];
   /* Threads with full_channels as iterations of a loop, so many instructions each; or NULL. */
   eu_iterate_fn iterate;
   uint32_t instructions;
   eu_enter_fn enter;
   uint64_t entry, full_entry;
   uint32_t full_channels;
   const struct eu_op *ops;
   const struct sf_buffers *buffers;
   bool counts;    /* eu/tally.h */
   uint32_t modes; /* of floating point, that the host has */
   const struct eu_kernel *kernel;
   uint32_t again_ip; /* of rounds: where the last thread went on, … */
   uint64_t again;    /* … by this entry; 0: not by one */
   /* Threads of the group that native code has left by itself, a bit each: what is in other parts
    * of their memory, which is far away by now, need not be looked at. */
   uint64_t inside;
   const bool *stopped; /* a broken rule has asked for it */
   /* Threads wait in a ring: native code goes on by itself with the one behind the one that waits,
    * of `ring` threads (0: with none), each with a slice as large. It moves `at`, and takes from
    * `room` what they took but the last: no more than there is, or the next one's slice would be
    * smaller. */
   struct eu_thread *const *threads;
   uint32_t ring, at;
   uint32_t barrier; /* dword 2 of a BarrierMsg of the group's, with its own count: these fields */
   uint64_t slice, room, last; /* last: of the last one alone */
};
/* Threads that wait for each other have more, which is long: a series begins with every small
 * triangle. */
struct eu_rounds {
   struct eu_series series;            /* first: native code is given it */
   uint64_t resume[GROUP_MAX_THREADS]; /* where a thread's code goes on behind the wait at which it
                                          has stopped; or 0 */
};
void eu_tally_thread(struct eu_thread *t, bool first);
/* Where a thread with these registers would fetch: it runs up to its ld, and has to be started
 * again then. In a series only, whose modes the host has. */
struct eu_texels {
   uint32_t u[16], v[16], lod, slice;
};
void eu_series_texels(const struct eu_series *s, struct eu_thread *t, struct eu_texels *out);
bool eu_series_begin(struct eu_series *s, const struct eu_thread *fresh);
/* Is it still as it began, for more threads like the first ones? Asked by who has run nothing but
 * threads of it since, inside. */
bool eu_series_holds(const struct eu_series *s, const struct eu_thread *fresh);
/* Not by an end of thread. */
enum eu_stop eu_series_left(struct eu_thread *t, const struct eu_op *op);
/* A thread as `fresh` but for its registers and its start, with all its channels active (at most
 * 16). After an end of thread its memory can have the next one's start; after anything else it is
 * an ordinary thread. */
static inline enum eu_stop
eu_series_run(const struct eu_series *s, struct eu_thread *t, uint64_t budget)
{
   uint64_t left = budget;
   bool full = t->dispatch_mask == s->full_channels;
   const struct eu_op *op =
       s->enter(t, full ? s->full_entry : s->entry, &left, s->ops, s->buffers, NULL);
   t->instructions = budget - left;
   if (__builtin_expect(s->counts, 0))
      eu_tally_thread(t, t->instructions); /* none: it begins as an ordinary thread */
   return !op && t->stop == EU_STOP_EOT ? EU_STOP_EOT : eu_series_left(t, op);
}

/* Up to `count` threads that differ in the registers from r1 on alone, which lie stride_B apart.
 * t: one of the series, with the group's R0. How many have ended; the next one has to run by
 * itself, from its start, and so does any other then. */
static inline unsigned
eu_series_iterate(const struct eu_series *s, struct eu_thread *t, const uint8_t *payload,
                  unsigned stride_B, unsigned count)
{
   return count - (unsigned)s->iterate(t, payload, stride_B, count, s->buffers, s->ops);
}

/* The same for threads that wait for each other, each in memory of its own: rounds of them, from
 * wait to wait. False: as above. */
bool eu_rounds_begin(struct eu_rounds *r, const struct eu_thread *fresh, uint8_t barrier_id);
/* As eu_run_inside, from the thread's start or from where it has stopped, for the thread `at`; then
 * those behind it in the ring. Why the last one stopped that ran, which `at` tells; all before it
 * wait. Adds to what the last one has executed. */
enum eu_stop eu_rounds_run(struct eu_rounds *r, uint64_t budget);

#endif
