/* What is in the registers of threads whose pixels have several samples: values at the pixel, at
 * its centroid, at a sample. */
#include "render/msaa/msaa.h"

static struct render *
render_of(const struct ps_worker *w)
{
   return w->w.crew->data;
}

/* P3D-272, SF-178, SFV-106: where all samples are covered, or none, the pixel location; else the
 * covered sample with the lowest number. */
static void
msaa_centroid(const struct ps_worker *w, const struct wm *wm, unsigned pixel, uint8_t at[2])
{
   uint32_t covered = 0;
   for (unsigned s = 0; s < wm->samples; s++)
      covered |= (w->covered[s] >> pixel & 1) << s;
   if (!covered || covered == (1u << wm->samples) - 1) {
      at[0] = (uint8_t)(wm->sx * 16);
      at[1] = (uint8_t)(wm->sy * 16);
      return;
   }
   const struct wm_sample *s = &wm->sample[__builtin_ctz(covered)];
   at[0] = s->u;
   at[1] = s->v;
}

STAGE_VECTORS struct msaa_spots
msaa_spots(const struct ps_worker *w, const struct wm *wm, unsigned subspan, unsigned sample,
           enum msaa_where where)
{
   const struct pixel_group *g = &w->pixel.group;
   struct msaa_spots at = {
       g->x[subspan], g->y[subspan], where != AT_PIXEL, {0, 0, 0, 0}, {0, 0, 0, 0}};
   if (where == AT_SAMPLE) {
      double dx = wm->sample[sample].dx / 256.0, dy = wm->sample[sample].dy / 256.0;
      at.dx = (quad_d){dx, dx, dx, dx};
      at.dy = (quad_d){dy, dy, dy, dy};
   }
   for (unsigned i = 0; i < 4 && where == AT_CENTROID; i++) {
      uint8_t c[2];
      msaa_centroid(w, wm, 4 * subspan + i, c);
      at.dx[i] = c[0] / 16.0 - wm->sx;
      at.dy[i] = c[1] / 16.0 - wm->sy;
   }
   return at;
}

STAGE_VECTORS void
msaa_depths(struct ps_worker *w)
{
   const struct wm *wm = &render_of(w)->wm;
   struct pixel_group *g = &w->pixel.group;
   for (unsigned n = 0; n < g->subspans; n++)
      for (unsigned s = 0; s < g->samples; s++) {
         struct msaa_spots at = msaa_spots(w, wm, n, s, AT_SAMPLE);
         store_quad(&g->z[s][4 * n], quad_at(&w->s->z, &at));
      }
}

/* ---- registers ------------------------------------------------------------------------------- */

/* Up to 16 slots of the thread: quads from `first` on, and the register that is next. */
struct half {
   struct ps_worker *w;
   const struct render *r;
   unsigned first, count, reg;
};

/* Where a value of the half's quad n lies, `step` registers from eight slots to the next. */
static uint32_t *
place_of(const struct half *h, unsigned reg, unsigned n, unsigned step)
{
   return eu_grf(h->w->w.t, reg + n / 2 * step) + 4 * (n & 1);
}

/* False: the thread has no such slots. */
STAGE_VECTORS static inline bool
spots_of(const struct half *h, unsigned n, enum msaa_where where, struct msaa_spots *at)
{
   struct msaa_quad q = msaa_quad(h->w, &h->r->wm, h->first + n);
   if (q.subspan >= h->w->pixel.group.subspans)
      return false;
   *at = msaa_spots(h->w, &h->r->wm, q.subspan, q.sample, where); /* P3D-275 */
   return true;
}

STAGE_VECTORS static void
load_barycentric(struct half *h, bool perspective, enum msaa_where where)
{
   for (unsigned n = 0; n < h->count; n++) {
      quad_d b[2] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
      struct msaa_spots at;
      if (spots_of(h, n, where, &at))
         barycentric_at(h->w->s, perspective, &at, b);
      store_quad(place_of(h, h->reg, n, 2), b[0]);
      store_quad(place_of(h, h->reg + 1, n, 2), b[1]);
   }
   h->reg += h->count;
}

/* P3D-277 */
STAGE_VECTORS static void
load_plane(struct half *h, const struct plane *p, bool reciprocal, enum msaa_where where)
{
   for (unsigned n = 0; n < h->count; n++) {
      quad_d v = {0, 0, 0, 0};
      struct msaa_spots at;
      if (spots_of(h, n, where, &at)) {
         v = quad_at(p, &at);
         v = reciprocal ? 1.0 / v : v;
      }
      store_quad(place_of(h, h->reg, n, 1), v);
   }
   h->reg += h->count / 2;
}

/* P3D-278 */
static void
load_offsets(struct half *h, enum msaa_where where)
{
   const struct wm *wm = &h->r->wm;
   uint8_t *to = (uint8_t *)eu_grf(h->w->w.t, h->reg++);
   memset(to, 0, EU_REG_SIZE);
   for (unsigned i = 0; i < 4 * h->count; i++) {
      struct msaa_quad q = msaa_quad(h->w, wm, h->first + i / 4);
      const struct wm_sample *s = &wm->sample[q.sample];
      to[2 * i] = s->u;
      to[2 * i + 1] = s->v;
      if (where == AT_CENTROID && q.subspan < h->w->pixel.group.subspans)
         msaa_centroid(h->w, wm, 4 * q.subspan + i % 4, to + 2 * i);
   }
}

/* P3D-279: of the pixel; of a slot that is a sample, its own. */
static void
load_coverage(struct half *h)
{
   const struct wm *wm = &h->r->wm;
   for (unsigned i = 0; i < 4 * h->count; i++) {
      struct msaa_quad q = msaa_quad(h->w, wm, h->first + i / 4);
      uint32_t bits = 0;
      for (unsigned s = 0; s < wm->samples && q.subspan < h->w->pixel.group.subspans; s++)
         bits |= (h->w->covered[s] >> (4 * q.subspan + i % 4) & 1) << s;
      eu_grf(h->w->w.t, h->reg + i / 8)[i % 8] = wm->per_sample ? bits & 1u << q.sample : bits;
   }
   h->reg += h->count / 2;
}

static void
load_half(struct half *h)
{
   static const uint8_t where[3] = {AT_PIXEL, AT_CENTROID, AT_SAMPLE};
   const struct hw_3dstate_wm *wm = &h->r->state.wm;
   for (unsigned mode = 0; mode < 6; mode++) /* P3D-274 */
      if (wm->barycentric_interpolation_mode >> mode & 1)
         load_barycentric(h, mode < 3, where[mode % 3]);
   if (wm->pixel_shader_uses_source_depth)
      load_plane(h, &h->w->s->z, false, wm->position_zw_interpolation_mode);
   if (wm->pixel_shader_uses_source_w)
      load_plane(h, &h->w->s->d, true, wm->position_zw_interpolation_mode);
   if (h->r->state.ps.position_xy_offset_select)
      load_offsets(h, h->r->state.ps.position_xy_offset_select);
   if (wm->pixel_shader_uses_input_coverage_mask)
      load_coverage(h);
}

void
msaa_load_own(struct ps_worker *w)
{
   struct half h = {w, render_of(w), 0, w->width < 32 ? w->width / 4 : 4, w->width < 32 ? 2 : 3};
   load_half(&h);
   if (w->width == 32) { /* P3D-320 */
      h.first = 4;
      load_half(&h);
   }
}
