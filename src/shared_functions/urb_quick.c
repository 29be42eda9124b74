/* The fast path of URB messages: rows of a thread's entries, as vertex shaders write them and later
 * stages read them. What lies outside, and what breaks a rule, is the slow path's. */
#include "eu/group.h"
#include "hw/message.h"
#include "shared_functions/quick.h"
#include "shared_functions/urb.h"

#include <string.h>

enum {
   WRITE_HWORD = GEN7_URB_MESSAGE_DESCRIPTOR_URB_OPCODE_WRITE_HWORD,
   READ_HWORD = GEN7_URB_MESSAGE_DESCRIPTOR_URB_OPCODE_READ_HWORD
};
enum { MOST_OFFSET = 1023 }; /* SF-112, in rows of 32 bytes */

/* Four dwords of a register against four of an entry, under four bits of the mask. */
static inline __attribute__((always_inline)) void
move_oword(uint8_t *entry, uint8_t *reg, unsigned enable, bool write)
{
   uint8_t *to = write ? entry : reg;
   const uint8_t *from = write ? reg : entry;
   if (enable == 15) {
      memcpy(to, from, 16);
      return;
   }
   for (unsigned i = 0; i < 4; i++)
      if (enable >> i & 1)
         memcpy(to + 4 * i, from + 4 * i, 4);
}

/* Where the rows of a slot begin (SF-103); false: something is to be reported. */
static inline __attribute__((always_inline)) bool
entry_of(const struct sf_quick *q, const uint32_t *header, unsigned slot, uint64_t size_B,
         const struct urb *urb, uint64_t *address)
{
   uint32_t handle = hw_get(header[slot], GEN7_URB_MESSAGE_HEADER__URB_HANDLE_0);
   uint64_t offset = q->urb_offset, end = urb->has_areas ? urb_entry_end(urb, handle)
                                                         : (uint64_t)urb_rows(urb) * URB_ROW_SIZE;
   if (q->urb_slot_offsets) /* SF-107 */
      offset += header[GEN7_URB_MESSAGE_HEADER__SLOT_0_OFFSET_DW + slot];
   *address = (uint64_t)handle * URB_HANDLE_UNIT + offset * 32;
   return offset <= MOST_OFFSET && *address + size_B <= end;
}

static inline __attribute__((always_inline)) bool
move(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask, bool write)
{
   const uint32_t *header = (const uint32_t *)(const void *)(t->grf + q->payload - EU_REG_SIZE);
   struct urb *urb = t->env->dev->urb;
   uint8_t *reg = t->grf + (write ? q->payload : q->response);
   unsigned enable = hw_get(header[GEN7_URB_MESSAGE_HEADER__CHANNEL_MASK_DW],
                            GEN7_URB_MESSAGE_HEADER__CHANNEL_MASK) &
                     exec_mask, /* SF-119 */
       count = q->sources;
   uint64_t first, second = 0;
   if (sf_observed(t) || t->env->media_pipeline || (q->urb_ends && !urb_ends(t->ffid)))
      return false;
   if (!write && t->group && t->group->inputs && t->group->inputs->released)
      return false; /* P3D-104 */
   if (!entry_of(q, header, 0, q->urb_pairs ? 16 * count : 32 * count, urb, &first))
      return false;
   if (q->urb_pairs) { /* SF-128, SF-132 */
      if (!entry_of(q, header, 1, 16 * count, urb, &second))
         return false;
      uint64_t apart = first > second ? first - second : second - first;
      if (write && enable & 0x0f && enable & 0xf0 && apart < 16 * count) /* SF-129 */
         return false;
   }
   /* SF-127, SF-131: else the two halves of a row. */
   uint8_t *low = urb->data + first, *high = q->urb_pairs ? urb->data + second : low + 16;
   unsigned step = q->urb_pairs ? 16 : 32;
   for (unsigned i = 0; i < count; i++, reg += EU_REG_SIZE, low += step, high += step) {
      move_oword(low, reg, enable & 15, write);
      move_oword(high, reg + 16, enable >> 4, write);
   }
   if (!write)
      sf_quick_mark(t, q);
   if (q->urb_ends) /* P3D-146 */
      t->urb_end = header[GEN7_URB_MESSAGE_HEADER__GS_NUMBER_OF_OUTPUT_VERTICES_SLOT_0_DW];
   return true;
}

static bool
write_rows(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask)
{
   return move(t, q, exec_mask, true);
}

static bool
read_rows(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask)
{
   return move(t, q, exec_mask, false);
}

sf_quick_fn
urb_quick_select(struct sf_quick *q, uint32_t desc, bool eot)
{
   struct hw_urb_message_descriptor d;
   unsigned mlen = hw_message_length(desc), rlen = hw_response_length(desc);
   gen7_urb_message_descriptor_unpack(&d, &desc);
   if (!q->header)
      return NULL;
   q->urb_offset = (uint16_t)d.global_offset;
   q->urb_pairs = d.swizzle_control;
   q->urb_slot_offsets = d.per_slot_offset;
   q->urb_ends = eot;
   if (d.urb_opcode == WRITE_HWORD && mlen > 1 && !rlen) {
      q->sources = (uint8_t)(mlen - 1);
      return write_rows;
   }
   q->sources = (uint8_t)rlen;
   return d.urb_opcode == READ_HWORD && mlen == 1 && rlen && !eot && q->marks[0] | q->marks[1]
              ? read_rows
              : NULL;
}
