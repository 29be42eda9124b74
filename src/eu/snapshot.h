/* Threads and what they share, saved and loaded. */
#ifndef PERGOLA_EU_SNAPSHOT_H
#define PERGOLA_EU_SNAPSHOT_H

#include "eu/eu.h"
#include "machine/snapshot.h"

/* The one who made it puts `spawner` and `pixel` there again. */
void eu_env_snapshot(struct eu_env *env, struct snapshot *s);
/* A thread that has begun. Its dispatcher puts env, group, buffers and ts there again. */
void eu_thread_snapshot(struct eu_thread *t, struct snapshot *s);
/* How far the threads of a group are; it has been set up as it began. */
void eu_group_snapshot(struct eu_group *g, struct snapshot *s);

#endif
