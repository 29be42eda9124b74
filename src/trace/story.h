/* Why a batch does not end, as far as its EU threads tell it: where they stand, what they wait for,
 * and what they do over and over. */
#ifndef PERGOLA_TRACE_STORY_H
#define PERGOLA_TRACE_STORY_H

#include "pergola/pergola.h"

#include <stdio.h>

#define STORY_ROWS 64u

/* What a thread did while it was watched. */
struct story_row {
   uint32_t id;
   uint64_t instructions, first, last; /* addresses */
   uint64_t messages;
   uint32_t functions; /* shared functions that they went to, a bit each */
};

struct story_watch {
   unsigned count, latest;
   struct story_row row[STORY_ROWS];
};

/* Runs the device for so many units more and looks at what its threads execute. */
enum pergola_run_result story_watch(struct pergola_device *dev, uint64_t units,
                                    struct story_watch *watch);
/* Two lines for each of the first threads, "prefix: where it is" and "prefix: what it does", and
 * one that counts the others. Nothing if there are none. `watch` may be NULL. */
void story_print(FILE *f, const char *prefix, struct pergola_device *dev,
                 const struct story_watch *watch);

#endif
