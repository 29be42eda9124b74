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

/* Names of what is compiled several times, by HOST_SUFFIX: `baseline`, for what every host of its
 * kind has, and `avx2`, for AVX2 and FMA. Which one fits, HOST_CHOOSE says. */
#ifdef HOST_SUFFIX
#define HOST_PASTE_2(name, suffix) name##_##suffix
#define HOST_PASTE(name, suffix) HOST_PASTE_2(name, suffix)
#define HOST_NAME(name) HOST_PASTE(name, HOST_SUFFIX)
#endif
#ifdef __x86_64__
#define HOST_CHOOSE(name) (host_has_vectors() ? &name##_avx2 : &name##_baseline)
#else
#define HOST_CHOOSE(name) (&name##_baseline)
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
