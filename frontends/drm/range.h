/* A first-fit allocator of address ranges: physical pages, GGTT and PPGTT addresses, mmap offsets.
 */
#ifndef PERGOLA_DRM_RANGE_H
#define PERGOLA_DRM_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct range_node {
   uint64_t start, end;
   void *owner; /* NULL unless range_own() has named one */
};

struct range_alloc {
   uint64_t start, end, hint;
   struct range_node *node; /* in use, sorted, disjoint, with a gap before number `gap` */
   size_t count, room, gap;
};

void range_init(struct range_alloc *r, uint64_t start, uint64_t end);
void range_finish(struct range_alloc *r);
/* align: power of two. 0, -ENOSPC or -ENOMEM. */
int range_take(struct range_alloc *r, uint64_t size, uint64_t align, uint64_t *start);
/* Exactly here: 0, -ENOSPC if anything of it is in use or out of bounds, -ENOMEM. */
int range_take_at(struct range_alloc *r, uint64_t start, uint64_t size);
void range_give(struct range_alloc *r, uint64_t start);
void range_own(struct range_alloc *r, uint64_t start, void *owner);
/* Whose range this address is in; NULL: nobody's. */
void *range_owner(const struct range_alloc *r, uint64_t address);
/* Bytes in use. */
uint64_t range_used(const struct range_alloc *r);

#endif
