/* The performance counters as Ice Lake has them: A, B and C counters, triggers, custom and flexible
 * events, reports and their buffer.
 *
 * A unit by itself: the part that has it routes registers, commands, contexts and clocks to it and
 * says by struct oa11_host where reports, interrupts and diagnostics go. */
#ifndef PERGOLA_OA_GEN11_H
#define PERGOLA_OA_GEN11_H

#include "oa/events.h"

#include "gen7_hw.h"

#include <stdbool.h>
#include <stddef.h>

#define OA11_A 36u      /* A0..A35 */
#define OA11_WIDE_A 32u /* of these have 40 bits */
#define OA11_B 8u
#define OA11_C 8u
#define OA11_FREE 4u /* A4, A6, A19, A20 once more, free-running */
#define OA11_CTL 7u  /* EU_PERF_CNT_CTL0..6 */
#define OA11_FLEXIBLE (2 * OA11_CTL)
#define OA11_REPORT_MAX_DW 64u
#define OA11_NOA 59u /* registers that route internal signals */

/* Report Reason, bits of RPT_ID[24:19]. */
enum oa11_reason {
   OA11_TIMER = 1 << 0,
   OA11_TRIGGER1 = 1 << 1,
   OA11_TRIGGER2 = 1 << 2,
   OA11_CONTEXT = 1 << 3,
   OA11_GO = 1 << 4,
   OA11_CLOCK = 1 << 5,
};

struct oa11_host {
   /* A report, to a graphics address. */
   void (*write)(void *data, uint64_t address, bool ggtt, const void *bytes, size_t size);
   /* SYS-279: WDOAPerf, vector bit 12. The mask has been applied. */
   void (*half_full)(void *data);
   /* A rule is broken: its row, the register and a sentence. */
   void (*rule)(void *data, const char *row, const char *reg, const char *text);
};

/* A custom event block (SYS-411), and what it keeps from clock to clock. */
struct oa_custom {
   uint32_t cec[2];
   uint16_t last; /* the bits that it selected in the clock before */
};

/* A trigger block (SYS-319). */
struct oa_trigger {
   uint32_t reg[4]; /* TRIG1..4, or TRIG5..8 */
   uint16_t count;
   uint16_t last; /* signals of the clock before, for edges */
   bool fired;    /* start: since OA was enabled */
   bool was;      /* report: the result of the clock before */
};

struct oa11_power {
   uint64_t a[OA11_A], free[OA11_FREE];
   uint32_t b[OA11_B], c[OA11_C], ctl[OA11_CTL], ticks;
};

struct oa11 {
   const struct oa11_host *host;
   void *data;
   bool slm_atomics; /* SYS-365: A34 counts those to SLM; not on Ice Lake */

   /* SYS-273: what power management saves. */
   struct oa11_power live, saved;

   uint32_t ctx_control, ctx_id, control, debug, status, head, tail, buffer, buffer_upper, imr;
   struct oa_trigger start[2], report[2];
   struct oa_custom custom[OA11_B];
   /* The custom events have come to a cycle of so many clocks (0: not known), as long as nothing is
    * written and the signals stay; what it adds to counters that count. */
   uint32_t cycle, cycle_b[OA11_B], cycle_c[OA11_C];
   uint16_t cycle_signals;
   uint8_t booleans;       /* outputs of the blocks in the clock before */
   uint16_t signals;       /* internal signals: none in the model, unless a test gives some */
   uint8_t loaded[OA_EUS]; /* thread-clocks of an EU, modulo 8 (SYS-379) */

   bool context_valid;
   uint32_t context;
   uint16_t slice_ratio, unslice_ratio; /* SYS-309: units of 16.667 MHz */
   uint64_t timestamp;
   uint64_t clock;       /* render clocks, ever */
   uint64_t report_done; /* clock at which the report under way has been written */
   uint64_t unread;      /* bytes between head and tail */
   bool half_full;
   uint32_t noa[OA11_NOA];
};

void oa11_init(struct oa11 *o, const struct oa11_host *host, void *data);
/* SYS-247: GT global reset; engine resets leave the unit alone. */
void oa11_reset(struct oa11 *o);

/* Registers: whole dwords. */
bool oa11_owns(uint32_t offset);
uint32_t oa11_read(const struct oa11 *o, uint32_t offset);
void oa11_write(struct oa11 *o, uint32_t offset, uint32_t value);
/* Offsets of EU_PERF_CNT_CTL0..6. */
extern const uint16_t oa11_ctl[OA11_CTL];

/* The part's clock has gone on by so many render clocks; timestamp: as it is then. busy: an engine
 * had work. events: what happened meanwhile, or NULL. */
void oa11_advance(struct oa11 *o, uint64_t clocks, uint64_t timestamp, bool busy,
                  const struct oa_events *events);
/* RCS loads a context; the registers that are part of it are written afterwards. */
void oa11_context(struct oa11 *o, bool valid, uint32_t id);
void oa11_clock_ratio(struct oa11 *o, unsigned slice, unsigned unslice);
/* The GT goes to sleep (GO falls), and wakes again: SYS-252. */
void oa11_sleep(struct oa11 *o);
void oa11_wake(struct oa11 *o);
/* MI_REPORT_PERF_COUNT: the report; returns its dwords. */
unsigned oa11_command_report(struct oa11 *o, uint32_t id, uint32_t report[OA11_REPORT_MAX_DW]);

struct snapshot;
void oa11_snapshot(struct oa11 *o, struct snapshot *s);

/* ---- parts of the unit ---- */

/* One clock of all custom event blocks; returns their outputs. */
uint8_t oa_custom_clock(struct oa_custom block[OA11_B], uint16_t signals, uint8_t booleans);
/* One clock of a trigger block; true: the start trigger has fired, ever; a report is due. */
bool oa_start_clock(struct oa_trigger *t, uint16_t signals, bool strobe);
bool oa_report_clock(struct oa_trigger *t, uint16_t signals, bool strobe);
/* Do clocks with these signals and no strobe leave it as it is? */
bool oa_start_settled(const struct oa_trigger *t, uint16_t signals);
/* SYS-368: what events add to flexible event `field` (12 bits). pulses: of the integrator, by EU.
 */
uint64_t oa_flexible(uint32_t field, const struct oa_events *e, const uint64_t pulses[OA_EUS]);
/* Names what is wrong with a value of EU_PERF_CNT_CTL. */
void oa_flexible_check(const struct oa11 *o, uint32_t value);
/* gen11_report.c: a report by an internal trigger goes to the buffer. */
void oa11_buffer_report(struct oa11 *o, unsigned reasons);
void oa11_buffer_level(struct oa11 *o);
/* Bytes of the report buffer. */
static inline uint64_t
oa11_buffer_size(const struct oa11 *o)
{
   return UINT64_C(131072) << hw_get(o->buffer, REG_ICL_OABUFFER__SIZE); /* SYS-260 */
}

#endif
