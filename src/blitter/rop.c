/* BLT-039: the 256 raster operations. */
#include "blitter/blt.h"

#include <string.h>

/* BLT-037: an operand is used when flipping its bit changes some bit of the result. */
bool
blt_rop_uses_destination(uint8_t rop)
{
   return ((rop >> 1 ^ rop) & 0x55) != 0;
}

bool
blt_rop_uses_source(uint8_t rop)
{
   return ((rop >> 2 ^ rop) & 0x33) != 0;
}

bool
blt_rop_uses_pattern(uint8_t rop)
{
   return ((rop >> 4 ^ rop) & 0x0f) != 0;
}

static inline uint64_t
choose(uint64_t bit, uint64_t one, uint64_t zero)
{
   return (bit & one) | (~bit & zero);
}

void
blt_rop_line(uint8_t rop, uint8_t *pattern, const uint8_t *source, const uint8_t *destination, uint32_t size_B)
{
   uint64_t m[8];
   for (unsigned i = 0; i < 8; i++)
      m[i] = rop >> i & 1 ? UINT64_MAX : 0;
   for (uint32_t at = 0; at < size_B; at += 8) { /* the buffers have room for whole words */
      uint64_t p, s, d;
      memcpy(&p, pattern + at, 8);
      memcpy(&s, source + at, 8);
      memcpy(&d, destination + at, 8);
      uint64_t p0 = choose(s, choose(d, m[3], m[2]), choose(d, m[1], m[0]));
      uint64_t p1 = choose(s, choose(d, m[7], m[6]), choose(d, m[5], m[4]));
      uint64_t r = choose(p, p1, p0);
      memcpy(pattern + at, &r, 8);
   }
}
