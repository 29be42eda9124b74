/* Pixel shader threads that move texels from one surface to another (eu/moves.c): once one of an
 * object has run, and it is known which texels the pixels of a block get, rows of blocks are copied
 * from view to view. Everything that is counted is counted as if the threads had run. */
#include "render/draw.h"
#include "shared_functions/quick.h"

#define BLOCK 8      /* pixels, both ways */
#define PIECES 512u  /* of a row of blocks */
#define COLUMN_B 16u /* of a Y tile (MEM-021) */
#define LINE_B 64u   /* of the host's caches */
#define LINE_COLUMNS (LINE_B / COLUMN_B)
#define AHEAD_B 256u

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

bool
ps_move_ended(struct ps_worker *w, const struct rt_plain *plain)
{
   struct ps_move *m = &w->alike.move;
   const struct eu_thread *t = w->w.t;
   const struct sf_quick *q = m->series->fetch;
   if (plain->replicated || plain->payload != t->grf + q->response || !sf_surface_known(t, q->bti))
      return false;
   m->from = &t->buffers->view[q->bti];
   m->x = m->y = (struct ps_move_axis){0, 0, 0};
   m->known = false;
   return m->from->users & VIEW_FETCH && m->from->format == plain->view->format &&
          keeps_bits(m->from) && !(m->from->converts && eu_rounding(t));
}

/* ---- which texels -----------------------------------------------------------------------------
 */

/* Of the pixels of a block's diagonal: its eight X and its eight Y. */
static bool
ask(struct ps_worker *w, int32_t x, int32_t y, uint32_t *by_x, uint32_t *by_y)
{
   struct ps_move *m = &w->alike.move;
   const struct stage_common *c = &w->w.common[w->w.kernel];
   struct eu_thread *t = w->w.t;
   struct eu_texels texels;
   uint32_t wrong = 0;
   for (unsigned i = 0; i < 2; i++)
      for (uint64_t needs = m->series->fetch_needs[i]; needs; needs &= needs - 1) {
         unsigned reg = 64 * i + (unsigned)__builtin_ctzll(needs);
         memcpy(eu_grf(t, reg), c->row[reg], EU_REG_SIZE);
      }
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

/* ---- memory -----------------------------------------------------------------------------------
 */

static const struct {
   uint32_t x_B, row, run_B; /* of a tile, less one; bytes side by side, less one */
} tile[] = {[MEM_LINEAR] = {0, 0, UINT32_MAX},
            [MEM_TILE_X] = {511, 7, 511},
            [MEM_TILE_Y] = {127, 31, COLUMN_B - 1}};

/* A row of blocks in a view. */
struct side {
   uint8_t *host; /* of the view's base */
   uint8_t *first, *end;
   uint32_t x_B, row, pitch_B;
   enum mem_tiling tiling;
};

static bool
find_side(struct ps_worker *w, struct surface_view *v, uint32_t slice, uint32_t x, uint32_t y,
          uint32_t width, bool write, struct side *s)
{
   uint32_t beside = slice & ((1u << v->slices_log2) - 1);
   if (x >= v->width || width > v->width - x || y >= v->height || BLOCK > v->height - y ||
       v->tiling > MEM_TILE_Y)
      return false;
   s->x_B = (x + v->x_el + beside * v->slice_el) << v->size_log2;
   s->row = y + v->row + (slice >> v->slices_log2) * v->slice_rows;
   s->pitch_B = v->pitch_B;
   s->tiling = v->tiling;
   uint32_t last_B = s->x_B + (width << v->size_log2) - 1, x_mask = tile[v->tiling].x_B,
            row_mask = tile[v->tiling].row;
   uint64_t first = mem_tile_offset(v->tiling, s->x_B & ~x_mask, s->row & ~row_mask, v->pitch_B),
            end = mem_tile_offset(v->tiling, last_B | x_mask, (s->row + BLOCK - 1) | row_mask,
                                  v->pitch_B) +
                  1;
   const struct view_window *window = &v->window[write];
   if (!surface_view_host(v, render_of(w)->env.space, (uint32_t)first, write))
      return false;
   if ((uint32_t)end - window->start > window->limit[2] &&
       (!surface_view_look(v, render_of(w)->env.space, (uint32_t)first, write) ||
        (uint32_t)end - window->start > window->limit[2]))
      return false;
   s->first = window->host + ((uint32_t)first - window->start);
   s->end = s->first + (end - first);
   s->host = s->first - first;
   return true;
}

/* Offsets of a byte are the sum of one by its column and one by its row, in every tiling. */
struct piece {
   uint32_t to, from, size_B;
};

static unsigned
cut(const struct side *to, const struct side *from, uint32_t size_B, struct piece *piece)
{
   unsigned count = 0;
   for (uint32_t at = 0, n; at < size_B && count < PIECES; at += n) {
      uint32_t to_B = to->x_B + at, from_B = from->x_B + at,
               to_left = tile[to->tiling].run_B - (to_B & tile[to->tiling].run_B),
               from_left = tile[from->tiling].run_B - (from_B & tile[from->tiling].run_B);
      n = size_B - at;
      n = n - 1 > to_left ? to_left + 1 : n;
      n = n - 1 > from_left ? from_left + 1 : n;
      piece[count++] =
          (struct piece){(uint32_t)mem_tile_offset(to->tiling, to_B, 0, to->pitch_B),
                         (uint32_t)mem_tile_offset(from->tiling, from_B, 0, from->pitch_B), n};
   }
   return count;
}

typedef uint64_t column __attribute__((vector_size(COLUMN_B), aligned(1), may_alias));

/* The rows of the blocks, and those of the blocks below them, which are fetched ahead: rows lie too
 * far apart for the host to see that they are walked. It may ask for any address so. */
struct rows {
   uint8_t *to[2 * BLOCK];
   const uint8_t *from[2 * BLOCK];
};

static void
copy_piece(const struct rows *r, const struct piece *p)
{
   for (unsigned i = 0; i < BLOCK; i++) {
      for (unsigned k = 0; k < AHEAD_B && k < p->size_B; k += LINE_B) {
         __builtin_prefetch(r->from[i + 2] + p->from + k);
         __builtin_prefetch(r->to[i + 2] + p->to + k, 1);
      }
      memcpy(r->to[i] + p->to, r->from[i] + p->from, p->size_B);
   }
}

static inline void
copy_column(const struct rows *r, const struct piece *p, unsigned row)
{
   *(column *)(void *)(r->to[row] + p->to) =
       *(const column *)(const void *)(r->from[row] + p->from);
}

/* Whole columns, four at a time: as much as a line of the host has. */
static void
copy_columns(const struct rows *r, const struct piece *p, unsigned count, bool down)
{
   for (const struct piece *end = p + count; p < end; p += LINE_COLUMNS) {
      for (unsigned i = 0; i < BLOCK; i++) {
         __builtin_prefetch(r->from[BLOCK + i] + p[i % LINE_COLUMNS].from);
         __builtin_prefetch(r->to[BLOCK + i] + p[i % LINE_COLUMNS].to, 1);
      }
      for (unsigned k = 0; k < LINE_COLUMNS && down; k++)
         for (unsigned i = 0; i < BLOCK; i++)
            copy_column(r, &p[k], i);
      for (unsigned i = 0; i < BLOCK && !down; i++)
         for (unsigned k = 0; k < LINE_COLUMNS; k++)
            copy_column(r, &p[k], i);
   }
}

static void
copy(const struct side *to, const struct side *from, uint32_t size_B)
{
   struct piece piece[PIECES];
   unsigned count = cut(to, from, size_B, piece), whole = 0;
   struct rows r;
   for (uint32_t i = 0; i < 2 * BLOCK; i++) {
      r.to[i] = to->host + mem_tile_offset(to->tiling, 0, to->row + i, to->pitch_B);
      r.from[i] = from->host + mem_tile_offset(from->tiling, 0, from->row + i, from->pitch_B);
   }
   while (whole < count && piece[whole].size_B == COLUMN_B)
      whole++;
   if (count > 1 && whole == count && count % LINE_COLUMNS == 0) {
      copy_columns(&r, piece, count, to->tiling == MEM_TILE_Y);
      return;
   }
   for (unsigned i = 0; i < count; i++)
      copy_piece(&r, &piece[i]);
}

bool
ps_move_row(struct ps_worker *w, int32_t x0, int32_t y, int32_t x1)
{
   struct ps_move *m = &w->alike.move;
   struct surface_view *v = w->alike.view;
   uint32_t width = (uint32_t)(x1 - x0), size_B = width << v->size_log2;
   struct side to, from;
   if (size_B > PIECES * COLUMN_B / 4 || !know(w, x0, y, x1, y + BLOCK) ||
       m->slice >= m->from->depth ||
       !find_side(w, m->from, m->from->depth == UINT32_MAX ? 0 : m->slice, (uint32_t)x0 + m->x.by,
                  (uint32_t)y + m->y.by, width, false, &from) ||
       !find_side(w, v, w->alike.slice, (uint32_t)x0, (uint32_t)y, width, true, &to) ||
       (from.first < to.end && to.first < from.end)) /* threads have an order then */
      return false;
   copy(&to, &from, size_B);
   return true;
}
