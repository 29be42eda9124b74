/* PCI configuration space of function 0:2.0. */
#include "device/regs.h"

#include <stdlib.h>
#include <string.h>

struct pci_config {
   uint8_t value[256];
   uint8_t writable[256]; /* per bit */
};

static void
put(uint8_t *bytes, unsigned offset, unsigned size, uint32_t value)
{
   for (unsigned i = 0; i < size; i++)
      bytes[offset + i] = (uint8_t)(value >> 8 * i);
}

struct pci_config *
pci_create(const struct pergola_sku *sku)
{
   struct pci_config *p = calloc(1, sizeof(*p));
   if (!p)
      return NULL;
   put(p->value, 0x00, 2, 0x8086);
   put(p->value, 0x02, 2, sku->pci_device_id);
   put(p->value, 0x08, 1, sku->pci_revision);
   put(p->value, 0x09, 3, 0x030000);
   return p;
}

void
pci_destroy(struct pci_config *p)
{
   free(p);
}
