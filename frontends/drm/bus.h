/* The bus to the device (a runner, pergola_runner.h), and what is done on the runner's thread
 * (hang.c): interrupts, and the watch over engines that hang. */
#ifndef PERGOLA_DRM_BUS_H
#define PERGOLA_DRM_BUS_H

#include "names.h"
#include "pergola/pergola_runner.h"

/* Makes the runner, stopped: calls of the bus are carried out on the caller's thread. */
int device_attach(struct kernel *k);
int device_start(struct kernel *k);
/* Completes what has been posted, and destroys the device. */
void device_end(struct kernel *k);

void bus_write(struct kernel *k, uint32_t offset, uint32_t value); /* posted */
/* Takes no model time … */
uint32_t bus_read(struct kernel *k, uint32_t offset);
/* … and this does, as a read of the client's own. */
uint32_t bus_read_for_client(struct kernel *k, uint32_t offset);
void bus_flush(struct kernel *k); /* what has been posted is done */
int bus_add_memory(struct kernel *k, uint64_t physical, void *host, uint64_t size);
void bus_set_objects(struct kernel *k, const struct pergola_object *list, size_t count);
void bus_remove_memory(struct kernel *k, uint64_t physical); /* returns when it is gone */

#endif
