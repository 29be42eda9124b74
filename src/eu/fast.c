/* Fast paths. */
#include "eu/op.h"

void
eu_fast_select(struct eu_detail *d, struct eu_op *op)
{
   (void)d;
   (void)op;
}
