/* The ioctl layer: the input is a list of calls, each a number and the bytes of its argument.
 * Pointers in the arguments are made to lead into the input often enough that calls get past
 * EFAULT. */
#include "kernel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <drm.h>
#include <i915_drm.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const unsigned long requests[] = {
    DRM_IOCTL_VERSION,
    DRM_IOCTL_GET_CAP,
    DRM_IOCTL_GEM_CLOSE,
    DRM_IOCTL_GEM_FLINK,
    DRM_IOCTL_GEM_OPEN,
    DRM_IOCTL_PRIME_HANDLE_TO_FD,
    DRM_IOCTL_PRIME_FD_TO_HANDLE,
    DRM_IOCTL_SYNCOBJ_CREATE,
    DRM_IOCTL_SYNCOBJ_DESTROY,
    DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD,
    DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE,
    DRM_IOCTL_SYNCOBJ_WAIT,
    DRM_IOCTL_SYNCOBJ_RESET,
    DRM_IOCTL_SYNCOBJ_SIGNAL,
    DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT,
    DRM_IOCTL_SYNCOBJ_QUERY,
    DRM_IOCTL_SYNCOBJ_TRANSFER,
    DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL,
    DRM_IOCTL_I915_GETPARAM,
    DRM_IOCTL_I915_GEM_EXECBUFFER2_WR,
    DRM_IOCTL_I915_GEM_EXECBUFFER2_WR,
    DRM_IOCTL_I915_GEM_EXECBUFFER2_WR,
    DRM_IOCTL_I915_GEM_BUSY,
    DRM_IOCTL_I915_GEM_SET_CACHING,
    DRM_IOCTL_I915_GEM_GET_CACHING,
    DRM_IOCTL_I915_GEM_THROTTLE,
    DRM_IOCTL_I915_GEM_CREATE,
    DRM_IOCTL_I915_GEM_CREATE,
    DRM_IOCTL_I915_GEM_CREATE_EXT,
    DRM_IOCTL_I915_GEM_PREAD,
    DRM_IOCTL_I915_GEM_PWRITE,
    DRM_IOCTL_I915_GEM_MMAP,
    DRM_IOCTL_I915_GEM_MMAP_OFFSET,
    DRM_IOCTL_I915_GEM_SET_DOMAIN,
    DRM_IOCTL_I915_GEM_SW_FINISH,
    DRM_IOCTL_I915_GEM_SET_TILING,
    DRM_IOCTL_I915_GEM_GET_TILING,
    DRM_IOCTL_I915_GEM_GET_APERTURE,
    DRM_IOCTL_I915_GEM_MADVISE,
    DRM_IOCTL_I915_GEM_WAIT,
    DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT,
    DRM_IOCTL_I915_GEM_CONTEXT_DESTROY,
    DRM_IOCTL_I915_REG_READ,
    DRM_IOCTL_I915_GET_RESET_STATS,
    DRM_IOCTL_I915_GEM_USERPTR,
    DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM,
    DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM,
    DRM_IOCTL_I915_QUERY,
    DRM_IOCTL_I915_GEM_VM_CREATE,
    DRM_IOCTL_I915_GEM_VM_DESTROY,
    DRM_IOCTL_GET_MAGIC,
    DRM_IOCTL_AUTH_MAGIC,
    DRM_IOCTL_SET_MASTER,
    DRM_IOCTL_DROP_MASTER,
    DRM_IOCTL_GET_CLIENT,
    DRM_IOCTL_GET_STATS,
    DRM_IOCTL_MODE_CREATE_DUMB,
    DRM_IOCTL_MODE_MAP_DUMB,
    DRM_IOCTL_MODE_DESTROY_DUMB,
};
#define REQUESTS (sizeof(requests) / sizeof(requests[0]))

#define SCRATCH 65536u
static uint8_t *scratch;

/* Client memory is the scratch memory alone: an input may find out a true address of this process,
 * and what it then destroys is no fault of the kernel's. */
bool
user_mapped(uint64_t user, uint64_t size)
{
   uint64_t start = (uintptr_t)scratch;
   return user >= start && user <= start + SCRATCH && size <= start + SCRATCH - user;
}

bool
user_writable(uint64_t user, uint64_t size)
{
   return user_mapped(user, size);
}

int
copy_in(void *to, uint64_t user, size_t size)
{
   if (!user_mapped(user, size))
      return -EFAULT;
   memcpy(to, (const void *)(uintptr_t)user, size);
   return 0;
}

int
copy_out(uint64_t user, const void *from, size_t size)
{
   if (!user_mapped(user, size))
      return -EFAULT;
   memcpy((void *)(uintptr_t)user, from, size);
   return 0;
}

static struct kernel *
kernel(void)
{
   static struct kernel *k;
   if (k)
      return k;
   struct kernel_options o;
   const char *error;
   memset(&o, 0, sizeof(o));
   o.check = PERGOLA_CHECK_OFF;
   o.threads = 1;
   o.hang_budget = 400000;
   o.wait_limit_ns = 5000000;
   k = kernel_create(&o, &error);
   if (!k)
      abort();
   return k;
}

static void
clean(struct kernel *k, struct drm_file *f)
{
   pthread_mutex_lock(&k->lock);
   while (k->maps) {
      struct client_map m = k->map[0];
      view_forget(k, m.start, m.end - m.start);
      maps_remove(k, m.start, m.end - m.start);
      munmap((void *)(uintptr_t)m.start, m.end - m.start);
   }
   for (int fd = 0; fd < k->fd_room; fd++)
      if (fd_find(k, fd).kind != FD_NONE) {
         fd_forget(k, fd);
         sys_close(fd);
      }
   drm_file_unref(f);
   /* Nothing of this input may stay: the next one must find the kernel as this one did. */
   for (;;) {
      bool busy = false;
      for (int i = 0; i < ENGINES; i++)
         busy |= k->engine[i].inflight || k->engine[i].queue;
      if (!busy)
         break;
      kernel_wait(k, monotonic_ns() + 100000000);
   }
   shadow_drop_spare(k); /* kept for the next request on purpose */
   if (k->all)
      abort();
   pthread_mutex_unlock(&k->lock);
}

/* Waits for ever are not what is looked for. */
static void
tame(unsigned long request, uint8_t *arg)
{
   if (request == DRM_IOCTL_SYNCOBJ_WAIT)
      ((struct drm_syncobj_wait *)arg)->timeout_nsec = 0;
   if (request == DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT)
      ((struct drm_syncobj_timeline_wait *)arg)->timeout_nsec = 0;
   if (request == DRM_IOCTL_I915_GEM_USERPTR) {
      /* Only memory that is ours to lose: a batch may write what it is given. */
      struct drm_i915_gem_userptr *u = (struct drm_i915_gem_userptr *)arg;
      uint64_t offset = u->user_ptr & (SCRATCH - 1);
      u->user_ptr = (uintptr_t)scratch + offset;
      if (u->user_size > SCRATCH - offset)
         u->user_size = (SCRATCH - offset) & ~(PAGE - 1);
   }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct kernel *k = kernel();
   if (!scratch)
      scratch = mmap(NULL, SCRATCH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   memset(scratch, 0, SCRATCH);
   memcpy(scratch + 4096, data, size < SCRATCH - 4096 ? size : SCRATCH - 4096);
   pthread_mutex_lock(&k->lock);
   struct drm_file *f = drm_file_open(k, size && data[0] & 1);
   pthread_mutex_unlock(&k->lock);
   if (!f)
      return 0;
   size_t at = 1;
   for (int calls = 0; calls < 64 && at + 2 <= size; calls++) {
      unsigned long request = requests[data[at] % REQUESTS];
      unsigned pointers = data[at + 1];
      size_t n = _IOC_SIZE(request);
      uint8_t *arg = scratch; /* itself client memory */
      memset(arg, 0, 256);
      at += 2;
      size_t take = size - at < n ? size - at : n;
      memcpy(arg, data + at, take);
      at += take;
      /* Each bit makes one quad word an address in the scratch memory. */
      for (unsigned i = 0; i < 8 && 8 * (i + 1) <= n; i++)
         if (pointers >> i & 1) {
            uint64_t p;
            memcpy(&p, arg + 8 * i, 8);
            p = (uintptr_t)scratch + (p & (SCRATCH - 8));
            memcpy(arg + 8 * i, &p, 8);
         }
      tame(request, arg);
      drm_file_ioctl(f, request, arg);
   }
   clean(k, f);
   return 0;
}
