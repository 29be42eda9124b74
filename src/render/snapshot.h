/* The 3D pipeline saved and loaded: what its files share. */
#ifndef PERGOLA_RENDER_SNAPSHOT_H
#define PERGOLA_RENDER_SNAPSHOT_H

#include "machine/snapshot.h"
#include "render/draw.h"

/* stage_snapshot.c. How far vertices, of which there are so many, have become objects. */
void assembly_snapshot(struct assembly *a, unsigned vertices, struct snapshot *s);
/* Objects that are made of these vertices. */
void object_list_snapshot(struct object_list *l, const struct vertex *vertex, unsigned vertices,
                          struct snapshot *s);
/* The stages behind the vertex shader, while objects are with them. */
void stages_snapshot(struct render *r, struct snapshot *s);

/* Where a worker of pixel shaders is: tile, object, block, group; its thread is the stage's. */
void ps_snapshot(struct stage_worker *w, struct snapshot *s);

#endif
