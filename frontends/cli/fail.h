/* --fail-on: what makes a run that ended well a failure. */
#ifndef PERGOLA_CLI_FAIL_H
#define PERGOLA_CLI_FAIL_H

#include "frontends/drm/summary.h"

#include <stdbool.h>

struct pergola_diagnostic;

#define FAIL_WORDS "error, warning, unmodelled, hang, sanitizer, unused, all"

/* Bits of the words; 0: one of them is none. */
unsigned fail_bits(const char *list);
/* A sink of diagnostics that counts them in a struct run_summary. */
void fail_count(void *summary, const struct pergola_diagnostic *d);
/* The exit code of a run that ended well: not 0 if something happened that the bits name. */
int fail_verdict(const struct run_summary *s, unsigned bits, bool quiet);

#endif
