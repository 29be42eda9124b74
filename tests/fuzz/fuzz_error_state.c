/* Any bytes behind the first lines of an i915 error state. */
#include "fuzz_hang.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   static const char head[] = "GPU HANG: ecode 7:1:85fdfffd, in a [1]\nPCI ID: 0x0166\n";
   return fuzz_capture(head, sizeof(head) - 1, data, size);
}
