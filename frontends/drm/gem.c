/* GEM objects: life, handles, activity. */
#include "kernel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <drm.h>
#include <i915_drm.h>

static void
link_object(struct gem_object *o)
{
   o->next = o->k->all;
   o->link = &o->k->all;
   if (o->next)
      o->next->link = &o->next;
   o->k->all = o;
}

static struct gem_object *
new_object(struct kernel *k, uint64_t size)
{
   struct gem_object *o = calloc(1, sizeof(*o));
   if (!o)
      return NULL;
   o->refs = 1;
   o->k = k;
   o->size = size;
   o->caching = k->sku->has_llc ? I915_CACHING_CACHED : I915_CACHING_NONE;
   return o;
}

int
gem_create(struct kernel *k, uint64_t size, struct gem_object **out)
{
   struct gem_object *o = new_object(k, size);
   if (!o)
      return -ENOMEM;
   void *host;
   int ret = arena_take(&k->objects, size, &o->physical, &host);
   if (ret) {
      free(o);
      return ret;
   }
   o->arena = &k->objects;
   o->host = host;
   link_object(o);
   *out = o;
   return 0;
}

struct gem_object *
gem_ref(struct gem_object *o)
{
   o->refs++;
   return o;
}

static void
free_pages(struct gem_object *o)
{
   struct kernel *k = o->k;
   if (!o->arena) {
      userptr_unbind(o);
      count_by(&k->tracked, -1);
   } else if (k->forked) {
      return; /* they are the parent's too, and it may be using them */
   } else if (o->arena == &k->objects && o->physical >= k->objects.physical &&
              o->physical < k->objects.physical + k->objects.size) {
      arena_give(o->arena, o->physical, o->size);
   }
}

void
gem_unref(struct gem_object *o)
{
   if (!o || --o->refs)
      return;
   view_destroy_all(o);
   while (o->vmas)
      vm_unbind(o->vmas);
   for (unsigned i = 0; i < o->actives; i++)
      fence_unref(o->active[i].fence);
   free(o->active);
   for (int i = 0; i < 2; i++)
      if (o->map_offset[i])
         range_give(&o->k->map_offsets, o->map_offset[i]);
   free_pages(o);
   *o->link = o->next;
   if (o->next)
      o->next->link = o->link;
   free(o);
}

/* DRM-021 */
struct gem_object *
gem_lookup(struct drm_file *f, uint32_t handle)
{
   return id_find(&f->objects, handle);
}

int
gem_handle(struct drm_file *f, struct gem_object *o, uint32_t *handle)
{
   int ret = id_take(&f->objects, o, 1, handle);
   if (ret) {
      gem_unref(o);
      return ret;
   }
   o->handles++;
   o->handle = *handle;
   return 0;
}

bool
gem_has_handle(const struct drm_file *f, const struct gem_object *o)
{
   if (id_find(&f->objects, o->handle) == o)
      return true;
   for (uint32_t i = 0; i < f->objects.room; i++)
      if (f->objects.slot[i] == o)
         return true;
   return false;
}

/* The last handle of a file takes the object's addresses in that file's spaces with it, though
 * others have the object still. What is busy stays until its place is needed. (DRM-110) */
static void
leave_addresses(struct drm_file *f, struct gem_object *o)
{
   if (!o->vmas || gem_has_handle(f, o) || gem_busy(o, false))
      return;
   for (struct vma *v = o->vmas, *next; v; v = next) {
      next = v->next;
      if (v->vm->owner == f && !v->pins)
         vm_unbind(v);
   }
}

void
gem_close_handle(struct drm_file *f, uint32_t handle)
{
   struct gem_object *o = id_drop(&f->objects, handle);
   if (!o)
      return;
   if (o->handles > 1)
      leave_addresses(f, o);
   if (!--o->handles && o->name) {
      id_drop(&o->k->names, o->name);
      o->name = 0;
   }
   gem_unref(o);
}

bool
gem_busy(struct gem_object *o, bool writes_only)
{
   bool busy = false;
   for (unsigned i = 0; i < o->actives;) {
      if (fence_done(o->active[i].fence)) {
         fence_unref(o->active[i].fence);
         o->active[i] = o->active[--o->actives];
         continue;
      }
      busy |= !writes_only || o->active[i].write;
      i++;
   }
   return busy;
}

int
gem_need_pages(struct gem_object *o)
{
   if (o->madv != I915_MADV_WILLNEED)
      return -EFAULT;
   o->pages = true;
   return 0;
}

int
gem_mark_active(struct gem_object *o, struct fence *f, bool write)
{
   gem_busy(o, false);
   if (o->actives == o->active_room) {
      unsigned room = o->active_room ? o->active_room * 2 : 4;
      void *bigger = realloc(o->active, room * sizeof(o->active[0]));
      if (!bigger)
         return -ENOMEM;
      o->active = bigger;
      o->active_room = room;
   }
   o->active[o->actives].fence = fence_ref(f);
   o->active[o->actives++].write = write;
   return 0;
}

void
gem_settle(struct gem_object *o, bool writes_only)
{
   gem_ref(o);
   while (gem_busy(o, writes_only))
      kernel_wait(o->k, -1);
   gem_unref(o);
}

int
gem_wait(struct gem_object *o, bool writes_only, int64_t *timeout_ns)
{
   int64_t deadline = -1;
   if (timeout_ns && *timeout_ns >= 0) {
      int64_t now = monotonic_ns();
      deadline = *timeout_ns > INT64_MAX - now ? -1 : now + *timeout_ns;
   }
   int ret = 0;
   gem_ref(o);
   while (gem_busy(o, writes_only)) {
      ret = kernel_wait_interruptible(o->k, deadline);
      if (ret)
         break;
   }
   if (!gem_busy(o, writes_only))
      ret = 0;
   if (timeout_ns && deadline >= 0) {
      int64_t left = deadline - monotonic_ns();
      *timeout_ns = left > 0 ? left : 0;
   }
   gem_unref(o);
   return ret;
}

/* DRM-020 */
int
gem_create_handle(struct drm_file *f, __u64 *size, uint32_t *handle)
{
   *size = (*size + PAGE - 1) & ~(PAGE - 1);
   if (!*size) /* or it has wrapped */
      return -EINVAL;
   if (*size > INT64_MAX || *size / PAGE > INT32_MAX)
      return -E2BIG;
   struct gem_object *o;
   int ret = gem_create(f->k, *size, &o);
   return ret ? ret : gem_handle(f, o, handle);
}

IOCTL_HANDLER(ioctl_gem_create)
{
   struct drm_i915_gem_create *a = data;
   return gem_create_handle(f, &a->size, &a->handle);
}

/* DRM-034 */
static int
check_regions(uint64_t user)
{
   struct drm_i915_gem_create_ext_memory_regions ext;
   if (copy_in(&ext, user, sizeof(ext)))
      return -EFAULT;
   if (ext.pad || !ext.num_regions || ext.num_regions > 64)
      return -EINVAL;
   for (uint32_t i = 0; i < ext.num_regions; i++) {
      struct drm_i915_gem_memory_class_instance region;
      if (copy_in(&region, ext.regions + i * sizeof(region), sizeof(region)))
         return -EFAULT;
      /* There is system memory and nothing else; naming it twice is a mistake too. */
      if (region.memory_class != I915_MEMORY_CLASS_SYSTEM || region.memory_instance || i)
         return -EINVAL;
   }
   return 0;
}

/* DRM-034 */
IOCTL_HANDLER(ioctl_gem_create_ext)
{
   struct drm_i915_gem_create_ext *a = data;
   if (a->flags & ~I915_GEM_CREATE_EXT_FLAG_NEEDS_CPU_ACCESS)
      return -EINVAL;
   if (a->flags) /* a small BAR only */
      return -EINVAL;
   uint64_t next = a->extensions;
   for (unsigned n = 0; next; n++) {
      struct i915_user_extension e;
      int ret = read_extension(&e, next, n);
      if (ret)
         return ret;
      if (e.name == I915_GEM_CREATE_EXT_PROTECTED_CONTENT)
         return -ENODEV;
      if (e.name != I915_GEM_CREATE_EXT_MEMORY_REGIONS || n)
         return -EINVAL; /* the only one there is, once */
      ret = check_regions(next);
      if (ret)
         return ret;
      next = e.next_extension;
   }
   return gem_create_handle(f, &a->size, &a->handle);
}

/* DRM-021 */
IOCTL_HANDLER(ioctl_gem_close)
{
   struct drm_gem_close *a = data;
   if (!gem_lookup(f, a->handle))
      return -EINVAL;
   gem_close_handle(f, a->handle);
   return 0;
}

/* DRM-032 */
IOCTL_HANDLER(ioctl_gem_flink)
{
   struct drm_gem_flink *a = data;
   struct gem_object *o = gem_lookup(f, a->handle);
   if (!o)
      return -ENOENT;
   if (!o->name) {
      int ret = id_take(&f->k->names, o, 1, &o->name);
      if (ret)
         return ret;
   }
   a->name = o->name;
   return 0;
}

/* DRM-032 */
IOCTL_HANDLER(ioctl_gem_open)
{
   struct drm_gem_open *a = data;
   struct gem_object *o = id_find(&f->k->names, a->name);
   if (!o)
      return -ENOENT;
   a->size = o->size;
   return gem_handle(f, gem_ref(o), &a->handle);
}

/* DRM-031 */
IOCTL_HANDLER(ioctl_gem_userptr)
{
   struct drm_i915_gem_userptr *a = data;
   if (a->flags & ~(I915_USERPTR_READ_ONLY | I915_USERPTR_UNSYNCHRONIZED | I915_USERPTR_PROBE))
      return -EINVAL;
   if (a->user_size > INT64_MAX || a->user_size / PAGE > INT32_MAX)
      return -E2BIG;
   if (!a->user_size || (a->user_ptr | a->user_size) & (PAGE - 1))
      return -EINVAL;
   if (a->user_ptr + a->user_size < a->user_ptr || a->user_ptr + a->user_size > 1ull << 47)
      return -EFAULT;
   if (a->flags & I915_USERPTR_UNSYNCHRONIZED)
      return -ENODEV;
   if (a->flags & I915_USERPTR_READ_ONLY)
      return -ENODEV; /* the Gen7 PPGTT has no read-only pages */
   if ((a->flags & I915_USERPTR_PROBE) && !userptr_possible(f->k, a->user_ptr, a->user_size))
      return -EFAULT;
   struct gem_object *o = new_object(f->k, a->user_size);
   if (!o)
      return -ENOMEM;
   o->user = a->user_ptr;
   o->caching = I915_CACHING_CACHED;
   link_object(o);
   count_by(&f->k->tracked, 1);
   return gem_handle(f, o, &a->handle);
}
