#include "interrupt_model.h"

#include <string.h>

static void
add(struct model *m, int class_id, int instance_id, int word, int bit, uint32_t enable_at,
    bool enable_high, uint32_t mask_at, bool high)
{
   m->unit[m->units++] = (struct model_unit){.class_id = class_id,
                                             .instance_id = instance_id,
                                             .word = word,
                                             .bit = bit,
                                             .enable_at = enable_at,
                                             .enable_high = enable_high,
                                             .mask_at = mask_at,
                                             .high = high};
}

/* Units of the part: one render, one copy, decode 0 and 2, enhance 0, the others. */
void
model_reset(struct model *m)
{
   memset(m, 0, sizeof(*m));
   add(m, 0, 0, 0, 0, 0x190030, true, 0x190090, true);
   add(m, 3, 0, 0, 15, 0x190030, false, 0x1900a0, true);
   add(m, 1, 0, 1, 0, 0x190034, true, 0x1900a8, true);
   add(m, 1, 2, 1, 2, 0x190034, true, 0x1900ac, true);
   add(m, 2, 0, 1, 31, 0x190034, false, 0x1900d0, true);
   add(m, 4, 0, 0, 25, 0x190038, true, 0x1900e8, true);
   add(m, 4, 3, 0, 24, 0x190038, false, 0x1900e8, false);
   add(m, 4, 1, 0, 16, 0x19003c, true, 0x1900ec, true);
   add(m, 4, 2, 0, 20, 0x19003c, false, 0x1900ec, false);
   add(m, 4, 4, 0, 19, 0x190040, true, 0x1900f0, true);
   add(m, 4, 5, 0, 28, 0x190044, true, 0x1900f4, true);
   add(m, 4, 6, 0, 31, 0x190044, false, 0x1900f4, false);
   static const uint32_t masks[] = {0x190090, 0x1900a0, 0x1900a8, 0x1900ac, 0x1900d0,
                                    0x1900e8, 0x1900ec, 0x1900f0, 0x1900f4};
   for (unsigned i = 0; i < sizeof(masks) / sizeof(masks[0]); i++)
      m->registers[(masks[i] & 0xff) / 4] = 0xffffffff;
}

static uint16_t
half(const struct model *m, uint32_t offset, bool high)
{
   uint32_t whole = m->registers[(offset & 0xff) / 4];
   return (uint16_t)(high ? whole >> 16 : whole);
}

static uint16_t
unmasked(const struct model *m, const struct model_unit *u)
{
   return (uint16_t)(u->stored & ~half(m, u->mask_at, u->high));
}

/* The wire: enable and any visible bit. */
static void
settle(struct model *m)
{
   bool now = m->enabled && (m->visible[0] || m->visible[1]);
   if (now && !m->wire)
      m->edges++;
   m->wire = now;
}

static void
second_level(struct model *m, const struct model_unit *u)
{
   if (!unmasked(m, u))
      return;
   if (m->snapshot[u->word])
      m->hidden[u->word] |= UINT32_C(1) << u->bit;
   else
      m->visible[u->word] |= UINT32_C(1) << u->bit;
   settle(m);
}

void
model_event(struct model *m, int class_id, int instance_id, uint16_t data)
{
   for (int i = 0; i < m->units; i++) {
      struct model_unit *u = &m->unit[i];
      if (u->class_id != class_id || u->instance_id != instance_id)
         continue;
      data &= half(m, u->enable_at, u->enable_high);
      if (data) {
         u->stored |= data;
         second_level(m, u);
      }
   }
}

uint32_t
model_read(struct model *m, uint32_t offset)
{
   int word = offset >> 2 & 1;
   switch (offset) {
   case 0x190010:
      return (uint32_t)m->enabled << 31 | (m->visible[0] != 0) |
             (uint32_t)(m->visible[1] != 0) << 1;
   case 0x190018:
   case 0x19001c:
      if (m->visible[word])
         m->snapshot[word] = true;
      return m->visible[word];
   case 0x190060:
   case 0x190064:
      return m->shown[word];
   case 0x190070:
   case 0x190074:
      return m->chosen[word];
   default:
      return m->registers[(offset & 0xff) / 4];
   }
}

static void
clear(struct model *m, int word, uint32_t bits)
{
   bool any = m->visible[word] & bits;
   m->visible[word] &= ~bits;
   if (m->visible[word] || !any)
      return;
   m->snapshot[word] = false;
   settle(m); /* it is low for a moment */
   m->visible[word] = m->hidden[word];
   m->hidden[word] = 0;
   settle(m);
}

static void
choose(struct model *m, int word, uint32_t value)
{
   int ones = 0;
   for (uint32_t v = value; v; v >>= 1)
      ones += v & 1;
   if (ones != 1 || !(m->visible[word] & value) || m->shown[word] >> 31)
      return;
   for (int i = 0; i < m->units; i++) {
      struct model_unit *u = &m->unit[i];
      if (u->word != word || UINT32_C(1) << u->bit != value)
         continue;
      uint16_t data = unmasked(m, u);
      u->stored = (uint16_t)(u->stored - data);
      m->chosen[word] = value;
      m->shown[word] = UINT32_C(0x80000000) + data + 0x10000u * (unsigned)u->class_id +
                       0x100000u * (unsigned)u->instance_id;
   }
}

void
model_write(struct model *m, uint32_t offset, uint32_t value)
{
   int word = offset >> 2 & 1;
   if (offset == 0x190010) {
      m->enabled = value >> 31;
      settle(m);
   } else if (offset == 0x190018 || offset == 0x19001c) {
      clear(m, word, value);
   } else if (offset == 0x190060 || offset == 0x190064) {
      if (value >> 31)
         m->shown[word] = m->chosen[word] = 0;
   } else if (offset == 0x190070 || offset == 0x190074) {
      choose(m, word, value);
   } else {
      uint32_t before = m->registers[(offset & 0xff) / 4];
      m->registers[(offset & 0xff) / 4] = value;
      for (int i = 0; i < m->units; i++) {
         struct model_unit *u = &m->unit[i];
         bool changed = u->high ? (before ^ value) >> 16 : (before ^ value) & 0xffff;
         if (u->mask_at == offset && changed)
            second_level(m, u);
      }
   }
}
