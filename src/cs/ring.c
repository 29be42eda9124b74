/* The ring: its registers, head report, preemption; what a hang dump reads. */
#include "cs/cs_internal.h"

uint32_t
cs_ring_size(uint32_t ctl)
{
   return (ctl & REG_RCS_RING_BUFFER_CTL__BUFFER_LENGTH) + MEM_PAGE_SIZE; /* VCS-080: pages - 1 */
}

uint32_t
cs_head_register(const struct cs *cs)
{
   return cs->head_wrap | (cs->at[0].address - cs->ring_start);
}

/* Between runs the registers are the truth; a run works on what it loads here. VCS-074: offsets
 * beyond the buffer wrap. A ring that is off has no length yet: software may write its head first.
 */
void
cs_load(struct cs *cs)
{
   uint32_t ctl = cs_reg(cs, R_CTL), head = cs_reg(cs, R_HEAD), tail = cs_reg(cs, R_TAIL);
   cs->ring_start = cs_reg(cs, R_START) & REG_RCS_RING_BUFFER_START__STARTING_ADDRESS;
   cs->ring_size = cs_ring_size(ctl & CTL_ENABLE ? ctl : REG_RCS_RING_BUFFER_CTL__BUFFER_LENGTH);
   cs->head_wrap = head & REG_RCS_RING_BUFFER_HEAD__WRAP_COUNT;
   cs->tail = (tail & TAIL_OFFSET) % cs->ring_size;
   cs->at[0].address = cs->ring_start + (head & HEAD_OFFSET) % cs->ring_size;
   cs->at[0].space = &cs->dev->ggtt; /* VCS-077: rings lie in the global GTT */
}

static bool
ring_empty(const struct cs *cs)
{
   /* VCS-074: quadwords are compared. */
   return ((cs->at[0].address - cs->ring_start) & ~7u) == cs->tail;
}

static bool
stop_asked(const struct cs *cs)
{
   return cs_reg(cs, R_MI_MODE) & MI_MODE_STOP;
}

/* Has the parser nothing to do? MI_MODE[9] and the power management see it. */
static bool
idle(const struct cs *cs)
{
   bool enabled = cs_reg(cs, R_CTL) & CTL_ENABLE;
   bool more = cs->level || !ring_empty(cs);
   return !enabled || (!cs->hand && (stop_asked(cs) || !more));
}

/* VCS-143, VCS-145, RCS-192. */
static void
publish_batch(struct cs *cs)
{
   uint32_t mask = cs->id == RCS ? ~3u : ~7u; /* VCS-140: 31:3 except on the render engine */
   uint32_t address = cs->at[cs->level].address;
   if (cs->level)
      cs_reg_set(cs, R_BB_ADDR, (address & mask) | 1);
   else
      cs_reg_set(cs, R_BB_ADDR, cs_reg(cs, R_BB_ADDR) & ~1u);
   uint32_t state =
       cs->level && cs->at[1].nonsecure ? REG_RCS_BB_STATE__ADDRESS_SPACE_INDICATOR : 0;
   if (cs->id == VCS && cs->level == 2 && cs->at[2].nonsecure)
      state |= REG_VCS_BB_STATE__2ND_LEVEL_BUFFER_SECURITY_INDICATOR;
   cs_reg_set(cs, R_BB_STATE, state);
   if (cs->id == VCS && cs->level == 2)
      cs_reg_set(cs, R_BBA_LEVEL2, address & ~3u); /* VCS-025 */
}

void
cs_publish(struct cs *cs)
{
   uint32_t head = cs_head_register(cs);
   if (cs->id == RCS && cs->wait.kind == WAIT_CONDITION)
      head |= 1; /* VCS-073 */
   cs_reg_set(cs, R_HEAD, head);
   uint32_t ctl = cs_reg(cs, R_CTL) & ~(CTL_RB_WAIT | CTL_SEMAPHORE_WAIT);
   if (cs->wait.kind == WAIT_CONDITION)
      ctl |= CTL_RB_WAIT; /* VCS-081 */
   if (cs->wait.kind == WAIT_SEMAPHORE_REGISTER || cs->wait.kind == WAIT_SEMAPHORE_MEMORY)
      ctl |= CTL_SEMAPHORE_WAIT; /* VCS-082 */
   cs_reg_set(cs, R_CTL, ctl);
   uint32_t at = cs->level ? cs->at[cs->level].address : (head & HEAD_OFFSET);
   cs_reg_set(cs, R_ACTHD, at);
   cs_reg_set(cs, R_DMA_FADD, cs->at[cs->level].address);
   cs_reg_set(cs, R_IPEHR, cs->last_header);
   bool rest = idle(cs);
   cs_reg_set(cs, R_INSTDONE, rest ? ~0u : ~REG_RCS_INSTDONE__RING_DONE);
   uint32_t mode = cs_reg(cs, R_MI_MODE) & ~MI_MODE_IDLE;
   cs_reg_set(cs, R_MI_MODE, mode | (rest ? MI_MODE_IDLE : 0)); /* VCS-035, RCS-003 */
   publish_batch(cs);
}

/* RCS-214, VCS-089: dword 4 of the status page. */
void
cs_report_head(struct cs *cs)
{
   uint32_t page = cs_status_page(cs);
   mem_write32(&cs->dev->ggtt, page + 16, cs_head_register(cs));
}

/* VCS-086: 64 KB, 4 KB or 128 KB boundaries, the wrap to zero included. */
void
cs_ring_moved(struct cs *cs, uint32_t from, uint32_t to)
{
   static const uint8_t shift[4] = {0, 16, 12, 17};
   unsigned mode = hw_get(cs_reg(cs, R_CTL), CTL_REPORT_HEAD);
   if (__builtin_expect(!mode, 1))
      return;
   if (from >> shift[mode] != to >> shift[mode] || to >= cs->ring_size)
      cs_report_head(cs);
}

/* RCS-178, VCS-097: the jump loads the head register from UHPTR as it stands. */
bool
cs_uhptr_take(struct cs *cs)
{
   uint32_t u = cs_reg(cs, R_UHPTR);
   if (!(u & 1) || cs->arbitration_off)
      return false;
   cs_reg_set(cs, R_UHPTR, u & ~1u);
   uint32_t head = cs_head_register(cs);
   if ((head & ~7u) == (u & ~7u))
      return false; /* RCS-203: only the valid bit is cleared */
   if (cs->id == RCS)
      cs_reg_set(cs, R_HEAD_PREEMPT, (head & HEAD_OFFSET) | (cs->level ? 1 : 0));
   if (cs->id == RCS && cs->level)
      cs_reg_set(cs, R_BB_PREEMPT_ADDR, cs->at[cs->level].address);
   cs->level = 0;
   cs->guarded_walker_done = false;
   cs->head_wrap = u & REG_RCS_RING_BUFFER_HEAD__WRAP_COUNT;
   cs->at[0].address = cs->ring_start + (u & TAIL_OFFSET) % cs->ring_size;
   cs->next = cs->at[0].address;
   return true;
}

/* Looks at everything that lies off the straight path. False: leave the loop, state says why. */
static bool
cs_attend(struct cs *cs, uint64_t *budget)
{
   cs->attention = stop_asked(cs);
   if (cs->stopped || rules_stopped(cs->dev)) {
      cs->state = CS_STOPPED;
      return false;
   }
   if (cs->sync_flush_pending &&
       !cs_sync_flush(cs, budget)) { /* VCS-049: before the next command */
      cs->state = CS_RUNNING;
      return false;
   }
   /* VCS-091; VCS-036: the ring stops at a command boundary, so what is in hand comes to its end
    * first. */
   if (!(cs_reg(cs, R_CTL) & CTL_ENABLE) || (stop_asked(cs) && !cs->hand)) {
      cs->state = CS_IDLE;
      return false;
   }
   if (cs->wait.kind != WAIT_NONE && !cs_wait_over(cs)) {
      cs->state = CS_WAITING;
      return false;
   }
   return true;
}

enum cs_state
cs_run(struct cs *cs, uint64_t *budget)
{
   if (cs->stopped)
      return cs->state = CS_STOPPED;
   cs_load(cs);
   cs->state = CS_RUNNING;
   cs->attention = true;
   while (*budget && !cs->dev->posted_count) { /* CS-024: the host's turn comes first */
      if (__builtin_expect(cs->attention, 0) && !cs_attend(cs, budget))
         break;
      if (cs->level == 0 && !cs->hand && ring_empty(cs)) {
         /* VCS-093: an empty ring is an arbitration point. */
         if (cs_uhptr_take(cs))
            continue;
         /* Threads that no flush waited for still run to their end. */
         if (cs->id == RCS && !cs->pipes->media_idle(cs->dev->media)) {
            enum cs_result r = cs->pipes->media_drain(cs->dev->media, budget);
            if (r == CS_ERROR)
               cs_stop(cs);
            if (r != CS_DONE || !cs->pipes->media_idle(cs->dev->media))
               break;
            continue;
         }
         cs->state = CS_IDLE;
         break;
      }
      uint64_t done = cs_fast_stretch(cs, *budget);
      *budget -= done;
      if (!done && !cs_step(cs, budget))
         break;
   }
   cs_publish(cs);
   return cs->state;
}

enum cs_state
cs_state(const struct cs *cs)
{
   return cs->state;
}
