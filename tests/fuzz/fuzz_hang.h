/* A file of a hung GPU, from its reader to the end of its replay. */
#ifndef FUZZ_HANG_H
#define FUZZ_HANG_H

#include "decode_capture.h"
#include "hang/replay.h"
#include "hang/replay_aub.h"

#include <stdlib.h>
#include <string.h>

#define FUZZ_BUDGET 2000u
#define DEEP                                                                                       \
   16u /* of so many sizes one goes on to the devices that run it: they take time to make */

static void
fuzz_replay(const struct capture *c)
{
   char error[160];
   struct replay_options o = {.budget = FUZZ_BUDGET};
   if (aub_replay_is(c)) {
      struct aub_replay_outcome outcome;
      struct aub_replay *r = aub_replay_create(c, &o, error);
      if (r) {
         aub_replay_run(r, &outcome);
         aub_replay_destroy(r);
      }
      return;
   }
   struct replay *r = replay_create(c, &o, error);
   if (!r)
      return;
   struct replay_register list[REPLAY_REGISTERS];
   replay_run(r);
   if (replay_registers(r, list) > REPLAY_REGISTERS)
      abort();
   replay_destroy(r);
}

/* What comes before the input makes it a file of that kind. */
static inline int
fuzz_capture(const void *head, size_t head_size, const uint8_t *data, size_t size)
{
   static FILE *null;
   char error[160];
   uint8_t *file = malloc(head_size + size + 1);
   if (!file || (!null && !(null = fopen("/dev/null", "w")))) {
      free(file);
      return 0;
   }
   memcpy(file, head, head_size);
   memcpy(file + head_size, data, size);
   struct capture *c = capture_parse(file, head_size + size, error);
   if (!c && !error[0])
      abort(); /* refused, and nobody says why */
   if (!c) {
      free(file);
      return 0;
   }
   if (c->bytes > CAPTURE_BYTES || c->blocks > CAPTURE_BLOCKS)
      abort();
   if (size % DEEP == 0) {
      decode_capture(null, c, false, FUZZ_BUDGET);
      fuzz_replay(c);
   }
   capture_free(c);
   free(file);
   return 0;
}

#endif
