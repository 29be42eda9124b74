/* Custom events: the block of each B counter (SYS-411). */
#include "oa/gen11.h"

#define COMPARE(name) GEN11_OA_CUSTOM_EVENT_COMPARE_FUNCTION_##name
#define SOURCE(name) GEN11_OA_CUSTOM_EVENT_SOURCE_##name

/* Compare Function, over the bits that the mask leaves. */
static bool
compare(unsigned function, uint16_t bus, uint16_t value, uint16_t mask)
{
   uint16_t used = (uint16_t)~mask, a = bus & used, b = value & used;
   switch (function) {
   case COMPARE(ANY_EQUAL):
      return ((a ^ b) & used) != used; /* any equal; none with no bit left */
   case COMPARE(GREATER):
      return a > b;
   case COMPARE(EQUAL):
      return a == b;
   case COMPARE(GREATER_OR_EQUAL):
      return a >= b;
   case COMPARE(LESS):
      return a < b;
   case COMPARE(NOT_EQUAL):
      return a != b;
   case COMPARE(LESS_OR_EQUAL):
      return a <= b;
   default:
      return true;
   }
}

static uint16_t
select_source(unsigned source, uint16_t signals, uint16_t previous, uint8_t booleans)
{
   switch (source) {
   case SOURCE(INTERNAL_SIGNALS):
      return signals;
   case SOURCE(PREVIOUS_BLOCK):
      return previous;
   case SOURCE(BOOLEAN_EVENTS):
      return (uint16_t)((signals & 0xff00) | booleans);
   default:
      return 0; /* reserved */
   }
}

uint8_t
oa_custom_clock(struct oa_custom block[OA11_B], uint16_t signals, uint8_t booleans)
{
   uint16_t previous = 0; /* the first block has none before it */
   uint8_t outputs = 0;
   for (unsigned n = 0; n < OA11_B; n++) {
      struct gen11_oa_custom_event e;
      gen11_oa_custom_event_unpack(&e, block[n].cec);
      uint16_t now = select_source(e.source, signals, previous, booleans);
      uint16_t delayed = (uint16_t)e.considerations;
      uint16_t bus = (uint16_t)((now & ~delayed) | (block[n].last & delayed));
      bus ^= (uint16_t)e.negate; /* SYS-244: 11 bits */
      block[n].last = now;
      bool holds = compare(e.compare_function, bus, (uint16_t)e.compare_value, (uint16_t)e.mask);
      outputs |= (uint8_t)(holds << n);
      previous = bus;
   }
   return outputs;
}
