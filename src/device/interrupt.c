/* Interrupts: engine mask, then the GT, PM and display banks, then the master enable and the line. */
#include "device/device.h"

enum bank { BANK_DE, BANK_GT, BANK_PM };

/* ISR, IMR, IIR, IER of a bank follow one another. */
static uint32_t
bank_register(enum bank bank, unsigned which)
{
   return REG_DEISR + 0x10 * bank + 4 * which;
}
enum { ISR, IMR, IIR, IER };

/* MEM-012: level = OR over the banks of IIR and IER, gated by the master bit. */
void
interrupt_update(struct pergola_device *dev)
{
   bool line = false;
   for (enum bank b = BANK_DE; b <= BANK_PM; b++) {
      uint32_t enabled = reg_get(dev, bank_register(b, IER));
      if (b == BANK_DE)
         enabled &= ~REG_DEIER__MASTER_INTERRUPT_CONTROL;
      line |= (reg_get(dev, bank_register(b, IIR)) & enabled) != 0;
   }
   line &= (reg_get(dev, REG_DEIER) & REG_DEIER__MASTER_INTERRUPT_CONTROL) != 0;
   if (line == dev->interrupt_line)
      return;
   dev->interrupt_line = line;
   if (dev->interrupt_fn)
      dev->interrupt_fn(dev->interrupt_data, line);
}

static void
raise(struct pergola_device *dev, enum bank bank, uint32_t bits)
{
   if (trace_wants(&dev->trace, PERGOLA_EVENT_INTERRUPT)) {
      struct pergola_event e = {.kind = PERGOLA_EVENT_INTERRUPT,
                                .engine = "bus",
                                .time_ns = dev->time_ns,
                                .a = bank,
                                .b = bits};
      trace_emit(&dev->trace, &e);
   }
   uint32_t iir = bank_register(bank, IIR);
   reg_set(dev, iir, reg_get(dev, iir) | (bits & ~reg_get(dev, bank_register(bank, IMR))));
   interrupt_update(dev);
}

/* RCS-190: with the bit clear in HWSTAM and in IMR the status goes to dword 0 of the status page. */
static void
write_status_page(struct pergola_device *dev, enum engine_id engine, uint32_t bits)
{
   uint32_t page = reg_get(dev, REG_RCS_HWS_PGA + 0x100 * engine);
   if (page & 0xfffff000)
      mem_write32(&dev->ggtt, page & 0xfffff000, bits);
}

/* User interrupt and notify are stored as 0 in that write. */
static uint32_t
status_page_bits(enum engine_id engine, uint32_t bits)
{
   static const uint32_t pulses[ENGINE_COUNT] = {1u << 0 | 1u << 4, 1u << 12 | 1u << 16,
                                                 1u << 22 | 1u << 26};
   return bits & ~pulses[engine];
}

void
interrupt_gt(struct pergola_device *dev, enum engine_id engine, unsigned bit)
{
   uint32_t bits = 1u << (bit & 31), base = engine_base[engine] - 0x2000;
   uint32_t engine_mask = reg_get(dev, base + REG_RCS_IMR);
   uint32_t status_mask = reg_get(dev, base + REG_RCS_HWSTAM);
   if (bits & ~engine_mask & ~status_mask)
      write_status_page(dev, engine, status_page_bits(engine, bits));
   raise(dev, BANK_GT, bits & ~engine_mask);
}

void
interrupt_pm(struct pergola_device *dev, unsigned bit)
{
   raise(dev, BANK_PM, 1u << (bit & 31));
}

void
pergola_set_interrupt_handler(struct pergola_device *dev, pergola_interrupt_fn fn, void *data)
{
   dev->interrupt_fn = fn;
   dev->interrupt_data = data;
}
