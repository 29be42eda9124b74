/* Flushes: what waits for the pipeline, what forgets translations, what tells the host. */
#include "cs/cs_internal.h"

#include "eu/eu.h"
#include "rules/plural.h"
#include "surface/surface.h"

void
cs_spend(struct cs *cs, uint64_t ns)
{
   cs_pass(cs, ns);
}

/* CS-022: an EU issues an instruction every 2 ns; all EUs of the part are busy. */
void
cs_work(struct cs *cs, uint64_t instructions)
{
   unsigned eus = cs->dev->sku.half_slices * cs->dev->sku.eus_per_half_slice;
   uint64_t work = cs->work_rest + 2 * instructions;
   cs->dev->eu_clock += instructions;
   cs->work_rest = work % eus;
   cs_pass(cs, work / eus);
}

/* Work of the engine that runs beside the parser: threads of the media pipeline. */
enum cs_result
cs_drain(struct cs *cs, uint64_t *budget)
{
   if (cs->id != RCS)
      return CS_DONE;
   uint64_t given = *budget;
   enum cs_result r = cs->pipes->media_drain(cs->dev->media, budget);
   if (r == CS_DONE)
      cs->pipes->media_flushed(cs->dev->media);
   cs_work(cs, given - *budget);
   return r;
}

void
cs_invalidate_tlb(struct cs *cs)
{
   mem_invalidate(&cs->dev->ggtt);
   mem_invalidate(&cs->dev->ppgtt[cs->id]);
   if (cs->id == RCS)
      surface_cache_invalidate(cs->dev->surfaces);
}

/* VCS-050, VCS-052, VCS-230: the flush acknowledges by a write to GTSCRATCH_0; its data is not
 * published, so only the event is shown. */
static void
scratch_write(struct cs *cs)
{
   if (!trace_wants(&cs->dev->trace, PERGOLA_EVENT_MMIO))
      return;
   struct pergola_event e = {.kind = PERGOLA_EVENT_MMIO,
                             .engine = cs->name,
                             .time_ns = cs->time_ns,
                             .a = REG_GTSCRATCH_0,
                             .b = reg_get(cs->dev, REG_GTSCRATCH_0),
                             .flags = 1,
                             .text = "GTSCRATCH"};
   trace_emit(&cs->dev->trace, &e);
}

/* VCS-049, VCS-110, RCS-181: flush, clear the request, then change the sync status. */
bool
cs_sync_flush(struct cs *cs, uint64_t *budget)
{
   if (cs_reg(cs, R_MI_MODE) & MI_MODE_SUSPEND_FLUSH) {
      cs->sync_flush_pending = true;
      return true;
   }
   cs->sync_flush_pending = false;
   /* VCS-111: with the status write enabled the last status has to be cleared first. */
   if (!(cs_reg(cs, R_HWSTAM) & cs->irq->sync) && reg_get(cs->dev, REG_GTIIR) & cs->irq->sync)
      cs_report(cs, PERGOLA_WARNING, "VCS-111", NULL,
                "Sync Status of the flush before has not been cleared");
   if (cs_drain(cs, budget) ==
       CS_AGAIN) { /* CS-002: threads that do not end hold it, not the host */
      cs->sync_flush_pending = true;
      return false;
   }
   uint32_t mode = cs_reg(cs, R_INSTPM);
   if (mode & INSTPM_TLB_INVALIDATE) /* VCS-046: valid with the sync flush only */
      cs_invalidate_tlb(cs);
   cs_reg_set(cs, R_INSTPM, mode & ~INSTPM_SYNC_FLUSH);
   scratch_write(cs);
   interrupt_gt(cs->dev, cs->id, cs->irq->sync);
   return true;
}

/* RCS-221: obsolete, and alive only while MI_MODE[12] says so. */
enum cs_result
mi_flush(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
         uint64_t *budget)
{
   if (!(cs_reg(cs, R_MI_MODE) & MI_MODE_FLUSH_ENABLE)) {
      cs_report(cs, PERGOLA_ERROR, "RCS-221", NULL,
                "MI_FLUSH is disabled (MI_MODE[12] is 0): not executed");
      return CS_DONE;
   }
   enum cs_result r = cs_drain(cs, budget);
   if (r != CS_DONE)
      return r;
   if (!(cs_reg(cs, R_GFX_MODE) & GFX_MODE_FLUSH_TLB)) /* RCS-005 */
      cs_invalidate_tlb(cs);
   if (dw[0] & GEN7_MI_FLUSH__STATE_INSTRUCTION_CACHE_INVALIDATE) {
      eu_invalidate_instructions(cs->dev->eu);
      surface_cache_invalidate(cs->dev->surfaces);
   }
   if (dw[0] & GEN7_MI_FLUSH__GLOBAL_SNAPSHOT_COUNT_RESET)
      cs_statistics_reset(cs);
   if (dw[0] & GEN7_MI_FLUSH__GENERIC_MEDIA_STATE_CLEAR)
      cs->media_state_cleared = true;
   if (dw[0] & GEN7_MI_FLUSH__INDIRECT_STATE_POINTERS_DISABLE)
      cs->indirect_state_dropped = true;
   return CS_DONE;
}

#define FLUSH(name) GEN7_MI_FLUSH_DW__##name

static void
check_flush_dw(struct cs *cs, const uint32_t *dw)
{
   unsigned post = hw_get(dw[0], FLUSH(POST_SYNC_OPERATION));
   bool write = post == 1 || post == 3;
   if (post == 2)
      cs_report(cs, PERGOLA_ERROR, "VCS-235", "Post-Sync Operation",
                "2 is reserved; nothing is written");
   if (dw[0] & FLUSH(STORE_DATA_INDEX) && !write)
      cs_report(cs, PERGOLA_ERROR, "VCS-228", "Store Data Index",
                "valid only with a post-sync operation");
   if (dw[0] & FLUSH(TLB_INVALIDATE) && !write)
      cs_report(cs, PERGOLA_ERROR, "VCS-229", "TLB Invalidate",
                "valid only with post-sync operation 1 or 3; nothing is invalidated");
   if (dw[0] & FLUSH(SYNCHRONIZE_GFDT_SURFACE) && !write)
      cs_report(cs, PERGOLA_ERROR, "VCS-232", "Synchronize GFDT surface",
                "a store must be enabled");
   if (post == 1 && hw_get(dw[0], FLUSH(DWORD_LENGTH)) == 2 && dw[1] & 1u << 5)
      cs_report(cs, PERGOLA_WARNING, "VCS-241", "Address",
                "0x%08x: a QWord write to an address with bit 5 set fails on the chip",
                dw[1] & FLUSH(ADDRESS));
}

/* VCS-233, VCS-234, VCS-236, VCS-242: the last visible effect of the flush. */
static void
flush_dw_store(struct cs *cs, const uint32_t *dw, uint32_t count)
{
   unsigned post = hw_get(dw[0], FLUSH(POST_SYNC_OPERATION));
   bool index = dw[0] & FLUSH(STORE_DATA_INDEX), global = dw[1] & FLUSH(DESTINATION_ADDRESS_TYPE);
   if (post != 1 && post != 3)
      return;
   if (!index && global && cs_nonsecure(cs)) {
      cs_report(cs, PERGOLA_WARNING, cs->id == VCS ? "VCS-297" : "CS-014",
                "Destination Address Type",
                "a non-secure batch writes to the global space: the write is suppressed");
      return;
   }
   struct mem_space *space = index ? &cs->dev->ggtt : cs_space(cs, global);
   uint32_t address = dw[1] & FLUSH(ADDRESS);
   if (index)
      address = cs_status_page(cs) + address % MEM_PAGE_SIZE;
   if (post == 3)
      mem_write64(space, address, clock_timestamp(cs->dev));
   else if (count < 4)
      mem_write32(space, address, count > 2 ? dw[2] : 0);
   else
      mem_write64(space, address, dw[2] | (uint64_t)dw[3] << 32);
}

enum cs_result
mi_flush_dw(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
            uint64_t *budget)
{
   unsigned post = hw_get(dw[0], FLUSH(POST_SYNC_OPERATION));
   if (count < 3 && (count < 2 || post == 1)) { /* VCS-198 */
      cs_report(cs, cs->id == VCS ? PERGOLA_FATAL : PERGOLA_ERROR, "VCS-198", "DWord Length",
                "%u dword%s; the command has 3 or 4", count, plural(count));
      if (cs->id == VCS) {
         cs_error(cs, 1);
         return CS_ERROR;
      }
      return CS_DONE;
   }
   check_flush_dw(cs, dw);
   bool batch_mode =
       reg_get(cs->dev, engine_base[RCS] + R_GFX_MODE) & GFX_MODE_FLUSH_TLB; /* VCS-231 */
   bool tlb = dw[0] & FLUSH(TLB_INVALIDATE) && (post == 1 || post == 3);
   if (tlb || !batch_mode) /* VCS-229 */
      cs_invalidate_tlb(cs);
   if (tlb && batch_mode)
      scratch_write(cs);
   flush_dw_store(cs, dw, count);
   if (dw[0] & FLUSH(NOTIFY_ENABLE)) /* VCS-107, VCS-237: after the store */
      interrupt_gt(cs->dev, cs->id, cs->irq->notify);
   return CS_DONE;
}
