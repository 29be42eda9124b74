/* The pool of host threads by itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dispatch/pool.h"

#include <time.h>

#define ROUNDS 40u

static unsigned calls[4];

static void
count(void *data, unsigned index)
{
   unsigned *at = data;
   __atomic_add_fetch(&at[index], 1, __ATOMIC_RELAXED);
}

/* The caller stays until another one has come, or for ten seconds. */
static void
meet(void *data, unsigned index)
{
   unsigned *others = data;
   if (index)
      __atomic_add_fetch(others, 1, __ATOMIC_RELAXED);
   for (unsigned i = 0; !index && i < 10000 && !__atomic_load_n(others, __ATOMIC_RELAXED); i++)
      nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static uint64_t
cpu_ns(void)
{
   struct timespec t;
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
   return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The caller's part is done once in every round, the others' at most once. */
static void
everybody_is_called(void **state)
{
   (void)state;
   struct pool *p = pool_create(4, NULL);
   assert_non_null(p);
   for (unsigned i = 0; i < 1000; i++)
      pool_run(p, count, calls);
   assert_int_equal(calls[0], 1000);
   for (unsigned i = 1; i < 4; i++)
      assert_in_range(calls[i], 0, 1000);
   unsigned others = 0;
   pool_run(p, meet, &others);
   assert_in_range(others, 1, 3);
   pool_destroy(p);
}

/* Host threads that have nothing to do soon sleep, whatever a pause of this CPU takes. Processor
 * time, not time: a busy machine makes no difference. */
static void
idle_threads_sleep(void **state)
{
   (void)state;
   struct pool *p = pool_create(4, NULL);
   assert_non_null(p);
   pool_run(p, count, calls);
   uint64_t before = cpu_ns();
   for (unsigned i = 0; i < ROUNDS; i++) {
      pool_run(p, count, calls);
      nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
   }
   uint64_t used = (cpu_ns() - before) / ROUNDS;
   pool_destroy(p);
   /* Three threads look for work twice a round at most; waking them is in it as well. */
   if (used > 10 * POOL_LOOK_NS)
      fail_msg("%llu ns of processor time a round, %u is what one thread may look for work",
               (unsigned long long)used, POOL_LOOK_NS);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(everybody_is_called),
       cmocka_unit_test(idle_threads_sleep),
   };
   return cmocka_run_group_tests_name("dispatch_pool", tests, NULL, NULL);
}
