/* Programs of math: sources in g0 to g63, results in registers of their own above. */
#include "generate_parts.h"

#include <string.h>

static void
source(struct generator *g, struct eu_inst *i, unsigned n, unsigned type)
{
   struct eu_operand *s = &i->src[n];
   *s = (struct eu_operand){
       .file = EU_FILE_GRF, .type = (uint8_t)type, .nr = (uint8_t)gen_pick(g, 62)};
   if (gen_chance(g, 25)) {
      s->width = 1;
      s->subnr = (uint8_t)(gen_pick(g, 8) * 4);
   } else {
      s->vstride = s->width = 8, s->hstride = 1;
   }
   if (type == EU_TYPE_F) {
      s->negate = gen_chance(g, 15);
      s->abs = gen_chance(g, 15);
   }
}

void
gen_math(struct generator *g, unsigned number, struct eu_inst *i)
{
   static const uint8_t functions[] = {
       EU_MATH_INV, EU_MATH_LOG,  EU_MATH_EXP, EU_MATH_SQRT,      EU_MATH_RSQ,    EU_MATH_SIN,
       EU_MATH_COS, EU_MATH_FDIV, EU_MATH_POW, EU_MATH_INTDIVMOD, EU_MATH_INTDIV, EU_MATH_INTMOD};
   gen_controls(g, i);
   i->opcode = EU_OP_MATH;
   do
      i->math_function = functions[gen_pick(g, sizeof(functions))];
   while (g->functions && !(g->functions >> i->math_function & 1));
   if (i->math_function == EU_MATH_FDIV && g->alt)
      i->math_function = EU_MATH_INV;
   bool whole = i->math_function >= EU_MATH_INTDIVMOD;
   unsigned type = !whole ? EU_TYPE_F : gen_chance(g, 50) ? EU_TYPE_D : EU_TYPE_UD;
   i->exec_size = !whole && gen_chance(g, 40) ? 16 : 8;
   i->quarter = i->exec_size == 16 ? 0 : i->quarter;
   i->nibble = 0;
   source(g, i, 0, type);
   source(g, i, 1, type);
   if (!whole && i->math_function < EU_MATH_FDIV)
      i->src[1] = (struct eu_operand){
          .file = EU_FILE_ARF, .type = EU_TYPE_F, .vstride = 8, .width = 8, .hstride = 1};
   i->dst = (struct eu_operand){.file = EU_FILE_GRF,
                                .type = (uint8_t)type,
                                .nr = (uint8_t)(64 + number * 2),
                                .hstride = 1,
                                .writemask = 0xF};
   i->saturate = !whole && gen_chance(g, 15);
   gen_predicate(g, i);
   if (!i->predicate)
      i->flag_nr = i->flag_subnr = 0;
}
