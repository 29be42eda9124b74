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

/* The part of the pipeline that is saved in a context image, CS_MEDIA_LENGTH dwords. */
void media_context_save(const struct media *m, void *image);
/* No walk, no thread, no command in hand: all that is under way is forgotten, state stays. Also
 * when a context has been saved and is left: a preempted walker is the image's from then on. */
void media_drop_work(struct media *m);
void media_context_restore(struct media *m, const void *image);

struct busy_units;
/* object: a MEDIA_OBJECT is in hand. */
void media_busy(const struct media *m, bool object, struct busy_units *b);
struct snapshot;
void media_snapshot(struct media *m, struct snapshot *s);
/* Every thread that has begun and not ended; returns how many. */
unsigned media_threads(struct media *m, pergola_thread_fn fn, void *data);

#endif
