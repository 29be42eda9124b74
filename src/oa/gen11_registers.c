/* Registers of Ice Lake's performance counters (SYS-254..274, SYS-408..418). */
#include "oa/gen11.h"

#include <string.h>

/* SYS-418: stored, with no effect. */
static const struct {
   uint16_t first, last;
} noa[] = {
    {REG_ICL_RPM_CONFIG0, REG_ICL_NOA_CONFIG_10},
    {REG_ICL_WAIT_FOR_RC6_EXIT, REG_ICL_WAIT_FOR_RC6_EXIT},
    {REG_ICL_OA_PERFCNT_0, REG_ICL_OA_PERFCNT_9},
    {REG_ICL_NOA_9800_0, REG_ICL_NOA_9800_34},
    {REG_ICL_NOA_E180, REG_ICL_NOA_E180},
};

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

#define CTL(n) REG_ICL_EU_PERF_CNT_CTL##n
const uint16_t oa11_ctl[OA11_CTL] = {CTL(0), CTL(1), CTL(2), CTL(3), CTL(4), CTL(5), CTL(6)};

static int
ctl_index(uint32_t offset)
{
   for (unsigned i = 0; i < OA11_CTL; i++)
      if (oa11_ctl[i] == offset)
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
   bool start = in(offset, REG_ICL_OASTARTTRIG_0, 8);
   if (!start && !in(offset, REG_ICL_OAREPORTTRIG_0, 8))
      return NULL;
   unsigned at = (offset - (start ? REG_ICL_OASTARTTRIG_0 : REG_ICL_OAREPORTTRIG_0)) / 4;
   *n = at % 4;
   return start ? &o->start[at / 4] : &o->report[at / 4];
}

static bool
is_counter(uint32_t offset)
{
   return in(offset, REG_ICL_OAPERF_A_0, 2 * OA11_WIDE_A) ||
          in(offset, REG_ICL_OAPERF_NARROW_A_0, 5) ||
          in(offset, REG_ICL_OAPERF_B_0, OA11_B + OA11_C) ||
          in(offset, REG_ICL_OAPERF_A_FREE_0, 2 * OA11_FREE);
}

bool
oa11_owns(uint32_t offset)
{
   if (offset & 3)
      return false;
   return offset == REG_ICL_OACTXCONTROL || offset == REG_ICL_OACTXID ||
          offset == REG_ICL_OABUFFER_UPPER || in(offset, REG_ICL_OASTARTTRIG_0, 8) ||
          in(offset, REG_ICL_OAREPORTTRIG_0, 8) || in(offset, REG_ICL_OA_CEC_0, 2 * OA11_B) ||
          is_counter(offset) || in(offset, REG_ICL_OACONTROL, 9) || ctl_index(offset) >= 0 ||
          noa_index(offset) >= 0;
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
   if (in(offset, REG_ICL_OAPERF_A_0, 2 * OA11_WIDE_A))
      return half(p->a[(offset - REG_ICL_OAPERF_A_0) / 8], offset & 4);
   if (in(offset, REG_ICL_OAPERF_NARROW_A_0, 4))
      return (uint32_t)p->a[32 + (offset - REG_ICL_OAPERF_NARROW_A_0) / 4];
   if (offset == REG_ICL_OAPERF_GPU_TICKS)
      return p->ticks;
   if (in(offset, REG_ICL_OAPERF_B_0, OA11_B))
      return p->b[(offset - REG_ICL_OAPERF_B_0) / 4];
   if (in(offset, REG_ICL_OAPERF_C_0, OA11_C))
      return p->c[(offset - REG_ICL_OAPERF_C_0) / 4];
   return half(p->free[(offset - REG_ICL_OAPERF_A_FREE_0) / 8], offset & 4);
}

#define START(name) GEN11_OA_START_TRIGGER_CONTROL__##name
#define REPORT(name) GEN11_OA_REPORT_TRIGGER_CONTROL__##name

static uint32_t
read_trigger(const struct oa11 *o, const struct oa_trigger *t, unsigned n)
{
   bool start = t == &o->start[0] || t == &o->start[1];
   if (start && n == 0) /* SYS-416 */
      return (t->reg[0] & 0xffff) | (uint32_t)t->count << 16;
   if (start && n == 1)
      return t->reg[1] | (t->fired ? START(START_FLAG) : 0);
   return t->reg[n];
}

static uint32_t
read_control(const struct oa11 *o, uint32_t offset)
{
   switch (offset) {
   case REG_ICL_OACTXCONTROL:
      return o->ctx_control;
   case REG_ICL_OACTXID:
      return o->ctx_id;
   case REG_ICL_OABUFFER_UPPER:
      return o->buffer_upper;
   case REG_ICL_OACONTROL:
      return o->control;
   case REG_ICL_OA_DEBUG:
      return o->debug;
   case REG_ICL_OASTATUS:
      return o->status;
   case REG_ICL_OAHEADPTR:
      return o->head;
   case REG_ICL_OATAILPTR:
      return o->tail;
   case REG_ICL_OABUFFER:
      return o->buffer;
   case REG_ICL_OASTARTTRIG_COUNTER:
      return o->start[0].count | (uint32_t)o->start[1].count << 16;
   case REG_ICL_OARPTTRIG_COUNTER:
      return o->report[0].count | (uint32_t)o->report[1].count << 16;
   case REG_ICL_OA_IMR:
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
   if (in(offset, REG_ICL_OA_CEC_0, 2 * OA11_B))
      return o->custom[(offset - REG_ICL_OA_CEC_0) / 8].cec[offset >> 2 & 1];
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
   if (in(offset, REG_ICL_OAPERF_A_0, 2 * OA11_WIDE_A))
      set_half(&p->a[(offset - REG_ICL_OAPERF_A_0) / 8], offset & 4, value, wide);
   else if (in(offset, REG_ICL_OAPERF_NARROW_A_0, 4))
      p->a[32 + (offset - REG_ICL_OAPERF_NARROW_A_0) / 4] = value;
   else if (offset == REG_ICL_OAPERF_GPU_TICKS)
      p->ticks = value;
   else if (in(offset, REG_ICL_OAPERF_B_0, OA11_B))
      p->b[(offset - REG_ICL_OAPERF_B_0) / 4] = value;
   else if (in(offset, REG_ICL_OAPERF_C_0, OA11_C))
      p->c[(offset - REG_ICL_OAPERF_C_0) / 4] = value;
   else
      set_half(&p->free[(offset - REG_ICL_OAPERF_A_FREE_0) / 8], offset & 4, value, wide);
}

#define INVERSIONS                                                                                 \
   (START(INVERT_A) | START(INVERT_B) | START(INVERT_C) | START(INVERT_D) | START(THRESHOLD_ENABLE))

static void
write_trigger(struct oa11 *o, struct oa_trigger *t, unsigned n, uint32_t value)
{
   bool start = t == &o->start[0] || t == &o->start[1];
   /* SYS-416, SYS-263: fields that software cannot write. */
   static const uint32_t writable[2][4] = {
       {UINT32_MAX, INVERSIONS | REPORT(REPORT_TRIGGER_ENABLE), UINT32_MAX, UINT32_MAX},
       {UINT16_MAX, INVERSIONS | START(EVENT_SELECT), UINT32_MAX, UINT32_MAX}};
   if (start && n == 0)
      t->count = 0;
   t->reg[n] = value & writable[start][n];
}

/* What the registers hold. */
#define FIELD(reg, name) REG_ICL_##reg##__##name
#define CONTROL_BITS                                                                               \
   (FIELD(OACONTROL, COUNTER_SELECT) | FIELD(OACONTROL, SPECIFIC_CONTEXT_ENABLE) |                 \
    FIELD(OACONTROL, COUNTER_ENABLE))
#define CTXCONTROL_BITS                                                                            \
   (FIELD(OACTXCONTROL, TIMER_PERIOD) | FIELD(OACTXCONTROL, TIMER_ENABLE) |                        \
    FIELD(OACTXCONTROL, COUNTER_RESUME))
#define DEBUG_BITS                                                                                 \
   (FIELD(OA_DEBUG, INCLUDE_CLOCK_RATIO) | FIELD(OA_DEBUG, NO_CLOCK_RATIO_REPORTS) |               \
    FIELD(OA_DEBUG, NO_GO_REPORTS) | FIELD(OA_DEBUG, NO_CONTEXT_SWITCH_REPORTS))
#define STATUS_BITS                                                                                \
   (FIELD(OASTATUS, TAIL_POINTER_WRAP) | FIELD(OASTATUS, HEAD_POINTER_WRAP) |                      \
    FIELD(OASTATUS, OVERRUN_STATUS) | FIELD(OASTATUS, COUNTER_OVERFLOW) |                          \
    FIELD(OASTATUS, BUFFER_OVERFLOW) | FIELD(OASTATUS, REPORT_LOST))
#define BUFFER_BITS (FIELD(OABUFFER, BASE) | FIELD(OABUFFER, SIZE) | FIELD(OABUFFER, GLOBAL_GTT))

/* SYS-313: off ends what start triggers began. */
static void
write_oacontrol(struct oa11 *o, uint32_t value)
{
   o->control = value & CONTROL_BITS;
   if (o->control & REG_ICL_OACONTROL__COUNTER_ENABLE)
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
   value &= REG_ICL_OAHEADPTR__ADDRESS;
   if (value < o->head)
      o->status |= REG_ICL_OASTATUS__HEAD_POINTER_WRAP;
   o->head = value;
   pointers_moved(o);
}

static void
write_buffer(struct oa11 *o, uint32_t value)
{
   o->buffer = value & BUFFER_BITS;
   if (o->buffer & REG_ICL_OABUFFER__BASE & (uint32_t)(oa11_buffer_size(o) - 1))
      o->host->rule(o->data, "SYS-260", "OABUFFER", "the base is not aligned to the size");
   pointers_moved(o);
}

static void
write_control(struct oa11 *o, uint32_t offset, uint32_t value)
{
   uint32_t mask = value >> 16;
   switch (offset) {
   case REG_ICL_OACTXCONTROL:
      o->ctx_control = value & CTXCONTROL_BITS;
      break;
   case REG_ICL_OACTXID:
      o->ctx_id = value;
      break;
   case REG_ICL_OABUFFER_UPPER:
      o->buffer_upper = value;
      break;
   case REG_ICL_OACONTROL:
      write_oacontrol(o, value);
      break;
   case REG_ICL_OA_DEBUG: /* masked */
      o->debug = (o->debug & ~mask) | (value & mask & DEBUG_BITS);
      break;
   case REG_ICL_OASTATUS: /* SYS-249: sticky until written 0 */
      o->status = value & STATUS_BITS;
      break;
   case REG_ICL_OAHEADPTR:
      write_head(o, value);
      break;
   case REG_ICL_OATAILPTR:
      o->tail = value & REG_ICL_OATAILPTR__ADDRESS;
      pointers_moved(o);
      break;
   case REG_ICL_OABUFFER:
      write_buffer(o, value);
      break;
   case REG_ICL_OA_IMR:
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
   o->custom[(offset - REG_ICL_OA_CEC_0) / 8].cec[upper] = value;
   struct gen11_oa_custom_event e;
   gen11_oa_custom_event_unpack(&e, (const uint32_t[2]){value});
   bool function = e.compare_function == GEN11_OA_CUSTOM_EVENT_COMPARE_FUNCTION_RESERVED;
   if (!upper && (function || e.source == GEN11_OA_CUSTOM_EVENT_SOURCE_RESERVED))
      o->host->rule(o->data, "SYS-411", "CEC",
                    function ? "compare function 7 is reserved; it is always true"
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
   } else if (in(offset, REG_ICL_OA_CEC_0, 2 * OA11_B)) {
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
