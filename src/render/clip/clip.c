/* Clipping: which objects are seen, and which part of them. New vertices are weights of the
 * source's, so that what is interpolated over the part is interpolated over the source (P3D-192).
 */
#include "render/clip/clip.h"

#include "machine/float_bits.h"

#include <math.h>

/* An object's vertices as clipping sees them. */
struct corner {
   float x, y, z, w;
   const uint32_t *distance; /* P3D-078 */
};

static struct corner
corner_of(const struct render *r, const struct vertex *v)
{
   const uint32_t *p = v->vue + 4;
   struct corner c = {bits_float(p[0]), bits_float(p[1]), bits_float(p[2]), bits_float(p[3]),
                      p + 4};
   if (r->state.clip.perspective_divide_disable) /* P3D-199 */
      c.w = 1;
   return c;
}

/* P3D-182, P3D-183: exactly on a plane is inside. */
static uint32_t
out_xy(const struct corner *c, float x0, float x1, float y0, float y1)
{
   return (uint32_t)(c->x < x0 * c->w) | (uint32_t)(c->x > x1 * c->w) << 1 |
          (uint32_t)(c->y < y0 * c->w) << 2 | (uint32_t)(c->y > y1 * c->w) << 3;
}

static uint32_t
out_distances(const struct hw_3dstate_clip *s, const struct corner *c)
{
   uint32_t clip = s->user_clip_distance_clip_test_enable_bitmask,
            cull = s->user_clip_distance_cull_test_enable_bitmask, code = 0;
   for (unsigned i = 0; (clip | cull) >> i; i++) {
      float d = bits_float(c->distance[i]);
      if (!((clip | cull) >> i & 1))
         continue;
      if (isnan(d))
         return OUT_BAD;
      code |= d < 0 ? (clip >> i & 1) << (11 + i) | (cull >> i & 1) << (19 + i) : 0;
   }
   return code;
}

static uint32_t
outcode(const struct hw_3dstate_clip *s, const struct hw_sf_clip_viewport *vp,
        const struct corner *c)
{
   bool view = s->viewport_xy_clip_test_enable, guard = s->guardband_clip_test_enable;
   if (isnan(c->x) || isnan(c->y) || isnan(c->z) || isnan(c->w)) /* P3D-180, P3D-204 */
      return OUT_BAD;
   uint32_t code = signbit(c->w) ? OUT_W : 0, xy = 0; /* P3D-181 */
   if (view)
      code |= xy = out_xy(c, -1, 1, -1, 1);
   if (guard) {
      xy = out_xy(c, vp->x_min_clip_guardband, vp->x_max_clip_guardband, vp->y_min_clip_guardband,
                  vp->y_max_clip_guardband);
      code |= view ? 0 : xy;
   }
   code |= xy << 6; /* P3D-184: one that is off is as the other */
   if (s->viewport_z_clip_test_enable)
      code |= (c->z < (s->api_mode ? 0 : -c->w) ? OUT_NEAR : 0) | (c->z > c->w ? OUT_FAR : 0);
   if (s->user_clip_distance_clip_test_enable_bitmask |
       s->user_clip_distance_cull_test_enable_bitmask)
      code |= out_distances(s, c);
   return code;
}

/* ---- must clip --------------------------------------------------------------------------------
 */

/* How far a vertex is inside the plane of this bit. */
static double
inside_by(const struct render *r, const struct hw_sf_clip_viewport *vp, const struct corner *c,
          unsigned bit)
{
   const struct hw_3dstate_clip *s = &r->state.clip;
   bool guard = s->guardband_clip_test_enable;
   double x = c->x, y = c->y, z = c->z, w = c->w;
   switch (bit) {
   case 4:
      return s->api_mode ? z : z + w;
   case 5:
      return w - z;
   case 6:
      return x - (guard ? (double)vp->x_min_clip_guardband : -1.0) * w;
   case 7:
      return (guard ? (double)vp->x_max_clip_guardband : 1.0) * w - x;
   case 8:
      return y - (guard ? (double)vp->y_min_clip_guardband : -1.0) * w;
   case 9:
      return (guard ? (double)vp->y_max_clip_guardband : 1.0) * w - y;
   case 10:
      return w - 1e-30; /* in front of the eye */
   default:
      return (double)bits_float(c->distance[bit - 11]);
   }
}

static double
weigh(const double weight[3], const double value[3])
{
   return weight[0] * value[0] + weight[1] * value[1] + weight[2] * value[2];
}

/* P3D-189: from the vertex inside to the one outside, whichever comes first: neighbours agree
 * (P3D-255). */
static void
cut(const double in[3], double in_by, const double out[3], double out_by, double to[3])
{
   double t = in_by / (in_by - out_by);
   for (unsigned k = 0; k < 3; k++)
      to[k] = in[k] + t * (out[k] - in[k]);
}

static void
add(struct clip_part *p, const double weight[3], unsigned edge)
{
   if (p->count == CLIP_VERTICES)
      return;
   memcpy(p->weight[p->count], weight, sizeof(p->weight[0]));
   p->edge[p->count++] = (uint8_t)edge;
}

/* A polygon by one plane. */
static void
cut_polygon(struct clip_part *p, const double by[3])
{
   struct clip_part from = *p;
   p->count = 0;
   for (unsigned i = 0; i < from.count; i++) {
      unsigned j = i + 1 < from.count ? i + 1 : 0;
      const double *a = from.weight[i], *b = from.weight[j];
      double da = weigh(a, by), db = weigh(b, by), at[3];
      if (da >= 0)
         add(p, a, from.edge[i]);
      if (da >= 0 && db < 0) {
         cut(a, da, b, db, at);
         add(p, at, CLIP_NEW_EDGE);
      } else if (da < 0 && db >= 0) {
         cut(b, db, a, da, at);
         add(p, at, from.edge[i]);
      }
   }
}

static void
cut_line(struct clip_part *p, const double by[3])
{
   double da = weigh(p->weight[0], by), db = weigh(p->weight[1], by), at[3];
   if (da < 0 && db < 0) {
      p->count = 0;
   } else if (da < 0) {
      cut(p->weight[1], db, p->weight[0], da, at);
      memcpy(p->weight[0], at, sizeof(at));
   } else if (db < 0) {
      cut(p->weight[0], da, p->weight[1], db, at);
      memcpy(p->weight[1], at, sizeof(at));
   }
}

/* P3D-189, P3D-190. False: nothing is left. */
static bool
clip_to_planes(const struct render *r, const struct hw_sf_clip_viewport *vp, const struct corner *c,
               unsigned count, uint32_t planes, struct clip_part *p)
{
   *p = (struct clip_part){.count = count};
   for (unsigned i = 0; i < count; i++) {
      p->weight[i][i] = 1;
      p->edge[i] = (uint8_t)i;
   }
   for (; planes && p->count >= count; planes &= planes - 1) {
      double by[3] = {0, 0, 0};
      for (unsigned i = 0; i < count; i++)
         by[i] = inside_by(r, vp, &c[i], (unsigned)__builtin_ctz(planes));
      if (count == 3)
         cut_polygon(p, by);
      else
         cut_line(p, by);
   }
   return p->count >= count;
}

/* Once for a vertex, however many objects have it. */
uint32_t
clip_code(struct render *r, const struct vertex *v, unsigned viewport)
{
   struct vertex_found *f = render_found(r, v);
   if (f && f->code_viewport == viewport + 1)
      return f->code;
   struct corner c = corner_of(r, v);
   uint32_t code = outcode(&r->state.clip, &r->state.viewport[viewport], &c);
   if (f) {
      f->code = code;
      f->code_viewport = (uint8_t)(viewport + 1);
   }
   return code;
}

/* ---- objects ----------------------------------------------------------------------------------
 */

static void
clip_normal(struct render *r, const struct object *o)
{
   const struct hw_3dstate_clip *s = &r->state.clip;
   unsigned count = o->kind == OBJECT_POINT ? 1 : o->kind == OBJECT_LINE ? 2 : 3;
   uint32_t index = o->v[o->inner[o->leading]]->vue[2];
   unsigned viewport = index > s->maximum_vp_index ? 0 : index; /* P3D-196 */
   uint32_t all = UINT32_MAX, any = 0;
   for (unsigned i = 0; i < count; i++) {
      uint32_t code = clip_code(r, o->v[o->inner[i]], viewport);
      all &= code;
      any |= code;
   }
   if (any & OUT_BAD)
      return;
   if (s->clip_mode == CLIP_ACCEPT_ALL) { /* P3D-178 */
      sf_object(r, o, NULL);
      return;
   }
   if (all) /* P3D-185 */
      return;
   if (!(any & OUT_MUST) || o->kind == OBJECT_RECTANGLE) { /* P3D-186 */
      sf_object(r, o, NULL);
      return;
   }
   struct clip_part part;
   struct corner c[3];
   for (unsigned i = 0; i < count; i++)
      c[i] = corner_of(r, o->v[o->inner[i]]);
   if (clip_to_planes(r, &r->state.viewport[viewport], c, count, any & OUT_MUST, &part))
      sf_object(r, o, &part);
}

void
clip_object(struct render *r, const struct object *o)
{
   const struct hw_3dstate_clip *s = &r->state.clip;
   if (!s->clip_enable) { /* P3D-176 */
      sf_object(r, o, NULL);
      return;
   }
   r->clip_in++;                        /* P3D-202 */
   if (s->clip_mode == CLIP_REJECT_ALL) /* P3D-177 */
      return;
   clip_normal(r, o);
}
