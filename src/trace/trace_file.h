/* What the file writers share. */
#ifndef PERGOLA_TRACE_FILE_H
#define PERGOLA_TRACE_FILE_H

#include "json/json.h"
#include "trace/trace.h"

#include <stdio.h>

#define TRACE_FILE_TRACKS 16

struct pergola_trace {
   struct pergola_device *dev;
   FILE *file;
   pergola_observer_fn fn;
   void (*finish)(struct pergola_trace *t);
   void (*tail)(const struct pergola_trace *t); /* ends the file as it is; NULL: nothing to do */
   bool seekable;
   struct json frame; /* Perfetto: open behind the last event */
   /* Text: what is asked for, what is left out, and where the engines are. */
   uint32_t kinds;
   struct pergola_trace_filter filter;
   bool inside;                      /* the batch of the filter */
   struct perfetto_threads *threads; /* Perfetto; or NULL */
   unsigned track_count;
   struct {
      char engine[16];
      bool open; /* a command whose end is not known yet */
      uint64_t begin_ns, address;
      char name[64];
   } track[TRACE_FILE_TRACKS];
};

struct pergola_trace *trace_file_open(struct pergola_device *dev, const char *path, uint32_t kinds,
                                      pergola_observer_fn fn,
                                      void (*finish)(struct pergola_trace *t));
/* filter.c: one word of the list; false: it is none. */
bool trace_filter_word(struct pergola_trace_filter *f, const char *word, size_t length);
/* Is the event of what the filter asks for? */
bool trace_filter_passes(struct pergola_trace *t, const struct pergola_event *e);

const char *trace_kind_name(enum pergola_event_kind kind);

#endif
