/* A compute kernel whose result is known, for plain system calls: a batch, a descriptor and the
 * kernel in one object. */
#ifndef SMOKE_KERNEL_H
#define SMOKE_KERNEL_H

#include "smoke.h"

#define KERNEL_AT 1024u
#define DESCRIPTOR_AT 512u
#define ROW 32u /* bytes that a group stores */

/* Every thread stores, at its own place of the buffer, the place and a constant. Assembled from:
 *    mov(8) g10<1>UW 0x76543210UV {WE_all};  mov(8) g11<1>UD g10<8,8,1>UW;  shl(8) g11 g11 2
 *    shl(1) g12<1>UD g0.1<0,1,0>UD 5 {WE_all};  add(8) g20 g11 g12<0,1,0>;  add(8) g21 g20 CONSTANT
 *    mov(8) g19<1>UD 0;  mov(1) g19.7 0xffff;  send(8) null g19 (untyped surface write, stateless)
 *    mov(8) g127 g0;  send(8) null g127 {EOT} */
static const uint32_t stores_kernel[] = {
    0x00600201, 0x21404269, 0x00000000, 0x76543210, 0x00600001, 0x21600121, 0x008d0140, 0x00000000,
    0x00600009, 0x21600c21, 0x008d0160, 0x00000002, 0x00000209, 0x21800c21, 0x00000004, 0x00000005,
    0x00600040, 0x22800421, 0x008d0160, 0x00000180, 0x00600040, 0x22a00c21, 0x008d0280, 0x00000000,
    0x00600201, 0x22600061, 0x00000000, 0x00000000, 0x00000201, 0x227c0061, 0x00000000, 0x0000ffff,
    0x0a600031, 0x20000c28, 0x008d0260, 0x060b6eff, 0x00600201, 0x2fe00021, 0x008d0000, 0x00000000,
    0x07600231, 0x20000c28, 0x008d0fe0, 0x82000010,
};
#define CONSTANT_AT 23u

static const uint32_t stores_commands[] = {
    0x69040002, /* PIPELINE_SELECT: GPGPU */
    0x61010008, 1,          1,          1,
    1,          1,          0xfffff001, 0xfffff001,
    1,          0xfffff001, /* STATE_BASE_ADDRESS */
    0x70000006, 0,          0x003f00c4, 0,
    8,          0,          0,          0,             /* MEDIA_VFE_STATE */
    0x70020002, 0,          32,         DESCRIPTOR_AT, /* MEDIA_INTERFACE_DESCRIPTOR_LOAD */
    0x71050009, 0,          0,          0,
    0,          0,          1,          0,
    1,          0xff,       0xffffffff, /* GPGPU_WALKER */
    0x70040000, 0,                      /* MEDIA_STATE_FLUSH */
    0x05000000,
};
#define GROUPS_AT 27u

/* The object, with these groups and this constant in the kernel; 0: none could be made. */
static inline uint32_t
stores(int fd, uint32_t groups, uint32_t constant)
{
   uint32_t words[KERNEL_AT / 4 + sizeof(stores_kernel) / 4] = {0};
   uint32_t handle = create(fd, 4096);
   if (!handle)
      return 0;
   memcpy(words, stores_commands, sizeof(stores_commands));
   words[GROUPS_AT] = groups;
   words[DESCRIPTOR_AT / 4] = KERNEL_AT;
   memcpy(&words[KERNEL_AT / 4], stores_kernel, sizeof(stores_kernel));
   words[KERNEL_AT / 4 + CONSTANT_AT] = constant;
   struct drm_i915_gem_pwrite w = {
       .handle = handle, .size = sizeof(words), .data_ptr = (uintptr_t)words};
   return call(fd, DRM_IOCTL_I915_GEM_PWRITE, &w) ? 0 : handle;
}

/* General state is the target, dynamic state and instructions are the object itself. Does not wait.
 */
static inline int
stores_dispatch(int fd, uint32_t context, uint32_t code, uint32_t target)
{
   struct drm_i915_gem_relocation_entry reloc[3] = {{.target_handle = target,
                                                     .delta = 1,
                                                     .offset = 8,
                                                     .presumed_offset = ~0ull,
                                                     .read_domains = I915_GEM_DOMAIN_RENDER,
                                                     .write_domain = I915_GEM_DOMAIN_RENDER},
                                                    {.target_handle = code,
                                                     .delta = 1,
                                                     .offset = 16,
                                                     .presumed_offset = ~0ull,
                                                     .read_domains = I915_GEM_DOMAIN_INSTRUCTION},
                                                    {.target_handle = code,
                                                     .delta = 1,
                                                     .offset = 24,
                                                     .presumed_offset = ~0ull,
                                                     .read_domains = I915_GEM_DOMAIN_INSTRUCTION}};
   struct drm_i915_gem_exec_object2 object[2] = {
       {.handle = target}, {.handle = code, .relocation_count = 3, .relocs_ptr = (uintptr_t)reloc}};
   struct drm_i915_gem_execbuffer2 x = {.buffers_ptr = (uintptr_t)object,
                                        .buffer_count = 2,
                                        .flags = I915_EXEC_RENDER,
                                        .rsvd1 = context};
   return call(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x);
}

/* Words that are not as they should be. */
static inline unsigned
stores_wrong(const volatile uint32_t *p, uint32_t groups, uint32_t constant)
{
   unsigned wrong = 0;
   for (uint32_t i = 0; i < groups * (ROW / 4); i++)
      wrong += p[i] != 4 * i + constant;
   return wrong;
}

#endif
