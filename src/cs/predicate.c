/* The predicate bit of the render engine. */
#include "cs/cs_internal.h"

static uint64_t
reg64(const struct cs *cs, uint32_t offset)
{
   return reg_get(cs->dev, offset) | (uint64_t)reg_get(cs->dev, offset + 4) << 32;
}

/* RCS-064. */
static bool
compare(struct cs *cs, unsigned operation)
{
   uint64_t delta = reg64(cs, REG_MI_PREDICATE_SRC0) - reg64(cs, REG_MI_PREDICATE_SRC1);
   switch (operation) {
   case GEN7_MI_PREDICATE_COMPARE_OPERATION_TRUE:
      return true;
   case GEN7_MI_PREDICATE_COMPARE_OPERATION_FALSE:
      return false;
   case GEN7_MI_PREDICATE_COMPARE_OPERATION_SRCS_EQUAL: /* RCS-033 */
      reg_set(cs->dev, REG_MI_PREDICATE_DATA, (uint32_t)delta);
      reg_set(cs->dev, REG_MI_PREDICATE_DATA + 4, (uint32_t)(delta >> 32));
      return delta == 0;
   default:
      return delta == reg64(cs, REG_MI_PREDICATE_DATA);
   }
}

static bool
combine(bool predicate, bool result, unsigned operation)
{
   switch (operation) {
   case GEN7_MI_PREDICATE_COMBINE_OPERATION_AND:
      return predicate && result;
   case GEN7_MI_PREDICATE_COMBINE_OPERATION_OR:
      return predicate || result;
   case GEN7_MI_PREDICATE_COMBINE_OPERATION_XOR:
      return predicate != result;
   default:
      return result;
   }
}

enum cs_result
mi_predicate(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
             uint64_t *budget)
{
   struct hw_mi_predicate p;
   gen7_mi_predicate_unpack(&p, dw);
   bool result = compare(cs, p.compare_operation);
   result = combine(cs_predicate(cs), result, p.combine_operation);
   if (p.load_operation == GEN7_MI_PREDICATE_LOAD_OPERATION_LOAD)
      reg_set(cs->dev, REG_MI_PREDICATE_RESULT, result); /* RCS-034 */
   else if (p.load_operation == GEN7_MI_PREDICATE_LOAD_OPERATION_LOADINV)
      reg_set(cs->dev, REG_MI_PREDICATE_RESULT, !result);
   return CS_DONE;
}

/* RCS-063: commands with Predicate Enable execute when this is set, whatever RCS-062 says. */
bool
cs_predicate(const struct cs *cs)
{
   return reg_get(cs->dev, REG_MI_PREDICATE_RESULT) & REG_MI_PREDICATE_RESULT__RESULT;
}
