/* The stock libraries between programs and nodes: libdrm, libdrm_intel, libpciaccess. */
#include "smoke.h"

#include <intel_bufmgr.h>
#include <pciaccess.h>
#include <xf86drm.h>

static void
enumerated(void)
{
   drmDevicePtr list[8] = {0};
   int n = drmGetDevices2(DRM_DEVICE_GET_PCI_REVISION, list, 8);
   CHECK(n == 1, "libdrm finds one device (%d)", n);
   if (n != 1)
      return;
   drmDevicePtr d = list[0];
   CHECK(d->bustype == DRM_BUS_PCI && d->businfo.pci->dev == 2 && !d->businfo.pci->bus &&
             !d->businfo.pci->func,
         "at 00:02.0");
   CHECK(d->deviceinfo.pci->vendor_id == 0x8086 && d->deviceinfo.pci->device_id == 0x0166 &&
             d->deviceinfo.pci->revision_id == 9,
         "an Ivy Bridge");
   CHECK(d->available_nodes == (1 << DRM_NODE_PRIMARY | 1 << DRM_NODE_RENDER) &&
             !strcmp(d->nodes[DRM_NODE_PRIMARY], "/dev/dri/card0") &&
             !strcmp(d->nodes[DRM_NODE_RENDER], "/dev/dri/renderD128"),
         "with two nodes");
   drmFreeDevices(list, n);
}

static void
asked(int fd)
{
   drmVersionPtr v = drmGetVersion(fd);
   CHECK(v && !strcmp(v->name, "i915"), "the driver is i915");
   drmFreeVersion(v);
   CHECK(drmGetNodeTypeFromFd(fd) == DRM_NODE_RENDER, "the node is a render node");
   char *name = drmGetDeviceNameFromFd2(fd);
   CHECK(name && !strcmp(name, "/dev/dri/renderD128"), "and has its name");
   free(name);
   uint64_t prime = 0;
   CHECK(!drmGetCap(fd, DRM_CAP_PRIME, &prime) &&
             prime == (DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT),
         "PRIME both ways");
   size_t mappable = 0, total = 0;
   CHECK(!drm_intel_get_aperture_sizes(fd, &mappable, &total) && mappable == 256u << 20 &&
             total == 2048u << 20,
         "the aperture by libpciaccess, the GTT by ioctl (%zu, %zu)", mappable, total);
}

/* Libraries of old make batches this way: a buffer manager with relocations of its own. */
static void
batch_by_bufmgr(int fd)
{
   drm_intel_bufmgr *m = drm_intel_bufmgr_gem_init(fd, 4096);
   CHECK(m && drm_intel_bufmgr_gem_get_devid(m) == 0x0166, "a buffer manager");
   if (!m)
      return;
   uint32_t tiling = I915_TILING_X;
   unsigned long pitch = 0;
   drm_intel_bo *target = drm_intel_bo_alloc_tiled(m, "target", 100, 64, 4, &tiling, &pitch, 0);
   drm_intel_bo *batch = drm_intel_bo_alloc(m, "batch", 4096, 4096);
   CHECK(target && batch && tiling == I915_TILING_X && pitch == 512,
         "a tiled object has the pitch of its tiles");
   static const unsigned rings[3] = {I915_EXEC_RENDER, I915_EXEC_BSD, I915_EXEC_BLT};
   for (unsigned i = 0; i < 3; i++) {
      /* The presumed address: when it holds, nobody writes it again. */
      uint32_t at = (uint32_t)target->offset64 + 1024 + 4 * i, got = 0;
      uint32_t words[6] = {0x10000002, 0, at, 0xb0b0 + i, 0x05000000, 0};
      bool ok =
          !drm_intel_bo_subdata(batch, 0, sizeof(words), words) &&
          !drm_intel_bo_emit_reloc(batch, 8, target, 1024 + 4 * i, I915_GEM_DOMAIN_INSTRUCTION,
                                   I915_GEM_DOMAIN_INSTRUCTION) &&
          !drm_intel_bo_mrb_exec(batch, sizeof(words), NULL, 0, 0, rings[i]);
      drm_intel_bo_wait_rendering(batch);
      ok = ok && !drm_intel_bo_get_subdata(target, 1024 + 4 * i, 4, &got);
      CHECK(ok && got == 0xb0b0 + i, "a batch of libdrm_intel on ring %u", rings[i]);
      drm_intel_gem_bo_clear_relocs(batch, 0);
   }
   CHECK(!drm_intel_gem_bo_map_gtt(target) && ((uint32_t *)target->virtual)[2 * 512 / 4] == 0xb0b0,
         "the map through the aperture shows rows");
   drm_intel_gem_bo_unmap_gtt(target);
   drm_intel_bo_unreference(batch);
   drm_intel_bo_unreference(target);
   drm_intel_bufmgr_destroy(m);
}

static void
by_pciaccess(void)
{
   CHECK(!pci_system_init(), "libpciaccess starts");
   struct pci_device *d = pci_device_find_by_slot(0, 0, 2, 0);
   CHECK(d && !pci_device_probe(d) && d->vendor_id == 0x8086 && d->device_id == 0x0166,
         "and finds the device");
   if (d)
      CHECK(d->regions[0].size == 4u << 20 && d->regions[2].size == 256u << 20 &&
                d->regions[2].is_prefetchable,
            "with registers and aperture");
   uint32_t id = 0;
   CHECK(d && !pci_device_cfg_read_u32(d, &id, 0) && id == 0x01668086,
         "its configuration space is read");
   pci_system_cleanup();
}

int
main(void)
{
   int fd = open_render();
   enumerated();
   asked(fd);
   batch_by_bufmgr(fd);
   by_pciaccess();
   close(fd);
   return smoke_end();
}
