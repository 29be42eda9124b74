/* PRIME: an object as a descriptor. The descriptor is a memfd of the object's size, so that lseek
 * and fstat answer by themselves; its pages are never used: the preload library maps the object's.
 */
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <drm.h>

/* DRM-033 */
IOCTL_HANDLER(ioctl_prime_handle_to_fd)
{
   struct drm_prime_handle *a = data;
   if (a->flags & ~(uint32_t)(DRM_CLOEXEC | DRM_RDWR))
      return -EINVAL;
   struct gem_object *o = gem_lookup(f, a->handle);
   if (!o)
      return -ENOENT;
   if (!o->arena)
      return -EINVAL; /* client pages are not given away */
   int fd = (int)syscall(SYS_memfd_create, "dmabuf", a->flags & DRM_CLOEXEC ? 1u : 0u);
   if (fd < 0)
      return -errno;
   int ret = syscall(SYS_ftruncate, fd, o->size) ? -errno : 0;
   if (!ret)
      ret = fd_install(f->k, fd, FD_PRIME, gem_ref(o));
   if (ret) {
      sys_close(fd);
      return ret;
   }
   a->fd = fd;
   return 0;
}

/* DRM-033 */
IOCTL_HANDLER(ioctl_prime_fd_to_handle)
{
   struct drm_prime_handle *a = data;
   struct fd_entry e = fd_find(f->k, a->fd);
   if (e.kind != FD_PRIME)
      return syscall(SYS_fcntl, a->fd, F_GETFD) < 0 ? -EBADF : -EINVAL;
   /* A file has one handle for one imported object. */
   for (uint32_t i = 1; i < f->objects.room; i++)
      if (f->objects.slot[i] == e.what) {
         a->handle = i;
         return 0;
      }
   return gem_handle(f, gem_ref(e.what), &a->handle);
}

static int
dma_buf_sync(struct gem_object *o, void *arg)
{
   struct dma_buf_sync s;
   if (copy_in(&s, (uintptr_t)arg, sizeof(s)))
      return -EFAULT;
   if (s.flags & ~(uint64_t)DMA_BUF_SYNC_VALID_FLAGS_MASK || !(s.flags & DMA_BUF_SYNC_RW))
      return -EINVAL;
   if (s.flags & DMA_BUF_SYNC_END)
      return 0;
   return gem_wait(o, !(s.flags & DMA_BUF_SYNC_WRITE), NULL);
}

/* All that writes it; with DMA_BUF_SYNC_WRITE all that uses it. (DRM-111) */
static int
export_sync_file(struct kernel *k, struct gem_object *o, void *arg)
{
   struct dma_buf_export_sync_file a;
   if (copy_in(&a, (uintptr_t)arg, sizeof(a)))
      return -EFAULT;
   if (!a.flags || a.flags & ~(uint32_t)DMA_BUF_SYNC_RW)
      return -EINVAL;
   struct fence *all = fence_create(-1);
   if (!all)
      return -ENOMEM;
   fence_signal(all, 0);
   gem_busy(o, false);
   for (unsigned i = 0; i < o->actives; i++) {
      if (!o->active[i].write && !(a.flags & DMA_BUF_SYNC_WRITE))
         continue;
      struct fence *more = fence_merge(all, o->active[i].fence);
      fence_unref(all);
      if (!more)
         return -ENOMEM;
      all = more;
   }
   struct sync_file *s = sync_file_create(k, all, &a.fd);
   fence_unref(all);
   if (!s)
      return -EMFILE;
   if (!copy_out((uintptr_t)arg, &a, sizeof(a)))
      return 0;
   fd_forget(k, a.fd);
   sys_close(a.fd);
   return -EFAULT;
}

/* DRM-111 */
static int
import_sync_file(struct kernel *k, struct gem_object *o, void *arg)
{
   struct dma_buf_import_sync_file a;
   if (copy_in(&a, (uintptr_t)arg, sizeof(a)))
      return -EFAULT;
   if (!a.flags || a.flags & ~(uint32_t)DMA_BUF_SYNC_RW)
      return -EINVAL;
   struct fd_entry e = fd_find(k, a.fd);
   if (e.kind != FD_SYNC_FILE)
      return -EINVAL;
   return gem_mark_active(o, ((struct sync_file *)e.what)->fence, a.flags & DMA_BUF_SYNC_WRITE);
}

int
prime_ioctl(struct kernel *k, struct gem_object *o, unsigned long request, void *arg)
{
   switch (request) {
   case DMA_BUF_IOCTL_SYNC:
      return dma_buf_sync(o, arg);
   case DMA_BUF_IOCTL_EXPORT_SYNC_FILE:
      return export_sync_file(k, o, arg);
   case DMA_BUF_IOCTL_IMPORT_SYNC_FILE:
      return import_sync_file(k, o, arg);
   case DMA_BUF_SET_NAME_A:
   case DMA_BUF_SET_NAME_B:
      return 0;
   default:
      return -ENOTTY;
   }
}
