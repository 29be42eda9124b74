/* Ice Lake's GT, from the bus to the command streamers.
 *
 * The streamers run MI commands, PIPE_CONTROL and MI_FLUSH_DW; whatever else they meet is named
 * once and skipped by its length. spec/facts/gen11-submission.md */
#ifndef PERGOLA_GEN11_H
#define PERGOLA_GEN11_H

#include "machine/regs.h"

struct gen11;
struct snapshot;

/* SYS-089: 2 MiB of registers, reserved, 8 MiB of GTT entries. */
#define GEN11_BAR0_SIZE 0x1000000u
#define GEN11_GTT_WINDOW 0x800000u

enum gen11_engine { GEN11_RCS0, GEN11_BCS0, GEN11_VCS0, GEN11_VCS2, GEN11_VECS0, GEN11_ENGINES };

struct gen11 *gen11_create(struct pergola_device *dev);
void gen11_destroy(struct gen11 *g);
void gen11_snapshot(struct gen11 *g, struct snapshot *s);
/* Everything but memory and GTT entries. */
void gen11_function_reset(struct gen11 *g);

/* struct machine_calls */
void gen11_where(const struct pergola_device *dev, enum engine_id engine, struct machine_where *w);
uint32_t gen11_register_read(struct pergola_device *dev, const struct hw_register *row,
                             uint32_t stored);
void gen11_register_written(struct pergola_device *dev, const struct reg_write *w);

/* BAR0 by aligned dwords. Is an access of this size at this place one that the unit takes? If not
 * it is diagnosed, reads 0 and writes nothing. */
bool gen11_takes(struct gen11 *g, uint32_t offset, unsigned size, bool write);
uint32_t gen11_bus_read(struct gen11 *g, uint32_t offset);
void gen11_bus_write(struct gen11 *g, uint32_t offset, uint32_t value, uint32_t byte_mask);

/* A page of the global GTT as the aperture sees it; NULL: there is none. */
void *gen11_aperture_page(struct gen11 *g, uint64_t address, bool write);

enum pergola_run_result gen11_run(struct gen11 *g, uint64_t limit);
void gen11_engine_status(const struct gen11 *g, enum gen11_engine engine,
                         struct pergola_engine_status *status);

/* SYS-126: configuration space wrote the Graphics System Event register. */
void gen11_system_event(struct gen11 *g);

/* ---- what a product decides, and tests change -------------------------------------------------
 */

/* SYS-183: off, every register answers; on, one of a sleeping domain reads 0 and drops writes. */
void gen11_set_power_gating(struct gen11 *g, bool on);
/* SYS-224: slices (1 or 2) and which of them the fuses leave. */
void gen11_set_slices(struct gen11 *g, unsigned count, uint8_t enabled);

#endif
