/* Flexible EU events (SYS-368..407): an increment event, gated by two filters, summed over EUs. */
#include "oa/gen11.h"

enum increment { FPU0, FPU1, SENDS, BOTH, SOME, STALL, INTEGRATOR = 8, NO_EVENT = 15 };
enum { ROW0 = 7, ROW1 = 8 };                                              /* coarse */
enum { HYBRID = 1, TERNARY, BINARY, MOV, SEND_START, EU0 = 7, EU3 = 10 }; /* fine */

/* SYS-386..392: by the fixed function that dispatched the thread. */
static bool
coarse_stage(unsigned coarse, enum oa_stage stage)
{
   return coarse == 0 || coarse == ROW0 || coarse == ROW1 || coarse == stage + 1u;
}

/* SYS-393, SYS-394, SYS-403..406: by the place of the EU; four to a row. */
static bool
place_passes(unsigned coarse, unsigned fine, unsigned eu)
{
   unsigned row = eu / 4 % 2, number = eu % 4;
   if ((coarse == ROW0 && row != 0) || (coarse == ROW1 && row != 1))
      return false;
   return fine < EU0 || number == fine - EU0;
}

static uint64_t
sum(const uint64_t *eu, enum oa_event first, enum oa_event last)
{
   uint64_t n = 0;
   for (unsigned i = first; i <= last; i++)
      n += eu[i];
   return n;
}

/* SYS-396..400: clocks of one pipeline, or of both FPUs, whose instruction is of a class. */
static uint64_t
of_class(const uint64_t *eu, bool fpu0, bool fpu1, unsigned fine)
{
   switch (fine) {
   case TERNARY:
      return fpu0 ? eu[OA_FPU0_TERNARY] : 0;
   case BINARY:
      return (fpu0 ? eu[OA_FPU0_BINARY] : 0) + (fpu1 ? eu[OA_FPU1_BINARY] : 0);
   case MOV:
      return fpu0 ? eu[OA_FPU0_MOV] : 0;
   default:
      return 0; /* SYS-402: no instruction is hybrid */
   }
}

static uint64_t
of_eu(unsigned increment, unsigned fine, const uint64_t *eu)
{
   bool classes = fine >= HYBRID && fine <= MOV, start = fine == SEND_START;
   switch (increment) {
   case FPU0:
      return classes ? of_class(eu, true, false, fine)
             : start ? 0
                     : sum(eu, OA_FPU0_MOV, OA_FPU0_OTHER);
   case FPU1:
      return classes ? of_class(eu, false, true, fine)
             : start ? 0
                     : sum(eu, OA_FPU1_BINARY, OA_FPU1_OTHER);
   case SENDS:
      return classes ? 0 : eu[OA_SEND];
   case BOTH:
      return classes || start ? 0 : eu[OA_FPU_BOTH];
   case SOME:
      return classes ? of_class(eu, true, true, fine)
             : start ? eu[OA_SEND]
                     : sum(eu, 0, OA_CLOCK_EVENTS - 1) - eu[OA_FPU_BOTH];
   case STALL:
      return classes || start ? 0 : eu[OA_STALLED];
   default:
      return 0;
   }
}

static bool
assigned(unsigned coarse, unsigned fine)
{
   return coarse <= ROW1 && fine <= EU3 && fine != 6;
}

/* Had the EU threads of a stage that passes? */
static bool
any_loaded(const struct oa_events *e, unsigned coarse, unsigned eu)
{
   for (unsigned s = 0; s < OA_STAGES; s++)
      if (coarse_stage(coarse, s) &&
          sum(e->eu[s][eu], 0, OA_CLOCK_EVENTS - 1) + e->eu[s][eu][OA_WAITED])
         return true;
   return coarse == 0 || coarse == ROW0 || coarse == ROW1;
}

uint64_t
oa_flexible(uint32_t field, const struct oa_events *e, const uint64_t pulses[OA_EUS])
{
   struct gen11_oa_eu_event event;
   gen11_oa_eu_event_unpack(&event, &field);
   unsigned increment = event.increment_event, coarse = event.coarse_filter,
            fine = event.fine_filter;
   uint64_t n = 0;
   if (!assigned(coarse, fine)) /* SYS-407: masks everything */
      return 0;
   for (unsigned eu = 0; eu < OA_EUS; eu++) {
      if (!place_passes(coarse, fine, eu))
         continue;
      if (increment == INTEGRATOR) {
         n += fine < EU0 && fine ? 0 : any_loaded(e, coarse, eu) ? pulses[eu] : 0;
         continue;
      }
      for (unsigned s = 0; s < OA_STAGES; s++)
         if (coarse_stage(coarse, s))
            n += of_eu(increment, fine, e->eu[s][eu]);
   }
   return n;
}

/* ---- rules ----------------------------------------------------------------------------------- */

#define BIT(n) (1u << (n))
#define FINE_EUS (BIT(7) | BIT(8) | BIT(9) | BIT(10))

static const struct {
   uint16_t coarse, fine; /* that are supported */
   const char *row;
} legal[16] = {
    [SENDS] = {0x1ff, BIT(0) | BIT(SEND_START) | FINE_EUS, "SYS-381"},
    [BOTH] = {BIT(0) | BIT(ROW0) | BIT(ROW1), BIT(0) | FINE_EUS, "SYS-382"},
    [SOME] = {BIT(0) | BIT(ROW0) | BIT(ROW1), BIT(0) | BIT(SEND_START) | FINE_EUS, "SYS-383"},
    [STALL] = {BIT(0) | BIT(ROW0) | BIT(ROW1), BIT(0) | FINE_EUS, "SYS-384"},
    [INTEGRATOR] = {BIT(0) | BIT(ROW0) | BIT(ROW1), BIT(0) | FINE_EUS, "SYS-385"},
};

static void
check_field(const struct oa11 *o, uint32_t field)
{
   struct gen11_oa_eu_event event;
   gen11_oa_eu_event_unpack(&event, &field);
   unsigned increment = event.increment_event, coarse = event.coarse_filter,
            fine = event.fine_filter;
   if (increment == NO_EVENT)
      return;
   bool known = increment <= STALL || increment == INTEGRATOR;
   if (!known || !assigned(coarse, fine))
      o->host->rule(o->data, "SYS-407", "EU_PERF_CNT_CTL",
                    "the code of an event or of a filter is not assigned; nothing is counted");
   else if (legal[increment].row &&
            !(legal[increment].coarse >> coarse & legal[increment].fine >> fine & 1))
      o->host->rule(o->data, legal[increment].row, "EU_PERF_CNT_CTL",
                    "a filter that this increment event does not support");
   else if (fine == SEND_START && increment <= FPU1)
      o->host->rule(o->data, "SYS-401", "EU_PERF_CNT_CTL",
                    "starts of sends are asked of a pipeline that has none");
}

void
oa_flexible_check(const struct oa11 *o, uint32_t value)
{
   check_field(o, hw_get(value, REG_ICL_EU_PERF_CNT_CTL0__EVENT_0));
   check_field(o, hw_get(value, REG_ICL_EU_PERF_CNT_CTL0__EVENT_1));
}
