/* The thread that the device runs on, and the bus to it (device_thread.c). */
#ifndef PERGOLA_DRM_DEVICE_THREAD_H
#define PERGOLA_DRM_DEVICE_THREAD_H

#include "pergola/pergola.h"
#include "names.h"

#include <pthread.h>

struct bus_op {
   enum { BUS_WRITE, BUS_READ, BUS_ADD, BUS_REMOVE } kind;
   uint32_t offset, value;
   uint64_t physical, size;
   void *host;
   uint64_t *result; /* with done: the poster waits */
   bool *done;
};

struct device_thread {
   struct pergola_device *dev;
   pthread_t thread;
   bool running;     /* atomic: looked at without the lock */
   bool stop, ended; /* ended: it will look at the bus no more */
   pthread_mutex_t lock;
   pthread_cond_t work, ack;
   struct bus_op *op;
   size_t ops, op_room;
   bool touched;   /* something came over the bus since the device last ran */
   bool interrupt; /* raised by the device, under its own thread */
};

int device_thread_start(struct kernel *k);
void device_thread_stop(struct kernel *k);
void bus_write(struct kernel *k, uint32_t offset, uint32_t value); /* posted */
uint64_t bus_read(struct kernel *k, uint32_t offset, unsigned size);
void bus_flush(struct kernel *k); /* the device runs no longer without what has been posted */
int bus_add_memory(struct kernel *k, uint64_t physical, void *host, uint64_t size);
void bus_remove_memory(struct kernel *k, uint64_t physical); /* returns when it is gone */

#endif
