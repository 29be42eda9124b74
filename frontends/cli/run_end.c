/* The end of `pergola run`: what it says, and what its exit code is. */
#include "cli.h"
#include "fail.h"
#include "run.h"

#include "pergola/pergola_trace.h"
#include "rules/plural.h"

#include <stdlib.h>
#include <string.h>

bool
run_rules_known(const char *list)
{
   if (!*list) {
      fputs("pergola: --ignore: '' is not a rule; 'pergola rules' lists them\n", stderr);
      return false;
   }
   while (*list) {
      char rule[24];
      size_t n = strcspn(list, ",");
      snprintf(rule, sizeof(rule), "%.*s", n < sizeof(rule) ? (int)n : 0, list);
      if (!pergola_rule_find(rule, NULL)) {
         fprintf(stderr, "pergola: --ignore: '%.*s' is not a rule; 'pergola rules' lists them\n",
                 (int)n, list);
         return false;
      }
      list += n + (list[n] == ',');
   }
   return true;
}

void
run_report_nothing(struct run_summary *s)
{
   const char *path = getenv("PERGOLA_REPORT"), *why;
   if (s->devices || !path || !path[0] || !strcmp(path, "-"))
      return;
   struct pergola_device *dev = pergola_device_create(NULL, &why);
   if (!dev || pergola_report_open(dev, path, cli_report_format(path)) ||
       pergola_report_failed(dev)) {
      fprintf(stderr, "pergola: %s cannot be written\n", path);
      s->unwritten++;
   }
   pergola_device_destroy(dev);
}

void
run_say(const struct run_summary *s, const char *name)
{
   if (!s->devices) {
      const char *why = cli_program_obstacle(name);
      fprintf(stderr, "pergola: the program did not open the GPU%s%s%s; 0 rules broken\n",
              why ? ": it is " : "", why ? why : "",
              why ? ", so the library cannot get into it" : "");
      return;
   }
   if (s->unmodelled)
      fprintf(stderr, "pergola: %llu feature%s not modelled: results are wrong\n",
              (unsigned long long)s->unmodelled, plural(s->unmodelled));
   if (getenv("PERGOLA_SANITIZE"))
      fprintf(stderr, "pergola: %llu finding%s of the sanitizer\n", (unsigned long long)s->findings,
              plural(s->findings));
   fprintf(stderr, "pergola: %llu rule%s broken, %llu warning%s, %llu hang%s in %llu batch%s",
           (unsigned long long)s->errors, plural(s->errors), (unsigned long long)s->warnings,
           plural(s->warnings), (unsigned long long)s->hangs, plural(s->hangs),
           (unsigned long long)s->batches, s->batches == 1 ? "" : "es");
   if (s->dropped)
      fprintf(stderr, ", %llu of which did not end", (unsigned long long)s->dropped);
   fputc('\n', stderr);
}

int
run_verdict(const struct run_summary *s, int code, bool quiet)
{
   const char *list = getenv("PERGOLA_FAIL_ON");
   if (code)
      return code;
   if (s->unwritten)
      return CLI_FAILED;
   return fail_verdict(s, list && list[0] ? fail_bits(list) : 0, quiet);
}
