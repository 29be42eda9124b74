/* Which sampler messages have a fast path. */
#include "shared_functions/sampler/sampler.h"

sf_quick_fn
sampler_quick_select(struct sf_quick *q, uint32_t desc, bool eot)
{
   unsigned mlen = hw_message_length(desc), rlen = hw_response_length(desc),
            simd = hw_get(desc, GEN7_SAMPLER_DESCRIPTOR__SIMD_MODE),
            type = hw_get(desc, GEN7_SAMPLER_DESCRIPTOR__MESSAGE_TYPE),
            regs = simd == SAMPLER_SIMD8 ? 1 : 2;
   q->sources = (uint8_t)(mlen / regs);
   q->op = (uint8_t)type;
   q->slots = (uint8_t)hw_get(desc, GEN7_SAMPLER_DESCRIPTOR__SAMPLER_INDEX);
   q->texture = 1u | (uint32_t)q->rules << 1 | regs << 2 | type << 4 | mlen << 9 |
                (uint32_t)q->bti << 16 | (uint32_t)q->slots << 24;
   q->texture_B = (uint32_t)(offsetof(struct sf_buffers, texture) +
                             sf_texture_slot(q->bti, q->slots) * sizeof(struct texture));
   if (eot || q->header || (simd != SAMPLER_SIMD8 && simd != SAMPLER_SIMD16) || mlen % regs ||
       rlen != 4 * regs)
      return NULL;
   q->fetches = type == SAMPLER_LD && q->sources <= 4 && regs == 2;
   if (type == SAMPLER_LD && q->sources <= 4)
      return (*HOST_CHOOSE(sampler_quick_ld))[regs - 1];
   bool samples = (type == SAMPLER_SAMPLE && q->sources >= 2) ||
                  ((type == SAMPLER_SAMPLE_B || type == SAMPLER_SAMPLE_L) && q->sources >= 3);
   if (type == SAMPLER_SAMPLE_D && regs == 1 && q->sources >= 6)
      return (*HOST_CHOOSE(sampler_quick_sample))[0];
   if (!samples || q->sources > 5)
      return NULL;
   return (*HOST_CHOOSE(sampler_quick_sample))[regs - 1];
}
