/* The performance counters in the part: their registers, clock, contexts, reports and interrupt.
 * The unit itself is src/oa. */
#include "gen11/mi.h"

#define CLOCKS_PER_NS 1u /* the render clock: 1 GHz, 60 times 16.667 MHz (SYS-309) */
#define CLOCK_RATIO 60u

/* ---- what the unit asks of the part -----------------------------------------------------------
 */

static void
write_report(void *data, uint64_t address, bool ggtt, const void *bytes, size_t size)
{
   struct gen11 *g = data;
   gen11_mem_write(&g->engine[GEN11_RCS0], !ggtt, address, bytes, size);
}

/* SYS-277, SYS-279: this bit of the vector and no other is OA's. */
static void
half_full(void *data)
{
   struct gen11 *g = data;
   uint32_t message = interrupt_message(GEN11_INTERRUPT_CLASS_OTHER, GEN11_INTERRUPT_OTHER_WDOAPERF,
                                        GEN11_WDOAPERF_EVENTS__OA_BUFFER_HALF_FULL);
   interrupts_message(&g->host, message);
   interrupts_message(&g->scheduler, message);
}

static void
broken_rule(void *data, const char *row, const char *reg, const char *text)
{
   struct gen11 *g = data;
   struct rule_place place = {.engine = "OA", .subject = reg};
   rule_report(g->dev, PERGOLA_WARNING, row, &place, "%s", text);
}

void
gen11_oa_init(struct gen11 *g)
{
   static const struct oa11_host host = {write_report, half_full, broken_rule};
   oa11_init(&g->oa, &host, g);
   gen11_oa_reset(g);
}

/* SYS-247: the whole GT only. */
void
gen11_oa_reset(struct gen11 *g)
{
   oa11_reset(&g->oa);
   g->oa_ns = g->dev->time_ns;
   g->oa.timestamp = gen11_ticks(g->oa_ns);
   g->oa.slice_ratio = g->oa.unslice_ratio = CLOCK_RATIO;
}

/* ---- time -------------------------------------------------------------------------------------
 */

/* Lets the counters come to the present. What changes how they count calls it first. */
void
gen11_oa_settle(struct gen11 *g)
{
   uint64_t now = g->dev->time_ns, passed = now - g->oa_ns;
   if (!passed)
      return;
   g->oa_ns = now;
   oa11_advance(&g->oa, passed * CLOCKS_PER_NS, gen11_ticks(now), gen11_busy(g), NULL);
}

bool
gen11_oa_waits(const struct gen11 *g)
{
   return g->oa.control & REG_ICL_OACONTROL__COUNTER_ENABLE &&
          g->oa.ctx_control & REG_ICL_OACTXCONTROL__TIMER_ENABLE &&
          !(g->oa.imr & REG_ICL_OA_IMR__BUFFER_HALF_FULL);
}

/* ---- registers --------------------------------------------------------------------------------
 */

uint32_t
gen11_oa_read(struct gen11 *g, uint32_t offset)
{
   gen11_oa_settle(g);
   return oa11_read(&g->oa, offset);
}

/* SYS-369: the outputs of all EUs are summed. */
static void
check_uniform(struct gen11 *g, const struct reg_write *w)
{
   if (w->row->offset < REG_ICL_EU_PERF_CNT_CTL0 || w->row->offset > REG_ICL_EU_PERF_CNT_CTL3 ||
       reg_get(g->dev, REG_ICL_MCR_SELECTOR) & REG_ICL_MCR_SELECTOR__MULTICAST)
      return;
   struct rule_place place = {w->engine, w->row->layout->name, NULL, w->row->offset, true};
   rule_report(g->dev, PERGOLA_WARNING, "SYS-369", &place,
               "flexible events of one subslice alone are written; all EUs take them");
}

void
gen11_oa_written(struct gen11 *g, const struct reg_write *w)
{
   uint32_t offset = w->row->offset, stored = w->stored, mask = w->byte_mask;
   check_uniform(g, w);
   gen11_oa_settle(g);
   if (w->row->access == HW_MASKED)
      stored = (stored & 0xffff) | 0xffff0000;
   else /* bytes that are not written keep what the unit has by now */
      stored = (stored & mask) | (oa11_read(&g->oa, offset) & ~mask);
   oa11_write(&g->oa, offset, stored);
   reg_set(g->dev, offset, oa11_read(&g->oa, offset));
}

/* ---- contexts ---------------------------------------------------------------------------------
 */

/* SYS-305, SYS-322, SYS-323. The registers that are part of the context follow. */
void
gen11_oa_context_load(struct engine *e, uint32_t id)
{
   gen11_oa_settle(e->g);
   oa11_context(&e->g->oa, true, id);
}

/* The render streamer has run out of contexts: the last one is switched away from. */
void
gen11_oa_context_idle(struct engine *e)
{
   gen11_oa_settle(e->g);
   oa11_context(&e->g->oa, false, e->g->oa.context);
}

/* ---- the command ------------------------------------------------------------------------------
 */

/* SYS-238, SYS-412 */
void
mi_report_counters(struct engine *e, const struct mi_command *c)
{
   struct gen11 *g = e->g;
   struct gen11_mi_report_perf_count v;
   uint32_t report[OA11_REPORT_MAX_DW];
   bool ppgtt;
   gen11_mi_report_perf_count_unpack(&v, c->dw);
   if (!mi_space(e, c, v.use_global_gtt, &ppgtt))
      return;
   gen11_oa_settle(g);
   if (!(g->oa.control & REG_ICL_OACONTROL__COUNTER_ENABLE))
      gen11_report(e, "SYS-412", c->name, v.memory_address,
                   "the counters are off: the report holds what they hold");
   unsigned count = oa11_command_report(&g->oa, v.report_id, report);
   gen11_mem_write(e, ppgtt, v.memory_address, report, 4 * count);
}
