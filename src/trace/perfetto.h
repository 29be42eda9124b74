/* Perfetto's file: engines (perfetto.c) and EU threads (perfetto_threads.c). */
#ifndef PERGOLA_PERFETTO_H
#define PERGOLA_PERFETTO_H

#include "json/json.h"
#include "trace/trace_file.h"

enum { PERFETTO_ENGINES = 1, PERFETTO_EUS = 2 }; /* process ids: groups of tracks */

struct perfetto_slice {
   unsigned process, track;
   uint64_t begin_ns;
   const char *name;
};
/* An event with these members; the caller adds more, and ends the object. */
struct json perfetto_begin(struct pergola_trace *t, const char *phase,
                           const struct perfetto_slice *s);
/* A track's or a group's name. */
void perfetto_name(struct pergola_trace *t, const char *what, unsigned process, unsigned track,
                   const char *name);

/* What the threads of a command did, all together. */
struct perfetto_work {
   uint64_t threads, instructions, messages;
};
/* Threads as they end, and messages as they are sent. */
void perfetto_thread(struct pergola_trace *t, const struct pergola_event *e);
struct perfetto_work perfetto_work(const struct pergola_trace *t);
/* The command has ended that they belong to: they are drawn within its time, with arrows from it.
 */
void perfetto_draw_threads(struct pergola_trace *t, unsigned track, uint64_t begin_ns,
                           uint64_t end_ns);

#endif
