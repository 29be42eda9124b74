/* Pergola: a device beside its host. Public interface, version 0.
 *
 * A runner executes a device on a host thread of its own, in short turns, while the threads of the
 * host do to it what CPUs do on a bus. Front ends (the preload library, a virtual machine, replay)
 * use this instead of calling pergola_run() themselves.
 *
 * Who may call what:
 *  - pergola_runner_* calls come from any thread at any time, except inside an observer, a
 *    diagnostic sink or the device's own interrupt handler. They take effect one after the other,
 *    those of one thread in its order, always between two turns of the engines, never inside one.
 *  - A write is posted: the call returns when it is queued (and waits only while the queue is
 *    full). Every other call waits for its answer: at most until the current turn ends, which is a
 *    few milliseconds of host time, never until a batch ends. It takes effect after all writes that
 *    the same thread posted before.
 *  - While the device has nothing to do, a call is carried out at once on the caller's thread.
 *  - While the runner is stopped, and inside its callbacks, which run on the runner's thread
 *    between two turns, the device may also be called directly (pergola_mmio_read(), …). At any
 *    other time it may not.
 *
 * Every call but two is a message of a fixed size with an answer of a fixed size, and memory can be
 * given as a file: the same interface can be served by a process of its own.
 */
#ifndef PERGOLA_PERGOLA_RUNNER_H
#define PERGOLA_PERGOLA_RUNNER_H

#include "pergola/pergola.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pergola_runner;

struct pergola_runner_config {
   /* First on every host thread that the runner or its device makes. This and the other callbacks
    * may be NULL. */
   void (*thread_begins)(void);
   void *data; /* for the callbacks that follow */
   /* The interrupt line has risen (true), or has fallen again (false). A rise is never lost; one
    * that falls before it could be told is told as both. */
   void (*interrupt)(void *data, bool asserted);
   /* After every turn of the engines. Returns for how many nanoseconds the runner may sleep when
    * nothing comes over the bus: 0: not at all; less: until something comes. Without it the runner
    * sleeps when no engine can go on, and looks again every millisecond while one waits for the
    * host (a semaphore in memory). */
   int64_t (*turn)(void *data, enum pergola_run_result result, uint64_t units);
   uint32_t read_ns; /* model time that a register read takes; 0: 400 */
   /* While the engines are idle, model time follows the host's clock, for software that waits for a
    * time stamp. Otherwise it is counted only, and runs can be repeated exactly. */
   bool live_clock;
   uint32_t clock_divider; /* so many times slower than that clock; 0: as fast as it */
   bool fixed_turns;       /* every turn has the same budget, whatever time it takes */
};

/* A turn as with fixed_turns, for who runs the device without a runner: so many units, counted anew
 * from the first command of a batch. Who runs the same batches again, in whatever ring they lie,
 * interrupts their threads at the same places. */
#define PERGOLA_TURN 200000u
PERGOLA_API enum pergola_run_result pergola_run_turn(struct pergola_device *dev);

/* The device stays the caller's, and must outlive the runner. Stopped at first. NULL: no memory. */
PERGOLA_API struct pergola_runner *
pergola_runner_create(struct pergola_device *dev, const struct pergola_runner_config *config);
/* Stops it first. */
PERGOLA_API void pergola_runner_destroy(struct pergola_runner *r);
/* 0 or a negative errno. All signals are blocked on the new thread. */
PERGOLA_API int pergola_runner_start(struct pergola_runner *r);
/* After the current turn. What has been posted is done; calls go on working, on their callers'
 * threads. Not from a callback. */
PERGOLA_API void pergola_runner_stop(struct pergola_runner *r);
/* Of a stopped one: the device may be destroyed, calls have no effect and answer 0 from now on. */
PERGOLA_API void pergola_runner_detach(struct pergola_runner *r);
/* Around fork(), in the parent: no call is half done in the copy. The child has no such thread: it
 * forgets runner and device. */
PERGOLA_API void pergola_runner_before_fork(struct pergola_runner *r);
PERGOLA_API void pergola_runner_after_fork(struct pergola_runner *r);

/* ---- the bus, as in pergola.h -----------------------------------------------------------------
 */

PERGOLA_API void pergola_runner_write(struct pergola_runner *r, uint32_t offset, unsigned size,
                                      uint64_t value);
PERGOLA_API uint64_t pergola_runner_read(struct pergola_runner *r, uint32_t offset, unsigned size);
/* The same, but it takes no model time: for who looks after the device at moments that its guest
 * knows nothing of, so that two runs have the same clock. */
PERGOLA_API uint64_t pergola_runner_look(struct pergola_runner *r, uint32_t offset, unsigned size);
/* Returns when everything that this thread has posted is done. */
PERGOLA_API void pergola_runner_flush(struct pergola_runner *r);
PERGOLA_API void pergola_runner_pci_write(struct pergola_runner *r, uint32_t offset, unsigned size,
                                          uint32_t value);
PERGOLA_API uint32_t pergola_runner_pci_read(struct pergola_runner *r, uint32_t offset,
                                             unsigned size);
PERGOLA_API void pergola_runner_io_write(struct pergola_runner *r, uint32_t port, unsigned size,
                                         uint32_t value);
PERGOLA_API uint32_t pergola_runner_io_read(struct pergola_runner *r, uint32_t port, unsigned size);
/* Both wait until it is done. */
PERGOLA_API void pergola_runner_aperture_read(struct pergola_runner *r, uint64_t offset, void *data,
                                              size_t size);
PERGOLA_API void pergola_runner_aperture_write(struct pergola_runner *r, uint64_t offset,
                                               const void *data, size_t size);

/* pergola_function_reset(). Returns when it is done. */
PERGOLA_API void pergola_runner_reset(struct pergola_runner *r);

/* Physical memory, as pergola_memory_add(). `host` NULL: it is mapped from the file `fd` at
 * `fd_offset` (a multiple of 4096), shared; the descriptor may be closed afterwards. Also -errno of
 * the map. */
struct pergola_runner_memory {
   uint64_t address, size;
   unsigned flags; /* enum pergola_memory_flags */
   void *host;
   int fd;
   uint64_t fd_offset;
};
PERGOLA_API int pergola_runner_memory_add(struct pergola_runner *r,
                                          const struct pergola_runner_memory *m);
/* When it returns nothing of the device reaches it any more. */
PERGOLA_API int pergola_runner_memory_remove(struct pergola_runner *r, uint64_t address);

/* pergola_set_objects() of pergola_trace.h between two turns. */
struct pergola_object;
PERGOLA_API int pergola_runner_set_objects(struct pergola_runner *r, bool global,
                                           const struct pergola_object *list, size_t count);

/* pergola_device_save() between two turns of a device that runs. */
PERGOLA_API int64_t pergola_runner_save(struct pergola_runner *r, void *buffer, size_t size);

/* pergola_engine_status() of a device that runs. */
PERGOLA_API void pergola_runner_engine(struct pergola_runner *r, enum pergola_engine engine,
                                       struct pergola_engine_status *status);
PERGOLA_API uint64_t pergola_runner_time_ns(struct pergola_runner *r);

/* ---- inside a callback ------------------------------------------------------------------------
 */

/* Does what has been posted meanwhile: a callback that waits for another thread calls it, since
 * that one may be waiting for an answer. True: there was something. */
PERGOLA_API bool pergola_runner_serve(struct pergola_runner *r);
/* Has anything come over the bus since the last turn began? */
PERGOLA_API bool pergola_runner_touched(const struct pergola_runner *r);

#ifdef __cplusplus
}
#endif
#endif
