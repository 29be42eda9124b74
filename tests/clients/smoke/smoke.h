/* Small programs in the manner of IGT: plain system calls on the render node, TAP on standard
 * output. They are linked with nothing of ours; `pergola run` starts them. */
#ifndef SMOKE_H
#define SMOKE_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <drm.h>
#include <i915_drm.h>

static unsigned smoke_cases, smoke_failures;

/* One case: prints its line, goes on in any event. */
#define CHECK(condition, ...)                                                                      \
   do {                                                                                            \
      bool ok_ = (condition);                                                                      \
      printf("%sok %u - ", ok_ ? "" : "not ", ++smoke_cases);                                      \
      printf(__VA_ARGS__);                                                                         \
      printf(ok_ ? "\n" : " # %s:%d: %s (errno %d)\n", __FILE__, __LINE__, #condition, errno);     \
      smoke_failures += !ok_;                                                                      \
   } while (0)

static inline int
smoke_end(void)
{
   printf("1..%u\n", smoke_cases);
   return smoke_failures || !smoke_cases;
}

/* 0, or the errno. */
static inline int
call(int fd, unsigned long request, void *arg)
{
   int ret;
   do
      ret = ioctl(fd, request, arg);
   while (ret < 0 && (errno == EINTR || errno == EAGAIN));
   return ret < 0 ? errno : 0;
}

/* What fn gives in a child, or 200 and the signal that ended it. */
static inline int
in_child(int (*fn)(int), int fd)
{
   fflush(stdout);
   pid_t pid = fork();
   if (!pid)
      _exit(fn(fd));
   int status = -1;
   waitpid(pid, &status, 0);
   return WIFEXITED(status) ? WEXITSTATUS(status) : 200 + WTERMSIG(status);
}

static inline int
open_render(void)
{
   return open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
}

static inline uint32_t
create(int fd, uint64_t size)
{
   struct drm_i915_gem_create a = {.size = size};
   return call(fd, DRM_IOCTL_I915_GEM_CREATE, &a) ? 0 : a.handle;
}

static inline void
destroy(int fd, uint32_t handle)
{
   struct drm_gem_close a = {.handle = handle};
   call(fd, DRM_IOCTL_GEM_CLOSE, &a);
}

static inline void *
map(int fd, uint32_t handle, uint64_t size, uint64_t kind)
{
   struct drm_i915_gem_mmap_offset a = {.handle = handle, .flags = kind};
   if (call(fd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &a))
      return MAP_FAILED;
   return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)a.offset);
}

static inline int
wait_idle(int fd, uint32_t handle)
{
   struct drm_i915_gem_wait a = {.bo_handle = handle, .timeout_ns = 60000000000ll};
   return call(fd, DRM_IOCTL_I915_GEM_WAIT, &a);
}

/* Stores value at offset of target with a batch on the ring; 0 or an errno. Does not wait. */
static inline int
store(int fd, uint64_t ring, uint32_t target, uint32_t offset, uint32_t value, uint32_t *batch_out)
{
   uint32_t words[6] = {0x10000002, 0, 0, value, 0x05000000, 0};
   uint32_t batch = create(fd, 4096);
   struct drm_i915_gem_pwrite w = {
       .handle = batch, .size = sizeof(words), .data_ptr = (uintptr_t)words};
   struct drm_i915_gem_relocation_entry reloc = {.target_handle = target,
                                                 .delta = offset,
                                                 .offset = 8,
                                                 .presumed_offset = ~0ull,
                                                 .read_domains = I915_GEM_DOMAIN_RENDER,
                                                 .write_domain = I915_GEM_DOMAIN_RENDER};
   struct drm_i915_gem_exec_object2 object[2] = {
       {.handle = target},
       {.handle = batch, .relocation_count = 1, .relocs_ptr = (uintptr_t)&reloc}};
   struct drm_i915_gem_execbuffer2 x = {.buffers_ptr = (uintptr_t)object,
                                        .buffer_count = 2,
                                        .batch_len = sizeof(words),
                                        .flags = ring};
   int ret = call(fd, DRM_IOCTL_I915_GEM_PWRITE, &w);
   if (!ret)
      ret = call(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x);
   if (batch_out)
      *batch_out = batch;
   else
      destroy(fd, batch);
   return ret;
}

#endif
