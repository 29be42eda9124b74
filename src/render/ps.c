/* Pixel shader threads: what they have in common, and what is said at their end. */
#include "render/ps_start.h"

#define FFID_WM 15u /* G3D-097: the windower, as threads know it */

unsigned
ps_kernel(const struct gen7_3dstate_ps *ps, unsigned width)
{
   return width == 16 && (ps->_8_pixel_dispatch_enable || ps->_32_pixel_dispatch_enable);
}

/* ---- what the data port asks of a thread ---------------------------------------------------- */

static bool
bypass(void *data, const struct eu_thread *t, unsigned slot_group, struct rt_bypass *out)
{
   const struct ps_worker *w = data;
   *out = w->bypass;
   return t == w->stage.t && !slot_group;
}

static struct rt_record *
record(void *data, const struct eu_thread *t)
{
   struct ps_worker *w = data;
   return t == w->stage.t ? &w->record : NULL;
}

/* ---- start ---------------------------------------------------------------------------------- */

/* A thread of so many pixels as it is dispatched, but for what ps_fill gives it. */
static void
prepare_thread(struct ps_worker *w, unsigned width)
{
   const struct draw *d = &w->r->draw;
   const struct gen7_3dstate_ps *ps = &d->ps;
   unsigned kernel = ps_kernel(ps, width);
   unsigned first = w->r->walk.common[kernel].first, count = w->r->walk.common[kernel].count;
   struct eu_thread *t = stage_fresh(
       &w->stage, kernel, FFID_WM, kernel ? ps->kernel_start_pointer_2 : ps->kernel_start_pointer_0,
       (1u << width) - 1);
   t->cr0[0] = ps->rounding_mode << 4;
   t->cr0[1] = (uint32_t)ps->mask_stack_exception_enable << 11 |
               (uint32_t)ps->illegal_opcode_exception_enable << 12 |
               (uint32_t)ps->software_exception_enable << 13;
   t->single_program_flow = ps->single_program_flow;
   t->alt_mode = ps->floating_point_mode != 0;
   t->binding_table = d->binding_table;
   t->sampler_states = d->samplers;
   t->sampler_count = ps->sampler_count;
   eu_thread_mark(t, 0, 2 + ps_own_registers(d, width));
   eu_thread_mark(t, first, count);
   w->stage.common[kernel] = (struct stage_common){
       .first = first, .count = count, .row = (const uint32_t(*)[8])w->r->walk.common[kernel].row};
}

static void
prepare(struct stage_worker *stage)
{
   struct ps_worker *w = ps_of(stage);
   struct render *r = w->r = stage->crew->data;
   stage->env = r->draw.env;
   stage->env.pixel = &w->pixel;
   w->pixel =
       (struct pixel_backend){.data = w, .bypass = bypass, .now = &w->bypass, .record = record};
   w->bypass = (struct rt_bypass){.omask = r->draw.ps.omask_present_to_rendertarget};
   prepare_thread(w, r->walk.width);
   if (r->draw.ps._8_pixel_dispatch_enable && r->walk.width != 8)
      prepare_thread(w, 8);
}

static void
take(struct stage_worker *w)
{
   wm_seek(ps_of(w));
}

static bool
next(struct stage_worker *w)
{
   return ps_next(w);
}

static void
fill(struct stage_worker *w)
{
   ps_fill(w);
}

static void
ended(struct stage_worker *w, enum eu_stop stop)
{
   ps_ended(w, stop);
}

void
ps_report_others(const struct ps_worker *w)
{
   struct rule_place place = {.engine = "WM",
                              .subject = "pixel shader",
                              .has_address = true,
                              .address = w->stage.env.instruction_base + w->stage.t->kernel_start};
   for (unsigned i = 1; i < 8; i++)
      if (w->record.written[i])
         rule_report(w->r->dev, PERGOLA_WARNING, "CS-006", &place,
                     "render target %u: blending and write masks of targets behind the first are "
                     "not modelled yet; its colours are "
                     "written as they are",
                     i);
}

static void
leave(struct stage_worker *stage)
{
   struct ps_worker *w = ps_of(stage);
   if (w->invocations) /* G3D-101 */
      render_count(w->r, REG_PS_INVOCATION_COUNT, w->invocations);
   w->invocations = 0;
}

const struct stage ps_stage = {
    .engine = "WM",
    .maker = "pixel shader",
    .stuck_rule = "G3D-100",
    .worker_size = sizeof(struct ps_worker),
    .cost = PS_DISPATCH_COST,
    .prepare = prepare,
    .take = take,
    .next = next,
    .fill = fill,
    .ended = ended,
    .series = ps_run_series,
    .leave = leave,
};
