/* Unpacked surface states, by address. */
#include "surface/cache.h"
#include "surface/hazard.h"
#include "surface/media_surface.h"
#include "surface/format.h"

#include <stdlib.h>
#include <string.h>

struct surface_cache *
surface_cache_create(struct pergola_device *dev)
{
   struct surface_cache *c = calloc(1, sizeof(*c));
   if (!c)
      return NULL;
   c->slots = calloc(SURFACE_SLOTS, sizeof(*c->slots));
   c->media_slots = calloc(SURFACE_SLOTS, sizeof(*c->media_slots));
   if (!c->slots || !c->media_slots) {
      free(c->slots);
      free(c->media_slots);
      free(c);
      return NULL;
   }
   c->dev = dev;
   c->generation = 1;
   for (unsigned i = 0; i < 256; i++)
      c->srgb[i] = format_srgb_to_linear(format_unorm_to_float(i, 8));
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
   free(c->media_slots);
   free(c);
}

void
surface_cache_invalidate(struct surface_cache *c)
{
   __atomic_add_fetch(&c->generation, 1, __ATOMIC_RELEASE);
}

static void
slot_write(struct surface_cache *c, struct surface_slot *slot, struct mem_space *space,
           uint32_t address, uint32_t generation, const void *state, size_t size)
{
   uint64_t words[SURFACE_WORDS];
   memcpy(words, state, size);
   pthread_mutex_lock(&c->lock);
   uint32_t sequence = slot->sequence;
   __atomic_store_n(&slot->sequence, sequence + 1, __ATOMIC_RELAXED);
   __atomic_thread_fence(__ATOMIC_RELEASE);
   __atomic_store_n(&slot->address, address, __ATOMIC_RELAXED);
   __atomic_store_n(&slot->space, space, __ATOMIC_RELAXED);
   __atomic_store_n(&slot->generation, generation, __ATOMIC_RELAXED);
   for (size_t i = 0; i < size / 8; i++)
      __atomic_store_n(&slot->words[i], words[i], __ATOMIC_RELAXED);
   __atomic_store_n(&slot->sequence, sequence + 2, __ATOMIC_RELEASE);
   pthread_mutex_unlock(&c->lock);
}

static void
announce(struct surface_cache *c, uint32_t address, const uint32_t dw[8], bool media,
         const char *format)
{
   if (!trace_wants(&c->dev->trace, PERGOLA_EVENT_SURFACE))
      return;
   struct pergola_event e = {.kind = PERGOLA_EVENT_SURFACE,
                             .engine = "EU",
                             .time_ns = c->dev->time_ns,
                             .a = address,
                             .flags = media,
                             .text = format,
                             .dwords = dw,
                             .count = 8};
   trace_emit(&c->dev->trace, &e);
}

static bool
load(struct surface_cache *c, struct mem_space *space, uint32_t address, struct surface_slot *slot,
     uint32_t generation, struct surface *out)
{
   uint32_t dw[8];
   if (!mem_read(space, address, dw, sizeof(dw))) {
      surface_null(out);
      out->state = address;
      return false;
   }
   surface_unpack(out, dw, c->dev->hw_device);
   out->state = address;
   announce(c, address, dw, false, out->info->name);
   slot_write(c, slot, space, address, generation, out, sizeof(*out));
   return true;
}

bool
surface_get(struct surface_cache *c, struct mem_space *space, uint32_t address, bool buffer_only,
            struct surface *out)
{
   uint32_t generation = __atomic_load_n(&c->generation, __ATOMIC_ACQUIRE);
   struct surface_slot *slot = surface_slot_of(c, space, address);
   uint64_t *words = (uint64_t *)(void *)out;
   if (__builtin_expect(surface_slot_read(slot, space, address, generation,
                                          buffer_only ? SURFACE_BUFFER_WORDS : SURFACE_WORDS,
                                          words),
                        1))
      return true;
   return load(c, space, address, slot, generation, out);
}

_Static_assert(sizeof(struct media_surface) % 8 == 0 &&
                   sizeof(struct media_surface) <= sizeof(struct surface),
               "fits a slot, copied by words");

bool
media_surface_get(struct surface_cache *c, struct mem_space *space, uint32_t address,
                  struct media_surface *out)
{
   uint32_t generation = __atomic_load_n(&c->generation, __ATOMIC_ACQUIRE), dw[8];
   struct surface_slot *slot = c->media_slots + (surface_slot_of(c, space, address) - c->slots);
   if (__builtin_expect(surface_slot_read(slot, space, address, generation, sizeof(*out) / 8,
                                          (uint64_t *)(void *)out),
                        1))
      return true;
   if (!mem_read(space, address, dw, sizeof(dw))) {
      *out = (struct media_surface){.state = address};
      return false;
   }
   media_surface_unpack(out, dw);
   out->state = address;
   announce(c, address, dw, true, "media");
   slot_write(c, slot, space, address, generation, out, sizeof(*out));
   return true;
}
