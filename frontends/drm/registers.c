/* Registers that a client maps (resource0 of the PCI device): tools that look at the chip past the
 * kernel do. The pages give no access, so that each load and store faults; the handler of guard.c
 * hands the fault on to here, it becomes an access on the bus, and the client goes on behind it. */
#include "access.h"
#include "interpose.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define MAPS 64u

/* Read by the handler at any time: an entry whose end is 0 is none, and the end is set last.
 * Changed under the kernel's lock. A process has one handler for a signal: hence static. */
static struct {
   uint64_t start, end, offset;
} map[MAPS];
static unsigned used; /* entries from the first that have been used */

static bool
add(uint64_t start, uint64_t end, uint64_t offset)
{
   for (unsigned i = 0; i < MAPS; i++) {
      if (map[i].end)
         continue;
      map[i].start = start;
      map[i].offset = offset;
      __atomic_store_n(&map[i].end, end, __ATOMIC_RELEASE);
      if (i >= used)
         __atomic_store_n(&used, i + 1, __ATOMIC_RELEASE);
      return true;
   }
   return false;
}

bool
registers_mapped(void)
{
   return __atomic_load_n(&used, __ATOMIC_ACQUIRE);
}

void
registers_forget(uint64_t start, uint64_t end)
{
   for (unsigned i = 0; i < MAPS; i++) {
      uint64_t from = map[i].start, to = map[i].end, offset = map[i].offset;
      if (!to || to <= start || from >= end)
         continue;
      __atomic_store_n(&map[i].end, 0, __ATOMIC_RELEASE);
      if (from < start)
         add(from, start, offset);
      if (to > end)
         add(end, to, offset + (end - from));
   }
}

#ifdef __x86_64__
/* The offset into the registers of what the client has mapped there; false: nothing of theirs. */
static bool
find(uint64_t address, unsigned size, uint64_t *offset)
{
   for (unsigned i = 0, n = __atomic_load_n(&used, __ATOMIC_ACQUIRE); i < n; i++) {
      uint64_t end = __atomic_load_n(&map[i].end, __ATOMIC_ACQUIRE);
      if (!end || address < map[i].start || address >= end || size > end - address)
         continue;
      *offset = map[i].offset + (address - map[i].start);
      return true;
   }
   return false;
}

static uint64_t
access_bus(struct kernel *k, const struct access *a, uint32_t offset, uint64_t value)
{
   INSIDE();
   kernel_lock(k);
   preload_revive(k); /* in the child of a fork */
   struct pergola_runner *r = k->runner;
   pthread_mutex_unlock(&k->lock);
   if (!r)
      return ~UINT64_C(0); /* nobody is on the bus any more */
   if (!a->store)
      return pergola_runner_read(r, offset, a->size);
   pergola_runner_write(r, offset, a->size, value);
   return 0;
}

static bool
on_fault(const siginfo_t *info, void *context)
{
   /* As the processor numbers them. */
   static const uint8_t place[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                     REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                     REG_R12, REG_R13, REG_R14, REG_R15};
   struct kernel *k = preload_kernel();
   greg_t *g = ((ucontext_t *)context)->uc_mcontext.gregs;
   uint64_t address = (uintptr_t)info->si_addr, offset;
   struct access a;
   if (!k || info->si_code != SEGV_ACCERR || kernel_inside || !find(address, 1, &offset))
      return false;
   if (!access_decode((const uint8_t *)g[REG_RIP], &a) || !find(address, a.size, &offset)) {
      fprintf(stderr,
              "pergola: the program reaches the mapped register 0x%05x by an instruction that is "
              "not a plain load or store; it is not modelled\n",
              (unsigned)offset);
      return false;
   }
   greg_t *reg = &g[place[a.reg]];
   uint64_t got = access_bus(k, &a, (uint32_t)offset, access_stored(&a, (uint64_t)*reg));
   if (!a.store)
      *reg = (greg_t)access_loaded(&a, (uint64_t)*reg, got);
   g[REG_RIP] += a.length;
   return true;
}

int
registers_map(struct kernel *k, void *address, size_t size, int flags, uint64_t offset, void **out)
{
   uint64_t whole = (size + PAGE - 1) & ~(uint64_t)(PAGE - 1);
   if (!size || offset % PAGE || whole > REGISTERS_SIZE || offset > REGISTERS_SIZE - whole)
      return -EINVAL;
   void *p = sys_mmap(address, whole, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (flags & MAP_FIXED), -1, 0);
   if (p == MAP_FAILED)
      return -errno;
   kernel_lock(k);
   bool added = add((uintptr_t)p, (uintptr_t)p + whole, offset);
   if (added) {
      guard_client(on_fault);
      guard_check();
   }
   pthread_mutex_unlock(&k->lock);
   if (!added) {
      sys_munmap(p, whole);
      return -ENOMEM;
   }
   *out = p;
   return 0;
}
#else
int
registers_map(struct kernel *k, void *address, size_t size, int flags, uint64_t offset, void **out)
{
   fprintf(stderr, "pergola: registers can be mapped on x86-64 hosts only\n");
   return -ENODEV;
}
#endif
