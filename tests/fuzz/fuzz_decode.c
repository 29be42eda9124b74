/* Any bytes as a batch: the first four choose engine, part, mode and base; the rest are dwords. */
#include "hw/decode.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   static FILE *null;
   static uint32_t dw[4096];
   if (!null && !(null = fopen("/dev/null", "w")))
      return 0;
   if (size < 8)
      return 0;
   size_t count = (size - 4) / 4 < 4096 ? (size - 4) / 4 : 4096;
   memcpy(dw, data + 4, count * 4);
   struct hw_decode_request r = {.dw = dw,
                                 .count_dw = count,
                                 .base = (uint32_t)data[3] << 24,
                                 .engine_bit = 1u << data[0] % 3,
                                 .device_bit = 1u << data[1] % 3,
                                 .ring = data[2] & 1,
                                 .all = data[2] & 2};
   struct hw_decode_writer w = {
       .out = null, .color = data[2] & 4, .engine_bit = r.engine_bit, .device_bit = r.device_bit};
   struct hw_decode_sink sink;
   struct hw_decode_result result;
   (data[2] & 8 ? hw_decode_json : hw_decode_text)(&w, &sink);
   hw_decode(&r, &sink, &result);
   return 0;
}
