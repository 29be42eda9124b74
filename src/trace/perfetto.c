/* Chrome trace JSON, which Perfetto opens: a track per engine, commands as slices, EU threads as
 * asynchronous slices. */
#include "device/device.h"
#include "trace/trace_file.h"

#include <inttypes.h>
#include <string.h>

static void
begin_object(struct trace_file *t)
{
   fputs(t->first ? "\n" : ",\n", t->file);
   t->first = false;
}

/* Names come from our own tables, but a text may hold anything. */
static void
quoted(FILE *f, const char *s)
{
   putc('"', f);
   for (; s && *s; s++) {
      if (*s == '"' || *s == '\\')
         putc('\\', f);
      putc((unsigned char)*s < 0x20 ? ' ' : *s, f);
   }
   putc('"', f);
}

static unsigned
track_of(struct trace_file *t, const char *engine)
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
   begin_object(t);
   fprintf(
       t->file,
       "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":%u,\"args\":{\"name\":", i + 1);
   quoted(t->file, engine);
   fputs("}}", t->file);
   return i;
}

static void
head(struct trace_file *t, const char *phase, unsigned track, uint64_t ns, const char *name)
{
   begin_object(t);
   fprintf(t->file,
           "{\"ph\":\"%s\",\"pid\":1,\"tid\":%u,\"ts\":%" PRIu64 ".%03" PRIu64 ",\"name\":", phase,
           track + 1, ns / 1000, ns % 1000);
   quoted(t->file, name);
}

/* A command lasts until the next event of its engine that ends it. */
static void
close_command(struct trace_file *t, unsigned track, uint64_t now)
{
   if (!t->track[track].open)
      return;
   t->track[track].open = false;
   uint64_t begin = t->track[track].begin_ns, length = now > begin ? now - begin : 0;
   head(t, "X", track, begin, t->track[track].name);
   fprintf(t->file,
           ",\"dur\":%" PRIu64 ".%03" PRIu64 ",\"args\":{\"address\":\"0x%08" PRIx64 "\"}}",
           length / 1000, length % 1000, t->track[track].address);
}

static void
open_command(struct trace_file *t, unsigned track, const struct pergola_event *e)
{
   close_command(t, track, e->time_ns);
   t->track[track].open = true;
   t->track[track].begin_ns = e->time_ns;
   t->track[track].address = e->a;
   snprintf(t->track[track].name, sizeof(t->track[track].name), "%s", e->text ? e->text : "?");
}

static void
thread_event(struct trace_file *t, unsigned track, const struct pergola_event *e)
{
   bool begins = e->kind == PERGOLA_EVENT_DISPATCH;
   head(t, begins ? "b" : "e", track, e->time_ns, "thread");
   fprintf(t->file, ",\"cat\":\"eu\",\"id\":%" PRIu64 ",\"args\":{\"%s\":%" PRIu64 "}}", e->b,
           begins ? "kernel" : "instructions", e->a);
}

static void
perfetto_event(void *data, const struct pergola_event *e)
{
   struct trace_file *t = data;
   unsigned track = track_of(t, e->engine);
   switch (e->kind) {
   case PERGOLA_EVENT_COMMAND:
      open_command(t, track, e);
      break;
   case PERGOLA_EVENT_BATCH:
      close_command(t, track, e->time_ns);
      head(t, e->flags & 1 ? "B" : "E", track, e->time_ns, "batch");
      fprintf(t->file, ",\"args\":{\"address\":\"0x%08" PRIx64 "\"}}", e->a);
      break;
   case PERGOLA_EVENT_WAIT:
      close_command(t, track, e->time_ns);
      head(t, e->flags & 1 ? "B" : "E", track, e->time_ns, e->text ? e->text : "wait");
      fputs("}", t->file);
      break;
   case PERGOLA_EVENT_INTERRUPT:
      head(t, "i", track, e->time_ns, "interrupt");
      fprintf(t->file, ",\"s\":\"p\",\"args\":{\"bank\":%" PRIu64 ",\"bits\":\"0x%08" PRIx64 "\"}}",
              e->a, e->b);
      break;
   case PERGOLA_EVENT_DISPATCH:
   case PERGOLA_EVENT_THREAD_END:
      thread_event(t, track, e);
      break;
   case PERGOLA_EVENT_MMIO:
      head(t, "i", track, e->time_ns, e->text ? e->text : "register");
      fprintf(t->file,
              ",\"s\":\"t\",\"args\":{\"write\":%s,\"offset\":\"0x%06" PRIx64
              "\",\"value\":\"0x%08" PRIx64 "\"}}",
              e->flags & 1 ? "true" : "false", e->a, e->b);
      break;
   case PERGOLA_EVENT_VME:
      head(t, "i", track, e->time_ns, e->text ? e->text : "vme");
      fprintf(t->file,
              ",\"s\":\"t\",\"cat\":\"vme\",\"args\":{\"thread\":%" PRIu64 ",\"x\":%" PRIu64
              ",\"y\":%" PRIu64 "}}",
              e->b, e->a & 0xffff, e->a >> 16);
      break;
   default:
      break;
   }
}

static void
perfetto_finish(struct trace_file *t)
{
   for (unsigned i = 0; i < t->track_count; i++)
      close_command(t, i, t->dev->time_ns);
   fputs(t->tail, t->file);
}

struct trace_file *
trace_open_perfetto(struct pergola_device *dev, const char *path)
{
   static const uint32_t kinds = 1u << PERGOLA_EVENT_COMMAND | 1u << PERGOLA_EVENT_BATCH |
                                 1u << PERGOLA_EVENT_WAIT | 1u << PERGOLA_EVENT_INTERRUPT |
                                 1u << PERGOLA_EVENT_DISPATCH | 1u << PERGOLA_EVENT_THREAD_END |
                                 1u << PERGOLA_EVENT_MMIO | 1u << PERGOLA_EVENT_VME;
   struct trace_file *t = trace_file_open(dev, path, kinds, perfetto_event, perfetto_finish);
   if (!t)
      return NULL;
   t->tail = "\n]}\n";
   fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", t->file);
   return t;
}
