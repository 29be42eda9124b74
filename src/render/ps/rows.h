/* Threads of 16 pixels that are the rest of a block, two rows of it each: what most threads of
 * large objects are. As next() and fill() of ps.c do it, for states in which a group has no tests
 * of its own, and payloads of the pixels' own place. */
#ifndef PERGOLA_RENDER_PS_ROWS_H
#define PERGOLA_RENDER_PS_ROWS_H

#include "render/ps/payload.h"

#define ROW_KERNEL 1u /* of 16 pixels */

/* May they be chosen so, in this draw? */
static inline bool
ps_has_rows(const struct ps_worker *w, const struct render *r)
{
   return w->w.kernel == ROW_KERNEL && r->wm.kernel_of[4] == ROW_KERNEL && r->wm.subspans == 4 &&
          r->wm.at_pixels && !r->wm.per_sample && r->pixel.dispatch &&
          (r->pixel.blocks || (!r->pixel.needs_z && !(r->pixel.early && r->pixel.tests)));
}

/* Four subspans side by side? */
PS_INLINE bool
ps_is_row(const struct pixel_group *g)
{
   uint64_t x, y;
   memcpy(&x, g->x, sizeof(x));
   memcpy(&y, g->y, sizeof(y));
   return g->subspans == 4 &&
          x == g->x[0] * UINT64_C(0x0001000100010001) + UINT64_C(0x0006000400020000) &&
          y == g->y[0] * UINT64_C(0x0001000100010001);
}

/* The next block of an object that covers the tile; false: wm_next_group() has to look for it. */
PS_INLINE bool
ps_next_block(struct ps_worker *w, const struct render *r, bool many)
{
   if (!w->s || !w->inside || w->by >= w->by1 || w->w.owed >= WM_OWED_MOST || w->alike.s == w->s ||
       r->pixel.blocks)
      return false;
   wm_take_block(w);
   w->mask = many ? msaa_coverage(w, w->mx, w->my) : UINT64_MAX;
   return w->mask != 0;
}

/* The next two rows of the block, if they have four subspans. many: samples. */
PS_INLINE bool
ps_next_row(struct ps_worker *w, const struct render *r, bool many)
{
   struct pixel_group *g = &w->pixel.group;
   if (!w->mask && !ps_next_block(w, r, many))
      return false;
   uint64_t mask = w->mask;
   if (w->s->smooth || w->loaded[ROW_KERNEL] != w->s)
      return false;
   unsigned row = (unsigned)__builtin_ctzll(mask) / 16;
   uint32_t bits = (uint32_t)(mask >> 16 * row & 0xffff);
   if (!(bits & 0xf000) || !(bits & 0xf00) || !(bits & 0xf0) || !(bits & 0xf))
      return false;
   wm_take_row(w, g, row, bits);
   if (many)
      wm_take_samples(w, g, row, bits);
   w->lit = many ? msaa_begin_group(w) : bits;
   if (r->pixel.early && !r->pixel.blocks && r->pixel.count && r->pixel.when == PIXEL_BEFORE)
      for (unsigned i = 0; i < (many ? g->samples : 1u); i++)
         w->pixel.passed += (unsigned)__builtin_popcount(g->lit[i]);
   return true;
}

/* Barycentric modes alone: of which the most kernels have one. */
PS_INLINE void
load_row(struct ps_worker *w, const struct render *r)
{
   const struct hw_3dstate_wm *wm = &r->state.wm;
   const struct pixel_group *g = &w->pixel.group;
   const quad_d apart = {0, 2, 4, 6};
   double x = g->x[0], y = g->y[0];
   unsigned reg = 2;
   for (uint32_t modes = wm->barycentric_interpolation_mode; modes; modes &= modes - 1) {
      load_barycentric_16(w, reg, w->s->perspective && __builtin_ctz(modes) < 3, x + apart,
                          (quad_d){y, y, y, y});
      reg += 4;
   }
}

PS_INLINE void
ps_fill_row(struct ps_worker *w, const struct render *r, bool many)
{
   const struct pixel_group *g = &w->pixel.group;
   const ps_places apart = {0, 2, 4, 6};
   struct eu_thread *t = w->w.t;
   stage_row *grf = (stage_row *)(void *)t->grf, *kept = (stage_row *)(void *)w->bypass.header;
   uint32_t first = (uint32_t)g->y[0] << 16 | g->x[0];
   t->id = w->number;
   *(stage_row *)(void *)w->record.written = (stage_row){0}; /* at once: it is read so */
   w->record.dispatched = w->lit;
   w->pixel.survived[0] = 0;
   if (many)
      pixel_start(&w->pixel);
   grf[0] = kept[0] = header_row(w, r);
   grf[1] = kept[1] = places_row(first + apart, w->lit);
   if (r->wm.own_weights)
      load_row(w, r);
   else if (r->wm.own)
      ps_load_own(w, r);
   w->invocations += 16; /* P3D-291: helpers too */
   w->number++;
}

#endif
