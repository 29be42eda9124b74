/* Custom events: the block of each B counter (SYS-411). */
#include "oa/gen11.h"

/* Compare Function, over the bits that the mask leaves. */
static bool
compare(unsigned function, uint16_t bus, uint16_t value, uint16_t mask)
{
   uint16_t used = (uint16_t)~mask, a = bus & used, b = value & used;
   switch (function) {
   case 0:
      return ((a ^ b) & used) != used; /* any equal; none with no bit left */
   case 1:
      return a > b;
   case 2:
      return a == b;
   case 3:
      return a >= b;
   case 4:
      return a < b;
   case 5:
      return a != b;
   case 6:
      return a <= b;
   default:
      return true;
   }
}

static uint16_t
select_source(unsigned source, uint16_t signals, uint16_t previous, uint8_t booleans)
{
   switch (source) {
   case 0:
      return signals;
   case 1:
      return previous;
   case 2:
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
      uint32_t cec0 = block[n].cec[0], cec1 = block[n].cec[1];
      uint16_t now = select_source(cec0 >> 19 & 3, signals, previous, booleans);
      uint16_t delayed = (uint16_t)(cec1 >> 16);
      uint16_t bus = (uint16_t)((now & ~delayed) | (block[n].last & delayed));
      bus ^= (uint16_t)(cec0 >> 21); /* SYS-244: 11 bits */
      block[n].last = now;
      outputs |= (uint8_t)(compare(cec0 & 7, bus, (uint16_t)(cec0 >> 3), (uint16_t)cec1) << n);
      previous = bus;
   }
   return outputs;
}
