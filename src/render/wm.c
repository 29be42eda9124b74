/* The windower: pixels of a rectangle, subspan by subspan, become pixel shader threads. */
#include "render/draw.h"

#include <string.h>

#define THREAD_SLICE 65536u
#define DISPATCH_COST 32u /* of the budget: as much as so many instructions */
#define FFID_WM 15u /* G3D-097: the windower, as threads know it */

/* G3D-095: which kernel for so many pixels; its place among the three of 3DSTATE_PS. */
static unsigned
kernel_of(const struct gen7_3dstate_ps *ps, unsigned width)
{
   return width == 16 && (ps->_8_pixel_dispatch_enable || ps->_32_pixel_dispatch_enable) ? 2 : 0;
}

static unsigned
grf_start(const struct gen7_3dstate_ps *ps, unsigned kernel)
{
   return kernel == 2 ? ps->dispatch_grf_start_register_for_constant_setup_data_2
                      : ps->dispatch_grf_start_register_for_constant_setup_data_0;
}

/* Subspans, from where the rectangle has got to, for one thread. */
struct group {
   unsigned width;   /* pixels */
   unsigned count;   /* of subspans */
   int32_t x[4], y[4];
   uint32_t lit;     /* a bit for every pixel inside */
};

/* G3D-096: 2x2 pixels, the upper left one at even coordinates. */
static void
take_subspan(struct draw *d, struct group *g)
{
   const struct rectangle *r = &d->now;
   unsigned n = g->count++;
   g->x[n] = d->x;
   g->y[n] = d->y;
   for (unsigned p = 0; p < 4; p++) {
      int32_t x = d->x + (int32_t)(p & 1), y = d->y + (int32_t)(p >> 1);
      g->lit |= (uint32_t)(x >= r->x0 && x < r->x1 && y >= r->y0 && y < r->y1) << (4 * n + p);
   }
   d->x += 2;
   if (d->x >= r->x1) {
      d->x = r->x0 & ~1;
      d->y += 2;
   }
}

static struct group
take_group(struct draw *d)
{
   struct group g = {.width = d->ps._16_pixel_dispatch_enable ? 16 : 8};
   while (g.count < g.width / 4 && d->y < d->now.y1)
      take_subspan(d, &g);
   if (g.count <= 2 && d->ps._8_pixel_dispatch_enable)
      g.width = 8;
   return g;
}

/* ---- payload -------------------------------------------------------------------------------- */

/* G3D-097: the first two registers. */
static void
load_headers(struct render *r, const struct group *g)
{
   struct draw *d = &r->draw;
   uint32_t *h = r->header;
   uint32_t slots = d->ps.maximum_number_of_threads + 1, slot = r->threads % (slots < 172 ? slots : 172);
   memset(h, 0, sizeof(r->header));
   h[0] = (d->now.viewport & 15) << 27 | (d->now.layer & 0x7ff) << 16 |
          (uint32_t)d->ps.omask_present_to_rendertarget << 12 | d->primitive.primitive_topology_type;
   h[1] = d->color_calc_state;
   h[3] = d->samplers | d->ps.per_thread_scratch_space;
   h[4] = d->binding_table;
   h[5] = (d->ps.scratch_space_base_pointer + slot * (1024u << d->ps.per_thread_scratch_space)) | slot;
   h[6] = r->threads & 0xffffff;
   for (unsigned n = 0; n < g->count; n++)
      h[8 + 2 + n] = ((uint32_t)g->y[n] & 0xffff) << 16 | ((uint32_t)g->x[n] & 0xffff);
   h[8 + 7] = g->lit << 16 | g->lit;
   r->t->fftid = (uint16_t)slot;
   r->t->sr0[1] = slot << 24;
   memcpy(eu_grf(r->t, 0), h, sizeof(r->header));
}

/* Where a pixel's centre lies between the vertices. */
static void
barycentric(const struct rectangle *r, float x, float y, bool perspective, float b[2])
{
   const float(*p)[4] = r->position;
   double ax = (double)p[1][0] - p[0][0], ay = (double)p[1][1] - p[0][1];
   double bx = (double)p[2][0] - p[0][0], by = (double)p[2][1] - p[0][1];
   double dx = (double)x - p[0][0], dy = (double)y - p[0][1], area = ax * by - ay * bx;
   double l1 = area != 0 ? (dx * by - dy * bx) / area : 0, l2 = area != 0 ? (ax * dy - ay * dx) / area : 0;
   if (perspective) {
      double w = (1 - l1 - l2) * p[0][3] + l1 * p[1][3] + l2 * p[2][3];
      l1 = w != 0 ? l1 * p[1][3] / w : l1;
      l2 = w != 0 ? l2 * p[2][3] / w : l2;
   }
   b[0] = (float)l1;
   b[1] = (float)l2;
}

/* G3D-098: for each mode that is on, perspective ones first. With one sample all of a kind are at the centre. */
static unsigned
load_barycentrics(struct render *r, const struct group *g, unsigned reg)
{
   const struct draw *d = &r->draw;
   for (unsigned mode = 0; mode < 6; mode++) {
      if (!(d->wm.barycentric_interpolation_mode >> mode & 1))
         continue;
      for (unsigned half = 0; half < g->width / 8; half++, reg += 2)
         for (unsigned i = 0; i < 8; i++) {
            unsigned slot = 8 * half + i, n = slot / 4;
            float b[2] = {0, 0};
            if (n < g->count)
               barycentric(&d->now, (float)g->x[n] + 0.5f + (float)(slot & 1), (float)g->y[n] + 0.5f + (float)(slot >> 1 & 1),
                           mode < 3, b);
            memcpy(&eu_grf(r->t, reg)[i], &b[0], 4);
            memcpy(&eu_grf(r->t, reg + 1)[i], &b[1], 4);
         }
   }
   return reg;
}

static unsigned
load_coverage(struct render *r, const struct group *g, unsigned reg)
{
   if (!r->draw.wm.pixel_shader_uses_input_coverage_mask)
      return reg;
   for (unsigned slot = 0; slot < g->width; slot++)
      eu_grf(r->t, reg + slot / 8)[slot % 8] = g->lit >> slot & 1;
   return reg + g->width / 8;
}

/* G3D-099: the buffers one behind the other. */
static unsigned
load_constants(struct render *r, unsigned reg)
{
   const struct draw *d = &r->draw;
   const struct gen7_3dstate_constant_ps *c = &d->constants;
   const uint32_t at[4] = {c->pointer_to_constant_buffer_0, c->pointer_to_constant_buffer_1, c->pointer_to_constant_buffer_2,
                           c->pointer_to_constant_buffer_3};
   const uint32_t length[4] = {c->constant_buffer_0_read_length, c->constant_buffer_1_read_length,
                               c->constant_buffer_2_read_length, c->constant_buffer_3_read_length};
   bool absolute = reg_get(r->dev, REG_RCS_INSTPM) >> 6 & 1;
   for (unsigned i = 0; i < 4 && d->ps.push_constant_enable; i++) {
      uint32_t rows = length[i] < EU_GRF_COUNT - reg ? length[i] : EU_GRF_COUNT - reg;
      if (rows)
         mem_read(d->env.space, at[i] + (i || absolute ? 0 : d->env.dynamic_state_base), eu_grf(r->t, reg), rows * EU_REG_SIZE);
      reg += rows;
   }
   return reg;
}

/* G3D-094: two registers for each attribute. */
static unsigned
load_setup(struct render *r, unsigned reg)
{
   const struct draw *d = &r->draw;
   for (unsigned n = 0; n < d->sbe.number_of_sf_output_attributes && d->ps.attribute_enable && reg + 2 <= EU_GRF_COUNT; n++)
      for (unsigned k = 0; k < 4; k++) {
         uint32_t *to = &eu_grf(r->t, reg)[4 * (k & 1)];
         to[0] = d->now.setup[n][1][k];
         to[1] = d->now.setup[n][2][k];
         to[2] = 0;
         to[3] = d->now.setup[n][0][k];
         reg += k & 1;
      }
   return reg;
}

/* ---- threads -------------------------------------------------------------------------------- */

static bool
bypass(void *data, const struct eu_thread *t, unsigned slot_group, struct rt_bypass *out)
{
   const struct render *r = data;
   if (t != r->t || slot_group)
      return false;
   *out = (struct rt_bypass){.omask = r->draw.ps.omask_present_to_rendertarget};
   memcpy(out->header, r->header, sizeof(out->header));
   return true;
}

static struct rt_record *
record(void *data, const struct eu_thread *t)
{
   struct render *r = data;
   return t == r->t ? &r->record : NULL;
}

static void
observe(const struct render *r, enum pergola_event_kind kind, uint64_t what)
{
   struct trace *trace = &r->dev->trace;
   if (trace_wants(trace, kind))
      trace_emit(trace, &(struct pergola_event){.kind = kind, .engine = "WM", .time_ns = r->dev->time_ns, .a = what, .b = r->t->id});
}

static void
dispatch(struct render *r, const struct group *g)
{
   struct draw *d = &r->draw;
   const struct gen7_3dstate_ps *ps = &d->ps;
   struct eu_thread *t = r->t;
   unsigned kernel = kernel_of(ps, g->width);
   uint32_t mask = (uint32_t)((UINT64_C(1) << 4 * g->count) - 1); /* G3D-096: helpers included */
   d->pixel = (struct pixel_backend){.data = r, .dispatch_width = (uint8_t)g->width, .bypass = bypass, .record = record};
   d->env.pixel = &d->pixel;
   eu_thread_init(t, &d->env, kernel == 2 ? ps->kernel_start_pointer_2 : ps->kernel_start_pointer_0, mask);
   t->ffid = FFID_WM;
   t->id = r->threads;
   t->sr0[0] = FFID_WM << 24;
   t->sr0[2] = mask;
   t->sr0[3] = t->vector_mask;
   t->cr0[0] = ps->rounding_mode << 4;
   t->cr0[1] = (uint32_t)ps->mask_stack_exception_enable << 11 | (uint32_t)ps->illegal_opcode_exception_enable << 12 |
               (uint32_t)ps->software_exception_enable << 13;
   t->single_program_flow = ps->single_program_flow;
   t->alt_mode = ps->floating_point_mode != 0;
   t->binding_table = d->binding_table;
   t->sampler_states = d->samplers;
   t->sampler_count = ps->sampler_count;
   r->record = (struct rt_record){.dispatched = g->lit};
   load_headers(r, g);
   unsigned end = load_coverage(r, g, load_barycentrics(r, g, 2));
   eu_thread_mark(t, 0, end);
   unsigned start = grf_start(ps, kernel);
   unsigned last = load_setup(r, load_constants(r, start));
   eu_thread_mark(t, start, last - start);
   observe(r, PERGOLA_EVENT_DISPATCH, d->env.instruction_base + t->kernel_start);
   if (d->wm.statistics_enable) /* G3D-101: helpers too */
      render_count(r, REG_PS_INVOCATION_COUNT, 4 * g->count);
   r->threads++;
   r->running = true;
}

/* One turn of the thread. */
static void
run(struct render *r, uint64_t *budget)
{
   struct eu_thread *t = r->t;
   uint64_t before = t->instructions, slice = *budget < THREAD_SLICE ? *budget : THREAD_SLICE;
   enum eu_stop stop = eu_run(t, slice);
   uint64_t used = t->instructions - before;
   used = used ? used : 1;
   *budget -= used < *budget ? used : *budget;
   r->stuck = stop == EU_STOP_WAIT && r->dev->config.deadlocks_hang;
   r->running = stop == EU_STOP_BUDGET || stop == EU_STOP_BREAK || r->stuck;
   if (!r->running)
      observe(r, PERGOLA_EVENT_THREAD_END, t->instructions);
   struct rule_place place = {.engine = "WM", .subject = "pixel shader", .has_address = true,
                              .address = r->draw.env.instruction_base + t->kernel_start};
   for (unsigned i = 1; i < 8 && !r->running; i++)
      if (r->record.written[i])
         rule_report(r->dev, PERGOLA_WARNING, "CS-006", &place,
                     "render target %u: blending and write masks of targets behind the first are not modelled yet; its colours are "
                     "written as they are", i);
   if (stop != EU_STOP_WAIT)
      return;
   rule_report(r->dev, PERGOLA_ERROR, "G3D-100", &place, "a pixel shader waits for a notification that nobody sends; %s",
               r->stuck ? "the engine stops" : "it is ended");
}

enum cs_result
wm_rectangle(struct render *r, uint64_t *budget)
{
   struct draw *d = &r->draw;
   while (r->running || d->y < d->now.y1) {
      if (!*budget)
         return CS_AGAIN;
      if (!r->running) {
         struct group g = take_group(d);
         dispatch(r, &g);
         *budget -= DISPATCH_COST < *budget ? DISPATCH_COST : *budget - 1;
      }
      run(r, budget);
      if (rules_stopped(r->dev) || r->stuck)
         return CS_ERROR;
   }
   return CS_DONE;
}
