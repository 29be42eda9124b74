/* pergola decode of what a hung GPU left behind. */
#ifndef PERGOLA_CLI_DECODE_CAPTURE_H
#define PERGOLA_CLI_DECODE_CAPTURE_H

#include "hang/capture.h"

#include <stdio.h>

/* budget: units for which the request is run again, to see which kernels and surfaces it uses. */
void decode_capture(FILE *out, const struct capture *c, bool color, uint64_t budget);

#endif
