/* The allocator of address ranges, against a map of bytes. */
#include "rig.h"
#include "tests/proves.h"

#define END 4096u

static uint32_t
next(uint32_t *seed)
{
   *seed = *seed * 1664525u + 1013904223u;
   return *seed >> 8;
}

/* DRM-095: ranges never overlap, keep their alignment, stay in bounds, and are found while any gap
 * is large enough. */
static void
random_use(void **state)
{
   proves("DRM-095");
   struct range_alloc r;
   uint8_t used[END] = {0};
   uint64_t start[128], size[128];
   unsigned n = 0;
   uint32_t seed = 99;
   print_message("# seed %u\n", seed);
   range_init(&r, 0, END);
   for (int step = 0; step < 20000; step++) {
      if (n && (n == 128 || next(&seed) % 3 == 0)) {
         unsigned i = next(&seed) % n;
         range_give(&r, start[i]);
         memset(used + start[i], 0, size[i]);
         start[i] = start[--n];
         size[i] = size[n];
         continue;
      }
      uint64_t want = 1 + next(&seed) % 300, align = 1u << next(&seed) % 7, at = 0;
      bool fixed = next(&seed) % 4 == 0;
      if (fixed)
         at = next(&seed) % END;
      int ret = fixed ? range_take_at(&r, at, want) : range_take(&r, want, align, &at);
      bool possible = false;
      for (uint64_t s = fixed ? at : 0; s + want <= END && !possible; s += fixed ? END : align) {
         possible = true;
         for (uint64_t b = s; b < s + want && possible; b++)
            possible = !used[b];
      }
      assert_int_equal(ret, possible ? 0 : -ENOSPC);
      if (ret)
         continue;
      assert_true(at + want <= END && (fixed || at % align == 0));
      for (uint64_t b = at; b < at + want; b++)
         assert_int_equal(used[b]++, 0);
      start[n] = at;
      size[n++] = want;
   }
   uint64_t total = 0;
   for (unsigned i = 0; i < n; i++)
      total += size[i];
   assert_int_equal(range_used(&r), total);
   range_finish(&r);
}

/* DRM-095: who asks for no alignment gets the next free place, wherever the space begins. */
static void
no_alignment(void **state)
{
   (void)state;
   proves("DRM-095");
   struct range_alloc r;
   uint64_t at = 0;
   range_init(&r, 101, 201);
   for (uint64_t next = 101; next < 201; next += 10) {
      assert_int_equal(range_take(&r, 10, 0, &at), 0);
      assert_int_equal(at, next);
   }
   assert_int_equal(range_take(&r, 1, 0, &at), -ENOSPC);
   range_give(&r, 131);
   assert_int_equal(range_take(&r, 11, 0, &at), -ENOSPC);
   assert_int_equal(range_take(&r, 10, 0, &at), 0);
   assert_int_equal(at, 131);
   range_finish(&r);
}

#define MANY 1000000u

/* DRM-095: as many as a client likes, given back in the order of their taking or against it. Were
 * all that follow moved for each, it would take a quarter of an hour. */
static void
many_ranges(void **state)
{
   proves("DRM-095");
   struct range_alloc r;
   uint64_t at = 0;
   range_init(&r, 0, 4096ull * MANY);
   for (unsigned back = 0; back < 2; back++) {
      for (uint64_t i = 0; i < MANY; i++) {
         assert_int_equal(range_take(&r, 4096, 4096, &at), 0);
         assert_int_equal(at, 4096 * i);
         range_own(&r, at, &r.end + i % 2);
      }
      assert_int_equal(range_take(&r, 4096, 4096, &at), -ENOSPC);
      for (uint64_t i = 0; i < MANY; i++) {
         uint64_t n = back ? MANY - 1 - i : i;
         assert_ptr_equal(range_owner(&r, 4096 * n + 4095), &r.end + n % 2);
         range_give(&r, 4096 * n);
         assert_null(range_owner(&r, 4096 * n));
      }
      assert_int_equal(range_used(&r), 0);
   }
   range_finish(&r);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(random_use), cmocka_unit_test(no_alignment),
                                      cmocka_unit_test(many_ranges)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
