/* Sync objects (syncobj.c), sync files (sync_file.c), timelines of software (sw_sync.c). */
#ifndef PERGOLA_DRM_SYNC_H
#define PERGOLA_DRM_SYNC_H

#include "names.h"

struct syncobj_point {
   uint64_t value;
   struct fence *fence;
};
struct syncobj {
   unsigned refs;
   struct syncobj_point *point; /* ascending; a binary one has one point of value 0 */
   unsigned points;
   uint64_t signaled;  /* highest completed timeline value */
   struct fence *past; /* for whoever asks for a point below that; NULL until then */
};
struct sync_file {
   unsigned refs;
   struct fence *fence;
   int fd;
   bool raised; /* its eventfd is readable: the fence has signaled */
   struct sync_file *next;
   char name[32];
};

struct sw_timeline;                            /* fences that software signals (sw_sync.c) */
int sw_sync_open(struct kernel *k, int flags); /* a descriptor or a negative errno */
struct sw_timeline *sw_sync_ref(struct sw_timeline *t);
void sw_sync_unref(struct kernel *k, struct sw_timeline *t);
int sw_sync_ioctl(struct kernel *k, struct sw_timeline *t, unsigned long request, void *arg);

struct syncobj *syncobj_lookup(struct drm_file *f, uint32_t handle);
struct syncobj *syncobj_ref(struct syncobj *s);
void syncobj_unref(struct syncobj *s);
/* The fence to wait for at a point, NULL if none has been given yet. */
struct fence *syncobj_fence(struct syncobj *s, uint64_t point);
int syncobj_set(struct syncobj *s, uint64_t point, struct fence *f);
struct sync_file *sync_file_create(struct kernel *k, struct fence *f, int *fd);
void sync_file_unref(struct kernel *k, struct sync_file *s);
void sync_files_poll(struct kernel *k); /* after completions */

#endif
