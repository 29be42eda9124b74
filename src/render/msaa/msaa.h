/* Private to src/render/msaa: samples of the slots of a thread, and values at points of pixels. */
#ifndef PERGOLA_RENDER_MSAA_H
#define PERGOLA_RENDER_MSAA_H

#include "render/draw.h"
#include "render/ps/quad.h"

/* What four slots of a thread are: a subspan, one sample of each pixel. */
struct msaa_quad {
   uint8_t subspan, sample;
};
struct msaa_quad msaa_quad(const struct ps_worker *w, const struct wm *wm, unsigned number);

/* Places of four pixels: the upper left one, and how far from the pixels' sample points, in pixels.
 */
struct msaa_spots {
   double x, y;
   bool moved; /* else there they are */
   quad_d dx, dy;
};

/* Where a value is wanted. */
enum msaa_where {
   AT_PIXEL = GEN7_3DSTATE_WM_POSITION_ZW_INTERPOLATION_MODE_INTERP_PIXEL,
   AT_CENTROID = GEN7_3DSTATE_WM_POSITION_ZW_INTERPOLATION_MODE_INTERP_CENTROID,
   AT_SAMPLE = GEN7_3DSTATE_WM_POSITION_ZW_INTERPOLATION_MODE_INTERP_SAMPLE,
};

/* Of a subspan of the group; sample: which one AT_SAMPLE means. */
struct msaa_spots msaa_spots(const struct ps_worker *w, const struct wm *wm, unsigned subspan,
                             unsigned sample, enum msaa_where where);

/* Values of a plane there. */
PS_INLINE quad_d
quad_at(const struct plane *p, const struct msaa_spots *at)
{
   quad_d v = quad_of(p, at->x, at->y);
   return at->moved ? v + p->x * at->dx + p->y * at->dy : v;
}

/* P3D-268: b1 and b2. */
PS_INLINE void
barycentric_at(const struct setup *s, bool perspective, const struct msaa_spots *at, quad_d out[2])
{
   perspective &= s->perspective;
   out[0] = quad_at(perspective ? &s->n1 : &s->l1, at);
   out[1] = quad_at(perspective ? &s->n2 : &s->l2, at);
   if (perspective) {
      quad_d by = 1.0 / quad_at(&s->d, at);
      out[0] *= by;
      out[1] *= by;
   }
}

#endif
