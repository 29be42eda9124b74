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

/* A thread needs an entry of the URB, and the next one has not been given back. */
static bool
entry_missing(const struct media *m)
{
   const struct vfe *v = &m->vfe;
   return (m->ts->walking || m->ts->root_count) && v->handle_count &&
          v->handle_busy[v->handle_head];
}

void
media_busy(const struct media *m, struct busy_units *b)
{
   const struct ts *ts = m->ts;
   bool groups = groups_left(m);
   if (groups || m->objects.count || ts->walking || ts->root_count)
      b->instdone |= REG_RCS_INSTDONE__VFE_DONE;
   if (groups || ts->root_count || ts->message_count)
      b->instdone |= REG_RCS_INSTDONE__TDG_DONE;
   if (ts->message_count || ts->roots)
      b->instdone |= REG_RCS_INSTDONE__TSG_DONE;
   if (entry_missing(m))
      b->instdone |= REG_RCS_INSTDONE__URBM_DONE;
}
