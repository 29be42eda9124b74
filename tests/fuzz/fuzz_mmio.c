/* Any bytes as a bus session: registers, GTT window, aperture, I/O, configuration space, runs. */
#include "fuzz_device.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
   const uint8_t *at, *end;
};

static uint64_t
take(struct input *in, unsigned bytes)
{
   uint64_t v = 0;
   size_t left = (size_t)(in->end - in->at), n = left < bytes ? left : bytes;
   memcpy(&v, in->at, n);
   in->at += n;
   return v;
}

/* Mostly offsets where registers are, sometimes anywhere. */
static uint32_t
offset(struct input *in)
{
   uint32_t v = (uint32_t)take(in, 3);
   if (v & 0x800000)
      return v & 0x4fffff;
   return hw_registers[v % hw_register_count].offset + (v >> 21 & 3);
}

static void
step(struct pergola_device *dev, struct input *in)
{
   static const unsigned sizes[8] = {4, 4, 4, 1, 2, 8, 3, 0};
   uint8_t op = (uint8_t)take(in, 1), buffer[64];
   unsigned size = sizes[op >> 5];
   switch (op & 15) {
   case 0 ... 5:
      pergola_mmio_write(dev, offset(in), size, take(in, size ? size : 1));
      break;
   case 6 ... 8:
      pergola_mmio_read(dev, offset(in), size);
      break;
   case 9:
      pergola_pci_write(dev, (uint32_t)take(in, 2), size, (uint32_t)take(in, 4));
      break;
   case 10:
      pergola_pci_read(dev, (uint32_t)take(in, 2), size);
      break;
   case 11:
      memset(buffer, op, sizeof(buffer));
      pergola_aperture_write(dev, take(in, 4), buffer, take(in, 1) & 63);
      break;
   case 12:
      pergola_aperture_read(dev, take(in, 4), buffer, take(in, 1) & 63);
      break;
   case 13:
      pergola_io_write(dev, (uint32_t)take(in, 1), size, (uint32_t)take(in, 4));
      break;
   case 14:
      pergola_io_read(dev, (uint32_t)take(in, 1), size);
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
   struct input in = {data, data + size};
   struct pergola_device *dev = fuzz_device(take(&in, 1) & 1);
   if (!dev)
      return 0;
   memset(ram, 0, sizeof(ram));
   pergola_memory_add(dev, 0, ram, sizeof(ram), 0);
   for (uint32_t i = 0; i < PAGES; i++)
      pergola_mmio_write(dev, 0x200000 + 4 * i, 4, i * 4096 + 3);
   for (unsigned n = 0; in.at < in.end && n < 512; n++)
      step(dev, &in);
   return 0;
}
