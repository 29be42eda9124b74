/* Records that software carries from call to call. */
#include "shared_functions/vme/stream.h"

#include "shared_functions/vme/trace.h"

/* Order of the blocks in the two phases after the 16x16, which has a place of its own (VME-374,
 * VME-376). */
static const uint8_t order[8] = {VME_AT_16X8, VME_AT_16X8 + 1, VME_AT_8X16,    VME_AT_8X16 + 1,
                                 VME_AT_8X8,  VME_AT_8X8 + 1,  VME_AT_8X8 + 2, VME_AT_8X8 + 3};

/* VME-121, VME-375: bits of a streamed distortion. */
static int32_t
worst(unsigned block)
{
   uint8_t shape = vme_blocks[block].shape;
   return shape == VME_16X8 || shape == VME_8X16 ? 0x7fff : 0x3fff;
}

static int32_t
saturate(int32_t cost, unsigned block)
{
   return cost < worst(block) ? cost : worst(block);
}

static uint32_t
pack_mv(struct vme_mv mv)
{
   return (uint16_t)mv.x | (uint32_t)(uint16_t)mv.y << 16;
}

static void
merge_entry(struct vme *v, unsigned record, unsigned block, uint32_t distortion, uint32_t mv)
{
   struct vme_entry *e = &v->record[record].e[block];
   int32_t d = (int32_t)distortion & worst(block);
   if (d >= saturate(e->cost, block)) /* VME-169 */
      return;
   if (v->tell)
      vme_say(v, "stream-in: record %u block %u: %d replaces %d", record, block, d, e->cost);
   *e = (struct vme_entry){.cost = d,
                           .mv = {(int16_t)mv, (int16_t)(mv >> 16)},
                           .center = e->center,
                           .streamed_in = true};
}

void
vme_stream_merge(struct vme *v)
{
   if (!v->stream_in)
      return;
   for (unsigned r = 0; r < vme_records(v); r++) { /* VME-233, VME-373, VME-377, VME-378 */
      const uint32_t *d = v->in[5 + 2 * r], *mv = v->in[6 + 2 * r];
      merge_entry(v, r, VME_AT_16X16, d[4], d[5]);
      for (unsigned i = 0; i < 8; i++)
         merge_entry(v, r, order[i], d[i / 2] >> 16 * (i % 2), mv[i]);
   }
}

/* VME-171, VME-172 */
unsigned
vme_stream_out(const struct vme *v, uint32_t out[4][8])
{
   for (unsigned r = 0; r < vme_records(v); r++) {
      uint32_t *d = out[2 * r], *mv = out[2 * r + 1];
      const struct vme_entry *e = v->record[r].e;
      d[4] = (uint32_t)saturate(e[VME_AT_16X16].cost, VME_AT_16X16);
      d[5] = pack_mv(e[VME_AT_16X16].mv);
      d[6] = d[7] = d[0] = d[1] = d[2] = d[3] = 0;
      for (unsigned i = 0; i < 8; i++) {
         d[i / 2] |= (uint32_t)saturate(e[order[i]].cost, order[i]) << 16 * (i % 2);
         mv[i] = pack_mv(e[order[i]].mv);
      }
   }
   return 2 * vme_records(v);
}
