/* How a request tells what it does: decoded fields, every unit, every candidate with the parts of
 * its cost. */
#ifndef PERGOLA_VME_TRACE_H
#define PERGOLA_VME_TRACE_H

#include "shared_functions/vme/vme.h"

/* Somebody who listens to a request, a line at a time. */
struct vme_tell {
   void (*line)(void *data, const char *text);
   void *data;
};

__attribute__((format(printf, 2, 3))) void vme_say(const struct vme *v, const char *format, ...);
void vme_tell_request(const struct vme *v);
/* best: the largest block of the source so far. */
void vme_tell_unit(const struct vme *v, unsigned path, unsigned unit, bool inside, bool searched,
                   const struct vme_entry *best);
void vme_tell_partition(const struct vme *v, const struct vme_candidate major[4],
                        const struct vme_candidate *best);
void vme_tell_candidate(const struct vme *v, const char *name, const struct vme_candidate *c);
void vme_tell_result(const struct vme *v);

#endif
