/* The 3D pipeline: 3DPRIMITIVE from vertex fetch to pixels (docs/decisions/0011-3d-pipeline.md).
 * What cannot be drawn is named, with its rule, and nothing is drawn. */
#ifndef PERGOLA_RENDER_H
#define PERGOLA_RENDER_H

#include "cs/cs.h"
#include "eu/eu.h"

struct render;

struct render *render_create(struct pergola_device *dev);
void render_destroy(struct render *r);
/* A thread under way is dropped. */
void render_reset(struct render *r);
struct snapshot;
void render_snapshot(struct render *r, struct snapshot *s);
/* While a 3DPRIMITIVE is under way. */
struct busy_units;
void render_busy(const struct render *r, struct busy_units *b);
/* 3DPRIMITIVE. */
enum cs_result render_primitive(struct render *r, const struct cs_command *c, uint64_t *budget);
/* The pixel shader thread under way, if there is one; returns how many there are. */
unsigned render_threads(struct render *r, pergola_thread_fn fn, void *data);

#endif
