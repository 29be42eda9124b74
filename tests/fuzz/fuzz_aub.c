/* Any bytes behind the header of an AUB file. */
#include "fuzz_hang.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   static const uint32_t head[13] = {0xe085000b, 4u << 24};
   return fuzz_capture(head, sizeof(head), data, size);
}
