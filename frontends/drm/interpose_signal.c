/* Handlers of signals: while registers are mapped, faults come to this library first (registers.c),
 * also when the client puts a handler of its own in the place. */
#include "interpose.h"

#include <signal.h>

static void
stay_before(int number)
{
   struct kernel *k = preload_kernel();
   if (!k || kernel_inside || number != SIGSEGV || !registers_mapped())
      return;
   INSIDE();
   kernel_lock(k);
   guard_check();
   pthread_mutex_unlock(&k->lock);
}

EXPORT int
sigaction(int number, const struct sigaction *restrict s, struct sigaction *restrict before)
{
   REAL(sigaction, int (*)(int, const struct sigaction *, struct sigaction *));
   int ret = real(number, s, before);
   if (!ret && s && !CALLED_FROM_HERE())
      stay_before(number);
   return ret;
}

#define SIGNAL(name)                                                                               \
   EXPORT sighandler_t name(int number, sighandler_t handler);                                     \
   EXPORT sighandler_t name(int number, sighandler_t handler)                                      \
   {                                                                                               \
      REAL(name, sighandler_t (*)(int, sighandler_t));                                             \
      sighandler_t before = real(number, handler);                                                 \
      if (before != SIG_ERR && !CALLED_FROM_HERE())                                                \
         stay_before(number);                                                                      \
      return before;                                                                               \
   }
SIGNAL(signal)
SIGNAL(bsd_signal)
SIGNAL(ssignal)
