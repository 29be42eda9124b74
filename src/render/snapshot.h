/* The 3D pipeline saved and loaded: what its files share. */
#ifndef PERGOLA_RENDER_SNAPSHOT_H
#define PERGOLA_RENDER_SNAPSHOT_H

#include "machine/snapshot.h"
#include "render/draw.h"

/* Where a worker of pixel shaders is: tile, object, block, group; its thread is the stage's. */
void ps_snapshot(struct stage_worker *w, struct snapshot *s);

#endif
