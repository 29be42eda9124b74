/* open, close, dup, ioctl: the calls on descriptors. */
#include "interpose.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#undef open
#undef openat
#undef fcntl

static bool
needs_mode(int flags)
{
   return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
}

/* Ours: *fd is the answer. */
static bool
ours(const char *path, int flags, int *fd)
{
   struct node n;
   if (node_lookup(path, !(flags & O_NOFOLLOW), &n)) {
      *fd = preload_open(&n, flags);
      return true;
   }
   int other = preload_proc_fd(path);
   char own[NODE_PATH_MAX];
   if (other >= 0 && path_find(other, own) && node_lookup(own, true, &n)) {
      *fd = preload_open(&n, flags);
      return true;
   }
   struct kernel *k = preload_kernel();
   if (other < 0 || !k || kernel_inside)
      return false;
   kernel_lock(k);
   struct fd_entry e = fd_find(k, other);
   bool render = e.kind == FD_DRM && ((struct drm_file *)e.what)->render_node;
   pthread_mutex_unlock(&k->lock);
   if (e.kind != FD_DRM)
      return false;
   n = (struct node){.kind = render ? NODE_RENDER : NODE_PRIMARY};
   *fd = preload_open(&n, flags);
   return true;
}

#define OPEN(name)                                                                                 \
   EXPORT int name(const char *path, int flags, ...);                                              \
   EXPORT int name(const char *path, int flags, ...)                                               \
   {                                                                                               \
      REAL(name, int (*)(const char *, int, ...));                                                 \
      mode_t mode = 0;                                                                             \
      int fd;                                                                                      \
      if (needs_mode(flags)) {                                                                     \
         va_list args;                                                                             \
         va_start(args, flags);                                                                    \
         mode = va_arg(args, mode_t);                                                              \
         va_end(args);                                                                             \
      }                                                                                            \
      return ours(path, flags, &fd) ? fd : real(path, flags, mode);                                \
   }
OPEN(open)
OPEN(open64)

#define OPEN_2(name)                                                                               \
   EXPORT int name(const char *path, int flags);                                                   \
   EXPORT int name(const char *path, int flags)                                                    \
   {                                                                                               \
      REAL(name, int (*)(const char *, int));                                                      \
      int fd;                                                                                      \
      return ours(path, flags, &fd) ? fd : real(path, flags);                                      \
   }
OPEN_2(__open_2)
OPEN_2(__open64_2)

#define OPENAT(name)                                                                               \
   EXPORT int name(int dir, const char *path, int flags, ...);                                     \
   EXPORT int name(int dir, const char *path, int flags, ...)                                      \
   {                                                                                               \
      REAL(name, int (*)(int, const char *, int, ...));                                            \
      mode_t mode = 0;                                                                             \
      int fd;                                                                                      \
      if (needs_mode(flags)) {                                                                     \
         va_list args;                                                                             \
         va_start(args, flags);                                                                    \
         mode = va_arg(args, mode_t);                                                              \
         va_end(args);                                                                             \
      }                                                                                            \
      char joined[2 * NODE_PATH_MAX];                                                              \
      if (ours(path_at(dir, path, joined), flags, &fd))                                            \
         return fd;                                                                                \
      path_leaves(&dir, &path, joined);                                                            \
      return real(dir, path, flags, mode);                                                         \
   }
OPENAT(openat)
OPENAT(openat64)

#define OPENAT_2(name)                                                                             \
   EXPORT int name(int dir, const char *path, int flags);                                          \
   EXPORT int name(int dir, const char *path, int flags)                                           \
   {                                                                                               \
      REAL(name, int (*)(int, const char *, int));                                                 \
      int fd;                                                                                      \
      char joined[2 * NODE_PATH_MAX];                                                              \
      if (ours(path_at(dir, path, joined), flags, &fd))                                            \
         return fd;                                                                                \
      path_leaves(&dir, &path, joined);                                                            \
      return real(dir, path, flags);                                                               \
   }
OPENAT_2(__openat_2)
OPENAT_2(__openat64_2)

#define FOPEN(name)                                                                                \
   EXPORT FILE *name(const char *path, const char *mode);                                          \
   EXPORT FILE *name(const char *path, const char *mode)                                           \
   {                                                                                               \
      REAL(name, FILE *(*)(const char *, const char *));                                           \
      int fd;                                                                                      \
      int flags = mode && (mode[0] != 'r' || strchr(mode, '+')) ? O_RDWR : O_RDONLY;               \
      if (!ours(path, flags | O_CLOEXEC, &fd))                                                     \
         return real(path, mode);                                                                  \
      path_forget(fd); /* fclose() goes unseen, and then the number is another file's */           \
      return fd < 0 ? NULL : fdopen(fd, mode);                                                     \
   }
FOPEN(fopen)
FOPEN(fopen64)

static void
forget(int fd)
{
   struct kernel *k = preload_kernel();
   int saved = errno;
   path_forget(fd);
   if (!k || kernel_inside)
      return;
   INSIDE();
   kernel_lock(k);
   fd_forget(k, fd);
   pthread_mutex_unlock(&k->lock);
   errno = saved;
}

/* The memfd behind all objects is not the client's to close. */
static bool
is_internal(int fd)
{
   struct kernel *k = preload_kernel();
   if (!k || fd < 0)
      return false;
   bool internal = fd == k->objects.fd;
   for (const struct arena *a = k->old_objects; a && !internal; a = a->older)
      internal = fd == a->fd;
   return internal;
}

EXPORT int
close(int fd)
{
   REAL(close, int (*)(int));
   if (is_internal(fd)) {
      errno = EBADF;
      return -1;
   }
   forget(fd);
   return real(fd);
}

/* The lowest one that stays open, of [first, last]. */
static bool
first_internal(struct kernel *k, unsigned first, unsigned last, unsigned *keep)
{
   bool any = false;
   *keep = last;
   for (const struct arena *a = &k->objects; a; a = a == &k->objects ? k->old_objects : a->older)
      if (a->fd >= 0 && (unsigned)a->fd >= first && (unsigned)a->fd <= *keep) {
         *keep = (unsigned)a->fd;
         any = true;
      }
   return any;
}

EXPORT int close_range(unsigned first, unsigned last, int flags);
EXPORT int
close_range(unsigned first, unsigned last, int flags)
{
   struct kernel *k = preload_kernel();
   if (!k || flags)
      return (int)syscall(SYS_close_range, first, last, flags);
   for (unsigned fd = first; fd <= last && fd < (unsigned)k->fd_room; fd++)
      forget((int)fd);
   int ret = 0;
   unsigned keep;
   while (first_internal(k, first, last, &keep)) {
      if (keep > first)
         ret |= (int)syscall(SYS_close_range, first, keep - 1, flags);
      if (keep == last)
         return ret;
      first = keep + 1;
   }
   return ret | (int)syscall(SYS_close_range, first, last, flags);
}

EXPORT void closefrom(int first);
EXPORT void
closefrom(int first)
{
   close_range(first > 0 ? (unsigned)first : 0, ~0u, 0);
}

/* The C library closes by itself what is under a stream. */
EXPORT int
fclose(FILE *f)
{
   REAL(fclose, int (*)(FILE *));
   int fd = f && !CALLED_FROM_HERE() ? fileno(f) : -1;
   if (fd >= 0)
      forget(fd);
   return real(f);
}

EXPORT ssize_t
write(int fd, const void *data, size_t size)
{
   REAL(write, ssize_t(*)(int, const void *, size_t));
   char path[NODE_PATH_MAX];
   if (!path_find(fd, path))
      return real(fd, data, size);
   ssize_t n = preload_write(path, data, size);
   if (n >= 0)
      return n;
   errno = (int)-n;
   return -1;
}

static void
copied(int from, int to)
{
   struct kernel *k = preload_kernel();
   int saved = errno;
   if (to >= 0)
      path_copy(from, to);
   if (!k || kernel_inside || to < 0)
      return;
   INSIDE();
   kernel_lock(k);
   fd_copy(k, from, to);
   pthread_mutex_unlock(&k->lock);
   errno = saved;
}

EXPORT int
dup(int fd)
{
   REAL(dup, int (*)(int));
   int to = real(fd);
   copied(fd, to);
   return to;
}

/* Before the number means something else: a completion must not be told to the new file. */
static void
replaced(int from, int to)
{
   if (from != to && syscall(SYS_fcntl, from, F_GETFD) >= 0)
      forget(to);
}

EXPORT int
dup2(int fd, int to)
{
   REAL(dup2, int (*)(int, int));
   if (is_internal(to)) {
      errno = EBUSY;
      return -1;
   }
   replaced(fd, to);
   int ret = real(fd, to);
   copied(fd, ret);
   return ret;
}

EXPORT int dup3(int fd, int to, int flags);
EXPORT int
dup3(int fd, int to, int flags)
{
   REAL(dup3, int (*)(int, int, int));
   if (is_internal(to)) {
      errno = EBUSY;
      return -1;
   }
   replaced(fd, to);
   int ret = real(fd, to, flags);
   copied(fd, ret);
   return ret;
}

#define FCNTL(name)                                                                                \
   EXPORT int name(int fd, int command, ...);                                                      \
   EXPORT int name(int fd, int command, ...)                                                       \
   {                                                                                               \
      REAL(name, int (*)(int, int, ...));                                                          \
      va_list args;                                                                                \
      va_start(args, command);                                                                     \
      void *arg = va_arg(args, void *);                                                            \
      va_end(args);                                                                                \
      int ret = real(fd, command, arg);                                                            \
      if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)                                        \
         copied(fd, ret);                                                                          \
      return ret;                                                                                  \
   }
FCNTL(fcntl)
FCNTL(fcntl64)

static bool
entry_ioctl(struct kernel *k, int fd, unsigned long request, void *arg, int *ret)
{
   INSIDE();
   kernel_lock(k);
   struct fd_entry e = fd_find(k, fd);
   bool handled = true;
   if (e.kind != FD_NONE)
      preload_revive(k);
   switch (e.kind) {
   case FD_DRM: {
      struct drm_file *f = e.what;
      f->refs++; /* another thread may close the descriptor meanwhile */
      pthread_mutex_unlock(&k->lock);
      *ret = drm_file_ioctl(f, request, arg);
      kernel_lock(k);
      drm_file_unref(f);
      break;
   }
   case FD_PRIME:
      gem_ref(e.what);
      *ret = prime_ioctl(k, e.what, request, arg);
      gem_unref(e.what);
      break;
   case FD_SYNC_FILE:
      *ret = sync_file_ioctl(k, e.what, request, arg);
      break;
   case FD_SW_SYNC:
      *ret = sw_sync_ioctl(k, e.what, request, arg);
      break;
   default:
      handled = false;
   }
   pthread_mutex_unlock(&k->lock);
   return handled;
}

EXPORT int
ioctl(int fd, unsigned long request, ...)
{
   REAL(ioctl, int (*)(int, unsigned long, ...));
   va_list args;
   va_start(args, request);
   void *arg = va_arg(args, void *);
   va_end(args);
   struct kernel *k = preload_kernel();
   int ret;
   if (!k || !entry_ioctl(k, fd, request & 0xffffffffu, arg, &ret))
      return real(fd, request, arg);
   if (ret >= 0)
      return ret;
   errno = -ret;
   return -1;
}
