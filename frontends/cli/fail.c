/* --fail-on: what makes a run that ended well a failure. */
#include "fail.h"
#include "cli.h"

enum { FAIL_CODE = 3 };

static const struct word_bits fail_words[] = {{"error", 1}, {"warning", 2},    {"unmodelled", 4},
                                              {"hang", 8},  {"sanitizer", 16}, {"unused", 32},
                                              {"all", 63}};

unsigned
fail_bits(const char *list)
{
   return words_bits(list, fail_words, sizeof(fail_words) / sizeof(fail_words[0]));
}

void
fail_count(void *summary, const struct pergola_diagnostic *d)
{
   struct run_summary *s = summary;
   s->unmodelled += d->unmodelled;
   if (summary_finding(d->rule))
      s->findings++;
   else if (d->severity >= PERGOLA_ERROR)
      s->errors++;
   else if (d->severity == PERGOLA_WARNING)
      s->warnings++;
}

int
fail_verdict(const struct run_summary *s, unsigned bits, bool quiet)
{
   const uint64_t happened[] = {s->errors, s->warnings, s->unmodelled,
                                s->hangs,  s->findings, !s->devices};
   for (unsigned i = 0; i < sizeof(happened) / sizeof(happened[0]); i++)
      if (bits >> i & 1 && happened[i]) {
         if (!quiet)
            fprintf(stderr, "pergola: exit code %d by --fail-on=%s\n", FAIL_CODE,
                    fail_words[i].word);
         return FAIL_CODE;
      }
   return CLI_OK;
}
