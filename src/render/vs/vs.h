/* Private to src/render/vs: a worker of vertex shader threads. */
#ifndef PERGOLA_RENDER_VS_H
#define PERGOLA_RENDER_VS_H

#include "eu/wide.h"
#include "render/draw.h"

#define VS_COST 16u /* of the budget, to make a thread */

struct vs_worker {
   struct stage_worker w;
   unsigned pair;
   uint64_t invocations;
   _Alignas(32) uint32_t frame[WIDE_FRAME];
};

/* vs.c: chooses the next thread. */
bool vs_next(struct stage_worker *w);

/* wide.c: runs the chosen thread and those that follow side by side, as far as they can be. False:
 * the one that is chosen has to run alone. */
bool vs_wide(struct vs_worker *v, int64_t *budget);

#endif
