/* What takes client memory away without naming its addresses: files that become shorter, shared
 * memory that is detached. As in the kernel, the GPU is done with it first. */
#include "interpose.h"

#include <fcntl.h>
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

/* By system calls alone: a signal handler may call ftruncate() while the C library allocates
 * memory. */
struct areas {
   int fd; /* or -1 */
   size_t at, have;
   char text[2048];
};

static void
areas_open(struct areas *l)
{
   l->fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
   l->at = l->have = 0;
}

static int
next_character(struct areas *l)
{
   if (l->at == l->have) {
      long n = l->fd < 0 ? 0 : syscall(SYS_read, l->fd, l->text, sizeof(l->text));
      if (n <= 0)
         return -1;
      l->have = (size_t)n;
      l->at = 0;
   }
   return (unsigned char)l->text[l->at++];
}

/* Up to a character that is no digit. */
static uint64_t
next_number(struct areas *l, unsigned base, int *last)
{
   uint64_t n = 0;
   for (;;) {
      int c = *last = next_character(l);
      int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
      if (digit >= (int)base)
         return n;
      n = n * base + (unsigned)digit;
   }
}

/* "start-end rwxp offset major:minor inode   name" */
static bool
areas_next(struct areas *l, struct vm_area *a)
{
   int c;
   a->start = next_number(l, 16, &c);
   a->end = next_number(l, 16, &c);
   for (c = next_character(l); c > ' ';)
      c = next_character(l);
   a->offset = next_number(l, 16, &c);
   unsigned major = (unsigned)next_number(l, 16, &c), minor = (unsigned)next_number(l, 16, &c);
   a->device = makedev(major, minor);
   a->inode = next_number(l, 10, &c);
   while (c >= 0 && c != '\n')
      c = next_character(l);
   return c == '\n';
}

static void
areas_close(struct areas *l)
{
   if (l->fd >= 0)
      sys_close(l->fd);
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
   struct areas l;
   areas_open(&l);
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
   struct areas l;
   areas_open(&l);
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

#define TRUNCATE(name, type, call, stat_call, first)                                               \
   EXPORT int name(type file, first size);                                                         \
   EXPORT int name(type file, first size)                                                          \
   {                                                                                               \
      struct stat s;                                                                               \
      if (size >= 0 && gpu_has_memory() && !stat_call(file, &s))                                   \
         file_shrinks(&s, (uint64_t)size);                                                         \
      return (int)syscall(call, file, size);                                                       \
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
