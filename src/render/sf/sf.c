/* Strips and fans: objects on the grid of pixels. Triangles and rectangles are here, and what all
 * kinds share. */
#include "render/sf/sf.h"

#include "machine/bounds.h"
#include "machine/float_bits.h"

#include <math.h>

enum {
   FILL_SOLID = GEN7_3DSTATE_SF_FRONTFACE_FILL_MODE_SOLID,
   FILL_WIREFRAME = GEN7_3DSTATE_SF_FRONTFACE_FILL_MODE_WIREFRAME,
   FILL_POINT = GEN7_3DSTATE_SF_FRONTFACE_FILL_MODE_POINT,
};

/* ---- what all objects share -------------------------------------------------------------------
 */

unsigned
sf_viewport(const struct render *r, const struct object *o)
{
   uint32_t index = o->v[o->inner[o->leading]]->vue[2];
   return index > r->state.clip.maximum_vp_index ? 0 : index; /* P3D-196 */
}

struct setup *
sf_begin(struct render *r, const struct object *o, bool back)
{
   struct setup *s = bin_new(r);
   uint32_t layer = o->v[o->inner[o->leading]]->vue[1];
   s->topology = o->topology;
   s->viewport = (uint8_t)sf_viewport(r, o);
   s->layer = r->state.clip.force_zero_rta_index_enable ? 0 : layer & 0x7ff; /* P3D-197 */
   s->back_facing = back;
   s->patterned = r->wm.pattern;
   return s;
}

/* P3D-239, P3D-258 */
static bool
limit(const struct render *r, struct setup *s)
{
   const struct hw_3dstate_drawing_rectangle *a = &r->state.area;
   const struct hw_scissor_rect *c = &r->state.scissor[s->viewport];
   s->x0 = int_most(s->x0, (int32_t)a->clipped_drawing_rectangle_x_min);
   s->y0 = int_most(s->y0, (int32_t)a->clipped_drawing_rectangle_y_min);
   s->x1 = int_least(s->x1, (int32_t)a->clipped_drawing_rectangle_x_max + 1);
   s->y1 = int_least(s->y1, (int32_t)a->clipped_drawing_rectangle_y_max + 1);
   if (r->state.sf.scissor_rectangle_enable) {
      int32_t x = a->drawing_rectangle_origin_x, y = a->drawing_rectangle_origin_y;
      s->x0 = int_most(s->x0, (int32_t)c->scissor_rectangle_x_min + x);
      s->y0 = int_most(s->y0, (int32_t)c->scissor_rectangle_y_min + y);
      s->x1 = int_least(s->x1, (int32_t)c->scissor_rectangle_x_max + 1 + x);
      s->y1 = int_least(s->y1, (int32_t)c->scissor_rectangle_y_max + 1 + y);
   }
   return s->x0 < s->x1 && s->y0 < s->y1;
}

bool
sf_bounds(const struct render *r, struct setup *s, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
   int32_t sx = (int32_t)(r->wm.sx * SF_GRID), sy = (int32_t)(r->wm.sy * SF_GRID);
   if (s->patterned) { /* pixels that may have a sample there */
      s->x0 = x0 >> 8;
      s->y0 = y0 >> 8;
      s->x1 = (x1 >> 8) + 1;
      s->y1 = (y1 >> 8) + 1;
      return limit(r, s);
   }
   s->x0 = (x0 - sx + SF_GRID - 1) >> 8;
   s->y0 = (y0 - sy + SF_GRID - 1) >> 8;
   s->x1 = ((x1 - sx) >> 8) + 1;
   s->y1 = ((y1 - sy) >> 8) + 1;
   return limit(r, s);
}

/* A function of the grid, A·x + B·y + C, at the sample points of pixels. */
static void
set_edge(const struct render *r, struct edge *e, int64_t a, int64_t b, int64_t c)
{
   int64_t sx = (int64_t)(r->wm.sx * SF_GRID), sy = (int64_t)(r->wm.sy * SF_GRID),
           at = a * sx + b * sy + c;
   e->a = (int32_t)a;
   e->b = (int32_t)b;
   e->c = at >> 8;
   e->rest = (uint8_t)(at & 0xff);
}

bool
sf_box(const struct render *r, struct setup *s, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
   if (!sf_bounds(r, s, x0, y0, x1, y1))
      return false;
   if (!s->patterned)
      return true;
   s->edges = 4;
   set_edge(r, &s->edge[0], 1, 0, -(int64_t)x0);
   set_edge(r, &s->edge[1], 0, 1, -(int64_t)y0);
   set_edge(r, &s->edge[2], -1, 0, x1);
   set_edge(r, &s->edge[3], 0, -1, y1);
   return true;
}

/* On the grid the function is A·x + B·y + C, and inside where that is above 0, or 0 on a left or
 * top edge (P3D-254). Between pixels it changes by 256·A and 256·B, so that its lowest eight bits
 * are the same everywhere and can be left out. */
void
sf_edge(const struct render *r, struct edge *e, int32_t ax, int32_t ay, int32_t bx, int32_t by)
{
   int64_t a = (int64_t)ay - by, b = (int64_t)bx - ax;
   sf_border(r, e, ax, ay, bx, by, a > 0 || (a == 0 && b > 0));
}

void
sf_border(const struct render *r, struct edge *e, int32_t ax, int32_t ay, int32_t bx, int32_t by,
          bool inside)
{
   int64_t a = (int64_t)ay - by, b = (int64_t)bx - ax;
   set_edge(r, e, a, b, -a * ax - b * ay - !inside);
}

static struct plane
weigh_planes(const struct plane *l1, const struct plane *l2, double v0, double v1, double v2)
{
   double d1 = v1 - v0, d2 = v2 - v0;
   return (struct plane){v0 + l1->c * d1 + l2->c * d2, l1->x * d1 + l2->x * d2,
                         l1->y * d1 + l2->y * d2};
}

static struct plane
scaled(const struct plane *p, double by)
{
   return (struct plane){p->c * by, p->x * by, p->y * by};
}

void
sf_planes(struct setup *s, const double rhw[3], const double z[3])
{
   double w0 = rhw[0], w1 = rhw[1], w2 = rhw[2];
   s->perspective = rhw[0] != rhw[1] || rhw[0] != rhw[2];
   s->n1 = scaled(&s->l1, w1);
   s->n2 = scaled(&s->l2, w2);
   s->d = weigh_planes(&s->l1, &s->l2, w0, w1, w2);
   s->z = weigh_planes(&s->l1, &s->l2, z[0], z[1], z[2]);
}

/* ---- triangles --------------------------------------------------------------------------------
 */

/* The linear weights of v1 and v2 over the plane of three places. False: they lie on a line. */
static bool
linear_planes(const struct render *r, struct setup *s, const double p[3][2])
{
   double ax = p[1][0] - p[0][0], ay = p[1][1] - p[0][1], bx = p[2][0] - p[0][0],
          by = p[2][1] - p[0][1], area = ax * by - ay * bx, dx = r->wm.sx - p[0][0],
          dy = r->wm.sy - p[0][1];
   if (area == 0)
      return false;
   double k = 1 / area;
   s->l1 = (struct plane){(dx * by - dy * bx) * k, by * k, -bx * k};
   s->l2 = (struct plane){(ax * dy - ay * dx) * k, -ay * k, ax * k};
   return true;
}

/* By the vertices as they are; by those on the grid where the two differ much: slivers, whose
 * covered pixels would be far outside. */
static void
triangle_planes(const struct render *r, struct setup *s, const struct sf_vertex v[3], int64_t area)
{
   const double p[3][2] = {{v[0].x, v[0].y}, {v[1].x, v[1].y}, {v[2].x, v[2].y}},
                q[3][2] = {{v[0].qx / 256.0, v[0].qy / 256.0},
                           {v[1].qx / 256.0, v[1].qy / 256.0},
                           {v[2].qx / 256.0, v[2].qy / 256.0}};
   double exact =
              (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[2][0] - p[0][0]) * (p[1][1] - p[0][1]),
          grid = (double)area / 65536.0;
   bool close = fabs(exact - grid) * 64 < fabs(grid);
   linear_planes(r, s, close ? p : q);
}

static bool
bias_enabled(const struct hw_3dstate_sf *f, unsigned fill)
{
   return fill == FILL_SOLID       ? f->global_depth_offset_enable_solid
          : fill == FILL_WIREFRAME ? f->global_depth_offset_enable_wireframe
                                   : f->global_depth_offset_enable_point;
}

/* P3D-222 to P3D-225. z: the triangle's; most: the largest |z|. */
static double
depth_bias(const struct render *r, unsigned fill, const struct plane *z, float most)
{
   const struct hw_3dstate_sf *f = &r->state.sf;
   float unit, slope = (float)fmax(fabs(z->x), fabs(z->y));
   if (!bias_enabled(f, fill))
      return 0;
   int exponent;
   switch (f->depth_buffer_surface_format) {
   case GEN7_3DSTATE_SF_DEPTH_BUFFER_SURFACE_FORMAT_D16_UNORM:
      unit = 0x1p-16f;
      break;
   case GEN7_3DSTATE_SF_DEPTH_BUFFER_SURFACE_FORMAT_D24_UNORM_S8_UINT:
   case GEN7_3DSTATE_SF_DEPTH_BUFFER_SURFACE_FORMAT_D24_UNORM_X8_UINT:
      unit = 0x1p-24f;
      break;
   default:
      frexpf(most, &exponent);
      unit = most > 0 && isfinite(most) ? ldexpf(1.0f, exponent - 1 - 23) : 0;
   }
   if (f->legacy_global_depth_bias_enable)
      unit = 1;
   float bias = f->global_depth_offset_constant * unit + f->global_depth_offset_scale * slope,
         clamp = f->global_depth_offset_clamp;
   if (clamp > 0)
      bias = fminf(bias, clamp);
   if (clamp < 0)
      bias = fmaxf(bias, clamp);
   return (double)bias;
}

static bool
takes_stipple(const struct render *r, const struct object *o)
{
   return r->state.wm.polygon_stipple_enable && o->topology != TRIFAN_NOSTIPPLE; /* P3D-267 */
}

/* The edges of three places on the grid, and what they bound. False: there are no pixels. */
static bool
shape(const struct render *r, struct setup *s, const struct sf_vertex v[3], int64_t area)
{
   unsigned second = area > 0 ? 1 : 2, third = 3 - second;
   int32_t x0 = int_least(int_least(v[0].qx, v[1].qx), v[2].qx),
           x1 = int_most(int_most(v[0].qx, v[1].qx), v[2].qx),
           y0 = int_least(int_least(v[0].qy, v[1].qy), v[2].qy),
           y1 = int_most(int_most(v[0].qy, v[1].qy), v[2].qy);
   if (!sf_bounds(r, s, x0, y0, x1, y1))
      return false;
   s->edges = 3;
   sf_edge(r, &s->edge[0], v[0].qx, v[0].qy, v[second].qx, v[second].qy);
   sf_edge(r, &s->edge[1], v[second].qx, v[second].qy, v[third].qx, v[third].qy);
   sf_edge(r, &s->edge[2], v[third].qx, v[third].qy, v[0].qx, v[0].qy);
   return true;
}

static float
most_z(const struct sf_vertex v[3])
{
   return (float)fmax(fabs(v[0].z), fmax(fabs(v[1].z), fabs(v[2].z)));
}

static void
solid(struct render *r, const struct object *o, const struct sf_vertex v[3], int64_t area,
      bool back)
{
   struct setup *s = sf_begin(r, o, back);
   if (!shape(r, s, v, area))
      return;
   for (unsigned i = 0; i < 3; i++)
      sf_check_extent(r, v[i].x, v[i].y);
   triangle_planes(r, s, v, area);
   sf_planes(s, (double[3]){v[0].rhw, v[1].rhw, v[2].rhw}, (double[3]){v[0].z, v[1].z, v[2].z});
   s->z.c += depth_bias(r, FILL_SOLID, &s->z, most_z(v));
   s->stippled = takes_stipple(r, o);
   sbe_triangle(r, o, s);
   bin_add(r, s);
}

/* P3D-217, P3D-218, P3D-219: its edges as lines, its vertices as points. */
static void
outline(struct render *r, const struct object *o, unsigned fill, bool back, double bias)
{
   for (unsigned i = 0; i < 3; i++) {
      if (fill == FILL_POINT && o->edges >> (3 + i) & 1)
         sf_point(r, o, i, back, bias);
      else if (fill == FILL_WIREFRAME && o->edges >> i & 1)
         sf_line(r, o, i, i == 2 ? 0 : i + 1, back, bias, NULL);
   }
}

/* P3D-193: of a part, what was the source's: the parts of its edges, and its vertices. */
static void
outline_part(struct render *r, const struct object *o, unsigned fill, bool back, double bias,
             const struct clip_part *part)
{
   for (unsigned i = 0; i < part->count; i++) {
      unsigned edge = part->edge[i], next = i + 1 < part->count ? i + 1 : 0;
      if (fill == FILL_POINT) {
         for (unsigned k = 0; k < 3; k++)
            if (part->weight[i][k] == 1 && o->edges >> (3 + k) & 1)
               sf_point(r, o, k, back, bias);
      } else if (edge != CLIP_NEW_EDGE && o->edges >> edge & 1) {
         unsigned to = edge == 2 ? 0 : edge + 1;
         const struct clip_part line = {
             .count = 2,
             .weight = {{part->weight[i][edge], part->weight[i][to]},
                        {part->weight[next][edge], part->weight[next][to]}}};
         sf_line(r, o, edge, to, back, bias, &line);
      }
   }
}

static unsigned
fill_mode(const struct render *r, bool back)
{
   return back ? r->state.sf.backface_fill_mode : r->state.sf.frontface_fill_mode;
}

static void
triangle(struct render *r, const struct object *o)
{
   struct sf_vertex v[3];
   unsigned viewport = sf_viewport(r, o);
   for (unsigned i = 0; i < 3; i++)
      if (!sf_transform(r, o->v[o->inner[i]], viewport, &v[i]))
         return;
   r->clip_out++; /* P3D-203 */
   int64_t area = sf_area(v[0].qx, v[0].qy, v[1].qx, v[1].qy, v[2].qx, v[2].qy);
   bool back = sf_faces_back(r, o->odd, area);
   if (sf_culled(r, back))
      return;
   unsigned fill = fill_mode(r, back);
   if (fill != FILL_SOLID) {
      struct setup flat = {0};
      if (area)
         triangle_planes(r, &flat, v, area);
      flat.z = weigh_planes(&flat.l1, &flat.l2, v[0].z, v[1].z, v[2].z);
      outline(r, o, fill, back, depth_bias(r, fill, &flat.z, most_z(v)));
   } else if (area) { /* P3D-213 */
      solid(r, o, v, area, back);
   }
}

/* ---- clipped triangles ------------------------------------------------------------------------
 */

/* Weights of the source over the screen, by the inverse of its vertices (x·w, y·w, w): good for
 * vertices behind the eye too (P3D-191). False: it is seen from its edge. sign: which face. */
static bool
homogeneous_planes(const struct render *r, struct setup *s, unsigned viewport,
                   const double clip[3][4], int *sign)
{
   const struct hw_sf_clip_viewport *vp = &r->state.viewport[viewport];
   bool on = r->state.sf.viewport_transform_enable;
   double mx = on ? (double)vp->viewport_matrix_element_m00 : 1,
          my = on ? (double)vp->viewport_matrix_element_m11 : 1,
          mz = on ? (double)vp->viewport_matrix_element_m22 : 1,
          ox = (on ? (double)vp->viewport_matrix_element_m30 : 0) +
               r->state.area.drawing_rectangle_origin_x - r->wm.sx,
          oy = (on ? (double)vp->viewport_matrix_element_m31 : 0) +
               r->state.area.drawing_rectangle_origin_y - r->wm.sy,
          oz = on ? (double)vp->viewport_matrix_element_m32 : 0;
   double x[3], y[3], w[3];
   for (unsigned i = 0; i < 3; i++) {
      w[i] = clip[i][3];
      x[i] = clip[i][0] * mx + ox * w[i];
      y[i] = clip[i][1] * my + oy * w[i];
   }
   struct plane n[3];
   double det = x[0] * (y[1] * w[2] - y[2] * w[1]) - y[0] * (x[1] * w[2] - x[2] * w[1]) +
                w[0] * (x[1] * y[2] - x[2] * y[1]);
   *sign = det > 0 ? 1 : det < 0 ? -1 : 0;
   if (det == 0 || !isfinite(det))
      return false;
   for (unsigned i = 0; i < 3; i++) {
      unsigned j = (i + 1) % 3, k = (i + 2) % 3;
      n[i] = (struct plane){(x[j] * y[k] - x[k] * y[j]) / det, (y[j] * w[k] - y[k] * w[j]) / det,
                            (x[k] * w[j] - x[j] * w[k]) / det};
   }
   s->n1 = n[1];
   s->n2 = n[2];
   s->l1 = scaled(&n[1], w[1]);
   s->l2 = scaled(&n[2], w[2]);
   s->d =
       (struct plane){n[0].c + n[1].c + n[2].c, n[0].x + n[1].x + n[2].x, n[0].y + n[1].y + n[2].y};
   s->z =
       (struct plane){oz + mz * (n[0].c * clip[0][2] + n[1].c * clip[1][2] + n[2].c * clip[2][2]),
                      mz * (n[0].x * clip[0][2] + n[1].x * clip[1][2] + n[2].x * clip[2][2]),
                      mz * (n[0].y * clip[0][2] + n[1].y * clip[1][2] + n[2].y * clip[2][2])};
   s->perspective = true;
   return true;
}

/* The vertices of the part on the screen. False: one is not a number. */
static bool
place_part(const struct render *r, unsigned viewport, const double clip[3][4],
           const struct clip_part *part, struct sf_vertex *v, float *most)
{
   *most = 0;
   for (unsigned i = 0; i < part->count; i++) {
      double c[4], at[4];
      for (unsigned k = 0; k < 4; k++)
         c[k] = part->weight[i][0] * clip[0][k] + part->weight[i][1] * clip[1][k] +
                part->weight[i][2] * clip[2][k];
      sf_screen(r, viewport, c, at);
      if (isnan(at[0]) || isnan(at[1]) || isnan(at[2]))
         return false;
      v[i] = (struct sf_vertex){
          .x = at[0], .y = at[1], .qx = sf_quantise(r, at[0]), .qy = sf_quantise(r, at[1])};
      *most = fmaxf(*most, (float)fabs(at[2]));
   }
   return true;
}

/* P3D-189: a fan, all of it over the source's planes. */
static void
clipped_triangle(struct render *r, const struct object *o, const struct clip_part *part)
{
   unsigned viewport = sf_viewport(r, o);
   struct sf_vertex v[CLIP_VERTICES];
   double clip[3][4];
   float most;
   int sign;
   struct setup base;
   for (unsigned i = 0; i < 3; i++)
      sf_clip_space(r, o->v[o->inner[i]], clip[i]);
   if (!place_part(r, viewport, clip, part, v, &most))
      return;
   r->clip_out += part->count - 2; /* P3D-203 */
   if (!homogeneous_planes(r, &base, viewport, clip, &sign))
      return;
   bool back = sf_faces_back(r, o->odd, sign);
   if (sf_culled(r, back))
      return;
   unsigned fill = fill_mode(r, back);
   double bias = depth_bias(r, fill, &base.z, most);
   if (fill != FILL_SOLID) {
      outline_part(r, o, fill, back, bias, part);
      return;
   }
   base.z.c += bias;
   for (unsigned i = 1; i + 1 < part->count; i++) {
      const struct sf_vertex t[3] = {v[0], v[i], v[i + 1]};
      int64_t area = sf_area(t[0].qx, t[0].qy, t[1].qx, t[1].qy, t[2].qx, t[2].qy);
      if (sign > 0 ? area <= 0 : area >= 0)
         continue;
      struct setup *s = sf_begin(r, o, back);
      if (!shape(r, s, t, area))
         continue;
      for (unsigned k = 0; k < 3; k++)
         sf_check_extent(r, t[k].x, t[k].y);
      s->n1 = base.n1, s->n2 = base.n2, s->d = base.d;
      s->l1 = base.l1, s->l2 = base.l2, s->z = base.z;
      s->perspective = true;
      s->stippled = takes_stipple(r, o);
      sbe_triangle(r, o, s);
      bin_add(r, s);
   }
}

/* ---- rectangles -------------------------------------------------------------------------------
 */

/* P3D-240: the fourth corner follows from three; pixels on left and top edges are inside. */
static void
rectangle(struct render *r, const struct object *o)
{
   struct sf_vertex v[3];
   unsigned viewport = sf_viewport(r, o);
   for (unsigned i = 0; i < 3; i++)
      if (!sf_transform(r, o->v[i], viewport, &v[i]))
         return; /* G3D-093: such an object vanishes */
   r->clip_out++;
   struct setup *s = sf_begin(r, o, false);
   int32_t x0 = int_least(int_least(v[0].qx, v[1].qx), v[2].qx),
           x1 = int_most(int_most(v[0].qx, v[1].qx), v[2].qx),
           y0 = int_least(int_least(v[0].qy, v[1].qy), v[2].qy),
           y1 = int_most(int_most(v[0].qy, v[1].qy), v[2].qy);
   bool aligned = /* P3D-241 */
       (v[0].qx == v[1].qx || v[0].qy == v[1].qy) && (v[1].qx == v[2].qx || v[1].qy == v[2].qy);
   if (!aligned)
      render_report(r, PERGOLA_WARNING, "P3D-241",
                    "a rectangle that is not aligned with the axes; what bounds it is drawn");
   if (r->pixel.fast_clear && (x0 | y0 | x1 | y1) & (SF_GRID - 1))
      render_report(r, PERGOLA_ERROR, "P3D-368",
                    "a fast clear: its rectangle is of whole blocks of the target");
   if (!sf_box(r, s, x0, y0, x1 - 1, y1 - 1))
      return;
   for (unsigned i = 0; i < 3; i++)
      sf_check_extent(r, v[i].x, v[i].y);
   const double p[3][2] = {{v[0].x, v[0].y}, {v[1].x, v[1].y}, {v[2].x, v[2].y}};
   if (!linear_planes(r, s, p))
      s->l1 = s->l2 = (struct plane){0, 0, 0};
   sf_planes(s, (double[3]){v[0].rhw, v[1].rhw, v[2].rhw}, (double[3]){v[0].z, v[1].z, v[2].z});
   sbe_triangle(r, o, s);
   bin_add(r, s);
}

void
sf_object(struct render *r, const struct object *o, const struct clip_part *part)
{
   switch (o->kind) {
   case OBJECT_POINT:
      r->clip_out++;
      sf_point(r, o, 0, o->back, 0);
      break;
   case OBJECT_LINE:
      r->clip_out++;
      sf_line(r, o, 0, 1, o->back, 0, part);
      break;
   case OBJECT_RECTANGLE:
      rectangle(r, o);
      break;
   case OBJECT_TRIANGLE:
      if (part)
         clipped_triangle(r, o, part);
      else
         triangle(r, o);
      break;
   default: /* a patch has no stage that takes it: P3D-067 */
      break;
   }
}
