/* 3DPRIMITIVE: the pipeline, and how a draw goes through it. */
#include "render/draw.h"

#include "machine/host.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define OBJECT_COST                                                                                \
   24u /* of the budget, for clipping and setup: as much as so many instructions                   \
        */

void
render_report(struct render *r, enum pergola_severity severity, const char *rule,
              const char *format, ...)
{
   struct rule_place place = {
       .engine = "RCS", .subject = "3DPRIMITIVE", .has_address = true, .address = r->address};
   char text[256];
   va_list args;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   rule_report(r->dev, severity, rule, &place, "%s", text);
}

/* ---- stages -----------------------------------------------------------------------------------
 */

enum cs_result
pipe_pass(struct render *r, struct pipe_stage *self, struct object_list *out, uint64_t *budget)
{
   self->passing = true;
   enum cs_result result = self->next->run(r, self->next, out, budget);
   if (result != CS_DONE)
      return result;
   self->passing = false;
   out->count = 0;
   return CS_DONE;
}

/* The last stage: clip and setup fill the bin, the windower empties it. */
static enum cs_result
run_raster(struct render *r, struct pipe_stage *self, const struct object_list *in,
           uint64_t *budget)
{
   bool quick = found_all(r) && !r->sifted;
   while (self->at < in->count || self->passing) {
      if (self->passing || bin_full(r)) {
         self->passing = true;
         enum cs_result result = wm_run(r, budget);
         if (result != CS_DONE)
            return result;
         self->passing = false;
         continue;
      }
      if (!*budget)
         return CS_AGAIN;
      *budget -= *budget < OBJECT_COST ? *budget : OBJECT_COST;
      const struct object *o = &in->object[self->at++];
      if (!quick || !found_dropped(r, o))
         clip_object(r, o);
   }
   self->at = 0;
   return CS_DONE;
}

static void
put_first(struct render *r, struct pipe_stage *s)
{
   s->next = r->first;
   r->first = s;
}

/* The stages that are on, from the last one to the first. */
static void
link_stages(struct render *r)
{
   r->raster = (struct pipe_stage){.name = "raster", .run = run_raster};
   r->first = &r->raster;
   if (sol_needed(r))
      put_first(r, &r->sol.stage);
   if (r->state.gs.enable)
      put_first(r, &r->gs.stage);
   if (tess_needed(r))
      put_first(r, &r->tess.stage);
}

/* ---- draws ------------------------------------------------------------------------------------
 */

bool
render_begin(struct render *r, const struct cs_command *c)
{
   gen7_3dprimitive_unpack(&r->primitive, c->dw);
   r->address = c->address;
   cs_thread_env(r->dev, c->space, &r->env);
   render_reset(r);
   entries_forget(r);
   state_begin(r);
   if (!vf_begin(r))
      return false;
   if (r->state.vs.enable)
      vs_begin(r);
   if (r->vf.topology >= PATCHLIST_1 && !tess_needed(r) && !r->state.gs.enable) {
      render_report(r, PERGOLA_ERROR, "P3D-067",
                    "PATCHLIST_%u without a hull shader; nothing is drawn",
                    r->vf.topology - PATCHLIST_1 + 1u);
      return false;
   }
   if ((tess_needed(r) && !tess_begin(r)) || (r->state.gs.enable && !gs_begin(r)))
      return false;
   if (sol_needed(r))
      sol_begin(r);
   wm_begin(r);
   link_stages(r);
   return true;
}

static void
count(struct render *r)
{
   if (r->state.clip.clip_enable && r->state.clip.statistics_enable)
      render_count(r, REG_CL_INVOCATION_COUNT, r->clip_in);
   if (r->state.sf.statistics_enable)
      render_count(r, REG_CL_PRIMITIVES_COUNT, r->clip_out);
   r->clip_in = r->clip_out = 0;
}

/* Vertices from entry `first` on have been shaded: objects are made of the triangles that waited
 * for them, but for those of which nothing is seen. */
static void
make_objects(struct render *r, unsigned first, uint64_t *budget)
{
   r->sifted = false;
   if (r->first == &r->raster) {
      unsigned all = r->waiting.count;
      found_find(r, first, r->vf.used);
      if (found_all(r)) {
         r->sifted = !r->list.count;
         found_drop(r);
      }
      uint64_t cost = (uint64_t)(all - r->waiting.count) * OBJECT_COST;
      *budget -= *budget < cost ? *budget : cost;
   }
   assembly_objects(&r->vf.strip);
}

/* One step: vertices are fetched, shaded, and go down the pipeline. */
static enum cs_result
step(struct render *r, uint64_t *budget)
{
   enum cs_result result;
   switch (r->phase) {
   case DRAW_FETCH:
      if (vf_run(r, budget))
         r->phase = DRAW_SHADE;
      return CS_DONE;
   case DRAW_SHADE: {
      unsigned first = r->vf.shaded;
      result = vs_run(r, budget);
      if (result != CS_DONE)
         return result;
      make_objects(r, first, budget);
      r->phase = DRAW_PASS;
      return CS_DONE;
   }
   case DRAW_PASS:
      result = r->first->run(r, r->first, &r->list, budget);
      if (result != CS_DONE)
         return result;
      count(r);
      vf_recycle(r);
      r->phase = r->vf.over ? DRAW_FINISH : DRAW_FETCH;
      return CS_DONE;
   default: /* RCS-077, RCS-089: a draw is over when the last of its pixels is tested */
      result = wm_run(r, budget);
      r->phase = result == CS_DONE ? DRAW_OVER : DRAW_FINISH;
      return result;
   }
}

enum cs_result
render_primitive(struct render *r, const struct cs_command *c, uint64_t *budget)
{
   if (!cs_begun(c) && !render_begin(r, c))
      return CS_DONE;
   cs_begin(c);
   vf_turn(r);
   while (r->phase != DRAW_OVER) {
      if (!*budget)
         return CS_AGAIN;
      enum cs_result result = step(r, budget);
      if (result != CS_DONE)
         return result;
   }
   state_keep_dash(r);
   return CS_DONE;
}

/* ---- the unit ---------------------------------------------------------------------------------
 */

/* Crews of the stages that have threads. */
static const struct {
   const struct stage *stage;
   size_t crew; /* where in struct render */
} crews[] = {
    {&vs_stage, offsetof(struct render, vs_crew)},
    {&ds_stage, offsetof(struct render, ds.crew)},
    {&gs_stage, offsetof(struct render, gs.crew)},
    {&ps_stage, offsetof(struct render, ps_crew)},
};
#define CREWS (sizeof(crews) / sizeof(crews[0]))

static struct stage_crew *
crew(struct render *r, unsigned n)
{
   return (struct stage_crew *)(void *)((uint8_t *)r + crews[n].crew);
}

struct render *
render_create(struct pergola_device *dev)
{
   struct render *r = aligned_alloc(64, (sizeof(*r) + 63) & ~(size_t)63);
   if (!r)
      return NULL;
   memset(r, 0, sizeof(*r));
   r->dev = dev;
   r->vectors = host_has_vectors();
   bool ok = bin_create(&r->bin) && hs_create(r);
   for (unsigned i = 0; i < CREWS && ok; i++)
      ok = stage_crew_init(crew(r, i), dev->dispatcher, crews[i].stage, r);
   if (ok)
      return r;
   render_destroy(r);
   return NULL;
}

void
render_destroy(struct render *r)
{
   for (unsigned i = 0; i < CREWS; i++)
      stage_crew_finish(crew(r, i));
   tess_destroy(r);
   bin_destroy(&r->bin);
   free(r->vf.spare);
   free(r);
}

void
render_reset(struct render *r)
{
   stage_drop(&r->vs_crew);
   stage_drop(&r->ps_crew);
   tess_reset(r);
   gs_reset(r);
   bin_empty(&r->bin);
   r->vs.walking = false;
   r->list.count = r->waiting.count = 0;
   r->sifted = false;
   r->phase = DRAW_FETCH;
}

unsigned
render_threads(struct render *r, pergola_thread_fn fn, void *data)
{
   unsigned count = hs_threads(r, fn, data);
   for (unsigned i = 0; i < CREWS; i++)
      count += stage_threads(crew(r, i), fn, data);
   return count;
}
