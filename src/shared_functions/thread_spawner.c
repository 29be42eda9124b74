/* Messages to the thread spawner. What threads of groups say is settled here; who makes the others
 * hears of them. */
#include "eu/group.h"
#include "hw/message.h"
#include "shared_functions/quick.h"
#include "shared_functions/sf.h"

/* MEDIA-269 */
static bool
reserved_bits(uint32_t desc)
{
   return hw_reserved_control(desc, GEN7_THREAD_SPAWN_MESSAGE_DESCRIPTOR__MBZ_0);
}

struct spawn {
   struct eu_thread *t;
   const struct sf_message *m;
   struct hw_thread_spawn_message_descriptor d;
};

static void
group_release(struct eu_thread *t)
{
   t->group->released |= UINT64_C(1) << t->group_index;
}

/* GPGPU threads: they only end. */
static enum sf_status
from_group(struct spawn *s)
{
   if (s->d.opcode) {
      /* MEDIA-027 */
      sf_report(s->t, s->m, PERGOLA_ERROR, "MEDIA-027", "thread spawner",
                "a GPGPU thread asks for a child thread; none is made");
      return SF_OK;
   }
   if (s->d.requester_type == GEN7_THREAD_SPAWN_MESSAGE_DESCRIPTOR_REQUESTER_TYPE_CHILD)
      sf_report(s->t, s->m, PERGOLA_ERROR, "MEDIA-272", "thread spawner",
                "a GPGPU thread gives itself out as a child; it is taken for what it is");
   if (s->m->eot)
      group_release(s->t);
   return SF_OK;
}

enum sf_status
sf_thread_spawner(struct eu_thread *t, const struct sf_message *m)
{
   struct spawn s = {.t = t, .m = m};
   gen7_thread_spawn_message_descriptor_unpack(&s.d, &m->desc);
   if (m->header || reserved_bits(m->desc))
      sf_report(t, m, PERGOLA_ERROR, "MEDIA-269", "thread spawner",
                "reserved bits of the descriptor %#x are not 0", m->desc);
   if (t->group)
      return from_group(&s);
   if (!t->ts || !t->env->spawner) {
      sf_report(t, m, PERGOLA_ERROR, "MEDIA-017", "thread spawner",
                "the thread is none of the media pipeline");
      return SF_OK;
   }
   return t->env->spawner(t, m);
}

static bool
end_quick(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask)
{
   if (sf_observed(t) || !t->group)
      return false;
   group_release(t);
   return true;
}

/* The end of a GPGPU thread. */
sf_quick_fn
spawner_quick_select(struct sf_quick *q, uint32_t desc, bool eot)
{
   struct hw_thread_spawn_message_descriptor d;
   gen7_thread_spawn_message_descriptor_unpack(&d, &desc);
   bool plain = !q->header && !reserved_bits(desc) && !hw_response_length(desc);
   q->ends = plain && eot && !d.opcode &&
             d.requester_type == GEN7_THREAD_SPAWN_MESSAGE_DESCRIPTOR_REQUESTER_TYPE_ROOT;
   return q->ends ? end_quick : NULL;
}
