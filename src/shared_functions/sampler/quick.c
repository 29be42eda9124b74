/* Which sampler messages have a fast path. */
#include "shared_functions/sampler/sampler.h"

enum { LD = 7 };

sf_quick_fn
sampler_quick_select(struct sf_quick *q, uint32_t desc, bool eot)
{
   unsigned mlen = desc >> 25 & 15, rlen = desc >> 20 & 31, simd = desc >> 17 & 3,
            regs = simd == SAMPLER_SIMD8 ? 1 : 2;
   q->sources = (uint8_t)(mlen / regs);
   if (eot || q->header || (desc >> 12 & 31) != LD ||
       (simd != SAMPLER_SIMD8 && simd != SAMPLER_SIMD16) || mlen % regs || mlen > 4 * regs ||
       rlen != 4 * regs || !host_has_vectors())
      return NULL;
   return regs == 1 ? sampler_quick_ld8 : sampler_quick_ld16;
}
