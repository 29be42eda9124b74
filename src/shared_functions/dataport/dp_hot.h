/* What the short ways share: a surface that is known already. */
#ifndef PERGOLA_DP_HOT_H
#define PERGOLA_DP_HOT_H

#include "shared_functions/dataport/dataport.h"
#include "shared_functions/dataport/vector.h"

#include "surface/cache.h"

/* base and pitch, entries and rules, kind: the first words of struct surface. */
struct hot_surface {
   uint32_t base, pitch_B, entries, rules;
   uint8_t type, tiling;
   uint16_t format;
   uint32_t spare;
};
_Static_assert(offsetof(struct surface, entries) == offsetof(struct hot_surface, entries) &&
                  offsetof(struct surface, rules) == offsetof(struct hot_surface, rules) &&
                  offsetof(struct surface, type) == offsetof(struct hot_surface, type) &&
                  offsetof(struct surface, tiling) == offsetof(struct hot_surface, tiling) &&
                  offsetof(struct surface, format) == offsetof(struct hot_surface, format),
               "the same members in the same places");

static ALWAYS_INLINE bool
find_surface(const struct eu_thread *t, uint32_t bti, struct hot_surface *s)
{
   const struct eu_env *env = t->env;
   uint32_t entry, at = env->surface_state_base + t->binding_table + 4 * bti;
   const void *host = mem_known(env->space, at, MEM_READ);
   if (!host)
      return false;
   memcpy(&entry, host, 4);
   if (entry & 31)
      return false;
   struct surface_cache *c = env->dev->surfaces;
   uint32_t state = env->surface_state_base + entry;
   uint32_t generation = __atomic_load_n(&c->generation, __ATOMIC_ACQUIRE);
   return surface_slot_read(surface_slot_of(c, env->space, state), env->space, state, generation,
                            sizeof(*s) / 8, (uint64_t *)(void *)s);
}

#endif
