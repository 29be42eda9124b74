/* Client memory that is taken away while a batch uses it, in a way that nobody sees: a raw system call, a file that another
 * process makes shorter, the C library's own housekeeping. A real GPU has the pages pinned and goes on with them. Here the
 * access of the device's thread faults; then it gets a page of its own in that place until the object is looked at again.
 *
 * The handler is there from the first userptr object on, and is put back when the client has put its own in the place. Faults
 * of the client's own threads go to the client's handler, which may hand them on to the one that it found. */
#include "kernel.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

#define RANGES 1024u  /* objects beyond these are not guarded */
#define REPAIRS 4096u /* and no more pages than that in the life of the process */
#define HANDLERS 8u   /* nor is the handler put back more often */

struct guard_range {
   uint64_t start, end; /* end 0: nothing */
};

/* A process has one handler for a signal, and nothing is handed to it: hence static. Read by the handler at any time. */
static struct {
   struct guard_range range[RANGES];
   unsigned repairs, told;
   uint64_t repaired[REPAIRS]; /* pages; 0: given back, or not a page of ours */
   struct {
      struct sigaction handler[HANDLERS];
      unsigned count; /* set last */
   } before[2]; /* SIGSEGV, SIGBUS: the client's, oldest first */
} guard;

void
guard_thread(void)
{
   sigset_t faults;
   sigemptyset(&faults);
   sigaddset(&faults, SIGSEGV);
   sigaddset(&faults, SIGBUS);
   pthread_sigmask(SIG_UNBLOCK, &faults, NULL);
}

static bool
guarded(uint64_t address)
{
   for (unsigned i = 0; i < RANGES; i++) {
      uint64_t end = __atomic_load_n(&guard.range[i].end, __ATOMIC_ACQUIRE);
      if (address < end && address >= __atomic_load_n(&guard.range[i].start, __ATOMIC_RELAXED))
         return true;
   }
   return false;
}

/* The page is there afterwards, or another has just come; false: nothing can be done. *ours: it is a page of ours. */
static bool
bring_page(int number, int code, void *page, bool *ours)
{
   const int prot = PROT_READ | PROT_WRITE, anonymous = MAP_PRIVATE | MAP_ANONYMOUS;
   if (number == SIGBUS) /* there is no such page in the file any more */
      return sys_mmap(page, PAGE, prot, anonymous | MAP_FIXED, -1, 0) == page;
   if (code == SEGV_ACCERR)
      return !syscall(SYS_mprotect, page, PAGE, prot);
   void *p = sys_mmap(page, PAGE, prot, anonymous | MAP_FIXED_NOREPLACE, -1, 0);
   *ours = p == page;
   if (p != MAP_FAILED && p != page) /* an old host takes the address for a wish */
      sys_munmap(p, PAGE);
   return p == page || (p == MAP_FAILED && errno == EEXIST);
}

static bool
repair(int number, const siginfo_t *info)
{
   uint64_t address = (uintptr_t)info->si_addr;
   if (info->si_code <= 0 || !kernel_inside || !guarded(address))
      return false;
   unsigned n = __atomic_fetch_add(&guard.repairs, 1, __ATOMIC_RELAXED);
   if (n >= REPAIRS) {
      __atomic_store_n(&guard.repairs, REPAIRS, __ATOMIC_RELAXED);
      return false;
   }
   bool ours = false;
   uint64_t page = address & ~(PAGE - 1);
   if (!bring_page(number, info->si_code, (void *)(uintptr_t)page, &ours))
      return false;
   __atomic_store_n(&guard.repaired[n], ours ? page : 0, __ATOMIC_RELEASE);
   return true;
}

/* How often this fault has been handed on already, by handlers of the client's that hand it on to us. One that is left by a
 * jump leaves no trace: the next fault begins on the stack where that one did, or above. */
static unsigned
handed_on(const void *context)
{
   static _Thread_local const void *last_context;
   static _Thread_local uintptr_t last_frame;
   static _Thread_local unsigned depth;
   uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
   depth = context == last_context && frame < last_frame ? depth + 1 : 0;
   last_context = context;
   last_frame = frame;
   return depth;
}

/* To whoever was there before. */
static void
pass_on(int number, siginfo_t *info, void *context)
{
   unsigned depth = handed_on(context), which = number == SIGBUS;
   unsigned count = __atomic_load_n(&guard.before[which].count, __ATOMIC_ACQUIRE);
   struct sigaction s = {.sa_handler = SIG_DFL};
   if (depth < count) {
      struct sigaction *place = &guard.before[which].handler[count - 1 - depth];
      s = *place;
      if (s.sa_flags & SA_RESETHAND)
         *place = (struct sigaction){.sa_handler = SIG_DFL};
   }
   if (s.sa_flags & SA_SIGINFO) {
      s.sa_sigaction(number, info, context);
   } else if (s.sa_handler != SIG_DFL && s.sa_handler != SIG_IGN) {
      s.sa_handler(number);
   } else if (info->si_code > 0 || s.sa_handler == SIG_DFL) {
      /* The instruction is executed again, and faults for good; a signal that was sent is sent again. */
      signal(number, SIG_DFL);
      if (info->si_code <= 0)
         raise(number);
   }
}

static void
on_fault(int number, siginfo_t *info, void *context)
{
   int saved = errno;
   if (!repair(number, info))
      pass_on(number, info, context);
   errno = saved;
}

/* Called as the client's handler would be. */
static void
install(int number)
{
   unsigned which = number == SIGBUS, n = guard.before[which].count;
   struct sigaction b;
   if (n == HANDLERS || sigaction(number, NULL, &b) || (b.sa_flags & SA_SIGINFO && b.sa_sigaction == on_fault))
      return;
   bool none = !(b.sa_flags & SA_SIGINFO) && (b.sa_handler == SIG_DFL || b.sa_handler == SIG_IGN);
   int flags = none ? SA_ONSTACK : b.sa_flags & (SA_ONSTACK | SA_NODEFER | SA_RESTART);
   struct sigaction s = {.sa_sigaction = on_fault, .sa_mask = b.sa_mask, .sa_flags = SA_SIGINFO | flags};
   guard.before[which].handler[n] = b;
   __atomic_store_n(&guard.before[which].count, n + 1, __ATOMIC_RELEASE);
   sigaction(number, &s, NULL);
}

void
guard_check(void)
{
   install(SIGSEGV);
   install(SIGBUS);
}

void
guard_add(uint64_t start, uint64_t size)
{
   for (unsigned i = 0; i < RANGES; i++) {
      if (guard.range[i].end)
         continue;
      __atomic_store_n(&guard.range[i].start, start, __ATOMIC_RELAXED);
      __atomic_store_n(&guard.range[i].end, start + size, __ATOMIC_RELEASE);
      return;
   }
}

/* Of those in the range. Give them back: the client's hole is a hole again. */
static bool
look_at_repairs(uint64_t start, uint64_t size, bool give_back)
{
   bool any = false;
   unsigned n = __atomic_load_n(&guard.repairs, __ATOMIC_RELAXED);
   for (unsigned i = 0; i < n && i < REPAIRS; i++) {
      uint64_t page = __atomic_load_n(&guard.repaired[i], __ATOMIC_ACQUIRE);
      if (!page || page < start || page >= start + size)
         continue;
      any = true;
      if (!give_back)
         continue;
      sys_munmap((void *)(uintptr_t)page, PAGE);
      __atomic_store_n(&guard.repaired[i], 0, __ATOMIC_RELAXED);
   }
   return any;
}

void
guard_remove(uint64_t start, uint64_t size)
{
   for (unsigned i = 0; i < RANGES; i++)
      if (guard.range[i].start == start && guard.range[i].end == start + size) {
         __atomic_store_n(&guard.range[i].end, 0, __ATOMIC_RELEASE);
         break;
      }
   look_at_repairs(start, size, true);
}

bool
guard_repaired(uint64_t start, uint64_t size)
{
   return look_at_repairs(start, size, false);
}

void
guard_tell(void)
{
   unsigned n = __atomic_load_n(&guard.repairs, __ATOMIC_RELAXED);
   if (n == guard.told)
      return;
   if (!guard.told)
      fprintf(stderr, "pergola: the program took memory away that a batch was using (userptr); the batch goes on in pages of its own\n");
   guard.told = n;
}
