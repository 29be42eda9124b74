/* Scan lines of linear and tiled surfaces: runs of bytes that lie together in one page. */
#include "blitter/blt.h"

#include <string.h>

/* The graphics address of one byte, and how many bytes follow it without a break.
 * BLT-056, BLT-051, BLT-052 */
static uint32_t
run_at(const struct blt_surface *s, int32_t y, uint32_t x_B, uint32_t *length_B)
{
   static const uint32_t run[] = {
       [MEM_LINEAR] = MEM_PAGE_SIZE, [MEM_TILE_X] = 512, [MEM_TILE_Y] = 16};
   uint32_t address;
   if (s->tiling == MEM_LINEAR) {
      address = s->base + (uint32_t)y * (uint32_t)s->pitch_B + x_B;
      *length_B = MEM_PAGE_SIZE - address % MEM_PAGE_SIZE;
   } else {
      address =
          s->base + (uint32_t)mem_tile_offset(s->tiling, x_B, (uint32_t)y, (uint32_t)s->pitch_B);
      *length_B = run[s->tiling] - x_B % run[s->tiling];
   }
   return address;
}

uint32_t
blt_address(const struct blt_surface *s, int32_t y, uint32_t x_B)
{
   uint32_t length_B;
   return run_at(s, y, x_B, &length_B);
}

static inline void
move(uint8_t *at, uint8_t *line, uint32_t size_B, enum mem_access access)
{
   if (access == MEM_READ)
      memcpy(line, at, size_B);
   else
      memcpy(at, line, size_B);
}

/* Both directions are made of this: the columns of a row that lie in one Y tile. */
static inline void
y_row(uint8_t *at, uint32_t x_B, uint8_t *line, uint32_t size_B, enum mem_access access)
{
   if (size_B == BLT_Y_TILE_B) {
      for (unsigned i = 0; i < BLT_Y_TILE_B / BLT_Y_COLUMN_B; i++)
         move(at + i * BLT_Y_COLUMN_STEP, line + i * BLT_Y_COLUMN_B, BLT_Y_COLUMN_B, access);
      return;
   }
   while (size_B) {
      uint32_t run = BLT_Y_COLUMN_B - x_B % BLT_Y_COLUMN_B;
      if (run == BLT_Y_COLUMN_B && size_B >= BLT_Y_COLUMN_B) {
         move(at, line, BLT_Y_COLUMN_B, access);
      } else {
         run = run < size_B ? run : size_B;
         move(at, line, run, access);
      }
      at += BLT_Y_COLUMN_STEP - x_B % BLT_Y_COLUMN_B;
      line += run;
      x_B += run;
      size_B -= run;
   }
}

void
blt_y_row_read(const uint8_t *at, uint32_t x_B, uint8_t *line, uint32_t size_B)
{
   y_row((uint8_t *)at, x_B, line, size_B, MEM_READ);
}

void
blt_y_row_write(uint8_t *at, uint32_t x_B, const uint8_t *line, uint32_t size_B)
{
   y_row(at, x_B, (uint8_t *)line, size_B, MEM_WRITE);
}

/* A tile is a page: Y tiles are walked with one translation each. */
static inline void
y_tiles(struct mem_space *space, const struct blt_surface *s, int32_t y, uint32_t x_B,
        uint8_t *line, uint32_t size_B, enum mem_access access)
{
   while (size_B) {
      uint32_t n = BLT_Y_TILE_B - x_B % BLT_Y_TILE_B;
      n = n < size_B ? n : size_B;
      uint8_t *at = mem_translate(space, blt_address(s, y, x_B), access);
      if (at)
         y_row(at, x_B, line, n, access);
      else if (access == MEM_READ)
         memset(line, 0, n); /* BLT-075 */
      line += n;
      x_B += n;
      size_B -= n;
   }
}

void
blt_read_line(struct mem_space *space, const struct blt_surface *s, int32_t y, uint32_t x_B,
              uint8_t *line, uint32_t size_B)
{
   if (s->tiling == MEM_TILE_Y) {
      y_tiles(space, s, y, x_B, line, size_B, MEM_READ);
      return;
   }
   while (size_B) {
      uint32_t n;
      const void *at = mem_translate(space, run_at(s, y, x_B, &n), MEM_READ);
      n = n < size_B ? n : size_B;
      if (at)
         memcpy(line, at, n);
      else
         memset(line, 0, n); /* BLT-075 */
      line += n;
      x_B += n;
      size_B -= n;
   }
}

static bool
any(const uint8_t *mask, uint32_t size_B)
{
   for (uint32_t i = 0; i < size_B; i++)
      if (mask[i])
         return true;
   return false;
}

static void
merge(uint8_t *to, const uint8_t *from, const uint8_t *mask, uint32_t size_B)
{
   for (uint32_t i = 0; i < size_B; i++)
      to[i] = (uint8_t)((from[i] & mask[i]) | (to[i] & ~mask[i]));
}

void
blt_write_line(struct mem_space *space, const struct blt_surface *s, int32_t y, uint32_t x_B,
               const uint8_t *line, const uint8_t *mask, uint32_t size_B)
{
   if (s->tiling == MEM_TILE_Y && !mask) {
      y_tiles(space, s, y, x_B, (uint8_t *)line, size_B, MEM_WRITE);
      return;
   }
   while (size_B) {
      uint32_t n;
      uint32_t address = run_at(s, y, x_B, &n);
      n = n < size_B ? n : size_B;
      if (!mask || any(mask, n)) {
         uint8_t *at = mem_translate(space, address, MEM_WRITE);
         if (at && mask)
            merge(at, line, mask, n);
         else if (at)
            memcpy(at, line, n);
      }
      line += n;
      if (mask)
         mask += n;
      x_B += n;
      size_B -= n;
   }
}

bool
blt_copy_line(struct mem_space *space, const struct blt_surface *src, int32_t src_y,
              uint32_t src_x_B, const struct blt_surface *dst, int32_t dst_y, uint32_t dst_x_B,
              uint32_t size_B)
{
   if (src->tiling != MEM_LINEAR || dst->tiling != MEM_LINEAR)
      return false;
   uint32_t from = blt_address(src, src_y, src_x_B), to = blt_address(dst, dst_y, dst_x_B);
   if (from - to < size_B || to - from < size_B)
      return false;
   while (size_B) {
      uint32_t n = MEM_PAGE_SIZE - from % MEM_PAGE_SIZE, m = MEM_PAGE_SIZE - to % MEM_PAGE_SIZE;
      n = n < m ? n : m;
      n = n < size_B ? n : size_B;
      const void *s = mem_translate(space, from, MEM_READ);
      void *d = mem_translate(space, to, MEM_WRITE);
      if (d && s)
         memmove(d, s, n); /* two pages may be one in memory */
      else if (d)
         memset(d, 0, n); /* BLT-075 */
      from += n;
      to += n;
      size_B -= n;
   }
   return true;
}
