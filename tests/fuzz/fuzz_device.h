/* Devices for the fuzzers: creating one costs more than a session, so each part's is brought back
 * to the snapshot that was taken when it was new. Memory is the host's: who adds some removes it.
 */
#ifndef PERGOLA_FUZZ_DEVICE_H
#define PERGOLA_FUZZ_DEVICE_H

#include "pergola/pergola.h"

#include <stdlib.h>

struct fuzz_kept {
   struct pergola_device *dev;
   void *fresh; /* snapshot */
   size_t size;
};

static inline bool
fuzz_keep(struct fuzz_kept *k, const char *sku)
{
   struct pergola_config c = {.sku = sku, .check = PERGOLA_CHECK_REPORT, .host_threads = 1};
   k->dev = pergola_device_create(&c, NULL);
   int64_t size = k->dev ? pergola_device_save(k->dev, NULL, 0) : 0;
   k->fresh = size > 0 ? malloc((size_t)size) : NULL;
   if (!k->fresh)
      return false;
   k->size = (size_t)size;
   return pergola_device_save(k->dev, k->fresh, k->size) == size;
}

/* A device as new but for its count of diagnostics. */
static inline struct pergola_device *
fuzz_device(bool vlv)
{
   static struct fuzz_kept kept[2];
   struct fuzz_kept *k = &kept[vlv];
   if (!k->dev && !fuzz_keep(k, vlv ? "vlv" : "ivb-gt2"))
      abort();
   if (pergola_device_restore(k->dev, k->fresh, k->size, NULL))
      abort(); /* what was saved can be restored, whatever happened since */
   return k->dev;
}

#endif
