/* A worker of pixel shaders in the middle of a tile: see render/snapshot.c. */
#include "render/snapshot.h"

/* The object that it walks over, by its number in the bin; tiles and edges follow from it. */
static void
object(struct ps_worker *w, struct render *r, struct snapshot *s)
{
   const struct bin *b = &r->bin;
   uint32_t number = 0; /* + 1; 0: none */
   for (unsigned i = 0; i < b->setups && w->s && !s->loading; i++)
      if (bin_setup(b, i) == w->s)
         number = i + 1;
   SNAP_BELOW(s, w->link, b->links + 1u);
   SNAP_BELOW(s, number, b->setups + 1u);
   if (s->loading && !s->refused && number)
      wm_enter_object(w, bin_setup(b, number - 1));
   if (!number)
      return;
   SNAP_BETWEEN(s, w->bx, w->bx0, FAR_PIXEL);
   SNAP_BETWEEN(s, w->by, 0, FAR_PIXEL + 8);
   SNAP_BETWEEN(s, w->mx, 0, FAR_PIXEL);
   SNAP_BETWEEN(s, w->my, 0, FAR_PIXEL);
   SNAP(s, w->mask);
   SNAP_ARRAY(s, w->masks);
}

/* The pixels of the thread, or of the threads that a group makes. */
static void
group(struct ps_worker *w, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct pixel_group, 1248);
   struct pixel_group *g = &w->pixel.group;
   SNAP_BELOW(s, g->subspans, PIXEL_SUBSPANS + 1);
   SNAP(s, g->back_facing);
   SNAP_BELOW(s, g->viewport, VIEWPORTS);
   SNAP_BELOW(s, g->layer, 2048);
   for (unsigned i = 0; i < PIXEL_SUBSPANS; i++) {
      SNAP_BELOW(s, g->x[i], FAR_PIXEL);
      SNAP_BELOW(s, g->y[i], FAR_PIXEL);
   }
   SNAP_ARRAY(s, g->lit);
   snapshot_bytes(s, g->z, sizeof(g->z));
   SNAP(s, g->smooth);
   if (g->smooth)
      snapshot_bytes(s, g->coverage, sizeof(g->coverage));
   SNAP_ARRAY(s, w->covered);
   SNAP_BELOW(s, w->parts, DEPTH_SAMPLES + 1);
   SNAP_BELOW(s, w->part, w->parts + 1);
   SNAP_BELOW(s, w->pair, DEPTH_SAMPLES / 2);
   SNAP(s, w->lit);
   SNAP(s, w->channels);
   struct pixel_tally *o = &w->pixel.oa; /* its counts have been handed over */
   uint32_t *const masks[] = {&o->lit, &o->alive, &o->shown, &o->alpha, &o->stencil, &o->late};
   for (unsigned i = 0; i < sizeof(masks) / sizeof(masks[0]); i++)
      SNAP(s, *masks[i]);
   SNAP_ARRAY(s, o->written);
}

/* What the data port asks of the thread that runs. */
static void
thread(struct ps_worker *w, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct rt_record, 64);
   SNAPSHOT_LOOKED_AT(struct rt_bypass, 68);
   SNAP_ARRAY(s, w->bypass.header);
   SNAP_ARRAY(s, w->upper);
   SNAP(s, w->record.dispatched);
   SNAP_ARRAY(s, w->record.written);
   SNAP_ARRAY(s, w->pixel.survived);
   w->width = 8u << w->w.kernel;
   w->backend.dispatch_width = (uint8_t)w->width;
}

void
ps_snapshot(struct stage_worker *stage, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct ps_worker, 17216);
   SNAPSHOT_LOOKED_AT(struct pixel_worker, 2528);
   struct ps_worker *w = (struct ps_worker *)stage;
   struct render *r = stage->crew->data;
   SNAP(s, w->in_tile);
   SNAP(s, w->number);
   snapshot_check(s, w->in_tile || stage->thread == STAGE_NONE, "pixels of no tile");
   if (!w->in_tile || !snapshot_check(s, stage->work.next < r->bin.tiles, "a tile that is none"))
      return;
   if (s->loading)
      wm_enter_tile(w, r->bin.tile[stage->work.next]);
   object(w, r, s);
   snapshot_check(s, w->s || stage->thread == STAGE_NONE, "pixels of no object");
   if (s->refused || !w->s)
      return;
   group(w, s);
   if (stage->thread == STAGE_RUNNING)
      thread(w, s);
   snapshot_check(s, w->part == w->parts || r->wm.per_sample, "samples of a pixel");
   bool on = r->pixel.dispatch && r->wm.kernel[stage->kernel].on;
   if (snapshot_check(s, stage->thread == STAGE_NONE || on, "a kernel that is off") && s->loading)
      ps_enter_object(w);
}
