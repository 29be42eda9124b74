/* The rules around GPGPU_DISPATCHDIMX, Y and Z: no zero, a guard, the last walker. */
#include "cs/cs_internal.h"

static bool
is_dimension(uint32_t offset)
{
   return offset >= REG_GPGPU_DISPATCHDIMX && offset <= REG_GPGPU_DISPATCHDIMZ;
}

/* RCS-042: a zero may only come by MI_LOAD_REGISTER_MEM, when the guard follows. */
void
cs_dimension_loaded(struct cs *cs, uint32_t offset, uint32_t value, bool from_memory)
{
   if (!is_dimension(offset))
      return;
   cs->dimension_guarded = false;
   if (!value && !from_memory)
      cs_report(cs, PERGOLA_ERROR, "RCS-042", "Data DWord",
                "dispatch dimension register 0x%04x is loaded with 0", offset);
}

/* MI_CONDITIONAL_BATCH_BUFFER_END went on: what was loaded before is not zero. */
void
cs_dimension_guard(struct cs *cs)
{
   cs->dimension_guarded = true;
}

/* Before a GPGPU_WALKER. RCS-043: nothing may follow a guarded indirect walker in its batch. */
void
cs_dimension_walker(struct cs *cs, bool indirect)
{
   if (cs->guarded_walker_done) {
      cs_report(cs, PERGOLA_WARNING, "RCS-043", NULL,
                "a walker follows a guarded indirect one in the same batch; it is lost when a "
                "dimension is 0");
      cs->guarded_walker_done = false;
   }
   if (!indirect)
      return;
   for (uint32_t r = REG_GPGPU_DISPATCHDIMX; r <= REG_GPGPU_DISPATCHDIMZ; r += 4)
      if (!reg_get(cs->dev, r))
         cs_report(cs, PERGOLA_ERROR, "RCS-042", NULL,
                   "indirect dispatch with dimension register 0x%04x at 0", r);
   cs->guarded_walker_done = cs->dimension_guarded && cs->level;
   cs->dimension_guarded = false;
}
