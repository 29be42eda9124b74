/* Objects (gem.c, gem_io.c), those over client memory (userptr.c), and what the client has mapped
 * of them (maps.c, view.c). */
#ifndef PERGOLA_DRM_GEM_H
#define PERGOLA_DRM_GEM_H

#include "names.h"

#include <linux/types.h>
#include <stddef.h>

enum { TILING_NONE, TILING_X, TILING_Y };

struct view; /* detiled CPU view (view.c) */

struct gem_object {
   unsigned refs;
   struct kernel *k;
   uint64_t size;
   char *host;
   uint64_t physical;
   struct arena *arena;      /* NULL: userptr */
   uint64_t user;            /* userptr: client address */
   bool user_bound;          /* its pages are a segment of the device */
   bool user_lost;           /* they did not come along through a fork */
   struct guard_slot *guard; /* while it is */
   uint32_t tiling, stride, caching, madv;
   bool pages;  /* the kernel has pinned its pages: they outlive a DONTNEED */
   bool poured; /* written by pwrite, which pins no pages */
   bool purged; /* its contents are gone for good */
   struct vma *vmas;
   struct {
      struct fence *fence;
      bool write;
   } * active;
   unsigned actives, active_room;
   uint64_t map_offset[2]; /* fake offsets: straight, through the aperture; 0: none yet */
   struct view *views;
   unsigned handles;
   uint32_t handle;                 /* the last one given: a good guess */
   uint32_t name;                   /* flink */
   struct gem_object *next, **link; /* all objects */
};

int gem_create(struct kernel *k, uint64_t size, struct gem_object **out);
struct gem_object *gem_ref(struct gem_object *o);
void gem_unref(struct gem_object *o);
struct gem_object *gem_lookup(struct drm_file *f, uint32_t handle); /* no reference */
int gem_handle(struct drm_file *f, struct gem_object *o,
               uint32_t *handle); /* takes the reference */
void gem_close_handle(struct drm_file *f, uint32_t handle);
bool gem_has_handle(const struct drm_file *f, const struct gem_object *o);
/* Last use of the object; drops what has completed. */
bool gem_busy(struct gem_object *o, bool writes_only);
/* Pins the pages: -EFAULT if the client has given them up (madvise). */
int gem_need_pages(struct gem_object *o);
int gem_create_handle(struct drm_file *f, __u64 *size, uint32_t *handle);
int gem_map_offset(struct gem_object *o, bool aperture, __u64 *offset);
int gem_mark_active(struct gem_object *o, struct fence *f, bool write);
/* Waits for its users, or its writers, whatever signals come (kernel->lock dropped meanwhile). */
void gem_settle(struct gem_object *o, bool writes_only);
/* The same for a client that may be interrupted. timeout_ns < 0: for ever. 0, -ETIME, -EINTR; the
 * time that is left. */
int gem_wait(struct gem_object *o, bool writes_only, int64_t *timeout_ns);

/* userptr (userptr.c): makes the client's pages a segment of the device. -EFAULT. */
int userptr_bind(struct gem_object *o);
bool userptr_possible(struct kernel *k, uint64_t address, uint64_t size);
void userptr_unbind(struct gem_object *o);
/* The client is about to unmap or replace [address, address + size). */
void userptr_invalidate(struct kernel *k, uint64_t address, uint64_t size);

/* Client memory mapped from objects (maps.c). */
struct client_map {
   uint64_t start, end;
   struct gem_object *object;
   uint64_t offset; /* in the object */
   bool aperture;   /* through the GTT, and linear so far */
};
/* `m`: with all but the object's reference, which is taken. */
int maps_add(struct kernel *k, const struct client_map *m);
/* The object has become tiled: what the client mapped through the aperture shows it detiled. */
int maps_detile(struct gem_object *o);
/* [start, start + size) is unmapped or replaced. */
void maps_remove(struct kernel *k, uint64_t start, uint64_t size);
bool maps_overlap(const struct kernel *k, uint64_t start, uint64_t size);
/* What the client still has mapped of it faults from now on. */
void maps_break(struct gem_object *o);

/* Detiled views (view.c). */
/* *address: where; if not fixed, a mere wish. */
int view_create(struct gem_object *o, uint64_t offset, uint64_t size, int prot, bool fixed,
                void **address);
void view_forget(struct kernel *k, uint64_t start, uint64_t size);
void view_load(struct gem_object *o);  /* memory → views */
void view_store(struct gem_object *o); /* what the client wrote in the views → memory */
void view_destroy_all(struct gem_object *o);

#endif
