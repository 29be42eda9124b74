#include "device/device.h"

#include <errno.h>

void
trace_emit(struct trace *t, const struct pergola_event *event)
{
   for (unsigned i = 0; i < t->count; i++)
      if (t->observer[i].kinds >> event->kind & 1u)
         t->observer[i].fn(t->observer[i].data, event);
}

int
pergola_add_observer(struct pergola_device *dev, uint32_t kinds, pergola_observer_fn fn, void *data)
{
   struct trace *t = &dev->trace;
   if (!fn)
      return -EINVAL;
   if (t->count == TRACE_MAX_OBSERVERS)
      return -ENOSPC;
   t->observer[t->count].kinds = kinds;
   t->observer[t->count].fn = fn;
   t->observer[t->count].data = data;
   t->count++;
   t->wanted |= kinds;
   return 0;
}
