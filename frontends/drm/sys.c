/* System calls made past the C library, so that the preload library never meets itself. */
#include "kernel.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ATTEMPTS 100u /* to map where the guard has no hole */

_Thread_local bool kernel_inside;
_Thread_local const sigset_t *kernel_client_mask;
_Thread_local int kernel_client_cancel;

void
signals_block(sigset_t *before)
{
   static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
   sigset_t set;
   sigfillset(&set);
   for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
      sigdelset(&set, faults[i]);
   pthread_sigmask(SIG_SETMASK, &set, before);
}

void
kernel_step_out(struct client_state *c)
{
   *c = (struct client_state){kernel_inside, kernel_client_mask, kernel_client_cancel};
   kernel_inside = false;
   kernel_client_mask = NULL;
   if (!c->mask)
      return;
   pthread_setcancelstate(
       c->cancel, NULL); /* nothing that is done meanwhile is where a cancellation happens */
   pthread_sigmask(SIG_SETMASK, c->mask, NULL);
}

void
kernel_step_in(const struct client_state *c)
{
   sigset_t unused;
   if (c->mask) {
      signals_block(&unused);
      pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
   }
   kernel_inside = c->inside;
   kernel_client_mask = c->mask;
   kernel_client_cancel = c->cancel;
}

void *
raw_mmap(void *address, size_t size, int prot, int flags, int fd, off_t offset)
{
   return (void *)syscall(SYS_mmap, address, size, prot, flags, fd, offset);
}

void *
sys_mmap(void *address, size_t size, int prot, int flags, int fd, off_t offset)
{
   for (unsigned attempt = 0;; attempt++) {
      void *p = raw_mmap(address, size, prot, flags, fd, offset);
      if (p == MAP_FAILED || p == address || attempt == ATTEMPTS || !guard_takes(p, size))
         return p;
   }
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
