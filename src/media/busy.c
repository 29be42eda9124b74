/* Which units of the pipeline have work, for INSTDONE (CS-025). Threads are told apart: see
 * media_threads(). */
#include "media/ts.h"

/* Groups that nobody has begun. */
static bool
groups_left(const struct media *m)
{
   if (m->job.phase != GPGPU_WALKING)
      return false;
   if (dispatch_first_left(&m->crew.walk) < m->crew.walk.items)
      return true;
   for (unsigned i = 0; i < m->crew.workers; i++)
      if (m->crew.worker[i]->next < m->crew.worker[i]->end)
         return true;
   return false;
}

static bool
entry_missing(const struct media *m)
{
   const struct vfe *v = &m->vfe;
   return v->handle_count && v->handle_busy[v->handle_head];
}

void
media_busy(const struct media *m, bool object, struct busy_units *b)
{
   const struct ts *ts = m->ts;
   bool groups = groups_left(m);
   if (groups || object || m->objects.count || ts->walking || ts->root_count)
      b->instdone |= REG_RCS_INSTDONE__VFE_DONE;
   if (groups || ts->root_count || ts->message_count)
      b->instdone |= REG_RCS_INSTDONE__TDG_DONE;
   if (ts->message_count || ts->roots)
      b->instdone |= REG_RCS_INSTDONE__TSG_DONE;
   if ((object || ts->walking) && entry_missing(m)) /* its thread needs the next one */
      b->instdone |= REG_RCS_INSTDONE__URBM_DONE;
}
