#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS 256.0 /* SMP-021: fractions of a texel */
#define EPS 3e-6    /* relative: what single precision may do to a coordinate */

static int
level_size(int size, int level)
{
   return size >> level > 1 ? size >> level : 1;
}

/* Is a value so near to a multiple of 1/steps that single precision may fall to its other side?
 * moved: how far it was, before, from where it is. */
static bool
near_step(double x, int moved, double steps)
{
   double y = x * steps;
   return fabs(y - nearbyint(y)) < EPS * (fabs(y) + abs(moved) * steps + 1) * 4;
}

/* ---- one axis -------------------------------------------------------------------------------- */

struct tap {
   int index; /* before the address mode */
   double weight;
};

struct axis {
   struct tap tap[2];
   int taps;
   bool step, texel; /* the weight, or the texel, hangs on the last bit */
};

/* x: in texels of the level. SMP-021. */
static struct axis
axis_taps(double x, int moved, bool linear, bool round)
{
   struct axis a = {.taps = linear ? 2 : 1};
   double q = floor(x * STEPS + (round ? 0.5 : 0)) / STEPS;
   a.step = near_step(x + (round ? 0.5 / STEPS : 0), moved, STEPS);
   if (!linear) {
      a.tap[0] = (struct tap){(int)floor(q), 1};
      a.texel = near_step(x + (round ? 0.5 / STEPS : 0), moved, 1);
      return a;
   }
   double low = floor(q - 0.5), w = q - 0.5 - low;
   a.tap[0] = (struct tap){(int)low, 1 - w};
   a.tap[1] = (struct tap){(int)low + 1, w};
   return a;
}

enum where { INSIDE, BORDER, HALF };

/* SMP-065 to SMP-073: what the mode makes of the number of a texel. */
static enum where
wrap_index(enum ref_mode mode, int size, int *i)
{
   double period;
   switch (mode) {
   case REF_WRAP:
      *i = (int)(*i - size * floor((double)*i / size));
      return INSIDE;
   case REF_MIRROR:
      period = *i - 2.0 * size * floor(*i / (2.0 * size));
      *i = period < size ? (int)period : (int)(2 * size - 1 - period);
      return INSIDE;
   case REF_MIRROR_ONCE:
      *i = *i < 0 ? -1 - *i : *i;
      break;
   case REF_BORDER:
      return *i < 0 || *i >= size ? BORDER : INSIDE;
   case REF_HALF_BORDER:
      if (*i >= 0 && *i < size)
         return INSIDE;
      *i = *i < 0 ? 0 : size - 1;
      return HALF;
   default:
      break;
   }
   *i = *i < 0 ? 0 : *i >= size ? size - 1 : *i;
   return INSIDE;
}

/* ---- cubes ----------------------------------------------------------------------------------- */

/* SMP-020: a point of a face as a direction: the face's plane has distance 1, s and t in [-1, 1].
 */
static void
face_direction(int face, double s, double t, double d[3])
{
   switch (face) {
   case 0:
      d[0] = 1, d[1] = -t, d[2] = -s;
      break;
   case 1:
      d[0] = -1, d[1] = -t, d[2] = s;
      break;
   case 2:
      d[0] = s, d[1] = 1, d[2] = t;
      break;
   case 3:
      d[0] = s, d[1] = -1, d[2] = -t;
      break;
   case 4:
      d[0] = s, d[1] = -t, d[2] = 1;
      break;
   default:
      d[0] = -s, d[1] = -t, d[2] = -1;
   }
}

/* SMP-018, SMP-019: no division. */
static void
face_coordinates(int face, const double d[3], double *s, double *t)
{
   static const int axis_s[6] = {2, 2, 0, 0, 0, 0}, sign_s[6] = {-1, 1, 1, 1, 1, -1};
   static const int axis_t[6] = {1, 1, 2, 2, 1, 1}, sign_t[6] = {-1, -1, 1, -1, -1, -1};
   *s = sign_s[face] * d[axis_s[face]];
   *t = sign_t[face] * d[axis_t[face]];
}

/* SMP-481: Z, then Y, then X. */
static int
direction_face(const double d[3])
{
   double x = fabs(d[0]), y = fabs(d[1]), z = fabs(d[2]);
   if (z >= x && z >= y)
      return d[2] < 0 ? 5 : 4;
   if (y >= x)
      return d[1] < 0 ? 3 : 2;
   return d[0] < 0 ? 1 : 0;
}

/* SMP-069: the texel past an edge is the one of the other face that it meets when the cube is
 * folded: go over the edge by half a texel along the direction. */
static void
over_edge(int size, int *face, int *x, int *y)
{
   double s = (2.0 * *x + 1) / size - 1, t = (2.0 * *y + 1) / size - 1, d[3], fold;
   double over = fmax(fabs(s), fabs(t)) - 1; /* 1/size: half a texel past the edge */
   double cs = fmax(-1, fmin(1, s)), ct = fmax(-1, fmin(1, t));
   face_direction(*face, cs, ct, d);
   /* The edge lies on both faces; from there it goes down along the old face's axis. */
   int old = *face / 2;
   fold = d[old] * (1 - over);
   d[old] = fold;
   *face = direction_face(d);
   face_coordinates(*face, d, &s, &t);
   *x = (int)floor((s + 1) / 2 * size);
   *y = (int)floor((t + 1) / 2 * size);
   *x = *x >= size ? size - 1 : *x < 0 ? 0 : *x;
   *y = *y >= size ? size - 1 : *y < 0 ? 0 : *y;
}

/* ---- texels ---------------------------------------------------------------------------------- */

static double
compare(enum ref_compare f, double texel, double ref) /* SMP-087 to SMP-094 */
{
   bool yes = false;
   switch (f) {
   case REF_ALWAYS:
      yes = true;
      break;
   case REF_NEVER:
      break;
   case REF_LESS:
      yes = texel < ref;
      break;
   case REF_EQUAL:
      yes = texel == ref;
      break;
   case REF_LEQUAL:
      yes = texel <= ref;
      break;
   case REF_GREATER:
      yes = texel > ref;
      break;
   case REF_NOTEQUAL:
      yes = texel != ref;
      break;
   case REF_GEQUAL:
      yes = texel >= ref;
      break;
   }
   return yes ? 0 : 1;
}

struct place {
   const struct ref_texture *t;
   const struct ref_sampler *s;
   const struct ref_point *p;
   int level, slice, face; /* slice: array element, 0 for 3D */
   bool far;
};

static void
fetch(struct place *c, int x, int y, int z, double out[4])
{
   const struct ref_texture *t = c->t;
   int size[3] = {level_size(t->width, c->level), level_size(t->height, c->level),
                  level_size(t->depth, c->level)};
   int i[3] = {x, y, z}, slice = c->slice;
   if (t->kind == REF_CUBE &&
       (x < -size[0] || y < -size[0] || x >= 2 * size[0] || y >= 2 * size[0]))
      c->far = true; /* past the next face: nothing says what that is */
   enum where worst = INSIDE;
   if (t->kind == REF_CUBE && c->s->mode[0] == REF_CUBE_EDGES) {
      int face = c->face;
      bool out_x = x < 0 || x >= size[0], out_y = y < 0 || y >= size[1];
      if (out_x && out_y) { /* SMP-074 */
         int near_x = x < 0 ? 0 : size[0] - 1, near_y = y < 0 ? 0 : size[1] - 1;
         double a[4], b[4], d[4];
         fetch(c, near_x, near_y, 0, a);
         fetch(c, x, near_y, 0, b);
         fetch(c, near_x, y, 0, d);
         for (int k = 0; k < 4; k++)
            out[k] = (a[k] + b[k] + d[k]) / 3;
         return;
      }
      if (out_x || out_y)
         over_edge(size[0], &face, &i[0], &i[1]);
      t->texel(t->data, c->level, i[0], i[1], slice * 6 + face, out);
   } else {
      int axes = t->kind == REF_1D ? 1 : t->kind == REF_3D ? 3 : 2;
      for (int k = 0; k < axes; k++) {
         enum where w = wrap_index(c->s->mode[k], size[k], &i[k]);
         worst = w == BORDER || (w == HALF && worst != BORDER) ? w : worst;
      }
      if (t->kind == REF_CUBE)
         slice = slice * 6 + c->face;
      else if (t->kind == REF_3D)
         slice = i[2];
      if (worst == BORDER)
         memcpy(out, c->s->border, 4 * sizeof(double));
      else
         t->texel(t->data, c->level, i[0], t->kind == REF_1D ? 0 : i[1], slice, out);
      for (int k = 0; k < 4 && worst == HALF; k++)
         out[k] = (out[k] + c->s->border[k]) / 2;
   }
   if (c->s->compares)
      for (int k = 3; k >= 0; k--)
         out[k] =
             k ? (k == 3)
               : compare(c->s->compare, out[0], t->unorm ? fmin(fmax(c->p->ref, 0), 1) : c->p->ref);
}

/* One level, one position: nearest, or linear. at: texels of the level, offsets included. */
static struct ref_result
filter(struct place *c, const double at[3], bool linear, const bool round[3])
{
   struct ref_result r = {0};
   int axes = c->t->kind == REF_1D ? 1 : c->t->kind == REF_3D ? 3 : 2, steps = 0;
   struct axis a[3] = {0};
   double low[4], high[4];
   for (int k = 0; k < 3; k++) {
      a[k] = k < axes ? axis_taps(at[k], c->p->offset[k], linear, round[k])
                      : (struct axis){.taps = 1, .tap = {{0, 1}}};
      r.doubtful |= a[k].texel;
      steps += a[k].step;
   }
   for (int z = 0; z < a[2].taps; z++)
      for (int y = 0; y < a[1].taps; y++)
         for (int x = 0; x < a[0].taps; x++) {
            double texel[4];
            double w = a[0].tap[x].weight * a[1].tap[y].weight * a[2].tap[z].weight;
            fetch(c, a[0].tap[x].index, a[1].tap[y].index, a[2].tap[z].index, texel);
            for (int k = 0; k < 4; k++) {
               bool first = !x && !y && !z;
               low[k] = first ? texel[k] : fmin(low[k], texel[k]);
               high[k] = first ? texel[k] : fmax(high[k], texel[k]);
               if (w != 0)
                  r.value[k] += w * texel[k];
            }
         }
   for (int k = 0; k < 4; k++) {
      /* A step may also bring in the next texel, which is any number up to 4 here, with weight
       * 1/256. */
      r.slack[k] = linear ? steps * 8 / STEPS : 0;
      r.slack[k] += 1e-6 * fmax(fabs(low[k]), fabs(high[k]));
   }
   return r;
}

/* ---- level of detail ------------------------------------------------------------------------- */

static void
texels_per_pixel(const struct ref_texture *t, const struct ref_sampler *s, const double d[3],
                 double out[3])
{
   int size[3] = {t->width, t->height, t->depth};
   int axes = t->kind == REF_1D ? 1 : t->kind == REF_3D ? 3 : 2;
   for (int k = 0; k < 3; k++)
      out[k] = k >= axes ? 0 : s->unnormalized ? d[k] : d[k] * size[k];
}

static double
length(const double v[3])
{
   return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

double
ref_lod(const struct ref_texture *t, const struct ref_sampler *s, const struct ref_point *p,
        double *ratio)
{
   double x[3], y[3];
   texels_per_pixel(t, s, p->dx, x);
   texels_per_pixel(t, s, p->dy, y);
   double lx = length(x), ly = length(y), major = fmax(lx, ly), minor = fmin(lx, ly);
   *ratio = 1;
   if (s->min == REF_ANISOTROPIC || s->mag == REF_ANISOTROPIC) /* SMP-059 */
      *ratio = fmin(fmax(major / fmax(minor, 1e-30), 1), s->max_anisotropy);
   return log2(major / *ratio);
}

/* ---- all of it ------------------------------------------------------------------------------- */

struct lod {
   bool minified, outside;
   int level[2];
   double beta;
};

static double
eighth_bits(double lod)
{
   return nearbyint(lod * 256) / 256;
}

/* SMP-036 to SMP-053. */
static struct lod
choose_levels(const struct ref_texture *t, const struct ref_sampler *s, double lod, bool *doubtful)
{
   struct lod r = {0};
   double count = t->levels - 1, min = s->min_lod, max = s->max_lod;
   double adj_max = fmin(max, count), adj_min = fmin(min, count);
   adj_min = fmax(adj_min, s->resource_min_lod);
   r.outside = s->resource_min_lod > count;
   if (s->preclamp)
      lod = fmax(fmin(lod, max), min);
   r.minified = lod - s->base > 0;
   *doubtful |= fabs(lod - s->base) < 1.0 / 128;
   if (!r.minified || s->mip == REF_MIP_NONE) {
      lod = fmax(fmin(0, ceil(adj_max)), floor(adj_min));
      r.level[0] = r.level[1] = (int)lod;
   } else if (s->mip == REF_MIP_NEAREST) {
      lod = fmax(fmin(lod, adj_max), adj_min);
      *doubtful |= fabs(lod + 0.5 - nearbyint(lod + 0.5)) < 1.0 / 128;
      r.level[0] = r.level[1] = (int)floor(lod + 0.5);
   } else {
      lod = fmax(fmin(lod, adj_max), adj_min);
      r.level[0] = (int)floor(lod);
      r.beta = lod - floor(lod);
      r.level[1] = r.level[0] + 1;
      double least = s->quality == 2 ? 0.25 : s->quality == 3 ? 0.375 : 0; /* SMP-378 */
      *doubtful |=
          least > 0 && (fabs(r.beta - least) < 1.0 / 128 || fabs(1 - r.beta - least) < 1.0 / 128);
      if (r.beta < least)
         r.beta = 0;
      else if (1 - r.beta < least)
         r.beta = 1;
   }
   for (int i = 0; i < 2; i++) /* SMP-052 */
      r.level[i] = r.level[i] > t->levels - 1 ? t->levels - 1 : r.level[i];
   return r;
}

static struct ref_result
one_level(struct place *c, bool minified, const double at[3], double ratio, const double axis[3])
{
   const struct ref_texture *t = c->t;
   enum ref_filter f = minified ? c->s->min : c->s->mag;
   int size[3] = {level_size(t->width, c->level), level_size(t->height, c->level),
                  level_size(t->depth, c->level)};
   double x[3];
   for (int k = 0; k < 3; k++)
      x[k] = (c->s->unnormalized ? at[k] : at[k] * size[k]) + c->p->offset[k];
   if (f != REF_ANISOTROPIC || ratio < 1 + 1.0 / 256)
      return filter(c, x, f != REF_NEAREST, c->s->round[minified]);
   int ways = 2 * (int)ceil(ratio / 2); /* SMP-058, SMP-059 */
   struct ref_result sum = {0};
   for (int i = 0; i < ways; i++) {
      double along = i - (ways - 1) / 2.0, y[3];
      double w = (i == 0 || i == ways - 1 ? (ratio - (ways - 2)) / 2 : 1) / ratio;
      for (int k = 0; k < 3; k++)
         y[k] = x[k] + along * axis[k];
      struct ref_result r = filter(c, y, true, c->s->round[minified]);
      for (int k = 0; k < 4; k++) {
         sum.value[k] += w * r.value[k];
         sum.slack[k] += w * r.slack[k] + 2 * fabs(r.value[k]) / STEPS / 16;
      }
   }
   return sum;
}

struct ref_result
ref_sample(const struct ref_texture *t, const struct ref_sampler *s, const struct ref_point *p)
{
   struct place c = {.t = t, .s = s, .p = p};
   struct ref_result r = {0};
   double at[3] = {p->at[0], p->at[1], p->at[2]}, ratio = 1, axis[3] = {0}, lod = p->lod;
   if (t->kind == REF_CUBE) {
      double sc, tc;
      double a = fabs(at[0]), b = fabs(at[1]), d = fabs(at[2]);
      c.face = direction_face(at);
      face_coordinates(c.face, at, &sc, &tc);
      double big = fmax(a, fmax(b, d)), mid = a + b + d - big - fmin(a, fmin(b, d));
      r.doubtful |= big - mid < 1e-5;
      at[0] = (sc + 1) / 2;
      at[1] = (tc + 1) / 2;
      at[2] = 0;
   }
   if (t->kind != REF_3D) { /* SMP-302 */
      double n = nearbyint(p->layer);
      c.slice = n < 0 ? 0 : n > t->layers - 1 ? t->layers - 1 : (int)n;
   }
   if (p->has_gradients) {
      double x[3], y[3];
      lod = ref_lod(t, s, p, &ratio);
      texels_per_pixel(t, s, p->dx, x);
      texels_per_pixel(t, s, p->dy, y);
      bool x_major = length(x) >= length(y);
      r.doubtful |= ratio > 1 && fabs(ratio - 2 * nearbyint(ratio / 2)) < 0.01;
      for (int k = 0; k < 3; k++)
         axis[k] = (x_major ? x[k] : y[k]) / fmax(fmax(length(x), length(y)), 1e-30);
   }
   r.doubtful |= fabs(lod * 256 - floor(lod * 256) - 0.5) < 0.01;
   lod = eighth_bits(fmax(-4096, fmin(4096, lod))) + s->bias;
   struct lod l = choose_levels(t, s, lod, &r.doubtful);
   if (l.outside) { /* SMP-045 */
      r.value[3] = !t->has_alpha;
      return r;
   }
   struct ref_result part[2];
   for (int i = 0; i < 2; i++) {
      c.level = l.level[i];
      part[i] = one_level(&c, l.minified, at, ratio, axis);
      r.doubtful |= part[i].doubtful || c.far;
   }
   for (int k = 0; k < 4; k++) {
      r.value[k] = (1 - l.beta) * part[0].value[k] + l.beta * part[1].value[k];
      r.slack[k] = fmax(part[0].slack[k], part[1].slack[k]);
      if (p->has_gradients && l.beta > 0) /* one step of the level's fraction */
         r.slack[k] += fabs(part[0].value[k] - part[1].value[k]) / 256;
   }
   return r;
}
