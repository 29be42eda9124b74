/* More than one sample a pixel: where they are, which of them an object covers, and which threads
 * they go to. */
#include "render/msaa/msaa.h"

static struct render *
render_of(const struct ps_worker *w)
{
   return w->w.crew->data;
}

/* ---- state ----------------------------------------------------------------------------------- */

/* Bits of Multisample Rasterization Mode. */
enum {
   MODE_PATTERN = GEN7_3DSTATE_WM_MULTISAMPLE_RASTERIZATION_MODE_OFF_PATTERN,
   MODE_ON = GEN7_3DSTATE_WM_MULTISAMPLE_RASTERIZATION_MODE_ON_PIXEL,
};

/* SF-175, SFV-105 */
static void
read_positions(const struct hw_3dstate_multisample *m, struct wm_sample sample[DEPTH_SAMPLES])
{
   const uint32_t x[DEPTH_SAMPLES] = {m->sample0_x_offset, m->sample1_x_offset, m->sample2_x_offset,
                                      m->sample3_x_offset, m->sample4_x_offset, m->sample5_x_offset,
                                      m->sample6_x_offset, m->sample7_x_offset},
                  y[DEPTH_SAMPLES] = {m->sample0_y_offset, m->sample1_y_offset, m->sample2_y_offset,
                                      m->sample3_y_offset, m->sample4_y_offset, m->sample5_y_offset,
                                      m->sample6_y_offset, m->sample7_y_offset};
   for (unsigned s = 0; s < DEPTH_SAMPLES; s++) {
      sample[s].u = (uint8_t)x[s];
      sample[s].v = (uint8_t)y[s];
   }
}

/* DP-361, P3D-293: codes that mean nothing are one sample. */
static unsigned
samples_of(unsigned code)
{
   static const uint8_t count[8] = {[2] = 4, [3] = 8};
   return count[code & 7] ? count[code & 7] : 1;
}

void
msaa_state_changed(struct render *r)
{
   const struct hw_3dstate_multisample *m = &r->state.multisample;
   struct wm *wm = &r->wm;
   uint8_t middle = m->pixel_location ? 0 : 8;
   wm->samples = (uint8_t)samples_of(m->number_of_multisamples);
   wm->mask = (uint8_t)(r->state.sample_mask.sample_mask & ((1u << wm->samples) - 1));
   wm->per_sample =
       wm->samples > 1 && r->state.wm.multisample_dispatch_mode ==
                              GEN7_3DSTATE_WM_MULTISAMPLE_DISPATCH_MODE_MSDISPMODE_PERSAMPLE;
   /* P3D-261, P3D-262: one sample is at the pixel location, whatever the mode. */
   wm->pattern = wm->samples > 1 && r->state.wm.multisample_rasterization_mode & MODE_PATTERN;
   read_positions(m, wm->sample);
   for (unsigned s = 0; s < DEPTH_SAMPLES; s++) {
      struct wm_sample *at = &wm->sample[s];
      if (!wm->pattern)
         at->u = at->v = middle; /* P3D-265 */
      at->dx = (int16_t)(16 * (at->u - middle));
      at->dy = (int16_t)(16 * (at->v - middle));
   }
}

/* ---- rules ----------------------------------------------------------------------------------- */

/* SF-176: the nearest first. */
static bool
in_order(const struct wm *wm)
{
   int last = 0;
   for (unsigned s = 0; s < wm->samples; s++) {
      int x = wm->sample[s].u - 8, y = wm->sample[s].v - 8, distance = x * x + y * y;
      if (distance < last)
         return false;
      last = distance;
   }
   return true;
}

static void
check_modes(struct render *r)
{
   uint32_t sf = r->state.sf.multisample_rasterization_mode,
            wm = r->state.wm.multisample_rasterization_mode;
   if (sf != wm) /* P3D-263 */
      render_report(r, PERGOLA_ERROR, "P3D-263",
                    "Multisample Rasterization Mode is %u in 3DSTATE_SF and %u in 3DSTATE_WM; the "
                    "former shapes lines, the latter covers samples",
                    sf, wm);
   if (r->state.wm.barycentric_interpolation_mode >=
           GEN7_3DSTATE_WM_BARYCENTRIC_INTERPOLATION_MODE_BIM_LINEAR_PIXEL &&
       !r->state.clip.non_perspective_barycentric_enable) /* P3D-276 */
      render_report(r, PERGOLA_WARNING, "P3D-276",
                    "linear barycentrics without Non-Perspective Barycentric Enable");
}

void
msaa_check(struct render *r)
{
   const struct wm *wm = &r->wm;
   uint32_t code = r->state.multisample.number_of_multisamples;
   unsigned widths = r->state.ps._8_pixel_dispatch_enable + r->state.ps._16_pixel_dispatch_enable +
                     r->state.ps._32_pixel_dispatch_enable;
   if (!rules_on(r->dev))
      return;
   check_modes(r);
   if (code && wm->samples == 1)
      render_report(r, PERGOLA_ERROR, "P3D-293",
                    "Number of Multisamples %u is reserved; it acts as one", code);
   if (wm->per_sample && r->state.wm.thread_dispatch_enable && widths > 1)
      render_report(r, PERGOLA_ERROR, "P3D-284",
                    "%u widths with a thread per sample; the widest of 8 and 16 is taken", widths);
   if (wm->pattern && !in_order(wm))
      render_report(r, PERGOLA_WARNING, "SF-176",
                    "samples are not in the order of their distance from the pixel's centre");
}

/* ---- coverage -------------------------------------------------------------------------------- */

uint64_t
msaa_coverage(struct ps_worker *w, int32_t x, int32_t y)
{
   const struct wm *wm = &render_of(w)->wm;
   const struct setup *s = w->s;
   uint64_t any = 0, pixels = w->inside ? UINT64_MAX : s->patterned ? 0 : wm_coverage(s, x, y);
   for (unsigned i = 0; i < wm->samples; i++) {
      const struct wm_sample *at = &wm->sample[i];
      uint64_t mask = 0;
      if (wm->mask >> i & 1) /* P3D-266 */
         mask = s->patterned && !w->inside ? wm_coverage_at(s, x, y, at->dx, at->dy) : pixels;
      w->masks[i] = mask;
      any |= mask;
   }
   return any;
}

uint32_t
msaa_begin_group(struct ps_worker *w)
{
   const struct pixel_group *g = &w->pixel.group;
   uint32_t any = 0;
   for (unsigned s = 0; s < g->samples; s++)
      any |= w->covered[s] = g->lit[s];
   return any;
}

/* ---- threads --------------------------------------------------------------------------------- */

struct msaa_quad
msaa_quad(const struct ps_worker *w, const struct wm *wm, unsigned number)
{
   if (!wm->per_sample)
      return (struct msaa_quad){(uint8_t)number, 0};
   if (wm->parts > 1) /* DP-368 */
      return (struct msaa_quad){0, (uint8_t)(2 * w->pair + number)};
   return (struct msaa_quad){(uint8_t)(number / wm->samples), (uint8_t)(number % wm->samples)};
}

bool
msaa_choose_part(struct ps_worker *w)
{
   const struct wm *wm = &render_of(w)->wm;
   const struct pixel_group *g = &w->pixel.group;
   unsigned quads = 2u << w->w.kernel;
   w->pair = (uint8_t)(wm->parts > 1 ? w->part * quads / 2 : 0);
   w->part++;
   w->lit = w->channels = 0;
   for (unsigned i = 0; i < quads; i++) {
      struct msaa_quad q = msaa_quad(w, wm, i);
      if (q.subspan >= g->subspans)
         continue;
      uint32_t lit = g->lit[q.sample] >> 4 * q.subspan & 15;
      w->lit |= lit << 4 * i;
      w->channels |= (lit ? 15u : 0) << 4 * i; /* P3D-280: helpers fill the subspan of a sample */
   }
   return w->lit != 0;
}

void
msaa_places(const struct ps_worker *w, uint32_t place[PIXEL_SUBSPANS])
{
   const struct wm *wm = &render_of(w)->wm;
   const struct pixel_group *g = &w->pixel.group;
   for (unsigned i = 0; i < PIXEL_SUBSPANS; i++) {
      unsigned n = msaa_quad(w, wm, i).subspan;
      place[i] = n < g->subspans ? (uint32_t)g->y[n] << 16 | g->x[n] : 0;
   }
}
