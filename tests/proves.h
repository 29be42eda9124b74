/* A case says in its body which rows of the ledger it proves: proves("RCS-117", "RCS-118");
 *
 * The rows are printed with the results (TAP), before the line of the case that made the call, and
 * tools/ledger.py reads nothing else: they count when that case and its whole program passed. */
#ifndef TESTS_PROVES_H
#define TESTS_PROVES_H

#include <stdio.h>
#include <stdlib.h>

#define proves(...) proves_rows(__FILE__, __LINE__, (const char *const[]){__VA_ARGS__, NULL})

static inline void
proves_rows(const char *file, int line, const char *const *rows)
{
   for (; *rows; rows++)
      printf("# proves %s at %s:%d\n", *rows, file, line);
   fflush(stdout); /* a case that forks must not print it twice */
}

/* PROVES_CASE=name runs one case of a program. */
void cmocka_set_test_filter(const char *pattern);

__attribute__((constructor)) static void
proves_one_case(void)
{
   cmocka_set_test_filter(getenv("PROVES_CASE"));
}

#endif
