/* Contexts (context.c). */
#ifndef PERGOLA_DRM_CONTEXT_H
#define PERGOLA_DRM_CONTEXT_H

#include "names.h"

#define CONTEXT_IMAGE_SIZE (2 * PAGE)
#define CONTEXT_MAX_ENGINES 64
struct context {
   unsigned refs;
   struct kernel *k;
   struct vm *vm;
   uint64_t image_physical, image_ggtt;
   bool bannable, recoverable, persistent, no_error_capture;
   bool used; /* looked up once: address space and engines are settled */
   int priority;
   unsigned banned;                      /* a bit per engine */
   int64_t hang_ns[2];                   /* when it last hung; 0: not yet */
   struct drm_file *file;                /* whose it is; NULL once it is closed */
   uint32_t batch_active, batch_pending; /* reset statistics */
   bool has_engines;
   unsigned engine_count;
   int8_t engine[CONTEXT_MAX_ENGINES]; /* -1: empty slot */
   struct fence *last[ENGINES];        /* order within the context */
   uint64_t timeline;                  /* of its first engine; the others follow */
};

struct context *context_ref(struct context *c);
void context_unref(struct context *c);
void context_finish(struct context *c); /* its image is no longer current */
struct context *context_create(struct kernel *k, struct vm *vm);
/* Its name is gone. */
void context_close(struct context *c);
bool client_banned(const struct drm_file *f);
/* For use: from now on its address space and its engines stay. */
struct context *context_lookup(struct drm_file *f, uint32_t id);

#endif
