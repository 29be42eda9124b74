/* The fast paths of the data port: which message has one. */
#include "shared_functions/dataport/dp_quick.h"

#include "shared_functions/dataport/atomic.h"
#include "shared_functions/dataport/dataport.h"
#include "shared_functions/pixel_backend.h"

static sf_quick_fn
untyped(struct sf_quick *q, uint32_t desc, unsigned regs, bool write)
{
   unsigned mlen = hw_message_length(desc) - q->header, rlen = hw_response_length(desc);
   unsigned channels = hw_get(~desc, GEN7_DP_UNTYPED_SURFACE_DESCRIPTOR__CHANNEL_MASK),
            count = dp_count4(channels);
   bool slm = q->bti == DP_BTI_SLM;
   if (!channels || channels & (channels + 1) || mlen != regs + (write ? count * regs : 0) ||
       rlen != (write ? 0 : count * regs))
      return NULL;
   q->row = count == 1 && !q->header ? (uint8_t)regs : 0;
   q->dwords = count > 1 && !write && !slm && !q->header ? (uint8_t)count : 0;
   q->rows = (uint8_t)regs;
   q->writes = write;
   const struct dp_quick_functions *f = HOST_CHOOSE(dp_quick);
   return write ? (slm ? f->slm_write : f->write)[regs - 1][count - 1]
                : (slm ? f->slm_read : f->read)[regs - 1][count - 1];
}

static sf_quick_fn
atomic(struct sf_quick *q, uint32_t desc)
{
   unsigned mlen = hw_message_length(desc) - q->header, rlen = hw_response_length(desc);
   struct hw_dp_untyped_atomic_descriptor d; /* DP-249 */
   gen7_dp_untyped_atomic_descriptor_unpack(&d, &desc);
   unsigned regs = d.simd_mode == GEN7_DP_UNTYPED_ATOMIC_DESCRIPTOR_SIMD_MODE_SIMD8 ? 1 : 2,
            returns = d.return_data_control;
   q->op = (uint8_t)d.atomic_operation_type;
   q->sources = (uint8_t)dp_atomic_sources(q->op);
   q->returns = returns;
   if (q->op == OP_CMPWR8B || mlen != regs * (1u + q->sources) || rlen != returns * regs)
      return NULL;
   const struct dp_quick_atomic_functions *f = HOST_CHOOSE(dp_quick_atomic);
   bool counts =
       q->bti == DP_BTI_SLM && !returns && !q->header && (q->op == OP_INC || q->op == OP_ADD);
   return counts ? f->count[q->op == OP_ADD][regs - 1] : f->any[q->bti == DP_BTI_SLM][regs - 1];
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
   struct hw_dp_typed_surface_descriptor d;
   gen7_dp_typed_surface_descriptor_unpack(&d, &desc);
   unsigned count = dp_count4(~d.channel_mask), rlen = hw_response_length(desc);
   q->channels = ~d.channel_mask & 15;
   q->capability = write ? FORMAT_TYPED_WRITE : FORMAT_TYPED_READ;
   if (!count || rlen != (write ? 0 : count) ||
       !typed_address(q, desc, d.slot_group, write ? count : 0))
      return NULL;
   q->writes = write;
   q->texels = q->parameters == 2 && q->channels == (write ? 15 : 1);
   return write ? HOST_CHOOSE(dp_quick_typed)->write : HOST_CHOOSE(dp_quick_typed)->read;
}

static sf_quick_fn
typed_atomic(struct sf_quick *q, uint32_t desc)
{
   unsigned rlen = hw_response_length(desc);
   struct hw_dp_typed_atomic_descriptor d;
   gen7_dp_typed_atomic_descriptor_unpack(&d, &desc);
   q->op = (uint8_t)d.atomic_operation_type;
   q->sources = (uint8_t)dp_atomic_sources(q->op);
   q->returns = d.return_data_control;
   q->capability = FORMAT_TYPED_ATOMIC;
   if (q->op == OP_CMPWR8B || rlen != q->returns ||
       !typed_address(q, desc, d.slot_group, q->sources))
      return NULL;
   return HOST_CHOOSE(dp_quick_typed)->atomic;
}

/* Of a pixel shader thread, with a header or without (DP-461). */
static sf_quick_fn
target_write(struct sf_quick *q, uint32_t desc, bool eot)
{
   unsigned mlen = hw_message_length(desc) - (q->header ? 2 : 0), rlen = hw_response_length(desc);
   struct hw_dp_render_target_write_descriptor d;
   gen7_dp_render_target_write_descriptor_unpack(&d, &desc);
   bool last = d.last_render_target_select,
        reserved = hw_reserved_control(desc, GEN7_DP_RENDER_TARGET_WRITE_DESCRIPTOR__MBZ_0);
   q->last = last;
   q->ends_pixels = eot && last;
   if (rlen || d.slot_group_select || reserved || (eot && !last) || q->bti >= DP_BTI_SLM)
      return NULL;
   const struct dp_quick_target_functions *f = HOST_CHOOSE(dp_quick_target);
   switch (d.message_type) {
   case RT_SIMD16:
      return mlen == 8 ? f->simd16 : NULL;
   case RT_REPDATA:
      q->payload_B = q->header ? 0 : 16; /* DP-391: one colour for all */
      return mlen == 1 ? f->replicated : NULL;
   case RT_SIMD8:
      return mlen == 4 ? f->simd8 : NULL;
   default:
      return NULL;
   }
}

/* Of the render cache's port. */
static sf_quick_fn
select_render(struct sf_quick *q, uint32_t desc, bool eot)
{
   unsigned type = hw_data_port_type(desc);
   if (type == GEN7_DP_RENDER_MESSAGE_RENDER_TARGET_WRITE)
      return target_write(q, desc, eot);
   if (eot)
      return NULL;
   if (type == GEN7_DP_RENDER_MESSAGE_MEMORY_FENCE)
      return dp_quick_fence(q, desc);
   if (q->bti > DP_BTI_SLM)
      return NULL;
   switch (type) {
   case GEN7_DP_RENDER_MESSAGE_TYPED_ATOMIC_OPERATION:
      return typed_atomic(q, desc);
   case GEN7_DP_RENDER_MESSAGE_TYPED_SURFACE_READ:
   case GEN7_DP_RENDER_MESSAGE_TYPED_SURFACE_WRITE:
      return typed(q, desc, type == GEN7_DP_RENDER_MESSAGE_TYPED_SURFACE_WRITE);
   default:
      return NULL;
   }
}

static sf_quick_fn
select_data(struct sf_quick *q, uint32_t desc)
{
   unsigned type = hw_data_port_type(desc),
            simd = hw_get(desc, GEN7_DP_UNTYPED_SURFACE_DESCRIPTOR__SIMD_MODE);
   bool simd16 = simd == GEN7_DP_UNTYPED_SURFACE_DESCRIPTOR_SIMD_MODE_SIMD16,
        simd8 = simd == GEN7_DP_UNTYPED_SURFACE_DESCRIPTOR_SIMD_MODE_SIMD8;
   switch (type) {
   case GEN7_DP_DATA_MESSAGE_MEMORY_FENCE:
      return dp_quick_fence(q, desc);
   case GEN7_DP_DATA_MESSAGE_OWORD_BLOCK_READ:
   case GEN7_DP_DATA_MESSAGE_OWORD_BLOCK_WRITE:
      return dp_quick_block(q, desc, type == GEN7_DP_DATA_MESSAGE_OWORD_BLOCK_WRITE, true);
   default:
      break;
   }
   if (q->bti > DP_BTI_SLM)
      return NULL;
   switch (type) {
   case GEN7_DP_DATA_MESSAGE_UNTYPED_ATOMIC_OPERATION:
      return atomic(q, desc);
   case GEN7_DP_DATA_MESSAGE_UNTYPED_SURFACE_READ:
   case GEN7_DP_DATA_MESSAGE_UNTYPED_SURFACE_WRITE: /* DP-244 */
      return simd8 || simd16 ? untyped(q, desc, simd16 ? 2 : 1,
                                       type == GEN7_DP_DATA_MESSAGE_UNTYPED_SURFACE_WRITE)
                             : NULL;
   default:
      return NULL;
   }
}

sf_quick_fn
dp_quick_select(struct sf_quick *q, unsigned sfid, uint32_t desc, bool eot)
{
   if (desc & GEN7_DP_DATA_DESCRIPTOR__CATEGORY) /* a scratch block */
      return NULL;
   if (sfid == SFID_DP_RENDER)
      return select_render(q, desc, eot);
   if (eot)
      return NULL;
   if (sfid == SFID_DP_DATA0)
      return select_data(q, desc);
   return hw_data_port_type(desc) == GEN7_DP_CONSTANT_MESSAGE_OWORD_BLOCK_READ
              ? dp_quick_block(q, desc, false, false)
              : NULL;
}
