/* Kernels that have become native code, and what a client may do beside them: fork, read registers,
 * wait for signals. Run with --native=always and several host threads. */
#include "kernel.h"

#include <pthread.h>
#include <signal.h>

#define GROUPS 64u

static uint32_t
program(int fd, uint32_t constant)
{
   return stores(fd, GROUPS, constant);
}

static int
dispatch(int fd, uint32_t code, uint32_t target)
{
   int ret = stores_dispatch(fd, 0, code, target);
   return ret ? ret : wait_idle(fd, target);
}

static bool
stored(const volatile uint32_t *p, uint32_t constant)
{
   return !stores_wrong(p, GROUPS, constant);
}

static uint32_t code, target;
static uint32_t *view;

/* A child goes on with a kernel that is native in its parent, then with one of its own. */
static int
child(int fd)
{
   for (int i = 0; i < 3; i++) {
      memset(view, 0, GROUPS * 32);
      if (dispatch(fd, code, target) || !stored(view, 0x1000))
         return 1;
   }
   uint32_t mine = program(fd, 0x2000), own = create(fd, GROUPS * 32);
   const uint32_t *p = map(fd, own, GROUPS * 32, I915_MMAP_OFFSET_WB);
   if (p == MAP_FAILED || dispatch(fd, mine, own) || !stored(p, 0x2000))
      return 2;
   return 0;
}

static int
grandchild(int fd)
{
   return child(fd) || in_child(child, fd) || child(fd);
}

/* Nobody in the parent has opened the GPU. */
static int
alone(int fd)
{
   (void)fd;
   int own = open_render();
   code = program(own, 0x1000);
   target = create(own, GROUPS * 32);
   view = map(own, target, GROUPS * 32, I915_MMAP_OFFSET_WB);
   return view == MAP_FAILED || child(own);
}

static void *
open_first(void *data)
{
   *(int *)data = open_render();
   return NULL;
}

/* Ends well within a minute? */
static bool
ends_well(pid_t pid)
{
   for (int ms = 0; ms < 60000; ms++) {
      int status = -1;
      if (waitpid(pid, &status, WNOHANG) == pid)
         return status == 0;
      usleep(1000);
   }
   kill(pid, SIGKILL);
   waitpid(pid, NULL, 0);
   return false;
}

/* Forks while another thread is at the first open: the children have a GPU all the same. */
static int
fork_beside_open(int fd)
{
   enum { CHILDREN = 6 };
   pthread_t thread;
   pid_t pid[CHILDREN];
   int wrong = 0;
   if (pthread_create(&thread, NULL, open_first, &fd))
      return 100;
   for (int i = 0; i < CHILDREN; i++) {
      usleep(500);
      pid[i] = fork();
      if (!pid[i])
         _exit(open_render() < 0);
   }
   for (int i = 0; i < CHILDREN; i++)
      wrong += pid[i] < 0 || !ends_well(pid[i]);
   pthread_join(thread, NULL);
   return wrong + (fd < 0);
}

static bool done;

/* A register read holds the kernel's lock until the device's thread answers. */
static void *
read_registers(void *data)
{
   int fd = *(int *)data;
   while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
      struct drm_i915_reg_read r = {.offset = 0x2358 | I915_REG_READ_8B_WA};
      call(fd, DRM_IOCTL_I915_REG_READ, &r);
   }
   return NULL;
}

/* Each new constant is a new kernel, translated by whichever host thread meets it first. */
static unsigned
many_kernels(int fd)
{
   pthread_t reader[2];
   unsigned wrong = 0;
   for (int i = 0; i < 2; i++)
      pthread_create(&reader[i], NULL, read_registers, &fd);
   for (uint32_t i = 0; i < 150; i++) {
      uint32_t constant = 0x100000 + i * 256, one = program(fd, constant);
      wrong += dispatch(fd, one, target) || !stored(view, constant);
      destroy(fd, one);
   }
   __atomic_store_n(&done, true, __ATOMIC_RELEASE);
   for (int i = 0; i < 2; i++)
      pthread_join(reader[i], NULL);
   return wrong;
}

/* A program that blocks a signal to wait for it must not lose it to a thread of the device. */
static bool
signal_arrives(void)
{
   sigset_t set;
   sigemptyset(&set);
   sigaddset(&set, SIGUSR1);
   pthread_sigmask(SIG_BLOCK, &set, NULL);
   fflush(stdout);
   kill(getpid(), SIGUSR1);
   struct timespec limit = {5, 0};
   return sigtimedwait(&set, NULL, &limit) == SIGUSR1;
}

int
main(void)
{
   setvbuf(stdout, NULL, _IOLBF, 0);
   int first = in_child(alone, -1);
   CHECK(!first, "the GPU in a child alone (%d)", first);
   int beside = in_child(fork_beside_open, -1);
   CHECK(!beside, "children made while another thread opens it (%d)", beside);
   int fd = open_render();
   code = program(fd, 0x1000);
   target = create(fd, GROUPS * 32);
   view = map(fd, target, GROUPS * 32, I915_MMAP_OFFSET_WB);
   CHECK(view != MAP_FAILED && !dispatch(fd, code, target) && stored(view, 0x1000),
         "a kernel of 64 groups");
   int second = in_child(child, fd);
   CHECK(!second, "native in the parent, it runs in a child (%d)", second);
   memset(view, 0, GROUPS * 32);
   CHECK(!dispatch(fd, code, target) && stored(view, 0x1000), "and still in the parent");
   int third = in_child(grandchild, fd);
   CHECK(!third, "and in a child's child (%d)", third);
   CHECK(signal_arrives(), "a blocked signal waits for the client");
   unsigned wrong = many_kernels(fd);
   CHECK(!wrong, "150 new kernels while registers are read (%u wrong)", wrong);
   return smoke_end();
}
