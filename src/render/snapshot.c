/* The 3D pipeline saved and loaded: see machine/snapshot.h. A draw in the middle is begun again
 * from its command, and then put where it was: vertices, objects, stages (stage_snapshot.c), setups
 * and the walk over pixels. */
#include "render/snapshot.h"

#include "shared_functions/urb.h"

#include <stdlib.h>

/* ---- vertices ---------------------------------------------------------------------------------
 */

/* Vertices that may be used again. */
static void
tags(struct vf *vf, struct snapshot *s)
{
   for (unsigned i = 0; i < VF_TAGS; i++) {
      bool valid = vf->tag[i].epoch == vf->epoch;
      SNAP(s, valid);
      if (s->loading)
         vf->tag[i].epoch = valid ? vf->epoch : vf->epoch - 1;
      if (!valid)
         continue;
      SNAP(s, vf->tag[i].index);
      SNAP_BELOW(s, vf->tag[i].entry, VF_ENTRIES);
      if (snapshot_check(s, vf->tag[i].entry < vf->known, "a vertex that is not fetched"))
         vf->tag_of[vf->tag[i].entry] = (uint16_t)i;
   }
}

static void
vertices(struct render *r, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct vf, 40960);
   struct vf *vf = &r->vf;
   SNAP(s, vf->vertices);
   SNAP(s, vf->start);
   SNAP(s, vf->instances);
   SNAP(s, vf->start_instance);
   SNAP(s, vf->base);
   SNAP(s, vf->instance);
   SNAP(s, vf->v);
   SNAP(s, vf->over);
   SNAP_BELOW(s, vf->used, vf->entries + 1);
   SNAP_BELOW(s, vf->shaded, vf->used + 1);
   SNAP_BETWEEN(s, vf->known, vf->used, vf->entries);
   SNAP_BETWEEN(s, vf->limit, vf->used, vf->entries);
   for (unsigned i = 0; i < vf->known; i++)
      SNAP(s, vf->vertex[i].edge_flag);
   if (vf->stored || vf->urb == vf->spare)
      snapshot_bytes(s, vf->spare, (size_t)vf->known * vf->stride_B);
   tags(vf, s);
   assembly_snapshot(&vf->strip, vf->known, s);
   SNAP(s, vf->vertices_seen);
   snapshot_check(s, vf->over || (vf->v < vf->vertices && vf->instance < vf->instances),
                  "a vertex behind the last one");
}

static void
shading(struct render *r, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct vs, 4160);
   struct vs *vs = &r->vs;
   snapshot_sparse(s, vs->row, sizeof(vs->row));
   SNAP_BELOW(s, vs->first, r->vf.used + 1);
   SNAP(s, vs->walking);
   if (vs->walking)
      dispatch_crew_snapshot(&r->vs_crew.crew, true, s);
   uint64_t items = r->vs_crew.crew.walk.items, per = r->state.vs.single_vertex_dispatch ? 1 : 2;
   snapshot_check(s, !vs->walking || vs->first + per * items <= r->vf.used + per - 1,
                  "vertices that are not fetched");
}

/* ---- setups -----------------------------------------------------------------------------------
 */

static void
planes(struct setup *u, struct snapshot *s)
{
   struct plane *const all[] = {&u->n1, &u->n2, &u->d, &u->l1, &u->l2, &u->z};
   for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
      snapshot_bytes(s, all[i], sizeof(*all[i]));
}

static void
line_style(struct line_style *l, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct line_style, 80);
   SNAP(s, l->y_major);
   SNAP_BETWEEN(s, l->step, -1, 1);
   SNAP_BETWEEN(s, l->from, -FAR_PIXEL, 2 * FAR_PIXEL);
   SNAP(s, l->count);
   snapshot_bytes(s, &l->across, sizeof(l->across));
   snapshot_bytes(s, &l->along, sizeof(l->along));
   snapshot_bytes(s, &l->half, sizeof(l->half));
   snapshot_bytes(s, &l->length, sizeof(l->length));
}

static void
setup(struct setup *u, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct setup, 384);
   SNAP_BETWEEN(s, u->x0, 0, FAR_PIXEL);
   SNAP_BETWEEN(s, u->y0, 0, FAR_PIXEL);
   SNAP_BETWEEN(s, u->x1, u->x0, FAR_PIXEL);
   SNAP_BETWEEN(s, u->y1, u->y0, FAR_PIXEL);
   SNAP_BELOW(s, u->edges, SETUP_EDGES + 1);
   SNAP_BELOW(s, u->topology, 64);
   SNAP_BELOW(s, u->viewport, VIEWPORTS);
   SNAP(s, u->back_facing);
   SNAP(s, u->stippled);
   SNAP(s, u->dashed);
   SNAP(s, u->smooth);
   SNAP(s, u->patterned);
   SNAP(s, u->perspective);
   SNAP_BELOW(s, u->layer, 2048);
   SNAP_BELOW(s, u->attributes, ATTRIBUTES + 1);
   for (unsigned i = 0; i < u->edges; i++) {
      SNAP_BETWEEN(s, u->edge[i].c, -(INT64_C(1) << 60), INT64_C(1) << 60);
      SNAP_BETWEEN(s, u->edge[i].a, -(1 << 28), 1 << 28);
      SNAP_BETWEEN(s, u->edge[i].b, -(1 << 28), 1 << 28);
      SNAP(s, u->edge[i].rest);
   }
   planes(u, s);
   if (u->dashed || u->smooth)
      line_style(&u->line, s);
   snapshot_bytes(s, u->attribute, (size_t)u->attributes * 64);
   if (s->loading)
      u->size_B = (uint32_t)(sizeof(*u) + u->attributes * 64u);
}

/* Which tiles they touch is found again. */
static void
setups(struct render *r, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct bin, 8272);
   struct bin *b = &r->bin;
   unsigned count = b->setups;
   SNAP_BELOW(s, count, BIN_SETUPS + 1);
   for (unsigned i = 0; i < count && !s->refused; i++) {
      if (s->loading && b->used_B + BIN_SETUP_ROOM > BIN_SIZE) {
         snapshot_refuse(s, "setups that have no room");
         return;
      }
      struct setup *u = s->loading ? bin_new(r) : bin_setup(b, i);
      setup(u, s);
      if (s->loading)
         bin_add(r, u);
   }
   SNAP_BELOW(s, b->done, b->setups + 1);
   SNAP(s, b->open);
   SNAP_BETWEEN(s, b->row, 0, FAR_PIXEL);
   if (s->loading && b->open && !s->refused)
      bin_sort(r);
}

static void
pixels(struct render *r, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct wm, 4288);
   setups(r, s);
   snapshot_sparse(s, r->wm.constant, sizeof(r->wm.constant));
   SNAP(s, r->wm.first_thread);
   if (!s->refused && r->bin.open)
      dispatch_crew_snapshot(&r->ps_crew.crew, true, s);
   snapshot_check(s, !r->bin.open || r->ps_crew.crew.walk.items == r->bin.tiles, "tiles of a walk");
}

/* ---- the draw ---------------------------------------------------------------------------------
 */

static void
draw(struct render *r, struct snapshot *s)
{
   SNAP_BELOW(s, r->phase, DRAW_OVER);
   if (!s->loading)
      assembly_objects(&r->vf.strip); /* none waits while it is kept */
   vertices(r, s);
   shading(r, s);
   object_list_snapshot(&r->list, r->vf.vertex, r->vf.known, s);
   if (r->phase == DRAW_PASS && !s->refused) /* else nothing is with them */
      stages_snapshot(r, s);
   pixels(r, s);
   SNAP(s, r->clip_in);
   SNAP(s, r->clip_out);
}

void
render_snapshot(struct render *r, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct render, 706816);
   struct cs_command c;
   snapshot_room(s, "REND");
   if (s->loading) {
      render_reset(r);
      r->known = false;
      memset(r->stamp, 0, sizeof(r->stamp));
      memset(r->found, 0, sizeof(r->found));
   }
   SNAP(s, r->threads);
   SNAP(s, r->dash);
   SNAP(s, r->dash_stamp);
   bool drawing = cs_command_begun(r->dev->cs[RCS], &c) && c.desc->id == GEN7_3DPRIMITIVE_ID;
   if (drawing && s->loading)
      snapshot_check(s, !s->refused && render_begin(r, &c), "a draw of nothing");
   struct dispatch_crew *const crews[] = {&r->vs_crew.crew, &r->hs.crew, &r->ds.crew.crew,
                                          &r->gs.crew.crew, &r->ps_crew.crew};
   for (unsigned i = 0; i < sizeof(crews) / sizeof(crews[0]); i++)
      dispatch_crew_snapshot(crews[i], false, s);
   if (!drawing)
      return;
   if (!s->refused)
      draw(r, s);
   if (s->refused && s->loading)
      render_reset(r);
}
