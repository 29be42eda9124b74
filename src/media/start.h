/* A thread at dispatch: what is its own. Both dispatchers have this in their innermost loop. */
#ifndef PERGOLA_MEDIA_START_H
#define PERGOLA_MEDIA_START_H

#include "media/media_internal.h"

#include <string.h>

/* MEDIA-290: linear, not powers of two as in the 3D pipeline. */
static inline uint32_t
scratch_size_B(const struct media *m)
{
   return (m->vfe.state.per_thread_scratch_space + 1) * 1024;
}

/* MEDIA-209: Scratch Space Pointer = base + FFTID * per-thread size. */
static inline uint32_t
scratch_pointer(const struct media *m, unsigned fftid)
{
   return (m->vfe.state.scratch_space_base_pointer + fftid * scratch_size_B(m)) & ~1023u;
}

/* Who the thread is and where it sits, after thread_prepare(). */
static inline void
thread_identity(struct eu_thread *t, uint32_t mask, const struct thread_place *p)
{
   eu_thread_channels(t, mask);
   t->half_slice = (uint8_t)p->half_slice;
   t->eu = (uint8_t)p->eu;
   t->slot = (uint8_t)p->slot;
   t->fftid = (uint16_t)p->fftid;
   t->sr0[0] |= p->half_slice << 12 | p->eu << 8 | p->slot; /* SF-168: where the thread sits */
   t->sr0[1] = p->fftid << 24;
   t->sr0[2] = mask;
   t->sr0[3] = t->vector_mask;
}

static inline struct gateway_port *
port_of(struct media *m, const struct thread_place *p)
{
   return &m->gateway.port[p->half_slice][p->eu][p->slot];
}

/* The hardware thread takes it: what others see of it, and what was left there. */
static inline void
thread_arrive(struct eu_thread *t, const uint32_t n0[4], struct gateway_port *port)
{
   memcpy(t->n0, n0, sizeof(t->n0));
   /* The ports of other host threads lie in the same cache lines: what is closed already is not
    * written. */
   if (port->open)
      port->open = false;
}

/* Both: everything but the payload registers. */
static inline void
thread_start(struct media *m, struct eu_thread *t, uint32_t mask, const struct thread_place *p)
{
   thread_identity(t, mask, p);
   thread_arrive(t, m->n0[p->half_slice][p->eu][p->slot], port_of(m, p));
}

/* SF-169: the notification counts of the hardware thread outlive the software thread. */
static inline void
thread_keep_notifications(uint32_t n0[4], const struct eu_thread *t)
{
   if (memcmp(n0, t->n0, sizeof(t->n0)))
      memcpy(n0, t->n0, sizeof(t->n0));
}

#endif
