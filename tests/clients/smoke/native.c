/* Kernels that have become native code, and what a client may do beside them: fork, read registers, wait for
 * signals. Run with --native=always and several host threads. */
#include "smoke.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

#define GROUPS 64u
#define KERNEL_AT 1024u
#define DESCRIPTOR_AT 512u

/* Every thread stores, at its own place of the buffer, the place and a constant. Assembled from:
 *    mov(8) g10<1>UW 0x76543210UV {WE_all};  mov(8) g11<1>UD g10<8,8,1>UW;  shl(8) g11 g11 2
 *    shl(1) g12<1>UD g0.1<0,1,0>UD 5 {WE_all};  add(8) g20 g11 g12<0,1,0>;  add(8) g21 g20 CONSTANT
 *    mov(8) g19<1>UD 0;  mov(1) g19.7 0xffff;  send(8) null g19 (untyped surface write, stateless)
 *    mov(8) g127 g0;  send(8) null g127 {EOT} */
static const uint32_t kernel[] = {
   0x00600201, 0x21404269, 0x00000000, 0x76543210, 0x00600001, 0x21600121, 0x008d0140, 0x00000000,
   0x00600009, 0x21600c21, 0x008d0160, 0x00000002, 0x00000209, 0x21800c21, 0x00000004, 0x00000005,
   0x00600040, 0x22800421, 0x008d0160, 0x00000180, 0x00600040, 0x22a00c21, 0x008d0280, 0x00000000,
   0x00600201, 0x22600061, 0x00000000, 0x00000000, 0x00000201, 0x227c0061, 0x00000000, 0x0000ffff,
   0x0a600031, 0x20000c28, 0x008d0260, 0x060b6eff, 0x00600201, 0x2fe00021, 0x008d0000, 0x00000000,
   0x07600231, 0x20000c28, 0x008d0fe0, 0x82000010,
};
#define CONSTANT_AT 23u

static const uint32_t commands[] = {
   0x69040002,                                              /* PIPELINE_SELECT: GPGPU */
   0x61010008, 1, 1, 1, 1, 1, 0xfffff001, 0xfffff001, 1, 0xfffff001, /* STATE_BASE_ADDRESS */
   0x70000006, 0, 0x003f00c4, 0, 8, 0, 0, 0,                /* MEDIA_VFE_STATE */
   0x70020002, 0, 32, DESCRIPTOR_AT,                        /* MEDIA_INTERFACE_DESCRIPTOR_LOAD */
   0x71050009, 0, 0, 0, GROUPS, 0, 1, 0, 1, 0xff, 0xffffffff, /* GPGPU_WALKER */
   0x70040000, 0,                                           /* MEDIA_STATE_FLUSH */
   0x05000000,
};

/* The object that holds commands, descriptor and kernel, with this constant in the kernel. */
static uint32_t
program(int fd, uint32_t constant)
{
   uint32_t words[KERNEL_AT / 4 + sizeof(kernel) / 4] = {0};
   uint32_t handle = create(fd, 4096);
   memcpy(words, commands, sizeof(commands));
   words[DESCRIPTOR_AT / 4] = KERNEL_AT;
   memcpy(&words[KERNEL_AT / 4], kernel, sizeof(kernel));
   words[KERNEL_AT / 4 + CONSTANT_AT] = constant;
   struct drm_i915_gem_pwrite w = {.handle = handle, .size = sizeof(words), .data_ptr = (uintptr_t)words};
   return call(fd, DRM_IOCTL_I915_GEM_PWRITE, &w) ? 0 : handle;
}

/* General state is the target, dynamic state and instructions are the program itself. */
static int
dispatch(int fd, uint32_t code, uint32_t target)
{
   struct drm_i915_gem_relocation_entry reloc[3] = {
      {.target_handle = target, .delta = 1, .offset = 8, .presumed_offset = ~0ull,
       .read_domains = I915_GEM_DOMAIN_RENDER, .write_domain = I915_GEM_DOMAIN_RENDER},
      {.target_handle = code, .delta = 1, .offset = 16, .presumed_offset = ~0ull,
       .read_domains = I915_GEM_DOMAIN_INSTRUCTION},
      {.target_handle = code, .delta = 1, .offset = 24, .presumed_offset = ~0ull,
       .read_domains = I915_GEM_DOMAIN_INSTRUCTION}};
   struct drm_i915_gem_exec_object2 object[2] = {
      {.handle = target},
      {.handle = code, .relocation_count = 3, .relocs_ptr = (uintptr_t)reloc}};
   struct drm_i915_gem_execbuffer2 x = {.buffers_ptr = (uintptr_t)object, .buffer_count = 2,
                                        .flags = I915_EXEC_RENDER};
   int ret = call(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x);
   return ret ? ret : wait_idle(fd, target);
}

static bool
stored(const volatile uint32_t *p, uint32_t constant)
{
   for (uint32_t i = 0; i < GROUPS * 8; i++)
      if (p[i] != 4 * i + constant)
         return false;
   return true;
}

static uint32_t code, target;
static uint32_t *view;

/* A child goes on with a kernel that is native in its parent, then with one of its own. */
static int
child(int fd)
{
   for (int i = 0; i < 3; i++) {
      memset(view, 0, GROUPS * 32);
      if (dispatch(fd, code, target) || !stored(view, 0x1000))
         return 1;
   }
   uint32_t mine = program(fd, 0x2000), own = create(fd, GROUPS * 32);
   const uint32_t *p = map(fd, own, GROUPS * 32, I915_MMAP_OFFSET_WB);
   if (p == MAP_FAILED || dispatch(fd, mine, own) || !stored(p, 0x2000))
      return 2;
   return 0;
}

static int
in_child(int (*fn)(int), int fd)
{
   fflush(stdout);
   pid_t pid = fork();
   if (!pid)
      _exit(fn(fd));
   int status = -1;
   waitpid(pid, &status, 0);
   return WIFEXITED(status) ? WEXITSTATUS(status) : 200 + WTERMSIG(status);
}

static int
grandchild(int fd)
{
   return child(fd) || in_child(child, fd) || child(fd);
}

/* Nobody in the parent has opened the GPU. */
static int
alone(int fd)
{
   (void)fd;
   int own = open_render();
   code = program(own, 0x1000);
   target = create(own, GROUPS * 32);
   view = map(own, target, GROUPS * 32, I915_MMAP_OFFSET_WB);
   return view == MAP_FAILED || child(own);
}

static bool done;

/* A register read holds the kernel's lock until the device's thread answers. */
static void *
read_registers(void *data)
{
   int fd = *(int *)data;
   while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
      struct drm_i915_reg_read r = {.offset = 0x2358 | I915_REG_READ_8B_WA};
      call(fd, DRM_IOCTL_I915_REG_READ, &r);
   }
   return NULL;
}

/* Each new constant is a new kernel, translated by whichever host thread meets it first. */
static unsigned
many_kernels(int fd)
{
   pthread_t reader[2];
   unsigned wrong = 0;
   for (int i = 0; i < 2; i++)
      pthread_create(&reader[i], NULL, read_registers, &fd);
   for (uint32_t i = 0; i < 150; i++) {
      uint32_t constant = 0x100000 + i * 256, one = program(fd, constant);
      wrong += dispatch(fd, one, target) || !stored(view, constant);
      destroy(fd, one);
   }
   __atomic_store_n(&done, true, __ATOMIC_RELEASE);
   for (int i = 0; i < 2; i++)
      pthread_join(reader[i], NULL);
   return wrong;
}

/* A program that blocks a signal to wait for it must not lose it to a thread of the device. */
static bool
signal_arrives(void)
{
   sigset_t set;
   sigemptyset(&set);
   sigaddset(&set, SIGUSR1);
   pthread_sigmask(SIG_BLOCK, &set, NULL);
   fflush(stdout);
   kill(getpid(), SIGUSR1);
   struct timespec limit = {5, 0};
   return sigtimedwait(&set, NULL, &limit) == SIGUSR1;
}

int
main(void)
{
   setvbuf(stdout, NULL, _IOLBF, 0);
   int first = in_child(alone, -1);
   CHECK(!first, "the GPU in a child alone (%d)", first);
   int fd = open_render();
   code = program(fd, 0x1000);
   target = create(fd, GROUPS * 32);
   view = map(fd, target, GROUPS * 32, I915_MMAP_OFFSET_WB);
   CHECK(view != MAP_FAILED && !dispatch(fd, code, target) && stored(view, 0x1000), "a kernel of 64 groups");
   int second = in_child(child, fd);
   CHECK(!second, "native in the parent, it runs in a child (%d)", second);
   memset(view, 0, GROUPS * 32);
   CHECK(!dispatch(fd, code, target) && stored(view, 0x1000), "and still in the parent");
   int third = in_child(grandchild, fd);
   CHECK(!third, "and in a child's child (%d)", third);
   CHECK(signal_arrives(), "a blocked signal waits for the client");
   unsigned wrong = many_kernels(fd);
   CHECK(!wrong, "150 new kernels while registers are read (%u wrong)", wrong);
   return smoke_end();
}
