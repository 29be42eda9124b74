/* The register file's own seams: side effects, defaults. */
#ifndef PERGOLA_REGS_H
#define PERGOLA_REGS_H

#include "device/device.h"

#define MMIO_REGISTERS_SIZE 0x200000u
#define GTT_WINDOW_BASE MMIO_REGISTERS_SIZE

bool regs_create(struct pergola_device *dev);
void regs_destroy(struct pergola_device *dev);
/* Every register whose reset domain is in the mask gets its default. */
void regs_reset(struct pergola_device *dev, unsigned domains);

/* Side effects. Called for rows with `hooked` set only. */
uint32_t hook_read(struct pergola_device *dev, const struct hw_register *row, uint32_t stored);
void hook_written(struct pergola_device *dev, const struct hw_register *row, uint32_t old_value,
                  uint32_t value);

/* The device's PCI function. */
struct pci_config *pci_create(const struct pergola_sku *sku);
void pci_destroy(struct pci_config *pci);

#endif
