/* The units behind the bits of INSTDONE. */
#ifndef PERGOLA_HANG_UNITS_H
#define PERGOLA_HANG_UNITS_H

#include "hang/ecode.h"

/* The layout of an engine's INSTDONE. */
const struct hw_layout *hang_instdone(unsigned engine, unsigned device_bit);
/* The bits that belong to a unit, the ring's among them; all others always read one. */
uint32_t hang_unit_bits(const struct hw_layout *instdone);
uint32_t hang_ring_bit(const struct hw_layout *instdone);

#endif
