/* EXECBUFFER2: validation, placement, relocation, fences. */
#include "exec.h"

#include "dump.h"
#include "gen7_hw.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include <i915_drm.h>

#define MAX_OBJECTS (1u << 20)
#define MAX_FENCES (1u << 16)

/* DRM-012 */
static int
check_arguments(const struct drm_i915_gem_execbuffer2 *a)
{
   if (a->flags & (uint64_t)(__I915_EXEC_UNKNOWN_FLAGS | I915_EXEC_CONSTANTS_MASK |
                             I915_EXEC_RESOURCE_STREAMER))
      return -EINVAL;
   if (!(a->flags & (I915_EXEC_FENCE_ARRAY | I915_EXEC_USE_EXTENSIONS)) &&
       (a->num_cliprects || a->cliprects_ptr))
      return -EINVAL;
   if (a->DR1 || (a->DR4 && a->DR4 != 0xffffffff))
      return -EINVAL;
   if ((a->batch_start_offset | a->batch_len) & 7)
      return -EINVAL;
   if (!a->buffer_count || a->buffer_count > INT32_MAX / sizeof(struct drm_i915_gem_exec_object2))
      return -EINVAL;
   if (a->flags & I915_EXEC_SECURE)
      return -EPERM; /* for the master of the display, who is also root */
   return 0;
}

/* DRM-012 */
static int
select_context(struct exec *x)
{
   x->ctx = context_lookup(x->f, (uint32_t)(x->a->rsvd1 & I915_EXEC_CONTEXT_ID_MASK));
   if (!x->ctx)
      return -ENOENT;
   context_ref(x->ctx);
   return 0;
}

/* DRM-001, DRM-002, DRM-062 */
static int
select_engine(struct exec *x)
{
   uint32_t ring = x->a->flags & I915_EXEC_RING_MASK;
   if (x->ctx->has_engines) {
      if (ring >= x->ctx->engine_count || x->ctx->engine[ring] < 0)
         return -EINVAL;
      x->engine = x->ctx->engine[ring];
      return 0;
   }
   if (ring != I915_EXEC_BSD && (x->a->flags & I915_EXEC_BSD_MASK))
      return -EINVAL;
   switch (ring) {
   case I915_EXEC_DEFAULT:
   case I915_EXEC_RENDER:
      x->engine = KERNEL_RCS;
      return 0;
   case I915_EXEC_BSD:
      x->engine = KERNEL_VCS;
      return 0;
   case I915_EXEC_BLT:
      x->engine = KERNEL_BCS;
      return 0;
   default:
      return -EINVAL; /* no video enhancement before Haswell */
   }
}

/* DRM-011, DRM-013 */
static int
check_object(const struct drm_i915_gem_exec_object2 *o)
{
   if (o->flags & (uint64_t)__EXEC_OBJECT_UNKNOWN_FLAGS)
      return -EINVAL;
   if (o->alignment & (o->alignment - 1))
      return -EINVAL;
   uint64_t align = o->alignment > PAGE ? o->alignment : PAGE;
   if ((o->flags & EXEC_OBJECT_PINNED) && (o->offset & (align - 1)))
      return -EINVAL;
   if ((o->flags & EXEC_OBJECT_PAD_TO_SIZE) && (o->pad_to_size & (PAGE - 1)))
      return -EINVAL;
   return 0;
}

/* DRM-013 */
static int
lookup_objects(struct exec *x)
{
   for (uint32_t i = 0; i < x->count; i++) {
      struct gem_object *o = gem_lookup(x->f, x->list[i].handle);
      if (!o)
         return -ENOENT;
      int ret = check_object(&x->list[i]);
      if (ret)
         return ret;
      x->r->object[x->r->objects++] = gem_ref(o);
      if (!(x->list[i].flags & EXEC_OBJECT_CAPTURE))
         continue;
      if (!x->r->capture && !(x->r->capture = calloc(x->count, sizeof(x->r->capture[0]))))
         return -ENOMEM;
      x->r->capture[i] = true;
   }
   return 0;
}

static int
compare_objects(const void *a, const void *b)
{
   uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;
   return x < y ? -1 : x > y;
}

/* DRM-013 */
static int
check_duplicates(struct exec *x)
{
   uintptr_t *sorted = malloc(x->count * sizeof(*sorted));
   if (!sorted)
      return -ENOMEM;
   for (uint32_t i = 0; i < x->count; i++)
      sorted[i] = (uintptr_t)x->r->object[i];
   qsort(sorted, x->count, sizeof(*sorted), compare_objects);
   int ret = 0;
   for (uint32_t i = 1; i < x->count; i++)
      if (sorted[i] == sorted[i - 1])
         ret = -EINVAL;
   free(sorted);
   return ret;
}

/* DRM-009, DRM-012, DRM-013 */
static int
check_batch(struct exec *x)
{
   const struct drm_i915_gem_exec_object2 *e = &x->list[x->batch];
   uint64_t size = x->r->object[x->batch]->size, start = x->a->batch_start_offset;
   if (e->flags & EXEC_OBJECT_WRITE)
      return -EINVAL; /* a batch that is its own target */
   if (start > size || x->a->batch_len > size - start)
      return -EINVAL;
   x->r->batch = x->batch;
   x->batch_len = x->a->batch_len ? x->a->batch_len : size - start;
   if (!x->batch_len || x->batch_len > UINT32_MAX)
      return -EINVAL;
   return 0;
}

/* Does the present binding serve? (DRM-006, DRM-007) */
static bool
misplaced(const struct vma *v, const struct drm_i915_gem_exec_object2 *e)
{
   if (e->flags & EXEC_OBJECT_PINNED)
      return v->address != e->offset;
   if (e->alignment && v->address & (e->alignment - 1))
      return true;
   if ((e->flags & EXEC_OBJECT_PAD_TO_SIZE) && v->size < e->pad_to_size)
      return true;
   return false;
}

/* DRM-010, DRM-011, DRM-015 */
static int
bind_object(struct exec *x, uint32_t i)
{
   struct drm_i915_gem_exec_object2 *e = &x->list[i];
   struct gem_object *o = x->r->object[i];
   bool pinned = e->flags & EXEC_OBJECT_PINNED;
   uint64_t pad = e->flags & EXEC_OBJECT_PAD_TO_SIZE ? e->pad_to_size : 0;
   int ret = o->arena ? (o->pages ? 0 : gem_need_pages(o)) : userptr_bind(o);
   if (ret)
      return ret;
   struct vma *v;
again:
   v = vm_find(x->ctx->vm, o);
   if (v && misplaced(v, e)) {
      gem_settle(o, false);
      v = vm_find(x->ctx->vm, o);
      if (v && v->pins)
         return -EAGAIN; /* another thread is submitting it just now */
      if (v)
         vm_unbind(v);
      v = NULL;
   }
   if (!v) {
      /* Where the client believes it to be is the best place, if it is free. */
      ret = -ENOSPC;
      uint64_t want = e->offset & ~(PAGE - 1);
      if (pinned)
         ret = vm_bind(x->ctx->vm, o, pad, e->alignment, true, e->offset, &v);
      else if (want && want == e->offset && !(e->alignment && want & (e->alignment - 1)))
         ret = vm_bind(x->ctx->vm, o, pad, e->alignment, true, want, &v);
      if (ret && !pinned)
         ret = vm_bind(x->ctx->vm, o, pad, e->alignment, false, 0, &v);
      if (ret == -EBUSY) {
         kernel_wait(x->k, -1);
         goto again; /* another thread may have bound it meanwhile */
      }
      if (ret)
         return ret;
   }
   if (e->offset != v->address) {
      e->offset = v->address;
      x->relocate = true;
   }
   v->pins++;
   x->vma[i] = v;
   return 0;
}

/* Objects with a place of their own first: the others take what is left. */
static int
bind_objects(struct exec *x)
{
   for (int pass = 0; pass < 2; pass++)
      for (uint32_t i = 0; i < x->count; i++) {
         bool pinned = x->list[i].flags & EXEC_OBJECT_PINNED;
         if (pinned != !pass)
            continue;
         int ret = bind_object(x, i);
         if (ret)
            return ret;
      }
   return 0;
}

/* DRM-053 */
static int
read_fence(struct exec *x, uint64_t user, uint64_t point)
{
   struct drm_i915_gem_exec_fence e;
   if (copy_in(&e, user, sizeof(e)))
      return -EFAULT;
   if (e.flags & (uint32_t)__I915_EXEC_FENCE_UNKNOWN_FLAGS)
      return -EINVAL;
   struct syncobj *s = syncobj_lookup(x->f, e.handle);
   if (!s)
      return -ENOENT;
   x->fence[x->fences++] = (struct exec_fence){syncobj_ref(s), point, e.flags};
   if ((e.flags & I915_EXEC_FENCE_WAIT) && !syncobj_fence(s, point))
      return -EINVAL; /* nothing to wait for has been given yet */
   return 0;
}

/* DRM-053 */
static int
read_fences(struct exec *x, uint64_t handles, uint64_t values, uint64_t n)
{
   if (n > MAX_FENCES)
      return n > UINT32_MAX ? -EINVAL : -ENOMEM;
   x->fence = calloc(n ? n : 1, sizeof(x->fence[0]));
   if (!x->fence)
      return -ENOMEM;
   for (uint64_t i = 0; i < n; i++) {
      uint64_t point = 0;
      if (values && copy_in(&point, values + i * 8, 8))
         return -EFAULT;
      int ret = read_fence(x, handles + i * sizeof(struct drm_i915_gem_exec_fence), point);
      if (ret)
         return ret;
   }
   return 0;
}

/* DRM-054 */
static int
read_extensions(struct exec *x)
{
   if (x->a->num_cliprects || x->a->flags & I915_EXEC_FENCE_ARRAY)
      return -EINVAL;
   uint64_t user = x->a->cliprects_ptr;
   for (unsigned n = 0; user; n++) {
      struct drm_i915_gem_execbuffer_ext_timeline_fences e;
      int ret = read_extension(&e.base, user, n);
      if (ret)
         return ret;
      if (e.base.name != DRM_I915_GEM_EXECBUFFER_EXT_TIMELINE_FENCES || x->fence)
         return -EINVAL;
      if (copy_in(&e, user, sizeof(e)))
         return -EFAULT;
      ret = read_fences(x, e.handles_ptr, e.values_ptr, e.fence_count);
      if (ret)
         return ret;
      user = e.base.next_extension;
   }
   return 0;
}

/* DRM-055 */
static int
sync_file_in(struct exec *x)
{
   if (!(x->a->flags & (I915_EXEC_FENCE_IN | I915_EXEC_FENCE_SUBMIT)))
      return 0;
   if ((x->a->flags & I915_EXEC_FENCE_IN) && (x->a->flags & I915_EXEC_FENCE_SUBMIT))
      return -EINVAL;
   struct fd_entry e = fd_find(x->k, (int)(x->a->rsvd2 & 0xffffffffu));
   if (e.kind != FD_SYNC_FILE)
      return -EINVAL;
   /* A submit fence asks for simultaneous start; after completion is a legal moment too. */
   x->in = fence_ref(((struct sync_file *)e.what)->fence);
   return 0;
}

/* Who must be finished before this may run. (DRM-016, DRM-053) */
static int
gather_dependencies(struct exec *x)
{
   int ret = request_depend(x->r, x->ctx->last[x->engine]);
   if (!ret)
      ret = request_depend(x->r, x->in);
   for (unsigned i = 0; i < x->fences && !ret; i++)
      if (x->fence[i].flags & I915_EXEC_FENCE_WAIT)
         ret = request_depend(x->r, syncobj_fence(x->fence[i].obj, x->fence[i].point));
   for (uint32_t i = 0; i < x->count && !ret; i++) {
      struct gem_object *o = x->r->object[i];
      if (x->list[i].flags & EXEC_OBJECT_ASYNC)
         continue;
      bool write = x->list[i].flags & EXEC_OBJECT_WRITE;
      gem_busy(o, false);
      for (unsigned j = 0; j < o->actives && !ret; j++)
         if (write || o->active[j].write)
            ret = request_depend(x->r, o->active[j].fence);
   }
   return ret;
}

/* The lock may have been dropped since they were bound, and other memory on their pages given back.
 */
static int
bind_users_again(struct exec *x)
{
   int ret = 0;
   for (uint32_t i = 0; i < x->count && !ret; i++) {
      struct gem_object *o = x->r->object[i];
      if (!o->arena && !o->user_bound)
         ret = userptr_bind(o);
   }
   return ret;
}

static const void *
batch_host(struct exec *x)
{
   struct gem_object *o = x->r->object[x->batch];
   return o->host + x->a->batch_start_offset;
}

/* Something may be free after that. False: there is nothing to wait for. */
static bool
wait_for_others(struct exec *x)
{
   if (x->k->wedged || !requests_outstanding(x->k))
      return false;
   kernel_wait(x->k, -1);
   return true;
}

/* A private copy, checked and then run with privileges from the GGTT; behind it the entry that runs
 * without them. (DRM-003, DRM-004, DRM-005, DRM-019) */
static int
make_shadow(struct exec *x, uint32_t batch_address)
{
   struct request *r = x->r;
   uint32_t len = (uint32_t)x->batch_len;
   uint64_t size = (len + 8ull + PAGE - 1) & ~(PAGE - 1);
   int ret = 0;
   if (!shadow_take_spare(r, size))
      do
         ret = gem_create(x->k, size, &r->shadow);
      while (ret && wait_for_others(x));
   if (!ret)
      ret = bind_users_again(x); /* the batch may be the client's memory */
   if (ret)
      return ret;
   uint32_t *copy = (uint32_t *)r->shadow->host;
   memcpy(copy, batch_host(x), len);
   copy[len / 4] = GEN7_MI_BATCH_BUFFER_END_HEADER;
   ret = parser_check(x->engine, copy, len / 4);
   if (ret == -EACCES) {
      copy[0] = GEN7_MI_BATCH_BUFFER_END_HEADER;
      gen7_mi_batch_buffer_start_pack(
          copy + len / 4,
          &(struct hw_mi_batch_buffer_start){.address_space_indicator = true, /* no privileges */
                                             .buffer_start_address = batch_address});
      ret = 0;
   }
   if (ret)
      return ret;
   struct vma *v;
   do
      ret = vm_bind(r->vm, r->shadow, 0, 0, false, 0, &v);
   while (ret == -EBUSY && wait_for_others(x));
   if (ret)
      return ret;
   while (!r->shadow_ggtt) {
      ret = ggtt_bind(x->k, r->shadow->physical, size, &r->shadow_ggtt);
      if (ret && (ret != -ENOSPC || !wait_for_others(x)))
         return ret;
   }
   r->first = (uint32_t)r->shadow_ggtt;
   r->first_secure = true;
   r->second = (uint32_t)v->address + len;
   r->has_second = true;
   return 0;
}

static int
prepare_batch(struct exec *x)
{
   uint32_t address = (uint32_t)(x->vma[x->batch]->address + x->a->batch_start_offset);
   x->r->first = address;
   x->r->batch_offset = (uint32_t)x->a->batch_start_offset;
   x->r->sol_reset = x->a->flags & I915_EXEC_GEN7_SOL_RESET;
   if (x->r->sol_reset && x->engine != KERNEL_RCS)
      return -EINVAL;
   /* The parser wants to know how long the batch is. */
   return x->a->batch_len ? make_shadow(x, address) : 0;
}

/* DRM-055 */
static int
make_out_fence(struct exec *x)
{
   if (!(x->a->flags & I915_EXEC_FENCE_OUT))
      return 0;
   x->out = sync_file_create(x->k, x->r->fence, &x->out_fd);
   return x->out ? 0 : -EMFILE;
}

static int
commit(struct exec *x)
{
   struct request *r = x->r;
   /* Not before: of two threads the one that began first may have waited, and comes here second. */
   r->fence->seqno = ++x->k->queued;
   int ret = make_out_fence(x);
   for (uint32_t i = 0; i < x->count && !ret; i++)
      ret = gem_mark_active(r->object[i], r->fence, x->list[i].flags & EXEC_OBJECT_WRITE);
   if (!ret && r->shadow)
      ret = gem_mark_active(r->shadow, r->fence, false);
   if (ret) {
      fence_signal(r->fence, ret); /* what has been marked must not wait for ever */
      return ret;
   }
   for (unsigned i = 0; i < x->fences; i++)
      if (x->fence[i].flags & I915_EXEC_FENCE_SIGNAL)
         syncobj_set(x->fence[i].obj, x->fence[i].point, r->fence);
   fence_unref(x->ctx->last[x->engine]);
   x->ctx->last[x->engine] = fence_ref(r->fence);
   kreport_batch(x->k, r, batch_host(x), (uint32_t)x->batch_len);
   x->r = NULL;
   if (dump_wanted(x->k))
      x->queued = fence_ref(r->fence);
   request_queue(x->k, r);
   kernel_wake(x->k); /* someone may wait for a submission */
   return 0;
}

/* DRM-006 */
static int
write_back(struct exec *x)
{
   if (!x->relocate)
      return 0; /* all of them are where the client believes them to be */
   for (uint32_t i = 0; i < x->count; i++) {
      uint64_t at = x->a->buffers_ptr + (uint64_t)i * sizeof(x->list[0]) +
                    offsetof(struct drm_i915_gem_exec_object2, offset);
      if (copy_out(at, &x->list[i].offset, 8))
         return -EFAULT;
   }
   return 0;
}

static int
run_steps(struct exec *x)
{
   int (*const step[])(struct exec *) = {
       select_context,
       select_engine,
       sync_file_in,
   };
   for (size_t i = 0; i < sizeof(step) / sizeof(step[0]); i++) {
      int ret = step[i](x);
      if (ret)
         return ret;
   }
   int ret = 0;
   if (x->a->flags & I915_EXEC_USE_EXTENSIONS)
      ret = read_extensions(x);
   else if (x->a->flags & I915_EXEC_FENCE_ARRAY)
      ret = read_fences(x, x->a->cliprects_ptr, 0, x->a->num_cliprects);
   if (ret)
      return ret;
   if (x->ctx->banned >> x->engine & 1)
      return -EIO;
   do
      x->r = request_create(x->k, x->ctx, x->engine);
   while (!x->r && wait_for_others(x));
   if (!x->r || !(x->r->object = calloc(x->count, sizeof(x->r->object[0]))))
      return -ENOMEM;
   int (*const later[])(struct exec *) = {
       lookup_objects, check_duplicates, check_batch,         bind_objects, exec_relocate,
       prepare_batch,  bind_users_again, gather_dependencies, commit,
   };
   for (size_t i = 0; i < sizeof(later) / sizeof(later[0]); i++) {
      ret = later[i](x);
      if (ret)
         return ret;
   }
   return write_back(x);
}

static void
store_views(struct exec *x)
{
   /* What was written through a fenced map belongs to memory before the GPU looks. */
   for (struct gem_object *o = x->k->views ? x->k->all : NULL; o; o = o->next)
      if (o->views)
         view_store(o);
}

IOCTL_HANDLER(ioctl_gem_execbuffer2)
{
   struct drm_i915_gem_execbuffer2 *a = data;
   int ret = check_arguments(a);
   if (ret)
      return ret;
   if (f->k->wedged || f->k->stopped)
      return -EIO;
   if (a->buffer_count > MAX_OBJECTS)
      return -ENOMEM;
   if (dump_wanted(f->k))
      dump_settle(f->k);
   struct exec x = {.f = f, .k = f->k, .a = a, .count = a->buffer_count, .out_fd = -1};
   x.batch = a->flags & I915_EXEC_BATCH_FIRST ? 0 : x.count - 1;
   x.list = calloc(x.count, sizeof(x.list[0]));
   x.vma = calloc(x.count, sizeof(x.vma[0]));
   if (!x.list || !x.vma)
      ret = -ENOMEM;
   else if (copy_in(x.list, a->buffers_ptr, x.count * sizeof(x.list[0])))
      ret = -EFAULT;
   if (!ret) {
      store_views(&x);
      ret = run_steps(&x);
   }
   for (unsigned i = 0; i < x.fences; i++)
      syncobj_unref(x.fence[i].obj);
   free(x.fence);
   fence_unref(x.in);
   for (uint32_t i = 0; x.vma && i < x.count; i++)
      if (x.vma[i])
         x.vma[i]->pins--;
   if (x.r)
      request_free(x.r);
   if (x.out && ret) {
      fd_forget(f->k, x.out_fd);
      sys_close(x.out_fd);
   } else if (x.out) {
      a->rsvd2 = (a->rsvd2 & 0xffffffffu) | (uint64_t)(uint32_t)x.out_fd << 32;
   }
   context_unref(x.ctx);
   free(x.list);
   free(x.vma);
   if (x.queued)
      dump_wait(f->k, x.queued);
   return ret;
}
