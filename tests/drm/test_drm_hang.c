/* Hangs: what the kernel would say of them, and that others go on. */
#include "rig.h"

#include "eu/isa/asm.h"
#include "gen7_hw.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include "tests/proves.h"

static int real_stderr = -1;

/* The diagnosis of each hang goes to standard error: not what is looked at here. */
static void
mute(void)
{
   int null = open("/dev/null", O_WRONLY);
   fflush(stderr);
   real_stderr = dup(2);
   assert_true(null >= 0 && real_stderr >= 0 && dup2(null, 2) == 2);
   close(null);
}

static int
teardown(void **state)
{
   int ret = rig_teardown(state);
   fflush(stderr);
   if (real_stderr >= 0) {
      dup2(real_stderr, 2);
      close(real_stderr);
      real_stderr = -1;
   }
   return ret;
}

/* A batch that starts itself again for ever. */
static uint32_t
submit_loop(struct drm_file *f, uint32_t ctx, uint64_t ring)
{
   uint32_t batch = new_object(f, 4096);
   uint32_t *map = map_object(f, batch, 4096);
   map[0] = 0x18800100;
   struct drm_i915_gem_relocation_entry reloc = {.target_handle = batch,
                                                 .offset = 4,
                                                 .presumed_offset = UINT64_MAX,
                                                 .read_domains = I915_GEM_DOMAIN_COMMAND};
   struct drm_i915_gem_exec_object2 o = {
       .handle = batch, .relocation_count = 1, .relocs_ptr = (uintptr_t)&reloc};
   struct drm_i915_gem_execbuffer2 x = {
       .buffers_ptr = (uintptr_t)&o, .buffer_count = 1, .flags = ring, .rsvd1 = ctx};
   assert_int_equal(io(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x), 0);
   return batch;
}

static struct drm_i915_reset_stats
stats(struct drm_file *f, uint32_t ctx)
{
   struct drm_i915_reset_stats s = {.ctx_id = ctx};
   assert_int_equal(io(f, DRM_IOCTL_I915_GET_RESET_STATS, &s), 0);
   return s;
}

/* DRM-070: a batch that never ends is reset after the budget; its context counts it, the object's
 * wait ends, and a recoverable context goes on. */
static void
loop_is_reset(void **state)
{
   proves("DRM-070");
   struct rig *r = *state;
   static const uint64_t rings[] = {I915_EXEC_RENDER, I915_EXEC_BSD, I915_EXEC_BLT};
   mute();
   for (int i = 0; i < 3; i++) {
      uint32_t ctx = new_context(r->f), resets = r->k->resets;
      assert_int_equal(stats(r->f, ctx).batch_active, 0);
      uint32_t batch = submit_loop(r->f, ctx, rings[i]);
      assert_int_equal(wait_object(r->f, batch, 20000000000ll), 0);
      assert_int_equal(stats(r->f, ctx).batch_active, 1);
      assert_int_equal(r->k->resets, resets + 1);
      uint32_t target = new_object(r->f, 4096);
      assert_int_equal(store_run(r->f, target, 0, 7, rings[i]), 0);
      assert_int_equal(run_empty(r->f, ctx, rings[i]), 0);
   }
}

/* DRM-071: a context that is not recoverable is banned by its first hang: EIO from then on. */
static void
ban_without_recovery(void **state)
{
   proves("DRM-071");
   struct rig *r = *state;
   uint32_t ctx = new_context(r->f), other = new_context(r->f);
   struct drm_i915_gem_context_param p = {.ctx_id = ctx, .param = I915_CONTEXT_PARAM_RECOVERABLE};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p), 0);
   mute();
   uint32_t batch = submit_loop(r->f, ctx, I915_EXEC_RENDER);
   assert_int_equal(wait_object(r->f, batch, -1), 0);
   assert_int_equal(run_empty(r->f, ctx, I915_EXEC_RENDER), -EIO);
   assert_int_equal(run_empty(r->f, other, I915_EXEC_RENDER), 0);
}

/* DRM-072: three hangs ban a bannable context, and never one that is not bannable. */
static void
ban_after_three(void **state)
{
   proves("DRM-072");
   struct rig *r = *state;
   mute();
   for (uint64_t bannable = 0; bannable < 2; bannable++) {
      uint32_t ctx = new_context(r->f);
      struct drm_i915_gem_context_param p = {
          .ctx_id = ctx, .param = I915_CONTEXT_PARAM_BANNABLE, .value = bannable};
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p), 0);
      for (int i = 0; i < 3; i++)
         assert_int_equal(wait_object(r->f, submit_loop(r->f, ctx, I915_EXEC_BLT), -1), 0);
      assert_int_equal(run_empty(r->f, ctx, I915_EXEC_BLT), bannable ? -EIO : 0);
   }
}

/* DRM-113: what a hang on one engine costs a context is that engine. */
static void
ban_of_one_engine(void **state)
{
   proves("DRM-113");
   struct rig *r = *state;
   uint32_t ctx = new_context(r->f);
   struct drm_i915_gem_context_param p = {.ctx_id = ctx, .param = I915_CONTEXT_PARAM_RECOVERABLE};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p), 0);
   mute();
   assert_int_equal(wait_object(r->f, submit_loop(r->f, ctx, I915_EXEC_BLT), -1), 0);
   assert_int_equal(run_empty(r->f, ctx, I915_EXEC_BLT), -EIO);
   assert_int_equal(run_empty(r->f, ctx, I915_EXEC_RENDER), 0);
}

/* DRM-114: a client whose contexts are banned one after the other gets no more of them. */
static void
ban_of_a_client(void **state)
{
   proves("DRM-114");
   struct rig *r = *state;
   struct drm_file *other = rig_open(r, true);
   struct drm_i915_gem_context_create c = {0};
   mute();
   /* 3, then 3 and 1 for the haste, then 1 for each hang that bans nobody: 9. */
   for (int i = 0; i < 4; i++) {
      struct drm_i915_gem_context_param p = {.param = I915_CONTEXT_PARAM_RECOVERABLE,
                                             .value = i > 1};
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &c), 0);
      p.ctx_id = c.ctx_id;
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p), 0);
      assert_int_equal(wait_object(r->f, submit_loop(r->f, c.ctx_id, I915_EXEC_BLT), -1), 0);
   }
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &c), -EIO);
   assert_int_equal(run_empty(r->f, 0, I915_EXEC_BLT), 0);
   assert_int_equal(io(other, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &c), 0);
   rig_close(other);
}

static void
hang_once(struct drm_file *f, uint32_t ctx)
{
   assert_int_equal(wait_object(f, submit_loop(f, ctx, I915_EXEC_BLT), -1), 0);
}

static uint32_t
context_with(struct drm_file *f, uint64_t param, uint64_t value)
{
   struct drm_i915_gem_context_param p = {.ctx_id = new_context(f), .param = param, .value = value};
   assert_int_equal(io(f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p), 0);
   return p.ctx_id;
}

/* DRM-071, DRM-072, DRM-114: for the ban of a client it is the same whether its contexts were
 * banned by their first hang or by their third; those that are never banned cost it nothing. */
static void
bans_add_up(void **state)
{
   proves("DRM-071", "DRM-072", "DRM-114");
   struct rig *r = *state;
   struct drm_i915_gem_context_create c = {0};
   mute();
   uint32_t immune = context_with(r->f, I915_CONTEXT_PARAM_BANNABLE, 0),
            frail = context_with(r->f, I915_CONTEXT_PARAM_RECOVERABLE, 0),
            third = new_context(r->f);
   for (int i = 0; i < 10; i++)
      hang_once(r->f, immune);
   assert_int_equal(run_empty(r->f, immune, I915_EXEC_BLT), 0);
   hang_once(r->f, frail); /* 3 */
   assert_int_equal(run_empty(r->f, frail, I915_EXEC_BLT), -EIO);
   hang_once(r->f, third); /* 4 */
   hang_once(r->f, third); /* 5 */
   assert_int_equal(run_empty(r->f, third, I915_EXEC_BLT), 0);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &c), 0);
   hang_once(r->f, third); /* 9 */
   assert_int_equal(run_empty(r->f, third, I915_EXEC_BLT), -EIO);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &c), -EIO);
}

/* DRM-114: a hang counts by itself only within 60 seconds of the last one; it is the last one
 * then. */
static void
hangs_far_apart(void **state)
{
   proves("DRM-114");
   struct rig *r = *state;
   static const struct {
      int64_t ago_s;
      unsigned score;
   } hangs[] = {{0, 0}, {61, 0}, {20, 1}, {1000, 1}, {0, 2}};
   mute();
   for (unsigned i = 0; i < 5; i++) {
      kernel_lock(r->k);
      if (r->f->hang_ns)
         r->f->hang_ns -= hangs[i].ago_s * 1000000000; /* as if the last one were so long ago */
      pthread_mutex_unlock(&r->k->lock);
      hang_once(r->f, new_context(r->f));
      assert_int_equal(r->f->ban_score, hangs[i].score);
   }
}

/* DRM-073: work of others behind a hang is run again and completes; it is not lost, so their
 * statistics stay. */
static void
innocent_work_is_replayed(void **state)
{
   proves("DRM-073");
   struct rig *r = *state;
   uint32_t guilty = new_context(r->f), innocent = new_context(r->f);
   uint32_t target = new_object(r->f, 4096);
   struct store s;
   mute();
   store_begin(r->f, &s, target, 0, 0xbee, I915_EXEC_RENDER);
   s.exec.rsvd1 = innocent;
   submit_loop(r->f, guilty, I915_EXEC_RENDER);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
   assert_int_equal(wait_object(r->f, target, -1), 0);
   uint32_t *p = map_object(r->f, target, 4096);
   assert_int_equal(*p, 0xbee);
   assert_int_equal(stats(r->f, guilty).batch_active, 1);
   assert_int_equal(stats(r->f, innocent).batch_active, 0);
   assert_int_equal(stats(r->f, innocent).batch_pending, 0);
   store_done(r->f, &s);
}

/* DRM-070, DRM-071, DRM-073: what the guilty context has behind the hang itself runs if it goes on,
 * and fails if it is banned; that of others runs either way. DRM-113: so does its own on other
 * engines. */
static void
own_work_behind_a_hang(void **state)
{
   proves("DRM-070", "DRM-071", "DRM-073", "DRM-113");
   struct rig *r = *state;
   mute();
   for (unsigned recoverable = 0; recoverable < 2; recoverable++) {
      uint32_t ctx[2] = {context_with(r->f, I915_CONTEXT_PARAM_RECOVERABLE, recoverable),
                         new_context(r->f)};
      struct store s[2];
      submit_loop(r->f, ctx[0], I915_EXEC_RENDER);
      for (unsigned i = 0; i < 2; i++) {
         store_begin(r->f, &s[i], new_object(r->f, 4096), 0, 3 + i, I915_EXEC_RENDER);
         s[i].exec.rsvd1 = ctx[i];
         assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s[i].exec), 0);
      }
      kernel_lock(r->k);
      engine_hang(r->k, &r->k->engine[KERNEL_RCS], "asked for", "");
      pthread_mutex_unlock(&r->k->lock);
      for (unsigned i = 0; i < 2; i++) {
         bool runs = i || recoverable;
         assert_int_equal(wait_object(r->f, s[i].target, -1), 0);
         assert_int_equal(*(uint32_t *)map_object(r->f, s[i].target, 4096), runs ? 3 + i : 0);
         assert_int_equal(stats(r->f, ctx[i]).batch_active, !i);
         assert_int_equal(run_empty(r->f, ctx[i], I915_EXEC_RENDER), runs ? 0 : -EIO);
         assert_int_equal(run_empty(r->f, ctx[i], I915_EXEC_BLT), 0);
         store_done(r->f, &s[i]);
      }
   }
}

/* A store that waits for `fence`, an unsignaled one. */
static void
submit_later(struct rig *r, struct store *s, uint32_t ctx, uint32_t target, struct fence *fence)
{
   store_begin(r->f, s, target, 0, 0xbee, I915_EXEC_RENDER | I915_EXEC_FENCE_IN);
   s->exec.rsvd1 = ctx;
   kernel_lock(r->k);
   int fd = -1;
   assert_non_null(sync_file_create(r->k, fence, &fd));
   pthread_mutex_unlock(&r->k->lock);
   s->exec.rsvd2 = (uint32_t)fd;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s->exec), 0);
   kernel_lock(r->k);
   fd_forget(r->k, fd);
   pthread_mutex_unlock(&r->k->lock);
   close(fd);
}

/* Until nothing is on the ring. */
static void
wait_for_ring(struct rig *r, int engine)
{
   for (bool empty = false; !empty; usleep(1000)) {
      kernel_lock(r->k);
      empty = !r->k->engine[engine].inflight;
      pthread_mutex_unlock(&r->k->lock);
   }
}

/* DRM-073: a context that is closed already hangs and has more on the ring; with the last of it the
 * context goes, in the middle of the reset. What others have queued before and behind it is neither
 * lost nor blamed, and there is one hang. */
static void
closed_context_hangs(void **state)
{
   proves("DRM-073");
   struct rig *r = *state;
   uint32_t target[2] = {new_object(r->f, 4096), new_object(r->f, 4096)}, other = new_context(r->f);
   mute();
   for (int i = 0; i < 3; i++) {
      struct drm_i915_gem_context_destroy d = {.ctx_id = new_context(r->f)};
      uint32_t resets = r->k->resets;
      struct store s[2], more;
      struct fence *gate = fence_create(-1);
      assert_non_null(gate);
      store_begin(r->f, &more, new_object(r->f, 4096), 0, 1, I915_EXEC_RENDER);
      more.exec.rsvd1 = d.ctx_id;
      uint32_t loop = submit_loop(r->f, d.ctx_id, I915_EXEC_RENDER);
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &more.exec), 0);
      for (int n = 0; n < 2; n++)
         submit_later(r, &s[n], other, target[n], gate);
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &d), 0);
      assert_int_equal(wait_object(r->f, loop, -1), 0);
      assert_int_equal(wait_object(r->f, more.target, -1), 0);
      wait_for_ring(r, KERNEL_RCS);
      kernel_lock(r->k);
      fence_signal(gate, 0);
      requests_submit(r->k);
      pthread_mutex_unlock(&r->k->lock);
      for (int n = 0; n < 2; n++) {
         assert_int_equal(wait_object(r->f, target[n], -1), 0);
         assert_int_equal(*(uint32_t *)map_object(r->f, target[n], 4096), 0xbee);
         store_done(r->f, &s[n]);
      }
      assert_int_equal(run_empty(r->f, other, I915_EXEC_RENDER), 0);
      assert_int_equal(r->k->resets, resets + 1);
      assert_int_equal(r->k->kernel_context->banned, 0);
      assert_int_equal(stats(r->f, other).batch_active, 0);
      store_done(r->f, &more);
      fence_unref(gate);
   }
}

/* DRM-074: reset statistics: unknown context ENOENT, flags EINVAL. */
static void
reset_stats_errors(void **state)
{
   proves("DRM-074");
   struct rig *r = *state;
   struct drm_i915_reset_stats s = {.ctx_id = 99};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GET_RESET_STATS, &s), -ENOENT);
   s.ctx_id = 0;
   s.flags = 1;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GET_RESET_STATS, &s), -EINVAL);
   s.flags = 0;
   s.pad = 1;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GET_RESET_STATS, &s), -EINVAL);
   s.pad = 0;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GET_RESET_STATS, &s), 0);
}

/* DRM-075: while a batch runs, its objects are busy, a short wait is ETIME, and other engines work.
 * The batch has a large budget and is cancelled in the end: however long the client is kept from
 * asking, it finds it running. */
static void
busy_while_running(void **state)
{
   proves("DRM-075");
   struct rig *r = *state;
   uint32_t batch = submit_loop(r->f, 0, I915_EXEC_RENDER);
   struct drm_i915_gem_busy b = {.handle = batch};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_BUSY, &b), 0);
   assert_int_equal(b.busy, 1u << (16 + I915_ENGINE_CLASS_RENDER));
   assert_int_equal(wait_object(r->f, batch, 1000), -ETIME);
   uint32_t target = new_object(r->f, 4096);
   assert_int_equal(store_run(r->f, target, 0, 7, I915_EXEC_BLT), 0);
   assert_int_equal(wait_object(r->f, batch, 0), -ETIME);
   kernel_lock(r->k);
   requests_cancel(r->k);
   pthread_mutex_unlock(&r->k->lock);
   assert_int_equal(wait_object(r->f, batch, -1), 0);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_BUSY, &b), 0);
   assert_int_equal(b.busy, 0);
}

/* DRM-076: random batches on every ring: no crash, every wait ends, and the engine works
 * afterwards. */
static void
random_batches(void **state)
{
   proves("DRM-076");
   struct rig *r = *state;
   uint32_t seed = 12345;
   static const uint64_t rings[] = {I915_EXEC_RENDER, I915_EXEC_BSD, I915_EXEC_BLT};
   mute();
   for (int n = 0; n < 60; n++) {
      struct drm_file *f =
          rig_open(r, true); /* a new client: one that hangs that often is banned */
      uint32_t batch = new_object(f, 4096), ctx = new_context(f);
      uint32_t *map = map_object(f, batch, 4096);
      for (int i = 0; i < 1024; i++) {
         seed = seed * 1664525u + 1013904223u;
         map[i] = seed ^ seed >> 15;
         if (n & 1)
            map[i] &= 0x9fffffff; /* more of the command streamer's own */
      }
      struct drm_i915_gem_exec_object2 o = {.handle = batch};
      struct drm_i915_gem_execbuffer2 x = {
          .buffers_ptr = (uintptr_t)&o, .buffer_count = 1, .flags = rings[n % 3], .rsvd1 = ctx};
      assert_int_equal(io(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x), 0);
      assert_int_equal(wait_object(f, batch, 60000000000ll), 0);
      rig_close(f);
   }
   uint32_t target = new_object(r->f, 4096);
   for (int i = 0; i < 3; i++)
      assert_int_equal(store_run(r->f, target, 0, 7, rings[i]), 0);
}

/* The batch of an error state and the objects that the client marked, and no other; the first hang
 * stays until it is cleared; a context may ask not to be told of. DRM-106. */
static void
error_state(void **state)
{
   proves("DRM-106");
   struct rig *r = *state;
   mute();
   uint32_t marked = new_object(r->f, 4096), other = new_object(r->f, 4096),
            batch = new_object(r->f, 4096);
   *(uint32_t *)map_object(r->f, marked, 4096) = 85 * 85 + 1;
   uint32_t *map = map_object(r->f, batch, 4096);
   map[0] = 0x18800100;
   struct drm_i915_gem_relocation_entry reloc = {.target_handle = batch,
                                                 .offset = 4,
                                                 .presumed_offset = UINT64_MAX,
                                                 .read_domains = I915_GEM_DOMAIN_COMMAND};
   struct drm_i915_gem_exec_object2 o[3] = {
       {.handle = marked, .flags = EXEC_OBJECT_CAPTURE | EXEC_OBJECT_PINNED, .offset = 0x123000},
       {.handle = other, .flags = EXEC_OBJECT_PINNED, .offset = 0x456000},
       {.handle = batch, .relocation_count = 1, .relocs_ptr = (uintptr_t)&reloc}};
   struct drm_i915_gem_execbuffer2 x = {
       .buffers_ptr = (uintptr_t)o, .buffer_count = 3, .flags = I915_EXEC_RENDER};
   uint32_t quiet = new_context(r->f);
   struct drm_i915_gem_context_param p = {
       .ctx_id = quiet, .param = I915_CONTEXT_PARAM_NO_ERROR_CAPTURE, .value = 1};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p), 0);
   x.rsvd1 = quiet;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x), 0);
   assert_int_equal(wait_object(r->f, batch, -1), 0);
   assert_null(r->k->error_state);

   x.rsvd1 = 0;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x), 0);
   assert_int_equal(wait_object(r->f, batch, -1), 0);
   kernel_lock(r->k);
   const char *text = r->k->error_state;
   assert_non_null(text);
   /* MI_BATCH_BUFFER_START xor an INSTDONE in which the ring is busy */
   assert_int_equal(strncmp(text, "GPU HANG: ecode 7:1:e77ffefe, in ", 33), 0);
   assert_non_null(strstr(text, "PCI ID: 0x0166\n"));
   assert_non_null(strstr(text, "rcs0 --- batch = "));
   const char *user = strstr(text, "rcs0 --- user = 0x00000000 00123000\n:");
   assert_non_null(user);
   assert_null(strstr(text, "00456000"));
   pthread_mutex_unlock(&r->k->lock);
   submit_loop(r->f, 0, I915_EXEC_BLT);
   uint32_t last = submit_loop(r->f, 0, I915_EXEC_BLT);
   wait_object(r->f, last, -1);
   kernel_lock(r->k);
   assert_ptr_equal(r->k->error_state, text);
   error_state_clear(r->k);
   assert_null(r->k->error_state);
   pthread_mutex_unlock(&r->k->lock);
}

/* The error state is also kept where the user asked for it, under however short a name. DRM-106. */
static void
error_state_is_saved(void **state)
{
   proves("DRM-106");
   struct rig *r = *state;
   char folder[] = "/tmp/pergola-state-XXXXXX", text[64] = {0};
   mute();
   assert_non_null(mkdtemp(folder));
   int home = open(".", O_RDONLY | O_DIRECTORY);
   assert_true(home >= 0 && !chdir(folder));
   strcpy(r->k->options.error_state, "e");
   assert_int_equal(wait_object(r->f, submit_loop(r->f, 0, I915_EXEC_BLT), -1), 0);
   FILE *f = fopen("e", "r");
   size_t got = f ? fread(text, 1, sizeof(text) - 1, f) : 0;
   if (f)
      fclose(f);
   unlink("e");
   assert_int_equal(fchdir(home), 0);
   close(home);
   rmdir(folder);
   assert_true(got > 0);
   assert_int_equal(strncmp(text, "GPU HANG: ecode 7:", 18), 0);
}

/* Where nothing is left of the address space but what running work uses, the checked copy of a
 * batch waits for its end, as any object does. DRM-003, DRM-015. */
static void
copy_waits_for_room(void **state)
{
   proves("DRM-003", "DRM-015");
   struct rig *r = *state;
   struct store s;
   mute();
   uint32_t target = new_object(r->f, 4096), loop = new_object(r->f, 4096),
            wide = new_object(r->f, 4096);
   *(uint32_t *)map_object(r->f, loop, 4096) = 0x18800100; /* starts at 0, where it lies itself */
   struct drm_i915_gem_exec_object2 o[2] = {{.handle = wide,
                                             .flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_PAD_TO_SIZE,
                                             .offset = 0x1000,
                                             .pad_to_size = VM_SIZE - 3 * 4096},
                                            {.handle = loop, .flags = EXEC_OBJECT_PINNED}};
   struct drm_i915_gem_execbuffer2 x = {
       .buffers_ptr = (uintptr_t)o, .buffer_count = 2, .flags = I915_EXEC_BLT};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x), 0);
   store_begin(r->f, &s, target, 0, 9, I915_EXEC_RENDER); /* two pages, and the copy's */
   s.exec.batch_len = 24;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
   assert_int_equal(wait_object(r->f, target, -1), 0);
   assert_int_equal(*(uint32_t *)map_object(r->f, target, 4096), 9);
   store_done(r->f, &s);
}

/* Cancelled work fails, and no context is blamed. DRM-107. */
static void
cancelled(void **state)
{
   proves("DRM-107");
   struct rig *r = *state;
   uint32_t loop = submit_loop(r->f, 0, I915_EXEC_RENDER),
            more = submit_loop(r->f, 0, I915_EXEC_RENDER);
   kernel_lock(r->k);
   assert_true(requests_outstanding(r->k));
   requests_cancel(r->k);
   assert_false(requests_outstanding(r->k));
   assert_int_equal(r->k->engine[KERNEL_RCS].outstanding, 0); /* the watch has nothing to look at */
   pthread_mutex_unlock(&r->k->lock);
   assert_int_equal(wait_object(r->f, loop, 0), 0);
   assert_int_equal(wait_object(r->f, more, 0), 0);
   assert_int_equal(stats(r->f, 0).batch_active, 0);
   uint32_t h = new_object(r->f, 4096);
   assert_int_equal(store_run(r->f, h, 0, 4, I915_EXEC_RENDER), 0);
   assert_int_equal(*(uint32_t *)map_object(r->f, h, 4096), 4);
}

/* What cancelled work has used of the time before a hang is not counted against what comes after
 * it, which may be anybody's. DRM-107. */
static void
cancelled_time_is_forgotten(void **state)
{
   proves("DRM-107");
   struct rig *r = *state;
   uint32_t size = 8 << 20, batch = new_object(r->f, size), ctx = new_context(r->f);
   ((uint32_t *)map_object(r->f, batch, size))[size / 4 - 1] =
       BATCH_END; /* many turns of MI_NOOP */
   submit_loop(r->f, 0, I915_EXEC_BLT);
   kernel_lock(r->k);
   __atomic_store_n(&r->k->engine[KERNEL_BCS].busy_budget, r->k->options.hang_budget,
                    __ATOMIC_RELAXED); /* as if it had run for that long */
   requests_cancel(r->k);
   pthread_mutex_unlock(&r->k->lock);
   struct drm_i915_gem_exec_object2 o = {.handle = batch};
   struct drm_i915_gem_execbuffer2 x = {
       .buffers_ptr = (uintptr_t)&o, .buffer_count = 1, .flags = I915_EXEC_BLT, .rsvd1 = ctx};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x), 0);
   assert_int_equal(wait_object(r->f, batch, -1), 0);
   assert_int_equal(stats(r->f, ctx).batch_active, 0);
   assert_int_equal(r->k->resets, 0);
}

/* What waits for the fence of a batch that does not end is not begun. DRM-053. */
static void
fence_holds_back(void **state)
{
   proves("DRM-053");
   struct rig *r = *state;
   mute();
   uint32_t gate = new_syncobj(r->f, 0), target = new_object(r->f, 4096),
            loop = new_object(r->f, 4096);
   *(uint32_t *)map_object(r->f, loop, 4096) = 0x18800100;
   struct drm_i915_gem_exec_fence fence = {gate, I915_EXEC_FENCE_SIGNAL};
   struct drm_i915_gem_relocation_entry reloc = {.target_handle = loop,
                                                 .offset = 4,
                                                 .presumed_offset = UINT64_MAX,
                                                 .read_domains = I915_GEM_DOMAIN_COMMAND};
   struct drm_i915_gem_exec_object2 o = {
       .handle = loop, .relocation_count = 1, .relocs_ptr = (uintptr_t)&reloc};
   struct drm_i915_gem_execbuffer2 x = {.buffers_ptr = (uintptr_t)&o,
                                        .buffer_count = 1,
                                        .flags = I915_EXEC_RENDER | I915_EXEC_FENCE_ARRAY,
                                        .cliprects_ptr = (uintptr_t)&fence,
                                        .num_cliprects = 1};
   struct store s;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x), 0);
   fence.flags = I915_EXEC_FENCE_WAIT;
   store_begin(r->f, &s, target, 0, 55, I915_EXEC_BLT | I915_EXEC_FENCE_ARRAY);
   s.exec.cliprects_ptr = (uintptr_t)&fence;
   s.exec.num_cliprects = 1;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
   usleep(10000);
   kernel_lock(r->k);
   requests_cancel(r->k);
   pthread_mutex_unlock(&r->k->lock);
   assert_int_equal(wait_object(r->f, target, -1), 0);
   assert_int_equal(*(uint32_t *)map_object(r->f, target, 4096), 0);
   store_done(r->f, &s);
}

/* A batch that stores the same value again and again. */
static void
submit_stores(struct drm_file *f, uint32_t target, uint32_t value)
{
   uint32_t batch = new_object(f, 4096);
   uint32_t *map = map_object(f, batch, 4096);
   const uint32_t commands[] = {STORE_DWORD, 0, 0, value, 0x18800100, 0};
   memcpy(map, commands, sizeof(commands));
   struct drm_i915_gem_relocation_entry reloc[] = {{.target_handle = target,
                                                    .offset = 8,
                                                    .presumed_offset = UINT64_MAX,
                                                    .read_domains = I915_GEM_DOMAIN_RENDER,
                                                    .write_domain = I915_GEM_DOMAIN_RENDER},
                                                   {.target_handle = batch,
                                                    .offset = 20,
                                                    .presumed_offset = UINT64_MAX,
                                                    .read_domains = I915_GEM_DOMAIN_COMMAND}};
   struct drm_i915_gem_exec_object2 o[] = {
       {.handle = target},
       {.handle = batch, .relocation_count = 2, .relocs_ptr = (uintptr_t)reloc}};
   struct drm_i915_gem_execbuffer2 x = {.buffers_ptr = (uintptr_t)o,
                                        .buffer_count = 2,
                                        .flags = I915_EXEC_RENDER,
                                        .rsvd1 = new_context(f)};
   assert_int_equal(io(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x), 0);
}

/* When a reset that a client asked for has been made, the memory of what was running can be
 * another's. DRM-107. */
static void
nothing_runs_after_a_reset(void **state)
{
   proves("DRM-107");
   struct rig *r = *state;
   mute();
   for (int round = 0; round < 10; round++) {
      uint32_t target = new_object(r->f, 4096);
      volatile uint32_t *map = map_object(r->f, target, 4096);
      submit_stores(r->f, target, 7);
      while (!__atomic_load_n(map, __ATOMIC_RELAXED))
         usleep(100);
      kernel_lock(r->k);
      if (round & 1)
         requests_cancel(r->k);
      else
         engine_hang(r->k, &r->k->engine[KERNEL_RCS], "asked for", "");
      __atomic_store_n(map, 8, __ATOMIC_RELAXED);
      pthread_mutex_unlock(&r->k->lock);
      usleep(5000);
      assert_int_equal(__atomic_load_n(map, __ATOMIC_RELAXED), 8);
   }
}

struct neighbour {
   pthread_t thread;
   struct drm_file *f;
   bool stop;
};

static void *
submit_again_and_again(void *data)
{
   struct neighbour *n = data;
   uint32_t batch = new_object(n->f, 4096);
   *(uint32_t *)map_object(n->f, batch, 4096) = BATCH_END;
   struct drm_i915_gem_exec_object2 o = {.handle = batch};
   struct drm_i915_gem_execbuffer2 x = {
       .buffers_ptr = (uintptr_t)&o, .buffer_count = 1, .flags = I915_EXEC_BLT};
   while (!__atomic_load_n(&n->stop, __ATOMIC_RELAXED))
      io(n->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x);
   return NULL;
}

static uint32_t
submit_wait(struct drm_file *f)
{
   static const uint32_t semaphore[] = {0x0b140001, 0x12345678, 0,
                                        BATCH_END}; /* for what no engine ever writes */
   uint32_t batch = new_object(f, 4096);
   memcpy(map_object(f, batch, 4096), semaphore, sizeof(semaphore));
   struct drm_i915_gem_exec_object2 o = {.handle = batch};
   struct drm_i915_gem_execbuffer2 x = {
       .buffers_ptr = (uintptr_t)&o, .buffer_count = 1, .flags = I915_EXEC_RENDER};
   assert_int_equal(io(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x), 0);
   return batch;
}

/* DRM-070: a hang is one also while another engine is given one batch after the other. */
static void
hang_beside_work(void **state)
{
   proves("DRM-070");
   struct rig *r = *state;
   struct neighbour n = {.f = rig_open(r, true)};
   mute();
   assert_int_equal(pthread_create(&n.thread, NULL, submit_again_and_again, &n), 0);
   int loop = wait_object(r->f, submit_loop(r->f, 0, I915_EXEC_RENDER), 60000000000ll);
   int waits = wait_object(r->f, submit_wait(r->f), 60000000000ll);
   __atomic_store_n(&n.stop, true, __ATOMIC_RELAXED);
   pthread_join(n.thread, NULL);
   assert_int_equal(loop, 0);
   assert_int_equal(waits, 0);
   assert_int_equal(r->k->resets, 2);
   rig_close(n.f);
}

/* Has the engine stood since later than that? The runner's thread may take its time to say so. */
static bool
waits_since(const struct rig *r, int64_t than)
{
   const int64_t *since = &r->k->engine[KERNEL_RCS].waits_since;
   for (unsigned n = 0; n < 30000 && __atomic_load_n(since, __ATOMIC_RELAXED) <= than; n++)
      usleep(1000);
   return __atomic_load_n(since, __ATOMIC_RELAXED) > than;
}

/* DRM-116: how long an engine has waited is counted anew when another has run meanwhile. */
static void
wait_begins_again(void **state)
{
   proves("DRM-116");
   struct rig *r = *state;
   uint32_t size = 2 << 20, batch = new_object(r->f, size);
   r->k->options.wait_limit_ns = 600000000000ll;
   submit_wait(r->f);
   assert_true(waits_since(r, 0));
   int64_t before = monotonic_ns() - 60000000000ll; /* as if it were a minute ago */
   __atomic_store_n(&r->k->engine[KERNEL_RCS].waits_since, before, __ATOMIC_RELAXED);
   ((uint32_t *)map_object(r->f, batch, size))[size / 4 - 1] =
       BATCH_END; /* many turns of MI_NOOP */
   struct drm_i915_gem_exec_object2 o = {.handle = batch};
   struct drm_i915_gem_execbuffer2 x = {
       .buffers_ptr = (uintptr_t)&o, .buffer_count = 1, .flags = I915_EXEC_BLT};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x), 0);
   assert_int_equal(wait_object(r->f, batch, -1), 0);
   assert_true(waits_since(r, before));
   mute();
   assert_int_equal(r->k->resets, 0);
   kernel_lock(r->k);
   requests_cancel(r->k);
   pthread_mutex_unlock(&r->k->lock);
}

#define PLACE 0x100000u /* of the object with batch, descriptor and kernel */

/* One GPGPU thread. */
static uint32_t
submit_thread(struct drm_file *f, const char *kernel)
{
   uint32_t object = new_object(f, 8192), *map = map_object(f, object, 8192), n = 0;
   struct eu_program p;
   struct eu_asm_error error;
   if (!eu_asm_text(kernel, strlen(kernel), HW_IVB, &p, &error))
      fail_msg("line %u: %s", error.line, error.message);
   memcpy(map + 0x1000 / 4, p.bytes, p.size);
   eu_program_free(&p);
   gen7_interface_descriptor_data_pack(
       map + 0x800 / 4, &(struct hw_interface_descriptor_data){.kernel_start_pointer = 0x1000});
   const uint32_t bases[] = {0x69040002, 0x61010008, 1, 1, PLACE | 1, 1, PLACE | 1, 1, 1, 1, 1};
   memcpy(map, bases, sizeof(bases));
   n += sizeof(bases) / 4;
   gen7_media_vfe_state_pack(map + n, &(struct hw_media_vfe_state){.maximum_number_of_threads = 7,
                                                                   .number_of_urb_entries = 2,
                                                                   .urb_entry_allocation_size = 2});
   n += GEN7_MEDIA_VFE_STATE_LENGTH;
   const uint32_t load[] = {0x70020002, 0, 32, 0x800};
   memcpy(map + n, load, sizeof(load));
   n += 4;
   gen7_gpgpu_walker_pack(map + n, &(struct hw_gpgpu_walker){.thread_group_id_x_dimension = 1,
                                                             .thread_group_id_y_dimension = 1,
                                                             .thread_group_id_z_dimension = 1,
                                                             .right_execution_mask = ~0u,
                                                             .bottom_execution_mask = ~0u});
   n += GEN7_GPGPU_WALKER_LENGTH;
   map[n] = BATCH_END;
   struct drm_i915_gem_exec_object2 o = {
       .handle = object, .offset = PLACE, .flags = EXEC_OBJECT_PINNED};
   struct drm_i915_gem_execbuffer2 x = {
       .buffers_ptr = (uintptr_t)&o, .buffer_count = 1, .flags = I915_EXEC_RENDER};
   assert_int_equal(io(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x), 0);
   return object;
}

/* DRM-115: the diagnosis of a hang tells of the threads that have not ended. DRM-070: the reset
 * ends them. */
static void
hung_threads_are_told(void **state)
{
   proves("DRM-115", "DRM-070");
   struct rig *r = *state;
   FILE *said = tmpfile();
   assert_non_null(said);
   mute();
   assert_int_equal(dup2(fileno(said), 2), 2);
   uint32_t object = submit_thread(r->f, "again:\n"
                                         "add(8) g11<1>D g10<8,8,1>D 1D { align1 WE_all 1Q };\n"
                                         "while(8) JIP: again { align1 WE_all 1Q };\n");
   assert_int_equal(wait_object(r->f, object, -1), 0);
   assert_int_equal(r->k->resets, 1);
   static char text[8192];
   rewind(said);
   size_t length = fread(text, 1, sizeof(text) - 1, said);
   fclose(said);
   text[length] = 0;
   assert_non_null(strstr(text, "GPGPU thread 0 (0 of 1 in group 0, 0, 0)"));
   assert_non_null(strstr(text, "kernel 0x00101000, at "));
   uint32_t target = new_object(r->f, 4096);
   assert_int_equal(store_run(r->f, target, 0, 7, I915_EXEC_RENDER), 0);
   assert_int_equal(*(uint32_t *)map_object(r->f, target, 4096), 7);
   assert_int_equal(r->k->resets, 1);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, rig_setup_small_budget, teardown)
   const struct CMUnitTest tests[] = {
       T(error_state),
       T(error_state_is_saved),
       T(copy_waits_for_room),
       cmocka_unit_test_setup_teardown(cancelled, rig_setup, teardown),
       cmocka_unit_test_setup_teardown(cancelled_time_is_forgotten, rig_setup, teardown),
       cmocka_unit_test_setup_teardown(fence_holds_back, rig_setup, teardown),
       cmocka_unit_test_setup_teardown(nothing_runs_after_a_reset, rig_setup, teardown),
       cmocka_unit_test_setup_teardown(busy_while_running, rig_setup, teardown),
       cmocka_unit_test_setup_teardown(own_work_behind_a_hang, rig_setup, teardown),
       cmocka_unit_test_setup_teardown(wait_begins_again, rig_setup, teardown),
       T(hung_threads_are_told),
       T(loop_is_reset),
       T(ban_without_recovery),
       T(ban_after_three),
       T(ban_of_one_engine),
       T(ban_of_a_client),
       T(bans_add_up),
       T(hangs_far_apart),
       T(innocent_work_is_replayed),
       T(reset_stats_errors),
       T(random_batches),
       T(closed_context_hangs),
       T(hang_beside_work),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
