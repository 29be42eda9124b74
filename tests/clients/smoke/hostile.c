/* Programs that do with descriptors, threads and memory what they may, and what they may not: the
 * files of others stay as they are, nothing crashes, nobody waits for ever. Run with a small
 * --hang-budget. */
#include "smoke.h"

#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

/* A batch that jumps to itself until it is found to hang. */
static int
endless(int fd, int *fence)
{
   uint32_t words[4] = {0x18800100, 0, 0x05000000, 0}, batch = create(fd, 4096);
   struct drm_i915_gem_pwrite w = {
       .handle = batch, .size = sizeof(words), .data_ptr = (uintptr_t)words};
   struct drm_i915_gem_relocation_entry reloc = {.target_handle = batch,
                                                 .offset = 4,
                                                 .presumed_offset = ~0ull,
                                                 .read_domains = I915_GEM_DOMAIN_COMMAND};
   struct drm_i915_gem_exec_object2 object = {
       .handle = batch, .relocation_count = 1, .relocs_ptr = (uintptr_t)&reloc};
   struct drm_i915_gem_execbuffer2 x = {.buffers_ptr = (uintptr_t)&object,
                                        .buffer_count = 1,
                                        .flags = I915_EXEC_RENDER | I915_EXEC_FENCE_OUT};
   int ret = call(fd, DRM_IOCTL_I915_GEM_PWRITE, &w);
   if (!ret)
      ret = call(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &x);
   destroy(fd, batch);
   *fence = (int)(x.rsvd2 >> 32);
   return ret;
}

/* The number of a closed fence descriptor becomes a file's; a duplicate of the fence is left. */
static void
reused_number(int fd)
{
   int fence = -1;
   CHECK(!endless(fd, &fence), "a fence");
   int copy = dup(fence);
   close(fence);
   int file = (int)memfd_create("a file of the client's", 0);
   CHECK(file == fence, "its number is a file's now");
   struct pollfd p = {.fd = copy, .events = POLLIN};
   CHECK(poll(&p, 1, 60000) == 1, "the duplicate is told of the end");
   CHECK(lseek(file, 0, SEEK_END) == 0, "and nothing is written into the file");
   CHECK(!endless(fd, &fence), "another fence");
   int second = dup(fence);
   dup2(file, fence);
   p.fd = second;
   CHECK(poll(&p, 1, 60000) == 1 && lseek(file, 0, SEEK_END) == 0, "nor when dup2 has replaced it");
   close(file);
   close(copy);
   close(second);
   close(fence);
}

static uint32_t unsubmitted;

static void *
wait_for_nothing(void *data)
{
   struct timespec now;
   clock_gettime(CLOCK_MONOTONIC, &now);
   struct drm_syncobj_wait w = {.handles = (uintptr_t)&unsubmitted,
                                .count_handles = 1,
                                .flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT,
                                .timeout_nsec = (now.tv_sec + 1) * 1000000000ll + now.tv_nsec};
   call(*(int *)data, DRM_IOCTL_SYNCOBJ_WAIT, &w);
   return NULL;
}

/* An ioctl is no place to be cancelled at. */
static void
cancelled_thread(int fd)
{
   struct drm_syncobj_create c = {0};
   pthread_t thread;
   call(fd, DRM_IOCTL_SYNCOBJ_CREATE, &c);
   unsubmitted = c.handle;
   pthread_create(&thread, NULL, wait_for_nothing, &fd);
   struct timespec t = {0, 200000000};
   nanosleep(&t, NULL);
   pthread_cancel(thread);
   pthread_join(thread, NULL);
   alarm(60); /* ends the program if the next call never returns */
   CHECK(create(fd, 4096), "a thread was cancelled in a wait, others go on");
   alarm(0);
}

static sigjmp_buf out;

static void
jump(int signal)
{
   (void)signal;
   siglongjmp(out, 1);
}

/* A handler leaves a wait by a jump, as watchdogs do. */
static void
jump_out(int fd)
{
   struct drm_syncobj_create c = {0};
   call(fd, DRM_IOCTL_SYNCOBJ_CREATE, &c);
   unsubmitted = c.handle;
   signal(SIGALRM, jump);
   for (volatile int i = 0; i < 5; i++)
      if (!sigsetjmp(out, 1)) {
         ualarm(20000, 0);
         wait_for_nothing(&fd);
      }
   signal(SIGALRM, SIG_DFL);
   alarm(60);
   uint32_t o = create(fd, 4096);
   int wrong = 0;
   for (int i = 0; i < 20; i++)
      wrong += store(fd, I915_EXEC_RENDER, o, 0, 1, NULL) || wait_idle(fd, o);
   alarm(0);
   CHECK(!wrong, "five waits were left by a jump, others end as they should");
   int node = open_render();
   close(node);
   int file = open("/proc/self/exe", O_RDONLY);
   CHECK(file == node && ioctl(file, DRM_IOCTL_I915_GEM_THROTTLE, NULL) < 0 && errno == ENOTTY,
         "and what the thread closes is closed");
   close(file);
}

static int handler_fd;
static volatile sig_atomic_t handled;

static void
use_it(int signal)
{
   (void)signal;
   destroy(handler_fd, create(handler_fd, 4096));
   close(dup(handler_fd));
   handled++;
}

/* A handler that uses the GPU itself, at any time. */
static void
busy_handler(int fd)
{
   struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
   uint32_t o = create(fd, 4096);
   int wrong = 0;
   handler_fd = fd;
   signal(SIGALRM, use_it);
   setitimer(ITIMER_REAL, &often, NULL);
   for (int i = 0; i < 2000 || (handled < 20 && i < 200000); i++)
      wrong += store(fd, 1 + (unsigned)i % 3, o, 0, 1, NULL) != 0 || wait_idle(fd, o);
   setitimer(ITIMER_REAL, &never, NULL);
   signal(SIGALRM, SIG_DFL);
   CHECK(!wrong && handled >= 20, "a signal handler has used the GPU too, %d times", (int)handled);
}

static void
unseen_closes(int fd)
{
   int node = open_render();
   fclose(fdopen(node, "r+"));
   int file = open("/proc/self/exe", O_RDONLY);
   CHECK(file == node, "fclose() frees the number");
   CHECK(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0) != MAP_FAILED,
         "which can be mapped as what it is now");
   CHECK(ioctl(file, DRM_IOCTL_I915_GEM_THROTTLE, NULL) < 0 && errno == ENOTTY, "and is no GPU");
   close(file);
   close(fd);
   closefrom(3);
   int again = open_render();
   uint32_t o = create(again, 4096);
   CHECK(map(again, o, 4096, I915_MMAP_OFFSET_WB) != MAP_FAILED,
         "after closefrom() a new descriptor works");
   close(again);
}

static uint32_t
read_back(int fd, uint32_t handle, uint64_t offset)
{
   uint32_t value = 0;
   struct drm_i915_gem_pread p = {
       .handle = handle, .offset = offset, .size = 4, .data_ptr = (uintptr_t)&value};
   return call(fd, DRM_IOCTL_I915_GEM_PREAD, &p) ? 0 : value;
}

/* A fenced map is the client's to place, cut and protect. In X tiles row 1 is byte 512 of the first
 * tile. */
static void
fenced_maps(int fd)
{
   const size_t size = 65536, half = size / 2;
   uint32_t handle = create(fd, size);
   struct drm_i915_gem_set_tiling t = {
       .handle = handle, .tiling_mode = I915_TILING_X, .stride = 1024};
   call(fd, DRM_IOCTL_I915_GEM_SET_TILING, &t);
   struct drm_i915_gem_mmap_offset a = {.handle = handle, .flags = I915_MMAP_OFFSET_GTT};
   call(fd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &a);
   void *place = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   uint32_t *p =
       mmap(place, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, (off_t)a.offset);
   CHECK(p == place, "a fenced map at a fixed place");
   munmap((char *)p + half, 4096);
   p[1024 / 4] = 0x1eff;
   p[(half + 4096 + 1024) / 4] = 0x719e;
   CHECK(read_back(fd, handle, 512) == 0x1eff, "with a hole in it the left side is still detiled");
   CHECK(read_back(fd, handle, half + 5 * 512) == 0x719e, "and the right side, row 37");
   mprotect(p, half, PROT_READ);
   CHECK(!store(fd, I915_EXEC_BLT, handle, 512, 0x90, NULL), "a store into it");
   struct drm_i915_gem_set_domain d = {.handle = handle, .read_domains = I915_GEM_DOMAIN_GTT};
   CHECK(!call(fd, DRM_IOCTL_I915_GEM_SET_DOMAIN, &d) && p[1024 / 4] == 0x90,
         "is seen in a map made read-only");
   munmap(p, size);
   destroy(fd, handle);
}

static uint32_t
userptr(int fd, void *p, uint64_t size)
{
   struct drm_i915_gem_userptr u = {.user_ptr = (uintptr_t)p, .user_size = size};
   return call(fd, DRM_IOCTL_I915_GEM_USERPTR, &u) ? 0 : u.handle;
}

static void
protected_memory(int fd)
{
   void *fixed = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   uint32_t handle = userptr(fd, fixed, 8192);
   CHECK(handle && store(fd, I915_EXEC_BLT, handle, 0, 1, NULL) == EFAULT,
         "read-only client memory is EFAULT");
   uint32_t *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   handle = userptr(fd, p, 8192);
   CHECK(!store(fd, I915_EXEC_BLT, handle, 0, 1, NULL) && !wait_idle(fd, handle) && p[0] == 1,
         "client memory");
   mprotect(p, 8192, PROT_NONE);
   CHECK(store(fd, I915_EXEC_BLT, handle, 0, 2, NULL) == EFAULT,
         "taken away by mprotect() it is EFAULT");
   mprotect(p, 8192, PROT_READ | PROT_WRITE);
   CHECK(!store(fd, I915_EXEC_BLT, handle, 0, 3, NULL) && !wait_idle(fd, handle) && p[0] == 3,
         "and good again");
}

static int
parameter_to(int fd, uintptr_t value)
{
   struct drm_i915_getparam g = {.param = I915_PARAM_CHIPSET_ID, .value = (int *)value};
   return call(fd, DRM_IOCTL_I915_GETPARAM, &g);
}

/* Each is refused, wherever it comes from: the system, the guard of the device's threads. */
static void
bad_pointers(int fd, const char *when)
{
   uint8_t *page = mmap(NULL, 12288, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   int file = memfd_create("shorter", MFD_CLOEXEC);
   uint8_t *cut = ftruncate(file, 4096)
                      ? MAP_FAILED
                      : mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
   munmap(page + 4096, 4096);
   mprotect(page + 8192, 4096, PROT_READ);
   const struct {
      const char *name;
      uintptr_t pointer;
   } bad[] = {
       {"nowhere", 8},
       {"no address at all", 0x800000000000},
       {"the system's", 0xffff888000000000},
       {"the last byte", UINTPTR_MAX},
       {"a hole", (uintptr_t)page + 4096},
       {"half in a hole", (uintptr_t)page + 4094},
       {"read-only", (uintptr_t)page + 8192},
       {"behind the end of a file", (uintptr_t)cut},
   };
   CHECK(cut != MAP_FAILED && !ftruncate(file, 0), "%s: a file", when);
   for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
      CHECK(parameter_to(fd, bad[i].pointer) == EFAULT, "%s: a value to %s", when, bad[i].name);
      CHECK(call(fd, DRM_IOCTL_I915_GETPARAM, (void *)bad[i].pointer) == EFAULT,
            "%s: an argument, %s", when, bad[i].name);
   }
   uint32_t o = create(fd, 8192);
   struct drm_i915_gem_pwrite w = {.handle = o, .size = 8192, .data_ptr = (uintptr_t)page};
   CHECK(call(fd, DRM_IOCTL_I915_GEM_PWRITE, &w) == EFAULT, "%s: data that ends too soon", when);
   w.size = 4096;
   page[4088] = 0x5a;
   CHECK(!call(fd, DRM_IOCTL_I915_GEM_PWRITE, &w) && read_back(fd, o, 4088) == 0x5a,
         "%s: data that are there", when);
   int *value = (int *)(void *)page;
   CHECK(!parameter_to(fd, (uintptr_t)value) && *value, "%s: a value to a good place", when);
   destroy(fd, o);
   munmap(cut, 4096);
   munmap(page, 4096);
   munmap(page + 8192, 4096);
   close(file);
}

static volatile sig_atomic_t own_faults;

static void
on_own_fault(int number)
{
   own_faults++;
   signal(number, SIG_DFL);
}

/* With the guard's handler in its place, and with one of the program's own there. */
static void
pointers(int fd)
{
   void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   uint32_t handle = userptr(fd, p, 4096);
   CHECK(!store(fd, I915_EXEC_BLT, handle, 0, 1, NULL) && !wait_idle(fd, handle), "client memory");
   bad_pointers(fd, "guarded");
   struct sigaction mine = {.sa_handler = on_own_fault}, before[2];
   sigaction(SIGSEGV, &mine, &before[0]);
   bad_pointers(fd, "own handler");
   sigaction(SIGBUS, &mine, &before[1]);
   sigaction(SIGSEGV, &before[0], NULL);
   bad_pointers(fd, "own handler of the other signal");
   sigaction(SIGBUS, &before[1], NULL);
   bad_pointers(fd, "guarded again");
   CHECK(!own_faults, "the program sees none of that");
   destroy(fd, handle);
   munmap(p, 4096);
}

#define STORES 60000u

/* Stores all over the target, one after the other; does not wait. */
static int
many_stores(int fd, uint32_t target, uint32_t size)
{
   uint32_t batch = create(fd, 16 * STORES + 4096);
   uint32_t *p = map(fd, batch, 16 * STORES + 4096, I915_MMAP_OFFSET_WB);
   struct drm_i915_gem_relocation_entry *reloc = calloc(STORES, sizeof(*reloc));
   for (uint32_t i = 0; i < STORES; i++) {
      p[4 * i] = 0x10000002;
      p[4 * i + 3] = i;
      reloc[i] = (struct drm_i915_gem_relocation_entry){.delta = i * 4096 % size,
                                                        .offset = 16 * i + 8,
                                                        .presumed_offset = ~0ull,
                                                        .read_domains = I915_GEM_DOMAIN_RENDER,
                                                        .write_domain = I915_GEM_DOMAIN_RENDER};
   }
   p[4 * STORES] = 0x05000000;
   struct drm_i915_gem_exec_object2 object[2] = {
       {.handle = target},
       {.handle = batch, .relocation_count = STORES, .relocs_ptr = (uintptr_t)reloc}};
   struct drm_i915_gem_execbuffer2 x = {.buffers_ptr = (uintptr_t)object,
                                        .buffer_count = 2,
                                        .flags = I915_EXEC_RENDER | I915_EXEC_HANDLE_LUT};
   int ret = call(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x);
   munmap(p, 16 * STORES + 4096);
   destroy(fd, batch);
   free(reloc);
   return ret;
}

/* The C library unmaps a large block when it is freed, and moves it when it grows. */
static void
freed_memory(int fd)
{
   const uint32_t size = 8u << 20;
   int wrong = 0;
   for (int i = 0; i < 10; i++) {
      void *block = NULL;
      if (posix_memalign(&block, 4096, size))
         break;
      uint32_t handle = userptr(fd, block, size);
      wrong += many_stores(fd, handle, size);
      if (i & 1)
         block = realloc(block, 8 * size);
      free(block);
      destroy(fd, handle);
   }
   CHECK(!wrong, "client memory is freed while a batch writes it");
}

/* A reset asked for by the client takes an error state, which grows in the C library's hands, while
 * the GPU has memory of the client's. */
static void
reset_by_hand(int fd)
{
   void *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   uint32_t handle = userptr(fd, p, 8192);
   int fence = -1, control = open("/sys/kernel/debug/dri/0/i915_wedged", O_WRONLY);
   CHECK(!store(fd, I915_EXEC_BLT, handle, 0, 1, NULL) && !wait_idle(fd, handle) &&
             !endless(fd, &fence),
         "a batch to be reset");
   alarm(60);
   CHECK(write(control, "-1", 2) == 2, "a reset by hand");
   alarm(0);
   close(fence);
   close(control);
   destroy(fd, handle);
}

int
main(void)
{
   setvbuf(stdout, NULL, _IOLBF, 0);
   int reset = open_render(), hung = open_render(), fd = open_render(); /* three hangs ban */
   reset_by_hand(reset);
   reused_number(hung);
   cancelled_thread(fd);
   jump_out(fd);
   busy_handler(fd);
   fenced_maps(fd);
   bad_pointers(fd, "at first");
   pointers(fd);
   protected_memory(fd);
   freed_memory(fd);
   unseen_closes(fd);
   return smoke_end();
}
