/* Points: squares around a vertex (P3D-226). */
#include "render/sf/sf.h"

#include "machine/float_bits.h"

#include <math.h>

/* P3D-198, P3D-228 */
static float
point_width(const struct render *r, const struct vertex *v)
{
   const struct hw_3dstate_clip *c = &r->state.clip;
   if (r->state.sf.point_width_source)
      return (float)r->state.sf.point_width / 8;
   float width = bits_float(v->vue[3]), low = (float)c->minimum_point_width / 8,
         high = (float)c->maximum_point_width / 8;
   if (!c->clip_enable)
      return width > 0 ? fminf(width, 32767) : 0;
   return !(width > low) ? low : width > high ? high : width;
}

/* P3D-227: which of the four edges are inside. */
static bool
bound(const struct render *r, struct setup *s, const int32_t q[4])
{
   bool right = r->state.wm.point_rasterization_rule; /* UPPER_RIGHT */
   return q[0] < q[2] && q[1] < q[3] && sf_box(r, s, q[0] + right, q[1], q[2] - !right, q[3] - 1);
}

void
sf_point(struct render *r, const struct object *o, unsigned inner, bool back, double bias)
{
   const struct vertex *v = o->v[o->inner[inner]];
   struct sf_vertex at;
   if (!sf_transform(r, v, sf_viewport(r, o), &at))
      return;
   double width = point_width(r, v), half = width / 2, left = at.x - half, top = at.y - half;
   const int32_t q[4] = {sf_quantise(r, left), sf_quantise(r, top), sf_quantise(r, at.x + half),
                         sf_quantise(r, at.y + half)};
   struct setup *s = sf_begin(r, o, back);
   if (!bound(r, s, q))
      return;
   sf_check_extent(r, at.x, at.y);
   /* Across and down the square, for sprites (P3D-249). */
   s->l1 = (struct plane){(r->wm.sx - left) / width, 1 / width, 0};
   s->l2 = (struct plane){(r->wm.sy - top) / width, 0, 1 / width};
   sf_planes(s, (double[3]){at.rhw, at.rhw, at.rhw}, (double[3]){at.z, at.z, at.z});
   s->z.c += bias;
   sbe_point(r, o, inner, s);
   bin_add(r, s);
}
