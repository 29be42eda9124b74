/* Private to the data port: its fast paths. */
#ifndef PERGOLA_DP_QUICK_H
#define PERGOLA_DP_QUICK_H

#include "shared_functions/quick.h"

/* An OWord block of the data cache's port, which also reaches memory without a surface, or of the
 * constant cache's: the function, or NULL. */
sf_quick_fn dp_quick_block(const struct sf_quick *q, uint32_t desc, bool write, bool data_cache);
/* A memory fence: the function, or NULL. */
sf_quick_fn dp_quick_fence(const struct sf_quick *q, uint32_t desc);

/* Of quick_target_avx2.c. */
bool dp_quick_target8(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask);
bool dp_quick_target16(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask);
bool dp_quick_target_replicated(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask);

/* Functions of quick_avx2.c and quick_plain.c, [SIMD16][dwords of a slot - 1]. */
struct dp_quick_functions {
   sf_quick_fn read[2][4], write[2][4], slm_read[2][4], slm_write[2][4];
};
extern const struct dp_quick_functions dp_quick_avx2, dp_quick_plain;

/* Of quick_atomic_avx2.c and quick_plain.c, [shared local memory][SIMD16]. */
extern const sf_quick_fn dp_quick_atomic[2][2], dp_quick_plain_atomic[2][2];
/* Counting in shared local memory with no answer, [add, not increment][SIMD16]. */
extern const sf_quick_fn dp_quick_count[2][2];

/* Of quick_typed_avx2.c. */
struct dp_quick_typed_functions {
   sf_quick_fn read, write, atomic;
};
extern const struct dp_quick_typed_functions dp_quick_typed_avx2;

#endif
