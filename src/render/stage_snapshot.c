/* Objects on their way through tessellation, geometry shader and stream output, saved and loaded:
 * see render/snapshot.c. What a stage has planned for the draw has been planned again when it was
 * begun; here is how far it is. */
#include "render/snapshot.h"

/* ---- objects ----------------------------------------------------------------------------------
 */

void
assembly_snapshot(struct assembly *a, unsigned vertices, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct assembly, 128);
   SNAP_BELOW(s, a->stream, 4);
   SNAP(s, a->id);
   SNAP(s, a->count);
   SNAP(s, a->objects);
   SNAP(s, a->made);
   SNAP(s, a->seen);
   SNAP_BELOW(s, a->holds, assembly_most_held(a) + 1);
   for (unsigned i = 0; i < a->holds; i++)
      SNAP_BELOW(s, a->held[i], vertices);
}

static void
object(const struct vertex *vertex, unsigned vertices, struct object *o, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct object, 280);
   SNAP_BELOW(s, o->kind, OBJECT_PATCH + 1);
   SNAP_BELOW(s, o->topology, 64);
   SNAP_BELOW(s, o->vertices, OBJECT_VERTICES + 1);
   for (unsigned i = 0; i < 3; i++)
      SNAP_BELOW(s, o->inner[i], OBJECT_VERTICES);
   SNAP_BELOW(s, o->provoking, 3);
   SNAP_BELOW(s, o->leading, 3);
   SNAP_BELOW(s, o->edges, 64);
   SNAP(s, o->odd);
   SNAP(s, o->back);
   SNAP(s, o->last);
   SNAP(s, o->first);
   SNAP_BELOW(s, o->stream, 4);
   SNAP(s, o->id);
   for (unsigned i = 0; i < OBJECT_VERTICES; i++) { /* all are somewhere */
      uint16_t entry = !s->loading && i < o->vertices ? (uint16_t)(o->v[i] - vertex) : 0;
      if (i < o->vertices)
         SNAP_BELOW(s, entry, vertices);
      if (s->loading)
         o->v[i] = &vertex[entry];
   }
}

void
object_list_snapshot(struct object_list *l, const struct vertex *vertex, unsigned vertices,
                     struct snapshot *s)
{
   SNAP_BELOW(s, l->count, OBJECTS + 1);
   snapshot_check(s, !l->count || vertices, "objects without vertices");
   for (unsigned i = 0; i < l->count && !s->refused; i++)
      object(vertex, vertices, &l->object[i], s);
   if (s->refused && s->loading)
      l->count = 0;
}

static void
stage(struct pipe_stage *p, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct pipe_stage, 40);
   SNAP(s, p->passing);
   SNAP_BELOW(s, p->at, OBJECTS + 1);
}

/* ---- tessellation -----------------------------------------------------------------------------
 */

/* Patches that the hull shader has under way, or has made: those of the list from the stage's on.
 */
static void
hull(struct render *r, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct hs, 5696);
   struct hs *h = &r->hs;
   const struct tess *t = &r->tess;
   unsigned left = t->stage.at < r->list.count ? r->list.count - t->stage.at : 0;
   snapshot_sparse(s, h->row, sizeof(h->row));
   if (t->phase == TESS_HULL && !t->walking)
      return;
   if (s->loading) {
      h->in = &r->list;
      h->first = t->stage.at;
   }
   SNAP_BETWEEN(s, h->patches, 1, left < h->entries.count ? left : h->entries.count);
   if (t->phase != TESS_HULL || s->refused)
      return;
   dispatch_crew_snapshot(&h->crew, true, s);
   snapshot_check(s, h->crew.walk.items == h->patches, "patches of a walk");
}

/* Points of a patch that there was no room for so far. */
static void
tessellated(struct tess *t, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct te_output, 87208);
   struct te_output *o = t->te;
   SNAP_BELOW(s, o->points, TE_MAX_POINTS + 1);
   snapshot_bytes(s, o->point, o->points * sizeof(o->point[0]));
   SNAP_BELOW(s, o->indices, TE_MAX_INDICES + 1);
   for (unsigned i = 0; i < o->indices && !s->refused; i++)
      SNAP_BELOW(s, o->index[i], o->points);
   SNAP_BELOW(s, t->te_at, o->indices + 1);
}

/* Points and what threads have been, or are to be, made of them: each point is one of a pair. */
static void
points(struct render *r, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct te_point, 8);
   SNAPSHOT_LOOKED_AT(struct ds_pair, 4);
   struct ds *d = &r->ds;
   unsigned first = 0;
   SNAP_BELOW(s, d->points, DS_POINTS + 1);
   snapshot_bytes(s, d->point, d->points * sizeof(d->point[0]));
   SNAP_BELOW(s, d->pairs, d->points + 1);
   for (unsigned i = 0; i < d->pairs && !s->refused; i++) {
      struct ds_pair *p = &d->pair[i];
      SNAP_BELOW(s, p->patch, r->hs.patches);
      SNAP(s, p->both);
      if (s->loading)
         p->first = (uint16_t)first;
      first += 1u + p->both;
      snapshot_check(s, first <= d->points, "a pair of points that are none");
   }
   snapshot_check(s, first == d->points, "points without a pair");
}

/* The pairs of the walk under way; returns those before it, which are shaded. */
static unsigned
domain_walk(struct render *r, struct snapshot *s)
{
   struct ds *d = &r->ds;
   snapshot_check(s, r->tess.walking, "points that nobody shades");
   SNAP_BELOW(s, d->first_pair, d->pairs);
   snapshot_check(s, d->first_pair % ds_room(d) == 0, "a walk that begins in the middle");
   if (s->refused)
      return 0;
   if (s->loading)
      d->walked = ds_walk_pairs(d);
   dispatch_crew_snapshot(&d->crew.crew, true, s);
   snapshot_check(s, d->crew.crew.walk.items == d->walked, "points of a walk");
   return d->first_pair;
}

/* The domain shader. Vertices that are more than there are entries for lie in a store. */
static void
domain(struct render *r, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct ds, 134784);
   struct ds *d = &r->ds;
   unsigned shaded = r->tess.phase == TESS_EMIT ? d->pairs : 0;
   snapshot_sparse(s, d->row, sizeof(d->row));
   if (r->tess.phase == TESS_DOMAIN)
      shaded = domain_walk(r, s);
   for (unsigned i = 0; i < shaded && !s->refused; i++) {
      if (s->loading)
         ds_lay_out(d, i);
      for (unsigned k = 0; k <= d->pair[i].both && ds_stored(d); k++)
         snapshot_bytes(s, d->vertex[d->pair[i].first + k].vue, d->store_stride_B);
   }
}

/* Objects of the batch. */
static void
pieces(struct render *r, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct tess_piece, 12);
   struct tess *t = &r->tess;
   SNAP_BELOW(s, t->indices, TESS_INDICES + 1);
   for (unsigned i = 0; i < t->indices && !s->refused; i++)
      SNAP_BELOW(s, t->index[i], r->ds.points);
   SNAP_BELOW(s, t->pieces, TESS_PIECES + 1);
   for (unsigned i = 0; i < t->pieces && !s->refused; i++) {
      struct tess_piece *p = &t->piece[i];
      SNAP_BELOW(s, p->first, t->indices + 1);
      SNAP_BELOW(s, p->end, t->indices + 1);
      SNAP(s, p->id);
   }
   SNAP_BELOW(s, t->piece_at, t->pieces + 1);
   SNAP_BELOW(s, t->index_at, t->indices + 1);
}

static void
tessellation(struct render *r, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct tess, 140536);
   struct tess *t = &r->tess;
   stage(&t->stage, s);
   SNAP_BELOW(s, t->phase, TESS_EMIT + 1);
   SNAP(s, t->walking);
   hull(r, s);
   if (t->phase == TESS_HULL || s->refused)
      return;
   if (s->loading)
      tess_begin_batch(r);
   SNAP_BELOW(s, t->patch, r->hs.patches + 1);
   SNAP(s, t->ready);
   snapshot_check(s, !t->ready || t->patch < r->hs.patches, "a patch that is none");
   if (t->ready && !s->refused)
      tessellated(t, s);
   points(r, s);
   if (s->refused)
      return;
   domain(r, s);
   pieces(r, s);
   assembly_snapshot(&t->assembly, r->ds.points, s);
   bool shaded = t->phase == TESS_EMIT;
   object_list_snapshot(&t->out, r->ds.vertex, shaded ? r->ds.points : 0, s);
   snapshot_check(s, shaded || !t->stage.passing, "objects of points that are not shaded");
}

/* ---- the geometry shader ----------------------------------------------------------------------
 */

/* Vertices lie in entries, behind the header. */
static void
emitted(struct gs *g, unsigned slots, struct snapshot *s)
{
   uint32_t size = 16u * slots;
   SNAP_BELOW(s, g->vertices, GS_VERTICES + 1);
   for (unsigned i = 0; i < g->vertices && !s->refused; i++) {
      struct vertex *v = &g->vertex[i];
      uint32_t at = s->loading ? 0 : (uint32_t)((uint8_t *)v->vue - g->entries.data);
      SNAP_BELOW(s, at, g->entries.count * g->entries.stride_B);
      snapshot_check(s, at % 16 == 0 && at % g->entries.stride_B + size <= g->entries.stride_B,
                     "a vertex that passes its entry's end");
      if (s->loading && !s->refused)
         *v = gs_vertex(g, at, slots);
   }
   if (s->refused && s->loading)
      g->vertices = 0;
}

static void
emission(struct render *r, struct snapshot *s)
{
   struct gs *g = &r->gs;
   if (s->loading)
      gs_emit_begin(r);
   emitted(g, r->state.gs.output_vertex_size + 1, s);
   SNAP_BELOW(s, g->slot, g->threads * g->per_thread + 1);
   SNAP_BELOW(s, g->slot_first, g->vertices + 1);
   SNAP_BELOW(s, g->slot_count, g->vertices - g->slot_first + 1);
   SNAP_BELOW(s, g->vertex_at, g->slot_count + 1);
   assembly_snapshot(&g->assembly, g->vertices, s);
   object_list_snapshot(&g->out, g->vertex, g->vertices, s);
}

static void
geometry(struct render *r, const struct object_list *in, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct gs, 145280);
   struct gs *g = &r->gs;
   stage(&g->stage, s);
   snapshot_sparse(s, g->row, sizeof(g->row));
   SNAP(s, g->walking);
   SNAP(s, g->emitting);
   bool active = g->stage.at != 0;
   snapshot_check(s, g->stage.at <= 1 && active == (g->walking != g->emitting),
                  "a geometry shader that does nothing, or two things");
   if (!active || s->refused)
      return;
   if (s->loading)
      gs_begin_list(r, in);
   SNAP_BELOW(s, g->first, g->all);
   if (s->refused)
      return;
   if (s->loading)
      g->threads = gs_walk_threads(g);
   if (g->walking)
      dispatch_crew_snapshot(&g->crew.crew, true, s);
   snapshot_check(s, !g->walking || g->crew.crew.walk.items == g->threads, "threads of a walk");
   if (s->refused)
      return;
   snapshot_bytes(s, g->ended, g->threads * sizeof(g->ended[0]));
   if (g->emitting)
      emission(r, s);
}

/* ---- stream output ----------------------------------------------------------------------------
 */

/* What goes on is chosen again. */
static void
stream_output(struct render *r, const struct object_list *in, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct sol, 88312);
   struct sol *o = &r->sol;
   stage(&o->stage, s);
   SNAP_ARRAY(s, o->written);
   SNAP_ARRAY(s, o->needed);
   if (s->loading && o->stage.passing)
      sol_choose(r, in);
}

/* ---- all of them ------------------------------------------------------------------------------
 */

void
stages_snapshot(struct render *r, struct snapshot *s)
{
   const struct object_list *in = &r->list;
   if (tess_needed(r)) {
      tessellation(r, s);
      in = &r->tess.out;
   }
   if (r->state.gs.enable && !s->refused) {
      geometry(r, in, s);
      in = &r->gs.out;
   }
   if (sol_needed(r) && !s->refused)
      stream_output(r, in, s);
   stage(&r->raster, s);
}
