/* URB messages of threads: read and write rows, two ways to swizzle, two atomics. */
#include "eu/group.h"
#include "shared_functions/sf.h"
#include "shared_functions/urb.h"

#include <string.h>

enum {
   WRITE_HWORD = GEN7_URB_MESSAGE_DESCRIPTOR_URB_OPCODE_WRITE_HWORD,
   WRITE_OWORD = GEN7_URB_MESSAGE_DESCRIPTOR_URB_OPCODE_WRITE_OWORD,
   READ_HWORD = GEN7_URB_MESSAGE_DESCRIPTOR_URB_OPCODE_READ_HWORD,
   READ_OWORD = GEN7_URB_MESSAGE_DESCRIPTOR_URB_OPCODE_READ_OWORD,
   ATOMIC_MOV = GEN7_URB_MESSAGE_DESCRIPTOR_URB_OPCODE_ATOMIC_MOV,
   ATOMIC_INC = GEN7_URB_MESSAGE_DESCRIPTOR_URB_OPCODE_ATOMIC_INC,
};

struct access {
   struct eu_thread *t;
   const struct sf_message *m;
   struct urb *urb;
   struct hw_urb_message_descriptor d;
   struct hw_urb_message_header h;
   unsigned enable; /* dwords of each data phase */
   bool outside;    /* the URB */
   bool strays;     /* P3D-076: out of its entry */
   uint64_t end[2]; /* of the entries */
};

/* SF-103: handle * 64 + (Global Offset + slot offset) * unit. */
static uint64_t
entry_address(struct access *a, unsigned slot)
{
   bool hword = a->d.urb_opcode == WRITE_HWORD || a->d.urb_opcode == READ_HWORD;
   uint64_t offset = a->d.global_offset, limit = hword ? 1023 : 2047;
   if (a->d.per_slot_offset) /* SF-107 */
      offset += slot ? a->h.slot_1_offset : a->h.slot_0_offset;
   bool used = a->enable & (!a->d.swizzle_control ? 0xff : slot ? 0xf0 : 0x0f);
   if (offset > limit && used)
      sf_report(a->t, a->m, PERGOLA_ERROR, a->d.per_slot_offset ? "SF-122" : "SF-112", "URB",
                "offset %llu of slot %u; at most %llu", (unsigned long long)offset, slot,
                (unsigned long long)limit);
   uint32_t handle = slot ? a->h.urb_handle_1 : a->h.urb_handle_0;
   return (uint64_t)handle * URB_HANDLE_UNIT + offset * (hword ? 32 : 16);
}

/* Four dwords of one entry against four dwords of one register, under `enable` (4 bits). */
static void
move_oword(struct access *a, unsigned slot, uint64_t address, const uint8_t *from, uint8_t *to,
           unsigned enable)
{
   for (unsigned i = 0; i < 4; i++) {
      if (!(enable >> i & 1))
         continue;
      if (address + 4 * i + 4 > a->end[slot]) { /* P3D-076: nobody else's is touched */
         a->strays = true;
         if (to)
            memset(to + 4 * i, 0, 4);
         continue;
      }
      bool ok = from ? urb_write(a->urb, address + 4 * i, from + 4 * i, 4)
                     : urb_read(a->urb, address + 4 * i, to + 4 * i, 4);
      a->outside |= !ok;
   }
}

/* One register. Offsets in the entries: `low` for dwords 3:0, `high` for dwords 7:4. */
static void
move_register(struct access *a, unsigned index, uint64_t low, uint64_t high, unsigned enable)
{
   bool write = a->d.urb_opcode == WRITE_HWORD || a->d.urb_opcode == WRITE_OWORD;
   const uint8_t *from = write ? a->m->payload + (size_t)(1 + index) * EU_REG_SIZE : NULL;
   uint8_t *to = write ? NULL : a->m->response + (size_t)index * EU_REG_SIZE;
   move_oword(a, 0, low, from, to, enable & 15);
   move_oword(a, a->d.swizzle_control, high, from ? from + 16 : NULL, to ? to + 16 : NULL,
              enable >> 4);
}

/* SF-086: of a thread of the media pipe the entries are known; one that reaches past its own is
 * told. */
static void
check_entry(struct access *a, unsigned slot, uint64_t address, uint64_t size_B)
{
   if (!a->t->env->media_pipeline || !rules_on(a->t->env->dev) || !size_B)
      return;
   uint32_t handle = slot ? a->h.urb_handle_1 : a->h.urb_handle_0;
   if (!a->urb->entry_end)
      return;
   if (address + size_B > a->urb->entry_end(a->urb->data_of_entries, (uint16_t)handle))
      sf_report(a->t, a->m, PERGOLA_WARNING, "SF-086", "URB",
                "handle %#x: bytes %#llx to %#llx do not lie in an entry of this thread's pipe",
                handle, (unsigned long long)address, (unsigned long long)(address + size_B - 1));
}

/* SF-129, SFV-059: two entries that are written in one message and meet. */
static void
check_overlap(struct access *a, uint64_t first, uint64_t second, uint64_t size_B)
{
   bool write = a->d.urb_opcode == WRITE_HWORD || a->d.urb_opcode == WRITE_OWORD;
   uint64_t apart = first > second ? first - second : second - first;
   if (write && a->d.swizzle_control && a->enable & 0x0f && a->enable & 0xf0 && apart < size_B)
      sf_report(
          a->t, a->m, PERGOLA_WARNING, "SF-129", "URB",
          "handles %#x and %#x: the two entries overlap and the order of the writes is undefined",
          a->h.urb_handle_0, a->h.urb_handle_1);
}

static void
move_hwords(struct access *a, unsigned count)
{
   uint64_t first = entry_address(a, 0), second = a->d.swizzle_control ? entry_address(a, 1) : 0;
   check_overlap(a, first, second, (uint64_t)count * 16);
   check_entry(a, 0, first, (uint64_t)count * (a->d.swizzle_control ? 16 : 32));
   if (a->d.swizzle_control)
      check_entry(a, 1, second, (uint64_t)count * 16);
   for (unsigned i = 0; i < count; i++) {
      if (a->d.swizzle_control) /* SF-128 and SF-132: both entries advance by 128 bits */
         move_register(a, i, first + 16 * i, second + 16 * i, a->enable);
      else /* SF-127 and SF-131 */
         move_register(a, i, first + 32 * i, first + 32 * i + 16, a->enable);
   }
}

static void
move_owords(struct access *a)
{
   uint64_t address = entry_address(a, 0);
   check_entry(a, 0, address, 16);
   if (a->d.swizzle_control) { /* SF-135 and SF-138 */
      uint64_t second = entry_address(a, 1);
      check_entry(a, 1, second, 16);
      check_overlap(a, address, second, 16);
      move_register(a, 0, address, second, a->enable);
      return;
   }
   /* SF-118: one half of the register. SF-139: masks stay with the lanes of the register. */
   unsigned half = a->h.high_oword_enable ? 0xf0 : 0x0f;
   move_register(a, 0, address, address, a->enable & half);
}

/* SF-140: one dword at handle * 64 + Global Offset * 4. */
static void
atomic_message(struct access *a)
{
   uint64_t address = (uint64_t)a->h.urb_handle_0 * URB_HANDLE_UNIT + a->d.global_offset * 4ull;
   uint32_t source, old = 0;
   memcpy(&source, a->m->payload + 8, sizeof(source)); /* SF-143: M0.2 */
   bool inc = a->d.urb_opcode == ATOMIC_INC;
   check_entry(a, 0, address, 4);
   if (a->d.per_slot_offset)
      sf_report(a->t, a->m, PERGOLA_ERROR, "SF-108", "URB", "Per Slot Offset on an atomic message");
   if (!inc && a->m->rlen)
      sf_report(a->t, a->m, PERGOLA_ERROR, "SF-141", "URB", "URB_ATOMIC_MOV returns nothing");
   if (address + 4 > a->end[0]) {
      a->strays = true;
   } else if (address + 4 > (uint64_t)urb_rows(a->urb) * URB_ROW_SIZE) {
      a->outside = true;
   } else {
      uint32_t *word = (uint32_t *)(void *)(a->urb->data + address);
      old = inc ? __atomic_fetch_add(word, 1, __ATOMIC_SEQ_CST)
                : __atomic_exchange_n(word, source, __ATOMIC_SEQ_CST);
   }
   if (inc && a->m->response && a->m->rlen)
      memcpy(a->m->response, &old, sizeof(old)); /* SF-144 */
}

/* P3D-076: of a thread of the 3D pipeline. Others are checked by who made them. */
static void
find_ends(struct access *a)
{
   bool known = !a->t->env->media_pipeline && a->urb->has_areas;
   a->end[0] = known ? urb_entry_end(a->urb, a->h.urb_handle_0) : UINT64_MAX;
   a->end[1] = known ? urb_entry_end(a->urb, a->h.urb_handle_1) : UINT64_MAX;
}

/* Is the handle one of the patch's control points, and none of those that had it is left? */
static bool
is_released(const struct urb_inputs *in, uint32_t handle)
{
   bool known = false;
   for (unsigned i = 0; i < in->count; i++)
      if (in->handle[i] == handle) {
         known = true;
         if (!(in->released >> i & 1))
            return false;
      }
   return known;
}

static void
release(struct urb_inputs *in, uint32_t handle)
{
   for (unsigned i = 0; i < in->count; i++)
      if (in->handle[i] == handle && !(in->released >> i & 1)) {
         in->released |= 1u << i;
         return;
      }
}

/* P3D-104: control points of a hull shader, which it gives back by a read of nothing. */
static void
check_inputs(struct access *a)
{
   struct urb_inputs *in = a->t->group ? a->t->group->inputs : NULL;
   unsigned op = a->d.urb_opcode;
   if (!in || (op != READ_OWORD && op != READ_HWORD))
      return;
   bool releases = op == READ_OWORD && a->d.complete && !a->m->rlen;
   for (unsigned slot = 0; slot < (a->d.swizzle_control ? 2u : 1u); slot++) {
      uint32_t handle = slot ? a->h.urb_handle_1 : a->h.urb_handle_0;
      if (is_released(in, handle))
         sf_report(a->t, a->m, PERGOLA_ERROR, "P3D-104", "URB",
                   "handle %#x has been released, and is %s", handle,
                   releases ? "released again" : "read");
      else if (releases)
         release(in, handle);
   }
}

static void
check_message(struct access *a)
{
   const struct sf_message *m = a->m;
   unsigned op = a->d.urb_opcode;
   if (!m->header)
      sf_report(a->t, m, PERGOLA_ERROR, "SF-106", "URB", "Header Present must be 1");
   if (m->eot && (!urb_ends(a->t->ffid) || op >= READ_HWORD))
      sf_report(a->t, m, PERGOLA_ERROR, "SF-094", "URB",
                "end of thread on a URB message of this kind or of this thread");
   bool write = op == WRITE_HWORD || op == WRITE_OWORD;
   if ((op == READ_HWORD || op == READ_OWORD) && m->mlen != 1)
      sf_report(a->t, m, PERGOLA_ERROR, "SF-114", "URB", "a read has a header and no data");
   if (write && m->rlen)
      sf_report(a->t, m, PERGOLA_ERROR, "SF-114", "URB", "a write has no writeback");
   if (op == WRITE_OWORD && m->mlen > 2)
      sf_report(a->t, m, PERGOLA_ERROR, "SFV-065", "URB",
                "one register of data is written, %u were sent", m->mlen - 1);
   if (op == READ_OWORD && m->rlen > 1)
      sf_report(a->t, m, PERGOLA_ERROR, "SFV-067", "URB", "the response length must be 1");
}

enum sf_status
sf_urb(struct eu_thread *t, const struct sf_message *m)
{
   struct access a = {.t = t, .m = m, .urb = t->env->dev->urb};
   gen7_urb_message_descriptor_unpack(&a.d, &m->desc);
   uint32_t header[8] = {0};
   if (m->mlen)
      memcpy(header, m->payload, sizeof(header));
   gen7_urb_message_header_unpack(&a.h, header);
   /* SF-119: the mask of the message and the execution mask, dword by dword. */
   a.enable = a.h.channel_mask & m->exec_mask & 0xff;
   find_ends(&a);
   check_message(&a);
   check_inputs(&a);
   if (m->eot)
      t->urb_end = header[2];
   switch (a.d.urb_opcode) {
   case WRITE_HWORD:
      move_hwords(&a, m->mlen ? m->mlen - 1u : 0);
      break;
   case READ_HWORD: /* SFV-107: without a response it only releases the entry */
      if (m->response)
         move_hwords(&a, m->rlen);
      break;
   case WRITE_OWORD:
      if (m->mlen > 1)
         move_owords(&a);
      break;
   case READ_OWORD:
      if (m->response && m->rlen)
         move_owords(&a);
      break;
   case ATOMIC_MOV:
   case ATOMIC_INC:
      if (m->mlen)
         atomic_message(&a);
      break;
   default:
      sf_report(t, m, PERGOLA_ERROR, "SF-113", "URB", "opcode %u is reserved", a.d.urb_opcode);
   }
   if (a.strays)
      sf_report(t, m, PERGOLA_ERROR, "P3D-076", "URB",
                "handles %#x and %#x: an access beyond the entry; it reads 0 and writes nothing",
                a.h.urb_handle_0, a.h.urb_handle_1);
   if (a.outside)
      sf_report(t, m, PERGOLA_ERROR, "SF-096", "URB",
                "handles %#x and %#x: an access outside the URB's %u rows", a.h.urb_handle_0,
                a.h.urb_handle_1, urb_rows(a.urb));
   return SF_OK;
}
