/* Pergola: an Intel Gen7 GPU in software. Public interface, version 0.
 *
 * An embedder creates a device, gives it physical memory (segments over host memory), and then does
 * to it what a kernel driver does to the chip: MMIO, the GTT window, the aperture. Work that a tail
 * write started is executed by pergola_run(). Nothing in here is global; two devices never meet.
 *
 * Calls on one device must not overlap in time, except where a comment says so.
 */
#ifndef PERGOLA_PERGOLA_H
#define PERGOLA_PERGOLA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PERGOLA_VERSION_MAJOR 0
#define PERGOLA_VERSION_MINOR 1
#define PERGOLA_VERSION_PATCH 0

#if defined(__GNUC__)
#define PERGOLA_API __attribute__((visibility("default")))
#else
#define PERGOLA_API
#endif

struct pergola_device;

/* Of the library that runs, "0.1.0"; the macros are those of the headers. */
PERGOLA_API const char *pergola_version(void);

/* ---- parts ---------------------------------------------------------------------------------- */

struct pergola_sku {
   const char *name;        /* "ivb-gt2" */
   const char *description; /* "Ivy Bridge GT2 (HD Graphics 4000)" */
   uint16_t pci_device_id;  /* the id that the device reports */
   uint8_t pci_revision;
   uint8_t half_slices, eus_per_half_slice, threads_per_eu;
   uint16_t max_compute_threads_per_half_slice;
   uint32_t l3_kib, urb_kib;
   bool has_llc;
   uint16_t generation;      /* tenfold: 70 is Gen7 */
   uint8_t fences;           /* tiled windows of the aperture */
   uint8_t engines;          /* a bit for each enum pergola_engine that it has */
   uint16_t max_scratch_kib; /* of a thread */
};

/* By number: NULL past the end. By name: NULL stands for "ivb-gt2", the default of devices. */
PERGOLA_API const struct pergola_sku *pergola_sku_at(size_t index);
PERGOLA_API const struct pergola_sku *pergola_sku_find(const char *name);

/* ---- device --------------------------------------------------------------------------------- */

enum pergola_check {
   PERGOLA_CHECK_OFF,    /* rules are not evaluated; faults are still faults */
   PERGOLA_CHECK_REPORT, /* a broken rule is reported, execution goes on as the manual says */
   PERGOLA_CHECK_STOP,   /* the first broken rule stops the engine */
};

enum pergola_native {
   PERGOLA_NATIVE_AUTO, /* kernels that are run often become native code, where the CPU allows it */
   PERGOLA_NATIVE_OFF,  /* the interpreter runs everything */
   PERGOLA_NATIVE_ALWAYS, /* native code from a kernel's first run */
};

/* What the sanitizer looks for in programs of EU threads; a bit each. docs/sanitizer.md */
enum pergola_sanitize {
   PERGOLA_SANITIZE_MEMORY = 1 << 0, /* accesses outside of what they are given */
   PERGOLA_SANITIZE_RACE = 1 << 1,   /* accesses that nothing orders */
   PERGOLA_SANITIZE_INIT = 1 << 2,   /* reads of what nobody wrote */
};

struct pergola_config {
   size_t size; /* sizeof(struct pergola_config) of the caller: a library that knows more takes 0
                   for the rest. 0: all that this header has */
   const char *sku; /* NULL: "ivb-gt2" */
   enum pergola_check check;
   unsigned host_threads;      /* for independent thread groups; 0: as many as the machine has */
   bool deterministic;         /* one order of execution for all programs, racy ones included */
   enum pergola_native native; /* results are the same in all three */
   /* EU threads that can never go on: true: they stay, as in a chip, and the engine stops until it
    * is reset; false: they are ended and the engine goes on. Reported in both cases. */
   bool deadlocks_hang;
   /* enum pergola_sanitize; 0: off. Else there is one host thread and no native code. Findings are
    * diagnostics whose rules begin with SAN, whatever `check` says. */
   unsigned sanitize;
};

/* NULL config: defaults. Returns NULL and fills *error (static text) on failure. */
PERGOLA_API struct pergola_device *pergola_device_create(const struct pergola_config *config,
                                                         const char **error);
PERGOLA_API void pergola_device_destroy(struct pergola_device *dev);
PERGOLA_API const struct pergola_sku *pergola_device_sku(const struct pergola_device *dev);

/* ---- snapshots ------------------------------------------------------------------------------- */

/* The state of the device between two runs: registers, GTT entries, contexts, what engines have in
 * hand, threads in flight, time. Not in it: memory, which is the host's, and what the host has
 * asked for (configuration, handlers, observers). Returns the bytes that it takes; they are written
 * if `size` is as much, else nothing is. -ENOMEM. */
PERGOLA_API int64_t pergola_device_save(struct pergola_device *dev, void *buffer, size_t size);
/* A device of the same part, with the same memory at the same physical addresses, goes on where the
 * other one was. The interrupt handler is told the level. -EINVAL and *error (static text): this is
 * no snapshot that the library can take, and the device is as after pergola_function_reset(). The
 * buffer need not be trusted. Time, memory contents and results are those of the device that was
 * saved; diagnostics may be repeated. */
PERGOLA_API int pergola_device_restore(struct pergola_device *dev, const void *buffer, size_t size,
                                       const char **error);

/* ---- physical memory ------------------------------------------------------------------------ */

enum pergola_memory_flags {
   PERGOLA_MEMORY_READ_ONLY = 1 << 0,
   PERGOLA_MEMORY_ABSENT = 1 << 1, /* the embedder cannot share it: `host` is NULL */
};

/* Makes [address, address + size) of the device's 40-bit physical space an alias of host memory.
 * All three are multiples of 4096. The memory stays the embedder's and must outlive the segment. An
 * access to memory that is absent is a page fault that says so.
 * 0, or -EINVAL (alignment, size, range), -EEXIST (overlaps a segment), -ENOMEM. */
PERGOLA_API int pergola_memory_add(struct pergola_device *dev, uint64_t address, void *host,
                                   uint64_t size, unsigned flags);
/* Removes the segment that starts at `address`; translations through it are dropped. -ENOENT. */
PERGOLA_API int pergola_memory_remove(struct pergola_device *dev, uint64_t address);

/* ---- the bus side --------------------------------------------------------------------------- */

/* BAR0 of the Gen7 parts: 2 MiB of registers, then 2 MiB of GTT entries. pergola_bar_size() knows
 * that of any part; GTT entries are its upper half. */
#define PERGOLA_MMIO_SIZE 0x400000u
/* What BAR 0 (registers), 2 (aperture) and 4 (I/O) decode, in bytes; 0: there is no such BAR. */
PERGOLA_API uint64_t pergola_bar_size(const struct pergola_device *dev, unsigned bar);

/* size: 1, 2, 4 or 8; any offset. Out of range or bad size: reads 0, writes nothing, diagnosed. */
PERGOLA_API uint64_t pergola_mmio_read(struct pergola_device *dev, uint32_t offset, unsigned size);
PERGOLA_API void pergola_mmio_write(struct pergola_device *dev, uint32_t offset, unsigned size,
                                    uint64_t value);
/* Byte offset of column x (in bytes) and row y in a surface of this pitch: X and Y tiles. */
enum pergola_tiling { PERGOLA_TILING_X, PERGOLA_TILING_Y };
PERGOLA_API uint64_t pergola_tile_offset(enum pergola_tiling tiling, uint32_t x, uint32_t y,
                                         uint32_t pitch);
/* BAR2: the aperture, through fences and the GGTT. Any size. */
PERGOLA_API void pergola_aperture_read(struct pergola_device *dev, uint64_t offset, void *data,
                                       size_t size);
PERGOLA_API void pergola_aperture_write(struct pergola_device *dev, uint64_t offset,
                                        const void *data, size_t size);
/* PCI configuration space of 0:2.0; size 1, 2 or 4. It has 256 or 4096 bytes. */
PERGOLA_API uint32_t pergola_pci_size(const struct pergola_device *dev);
PERGOLA_API uint32_t pergola_pci_read(struct pergola_device *dev, uint32_t offset, unsigned size);
PERGOLA_API void pergola_pci_write(struct pergola_device *dev, uint32_t offset, unsigned size,
                                   uint32_t value);

/* The registers of configuration space by number, in no order; false past the end. */
struct pergola_pci_register {
   const char *name; /* "PCICMD" */
   const char *rule; /* ledger id */
   uint16_t offset;
   uint8_t size;
   uint32_t writable; /* bits that a write can change now */
};
PERGOLA_API bool pergola_pci_register_at(const struct pergola_device *dev, size_t index,
                                         struct pergola_pci_register *r);

/* The 8-byte I/O window (IOBAR): port 0 takes an offset into BAR0, port 4 is the data there. Works
 * while I/O decoding is enabled in configuration space; size 1, 2 or 4 within one port. */
PERGOLA_API uint32_t pergola_io_read(struct pergola_device *dev, uint32_t port, unsigned size);
PERGOLA_API void pergola_io_write(struct pergola_device *dev, uint32_t port, unsigned size,
                                  uint32_t value);

/* Function level reset: engines, registers, interrupts and configuration space, as on the chip;
 * memory and GTT entries stay, and so does what the host's own firmware has set. */
PERGOLA_API void pergola_function_reset(struct pergola_device *dev);

/* Level of the interrupt line (master enable and all banks considered) after a change. Called from
 * inside the call that caused it; must not call back into the device. */
typedef void (*pergola_interrupt_fn)(void *data, bool asserted);
PERGOLA_API void pergola_set_interrupt_handler(struct pergola_device *dev, pergola_interrupt_fn fn,
                                               void *data);

/* ---- execution ------------------------------------------------------------------------------ */

enum pergola_run_result {
   PERGOLA_RUN_IDLE,    /* no engine has anything left to do */
   PERGOLA_RUN_WAITING, /* every busy engine waits for the host (a register, memory, an event) */
   PERGOLA_RUN_BUDGET,  /* the budget ended first; call again to go on */
   PERGOLA_RUN_STOPPED, /* an engine stopped on an error or a broken rule: reset it */
};

/* Runs the engines, interleaved in model time, for at most `budget` units (about one command or one
 * EU instruction each; 0: no limit). */
PERGOLA_API enum pergola_run_result pergola_run(struct pergola_device *dev, uint64_t budget);

/* In the order of their registers: 2000h, 12000h, 22000h. */
enum pergola_engine {
   PERGOLA_RCS, /* render */
   PERGOLA_VCS, /* video */
   PERGOLA_BCS, /* blitter */
   PERGOLA_ENGINES,
};
enum pergola_engine_state {
   PERGOLA_ENGINE_IDLE,    /* nothing is in its ring, or it is off */
   PERGOLA_ENGINE_RUNNING, /* has commands to execute */
   PERGOLA_ENGINE_WAITING, /* at a command that waits: semaphore, event, register */
   PERGOLA_ENGINE_STOPPED, /* by an error: needs a reset */
};
struct pergola_engine_status {
   enum pergola_engine_state state;
   bool faulted;      /* a page directory that is not there: needs a reset if not idle */
   bool rule_stopped; /* all engines: a broken rule with PERGOLA_CHECK_STOP */
};
/* What the registers do not tell, as the last run left it: an engine that has been given work since
 * then is still idle. Between two runs. */
PERGOLA_API void pergola_engine_status(const struct pergola_device *dev, enum pergola_engine engine,
                                       struct pergola_engine_status *status);
/* The name of the command that a header dword begins on this engine; NULL: there is none. */
PERGOLA_API const char *pergola_command_name(const struct pergola_device *dev,
                                             enum pergola_engine engine, uint32_t header);

/* An EU thread that has begun and not ended. */
struct pergola_thread {
   uint32_t id;       /* as in the events of its dispatch */
   const char *maker; /* "GPGPU", "media root", "media child", "persistent root", "pixel shader" */
   unsigned half_slice, eu, slot;
   uint64_t kernel, ip;     /* graphics addresses */
   uint64_t instructions;   /* executed so far */
   const char *instruction; /* the text of the one at ip, "" if it cannot be read */
   bool in_group;
   uint32_t group[3]; /* thread group id */
   unsigned index, group_threads;
   const char *waits_for; /* or NULL: it can run */
};
/* Calls fn for every one, in a fixed order; returns how many there are. Between two runs: what
 * keeps a batch from ending after PERGOLA_RUN_BUDGET or PERGOLA_RUN_STOPPED. The texts are valid
 * during the call only. */
typedef void (*pergola_thread_fn)(void *data, const struct pergola_thread *thread);
PERGOLA_API unsigned pergola_threads(struct pergola_device *dev, pergola_thread_fn fn, void *data);

/* Model time in nanoseconds since creation. Counted, never read from the host. */
PERGOLA_API uint64_t pergola_time_ns(const struct pergola_device *dev);

/* ---- diagnostics ---------------------------------------------------------------------------- */

enum pergola_severity {
   PERGOLA_NOTE,    /* worth knowing; nothing wrong */
   PERGOLA_WARNING, /* legal but a real chip may not do what was meant */
   PERGOLA_ERROR,   /* a rule of the manual is broken */
   PERGOLA_FATAL,   /* the engine cannot go on */
};

struct pergola_diagnostic {
   enum pergola_severity severity;
   const char *rule;   /* ledger id, "RCS-117"; never NULL */
   const char *title;  /* the ledger row's title, or "" */
   const char *source; /* the manual reference, or "" */
   const char *engine; /* "RCS", "VCS", "BCS", "EU", "bus", … */
   bool has_address;   /* address: graphics address, or MMIO offset for the bus */
   uint64_t address;
   const char *subject; /* command, register, message or instruction text, or "" */
   const char *field;   /* or "" */
   bool has_other;      /* other: graphics address of a second instruction that takes part */
   uint64_t other;
   bool unmodelled;     /* the model lacks what is asked for: results are wrong */
   const char *message; /* one sentence */
   /* The command that an engine was at, with the chain of ring and batches to it, or "":
    * "GPGPU_WALKER at ring + 0x40, batch 0x00460000 + 0x18c". */
   const char *where;
   uint64_t time_ns;
   uint64_t count; /* how often this one has been seen, this time included */
};

/* Called for the first of equal diagnostics (same rule, engine, address, subject, field). May be
 * called from a host thread of the device, never from two at once. */
typedef void (*pergola_diagnostic_fn)(void *data, const struct pergola_diagnostic *d);
PERGOLA_API int pergola_add_diagnostic_sink(struct pergola_device *dev, pergola_diagnostic_fn fn,
                                            void *data);
/* How many diagnostics of at least this severity, repeats included. */
/* What the filter returns false for is dropped, and not counted; fatal ones are not asked for. The
 * message is not there yet. One filter; NULL: none. May be called from a host thread of the device,
 * never from two at once. */
typedef bool (*pergola_filter_fn)(void *data, const struct pergola_diagnostic *d);
PERGOLA_API void pergola_set_diagnostic_filter(struct pergola_device *dev, pergola_filter_fn fn,
                                               void *data);
PERGOLA_API uint64_t pergola_diagnostic_count(const struct pergola_device *dev,
                                              enum pergola_severity at_least);

/* Reports data that is written through one cache and read through another with no flush between:
 * real chips may return old bytes there. Slow; off unless asked for. 0 or -ENOMEM. Not while the
 * device runs; -ENOTSUP: the part has no caches to ask about. */
PERGOLA_API int pergola_check_hazards(struct pergola_device *dev, bool on);

/* ---- observers ------------------------------------------------------------------------------ */

enum pergola_event_kind {
   PERGOLA_EVENT_MMIO,        /* a, b: offset, value; flags bit 0: write */
   PERGOLA_EVENT_COMMAND,     /* a: address; dwords, count: the command; text: its name */
   PERGOLA_EVENT_BATCH,       /* a: address; flags bit 0: begin; else end */
   PERGOLA_EVENT_INTERRUPT,   /* a: bank (0 DE, 1 GT, 2 PM), b: bits */
   PERGOLA_EVENT_DISPATCH,    /* a: kernel address, b: thread id; begins a thread; flags: where it
                                 sits: half-slice << 16 | EU << 8 | slot */
   PERGOLA_EVENT_THREAD_END,  /* b: thread id, a: instructions executed; flags: where it sat;
                                 dwords: how many of them native code left to the interpreter's
                                 functions, how many were interpreted, and the kernel's address */
   PERGOLA_EVENT_INSTRUCTION, /* a: address, b: thread id; flags: channel mask; dwords: the four of
                                 the instruction, and the kernel's address */
   PERGOLA_EVENT_MESSAGE,     /* a: descriptor, b: thread id; flags: shared function id; dwords:
                                 instructions before it, the kernel's address, where it sits */
   PERGOLA_EVENT_MEMORY,      /* a: address, b: bytes; flags bit 0: write */
   PERGOLA_EVENT_WAIT,        /* flags bit 0: begin; text: for what */
   PERGOLA_EVENT_VME,         /* a: x | y << 16 of the source block, b: thread id; text: a line of
                                 what a search does and why, or the name of dwords */
   PERGOLA_EVENT_SURFACE,     /* a: address of a surface's state that is read; dwords: the state;
                                 flags bit 0: of the sampler's media kind; text: its format */
   PERGOLA_EVENT_KIND_COUNT,
};

struct pergola_event {
   enum pergola_event_kind kind;
   const char *engine;
   uint64_t time_ns;
   uint64_t a, b;
   uint32_t flags;
   const char *text;       /* or NULL */
   const uint32_t *dwords; /* valid during the call only */
   uint32_t count;
};

typedef void (*pergola_observer_fn)(void *data, const struct pergola_event *event);
/* kinds: bit mask of 1 << enum pergola_event_kind. */
PERGOLA_API int pergola_add_observer(struct pergola_device *dev, uint32_t kinds,
                                     pergola_observer_fn fn, void *data);

#ifdef __cplusplus
}
#endif
#endif
