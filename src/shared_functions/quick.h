/* The short way of common messages: what a send says of itself is settled when its kernel is decoded, and a function
 * is chosen for it. The function does the whole message, exactly as sf_send would with nobody looking, or nothing. */
#ifndef PERGOLA_SF_QUICK_H
#define PERGOLA_SF_QUICK_H

#include "eu/eu.h"
#include "surface/cache.h"

struct sf_quick;

/* True: done, the response registers marked as written; after an end of thread the caller stops the thread. False:
 * nothing has been touched, the message takes the long way. exec_mask: as in struct sf_message. Integers only: the
 * host's floating-point modes do not matter. */
typedef bool (*sf_quick_fn)(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask);

struct sf_quick {
   sf_quick_fn fn;             /* NULL: there is no short way */
   uint16_t payload, response; /* byte offsets in the GRF; the payload behind its header */
   uint8_t bti;
   uint8_t op;                 /* of an atomic operation */
   uint8_t sources;            /* that it has */
   bool returns;               /* what it found */
   bool header;                /* lies before the payload: its dword 7 says which slots write */
   bool rules;                 /* broken rules are named: what might break one takes the long way */
   uint64_t marks[2];          /* registers of the response, a bit each */
   /* What generated code can do itself: one dword a slot of a raw buffer, no header. */
   uint8_t row;                /* registers of addresses, and of data behind them; 0: something else */
   bool writes;
   bool ends;                  /* the plain end of a GPGPU thread */
};

/* response: first register; EU_GRF_COUNT: null. desc: as resolved. False: no short way for such a message. */
bool sf_quick_select(struct sf_quick *q, const struct pergola_device *dev, unsigned sfid, uint32_t desc, bool eot,
                     unsigned payload, unsigned response);

/* ---- buffers by binding table index, as one host thread has met them in a walk ---- */

struct sf_buffer {
   uint32_t base, size; /* raw: all of it below 4 GiB; size 0: nothing that the short way knows */
   uint32_t block_size; /* for OWord blocks, which take buffers of any format; 0: long way */
};

/* A part of a buffer whose pages are translated and lie side by side. A row of 32 or 64 bytes lies inside if the
 * distance of its offset from the start is below the limit for its size. All zeros: none does. */
struct sf_window {
   uint32_t start;    /* offset in the buffer */
   uint32_t limit[2]; /* of rows of one and of two registers */
   uint8_t *host;
};

struct sf_buffers {
   uint32_t walk;
   uint32_t generation; /* of the surface cache */
   uint32_t table;      /* graphics address of the binding table */
   const struct mem_space *space;
   uint64_t known[4];   /* a bit each */
   struct sf_buffer buffer[256];
   struct sf_window window[256][2]; /* of the last row that was read, and written; only where `known` */
};

/* A walk begins, or goes on: what another one has left is forgotten. */
static inline void
sf_buffers_walk(struct sf_buffers *b, uint32_t walk)
{
   if (b->walk == walk)
      return;
   b->walk = walk;
   b->space = NULL;
}
/* Translations may have changed. */
void sf_windows_forget(struct sf_buffers *b);
/* A message of rows by its short way; where it went is remembered. */
bool sf_quick_row(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask);

/* Looks the surface up where it is known already; remembers it when the thread has where to. */
struct sf_buffer sf_buffer_find(const struct eu_thread *t, unsigned bti);

/* Are they those of this thread? */
static inline bool
sf_buffers_good(const struct sf_buffers *b, const struct eu_thread *t)
{
   const struct eu_env *env = t->env;
   return b && b->space == env->space && b->table == env->surface_state_base + t->binding_table &&
          b->generation == __atomic_load_n(&env->dev->surfaces->generation, __ATOMIC_ACQUIRE);
}

static inline struct sf_buffer
sf_buffer_of(const struct eu_thread *t, unsigned bti)
{
   const struct sf_buffers *b = t->buffers;
   if (__builtin_expect(sf_buffers_good(b, t) && b->known[bti / 64] >> bti % 64 & 1, 1))
      return b->buffer[bti];
   return sf_buffer_find(t, bti);
}

/* ---- for the functions themselves ---- */

/* The function for a message to this unit, or NULL. */
sf_quick_fn dp_quick_select(struct sf_quick *q, unsigned sfid, uint32_t desc, bool eot);
sf_quick_fn gateway_quick_select(const struct sf_quick *q, uint32_t desc, bool eot);
sf_quick_fn spawner_quick_select(struct sf_quick *q, uint32_t desc, bool eot);

/* Somebody wants to hear of messages or of memory. */
static inline bool
sf_observed(const struct eu_thread *t)
{
   const struct pergola_device *dev = t->env->dev;
   const uint32_t kinds = 1u << PERGOLA_EVENT_MESSAGE | 1u << PERGOLA_EVENT_MEMORY;
   return __builtin_expect(dev->trace.wanted & kinds || dev->surfaces->hazards, 0);
}

static inline void
sf_quick_mark(struct eu_thread *t, const struct sf_quick *q)
{
   t->initialised[0] |= q->marks[0];
   t->initialised[1] |= q->marks[1];
}

#endif
