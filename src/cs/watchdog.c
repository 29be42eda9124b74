/* The watchdog counter of the render and video engines. */
#include "cs/cs_internal.h"

/* VCS-099: 0 starts, all ones stop. RCS-187: 0 starts, 1 stops and clears. */
void
cs_watchdog_written(struct cs *cs, uint32_t value)
{
   if (cs->id == RCS) {
      cs->watchdog_on =
          hw_get(value, REG_PR_CTR_CTL__COUNTER_LOGIC_OP) == REG_PR_CTR_CTL__COUNTER_LOGIC_OP_START;
      cs->watchdog_count = 0;
      cs_reg_set(cs, R_CTR, 0);
   } else {
      cs->watchdog_on = value != 0xffffffff; /* VCS-102: runs from the value that was written */
      cs->watchdog_count = value;
   }
   cs->watchdog_start_ns = cs->time_ns;
}

/* VCS-102: one tick a parser step while the engine is busy. RCS-187: or a tick every 640 ns. */
void
cs_watchdog_tick(struct cs *cs)
{
   if (cs->id == RCS && !(cs_reg(cs, R_CTR_CTL) & REG_PR_CTR_CTL__COUNT_SELECT)) {
      uint64_t ticks = (cs->time_ns - cs->watchdog_start_ns) / 640;
      cs->watchdog_start_ns += ticks * 640;
      cs->watchdog_count += (uint32_t)ticks;
   } else {
      cs->watchdog_count++;
   }
   /* VCS-101, VCS-102, RCS-187: at the threshold an interrupt, and the count starts again. */
   if (cs->watchdog_count >= cs_reg(cs, R_CTR_THRSH)) {
      cs->watchdog_count = 0;
      interrupt_gt(cs->dev, cs->id, cs->irq->watchdog);
   }
   cs_reg_set(cs, cs->id == RCS ? R_CTR : R_CTR_CTL, cs->watchdog_count);
}
