/* Stores, relocations and error codes on all three rings, as a program sees them. */
#include "smoke.h"

static const struct {
   const char *name;
   uint64_t ring;
} rings[] = {{"render", I915_EXEC_RENDER}, {"bsd", I915_EXEC_BSD}, {"blt", I915_EXEC_BLT}};

int
main(void)
{
   int fd = open_render();
   CHECK(fd >= 0, "open the render node");
   uint32_t target = create(fd, 4096);
   uint32_t *view = map(fd, target, 4096, I915_MMAP_OFFSET_WB);
   CHECK(view != MAP_FAILED, "map an object");
   for (unsigned i = 0; i < 3; i++) {
      view[i] = 0;
      CHECK(!store(fd, rings[i].ring, target, 4 * i, 0xc0ffee00 + i, NULL) &&
                !wait_idle(fd, target) && view[i] == 0xc0ffee00 + i,
            "store on %s", rings[i].name);
      CHECK(store(fd, rings[i].ring, 999, 0, 0, NULL) == ENOENT, "unknown object on %s is ENOENT",
            rings[i].name);
      CHECK(store(fd, rings[i].ring | 1ull << 40, target, 0, 0, NULL) == EINVAL,
            "unknown flag on %s is EINVAL", rings[i].name);
   }
   CHECK(store(fd, I915_EXEC_VEBOX, target, 0, 0, NULL) == EINVAL, "an absent ring is EINVAL");
   CHECK(store(fd, I915_EXEC_SECURE, target, 0, 0, NULL) == EPERM, "a secure batch is EPERM");

   /* One object on all rings, in turn: the last one wins. */
   for (unsigned i = 0; i < 300; i++)
      store(fd, rings[i % 3].ring, target, 64, i, NULL);
   CHECK(!wait_idle(fd, target) && view[16] == 299, "300 stores keep their order across the rings");

   /* The same through the tiled, fenced view. */
   uint32_t tiled = create(fd, 65536);
   struct drm_i915_gem_set_tiling t = {
       .handle = tiled, .tiling_mode = I915_TILING_X, .stride = 1024};
   CHECK(!call(fd, DRM_IOCTL_I915_GEM_SET_TILING, &t), "set X tiling");
   uint32_t *fenced = map(fd, tiled, 65536, I915_MMAP_OFFSET_GTT);
   CHECK(fenced != MAP_FAILED, "map it through the aperture");
   /* Row 1 of the surface is byte 512 of the first tile. */
   CHECK(!store(fd, I915_EXEC_BLT, tiled, 512 + 8, 0x711ed, NULL), "store into the tile");
   struct drm_i915_gem_set_domain d = {
       .handle = tiled, .read_domains = I915_GEM_DOMAIN_GTT, .write_domain = I915_GEM_DOMAIN_GTT};
   CHECK(!call(fd, DRM_IOCTL_I915_GEM_SET_DOMAIN, &d) && fenced[1024 / 4 + 2] == 0x711ed,
         "the fenced view is detiled");
   fenced[2 * 1024 / 4] = 0x5eed;
   uint32_t back = 0;
   struct drm_i915_gem_pread p = {
       .handle = tiled, .offset = 1024, .size = 4, .data_ptr = (uintptr_t)&back};
   CHECK(!call(fd, DRM_IOCTL_I915_GEM_PREAD, &p) && back == 0x5eed, "a write through it is tiled");
   munmap(fenced, 65536);

   /* Old interfaces. */
   struct drm_i915_gem_mmap m = {.handle = target, .size = 4096};
   CHECK(!call(fd, DRM_IOCTL_I915_GEM_MMAP, &m) && ((uint32_t *)(uintptr_t)m.addr_ptr)[16] == 299,
         "GEM_MMAP shows the same pages");
   munmap((void *)(uintptr_t)m.addr_ptr, 4096);
   CHECK(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED && errno == EINVAL,
         "mmap of no offset is EINVAL");
   destroy(fd, target);
   CHECK(view[16] == 299, "a map outlives its handle");
   munmap(view, 4096);
   close(fd);
   CHECK(ioctl(fd, DRM_IOCTL_I915_GEM_THROTTLE, NULL) < 0 && errno == EBADF,
         "a closed descriptor is EBADF");
   return smoke_end();
}
