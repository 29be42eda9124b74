/* A device beside its host: who may call what from which thread, and what it waits for. Also run
 * under a race detector (suite threads). */
#include "pergola/pergola_runner.h"
#include "register_table.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 16, RING = 1, BATCH = 4, CELLS = 8 };
#define TAIL 0x2030u
#define HEAD 0x2034u
#define START 0x2038u
#define CTL 0x203cu
#define ACTHD 0x2074u
#define SCRATCH (0x200000u + 4 * 5000) /* an entry of the GTT that nobody uses */
#define CELL(i) (CELLS * PAGE + 4 * (i))

struct machine {
   struct pergola_device *dev;
   struct pergola_runner *runner;
   uint32_t *ram;
   int fd;
   pthread_mutex_t lock;
   unsigned rises, falls, turns;
   bool hold; /* atomic: the next turn's callback stays until it is over */
   bool held; /* atomic */
};

static void
nap(void)
{
   nanosleep(&(struct timespec){0, 1000000}, NULL);
}

static void
on_interrupt(void *data, bool asserted)
{
   struct machine *m = data;
   pthread_mutex_lock(&m->lock);
   m->rises += asserted;
   m->falls += !asserted;
   pthread_mutex_unlock(&m->lock);
   if (asserted) /* the bus can be called from here: the identity is cleared */
      pergola_runner_write(m->runner, REG_GTIIR, 4, pergola_runner_read(m->runner, REG_GTIIR, 4));
}

static int64_t
on_turn(void *data, enum pergola_run_result result, uint64_t units)
{
   struct machine *m = data;
   __atomic_add_fetch(&m->turns, 1, __ATOMIC_RELAXED);
   while (__atomic_load_n(&m->hold, __ATOMIC_ACQUIRE)) {
      __atomic_store_n(&m->held, true, __ATOMIC_RELEASE);
      nap();
   }
   if (result == PERGOLA_RUN_BUDGET)
      return 0;
   return result == PERGOLA_RUN_WAITING ? 1000000 : -1;
}

static void
boot(struct machine *m, struct pergola_runner_config c)
{
   *m = (struct machine){.dev = new_device(NULL)};
   pthread_mutex_init(&m->lock, NULL);
   m->fd = memfd_create("ram", MFD_CLOEXEC);
   assert_int_equal(ftruncate(m->fd, PAGES * PAGE), 0);
   m->ram = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, m->fd, 0);
   assert_true(m->ram != MAP_FAILED);
   c.data = m;
   m->runner = pergola_runner_create(m->dev, &c);
   assert_non_null(m->runner);
   struct pergola_runner_memory memory = {.size = PAGES * PAGE, .fd = m->fd};
   assert_int_equal(pergola_runner_memory_add(m->runner, &memory), 0);
   for (uint32_t i = 0; i < PAGES; i++)
      pergola_runner_write(m->runner, 0x200000 + 4 * i, 4, i * PAGE | 1);
   pergola_runner_write(m->runner, START, 4, RING * PAGE);
   pergola_runner_write(m->runner, CTL, 4, 1);
}

static void
shut_down(struct machine *m)
{
   pergola_runner_destroy(m->runner);
   pergola_device_destroy(m->dev);
   munmap(m->ram, PAGES * PAGE);
   close(m->fd);
   pthread_mutex_destroy(&m->lock);
}

/* A batch that jumps to itself. */
static void
endless(struct machine *m)
{
   uint32_t *batch = m->ram + BATCH * PAGE / 4, *ring = m->ram + RING * PAGE / 4;
   batch[0] = ring[0] = 0x18800000; /* MI_BATCH_BUFFER_START */
   batch[1] = ring[1] = BATCH * PAGE;
   pergola_runner_write(m->runner, TAIL, 4, 8);
}

/* Where a batch of 1001 commands that jumps to itself stands after two turns, when so many commands
 * come before it in the ring. */
static uint32_t
stands_at(unsigned commands)
{
   struct machine m;
   boot(&m, (struct pergola_runner_config){0});
   memcpy(m.ram + RING * PAGE / 4 + commands, (uint32_t[]){0x18800000, BATCH * PAGE}, 8);
   memcpy(m.ram + BATCH * PAGE / 4 + 1000, (uint32_t[]){0x18800000, BATCH * PAGE}, 8);
   pergola_runner_write(m.runner, TAIL, 4, 4 * commands + 8);
   for (unsigned turn = 0; turn < 2; turn++)
      assert_int_equal(pergola_run_turn(m.dev), PERGOLA_RUN_BUDGET);
   uint32_t at = (uint32_t)pergola_runner_read(m.runner, ACTHD, 4);
   shut_down(&m);
   return at;
}

/* Its threads would be interrupted at the same places, wherever it lies in a ring. */
static void
turns_are_counted_from_the_batch(void **state)
{
   uint32_t first = stands_at(0);
   assert_in_range(first, BATCH * PAGE, BATCH * PAGE + 4004);
   assert_int_equal(stands_at(6), first);
   assert_int_equal(stands_at(500), first);
}

/* Batches without end in the ring do not make a turn endless. */
static void
a_turn_ends_in_a_ring_of_batches(void **state)
{
   struct machine m;
   boot(&m, (struct pergola_runner_config){0});
   uint32_t *ring = m.ram + RING * PAGE / 4, *batch = m.ram + BATCH * PAGE / 4;
   unsigned turns = 0, batches = PAGE / 8 - 1;
   batch[PAGE / 4 - 1] = 0x05000000; /* MI_BATCH_BUFFER_END */
   for (unsigned i = 0; i < batches; i++)
      memcpy(ring + 2 * i, (uint32_t[]){0x18800000, BATCH * PAGE}, 8);
   pergola_runner_write(m.runner, TAIL, 4, 8 * batches);
   while (pergola_run_turn(m.dev) == PERGOLA_RUN_BUDGET)
      turns++;
   assert_in_range(turns, batches * (PAGE / 4) / PERGOLA_TURN - 1,
                   batches * (PAGE / 4) / PERGOLA_TURN);
   assert_int_equal(pergola_runner_read(m.runner, HEAD, 4), 8 * batches);
   shut_down(&m);
}

static uint32_t
cell(struct machine *m, unsigned i)
{
   return __atomic_load_n(&m->ram[CELL(i) / 4], __ATOMIC_ACQUIRE);
}

/* Work that a write starts is executed with nobody calling pergola_run(), and the interrupt comes,
 * as a rise and a fall, on the runner's thread. */
static void
work_is_done_beside_the_host(void **state)
{
   struct machine m;
   boot(&m, (struct pergola_runner_config){.interrupt = on_interrupt, .turn = on_turn});
   pergola_runner_write(m.runner, 0x20a8, 4, ~1u);
   pergola_runner_write(m.runner, REG_GTIMR, 4, ~1u);
   pergola_runner_write(m.runner, REG_GTIER, 4, 1);
   pergola_runner_write(m.runner, REG_DEIER, 4, 1u << 31);
   assert_int_equal(pergola_runner_start(m.runner), 0);
   for (unsigned round = 0; round < 20; round++) {
      uint32_t *ring = m.ram + RING * PAGE / 4 + round * 6;
      memcpy(ring, (uint32_t[]){0x10400002, 0, CELL(0), 100 + round, 0x01000000, 0}, 24);
      pergola_runner_write(m.runner, TAIL, 4, 24 * (round + 1));
      for (unsigned i = 0; cell(&m, 0) != 100 + round; i++) {
         assert_true(i < 20000);
         nap();
      }
      unsigned falls = 0;
      for (unsigned i = 0; falls <= round; i++) {
         assert_true(i < 20000);
         nap();
         pthread_mutex_lock(&m.lock);
         falls = m.falls;
         pthread_mutex_unlock(&m.lock);
      }
      assert_int_equal(falls, round + 1);
      assert_int_equal(m.rises, round + 1);
   }
   pergola_runner_stop(m.runner);
   assert_int_equal(pergola_runner_read(m.runner, HEAD, 4) & 0x1ffffc, 480);
   shut_down(&m);
}

/* A batch that never ends: reads answer, writes arrive, in the order of the caller; the reset ends
 * it. */
static void
reads_never_wait_for_a_batch(void **state)
{
   struct machine m;
   boot(&m, (struct pergola_runner_config){.turn = on_turn});
   assert_int_equal(pergola_runner_start(m.runner), 0);
   endless(&m);
   struct pergola_engine_status s;
   for (uint32_t i = 0; i < 50; i++) {
      pergola_runner_write(m.runner, SCRATCH, 4, i);
      assert_int_equal(pergola_runner_read(m.runner, SCRATCH, 4), i);
   }
   do
      pergola_runner_engine(m.runner, PERGOLA_RCS, &s);
   while (s.state != PERGOLA_ENGINE_RUNNING); /* it has not had a turn yet */
   assert_false(s.faulted || s.rule_stopped);
   uint64_t before = pergola_runner_time_ns(m.runner);
   while (pergola_runner_time_ns(m.runner) == before)
      nap();
   pergola_runner_write(m.runner, REG_GDRST, 4, REG_GDRST__RENDER_DOMAIN_RESET);
   pergola_runner_engine(m.runner, PERGOLA_RCS, &s);
   assert_int_equal(s.state, PERGOLA_ENGINE_IDLE);
   shut_down(&m);
}

#define HOSTS 4
struct host {
   pthread_t thread;
   struct machine *m;
   unsigned id, wrong;
};

/* Its own GTT entries, its own fence, the aperture: what it writes it reads. */
static void *
be_a_cpu(void *data)
{
   struct host *h = data;
   struct pergola_runner *r = h->m->runner;
   for (uint32_t i = 0; i < 200; i++) {
      uint32_t pte = 0x200000 + 4 * (1000 + h->id), v = i << 12 | 1, back = 0;
      pergola_runner_write(r, pte, 4, v);
      h->wrong += pergola_runner_read(r, pte, 4) != v;
      pergola_runner_aperture_write(r, CELL(16 + h->id), &i, 4);
      pergola_runner_aperture_read(r, CELL(16 + h->id), &back, 4);
      h->wrong += back != i;
      pergola_runner_pci_write(r, 0x3c, 1, h->id);
      h->wrong += pergola_runner_pci_read(r, 0x3c, 1) > HOSTS;
   }
   return NULL;
}

static void
many_threads(bool busy)
{
   struct machine m;
   boot(&m, (struct pergola_runner_config){.turn = on_turn});
   assert_int_equal(pergola_runner_start(m.runner), 0);
   if (busy)
      endless(&m);
   struct host h[HOSTS];
   for (unsigned i = 0; i < HOSTS; i++) {
      h[i] = (struct host){.m = &m, .id = i};
      assert_int_equal(pthread_create(&h[i].thread, NULL, be_a_cpu, &h[i]), 0);
   }
   for (unsigned i = 0; i < HOSTS; i++) {
      pthread_join(h[i].thread, NULL);
      assert_int_equal(h[i].wrong, 0);
   }
   shut_down(&m);
}

static void
threads_share_an_idle_device(void **state)
{
   many_threads(false);
}

static void
threads_share_a_busy_device(void **state)
{
   many_threads(true);
}

/* Memory can be taken away while a batch uses it; when the call returns the device is out of it. */
static void
memory_goes_while_it_is_used(void **state)
{
   struct machine m;
   boot(&m, (struct pergola_runner_config){.turn = on_turn});
   int fd = memfd_create("extra", MFD_CLOEXEC);
   assert_int_equal(ftruncate(fd, PAGE), 0);
   uint32_t *extra = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   assert_true(extra != MAP_FAILED);
   struct pergola_runner_memory memory = {.address = 0x100000, .size = PAGE, .fd = fd};
   assert_int_equal(pergola_runner_memory_add(m.runner, &memory), 0);
   assert_int_equal(pergola_runner_memory_add(m.runner, &memory), -EEXIST);
   pergola_runner_write(m.runner, 0x200000 + 4 * 100, 4, 0x100000 | 1);
   assert_int_equal(pergola_runner_start(m.runner), 0);
   uint32_t *batch = m.ram + BATCH * PAGE / 4, *ring = m.ram + RING * PAGE / 4;
   memcpy(batch, (uint32_t[]){0x10400002, 0, 100 * PAGE, 7, 0x18800000, BATCH * PAGE}, 24);
   memcpy(ring, (uint32_t[]){0x18800000, BATCH * PAGE}, 8);
   pergola_runner_write(m.runner, TAIL, 4, 8);
   while (__atomic_load_n(extra, __ATOMIC_ACQUIRE) != 7)
      nap();
   assert_int_equal(pergola_runner_memory_remove(m.runner, 0x100000), 0);
   assert_int_equal(pergola_runner_memory_remove(m.runner, 0x100000), -ENOENT);
   extra[0] = 1;
   for (unsigned i = 0; i < 5; i++) {
      pergola_runner_flush(m.runner);
      nap();
      assert_int_equal(extra[0], 1);
   }
   shut_down(&m);
   munmap(extra, PAGE);
   close(fd);
}

/* Files that cannot be mapped are refused with the host's reason. */
static void
bad_memory_is_refused(void **state)
{
   struct machine m;
   boot(&m, (struct pergola_runner_config){0});
   struct pergola_runner_memory memory = {.address = 0x100000, .size = PAGE, .fd = -1};
   assert_int_equal(pergola_runner_memory_add(m.runner, &memory), -EBADF);
   memory.fd = m.fd;
   memory.size = 0;
   assert_int_equal(pergola_runner_memory_add(m.runner, &memory), -EINVAL);
   memory.size = PAGE;
   memory.fd_offset = 1;
   assert_int_equal(pergola_runner_memory_add(m.runner, &memory), -EINVAL);
   memory.fd_offset = 0;
   memory.address = 1;
   assert_int_equal(pergola_runner_memory_add(m.runner, &memory), -EINVAL);
   shut_down(&m);
}

struct flood {
   struct machine *m;
   unsigned posted; /* atomic */
};
enum { FLOOD = 1 << 21 };

static void *
flood(void *data)
{
   struct flood *f = data;
   for (uint32_t i = 1; i <= FLOOD; i++) {
      pergola_runner_write(f->m->runner, SCRATCH, 4, i);
      __atomic_store_n(&f->posted, i, __ATOMIC_RELEASE);
   }
   return NULL;
}

/* Posting to a device that does not listen for a while waits, and takes no memory: here there is
 * none to be had. */
static void
posting_takes_no_memory(void **state)
{
   struct machine m;
   boot(&m, (struct pergola_runner_config){.turn = on_turn});
   m.hold = true;
   assert_int_equal(pergola_runner_start(m.runner), 0);
   while (!__atomic_load_n(&m.held, __ATOMIC_ACQUIRE))
      nap();
   struct flood f = {.m = &m};
   pthread_t thread;
   assert_int_equal(pthread_create(&thread, NULL, flood, &f), 0);
   struct rlimit before, none = {0};
   assert_int_equal(getrlimit(RLIMIT_DATA, &before), 0);
   none.rlim_max = before.rlim_max;
   none.rlim_cur = 0; /* no more memory of this process's own from here on */
   assert_int_equal(setrlimit(RLIMIT_DATA, &none), 0);
   unsigned last, now = 0;
   do { /* until it has come to a stop */
      last = now;
      for (unsigned i = 0; i < 50; i++)
         nap();
      now = __atomic_load_n(&f.posted, __ATOMIC_ACQUIRE);
   } while (!now || now != last);
   assert_int_equal(setrlimit(RLIMIT_DATA, &before), 0);
   assert_true(now < FLOOD);
   __atomic_store_n(&m.hold, false, __ATOMIC_RELEASE);
   pthread_join(thread, NULL);
   assert_int_equal(pergola_runner_read(m.runner, SCRATCH, 4), FLOOD);
   shut_down(&m);
}

/* Stopping and starting again loses nothing; between the two, and when the device is gone, calls
 * work on the caller's thread. */
static void
stop_and_start(void **state)
{
   struct machine m;
   boot(&m, (struct pergola_runner_config){.turn = on_turn});
   endless(&m);
   for (unsigned i = 0; i < 10; i++) {
      assert_int_equal(pergola_runner_start(m.runner), 0);
      assert_int_equal(pergola_runner_start(m.runner), -EINVAL);
      unsigned turns = __atomic_load_n(&m.turns, __ATOMIC_RELAXED);
      pergola_runner_write(m.runner, SCRATCH, 4, i);
      while (__atomic_load_n(&m.turns, __ATOMIC_RELAXED) == turns)
         nap();
      pergola_runner_stop(m.runner);
      assert_int_equal(pergola_mmio_read(m.dev, SCRATCH, 4), i);
      pergola_runner_write(m.runner, SCRATCH, 4, i + 100);
      assert_int_equal(pergola_runner_read(m.runner, SCRATCH, 4), i + 100);
   }
   pergola_runner_detach(m.runner);
   assert_int_equal(pergola_runner_read(m.runner, SCRATCH, 4), 0);
   pergola_runner_write(m.runner, SCRATCH, 4, 1);
   shut_down(&m);
}

/* Time stands still on an idle device, but for the reads themselves, and not for a look; with a
 * live clock it goes on. */
static void
time_of_an_idle_device(void **state)
{
   struct machine m;
   boot(&m, (struct pergola_runner_config){.read_ns = 1000});
   assert_int_equal(pergola_runner_start(m.runner), 0);
   uint64_t before = pergola_runner_time_ns(m.runner);
   for (unsigned i = 0; i < 5; i++)
      nap();
   assert_int_equal(pergola_runner_time_ns(m.runner), before);
   pergola_runner_read(m.runner, 0x2358, 4);
   assert_int_equal(pergola_runner_time_ns(m.runner), before + 1000);
   assert_int_equal(pergola_runner_look(m.runner, 0x2358, 4), (before + 1000) / 80);
   assert_int_equal(pergola_runner_time_ns(m.runner), before + 1000);
   shut_down(&m);

   boot(&m, (struct pergola_runner_config){.live_clock = true});
   assert_int_equal(pergola_runner_start(m.runner), 0);
   before = pergola_runner_read(m.runner, 0x2358, 4);
   /* It follows the host's from when the runner first finds nothing to do. */
   uint64_t after = before;
   for (unsigned i = 0; i < 10000 && after - before < 5 * 1000000 / 80; i++) {
      nap();
      after = pergola_runner_read(m.runner, 0x2358, 4);
   }
   assert_true(after - before >= 5 * 1000000 / 80);
   shut_down(&m);
}

/* What is given to the engines is run from its own moment on, whenever the host reads. */
static void
reads_beside_work_take_no_time(void **state)
{
   struct machine m;
   boot(&m, (struct pergola_runner_config){.read_ns = 1000});
   pergola_runner_write(m.runner, 0x2030, 4, 0); /* a tail: no turn has looked at it yet */
   uint64_t before = pergola_runner_time_ns(m.runner);
   pergola_runner_read(m.runner, 0x2358, 4);
   assert_int_equal(pergola_runner_time_ns(m.runner), before);
   shut_down(&m);
}

/* With a live clock an engine's own time still rises from command to command: it stands where the
 * device stood when the work came. */
static void
timestamps_rise_with_a_live_clock(void **state)
{
   struct machine m;
   boot(&m, (struct pergola_runner_config){.live_clock = true});
   assert_int_equal(pergola_runner_start(m.runner), 0);
   uint32_t *ring = m.ram + RING * PAGE / 4;
   for (uint32_t round = 0; round < 10; round++) {
      uint32_t at = round * 96, *p = ring + at;
      memset(p, 0, 96 * 4);
      memcpy(p, (uint32_t[]){0x12400001, 0x2358, CELL(0)}, 12); /* MI_STORE_REGISTER_MEM */
      memcpy(p + 80, (uint32_t[]){0x12400001, 0x2358, CELL(1), 0x10400002, 0, CELL(2), round + 1},
             28);
      nap();
      pergola_runner_write(m.runner, TAIL, 4, (at + 96) * 4);
      while (cell(&m, 2) != round + 1)
         nap();
      assert_true(cell(&m, 1) > cell(&m, 0));
   }
   shut_down(&m);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(turns_are_counted_from_the_batch),
       cmocka_unit_test(a_turn_ends_in_a_ring_of_batches),
       cmocka_unit_test(work_is_done_beside_the_host),
       cmocka_unit_test(reads_never_wait_for_a_batch),
       cmocka_unit_test(threads_share_an_idle_device),
       cmocka_unit_test(threads_share_a_busy_device),
       cmocka_unit_test(memory_goes_while_it_is_used),
       cmocka_unit_test(bad_memory_is_refused),
       cmocka_unit_test(posting_takes_no_memory),
       cmocka_unit_test(stop_and_start),
       cmocka_unit_test(time_of_an_idle_device),
       cmocka_unit_test(reads_beside_work_take_no_time),
       cmocka_unit_test(timestamps_rise_with_a_live_clock),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
