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

/* A tile is a page: Y tiles are walked with one translation each. */
#define Y_COLUMN_B 16u
#define Y_COLUMN_STEP 512u
#define Y_TILE_B 128u

static void
read_y_tiles(struct mem_space *space, const struct blt_surface *s, int32_t y, uint32_t x_B,
             uint8_t *line, uint32_t size_B)
{
   while (size_B) {
      uint32_t n = Y_TILE_B - x_B % Y_TILE_B, left;
      n = n < size_B ? n : size_B;
      const uint8_t *at = mem_translate(space, run_at(s, y, x_B, &left), MEM_READ);
      size_B -= n;
      if (!at) {
         memset(line, 0, n);
         line += n;
         x_B += n;
         continue;
      }
      if (n == Y_TILE_B) {
         for (unsigned i = 0; i < Y_TILE_B / Y_COLUMN_B; i++)
            memcpy(line + i * Y_COLUMN_B, at + i * Y_COLUMN_STEP, Y_COLUMN_B);
         line += n;
         x_B += n;
         continue;
      }
      while (n) {
         uint32_t run = Y_COLUMN_B - x_B % Y_COLUMN_B;
         if (run == Y_COLUMN_B && n >= Y_COLUMN_B) {
            memcpy(line, at, Y_COLUMN_B);
         } else {
            run = run < n ? run : n;
            memcpy(line, at, run);
         }
         at += Y_COLUMN_STEP - x_B % Y_COLUMN_B;
         line += run;
         x_B += run;
         n -= run;
      }
   }
}

void
blt_read_line(struct mem_space *space, const struct blt_surface *s, int32_t y, uint32_t x_B,
              uint8_t *line, uint32_t size_B)
{
   if (s->tiling == MEM_TILE_Y) {
      read_y_tiles(space, s, y, x_B, line, size_B);
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

static void
write_y_tiles(struct mem_space *space, const struct blt_surface *s, int32_t y, uint32_t x_B,
              const uint8_t *line, uint32_t size_B)
{
   while (size_B) {
      uint32_t n = Y_TILE_B - x_B % Y_TILE_B, left;
      n = n < size_B ? n : size_B;
      uint8_t *at = mem_translate(space, run_at(s, y, x_B, &left), MEM_WRITE);
      size_B -= n;
      if (!at) {
         line += n;
         x_B += n;
         continue;
      }
      if (n == Y_TILE_B) {
         for (unsigned i = 0; i < Y_TILE_B / Y_COLUMN_B; i++)
            memcpy(at + i * Y_COLUMN_STEP, line + i * Y_COLUMN_B, Y_COLUMN_B);
         line += n;
         x_B += n;
         continue;
      }
      while (n) {
         uint32_t run = Y_COLUMN_B - x_B % Y_COLUMN_B;
         if (run == Y_COLUMN_B && n >= Y_COLUMN_B) {
            memcpy(at, line, Y_COLUMN_B);
         } else {
            run = run < n ? run : n;
            memcpy(at, line, run);
         }
         at += Y_COLUMN_STEP - x_B % Y_COLUMN_B;
         line += run;
         x_B += run;
         n -= run;
      }
   }
}

void
blt_write_line(struct mem_space *space, const struct blt_surface *s, int32_t y, uint32_t x_B,
               const uint8_t *line, const uint8_t *mask, uint32_t size_B)
{
   if (s->tiling == MEM_TILE_Y && !mask) {
      write_y_tiles(space, s, y, x_B, line, size_B);
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
