/* Registers of Ice Lake's performance counters (SYS-254..274, SYS-408..418). */
#include "oa/gen11.h"

#include <string.h>

/* SYS-418: stored, with no effect. */
static const struct {
   uint16_t first, last;
} noa[] = {
    {0x0d00, 0x0d2c}, {0x20cc, 0x20cc}, {0x91b8, 0x91dc}, {0x9800, 0x9888}, {0xe180, 0xe180}};

static int
noa_index(uint32_t offset)
{
   unsigned index = 0;
   for (unsigned i = 0; i < sizeof(noa) / sizeof(noa[0]); i++) {
      if (offset >= noa[i].first && offset <= noa[i].last)
         return (int)(index + (offset - noa[i].first) / 4);
      index += (noa[i].last - noa[i].first) / 4 + 1u;
   }
   return -1;
}

static const uint16_t ctl[OA11_CTL] = {0xe458, 0xe558, 0xe658, 0xe758, 0xe45c, 0xe55c, 0xe65c};

static int
ctl_index(uint32_t offset)
{
   for (unsigned i = 0; i < OA11_CTL; i++)
      if (ctl[i] == offset)
         return (int)i;
   return -1;
}

static bool
in(uint32_t offset, uint32_t first, unsigned count)
{
   return offset >= first && offset < first + 4 * count;
}

/* TRIG1..8 of either kind: the block's register. */
static const struct oa_trigger *
trigger_at(const struct oa11 *o, uint32_t offset, unsigned *n)
{
   bool start = in(offset, OA11_OASTARTTRIG1, 8);
   if (!start && !in(offset, OA11_OAREPORTTRIG1, 8))
      return NULL;
   unsigned at = (offset - (start ? OA11_OASTARTTRIG1 : OA11_OAREPORTTRIG1)) / 4;
   *n = at % 4;
   return start ? &o->start[at / 4] : &o->report[at / 4];
}

static bool
is_counter(uint32_t offset)
{
   return in(offset, OA11_A_LOW, 2 * OA11_WIDE_A) || in(offset, OA11_A32, 5) ||
          in(offset, OA11_B0, OA11_B + OA11_C) || in(offset, OA11_FREE_LOW, 2 * OA11_FREE);
}

bool
oa11_owns(uint32_t offset)
{
   if (offset & 3)
      return false;
   return offset == OA11_OACTXCONTROL || offset == OA11_OACTXID || offset == OA11_OABUFFER_UPPER ||
          in(offset, OA11_OASTARTTRIG1, 8) || in(offset, OA11_OAREPORTTRIG1, 8) ||
          in(offset, OA11_CEC0_0, 2 * OA11_B) || is_counter(offset) ||
          in(offset, OA11_OACONTROL, 9) || ctl_index(offset) >= 0 || noa_index(offset) >= 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

static uint32_t
half(uint64_t value, bool upper)
{
   return (uint32_t)(upper ? value >> 32 : value);
}

/* SYS-274: the live value; nothing is held between the two halves. */
static uint32_t
read_counter(const struct oa11 *o, uint32_t offset)
{
   const struct oa11_power *p = &o->live;
   if (in(offset, OA11_A_LOW, 2 * OA11_WIDE_A))
      return half(p->a[(offset - OA11_A_LOW) / 8], offset & 4);
   if (in(offset, OA11_A32, 4))
      return (uint32_t)p->a[32 + (offset - OA11_A32) / 4];
   if (offset == OA11_GPU_TICKS)
      return p->ticks;
   if (in(offset, OA11_B0, OA11_B))
      return p->b[(offset - OA11_B0) / 4];
   if (in(offset, OA11_C0, OA11_C))
      return p->c[(offset - OA11_C0) / 4];
   return half(p->free[(offset - OA11_FREE_LOW) / 8], offset & 4);
}

static uint32_t
read_trigger(const struct oa11 *o, const struct oa_trigger *t, unsigned n)
{
   bool start = t == &o->start[0] || t == &o->start[1];
   if (start && n == 0) /* SYS-416 */
      return (t->reg[0] & 0xffff) | (uint32_t)t->count << 16;
   if (start && n == 1)
      return t->reg[1] | (uint32_t)t->fired << 24;
   return t->reg[n];
}

static uint32_t
read_control(const struct oa11 *o, uint32_t offset)
{
   switch (offset) {
   case OA11_OACTXCONTROL:
      return o->ctx_control;
   case OA11_OACTXID:
      return o->ctx_id;
   case OA11_OABUFFER_UPPER:
      return o->buffer_upper;
   case OA11_OACONTROL:
      return o->control;
   case OA11_OA_DEBUG:
      return o->debug;
   case OA11_OASTATUS:
      return o->status;
   case OA11_OAHEADPTR:
      return o->head;
   case OA11_OATAILPTR:
      return o->tail;
   case OA11_OABUFFER:
      return o->buffer;
   case OA11_OASTARTTRIG_COUNTER:
      return o->start[0].count | (uint32_t)o->start[1].count << 16;
   case OA11_OARPTTRIG_COUNTER:
      return o->report[0].count | (uint32_t)o->report[1].count << 16;
   case OA11_OA_IMR:
      return o->imr;
   default:
      return 0;
   }
}

uint32_t
oa11_read(const struct oa11 *o, uint32_t offset)
{
   unsigned n;
   if (!oa11_owns(offset))
      return 0;
   const struct oa_trigger *t = trigger_at(o, offset, &n);
   if (t)
      return read_trigger(o, t, n);
   if (in(offset, OA11_CEC0_0, 2 * OA11_B))
      return o->custom[(offset - OA11_CEC0_0) / 8].cec[offset >> 2 & 1];
   if (is_counter(offset))
      return read_counter(o, offset);
   if (ctl_index(offset) >= 0)
      return o->live.ctl[ctl_index(offset)];
   return noa_index(offset) >= 0 ? o->noa[noa_index(offset)] : read_control(o, offset);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void
set_half(uint64_t *value, bool upper, uint32_t half, uint64_t mask)
{
   uint64_t v = upper ? (*value & UINT32_MAX) | (uint64_t)half << 32
                      : (*value & ~(uint64_t)UINT32_MAX) | half;
   *value = v & mask;
}

/* Counters are context: software restores them. */
static void
write_counter(struct oa11 *o, uint32_t offset, uint32_t value)
{
   struct oa11_power *p = &o->live;
   const uint64_t wide = (UINT64_C(1) << 40) - 1;
   if (in(offset, OA11_A_LOW, 2 * OA11_WIDE_A))
      set_half(&p->a[(offset - OA11_A_LOW) / 8], offset & 4, value, wide);
   else if (in(offset, OA11_A32, 4))
      p->a[32 + (offset - OA11_A32) / 4] = value;
   else if (offset == OA11_GPU_TICKS)
      p->ticks = value;
   else if (in(offset, OA11_B0, OA11_B))
      p->b[(offset - OA11_B0) / 4] = value;
   else if (in(offset, OA11_C0, OA11_C))
      p->c[(offset - OA11_C0) / 4] = value;
   else
      set_half(&p->free[(offset - OA11_FREE_LOW) / 8], offset & 4, value, wide);
}

static void
write_trigger(struct oa11 *o, struct oa_trigger *t, unsigned n, uint32_t value)
{
   bool start = t == &o->start[0] || t == &o->start[1];
   /* SYS-416, SYS-263: fields that software cannot write. */
   static const uint32_t writable[2][4] = {{UINT32_MAX, 0x80ffffff, UINT32_MAX, UINT32_MAX},
                                           {0x0000ffff, 0xf0ffffff, UINT32_MAX, UINT32_MAX}};
   if (start && n == 0)
      t->count = 0;
   t->reg[n] = value & writable[start][n];
}

/* SYS-313: off ends what start triggers began. */
static void
write_oacontrol(struct oa11 *o, uint32_t value)
{
   o->control = value & 0x1f;
   if (o->control & OACONTROL_ENABLE)
      return;
   for (unsigned n = 0; n < 2; n++) {
      o->start[n].fired = o->report[n].was = false;
      o->start[n].count = o->report[n].count = 0;
   }
}

static void
pointers_moved(struct oa11 *o)
{
   o->unread = (o->tail - o->head) & (uint32_t)(oa11_buffer_size(o) - 1);
   oa11_buffer_level(o);
}

static void
write_head(struct oa11 *o, uint32_t value)
{
   value &= ~63u;
   if (value < o->head)
      o->status |= OASTATUS_HEAD_WRAP;
   o->head = value;
   pointers_moved(o);
}

static void
write_buffer(struct oa11 *o, uint32_t value)
{
   o->buffer = value & 0xfffffff9;
   if (o->buffer & ~63u & (uint32_t)(oa11_buffer_size(o) - 1))
      o->host->rule(o->data, "SYS-260", "OABUFFER", "the base is not aligned to the size");
   pointers_moved(o);
}

static void
write_control(struct oa11 *o, uint32_t offset, uint32_t value)
{
   uint32_t mask = value >> 16;
   switch (offset) {
   case OA11_OACTXCONTROL:
      o->ctx_control = value & 0xff;
      break;
   case OA11_OACTXID:
      o->ctx_id = value;
      break;
   case OA11_OABUFFER_UPPER:
      o->buffer_upper = value;
      break;
   case OA11_OACONTROL:
      write_oacontrol(o, value);
      break;
   case OA11_OA_DEBUG: /* masked */
      o->debug = (o->debug & ~mask) | (value & mask & 0x66);
      break;
   case OA11_OASTATUS: /* SYS-249: sticky until written 0 */
      o->status = value & 0x0003000f;
      break;
   case OA11_OAHEADPTR:
      write_head(o, value);
      break;
   case OA11_OATAILPTR:
      o->tail = value & ~63u;
      pointers_moved(o);
      break;
   case OA11_OABUFFER:
      write_buffer(o, value);
      break;
   case OA11_OA_IMR:
      o->imr = value;
      break;
   default:
      break; /* SYS-414: trigger counters are read only */
   }
}

static void
write_cec(struct oa11 *o, uint32_t offset, uint32_t value)
{
   unsigned upper = offset >> 2 & 1;
   o->custom[(offset - OA11_CEC0_0) / 8].cec[upper] = value;
   if (!upper && ((value >> 19 & 3) == 3 || (value & 7) == 7))
      o->host->rule(o->data, "SYS-411", "CEC",
                    (value & 7) == 7 ? "compare function 7 is reserved; it is always true"
                                     : "source 3 is reserved; it has no signals");
}

void
oa11_write(struct oa11 *o, uint32_t offset, uint32_t value)
{
   unsigned n;
   if (!oa11_owns(offset))
      return;
   o->cycle = 0;
   const struct oa_trigger *t = trigger_at(o, offset, &n);
   if (t) {
      write_trigger(o, (struct oa_trigger *)(uintptr_t)t, n, value);
   } else if (in(offset, OA11_CEC0_0, 2 * OA11_B)) {
      write_cec(o, offset, value);
   } else if (is_counter(offset)) {
      write_counter(o, offset, value);
   } else if (ctl_index(offset) >= 0) {
      o->live.ctl[ctl_index(offset)] = value;
      oa_flexible_check(o, value);
   } else if (noa_index(offset) >= 0) {
      o->noa[noa_index(offset)] = value;
   } else {
      write_control(o, offset, value);
   }
}
