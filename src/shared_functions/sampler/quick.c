/* Which sampler messages have a fast path. */
#include "shared_functions/sampler/sampler.h"

/* The type of a message if it had no reference. */
static unsigned
without_reference(unsigned type)
{
   switch (type) {
   case SAMPLER_SAMPLE_C:
      return SAMPLER_SAMPLE;
   case SAMPLER_SAMPLE_B_C:
      return SAMPLER_SAMPLE_B;
   case SAMPLER_SAMPLE_L_C:
      return SAMPLER_SAMPLE_L;
   case SAMPLER_SAMPLE_D_C:
      return SAMPLER_SAMPLE_D;
   case SAMPLER_GATHER4_C:
      return SAMPLER_GATHER4;
   case SAMPLER_GATHER4_PO_C:
      return SAMPLER_GATHER4_PO;
   default:
      return type;
   }
}

sf_quick_fn
sampler_quick_select(struct sf_quick *q, uint32_t desc, bool eot)
{
   unsigned mlen = hw_message_length(desc), rlen = hw_response_length(desc),
            simd = hw_get(desc, GEN7_SAMPLER_DESCRIPTOR__SIMD_MODE),
            type = hw_get(desc, GEN7_SAMPLER_DESCRIPTOR__MESSAGE_TYPE),
            regs = simd == SAMPLER_SIMD8 ? 1 : 2, parameters = mlen - q->header;
   q->like = (uint8_t)without_reference(type);
   q->compares = q->like != type;
   q->sources = (uint8_t)(parameters / regs);
   q->op = (uint8_t)type;
   q->slots = (uint8_t)hw_get(desc, GEN7_SAMPLER_DESCRIPTOR__SAMPLER_INDEX);
   q->texture = 1u | (uint32_t)q->rules << 1 | regs << 2 | type << 4 | mlen << 9 |
                (uint32_t)q->header << 13 | (uint32_t)q->bti << 16 | (uint32_t)q->slots << 24;
   q->texture_B = (uint32_t)(offsetof(struct sf_buffers, texture) +
                             sf_texture_slot(q->bti, q->slots) * sizeof(struct texture));
   if (eot || (simd != SAMPLER_SIMD8 && simd != SAMPLER_SIMD16) || parameters % regs ||
       rlen != 4 * regs)
      return NULL;
   if (type == SAMPLER_LD) {
      bool plain = !q->header && q->sources <= 4;
      q->fetches = plain && regs == 2;
      return plain ? (*HOST_CHOOSE(sampler_quick_ld))[regs - 1] : NULL;
   }
   if (q->compares) {
      q->payload = (uint16_t)(q->payload + regs * EU_REG_SIZE);
      q->sources = (uint8_t)(q->sources - 1); /* 255 of none: too many */
   }
   /* The least that each has; what is behind it are the third coordinate and the element. */
   static const struct {
      uint8_t least, most;
   } sources[32] = {
       [SAMPLER_SAMPLE] = {1, 5},    [SAMPLER_SAMPLE_B] = {2, 5}, [SAMPLER_SAMPLE_L] = {2, 5},
       [SAMPLER_SAMPLE_D] = {3, 10}, [SAMPLER_GATHER4] = {2, 4},  [SAMPLER_GATHER4_PO] = {4, 5}};
   if (q->sources < sources[q->like].least || q->sources > sources[q->like].most ||
       (type == SAMPLER_SAMPLE_D && regs == 2))
      return NULL;
   return q->like == SAMPLER_GATHER4 || q->like == SAMPLER_GATHER4_PO
              ? (*HOST_CHOOSE(sampler_quick_gather))[regs - 1]
              : (*HOST_CHOOSE(sampler_quick_sample))[regs - 1];
}
