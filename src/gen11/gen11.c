/* The GT as a whole: creation, reset, side effects of registers, the engines' turns. */
#include "gen11/gen11_internal.h"
#include "machine/snapshot.h"

#include <stdlib.h>
#include <string.h>

#define GTT_SIZE GEN11_GTT_WINDOW /* the upper half of the BAR */
#define ENGINE_BLOCK_SIZE 0x1000u
#define TIMESTAMP_MASK ((UINT64_C(1) << 36) - 1) /* RING_TIMESTAMP */
#define QUANTUM 256u

#define MASTER(name) REG_ICL_MASTER_INTERRUPT__##name
#define SYSTEM_EVENT REG_ICL_GU_MISC_IIR__SYSTEM_EVENT

/* ---- creation ---------------------------------------------------------------------------------
 */

/* SYS-035: of the physical function; the others' lines lead nowhere without virtual functions. */
static void
host_line(struct interrupts *i, unsigned vm, bool level)
{
   struct pergola_device *dev = i->dev;
   if (vm)
      return;
   dev->interrupt_line = level;
   dev->calls->interrupt_changed(dev, level);
   if (dev->interrupt_fn)
      dev->interrupt_fn(dev->interrupt_data, level);
}

static void
fill_steered(struct gen11 *g)
{
   memset(g->steered, 0, STEER_SLICES * sizeof(g->steered[0]));
}

static void
make_interrupts(struct gen11 *g, struct interrupts *i)
{
   uint32_t fused = reg_get(g->dev, REG_ICL_MEDIA_DISABLE);
   i->dev = g->dev;
   i->decode_units = (uint8_t)hw_get(~fused, REG_ICL_MEDIA_DISABLE__VDBOX);
   i->enhance_units = (uint8_t)hw_get(~fused, REG_ICL_MEDIA_DISABLE__VEBOX);
   interrupts_reset(i);
}

struct gen11 *
gen11_create(struct pergola_device *dev)
{
   struct gen11 *g = calloc(1, sizeof(*g));
   if (!g)
      return NULL;
   g->dev = dev;
   g->slices = g->slice_enable = 1;
   g->gtt = calloc(1, GTT_SIZE);
   g->steered = calloc(STEER_SLICES, sizeof(g->steered[0]));
   if (!g->gtt || !g->steered) {
      gen11_destroy(g);
      return NULL;
   }
   make_interrupts(g, &g->host);
   make_interrupts(g, &g->scheduler);
   g->host.line_changed = host_line;
   for (unsigned e = 0; e < GEN11_ENGINES; e++)
      g->engine[e] =
          (struct engine){.g = g, .info = &gen11_engines[e], .id = e, .arbitrates = true};
   gen11_oa_init(g);
   return g;
}

void
gen11_destroy(struct gen11 *g)
{
   if (!g)
      return;
   free(g->gtt);
   free(g->steered);
   free(g);
}

void
gen11_set_power_gating(struct gen11 *g, bool on)
{
   g->power_gating = on;
}

void
gen11_set_slices(struct gen11 *g, unsigned count, uint8_t enabled)
{
   g->slices = (uint8_t)(count < STEER_SLICES ? count : STEER_SLICES);
   g->slice_enable = enabled;
}

/* ---- reset ------------------------------------------------------------------------------------
 */

/* SYS-423: which engines a request names. */
static void
gen11_reset(struct gen11 *g, uint32_t gdrst)
{
   for (unsigned e = 0; e < GEN11_ENGINES; e++)
      if (gdrst & (REG_ICL_GDRST__FULL | gen11_engines[e].gdrst))
         gen11_engine_reset(&g->engine[e]);
   if (gdrst & REG_ICL_GDRST__FULL) {
      regs_reset(g->dev, 1u << HW_RESET_FULL);
      fill_steered(g);
      gen11_oa_reset(g);
      g->cs_awake = 0;
   }
   rules_clear_stop(g->dev);
}

void
gen11_function_reset(struct gen11 *g)
{
   gen11_reset(g, REG_ICL_GDRST__FULL);
   regs_reset(g->dev, 1u << HW_RESET_NONE);
   interrupts_reset(&g->host);
   interrupts_reset(&g->scheduler);
}

/* ---- side effects -----------------------------------------------------------------------------
 */

uint64_t
gen11_timestamp(const struct gen11 *g)
{
   return gen11_ticks(g->dev->time_ns) & TIMESTAMP_MASK;
}

static struct engine *
engine_at(struct gen11 *g, uint32_t offset)
{
   for (unsigned e = 0; e < GEN11_ENGINES; e++)
      if (offset - gen11_engines[e].base < ENGINE_BLOCK_SIZE)
         return &g->engine[e];
   return NULL;
}

static uint32_t
engine_read(struct engine *e, uint32_t reg, uint32_t stored)
{
   if (reg == ENGINE_RING_TIMESTAMP)
      return (uint32_t)gen11_timestamp(e->g);
   if (reg == ENGINE_RING_TIMESTAMP + 4)
      return (uint32_t)(gen11_timestamp(e->g) >> 32);
   if (reg == ENGINE_RING_MI_MODE) {
      bool idle = stored & REG_RCS0_RING_MI_MODE__STOP || e->current >= e->count;
      return stored | (idle ? REG_RCS0_RING_MI_MODE__IDLE : 0);
   }
   return stored;
}

uint32_t
gen11_register_read(struct pergola_device *dev, const struct hw_register *row, uint32_t stored)
{
   struct gen11 *g = dev->gen11;
   uint32_t offset = row->offset;
   switch (offset) {
   case REG_ICL_MASTER_INTERRUPT:
      return interrupts_master(&g->host, 0);
   case REG_ICL_GT_INT_DW_0:
   case REG_ICL_GT_INT_DW_1:
      return interrupts_read_dw(&g->host, 0, offset == REG_ICL_GT_INT_DW_1);
   case REG_ICL_IDENTITY_0:
   case REG_ICL_IDENTITY_1:
      return g->host.vm[0].shared[offset == REG_ICL_IDENTITY_1];
   case REG_ICL_SELECTOR_0:
   case REG_ICL_SELECTOR_1:
      return g->host.vm[0].selector[offset == REG_ICL_SELECTOR_1];
   case REG_ICL_SLICE_ENABLE:
      return g->slice_enable;
   default:
      break;
   }
   if (oa11_owns(offset))
      return gen11_oa_read(g, offset);
   struct engine *e = engine_at(g, offset);
   return e ? engine_read(e, offset - e->info->base, stored) : stored;
}

static void
engine_written(struct engine *e, const struct reg_write *w)
{
   switch (w->row->offset - e->info->base) {
   case ENGINE_EXECLIST_CONTROL:
      if (w->stored & REG_RCS0_EXECLIST_CONTROL__LOAD)
         gen11_execlist_load(e);
      break;
   case ENGINE_RESET_CTL: /* SYS-423: ready as soon as it is asked for */
      engine_set(e, ENGINE_RESET_CTL,
                 w->stored & REG_RCS0_RESET_CTL__REQUEST
                     ? REG_RCS0_RESET_CTL__REQUEST | REG_RCS0_RESET_CTL__READY
                     : 0);
      break;
   case ENGINE_R_PWR_CLK_STATE: /* SYS-420 */
      if (w->stored & REG_RCS0_R_PWR_CLK_STATE__FORCE_MEDIA_AWAKE)
         e->g->cs_awake |= WAKE_ALL_MEDIA;
      else
         e->g->cs_awake &= ~WAKE_ALL_MEDIA;
      break;
   case ENGINE_RING_TAIL:
   case ENGINE_RING_CTL:
   case ENGINE_EXECLIST_SUBMIT:
      gen11_report(e, "GEN11-10", w->row->layout->name, w->row->offset,
                   "work is submitted by the submission queue only; nothing comes of this write");
      break;
   default:
      break;
   }
}

/* The sources of the master beside the GT. */
static void
update_other(struct gen11 *g)
{
   struct pergola_device *dev = g->dev;
   interrupts_set_other(&g->host, 0, MASTER(GU_MISC),
                        reg_get(dev, REG_ICL_GU_MISC_IIR) & reg_get(dev, REG_ICL_GU_MISC_IER));
   interrupts_set_other(&g->host, 0, MASTER(PCU),
                        reg_get(dev, REG_ICL_PCU_IIR) & reg_get(dev, REG_ICL_PCU_IER));
   uint32_t display = reg_get(dev, REG_ICL_DISPLAY_INTERRUPT);
   interrupts_set_other(&g->host, 0, MASTER(DISPLAY),
                        display & REG_ICL_DISPLAY_INTERRUPT__DISPLAY_INTERRUPT_ENABLE &&
                            display & REG_ICL_DISPLAY_INTERRUPT__SOURCES);
}

void
gen11_system_event(struct gen11 *g)
{
   if (reg_get(g->dev, REG_ICL_GU_MISC_IMR) & SYSTEM_EVENT)
      return;
   reg_set(g->dev, REG_ICL_GU_MISC_IIR, reg_get(g->dev, REG_ICL_GU_MISC_IIR) | SYSTEM_EVENT);
   update_other(g);
}

static void
display_event(struct gen11 *g, uint32_t bits)
{
   reg_set(g->dev, REG_ICL_DISPLAY_INTERRUPT, bits);
   update_other(g);
}

/* The register file keeps no value where the unit has the state. */
static bool
interrupt_written(struct gen11 *g, const struct reg_write *w)
{
   uint32_t offset = w->row->offset;
   unsigned dw = offset >> 2 & 1;
   switch (offset) {
   case REG_ICL_MASTER_INTERRUPT:
      if (w->byte_mask & MASTER(MASTER_CONTROL_ENABLE))
         interrupts_enable_master(&g->host, 0, w->stored & MASTER(MASTER_CONTROL_ENABLE));
      break;
   case REG_ICL_GT_INT_DW_0:
   case REG_ICL_GT_INT_DW_1:
      interrupts_clear_dw(&g->host, 0, dw, w->stored & w->byte_mask);
      break;
   case REG_ICL_IDENTITY_0:
   case REG_ICL_IDENTITY_1:
      interrupts_end_service(&g->host, 0, dw, w->stored & w->byte_mask);
      break;
   case REG_ICL_SELECTOR_0:
   case REG_ICL_SELECTOR_1:
      interrupts_select(&g->host, 0, dw, w->stored & w->byte_mask);
      break;
   case REG_ICL_DISPLAY_INTERRUPT:
      display_event(g, w->stored);
      return true;
   case REG_ICL_GU_MISC_IIR:
   case REG_ICL_GU_MISC_IER:
   case REG_ICL_PCU_IIR:
   case REG_ICL_PCU_IER:
      update_other(g);
      return true;
   default:
      return false;
   }
   reg_set(g->dev, offset, 0);
   return true;
}

/* SYS-067, SYS-068, SYS-070: two units a register, the first-named one in the high half. */
#define FIRST(value) hw_get(value, REG_ICL_RENDER_COPY_INTR_ENABLE__FIRST)
#define SECOND(value) hw_get(value, REG_ICL_RENDER_COPY_INTR_ENABLE__SECOND)
static bool
gate_written(struct gen11 *g, const struct reg_write *w)
{
   static const uint32_t masks[] = {REG_ICL_RCS0_RSVD_INTR_MASK,   REG_ICL_BCS_RSVD_INTR_MASK,
                                    REG_ICL_VCS0_VCS1_INTR_MASK,   REG_ICL_VCS2_VCS3_INTR_MASK,
                                    REG_ICL_VCS4_VCS5_INTR_MASK,   REG_ICL_VCS6_VCS7_INTR_MASK,
                                    REG_ICL_VECS0_VECS1_INTR_MASK, REG_ICL_VECS2_VECS3_INTR_MASK,
                                    REG_ICL_GUC_SG_INTR_MASK,      REG_ICL_GPM_WGBOXPERF_INTR_MASK,
                                    REG_ICL_CRYPTO_RSVD_INTR_MASK, REG_ICL_GUNIT_CSME_INTR_MASK};
   uint32_t offset = w->row->offset;
   if (offset >= REG_ICL_RENDER_COPY_INTR_ENABLE && offset <= REG_ICL_GUNIT_CSME_INTR_ENABLE) {
      unsigned n = (offset - REG_ICL_RENDER_COPY_INTR_ENABLE) / 2;
      g->host.enable[n] = (uint16_t)FIRST(w->stored);
      g->host.enable[n + 1] = (uint16_t)SECOND(w->stored);
      return true;
   }
   for (unsigned i = 0; i < sizeof(masks) / sizeof(masks[0]); i++)
      if (masks[i] == offset) {
         interrupts_mask_written(&g->host, 2 * i, (uint16_t)FIRST(w->stored));
         interrupts_mask_written(&g->host, 2 * i + 1, (uint16_t)SECOND(w->stored));
         return true;
      }
   return false;
}

/* SYS-164..177, SYS-183: the acknowledgement follows at once. */
static bool
wake_written(struct gen11 *g, const struct reg_write *w)
{
   uint32_t offset = w->row->offset, ack;
   if (offset == REG_ICL_FORCEWAKE_GT)
      ack = REG_ICL_FORCEWAKE_ACK_GT;
   else if (offset == REG_ICL_FORCEWAKE_RENDER)
      ack = REG_ICL_FORCEWAKE_ACK_RENDER;
   else if (offset >= REG_ICL_FORCEWAKE_MEDIA_VDBOX_0 && offset <= REG_ICL_FORCEWAKE_MEDIA_VEBOX_3)
      ack = offset - REG_ICL_FORCEWAKE_MEDIA_VDBOX_0 + REG_ICL_FORCEWAKE_ACK_MEDIA_VDBOX_0;
   else
      return false;
   reg_set(g->dev, ack, w->stored & REG_ICL_FORCEWAKE_GT__REQUESTS);
   return true;
}

/* Units beside the GT that answer the driver and are not modelled further. */
static bool
neighbour_written(struct gen11 *g, const struct reg_write *w)
{
   uint32_t offset = w->row->offset;
   if (offset >= REG_ICL_POWER_WELL_0 && offset <= REG_ICL_POWER_WELL_DDI_3) {
      /* A well is on as soon as it is asked for: bits in pairs, the request above the state. */
      uint32_t asked = w->stored & (REG_ICL_POWER_WELL_0__REQUEST_0 * 0x55555555u);
      reg_set(g->dev, offset, asked | asked >> 1);
      return true;
   }
   if (offset == REG_ICL_PCODE_MAILBOX) { /* taken, success */
      reg_set(g->dev, offset, 0);
      return true;
   }
   if (offset >= REG_ICL_FENCE_0 && offset <= REG_ICL_FENCE_31 + 4) {
      if (!w->row->dword && w->stored & REG_ICL_FENCE_0__VALID) {
         struct rule_place place = {"bus", w->row->layout->name, NULL, offset, true};
         rule_report(g->dev, PERGOLA_WARNING, "GEN11-40", &place,
                     "fences are not modelled on this part: the aperture stays linear");
      }
      return true;
   }
   return false;
}

void
gen11_register_written(struct pergola_device *dev, const struct reg_write *w)
{
   struct gen11 *g = dev->gen11;
   if (interrupt_written(g, w) || gate_written(g, w) || wake_written(g, w) ||
       neighbour_written(g, w))
      return;
   uint32_t offset = w->row->offset;
   if (oa11_owns(offset)) {
      gen11_oa_written(g, w);
   } else if (offset == REG_ICL_GDRST) {
      gen11_reset(g, w->stored);
      reg_set(dev, offset, 0);
   } else if (offset >= REG_ICL_TLB_INVALIDATE_0 && offset <= REG_ICL_TLB_INVALIDATE_4) {
      reg_set(dev, offset, 0); /* nothing is cached: done */
   } else if (offset == REG_ICL_GFX_FLUSH_CNTL) {
      reg_set(dev, offset, 0);
   } else {
      struct engine *e = engine_at(g, offset);
      if (e)
         engine_written(e, w);
   }
}

void
gen11_where(const struct pergola_device *dev, enum engine_id engine, struct machine_where *w)
{
   (void)dev;
   (void)engine;
   *w = (struct machine_where){0};
}

/* ---- turns ------------------------------------------------------------------------------------
 */

struct turn {
   bool ran, waits;
};

static void
take_turn(struct engine *e, uint64_t *budget, struct turn *t)
{
   for (unsigned i = 0; i < QUANTUM && *budget && !rules_stopped(e->g->dev); i++) {
      if (!gen11_step(e))
         break;
      t->ran = true;
      --*budget;
   }
   t->waits |= e->waits;
}

enum pergola_run_result
gen11_run(struct gen11 *g, uint64_t limit)
{
   uint64_t budget = limit ? limit : UINT64_MAX;
   for (;;) {
      struct turn t = {0};
      for (unsigned e = 0; e < GEN11_ENGINES && budget; e++)
         take_turn(&g->engine[e], &budget, &t);
      if (rules_stopped(g->dev))
         return PERGOLA_RUN_STOPPED;
      if (!budget)
         return PERGOLA_RUN_BUDGET;
      if (t.ran)
         continue;
      gen11_oa_settle(g);
      return t.waits || gen11_oa_waits(g) ? PERGOLA_RUN_WAITING : PERGOLA_RUN_IDLE;
   }
}

/* ---- snapshot ---------------------------------------------------------------------------------
 */

static void
engine_snapshot(struct engine *e, struct snapshot *s)
{
   SNAPSHOT_LOOKED_AT(struct engine, 208);
   SNAP_ARRAY(s, e->list);
   SNAP_ARRAY(s, e->pending);
   SNAP_BELOW(s, e->count, EXECLIST_ELEMENTS + 1);
   SNAP_BELOW(s, e->current, EXECLIST_ELEMENTS);
   SNAP_BELOW(s, e->pending_count, EXECLIST_ELEMENTS + 1);
   SNAP(s, e->loaded);
   SNAP(s, e->arbitrates);
   SNAP(s, e->waits);
   SNAP(s, e->predicated);
   SNAP_BELOW(s, e->level, 3);
   for (unsigned i = 0; i < 3; i++)
      SNAP(s, e->batch_ppgtt[i]);
   SNAP_ARRAY(s, e->batch);
   SNAP(s, e->started_ns);
   SNAP(s, e->requests);
}

void
gen11_snapshot(struct gen11 *g, struct snapshot *s)
{
   struct pergola_device *dev = g->dev;
   snapshot_room(s, "GN11");
   for (uint32_t i = 0; i < MMIO_REGISTERS_SIZE / 4; i++)
      if (dev->reg_row[i])
         SNAP(s, dev->mmio[i]);
   snapshot_sparse(s, g->gtt, GTT_SIZE);
   snapshot_sparse(s, g->steered, STEER_SLICES * sizeof(g->steered[0]));
   interrupts_snapshot(&g->host, s);
   interrupts_snapshot(&g->scheduler, s);
   for (unsigned e = 0; e < GEN11_ENGINES; e++)
      engine_snapshot(&g->engine[e], s);
   oa11_snapshot(&g->oa, s);
   SNAP(s, g->power_gating);
   SNAP(s, g->cs_awake);
   SNAP_BETWEEN(s, g->slices, 1, (int)STEER_SLICES);
   SNAP(s, g->slice_enable);
   SNAP(s, dev->time_ns);
   SNAP(s, g->oa_ns);
   snapshot_check(s, g->oa_ns <= dev->time_ns && g->oa.timestamp <= gen11_ticks(dev->time_ns),
                  "the time of the counters");
   SNAP(s, dev->interrupt_line);
   SNAP(s, dev->io_index);
}
