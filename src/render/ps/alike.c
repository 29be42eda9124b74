/* Pixel shader threads that all do the same: their kernel reads nothing but what the threads of an
 * object have in common, and ends by one message whose colours are packed and stored. The first of
 * them runs; where all pixels of a block are lit, those of the others are filled with what it has
 * stored. Everything that is counted is counted as if they had run. */
#include "machine/host.h"
#include "render/draw.h"
#include "shared_functions/quick.h"

#define BLOCK 8          /* pixels, both ways */
#define BLOCK_THREADS 4u /* of 8x2 pixels */
#define BLOCK_PIXELS 64u
#define COLUMN_B 16u       /* that areas are filled by */
#define LARGE_B (8u << 20) /* of an object: more than stays in the host's caches */

static const struct render *
render_of(const struct ps_worker *w)
{
   return w->w.crew->data;
}

/* Without tests it makes no difference when they come; what a kernel says of its pixels itself
 * needs a header, and such messages are not plain. */
static bool
kills_none(const struct pixel *p)
{
   for (unsigned i = 0; i < sizeof(p->alpha) / sizeof(p->alpha[0]); i++)
      if (p->alpha[i].test || p->alpha[i].to_coverage)
         return p->when == PIXEL_BEFORE;
   return true;
}

void
ps_alike_begin(struct ps_worker *w)
{
   const struct render *r = render_of(w);
   const struct pixel *p = &r->pixel;
   const struct depth *d = &p->depth;
   w->alike = (struct ps_alike){.filled = w->alike.filled,
                                .moved = w->alike.moved,
                                .may = p->dispatch && p->samples == 1 && kills_none(p) &&
                                       !p->fast_clear && !p->resolve && !d->test && !d->write &&
                                       !d->stencil && r->wm.subspans == 4};
}

/* Have the threads of an object these registers in common? */
static bool
in_common(const struct ps_worker *w, const uint64_t needs[2])
{
   const struct stage_common *c = &w->w.common[w->w.kernel];
   for (unsigned i = 0; i < 2; i++)
      for (uint64_t left = needs[i]; left; left &= left - 1) {
         unsigned reg = 64 * i + (unsigned)__builtin_ctzll(left);
         if (reg < c->first || reg >= c->first + c->count)
            return false;
      }
   return true;
}

void
ps_alike_series(struct ps_worker *w, const struct eu_series *s)
{
   bool may = w->alike.may && s->channels == 0xffff,
        alike = may && s->uniform && in_common(w, s->uniform_needs),
        moves = may && s->fetch && in_common(w, s->fetch_needs);
   w->alike.on = alike || moves;
   w->alike.move.series = moves ? s : NULL;
   if (w->alike.move.fetch != (moves ? s->fetch : NULL)) { /* it is another kernel's */
      w->alike.move.fetch = moves ? s->fetch : NULL;
      w->alike.s = NULL;
   }
   w->backend.plain = w->alike.on ? &w->alike.plain : NULL;
}

void
ps_alike_ended(struct ps_worker *w, uint32_t cost)
{
   struct ps_alike *a = &w->alike;
   struct rt_plain plain = a->plain;
   a->plain.view = NULL; /* of the next thread nothing is known */
   if (a->s == w->s || w->w.t->dispatch_mask != 0xffff || !plain.view)
      return;
   bool same = a->move.series ? ps_move_ended(w, &plain) : plain.element(&plain, a->element);
   a->s = same ? w->s : NULL;
   a->view = plain.view;
   a->slice = plain.slice;
   a->cost = cost;
   a->large = (uint64_t)(w->s->x1 - w->s->x0) * (uint64_t)(w->s->y1 - w->s->y0) * a->view->size_B >=
              LARGE_B;
}

/* ---- memory -----------------------------------------------------------------------------------
 */

/* Pixels of whole blocks. False: nothing has been done. */
static bool
fill(struct ps_worker *w, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
   struct surface_view *v = w->alike.view;
   struct ps_area to;
   struct ps_box box = {(uint32_t)x0, (uint32_t)y0, (uint32_t)(x1 - x0), (uint32_t)(y1 - y0)};
   if (!ps_area(w, v, w->alike.slice, &box, true, &to) || to.area.x_B % COLUMN_B)
      return false;
   uint32_t with[4], dwords = 1u << (v->size_log2 - 2);
   for (unsigned i = 0; i < 4; i++)
      with[i] = w->alike.element[i % dwords];
   mem_area_fill(&to.area, box.width << v->size_log2, box.height, with, w->alike.large);
   return true;
}

/* ---- the walk ---------------------------------------------------------------------------------
 */

/* So many blocks have been filled: their threads count as run. */
static void
count(struct ps_worker *w, unsigned blocks)
{
   const struct pixel *p = &render_of(w)->pixel;
   unsigned threads = blocks * BLOCK_THREADS;
   w->number += threads;
   w->invocations += blocks * BLOCK_PIXELS;                 /* P3D-291 */
   w->pixel.passed += p->count ? blocks * BLOCK_PIXELS : 0; /* P3D-292 */
   w->w.turn = (w->w.turn + threads) % w->w.place_count;
   w->w.owed += (int64_t)threads * w->alike.cost;
   w->alike.filled += blocks;
   w->alike.moved += w->alike.move.fetch ? blocks : 0;
}

static bool
do_box(struct ps_worker *w, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
   return w->alike.move.fetch ? ps_move_box(w, x0, y0, x1, y1) : fill(w, x0, y0, x1, y1);
}

static unsigned
blocks_of(int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
   return (unsigned)(x1 - x0) * (unsigned)(y1 - y0) / BLOCK_PIXELS;
}

bool
ps_alike_fill(struct ps_worker *w)
{
   int32_t x0 = w->mx, y0 = w->my, y1 = y0 + BLOCK, x1 = w->inside ? w->bx1 : x0 + BLOCK;
   if (!do_box(w, x0, y0, x1, y1))
      return false;
   unsigned blocks = blocks_of(x0, y0, x1, y1);
   w->mask = 0;
   if (w->inside) { /* the rest of its row, and what is below */
      w->bx = w->bx0;
      w->by = y1;
      if (y1 < w->by1 && do_box(w, w->bx0, y1, x1, w->by1)) {
         blocks += blocks_of(w->bx0, y1, x1, w->by1);
         w->by = w->by1;
      }
      for (; w->by < w->by1 && do_box(w, w->bx0, w->by, x1, w->by + BLOCK); w->by += BLOCK)
         blocks += blocks_of(w->bx0, 0, x1, BLOCK);
   }
   w->w.owed += (int64_t)(blocks - 1) * WM_BLOCK_COST;
   count(w, blocks);
   return true;
}

/* Has the tile this object, and no other? */
static bool
has_only(const struct bin *b, uint32_t tile, const struct setup *s)
{
   const struct bin_link *l = &b->link[b->head[tile] - 1];
   return !l->next && (const struct setup *)(const void *)(b->data + l->setup) == s;
}

unsigned
ps_alike_tiles(struct ps_worker *w)
{
   const struct bin *b = &render_of(w)->bin;
   const struct setup *s = w->alike.s;
   const uint32_t *tile = b->tile + w->w.work.next;
   int32_t size = 1 << b->tile_shift, left = (int32_t)(tile[0] % BIN_TILES) * size,
           top = (int32_t)(tile[0] / BIN_TILES) * size;
   uint64_t most = w->w.work.end - w->w.work.next, room = BIN_TILES - tile[0] % BIN_TILES;
   unsigned n = 0;
   if (s->edges || s->stippled)
      return 0;
   while (n < most && n < room && tile[n] == tile[0] + n && has_only(b, tile[n], s))
      n++;
   if (n && s->x1 < left + (int32_t)n * size && s->x1 % BLOCK) /* not all of the last one */
      n--;
   int32_t right = left + (int32_t)n * size, bottom = top + size, x0 = s->x0 > left ? s->x0 : left,
           y0 = s->y0 > top ? s->y0 : top, x1 = s->x1 < right ? s->x1 : right,
           y1 = s->y1 < bottom ? s->y1 : bottom;
   if (!n || (x0 | y0 | x1 | y1) % BLOCK || !do_box(w, x0, y0, x1, y1))
      return 0;
   unsigned blocks = blocks_of(x0, y0, x1, y1);
   w->w.owed += (int64_t)blocks * WM_BLOCK_COST;
   count(w, blocks);
   return n;
}
