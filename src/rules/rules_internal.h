/* Shared by the rule engine's files. */
#ifndef PERGOLA_RULES_INTERNAL_H
#define PERGOLA_RULES_INTERNAL_H

#include "json/json.h"
#include "machine/device.h"

#include <stdio.h>
#include <sys/types.h>

/* A hostile guest can break a rule at a million places: the rest is only counted. */
#define RULES_MAX_DISTINCT 65536u
#define RULES_MAX_SINKS 8
#define RULES_MAX_REPORTS 4

/* One distinct diagnostic, kept for counting and for reports that are written at the end. */
struct diagnostic_entry {
   struct pergola_diagnostic d; /* strings are the entry's own, but rule rows' */
   uint32_t hash;
   char *text; /* storage of the strings */
};

struct diagnostic_store {
   struct diagnostic_entry *entry; /* in the order of first appearance */
   size_t count, room;
   uint32_t *index; /* open addressing: 1 + entry number */
   uint32_t index_size;
};

struct report {
   FILE *file;
   enum pergola_report_format format;
   bool seekable;
   struct json sarif; /* open behind the last result */
   size_t results;    /* SARIF: how many are in the file */
   off_t end;         /* and where the last of them ends */
};

struct rules {
   struct pergola_device *dev;
   enum pergola_check level;
   bool stopped, overflow_told;
   bool mute; /* nothing is reported: what has been before is done again */
   uint64_t count[PERGOLA_FATAL + 1];
   unsigned sink_count;
   struct {
      pergola_diagnostic_fn fn;
      void *data;
   } sink[RULES_MAX_SINKS];
   struct report report[RULES_MAX_REPORTS];
   unsigned report_count;
   pergola_filter_fn filter;
   void *filter_data;
   struct diagnostic_store store;
   pthread_mutex_t lock;
};

/* Counts one more of an equal diagnostic, whatever its message. False: there is none yet. */
bool store_count(struct diagnostic_store *s, const struct pergola_diagnostic *d);
/* Room for one more that is not equal to any. */
bool store_room(struct diagnostic_store *s);
/* Keeps a new one. False: no memory. */
bool store_add(struct diagnostic_store *s, const struct pergola_diagnostic *d);
void store_finish(struct diagnostic_store *s);

/* The chain of ring and batches to the command that the engine of a diagnostic is at; "" for the
 * bus.
 */
void where_text(struct pergola_device *dev, const struct pergola_diagnostic *d, char *text,
                size_t size);

/* A new one: the last of the store, unless that is full. */
void report_diagnostic(struct report *r, const struct diagnostic_store *s,
                       const struct pergola_diagnostic *d);
void report_close(struct report *r, const struct diagnostic_store *s);

#endif
