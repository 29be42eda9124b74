/* What threads do, counted for the performance counters. Off unless somebody counts. */
#ifndef PERGOLA_EU_TALLY_H
#define PERGOLA_EU_TALLY_H

#include "eu/eu.h"

/* The counts of one host thread; the execution units own it. */
struct eu_tally {
   struct eu_tally *next;
   struct oa_events events;
};

/* Counting begins or ends; no thread runs. Native code is made anew. */
void eu_count(struct eu *eu, bool on);
bool eu_counts(const struct eu *eu);
/* Adds what has been counted since the last call; no thread runs. */
void eu_tally_collect(struct eu *eu, struct oa_events *sum);

/* Adds counts of pixels (enum oa_pixels). */
void eu_tally_pixels(struct eu *eu, const uint64_t count[OA_PIXEL_COUNTS]);

/* Threads of a group wait for each other: each of its EUs has them loaded until the last one has
 * ended. Filled thread by thread, then told. */
struct eu_group_clocks {
   uint64_t executed[OA_EUS];
   uint32_t threads[OA_EUS];
};
void eu_group_clocks_add(struct eu_group_clocks *g, const struct eu_thread *t);
/* t: any of its threads. */
void eu_tally_group(const struct eu_thread *t, struct eu_group_clocks *g);

#endif
