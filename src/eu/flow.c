/* EU-173: flow control with one IP per channel.
 *
 * A channel that is active has its PcIP at the thread's IP, and it is not stored. One that waits
 * has it in pip[]. Every address where one can wait inside a kernel is preceded by a join
 * operation, which wakes those that wait there; so nothing else has to look. */
#include "eu/arf.h"
#include "eu/step.h"

void
eu_wake(struct eu_thread *t, uint32_t ip)
{
   /* One by one, as they were parked: a wider load would have to wait for those stores. */
   for (uint32_t w = t->waiting; w; w &= w - 1) {
      unsigned c = (unsigned)__builtin_ctz(w);
      if (t->pip[c] == ip) {
         t->active |= 1u << c;
         t->waiting &= ~(1u << c);
      }
   }
}

const struct eu_op *
eu_exec_join(struct eu_thread *t, const struct eu_op *op)
{
   if (t->waiting)
      eu_wake(t, op->ip);
   return op[1].fn(t, op + 1);
}

const struct eu_op *
eu_exec_join_slow(struct eu_thread *t, const struct eu_op *op)
{
   if (t->waiting)
      eu_wake(t, op->ip);
   return op[1].slow(t, op + 1);
}

static void
park(struct eu_thread *t, uint32_t channels, uint32_t ip)
{
   t->active &= ~channels;
   t->waiting |= channels;
   for (uint32_t w = channels; w; w &= w - 1)
      t->pip[__builtin_ctz(w)] = ip;
}

static bool
any_at(const struct eu_thread *t, uint32_t ip)
{
   for (uint32_t w = t->waiting; w; w &= w - 1)
      if (t->pip[__builtin_ctz(w)] == ip)
         return true;
   return false;
}

/* Moves the thread's IP, not the channels. What lies elsewhere may have to be run in another way.
 */
static const struct eu_op *
jump(struct eu_thread *t, const struct eu_op *target, uint32_t ip)
{
   return target ? target : eu_reenter(t, ip);
}

/* A join follows every branch that may leave channels at the next instruction; the next operation
 * is simply op + 1. */
const struct eu_op *
eu_flow_next(struct eu_thread *t, const struct eu_op *op)
{
   if (t->active || any_at(t, op->next_ip))
      return op + 1;
   return jump(t, op->jip, op->ip + (uint32_t)op->d->jip);
}

/* T of 7.4: the active channels of the instruction whose predicate holds. */
static uint32_t
taken(const struct eu_thread *t, const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   uint32_t range = t->active & op->mask;
   return d->predicate ? range & eu_predicate(t, d) << d->group : range;
}

/* EU-186: the branch condition of a single program flow. */
static bool
spf_taken(const struct eu_thread *t, const struct eu_op *op)
{
   return eu_predicate(t, op->d) & 1;
}

static bool
spf(const struct eu_thread *t)
{
   return t->cr0[0] & CR0_SPF;
}

static const struct eu_op *
spf_uip(struct eu_thread *t, const struct eu_op *op, bool go)
{
   return go ? jump(t, op->uip, op->ip + (uint32_t)op->d->uip) : op + 1;
}

/* EU-174 */
static const struct eu_op *
exec_if(struct eu_thread *t, const struct eu_op *op)
{
   if (spf(t))
      return spf_uip(t, op, !spf_taken(t, op));
   uint32_t stay = taken(t, op);
   park(t, t->active & ~stay, op->ip + (uint32_t)op->d->jip);
   return eu_flow_next(t, op);
}

/* EU-175 */
static const struct eu_op *
exec_else(struct eu_thread *t, const struct eu_op *op)
{
   if (spf(t))
      return jump(t, op->jip, op->ip + (uint32_t)op->d->jip);
   park(t, t->active & op->mask, op->ip + (uint32_t)op->d->jip);
   return eu_flow_next(t, op);
}

/* EU-176 */
static const struct eu_op *
exec_endif(struct eu_thread *t, const struct eu_op *op)
{
   return spf(t) ? op + 1 : eu_flow_next(t, op);
}

/* EU-177 */
static const struct eu_op *
exec_while(struct eu_thread *t, const struct eu_op *op)
{
   uint32_t back = spf(t) ? spf_taken(t, op) : taken(t, op);
   if (!back)
      return op + 1;
   if (!spf(t))
      park(t, t->active & ~back, op->next_ip);
   return jump(t, op->jip, op->ip + (uint32_t)op->d->jip);
}

/* EU-178: uip names the while; broken channels go on behind it. */
uint32_t
eu_behind_while(const struct eu_op *op)
{
   uint32_t ip = op->ip + (uint32_t)op->d->uip;
   const struct eu_op *w = op->uip;
   if (w && w->fn == eu_exec_join)
      w++;
   if (w && w->d && w->d->opcode == EU_OP_WHILE)
      return w->next_ip;
   return ip;
}

static const struct eu_op *
exec_break(struct eu_thread *t, const struct eu_op *op)
{
   uint32_t ip = eu_behind_while(op);
   if (spf(t))
      return spf_taken(t, op) ? jump(t, NULL, ip) : op + 1;
   park(t, taken(t, op), ip);
   return eu_flow_next(t, op);
}

/* EU-179, EU-180, EU-182 */
static const struct eu_op *
exec_cont_halt(struct eu_thread *t, const struct eu_op *op)
{
   if (spf(t))
      return spf_uip(t, op, spf_taken(t, op));
   park(t, taken(t, op), op->ip + (uint32_t)op->d->uip);
   return eu_flow_next(t, op);
}

/* EU-181 */
static const struct eu_op *
exec_brd(struct eu_thread *t, const struct eu_op *op)
{
   uint32_t go = spf(t) ? spf_taken(t, op) : taken(t, op);
   if (!go)
      return op + 1;
   if (!spf(t))
      park(t, t->active & ~go, op->next_ip);
   return jump(t, op->jip, op->ip + (uint32_t)op->d->jip);
}

/* The scalar distance of jmpi, in bytes. */
static int32_t
distance(struct eu_thread *t, const struct eu_op *op)
{
   struct eu_step s = {.t = t, .d = op->d, .count = 1, .mask = 1};
   eu_fetch_int(&s, 0);
   if (t->env->dev->hw_device & HW_HSW)
      return (int32_t)s.src[0].i[0];
   return (int16_t)s.src[0].i[0] * 8; /* low 16 bits, units of 8 bytes */
}

/* EU-183 */
static const struct eu_op *
exec_jmpi(struct eu_thread *t, const struct eu_op *op)
{
   if (!(eu_predicate(t, op->d) & 1))
      return op + 1;
   if (op->jip)
      return op->jip;
   t->ip = op->ip;
   return eu_reenter(t, op->next_ip + (uint32_t)distance(t, op));
}

/* Two dwords of the return operand. */
static uint32_t *
pair(struct eu_thread *t, const struct op_operand *o)
{
   static const uint32_t limit = EU_GRF_COUNT * EU_REG_SIZE;
   if (o->kind != OPERAND_GRF || o->offset[0] == OFFSET_NONE || o->offset[0] + 8u > limit)
      return NULL;
   return (uint32_t *)(void *)(t->grf + (o->offset[0] & ~3u));
}

/* EU-184 */
static const struct eu_op *
exec_call(struct eu_thread *t, const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   uint32_t predicate = d->predicate ? eu_predicate(t, d) << d->group : UINT32_MAX;
   uint32_t go = t->active & predicate;
   bool hsw = t->env->dev->hw_device & HW_HSW;
   uint32_t target = hsw ? (uint32_t)d->inst.jip : (uint32_t)d->jip;
   if (d->opcode != EU_OP_CALLA)
      target += op->ip;
   if (spf(t) && !spf_taken(t, op))
      return op + 1;
   if (!spf(t) && !go)
      return op + 1;
   uint32_t *save = pair(t, &d->dst);
   if (save) { /* the caller's mask is saved here and comes back with the return */
      save[0] = op->next_ip;
      save[1] = t->call_mask;
   }
   if (!spf(t)) {
      park(t, t->active & ~go, op->next_ip);
      t->call_mask = go;
      t->careful |= CAREFUL_WAITERS;
   }
   return eu_reenter(t, target);
}

/* EU-185 */
static const struct eu_op *
exec_ret(struct eu_thread *t, const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   const uint32_t *saved = pair(t, &d->src[0]);
   uint32_t back = saved ? saved[0] & ~7u : 0, mask = saved ? saved[1] : 0;
   if (!saved) {
      eu_report(t, d, op->ip, PERGOLA_FATAL, "EU-185",
                "ret needs two dwords of a general register");
      return eu_stop(t, op->ip, EU_STOP_FAULT);
   }
   if (spf(t))
      return spf_taken(t, op) ? eu_reenter(t, back) : op + 1;
   uint32_t predicate = d->predicate ? eu_predicate(t, d) << d->group : UINT32_MAX;
   uint32_t go = t->active & predicate;
   t->careful |= CAREFUL_WAITERS;
   park(t, go, back);
   t->call_mask &= ~go;
   if (t->call_mask)
      return eu_reenter(t, op->next_ip);
   t->call_mask = mask;
   return eu_reenter(t, back);
}

static const struct eu_op *
exec_nop(struct eu_thread *t, const struct eu_op *op)
{
   (void)t;
   return op + 1;
}

eu_op_fn
eu_flow_select(unsigned opcode)
{
   switch (opcode) {
   case EU_OP_NOP:
      return exec_nop;
   case EU_OP_JMPI:
      return exec_jmpi;
   case EU_OP_IF:
      return exec_if;
   case EU_OP_ELSE:
      return exec_else;
   case EU_OP_ENDIF:
      return exec_endif;
   case EU_OP_WHILE:
      return exec_while;
   case EU_OP_BREAK:
      return exec_break;
   case EU_OP_CONT:
   case EU_OP_HALT:
   case EU_OP_BRC:
      return exec_cont_halt;
   case EU_OP_BRD:
      return exec_brd;
   case EU_OP_CALL:
   case EU_OP_CALLA:
      return exec_call;
   case EU_OP_RET:
      return exec_ret;
   default:
      return NULL;
   }
}
