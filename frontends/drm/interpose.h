/* The C library's functions that the preload library stands before. */
#ifndef PERGOLA_DRM_INTERPOSE_H
#define PERGOLA_DRM_INTERPOSE_H

#include "kernel.h"
#include "nodes.h"

#include <dlfcn.h>
#include <sys/types.h>

#define EXPORT __attribute__((visibility("default")))

/* The next definition of the function in whose body this stands. */
#define REAL(name, type)                                                                           \
   static __typeof__(type) real;                                                                   \
   if (!__atomic_load_n(&real, __ATOMIC_ACQUIRE))                                                  \
   __atomic_store_n(&real, (__typeof__(type))dlsym(RTLD_NEXT, #name), __ATOMIC_RELEASE)

/* Whether the function in whose body this stands was called from this library itself. What the
 * kernel and the device unmap is never the client's. */
#define CALLED_FROM_HERE() preload_own_code(__builtin_return_address(0))
bool preload_own_code(const void *address);

/* Until the end of the block the thread works for the kernel: what the C library frees and unmaps
 * for it meanwhile is not the client's; signals wait, for a handler may want the lock that this
 * thread has, or jump away with it; so do cancellations. */
#define INSIDE()                                                                                   \
   __attribute__((cleanup(preload_leave))) struct preload_inside inside_;                          \
   preload_enter(&inside_)

struct preload_inside {
   bool before;
   int cancel;
   sigset_t mask;
};

static inline void
preload_enter(struct preload_inside *i)
{
   i->before = kernel_inside;
   if (i->before)
      return;
   signals_block(&i->mask);
   pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &i->cancel);
   kernel_client_mask = &i->mask;
   kernel_client_cancel = i->cancel;
   kernel_inside = true;
}

static inline void
preload_leave(const struct preload_inside *i)
{
   if (i->before)
      return;
   kernel_inside = false;
   kernel_client_mask = NULL;
   pthread_setcancelstate(i->cancel, NULL);
   pthread_sigmask(SIG_SETMASK, &i->mask, NULL);
}

/* This memory of the client's is about to be taken away, or to be protected: the GPU is done with
 * it on return. */
void preload_memory_goes(void *address, size_t size, bool unmapped);

/* NULL before the first node was opened. */
struct kernel *preload_kernel(void);
/* Makes it if need be; NULL and errno on failure. */
struct kernel *preload_kernel_get(void);
/* Under the lock: in the child of a fork, a device of its own. */
void preload_revive(struct kernel *k);
const struct pergola_sku *preload_sku(void);

/* Opens one of our nodes or files: a descriptor, or -1 and errno. */
int preload_open(const struct node *n, int flags);
/* Contents of a file that tells the kernel's state, to be freed; NULL if this is none. */
char *preload_state(const char *path);
/* What a client writes into one of our files: the bytes taken, or a negative errno. */
ssize_t preload_write(const char *path, const void *data, size_t size);

/* Descriptors of our files and directories, by path (paths.c). */
bool path_install(int fd, const char *path);
bool path_find(int fd, char path[NODE_PATH_MAX]);
void path_forget(int fd);
void path_copy(int from, int to);
/* `path` as seen from the directory `dir`, if that is one of ours; else `path` itself. */
const char *path_at(int dir, const char *path, char joined[2 * NODE_PATH_MAX]);
/* After path_at, for what is not ours: from a directory of ours it may lead to the host ("..").
 * Then dir and path are made those of the host. */
bool path_leaves(int *dir, const char **path, char joined[2 * NODE_PATH_MAX]);
void path_before_fork(void);
void path_after_fork(void);
/* Registers of the device that the client has mapped (registers.c). 0 or a negative errno. */
int registers_map(struct kernel *k, void *address, size_t size, int flags, uint64_t offset,
                  void **out);
void registers_forget(uint64_t start, uint64_t end); /* under the lock */
bool registers_mapped(void);                         /* ever */
/* A path like /proc/self/fd/7: the descriptor, or -1. */
int preload_proc_fd(const char *path);

#endif
