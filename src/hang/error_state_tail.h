/* Private to src/hang: the end of an error state. */
#ifndef PERGOLA_HANG_ERROR_STATE_TAIL_H
#define PERGOLA_HANG_ERROR_STATE_TAIL_H

#include "pergola/pergola.h"

#include <stdio.h>

void error_state_write_tail(FILE *f, const struct pergola_sku *sku);

#endif
