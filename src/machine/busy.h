/* Units that have work, as bits of the registers that tell it to whoever looks at a hung GPU. There
 * a busy unit reads 0. */
#ifndef PERGOLA_MACHINE_BUSY_H
#define PERGOLA_MACHINE_BUSY_H

#include <stdint.h>

struct busy_units {
   uint32_t instdone; /* of the engine: INSTDONE */
   uint32_t sc;       /* SC_INSTDONE: the slice's common units */
   uint32_t row;      /* ROW_INSTDONE: execution units and what stands beside them */
};

#endif
