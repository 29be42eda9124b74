/* Objects that wait for the windower, and the screen tiles that they touch. */
#include "render/draw.h"

#include <stdlib.h>

#define SMALL_OBJECT 4 /* tiles: of larger ones corners are looked at */

bool
bin_create(struct bin *b)
{
   b->data = aligned_alloc(64, BIN_SIZE);
   b->link = malloc(BIN_LINKS * sizeof(b->link[0]));
   b->head = calloc(BIN_TILES * BIN_TILES, sizeof(b->head[0]));
   b->tail = calloc(BIN_TILES * BIN_TILES, sizeof(b->tail[0]));
   b->tile = malloc(BIN_TILES * BIN_TILES * sizeof(b->tile[0]));
   return b->data && b->link && b->head && b->tail && b->tile;
}

void
bin_destroy(struct bin *b)
{
   free(b->data);
   free(b->link);
   free(b->head);
   free(b->tail);
   free(b->tile);
}

bool
bin_full(const struct render *r)
{
   const struct bin *b = &r->bin;
   return b->setups + OBJECT_SETUPS > BIN_SETUPS ||
          b->used_B + OBJECT_SETUPS * BIN_SETUP_ROOM > BIN_SIZE;
}

struct setup *
bin_new(struct render *r)
{
   struct setup *s = (struct setup *)(void *)(r->bin.data + r->bin.used_B);
   memset(s, 0, offsetof(struct setup, edge));
   return s;
}

void
bin_add(struct render *r, struct setup *s)
{
   struct bin *b = &r->bin;
   b->at[b->setups++] = b->used_B;
   b->used_B += (s->size_B + 31u) & ~31u;
}

static void
forget_tiles(struct bin *b)
{
   for (unsigned i = 0; i < b->tiles; i++)
      b->head[b->tile[i]] = 0;
   b->tiles = b->links = 0;
}

void
bin_empty(struct bin *b)
{
   forget_tiles(b);
   b->used_B = 0;
   b->setups = b->done = b->end = 0;
   b->row = 0;
   b->open = false;
}

/* Is a square of pixels outside one of the edges? */
static bool
outside(const struct setup *s, int32_t x, int32_t y, int32_t size)
{
   int32_t margin = s->patterned; /* samples are up to half a pixel away */
   for (unsigned i = 0; i < s->edges; i++) {
      const struct edge *e = &s->edge[i];
      int64_t most = e->c + (int64_t)e->a * (e->a > 0 ? x + size - 1 + margin : x - margin) +
                     (int64_t)e->b * (e->b > 0 ? y + size - 1 + margin : y - margin);
      if (most < 0)
         return true;
   }
   return false;
}

static void
put(struct bin *b, uint32_t tile, uint32_t at)
{
   b->link[b->links] = (struct bin_link){.setup = at};
   uint32_t number = ++b->links;
   if (b->head[tile]) {
      b->link[b->tail[tile] - 1].next = number;
   } else {
      b->head[tile] = number;
      b->tile[b->tiles++] = tile;
   }
   b->tail[tile] = number;
}

/* False: there is no room for it. */
static bool
sort_one(struct bin *b, const struct setup *s, uint32_t at)
{
   unsigned shift = b->tile_shift;
   int32_t x0 = s->x0 >> shift, x1 = (s->x1 - 1) >> shift, y0 = s->y0 >> shift,
           y1 = (s->y1 - 1) >> shift;
   uint32_t count = (uint32_t)(x1 - x0 + 1) * (uint32_t)(y1 - y0 + 1);
   if (count > BIN_LINKS - b->links)
      return false;
   for (int32_t y = y0; y <= y1; y++)
      for (int32_t x = x0; x <= x1; x++)
         if (count <= SMALL_OBJECT || !outside(s, x << shift, y << shift, 1 << shift))
            put(b, (uint32_t)(y << 8 | x), at);
   return true;
}

void
bin_sort(struct render *r)
{
   struct bin *b = &r->bin;
   forget_tiles(b);
   for (b->end = b->done; b->end < b->setups; b->end++) {
      uint32_t at = b->at[b->end];
      if (!sort_one(b, (const struct setup *)(const void *)(b->data + at), at))
         break;
   }
}
