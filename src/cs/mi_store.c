/* Commands that store into memory: data, the status page, GTT entries, reports. */
#include "cs/cs_internal.h"
#include "oa/oa.h"
#include "rules/plural.h"

/* VCS-221, RCS-224: a non-secure batch gets the per-process space whatever it asks for. */
struct mem_space *
cs_space(struct cs *cs, bool global)
{
   if (global && !cs_nonsecure(cs))
      return &cs->dev->ggtt;
   return device_data_space(cs->dev, cs->id);
}

/* RCS-053, RCS-179, VCS-019: HWS_PGA of the three engines, mapped through the global GTT. */
uint32_t
cs_status_page(const struct cs *cs)
{
   static const uint32_t page[ENGINE_COUNT] = {REG_RCS_HWS_PGA, REG_VCS_HWS_PGA, REG_BCS_HWS_PGA};
   return reg_get(cs->dev, page[cs->id]) & REG_RCS_HWS_PGA__HARDWARE_STATUS_PAGE_ADDRESS;
}

enum cs_result
mi_noop(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count, uint64_t *budget)
{
   if (dw[0] & GEN7_MI_NOOP__IDENTIFICATION_NUMBER_REGISTER_WRITE_ENABLE) /* RCS-183, VCS-248 */
      cs_reg_set(cs, R_NOPID, dw[0] & GEN7_MI_NOOP__IDENTIFICATION_NUMBER);
   return CS_DONE;
}

static void
check_global(struct cs *cs, const char *rule, bool global)
{
   if (global || cs->id != VCS || cs_reg(cs, R_GFX_MODE) & GFX_MODE_PPGTT)
      return;
   cs_report(cs, PERGOLA_WARNING, rule, "Use Global GTT",
             "must be 1 while the per-process GTT is disabled; the global GTT is used");
}

enum cs_result
mi_store_data_imm(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
                  uint64_t *budget)
{
   bool global = dw[0] & GEN7_MI_STORE_DATA_IMM__USE_GLOBAL_GTT;
   if (__builtin_expect(global && cs_nonsecure(cs), 0)) {
      cs_report(cs, PERGOLA_WARNING, cs->id == VCS ? "VCS-269" : "RCS-224", "Use Global GTT",
                "a non-secure batch stores to the global space: becomes a no-op");
      return CS_DONE;
   }
   if (__builtin_expect(!global, 0))
      check_global(cs, "VCS-268", global);
   struct mem_space *space = cs_space(cs, global);
   uint32_t address = dw[2] & GEN7_MI_STORE_DATA_IMM__ADDRESS;
   if (count == 4) {
      mem_write32(space, address, dw[3]);
      return CS_DONE;
   }
   if (address & 4)
      cs_report(cs, PERGOLA_ERROR, cs->id == VCS ? "VCS-270" : "RCS-212", "Address",
                "0x%08x: a QWord store must be 8-byte aligned", address);
   if (count > 5)
      cs_report(cs, PERGOLA_ERROR, op->rule, "DWord Length",
                "%u dwords; a store is 4 or 5 long and the rest is ignored", count);
   mem_write64(space, address & ~7u, dw[3] | (uint64_t)dw[4] << 32);
   return CS_DONE;
}

enum cs_result
mi_store_data_index(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
                    uint64_t *budget)
{
   uint32_t page = cs_status_page(cs), offset = dw[1] & GEN7_MI_STORE_DATA_INDEX__OFFSET;
   if (!page) /* VCS-273 */
      cs_report(cs, PERGOLA_ERROR, "VCS-273", NULL,
                "the hardware status page address has not been programmed");
   if (offset < 16 * 4) /* VCS-274 */
      cs_report(cs, PERGOLA_ERROR, cs->id == VCS ? "VCS-274" : "RCS-213", "Offset",
                "dword %u of the status page is reserved", offset / 4);
   if (count == 3) {
      mem_write32(&cs->dev->ggtt, page + offset, dw[2]);
      return CS_DONE;
   }
   if (offset & 4)
      cs_report(cs, PERGOLA_ERROR, cs->id == VCS ? "VCS-274" : "RCS-213", "Offset",
                "0x%x: a QWord store must be 8-byte aligned", offset);
   if (count > 4)
      cs_report(cs, PERGOLA_ERROR, op->rule, "DWord Length",
                "%u dwords; a store is 3 or 4 long and the rest is ignored", count);
   /* VCS-275: the lower dword first. */
   mem_write64(&cs->dev->ggtt, page + (offset & ~7u), dw[2] | (uint64_t)dw[3] << 32);
   return CS_DONE;
}

enum cs_result
mi_report_head(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
               uint64_t *budget)
{
   cs_report_head(cs);
   return CS_DONE;
}

/* RCS-217, VCS-282: consecutive entries of the global GTT, one a dword. */
enum cs_result
mi_update_gtt(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
              uint64_t *budget)
{
   struct pergola_device *dev = cs->dev;
   if (!(dw[0] & GEN7_MI_UPDATE_GTT__USE_GLOBAL_GTT)) {
      cs_report(cs, PERGOLA_ERROR, op->rule, "Use Global GTT",
                "must be 1: per-process entries are not updated this way; ignored");
      return CS_DONE;
   }
   if (dw[1] & 1u << 31) {
      cs_report(cs, PERGOLA_ERROR, cs->id == VCS ? "VCS-285" : op->rule, "Entry Address",
                "0x%08x lies beyond the 2 GB of the global GTT; ignored", dw[1]);
      return CS_DONE;
   }
   uint32_t index = (dw[1] & GEN7_MI_UPDATE_GTT__ENTRY_ADDRESS) / MEM_PAGE_SIZE;
   for (uint32_t i = 2; i < count && index < MEM_GSM_SIZE / 4; i++, index++)
      dev->gsm[index] = dw[i];
   mem_invalidate(&dev->ggtt); /* VCS-286: the new entries apply at once */
   return CS_DONE;
}

/* RCS-220: caches are coherent in the model; the toggle is what software sees. */
enum cs_result
mi_clflush(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
           uint64_t *budget)
{
   if ((count - 3) & 1)
      cs_report(cs, PERGOLA_ERROR, "RCS-220", "DWord Length",
                "%u half cache line%s; the number must be even", count - 3, plural(count - 3));
   cs_reg_set(cs, R_INSTPM, cs_reg(cs, R_INSTPM) ^ INSTPM_CLFLUSH_TOGGLE);
   return CS_DONE;
}

/* RCS-222: the header of a report: id, time stamp; the counters belong to the performance unit. */
enum cs_result
mi_report_perf_count(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
                     uint64_t *budget)
{
   bool global = dw[1] & GEN7_MI_REPORT_PERF_COUNT__USE_GLOBAL_GTT;
   if (global && cs_nonsecure(cs)) {
      cs_report(cs, PERGOLA_WARNING, "RCS-224", "Use Global GTT",
                "a non-secure batch reports to the global space: becomes a no-op");
      return CS_DONE;
   }
   uint32_t report[OA_REPORT_MAX_DW];
   if (!cs->pipes->media_idle(cs->dev->media))
      cs_report(cs, PERGOLA_WARNING, "SYS-240", NULL,
                "threads still run that were dispatched before; a flush keeps the counts apart");
   cs_oa_collect(cs);
   unsigned length_dw = oa_report(cs->dev, dw[2], report); /* SYS-472 */
   mem_write(cs_space(cs, global), dw[1] & GEN7_MI_REPORT_PERF_COUNT__MEMORY_ADDRESS, report,
             length_dw * sizeof(report[0]));
   return CS_DONE;
}
