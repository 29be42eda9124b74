/* Requests (request.c): batches on their way to a ring and through it; the engines (ring.c) that
 * take them. */
#ifndef PERGOLA_DRM_REQUEST_H
#define PERGOLA_DRM_REQUEST_H

#include "names.h"

struct request {
   struct fence *fence;
   struct context *ctx;
   struct vm *vm;
   int engine;
   uint32_t seqno;
   uint32_t ring_begin, ring_postfix, ring_end; /* ring offsets: its first command, what follows its
                                                   batch, behind it */
   struct fence **dep;
   unsigned deps, dep_room;
   struct gem_object **object;
   unsigned objects, batch;   /* batch: its index */
   uint32_t batch_offset;     /* where in it commands begin */
   bool *capture;             /* which of them an error state tells; NULL: none */
   struct gem_object *shadow; /* of the command parser, or NULL */
   uint64_t shadow_ggtt;
   uint32_t first, second; /* batch addresses; second: the trampoline's entry, 0 for none */
   bool first_secure, has_second;
   bool sol_reset, cancelled;
   struct context *zombie;   /* no batch: a switch away from this closed context */
   struct context *previous; /* its image is written when this request switches away from it */
   uint64_t number;          /* for dumps and statistics */
   uint64_t started_ns;
   int64_t created_ns;
   struct dump *dump; /* of --dump, or NULL */
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
   uint32_t seqno;                           /* last one given */
   struct request *queue, **queue_end;       /* not on the ring yet */
   struct request *inflight, **inflight_end; /* on the ring */
   unsigned
       outstanding; /* length of inflight; atomic: the device's thread looks without the lock */
   struct context *current; /* whose image CCID names */
   struct vm *vm;           /* whose directory is loaded */
   uint64_t busy_budget;    /* units since the last completion; atomic */
   /* Set by the device's thread: since when it has been waiting (atomic; 0: it is not), and at
    * which command. */
   int64_t waits_since;
   uint32_t waits_at;
};

#define HWS_SEQNO 0x100u    /* in the status page: the last request that has ended */
#define REQUEST_DWORDS 256u /* more than any request takes on the ring */
int engines_create(struct kernel *k);
int engines_record_defaults(struct kernel *k);
void engines_restart(struct kernel *k);
void engine_start(struct kernel *k, struct engine *e);
bool ring_has_room(const struct engine *e, uint32_t dwords);
void ring_emit_request(struct kernel *k, struct engine *e, struct request *r);

struct request *request_create(struct kernel *k, struct context *ctx, int engine);
void request_free(struct request *r);
/* The command parser's copy of a batch: false, there is none of that size. */
bool shadow_take_spare(struct request *r, uint64_t size);
void shadow_drop_spare(struct kernel *k);
int request_depend(struct request *r, struct fence *f);
void request_queue(struct kernel *k, struct request *r);
void requests_submit(struct kernel *k); /* what has become ready */
/* Completed work, from the status pages. True if anything completed: kernel_wake() is the caller's.
 */
bool requests_retire(struct kernel *k);
/* After a fork: what was outstanding belongs to the parent. */
void requests_forget(struct kernel *k);
/* All outstanding work fails with EIO; nobody is to blame. */
void requests_cancel(struct kernel *k);
bool requests_outstanding(const struct kernel *k);
/* The device is gone: everything outstanding fails with EIO. */
void requests_abandon(struct kernel *k);
/* threads: lines on the EU threads in flight (pergola_story_print()), or "". */
void engine_hang(struct kernel *k, struct engine *e, const char *why, const char *threads);
/* Has the client any that were made before that time? NULL: all clients, and all of the kernel's
 * own. */
bool requests_older(const struct kernel *k, const struct drm_file *f, int64_t than_ns);

#endif
