/* A file of performance reports, one behind every dispatch, as `pergola run --oa` writes it: what
 * Ice Lake's unit (oa/gen11.h) counts of the work of any part. */
#ifndef PERGOLA_OA_RECORD_H
#define PERGOLA_OA_RECORD_H

#include "oa/gen11.h"
#include "oa/oa_file.h"

#include <stdio.h>

struct oa_record {
   FILE *file;
   struct oa11 unit;
   bool open; /* a dispatch has begun: the next report is behind it */
   struct oa_file_record next;
};

/* NULL with errno set. */
struct oa_record *oa_record_open(const char *path, const char *part, unsigned eus,
                                 unsigned threads_per_eu);
/* What has happened since the last call belongs to the dispatch at hand. timestamp: 12 MHz. */
void oa_record_events(struct oa_record *r, uint64_t clocks, uint64_t timestamp,
                      const struct oa_events *e);
/* A dispatch begins: the one before it has ended. */
void oa_record_dispatch(struct oa_record *r, const char *command, uint64_t address);
bool oa_record_failed(const struct oa_record *r);
/* The last dispatch is written. False: something could not be. */
bool oa_record_close(struct oa_record *r);

#endif
