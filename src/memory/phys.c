/* Physical memory: a sorted list of segments, each an alias of the embedder's host memory. */
#include "machine/device.h"
#include "memory/objects.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PHYS_LIMIT (UINT64_C(1) << 40)
#define PHYS_MAX_SEGMENTS 65536u

struct segment {
   uint64_t address, size;
   char *host; /* NULL: absent */
   bool writable;
};

struct phys_memory {
   struct segment *segment; /* sorted by address, never overlapping */
   size_t count, room;
   struct mem_objects objects;
   uint64_t *written[PERGOLA_ENGINES];
};

struct phys_memory *
phys_create(void)
{
   return calloc(1, sizeof(struct phys_memory));
}

void
phys_destroy(struct phys_memory *p)
{
   if (!p)
      return;
   free(p->segment);
   free(p->objects.list);
   for (unsigned i = 0; i < PERGOLA_ENGINES; i++)
      free(p->written[i]);
   free(p);
}

struct mem_objects *
phys_objects(struct phys_memory *p)
{
   return &p->objects;
}

uint64_t **
phys_written(struct phys_memory *p)
{
   return p->written;
}

/* Index of the first segment that ends after `address`. */
static size_t
first_after(const struct phys_memory *p, uint64_t address)
{
   size_t lo = 0, hi = p->count;
   while (lo < hi) {
      size_t mid = (lo + hi) / 2;
      if (p->segment[mid].address + p->segment[mid].size <= address)
         lo = mid + 1;
      else
         hi = mid;
   }
   return lo;
}

static const struct segment *
segment_of(const struct phys_memory *p, uint64_t address)
{
   size_t i = first_after(p, address);
   return i < p->count && p->segment[i].address <= address ? &p->segment[i] : NULL;
}

void *
phys_page(const struct phys_memory *p, uint64_t address, bool *writable)
{
   const struct segment *s = segment_of(p, address);
   if (!s || !s->host)
      return NULL;
   *writable = s->writable;
   return s->host + (address - s->address);
}

bool
phys_absent(const struct phys_memory *p, uint64_t address)
{
   const struct segment *s = segment_of(p, address);
   return s && !s->host;
}

static bool
valid_range(uint64_t address, const void *host, uint64_t size)
{
   uint64_t low = address | (uintptr_t)host | size;
   return size && !(low & (MEM_PAGE_SIZE - 1)) && address < PHYS_LIMIT &&
          size <= PHYS_LIMIT - address;
}

static bool
make_room(struct phys_memory *p)
{
   if (p->count < p->room)
      return true;
   size_t room = p->room ? p->room * 2 : 16;
   struct segment *s = room <= PHYS_MAX_SEGMENTS ? realloc(p->segment, room * sizeof(*s)) : NULL;
   if (!s)
      return false;
   p->segment = s;
   p->room = room;
   return true;
}

int
pergola_memory_add(struct pergola_device *dev, uint64_t address, void *host, uint64_t size,
                   unsigned flags)
{
   struct phys_memory *p = dev->phys;
   unsigned known = PERGOLA_MEMORY_READ_ONLY | PERGOLA_MEMORY_ABSENT;
   if (!valid_range(address, host, size) || flags & ~known ||
       !host != !!(flags & PERGOLA_MEMORY_ABSENT))
      return -EINVAL;
   size_t i = first_after(p, address);
   if (i < p->count && p->segment[i].address < address + size)
      return -EEXIST;
   if (!make_room(p))
      return -ENOMEM;
   memmove(&p->segment[i + 1], &p->segment[i], (p->count - i) * sizeof(p->segment[0]));
   p->segment[i] = (struct segment){address, size, host, !(flags & PERGOLA_MEMORY_READ_ONLY)};
   p->count++;
   return 0;
}

int
pergola_memory_remove(struct pergola_device *dev, uint64_t address)
{
   struct phys_memory *p = dev->phys;
   size_t i = first_after(p, address);
   if (i == p->count || p->segment[i].address != address)
      return -ENOENT;
   p->count--;
   memmove(&p->segment[i], &p->segment[i + 1], (p->count - i) * sizeof(p->segment[0]));
   dev->calls->forget_memory(dev);
   return 0;
}
