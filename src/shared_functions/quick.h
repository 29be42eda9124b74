/* The fast path of common messages: what a send says of itself is settled when its kernel is
 * decoded, and a function is chosen for it. The function does the whole message, exactly as sf_send
 * would with nobody looking, or nothing. */
#ifndef PERGOLA_SF_QUICK_H
#define PERGOLA_SF_QUICK_H

#include "device/host.h"
#include "eu/eu.h"
#include "surface/cache.h"
#include "surface/view.h"

struct sf_quick;

/* True: done, the response registers marked as written; after an end of thread the caller stops the
 * thread. False: nothing has been touched, the message takes the slow path. exec_mask: as in struct
 * sf_message. The host's floating-point modes are the thread's: who needs others leaves the message
 * to the slow path. */
typedef bool (*sf_quick_fn)(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask);

struct sf_quick {
   sf_quick_fn fn;             /* NULL: there is no fast path */
   uint16_t payload, response; /* byte offsets in the GRF; the payload behind its header */
   uint8_t bti;
   uint8_t op;          /* of an atomic operation */
   uint8_t sources;     /* that it has */
   bool returns;        /* what it found */
   bool header;         /* lies before the payload: its dword 7 says which slots write */
   uint8_t parameters;  /* registers of addresses of a typed message: U, V, R, LOD */
   uint8_t channels;    /* that it reads or writes, a bit each */
   uint8_t slots;       /* the first of them in the header's mask */
   uint16_t capability; /* that the format must have, or is named */
   bool rules;          /* broken rules are named: what might break one takes the slow path */
   uint64_t marks[2];   /* registers of the response, a bit each */
   /* What generated code can do itself: one dword a slot of a raw buffer, no header. */
   uint8_t row; /* registers of addresses, and of data behind them; 0: something else */
   bool writes;
   bool ends;        /* the plain end of a GPGPU thread */
   bool last;        /* Last Render Target Select */
   bool ends_pixels; /* the only render target write of its thread, most likely: its last, which
                        ends it */
};

/* response: first register; EU_GRF_COUNT: null. desc: as resolved. False: no fast path for such a
 * message. */
bool sf_quick_select(struct sf_quick *q, const struct pergola_device *dev, unsigned sfid,
                     uint32_t desc, bool eot, unsigned payload, unsigned response);

/* ---- surfaces by binding table index, as one host thread has met them in a walk ---- */

#define SF_TARGETS 8u /* render targets that a host thread remembers */

struct sf_target {
   bool known;
   uint8_t bti;
   struct surface_view view; /* of the level that is written */
};

struct sf_buffers {
   uint32_t walk;
   uint32_t generation; /* of the surface cache */
   uint32_t table;      /* graphics address of the binding table */
   const struct mem_space *space;
   uint64_t known[4];             /* a bit each */
   struct surface_view view[256]; /* of the first level in reach; only where `known` */
   struct sf_target target[SF_TARGETS];
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
/* A message of rows by its fast path; where it went is remembered. */
bool sf_quick_row(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask);
/* What can be reached around the first slot of a row without another question. The surface is
 * `known`. */
void sf_window_row(struct sf_buffers *b, unsigned bti, uint32_t offset, enum mem_access access);

/* A surface that has been unpacked before; else the slow path does it, and names what is wrong. */
bool sf_surface_read(const struct eu_thread *t, unsigned bti, struct surface *s);
/* They are to be those of this thread: what another one has left is forgotten. */
void sf_buffers_turn(struct sf_buffers *b, const struct eu_thread *t);
/* The view of a surface, which is remembered when the thread has where to; else it is put into
 * *other. All zeros where the surface has not been unpacked before. */
struct surface_view *sf_view_find(const struct eu_thread *t, unsigned bti,
                                  struct surface_view *other);

/* Are they those of this thread? */
static inline bool
sf_buffers_good(const struct sf_buffers *b, const struct eu_thread *t)
{
   const struct eu_env *env = t->env;
   return b && b->space == env->space && b->table == env->surface_state_base + t->binding_table &&
          b->generation == __atomic_load_n(&env->dev->surfaces->generation, __ATOMIC_ACQUIRE);
}

static inline bool
sf_surface_known(const struct eu_thread *t, unsigned bti)
{
   const struct sf_buffers *b = t->buffers;
   return __builtin_expect(sf_buffers_good(b, t) && b->known[bti / 64] >> bti % 64 & 1, 1);
}

static inline struct surface_view *
sf_view_of(const struct eu_thread *t, unsigned bti, struct surface_view *other)
{
   return sf_surface_known(t, bti) ? &t->buffers->view[bti] : sf_view_find(t, bti, other);
}

/* The view of the level that is written, or NULL: there is no fast path to it. */
struct surface_view *sf_target_find(const struct eu_thread *t, unsigned bti);

static inline struct surface_view *
sf_target_of(const struct eu_thread *t, unsigned bti)
{
   struct sf_buffers *b = t->buffers;
   struct sf_target *m = b ? &b->target[bti % SF_TARGETS] : NULL;
   if (__builtin_expect(sf_buffers_good(b, t) && m->known && m->bti == bti, 1))
      return m->view.users & VIEW_TARGET ? &m->view : NULL;
   return sf_target_find(t, bti);
}

/* ---- for the functions themselves ---- */

/* The function for a message to this unit, or NULL. */
sf_quick_fn dp_quick_select(struct sf_quick *q, unsigned sfid, uint32_t desc, bool eot);
sf_quick_fn sampler_quick_select(struct sf_quick *q, uint32_t desc, bool eot);
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
