/* Many threads on one file and on many: every result is each one's own. */
#include "rig.h"

#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "tests/proves.h"

#define THREADS 6
#define ROUNDS 40

struct worker {
   pthread_t thread;
   struct rig *r;
   struct drm_file *f;
   uint32_t id;
   bool own_context;
   int failures;
};

static void *
work(void *data)
{
   static const uint64_t rings[] = {I915_EXEC_RENDER, I915_EXEC_BSD, I915_EXEC_BLT};
   struct worker *w = data;
   uint32_t target = new_object(w->f, 4096);
   uint32_t ctx = w->own_context ? new_context(w->f) : 0;
   for (uint32_t i = 0; i < ROUNDS; i++) {
      uint32_t value = w->id << 16 | i, got = 0;
      struct store s;
      store_begin(w->f, &s, target, 4 * i, value, rings[i % 3]);
      s.exec.rsvd1 = ctx;
      s.exec.batch_len = i & 1 ? 24 : 0;
      w->failures += io(w->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec) != 0;
      struct drm_i915_gem_pread p = {
          .handle = target, .offset = 4 * i, .size = 4, .data_ptr = (uintptr_t)&got};
      w->failures += io(w->f, DRM_IOCTL_I915_GEM_PREAD, &p) != 0 || got != value;
      store_done(w->f, &s);
   }
   close_object(w->f, target);
   struct drm_i915_gem_context_destroy d = {.ctx_id = ctx};
   if (w->own_context)
      w->failures += io(w->f, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &d) != 0;
   return NULL;
}

static void
run_workers(struct rig *r, bool own_files, bool own_contexts)
{
   struct worker w[THREADS];
   for (uint32_t i = 0; i < THREADS; i++) {
      w[i] = (struct worker){.r = r,
                             .id = i + 1,
                             .f = own_files ? rig_open(r, true) : r->f,
                             .own_context = own_contexts};
      assert_int_equal(pthread_create(&w[i].thread, NULL, work, &w[i]), 0);
   }
   int failures = 0;
   for (uint32_t i = 0; i < THREADS; i++) {
      pthread_join(w[i].thread, NULL);
      failures += w[i].failures;
      if (own_files)
         rig_close(w[i].f);
   }
   assert_int_equal(failures, 0);
}

/* DRM-080: threads that share a file. */
static void
one_file(void **state)
{
   proves("DRM-080");
   run_workers(*state, false, true);
}

/* DRM-081: threads with a file each. */
static void
many_files(void **state)
{
   proves("DRM-081");
   run_workers(*state, true, true);
}

/* DRM-080: threads that share an address space: page table entries change beside those that are
 * being looked up. */
static void
one_context(void **state)
{
   proves("DRM-080");
   run_workers(*state, false, false);
}

static void
rest(void)
{
   nanosleep(&(struct timespec){0, 1000000}, NULL);
}

struct asker {
   pthread_t thread;
   struct kernel *k;
   bool stop;
};

static void *
ask(void *data)
{
   struct asker *a = data;
   while (!__atomic_load_n(&a->stop, __ATOMIC_RELAXED)) {
      kernel_lock(a->k);
      bus_write(a->k, 0x2098, ~0u); /* HWSTAM */
      bus_read(a->k, 0x2098);
      pthread_mutex_unlock(&a->k->lock);
   }
   return NULL;
}

/* A process may end while others of its threads are inside an ioctl: they are neither left waiting
 * for an answer with the lock held, nor do they post where nobody looks. */
static void
device_stops_beside_clients(void **state)
{
   struct rig *r = *state;
   for (int round = 0; round < 30; round++) {
      struct asker a[3];
      for (int i = 0; i < 3; i++) {
         a[i] = (struct asker){.k = r->k};
         assert_int_equal(pthread_create(&a[i].thread, NULL, ask, &a[i]), 0);
      }
      rest();
      pergola_runner_stop(r->k->runner);
      for (int i = 0; i < 3; i++) {
         __atomic_store_n(&a[i].stop, true, __ATOMIC_RELAXED);
         pthread_join(a[i].thread, NULL);
      }
      kernel_lock(r->k);
      bus_write(r->k, 0x2098, 0xfffffffe);
      uint64_t answer = bus_read(r->k, 0x2098);
      pthread_mutex_unlock(&r->k->lock);
      assert_int_equal(answer, 0xfffffffe);
      assert_int_equal(device_start(r->k), 0);
   }
   assert_int_equal(run_empty(r->f, 0, I915_EXEC_RENDER), 0);
}

/* ---- submissions that have to wait ---- */

/* A sync file that this test signals. */
struct gate {
   struct fence *fence;
   int fd;
};

static struct gate
gate_create(struct rig *r)
{
   struct gate g = {.fence = fence_create(-1)};
   kernel_lock(r->k);
   assert_true(g.fence && sync_file_create(r->k, g.fence, &g.fd));
   pthread_mutex_unlock(&r->k->lock);
   return g;
}

static void
gate_open(struct rig *r, struct gate *g)
{
   kernel_lock(r->k);
   fence_signal(g->fence, 0);
   requests_submit(r->k);
   sync_files_poll(r->k);
   kernel_wake(r->k);
   fence_unref(g->fence);
   fd_forget(r->k, g->fd);
   pthread_mutex_unlock(&r->k->lock);
   close(g->fd);
}

/* The batch is busy until the gate opens: it runs from its 64th byte on, where its end is. */
static void
hold(struct rig *r, struct store *s, const struct gate *g)
{
   s->map[16] = BATCH_END;
   struct drm_i915_gem_exec_object2 o = {.handle = s->batch};
   struct drm_i915_gem_execbuffer2 x = {.buffers_ptr = (uintptr_t)&o,
                                        .buffer_count = 1,
                                        .batch_start_offset = 64,
                                        .flags = I915_EXEC_RENDER | I915_EXEC_FENCE_IN,
                                        .rsvd2 = (uint32_t)g->fd};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x), 0);
}

struct submission {
   pthread_t thread;
   struct rig *r;
   struct store *s;
   int ret;
};

static void *
submit(void *data)
{
   struct submission *s = data;
   s->ret = io(s->r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &s->s->exec);
   return NULL;
}

/* In a thread of its own, which now waits to relocate its batch. */
static void
begin_submission(struct submission *s, struct rig *r, struct store *store)
{
   *s = (struct submission){.r = r, .s = store};
   assert_int_equal(pthread_create(&s->thread, NULL, submit, s), 0);
   for (unsigned waiters = 0; !waiters; rest()) {
      kernel_lock(r->k);
      waiters = r->k->waiters;
      pthread_mutex_unlock(&r->k->lock);
   }
}

static struct fence *
out_fence(struct rig *r, const struct store *s)
{
   struct fd_entry e = fd_find(r->k, (int)(s->exec.rsvd2 >> 32));
   assert_int_equal(e.kind, FD_SYNC_FILE);
   return ((struct sync_file *)e.what)->fence;
}

static bool
done(struct rig *r, struct fence *f)
{
   kernel_lock(r->k);
   bool yes = fence_done(f);
   pthread_mutex_unlock(&r->k->lock);
   return yes;
}

/* Of two submissions to a context the one that is queued later stands for both, also if it began
 * first. */
static void
order_of_submission(void **state)
{
   struct rig *r = *state;
   struct gate busy = gate_create(r), of_first = gate_create(r), of_second = gate_create(r);
   uint32_t ctx = new_context(r->f), target[2] = {new_object(r->f, 4096), new_object(r->f, 4096)};
   struct store s[2];
   for (int i = 0; i < 2; i++) {
      store_begin(r->f, &s[i], target[i], 0, 7,
                  I915_EXEC_RENDER | I915_EXEC_FENCE_IN | I915_EXEC_FENCE_OUT);
      s[i].exec.rsvd1 = ctx;
      s[i].exec.rsvd2 = (uint32_t)(i ? of_second : of_first).fd;
   }
   hold(r, &s[0], &busy);
   struct submission first;
   begin_submission(&first, r, &s[0]);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &s[1].exec), 0);
   gate_open(r, &busy);
   pthread_join(first.thread, NULL);
   assert_int_equal(first.ret, 0);

   kernel_lock(r->k);
   struct fence *both = fence_merge(out_fence(r, &s[0]), out_fence(r, &s[1]));
   pthread_mutex_unlock(&r->k->lock);
   assert_non_null(both);
   gate_open(r, &of_second);
   assert_int_equal(wait_object(r->f, target[1], -1), 0);
   assert_false(done(r, both));
   gate_open(r, &of_first);
   assert_int_equal(wait_object(r->f, target[0], -1), 0);
   assert_true(done(r, both));
   kernel_lock(r->k);
   fence_unref(both);
   pthread_mutex_unlock(&r->k->lock);
   for (int i = 0; i < 2; i++)
      store_done(r->f, &s[i]);
}

/* While a submission waits, memory of the client on the same pages is given back: its own object is
 * there when it runs. */
static void
client_memory_stays(void **state)
{
   struct rig *r = *state;
   struct gate busy = gate_create(r);
   uint32_t *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   assert_ptr_not_equal(memory, MAP_FAILED);
   struct drm_i915_gem_userptr u = {.user_ptr = (uintptr_t)memory, .user_size = 4096};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_USERPTR, &u), 0);
   struct store s;
   store_begin(r->f, &s, u.handle, 8, 0x600d, I915_EXEC_RENDER);
   hold(r, &s, &busy);
   struct submission one;
   begin_submission(&one, r, &s);
   kernel_lock(r->k);
   unsigned before = r->k->users;
   userptr_invalidate(r->k, (uintptr_t)memory, 4096);
   unsigned after = r->k->users;
   pthread_mutex_unlock(&r->k->lock);
   gate_open(r, &busy);
   pthread_join(one.thread, NULL);
   assert_int_equal(before, 1);
   assert_int_equal(after, 0);
   assert_int_equal(one.ret, 0);
   assert_int_equal(wait_object(r->f, u.handle, -1), 0);
   assert_int_equal(memory[2], 0x600d);
   store_done(r->f, &s);
   close_object(r->f, u.handle);
   munmap(memory, 4096);
}

/* The same with a batch in the client's memory: its copy is made of what is there then, or it is
 * EFAULT. */
static void
batch_of_the_client(void **state)
{
   struct rig *r = *state;
   uint32_t *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   assert_ptr_not_equal(memory, MAP_FAILED);
   memory[0] = BATCH_END;
   struct drm_i915_gem_userptr u = {.user_ptr = (uintptr_t)memory, .user_size = 4096};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_USERPTR, &u), 0);
   for (int gone = 0; gone < 2; gone++) {
      struct gate busy = gate_create(r);
      uint32_t target = new_object(r->f, 4096);
      struct store s;
      store_begin(r->f, &s, target, 0, 1, I915_EXEC_RENDER);
      hold(r, &s, &busy);
      struct drm_i915_gem_exec_object2 list[] = {s.object[0], s.object[1], {.handle = u.handle}};
      s.exec.buffers_ptr = (uintptr_t)list;
      s.exec.buffer_count = 3;
      s.exec.batch_len = 8;
      struct submission one;
      begin_submission(&one, r, &s);
      kernel_lock(r->k);
      userptr_invalidate(r->k, (uintptr_t)memory, 4096);
      pthread_mutex_unlock(&r->k->lock);
      if (gone)
         munmap(memory, 4096);
      gate_open(r, &busy);
      pthread_join(one.thread, NULL);
      assert_int_equal(one.ret, gone ? -EFAULT : 0);
      assert_int_equal(wait_object(r->f, target, -1), 0);
      store_done(r->f, &s);
      close_object(r->f, target);
   }
   close_object(r->f, u.handle);
}

#define PATIENCE_NS 20000000000ll

struct waiter {
   pthread_t thread;
   struct drm_file *f;
   uint32_t handle;
   int ret;
   int64_t took_ns;
};

static void *
wait_for_submission(void *data)
{
   struct waiter *w = data;
   int64_t begin = monotonic_ns();
   struct drm_syncobj_wait a = {.handles = (uintptr_t)&w->handle,
                                .count_handles = 1,
                                .flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT,
                                .timeout_nsec = begin + PATIENCE_NS};
   w->ret = io(w->f, DRM_IOCTL_SYNCOBJ_WAIT, &a);
   w->took_ns = monotonic_ns() - begin;
   return NULL;
}

/* Who waits for a sync object to be given a fence hears of one that comes out of a sync file. */
static void
import_wakes(void **state)
{
   struct rig *r = *state;
   struct drm_syncobj_handle e = {.handle = new_syncobj(r->f, DRM_SYNCOBJ_CREATE_SIGNALED),
                                  .flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE};
   assert_int_equal(io(r->f, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &e), 0);
   struct waiter w = {.f = r->f, .handle = new_syncobj(r->f, 0)};
   assert_int_equal(pthread_create(&w.thread, NULL, wait_for_submission, &w), 0);
   for (unsigned waiters = 0; !waiters; rest()) {
      kernel_lock(r->k);
      waiters = r->k->waiters;
      pthread_mutex_unlock(&r->k->lock);
   }
   struct drm_syncobj_handle i = {
       .handle = w.handle, .fd = e.fd, .flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE};
   assert_int_equal(io(r->f, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &i), 0);
   pthread_join(w.thread, NULL);
   assert_int_equal(w.ret, 0);
   assert_true(w.took_ns < PATIENCE_NS);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test_setup_teardown(one_file, rig_setup, rig_teardown),
       cmocka_unit_test_setup_teardown(many_files, rig_setup, rig_teardown),
       cmocka_unit_test_setup_teardown(one_context, rig_setup, rig_teardown),
       cmocka_unit_test_setup_teardown(device_stops_beside_clients, rig_setup, rig_teardown),
       cmocka_unit_test_setup_teardown(order_of_submission, rig_setup, rig_teardown),
       cmocka_unit_test_setup_teardown(client_memory_stays, rig_setup, rig_teardown),
       cmocka_unit_test_setup_teardown(batch_of_the_client, rig_setup, rig_teardown),
       cmocka_unit_test_setup_teardown(import_wakes, rig_setup, rig_teardown),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
