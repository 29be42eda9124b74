/* A pixel shader thread at its start: what is its own. Both ways of dispatching have this in their
 * innermost loop. */
#ifndef PERGOLA_RENDER_PS_START_H
#define PERGOLA_RENDER_PS_START_H

#include "render/draw.h"

/* How it is compiled: who knows that there are vectors says so before. */
#ifndef PS_VECTORS
#define PS_VECTORS
#endif

/* A register, or a part of a thread's start. Moved as a whole: it is read as a whole soon after,
 * and a load that needs two stores has to wait for both. */
typedef uint32_t ps_row __attribute__((vector_size(EU_REG_SIZE), may_alias));

/* G3D-097: the first two registers. */
PS_VECTORS static inline void
ps_start_header(struct ps_worker *w, const struct group *g)
{
   const struct gen7_3dstate_ps *ps = &w->r->draw.ps;
   uint32_t scratch =
       (ps->scratch_space_base_pointer + w->slot * (1024u << ps->per_thread_scratch_space)) |
       w->slot;
   ps_row *kept = (ps_row *)(void *)w->bypass.header, *grf = (ps_row *)(void *)w->t->grf;
   const ps_row own = {0, 0, 0, 0, 0, scratch, w->number & 0xffffff, 0},
                others = {~0u, ~0u, ~0u, ~0u, ~0u, 0, 0, 0};
   grf[0] = kept[0] = (kept[0] & others) | own;
   grf[1] = kept[1] = *(const ps_row *)(const void *)g->r1;
}

/* Number, place and payload of the next thread; the rest is as `fresh`. */
PS_VECTORS static inline void
ps_start(struct ps_worker *w, const struct group *g)
{
   const struct draw *d = &w->r->draw;
   struct eu_thread *t = w->t;
   t->id = w->number;
   t->fftid = (uint16_t)w->slot;
   t->sr0[1] = w->slot << 24;
   w->record = (struct rt_record){.dispatched = g->lit};
   w->pixel.dispatch_width = (uint8_t)g->width;
   ps_start_header(w, g);
   if (d->wm.barycentric_interpolation_mode || d->wm.pixel_shader_uses_input_coverage_mask)
      ps_load_own(w, g);
   if (d->wm.statistics_enable) /* G3D-101: helpers too */
      w->invocations += 4 * g->count;
   w->number++;
   w->slot = w->slot + 1 < w->slots ? w->slot + 1 : 0;
}

/* Has it written to a render target behind the first? */
static inline bool
ps_has_others(const struct rt_record *r)
{
   uint32_t others = 0;
   for (unsigned i = 1; i < 8; i++)
      others |= r->written[i];
   return others != 0;
}

/* A group of which all pixels lie inside, in one row; false: it is another one. */
PS_VECTORS static inline bool
ps_take_whole(struct ps_worker *w, struct group *g)
{
   const struct rectangle *r = &w->r->draw.now;
   unsigned width = w->r->walk.width;
   int32_t behind = w->x + (int32_t)width / 2;
   if (w->x < r->x0 || behind > r->x1 || w->y < r->y0 || w->y + 1 >= r->y1)
      return false;
   uint32_t first = ((uint32_t)w->y & 0xffff) << 16 | ((uint32_t)w->x & 0xffff);
   uint32_t all = (1u << width) - 1, right = width == 16 ? UINT32_MAX : 0; /* are there two more? */
   g->width = width;
   g->count = width / 4;
   g->lit = all;
   *(ps_row *)(void *)g->r1 = (ps_row){
       0, 0, first, first + 2, (first + 4) & right, (first + 6) & right, 0, all << 16 | all};
   w->next++;
   w->x = behind < r->x1 ? behind : w->r->walk.left;
   w->y += behind < r->x1 ? 0 : 2;
   return true;
}

#endif
