/* Rules over all render target writes of one pixel shader thread, by the record that the windower
 * keeps of it. */
#include "shared_functions/dataport/dataport.h"
#include "shared_functions/pixel_backend.h"

/* DP-369: slots count whether or not they are valid. */
static void
check_all_written(struct dp *d, const struct rt_record *r, unsigned dispatch_width)
{
   uint32_t all = dispatch_width == 32 ? ~0u : DP_ALL_SLOTS(dispatch_width);
   for (unsigned target = 0; target < 8 && dispatch_width > 8; target++)
      if (r->written[target] && ~r->written[target] & all)
         dp_note(d, PERGOLA_ERROR, "DP-369",
                 "the thread ends with slots 0x%08x of render target %u not written",
                 ~r->written[target] & all, target);
}

void
dp_check_order(struct dp *d, const struct rt_write *w)
{
   const struct pixel_backend *pixel = d->t->env->pixel;
   struct rt_record *r = pixel->record(pixel->data, d->t);
   if (!r)
      return;
   unsigned group = 16u * w->slot_group, first = group + w->first_slot, end = first + w->slot_count;
   uint32_t mine = DP_ALL_SLOTS(w->slot_count) << first,
            *written = &r->written[w->render_target_index & 7];
   bool later = end < 32 && *written >> end;
   if (later && !(*written & mine))
      dp_note(d, PERGOLA_ERROR, "DP-370", "slots %u to %u come after higher ones", first, end - 1);
   if (w->type == RT_DUAL_LO && *written & mine << 8)
      dp_note(d, PERGOLA_ERROR, "DP-458",
              "SIMD8_DUALSRC_LO comes after SIMD8_DUALSRC_HI of slot group %u", w->slot_group);
   if (w->last && w->dispatched != (uint16_t)(r->dispatched >> group))
      dp_note(d, PERGOLA_ERROR, "DP-458",
              "the header's dispatch mask is 0x%04x, that of the thread 0x%04x", w->dispatched,
              (uint16_t)(r->dispatched >> group));
   *written |= mine;
   if (d->m->eot)
      check_all_written(d, r, pixel->dispatch_width);
}
