/* Two devices in the same state that get the same random messages, one by the fast path, one by the
 * slow one. */
#ifndef PERGOLA_TEST_DATAPORT_TWINS_H
#define PERGOLA_TEST_DATAPORT_TWINS_H

#include "fixture.h"

static inline uint32_t
next(uint64_t *seed)
{
   *seed = *seed * 6364136223846793005u + 1442695040888963407u;
   return (uint32_t)(*seed >> 33);
}

static inline uint32_t
one_of(uint64_t *seed, uint32_t n)
{
   return next(seed) % n;
}

static inline uint32_t
make_mask(uint64_t *seed)
{
   switch (one_of(seed, 6)) {
   case 0:
      return next(seed) & next(seed) & 0xffff;
   case 1:
      return next(seed) & 0xffff;
   case 2:
      return 1u << one_of(seed, 16);
   case 3:
      return (1u << one_of(seed, 17)) - 1;
   default:
      return 0xffff;
   }
}

static inline void
assert_same_answer(struct fx *a, struct fx *b)
{
   assert_memory_equal(a->t.grf, b->t.grf, sizeof(a->t.grf));
   assert_int_equal(a->rule_count, b->rule_count);
   for (unsigned i = 0; i < a->rule_count && i < 64; i++)
      assert_string_equal(a->rules[i], b->rules[i]);
}

#endif
