/* Commands that have files of their own. Private to src/gen11. */
#ifndef PERGOLA_GEN11_MI_H
#define PERGOLA_GEN11_MI_H

#include "gen11/gen11_internal.h"

struct mi_command {
   const uint32_t *dw;
   uint32_t length; /* dwords that are there; a longer command is cut */
   const char *name;
   unsigned id; /* enum gen11_command_id */
};

/* False: the batch may not; it has been reported. */
bool mi_space(struct engine *e, const struct mi_command *c, bool global, bool *ppgtt);

void mi_math(struct engine *e, const struct mi_command *c);
void mi_report_counters(struct engine *e, const struct mi_command *c);
void mi_atomic(struct engine *e, const struct mi_command *c);

#endif
