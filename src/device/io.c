/* The I/O window: an index and a data port into BAR0. */
#include "device/assembly.h"

#include "rules/plural.h"

enum { IO_INDEX = 0, IO_DATA = 4, IO_SIZE = 8 };

/* SYS-429: active with I/O enable set in PCICMD; the offset names a register or a GTT entry. */
static bool
claimed(struct pergola_device *dev, uint32_t port, unsigned size)
{
   bool inside = (size == 1 || size == 2 || size == 4) && port < IO_SIZE &&
                 size <= IO_SIZE - port && port / 4 == (port + size - 1) / 4;
   if (inside && pci_decodes_io(dev))
      return true;
   struct rule_place place = {
       .engine = "bus", .subject = "I/O window", .address = port, .has_address = true};
   rule_report(dev, PERGOLA_WARNING, "SYS-429", &place, "an access of %u byte%s %s", size,
               plural(size),
               inside ? "while I/O decoding is off" : "does not lie in one of the two ports");
   return false;
}

uint32_t
pergola_io_read(struct pergola_device *dev, uint32_t port, unsigned size)
{
   if (!claimed(dev, port, size))
      return ~0u >> (size < 4 ? 32 - 8 * (size ? size : 1) : 0);
   if (port >= IO_DATA)
      return (uint32_t)pergola_mmio_read(dev, dev->io_index + port - IO_DATA, size);
   uint32_t value = dev->io_index >> 8 * port;
   return size < 4 ? value & ((1u << 8 * size) - 1) : value;
}

void
pergola_io_write(struct pergola_device *dev, uint32_t port, unsigned size, uint32_t value)
{
   if (!claimed(dev, port, size))
      return;
   if (port >= IO_DATA) {
      pergola_mmio_write(dev, dev->io_index + port - IO_DATA, size, value);
      return;
   }
   uint32_t mask = (size < 4 ? (1u << 8 * size) - 1 : ~0u) << 8 * port;
   dev->io_index = (dev->io_index & ~mask) | (value << 8 * port & mask);
}
