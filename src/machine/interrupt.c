/* Interrupts: engine mask, then the GT, PM and display banks, then the master enable and the line.
 */
#include "machine/regs.h"

#define GT(name) REG_GTIIR__##name

const struct engine_interrupts engine_interrupts[ENGINE_COUNT] = {
    [RCS] = {.user = GT(RENDER_USER_INTERRUPT),
             .sync = GT(RENDER_SYNC_FLUSH_STATUS),
             .error = GT(RENDER_STREAMER_ERROR),
             .notify = GT(RENDER_PIPE_CONTROL_NOTIFY),
             .watchdog = GT(RENDER_WATCHDOG),
             .page_fault = GT(RENDER_PAGE_DIRECTORY_FAULT),
             .context_switch = GT(RENDER_CONTEXT_SWITCH),
             .all = GT(RENDER_USER_INTERRUPT) | GT(RENDER_SYNC_FLUSH_STATUS) |
                    GT(RENDER_STREAMER_ERROR) | GT(RENDER_PIPE_CONTROL_NOTIFY) |
                    GT(L3_PARITY_ERROR) | GT(RENDER_WATCHDOG) | GT(RENDER_PAGE_DIRECTORY_FAULT) |
                    GT(RENDER_CONTEXT_SWITCH) | GT(RENDER_MONITOR_BUFFER_HALF_FULL)},
    [VCS] = {.user = GT(VIDEO_USER_INTERRUPT),
             .sync = GT(VIDEO_SYNC_FLUSH_STATUS),
             .error = GT(VIDEO_STREAMER_ERROR),
             .notify = GT(VIDEO_MI_FLUSH_DW_NOTIFY),
             .watchdog = GT(VIDEO_WATCHDOG),
             .page_fault = GT(VIDEO_PAGE_DIRECTORY_FAULT),
             .context_switch = GT(VIDEO_CONTEXT_SWITCH),
             .all = GT(VIDEO_USER_INTERRUPT) | GT(VIDEO_SYNC_FLUSH_STATUS) |
                    GT(VIDEO_STREAMER_ERROR) | GT(VIDEO_MI_FLUSH_DW_NOTIFY) | GT(VIDEO_WATCHDOG) |
                    GT(VIDEO_PAGE_DIRECTORY_FAULT) | GT(VIDEO_CONTEXT_SWITCH)},
    [BCS] = {.user = GT(BLITTER_USER_INTERRUPT),
             .sync = GT(BLITTER_SYNC_FLUSH_STATUS),
             .error = GT(BLITTER_STREAMER_ERROR),
             .notify = GT(BLITTER_MI_FLUSH_DW_NOTIFY),
             .page_fault = GT(BLITTER_PAGE_DIRECTORY_FAULT),
             .context_switch = GT(BLITTER_CONTEXT_SWITCH),
             .all = GT(BLITTER_USER_INTERRUPT) | GT(BLITTER_SYNC_FLUSH_STATUS) |
                    GT(BLITTER_STREAMER_ERROR) | GT(BLITTER_MI_FLUSH_DW_NOTIFY) |
                    GT(BLITTER_PAGE_DIRECTORY_FAULT) | GT(BLITTER_CONTEXT_SWITCH)},
};

enum bank { BANK_DE, BANK_GT, BANK_PM, BANK_COUNT };
enum { ISR, IMR, IIR, IER };

/* ISR, IMR, IIR, IER of a bank follow one another. SYS-442 */
static uint32_t
bank_register(enum bank bank, unsigned which)
{
   return REG_DEISR + 0x10 * bank + 4 * which;
}

static bool
bank_pending(const struct pergola_device *dev, enum bank bank)
{
   uint32_t enabled = reg_get(dev, bank_register(bank, IER));
   if (bank == BANK_DE)
      enabled &= ~REG_DEIER__MASTER_INTERRUPT_CONTROL;
   return (reg_get(dev, bank_register(bank, IIR)) & enabled) != 0;
}

/* SYS-446: any error holds bit 30 of the display bank. SYS-455: any error gives bit 15 of the
 * Gunit's. */
static void
collect_errors(struct pergola_device *dev)
{
   if (dev->hw_device == HW_VLV) {
      if (reg_get(dev, REG_VLV_EIR)) {
         uint32_t iir = reg_get(dev, REG_VLV_IIR) | REG_VLV_IIR__MASTER_ERROR;
         reg_set(dev, REG_VLV_IIR, iir);
         reg_set(dev, REG_VLV_IIR_RW, iir);
      }
      return;
   }
   uint32_t bit = REG_DEISR__ERROR_INTERRUPTS_COMBINED, isr = reg_get(dev, REG_DEISR);
   bool level = reg_get(dev, REG_ERR_INT) != 0;
   if (level && !(isr & bit) && !(reg_get(dev, REG_DEIMR) & bit))
      reg_set(dev, REG_DEIIR, reg_get(dev, REG_DEIIR) | bit);
   reg_set(dev, REG_DEISR, level ? isr | bit : isr & ~bit);
}

/* MEM-012, SYS-441: OR over the banks of IIR and IER, gated by the master bit. SYS-456:
 * Valleyview's display and Gunit set does not pass the master. */
void
interrupt_update(struct pergola_device *dev)
{
   collect_errors(dev);
   bool master = reg_get(dev, REG_DEIER) & REG_DEIER__MASTER_INTERRUPT_CONTROL;
   bool line = master && (bank_pending(dev, BANK_GT) || bank_pending(dev, BANK_PM));
   if (dev->hw_device == HW_VLV)
      line |= (reg_get(dev, REG_VLV_IIR) & reg_get(dev, REG_VLV_IER)) != 0;
   else
      line |= master && bank_pending(dev, BANK_DE);
   if (line == dev->interrupt_line)
      return;
   dev->interrupt_line = line;
   dev->calls->interrupt_changed(dev, line);
   if (dev->interrupt_fn)
      dev->interrupt_fn(dev->interrupt_data, line);
}

static void
announce(struct pergola_device *dev, enum bank bank, uint32_t bits)
{
   if (!trace_wants(&dev->trace, PERGOLA_EVENT_INTERRUPT))
      return;
   struct pergola_event e = {.kind = PERGOLA_EVENT_INTERRUPT,
                             .engine = "bus",
                             .time_ns = dev->time_ns,
                             .a = bank,
                             .b = bits};
   trace_emit(&dev->trace, &e);
}

/* SYS-441, VCS-313: the IIR holds up to two events a bit. */
static void
raise(struct pergola_device *dev, enum bank bank, uint32_t bits)
{
   announce(dev, bank, bits);
   uint32_t iir = reg_get(dev, bank_register(bank, IIR));
   bits &= ~reg_get(dev, bank_register(bank, IMR));
   dev->second_event[bank] |= iir & bits;
   reg_set(dev, bank_register(bank, IIR), iir | bits);
   interrupt_update(dev);
}

/* The bit falls, and rises again at once if a second event was stored. */
void
interrupt_identity_cleared(struct pergola_device *dev, uint32_t offset, uint32_t cleared)
{
   enum bank bank = (offset - REG_DEISR) / 0x10;
   uint32_t again = cleared & dev->second_event[bank];
   interrupt_update(dev);
   dev->second_event[bank] &= ~again;
   reg_set(dev, offset, reg_get(dev, offset) | again);
   interrupt_update(dev);
}

/* RCS-190, VCS-117, VCS-118: with the bit clear in HWSTAM and in IMR, a change of the status writes
 * it to dword 0 of the status page. Pulses (user interrupt, notify) show there as 0. */
static void
status_changed(struct pergola_device *dev, enum engine_id engine, uint32_t bits)
{
   static const uint32_t status_page[ENGINE_COUNT] = {REG_RCS_HWS_PGA, REG_VCS_HWS_PGA,
                                                      REG_BCS_HWS_PGA};
   uint32_t base = engine_base[engine];
   uint32_t masked = reg_get(dev, base + ENGINE_IMR) | reg_get(dev, base + ENGINE_HWSTAM);
   uint32_t page =
       reg_get(dev, status_page[engine]) & REG_RCS_HWS_PGA__HARDWARE_STATUS_PAGE_ADDRESS;
   if (bits & ~masked && page)
      mem_write32(&dev->ggtt, page, reg_get(dev, REG_GTISR) & engine_interrupts[engine].all);
}

void
interrupt_gt_level(struct pergola_device *dev, enum engine_id engine, uint32_t bits, bool level)
{
   uint32_t isr = reg_get(dev, REG_GTISR);
   if (((isr & bits) != 0) == level)
      return;
   reg_set(dev, REG_GTISR, isr ^ bits);
   status_changed(dev, engine, bits);
   /* Only a rising edge that the engine does not mask enters the IIR. */
   uint32_t mask = reg_get(dev, engine_base[engine] + ENGINE_IMR);
   if (level && bits & ~mask)
      raise(dev, BANK_GT, bits);
}

void
interrupt_gt(struct pergola_device *dev, enum engine_id engine, uint32_t bits)
{
   if (bits & engine_interrupts[engine].error) { /* lasts */
      interrupt_gt_level(dev, engine, bits, true);
      return;
   }
   if (bits & engine_interrupts[engine].sync) { /* toggles at every completion */
      interrupt_gt_level(dev, engine, bits, !(reg_get(dev, REG_GTISR) & bits));
      return;
   }
   status_changed(dev, engine, bits);
   uint32_t mask = reg_get(dev, engine_base[engine] + ENGINE_IMR);
   if (bits & ~mask)
      raise(dev, BANK_GT, bits);
}

/* SYS-445: PMINTRMSK masks at the source. */
void
interrupt_pm(struct pergola_device *dev, uint32_t bits)
{
   bits &= ~reg_get(dev, REG_PMINTRMSK);
   if (bits)
      raise(dev, BANK_PM, bits);
}

void
interrupt_display(struct pergola_device *dev, uint32_t bits)
{
   if (dev->hw_device != HW_VLV) {
      raise(dev, BANK_DE, bits);
      return;
   }
   announce(dev, BANK_DE, bits);
   uint32_t iir = reg_get(dev, REG_VLV_IIR) | (bits & ~reg_get(dev, REG_VLV_IMR));
   reg_set(dev, REG_VLV_IIR, iir);
   reg_set(dev, REG_VLV_IIR_RW, iir);
   interrupt_update(dev);
}

void
interrupt_reset(struct pergola_device *dev)
{
   for (unsigned b = 0; b < BANK_COUNT; b++)
      dev->second_event[b] = 0;
   interrupt_update(dev);
}

void
pergola_set_interrupt_handler(struct pergola_device *dev, pergola_interrupt_fn fn, void *data)
{
   dev->interrupt_fn = fn;
   dev->interrupt_data = data;
}
