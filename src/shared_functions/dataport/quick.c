/* The fast paths of the data port: which message has one. */
#include "hw/message.h"
#include "shared_functions/dataport/dp_quick.h"

#include "shared_functions/dataport/atomic.h"
#include "shared_functions/dataport/dataport.h"
#include "shared_functions/pixel_backend.h"

enum {
   BLOCK_READ = 0,
   READ = 5,
   ATOMIC = 6,
   FENCE = 7,
   BLOCK_WRITE = 8,
   TARGET_WRITE = 12,
   WRITE = 13
}; /* message types */

static sf_quick_fn
untyped(struct sf_quick *q, uint32_t desc, unsigned regs, bool write)
{
   unsigned mlen = hw_message_length(desc) - q->header, rlen = hw_response_length(desc);
   unsigned channels = ~desc >> 8 & 15, count = dp_count4(channels);
   bool slm = q->bti == DP_BTI_SLM;
   if (!channels || channels & (channels + 1) || mlen != regs + (write ? count * regs : 0) ||
       rlen != (write ? 0 : count * regs))
      return NULL;
   q->row = count == 1 && !slm && !q->header ? (uint8_t)regs : 0;
   q->writes = write;
   const struct dp_quick_functions *f = &dp_quick_avx2;
   return write ? (slm ? f->slm_write : f->write)[regs - 1][count - 1]
                : (slm ? f->slm_read : f->read)[regs - 1][count - 1];
}

static sf_quick_fn
atomic(struct sf_quick *q, uint32_t desc)
{
   unsigned mlen = hw_message_length(desc) - q->header, rlen = hw_response_length(desc);
   unsigned regs = desc >> 12 & 1 ? 1 : 2, returns = desc >> 13 & 1; /* DP-249 */
   q->op = desc >> 8 & 15;
   q->sources = (uint8_t)dp_atomic_sources(q->op);
   q->returns = returns;
   if (!q->op || mlen != regs * (1u + q->sources) || rlen != returns * regs)
      return NULL;
   bool counts =
       q->bti == DP_BTI_SLM && !returns && !q->header && (q->op == OP_INC || q->op == OP_ADD);
   return counts ? dp_quick_count[q->op == OP_ADD][regs - 1]
                 : dp_quick_atomic[q->bti == DP_BTI_SLM][regs - 1];
}

/* DP-259: the parameters are what the sources leave of the message. */
static bool
typed_address(struct sf_quick *q, uint32_t desc, unsigned slot_group, unsigned others)
{
   unsigned mlen = hw_message_length(desc) - q->header;
   q->slots = slot_group ? 8 : 0;
   q->parameters = (uint8_t)(mlen - others);
   return q->header && mlen > others && mlen - others <= 4;
}

static sf_quick_fn
typed(struct sf_quick *q, uint32_t desc, bool write)
{
   unsigned count = dp_count4(~desc >> 8), rlen = hw_response_length(desc);
   q->channels = ~desc >> 8 & 15;
   q->capability = write ? FORMAT_TYPED_WRITE : FORMAT_TYPED_READ;
   if (!count || rlen != (write ? 0 : count) ||
       !typed_address(q, desc, desc >> 13 & 1, write ? count : 0))
      return NULL;
   return write ? dp_quick_typed_avx2.write : dp_quick_typed_avx2.read;
}

static sf_quick_fn
typed_atomic(struct sf_quick *q, uint32_t desc)
{
   unsigned rlen = hw_response_length(desc);
   q->op = desc >> 8 & 15;
   q->sources = (uint8_t)dp_atomic_sources(q->op);
   q->returns = desc >> 13 & 1;
   q->capability = FORMAT_TYPED_ATOMIC;
   if (!q->op || rlen != q->returns || !typed_address(q, desc, desc >> 12 & 1, q->sources))
      return NULL;
   return dp_quick_typed_avx2.atomic;
}

/* Of a pixel shader thread, with a header or without (DP-461). */
static sf_quick_fn
target_write(struct sf_quick *q, uint32_t desc, bool eot)
{
   unsigned mlen = hw_message_length(desc) - (q->header ? 2 : 0), rlen = hw_response_length(desc),
            type = desc >> 8 & 7;
   bool last = desc >> 12 & 1;
   q->last = last;
   q->ends_pixels = eot && last;
   if (rlen || desc >> 11 & 1 || desc >> 13 & 1 || (eot && !last) || q->bti >= DP_BTI_SLM ||
       !host_has_vectors())
      return NULL;
   switch (type) {
   case RT_SIMD16:
      return mlen == 8 ? dp_quick_target16 : NULL;
   case RT_REPDATA:
      q->payload_B = q->header ? 0 : 16; /* DP-391: one colour for all */
      return mlen == 1 ? dp_quick_target_replicated : NULL;
   case RT_SIMD8:
      return mlen == 4 ? dp_quick_target8 : NULL;
   default:
      return NULL;
   }
}

sf_quick_fn
dp_quick_select(struct sf_quick *q, unsigned sfid, uint32_t desc, bool eot)
{
   unsigned type = desc >> 14 & 31,
            simd = desc >> 12 & 3; /* bit 18 with the type: a scratch block */
   if (sfid == SFID_DP_RENDER && type == TARGET_WRITE)
      return target_write(q, desc, eot);
   if (eot)
      return NULL;
   if (type == FENCE && sfid != SFID_DP_CONSTANT)
      return dp_quick_fence(q, desc);
   if (sfid != SFID_DP_RENDER && (type == BLOCK_READ || type == BLOCK_WRITE))
      return dp_quick_block(q, sfid, desc);
   if (sfid == SFID_DP_CONSTANT || !host_has_vectors() || q->bti > DP_BTI_SLM)
      return NULL;
   if (type == ATOMIC)
      return sfid == SFID_DP_RENDER ? typed_atomic(q, desc) : atomic(q, desc);
   if (sfid == SFID_DP_RENDER)
      return type == READ || type == WRITE ? typed(q, desc, type == WRITE) : NULL;
   if ((type == READ || type == WRITE) && (simd == 1 || simd == 2)) /* DP-244 */
      return untyped(q, desc, simd == 1 ? 2 : 1, type == WRITE);
   return NULL;
}
