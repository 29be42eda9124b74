/* "1 thread", "2 threads": the ending. */
#ifndef PERGOLA_RULES_PLURAL_H
#define PERGOLA_RULES_PLURAL_H

#include <stdint.h>

static inline const char *
plural(uint64_t n)
{
   return n == 1 ? "" : "s";
}

#endif
