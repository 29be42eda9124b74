/* PIPE_CONTROL: flush, invalidate, stall, post-sync operation, notification, in that order. */
#include "cs/cs_internal.h"

#include "eu/eu.h"
#include "rules/plural.h"
#include "surface/hazard.h"

#define FIRST_POST_SYNC                                                                            \
   (GEN7_PIPE_CONTROL__POST_SYNC_OPERATION & -GEN7_PIPE_CONTROL__POST_SYNC_OPERATION)
enum pipe_control_bit {
   PC_DEPTH_FLUSH = GEN7_PIPE_CONTROL__DEPTH_CACHE_FLUSH_ENABLE,
   PC_STALL_SCOREBOARD = GEN7_PIPE_CONTROL__STALL_AT_PIXEL_SCOREBOARD,
   PC_STATE_INVALIDATE = GEN7_PIPE_CONTROL__STATE_CACHE_INVALIDATION_ENABLE,
   PC_CONSTANT_INVALIDATE = GEN7_PIPE_CONTROL__CONSTANT_CACHE_INVALIDATION_ENABLE,
   PC_VF_INVALIDATE = GEN7_PIPE_CONTROL__VF_CACHE_INVALIDATION_ENABLE,
   PC_DC_FLUSH = GEN7_PIPE_CONTROL__DC_FLUSH_ENABLE,
   PC_FLUSH_ENABLE = GEN7_PIPE_CONTROL__PIPE_CONTROL_FLUSH_ENABLE,
   PC_NOTIFY = GEN7_PIPE_CONTROL__NOTIFY_ENABLE,
   PC_INDIRECT_DISABLE = GEN7_PIPE_CONTROL__INDIRECT_STATE_POINTERS_DISABLE,
   PC_TEXTURE_INVALIDATE = GEN7_PIPE_CONTROL__TEXTURE_CACHE_INVALIDATION_ENABLE,
   PC_INSTRUCTION_INVALIDATE = GEN7_PIPE_CONTROL__INSTRUCTION_CACHE_INVALIDATE_ENABLE,
   PC_RENDER_FLUSH = GEN7_PIPE_CONTROL__RENDER_TARGET_CACHE_FLUSH_ENABLE,
   PC_DEPTH_STALL = GEN7_PIPE_CONTROL__DEPTH_STALL_ENABLE,
   PC_POST_SYNC = GEN7_PIPE_CONTROL__POST_SYNC_OPERATION,
   PC_WRITE_IMMEDIATE =
       GEN7_PIPE_CONTROL_POST_SYNC_OPERATION_WRITE_IMMEDIATE_DATA * FIRST_POST_SYNC,
   PC_WRITE_DEPTH_COUNT =
       GEN7_PIPE_CONTROL_POST_SYNC_OPERATION_WRITE_PS_DEPTH_COUNT * FIRST_POST_SYNC,
   PC_WRITE_TIMESTAMP = GEN7_PIPE_CONTROL_POST_SYNC_OPERATION_WRITE_TIMESTAMP * FIRST_POST_SYNC,
   PC_MEDIA_CLEAR = GEN7_PIPE_CONTROL__GENERIC_MEDIA_STATE_CLEAR,
   PC_SYNC_GFDT = GEN7_PIPE_CONTROL__SYNCHRONIZE_GFDT_SURFACE,
   PC_TLB_INVALIDATE = GEN7_PIPE_CONTROL__TLB_INVALIDATE,
   PC_COUNT_RESET = GEN7_PIPE_CONTROL__GLOBAL_SNAPSHOT_COUNT_RESET,
   PC_CS_STALL = GEN7_PIPE_CONTROL__COMMAND_STREAMER_STALL_ENABLE,
   PC_STORE_INDEX = GEN7_PIPE_CONTROL__STORE_DATA_INDEX,
   PC_LRI_POST_SYNC = GEN7_PIPE_CONTROL__LRI_POST_SYNC_OPERATION,
   PC_GLOBAL = GEN7_PIPE_CONTROL__DESTINATION_ADDRESS_TYPE,
};
#define PC_NON_VF_INVALIDATE                                                                       \
   (PC_STATE_INVALIDATE | PC_CONSTANT_INVALIDATE | PC_TEXTURE_INVALIDATE |                         \
    PC_INSTRUCTION_INVALIDATE)

/* The manual's table of what the flags lead to. The markers of its other columns are how the chip
 * carries completion and the invalidation of the VF cache down its pipe: here vertices are always
 * fetched from memory, so nothing is left for a marker alone to do (RCS-103, RCS-105). */
struct effects {
   bool pulse;      /* RCS-104, RCS-105, RCS-107, RCS-109: read-only caches go at once */
   bool completion; /* RCS-106, RCS-107, RCS-108, RCS-109: flushes, writes and notification */
};

static struct effects
effects_of(uint32_t flags)
{
   uint32_t write_flush = flags & (PC_DEPTH_FLUSH | PC_RENDER_FLUSH | PC_DC_FLUSH);
   uint32_t notify = flags & (PC_NOTIFY | PC_POST_SYNC | PC_LRI_POST_SYNC);
   return (struct effects){.pulse = flags & PC_NON_VF_INVALIDATE,
                           .completion = write_flush || notify};
}

/* ---- the programming restrictions ---- */

struct restriction {
   uint32_t when;     /* any of these set … */
   uint32_t needs;    /* … needs one of these */
   uint32_t excludes; /* … and none of these */
   const char *rule, *field, *text;
};

static const struct restriction restrictions[] = {
    {PC_LRI_POST_SYNC, 0, PC_POST_SYNC, "RCS-113", "LRI Post Sync Operation",
     "may be set only with Post Sync Operation 0"},
    {PC_POST_SYNC, 0, PC_LRI_POST_SYNC, "RCS-120", "Post Sync Operation",
     "excludes LRI Post Sync Operation"},
    {PC_COUNT_RESET, PC_CS_STALL, 0, "RCS-114", "Global Snapshot Count Reset",
     "needs Command Streamer Stall Enable"},
    {PC_MEDIA_CLEAR, PC_CS_STALL, 0, "RCS-115", "Generic Media State Clear",
     "needs Command Streamer Stall Enable"},
    {PC_INDIRECT_DISABLE, PC_CS_STALL, 0, "RCS-116", "Indirect State Pointers Disable",
     "needs Command Streamer Stall Enable"},
    {PC_STORE_INDEX, PC_POST_SYNC, 0, "RCS-117", "Store Data Index", "needs a Post Sync Operation"},
    {PC_STORE_INDEX, PC_GLOBAL, 0, "RCS-226", "Store Data Index",
     "needs Destination Address Type GGTT"},
    {PC_TLB_INVALIDATE, PC_POST_SYNC, 0, "RCS-119", "TLB Invalidate",
     "needs a Post Sync Operation"},
    {PC_TLB_INVALIDATE, PC_CS_STALL, 0, "RCS-119", "TLB Invalidate",
     "needs Command Streamer Stall Enable"},
    {PC_DEPTH_STALL, 0, PC_RENDER_FLUSH | PC_DEPTH_FLUSH, "RCS-123", "Depth Stall Enable",
     "excludes the render target and depth cache flushes"},
    {PC_RENDER_FLUSH, 0, PC_DEPTH_STALL, "RCS-124", "Render Target Cache Flush Enable",
     "excludes Depth Stall Enable"},
    {PC_DEPTH_FLUSH, 0, PC_DEPTH_STALL, "RCS-125", "Depth Cache Flush Enable",
     "excludes Depth Stall Enable"},
    {PC_DEPTH_STALL, 0, PC_TEXTURE_INVALIDATE | PC_CONSTANT_INVALIDATE | PC_VF_INVALIDATE,
     "RCS-099", "Depth Stall Enable",
     "excludes the invalidation of read caches other than instruction and state"},
    {PC_CS_STALL,
     PC_RENDER_FLUSH | PC_DEPTH_FLUSH | PC_STALL_SCOREBOARD | PC_DEPTH_STALL | PC_POST_SYNC |
         PC_NOTIFY | PC_DC_FLUSH,
     0, "RCS-128", "Command Streamer Stall Enable",
     "needs a flush, a stall, a post-sync operation or a notification beside it"},
};

/* RCS-128: the operations that need the stall bit themselves (RCS-114, RCS-115, RCS-116) are not in
 * the table of its companions. Drivers send them with the stall alone, so that is a warning. */
static enum pergola_severity
restriction_severity(const struct restriction *r, uint32_t flags)
{
   bool companion = flags & (PC_COUNT_RESET | PC_MEDIA_CLEAR | PC_INDIRECT_DISABLE);
   return r->when == PC_CS_STALL && companion ? PERGOLA_WARNING : PERGOLA_ERROR;
}

static void
check_restrictions(struct cs *cs, const struct cs_op *op, uint32_t flags)
{
   if (!(flags & ~op->desc->layout.mbz[1])) /* RCS-111 */
      cs_report(cs, PERGOLA_ERROR, "RCS-111", NULL, "no argument is set");
   for (size_t i = 0; i < sizeof(restrictions) / sizeof(restrictions[0]); i++) {
      const struct restriction *r = &restrictions[i];
      if (!(flags & r->when))
         continue;
      if ((r->needs && !(flags & r->needs)) || flags & r->excludes)
         cs_report(cs, restriction_severity(r, flags), r->rule, r->field, "%s", r->text);
   }
   /* RCS-118, RCS-130: register 0x2520 of the text is GFX_MODE 0x229C here. */
   if (flags & PC_SYNC_GFDT && !(flags & PC_POST_SYNC) &&
       !(cs_reg(cs, R_GFX_MODE) & GFX_MODE_FLUSH_TLB))
      cs_report(cs, PERGOLA_ERROR, "RCS-118", "Synchronize GFDT Surface",
                "needs a Post Sync Operation or GFX_MODE[13]");
   if ((flags & PC_POST_SYNC) == PC_WRITE_DEPTH_COUNT && !(flags & PC_DEPTH_STALL))
      cs_report(cs, PERGOLA_WARNING, "RCS-088", "Post Sync Operation",
                "a write of PS_DEPTH_COUNT should have Depth Stall Enable with it");
}

/* ---- effects ---- */

/* RCS-073, RCS-075: at parse time, each stream on its own. */
static void
invalidate(struct cs *cs, uint32_t flags)
{
   if (flags & PC_INSTRUCTION_INVALIDATE)
      eu_invalidate_instructions(cs->dev->eu);
   if (flags & (PC_STATE_INVALIDATE | PC_TEXTURE_INVALIDATE | PC_CONSTANT_INVALIDATE))
      surface_cache_invalidate(cs->dev->surfaces);
   hazard_flush(cs->dev->surfaces, 0,
                (flags & PC_TEXTURE_INVALIDATE ? 1u << HAZARD_SAMPLER : 0) |
                    (flags & PC_CONSTANT_INVALIDATE ? 1u << HAZARD_CONSTANT : 0));
}

/* The hazard checker learns which caches have been written back. */
static void
written_back(struct cs *cs, uint32_t flags)
{
   if (flags & PC_DEPTH_STALL) /* RCS-098, RCS-131: the depth stall wins */
      flags &= ~(uint32_t)PC_RENDER_FLUSH;
   unsigned caches = (flags & PC_DC_FLUSH ? 1u << HAZARD_DATA : 0) |
                     (flags & PC_RENDER_FLUSH ? 1u << HAZARD_RENDER : 0);
   hazard_flush(cs->dev->surfaces, caches, caches);
}

/* RCS-101 [19]; RCS-087: TIMESTAMP and PS_DEPTH_COUNT go on. */
void
cs_statistics_reset(struct cs *cs)
{
   for (uint32_t r = REG_HS_INVOCATION_COUNT; r < REG_PS_DEPTH_COUNT; r += 4)
      reg_set(cs->dev, r, 0);
}

static void
write_value(struct cs *cs, const uint32_t *dw, uint32_t count, struct mem_space *space,
            uint32_t address)
{
   switch (dw[1] & PC_POST_SYNC) {
   case PC_WRITE_IMMEDIATE: /* CS-005: a command of four dwords writes the low dword alone */
      if (count < 5)
         mem_write32(space, address & ~7u, dw[3]);
      else
         mem_write64(space, address & ~7u, dw[3] | (uint64_t)dw[4] << 32);
      break;
   case PC_WRITE_DEPTH_COUNT:
      mem_write64(space, address & ~7u,
                  reg_get(cs->dev, REG_PS_DEPTH_COUNT) |
                      (uint64_t)reg_get(cs->dev, REG_PS_DEPTH_COUNT + 4) << 32);
      break;
   case PC_WRITE_TIMESTAMP:
      mem_write64(space, address & ~7u, clock_timestamp(cs->dev));
      break;
   }
}

/* RCS-112: after everything in front of the command is complete. RCS-226: the address spaces. */
static void
post_sync(struct cs *cs, const uint32_t *dw, uint32_t count)
{
   uint32_t flags = dw[1];
   bool index = flags & PC_STORE_INDEX, global = flags & PC_GLOBAL;
   if (flags & PC_LRI_POST_SYNC && !cs_nonsecure(cs) && count > 3)
      cs_register_store(cs, dw[2] & GEN7_MI_LOAD_REGISTER_IMM__REGISTER_OFFSET, dw[3], ~0u);
   else if (flags & PC_LRI_POST_SYNC)
      cs_report(cs, PERGOLA_WARNING, "RCS-224", "LRI Post Sync Operation",
                "a register is loaded in a non-secure batch: becomes a no-op");
   /* RCS-120: one or the other; with both the address is a register's. */
   if (!(flags & PC_POST_SYNC) || flags & PC_LRI_POST_SYNC)
      return;
   if (count < 3 || ((flags & PC_POST_SYNC) == PC_WRITE_IMMEDIATE && count < 4)) {
      cs_report(cs, PERGOLA_ERROR, "RCS-101", "DWord Length",
                "%u dwords leave no room for the post-sync write; nothing is written", count);
      return;
   }
   if (global && cs_nonsecure(cs)) {
      cs_report(cs, PERGOLA_WARNING, "RCS-226", "Destination Address Type",
                "non-secure batches may write to the per-process space only, which is used");
      global = false;
   }
   struct mem_space *space = index ? &cs->dev->ggtt : cs_space(cs, global);
   uint32_t address = dw[2] & GEN7_PIPE_CONTROL__ADDRESS;
   if (index)
      address = cs_status_page(cs) + address % MEM_PAGE_SIZE;
   if (address & 4)
      cs_report(cs, PERGOLA_ERROR, "RCS-101", "Address", "0x%08x: a QWord is 8-byte aligned",
                address);
   write_value(cs, dw, count, space, address);
}

enum cs_result
pipe_control(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
             uint64_t *budget)
{
   if (count < 2) {
      cs_report(cs, PERGOLA_ERROR, "RCS-101", "DWord Length", "%u dword%s; the command has 5",
                count, plural(count));
      return CS_DONE;
   }
   uint32_t flags = dw[1];
   if (!cs->hand && rules_on(cs->dev)) {
      check_restrictions(cs, op, flags);
      cs_order_pipe_control(cs, flags);
   }
   /* RCS-074: the invalidation does not wait for earlier accesses. */
   if (flags & (PC_NON_VF_INVALIDATE | PC_VF_INVALIDATE) && !cs->hand &&
       !cs->pipes->media_idle(cs->dev->media))
      cs_report(cs, PERGOLA_WARNING, "RCS-074", NULL,
                "read-only caches are invalidated while threads that may read through them run");
   struct effects e = effects_of(flags);
   if (e.pulse)
      invalidate(cs, flags);
   /* RCS-094: with the media pipe selected everything in front is finished first; RCS-127: so it is
    * with the stall bit; RCS-112: a post-sync operation waits for it as well. */
   enum cs_result r = cs_drain(cs, budget);
   if (r != CS_DONE)
      return r;
   if (e.completion)
      written_back(cs, flags);
   if (flags & PC_TLB_INVALIDATE || !(cs_reg(cs, R_GFX_MODE) & GFX_MODE_FLUSH_TLB))
      cs_invalidate_tlb(cs);
   if (e.completion)
      post_sync(cs, dw, count);
   if (flags & PC_COUNT_RESET)
      cs_statistics_reset(cs);
   if (flags & PC_MEDIA_CLEAR)
      cs->media_state_cleared = true;
   if (flags & PC_INDIRECT_DISABLE) /* RCS-096 */
      cs->indirect_state_dropped = true;
   if (e.completion && flags & PC_NOTIFY) /* RCS-227: the store is complete before */
      interrupt_gt(cs->dev, RCS, cs->irq->notify);
   return CS_DONE;
}
