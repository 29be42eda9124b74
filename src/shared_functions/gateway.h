/* The Message Gateway's state. */
#ifndef PERGOLA_GATEWAY_H
#define PERGOLA_GATEWAY_H

#include "eu/eu.h"

#define BARRIERS_PER_HALF_SLICE 16u

struct gateway_port {
   bool open;
   uint8_t reg_base;
};

struct gateway {
   struct gateway_port port[EU_HALF_SLICES][EU_COUNT][EU_THREADS]; /* by the place of a thread */
   uint64_t timer_start_ns, absolute_start_ns;
   uint8_t barrier_byte[EU_HALF_SLICES][BARRIERS_PER_HALF_SLICE];
   pthread_mutex_t mmio_lock;
   /* What MEDIA_VFE_STATE says. */
   bool bypass; /* SF-002: threads take messages without having opened their gateway */
   bool mmio;   /* SF-009: threads may reach registers */
   /* Who knows the threads that belong to no group: the one at a place, or NULL. */
   struct eu_thread *(*thread_at)(void *data, unsigned half_slice, unsigned eu, unsigned slot);
   void *data;
};

struct gateway *gateway_create(void);
void gateway_destroy(struct gateway *g);
struct snapshot;
void gateway_snapshot(struct gateway *g, struct snapshot *s);
/* Every port is closed; time goes on. */
void gateway_reset(struct gateway *g);

#endif
