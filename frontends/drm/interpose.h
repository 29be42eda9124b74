/* The C library's functions that the preload library stands before. */
#ifndef PERGOLA_DRM_INTERPOSE_H
#define PERGOLA_DRM_INTERPOSE_H

#include "kernel.h"
#include "nodes.h"

#include <dlfcn.h>

#define EXPORT __attribute__((visibility("default")))

/* The next definition of the function in whose body this stands. */
#define REAL(name, type)                                                                            \
   static __typeof__(type) real;                                                                    \
   if (!__atomic_load_n(&real, __ATOMIC_ACQUIRE))                                                   \
   __atomic_store_n(&real, (__typeof__(type))dlsym(RTLD_NEXT, #name), __ATOMIC_RELEASE)

/* NULL before the first node was opened. */
struct kernel *preload_kernel(void);
/* Makes it if need be; NULL and errno on failure. */
struct kernel *preload_kernel_get(void);
const struct pergola_sku *preload_sku(void);

/* Opens one of our nodes or files: a descriptor, or -1 and errno. */
int preload_open(const struct node *n, int flags);
/* A path like /proc/self/fd/7: the descriptor, or -1. */
int preload_proc_fd(const char *path);

#endif
