/* The shape decision. */
#ifndef PERGOLA_VME_PARTITION_H
#define PERGOLA_VME_PARTITION_H

#include "shared_functions/vme/vme.h"

/* SubMbPartMask leaves a shape that the source can have (VME-102). */
bool vme_any_shape(const struct vme *v);
/* How many vectors a partition may have; 32: no limit (VME-006, VME-007). */
unsigned vme_vector_limit(const struct vme *v);
/* SelectBestCombinedMinors for limits of 4 to 15: d by 8x8 and sub-shape. The total. */
int32_t vme_select_limited(const int32_t d[4][4], unsigned limit, uint8_t shape[4]);

#endif
