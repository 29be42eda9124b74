/* Scaffolding while the rooms are being built: every seam has a weak definition, so that the whole
 * links from the first day. A room that arrives overrides its own; this file goes when all have. */
#include "cs/cs.h"
#include "device/device.h"
#include "media/media.h"
#include "shared_functions/sf.h"

#include <stdlib.h>

#define WEAK __attribute__((weak))
#pragma GCC diagnostic ignored "-Wmissing-prototypes"






WEAK enum sf_status sf_vme(struct eu_thread *t, const struct sf_message *m) { return SF_FAULT; }
WEAK enum sf_status sf_pixel_interpolator(struct eu_thread *t, const struct sf_message *m) { return SF_FAULT; }

#include <stdio.h>
WEAK void
sf_report(struct eu_thread *t, const struct sf_message *m, enum pergola_severity severity, const char *rule,
          const char *subject, const char *format, ...)
{
   struct rule_place place = {.engine = t->env->engine, .subject = subject, .has_address = true,
                              .address = t->env->instruction_base + m->ip};
   char text[512];
   va_list ap;
   va_start(ap, format);
   vsnprintf(text, sizeof(text), format, ap);
   va_end(ap);
   rule_report(t->env->dev, severity, rule, &place, "%s", text);
}
