/* Physical memory of the modelled machine: two stretches of it, each one segment of the device.
 * Objects live in a memfd, so that a client can map any part of it; what the kernel keeps for
 * itself is private, so that a fork copies it. */
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int
arena_create(struct arena *a, uint64_t physical, uint64_t size, bool shared)
{
   *a = (struct arena){.physical = physical, .size = size, .fd = -1};
   int flags = MAP_NORESERVE;
   if (shared) {
      int fd = (int)syscall(SYS_memfd_create, "pergola objects", 1u /* MFD_CLOEXEC */);
      if (fd < 0)
         return -errno;
      /* Out of the way: clients expect low numbers to be theirs. */
      int high = (int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 512);
      if (high >= 0) {
         sys_close(fd);
         fd = high;
      }
      if (syscall(SYS_ftruncate, fd, size)) {
         int e = errno;
         sys_close(fd);
         return -e;
      }
      a->fd = fd;
      flags |= MAP_SHARED;
   } else {
      flags |= MAP_PRIVATE | MAP_ANONYMOUS;
   }
   a->host = sys_mmap(NULL, size, PROT_READ | PROT_WRITE, flags, a->fd, 0);
   if (a->host == MAP_FAILED) {
      int e = errno;
      if (a->fd >= 0)
         sys_close(a->fd);
      return -e;
   }
   range_init(&a->space, physical, physical + size);
   return 0;
}

void
arena_destroy(struct arena *a)
{
   if (!a->host)
      return;
   sys_munmap(a->host, a->size);
   if (a->fd >= 0)
      sys_close(a->fd);
   range_finish(&a->space);
   memset(a, 0, sizeof(*a));
}

int
arena_take(struct arena *a, uint64_t size, uint64_t *physical, void **host)
{
   int ret = range_take(&a->space, size, PAGE, physical);
   if (ret)
      return ret == -ENOSPC ? -ENOMEM : ret;
   *host = a->host + (*physical - a->physical);
   return 0;
}

void
arena_give(struct arena *a, uint64_t physical, uint64_t size)
{
   uint64_t offset = physical - a->physical;
   /* The next owner must find zeros, and the host its memory. */
   if (a->fd >= 0)
      syscall(SYS_fallocate, a->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, size);
   else
      madvise(a->host + offset, size, MADV_DONTNEED);
   range_give(&a->space, physical);
}
