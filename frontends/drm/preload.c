/* The one kernel of the process, made when the first node is opened. */
#include "interpose.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct kernel *the_kernel; /* the process is what a kernel belongs to */
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
static pid_t owner;

/* Where the linker has put this library. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

bool
preload_own_code(const void *address)
{
   return (const char *)address >= __ehdr_start && (const char *)address < _end;
}

struct kernel *
preload_kernel(void)
{
   return __atomic_load_n(&the_kernel, __ATOMIC_ACQUIRE);
}

static void
before_fork(void)
{
   pthread_mutex_lock(&making);
   path_before_fork();
   if (the_kernel)
      kernel_before_fork(the_kernel);
}

static void
after_fork_parent(void)
{
   if (the_kernel)
      kernel_after_fork_parent(the_kernel);
   path_after_fork();
   pthread_mutex_unlock(&making);
}

static void
after_fork_child(void)
{
   pthread_mutex_init(&making, NULL);
   path_after_fork();
   owner = getpid();
   if (the_kernel)
      kernel_after_fork_child(the_kernel);
}

/* From the start: who forks while another thread makes the kernel waits until it is made. */
__attribute__((constructor)) static void
at_start(void)
{
   pthread_atfork(before_fork, after_fork_parent, after_fork_child);
}

/* After the client's own exit handlers, which may still use the GPU. */
__attribute__((destructor)) static void
at_exit(void)
{
   struct kernel *k = preload_kernel();
   if (!k || owner != getpid())
      return;
   /* Other threads of the client may still be inside an ioctl, so the kernel stays: the device is
    * stopped between two slices, and goes with its reports, which are completed by that. */
   INSIDE();
   kernel_lock(k);
   kernel_finish_requests(k);
   pthread_mutex_unlock(&k->lock);
   if (k->runner)
      pergola_runner_stop(k->runner);
   kernel_lock(k);
   k->wedged = true;
   requests_abandon(k); /* nobody may wait for them any more */
   kreport_close(k);
   device_end(k);
   pthread_mutex_unlock(&k->lock);
   fflush(stderr);
}

struct kernel *
preload_kernel_get(void)
{
   struct kernel *k = preload_kernel();
   if (k)
      return k;
   pthread_mutex_lock(&making);
   if (!the_kernel) {
      struct kernel_options o;
      const char *error = NULL;
      kernel_options_from_environment(&o);
      k = kernel_create(&o, &error);
      if (!k) {
         fprintf(stderr, "pergola: %s\n", error);
      } else {
         owner = getpid();
         __atomic_store_n(&the_kernel, k, __ATOMIC_RELEASE);
      }
   }
   pthread_mutex_unlock(&making);
   if (!the_kernel)
      errno = ENODEV;
   return the_kernel;
}

void
preload_revive(struct kernel *k)
{
   INSIDE();
   kernel_revive(k);
}

const struct pergola_sku *
preload_sku(void)
{
   const char *name = getenv("PERGOLA_DEVICE");
   const struct pergola_sku *s = pergola_sku_find(name && name[0] ? name : NULL);
   return s ? s : pergola_sku_at(0);
}

static int
open_node(bool render, int flags)
{
   struct kernel *k = preload_kernel_get();
   if (!k)
      return -1;
   int fd = (int)syscall(SYS_eventfd2, 0, flags & (O_CLOEXEC | O_NONBLOCK));
   if (fd < 0)
      return -1;
   kernel_lock(k);
   preload_revive(k);
   struct drm_file *f = k->wedged ? NULL : drm_file_open(k, render);
   int ret = f ? fd_install(k, fd, FD_DRM, f) : k->wedged ? -EIO : -ENOMEM;
   pthread_mutex_unlock(&k->lock);
   if (ret) {
      sys_close(fd);
      errno = -ret;
      return -1;
   }
   return fd;
}

/* A snapshot in a memfd: reading and seeking work by themselves. Writes are seen by preload_write.
 */
static int
open_file(const struct node *n, int flags)
{
   char fixed[4096];
   if ((flags & O_ACCMODE) != O_RDONLY && !n->writable) {
      errno = EACCES;
      return -1;
   }
   char *state = preload_state(n->path);
   const char *data = state ? state : fixed;
   size_t size = state ? strlen(state) : node_contents(n, preload_sku(), fixed, sizeof(fixed));
   int fd = (int)syscall(SYS_memfd_create, "sysfs", flags & O_CLOEXEC ? 1u : 0u);
   bool ok = fd >= 0 && syscall(SYS_write, fd, data, size) == (long)size &&
             syscall(SYS_lseek, fd, 0, SEEK_SET) == 0;
   free(state);
   if (!ok) {
      if (fd >= 0)
         sys_close(fd);
      errno = EIO;
      return -1;
   }
   path_install(fd, n->path);
   return fd;
}

/* The descriptor is of an empty file: what counts is that mmap knows it. */
static int
open_registers(const struct node *n, int flags)
{
   if (!preload_kernel_get())
      return -1;
   int fd = (int)syscall(SYS_memfd_create, "resource0", flags & O_CLOEXEC ? 1u : 0u);
   if (fd >= 0 && !path_install(fd, n->path)) {
      sys_close(fd);
      errno = ENOMEM;
      return -1;
   }
   return fd;
}

static int
open_sw_sync(int flags)
{
   struct kernel *k = preload_kernel_get();
   if (!k)
      return -1;
   kernel_lock(k);
   int fd = sw_sync_open(k, flags);
   pthread_mutex_unlock(&k->lock);
   if (fd >= 0)
      return fd;
   errno = -fd;
   return -1;
}

/* A directory, or anything as a mere place (O_PATH): the descriptor is of a real directory, but
 * what is looked up from it is looked up here. */
static int
open_place(const struct node *n, int flags)
{
   int fd = (int)syscall(SYS_openat, AT_FDCWD, "/", O_PATH | O_DIRECTORY | (flags & O_CLOEXEC));
   if (fd >= 0 && !path_install(fd, n->path)) {
      sys_close(fd);
      errno = ENOMEM;
      return -1;
   }
   return fd;
}

int
preload_open(const struct node *n, int flags)
{
   INSIDE();
   if (flags & O_PATH && n->kind != NODE_NONE)
      return open_place(n, flags);
   if (n->kind != NODE_NONE && n->kind != NODE_LINK && (flags & O_CREAT) && (flags & O_EXCL)) {
      errno = EEXIST;
      return -1;
   }
   if (n->kind != NODE_NONE && n->kind != NODE_LINK && n->kind != NODE_DIRECTORY &&
       flags & O_DIRECTORY) {
      errno = ENOTDIR;
      return -1;
   }
   switch (n->kind) {
   case NODE_RENDER:
   case NODE_PRIMARY:
      return open_node(n->kind == NODE_RENDER, flags);
   case NODE_FILE:
      return open_file(n, flags);
   case NODE_REGISTERS:
      return open_registers(n, flags);
   case NODE_SW_SYNC:
      return open_sw_sync(flags);
   case NODE_DIRECTORY:
      if ((flags & O_ACCMODE) == O_RDONLY)
         return open_place(n, flags);
      errno = EISDIR;
      return -1;
   case NODE_LINK:
      errno = ELOOP; /* not to be followed */
      return -1;
   default:
      errno = ENOENT;
      return -1;
   }
}

int
preload_proc_fd(const char *path)
{
   if (!path)
      return -1;
   const char *number = NULL;
   char mine[32];
   snprintf(mine, sizeof(mine), "/proc/%d/fd/", (int)getpid());
   if (!strncmp(path, "/proc/self/fd/", 14))
      number = path + 14;
   else if (!strncmp(path, "/dev/fd/", 8))
      number = path + 8;
   else if (!strncmp(path, mine, strlen(mine)))
      number = path + strlen(mine);
   if (!number || !*number)
      return -1;
   char *end;
   long fd = strtol(number, &end, 10);
   return *end || fd < 0 || fd > 1 << 20 ? -1 : (int)fd;
}
