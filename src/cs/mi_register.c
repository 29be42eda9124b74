/* Registers from the stream: MI_LOAD_REGISTER_IMM, MI_LOAD_REGISTER_MEM, MI_STORE_REGISTER_MEM. */
#include "cs/cs_internal.h"

/* RCS-211, VCS-263, VCS-264: the rule that makes the data of a read undefined; NULL: none. */
static const char *
read_undefined(const struct cs *cs, uint32_t offset)
{
   bool named = reg_in_pgtbl_ctl(offset) || reg_in_fences(offset) || reg_in_vga(offset);
   if (!named && !reg_in_refused_to_commands(offset))
      return NULL;
   return cs->id == RCS ? "RCS-211" : named ? "VCS-263" : "VCS-264";
}

/* VCS-327: one display register write at a time, each read back by MI_STORE_REGISTER_MEM. */
static void
display_write(struct cs *cs, uint32_t offset)
{
   if (cs->lri_display_offset)
      cs_report(
          cs, PERGOLA_WARNING, "VCS-327", "Register Offset",
          "display register 0x%05x is written while the write of 0x%05x has not been read back",
          offset, cs->lri_display_offset);
   cs->lri_display_offset = offset;
}

bool
cs_register_store(struct cs *cs, uint32_t offset, uint32_t value, uint32_t byte_enable)
{
   if (__builtin_expect(reg_in_refused_to_commands(offset), 0)) { /* RCS-209, VCS-327 */
      cs_report(cs, PERGOLA_ERROR, cs->id == RCS ? "RCS-209" : "VCS-327", "Register Offset",
                "register 0x%06x may not be written by a command; ignored", offset);
      return false;
   }
   if (__builtin_expect(reg_in_display(offset), 0))
      display_write(cs, offset);
   cs->in_command = true;
   if (__builtin_expect((offset & ~0xfffu) == cs->base, 0))
      cs_publish(cs);
   regs_write(cs->dev, offset, value, byte_enable, cs->name);
   cs->in_command = false;
   return true;
}

static uint32_t
cs_register_load(struct cs *cs, uint32_t offset)
{
   if ((offset & ~0xfffu) == cs->base)
      cs_publish(cs); /* the registers show where the parser is */
   cs->in_command = true;
   uint32_t value = regs_read(cs->dev, offset, cs->name);
   cs->in_command = false;
   return value;
}

/* VCS-084, VCS-085: a ring may be kept from writing registers. */
static bool
writes_disabled(struct cs *cs)
{
   if (cs->id != VCS || !(cs_reg(cs, R_CTL) & CTL_DISABLE_REGISTERS))
      return false;
   cs_report(cs, PERGOLA_WARNING, "VCS-085", NULL,
             "the ring has register accesses disabled: becomes a no-op");
   return true;
}

/* RCS-224; CS-012: the blitter may write its own software control register. */
static bool
may_load(struct cs *cs, uint32_t offset)
{
   if (!cs_nonsecure(cs) || (cs->id == BCS && (offset & ~0xffu) == REG_BCS_SWCTRL))
      return true;
   cs_report(cs, PERGOLA_WARNING, cs->id == VCS ? "VCS-297" : "RCS-224", NULL,
             "a register is loaded in a non-secure batch: becomes a no-op");
   return false;
}

/* VCS-245: a disable bit for each byte. */
static uint32_t
bytes_enabled(uint32_t disables)
{
   uint32_t mask = 0;
   for (unsigned b = 0; b < 4; b++)
      if (!(disables >> b & 1))
         mask |= 0xffu << 8 * b;
   return mask;
}

enum cs_result
mi_load_register_imm(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
                     uint64_t *budget)
{
   uint32_t disables = hw_get(dw[0], GEN7_MI_LOAD_REGISTER_IMM__BYTE_WRITE_DISABLES);
   if (__builtin_expect(!(count & 1), 0)) { /* VCS-246 */
      cs_report(cs, cs->id == VCS ? PERGOLA_FATAL : PERGOLA_ERROR,
                cs->id == RCS ? "RCS-209" : "VCS-246", "DWord Length",
                "%u dwords do not make whole pairs of register and data", count);
      if (cs->id == VCS) {
         cs_error(cs, 1);
         return CS_ERROR;
      }
   }
   if (disables == 15)
      return CS_DONE;
   if (__builtin_expect(cs->level == 0 || !cs->at[cs->level].nonsecure, 1) && writes_disabled(cs))
      return CS_DONE;
   uint32_t enable = disables ? bytes_enabled(disables) : ~0u;
   for (uint32_t i = 1; i + 1 < count; i += 2) {
      uint32_t offset = dw[i] & GEN7_MI_LOAD_REGISTER_IMM__REGISTER_OFFSET;
      if (__builtin_expect(!may_load(cs, offset), 0))
         return CS_DONE;
      cs_register_store(cs, offset, dw[i + 1], enable);
      cs_dimension_loaded(cs, offset, dw[i + 1], false);
   }
   return CS_DONE;
}

enum cs_result
mi_load_register_mem(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
                     uint64_t *budget)
{
   if (writes_disabled(cs))
      return CS_DONE;
   bool global = dw[0] & GEN7_MI_LOAD_REGISTER_MEM__USE_GLOBAL_GTT;
   if (!global && cs->id == VCS && !(cs_reg(cs, R_GFX_MODE) & GFX_MODE_PPGTT))
      cs_report(cs, PERGOLA_WARNING, "VCS-294", "Use Global GTT",
                "must be 1 while the per-process GTT is disabled; the global GTT is used");
   uint32_t offset = dw[1] & GEN7_MI_LOAD_REGISTER_MEM__REGISTER_ADDRESS;
   uint32_t value = mem_read32(cs_space(cs, global), dw[2] & ~3u);
   cs_register_store(cs, offset, value, ~0u);
   cs_dimension_loaded(cs, offset, value, true);
   return CS_DONE;
}

enum cs_result
mi_store_register_mem(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
                      uint64_t *budget)
{
   uint32_t offset = dw[1] & GEN7_MI_STORE_REGISTER_MEM__REGISTER_ADDRESS, value = 0;
   bool global = dw[0] & GEN7_MI_STORE_REGISTER_MEM__USE_GLOBAL_GTT;
   if (!global && cs->id == VCS && !(cs_reg(cs, R_GFX_MODE) & GFX_MODE_PPGTT))
      cs_report(cs, PERGOLA_WARNING, "VCS-262", "Use Global GTT",
                "must be 1 while the per-process GTT is disabled; the global GTT is used");
   const char *rule = read_undefined(cs, offset);
   if (rule)
      cs_report(cs, PERGOLA_ERROR, rule, "Register Address",
                "register 0x%06x gives undefined data; 0 is stored", offset);
   else
      value = cs_register_load(cs, offset); /* VCS-265 */
   if (offset == cs->lri_display_offset)
      cs->lri_display_offset = 0;
   mem_write32(cs_space(cs, global), dw[2] & ~3u, value);
   return CS_DONE;
}
