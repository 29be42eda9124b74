/* Parts: what differs between the devices that can be modelled. Nothing else asks for a name. */
#ifndef PERGOLA_DEVICE_PART_H
#define PERGOLA_DEVICE_PART_H

#include "hw/hw.h"
#include "pergola/pergola.h"

struct part {
   struct pergola_sku sku;
   enum hw_device_bit hw_device; /* which rows of the tables are its own */
   uint16_t urb_rows[2];         /* see struct pergola_device */
};

/* NULL: there is none of this name. */
const struct part *part_find(const char *name);

#endif
