/* Recordings of the performance counters. */
#include "cs/cs.h"
#include "device/assembly.h"
#include "oa/record.h"
#include "pergola/pergola_trace.h"

#include <errno.h>

int
pergola_oa_open(struct pergola_device *dev, const char *path)
{
   const struct pergola_sku *sku = &dev->sku;
   if (dev->gen11) /* has no threads to count */
      return -ENOTSUP;
   if (dev->oa)
      return -EBUSY;
   cs_oa_settle(dev->cs[RCS]);
   dev->oa = oa_record_open(path, sku->name, sku->half_slices * sku->eus_per_half_slice,
                            sku->threads_per_eu);
   if (!dev->oa)
      return errno ? -errno : -ENOMEM;
   cs_oa_resume(dev->cs[RCS]);
   return 0;
}

bool
pergola_oa_failed(const struct pergola_device *dev)
{
   return dev->oa && oa_record_failed(dev->oa);
}

int
pergola_oa_close(struct pergola_device *dev)
{
   if (!dev->oa)
      return 0;
   cs_oa_settle(dev->cs[RCS]);
   struct oa_record *r = dev->oa;
   dev->oa = NULL;
   cs_oa_resume(dev->cs[RCS]);
   return oa_record_close(r) ? 0 : -EIO;
}
