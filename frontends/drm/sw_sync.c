/* Software timelines, as debugfs offers them for tests: fences that a counter signals. */
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The uAPI of drivers/dma-buf/sw_sync.c; no header of the system has it. */
struct create_fence {
   uint32_t value;
   char name[32];
   int32_t fence;
};
#define SW_SYNC_CREATE_FENCE _IOWR('W', 0, struct create_fence)
#define SW_SYNC_INC _IOW('W', 1, uint32_t)

struct sw_point {
   struct sw_point *next;
   uint32_t value;
   struct fence *fence;
};

struct sw_timeline {
   unsigned refs;
   uint32_t value;
   uint64_t number;
   struct sw_point *points; /* not signaled yet */
};

int
sw_sync_open(struct kernel *k, int flags)
{
   struct sw_timeline *t = calloc(1, sizeof(*t));
   if (!t)
      return -ENOMEM;
   t->refs = 1;
   t->number = ++k->timelines;
   int fd = (int)syscall(SYS_eventfd2, 0, flags & O_CLOEXEC);
   if (fd < 0) {
      int e = errno;
      free(t);
      return -e;
   }
   int ret = fd_install(k, fd, FD_SW_SYNC, t);
   if (!ret)
      return fd;
   sys_close(fd);
   return ret;
}

struct sw_timeline *
sw_sync_ref(struct sw_timeline *t)
{
   t->refs++;
   return t;
}

/* Signals what `reached` says; error: what the fences are told. (DRM-103) */
static void
signal_points(struct kernel *k, struct sw_timeline *t, bool all, int error)
{
   bool any = false;
   for (struct sw_point **p = &t->points; *p;) {
      struct sw_point *point = *p;
      if (!all && (int32_t)(t->value - point->value) < 0) {
         p = &point->next;
         continue;
      }
      *p = point->next;
      fence_signal(point->fence, error);
      fence_unref(point->fence);
      free(point);
      any = true;
   }
   if (!any)
      return;
   requests_submit(k);
   sync_files_poll(k);
   kernel_wake(k);
}

void
sw_sync_unref(struct kernel *k, struct sw_timeline *t)
{
   if (--t->refs)
      return;
   signal_points(k, t, true, -ENOENT); /* nobody can reach them any more */
   free(t);
}

/* DRM-103 */
static int
create_fence(struct kernel *k, struct sw_timeline *t, void *arg)
{
   struct create_fence a;
   if (copy_in(&a, (uintptr_t)arg, sizeof(a)))
      return -EFAULT;
   struct sw_point *point = calloc(1, sizeof(*point));
   struct fence *f = point ? fence_create(-1) : NULL;
   if (!f) {
      free(point);
      return -ENOMEM;
   }
   f->timeline = t->number;
   f->seqno = a.value;
   if ((int32_t)(t->value - a.value) >= 0)
      fence_signal(f, 0);
   int fd = -1;
   struct sync_file *s = sync_file_create(k, f, &fd);
   if (s) {
      a.name[sizeof(a.name) - 1] = 0;
      memcpy(s->name, a.name, sizeof(s->name));
      a.fence = fd;
   }
   if (!s || copy_out((uintptr_t)arg, &a, sizeof(a))) {
      if (s) {
         fd_forget(k, fd);
         sys_close(fd);
      }
      fence_unref(f);
      free(point);
      return s ? -EFAULT : -EMFILE;
   }
   if (f->signaled) {
      fence_unref(f);
      free(point);
      return 0;
   }
   *point = (struct sw_point){t->points, a.value, f};
   t->points = point;
   return 0;
}

int
sw_sync_ioctl(struct kernel *k, struct sw_timeline *t, unsigned long request, void *arg)
{
   uint32_t by;
   if (request == SW_SYNC_CREATE_FENCE)
      return create_fence(k, t, arg);
   if (request != SW_SYNC_INC)
      return -ENOTTY;
   if (copy_in(&by, (uintptr_t)arg, sizeof(by)))
      return -EFAULT;
   /* A step of more than half of the circle would look like one backwards: it is made in two. */
   for (; by > INT_MAX; by -= INT_MAX) {
      t->value += INT_MAX;
      signal_points(k, t, false, 0);
   }
   t->value += by;
   signal_points(k, t, false, 0);
   return 0;
}
