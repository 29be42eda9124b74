/* What the processes of one `pergola run` count together, in shared memory. */
#ifndef PERGOLA_DRM_SUMMARY_H
#define PERGOLA_DRM_SUMMARY_H

#include <stdint.h>

struct run_summary {
   uint64_t devices; /* opened */
   uint64_t errors;  /* broken rules: different ones, by rule, engine, place */
   uint64_t warnings;
   uint64_t hangs;
   uint64_t findings;   /* of the sanitizer */
   uint64_t unmodelled; /* features: different ones, by rule and subject */
   uint64_t unwritten;  /* files that were asked for and could not be written */
   uint64_t batches;
   uint64_t absent; /* the program could not be started */
};

#endif
