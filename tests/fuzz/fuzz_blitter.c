/* Any dwords as 2D commands, with small and large budgets: bounded, and inside memory. */
#include "stand.h"

#include "blitter/blitter.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define RAM 0x100000u
#define BASE 0x00400000u

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   static const struct pergola_config config = {.check = PERGOLA_CHECK_REPORT, .host_threads = 1};
   static struct pergola_device *dev;
   static uint8_t *ram;
   static uint32_t dw[1024];
   if (!dev)
      dev = fuzz_stand(&config, BASE, RAM, FUZZ_NO_HOLE, &ram);
   if (size < 8)
      return 0;
   blitter_reset(dev->blitter);
   reg_set(dev, REG_BCS_SWCTRL, data[0] & 3);
   uint64_t slice = data[1] ? data[1] : 1, total = 500;
   uint32_t count = (uint32_t)((size - 4) / 4 < 1024 ? (size - 4) / 4 : 1024);
   memcpy(dw, data + 4, count * 4);
   for (uint32_t at = 0; at < count && total;) {
      dw[at] = (dw[at] & 0x1fffffff) | 0x40000000;
      const struct hw_command *desc = hw_command_find(dw[at], HW_BCS, HW_IVB);
      uint32_t length = desc ? hw_command_length(desc, dw[at]) : 1;
      if (!desc || length > count - at || length < desc->layout.length_dw) {
         at++;
         continue;
      }
      enum cs_hand hand = CS_FRESH;
      struct cs_command c = {.dev = dev,
                             .hand = &hand,
                             .desc = desc,
                             .dw = dw + at,
                             .count_dw = length,
                             .address = at * 4,
                             .space = &dev->ggtt};
      enum cs_result r = CS_AGAIN;
      while (r == CS_AGAIN && total) {
         uint64_t budget = slice < total ? slice : total;
         total -= budget;
         r = blitter_command(dev->blitter, &c, &budget);
      }
      if (r == CS_ERROR)
         abort();
      at += length;
   }
   return 0;
}
