/* Any bytes as a kernel: the first 16 choose masks, modes and register contents; the rest is
 * executed under a budget. */
#include "pergola/pergola_eu.h"

#include "machine/device.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   static struct pergola_eu_bench *bench;
   if (!bench) {
      struct pergola_config config = {.check = PERGOLA_CHECK_REPORT};
      bench = pergola_eu_create(&config, NULL);
      if (!bench || !pergola_eu_buffer(bench, 0, 4096) || !pergola_eu_buffer(bench, 1, 100))
         return 0;
   }
   if (size < 24 || pergola_eu_load_binary(bench, data + 16, size - 16 < 65536 ? size - 16 : 65536))
      return 0;
   uint32_t mask, seed;
   memcpy(&mask, data, 4);
   memcpy(&seed, data + 4, 4);
   unsigned threads = 1 + data[8] % 4;
   pergola_eu_start(bench, threads, mask);
   for (unsigned t = 0; t < threads; t++) {
      uint32_t *grf = pergola_eu_grf(bench, t);
      for (unsigned i = 8; i < 1024; i++)
         grf[i] = seed = seed * 1664525 + 1013904223;
   }
   pergola_eu_run(bench, 2000);
   rules_clear_stop(pergola_eu_device(bench));
   return 0;
}
