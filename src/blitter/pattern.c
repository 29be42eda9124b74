/* The pattern operand: always 8 by 8 pixels. */
#include "blitter/blt.h"

#include <string.h>

/* BLT-033: byte n is line n, least significant dword first. */
void
blt_pattern_mono(struct blt *t, uint32_t data0, uint32_t data1)
{
   for (unsigned i = 0; i < 4; i++) {
      t->pattern_mono[i] = (uint8_t)(data0 >> 8 * i);
      t->pattern_mono[4 + i] = (uint8_t)(data1 >> 8 * i);
   }
}

/* BLT-034 */
bool
blt_pattern_fixed(struct blt *t, unsigned number)
{
   static const uint8_t fixed[16][8] = {
       [0] = {0, 0, 0, 0xff, 0, 0, 0, 0},
       [1] = {0x08, 0x08, 0x08, 0x08, 0x08, 0x08, 0x08, 0x08},
       [2] = {0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01},
       [3] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80},
       [4] = {0x08, 0x08, 0x08, 0xff, 0x08, 0x08, 0x08, 0x08},
       [5] = {0x81, 0x42, 0x24, 0x18, 0x18, 0x24, 0x42, 0x81},
       [8] = {0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa},
       [9] = {0xcc, 0x33, 0xcc, 0x33, 0xcc, 0x33, 0xcc, 0x33},
       [10] = {0x88, 0x44, 0x22, 0x11, 0x88, 0x44, 0x22, 0x11},
       [11] = {0x77, 0xbb, 0xdd, 0xee, 0x77, 0xbb, 0xdd, 0xee},
   };
   memcpy(t->pattern_mono, fixed[number & 15], 8);
   return (number < 6) || (number >= 8 && number < 12);
}

/* BLT-065: bits 5:0 of the address are not there. */
void
blt_pattern_load(struct blt *t, uint32_t address)
{
   mem_read(t->space, address & ~63u, t->pattern_color, 64u * t->cpp);
}

/* Repeats the first `period` bytes over the whole line. */
static void
repeat(uint8_t *line, uint32_t period, uint32_t size_B)
{
   while (period < size_B) {
      uint32_t n = period < size_B - period ? period : size_B - period;
      memcpy(line + period, line, n);
      period += n;
   }
}

/* BLT-032, BLT-044: the seeds are added to the destination coordinates. */
void
blt_pattern_line(const struct blt *t, int32_t y, uint8_t *line, uint8_t *mask)
{
   uint32_t size_B = (uint32_t)(t->rect.x2 - t->rect.x1) * t->cpp;
   unsigned row = (unsigned)(y + t->vertical_seed) & 7;
   unsigned first = (unsigned)(t->rect.x1 + t->horizontal_seed) & 7;
   uint8_t through[32];
   memset(through, 0xff, sizeof(through));
   for (unsigned i = 0; i < 8; i++) {
      unsigned column = (first + i) & 7;
      uint32_t color = t->pattern_background;
      if (t->pattern == BLT_PATTERN_COLOR) {
         memcpy(line + i * t->cpp, t->pattern_color + (row * 8 + column) * t->cpp, t->cpp);
         continue;
      }
      if (t->pattern == BLT_PATTERN_MONO) {
         bool one = t->pattern_mono[row] >> (7 - column) & 1;
         color = one ? t->pattern_foreground : t->pattern_background;
         if (!one && t->pattern_transparent) /* BLT-043 */
            memset(through + i * t->cpp, 0, t->cpp);
      }
      memcpy(line + i * t->cpp, &color, t->cpp); /* BLT-036: the low bytes */
   }
   repeat(line, 8u * t->cpp, size_B);
   if (!mask || t->pattern != BLT_PATTERN_MONO || !t->pattern_transparent)
      return;
   for (uint32_t at = 0; at < size_B; at++)
      mask[at] &= through[at % (8u * t->cpp)];
}
