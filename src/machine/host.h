/* What the host can do. */
#ifndef PERGOLA_HOST_H
#define PERGOLA_HOST_H

#include <stdbool.h>

/* Can it run generated code, and the files that are compiled for AVX2? FMA is a part of that: the
 * compiler may use it anywhere in them. */
static inline bool
host_has_vectors(void)
{
#ifdef __x86_64__
   return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
   return false;
#endif
}

#endif
