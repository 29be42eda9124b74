#include "rig.h"

#include <stdlib.h>
#include <sys/mman.h>

static int
setup(void **state, uint64_t hang_budget)
{
   struct kernel_options o;
   const char *error = NULL;
   struct rig *r = calloc(1, sizeof(*r));
   memset(&o, 0, sizeof(o));
   o.check = PERGOLA_CHECK_OFF;
   o.threads = 1;
   o.hang_budget = hang_budget;
   o.wait_limit_ns = 200000000;
   r->k = kernel_create(&o, &error);
   if (!r->k) {
      print_error("%s\n", error);
      free(r);
      return -1;
   }
   r->f = rig_open(r, true);
   *state = r;
   return 0;
}

int
rig_setup(void **state)
{
   return setup(state, 1000000000);
}

int
rig_setup_small_budget(void **state)
{
   return setup(state, 500000);
}

int
rig_teardown(void **state)
{
   struct rig *r = *state;
   if (r->f)
      rig_close(r->f);
   kernel_destroy(r->k);
   free(r);
   return 0;
}

struct drm_file *
rig_open(struct rig *r, bool render_node)
{
   pthread_mutex_lock(&r->k->lock);
   struct drm_file *f = drm_file_open(r->k, render_node);
   pthread_mutex_unlock(&r->k->lock);
   assert_non_null(f);
   return f;
}

void
rig_close(struct drm_file *f)
{
   struct kernel *k = f->k;
   pthread_mutex_lock(&k->lock);
   drm_file_unref(f);
   pthread_mutex_unlock(&k->lock);
}

uint32_t
new_object(struct drm_file *f, uint64_t size)
{
   struct drm_i915_gem_create a = {.size = size};
   assert_int_equal(io(f, DRM_IOCTL_I915_GEM_CREATE, &a), 0);
   assert_int_not_equal(a.handle, 0);
   return a.handle;
}

void *
map_object(struct drm_file *f, uint32_t handle, uint64_t size)
{
   struct drm_i915_gem_mmap a = {.handle = handle, .size = size};
   assert_int_equal(io(f, DRM_IOCTL_I915_GEM_MMAP, &a), 0);
   return (void *)(uintptr_t)a.addr_ptr;
}

void
close_object(struct drm_file *f, uint32_t handle)
{
   struct drm_gem_close a = {.handle = handle};
   assert_int_equal(io(f, DRM_IOCTL_GEM_CLOSE, &a), 0);
}

uint32_t
new_context(struct drm_file *f)
{
   struct drm_i915_gem_context_create_ext a = {0};
   assert_int_equal(io(f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &a), 0);
   return a.ctx_id;
}

uint32_t
new_syncobj(struct drm_file *f, uint32_t flags)
{
   struct drm_syncobj_create a = {.flags = flags};
   assert_int_equal(io(f, DRM_IOCTL_SYNCOBJ_CREATE, &a), 0);
   return a.handle;
}

int
wait_object(struct drm_file *f, uint32_t handle, int64_t timeout_ns)
{
   struct drm_i915_gem_wait a = {.bo_handle = handle, .timeout_ns = timeout_ns};
   return io(f, DRM_IOCTL_I915_GEM_WAIT, &a);
}

void
store_begin(struct drm_file *f, struct store *s, uint32_t target, uint32_t offset, uint32_t value,
            uint64_t flags)
{
   memset(s, 0, sizeof(*s));
   s->target = target;
   s->batch = new_object(f, BATCH_SIZE);
   s->map = map_object(f, s->batch, BATCH_SIZE);
   s->map[0] = STORE_DWORD;
   s->map[1] = 0;
   s->map[2] = 0;
   s->map[3] = value;
   s->map[4] = BATCH_END;
   s->reloc = (struct drm_i915_gem_relocation_entry){.target_handle = target,
                                                     .delta = offset,
                                                     .offset = 8,
                                                     .presumed_offset = UINT64_MAX,
                                                     .read_domains = I915_GEM_DOMAIN_RENDER,
                                                     .write_domain = I915_GEM_DOMAIN_RENDER};
   s->object[0].handle = target;
   s->object[1] = (struct drm_i915_gem_exec_object2){
       .handle = s->batch, .relocation_count = 1, .relocs_ptr = (uintptr_t)&s->reloc};
   s->exec = (struct drm_i915_gem_execbuffer2){
       .buffers_ptr = (uintptr_t)s->object, .buffer_count = 2, .flags = flags};
}

void
store_done(struct drm_file *f, struct store *s)
{
   pthread_mutex_lock(&f->k->lock);
   maps_remove(f->k, (uintptr_t)s->map, BATCH_SIZE);
   pthread_mutex_unlock(&f->k->lock);
   munmap(s->map, BATCH_SIZE);
   close_object(f, s->batch);
}

int
store_run(struct drm_file *f, uint32_t target, uint32_t offset, uint32_t value, uint64_t flags)
{
   struct store s;
   store_begin(f, &s, target, offset, value, flags);
   int ret = io(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec);
   if (!ret)
      ret = wait_object(f, target, -1);
   store_done(f, &s);
   return ret;
}

int
run_empty(struct drm_file *f, uint32_t context, uint64_t flags)
{
   uint32_t batch = new_object(f, BATCH_SIZE);
   uint32_t end[2] = {BATCH_END, 0};
   struct drm_i915_gem_pwrite w = {
       .handle = batch, .size = sizeof(end), .data_ptr = (uintptr_t)end};
   assert_int_equal(io(f, DRM_IOCTL_I915_GEM_PWRITE, &w), 0);
   struct drm_i915_gem_exec_object2 o = {.handle = batch};
   struct drm_i915_gem_execbuffer2 x = {
       .buffers_ptr = (uintptr_t)&o, .buffer_count = 1, .flags = flags, .rsvd1 = context};
   int ret = io(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x);
   if (!ret)
      ret = wait_object(f, batch, -1);
   close_object(f, batch);
   return ret;
}
