/* Side effects of registers, by the unit that owns them. */
#include "cs/cs.h"
#include "device/regs.h"

/* The engine whose block the offset lies in, or ENGINE_COUNT. */
static unsigned
block_engine(uint32_t offset)
{
   switch (offset & ~0xfffu) {
   case 0x2000:
      return RCS;
   case 0x12000:
      return VCS;
   case 0x22000:
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

static void
streamer_written(struct pergola_device *dev, enum engine_id engine, uint32_t offset, uint32_t old,
                 uint32_t value)
{
   uint32_t in_block = offset - engine_base[engine];
   switch (in_block) {
   case REG_RCS_PP_DIR_BASE - 0x2000: {
      /* RCS-195: the write makes the engine fetch the entries that PP_DCLV enables. */
      uint32_t dclv = engine_base[engine] + REG_RCS_PP_DCLV - 0x2000;
      mem_load_directory(&dev->ppgtt[engine], value,
                         reg_get(dev, dclv) | (uint64_t)reg_get(dev, dclv + 4) << 32);
      reg_set(dev, engine_base[engine] + REG_RCS_PP_DIR_BASE_READ - 0x2000, value);
      break;
   }
   case REG_RCS_INSTPM - 0x2000:
      if (value & REG_RCS_INSTPM__TLB_INVALIDATE)
         device_invalidate_tlb(dev, engine);
      break;
   case REG_RCS_IMR - 0x2000:
   case REG_RCS_HWSTAM - 0x2000:
      break;
   default:
      break;
   }
   /* RCS-048: any write to the low dword resets the counter. */
   if (offset == REG_GPGPU_THREADS_DISPATCHED) {
      reg_set(dev, offset, 0);
      reg_set(dev, offset + 4, 0);
   }
   cs_register_written(dev->cs[engine], offset, old, value);
}

uint32_t
hook_read(struct pergola_device *dev, const struct hw_register *row, uint32_t stored)
{
   unsigned engine = block_engine(row->offset);
   if (engine == ENGINE_COUNT)
      return stored;
   uint32_t in_block = row->offset - engine_base[engine];
   /* RCS-026: the count is the clock's, whatever the engine. */
   if (in_block == REG_RCS_TIMESTAMP - 0x2000)
      return (uint32_t)clock_timestamp(dev);
   if (in_block == REG_RCS_TIMESTAMP - 0x2000 + 4)
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

void
hook_written(struct pergola_device *dev, const struct hw_register *row, uint32_t old, uint32_t value)
{
   unsigned engine = block_engine(row->offset);
   if (engine != ENGINE_COUNT) {
      streamer_written(dev, engine, row->offset, old, value);
      return;
   }
   switch (row->offset) {
   case REG_GDRST:
      reset_written(dev, value);
      break;
   case REG_GFX_FLSH_CNTL:
      reg_set(dev, REG_GFX_FLSH_CNTL, 0);
      device_forget_memory(dev);
      break;
   default:
      interrupt_update(dev);
      break;
   }
}
