/* Chrome trace JSON, which Perfetto opens: a track per engine, commands as slices, and EU threads
 * (perfetto_threads.c). */
#include "machine/device.h"
#include "trace/perfetto.h"

#include <string.h>

static struct json
begin_event(struct pergola_trace *t, const char *phase)
{
   json_line(&t->frame);
   struct json j = {.file = json_value(&t->frame, NULL)};
   json_object(&j, NULL);
   json_text(&j, "ph", phase);
   return j;
}

void
perfetto_name(struct pergola_trace *t, const char *what, unsigned process, unsigned track,
              const char *name)
{
   struct json j = begin_event(t, "M");
   json_text(&j, "name", what);
   json_unsigned(&j, "pid", process);
   json_unsigned(&j, "tid", track);
   json_object(&j, "args");
   json_text(&j, "name", name);
   json_end_object(&j);
   json_end_object(&j);
}

struct json
perfetto_begin(struct pergola_trace *t, const char *phase, const struct perfetto_slice *s)
{
   struct json j = begin_event(t, phase);
   json_unsigned(&j, "pid", s->process);
   json_unsigned(&j, "tid", s->track);
   json_thousandths(&j, "ts", s->begin_ns);
   json_text(&j, "name", s->name);
   return j;
}

static unsigned
track_of(struct pergola_trace *t, const char *engine)
{
   if (!engine)
      engine = "device";
   for (unsigned i = 0; i < t->track_count; i++)
      if (!strcmp(t->track[i].engine, engine))
         return i;
   if (t->track_count == TRACE_FILE_TRACKS)
      return TRACE_FILE_TRACKS - 1;
   unsigned i = t->track_count++;
   snprintf(t->track[i].engine, sizeof(t->track[i].engine), "%s", engine);
   perfetto_name(t, "thread_name", PERFETTO_ENGINES, i + 1, engine);
   return i;
}

static struct json
head(struct pergola_trace *t, const char *phase, unsigned track, uint64_t ns, const char *name)
{
   struct perfetto_slice s = {PERFETTO_ENGINES, track + 1, ns, name};
   return perfetto_begin(t, phase, &s);
}

/* The last member of an event, its address, and its end. */
static void
end_with_address(struct json *j, uint64_t address)
{
   json_object(j, "args");
   json_hex(j, "address", 8, address);
   json_end_object(j);
   json_end_object(j);
}

/* A command lasts until the next event of its engine that ends it. Threads are the render
 * engine's. */
static void
close_command(struct pergola_trace *t, unsigned track, uint64_t now)
{
   if (!t->track[track].open)
      return;
   t->track[track].open = false;
   uint64_t begin = t->track[track].begin_ns, length = now > begin ? now - begin : 0;
   bool render = !strcmp(t->track[track].engine, engine_names[RCS]);
   struct perfetto_work work = render ? perfetto_work(t) : (struct perfetto_work){0};
   struct json j = head(t, "X", track, begin, t->track[track].name);
   json_thousandths(&j, "dur", length);
   json_object(&j, "args");
   json_hex(&j, "address", 8, t->track[track].address);
   if (work.threads) {
      json_unsigned(&j, "threads", work.threads);
      json_unsigned(&j, "instructions", work.instructions);
      json_unsigned(&j, "messages", work.messages);
   }
   json_end_object(&j);
   json_end_object(&j);
   if (render)
      perfetto_draw_threads(t, track + 1, begin, begin + length);
}

static void
open_command(struct pergola_trace *t, unsigned track, const struct pergola_event *e)
{
   close_command(t, track, e->time_ns);
   t->track[track].open = true;
   t->track[track].begin_ns = e->time_ns;
   t->track[track].address = e->a;
   snprintf(t->track[track].name, sizeof(t->track[track].name), "%s", e->text ? e->text : "?");
}

static void
interrupt_event(struct pergola_trace *t, unsigned track, const struct pergola_event *e)
{
   struct json j = head(t, "i", track, e->time_ns, "interrupt");
   json_text(&j, "s", "p");
   json_object(&j, "args");
   json_unsigned(&j, "bank", e->a);
   json_hex(&j, "bits", 8, e->b);
   json_end_object(&j);
   json_end_object(&j);
}

static void
register_event(struct pergola_trace *t, unsigned track, const struct pergola_event *e)
{
   struct json j = head(t, "i", track, e->time_ns, e->text ? e->text : "register");
   json_text(&j, "s", "t");
   json_object(&j, "args");
   json_bool(&j, "write", e->flags & 1);
   json_hex(&j, "offset", 6, e->a);
   json_hex(&j, "value", 8, e->b);
   json_end_object(&j);
   json_end_object(&j);
}

static void
vme_event(struct pergola_trace *t, unsigned track, const struct pergola_event *e)
{
   if (e->count) /* raw words are for the text */
      return;
   struct json j = head(t, "i", track, e->time_ns, e->text ? e->text : "vme");
   json_text(&j, "s", "t");
   json_text(&j, "cat", "vme");
   json_object(&j, "args");
   json_unsigned(&j, "thread", e->b);
   json_unsigned(&j, "x", e->a & 0xffff);
   json_unsigned(&j, "y", e->a >> 16);
   json_end_object(&j);
   json_end_object(&j);
}

static void
perfetto_event(void *data, const struct pergola_event *e)
{
   struct pergola_trace *t = data;
   bool of_thread = e->kind == PERGOLA_EVENT_DISPATCH || e->kind == PERGOLA_EVENT_THREAD_END ||
                    e->kind == PERGOLA_EVENT_MESSAGE;
   if (of_thread) {
      perfetto_thread(t, e);
      return;
   }
   unsigned track = track_of(t, e->engine);
   struct json j;
   switch (e->kind) {
   case PERGOLA_EVENT_COMMAND:
      open_command(t, track, e);
      break;
   case PERGOLA_EVENT_BATCH:
      close_command(t, track, e->time_ns);
      j = head(t, e->flags & 1 ? "B" : "E", track, e->time_ns, "batch");
      end_with_address(&j, e->a);
      break;
   case PERGOLA_EVENT_WAIT:
      close_command(t, track, e->time_ns);
      j = head(t, e->flags & 1 ? "B" : "E", track, e->time_ns, e->text ? e->text : "wait");
      json_end_object(&j);
      break;
   case PERGOLA_EVENT_INTERRUPT:
      interrupt_event(t, track, e);
      break;
   case PERGOLA_EVENT_MMIO:
      register_event(t, track, e);
      break;
   case PERGOLA_EVENT_VME:
      vme_event(t, track, e);
      break;
   default:
      break;
   }
}

static void
perfetto_tail(const struct pergola_trace *t)
{
   struct json j = t->frame;
   json_end_array(&j);
   json_end_object(&j);
   putc('\n', t->file);
}

static void
perfetto_finish(struct pergola_trace *t)
{
   for (unsigned i = 0; i < t->track_count; i++)
      close_command(t, i, t->dev->time_ns);
   perfetto_draw_threads(t, 1, 0, t->dev->time_ns); /* of no command that is known */
   perfetto_tail(t);
}

struct pergola_trace *
pergola_trace_perfetto(struct pergola_device *dev, const char *path)
{
   static const uint32_t kinds = 1u << PERGOLA_EVENT_COMMAND | 1u << PERGOLA_EVENT_BATCH |
                                 1u << PERGOLA_EVENT_WAIT | 1u << PERGOLA_EVENT_INTERRUPT |
                                 1u << PERGOLA_EVENT_DISPATCH | 1u << PERGOLA_EVENT_THREAD_END |
                                 1u << PERGOLA_EVENT_MESSAGE | 1u << PERGOLA_EVENT_MMIO |
                                 1u << PERGOLA_EVENT_VME;
   struct pergola_trace *t = trace_file_open(dev, path, kinds, perfetto_event, perfetto_finish);
   if (!t)
      return NULL;
   t->tail = perfetto_tail;
   t->frame = (struct json){.file = t->file};
   json_object(&t->frame, NULL);
   json_text(&t->frame, "displayTimeUnit", "ns");
   json_array(&t->frame, "traceEvents");
   perfetto_name(t, "process_name", PERFETTO_ENGINES, 0, "engines");
   perfetto_name(t, "process_name", PERFETTO_EUS, 0, "execution units");
   return t;
}
