/* The straight path: stretches of clean MI_NOOP, MI_STORE_DATA_IMM and MI_LOAD_REGISTER_IMM inside
 * one page of a batch, with nobody watching. Whatever is not plainly right is left to the parser,
 * so the effects and the diagnostics are the same. */
#include "cs/cs_internal.h"

#include "machine/regs.h"

#define STRETCH_NS 10u /* a command, as in the parser */

static bool
unwatched(const struct cs *cs)
{
   const uint32_t kinds =
       1u << PERGOLA_EVENT_COMMAND | 1u << PERGOLA_EVENT_MMIO | 1u << PERGOLA_EVENT_MEMORY;
   return !(cs->dev->trace.wanted & kinds) && !cs->watchdog_on && !cs_nonsecure(cs) &&
          !cs->attention && !cs->hand;
}

/* Read once: the guest may change it under our hands. */
static inline uint32_t
peek(const uint32_t *p)
{
   return __atomic_load_n(p, __ATOMIC_RELAXED);
}

/* A dword of global memory; false: not translated yet, or not aligned. */
static inline bool
store(struct pergola_device *dev, uint32_t address, uint32_t value)
{
   uint32_t page = address >> 12;
   if (page >= MEM_SPACE_PAGES || address & 3)
      return false;
   uintptr_t e = __atomic_load_n(&dev->ggtt.table[page], __ATOMIC_RELAXED);
   if (!(e & MEM_ENTRY_WRITE))
      return false;
   *(uint32_t *)((e & ~(uintptr_t)MEM_ENTRY_FLAGS) + (address & 0xfff)) = value;
   return true;
}

/* A register that is storage alone. */
static inline bool
load_register(struct pergola_device *dev, uint32_t offset, uint32_t value)
{
   if (offset & 3 || reg_in_display(offset) || reg_in_refused_to_commands(offset))
      return false;
   uint16_t index = dev->reg_row[offset / 4];
   if (!index)
      return false;
   const struct hw_register *row = &hw_registers[index - 1];
   if (row->hooked || row->access != HW_RW || row->rw_mask != 0xffffffff)
      return false;
   dev->mmio[offset / 4] = value;
   return true;
}

/* Executes what it can; returns the number of commands. */
uint64_t
cs_fast_stretch(struct cs *cs, uint64_t budget)
{
   struct cs_level *at = &cs->at[cs->level];
   if (cs->level == 0 || !unwatched(cs) ||
       (cs->id == VCS && cs_reg(cs, R_CTL) & CTL_DISABLE_REGISTERS))
      return 0;
   const uint32_t *page = mem_translate(at->space, at->address, MEM_READ);
   if (!page)
      return 0;
   const uint32_t *p = page, *end = page + (MEM_PAGE_SIZE - (at->address & 0xfff)) / 4;
   uint64_t left = budget;
   uint32_t header = cs->last_header;
   while (p < end && left) {
      uint32_t h = peek(p);
      if (h == 0) {
         p++;
      } else if (h == (GEN7_MI_LOAD_REGISTER_IMM_HEADER | 1) && end - p >= 3) {
         if (!load_register(cs->dev, peek(p + 1), peek(p + 2)))
            break;
         p += 3;
      } else if (h ==
                     (GEN7_MI_STORE_DATA_IMM_HEADER | GEN7_MI_STORE_DATA_IMM__USE_GLOBAL_GTT | 2) &&
                 end - p >= 4) {
         if (peek(p + 1) || !store(cs->dev, peek(p + 2), peek(p + 3)))
            break;
         p += 4;
      } else {
         break;
      }
      header = h;
      left--;
   }
   at->address += (uint32_t)(p - page) * 4;
   cs->last_header = header;
   uint64_t done = budget - left;
   cs->commands += done;
   if (done)
      cs_pass(cs, done * STRETCH_NS);
   return done;
}
