/* Reports of Ice Lake's performance counters: formats, identity, and the buffer. */
#include "oa/gen11.h"

#include <string.h>

#define LINE_CLOCKS 16u /* that the report takes on its way, for each 64 bytes */

/* ---- formats --------------------------------------------------------------------------------- */

static void
put_a(const struct oa11 *o, uint32_t *to, unsigned first, unsigned count)
{
   for (unsigned i = 0; i < count; i++)
      to[i] = (uint32_t)o->live.a[first + i];
}

/* SYS-286, SYS-320: bits 39:32 of A0..A31, a byte each. */
static void
put_high_bytes(const struct oa11 *o, uint32_t *to)
{
   for (unsigned i = 0; i < OA11_WIDE_A; i++)
      to[i / 4] |= (uint32_t)(o->live.a[i] >> 32 & 0xff) << i % 4 * 8;
}

static void
put_bc(const struct oa11 *o, uint32_t *to)
{
   memcpy(to, o->live.b, sizeof(o->live.b));
   memcpy(to + OA11_B, o->live.c, sizeof(o->live.c));
}

/* SYS-281..284: Counter Select. */
static unsigned
fill(const struct oa11 *o, uint32_t id, uint32_t dw[OA11_REPORT_MAX_DW])
{
   unsigned select = hw_get(o->control, REG_ICL_OACONTROL__COUNTER_SELECT);
   memset(dw, 0, OA11_REPORT_MAX_DW * sizeof(dw[0]));
   dw[0] = id;
   dw[1] = (uint32_t)o->timestamp;
   dw[2] = o->context;
   dw[3] = o->live.ticks;
   switch (select) {
   case 5:
      put_a(o, &dw[4], 0, OA11_A);
      put_high_bytes(o, &dw[40]);
      put_bc(o, &dw[48]);
      return 64;
   case 7:
      memcpy(&dw[4], o->live.c, 4 * sizeof(dw[0]));
      memcpy(&dw[8], o->live.b, sizeof(o->live.b));
      return 16;
   case 2:
      put_a(o, &dw[4], 7, 12);
      put_bc(o, &dw[16]);
      return 32;
   default:
      if (select) /* SYS-287, SYS-288 */
         o->host->rule(o->data, "SYS-287", "OACONTROL",
                       "this Counter Select has no format; the report is as for 000");
      put_a(o, &dw[4], 7, 12);
      return 16;
   }
}

static void
check_counting(const struct oa11 *o)
{
   if (o->control & REG_ICL_OACONTROL__COUNTER_ENABLE &&
       !(o->ctx_control & REG_ICL_OACTXCONTROL__COUNTER_RESUME))
      o->host->rule(o->data, "SYS-251", "OACTXCONTROL",
                    "a report is made while no context that lets counters advance is loaded");
}

/* SYS-304: the id of the command, as it is. */
unsigned
oa11_command_report(struct oa11 *o, uint32_t id, uint32_t report[OA11_REPORT_MAX_DW])
{
   check_counting(o); /* SYS-251 */
   return fill(o, id, report);
}

/* ---- identity -------------------------------------------------------------------------------- */

/* SYS-306, SYS-307: of which trigger block the report tells. */
static unsigned
block_of(unsigned reasons)
{
   return !(reasons & OA11_TRIGGER1) && reasons & OA11_TRIGGER2;
}

/* SYS-295, SYS-306, SYS-307, SYS-308, SYS-310 */
static uint32_t
report_id(const struct oa11 *o, unsigned reasons)
{
   unsigned block = block_of(reasons);
   bool threshold = o->report[block].reg[1] & GEN11_OA_REPORT_TRIGGER_CONTROL__THRESHOLD_ENABLE;
   struct gen11_oa_report_id v = {.report_reason = reasons,
                                  .start_trigger_event = o->start[block].fired,
                                  .threshold_enable = threshold,
                                  .render_context_valid = o->context_valid};
   if (o->debug & REG_ICL_OA_DEBUG__INCLUDE_CLOCK_RATIO) {
      v.slice_clock_frequency = o->slice_ratio; /* bits 6:0 */
      v.slice_clock_frequency_high = (uint32_t)o->slice_ratio >> 7;
      v.unslice_clock_frequency = o->unslice_ratio;
   }
   uint32_t id;
   gen11_oa_report_id_pack(&id, &v);
   return id;
}

/* ---- the buffer ------------------------------------------------------------------------------ */

/* SYS-280: a level; a message for its rising edge. */
void
oa11_buffer_level(struct oa11 *o)
{
   bool was = o->half_full;
   o->half_full = o->unread % oa11_buffer_size(o) >= oa11_buffer_size(o) / 2;
   if (o->half_full && !was && !(o->imr & REG_ICL_OA_IMR__BUFFER_HALF_FULL))
      o->host->half_full(o->data);
}

/* The tail goes on behind a report of so many bytes. */
static void
move_tail(struct oa11 *o, unsigned bytes)
{
   uint64_t size = oa11_buffer_size(o);
   uint32_t base = o->buffer & ~(uint32_t)(size - 1), at = (o->tail - base) & (uint32_t)(size - 1);
   at += bytes;
   if (at >= size) {
      at -= (uint32_t)size;
      o->status |= REG_ICL_OASTATUS__TAIL_POINTER_WRAP;
   }
   o->tail = base + at;
   o->unread += bytes;
   if (o->unread > size) { /* SYS-248, SYS-249: the oldest has been overwritten */
      o->status |= REG_ICL_OASTATUS__BUFFER_OVERFLOW;
      o->unread = size;
   }
   oa11_buffer_level(o);
}

void
oa11_buffer_report(struct oa11 *o, unsigned reasons)
{
   uint32_t dw[OA11_REPORT_MAX_DW];
   if (!(o->control & REG_ICL_OACONTROL__COUNTER_ENABLE))
      return;
   if (o->clock < o->report_done) { /* SYS-248, SYS-249 */
      o->status |= REG_ICL_OASTATUS__REPORT_LOST;
      return;
   }
   if (reasons != OA11_CONTEXT) /* the registers of the context that comes are not loaded yet */
      check_counting(o);
   unsigned bytes = fill(o, report_id(o, reasons), dw) * 4;
   o->report_done = o->clock + bytes / 64 * LINE_CLOCKS;
   uint64_t address = (uint64_t)o->buffer_upper << 32 | o->tail;
   o->host->write(o->data, address, o->buffer & REG_ICL_OABUFFER__GLOBAL_GTT, dw, bytes);
   move_tail(o, bytes);
}
