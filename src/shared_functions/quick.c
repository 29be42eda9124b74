/* Which messages have a fast path. */
#include "hw/message.h"
#include "shared_functions/quick.h"

#include "shared_functions/sf.h"

#include <string.h>

bool
sf_quick_row(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask)
{
   /* Before the response, which may lie in the same registers. */
   uint32_t first, last, row_B = 32u * q->rows;
   memcpy(&first, t->grf + q->payload, 4);
   memcpy(&last, t->grf + q->payload + row_B - 4, 4);
   if (!q->fn(t, q, exec_mask))
      return false;
   if (!sf_surface_known(t, q->bti))
      return true;
   const struct view_window *w = &t->buffers->view[q->bti].window[0];
   if (q->dwords && first - w->start < w->limit[3])
      return true;
   if (q->writes || (q->row && last - first == row_B - 4))
      sf_window_row(t->buffers, q->bti, first, q->writes ? MEM_WRITE : MEM_READ);
   else
      sf_window_wide(t->buffers, q->bti, first, MEM_READ);
   return true;
}

static bool
settle(struct sf_quick *q, const struct pergola_device *dev, uint32_t desc, unsigned payload,
       unsigned response)
{
   unsigned mlen = hw_message_length(desc), rlen = hw_response_length(desc);
   memset(q, 0, sizeof(*q));
   /* What every message must keep is named by the slow path. */
   if (!mlen || rlen > 16 || payload + mlen > EU_GRF_COUNT ||
       (rlen && response + rlen > EU_GRF_COUNT))
      return false;
   q->header = hw_header_present(desc);
   q->payload = (uint16_t)((payload + q->header) * EU_REG_SIZE);
   q->response = rlen ? (uint16_t)(response * EU_REG_SIZE) : 0;
   q->bti = (uint8_t)hw_binding_table_index(desc);
   q->rules = rules_on(dev);
   for (unsigned r = response; r < response + rlen; r++)
      q->marks[r / 64] |= UINT64_C(1) << r % 64;
   return true;
}

bool
sf_quick_select(struct sf_quick *q, const struct pergola_device *dev, unsigned sfid, uint32_t desc,
                bool eot, unsigned payload, unsigned response)
{
   if (!settle(q, dev, desc, payload, response))
      return false;
   switch (sfid) {
   case SFID_DP_DATA0:
   case SFID_DP_CONSTANT:
   case SFID_DP_RENDER:
      q->fn = dp_quick_select(q, sfid, desc, eot);
      break;
   case SFID_SAMPLER:
      q->fn = sampler_quick_select(q, desc, eot);
      break;
   case SFID_URB:
      q->fn = urb_quick_select(q, desc, eot);
      break;
   case SFID_GATEWAY:
      q->fn = gateway_quick_select(q, desc, eot);
      break;
   case SFID_THREAD_SPAWNER:
      q->fn = spawner_quick_select(q, desc, eot);
      break;
   default:
      break;
   }
   return q->fn != NULL;
}
