/* Gen7's aggregating counters (SYS-471): which events each of them sums. */
#include "oa/oa.h"

/* First of the three counters of a stage: active clocks, then, two and three further on, clocks
 * with the whole EU stalled and threads loaded. */
static const uint8_t stage_counter[OA_STAGES] = {
    [OA_VS] = 2, [OA_HS] = 7, [OA_DS] = 12, [OA_TS] = 17, [OA_GS] = 22, [OA_PS] = 27,
};
enum { EU_ACTIVE = 0, EU_STALLED = 1, SLOW_PASSED = 34, TARGET_WRITES = 40, RENDER_BUSY = 41 };

void
oa_gen7_count(uint32_t a[OA_GEN7_A], const struct oa_events *e, uint64_t render_clocks)
{
   for (unsigned s = 0; s < OA_STAGES; s++) {
      uint32_t *first = &a[stage_counter[s]];
      uint64_t active = oa_stage_sum(e, s, 0, OA_CLOCK_EVENTS - 1),
               stalled = oa_stage_sum(e, s, OA_STALLED, OA_STALLED);
      first[0] += (uint32_t)active;
      first[2] += (uint32_t)stalled;
      first[3] += (uint32_t)oa_stage_sum(e, s, OA_THREADS, OA_THREADS);
      a[EU_ACTIVE] += (uint32_t)active;
      a[EU_STALLED] += (uint32_t)stalled;
   }
   /* A34..A39 in the order of the events. A32 and A33 stay 0: there is no hierarchical depth. */
   for (unsigned i = OA_PIXELS_SLOW_PASSED; i < OA_PIXEL_COUNTS; i++)
      a[SLOW_PASSED + i - OA_PIXELS_SLOW_PASSED] += (uint32_t)e->pixels[i];
   a[TARGET_WRITES] += (uint32_t)oa_sum(e, OA_TARGET_WRITE, OA_TARGET_WRITE);
   a[RENDER_BUSY] += (uint32_t)render_clocks;
}
