/* Private to src/shared_functions: the short ways of the data port. */
#ifndef PERGOLA_DP_QUICK_H
#define PERGOLA_DP_QUICK_H

#include "shared_functions/quick.h"

/* The function for a message of the data cache data port that does not end the thread, or NULL. */
sf_quick_fn dp_quick_select(struct sf_quick *q, uint32_t desc);

/* quick_avx2.c; [SIMD16][dwords of a slot - 1]. NULL: none. */
struct dp_quick_functions {
   sf_quick_fn read[2][4], write[2][4], slm_read[2][4], slm_write[2][4];
};
extern const struct dp_quick_functions dp_quick_avx2;

#endif
