/* Any bytes behind the header of a hang dump. */
#include "fuzz_hang.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   uint32_t head[6] = {[0] = 1, [4] = 1 + (size & 1)}; /* both versions */
   const uint64_t magic = UINT64_C(0x4245012345676463);
   memcpy(&head[2], &magic, sizeof(magic));
   return fuzz_capture(head, sizeof(head), data, size);
}
