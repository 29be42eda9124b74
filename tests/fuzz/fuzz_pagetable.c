/* Any bytes as page tables: the GSM, a directory place and page table pages are the input; then
 * every kind of access is tried at addresses of the input's choice. */
#include "fuzz_device.h"
#include "machine/device.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PAGES = 16 };

/* Inside the segments every access must stay: guard pages on both sides tell. */
static _Alignas(4096) uint8_t arena[(PAGES + 2) * 4096];

static void
try_space(struct mem_space *s, uint32_t address, uint8_t how)
{
   uint8_t buffer[9000];
   size_t n = (size_t)how * 33 + 1;
   memset(buffer, how, sizeof(buffer));
   bool could = mem_probe(s, address, n, MEM_WRITE);
   bool did = mem_write(s, address, buffer, n);
   if (could != did && address + (uint64_t)n <= UINT32_MAX)
      abort(); /* the probe and the access must agree */
   mem_read(s, address, buffer, n);
   if (how & 1)
      mem_invalidate(s);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   if (size < 16)
      return 0;
   struct pergola_device *dev = fuzz_device(data[0] & 1);
   memset(arena, 0x5a, sizeof(arena));
   uint8_t *ram = arena + 4096;
   memset(ram, 0, PAGES * 4096);
   uint64_t where = (uint64_t)(data[1] & 0x3f) << 34 | (uint64_t)data[2] << 12,
            second = where + (uint64_t)data[3] * 4096;
   pergola_memory_add(dev, where, ram, PAGES / 2 * 4096, 0);
   pergola_memory_add(dev, second, ram + PAGES / 2 * 4096, PAGES / 2 * 4096, data[4] & 1);
   uint32_t base;
   memcpy(&base, data + 5, 4);
   /* Half of the rest is GSM entries at the directory and at 0, half is page table content. */
   size_t rest = (size - 9) / 2 & ~(size_t)3;
   uint32_t line = (base >> 16 & 0x7fff) * 16;
   for (size_t i = 0; i + 4 <= rest; i += 4) {
      uint32_t entry;
      memcpy(&entry, data + 9 + i, 4);
      pergola_mmio_write(dev, 0x200000 + 4 * (uint32_t)(i / 4), 4, entry);
      pergola_mmio_write(dev, 0x200000 + 4 * ((line + (uint32_t)i / 4) & 0x7ffff), 4, entry);
   }
   size_t table = rest < PAGES * 4096 ? rest : PAGES * 4096;
   memcpy(ram, data + 9 + rest, table);
   pergola_mmio_write(dev, 0x2220, 4, data[9] & 1 ? 0xffffffff : data[10]);
   pergola_mmio_write(dev, 0x2228, 4, base);
   for (size_t i = 9; i + 4 < size && i < 9 + 128; i += 5) {
      uint32_t address;
      memcpy(&address, data + i, 4);
      if (data[i + 4] & 0x80)
         address &= 0x1ffff;
      try_space(data[i + 4] & 0x40 ? &dev->ggtt : &dev->ppgtt[RCS], address, data[i + 4] & 0x3f);
   }
   for (size_t i = 0; i < 4096; i++)
      if (arena[i] != 0x5a || arena[sizeof(arena) - 1 - i] != 0x5a)
         abort();
   pergola_memory_remove(dev, where);
   pergola_memory_remove(dev, second); /* unless the two overlapped: then there is none */
   return 0;
}
