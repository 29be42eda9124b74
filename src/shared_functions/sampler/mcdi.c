/* Motion compensation of the deinterlacer. */
#include "shared_functions/sampler/vdi.h"

#include <limits.h>

/* SMP-514: in the order of their test. */
static const int8_t tested[16][2] = {{-1, -2}, {0, -2}, {1, -2}, {-6, 0}, {-5, 0}, {-4, 0},
                                     {-3, 0},  {-2, 0}, {2, 0},  {3, 0},  {4, 0},  {5, 0},
                                     {6, 0},   {-1, 2}, {0, 2},  {1, 2}};

static int
sad_of(const struct vdi *d, const struct vdi_field *f, int x, int y, const int8_t v[2])
{
   int sum = 0;
   for (int j = y - 2; j <= y + 2; j++)
      for (int i = x - 2; i <= x + 3; i++)
         sum += abs(vdi_luma(d, f->other, i + v[0], j + v[1]) - vdi_luma(d, f->frame, i, j));
   return sum;
}

void
vdi_search(const struct vdi *d, const struct vdi_field fields[2], struct vdi_vectors *v)
{
   for (int y = 0; y < 4; y++)
      for (int n = 0; n < VDI_BLOCK_W / 2; n++) {
         const struct vdi_field *f = &fields[(y & 1) == fields[0].kept];
         v->sad[y][n] = INT_MAX;
         for (unsigned i = 0; i < 16; i++) {
            int sad = sad_of(d, f, 2 * n, y, tested[i]);
            if (sad > v->sad[y][n]) /* the last of equals */
               continue;
            v->sad[y][n] = sad;
            v->x[y][n] = tested[i][0];
            v->y[y][n] = tested[i][1];
         }
      }
}

/* SMP-515: half way along a vector, in lines of the parity that is made. */
static int
compensated(const struct vdi *d, enum vdi_frame f, int x, int y, int mx, int my)
{
   int at = x + mx / 2, line = y + my / 2, beside = mx % 2 ? at + (mx > 0 ? 1 : -1) : at;
   int above = my ? line - 1 : line, below = my ? line + 1 : line;
   return (vdi_luma(d, f, at, above) + vdi_luma(d, f, beside, above) + vdi_luma(d, f, at, below) +
           vdi_luma(d, f, beside, below)) /
          4;
}

static bool
near(const struct vdi_vectors *v, int n, int y, int n2, int y2, int sign, int most)
{
   return abs(v->x[y][n] - sign * v->x[y2][n2]) <= most &&
          abs(v->y[y][n] - sign * v->y[y2][n2]) <= most;
}

/* SMP-516: inside the 4 by 4; a vector of the other field points the other way. */
static bool
is_smooth(const struct vdi *d, const struct vdi_vectors *v, int n, int y)
{
   int most = (int)d->st.smooth_mv_threshold, step = y < 2 ? 1 : -1;
   return near(v, n, y, n, y + step, -1, most) && near(v, n, y, n, y + 2 * step, 1, most) &&
          near(v, n, y, n ^ 1, y, 1, most);
}

static bool
is_between(int v, int a, int b)
{
   return a < b ? v >= a && v <= b : v >= b && v <= a;
}

int
vdi_merge(const struct vdi *d, const struct vdi_field *f, const struct vdi_vectors *v, int x, int y,
          const struct vdi_choice *c)
{
   const struct hw_deinterlace_sampler_state *st = &d->st;
   int n = x / 2, mx = v->x[y][n], my = v->y[y][n], sad = v->sad[y][n];
   int moved = compensated(d, f->other, x, y, mx, my);
   int back = abs(moved - compensated(d, f->frame, x, y, -mx, -my));
   int edge = abs(vdi_luma(d, f->frame, x - c->offset, y - 1) -
                  vdi_luma(d, f->frame, x + c->offset, y + 1));
   if (!(edge > back && back < (int)st->mc_pixel_consistency_threshold) || !is_smooth(d, v, n, y))
      return c->spatial;
   if (sad <= (int)st->cat_threshold_1)
      return moved;
   int slope = (int)st->cat_slope + 1, a = (int)st->sad_threshold_a, b = (int)st->sad_threshold_b;
   int limit = c->complexity < slope * a   ? a
               : c->complexity > slope * b ? b
                                           : c->complexity / slope;
   int above = vdi_luma(d, f->frame, x, y - 1), below = vdi_luma(d, f->frame, x, y + 1);
   int away = abs(moved - above) < abs(moved - below) ? abs(moved - above) : abs(moved - below);
   bool good = sad < limit * 30 && !c->offset &&
               sad + (int)st->sad_tight_threshold * 30 < 2 * c->cost &&
               (is_between(moved, above, below) || away < (int)st->neighbor_pixel_threshold);
   return good ? moved : c->spatial;
}
