/* From patches to objects: hull shader, tessellation engine, domain shader. Patches go through in
 * groups that the hull shader has entries for; their points, in batches that fit the store. */
#include "render/draw.h"

#include <stdlib.h>

#define PATCH_COST 64u /* of the budget, to tessellate a patch … */
#define POINT_COST 2u  /* … and each of its points, as much as so many instructions */
#define INDEX_COST 4u

/* ---- points -----------------------------------------------------------------------------------
 */

static unsigned
corners(const struct render *r)
{
   switch (r->tess.te_state.topology) {
   case TE_POINTS:
      return 1;
   case TE_LINES:
      return 2;
   default:
      return r->tess.te_state.domain == TE_ISOLINE ? 2 : 3;
   }
}

/* The next patch of the group to t->te. False: it is culled (P3D-110). */
static bool
tessellate_next(struct render *r, uint64_t *budget)
{
   struct tess *t = &r->tess;
   uint32_t header[8];
   memcpy(header, r->hs.entries.data + (size_t)t->patch * r->hs.entries.stride_B, sizeof(header));
   bool ok = te_tessellate(&t->te_state, header, t->te);
   uint64_t cost = PATCH_COST + (ok ? POINT_COST * (uint64_t)t->te->points : 0);
   *budget -= *budget < cost ? *budget : cost;
   return ok;
}

static void
add_pairs(struct render *r, unsigned first, unsigned count)
{
   struct ds *d = &r->ds;
   unsigned step = r->state.ds.single_domain_point_dispatch ? 1 : 2;
   for (unsigned i = 0; i < count; i += step)
      d->pair[d->pairs++] = (struct ds_pair){.first = (uint16_t)(first + i),
                                             .patch = (uint8_t)r->tess.patch,
                                             .both = step == 2 && i + 1 < count};
}

static void
add_piece(struct render *r, unsigned first_index)
{
   struct tess *t = &r->tess;
   t->piece[t->pieces++] = (struct tess_piece){
       .first = first_index, .end = t->indices, .id = r->hs.in->object[r->hs.first + t->patch].id};
}

/* All points of the patch, and its indices. False: there is no room for them now. */
static bool
add_patch(struct render *r)
{
   struct tess *t = &r->tess;
   struct ds *d = &r->ds;
   const struct te_output *o = t->te;
   if (o->points > DS_POINTS - d->points || o->indices > TESS_INDICES - t->indices ||
       t->pieces == TESS_PIECES)
      return false;
   unsigned first = d->points, first_index = t->indices;
   memcpy(d->point + first, o->point, o->points * sizeof(o->point[0]));
   d->points += o->points;
   for (unsigned i = 0; i < o->indices; i++)
      t->index[t->indices++] = (uint16_t)(first + o->index[i]);
   add_pairs(r, first, o->points);
   add_piece(r, first_index);
   return true;
}

/* P3D-130, with the cache off: a point for every reference, as many objects as there is room for.
 * False: some are left. */
static bool
add_references(struct render *r)
{
   struct tess *t = &r->tess;
   struct ds *d = &r->ds;
   const struct te_output *o = t->te;
   unsigned n = corners(r), first = d->points, first_index = t->indices;
   if (t->pieces == TESS_PIECES)
      return false;
   for (; t->te_at + n <= o->indices && d->points + n <= DS_POINTS; t->te_at += n)
      for (unsigned i = 0; i < n; i++) {
         t->index[t->indices++] = (uint16_t)d->points;
         d->point[d->points++] = o->point[o->index[t->te_at + i]];
      }
   add_pairs(r, first, d->points - first);
   add_piece(r, first_index);
   return t->te_at + n > o->indices;
}

/* Points of as many patches of the group as there is room for. False: the budget ends. */
static bool
gather(struct render *r, uint64_t *budget)
{
   struct tess *t = &r->tess;
   while (t->patch < r->hs.patches) {
      if (!*budget)
         return false;
      if (!t->ready) {
         t->te_at = 0;
         t->ready = tessellate_next(r, budget);
      }
      if (t->ready && !(r->state.ds.ds_cache_disable ? add_references(r) : add_patch(r)))
         return true;
      t->ready = false;
      t->patch++;
   }
   return true;
}

/* ---- vertices ---------------------------------------------------------------------------------
 */

/* What a walk has shaded. Where entries are used again, it is moved to the store. */
static void
keep_vertices(struct render *r)
{
   struct ds *d = &r->ds;
   for (unsigned i = d->first_pair; i < d->first_pair + d->walked; i++) {
      ds_lay_out(d, i);
      for (unsigned k = 0; k <= d->pair[i].both && ds_stored(d); k++)
         memcpy(d->vertex[d->pair[i].first + k].vue, ds_entry(d, i, k), d->store_stride_B);
   }
}

static enum cs_result
emit(struct render *r, uint64_t *budget)
{
   struct tess *t = &r->tess;
   while (t->piece_at < t->pieces || t->out.count) {
      bool over = t->piece_at == t->pieces;
      if (t->stage.passing || over || t->out.count + ASSEMBLY_ROOM > OBJECTS) {
         enum cs_result result = pipe_pass(r, &t->stage, &t->out, budget);
         if (result != CS_DONE)
            return result;
         continue;
      }
      if (!*budget)
         return CS_AGAIN;
      *budget -= *budget < INDEX_COST ? *budget : INDEX_COST;
      const struct tess_piece *p = &t->piece[t->piece_at];
      if (t->index_at < p->first)
         t->index_at = p->first;
      t->assembly.id = p->id; /* P3D-132 */
      if (t->index_at < p->end)
         assembly_vertex(&t->assembly, t->index[t->index_at++]);
      if (t->index_at >= p->end) {
         assembly_cut(&t->assembly);
         t->piece_at++;
      }
   }
   return CS_DONE;
}

/* ---- the stage --------------------------------------------------------------------------------
 */

void
tess_begin_batch(struct render *r)
{
   static const uint8_t topology[] = {[1] = POINTLIST, [2] = LINELIST, [3] = TRILIST};
   struct tess *t = &r->tess;
   r->ds.points = r->ds.pairs = 0;
   t->indices = t->pieces = t->piece_at = t->index_at = 0;
   t->assembly = (struct assembly){.vertex = r->ds.vertex,
                                   .list = &t->out,
                                   .sf = &r->state.sf,
                                   .topology = topology[corners(r)]};
}

/* One step; the phase says what is next. */
static enum cs_result
step(struct render *r, const struct object_list *in, uint64_t *budget)
{
   struct tess *t = &r->tess;
   enum cs_result result;
   switch (t->phase) {
   case TESS_HULL:
      if (!t->walking)
         hs_walk(r, in, t->stage.at);
      t->walking = true;
      if ((result = render_dispatch(&r->hs.crew, budget)) != CS_DONE)
         return result;
      t->walking = t->ready = false;
      t->patch = 0;
      tess_begin_batch(r);
      t->phase = TESS_POINTS;
      return CS_DONE;
   case TESS_POINTS:
      if (!gather(r, budget))
         return CS_AGAIN;
      t->phase = r->ds.pairs ? TESS_DOMAIN : TESS_EMIT;
      r->ds.first_pair = r->ds.walked = 0;
      return CS_DONE;
   case TESS_DOMAIN:
      if (!t->walking)
         ds_walk(r, r->ds.first_pair + r->ds.walked);
      t->walking = true;
      if ((result = render_dispatch(&r->ds.crew.crew, budget)) != CS_DONE)
         return result;
      t->walking = false;
      keep_vertices(r);
      if (r->ds.first_pair + r->ds.walked == r->ds.pairs)
         t->phase = TESS_EMIT;
      return CS_DONE;
   default:
      if ((result = emit(r, budget)) != CS_DONE)
         return result;
      if (t->patch < r->hs.patches) {
         tess_begin_batch(r);
         t->phase = TESS_POINTS;
         return CS_DONE;
      }
      t->stage.at += r->hs.patches;
      t->phase = TESS_HULL;
      return CS_DONE;
   }
}

static enum cs_result
run(struct render *r, struct pipe_stage *self, const struct object_list *in, uint64_t *budget)
{
   while (self->at < in->count) {
      enum cs_result result = step(r, in, budget);
      if (result != CS_DONE)
         return result;
   }
   self->at = 0;
   return CS_DONE;
}

/* ---- state ------------------------------------------------------------------------------------
 */

/* P3D-126: what cannot be so is told, and something defined comes of it. */
static void
read_te(struct render *r)
{
   const struct hw_3dstate_te *s = &r->state.te;
   struct te_state *t = &r->tess.te_state;
   bool isoline = s->te_domain == TE_ISOLINE, triangles = s->output_topology >= TE_TRI_CW;
   *t = (struct te_state){.domain = s->te_domain > TE_ISOLINE ? TE_QUAD : s->te_domain,
                          .partitioning = s->partitioning > TE_EVEN ? TE_INTEGER : s->partitioning,
                          .topology = s->output_topology,
                          .max_odd = s->maximum_tessellation_factor_odd,
                          .max_not_odd = s->maximum_tessellation_factor_not_odd};
   if (s->te_mode)
      render_report(r, PERGOLA_ERROR, "P3D-126", "TE Mode %u; HW_TESS is taken", s->te_mode);
   if (s->te_domain > TE_ISOLINE)
      render_report(r, PERGOLA_ERROR, "P3D-126", "TE Domain 3 is reserved; QUAD is taken");
   if (s->partitioning > TE_EVEN)
      render_report(r, PERGOLA_ERROR, "P3D-126", "Partitioning 3 is reserved; INTEGER is taken");
   if (isoline && triangles) {
      render_report(r, PERGOLA_ERROR, "P3D-126",
                    "isolines have no triangles; Output Topology LINE is taken");
      t->topology = TE_LINES;
   }
   if (!isoline && s->output_topology == TE_LINES)
      render_report(r, PERGOLA_ERROR, "P3D-126",
                    "Output Topology LINE without isolines; the points are taken two by two");
}

static bool
make_room(struct render *r)
{
   struct ds *d = &r->ds;
   uint32_t stride = d->entries.stride_B < 2048 ? d->entries.stride_B : 2048;
   if (!r->tess.te && !(r->tess.te = malloc(sizeof(*r->tess.te))))
      return false;
   if (!d->store || d->store_stride_B < stride) {
      free(d->store);
      d->store = aligned_alloc(64, (size_t)DS_POINTS * stride);
   }
   d->store_stride_B = stride;
   return d->store != NULL;
}

bool
tess_needed(const struct render *r)
{
   return r->state.hs.enable || r->state.te.te_enable || r->state.ds.enable;
}

bool
tess_begin(struct render *r)
{
   const struct render_state *s = &r->state;
   if (!s->hs.enable || !s->te.te_enable || !s->ds.enable) { /* P3D-108 */
      render_report(r, PERGOLA_ERROR, "P3D-108",
                    "HS %u, TE %u, DS %u: one without the others; nothing is drawn", s->hs.enable,
                    s->te.te_enable, s->ds.enable);
      return false;
   }
   if (r->primitive.primitive_topology_type < PATCHLIST_1) {
      render_report(
          r, PERGOLA_ERROR, "P3D-100",
          "topology %u is no list of patches, and the hull shader is on; nothing is drawn",
          r->primitive.primitive_topology_type);
      return false;
   }
   if (!hs_begin(r) || !ds_begin(r) || !make_room(r))
      return false;
   read_te(r);
   r->tess.stage = (struct pipe_stage){.name = "tessellation", .run = run, .out = &r->tess.out};
   return true;
}

void
tess_reset(struct render *r)
{
   struct tess *t = &r->tess;
   dispatch_drop(&r->hs.crew);
   stage_drop(&r->ds.crew);
   t->phase = TESS_HULL;
   t->walking = t->ready = false;
   t->out.count = 0;
}

void
tess_destroy(struct render *r)
{
   dispatch_crew_finish(&r->hs.crew);
   free(r->tess.te);
   free(r->ds.store);
}
