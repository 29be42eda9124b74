/* Side effects of the engines' registers. */
#include "cs/cs_internal.h"

/* VCS-072, VCS-076, VCS-319: what software may write to the ring registers, and when. */
static void
ring_written(struct cs *cs, uint32_t offset, uint32_t old, uint32_t value)
{
   uint32_t ctl = cs_reg(cs, R_CTL);
   bool enabled = ctl & CTL_ENABLE;
   struct rule_place place = {
       .engine = cs->name, .address = cs->base + offset, .has_address = true};
   uint32_t size = cs_ring_size(ctl);
   if (offset == R_HEAD && enabled && !(cs_reg(cs, R_MI_MODE) & MI_MODE_STOP)) {
      place.subject = "RING_BUFFER_HEAD";
      rule_report(cs->dev, PERGOLA_ERROR, "VCS-072", &place,
                  "the head is written while the ring is enabled");
   } else if (offset == R_TAIL && enabled && (value & TAIL_OFFSET) >= size) {
      place.subject = "RING_BUFFER_TAIL";
      rule_report(cs->dev, PERGOLA_ERROR, "VCS-319", &place,
                  "tail 0x%x lies beyond the ring of 0x%x bytes; taken modulo its size", value,
                  size);
   } else if (offset == R_START && value >> 31) {
      place.subject = "RING_BUFFER_START";
      rule_report(cs->dev, PERGOLA_ERROR, "VCS-076", &place,
                  "start 0x%08x lies beyond the 2 GiB that the GTT maps", value);
   }
}

/* CS-023: what was in hand, or waited, is left. */
static void
drop_command(struct cs *cs)
{
   if (cs->hand && cs->id == RCS)
      cs->pipes->render_reset(cs->dev->render);
   cs->hand = CS_FRESH;
   cs->wait = (struct cs_wait){0};
}

/* VCS-091: the batch storages become inactive; head and tail stay. */
static void
ring_disabled(struct cs *cs)
{
   if (cs->level && cs->in_command)
      cs->next = cs->at[0].address; /* the stream itself did it: go on behind the batch */
   cs->level = 0;
   cs->guarded_walker_done = false;
   drop_command(cs);
   if (!cs->in_command)
      cs_load(cs);
}

/* VCS-087: 4 KB reports are not for ring buffer scheduling. */
static void
control_written(struct cs *cs, uint32_t old, uint32_t value)
{
   struct rule_place place = {.engine = cs->name,
                              .subject = "RING_BUFFER_CTL",
                              .address = cs->base + R_CTL,
                              .has_address = true};
   if (old & ~value & (CTL_RB_WAIT | CTL_SEMAPHORE_WAIT))
      cs_wait_end(cs); /* VCS-081, VCS-083 */
   const uint32_t every_4k = REG_RCS_RING_BUFFER_CTL__AUTOMATIC_REPORT_HEAD_POINTER_4_KB;
   if (hw_get(value, CTL_REPORT_HEAD) == every_4k && value & CTL_ENABLE &&
       hw_get(old, CTL_REPORT_HEAD) != every_4k)
      rule_report(cs->dev, PERGOLA_WARNING, "VCS-087", &place,
                  "the head is reported every 4 KB, which ring buffer scheduling does not allow");
   if (old & ~value & CTL_ENABLE)
      ring_disabled(cs);
   if (!cs->in_command)
      cs_load(cs);
}

/* VCS-049, VCS-051, VCS-278: a sync flush request is served at once when nothing runs, otherwise
 * before the next command, and held while flushes are suspended. CS-002: threads that hold it run
 * at their engine's cost, whoever has asked. */
static void
instpm_written(struct cs *cs, uint32_t old, uint32_t value)
{
   if (!(value & ~old & INSTPM_SYNC_FLUSH))
      return;
   if (cs->state == CS_RUNNING || cs->in_command) {
      struct rule_place place = {.engine = cs->name,
                                 .subject = "INSTPM",
                                 .field = "Sync Flush Enable",
                                 .address = cs->base + R_INSTPM,
                                 .has_address = true};
      rule_report(cs->dev, PERGOLA_WARNING, "VCS-051", &place,
                  "sync flush while the parser runs; stop the ring and wait for idle first");
   }
   uint64_t none = 0;
   cs_sync_flush(cs, &none);
}

/* VCS-033: UHPTR is dropped when it equals the head. */
static void
uhptr_written(struct cs *cs, uint32_t value)
{
   if (value & REG_RCS_UHPTR__HEAD_POINTER_VALID &&
       cs_reg(cs, R_MI_MODE) & MI_MODE_INVALIDATE_UHPTR &&
       ((cs_head_register(cs) ^ value) & REG_RCS_UHPTR__HEAD_POINTER_ADDRESS) == 0)
      cs_reg_set(cs, R_UHPTR, value & ~REG_RCS_UHPTR__HEAD_POINTER_VALID);
}

/* RCS-012, RCS-013: counters are reset by the stream alone, and only to zero. */
static void
statistic_written(struct cs *cs, uint32_t offset, uint32_t value)
{
   struct rule_place place = {.engine = cs->name,
                              .subject = "pipeline statistics",
                              .address = cs->base + offset,
                              .has_address = true};
   if (!cs->in_command)
      rule_report(cs->dev, PERGOLA_ERROR, "RCS-013", &place,
                  "a statistics counter is written through MMIO, not by the command stream");
   if (value)
      rule_report(cs->dev, PERGOLA_ERROR, "RCS-012", &place,
                  "0x%08x is written to a statistics counter that may only be reset to 0", value);
}

static void
render_written(struct cs *cs, uint32_t offset, uint32_t old, uint32_t value)
{
   uint32_t at = cs->base + offset;
   if (at == REG_OACONTROL)
      cs_oa_control(cs, old);
   if (at >= REG_HS_INVOCATION_COUNT && at < REG_PS_DEPTH_COUNT + 8) {
      statistic_written(cs, offset, value);
   } else if (at == REG_GPGPU_THREADS_DISPATCHED) { /* RCS-048: any write resets the counter */
      reg_set(cs->dev, at, 0);
      reg_set(cs->dev, at + 4, 0);
   }
}

void
cs_register_written(struct cs *cs, uint32_t offset, uint32_t old_value, uint32_t value)
{
   uint32_t at = offset - cs->base;
   switch (at) {
   case R_TAIL:
      if (cs->state == CS_IDLE && cs->time_ns < cs->dev->time_ns)
         cs->time_ns = cs->dev->time_ns; /* work begins now, whatever the others do meanwhile */
      /* fallthrough */
   case R_HEAD:
   case R_START:
      ring_written(cs, at, old_value, value);
      if (cs->in_command)
         break;
      if (at != R_TAIL && value != old_value && !cs->level)
         drop_command(cs); /* it lies where the ring does not go on */
      cs_load(cs);
      break;
   case R_SYNC_0:
   case R_SYNC_1:
      cs->mailbox_ns = cs->dev->time_ns;
      break;
   case R_CTL:
      control_written(cs, old_value, value);
      break;
   case R_INSTPM:
      instpm_written(cs, old_value, value);
      break;
   case R_EIR:
      cs_reg_set(cs, R_ESR, cs_reg(cs, R_ESR) & ~(old_value & ~value)); /* VCS-139 */
      cs_error_registers(cs);
      break;
   case R_EMR:
      cs_error_registers(cs);
      break;
   case R_UHPTR:
      uhptr_written(cs, value);
      break;
   case R_CTR_CTL:
      cs_watchdog_written(cs, value);
      break;
   default:
      if (cs->id == RCS)
         render_written(cs, at, old_value, value);
   }
   cs->attention = true;
}

/* The parser keeps its registers current at the end of every run; what changes by itself is here.
 */
uint32_t
cs_register_read(struct cs *cs, uint32_t offset, uint32_t stored)
{
   if (cs->id == RCS && offset == REG_PR_CTR && cs->watchdog_on)
      return cs->watchdog_count;
   if (cs->in_command)
      return reg_get(cs->dev, offset);
   return stored;
}
