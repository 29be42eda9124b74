/* What the pixel interpolator asks: the same planes as those of the payload, at other places. */
#include "render/msaa/msaa.h"

static struct render *
render_of(const struct ps_worker *w)
{
   return w->w.crew->data;
}

/* SFV-104: sixteenths of a pixel from the pixel location. Where that is no way at all, the weights
 * are the payload's, to the last bit (P3D-331). */
STAGE_VECTORS static void
at_offsets(const struct ps_worker *w, const struct pi_request *q, unsigned slot, unsigned subspan,
           quad_d b[2])
{
   struct msaa_spots at = msaa_spots(w, &render_of(w)->wm, subspan, 0, AT_PIXEL);
   quad_d here[2];
   barycentric_at(w->s, !q->linear, &at, here);
   at.moved = true;
   for (unsigned i = 0; i < 4; i++) {
      at.dx[i] = q->offset[slot + i][0] / 16.0;
      at.dy[i] = q->offset[slot + i][1] / 16.0;
   }
   barycentric_at(w->s, !q->linear, &at, b);
   for (unsigned i = 0; i < 4; i++)
      if (!q->offset[slot + i][0] && !q->offset[slot + i][1]) {
         b[0][i] = here[0][i];
         b[1][i] = here[1][i];
      }
}

STAGE_VECTORS void
msaa_interpolate(void *data, const struct eu_thread *t, const struct pi_request *q,
                 float b[2][PI_SLOTS])
{
   const struct ps_worker *w = data;
   const struct wm *wm = &render_of(w)->wm;
   unsigned sample = q->sample < wm->samples ? q->sample : 0; /* SFV-105 */
   if (t != w->w.t)
      return;
   for (unsigned slot = 0; slot < q->slots; slot += 4) {
      struct msaa_quad quad = msaa_quad(w, wm, (q->first_slot + slot) / 4);
      struct msaa_spots at;
      quad_d value[2];
      if (quad.subspan >= w->pixel.group.subspans)
         continue;
      switch (q->type) {
      case GEN7_PIXEL_INTERPOLATOR_MESSAGE_SAMPLE_POSITION_OFFSET:
         at = msaa_spots(w, wm, quad.subspan, sample, AT_SAMPLE);
         barycentric_at(w->s, !q->linear, &at, value);
         break;
      case GEN7_PIXEL_INTERPOLATOR_MESSAGE_CENTROID_POSITION_OFFSET:
         at = msaa_spots(w, wm, quad.subspan, 0, AT_CENTROID);
         barycentric_at(w->s, !q->linear, &at, value);
         break;
      default:
         at_offsets(w, q, slot, quad.subspan, value);
      }
      store_quad(&b[0][slot], value[0]);
      store_quad(&b[1][slot], value[1]);
   }
}
