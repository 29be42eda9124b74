/* From a request number to its handler, with the argument copied in and out as the DRM core does.
 */
#include "kernel.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <drm.h>
#include <i915_drm.h>

static int
give_string(const char *text, char *user, __kernel_size_t *length)
{
   size_t n = strlen(text), room = *length;
   *length = n;
   if (!user)
      return 0;
   return copy_out((uintptr_t)user, text, n < room ? n : room);
}

static /* DRM-040 */
    IOCTL_HANDLER(version)
{
   struct drm_version *a = data;
   a->version_major = 1;
   a->version_minor = 6;
   a->version_patchlevel = 0;
   int ret = give_string("i915", a->name, &a->name_len);
   if (!ret)
      ret = give_string("20201103", a->date, &a->date_len);
   if (!ret)
      ret = give_string("Intel Graphics", a->desc, &a->desc_len);
   return ret;
}

static IOCTL_HANDLER(get_unique)
{
   struct drm_unique *a = data;
   const char *name = f->is_master ? "pci:0000:00:02.0" : "";
   size_t n = strlen(name);
   if (a->unique_len >= n && copy_out((uintptr_t)a->unique, name, n))
      return -EFAULT;
   a->unique_len = n;
   return 0;
}

static /* DRM-044 */
    IOCTL_HANDLER(get_cap)
{
   struct drm_get_cap *a = data;
   a->value = 0;
   switch (a->capability) {
   case DRM_CAP_PRIME:
      a->value = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
      return 0;
   case DRM_CAP_TIMESTAMP_MONOTONIC:
   case DRM_CAP_SYNCOBJ:
   case DRM_CAP_SYNCOBJ_TIMELINE:
      a->value = 1;
      return 0;
   case DRM_CAP_DUMB_BUFFER:
   case DRM_CAP_VBLANK_HIGH_CRTC:
   case DRM_CAP_DUMB_PREFERRED_DEPTH:
   case DRM_CAP_DUMB_PREFER_SHADOW:
   case DRM_CAP_ASYNC_PAGE_FLIP:
   case DRM_CAP_CURSOR_WIDTH:
   case DRM_CAP_CURSOR_HEIGHT:
   case DRM_CAP_ADDFB2_MODIFIERS:
   case DRM_CAP_PAGE_FLIP_TARGET:
   case DRM_CAP_CRTC_IN_VBLANK_EVENT:
      return -EOPNOTSUPP; /* no display */
   default:
      return -EINVAL;
   }
}

static IOCTL_HANDLER(set_version)
{
   struct drm_set_version *a = data;
   if (a->drm_di_major != -1 &&
       (a->drm_di_major != 1 || a->drm_di_minor < 0 || a->drm_di_minor > 4))
      return -EINVAL;
   a->drm_di_major = 1;
   a->drm_di_minor = 4;
   a->drm_dd_major = 1;
   a->drm_dd_minor = 6;
   return 0;
}

static IOCTL_HANDLER(get_client)
{
   struct drm_client *a = data;
   if (a->idx)
      return -EINVAL;
   a->auth = f->authenticated;
   a->pid = (unsigned long)getpid(); /* the caller's, and an owner that is told to nobody */
   a->uid = 65534;
   a->magic = a->iocs = 0;
   return 0;
}

static IOCTL_HANDLER(get_stats)
{
   memset(data, 0, sizeof(struct drm_stats)); /* nothing is counted any more */
   return 0;
}

static IOCTL_HANDLER(no_display)
{
   return -EOPNOTSUPP;
}

static IOCTL_HANDLER(no_device)
{
   return -ENODEV;
}

static IOCTL_HANDLER(ioctl_nothing)
{
   return 0;
}

#define LONGEST 1024u /* of all arguments that are known, with room to spare */

struct entry {
   unsigned long request;
   ioctl_fn fn;
   enum {
      PRIMARY,    /* the primary node only */
      RENDER = 1, /* the render node too */
      AUTH = 2,   /* those whom the master has admitted */
      MASTER = 4, /* the current master */
   } who;
};

#define E(request, fn, who) [_IOC_NR(request)] = {request, fn, who}

static const struct entry table[256] = {
    E(DRM_IOCTL_VERSION, version, RENDER),
    E(DRM_IOCTL_GET_UNIQUE, get_unique, PRIMARY),
    E(DRM_IOCTL_GET_MAGIC, ioctl_get_magic, PRIMARY),
    E(DRM_IOCTL_GET_CLIENT, get_client, PRIMARY),
    E(DRM_IOCTL_SET_VERSION, set_version, MASTER),
    E(DRM_IOCTL_GET_STATS, get_stats, PRIMARY),
    E(DRM_IOCTL_GEM_CLOSE, ioctl_gem_close, RENDER),
    E(DRM_IOCTL_GEM_FLINK, ioctl_gem_flink, AUTH),
    E(DRM_IOCTL_GEM_OPEN, ioctl_gem_open, AUTH),
    E(DRM_IOCTL_GET_CAP, get_cap, RENDER),
    E(DRM_IOCTL_SET_CLIENT_CAP, no_display, PRIMARY),
    E(DRM_IOCTL_AUTH_MAGIC, ioctl_auth_magic, MASTER),
    E(DRM_IOCTL_SET_MASTER, ioctl_set_master, PRIMARY),
    E(DRM_IOCTL_DROP_MASTER, ioctl_drop_master, PRIMARY),
    E(DRM_IOCTL_PRIME_HANDLE_TO_FD, ioctl_prime_handle_to_fd, RENDER),
    E(DRM_IOCTL_PRIME_FD_TO_HANDLE, ioctl_prime_fd_to_handle, RENDER),
    E(DRM_IOCTL_WAIT_VBLANK, no_display, PRIMARY),
    E(DRM_IOCTL_MODE_GETRESOURCES, no_display, PRIMARY),
    E(DRM_IOCTL_MODE_GETCRTC, no_display, PRIMARY),
    E(DRM_IOCTL_MODE_GETPLANERESOURCES, no_display, PRIMARY),
    E(DRM_IOCTL_MODE_GETCONNECTOR, no_display, PRIMARY),
    E(DRM_IOCTL_MODE_GETENCODER, no_display, PRIMARY),
    E(DRM_IOCTL_MODE_CREATE_DUMB, ioctl_create_dumb, PRIMARY),
    E(DRM_IOCTL_MODE_MAP_DUMB, ioctl_map_dumb, PRIMARY),
    E(DRM_IOCTL_MODE_DESTROY_DUMB, ioctl_destroy_dumb, PRIMARY),
    E(DRM_IOCTL_MODE_ADDFB2, no_display, PRIMARY),
    E(DRM_IOCTL_SYNCOBJ_CREATE, ioctl_syncobj_create, RENDER),
    E(DRM_IOCTL_SYNCOBJ_DESTROY, ioctl_syncobj_destroy, RENDER),
    E(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, ioctl_syncobj_handle_to_fd, RENDER),
    E(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, ioctl_syncobj_fd_to_handle, RENDER),
    E(DRM_IOCTL_SYNCOBJ_WAIT, ioctl_syncobj_wait, RENDER),
    E(DRM_IOCTL_SYNCOBJ_RESET, ioctl_syncobj_reset, RENDER),
    E(DRM_IOCTL_SYNCOBJ_SIGNAL, ioctl_syncobj_signal, RENDER),
    E(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, ioctl_syncobj_timeline_wait, RENDER),
    E(DRM_IOCTL_SYNCOBJ_QUERY, ioctl_syncobj_query, RENDER),
    E(DRM_IOCTL_SYNCOBJ_TRANSFER, ioctl_syncobj_transfer, RENDER),
    E(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, ioctl_syncobj_timeline_signal, RENDER),

    E(DRM_IOCTL_I915_FLUSH, ioctl_nothing, PRIMARY),
    E(DRM_IOCTL_I915_GETPARAM, ioctl_getparam, RENDER),
    E(DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, ioctl_gem_execbuffer2, RENDER),
    E(DRM_IOCTL_I915_GEM_PIN, no_device, PRIMARY),
    E(DRM_IOCTL_I915_GEM_UNPIN, no_device, PRIMARY),
    E(DRM_IOCTL_I915_GEM_BUSY, ioctl_gem_busy, RENDER),
    E(DRM_IOCTL_I915_GEM_SET_CACHING, ioctl_gem_set_caching, RENDER),
    E(DRM_IOCTL_I915_GEM_GET_CACHING, ioctl_gem_get_caching, RENDER),
    E(DRM_IOCTL_I915_GEM_THROTTLE, ioctl_gem_throttle, RENDER),
    E(DRM_IOCTL_I915_GEM_ENTERVT, ioctl_nothing, PRIMARY),
    E(DRM_IOCTL_I915_GEM_LEAVEVT, ioctl_nothing, PRIMARY),
    E(DRM_IOCTL_I915_GEM_CREATE, ioctl_gem_create, RENDER),
    E(DRM_IOCTL_I915_GEM_CREATE_EXT, ioctl_gem_create_ext, RENDER),
    E(DRM_IOCTL_I915_GEM_PREAD, ioctl_gem_pread, RENDER),
    E(DRM_IOCTL_I915_GEM_PWRITE, ioctl_gem_pwrite, RENDER),
    E(DRM_IOCTL_I915_GEM_MMAP, ioctl_gem_mmap, RENDER),
    E(DRM_IOCTL_I915_GEM_MMAP_OFFSET, ioctl_gem_mmap_offset, RENDER),
    E(DRM_IOCTL_I915_GEM_SET_DOMAIN, ioctl_gem_set_domain, RENDER),
    E(DRM_IOCTL_I915_GEM_SW_FINISH, ioctl_gem_sw_finish, RENDER),
    E(DRM_IOCTL_I915_GEM_SET_TILING, ioctl_gem_set_tiling, RENDER),
    E(DRM_IOCTL_I915_GEM_GET_TILING, ioctl_gem_get_tiling, RENDER),
    E(DRM_IOCTL_I915_GEM_GET_APERTURE, ioctl_gem_get_aperture, RENDER),
    E(DRM_IOCTL_I915_GET_PIPE_FROM_CRTC_ID, no_display, PRIMARY),
    E(DRM_IOCTL_I915_GEM_MADVISE, ioctl_gem_madvise, RENDER),
    E(DRM_IOCTL_I915_GEM_WAIT, ioctl_gem_wait, RENDER),
    E(DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, ioctl_context_create, RENDER),
    E(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, ioctl_context_destroy, RENDER),
    E(DRM_IOCTL_I915_REG_READ, ioctl_reg_read, RENDER),
    E(DRM_IOCTL_I915_GET_RESET_STATS, ioctl_get_reset_stats, RENDER),
    E(DRM_IOCTL_I915_GEM_USERPTR, ioctl_gem_userptr, RENDER),
    E(DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, ioctl_context_getparam, RENDER),
    E(DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, ioctl_context_setparam, RENDER),
    E(DRM_IOCTL_I915_PERF_OPEN, no_display, RENDER),
    E(DRM_IOCTL_I915_PERF_ADD_CONFIG, no_display, RENDER),
    E(DRM_IOCTL_I915_PERF_REMOVE_CONFIG, no_display, RENDER),
    E(DRM_IOCTL_I915_QUERY, ioctl_query, RENDER),
    E(DRM_IOCTL_I915_GEM_VM_CREATE, ioctl_vm_create, RENDER),
    E(DRM_IOCTL_I915_GEM_VM_DESTROY, ioctl_vm_destroy, RENDER),
};

int
read_extension(struct i915_user_extension *e, uint64_t user, unsigned n)
{
   if (copy_in(e, user, sizeof(*e)))
      return -EFAULT;
   if (n == 512) /* as many as the kernel follows */
      return -E2BIG;
   return e->flags || e->rsvd[0] || e->rsvd[1] || e->rsvd[2] || e->rsvd[3] ? -EINVAL : 0;
}

int
no_extensions(uint64_t user)
{
   struct i915_user_extension e;
   if (!user)
      return 0;
   return read_extension(&e, user, 0) == -EFAULT ? -EFAULT : -EINVAL;
}

/* DRM-041 */
static bool
permitted(struct drm_file *f, const struct entry *e)
{
   if (f->render_node)
      return e->who & RENDER;
   kernel_lock(f->k);
   bool yes =
       (!(e->who & AUTH) || f->authenticated) && (!(e->who & MASTER) || is_current_master(f));
   pthread_mutex_unlock(&f->k->lock);
   return yes;
}

/* DRM-041, DRM-042 */
int
drm_file_ioctl(struct drm_file *f, unsigned long request, void *arg)
{
   if (_IOC_TYPE(request) != DRM_IOCTL_BASE)
      return -ENOTTY;
   const struct entry *e = &table[_IOC_NR(request)];
   if (!e->fn)
      return -EINVAL;
   if (!permitted(f, e))
      return -EACCES;
   /* A client of another age passes a longer or shorter structure: what it does not give reads as
    * zero, what it gives too much is not looked at, and comes back as it was. */
   union {
      uint8_t bytes[LONGEST];
      uint64_t align;
   } data;
   size_t user = _IOC_SIZE(request) < LONGEST ? _IOC_SIZE(request) : LONGEST;
   size_t in = request & e->request & ((unsigned long)_IOC_WRITE << _IOC_DIRSHIFT) ? user : 0;
   size_t out = request & e->request & ((unsigned long)_IOC_READ << _IOC_DIRSHIFT) ? user : 0;
   memset(&data, 0, sizeof(data));
   if (in && copy_in(&data, (uintptr_t)arg, in))
      return -EFAULT;
   kernel_lock(f->k);
   int ret = e->fn(f, &data);
   pthread_mutex_unlock(&f->k->lock);
   if (out && copy_out((uintptr_t)arg, &data, out))
      return -EFAULT;
   return ret;
}
