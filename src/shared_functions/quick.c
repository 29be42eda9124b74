/* Which messages have a short way. */
#include "shared_functions/quick.h"

#include "shared_functions/sf.h"

#include <string.h>

void
sf_windows_forget(struct sf_buffers *b)
{
   for (unsigned w = 0; w < 4; w++)
      for (uint64_t left = b->known[w]; left; left &= left - 1)
         memset(b->window[64 * w + (unsigned)__builtin_ctzll(left)], 0, sizeof(b->window[0]));
}

#define WINDOW_PAGES 32u

static uint32_t
limit(uint32_t size, uint32_t row)
{
   return size < row ? 0 : size - row + 1;
}

/* What can be reached without another question around the first slot of a row. */
static void
remember_window(struct eu_thread *t, const struct sf_quick *q)
{
   struct sf_buffers *b = t->buffers;
   if (!sf_buffers_good(b, t) || !(b->known[q->bti / 64] >> q->bti % 64 & 1))
      return;
   const struct sf_buffer *buffer = &b->buffer[q->bti];
   uint32_t offset;
   memcpy(&offset, t->grf + q->payload, 4);
   if (offset >= buffer->size)
      return;
   uint32_t page = (buffer->base + offset) & ~(MEM_PAGE_SIZE - 1);
   uint32_t first = page > buffer->base ? page : buffer->base;
   enum mem_access access = q->writes ? MEM_WRITE : MEM_READ;
   uint8_t *host = mem_known(b->space, first, access);
   if (!host)
      return;
   uint64_t behind = (uint64_t)buffer->base + buffer->size, end = (uint64_t)page + MEM_PAGE_SIZE;
   for (unsigned i = 1; i < WINDOW_PAGES && end < behind; i++, end += MEM_PAGE_SIZE)
      if (mem_known(b->space, (uint32_t)end, access) != host + (end - first))
         break;
   uint32_t size = (uint32_t)((end < behind ? end : behind) - first);
   b->window[q->bti][q->writes] = (struct sf_window){.start = first - buffer->base,
                                                     .limit = {limit(size, 32), limit(size, 64)},
                                                     .host = host};
}

bool
sf_quick_row(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask)
{
   if (!q->fn(t, q, exec_mask))
      return false;
   remember_window(t, q);
   return true;
}

static bool
settle(struct sf_quick *q, const struct pergola_device *dev, uint32_t desc, unsigned payload, unsigned response)
{
   unsigned mlen = desc >> 25 & 15, rlen = desc >> 20 & 31;
   memset(q, 0, sizeof(*q));
   /* What every message must keep is named by the long way. */
   if (!mlen || rlen > 16 || payload + mlen > EU_GRF_COUNT || (rlen && response + rlen > EU_GRF_COUNT))
      return false;
   q->header = desc >> 19 & 1;
   q->payload = (uint16_t)((payload + q->header) * EU_REG_SIZE);
   q->response = rlen ? (uint16_t)(response * EU_REG_SIZE) : 0;
   q->bti = desc & 0xff;
   q->rules = rules_on(dev);
   for (unsigned r = response; r < response + rlen; r++)
      q->marks[r / 64] |= UINT64_C(1) << r % 64;
   return true;
}

bool
sf_quick_select(struct sf_quick *q, const struct pergola_device *dev, unsigned sfid, uint32_t desc, bool eot,
                unsigned payload, unsigned response)
{
   if (!settle(q, dev, desc, payload, response))
      return false;
   switch (sfid) {
   case SFID_DP_DATA0:
   case SFID_DP_CONSTANT:
   case SFID_DP_RENDER: q->fn = dp_quick_select(q, sfid, desc, eot); break;
   case SFID_GATEWAY: q->fn = gateway_quick_select(q, desc, eot); break;
   case SFID_THREAD_SPAWNER: q->fn = spawner_quick_select(q, desc, eot); break;
   default: break;
   }
   return q->fn != NULL;
}
