/* A runner's inside: its thread (runner.c) and the bus to it (runner_bus.c). */
#ifndef PERGOLA_RUNNER_H
#define PERGOLA_RUNNER_H

#include "machine/device.h"
#include "pergola/pergola_runner.h"

/* One call. `done` is set for those that wait for their answer. */
struct bus_message {
   enum {
      BUS_WRITE,
      BUS_READ,
      BUS_LOOK,
      BUS_PCI_WRITE,
      BUS_PCI_READ,
      BUS_IO_WRITE,
      BUS_IO_READ,
      BUS_APERTURE_WRITE,
      BUS_APERTURE_READ,
      BUS_ADD,
      BUS_REMOVE,
      BUS_STATUS,
      BUS_TIME,
      BUS_SAVE,
      BUS_OBJECTS,
      BUS_RESET,
      BUS_FLUSH,
   } kind;
   uint32_t size;
   uint64_t offset, value;
   union {
      void *data;
      const void *source;
      const struct pergola_runner_memory *memory;
      struct pergola_engine_status *status;
   };
   uint64_t *result;
   bool *done;
};

#define BUS_QUEUE 1024u

/* A file that has been mapped for the device. */
struct runner_map {
   uint64_t address, size;
   void *host;
   struct runner_map *next;
};

struct pergola_runner {
   struct pergola_device *dev; /* NULL: detached */
   struct pergola_runner_config config;
   pthread_t thread;
   bool running; /* atomic: looked at without the lock */
   bool stop;    /* atomic */
   struct runner_map *maps;

   pthread_mutex_t lock;
   pthread_cond_t work; /* something is queued, or the device was touched while it slept */
   pthread_cond_t ack;  /* a message is done */
   pthread_cond_t room;
   bool ours; /* nobody but who has the lock touches the device: it sleeps, or has no thread */
   bool woken;
   unsigned first, queued, room_waiters;
   struct bus_message queue[BUS_QUEUE];

   bool touched;       /* since the last turn began */
   bool line;          /* the interrupt's level, as it has been told */
   bool line_now;      /* as it is; by the device */
   bool risen;         /* and whether it rose since; by the device */
   bool idle;          /* the last turn left nothing that can go on */
   int64_t looked_at;  /* host time of the last read through the aperture */
   int64_t clock_host; /* live clock: up to when the host's time has been counted */
};

int64_t runner_host_ns(void);
/* With the lock held, which is dropped meanwhile. True: there was something. */
bool runner_drain(struct pergola_runner *r);
/* Live clock: the time that an idle device has let pass. Returns the nanoseconds. */
uint64_t runner_follow_clock(struct pergola_runner *r);
void runner_unmap_all(struct pergola_runner *r);

#endif
