/* Shadow memory: by host address, so that two graphics addresses of one page are one. */
#include "sanitize/sanitize_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define DWORDS 1024u
#define BYTES 4096u

/* A page that the host has never touched holds what nobody wrote. */
static bool
untouched(uintptr_t page)
{
   unsigned char resident = 1;
   return !mincore((void *)(page << 12), 4096, &resident) && !(resident & 1);
}

static struct shadow_page *
add(struct shadow *s, uintptr_t number, struct shadow_page **chain, uint32_t epoch)
{
   struct shadow_page *p = s->bytes + sizeof(*p) <= s->limit ? calloc(1, sizeof(*p)) : NULL;
   if (!p) {
      s->full = true;
      return NULL;
   }
   s->bytes += sizeof(*p);
   p->page = number;
   p->next = *chain;
   p->unset_epoch = epoch;
   if (untouched(number))
      memset(p->unset, 0xff, sizeof(p->unset));
   return *chain = p;
}

struct shadow_page *
shadow_find(struct shadow *s, const uint8_t *host, uint32_t epoch)
{
   uintptr_t number = (uintptr_t)host >> 12;
   if (s->latest && s->latest->page == number)
      return s->latest;
   struct shadow_page **chain = &s->table[(number ^ number >> 16) % SHADOW_HASH], *p = *chain;
   while (p && p->page != number)
      p = p->next;
   if (!p)
      p = add(s, number, chain, epoch);
   return s->latest = p;
}

static bool
grow(struct shadow *s, struct shadow_page *p, unsigned count)
{
   uint64_t size = count * sizeof(struct cell);
   struct cell *cell = s->bytes + size <= s->limit ? calloc(count, sizeof(*cell)) : NULL;
   if (!cell) {
      s->full = true;
      return false;
   }
   s->bytes += size;
   for (unsigned i = 0; p->cell && i < BYTES; i++)
      cell[i] = p->cell[i / 4];
   free(p->cell);
   p->cell = cell;
   p->bytes = count == BYTES;
   return true;
}

struct shadow_page *
shadow_cells(struct shadow *s, const uint8_t *host, unsigned size, uint32_t epoch)
{
   struct shadow_page *p = shadow_find(s, host, epoch);
   bool bytes = ((uintptr_t)host | size) & 3;
   if (!p)
      return NULL;
   if (p->epoch != epoch && p->cell)
      memset(p->cell, 0, (p->bytes ? BYTES : DWORDS) * sizeof(struct cell));
   p->epoch = epoch;
   if ((!p->cell || (bytes && !p->bytes)) && !grow(s, p, bytes ? BYTES : DWORDS))
      return NULL;
   return p;
}

uint64_t *
shadow_unset(struct shadow *s, const uint8_t *host, uint32_t epoch)
{
   struct shadow_page *p = shadow_find(s, host, epoch);
   return p && p->unset_epoch == epoch ? p->unset : NULL;
}

void
shadow_finish(struct shadow *s)
{
   for (unsigned i = 0; i < SHADOW_HASH; i++)
      while (s->table[i]) {
         struct shadow_page *p = s->table[i];
         s->table[i] = p->next;
         free(p->cell);
         free(p);
      }
}
