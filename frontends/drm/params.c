/* GETPARAM and the registers that a client may read. */
#include "kernel.h"

#include "gen7_hw.h"

#include <errno.h>

#include <i915_drm.h>

#define PARSER_VERSION 10

/* What an i915 of Linux 6.1 says about this part. (DRM-043) */
static int
param_value(struct kernel *k, int param, int *v)
{
   switch (param) {
   case I915_PARAM_CHIPSET_ID:
      *v = k->sku->pci_device_id;
      return 0;
   case I915_PARAM_REVISION:
      *v = k->sku->pci_revision;
      return 0;
   case I915_PARAM_NUM_FENCES_AVAIL:
      *v = 32;
      return 0;
   case I915_PARAM_HAS_LLC:
      *v = k->sku->has_llc;
      return 0;
   case I915_PARAM_HAS_ALIASING_PPGTT:
      *v = I915_GEM_PPGTT_FULL;
      return 0;
   case I915_PARAM_CMD_PARSER_VERSION:
      *v = PARSER_VERSION;
      return 0;
   case I915_PARAM_MMAP_VERSION:
      *v = 1;
      return 0;
   case I915_PARAM_MMAP_GTT_VERSION:
      *v = 4;
      return 0;
   case I915_PARAM_MMAP_GTT_COHERENT:
      *v = k->sku->has_llc;
      return 0;
   case I915_PARAM_PERF_REVISION:
      *v = 5;
      return 0;
   case I915_PARAM_CS_TIMESTAMP_FREQUENCY:
      *v = 12500000;
      return 0;
   case I915_PARAM_HAS_BSD:
      *v = k->sku->engines >> PERGOLA_VCS & 1;
      return 0;
   case I915_PARAM_HAS_BLT:
      *v = k->sku->engines >> PERGOLA_BCS & 1;
      return 0;
   case I915_PARAM_HAS_CONTEXT_ISOLATION: /* where a new context begins with a known state */
      *v = 1 << I915_ENGINE_CLASS_RENDER;
      return 0;
   case I915_PARAM_HAS_GPU_RESET:
      *v = 2; /* engines one at a time */
      return 0;
   case I915_PARAM_HAS_GEM:
   case I915_PARAM_HAS_EXECBUF2:
   case I915_PARAM_HAS_PAGEFLIPPING:
   case I915_PARAM_HAS_RELAXED_FENCING:
   case I915_PARAM_HAS_COHERENT_RINGS:
   case I915_PARAM_HAS_RELAXED_DELTA:
   case I915_PARAM_HAS_GEN7_SOL_RESET:
   case I915_PARAM_HAS_WAIT_TIMEOUT:
   case I915_PARAM_HAS_PRIME_VMAP_FLUSH:
   case I915_PARAM_HAS_EXEC_NO_RELOC:
   case I915_PARAM_HAS_EXEC_HANDLE_LUT:
   case I915_PARAM_HAS_PINNED_BATCHES:
   case I915_PARAM_HAS_COHERENT_PHYS_GTT:
   case I915_PARAM_HAS_EXEC_SOFTPIN:
   case I915_PARAM_HAS_EXEC_ASYNC:
   case I915_PARAM_HAS_EXEC_FENCE:
   case I915_PARAM_HAS_EXEC_CAPTURE:
   case I915_PARAM_HAS_EXEC_BATCH_FIRST:
   case I915_PARAM_HAS_EXEC_FENCE_ARRAY:
   case I915_PARAM_HAS_EXEC_SUBMIT_FENCE:
   case I915_PARAM_HAS_EXEC_TIMELINE_FENCES:
   case I915_PARAM_HAS_USERPTR_PROBE:
      *v = 1;
      return 0;
   case I915_PARAM_HAS_OVERLAY:
   case I915_PARAM_HAS_EXEC_CONSTANTS:
   case I915_PARAM_HAS_SEMAPHORES:
   case I915_PARAM_HAS_VEBOX:
   case I915_PARAM_HAS_SECURE_BATCHES:
   case I915_PARAM_HAS_WT:
   case I915_PARAM_HAS_BSD2:
   case I915_PARAM_HAS_RESOURCE_STREAMER:
   case I915_PARAM_HAS_POOLED_EU:
   case I915_PARAM_MIN_EU_IN_POOL:
   case I915_PARAM_HAS_SCHEDULER:
      *v = 0;
      return 0;
   case I915_PARAM_HUC_STATUS:
   case I915_PARAM_SUBSLICE_TOTAL:
   case I915_PARAM_EU_TOTAL:
   case I915_PARAM_SLICE_MASK:
   case I915_PARAM_SUBSLICE_MASK:
      return -ENODEV; /* the kernel knows no topology before Haswell */
   default:
      return -EINVAL;
   }
}

IOCTL_HANDLER(ioctl_getparam)
{
   struct drm_i915_getparam *a = data;
   int value = 0;
   int ret = param_value(f->k, a->param, &value);
   return ret ? ret : copy_out((uintptr_t)a->value, &value, sizeof(value));
}

/* DRM-046 */
IOCTL_HANDLER(ioctl_reg_read)
{
   struct drm_i915_reg_read *a = data;
   if ((a->offset & ~(uint64_t)7) != REG_RCS_TIMESTAMP)
      return -EINVAL;
   uint32_t flags = (uint32_t)a->offset & 7;
   if (flags == I915_REG_READ_8B_WA || !flags) {
      uint32_t high, low, again;
      do {
         high = bus_read_for_client(f->k, REG_RCS_TIMESTAMP + 4);
         low = bus_read_for_client(f->k, REG_RCS_TIMESTAMP);
         again = bus_read_for_client(f->k, REG_RCS_TIMESTAMP + 4);
      } while (high != again);
      a->val = (uint64_t)high << 32 | low;
      /* Without the workaround bit a 64-bit read of this register returns its halves exchanged. */
      if (!flags)
         a->val = (uint64_t)low << 32 | high;
      return 0;
   }
   return -EINVAL;
}
