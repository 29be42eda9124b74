/* Many small requests to i915 on Ice Lake, in bursts over all engines and three contexts. Every
 * request stores its number, every burst is waited for. usage: requests COUNT [SEED]. Prints
 * `requests`, `lost` (numbers that are not there), `bursts` and `late`: waits that may have missed
 * their interrupt. i915 looks for requests that have ended once a second, so a burst whose
 * interrupt was lost ends too, but late. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <i915_drm.h>

#define BURST_MOST 32u
#define CONTEXTS 3u
#define LATE_MS 250u
#define WAIT_NS 60000000000ll /* of the guest's time: for a request that never ends */

static const uint64_t engines[] = {I915_EXEC_RENDER, I915_EXEC_BLT,
                                   I915_EXEC_BSD | I915_EXEC_BSD_RING1,
                                   I915_EXEC_BSD | I915_EXEC_BSD_RING2, I915_EXEC_VEBOX};
#define ENGINES (sizeof(engines) / sizeof(engines[0]))

struct buffer {
   uint32_t handle;
   uint64_t address;
   uint32_t *map;
};

static void
must(bool good, const char *what)
{
   if (good)
      return;
   fprintf(stderr, "requests: %s: %s\n", what, strerror(errno));
   exit(1);
}

static int
command(int fd, unsigned long request, void *argument)
{
   int r;
   do {
      r = ioctl(fd, request, argument);
   } while (r && (errno == EINTR || errno == EAGAIN));
   return r;
}

static struct buffer
buffer(int fd, uint64_t address)
{
   struct drm_i915_gem_create create = {.size = 4096};
   must(!command(fd, DRM_IOCTL_I915_GEM_CREATE, &create), "create");
   struct drm_i915_gem_mmap_offset offset = {.handle = create.handle, .flags = I915_MMAP_OFFSET_WB};
   must(!command(fd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &offset), "mmap_offset");
   uint32_t *map =
       mmap(NULL, create.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset.offset);
   must(map != MAP_FAILED, "mmap");
   return (struct buffer){create.handle, address, map};
}

/* Batch `i` of the burst: stores `number` at dword `i` of the engine's results. */
static void
write_batch(const struct buffer *batches, unsigned i, const struct buffer *results, uint32_t number)
{
   uint64_t to = results->address + 4 * i;
   const uint32_t batch[] = {0x20u << 23 | 2, (uint32_t)to, (uint32_t)(to >> 32),
                             number,          0x0au << 23,  0};
   memcpy(batches->map + 16 * i, batch, sizeof(batch));
}

static void
submit(int fd, uint32_t context, uint64_t engine, const struct buffer *batches, unsigned i,
       const struct buffer *results)
{
   struct drm_i915_gem_exec_object2 objects[] = {
       {.handle = results->handle,
        .offset = results->address,
        .flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_WRITE},
       {.handle = batches->handle, .offset = batches->address, .flags = EXEC_OBJECT_PINNED}};
   struct drm_i915_gem_execbuffer2 exec = {.buffers_ptr = (uintptr_t)objects,
                                           .buffer_count = 2,
                                           .batch_start_offset = 64 * i,
                                           .batch_len = 24,
                                           .flags = engine | I915_EXEC_NO_RELOC,
                                           .rsvd1 = context};
   must(!command(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &exec), "execbuffer");
}

static uint32_t
milliseconds(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (uint32_t)(t.tv_sec * 1000 + t.tv_nsec / 1000000);
}

/* How long every request that reads this buffer took to end. */
static uint32_t
wait_for(int fd, uint32_t handle)
{
   uint32_t began = milliseconds();
   struct drm_i915_gem_wait wait = {.bo_handle = handle, .timeout_ns = WAIT_NS};
   must(!command(fd, DRM_IOCTL_I915_GEM_WAIT, &wait), "wait");
   return milliseconds() - began;
}

int
main(int argc, char **argv)
{
   uint32_t count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 0) : 0;
   srand(argc > 2 ? (unsigned)strtoul(argv[2], NULL, 0) : 1);
   int fd = open("/dev/dri/renderD128", O_RDWR);
   must(count && fd >= 0, "usage: requests COUNT [SEED], with a device");

   uint32_t contexts[CONTEXTS];
   for (unsigned i = 0; i < CONTEXTS; i++) {
      struct drm_i915_gem_context_create create = {0};
      must(!command(fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &create), "context");
      contexts[i] = create.ctx_id;
   }
   struct buffer batches = buffer(fd, 0x100000), results[ENGINES];
   for (unsigned i = 0; i < ENGINES; i++)
      results[i] = buffer(fd, 0x200000 + 0x10000 * i);

   uint32_t number = 0, lost = 0, bursts = 0, late = 0;
   while (number < count) {
      unsigned length = 1 + (unsigned)rand() % BURST_MOST, engine[BURST_MOST];
      for (unsigned i = 0; i < length; i++) {
         engine[i] = (unsigned)rand() % ENGINES;
         write_batch(&batches, i, &results[engine[i]], number + i + 1);
      }
      for (unsigned i = 0; i < length; i++)
         submit(fd, contexts[(unsigned)rand() % CONTEXTS], engines[engine[i]], &batches, i,
                &results[engine[i]]);
      late += wait_for(fd, batches.handle) >= LATE_MS;
      for (unsigned i = 0; i < length; i++)
         lost += results[engine[i]].map[i] != number + i + 1;
      number += length;
      bursts++;
   }
   printf("requests %u\nlost %u\nbursts %u\nlate %u\n", number, lost, bursts, late);
   return lost != 0;
}
