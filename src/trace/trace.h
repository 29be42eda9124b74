/* Observers. With none attached an event costs one predictable branch. */
#ifndef PERGOLA_TRACE_H
#define PERGOLA_TRACE_H

#include "pergola/pergola_trace.h"

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

/* "one,two" to a mask, a word at a time; 0 and *bad: a word that stands for nothing. */
uint32_t trace_words(const char *list, uint32_t (*kinds_of)(const char *word, size_t length),
                     const char **bad);

#endif
