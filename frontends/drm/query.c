/* DRM_I915_QUERY. */
#include "kernel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <i915_drm.h>

/* The protocol of every item: length 0 asks for the size, a wrong length is refused. Returns the
 * length to report or a negative errno. */
static int
give(const struct drm_i915_query_item *item, const void *answer, size_t size, size_t header)
{
   if (!item->length)
      return (int)size;
   if ((uint32_t)item->length < size) /* unsigned, as the kernel compares */
      return -EINVAL;
   /* What the client passes in the header must be zero: it may mean something one day. */
   uint8_t in[64];
   if (header > sizeof(in) || copy_in(in, item->data_ptr, header))
      return -EFAULT;
   for (size_t i = 0; i < header; i++)
      if (in[i])
         return -EINVAL;
   return copy_out(item->data_ptr, answer, size) ? -EFAULT : (int)size;
}

static int
engine_info(const struct drm_i915_query_item *item)
{
   static const uint16_t class[ENGINES] = {I915_ENGINE_CLASS_RENDER, I915_ENGINE_CLASS_COPY,
                                           I915_ENGINE_CLASS_VIDEO};
   _Alignas(8) uint8_t answer[sizeof(struct drm_i915_query_engine_info) +
                              ENGINES * sizeof(struct drm_i915_engine_info)] = {0};
   struct drm_i915_query_engine_info *info = (struct drm_i915_query_engine_info *)answer;
   if (item->flags)
      return -EINVAL;
   info->num_engines = ENGINES;
   for (int i = 0; i < ENGINES; i++) {
      info->engines[i].engine.engine_class = class[i];
      info->engines[i].flags = I915_ENGINE_INFO_HAS_LOGICAL_INSTANCE;
   }
   return give(item, answer, sizeof(answer), sizeof(*info));
}

static int
memory_regions(struct kernel *k, const struct drm_i915_query_item *item)
{
   _Alignas(8) uint8_t answer[sizeof(struct drm_i915_query_memory_regions) +
                              sizeof(struct drm_i915_memory_region_info)] = {0};
   struct drm_i915_query_memory_regions *info = (struct drm_i915_query_memory_regions *)answer;
   if (item->flags)
      return -EINVAL;
   info->num_regions = 1;
   info->regions[0].region.memory_class = I915_MEMORY_CLASS_SYSTEM;
   info->regions[0].probed_size = k->objects.size;
   info->regions[0].unallocated_size = k->objects.size;
   info->regions[0].probed_cpu_visible_size = k->objects.size;
   info->regions[0].unallocated_cpu_visible_size = info->regions[0].unallocated_size;
   return give(item, answer, sizeof(answer), sizeof(*info));
}

/* DRM-045 */
static int
answer_item(struct kernel *k, const struct drm_i915_query_item *item)
{
   switch (item->query_id) {
   case DRM_I915_QUERY_ENGINE_INFO:
      return engine_info(item);
   case DRM_I915_QUERY_MEMORY_REGIONS:
      return memory_regions(k, item);
   case DRM_I915_QUERY_TOPOLOGY_INFO: /* no topology before Haswell */
   case DRM_I915_QUERY_PERF_CONFIG:   /* no performance streams on this part */
   case DRM_I915_QUERY_HWCONFIG_BLOB: /* no GuC */
   case DRM_I915_QUERY_GEOMETRY_SUBSLICES:
      return item->query_id == DRM_I915_QUERY_TOPOLOGY_INFO && item->flags ? -EINVAL : -ENODEV;
   default:
      return -EINVAL;
   }
}

/* DRM-045 */
IOCTL_HANDLER(ioctl_query)
{
   struct drm_i915_query *a = data;
   if (a->flags)
      return -EINVAL;
   for (uint32_t i = 0; i < a->num_items; i++) {
      struct drm_i915_query_item item;
      uint64_t at = a->items_ptr + (uint64_t)i * sizeof(item);
      if (copy_in(&item, at, sizeof(item)))
         return -EFAULT;
      if (!item.query_id)
         return -EINVAL;
      int32_t length = answer_item(f->k, &item);
      /* An error of one item is its length; the ioctl goes on. */
      if (length != item.length &&
          copy_out(at + offsetof(struct drm_i915_query_item, length), &length, sizeof(length)))
         return -EFAULT;
   }
   return 0;
}
