/* Lines: of one pixel by the diamond rule, wide ones as parallelograms or rectangles. */
#include "render/sf/sf.h"

#include <math.h>
#include <stdlib.h>

#define HALF (SF_GRID / 2)

/* One end of a line: on the screen, its 1/w, and its weight of the second vertex. */
struct end {
   double x, y, z, rhw, weight;
   int32_t qx, qy;
};

/* ---- the diamond rule -------------------------------------------------------------------------
 */

/* P3D-229: the line seen along its major axis, on the grid; `u` along it, `v` across. */
struct cosmetic {
   bool y_major, legacy;
   int64_t u0, v0, u1, v1;
};

/* The pixel across, where the line passes the middle of pixel u: the one whose middle c is in
 * (v - 1/2, v + 1/2], rounded up. */
static int64_t
pixel_across(const struct cosmetic *l, int64_t u)
{
   int64_t du = l->u1 - l->u0, dv = l->v1 - l->v0;
   if (du < 0) {
      du = -du;
      dv = -dv;
   }
   /* v at the middle of u, times du; the pixel is ceil(v) - 1. */
   int64_t v = l->v0 * du + dv * (u * SF_GRID + HALF - l->u0), step = du * SF_GRID;
   int64_t floor = v >= 0 ? v / step : -((-v + step - 1) / step);
   return floor * step == v ? floor - 1 : floor;
}

/* Legacy Diamond Line Rasterization: of the border the bottom, the right corner, or the left one of
 * lines down to the right at 45 degrees; of these, and of those down to the left, the lower edge
 * that they follow. */
static bool
in_legacy_border(const struct cosmetic *l, int64_t dx, int64_t dy)
{
   int64_t du = l->u1 - l->u0, dv = l->v1 - l->v0;
   bool down_right = du == dv, down_left = du == -dv;
   if (dy == 0)
      return down_right ? dx < 0 : dx > 0;
   return dy > 0 && (dx == 0 || (dx < 0 ? down_right : down_left));
}

/* Is a place inside the diamond of a pixel? Of its border the lower half belongs to it, and of
 * lines that go down or up its right corner. */
static bool
in_diamond(const struct cosmetic *l, int64_t u, int64_t v, int64_t pixel_u, int64_t pixel_v)
{
   int64_t du = u - (pixel_u * SF_GRID + HALF), dv = v - (pixel_v * SF_GRID + HALF);
   int64_t dx = l->y_major ? dv : du, dy = l->y_major ? du : dv, sum = llabs(dx) + llabs(dy);
   if (sum != HALF)
      return sum < HALF;
   return l->legacy ? in_legacy_border(l, dx, dy) : dy > 0 || (dy == 0 && dx > 0 && l->y_major);
}

/* Does the line leave the diamond of the pixel that it lights at u? */
static bool
leaves(const struct cosmetic *l, int64_t u, bool last_pixel)
{
   int64_t v = pixel_across(l, u), middle = u * SF_GRID + HALF;
   bool forward = l->u1 > l->u0;
   bool starts_in = in_diamond(l, l->u0, l->v0, u, v), ends_in = in_diamond(l, l->u1, l->v1, u, v);
   bool starts_behind = forward ? l->u0 >= middle : l->u0 <= middle,
        ends_before = forward ? l->u1 <= middle : l->u1 >= middle;
   if (ends_in)
      return last_pixel;
   return (starts_in || !starts_behind) && !ends_before;
}

/* The first and the last pixel along it that are lit; the rest is two edges. */
static void
cosmetic_range(const struct cosmetic *l, bool last_pixel, int64_t *from, int64_t *to)
{
   int64_t low = (l->u0 < l->u1 ? l->u0 : l->u1) >> 8, high = (l->u0 < l->u1 ? l->u1 : l->u0) >> 8;
   *from = low - 1;
   *to = high + 1;
   while (*from <= *to && *from < low + 2 && !leaves(l, *from, last_pixel))
      ++*from;
   while (*to >= *from && *to > high - 2 && !leaves(l, *to, last_pixel))
      --*to;
}

static bool
is_y_major(const struct end *a, const struct end *b)
{
   return llabs((int64_t)b->qy - a->qy) > llabs((int64_t)b->qx - a->qx);
}

static struct cosmetic
cosmetic_of(const struct render *r, const struct end *a, const struct end *b)
{
   bool legacy = r->state.wm.legacy_diamond_line_rasterization;
   return is_y_major(a, b) ? (struct cosmetic){true, legacy, a->qy, a->qx, b->qy, b->qx}
                           : (struct cosmetic){false, legacy, a->qx, a->qy, b->qx, b->qy};
}

/* Two edges, half a pixel to either side across; along it from pixel to pixel. */
static bool
cosmetic_shape(const struct render *r, struct setup *s, const struct end *a, const struct end *b,
               bool last_pixel)
{
   struct cosmetic l = cosmetic_of(r, a, b);
   bool y_major = l.y_major;
   int64_t from, to;
   cosmetic_range(&l, last_pixel, &from, &to);
   if (from > to)
      return false;
   int32_t u0 = (int32_t)from * SF_GRID + HALF, u1 = (int32_t)to * SF_GRID + HALF,
           v0 = (int32_t)(l.v0 < l.v1 ? l.v0 : l.v1) - SF_GRID,
           v1 = (int32_t)(l.v0 < l.v1 ? l.v1 : l.v0) + SF_GRID;
   if (!(y_major ? sf_bounds(r, s, v0, u0, v1, u1) : sf_bounds(r, s, u0, v0, u1, v1)))
      return false;
   const struct end *p = a, *q = b; /* from the left to the right, or from the top down */
   if (y_major ? a->qy > b->qy : a->qx > b->qx) {
      p = b;
      q = a;
   }
   s->edges = 2;
   if (y_major) {
      sf_border(r, &s->edge[0], q->qx - HALF, q->qy, p->qx - HALF, p->qy, true);
      sf_border(r, &s->edge[1], p->qx + HALF, p->qy, q->qx + HALF, q->qy, false);
   } else { /* of two pixels that a line passes between, the upper one */
      sf_border(r, &s->edge[0], p->qx, p->qy - HALF, q->qx, q->qy - HALF, true);
      sf_border(r, &s->edge[1], q->qx, q->qy + HALF, p->qx, p->qy + HALF, false);
   }
   return true;
}

/* ---- wide lines -------------------------------------------------------------------------------
 */

/* Four corners in the order of the clock on the screen, or against it. */
static bool
quad_shape(const struct render *r, struct setup *s, const double corner[4][2])
{
   int32_t q[4][2], low[2] = {INT32_MAX, INT32_MAX}, high[2] = {INT32_MIN, INT32_MIN};
   int64_t area = 0;
   for (unsigned i = 0; i < 4; i++)
      for (unsigned k = 0; k < 2; k++) {
         q[i][k] = sf_quantise(r, corner[i][k]);
         low[k] = q[i][k] < low[k] ? q[i][k] : low[k];
         high[k] = q[i][k] > high[k] ? q[i][k] : high[k];
      }
   for (unsigned i = 0; i < 4; i++)
      area += (int64_t)q[i][0] * q[(i + 1) % 4][1] - (int64_t)q[(i + 1) % 4][0] * q[i][1];
   if (!area || !sf_bounds(r, s, low[0], low[1], high[0], high[1]))
      return false;
   s->edges = 4;
   for (unsigned i = 0; i < 4; i++) {
      const int32_t *p = q[area > 0 ? i : 3 - i], *n = q[area > 0 ? (i + 1) % 4 : (6 - i) % 4];
      sf_edge(r, &s->edge[i], p[0], p[1], n[0], n[1]);
   }
   return true;
}

/* P3D-231: half the width to either side along the minor axis; P3D-232: square to the line. cap:
 * how much further it goes at both ends. */
static bool
wide_shape(const struct render *r, struct setup *s, const struct end *a, const struct end *b,
           double width, bool square, double cap)
{
   double dx = b->x - a->x, dy = b->y - a->y, length = sqrt(dx * dx + dy * dy), ox = 0, oy = 0,
          cx = cap ? dx / length * cap : 0, cy = cap ? dy / length * cap : 0;
   if (square) {
      ox = -dy / length * width / 2;
      oy = dx / length * width / 2;
   } else if (fabs(dy) > fabs(dx)) {
      ox = width / 2;
   } else {
      oy = width / 2;
   }
   const double corner[4][2] = {{a->x - cx - ox, a->y - cy - oy},
                                {b->x + cx - ox, b->y + cy - oy},
                                {b->x + cx + ox, b->y + cy + oy},
                                {a->x - cx + ox, a->y - cy + oy}};
   return quad_shape(r, s, corner);
}

/* ---- lines ------------------------------------------------------------------------------------
 */

static bool
place(const struct render *r, unsigned viewport, const double clip[2][4], const double weight[3],
      struct end *e)
{
   double c[4], at[4];
   for (unsigned k = 0; k < 4; k++)
      c[k] = weight[0] * clip[0][k] + weight[1] * clip[1][k];
   sf_screen(r, viewport, c, at);
   if (isnan(at[0]) || isnan(at[1]) || isnan(at[2]) || isnan(at[3]))
      return false;
   *e = (struct end){
       at[0], at[1], at[2], at[3], weight[1], sf_quantise(r, at[0]), sf_quantise(r, at[1])};
   return true;
}

/* P3D-238: values go along the line. */
static void
line_planes(const struct render *r, struct setup *s, const struct end *a, const struct end *b)
{
   double dx = b->x - a->x, dy = b->y - a->y, k = 1 / (dx * dx + dy * dy);
   struct plane along = {((r->wm.sx - a->x) * dx + (r->wm.sy - a->y) * dy) * k, dx * k, dy * k};
   double n0 = a->weight * a->rhw, n1 = b->weight * b->rhw - n0, d1 = b->rhw - a->rhw,
          l1 = b->weight - a->weight, z1 = b->z - a->z;
   s->n1 = (struct plane){n0 + n1 * along.c, n1 * along.x, n1 * along.y};
   s->d = (struct plane){a->rhw + d1 * along.c, d1 * along.x, d1 * along.y};
   s->l1 = (struct plane){a->weight + l1 * along.c, l1 * along.x, l1 * along.y};
   s->z = (struct plane){a->z + z1 * along.c, z1 * along.x, z1 * along.y};
   s->n2 = s->l2 = (struct plane){0, 0, 0};
   s->perspective = true;
}

/* P3D-236: where the stipple's counter is at the first pixel, and how far this line takes it. */
static void
dash(struct render *r, struct setup *s, const struct object *o, unsigned edge, const struct end *a,
     const struct end *b, bool cosmetic)
{
   bool anew = o->first || o->topology == LINELIST || o->topology == LINELIST_ADJ ||
               (o->kind == OBJECT_TRIANGLE && edge == 0);
   struct cosmetic l = cosmetic_of(r, a, b);
   int64_t from, to;
   if (cosmetic) {
      cosmetic_range(&l, r->state.sf.last_pixel_enable && o->last, &from, &to);
   } else { /* pixels whose middle is between the ends */
      int64_t low = l.u0 < l.u1 ? l.u0 : l.u1, high = l.u0 < l.u1 ? l.u1 : l.u0;
      from = (low - HALF + SF_GRID - 1) >> 8;
      to = ((high - HALF + SF_GRID - 1) >> 8) - 1;
   }
   if (anew)
      r->dash = 0;
   bool forward = l.u1 > l.u0;
   s->stippled = s->dashed = true;
   s->line.y_major = l.y_major;
   s->line.step = forward ? 1 : -1;
   s->line.from = (int32_t)(forward ? from : to);
   s->line.count = r->dash;
   r->dash += to >= from ? (uint32_t)(to - from + 1) : 0;
}

/* What coverage goes by. */
static void
smooth(const struct render *r, struct setup *s, const struct end *a, const struct end *b,
       double width)
{
   double dx = b->x - a->x, dy = b->y - a->y, length = sqrt(dx * dx + dy * dy), nx = -dy / length,
          ny = dx / length, by = 1;
   if (!r->state.sf.aa_line_distance_mode) /* MANHATTAN: along the minor axis */
      by = 1 / fmax(fabs(nx), fabs(ny));
   double ox = r->wm.sx - a->x, oy = r->wm.sy - a->y;
   s->smooth = true;
   s->line.across = (struct plane){(ox * nx + oy * ny) * by, nx * by, ny * by};
   s->line.along = (struct plane){ox * ny - oy * nx, ny, -nx};
   s->line.half = width / 2;
   s->line.length = length;
}

static bool
shape(struct render *r, struct setup *s, const struct object *o, unsigned edge, const struct end *a,
      const struct end *b)
{
   const struct hw_3dstate_sf *f = &r->state.sf;
   bool on = f->multisample_rasterization_mode >=
             GEN7_3DSTATE_SF_MULTISAMPLE_RASTERIZATION_MODE_ON_PIXEL,
        cosmetic = f->line_width == 0 && !on,
        antialiased = f->antialiasing_enable && !on && !cosmetic; /* P3D-234 */
   double width = f->line_width / 128.0;
   s->patterned &= on; /* P3D-262: else by the rules of lines, at the pixel location */
   if (r->state.wm.line_stipple_enable && !antialiased)
      dash(r, s, o, edge, a, b, cosmetic);
   if (cosmetic)
      return cosmetic_shape(r, s, a, b, f->last_pixel_enable && o->last);
   if (antialiased)
      smooth(r, s, a, b, width);
   return wide_shape(r, s, a, b, width, on || antialiased,
                     antialiased ? 0.5 * (1u << f->line_end_cap_antialiasing_region_width) : 0);
}

void
sf_line(struct render *r, const struct object *o, unsigned from, unsigned to, bool back,
        double bias, const struct clip_part *part)
{
   static const double whole[2][3] = {{1, 0, 0}, {0, 1, 0}};
   double clip[2][4];
   struct end a, b;
   unsigned viewport = sf_viewport(r, o);
   sf_clip_space(r, o->v[o->inner[from]], clip[0]);
   sf_clip_space(r, o->v[o->inner[to]], clip[1]);
   if (!place(r, viewport, clip, part ? part->weight[0] : whole[0], &a) ||
       !place(r, viewport, clip, part ? part->weight[1] : whole[1], &b))
      return;
   if (a.qx == b.qx && a.qy == b.qy) /* P3D-213 */
      return;
   struct setup *s = sf_begin(r, o, back);
   if (!shape(r, s, o, from, &a, &b))
      return;
   sf_check_extent(r, a.x, a.y);
   sf_check_extent(r, b.x, b.y);
   line_planes(r, s, &a, &b);
   s->z.c += bias;
   sbe_line(r, o, from, to, s);
   bin_add(r, s);
}
