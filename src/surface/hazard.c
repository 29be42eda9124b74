/* The hazard checker: who wrote a cache line last, through which cache, and who may still hold an
 * older copy.
 *
 * A line has, for each cache, the moment of the last fill and of the last write. Reading through
 * cache B what was written through cache A is safe when A was written back after the write and B
 * was invalidated after that; DP-310 says the same in words. */
#include "surface/hazard.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LINE_SHIFT 6
#define TABLE_SIZE                                                                                 \
   (1u << 16) /* lines that are remembered; a collision forgets, it never invents                  \
               */

struct line {
   uint32_t tag; /* line number + 1; 0: empty */
   uint8_t writer;
   uint64_t written; /* moment of the last write */
};

struct hazard {
   pthread_mutex_t lock;
   uint64_t now;
   uint64_t written_back[HAZARD_CACHE_COUNT]; /* moment of the last write-back */
   /* When a reader was last invalidated, what had each writer written back? */
   uint64_t synced[HAZARD_CACHE_COUNT][HAZARD_CACHE_COUNT];
   struct line lines[TABLE_SIZE];
};

static const char *const cache_names[HAZARD_CACHE_COUNT] = {
    "sampler cache", "constant cache", "data cache", "render cache", "render cache in field mode"};

int
hazard_enable(struct surface_cache *cache, bool on)
{
   if (!on) {
      cache->hazards = false;
      if (cache->hazard)
         pthread_mutex_destroy(&cache->hazard->lock);
      free(cache->hazard);
      cache->hazard = NULL;
      return 0;
   }
   if (cache->hazard)
      return 0;
   cache->hazard = calloc(1, sizeof(*cache->hazard));
   if (!cache->hazard)
      return -ENOMEM;
   pthread_mutex_init(&cache->hazard->lock, NULL);
   cache->hazard->now = 1;
   cache->hazards = true;
   return 0;
}

void
hazard_flush(struct surface_cache *cache, unsigned written_back, unsigned invalidated)
{
   struct hazard *h = cache->hazard;
   if (!h)
      return;
   if (written_back >> HAZARD_RENDER & 1)
      written_back |= 1u << HAZARD_RENDER_FIELD;
   if (invalidated >> HAZARD_RENDER & 1)
      invalidated |= 1u << HAZARD_RENDER_FIELD;
   pthread_mutex_lock(&h->lock);
   for (unsigned i = 0; i < HAZARD_CACHE_COUNT; i++)
      if (written_back >> i & 1)
         h->written_back[i] = ++h->now;
   for (unsigned i = 0; i < HAZARD_CACHE_COUNT; i++)
      if (invalidated >> i & 1)
         memcpy(h->synced[i], h->written_back, sizeof(h->written_back));
   pthread_mutex_unlock(&h->lock);
}

/* Is what `reader` sees of the line surely what was written? */
static bool
visible(const struct hazard *h, const struct line *l, unsigned reader)
{
   return l->writer == reader || h->synced[reader][l->writer] > l->written;
}

static bool
touch(struct hazard *h, uint32_t number, unsigned which, bool write, unsigned *writer)
{
   struct line *l = &h->lines[(number ^ number >> 16) % TABLE_SIZE];
   bool bad = false;
   if (l->tag == number + 1 && !visible(h, l, which)) {
      bad = true;
      *writer = l->writer;
   }
   if (write) {
      l->tag = number + 1;
      l->writer = (uint8_t)which;
      l->written = ++h->now;
   }
   return bad;
}

bool
hazard_access(struct surface_cache *cache, unsigned which, uint32_t address, unsigned size,
              bool write, struct hazard_found *found)
{
   struct hazard *h = cache->hazard;
   unsigned writer = 0;
   bool bad = false;
   if (!size)
      return false;
   uint32_t first = address >> LINE_SHIFT,
            last = (uint32_t)((address + (uint64_t)size - 1) >> LINE_SHIFT);
   pthread_mutex_lock(&h->lock);
   for (uint32_t n = first; n <= last; n++)
      bad |= touch(h, n, which, write, &writer);
   pthread_mutex_unlock(&h->lock);
   bool field_mix = (which == HAZARD_RENDER_FIELD && writer == HAZARD_RENDER) ||
                    (which == HAZARD_RENDER && writer == HAZARD_RENDER_FIELD);
   *found = (struct hazard_found){.rule = field_mix ? "DP-102" : "DP-310",
                                  .cache = cache_names[which],
                                  .writer = cache_names[writer]};
   return bad;
}

int
pergola_check_hazards(struct pergola_device *dev, bool on)
{
   return dev->surfaces ? hazard_enable(dev->surfaces, on) : -ENOTSUP;
}
