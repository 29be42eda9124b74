/* The register file: access kinds are data, side effects are hooks. */
#include "machine/regs.h"

#include <stdlib.h>
#include <string.h>

/* Two devices may be different parts, so each has its own map. */
bool
regs_create(struct pergola_device *dev)
{
   dev->mmio = calloc(MMIO_REGISTERS_SIZE / 4, sizeof(dev->mmio[0]));
   dev->reg_row = calloc(MMIO_REGISTERS_SIZE / 4, sizeof(dev->reg_row[0]));
   if (!dev->mmio || !dev->reg_row)
      return false;
   for (size_t i = 0; i < hw_register_count; i++)
      if (hw_registers[i].devices & dev->hw_device)
         dev->reg_row[hw_registers[i].offset / 4] = (uint16_t)(i + 1);
   regs_reset(dev, ~0u);
   sideband_reset(dev);
   return true;
}

void
regs_destroy(struct pergola_device *dev)
{
   free(dev->mmio);
   free(dev->reg_row);
}

void
regs_reset(struct pergola_device *dev, unsigned domains)
{
   for (size_t i = 0; i < hw_register_count; i++) {
      const struct hw_register *row = &hw_registers[i];
      if (row->devices & dev->hw_device && domains >> row->reset & 1)
         dev->mmio[row->offset / 4] = row->default_value;
   }
}

static const struct hw_register *
find(const struct pergola_device *dev, uint32_t offset)
{
   if (__builtin_expect(offset >= MMIO_REGISTERS_SIZE, 0))
      return NULL;
   uint16_t row = dev->reg_row[offset / 4];
   return __builtin_expect(row != 0, 1) ? &hw_registers[row - 1] : NULL;
}

static void
announce(struct pergola_device *dev, uint32_t offset, uint32_t value, bool write,
         const char *engine)
{
   if (!trace_wants(&dev->trace, PERGOLA_EVENT_MMIO))
      return;
   const struct hw_register *row = find(dev, offset);
   struct pergola_event e = {
       .kind = PERGOLA_EVENT_MMIO,
       .engine = engine,
       .time_ns = dev->time_ns,
       .a = offset,
       .b = value,
       .flags = write,
       .text = row ? row->layout->name : NULL,
   };
   trace_emit(&dev->trace, &e);
}

/* SYS-476: a count, and that it was too small. SYS-455 */
static void
count_claim_error(struct pergola_device *dev)
{
   uint32_t error = reg_get(dev, REG_VLV_CLAIM_ER);
   bool full = (error & REG_VLV_CLAIM_ER__COUNT) == REG_VLV_CLAIM_ER__COUNT;
   reg_set(dev, REG_VLV_CLAIM_ER, full ? error | REG_VLV_CLAIM_ER__OVERFLOW : error + 1);
   uint32_t unmasked = REG_VLV_EIR__CLAIM_ERROR & ~reg_get(dev, REG_VLV_EMR);
   reg_set(dev, REG_VLV_EIR, reg_get(dev, REG_VLV_EIR) | unmasked);
}

void
regs_unclaimed(struct pergola_device *dev)
{
   switch (dev->hw_device) {
   case HW_ICL: /* SYS-475 */
      reg_set(dev, REG_ICL_FPGA_DBG, REG_ICL_FPGA_DBG__UNCLAIMED_ACCESS);
      return;
   case HW_VLV:
      count_claim_error(dev);
      break;
   default: /* SYS-446 */
      reg_set(dev, REG_ERR_INT, reg_get(dev, REG_ERR_INT) | REG_ERR_INT__UNCLAIMED_MMIO_ACCESS);
      break;
   }
   interrupt_update(dev);
}

/* The display is outside of the model, but on a chip it would answer. Ice Lake's is fused off. */
static bool
is_displays(const struct pergola_device *dev, uint32_t offset)
{
   return (dev->hw_device == HW_VLV && reg_in_vlv_display(offset)) ||
          (dev->hw_device == HW_IVB && reg_in_ivb_display(offset));
}

static __attribute__((cold, noinline)) void
unknown(struct pergola_device *dev, uint32_t offset, bool write, const char *engine)
{
   struct rule_place place = {.engine = engine, .address = offset, .has_address = true};
   rule_report(dev, PERGOLA_WARNING, "MEM-003", &place, "%s of 0x%06x, where no register is",
               write ? "write" : "read", offset);
   if (!strcmp(engine, "bus") && !is_displays(dev, offset))
      regs_unclaimed(dev);
}

/* MEM-027, SYS-461: a read of a sleeping well is not answered by a real chip. Writes pass the FIFO.
 */
static __attribute__((cold, noinline)) void
check_awake(struct pergola_device *dev, const struct hw_register *row, const char *engine)
{
   enum hw_wake well = power_well(dev, row);
   if (strcmp(engine, "bus") || !(dev->wells_asleep >> well & 1) || well == HW_WAKE_BY_RANGE)
      return;
   struct rule_place place = {
       .engine = engine, .subject = row->layout->name, .address = row->offset, .has_address = true};
   rule_report(dev, PERGOLA_ERROR, "SYS-461", &place, "read without force wake of the %s well",
               well == HW_WAKE_MEDIA ? "media" : "render");
}

uint32_t
regs_read(struct pergola_device *dev, uint32_t offset, const char *engine)
{
   offset &= ~3u;
   const struct hw_register *row = find(dev, offset);
   uint32_t value = 0;
   if (!row) {
      unknown(dev, offset, false, engine);
   } else {
      if (__builtin_expect(dev->wells_asleep, 0))
         check_awake(dev, row, engine);
      value = dev->mmio[offset / 4];
      if (row->access == HW_WO)
         value = 0;
      else if (row->hooked)
         value = dev->calls->register_read(dev, row, value);
      if (row->access == HW_RC)
         dev->mmio[offset / 4] = 0;
   }
   announce(dev, offset, value, false, engine);
   return value;
}

static __attribute__((cold, noinline)) void
check_written(struct pergola_device *dev, const struct hw_register *row, uint32_t value,
              const char *engine)
{
   struct rule_place place = {
       .engine = engine, .subject = row->layout->name, .address = row->offset, .has_address = true};
   const char *id = *row->layout->ledger ? row->layout->ledger : "MEM-003";
   if (row->access == HW_RO) {
      if (value != dev->mmio[row->offset / 4]) /* what was read is put back: nothing is lost */
         rule_report(dev, PERGOLA_WARNING, id, &place, "0x%08x is written to a read-only register",
                     value);
      return;
   }
   for (unsigned i = 0; i < row->layout->field_count; i++) {
      const struct hw_field *f = &row->layout->fields[i];
      if (f->type != HW_MBZ || f->start / 32 > row->dword || f->end / 32 < row->dword)
         continue;
      unsigned lo = f->start / 32 == row->dword ? f->start % 32 : 0;
      unsigned hi = f->end / 32 == row->dword ? f->end % 32 : 31;
      uint32_t bits = value & (~0u >> (31 - hi)) & (~0u << lo);
      if (bits)
         rule_report(dev, PERGOLA_WARNING, f->ledger[0] ? f->ledger : id, &place,
                     "0x%08x sets reserved bits 0x%08x, which must be zero", value, bits);
   }
}

/* Fields whose values the manual limits. */
static __attribute__((cold, noinline)) void
check_ranges(struct pergola_device *dev, const struct hw_register *row, const char *engine)
{
   const struct hw_layout *l = row->layout;
   uint32_t base = row->offset - 4 * row->dword, value[2];
   for (unsigned i = 0; i < 2; i++)
      value[i] = i < l->length_dw ? dev->mmio[base / 4 + i] : 0;
   for (unsigned i = 0; i < l->field_count; i++) {
      const struct hw_field *f = &l->fields[i];
      uint64_t raw = hw_field_get(f, value, l->length_dw);
      bool low = f->has_min && (int64_t)raw < f->min, high = f->has_max && (int64_t)raw > f->max;
      if (!low && !high)
         continue;
      struct rule_place place = {engine, l->name, f->name, base, true};
      rule_report(dev, PERGOLA_ERROR, f->ledger[0] ? f->ledger : l->ledger, &place,
                  "%llu is %s the limit of %lld", (unsigned long long)raw, low ? "below" : "above",
                  (long long)(low ? f->min : f->max));
   }
}

/* The value that is stored: by the row's masks, then by the bytes that were written. */
static uint32_t
merge(const struct hw_register *row, uint32_t old, uint32_t value, uint32_t byte_mask)
{
   uint32_t stored = row->rw_mask & byte_mask;
   if (row->access == HW_MASKED)
      stored &= value >> 16; /* bits 31:16 enable the writing of bits 15:0 */
   return ((old & ~stored) | (value & stored)) & ~(value & row->w1c_mask & byte_mask);
}

void
regs_write(struct pergola_device *dev, uint32_t offset, uint32_t value, uint32_t byte_mask,
           const char *engine)
{
   offset &= ~3u;
   announce(dev, offset, value, true, engine);
   const struct hw_register *row = find(dev, offset);
   if (!row) {
      unknown(dev, offset, true, engine);
      return;
   }
   uint32_t written = value & byte_mask;
   if (row->access == HW_MASKED)
      written &= written >> 16;
   if (__builtin_expect((written & row->layout->mbz[row->dword]) != 0, 0) || row->access == HW_RO)
      check_written(dev, row, written, engine);
   uint32_t old = dev->mmio[offset / 4];
   uint32_t stored = merge(row, old, value & byte_mask, byte_mask);
   dev->mmio[offset / 4] = stored;
   if (__builtin_expect(row->layout->ranged, 0))
      check_ranges(dev, row, engine);
   if (row->hooked) {
      struct reg_write w = {row, old, stored, byte_mask, engine};
      dev->calls->register_written(dev, &w);
   }
}

/* CS-024: the unit that the write would reset or flush is the one that runs the thread. */
void
regs_post(struct pergola_device *dev, uint32_t offset, uint32_t value, const char *engine)
{
   const struct hw_register *row = find(dev, offset & ~3u);
   if (!row || !row->acts) {
      regs_write(dev, offset, value, 0xffffffff, engine);
      return;
   }
   if (dev->posted_count < MAX_POSTED_WRITES) {
      dev->posted[dev->posted_count++] = (struct posted_write){offset, value};
      return;
   }
   struct rule_place place = {
       .engine = engine, .subject = row->layout->name, .address = row->offset, .has_address = true};
   rule_report(dev, PERGOLA_ERROR, "CS-024", &place,
               "more than %u writes of registers with side effects wait for their threads; this "
               "one is dropped",
               MAX_POSTED_WRITES);
}

void
regs_take_posted(struct pergola_device *dev)
{
   struct posted_write now[MAX_POSTED_WRITES]; /* a reset among them empties the list */
   unsigned count = dev->posted_count;
   memcpy(now, dev->posted, count * sizeof(now[0]));
   dev->posted_count = 0;
   for (unsigned i = 0; i < count; i++)
      regs_write(dev, now[i].offset, now[i].value, 0xffffffff, "EU");
}
