/* poll and lseek of exported objects: their descriptors are files only to the host. */
#include "interpose.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#define STEP_NS 1000000ll /* between two looks when other descriptors are waited for too */

static struct gem_object *
exported(struct kernel *k, int fd)
{
   struct fd_entry e = fd_find(k, fd);
   return e.kind == FD_PRIME ? e.what : NULL;
}

/* Readable when nobody writes it, writable when nobody uses it. */
static short
object_events(struct gem_object *o, short wanted)
{
   short events = 0;
   if (wanted & POLLIN && !gem_busy(o, true))
      events |= POLLIN;
   if (wanted & POLLOUT && !gem_busy(o, false))
      events |= POLLOUT;
   return events;
}

struct waiting {
   struct pollfd *client, *others; /* others: the same list without the exported objects */
   nfds_t count, objects;
};

static int
look(struct kernel *k, struct waiting *w)
{
   REAL(poll, int (*)(struct pollfd *, nfds_t, int));
   int ready = w->objects < w->count ? real(w->others, w->count, 0) : 0;
   if (ready < 0)
      return ready;
   for (nfds_t i = 0; i < w->count; i++) {
      struct gem_object *o = exported(k, w->client[i].fd);
      w->client[i].revents = o ? object_events(o, w->client[i].events) : w->others[i].revents;
      ready += o && w->client[i].revents;
   }
   return ready;
}

static int
wait_for(struct kernel *k, struct waiting *w, int timeout_ms)
{
   int64_t end = timeout_ms < 0 ? INT64_MAX : monotonic_ns() + timeout_ms * 1000000ll;
   for (;;) {
      int ready = look(k, w);
      int64_t now = monotonic_ns();
      if (ready || now >= end)
         return ready;
      int64_t next = w->objects < w->count && now + STEP_NS < end ? now + STEP_NS : end;
      if (kernel_wait_once(k, next == INT64_MAX ? -1 : next) == -EINTR) {
         errno = EINTR;
         return -1;
      }
   }
}

static bool
poll_ours(struct pollfd *list, nfds_t count, int timeout_ms, int *ret)
{
   struct kernel *k = preload_kernel();
   if (!k || kernel_inside || !list || !count)
      return false;
   INSIDE();
   kernel_lock(k);
   struct waiting w = {.client = list, .count = count};
   for (nfds_t i = 0; i < count; i++)
      w.objects += exported(k, list[i].fd) != NULL;
   bool mine = w.objects;
   if (mine && !(w.others = malloc(count * sizeof(*w.others)))) {
      errno = ENOMEM;
      *ret = -1;
   } else if (mine) {
      for (nfds_t i = 0; i < count; i++) {
         w.others[i] = list[i];
         if (exported(k, list[i].fd))
            w.others[i].fd = -1;
      }
      *ret = wait_for(k, &w, timeout_ms);
      free(w.others);
   }
   pthread_mutex_unlock(&k->lock);
   return mine;
}

EXPORT int
poll(struct pollfd *list, nfds_t count, int timeout_ms)
{
   REAL(poll, int (*)(struct pollfd *, nfds_t, int));
   int ret;
   return poll_ours(list, count, timeout_ms, &ret) ? ret : real(list, count, timeout_ms);
}

EXPORT int __poll_chk(struct pollfd *list, nfds_t count, int timeout_ms, size_t room);
EXPORT int
__poll_chk(struct pollfd *list, nfds_t count, int timeout_ms, size_t room)
{
   if (room / sizeof(*list) < count)
      abort(); /* what the C library does */
   return poll(list, count, timeout_ms);
}

/* An exported object tells its size, and has no position. */
static bool
seek_ours(int fd, off_t offset, int whence, off_t *ret)
{
   struct kernel *k = preload_kernel();
   if (!k || kernel_inside)
      return false;
   kernel_lock(k);
   struct gem_object *o = exported(k, fd);
   uint64_t size = o ? o->size : 0;
   pthread_mutex_unlock(&k->lock);
   if (!o)
      return false;
   if (offset || (whence != SEEK_SET && whence != SEEK_END)) {
      errno = EINVAL;
      *ret = -1;
   } else {
      *ret = whence == SEEK_END ? (off_t)size : 0;
   }
   return true;
}

#define LSEEK(name, type)                                                                          \
   EXPORT type name(int fd, type offset, int whence);                                              \
   EXPORT type name(int fd, type offset, int whence)                                               \
   {                                                                                               \
      REAL(name, type (*)(int, type, int));                                                        \
      off_t ret;                                                                                   \
      return seek_ours(fd, offset, whence, &ret) ? ret : real(fd, offset, whence);                 \
   }
LSEEK(lseek, off_t)
LSEEK(lseek64, off64_t)
