#include "pergola/pergola_machine.h"

#include "gen11/gen11.h"
#include "hw/gtt.h"
#include "machine/device.h"
#include "memory/memory.h"

#include <errno.h>
#include <sys/mman.h>

static void
map_page(struct pergola_device *dev, uint32_t page, uint64_t physical)
{
   if (!dev->gen11) {
      pergola_mmio_write(dev, HW_GTT_WINDOW + 4 * page, 4, hw_gtt_entry(physical) | HW_GTT_CACHED);
      return;
   }
   uint32_t dw[GEN11_PAGE_TABLE_ENTRY_LENGTH];
   const struct gen11_page_table_entry entry = {
       .present = true, .writable = true, .address = physical};
   gen11_page_table_entry_pack(dw, &entry);
   pergola_mmio_write(dev, GEN11_GTT_WINDOW + 8 * page, 8, dw[0] | (uint64_t)dw[1] << 32);
}

void
pergola_machine_map(struct pergola_machine *m, uint32_t graphics, uint64_t physical, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++)
      map_page(m->dev, graphics / MEM_PAGE_SIZE + i, physical + (uint64_t)i * MEM_PAGE_SIZE);
}

static int
fail(struct pergola_machine *m, const char **error, int number, const char *text)
{
   pergola_machine_destroy(m);
   if (error && text)
      *error = text;
   return number;
}

int
pergola_machine_create(struct pergola_machine *m, const struct pergola_config *config,
                       const struct pergola_machine_memory *want, const char **error)
{
   const uint64_t most = (uint64_t)MEM_GSM_SIZE / 4 * MEM_PAGE_SIZE;
   *m = (struct pergola_machine){0};
   if (!want->size || want->mapped > want->size || want->mapped > most ||
       want->graphics > most - want->mapped || (want->graphics | want->mapped) % MEM_PAGE_SIZE)
      return fail(m, error, -EINVAL, "the memory does not fit into the GGTT");
   m->dev = pergola_device_create(config, error);
   if (!m->dev)
      return fail(m, error, -EINVAL, NULL);
   if (m->dev->gen11)
      pergola_pci_write(m->dev, 4, 2, 6); /* it decodes accesses, and may read memory */
   void *memory = mmap(NULL, want->size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   if (memory == MAP_FAILED)
      return fail(m, error, -ENOMEM, "out of memory");
   m->memory = memory;
   m->size = want->size;
   int ret = pergola_memory_add(m->dev, want->physical, memory, want->size, 0);
   if (ret)
      return fail(m, error, ret, "the device cannot have memory there");
   pergola_machine_map(m, want->graphics, want->physical, (uint32_t)(want->mapped / MEM_PAGE_SIZE));
   return 0;
}

void
pergola_machine_destroy(struct pergola_machine *m)
{
   pergola_device_destroy(m->dev);
   if (m->memory)
      munmap(m->memory, m->size);
   m->dev = NULL;
   m->memory = NULL;
}
