/* What every batch did. Completions are noticed late, several at a time; so the counts are kept as
 * they are when an engine comes to the interrupt behind a batch, and looked up by the sequence
 * number that it has written there. */
#include "statistics.h"

#include "hot.h"
#include "hw/header.h"
#include "pergola/pergola_trace.h"
#include "json/json.h"
#include "summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct counts {
   uint64_t commands, dispatches, instructions, messages, read_B, written_B;
   uint64_t called, interpreted; /* of the instructions */
   uint64_t time_ns;             /* of the host; in a mark: when it was made */
   uint64_t model_ns;            /* of the model, likewise */
};

#define MARKS 1024u /* more than a ring can hold */

struct engine_counts {
   struct counts now, before; /* before: when the last request had ended */
   struct {
      uint32_t seqno;
      struct counts counts;
   } mark[MARKS];
};

struct statistics {
   struct kernel *k;
   uint64_t batches;
   struct counts all;
   unsigned form; /* enum run_stats */
   struct hot *hot;
   struct engine_counts engine[ENGINES];
};

static void
make_mark(struct statistics *s, int engine, uint64_t model_ns)
{
   struct engine_counts *c = &s->engine[engine];
   uint32_t seqno = __atomic_load_n(&s->k->engine[engine].hws[HWS_SEQNO / 4], __ATOMIC_ACQUIRE);
   if (c->mark[seqno % MARKS].seqno == seqno)
      return; /* an interrupt of the batch's own */
   c->mark[seqno % MARKS].seqno = seqno;
   c->mark[seqno % MARKS].counts = c->now;
   c->mark[seqno % MARKS].counts.time_ns = (uint64_t)monotonic_ns();
   c->mark[seqno % MARKS].counts.model_ns = model_ns;
}

/* One event at a time: whoever emits them holds a lock. */
static void
count(void *data, const struct pergola_event *e)
{
   struct statistics *s = data;
   /* Threads are the render engine's, whatever their stage is called. */
   int engine = !e->engine                  ? KERNEL_RCS
                : !strcmp(e->engine, "VCS") ? KERNEL_VCS
                : !strcmp(e->engine, "BCS") ? KERNEL_BCS
                                            : KERNEL_RCS;
   struct counts *c = &s->engine[engine].now;
   switch (e->kind) {
   case PERGOLA_EVENT_COMMAND:
      c->commands++;
      if (e->count && (e->dwords[0] & HW_MI_HEADER) == GEN7_MI_USER_INTERRUPT_HEADER)
         make_mark(s, engine, e->time_ns);
      break;
   case PERGOLA_EVENT_DISPATCH:
      c->dispatches++;
      break;
   case PERGOLA_EVENT_THREAD_END:
      c->instructions += e->a;
      c->called += e->count > 1 ? e->dwords[0] : 0;
      c->interpreted += e->count > 1 ? e->dwords[1] : 0;
      hot_thread(s->hot, e);
      break;
   case PERGOLA_EVENT_MESSAGE:
      c->messages++;
      break;
   case PERGOLA_EVENT_MEMORY:
      *(e->flags & 1 ? &c->written_B : &c->read_B) += e->b;
      break;
   default:
      break;
   }
}

struct statistics *
statistics_open(struct kernel *k)
{
   struct statistics *s = calloc(1, sizeof(*s));
   if (!s)
      return NULL;
   s->k = k;
   s->form = k->options.stats;
   s->hot = hot_create();
   uint32_t kinds = 1u << PERGOLA_EVENT_COMMAND | 1u << PERGOLA_EVENT_DISPATCH |
                    1u << PERGOLA_EVENT_THREAD_END | 1u << PERGOLA_EVENT_MESSAGE |
                    1u << PERGOLA_EVENT_MEMORY;
   if (s->form & RUN_STATS_HOT && pergola_count_instructions(k->dev))
      fprintf(stderr, "pergola: no memory to count instructions\n");
   pergola_add_observer(k->dev, kinds, count, s);
   return s;
}

static const char *
s(uint64_t n)
{
   return n == 1 ? "" : "s";
}

static void
print(const char *what, const struct counts *c)
{
   fprintf(
       stderr,
       "pergola: %s: %llu command%s, %llu thread%s, %llu EU instruction%s (%llu called, "
       "%llu interpreted), %llu message%s, %llu byte%s read, %llu written, %.3f ms of model time, "
       "%.3f ms of host time\n",
       what, (unsigned long long)c->commands, s(c->commands), (unsigned long long)c->dispatches,
       s(c->dispatches), (unsigned long long)c->instructions, s(c->instructions),
       (unsigned long long)c->called, (unsigned long long)c->interpreted,
       (unsigned long long)c->messages, s(c->messages), (unsigned long long)c->read_B, s(c->read_B),
       (unsigned long long)c->written_B, (double)c->model_ns / 1e6, (double)c->time_ns / 1e6);
}

static void
put_counts(struct json *j, const struct counts *c)
{
   json_unsigned(j, "commands", c->commands);
   json_unsigned(j, "threads", c->dispatches);
   json_unsigned(j, "instructions", c->instructions);
   json_unsigned(j, "called", c->called);
   json_unsigned(j, "interpreted", c->interpreted);
   json_unsigned(j, "messages", c->messages);
   json_unsigned(j, "bytes_read", c->read_B);
   json_unsigned(j, "bytes_written", c->written_B);
   json_unsigned(j, "model_ns", c->model_ns);
   json_unsigned(j, "host_ns", c->time_ns);
}

static void
put_batch(const struct request *r, bool hung, const struct counts *c)
{
   struct json j = {.file = stderr};
   json_object(&j, NULL);
   json_unsigned(&j, "batch", r->number);
   json_text(&j, "ring", kernel_ring_names[r->engine]);
   json_bool(&j, "hung", hung);
   put_counts(&j, c);
   json_end_object(&j);
   fputc('\n', stderr);
}

static void
add(struct counts *to, const struct counts *c)
{
   to->commands += c->commands;
   to->dispatches += c->dispatches;
   to->instructions += c->instructions;
   to->called += c->called;
   to->interpreted += c->interpreted;
   to->messages += c->messages;
   to->read_B += c->read_B;
   to->written_B += c->written_B;
   to->time_ns += c->time_ns;
   to->model_ns += c->model_ns;
}

/* The engine's time for it: from the doorbell, or from the end of what was before it on the ring.
 */
static uint64_t
time_of(const struct request *r, const struct counts *end, const struct counts *before)
{
   uint64_t begin = r->started_ns > before->time_ns ? r->started_ns : before->time_ns;
   return end->time_ns > begin ? end->time_ns - begin : 0;
}

void
statistics_batch(struct statistics *s, const struct request *r, bool hung)
{
   struct engine_counts *c = &s->engine[r->engine];
   struct counts *was = &c->before, end = c->mark[r->seqno % MARKS].counts;
   if (hung || c->mark[r->seqno % MARKS].seqno != r->seqno) {
      end = c->now;
      end.time_ns = (uint64_t)monotonic_ns();
      end.model_ns = was->model_ns;
   }
   struct counts d = {.commands = end.commands - was->commands,
                      .dispatches = end.dispatches - was->dispatches,
                      .instructions = end.instructions - was->instructions,
                      .called = end.called - was->called,
                      .interpreted = end.interpreted - was->interpreted,
                      .messages = end.messages - was->messages,
                      .read_B = end.read_B - was->read_B,
                      .written_B = end.written_B - was->written_B,
                      .time_ns = time_of(r, &end, was),
                      .model_ns = end.model_ns - was->model_ns};
   *was = end;
   if (r->zombie) /* no batch of a client */
      return;
   if (s->form & RUN_STATS_JSON) {
      put_batch(r, hung, &d);
   } else {
      char what[64];
      snprintf(what, sizeof(what), "batch %llu (%s)%s", (unsigned long long)r->number,
               kernel_ring_names[r->engine], hung ? ", hung" : "");
      print(what, &d);
   }
   add(&s->all, &d);
   s->batches++;
}

void
statistics_close(struct statistics *s)
{
   if (s->form & RUN_STATS_JSON) {
      struct json j = {.file = stderr};
      json_object(&j, NULL);
      json_unsigned(&j, "batches", s->batches);
      put_counts(&j, &s->all);
      hot_put(s->hot, &j, s->k->dev);
      json_end_object(&j);
      fputc('\n', stderr);
   } else {
      char what[64];
      snprintf(what, sizeof(what), "all %llu batch%s", (unsigned long long)s->batches,
               s->batches == 1 ? "" : "es");
      print(what, &s->all);
      hot_print(s->hot, s->k->dev);
   }
   statistics_free(s);
}

void
statistics_free(struct statistics *s)
{
   if (s)
      hot_destroy(s->hot);
   free(s);
}
