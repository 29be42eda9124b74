/* Host threads for independent groups. They sleep between walks. */
#include "dispatch/pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

struct pool_thread {
   struct pool *pool;
   unsigned index;
   unsigned seen; /* generation that it has worked on */
   pthread_t thread;
};

struct pool {
   pthread_mutex_t lock;
   pthread_cond_t start, done;
   unsigned generation, count; /* count: threads beside the caller's */
   unsigned wanted, running;   /* of these: still to begin; at work */
   bool quit;
   void (*begins)(void);
   void (*fn)(void *data, unsigned index);
   void *data;
   struct pool_thread thread[];
};

static uint64_t
now_ns(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Waits, awake, for something that is about to happen: no longer than going to sleep and being
 * woken takes. By the clock: a pause takes ten cycles on one CPU and a hundred and forty on
 * another. */
static void
look(bool (*happened)(const void *data), const void *data)
{
   uint64_t end = 0;
   for (unsigned i = 0; !happened(data); i++) {
#ifdef __x86_64__
      __builtin_ia32_pause();
#endif
      if (i % 16)
         continue;
      uint64_t now = now_ns();
      end = end ? end : now + POOL_LOOK_NS;
      if (now >= end)
         return;
   }
}

static bool
changed(const void *data)
{
   const struct pool_thread *self = data;
   return __atomic_load_n(&self->pool->generation, __ATOMIC_ACQUIRE) != self->seen;
}

static bool
all_done(const void *data)
{
   const struct pool *p = data;
   return !__atomic_load_n(&p->running, __ATOMIC_ACQUIRE);
}

static void *
pool_main(void *arg)
{
   struct pool_thread *self = arg;
   struct pool *p = self->pool;
   if (p->begins)
      p->begins();
   pthread_mutex_lock(&p->lock);
   for (;;) {
      pthread_mutex_unlock(&p->lock);
      look(changed, self);
      pthread_mutex_lock(&p->lock);
      while (!p->quit && p->generation == self->seen)
         pthread_cond_wait(&p->start, &p->lock);
      if (p->quit)
         break;
      self->seen = p->generation;
      if (!p->wanted) /* the others were done before this one came */
         continue;
      p->wanted--;
      __atomic_add_fetch(&p->running, 1, __ATOMIC_RELAXED);
      void (*fn)(void *, unsigned) = p->fn;
      void *data = p->data;
      pthread_mutex_unlock(&p->lock);
      fn(data, self->index);
      pthread_mutex_lock(&p->lock);
      if (__atomic_sub_fetch(&p->running, 1, __ATOMIC_RELEASE) == 0)
         pthread_cond_signal(&p->done);
   }
   pthread_mutex_unlock(&p->lock);
   return NULL;
}

/* Fewer threads than asked for is still a pool; NULL only without memory. */
struct pool *
pool_create(unsigned threads, void (*begins)(void))
{
   unsigned extra = threads > 1 ? threads - 1 : 0;
   struct pool *p = calloc(1, sizeof(*p) + extra * sizeof(p->thread[0]));
   if (!p)
      return NULL;
   p->begins = begins;
   pthread_mutex_init(&p->lock, NULL);
   pthread_cond_init(&p->start, NULL);
   pthread_cond_init(&p->done, NULL);
   for (unsigned i = 0; i < extra; i++) {
      p->thread[i].pool = p;
      p->thread[i].index = i + 1;
      if (pthread_create(&p->thread[i].thread, NULL, pool_main, &p->thread[i]))
         break;
      p->count++;
   }
   return p;
}

void
pool_destroy(struct pool *p)
{
   if (!p)
      return;
   pthread_mutex_lock(&p->lock);
   p->quit = true;
   pthread_cond_broadcast(&p->start);
   pthread_mutex_unlock(&p->lock);
   for (unsigned i = 0; i < p->count; i++)
      pthread_join(p->thread[i].thread, NULL);
   pthread_cond_destroy(&p->start);
   pthread_cond_destroy(&p->done);
   pthread_mutex_destroy(&p->lock);
   free(p);
}

unsigned
pool_threads(const struct pool *p)
{
   return p->count + 1;
}

void
pool_run(struct pool *p, void (*fn)(void *data, unsigned index), void *data)
{
   pthread_mutex_lock(&p->lock);
   p->fn = fn;
   p->data = data;
   p->wanted = p->count;
   __atomic_store_n(&p->generation, p->generation + 1, __ATOMIC_RELEASE);
   pthread_cond_broadcast(&p->start);
   pthread_mutex_unlock(&p->lock);
   fn(data, 0);
   pthread_mutex_lock(&p->lock);
   p->wanted = 0; /* who has not begun need not */
   pthread_mutex_unlock(&p->lock);
   look(all_done, p);
   pthread_mutex_lock(&p->lock);
   while (p->running)
      pthread_cond_wait(&p->done, &p->lock);
   pthread_mutex_unlock(&p->lock);
}
