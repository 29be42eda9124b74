/* PIPE_CONTROL as the manual's table sees it. */
#ifndef PERGOLA_PIPE_CONTROL_H
#define PERGOLA_PIPE_CONTROL_H

#include "cs/cs_internal.h"

/* RCS-102 to RCS-109 (each case is cited in pipe_control.c): what the inputs of the table lead to.
 */
struct pipe_control_effects {
   bool marker;           /* a marker goes down the pipe */
   bool marker_enable;    /* pipeline marker enable */
   bool completion;       /* completion is requested */
   bool invalidate_pulse; /* top-of-pipe invalidate pulse */
};
struct pipe_control_effects pipe_control_effects(uint32_t flags);

#endif
