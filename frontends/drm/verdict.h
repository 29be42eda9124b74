/* Which diagnostics count. */
#ifndef PERGOLA_DRM_VERDICT_H
#define PERGOLA_DRM_VERDICT_H

#include "pergola/pergola.h"

struct verdict;
struct verdict_options {
   char ignore[1024];                         /* rules, with commas between */
   char baseline[1024], write_baseline[1024]; /* files, or "" */
};

/* The options outlive it. A negative errno: *file cannot be read or written; close it all the same.
 */
int verdict_open(struct verdict **v, struct pergola_device *dev, const struct verdict_options *o,
                 const char **file);
/* Was there a line that could not be written? */
bool verdict_failed(const struct verdict *v);
void verdict_close(struct verdict *v);

#endif
