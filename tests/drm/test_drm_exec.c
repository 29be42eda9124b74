/* EXECBUFFER2: stores on every ring, relocation, placement, flags, exact errors. */
#include "rig.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>
#include "tests/proves.h"

static const uint64_t rings[] = {I915_EXEC_DEFAULT, I915_EXEC_RENDER, I915_EXEC_BSD, I915_EXEC_BLT};
#define RINGS (sizeof(rings) / sizeof(rings[0]))

static uint32_t
read_word(struct drm_file *f, uint32_t handle, uint32_t offset)
{
   uint32_t value = 0xdeadbeef;
   struct drm_i915_gem_pread r = {
       .handle = handle, .offset = offset, .size = 4, .data_ptr = (uintptr_t)&value};
   assert_int_equal(io(f, DRM_IOCTL_I915_GEM_PREAD, &r), 0);
   return value;
}

/* DRM-001: ring selectors 0 and 1 are render, 2 the video engine, 3 the blitter. */
static void
store_on_every_ring(void **state)
{
   proves("DRM-001");
   struct rig *r = *state;
   uint32_t target = new_object(r->f, 4096);
   for (size_t i = 0; i < RINGS; i++) {
      uint32_t before = r->k->engine[i < 2 ? 0 : i - 1].seqno;
      assert_int_equal(
          store_run(r->f, target, 4 * (uint32_t)i, 0xc0de0000u + (uint32_t)i, rings[i]), 0);
      assert_int_equal(read_word(r->f, target, 4 * (uint32_t)i), 0xc0de0000u + i);
      assert_true(r->k->engine[i < 2 ? 0 : i - 1].seqno > before);
   }
}

/* DRM-002: a ring that the part does not have is EINVAL, and so is a BSD selector on another ring.
 */
static void
absent_rings(void **state)
{
   proves("DRM-002");
   struct rig *r = *state;
   for (uint64_t ring = I915_EXEC_VEBOX; ring <= I915_EXEC_RING_MASK; ring++)
      assert_int_equal(run_empty(r->f, 0, ring), -EINVAL);
   assert_int_equal(run_empty(r->f, 0, I915_EXEC_RENDER | I915_EXEC_BSD_RING1), -EINVAL);
   assert_int_equal(run_empty(r->f, 0, I915_EXEC_BSD | I915_EXEC_BSD_RING1), 0);
}

/* DRM-003: with batch_len the command parser runs, and a store still works (the checked copy). */
static void
parsed_batch(void **state)
{
   proves("DRM-003");
   struct rig *r = *state;
   uint32_t target = new_object(r->f, 4096);
   for (size_t i = 0; i < RINGS; i++) {
      struct store s;
      store_begin(r->f, &s, target, 64 + 4 * (uint32_t)i, 77 + (uint32_t)i, rings[i]);
      s.exec.batch_len = 24;
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
      assert_int_equal(wait_object(r->f, target, -1), 0);
      assert_int_equal(read_word(r->f, target, 64 + 4 * (uint32_t)i), 77 + i);
      store_done(r->f, &s);
   }
}

/* The copy of one request serves the next one of its size, and shows nothing of it. */
static void
copy_is_kept(void **state)
{
   struct rig *r = *state;
   const uint32_t lengths[] = {4088, 24, 4096, 24};
   uint32_t target = new_object(r->f, 4096);
   struct gem_object *before = NULL;
   for (uint32_t i = 0; i < 4; i++) {
      struct store s;
      store_begin(r->f, &s, target, 4 * i, 50 + i, rings[i % RINGS]);
      for (uint32_t j = 5; j < lengths[i] / 4; j++)
         s.map[j] = 0xdeadbeef; /* behind the end */
      s.exec.batch_len = lengths[i];
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
      assert_int_equal(wait_object(r->f, target, -1), 0);
      assert_int_equal(read_word(r->f, target, 4 * i), 50 + i);
      store_done(r->f, &s);
      kernel_lock(r->k);
      struct gem_object *o = r->k->spare;
      assert_non_null(o);
      assert_null(o->vmas);
      assert_int_equal(o->size, i == 2 ? 8192 : 4096);
      if (i == 1)
         assert_ptr_equal(o, before);
      for (uint64_t j = lengths[i] + 8; j < o->size; j++)
         assert_int_equal(o->host[j], 0);
      before = o;
      pthread_mutex_unlock(&r->k->lock);
   }
}

/* DRM-004: an allowed register load takes effect in a checked batch and is a no-op in one that the
 * parser refuses; neither is an error. */
static void
privileges_by_the_parser(void **state)
{
   proves("DRM-004");
   struct rig *r = *state;
   uint32_t target = new_object(r->f, 4096);
   for (int refuse = 0; refuse < 2; refuse++) {
      struct store s;
      store_begin(r->f, &s, target, 128 + 4 * (uint32_t)refuse, 0, I915_EXEC_RENDER);
      uint32_t *b = s.map;
      uint32_t n = 0;
      b[n++] = 0x11000001; /* MI_LOAD_REGISTER_IMM GPGPU_DISPATCHDIMX */
      b[n++] = 0x2500;
      b[n++] = 1234;
      b[n++] = 0x12000001; /* MI_STORE_REGISTER_MEM */
      b[n++] = 0x2500;
      s.reloc.offset = 4 * n;
      b[n++] = 0;
      if (refuse)
         b[n++] = 0x01000000; /* MI_USER_INTERRUPT */
      b[n++] = BATCH_END;
      b[n++] = 0;
      s.exec.batch_len = (n * 4 + 7) & ~7u;
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
      assert_int_equal(wait_object(r->f, target, -1), 0);
      store_done(r->f, &s);
   }
   assert_int_equal(read_word(r->f, target, 128), 1234);
   assert_int_equal(read_word(r->f, target, 132), 0);
}

/* DRM-005: a malformed batch (no end, a command that runs over it) with batch_len is EINVAL. */
static void
parser_refuses_malformed(void **state)
{
   proves("DRM-005");
   struct rig *r = *state;
   uint32_t target = new_object(r->f, 4096);
   struct store s;
   store_begin(r->f, &s, target, 0, 5, I915_EXEC_RENDER);
   s.map[4] = 0;
   s.exec.batch_len = 24;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -EINVAL);
   s.map[4] = 0x7a0000fe; /* longer than what is left */
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -EINVAL);
   assert_int_equal(read_word(r->f, target, 0), 0);
   store_done(r->f, &s);
}

/* DRM-006: the placement is written back, and stays; with it NO_RELOC needs no relocation at all.
 */
static void
placement_is_stable(void **state)
{
   proves("DRM-006");
   struct rig *r = *state;
   uint32_t target = new_object(r->f, 8192);
   struct store s;
   store_begin(r->f, &s, target, 16, 1, I915_EXEC_RENDER);
   s.object[0].offset = s.object[1].offset = UINT64_MAX;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
   assert_int_equal(wait_object(r->f, target, -1), 0);
   uint64_t at = s.object[0].offset;
   assert_true(at < VM_SIZE && !(at & 4095));
   assert_int_equal(s.reloc.presumed_offset, at);
   assert_int_equal(s.map[2], at + 16);

   s.map[3] = 2;
   s.exec.flags |= I915_EXEC_NO_RELOC;
   s.reloc.offset = 1; /* would be refused if it were looked at */
   s.object[0].flags = EXEC_OBJECT_WRITE;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
   assert_int_equal(s.object[0].offset, at);
   assert_int_equal(wait_object(r->f, target, -1), 0);
   assert_int_equal(read_word(r->f, target, 16), 2);
   s.object[0].offset = at + 0x1000000; /* the client errs: the object stays where it is */
   s.exec.flags &= ~(uint64_t)I915_EXEC_NO_RELOC;
   s.reloc.offset = 8;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
   assert_int_equal(s.object[0].offset, at);
   store_done(r->f, &s);
}

/* DRM-006: it takes both, NO_RELOC and right offsets: without the flag relocations are looked at
 * though every object is where the client says. */
static void
right_offsets_without_the_flag(void **state)
{
   proves("DRM-006");
   struct rig *r = *state;
   uint32_t target = new_object(r->f, 8192);
   struct store s;
   store_begin(r->f, &s, target, 16, 1, I915_EXEC_RENDER);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
   assert_int_equal(wait_object(r->f, target, -1), 0);
   s.map[3] = 2;
   s.reloc.delta = 32; /* another place, so that the entry is in need of it */
   s.reloc.presumed_offset = UINT64_MAX;
   uint64_t at[2] = {s.object[0].offset, s.object[1].offset};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
   assert_int_equal(wait_object(r->f, target, -1), 0);
   assert_true(s.object[0].offset == at[0] && s.object[1].offset == at[1]);
   assert_int_equal(s.map[2], at[0] + 32);
   assert_int_equal(s.reloc.presumed_offset, at[0]);
   assert_int_equal(read_word(r->f, target, 16), 1);
   assert_int_equal(read_word(r->f, target, 32), 2);
   s.reloc.presumed_offset = UINT64_MAX;
   s.reloc.offset = 1;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -EINVAL);
   store_done(r->f, &s);
}

/* DRM-007: NO_RELOC with a wrong offset relocates after all. */
static void
no_reloc_with_wrong_offset(void **state)
{
   proves("DRM-007");
   struct rig *r = *state;
   uint32_t target = new_object(r->f, 4096), other = new_object(r->f, 4096);
   assert_int_equal(store_run(r->f, other, 0, 1, I915_EXEC_RENDER), 0); /* takes a place */
   struct store s;
   store_begin(r->f, &s, target, 0, 9, I915_EXEC_RENDER | I915_EXEC_NO_RELOC);
   s.object[0].offset = 12345; /* no page: cannot be honoured */
   s.object[0].flags = EXEC_OBJECT_WRITE;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
   assert_int_not_equal(s.object[0].offset, 12345);
   assert_int_equal(wait_object(r->f, target, -1), 0);
   assert_int_equal(read_word(r->f, target, 0), 9);
   store_done(r->f, &s);
}

/* DRM-008: HANDLE_LUT makes the target an index; an index past the end is ENOENT. */
static void
handle_lut(void **state)
{
   proves("DRM-008");
   struct rig *r = *state;
   uint32_t target = new_object(r->f, 4096);
   struct store s;
   store_begin(r->f, &s, target, 8, 42, I915_EXEC_RENDER | I915_EXEC_HANDLE_LUT);
   s.reloc.target_handle = 0;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
   assert_int_equal(wait_object(r->f, target, -1), 0);
   assert_int_equal(read_word(r->f, target, 8), 42);
   s.reloc.target_handle = 2;
   s.reloc.presumed_offset = UINT64_MAX;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -ENOENT);
   store_done(r->f, &s);
}

/* DRM-009: BATCH_FIRST takes element 0 as the batch. */
static void
batch_first(void **state)
{
   proves("DRM-009");
   struct rig *r = *state;
   uint32_t target = new_object(r->f, 4096);
   struct store s;
   store_begin(r->f, &s, target, 0, 31, I915_EXEC_RENDER | I915_EXEC_BATCH_FIRST);
   struct drm_i915_gem_exec_object2 swap = s.object[0];
   s.object[0] = s.object[1];
   s.object[1] = swap;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
   assert_int_equal(wait_object(r->f, target, -1), 0);
   assert_int_equal(read_word(r->f, target, 0), 31);
   store_done(r->f, &s);
}

/* DRM-010: a pinned object is placed where the client says, at address 0 too; a place past the end
 * is EINVAL, one that another pinned object has is ENOSPC. */
static void
softpin(void **state)
{
   proves("DRM-010");
   struct rig *r = *state;
   uint32_t target = new_object(r->f, 4096);
   struct store s;
   uint64_t places[] = {0, 0x10000, VM_SIZE - 4096};
   for (size_t i = 0; i < 3; i++) {
      store_begin(r->f, &s, target, 4, 100 + (uint32_t)i, I915_EXEC_RENDER | I915_EXEC_NO_RELOC);
      s.object[0].offset = places[i];
      s.object[0].flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_WRITE;
      s.object[1].offset = 0x200000;
      s.object[1].flags = EXEC_OBJECT_PINNED;
      s.object[1].relocation_count = 0;
      s.map[2] = (uint32_t)places[i] + 4;
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
      assert_int_equal(s.object[0].offset, places[i]);
      assert_int_equal(wait_object(r->f, target, -1), 0);
      assert_int_equal(read_word(r->f, target, 4), 100 + i);
      s.object[0].offset = VM_SIZE;
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -EINVAL);
      s.object[0].offset = 0x200000;
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -ENOSPC);
      s.object[0].offset = 0x300010;
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -EINVAL);
      store_done(r->f, &s);
   }
}

/* A batch that names an object, and starts itself again until its first dword says
 * otherwise: what it returns. */
static uint32_t *
begin_loop(struct drm_file *f, uint64_t ring, uint32_t object, uint64_t flags, uint64_t place)
{
   uint32_t batch = new_object(f, 4096), *map = map_object(f, batch, 4096);
   map[0] = 0x18800100;
   struct drm_i915_gem_relocation_entry reloc = {.target_handle = batch,
                                                 .offset = 4,
                                                 .presumed_offset = UINT64_MAX,
                                                 .read_domains = I915_GEM_DOMAIN_COMMAND};
   struct drm_i915_gem_exec_object2 o[2] = {
       {.handle = object, .flags = flags, .offset = place},
       {.handle = batch, .relocation_count = 1, .relocs_ptr = (uintptr_t)&reloc}};
   struct drm_i915_gem_execbuffer2 x = {
       .buffers_ptr = (uintptr_t)o, .buffer_count = 2, .flags = ring};
   assert_int_equal(io(f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x), 0);
   return map;
}

static void
end_loop(uint32_t *map)
{
   __atomic_store_n(map, BATCH_END, __ATOMIC_RELEASE);
}

struct end_later {
   pthread_t thread;
   uint32_t *map;
   bool ended;
};

static void *
end_after_a_while(void *data)
{
   struct end_later *e = data;
   usleep(30000);
   __atomic_store_n(&e->ended, true, __ATOMIC_RELEASE);
   end_loop(e->map);
   return NULL;
}

/* DRM-010, DRM-015: only idle objects leave their place: one that shall be elsewhere moves when the
 * batch that reads it has ended. */
static void
busy_objects_stay(void **state)
{
   proves("DRM-010", "DRM-015");
   struct rig *r = *state;
   r->k->options.hang_budget = UINT64_MAX; /* whatever time the host takes */
   uint32_t target = new_object(r->f, 4096);
   struct store s;
   store_begin(r->f, &s, target, 0, 5, I915_EXEC_RENDER);
   s.object[0].flags = EXEC_OBJECT_PINNED;
   s.object[0].offset = 0x200000;
   struct end_later e = {.map =
                             begin_loop(r->f, I915_EXEC_BLT, target, EXEC_OBJECT_PINNED, 0x100000)};
   assert_int_equal(pthread_create(&e.thread, NULL, end_after_a_while, &e), 0);
   int ret = io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec);
   bool ended = __atomic_load_n(&e.ended, __ATOMIC_ACQUIRE);
   pthread_join(e.thread, NULL);
   assert_int_equal(ret, 0);
   assert_true(ended);
   assert_int_equal(s.object[0].offset, 0x200000);
   assert_int_equal(wait_object(r->f, target, -1), 0);
   assert_int_equal(read_word(r->f, target, 0), 5);
   store_done(r->f, &s);
}

/* DRM-011: alignment is honoured; one that is no power of two is EINVAL. */
static void
alignment(void **state)
{
   proves("DRM-011");
   struct rig *r = *state;
   uint32_t target = new_object(r->f, 4096);
   struct store s;
   store_begin(r->f, &s, target, 0, 3, I915_EXEC_RENDER);
   s.object[0].offset = 0x30001000; /* free: what the client believes is made true */
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
   assert_int_equal(s.object[0].offset, 0x30001000);
   s.object[0].flags = EXEC_OBJECT_PINNED;
   s.object[0].offset = 0x30003000;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
   s.object[0].offset = 0x30003800;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -EINVAL);
   s.object[0].flags = 0;
   s.object[0].offset = 0x30001000;
   s.object[0].alignment = 1 << 20;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
   assert_int_equal(s.object[0].offset & 0xfffff, 0);
   assert_int_equal(wait_object(r->f, target, -1), 0);
   s.object[0].alignment = 3 << 12;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -EINVAL);
   s.object[0].alignment = 0;
   s.object[0].flags = EXEC_OBJECT_PAD_TO_SIZE;
   s.object[0].pad_to_size = 4097;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -EINVAL);
   s.object[0].pad_to_size = 1 << 16;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
   store_done(r->f, &s);
}

/* DRM-012: every bad argument of EXECBUFFER2 has its own errno. */
static void
bad_arguments(void **state)
{
   proves("DRM-012");
   struct rig *r = *state;
   uint32_t target = new_object(r->f, 4096);
   struct store s;
   store_begin(r->f, &s, target, 0, 3, I915_EXEC_RENDER);
   const struct drm_i915_gem_execbuffer2 good = s.exec;
   const struct {
      struct drm_i915_gem_execbuffer2 x;
      int error;
   } bad[] = {
       {{.buffers_ptr = good.buffers_ptr, .buffer_count = 0}, -EINVAL},
       {{.buffers_ptr = good.buffers_ptr, .buffer_count = UINT32_MAX}, -EINVAL},
       {{.buffers_ptr = 8, .buffer_count = 2}, -EFAULT},
       {{.buffers_ptr = good.buffers_ptr, .buffer_count = 2, .batch_len = 4}, -EINVAL},
       {{.buffers_ptr = good.buffers_ptr, .buffer_count = 2, .batch_start_offset = 4}, -EINVAL},
       {{.buffers_ptr = good.buffers_ptr, .buffer_count = 2, .batch_start_offset = 4096}, -EINVAL},
       {{.buffers_ptr = good.buffers_ptr, .buffer_count = 2, .batch_len = 8192}, -EINVAL},
       {{.buffers_ptr = good.buffers_ptr, .buffer_count = 2, .DR1 = 1}, -EINVAL},
       {{.buffers_ptr = good.buffers_ptr, .buffer_count = 2, .DR4 = 1}, -EINVAL},
       {{.buffers_ptr = good.buffers_ptr, .buffer_count = 2, .num_cliprects = 1}, -EINVAL},
       {{.buffers_ptr = good.buffers_ptr, .buffer_count = 2, .flags = 1ull << 22}, -EINVAL},
       {{.buffers_ptr = good.buffers_ptr, .buffer_count = 2, .flags = I915_EXEC_CONSTANTS_ABSOLUTE},
        -EINVAL},
       {{.buffers_ptr = good.buffers_ptr, .buffer_count = 2, .flags = I915_EXEC_RESOURCE_STREAMER},
        -EINVAL},
       {{.buffers_ptr = good.buffers_ptr, .buffer_count = 2, .flags = I915_EXEC_SECURE}, -EPERM},
       {{.buffers_ptr = good.buffers_ptr, .buffer_count = 2, .rsvd1 = 99}, -ENOENT},
       {{.buffers_ptr = good.buffers_ptr,
         .buffer_count = 2,
         .flags = I915_EXEC_FENCE_IN,
         .rsvd2 = 1000},
        -EINVAL},
   };
   for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
      s.exec = bad[i].x;
      int ret = io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec);
      if (ret != bad[i].error)
         print_error("case %zu\n", i);
      assert_int_equal(ret, bad[i].error);
   }
   s.exec = good;
   s.exec.DR4 = 0xffffffff; /* old clients say "no clipping" this way */
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
   store_done(r->f, &s);
}

/* DRM-013: an unknown handle is ENOENT, a handle twice and unknown object flags are EINVAL, a batch
 * that is written to is EINVAL. */
static void
bad_objects(void **state)
{
   proves("DRM-013");
   struct rig *r = *state;
   uint32_t target = new_object(r->f, 4096);
   struct store s;
   store_begin(r->f, &s, target, 0, 3, I915_EXEC_RENDER);
   s.object[0].handle = 999;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -ENOENT);
   s.object[0].handle = s.batch;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -EINVAL);
   s.object[0].handle = target;
   s.object[0].flags = EXEC_OBJECT_CAPTURE << 1;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -EINVAL);
   s.object[0].flags = 0;
   s.object[1].flags = EXEC_OBJECT_WRITE;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -EINVAL);
   store_done(r->f, &s);
}

/* DRM-014: relocation errors: bad target ENOENT; two write domains, a CPU domain, an offset that is
 * unaligned or past the end EINVAL; an unreadable list EFAULT. */
static void
bad_relocations(void **state)
{
   proves("DRM-014");
   struct rig *r = *state;
   uint32_t target = new_object(r->f, 4096);
   struct store s;
   store_begin(r->f, &s, target, 0, 3, I915_EXEC_RENDER);
   const struct drm_i915_gem_relocation_entry good = s.reloc;
#define TRY(member, value, error)                                                                  \
   s.reloc = good;                                                                                 \
   s.reloc.member = value;                                                                         \
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), error)
   TRY(target_handle, 999, -ENOENT);
   TRY(write_domain, I915_GEM_DOMAIN_RENDER | I915_GEM_DOMAIN_SAMPLER, -EINVAL);
   TRY(read_domains, I915_GEM_DOMAIN_CPU, -EINVAL);
   TRY(read_domains, I915_GEM_DOMAIN_GTT, -EINVAL);
   TRY(offset, 2, -EINVAL);
   TRY(offset, 4096, -EINVAL);
   TRY(offset, UINT64_MAX - 3, -EINVAL);
   TRY(offset, 8, 0);
   s.object[1].relocs_ptr = 16;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -EFAULT);
   store_done(r->f, &s);
}

#define RELOCATIONS 1200u

/* DRM-014: a list of any length: each entry is looked at, and nothing behind the last. */
static void
many_relocations(void **state)
{
   proves("DRM-014");
   struct rig *r = *state;
   static struct drm_i915_gem_relocation_entry list[RELOCATIONS + 1];
   uint32_t target = new_object(r->f, 4096), size = 8 * RELOCATIONS;
   struct store s;
   store_begin(r->f, &s, target, 0, 3, I915_EXEC_RENDER);
   struct drm_i915_gem_exec_object2 three[3] = {
       s.object[0], {.handle = new_object(r->f, size)}, s.object[1]};
   for (uint32_t i = 0; i <= RELOCATIONS; i++) {
      list[i] = s.reloc;
      list[i].write_domain = 0;
      list[i].offset = 8 * i;
      list[i].delta = i;
   }
   list[RELOCATIONS].offset = 1; /* would be refused if it were looked at */
   three[1].relocation_count = RELOCATIONS;
   three[1].relocs_ptr = (uintptr_t)list;
   s.exec.buffers_ptr = (uintptr_t)three;
   s.exec.buffer_count = 3;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
   assert_int_equal(wait_object(r->f, target, -1), 0);
   for (uint32_t i = 0; i < RELOCATIONS; i++) {
      assert_int_equal(read_word(r->f, three[1].handle, 8 * i), three[0].offset + i);
      assert_int_equal(list[i].presumed_offset, three[0].offset);
   }
   assert_true(list[RELOCATIONS].presumed_offset == UINT64_MAX);
   store_done(r->f, &s);
}

/* DRM-015: objects that do not fit beside each other push idle ones out; what can never fit is
 * ENOSPC. */
static void
eviction(void **state)
{
   proves("DRM-015");
   struct rig *r = *state;
   uint64_t big = 0x50000000;
   uint32_t a = new_object(r->f, big), b = new_object(r->f, big);
   assert_int_equal(store_run(r->f, a, 0, 1, I915_EXEC_RENDER), 0);
   assert_int_equal(store_run(r->f, b, 0, 2, I915_EXEC_RENDER), 0);
   assert_int_equal(store_run(r->f, a, 4, 3, I915_EXEC_RENDER), 0);
   assert_int_equal(read_word(r->f, a, 0), 1);
   assert_int_equal(read_word(r->f, a, 4), 3);
   assert_int_equal(read_word(r->f, b, 0), 2);
   struct store s;
   store_begin(r->f, &s, a, 0, 4, I915_EXEC_RENDER);
   struct drm_i915_gem_exec_object2 three[3] = {s.object[0], {.handle = b}, s.object[1]};
   s.exec.buffers_ptr = (uintptr_t)three;
   s.exec.buffer_count = 3;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -ENOSPC);
   store_done(r->f, &s);
   close_object(r->f, a);
   close_object(r->f, b);
}

/* DRM-016: work on two engines that share an object runs in the order of submission. */
static void
implicit_order_across_engines(void **state)
{
   proves("DRM-016");
   struct rig *r = *state;
   uint32_t target = new_object(r->f, 4096);
   struct store s[60];
   for (uint32_t i = 0; i < 60; i++) {
      store_begin(r->f, &s[i], target, 0, i + 1, rings[1 + i % 3]);
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s[i].exec), 0);
   }
   assert_int_equal(wait_object(r->f, target, -1), 0);
   assert_int_equal(read_word(r->f, target, 0), 60);
   for (uint32_t i = 0; i < 60; i++)
      store_done(r->f, &s[i]);
}

/* DRM-016: of two batches on two engines the second waits for the first where either writes what
 * both use, and nowhere else. */
static void
writers_are_alone(void **state)
{
   proves("DRM-016");
   struct rig *r = *state;
   r->k->options.hang_budget = UINT64_MAX; /* whatever time the host takes */
   for (unsigned i = 0; i < 4; i++) {
      uint64_t first = i & 1 ? EXEC_OBJECT_WRITE : 0, second = i & 2 ? EXEC_OBJECT_WRITE : 0;
      uint32_t both = new_object(r->f, 4096), target = new_object(r->f, 4096);
      uint32_t *loop = begin_loop(r->f, I915_EXEC_BLT, both, first, 0);
      struct store s;
      store_begin(r->f, &s, target, 0, 7, I915_EXEC_RENDER);
      struct drm_i915_gem_exec_object2 three[3] = {
          s.object[0], {.handle = both, .flags = second}, s.object[1]};
      s.exec.buffers_ptr = (uintptr_t)three;
      s.exec.buffer_count = 3;
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
      assert_int_equal(wait_object(r->f, target, i ? 50000000ll : -1), i ? -ETIME : 0);
      assert_int_equal(wait_object(r->f, both, 0), -ETIME);
      end_loop(loop);
      assert_int_equal(wait_object(r->f, target, -1), 0);
      assert_int_equal(read_word(r->f, target, 0), 7);
      store_done(r->f, &s);
   }
}

/* DRM-017: many requests wrap the ring and none is lost. */
static void
ring_wraps(void **state)
{
   proves("DRM-017");
   struct rig *r = *state;
   uint32_t target = new_object(r->f, 4096);
   struct store s;
   for (size_t ring = 1; ring < RINGS; ring++) {
      store_begin(r->f, &s, target, 0, 0, rings[ring]);
      for (uint32_t i = 0; i < 1200; i++) {
         s.reloc.delta = 4 * (i % 1000);
         s.reloc.presumed_offset = UINT64_MAX;
         assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
      }
      assert_int_equal(wait_object(r->f, target, -1), 0);
      assert_null(r->k->engine[ring - 1].inflight);
      store_done(r->f, &s);
   }
}

#define LAPS 1000u /* requests: more than twice as many as a ring takes */

/* DRM-017: what does not fit on a ring whose first request does not end waits for its turn: nothing
 * that is there is written over. */
static void
full_ring(void **state)
{
   proves("DRM-017");
   struct rig *r = *state;
   static struct store s[LAPS];
   r->k->options.hang_budget = UINT64_MAX; /* whatever time the host takes */
   for (size_t ring = 1; ring < RINGS; ring++) {
      uint32_t target = new_object(r->f, 4096);
      uint32_t *loop = begin_loop(r->f, rings[ring], new_object(r->f, 4096), 0, 0);
      for (uint32_t i = 0; i < LAPS; i++) {
         store_begin(r->f, &s[i], target, 4 * i, 1000 + i, rings[ring]);
         assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s[i].exec), 0);
      }
      kernel_lock(r->k);
      bool waits = r->k->engine[ring - 1].queue;
      pthread_mutex_unlock(&r->k->lock);
      assert_true(waits);
      end_loop(loop);
      assert_int_equal(wait_object(r->f, target, -1), 0);
      for (uint32_t i = 0; i < LAPS; i++) {
         assert_int_equal(read_word(r->f, target, 4 * i), 1000 + i);
         store_done(r->f, &s[i]);
      }
   }
}

/* DRM-018: the SO write offsets are reset by GEN7_SOL_RESET, and kept without it. */
static void
sol_reset(void **state)
{
   proves("DRM-018");
   struct rig *r = *state;
   uint32_t target = new_object(r->f, 4096);
   for (int pass = 0; pass < 3; pass++) {
      struct store s;
      uint64_t flag = pass == 2 ? I915_EXEC_GEN7_SOL_RESET : 0;
      store_begin(r->f, &s, target, 4 * (uint32_t)pass, 0, I915_EXEC_RENDER | flag);
      uint32_t n = 0;
      if (!pass) {
         s.map[n++] = 0x11000001;
         s.map[n++] = 0x5280;
         s.map[n++] = 0x40;
      }
      s.map[n++] = 0x12000001;
      s.map[n++] = 0x5280;
      s.reloc.offset = 4 * n;
      s.map[n++] = 0;
      s.map[n++] = BATCH_END;
      s.map[n++] = 0;
      s.exec.batch_len = (4 * n + 7) & ~7u;
      assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
      assert_int_equal(wait_object(r->f, target, -1), 0);
      store_done(r->f, &s);
   }
   assert_int_equal(read_word(r->f, target, 0), 0x40);
   assert_int_equal(read_word(r->f, target, 4), 0x40);
   assert_int_equal(read_word(r->f, target, 8), 0);
}

/* DRM-019: a batch with a chained start runs, without privileges, from where the client put it. */
static void
chained_batch(void **state)
{
   proves("DRM-019");
   struct rig *r = *state;
   uint32_t target = new_object(r->f, 4096);
   struct store s;
   store_begin(r->f, &s, target, 0, 0, I915_EXEC_RENDER);
   memset(s.map, 0, 4096);
   s.map[0] = 0x18800100; /* to +256 */
   s.map[2] = BATCH_END;
   s.map[64] = STORE_DWORD;
   s.map[67] = 0x600d;
   s.map[68] = BATCH_END;
   struct drm_i915_gem_relocation_entry two[2] = {
       {.target_handle = s.batch,
        .delta = 256,
        .offset = 4,
        .presumed_offset = UINT64_MAX,
        .read_domains = I915_GEM_DOMAIN_COMMAND},
       {.target_handle = target,
        .offset = 256 + 8,
        .presumed_offset = UINT64_MAX,
        .read_domains = I915_GEM_DOMAIN_RENDER,
        .write_domain = I915_GEM_DOMAIN_RENDER},
   };
   s.object[1].relocation_count = 2;
   s.object[1].relocs_ptr = (uintptr_t)two;
   s.exec.batch_len = 16;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
   assert_int_equal(wait_object(r->f, target, -1), 0);
   assert_int_equal(read_word(r->f, target, 0), 0x600d);
   store_done(r->f, &s);
}

/* A page of its own that begins with these data: it can be made read-only. */
static void *
page_with(const void *data, size_t size)
{
   void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   assert_ptr_not_equal(p, MAP_FAILED);
   return memcpy(p, data, size);
}

/* DRM-109: relocations may be in memory that cannot be written: their values are made all the same.
 */
static void
readonly_relocations(void **state)
{
   proves("DRM-109");
   struct rig *r = *state;
   uint32_t h = new_object(r->f, 4096);
   struct store s;
   store_begin(r->f, &s, h, 8, 0x55, I915_EXEC_RENDER);
   struct drm_i915_gem_relocation_entry *list = page_with(&s.reloc, sizeof(s.reloc));
   list->presumed_offset = UINT64_MAX;
   assert_int_equal(mprotect(list, 4096, PROT_READ), 0);
   s.object[1].relocs_ptr = (uintptr_t)list;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
   assert_int_equal(wait_object(r->f, h, -1), 0);
   assert_int_equal(((uint32_t *)map_object(r->f, h, 4096))[2], 0x55);
   assert_true(list->presumed_offset == UINT64_MAX);
   store_done(r->f, &s);
   munmap(list, 4096);
}

/* DRM-006: nothing is written to a list whose objects are where it says. */
static void
readonly_list(void **state)
{
   proves("DRM-006");
   struct rig *r = *state;
   uint32_t h = new_object(r->f, 4096);
   struct store s;
   store_begin(r->f, &s, h, 8, 0x55, I915_EXEC_RENDER);
   struct drm_i915_gem_exec_object2 *list = page_with(s.object, sizeof(s.object));
   s.exec.buffers_ptr = (uintptr_t)list;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
   assert_int_equal(mprotect(list, 4096, PROT_READ), 0);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), 0);
   assert_int_equal(mprotect(list, 4096, PROT_READ | PROT_WRITE), 0);
   list[0].offset ^= 1; /* not where it is */
   assert_int_equal(mprotect(list, 4096, PROT_READ), 0);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER2, &s.exec), -EFAULT);
   assert_int_equal(wait_object(r->f, h, -1), 0);
   store_done(r->f, &s);
   munmap(list, 4096);
}

/* DRM-110: closing its last handle in a file takes an object's address there, though another file
 * has it. */
static void
address_goes_with_handle(void **state)
{
   proves("DRM-110");
   struct rig *r = *state;
   struct drm_file *a = rig_open(r, false), *b = rig_open(r, false);
   a->authenticated = b->authenticated = true;
   uint32_t h = new_object(a, 4096);
   struct drm_gem_flink link = {.handle = h};
   assert_int_equal(io(a, DRM_IOCTL_GEM_FLINK, &link), 0);
   struct drm_gem_open open = {.name = link.name};
   assert_int_equal(io(b, DRM_IOCTL_GEM_OPEN, &open), 0);
   assert_int_equal(store_run(a, h, 0, 1, I915_EXEC_RENDER), 0);
   assert_int_equal(store_run(b, open.handle, 0, 1, I915_EXEC_RENDER), 0);
   struct gem_object *o = gem_lookup(b, open.handle);
   assert_non_null(o->vmas->next);
   close_object(a, h);
   assert_non_null(o->vmas);
   assert_null(o->vmas->next);
   assert_ptr_equal(o->vmas->vm->owner, b);
   rig_close(a);
   rig_close(b);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
   const struct CMUnitTest tests[] = {
       T(readonly_relocations),
       T(readonly_list),
       T(address_goes_with_handle),
       T(store_on_every_ring),
       T(absent_rings),
       T(parsed_batch),
       T(copy_is_kept),
       T(privileges_by_the_parser),
       T(parser_refuses_malformed),
       T(placement_is_stable),
       T(right_offsets_without_the_flag),
       T(no_reloc_with_wrong_offset),
       T(handle_lut),
       T(batch_first),
       T(softpin),
       T(busy_objects_stay),
       T(alignment),
       T(bad_arguments),
       T(bad_objects),
       T(bad_relocations),
       T(many_relocations),
       T(eviction),
       T(implicit_order_across_engines),
       T(writers_are_alone),
       T(ring_wraps),
       T(full_ring),
       T(sol_reset),
       T(chained_batch),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
