/* One EXECBUFFER2 on its way (exec.c), and its relocations (relocate.c). */
#ifndef PERGOLA_DRM_EXEC_H
#define PERGOLA_DRM_EXEC_H

#include "kernel.h"

#include <i915_drm.h>

struct exec_fence {
   struct syncobj *obj;
   uint64_t point;
   uint32_t flags;
};

struct named;
struct exec {
   struct drm_file *f;
   struct kernel *k;
   struct drm_i915_gem_execbuffer2 *a;
   struct drm_i915_gem_exec_object2 *list;
   struct vma **vma;
   uint32_t count, batch; /* batch: its index */
   uint64_t batch_len;
   struct context *ctx;
   int engine;
   bool relocate;
   struct named *named; /* during relocation: the objects, sorted by handle */
   struct exec_fence *fence;
   unsigned fences;
   struct fence *in;
   struct request *r;
   struct fence *queued; /* with --dump: its end */
   struct sync_file *out;
   int out_fd;
};

int exec_relocate(struct exec *x);

#endif
