/* GEM objects: how the client reads, writes and maps them. */
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <i915_drm.h>

/* DRM-023 */
static bool
out_of_bounds(const struct gem_object *o, uint64_t offset, uint64_t size)
{
   return offset > o->size || size > o->size - offset;
}

/* DRM-023: the object that has these bytes. */
static int
find_bytes(struct drm_file *f, uint32_t handle, uint64_t offset, uint64_t size,
           struct gem_object **o)
{
   *o = gem_lookup(f, handle);
   if (!*o)
      return -ENOENT;
   return out_of_bounds(*o, offset, size) || !(*o)->arena ? -EINVAL : 0;
}

/* DRM-023 */
IOCTL_HANDLER(ioctl_gem_pread)
{
   struct drm_i915_gem_pread *a = data;
   struct gem_object *o;
   if (!a->size)
      return 0;
   int ret = find_bytes(f, a->handle, a->offset, a->size, &o);
   if (ret)
      return ret;
   if (o->purged)
      return -EFAULT;
   gem_ref(o); /* another thread may close it during the wait */
   view_store(o);
   ret = gem_wait(o, true, NULL);
   if (!ret)
      ret = copy_out(a->data_ptr, o->host + a->offset, a->size);
   gem_unref(o);
   return ret;
}

/* DRM-023 */
IOCTL_HANDLER(ioctl_gem_pwrite)
{
   struct drm_i915_gem_pwrite *a = data;
   struct gem_object *o;
   if (!a->size)
      return 0;
   int ret = find_bytes(f, a->handle, a->offset, a->size, &o);
   if (ret)
      return ret;
   if (o->madv != I915_MADV_WILLNEED && !o->pages)
      return -EFAULT;
   o->poured = true;
   gem_ref(o);
   view_store(o);
   ret = gem_wait(o, false, NULL);
   if (!ret)
      ret = copy_in(o->host + a->offset, a->data_ptr, a->size);
   view_load(o);
   gem_unref(o);
   return ret;
}

IOCTL_HANDLER(ioctl_gem_mmap)
{
   struct drm_i915_gem_mmap *a = data;
   if (a->flags & ~(uint64_t)I915_MMAP_WC) /* DRM-025 */
      return -EINVAL;
   struct gem_object *o = gem_lookup(f, a->handle);
   if (!o)
      return -ENOENT;
   if (!o->arena)
      return -ENXIO;
   if (!a->size || a->offset & (PAGE - 1) || out_of_bounds(o, a->offset, a->size)) /* DRM-025 */
      return -EINVAL;
   void *p = sys_mmap(NULL, a->size, PROT_READ | PROT_WRITE, MAP_SHARED, o->arena->fd,
                      (off_t)(o->physical - o->arena->physical + a->offset));
   if (p == MAP_FAILED)
      return -ENOMEM;
   uint64_t size = (a->size + PAGE - 1) & ~(PAGE - 1);
   struct client_map m = {
       .start = (uintptr_t)p, .end = (uintptr_t)p + size, .object = o, .offset = a->offset};
   int ret = maps_add(f->k, &m);
   if (ret) {
      sys_munmap(p, a->size);
      return ret;
   }
   a->addr_ptr = (uintptr_t)p;
   return 0;
}

int
gem_map_offset(struct gem_object *o, bool aperture, __u64 *offset)
{
   if (!o->map_offset[aperture]) {
      int ret = range_take(&o->k->map_offsets, o->size, PAGE, &o->map_offset[aperture]);
      if (ret) {
         o->map_offset[aperture] = 0;
         return ret;
      }
      range_own(&o->k->map_offsets, o->map_offset[aperture], o);
   }
   *offset = o->map_offset[aperture];
   return 0;
}

/* Both forms of the ioctl have one number; the older one is a prefix whose flags read as zero.
 * (DRM-024) */
IOCTL_HANDLER(ioctl_gem_mmap_offset)
{
   struct drm_i915_gem_mmap_offset *a = data;
   struct gem_object *o;
   int ret = no_extensions(a->extensions);
   if (ret)
      return ret;
   if (a->flags == I915_MMAP_OFFSET_FIXED)
      return -ENODEV;
   if (a->flags > I915_MMAP_OFFSET_FIXED)
      return -EINVAL;
   o = gem_lookup(f, a->handle);
   if (!o)
      return -ENOENT;
   if (!o->arena)
      return -ENODEV;
   return gem_map_offset(o, a->flags == I915_MMAP_OFFSET_GTT, &a->offset);
}

/* DRM-022, DRM-024 */
int
drm_file_map(struct drm_file *f, uint64_t offset, uint64_t size, struct map_target *t)
{
   int ret = -EINVAL;
   kernel_lock(f->k);
   struct gem_object *o = range_owner(&f->k->map_offsets, offset);
   bool aperture =
       o && o->map_offset[1] && offset >= o->map_offset[1] && offset - o->map_offset[1] < o->size;
   uint64_t at = o ? offset - o->map_offset[aperture] : 0;
   if (o && size && at < o->size && size <= o->size - at)
      ret = gem_has_handle(f, o) ? 0 : -EACCES;
   if (!ret)
      *t = (struct map_target){.object = gem_ref(o),
                               .fd = o->arena->fd,
                               .offset = o->physical - o->arena->physical + at,
                               .aperture = aperture,
                               .detiled = aperture && o->tiling != TILING_NONE,
                               .purged = o->purged};
   pthread_mutex_unlock(&f->k->lock);
   return ret;
}

/* DRM-026 */
IOCTL_HANDLER(ioctl_gem_set_domain)
{
   struct drm_i915_gem_set_domain *a = data;
   const uint32_t gpu = I915_GEM_DOMAIN_RENDER | I915_GEM_DOMAIN_SAMPLER | I915_GEM_DOMAIN_COMMAND |
                        I915_GEM_DOMAIN_INSTRUCTION | I915_GEM_DOMAIN_VERTEX;
   if ((a->write_domain | a->read_domains) & gpu)
      return -EINVAL; /* bits that mean nothing are not looked at */
   if (a->write_domain && a->read_domains != a->write_domain)
      return -EINVAL;
   if (!a->read_domains)
      return 0;
   struct gem_object *o = gem_lookup(f, a->handle);
   if (!o)
      return -ENOENT;
   if (!o->arena) {
      int64_t forever = -1;
      int ret = user_mapped(o->user, o->size) ? 0 : -EFAULT;
      return ret ? ret : gem_wait(o, !a->write_domain, &forever);
   }
   if (!o->pages && gem_need_pages(o))
      return -EFAULT;
   gem_ref(o);
   view_store(o);
   int ret = gem_wait(o, !a->write_domain, NULL);
   if (!ret)
      view_load(o);
   gem_unref(o);
   return ret;
}

IOCTL_HANDLER(ioctl_gem_sw_finish)
{
   struct drm_i915_gem_sw_finish *a = data;
   struct gem_object *o = gem_lookup(f, a->handle);
   if (!o)
      return -ENOENT;
   view_store(o);
   return 0;
}

/* DRM-027 */
static bool
tiling_ok(uint32_t tiling, uint32_t stride)
{
   if (tiling == I915_TILING_NONE)
      return true;
   if (tiling > I915_TILING_LAST)
      return false;
   uint32_t width = tiling == I915_TILING_X ? 512 : 128;
   /* The fence register holds the pitch in 128-byte units in eleven bits. */
   return stride >= width && stride % width == 0 && stride / 128 <= 0x800;
}

/* DRM-027 */
IOCTL_HANDLER(ioctl_gem_set_tiling)
{
   struct drm_i915_gem_set_tiling *a = data;
   struct gem_object *o = gem_lookup(f, a->handle);
   if (!o)
      return -ENOENT;
   if (!o->arena)
      return -ENXIO;
   if (!tiling_ok(a->tiling_mode, a->stride))
      return -EINVAL;
   view_store(o);
   int ret = a->tiling_mode ? maps_detile(o) : 0; /* linear to this moment */
   if (ret)
      return ret;
   o->tiling = a->tiling_mode;
   o->stride = a->tiling_mode ? a->stride : 0;
   a->stride = o->stride;
   a->swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
   view_load(o);
   return 0;
}

IOCTL_HANDLER(ioctl_gem_get_tiling)
{
   struct drm_i915_gem_get_tiling *a = data;
   struct gem_object *o = gem_lookup(f, a->handle);
   if (!o)
      return -ENOENT;
   a->tiling_mode = o->tiling;
   a->swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
   a->phys_swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
   return 0;
}

/* DRM-035 */
IOCTL_HANDLER(ioctl_gem_get_aperture)
{
   struct drm_i915_gem_get_aperture *a = data;
   a->aper_size = VM_SIZE;
   a->aper_available_size = VM_SIZE - range_used(&f->k->ggtt);
   return 0;
}

/* Pinned by the kernel, or touched through a map: then its file has data that no pwrite put there.
 */
static bool
has_pages(struct gem_object *o)
{
   if (o->pages || o->poured || o->vmas)
      return o->pages || o->vmas;
   uint64_t at = o->physical - o->arena->physical;
   long data = syscall(SYS_lseek, o->arena->fd, at, SEEK_DATA);
   return data >= 0 && (uint64_t)data < at + o->size;
}

/* DRM-101 */
static void
purge(struct gem_object *o)
{
   o->purged = true;
   maps_break(o);
   syscall(SYS_fallocate, o->arena->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
           o->physical - o->arena->physical, o->size);
}

/* DRM-030, DRM-101 */
IOCTL_HANDLER(ioctl_gem_madvise)
{
   struct drm_i915_gem_madvise *a = data;
   if (a->madv != I915_MADV_WILLNEED && a->madv != I915_MADV_DONTNEED)
      return -EINVAL;
   struct gem_object *o = gem_lookup(f, a->handle);
   if (!o)
      return -ENOENT;
   o->madv = a->madv;
   /* No shrinker takes pinned pages away here; what was never pinned goes at once. */
   if (a->madv == I915_MADV_DONTNEED && o->arena && !o->purged && !has_pages(o))
      purge(o);
   a->retained = !o->purged;
   return 0;
}

static const uint32_t busy_class[ENGINES] = {I915_ENGINE_CLASS_RENDER, I915_ENGINE_CLASS_VIDEO,
                                             I915_ENGINE_CLASS_COPY};

/* DRM-030 */
IOCTL_HANDLER(ioctl_gem_busy)
{
   struct drm_i915_gem_busy *a = data;
   struct gem_object *o = gem_lookup(f, a->handle);
   if (!o)
      return -ENOENT;
   a->busy = 0;
   gem_busy(o, false);
   for (unsigned i = 0; i < o->actives; i++) {
      int e = o->active[i].fence->engine;
      uint32_t class = e >= 0 ? busy_class[e] : 0;
      a->busy |= 1u << (16 + class);
      if (o->active[i].write)
         a->busy = (a->busy & 0xffff0000u) | (class + 1);
   }
   return 0;
}

/* DRM-030 */
IOCTL_HANDLER(ioctl_gem_wait)
{
   struct drm_i915_gem_wait *a = data;
   if (a->flags)
      return -EINVAL;
   struct gem_object *o = gem_lookup(f, a->bo_handle);
   if (!o)
      return -ENOENT;
   int64_t timeout = a->timeout_ns;
   int ret = gem_wait(o, false, &timeout);
   a->timeout_ns = timeout;
   return ret;
}

#define THROTTLE_NS 20000000ll

/* Who is a frame ahead of the GPU waits until what is older than that has been done. (DRM-030,
 * DRM-118) */
IOCTL_HANDLER(ioctl_gem_throttle)
{
   int64_t recent = monotonic_ns() - THROTTLE_NS;
   if (f->k->wedged || f->k->stopped)
      return -EIO;
   while (requests_older(f->k, f, recent)) {
      int ret = kernel_wait_interruptible(f->k, -1);
      if (ret)
         return ret;
   }
   return 0;
}

/* DRM-029 */
IOCTL_HANDLER(ioctl_gem_set_caching)
{
   struct drm_i915_gem_caching *a = data;
   if (a->caching > I915_CACHING_DISPLAY)
      return -EINVAL;
   struct gem_object *o = gem_lookup(f, a->handle);
   if (!o)
      return -ENOENT;
   if (!o->arena)
      return a->caching == I915_CACHING_CACHED ? 0 : -ENXIO;
   gem_ref(o);
   int ret = gem_wait(o, false, NULL);
   if (!ret) {
      o->caching = a->caching == I915_CACHING_DISPLAY ? I915_CACHING_NONE : a->caching;
      for (struct vma *v = o->vmas; v; v = v->next)
         vma_rewrite(v);
   }
   gem_unref(o);
   return ret;
}

IOCTL_HANDLER(ioctl_gem_get_caching)
{
   struct drm_i915_gem_caching *a = data;
   struct gem_object *o = gem_lookup(f, a->handle);
   if (!o)
      return -ENOENT;
   a->caching = o->caching;
   return 0;
}
