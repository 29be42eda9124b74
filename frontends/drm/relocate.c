/* Relocations: the addresses of objects, written into the objects that name them. */
#include "exec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK 512u /* read from the client at once */

struct named {
   uint32_t handle, index;
};

/* No handle is there twice: that has been refused before. */
static int
compare_named(const void *a, const void *b)
{
   uint32_t x = ((const struct named *)a)->handle, y = ((const struct named *)b)->handle;
   return x < y ? -1 : x > y;
}

/* DRM-008, DRM-014 */
static int
target_index(struct exec *x, uint32_t handle, uint32_t *index)
{
   if (x->a->flags & I915_EXEC_HANDLE_LUT) {
      *index = handle;
      return handle < x->count ? 0 : -ENOENT;
   }
   struct named wanted = {.handle = handle};
   const struct named *found = bsearch(&wanted, x->named, x->count, sizeof(wanted), compare_named);
   if (!found)
      return -ENOENT;
   *index = found->index;
   return 0;
}

/* Relocations name their targets by handle: a list to look them up in. */
static int
sort_names(struct exec *x)
{
   if (x->a->flags & I915_EXEC_HANDLE_LUT)
      return 0;
   x->named = malloc(x->count * sizeof(x->named[0]));
   if (!x->named)
      return -ENOMEM;
   for (uint32_t i = 0; i < x->count; i++)
      x->named[i] = (struct named){x->list[i].handle, i};
   qsort(x->named, x->count, sizeof(x->named[0]), compare_named);
   return 0;
}

/* DRM-014 */
static int
relocate_one(struct exec *x, uint32_t i, struct drm_i915_gem_relocation_entry *r, bool *changed)
{
   const uint32_t gpu = I915_GEM_DOMAIN_RENDER | I915_GEM_DOMAIN_SAMPLER | I915_GEM_DOMAIN_COMMAND |
                        I915_GEM_DOMAIN_INSTRUCTION | I915_GEM_DOMAIN_VERTEX;
   struct gem_object *o = x->r->object[i];
   uint32_t target;
   int ret = target_index(x, r->target_handle, &target);
   if (ret)
      return ret;
   if (r->write_domain & (r->write_domain - 1))
      return -EINVAL;
   if ((r->write_domain | r->read_domains) & ~gpu)
      return -EINVAL;
   if (r->write_domain)
      x->list[target].flags |= EXEC_OBJECT_WRITE;
   if (r->presumed_offset == x->vma[target]->address)
      return 0;
   if (r->offset > o->size - 4 || r->offset & 3)
      return -EINVAL;
   /* The GPU may still be reading what is about to change. */
   gem_settle(o, false);
   uint32_t value = (uint32_t)(x->vma[target]->address + r->delta);
   if (o->arena)
      memcpy(o->host + r->offset, &value, sizeof(value));
   else if (copy_out(o->user + r->offset, &value, sizeof(value)))
      return -EFAULT;
   r->presumed_offset = x->vma[target]->address;
   *changed = true;
   return 0;
}

/* DRM-014, DRM-109 */
static int
relocate_object(struct exec *x, uint32_t i)
{
   const struct drm_i915_gem_exec_object2 *e = &x->list[i];
   struct drm_i915_gem_relocation_entry chunk[CHUNK];
   for (uint64_t at = 0; at < e->relocation_count; at += CHUNK) {
      uint32_t n = e->relocation_count - at < CHUNK ? (uint32_t)(e->relocation_count - at) : CHUNK;
      uint64_t user = e->relocs_ptr + at * sizeof(chunk[0]);
      if (copy_in(chunk, user, n * sizeof(chunk[0])))
         return -EFAULT;
      bool changed = false;
      int ret = 0;
      for (uint32_t j = 0; j < n && !ret; j++)
         ret = relocate_one(x, i, &chunk[j], &changed);
      /* As in the kernel it is too late for an error if that memory cannot be written: the object
       * has changed already. */
      if (changed)
         copy_out(user, chunk, n * sizeof(chunk[0]));
      if (ret)
         return ret;
   }
   return 0;
}

/* DRM-006, DRM-007 */
int
exec_relocate(struct exec *x)
{
   if (!x->relocate && (x->a->flags & I915_EXEC_NO_RELOC))
      return 0;
   int ret = 0;
   for (uint32_t i = 0; i < x->count && !ret; i++) {
      if (!x->list[i].relocation_count)
         continue;
      if (!x->named)
         ret = sort_names(x);
      if (!ret)
         ret = relocate_object(x, i);
   }
   free(x->named);
   x->named = NULL;
   return ret;
}
