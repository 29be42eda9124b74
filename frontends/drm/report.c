/* What `pergola run` asked for: rule reports, traces, statistics, dumps. */
#include "kernel.h"

#include "dump.h"
#include "gen7_hw.h"
#include "pergola/pergola_trace.h"
#include "statistics.h"
#include "summary.h"

#include <errno.h>
#include <stdio.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TOLD_RULES 64
#define TOLD_PLACES 3
#define TOLD_FINDINGS 50

/* How often a rule has been told. */
struct told {
   char rule[12];
   unsigned places;
};

struct report {
   struct kernel *k;
   struct run_summary *summary; /* never NULL */
   struct run_summary own;
   struct pergola_trace *text, *perfetto;
   struct told told[TOLD_RULES];
   struct statistics *statistics; /* or NULL */
   bool dump_told, unwritten_told;
   struct verdict *verdict;
   struct told lacks[TOLD_RULES]; /* features that are not modelled */
   uint64_t device;               /* the first of the run is 1 */
};

static enum pergola_report_format
format_of(const char *path)
{
   const char *dot = strrchr(path, '.');
   if (dot && !strcmp(dot, ".json"))
      return PERGOLA_REPORT_JSON;
   return dot && !strcmp(dot, ".sarif") ? PERGOLA_REPORT_SARIF : PERGOLA_REPORT_TEXT;
}

static const char *const severities[] = {"note", "warning", "error", "fatal"};

/* Which place of this rule it is; 0 when the table is full. The caller has the lock of the rules.
 */
static unsigned
place_number(struct told told[TOLD_RULES], const char *rule)
{
   for (unsigned i = 0; i < TOLD_RULES; i++) {
      struct told *t = &told[i];
      if (!t->rule[0])
         snprintf(t->rule, sizeof(t->rule), "%s", rule);
      if (!strcmp(t->rule, rule))
         return ++t->places;
   }
   return 0;
}

/* Of the sanitizer: not a rule of the manual. */
/* Without a report file the rules are told on standard error, each with its first places: what a
 * driver does in every batch would hide the rest. */
static void
tell(void *data, const struct pergola_diagnostic *d)
{
   if (d->severity < PERGOLA_WARNING)
      return;
   struct report *r = data;
   unsigned place = place_number(r->told, d->rule);
   if (place > (summary_finding(d->rule) ? TOLD_FINDINGS : TOLD_PLACES))
      return;
   fprintf(stderr, "pergola: %s: %s", severities[d->severity], d->rule);
   if (d->engine[0])
      fprintf(stderr, " %s", d->engine);
   if (d->has_address)
      fprintf(stderr, " at 0x%llx", (unsigned long long)d->address);
   if (d->subject[0])
      fprintf(stderr, " in %s", d->subject);
   fprintf(stderr, "%s%s: %s%s%s%s%s\n", d->field[0] ? ", " : "", d->field, d->message,
           d->where[0] ? " (" : "", d->where, d->where[0] ? ")" : "",
           place == (summary_finding(d->rule) ? TOLD_FINDINGS : TOLD_PLACES)
               ? " (from here on this rule is only counted; --report FILE has every place)"
               : "");
}

static uint64_t
add(uint64_t *counter)
{
   return __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

/* The second device of a run writes r-2.json, so that no process destroys another's file. */
static void
number_path(char to[KERNEL_PATH_MAX], const char *path, uint64_t before)
{
   if (!path[0] || !before || !strcmp(path, "-")) {
      snprintf(to, KERNEL_PATH_MAX, "%s", path);
      return;
   }
   const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
   size_t stem = dot ? (size_t)(dot - path) : strlen(path);
   snprintf(to, KERNEL_PATH_MAX, "%.*s-%llu%s", (int)stem, path, (unsigned long long)before + 1,
            path + stem);
}

static void
tally(void *data, const struct pergola_diagnostic *d)
{
   struct report *r = data;
   if (d->unmodelled && place_number(r->lacks, d->rule) == 1)
      add(&r->summary->unmodelled);
   if (summary_finding(d->rule))
      add(&r->summary->findings);
   else if (d->severity >= PERGOLA_ERROR)
      add(&r->summary->errors);
   else if (d->severity == PERGOLA_WARNING)
      add(&r->summary->warnings);
}

/* A program under another user's name may not look into its starter. It has the descriptor too,
 * unless it closes what it does not know. */
static int
inherited(const char *path)
{
   char own[64], what[64];
   const char *number = strrchr(path, '/');
   snprintf(own, sizeof(own), "/proc/self/fd%s", number ? number : "");
   /* The kernel's own calls: the client's would ask for the lock that is held here. */
   ssize_t n = syscall(SYS_readlinkat, AT_FDCWD, own, what, sizeof(what));
   const char expected[] = "/memfd:" SUMMARY_NAME;
   bool right = n >= (ssize_t)strlen(expected) && !memcmp(what, expected, strlen(expected));
   return right ? (int)syscall(SYS_openat, AT_FDCWD, own, O_RDWR | O_CLOEXEC) : -1;
}

static void
open_summary(struct report *r)
{
   const char *path = getenv("PERGOLA_SUMMARY");
   r->summary = &r->own;
   int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
   if (path && fd < 0)
      fd = inherited(path);
   if (fd < 0)
      return;
   void *p = sys_mmap(NULL, sizeof(*r->summary), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   if (p != MAP_FAILED)
      r->summary = p;
   sys_close(fd);
}

/* Whoever asks for a file gets it, or no GPU: without it he would only find out at the end. */
static int
cannot_open(const char *path, const char *what, int error)
{
   fprintf(stderr, "pergola: %s: %s\n", path[0] ? path : what, strerror(error));
   return -error;
}

int
kreport_open(struct kernel *k)
{
   struct report *r = calloc(1, sizeof(*r));
   struct pergola_device *dev = k->dev;
   struct kernel_options *o = &k->options;
   if (!r)
      return -ENOMEM;
   k->report = r;
   r->k = k;
   open_summary(r);
   uint64_t before = add(&r->summary->devices);
   r->device = before + 1;
   char report[sizeof(o->report)], trace_file[sizeof(o->trace_file)], perfetto[sizeof(o->perfetto)],
       aub[sizeof(o->aub)], oa[sizeof(o->oa)];
   number_path(report, o->report, before);
   number_path(trace_file, o->trace_file, before);
   number_path(perfetto, o->perfetto, before);
   number_path(aub, o->aub, before);
   number_path(oa, o->oa, before);
   const char *baseline = "";
   int ret = verdict_open(&r->verdict, dev, &o->verdict, &baseline);
   if (ret)
      return cannot_open(baseline, "the list of diagnostics that are expected", -ret);
   pergola_add_diagnostic_sink(dev, tally, r);
   if (!o->report[0])
      pergola_add_diagnostic_sink(dev, tell, r);
   ret = o->report[0] ? pergola_report_open(dev, report, format_of(report)) : 0;
   if (ret)
      return cannot_open(report, "the report", -ret);
   if (o->trace[0]) {
      struct pergola_trace_filter filter;
      uint32_t kinds = pergola_trace_list(o->trace, &filter, NULL);
      r->text = pergola_trace_text(dev, trace_file[0] ? trace_file : NULL, kinds);
      if (!r->text)
         return cannot_open(trace_file, "the trace", errno);
      pergola_trace_set_filter(r->text, &filter);
   }
   if (o->perfetto[0]) {
      r->perfetto = pergola_trace_perfetto(dev, perfetto);
      if (!r->perfetto)
         return cannot_open(perfetto, "the trace for Perfetto", errno);
   }
   ret = record_open(k, aub);
   if (ret)
      return cannot_open(aub, "the AUB file", -ret);
   ret = o->oa[0] ? pergola_oa_open(dev, oa) : 0;
   if (ret)
      return cannot_open(oa, "the counts", -ret);
   if (o->stats)
      r->statistics = statistics_open(k);
   return 0;
}

const char *const kernel_ring_names[ENGINES] = {"render", "bsd", "blt"};

void
kreport_dump_name(const struct kernel *k, const struct request *r, char *path, size_t size)
{
   char process[40] = "";
   if (k->report->device > 1)
      snprintf(process, sizeof(process), "process-%llu-", (unsigned long long)k->report->device);
   snprintf(path, size, "%s/%sbatch-%05llu-%s", k->options.dump, process,
            (unsigned long long)r->number, kernel_ring_names[r->engine]);
}

void
kreport_dump_failed(struct kernel *k, const char *path, int error)
{
   if (k->report->dump_told) /* the others will not do better */
      return;
   k->report->dump_told = true;
   kreport_unwritten(k, path, error);
}

void
kreport_unwritten(struct kernel *k, const char *path, int error)
{
   if (k->report)
      add(&k->report->summary->unwritten);
   fprintf(stderr, "pergola: %s: %s\n", path, strerror(error));
}

void
kreport_batch_dropped(struct kernel *k, const struct request *r)
{
   if (k->report && r->objects)
      add(&k->report->summary->dropped);
}

void
kreport_batch(struct kernel *k, const struct request *r, const void *batch, uint32_t bytes)
{
   if (!k->report)
      return;
   add(&k->report->summary->batches);
   if (!k->options.dump[0])
      return;
   char path[1200];
   kreport_dump_name(k, r, path, sizeof(path) - 4);
   strcat(path, ".bin");
   FILE *f = fopen(path, "wbe");
   if (!f || fwrite(batch, 1, bytes, f) != bytes)
      kreport_dump_failed(k, path, errno);
   if (f)
      fclose(f);
}

/* What was asked for and is not there is an error, and told once. */
static void
check_written(struct kernel *k)
{
   struct report *r = k->report;
   if (r->unwritten_told)
      return;
   const char *what = pergola_report_failed(k->dev)       ? k->options.report
                      : pergola_trace_failed(r->text)     ? k->options.trace_file
                      : pergola_trace_failed(r->perfetto) ? k->options.perfetto
                      : pergola_oa_failed(k->dev)         ? k->options.oa
                      : verdict_failed(r->verdict)        ? k->options.verdict.write_baseline
                                                          : NULL;
   if (!what)
      return;
   r->unwritten_told = true;
   add(&r->summary->unwritten);
   fprintf(stderr, "pergola: %s cannot be written\n", what[0] ? what : "the trace");
}

void
kreport_batch_done(struct kernel *k, struct request *r, bool hung)
{
   if (!k->report)
      return;
   dump_after(k, r, hung);
   if (k->report->statistics)
      statistics_batch(k->report->statistics, r, hung);
   /* A program may end in ways that nobody hears of: its files are as good as they can be. */
   pergola_trace_flush(k->report->text);
   pergola_trace_flush(k->report->perfetto);
   check_written(k);
}

void
kreport_hang(struct kernel *k, const struct engine *e, const char *why, const char *threads)
{
   uint32_t acthd = bus_read(k, e->base + ENGINE_ACTHD);
   uint32_t ipehr = bus_read(k, e->base + ENGINE_IPEHR);
   uint32_t eir = bus_read(k, e->base + ENGINE_EIR);
   if (k->report)
      add(&k->report->summary->hangs);
   unsigned long long number = e->inflight ? e->inflight->number : 0;
   const char *name =
       k->dev ? pergola_command_name(k->dev, (enum pergola_engine)e->id, ipehr) : NULL;
   fprintf(
       stderr,
       "pergola: GPU hang on the %s ring, batch %llu, in %s: %s (ACTHD 0x%08x, IPEHR 0x%08x, EIR "
       "0x%08x); the engine is reset\n%s",
       kernel_ring_names[e->id], number, name ? name : "an unknown command", why, acthd, ipehr, eir,
       threads);
}

/* The files are the parent's; what it had not written yet it writes itself. */
void
kreport_after_fork(struct kernel *k)
{
   struct report *r = k->report;
   k->report = NULL;
   if (!r)
      return;
   pergola_trace_disown(r->text);
   pergola_trace_disown(r->perfetto);
   statistics_free(r->statistics);
   verdict_close(r->verdict);
   free(r);
}

void
kreport_close(struct kernel *k)
{
   struct report *r = k->report;
   if (!r)
      return;
   if (k->dev) {
      check_written(k);
      pergola_set_diagnostic_filter(k->dev, NULL, NULL);
   }
   k->report = NULL;
   if (!record_close(k)) {
      add(&r->summary->unwritten);
      fprintf(stderr, "pergola: %s cannot be written\n", k->options.aub);
   }
   if (r->summary != &r->own)
      sys_munmap(r->summary, sizeof(*r->summary));
   if (r->text)
      pergola_trace_close(r->text);
   if (r->perfetto)
      pergola_trace_close(r->perfetto);
   if (k->dev && pergola_oa_close(k->dev))
      fprintf(stderr, "pergola: %s cannot be written\n", k->options.oa);
   if (r->statistics)
      statistics_close(r->statistics);
   verdict_close(r->verdict);
   free(r);
}
