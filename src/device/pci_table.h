/* Configuration space as data: a table of registers per family of parts. */
#ifndef PERGOLA_DEVICE_PCI_TABLE_H
#define PERGOLA_DEVICE_PCI_TABLE_H

#include "machine/device.h"

#define PCI_SIZE_MOST 0x1000u

enum pci_attribute {
   PCI_PLAIN,
   PCI_ONCE, /* takes one write, then none until it is made again */
};

struct pci_register {
   const char *name, *ledger;
   uint16_t offset;
   uint8_t size;
   uint8_t attribute;
   uint32_t value, writable; /* at reset; bits that a write changes */
};

/* Where registers with side effects lie; 0: there is none. */
struct pci_family {
   const struct pci_register *table[2];
   uint16_t count[2];
   uint16_t size;
   uint16_t msi;
   bool msi_masks;    /* with mask and pending bits */
   uint16_t aperture; /* the byte with the size of BAR2 */
   uint16_t reset;    /* a function level reset starts with … */
   uint16_t reset_bit;
   uint16_t hide_io; /* bit 0 hides IOBAR */
   uint16_t sci;     /* bit 15 takes one write */
};

const struct pci_family *pci_family_of(const struct pergola_device *dev);

#endif
