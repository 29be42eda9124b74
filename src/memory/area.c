/* A rectangle is taken apart where its tiles end: inside a tile rows are as far apart as its tiling
 * says, and so many bytes of a row lie side by side. */
#include "memory/area.h"

#include "machine/bounds.h"

#include <string.h>

#define TILE_B 4096u
#define COLUMN_B 16u   /* of a Y tile (MEM-021), … */
#define COLUMNS_B 512u /* … which is as far from the next one */
#define TILE_Y_B 128u
#define TILE_Y_COLUMNS (TILE_Y_B / COLUMN_B)
#define LINE_B 64u /* of the host's caches */
#define AHEAD_B 1024u
#define OWN_LOOP_B 1024u
#define INLINE static inline __attribute__((always_inline))

static const struct {
   uint32_t x_B, rows; /* of a tile, less one */
   uint32_t run_B;     /* side by side, less one */
   uint32_t row_B;     /* from row to row; 0: the pitch */
} tile[] = {[MEM_LINEAR] = {0, 0, UINT32_MAX, 0},
            [MEM_TILE_X] = {511, 7, 511, 512},
            [MEM_TILE_Y] = {TILE_Y_B - 1, 31, COLUMN_B - 1, COLUMN_B}};

typedef uint64_t column __attribute__((vector_size(COLUMN_B), may_alias));
typedef uint64_t loose_column __attribute__((vector_size(COLUMN_B), aligned(1), may_alias));

#ifdef __SSE2__
#include <emmintrin.h>
INLINE void
store(uint8_t *to, column v, bool past_caches)
{
   if (past_caches)
      _mm_stream_si128((__m128i *)(void *)to, (__m128i)v);
   else
      *(column *)(void *)to = v;
}

/* What went past the caches is there before anything that follows. */
static void
settle(bool past_caches)
{
   if (past_caches)
      _mm_sfence();
}
#else
INLINE void
store(uint8_t *to, column v, bool past_caches)
{
   (void)past_caches;
   *(column *)(void *)to = v;
}

static void
settle(bool past_caches)
{
   (void)past_caches;
}
#endif

struct mem_extent
mem_area_extent(const struct mem_area *a, uint32_t width_B, uint32_t rows)
{
   uint32_t x = tile[a->tiling].x_B, y = tile[a->tiling].rows;
   return (struct mem_extent){
       mem_tile_offset(a->tiling, a->x_B & ~x, a->row & ~y, a->pitch_B),
       mem_tile_offset(a->tiling, (a->x_B + width_B - 1) | x, (a->row + rows - 1) | y, a->pitch_B) +
           1};
}

/* ---- bytes side by side -----------------------------------------------------------------------
 */

static void
copy_bytes(uint8_t *to, const uint8_t *from, size_t size_B, bool past_caches)
{
   size_t head = -(uintptr_t)to % COLUMN_B;
   if (!past_caches || size_B < head + LINE_B) {
      memcpy(to, from, size_B);
      return;
   }
   memcpy(to, from, head);
   size_t at = head;
   for (; size_B - at >= LINE_B; at += LINE_B) {
      __builtin_prefetch(from + at + AHEAD_B);
      for (unsigned i = 0; i < LINE_B; i += COLUMN_B)
         store(to + at + i, *(const loose_column *)(const void *)(from + at + i), true);
   }
   memcpy(to + at, from + at, size_B - at);
}

#ifdef __x86_64__
/* The host's own loop of stores, which fills lines without reading them; it takes long to start. */
static bool
fill_quads(uint8_t *to, size_t size_B, column v)
{
   if (v[0] != v[1] || size_B < OWN_LOOP_B)
      return false;
   size_t count = size_B / sizeof(v[0]);
   __asm__ volatile("rep stosq" : "+D"(to), "+c"(count) : "a"(v[0]) : "memory");
   return true;
}

__attribute__((target("avx2"))) static bool
fill_wide(uint8_t *to, size_t size_B, column v)
{
   typedef uint64_t pair __attribute__((vector_size(2 * COLUMN_B), aligned(1), may_alias));
   pair all = {v[0], v[1], v[0], v[1]};
   if (!__builtin_cpu_supports("avx2") || size_B % sizeof(all))
      return false;
   for (size_t at = 0; at < size_B; at += sizeof(all))
      *(pair *)(void *)(to + at) = all;
   return true;
}
#else
static bool
fill_quads(uint8_t *to, size_t size_B, column v)
{
   (void)to, (void)size_B, (void)v;
   return false;
}

static bool
fill_wide(uint8_t *to, size_t size_B, column v)
{
   (void)to, (void)size_B, (void)v;
   return false;
}
#endif

static void
fill_bytes(uint8_t *to, size_t size_B, const uint32_t with[4], bool past_caches)
{
   loose_column all;
   memcpy(&all, with, COLUMN_B);
   if (fill_quads(to, size_B, all))
      return;
   if (past_caches && !((uintptr_t)to % COLUMN_B)) {
      for (size_t at = 0; at < size_B; at += COLUMN_B)
         store(to + at, all, true);
      return;
   }
   if (fill_wide(to, size_B, all))
      return;
   for (size_t at = 0; at < size_B; at += COLUMN_B)
      *(loose_column *)(void *)(to + at) = all;
}

/* ---- pieces -----------------------------------------------------------------------------------
 */

/* Bytes of a row that lie side by side from x_B on. */
static uint32_t
run_left(const struct mem_area *a, uint32_t x_B, uint32_t most)
{
   uint32_t run = tile[a->tiling].run_B;
   return uint_least(run - (x_B & run), most - 1) + 1;
}

/* Rows from `row` on that are as far apart as row_step says. */
static uint32_t
rows_left(const struct mem_area *a, uint32_t row, uint32_t most)
{
   uint32_t rows = tile[a->tiling].rows;
   return rows ? uint_least(rows + 1 - (row & rows), most) : most;
}

static size_t
row_step(const struct mem_area *a)
{
   return tile[a->tiling].row_B ? tile[a->tiling].row_B : a->pitch_B;
}

static uint8_t *
place(const struct mem_area *a, uint32_t x_B, uint32_t row)
{
   return a->host + mem_tile_offset(a->tiling, x_B, row, a->pitch_B);
}

/* ---- columns of Y tiles -----------------------------------------------------------------------
 */

/* A tile's width of columns to or from a linear surface, row by row; what the next tile to the
 * right needs is fetched meanwhile. */
INLINE void
copy_tile(uint8_t *to, size_t to_column, size_t to_row, const uint8_t *from, size_t from_column,
          size_t from_row, uint32_t rows, bool past_caches)
{
   bool tiled = from_row == COLUMN_B;
   for (uint32_t i = 0; i < rows; i++) {
      const uint8_t *next = tiled ? from + TILE_B + 2 * i / TILE_Y_COLUMNS * LINE_B +
                                        2 * i % TILE_Y_COLUMNS * COLUMNS_B
                                  : from + i * from_row + TILE_Y_B;
      __builtin_prefetch(next);
      __builtin_prefetch(next + (tiled ? COLUMNS_B : LINE_B));
      for (unsigned k = 0; k < TILE_Y_COLUMNS; k++)
         store(to + i * to_row + k * to_column,
               *(const loose_column *)(const void *)(from + i * from_row + k * from_column),
               past_caches);
   }
}

/* Rows of one row of Y tiles, from the left end of a tile to that of another. */
static void
copy_tiles(const struct mem_area *to, const struct mem_area *from, uint32_t at, uint32_t width_B,
           uint32_t row, uint32_t rows, bool past_caches)
{
   bool down = to->tiling == MEM_TILE_Y;
   uint8_t *t = place(to, to->x_B + at, to->row + row);
   const uint8_t *f = place(from, from->x_B + at, from->row + row);
   for (uint32_t x = 0; x < width_B; x += TILE_Y_B) {
      if (down && past_caches)
         copy_tile(t, COLUMNS_B, COLUMN_B, f, COLUMN_B, from->pitch_B, rows, true);
      else if (down)
         copy_tile(t, COLUMNS_B, COLUMN_B, f, COLUMN_B, from->pitch_B, rows, false);
      else if (past_caches)
         copy_tile(t, COLUMN_B, to->pitch_B, f, COLUMNS_B, COLUMN_B, rows, true);
      else
         copy_tile(t, COLUMN_B, to->pitch_B, f, COLUMNS_B, COLUMN_B, rows, false);
      t += down ? TILE_B : TILE_Y_B;
      f += down ? TILE_Y_B : TILE_B;
   }
}

/* ---- rectangles -------------------------------------------------------------------------------
 */

/* Of rows that are evenly apart on both sides. */
static void
copy_pieces(const struct mem_area *to, const struct mem_area *from, uint32_t at, uint32_t end,
            uint32_t row, uint32_t rows, bool past_caches)
{
   size_t to_step = row_step(to), from_step = row_step(from);
   for (uint32_t n; at < end; at += n) {
      n = run_left(from, from->x_B + at, run_left(to, to->x_B + at, end - at));
      uint8_t *t = place(to, to->x_B + at, to->row + row);
      const uint8_t *f = place(from, from->x_B + at, from->row + row);
      if (n == to_step && n == from_step) { /* nothing is between them */
         copy_bytes(t, f, (size_t)n * rows, past_caches);
         continue;
      }
      for (uint32_t i = 0; i < rows; i++)
         copy_bytes(t + i * to_step, f + i * from_step, n, past_caches);
   }
}

/* The part of a row that whole Y tiles of the one side are, if the other one is linear and all its
 * columns lie as vectors do. */
struct middle {
   uint32_t begin, end;
};

static struct middle
tiles_of(const struct mem_area *to, const struct mem_area *from, uint32_t width_B)
{
   const struct mem_area *tiled = to->tiling == MEM_TILE_Y ? to : from,
                         *linear = tiled == to ? from : to;
   uint32_t begin = -tiled->x_B % TILE_Y_B;
   if (tiled->tiling != MEM_TILE_Y || linear->tiling != MEM_LINEAR || begin >= width_B ||
       (((uintptr_t)linear->host + linear->x_B + begin) | linear->pitch_B |
        (uintptr_t)tiled->host) %
           COLUMN_B)
      return (struct middle){width_B, width_B};
   return (struct middle){begin, begin + (width_B - begin) / TILE_Y_B * TILE_Y_B};
}

/* Tiles of both sides coincide: those of a row lie side by side. */
static bool
copy_whole_tiles(const struct mem_area *to, const struct mem_area *from, uint32_t width_B,
                 uint32_t rows, bool past_caches)
{
   uint32_t x = tile[to->tiling].x_B, y = tile[to->tiling].rows;
   if (to->tiling == MEM_LINEAR || to->tiling != from->tiling ||
       (to->x_B | from->x_B | width_B) & x || (to->row | from->row | rows) & y)
      return false;
   for (uint32_t i = 0; i < rows; i += y + 1)
      copy_bytes(place(to, to->x_B, to->row + i), place(from, from->x_B, from->row + i),
                 (size_t)width_B * (y + 1), past_caches);
   return true;
}

void
mem_area_copy(const struct mem_area *to, const struct mem_area *from, uint32_t width_B,
              uint32_t rows, bool past_caches)
{
   if (!copy_whole_tiles(to, from, width_B, rows, past_caches)) {
      struct middle m = tiles_of(to, from, width_B);
      for (uint32_t row = 0, n; row < rows; row += n) {
         n = rows_left(from, from->row + row, rows_left(to, to->row + row, rows - row));
         copy_pieces(to, from, 0, m.begin, row, n, past_caches);
         if (m.begin < m.end)
            copy_tiles(to, from, m.begin, m.end - m.begin, row, n, past_caches);
         copy_pieces(to, from, m.end, width_B, row, n, past_caches);
      }
   }
   settle(past_caches);
}

void
mem_area_fill(const struct mem_area *to, uint32_t width_B, uint32_t rows, const uint32_t with[4],
              bool past_caches)
{
   size_t step = row_step(to);
   for (uint32_t row = 0, n; row < rows; row += n) {
      n = rows_left(to, to->row + row, rows - row);
      for (uint32_t at = 0, size_B; at < width_B; at += size_B) {
         uint32_t rest = width_B - at, x_B = to->x_B + at;
         uint8_t *t = place(to, x_B, to->row + row);
         size_B = run_left(to, x_B, rest);
         if (to->tiling != MEM_LINEAR && n > tile[to->tiling].rows &&
             !(x_B & tile[to->tiling].x_B) && rest > tile[to->tiling].x_B) {
            size_B = rest & ~tile[to->tiling].x_B; /* whole tiles, which lie side by side */
            fill_bytes(t, (size_t)size_B * n, with, past_caches);
         } else if (size_B == step) {
            fill_bytes(t, (size_t)size_B * n, with, past_caches);
         } else {
            for (uint32_t i = 0; i < n; i++)
               fill_bytes(t + i * step, size_B, with, past_caches);
         }
      }
   }
   settle(past_caches);
}
