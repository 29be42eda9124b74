/* Side effects of registers, by the unit that owns them. */
#include "cs/cs.h"
#include "device/assembly.h"

unsigned
register_engine(uint32_t offset)
{
   switch (offset & ~0xfffu) {
   case REG_BASE_RCS:
      return RCS;
   case REG_BASE_VCS:
      return VCS;
   case REG_BASE_BCS:
      return BCS;
   default:
      break;
   }
   switch (offset) {
   case REG_RCS_HWS_PGA:
      return RCS;
   case REG_VCS_HWS_PGA:
      return VCS;
   case REG_BCS_HWS_PGA:
      return BCS;
   default:
      return ENGINE_COUNT;
   }
}

/* Offset of a register of the common block, as the render streamer has it. */
#define COMMON(name) (REG_RCS_##name - REG_BASE_RCS)

/* RCS-195: the write makes the engine fetch the entries that PP_DCLV enables. */
static void
load_directory(struct pergola_device *dev, enum engine_id engine, uint32_t value)
{
   uint32_t dclv = engine_base[engine] + COMMON(PP_DCLV);
   mem_load_directory(&dev->ppgtt[engine], value,
                      reg_get(dev, dclv) | (uint64_t)reg_get(dev, dclv + 4) << 32);
   reg_set(dev, engine_base[engine] + COMMON(PP_DIR_BASE_READ), value);
}

/* RCS-053: the video and blitter status page addresses can be reached at two places. */
static void
mirror_status_page(struct pergola_device *dev, uint32_t offset, uint32_t value)
{
   static const uint32_t pair[][2] = {{REG_VCS_HWS_PGA, REG_VCS_HWS_PGA_ALIAS},
                                      {REG_BCS_HWS_PGA, REG_BCS_HWS_PGA_ALIAS}};
   for (unsigned i = 0; i < 2; i++)
      if (offset == pair[i][0] || offset == pair[i][1])
         reg_set(dev, pair[i][offset == pair[i][0]], value);
}

/* RCS-169: equal contexts are reset, render only; Pending falls when the compare is done. */
static void
match_context(struct pergola_device *dev, uint32_t value)
{
   if (!(value & REG_MTCH_CID_RST__PENDING))
      return;
   uint32_t ccid = reg_get(dev, REG_CCID);
   bool match = ccid & REG_CCID__VALID && !((ccid ^ value) & REG_MTCH_CID_RST__MATCH_CONTEXT_ID);
   if (match)
      device_reset(dev, 1u << HW_RESET_RCS);
   reg_set(dev, REG_MTCH_CID_RST,
           (value & REG_MTCH_CID_RST__MATCH_CONTEXT_ID) | (match ? REG_MTCH_CID_RST__MATCH : 0));
}

/* Master error follows EIR. */
static void
error_written(struct pergola_device *dev, enum engine_id engine, uint32_t eir)
{
   if (!eir)
      interrupt_gt_level(dev, engine, engine_interrupts[engine].error, false);
}

static void
streamer_written(struct pergola_device *dev, enum engine_id engine, const struct reg_write *w)
{
   uint32_t offset = w->row->offset;
   switch (offset - engine_base[engine]) {
   case COMMON(PP_DIR_BASE):
      load_directory(dev, engine, w->stored);
      break;
   case COMMON(EIR):
      error_written(dev, engine, w->stored);
      break;
   default:
      break;
   }
   mirror_status_page(dev, offset, w->stored);
   cs_register_written(dev->cs[engine], offset, w->old_value, w->stored);
   if (offset == REG_MTCH_CID_RST)
      match_context(dev, w->stored);
}

uint32_t
hook_read(struct pergola_device *dev, const struct hw_register *row, uint32_t stored)
{
   unsigned engine = register_engine(row->offset);
   if (row->offset == REG_SC_INSTDONE || row->offset == REG_SAMPLER_INSTDONE ||
       row->offset == REG_ROW_INSTDONE)
      return device_units_done(dev, row->offset);
   if (engine == ENGINE_COUNT)
      return stored;
   uint32_t in_block = row->offset - engine_base[engine];
   if (in_block == COMMON(INSTDONE))
      return device_instdone(dev, engine, stored);
   /* RCS-026, VCS-192: the count is the clock's, whatever the engine. */
   if (in_block == COMMON(TIMESTAMP))
      return (uint32_t)clock_timestamp(dev);
   if (in_block == COMMON(TIMESTAMP) + 4)
      return (uint32_t)(clock_timestamp(dev) >> 32);
   return cs_register_read(dev->cs[engine], row->offset, stored);
}

/* RCS-200: writing a one starts the reset of its domain; it reads 0 when done, which is at once. */
static void
reset_written(struct pergola_device *dev, uint32_t value)
{
   unsigned domains = 0;
   reg_set(dev, REG_GDRST, 0);
   if (value & REG_GDRST__FULL_SOFT_RESET)
      domains |= 1u << HW_RESET_FULL | 1u << HW_RESET_RCS | 1u << HW_RESET_VCS | 1u << HW_RESET_BCS;
   if (value & REG_GDRST__RENDER_DOMAIN_RESET)
      domains |= 1u << HW_RESET_RCS;
   if (value & REG_GDRST__MEDIA_DOMAIN_RESET)
      domains |= 1u << HW_RESET_VCS;
   if (value & REG_GDRST__BLITTER_DOMAIN_RESET)
      domains |= 1u << HW_RESET_BCS;
   if (domains)
      device_reset(dev, domains);
}

/* RCS-054, VCS-306: the record is locked while valid; clearing the valid bit clears all of it. */
static void
fault_written(struct pergola_device *dev, const struct reg_write *w)
{
   bool locked = w->old_value & REG_GFX_ENG_FR__VALID && w->stored & REG_GFX_ENG_FR__VALID;
   reg_set(dev, w->row->offset, locked ? w->old_value : 0);
   for (unsigned e = 0; e < ENGINE_COUNT; e++)
      if (!locked && w->row->offset == engine_fault[e])
         device_fault_cleared(dev, e);
}

static void
interrupt_written(struct pergola_device *dev, const struct reg_write *w)
{
   switch (w->row->offset) {
   case REG_DEIIR:
   case REG_GTIIR:
   case REG_PMIIR:
      interrupt_identity_cleared(dev, w->row->offset, w->old_value & ~w->stored);
      break;
   case REG_VLV_IIR_RW: /* SYS-454: a plain view of the IIR */
      reg_set(dev, REG_VLV_IIR, w->stored);
      break;
   case REG_VLV_CLAIM_ER: /* SYS-476 */
      reg_set(dev, REG_VLV_CLAIM_ER, w->stored & REG_VLV_CLAIM_ER__CLEAR ? 0 : w->old_value);
      break;
   case REG_VLV_IIR:
      reg_set(dev, REG_VLV_IIR_RW, w->stored);
      break;
   default:
      break;
   }
   interrupt_update(dev);
}

void
hook_written(struct pergola_device *dev, const struct reg_write *w)
{
   if (rules_on(dev))
      register_rules(dev, w);
   unsigned engine = register_engine(w->row->offset);
   if (engine != ENGINE_COUNT) {
      streamer_written(dev, engine, w);
      return;
   }
   switch (w->row->offset) {
   case REG_GDRST:
      reset_written(dev, w->stored);
      break;
   case REG_FLRCTLMSG:
      reg_set(dev, REG_FLRCTLMSG, 0);
      if (w->stored & REG_FLRCTLMSG__START_GT_FLR)
         device_function_reset(dev);
      break;
   case REG_GFX_FLSH_CNTL:
      /* SYS-440: any write flushes the aperture's TLB; reads 0. */
      reg_set(dev, REG_GFX_FLSH_CNTL, 0);
      device_forget_memory(dev);
      break;
   case REG_GFX_ENG_FR:
   case REG_MEDIA_ENG_FR:
   case REG_BLT_ENG_FR:
      fault_written(dev, w);
      break;
   default:
      if ((w->row->offset & ~0xffu) != REG_FENCE_0 && !power_written(dev, w))
         interrupt_written(dev, w);
      break;
   }
}
