/* Shared functions that are not modelled yet. A message to one is named and answered with zeros, so
 * that the thread ends and its program can be judged. */
#include "shared_functions/sf.h"

#include <string.h>

static enum sf_status
absent(struct eu_thread *t, const struct sf_message *m, const char *rule, const char *name)
{
   sf_report(t, m, PERGOLA_WARNING, rule, name, "the %s is not modelled yet; the response is zero",
             name);
   if (m->response)
      memset(m->response, 0, (size_t)m->rlen * EU_REG_SIZE);
   return SF_OK;
}

enum sf_status
sf_pixel_interpolator(struct eu_thread *t, const struct sf_message *m)
{
   return absent(t, m, "SFV-001", "pixel interpolator");
}
