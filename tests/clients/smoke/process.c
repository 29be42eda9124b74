/* fork, threads, unmapped client memory, exit in the middle, nothing leaked. */
#include "smoke.h"

#include <dirent.h>
#include <pthread.h>

static int
descriptors(void)
{
   int n = 0;
   DIR *d = opendir("/proc/self/fd");
   while (d && readdir(d))
      n++;
   if (d)
      closedir(d);
   return n;
}

static long
resident_kib(void)
{
   long pages = 0, size = 0;
   FILE *f = fopen("/proc/self/statm", "r");
   if (f && fscanf(f, "%ld %ld", &size, &pages) != 2)
      pages = 0;
   if (f)
      fclose(f);
   return pages * 4;
}

static uint32_t shared_object;

/* The child uses the inherited descriptor: old objects are shared with the parent, new ones its
 * own. */
static int
use_inherited(int fd)
{
   uint32_t mine = create(fd, 4096);
   uint32_t *p = map(fd, mine, 4096, I915_MMAP_OFFSET_WB);
   if (!mine || p == MAP_FAILED)
      return 1;
   for (unsigned ring = 1; ring <= 3; ring++)
      if (store(fd, ring, mine, 4 * ring, 100 + ring, NULL) || wait_idle(fd, mine) ||
          p[ring] != 100 + ring)
         return 2;
   if (store(fd, I915_EXEC_BLT, shared_object, 32, 0xc411d, NULL) || wait_idle(fd, shared_object))
      return 3;
   return 0;
}

/* A child that only closes what it has inherited: its parent goes on using that. */
static int
close_inherited(int fd)
{
   close(fd);
   return 0;
}

/* Forks while the batches of a closed file are in flight, and has the child use the GPU. */
static int
fork_in_the_middle(int fd)
{
   int failures = 0;
   uint32_t o = create(fd, 4096);
   volatile uint32_t *p = map(fd, o, 4096, I915_MMAP_OFFSET_WB);
   for (unsigned i = 1; i <= 20; i++) {
      for (unsigned j = 0; j < 200; j++)
         failures += store(fd, 1 + j % 3, o, 4 * j, i, NULL) != 0;
      failures += in_child(use_inherited, fd) != 0;
      failures += wait_idle(fd, o) != 0;
      for (unsigned j = 0; j < 200; j++)
         failures += p[j] != i;
   }
   munmap((void *)p, 4096);
   destroy(fd, o);
   return failures;
}

static int
work_of_its_own(int fd)
{
   int failures = 0;
   uint32_t o = create(fd, 4096), mark = (uint32_t)getpid() << 10;
   volatile uint32_t *p = map(fd, o, 4096, I915_MMAP_OFFSET_WB);
   for (unsigned i = 0; i < 400; i++)
      failures += store(fd, I915_EXEC_RENDER, o, 4 * i, mark + i, NULL) || wait_idle(fd, o) ||
                  p[i] != mark + i;
   munmap((void *)p, 4096);
   destroy(fd, o);
   return failures;
}

/* What the parent's kernel has kept for later is not the child's. */
static int
both_at_once(int fd)
{
   int status = 1, failures = 0;
   pid_t child = fork(), ended = child;
   if (!child)
      _exit(work_of_its_own(fd) != 0);
   while (child > 0 && !(ended = waitpid(child, &status, WNOHANG)))
      failures += work_of_its_own(fd);
   return child < 0 || ended != child || status || failures;
}

static int
use_own(int fd)
{
   (void)fd;
   int own = open_render();
   uint32_t o = create(own, 4096);
   return own < 0 || !o || store(own, I915_EXEC_RENDER, o, 0, 1, NULL) || wait_idle(own, o);
}

/* Leaves with work in flight. */
static int
exit_in_the_middle(int fd)
{
   (void)fd;
   int own = open_render();
   uint32_t o = create(own, 4096);
   for (int i = 0; i < 50; i++)
      store(own, I915_EXEC_RENDER, o, 0, 1, NULL);
   exit(17);
}

struct worker {
   pthread_t thread;
   int fd, failures;
   unsigned id;
};

static void *
work(void *data)
{
   struct worker *w = data;
   uint32_t o = create(w->fd, 4096);
   volatile uint32_t *p = map(w->fd, o, 4096, I915_MMAP_OFFSET_WB);
   for (unsigned i = 0; i < 60; i++) {
      uint32_t value = w->id << 16 | i;
      if (store(w->fd, 1 + i % 3, o, 4 * i, value, NULL) || wait_idle(w->fd, o) || p[i] != value)
         w->failures++;
   }
   munmap((void *)p, 4096);
   destroy(w->fd, o);
   return NULL;
}

static int
run_threads(int fd)
{
   struct worker w[8];
   int failures = 0;
   for (unsigned i = 0; i < 8; i++) {
      w[i] = (struct worker){.fd = fd, .id = i + 1};
      pthread_create(&w[i].thread, NULL, work, &w[i]);
   }
   for (unsigned i = 0; i < 8; i++) {
      pthread_join(w[i].thread, NULL);
      failures += w[i].failures;
   }
   return failures;
}

static void
one_round(void)
{
   int fd = open_render();
   struct drm_i915_gem_context_create c = {0};
   call(fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &c);
   uint32_t o = create(fd, 65536);
   void *p = map(fd, o, 65536, I915_MMAP_OFFSET_WB);
   void *client = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   struct drm_i915_gem_userptr u = {.user_ptr = (uintptr_t)client, .user_size = 65536};
   call(fd, DRM_IOCTL_I915_GEM_USERPTR, &u);
   struct drm_prime_handle h = {.handle = o, .flags = DRM_CLOEXEC};
   call(fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &h);
   store(fd, I915_EXEC_BLT, u.handle, 0, 1, NULL);
   store(fd, I915_EXEC_RENDER, o, 0, 1, NULL);
   wait_idle(fd, o);
   munmap(client, 65536);
   munmap(p, 65536);
   close(h.fd);
   close(fd);
}

int
main(void)
{
   int fd = open_render();
   shared_object = create(fd, 4096);
   volatile uint32_t *p = map(fd, shared_object, 4096, I915_MMAP_OFFSET_WB);
   CHECK(!store(fd, I915_EXEC_RENDER, shared_object, 0, 1, NULL) && !wait_idle(fd, shared_object),
         "work before the fork");
   int code = in_child(use_inherited, fd);
   CHECK(!code, "a child uses the inherited descriptor (%d)", code);
   CHECK(p[8] == 0xc411d, "and writes an object that both have");
   CHECK(!store(fd, I915_EXEC_BSD, shared_object, 64, 5, NULL) && !wait_idle(fd, shared_object) &&
             p[16] == 5,
         "the parent goes on");
   /* No map holds it. */
   uint32_t plain = create(fd, 4096), value = 0x91a14, back = 0;
   struct drm_i915_gem_pwrite in = {.handle = plain, .size = 4, .data_ptr = (uintptr_t)&value};
   struct drm_i915_gem_pread out = {.handle = plain, .size = 4, .data_ptr = (uintptr_t)&back};
   CHECK(!call(fd, DRM_IOCTL_I915_GEM_PWRITE, &in) && !in_child(close_inherited, fd) &&
             !call(fd, DRM_IOCTL_I915_GEM_PREAD, &out) && back == value,
         "a child closes what it inherited, and its parent's data stay");
   CHECK(!store(fd, I915_EXEC_BSD, shared_object, 64, 6, NULL) && !wait_idle(fd, shared_object) &&
             p[16] == 6,
         "and the parent still has it");
   CHECK(!fork_in_the_middle(fd), "forks while batches are in flight");
   CHECK(!both_at_once(fd), "parent and child are at work at once");
   CHECK(!in_child(use_own, -1), "a child opens its own");
   CHECK(in_child(exit_in_the_middle, -1) == 17, "a child exits with work in flight");
   CHECK(!run_threads(fd), "eight threads, 60 batches each");

   /* Client memory goes away under a userptr object. */
   uint32_t *client = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   struct drm_i915_gem_userptr u = {.user_ptr = (uintptr_t)client, .user_size = 8192};
   CHECK(!call(fd, DRM_IOCTL_I915_GEM_USERPTR, &u) &&
             !store(fd, I915_EXEC_BLT, u.handle, 4096, 77, NULL) && !wait_idle(fd, u.handle) &&
             client[1024] == 77,
         "a store into client memory");
   store(fd, I915_EXEC_RENDER, u.handle, 0, 78, NULL);
   munmap(client, 8192);
   CHECK(store(fd, I915_EXEC_RENDER, u.handle, 0, 79, NULL) == EFAULT, "unmapped, it is EFAULT");
   CHECK(!store(fd, I915_EXEC_RENDER, shared_object, 0, 6, NULL), "and nothing else suffers");

   for (int i = 0; i < 20; i++)
      one_round();
   int before = descriptors();
   long memory = resident_kib();
   for (int i = 0; i < 300; i++)
      one_round();
   CHECK(descriptors() == before, "no descriptor is left after 300 rounds");
   long grown = resident_kib() - memory;
   CHECK(grown < 4096, "nor memory (%ld KiB more)", grown);
   return smoke_end();
}
