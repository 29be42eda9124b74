/* Many threads on one file and on many: every result is each one's own. */
#include "rig.h"

#define THREADS 6
#define ROUNDS 40

struct worker {
   pthread_t thread;
   struct rig *r;
   struct drm_file *f;
   uint32_t id;
   int failures;
};

static void *
work(void *data)
{
   static const uint64_t rings[] = {I915_EXEC_RENDER, I915_EXEC_BSD, I915_EXEC_BLT};
   struct worker *w = data;
   uint32_t target = new_object(w->f, 4096);
   uint32_t ctx = new_context(w->f);
   for (uint32_t i = 0; i < ROUNDS; i++) {
      uint32_t value = w->id << 16 | i, got = 0;
      struct store s;
      store_begin(w->f, &s, target, 4 * i, value, rings[i % 3]);
      s.exec.rsvd1 = ctx;
      s.exec.batch_len = i & 1 ? 24 : 0;
      w->failures += io(w->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec) != 0;
      struct drm_i915_gem_pread p = {.handle = target, .offset = 4 * i, .size = 4,
                                     .data_ptr = (uintptr_t)&got};
      w->failures += io(w->f, DRM_IOCTL_I915_GEM_PREAD, &p) != 0 || got != value;
      store_done(w->f, &s);
   }
   close_object(w->f, target);
   struct drm_i915_gem_context_destroy d = {.ctx_id = ctx};
   w->failures += io(w->f, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &d) != 0;
   return NULL;
}

static void
run_workers(struct rig *r, bool own_files)
{
   struct worker w[THREADS];
   for (uint32_t i = 0; i < THREADS; i++) {
      w[i] = (struct worker){.r = r, .id = i + 1, .f = own_files ? rig_open(r, true) : r->f};
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
   run_workers(*state, false);
}

/* DRM-081: threads with a file each. */
static void
many_files(void **state)
{
   run_workers(*state, true);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(one_file, rig_setup, rig_teardown),
      cmocka_unit_test_setup_teardown(many_files, rig_setup, rig_teardown),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
