/* What `pergola run` asked for: rule reports, traces, statistics, dumps. Options come by environment
 * variables, since the program in between knows nothing of us. */
#include "kernel.h"

#include "rules/rules.h"
#include "summary.h"
#include "trace/trace.h"

#include <errno.h>
#include <stdio.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define TOLD_RULES 64
#define TOLD_PLACES 3

/* How often a rule has been told. */
struct told {
   char rule[12];
   unsigned places;
};

struct report {
   struct kernel *k;
   struct run_summary *summary; /* never NULL */
   struct run_summary own;
   struct trace_file *text, *perfetto;
   struct told told[TOLD_RULES];
};

#define DEFAULT_HANG_BUDGET 20000000000ull /* some minutes of a host processor */
#define DEFAULT_WAIT_LIMIT_NS 2000000000ll

static void
text_option(const char *name, char *to, size_t size)
{
   const char *v = getenv(name);
   snprintf(to, size, "%s", v ? v : "");
}

void
kernel_options_from_environment(struct kernel_options *o)
{
   memset(o, 0, sizeof(*o));
   text_option("PERGOLA_DEVICE", o->device, sizeof(o->device));
   text_option("PERGOLA_REPORT", o->report, sizeof(o->report));
   text_option("PERGOLA_TRACE", o->trace, sizeof(o->trace));
   text_option("PERGOLA_TRACE_FILE", o->trace_file, sizeof(o->trace_file));
   text_option("PERGOLA_PERFETTO", o->perfetto, sizeof(o->perfetto));
   text_option("PERGOLA_DUMP", o->dump, sizeof(o->dump));
   const char *check = getenv("PERGOLA_CHECK");
   o->check = !check || !strcmp(check, "report") ? PERGOLA_CHECK_REPORT
              : !strcmp(check, "stop")           ? PERGOLA_CHECK_STOP
                                                 : PERGOLA_CHECK_OFF;
   const char *threads = getenv("PERGOLA_THREADS");
   o->threads = threads ? (unsigned)strtoul(threads, NULL, 0) : 0;
   const char *native = getenv("PERGOLA_NATIVE");
   o->native = !native ? PERGOLA_NATIVE_AUTO : !strcmp(native, "off") ? PERGOLA_NATIVE_OFF
             : !strcmp(native, "always") ? PERGOLA_NATIVE_ALWAYS : PERGOLA_NATIVE_AUTO;
   o->deterministic = getenv("PERGOLA_DETERMINISTIC") != NULL;
   o->stats = getenv("PERGOLA_STATS") != NULL;
   const char *budget = getenv("PERGOLA_HANG_BUDGET");
   o->hang_budget = budget ? strtoull(budget, NULL, 0) : DEFAULT_HANG_BUDGET;
   o->wait_limit_ns = DEFAULT_WAIT_LIMIT_NS;
}

static void
count(void *data, const struct pergola_event *e)
{
   struct statistics *s = data;
   switch (e->kind) {
   case PERGOLA_EVENT_COMMAND:
      __atomic_fetch_add(&s->commands, 1, __ATOMIC_RELAXED);
      break;
   case PERGOLA_EVENT_DISPATCH:
      __atomic_fetch_add(&s->dispatches, 1, __ATOMIC_RELAXED);
      break;
   case PERGOLA_EVENT_THREAD_END:
      __atomic_fetch_add(&s->instructions, e->a, __ATOMIC_RELAXED);
      break;
   case PERGOLA_EVENT_MESSAGE:
      __atomic_fetch_add(&s->messages, 1, __ATOMIC_RELAXED);
      break;
   case PERGOLA_EVENT_MEMORY:
      __atomic_fetch_add(e->flags & 1 ? &s->written_B : &s->read_B, e->b, __ATOMIC_RELAXED);
      break;
   default:
      break;
   }
}

static enum rules_format
format_of(const char *path)
{
   const char *dot = strrchr(path, '.');
   if (dot && !strcmp(dot, ".json"))
      return RULES_JSON;
   return dot && !strcmp(dot, ".sarif") ? RULES_SARIF : RULES_TEXT;
}

static const char *const severities[] = {"note", "warning", "error", "fatal"};

/* Which place of this rule it is; 0 when the table is full. The caller has the lock of the rules. */
static unsigned
place_number(struct report *r, const char *rule)
{
   for (unsigned i = 0; i < TOLD_RULES; i++) {
      struct told *t = &r->told[i];
      if (!t->rule[0])
         snprintf(t->rule, sizeof(t->rule), "%s", rule);
      if (!strcmp(t->rule, rule))
         return ++t->places;
   }
   return 0;
}

/* Without a report file the rules are told on standard error, each with its first places: what a driver does in
 * every batch would hide the rest. */
static void
tell(void *data, const struct pergola_diagnostic *d)
{
   if (d->severity < PERGOLA_WARNING)
      return;
   unsigned place = place_number(data, d->rule);
   if (place > TOLD_PLACES)
      return;
   fprintf(stderr, "pergola: %s: %s", severities[d->severity], d->rule);
   if (d->engine[0])
      fprintf(stderr, " %s", d->engine);
   if (d->has_address)
      fprintf(stderr, " at 0x%llx", (unsigned long long)d->address);
   if (d->subject[0])
      fprintf(stderr, " in %s", d->subject);
   fprintf(stderr, "%s%s: %s%s\n", d->field[0] ? ", " : "", d->field, d->message,
           place == TOLD_PLACES ? " (from here on this rule is only counted; --report FILE has every place)" : "");
}

static uint64_t
add(uint64_t *counter)
{
   return __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

/* The second device of a run writes r-2.json, so that no process destroys another's file. */
static void
number_path(char *path, size_t size, uint64_t before)
{
   char was[1024];
   if (!path[0] || !before)
      return;
   snprintf(was, sizeof(was), "%s", path);
   char *slash = strrchr(was, '/'), *dot = strrchr(slash ? slash : was, '.');
   size_t stem = dot ? (size_t)(dot - was) : strlen(was);
   snprintf(path, size, "%.*s-%llu%s", (int)stem, was, (unsigned long long)before + 1, was + stem);
}

static void
tally(void *data, const struct pergola_diagnostic *d)
{
   struct report *r = data;
   if (d->severity >= PERGOLA_ERROR)
      add(&r->summary->errors);
   else if (d->severity == PERGOLA_WARNING)
      add(&r->summary->warnings);
}

static void
open_summary(struct report *r)
{
   const char *path = getenv("PERGOLA_SUMMARY");
   r->summary = &r->own;
   int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
   if (fd < 0)
      return;
   void *p = sys_mmap(NULL, sizeof(*r->summary), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   if (p != MAP_FAILED)
      r->summary = p;
   sys_close(fd);
}

static int
cannot_open(const char *path, int error)
{
   fprintf(stderr, "pergola: %s: %s\n", path, strerror(error));
   return -error;
}

int
kreport_open(struct kernel *k)
{
   struct report *r = calloc(1, sizeof(*r));
   struct pergola_device *dev = k->device.dev;
   struct kernel_options *o = &k->options;
   if (!r)
      return -ENOMEM;
   k->report = r;
   r->k = k;
   open_summary(r);
   uint64_t before = add(&r->summary->devices);
   number_path(o->report, sizeof(o->report), before);
   number_path(o->trace_file, sizeof(o->trace_file), before);
   number_path(o->perfetto, sizeof(o->perfetto), before);
   pergola_add_diagnostic_sink(dev, tally, r);
   if (o->report[0]) {
      int ret = rules_open_report(dev, o->report, format_of(o->report));
      if (ret)
         return cannot_open(o->report, -ret);
   } else {
      pergola_add_diagnostic_sink(dev, tell, r);
   }
   if (o->trace[0]) {
      const char *bad = NULL;
      uint32_t kinds = trace_kinds_parse(o->trace, &bad);
      const char *path = o->trace_file[0] ? o->trace_file : "/dev/stderr";
      errno = EIO;
      r->text = trace_open_text(dev, path, kinds);
      if (!r->text)
         return cannot_open(path, errno);
   }
   if (o->perfetto[0]) {
      errno = EIO;
      r->perfetto = trace_open_perfetto(dev, o->perfetto);
      if (!r->perfetto)
         return cannot_open(o->perfetto, errno);
   }
   if (o->stats) {
      uint32_t kinds = 1u << PERGOLA_EVENT_COMMAND | 1u << PERGOLA_EVENT_DISPATCH |
                       1u << PERGOLA_EVENT_THREAD_END | 1u << PERGOLA_EVENT_MESSAGE |
                       1u << PERGOLA_EVENT_MEMORY;
      pergola_add_observer(dev, kinds, count, &k->stats);
   }
   return 0;
}

static const char *const ring_names[ENGINES] = {"render", "bsd", "blt"};

void
kreport_batch(struct kernel *k, const struct request *r, const void *batch, uint32_t bytes)
{
   k->stats.batches++;
   if (k->report)
      add(&k->report->summary->batches);
   if (!k->options.dump[0])
      return;
   char path[1200];
   snprintf(path, sizeof(path), "%s/batch-%05llu-%s.bin", k->options.dump,
            (unsigned long long)r->number, ring_names[r->engine]);
   FILE *f = fopen(path, "wb");
   if (!f || fwrite(batch, 1, bytes, f) != bytes)
      fprintf(stderr, "pergola: %s: %s\n", path, strerror(errno));
   if (f)
      fclose(f);
}

static void
print_statistics(const char *what, const struct statistics *s)
{
   fprintf(stderr,
           "pergola: %s: %llu commands, %llu threads, %llu EU instructions, %llu messages, %llu "
           "bytes read, %llu written, %.3f ms\n",
           what, (unsigned long long)s->commands, (unsigned long long)s->dispatches,
           (unsigned long long)s->instructions, (unsigned long long)s->messages,
           (unsigned long long)s->read_B, (unsigned long long)s->written_B, (double)s->time_ns / 1e6);
}

void
kreport_batch_done(struct kernel *k, const struct request *r)
{
   if (!k->options.stats || r->zombie)
      return;
   struct statistics now = k->stats, *was = &k->batch_start;
   struct statistics d = {.commands = now.commands - was->commands,
                          .dispatches = now.dispatches - was->dispatches,
                          .instructions = now.instructions - was->instructions,
                          .messages = now.messages - was->messages,
                          .read_B = now.read_B - was->read_B,
                          .written_B = now.written_B - was->written_B,
                          .time_ns = (uint64_t)monotonic_ns() - r->started_ns};
   k->stats.time_ns += d.time_ns;
   char what[64];
   snprintf(what, sizeof(what), "batch %llu (%s)", (unsigned long long)r->number,
            ring_names[r->engine]);
   print_statistics(what, &d);
   k->batch_start = now;
}

void
kreport_hang(struct kernel *k, const struct engine *e, const char *why)
{
   uint32_t acthd = (uint32_t)bus_read(k, e->base + 0x74, 4);
   uint32_t ipehr = (uint32_t)bus_read(k, e->base + 0x68, 4);
   uint32_t eir = (uint32_t)bus_read(k, e->base + 0xb0, 4);
   if (k->report)
      add(&k->report->summary->hangs);
   unsigned long long number = e->inflight ? e->inflight->number : 0;
   fprintf(stderr,
           "pergola: GPU hang on the %s ring, batch %llu: %s (ACTHD 0x%08x, IPEHR 0x%08x, EIR "
           "0x%08x); the engine is reset\n",
           ring_names[e->id], number, why, acthd, ipehr, eir);
}

void
kreport_close(struct kernel *k)
{
   struct report *r = k->report;
   if (!r)
      return;
   k->report = NULL;
   if (r->summary != &r->own)
      sys_munmap(r->summary, sizeof(*r->summary));
   if (r->text)
      trace_close(r->text);
   if (r->perfetto)
      trace_close(r->perfetto);
   if (k->options.stats) {
      char what[64];
      snprintf(what, sizeof(what), "all %llu batches", (unsigned long long)k->stats.batches);
      print_statistics(what, &k->stats);
   }
   free(r);
}
