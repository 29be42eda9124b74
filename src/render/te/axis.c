/* P3D-116: the points of one axis. A factor between two counts of segments has points that split
 * off and move; where they split is given by the binary digits of the count. */
#include "render/te/te_internal.h"

#define HALF (TE_ONE / 2)

static uint32_t
remove_highest_bit(uint32_t v)
{
   return v ? v & ~(1u << (31 - __builtin_clz(v))) : 0;
}

static uint32_t
round_up(uint32_t fixed)
{
   return (fixed + TE_ONE - 1) >> 16;
}

struct te_axis
te_axis(uint32_t factor, bool odd)
{
   struct te_axis a = {.odd = odd};
   uint32_t h = (factor + 1) / 2;
   a.count = odd ? 2 * round_up(h + HALF) : 2 * round_up(h) + 1;
   if (odd || h == HALF)
      h += HALF;
   a.floor = h >> 16;
   a.ceil = round_up(h);
   a.fraction = h & (TE_ONE - 1);
   a.half = a.ceil;
   if (a.floor == a.ceil)
      a.split = a.half + 1;
   else if (odd)
      a.split = a.floor == 1 ? 0 : 2 * remove_highest_bit(a.floor - 1) + 1;
   else
      a.split = 2 * remove_highest_bit(a.floor) + 1;
   return a;
}

static uint32_t
reciprocal(uint32_t n)
{
   return (2 * TE_ONE / n + 1) / 2;
}

uint32_t
te_place(const struct te_axis *a, uint32_t p)
{
   bool flip = p >= a->half;
   if (flip)
      p = 2 * a->half - p - a->odd;
   if (p == a->half)
      return HALF;
   uint64_t low = (uint64_t)(p > a->split ? p - 1 : p) * reciprocal(2 * a->floor - a->odd);
   uint64_t high = (uint64_t)p * reciprocal(2 * a->ceil - a->odd);
   uint32_t at = (uint32_t)((low * (TE_ONE - a->fraction) + high * a->fraction + HALF) >> 16);
   return flip ? TE_ONE - at : at;
}
