/* The windower: pixels of a rectangle, subspan by subspan, become groups for pixel shader threads;
 * host threads take them. */
#include "render/draw.h"

/* Groups that a worker takes at once: many, so that rows of one tile, which share lines of the
 * host's cache, are seldom drawn by two; but there are shares for everybody. */
#define LEAST_SHARE 32u
#define MOST_SHARE 4096u
#define SHARES 64u

static void
begin_dispatch(struct render *r)
{
   struct dispatch_walk *k = &r->ps.crew.walk;
   uint64_t share = r->walk.groups / SHARES;
   k->items = r->walk.groups;
   dispatch_set_threads(&r->ps.crew, r->draw.ps.maximum_number_of_threads + 1);
   k->run = share < LEAST_SHARE ? LEAST_SHARE : share > MOST_SHARE ? MOST_SHARE : share;
   k->whole = true;
   k->alone = r->dev->trace.wanted; /* observers see the threads in their order */
   dispatch_begin(&r->ps.crew);
}

void
wm_begin(struct render *r)
{
   const struct draw *d = &r->draw;
   const struct rectangle *now = &d->now;
   struct walk *k = &r->walk;
   k->width = d->ps._16_pixel_dispatch_enable ? 16 : 8;
   k->left = now->x0 & ~1;
   k->top = now->y0 & ~1;
   k->columns = (uint32_t)(now->x1 - k->left + 1) / 2;
   k->subspans = (uint64_t)k->columns * ((uint32_t)(now->y1 - k->top + 1) / 2);
   k->groups = (k->subspans + k->width / 4 - 1) / (k->width / 4);
   k->first_thread = r->threads;
   r->threads += (uint32_t)k->groups;
   ps_load_common(r, ps_kernel(&d->ps, k->width));
   if (d->ps._8_pixel_dispatch_enable)
      ps_load_common(r, ps_kernel(&d->ps, 8));
   begin_dispatch(r);
}

/* ---- groups --------------------------------------------------------------------------------- */

/* G3D-096: 2x2 pixels, the upper left one at even coordinates. */
static void
take_subspan(struct ps_worker *w, struct group *g)
{
   const struct walk *k = &w->r->walk;
   const struct rectangle *r = &w->r->draw.now;
   unsigned n = g->count++;
   g->r1[2 + n] = ((uint32_t)w->y & 0xffff) << 16 | ((uint32_t)w->x & 0xffff);
   uint32_t row = (uint32_t)(w->x >= r->x0) | (uint32_t)(w->x + 1 < r->x1) << 1;
   g->lit |= ((w->y >= r->y0 ? row : 0) | (w->y + 1 < r->y1 ? row << 2 : 0)) << 4 * n;
   w->x += 2;
   if (w->x >= r->x1) {
      w->x = k->left;
      w->y += 2;
   }
}

void
wm_take_group(struct ps_worker *w, struct group *g)
{
   const struct gen7_3dstate_ps *ps = &w->r->draw.ps;
   const struct rectangle *r = &w->r->draw.now;
   unsigned width = w->r->walk.width;
   *g = (struct group){.width = width};
   w->stage.work.next++;
   while (g->count < width / 4 && w->y < r->y1)
      take_subspan(w, g);
   g->r1[7] = g->lit << 16 | g->lit;
   if (g->count <= 2 && ps->_8_pixel_dispatch_enable)
      g->width = 8;
}

void
wm_seek(struct ps_worker *w)
{
   const struct walk *k = &w->r->walk;
   uint64_t group = w->stage.work.next, subspan = group * (k->width / 4);
   w->x = k->left + 2 * (int32_t)(subspan % k->columns);
   w->y = k->top + 2 * (int32_t)(subspan / k->columns);
   w->number = k->first_thread + (uint32_t)group;
   ps_load_header(w);
}

enum cs_result
wm_rectangle(struct render *r, uint64_t *budget)
{
   switch (dispatch_run(&r->ps.crew, budget)) {
   case DISPATCH_DONE:
      return CS_DONE;
   case DISPATCH_AGAIN:
      return CS_AGAIN;
   default:
      return CS_ERROR;
   }
}
