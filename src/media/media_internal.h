/* What the files of this room share. */
#ifndef PERGOLA_MEDIA_INTERNAL_H
#define PERGOLA_MEDIA_INTERNAL_H

#include "dispatch/place.h"
#include "eu/group.h"
#include "eu/series.h"
#include "eu/tally.h"
#include "machine/busy.h"
#include "media/media.h"
#include "shared_functions/quick.h"
#include "shared_functions/urb.h"

#define VFE_DESCRIPTOR_ROWS 32u /* MEDIA-122: the lowest rows hold interface descriptors */
#define VFE_MAX_HANDLES 64u     /* MEDIA-293 */
#define SLM_SIZE 0x10000u       /* MEDIA-200: of a half-slice */
#define SLM_BLOCK 0x1000u

/* How a thread is run by one who has entered: eu_run_inside, except in tests of the dispatcher
 * alone. */
typedef enum eu_stop (*media_run_fn)(struct eu_thread *t, uint64_t budget);

/* ---- VFE ------------------------------------------------------------------------------------ */

struct vfe {
   bool programmed; /* a MEDIA_VFE_STATE has been seen in this context */
   struct hw_media_vfe_state state;
   /* As received: for the rules on change and for the context image. */
   uint32_t vfe_dw[GEN7_MEDIA_VFE_STATE_LENGTH];
   uint32_t curbe_dw[GEN7_MEDIA_CURBE_LOAD_LENGTH];
   uint32_t descriptors_dw[GEN7_MEDIA_INTERFACE_DESCRIPTOR_LOAD_LENGTH];
   bool has_curbe, has_descriptors;
   uint32_t descriptors_loaded; /* bit i: entry i was written by a load */

   uint16_t handle[VFE_MAX_HANDLES]; /* the circular buffer */
   bool handle_busy[VFE_MAX_HANDLES];
   unsigned handle_count, handle_head;
   uint32_t entry_rows;

   unsigned max_threads;
   uint32_t dispatch_key; /* MEDIA-255: free running */
   bool preemption_disabled;

   /* MEDIA-030 and MEDIA-049: what was issued since the last flush. */
   bool primitive_since_flush, state_flush_since_primitive;
   bool media_since_flush, gpgpu_since_flush;
};

enum cs_result vfe_state(struct media *m, const struct cs_command *c);
/* What follows from vfe_dw. */
void vfe_unpack(struct media *m);
enum cs_result vfe_curbe_load(struct media *m, const struct cs_command *c);
enum cs_result vfe_descriptor_load(struct media *m, const struct cs_command *c);
/* Strictly in order from the head (MEDIA-093); -1: none is free. */
int vfe_handle_take(struct media *m);
void vfe_handle_release(struct media *m, unsigned index);
int vfe_handle_find(const struct media *m, uint16_t handle);
/* For the URB: data is struct media. */
uint64_t vfe_entry_end(void *data, uint16_t handle);
/* Before a primitive: is there state to run it with? Reports what is missing. */
bool vfe_ready(struct media *m, const struct cs_command *c);
void vfe_primitive_issued(struct media *m, const struct cs_command *c, bool gpgpu);

/* Indirect object data: zeros at and past the bound (MEDIA-037). */
void vfe_read_indirect(struct media *m, const struct cs_command *c, uint32_t offset,
                       uint32_t size_B, void *data);

/* ---- interface descriptors and payload ------------------------------------------------------- */

struct kernel_state {
   unsigned index;
   uint32_t dw[GEN7_INTERFACE_DESCRIPTOR_DATA_LENGTH]; /* as the URB held it, … */
   struct hw_interface_descriptor_data d;              /* … and what follows from it: */
   uint32_t cr0[2];                                    /* initial control register */
   unsigned slm_size_B;
};

/* The descriptor with this index, as the URB holds it. False: reported, nothing to dispatch. */
bool descriptor_fetch(struct media *m, const struct cs_command *c, unsigned index,
                      struct kernel_state *k);
/* What follows from its dwords. */
void kernel_state_unpack(struct kernel_state *k);
bool descriptor_kernel_mapped(struct media *m, const struct eu_env *env,
                              const struct kernel_state *k, const struct cs_command *c);
void media_env(struct media *m, const struct cs_command *c, struct eu_env *env);

/* A thread of the kernel, so far as all of them are alike; start.h has the rest. */
void thread_prepare(struct media *m, struct eu_thread *t, const struct eu_env *env,
                    const struct kernel_state *k);

/* ---- thread groups --------------------------------------------------------------------------- */

/* How many groups of a kind are in flight at once and where each one sits. The walk takes the
 * places in turn, so that what a thread sees of its place depends on the walk alone, not on host
 * threads. */
struct group_layout {
   unsigned threads; /* of a group */
   unsigned first_half_slice, half_slices;
   unsigned slots;      /* over all half-slices */
   unsigned slm_blocks; /* of 4 KiB */
   bool barrier;
   unsigned barrier_count;
};
void group_layout_init(struct media *m, const struct kernel_state *k, unsigned threads,
                       struct group_layout *l);

/* What a thread of a group has of its own besides its registers: by its index, alike for all groups
 * of one place. */
struct group_start {
   _Alignas(32) uint8_t state[EU_START_SIZE];
   uint32_t r0_5; /* scratch space and FFTID */
   uint32_t *n0;  /* of the hardware thread */
   struct gateway_port *port;
};

/* A host thread with room for the threads of one group. */
struct group_worker {
   _Alignas(64) struct dispatch_worker work;
   struct media *m;
   struct eu_thread *threads; /* room for GROUP_MAX_THREADS, and `fresh` behind them */
   struct eu_thread *pointer[GROUP_MAX_THREADS]; /* the group's, by their index */
   struct eu_thread *spare[GROUP_MAX_THREADS];   /* room that no thread has now, … */
   unsigned spares;                              /* … taken from the end */
   struct sf_buffers *buffers;                   /* surfaces met in the walk */
   struct eu_group group;

   /* The walk: what all of its threads have in common. */
   const struct gpgpu_payload *payload;
   struct eu_thread *fresh;
   struct eu_thread *again; /* ended as one of a series: set up but for its start; NULL: none */
   uint64_t rooms;          /* the same of threads of rounds, a bit each */
   unsigned alike;      /* so many threads of a group, from its first on, have the same channels */
   uint64_t iterations; /* threads of the walk that were some of a loop */
   uint64_t rings;      /* times that native code has gone on with a thread behind one that waits */
   bool in_series; /* … as `series` says; forgotten when anything else might have been run since */
   struct eu_series series;
   int trust; /* that its threads are iterations of a loop: none left, no more tries in this walk */
   unsigned
       needs; /* rows of constants that its kernel reads, when they are few: in `need`; else 0 */
   uint8_t need[8];
   uint32_t need_channels;
   unsigned rows;            /* of constants of a thread */
   const uint8_t *constants; /* where they lie for all threads, or NULL: not all in the URB */
   unsigned channels;        /* of a group */
   bool wide;                /* a thread has more than 16 */
   uint64_t dispatched;      /* channels of the groups begun so far */
   /* The group. */
   _Alignas(32) uint32_t r0[8];
   uint32_t first_id; /* of its first thread */
   unsigned first_handle;
   unsigned starts_slot; /* whose starts are in `start`; UINT_MAX: of none */
   unsigned ended;       /* of its threads */
   uint64_t ordinal;     /* in the walk, of the group with … */
   uint32_t id[3];       /* … this id: the last one that was begun */
   struct group_start start[GROUP_MAX_THREADS];
   bool counted; /* somebody counts; does not change while a host thread is inside */
   struct eu_group_clocks clocks; /* of its threads that have ended, if they are counted */
};
struct group_worker *group_worker_create(struct media *m);
void group_worker_destroy(struct group_worker *w);
struct gpgpu_payload {
   const struct eu_env *env;
   const struct kernel_state *kernel;
   const struct group_layout *layout;
   const uint32_t *mask;                /* of the threads of a group */
   uint32_t dispatch_key;               /* of the first thread of the walk */
   uint32_t first_thread;               /* ordinal of the walk's first thread, for handles */
   int slm_block;                       /* fixed by software, or -1 */
   const struct gpgpu_objects *objects; /* indirect data, or NULL */
};
/* Before the worker's first group of a walk. */
void group_prepare(struct group_worker *w, const struct gpgpu_payload *p);
/* The group with this number, in the worker's slot. */
void group_begin(struct group_worker *w, const uint32_t id[3], uint64_t ordinal);
/* As it was when it began, with none of its threads made. */
void group_set_up(struct group_worker *w, const uint32_t id[3], uint64_t ordinal);
void group_worker_snapshot(void *w, struct snapshot *s);
/* Runs the group's threads in turn. True: all have ended (or the group was given up, reported). */
bool group_run(struct group_worker *w, int64_t *budget);

/* ---- the GPGPU walker ------------------------------------------------------------------------ */

/* A walk over thread groups: what becomes of GPGPU_WALKER, or of GPGPU_OBJECTs. */
struct gpgpu_job {
   enum {
      GPGPU_NONE,
      GPGPU_WALKING,
      GPGPU_PREEMPTED, /* stopped for a context switch: stays for the context image */
   } phase;
   uint32_t dw[GEN7_GPGPU_WALKER_LENGTH];
   uint32_t address; /* of the command */
   struct eu_env env;
   struct kernel_state kernel;
   struct group_layout layout;
   struct gpgpu_payload payload;
   uint32_t mask[GROUP_MAX_THREADS];
   uint32_t first[3], dim[3];
   bool may_preempt;
   bool single; /* one group of GPGPU_OBJECTs */
};
/* The job's walk begins. */
void gpgpu_job_begin(struct media *m);
enum cs_result gpgpu_walker(struct media *m, const struct cs_command *c, uint64_t *budget);
/* No walk, and no worker that still holds a group of one. */
void gpgpu_job_drop(struct media *m);
/* A preempted walk is to go on. */
void gpgpu_job_resume(struct media *m);
enum cs_result gpgpu_job_run(struct media *m, uint64_t *budget, bool may_preempt);
/* The thread masks of one group, in dispatch order; returns how many threads it has. */
unsigned gpgpu_group_masks(const struct hw_gpgpu_walker *w, uint32_t mask[GROUP_MAX_THREADS]);
bool gpgpu_preemption_asked(const struct media *m);
/* The group of the walk that the worker has under way, as it was when it began. */
void gpgpu_group_set_up(struct group_worker *w, uint64_t ordinal);
/* GPGPU_WALKER as it has to be issued again to finish the walk (MEDIA-072). */
void gpgpu_job_rewrite(const struct media *m, uint32_t dw[GEN7_GPGPU_WALKER_LENGTH]);
extern const struct dispatch_unit gpgpu_unit;

/* ---- GPGPU_OBJECT ---------------------------------------------------------------------------- */

#define OBJECT_INDIRECT_ROWS 62u

/* Threads of one group, collected until the last of it has come: a barrier needs them all. */
struct gpgpu_objects {
   unsigned count;
   uint32_t id[3];
   unsigned descriptor;
   unsigned half_slice; /* 1 + number; 0: not fixed */
   int slm_block;       /* -1: hardware chooses */
   uint32_t mask[GROUP_MAX_THREADS];
   unsigned indirect_rows[GROUP_MAX_THREADS];
   uint8_t *indirect; /* GROUP_MAX_THREADS * OBJECT_INDIRECT_ROWS rows, when first needed */
   uint64_t groups;   /* so far: the half-slices take turns */
};
enum cs_result gpgpu_object(struct media *m, const struct cs_command *c, uint64_t *budget);
/* The group that was being collected becomes a job. */
void gpgpu_objects_close(struct media *m, const struct cs_command *c);

/* ---- all of it ------------------------------------------------------------------------------- */

struct media {
   struct pergola_device *dev;
   struct vfe vfe;
   struct gpgpu_job job;
   struct dispatch_crew crew; /* that runs it: of struct group_worker */
   struct gpgpu_objects objects;
   struct ts *ts;
   struct kernel_state watermark; /* what a MEDIA_STATE_FLUSH waits to have room for */
   uint8_t *slm[EU_HALF_SLICES];
   const struct hw_layout *descriptor_layout; /* for its rules */
   media_run_fn run;
};

/* The gateway follows MEDIA_VFE_STATE. */
void vfe_tell_gateway(const struct media *m);
/* For tests of the dispatcher: threads are run by `run`. */
void media_set_run(struct media *m, media_run_fn run);

__attribute__((format(printf, 6, 7))) void media_report(struct media *m, const struct cs_command *c,
                                                        enum pergola_severity severity,
                                                        const char *rule, const char *field,
                                                        const char *format, ...);
#endif
