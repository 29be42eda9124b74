/* The kernel side of the DRM front end: what i915 keeps, over the registers of the modelled device.
 *
 * One struct kernel per process. Every entry point takes kernel->lock; waits drop it. The device is
 * touched by its own thread only: the others post register writes to it (device_thread.c), as a CPU
 * posts writes on a bus. */
#ifndef PERGOLA_DRM_KERNEL_H
#define PERGOLA_DRM_KERNEL_H

#include "pergola/pergola.h"
#include "range.h"

#include <linux/types.h>
#include <pthread.h>
#include <signal.h>
#include <sys/types.h>

#define PAGE 4096ull
#define ENGINES 3 /* render, video, blitter: the order of enum engine_id */

enum kernel_engine { KERNEL_RCS, KERNEL_VCS, KERNEL_BCS };

struct kernel;
struct drm_file;

/* ioctl handlers: data is a private, zero-extended copy of the argument. */
typedef int (*ioctl_fn)(struct drm_file *f, void *data);
#define IOCTL_HANDLER(name) int name(struct drm_file *f, void *data)

struct gem_object;
struct context;
struct vm;

/* ---- fences (fence.c) ----------------------------------------------------------------------- */

struct fence {
   unsigned refs;
   bool signaled;
   bool emitted; /* on its ring: what comes later on that ring runs after it */
   int engine;   /* -1: not work of an engine */
   int error;    /* negative errno once signaled */
   uint64_t timestamp_ns;
   uint64_t timeline, seqno; /* of two on one timeline the later one stands for both; 0: on none */
   struct fence **part; /* an array fence: signaled when all parts are */
   unsigned parts;
};

struct fence *fence_create(int engine);
struct fence *fence_ref(struct fence *f);
void fence_unref(struct fence *f);
void fence_signal(struct fence *f, int error);
bool fence_done(struct fence *f); /* array fences are evaluated here */
int fence_error(const struct fence *f);
bool fence_of_engine(const struct fence *f); /* waits for work of an engine */
/* An array fence over both; NULL without memory. Takes no reference of the caller. */
struct fence *fence_merge(struct fence *a, struct fence *b);

/* ---- requests (request.c) ------------------------------------------------------------------- */

struct request {
   struct fence *fence;
   struct context *ctx;
   struct vm *vm;
   int engine;
   uint32_t seqno;
   uint32_t ring_end; /* ring offset after this request */
   struct fence **dep;
   unsigned deps, dep_room;
   struct gem_object **object;
   unsigned objects, batch; /* batch: its index */
   bool *capture;           /* which of them an error state tells; NULL: none */
   struct gem_object *shadow; /* of the command parser, or NULL */
   uint64_t shadow_ggtt;
   uint32_t first, second;      /* batch addresses; second: the trampoline's entry, 0 for none */
   bool first_secure, has_second;
   bool sol_reset, cancelled;
   struct context *zombie;   /* no batch: a switch away from this closed context */
   struct context *previous; /* its image is written when this request switches away from it */
   uint64_t number; /* for dumps and statistics */
   uint64_t started_ns;
   int64_t created_ns;
   struct request *next;
};

struct ring {
   uint64_t physical, ggtt;
   uint32_t *host;
   uint32_t size, tail, free_from; /* free_from: end of the last retired request */
};

struct engine {
   int id;
   uint32_t base;
   struct ring ring;
   uint64_t hws_physical, hws_ggtt;
   uint32_t *hws;
   uint32_t seqno; /* last one given */
   struct request *queue, **queue_end;       /* not on the ring yet */
   struct request *inflight, **inflight_end; /* on the ring */
   unsigned outstanding; /* length of inflight; atomic: the device's thread looks without the lock */
   struct context *current; /* whose image CCID names */
   struct vm *vm;           /* whose directory is loaded */
   uint64_t busy_budget;    /* units since the last completion; atomic */
   /* The device thread's: since when it has been waiting (0: it is not), and at which command. */
   int64_t waits_since;
   uint32_t waits_at;
};

/* ---- memory (arena.c, gtt.c, gem.c) --------------------------------------------------------- */

struct arena {
   uint64_t physical, size;
   char *host;
   int fd; /* memfd, or -1: private memory */
   struct range_alloc space;
   struct arena *older; /* after a fork: the parent's, and the parent's parent's */
};

int arena_create(struct arena *a, uint64_t physical, uint64_t size, bool shared);
void arena_destroy(struct arena *a);
/* Zeroed pages. */
int arena_take(struct arena *a, uint64_t size, uint64_t *physical, void **host);
void arena_give(struct arena *a, uint64_t physical, uint64_t size);

struct vma {
   struct gem_object *object;
   struct vm *vm;
   uint64_t address, size; /* size: with padding */
   unsigned pins;          /* being submitted: stays where it is */
   struct vma *next;       /* of the object */
};

#define VM_SIZE 0x80000000ull
#define VM_DIRECTORY_ENTRIES 512u
struct vm {
   unsigned refs;
   struct kernel *k;
   struct range_alloc space;
   uint64_t directory; /* GGTT address of the slots that hold the directory; 0: none now */
   unsigned requests;  /* that need the directory */
   const void *owner;  /* the file that it was made for; only ever compared */
   struct vm *next, **link; /* all of them */
   struct {
      uint64_t physical;
      uint32_t *host;
      unsigned used;
   } table[VM_DIRECTORY_ENTRIES];
};

struct vm *vm_create(struct kernel *k);
struct vm *vm_ref(struct vm *vm);
void vm_unref(struct vm *vm);
/* The directory is in the GGTT until vm_unpin: -ENOSPC, -ENOMEM. */
int vm_pin(struct vm *vm);
void vm_unpin(struct vm *vm);
uint32_t vm_pp_dir_base(const struct vm *vm);
struct vma *vm_find(struct vm *vm, const struct gem_object *o);
/* Binds; `fixed`: at *address. -EBUSY: there may be room when work has completed; -ENOSPC, -EINVAL,
 * -ENOMEM. */
int vm_bind(struct vm *vm, struct gem_object *o, uint64_t size, uint64_t align, bool fixed,
            uint64_t address, struct vma **out);
void vm_unbind(struct vma *vma);
/* Rewrites the entries of a bound object whose pages have moved (userptr). */
void vma_rewrite(struct vma *vma);

int ggtt_bind(struct kernel *k, uint64_t physical, uint64_t size, uint64_t *address);
void ggtt_unbind(struct kernel *k, uint64_t address, uint64_t size);
void ggtt_restore(struct kernel *k); /* all entries again, into a new device */

enum { TILING_NONE, TILING_X, TILING_Y };

struct view; /* detiled CPU view (view.c) */

struct gem_object {
   unsigned refs;
   struct kernel *k;
   uint64_t size;
   char *host;
   uint64_t physical;
   struct arena *arena; /* NULL: userptr */
   uint64_t user;       /* userptr: client address */
   bool user_bound;     /* its pages are a segment of the device */
   struct guard_slot *guard; /* while it is */
   uint32_t tiling, stride, caching, madv;
   bool pages;  /* the kernel has pinned its pages: they outlive a DONTNEED */
   bool poured; /* written by pwrite, which pins no pages */
   bool purged; /* its contents are gone for good */
   struct vma *vmas;
   struct {
      struct fence *fence;
      bool write;
   } *active;
   unsigned actives, active_room;
   uint64_t map_offset[2]; /* fake offsets: straight, through the aperture; 0: none yet */
   struct view *views;
   unsigned handles;
   uint32_t handle; /* the last one given: a good guess */
   uint32_t name; /* flink */
   struct gem_object *next, **link; /* all objects */
};

int gem_create(struct kernel *k, uint64_t size, struct gem_object **out);
struct gem_object *gem_ref(struct gem_object *o);
void gem_unref(struct gem_object *o);
struct gem_object *gem_lookup(struct drm_file *f, uint32_t handle); /* no reference */
int gem_handle(struct drm_file *f, struct gem_object *o, uint32_t *handle); /* takes the reference */
void gem_close_handle(struct drm_file *f, uint32_t handle);
bool gem_has_handle(const struct drm_file *f, const struct gem_object *o);
/* Last use of the object; drops what has completed. */
bool gem_busy(struct gem_object *o, bool writes_only);
/* Pins the pages: -EFAULT if the client has given them up (madvise). */
int gem_need_pages(struct gem_object *o);
int gem_create_handle(struct drm_file *f, __u64 *size, uint32_t *handle);
int gem_map_offset(struct gem_object *o, bool aperture, __u64 *offset);
int gem_mark_active(struct gem_object *o, struct fence *f, bool write);
/* Waits for its users, or its writers, whatever signals come (kernel->lock dropped meanwhile). */
void gem_settle(struct gem_object *o, bool writes_only);
/* The same for a client that may be interrupted. timeout_ns < 0: for ever. 0, -ETIME, -EINTR; the time that is left. */
int gem_wait(struct gem_object *o, bool writes_only, int64_t *timeout_ns);

/* userptr (userptr.c): makes the client's pages a segment of the device. -EFAULT. */
int userptr_bind(struct gem_object *o);
bool userptr_possible(struct kernel *k, uint64_t address, uint64_t size);
void userptr_unbind(struct gem_object *o);
/* The client is about to unmap or replace [address, address + size). */
void userptr_invalidate(struct kernel *k, uint64_t address, uint64_t size);

/* ---- contexts ------------------------------------------------------------------------------- */

#define CONTEXT_IMAGE_SIZE (2 * PAGE)
#define CONTEXT_MAX_ENGINES 64
struct context {
   unsigned refs;
   struct kernel *k;
   struct vm *vm;
   uint64_t image_physical, image_ggtt;
   bool bannable, recoverable, persistent, no_error_capture;
   bool single_timeline; /* its work is in one order on all engines */
   bool used; /* looked up once: address space and engines are settled */
   int priority;
   unsigned banned;   /* a bit per engine */
   int64_t hang_ns[2]; /* when it last hung; 0: not yet */
   struct drm_file *file; /* whose it is; NULL once it is closed */
   uint32_t batch_active, batch_pending; /* reset statistics */
   bool has_engines;
   unsigned engine_count;
   int8_t engine[CONTEXT_MAX_ENGINES]; /* -1: empty slot */
   struct fence *last[ENGINES];        /* order within the context */
   uint64_t timeline;                  /* of its first engine; the others follow */
};

struct context *context_ref(struct context *c);
void context_unref(struct context *c);
void context_finish(struct context *c); /* its image is no longer current */
struct context *context_create(struct kernel *k, struct vm *vm);
/* Its name is gone. */
void context_close(struct context *c);
bool client_banned(const struct drm_file *f);
/* For use: from now on its address space and its engines stay. */
struct context *context_lookup(struct drm_file *f, uint32_t id);

/* ---- sync objects --------------------------------------------------------------------------- */

struct syncobj_point {
   uint64_t value;
   struct fence *fence;
};
struct syncobj {
   unsigned refs;
   struct syncobj_point *point; /* ascending; a binary one has one point of value 0 */
   unsigned points;
   uint64_t signaled; /* highest completed timeline value */
   struct fence *past; /* for whoever asks for a point below that; NULL until then */
};
struct sync_file {
   unsigned refs;
   struct fence *fence;
   int fd;
   bool raised; /* its eventfd is readable: the fence has signaled */
   struct sync_file *next;
   char name[32];
};

struct sw_timeline; /* fences that software signals (sw_sync.c) */
int sw_sync_open(struct kernel *k, int flags); /* a descriptor or a negative errno */
struct sw_timeline *sw_sync_ref(struct sw_timeline *t);
void sw_sync_unref(struct kernel *k, struct sw_timeline *t);
int sw_sync_ioctl(struct kernel *k, struct sw_timeline *t, unsigned long request, void *arg);

struct syncobj *syncobj_lookup(struct drm_file *f, uint32_t handle);
struct syncobj *syncobj_ref(struct syncobj *s);
void syncobj_unref(struct syncobj *s);
/* The fence to wait for at a point, NULL if none has been given yet. */
struct fence *syncobj_fence(struct syncobj *s, uint64_t point);
int syncobj_set(struct syncobj *s, uint64_t point, struct fence *f);
struct sync_file *sync_file_create(struct kernel *k, struct fence *f, int *fd);
void sync_file_unref(struct kernel *k, struct sync_file *s);
void sync_files_poll(struct kernel *k); /* after completions */

/* ---- files ---------------------------------------------------------------------------------- */

struct id_table {
   void **slot;
   uint32_t room, free; /* free: no free slot is below it */
};
int id_take(struct id_table *t, void *p, uint32_t first, uint32_t *id); /* -ENOMEM */
void *id_find(const struct id_table *t, uint32_t id);
void *id_drop(struct id_table *t, uint32_t id);

struct drm_file {
   unsigned refs;
   struct kernel *k;
   bool render_node;
   struct master *master; /* whom it belongs to; NULL on the render node */
   bool is_master, was_master, authenticated;
   uint32_t magic;
   pid_t opener;
   unsigned ban_score; /* by hangs of its contexts: at last it gets no more of them */
   int64_t hang_ns;
   struct id_table objects, contexts, syncobjs, vms;
};

/* Who may set modes, and whom he has let in (master.c). The current one is kernel->master. */
struct master {
   unsigned refs;
   struct id_table magics;
};

int master_open(struct drm_file *f);
void master_release(struct drm_file *f);
bool is_current_master(const struct drm_file *f);
bool capable(void); /* may the caller do what only an administrator may? */
IOCTL_HANDLER(ioctl_get_magic);
IOCTL_HANDLER(ioctl_auth_magic);
IOCTL_HANDLER(ioctl_set_master);
IOCTL_HANDLER(ioctl_drop_master);

struct drm_file *drm_file_open(struct kernel *k, bool render_node);
void drm_file_unref(struct drm_file *f);
/* 0 or a negative errno. Takes the lock itself. */
int drm_file_ioctl(struct drm_file *f, unsigned long request, void *arg);
/* An mmap of the node: fills what to map really; a reference of *object is given. */
struct map_target {
   struct gem_object *object;
   int fd; /* -1: private pages of `host` in view */
   uint64_t offset;
   bool aperture, detiled, purged;
};
int drm_file_map(struct drm_file *f, uint64_t offset, uint64_t size, struct map_target *t);

/* ---- what a file descriptor is (fd.c) ------------------------------------------------------- */

enum fd_kind { FD_NONE, FD_DRM, FD_PRIME, FD_SYNC_FILE, FD_SYNCOBJ, FD_SW_SYNC };
struct fd_entry {
   enum fd_kind kind;
   void *what;
};
int fd_install(struct kernel *k, int fd, enum fd_kind kind, void *what); /* takes the reference */
struct fd_entry fd_find(struct kernel *k, int fd);
/* Drops what the descriptor stood for; the descriptor itself is the caller's to close. */
void fd_forget(struct kernel *k, int fd);
void fd_copy(struct kernel *k, int from, int to);

/* ---- client memory mapped from objects (maps.c) --------------------------------------------- */

struct client_map {
   uint64_t start, end;
   struct gem_object *object;
   uint64_t offset; /* in the object */
   bool aperture;   /* through the GTT, and linear so far */
};
/* `m`: with all but the object's reference, which is taken. */
int maps_add(struct kernel *k, const struct client_map *m);
/* The object has become tiled: what the client mapped through the aperture shows it detiled. */
int maps_detile(struct gem_object *o);
/* [start, start + size) is unmapped or replaced. */
void maps_remove(struct kernel *k, uint64_t start, uint64_t size);
bool maps_overlap(const struct kernel *k, uint64_t start, uint64_t size);
/* What the client still has mapped of it faults from now on. */
void maps_break(struct gem_object *o);

/* ---- detiled views (view.c) ----------------------------------------------------------------- */

/* *address: where; if not fixed, a mere wish. */
int view_create(struct gem_object *o, uint64_t offset, uint64_t size, int prot, bool fixed,
                void **address);
void view_forget(struct kernel *k, uint64_t start, uint64_t size);
void view_load(struct gem_object *o);  /* memory → views */
void view_store(struct gem_object *o); /* what the client wrote in the views → memory */
void view_destroy_all(struct gem_object *o);

/* ---- device thread -------------------------------------------------------------------------- */

struct bus_op {
   enum { BUS_WRITE, BUS_READ, BUS_ADD, BUS_REMOVE } kind;
   uint32_t offset, value;
   uint64_t physical, size;
   void *host;
   uint64_t *result; /* with done: the poster waits */
   bool *done;
};

struct device_thread {
   struct pergola_device *dev;
   pthread_t thread;
   bool running;       /* atomic: looked at without the lock */
   bool stop, ended;   /* ended: it will look at the bus no more */
   pthread_mutex_t lock;
   pthread_cond_t work, ack;
   struct bus_op *op;
   size_t ops, op_room;
   bool touched;   /* something came over the bus since the device last ran */
   bool interrupt; /* raised by the device, under its own thread */
};

int device_thread_start(struct kernel *k);
void device_thread_stop(struct kernel *k);
void bus_write(struct kernel *k, uint32_t offset, uint32_t value); /* posted */
uint64_t bus_read(struct kernel *k, uint32_t offset, unsigned size);
void bus_flush(struct kernel *k); /* the device runs no longer without what has been posted */
int bus_add_memory(struct kernel *k, uint64_t physical, void *host, uint64_t size);
void bus_remove_memory(struct kernel *k, uint64_t physical); /* returns when it is gone */

/* ---- the kernel ----------------------------------------------------------------------------- */

#define KERNEL_PATH_MAX 1024
struct kernel_options {
   char device[32];
   enum pergola_check check;
   unsigned threads;
   enum pergola_native native;
   bool deterministic, stats, hazards;
   char trace[256];
   char report[KERNEL_PATH_MAX], trace_file[KERNEL_PATH_MAX], perfetto[KERNEL_PATH_MAX], dump[KERNEL_PATH_MAX];
   uint64_t hang_budget;
   int64_t wait_limit_ns; /* an engine that waits for the host this long is hung */
};

struct kernel {
   pthread_mutex_t lock;
   uint32_t wakes;   /* counts; a change wakes who waits: something completed */
   unsigned waiters;
   bool device_waits; /* for the lock; atomic */
   struct kernel_options options;
   const struct pergola_sku *sku;
   struct device_thread device;
   struct arena memory;  /* what the kernel keeps for itself: private, copied by fork */
   struct arena objects; /* shared with the client's maps */
   struct arena *old_objects; /* after a fork: the parent's, kept mapped */
   bool forked;               /* a child that has not used the GPU yet */
   struct range_alloc user_physical, ggtt, map_offsets;
   uint32_t *gsm; /* copy of the GTT entries */
   uint64_t scratch_ggtt, scratch_physical;
   struct engine engine[ENGINES];
   struct gem_object *all;
   struct master *master;
   uint64_t timelines; /* numbers given */
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
   bool stopped; /* hung while resets are switched off: EIO until a reset is asked for */
   char *error_state; /* of the first hang; NULL: none */
   size_t error_size;
   uint32_t resets;
   uint64_t requests, queued; /* so far */
   struct report *report;
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

/* engines (ring.c) */
#define HWS_SEQNO 0x100u /* in the status page: the last request that has ended */
#define REQUEST_DWORDS 256u /* more than any request takes on the ring */
int engines_create(struct kernel *k);
int engines_record_defaults(struct kernel *k);
void engines_restart(struct kernel *k);
void engine_start(struct kernel *k, struct engine *e);
bool ring_has_room(const struct engine *e, uint32_t dwords);
void ring_emit_request(struct kernel *k, struct engine *e, struct request *r);


/* requests (request.c) */
struct request *request_create(struct kernel *k, struct context *ctx, int engine);
void request_free(struct request *r);
int request_depend(struct request *r, struct fence *f);
void request_queue(struct kernel *k, struct request *r);
void requests_submit(struct kernel *k); /* what has become ready */
/* Completed work, from the status pages. True if anything completed. */
bool requests_retire(struct kernel *k);
/* After a fork: what was outstanding belongs to the parent. */
void requests_forget(struct kernel *k);
/* All outstanding work fails with EIO; nobody is to blame. */
void requests_cancel(struct kernel *k);
bool requests_outstanding(const struct kernel *k);
/* The device is gone: everything outstanding fails with EIO. */
void requests_abandon(struct kernel *k);
/* threads: lines on the EU threads in flight (trace/story.h), or "". */
void engine_hang(struct kernel *k, struct engine *e, const char *why, const char *threads);
/* Has the client any that were made before that time? */
bool requests_older(const struct kernel *k, const struct drm_file *f, int64_t than_ns);

/* Waits (wait.c) for kernel_wake() or the deadline (CLOCK_MONOTONIC ns; < 0: none: -ETIME); the lock is dropped meanwhile.
 * Signal handlers of the client run; the wait goes on after them, … */
int kernel_wait(struct kernel *k, int64_t deadline_ns);
/* … or it is -EINTR after one without SA_RESTART, … */
int kernel_wait_interruptible(struct kernel *k, int64_t deadline_ns);
/* … or after any, as for poll(). */
int kernel_wait_once(struct kernel *k, int64_t deadline_ns);
void kernel_wake(struct kernel *k);
int64_t monotonic_ns(void);

/* command parser (parser.c): 0 run it privileged; -EACCES run it unprivileged; -EINVAL refuse. */
int parser_check(int engine, const uint32_t *batch, uint32_t dwords);

/* faults of the device's threads in client memory (guard.c) */
void guard_thread(void); /* the calling thread is one of these: the faults are not blocked in it */
void guard_check(void);  /* before memory is used: is the handler there? Under the lock */
/* Around the time in which the device has the memory; the pages that were put in are gone after guard_remove(). */
struct guard_slot *guard_add(uint64_t start, uint64_t size); /* NULL: no memory, it is not guarded */
void guard_remove(struct guard_slot *slot, uint64_t start, uint64_t size);
bool guard_repaired(uint64_t start, uint64_t size); /* have any been put in? */
void guard_tell(void); /* on the device's thread */

/* after a hang (error_state.c) */
void error_state_capture(struct kernel *k, const struct engine *e, const char *threads);
void error_state_clear(struct kernel *k);

/* reports (report.c) */
int kreport_open(struct kernel *k);
void kreport_batch(struct kernel *k, const struct request *r, const void *batch, uint32_t bytes);
void kreport_batch_done(struct kernel *k, const struct request *r, bool hung);
void kreport_hang(struct kernel *k, const struct engine *e, const char *why, const char *threads);
void kreport_close(struct kernel *k);
void kreport_after_fork(struct kernel *k); /* in the child */
extern const char *const kernel_ring_names[ENGINES];

/* user memory (user.c): 0 or -EFAULT. */
int copy_in(void *to, uint64_t user, size_t size);
int copy_out(uint64_t user, const void *from, size_t size);
bool user_mapped(uint64_t user, uint64_t size);
/* May the client itself write there? Brings the pages in, as pinning them does. */
bool user_writable(uint64_t user, uint64_t size);
/* A chain of extensions where none is known: 0 if empty, -EFAULT, -EINVAL. */
int no_extensions(uint64_t user);

/* system calls that no interposer sees (sys.c) */
void *sys_mmap(void *address, size_t size, int prot, int flags, int fd, off_t offset);
int sys_munmap(void *address, size_t size);
int sys_close(int fd);
/* This thread is at work for the kernel or the device: what it unmaps is never the client's. */
extern _Thread_local bool kernel_inside;
/* Then the client's signals wait, as they do while a real kernel works: what it had blocked itself. NULL: they do not. */
extern _Thread_local const sigset_t *kernel_client_mask;
extern _Thread_local int kernel_client_cancel; /* whether the thread may be cancelled, while the mask is set */
struct client_state {
   bool inside;
   const sigset_t *mask;
   int cancel;
};
/* Around a wait: signals are taken meanwhile, and a handler may do what it likes. */
void kernel_step_out(struct client_state *c);
void kernel_step_in(const struct client_state *c);
void signals_block(sigset_t *before); /* all but those that tell of a fault of the thread's own */

/* ioctl handlers */
IOCTL_HANDLER(ioctl_getparam);
IOCTL_HANDLER(ioctl_query);
IOCTL_HANDLER(ioctl_reg_read);
IOCTL_HANDLER(ioctl_get_reset_stats);
IOCTL_HANDLER(ioctl_gem_create);
IOCTL_HANDLER(ioctl_gem_create_ext);
IOCTL_HANDLER(ioctl_gem_close);
IOCTL_HANDLER(ioctl_gem_flink);
IOCTL_HANDLER(ioctl_gem_open);
IOCTL_HANDLER(ioctl_gem_pread);
IOCTL_HANDLER(ioctl_gem_pwrite);
IOCTL_HANDLER(ioctl_gem_mmap);
IOCTL_HANDLER(ioctl_gem_mmap_offset);
IOCTL_HANDLER(ioctl_gem_set_domain);
IOCTL_HANDLER(ioctl_gem_sw_finish);
IOCTL_HANDLER(ioctl_gem_set_tiling);
IOCTL_HANDLER(ioctl_gem_get_tiling);
IOCTL_HANDLER(ioctl_gem_get_aperture);
IOCTL_HANDLER(ioctl_gem_madvise);
IOCTL_HANDLER(ioctl_gem_busy);
IOCTL_HANDLER(ioctl_gem_wait);
IOCTL_HANDLER(ioctl_gem_throttle);
IOCTL_HANDLER(ioctl_gem_set_caching);
IOCTL_HANDLER(ioctl_gem_get_caching);
IOCTL_HANDLER(ioctl_gem_userptr);
IOCTL_HANDLER(ioctl_gem_execbuffer2);
IOCTL_HANDLER(ioctl_create_dumb);
IOCTL_HANDLER(ioctl_map_dumb);
IOCTL_HANDLER(ioctl_destroy_dumb);
IOCTL_HANDLER(ioctl_context_create);
IOCTL_HANDLER(ioctl_context_destroy);
IOCTL_HANDLER(ioctl_context_getparam);
IOCTL_HANDLER(ioctl_context_setparam);
IOCTL_HANDLER(ioctl_vm_create);
IOCTL_HANDLER(ioctl_vm_destroy);
IOCTL_HANDLER(ioctl_prime_handle_to_fd);
IOCTL_HANDLER(ioctl_prime_fd_to_handle);
IOCTL_HANDLER(ioctl_syncobj_create);
IOCTL_HANDLER(ioctl_syncobj_destroy);
IOCTL_HANDLER(ioctl_syncobj_handle_to_fd);
IOCTL_HANDLER(ioctl_syncobj_fd_to_handle);
IOCTL_HANDLER(ioctl_syncobj_wait);
IOCTL_HANDLER(ioctl_syncobj_timeline_wait);
IOCTL_HANDLER(ioctl_syncobj_reset);
IOCTL_HANDLER(ioctl_syncobj_signal);
IOCTL_HANDLER(ioctl_syncobj_timeline_signal);
IOCTL_HANDLER(ioctl_syncobj_query);
IOCTL_HANDLER(ioctl_syncobj_transfer);
/* ioctls of prime and sync-file descriptors; -ENOTTY for others. Take the lock themselves. */
int prime_ioctl(struct kernel *k, struct gem_object *o, unsigned long request, void *arg);
int sync_file_ioctl(struct kernel *k, struct sync_file *s, unsigned long request, void *arg);

#endif
