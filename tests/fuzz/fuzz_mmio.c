/* Any bytes as a bus session: registers, GTT window, aperture, I/O, configuration space, runs. */
#include "fuzz_device.h"
#include "hw/hw.h"
#include "stand.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Mostly offsets where registers are, sometimes anywhere. */
static uint32_t
offset(struct fuzz_input *in)
{
   uint32_t v = (uint32_t)fuzz_number(in, 3);
   if (v & 0x800000)
      return v & 0x4fffff;
   return hw_registers[v % hw_register_count].offset + (v >> 21 & 3);
}

static void
step(struct pergola_device *dev, struct fuzz_input *in)
{
   uint8_t op = (uint8_t)fuzz_number(in, 1), buffer[64];
   unsigned size = fuzz_access_size(op);
   switch (op & 15) {
   case 0 ... 5:
      pergola_mmio_write(dev, offset(in), size, fuzz_number(in, size ? size : 1));
      break;
   case 6 ... 8:
      pergola_mmio_read(dev, offset(in), size);
      break;
   case 9:
      pergola_pci_write(dev, (uint32_t)fuzz_number(in, 2), size, (uint32_t)fuzz_number(in, 4));
      break;
   case 10:
      pergola_pci_read(dev, (uint32_t)fuzz_number(in, 2), size);
      break;
   case 11:
      memset(buffer, op, sizeof(buffer));
      pergola_aperture_write(dev, fuzz_number(in, 4), buffer, fuzz_number(in, 1) & 63);
      break;
   case 12:
      pergola_aperture_read(dev, fuzz_number(in, 4), buffer, fuzz_number(in, 1) & 63);
      break;
   case 13:
      pergola_io_write(dev, (uint32_t)fuzz_number(in, 1), size, (uint32_t)fuzz_number(in, 4));
      break;
   case 14:
      pergola_io_read(dev, (uint32_t)fuzz_number(in, 1), size);
      break;
   default:
      pergola_run(dev, 64);
      break;
   }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   enum { PAGES = 8 };
   static _Alignas(4096) uint8_t ram[PAGES * 4096];
   struct fuzz_input in = {data, size};
   struct pergola_device *dev = fuzz_device(fuzz_number(&in, 1) & 1);
   memset(ram, 0, sizeof(ram));
   pergola_memory_add(dev, 0, ram, sizeof(ram), 0);
   pergola_machine_map(&(struct pergola_machine){.dev = dev}, 0, 0, PAGES);
   for (unsigned n = 0; in.left && n < 512; n++)
      step(dev, &in);
   pergola_memory_remove(dev, 0);
   return 0;
}
