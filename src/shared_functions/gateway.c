/* Message Gateway: what threads say to each other. */
#include "media/media_internal.h"
#include "shared_functions/sf.h"

#include <string.h>

/* ---- barriers -------------------------------------------------------------------------------- */

enum gateway_error {
   GATEWAY_SUCCESS = 0,
   GATEWAY_BARRIER_INACTIVE = 1,
   GATEWAY_CLOSED = 2,
   GATEWAY_OPCODE = 5,
   GATEWAY_SIZE = 6,
};

static unsigned
index_in_group(const struct eu_thread *t)
{
   const struct eu_group *g = t->group;
   for (unsigned i = 0; i < g->thread_count; i++)
      if (g->threads[i] == t)
         return i;
   return 0;
}

/* SF-077: the counter of every thread that waits; nothing is written to registers. SF-079: the barrier
 * is then as new. */
static void
barrier_release(struct eu_group *g)
{
   uint64_t waiting = g->barrier_waiting;
   g->barrier_waiting = 0;
   g->barrier_arrived = 0;
   for (unsigned i = 0; i < g->thread_count; i++)
      if (waiting >> i & 1)
         eu_notify(g->threads[i], 0);
}

static enum gateway_error
barrier_message(struct eu_thread *t, const struct sf_message *m, const uint32_t *dw)
{
   struct gen7_barriermsg_payload p;
   gen7_barriermsg_payload_unpack(&p, dw);
   struct eu_group *g = t->group;
   if (!g || !g->barrier_enabled || p.barrierid != g->barrier_id) {
      sf_report(t, m, PERGOLA_ERROR, "SF-075", "BarrierMsg",
                "barrier %u is not one of this thread's group; the message has no effect",
                p.barrierid);
      return GATEWAY_BARRIER_INACTIVE;
   }
   g->barrier_waiting |= UINT64_C(1) << index_in_group(t);
   g->barrier_arrived++;
   /* SF-070 and SF-071: the message's own count, or that of the group. SF-074: this message counts. */
   unsigned needed = p.barrier_count_enable ? p.barrier_count : g->barrier_count;
   if (g->barrier_arrived >= needed)
      barrier_release(g);
   return GATEWAY_SUCCESS;
}

enum sf_status
sf_gateway(struct eu_thread *t, const struct sf_message *m)
{
   uint32_t payload[8];
   memcpy(payload, m->payload, sizeof(payload));
   struct gen7_gateway_message_descriptor d;
   gen7_gateway_message_descriptor_unpack(&d, &m->desc);
   enum gateway_error error = GATEWAY_SUCCESS;
   switch (d.subfuncid) {
   case GEN7_GATEWAY_MESSAGE_DESCRIPTOR_SUBFUNCID_BARRIERMSG:
      error = barrier_message(t, m, payload);
      break;
   default:
      sf_report(t, m, PERGOLA_ERROR, "SF-023", "gateway", "sub-function %u is not executed",
                d.subfuncid);
      error = GATEWAY_OPCODE;
   }
   if (d.ackreq && m->response && m->rlen)
      *(uint32_t *)(void *)m->response = SFID_GATEWAY << 16 | error;
   return SF_OK;
}
