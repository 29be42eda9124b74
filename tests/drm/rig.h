/* The kernel part of the DRM front end, linked into the test: no preload, no driver. */
#ifndef TEST_DRM_RIG_H
#define TEST_DRM_RIG_H

#include "kernel.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include <drm.h>
#include <i915_drm.h>

struct rig {
   struct kernel *k;
   struct drm_file *f;
};

/* cmocka set-up and tear-down; *state is a struct rig. */
int rig_setup(void **state);
int rig_setup_small_budget(void **state); /* a batch that loops is hung soon */
int rig_teardown(void **state);
struct drm_file *rig_open(struct rig *r, bool render_node);
void rig_close(struct drm_file *f);

static inline int
io(struct drm_file *f, unsigned long request, void *arg)
{
   return drm_file_ioctl(f, request, arg);
}

uint32_t new_object(struct drm_file *f, uint64_t size);
void *map_object(struct drm_file *f, uint32_t handle, uint64_t size);
void close_object(struct drm_file *f, uint32_t handle);
uint32_t new_context(struct drm_file *f);
uint32_t new_syncobj(struct drm_file *f, uint32_t flags);
int wait_object(struct drm_file *f, uint32_t handle, int64_t timeout_ns);

#define BATCH_END 0x05000000u
#define STORE_DWORD 0x10000002u
#define BATCH_SIZE 4096u

/* A batch that stores `value` at `offset` of `target`, by relocation. */
struct store {
   uint32_t target, batch;
   uint32_t *map; /* of the batch */
   struct drm_i915_gem_relocation_entry reloc;
   struct drm_i915_gem_exec_object2 object[2];
   struct drm_i915_gem_execbuffer2 exec;
};
void store_begin(struct drm_file *f, struct store *s, uint32_t target, uint32_t offset,
                 uint32_t value, uint64_t flags);
void store_done(struct drm_file *f, struct store *s);
/* All of it, and the wait. */
int store_run(struct drm_file *f, uint32_t target, uint32_t offset, uint32_t value, uint64_t flags);

/* A batch of nothing but its end: 0 or an error. */
int run_empty(struct drm_file *f, uint32_t context, uint64_t flags);

#endif
