/* Tile address functions against independent definitions: the manual's pictures, walked cell by
 * cell. */
#include "memory/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include "tests/proves.h"

/* Fills map[y][x] with the offset of each byte of one tile row of `tiles` tiles, by the order in
 * which the manual numbers the bytes. */
struct picture {
   uint32_t width, height; /* of a tile: bytes, rows */
   void (*draw)(uint32_t *cell);
};

static void
draw_x(uint32_t *cell)
{
   uint32_t n = 0;
   for (unsigned y = 0; y < 8; y++)
      for (unsigned x = 0; x < 512; x++)
         cell[y * 512 + x] = n++;
}

static void
draw_y(uint32_t *cell)
{
   uint32_t n = 0;
   for (unsigned column = 0; column < 8; column++)
      for (unsigned y = 0; y < 32; y++)
         for (unsigned x = 0; x < 16; x++)
            cell[y * 128 + column * 16 + x] = n++;
}

/* W: 8 x 8 blocks in columns; a block is a Z curve of three levels. */
static void
draw_w(uint32_t *cell)
{
   uint32_t n = 0;
   for (unsigned column = 0; column < 8; column++)
      for (unsigned row = 0; row < 8; row++)
         for (unsigned a = 0; a < 4; a++)
            for (unsigned b = 0; b < 4; b++)
               for (unsigned c = 0; c < 4; c++) {
                  unsigned x = (a & 1) * 4 + (b & 1) * 2 + (c & 1);
                  unsigned y = (a >> 1) * 4 + (b >> 1) * 2 + (c >> 1);
                  cell[(row * 8 + y) * 64 + column * 8 + x] = n++;
               }
}

static void
check(enum mem_tiling tiling, const struct picture *p, uint32_t tiles, uint32_t pitch)
{
   uint32_t *cell = calloc(4096, sizeof(*cell));
   assert_non_null(cell);
   p->draw(cell);
   for (uint32_t ty = 0; ty < 3; ty++)
      for (uint32_t tx = 0; tx < tiles; tx++)
         for (uint32_t y = 0; y < p->height; y++)
            for (uint32_t x = 0; x < p->width; x++) {
               uint64_t want = (uint64_t)(ty * tiles + tx) * 4096 + cell[y * p->width + x];
               assert_int_equal(
                   mem_tile_offset(tiling, tx * p->width + x, ty * p->height + y, pitch), want);
            }
   free(cell);
}

static void
x_tile_is_rows_of_512_bytes(void **state)
{
   proves("MEM-020");
   (void)state;
   check(MEM_TILE_X, &(struct picture){512, 8, draw_x}, 3, 3 * 512);
}

static void
y_tile_is_columns_of_16_bytes(void **state)
{
   proves("MEM-021");
   (void)state;
   check(MEM_TILE_Y, &(struct picture){128, 32, draw_y}, 5, 5 * 128);
}

/* MEM-022: the programmed pitch is twice the width. */
static void
w_tile_is_a_curve_of_8x8_blocks(void **state)
{
   proves("MEM-022");
   (void)state;
   check(MEM_TILE_W, &(struct picture){64, 64, draw_w}, 4, 2 * 4 * 64);
}

static void
linear_is_rows(void **state)
{
   (void)state;
   assert_int_equal(mem_tile_offset(MEM_LINEAR, 7, 3, 100), 307);
   assert_int_equal(mem_tile_offset(MEM_LINEAR, 0, 0x10000, 0x40000), UINT64_C(0x400000000));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(x_tile_is_rows_of_512_bytes),
       cmocka_unit_test(y_tile_is_columns_of_16_bytes),
       cmocka_unit_test(w_tile_is_a_curve_of_8x8_blocks),
       cmocka_unit_test(linear_is_rows),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
