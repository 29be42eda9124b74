/* Flags of a region (ir.h) in host registers: those that operations write and go by, bit by
 * channel, and nobody looks at otherwise. As with values, the right bits are those of the active
 * channels. */
#include "eu/jit/operand.h"

static bool
touches_arf(const struct eu_detail *d)
{
   bool arf = d->dst.kind == OPERAND_ARF;
   for (unsigned n = 0; n < 3; n++)
      arf = arf || d->src[n].kind == OPERAND_ARF;
   return arf;
}

static bool
writes_flags(const struct eu_detail *d)
{
   return d->condition && d->opcode != EU_OP_SEL;
}

/* Does it look at the flags as the channels have them? */
static bool
is_by_channel(const struct ir_region *r, const struct eu_detail *d)
{
   unsigned first = (unsigned)(d->flag_shift - d->group);
   bool jumps = d->opcode == EU_OP_JMPI; /* by the first bit, whoever is active */
   return (first == 0 || first == 16) && d->group + d->exec_size <= 16 && d->predicate <= 1 &&
          !(jumps && r->version == MASKED) && (jumps || !d->no_mask);
}

void
ir_find_flags(const struct jit *j, struct ir_region *r)
{
   r->holds[0] = r->holds[1] = !r->messages;
   for (uint32_t i = r->first; i <= r->last; i++) {
      const struct eu_op *op = &j->k->ops[i];
      const struct eu_detail *d = op->d;
      if (op->fn == eu_exec_join)
         continue;
      if ((touches_arf(d) && !jit_is_flow(op)) || d->predicate > 1)
         r->holds[0] = r->holds[1] = false;
      if (!writes_flags(d) && !d->predicate)
         continue;
      r->used[d->flag_reg] |= (uint8_t)(1u << (d->flag_shift / 16));
      r->holds[d->flag_reg] &= is_by_channel(r, d);
      if (writes_flags(d))
         r->halves[d->flag_reg] |= (uint8_t)(1u << (d->flag_shift / 16));
   }
   for (unsigned f = 0; f < 2; f++)
      r->holds[f] &= r->used[f] != 0;
}

/* ---- code ----------------------------------------------------------------------------------- */

struct x86_rm
jit_flag(const struct jit *j, unsigned f)
{
   if (j->region && j->region->holds[f])
      return x86_reg(REG_FLAG + f);
   return f ? THREAD(flag[1]) : THREAD(flag[0]);
}

struct x86_rm
jit_active(const struct jit *j)
{
   return j->region && j->version == MASKED ? x86_reg(REG_ACTIVE) : THREAD(active);
}

void
jit_load_flags(struct jit *j, const struct ir_region *r)
{
   for (unsigned f = 0; f < 2; f++)
      if (r->holds[f])
         x86_op(&j->a, X86_LOAD, false, REG_FLAG + f, f ? THREAD(flag[1]) : THREAD(flag[0]));
   if (r->version == MASKED)
      x86_op(&j->a, X86_LOAD, false, REG_ACTIVE, THREAD(active));
}

/* Of the region's channels. */
void
jit_write_back_flags(struct jit *j, const struct ir_region *r)
{
   struct x86 *a = &j->a;
   for (unsigned f = 0; f < 2; f++) {
      struct x86_rm at = f ? THREAD(flag[1]) : THREAD(flag[0]);
      if (!r->holds[f] || !r->halves[f])
         continue;
      if (r->version == MASKED)
         x86_op(a, X86_LOAD, false, RSI, THREAD(active));
      else
         x86_mov_imm(a, RSI, j->all);
      if (r->halves[f] & 2) {
         x86_op(a, X86_LOAD, false, RDX, x86_reg(RSI));
         x86_shift(a, true, RSI, 16);
         if (r->halves[f] & 1)
            x86_op(a, X86_OR, false, RSI, x86_reg(RDX));
      }
      x86_op(a, X86_LOAD, false, RDX, x86_reg(REG_FLAG + f));
      x86_op(a, X86_AND, false, RDX, x86_reg(RSI));
      x86_not(a, false, RSI);
      x86_op(a, X86_AND, false, RSI, at);
      x86_op(a, X86_OR, false, RDX, x86_reg(RSI));
      x86_op(a, X86_STORE, false, RDX, at);
   }
}

/* The bits in edx, of a half each from bit 0, become those of the flag register that is held. */
void
jit_set_flags(struct jit *j, const struct eu_op *op)
{
   struct x86 *a = &j->a;
   unsigned held = REG_FLAG + op->flag_reg;
   x86_shift(a, true, RDX, op->flag_shift);
   if (op->channels == 0xffff && j->region->used[op->flag_reg] != 3 && !op->predicate &&
       !j->apart) {
      x86_op(a, X86_LOAD, false, held, x86_reg(RDX));
      return;
   }
   if (op->predicate || j->apart) {
      jit_channels(j, op, true); /* eax; uses ecx and esi */
      x86_shift(a, true, RAX, op->flag_shift);
      x86_op(a, X86_AND, false, RDX, x86_reg(RAX));
      x86_not(a, false, RAX);
      x86_op(a, X86_AND, false, held, x86_reg(RAX));
   } else {
      x86_imm(a, X86_AND_I, false, x86_reg(RDX), (int32_t)(op->channels << op->flag_shift));
      x86_imm(a, X86_AND_I, false, x86_reg(held), (int32_t) ~(op->channels << op->flag_shift));
   }
   x86_op(a, X86_OR, false, held, x86_reg(RDX));
}
