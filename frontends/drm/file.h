/* Open files of the node (ioctl.c, master.c, ids.c), and what a file descriptor is (fd.c). */
#ifndef PERGOLA_DRM_FILE_H
#define PERGOLA_DRM_FILE_H

#include "ioctls.h"

#include <sys/types.h>

struct id_table {
   void **slot;
   uint32_t room, free; /* free: no free slot is below it */
};
int id_take(struct id_table *t, void *p, uint32_t first, uint32_t *id); /* -ENOMEM */
void *id_find(const struct id_table *t, uint32_t id);
void *id_drop(struct id_table *t, uint32_t id);

struct drm_file {
   unsigned refs;
   struct kernel *k;
   bool render_node;
   struct master *master; /* whom it belongs to; NULL on the render node */
   bool is_master, was_master, authenticated;
   uint32_t magic;
   pid_t opener;
   unsigned ban_score; /* by hangs of its contexts: at last it gets no more of them */
   int64_t hang_ns;
   struct id_table objects, contexts, syncobjs, vms;
};

/* Who may set modes, and whom he has let in (master.c). The current one is kernel->master. */
struct master {
   unsigned refs;
   struct id_table magics;
};

int master_open(struct drm_file *f);
void master_release(struct drm_file *f);
bool is_current_master(const struct drm_file *f);
bool capable(void); /* may the caller do what only an administrator may? */
IOCTL_HANDLER(ioctl_get_magic);
IOCTL_HANDLER(ioctl_auth_magic);
IOCTL_HANDLER(ioctl_set_master);
IOCTL_HANDLER(ioctl_drop_master);

struct drm_file *drm_file_open(struct kernel *k, bool render_node);
void drm_file_unref(struct drm_file *f);
/* 0 or a negative errno. Takes the lock itself. */
int drm_file_ioctl(struct drm_file *f, unsigned long request, void *arg);
/* An mmap of the node: fills what to map really; a reference of *object is given. */
struct map_target {
   struct gem_object *object;
   int fd; /* -1: private pages of `host` in view */
   uint64_t offset;
   bool aperture, detiled, purged;
};
int drm_file_map(struct drm_file *f, uint64_t offset, uint64_t size, struct map_target *t);

enum fd_kind { FD_NONE, FD_DRM, FD_PRIME, FD_SYNC_FILE, FD_SYNCOBJ, FD_SW_SYNC };
struct fd_entry {
   enum fd_kind kind;
   void *what;
};
int fd_install(struct kernel *k, int fd, enum fd_kind kind, void *what); /* takes the reference */
struct fd_entry fd_find(struct kernel *k, int fd);
/* Drops what the descriptor stood for; the descriptor itself is the caller's to close. */
void fd_forget(struct kernel *k, int fd);
void fd_copy(struct kernel *k, int from, int to);

#endif
