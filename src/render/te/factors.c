/* Tessellation factors: culled, clamped, rounded, and made fixed point. */
#include "render/te/te_internal.h"

#include <math.h>
#include <string.h>

#define LEAST_ODD_INSIDE (1.0f + 1.0f / 65536) /* P3D-113 */
#define ABOVE_ONE (1.0f + 1.0f / 131072)

struct bounds {
   float low, high;
};

static float
as_float(uint32_t bits)
{
   float v;
   memcpy(&v, &bits, 4);
   return v;
}

/* P3D-111: not a number gives the lower bound. */
static float
clamp(float v, float low, float high)
{
   return !(v > low) ? low : v > high ? high : v;
}

/* A maximum of the state is an upper bound where it is smaller than the hardware's own. */
static float
upper(float state, float own)
{
   return state >= 1.0f && state < own ? state : own;
}

static struct bounds
bounds_of(const struct te_state *s)
{
   switch (s->partitioning) {
   case TE_ODD:
      return (struct bounds){1, upper(s->max_odd, 63)};
   case TE_EVEN:
      return (struct bounds){2, upper(s->max_not_odd < 2 ? 2 : s->max_not_odd, 64)};
   default:
      return (struct bounds){1, upper(s->max_not_odd, 64)};
   }
}

/* P3D-114: 16.16, to nearest even. Exact in double: a factor has 24 significant bits. */
static uint32_t
fixed(float v)
{
   double scaled = (double)v * 65536, whole = floor(scaled), rest = scaled - whole;
   uint32_t n = (uint32_t)whole;
   return n + (rest > 0.5 || (rest == 0.5 && n & 1));
}

/* P3D-112: with INTEGER each has its own parity, and an inside factor of one counts as even. */
static bool
is_odd(const struct te_state *s, uint32_t factor, bool inside)
{
   if (s->partitioning != TE_INTEGER)
      return s->partitioning == TE_ODD;
   return factor >> 16 & 1 && !(inside && factor == TE_ONE);
}

static uint32_t
finish(const struct te_state *s, float v)
{
   return fixed(s->partitioning == TE_INTEGER ? ceilf(v) : v);
}

static bool
isolines(const struct te_state *s, const uint32_t header[8], struct te_factors *f)
{
   float detail = as_float(header[7]), density = as_float(header[6]);
   struct bounds b = bounds_of(s);
   if (!(detail > 0) || !(density > 0))
      return false;
   f->edge[0] = finish(s, clamp(detail, b.low, b.high));
   f->edge_odd[0] = is_odd(s, f->edge[0], false);
   f->edge[1] = fixed(ceilf(clamp(density, 1, 64))); /* always INTEGER */
   f->edge_odd[1] = f->edge[1] >> 16 & 1;
   return true;
}

bool
te_factors(const struct te_state *s, const uint32_t header[8], struct te_factors *f)
{
   /* P3D-109 */
   const unsigned edges = s->domain == TE_TRI ? 3 : 4, insides = s->domain == TE_TRI ? 1 : 2;
   const struct bounds b = bounds_of(s);
   float low = b.low;
   *f = (struct te_factors){.minimum = s->partitioning != TE_EVEN};
   if (s->domain == TE_ISOLINE)
      return isolines(s, header, f);
   for (unsigned i = 0; i < edges; i++) {
      float v = as_float(header[7 - i]);
      if (!(v > 0)) /* P3D-110 */
         return false;
      v = clamp(v, b.low, b.high);
      if (s->partitioning == TE_ODD && v > ABOVE_ONE)
         low = LEAST_ODD_INSIDE;
      f->edge[i] = finish(s, v);
   }
   /* P3D-113: a triangle has one inside factor alone, which cannot differ from another. */
   for (unsigned i = 0; i < insides && s->domain == TE_QUAD && s->partitioning == TE_ODD; i++)
      if (clamp(as_float(header[3 - i]), b.low, b.high) > ABOVE_ONE)
         low = LEAST_ODD_INSIDE;
   for (unsigned i = 0; i < insides; i++) {
      f->inside[i] = finish(s, clamp(as_float(header[7 - edges - i]), low, b.high));
      f->inside_odd[i] = is_odd(s, f->inside[i], true);
      f->minimum &= f->inside[i] == TE_ONE;
   }
   for (unsigned i = 0; i < edges; i++) {
      f->edge_odd[i] = is_odd(s, f->edge[i], false);
      f->minimum &= f->edge[i] == TE_ONE;
   }
   return true;
}
