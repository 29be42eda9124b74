/* What threads of the media pipe say to the thread spawner: spawn a thread, give resources back,
 * end.
 */
#include "media/ts.h"
#include "shared_functions/sf.h"

#include <string.h>

struct spawn {
   struct media *media;
   struct eu_thread *t;
   const struct sf_message *m;
   struct hw_thread_spawn_message_descriptor d;
   struct hw_thread_spawn_message_payload p;
   bool reserved; /* a bit of the payload that must be 0 is not */
};

/* MEDIA-271 and MEDIA-285: once, and only if the thread still has it. */
static void
dereference_handle(struct spawn *s)
{
   struct ts_thread *th = s->t->ts;
   if (s->d.resource_select || th->request.kind == TS_CHILD)
      return;
   if (!th->request.children)
      return; /* it went back at dispatch */
   if (!th->holds_handle) {
      sf_report(s->t, s->m, PERGOLA_ERROR, "MEDIA-271", "thread spawner",
                "the URB handle is dereferenced a second time");
      return;
   }
   if (vfe_handle_find(s->media, (uint16_t)s->p.dispatch_urb_handle) != th->request.handle_index)
      sf_report(s->t, s->m, PERGOLA_ERROR, "MEDIA-281", "thread spawner",
                "Dispatch URB Handle %#x is not the thread's own %#x, which is dereferenced",
                s->p.dispatch_urb_handle, th->request.handle);
   vfe_handle_release(s->media, (unsigned)th->request.handle_index);
   th->holds_handle = false;
}

static void
check_requester(struct spawn *s)
{
   struct ts_thread *th = s->t->ts;
   bool child = th->request.kind == TS_CHILD;
   if (child != (s->d.requester_type == GEN7_THREAD_SPAWN_MESSAGE_DESCRIPTOR_REQUESTER_TYPE_CHILD))
      sf_report(s->t, s->m, PERGOLA_ERROR, "MEDIA-261", "thread spawner",
                "Requester Type does not say that this is a %s thread", child ? "child" : "root");
   if (!child && s->p.fftid != th->place.fftid)
      sf_report(s->t, s->m, PERGOLA_ERROR, "MEDIA-275", "thread spawner",
                "FFTID %u is not the thread's own %u, whose resources are freed", s->p.fftid,
                th->place.fftid);
}

static enum sf_status
dereference(struct spawn *s)
{
   struct ts_thread *th = s->t->ts;
   check_requester(s);
   dereference_handle(s);
   if (!s->m->eot)
      return SF_OK;
   if (th->holds_handle) /* MEDIA-366: nobody can give it back any more */
      sf_report(s->t, s->m, PERGOLA_WARNING, "MEDIA-366", "thread spawner",
                "the thread ends and keeps its URB handle %#x", th->request.handle);
   struct ts_message q = {.kind = TS_TERMINATE, .fftid = s->p.fftid};
   th->released = true;
   if (!ts_send(s->media, s->t, &q))
      th->released = false; /* too many messages: the thread is ended without one */
   return SF_OK;
}

static enum sf_status
spawn(struct spawn *s)
{
   struct ts_message q = {
       .kind = s->d.resource_select ? TS_SPAWN_ROOT : TS_SPAWN_CHILD, /* MEDIA-270 */
       .handle = (uint16_t)s->p.dispatch_urb_handle,
       .offset = s->p.urb_handle_offset,
       .length = s->p.dispatch_urb_length,
       .descriptor = s->p.interface_descriptor_offset,
       .color = s->p.scoreboard_color,
   };
   if (s->m->eot)
      sf_report(s->t, s->m, PERGOLA_ERROR, "MEDIA-273", "thread spawner",
                "a thread ends with a spawn message");
   if (s->reserved)
      sf_report(s->t, s->m, PERGOLA_ERROR, "MEDIA-274", "thread spawner",
                "bits 23:16 of M0.0 must be 0");
   if (!ts_send(s->media, s->t, &q)) {
      sf_report(s->t, s->m, PERGOLA_ERROR, "MEDIA-187", "thread spawner",
                "%u messages wait already: the thread spawns without end and is stopped",
                TS_MESSAGES);
      return SF_FAULT;
   }
   return SF_OK;
}

enum sf_status
ts_message(struct eu_thread *t, const struct sf_message *m)
{
   struct spawn s = {.media = t->env->dev->media, .t = t, .m = m};
   uint32_t dw[8] = {0};
   if (m->mlen)
      memcpy(dw, m->payload, sizeof(dw));
   gen7_thread_spawn_message_descriptor_unpack(&s.d, &m->desc);
   gen7_thread_spawn_message_payload_unpack(&s.p, dw);
   s.reserved = dw[0] & GEN7_THREAD_SPAWN_MESSAGE_PAYLOAD__MBZ_0;
   return s.d.opcode ? spawn(&s) : dereference(&s);
}
