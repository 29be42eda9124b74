/* Relocations and what is refused about them, on all three rings. */
#include "smoke.h"

static const struct ring {
   const char *name;
   uint64_t flag;
} rings[] = {{"render", I915_EXEC_RENDER}, {"bsd", I915_EXEC_BSD}, {"blt", I915_EXEC_BLT}};

/* A target, a batch that stores 0x600d0000 + n in its words 8 and 9, and the call; cases change
 * parts of it. */
struct job {
   uint32_t target, batch;
   uint32_t *result;
   struct drm_i915_gem_relocation_entry reloc[2];
   struct drm_i915_gem_exec_object2 object[2];
   struct drm_i915_gem_execbuffer2 call;
};

static const uint32_t program[10] = {0x10000002, 0,          0xdeadbee0, 0x600d0000, 0x10000002,
                                     0,          0xdeadbee0, 0x600d0001, 0x05000000, 0};

static void
prepare(struct job *j, int fd, uint64_t ring)
{
   memset(j, 0, sizeof(*j));
   j->target = create(fd, 8192);
   j->batch = create(fd, 4096);
   j->result = map(fd, j->target, 8192, I915_MMAP_OFFSET_WB);
   struct drm_i915_gem_pwrite w = {
       .handle = j->batch, .size = sizeof(program), .data_ptr = (uintptr_t)program};
   call(fd, DRM_IOCTL_I915_GEM_PWRITE, &w);
   for (unsigned i = 0; i < 2; i++)
      j->reloc[i] = (struct drm_i915_gem_relocation_entry){.target_handle = j->target,
                                                           .delta = 32 + 4 * i,
                                                           .offset = 8 + 16 * i,
                                                           .presumed_offset = ~0ull,
                                                           .read_domains = I915_GEM_DOMAIN_RENDER,
                                                           .write_domain = I915_GEM_DOMAIN_RENDER};
   j->object[0].handle = j->target;
   j->object[1] = (struct drm_i915_gem_exec_object2){
       .handle = j->batch, .relocation_count = 2, .relocs_ptr = (uintptr_t)j->reloc};
   j->call = (struct drm_i915_gem_execbuffer2){.buffers_ptr = (uintptr_t)j->object,
                                               .buffer_count = 2,
                                               .batch_len = sizeof(program),
                                               .flags = ring};
}

static void
dispose(struct job *j, int fd)
{
   munmap(j->result, 8192);
   destroy(fd, j->batch);
   destroy(fd, j->target);
}

static int
submit(struct job *j, int fd)
{
   return call(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &j->call);
}

static uint32_t
batch_word(const struct job *j, int fd, unsigned n)
{
   uint32_t value = 0;
   struct drm_i915_gem_pread r = {
       .handle = j->batch, .offset = 4 * n, .size = 4, .data_ptr = (uintptr_t)&value};
   call(fd, DRM_IOCTL_I915_GEM_PREAD, &r);
   return value;
}

static bool
stored(struct job *j, int fd)
{
   bool ok = !wait_idle(fd, j->target) && j->result[8] == 0x600d0000 && j->result[9] == 0x600d0001;
   j->result[8] = j->result[9] = 0;
   return ok;
}

static void
patched(int fd, const struct ring *ring)
{
   struct job j;
   prepare(&j, fd, ring->flag);
   CHECK(!submit(&j, fd) && stored(&j, fd), "%s: both relocations lead to the target", ring->name);
   uint32_t at = (uint32_t)j.object[0].offset;
   CHECK(batch_word(&j, fd, 2) == at + 32 && batch_word(&j, fd, 6) == at + 36 &&
             j.reloc[0].presumed_offset == at,
         "%s: the batch and the entry have the address that the object has", ring->name);
   CHECK(!submit(&j, fd) && stored(&j, fd) && j.object[0].offset == at,
         "%s: the object stays where it was", ring->name);

   /* With NO_RELOC entries that hold are not looked at: a delta that was changed meanwhile has no
    * effect. */
   j.reloc[0].delta = 4000;
   j.call.flags |= I915_EXEC_NO_RELOC;
   CHECK(!submit(&j, fd) && stored(&j, fd) && batch_word(&j, fd, 2) == at + 32,
         "%s: NO_RELOC leaves the batch alone", ring->name);
   j.object[0].offset ^= 0x10000; /* the client is wrong about the place: all are looked at again */
   j.reloc[0].delta = 32;
   j.reloc[0].presumed_offset = j.reloc[1].presumed_offset = 0x7000;
   CHECK(!submit(&j, fd) && stored(&j, fd) && j.object[0].offset == at,
         "%s: but not when the object is elsewhere", ring->name);

   /* The object's place in the list instead of its handle; the batch first. */
   j.call.flags = ring->flag | I915_EXEC_HANDLE_LUT | I915_EXEC_BATCH_FIRST;
   struct drm_i915_gem_exec_object2 swap = j.object[0];
   j.object[0] = j.object[1];
   j.object[1] = swap;
   for (unsigned i = 0; i < 2; i++) {
      j.reloc[i].target_handle = 1;
      j.reloc[i].presumed_offset = ~0ull;
   }
   CHECK(!submit(&j, fd) && stored(&j, fd), "%s: handles by their place, the batch first",
         ring->name);
   j.reloc[1].target_handle = 2;
   CHECK(submit(&j, fd) == ENOENT, "%s: a place past the list is ENOENT", ring->name);
   dispose(&j, fd);
}

static void
pinned(int fd, const struct ring *ring)
{
   struct job j;
   prepare(&j, fd, ring->flag);
   uint32_t words[10];
   memcpy(words, program, sizeof(words));
   words[2] = 0x8000000 + 32;
   words[6] = 0x8000000 + 36;
   struct drm_i915_gem_pwrite w = {
       .handle = j.batch, .size = sizeof(words), .data_ptr = (uintptr_t)words};
   call(fd, DRM_IOCTL_I915_GEM_PWRITE, &w);
   j.object[0].flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_WRITE;
   j.object[0].offset = 0x8000000;
   j.object[1].relocation_count = 0;
   CHECK(!submit(&j, fd) && stored(&j, fd),
         "%s: an object where the client wants it, without relocations", ring->name);
   j.object[0].offset = 0x8000800;
   CHECK(submit(&j, fd) == EINVAL, "%s: not on a page is EINVAL", ring->name);
   j.object[0].offset = 1ull << 40;
   int error = submit(&j, fd);
   CHECK(error == EINVAL || error == ENOSPC, "%s: outside of the address space (%d)", ring->name,
         error);
   j.object[1].flags = EXEC_OBJECT_PINNED;
   j.object[0].offset = j.object[1].offset = 0x8000000;
   CHECK(submit(&j, fd) == ENOSPC, "%s: two on one place is ENOSPC", ring->name);
   dispose(&j, fd);
}

struct mistake {
   const char *what;
   int error;
   void (*make)(struct job *j);
};

static void
past_the_end(struct job *j)
{
   j->reloc[1].offset = 4096;
}
static void
unaligned(struct job *j)
{
   j->reloc[1].offset = 26;
}
static void
unknown_target(struct job *j)
{
   j->reloc[1].target_handle = 4242;
}
static void
not_in_the_list(struct job *j)
{
   j->reloc[0].target_handle = j->batch + 1000;
}
static void
two_write_domains(struct job *j)
{
   j->reloc[0].write_domain |= I915_GEM_DOMAIN_INSTRUCTION;
}
static void
cpu_domain(struct job *j)
{
   j->reloc[0].read_domains |= I915_GEM_DOMAIN_CPU;
}
static void
no_entries(struct job *j)
{
   j->object[1].relocs_ptr = 16;
}
static void
no_list(struct job *j)
{
   j->call.buffers_ptr = 16;
}
static void
empty_list(struct job *j)
{
   j->call.buffer_count = 0;
}
static void
twice(struct job *j)
{
   j->object[0].handle = j->batch;
}
static void
odd_start(struct job *j)
{
   j->call.batch_start_offset = 4;
}
static void
odd_length(struct job *j)
{
   j->call.batch_len = 36;
}
static void
too_long(struct job *j)
{
   j->call.batch_len = 8192;
}
static void
no_context(struct job *j)
{
   j->call.rsvd1 = 777;
}
static void
rectangles(struct job *j)
{
   j->call.num_cliprects = 1;
}
static void
object_flag(struct job *j)
{
   j->object[0].flags = 1ull << 50;
}
static void
alignment(struct job *j)
{
   j->object[0].alignment = 4096 * 3;
}
static void
no_fence(struct job *j)
{
   j->call.flags |= I915_EXEC_FENCE_IN;
   j->call.rsvd2 = 1;
}

static const struct mistake mistakes[] = {
    {"a relocation past the end of the object", EINVAL, past_the_end},
    {"a relocation between words", EINVAL, unaligned},
    {"a relocation to an unknown object", ENOENT, unknown_target},
    {"a relocation to an object that is not in the list", ENOENT, not_in_the_list},
    {"two write domains", EINVAL, two_write_domains},
    {"the CPU domain", EINVAL, cpu_domain},
    {"relocations at a bad address", EFAULT, no_entries},
    {"a list at a bad address", EFAULT, no_list},
    {"an empty list", EINVAL, empty_list},
    {"an object twice", EINVAL, twice},
    {"a start that is no multiple of 8", EINVAL, odd_start},
    {"a length that is no multiple of 8", EINVAL, odd_length},
    {"a batch longer than its object", EINVAL, too_long},
    {"an unknown context", ENOENT, no_context},
    {"clip rectangles", EINVAL, rectangles},
    {"an unknown flag of an object", EINVAL, object_flag},
    {"an alignment that is no power of two", EINVAL, alignment},
    {"a fence that is none", EINVAL, no_fence},
};

static void
refused(int fd, const struct ring *ring)
{
   for (unsigned i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
      struct job j;
      prepare(&j, fd, ring->flag);
      mistakes[i].make(&j);
      int error = submit(&j, fd);
      CHECK(error == mistakes[i].error && !wait_idle(fd, j.target) && !j.result[8],
            "%s: %s is %s (%d)", ring->name, mistakes[i].what, strerror(mistakes[i].error), error);
      dispose(&j, fd);
   }
}

int
main(void)
{
   int fd = open_render();
   CHECK(fd >= 0, "open the render node");
   for (unsigned i = 0; i < 3; i++) {
      patched(fd, &rings[i]);
      pinned(fd, &rings[i]);
      refused(fd, &rings[i]);
   }
   close(fd);
   return smoke_end();
}
