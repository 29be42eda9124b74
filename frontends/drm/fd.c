/* What the client's file descriptors stand for. Under the kernel's lock. */
#include "kernel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void
drop(struct kernel *k, struct fd_entry e)
{
   switch (e.kind) {
   case FD_NONE:
      break;
   case FD_DRM:
      drm_file_unref(e.what);
      break;
   case FD_PRIME:
      gem_unref(e.what);
      break;
   case FD_SYNC_FILE:
      sync_file_unref(k, e.what);
      break;
   case FD_SYNCOBJ:
      syncobj_unref(e.what);
      break;
   case FD_SW_SYNC:
      sw_sync_unref(k, e.what);
      break;
   }
}

static void
keep(struct fd_entry e)
{
   switch (e.kind) {
   case FD_NONE:
      break;
   case FD_DRM:
      ((struct drm_file *)e.what)->refs++;
      break;
   case FD_PRIME:
      gem_ref(e.what);
      break;
   case FD_SYNC_FILE:
      ((struct sync_file *)e.what)->refs++;
      break;
   case FD_SYNCOBJ:
      syncobj_ref(e.what);
      break;
   case FD_SW_SYNC:
      sw_sync_ref(e.what);
      break;
   }
}

int
fd_install(struct kernel *k, int fd, enum fd_kind kind, void *what)
{
   struct fd_entry e = {kind, what};
   if (fd < 0 || fd > 1 << 20) {
      drop(k, e);
      return -EMFILE;
   }
   if (fd >= k->fd_room) {
      int room = k->fd_room ? k->fd_room : 256;
      while (room <= fd)
         room *= 2;
      struct fd_entry *bigger = realloc(k->fd, (size_t)room * sizeof(*bigger));
      if (!bigger) {
         drop(k, e);
         return -ENOMEM;
      }
      memset(bigger + k->fd_room, 0, (size_t)(room - k->fd_room) * sizeof(*bigger));
      k->fd = bigger;
      k->fd_room = room;
   }
   fd_forget(k, fd); /* the number was reused without our seeing the close */
   k->fd[fd] = e;
   return 0;
}

struct fd_entry
fd_find(struct kernel *k, int fd)
{
   return fd >= 0 && fd < k->fd_room ? k->fd[fd] : (struct fd_entry){FD_NONE, NULL};
}

/* A sync file is raised through a descriptor that is still its own: the number may soon be another
 * file's. */
static void
move_sync_file(const struct kernel *k, struct sync_file *s)
{
   s->fd = -1;
   for (int fd = 0; fd < k->fd_room && s->fd < 0; fd++)
      if (k->fd[fd].kind == FD_SYNC_FILE && k->fd[fd].what == s)
         s->fd = fd;
}

void
fd_forget(struct kernel *k, int fd)
{
   struct fd_entry e = fd_find(k, fd);
   if (e.kind == FD_NONE)
      return;
   k->fd[fd] = (struct fd_entry){FD_NONE, NULL};
   if (e.kind == FD_SYNC_FILE && ((struct sync_file *)e.what)->fd == fd)
      move_sync_file(k, e.what);
   drop(k, e);
}

void
fd_copy(struct kernel *k, int from, int to)
{
   struct fd_entry e = fd_find(k, from);
   if (from == to)
      return;
   fd_forget(k, to);
   if (e.kind == FD_NONE)
      return;
   keep(e);
   fd_install(k, to, e.kind, e.what);
}
