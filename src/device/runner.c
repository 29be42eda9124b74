/* The device on a host thread of its own: start, stop, turns, sleep. */
#include "device/runner.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

/* Units of a turn: as many as take a few milliseconds, which depends on what runs. */
#define TURN_MOST (1u << 24)
#define TURN_SHORT_NS 1000000
#define TURN_LONG_NS 4000000
#define TURN_WATCHED                                                                               \
   2000u /* while somebody reads memory, byte after byte, each waits for a turn                    \
          */
#define WATCHED_NS 1000000
#define LOOK_AGAIN_NS 1000000
#define READ_NS 400u

int64_t
runner_host_ns(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* From inside the device, on whatever thread has it: told later. */
static void
on_interrupt(void *data, bool asserted)
{
   struct pergola_runner *r = data;
   r->line_now = asserted;
   r->risen |= asserted;
}

/* The callback may call the bus, which may change the line again. */
static void
tell_interrupt(struct pergola_runner *r)
{
   while (r->risen || r->line != r->line_now) {
      bool level = r->risen;
      r->risen = false;
      r->line = level;
      if (r->config.interrupt)
         r->config.interrupt(r->config.data, level);
   }
}

/* ---- turns ------------------------------------------------------------------------------------
 */

static int64_t
may_sleep(struct pergola_runner *r, enum pergola_run_result result, uint64_t units)
{
   if (r->config.turn)
      return r->config.turn(r->config.data, result, units);
   if (result == PERGOLA_RUN_BUDGET)
      return 0;
   return result == PERGOLA_RUN_WAITING ? LOOK_AGAIN_NS : -1;
}

/* Until something comes over the bus or the time is over. Meanwhile who has the lock may touch the
 * device. */
static void
sleep_for(struct pergola_runner *r, int64_t ns)
{
   pthread_mutex_lock(&r->lock);
   int64_t deadline = runner_host_ns() + ns;
   struct timespec t = {deadline / 1000000000, deadline % 1000000000};
   bool timeout = false;
   r->woken = false;
   while (!r->queued && !r->woken && !timeout && !__atomic_load_n(&r->stop, __ATOMIC_ACQUIRE)) {
      r->ours = true;
      if (ns < 0)
         pthread_cond_wait(&r->work, &r->lock);
      else
         timeout = pthread_cond_timedwait(&r->work, &r->lock, &t) == ETIMEDOUT;
      r->ours = false;
   }
   pthread_mutex_unlock(&r->lock);
}

/* All units of one turn were used, in so much time: those of the next one. */
static uint64_t
next_turn(const struct pergola_runner *r, uint64_t units, int64_t took_ns)
{
   if (r->config.fixed_turns)
      return units;
   if (took_ns < TURN_SHORT_NS && units < TURN_MOST)
      return units * 2;
   return took_ns > TURN_LONG_NS && units > PERGOLA_TURN ? units / 2 : units;
}

static void
begin_turn(struct pergola_runner *r)
{
   pthread_mutex_lock(&r->lock);
   runner_drain(r);
   runner_follow_clock(r); /* units that wait for a time look at it in the turn */
   pthread_mutex_unlock(&r->lock);
   r->touched = false;
}

static void *
run(void *data)
{
   struct pergola_runner *r = data;
   uint64_t units = PERGOLA_TURN;
   if (r->config.thread_begins)
      r->config.thread_begins();
   while (!__atomic_load_n(&r->stop, __ATOMIC_ACQUIRE)) {
      begin_turn(r);
      int64_t start = runner_host_ns();
      bool watched = !r->config.fixed_turns && start - r->looked_at < WATCHED_NS;
      uint64_t now = watched ? TURN_WATCHED : units;
      enum pergola_run_result result =
          r->config.fixed_turns ? pergola_run_turn(r->dev) : pergola_run(r->dev, now);
      r->idle = result != PERGOLA_RUN_BUDGET;
      r->clock_host = runner_host_ns();
      int64_t took = r->clock_host - start;
      tell_interrupt(r);
      int64_t ns = may_sleep(r, result, now);
      tell_interrupt(r); /* what the bus has done meanwhile */
      if (ns && !r->touched)
         sleep_for(r, ns);
      if (result == PERGOLA_RUN_BUDGET && !watched)
         units = next_turn(r, units, took);
   }
   return NULL;
}

/* ---- life -------------------------------------------------------------------------------------
 */

struct pergola_runner *
pergola_runner_create(struct pergola_device *dev, const struct pergola_runner_config *config)
{
   struct pergola_runner *r = calloc(1, sizeof(*r));
   if (!r)
      return NULL;
   r->dev = dev;
   if (config)
      r->config = *config;
   if (!r->config.read_ns)
      r->config.read_ns = READ_NS;
   r->ours = true;
   r->idle = true;
   r->clock_host = runner_host_ns();
   pthread_condattr_t attr;
   pthread_condattr_init(&attr);
   pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
   pthread_mutex_init(&r->lock, NULL);
   pthread_cond_init(&r->work, &attr);
   pthread_cond_init(&r->ack, NULL);
   pthread_cond_init(&r->room, NULL);
   pthread_condattr_destroy(&attr);
   r->line = r->line_now = dev->interrupt_line;
   pergola_set_interrupt_handler(dev, on_interrupt, r);
   dev->host_thread_begins = r->config.thread_begins;
   return r;
}

int
pergola_runner_start(struct pergola_runner *r)
{
   if (r->running || !r->dev)
      return -EINVAL;
   sigset_t all, old;
   sigfillset(&all);
   pthread_sigmask(SIG_SETMASK, &all, &old);
   pthread_mutex_lock(&r->lock);
   r->stop = false;
   r->ours = false;
   int ret = pthread_create(&r->thread, NULL, run, r);
   r->ours = ret != 0;
   __atomic_store_n(&r->running, !ret, __ATOMIC_RELEASE);
   pthread_mutex_unlock(&r->lock);
   pthread_sigmask(SIG_SETMASK, &old, NULL);
   return -ret;
}

void
pergola_runner_stop(struct pergola_runner *r)
{
   if (!__atomic_load_n(&r->running, __ATOMIC_ACQUIRE))
      return;
   pthread_mutex_lock(&r->lock);
   __atomic_store_n(&r->stop, true, __ATOMIC_RELEASE);
   pthread_cond_signal(&r->work);
   pthread_mutex_unlock(&r->lock);
   pthread_join(r->thread, NULL);
   pthread_mutex_lock(&r->lock);
   runner_drain(r); /* until nothing comes any more: then it is everybody's own to do */
   r->ours = true;
   pthread_cond_broadcast(&r->room);
   __atomic_store_n(&r->running, false, __ATOMIC_RELEASE);
   pthread_mutex_unlock(&r->lock);
}

void
pergola_runner_detach(struct pergola_runner *r)
{
   pergola_runner_stop(r);
   pthread_mutex_lock(&r->lock);
   if (r->dev) {
      pergola_set_interrupt_handler(r->dev, NULL, NULL);
      r->dev->host_thread_begins = NULL;
      runner_unmap_all(r);
   }
   r->dev = NULL;
   pthread_mutex_unlock(&r->lock);
}

void
pergola_runner_destroy(struct pergola_runner *r)
{
   if (!r)
      return;
   pergola_runner_detach(r);
   pthread_mutex_destroy(&r->lock);
   pthread_cond_destroy(&r->work);
   pthread_cond_destroy(&r->ack);
   pthread_cond_destroy(&r->room);
   free(r);
}

void
pergola_runner_before_fork(struct pergola_runner *r)
{
   pthread_mutex_lock(&r->lock);
}

void
pergola_runner_after_fork(struct pergola_runner *r)
{
   pthread_mutex_unlock(&r->lock);
}

bool
pergola_runner_serve(struct pergola_runner *r)
{
   pthread_mutex_lock(&r->lock);
   bool any = runner_drain(r);
   pthread_mutex_unlock(&r->lock);
   return any;
}

bool
pergola_runner_touched(const struct pergola_runner *r)
{
   return r->touched;
}
