/* Private to the data port: its fast paths. */
#ifndef PERGOLA_DP_QUICK_H
#define PERGOLA_DP_QUICK_H

#include "shared_functions/quick.h"

/* An OWord block of the data cache's port, which also reaches memory without a surface, or of the
 * constant cache's: the function, or NULL. */
sf_quick_fn dp_quick_block(const struct sf_quick *q, uint32_t desc, bool write, bool data_cache);
/* A memory fence: the function, or NULL. */
sf_quick_fn dp_quick_fence(const struct sf_quick *q, uint32_t desc);

/* Functions of quick_avx2.c and quick_plain.c, [SIMD16][dwords of a slot - 1]. */
struct dp_quick_functions {
   sf_quick_fn read[2][4], write[2][4], slm_read[2][4], slm_write[2][4];
};
extern const struct dp_quick_functions dp_quick_avx2, dp_quick_baseline;

/* What is compiled for each kind of host (HOST_NAME). Of quick_atomic.c, [shared local
 * memory][SIMD16]; counting in shared local memory with no answer, [add, not increment][SIMD16]. */
struct dp_quick_atomic_functions {
   sf_quick_fn any[2][2], count[2][2];
};
extern const struct dp_quick_atomic_functions dp_quick_atomic_avx2, dp_quick_atomic_baseline;

/* Of quick_typed.c. */
struct dp_quick_typed_functions {
   sf_quick_fn read, write, atomic;
};
extern const struct dp_quick_typed_functions dp_quick_typed_avx2, dp_quick_typed_baseline;

/* Of quick_target.c. */
struct dp_quick_target_functions {
   sf_quick_fn simd8, simd16, replicated;
};
extern const struct dp_quick_target_functions dp_quick_target_avx2, dp_quick_target_baseline;

#endif
