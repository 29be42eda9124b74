/* Observers. With none attached an event costs one predictable branch. */
#ifndef PERGOLA_TRACE_H
#define PERGOLA_TRACE_H

#include "pergola/pergola.h"

#include <pthread.h>

#define TRACE_MAX_OBSERVERS 16

struct trace {
   uint32_t wanted; /* or of all observers' kinds */
   unsigned count;
   struct {
      uint32_t kinds;
      pergola_observer_fn fn;
      void *data;
   } observer[TRACE_MAX_OBSERVERS];
   pthread_mutex_t lock;
};

void trace_init(struct trace *t);
void trace_finish(struct trace *t);
void trace_remove(struct trace *t, pergola_observer_fn fn, const void *data);

static inline bool
trace_wants(const struct trace *t, enum pergola_event_kind kind)
{
   return __builtin_expect((t->wanted >> kind & 1u) != 0, 0);
}

/* Serialised: safe from any host thread of the device. */
void trace_emit(struct trace *t, const struct pergola_event *event);

struct trace_file;
/* Text, one line an event; Chrome trace JSON for Perfetto. "-" is standard output. trace_close()
 * completes the file and must come before the device is destroyed. NULL with errno set on failure.
 * A path of NULL is standard error. */
struct trace_file *trace_open_text(struct pergola_device *dev, const char *path, uint32_t kinds);
struct trace_file *trace_open_perfetto(struct pergola_device *dev, const char *path);
void trace_close(struct trace_file *file);
/* What has been written so far is in the file, and the file is well-formed, though more may follow.
 */
void trace_flush(struct trace_file *file);
/* In the child of a fork: frees it and leaves the file, which is the parent's, alone. */
void trace_disown(struct trace_file *file);
/* "cs,eu,mmio,…" to a mask of kinds; 0 and *bad set on an unknown word. */
#define TRACE_WORDS                                                                                \
   "all, cs, eu, thread, send, irq, mmio, command, batch, interrupt, dispatch, end, instruction, " \
   "message, memory, wait, vme"
uint32_t trace_kinds_parse(const char *list, const char **bad);

#endif
