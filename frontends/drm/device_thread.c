/* The device on a host thread of its own. Everybody else posts to its bus. */
#include "kernel.h"

#include "cs/cs.h"
#include "machine/device.h"
#include "rules/rules.h"
#include "trace/story.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Units between two looks at the bus: as many as take a few milliseconds, which depends on what
 * runs. */
#define SLICE_LEAST 200000u
#define SLICE_MOST (1u << 24)
#define SLICE_SHORT_NS 1000000
#define SLICE_LONG_NS 4000000
#define ACTHD 0x74u
#define DEIER 0x4400cu
#define WATCHED (1u << 18) /* units for which threads are looked at before they count as hung */
#define GDRST 0x941cu
#define READ_NS 400u /* what a read over the bus takes: time goes on between two of them */
#define GTIIR 0x44018u

static bool
on_device_thread(const struct kernel *k)
{
   return __atomic_load_n(&k->device.running, __ATOMIC_ACQUIRE) &&
          pthread_equal(pthread_self(), k->device.thread);
}

static void
apply(struct kernel *k, const struct bus_op *op)
{
   struct pergola_device *dev = k->device.dev;
   uint64_t result = 0;
   switch (op->kind) {
   case BUS_WRITE:
      pergola_mmio_write(dev, op->offset, 4, op->value);
      break;
   case BUS_READ:
      clock_advance(dev, READ_NS);
      result = pergola_mmio_read(dev, op->offset, (unsigned)op->size);
      break;
   case BUS_ADD:
      result = (uint64_t)(int64_t)pergola_memory_add(dev, op->physical, op->host, op->size, 0);
      break;
   case BUS_REMOVE:
      result = (uint64_t)(int64_t)pergola_memory_remove(dev, op->physical);
      break;
   }
   if (op->result)
      *op->result = result;
}

/* Does what has been posted. True if there was anything. */
static bool
drain(struct kernel *k)
{
   struct device_thread *d = &k->device;
   bool any = false;
   pthread_mutex_lock(&d->lock);
   for (size_t i = 0; i < d->ops; i++) {
      /* A copy: the array may move while the lock is dropped. */
      struct bus_op op = d->op[i];
      pthread_mutex_unlock(&d->lock);
      apply(k, &op);
      pthread_mutex_lock(&d->lock);
      any = true;
      if (op.done) {
         *op.done = true;
         pthread_cond_broadcast(&d->ack);
      }
   }
   d->ops = 0;
   d->touched |= any;
   pthread_mutex_unlock(&d->lock);
   return any;
}

static uint64_t
apply_now(struct kernel *k, struct bus_op op)
{
   uint64_t result = 0;
   op.result = &result;
   if (k->device.dev)
      apply(k, &op);
   return result;
}

static uint64_t
post(struct kernel *k, struct bus_op op, bool wait)
{
   struct device_thread *d = &k->device;
   /* Not started yet, or gone: who has the kernel's lock is alone with the device. */
   if (!__atomic_load_n(&d->running, __ATOMIC_ACQUIRE))
      return apply_now(k, op);
   if (wait && on_device_thread(k)) {
      drain(k);
      return apply_now(k, op);
   }
   uint64_t result = 0;
   bool done = false;
   if (wait) {
      op.result = &result;
      op.done = &done;
   }
   pthread_mutex_lock(&d->lock);
   if (d->ended) { /* while the process ends, with other threads still inside an ioctl */
      pthread_mutex_unlock(&d->lock);
      return apply_now(k, op);
   }
   if (d->ops == d->op_room) {
      size_t room = d->op_room ? d->op_room * 2 : 256;
      struct bus_op *bigger = realloc(d->op, room * sizeof(*bigger));
      if (!bigger)
         abort(); /* a posted write cannot fail; the host is out of memory */
      d->op = bigger;
      d->op_room = room;
   }
   d->op[d->ops++] = op;
   pthread_cond_signal(&d->work);
   while (wait && !done)
      pthread_cond_wait(&d->ack, &d->lock);
   pthread_mutex_unlock(&d->lock);
   return result;
}

void
bus_write(struct kernel *k, uint32_t offset, uint32_t value)
{
   post(k, (struct bus_op){.kind = BUS_WRITE, .offset = offset, .value = value}, false);
}

uint64_t
bus_read(struct kernel *k, uint32_t offset, unsigned size)
{
   return post(k, (struct bus_op){.kind = BUS_READ, .offset = offset, .size = size}, true);
}

void
bus_flush(struct kernel *k)
{
   if (!on_device_thread(k)) /* which does all of it before the device runs again */
      bus_read(k, GDRST, 4);
}

int
bus_add_memory(struct kernel *k, uint64_t physical, void *host, uint64_t size)
{
   struct bus_op op = {.kind = BUS_ADD, .physical = physical, .host = host, .size = size};
   return (int)(int64_t)post(k, op, true);
}

void
bus_remove_memory(struct kernel *k, uint64_t physical)
{
   post(k, (struct bus_op){.kind = BUS_REMOVE, .physical = physical}, true);
}

/* The holder of the lock may be waiting for an answer from the bus: serve it meanwhile. */
static void
lock_kernel(struct kernel *k)
{
   while (pthread_mutex_trylock(&k->lock)) {
      __atomic_store_n(&k->device_waits, true, __ATOMIC_RELEASE);
      if (drain(k))
         continue;
      struct timespec t = {0, 20000};
      nanosleep(&t, NULL);
   }
   __atomic_store_n(&k->device_waits, false, __ATOMIC_RELEASE);
}

void
kernel_lock(struct kernel *k)
{
   while (__atomic_load_n(&k->device_waits, __ATOMIC_ACQUIRE)) {
      struct timespec t = {0, 10000};
      nanosleep(&t, NULL);
   }
   pthread_mutex_lock(&k->lock);
}

static void
on_interrupt(void *data, bool asserted)
{
   struct kernel *k = data;
   if (asserted)
      k->device.interrupt = true;
}

/* As i915's handler: master off, look at and clear the bank, master on. */
static void
handle_interrupt(struct kernel *k)
{
   struct pergola_device *dev = k->device.dev;
   k->device.interrupt = false;
   pergola_mmio_write(dev, DEIER, 4, 0);
   uint32_t iir = (uint32_t)pergola_mmio_read(dev, GTIIR, 4);
   if (iir)
      pergola_mmio_write(dev, GTIIR, 4, iir);
   pergola_mmio_write(dev, DEIER, 4, 1u << 31);
   if (!iir)
      return;
   lock_kernel(k);
   requests_retire(k);
   pthread_mutex_unlock(&k->lock);
}

static bool
engine_stuck(struct kernel *k, const struct engine *e)
{
   struct pergola_device *dev = k->device.dev;
   uint32_t head = (uint32_t)pergola_mmio_read(dev, e->base + 0x34, 4) & 0x1ffffc;
   uint32_t tail = (uint32_t)pergola_mmio_read(dev, e->base + 0x30, 4) & 0x1ffff8;
   return head != tail;
}

/* How an engine shows that it hangs. */
enum symptom { OVER_BUDGET, STOPPED, WAITS, UNFINISHED };

static bool
engine_stopped(struct kernel *k, const struct engine *e)
{
   const struct pergola_device *dev = k->device.dev;
   if (rules_stopped(dev))
      return !k->device.touched && engine_stuck(k, e);
   enum cs_state state = cs_state(dev->cs[e->id]);
   bool faulted = __atomic_load_n(&dev->fault_fatal, __ATOMIC_RELAXED) >> e->id & 1;
   return state == CS_STOPPED || (faulted && state != CS_IDLE);
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
             cs_state(k->device.dev->cs[e->id]) == CS_WAITING;
   default: /* what has come since the device last ran may be its work */
      return !k->device.touched;
   }
}

/* Before the reset, which ends them. NULL: there are none, or no memory. (DRM-115) */
static char *
threads_story(struct kernel *k, const struct story_watch *watch)
{
   char *text = NULL;
   size_t size;
   FILE *f = open_memstream(&text, &size);
   if (!f)
      return NULL;
   story_print(f, "pergola", k->device.dev, watch);
   if (!fclose(f))
      return text;
   free(text);
   return NULL;
}

/* Every engine that has work and does not move is reset. */
static void
declare_hang(struct kernel *k, const char *why, enum symptom symptom,
             const struct story_watch *watch)
{
   lock_kernel(k);
   drain(k);
   for (int i = 0; i < ENGINES; i++) {
      struct engine *e = &k->engine[i];
      if (!shows(k, e, symptom))
         continue;
      char *threads = i == RCS ? threads_story(k, watch) : NULL;
      engine_hang(k, e, why, threads ? threads : "");
      free(threads);
      e->waits_since = 0;
   }
   pthread_mutex_unlock(&k->lock);
}

/* Its threads are watched for a while, so that the diagnosis can tell what they do. If all ends
 * meanwhile, it was slow. */
static void
budget_exceeded(struct kernel *k)
{
   struct story_watch watch;
   enum pergola_run_result result = story_watch(k->device.dev, WATCHED, &watch);
   if (k->device.interrupt)
      handle_interrupt(k);
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

/* Until something is posted; false at the time limit. */
static bool
wait_for_work(struct kernel *k, int64_t limit_ns)
{
   struct device_thread *d = &k->device;
   bool posted = true;
   pthread_mutex_lock(&d->lock);
   int64_t deadline = monotonic_ns() + limit_ns;
   struct timespec t = {deadline / 1000000000, deadline % 1000000000};
   while (!d->ops && !d->stop && posted) {
      if (limit_ns < 0)
         pthread_cond_wait(&d->work, &d->lock);
      else
         posted = pthread_cond_timedwait(&d->work, &d->lock, &t) != ETIMEDOUT;
   }
   posted = d->ops || d->stop;
   pthread_mutex_unlock(&d->lock);
   return posted;
}

/* Nobody runs, and some wait. One that has stood at the same command for too long hangs, whatever
 * others are given to do meanwhile. */
static bool
waits_too_long(struct kernel *k)
{
   struct pergola_device *dev = k->device.dev;
   int64_t now = monotonic_ns();
   bool any = false;
   for (int i = 0; i < ENGINES; i++) {
      struct engine *e = &k->engine[i];
      uint32_t at = (uint32_t)pergola_mmio_read(dev, e->base + ACTHD, 4);
      bool waits =
          __atomic_load_n(&e->outstanding, __ATOMIC_ACQUIRE) && cs_state(dev->cs[i]) == CS_WAITING;
      if (!waits)
         e->waits_since = 0;
      else if (!e->waits_since || e->waits_at != at)
         e->waits_since = now;
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
      k->engine[i].waits_since = 0;
}

static void
after_slice(struct kernel *k, enum pergola_run_result result, uint64_t slice)
{
   if (result != PERGOLA_RUN_WAITING)
      nobody_waits(k); /* or somebody runs who may end it */
   switch (result) {
   case PERGOLA_RUN_BUDGET:
      k->device.touched = false; /* it is running, whatever came */
      if (over_budget(k, slice))
         budget_exceeded(k);
      break;
   case PERGOLA_RUN_STOPPED:
      declare_hang(k, "the engine stopped on an error", STOPPED, NULL);
      break;
   case PERGOLA_RUN_IDLE:
      if (k->device.touched)
         break;
      if (wait_for_work(k, work_outstanding(k) ? 0 : -1))
         break;
      declare_hang(k, "the ring ran empty and the request did not complete", UNFINISHED, NULL);
      break;
   case PERGOLA_RUN_WAITING:
      if (waits_too_long(k))
         declare_hang(k, "the engine waits for something that does not come", WAITS, NULL);
      else if (!k->device.touched)
         wait_for_work(k, k->options.wait_limit_ns);
      break;
   }
}

/* All of one slice were used, in so much time: the next one. */
static uint64_t
next_slice(const struct kernel *k, uint64_t slice, int64_t took_ns)
{
   if (k->options.deterministic)
      return slice;
   if (took_ns < SLICE_SHORT_NS && slice < SLICE_MOST)
      return slice * 2;
   return took_ns > SLICE_LONG_NS && slice > SLICE_LEAST ? slice / 2 : slice;
}

/* What has been posted is done; what comes later is the poster's own to do. */
static void
end(struct kernel *k)
{
   struct device_thread *d = &k->device;
   bool ended;
   do {
      drain(k);
      pthread_mutex_lock(&d->lock);
      ended = d->ended = !d->ops;
      pthread_mutex_unlock(&d->lock);
   } while (!ended);
}

static void *
run(void *data)
{
   struct kernel *k = data;
   uint64_t slice = SLICE_LEAST;
   kernel_inside = true;
   guard_thread();
   while (!__atomic_load_n(&k->device.stop, __ATOMIC_ACQUIRE)) {
      drain(k);
      k->device.touched = false;
      int64_t start = monotonic_ns();
      enum pergola_run_result result = pergola_run(k->device.dev, slice);
      guard_tell();
      if (k->device.interrupt)
         handle_interrupt(k);
      after_slice(k, result, slice);
      if (result == PERGOLA_RUN_BUDGET)
         slice = next_slice(k, slice, monotonic_ns() - start);
   }
   end(k);
   return NULL;
}

int
device_thread_start(struct kernel *k)
{
   struct device_thread *d = &k->device;
   pthread_condattr_t attr;
   pthread_condattr_init(&attr);
   pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
   pthread_mutex_init(&d->lock, NULL);
   pthread_cond_init(&d->work, &attr);
   pthread_cond_init(&d->ack, NULL);
   pthread_condattr_destroy(&attr);
   d->stop = d->ended = false;
   pergola_set_interrupt_handler(d->dev, on_interrupt, k);

   /* Signals are the client's business. */
   sigset_t all, old;
   sigfillset(&all);
   pthread_sigmask(SIG_SETMASK, &all, &old);
   /* The lock keeps the new thread from looking at `running` before it is set. */
   pthread_mutex_lock(&d->lock);
   int ret = pthread_create(&d->thread, NULL, run, k);
   __atomic_store_n(&d->running, !ret, __ATOMIC_RELEASE);
   pthread_mutex_unlock(&d->lock);
   pthread_sigmask(SIG_SETMASK, &old, NULL);
   return -ret;
}

void
device_thread_stop(struct kernel *k)
{
   struct device_thread *d = &k->device;
   if (!d->running)
      return;
   pthread_mutex_lock(&d->lock);
   __atomic_store_n(&d->stop, true, __ATOMIC_RELEASE);
   pthread_cond_signal(&d->work);
   pthread_mutex_unlock(&d->lock);
   pthread_join(d->thread, NULL);
   __atomic_store_n(&d->running, false, __ATOMIC_RELEASE);
   free(d->op);
   d->op = NULL;
   d->ops = d->op_room = 0;
}
