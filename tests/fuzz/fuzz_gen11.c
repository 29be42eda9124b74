/* Any bytes as a session on the Ice Lake part: accesses of all widths, context images, page tables
 * and rings made of the input, runs. */
#include "gen11/gen11.h"
#include "stand.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MEMORY 0x40000u

/* Registers of the part, the GTT window, or anywhere. */
static uint32_t
place(struct fuzz_input *in)
{
   uint32_t v = (uint32_t)fuzz_number(in, 3);
   if (v & 0x800000)
      return v & 0x100ffff ? v : v & 0xffffff;
   const struct hw_register *r = &hw_registers[v % hw_register_count];
   return r->offset + (v >> 21 & 3);
}

static void
submit(struct pergola_device *dev, struct fuzz_input *in)
{
   static const uint32_t bases[] = {0x2000, 0x22000, 0x1c0000, 0x1d0000, 0x1c8000};
   uint32_t base = bases[fuzz_number(in, 1) % 5];
   for (unsigned i = 0; i < 2; i++)
      pergola_mmio_write(dev, base + 0x510 + 8 * i, 8, fuzz_number(in, 6));
   pergola_mmio_write(dev, base + 0x550, 4, 1);
   pergola_run(dev, 2000);
}

static void
step(struct pergola_device *dev, uint8_t *memory, struct fuzz_input *in)
{
   uint8_t op = (uint8_t)fuzz_number(in, 1);
   unsigned size = fuzz_access_size(op);
   switch (op & 15) {
   case 0 ... 4:
      pergola_mmio_write(dev, place(in), size, fuzz_number(in, 4));
      break;
   case 5 ... 6:
      pergola_mmio_read(dev, place(in), size);
      break;
   case 7:
      pergola_pci_write(dev, (uint32_t)fuzz_number(in, 2) & 0x1fff, size,
                        (uint32_t)fuzz_number(in, 4));
      break;
   case 8:
      pergola_pci_read(dev, (uint32_t)fuzz_number(in, 2) & 0x1fff, size);
      break;
   case 9: {
      uint32_t at = (uint32_t)fuzz_number(in, 3) % MEMORY, n = (uint32_t)fuzz_number(in, 1);
      for (uint32_t i = 0; i < n && at + i < MEMORY; i++)
         memory[at + i] = (uint8_t)fuzz_number(in, 1);
      break;
   }
   case 10:
      pergola_run(dev, 3000);
      break;
   case 11: {
      uint8_t buffer[64];
      pergola_aperture_read(dev, fuzz_number(in, 4), buffer, op >> 4 & 15);
      break;
   }
   case 12:
      gen11_set_power_gating(dev->gen11, op & 16);
      break;
   case 13:
      if (op & 64 && pergola_device_save(dev, NULL, 0) < 0)
         abort();
      break;
   default:
      pergola_pci_write(dev, 4, 2, 7);
      submit(dev, in);
      break;
   }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct pergola_device *dev = pergola_device_create(
       &(struct pergola_config){.sku = "icl", .check = PERGOLA_CHECK_REPORT}, NULL);
   uint8_t *memory = aligned_alloc(4096, MEMORY);
   if (!dev || !memory)
      abort();
   memset(memory, 0, MEMORY);
   pergola_memory_add(dev, 0x1000000, memory, MEMORY, 0);
   pergola_pci_write(dev, 4, 2, 7);
   pergola_machine_map(&(struct pergola_machine){.dev = dev}, 0, 0x1000000, MEMORY / 4096);
   struct fuzz_input in = {data, size};
   for (unsigned steps = 0; in.left && steps < 500; steps++)
      step(dev, memory, &in);
   pergola_device_destroy(dev);
   free(memory);
   return 0;
}
