/* What the surface room keeps for a device. */
#ifndef PERGOLA_SURFACE_CACHE_H
#define PERGOLA_SURFACE_CACHE_H

#include "surface/sampler_tables.h"
#include "surface/surface.h"

#include <stddef.h>

struct hazard;

#define SURFACE_SLOTS 1024u
#define SURFACE_WORDS (sizeof(struct surface) / 8)
#define SURFACE_BUFFER_WORDS ((offsetof(struct surface, info) + sizeof(void *) + 7) / 8)
_Static_assert(sizeof(struct surface) % 8 == 0, "copied by words");

/* Readers never lock and never wait for each other: a slot is copied out and its sequence number
 * compared before and after, so that a slot which is being replaced is read as a miss. */
struct surface_slot {
   uint32_t sequence; /* odd while being written */
   uint32_t generation;
   struct mem_space *space;
   uint32_t address;
   uint32_t spare;
   uint64_t words[SURFACE_WORDS];
};

struct surface_cache {
   struct pergola_device *dev;
   uint32_t generation;
   bool hazards; /* the checker of src/surface/hazard.c is on */
   struct hazard *hazard;
   pthread_mutex_t lock;                     /* of writers */
   struct surface_slot *slots, *media_slots; /* a state may be read as either kind */
   struct sampler_tables sampler;
   float srgb[256];    /* linear values of 8-bit codes */
   uint64_t table_8x8; /* SMP-384: generation, and address of the last SAMPLER_8x8_STATE | 1 */
};

static inline struct surface_slot *
surface_slot_of(const struct surface_cache *c, const struct mem_space *space, uint32_t address)
{
   uint32_t h = (address >> 5) ^ (address >> 15) ^ (uint32_t)((uintptr_t)space >> 6);
   return &c->slots[h % SURFACE_SLOTS];
}

static inline bool
surface_slot_read(const struct surface_slot *slot, const struct mem_space *space, uint32_t address,
                  uint32_t generation, size_t words, uint64_t *out)
{
   uint32_t before = __atomic_load_n(&slot->sequence, __ATOMIC_ACQUIRE);
   if (__builtin_expect(__atomic_load_n(&slot->address, __ATOMIC_RELAXED) != address ||
                            __atomic_load_n(&slot->space, __ATOMIC_RELAXED) != space ||
                            __atomic_load_n(&slot->generation, __ATOMIC_RELAXED) != generation ||
                            before & 1,
                        0))
      return false;
   for (size_t i = 0; i < words; i++)
      out[i] = __atomic_load_n(&slot->words[i], __ATOMIC_RELAXED);
   __atomic_thread_fence(__ATOMIC_ACQUIRE);
   return __atomic_load_n(&slot->sequence, __ATOMIC_RELAXED) == before;
}

/* surface_get for the members that buffers need, inline for the common case. */
static inline bool
surface_get_buffer(struct surface_cache *c, struct mem_space *space, uint32_t address,
                   struct surface *out)
{
   uint32_t generation = __atomic_load_n(&c->generation, __ATOMIC_ACQUIRE);
   if (__builtin_expect(surface_slot_read(surface_slot_of(c, space, address), space, address,
                                          generation, SURFACE_BUFFER_WORDS,
                                          (uint64_t *)(void *)out),
                        1))
      return true;
   return surface_get(c, space, address, true, out);
}

#endif
