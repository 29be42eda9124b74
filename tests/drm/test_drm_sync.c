/* Sync objects, sync files, fences of EXECBUFFER2. */
#include "rig.h"

#include <sys/mman.h>
#include <linux/dma-buf.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <unistd.h>
#include "tests/proves.h"

static int
wait_one(struct drm_file *f, uint32_t handle, uint32_t flags, int64_t in_ns)
{
   struct drm_syncobj_wait w = {.handles = (uintptr_t)&handle,
                                .count_handles = 1,
                                .flags = flags,
                                .timeout_nsec = monotonic_ns() + in_ns};
   return io(f, DRM_IOCTL_SYNCOBJ_WAIT, &w);
}

static int
wait_point(struct drm_file *f, uint32_t handle, uint64_t point, uint32_t flags, int64_t in_ns)
{
   struct drm_syncobj_timeline_wait w = {.handles = (uintptr_t)&handle,
                                         .points = (uintptr_t)&point,
                                         .count_handles = 1,
                                         .flags = flags,
                                         .timeout_nsec = monotonic_ns() + in_ns};
   return io(f, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &w);
}

static uint64_t
query(struct drm_file *f, uint32_t handle, uint32_t flags)
{
   uint64_t value = 0;
   struct drm_syncobj_timeline_array a = {.handles = (uintptr_t)&handle,
                                          .points = (uintptr_t)&value,
                                          .count_handles = 1,
                                          .flags = flags};
   assert_int_equal(io(f, DRM_IOCTL_SYNCOBJ_QUERY, &a), 0);
   return value;
}

#define MS 1000000ll
#define LONG                                                                                       \
   (60000 * MS) /* until the device has done what it has to do: the host may have more to do */

/* DRM-050: a binary sync object: empty EINVAL, signaled at once, reset, signal; bad handles. */
static void
binary(void **state)
{
   proves("DRM-050", "DRM-051");
   struct rig *r = *state;
   uint32_t s = new_syncobj(r->f, 0), done = new_syncobj(r->f, DRM_SYNCOBJ_CREATE_SIGNALED);
   assert_int_equal(wait_one(r->f, s, 0, 0), -EINVAL);
   assert_int_equal(wait_one(r->f, s, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT, MS), -ETIME);
   assert_int_equal(wait_one(r->f, done, 0, 0), 0);
   struct drm_syncobj_array a = {.handles = (uintptr_t)&s, .count_handles = 1};
   assert_int_equal(io(r->f, DRM_IOCTL_SYNCOBJ_SIGNAL, &a), 0);
   assert_int_equal(wait_one(r->f, s, 0, 0), 0);
   assert_int_equal(io(r->f, DRM_IOCTL_SYNCOBJ_RESET, &a), 0);
   assert_int_equal(wait_one(r->f, s, 0, 0), -EINVAL);
   assert_int_equal(wait_one(r->f, 99, 0, 0), -ENOENT);
   assert_int_equal(wait_one(r->f, s, 8, 0), -EINVAL);
   a.count_handles = 0;
   assert_int_equal(io(r->f, DRM_IOCTL_SYNCOBJ_RESET, &a), -EINVAL);
   struct drm_syncobj_create c = {.flags = 2};
   assert_int_equal(io(r->f, DRM_IOCTL_SYNCOBJ_CREATE, &c), -EINVAL);
   struct drm_syncobj_destroy d = {.handle = 99};
   assert_int_equal(io(r->f, DRM_IOCTL_SYNCOBJ_DESTROY, &d), -EINVAL);
   d.handle = s;
   assert_int_equal(io(r->f, DRM_IOCTL_SYNCOBJ_DESTROY, &d), 0);
   assert_int_equal(io(r->f, DRM_IOCTL_SYNCOBJ_DESTROY, &d), -EINVAL);
}

/* DRM-051: of several, any or all; the index of the first that is done. */
static void
any_and_all(void **state)
{
   proves("DRM-051");
   struct rig *r = *state;
   uint32_t h[2] = {new_syncobj(r->f, 0), new_syncobj(r->f, DRM_SYNCOBJ_CREATE_SIGNALED)};
   struct drm_syncobj_wait w = {.handles = (uintptr_t)h,
                                .count_handles = 2,
                                .flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT};
   assert_int_equal(io(r->f, DRM_IOCTL_SYNCOBJ_WAIT, &w), 0);
   assert_int_equal(w.first_signaled, 1);
   w.flags |= DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL;
   assert_int_equal(io(r->f, DRM_IOCTL_SYNCOBJ_WAIT, &w), -ETIME);
   w.handles = 8;
   assert_int_equal(io(r->f, DRM_IOCTL_SYNCOBJ_WAIT, &w), -EFAULT);
}

/* Who asks for memory on this thread gets none. */
static _Thread_local bool no_memory;
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);

void *
__wrap_calloc(size_t n, size_t size)
{
   return no_memory ? NULL : __real_calloc(n, size);
}

/* DRM-050: without memory there is no object, and no wait for one: ENOMEM. */
static void
no_memory_for_syncobjs(void **state)
{
   proves("DRM-050");
   struct rig *r = *state;
   uint32_t s = new_syncobj(r->f, DRM_SYNCOBJ_CREATE_SIGNALED);
   struct drm_syncobj_create c[2] = {{.flags = 0}, {.flags = DRM_SYNCOBJ_CREATE_SIGNALED}};
   struct drm_syncobj_array a = {.handles = (uintptr_t)&s, .count_handles = 1};
   no_memory = true;
   int made = io(r->f, DRM_IOCTL_SYNCOBJ_CREATE, &c[0]),
       done = io(r->f, DRM_IOCTL_SYNCOBJ_CREATE, &c[1]), waited = wait_one(r->f, s, 0, 0),
       reset = io(r->f, DRM_IOCTL_SYNCOBJ_RESET, &a);
   no_memory = false;
   assert_int_equal(made, -ENOMEM);
   assert_int_equal(done, -ENOMEM);
   assert_int_equal(waited, -ENOMEM);
   assert_int_equal(reset, -ENOMEM);
   assert_int_equal(wait_one(r->f, s, 0, 0), 0);
   assert_int_equal(new_syncobj(r->f, 0), s + 1); /* no number is lost either */
}

struct late_signal {
   pthread_t thread;
   struct kernel *k;
   struct fence *fence;
   int64_t deadline;
   bool in_time; /* the wait was asleep, and its time not over */
};

/* Keeps the lock over the end of the wait's time, and signals before it gives it back. */
static void *
signal_late(void *data)
{
   struct late_signal *l = data;
   for (bool asleep = false; !asleep && monotonic_ns() < l->deadline;) {
      kernel_lock(l->k);
      asleep = l->k->waiters;
      if (asleep && monotonic_ns() < l->deadline) {
         l->in_time = true;
         while (monotonic_ns() < l->deadline + 10 * MS)
            usleep(1000);
         fence_signal(l->fence, 0);
      }
      pthread_mutex_unlock(&l->k->lock);
      usleep(100);
   }
   return NULL;
}

/* DRM-051: what is done when the time is over counts, and is told, though nobody woke the wait. */
static void
done_at_the_last_moment(void **state)
{
   proves("DRM-051");
   struct rig *r = *state;
   bool in_time = false;
   for (int64_t limit_ns = 50 * MS; !in_time && limit_ns < LONG; limit_ns *= 2) {
      uint32_t h[2] = {new_syncobj(r->f, 0), new_syncobj(r->f, 0)};
      struct late_signal l = {
          .k = r->k, .fence = fence_create(-1), .deadline = monotonic_ns() + limit_ns};
      assert_non_null(l.fence);
      kernel_lock(r->k);
      assert_int_equal(syncobj_set(syncobj_lookup(r->f, h[1]), 0, l.fence), 0);
      pthread_mutex_unlock(&r->k->lock);
      struct drm_syncobj_wait w = {.handles = (uintptr_t)h,
                                   .count_handles = 2,
                                   .flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT,
                                   .timeout_nsec = l.deadline,
                                   .first_signaled = 77};
      assert_int_equal(pthread_create(&l.thread, NULL, signal_late, &l), 0);
      int ret = io(r->f, DRM_IOCTL_SYNCOBJ_WAIT, &w);
      pthread_join(l.thread, NULL);
      fence_unref(l.fence);
      in_time = l.in_time;
      assert_int_equal(ret, in_time ? 0 : -ETIME);
      assert_int_equal(w.first_signaled, in_time ? 1 : 77);
   }
   assert_true(in_time);
}

/* DRM-052: a timeline: points are reached in order, query tells the last one, a point not yet given
 * is EINVAL unless the wait is for the submission too. */
static void
timeline(void **state)
{
   proves("DRM-052");
   struct rig *r = *state;
   uint32_t s = new_syncobj(r->f, 0);
   uint64_t point = 5;
   struct drm_syncobj_timeline_array a = {
       .handles = (uintptr_t)&s, .points = (uintptr_t)&point, .count_handles = 1};
   assert_int_equal(query(r->f, s, 0), 0);
   assert_int_equal(wait_point(r->f, s, 5, 0, 0), -EINVAL);
   assert_int_equal(io(r->f, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &a), 0);
   assert_int_equal(query(r->f, s, 0), 5);
   assert_int_equal(wait_point(r->f, s, 5, 0, 0), 0);
   assert_int_equal(wait_point(r->f, s, 3, 0, 0), 0);
   assert_int_equal(wait_point(r->f, s, 6, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT, MS), -ETIME);
   point = 9;
   assert_int_equal(io(r->f, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &a), 0);
   assert_int_equal(query(r->f, s, DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED), 9);
   assert_int_equal(wait_point(r->f, s, 6, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE, 0), 0);
   a.flags = 4;
   assert_int_equal(io(r->f, DRM_IOCTL_SYNCOBJ_QUERY, &a), -EINVAL);
   uint32_t to = new_syncobj(r->f, 0);
   struct drm_syncobj_transfer t = {.src_handle = s, .dst_handle = to, .src_point = 9};
   assert_int_equal(io(r->f, DRM_IOCTL_SYNCOBJ_TRANSFER, &t), 0);
   assert_int_equal(wait_one(r->f, to, 0, 0), 0);
   t.src_handle = 99;
   assert_int_equal(io(r->f, DRM_IOCTL_SYNCOBJ_TRANSFER, &t), -ENOENT);
}

/* DRM-052: a transfer gives the other the same fence, and keeps nothing of it. */
static void
transferred_fence(void **state)
{
   proves("DRM-052");
   struct rig *r = *state;
   uint32_t from = new_syncobj(r->f, 0);
   struct fence *fence = fence_create(-1);
   assert_non_null(fence);
   kernel_lock(r->k);
   assert_int_equal(syncobj_set(syncobj_lookup(r->f, from), 0, fence), 0);
   pthread_mutex_unlock(&r->k->lock);
   assert_int_equal(fence->refs, 2);
   struct drm_syncobj_destroy to = {.handle = new_syncobj(r->f, 0)};
   struct drm_syncobj_transfer t = {.src_handle = from, .dst_handle = to.handle};
   assert_int_equal(io(r->f, DRM_IOCTL_SYNCOBJ_TRANSFER, &t), 0);
   assert_int_equal(fence->refs, 3);
   assert_int_equal(wait_one(r->f, to.handle, 0, 0), -ETIME);
   kernel_lock(r->k);
   fence_signal(fence, 0);
   pthread_mutex_unlock(&r->k->lock);
   assert_int_equal(wait_one(r->f, to.handle, 0, 0), 0);
   assert_int_equal(io(r->f, DRM_IOCTL_SYNCOBJ_DESTROY, &to), 0);
   assert_int_equal(fence->refs, 2);
   fence_unref(fence);
}

/* DRM-053: a fence array of EXECBUFFER2: signals when the batch is done; a wait holds the batch
 * back; waiting for an empty sync object is EINVAL; unknown ones ENOENT; unknown flags EINVAL. */
static void
fence_array(void **state)
{
   proves("DRM-053");
   struct rig *r = *state;
   uint32_t target = new_object(r->f, 4096), gate = new_syncobj(r->f, 0),
            done = new_syncobj(r->f, 0);
   struct store s;
   struct drm_i915_gem_exec_fence fence[2] = {{gate, I915_EXEC_FENCE_WAIT},
                                              {done, I915_EXEC_FENCE_SIGNAL}};
   store_begin(r->f, &s, target, 0, 55, I915_EXEC_BLT | I915_EXEC_FENCE_ARRAY);
   s.exec.cliprects_ptr = (uintptr_t)fence;
   s.exec.num_cliprects = 2;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -EINVAL);
   fence[0].flags = I915_EXEC_FENCE_SIGNAL;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
   assert_int_equal(wait_one(r->f, done, 0, LONG), 0);
   assert_int_equal(wait_one(r->f, gate, 0, LONG), 0);
   uint32_t *p = map_object(r->f, target, 4096);
   assert_int_equal(*p, 55);
   fence[0].handle = 99;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -ENOENT);
   fence[0] = (struct drm_i915_gem_exec_fence){gate, 4};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -EINVAL);
   s.exec.cliprects_ptr = 8;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -EFAULT);
   store_done(r->f, &s);
}

/* DRM-054: timeline fences come by extension; together with a fence array they are EINVAL. */
static void
timeline_fences(void **state)
{
   proves("DRM-054");
   struct rig *r = *state;
   uint32_t target = new_object(r->f, 4096), line = new_syncobj(r->f, 0);
   struct store s;
   for (uint64_t point = 1; point <= 4; point++) {
      uint64_t value[2] = {point - 1, point};
      struct drm_i915_gem_exec_fence fence[2] = {{line, point > 1 ? I915_EXEC_FENCE_WAIT : 0},
                                                 {line, I915_EXEC_FENCE_SIGNAL}};
      struct drm_i915_gem_execbuffer_ext_timeline_fences ext = {
          .base.name = DRM_I915_GEM_EXECBUFFER_EXT_TIMELINE_FENCES,
          .fence_count = 2,
          .handles_ptr = (uintptr_t)fence,
          .values_ptr = (uintptr_t)value};
      store_begin(r->f, &s, target, 0, (uint32_t)point,
                  (point & 1 ? I915_EXEC_BLT : I915_EXEC_RENDER) | I915_EXEC_USE_EXTENSIONS);
      s.exec.cliprects_ptr = (uintptr_t)&ext;
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
      s.exec.flags |= I915_EXEC_FENCE_ARRAY;
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -EINVAL);
      s.exec.flags &= ~(uint64_t)I915_EXEC_FENCE_ARRAY;
      ext.values_ptr = 8; /* what cannot be read */
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -EFAULT);
      ext.values_ptr = (uintptr_t)value;
      ext.handles_ptr = 8;
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -EFAULT);
      s.exec.cliprects_ptr = 8;
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -EFAULT);
      store_done(r->f, &s);
   }
   assert_int_equal(wait_point(r->f, line, 4, 0, LONG), 0);
   assert_int_equal(query(r->f, line, 0), 4);
   uint32_t *p = map_object(r->f, target, 4096);
   assert_int_equal(*p, 4);
}

/* DRM-054: of an extension the head can be read, what follows lies in no memory. */
static void
half_an_extension(void **state)
{
   proves("DRM-054");
   struct rig *r = *state;
   uint32_t target = new_object(r->f, 4096);
   struct store s;
   struct i915_user_extension head = {.name = DRM_I915_GEM_EXECBUFFER_EXT_TIMELINE_FENCES};
   uint8_t *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   assert_ptr_not_equal(pages, MAP_FAILED);
   assert_int_equal(mprotect(pages + 4096, 4096, PROT_NONE), 0);
   memcpy(pages + 4096 - sizeof(head), &head, sizeof(head));
   store_begin(r->f, &s, target, 0, 1, I915_EXEC_BLT | I915_EXEC_USE_EXTENSIONS);
   s.exec.cliprects_ptr = (uintptr_t)(pages + 4096 - sizeof(head));
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -EFAULT);
   store_done(r->f, &s);
   munmap(pages, 8192);
}

static int
sync_call(struct rig *r, int fd, unsigned long request, void *arg)
{
   pthread_mutex_lock(&r->k->lock);
   struct fd_entry e = fd_find(r->k, fd);
   assert_int_equal(e.kind, FD_SYNC_FILE);
   int ret = sync_file_ioctl(r->k, e.what, request, arg);
   pthread_mutex_unlock(&r->k->lock);
   return ret;
}

static void
drop_fd(struct rig *r, int fd)
{
   pthread_mutex_lock(&r->k->lock);
   fd_forget(r->k, fd);
   pthread_mutex_unlock(&r->k->lock);
   close(fd);
}

/* DRM-055: FENCE_OUT gives a sync file that polls readable when the batch is done, can be waited
 * for by FENCE_IN, merged, asked, and moved into and out of a sync object. */
static void
sync_files(void **state)
{
   proves("DRM-055");
   struct rig *r = *state;
   uint32_t target = new_object(r->f, 4096);
   struct store s;
   store_begin(r->f, &s, target, 0, 1, I915_EXEC_BLT | I915_EXEC_FENCE_OUT);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &s.exec), 0);
   int one = (int)(s.exec.rsvd2 >> 32);
   struct pollfd p = {.fd = one, .events = POLLIN};
   assert_int_equal(poll(&p, 1, LONG / MS), 1);

   s.map[3] = 2;
   s.exec.flags = I915_EXEC_RENDER | I915_EXEC_FENCE_IN | I915_EXEC_FENCE_OUT;
   s.exec.rsvd2 = 0x80000000u | (uint32_t)one; /* all 32 bits are the number */
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -EINVAL);
   s.exec.rsvd2 = (uint32_t)one;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &s.exec), 0);
   int two = (int)(s.exec.rsvd2 >> 32);
   struct sync_merge_data m = {.name = "both", .fd2 = two};
   assert_int_equal(sync_call(r, one, SYNC_IOC_MERGE, &m), 0);
   p.fd = m.fence;
   assert_int_equal(poll(&p, 1, LONG / MS), 1);
   struct sync_file_info info = {0};
   assert_int_equal(sync_call(r, m.fence, SYNC_IOC_FILE_INFO, &info), 0);
   assert_int_equal(info.status, 1);
   assert_string_equal(info.name, "both");
   info.flags = 1;
   assert_int_equal(sync_call(r, m.fence, SYNC_IOC_FILE_INFO, &info), -EINVAL);
   m.fd2 = 0;
   assert_int_equal(sync_call(r, one, SYNC_IOC_MERGE, &m), -ENOENT);
   assert_int_equal(sync_call(r, one, 1234, &m), -ENOTTY);

   uint32_t o = new_syncobj(r->f, 0);
   struct drm_syncobj_handle h = {
       .handle = o, .flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE, .fd = two};
   assert_int_equal(io(r->f, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &h), 0);
   assert_int_equal(wait_one(r->f, o, 0, 0), 0);
   assert_int_equal(query(r->f, o, DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED), 0); /* no timeline */
   h.flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE;
   assert_int_equal(io(r->f, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &h), 0);
   int three = h.fd;
   p.fd = three;
   assert_int_equal(poll(&p, 1, LONG / MS), 1);
   drop_fd(r, one);
   drop_fd(r, two);
   drop_fd(r, three);
   drop_fd(r, m.fence);
   store_done(r->f, &s);
}

/* DRM-056: a sync object as a descriptor: the other file shares it. */
static void
shared_syncobj(void **state)
{
   proves("DRM-056");
   struct rig *r = *state;
   struct drm_file *two = rig_open(r, true);
   struct drm_syncobj_handle h = {.handle = new_syncobj(r->f, 0)};
   assert_int_equal(io(r->f, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &h), 0);
   struct drm_syncobj_handle g = {.fd = h.fd};
   assert_int_equal(io(two, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &g), 0);
   struct drm_syncobj_array a = {.handles = (uintptr_t)&g.handle, .count_handles = 1};
   assert_int_equal(io(two, DRM_IOCTL_SYNCOBJ_SIGNAL, &a), 0);
   assert_int_equal(wait_one(r->f, h.handle, 0, 0), 0);
   drop_fd(r, h.fd);
   assert_int_equal(io(two, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &g), -EINVAL);
   h.pad = 1;
   assert_int_equal(io(r->f, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &h), -EINVAL);
   rig_close(two);
}

struct create_fence {
   uint32_t value;
   char name[32];
   int32_t fence;
};
#define CREATE_FENCE _IOWR('W', 0, struct create_fence)
#define STEP _IOW('W', 1, uint32_t)

static int
sw_io(struct rig *r, int fd, unsigned long request, void *arg)
{
   pthread_mutex_lock(&r->k->lock);
   struct fd_entry e = fd_find(r->k, fd);
   int ret = e.kind == FD_SW_SYNC ? sw_sync_ioctl(r->k, e.what, request, arg) : -EBADF;
   pthread_mutex_unlock(&r->k->lock);
   return ret;
}

static bool
readable(int fd)
{
   struct pollfd p = {.fd = fd, .events = POLLIN};
   return poll(&p, 1, 0) == 1;
}

static void
forget(struct rig *r, int fd)
{
   pthread_mutex_lock(&r->k->lock);
   fd_forget(r->k, fd);
   pthread_mutex_unlock(&r->k->lock);
   close(fd);
}

/* DRM-103: a software timeline: a fence is signaled when the counter reaches its value; a batch
 * waits for it; without the timeline its fences fail. */
static void
software_timeline(void **state)
{
   proves("DRM-103");
   struct rig *r = *state;
   pthread_mutex_lock(&r->k->lock);
   int timeline = sw_sync_open(r->k, 0);
   pthread_mutex_unlock(&r->k->lock);
   assert_true(timeline >= 0);
   struct create_fence two = {.value = 2, .name = "two"}, never = {.value = 100};
   assert_int_equal(sw_io(r, timeline, CREATE_FENCE, &two), 0);
   assert_int_equal(sw_io(r, timeline, CREATE_FENCE, &never), 0);

   uint32_t h = new_object(r->f, 4096), step = 1;
   struct store s;
   store_begin(r->f, &s, h, 0, 7, I915_EXEC_RENDER | I915_EXEC_FENCE_IN);
   s.exec.rsvd2 = (uint32_t)two.fence;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
   assert_int_equal(sw_io(r, timeline, STEP, &step), 0);
   assert_false(readable(two.fence));
   assert_int_equal(wait_object(r->f, h, 10 * MS), -ETIME);
   assert_int_equal(sw_io(r, timeline, STEP, &step), 0);
   assert_true(readable(two.fence));
   assert_int_equal(wait_object(r->f, h, -1), 0);
   store_done(r->f, &s);

   assert_int_equal(sw_io(r, timeline, STEP, (void *)8), -EFAULT);
   assert_int_equal(sw_io(r, timeline, 0x1234, &step), -ENOTTY);
   assert_false(readable(never.fence));
   forget(r, timeline);
   assert_true(readable(never.fence));
   pthread_mutex_lock(&r->k->lock);
   struct sync_file *file = fd_find(r->k, never.fence).what;
   assert_int_equal(fence_error(file->fence), -ENOENT);
   pthread_mutex_unlock(&r->k->lock);
   forget(r, two.fence);
   forget(r, never.fence);
}

static int
object_io(struct rig *r, uint32_t handle, unsigned long request, void *arg)
{
   kernel_lock(r->k);
   int ret = prime_ioctl(r->k, gem_lookup(r->f, handle), request, arg);
   pthread_mutex_unlock(&r->k->lock);
   return ret;
}

/* DRM-111: what a shared object waits for as a sync file, and a sync file as something it waits
 * for. */
static void
object_fences(void **state)
{
   proves("DRM-111");
   struct rig *r = *state;
   uint32_t h = new_object(r->f, 4096), step = 1;
   kernel_lock(r->k);
   int timeline = sw_sync_open(r->k, 0);
   pthread_mutex_unlock(&r->k->lock);
   struct create_fence one = {.value = 1};
   assert_int_equal(sw_io(r, timeline, CREATE_FENCE, &one), 0);
   struct dma_buf_import_sync_file in = {.flags = DMA_BUF_SYNC_READ, .fd = one.fence};
   assert_int_equal(object_io(r, h, DMA_BUF_IOCTL_IMPORT_SYNC_FILE, &in), 0);
   struct dma_buf_export_sync_file writers = {.flags = DMA_BUF_SYNC_READ},
                                   users = {.flags = DMA_BUF_SYNC_RW};
   assert_int_equal(object_io(r, h, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &writers), 0);
   assert_int_equal(object_io(r, h, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &users), 0);
   assert_true(readable(writers.fd)); /* a reader only */
   assert_false(readable(users.fd));
   assert_int_equal(wait_object(r->f, h, MS), -ETIME);
   assert_int_equal(sw_io(r, timeline, STEP, &step), 0);
   assert_true(readable(users.fd));
   assert_int_equal(wait_object(r->f, h, 0), 0);
   in.flags = 0;
   assert_int_equal(object_io(r, h, DMA_BUF_IOCTL_IMPORT_SYNC_FILE, &in), -EINVAL);
   in = (struct dma_buf_import_sync_file){.flags = DMA_BUF_SYNC_READ, .fd = timeline};
   assert_int_equal(object_io(r, h, DMA_BUF_IOCTL_IMPORT_SYNC_FILE, &in), -EINVAL);
   users.flags = 8;
   assert_int_equal(object_io(r, h, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &users), -EINVAL);
   users.flags = DMA_BUF_SYNC_RW;
   /* arguments that cannot be read, and one that can, but not be answered */
   assert_int_equal(object_io(r, h, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, (void *)8), -EFAULT);
   assert_int_equal(object_io(r, h, DMA_BUF_IOCTL_IMPORT_SYNC_FILE, (void *)8), -EFAULT);
   struct dma_buf_export_sync_file *page =
       mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   assert_ptr_not_equal(page, MAP_FAILED);
   page->flags = DMA_BUF_SYNC_RW;
   assert_int_equal(mprotect(page, 4096, PROT_READ), 0);
   int before = dup(0);
   close(before);
   assert_int_equal(object_io(r, h, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, page), -EFAULT);
   int after = dup(0);
   close(after);
   assert_int_equal(after, before); /* the descriptor that nobody was told of is closed */
   munmap(page, 4096);
   int fd[] = {timeline, one.fence, writers.fd, users.fd};
   for (int i = 0; i < 4; i++)
      forget(r, fd[i]);
}

/* A context that was banned after its submission had begun: the out fence fails, and poll() hears
 * of it. */
static void
fence_of_a_banned_context(void **state)
{
   struct rig *r = *state;
   struct drm_i915_gem_context_create_ext c = {0};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &c), 0);
   kernel_lock(r->k);
   struct context *ctx = context_lookup(r->f, c.ctx_id);
   struct request *q = request_create(r->k, ctx, KERNEL_RCS);
   int fd = -1;
   assert_true(q && sync_file_create(r->k, q->fence, &fd));
   struct pollfd p = {.fd = fd, .events = POLLIN};
   int before = poll(&p, 1, 0);
   ctx->banned |= 1u << KERNEL_RCS;
   request_queue(r->k, q);
   int after = poll(&p, 1, 0),
       error = fence_error(((struct sync_file *)fd_find(r->k, fd).what)->fence);
   fd_forget(r->k, fd);
   pthread_mutex_unlock(&r->k->lock);
   assert_int_equal(before, 0);
   assert_int_equal(after, 1);
   assert_int_equal(error, -EIO);
   close(fd);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
   const struct CMUnitTest tests[] = {
       T(object_fences),
       T(software_timeline),
       T(binary),
       T(any_and_all),
       T(no_memory_for_syncobjs),
       T(done_at_the_last_moment),
       T(timeline),
       T(fence_array),
       T(timeline_fences),
       T(half_an_extension),
       T(sync_files),
       T(shared_syncobj),
       T(fence_of_a_banned_context),
       T(transferred_fence),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
