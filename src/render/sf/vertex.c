/* Vertices on the screen: the perspective divide, the viewport, the grid. */
#include "render/sf/sf.h"

#include "machine/float_bits.h"

#include <math.h>

int32_t
sf_quantise(const struct render *r, double at)
{
   /* What is no number, of a line to infinity, is at the edge too. */
   double limited = !(at > -32768.0) ? -32768.0 : at > 32767.99609375 ? 32767.99609375 : at;
   if (r->state.sf.vertex_sub_pixel_precision_select)
      return (int32_t)rint(limited * 16) * 16;
   return (int32_t)rint(limited * SF_GRID);
}

/* P3D-212: an object that reaches the drawing rectangle, and a vertex that the grid does not have.
 */
void
sf_check_extent(struct render *r, double x, double y)
{
   if (x >= -32768.0 && x < 32768.0 && y >= -32768.0 && y < 32768.0)
      return;
   render_report(r, PERGOLA_WARNING, "P3D-212",
                 "a vertex at %g, %g: it is drawn at the edge of the 65536 x 65536 pixels that "
                 "there are",
                 x, y);
}

/* Pixels are found by floats, as the manual has it; values between vertices go by the same without
 * rounding (P3D-269). */
static bool
transform(const struct render *r, const struct vertex *v, unsigned viewport, struct sf_vertex *out)
{
   const struct hw_sf_clip_viewport *vp = &r->state.viewport[viewport];
   const uint32_t *p = v->vue + 4;
   float x = bits_float(p[0]), y = bits_float(p[1]), z = bits_float(p[2]), w = bits_float(p[3]);
   double clip[4], at[4];
   sf_clip_space(r, v, clip);
   sf_screen(r, viewport, clip, at);
   if (!r->state.clip.perspective_divide_disable) { /* P3D-176 */
      x /= w;
      y /= w;
      z /= w;
      w = 1.0f / w;
   }
   if (r->state.sf.viewport_transform_enable) {
      x = x * vp->viewport_matrix_element_m00 + vp->viewport_matrix_element_m30;
      y = y * vp->viewport_matrix_element_m11 + vp->viewport_matrix_element_m31;
      z = z * vp->viewport_matrix_element_m22 + vp->viewport_matrix_element_m32;
   }
   if (isnan(x) || isnan(y) || isnan(z) || isnan(w))
      return false;
   x += (float)r->state.area.drawing_rectangle_origin_x; /* P3D-210 */
   y += (float)r->state.area.drawing_rectangle_origin_y;
   *out = (struct sf_vertex){at[0], at[1], at[2], at[3], sf_quantise(r, x), sf_quantise(r, y)};
   return true;
}

bool
sf_transform(struct render *r, const struct vertex *v, unsigned viewport, struct sf_vertex *out)
{
   struct vertex_found *f = render_found(r, v);
   if (!f)
      return transform(r, v, viewport, out);
   double *place = r->place[f - r->found];
   if (f->viewport != viewport + 1) {
      f->viewport = (uint8_t)(viewport + 1);
      f->number = transform(r, v, viewport, out);
      if (f->number) {
         memcpy(place, (double[4]){out->x, out->y, out->z, out->rhw}, sizeof(r->place[0]));
         f->qx = out->qx;
         f->qy = out->qy;
      }
      return f->number;
   }
   *out = (struct sf_vertex){place[0], place[1], place[2], place[3], f->qx, f->qy};
   return f->number;
}

void
sf_clip_space(const struct render *r, const struct vertex *v, double out[4])
{
   const uint32_t *p = v->vue + 4;
   for (unsigned k = 0; k < 4; k++)
      out[k] = bits_float(p[k]);
   if (r->state.clip.perspective_divide_disable) {
      double w = 1 / out[3];
      for (unsigned k = 0; k < 3; k++)
         out[k] *= w;
      out[3] = w;
   }
}

void
sf_screen(const struct render *r, unsigned viewport, const double clip[4], double out[4])
{
   const struct hw_sf_clip_viewport *vp = &r->state.viewport[viewport];
   double rhw = 1 / clip[3];
   for (unsigned k = 0; k < 3; k++)
      out[k] = clip[k] * rhw;
   out[3] = rhw;
   if (r->state.sf.viewport_transform_enable) {
      out[0] = out[0] * (double)vp->viewport_matrix_element_m00 +
               (double)vp->viewport_matrix_element_m30;
      out[1] = out[1] * (double)vp->viewport_matrix_element_m11 +
               (double)vp->viewport_matrix_element_m31;
      out[2] = out[2] * (double)vp->viewport_matrix_element_m22 +
               (double)vp->viewport_matrix_element_m32;
   }
   out[0] += r->state.area.drawing_rectangle_origin_x;
   out[1] += r->state.area.drawing_rectangle_origin_y;
}
