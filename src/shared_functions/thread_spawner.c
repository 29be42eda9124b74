/* Messages to the thread spawner: spawn a thread, give resources back, end. */
#include "media/media_internal.h"
#include "shared_functions/sf.h"

#include <string.h>

static void
group_release(struct eu_thread *t)
{
   struct eu_group *g = t->group;
   for (unsigned i = 0; i < g->thread_count; i++)
      if (g->threads[i] == t)
         g->released |= UINT64_C(1) << i;
}

enum sf_status
sf_thread_spawner(struct eu_thread *t, const struct sf_message *m)
{
   struct gen7_thread_spawn_message_descriptor d;
   gen7_thread_spawn_message_descriptor_unpack(&d, &m->desc);
   if (t->group && !d.opcode && m->eot) {
      group_release(t);
      return SF_OK;
   }
   sf_report(t, m, PERGOLA_ERROR, "MEDIA-269", "thread spawner", "the message has no effect");
   return SF_OK;
}
