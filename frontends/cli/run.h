/* What the files of `pergola run` share. */
#ifndef PERGOLA_CLI_RUN_H
#define PERGOLA_CLI_RUN_H

#include "frontends/drm/summary.h"

#include <stdbool.h>

/* A list of rules that there are? Else it has been said which is not. */
bool run_rules_known(const char *list);
/* A program that opened no GPU has nothing to report: a report that says so, instead of none or of
 * one that an earlier run has left. */
void run_report_nothing(struct run_summary *s);
/* The closing lines. */
void run_say(const struct run_summary *s, const char *name);
/* The exit code: the program's, unless that is 0 and something has happened that --fail-on names,
 * or a file could not be written. */
int run_verdict(const struct run_summary *s, int code, bool quiet);

#endif
