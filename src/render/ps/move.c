/* Pixel shader threads that move texels from one surface to another (eu/moves.c): once one of an
 * object has run, and it is known which texels the pixels of a block get, rectangles of blocks are
 * copied from view to view. Everything that is counted is counted as if the threads had run. */
#include "eu/distance.h"
#include "render/draw.h"
#include "shared_functions/quick.h"

#define BLOCK 8 /* pixels, both ways */

static const struct render *
render_of(const struct ps_worker *w)
{
   return w->w.crew->data;
}

/* Does an element come back from its channels as it was? SMP-398, DP-218: UNORM of up to 16 bits
 * does. */
static bool
keeps_bits(const struct surface_view *v)
{
   unsigned bits = 0;
   for (unsigned i = 0; i < 4; i++) {
      const struct view_channel *c = &v->channel[i];
      if (c->kind == VIEW_CHANNEL_BITS && !v->whole)
         return false;
      bits += c->kind ? c->bits : 0;
   }
   return bits == 8u * v->size_B;
}

/* ---- which texels -----------------------------------------------------------------------------
 */

static void
load_common(struct ps_worker *w)
{
   const struct stage_common *c = &w->w.common[w->w.kernel];
   for (unsigned i = 0; i < 2; i++)
      for (uint64_t needs = w->alike.move.series->fetch_needs[i]; needs; needs &= needs - 1) {
         unsigned reg = 64 * i + (unsigned)__builtin_ctzll(needs);
         memcpy(eu_grf(w->w.t, reg), c->row[reg], EU_REG_SIZE);
      }
}

/* Of the pixels of a block's diagonal: its eight X and its eight Y. */
static bool
ask(struct ps_worker *w, int32_t x, int32_t y, uint32_t *by_x, uint32_t *by_y)
{
   struct ps_move *m = &w->alike.move;
   struct eu_thread *t = w->w.t;
   struct eu_texels texels;
   uint32_t wrong = 0;
   load_common(w);
   for (unsigned n = 0; n < 4; n++)
      eu_grf(t, 1)[2 + n] = (uint32_t)(y + 2 * (int32_t)n) << 16 | (uint32_t)(x + 2 * (int32_t)n);
   eu_series_texels(m->series, t, &texels);
   *by_x = texels.u[0] - (uint32_t)x;
   *by_y = texels.v[0] - (uint32_t)y;
   for (uint32_t i = 0; i < 16; i++) {
      uint32_t n = 2 * (i / 4);
      wrong |= texels.u[i] - ((uint32_t)x + n + (i & 1)) - *by_x;
      wrong |= texels.v[i] - ((uint32_t)y + n + (i >> 1 & 1)) - *by_y;
   }
   if (!m->known) {
      m->known = true;
      m->lod = texels.lod;
      m->slice = texels.slice;
   }
   return !wrong;
}

/* The next block that is to be asked for, so that first … end is known. */
static int32_t
next_of(struct ps_move_axis *a, int32_t first, int32_t end)
{
   if (a->first == a->end || first > a->end || end < a->first)
      a->first = a->end = first; /* nothing of what is known is near */
   return first < a->first ? a->first - BLOCK : end > a->end ? a->end : first;
}

static bool
learn(struct ps_move_axis *a, int32_t at, uint32_t by)
{
   if (a->first == a->end)
      a->by = by;
   if (a->by != by)
      return false;
   a->first = at < a->first ? at : a->first;
   a->end = at + BLOCK > a->end ? at + BLOCK : a->end;
   return true;
}

static bool
contains(const struct ps_move_axis *a, int32_t first, int32_t end)
{
   return a->first <= first && end <= a->end;
}

/* Is every one of these pixels as far from its texel as all others? */
static bool
know(struct ps_worker *w, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
   struct ps_move *m = &w->alike.move;
   while (!contains(&m->x, x0, x1) || !contains(&m->y, y0, y1)) {
      if (!w->alike.on) /* a thread runs first, and asks then */
         return false;
      int32_t x = next_of(&m->x, x0, x1), y = next_of(&m->y, y0, y1);
      uint32_t by_x, by_y;
      if (!ask(w, x, y, &by_x, &by_y) || !learn(&m->x, x, by_x) || !learn(&m->y, y, by_y)) {
         m->x = m->y = (struct ps_move_axis){0, 0, 0};
         return false;
      }
   }
   return m->lod == 0;
}

/* Where the distance is the same for all pixels, a block is asked for the rest, and agrees. */
static void
know_all(struct ps_worker *w)
{
   struct ps_move *m = &w->alike.move;
   const struct ps_move_axis none = {0, 0, 0};
   uint32_t by_x, by_y, x, y;
   m->x = m->y = none;
   m->known = false;
   load_common(w);
   if (eu_series_distance(m->series, w->w.t, &by_x, &by_y) && ask(w, 0, 0, &x, &y) && x == by_x &&
       y == by_y) {
      m->x = (struct ps_move_axis){0, FAR_PIXEL, by_x};
      m->y = (struct ps_move_axis){0, FAR_PIXEL, by_y};
   }
}

bool
ps_move_ended(struct ps_worker *w, const struct rt_plain *plain)
{
   struct ps_move *m = &w->alike.move;
   const struct eu_thread *t = w->w.t;
   const struct sf_quick *q = m->series->fetch;
   if (plain->replicated || plain->payload != t->grf + q->response || !sf_surface_known(t, q->bti))
      return false;
   m->from = &t->buffers->view[q->bti];
   if (!(m->from->users & VIEW_FETCH) || m->from->format != plain->view->format ||
       !keeps_bits(m->from) || (m->from->converts && eu_rounding(t)))
      return false;
   know_all(w);
   return true;
}

/* ---- memory -----------------------------------------------------------------------------------
 */

/* Offsets from a surface's base wrap at 32 bits; sizes do not. */
static bool
holds(const struct view_window *window, const struct mem_extent *e)
{
   uint32_t first = (uint32_t)e->first - window->start;
   return first + (e->end - e->first) <= window->limit[2];
}

bool
ps_area(struct ps_worker *w, struct surface_view *v, uint32_t slice, const struct ps_box *b,
        bool write, struct ps_area *out)
{
   uint32_t beside = slice & ((1u << v->slices_log2) - 1), width_B = b->width << v->size_log2;
   if (b->x >= v->width || b->width > v->width - b->x || b->y >= v->height ||
       b->height > v->height - b->y || v->tiling > MEM_TILE_Y)
      return false;
   struct mem_area *a = &out->area;
   a->x_B = (b->x + v->x_el + beside * v->slice_el) << v->size_log2;
   a->row = b->y + v->row + (slice >> v->slices_log2) * v->slice_rows;
   a->pitch_B = v->pitch_B;
   a->tiling = v->tiling;
   struct mem_extent e = mem_area_extent(a, width_B, b->height);
   const struct view_window *window = &v->window[write];
   if (!surface_view_host(v, render_of(w)->env.space, (uint32_t)e.first, write))
      return false;
   if (!holds(window, &e) &&
       (!surface_view_look(v, render_of(w)->env.space, (uint32_t)e.first, write) ||
        !holds(window, &e)))
      return false;
   out->first = window->host + ((uint32_t)e.first - window->start);
   out->end = out->first + (e.end - e.first);
   a->host = out->first - e.first;
   return true;
}

bool
ps_move_box(struct ps_worker *w, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
   struct ps_move *m = &w->alike.move;
   struct surface_view *v = w->alike.view;
   struct ps_area to, from;
   struct ps_box box = {(uint32_t)x0, (uint32_t)y0, (uint32_t)(x1 - x0), (uint32_t)(y1 - y0)};
   if (!know(w, x0, y0, x1, y1) || m->slice >= m->from->depth ||
       !ps_area(w, v, w->alike.slice, &box, true, &to))
      return false;
   box.x += m->x.by;
   box.y += m->y.by;
   if (!ps_area(w, m->from, m->from->depth == UINT32_MAX ? 0 : m->slice, &box, false, &from) ||
       (from.first < to.end && to.first < from.end)) /* threads have an order then */
      return false;
   mem_area_copy(&to.area, &from.area, box.width << v->size_log2, box.height, w->alike.large);
   return true;
}
