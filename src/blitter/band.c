/* Plain copies of tiled surfaces, tile by tile: a band of scan lines that ends where a row of tiles
 * does. The order of the bytes is another one than line by line, so a band is copied only where
 * that makes no difference: no page of it faults, and none that is written is there twice. */
#include "blitter/blt.h"

#include "machine/bounds.h"

#include <string.h>

#define BAND_ROWS_MIN 4
/* Lines of a linear surface that are walked side by side: the cache lines of a Y column are filled
 * at once, and they are few enough to stay in the host's cache if a power of two lies between them.
 * Divides the rows of both tiles. */
#define LINEAR_ROWS 8u

struct side {
   struct mem_space *space;
   const struct blt_surface *surface;
   enum mem_access access;
   uint32_t x_B;
   int32_t y;
};

/* Powers of two all; a linear surface is one tile that has no end. */
static const struct {
   uint32_t width_B, rows, step_B; /* from row to row */
} tiles[] = {
    [MEM_LINEAR] = {1u << 31, 1u << 31, 0},
    [MEM_TILE_X] = {512, 8, 512},
    [MEM_TILE_Y] = {BLT_Y_TILE_B, 32, BLT_Y_COLUMN_B},
};

static uint32_t
width_left_B(const struct side *s, uint32_t x_B)
{
   uint32_t width_B = tiles[s->surface->tiling].width_B;
   return width_B - (x_B & (width_B - 1));
}

static uint32_t
rows_left(const struct side *s, int32_t y)
{
   uint32_t rows = tiles[s->surface->tiling].rows;
   return rows - ((uint32_t)y & (rows - 1));
}

static void
new_band(struct blt_band_pages *p)
{
   p->count = 0;
   p->band = (p->band + 1) % MEM_PAGE_SIZE;
   if (p->band)
      return;
   memset(p->slot, 0, sizeof(p->slot));
   p->band = 1;
}

/* Pages may be read twice, but a page that is written must be new. */
static bool
note_page(struct blt_band_pages *p, uintptr_t page, enum mem_access access)
{
   uintptr_t entry = page | p->band;
   uint32_t i = (uint32_t)(page / MEM_PAGE_SIZE);
   for (;; i++) {
      uintptr_t *slot = &p->slot[i % BLT_BAND_SLOTS];
      if (*slot == entry)
         return access == MEM_READ;
      if (*slot % MEM_PAGE_SIZE == p->band)
         continue;
      *slot = entry;
      return ++p->count <= BLT_BAND_SLOTS / 2;
   }
}

/* BLT-075: faults are raised in the order of the scan lines, so that no band may have any. */
static bool
note_address(struct blt_band_pages *p, const struct side *s, uint32_t address)
{
   address &= ~(MEM_PAGE_SIZE - 1);
   if (!mem_probe(s->space, address, 1, s->access))
      return false;
   return note_page(p, (uintptr_t)mem_translate(s->space, address, s->access), s->access);
}

static bool
note_pages(struct blt_band_pages *p, const struct side *s, uint32_t size_B, int32_t rows)
{
   bool linear = s->surface->tiling == MEM_LINEAR;
   uint32_t last = UINT32_MAX, n;
   for (int32_t y = s->y; y < s->y + rows; y += linear ? 1 : (int32_t)rows_left(s, y))
      for (uint32_t x_B = s->x_B; x_B < s->x_B + size_B; x_B += n) {
         uint32_t address = blt_address(s->surface, y, x_B);
         n = linear ? MEM_PAGE_SIZE - address % MEM_PAGE_SIZE : width_left_B(s, x_B);
         if (address / MEM_PAGE_SIZE == last)
            continue; /* linear lines that share a page */
         last = address / MEM_PAGE_SIZE;
         if (!note_address(p, s, address))
            return false;
      }
   return true;
}

/* Host address of a byte; *size_B is cut where the page of a linear line ends. */
static uint8_t *
locate(const struct side *s, int32_t y, uint32_t x_B, uint32_t *size_B)
{
   uint32_t address = blt_address(s->surface, s->y + y, s->x_B + x_B);
   if (s->surface->tiling == MEM_LINEAR)
      *size_B = uint_least(*size_B, MEM_PAGE_SIZE - address % MEM_PAGE_SIZE);
   return mem_translate(s->space, address, s->access);
}

static void
copy_piece(const struct side *src, uint32_t src_x_B, const uint8_t *from, const struct side *dst,
           uint32_t dst_x_B, uint8_t *to, uint32_t size_B)
{
   bool from_y = src->surface->tiling == MEM_TILE_Y, to_y = dst->surface->tiling == MEM_TILE_Y;
   uint8_t row[BLT_Y_TILE_B];
   if (from_y && to_y) {
      blt_y_row_read(from, src_x_B, row, size_B);
      blt_y_row_write(to, dst_x_B, row, size_B);
   } else if (from_y) {
      blt_y_row_read(from, src_x_B, to, size_B);
   } else if (to_y) {
      blt_y_row_write(to, dst_x_B, from, size_B);
   } else {
      memcpy(to, from, size_B);
   }
}

/* The whole width of a Y tile, one column after the other: a cache line of it is done with at once.
 */
static inline void
copy_columns(uint8_t *block, uint8_t *const *line, uint32_t at_B, uint32_t rows,
             enum mem_access access)
{
   for (uint32_t x_B = 0; x_B < BLT_Y_TILE_B; x_B += BLT_Y_COLUMN_B) {
      for (uint32_t i = 0; i < rows; i++)
         if (access == MEM_READ)
            memcpy(line[i] + at_B + x_B, block + i * BLT_Y_COLUMN_B, BLT_Y_COLUMN_B);
         else
            memcpy(block + i * BLT_Y_COLUMN_B, line[i] + at_B + x_B, BLT_Y_COLUMN_B);
      block += BLT_Y_COLUMN_STEP;
   }
}

/* Part of a tile, from or to lines that are at byte at_B. */
static void
copy_part(const struct side *tiled, uint32_t x_B, uint8_t *block, uint8_t *const *line,
          uint32_t at_B, uint32_t size_B, uint32_t rows)
{
   bool y_tile = tiled->surface->tiling == MEM_TILE_Y, read = tiled->access == MEM_READ;
   if (y_tile && size_B == BLT_Y_TILE_B && rows == LINEAR_ROWS) {
      copy_columns(block, line, at_B, LINEAR_ROWS, tiled->access);
      return;
   }
   for (uint32_t i = 0; i < rows; i++) {
      uint8_t *at = block + i * tiles[tiled->surface->tiling].step_B, *other = line[i] + at_B;
      if (!y_tile)
         memcpy(read ? other : at, read ? at : other, size_B);
      else if (read)
         blt_y_row_read(at, tiled->x_B + x_B, other, size_B);
      else
         blt_y_row_write(at, tiled->x_B + x_B, other, size_B);
   }
}

/* A few lines that lie in one row of tiles, and on the other side in linear memory. */
static bool
copy_strip(const struct side *linear, const struct side *tiled, int32_t y, uint32_t size_B,
           uint32_t rows)
{
   for (uint32_t x_B = 0, n; x_B < size_B; x_B += n) {
      uint8_t *line[LINEAR_ROWS];
      n = size_B - x_B;
      for (uint32_t i = 0; i < rows; i++)
         if (!(line[i] = locate(linear, y + (int32_t)i, x_B, &n)))
            return false;
      for (uint32_t at_B = 0, m; at_B < n; at_B += m) {
         m = uint_least(width_left_B(tiled, tiled->x_B + x_B + at_B), n - at_B);
         uint8_t *block = locate(tiled, y, x_B + at_B, &m);
         if (!block)
            return false;
         copy_part(tiled, x_B + at_B, block, line, at_B, m, rows);
      }
   }
   return true;
}

static bool
copy_strips(const struct side *linear, const struct side *tiled, uint32_t size_B, int32_t rows)
{
   uint32_t h;
   for (int32_t y = 0; y < rows; y += (int32_t)h) {
      h = LINEAR_ROWS - (uint32_t)(tiled->y + y) % LINEAR_ROWS;
      h = uint_least(h, (uint32_t)(rows - y));
      if (!copy_strip(linear, tiled, y, size_B, h))
         return false;
   }
   return true;
}

/* A rectangle that lies in one tile on both sides; (x_B, y) counts from the corner of the band. */
static bool
copy_block(const struct side *src, const struct side *dst, uint32_t x_B, int32_t y, uint32_t size_B,
           uint32_t rows)
{
   enum mem_tiling from = src->surface->tiling, to = dst->surface->tiling;
   const uint8_t *in = locate(src, y, x_B, &size_B);
   uint8_t *out = locate(dst, y, x_B, &size_B);
   if (!in || !out)
      return false;
   if (from == to && size_B == tiles[to].width_B && rows == tiles[to].rows) {
      memcpy(out, in, MEM_PAGE_SIZE);
      return true;
   }
   for (uint32_t i = 0; i < rows; i++, in += tiles[from].step_B, out += tiles[to].step_B)
      copy_piece(src, src->x_B + x_B, in, dst, dst->x_B + x_B, out, size_B);
   return true;
}

static bool
copy_blocks(const struct side *src, const struct side *dst, uint32_t size_B, int32_t rows)
{
   uint32_t n, h;
   for (int32_t y = 0; y < rows; y += (int32_t)h) {
      h = uint_least(rows_left(src, src->y + y), rows_left(dst, dst->y + y));
      h = uint_least(h, (uint32_t)(rows - y));
      for (uint32_t x_B = 0; x_B < size_B; x_B += n) {
         n = uint_least(width_left_B(src, src->x_B + x_B), width_left_B(dst, dst->x_B + x_B));
         n = uint_least(n, size_B - x_B);
         if (!copy_block(src, dst, x_B, y, n, h))
            return false;
      }
   }
   return true;
}

static bool
copy(const struct side *src, const struct side *dst, uint32_t size_B, int32_t rows)
{
   if (src->surface->tiling == MEM_LINEAR)
      return copy_strips(src, dst, size_B, rows);
   if (dst->surface->tiling == MEM_LINEAR)
      return copy_strips(dst, src, size_B, rows);
   return copy_blocks(src, dst, size_B, rows);
}

/* Lines of a linear destination must not run into one another. */
static bool
fits(const struct blt_surface *dst, uint32_t size_B)
{
   return dst->tiling != MEM_LINEAR || (dst->pitch_B > 0 && (uint32_t)dst->pitch_B >= size_B);
}

int32_t
blt_copy_band(struct blitter *b, struct blt *t, int32_t y, int32_t rows)
{
   struct side src = {.space = t->space,
                      .surface = &t->src,
                      .access = MEM_READ,
                      .x_B = (uint32_t)(t->rect.x1 + t->src_dx) * t->cpp,
                      .y = y + t->src_dy};
   struct side dst = {.space = t->space,
                      .surface = &t->dst,
                      .access = MEM_WRITE,
                      .x_B = (uint32_t)t->rect.x1 * t->cpp,
                      .y = y};
   uint32_t size_B = blt_line_B(t);
   if (y < t->by_line || (t->src.tiling == MEM_LINEAR && t->dst.tiling == MEM_LINEAR))
      return 0;
   rows = (int32_t)uint_least((uint32_t)rows, t->dst.tiling == MEM_LINEAR ? rows_left(&src, src.y)
                                                                          : rows_left(&dst, y));
   if (rows < BAND_ROWS_MIN)
      return 0;
   new_band(&b->band_pages);
   if (fits(&t->dst, size_B) && note_pages(&b->band_pages, &src, size_B, rows) &&
       note_pages(&b->band_pages, &dst, size_B, rows) && copy(&src, &dst, size_B, rows))
      return rows;
   t->by_line = y + rows;
   return 0;
}
