/* Client memory. A pointer in an ioctl may be anything: a fault of the copy is EFAULT. Where the
 * handler of guard.c is not there the host kernel does the copy and says so, which takes six times
 * as long. */
#include "kernel.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* Pages that may only be written can be read by the processor and by system calls, but not by
 * process_vm_readv. */
static int
read_by_pipe(char *to, uint64_t user, size_t size)
{
   int p[2], ret = 0;
   if (syscall(SYS_pipe2, p, 0))
      return -EFAULT;
   while (size && !ret) {
      size_t n = size < PAGE ? size : PAGE;
      if (syscall(SYS_write, p[1], user, n) != (long)n || syscall(SYS_read, p[0], to, n) != (long)n)
         ret = -EFAULT;
      to += n;
      user += n;
      size -= n;
   }
   sys_close(p[0]);
   sys_close(p[1]);
   return ret;
}

static int
copy(bool in, void *mine, uint64_t user, size_t size)
{
   if (!size)
      return 0;
   if (user + size < user)
      return -EFAULT;
   void *theirs = (void *)(uintptr_t)user;
   bool done;
   if (guard_copy(in ? mine : theirs, in ? theirs : mine, size, &done))
      return done ? 0 : -EFAULT;
   struct iovec local = {mine, size};
   struct iovec remote = {theirs, size};
   long n = syscall(in ? SYS_process_vm_readv : SYS_process_vm_writev, getpid(), &local, 1ul,
                    &remote, 1ul, 0ul);
   if (n == (long)size)
      return 0;
   if (n < 0 && (errno == ENOSYS || errno == EPERM) && user_mapped(user, size)) {
      /* A sandbox forbids the call: what is mapped is copied straight. */
      memcpy(in ? mine : theirs, in ? theirs : mine, size);
      return 0;
   }
   return in && n < 0 && errno == EFAULT ? read_by_pipe(mine, user, size) : -EFAULT;
}

int
copy_in(void *to, uint64_t user, size_t size)
{
   return copy(true, to, user, size);
}

int
copy_out(uint64_t user, const void *from, size_t size)
{
   return copy(false, (void *)(uintptr_t)from, user, size);
}

bool
user_mapped(uint64_t user, uint64_t size)
{
   uint64_t at = user & ~(PAGE - 1), end = (user + size + PAGE - 1) & ~(PAGE - 1);
   unsigned char resident[1024];
   if (end <= at)
      return false;
   while (at < end) {
      uint64_t n = end - at < sizeof(resident) * PAGE ? end - at : sizeof(resident) * PAGE;
      if (mincore((void *)(uintptr_t)at, n, resident))
         return false;
      at += n;
   }
   return true;
}

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

bool
user_writable(uint64_t user, uint64_t size)
{
   if (!madvise((void *)(uintptr_t)user, size, MADV_POPULATE_WRITE))
      return true;
   /* Before Linux 5.14 nobody can tell; the stack is there and writable. */
   char here;
   void *page = (void *)((uintptr_t)&here & ~(uintptr_t)(PAGE - 1));
   return errno == EINVAL && madvise(page, PAGE, MADV_POPULATE_WRITE) && errno == EINVAL;
}
