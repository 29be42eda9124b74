/* The 2D engine behind the blitter command streamer. */
#ifndef PERGOLA_BLITTER_H
#define PERGOLA_BLITTER_H

#include "cs/cs.h"

struct blitter *blitter_create(struct pergola_device *dev);
void blitter_destroy(struct blitter *b);
struct snapshot;
void blitter_snapshot(struct blitter *b, struct snapshot *s);
void blitter_reset(struct blitter *b);
/* Client-2 commands, from the blitter command streamer. */
enum cs_result blitter_command(struct blitter *b, const struct cs_command *c, uint64_t *budget);

#endif
