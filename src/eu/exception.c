/* Exceptions: breakpoint, software, illegal opcode; the system routine. */
#include "eu/op.h"

/* Status bits whose enable is on. */
static uint32_t
pending(const struct eu_thread *t)
{
   uint32_t c = t->cr0[1], p = 0;
   if (c & ENABLE_BREAKPOINT)
      p |= c & STATUS_BREAKPOINT;
   if (c & ENABLE_SOFTWARE)
      p |= c & STATUS_SOFTWARE;
   if (c & ENABLE_ILLEGAL)
      p |= c & STATUS_ILLEGAL;
   if (c & ENABLE_STACK)
      p |= c & STATUS_STACK;
   return p;
}

/* The routine can be entered: there is one, and the thread is not in it. */
static bool
can_enter(const struct eu_thread *t)
{
   return t->env->sip && !(t->cr0[0] & CR0_MASTER);
}

/* EU-202 */
static const struct eu_op *
enter(struct eu_thread *t, uint32_t aip)
{
   t->cr0[2] = aip;
   t->cr0[0] |= CR0_MASTER;
   return eu_reenter(t, t->env->sip);
}

const struct eu_op *
eu_exec_illegal(struct eu_thread *t, const struct eu_op *op)
{
   t->cr0[1] |= STATUS_ILLEGAL;
   if (t->cr0[1] & ENABLE_ILLEGAL && can_enter(t))
      return enter(t, op->ip);
   eu_report(t, op->d, op->ip, PERGOLA_FATAL, "EU-203",
             "0x%02x is not an opcode of this device; the thread ends here",
             op->d->inst.dw[0] & 0xff);
   return eu_stop(t, op->ip, EU_STOP_FAULT);
}

const struct eu_op *
eu_exec_breakpoint(struct eu_thread *t, const struct eu_op *op)
{
   if (t->cr0[0] & CR0_MASTER)
      return op->d->real(t, op);
   if (t->cr0[0] & CR0_BREAKPOINT_SUPPRESS) {
      t->cr0[0] &= ~(uint32_t)CR0_BREAKPOINT_SUPPRESS;
      return op->d->real(t, op);
   }
   t->cr0[1] |= STATUS_BREAKPOINT;
   if (t->cr0[1] & ENABLE_BREAKPOINT && can_enter(t))
      return enter(t, op->ip);
   if (t->cr0[1] & ENABLE_BREAKPOINT)
      eu_report(t, op->d, op->ip, PERGOLA_NOTE, "EU-204",
                "breakpoint, but there is no system routine to enter");
   return op->d->real(t, op);
}

const struct eu_op *
eu_control_written(struct eu_thread *t, const struct eu_op *op, const uint32_t old[2])
{
   uint32_t back = op->next_ip;
   eu_set_modes(t);
   if (old[0] & CR0_MASTER && !(t->cr0[0] & CR0_MASTER)) {
      back = t->cr0[2]; /* return, or enter again at once if something is pending */
      if (pending(t) && can_enter(t))
         return enter(t, back);
      return eu_reenter(t, back);
   }
   if (pending(t) && can_enter(t)) /* EU-205 */
      return enter(t, back);
   return eu_reenter(t, back);
}
