/* Scratch block messages and the memory fence. */
#include "shared_functions/dataport/dataport.h"

#include "shared_functions/dataport/dp_quick.h"
#include "surface/hazard.h"

#define HWORD 32u

/* DP-299: per dword, or any of four enables the OWord. */
static uint32_t
channel_mask(uint32_t exec_mask, unsigned reg, bool dword_mode)
{
   uint32_t mask = reg & 1 ? exec_mask >> 8 & 0xff : exec_mask & 0xff; /* DP-302 */
   if (dword_mode)
      return mask;
   return (mask & 0x0f ? 0x0fu : 0) | (mask & 0xf0 ? 0xf0u : 0);
}

static bool
dword_inside(const struct dp *d, uint64_t offset)
{
   return offset + 4 <= d->r.size;
}

static void
read_reg(struct dp *d, unsigned reg, uint64_t offset, uint32_t mask)
{
   uint32_t v[8] = {0}; /* DP-303 */
   if (offset + HWORD <= d->r.size)
      dp_range_load(d, offset, v, HWORD);
   else
      for (unsigned i = 0; i < 8; i++)
         if (dword_inside(d, offset + 4 * i))
            dp_range_load(d, offset + 4 * i, &v[i], 4);
   dp_put(dp_out(d, reg), v, mask);
}

static void
write_reg(struct dp *d, unsigned reg, uint64_t offset, uint32_t mask)
{
   const uint32_t *v = dp_in(d, reg);
   if (mask == 0xff && offset + HWORD <= d->r.size) {
      dp_range_store(d, offset, v, HWORD);
      return;
   }
   for (unsigned i = 0; i < 8; i++)
      if (mask >> i & 1 && dword_inside(d, offset + 4 * i))
         dp_range_store(d, offset + 4 * i, &v[i], 4);
}

enum sf_status
dp_scratch(struct dp *d)
{
   struct hw_dp_scratch_descriptor desc;
   static const uint8_t regs_of[4] = {1, 2, 0, 4}; /* DP-304 */
   gen7_dp_scratch_descriptor_unpack(&desc, &d->m->desc);
   unsigned regs = regs_of[desc.block_size];
   d->name = desc.write ? "Scratch Block Write" : "Scratch Block Read";
   if (!regs)
      return dp_reject(d, "DP-304", "block size 2 is reserved");
   if (hw_reserved_control(d->m->desc, GEN7_DP_SCRATCH_DESCRIPTOR__MBZ_0))
      dp_note(d, PERGOLA_ERROR, "DP-045", "descriptor bit 14 must be 0");
   dp_expect(d, desc.write ? regs : 0, desc.write ? d->m->rlen == 1 : regs, "DP-306");
   d->bti = DP_BTI_STATELESS; /* DP-301: hard-wired */
   if (!dp_open_range(d, 1, 1, 0, "DP-301"))
      return SF_OK;
   d->scratch = true;
   if (d->t->scratch_size_B && (desc.offset + regs) * HWORD > d->t->scratch_size_B)
      dp_outside(d, 0, desc.offset * HWORD, regs * HWORD,
                 desc.write ? SANITIZE_WRITE : SANITIZE_READ);
   for (unsigned r = 0; r < regs; r++) {
      uint64_t offset = (uint64_t)(desc.offset + r) * HWORD;
      uint32_t mask = channel_mask(d->m->exec_mask, r, desc.channel_mode);
      if (d->sanitizer)
         dp_watch_scratch(d, r, offset, mask, desc.write);
      if (desc.write)
         write_reg(d, r, offset, mask);
      else
         read_reg(d, r, offset, mask);
   }
   return SF_OK;
}

/* DP-309: memory is always up to date here; the order towards other host threads is what is left to
 * do. */
static void
fence(void)
{
   __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

enum sf_status
dp_memory_fence(struct dp *d)
{
   bool commit = d->m->desc & GEN7_DP_MEMORY_FENCE_DESCRIPTOR__COMMIT_ENABLE; /* DP-315 */
   if (d->m->mlen != 1)
      dp_note(d, PERGOLA_ERROR, "DP-313", "message length is %u, not 1", d->m->mlen);
   if (d->m->rlen != commit)
      dp_note(d, PERGOLA_ERROR, "DP-314", "response length is %u with Commit Enable %u", d->m->rlen,
              commit);
   if (hw_reserved_control(d->m->desc, GEN7_DP_MEMORY_FENCE_DESCRIPTOR__MBZ_0))
      dp_note(d, PERGOLA_ERROR, "DP-315", "descriptor bits 12:8 must be 0");
   fence();
   if (d->sanitizer)
      sanitize_fence(d->sanitizer, d->t,
                     d->m->sfid == SFID_DP_RENDER ? SANITIZE_RENDER_PORT : SANITIZE_DATA_PORT);
   hazard_flush(d->t->env->dev->surfaces, 1u << d->cache, 1u << d->cache);
   return SF_OK;
}

static bool
fence_quick(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask)
{
   if (sf_observed(t))
      return false;
   fence();
   sf_quick_mark(t, q);
   return true;
}

sf_quick_fn
dp_quick_fence(const struct sf_quick *q, uint32_t desc)
{
   unsigned mlen = hw_message_length(desc), rlen = hw_response_length(desc),
            commit = hw_get(desc, GEN7_DP_MEMORY_FENCE_DESCRIPTOR__COMMIT_ENABLE);
   bool reserved = hw_reserved_control(desc, GEN7_DP_MEMORY_FENCE_DESCRIPTOR__MBZ_0);
   return q->header && mlen == 1 && rlen == commit && !reserved ? fence_quick : NULL;
}
