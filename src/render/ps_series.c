/* Pixel shader threads one after the other in one place, each from its beginning to its end in
 * native code. */
#include "dispatch/stage.h"

#define PS_VECTORS STAGE_VECTORS
#include "render/ps_start.h"

STAGE_VECTORS void
ps_run_series(struct stage_worker *w, const struct eu_series *s, int64_t *budget)
{
   stage_series(w, s, budget, ps_next, ps_fill, ps_ended, PS_DISPATCH_COST);
}
