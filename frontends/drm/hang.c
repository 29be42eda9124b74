/* On the runner's thread, between two turns of the device: interrupts, and the watch over engines
 * that hang. */
#include "kernel.h"

#include "gen7_hw.h"
#include "pergola/pergola_trace.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#define WATCHED (1u << 18) /* units for which threads are looked at before they count as hung */

#define GIVE_WAY 100u /* times, before a sleep, which is longer than most of what has the lock */

static void
give_way(unsigned attempt)
{
   struct timespec t = {0, 10000};
   if (attempt < GIVE_WAY)
      sched_yield();
   else
      nanosleep(&t, NULL);
}

/* The holder of the lock may be waiting for an answer from the bus: serve it meanwhile. */
static void
lock_kernel(struct kernel *k)
{
   for (unsigned i = 0; pthread_mutex_trylock(&k->lock); i++) {
      __atomic_store_n(&k->device_waits, true, __ATOMIC_RELEASE);
      if (!pergola_runner_serve(k->runner))
         give_way(i);
   }
   __atomic_store_n(&k->device_waits, false, __ATOMIC_RELEASE);
}

void
kernel_lock(struct kernel *k)
{
   for (unsigned i = 0; __atomic_load_n(&k->device_waits, __ATOMIC_ACQUIRE); i++)
      give_way(i);
   pthread_mutex_lock(&k->lock);
}

/* Who waits is woken after the lock is free: it wants it at once. */
static void
retire(struct kernel *k)
{
   lock_kernel(k);
   bool any = requests_retire(k);
   pthread_mutex_unlock(&k->lock);
   if (any)
      kernel_wake(k);
}

/* As i915's handler: master off, look at and clear the bank, master on. */
static void
on_interrupt(void *data, bool asserted)
{
   struct kernel *k = data;
   if (!asserted)
      return;
   bus_write(k, REG_DEIER, 0);
   uint32_t iir = bus_read(k, REG_GTIIR);
   if (iir)
      bus_write(k, REG_GTIIR, iir);
   bus_write(k, REG_DEIER, REG_DEIER__MASTER_INTERRUPT_CONTROL);
   if (!iir)
      return;
   retire(k);
}

static bool
engine_stuck(struct kernel *k, const struct engine *e)
{
   uint32_t head =
       bus_read(k, e->base + ENGINE_RING_BUFFER_HEAD) & REG_RCS_RING_BUFFER_HEAD__HEAD_OFFSET;
   uint32_t tail =
       bus_read(k, e->base + ENGINE_RING_BUFFER_TAIL) & REG_RCS_RING_BUFFER_TAIL__TAIL_OFFSET;
   return head != tail;
}

/* How an engine shows that it hangs. */
enum symptom { OVER_BUDGET, STOPPED, WAITS, UNFINISHED };

static bool
engine_stopped(struct kernel *k, const struct engine *e)
{
   struct pergola_engine_status s;
   pergola_runner_engine(k->runner, (enum pergola_engine)e->id, &s);
   if (s.rule_stopped)
      return !pergola_runner_touched(k->runner) && engine_stuck(k, e);
   return s.state == PERGOLA_ENGINE_STOPPED || (s.faulted && s.state != PERGOLA_ENGINE_IDLE);
}

static bool
engine_waits(struct kernel *k, const struct engine *e)
{
   struct pergola_engine_status s;
   pergola_runner_engine(k->runner, (enum pergola_engine)e->id, &s);
   return s.state == PERGOLA_ENGINE_WAITING;
}

/* Others may come and go on their engines meanwhile: each is looked at for itself. */
static bool
shows(struct kernel *k, const struct engine *e, enum symptom symptom)
{
   if (!e->inflight)
      return false;
   switch (symptom) {
   case OVER_BUDGET:
      return __atomic_load_n(&e->busy_budget, __ATOMIC_RELAXED) > k->options.hang_budget &&
             engine_stuck(k, e);
   case STOPPED:
      return engine_stopped(k, e);
   case WAITS:
      return e->waits_since && monotonic_ns() - e->waits_since >= k->options.wait_limit_ns &&
             engine_waits(k, e);
   default: /* what has come since the device last ran may be its work */
      return !pergola_runner_touched(k->runner);
   }
}

/* Before the reset, which ends them. NULL: there are none, or no memory. (DRM-115) */
static char *
threads_story(struct kernel *k, const struct pergola_story *watch)
{
   char *text = NULL;
   size_t size;
   FILE *f = open_memstream(&text, &size);
   if (!f)
      return NULL;
   pergola_story_print(f, "pergola", k->dev, watch);
   if (!fclose(f))
      return text;
   free(text);
   return NULL;
}

static void
stands_since(struct engine *e, int64_t since)
{
   __atomic_store_n(&e->waits_since, since, __ATOMIC_RELAXED);
}

/* Every engine that has work and does not move is reset. */
static void
declare_hang(struct kernel *k, const char *why, enum symptom symptom,
             const struct pergola_story *watch)
{
   lock_kernel(k);
   pergola_runner_serve(k->runner);
   for (int i = 0; i < ENGINES; i++) {
      struct engine *e = &k->engine[i];
      if (!shows(k, e, symptom))
         continue;
      char *threads = i == KERNEL_RCS ? threads_story(k, watch) : NULL;
      engine_hang(k, e, why, threads ? threads : "");
      free(threads);
      stands_since(e, 0);
   }
   pthread_mutex_unlock(&k->lock);
}

/* Its threads are watched for a while, so that the diagnosis can tell what they do. If all ends
 * meanwhile, it was slow. */
static void
budget_exceeded(struct kernel *k)
{
   struct pergola_story watch;
   enum pergola_run_result result = pergola_story_watch(k->dev, WATCHED, &watch);
   retire(k); /* what has ended just now */
   if (result == PERGOLA_RUN_BUDGET)
      declare_hang(k, "the batch did not end within the budget of --hang-budget", OVER_BUDGET,
                   &watch);
}

static bool
work_outstanding(struct kernel *k)
{
   for (int i = 0; i < ENGINES; i++)
      if (__atomic_load_n(&k->engine[i].outstanding, __ATOMIC_ACQUIRE))
         return true;
   return false;
}

static bool
over_budget(struct kernel *k, uint64_t slice)
{
   bool over = false;
   for (int i = 0; i < ENGINES; i++) {
      struct engine *e = &k->engine[i];
      if (!__atomic_load_n(&e->outstanding, __ATOMIC_ACQUIRE))
         continue;
      over |= __atomic_add_fetch(&e->busy_budget, slice, __ATOMIC_RELAXED) > k->options.hang_budget;
   }
   return over;
}

/* Nobody runs, and some wait. One that has stood at the same command for too long hangs, whatever
 * others are given to do meanwhile. */
static bool
waits_too_long(struct kernel *k)
{
   int64_t now = monotonic_ns();
   bool any = false;
   for (int i = 0; i < ENGINES; i++) {
      struct engine *e = &k->engine[i];
      uint32_t at = bus_read(k, e->base + ENGINE_ACTHD);
      bool waits = __atomic_load_n(&e->outstanding, __ATOMIC_ACQUIRE) && engine_waits(k, e);
      if (!waits)
         stands_since(e, 0);
      else if (!e->waits_since || e->waits_at != at)
         stands_since(e, now);
      e->waits_at = at;
      any |= waits && now - e->waits_since >= k->options.wait_limit_ns;
   }
   return any;
}

/* DRM-116 */
static void
nobody_waits(struct kernel *k)
{
   for (int i = 0; i < ENGINES; i++)
      stands_since(&k->engine[i], 0);
}

/* Returns for how long the device may sleep. */
static int64_t
after_turn(void *data, enum pergola_run_result result, uint64_t units)
{
   struct kernel *k = data;
   guard_tell();
   watch_turn(k, result);
   if (result != PERGOLA_RUN_WAITING)
      nobody_waits(k); /* or somebody runs who may end it */
   switch (result) {
   case PERGOLA_RUN_BUDGET:
      if (over_budget(k, units))
         budget_exceeded(k);
      return 0;
   case PERGOLA_RUN_STOPPED:
      declare_hang(k, "the engine stopped on an error", STOPPED, NULL);
      return 0;
   case PERGOLA_RUN_IDLE:
      if (!work_outstanding(k))
         return -1;
      if (!pergola_runner_serve(k->runner) && !pergola_runner_touched(k->runner))
         declare_hang(k, "the ring ran empty and the request did not complete", UNFINISHED, NULL);
      return 0;
   case PERGOLA_RUN_WAITING:
      if (!waits_too_long(k))
         return k->options.wait_limit_ns;
      declare_hang(k, "the engine waits for something that does not come", WAITS, NULL);
      return 0;
   }
   return 0;
}

/* The runner's thread waits for those of the device's pool, and may be waited for with the lock
 * held: whoever stands before the C library's functions, this library or another, must not make
 * them wait for the lock. */
static void
thread_begins(void)
{
   kernel_inside = true;
   guard_thread();
}

int
device_attach(struct kernel *k)
{
   /* Where a turn ends within a draw, costs are rounded: who records the counters wants the same
    * clocks in every run. */
   bool fixed = k->options.deterministic || *k->options.oa;
   struct pergola_runner_config c = {.data = k,
                                     .thread_begins = thread_begins,
                                     .interrupt = on_interrupt,
                                     .turn = after_turn,
                                     .fixed_turns = fixed};
   k->runner = pergola_runner_create(k->dev, &c);
   return k->runner ? 0 : -ENOMEM;
}

int
device_start(struct kernel *k)
{
   watch_open(k);
   return pergola_runner_start(k->runner);
}

void
device_end(struct kernel *k)
{
   if (k->runner)
      pergola_runner_detach(k->runner);
   if (k->dev)
      pergola_device_destroy(k->dev);
   k->dev = NULL;
}

/* ---- the bus; none in the child of a fork that has not used it yet
 * ---------------------------------------------------------------------------------- */

void
bus_write(struct kernel *k, uint32_t offset, uint32_t value)
{
   if (k->runner)
      pergola_runner_write(k->runner, offset, 4, value);
}

/* When the kernel looks depends on the host. */
uint32_t
bus_read(struct kernel *k, uint32_t offset)
{
   return k->runner ? (uint32_t)pergola_runner_look(k->runner, offset, 4) : 0;
}

uint32_t
bus_read_for_client(struct kernel *k, uint32_t offset)
{
   return k->runner ? (uint32_t)pergola_runner_read(k->runner, offset, 4) : 0;
}

void
bus_flush(struct kernel *k)
{
   if (k->runner)
      pergola_runner_flush(k->runner);
}

int
bus_add_memory(struct kernel *k, uint64_t physical, void *host, uint64_t size)
{
   struct pergola_runner_memory m = {.address = physical, .size = size, .host = host};
   return k->runner ? pergola_runner_memory_add(k->runner, &m) : -ENODEV;
}

void
bus_set_objects(struct kernel *k, const struct pergola_object *list, size_t count)
{
   if (k->runner)
      pergola_runner_set_objects(k->runner, false, list, count);
}

void
bus_remove_memory(struct kernel *k, uint64_t physical)
{
   if (k->runner)
      pergola_runner_memory_remove(k->runner, physical);
}
