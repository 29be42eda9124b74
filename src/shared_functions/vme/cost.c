/* The state's cost tables, and what a vector costs. */
#include "shared_functions/vme/vme.h"

#include <stdlib.h>
#include <string.h>

/* VME-122, VME-147 */
int32_t
vme_u4u4(uint32_t byte)
{
   return (int32_t)((byte & 15) << (byte >> 4 & 15));
}

/* VME-146: wider values are undefined on the chip; here they are the widest that fits. */
static int32_t
at_most(uint32_t byte, int32_t most)
{
   int32_t value = vme_u4u4(byte);
   return value < most ? value : most;
}

static uint32_t
byte_of(const uint32_t dw[32], unsigned first_dw, unsigned index)
{
   return dw[first_dw + index / 4] >> 8 * (index % 4) & 0xff;
}

/* VME-144: LUT_MbMode 8 and 9 of a set lie apart from the rest of it. */
void
vme_state_unpack(struct vme *v, const uint32_t dw[32])
{
   static const bool wide[9] = {[1] = 1, [2] = 1, [3] = 1, [4] = 1, [8] = 1};
   unsigned set = v->d.lut_subindex;
   struct vme_costs *c = &v->costs;
   memcpy(v->path, dw, VME_PATH_LOCATIONS);
   for (unsigned i = 0; i < 9; i++) {
      uint32_t byte = i < 8 ? byte_of(dw, 16 + 4 * set, i) : byte_of(dw, 14, 2 * set);
      c->mode[i] = at_most(byte, wide[i] ? 0xfff : 0x3ff);
   }
   for (unsigned i = 0; i < 8; i++)
      c->mv[i] = at_most(byte_of(dw, 18 + 4 * set, i), 0x3ff);
   /* VME-148: the sign says which direction pays. */
   uint32_t bwd = byte_of(dw, 14, 2 * set + 1);
   c->backward[0] = bwd & 0x80 ? vme_u4u4(bwd & 0x7f) : 0;
   c->backward[1] = bwd & 0x80 ? 0 : vme_u4u4(bwd & 0x7f);
}

/* VME-156 … VME-163: distance in quarter pixels. */
int32_t
vme_mv_cost_1d(const struct vme_costs *c, int32_t distance)
{
   uint32_t d = (uint32_t)abs(distance) >> c->scale; /* VME-179, VME-254 */
   if (d <= 2)
      return c->mv[d];
   if (d > 64) { /* VME-160, VME-162 */
      int64_t cost = (int64_t)c->mv[7] + d - 64;
      return cost < 0x3ff ? (int32_t)cost : 0x3ff;
   }
   unsigned p = 31 - (unsigned)__builtin_clz(d);
   int32_t k = (int32_t)(d - (1u << p)), low = c->mv[p + 1];
   if (!k)
      return low;                                /* VME-158 */
   return low + ((c->mv[p + 2] - low) * k >> p); /* VME-159 */
}

int32_t
vme_mv_cost(const struct vme *v, unsigned center, struct vme_mv mv)
{
   return vme_mv_cost_1d(&v->costs, mv.x - v->center[center].x) +
          vme_mv_cost_1d(&v->costs, mv.y - v->center[center].y);
}
