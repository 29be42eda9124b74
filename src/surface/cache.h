/* What the surface room keeps for a device. */
#ifndef PERGOLA_SURFACE_CACHE_H
#define PERGOLA_SURFACE_CACHE_H

#include "surface/surface.h"

struct surface_slot;
struct hazard;

struct surface_cache {
   struct pergola_device *dev;
   uint32_t generation;
   bool hazards; /* the checker of src/surface/hazard.c is on */
   struct hazard *hazard;
   pthread_mutex_t lock; /* of writers */
   struct surface_slot *slots;
};

#endif
