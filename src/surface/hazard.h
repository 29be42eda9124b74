/* Caches that are not coherent with each other: data written through one and read through another
 * with no flush between is named, because a real chip may return old bytes there. */
#ifndef PERGOLA_HAZARD_H
#define PERGOLA_HAZARD_H

#include "surface/cache.h"

enum hazard_cache {
   HAZARD_SAMPLER, /* texture cache: sampler, sampler cache data port */
   HAZARD_CONSTANT,
   HAZARD_DATA, /* data cache (L3), untyped and block messages */
   HAZARD_RENDER,
   HAZARD_RENDER_FIELD, /* DP-102: field accesses of X-major surfaces through the render cache */
   HAZARD_CACHE_COUNT,
};

/* Off by default: every access is then looked up. */
int hazard_enable(struct surface_cache *cache, bool on);
static inline bool
hazard_on(const struct surface_cache *cache)
{
   return __builtin_expect(cache->hazards, 0);
}
/* Bytes are read or written through a cache. True: it may see old ones. */
struct hazard_found {
   const char *rule, *cache, *writer; /* the cache, and the one that wrote before */
};
bool hazard_access(struct surface_cache *cache, unsigned which, uint32_t address, unsigned size,
                   bool write, struct hazard_found *found);
/* What PIPE_CONTROL, MI_FLUSH or a fence did: masks of 1 << enum hazard_cache. */
void hazard_flush(struct surface_cache *cache, unsigned written_back, unsigned invalidated);

#endif
