/* The sanitizer of GPU programs: it sees every access of every thread to surfaces, shared local
 * memory and scratch space, and names those that no chip can be relied on to do well.
 *
 * dev->sanitizer is NULL when it is off: what it costs then is that question, once a message. While
 * it is on, the device has one host thread, and no message takes a fast path. */
#ifndef PERGOLA_SANITIZE_H
#define PERGOLA_SANITIZE_H

#include "eu/group.h"

struct sanitizer;

enum sanitize_kind { SANITIZE_READ, SANITIZE_WRITE, SANITIZE_ATOMIC };
/* A memory fence orders the messages to its own port alone (DP-309). */
enum sanitize_port { SANITIZE_DATA_PORT, SANITIZE_RENDER_PORT, SANITIZE_PORTS };

/* What one channel of a message does. */
struct sanitize_access {
   struct eu_thread *t;
   uint32_t ip;     /* of the send */
   uint8_t kind;    /* enum sanitize_kind */
   uint8_t port;    /* enum sanitize_port */
   uint8_t channel; /* of the instruction */
   uint8_t bti;     /* binding table index; 254: shared local memory, 255: stateless */
   bool scratch;
   const uint32_t *texel; /* U, V, R and LOD instead of the offset, or NULL */
   uint64_t offset;       /* from the start of the surface or of the range */
   unsigned size;         /* bytes, all in one page */
   uint8_t *host;         /* where they lie */
   uint32_t address;      /* graphics address; not of shared local memory */
   const void *data;      /* of a write: what it will write; NULL: not known */
   uint32_t *unset;       /* of an exchange: its channel is put here when nobody has written there,
                             and nothing is wrong so far; else NULL */
};

/* kinds: enum pergola_sanitize bits. NULL: no memory. */
struct sanitizer *sanitizer_create(struct pergola_device *dev, unsigned kinds);
void sanitizer_destroy(struct sanitizer *s);

/* Before it is done. */
void sanitize_access(struct sanitizer *s, const struct sanitize_access *a);
/* The same for bytes at a graphics address, across pages: their host address is looked up. */
void sanitize_memory(struct sanitizer *s, const struct sanitize_access *a, uint32_t address,
                     unsigned size);
/* The fast path for a message of up to 32 slots of a->size bytes each, at these offsets from
 * a->address, or from a->host in shared local memory; a->channel is 0. True: nothing is wrong with
 * any of them, and they are remembered. False: tell them one by one. */
bool sanitize_slots(struct sanitizer *s, const struct sanitize_access *a, const uint64_t *offset,
                    unsigned slots, uint32_t mask);
/* It is outside, so that it is not done: `limit` bytes are inside. why: a clause, or NULL. */
void sanitize_outside(struct sanitizer *s, const struct sanitize_access *a, uint64_t limit,
                      const char *why);
/* A channel uses a register that nobody wrote: what for. */
void sanitize_unwritten(struct sanitizer *s, const struct sanitize_access *a, const char *what);
/* Scratch space holds what the thread has put there: bytes of registers, at this offset of the
 * register file, that nobody wrote stay so. [host, host + size) lies in one page. */
void sanitize_scratch(struct sanitizer *s, struct eu_thread *t, const uint8_t *host, unsigned size,
                      unsigned reg_offset, bool write);
/* DP-235: two channels of one message write different values to the same bytes. */
void sanitize_channels(struct sanitizer *s, const struct sanitize_access *a, unsigned other);

/* What orders accesses. A thread sends its BarrierMsg by the instruction at ip; those of the group
 * in `waiting` go on. */
void sanitize_barrier(struct sanitizer *s, struct eu_thread *t, uint32_t ip);
void sanitize_release(struct sanitizer *s, const struct eu_group *g, uint64_t waiting);
void sanitize_fence(struct sanitizer *s, struct eu_thread *t, enum sanitize_port port);
/* A root thread with a place on the scoreboard begins: after those that hold the places in `after`,
 * or have held them. A place is below SANITIZE_PLACES. */
#define SANITIZE_PLACES (1u << 22)
#define SANITIZE_MAX_AFTER 8
void sanitize_scoreboard(struct sanitizer *s, struct eu_thread *t, uint32_t place,
                         const uint32_t *after, unsigned count);
/* The thread sends a message to another one, or makes it: order of a kind that is not followed. */
void sanitize_talks(struct sanitizer *s, struct eu_thread *t);
/* All threads have ended, and the pipeline is flushed. */
void sanitize_drained(struct sanitizer *s);

#endif
