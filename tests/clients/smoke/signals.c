/* smoke_signals: signals of the client during its waits, as the kernel has them: EINTR after a
 * handler without SA_RESTART, nothing to be seen after one with it; poll() is interrupted by both.
 */
#include "smoke.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

static volatile sig_atomic_t handled;

static void
handler(int number)
{
   (void)number;
   handled = handled + 1;
}

static void
disturb(int flags, unsigned every_us)
{
   struct sigaction s = {.sa_handler = every_us ? handler : SIG_IGN, .sa_flags = flags};
   struct itimerval t = {{0, every_us}, {0, every_us}};
   handled = 0;
   sigaction(SIGALRM, &s, NULL);
   setitimer(ITIMER_REAL, &t, NULL);
}

static int64_t
now_ns(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return t.tv_sec * 1000000000ll + t.tv_nsec;
}

/* Once: 0 or the errno. */
static int
once(int fd, unsigned long request, void *arg)
{
   return ioctl(fd, request, arg) < 0 ? errno : 0;
}

static uint32_t
endless(int fd)
{
   uint32_t words[2] = {0x18800100, 0}, batch = create(fd, 4096);
   struct drm_i915_gem_pwrite w = {
       .handle = batch, .size = sizeof(words), .data_ptr = (uintptr_t)words};
   struct drm_i915_gem_relocation_entry reloc = {.target_handle = batch,
                                                 .offset = 4,
                                                 .presumed_offset = ~0ull,
                                                 .read_domains = I915_GEM_DOMAIN_COMMAND};
   struct drm_i915_gem_exec_object2 object = {
       .handle = batch, .relocation_count = 1, .relocs_ptr = (uintptr_t)&reloc};
   struct drm_i915_gem_execbuffer2 x = {
       .buffers_ptr = (uintptr_t)&object, .buffer_count = 1, .flags = I915_EXEC_RENDER};
   if (call(fd, DRM_IOCTL_I915_GEM_PWRITE, &w) || call(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x))
      return 0;
   return batch;
}

/* DRM-117: on a host before Linux 5.16 a wait with a limit goes on after every handler. */
static bool
host_ends_limited_waits(void)
{
   return syscall(449, NULL, 0u, 0u, NULL, 0) < 0 &&
          errno == EINVAL; /* futex_waitv is there, and wants something to wait for */
}

static void
interrupted(int fd, uint32_t batch, uint32_t never)
{
   struct drm_i915_gem_wait w = {.bo_handle = batch, .timeout_ns = -1};
   struct drm_syncobj_wait s = {.handles = (uintptr_t)&never,
                                .count_handles = 1,
                                .timeout_nsec = INT64_MAX,
                                .flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT};
   disturb(0, 20000);
   CHECK(once(fd, DRM_IOCTL_I915_GEM_WAIT, &w) == EINTR && handled,
         "a handler ends a wait without limit");
   w.timeout_ns = 60000000000ll;
   if (host_ends_limited_waits())
      CHECK(once(fd, DRM_IOCTL_I915_GEM_WAIT, &w) == EINTR && w.timeout_ns > 40000000000ll &&
                w.timeout_ns < 60000000000ll,
            "of a limited one the rest is given back");
   CHECK(once(fd, DRM_IOCTL_SYNCOBJ_WAIT, &s) == EINTR, "sync objects as well");
   disturb(0, 0);
}

static void
restarted(int fd, uint32_t batch)
{
   struct drm_i915_gem_wait w = {.bo_handle = batch, .timeout_ns = 200000000};
   disturb(SA_RESTART, 10000);
   int64_t start = now_ns();
   CHECK(once(fd, DRM_IOCTL_I915_GEM_WAIT, &w) == ETIME && now_ns() - start >= 200000000 && handled,
         "after handlers with SA_RESTART a wait goes on");
   disturb(0, 0);
}

/* A handler that is entered while the thread works for the kernel ends the wait that follows. */
static void
pending(int fd, uint32_t batch)
{
   unsigned ended = 0;
   disturb(0, 100);
   for (int i = 0; i < 200; i++) {
      struct drm_i915_gem_wait w = {.bo_handle = batch, .timeout_ns = -1};
      ended += once(fd, DRM_IOCTL_I915_GEM_WAIT, &w) == EINTR;
   }
   disturb(0, 0);
   CHECK(ended == 200, "200 waits, all of them ended by signals that come every 100 us");
}

static void
polled(int fd, uint32_t batch)
{
   struct drm_prime_handle p = {.handle = batch};
   call(fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &p);
   struct pollfd list = {.fd = p.fd, .events = POLLOUT};
   disturb(SA_RESTART, 20000);
   CHECK(poll(&list, 1, 60000) < 0 && errno == EINTR, "poll is never begun again");
   disturb(0, 0);
   close(p.fd);
}

static void
storm(int fd)
{
   uint32_t target = create(fd, 4096);
   volatile uint32_t *memory = map(fd, target, 4096, I915_MMAP_OFFSET_WC);
   int wrong = 0;
   disturb(0, 150);
   for (uint32_t i = 0; i < 2000; i++)
      wrong +=
          store(fd, I915_EXEC_BLT, target, 0, i, NULL) || wait_idle(fd, target) || *memory != i;
   CHECK(!wrong && handled > 10, "2000 batches under a storm of signals (%d came)", (int)handled);
   disturb(0, 0);
}

int
main(void)
{
   int fd = open_render();
   struct drm_syncobj_create c = {0};
   call(fd, DRM_IOCTL_SYNCOBJ_CREATE, &c);
   storm(fd);
   uint32_t batch = endless(fd);
   CHECK(batch, "a batch without end is submitted");
   interrupted(fd, batch, c.handle);
   restarted(fd, batch);
   pending(fd, batch);
   polled(fd, batch);
   return smoke_end();
}
