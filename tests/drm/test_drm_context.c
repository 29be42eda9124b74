/* Contexts: parameters, engines, address spaces, isolation. */
#include "rig.h"
#include "tests/proves.h"

static int
get(struct drm_file *f, uint32_t ctx, uint64_t param, uint64_t *value)
{
   struct drm_i915_gem_context_param p = {.ctx_id = ctx, .param = param};
   int ret = io(f, DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &p);
   *value = p.value;
   return ret;
}

static int
set(struct drm_file *f, uint32_t ctx, uint64_t param, uint64_t value, uint32_t size)
{
   struct drm_i915_gem_context_param p = {
       .ctx_id = ctx, .param = param, .value = value, .size = size};
   return io(f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p);
}

/* DRM-060: contexts have numbers from 1; 0 is the file's own and cannot be destroyed; a destroyed
 * one is ENOENT. */
static void
life(void **state)
{
   proves("DRM-060");
   struct rig *r = *state;
   uint32_t c = new_context(r->f);
   assert_int_equal(c, 1);
   assert_int_equal(run_empty(r->f, c, I915_EXEC_RENDER), 0);
   struct drm_i915_gem_context_destroy d = {.ctx_id = c};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &d), 0);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &d), -ENOENT);
   assert_int_equal(run_empty(r->f, c, I915_EXEC_RENDER), -ENOENT);
   d.ctx_id = 0;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &d), -ENOENT);
   d.pad = 1;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &d), -EINVAL);
   struct drm_i915_gem_context_create_ext x = {.flags = 4};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &x), -EINVAL);
   x.flags = I915_CONTEXT_CREATE_FLAGS_SINGLE_TIMELINE; /* not on rings */
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &x), -EINVAL);
}

static uint64_t
aperture_available(struct drm_file *f)
{
   struct drm_i915_gem_get_aperture a = {0};
   assert_int_equal(io(f, DRM_IOCTL_I915_GEM_GET_APERTURE, &a), 0);
   return a.aper_available_size;
}

/* DRM-060: a context that is refused or destroyed leaves nothing of it behind: neither a number nor
 * a place for its image. */
static void
refused_leave_nothing(void **state)
{
   proves("DRM-060");
   struct rig *r = *state;
   uint64_t available = aperture_available(r->f);
   struct drm_i915_gem_context_create_ext_setparam ext = {
       .base.name = I915_CONTEXT_CREATE_EXT_SETPARAM, .param = {.param = 99}};
   struct drm_i915_gem_context_create_ext a = {.flags = I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS,
                                               .extensions = (uintptr_t)&ext};
   for (int i = 0; i < 3; i++)
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &a), -EINVAL);
   assert_int_equal(aperture_available(r->f), available);
   struct drm_i915_gem_context_destroy d = {.ctx_id = new_context(r->f)};
   assert_int_equal(d.ctx_id, 1);
   assert_true(aperture_available(r->f) < available);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &d), 0);
   assert_int_equal(aperture_available(r->f), available);
}

/* DRM-061: context parameters and their errors: 2 GiB of addresses, no priorities, no SSEU control.
 */
static void
parameters(void **state)
{
   proves("DRM-061");
   struct rig *r = *state;
   uint32_t c = new_context(r->f);
   uint64_t v;
   assert_int_equal(get(r->f, c, I915_CONTEXT_PARAM_GTT_SIZE, &v), 0);
   assert_int_equal(v, 1ull << 31);
   const uint64_t flags[] = {I915_CONTEXT_PARAM_RECOVERABLE, I915_CONTEXT_PARAM_BANNABLE,
                             I915_CONTEXT_PARAM_NO_ERROR_CAPTURE};
   for (size_t i = 0; i < 3; i++)
      for (uint64_t want = 0; want < 2; want++) {
         assert_int_equal(set(r->f, c, flags[i], want, 0), 0);
         assert_int_equal(get(r->f, c, flags[i], &v), 0);
         assert_int_equal(v, want);
         assert_int_equal(set(r->f, c, flags[i], want, 8), -EINVAL);
      }
   assert_int_equal(set(r->f, c, I915_CONTEXT_PARAM_PRIORITY, 0, 0), -ENODEV);
   assert_int_equal(set(r->f, c, I915_CONTEXT_PARAM_PRIORITY, 512, 0), -ENODEV);
   assert_int_equal(set(r->f, c, I915_CONTEXT_PARAM_PRIORITY, 0, 8), -EINVAL);
   assert_int_equal(set(r->f, c, I915_CONTEXT_PARAM_NO_ZEROMAP, 1, 0), -EINVAL);
   assert_int_equal(get(r->f, c, I915_CONTEXT_PARAM_NO_ZEROMAP, &v), -EINVAL);
   uint32_t fresh = new_context(r->f);
   assert_int_equal(set(r->f, fresh, I915_CONTEXT_PARAM_PROTECTED_CONTENT, 1, 0), -ENODEV);
   assert_int_equal(set(r->f, fresh, I915_CONTEXT_PARAM_PROTECTED_CONTENT, 0, 0), 0);
   assert_int_equal(get(r->f, fresh, I915_CONTEXT_PARAM_PROTECTED_CONTENT, &v), 0);
   assert_int_equal(v, 0);
   assert_int_equal(set(r->f, fresh, I915_CONTEXT_PARAM_PROTECTED_CONTENT, 0, 0), -EINVAL);
   assert_int_equal(set(r->f, c, I915_CONTEXT_PARAM_PERSISTENCE, 0, 0), -ENODEV);
   assert_int_equal(get(r->f, c, I915_CONTEXT_PARAM_SSEU, &v), -ENODEV);
   assert_int_equal(get(r->f, c, 99, &v), -EINVAL);
   assert_int_equal(set(r->f, c, 99, 0, 0), -EINVAL);
   assert_int_equal(get(r->f, 77, I915_CONTEXT_PARAM_GTT_SIZE, &v), -ENOENT);
   assert_int_equal(set(r->f, 77, I915_CONTEXT_PARAM_BANNABLE, 0, 0), -ENOENT);
}

/* DRM-062: with an engine map the ring selector is an index into it: past the end and
 * in an empty slot EINVAL; an engine that does not exist ENOENT. */
static void
engine_map(void **state)
{
   proves("DRM-062");
   struct rig *r = *state;
   I915_DEFINE_CONTEXT_PARAM_ENGINES(map, 3) = {
       .engines = {{I915_ENGINE_CLASS_COPY, 0},
                   {(uint16_t)I915_ENGINE_CLASS_INVALID, (uint16_t)I915_ENGINE_CLASS_INVALID_NONE},
                   {I915_ENGINE_CLASS_RENDER, 0}}};
   struct drm_i915_gem_context_create_ext_setparam ext = {
       .base.name = I915_CONTEXT_CREATE_EXT_SETPARAM,
       .param = {
           .param = I915_CONTEXT_PARAM_ENGINES, .size = sizeof(map), .value = (uintptr_t)&map}};
   struct drm_i915_gem_context_create_ext a = {.flags = I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS,
                                               .extensions = (uintptr_t)&ext};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &a), 0);
   uint32_t blt = r->k->engine[KERNEL_BCS].seqno, rcs = r->k->engine[KERNEL_RCS].seqno;
   assert_int_equal(run_empty(r->f, a.ctx_id, 0), 0);
   assert_int_equal(r->k->engine[KERNEL_BCS].seqno, blt + 1);
   assert_int_equal(run_empty(r->f, a.ctx_id, 2), 0);
   assert_int_equal(r->k->engine[KERNEL_RCS].seqno, rcs + 1);
   assert_int_equal(run_empty(r->f, a.ctx_id, 1), -EINVAL);
   assert_int_equal(run_empty(r->f, a.ctx_id, 3), -EINVAL);

   struct drm_i915_gem_context_param p = {.ctx_id = a.ctx_id, .param = I915_CONTEXT_PARAM_ENGINES};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &p), -EINVAL);
   map.engines[1].engine_class = I915_ENGINE_CLASS_VIDEO_ENHANCE;
   map.engines[1].engine_instance = 0;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &a), -ENOENT);
   map.engines[1].engine_class = I915_ENGINE_CLASS_RENDER; /* only both together are nobody */
   map.engines[1].engine_instance = (uint16_t)I915_ENGINE_CLASS_INVALID_NONE;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &a), -ENOENT);
   ext.param.size = 9;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &a), -EINVAL);
   ext.base.name = 7;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &a), -EINVAL);
   a.extensions = 8;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &a), -EFAULT);
}

/* DRM-104: engines and address space of a new context can be set until its first use, the engines
 * once. */
static void
settled_by_use(void **state)
{
   proves("DRM-104");
   struct rig *r = *state;
   uint32_t c = new_context(r->f);
   I915_DEFINE_CONTEXT_PARAM_ENGINES(map, 1) = {.engines = {{I915_ENGINE_CLASS_COPY, 0}}};
   struct drm_i915_gem_context_param p = {.ctx_id = c,
                                          .param = I915_CONTEXT_PARAM_ENGINES,
                                          .size = sizeof(map),
                                          .value = (uintptr_t)&map};
   map.extensions = 8;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p), -EFAULT);
   map.extensions = 0;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p), 0);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p), -EINVAL);
   struct drm_i915_gem_vm_control vm = {.extensions = 8};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_VM_CREATE, &vm), -EFAULT);
   vm.extensions = 0;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_VM_CREATE, &vm), 0);
   assert_int_equal(set(r->f, c, I915_CONTEXT_PARAM_VM, vm.vm_id, 0), 0);
   assert_int_equal(run_empty(r->f, c, 0), 0);
   assert_int_equal(set(r->f, c, I915_CONTEXT_PARAM_VM, vm.vm_id, 0), -EINVAL);
   p.ctx_id = 0;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p), -EINVAL);
}

#define RCS_FAULT_REG 0x4094u

/* DRM-105: the image of a context is written when the next one is switched to: a context that is
 * closed and idle keeps it until then. */
static void
image_until_switch(void **state)
{
   proves("DRM-105");
   struct rig *r = *state;
   uint32_t end = BATCH_END, batch = new_object(r->f, 4096);
   memcpy(map_object(r->f, batch, 4096), &end, sizeof(end));
   struct drm_i915_gem_exec_object2 object = {.handle = batch};
   struct drm_i915_gem_execbuffer2 exec = {.buffers_ptr = (uintptr_t)&object, .buffer_count = 1};
   for (int i = 0; i < 300; i++) {
      uint32_t c = new_context(r->f);
      exec.rsvd1 = c; /* and no wait: the next is on the ring while this one ends */
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &exec), 0);
      struct drm_i915_gem_context_destroy d = {.ctx_id = c};
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &d), 0);
   }
   assert_int_equal(store_run(r->f, new_object(r->f, 4096), 0, 1, I915_EXEC_RENDER), 0);
   assert_int_equal(r->k->resets, 0);
   assert_int_equal(bus_read(r->k, RCS_FAULT_REG) & 1, 0);
}

static uint64_t
place_in(struct drm_file *f, uint32_t ctx, uint32_t target, uint64_t pin)
{
   struct store s;
   store_begin(f, &s, target, 0, ctx, I915_EXEC_RENDER);
   s.exec.rsvd1 = ctx;
   if (pin) {
      s.object[0].flags = EXEC_OBJECT_PINNED;
      s.object[0].offset = pin;
   }
   assert_int_equal(io(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
   assert_int_equal(wait_object(f, target, -1), 0);
   uint64_t at = s.object[0].offset;
   store_done(f, &s);
   return at;
}

/* DRM-063: every context has addresses of its own: one object at two places, two objects at one. */
static void
own_addresses(void **state)
{
   proves("DRM-063");
   struct rig *r = *state;
   uint32_t a = new_context(r->f), b = new_context(r->f);
   uint32_t x = new_object(r->f, 4096), y = new_object(r->f, 4096);
   assert_int_equal(place_in(r->f, a, x, 0x100000), 0x100000);
   assert_int_equal(place_in(r->f, b, x, 0x700000), 0x700000);
   assert_int_equal(place_in(r->f, b, y, 0x100000), 0x100000);
   uint32_t *p = map_object(r->f, x, 4096), *q = map_object(r->f, y, 4096);
   assert_int_equal(*p, b);
   assert_int_equal(*q, b);
}

/* DRM-064: a VM can be shared by contexts, and asked for; VMs have numbers from 1. */
static void
shared_vm(void **state)
{
   proves("DRM-064");
   struct rig *r = *state;
   struct drm_i915_gem_vm_control vm = {0};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_VM_CREATE, &vm), 0);
   assert_int_not_equal(vm.vm_id, 0);
   struct drm_i915_gem_context_create_ext_setparam ext = {
       .base.name = I915_CONTEXT_CREATE_EXT_SETPARAM,
       .param = {.param = I915_CONTEXT_PARAM_VM, .value = vm.vm_id}};
   struct drm_i915_gem_context_create_ext a = {.flags = I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS,
                                               .extensions = (uintptr_t)&ext};
   uint32_t c[2];
   for (int i = 0; i < 2; i++) {
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &a), 0);
      c[i] = a.ctx_id;
   }
   uint32_t x = new_object(r->f, 4096);
   uint64_t at = place_in(r->f, c[0], x, 0);
   assert_int_equal(place_in(r->f, c[1], x, 0), at);
   uint64_t v;
   assert_int_equal(get(r->f, c[0], I915_CONTEXT_PARAM_VM, &v), 0);
   assert_int_not_equal(v, 0);
   ext.param.value = 999;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &a), -ENOENT);
   ext.param.value = vm.vm_id;
   ext.param.size = 8;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &a), -EINVAL);
   vm.flags = 1;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_VM_CREATE, &vm), -EINVAL);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_VM_DESTROY, &vm), -EINVAL);
   vm.flags = 0;
   vm.extensions = 8;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_VM_DESTROY, &vm), -EINVAL);
   vm.extensions = 0;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_VM_DESTROY, &vm), 0);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_VM_DESTROY, &vm), -ENOENT);
}

static uint32_t
register_in(struct drm_file *f, uint32_t ctx, uint32_t load)
{
   uint32_t target = new_object(f, 4096);
   struct store s;
   store_begin(f, &s, target, 0, 0, I915_EXEC_RENDER);
   s.exec.rsvd1 = ctx;
   uint32_t n = 0;
   if (load) {
      s.map[n++] = 0x11000001;
      s.map[n++] = 0x2500;
      s.map[n++] = load;
   }
   s.map[n++] = 0x12000001;
   s.map[n++] = 0x2500;
   s.reloc.offset = 4 * n;
   s.map[n++] = 0;
   s.map[n++] = BATCH_END;
   s.map[n++] = 0;
   s.exec.batch_len = (4 * n + 7) & ~7u;
   assert_int_equal(io(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
   assert_int_equal(wait_object(f, target, -1), 0);
   uint32_t *p = map_object(f, target, 4096);
   store_done(f, &s);
   return *p;
}

/* DRM-065: a register of the context image keeps its value in its own context and shows in no
 * other, a new one included. */
static void
isolation(void **state)
{
   proves("DRM-065");
   struct rig *r = *state;
   uint32_t a = new_context(r->f), b = new_context(r->f);
   assert_int_equal(register_in(r->f, a, 111), 111);
   assert_int_equal(register_in(r->f, b, 0), 0);
   assert_int_equal(register_in(r->f, b, 222), 222);
   assert_int_equal(register_in(r->f, a, 0), 111);
   assert_int_equal(register_in(r->f, b, 0), 222);
   assert_int_equal(register_in(r->f, new_context(r->f), 0), 0);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
   const struct CMUnitTest tests[] = {
       T(life),           T(parameters),         T(engine_map),
       T(own_addresses),  T(shared_vm),          T(isolation),
       T(settled_by_use), T(image_until_switch), T(refused_leave_nothing)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
