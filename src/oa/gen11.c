/* Ice Lake's performance counters: what counts when. */
#include "oa/gen11.h"

#include <string.h>

#define EXACT_CLOCKS (1u << 20) /* of an advance in which triggers are looked at clock by clock */
#define TIMER_REPORTS 65536u    /* of an advance: as many as the largest buffer holds */
#define WIDE_MASK ((UINT64_C(1) << 40) - 1)

static const uint8_t free_counter[OA11_FREE] = {4, 6, 19, 20}; /* SYS-270 */

void
oa11_reset(struct oa11 *o)
{
   const struct oa11_host *host = o->host;
   void *data = o->data;
   bool slm_atomics = o->slm_atomics;
   uint64_t timestamp = o->timestamp;
   const uint32_t no_events =
       hw_put(GEN11_OA_EU_EVENT__INCREMENT_EVENT, REG_ICL_EU_PERF_CNT_CTL0__EVENT_0) |
       hw_put(GEN11_OA_EU_EVENT__INCREMENT_EVENT, REG_ICL_EU_PERF_CNT_CTL0__EVENT_1);
   *o = (struct oa11){.host = host, .data = data, .slm_atomics = slm_atomics};
   o->timestamp = timestamp;
   o->imr = UINT32_MAX; /* SYS-414 */
   for (unsigned i = 0; i < OA11_CTL; i++)
      o->live.ctl[i] = no_events; /* SYS-370 */
}

void
oa11_init(struct oa11 *o, const struct oa11_host *host, void *data)
{
   memset(o, 0, sizeof(*o));
   o->host = host;
   o->data = data;
   oa11_reset(o);
}

/* ---- counters -------------------------------------------------------------------------------- */

static void
add(struct oa11 *o, uint64_t *counter, uint64_t mask, uint64_t n)
{
   uint64_t sum = *counter + n;
   if (n > mask || sum > mask)
      o->status |= REG_ICL_OASTATUS__COUNTER_OVERFLOW;
   *counter = sum & mask;
}

static void
add32(struct oa11 *o, uint32_t *counter, uint64_t n)
{
   uint64_t wide = *counter;
   add(o, &wide, UINT32_MAX, n);
   *counter = (uint32_t)wide;
}

/* SYS-250, SYS-251, SYS-255: enabled, resumed, and in the context that is asked for. */
static bool
counting(const struct oa11 *o)
{
   if (!(o->control & REG_ICL_OACONTROL__COUNTER_ENABLE) ||
       !(o->ctx_control & REG_ICL_OACTXCONTROL__COUNTER_RESUME))
      return false;
   return !(o->control & REG_ICL_OACONTROL__SPECIFIC_CONTEXT_ENABLE) ||
          (o->context_valid && o->context == o->ctx_id);
}

/* SYS-377, SYS-379: a pulse for every eight clocks of loaded threads. */
static void
integrate(struct oa11 *o, const struct oa_events *e, uint64_t pulses[OA_EUS])
{
   for (unsigned n = 0; n < OA_EUS; n++) {
      uint64_t clocks = o->loaded[n];
      for (unsigned s = 0; s < OA_STAGES; s++) {
         const uint64_t *eu = e->eu[s][n];
         for (unsigned i = 0; i < OA_CLOCK_EVENTS; i++)
            clocks += eu[i];
         clocks += eu[OA_WAITED];
      }
      pulses[n] = clocks / 8;
      o->loaded[n] = clocks % 8;
   }
}

static void
flexible_events(const struct oa11 *o, const struct oa_events *e, const uint64_t pulses[OA_EUS],
                uint64_t n[OA11_A])
{
   for (unsigned i = 0; i < OA11_FLEXIBLE; i++)
      n[7 + i] = oa_flexible(hw_get(o->live.ctl[i / 2], i % 2 ? REG_ICL_EU_PERF_CNT_CTL0__EVENT_1
                                                              : REG_ICL_EU_PERF_CNT_CTL0__EVENT_0),
                             e, pulses);
}

/* What events add to A1..A35. A29 and A33, misses of first-level caches, stay 0: the model has
 * none. No event is a media engine's. */
static void
fixed_events(const struct oa11 *o, const struct oa_events *e, uint64_t n[OA11_A])
{
   static const uint8_t threads[OA_STAGES] = {
       [OA_VS] = 1, [OA_HS] = 2, [OA_DS] = 3, [OA_TS] = 4, [OA_GS] = 5, [OA_PS] = 6,
   };
   for (unsigned s = 0; s < OA_STAGES; s++)
      n[threads[s]] = oa_stage_sum(e, s, OA_THREADS, OA_THREADS);
   for (unsigned i = 0; i < OA_PIXEL_EVENTS; i++)
      n[21 + i] = e->pixels[i];
   n[28] = oa_sum(e, OA_SAMPLER_2X2, OA_SAMPLER_2X2); /* SYS-357 */
   n[30] = oa_sum(e, OA_SLM_READ, OA_SLM_READ);       /* SYS-359 */
   n[31] = oa_sum(e, OA_SLM_WRITE, OA_SLM_WRITE);     /* SYS-360 */
   n[32] = oa_sum(e, OA_MEMORY, OA_MEMORY);           /* SYS-361 */
   n[34] = oa_sum(e, OA_ATOMIC, OA_ATOMIC);           /* SYS-363, SYS-364, SYS-365 */
   if (o->slm_atomics)
      n[34] += oa_sum(e, OA_SLM_ATOMIC, OA_SLM_ATOMIC);
   n[35] = oa_sum(e, OA_BARRIER, OA_BARRIER); /* SYS-366 */
}

static void
add_a(struct oa11 *o, unsigned i, uint64_t n)
{
   add(o, &o->live.a[i], i < OA11_WIDE_A ? WIDE_MASK : UINT32_MAX, n);
}

/* SYS-316, SYS-317: no start trigger holds the A counters back. */
static void
count_events(struct oa11 *o, const struct oa_events *e)
{
   uint64_t n[OA11_A] = {0}, pulses[OA_EUS];
   integrate(o, e, pulses);
   flexible_events(o, e, pulses, n);
   fixed_events(o, e, n);
   for (unsigned i = 1; counting(o) && i < OA11_A; i++)
      add_a(o, i, n[i]);
   for (unsigned i = 0; i < OA11_FREE; i++) /* SYS-326 */
      o->live.free[i] = (o->live.free[i] + n[free_counter[i]]) & WIDE_MASK;
}

/* ---- clocks ---------------------------------------------------------------------------------- */

static unsigned
event_select(const struct oa_trigger *t)
{
   struct gen11_oa_start_trigger_control v;
   gen11_oa_start_trigger_control_unpack(&v, &t->reg[1]);
   return v.event_select;
}

/* SYS-410: by their event select bits B counters take the custom event or the signal. */
static uint8_t
b_events(const struct oa11 *o)
{
   uint8_t custom = (uint8_t)(event_select(&o->start[0]) | event_select(&o->start[1]) << 4);
   return (uint8_t)((o->booleans & custom) | ((uint8_t)o->signals & ~custom));
}

static bool
signals_count(const struct oa11 *o)
{
   return counting(o) && (o->start[0].fired || o->start[1].fired);
}

/* SYS-312, SYS-314: B and C counters start with any of the blocks. */
static void
count_signals(struct oa11 *o)
{
   if (!signals_count(o))
      return;
   uint8_t b = b_events(o);
   for (unsigned n = 0; n < OA11_B; n++) {
      if (b >> n & 1)
         add32(o, &o->live.b[n], 1);
      if (o->signals >> (8 + n) & 1)
         add32(o, &o->live.c[n], 1);
   }
}

static void
one_clock(struct oa11 *o, bool strobe)
{
   unsigned reasons = 0;
   bool enabled = o->control & REG_ICL_OACONTROL__COUNTER_ENABLE;
   o->clock++;
   o->booleans = oa_custom_clock(o->custom, o->signals, o->booleans);
   for (unsigned n = 0; n < 2 && enabled; n++) {
      oa_start_clock(&o->start[n], o->signals, strobe);
      if (oa_report_clock(&o->report[n], o->signals, strobe))
         reasons |= n ? OA11_TRIGGER2 : OA11_TRIGGER1;
   }
   count_signals(o);
   if (reasons)
      oa11_buffer_report(o, reasons);
}

/* What decides the clocks to come, as long as the signals stay. */
struct state {
   uint8_t booleans;
   uint16_t last[OA11_B];
};

static struct state
state_of(const struct oa11 *o)
{
   struct state s;
   memset(&s, 0, sizeof(s));
   s.booleans = o->booleans;
   for (unsigned n = 0; n < OA11_B; n++)
      s.last[n] = o->custom[n].last;
   return s;
}

/* Nothing but custom events and their counters depends on the clock. */
static bool
only_counts(const struct oa11 *o)
{
   bool reports = (o->report[0].reg[1] | o->report[1].reg[1]) &
                  GEN11_OA_REPORT_TRIGGER_CONTROL__REPORT_TRIGGER_ENABLE;
   return !(o->control & REG_ICL_OACONTROL__COUNTER_ENABLE) ||
          (!reports && oa_start_settled(&o->start[0], o->signals) &&
           oa_start_settled(&o->start[1], o->signals));
}

/* Looks for the cycle of the blocks: there are at most 2^16 states of eight outputs and the eight
 * before them. Returns the clocks that are left. */
static uint64_t
find_cycle(struct oa11 *o, uint64_t left)
{
   struct state first = state_of(o);
   uint32_t length = 0;
   memset(o->cycle_b, 0, sizeof(o->cycle_b));
   memset(o->cycle_c, 0, sizeof(o->cycle_c));
   for (uint32_t checked = 1; left; checked++) {
      one_clock(o, false);
      left--;
      length++;
      uint8_t b = b_events(o);
      for (unsigned n = 0; n < OA11_B; n++) {
         o->cycle_b[n] += b >> n & 1;
         o->cycle_c[n] += o->signals >> (8 + n) & 1;
      }
      struct state now = state_of(o);
      if (!memcmp(&now, &first, sizeof(now))) {
         o->cycle = length;
         o->cycle_signals = o->signals;
         break;
      }
      if (checked & (checked - 1)) /* start anew from time to time: the first may never come back */
         continue;
      first = now;
      length = 0;
      memset(o->cycle_b, 0, sizeof(o->cycle_b));
      memset(o->cycle_c, 0, sizeof(o->cycle_c));
   }
   return left;
}

/* Whole cycles at once, the rest clock by clock. */
static void
skip_cycles(struct oa11 *o, uint64_t left)
{
   if (!o->cycle || o->cycle_signals != o->signals)
      left = find_cycle(o, left);
   uint64_t times = o->cycle ? left / o->cycle : 0;
   if (times && signals_count(o))
      for (unsigned n = 0; n < OA11_B; n++) {
         add32(o, &o->live.b[n], o->cycle_b[n] * times);
         add32(o, &o->live.c[n], o->cycle_c[n] * times);
      }
   o->clock += times * o->cycle;
   for (left -= times * o->cycle; left; left--)
      one_clock(o, false);
}

static void
run_clocks(struct oa11 *o, uint64_t n)
{
   uint64_t exact = 0;
   o->live.ticks += (uint32_t)n;
   while (n) {
      if (n > 64 && only_counts(o)) {
         skip_cycles(o, n);
         return;
      }
      if (exact++ == EXACT_CLOCKS) { /* what triggers would have asked for in the rest is lost */
         o->status |= REG_ICL_OASTATUS__REPORT_LOST;
         o->clock += n;
         return;
      }
      one_clock(o, false);
      n--;
   }
}

/* SYS-298: the strobe is a bit of the timestamp. */
static uint64_t
period(const struct oa11 *o)
{
   unsigned exponent = hw_get(o->ctx_control, REG_ICL_OACTXCONTROL__TIMER_PERIOD);
   return exponent < 63 ? UINT64_C(2) << exponent : 0;
}

static bool
timer_on(const struct oa11 *o)
{
   return o->control & REG_ICL_OACONTROL__COUNTER_ENABLE &&
          o->ctx_control & REG_ICL_OACTXCONTROL__TIMER_ENABLE && period(o);
}

static void
strobe(struct oa11 *o, uint64_t timestamp)
{
   o->timestamp = timestamp;
   oa11_buffer_report(o, OA11_TIMER);
}

static void
busy_clocks(struct oa11 *o, uint64_t n, bool busy)
{
   if (busy && counting(o))
      add_a(o, 0, n); /* SYS-327 */
}

/* Clocks and timestamps go at steady rates; where strobes fall the clock is as far as it then is.
 */
static uint64_t
run_strobes(struct oa11 *o, uint64_t clocks, uint64_t end, bool busy)
{
   uint64_t from = o->timestamp, every = period(o), done = 0;
   uint64_t first = (from / every + 1) * every;
   if (first > end || first < from)
      return clocks;
   uint64_t count = (end - first) / every + 1;
   if (count > TIMER_REPORTS) {
      o->status |= REG_ICL_OASTATUS__REPORT_LOST;
      first += (count - TIMER_REPORTS) * every;
   }
   for (uint64_t at = first; at <= end && at >= first && timer_on(o); at += every) {
      uint64_t until =
          (uint64_t)((__uint128_t)clocks * (at - from) / (end - from)); /* end > from */
      uint64_t step = until > done ? until - done : 0;
      busy_clocks(o, step, busy);
      run_clocks(o, step ? step - 1 : 0);
      if (step) {
         o->live.ticks++;
         one_clock(o, true);
      }
      done += step;
      strobe(o, at);
   }
   return clocks - done;
}

void
oa11_advance(struct oa11 *o, uint64_t clocks, uint64_t timestamp, bool busy,
             const struct oa_events *events)
{
   uint64_t left = clocks;
   if (events)
      count_events(o, events);
   if (timer_on(o) && timestamp > o->timestamp)
      left = run_strobes(o, clocks, timestamp, busy);
   busy_clocks(o, left, busy);
   run_clocks(o, left);
   o->timestamp = timestamp;
}

/* ---- what happens to the GT ------------------------------------------------------------------ */

void
oa11_context(struct oa11 *o, bool valid, uint32_t id)
{
   o->context_valid = valid;
   o->context = id;
   if (!(o->debug & REG_ICL_OA_DEBUG__NO_CONTEXT_SWITCH_REPORTS))
      oa11_buffer_report(o, OA11_CONTEXT); /* SYS-322 */
}

void
oa11_clock_ratio(struct oa11 *o, unsigned slice, unsigned unslice)
{
   o->slice_ratio = slice & 0x1ff;
   o->unslice_ratio = unslice & 0x1ff;
   if (!(o->debug & REG_ICL_OA_DEBUG__NO_CLOCK_RATIO_REPORTS))
      oa11_buffer_report(o, OA11_CLOCK); /* SYS-324 */
}

void
oa11_sleep(struct oa11 *o)
{
   if (!(o->debug & REG_ICL_OA_DEBUG__NO_GO_REPORTS))
      oa11_buffer_report(o, OA11_GO); /* SYS-302 */
   o->saved = o->live;
}

/* SYS-252: what was counted since the save is lost. OA_DEBUG is not part of it (SYS-267). */
void
oa11_wake(struct oa11 *o)
{
   o->live = o->saved;
   o->debug = 0;
}
