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

/* The nodes stand in their order with a gap among them, where the last change was: changes one
 * after the other, up or down, move few nodes, however many there are. */
static size_t
gap_size(const struct range_alloc *r)
{
   return r->room - r->count;
}

static struct range_node *
node_at(const struct range_alloc *r, size_t i)
{
   return &r->node[i < r->gap ? i : i + gap_size(r)];
}

static void
move_gap(struct range_alloc *r, size_t to)
{
   size_t size = gap_size(r), many = to < r->gap ? r->gap - to : to - r->gap;
   if (to < r->gap)
      memmove(&r->node[to + size], &r->node[to], many * sizeof(r->node[0]));
   else
      memmove(&r->node[r->gap], &r->node[r->gap + size], many * sizeof(r->node[0]));
   r->gap = to;
}

/* Index of the first node that ends after `address`. */
static size_t
first_after(const struct range_alloc *r, uint64_t address)
{
   size_t lo = 0, hi = r->count;
   while (lo < hi) {
      size_t mid = lo + (hi - lo) / 2;
      if (node_at(r, mid)->end <= address)
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
      r->gap = r->count; /* what is new lies behind all nodes */
   }
   move_gap(r, at);
   r->node[r->gap++] = (struct range_node){.start = start, .end = start + size};
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
   if (i < r->count && node_at(r, i)->start <= from)
      gap = node_at(r, i++)->end;
   for (;; i++) {
      uint64_t to = i < r->count ? node_at(r, i)->start : r->end;
      if (fits(r, gap, to, size, align, start))
         return insert(r, i, *start, size);
      if (i >= r->count)
         return -ENOSPC;
      gap = node_at(r, i)->end;
   }
}

/* DRM-095 */
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

/* DRM-010, DRM-095 */
int
range_take_at(struct range_alloc *r, uint64_t start, uint64_t size)
{
   if (!size || start < r->start || start > r->end || r->end - start < size)
      return -ENOSPC;
   size_t i = first_after(r, start);
   if (i < r->count && node_at(r, i)->start < start + size)
      return -ENOSPC;
   return insert(r, i, start, size);
}

/* DRM-095 */
void
range_give(struct range_alloc *r, uint64_t start)
{
   size_t i = first_after(r, start);
   if (i >= r->count || node_at(r, i)->start != start)
      return;
   move_gap(r, i); /* the node stands behind it now, and becomes part of it */
   r->count--;
   if (start < r->hint)
      r->hint = start;
}

void
range_own(struct range_alloc *r, uint64_t start, void *owner)
{
   size_t i = first_after(r, start);
   if (i < r->count && node_at(r, i)->start == start)
      node_at(r, i)->owner = owner;
}

void *
range_owner(const struct range_alloc *r, uint64_t address)
{
   size_t i = first_after(r, address);
   return i < r->count && node_at(r, i)->start <= address ? node_at(r, i)->owner : NULL;
}

uint64_t
range_used(const struct range_alloc *r)
{
   uint64_t used = 0;
   for (size_t i = 0; i < r->count; i++)
      used += node_at(r, i)->end - node_at(r, i)->start;
   return used;
}
