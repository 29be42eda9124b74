/* Start and report triggers (SYS-319): sixteen inputs, a tree of gates, a counter. */
#include "oa/gen11.h"

/* What both kinds have in common. */
#define THRESHOLD_ENABLE GEN11_OA_START_TRIGGER_CONTROL__THRESHOLD_ENABLE

/* What the multiplexers pick: inputs 0..7 by TRIG4, 8..15 by TRIG3. */
static uint16_t
inputs_of(const struct oa_trigger *t, uint16_t signals)
{
   uint16_t in = 0;
   for (unsigned n = 0; n < 16; n++) {
      uint32_t select = t->reg[n < 8 ? 3 : 2] >> (n % 8 * 4) & 15;
      in |= (uint16_t)((signals >> select & 1) << n);
   }
   return in;
}

static bool
gates(uint32_t control, uint16_t in, bool strobe)
{
   struct gen11_oa_start_trigger_control invert;
   gen11_oa_start_trigger_control_unpack(&invert, &control);
   uint16_t a = in ^ (uint16_t)invert.invert_a;
   bool b[4];
   for (unsigned n = 0; n < 4; n++) {
      b[n] = (a >> 4 * n & 15) == 15 && (n < 3 || strobe);
      b[n] ^= invert.invert_b >> n & 1;
   }
   bool c0 = (b[0] && b[1]) ^ (invert.invert_c & 1);
   bool c1 = (b[2] && b[3]) ^ (invert.invert_c >> 1);
   return (c0 && c1) ^ invert.invert_d;
}

bool
oa_start_clock(struct oa_trigger *t, uint16_t signals, bool strobe)
{
   bool result = gates(t->reg[1], inputs_of(t, signals), strobe);
   uint16_t threshold = (uint16_t)t->reg[0];
   if (t->reg[1] & THRESHOLD_ENABLE) {
      t->count = (uint16_t)(t->count + (result && t->count < threshold));
      result = t->count >= threshold; /* SYS-416: 0 fires at once */
   }
   t->fired |= result; /* SYS-313 */
   return t->fired;
}

bool
oa_start_settled(const struct oa_trigger *t, uint16_t signals)
{
   struct oa_trigger next = *t;
   oa_start_clock(&next, signals, false);
   return next.fired == t->fired && next.count == t->count;
}

bool
oa_report_clock(struct oa_trigger *t, uint16_t signals, bool strobe)
{
   uint16_t in = inputs_of(t, signals), edges = (uint16_t)(t->reg[0] >> 16);
   uint16_t seen = (uint16_t)((in & ~edges) | (in & ~t->last & edges));
   t->last = in;
   if (!(t->reg[1] & GEN11_OA_REPORT_TRIGGER_CONTROL__REPORT_TRIGGER_ENABLE))
      return false;
   bool result = gates(t->reg[1], seen, strobe), was = t->was;
   t->was = result;
   if (!(t->reg[1] & THRESHOLD_ENABLE) || !(uint16_t)t->reg[0])
      return result && !was; /* once for as long as it lasts */
   t->count = (uint16_t)(t->count + result);
   if (t->count < (uint16_t)t->reg[0])
      return false;
   t->count = 0; /* and from the beginning */
   return true;
}
