/* What the files of this room share: the device as a whole, and its PCI function. */
#ifndef PERGOLA_DEVICE_ASSEMBLY_H
#define PERGOLA_DEVICE_ASSEMBLY_H

#include "machine/regs.h"

/* Translations and everything derived from memory contents at an address are dropped. */
void device_forget_memory(struct pergola_device *dev);
/* Entry `index` of the GGTT has changed (the GTT window). */
void device_gtt_written(struct pergola_device *dev, uint32_t index);
/* Page faults that memory accesses have latched since the last call become events of their engine.
 */
void device_take_faults(struct pergola_device *dev);
/* Software has cleared an engine's fault record. */
void device_fault_cleared(struct pergola_device *dev, enum engine_id engine);
/* Reset of the domains in the mask (enum hw_reset bits, 1 << HW_RESET_RCS …). */
void device_reset(struct pergola_device *dev, unsigned domains);
/* Function level reset: everything but memory and the host's own configuration. */
void device_function_reset(struct pergola_device *dev);

/* hooks.c: see struct machine_calls. */
uint32_t hook_read(struct pergola_device *dev, const struct hw_register *row, uint32_t stored);
void hook_written(struct pergola_device *dev, const struct reg_write *w);

/* done.c: INSTDONE of an engine, and SC_, SAMPLER_, ROW_INSTDONE. */
uint32_t device_instdone(struct pergola_device *dev, enum engine_id engine, uint32_t stored);
uint32_t device_units_done(struct pergola_device *dev, uint32_t offset);

/* snapshot.c. For tests of what lies behind the header: it becomes that of these bytes. */
void device_snapshot_seal(const struct pergola_device *dev, void *snapshot, size_t size);

/* pci.c */
struct pci_config *pci_create(const struct pergola_device *dev);
void pci_destroy(struct pci_config *pci);
struct snapshot;
void pci_snapshot(struct pci_config *pci, struct snapshot *s);
void pci_interrupt_changed(struct pergola_device *dev, bool level);
uint64_t pci_aperture_size(const struct pergola_device *dev);
/* SYS-078: memory space is on and the function is in D0. */
bool pci_decodes_memory(const struct pergola_device *dev);
bool pci_decodes_io(const struct pergola_device *dev);

#endif
