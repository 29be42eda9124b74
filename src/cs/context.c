/* MI_SET_CONTEXT. */
#include "cs/cs_internal.h"

enum cs_result
mi_set_context(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
               uint64_t *budget)
{
   enum cs_result r = cs_drain(cs, budget);
   if (r != CS_DONE)
      return r;
   cs_reg_set(cs, R_CCID, (dw[1] & 0xfffff10c) | CCID_VALID);
   return CS_DONE;
}
