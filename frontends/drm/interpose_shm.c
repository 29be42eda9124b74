/* What takes client memory away without naming its addresses: files that become shorter, shared memory that is detached. As
 * in the kernel, the GPU is done with it first. */
#include "interpose.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* A line of /proc/self/maps. */
struct vm_area {
   uint64_t start, end, offset;
   dev_t device;
   uint64_t inode;
};

struct areas {
   FILE *f; /* or NULL */
   char *line;
   size_t room;
};

static struct areas
areas_open(void)
{
   INSIDE();
   return (struct areas){.f = fopen("/proc/self/maps", "re")};
}

static bool
areas_next(struct areas *l, struct vm_area *a)
{
   unsigned long start, end, offset, inode;
   unsigned major, minor;
   while (l->f && getline(&l->line, &l->room, l->f) > 0) {
      if (sscanf(l->line, "%lx-%lx %*s %lx %x:%x %lu", &start, &end, &offset, &major, &minor, &inode) != 6)
         continue;
      *a = (struct vm_area){start, end, offset, makedev(major, minor), inode};
      return true;
   }
   return false;
}

static void
areas_close(struct areas *l)
{
   if (l->f)
      fclose(l->f);
   free(l->line);
}

/* Has the GPU any memory of the client's? Else nobody has to look. */
static bool
gpu_has_memory(void)
{
   struct kernel *k = preload_kernel();
   return k && !kernel_inside && __atomic_load_n(&k->users, __ATOMIC_RELAXED);
}

static void
file_shrinks(const struct stat *s, uint64_t size)
{
   struct vm_area a;
   uint64_t rest = (size + PAGE - 1) & ~(PAGE - 1);
   if ((uint64_t)s->st_size <= size)
      return;
   struct areas l = areas_open();
   while (areas_next(&l, &a)) {
      if (a.inode != s->st_ino || a.device != s->st_dev || a.offset + (a.end - a.start) <= rest)
         continue;
      uint64_t from = a.offset < rest ? a.start + (rest - a.offset) : a.start;
      preload_memory_goes((void *)(uintptr_t)from, a.end - from, false);
   }
   areas_close(&l);
}

static void
segment_goes(uint64_t start)
{
   struct vm_area a;
   uint64_t end = 0, inode = 0;
   struct areas l = areas_open();
   while (areas_next(&l, &a)) {
      if (end ? a.start == end && a.inode == inode : a.start == start) {
         end = a.end;
         inode = a.inode;
      }
   }
   areas_close(&l);
   if (end)
      preload_memory_goes((void *)(uintptr_t)start, end - start, true);
}

#define TRUNCATE(name, type, call, stat_call, first)                                                \
   EXPORT int name(type file, first size);                                                          \
   EXPORT int name(type file, first size)                                                           \
   {                                                                                                \
      struct stat s;                                                                                \
      if (size >= 0 && gpu_has_memory() && !stat_call(file, &s))                                    \
         file_shrinks(&s, (uint64_t)size);                                                          \
      return (int)syscall(call, file, size);                                                        \
   }
TRUNCATE(ftruncate, int, SYS_ftruncate, fstat, off_t)
TRUNCATE(ftruncate64, int, SYS_ftruncate, fstat, off64_t)
TRUNCATE(truncate, const char *, SYS_truncate, stat, off_t)
TRUNCATE(truncate64, const char *, SYS_truncate, stat, off64_t)

EXPORT int
shmdt(const void *address)
{
   if (gpu_has_memory())
      segment_goes((uintptr_t)address);
   return (int)syscall(SYS_shmdt, address);
}

EXPORT int
pkey_mprotect(void *address, size_t size, int prot, int key)
{
   preload_memory_goes(address, size, false);
   return (int)syscall(SYS_pkey_mprotect, address, size, prot, key);
}
