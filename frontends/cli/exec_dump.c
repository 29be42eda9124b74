/* pergola exec DIRECTORY: what `pergola run --dump` has left, run again to the same memory. */
#include "exec.h"

#include "cli.h"
#include "dump.h"
#include "pergola/pergola_trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct replayed {
   const struct exec_options *o;
   const char *directory;
   unsigned played, bad;
};

static bool
cannot_open(const char *path, int error)
{
   fprintf(stderr, "pergola exec: %s: %s\n", path, strerror(error));
   return false;
}

bool
exec_open_outputs(struct pergola_device *dev, const struct exec_options *o,
                  struct exec_outputs *out)
{
   uint32_t kinds = 1u << PERGOLA_EVENT_COMMAND | 1u << PERGOLA_EVENT_BATCH |
                    1u << PERGOLA_EVENT_INTERRUPT | 1u << PERGOLA_EVENT_WAIT;
   pergola_add_diagnostic_sink(dev, fail_count, o->seen);
   out->text = o->trace ? pergola_trace_text(dev, o->trace, kinds) : NULL;
   if (o->trace && !out->text)
      return cannot_open(o->trace, errno);
   out->perfetto = o->perfetto ? pergola_trace_perfetto(dev, o->perfetto) : NULL;
   if (o->perfetto && !out->perfetto)
      return cannot_open(o->perfetto, errno);
   int ret = o->report ? pergola_report_open(dev, o->report, cli_report_format(o->report)) : 0;
   return !ret || cannot_open(o->report, -ret);
}

bool
exec_close_outputs(struct pergola_device *dev, const struct exec_options *o,
                   struct exec_outputs *out)
{
   const char *bad = pergola_trace_failed(out->text)           ? o->trace
                     : pergola_trace_failed(out->perfetto)     ? o->perfetto
                     : o->report && pergola_report_failed(dev) ? o->report
                                                               : NULL;
   if (bad)
      fprintf(stderr, "pergola exec: %s cannot be written\n", bad);
   if (out->text)
      pergola_trace_close(out->text);
   if (out->perfetto)
      pergola_trace_close(out->perfetto);
   return !bad;
}

/* A batch that hung then may stop at another place now: it is told, and not compared. */
static bool
compare(const struct dump *d, enum pergola_run_result result)
{
   unsigned of, same = d->hung ? 0 : dump_compare(d, &of);
   printf("%s: %s after %llu ns of model time", d->directory, exec_result_name(result),
          (unsigned long long)pergola_time_ns(d->dev));
   if (d->hung) {
      printf("; it hung then%s\n", result == PERGOLA_RUN_IDLE ? ", and does not now" : " too");
      return result != PERGOLA_RUN_IDLE;
   }
   printf("; %u of %u blocks of memory are as they were\n", same, of);
   return result == PERGOLA_RUN_IDLE && same == of;
}

/* `only`: of many batches rules are not told, which all say the same; `run` has told them. */
static bool
replay(struct dump *d, const struct exec_options *o, bool only)
{
   struct pergola_config config = {.check = o->check, .sanitize = o->sanitize};
   struct exec_outputs out = {0};
   if (!dump_load(d, &config))
      return false;
   if (only || o->sanitize)
      pergola_add_diagnostic_sink(d->dev, exec_print_diagnostic, NULL);
   bool ok = exec_open_outputs(d->dev, o, &out);
   if (ok)
      ok = compare(d, dump_run(d, o->budget));
   return exec_close_outputs(d->dev, o, &out) && ok;
}

/* The file of an option for the n-th batch: those after the first have the number in their names,
 * as further processes of `pergola run` do. To be freed. */
static const char *
numbered(const char *path, unsigned n)
{
   char *all = NULL;
   if (!path || n == 1 || !strcmp(path, "-"))
      return path ? strdup(path) : NULL;
   const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
   size_t stem = dot ? (size_t)(dot - path) : strlen(path);
   return asprintf(&all, "%.*s-%u%s", (int)stem, path, n, path + stem) < 0 ? NULL : all;
}

static bool
play(void *data, const char *path)
{
   struct replayed *r = data;
   struct dump d;
   struct exec_options o = *r->o;
   r->played++;
   o.trace = numbered(r->o->trace, r->played);
   o.perfetto = numbered(r->o->perfetto, r->played);
   o.report = numbered(r->o->report, r->played);
   r->bad += !(dump_read(&d, path) && replay(&d, &o, !strcmp(path, r->directory)));
   dump_free(&d);
   free((char *)o.trace);
   free((char *)o.perfetto);
   free((char *)o.report);
   return true;
}

/* What belongs to a file, or to the machine of this command alone. */
static const char *
misplaced(const struct exec_options *o)
{
   return o->device           ? "--device"
          : o->save           ? "--save"
          : o->load           ? "--load"
          : o->error_state    ? "--error-state"
          : o->dump_count     ? "--dump"
          : o->register_count ? "--reg"
                              : NULL;
}

int
exec_dump_directory(const struct exec_options *o, const char *directory)
{
   const char *option = misplaced(o);
   if (option) {
      fprintf(stderr, "pergola exec: %s is for a batch in a file, not for a directory\n", option);
      return CLI_USAGE;
   }
   struct replayed r = {.o = o, .directory = directory};
   unsigned count = dump_each(directory, play, &r);
   if (count > 1)
      printf("%u of %u batches ran to the same memory\n", count - r.bad, count);
   return count && !r.bad ? fail_verdict(o->seen, o->fail, false) : CLI_FAILED;
}
