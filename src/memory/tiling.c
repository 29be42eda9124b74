/* Tile address functions. Every tile is 4 KiB; tiles of a row follow one another. SMP-466: bit 6 of
 * an address is what it is: no part swizzles, whatever ARB_MODE says. */
#include "memory/memory.h"

#define TILE_SIZE 4096u

/* MEM-020: 512 bytes by 8 rows, row by row. */
static uint64_t
tile_x(uint32_t x, uint32_t y, uint32_t pitch)
{
   uint64_t tile = (uint64_t)(y / 8) * (pitch / 512) + x / 512;
   return tile * TILE_SIZE + (y % 8) * 512 + x % 512;
}

/* MEM-021: 128 bytes by 32 rows, in columns of 16 bytes. */
static uint64_t
tile_y(uint32_t x, uint32_t y, uint32_t pitch)
{
   uint64_t tile = (uint64_t)(y / 32) * (pitch / 128) + x / 128;
   uint32_t in = x % 128;
   return tile * TILE_SIZE + (in / 16) * 512 + (y % 32) * 16 + in % 16;
}

/* MEM-022: 64 bytes by 64 rows. Blocks of 8x8 in columns; inside a block x and y bits alternate. */
static uint64_t
tile_w(uint32_t x, uint32_t y, uint32_t pitch)
{
   /* The pitch of a stencil buffer is programmed as twice its width. */
   uint64_t tile = (uint64_t)(y / 64) * (pitch / 128) + x / 64;
   uint32_t block = (x % 64 / 8) * 512 + (y % 64 / 8) * 64;
   uint32_t inside =
       (x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2 | (x & 4) << 2 | (y & 4) << 3;
   return tile * TILE_SIZE + block + inside;
}

uint64_t
mem_tile_offset(enum mem_tiling tiling, uint32_t x, uint32_t y, uint32_t pitch)
{
   switch (tiling) {
   case MEM_TILE_X:
      return tile_x(x, y, pitch);
   case MEM_TILE_Y:
      return tile_y(x, y, pitch);
   case MEM_TILE_W:
      return tile_w(x, y, pitch);
   default:
      return (uint64_t)y * pitch + x;
   }
}
