/* The peer's memory: files that it maps for us become physical memory of the device. */
#include "server.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define PAGE 4096ull

/* ---- files that become shorter ----------------------------------------------------------------
 */

/* A process has one handler for a signal, and nothing is handed to it: hence static. Read by the
 * handler at any time. */
static struct {
   struct {
      uintptr_t start, end; /* end 0: nothing; set last */
   } range[VU_MAX_MAPS];
   uint64_t lost;
} guard;

/* The page is no longer in the file: an empty one takes its place, so that the access ends. Whoever
 * made the file shorter sees what comes of it; the server goes on. */
static void
on_bus_error(int number, siginfo_t *info, void *context)
{
   uintptr_t at = (uintptr_t)info->si_addr;
   (void)context;
   for (unsigned i = 0; i < VU_MAX_MAPS && info->si_code > 0; i++) {
      uintptr_t end = __atomic_load_n(&guard.range[i].end, __ATOMIC_ACQUIRE);
      if (at >= end || at < __atomic_load_n(&guard.range[i].start, __ATOMIC_RELAXED))
         continue;
      void *page = (void *)(at & ~(uintptr_t)(PAGE - 1));
      __atomic_fetch_add(&guard.lost, 1, __ATOMIC_RELAXED);
      if (mmap(page, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
               0) == page)
         return;
   }
   signal(number, SIG_DFL); /* executed again, and for good */
}

static void
watch(void *host, uint64_t size)
{
   struct sigaction a = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO | SA_ONSTACK};
   sigaction(SIGBUS, &a, NULL);
   for (unsigned i = 0; i < VU_MAX_MAPS; i++) {
      if (guard.range[i].end)
         continue;
      __atomic_store_n(&guard.range[i].start, (uintptr_t)host, __ATOMIC_RELAXED);
      __atomic_store_n(&guard.range[i].end, (uintptr_t)host + size, __ATOMIC_RELEASE);
      return;
   }
}

static void
unwatch(const void *host)
{
   for (unsigned i = 0; i < VU_MAX_MAPS; i++)
      if (guard.range[i].end && guard.range[i].start == (uintptr_t)host)
         __atomic_store_n(&guard.range[i].end, 0, __ATOMIC_RELEASE);
}

uint64_t
dma_lost_pages(void)
{
   return __atomic_load_n(&guard.lost, __ATOMIC_RELAXED);
}

/* ---- maps -------------------------------------------------------------------------------------
 */

static bool
overlaps(const struct server *s, uint64_t address, uint64_t size)
{
   for (unsigned i = 0; i < s->maps; i++)
      if (address < s->map[i].address + s->map[i].size && s->map[i].address < address + size)
         return true;
   return false;
}

/* The file must hold all of it now. */
static int
map_file(struct server *s, const struct vu_dma_map *r, int fd, void **host)
{
   struct stat st;
   if (fstat(fd, &st))
      return errno;
   if (!S_ISREG(st.st_mode) || r->offset % PAGE || r->offset > (uint64_t)st.st_size ||
       r->size > (uint64_t)st.st_size - r->offset)
      return EINVAL;
   bool writeable = r->flags & VU_DMA_WRITEABLE;
   void *p = mmap(NULL, r->size, PROT_READ | (writeable ? PROT_WRITE : 0), MAP_SHARED, fd,
                  (off_t)r->offset);
   if (p == MAP_FAILED)
      return errno;
   struct pergola_runner_memory m = {.address = r->address,
                                     .size = r->size,
                                     .host = p,
                                     .flags = writeable ? 0 : PERGOLA_MEMORY_READ_ONLY};
   watch(p, r->size);
   int error = -pergola_runner_memory_add(s->runner, &m);
   if (error) {
      unwatch(p);
      munmap(p, r->size);
      return error;
   }
   *host = p;
   return 0;
}

/* It could be had by DMA_READ and DMA_WRITE, which are not sent. QEMU maps its ROMs so, which no
 * driver leads the device to: not the map is refused, but an access, and by name. */
static int
map_nothing(struct server *s, const struct vu_dma_map *r)
{
   struct pergola_runner_memory m = {
       .address = r->address, .size = r->size, .flags = PERGOLA_MEMORY_ABSENT};
   int error = -pergola_runner_memory_add(s->runner, &m);
   return error == EINVAL ? 0 : error; /* past what the device can address */
}

int
dma_add(struct server *s, struct message *m)
{
   struct vu_dma_map r;
   if (m->size < sizeof(r) || m->fds > 1)
      return EINVAL;
   memcpy(&r, m->data, sizeof(r));
   if (!r.size || r.size % PAGE || r.address % PAGE || r.address + r.size < r.address ||
       r.flags & ~(VU_DMA_READABLE | VU_DMA_WRITEABLE) || !(r.flags & VU_DMA_READABLE))
      return EINVAL;
   if (overlaps(s, r.address, r.size))
      return EEXIST;
   if (s->maps == VU_MAX_MAPS)
      return ENOSPC;
   void *host = NULL;
   int error = m->fds ? map_file(s, &r, m->fd[0], &host) : map_nothing(s, &r);
   if (!error)
      s->map[s->maps++] = (struct dma_map){r.address, r.size, host};
   return error;
}

static void
release(struct server *s, unsigned i)
{
   struct dma_map *m = &s->map[i];
   pergola_runner_memory_remove(s->runner, m->address); /* when it returns the device is out */
   if (m->host) {
      unwatch(m->host);
      munmap(m->host, m->size);
   }
   *m = s->map[--s->maps];
}

int
dma_remove(struct server *s, uint64_t address, uint64_t size)
{
   for (unsigned i = 0; i < s->maps; i++)
      if (s->map[i].address == address && s->map[i].size == size) {
         release(s, i);
         return 0;
      }
   return ENOENT;
}

void
dma_forget(struct server *s)
{
   while (s->maps)
      release(s, 0);
}
