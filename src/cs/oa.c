/* The performance counters seen from the render streamer: when events reach them. */
#include "cs/cs_internal.h"

#include "eu/tally.h"
#include "oa/oa.h"

#include <string.h>

#define CLOCK_NS 2u /* CS-022 */

/* SYS-468: all contexts count, or that one alone. */
static bool
counted(const struct pergola_device *dev, uint32_t control)
{
   uint32_t ccid = reg_get(dev, REG_CCID);
   if (!(control & REG_OACONTROL__PERFORMANCE_COUNTER_ENABLE))
      return false;
   return !(control & REG_OACONTROL__SPECIFIC_CONTEXT_ENABLE) ||
          (ccid & REG_CCID__VALID && !((ccid ^ control) & 0xfffff000));
}

static void
collect(struct cs *cs, uint32_t control)
{
   struct oa_events events;
   struct pergola_device *dev = cs->dev;
   memset(&events, 0, sizeof(events));
   uint64_t clocks = cs->busy_ns / CLOCK_NS;
   cs->busy_ns %= CLOCK_NS;
   if (eu_counts(dev->eu))
      eu_tally_collect(dev->eu, &events);
   if (counted(dev, control))
      oa_gen7_count(dev->oa_a, &events, clocks);
}

void
cs_oa_collect(struct cs *cs)
{
   collect(cs, reg_get(cs->dev, REG_OACONTROL));
}

void
cs_oa_control(struct cs *cs, uint32_t old, uint32_t value)
{
   collect(cs, old);
   eu_count(cs->dev->eu, value & REG_OACONTROL__PERFORMANCE_COUNTER_ENABLE);
}

/* The registers have been reset. */
void
cs_oa_reset(struct cs *cs)
{
   struct oa_events dropped = {0};
   cs->busy_ns = 0;
   if (cs->id != RCS || !cs->dev->eu)
      return;
   if (eu_counts(cs->dev->eu))
      eu_tally_collect(cs->dev->eu, &dropped);
   eu_count(cs->dev->eu, false);
   memset(cs->dev->oa_a, 0, sizeof(cs->dev->oa_a));
}

void
cs_oa_settle(struct cs *cs)
{
   cs_oa_collect(cs);
}

void
cs_oa_resume(struct cs *cs)
{
   struct pergola_device *dev = cs->dev;
   eu_count(dev->eu, reg_get(dev, REG_OACONTROL) & REG_OACONTROL__PERFORMANCE_COUNTER_ENABLE);
}
