/* Surface state, formats, the address of a texel. */
#ifndef PERGOLA_SURFACE_H
#define PERGOLA_SURFACE_H

#include "device/device.h"

struct surface_cache *surface_cache_create(struct pergola_device *dev);
void surface_cache_destroy(struct surface_cache *cache);
/* State cache invalidate, TLB invalidate, STATE_BASE_ADDRESS: surfaces are unpacked again. */
void surface_cache_invalidate(struct surface_cache *cache);

#endif
