/* Chrome trace JSON, which Perfetto opens: a track per engine, commands as slices, EU threads as
 * asynchronous slices. */
#include "machine/device.h"
#include "json/json.h"
#include "trace/trace_file.h"

#include <string.h>

static struct json
begin_event(struct pergola_trace *t, const char *phase)
{
   fputs(t->first ? "\n" : ",\n", t->file);
   t->first = false;
   struct json j = {.file = t->file};
   json_object(&j, NULL);
   json_text(&j, "ph", phase);
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
   struct json j = begin_event(t, "M");
   json_text(&j, "name", "thread_name");
   json_unsigned(&j, "pid", 1);
   json_unsigned(&j, "tid", i + 1);
   json_object(&j, "args");
   json_text(&j, "name", engine);
   json_end_object(&j);
   json_end_object(&j);
   return i;
}

static struct json
head(struct pergola_trace *t, const char *phase, unsigned track, uint64_t ns, const char *name)
{
   struct json j = begin_event(t, phase);
   json_unsigned(&j, "pid", 1);
   json_unsigned(&j, "tid", track + 1);
   json_thousandths(&j, "ts", ns);
   json_text(&j, "name", name);
   return j;
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

/* A command lasts until the next event of its engine that ends it. */
static void
close_command(struct pergola_trace *t, unsigned track, uint64_t now)
{
   if (!t->track[track].open)
      return;
   t->track[track].open = false;
   uint64_t begin = t->track[track].begin_ns, length = now > begin ? now - begin : 0;
   struct json j = head(t, "X", track, begin, t->track[track].name);
   json_thousandths(&j, "dur", length);
   end_with_address(&j, t->track[track].address);
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
thread_event(struct pergola_trace *t, unsigned track, const struct pergola_event *e)
{
   bool begins = e->kind == PERGOLA_EVENT_DISPATCH;
   struct json j = head(t, begins ? "b" : "e", track, e->time_ns, "thread");
   json_text(&j, "cat", "eu");
   json_unsigned(&j, "id", e->b);
   json_object(&j, "args");
   json_unsigned(&j, begins ? "kernel" : "instructions", e->a);
   json_end_object(&j);
   json_end_object(&j);
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
   case PERGOLA_EVENT_DISPATCH:
   case PERGOLA_EVENT_THREAD_END:
      thread_event(t, track, e);
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
perfetto_finish(struct pergola_trace *t)
{
   for (unsigned i = 0; i < t->track_count; i++)
      close_command(t, i, t->dev->time_ns);
   fputs(t->tail, t->file);
}

struct pergola_trace *
pergola_trace_perfetto(struct pergola_device *dev, const char *path)
{
   static const uint32_t kinds = 1u << PERGOLA_EVENT_COMMAND | 1u << PERGOLA_EVENT_BATCH |
                                 1u << PERGOLA_EVENT_WAIT | 1u << PERGOLA_EVENT_INTERRUPT |
                                 1u << PERGOLA_EVENT_DISPATCH | 1u << PERGOLA_EVENT_THREAD_END |
                                 1u << PERGOLA_EVENT_MMIO | 1u << PERGOLA_EVENT_VME;
   struct pergola_trace *t = trace_file_open(dev, path, kinds, perfetto_event, perfetto_finish);
   if (!t)
      return NULL;
   t->tail = "\n]}\n";
   fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", t->file);
   return t;
}
