/* Monochrome sources and the chroma key. */
#include "blitter/blt.h"

#include <string.h>

/* BLT-035, BLT-046, BLT-047: the bits of one scan line, from the destination's first drawn pixel
 * on. */
static unsigned
fetch_bits(const struct blitter *b, const struct blt *t, int32_t y, uint8_t *bits, uint32_t count)
{
   uint64_t first = (uint64_t)(uint32_t)(y - t->mono.y1) * t->mono.line_bits + t->mono.start +
                    (uint32_t)(t->rect.x1 - t->mono.x1);
   uint64_t byte = first / 8;
   uint32_t size = (uint32_t)((first + count + 7) / 8 - byte);
   memset(bits, 0, size);
   if (!t->mono.immediate)
      mem_read(t->space, t->mono.address + (uint32_t)byte, bits, size);
   else if (byte < t->mono.size_B)
      memcpy(bits, (const uint8_t *)b->immediate + byte,
             size < t->mono.size_B - byte ? size : t->mono.size_B - byte);
   return (unsigned)(first % 8);
}

void
blt_source_mono_line(const struct blitter *b, const struct blt *t, int32_t y, uint8_t *line,
                     uint8_t *mask)
{
   uint8_t bits[32768 / 8 + 16];
   uint32_t count = (uint32_t)(t->rect.x2 - t->rect.x1);
   unsigned at = fetch_bits(b, t, y, bits, count);
   for (uint32_t i = 0; i < count; i++, at++) {
      bool one = bits[at / 8] >> (7 - at % 8) & 1;
      uint32_t color = one ? t->mono.foreground : t->mono.background;
      memcpy(line + i * t->cpp, &color, t->cpp); /* BLT-036: the low bytes */
      if (!one && t->mono.transparent)           /* BLT-042 */
         memset(mask + i * t->cpp, 0, t->cpp);
   }
}

struct component {
   uint8_t shift, bits;
};

/* BLT-049: colour first, alpha last. */
static const struct component components[4][4] = {
    {{0, 8}},
    {{11, 5}, {5, 6}, {0, 5}},
    {{10, 5}, {5, 5}, {0, 5}, {15, 1}},
    {{16, 8}, {8, 8}, {0, 8}, {24, 8}},
};

static bool
in_range(const struct blt *t, uint32_t pixel, bool alpha)
{
   for (unsigned i = 0; i < (alpha ? 4 : 3); i++) {
      struct component c = components[t->depth][i];
      uint32_t ones = (1u << c.bits) - 1; /* a component that is not there compares 0 with 0 */
      uint32_t v = pixel >> c.shift & ones;
      if (v < (t->key_low >> c.shift & ones) || v > (t->key_high >> c.shift & ones))
         return false;
   }
   return true;
}

#define KEY(mode) GEN7_XY_SRC_COPY_CHROMA_BLT_TRANSPARENCY_RANGE_MODE_##mode

/* BLT-048: source modes write what is out of the range, destination modes what is in it. */
void
blt_key_line(const struct blt *t, const uint8_t *line, uint8_t *mask)
{
   bool destination = t->key_mode & BLT_KEY_DESTINATION;
   bool alpha = t->key_mode == KEY(SOURCE_COLOR_AND_ALPHA) ||
                t->key_mode == KEY(DESTINATION_COLOR_AND_ALPHA);
   uint32_t count = (uint32_t)(t->rect.x2 - t->rect.x1);
   for (uint32_t i = 0; i < count; i++) {
      uint32_t pixel = 0;
      memcpy(&pixel, line + i * t->cpp, t->cpp);
      if (in_range(t, pixel, alpha) != destination)
         memset(mask + i * t->cpp, 0, t->cpp);
   }
}
