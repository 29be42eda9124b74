/* Rectangles of surfaces, copied and filled, against bytes one by one at their tile addresses. */
#include "memory/area.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SIZE (2u << 20)
#define PITCH 2048u
#define ROWS 256u

static uint32_t seed = 1;

static uint32_t
below(uint32_t n)
{
   seed = seed * 1664525u + 1013904223u;
   return (seed >> 8) % n;
}

struct surfaces {
   uint8_t *to, *from, *expected;
};

static int
setup(void **state)
{
   struct surfaces *s = calloc(1, sizeof(*s));
   uint8_t **const all[] = {&s->to, &s->from, &s->expected};
   for (unsigned i = 0; i < 3; i++) {
      *all[i] = aligned_alloc(4096, SIZE);
      for (unsigned k = 0; k < SIZE; k++)
         (*all[i])[k] = (uint8_t)below(256);
   }
   *state = s;
   return 0;
}

static int
teardown(void **state)
{
   struct surfaces *s = *state;
   free(s->to);
   free(s->from);
   free(s->expected);
   free(s);
   return 0;
}

/* Somewhere in the surface; of whole tiles now and then. */
static struct mem_area
random_area(uint8_t *host, uint32_t width_B, uint32_t rows, uint32_t step_B, uint32_t row_step)
{
   struct mem_area a = {host, 0, 0, PITCH, (enum mem_tiling)below(3)};
   if (a.tiling == MEM_LINEAR && !below(3))
      a.pitch_B = width_B + step_B * below(8); /* rows lie side by side, or nearly */
   a.x_B = below((a.pitch_B - width_B) / step_B + 1) * step_B;
   a.row = below((ROWS - rows) / row_step + 1) * row_step;
   return a;
}

static uint8_t *
byte_at(const struct mem_area *a, uint8_t *host, uint32_t x_B, uint32_t row)
{
   return host + mem_tile_offset(a->tiling, a->x_B + x_B, a->row + row, a->pitch_B);
}

static void
copies(void **state)
{
   struct surfaces *s = *state;
   static const uint32_t steps[] = {1, 4, 16, 64, 128, 512}, row_steps[] = {1, 8, 32};
   for (unsigned i = 0; i < 800; i++) {
      uint32_t step = steps[below(6)], row_step = row_steps[below(3)],
               width = step * (1 + below(PITCH / step)),
               rows = row_step * (1 + below(96 / row_step));
      bool past = below(2);
      struct mem_area to = random_area(s->to, width, rows, step, row_step),
                      from = random_area(s->from, width, rows, step, row_step);
      memcpy(s->expected, s->to, SIZE);
      for (uint32_t y = 0; y < rows; y++)
         for (uint32_t x = 0; x < width; x++)
            *byte_at(&to, s->expected, x, y) = *byte_at(&from, s->from, x, y);
      mem_area_copy(&to, &from, width, rows, past);
      assert_memory_equal(s->to, s->expected, SIZE);
      for (unsigned k = 0; k < 64; k++) /* the next copy brings something else */
         s->from[below(SIZE)] ^= (uint8_t)(1 + below(255));
   }
}

static void
fills(void **state)
{
   struct surfaces *s = *state;
   static const uint32_t steps[] = {16, 32, 128, 512}, row_steps[] = {1, 8, 32};
   for (unsigned i = 0; i < 300; i++) {
      uint32_t step = steps[below(4)], row_step = row_steps[below(3)],
               width = step * (1 + below(PITCH / step)),
               rows = row_step * (1 + below(96 / row_step)), with[4];
      struct mem_area to = random_area(s->to, width, rows, step, row_step);
      for (unsigned k = 0; k < 4; k++)
         with[k] = k && !below(2) ? with[0] : below(UINT32_MAX);
      if (below(2)) /* both halves are alike */
         memcpy(&with[2], with, 8);
      memcpy(s->expected, s->to, SIZE);
      for (uint32_t y = 0; y < rows; y++)
         for (uint32_t x = 0; x < width; x++)
            *byte_at(&to, s->expected, x, y) = ((const uint8_t *)with)[x % 16];
      mem_area_fill(&to, width, rows, with, below(2));
      assert_memory_equal(s->to, s->expected, SIZE);
   }
}

/* All bytes of it lie in its extent, which begins and ends with some. */
static void
extents(void **state)
{
   struct surfaces *s = *state;
   for (unsigned i = 0; i < 300; i++) {
      uint32_t width = 1 + below(PITCH), rows = 1 + below(ROWS);
      struct mem_area a = random_area(s->to, width, rows, 1, 1);
      struct mem_extent e = mem_area_extent(&a, width, rows);
      uint64_t slack = a.tiling == MEM_LINEAR ? 1 : 4096, first = UINT64_MAX, last = 0;
      for (uint32_t y = 0; y < rows; y++)
         for (uint32_t x = 0; x < width; x += x + 16 < width ? 16 : 1) {
            uint64_t at = mem_tile_offset(a.tiling, a.x_B + x, a.row + y, a.pitch_B);
            first = at < first ? at : first;
            last = at > last ? at : last;
         }
      assert_true(e.first <= first && first < e.first + slack);
      assert_true(last < e.end && e.end <= last + slack);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(copies, setup, teardown),
                                      cmocka_unit_test_setup_teardown(fills, setup, teardown),
                                      cmocka_unit_test_setup_teardown(extents, setup, teardown)};
   return cmocka_run_group_tests_name("area", tests, NULL, NULL);
}
