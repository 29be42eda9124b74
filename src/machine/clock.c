/* Model time: counted by what the engines do, never read from the host. */
#include "machine/device.h"

void
clock_advance(struct pergola_device *dev, uint64_t ns)
{
   dev->time_ns += ns;
}

/* RCS-026: 36 bits, one count every 80 ns. */
uint64_t
clock_timestamp(const struct pergola_device *dev)
{
   return dev->time_ns / 80 & ((UINT64_C(1) << 36) - 1);
}

uint64_t
pergola_time_ns(const struct pergola_device *dev)
{
   return dev->time_ns;
}
