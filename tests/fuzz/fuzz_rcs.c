#include "streamer.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   return fuzz_streamer(RCS, data, size);
}
