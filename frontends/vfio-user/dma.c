/* The peer's memory: files that it maps for us become physical memory of the device. */
#include "server.h"

#include <errno.h>
#include <linux/magic.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#define PAGE 4096ull

/* ---- files that become shorter ----------------------------------------------------------------
 */

/* A process has one handler for a signal, and nothing is handed to it: hence static. Read by the
 * handler at any time. */
struct watched {
   uintptr_t start, end; /* end 0: nothing; set last */
   uintptr_t kept;       /* all behind it has been replaced */
   uintptr_t page;       /* bytes; a file of huge pages is replaced by them */
};
static struct {
   struct watched range[VU_MAX_MAPS];
   uint64_t lost;
} guard;

static struct watched *
watched_at(uintptr_t at)
{
   for (unsigned i = 0; i < VU_MAX_MAPS; i++) {
      uintptr_t end = __atomic_load_n(&guard.range[i].end, __ATOMIC_ACQUIRE);
      if (at < end && at >= __atomic_load_n(&guard.range[i].start, __ATOMIC_RELAXED))
         return &guard.range[i];
   }
   return NULL;
}

static bool
put_empty(uintptr_t at, uintptr_t size)
{
   if (mmap((void *)at, size, PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
      return false;
   __atomic_fetch_add(&guard.lost, size / PAGE, __ATOMIC_RELAXED);
   return true;
}

/* What lies behind a page that is no longer in the file is not there either: all of it is replaced
 * at once, for the pieces that a process's memory may have are counted. */
static bool
lose(struct watched *w, uintptr_t at)
{
   uintptr_t kept = __atomic_load_n(&w->kept, __ATOMIC_ACQUIRE), page = at & ~(w->page - 1);
   if (at >= kept)
      return true; /* by another thread, just now */
   if (put_empty(page, kept - page))
      __atomic_store_n(&w->kept, page, __ATOMIC_RELEASE);
   else if (!put_empty(page, w->page)) /* a host that gives no more than it has */
      return false;
   return true;
}

/* Empty pages take the place of the missing ones, so that the access ends. Whoever made the file
 * shorter sees what comes of it; the server goes on. */
static void
on_bus_error(int number, siginfo_t *info, void *context)
{
   uintptr_t at = (uintptr_t)info->si_addr;
   struct watched *w = info->si_code > 0 ? watched_at(at) : NULL;
   (void)context;
   if (!w || !lose(w, at))
      signal(number, SIG_DFL); /* executed again, and for good */
}

static void
watch(void *host, uint64_t size, uint64_t page)
{
   struct sigaction a = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO | SA_ONSTACK};
   sigaction(SIGBUS, &a, NULL);
   for (unsigned i = 0; i < VU_MAX_MAPS; i++) {
      struct watched *w = &guard.range[i];
      if (w->end)
         continue;
      w->page = page;
      w->kept = (uintptr_t)host + size;
      __atomic_store_n(&w->start, (uintptr_t)host, __ATOMIC_RELAXED);
      __atomic_store_n(&w->end, (uintptr_t)host + size, __ATOMIC_RELEASE);
      return;
   }
}

static void
unwatch(const void *host)
{
   struct watched *w = watched_at((uintptr_t)host);
   if (w)
      __atomic_store_n(&w->end, 0, __ATOMIC_RELEASE);
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

/* In bytes; those of a file of huge pages come and go whole. */
static uint64_t
page_size(int fd)
{
   struct statfs f;
   return !fstatfs(fd, &f) && f.f_type == HUGETLBFS_MAGIC ? (uint64_t)f.f_bsize : PAGE;
}

/* The file must hold all of it now. */
static int
map_file(struct server *s, const struct vu_dma_map *r, int fd, void **host)
{
   struct stat st;
   if (fstat(fd, &st))
      return errno;
   uint64_t page = page_size(fd);
   if (!S_ISREG(st.st_mode) || r->offset % page || r->size % page ||
       r->offset > (uint64_t)st.st_size || r->size > (uint64_t)st.st_size - r->offset)
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
   watch(p, r->size, page);
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
