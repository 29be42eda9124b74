/* Which pages the engines write, for who records what a batch does. While somebody asks, a page
 * that has not been written is translated for reading only: its first write comes by the walk. */
#include "memory/objects.h"

#include "machine/device.h"

#include <errno.h>
#include <stdlib.h>

#define WORDS (MEM_SPACE_PAGES / 64)

int
pergola_watch_writes(struct pergola_device *dev)
{
   for (unsigned e = 0; e < PERGOLA_ENGINES; e++) {
      uint64_t **bits = &phys_written(dev->phys)[e];
      for (unsigned i = 0; *bits && i < WORDS; i++)
         __atomic_store_n(&(*bits)[i], 0, __ATOMIC_RELAXED);
      if (!*bits && !(*bits = calloc(WORDS, sizeof(**bits))))
         return -ENOMEM;
   }
   return 0;
}

static bool
bit(const uint64_t *bits, uint32_t page)
{
   return __atomic_load_n(&bits[page / 64], __ATOMIC_RELAXED) >> page % 64 & 1;
}

bool
pergola_written(const struct pergola_device *dev, enum pergola_engine engine, uint64_t address)
{
   const uint64_t *bits = engine < PERGOLA_ENGINES ? phys_written(dev->phys)[engine] : NULL;
   uint64_t page = address / MEM_PAGE_SIZE;
   return bits && page < MEM_SPACE_PAGES && bit(bits, (uint32_t)page);
}

static uint64_t *
bits_of(const struct mem_space *s)
{
   return s->ppgtt && s->engine < PERGOLA_ENGINES ? phys_written(s->dev->phys)[s->engine] : NULL;
}

void
mem_note_write(const struct mem_space *s, uint32_t page)
{
   uint64_t *bits = bits_of(s);
   if (bits)
      __atomic_fetch_or(&bits[page / 64], UINT64_C(1) << page % 64, __ATOMIC_RELAXED);
}

bool
mem_write_unnoted(const struct mem_space *s, uint32_t page)
{
   const uint64_t *bits = bits_of(s);
   return bits && !bit(bits, page);
}
