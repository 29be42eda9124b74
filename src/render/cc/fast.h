/* Private to the pixel back end: the colour calculator for eight pixels at once, bit for bit as
 * cc_element does it. */
#ifndef PERGOLA_RENDER_CC_FAST_H
#define PERGOLA_RENDER_CC_FAST_H

#include "machine/host.h"
#include "render/cc/cc.h"
#include "surface/view.h"

/* Chosen when a target is met. NULL: there is none. */
typedef void (*cc_mix_fn)(const void *target, const struct surface_view *v,
                          const uint32_t (*color)[8], unsigned step, uint32_t (*word)[8]);
/* The same for 16 pixels, channel i of the first eight in row 2 * i; elements of a dword. */
typedef void (*cc_mix_row_fn)(const void *target, const struct surface_view *v,
                              const uint32_t (*color)[8], uint32_t (*word)[8]);
/* True: there is a fast path; *fn is NULL if colours only have to be packed. */
bool cc_choose_fast(const struct cc_target *t, const struct surface_view *v, cc_mix_fn *fn,
                    cc_mix_row_fn *row);
/* Of fast_vector.c, for each kind of host (HOST_NAME). */
struct cc_fast_functions {
   cc_mix_fn eights, over, unorm, floats;
   cc_mix_row_fn eights_row, over_row;
};
extern const struct cc_fast_functions cc_fast_avx2, cc_fast_baseline;

#endif
