/* How fast a batch is decoded into text, beside a hex dump of the same dwords by printf. */
#include "hw/decode.h"

#include <stdlib.h>
#include <time.h>

#define COUNT_DW (16u << 20) /* 64 MiB */

static double
now(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Every command of the render engine in turn, with small values in its fields. */
static void
fill(uint32_t *dw)
{
   size_t at = 0, which = 0;
   while (at < COUNT_DW) {
      const struct hw_command *c = &hw_commands[which++ % hw_command_count];
      bool ends = c->header >> 23 == 0x0a || c->header >> 23 == 0x31;
      if (!(c->engines & HW_RCS && c->devices & HW_IVB) || ends)
         continue;
      uint32_t header = c->header;
      uint32_t least = c->layout.length_dw;
      if (c->length_bits && least > c->bias)
         header |= (least - c->bias) << c->length_lo;
      uint32_t length = hw_command_length(c, header);
      if (at + length > COUNT_DW) {
         while (at < COUNT_DW)
            dw[at++] = 0x680b0000; /* 3DSTATE_VF_STATISTICS, a single dword */
         return;
      }
      dw[at] = header;
      for (uint32_t i = 1; i < length; i++)
         dw[at + i] =
             (uint32_t)(at * 2654435761u) >> 20 & ~(c->layout.length_dw > i ? c->layout.mbz[i] : 0);
      at += length;
   }
}

int
main(void)
{
   uint32_t *dw = malloc((size_t)COUNT_DW * 4);
   FILE *null = fopen("/dev/null", "w");
   if (!dw || !null)
      return 1;
   fill(dw);
   double t0 = now();
   for (size_t i = 0; i < COUNT_DW; i++)
      fprintf(null, "0x%08zx:  0x%08x\n", i * 4, dw[i]);
   double dump = now() - t0;
   struct hw_decode_request r = {
       .dw = dw, .count_dw = COUNT_DW, .engine_bit = HW_RCS, .device_bit = HW_IVB};
   struct hw_decode_writer w = {.out = null, .engine_bit = HW_RCS, .device_bit = HW_IVB};
   struct hw_decode_sink sink;
   struct hw_decode_result result;
   hw_decode_text(&w, &sink);
   t0 = now();
   if (!hw_decode(&r, &sink, &result))
      return 1;
   double decode = now() - t0;
   double mb_per_minute = COUNT_DW * 4.0 / 1e6 / decode * 60;
   printf("decode: %llu commands, %.0f MB of dwords per minute; %.2f x the time of a hex dump\n",
          (unsigned long long)result.commands, mb_per_minute, decode / dump);
   fclose(null);
   free(dw);
   if (result.unknown || mb_per_minute < 50) {
      printf("decode: below 50 MB per minute, or the batch was not understood\n");
      return 1;
   }
   return 0;
}
