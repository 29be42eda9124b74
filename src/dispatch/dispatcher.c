/* The device's dispatcher: host threads and hardware threads. */
#include "dispatch/dispatch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct dispatcher *
dispatcher_create(struct pergola_device *dev)
{
   struct dispatcher *d = calloc(1, sizeof(*d));
   if (d)
      d->dev = dev;
   return d;
}

void
dispatcher_destroy(struct dispatcher *d)
{
   pool_destroy(d->pool);
   free(d);
}

void
dispatcher_reset(struct dispatcher *d)
{
   memset(d->n0, 0, sizeof(d->n0));
   d->stuck = false;
}

unsigned
dispatch_host_threads(const struct dispatcher *d)
{
   unsigned n = d->dev->config.host_threads;
   if (d->dev->config.deterministic || d->dev->config.sanitize)
      return 1;
   if (!n) {
      long cpus = sysconf(_SC_NPROCESSORS_ONLN);
      n = cpus > 0 ? (unsigned)cpus : 1;
   }
   return n > MAX_HOST_THREADS ? MAX_HOST_THREADS : n;
}

bool
dispatch_stay_stuck(struct dispatcher *d)
{
   if (d->dev->config.deadlocks_hang)
      __atomic_store_n(&d->stuck, true, __ATOMIC_RELAXED);
   return d->dev->config.deadlocks_hang;
}

unsigned
dispatch_hardware_threads(const struct dispatcher *d)
{
   const struct pergola_sku *sku = &d->dev->sku;
   return sku->half_slices * sku->eus_per_half_slice * sku->threads_per_eu;
}

struct thread_place
dispatch_place(const struct dispatcher *d, unsigned n)
{
   const struct pergola_sku *sku = &d->dev->sku;
   unsigned in_half_slice = n / sku->half_slices;
   return (struct thread_place){.half_slice = n % sku->half_slices,
                                .eu = in_half_slice % sku->eus_per_half_slice,
                                .slot =
                                    in_half_slice / sku->eus_per_half_slice % sku->threads_per_eu,
                                .fftid = n};
}
