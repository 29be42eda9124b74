/* --dump (dump.c): a directory per batch with all that it takes to run it again. */
#ifndef PERGOLA_DRM_DUMP_H
#define PERGOLA_DRM_DUMP_H

#include "names.h"

struct dump; /* of one request, while it is on the ring */

/* Nothing else may run meanwhile, so that memory before and after is this batch's alone. */
bool dump_wanted(const struct kernel *k);
/* Before a batch: behind the last one's fence the kernel's own context may still take over, and the
 * image of the one that ran go to memory. Device and memory have to be of one moment. */
void dump_settle(struct kernel *k);
/* The request is in the ring, and the engine has not been told: `tail` is what it will be. */
void dump_before(struct kernel *k, const struct engine *e, struct request *r, uint32_t tail);
void dump_after(struct kernel *k, struct request *r, bool hung);
/* The client goes on when its batch has ended, so that what it writes next is not taken for the
 * batch's doing. Takes the reference. */
void dump_wait(struct kernel *k, struct fence *f);
void dump_free(struct dump *d);

#endif
