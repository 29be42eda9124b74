/* Pixel shader threads: how they start, their turns, their end. */
#include "render/ps_start.h"

#include "shared_functions/quick.h"

#include <stdlib.h>
#include <string.h>

#define FFID_WM 15u /* G3D-097: the windower, as threads know it */

struct ps_worker *
ps_worker_create(struct render *r)
{
   struct ps_worker *w = aligned_alloc(64, (sizeof(*w) + 63) & ~(size_t)63);
   if (!w)
      return NULL;
   memset(w, 0, sizeof(*w));
   size_t size = (1 + PS_KERNELS) * sizeof(struct eu_thread);
   w->r = r;
   w->t = aligned_alloc(64, size);
   w->buffers = calloc(1, sizeof(*w->buffers));
   if (!w->t || !w->buffers) {
      ps_worker_destroy(w);
      return NULL;
   }
   memset(w->t, 0, size);
   w->fresh = w->t + 1;
   return w;
}

void
ps_worker_destroy(struct ps_worker *w)
{
   free(w->t);
   free(w->buffers);
   free(w);
}

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
   return t == w->t && !slot_group;
}

static struct rt_record *
record(void *data, const struct eu_thread *t)
{
   struct ps_worker *w = data;
   return t == w->t ? &w->record : NULL;
}

/* ---- start ---------------------------------------------------------------------------------- */

/* A thread of so many pixels as it is dispatched, but for what ps_start gives it. */
static void
prepare_thread(struct ps_worker *w, unsigned width)
{
   const struct draw *d = &w->r->draw;
   const struct gen7_3dstate_ps *ps = &d->ps;
   unsigned kernel = ps_kernel(ps, width);
   struct eu_thread *t = &w->fresh[kernel];
   uint32_t all = (1u << width) - 1;
   eu_thread_init(t, &w->env, kernel ? ps->kernel_start_pointer_2 : ps->kernel_start_pointer_0,
                  all);
   t->ffid = FFID_WM;
   t->active = all;
   t->sr0[0] = FFID_WM << 24;
   t->sr0[2] = all;
   t->sr0[3] = t->vector_mask;
   t->cr0[0] = ps->rounding_mode << 4;
   t->cr0[1] = (uint32_t)ps->mask_stack_exception_enable << 11 |
               (uint32_t)ps->illegal_opcode_exception_enable << 12 |
               (uint32_t)ps->software_exception_enable << 13;
   t->single_program_flow = ps->single_program_flow;
   t->alt_mode = ps->floating_point_mode != 0;
   t->binding_table = d->binding_table;
   t->sampler_states = d->samplers;
   t->sampler_count = ps->sampler_count;
   t->buffers = w->buffers;
   eu_thread_mark(t, 0, 2 + ps_own_registers(d, width));
   eu_thread_mark(t, w->r->walk.common[kernel].first, w->r->walk.common[kernel].count);
}

void
ps_prepare(struct ps_worker *w)
{
   struct render *r = w->r;
   w->primitive = r->primitives;
   w->env = r->draw.env;
   w->env.pixel = &w->pixel;
   w->pixel =
       (struct pixel_backend){.data = w, .bypass = bypass, .now = &w->bypass, .record = record};
   w->bypass = (struct rt_bypass){.omask = r->draw.ps.omask_present_to_rendertarget};
   sf_buffers_walk(w->buffers, r->primitives);
   prepare_thread(w, r->walk.width);
   if (r->draw.ps._8_pixel_dispatch_enable && r->walk.width != 8)
      prepare_thread(w, 8);
}

static void
observe(const struct ps_worker *w, enum pergola_event_kind kind, uint64_t what)
{
   struct trace *trace = &w->r->dev->trace;
   if (trace_wants(trace, kind))
      trace_emit(trace, &(struct pergola_event){.kind = kind,
                                                .engine = "WM",
                                                .time_ns = w->r->dev->time_ns,
                                                .a = what,
                                                .b = w->t->id});
}

static void
dispatch(struct ps_worker *w, int64_t *budget)
{
   const struct walk *k = &w->r->walk;
   struct eu_thread *t = w->t;
   struct group g;
   wm_take_group(w, &g);
   uint32_t mask = (uint32_t)((UINT64_C(1) << 4 * g.count) - 1); /* G3D-096: helpers included */
   w->kernel = ps_kernel(&w->r->draw.ps, g.width);
   *budget -= PS_DISPATCH_COST;
   eu_thread_copy(t, &w->fresh[w->kernel]);
   eu_thread_channels(t, mask);
   t->active = mask;
   t->sr0[2] = mask;
   t->sr0[3] = t->vector_mask;
   ps_start(w, &g);
   memcpy(eu_grf(t, k->common[w->kernel].first),
          k->common[w->kernel].row[k->common[w->kernel].first],
          k->common[w->kernel].count * EU_REG_SIZE);
   observe(w, PERGOLA_EVENT_DISPATCH, w->env.instruction_base + t->kernel_start);
   w->running = true;
}

/* ---- turns and end -------------------------------------------------------------------------- */

void
ps_ended(struct ps_worker *w, enum eu_stop stop)
{
   struct eu_thread *t = w->t, *fresh = &w->fresh[w->kernel];
   fresh->kernel = t->kernel; /* the next one runs the same, most likely */
   fresh->kernel_generation = t->kernel_generation;
   w->stuck = w->running = stop == EU_STOP_WAIT && w->r->dev->config.deadlocks_hang;
   if (!w->stuck)
      observe(w, PERGOLA_EVENT_THREAD_END, t->instructions);
   if (!ps_has_others(&w->record) && stop != EU_STOP_WAIT)
      return;
   struct rule_place place = {.engine = "WM",
                              .subject = "pixel shader",
                              .has_address = true,
                              .address = w->env.instruction_base + t->kernel_start};
   for (unsigned i = 1; i < 8; i++)
      if (w->record.written[i])
         rule_report(w->r->dev, PERGOLA_WARNING, "CS-006", &place,
                     "render target %u: blending and write masks of targets behind the first are "
                     "not modelled yet; its colours are "
                     "written as they are",
                     i);
   if (stop == EU_STOP_WAIT)
      rule_report(w->r->dev, PERGOLA_ERROR, "G3D-100", &place,
                  "a pixel shader waits for a notification that nobody sends; %s",
                  w->stuck ? "the engine stops" : "it is ended");
}

/* One turn of the thread. */
static void
step(struct ps_worker *w, int64_t *budget)
{
   struct eu_thread *t = w->t;
   uint64_t before = t->instructions,
            slice = *budget < (int64_t)PS_SLICE ? (uint64_t)*budget : PS_SLICE;
   enum eu_stop stop = eu_run_inside(t, slice);
   uint64_t used = t->instructions - before;
   *budget -= used ? (int64_t)used : 1;
   w->running = stop == EU_STOP_BUDGET || stop == EU_STOP_BREAK;
   if (!w->running)
      ps_ended(w, stop);
}

void
ps_run(struct ps_worker *w, int64_t *budget)
{
   while ((w->running || w->next < w->end) && *budget > 0 && !w->stuck &&
          !rules_stopped(w->r->dev)) {
      if (!w->running)
         ps_run_series(w, budget);
      if (*budget <= 0 || w->stuck || (!w->running && w->next >= w->end))
         break;
      if (!w->running)
         dispatch(w, budget);
      if (*budget > 0)
         step(w, budget);
   }
}
