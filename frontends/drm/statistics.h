/* What every batch did, for --stats. */
#ifndef PERGOLA_DRM_STATISTICS_H
#define PERGOLA_DRM_STATISTICS_H

#include "kernel.h"

struct statistics;

/* Listens to the device; NULL without memory. Before the device has its thread. */
struct statistics *statistics_open(struct kernel *k);
/* A request has ended: a line if it has a batch. */
void statistics_batch(struct statistics *s, const struct request *r, bool hung);
/* The sum of all lines. */
void statistics_close(struct statistics *s);
void statistics_free(struct statistics *s); /* without a word */

#endif
