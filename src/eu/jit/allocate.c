/* Which values of a region (ir.h) have host registers: the most used ones, as many as its
 * operations leave. */
#include "eu/jit/operand.h"

/* ---- what operations need for themselves ---------------------------------------------------- */

/* Registers that hold a result until it is stored, and truths until the last that goes by them. */
static unsigned
temporaries(const struct eu_op *op)
{
   unsigned f = op->operation;
   bool chooses = f == FAST_F_SEL || f == FAST_I_SEL;
   bool flags = (f >= FAST_F_CMP_Z && f <= FAST_F_CMP_LE) || f >= FAST_I_CMP_Z || op->d->condition;
   if (op->predicate && !chooses)
      return 4;
   return flags || chooses ? 3 : 2;
}

static bool
source_is_plain(const struct eu_op *op, unsigned n)
{
   unsigned kind = op->kind[n];
   bool negated = op->modifier[n] & FAST_NEGATE && op->operation > FAST_F_POW;
   return !negated && kind != FAST_PERMUTE2 && kind < FAST_GATHER_D;
}

/* Scratch registers: two, three for a choice, or all four. */
static unsigned
scratch(const struct ir_region *r, const struct eu_op *op)
{
   unsigned f = op->operation;
   bool chooses = f == FAST_F_SEL || f == FAST_I_SEL;
   bool arithmetic = f <= FAST_F_MOV || (f >= FAST_F_INV && f <= FAST_F_FDIV && f != FAST_F_RSQ) ||
                     (f >= FAST_F_RNDU && f <= FAST_F_RNDZ) ||
                     (f >= FAST_I_MOV && f <= FAST_I_ASR) || (f >= FAST_I_MIN && f <= FAST_U_MAX) ||
                     (f >= FAST_F_CMP_Z && f <= FAST_F_CMP_LE) || f >= FAST_I_CMP_Z;
   if (!chooses && (!arithmetic || op->predicate))
      return 4;
   for (unsigned n = 0; n < ir_sources(op); n++)
      if (!source_is_plain(op, n))
         return 4;
   bool all = r->version == FULL || op->no_mask, to_null = op->dst_kind == FAST_TO_NULL;
   for (unsigned half = 0; half < op->count; half++)
      if (!to_null && !all && !ir_find(r, IR_VECTOR, op->dst[half]))
         return 4;
   if (!to_null && jit_is_partial(op)) /* what is not written comes from memory */
      return 4;
   if (!to_null && !(op->dst_kind == FAST_TO_DWORDS && (all || jit_lanes_of(op) == 8)))
      return 4;
   return chooses ? 3 : 2;
}

/* Kept registers that values may have, a bit each. */
static uint32_t
free_registers(const struct jit *j, const struct ir_region *r)
{
   unsigned most = 2, most_scratch = r->meets ? 3 : 2;
   for (uint32_t i = r->first; i <= r->last; i++) {
      const struct eu_op *op = &j->k->ops[i];
      if (op->fn == eu_exec_join || jit_is_flow(op))
         continue;
      most = temporaries(op) > most ? temporaries(op) : most;
      most_scratch = scratch(r, op) > most_scratch ? scratch(r, op) : most_scratch;
   }
   uint32_t all = (1u << KEPT_ALL) - 1;
   uint32_t own = ((1u << most) - 1) << KEPT_FIRST;
   if (r->meets) /* the lanes of a side */
      all &= ~(1u << (MASK0 - KEPT) | 1u << (MASK1 - KEPT));
   return all & ~own & ~((1u << (most_scratch - 2)) - 1);
}

/* ---- what the next iteration waits for ------------------------------------------------------ */

/* The operation's result is awaited: so is what it is made of. */
static bool
await_sources(struct ir_region *r, const struct eu_op *op)
{
   bool more = false;
   for (unsigned half = 0; half < op->count; half++) {
      const struct ir_value *to = ir_find(r, IR_VECTOR, op->dst[half]);
      for (unsigned n = 0; n < ir_sources(op); n++) {
         const struct ir_value *v = ir_find(r, IR_VECTOR, op->src[n][half]);
         if (op->kind[n] != FAST_VECTOR || !v || v->awaited)
            continue;
         struct ir_value *mine = &r->value[v - r->value];
         /* Nobody has written it in this iteration, or somebody awaited goes by it. */
         mine->awaited = !mine->hidden && to && to->awaited && op->dst_kind == FAST_TO_DWORDS;
         more |= mine->awaited;
      }
   }
   return more;
}

/* Values that are read before they are written, and all that they are made of. */
static void
find_awaited(const struct jit *j, struct ir_region *r)
{
   uint64_t written = 0;
   bool more = true;
   for (unsigned round = 0; more && round < 8; round++) {
      more = false;
      for (uint32_t i = r->first; i <= r->last; i++) {
         const struct eu_op *op = &j->k->ops[i];
         if (op->fn == eu_exec_join || jit_is_flow(op))
            continue;
         ir_turn_to(r, op);
         for (unsigned half = 0; !round && half < op->count; half++) {
            for (unsigned n = 0; n < ir_sources(op); n++) {
               const struct ir_value *v = ir_find(r, IR_VECTOR, op->src[n][half]);
               if (op->kind[n] == FAST_VECTOR && v && v->written &&
                   !(written >> (v - r->value) & 1))
                  r->value[v - r->value].awaited = true;
            }
         }
         for (unsigned half = 0; !round && half < op->count; half++) {
            const struct ir_value *to = ir_find(r, IR_VECTOR, op->dst[half]);
            if (to && op->dst_kind == FAST_TO_DWORDS)
               written |= UINT64_C(1) << (to - r->value);
         }
         more |= await_sources(r, op);
      }
      more |= !round;
   }
}

/* ---- the choice ----------------------------------------------------------------------------- */

/* What goes through memory takes longer. */
static unsigned
weight(const struct ir_value *v)
{
   return v->uses + (v->awaited && v->written ? 2 : 0);
}

void
ir_allocate(const struct jit *j, struct ir_region *r)
{
   uint32_t left = free_registers(j, r);
   find_awaited(j, r);
   while (left) {
      struct ir_value *best = NULL;
      for (unsigned i = 0; i < r->count; i++)
         if (r->value[i].reg < 0 && (!best || weight(&r->value[i]) > weight(best)))
            best = &r->value[i];
      if (!best)
         return;
      best->reg = (int8_t)__builtin_ctz(left);
      left &= left - 1;
      r->registers |= 1u << best->reg;
   }
}
