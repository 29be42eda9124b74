/* Batches that take long speak before they count as hung: by a line after some seconds, and when
 * the user interrupts the program. */
#include "kernel.h"

#include "pergola/pergola_trace.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define LOOKED_AT (1u << 16) /* units */

/* A signal handler has no argument of its own. */
static volatile sig_atomic_t interrupted, busy;

static void
die(void)
{
   signal(SIGINT, SIG_DFL);
   kill(getpid(), SIGINT);
}

/* The device's thread tells what it does and then ends the program; a second one ends it at once.
 */
static void
on_interrupt(int number)
{
   (void)number;
   if (!busy || interrupted)
      die();
   interrupted = 1;
}

/* Only under `pergola run`, and where nobody else has something to say about it. */
void
watch_open(struct kernel *k)
{
   struct sigaction old, mine = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};
   (void)k;
   if (getenv("PERGOLA_SUMMARY") && !sigaction(SIGINT, NULL, &old) && old.sa_handler == SIG_DFL)
      sigaction(SIGINT, &mine, NULL);
}

struct busiest {
   const struct pergola_story *story;
   unsigned threads;
   uint64_t instructions, most;
   char text[320];
};

static void
look(void *data, const struct pergola_thread *t)
{
   struct busiest *b = data;
   b->threads++;
   b->instructions += t->instructions;
   if (t->instructions < b->most)
      return;
   b->most = t->instructions;
   uint64_t first = t->ip, last = t->ip;
   for (unsigned i = 0; i < b->story->count; i++)
      if (b->story->row[i].id == t->id && b->story->row[i].instructions) {
         first = b->story->row[i].first;
         last = b->story->row[i].last;
      }
   snprintf(b->text, sizeof(b->text),
            "; the busiest is between 0x%08" PRIx64 " and 0x%08" PRIx64 ", at '%.200s'%s%s", first,
            last, t->instruction, t->waits_for ? ", waits for " : "",
            t->waits_for ? t->waits_for : "");
}

static void
tell(struct kernel *k, int64_t now)
{
   struct pergola_story story = {0};
   struct busiest b = {.story = &story};
   pergola_story_watch(k->dev, LOOKED_AT, &story);
   pergola_threads(k->dev, look, &b);
   fprintf(stderr,
           "pergola: the GPU has been busy for %" PRId64 " s: %u %s not ended, %" PRIu64
           " instruction%s so far%s\n",
           (now - k->busy_since) / 1000000000, b.threads,
           b.threads == 1 ? "thread has" : "threads have", b.instructions,
           b.instructions == 1 ? "" : "s", b.text);
}

static void
tell_and_die(struct kernel *k)
{
   struct pergola_story story = {0};
   pergola_story_watch(k->dev, LOOKED_AT, &story);
   fprintf(stderr, "pergola: interrupted; what the GPU was doing:\n");
   pergola_story_print(stderr, "pergola", k->dev, &story);
   die();
}

void
watch_turn(struct kernel *k, enum pergola_run_result result)
{
   bool works = result == PERGOLA_RUN_BUDGET || result == PERGOLA_RUN_WAITING;
   busy = works;
   if (!works) {
      k->busy_since = 0;
      k->patience_told = false;
      return;
   }
   if (interrupted)
      tell_and_die(k);
   int64_t now = monotonic_ns();
   if (!k->busy_since)
      k->busy_since = now;
   if (!k->options.patience_s || k->patience_told ||
       now - k->busy_since < (int64_t)k->options.patience_s * 1000000000)
      return;
   k->patience_told = true;
   tell(k, now);
}
