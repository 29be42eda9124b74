/* The kernel side of the DRM front end: what i915 keeps, over the registers of the modelled device.
 *
 * One struct kernel per process. Every entry point takes kernel->lock; waits drop it. The device is
 * on its own thread (hang.c): the others post register writes to its bus, as a CPU does. */
#ifndef PERGOLA_DRM_KERNEL_H
#define PERGOLA_DRM_KERNEL_H

#include "bus.h"
#include "client.h"
#include "context.h"
#include "fence.h"
#include "file.h"
#include "gem.h"
#include "ioctls.h"
#include "range.h"
#include "report.h"
#include "request.h"
#include "sync.h"
#include "verdict.h"
#include "vm.h"

#include <pthread.h>

#define KERNEL_PATH_MAX 1024
struct kernel_options {
   char device[32];
   enum pergola_check check;
   unsigned threads;
   enum pergola_native native;
   bool deterministic, hazards;
   unsigned stats;    /* enum run_stats; 0: none */
   unsigned sanitize; /* enum pergola_sanitize */
   char trace[256];
   char report[KERNEL_PATH_MAX], trace_file[KERNEL_PATH_MAX], perfetto[KERNEL_PATH_MAX],
       dump[KERNEL_PATH_MAX], oa[KERNEL_PATH_MAX];
   char error_state[KERNEL_PATH_MAX]; /* of the first hang; "": nowhere */
   char aub[KERNEL_PATH_MAX];
   struct verdict_options verdict;
   uint64_t hang_budget;
   uint64_t patience_s;   /* a batch that runs for longer is told of; 0: none is */
   int64_t wait_limit_ns; /* an engine that waits for the host this long is hung */
};

struct kernel {
   pthread_mutex_t lock;
   uint32_t wakes;    /* counts; a change wakes who waits: something completed; atomic */
   unsigned waiters;  /* changed under the lock; atomic */
   bool device_waits; /* for the lock; atomic */
   struct kernel_options options;
   const struct pergola_sku *sku;
   struct pergola_device *dev;    /* NULL in the child of a fork until it is used */
   struct pergola_runner *runner; /* likewise */
   struct arena memory;           /* what the kernel keeps for itself: private, copied by fork */
   struct arena objects;          /* shared with the client's maps */
   struct arena *old_objects;     /* after a fork: the parent's, kept mapped */
   struct gem_object *spare;      /* the last request's shadow, for the next one; or NULL */
   uint64_t spare_ggtt;
   bool forked; /* a child that has not used the GPU yet */
   struct range_alloc user_physical, ggtt, map_offsets;
   uint32_t *gsm; /* copy of the GTT entries */
   uint64_t scratch_ggtt, scratch_physical;
   struct engine engine[ENGINES];
   struct gem_object *all;
   struct master *master;
   uint64_t timelines; /* numbers given */
   uint64_t vm_numbers;
   struct vm *vms;
   struct context *kernel_context;
   struct vm *kernel_vm;
   void *default_image; /* of a context, CONTEXT_IMAGE_SIZE; NULL while it is recorded */
   struct id_table names;
   struct sync_file *sync_files;
   struct fd_entry *fd;
   int fd_room;
   struct client_map *map;
   size_t maps, map_room;
   /* Looked at without the lock, changed by count_by(). */
   unsigned tracked; /* userptr objects + client maps: does munmap need a look? */
   unsigned users;   /* userptr objects whose pages the device has */
   unsigned views;   /* detiled ones */
   bool wedged;
   bool stopped;      /* hung while resets are switched off: EIO until a reset is asked for */
   char *error_state; /* of the first hang; NULL: none */
   size_t error_size;
   struct aub_writer *aub; /* of --aub; NULL: none */
   uint64_t aub_start,
       aub_began; /* of the batch that it is given: its address, and when it began */
   uint32_t resets;
   uint64_t requests, queued; /* so far */
   struct report *report;
   int64_t busy_since; /* the device has had work since then; 0: it has none */
   bool patience_told;
};

static inline void
count_by(unsigned *n, int by)
{
   __atomic_fetch_add(n, (unsigned)by, __ATOMIC_RELAXED);
}

/* Clients let the device's thread go first: one that asks again and again would keep it out. */
void kernel_lock(struct kernel *k);
struct kernel *kernel_create(const struct kernel_options *o, const char **error);
void kernel_destroy(struct kernel *k);
void kernel_options_from_environment(struct kernel_options *o);
/* In the child of a fork: a device of its own over copies of the kernel's memory, made by the first
 * call of kernel_revive (under the lock; does nothing otherwise). */
void kernel_after_fork_child(struct kernel *k);
void kernel_revive(struct kernel *k);
void kernel_before_fork(struct kernel *k);
void kernel_after_fork_parent(struct kernel *k);
void kernel_finish_requests(struct kernel *k); /* under the lock, before the client's end */

/* What a batch that takes long is about (watch.c): on the runner's thread, after every turn; and
 * when a terminal interrupts the program. */
void watch_open(struct kernel *k);
void watch_turn(struct kernel *k, enum pergola_run_result result);

/* command parser (parser.c): 0 run it privileged; -EACCES run it unprivileged; -EINVAL refuse. */
int parser_check(int engine, const uint32_t *batch, uint32_t dwords);

#endif
