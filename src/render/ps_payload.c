/* What is in the registers of a pixel shader thread when it starts. */
#include "render/draw.h"

#include <string.h>

unsigned
ps_grf_start(const struct gen7_3dstate_ps *ps, unsigned kernel)
{
   return kernel ? ps->dispatch_grf_start_register_for_constant_setup_data_2
                 : ps->dispatch_grf_start_register_for_constant_setup_data_0;
}

/* ---- what threads have in common ------------------------------------------------------------ */

/* G3D-099: the buffers one behind the other. */
static unsigned
load_constants(struct render *r, unsigned reg, uint32_t (*row)[8])
{
   const struct draw *d = &r->draw;
   const struct gen7_3dstate_constant_ps *c = &d->constants;
   const uint32_t at[4] = {c->pointer_to_constant_buffer_0, c->pointer_to_constant_buffer_1,
                           c->pointer_to_constant_buffer_2, c->pointer_to_constant_buffer_3};
   const uint32_t length[4] = {c->constant_buffer_0_read_length, c->constant_buffer_1_read_length,
                               c->constant_buffer_2_read_length, c->constant_buffer_3_read_length};
   bool absolute = reg_get(r->dev, REG_RCS_INSTPM) >> 6 & 1;
   for (unsigned i = 0; i < 4 && d->ps.push_constant_enable; i++) {
      uint32_t rows = length[i] < EU_GRF_COUNT - reg ? length[i] : EU_GRF_COUNT - reg;
      if (rows)
         mem_read(d->env.space, at[i] + (i || absolute ? 0 : d->env.dynamic_state_base), row[reg],
                  rows * EU_REG_SIZE);
      reg += rows;
   }
   return reg;
}

/* G3D-094: two registers for each attribute. */
static unsigned
load_setup(const struct draw *d, unsigned reg, uint32_t (*row)[8])
{
   for (unsigned n = 0; n < d->sbe.number_of_sf_output_attributes && d->ps.attribute_enable &&
                        reg + 2 <= EU_GRF_COUNT;
        n++)
      for (unsigned k = 0; k < 4; k++) {
         uint32_t *to = &row[reg][4 * (k & 1)];
         to[0] = d->now.setup[n][1][k];
         to[1] = d->now.setup[n][2][k];
         to[2] = 0;
         to[3] = d->now.setup[n][0][k];
         reg += k & 1;
      }
   return reg;
}

void
ps_load_common(struct render *r, unsigned kernel)
{
   struct walk *k = &r->walk;
   unsigned first = ps_grf_start(&r->draw.ps, kernel);
   k->common[kernel].first = first;
   k->common[kernel].count = load_setup(&r->draw, load_constants(r, first, k->common[kernel].row),
                                        k->common[kernel].row) -
                             first;
}

/* ---- what is a thread's own ----------------------------------------------------------------- */

/* G3D-097: what the first register has of the rectangle. */
void
ps_load_header(struct ps_worker *w)
{
   const struct draw *d = &w->r->draw;
   uint32_t *h = w->bypass.header;
   h[0] = (d->now.viewport & 15) << 27 | (d->now.layer & 0x7ff) << 16 |
          (uint32_t)d->ps.omask_present_to_rendertarget << 12 |
          d->primitive.primitive_topology_type;
   h[1] = d->color_calc_state;
   h[3] = d->samplers | d->ps.per_thread_scratch_space;
   h[4] = d->binding_table;
}

/* Where a pixel's centre lies between the vertices. */
static void
barycentric(const struct rectangle *r, float x, float y, bool perspective, float b[2])
{
   const float(*p)[4] = r->position;
   double ax = (double)p[1][0] - p[0][0], ay = (double)p[1][1] - p[0][1];
   double bx = (double)p[2][0] - p[0][0], by = (double)p[2][1] - p[0][1];
   double dx = (double)x - p[0][0], dy = (double)y - p[0][1], area = ax * by - ay * bx;
   double l1 = area != 0 ? (dx * by - dy * bx) / area : 0,
          l2 = area != 0 ? (ax * dy - ay * dx) / area : 0;
   if (perspective) {
      double w = (1 - l1 - l2) * p[0][3] + l1 * p[1][3] + l2 * p[2][3];
      l1 = w != 0 ? l1 * p[1][3] / w : l1;
      l2 = w != 0 ? l2 * p[2][3] / w : l2;
   }
   b[0] = (float)l1;
   b[1] = (float)l2;
}

/* G3D-098: for each mode that is on, perspective ones first. With one sample all of a kind are at
 * the centre. */
static unsigned
load_barycentrics(struct ps_worker *w, const struct group *g, unsigned reg)
{
   const struct draw *d = &w->r->draw;
   for (unsigned mode = 0; mode < 6; mode++) {
      if (!(d->wm.barycentric_interpolation_mode >> mode & 1))
         continue;
      for (unsigned half = 0; half < g->width / 8; half++, reg += 2)
         for (unsigned i = 0; i < 8; i++) {
            unsigned slot = 8 * half + i, n = slot / 4;
            float b[2] = {0, 0};
            int32_t x = (int16_t)g->r1[2 + n], y = (int16_t)(g->r1[2 + n] >> 16);
            if (n < g->count)
               barycentric(&d->now, (float)x + 0.5f + (float)(slot & 1),
                           (float)y + 0.5f + (float)(slot >> 1 & 1), mode < 3, b);
            memcpy(&eu_grf(w->stage.t, reg)[i], &b[0], 4);
            memcpy(&eu_grf(w->stage.t, reg + 1)[i], &b[1], 4);
         }
   }
   return reg;
}

void
ps_load_own(struct ps_worker *w, const struct group *g)
{
   const struct draw *d = &w->r->draw;
   unsigned reg = d->wm.barycentric_interpolation_mode ? load_barycentrics(w, g, 2) : 2;
   for (unsigned slot = 0; slot < g->width && d->wm.pixel_shader_uses_input_coverage_mask; slot++)
      eu_grf(w->stage.t, reg + slot / 8)[slot % 8] = g->lit >> slot & 1;
}

unsigned
ps_own_registers(const struct draw *d, unsigned width)
{
   unsigned modes = (unsigned)__builtin_popcount(d->wm.barycentric_interpolation_mode & 0x3f);
   return (2 * modes + d->wm.pixel_shader_uses_input_coverage_mask) * (width / 8);
}
