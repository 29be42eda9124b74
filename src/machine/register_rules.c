/* Restrictions of the manual on register writes; those about a running ring are the streamer's. */
#include "machine/regs.h"

#include <stdio.h>
#include <string.h>

#define COMMON(name) (REG_RCS_##name - REG_BASE_RCS)

__attribute__((format(printf, 4, 5))) static void
broken(struct pergola_device *dev, const struct reg_write *w, const char *rule, const char *format,
       ...)
{
   char text[256];
   va_list ap;
   va_start(ap, format);
   vsnprintf(text, sizeof(text), format, ap);
   va_end(ap);
   struct rule_place place = {.engine = w->engine,
                              .subject = w->row->layout->name,
                              .address = w->row->offset,
                              .has_address = true};
   rule_report(dev, PERGOLA_ERROR, rule, &place, "%s", text);
}

static void
control_rules(struct pergola_device *dev, enum engine_id engine, const struct reg_write *w)
{
   uint32_t base = engine_base[engine], enable = REG_RCS_RING_BUFFER_CTL__RING_BUFFER_ENABLE;
   uint32_t size = (w->stored & REG_RCS_RING_BUFFER_CTL__BUFFER_LENGTH) + MEM_PAGE_SIZE;
   if (!(w->stored & enable) || w->old_value & enable)
      return;
   uint32_t head =
       reg_get(dev, base + COMMON(RING_BUFFER_HEAD)) & REG_RCS_RING_BUFFER_HEAD__HEAD_OFFSET;
   uint32_t tail = reg_get(dev, base + COMMON(RING_BUFFER_TAIL));
   if (head >= size || tail >= size)
      broken(dev, w, "VCS-068",
             "the ring of %u bytes is enabled with head 0x%x and tail 0x%x, one past its end", size,
             head, tail);
}

/* RCS-190: bits that may not be unmasked in HWSTAM. */
static void
status_mask_rules(struct pergola_device *dev, enum engine_id engine, const struct reg_write *w)
{
   const struct engine_interrupts *irq = &engine_interrupts[engine];
   uint32_t open = ~w->stored;
   if (open & (irq->watchdog | irq->context_switch))
      broken(dev, w, "VCS-114", "context switch and watchdog may not be unmasked here (0x%08x)",
             w->stored);
   if (open & (open - 1))
      broken(dev, w, "VCS-119", "more than one bit is unmasked (0x%08x)", w->stored);
   uint32_t imr = reg_get(dev, engine_base[engine] + COMMON(IMR));
   if (open & imr)
      broken(dev, w, "VCS-118", "bits 0x%08x are unmasked here but masked in IMR", open & imr);
}

static void
streamer_rules(struct pergola_device *dev, enum engine_id engine, const struct reg_write *w)
{
   switch (w->row->offset - engine_base[engine]) {
   case COMMON(RING_BUFFER_CTL):
      control_rules(dev, engine, w);
      break;
   case COMMON(HWSTAM):
      status_mask_rules(dev, engine, w);
      break;
   default:
      break;
   }
}

/* SYS-440: the pitch of an X-major fence counts tiles of 512 bytes; the last page is not before the
 * first. Checked when the lower half, which the driver writes last, makes the fence valid. */
static void
fence_rules(struct pergola_device *dev, const struct reg_write *w)
{
   uint32_t hi = reg_get(dev, w->row->offset + 4);
   if (w->row->dword || !(w->stored & REG_FENCE_0__VALID))
      return;
   uint32_t pitch = ((hi & REG_FENCE_0__PITCH) + 1) * 128;
   if (!(w->stored & REG_FENCE_0__TILE_WALK) && pitch % 512)
      broken(dev, w, "SYS-440", "a pitch of %u bytes is not a multiple of an X tile's 512", pitch);
   uint32_t last = hi & REG_FENCE_0__UPPER_BOUND_PAGE,
            first = w->stored & REG_FENCE_0__LOWER_BOUND_PAGE;
   if (last < first)
      broken(dev, w, "SYS-440", "the last page 0x%x lies before the first 0x%x", last, first);
}

static bool
is_fence(uint32_t offset)
{
   return offset >= REG_FENCE_0 && offset < REG_FENCE_0 + 32 * 8;
}

/* No address in the place: it is one report for all of them. */
static void
display_rules(struct pergola_device *dev, const struct reg_write *w)
{
   struct rule_place place = {.engine = w->engine};
   rule_report(dev, PERGOLA_NOTE, "MEM-050", &place,
               "%s is written: the display is not modelled, its registers are only stored",
               w->row->layout->name);
}

void
register_rules(struct pergola_device *dev, const struct reg_write *w)
{
   uint32_t offset = w->row->offset;
   unsigned engine = register_engine(offset);
   /* From the stream a zero may be guarded: src/cs/dispatch_dim.c knows. */
   if (offset >= REG_GPGPU_DISPATCHDIMX && offset <= REG_GPGPU_DISPATCHDIMZ && !w->stored &&
       !strcmp(w->engine, "bus"))
      broken(dev, w, "RCS-042", "a dispatch dimension may not be 0");
   else if (offset == REG_VCS_CXT_SIZE && w->byte_mask != 0xffffffff)
      broken(dev, w, "VCS-028", "only whole dwords may be written");
   else if (offset == REG_VCS_PREEMPTION_HINT_UDW)
      broken(dev, w, "VCS-062", "the preemption hint is for validation, not for use");
   else if (engine != ENGINE_COUNT)
      streamer_rules(dev, engine, w);
   else if (is_fence(offset))
      fence_rules(dev, w);
   else if (!w->row->acts && !strcmp(w->row->layout->unit, "display"))
      display_rules(dev, w);
}
