/* send, sendc and wait. */
#include "eu/arf.h"
#include "eu/fpmode.h"
#include "eu/op.h"
#include "hw/message.h"

/* First register of the response, or EU_GRF_COUNT for none. */
static unsigned
response_register(struct eu_thread *t, const struct eu_detail *d)
{
   const struct op_operand *o = &d->dst;
   if (o->kind == OPERAND_GRF)
      return o->reg;
   if (o->kind == OPERAND_INDIRECT)
      return ((t->a0[o->addr_sub & 7] >> 5 & 0x7fu) + (uint32_t)(o->addr_imm >> 5)) & 0x7f;
   return EU_GRF_COUNT;
}

static bool
fits(struct eu_thread *t, const struct eu_op *op, const char *what, unsigned first, unsigned count)
{
   if (first + count <= EU_GRF_COUNT)
      return true;
   eu_report(t, op->d, op->ip, PERGOLA_FATAL, "EU-198",
             "the %s of the message, g%u and %u more, is outside the register file", what, first,
             count - 1);
   return false;
}

/* EU-190. In Align16 the destination's mask counts too where the message has channels: drivers send
 * untyped atomics of two vertices that way, and writes of single components to scratch space. */
static inline uint32_t
send_mask(const struct eu_thread *t, const struct eu_detail *d)
{
   uint32_t mask = eu_write_mask(t, d);
   if (d->align16 && (d->inst.sfid == SFID_DP_DATA0 || d->inst.sfid == SFID_DP_DATA1 ||
                      d->inst.sfid == SFID_DP_RENDER))
      mask &= d->chan_en;
   return d->predicate ? mask & eu_predicate(t, d) : mask;
}

/* EU-189 */
static uint32_t
descriptor_register(const struct eu_thread *t)
{
   return (t->a0[0] | (uint32_t)t->a0[1] << 16) & 0x1fffffff;
}

const struct eu_op *
eu_exec_send(struct eu_thread *t, const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   uint32_t desc = d->inst.desc;
   t->ip = op->ip;
   if (d->inst.desc_is_reg) {
      desc = descriptor_register(t);
      if (t->env->dev->eu->counting)
         eu_count_message(t, d->inst.sfid, desc);
   }
   unsigned dst = response_register(t, d), payload = d->src[0].reg;
   struct sf_message m = {
       .sfid = d->inst.sfid,
       .eot = d->inst.eot,
       .header = hw_header_present(desc),
       .mlen = hw_message_length(desc),
       .rlen = hw_response_length(desc),
       .exec_size = d->exec_size,
       .desc = desc,
       .exec_mask = send_mask(t, d),
       .ip = op->ip,
   };
   if (d->src[0].kind != OPERAND_GRF)
      payload = EU_GRF_COUNT;
   if (!fits(t, op, "payload", payload, m.mlen ? m.mlen : 1))
      return eu_stop(t, op->ip, EU_STOP_FAULT);
   m.payload = t->grf + payload * EU_REG_SIZE;
   uint8_t nowhere[32 * EU_REG_SIZE]; /* for a response that has no register to go to */
   if (dst < EU_GRF_COUNT && m.rlen) {
      if (!fits(t, op, "response", dst, m.rlen))
         return eu_stop(t, op->ip, EU_STOP_FAULT);
      m.response = t->grf + dst * EU_REG_SIZE;
      eu_thread_mark(t, dst, m.rlen);
   } else if (m.rlen) {
      /* EU-197 */
      eu_report(t, d, op->ip, PERGOLA_ERROR, "EU-197",
                "the destination is null, so the response length must be 0, not %u", m.rlen);
      m.response = nowhere;
   }
   fpmode_set(FPMODE_HOST); /* shared functions compute with the host's own modes */
   enum sf_status status = t->env->dev->eu->shared->send(t, &m);
   fpmode_set(fpmode_thread(t));
   if (status != SF_OK)
      return eu_stop(t, op->ip, EU_STOP_FAULT);
   /* EU-193: whatever the mask. EU-199: threads start in dependency order, so sendc never waits. */
   if (m.eot)
      return eu_stop(t, op->next_ip, EU_STOP_EOT);
   return t->owed < EU_OWED_MOST ? op + 1 : eu_stop(t, op->next_ip, EU_STOP_BUDGET);
}

/* ---- the fast path ----------------------------------------------------------------------------
 */

static const struct eu_op *
send_quick(struct eu_thread *t, const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   if (__builtin_expect(!d->quick.fn(t, &d->quick, send_mask(t, d)), 0))
      return eu_exec_send(t, op);
   return __builtin_expect(d->inst.eot, 0) ? eu_stop(t, op->next_ip, EU_STOP_EOT) : op + 1;
}

static unsigned
quick_response(const struct eu_detail *d)
{
   return d->dst.kind == OPERAND_GRF ? d->dst.reg : EU_GRF_COUNT;
}

/* The descriptor is known only now. */
static const struct eu_op *
send_quick_late(struct eu_thread *t, const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   struct sf_quick q;
   if (d->inst.eot ||
       !t->env->dev->eu->shared->quick_select(&q, t->env->dev, d->inst.sfid, descriptor_register(t),
                                              false, d->src[0].reg, quick_response(d)) ||
       !q.fn(t, &q, send_mask(t, d)))
      return eu_exec_send(t, op);
   if (t->env->dev->eu->counting)
      eu_count_message(t, d->inst.sfid, descriptor_register(t));
   return op + 1;
}

void
eu_send_select(const struct pergola_device *dev, struct eu_detail *d, struct eu_op *op)
{
   if (d->src[0].kind != OPERAND_GRF || (d->dst.kind != OPERAND_GRF && d->dst.kind != OPERAND_NULL))
      return;
   if (d->inst.desc_is_reg)
      op->fn = send_quick_late;
   else if (dev->eu->shared->quick_select(&d->quick, dev, d->inst.sfid, d->inst.desc, d->inst.eot,
                                          d->src[0].reg, quick_response(d)))
      op->fn = send_quick;
}

/* EU-200 */
const struct eu_op *
eu_exec_wait(struct eu_thread *t, const struct eu_op *op)
{
   const struct op_operand *o = &op->d->src[0];
   unsigned sub = o->subreg / 4;
   t->ip = op->ip;
   if (o->kind != OPERAND_ARF || (o->reg & 0xf0) != EU_ARF_N || sub > 2) {
      eu_report(t, op->d, op->ip, PERGOLA_FATAL, "EU-201", "wait needs one of n0.0, n0.1 and n0.2");
      return eu_stop(t, op->ip, EU_STOP_FAULT);
   }
   /* Who notifies runs on the same host thread: a group has one, and so have the media threads. */
   if (!t->n0[sub])
      return eu_stop(t, op->ip, EU_STOP_WAIT);
   t->n0[sub]--;
   return op + 1;
}
