/* Dumb buffers: objects by width and height. They need no display. */
#include "kernel.h"

#include <errno.h>

#include <drm.h>
#include <drm_mode.h>

#define MAX_STRIDE 32768u /* of a plane; longer lines begin on pages */

/* DRM-102 */
IOCTL_HANDLER(ioctl_create_dumb)
{
   struct drm_mode_create_dumb *a = data;
   a->handle = 0;
   a->pitch = 0;
   a->size = 0;
   if (a->flags || !a->width || !a->height || !a->bpp || a->bpp > UINT32_MAX - 8)
      return -EINVAL;
   uint64_t bytes = (a->bpp + 7) / 8;
   if (bytes * a->width > UINT32_MAX || bytes * a->width * a->height > UINT32_MAX - (PAGE - 1))
      return -EINVAL;
   if (bytes != 1 && bytes != 2 && bytes != 4)
      return -EINVAL;
   uint64_t pitch = (bytes * a->width + 63) & ~63ull;
   if (pitch > MAX_STRIDE)
      pitch = (pitch + PAGE - 1) & ~(PAGE - 1);
   a->pitch = (uint32_t)pitch;
   a->size = pitch * a->height;
   return gem_create_handle(f, &a->size, &a->handle);
}

IOCTL_HANDLER(ioctl_map_dumb)
{
   struct drm_mode_map_dumb *a = data;
   struct gem_object *o = gem_lookup(f, a->handle);
   if (!o)
      return -ENOENT;
   if (!o->arena)
      return -ENODEV;
   return gem_map_offset(o, true, &a->offset);
}

IOCTL_HANDLER(ioctl_destroy_dumb)
{
   struct drm_mode_destroy_dumb *a = data;
   if (!gem_lookup(f, a->handle))
      return -EINVAL;
   gem_close_handle(f, a->handle);
   return 0;
}
