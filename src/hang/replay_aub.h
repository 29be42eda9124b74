/* Runs an AUB file on the model: memory as it is written, rings as they are given commands, one
 * after the other. Where the file says what memory held afterwards, that is compared. */
#ifndef PERGOLA_HANG_REPLAY_AUB_H
#define PERGOLA_HANG_REPLAY_AUB_H

#include "hang/replay.h"

struct aub_replay;

struct aub_replay_outcome {
   unsigned rings;     /* that were run */
   unsigned compared;  /* remarks on memory */
   unsigned different; /* of these; the first one came after … */
   unsigned first;     /* … this ring, from 1 */
   unsigned hung;      /* rings that do not end, and did not when they were recorded */
   bool hangs;         /* the last one run does not end */
   const char *error;  /* a sentence; NULL: there was none */
};

/* Is it such a file: one that has commands for a ring? */
bool aub_replay_is(const struct capture *c);
/* NULL and a sentence in error: it cannot be set up. The capture must outlive it. */
struct aub_replay *aub_replay_create(const struct capture *c, const struct replay_options *o,
                                     char error[160]);
void aub_replay_destroy(struct aub_replay *r);
struct pergola_device *aub_replay_device(struct aub_replay *r);
void aub_replay_run(struct aub_replay *r, struct aub_replay_outcome *out);

#endif
