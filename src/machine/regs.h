/* The register file's own seams: side effects, defaults. */
#ifndef PERGOLA_MACHINE_REGS_H
#define PERGOLA_MACHINE_REGS_H

#include "machine/device.h"

#define MMIO_REGISTERS_SIZE 0x200000u
#define GTT_WINDOW_BASE MMIO_REGISTERS_SIZE

bool regs_create(struct pergola_device *dev);
void regs_destroy(struct pergola_device *dev);
/* Every register whose reset domain is in the mask gets its default. */
void regs_reset(struct pergola_device *dev, unsigned domains);

/* One write, after the value has been stored. */
struct reg_write {
   const struct hw_register *row;
   uint32_t old_value, stored; /* what the register held and holds */
   uint32_t byte_mask;         /* the bytes that came over the bus */
   const char *engine;
};

/* The host has reached for a register where none is: the part remembers it. */
void regs_unclaimed(struct pergola_device *dev);

/* The manual's restrictions on what may be written where. */
void register_rules(struct pergola_device *dev, const struct reg_write *w);

/* The engine whose block the offset lies in, or ENGINE_COUNT. */
unsigned register_engine(uint32_t offset);

/* Interrupt banks: an identity register was written with `cleared` bits. */
void interrupt_identity_cleared(struct pergola_device *dev, uint32_t offset, uint32_t cleared);
void interrupt_reset(struct pergola_device *dev);

/* Force wake, sleep states, the pcode mailbox. */
bool power_written(struct pergola_device *dev, const struct reg_write *w);
enum hw_wake power_well(const struct pergola_device *dev, const struct hw_register *row);

/* Valleyview's sideband: the doorbell rang. */
void sideband_written(struct pergola_device *dev, uint32_t request);
void sideband_reset(struct pergola_device *dev);

#endif
