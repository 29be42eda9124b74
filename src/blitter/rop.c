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

/* Sixteen bytes at a time; the compiler has the instructions. */
typedef uint64_t wide __attribute__((vector_size(16)));

static inline wide
choose(wide bit, wide one, wide zero)
{
   return zero ^ (bit & (one ^ zero));
}

static inline wide
load(const uint8_t *at)
{
   wide v;
   memcpy(&v, at, sizeof(v));
   return v;
}

void
blt_rop_line(uint8_t rop, uint8_t *pattern, const uint8_t *source, const uint8_t *destination,
             uint32_t size_B)
{
   wide m[8];
   for (unsigned i = 0; i < 8; i++)
      m[i] = (wide){0} - (uint64_t)(rop >> i & 1);
   bool with_pattern = blt_rop_uses_pattern(rop);
   for (uint32_t at = 0; at < size_B;
        at += sizeof(wide)) { /* the buffers have room for whole words */
      wide s = load(source + at), d = load(destination + at);
      wide r = choose(s, choose(d, m[3], m[2]), choose(d, m[1], m[0]));
      if (with_pattern) {
         wide r1 = choose(s, choose(d, m[7], m[6]), choose(d, m[5], m[4]));
         r = choose(load(pattern + at), r1, r);
      }
      memcpy(pattern + at, &r, sizeof(r));
   }
}
