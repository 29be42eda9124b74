/* What the host can do. */
#ifndef PERGOLA_HOST_H
#define PERGOLA_HOST_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* PERGOLA_HOST=baseline plays a processor that has nothing beyond what x86-64 always has. */
static inline bool
host_is_baseline(void)
{
   const char *host = getenv("PERGOLA_HOST");
   return host && !strcmp(host, "baseline");
}

/* Are the files that are compiled for AVX2 a part of the library? Else nothing may name what they
 * have. */
#ifdef __x86_64__
#define HOST_VECTORS true
#else
#define HOST_VECTORS false
#endif

/* Can it run generated code, and the files that are compiled for AVX2? FMA is a part of that: the
 * compiler may use it anywhere in them. */
static inline bool
host_has_vectors(void)
{
#ifdef __x86_64__
   return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && !host_is_baseline();
#else
   return false;
#endif
}

#endif
