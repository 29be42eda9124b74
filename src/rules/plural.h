/* "1 thread is", "2 threads are": the ending of the noun, and the verb. */
#ifndef PERGOLA_RULES_PLURAL_H
#define PERGOLA_RULES_PLURAL_H

#include <stdint.h>

static inline const char *
plural(uint64_t n)
{
   return n == 1 ? "" : "s";
}

static inline const char *
are(uint64_t n)
{
   return n == 1 ? "is" : "are";
}

static inline const char *
have(uint64_t n)
{
   return n == 1 ? "has" : "have";
}

#endif
