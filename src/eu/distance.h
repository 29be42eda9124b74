/* How far the texels that a kernel moves lie from its pixels. */
#ifndef PERGOLA_EU_DISTANCE_H
#define PERGOLA_EU_DISTANCE_H

#include "eu/series.h"

/* False: not known to be the same for all pixels that there can be. t: has the registers that its
 * threads have in common. */
bool eu_series_distance(const struct eu_series *s, const struct eu_thread *t, uint32_t *by_x,
                        uint32_t *by_y);

#endif
