/* Shared by the sanitizer's files. */
#ifndef PERGOLA_SANITIZE_INTERNAL_H
#define PERGOLA_SANITIZE_INTERNAL_H

#include "sanitize/sanitize.h"

#define SANITIZE_BTI_SLM 254u
#define SANITIZE_BTI_STATELESS 255u

/* ---- what is remembered of an access: one number --------------------------------------------- */

/* From the lowest bit: thread 22 (its number since the last flush, from 1 on), instruction 17
 * (8 bytes each, from the kernel's start), clock of the thread 18, channel 5, atomic, port. */
typedef uint64_t touch; /* 0: none */
#define TOUCH_THREADS (1u << 22)
#define TOUCH_IPS (1u << 17)
#define TOUCH_CLOCKS (1u << 18)
#define TOUCH_CHANNEL_SHIFT 57

static inline uint32_t
touch_thread(touch a)
{
   return (uint32_t)a & (TOUCH_THREADS - 1);
}
static inline uint32_t
touch_ip(touch a)
{
   return (uint32_t)(a >> 22 & (TOUCH_IPS - 1)) * 8;
}
static inline uint32_t
touch_clock(touch a)
{
   return (uint32_t)(a >> 39 & (TOUCH_CLOCKS - 1));
}
static inline unsigned
touch_channel(touch a)
{
   return (unsigned)(a >> TOUCH_CHANNEL_SHIFT & 31);
}
static inline bool
touch_atomic(touch a)
{
   return a >> 62 & 1;
}
static inline unsigned
touch_port(touch a)
{
   return (unsigned)(a >> 63);
}

/* ---- shadow memory ----------------------------------------------------------------------------
 */

#define CELL_USES 3
/* Of a dword, or of a byte in pages that were touched by less than dwords. */
struct cell {
   touch write;          /* the last */
   touch use[CELL_USES]; /* reads and atomic operations of threads that nothing has ordered: two
                            at most of each kind, reads from below, the others from above */
};

#define SCRATCH_OWNERS 4 /* of a page: the least scratch space of a thread is 1 KiB (DP-301) */

struct shadow_page {
   uintptr_t page; /* host address >> 12 */
   struct shadow_page *next;
   uint32_t epoch;       /* its cells are of this one */
   bool bytes;           /* cells are of bytes */
   struct cell *cell;    /* 1024 or 4096 */
   uint32_t unset_epoch; /* what follows is of this one: the host may have written since */
   uint64_t unset[64];   /* a bit a byte: nobody has written it */
   bool mixed;           /* others than scratch messages have written here */
   struct {
      const void *place;
      uint64_t begun;
   } owner[SCRATCH_OWNERS]; /* threads whose scratch space was here last, in equal parts */
};

#define SHADOW_HASH 65536u
#define SHADOW_LIMIT (UINT64_C(2) << 30) /* bytes; what lies in further pages is not watched */
#define SYNC_LIMIT (UINT64_C(256) << 20) /* bytes; beyond it everything counts as ordered */

struct shadow {
   struct shadow_page *table[SHADOW_HASH];
   struct shadow_page *latest;
   uint64_t bytes, limit;
   bool full;
};
/* NULL: no room. */
struct shadow_page *shadow_find(struct shadow *s, const uint8_t *host, uint32_t epoch);
/* The same with cells of this epoch, for things of that size and alignment. */
struct shadow_page *shadow_cells(struct shadow *s, const uint8_t *host, unsigned size,
                                 uint32_t epoch);
/* A bit a byte from the start of its page: nobody has written it. NULL: all have been written. */
uint64_t *shadow_unset(struct shadow *s, const uint8_t *host, uint32_t epoch);
void shadow_finish(struct shadow *s);

/* ---- threads and what they know of each other -------------------------------------------------
 */

/* Accesses up to these moments of a thread come before. */
struct moments {
   uint32_t order;                /* of reads, and of anything in shared local memory (DP-312) */
   uint32_t seen[SANITIZE_PORTS]; /* of writes to other memory: those that were fenced */
};

struct sync; /* a dword that is used by atomic operations */
#define MAX_ACQUIRED 8
struct acquired {
   const struct sync *sync;
   uint32_t count; /* of its releases */
};

struct san_clock {
   uint32_t own;     /* moves on with every release */
   bool dirty;       /* something was touched in this moment */
   uint32_t version; /* of all that it could tell others; 0: nothing */
   bool knows_all;   /* too much to keep: taken as if it came after everything */
   unsigned acquired_count;
   struct acquired acquired[MAX_ACQUIRED];
   struct moments of[GROUP_MAX_THREADS]; /* its own moments are what it has fenced */
};

struct san_thread {
   uint32_t group;  /* number */
   uint32_t id;     /* as the dispatch counts */
   uint32_t kernel; /* graphics address */
   uint8_t index;   /* in the group */
   bool talks;      /* with other threads, by messages: taken as ordered with all */
   uint16_t slot;   /* of a kernel that asks for it: fixed function and FFTID, + 1; 0: does not */
   uint8_t after_count;
   uint32_t place; /* on the scoreboard */
   uint32_t after[SANITIZE_MAX_AFTER];
   uint32_t search; /* that has been here last */
};

struct san_group {
   bool real; /* else a thread by itself */
   uint32_t id[3], threads;
};

/* The group that runs: there is one host thread. */
struct san_live {
   const struct eu_group *g;
   uint32_t serial, number, epoch;
   struct san_clock clock[GROUP_MAX_THREADS];
};

struct sanitizer {
   struct pergola_device *dev;
   unsigned kinds;
   uint32_t epoch; /* from 1 on: moves with every flush */
   struct shadow shadow;
   struct san_thread *thread; /* since the flush; [0] stays free */
   uint32_t thread_count, thread_room;
   struct san_group *group;
   uint32_t group_count, group_room;
   struct san_live live;
   uint32_t *scoreboard; /* by place: the thread that took it last; NULL: nobody has */
   uint32_t search;
   struct san_clock alone; /* of the thread by itself that ran last */
   uint32_t alone_number;
   struct sync **sync; /* hash by host address */
   uint64_t sync_bytes, sync_limit;
   bool sync_full;
};

/* The number of a thread, and its clock. 0: no memory. */
uint32_t san_thread(struct sanitizer *s, struct eu_thread *t, struct san_clock **clock);

/* Does what was touched come before what the thread does now? */
bool san_before(struct sanitizer *s, const struct san_clock *c, uint32_t thread, touch a,
                bool write, bool slm);
/* sync.c. An atomic operation releases and acquires; a read of a dword that others use so
 * acquires. */
void san_sync(struct sanitizer *s, struct san_clock *c, uint32_t thread, const uint8_t *host,
              bool release);
bool san_acquired(const struct san_clock *c, uint32_t group, unsigned index, touch a, bool write);
void san_acquire_from(struct san_clock *c, const struct san_clock *other);
void san_sync_forget(struct sanitizer *s);

/* scoreboard.c: does the thread come after the other one by its dependencies? */
bool scoreboard_after(struct sanitizer *s, uint32_t thread, uint32_t other);

static inline touch
touch_of(const struct sanitizer *s, const struct sanitize_access *a, uint32_t thread,
         const struct san_clock *c)
{
   uint32_t ip = (a->t->env->instruction_base + a->ip - s->thread[thread].kernel) / 8;
   return thread | (uint64_t)(ip & (TOUCH_IPS - 1)) << 22 | (uint64_t)c->own << 39 |
          (uint64_t)(a->channel & 31) << TOUCH_CHANNEL_SHIFT |
          (uint64_t)(a->kind == SANITIZE_ATOMIC) << 62 | (uint64_t)(a->port & 1) << 63;
}

/* Can this use of a byte race with one before it, which was no plain write? The reader of what
 * others operate on atomically in a buffer may well be an atomic load, which is a plain message on
 * this machine; there are none of shared local memory in the languages that are compiled for it. */
static inline bool
uses_clash(unsigned kind, touch before, bool slm)
{
   return kind == SANITIZE_WRITE || (slm && touch_atomic(before) != (kind == SANITIZE_ATOMIC));
}

/* race.c */
void race_check(struct sanitizer *s, const struct sanitize_access *a);

/* finding.c */
void finding_race(struct sanitizer *s, const struct sanitize_access *a, touch before,
                  bool before_writes, unsigned byte);
/* A thread sends the message of a barrier, and not all of its channels are there. */
void finding_divergent(struct sanitizer *s, const struct eu_thread *t, uint32_t ip);
void finding_here(struct sanitizer *s, const struct sanitize_access *a, const char *rule,
                  const char *sentence);

#endif
