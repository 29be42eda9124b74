/* Many threads, contexts and small dispatches at once: kernels come and go at the same addresses,
 * targets are objects and client memory, some are closed or unmapped while the GPU is still at
 * others. Every word of every result is looked at. */
#include "kernel.h"

#include <pthread.h>

#define THREADS 4u
#define ROUNDS 10u
#define AT_ONCE 4u
#define CONTEXTS 3u

struct worker {
   pthread_t thread;
   int fd;
   unsigned seed, failures;
   uint32_t context[CONTEXTS];
};

struct job {
   uint32_t code, target, groups, constant;
   size_t size;
   uint32_t *memory;
   int ret;
};

static unsigned
any(struct worker *w, unsigned below)
{
   w->seed = w->seed * 1664525u + 1013904223u;
   return (w->seed >> 8) % below;
}

static bool
make_target(struct worker *w, struct job *j)
{
   if (any(w, 4)) {
      j->target = create(w->fd, j->size);
      j->memory = map(w->fd, j->target, j->size, I915_MMAP_OFFSET_WB);
      return j->target && j->memory != MAP_FAILED;
   }
   j->memory = mmap(NULL, j->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   struct drm_i915_gem_userptr u = {.user_ptr = (uintptr_t)j->memory, .user_size = j->size};
   bool ok = j->memory != MAP_FAILED && !call(w->fd, DRM_IOCTL_I915_GEM_USERPTR, &u);
   j->target = u.handle;
   return ok;
}

static void
begin(struct worker *w, struct job *j)
{
   j->groups = 1 + any(w, any(w, 3) ? 200 : 4000); /* some are worth several host threads */
   j->constant = any(w, 4) ? any(w, 1u << 20) * 8 : 0x1000;
   j->size = (j->groups * ROW + 4095) & ~4095ul;
   j->code = stores(w->fd, j->groups, j->constant);
   j->ret = make_target(w, j)
                ? stores_dispatch(w->fd, w->context[any(w, CONTEXTS)], j->code, j->target)
                : ENOMEM;
   if (any(w, 2)) {
      destroy(w->fd, j->code);
      j->code = 0;
   }
}

static void
end(struct worker *w, struct job *j)
{
   w->failures +=
       j->ret || wait_idle(w->fd, j->target) || stores_wrong(j->memory, j->groups, j->constant);
   bool unmap_first = any(w, 2);
   if (unmap_first)
      munmap(j->memory, j->size);
   destroy(w->fd, j->target);
   if (!unmap_first)
      munmap(j->memory, j->size);
   if (j->code)
      destroy(w->fd, j->code);
}

static void *
work(void *data)
{
   struct worker *w = data;
   for (unsigned i = 1; i < CONTEXTS; i++) { /* the first is the file's own */
      struct drm_i915_gem_context_create_ext c = {0};
      w->failures += call(w->fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &c) != 0;
      w->context[i] = c.ctx_id;
   }
   for (unsigned round = 0; round < ROUNDS; round++) {
      struct job job[AT_ONCE];
      for (unsigned i = 0; i < AT_ONCE; i++)
         begin(w, &job[i]);
      for (unsigned i = 0; i < AT_ONCE; i++)
         end(w, &job[i]);
   }
   return NULL;
}

int
main(void)
{
   struct worker w[THREADS];
   int shared = open_render();
   unsigned failures = 0;
   for (unsigned i = 0; i < THREADS; i++) {
      w[i] = (struct worker){.fd = i & 1 ? open_render() : shared, .seed = i};
      pthread_create(&w[i].thread, NULL, work, &w[i]);
   }
   for (unsigned i = 0; i < THREADS; i++) {
      pthread_join(w[i].thread, NULL);
      failures += w[i].failures;
   }
   CHECK(!failures, "%u dispatches by %u threads (%u wrong)", THREADS * ROUNDS * AT_ONCE, THREADS,
         failures);
   return smoke_end();
}
