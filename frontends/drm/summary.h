/* What the processes of one `pergola run` count together, in shared memory. */
#ifndef PERGOLA_DRM_SUMMARY_H
#define PERGOLA_DRM_SUMMARY_H

#include "rules/words.h"

#include <stdbool.h>
#include <stdint.h>

#define SUMMARY_NAME "pergola summary"
struct run_summary {
   uint64_t devices; /* opened */
   uint64_t errors;  /* broken rules: different ones, by rule, engine, place */
   uint64_t warnings;
   uint64_t hangs;
   uint64_t findings;   /* of the sanitizer */
   uint64_t unmodelled; /* features: different ones, by rule and subject */
   uint64_t unwritten;  /* files that were asked for and could not be written */
   uint64_t batches;
   uint64_t dropped; /* of these: cancelled, or of a banned context, before they had ended */
   uint64_t absent;  /* the program could not be started */
};

/* A rule of the sanitizer is no rule of the manual: it counts apart. */
static inline bool
summary_finding(const char *rule)
{
   return !strncmp(rule, "SAN-", 4);
}

/* Words of --stats, which may be a list. */
#define RUN_STATS_WORDS "text, json, hot"
enum run_stats { RUN_STATS_TEXT = 1, RUN_STATS_JSON = 2, RUN_STATS_HOT = 4 };
/* 0: one of them is none. */
static inline unsigned
run_stats_bits(const char *list)
{
   static const struct word_bits words[] = {
       {"text", RUN_STATS_TEXT}, {"json", RUN_STATS_JSON}, {"hot", RUN_STATS_HOT}};
   return words_bits(list, words, sizeof(words) / sizeof(words[0]));
}

#endif
