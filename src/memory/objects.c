/* What the driver has given the batch that runs: ranges of graphics addresses. */
#include "memory/objects.h"

#include "machine/device.h"
#include "rules/plural.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
by_address(const void *a, const void *b)
{
   uint64_t x = ((const struct pergola_object *)a)->address;
   uint64_t y = ((const struct pergola_object *)b)->address;
   return x < y ? -1 : x > y;
}

int
pergola_set_objects(struct pergola_device *dev, bool global, const struct pergola_object *list,
                    size_t count)
{
   struct mem_objects *o = phys_objects(dev->phys);
   if (!(dev->config.sanitize & PERGOLA_SANITIZE_MEMORY))
      return 0;
   struct pergola_object *copy = malloc((count ? count : 1) * sizeof(*copy));
   if (!copy)
      return -ENOMEM;
   if (count)
      memcpy(copy, list, count * sizeof(*copy));
   qsort(copy, count, sizeof(*copy), by_address);
   free(o->list);
   *o = (struct mem_objects){.list = copy, .count = count, .known = true, .global = global};
   dev->calls->forget_memory(dev);
   return 0;
}

static struct mem_objects *
objects_of(const struct mem_space *s)
{
   struct mem_objects *o = phys_objects(s->dev->phys);
   return o->known && o->global != s->ppgtt ? o : NULL;
}

/* The last one that begins at or below the address, or NULL. */
static const struct pergola_object *
find(struct mem_objects *o, uint64_t address)
{
   size_t lo = 0, hi = o->count;
   const struct pergola_object *l = o->latest < o->count ? &o->list[o->latest] : NULL;
   if (l && address >= l->address && address - l->address < l->size)
      return l;
   while (lo < hi) {
      size_t mid = (lo + hi) / 2;
      if (o->list[mid].address <= address)
         lo = mid + 1;
      else
         hi = mid;
   }
   o->latest = lo ? lo - 1 : 0;
   return lo ? &o->list[lo - 1] : NULL;
}

bool
mem_object_page(const struct mem_space *s, uint32_t address)
{
   struct mem_objects *o = objects_of(s);
   if (!o)
      return true;
   uint64_t page = address & ~(MEM_PAGE_SIZE - 1);
   const struct pergola_object *below = find(o, page + MEM_PAGE_SIZE - 1);
   return below && below->address + below->size > page;
}

bool
mem_object_holds(const struct mem_space *s, uint32_t address, unsigned size,
                 struct pergola_object *below)
{
   struct mem_objects *o = objects_of(s);
   uint64_t at = address, end = at + size;
   *below = (struct pergola_object){0};
   while (o && at < end) { /* two that lie side by side are as good as one */
      const struct pergola_object *b = find(o, at);
      if (b)
         *below = *b;
      if (!b || b->address + b->size <= at)
         return false;
      at = b->address + b->size;
   }
   return true;
}

bool
mem_object_around(const struct mem_space *s, uint32_t address, uint64_t *first, uint64_t *end)
{
   struct mem_objects *o = objects_of(s);
   *first = 0;
   *end = UINT64_C(1) << 32;
   if (!o)
      return true;
   const struct pergola_object *b = find(o, address);
   if (!b || b->address + b->size <= address) {
      *end = 0;
      return false;
   }
   *first = b->address;
   *end = b->address + b->size;
   return true;
}

void
mem_object_text(const struct pergola_object *below, uint32_t address, char text[MEM_OBJECT_TEXT])
{
   if (!below->size) {
      snprintf(text, MEM_OBJECT_TEXT, "below all of them");
      return;
   }
   uint64_t end = below->address + below->size;
   uint64_t behind = address > end ? address - end : 0;
   snprintf(text, MEM_OBJECT_TEXT, "%llu byte%s behind object %u, of %llu byte%s at 0x%08llx",
            (unsigned long long)behind, plural(behind), below->number,
            (unsigned long long)below->size, plural(below->size),
            (unsigned long long)below->address);
}
