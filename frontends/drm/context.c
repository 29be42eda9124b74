/* Contexts and address spaces as the client names them. */
#include "kernel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <i915_drm.h>

struct context *
context_create(struct kernel *k, struct vm *vm)
{
   struct context *c = calloc(1, sizeof(*c));
   if (!c)
      return NULL;
   *c = (struct context){
       .refs = 1, .k = k, .bannable = true, .recoverable = true, .persistent = true};
   c->timeline = k->timelines + 1;
   k->timelines += ENGINES;
   void *host;
   c->vm = vm ? vm_ref(vm) : vm_create(k); /* DRM-063 */
   if (!c->vm || arena_take(&k->memory, CONTEXT_IMAGE_SIZE, &c->image_physical, &host))
      goto fail;
   if (ggtt_bind(k, c->image_physical, CONTEXT_IMAGE_SIZE, &c->image_ggtt)) {
      arena_give(&k->memory, c->image_physical, CONTEXT_IMAGE_SIZE);
      goto fail;
   }
   if (k->default_image)
      memcpy(host, k->default_image, CONTEXT_IMAGE_SIZE);
   return c;
fail:
   vm_unref(c->vm);
   free(c);
   return NULL;
}

struct context *
context_ref(struct context *c)
{
   c->refs++;
   return c;
}

void
context_finish(struct context *c)
{
   struct kernel *k = c->k;
   for (int i = 0; i < ENGINES; i++)
      fence_unref(c->last[i]);
   ggtt_unbind(k, c->image_ggtt, CONTEXT_IMAGE_SIZE);
   arena_give(&k->memory, c->image_physical, CONTEXT_IMAGE_SIZE);
   vm_unref(c->vm);
   free(c);
}

void
context_unref(struct context *c)
{
   if (!c || --c->refs)
      return;
   struct kernel *k = c->k;
   struct engine *e = &k->engine[KERNEL_RCS];
   if (e->current != c) {
      context_finish(c);
      return;
   }
   /* The engine writes this image at its next switch: switch to the kernel's own context, and free
    * the image when that is done. */
   e->current = NULL;
   if (!k->kernel_context || c == k->kernel_context) {
      context_finish(c);
      return;
   }
   struct request *r = request_create(k, k->kernel_context, KERNEL_RCS);
   if (!r)
      return; /* no memory: the image stays */
   r->zombie = c;
   request_queue(k, r);
}

void
context_close(struct context *c)
{
   if (!c)
      return;
   c->file = NULL;
   context_unref(c);
}

/* DRM-060 */
struct context *
context_lookup(struct drm_file *f, uint32_t id)
{
   struct context *c = id_find(&f->contexts, id);
   if (c)
      c->used = true;
   return c;
}

/* DRM-062: of a slot of the map; -1: it is empty. */
static int
engine_of(const struct i915_engine_class_instance *e)
{
   if (e->engine_class == (uint16_t)I915_ENGINE_CLASS_INVALID &&
       e->engine_instance == (uint16_t)I915_ENGINE_CLASS_INVALID_NONE)
      return -1;
   if (e->engine_instance)
      return -ENOENT;
   switch (e->engine_class) {
   case I915_ENGINE_CLASS_RENDER:
      return KERNEL_RCS;
   case I915_ENGINE_CLASS_VIDEO:
      return KERNEL_VCS;
   case I915_ENGINE_CLASS_COPY:
      return KERNEL_BCS;
   default:
      return -ENOENT;
   }
}

/* DRM-062, DRM-104 */
static int
set_engines(struct context *c, const struct drm_i915_gem_context_param *p)
{
   struct i915_context_param_engines head;
   if (c->has_engines)
      return -EINVAL; /* once only */
   if (p->size < sizeof(head) ||
       (p->size - sizeof(head)) % sizeof(struct i915_engine_class_instance))
      return -EINVAL;
   size_t n = (p->size - sizeof(head)) / sizeof(struct i915_engine_class_instance);
   if (n > CONTEXT_MAX_ENGINES)
      return -EINVAL;
   if (copy_in(&head, p->value, sizeof(head)))
      return -EFAULT;
   int8_t engine[CONTEXT_MAX_ENGINES];
   for (size_t i = 0; i < n; i++) {
      struct i915_engine_class_instance e;
      if (copy_in(&e, p->value + sizeof(head) + i * sizeof(e), sizeof(e)))
         return -EFAULT;
      int which = engine_of(&e);
      if (which == -ENOENT)
         return which;
      engine[i] = (int8_t)which;
   }
   /* Balancing and bonding need more than one engine of a class. */
   int ret = no_extensions(head.extensions);
   if (ret)
      return ret;
   memcpy(c->engine, engine, n);
   c->engine_count = (unsigned)n;
   c->has_engines = true;
   return 0;
}

/* DRM-064, DRM-104 */
static int
set_vm(struct drm_file *f, struct context *c, const struct drm_i915_gem_context_param *p)
{
   if (p->size)
      return -EINVAL;
   struct vm *vm = p->value <= UINT32_MAX ? id_find(&f->vms, (uint32_t)p->value) : NULL;
   if (!vm)
      return -ENOENT;
   vm_ref(vm);
   vm_unref(c->vm);
   c->vm = vm;
   return 0;
}

/* DRM-061 */
static int
set_flag(const struct drm_i915_gem_context_param *p, bool *flag)
{
   if (p->size)
      return -EINVAL;
   *flag = p->value != 0;
   return 0;
}

/* DRM-061, DRM-072 */
static int
set_bannable(struct context *c, const struct drm_i915_gem_context_param *p)
{
   if (!p->size && !p->value && !capable())
      return -EPERM;
   return set_flag(p, &c->bannable);
}

/* DRM-061, DRM-104 */
static int
set_param(struct drm_file *f, struct context *c, const struct drm_i915_gem_context_param *p)
{
   switch (p->param) {
   case I915_CONTEXT_PARAM_NO_ERROR_CAPTURE:
      return set_flag(p, &c->no_error_capture);
   case I915_CONTEXT_PARAM_BANNABLE:
      return set_bannable(c, p);
   case I915_CONTEXT_PARAM_RECOVERABLE:
      return set_flag(p, &c->recoverable);
   case I915_CONTEXT_PARAM_PERSISTENCE: {
      bool v = true;
      int ret = set_flag(p, &v);
      if (ret)
         return ret;
      if (!v)
         return -ENODEV; /* needs an engine that can be preempted */
      c->persistent = true;
      return 0;
   }
   case I915_CONTEXT_PARAM_PRIORITY:
      return p->size ? -EINVAL : -ENODEV; /* one ring per engine and no scheduler */
   case I915_CONTEXT_PARAM_SSEU:
      return p->size < sizeof(struct drm_i915_gem_context_param_sseu) ? -EINVAL : -ENODEV;
   case I915_CONTEXT_PARAM_PROTECTED_CONTENT:
      return c->used || p->size ? -EINVAL : p->value ? -ENODEV : 0; /* no such hardware */
   case I915_CONTEXT_PARAM_VM:
      return c->used ? -EINVAL : set_vm(f, c, p);
   case I915_CONTEXT_PARAM_ENGINES:
      return c->used ? -EINVAL : set_engines(c, p);
   default:
      return -EINVAL;
   }
}

static int
apply_extensions(struct drm_file *f, struct context *c, uint64_t user)
{
   for (unsigned n = 0; user; n++) {
      struct drm_i915_gem_context_create_ext_setparam e;
      int ret = read_extension(&e.base, user, n);
      if (ret)
         return ret;
      if (e.base.name != I915_CONTEXT_CREATE_EXT_SETPARAM)
         return -EINVAL;
      if (copy_in(&e, user, sizeof(e)))
         return -EFAULT;
      if (e.param.ctx_id)
         return -EINVAL;
      ret = set_param(f, c, &e.param);
      if (ret)
         return ret;
      user = e.base.next_extension;
   }
   return 0;
}

/* DRM-060 */
IOCTL_HANDLER(ioctl_context_create)
{
   struct drm_i915_gem_context_create_ext *a = data;
   if (a->flags & I915_CONTEXT_CREATE_FLAGS_UNKNOWN)
      return -EINVAL;
   if (a->flags & I915_CONTEXT_CREATE_FLAGS_SINGLE_TIMELINE)
      return -EINVAL; /* one order on all engines: not on rings, says the kernel */
   if (f->k->wedged || f->k->stopped || client_banned(f))
      return -EIO;
   struct context *c = context_create(f->k, NULL);
   if (!c)
      return -ENOMEM;
   int ret = 0;
   c->vm->owner = f;
   c->file = f;
   if (a->flags & I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS)
      ret = apply_extensions(f, c, a->extensions);
   if (!ret)
      ret = id_take(&f->contexts, c, 1, &a->ctx_id);
   if (ret)
      context_close(c);
   return ret;
}

/* DRM-060 */
IOCTL_HANDLER(ioctl_context_destroy)
{
   struct drm_i915_gem_context_destroy *a = data;
   if (a->pad)
      return -EINVAL;
   if (!a->ctx_id)
      return -ENOENT;
   struct context *c = id_drop(&f->contexts, a->ctx_id);
   if (!c)
      return -ENOENT;
   context_close(c);
   return 0;
}

IOCTL_HANDLER(ioctl_context_getparam)
{
   struct drm_i915_gem_context_param *a = data;
   struct context *c = context_lookup(f, a->ctx_id);
   if (!c)
      return -ENOENT;
   uint32_t size = a->size;
   a->size = 0;
   switch (a->param) {
   case I915_CONTEXT_PARAM_GTT_SIZE:
      a->value = VM_SIZE;
      return 0;
   case I915_CONTEXT_PARAM_NO_ERROR_CAPTURE:
      a->value = c->no_error_capture;
      return 0;
   case I915_CONTEXT_PARAM_BANNABLE:
      a->value = c->bannable;
      return 0;
   case I915_CONTEXT_PARAM_RECOVERABLE:
      a->value = c->recoverable;
      return 0;
   case I915_CONTEXT_PARAM_PERSISTENCE:
      a->value = c->persistent;
      return 0;
   case I915_CONTEXT_PARAM_PROTECTED_CONTENT:
      a->value = 0;
      return 0;
   case I915_CONTEXT_PARAM_PRIORITY:
      a->value = (uint64_t)(int64_t)c->priority;
      return 0;
   case I915_CONTEXT_PARAM_SSEU:
      return size && size < sizeof(struct drm_i915_gem_context_param_sseu) ? -EINVAL : -ENODEV;
   case I915_CONTEXT_PARAM_VM: {
      uint32_t id;
      int ret = id_take(&f->vms, c->vm, 1, &id);
      if (ret)
         return ret;
      vm_ref(c->vm);
      a->value = id;
      return 0;
   }
   default:
      return -EINVAL;
   }
}

IOCTL_HANDLER(ioctl_context_setparam)
{
   struct drm_i915_gem_context_param *a = data;
   struct context *c = id_find(&f->contexts, a->ctx_id);
   return c ? set_param(f, c, a) : -ENOENT;
}

/* DRM-064 */
IOCTL_HANDLER(ioctl_vm_create)
{
   struct drm_i915_gem_vm_control *a = data;
   if (a->flags)
      return -EINVAL;
   int ret = no_extensions(a->extensions);
   if (ret)
      return ret;
   struct vm *vm = vm_create(f->k);
   if (!vm)
      return -ENOMEM;
   vm->owner = f;
   ret = id_take(&f->vms, vm, 1, &a->vm_id);
   if (ret)
      vm_unref(vm);
   return ret;
}

/* DRM-064 */
IOCTL_HANDLER(ioctl_vm_destroy)
{
   struct drm_i915_gem_vm_control *a = data;
   if (a->flags || a->extensions)
      return -EINVAL;
   struct vm *vm = id_drop(&f->vms, a->vm_id);
   if (!vm)
      return -ENOENT;
   vm_unref(vm);
   return 0;
}

IOCTL_HANDLER(ioctl_get_reset_stats)
{
   struct drm_i915_reset_stats *a = data;
   if (a->flags || a->pad) /* DRM-074 */
      return -EINVAL;      /* DRM-074 */
   struct context *c = context_lookup(f, a->ctx_id);
   if (!c)
      return -ENOENT;                             /* DRM-074 */
   a->reset_count = capable() ? f->k->resets : 0; /* the global count is for the administrator */
   a->batch_active = c->batch_active;
   a->batch_pending = c->batch_pending;
   return 0;
}
