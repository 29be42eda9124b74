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
#define COLUMN_B 16u    /* of a Y tile (MEM-021) … */
#define TILE_Y_ROWS 32u /* … which has so many rows */

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
   bool same = a->move.series ? ps_move_ended(w, &plain)
                              : HOST_VECTORS && rt_plain_element(&plain, a->element);
   a->s = same ? w->s : NULL;
   a->view = plain.view;
   a->slice = plain.slice;
   a->cost = cost;
}

/* ---- memory -----------------------------------------------------------------------------------
 */

STAGE_VECTORS static void
fill_bytes(uint8_t *to, uint32_t size_B, const uint32_t row[8])
{
   typedef uint32_t vector __attribute__((vector_size(32), aligned(4), may_alias));
   vector all = *(const vector *)(const void *)row;
   for (uint32_t i = 0; i < size_B; i += sizeof(all))
      *(vector *)(void *)(to + i) = all;
}

/* Bytes side by side, from an offset in the surface on; false: they cannot be reached. */
static bool
fill_run(const struct ps_worker *w, uint64_t offset, uint32_t size_B)
{
   struct surface_view *v = w->alike.view;
   uint8_t *first = surface_view_host(v, render_of(w)->env.space, (uint32_t)offset, true);
   const struct view_window *window = &v->window[1];
   if (!first || (uint32_t)offset + size_B - v->size_B - window->start >= window->limit[2])
      return false;
   uint32_t row[8], dwords = 1u << (v->size_log2 - 2);
   for (unsigned i = 0; i < 8; i++)
      row[i] = w->alike.element[i % dwords];
   fill_bytes(first, size_B, row);
   return true;
}

/* Rows of a surface that is not Y tiled. */
static bool
fill_rows(const struct ps_worker *w, uint32_t x_B, uint32_t y, uint32_t x1_B, uint32_t y1)
{
   const struct surface_view *v = w->alike.view;
   for (; y < y1; y++)
      for (uint32_t at = x_B, end; at < x1_B; at = end) {
         bool linear = v->tiling == MEM_LINEAR;
         end = linear || (at | 511) + 1 > x1_B ? x1_B : (at | 511) + 1; /* of an X tile */
         if (!fill_run(w, mem_tile_offset(v->tiling, at, y, v->pitch_B), end - at))
            return false;
      }
   return true;
}

/* Columns of Y tiles, which follow each other from tile to tile of a row. */
static bool
fill_columns(const struct ps_worker *w, uint32_t x_B, uint32_t y, uint32_t x1_B, uint32_t y1)
{
   const struct surface_view *v = w->alike.view;
   for (uint32_t end; y < y1; y = end) {
      uint32_t below = (y | (TILE_Y_ROWS - 1)) + 1;
      end = below < y1 ? below : y1;
      uint32_t columns = (x1_B - x_B) / COLUMN_B, size_B = COLUMN_B * (end - y);
      uint64_t offset = mem_tile_offset(v->tiling, x_B, y, v->pitch_B);
      if (end - y == TILE_Y_ROWS) { /* nothing lies between them */
         size_B *= columns;
         columns = 1;
      }
      for (uint32_t i = 0; i < columns; i++)
         if (!fill_run(w, offset + i * COLUMN_B * TILE_Y_ROWS, size_B))
            return false;
   }
   return true;
}

/* Pixels of whole blocks. False: not all of them; who comes next may write them again. */
static bool
fill(const struct ps_worker *w, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
   const struct surface_view *v = w->alike.view;
   uint32_t slice = w->alike.slice, beside = slice & ((1u << v->slices_log2) - 1),
            x = v->x_el + beside * v->slice_el,
            y = v->row + (slice >> v->slices_log2) * v->slice_rows;
   if ((uint32_t)x1 > v->width || (uint32_t)y1 > v->height || x % BLOCK || y % BLOCK ||
       v->tiling > MEM_TILE_Y)
      return false;
   return (v->tiling == MEM_TILE_Y ? fill_columns : fill_rows)(
       w, (x + (uint32_t)x0) << v->size_log2, y + (uint32_t)y0, (x + (uint32_t)x1) << v->size_log2,
       y + (uint32_t)y1);
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
}

bool
ps_alike_fill(struct ps_worker *w)
{
   int32_t x0 = w->mx, y0 = w->my, y1 = y0 + BLOCK, x1 = w->inside ? w->bx1 : x0 + BLOCK;
   unsigned blocks = (unsigned)(x1 - x0) / BLOCK;
   bool moves = w->alike.move.fetch != NULL;
   if (!(moves ? ps_move_row(w, x0, y0, x1) : fill(w, x0, y0, x1, y1)))
      return false;
   w->mask = 0;
   if (w->inside) { /* the rest of its row, and what is below */
      w->bx = w->bx0;
      w->by = y1;
      if (moves) {
         for (; w->by < w->by1 && ps_move_row(w, w->bx0, w->by, x1); w->by += BLOCK)
            blocks += (unsigned)(x1 - w->bx0) / BLOCK;
      } else if (fill(w, w->bx0, y1, x1, w->by1)) {
         blocks += (unsigned)((x1 - w->bx0) * (w->by1 - y1)) / BLOCK_PIXELS;
         w->by = w->by1;
      }
   }
   w->w.owed += (int64_t)(blocks - 1) * WM_BLOCK_COST;
   count(w, blocks);
   w->alike.moved += moves ? blocks : 0;
   return true;
}
