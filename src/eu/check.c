/* Running the checks, and the one that is made while a thread runs. */
#include "eu/check.h"
#include "eu/jit/jit.h"
#include "hw/message.h"

#include <string.h>

static void
run_checks(struct eu_thread *t, const struct eu_detail *d, uint32_t ip, const struct eu_check *c)
{
   for (; c->rule; c++)
      if (c->broken(d))
         eu_report(t, d, ip, c->severity, c->rule, "%s", c->sentence);
}

/* What the decoder had to say: a reserved code, or a reserved bit that is set. */
static void
check_encoding(struct eu_thread *t, const struct eu_detail *d, uint32_t ip)
{
   if (!d->complaint)
      return;
   const char *rule = strstr(d->complaint, "math function") ? "EU-172"
                      : strstr(d->complaint, "bit")         ? "EU-207"
                                                            : "EU-082";
   eu_report(t, d, ip, PERGOLA_ERROR, rule, "%s", d->complaint);
}

void
eu_check_instruction(struct eu_thread *t, const struct eu_detail *d, uint32_t ip)
{
   if (d->illegal)
      return; /* named when it is executed */
   check_encoding(t, d, ip);
   run_checks(t, d, ip, eu_operand_checks);
   run_checks(t, d, ip, eu_instruction_checks);
}

void
eu_check_neighbours(struct eu_thread *t, const struct eu_detail *d, uint32_t ip, unsigned before)
{
   if (d->opcode == EU_OP_WAIT && before == EU_OP_WAIT)
      eu_report(t, d, ip, PERGOLA_ERROR, "SF-169", "two waits need at least a nop between them");
}

void
eu_check_target(struct eu_thread *t, const struct eu_op *op, const struct eu_op *target,
                const char *which)
{
   if (!target) {
      eu_report(t, op->d, op->ip, PERGOLA_ERROR, "EU-187",
                "%s points outside the kernel or between instructions", which);
      return;
   }
   unsigned to = target->d ? target->d->inst.opcode : EU_OP_NOP;
   bool block = to == EU_OP_ELSE || to == EU_OP_ENDIF || to == EU_OP_WHILE;
   bool own = op->d->opcode == EU_OP_IF || op->d->opcode == EU_OP_ELSE ||
              op->d->opcode == EU_OP_BREAK || op->d->opcode == EU_OP_CONT;
   bool closes =
       to == EU_OP_WHILE ? op->d->opcode == EU_OP_BREAK || op->d->opcode == EU_OP_CONT : own;
   if (block && own && closes && target->d->inst.exec_size != op->d->exec_size)
      eu_report(t, op->d, op->ip, PERGOLA_ERROR, "EU-108",
                "the block is closed by an instruction of execution size %u, not %u",
                target->d->inst.exec_size, op->d->exec_size);
}

/* ---- uninitialised registers ---------------------------------------------------------------- */

static void
set_bits(uint64_t bits[2], unsigned first, unsigned count)
{
   for (unsigned r = first; r < first + count && r < EU_GRF_COUNT; r++)
      bits[r / 64] |= UINT64_C(1) << (r % 64);
}

static void
touch(const struct eu_detail *d, const struct op_operand *o, uint64_t bits[2])
{
   if (o->kind != OPERAND_GRF)
      return;
   for (unsigned c = 0; c < d->exec_size; c++)
      if (o->offset[c] != OFFSET_NONE)
         set_bits(bits, o->offset[c] / 32u, 1);
}

void
eu_check_registers(struct eu_detail *d)
{
   bool send = d->opcode == EU_OP_SEND || d->opcode == EU_OP_SENDC;
   memset(d->reads, 0, sizeof(d->reads));
   memset(d->writes, 0, sizeof(d->writes));
   if (send) {
      unsigned length = d->inst.desc_is_reg ? 1 : hw_message_length(d->inst.desc);
      if (d->src[0].kind == OPERAND_GRF)
         set_bits(d->reads, d->src[0].reg, length);
      return;
   }
   if (!d->alu && d->opcode != EU_OP_RET && d->opcode != EU_OP_CALL && d->opcode != EU_OP_MOVI)
      return;
   /* EU-206: a predicated sel takes one of two values, and compilers let it pass over the one that
    * was never written (an array in registers, filled element by element). */
   bool chooses = d->opcode == EU_OP_SEL && d->predicate && !d->condition;
   for (unsigned n = 0; n < d->sources && !chooses; n++)
      touch(d, &d->src[n], d->reads);
   touch(d, &d->dst, d->writes);
   if (d->dst.kind == OPERAND_GRF)
      set_bits(d->writes, d->dst.reg + 1u, eu_writes_behind(d));
   if (d->opcode == EU_OP_PLN && d->src[1].kind == OPERAND_GRF)
      set_bits(d->reads, d->src[1].reg, d->exec_size == 16 ? 4 : 2);
}

/* Not again of this kernel. Native code that went on asking would be left by every thread. */
static void
ask_no_more(struct eu_thread *t, const struct eu_op *op, unsigned i, uint64_t unset)
{
   struct eu *eu = t->env->dev->eu;
   pthread_mutex_lock(&eu->lock);
   __atomic_fetch_and((uint64_t *)(uintptr_t)&op->d->reads[i], ~unset, __ATOMIC_RELAXED);
   jit_ask_anew(t->kernel, op);
   pthread_mutex_unlock(&eu->lock);
}

/* What depends on the thread's state. */
static void
check_running(struct eu_thread *t, const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   for (unsigned i = 0; i < 2; i++) {
      uint64_t unset = __atomic_load_n(&d->reads[i], __ATOMIC_RELAXED) & ~t->initialised[i];
      if (__builtin_expect(unset != 0, 0)) {
         unsigned reg = i * 64 + (unsigned)__builtin_ctzll(unset);
         eu_report(t, d, op->ip, PERGOLA_WARNING, "EU-206",
                   "g%u is read, but neither the payload nor the program has written it", reg);
         t->initialised[i] |= unset; /* once a thread … */
         /* … and of a million vertices and pixels once a kernel */
         if (t->ffid != GEN7_FIXED_FUNCTION_ID_THREAD_SPAWNER)
            ask_no_more(t, op, i, unset);
      }
      t->initialised[i] |= d->writes[i];
   }
   bool ieee_only = d->opcode == EU_OP_F32TO16 || d->opcode == EU_OP_F16TO32 ||
                    (d->opcode == EU_OP_MATH && d->inst.math_function == EU_MATH_FDIV);
   if (ieee_only && t->cr0[0] & CR0_ALT)
      eu_report(t, d, op->ip, PERGOLA_ERROR, "EU-057",
                "this instruction is not allowed in ALT mode");
   /* A branch writes no register, whatever its bits look like. */
   if (d->dst.kind == OPERAND_INDIRECT && !eu_flow_select(d->opcode))
      t->initialised[0] = t->initialised[1] = UINT64_MAX; /* anything may have been written */
}

const struct eu_op *
eu_exec_checked(struct eu_thread *t, const struct eu_op *op)
{
   check_running(t, op);
   return op->d->checked(t, op);
}

const struct eu_op *
eu_exec_checked_slow(struct eu_thread *t, const struct eu_op *op)
{
   check_running(t, op);
   return op->d->checked_slow(t, op);
}
