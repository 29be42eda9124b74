/* A thread takes its place: what every dispatcher has in its innermost loop. */
#ifndef PERGOLA_DISPATCH_PLACE_H
#define PERGOLA_DISPATCH_PLACE_H

#include "dispatch/dispatch.h"
#include "shared_functions/gateway.h"

#include <string.h>

#define SR0_PLACE                                                                                  \
   (GEN7_STATE_REGISTER__HALF_SLICE_ID | GEN7_STATE_REGISTER__EUID | GEN7_STATE_REGISTER__TID)

static inline void
thread_sit(struct eu_thread *t, const struct thread_place *p)
{
   t->half_slice = (uint8_t)p->half_slice;
   t->eu = (uint8_t)p->eu;
   t->slot = (uint8_t)p->slot;
   t->fftid = (uint16_t)p->fftid;
   /* SF-168: where the thread sits */
   t->sr0[0] = (t->sr0[0] & ~SR0_PLACE) |
               hw_put(p->half_slice, GEN7_STATE_REGISTER__HALF_SLICE_ID) |
               hw_put(p->eu, GEN7_STATE_REGISTER__EUID) | hw_put(p->slot, GEN7_STATE_REGISTER__TID);
   t->sr0[1] = hw_put(p->fftid, GEN7_STATE_REGISTER__FFTID);
}

/* Who the thread is and where it sits, once it has been set up. */
static inline void
thread_identity(struct eu_thread *t, uint32_t mask, const struct thread_place *p)
{
   eu_thread_channels(t, mask);
   thread_sit(t, p);
   t->sr0[2] = mask;
   t->sr0[3] = t->vector_mask;
}

/* The notification counts of the hardware thread. */
static inline uint32_t *
place_n0(struct dispatcher *d, const struct thread_place *p)
{
   return d->n0[p->half_slice][p->eu][p->slot];
}

static inline struct gateway_port *
place_port(struct dispatcher *d, const struct thread_place *p)
{
   return &d->dev->gateway->port[p->half_slice][p->eu][p->slot];
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

/* SF-169: the notification counts of the hardware thread outlive the software thread. */
static inline void
thread_keep_notifications(uint32_t n0[4], const struct eu_thread *t)
{
   if (memcmp(n0, t->n0, sizeof(t->n0)))
      memcpy(n0, t->n0, sizeof(t->n0));
}

#endif
