/* movi: a shuffle inside one register, by a0. */
#include "eu/arf.h"
#include "eu/step.h"

/* EU-130: position i of the destination register takes the element at a0.i's byte offset; the
 * source register is a0.0's for all. */
const struct eu_op *
eu_exec_movi(struct eu_thread *t, const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   const struct op_operand *o = &d->src[0];
   struct eu_step s = {.t = t, .d = d, .count = d->paired ? (d->exec_size + 1u) / 2 : d->exec_size};
   unsigned size = type_size[d->dst.type & 7];
   t->ip = op->ip;
   s.mask = eu_write_mask(t, d) & eu_predicate(t, d);
   uint32_t reg = (t->a0[0] >> 5 & 0x7fu) + (uint32_t)(o->addr_imm >> 5);
   if (reg >= EU_GRF_COUNT) {
      eu_report(t, d, op->ip, PERGOLA_ERROR, "EU-002",
                "the source register of movi is outside the register file (a0.0 = 0x%x)", t->a0[0]);
      return op + 1;
   }
   for (unsigned k = 0; k < s.count; k++) {
      unsigned position = d->dst.subreg / size + k;
      if (position > 7)
         eu_report(t, d, op->ip, PERGOLA_ERROR, "EU-130",
                   "movi writes position %u, but a0 has eight sub-registers", position);
      uint32_t byte = (t->a0[position & 7] + (uint32_t)o->addr_imm) & 31 & ~(size - 1);
      s.r.b[k] = 0;
      memcpy(&s.r.b[k], t->grf + reg * EU_REG_SIZE + byte, size);
   }
   uint32_t old[2] = {t->cr0[0], t->cr0[1]};
   eu_store(&s);
   return d->dst.kind == OPERAND_ARF ? eu_arf_written(t, op, old) : op + 1;
}
