/* The threads in flight, for whoever wants to know why a batch does not end. */
#include "media/start.h"
#include "media/ts.h"

#include <stdio.h>
#include <string.h>

#define MOST_NAMED 6u /* threads that a barrier misses */

static const char *
state_of(const struct eu_group *g, unsigned index)
{
   if (index + g->unmade >= g->thread_count)
      return "not begun";
   return g->state[index] == GROUP_ENDED     ? "ended"
          : g->state[index] == GROUP_WAITING ? "waits elsewhere"
                                             : "runs";
}

/* "barrier 0: 3 of 4 messages have come, none from thread 3 (ended)" */
static void
describe_barrier(const struct eu_group *g, char *text, size_t size)
{
   int n = snprintf(text, size, "barrier %u: %u of %u messages have come", g->barrier_id,
                    g->barrier_arrived, g->barrier_message_count);
   unsigned missing = 0;
   for (unsigned i = 0; i < g->thread_count && i < GROUP_MAX_THREADS; i++) {
      if (g->barrier_waiting >> i & 1 || missing++ >= MOST_NAMED || n < 0 || (size_t)n >= size)
         continue;
      n += snprintf(text + n, size - (size_t)n, "%s thread %u (%s)",
                    missing == 1 ? ", none from" : ",", i, state_of(g, i));
   }
   if (missing > MOST_NAMED && n > 0 && (size_t)n < size)
      snprintf(text + n, size - (size_t)n, " and %u more", missing - MOST_NAMED);
}

static unsigned
tell_group(struct group_worker *w, pergola_thread_fn fn, void *data)
{
   const struct eu_group *g = &w->group;
   unsigned told = 0;
   for (unsigned i = 0; i + g->unmade < g->thread_count && i < GROUP_MAX_THREADS; i++) {
      if (g->state[i] == GROUP_ENDED)
         continue;
      char barrier[400];
      struct pergola_thread info = {
          .maker = "GPGPU", .in_group = true, .index = i, .group_threads = g->thread_count};
      memcpy(info.group, g->id, sizeof(info.group));
      if (g->state[i] == GROUP_WAITING && g->barrier_waiting >> i & 1) {
         describe_barrier(g, barrier, sizeof(barrier));
         info.waits_for = barrier;
      } else if (g->state[i] == GROUP_WAITING) {
         info.waits_for = "a notification that nobody has sent";
      }
      eu_thread_tell(w->pointer[i], &info, fn, data);
      told++;
   }
   return told;
}

static const char *
spawned_waits_for(const struct ts_thread *th)
{
   if (th->state == TS_ENDING)
      return "the thread spawner to take its last message";
   if (th->unsent)
      return "the thread spawner to take its message";
   return th->state == TS_WAITING ? "a notification that nobody has sent" : NULL;
}

static unsigned
tell_spawned(struct ts *ts, pergola_thread_fn fn, void *data)
{
   static const char *const kinds[] = {
       [TS_ROOT] = "media root", [TS_PERSISTENT] = "persistent root", [TS_CHILD] = "media child"};
   unsigned told = 0;
   for (unsigned i = 0; i < TS_MAX_THREADS; i++) {
      struct ts_thread *th = &ts->thread[i];
      if (th->state == TS_FREE)
         continue;
      struct pergola_thread info = {.maker = kinds[th->request.kind],
                                    .waits_for = spawned_waits_for(th)};
      eu_thread_tell(th->t, &info, fn, data);
      told++;
   }
   return told;
}

unsigned
media_threads(struct media *m, pergola_thread_fn fn, void *data)
{
   unsigned told = 0;
   for (unsigned i = 0; i < m->crew.workers; i++)
      if (m->crew.worker[i]->running)
         told += tell_group((struct group_worker *)(void *)m->crew.worker[i], fn, data);
   return told + tell_spawned(m->ts, fn, data);
}
