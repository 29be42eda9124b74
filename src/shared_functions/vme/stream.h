/* Stream-out: the nine major blocks of the records, as they stand (VME-166). */
#ifndef PERGOLA_VME_STREAM_H
#define PERGOLA_VME_STREAM_H

#include "shared_functions/vme/vme.h"

/* Phases written: 2, or 4 with two references. */
unsigned vme_stream_out(const struct vme *v, uint32_t out[4][8]);

#endif
