/* Message Gateway: what threads say to each other, to the clock and to registers. */
#include "hw/message.h"
#include "shared_functions/gateway.h"

#include "eu/group.h"
#include "sanitize/sanitize.h"
#include "shared_functions/quick.h"
#include "shared_functions/sf.h"

#include <stdlib.h>
#include <string.h>

enum gateway_error {
   GATEWAY_SUCCESS = GEN7_GATEWAY_ACKNOWLEDGE_ERROR_CODE_SUCCESS,
   GATEWAY_BARRIER_INACTIVE = GEN7_GATEWAY_ACKNOWLEDGE_ERROR_CODE_BARRIER_INACTIVE,
   GATEWAY_CLOSED = GEN7_GATEWAY_ACKNOWLEDGE_ERROR_CODE_GATEWAY_CLOSED,
   GATEWAY_OPCODE = GEN7_GATEWAY_ACKNOWLEDGE_ERROR_CODE_OPCODE_ERROR,
   GATEWAY_SIZE = GEN7_GATEWAY_ACKNOWLEDGE_ERROR_CODE_INVALID_MESSAGE_SIZE,
};

enum {
   OPEN_GATEWAY = GEN7_GATEWAY_MESSAGE_DESCRIPTOR_SUBFUNCID_OPENGATEWAY,
   CLOSE_GATEWAY = GEN7_GATEWAY_MESSAGE_DESCRIPTOR_SUBFUNCID_CLOSEGATEWAY,
   FORWARD_MSG = GEN7_GATEWAY_MESSAGE_DESCRIPTOR_SUBFUNCID_FORWARDMSG,
   GET_TIME_STAMP = GEN7_GATEWAY_MESSAGE_DESCRIPTOR_SUBFUNCID_GETTIMESTAMP,
   BARRIER_MSG = GEN7_GATEWAY_MESSAGE_DESCRIPTOR_SUBFUNCID_BARRIERMSG,
   UPDATE_GATEWAY_STATE = GEN7_GATEWAY_MESSAGE_DESCRIPTOR_SUBFUNCID_UPDATEGATEWAYSTATE,
   MMIO_READ_WRITE = GEN7_GATEWAY_MESSAGE_DESCRIPTOR_SUBFUNCID_MMIOREADWRITE,
};

struct call {
   struct gateway *gateway;
   struct pergola_device *dev;
   struct eu_thread *t;
   const struct sf_message *m;
   struct hw_gateway_message_descriptor d;
   uint32_t dw[8];
};

static struct gateway_port *
port_of(struct gateway *g, const struct eu_thread *t)
{
   return &g->port[t->half_slice % EU_HALF_SLICES][t->eu % EU_COUNT][t->slot % EU_THREADS];
}

static void
violation(void *data, const struct hw_layout *layout, const struct hw_field *field, uint64_t raw,
          const char *why)
{
   struct call *c = data;
   sf_report(c->t, c->m, PERGOLA_ERROR, field->ledger[0] ? field->ledger : layout->ledger,
             layout->name, "%s: value %#llx: %s", field->name, (unsigned long long)raw, why);
}

static void
check_layout(struct call *c, const char *name)
{
   const struct hw_layout *layout = rules_on(c->dev) ? hw_struct_by_name(name) : NULL;
   if (layout)
      hw_validate(layout, c->dw, 8, violation, c);
}

struct gateway *
gateway_create(void)
{
   struct gateway *g = calloc(1, sizeof(*g));
   if (g)
      pthread_mutex_init(&g->mmio_lock, NULL);
   return g;
}

void
gateway_destroy(struct gateway *g)
{
   pthread_mutex_destroy(&g->mmio_lock);
   free(g);
}

void
gateway_reset(struct gateway *g)
{
   memset(g->port, 0, sizeof(g->port));
}

/* ---- open and close -------------------------------------------------------------------------- */

/* SF-029: RegBase is kept with the thread. SF-026: with EOT it closes instead. */
static enum gateway_error
open_gateway(struct call *c)
{
   struct hw_opengateway_payload p;
   gen7_opengateway_payload_unpack(&p, c->dw);
   check_layout(c, "OpenGateway Payload");
   struct gateway_port *port = port_of(c->gateway, c->t);
   port->open = !c->m->eot;
   port->reg_base = (uint8_t)(p.regbase & 127);
   /* SF-030 and SFV-095: Ivy Bridge prints sizes up to 32 registers, Valleyview up to 128; none is
    * checked against (SF-051). */
   if (p.gateway_size > 5 && c->dev->hw_device == HW_IVB)
      sf_report(c->t, c->m, PERGOLA_ERROR, "SF-030", "OpenGateway",
                "Gateway Size %u is not defined on this part", p.gateway_size);
   return GATEWAY_SUCCESS;
}

static enum gateway_error
close_gateway(struct call *c)
{
   port_of(c->gateway, c->t)->open = false;
   return GATEWAY_SUCCESS;
}

/* ---- forward --------------------------------------------------------------------------------- */

/* SF-039: the recipient by its place. A group's threads first: they run on this host thread. */
static struct eu_thread *
recipient(struct call *c, const struct hw_forwardmsg_payload *p)
{
   unsigned half_slice = c->dev->sku.half_slices > 1 ? p->hsid : 0; /* SFV-112 */
   struct eu_group *g = c->t->group;
   if (g) {
      if (g->unmade)
         g->make_all(g);
      for (unsigned i = 0; i < g->thread_count; i++) {
         struct eu_thread *t = g->threads[i];
         if (g->state[i] != GROUP_ENDED && t->half_slice == half_slice && t->eu == p->euid &&
             t->slot == p->tid)
            return t;
      }
      return NULL;
   }
   const struct gateway *gateway = c->gateway;
   return gateway->thread_at ? gateway->thread_at(gateway->data, half_slice, p->euid, p->tid)
                             : NULL;
}

/* SF-048 and SF-049: the lane of a byte or word is the one of its destination. */
static void
deliver(struct call *c, struct eu_thread *to, unsigned reg, unsigned byte, unsigned length)
{
   uint8_t data[16];
   memcpy(data, c->dw, sizeof(data));
   unsigned size = length == 0 ? 1 : length == 1 ? 2 : length == 2 ? 4 : length == 3 ? 8 : 16;
   const uint8_t *from = size == 1 ? data + (byte & 3) : size == 2 ? data + (byte & 2) : data;
   if (size == 1 && c->dw[0] != data[0] * 0x01010101u)
      sf_report(c->t, c->m, PERGOLA_WARNING, "SF-048", "ForwardMsg",
                "M0.0 is %#x: a byte is to be sent in all four lanes", c->dw[0]);
   if (byte % size)
      sf_report(c->t, c->m, PERGOLA_ERROR, "SF-044", "ForwardMsg",
                "byte %u of a register is not aligned to %u bytes", byte, size);
   if (byte + size > EU_REG_SIZE)
      size = EU_REG_SIZE - byte;
   memcpy(to->grf + reg * EU_REG_SIZE + byte, from, size);
   eu_thread_mark(to, reg, 1);
}

static enum gateway_error
forward_msg(struct call *c)
{
   struct hw_forwardmsg_payload p;
   gen7_forwardmsg_payload_unpack(&p, c->dw);
   check_layout(c, "ForwardMsg Payload");
   /* SF-051: length, then the gateway; no range check, no key (SF-032). */
   if (p.length > GEN7_FORWARDMSG_PAYLOAD_LENGTH_4_DWORDS) {
      sf_report(c->t, c->m, PERGOLA_ERROR, "SF-050", "ForwardMsg", "Length %u is reserved",
                p.length);
      return GATEWAY_SIZE;
   }
   struct eu_thread *to = recipient(c, &p);
   bool bypass = c->gateway->bypass;
   struct gateway_port *port = to ? port_of(c->gateway, to) : NULL;
   if (!to || (!bypass && !port->open)) {
      sf_report(c->t, c->m, PERGOLA_ERROR, "SF-039", "ForwardMsg",
                "%s half-slice %u, EU %u, thread %u; nothing is delivered",
                to ? "the gateway is not open at" : "no thread runs at", p.hsid, p.euid, p.tid);
      return GATEWAY_CLOSED;
   }
   /* SF-043: register = RegBase + offset; SF-002: RegBase is 0 when the protocol is bypassed. */
   unsigned reg = (bypass ? 0u : port->reg_base) + (p.register_offset & 127);
   if (reg == 0 || reg >= EU_GRF_COUNT) {
      sf_report(c->t, c->m, PERGOLA_ERROR, "SF-045", "ForwardMsg",
                "register %u cannot be the destination; nothing is delivered", reg);
      return GATEWAY_SUCCESS;
   }
   if (c->dev->sanitizer) {
      sanitize_talks(c->dev->sanitizer, c->t);
      sanitize_talks(c->dev->sanitizer, to);
   }
   deliver(c, to, reg, p.dword_offset * 4 + p.byte_offset, p.length);
   /* SF-041: after the data; SF-012: of this message alone. */
   if (c->d.notify == GEN7_GATEWAY_MESSAGE_DESCRIPTOR_NOTIFY_N0)
      eu_notify(to, 0);
   else if (c->d.notify == GEN7_GATEWAY_MESSAGE_DESCRIPTOR_NOTIFY_N2)
      eu_notify(to, 2);
   return GATEWAY_SUCCESS;
}

/* ---- time ------------------------------------------------------------------------------------ */

/* SF-062: 1.024 us units above 12 bits of 1/4 ns, at the top of two dwords. */
static void
time_lap(uint32_t out[2], uint64_t ns)
{
   uint64_t quarters = ns * 4;
   struct hw_time_lap lap = {.low = quarters % 4096, .high = (uint32_t)(quarters / 4096)};
   gen7_time_lap_pack(out, &lap);
}

static void
get_time_stamp(struct call *c)
{
   struct hw_gettimestamp_payload p;
   gen7_gettimestamp_payload_unpack(&p, c->dw);
   check_layout(c, "GetTimeStamp Payload");
   if (!c->d.ackreq)
      sf_report(c->t, c->m, PERGOLA_ERROR, "SF-058", "GetTimeStamp",
                "AckReq is 0: the answer has no way back");
   if (!c->m->response || !c->m->rlen || !c->d.ackreq)
      return;
   /* SF-172: the source ticks every 80 ns. */
   uint64_t now = c->dev->time_ns / 80 * 80;
   uint64_t absolute = now - c->gateway->absolute_start_ns / 80 * 80;
   uint64_t relative = now - c->gateway->timer_start_ns / 80 * 80;
   uint32_t half[4];
   time_lap(half, absolute);
   time_lap(half + 2, relative);
   /* SF-059: only the half that was asked for. */
   memcpy(c->m->response + (p.return_to_high_grf ? 16 : 0), half, sizeof(half));
}

/* ---- barriers -------------------------------------------------------------------------------- */

/* SF-077: the counter of every thread that waits; nothing is written to registers (SF-078). SF-079:
 * the barrier is then as new. */
static void
barrier_release(struct eu_group *g, struct sanitizer *s)
{
   uint64_t waiting = g->barrier_waiting;
   g->barrier_waiting = 0;
   g->barrier_arrived = 0;
   if (s)
      sanitize_release(s, g, waiting);
   for (; waiting; waiting &= waiting - 1)
      eu_notify(g->threads[__builtin_ctzll(waiting)], 0);
}

static bool
barrier_mine(const struct eu_group *g, const struct hw_barriermsg_payload *p)
{
   return g && g->barrier_enabled && p->barrierid == g->barrier_id;
}

/* The messages of one barrier do not agree. */
static bool
barrier_differs(const struct eu_group *g, const struct hw_barriermsg_payload *p)
{
   return p->barrier_count_enable && g->barrier_arrived &&
          g->barrier_message_count != p->barrier_count;
}

static void
barrier_arrive(struct eu_thread *t, const struct hw_barriermsg_payload *p)
{
   struct eu_group *g = t->group;
   g->barrier_message_count = p->barrier_count_enable ? p->barrier_count : g->barrier_count;
   g->barrier_waiting |= UINT64_C(1) << t->group_index;
   g->barrier_arrived++;
   /* SF-070 and SF-071: the message's own count, or that of the group. SF-074: this message counts.
    */
   if (g->barrier_arrived >= g->barrier_message_count)
      barrier_release(g, t->env->dev->sanitizer);
}

static enum gateway_error
barrier_msg(struct call *c)
{
   struct hw_barriermsg_payload p;
   gen7_barriermsg_payload_unpack(&p, c->dw);
   struct eu_group *g = c->t->group;
   if (!barrier_mine(g, &p)) {
      sf_report(c->t, c->m, PERGOLA_ERROR, "SF-075", "BarrierMsg",
                "barrier %u is not that of the thread's group; the message has no effect",
                p.barrierid);
      return GATEWAY_BARRIER_INACTIVE;
   }
   if (barrier_differs(g, &p))
      sf_report(c->t, c->m, PERGOLA_ERROR, "SF-072", "BarrierMsg",
                "Barrier Count %u, another thread of this barrier sent %u", p.barrier_count,
                g->barrier_message_count);
   if (c->dev->sanitizer) /* while it is on, no message is quick */
      sanitize_barrier(c->dev->sanitizer, c->t, c->m->ip);
   barrier_arrive(c->t, &p);
   return GATEWAY_SUCCESS;
}

static bool
barrier_quick(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask)
{
   struct hw_barriermsg_payload p;
   gen7_barriermsg_payload_unpack(&p, (const uint32_t *)(const void *)(t->grf + q->payload));
   if (sf_observed(t) || !barrier_mine(t->group, &p) || barrier_differs(t->group, &p))
      return false;
   barrier_arrive(t, &p);
   return true;
}

/* What check_descriptor() finds nothing in, and no acknowledge. */
sf_quick_fn
gateway_quick_select(const struct sf_quick *q, uint32_t desc, bool eot)
{
   struct hw_gateway_message_descriptor d;
   gen7_gateway_message_descriptor_unpack(&d, &desc);
   bool plain = !eot && !q->header && !d.ackreq && !hw_response_length(desc) &&
                !hw_reserved_control(desc, GEN7_GATEWAY_MESSAGE_DESCRIPTOR__MBZ_0);
   return plain && d.subfuncid == BARRIER_MSG ? barrier_quick : NULL;
}

/* SF-008 and SFV-118: kept, but nothing on this generation shows it. */
static void
update_gateway_state(struct call *c)
{
   struct hw_updategatewaystate_payload p;
   gen7_updategatewaystate_payload_unpack(&p, c->dw);
   c->gateway->barrier_byte[c->t->half_slice % EU_HALF_SLICES][p.barrierid] =
       (uint8_t)p.barrier_byte;
}

/* ---- registers ------------------------------------------------------------------------------- */

/* SF-009: MEDIA_VFE_STATE says whether threads may. SF-084: a refused read answers 0. */
static void
mmio_read_write(struct call *c)
{
   struct hw_mmioreadwrite_payload p;
   gen7_mmioreadwrite_payload_unpack(&p, c->dw);
   uint32_t value = 0;
   if (!c->gateway->mmio)
      sf_report(c->t, c->m, PERGOLA_ERROR, "SF-009", "MMIOReadWrite",
                "Gateway MMIO Access Control does not allow register %#x", p.mmio_address);
   else {
      pthread_mutex_lock(&c->gateway->mmio_lock);
      if (p.write)
         regs_post(c->dev, p.mmio_address, p.write_data, "EU"); /* CS-024 */
      else
         value = regs_read(c->dev, p.mmio_address, "EU");
      pthread_mutex_unlock(&c->gateway->mmio_lock);
   }
   if (!p.write && c->m->response && c->m->rlen)
      memcpy(c->m->response, &value, sizeof(value)); /* SF-083 */
}

/* ---- the message ----------------------------------------------------------------------------- */

static void
check_descriptor(struct call *c)
{
   const struct sf_message *m = c->m;
   if (m->header)
      sf_report(c->t, m, PERGOLA_ERROR, "SF-011", "gateway", "Header Present must be 0");
   if (c->d.subfuncid == FORWARD_MSG && c->d.notify > GEN7_GATEWAY_MESSAGE_DESCRIPTOR_NOTIFY_N2)
      sf_report(c->t, m, PERGOLA_ERROR, "SF-010", "gateway", "Notify 3 is reserved");
   if (hw_reserved_control(m->desc, GEN7_GATEWAY_MESSAGE_DESCRIPTOR__MBZ_0))
      sf_report(c->t, m, PERGOLA_ERROR, "SF-010", "gateway",
                "bits 13:3 of the descriptor must be 0");
   bool read = c->d.subfuncid == MMIO_READ_WRITE;
   if (!read && c->d.ackreq && (m->rlen != 1 || !m->response))
      sf_report(c->t, m, PERGOLA_ERROR, "SF-014", "gateway",
                "AckReq needs a destination and a response length of 1");
   if (!read && !c->d.ackreq && m->rlen)
      sf_report(c->t, m, PERGOLA_ERROR, "SF-014", "gateway",
                "without AckReq the response length must be 0");
   if (c->d.ackreq && m->eot)
      sf_report(c->t, m, PERGOLA_ERROR, "SF-015", "gateway",
                "AckReq with end of thread; no acknowledge is sent");
}

/* SF-033: dword 0 alone is overwritten. SF-013: nothing at all without AckReq, errors included. */
static void
acknowledge(struct call *c, enum gateway_error error)
{
   struct hw_gateway_acknowledge a = {.shared_function_id = SFID_GATEWAY, .error_code = error};
   uint32_t value;
   gen7_gateway_acknowledge_pack(&value, &a);
   if (c->d.ackreq && !c->m->eot && c->m->response && c->m->rlen)
      memcpy(c->m->response, &value, sizeof(value));
}

enum sf_status
sf_gateway(struct eu_thread *t, const struct sf_message *m)
{
   struct call c = {.gateway = t->env->dev->gateway, .dev = t->env->dev, .t = t, .m = m};
   if (m->mlen)
      memcpy(c.dw, m->payload, sizeof(c.dw));
   gen7_gateway_message_descriptor_unpack(&c.d, &m->desc);
   check_descriptor(&c);
   switch (c.d.subfuncid) {
   case OPEN_GATEWAY:
      acknowledge(&c, open_gateway(&c));
      break;
   case CLOSE_GATEWAY:
      acknowledge(&c, close_gateway(&c));
      break;
   case FORWARD_MSG:
      acknowledge(&c, forward_msg(&c));
      break;
   case GET_TIME_STAMP:
      get_time_stamp(&c);
      break;
   case BARRIER_MSG:
      acknowledge(&c, barrier_msg(&c)); /* SF-076: at once; the release comes by N0 */
      break;
   case UPDATE_GATEWAY_STATE:
      update_gateway_state(&c);
      acknowledge(&c, GATEWAY_SUCCESS);
      break;
   case MMIO_READ_WRITE:
      if (c.dw[GEN7_MMIOREADWRITE_PAYLOAD__WRITE_DW] & GEN7_MMIOREADWRITE_PAYLOAD__WRITE)
         acknowledge(&c, GATEWAY_SUCCESS); /* SF-082 */
      mmio_read_write(&c);
      break;
   default:
      sf_report(t, m, PERGOLA_ERROR, "SF-023", "gateway", "SubFuncID 7 is reserved");
      acknowledge(&c, GATEWAY_OPCODE);
   }
   return SF_OK;
}
