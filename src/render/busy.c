/* Which units of the pipeline have work, for INSTDONE (CS-025). Threads are told apart: see
 * render_threads(). */
#include "render/draw.h"

static uint32_t
tessellation(const struct tess *t)
{
   switch (t->phase) {
   case TESS_HULL:
      return REG_RCS_INSTDONE__HS_DONE;
   case TESS_POINTS:
      return REG_RCS_INSTDONE__TE_DONE;
   default:
      return REG_RCS_INSTDONE__DS_DONE;
   }
}

/* The first stage behind the vertex shader, and all that its objects have reached. */
static uint32_t
stages(const struct render *r)
{
   uint32_t busy = 0;
   for (const struct pipe_stage *s = r->first; s; s = s->passing ? s->next : NULL) {
      if (s == &r->tess.stage)
         busy |= tessellation(&r->tess);
      else if (s == &r->gs.stage)
         busy |= REG_RCS_INSTDONE__GS_DONE;
      else if (s == &r->sol.stage)
         busy |= REG_RCS_INSTDONE__SOL_DONE;
      else
         busy |= REG_RCS_INSTDONE__CL_DONE | REG_RCS_INSTDONE__SF_DONE;
   }
   return busy;
}

static bool
threads_left(const struct dispatch_crew *c, bool walking)
{
   return walking && dispatch_first_left(&c->walk) < c->walk.items;
}

void
render_busy(const struct render *r, struct busy_units *b)
{
   if (!r->vf.over)
      b->instdone |= REG_RCS_INSTDONE__VF_DONE;
   if (r->phase == DRAW_SHADE)
      b->instdone |= REG_RCS_INSTDONE__VS_DONE;
   if (r->phase == DRAW_PASS)
      b->instdone |= stages(r);
   if (r->bin.open)
      b->sc |= REG_SC_INSTDONE__WMFE_DONE;
   if (threads_left(&r->vs_crew.crew, r->vs.walking) ||
       threads_left(&r->gs.crew.crew, r->gs.walking) ||
       threads_left(&r->hs.crew, r->tess.walking && r->tess.phase == TESS_HULL) ||
       threads_left(&r->ds.crew.crew, r->tess.walking && r->tess.phase == TESS_DOMAIN) ||
       threads_left(&r->ps_crew.crew, r->bin.open))
      b->instdone |= REG_RCS_INSTDONE__TDG_DONE;
}
