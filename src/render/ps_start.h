/* A pixel shader thread at its start: what is its own. Both ways of dispatching have this in their
 * innermost loop. */
#ifndef PERGOLA_RENDER_PS_START_H
#define PERGOLA_RENDER_PS_START_H

#include "render/draw.h"

/* How it is compiled: who knows that there are vectors says so before. */
#ifndef PS_VECTORS
#define PS_VECTORS
#endif

static inline struct ps_worker *
ps_of(struct stage_worker *w)
{
   return (struct ps_worker *)(void *)w;
}

/* G3D-097: the first two registers. */
PS_VECTORS static inline void
ps_fill_header(struct ps_worker *w, const struct group *g)
{
   const struct gen7_3dstate_ps *ps = &w->r->draw.ps;
   uint32_t fftid = w->stage.place.fftid;
   uint32_t scratch =
       (ps->scratch_space_base_pointer + fftid * (1024u << ps->per_thread_scratch_space)) | fftid;
   stage_row *kept = (stage_row *)(void *)w->bypass.header,
             *grf = (stage_row *)(void *)w->stage.t->grf;
   const stage_row own = {0, 0, 0, 0, 0, scratch, w->number & 0xffffff, 0},
                   others = {~0u, ~0u, ~0u, ~0u, ~0u, 0, 0, 0};
   grf[0] = kept[0] = (kept[0] & others) | own;
   grf[1] = kept[1] = *(const stage_row *)(const void *)g->r1;
}

/* Number, channels and payload of the next thread; the rest is as `fresh`. */
PS_VECTORS static inline void
ps_fill(struct stage_worker *stage)
{
   struct ps_worker *w = ps_of(stage);
   const struct draw *d = &w->r->draw;
   const struct group *g = &w->group;
   struct eu_thread *t = stage->t;
   t->id = w->number;
   if (4 * g->count != g->width) /* G3D-096: all pixels of its subspans, helpers included */
      stage_channels(t, (1u << 4 * g->count) - 1);
   w->record = (struct rt_record){.dispatched = g->lit};
   w->pixel.dispatch_width = (uint8_t)g->width;
   ps_fill_header(w, g);
   if (d->wm.barycentric_interpolation_mode || d->wm.pixel_shader_uses_input_coverage_mask)
      ps_load_own(w, g);
   if (d->wm.statistics_enable) /* G3D-101: helpers too */
      w->invocations += 4 * g->count;
   w->number++;
}

/* Has it written to a render target behind the first? */
static inline void
ps_ended(struct stage_worker *stage, enum eu_stop stop)
{
   const struct ps_worker *w = ps_of(stage);
   uint32_t others = 0;
   for (unsigned i = 1; i < 8; i++)
      others |= w->record.written[i];
   if (__builtin_expect(others != 0, 0))
      ps_report_others(w);
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
   *(stage_row *)(void *)g->r1 = (stage_row){
       0, 0, first, first + 2, (first + 4) & right, (first + 6) & right, 0, all << 16 | all};
   w->stage.work.next++;
   w->x = behind < r->x1 ? behind : w->r->walk.left;
   w->y += behind < r->x1 ? 0 : 2;
   return true;
}

/* The next group of those that it has. */
PS_VECTORS static inline bool
ps_next(struct stage_worker *stage)
{
   struct ps_worker *w = ps_of(stage);
   if (stage->work.next >= stage->work.end)
      return false;
   if (!ps_take_whole(w, &w->group))
      wm_take_group(w, &w->group);
   stage->kernel = ps_kernel(&w->r->draw.ps, w->group.width);
   return true;
}

#endif
