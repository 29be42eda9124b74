/* What lines leave out of their pixels, and how much of a pixel they cover: the stipple pattern,
 * and the ramps of antialiased lines. */
#include "render/draw.h"

#include <math.h>

uint64_t
line_dashes(const struct render *r, const struct setup *s, int32_t x, int32_t y)
{
   const struct hw_3dstate_line_stipple *l = &r->state.line_stipple;
   const struct line_style *d = &s->line;
   uint32_t repeat = l->line_stipple_repeat_count ? l->line_stipple_repeat_count : 1;
   int32_t first = d->y_major ? y : x;
   uint64_t mask = 0;
   for (int32_t i = 0; i < 8; i++) {
      uint32_t at = d->count + (uint32_t)(d->step * (first + i - d->from));
      if (!(l->line_stipple_pattern >> (at / repeat & 15) & 1)) /* P3D-236 */
         continue;
      mask |= d->y_major ? UINT64_C(0x3333) << (16 * (i / 2) + 2 * (i & 1))
                         : UINT64_C(0x0005000500050005) << (4 * (i / 2) + (i & 1));
   }
   return mask;
}

static double
clamped(double v)
{
   return v > 0 ? (v < 1 ? v : 1) : 0;
}

/* Half a pixel, one, two, four. */
static double
region(uint32_t code)
{
   return 0.5 * (1u << (code & 3));
}

/* From 0 at the border to 1 inside; along it, 1 up to the ends and from there to 0. */
static double
ramps(const struct hw_3dstate_wm *wm, const struct line_style *l, double side, double along)
{
   double over = fmax(-along, along - l->length),
          across = (l->half - fabs(side)) / (region(wm->line_antialiasing_region_width) / 2);
   return clamped(across) *
          clamped(1 - fmax(over, 0) / region(wm->line_end_cap_antialiasing_region_width));
}

/* P3D-235: by the distance from each edge. */
static double
slopes(const struct render *r, const struct line_style *l, double side, double along)
{
   const struct hw_3dstate_aa_line_parameters *p = &r->state.aa_line;
   double slope = p->aa_coverage_slope / 256.0, bias = p->aa_coverage_bias / 256.0,
          end_slope = p->aa_coverage_endcap_slope / 256.0,
          end_bias = p->aa_coverage_endcap_bias / 256.0,
          cap = region(r->state.sf.line_end_cap_antialiasing_region_width);
   return clamped(slope * (l->half + side) - bias) * clamped(slope * (l->half - side) - bias) *
          clamped(end_slope * (along + cap) - end_bias) *
          clamped(end_slope * (l->length + cap - along) - end_bias);
}

float
line_coverage(const struct render *r, const struct setup *s, int32_t x, int32_t y)
{
   double side = plane_at(&s->line.across, x, y), along = plane_at(&s->line.along, x, y);
   double v = r->state.aa_line.aa_coverage_slope ? slopes(r, &s->line, side, along)
                                                 : ramps(&r->state.wm, &s->line, side, along);
   return (float)(floor(v * 255 + 0.5) / 255); /* eight bits */
}

void
line_group(struct ps_worker *w)
{
   const struct render *r = w->w.crew->data;
   struct pixel_group *g = &w->pixel.group;
   for (unsigned i = 0; i < 4u * g->subspans; i++)
      g->coverage[i] = line_coverage(r, w->s, g->x[i / 4] + (int32_t)(i & 1),
                                     g->y[i / 4] + (int32_t)(i >> 1 & 1));
}
