/* Sync objects: binary and timeline. */
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <drm.h>

#define MAX_HANDLES (1u << 16)

struct syncobj *
syncobj_lookup(struct drm_file *f, uint32_t handle)
{
   return id_find(&f->syncobjs, handle);
}

struct syncobj *
syncobj_ref(struct syncobj *s)
{
   s->refs++;
   return s;
}

static void
clear(struct syncobj *s)
{
   for (unsigned i = 0; i < s->points; i++)
      fence_unref(s->point[i].fence);
   s->points = 0;
}

void
syncobj_unref(struct syncobj *s)
{
   if (!s || --s->refs)
      return;
   clear(s);
   fence_unref(s->past);
   free(s->point);
   free(s);
}

/* Completed points of a timeline are only a number; the last fence stays for those who ask for it.
 */
static void
prune(struct syncobj *s)
{
   unsigned gone = 0;
   while (gone < s->points && fence_done(s->point[gone].fence)) {
      if (s->point[gone].value > s->signaled)
         s->signaled = s->point[gone].value;
      gone++;
   }
   if (gone && gone == s->points)
      gone--;
   if (!gone)
      return;
   for (unsigned i = 0; i < gone; i++)
      fence_unref(s->point[i].fence);
   memmove(s->point, s->point + gone, (s->points - gone) * sizeof(s->point[0]));
   s->points -= gone;
}

/* DRM-052 */
struct fence *
syncobj_fence(struct syncobj *s, uint64_t point)
{
   prune(s);
   if (point && point <= s->signaled) {
      if (!s->past && (s->past = fence_create(-1)))
         fence_signal(s->past, 0);
      return s->past;
   }
   if (!s->points)
      return NULL;
   if (!point)
      return s->point[s->points - 1].fence;
   for (unsigned i = 0; i < s->points; i++)
      if (s->point[i].value >= point)
         return s->point[i].fence;
   return NULL;
}

/* DRM-052 */
int
syncobj_set(struct syncobj *s, uint64_t point, struct fence *f)
{
   struct fence *fence = fence_ref(f);
   if (!point) {
      clear(s);
      s->signaled = 0;
   } else {
      prune(s);
      if (s->points) {
         /* A point is reached when all before it are. */
         struct fence *both = fence_merge(s->point[s->points - 1].fence, f);
         if (!both) {
            fence_unref(fence);
            return -ENOMEM;
         }
         fence_unref(fence);
         fence = both;
         if (s->point[s->points - 1].value > point)
            point = s->point[s->points - 1].value; /* out of order: the kernel warns, and goes on */
      }
   }
   struct syncobj_point *bigger = realloc(s->point, (s->points + 1) * sizeof(*bigger));
   if (!bigger) {
      fence_unref(fence);
      return -ENOMEM;
   }
   s->point = bigger;
   s->point[s->points++] = (struct syncobj_point){point, fence};
   return 0;
}

static int
signal_point(struct syncobj *s, uint64_t point)
{
   struct fence *f = fence_create(-1);
   if (!f)
      return -ENOMEM;
   fence_signal(f, 0);
   int ret = syncobj_set(s, point, f);
   fence_unref(f);
   return ret;
}

/* DRM-050 */
IOCTL_HANDLER(ioctl_syncobj_create)
{
   struct drm_syncobj_create *a = data;
   if (a->flags & ~(uint32_t)DRM_SYNCOBJ_CREATE_SIGNALED)
      return -EINVAL;
   struct syncobj *s = calloc(1, sizeof(*s));
   if (!s)
      return -ENOMEM;
   s->refs = 1;
   int ret = a->flags ? signal_point(s, 0) : 0;
   if (!ret)
      ret = id_take(&f->syncobjs, s, 1, &a->handle);
   if (ret)
      syncobj_unref(s);
   return ret;
}

IOCTL_HANDLER(ioctl_syncobj_destroy)
{
   struct drm_syncobj_destroy *a = data;
   if (a->pad)
      return -EINVAL;
   struct syncobj *s = id_drop(&f->syncobjs, a->handle);
   if (!s)
      return -EINVAL;
   syncobj_unref(s);
   return 0;
}

/* DRM-055, DRM-056 */
IOCTL_HANDLER(ioctl_syncobj_handle_to_fd)
{
   struct drm_syncobj_handle *a = data;
   if (a->pad)
      return -EINVAL;
   if (a->flags & ~(uint32_t)DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE)
      return -EINVAL;
   struct syncobj *s = syncobj_lookup(f, a->handle);
   if (a->flags) {
      if (!s)
         return -ENOENT;
      struct fence *fence = syncobj_fence(s, 0);
      if (!fence)
         return -EINVAL;
      return sync_file_create(f->k, fence, &a->fd) ? 0 : -EMFILE;
   }
   if (!s)
      return -EINVAL;
   int fd = (int)syscall(SYS_eventfd2, 0, O_CLOEXEC);
   if (fd < 0)
      return -errno;
   int ret = fd_install(f->k, fd, FD_SYNCOBJ, syncobj_ref(s));
   if (ret) {
      sys_close(fd);
      return ret;
   }
   a->fd = fd;
   return 0;
}

/* DRM-055, DRM-056 */
IOCTL_HANDLER(ioctl_syncobj_fd_to_handle)
{
   struct drm_syncobj_handle *a = data;
   if (a->pad)
      return -EINVAL;
   if (a->flags & ~(uint32_t)DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE)
      return -EINVAL;
   struct fd_entry e = fd_find(f->k, a->fd);
   if (a->flags) {
      if (e.kind != FD_SYNC_FILE)
         return -EINVAL;
      struct syncobj *s = syncobj_lookup(f, a->handle);
      int ret = s ? syncobj_set(s, 0, ((struct sync_file *)e.what)->fence) : -ENOENT;
      kernel_wake(f->k); /* someone may wait for a submission */
      return ret;
   }
   if (e.kind != FD_SYNCOBJ)
      return -EINVAL;
   int ret = id_take(&f->syncobjs, e.what, 1, &a->handle);
   if (!ret)
      syncobj_ref(e.what);
   return ret;
}

/* The client's arrays of handles and points. */
struct handle_list {
   struct syncobj **obj;
   struct fence *
       *fence; /* of a wait: the one that the object had when it was first seen with one */
   uint64_t *point;
   uint32_t count;
};

static void
list_free(struct handle_list *l)
{
   for (uint32_t i = 0; i < l->count; i++) {
      syncobj_unref(l->obj[i]);
      fence_unref(l->fence[i]);
   }
   free(l->obj);
   free(l->fence);
   free(l->point);
}

/* DRM-050; DRM-052: with points */
static int
list_read(struct drm_file *f, uint64_t handles, uint64_t points, uint32_t count,
          struct handle_list *l)
{
   *l = (struct handle_list){0};
   if (count > MAX_HANDLES)
      return -ENOMEM;
   l->obj = calloc(count, sizeof(l->obj[0]));
   l->fence = calloc(count, sizeof(l->fence[0]));
   l->point = calloc(count, sizeof(l->point[0]));
   int ret = l->obj && l->fence && l->point ? 0 : -ENOMEM;
   if (!ret && points && copy_in(l->point, points, count * sizeof(l->point[0])))
      ret = -EFAULT;
   for (uint32_t i = 0; i < count && !ret; i++) {
      uint32_t handle;
      if (copy_in(&handle, handles + i * 4ull, 4)) {
         ret = -EFAULT;
         break;
      }
      struct syncobj *s = syncobj_lookup(f, handle);
      if (!s) {
         ret = -ENOENT;
         break;
      }
      l->obj[l->count++] = syncobj_ref(s);
   }
   if (ret)
      list_free(l);
   return ret;
}

/* 1 done, 0 not yet, negative: nothing to wait for. (DRM-050) */
static int
point_state(const struct handle_list *l, uint32_t i, uint32_t flags)
{
   if (!l->fence[i])
      l->fence[i] = fence_ref(syncobj_fence(l->obj[i], l->point[i]));
   struct fence *fence = l->fence[i];
   if (!fence)
      return flags & (DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |
                      DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE)
                 ? 0
                 : -EINVAL;
   return flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE || fence_done(fence);
}

static int
look(const struct handle_list *l, uint32_t flags, uint32_t *first)
{
   uint32_t done = 0;
   *first = UINT32_MAX;
   for (uint32_t i = 0; i < l->count; i++) {
      int state = point_state(l, i, flags);
      if (state < 0)
         return state;
      if (state && *first == UINT32_MAX)
         *first = i;
      done += state;
   }
   bool all = flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL;
   return all ? done == l->count : done > 0;
}

/* DRM-051 */
static int
wait_list(struct kernel *k, const struct handle_list *l, uint32_t flags, int64_t timeout,
          uint32_t *first)
{
   int64_t deadline = timeout < 0 ? 0 : timeout; /* absolute */
   for (;;) {
      uint32_t found;
      int state = look(l, flags, &found);
      if (state < 0)
         return state;
      if (state) {
         *first = found;
         return 0;
      }
      int ret = kernel_wait_interruptible(k, deadline);
      if (ret) {
         state = look(l, flags, &found);
         if (state == 1) {
            *first = found;
            return 0;
         }
         return state < 0 ? state : ret;
      }
   }
}

IOCTL_HANDLER(ioctl_syncobj_wait)
{
   struct drm_syncobj_wait *a = data;
   if (a->flags &
       ~(uint32_t)(DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT))
      return -EINVAL;
   if (!a->count_handles)
      return 0;
   struct handle_list l;
   int ret = list_read(f, a->handles, 0, a->count_handles, &l);
   if (ret)
      return ret;
   ret = wait_list(f->k, &l, a->flags, a->timeout_nsec, &a->first_signaled);
   list_free(&l);
   return ret;
}

IOCTL_HANDLER(ioctl_syncobj_timeline_wait)
{
   struct drm_syncobj_timeline_wait *a = data;
   if (a->flags &
       ~(uint32_t)(DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |
                   DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE))
      return -EINVAL;
   if (!a->count_handles)
      return 0;
   struct handle_list l;
   int ret = list_read(f, a->handles, a->points, a->count_handles, &l);
   if (ret)
      return ret;
   ret = wait_list(f->k, &l, a->flags, a->timeout_nsec, &a->first_signaled);
   list_free(&l);
   return ret;
}

IOCTL_HANDLER(ioctl_syncobj_reset)
{
   struct drm_syncobj_array *a = data;
   struct handle_list l;
   if (a->pad || !a->count_handles)
      return -EINVAL;
   int ret = list_read(f, a->handles, 0, a->count_handles, &l);
   if (ret)
      return ret;
   for (uint32_t i = 0; i < l.count; i++) {
      clear(l.obj[i]);
      l.obj[i]->signaled = 0;
   }
   list_free(&l);
   return 0;
}

static int
signal_list(struct drm_file *f, struct handle_list *l)
{
   int ret = 0;
   for (uint32_t i = 0; i < l->count && !ret; i++)
      ret = signal_point(l->obj[i], l->point[i]);
   requests_submit(f->k);
   kernel_wake(f->k);
   list_free(l);
   return ret;
}

IOCTL_HANDLER(ioctl_syncobj_signal)
{
   struct drm_syncobj_array *a = data;
   struct handle_list l;
   if (a->pad || !a->count_handles)
      return -EINVAL;
   int ret = list_read(f, a->handles, 0, a->count_handles, &l);
   return ret ? ret : signal_list(f, &l);
}

/* DRM-052 */
IOCTL_HANDLER(ioctl_syncobj_timeline_signal)
{
   struct drm_syncobj_timeline_array *a = data;
   struct handle_list l;
   if (a->flags || !a->count_handles)
      return -EINVAL;
   int ret = list_read(f, a->handles, a->points, a->count_handles, &l);
   return ret ? ret : signal_list(f, &l);
}

/* DRM-052 */
IOCTL_HANDLER(ioctl_syncobj_query)
{
   struct drm_syncobj_timeline_array *a = data;
   struct handle_list l;
   if (a->flags & ~(uint32_t)DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED || !a->count_handles)
      return -EINVAL;
   int ret = list_read(f, a->handles, 0, a->count_handles, &l);
   if (ret)
      return ret;
   for (uint32_t i = 0; i < l.count && !ret; i++) {
      struct syncobj *s = l.obj[i];
      prune(s);
      uint64_t value = s->signaled;
      if (a->flags && s->points)
         value = s->point[s->points - 1].value;
      ret = copy_out(a->points + i * 8ull, &value, sizeof(value));
   }
   list_free(&l);
   return ret;
}

/* DRM-052 */
IOCTL_HANDLER(ioctl_syncobj_transfer)
{
   struct drm_syncobj_transfer *a = data;
   if (a->pad || a->flags & ~(uint32_t)DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT)
      return -EINVAL;
   struct syncobj *dst = syncobj_lookup(f, a->dst_handle);
   struct syncobj *src = syncobj_lookup(f, a->src_handle);
   if (!dst || !src)
      return -ENOENT;
   struct fence *fence = syncobj_fence(src, a->src_point);
   if (!fence)
      return -EINVAL;
   fence_ref(fence);
   int ret = syncobj_set(dst, a->dst_point, fence);
   fence_unref(fence);
   kernel_wake(f->k);
   return ret;
}
