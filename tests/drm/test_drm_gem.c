/* GEM objects: their life, contents, maps, tiling, and what is refused. */
#include "rig.h"

#include "gen7_hw.h"

#include <fcntl.h>
#include <linux/dma-buf.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "tests/proves.h"

/* DRM-020: a size is rounded up to pages; nothing is EINVAL, too much E2BIG or ENOMEM. */
static void
create_sizes(void **state)
{
   proves("DRM-020");
   struct rig *r = *state;
   struct drm_i915_gem_create a = {.size = 1};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CREATE, &a), 0);
   assert_int_equal(a.size, 4096);
   a.size = 0;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CREATE, &a), -EINVAL);
   a.size = UINT64_MAX; /* nothing, once rounded up */
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CREATE, &a), -EINVAL);
   a.size = UINT64_MAX << 32;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CREATE, &a), -E2BIG);
   a.size = 1ull << 42;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CREATE, &a), -ENOMEM);
}

/* DRM-021: a closed handle is gone (EINVAL for close, ENOENT elsewhere) and its number is used
 * again; contents of a new object are zero. */
static void
handles_and_zeros(void **state)
{
   proves("DRM-021");
   struct rig *r = *state;
   uint32_t h = new_object(r->f, 8192), *p = map_object(r->f, h, 8192);
   memset(p, 0xff, 8192);
   pthread_mutex_lock(&r->k->lock);
   maps_remove(r->k, (uintptr_t)p, 8192);
   pthread_mutex_unlock(&r->k->lock);
   munmap(p, 8192);
   close_object(r->f, h);
   struct drm_gem_close c = {.handle = h};
   assert_int_equal(io(r->f, DRM_IOCTL_GEM_CLOSE, &c), -EINVAL);
   struct drm_i915_gem_busy b = {.handle = h};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_BUSY, &b), -ENOENT);
   uint32_t again = new_object(r->f, 8192);
   assert_int_equal(again, h);
   p = map_object(r->f, again, 8192);
   for (int i = 0; i < 2048; i++)
      assert_int_equal(p[i], 0);
}

/* DRM-022: pages of a closed object stay with the client's map until it is unmapped. */
static void
map_outlives_handle(void **state)
{
   proves("DRM-022");
   struct rig *r = *state;
   uint32_t h = new_object(r->f, 4096), *p = map_object(r->f, h, 4096);
   *p = 0x1234;
   close_object(r->f, h);
   uint32_t other = new_object(r->f, 4096), *q = map_object(r->f, other, 4096);
   *q = 0x5678;
   assert_int_equal(*p, 0x1234);
}

/* DRM-023: pread and pwrite: bounds EINVAL, unknown handle ENOENT, bad memory EFAULT, size 0
 * nothing. */
static void
pread_pwrite(void **state)
{
   proves("DRM-023");
   struct rig *r = *state;
   uint32_t h = new_object(r->f, 4096), value = 0xabcd, back = 0;
   struct drm_i915_gem_pwrite w = {
       .handle = h, .offset = 100, .size = 4, .data_ptr = (uintptr_t)&value};
   struct drm_i915_gem_pread d = {
       .handle = h, .offset = 100, .size = 4, .data_ptr = (uintptr_t)&back};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_PWRITE, &w), 0);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_PREAD, &d), 0);
   assert_int_equal(back, 0xabcd);
   w.offset = d.offset = 4093;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_PWRITE, &w), -EINVAL);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_PREAD, &d), -EINVAL);
   w.offset = d.offset = UINT64_MAX;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_PWRITE, &w), -EINVAL);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_PREAD, &d), -EINVAL);
   w.offset = d.offset = 0;
   w.data_ptr = d.data_ptr = 64;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_PWRITE, &w), -EFAULT);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_PREAD, &d), -EFAULT);
   w.handle = d.handle = 77;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_PWRITE, &w), -ENOENT);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_PREAD, &d), -ENOENT);
   w.size = d.size = 0;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_PWRITE, &w), 0);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_PREAD, &d), 0);
}

static uint32_t
mapped_word(const struct map_target *t)
{
   uint32_t *p = mmap(NULL, 4096, PROT_READ, MAP_SHARED, t->fd, (off_t)t->offset);
   assert_ptr_not_equal(p, MAP_FAILED);
   uint32_t word = *p;
   munmap(p, 4096);
   return word;
}

/* DRM-024: mmap offsets: kinds GTT, WC, WB, UC; FIXED is for discrete parts (ENODEV); the offset
 * leads to the object for files that have a handle (others EACCES), whole or in part, not past its
 * end. */
static void
mmap_offsets(void **state)
{
   proves("DRM-024");
   struct rig *r = *state;
   uint32_t h = new_object(r->f, 8192);
   struct drm_i915_gem_mmap_offset a = {.handle = h, .flags = I915_MMAP_OFFSET_WB};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &a), 0);
   uint64_t straight = a.offset;
   for (uint64_t kind = I915_MMAP_OFFSET_GTT; kind <= I915_MMAP_OFFSET_UC; kind++) {
      a.flags = kind;
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &a), 0);
      assert_int_equal(a.offset & 4095, 0);
   }
   a.flags = I915_MMAP_OFFSET_FIXED;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &a), -ENODEV);
   a.flags = 5;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &a), -EINVAL);
   a.flags = I915_MMAP_OFFSET_WB;
   a.extensions = 1;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &a), -EFAULT);
   struct i915_user_extension none = {.name = 7};
   a.extensions = (uintptr_t)&none;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &a), -EINVAL);
   a.extensions = 0;
   a.handle = 99;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &a), -ENOENT);

   struct map_target t;
   uint32_t *p = map_object(r->f, h, 8192);
   p[0] = 0x1111;
   p[1024] = 0x2222;
   assert_int_equal(drm_file_map(r->f, straight, 8192, &t), 0);
   assert_false(t.detiled);
   assert_int_equal(mapped_word(&t), 0x1111);
   gem_unref(t.object);
   assert_int_equal(drm_file_map(r->f, straight + 4096, 4096, &t), 0);
   assert_int_equal(mapped_word(&t), 0x2222);
   gem_unref(t.object);
   assert_int_equal(drm_file_map(r->f, straight + 4096, 8192, &t), -EINVAL);
   assert_int_equal(drm_file_map(r->f, 0, 4096, &t), -EINVAL);
   struct drm_file *other = rig_open(r, true);
   assert_int_equal(drm_file_map(other, straight, 8192, &t), -EACCES);
   rig_close(other);
}

/* DRM-025: GEM_MMAP: unknown flags and bad ranges EINVAL, unknown handle ENOENT. */
static void
gem_mmap(void **state)
{
   proves("DRM-025");
   struct rig *r = *state;
   uint32_t h = new_object(r->f, 4096);
   struct drm_i915_gem_mmap a = {.handle = h, .size = 4096, .flags = 2};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_MMAP, &a), -EINVAL);
   a.flags = I915_MMAP_WC;
   a.size = 8192;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_MMAP, &a), -EINVAL);
   a.size = 4096;
   a.offset = UINT64_MAX - 4095;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_MMAP, &a), -EINVAL);
   a.offset = 0;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_MMAP, &a), 0);
   a.handle = 99;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_MMAP, &a), -ENOENT);
}

/* DRM-026: SET_DOMAIN takes CPU, GTT and WC only, and one domain for reading and writing. */
static void
domains(void **state)
{
   proves("DRM-026");
   struct rig *r = *state;
   struct drm_i915_gem_set_domain a = {.handle = new_object(r->f, 4096)};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_SET_DOMAIN, &a), 0);
   a.read_domains = I915_GEM_DOMAIN_RENDER;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_SET_DOMAIN, &a), -EINVAL);
   a.read_domains = I915_GEM_DOMAIN_GTT;
   a.write_domain = I915_GEM_DOMAIN_CPU;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_SET_DOMAIN, &a), -EINVAL);
   a.write_domain = I915_GEM_DOMAIN_GTT;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_SET_DOMAIN, &a), 0);
   a.read_domains = a.write_domain = I915_GEM_DOMAIN_CPU | 0x100; /* no domain at all */
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_SET_DOMAIN, &a), 0);
   a.handle = 99;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_SET_DOMAIN, &a), -ENOENT);
   struct drm_i915_gem_sw_finish s = {.handle = 99};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_SW_FINISH, &s), -ENOENT);
}

/* DRM-027: tiling: stride a multiple of the tile width (X 512, Y 128), at most 256 KiB; no swizzle.
 */
static void
tiling(void **state)
{
   proves("DRM-027");
   struct rig *r = *state;
   uint32_t h = new_object(r->f, 1 << 20);
   const struct {
      uint32_t mode, stride;
      int error;
   } cases[] = {
       {I915_TILING_X, 512, 0},
       {I915_TILING_X, 256, -EINVAL},
       {I915_TILING_X, 640, -EINVAL},
       {I915_TILING_Y, 128, 0},
       {I915_TILING_Y, 64, -EINVAL},
       {I915_TILING_Y, 192, -EINVAL},
       {I915_TILING_X, 1 << 18, 0},
       {I915_TILING_X, (1 << 18) + 512, -EINVAL},
       {I915_TILING_LAST + 1, 512, -EINVAL},
       {I915_TILING_Y, 0, -EINVAL},
   };
   for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      struct drm_i915_gem_set_tiling s = {
          .handle = h, .tiling_mode = cases[i].mode, .stride = cases[i].stride};
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_SET_TILING, &s), cases[i].error);
      if (cases[i].error)
         continue;
      struct drm_i915_gem_get_tiling g = {.handle = h};
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_GET_TILING, &g), 0);
      assert_int_equal(g.tiling_mode, cases[i].mode);
      assert_int_equal(g.swizzle_mode, I915_BIT_6_SWIZZLE_NONE);
      assert_int_equal(g.phys_swizzle_mode, I915_BIT_6_SWIZZLE_NONE);
   }
   struct drm_i915_gem_set_tiling none = {.handle = h, .stride = 4096};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_SET_TILING, &none), 0);
   assert_int_equal(none.stride, 0);
   struct drm_i915_gem_get_tiling g = {.handle = 99};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_GET_TILING, &g), -ENOENT);
}

static void
detiled_view_of(struct rig *r, uint32_t mode, uint32_t stride, uint32_t w, uint32_t h)
{
   uint32_t handle = new_object(r->f, 1 << 16);
   struct drm_i915_gem_set_tiling s = {.handle = handle, .tiling_mode = mode, .stride = stride};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_SET_TILING, &s), 0);
   uint8_t *raw = map_object(r->f, handle, 1 << 16);
   for (int i = 0; i < 1 << 16; i++)
      raw[i] = (uint8_t)(i * 7 + i / 256);
   void *address = NULL;
   pthread_mutex_lock(&r->k->lock);
   assert_int_equal(
       view_create(gem_lookup(r->f, handle), 0, 1 << 16, PROT_READ | PROT_WRITE, false, &address),
       0);
   pthread_mutex_unlock(&r->k->lock);
   uint8_t *view = address;
   for (uint32_t y = 0; y < (1 << 16) / stride; y++)
      for (uint32_t x = 0; x < stride; x++) {
         /* Written apart from the model: which tile, and where in it. */
         uint32_t tile = y / h * (stride / w) + x / w, tx = x % w, ty = y % h;
         uint32_t in = mode == I915_TILING_X ? ty * 512 + tx : tx / 16 * 512 + ty * 16 + tx % 16;
         assert_int_equal(view[y * stride + x], raw[tile * 4096 + in]);
      }
   /* A write through the view reaches the object at the next sync point, and nothing else moves. */
   view[stride + 3] ^= 0xff;
   uint32_t in = mode == I915_TILING_X ? 512 + 3 : 16 + 3;
   uint8_t was = raw[in];
   raw[100 * 4] = 0x99; /* changed behind the view: must survive */
   struct drm_i915_gem_set_domain d = {.handle = handle, .read_domains = I915_GEM_DOMAIN_CPU};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_SET_DOMAIN, &d), 0);
   assert_int_equal(raw[in], (uint8_t)(was ^ 0xff));
   assert_int_equal(raw[400], 0x99);
   pthread_mutex_lock(&r->k->lock);
   view_forget(r->k, (uintptr_t)address, 1 << 16);
   pthread_mutex_unlock(&r->k->lock);
   munmap(address, 1 << 16);
}

/* DRM-028: a GTT map of a tiled object shows it detiled, and takes writes back. */
static void
detiled_view(void **state)
{
   proves("DRM-028");
   detiled_view_of(*state, I915_TILING_X, 1024, 512, 8);
   detiled_view_of(*state, I915_TILING_Y, 256, 128, 32);
}

/* DRM-026, DRM-028: before the client turns to another map it names the domain, and finds there
 * what it wrote through the one before. */
static void
domain_by_domain(void **state)
{
   proves("DRM-026", "DRM-028");
   struct rig *r = *state;
   struct drm_i915_gem_set_domain d = {.handle = new_object(r->f, 8192)};
   struct drm_i915_gem_set_tiling s = {
       .handle = d.handle, .tiling_mode = I915_TILING_X, .stride = 1024};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_SET_TILING, &s), 0);
   uint8_t *raw = map_object(r->f, d.handle, 8192);
   void *address = NULL;
   kernel_lock(r->k);
   assert_int_equal(
       view_create(gem_lookup(r->f, d.handle), 0, 8192, PROT_READ | PROT_WRITE, false, &address),
       0);
   pthread_mutex_unlock(&r->k->lock);
   uint8_t *view = address;
   for (uint8_t i = 1; i < 4; i++) { /* the second line: it begins half a KiB into the first tile */
      view[1024] = i;
      d.read_domains = I915_GEM_DOMAIN_CPU;
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_SET_DOMAIN, &d), 0);
      assert_int_equal(raw[512], i);
      raw[512] = 100 + i;
      d.read_domains = I915_GEM_DOMAIN_GTT;
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_SET_DOMAIN, &d), 0);
      assert_int_equal(view[1024], 100 + i);
   }
   kernel_lock(r->k);
   view_forget(r->k, (uintptr_t)address, 8192);
   pthread_mutex_unlock(&r->k->lock);
   munmap(address, 8192);
}

/* DRM-108: a map through the aperture that was there before the tiling shows the object detiled
 * from then on, at the same address. */
static void
tiled_after_map(void **state)
{
   proves("DRM-108");
   struct rig *r = *state;
   uint32_t h = new_object(r->f, 1 << 16);
   struct gem_object *o = gem_lookup(r->f, h);
   uint8_t *p = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_SHARED, o->arena->fd,
                     (off_t)(o->physical - o->arena->physical));
   assert_ptr_not_equal(p, MAP_FAILED);
   struct client_map m = {
       .start = (uintptr_t)p, .end = (uintptr_t)p + (1 << 16), .object = o, .aperture = true};
   kernel_lock(r->k);
   assert_int_equal(maps_add(r->k, &m), 0);
   pthread_mutex_unlock(&r->k->lock);
   for (unsigned i = 0; i < 1 << 16; i++)
      p[i] = (uint8_t)(i / 512); /* in memory: the number of the tile's line */
   struct drm_i915_gem_set_tiling t = {.handle = h, .tiling_mode = I915_TILING_X, .stride = 1024};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_SET_TILING, &t), 0);
   assert_int_equal(p[0], 0);
   assert_int_equal(p[512], 8);  /* the next tile */
   assert_int_equal(p[1024], 1); /* the next line */
   p[1024] = 77;
   t.tiling_mode = I915_TILING_NONE;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_SET_TILING, &t), 0);
   assert_int_equal(p[512], 77);
   assert_int_equal(o->host[512], 77);
   kernel_lock(r->k);
   view_forget(r->k, m.start, 1 << 16);
   maps_remove(r->k, m.start, 1 << 16);
   pthread_mutex_unlock(&r->k->lock);
   munmap(p, 1 << 16);
}

/* DRM-112: no userptr over a map of an object. */
static void
userptr_over_map(void **state)
{
   proves("DRM-112");
   struct rig *r = *state;
   struct drm_i915_gem_mmap m = {.handle = new_object(r->f, 8192), .size = 8192};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_MMAP, &m), 0);
   struct drm_i915_gem_userptr u = {.user_ptr = m.addr_ptr, .user_size = 4096};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_USERPTR, &u), 0); /* nobody has looked yet */
   assert_int_equal(store_run(r->f, u.handle, 0, 1, I915_EXEC_RENDER), -EFAULT);
   u.flags = I915_USERPTR_PROBE;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_USERPTR, &u), -EFAULT);
   kernel_lock(r->k);
   maps_remove(r->k, m.addr_ptr, 8192);
   pthread_mutex_unlock(&r->k->lock);
   munmap((void *)(uintptr_t)m.addr_ptr, 8192);
}

/* DRM-029: caching levels 0..2; display falls back to none; anything else EINVAL. */
static void
caching(void **state)
{
   proves("DRM-029");
   struct rig *r = *state;
   struct drm_i915_gem_caching a = {.handle = new_object(r->f, 4096)};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_GET_CACHING, &a), 0);
   assert_int_equal(a.caching, I915_CACHING_CACHED); /* the part has an LLC */
   a.caching = I915_CACHING_DISPLAY;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_SET_CACHING, &a), 0);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_GET_CACHING, &a), 0);
   assert_int_equal(a.caching, I915_CACHING_NONE);
   a.caching = 3;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_SET_CACHING, &a), -EINVAL);
   a.caching = 1;
   a.handle = 99;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_SET_CACHING, &a), -ENOENT);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_GET_CACHING, &a), -ENOENT);
}

/* DRM-029: the client's own memory is cached and stays so: another level is ENXIO. */
static void
caching_of_userptr(void **state)
{
   proves("DRM-029");
   struct rig *r = *state;
   void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   assert_ptr_not_equal(p, MAP_FAILED);
   struct drm_i915_gem_userptr u = {.user_ptr = (uintptr_t)p, .user_size = 4096};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_USERPTR, &u), 0);
   static const uint32_t levels[] = {I915_CACHING_CACHED, I915_CACHING_NONE, I915_CACHING_DISPLAY};
   for (unsigned i = 0; i < 3; i++) {
      struct drm_i915_gem_caching a = {.handle = u.handle, .caching = levels[i]};
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_SET_CACHING, &a), i ? -ENXIO : 0);
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_GET_CACHING, &a), 0);
      assert_int_equal(a.caching, I915_CACHING_CACHED);
   }
   close_object(r->f, u.handle);
   munmap(p, 4096);
}

/* DRM-029: what an object is bound with follows its caching level. */
static void
caching_of_a_bound_object(void **state)
{
   proves("DRM-029");
   struct rig *r = *state;
   uint32_t h = new_object(r->f, 8192);
   assert_int_equal(store_run(r->f, h, 0, 1, I915_EXEC_RENDER), 0);
   kernel_lock(r->k);
   const struct vma *v = gem_lookup(r->f, h)->vmas;
   assert_non_null(v);
   const uint32_t *entry = &v->vm->table[v->address / 4096 / 1024].host[v->address / 4096 % 1024];
   pthread_mutex_unlock(&r->k->lock);
   static const uint32_t levels[] = {I915_CACHING_NONE, I915_CACHING_CACHED, I915_CACHING_DISPLAY,
                                     I915_CACHING_CACHED};
   for (unsigned i = 0; i < 4; i++) {
      struct drm_i915_gem_caching a = {.handle = h, .caching = levels[i]};
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_SET_CACHING, &a), 0);
      for (unsigned page = 0; page < 2; page++)
         assert_int_equal(hw_get(entry[page], GEN7_GTT_ENTRY__CACHEABILITY),
                          levels[i] == I915_CACHING_CACHED ? GEN7_GTT_CACHEABILITY_LLC
                                                           : GEN7_GTT_CACHEABILITY_UNCACHED);
   }
}

/* DRM-030: madvise, busy and wait on idle objects; their errors. */
static void
idle_questions(void **state)
{
   proves("DRM-030");
   struct rig *r = *state;
   uint32_t h = new_object(r->f, 4096);
   struct drm_i915_gem_set_domain d = {.handle = h, .read_domains = I915_GEM_DOMAIN_CPU};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_SET_DOMAIN, &d), 0); /* pins its pages */
   struct drm_i915_gem_madvise m = {.handle = h, .madv = I915_MADV_DONTNEED};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_MADVISE, &m), 0);
   assert_int_equal(m.retained, 1);
   m.madv = 2;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_MADVISE, &m), -EINVAL);
   m.madv = 0;
   m.handle = 99;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_MADVISE, &m), -ENOENT);
   struct drm_i915_gem_busy b = {.handle = h, .busy = 5};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_BUSY, &b), 0);
   assert_int_equal(b.busy, 0);
   struct drm_i915_gem_wait w = {.bo_handle = h, .timeout_ns = 1000};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_WAIT, &w), 0);
   w.flags = 1;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_WAIT, &w), -EINVAL);
   w.flags = 0;
   w.bo_handle = 99;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_WAIT, &w), -ENOENT);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_THROTTLE, NULL), 0);
}

static int
advise(struct drm_file *f, uint32_t handle, uint32_t madv)
{
   struct drm_i915_gem_madvise m = {.handle = handle, .madv = madv, .retained = 7};
   assert_int_equal(io(f, DRM_IOCTL_I915_GEM_MADVISE, &m), 0);
   return (int)m.retained;
}

/* DRM-101: what was never pinned is gone with DONTNEED, and stays gone: EFAULT to every use. Pinned
 * pages stay and can be had back. */
static void
purged(void **state)
{
   proves("DRM-101");
   struct rig *r = *state;
   uint32_t lost = new_object(r->f, 4096), kept = new_object(r->f, 4096), word = 5;
   struct drm_i915_gem_pwrite w = {.handle = lost, .size = 4, .data_ptr = (uintptr_t)&word};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_PWRITE, &w), 0); /* pins nothing */
   assert_int_equal(advise(r->f, lost, I915_MADV_DONTNEED), 0);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_PWRITE, &w), -EFAULT);
   struct drm_i915_gem_pread p = {.handle = lost, .size = 4, .data_ptr = (uintptr_t)&word};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_PREAD, &p), -EFAULT);
   assert_int_equal(store_run(r->f, lost, 0, 1, I915_EXEC_RENDER), -EFAULT);
   assert_int_equal(advise(r->f, lost, I915_MADV_WILLNEED), 0);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_PREAD, &p), -EFAULT);

   assert_int_equal(store_run(r->f, kept, 0, 9, I915_EXEC_RENDER), 0);
   assert_int_equal(advise(r->f, kept, I915_MADV_DONTNEED), 1);
   assert_int_equal(advise(r->f, kept, I915_MADV_WILLNEED), 1);
   p.handle = kept;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_PREAD, &p), 0);
   assert_int_equal(word, 9);

   uint32_t touched = new_object(r->f, 4096);
   *(uint32_t *)map_object(r->f, touched, 4096) = 3;
   assert_int_equal(advise(r->f, touched, I915_MADV_DONTNEED), 1);
}

/* DRM-102: dumb buffers: 8, 16 and 32 bits, lines of whole 64 bytes, no overflow. */
static void
dumb(void **state)
{
   proves("DRM-102");
   struct rig *r = *state;
   struct drm_file *f = rig_open(r, false);
   struct drm_mode_create_dumb a = {.width = 100, .height = 10, .bpp = 32};
   assert_int_equal(io(f, DRM_IOCTL_MODE_CREATE_DUMB, &a), 0);
   assert_int_equal(a.pitch, 448);
   assert_int_equal(a.size, 8192);
   struct drm_mode_map_dumb m = {.handle = a.handle};
   assert_int_equal(io(f, DRM_IOCTL_MODE_MAP_DUMB, &m), 0);
   struct map_target t;
   assert_int_equal(drm_file_map(f, m.offset, a.size, &t), 0);
   gem_unref(t.object);
   struct drm_mode_destroy_dumb d = {.handle = a.handle};
   assert_int_equal(io(f, DRM_IOCTL_MODE_DESTROY_DUMB, &d), 0);
   assert_int_equal(io(f, DRM_IOCTL_MODE_DESTROY_DUMB, &d), -EINVAL);
   assert_int_equal(io(f, DRM_IOCTL_MODE_MAP_DUMB, &m), -ENOENT);
   static const uint32_t bad[][3] = {{0, 10, 32},      {100, 0, 32},          {100, 10, 0},
                                     {100, 10, 24},    {100, 10, UINT32_MAX}, {UINT32_MAX, 1, 32},
                                     {65536, 65536, 8}};
   for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
      a = (struct drm_mode_create_dumb){.width = bad[i][0],
                                        .height = bad[i][1],
                                        .bpp = bad[i][2],
                                        .handle = 7,
                                        .pitch = 7,
                                        .size = 7};
      assert_int_equal(io(f, DRM_IOCTL_MODE_CREATE_DUMB, &a), -EINVAL);
      assert_true(!a.handle && !a.pitch && !a.size);
   }
   rig_close(f);
}

/* DRM-102: lines are whole 64 bytes; longer than 32 KiB they are whole pages, and no longer than
 * that. */
static void
dumb_pitches(void **state)
{
   proves("DRM-102");
   struct rig *r = *state;
   struct drm_file *f = rig_open(r, false);
   static const struct {
      uint32_t width, bpp, pitch;
   } lines[] = {
       {1, 8, 64},        {64, 8, 64},       {65, 8, 128},       {32, 16, 64},
       {33, 16, 128},     {32768, 8, 32768}, {32769, 8, 36864},  {36864, 8, 36864},
       {8192, 32, 32768}, {8193, 32, 36864}, {16384, 32, 65536}, {16385, 32, 69632},
   };
   for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
      struct drm_mode_create_dumb a = {.width = lines[i].width, .height = 3, .bpp = lines[i].bpp};
      assert_int_equal(io(f, DRM_IOCTL_MODE_CREATE_DUMB, &a), 0);
      assert_int_equal(a.pitch, lines[i].pitch);
      assert_int_equal(a.size, (3ull * lines[i].pitch + 4095) / 4096 * 4096);
      close_object(f, a.handle);
   }
   rig_close(f);
}

/* DRM-031: userptr: page alignment, flags, range; the batch reads and writes the client's own
 * memory; what is not mapped is EFAULT when it is used, or at once with PROBE. */
static void
userptr(void **state)
{
   proves("DRM-031");
   struct rig *r = *state;
   uint32_t *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   struct drm_i915_gem_userptr a = {.user_ptr = (uintptr_t)p, .user_size = 8192};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_USERPTR, &a), 0);
   uint32_t h = a.handle;
   assert_int_equal(store_run(r->f, h, 4100, 0xfeed, I915_EXEC_BLT), 0);
   assert_int_equal(p[1025], 0xfeed);
   const struct {
      struct drm_i915_gem_userptr a;
      int error;
   } bad[] = {
       {{(uintptr_t)p + 4, 4096, 0, 0}, -EINVAL},
       {{(uintptr_t)p, 100, 0, 0}, -EINVAL},
       {{(uintptr_t)p, 0, 0, 0}, -EINVAL},
       {{UINT64_MAX - 4095, 4096, 0, 0}, -EFAULT},
       {{(uintptr_t)p, 4096, 4, 0}, -EINVAL},
       {{(uintptr_t)p, 4096, I915_USERPTR_READ_ONLY, 0}, -ENODEV},
       {{(uintptr_t)p, 4096, I915_USERPTR_UNSYNCHRONIZED, 0}, -ENODEV},
       {{4096, 4096, I915_USERPTR_PROBE, 0}, -EFAULT},
   };
   for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
      a = bad[i].a;
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_USERPTR, &a), bad[i].error);
   }
   a = (struct drm_i915_gem_userptr){.user_ptr = (uintptr_t)p, .user_size = 1 << 24};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_USERPTR, &a), 0); /* not looked at before its use */
   close_object(r->f, a.handle);
   a.user_size = UINT64_C(4096) << 31;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_USERPTR, &a), -E2BIG);
   struct drm_i915_gem_mmap_offset o = {.handle = h, .flags = I915_MMAP_OFFSET_WB};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &o), -ENODEV);

   pthread_mutex_lock(&r->k->lock);
   userptr_invalidate(r->k, (uintptr_t)p, 8192);
   pthread_mutex_unlock(&r->k->lock);
   munmap(p, 8192);
   assert_int_equal(store_run(r->f, h, 0, 1, I915_EXEC_BLT), -EFAULT);
   assert_int_equal(store_run(r->f, h, 0, 1, I915_EXEC_BLT), -EFAULT);
   close_object(r->f, h);
}

/* DRM-119: pages that a raw system call takes from under a running batch: it goes on, the next use
 * is EFAULT, the hole stays. */
static void
userptr_vanishes(void **state)
{
   proves("DRM-119");
   struct rig *r = *state;
   unsigned char there;
   void *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   struct drm_i915_gem_userptr u = {.user_ptr = (uintptr_t)p, .user_size = 8192};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_USERPTR, &u), 0);
   struct store s;
   store_begin(r->f, &s, u.handle, 4096, 0xfeed, I915_EXEC_BLT);
   uint32_t *map = s.map; /* store, then from the start again */
   map[4] = 0x18800100;
   struct drm_i915_gem_relocation_entry reloc[2] = {s.reloc,
                                                    {.target_handle = s.batch,
                                                     .offset = 20,
                                                     .presumed_offset = UINT64_MAX,
                                                     .read_domains = I915_GEM_DOMAIN_COMMAND}};
   s.object[1].relocation_count = 2;
   s.object[1].relocs_ptr = (uintptr_t)reloc;
   s.exec.batch_len = 0;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
   while (((volatile uint32_t *)p)[1024] != 0xfeed)
      ;
   assert_int_equal(syscall(SYS_munmap, p, 8192), 0);
   struct timespec t = {0, 20000000};
   nanosleep(&t, NULL);
   assert_int_equal(wait_object(r->f, u.handle, 0), -ETIME);
   __atomic_store_n(&map[4], BATCH_END, __ATOMIC_RELEASE);
   assert_int_equal(wait_object(r->f, u.handle, 20000000000ll), 0);
   assert_int_equal(store_run(r->f, u.handle, 0, 1, I915_EXEC_BLT), -EFAULT);
   assert_int_equal(mincore((char *)p + 4096, 4096, &there), -1);
   store_done(r->f, &s);
   close_object(r->f, u.handle);
}

/* DRM-032: names: FLINK and OPEN on the primary node; the render node refuses them with EACCES. */
static void
flink(void **state)
{
   proves("DRM-032");
   struct rig *r = *state;
   struct drm_file *one = rig_open(r, false), *two = rig_open(r, false);
   struct drm_gem_flink a = {.handle = new_object(one, 12288)};
   assert_int_equal(io(one, DRM_IOCTL_GEM_FLINK, &a), 0);
   struct drm_gem_open o = {.name = a.name};
   assert_int_equal(io(two, DRM_IOCTL_GEM_OPEN, &o), 0);
   assert_int_equal(o.size, 12288);
   uint32_t *p = map_object(one, a.handle, 4096), *q = map_object(two, o.handle, 4096);
   *p = 0x77;
   assert_int_equal(*q, 0x77);
   o.name = 1000;
   assert_int_equal(io(two, DRM_IOCTL_GEM_OPEN, &o), -ENOENT);
   assert_int_equal(io(r->f, DRM_IOCTL_GEM_FLINK, &a), -EACCES);
   rig_close(one);
   rig_close(two);
}

/* DRM-033: PRIME: an export is a descriptor with the object's size; importing it elsewhere gives
 * the same pages, in the same file the same handle; foreign descriptors are refused. */
static void
prime(void **state)
{
   proves("DRM-033");
   struct rig *r = *state;
   struct drm_file *two = rig_open(r, true);
   struct drm_prime_handle a = {.handle = new_object(r->f, 12288), .flags = DRM_CLOEXEC | DRM_RDWR};
   assert_int_equal(io(r->f, DRM_IOCTL_PRIME_HANDLE_TO_FD, &a), 0);
   assert_int_equal(lseek(a.fd, 0, SEEK_END), 12288);
   struct drm_prime_handle b = {.fd = a.fd};
   assert_int_equal(io(r->f, DRM_IOCTL_PRIME_FD_TO_HANDLE, &b), 0);
   assert_int_equal(b.handle, a.handle);
   b.handle = 0;
   assert_int_equal(io(two, DRM_IOCTL_PRIME_FD_TO_HANDLE, &b), 0);
   assert_int_equal(store_run(two, b.handle, 16, 0x1dea, I915_EXEC_RENDER), 0);
   uint32_t *p = map_object(r->f, a.handle, 4096);
   assert_int_equal(p[4], 0x1dea);
   b.fd = 0;
   assert_int_equal(io(two, DRM_IOCTL_PRIME_FD_TO_HANDLE, &b), -EINVAL);
   b.fd = 9999;
   assert_int_equal(io(two, DRM_IOCTL_PRIME_FD_TO_HANDLE, &b), -EBADF);
   a.flags = 1;
   a.handle = 999;
   a.flags = 4;
   assert_int_equal(io(r->f, DRM_IOCTL_PRIME_HANDLE_TO_FD, &a), -EINVAL);
   a.flags = 0;
   assert_int_equal(io(r->f, DRM_IOCTL_PRIME_HANDLE_TO_FD, &a), -ENOENT);
   pthread_mutex_lock(&r->k->lock);
   struct dma_buf_sync y = {.flags = DMA_BUF_SYNC_START | DMA_BUF_SYNC_RW};
   struct gem_object *o = gem_lookup(two, b.handle);
   struct fd_entry e = fd_find(r->k, a.fd);
   assert_int_equal(e.kind, FD_PRIME);
   assert_int_equal(prime_ioctl(r->k, e.what, DMA_BUF_IOCTL_SYNC, &y), 0);
   y.flags = 0;
   assert_int_equal(prime_ioctl(r->k, e.what, DMA_BUF_IOCTL_SYNC, &y), -EINVAL);
   assert_int_equal(prime_ioctl(r->k, e.what, 0, &y), -ENOTTY);
   (void)o;
   fd_forget(r->k, a.fd);
   pthread_mutex_unlock(&r->k->lock);
   close(a.fd);
   rig_close(two);
}

/* DRM-034: CREATE_EXT: system memory is the only region; protected content is ENODEV. */
static void
create_ext(void **state)
{
   proves("DRM-034");
   struct rig *r = *state;
   struct drm_i915_gem_memory_class_instance region = {I915_MEMORY_CLASS_SYSTEM, 0};
   struct drm_i915_gem_create_ext_memory_regions ext = {
       .base = {.name = I915_GEM_CREATE_EXT_MEMORY_REGIONS},
       .num_regions = 1,
       .regions = (uintptr_t)&region};
   struct drm_i915_gem_create_ext a = {.size = 4096, .extensions = (uintptr_t)&ext};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CREATE_EXT, &a), 0);
   region.memory_class = I915_MEMORY_CLASS_DEVICE;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CREATE_EXT, &a), -EINVAL);
   ext.base.name = I915_GEM_CREATE_EXT_PROTECTED_CONTENT;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CREATE_EXT, &a), -ENODEV);
   ext.base.name = 9;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CREATE_EXT, &a), -EINVAL);
   ext.base.name = I915_GEM_CREATE_EXT_MEMORY_REGIONS;
   region.memory_class = I915_MEMORY_CLASS_SYSTEM;
   ext.base.next_extension = (uintptr_t)&ext; /* a circle: the regions twice */
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CREATE_EXT, &a), -EINVAL);
   a.extensions = 8;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CREATE_EXT, &a), -EFAULT);
}

/* DRM-035: the aperture that GET_APERTURE tells of is the 2 GiB of the GTT. */
static void
aperture(void **state)
{
   proves("DRM-035");
   struct rig *r = *state;
   struct drm_i915_gem_get_aperture a = {0};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_GET_APERTURE, &a), 0);
   assert_int_equal(a.aper_size, 1ull << 31);
   assert_true(a.aper_available_size > (1ull << 30) && a.aper_available_size < a.aper_size);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
   const struct CMUnitTest tests[] = {
       T(create_sizes),
       T(handles_and_zeros),
       T(map_outlives_handle),
       T(pread_pwrite),
       T(mmap_offsets),
       T(gem_mmap),
       T(domains),
       T(tiling),
       T(detiled_view),
       T(domain_by_domain),
       T(tiled_after_map),
       T(caching),
       T(caching_of_a_bound_object),
       T(caching_of_userptr),
       T(idle_questions),
       T(purged),
       T(dumb),
       T(dumb_pitches),
       T(userptr),
       T(userptr_vanishes),
       T(userptr_over_map),
       T(flink),
       T(prime),
       T(create_ext),
       T(aperture),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
