/* Pergola: running EU kernels by themselves. Public interface, version 0.
 *
 * A bench is a private device with a kernel, a thread group of one or more threads, and buffers
 * that the kernel reaches as surfaces through a real binding table. Load, fill registers and
 * buffers, run or step, look. Nothing in here is global; calls on one bench must not overlap in
 * time.
 */
#ifndef PERGOLA_PERGOLA_EU_H
#define PERGOLA_PERGOLA_EU_H

#include "pergola/pergola.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PERGOLA_EU_MAX_THREADS 64
#define PERGOLA_EU_MAX_BUFFERS 240
#define PERGOLA_EU_GRF_SIZE 4096

struct pergola_eu_bench;

/* NULL config: defaults. Returns NULL and fills *error (static text) on failure. */
PERGOLA_API struct pergola_eu_bench *pergola_eu_create(const struct pergola_config *config,
                                                       const char **error);
PERGOLA_API void pergola_eu_destroy(struct pergola_eu_bench *bench);
/* The bench's device: for diagnostic sinks and observers. */
PERGOLA_API struct pergola_device *pergola_eu_device(struct pergola_eu_bench *bench);

struct pergola_eu_error {
   unsigned line, column; /* from 1; 0: not in the text */
   char message[160];
};

/* A kernel as assembly text (the dialect of i965_asm) or as bytes, at most 1 MiB. Replaces the one
 * before. 0, -EINVAL (*error says why, if not NULL), -ENOMEM. */
PERGOLA_API int pergola_eu_load_text(struct pergola_eu_bench *bench, const char *text, size_t size,
                                     struct pergola_eu_error *error);
PERGOLA_API int pergola_eu_load_binary(struct pergola_eu_bench *bench, const void *bytes,
                                       size_t size);

/* A buffer of `size` bytes, bound as raw surface `index` of the binding table. The memory is the
 * bench's, zeroed; valid until it is destroyed. NULL: bad index or size, index in use, or no
 * memory. */
PERGOLA_API void *pergola_eu_buffer(struct pergola_eu_bench *bench, unsigned index, size_t size);

/* Starts over: `threads` threads at the kernel's start with zeroed registers, the execution mask
 * given, one barrier and 64 KiB of shared local memory for all. g0 holds a GPGPU header. 0,
 * -EINVAL. */
PERGOLA_API int pergola_eu_start(struct pergola_eu_bench *bench, unsigned threads, uint32_t mask);
/* The 4096 bytes of general registers of a thread. Writing marks nothing: tell by pergola_eu_mark.
 */
PERGOLA_API void *pergola_eu_grf(struct pergola_eu_bench *bench, unsigned thread);
/* The shared local memory of the group, 64 KiB. */
PERGOLA_API void *pergola_eu_slm(struct pergola_eu_bench *bench);
/* Registers that count as initialised by the payload. */
PERGOLA_API void pergola_eu_mark(struct pergola_eu_bench *bench, unsigned thread, unsigned first,
                                 unsigned count);

enum pergola_eu_state {
   PERGOLA_EU_READY,   /* may run */
   PERGOLA_EU_WAITING, /* executes `wait` and nobody has notified it */
   PERGOLA_EU_ENDED,   /* sent its end of thread */
   PERGOLA_EU_FAULTED, /* could not go on: a diagnostic says why */
   PERGOLA_EU_BREAK,   /* before an instruction with a breakpoint */
};

/* What a thread looks like. Channel masks: bit n = channel n. */
struct pergola_eu_view {
   enum pergola_eu_state state;
   uint32_t ip;           /* bytes from the kernel's start */
   uint64_t instructions; /* executed */
   uint32_t dispatch_mask, active_mask;
   uint32_t channel_ip[32]; /* where each dispatched channel is or waits */
   uint32_t flag[2];        /* f0, f1 */
   uint16_t address[8];     /* a0 */
   uint64_t accumulator[16];
   uint32_t control[3];      /* cr0 */
   uint32_t notification[3]; /* n0 */
   bool at_barrier;          /* has sent its BarrierMsg and not been answered */
   unsigned barrier_arrived,
       barrier_count; /* messages of the group: that have come, that it takes */
};
PERGOLA_API void pergola_eu_view(const struct pergola_eu_bench *bench, unsigned thread,
                                 struct pergola_eu_view *view);

/* Breakpoint at an offset from the kernel's start. -EINVAL: not 8-byte aligned; -ENOSPC: 64 are
 * set. */
PERGOLA_API int pergola_eu_break(struct pergola_eu_bench *bench, uint32_t offset);
PERGOLA_API void pergola_eu_clear_breaks(struct pergola_eu_bench *bench);
/* -ENOENT: there is none. */
PERGOLA_API int pergola_eu_unbreak(struct pergola_eu_bench *bench, uint32_t offset);

/* After each executed instruction: its thread, offset, text, and the channels that it wrote. */
typedef void (*pergola_eu_trace_fn)(void *data, unsigned thread, uint32_t offset, const char *text,
                                    uint32_t channels);
PERGOLA_API void pergola_eu_set_trace(struct pergola_eu_bench *bench, pergola_eu_trace_fn fn,
                                      void *data);

/* Runs one thread for at most `instructions`; a breakpoint at its own ip is passed. */
PERGOLA_API enum pergola_eu_state pergola_eu_step(struct pergola_eu_bench *bench, unsigned thread,
                                                  uint64_t instructions);
/* Runs all threads in turn until every one has ended or faulted, one meets a breakpoint, all that
 * are left wait, or `instructions` are used up in sum. Returns ENDED (all did), FAULTED (one did),
 * BREAK, WAITING, or READY when the budget ended. */
PERGOLA_API enum pergola_eu_state pergola_eu_run(struct pergola_eu_bench *bench,
                                                 uint64_t instructions);

/* The offset of a label, or of the first instruction at or after a source line, of a kernel that
 * was loaded as text. -ENOENT. */
PERGOLA_API int pergola_eu_label(const struct pergola_eu_bench *bench, const char *name,
                                 uint32_t *offset);
PERGOLA_API int pergola_eu_line(const struct pergola_eu_bench *bench, unsigned line,
                                uint32_t *offset);
/* The source line of an offset; 0: none. */
PERGOLA_API unsigned pergola_eu_line_of(const struct pergola_eu_bench *bench, uint32_t offset);
/* The native code of the kernel, as text: EU instructions, what they are between, host code, side
 * by side; `all`: also what lies aside. -ENOENT: it has none, -EINVAL: nothing is loaded. */
PERGOLA_API int pergola_eu_native(struct pergola_eu_bench *bench, bool all,
                                  void (*line)(void *data, const char *text), void *data);
/* The text of the instruction at an offset; returns its length in bytes, 0 past the end. */
PERGOLA_API unsigned pergola_eu_text(const struct pergola_eu_bench *bench, uint32_t offset,
                                     char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
