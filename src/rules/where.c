/* Places that people can use: which command, in which batch, called from where. */
#include "rules/rules_internal.h"

#include <stdio.h>
#include <string.h>

/* Everything that is not another engine's is done for the render engine. */
static bool
engine_of(const char *name, enum engine_id *engine)
{
   for (unsigned e = 0; e < ENGINE_COUNT; e++)
      if (!strcmp(name, engine_names[e])) {
         *engine = e;
         return true;
      }
   *engine = RCS;
   return name[0] && strcmp(name, "bus") && strcmp(name, "PCI");
}

void
where_text(struct pergola_device *dev, const struct pergola_diagnostic *d, char *text, size_t size)
{
   enum engine_id engine;
   struct machine_where w = {0};
   text[0] = 0;
   if (!engine_of(d->engine, &engine) || !dev->calls || !dev->calls->where)
      return;
   dev->calls->where(dev, engine, &w);
   if (!w.command)
      return;
   size_t n =
       (size_t)snprintf(text, size, "%s at ring + 0x%x", w.command, w.address[0] - w.start[0]);
   for (unsigned i = 1; i < w.levels && n < size; i++)
      n += (size_t)snprintf(text + n, size - n, ", batch 0x%08x + 0x%x", w.start[i],
                            w.address[i] - w.start[i]);
}
