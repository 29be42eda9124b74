/* Unpacked surface states, by address. Readers never lock and never wait for each other: a slot is
 * copied out and its sequence number compared before and after, so that a slot which is being replaced is read
 * as a miss. */
#include "surface/cache.h"
#include "surface/hazard.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS 1024u
#define WORDS ((sizeof(struct surface) + 7) / 8)
#define BUFFER_WORDS ((offsetof(struct surface, info) + sizeof(void *) + 7) / 8)

struct surface_slot {
   uint32_t sequence;   /* odd while being written */
   uint32_t generation;
   struct mem_space *space;
   uint32_t address;
   uint32_t spare;
   uint64_t words[WORDS];
};

struct surface_cache *
surface_cache_create(struct pergola_device *dev)
{
   struct surface_cache *c = calloc(1, sizeof(*c));
   if (!c)
      return NULL;
   c->slots = calloc(SLOTS, sizeof(*c->slots));
   if (!c->slots) {
      free(c);
      return NULL;
   }
   c->dev = dev;
   c->generation = 1;
   pthread_mutex_init(&c->lock, NULL);
   return c;
}

void
surface_cache_destroy(struct surface_cache *c)
{
   if (!c)
      return;
   hazard_enable(c, false);
   pthread_mutex_destroy(&c->lock);
   free(c->slots);
   free(c);
}

void
surface_cache_invalidate(struct surface_cache *c)
{
   __atomic_add_fetch(&c->generation, 1, __ATOMIC_RELEASE);
}

static struct surface_slot *
slot_of(struct surface_cache *c, const struct mem_space *space, uint32_t address)
{
   uint32_t h = (address >> 5) ^ (address >> 15) ^ (uint32_t)((uintptr_t)space >> 6);
   return &c->slots[h % SLOTS];
}

static bool
slot_read(const struct surface_slot *slot, const struct mem_space *space, uint32_t address,
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

static void
slot_write(struct surface_cache *c, struct surface_slot *slot, struct mem_space *space, uint32_t address,
           uint32_t generation, const struct surface *s)
{
   uint64_t words[WORDS] = {0};
   memcpy(words, s, sizeof(*s));
   pthread_mutex_lock(&c->lock);
   uint32_t sequence = slot->sequence;
   __atomic_store_n(&slot->sequence, sequence + 1, __ATOMIC_RELAXED);
   __atomic_thread_fence(__ATOMIC_RELEASE);
   __atomic_store_n(&slot->address, address, __ATOMIC_RELAXED);
   __atomic_store_n(&slot->space, space, __ATOMIC_RELAXED);
   __atomic_store_n(&slot->generation, generation, __ATOMIC_RELAXED);
   for (size_t i = 0; i < WORDS; i++)
      __atomic_store_n(&slot->words[i], words[i], __ATOMIC_RELAXED);
   __atomic_store_n(&slot->sequence, sequence + 2, __ATOMIC_RELEASE);
   pthread_mutex_unlock(&c->lock);
}

static bool
load(struct surface_cache *c, struct mem_space *space, uint32_t address, struct surface_slot *slot,
     uint32_t generation, struct surface *out)
{
   uint32_t dw[8];
   if (!mem_read(space, address, dw, sizeof(dw))) {
      memset(out, 0, sizeof(*out));
      out->type = SURFTYPE_NULL;
      out->state = address;
      return false;
   }
   surface_unpack(out, dw, c->dev->hw_device);
   out->state = address;
   slot_write(c, slot, space, address, generation, out);
   return true;
}

bool
surface_get(struct surface_cache *c, struct mem_space *space, uint32_t address, bool buffer_only,
            struct surface *out)
{
   uint32_t generation = __atomic_load_n(&c->generation, __ATOMIC_ACQUIRE);
   struct surface_slot *slot = slot_of(c, space, address);
   uint64_t *words = (uint64_t *)(void *)out;
   _Static_assert(sizeof(struct surface) % 8 == 0, "copied by words");
   if (__builtin_expect(slot_read(slot, space, address, generation,
                                  buffer_only ? BUFFER_WORDS : WORDS, words), 1))
      return true;
   return load(c, space, address, slot, generation, out);
}
