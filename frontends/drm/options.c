/* What is asked of the library by environment variables: `pergola run` sets them, or the user does.
 * A value that means nothing is named, never taken for another in silence. */
#include "kernel.h"

#include "pergola/pergola_trace.h"
#include "rules/words.h"
#include "summary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_HANG_BUDGET 20000000000ull /* some minutes of a host processor */
#define DEFAULT_WAIT_LIMIT_NS 2000000000ll

/* NULL: not set, or set to nothing. */
static const char *
setting(const char *name)
{
   const char *v = getenv(name);
   return v && v[0] ? v : NULL;
}

static void
complain(const char *name, const char *wants, const char *value, const char *instead)
{
   fprintf(stderr, "pergola: %s is %s, not '%s'; %s\n", name, wants, value, instead);
}

static void
text(const char *name, char *to, size_t size)
{
   const char *v = setting(name);
   to[0] = 0;
   if (v && strlen(v) < size)
      strcpy(to, v);
   else if (v)
      complain(name, "too long a text", v, "it is left out");
}

static uint64_t
number(const char *name, uint64_t least, uint64_t most, uint64_t instead)
{
   const char *v = setting(name);
   if (!v)
      return instead;
   char *end;
   errno = 0;
   uint64_t n = strtoull(v, &end, 0);
   if (!errno && !*end && v[0] != '-' && n >= least && n <= most)
      return n;
   char wants[80];
   snprintf(wants, sizeof(wants),
            most == UINT64_MAX ? "a number from %llu on" : "a number from %llu to %llu",
            (unsigned long long)least, (unsigned long long)most);
   complain(name, wants, v, "the default is taken");
   return instead;
}

static bool
flag(const char *name)
{
   const char *v = setting(name);
   if (v && strcmp(v, "0") && strcmp(v, "1"))
      complain(name, "0 or 1", v, "1 is taken");
   return v && strcmp(v, "0");
}

static enum pergola_check
check(void)
{
   const char *v = setting("PERGOLA_CHECK");
   if (!v || !strcmp(v, "report"))
      return PERGOLA_CHECK_REPORT;
   if (!strcmp(v, "stop"))
      return PERGOLA_CHECK_STOP;
   if (!strcmp(v, "off"))
      return PERGOLA_CHECK_OFF;
   complain("PERGOLA_CHECK", "off, report or stop", v, "report is taken");
   return PERGOLA_CHECK_REPORT;
}

static enum pergola_native
native(void)
{
   const char *v = setting("PERGOLA_NATIVE");
   if (!v || !strcmp(v, "auto"))
      return PERGOLA_NATIVE_AUTO;
   if (!strcmp(v, "off"))
      return PERGOLA_NATIVE_OFF;
   if (!strcmp(v, "always"))
      return PERGOLA_NATIVE_ALWAYS;
   complain("PERGOLA_NATIVE", "auto, off or always", v, "auto is taken");
   return PERGOLA_NATIVE_AUTO;
}

static unsigned
sanitize(void)
{
   const char *v = setting("PERGOLA_SANITIZE");
   unsigned kinds = v ? pergola_sanitize_kinds(v, NULL) : 0;
   if (v && !kinds)
      complain("PERGOLA_SANITIZE", "a list of " PERGOLA_SANITIZE_WORDS, v, "it is off");
   return kinds;
}

static unsigned
stats(void)
{
   const char *v = setting("PERGOLA_STATS");
   if (!v || !strcmp(v, "0"))
      return 0;
   unsigned bits = strcmp(v, "1") ? run_stats_bits(v) : RUN_STATS_TEXT;
   if (!bits)
      complain("PERGOLA_STATS", "0, 1 or a list of " RUN_STATS_WORDS, v, "text is taken");
   return bits ? bits : RUN_STATS_TEXT;
}

static void
trace(char *to, size_t size)
{
   text("PERGOLA_TRACE", to, size);
   const char *bad;
   if (!to[0] || pergola_trace_kinds(to, &bad))
      return;
   complain("PERGOLA_TRACE", "a list of " PERGOLA_TRACE_WORDS, to, "nothing is traced");
   to[0] = 0;
}

static const char *const names[] = {
    "AUB",      "BASELINE",    "CHECK",      "DETERMINISTIC",  "DEVICE",   "DUMP",   "ERROR_STATE",
    "FAIL_ON",  "HANG_BUDGET", "HAZARDS",    "HOST",           "IGNORE",   "NATIVE", "PATIENCE",
    "PERFETTO", "PRELOAD",     "QUIET",      "REPORT",         "SANITIZE", "STATS",  "SUMMARY",
    "THREADS",  "TRACE",       "TRACE_FILE", "WRITE_BASELINE",
};

/* Others may have variables of that beginning too; what nearly is one of ours is a slip of the pen.
 */
static void
look_for_slips(void)
{
   static const char prefix[] = "PERGOLA_";
   for (char **v = environ; v && *v; v++) {
      if (strncmp(*v, prefix, sizeof(prefix) - 1))
         continue;
      const char *name = *v + sizeof(prefix) - 1, *near = NULL;
      size_t length = strcspn(name, "=");
      unsigned least = 3;
      for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && length < 24; i++) {
         unsigned d = word_distance(name, length, names[i]);
         if (d < least) {
            least = d;
            near = names[i];
         }
      }
      if (near && least)
         fprintf(stderr, "pergola: PERGOLA_%.*s has no effect; PERGOLA_%s has\n", (int)length, name,
                 near);
   }
}

void
kernel_options_from_environment(struct kernel_options *o)
{
   memset(o, 0, sizeof(*o));
   text("PERGOLA_DEVICE", o->device, sizeof(o->device));
   text("PERGOLA_REPORT", o->report, sizeof(o->report));
   text("PERGOLA_TRACE_FILE", o->trace_file, sizeof(o->trace_file));
   text("PERGOLA_PERFETTO", o->perfetto, sizeof(o->perfetto));
   text("PERGOLA_OA", o->oa, sizeof(o->oa));
   text("PERGOLA_DUMP", o->dump, sizeof(o->dump));
   text("PERGOLA_AUB", o->aub, sizeof(o->aub));
   text("PERGOLA_ERROR_STATE", o->error_state, sizeof(o->error_state));
   text("PERGOLA_IGNORE", o->verdict.ignore, sizeof(o->verdict.ignore));
   text("PERGOLA_BASELINE", o->verdict.baseline, sizeof(o->verdict.baseline));
   text("PERGOLA_WRITE_BASELINE", o->verdict.write_baseline, sizeof(o->verdict.write_baseline));
   trace(o->trace, sizeof(o->trace));
   o->check = check();
   o->native = native();
   o->sanitize = sanitize();
   o->threads = (unsigned)number("PERGOLA_THREADS", 0, UINT16_MAX, 0);
   o->deterministic = flag("PERGOLA_DETERMINISTIC");
   o->stats = stats();
   o->hazards = flag("PERGOLA_HAZARDS");
   o->hang_budget = number("PERGOLA_HANG_BUDGET", 1, UINT64_MAX, DEFAULT_HANG_BUDGET);
   o->patience_s = number("PERGOLA_PATIENCE", 0, 1000000, isatty(STDERR_FILENO) ? 5 : 0);
   o->wait_limit_ns = DEFAULT_WAIT_LIMIT_NS;
   look_for_slips();
}
