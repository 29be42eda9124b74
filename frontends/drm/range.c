#include "range.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void
range_init(struct range_alloc *r, uint64_t start, uint64_t end)
{
   *r = (struct range_alloc){.start = start, .end = end, .hint = start};
}

void
range_finish(struct range_alloc *r)
{
   free(r->node);
   memset(r, 0, sizeof(*r));
}

/* Index of the first node that ends after `address`. */
static size_t
first_after(const struct range_alloc *r, uint64_t address)
{
   size_t lo = 0, hi = r->count;
   while (lo < hi) {
      size_t mid = lo + (hi - lo) / 2;
      if (r->node[mid].end <= address)
         lo = mid + 1;
      else
         hi = mid;
   }
   return lo;
}

static int
insert(struct range_alloc *r, size_t at, uint64_t start, uint64_t size)
{
   if (r->count == r->room) {
      size_t room = r->room ? r->room * 2 : 64;
      struct range_node *bigger = realloc(r->node, room * sizeof(*bigger));
      if (!bigger)
         return -ENOMEM;
      r->node = bigger;
      r->room = room;
   }
   memmove(&r->node[at + 1], &r->node[at], (r->count - at) * sizeof(r->node[0]));
   r->node[at] = (struct range_node){.start = start, .end = start + size};
   r->count++;
   return 0;
}

static bool
fits(const struct range_alloc *r, uint64_t from, uint64_t to, uint64_t size, uint64_t align,
     uint64_t *start)
{
   uint64_t s = (from + align - 1) & ~(align - 1);
   if (s < from || s > to || to - s < size)
      return false;
   *start = s;
   return true;
}

static int
take_from(struct range_alloc *r, uint64_t from, uint64_t size, uint64_t align, uint64_t *start)
{
   size_t i = first_after(r, from);
   uint64_t gap = from;
   if (i < r->count && r->node[i].start <= from)
      gap = r->node[i++].end;
   for (;; i++) {
      uint64_t to = i < r->count ? r->node[i].start : r->end;
      if (fits(r, gap, to, size, align, start))
         return insert(r, i, *start, size);
      if (i >= r->count)
         return -ENOSPC;
      gap = r->node[i].end;
   }
}

int
range_take(struct range_alloc *r, uint64_t size, uint64_t align, uint64_t *start)
{
   if (!size || size > r->end - r->start)
      return -ENOSPC;
   if (!align)
      align = 1;
   /* Going on from the last place keeps the search short while there is room. */
   int ret = take_from(r, r->hint, size, align, start);
   if (ret == -ENOSPC && r->hint != r->start)
      ret = take_from(r, r->start, size, align, start);
   if (!ret)
      r->hint = *start + size;
   return ret;
}

int
range_take_at(struct range_alloc *r, uint64_t start, uint64_t size)
{
   if (!size || start < r->start || start > r->end || r->end - start < size)
      return -ENOSPC;
   size_t i = first_after(r, start);
   if (i < r->count && r->node[i].start < start + size)
      return -ENOSPC;
   return insert(r, i, start, size);
}

void
range_give(struct range_alloc *r, uint64_t start)
{
   size_t i = first_after(r, start);
   if (i >= r->count || r->node[i].start != start)
      return;
   memmove(&r->node[i], &r->node[i + 1], (r->count - i - 1) * sizeof(r->node[0]));
   r->count--;
   if (start < r->hint)
      r->hint = start;
}

void
range_own(struct range_alloc *r, uint64_t start, void *owner)
{
   size_t i = first_after(r, start);
   if (i < r->count && r->node[i].start == start)
      r->node[i].owner = owner;
}

void *
range_owner(const struct range_alloc *r, uint64_t address)
{
   size_t i = first_after(r, address);
   return i < r->count && r->node[i].start <= address ? r->node[i].owner : NULL;
}

uint64_t
range_used(const struct range_alloc *r)
{
   uint64_t used = 0;
   for (size_t i = 0; i < r->count; i++)
      used += r->node[i].end - r->node[i].start;
   return used;
}
