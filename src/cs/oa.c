/* The performance counters seen from the render streamer: when events reach them. */
#include "cs/cs_internal.h"

#include "eu/tally.h"
#include "oa/oa.h"
#include "oa/record.h"

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
          (ccid & REG_CCID__VALID && !((ccid ^ control) & REG_OACONTROL__CONTEXT_ID));
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
   if (dev->oa) /* time stamps of 12 MHz (SYS-298) */
      oa_record_events(dev->oa, clocks, dev->time_ns * 12 / 1000, &events);
}

void
cs_oa_collect(struct cs *cs)
{
   collect(cs, reg_get(cs->dev, REG_OACONTROL));
}

/* Counting is on while the register or a recording asks for it. */
static void
choose(struct pergola_device *dev)
{
   uint32_t control = reg_get(dev, REG_OACONTROL);
   eu_count(dev->eu, dev->oa || control & REG_OACONTROL__PERFORMANCE_COUNTER_ENABLE);
}

void
cs_oa_control(struct cs *cs, uint32_t old)
{
   collect(cs, old);
   choose(cs->dev);
}

/* SYS-240: a dispatch has what is counted until the next one; threads of the spawner that outlive
 * their command count for those behind it. */
void
cs_oa_dispatch(struct cs *cs, const char *command, uint32_t address)
{
   cs_oa_collect(cs);
   oa_record_dispatch(cs->dev->oa, command, address);
}

/* The registers have been reset. */
void
cs_oa_reset(struct cs *cs)
{
   if (cs->id != RCS || !cs->dev->eu) {
      cs->busy_ns = 0;
      return;
   }
   collect(cs, 0);
   choose(cs->dev);
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
   choose(cs->dev);
}
