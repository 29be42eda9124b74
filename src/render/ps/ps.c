/* Pixel shader threads: how they are chosen, start and end. */
#include "render/ps/rows.h"
#include "render/snapshot.h"

#define PS_COST 32u

static inline struct ps_worker *
ps_of(struct stage_worker *w)
{
   return (struct ps_worker *)w;
}

static inline struct render *
render_of(const struct ps_worker *w)
{
   return w->w.crew->data;
}

/* ---- what the data port asks of a thread ------------------------------------------------------
 */

static bool
bypass(void *data, const struct eu_thread *t, unsigned slot_group, struct rt_bypass *out)
{
   const struct ps_worker *w = data;
   *out = w->bypass;
   if (slot_group) /* P3D-320: of the upper 16 slots, R2 */
      memcpy(out->header + 8, w->upper, sizeof(w->upper));
   return t == w->w.t && (!slot_group || w->width == 32);
}

static struct rt_record *
record(void *data, const struct eu_thread *t)
{
   struct ps_worker *w = data;
   return t == w->w.t ? &w->record : NULL;
}

/* ---- preparation ------------------------------------------------------------------------------
 */

static unsigned
ps_own_registers(const struct render *r, unsigned width)
{
   const struct hw_3dstate_wm *wm = &r->state.wm;
   unsigned halves = width == 32 ? 2 : 1, eights = width / 8,
            modes = (unsigned)__builtin_popcount(wm->barycentric_interpolation_mode);
   return (2 * modes + wm->pixel_shader_uses_source_depth + wm->pixel_shader_uses_source_w +
           wm->pixel_shader_uses_input_coverage_mask) *
              eights +
          (r->state.ps.position_xy_offset_select ? halves : 0);
}

/* A thread of so many pixels as it is dispatched, but for what fill() gives it. */
static void
prepare_thread(struct ps_worker *w, unsigned kernel)
{
   const struct render *r = render_of(w);
   const struct hw_3dstate_ps *ps = &r->state.ps;
   const struct wm_kernel *k = &r->wm.kernel[kernel];
   unsigned width = 8u << kernel, count = k->constants + 2 * k->attributes;
   struct eu_thread *t = stage_fresh(&w->w, kernel, GEN7_FIXED_FUNCTION_ID_WINDOWER, /* G3D-097 */
                                     k->start, (uint32_t)((UINT64_C(1) << width) - 1));
   t->cr0[0] =
       hw_put(ps->rounding_mode, GEN7_CONTROL_REGISTER__ROUNDING_MODE) |
       hw_put(ps->denormal_mode, GEN7_CONTROL_REGISTER__KEEP_DOUBLE_DENORMALS); /* P3D-087 */
   t->cr0[1] = eu_exceptions(ps->illegal_opcode_exception_enable, ps->mask_stack_exception_enable,
                             ps->software_exception_enable);
   t->single_program_flow = ps->single_program_flow;
   t->alt_mode = ps->floating_point_mode != 0;
   t->binding_table = r->state.table_ps.pointer_to_binding_table;
   t->sampler_states = r->state.samplers_ps.pointer_to_sampler_state;
   t->sampler_count = ps->sampler_count;
   unsigned own = (width == 32 ? 3 : 2) + ps_own_registers(r, width);
   eu_thread_mark(t, 0, own);
   eu_thread_mark(t, k->grf, count);
   memcpy(w->row[kernel][k->grf], r->wm.constant, k->constants * (size_t)EU_REG_SIZE);
   w->w.common[kernel] = (struct stage_common){.first = k->grf,
                                               .count = count,
                                               .row = (const uint32_t(*)[8])w->row[kernel],
                                               .lasts = k->grf >= own};
   w->loaded[kernel] = NULL;
}

static void
prepare(struct stage_worker *stage)
{
   struct ps_worker *w = ps_of(stage);
   const struct render *r = render_of(w);
   stage->env = r->env;
   stage->env.pixel = &w->backend;
   w->backend = (struct pixel_backend){
       .data = w, .bypass = bypass, .now = &w->bypass, .now_record = &w->record, .record = record};
   w->bypass = (struct rt_bypass){.omask = r->state.ps.omask_present_to_rendertarget,
                                  .source_depth = r->state.wm.pixel_shader_computed_depth_mode};
   pixel_worker_begin(&w->pixel, &r->pixel);
   pixel_backend_bind(&w->backend, &w->pixel);
   w->backend.rows = &w->rows;
   w->rows.quick = NULL;
   w->backend.dual_source_blend = r->state.ps.dual_source_blend_enable;
   w->backend.interpolate = msaa_interpolate;
   w->backend.linear_enable = r->state.clip.non_perspective_barycentric_enable;
   w->backend.source_w = r->state.wm.pixel_shader_uses_source_w;
   w->backend.barycentric_modes = (uint8_t)r->state.wm.barycentric_interpolation_mode;
   w->in_tile = false;
   w->mask = 0;
   w->s = NULL;
   w->part = w->parts = 0;
   w->pair = 0;
   w->pixel.group.samples = r->pixel.samples;
   ps_alike_begin(w);
   for (unsigned k = 0; k < PS_KERNELS && r->pixel.dispatch; k++)
      if (r->wm.kernel[k].on)
         prepare_thread(w, k);
}

/* ---- threads ----------------------------------------------------------------------------------
 */

/* What the threads of an object have in common. */
STAGE_VECTORS static void
begin_object(struct ps_worker *w, const struct render *r)
{
   const struct setup *s = w->s;
   struct pixel_group *g = &w->pixel.group;
   w->object = s;
   g->back_facing = s->back_facing;
   g->smooth = s->smooth;
   g->viewport = s->viewport;
   g->layer = s->layer;
   w->rows.quick = NULL; /* what a message of the last one has found */
   ps_make_header(w, r);
}

static void
load_attributes(struct ps_worker *w, const struct render *r, unsigned kernel)
{
   const struct wm_kernel *k = &r->wm.kernel[kernel];
   w->loaded[kernel] = w->s;
   w->w.common[kernel].changes++;
   memcpy(w->row[kernel][k->grf + k->constants], w->s->attribute, k->attributes * 64u);
}

void
ps_enter_object(struct ps_worker *w)
{
   const struct render *r = render_of(w);
   begin_object(w, r);
   if (r->pixel.dispatch && r->wm.kernel[w->w.kernel].on)
      load_attributes(w, r, w->w.kernel);
}

STAGE_VECTORS void
ps_test_block(struct ps_worker *w)
{
   const struct render *r = render_of(w);
   _Alignas(32) float z[4][16];
   if (w->object != w->s)
      begin_object(w, r);
   if (r->pixel.needs_z)
      ps_block_depths(w, z);
   w->mask = pixel_early_block(&w->pixel, w->mx, w->my, (const float(*)[16])z, w->mask);
}

/* Which pixels of the group are shaded; the tests of blocks have been made. */
STAGE_VECTORS static inline void
test_group(struct ps_worker *w, const struct render *r)
{
   struct pixel_group *g = &w->pixel.group;
   const struct pixel *p = &r->pixel;
   bool many = g->samples > 1, tested = p->blocks && !w->s->smooth;
   if (p->needs_z && !tested) {
      if (many)
         msaa_depths(w);
      else
         ps_depths(w);
   }
   if (__builtin_expect(w->s->smooth, 0))
      line_group(w);
   w->lit = many ? msaa_begin_group(w) : g->lit[0];
   if (tested || !p->early)
      return;
   if (p->tests || many || !p->dispatch)
      w->lit = pixel_early(&w->pixel);
   else if (p->count && p->when == PIXEL_BEFORE)
      w->pixel.passed += (unsigned)__builtin_popcount(w->lit); /* all of them */
}

/* Tiles and their groups, until there is one with pixels to shade. */
STAGE_VECTORS static inline bool
next(struct stage_worker *stage)
{
   struct ps_worker *w = ps_of(stage);
   const struct render *r = render_of(w);
   while (stage->owed < WM_OWED_MOST) { /* else asked again, when that has been paid */
      if (__builtin_expect(w->part < w->parts, 0)) {
         if (!msaa_choose_part(w))
            continue;
         return true;
      }
      if (!w->in_tile) {
         if (stage->work.next >= stage->work.end)
            return false;
         unsigned whole = w->alike.s ? ps_alike_tiles(w) : 0;
         stage->work.next += whole;
         if (whole)
            continue;
         wm_enter_tile(w, r->bin.tile[stage->work.next]);
         w->object = NULL; /* another may lie where the last one did */
         memset(w->loaded, 0, sizeof(w->loaded));
         w->number = r->wm.first_thread + (uint32_t)stage->work.next * WM_TILE_NUMBERS;
      }
      if (__builtin_expect(r->pixel.oa, 0))
         pixel_oa_end(&w->pixel);
      if (!wm_next_group(w)) {
         if (w->s) /* the walk over it goes on later */
            return false;
         w->in_tile = false;
         stage->work.next++;
         continue;
      }
      if (__builtin_expect(r->pixel.oa, 0))
         pixel_oa_begin(&w->pixel);
      if (w->object != w->s)
         begin_object(w, r);
      test_group(w, r);
      if (!w->lit || !r->pixel.dispatch)
         continue;
      w->pixel.oa.lit = w->lit;
      stage->kernel = r->wm.kernel_of[w->pixel.group.subspans];
      if (w->loaded[stage->kernel] != w->s)
         load_attributes(w, r, stage->kernel);
      if (r->wm.per_sample) {
         w->part = 0;
         w->parts = r->wm.parts;
         continue;
      }
      return true;
   }
   return false;
}

/* Number, place and payload of the thread; the rest is as `fresh`. */
STAGE_VECTORS static inline void
fill(struct stage_worker *stage)
{
   struct ps_worker *w = ps_of(stage);
   const struct render *r = render_of(w);
   unsigned subspans = w->pixel.group.subspans;
   struct eu_thread *t = stage->t;
   w->width = 8u << stage->kernel;
   t->id = w->number;
   uint32_t channels =
       r->wm.per_sample ? w->channels : (uint32_t)((UINT64_C(1) << 4 * subspans) - 1);
   if (channels != (uint32_t)((UINT64_C(1) << w->width) - 1)) /* P3D-281: helpers included */
      stage_channels(t, channels);
   *(stage_row *)(void *)w->record.written = (stage_row){0}; /* at once: it is read so */
   w->record.dispatched = w->lit;
   w->backend.dispatch_width = (uint8_t)w->width;
   pixel_start(&w->pixel);
   ps_load_header(w, r);
   if (r->wm.own) {
      if (!r->wm.at_pixels)
         msaa_load_own(w);
      else
         ps_load_own(w, r);
   }
   w->invocations += (unsigned)__builtin_popcount(channels); /* P3D-291: helpers too */
   w->number++;
}

static inline void
ended(struct stage_worker *stage, enum eu_stop stop)
{
   struct ps_worker *w = ps_of(stage);
   if (__builtin_expect(w->alike.on, 0) && stop == EU_STOP_EOT)
      ps_alike_ended(w, PS_COST + (uint32_t)stage->t->instructions);
}

/* ---- rows ------------------------------------------------------------------------------------ */

PS_INLINE bool
next_row_of(struct stage_worker *stage, bool many)
{
   struct ps_worker *w = ps_of(stage);
   w->is_row = ps_next_row(w, render_of(w), many);
   return w->is_row || next(stage);
}

PS_INLINE void
fill_row_of(struct stage_worker *stage, bool many)
{
   struct ps_worker *w = ps_of(stage);
   if (__builtin_expect(w->is_row || ps_is_row(&w->pixel.group), 1))
      ps_fill_row(w, render_of(w), many);
   else
      fill(stage);
}

STAGE_VECTORS static inline bool
next_row(struct stage_worker *stage)
{
   return next_row_of(stage, false);
}

STAGE_VECTORS static inline void
fill_row(struct stage_worker *stage)
{
   fill_row_of(stage, false);
}

/* Of several samples. */
STAGE_VECTORS static inline bool
next_row_of_samples(struct stage_worker *stage)
{
   return next_row_of(stage, true);
}

STAGE_VECTORS static inline void
fill_row_of_samples(struct stage_worker *stage)
{
   fill_row_of(stage, true);
}

/* Apart: it would take registers from the others. */
static STAGE_VECTORS __attribute__((noinline)) void
series_of_samples(struct stage_worker *stage, const struct eu_series *s, int64_t *budget)
{
   stage_series(stage, s, budget, next_row_of_samples, fill_row_of_samples, ended, PS_COST);
}

static STAGE_VECTORS void
series(struct stage_worker *stage, const struct eu_series *s, int64_t *budget)
{
   struct ps_worker *w = ps_of(stage);
   const struct render *r = render_of(w);
   ps_alike_series(w, s);
   w->rows.quick = NULL;
   w->is_row = false;
   if (!r->pixel.oa && ps_has_rows(w, r)) { /* whose groups are not counted */
      w->width = w->backend.dispatch_width = 16;
      if (r->pixel.samples > 1)
         series_of_samples(stage, s, budget);
      else
         stage_series(stage, s, budget, next_row, fill_row, ended, PS_COST);
   } else {
      stage_series(stage, s, budget, next, fill, ended, PS_COST);
   }
   w->alike.on = false;
}

static void
leave(struct stage_worker *stage)
{
   struct ps_worker *w = ps_of(stage);
   struct render *r = render_of(w);
   if (r->state.wm.statistics_enable) /* G3D-101 */
      render_count(r, REG_PS_INVOCATION_COUNT, w->invocations);
   w->invocations = 0;
   pixel_worker_end(&w->pixel);
   w->alike.s = NULL; /* who knows what will have changed in the next turn */
}

const struct stage ps_stage = {.engine = "WM",
                               .maker = "pixel shader",
                               .stuck_rule = "G3D-100",
                               .worker_size = sizeof(struct ps_worker),
                               .cost = PS_COST,
                               .prepare = prepare,
                               .next = next,
                               .fill = fill,
                               .ended = ended,
                               .series = series,
                               .leave = leave,
                               .snapshot = ps_snapshot};
