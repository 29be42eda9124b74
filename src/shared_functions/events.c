/* What messages count as (oa/events.h), by what their descriptors say. A message counts whole,
 * whatever its channels: the chip, too, counts requests of 64 bytes (SYS-359..361). */
#include "hw/message.h"
#include "shared_functions/dataport/dataport.h"
#include "shared_functions/sampler/sampler.h"

static uint8_t
lines(unsigned registers)
{
   return registers ? (uint8_t)((registers + 1) / 2) : 1;
}

/* Registers that a message sends beside its header. */
static unsigned
sent_registers(uint32_t desc)
{
   unsigned sent = hw_message_length(desc), header = hw_header_present(desc);
   return sent > header ? sent - header : 0;
}

/* Those of them that are data, of a message that writes through the data cache. */
static unsigned
written_registers(unsigned type, uint32_t desc)
{
   unsigned sent = sent_registers(desc), addresses = 0;
   switch (type) {
   case GEN7_DP_DATA_MESSAGE_DWORD_SCATTERED_WRITE:
   case GEN7_DP_DATA_MESSAGE_BYTE_SCATTERED_WRITE: /* an address for every one */
      addresses = sent / 2;
      break;
   case GEN7_DP_DATA_MESSAGE_OWORD_DUAL_BLOCK_WRITE:
      addresses = 1;
      break;
   case GEN7_DP_DATA_MESSAGE_UNTYPED_SURFACE_WRITE:
      addresses = hw_get(desc, GEN7_DP_UNTYPED_SURFACE_DESCRIPTOR__SIMD_MODE) ==
                          GEN7_DP_UNTYPED_SURFACE_DESCRIPTOR_SIMD_MODE_SIMD16
                      ? 2
                      : 1;
      break;
   default:
      break;
   }
   return sent > addresses ? sent - addresses : 0;
}

static bool
data_writes(unsigned type)
{
   return type >= GEN7_DP_DATA_MESSAGE_OWORD_BLOCK_WRITE;
}

static void
data_events(uint32_t desc, uint8_t events[OA_INSTRUCTION_EVENTS])
{
   unsigned type = hw_data_port_type(desc), answer = hw_response_length(desc);
   if (desc & GEN7_DP_DATA_DESCRIPTOR__CATEGORY) { /* scratch space */
      bool write = desc & GEN7_DP_SCRATCH_DESCRIPTOR__WRITE;
      events[OA_MEMORY] = lines(write ? sent_registers(desc) : answer);
      return;
   }
   if (type == GEN7_DP_DATA_MESSAGE_MEMORY_FENCE)
      return;
   bool slm = hw_binding_table_index(desc) == DP_BTI_SLM, write = data_writes(type),
        atomic = type == GEN7_DP_DATA_MESSAGE_UNTYPED_ATOMIC_OPERATION;
   if (!slm) {
      events[OA_ATOMIC] = atomic;
      events[OA_MEMORY] = lines(atomic ? 1 : write ? written_registers(type, desc) : answer);
      return;
   }
   /* SYS-359, SYS-360: an atomic reads and writes. */
   events[OA_SLM_ATOMIC] = atomic;
   events[OA_SLM_READ] = atomic ? 1 : write ? 0 : lines(answer);
   events[OA_SLM_WRITE] = atomic ? 1 : write ? lines(written_registers(type, desc)) : 0;
}

static void
render_events(uint32_t desc, uint8_t events[OA_INSTRUCTION_EVENTS])
{
   switch (hw_data_port_type(desc)) {
   case GEN7_DP_RENDER_MESSAGE_RENDER_TARGET_WRITE:
      events[OA_TARGET_WRITE] = 1;
      break;
   case GEN7_DP_RENDER_MESSAGE_TYPED_ATOMIC_OPERATION:
      events[OA_ATOMIC] = 1;
      events[OA_MEMORY] = 1;
      break;
   case GEN7_DP_RENDER_MESSAGE_MEDIA_BLOCK_READ:
   case GEN7_DP_RENDER_MESSAGE_TYPED_SURFACE_READ:
      events[OA_MEMORY] = lines(hw_response_length(desc));
      break;
   case GEN7_DP_RENDER_MESSAGE_TYPED_SURFACE_WRITE: /* one register a component */
      events[OA_MEMORY] =
          lines(dp_count4(hw_get(~desc, GEN7_DP_TYPED_SURFACE_DESCRIPTOR__CHANNEL_MASK)));
      break;
   case GEN7_DP_RENDER_MESSAGE_MEDIA_BLOCK_WRITE:
      events[OA_MEMORY] = lines(sent_registers(desc));
      break;
   default:
      break;
   }
}

/* SYS-357: a block of 2x2 is four slots. */
static uint8_t
sampled_2x2s(uint32_t desc)
{
   static const uint8_t of_simd[4] = {
       [SAMPLER_SIMD4X2] = 2, /* each vertex has its own */
       [SAMPLER_SIMD8] = 2,
       [SAMPLER_SIMD16] = 4,
       [SAMPLER_SIMD32] = 16,
   };
   unsigned type = hw_get(desc, GEN7_SAMPLER_DESCRIPTOR__MESSAGE_TYPE);
   bool asks = type == SAMPLER_RESINFO || type == SAMPLER_SAMPLEINFO ||
               type == GEN7_SAMPLER_WIDE_MESSAGE_CACHE_FLUSH;
   return asks ? 0 : of_simd[hw_get(desc, GEN7_SAMPLER_DESCRIPTOR__SIMD_MODE)];
}

void
sf_events(unsigned sfid, uint32_t desc, uint8_t events[OA_INSTRUCTION_EVENTS])
{
   switch (sfid) {
   case SFID_SAMPLER:
      events[OA_SAMPLER_2X2] = sampled_2x2s(desc);
      break;
   case SFID_GATEWAY:
      events[OA_BARRIER] = hw_get(desc, GEN7_GATEWAY_MESSAGE_DESCRIPTOR__SUBFUNCID) ==
                           GEN7_GATEWAY_MESSAGE_DESCRIPTOR_SUBFUNCID_BARRIERMSG;
      break;
   case SFID_DP_RENDER:
      render_events(desc, events);
      break;
   case SFID_DP_SAMPLER:
   case SFID_DP_CONSTANT:
      events[OA_MEMORY] = lines(hw_response_length(desc));
      break;
   case SFID_DP_DATA0:
      data_events(desc, events);
      break;
   default:
      break;
   }
}
