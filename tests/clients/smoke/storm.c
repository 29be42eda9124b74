/* As much of everything as a client can ask for: it works, and takes no more time for each than for
 * one. */
#include "smoke.h"

#include <time.h>

#define OBJECTS 65536u
#define MAPS 20000u
#define CONTEXTS 1500u /* more page directories than the GGTT has room for */
#define LIMIT                                                                                      \
   10.0 /* seconds; half of one is usual, and work that grows with the square takes more */

static uint32_t handle[OBJECTS];
static void *at[MAPS];

/* Of work, the device's among it: what other programs do on the same machine meanwhile does not
 * count. */
static double
seconds(void)
{
   struct timespec t;
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
   return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
objects(int fd)
{
   double begin = seconds();
   unsigned wrong = 0;
   for (unsigned i = 0; i < OBJECTS; i++)
      wrong += !(handle[i] = create(fd, 4096));
   CHECK(!wrong && seconds() - begin < LIMIT, "%u objects", OBJECTS);
   begin = seconds();
   for (unsigned i = 0; i < MAPS; i++)
      wrong += (at[i] = map(fd, handle[i], 4096, I915_MMAP_OFFSET_WB)) == MAP_FAILED;
   for (unsigned i = 0; i < MAPS; i++)
      wrong += munmap(at[i], 4096) != 0;
   CHECK(!wrong && seconds() - begin < LIMIT, "%u of them mapped and unmapped", MAPS);
}

/* One batch names all of them, with a relocation to each, by its handle. */
static void
one_batch(int fd)
{
   struct drm_i915_gem_exec_object2 *object = calloc(OBJECTS, sizeof(*object));
   struct drm_i915_gem_relocation_entry *reloc = calloc(OBJECTS, sizeof(*reloc));
   uint32_t batch = handle[OBJECTS - 1], words[2] = {0x05000000, 0}, got[3] = {0};
   for (unsigned i = 0; i < OBJECTS; i++) {
      object[i].handle = handle[i];
      reloc[i] = (struct drm_i915_gem_relocation_entry){.target_handle = handle[i],
                                                        .presumed_offset = ~0ull,
                                                        .delta = i,
                                                        .offset = 8 + i % 1000 * 4,
                                                        .read_domains = I915_GEM_DOMAIN_RENDER};
   }
   object[OBJECTS - 1].relocation_count = OBJECTS;
   object[OBJECTS - 1].relocs_ptr = (uintptr_t)reloc;
   struct drm_i915_gem_pwrite w = {
       .handle = batch, .size = sizeof(words), .data_ptr = (uintptr_t)words};
   struct drm_i915_gem_execbuffer2 x = {
       .buffers_ptr = (uintptr_t)object, .buffer_count = OBJECTS, .flags = I915_EXEC_RENDER};
   struct drm_i915_gem_pread r = {.handle = batch, .size = sizeof(got), .data_ptr = (uintptr_t)got};
   double begin = seconds();
   CHECK(!call(fd, DRM_IOCTL_I915_GEM_PWRITE, &w) &&
             !call(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x) && !wait_idle(fd, batch) &&
             seconds() - begin < LIMIT,
         "all of them in one batch, with as many relocations");
   CHECK(!call(fd, DRM_IOCTL_I915_GEM_PREAD, &r) && got[2] == object[65000].offset + 65000,
         "and the last relocation of a place counts");
   free(object);
   free(reloc);
}

static void
contexts(int fd)
{
   uint32_t words[2] = {0x05000000, 0}, batch = create(fd, 4096);
   struct drm_i915_gem_pwrite w = {
       .handle = batch, .size = sizeof(words), .data_ptr = (uintptr_t)words};
   struct drm_i915_gem_exec_object2 object = {.handle = batch};
   struct drm_i915_gem_execbuffer2 x = {.buffers_ptr = (uintptr_t)&object,
                                        .buffer_count = 1,
                                        .batch_len = 8,
                                        .flags = I915_EXEC_RENDER};
   call(fd, DRM_IOCTL_I915_GEM_PWRITE, &w);
   unsigned made = 0, run = 0;
   for (unsigned i = 0; i < CONTEXTS; i++) {
      struct drm_i915_gem_context_create c = {0};
      made += !call(fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &c);
      x.rsvd1 = c.ctx_id;
      run += !call(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x) && !wait_idle(fd, batch);
   }
   CHECK(made == CONTEXTS && run == CONTEXTS, "%u contexts made, %u batches run, each in its own",
         made, run);
   for (made = 0; made < 10 * CONTEXTS; made++) {
      struct drm_i915_gem_context_create c = {0};
      if (call(fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &c))
         break;
   }
   CHECK(made == 10 * CONTEXTS, "and ten times as many that have not run yet (%u)", made);
}

static void
queue(int fd)
{
   uint32_t target = create(fd, 4096), value = 0;
   double begin = seconds();
   unsigned wrong = 0;
   for (unsigned i = 0; i < 10000; i++)
      wrong += store(fd, 1 + i % 3, target, 0, i, NULL) != 0;
   struct drm_i915_gem_pread r = {.handle = target, .size = 4, .data_ptr = (uintptr_t)&value};
   CHECK(!wrong && !call(fd, DRM_IOCTL_I915_GEM_PREAD, &r) && value == 9999 &&
             seconds() - begin < LIMIT,
         "10000 batches one after the other, nobody waits");
}

int
main(void)
{
   int fd = open_render();
   objects(fd);
   one_batch(fd);
   queue(fd);
   contexts(fd);
   double begin = seconds();
   close(fd);
   CHECK(seconds() - begin < LIMIT, "all of it is closed");
   return smoke_end();
}
