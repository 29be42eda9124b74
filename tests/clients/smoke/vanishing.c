/* smoke_vanishing: memory of the client's that a batch uses goes away, by every way there is. The
 * batch goes on, the client lives, and the next batch is told. */
#include "smoke.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#define SIZE 16384u

static uint32_t
userptr(int fd, void *p, uint64_t size)
{
   struct drm_i915_gem_userptr u = {.user_ptr = (uintptr_t)p, .user_size = size};
   return call(fd, DRM_IOCTL_I915_GEM_USERPTR, &u) ? 0 : u.handle;
}

static void
sleep_ms(unsigned ms)
{
   struct timespec t = {ms / 1000, ms % 1000 * 1000000l};
   nanosleep(&t, NULL);
}

/* A batch that stores into all pages of the target over and over. */
struct storing {
   uint32_t batch;
   volatile uint32_t *map;
};

static bool
begin_storing(int fd, uint32_t target, struct storing *s)
{
   const uint32_t pages = SIZE / 4096, start = 16 * pages;
   struct drm_i915_gem_relocation_entry reloc[SIZE / 4096 + 1];
   s->batch = create(fd, 4096);
   s->map = map(fd, s->batch, 4096, I915_MMAP_OFFSET_WB);
   for (uint32_t i = 0; i < pages; i++) {
      s->map[4 * i] = 0x10000002;
      s->map[4 * i + 3] = 7;
      reloc[i] = (struct drm_i915_gem_relocation_entry){.target_handle = target,
                                                        .delta = i * 4096,
                                                        .offset = 16 * i + 8,
                                                        .presumed_offset = ~0ull,
                                                        .read_domains = I915_GEM_DOMAIN_RENDER,
                                                        .write_domain = I915_GEM_DOMAIN_RENDER};
   }
   s->map[start / 4] = 0x18800100; /* and again, until a batch end stands here */
   reloc[pages] = (struct drm_i915_gem_relocation_entry){.target_handle = s->batch,
                                                         .offset = start + 4,
                                                         .presumed_offset = ~0ull,
                                                         .read_domains = I915_GEM_DOMAIN_COMMAND};
   struct drm_i915_gem_exec_object2 object[2] = {
       {.handle = target},
       {.handle = s->batch, .relocation_count = pages + 1, .relocs_ptr = (uintptr_t)reloc}};
   struct drm_i915_gem_execbuffer2 x = {
       .buffers_ptr = (uintptr_t)object, .buffer_count = 2, .flags = I915_EXEC_BLT};
   bool ok = !call(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x);
   sleep_ms(20);
   return ok;
}

static bool
end_storing(int fd, struct storing *s)
{
   s->map[SIZE / 4096 * 4] = 0x05000000;
   bool ok = !wait_idle(fd, s->batch);
   munmap((void *)s->map, 4096);
   destroy(fd, s->batch);
   return ok;
}

/* Memory goes by a system call that the C library knows nothing of. */
static void
raw(int fd, const char *what, int (*take)(void *p, int file), bool shared, int then)
{
   int file = shared ? (int)memfd_create("vanishing", 0) : -1;
   if (shared && ftruncate(file, SIZE))
      return;
   void *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
                  shared ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, file, 0);
   uint32_t handle = userptr(fd, p, SIZE);
   struct storing s;
   bool ok = begin_storing(fd, handle, &s);
   int ret = take(p, file);
   sleep_ms(20);
   CHECK(ok && !ret && end_storing(fd, &s), "%s: the batch goes on and ends", what);
   CHECK(store(fd, I915_EXEC_BLT, handle, 0, 1, NULL) == then, "%s: the next one %s", what,
         then ? "is refused" : "runs");
   destroy(fd, handle);
   syscall(SYS_munmap, p, SIZE);
   if (shared)
      close(file);
}

static int
take_unmap(void *p, int file)
{
   (void)file;
   return (int)syscall(SYS_munmap, p, SIZE);
}

static int
take_protect(void *p, int file)
{
   (void)file;
   return (int)syscall(SYS_mprotect, p, SIZE, PROT_NONE);
}

static int
take_truncate(void *p, int file)
{
   (void)p;
   return (int)syscall(SYS_ftruncate, file, 4096);
}

static int
take_pages(void *p, int file)
{
   (void)file;
   return madvise(p, SIZE, MADV_DONTNEED);
}

/* Unmapped so, the object's next use is EFAULT and the hole is a hole again. */
static void
hole_stays(int fd)
{
   char *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   uint32_t handle = userptr(fd, p, SIZE);
   struct storing s;
   unsigned char there;
   begin_storing(fd, handle, &s);
   syscall(SYS_munmap, p, SIZE);
   sleep_ms(20);
   CHECK(end_storing(fd, &s), "a hole under a batch");
   CHECK(store(fd, I915_EXEC_BLT, handle, 0, 1, NULL) == EFAULT, "is EFAULT for the next one");
   CHECK(mincore(p, 4096, &there) && errno == ENOMEM, "and is a hole again");
   destroy(fd, handle);
}

static bool
is_mapped(void *p)
{
   unsigned char there;
   return !mincore(p, 4096, &there);
}

/* As often as the client likes: what the batch got in the place is taken away, too. */
static void
again_and_again(int fd)
{
   char *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   uint32_t handle = userptr(fd, p, SIZE);
   struct storing s;
   bool ok = begin_storing(fd, handle, &s);
   for (int i = 0; ok && i < 150; i++) {
      ok &= !syscall(SYS_munmap, p, 4096);
      while (!is_mapped(p))
         sched_yield();
   }
   CHECK(ok && end_storing(fd, &s), "a hole again and again");
   destroy(fd, handle);
   syscall(SYS_munmap, p, SIZE);
}

#define LARGE (40u << 20)

/* A batch that fills all of the target, row by row of 16 KB, over and over until its seventh dword
 * is a batch end. */
static bool
begin_filling(int fd, uint32_t target, struct storing *s)
{
   const uint32_t fill[] = {0x54300004, 0x03f04000, 0,          LARGE / 16384 << 16 | 4096,
                            0,          0x55,       0x18800100, 0};
   s->batch = create(fd, 4096);
   s->map = map(fd, s->batch, 4096, I915_MMAP_OFFSET_WB);
   memcpy((void *)s->map, fill, sizeof(fill));
   struct drm_i915_gem_relocation_entry reloc[2] = {{.target_handle = target,
                                                     .offset = 16,
                                                     .presumed_offset = ~0ull,
                                                     .read_domains = I915_GEM_DOMAIN_RENDER,
                                                     .write_domain = I915_GEM_DOMAIN_RENDER},
                                                    {.target_handle = s->batch,
                                                     .offset = 28,
                                                     .presumed_offset = ~0ull,
                                                     .read_domains = I915_GEM_DOMAIN_COMMAND}};
   struct drm_i915_gem_exec_object2 object[2] = {
       {.handle = target},
       {.handle = s->batch, .relocation_count = 2, .relocs_ptr = (uintptr_t)reloc}};
   struct drm_i915_gem_execbuffer2 x = {
       .buffers_ptr = (uintptr_t)object, .buffer_count = 2, .flags = I915_EXEC_BLT};
   return !call(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x);
}

/* However much it is. */
static void
large_hole(int fd)
{
   volatile uint32_t *p =
       mmap(NULL, LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   uint32_t handle = userptr(fd, (void *)p, LARGE);
   struct storing s;
   bool ok = begin_filling(fd, handle, &s);
   while (ok && p[LARGE / 4 - 1] != 0x55)
      sleep_ms(1);
   ok &= !syscall(SYS_munmap, p, LARGE);
   sleep_ms(20);
   s.map[6] = 0x05000000;
   CHECK(ok && !wait_idle(fd, s.batch), "a hole of %u MB under a batch", LARGE >> 20);
   CHECK(store(fd, I915_EXEC_BLT, handle, 0, 1, NULL) == EFAULT, "is EFAULT for the next one");
   munmap((void *)s.map, 4096);
   destroy(fd, s.batch);
   destroy(fd, handle);
}

/* A file that became shorter under a batch, and longer again: the client's map is one of the file
 * as before. */
static void
longer_again(int fd)
{
   int file = (int)memfd_create("longer", 0);
   bool ok = !ftruncate(file, SIZE);
   volatile uint32_t *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
   uint32_t handle = userptr(fd, (void *)p, SIZE), word = 0;
   struct storing s;
   ok &= begin_storing(fd, handle, &s) && !syscall(SYS_ftruncate, file, 0);
   sleep_ms(20);
   ok &= end_storing(fd, &s) && !syscall(SYS_ftruncate, file, SIZE);
   destroy(fd, handle);
   p[SIZE / 4 - 1] = 0x600d;
   CHECK(ok && pread(file, &word, 4, SIZE - 4) == 4 && word == 0x600d,
         "a map of a file stays one (0x%x)", word);
   munmap((void *)p, SIZE);
   close(file);
}

struct taking {
   void *p;
   int file;
   volatile bool done;
};

static void *
detach(void *data)
{
   struct taking *t = data;
   if (t->file < 0)
      shmdt(t->p);
   else if (ftruncate(t->file, 4096))
      perror("ftruncate");
   t->done = true;
   return NULL;
}

/* What the C library does waits for the batch, as in the kernel. */
static void
waits(int fd, const char *what, void *p, int file)
{
   uint32_t handle = userptr(fd, p, SIZE);
   struct storing s;
   struct taking t = {.p = p, .file = file};
   pthread_t thread;
   bool ok = begin_storing(fd, handle, &s);
   pthread_create(&thread, NULL, detach, &t);
   sleep_ms(50);
   bool early = t.done;
   ok &= end_storing(fd, &s);
   pthread_join(thread, NULL);
   CHECK(ok && !early, "%s waits for the batch", what);
   CHECK(store(fd, I915_EXEC_BLT, handle, SIZE - 4096, 1, NULL) == EFAULT, "%s: then it is EFAULT",
         what);
   destroy(fd, handle);
}

static void
seen(int fd)
{
   int id = shmget(IPC_PRIVATE, SIZE, IPC_CREAT | 0600);
   waits(fd, "shmdt()", shmat(id, NULL, 0), -1);
   shmctl(id, IPC_RMID, NULL);
   int file = (int)memfd_create("shorter", 0);
   if (!ftruncate(file, SIZE))
      waits(fd, "ftruncate()", mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), file);
   close(file);
}

static int shortened;
static volatile sig_atomic_t shortenings;

static void
shorten(int number)
{
   (void)number;
   if (!ftruncate(shortened, SIZE) && !ftruncate(shortened, 0))
      shortenings = shortenings + 1;
}

/* ftruncate() may be called in a handler, whatever it has interrupted. */
static void
shortened_in_a_handler(int fd)
{
   void *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
        *block[64] = {NULL};
   uint32_t handle = userptr(fd, p, SIZE);
   bool ok = !store(fd, I915_EXEC_BLT, handle, 0, 5, NULL) && !wait_idle(fd, handle);
   struct sigaction s = {.sa_handler = shorten, .sa_flags = SA_RESTART}, before;
   struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
   shortened = (int)memfd_create("in a handler", 0);
   sigaction(SIGALRM, &s, &before);
   setitimer(ITIMER_REAL, &often, NULL);
   for (unsigned i = 0; ok && shortenings < 300; i++) {
      free(block[i % 64]);
      block[i % 64] = malloc(5000 + i % 9000);
   }
   setitimer(ITIMER_REAL, &never, NULL);
   sigaction(SIGALRM, &before, NULL);
   CHECK(ok, "a file is made shorter in signal handlers");
   for (unsigned i = 0; i < 64; i++)
      free(block[i]);
   close(shortened);
   destroy(fd, handle);
}

static sigjmp_buf back;
static volatile sig_atomic_t faults;

static void
own_fault(int number, siginfo_t *info, void *context)
{
   (void)number;
   (void)info;
   (void)context;
   faults = faults + 1;
   siglongjmp(back, 1);
}

/* Faults of the client's own go where they always went. */
static void
handler_is_kept(int fd)
{
   volatile int *hole = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   volatile int before = faults;
   if (!sigsetjmp(back, 1))
      *hole = 1;
   CHECK(faults == before + 1, "the client's handler hears of its own faults");
   void *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   uint32_t handle = userptr(fd, p, SIZE);
   CHECK(!store(fd, I915_EXEC_BLT, handle, 0, 5, NULL) && !wait_idle(fd, handle) &&
             *(volatile int *)p == 5,
         "userptr memory");
   syscall(SYS_munmap, p, SIZE);
   before = faults;
   if (!sigsetjmp(back, 1))
      *(volatile int *)p = 1;
   CHECK(faults == before + 1, "also of those in memory that the GPU knows");
   destroy(fd, handle);
}

static volatile sig_atomic_t passed;

static void
passing_fault(int number, siginfo_t *info, void *context)
{
   (void)number;
   (void)info;
   (void)context;
   passed = passed + 1;
   siglongjmp(back, 1);
}

static struct sigaction found;
static volatile sig_atomic_t handed_on;

static void
hands_on(int number, siginfo_t *info, void *context)
{
   handed_on = handed_on + 1;
   found.sa_sigaction(number, info, context);
}

/* A handler that comes later and hands on to the one that it found. */
static void
handlers_in_a_row(int fd)
{
   volatile int *hole = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   struct sigaction s = {.sa_sigaction = hands_on, .sa_flags = SA_SIGINFO};
   sigaction(SIGSEGV, &s, &found);
   void *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   uint32_t handle = userptr(fd, p, SIZE);
   CHECK(!store(fd, I915_EXEC_BLT, handle, 0, 5, NULL) && !wait_idle(fd, handle),
         "a second handler, and a batch");
   volatile int before = faults;
   for (volatile int i = 0; i < 3; i++)
      if (!sigsetjmp(back, 1))
         *hole = 1;
   CHECK(faults == before + 3 && handed_on == 3,
         "each handler of a row hears of a fault once (%d, %d)", (int)faults - before,
         (int)handed_on);
   destroy(fd, handle);
}

/* A handler that was there for a while, with a batch meanwhile: the client has put back what it
 * found, and that is all. */
static void
handler_put_back(int fd)
{
   volatile int *hole = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   struct sigaction s = {.sa_sigaction = own_fault, .sa_flags = SA_SIGINFO},
                    passing = {.sa_sigaction = passing_fault, .sa_flags = SA_SIGINFO};
   sigaction(SIGSEGV, &s, NULL);
   void *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   uint32_t handle = userptr(fd, p, SIZE);
   volatile int before = faults, both = 0;
   for (volatile int i = 0; i < 20; i++) {
      both += !store(fd, I915_EXEC_BLT, handle, 0, 5, NULL) && !wait_idle(fd, handle);
      sigaction(SIGSEGV, &passing, &s);
      both += !store(fd, I915_EXEC_BLT, handle, 0, 5, NULL) && !wait_idle(fd, handle);
      if (!sigsetjmp(back, 1))
         *hole = 1;
      sigaction(SIGSEGV, &s, NULL);
      if (!sigsetjmp(back, 1))
         *hole = 1;
   }
   CHECK(both == 40 && passed == 20 && faults == before + 20,
         "a handler that came and went is no more (%d, %d)", (int)passed, (int)faults - before);
   destroy(fd, handle);
}

static volatile sig_atomic_t sent;
static pthread_t receiver;

static void
on_sent(int number)
{
   (void)number;
   sent = sent + 1;
   receiver = pthread_self();
}

/* One that somebody sends waits until a thread of the client's takes it. */
static void
sent_is_for_the_client(int fd)
{
   struct sigaction s = {.sa_handler = on_sent}, other;
   sigset_t faults_only, before;
   sigaction(SIGSEGV, &s, &other);
   void *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   uint32_t handle = userptr(fd, p, SIZE);
   bool ok = !store(fd, I915_EXEC_BLT, handle, 0, 5, NULL) && !wait_idle(fd, handle);
   sigemptyset(&faults_only);
   sigaddset(&faults_only, SIGSEGV);
   pthread_sigmask(SIG_BLOCK, &faults_only, &before);
   kill(getpid(), SIGSEGV);
   sleep_ms(20);
   bool early = sent;
   pthread_sigmask(SIG_SETMASK, &before, NULL);
   while (!sent) /* it may be on its way from one to the next */
      sleep_ms(1);
   CHECK(ok && !early && sent == 1 && pthread_equal(receiver, pthread_self()),
         "a signal that was sent is for the client's threads");
   sigaction(SIGSEGV, &other, NULL);
   destroy(fd, handle);
}

/* Without a handler a fault is the end, as ever. */
static void
default_is_kept(void)
{
   pid_t child = fork();
   if (!child) {
      int fd = open_render();
      void *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      uint32_t handle = userptr(fd, p, SIZE);
      signal(SIGSEGV, SIG_DFL);
      if (store(fd, I915_EXEC_BLT, handle, 0, 5, NULL) || wait_idle(fd, handle))
         _exit(3);
      *(volatile int *)mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) = 1;
      _exit(4);
   }
   int status = 0;
   CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV,
         "a child without handler dies of its fault (status 0x%x)", status);
}

/* Every thread writes 100 000 times to the page of its group. Lanes 0 to 15 times 4, plus the
 * group's number times 4096; a loop around an untyped surface write; end of thread. */
static const uint32_t kernel[] = {
    0x00600201, 0x23c06369, 0x00000000, 0x76543210, 0x00600240, 0x23d02d29, 0x008d03c0, 0x00080008,
    0x00800201, 0x24000125, 0x008d03c0, 0x00000000, 0x00800209, 0x24000ca5, 0x008d0400, 0x00000002,
    0x00800201, 0x24400021, 0x00000004, 0x00000000, 0x00800209, 0x24400ca5, 0x008d0440, 0x0000000c,
    0x00800240, 0x250014a5, 0x008d0400, 0x008d0440, 0x00800201, 0x254010e5, 0x00000000, 0x00000007,
    0x00800001, 0x228010e5, 0x00000000, 0x00000000, 0x0a800031, 0x20000c28, 0x008d0500, 0x08035e00,
    0x00800040, 0x22801ca5, 0x008d0280, 0x00000001, 0x05800010, 0x20001ca4, 0x008d0280, 0x000186a0,
    0x00810027, 0x20003c84, 0x008d0000, 0x0000fffa, 0x00600201, 0x2fe00021, 0x008d0000, 0x00000000,
    0x07600231, 0x20000c28, 0x008d0fe0, 0x82000010,
};

#define GROUPS 64u
#define BATCH_AT 0x100000u
#define TARGET_AT 0x400000u

/* The batch with its state: descriptor at 0x800, binding table at 0x900, surface at 0x940, kernel
 * at 0x1000. */
static const uint32_t dispatch[] = {0x69040002, /* PIPELINE_SELECT */
                                    0x61010008,
                                    1,
                                    BATCH_AT | 1,
                                    BATCH_AT | 1,
                                    1,
                                    (BATCH_AT + 0x1000) | 1,
                                    1,
                                    1,
                                    1,
                                    1, /* STATE_BASE_ADDRESS */
                                    0x70000006,
                                    0,
                                    127u << 16 | 2u << 8 | 1u << 6 | 1u << 2,
                                    0,
                                    2u << 16,
                                    0,
                                    0,
                                    0, /* MEDIA_VFE_STATE */
                                    0x70020002,
                                    0,
                                    32,
                                    0x800, /* MEDIA_INTERFACE_DESCRIPTOR_LOAD */
                                    0x71050009,
                                    0,
                                    1u << 30,
                                    0,
                                    GROUPS,
                                    0,
                                    1,
                                    0,
                                    1,
                                    ~0u,
                                    ~0u, /* GPGPU_WALKER, SIMD16, one thread a group */
                                    0x70040000,
                                    0,
                                    0x05000000};
static const uint32_t descriptor[8] = {[3] = 0x900 | 1}, binding_table[1] = {0x940};
static const uint32_t surface[8] = {4u << 29 | 0x1ff << 18, TARGET_AT,
                                    (GROUPS * 4096 - 1) >> 7 << 16 | 0x7f};

/* Threads of the EUs, on all host threads and as native code once they are hot, lose what they
 * write to. */
static void
under_threads(int fd)
{
   char *p = mmap(NULL, GROUPS * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   uint32_t handle = userptr(fd, p, GROUPS * 4096), batch = create(fd, 8192);
   char *b = map(fd, batch, 8192, I915_MMAP_OFFSET_WB);
   memcpy(b, dispatch, sizeof(dispatch));
   memcpy(b + 0x800, descriptor, sizeof(descriptor));
   memcpy(b + 0x900, binding_table, sizeof(binding_table));
   memcpy(b + 0x940, surface, sizeof(surface));
   memcpy(b + 0x1000, kernel, sizeof(kernel));
   struct drm_i915_gem_exec_object2 object[2] = {
       {.handle = handle, .offset = TARGET_AT, .flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_WRITE},
       {.handle = batch, .offset = BATCH_AT, .flags = EXEC_OBJECT_PINNED}};
   struct drm_i915_gem_execbuffer2 x = {
       .buffers_ptr = (uintptr_t)object, .buffer_count = 2, .flags = I915_EXEC_RENDER};
   bool ok = !call(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x);
   for (int i = 0; i < 10000 && *(volatile uint32_t *)p != 7; i++)
      sleep_ms(1);
   struct drm_i915_gem_busy busy = {.handle = handle};
   ok &= *(volatile uint32_t *)p == 7 && !call(fd, DRM_IOCTL_I915_GEM_BUSY, &busy);
   syscall(SYS_munmap, p, GROUPS * 4096);
   char *next =
       mmap(NULL, GROUPS * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   CHECK(ok, "threads write to the client's memory, and it is unmapped under them%s",
         busy.busy ? "" : " (they were done already: a busy machine)");
   CHECK(!wait_idle(fd, batch), "they come to their end");
   size_t clean = 0;
   while (clean < GROUPS * 4096 && !next[clean])
      clean++;
   CHECK(clean == GROUPS * 4096, "what the client maps next is not written to (0x%zx)", clean);
   munmap(next, GROUPS * 4096);
   CHECK(call(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &x) == EFAULT, "the next dispatch is refused");
   munmap(b, 8192);
   destroy(fd, batch);
   destroy(fd, handle);
}

int
main(void)
{
   setvbuf(stdout, NULL, _IOLBF, 0);
   int fd = open_render();
   default_is_kept();
   struct sigaction s = {.sa_sigaction = own_fault, .sa_flags = SA_SIGINFO};
   sigaction(SIGSEGV, &s, NULL);
   handler_is_kept(fd);
   handlers_in_a_row(fd);
   handler_put_back(fd);
   raw(fd, "munmap", take_unmap, false, EFAULT);
   raw(fd, "mprotect", take_protect, false, 0);
   raw(fd, "MADV_DONTNEED", take_pages, false, 0);
   raw(fd, "a shorter file", take_truncate, true, EFAULT);
   hole_stays(fd);
   again_and_again(fd);
   large_hole(fd);
   longer_again(fd);
   under_threads(fd);
   seen(fd);
   shortened_in_a_handler(fd);
   sent_is_for_the_client(fd); /* last: the threads that it came to are not guarded any more */
   return smoke_end();
}
