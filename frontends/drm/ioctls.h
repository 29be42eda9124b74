/* ioctl handlers: data is a private, zero-extended copy of the argument. */
#ifndef PERGOLA_DRM_IOCTLS_H
#define PERGOLA_DRM_IOCTLS_H

#include "names.h"

typedef int (*ioctl_fn)(struct drm_file *f, void *data);
#define IOCTL_HANDLER(name) int name(struct drm_file *f, void *data)

IOCTL_HANDLER(ioctl_getparam);
IOCTL_HANDLER(ioctl_query);
IOCTL_HANDLER(ioctl_reg_read);
IOCTL_HANDLER(ioctl_get_reset_stats);
IOCTL_HANDLER(ioctl_gem_create);
IOCTL_HANDLER(ioctl_gem_create_ext);
IOCTL_HANDLER(ioctl_gem_close);
IOCTL_HANDLER(ioctl_gem_flink);
IOCTL_HANDLER(ioctl_gem_open);
IOCTL_HANDLER(ioctl_gem_pread);
IOCTL_HANDLER(ioctl_gem_pwrite);
IOCTL_HANDLER(ioctl_gem_mmap);
IOCTL_HANDLER(ioctl_gem_mmap_offset);
IOCTL_HANDLER(ioctl_gem_set_domain);
IOCTL_HANDLER(ioctl_gem_sw_finish);
IOCTL_HANDLER(ioctl_gem_set_tiling);
IOCTL_HANDLER(ioctl_gem_get_tiling);
IOCTL_HANDLER(ioctl_gem_get_aperture);
IOCTL_HANDLER(ioctl_gem_madvise);
IOCTL_HANDLER(ioctl_gem_busy);
IOCTL_HANDLER(ioctl_gem_wait);
IOCTL_HANDLER(ioctl_gem_throttle);
IOCTL_HANDLER(ioctl_gem_set_caching);
IOCTL_HANDLER(ioctl_gem_get_caching);
IOCTL_HANDLER(ioctl_gem_userptr);
IOCTL_HANDLER(ioctl_gem_execbuffer2);
IOCTL_HANDLER(ioctl_create_dumb);
IOCTL_HANDLER(ioctl_map_dumb);
IOCTL_HANDLER(ioctl_destroy_dumb);
IOCTL_HANDLER(ioctl_context_create);
IOCTL_HANDLER(ioctl_context_destroy);
IOCTL_HANDLER(ioctl_context_getparam);
IOCTL_HANDLER(ioctl_context_setparam);
IOCTL_HANDLER(ioctl_vm_create);
IOCTL_HANDLER(ioctl_vm_destroy);
IOCTL_HANDLER(ioctl_prime_handle_to_fd);
IOCTL_HANDLER(ioctl_prime_fd_to_handle);
IOCTL_HANDLER(ioctl_syncobj_create);
IOCTL_HANDLER(ioctl_syncobj_destroy);
IOCTL_HANDLER(ioctl_syncobj_handle_to_fd);
IOCTL_HANDLER(ioctl_syncobj_fd_to_handle);
IOCTL_HANDLER(ioctl_syncobj_wait);
IOCTL_HANDLER(ioctl_syncobj_timeline_wait);
IOCTL_HANDLER(ioctl_syncobj_reset);
IOCTL_HANDLER(ioctl_syncobj_signal);
IOCTL_HANDLER(ioctl_syncobj_timeline_signal);
IOCTL_HANDLER(ioctl_syncobj_query);
IOCTL_HANDLER(ioctl_syncobj_transfer);
/* ioctls of prime and sync-file descriptors; -ENOTTY for others. Take the lock themselves. */
int prime_ioctl(struct kernel *k, struct gem_object *o, unsigned long request, void *arg);
int sync_file_ioctl(struct kernel *k, struct sync_file *s, unsigned long request, void *arg);

#endif
