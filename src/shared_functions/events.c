/* What messages count as (oa/events.h), by what their descriptors say. A message counts whole,
 * whatever its channels: the chip, too, counts requests of 64 bytes (SYS-359..361). */
#include "shared_functions/dataport/dataport.h"
#include "shared_functions/sampler/sampler.h"

static uint8_t
lines(unsigned registers)
{
   return registers ? (uint8_t)((registers + 1) / 2) : 1;
}

/* Registers of data that a message of the data cache writes. */
static unsigned
written_registers(unsigned type, uint32_t desc)
{
   unsigned sent = dp_bits(desc, 28, 25), header = dp_bits(desc, 19, 19);
   unsigned left = sent > header ? sent - header : 0, addresses = 0;
   if (type == 11 || type == 12) /* DWord and Byte Scattered Write: an address for every one */
      addresses = left / 2;
   else if (type == 10)
      addresses = 1;
   else if (type == 13)
      addresses = dp_bits(desc, 13, 12) == 1 ? 2 : 1;
   return left > addresses ? left - addresses : 0;
}

static void
data_events(uint32_t desc, uint8_t events[OA_INSTRUCTION_EVENTS])
{
   unsigned type = dp_bits(desc, 17, 14), answer = dp_bits(desc, 24, 20);
   if (desc >> 18 & 1) { /* scratch space */
      bool write = desc >> 17 & 1;
      events[OA_MEMORY] = lines(write ? written_registers(8, desc) : answer);
      return;
   }
   if (type == 7) /* fence */
      return;
   bool slm = (desc & 0xff) == DP_BTI_SLM, atomic = type == 6, write = type >= 8;
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
   unsigned type = dp_bits(desc, 17, 14), answer = dp_bits(desc, 24, 20);
   switch (type) {
   case 12:
      events[OA_TARGET_WRITE] = 1;
      break;
   case 6:
      events[OA_ATOMIC] = 1;
      events[OA_MEMORY] = 1;
      break;
   case 4:
   case 5:
      events[OA_MEMORY] = lines(answer);
      break;
   case 13: /* one register a component */
      events[OA_MEMORY] = lines((unsigned)__builtin_popcount(~desc >> 8 & 15));
      break;
   case 10:
      events[OA_MEMORY] = lines(written_registers(8, desc));
      break;
   default:
      break;
   }
}

/* SYS-357: a block of 2x2 is four slots. */
static uint8_t
sampled_2x2s(uint32_t desc)
{
   static const uint8_t of_simd[4] = {2, 2, 4, 16}; /* SIMD4x2: each vertex has its own */
   unsigned type = desc >> 12 & 31;
   bool asks =
       type == SAMPLER_RESINFO || type == SAMPLER_SAMPLEINFO || type == 31; /* cache_flush */
   return asks ? 0 : of_simd[desc >> 17 & 3];
}

void
sf_events(unsigned sfid, uint32_t desc, uint8_t events[OA_INSTRUCTION_EVENTS])
{
   enum { BARRIER_MSG = 4 };
   switch (sfid) {
   case SFID_SAMPLER:
      events[OA_SAMPLER_2X2] = sampled_2x2s(desc);
      break;
   case SFID_GATEWAY:
      events[OA_BARRIER] = (desc & 7) == BARRIER_MSG;
      break;
   case SFID_DP_RENDER:
      render_events(desc, events);
      break;
   case SFID_DP_SAMPLER:
   case SFID_DP_CONSTANT:
      events[OA_MEMORY] = lines(dp_bits(desc, 24, 20));
      break;
   case SFID_DP_DATA0:
      data_events(desc, events);
      break;
   default:
      break;
   }
}
