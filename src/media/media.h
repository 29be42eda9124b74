/* The media and GPGPU pipeline: VFE, thread spawner, walkers, scoreboard, groups. */
#ifndef PERGOLA_MEDIA_H
#define PERGOLA_MEDIA_H

#include "cs/cs.h"
#include "eu/eu.h"

struct media *media_create(struct pergola_device *dev);
void media_destroy(struct media *m);
void media_reset(struct media *m);

/* MEDIA_* and GPGPU_* commands, from the render command streamer. */
enum cs_result media_command(struct media *m, const struct cs_command *c, uint64_t *budget);
/* Have all threads ended? Runs nothing. */
bool media_idle(const struct media *m);
/* Runs what is in flight to its end (a flush, PIPELINE_SELECT, a context switch). A walker that was
 * preempted stays as it is, for the context image. */
enum cs_result media_drain(struct media *m, uint64_t *budget);
/* MI_FLUSH or PIPE_CONTROL has been executed: media state may change again. */
void media_flushed(struct media *m);

/* PIPELINE_SELECT: the URB entries of the old pipe are nobody's now. */
void media_pipeline_selected(struct media *m);

/* The part of the pipeline that is saved in a context image. */
size_t media_context_size(void);
void media_context_save(const struct media *m, void *image);
/* No walk, no thread, no command in hand: all that is under way is forgotten, state stays. Also
 * when a context has been saved and is left: a preempted walker is the image's from then on. */
void media_drop_work(struct media *m);
void media_context_restore(struct media *m, const void *image);

/* Every thread that has begun and not ended; returns how many. */
unsigned media_threads(struct media *m, pergola_thread_fn fn, void *data);

/* The URB that threads and fixed functions share. */
struct urb *media_urb(struct pergola_device *dev);

#define GROUP_MAX_THREADS 64

enum group_thread_state { GROUP_READY, GROUP_WAITING, GROUP_ENDED };

/* One thread group: what its threads share. Runs on one host thread at a time. */
struct eu_group {
   struct pergola_device *dev;
   uint8_t *slm; /* NULL: none allocated */
   uint32_t slm_size_B;
   uint8_t barrier_id;
   bool barrier_enabled;
   unsigned thread_count, barrier_arrived;
   struct eu_thread *const *threads; /* thread_count */
   unsigned
       unmade; /* of these the last ones do not exist yet: they are made when their turn comes */
   unsigned barrier_count;           /* messages that complete the barrier */
   unsigned barrier_message_count;   /* that the round under way is compared with */
   uint64_t barrier_waiting;         /* bit i: thread i has sent its BarrierMsg */
   uint64_t released;                /* bit i: thread i has told the spawner that it ends */
   uint32_t id[3];                   /* thread group id x, y, z */
   uint8_t state[GROUP_MAX_THREADS]; /* enum group_thread_state */
};
/* For those who must see every thread of a group that has some unmade. */
void group_make_all(struct eu_group *g);

#endif
