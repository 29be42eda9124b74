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
/* Runs what is in flight to its end (a flush, PIPELINE_SELECT, a context switch). */
enum cs_result media_drain(struct media *m, uint64_t *budget);

/* The part of the pipeline that is saved in a context image. */
size_t media_context_size(void);
void media_context_save(const struct media *m, void *image);
void media_context_restore(struct media *m, const void *image);

/* One thread group: what its threads share. Runs on one host thread at a time. */
struct eu_group {
   struct pergola_device *dev;
   uint8_t *slm; /* NULL: none allocated */
   uint32_t slm_size_B;
   uint8_t barrier_id;
   bool barrier_enabled;
   unsigned thread_count, barrier_arrived;
   struct eu_thread *const *threads; /* thread_count */
};

#endif
