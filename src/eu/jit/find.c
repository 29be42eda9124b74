/* Which loops become regions (ir.h): those of native arithmetic that channels leave by `break`, or
 * all together. */
#include "eu/jit/operand.h"

static bool
is_join(const struct eu_op *op)
{
   return op->fn == eu_exec_join;
}

static bool
inside(const struct jit *j, const struct ir_region *r, uint32_t ip)
{
   return ip >= j->k->ops[r->first].ip && ip <= j->k->ops[r->last].ip;
}

/* All channels that there may be. */
static bool
is_for_all(const struct jit *j, const struct eu_op *op)
{
   return j->version == MASKED || (op->mask & j->all) == j->all;
}

static bool
flow_fits(const struct jit *j, const struct ir_region *r, const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   if (d->opcode == EU_OP_NOP)
      return true;
   if (!jit_is_simple_flow(op) || !op->jip)
      return false;
   if (op == &j->k->ops[r->last])
      return d->opcode == EU_OP_JMPI || is_for_all(j, op);
   if (d->opcode == EU_OP_CONT && !op->uip) /* they wait outside of the kernel */
      return false;
   if (j->version == MASKED && (d->opcode == EU_OP_IF || d->opcode == EU_OP_ELSE ||
                                d->opcode == EU_OP_ENDIF || d->opcode == EU_OP_CONT))
      return true; /* sides.c has more to say */
   return d->opcode == EU_OP_BREAK && is_for_all(j, op) && !inside(j, r, eu_behind_while(op));
}

/* Native in the version at hand, with no call? */
static bool
fits(const struct jit *j, const struct ir_region *r, const struct eu_op *op)
{
   if (is_join(op))
      return true;
   const struct eu_detail *d = op->d;
   if (!d || d->inst.debug || d->illegal)
      return false;
   if (jit_is_flow(op))
      return flow_fits(j, r, op);
   if (jit_is_message(op))
      return j->version == FULL;
   unsigned f = op->operation;
   bool select = f == FAST_F_SEL || f == FAST_I_SEL;
   bool accumulator = f >= FAST_MUL_ACC && f <= FAST_SUBB;
   return op->fast && jit_storable(j, op, op->predicate && !select) && !accumulator &&
          f != FAST_F_LRP && f != FAST_F_PLN && !(f > FAST_F_FDIV && f <= FAST_F_POW);
}

bool
ir_is_alu(const struct eu_op *op)
{
   return !is_join(op) && !jit_is_flow(op) && !jit_is_message(op);
}

static bool
needs_nearest(const struct eu_op *op)
{
   unsigned f = op->operation;
   return op->fast && (f == FAST_F_FRC || (f >= FAST_F_INV && f <= FAST_F_FDIV));
}

static void
consider(struct jit *j, uint32_t first, uint32_t last)
{
   struct ir_region *r = &j->region_list[j->region_count];
   *r = (struct ir_region){.first = first, .last = last, .version = j->version};
   for (uint32_t i = first; i <= last; i++) {
      const struct eu_op *op = &j->k->ops[i];
      if (!fits(j, r, op))
         return;
      r->joins |= i != first && is_join(op);
      r->instructions += !is_join(op);
      r->nearest |= !is_join(op) && needs_nearest(op);
      r->messages |= !is_join(op) && jit_is_message(op);
   }
   if (!ir_find_sides(j, r) || !ir_find_values(j, r))
      return;
   ir_find_flags(j, r);
   if (r->messages)
      r->steady = ir_find_steady(j, r);
   else
      ir_allocate(j, r);
   j->region_count++;
}

void
ir_find_regions(struct jit *j)
{
   uint32_t inner = 0; /* behind the last jump back */
   for (uint32_t i = 0; i < j->k->op_count && j->region_count + 2 <= IR_REGIONS; i++) {
      const struct eu_op *op = &j->k->ops[i];
      if (is_join(op) || !op->d || (op->d->opcode != EU_OP_WHILE && op->d->opcode != EU_OP_JMPI))
         continue;
      uint32_t first = op->jip ? (uint32_t)(op->jip - j->k->ops) : i;
      if (op->d->opcode == EU_OP_JMPI && (first >= i || i + 1 == j->k->op_count))
         continue;
      bool loop = first < i && first >= inner && j->leader[first];
      for (unsigned v = MASKED; loop && v <= (j->has_full ? FULL : MASKED); v++) {
         j->version = (enum version)v;
         consider(j, first, i);
      }
      inner = i + 1;
   }
}
