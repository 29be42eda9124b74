/* System calls made past the C library, so that the preload library never meets itself. */
#include "kernel.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

_Thread_local bool kernel_inside;

void *
sys_mmap(void *address, size_t size, int prot, int flags, int fd, off_t offset)
{
   return (void *)syscall(SYS_mmap, address, size, prot, flags, fd, offset);
}

int
sys_munmap(void *address, size_t size)
{
   return (int)syscall(SYS_munmap, address, size);
}

int
sys_close(int fd)
{
   return (int)syscall(SYS_close, fd);
}

int64_t
monotonic_ns(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
