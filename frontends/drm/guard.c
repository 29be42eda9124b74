/* Client memory that is taken away while a batch uses it, in a way that nobody sees: a raw system
 * call, a file that another process makes shorter, the C library's own housekeeping. A real GPU has
 * the pages pinned and goes on with them. Here the access of the device's thread faults; then it
 * gets memory of its own in that place until the object is looked at again.
 *
 * The handler is there from the first userptr object or map of registers on, and is put back when
 * the client has put its own in the place. Faults of the client's own threads go to the client's
 * handler, which may hand them on to the one that it found; a fault of the device's threads never
 * does. */
#include "kernel.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

#define SLOTS 1000u       /* of a chunk */
#define BLOCK 0x100000ull /* a hole is filled up to its next multiple */
#define REPAIRS 4096u     /* what is put in beyond these stays */
#define HANDLERS 8u       /* nor is the handler put before more of the client's */
#define ATTEMPTS 100000u  /* for one page that is there, one after the other */

struct guard_slot {
   uint64_t start, end; /* end 0: nothing */
   struct guard_slot *next_free;
};

struct guard_chunk {
   struct guard_slot slot[SLOTS];
   struct guard_chunk *next;
};

struct repair {
   uint64_t start; /* 0: free; set first */
   uint64_t end;   /* set last */
   uint64_t kept;  /* what was there before waits here; 0: nothing was */
};

/* A process has one handler for a signal, and nothing is handed to it: hence static. Read by the
 * handler at any time. */
static struct {
   struct guard_chunk *chunk;
   struct guard_slot *free;
   unsigned repairs, told; /* so far */
   struct repair repair[REPAIRS];
   struct {
      struct sigaction handler[HANDLERS];
      unsigned count; /* set last */
   } before[2];       /* SIGSEGV, SIGBUS: the client's, as they were found */
} guard;

static _Thread_local bool of_the_device;
static bool (*client_fault)(const siginfo_t *info, void *context);

void
guard_client(bool (*on_fault)(const siginfo_t *info, void *context))
{
   __atomic_store_n(&client_fault, on_fault, __ATOMIC_RELEASE);
}

static bool
client_goes_on(int number, const siginfo_t *info, void *context)
{
   bool (*shown)(const siginfo_t *, void *) = __atomic_load_n(&client_fault, __ATOMIC_ACQUIRE);
   return shown && number == SIGSEGV && !of_the_device && shown(info, context);
}

void
guard_thread(void)
{
   sigset_t faults;
   sigemptyset(&faults);
   sigaddset(&faults, SIGSEGV);
   sigaddset(&faults, SIGBUS);
   of_the_device = true;
   pthread_sigmask(SIG_UNBLOCK, &faults, NULL);
}

/* Where the memory ends that is guarded in the range, or 0. */
static uint64_t
guarded_to(uint64_t start, uint64_t size)
{
   for (const struct guard_chunk *c = __atomic_load_n(&guard.chunk, __ATOMIC_ACQUIRE); c;
        c = c->next)
      for (unsigned i = 0; i < SLOTS; i++) {
         uint64_t end = __atomic_load_n(&c->slot[i].end, __ATOMIC_ACQUIRE);
         if (start < end && start + size > __atomic_load_n(&c->slot[i].start, __ATOMIC_RELAXED))
            return end;
      }
   return 0;
}

static struct repair *
claim(uint64_t start)
{
   for (unsigned i = 0; i < REPAIRS; i++) {
      uint64_t none = 0;
      if (!__atomic_load_n(&guard.repair[i].start, __ATOMIC_RELAXED) &&
          __atomic_compare_exchange_n(&guard.repair[i].start, &none, start, false, __ATOMIC_ACQ_REL,
                                      __ATOMIC_RELAXED))
         return &guard.repair[i];
   }
   return NULL;
}

static void
settle(struct repair *r, uint64_t end, uint64_t kept)
{
   if (!r)
      return;
   r->kept = kept;
   __atomic_store_n(&r->end, end, __ATOMIC_RELEASE);
   if (!end)
      __atomic_store_n(&r->start, 0, __ATOMIC_RELEASE);
}

static void *
place(uint64_t start, uint64_t size, int how)
{
   return raw_mmap((void *)(uintptr_t)start, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | how, -1, 0);
}

/* Something is there: another thread has put it there just now, and the access can be made. Not
 * without end. */
static bool
just_came(uint64_t page)
{
   static _Thread_local uint64_t last;
   static _Thread_local unsigned attempts;
   attempts = page == last ? attempts + 1 : 0;
   last = page;
   return attempts < ATTEMPTS;
}

/* False: nothing can be done. */
static bool
fill_hole(uint64_t start, uint64_t end)
{
   struct repair *r = claim(start);
   uint64_t size = end - start;
   for (;;) {
      void *p = place(start, size, MAP_FIXED_NOREPLACE);
      if ((uintptr_t)p == start) {
         settle(r, start + size, 0);
         return true;
      }
      if (p != MAP_FAILED) /* an old host takes the address for a wish */
         sys_munmap(p, size);
      if (size == PAGE) {
         bool there = p == MAP_FAILED && errno == EEXIST;
         settle(r, 0, 0);
         return there && just_came(start);
      }
      size = size / 2 & ~(PAGE - 1);
   }
}

/* There is no such page in the file any more. A second map of it, which can be had of shared ones,
 * waits to come back. */
static bool
replace_page(uint64_t page)
{
   struct repair *r = claim(page);
   void *kept = r ? (void *)syscall(SYS_mremap, page, 0ul, PAGE, MREMAP_MAYMOVE) : MAP_FAILED;
   bool done = (uintptr_t)place(page, PAGE, MAP_FIXED) == page;
   if (done && kept != MAP_FAILED) {
      settle(r, page + PAGE, (uintptr_t)kept);
      return true;
   }
   if (kept != MAP_FAILED)
      sys_munmap(kept, PAGE);
   settle(r, 0, 0);
   return done;
}

static bool
repair(int number, const siginfo_t *info)
{
   uint64_t address = (uintptr_t)info->si_addr, page = address & ~(PAGE - 1);
   uint64_t end = info->si_code > 0 && kernel_inside ? guarded_to(address, 1) : 0;
   if (!end)
      return false;
   uint64_t block = (address | (BLOCK - 1)) + 1;
   bool done = false;
   if (number == SIGBUS)
      done = replace_page(page);
   else if (info->si_code == SEGV_ACCERR)
      done = just_came(page) && !syscall(SYS_mprotect, page, PAGE, PROT_READ | PROT_WRITE);
   else if (info->si_code == SEGV_MAPERR)
      done = fill_hole(page, end < block ? end : block);
   __atomic_fetch_add(&guard.repairs, 1, __ATOMIC_RELAXED);
   return done;
}

/* What the host has just mapped there is not for the batch to write to: native code may have come
 * to lie in the hole before anything faulted. The batch gets pages of its own in its place. */
bool
guard_takes(void *map, size_t size)
{
   uint64_t start = (uintptr_t)map;
   size = (size + PAGE - 1) & ~(PAGE - 1);
   if (!guarded_to(start, size))
      return false;
   struct repair *r = claim(start);
   bool done = place(start, size, MAP_FIXED) == map;
   settle(r, done ? start + size : 0, 0);
   __atomic_fetch_add(&guard.repairs, 1, __ATOMIC_RELAXED);
   return done;
}

/* A handler of the client's may hand a fault on to the one that it found; if that is no older than
 * itself, because it was put in the place twice, it goes to an older one all the same. One that is
 * left by a jump leaves no trace: the next fault begins on the stack where that one did, or above.
 * < 0: there is none. */
static int
older(int level, const void *context)
{
   static _Thread_local const void *last_context;
   static _Thread_local uintptr_t last_frame;
   static _Thread_local int last_level;
   uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
   if (context == last_context && frame < last_frame && level >= last_level)
      level = last_level - 1;
   last_context = context;
   last_frame = frame;
   last_level = level;
   return level;
}

/* The instruction is executed again, and faults for good; a signal that was sent is sent again. */
static void
end_by(int number, const siginfo_t *info)
{
   signal(number, SIG_DFL);
   if (info->si_code <= 0)
      raise(number);
}

/* To whoever was there before. */
static void
pass_on(int level, int number, siginfo_t *info, void *context)
{
   struct sigaction s = {.sa_handler = SIG_DFL};
   level = older(level, context);
   if (level >= 0) {
      struct sigaction *found = &guard.before[number == SIGBUS].handler[level];
      s = *found;
      if (s.sa_flags & SA_RESETHAND)
         *found = (struct sigaction){.sa_handler = SIG_DFL};
   }
   if (s.sa_flags & SA_SIGINFO)
      s.sa_sigaction(number, info, context);
   else if (s.sa_handler != SIG_DFL && s.sa_handler != SIG_IGN)
      s.sa_handler(number);
   else if (info->si_code > 0 || s.sa_handler == SIG_DFL)
      end_by(number, info);
}

/* On a thread that the client knows nothing of: its handlers would be at a loss there. A signal
 * that was sent to the process is for another thread. */
static void
keep_from_client(int number, siginfo_t *info, void *context)
{
   if (info->si_code > 0) {
      end_by(number, info);
      return;
   }
   sigaddset(&((ucontext_t *)context)->uc_sigmask, number);
   if (syscall(SYS_rt_sigqueueinfo, getpid(), number,
               info)) /* only what came from sigqueue() may be sent again as it is */
      kill(getpid(), number);
}

/* ---- copies from and to the client's memory ------------------------------------------------- */

#ifdef __x86_64__
/* Returns how many bytes are left: when its one access to memory faults, it goes on behind it. */
size_t guard_move(void *to, const void *from, size_t size);
extern const char guard_move_access[], guard_move_end[];
__asm__(".pushsection .text\n"
        ".hidden guard_move, guard_move_access, guard_move_end\n"
        ".globl guard_move, guard_move_access, guard_move_end\n"
        ".type guard_move, @function\n"
        "guard_move:\n"
        "   .cfi_startproc\n"
        "   mov %rdx, %rcx\n"
        "guard_move_access:\n"
        "   rep movsb\n"
        "guard_move_end:\n"
        "   mov %rcx, %rax\n"
        "   ret\n"
        "   .cfi_endproc\n"
        ".size guard_move, . - guard_move\n"
        ".popsection");

static bool
copy_ends(const siginfo_t *info, void *context)
{
   greg_t *ip = &((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
   if (info->si_code <= 0 || *ip != (greg_t)guard_move_access)
      return false;
   *ip = (greg_t)guard_move_end;
   return true;
}
#else
static bool
copy_ends(const siginfo_t *info, void *context)
{
   return false;
}
#endif

static void
on_fault(int level, int number, siginfo_t *info, void *context)
{
   int saved = errno;
   if (!copy_ends(info, context) && !client_goes_on(number, info, context) &&
       !repair(number, info)) {
      if (of_the_device)
         keep_from_client(number, info, context);
      else
         pass_on(level, number, info, context);
   }
   errno = saved;
}

/* One for each handler of the client's that it stands before: whichever of them the client calls,
 * or puts back, it goes on to the one that was there before that. */
#define LEVEL(n)                                                                                   \
   static void on_fault_##n(int number, siginfo_t *info, void *context)                            \
   {                                                                                               \
      on_fault(n, number, info, context);                                                          \
   }                                                                                               \
   _Static_assert(n < HANDLERS, "one for each handler")
LEVEL(0);
LEVEL(1);
LEVEL(2);
LEVEL(3);
LEVEL(4);
LEVEL(5);
LEVEL(6);
LEVEL(7);
static void (*const on_fault_at[HANDLERS])(int, siginfo_t *, void *) = {
    on_fault_0, on_fault_1, on_fault_2, on_fault_3, on_fault_4, on_fault_5, on_fault_6, on_fault_7,
};

static bool
is_ours(const struct sigaction *s)
{
   for (unsigned i = 0; s->sa_flags & SA_SIGINFO && i < HANDLERS; i++)
      if (s->sa_sigaction == on_fault_at[i])
         return true;
   return false;
}

#ifdef __x86_64__
/* Is it the handler now, or has the client put its own in the place? */
static bool
stands(int number)
{
   struct sigaction s;
   return __atomic_load_n(&guard.before[number == SIGBUS].count, __ATOMIC_ACQUIRE) &&
          !sigaction(number, NULL, &s) && is_ours(&s);
}

bool
guard_copy(void *to, const void *from, size_t size, bool *done)
{
   if (!kernel_inside || !stands(SIGSEGV) || !stands(SIGBUS))
      return false;
   *done = !guard_move(to, from, size);
   return true;
}
#else
bool
guard_copy(void *to, const void *from, size_t size, bool *done)
{
   return false;
}
#endif

static bool
same_action(const struct sigaction *a, const struct sigaction *b)
{
   bool same = a->sa_flags == b->sa_flags && a->sa_handler == b->sa_handler;
   for (int i = 1; same && i < 65; i++)
      same = sigismember(&a->sa_mask, i) == sigismember(&b->sa_mask, i);
   return same;
}

/* Called as the client's handler would be. */
static void
install(int number)
{
   unsigned which = number == SIGBUS, count = guard.before[which].count, level = 0;
   struct sigaction b = {0}, *found = guard.before[which].handler;
   if (sigaction(number, NULL, &b))
      return;
   if (is_ours(&b))
      return;
   while (level < count && !same_action(&found[level], &b))
      level++;
   if (level == HANDLERS)
      return;
   bool none = !(b.sa_flags & SA_SIGINFO) && (b.sa_handler == SIG_DFL || b.sa_handler == SIG_IGN);
   int flags = none ? SA_ONSTACK : b.sa_flags & (SA_ONSTACK | SA_NODEFER | SA_RESTART);
   struct sigaction s = {
       .sa_sigaction = on_fault_at[level], .sa_mask = b.sa_mask, .sa_flags = SA_SIGINFO | flags};
   if (level == count) {
      found[level] = b;
      __atomic_store_n(&guard.before[which].count, count + 1, __ATOMIC_RELEASE);
   }
   sigaction(number, &s, NULL);
}

void
guard_check(void)
{
   install(SIGSEGV);
   install(SIGBUS);
}

static void
more_slots(void)
{
   struct guard_chunk *c = place(0, sizeof(*c), 0);
   if (c == MAP_FAILED)
      return;
   for (unsigned i = 0; i < SLOTS; i++) {
      c->slot[i].next_free = guard.free;
      guard.free = &c->slot[i];
   }
   c->next = guard.chunk;
   __atomic_store_n(&guard.chunk, c, __ATOMIC_RELEASE);
}

struct guard_slot *
guard_add(uint64_t start, uint64_t size)
{
   if (!guard.free)
      more_slots();
   struct guard_slot *s = guard.free;
   if (!s)
      return NULL;
   guard.free = s->next_free;
   __atomic_store_n(&s->start, start, __ATOMIC_RELAXED);
   __atomic_store_n(&s->end, start + size, __ATOMIC_RELEASE);
   return s;
}

static void
give_back(struct repair *r)
{
   void *at = (void *)(uintptr_t)r->start;
   if (r->kept)
      syscall(SYS_mremap, r->kept, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, at);
   else
      sys_munmap(at, r->end - r->start);
   settle(r, 0, 0);
}

/* Of those in the range. Give them back: the client's hole is a hole again. */
static bool
look_at_repairs(uint64_t start, uint64_t size, bool away)
{
   bool any = false;
   if (!__atomic_load_n(&guard.repairs, __ATOMIC_RELAXED))
      return false;
   for (struct repair *r = guard.repair; r < guard.repair + REPAIRS; r++) {
      uint64_t end = __atomic_load_n(&r->end, __ATOMIC_ACQUIRE);
      if (!end || end <= start || r->start >= start + size)
         continue;
      any = true;
      if (away)
         give_back(r);
   }
   return any;
}

void
guard_remove(struct guard_slot *s, uint64_t start, uint64_t size)
{
   if (s) {
      __atomic_store_n(&s->end, 0, __ATOMIC_RELEASE);
      s->next_free = guard.free;
      guard.free = s;
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
      fprintf(stderr, "pergola: the program took memory away that a batch was using (userptr); the "
                      "batch goes on in pages of its own\n");
   guard.told = n;
}
