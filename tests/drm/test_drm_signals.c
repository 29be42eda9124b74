/* Waits and signals: which handlers end a wait, and what is left of its time. */
#include "rig.h"

#include <linux/dma-buf.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
#include "tests/proves.h"

static volatile sig_atomic_t handled;

static void
handler(int number)
{
   (void)number;
   handled = handled + 1;
}

/* From now on a signal every so often. */
static void
disturb(int flags, unsigned every_us)
{
   struct sigaction s = {.sa_handler = handler, .sa_flags = flags};
   struct itimerval t = {{0, every_us}, {0, every_us}};
   handled = 0;
   assert_int_equal(sigaction(SIGALRM, &s, NULL), 0);
   assert_int_equal(setitimer(ITIMER_REAL, &t, NULL), 0);
}

static void
quiet(void)
{
   struct itimerval never = {{0, 0}, {0, 0}};
   assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
   signal(SIGALRM, SIG_DFL);
}

/* A batch that starts itself again for ever. */
static uint32_t
submit_loop(struct drm_file *f)
{
   uint32_t batch = new_object(f, 4096);
   *(uint32_t *)map_object(f, batch, 4096) = 0x18800100;
   struct drm_i915_gem_relocation_entry reloc = {.target_handle = batch,
                                                 .offset = 4,
                                                 .presumed_offset = UINT64_MAX,
                                                 .read_domains = I915_GEM_DOMAIN_COMMAND};
   struct drm_i915_gem_exec_object2 o = {
       .handle = batch, .relocation_count = 1, .relocs_ptr = (uintptr_t)&reloc};
   struct drm_i915_gem_execbuffer2 x = {
       .buffers_ptr = (uintptr_t)&o, .buffer_count = 1, .flags = I915_EXEC_RENDER};
   assert_int_equal(io(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x), 0);
   return batch;
}

static void
end_loops(struct rig *r)
{
   kernel_lock(r->k);
   requests_cancel(r->k);
   pthread_mutex_unlock(&r->k->lock);
}

static int
wait_syncobj(struct drm_file *f, uint32_t handle, int64_t timeout_ns)
{
   struct drm_syncobj_wait w = {
       .handles = (uintptr_t)&handle,
       .count_handles = 1,
       .timeout_nsec = timeout_ns == INT64_MAX ? INT64_MAX : monotonic_ns() + timeout_ns,
       .flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT};
   return io(f, DRM_IOCTL_SYNCOBJ_WAIT, &w);
}

#define SECOND_NS 1000000000ll

/* On a host before Linux 5.16 a wait with a limit goes on after every handler. */
static bool
host_ends_limited_waits(void)
{
   return syscall(449, NULL, 0u, 0u, NULL, 0) < 0 &&
          errno == EINVAL; /* futex_waitv is there, and wants something to wait for */
}

/* DRM-117: a handler without SA_RESTART ends the wait with EINTR; of the time of GEM_WAIT the rest
 * is given back. */
static void
handler_ends_waits(void **state)
{
   proves("DRM-117");
   struct rig *r = *state;
   uint32_t batch = submit_loop(r->f), never = new_syncobj(r->f, 0);
   struct drm_i915_gem_wait w = {.bo_handle = batch, .timeout_ns = -1};
   disturb(0, 30000);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_WAIT, &w), -EINTR);
   assert_int_equal(w.timeout_ns, -1);
   assert_true(handled >= 1);
   if (host_ends_limited_waits()) {
      w.timeout_ns = 60 * SECOND_NS;
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_WAIT, &w), -EINTR);
      assert_in_range(w.timeout_ns, 40 * SECOND_NS,
                      60 * SECOND_NS - 1); /* it may end as soon as it has begun */
      assert_int_equal(wait_syncobj(r->f, never, 60 * SECOND_NS), -EINTR);
   }
   assert_int_equal(wait_syncobj(r->f, never, INT64_MAX), -EINTR);
   struct drm_i915_gem_set_domain d = {
       .handle = batch, .read_domains = I915_GEM_DOMAIN_CPU, .write_domain = I915_GEM_DOMAIN_CPU};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_SET_DOMAIN, &d), -EINTR);
   uint32_t word = 0;
   struct drm_i915_gem_pwrite p = {
       .handle = batch, .offset = 64, .size = 4, .data_ptr = (uintptr_t)&word};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_PWRITE, &p), -EINTR);
   struct drm_i915_gem_caching c = {.handle = batch, .caching = I915_CACHING_CACHED};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_SET_CACHING, &c), -EINTR);
   uint64_t point = 1;
   struct drm_syncobj_timeline_wait t = {.handles = (uintptr_t)&never,
                                         .points = (uintptr_t)&point,
                                         .count_handles = 1,
                                         .timeout_nsec = INT64_MAX,
                                         .flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT};
   assert_int_equal(io(r->f, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &t), -EINTR);
   struct dma_buf_sync y = {.flags = DMA_BUF_SYNC_START | DMA_BUF_SYNC_RW};
   kernel_lock(r->k);
   int synced = prime_ioctl(r->k, gem_lookup(r->f, batch), DMA_BUF_IOCTL_SYNC, &y);
   pthread_mutex_unlock(&r->k->lock);
   assert_int_equal(synced, -EINTR);
   quiet();
   end_loops(r);
}

/* DRM-117: after one with SA_RESTART it goes on, to the end that it has anyway. */
static void
restarted_waits(void **state)
{
   proves("DRM-117");
   struct rig *r = *state;
   uint32_t batch = submit_loop(r->f), never = new_syncobj(r->f, 0);
   struct drm_i915_gem_wait w = {.bo_handle = batch, .timeout_ns = SECOND_NS / 5};
   disturb(SA_RESTART, 10000);
   int64_t start = monotonic_ns();
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_WAIT, &w), -ETIME);
   assert_true(monotonic_ns() - start >= SECOND_NS / 5);
   assert_int_equal(w.timeout_ns, 0);
   assert_true(handled >= 1); /* on a busy host many signals become one */
   start = monotonic_ns();
   assert_int_equal(wait_syncobj(r->f, never, SECOND_NS / 10), -ETIME);
   assert_true(monotonic_ns() - start >= SECOND_NS / 10);
   quiet();
   end_loops(r);
}

/* DRM-117: no wake-up is lost, however often the waits are disturbed. */
static void
disturbed_work(void **state)
{
   proves("DRM-117");
   struct rig *r = *state;
   uint32_t target = new_object(r->f, 4096);
   unsigned interrupted = 0;
   for (int flags = 0; flags < 2; flags++) {
      disturb(flags ? SA_RESTART : 0, 150);
      for (uint32_t i = 0; i < 500; i++) {
         struct store s;
         int ret;
         store_begin(r->f, &s, target, 0, i, i & 1 ? I915_EXEC_RENDER : I915_EXEC_BLT);
         assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
         while ((ret = wait_object(r->f, target, 20 * SECOND_NS)) == -EINTR)
            interrupted++;
         assert_int_equal(ret, 0);
         assert_int_equal(*(volatile uint32_t *)map_object(r->f, target, 4096), i);
         store_done(r->f, &s);
      }
      quiet();
      if (!flags)
         print_message("# %u waits were interrupted\n", interrupted);
      else
         assert_true(handled > 0);
   }
}

/* DRM-117: waits that nobody can begin again go on after a handler: here the one for the user of an
 * object that moves. */
static void
inner_waits_go_on(void **state)
{
   proves("DRM-117");
   struct rig *r = *state;
   uint32_t batch = submit_loop(r->f);
   struct gem_object *o = NULL;
   disturb(0, 10000);
   kernel_lock(r->k);
   o = gem_lookup(r->f, batch);
   int64_t deadline = monotonic_ns() + SECOND_NS / 10;
   int ret = 0;
   while (!(ret = kernel_wait(r->k, deadline)) && gem_busy(o, false))
      ;
   pthread_mutex_unlock(&r->k->lock);
   quiet();
   assert_int_equal(ret, -ETIME);
   assert_true(handled >= 1);
   end_loops(r);
}

/* A signal comes before the sleep. */
static void
wait_with_signal(struct rig *r, int number)
{
   static int (*const waits[])(struct kernel *, int64_t) = {kernel_wait, kernel_wait_interruptible,
                                                            kernel_wait_once};
   for (unsigned restart = 0; restart < 2; restart++)
      for (unsigned i = 0; i < 3; i++) {
         struct sigaction s = {.sa_handler = handler, .sa_flags = restart ? SA_RESTART : 0};
         sigset_t client;
         handled = 0;
         assert_int_equal(sigaction(number, &s, NULL), 0);
         kernel_lock(r->k);
         signals_block(&client);
         kernel_client_mask = &client;
         raise(number);
         assert_int_equal(handled, 0);
         bool at_once = i == 2 || (i == 1 && !restart);
         int64_t begin = monotonic_ns(), limit_ns = at_once ? 60 * SECOND_NS : SECOND_NS / 20;
         int ret = waits[i](r->k, begin + limit_ns);
         kernel_client_mask = NULL;
         pthread_sigmask(SIG_SETMASK, &client, NULL);
         pthread_mutex_unlock(&r->k->lock);
         signal(number, SIG_DFL);
         assert_int_equal(handled, 1);
         assert_int_equal(ret, at_once ? -EINTR : -ETIME);
         assert_true(at_once || monotonic_ns() - begin >= limit_ns);
      }
}

/* DRM-117: a signal that came before the sleep ends the waits that a handler ends, and no other,
 * whichever it is: the first and the last of them too. */
static void
signal_before_the_sleep(void **state)
{
   proves("DRM-117");
   wait_with_signal(*state, SIGUSR1);
   wait_with_signal(*state, SIGHUP);
   wait_with_signal(*state, SIGRTMAX);
}

#define OLD_NS 20000000ll

/* Throttles as soon as something is submitted. False if the host has let so much time pass in
 * between that there is nothing to be learnt. */
static bool
throttle_at_once(struct rig *r)
{
   int64_t begin = monotonic_ns();
   submit_loop(r->f);
   int ret = io(r->f, DRM_IOCTL_I915_GEM_THROTTLE, NULL);
   if (monotonic_ns() - begin >= OLD_NS)
      return false;
   assert_int_equal(ret, 0);
   return true;
}

/* DRM-118: throttling waits for what the client submitted more than 20 ms ago, and for nothing
 * else. */
static void
throttle(void **state)
{
   proves("DRM-118");
   struct rig *r = *state;
   struct drm_file *other = rig_open(r, true);
   disturb(0, 20000); /* no wait is longer */
   while (!throttle_at_once(r))
      end_loops(r);
   struct timespec t = {0, 2 * OLD_NS}, left;
   while (nanosleep(&t, &left))
      t = left;
   assert_int_equal(io(other, DRM_IOCTL_I915_GEM_THROTTLE, NULL), 0); /* another's */
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_THROTTLE, NULL), -EINTR);
   quiet();
   end_loops(r);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_THROTTLE, NULL), 0);
   rig_close(other);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
   const struct CMUnitTest tests[] = {
       T(handler_ends_waits), T(restarted_waits),         T(disturbed_work),
       T(inner_waits_go_on),  T(signal_before_the_sleep), T(throttle),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
