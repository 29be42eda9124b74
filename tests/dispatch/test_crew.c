/* Walks over items, with a unit that only writes down who had what. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dispatch/dispatch.h"

#include <stdlib.h>
#include <string.h>

#define MOST 5000u

struct ledger {
   struct dispatcher *d;
   struct dispatch_crew crew;
   unsigned cost;       /* of an item */
   uint64_t stop_at;    /* the item that asks for the walk to stop */
   uint8_t times[MOST]; /* that an item was begun */
   uint8_t slot[MOST];
   int busy[DISPATCH_SLOTS];       /* workers in a slot */
   uint64_t after[DISPATCH_SLOTS]; /* the slot's last item, + 1 */
   unsigned wrong;
};

struct writer {
   struct dispatch_worker work;
   struct ledger *l;
   unsigned left; /* of the item under way */
};

static void *
create(void *data)
{
   struct writer *w = calloc(1, sizeof(*w));
   if (w)
      w->l = data;
   return w;
}

static void
nothing(void *w)
{
   (void)w;
}

static void
begin(struct writer *w)
{
   struct ledger *l = w->l;
   uint64_t item = w->work.next++;
   unsigned slot = w->work.slot;
   unsigned wrong = item >= l->crew.walk.items || slot >= l->crew.walk.slots;
   wrong += __atomic_add_fetch(&l->busy[slot], 1, __ATOMIC_RELAXED) != 1;
   wrong += item < l->after[slot]; /* in their order */
   __atomic_add_fetch(&l->wrong, wrong, __ATOMIC_RELAXED);
   l->after[slot] = item + 1;
   l->times[item]++;
   l->slot[item] = (uint8_t)slot;
   w->left = l->cost;
   if (item == l->stop_at)
      dispatch_stop(&l->crew);
}

static void
run(void *data, int64_t *budget)
{
   struct writer *w = data;
   if (!w->work.running)
      begin(w);
   unsigned now = *budget < w->left ? (unsigned)*budget : w->left;
   *budget -= now;
   w->left -= now;
   w->work.running = w->left > 0;
   if (!w->work.running)
      __atomic_sub_fetch(&w->l->busy[w->work.slot], 1, __ATOMIC_RELAXED);
}

static const struct dispatch_unit unit = {
    .create = create,
    .destroy = free,
    .prepare = nothing,
    .enter = nothing,
    .run = run,
};

static void
start(struct ledger *l, uint64_t items, unsigned slots, uint64_t run_length, bool whole)
{
   struct dispatch_walk *k = &l->crew.walk;
   memset(l->times, 0, sizeof(l->times));
   memset(l->busy, 0, sizeof(l->busy));
   memset(l->after, 0, sizeof(l->after));
   l->stop_at = UINT64_MAX;
   l->wrong = 0;
   k->items = items;
   k->slots = slots;
   k->run = run_length;
   k->whole = whole;
   k->alone = false;
   dispatch_begin(&l->crew);
}

static uint32_t
random_below(uint32_t *seed, uint32_t limit)
{
   *seed = *seed * 1664525u + 1013904223u;
   return (uint32_t)((uint64_t)*seed * limit >> 32);
}

static struct pergola_device *
make(struct ledger *l, unsigned host_threads)
{
   struct pergola_device *dev =
       pergola_device_create(&(struct pergola_config){.host_threads = host_threads}, NULL);
   assert_non_null(dev);
   memset(l, 0, sizeof(*l));
   l->d = dev->dispatcher;
   assert_true(dispatch_crew_init(&l->crew, l->d, &unit, l));
   return dev;
}

/* Every item is begun once, in its slot, one after the other there; which slot that is depends on
 * the walk alone. */
static void
items_and_slots(void **state)
{
   (void)state;
   static struct ledger l;
   uint32_t seed = 7;
   for (unsigned threads = 1; threads <= 4; threads++) {
      struct pergola_device *dev = make(&l, threads);
      for (unsigned i = 0; i < 60; i++) {
         uint64_t items = 1 + random_below(&seed, MOST - 1), length = 1u << random_below(&seed, 6);
         unsigned slots = 1 + random_below(&seed, DISPATCH_SLOTS);
         uint64_t budget = i % 3 ? UINT64_MAX : 1000 + random_below(&seed, 100000);
         l.cost = 1 + random_below(&seed, 500);
         start(&l, items, slots, length, i & 1);
         enum dispatch_result r;
         unsigned turns = 0;
         do {
            uint64_t left = budget;
            r = dispatch_run(&l.crew, &left);
         } while (r == DISPATCH_AGAIN && ++turns < 10000);
         assert_int_equal(r, DISPATCH_DONE);
         assert_int_equal(l.wrong, 0);
         for (uint64_t n = 0; n < items; n++) {
            assert_int_equal(l.times[n], 1);
            assert_int_equal(l.slot[n], n / length % slots);
         }
      }
      dispatch_crew_finish(&l.crew);
      pergola_device_destroy(dev);
   }
}

/* A walk that is stopped has begun the items up to some one, and no other; then it goes on there.
 */
static void
stop_and_go_on(void **state)
{
   (void)state;
   static struct ledger l;
   for (unsigned threads = 1; threads <= 4; threads++) {
      struct pergola_device *dev = make(&l, threads);
      for (unsigned i = 0; i < 40; i++) {
         uint64_t budget = UINT64_MAX;
         l.cost = 200;
         start(&l, MOST, 1 + i % DISPATCH_SLOTS, 1 + i % 5, false);
         l.stop_at = 100 * i;
         enum dispatch_result r = dispatch_run(&l.crew, &budget);
         uint64_t left = dispatch_first_left(&l.crew.walk);
         /* Others may have done all of it before the one that asks comes to it. */
         assert_int_equal(r, left < MOST ? DISPATCH_STOPPED : DISPATCH_DONE);
         assert_in_range(left, l.stop_at + 1, threads > 1 ? MOST : l.stop_at + 1);
         for (uint64_t n = 0; n < MOST; n++)
            assert_int_equal(l.times[n], n < left);
         l.crew.walk.stop = false;
         assert_int_equal(dispatch_run(&l.crew, &budget), DISPATCH_DONE);
         assert_int_equal(l.wrong, 0);
         assert_int_equal(l.times[MOST - 1], 1);
      }
      dispatch_crew_finish(&l.crew);
      pergola_device_destroy(dev);
   }
}

/* What is used is what was done, however many have done it. */
static void
budget_is_kept(void **state)
{
   (void)state;
   static struct ledger l;
   for (unsigned threads = 1; threads <= 4; threads++) {
      struct pergola_device *dev = make(&l, threads);
      uint64_t used = 0;
      enum dispatch_result r;
      l.cost = 333;
      start(&l, 3000, 8, 4, false);
      do {
         uint64_t left = 70000;
         r = dispatch_run(&l.crew, &left);
         assert_true(r == DISPATCH_DONE || !left);
         used += 70000 - left;
      } while (r == DISPATCH_AGAIN && used < 2000000);
      assert_int_equal(used, 3000 * 333);
      dispatch_crew_finish(&l.crew);
      pergola_device_destroy(dev);
   }
}

/* Places: as many as the part has, all different, all inside it. */
static void
places_of_a_part(void **state)
{
   (void)state;
   for (size_t i = 0; pergola_sku_at(i) && pergola_sku_at(i)->generation == 70; i++) {
      const struct pergola_sku *sku = pergola_sku_at(i);
      struct pergola_device *dev =
          pergola_device_create(&(struct pergola_config){.sku = sku->name}, NULL);
      bool seen[EU_HALF_SLICES][EU_COUNT][EU_THREADS] = {0};
      unsigned count = dispatch_hardware_threads(dev->dispatcher);
      assert_int_equal(count, sku->half_slices * sku->eus_per_half_slice * sku->threads_per_eu);
      for (unsigned n = 0; n < count; n++) {
         struct thread_place p = dispatch_place(dev->dispatcher, n);
         assert_in_range(p.half_slice, 0, sku->half_slices - 1u);
         assert_in_range(p.eu, 0, sku->eus_per_half_slice - 1u);
         assert_in_range(p.slot, 0, sku->threads_per_eu - 1u);
         assert_false(seen[p.half_slice][p.eu][p.slot]);
         seen[p.half_slice][p.eu][p.slot] = true;
         assert_int_equal(p.fftid, n);
      }
      pergola_device_destroy(dev);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(items_and_slots),
       cmocka_unit_test(stop_and_go_on),
       cmocka_unit_test(budget_is_kept),
       cmocka_unit_test(places_of_a_part),
   };
   return cmocka_run_group_tests_name("dispatch_crew", tests, NULL, NULL);
}
