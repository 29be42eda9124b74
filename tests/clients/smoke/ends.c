/* Breaks a rule in one batch and stores in four more, then ends as the argument says. For
 * test_run.py. */
#include "smoke.h"

#include <sys/wait.h>

/* PIPE_CONTROL with a stall and nothing else: RCS-128. */
static int
break_rule(int fd, bool wait)
{
   uint32_t words[6] = {0x7a000003, 0x00100000, 0, 0, 0, 0x05000000}, batch = create(fd, 4096);
   struct drm_i915_gem_pwrite w = {
       .handle = batch, .size = sizeof(words), .data_ptr = (uintptr_t)words};
   struct drm_i915_gem_exec_object2 object = {.handle = batch};
   struct drm_i915_gem_execbuffer2 x = {
       .buffers_ptr = (uintptr_t)&object, .buffer_count = 1, .flags = I915_EXEC_RENDER};
   int ret = call(fd, DRM_IOCTL_I915_GEM_PWRITE, &w);
   if (!ret)
      ret = call(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x);
   return ret || !wait ? ret : wait_idle(fd, batch);
}

/* Waits for nothing: the rule is broken by the last of many batches. */
static int
leave(int fd, uint32_t target)
{
   for (unsigned i = 0; i < 400; i++)
      if (store(fd, I915_EXEC_RENDER, target, 4 * i, i, NULL))
         return 1;
   return break_rule(fd, false) ? 1 : 3;
}

static int
stores(int fd, uint32_t target)
{
   for (unsigned i = 0; i < 4; i++)
      if (store(fd, I915_EXEC_RENDER, target, 4 * i, i, NULL))
         return 1;
   return wait_idle(fd, target);
}

/* Two commands of the codec, which is not modelled, each twice: MFX_PIPE_MODE_SELECT, MFX_WAIT. */
static int
decode(int fd)
{
   uint32_t words[] = {0x70000003, 0, 0, 0, 0,          0x68000000, 0x70000003,
                       0,          0, 0, 0, 0x68000000, 0x05000000, 0},
            batch = create(fd, 4096);
   struct drm_i915_gem_pwrite w = {
       .handle = batch, .size = sizeof(words), .data_ptr = (uintptr_t)words};
   struct drm_i915_gem_exec_object2 object = {.handle = batch};
   struct drm_i915_gem_execbuffer2 x = {
       .buffers_ptr = (uintptr_t)&object, .buffer_count = 1, .flags = I915_EXEC_BSD};
   int ret = call(fd, DRM_IOCTL_I915_GEM_PWRITE, &w);
   if (!ret)
      ret = call(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x);
   return ret ? ret : wait_idle(fd, batch);
}

/* A batch that jumps to itself. */
static int
hang(int fd, bool wait)
{
   uint32_t words[4] = {0x18800100, 0, 0x05000000, 0}, batch = create(fd, 4096);
   struct drm_i915_gem_pwrite w = {
       .handle = batch, .size = sizeof(words), .data_ptr = (uintptr_t)words};
   struct drm_i915_gem_relocation_entry reloc = {.target_handle = batch,
                                                 .offset = 4,
                                                 .presumed_offset = ~0ull,
                                                 .read_domains = I915_GEM_DOMAIN_COMMAND};
   struct drm_i915_gem_exec_object2 object = {
       .handle = batch, .relocation_count = 1, .relocs_ptr = (uintptr_t)&reloc};
   struct drm_i915_gem_execbuffer2 x = {
       .buffers_ptr = (uintptr_t)&object, .buffer_count = 1, .flags = I915_EXEC_RENDER};
   int ret = call(fd, DRM_IOCTL_I915_GEM_PWRITE, &w);
   if (!ret)
      ret = call(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x);
   if (!ret && wait)
      ret = wait_idle(fd, batch);
   return ret;
}

int
main(int argc, char **argv)
{
   const char *how = argc > 1 ? argv[1] : "";
   int fd = open_render();
   uint32_t target = create(fd, 4096);
   if (!strcmp(how, "leave"))
      return leave(fd, target);
   if (break_rule(fd, true) || stores(fd, target))
      return 1;
   if (!strcmp(how, "exit"))
      exit(3);
   if (!strcmp(how, "_exit"))
      _exit(3);
   if (!strcmp(how, "abort"))
      abort();
   if (!strcmp(how, "exec"))
      execlp("sh", "sh", "-c", "exit 3", (char *)NULL);
   if (!strcmp(how, "fork")) { /* a child with work of its own, which leaves by exit() */
      if (!fork())
         exit(stores(fd, target));
      wait(NULL);
      return 3;
   }
   if (!strcmp(how, "generations")) { /* a child's child */
      pid_t child = fork();
      if (!child) {
         int ret = stores(fd, target);
         if (!fork())
            _exit(stores(fd, target));
         wait(NULL);
         _exit(ret);
      }
      waitpid(child, NULL, 0);
      return 3;
   }
   if (!strcmp(how, "decode"))
      return decode(fd) ? 1 : 0;
   if (!strcmp(how, "hang"))
      return hang(fd, true) ? 1 : 3;
   if (!strcmp(how, "hang and leave"))
      return hang(fd, false) ? 1 : 3;
   if (!strcmp(how, "hang and stay")) {
      hang(fd, true);
      pause();
   }
   return 2;
}
