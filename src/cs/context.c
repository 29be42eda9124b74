/* Logical contexts: save, restore, MI_SET_CONTEXT. */
#include "cs/context.h"

#include "memory/peek.h"
#include "surface/surface.h"

#include <string.h>

#define OPCODE(name) (GEN7_##name##_HEADER >> 16)
#define MEDIA_FIRST GEN7_RENDER_CONTEXT_IMAGE__MEDIA_VFE_STATE_DW

/* ---- which kept command an item is ---- */

static const struct hw_command *
item_command(const struct cs *cs, uint16_t opcode)
{
   return hw_command_find((uint32_t)opcode << 16, HW_RCS, cs->dev->hw_device);
}

/* RCS-096: constant buffer packets stay out after Indirect State Pointers Disable. */
static bool
is_constant(uint16_t opcode)
{
   return opcode == OPCODE(3DSTATE_CONSTANT_VS) || opcode == OPCODE(3DSTATE_CONSTANT_GS) ||
          opcode == OPCODE(3DSTATE_CONSTANT_PS) || opcode == OPCODE(3DSTATE_CONSTANT_HS) ||
          opcode == OPCODE(3DSTATE_CONSTANT_DS);
}

static bool
in_table(uint32_t header)
{
   uint32_t opcode = (header & hw_header_mask(header)) >> 16;
   for (size_t i = 0; i < gen7_render_context_image.count; i++) {
      const struct hw_context_item *item = &gen7_render_context_image.items[i];
      if ((item->kind == HW_CONTEXT_COMMAND || item->kind == HW_CONTEXT_MEDIA) &&
          item->opcode == opcode)
         return true;
   }
   return false;
}

static uint32_t
context_checksum(const uint32_t *image)
{
   uint32_t sum = 0x811c9dc5;
   for (uint32_t i = 0; i < CONTEXT_TOTAL_DW; i++)
      if (i != CONTEXT_TAIL_DW + TAIL_CHECKSUM)
         sum = (sum ^ image[i]) * 0x01000193;
   return sum;
}

/* ---- save ---- */

/* RCS-139: masked registers are stored with their mask, so that the list could be executed. */
static uint32_t
register_image(const struct cs *cs, uint32_t offset)
{
   const struct hw_register *row = hw_register_at(offset, cs->dev->hw_device);
   uint32_t value =
       offset == REG_RCS_TIMESTAMP ? (uint32_t)clock_timestamp(cs->dev) : reg_get(cs->dev, offset);
   return row && row->access == HW_MASKED ? (value & 0xffff) | 0xffff0000 : value;
}

static void
save_registers(const struct cs *cs, const struct hw_context_item *item, uint32_t *to)
{
   /* RCS-139: bit 12 is set in the image, and means nothing in a command. */
   to[0] = GEN7_MI_LOAD_REGISTER_IMM_HEADER | 1u << 12 |
           hw_put(2u * item->size - 1, GEN7_MI_LOAD_REGISTER_IMM__DWORD_LENGTH);
   for (unsigned i = 0; i < item->size; i++) {
      to[1 + 2 * i] = item->registers[i];
      to[2 + 2 * i] = register_image(cs, item->registers[i]);
   }
}

static void
save_command(struct cs *cs, const struct hw_context_item *item, uint32_t *to)
{
   const struct hw_command *c = item_command(cs, item->opcode);
   const struct cs_slot *s = c ? &cs->slots[c->id] : NULL;
   if (!s || !s->count || (cs->indirect_state_dropped && is_constant(item->opcode)))
      return;
   if (s->count > item->size) {
      cs_report(cs, PERGOLA_ERROR, "RCS-137", NULL,
                "%s: %u dwords do not fit the %u of the context image; not saved", c->layout.name,
                s->count, item->size);
      return;
   }
   memcpy(to, s->dw, (size_t)s->count * 4);
}

/* Kept commands that the table has no place for. */
static void
save_extra(struct cs *cs, uint32_t *tail)
{
   uint32_t at = TAIL_EXTRA;
   for (unsigned id = 0; id < GEN7_COMMAND_COUNT; id++) {
      const struct cs_slot *s = &cs->slots[id];
      if (!s->count || in_table(hw_command_by_id(id)->header))
         continue;
      if (at + s->count + 1 > CONTEXT_TOTAL_DW - CONTEXT_TAIL_DW) {
         cs_report(cs, PERGOLA_ERROR, "RCS-137", NULL, "%s does not fit the context image",
                   hw_command_by_id(id)->layout.name);
         continue;
      }
      memcpy(tail + at, s->dw, (size_t)s->count * 4);
      at += s->count;
   }
}

void
context_save(struct cs *cs, uint32_t *image, bool extended)
{
   uint32_t media[CS_MEDIA_LENGTH] = {0};
   if (!cs->media_state_cleared)
      cs->pipes->media_context_save(cs->dev->media, media);
   uint32_t at = 0;
   for (size_t i = 0; i < gen7_render_context_image.count; i++) {
      const struct hw_context_item *item = &gen7_render_context_image.items[i];
      uint32_t n = context_item_dwords(item);
      if (item->part != HW_PART_EXTENDED || extended) {
         memset(image + at, 0, (size_t)n * 4);
         if (item->kind == HW_CONTEXT_REGISTER)
            save_registers(cs, item, image + at);
         else if (item->kind == HW_CONTEXT_COMMAND)
            save_command(cs, item, image + at);
         else if (item->kind == HW_CONTEXT_MEDIA)
            memcpy(image + at, &media[at - MEDIA_FIRST], (size_t)n * 4);
      }
      at += n;
   }
   uint32_t *tail = image + CONTEXT_TAIL_DW;
   uint32_t parts = extended ? 2 : tail[TAIL_MAGIC] == CONTEXT_MAGIC ? tail[TAIL_PARTS] & 2 : 0;
   memset(tail, 0, (CONTEXT_TOTAL_DW - CONTEXT_TAIL_DW) * 4);
   tail[TAIL_MAGIC] = CONTEXT_MAGIC;
   tail[TAIL_PARTS] = 1 | parts;
   memcpy(tail + TAIL_TIMER, media + CS_MEDIA_TIMER, CS_MEDIA_TIMER_LENGTH * 4);
   save_extra(cs, tail);
   tail[TAIL_CHECKSUM] = context_checksum(image);
   cs->media_state_cleared = cs->indirect_state_dropped = false;
}

/* ---- restore ---- */

/* Only what the table names is written, through the register's own mask. RCS-156: the time stamp is
 * not. */
static void
restore_registers(struct cs *cs, const struct hw_context_item *item, const uint32_t *from)
{
   for (unsigned i = 0; i < item->size; i++) {
      uint32_t offset = item->registers[i], value = from[2 + 2 * i];
      const struct hw_register *row = hw_register_at(offset, cs->dev->hw_device);
      if (!row || from[1 + 2 * i] != offset || offset == REG_RCS_TIMESTAMP)
         continue;
      uint32_t mask = row->rw_mask;
      if (row->access == HW_MASKED)
         mask &= value >> 16;
      reg_set(cs->dev, offset, (reg_get(cs->dev, offset) & ~mask) | (value & mask));
   }
}

/* The dwords that a saved command occupies, or 0 when its header is not the expected one. */
static uint32_t
saved_length(const struct hw_command *c, uint16_t opcode, const uint32_t *from, uint32_t size)
{
   uint32_t mask = c->header_mask;
   if ((from[0] & mask) != (((uint32_t)opcode << 16) & mask))
      return 0;
   uint32_t n = hw_command_length(c, from[0]);
   return n && n <= size ? n : 0;
}

static void
restore_command(struct cs *cs, const struct hw_command *c, const uint32_t *from, uint32_t count)
{
   const struct cs_op *op = NULL;
   if (c->id == GEN7_STATE_BASE_ADDRESS_ID || c->id == GEN7_PIPELINE_SELECT_ID)
      op = &cs->ops[cs->gfx[hw_get(c->header, HW_GFX_OPCODE)]];
   cs->slots[c->id].count = 0;
   uint64_t budget = 1;
   if (op)
      op->run(cs, op, from, count, &budget);
   else
      cs_state_keep(cs, c, from, count);
}

static void
restore_slot(struct cs *cs, const struct hw_context_item *item, const uint32_t *from)
{
   const struct hw_command *c = item_command(cs, item->opcode);
   if (!c)
      return;
   struct cs_slot *s = &cs->slots[c->id];
   bool indexed =
       item->opcode == OPCODE(3DSTATE_SO_BUFFER) || item->opcode == OPCODE(3DSTATE_CHROMA_KEY);
   if (indexed) { /* four commands, some of which may never have been given */
      s->count = 0;
      for (unsigned i = 0; i < 4; i++)
         if (saved_length(c, item->opcode, from + 4 * i, 4))
            cs_state_keep(cs, c, from + 4 * i, 4);
      return;
   }
   uint32_t n = saved_length(c, item->opcode, from, item->size);
   bool given = from[0] != 0 && n;
   if (item->opcode == OPCODE(STATE_BASE_ADDRESS) && !given)
      cs->bases = (struct state_bases){0};
   if (item->opcode == OPCODE(PIPELINE_SELECT) && !given)
      cs->pipeline = PIPELINE_3D;
   s->count = 0;
   if (given)
      restore_command(cs, c, from, n);
}

/* The media commands are state as well. */
static void
restore_media_state(struct cs *cs, const uint32_t *media)
{
   static const struct {
      uint16_t opcode;
      uint8_t dw;
   } kept[] = {
       {OPCODE(MEDIA_VFE_STATE), CS_MEDIA_DW(MEDIA_VFE_STATE)},
       {OPCODE(MEDIA_CURBE_LOAD), CS_MEDIA_DW(MEDIA_CURBE_LOAD)},
       {OPCODE(MEDIA_INTERFACE_DESCRIPTOR_LOAD), CS_MEDIA_DW(MEDIA_INTERFACE_DESCRIPTOR_LOAD)}};
   for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
      const struct hw_command *c = item_command(cs, kept[i].opcode);
      if (!c)
         continue;
      cs->slots[c->id].count = 0;
      if (media[kept[i].dw])
         cs_state_keep(cs, c, media + kept[i].dw, c->layout.length_dw);
   }
}

static void
restore_extra(struct cs *cs, const uint32_t *tail)
{
   for (unsigned id = 0; id < GEN7_COMMAND_COUNT; id++)
      if (cs->slots[id].count && !in_table(hw_command_by_id(id)->header))
         cs->slots[id].count = 0;
   uint32_t at = TAIL_EXTRA, room = CONTEXT_TOTAL_DW - CONTEXT_TAIL_DW;
   while (at < room && tail[at]) {
      const struct hw_command *c = hw_command_find(tail[at], HW_RCS, cs->dev->hw_device);
      uint32_t n = c ? hw_command_length(c, tail[at]) : 0;
      if (!n || at + n > room || in_table(tail[at]))
         return;
      cs_state_keep(cs, c, tail + at, n);
      at += n;
   }
}

void
context_restore(struct cs *cs, const uint32_t *image, bool extended)
{
   const uint32_t *tail = image + CONTEXT_TAIL_DW;
   extended &= tail[TAIL_PARTS] >> 1 & 1;
   uint32_t at = 0, media[CS_MEDIA_LENGTH] = {0};
   for (size_t i = 0; i < gen7_render_context_image.count; i++) {
      const struct hw_context_item *item = &gen7_render_context_image.items[i];
      if (item->part == HW_PART_MAIN || (item->part == HW_PART_EXTENDED && extended)) {
         if (item->kind == HW_CONTEXT_REGISTER)
            restore_registers(cs, item, image + at);
         else if (item->kind == HW_CONTEXT_COMMAND)
            restore_slot(cs, item, image + at);
         else if (item->kind == HW_CONTEXT_MEDIA)
            memcpy(&media[at - MEDIA_FIRST], image + at, (size_t)item->size * 4);
      }
      at += context_item_dwords(item);
   }
   memcpy(media + CS_MEDIA_TIMER, tail + TAIL_TIMER, CS_MEDIA_TIMER_LENGTH * 4);
   cs->pipes->media_context_restore(cs->dev->media, media);
   restore_media_state(cs, media);
   restore_extra(cs, tail);
   surface_cache_invalidate(cs->dev->surfaces);
}

/* ---- MI_SET_CONTEXT ---- */

static void
save_to(struct cs *cs, uint32_t ccid)
{
   uint32_t image[CONTEXT_TOTAL_DW] = {0}, address = ccid & CCID(LOGICAL_RENDER_CONTEXT_ADDRESS);
   mem_peek(&cs->dev->ggtt, address, (uint8_t *)image, sizeof(image)); /* what is not saved stays */
   cs_publish(cs);
   context_save(cs, image, ccid & CCID(EXTENDED_STATE_SAVE_ENABLE));
   cs->pipes->media_drop_work(cs->dev->media); /* what was preempted lives in the image now */
   mem_write(&cs->dev->ggtt, address, image, sizeof(image));
}

static void
defaults(struct cs *cs)
{
   for (size_t i = 0; i < gen7_render_context_image.count; i++) {
      const struct hw_context_item *item = &gen7_render_context_image.items[i];
      if (item->kind != HW_CONTEXT_REGISTER || item->part == HW_PART_POWER)
         continue;
      for (unsigned k = 0; k < item->size; k++) {
         const struct hw_register *row = hw_register_at(item->registers[k], cs->dev->hw_device);
         if (row && row->offset != REG_RCS_TIMESTAMP)
            reg_set(cs->dev, row->offset, row->default_value);
      }
   }
   cs_state_reset(cs);
   cs->pipes->media_reset(cs->dev->media);
   surface_cache_invalidate(cs->dev->surfaces);
}

/* Up to the first page that is not there. */
static bool
fetch_image(struct cs *cs, uint32_t address, uint32_t image[CONTEXT_TOTAL_DW])
{
   for (uint32_t at = 0; at < 4 * CONTEXT_TOTAL_DW; at += MEM_PAGE_SIZE) {
      uint32_t left = 4 * CONTEXT_TOTAL_DW - at;
      if (!mem_read(&cs->dev->ggtt, address + at, image + at / 4,
                    left < MEM_PAGE_SIZE ? left : MEM_PAGE_SIZE))
         return false;
   }
   return true;
}

/* VCS-305: an image is a list of commands, and one that cannot be fetched cannot be repaired. */
static enum cs_result
restore_from(struct cs *cs, uint32_t ccid)
{
   uint32_t image[CONTEXT_TOTAL_DW], address = ccid & CCID(LOGICAL_RENDER_CONTEXT_ADDRESS);
   if (!fetch_image(cs, address, image)) {
      __atomic_fetch_or(&cs->dev->mmio[REG_ERROR / 4], REG_ERROR__CONTEXT_PAGE_FAULT,
                        __ATOMIC_RELAXED); /* RCS-055 */
      cs_report(cs, PERGOLA_FATAL, "VCS-305", "Logical Context Address",
                "the context at 0x%08x cannot be fetched: the address does not translate", address);
      return CS_ERROR;
   }
   const uint32_t *tail = image + CONTEXT_TAIL_DW;
   if (tail[TAIL_MAGIC] != CONTEXT_MAGIC) { /* CS-016 */
      cs_report(cs, PERGOLA_WARNING, "CS-016", "Logical Context Address",
                "no context was ever saved at 0x%08x; the defaults are loaded", address);
      defaults(cs);
      return CS_DONE;
   }
   if (tail[TAIL_CHECKSUM] != context_checksum(image))
      cs_report(cs, PERGOLA_ERROR, "RCS-136", "Logical Context Address",
                "the image at 0x%08x was changed by software since it was saved", address);
   context_restore(cs, image, ccid & CCID(EXTENDED_STATE_RESTORE_ENABLE));
   return CS_DONE;
}

#define SET(name) GEN7_MI_SET_CONTEXT__##name
/* What the register takes from the command. */
#define CCID_BITS                                                                                  \
   (CCID(LOGICAL_RENDER_CONTEXT_ADDRESS) | CCID(MEMORY_SPACE_SELECT) |                             \
    CCID(EXTENDED_STATE_SAVE_ENABLE) | CCID(EXTENDED_STATE_RESTORE_ENABLE))

static void
check_set_context(struct cs *cs, const uint32_t *dw)
{
   if (dw[1] & SET(FORCE_RESTORE) && dw[1] & SET(RESTORE_INHIBIT))
      cs_report(cs, PERGOLA_ERROR, "RCS-059", "Restore Inhibit",
                "may not be set together with Force Restore; the restore is inhibited");
   if (!cs->arbitration_off)
      cs_report(cs, PERGOLA_NOTE, "RCS-166", NULL,
                "arbitration should be off around MI_SET_CONTEXT");
   uint32_t next = (cs->next - cs->ring_start) % cs->ring_size;
   if (next != cs->tail && mem_read32(&cs->dev->ggtt, cs->ring_start + next) & HW_MI_HEADER)
      cs_report(cs, PERGOLA_WARNING, "RCS-166", NULL,
                "MI_SET_CONTEXT must be followed by an MI_NOOP");
}

/* RCS-166. */
enum cs_result
mi_set_context(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
               uint64_t *budget)
{
   if (!cs->hand)
      check_set_context(cs, dw);
   enum cs_result r = cs_drain(cs, budget);
   if (r != CS_DONE)
      return r;
   uint32_t old = cs_reg(cs, R_CCID), now = (dw[1] & CCID_BITS) | CCID_VALID;
   bool same = old & CCID_VALID && ((old ^ now) & CCID(LOGICAL_RENDER_CONTEXT_ADDRESS)) == 0;
   bool force = dw[1] & SET(FORCE_RESTORE), inhibit = dw[1] & SET(RESTORE_INHIBIT);
   if (!same && old & CCID_VALID)
      save_to(cs, old);
   cs_oa_collect(cs); /* what was, was the other context's */
   cs_reg_set(cs, R_CCID, now);
   return !inhibit && (!same || force) ? restore_from(cs, now) : CS_DONE;
}
