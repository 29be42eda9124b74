/* Sleeping in the kernel, and being woken. Signals of the client are taken while it sleeps.
 *
 * No condition variable: a signal handler of the client may leave a wait by a jump, and nobody may
 * count on it then. */
#include "kernel.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FAR_NS (24 * 3600 * 1000000000ll)
#define FUTEX_WAITV_CALL 449 /* since Linux 5.16; one number on all machines */
#define FUTEX_WORD 2         /* 32 bits */

enum sleep_kind {
   THROUGH,     /* handlers run, the sleep goes on */
   RESTARTABLE, /* ended by a handler without SA_RESTART: what ERESTARTSYS means in the kernel */
   ONCE,        /* ended by any handler */
};

struct sleep_word { /* as the system call takes it */
   uint64_t value, address;
   uint32_t flags, reserved;
};

static struct timespec
time_of(int64_t ns)
{
   return (struct timespec){ns / 1000000000, ns % 1000000000};
}

static long
plain_sleep(const uint32_t *word, uint32_t seen, int64_t deadline_ns)
{
   struct timespec t = time_of(deadline_ns);
   return syscall(SYS_futex, word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, seen,
                  deadline_ns < 0 ? NULL : &t, NULL, FUTEX_BITSET_MATCH_ANY);
}

/* A sleep with a time limit that goes on after handlers with SA_RESTART. The older call has none:
 * by that any handler ends it. False: the host has no such call either. */
static bool
timed_sleep(const uint32_t *word, uint32_t seen, int64_t deadline_ns, long *ret)
{
   struct timespec t = time_of(deadline_ns);
   struct sleep_word w = {
       .value = seen, .address = (uintptr_t)word, .flags = FUTEX_WORD | FUTEX_PRIVATE_FLAG};
   *ret = syscall(FUTEX_WAITV_CALL, &w, 1u, 0u, &t, CLOCK_MONOTONIC);
   return *ret >= 0 || errno == EAGAIN || errno == EINTR || errno == ETIMEDOUT;
}

/* 0: woken, or there is a reason to look; -ETIME; -EINTR. */
static int
go_to_sleep(const uint32_t *word, uint32_t seen, int64_t deadline_ns, enum sleep_kind kind)
{
   long ret;
   bool told = true; /* EINTR means what the kind says */
   if (kind == ONCE && deadline_ns < 0)
      ret = plain_sleep(word, seen, monotonic_ns() + FAR_NS);
   else if (kind != RESTARTABLE || deadline_ns < 0)
      ret = plain_sleep(word, seen, deadline_ns);
   else if (!timed_sleep(word, seen, deadline_ns, &ret)) {
      ret = plain_sleep(word, seen, deadline_ns);
      told = false;
   }
   if (ret >= 0)
      return 0;
   if (errno == ETIMEDOUT)
      return deadline_ns < 0 ? 0 : -ETIME;
   return errno == EINTR && kind != THROUGH && told ? -EINTR : 0;
}

static bool
ends_sleep(int number, enum sleep_kind kind)
{
   struct sigaction s;
   if (sigaction(number, NULL, &s) ||
       (!(s.sa_flags & SA_SIGINFO) && (s.sa_handler == SIG_DFL || s.sa_handler == SIG_IGN)))
      return false;
   return kind == ONCE || !(s.sa_flags & SA_RESTART);
}

/* A signal came while the thread was at work in here. It is taken before the sleep, and ends it as
 * it would in the kernel, which does not sleep while there is one. (DRM-117) */
static bool
signal_came(enum sleep_kind kind)
{
   sigset_t pending;
   if (kind == THROUGH || !kernel_client_mask || sigpending(&pending))
      return false;
   for (int i = 1; i < 65; i++)
      if (sigismember(&pending, i) == 1 && sigismember(kernel_client_mask, i) == 0 &&
          ends_sleep(i, kind))
         return true;
   return false;
}

static int
wait(struct kernel *k, int64_t deadline_ns, enum sleep_kind kind)
{
   if (deadline_ns == INT64_MAX)
      deadline_ns =
          -1; /* what drivers mean by it; a sleep without a limit restarts on every host */
   if (deadline_ns >= 0 && monotonic_ns() >= deadline_ns)
      return -ETIME;
   uint32_t seen = __atomic_load_n(&k->wakes, __ATOMIC_RELAXED);
   bool came = signal_came(kind);
   count_by(&k->waiters, 1);
   pthread_mutex_unlock(&k->lock);
   struct client_state client;
   kernel_step_out(&client);
   int ret = came ? -EINTR : go_to_sleep(&k->wakes, seen, deadline_ns, kind);
   kernel_step_in(&client);
   pthread_mutex_lock(&k->lock);
   count_by(&k->waiters, -1);
   return ret;
}

int
kernel_wait(struct kernel *k, int64_t deadline_ns)
{
   return wait(k, deadline_ns, THROUGH);
}

int
kernel_wait_interruptible(struct kernel *k, int64_t deadline_ns)
{
   return wait(k, deadline_ns, RESTARTABLE);
}

int
kernel_wait_once(struct kernel *k, int64_t deadline_ns)
{
   return wait(k, deadline_ns, ONCE);
}

void
kernel_wake(struct kernel *k)
{
   __atomic_add_fetch(&k->wakes, 1, __ATOMIC_RELEASE);
   if (__atomic_load_n(&k->waiters, __ATOMIC_RELAXED))
      syscall(SYS_futex, &k->wakes, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, INT_MAX, NULL, NULL, 0);
}
