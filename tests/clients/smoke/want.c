/* Want of memory: the n-th allocation fails, for every n, once or from there on. The client gets an
 * error code that it can act on, and right results wherever it gets none; it is never ended. */
#include "kernel.h"

#include <malloc.h>
#include <sys/wait.h>

#define SEEN __attribute__((visibility("default"))) /* by the preload library too */

/* The C library's own, under the allocator of this program, which the preload library uses too. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

#define GROUPS 16u

static long left = -1; /* allocations until one fails; below 0: none does */
static bool for_good;  /* and all that follow */
static long asked;

static bool
refused(void)
{
   __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED);
   long n = __atomic_load_n(&left, __ATOMIC_RELAXED);
   if (n < 0)
      return false;
   n = __atomic_fetch_sub(&left, 1, __ATOMIC_RELAXED);
   if (n == 0 && for_good)
      __atomic_store_n(&left, 0, __ATOMIC_RELAXED);
   if (n == 0)
      errno = ENOMEM;
   return n == 0;
}

SEEN void *
malloc(size_t size)
{
   return refused() ? NULL : __libc_malloc(size);
}

SEEN void *
calloc(size_t count, size_t size)
{
   return refused() ? NULL : __libc_calloc(count, size);
}

SEEN void *
realloc(void *old, size_t size)
{
   return refused() ? NULL : __libc_realloc(old, size);
}

SEEN void *
memalign(size_t alignment, size_t size)
{
   return refused() ? NULL : __libc_memalign(alignment, size);
}

SEEN void *
aligned_alloc(size_t alignment, size_t size)
{
   return memalign(alignment, size);
}

SEEN int
posix_memalign(void **to, size_t alignment, size_t size)
{
   void *p = memalign(alignment, size);
   if (!p)
      return ENOMEM;
   *to = p;
   return 0;
}

/* What a driver may be told when there is no memory: EIO when the device could not go on. */
static bool
plausible(int error)
{
   return error == 0 || error == ENOMEM || error == EIO || error == ENOSPC || error == ENFILE;
}

/* A batch whose state found no memory has hung the engine, and the kernel says so. */
static bool
hung(int fd)
{
   struct drm_i915_reset_stats s = {0};
   return !call(fd, DRM_IOCTL_I915_GET_RESET_STATS, &s) && s.batch_active;
}

/* A kernel of many groups. */
static bool
walk(int fd)
{
   static uint32_t back[GROUPS * ROW / 4];
   struct drm_i915_gem_create a = {.size = sizeof(back)};
   int error = call(fd, DRM_IOCTL_I915_GEM_CREATE, &a);
   if (error)
      return plausible(error);
   uint32_t code = stores(fd, GROUPS, 0x1000);
   if (!code)
      return plausible(errno);
   error = stores_dispatch(fd, 0, code, a.handle);
   if (!error)
      error = wait_idle(fd, a.handle);
   struct drm_i915_gem_pread p = {
       .handle = a.handle, .size = sizeof(back), .data_ptr = (uintptr_t)back};
   memset(back, 0, sizeof(back));
   if (!error)
      error = call(fd, DRM_IOCTL_I915_GEM_PREAD, &p);
   return error ? plausible(error) : !stores_wrong(back, GROUPS, 0x1000) || hung(fd);
}

/* Opens, makes objects, stores on the three rings, looks at what came of it. False: a result that
 * is neither right nor an error that it may be. */
static bool
session(void)
{
   static const uint64_t rings[] = {I915_EXEC_RENDER, I915_EXEC_BSD, I915_EXEC_BLT};
   int fd = open_render();
   if (fd < 0)
      return errno == ENODEV || plausible(errno); /* ENODEV: there is no device yet */
   struct drm_i915_gem_create a = {.size = 8192};
   int error = call(fd, DRM_IOCTL_I915_GEM_CREATE, &a);
   bool right = plausible(error);
   for (unsigned i = 0; !error && right && i < 3; i++) {
      uint32_t words[6] = {0x10000002, 0, 0, 0x5eed + i, 0x05000000, 0}, back = 0;
      struct drm_i915_gem_create b = {.size = 4096};
      error = call(fd, DRM_IOCTL_I915_GEM_CREATE, &b);
      struct drm_i915_gem_pwrite w = {
          .handle = b.handle, .size = sizeof(words), .data_ptr = (uintptr_t)words};
      struct drm_i915_gem_relocation_entry reloc = {.target_handle = a.handle,
                                                    .delta = 4 * i,
                                                    .offset = 8,
                                                    .presumed_offset = ~0ull,
                                                    .read_domains = I915_GEM_DOMAIN_RENDER,
                                                    .write_domain = I915_GEM_DOMAIN_RENDER};
      struct drm_i915_gem_exec_object2 object[2] = {
          {.handle = a.handle},
          {.handle = b.handle, .relocation_count = 1, .relocs_ptr = (uintptr_t)&reloc}};
      struct drm_i915_gem_execbuffer2 x = {.buffers_ptr = (uintptr_t)object,
                                           .buffer_count = 2,
                                           .batch_len = sizeof(words),
                                           .flags = rings[i]};
      struct drm_i915_gem_pread p = {
          .handle = a.handle, .offset = 4 * i, .size = 4, .data_ptr = (uintptr_t)&back};
      if (!error)
         error = call(fd, DRM_IOCTL_I915_GEM_PWRITE, &w);
      if (!error)
         error = call(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x);
      if (!error)
         error = wait_idle(fd, a.handle);
      if (!error)
         error = call(fd, DRM_IOCTL_I915_GEM_PREAD, &p);
      right = plausible(error) && (error || back == 0x5eed + i);
      destroy(fd, b.handle);
   }
   if (!error && right)
      right = walk(fd);
   close(fd);
   return right;
}

/* In a process of its own: what it ended by, and whether the allocation was reached. */
static int
one(long n, bool good, bool *reached)
{
   int pipes[2], status;
   if (pipe(pipes))
      return -1;
   pid_t child = fork();
   if (!child) {
      for_good = good;
      left = n;
      bool right = session();
      bool was = left < 0 || (good && left == 0);
      left = -1;
      /* Once there is memory again, a device that has not been lost goes on. */
      right &= session();
      _exit(right && write(pipes[1], &was, 1) == 1 ? 0 : 1);
   }
   close(pipes[1]);
   *reached = false;
   if (child < 0 || waitpid(child, &status, 0) != child || read(pipes[0], reached, 1) < 0)
      status = -1;
   close(pipes[0]);
   return status;
}

int
main(void)
{
   asked = 0;
   bool reached;
   CHECK(!one(-1, false, &reached), "with memory the session is right");
   for (unsigned good = 0; good < 2; good++) {
      long n = 0, worst = -1;
      int status = 0;
      for (reached = true; reached && n < 100000; n++) {
         int s = one(n, good, &reached);
         if (s && worst < 0) {
            worst = n;
            status = s;
            break;
         }
      }
      CHECK(worst < 0, "%s of %ld allocations fails (first fault at %ld, status 0x%x)",
            good ? "all from each" : "each", n - 1, worst, (unsigned)status);
      CHECK(n > 50, "and the device needs some: %ld", n);
   }
   return smoke_end();
}
