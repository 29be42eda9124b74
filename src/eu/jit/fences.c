/* Which fences order nothing: those that no write to memory comes before, since the thread's start
 * or since the fence before. Shared local memory belongs to one host thread. */
#include "eu/jit/translate.h"

#define PASSES 8 /* enough for loops as compilers nest them */

/* May others see something of it? */
static bool
writes_memory(const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   if (d->opcode != EU_OP_SEND && d->opcode != EU_OP_SENDC)
      return false;
   bool shared = d->inst.sfid == SFID_DP_DATA0 && jit_is_shared(&d->quick);
   bool reads = d->quick.row && !d->quick.writes;
   return !d->quick.fn || !(shared || reads || jit_is_barrier(d) || jit_is_fence(d));
}

static bool
spread(struct jit *j, const struct eu_op *to)
{
   if (!to || to >= j->k->ops + j->k->op_count || j->unordered[to - j->k->ops])
      return false;
   return j->unordered[to - j->k->ops] = true;
}

/* Forward and backward: a branch back is seen in the next pass. */
static bool
pass(struct jit *j)
{
   bool changed = false;
   for (uint32_t i = 0; i < j->k->op_count; i++) {
      const struct eu_op *op = &j->k->ops[i];
      bool message = op->d && op->fn != eu_exec_join;
      if (!(message && writes_memory(op)) && (!j->unordered[i] || (message && jit_is_fence(op->d))))
         continue;
      changed |= spread(j, op + 1);
      changed |= spread(j, op->jip);
      changed |= spread(j, op->uip);
   }
   return changed;
}

void
jit_find_unordered(struct jit *j)
{
   unsigned n = 0;
   while (n < PASSES && pass(j))
      n++;
   for (uint32_t i = 0; n == PASSES && i < j->k->op_count; i++)
      j->unordered[i] = true;
}
