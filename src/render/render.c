/* 3DPRIMITIVE: the objects of a command, one after the other. */
#include "render/draw.h"

#include <stdlib.h>
#include <string.h>

#define OBJECT_COST 24u /* of the budget, for its vertices: as much as so many instructions */

struct render *
render_create(struct pergola_device *dev)
{
   struct render *r = aligned_alloc(64, sizeof(*r));
   if (!r)
      return NULL;
   memset(r, 0, sizeof(*r));
   r->dev = dev;
   if (!stage_crew_init(&r->ps, dev->dispatcher, &ps_stage, r)) {
      stage_crew_finish(&r->ps);
      free(r);
      return NULL;
   }
   return r;
}

void
render_destroy(struct render *r)
{
   stage_crew_finish(&r->ps);
   free(r);
}

void
render_reset(struct render *r)
{
   stage_drop(&r->ps);
}

unsigned
render_threads(struct render *r, pergola_thread_fn fn, void *data)
{
   return stage_threads(&r->ps, fn, data);
}

static bool
begin(struct render *r, const struct cs_command *c)
{
   const char *missing = draw_state(&r->draw, r->dev, c);
   render_reset(r);
   dispatch_state_changed(&r->ps.crew);
   if (!missing)
      return true;
   struct rule_place place = {
       .engine = "RCS", .subject = "3DPRIMITIVE", .has_address = true, .address = c->address};
   rule_report(r->dev, PERGOLA_WARNING, "CS-006", &place, "%s: not modelled yet; nothing is drawn",
               missing);
   return false;
}

/* The next object that has pixels; false: there is none. G3D-092: instance after instance. */
static bool
next_object(struct render *r)
{
   struct draw *d = &r->draw;
   uint32_t objects = d->primitive.vertex_count_per_instance / 3;
   if (!objects)
      return false;
   for (; d->instance < d->primitive.instance_count; d->instance++, d->object = 0)
      while (d->object < objects) {
         struct vue v[3];
         for (unsigned i = 0; i < 3; i++)
            vf_vertex(d, d->instance, 3 * d->object + i, &v[i]);
         d->object++;
         if (d->count_vertices) { /* G3D-101 */
            render_count(r, REG_IA_VERTICES_COUNT, 3);
            render_count(r, REG_IA_PRIMITIVES_COUNT, 1);
         }
         if (!sf_rectangle(d, v, &d->now))
            return true; /* not open: the caller counts it and comes again */
         d->open = true;
         wm_begin(r);
         return true;
      }
   return false;
}

enum cs_result
render_primitive(struct render *r, const struct cs_command *c, uint64_t *budget)
{
   struct draw *d = &r->draw;
   if (!c->again && !begin(r, c))
      return CS_DONE;
   for (;;) {
      if (!*budget)
         return CS_AGAIN;
      if (!d->open && !next_object(r))
         break;
      *budget -= OBJECT_COST < *budget ? OBJECT_COST : *budget - 1;
      if (!d->open)
         continue;
      enum cs_result result = wm_rectangle(r, budget);
      if (result == CS_AGAIN)
         return CS_AGAIN;
      d->open = false;
      if (result == CS_ERROR)
         return CS_ERROR;
   }
   return CS_DONE;
}
