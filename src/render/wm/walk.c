/* The windower's walk: tiles, blocks of 8x8 pixels in them, subspans, which become the groups of
 * pixel shader threads. Which pixels a group has depends on object and tile alone. */
#include "render/draw.h"

#include <stdlib.h>

static struct render *
render_of(const struct ps_worker *w)
{
   return w->w.crew->data;
}

void
wm_enter_tile(struct ps_worker *w, uint32_t tile)
{
   const struct bin *b = &render_of(w)->bin;
   w->in_tile = true;
   w->link = b->head[tile];
   w->s = NULL;
   w->x0 = (int32_t)(tile & (BIN_TILES - 1)) << b->tile_shift;
   w->y0 = (int32_t)(tile / BIN_TILES) << b->tile_shift;
}

/* Are all pixels of the tile inside the object? Of several samples, all of them: they are less than
 * a pixel away from the pixel's location, which may be its corner. */
static bool
covers(const struct setup *s, int32_t x, int32_t y, int32_t size)
{
   if (s->x0 > x || s->y0 > y || s->x1 < x + size || s->y1 < y + size || s->stippled)
      return false;
   for (unsigned i = 0; i < s->edges; i++) {
      const struct edge *e = &s->edge[i];
      int64_t least = s->patterned ? llabs(e->a) + llabs(e->b) + 1 : 0;
      if (e->c + (int64_t)e->a * (e->a < 0 ? x + size - 1 : x) +
              (int64_t)e->b * (e->b < 0 ? y + size - 1 : y) <
          least)
         return false;
   }
   return true;
}

/* Are all pixels of the blocks that a rectangle has in the tile its own? */
static bool
is_of_blocks(const struct ps_worker *w, const struct setup *s)
{
   return !s->edges && !s->stippled && !s->patterned && w->bx0 >= s->x0 && w->by >= s->y0 &&
          !((w->bx1 | w->by1) & 7);
}

void
wm_enter_object(struct ps_worker *w, const struct setup *s)
{
   int32_t size = 1 << render_of(w)->bin.tile_shift;
   w->s = s;
   /* Blocks that the object may have pixels in. */
   w->bx0 = (s->x0 > w->x0 ? s->x0 : w->x0) & ~7;
   w->by = (s->y0 > w->y0 ? s->y0 : w->y0) & ~7;
   w->bx1 = s->x1 < w->x0 + size ? s->x1 : w->x0 + size;
   w->by1 = s->y1 < w->y0 + size ? s->y1 : w->y0 + size;
   w->bx = w->bx0;
   w->mask = 0;
   w->inside = covers(s, w->x0, w->y0, size) || is_of_blocks(w, s);
}

/* The next object of the tile; false: there is none. */
static bool
next_object(struct ps_worker *w)
{
   const struct bin *b = &render_of(w)->bin;
   if (!w->link)
      return false;
   const struct bin_link *l = &b->link[w->link - 1];
   w->link = l->next;
   wm_enter_object(w, (const struct setup *)(const void *)(b->data + l->setup));
   return true;
}

/* P3D-267 */
static uint64_t
stippled(const struct render *r, int32_t x, int32_t y)
{
   uint64_t mask = 0;
   for (uint32_t j = 0; j < 8; j++) {
      uint32_t row =
          r->state
              .stipple[((uint32_t)y + j + r->state.stipple_offset.polygon_stipple_y_offset) & 31];
      for (uint32_t i = 0; i < 8; i++) {
         uint32_t column =
             ((uint32_t)x + i + r->state.stipple_offset.polygon_stipple_x_offset) & 31;
         mask |= (uint64_t)(row >> (31 - column) & 1)
                 << (16 * (j / 2) + 4 * (i / 2) + 2 * (j & 1) + (i & 1));
      }
   }
   return mask;
}

/* The next block of the object that has pixels; false: there is none or, with may_stop, many
 * without have been looked at, and what is left of the object comes later. */
static bool
next_block(struct ps_worker *w, bool may_stop)
{
   while (w->by < w->by1) {
      if (may_stop && w->w.owed >= WM_OWED_MOST)
         return false;
      wm_take_block(w);
      w->mask = w->pixel.group.samples > 1 ? msaa_coverage(w, w->mx, w->my)
                : w->inside                ? UINT64_MAX
                                           : wm_coverage(w->s, w->mx, w->my);
      if (__builtin_expect(w->s->stippled && w->mask, 0))
         w->mask &= w->s->dashed ? line_dashes(render_of(w), w->s, w->mx, w->my)
                                 : stippled(render_of(w), w->mx, w->my);
      if (w->mask && render_of(w)->pixel.blocks && !w->s->smooth)
         ps_test_block(w);
      if (w->mask)
         return true;
   }
   return false;
}

/* The first subspan of the mask that has pixels. */
static void
take_subspan(struct ps_worker *w, struct pixel_group *g)
{
   unsigned q = (unsigned)__builtin_ctzll(w->mask) / 4, n = g->subspans++;
   g->x[n] = (uint16_t)(w->mx + 2 * (int32_t)(q & 3));
   g->y[n] = (uint16_t)(w->my + 2 * (int32_t)(q / 4));
   if (g->samples > 1)
      for (unsigned s = 0; s < g->samples; s++)
         g->lit[s] |= (uint32_t)((w->masks[s] & w->mask) >> 4 * q & 15) << 4 * n;
   else
      g->lit[0] |= (uint32_t)(w->mask >> 4 * q & 15) << 4 * n;
   w->mask &= ~(UINT64_C(15) << 4 * q);
}

/* Four subspans side by side at once. */
static bool
take_row(struct ps_worker *w, struct pixel_group *g)
{
   unsigned row = (unsigned)__builtin_ctzll(w->mask) / 16;
   uint32_t bits = (uint32_t)(w->mask >> 16 * row & 0xffff);
   if (!(bits & 0xf000) || !(bits & 0xf00) || !(bits & 0xf0) || !(bits & 0xf))
      return false;
   wm_take_row(w, g, row, bits);
   if (g->samples > 1)
      wm_take_samples(w, g, row, bits);
   return true;
}

bool
wm_next_group(struct ps_worker *w)
{
   struct pixel_group *g = &w->pixel.group;
   unsigned most = render_of(w)->wm.subspans;
   g->subspans = 0;
   for (unsigned s = 0; s < g->samples; s++)
      g->lit[s] = 0;
   for (;;) {
      if (!w->mask && !(w->s && next_block(w, !g->subspans))) {
         if (g->subspans) /* P3D-282: objects do not mix */
            return true;
         if (w->s && w->by < w->by1)
            return false;
         w->s = NULL;
         if (!next_object(w))
            return false;
         continue;
      }
      if (!g->subspans && most == 4) {
         if (w->alike.s == w->s && w->mask == UINT64_MAX && ps_alike_fill(w))
            continue;
         if (take_row(w, g))
            return true;
      }
      take_subspan(w, g);
      if (g->subspans == most)
         return true;
   }
}
