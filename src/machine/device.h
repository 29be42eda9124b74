/* The machine: one struct that everything hangs off, with the registers that all units share. */
#ifndef PERGOLA_MACHINE_DEVICE_H
#define PERGOLA_MACHINE_DEVICE_H

#include "gen7_hw.h"
#include "memory/memory.h"
#include "pergola/pergola.h"
#include "rules/rules.h"
#include "trace/trace.h"

#include <pthread.h>

enum engine_id { RCS, VCS, BCS, ENGINE_COUNT };
extern const char *const engine_names[ENGINE_COUNT]; /* "RCS", … */
static const uint32_t engine_base[ENGINE_COUNT] = {REG_BASE_RCS, REG_BASE_VCS, REG_BASE_BCS};
extern const uint32_t engine_fault[ENGINE_COUNT]; /* registers of page faults */

struct cs;            /* src/cs */
struct media;         /* src/media */
struct eu;            /* src/eu: kernel cache and execution configuration */
struct blitter;       /* src/blitter */
struct dispatcher;    /* src/dispatch */
struct gateway;       /* src/shared_functions */
struct urb;           /* src/shared_functions */
struct surface_cache; /* src/surface */
struct sanitizer;     /* src/sanitize */
struct phys_memory;
struct pci_config;
struct gen11; /* src/gen11 */

#define MAX_POSTED_WRITES 64u
struct posted_write {
   uint32_t offset, value;
};

/* What the machine calls of those who stand on it; src/device gives it. */
struct reg_write;
/* Where an engine stands: the ring, and the batches that were called from it. */
struct machine_where {
   const char *command; /* in hand, or NULL */
   unsigned levels;     /* 1: in the ring */
   uint32_t address[3], start[3];
};
struct machine_calls {
   void (*where)(const struct pergola_device *dev, enum engine_id engine, struct machine_where *w);
   /* Side effects, for registers with `hooked` set only. */
   uint32_t (*register_read)(struct pergola_device *dev, const struct hw_register *row,
                             uint32_t stored);
   void (*register_written)(struct pergola_device *dev, const struct reg_write *w);
   void (*interrupt_changed)(struct pergola_device *dev, bool level);
   /* Translations and everything derived from memory contents at an address are dropped. */
   void (*forget_memory)(struct pergola_device *dev);
};

struct pergola_device {
   const struct machine_calls *calls;
   struct pergola_sku sku;
   unsigned hw_device;   /* enum hw_device_bit */
   uint16_t urb_rows[2]; /* of 32 bytes, until L3 is divided: without and with shared memory */
   struct pergola_config config;

   uint32_t *mmio;    /* 2 MiB register file, indexed by offset / 4 */
   uint16_t *reg_row; /* by offset / 4: 1 + index into hw_registers; 0: no such register */
   uint32_t *gsm;     /* MEM_GSM_SIZE bytes of GTT entries */
   struct phys_memory *phys;
   struct mem_space ggtt;
   struct mem_space ppgtt[ENGINE_COUNT];

   struct rules *rules;
   struct trace trace;
   uint64_t time_ns;  /* model time */
   uint64_t eu_clock; /* EU instructions executed so far, as far as the command streamers have heard
                         of them */
   uint32_t oa_a[45], oa_b[4]; /* performance counters */

   bool interrupt_line;
   uint32_t second_event[3]; /* DE, GT, PM: events behind one that is still in the IIR */
   uint32_t
       fault_event; /* engines with a new page fault, and the flag below; from any host thread */
   uint32_t fault_fatal; /* engines that an unloaded page directory has stopped */
   uint32_t punit[256];  /* Valleyview: registers of the power controller, by the sideband */
   uint8_t wells_asleep; /* 1 << HW_WAKE_RENDER, …: power wells that may be asleep */
   pergola_interrupt_fn interrupt_fn;
   void *interrupt_data;
   void (*host_thread_begins)(
       void); /* called first on every host thread that the device makes; or NULL */

   struct pci_config *pci;
   uint32_t io_index; /* MMIO_INDEX of the I/O window */

   struct cs *cs[ENGINE_COUNT];
   struct media *media;
   struct eu *eu;
   struct gateway *gateway;
   struct urb *urb;
   struct dispatcher *dispatcher;
   struct blitter *blitter;
   struct render *render;
   struct surface_cache *surfaces;
   struct sanitizer *sanitizer; /* NULL: off */
   struct gen11 *gen11;  /* of an Ice Lake part, which has none of the units above; or NULL */
   struct oa_record *oa; /* src/oa/record.h; NULL: nobody records */

   unsigned
       posted_count; /* CS-024: register writes of threads that wait for the end of their turn */
   struct posted_write posted[MAX_POSTED_WRITES];
};

#define FAULT_EVENT_WRITE_INVALID (1u << 8) /* Valleyview: a write without permission */

/* Registers seen from inside the device: no access rules, no side effects. */
static inline uint32_t
reg_get(const struct pergola_device *dev, uint32_t offset)
{
   return dev->mmio[offset >> 2];
}
static inline void
reg_set(struct pergola_device *dev, uint32_t offset, uint32_t value)
{
   dev->mmio[offset >> 2] = value;
}

/* Registers seen from a command streamer (MI_LOAD_REGISTER_*, MI_STORE_REGISTER_MEM) or the bus:
 * access kind and side effects apply. 32 bits. `engine`: "bus", "RCS", … for diagnostics.
 * byte_mask has 0xff in the place of every byte that is written: 0xffffffff for the whole dword. */
uint32_t regs_read(struct pergola_device *dev, uint32_t offset, const char *engine);
void regs_write(struct pergola_device *dev, uint32_t offset, uint32_t value, uint32_t byte_mask,
                const char *engine);

/* A register write from within a thread. What has side effects waits until regs_take_posted(). The
 * caller keeps other threads out. */
void regs_post(struct pergola_device *dev, uint32_t offset, uint32_t value, const char *engine);
/* No thread runs: carries out what waits. */
void regs_take_posted(struct pergola_device *dev);

/* The address space that data accesses of an engine use: PPGTT if GFX_MODE[9], else GGTT. */
struct mem_space *device_data_space(struct pergola_device *dev, enum engine_id engine);

/* Model time. */
void clock_advance(struct pergola_device *dev, uint64_t ns);
uint64_t clock_timestamp(const struct pergola_device *dev); /* 36 bits, 80 ns a count */

/* VCS-312: the engines' bits in the shared GT interrupt registers; 0: the engine has no such event.
 */
struct engine_interrupts {
   uint32_t user, sync, error, notify, watchdog, page_fault, context_switch;
   uint32_t all;
};
extern const struct engine_interrupts engine_interrupts[ENGINE_COUNT];

/* Interrupts: an engine event by its GT bit; goes through engine IMR, GTIMR, IIR, IER, master. The
 * status page copy (HWSTAM) is written before. */
void interrupt_gt(struct pergola_device *dev, enum engine_id engine, uint32_t bits);
void interrupt_pm(struct pergola_device *dev, uint32_t bits);
/* Display bank; on Valleyview the display and Gunit bank. */
void interrupt_display(struct pergola_device *dev, uint32_t bits);
/* A status that lasts, as the master error does: the level of a GT bit. */
void interrupt_gt_level(struct pergola_device *dev, enum engine_id engine, uint32_t bits,
                        bool level);
void interrupt_update(struct pergola_device *dev); /* after any change of ISR/IMR/IIR/IER */

#endif
