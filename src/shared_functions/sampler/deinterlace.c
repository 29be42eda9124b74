/* The deinterlacer: a field becomes a frame. */
#include "shared_functions/sampler/vdi.h"

#include "machine/bounds.h"

#include <string.h>

/* ---- spatial-temporal motion measure --------------------------------------------------------- */

/* SMP-506: SVCM + SHCM of a pixel pair. */
static int
complexity(const struct vdi *d, enum vdi_frame f, int x, int y)
{
   int sum = 0;
   for (int i = 0; i < 2; i++)
      for (int j = 0; j < 3; j++)
         sum += abs(vdi_luma(d, f, x + i, y + j) - vdi_luma(d, f, x + i, y + j - 2));
   for (int i = -1; i < 2; i++)
      for (int j = -1; j < 2; j++)
         sum += abs(vdi_luma(d, f, x + i, y + j) - vdi_luma(d, f, x + i + 1, y + j));
   return sum;
}

static int
cross(const struct vdi *d, enum vdi_frame f, int x, int y)
{
   return (2 * vdi_luma(d, f, x, y) + vdi_luma(d, f, x - 1, y) + vdi_luma(d, f, x + 1, y) +
           2 * vdi_luma(d, f, x, y - 2) + 2 * vdi_luma(d, f, x, y + 2)) >>
          3;
}

/* SMP-506 */
static int
motion_of(const struct vdi *d, const struct vdi_field *f, int x, int y)
{
   const struct hw_deinterlace_sampler_state *st = &d->st;
   int edge = 0, tdm = 0;
   for (int j = -2; j <= 2; j++) {
      edge += abs(vdi_luma(d, f->frame, x, y + j) - vdi_luma(d, f->frame, x + 1, y + j));
      for (int i = -1; i <= 2; i++)
         tdm += abs(cross(d, f->frame, x + i, y + j) - cross(d, f->other, x + i, y + j));
   }
   edge = edge * (int)st->multiplier_for_vecm >> 5;
   int scm = int_most(0, complexity(d, f->frame, x, y) - edge);
   unsigned down = 4 + st->stmm_shift_down, up = 6 + st->stmm_shift_up; /* 3: one more */
   int stmm = (tdm >> down << up) / ((scm >> 4) + (int)st->stmm_c2 + 1);
   return stmm < 255 ? stmm : 255;
}

/* SMP-507: with what was stored before. */
static int
stored_motion(const struct vdi *d, const struct vdi_field *f, int x, int y)
{
   const struct hw_deinterlace_sampler_state *st = &d->st;
   if (!d->has_previous)
      return 255; /* SMP-520 */
   int stmm = motion_of(d, f, x, y);
   int limit = (int)(st->stmm_blending_constant_select ? st->maximum_stmm : st->minimum_stmm);
   int k = (int)(stmm > limit ? st->blending_constant_for_large_stmm
                              : st->blending_constant_for_small_stmm);
   return (k * vdi_motion(d, x, y) + (256 - k) * stmm) / 256;
}

/* The field whose made lines have this parity. */
static const struct vdi_field *
field_of(const struct vdi_field fields[2], int y)
{
   return &fields[(y & 1) == fields[0].kept];
}

void
vdi_measure(const struct vdi *d, const struct vdi_field fields[2], struct vdi_motion *m)
{
   for (int y = 0; y < 4; y++) {
      uint8_t pair[VDI_BLOCK_W / 2 + 2];
      for (int n = -1; n <= VDI_BLOCK_W / 2; n++)
         pair[n + 1] = (uint8_t)stored_motion(d, field_of(fields, y), 2 * n, y);
      for (int n = 0; n < VDI_BLOCK_W / 2; n++) {
         m->stored[y][n] = pair[n + 1];
         m->smooth[y][n] = (uint8_t)int_most(pair[n], int_most(pair[n + 1], pair[n + 2]));
      }
   }
}

/* ---- angles ---------------------------------------------------------------------------------- */

/* SMP-508, SMP-509: pixels of two windows, an offset apart in opposite directions. */
static int
angle_cost(const struct vdi *d, enum vdi_frame f, int x, int y, int offset, bool small)
{
   int sum = 0;
   for (int j = small ? 0 : -2; j <= (small ? 0 : 2); j += 2)
      for (int i = small ? 0 : -2; i <= (small ? 1 : 3); i++)
         sum += abs(vdi_luma(d, f, x + i + offset, y + j + 1) -
                    vdi_luma(d, f, x + i - offset, y + j - 1));
   return sum;
}

/* SMP-508: 0 is 90 degrees. */
static int
steepest(const struct vdi *d, enum vdi_frame f, int x, int y)
{
   static const int8_t offsets[4] = {1, 2, 3, 5};
   int threshold = (int)d->st.sdi_threshold, delta = (int)d->st.sdi_delta;
   int straight = angle_cost(d, f, x, y, 0, false), n45 = angle_cost(d, f, x, y, -1, false),
       p45 = angle_cost(d, f, x, y, 1, false), sign, cost;
   if (n45 + threshold < p45 && n45 + threshold < straight) {
      sign = -1;
      cost = n45;
   } else if (p45 + threshold < n45 && p45 + threshold < straight) {
      sign = 1;
      cost = p45;
   } else {
      return 0;
   }
   int offset = sign;
   for (unsigned i = 1; i < 4; i++) {
      int next = angle_cost(d, f, x, y, sign * offsets[i], false);
      if (next + delta >= cost)
         break;
      offset = sign * offsets[i];
      cost = next;
   }
   return cost < threshold ? offset : 0;
}

/* SMP-509: fine details on a line. */
static void
details(const struct vdi *d, enum vdi_frame f, int x, int y, int *h1, int *h2)
{
   int most = 0;
   for (int s = -2; s <= 3; s++) {
      int c = vdi_luma(d, f, x + s, y);
      *h1 += abs(c - vdi_luma(d, f, x + s + 1, y));
      most = int_most(most, abs(vdi_luma(d, f, x - 2, y) - c) + abs(c - vdi_luma(d, f, x + 4, y)));
   }
   *h2 += most;
}

static int
robust_angle(const struct vdi *d, enum vdi_frame f, int x, int y)
{
   int offset = steepest(d, f, x, y), h1 = 0, h2 = 0;
   if (!offset)
      return 0;
   details(d, f, x, y - 1, &h1, &h2);
   details(d, f, x, y + 1, &h1, &h2);
   if (h1 > h2 + (int)d->st.sdi_fallback_mode_1_t1 && h1 >= (int)d->st.sdi_fallback_mode_1_t2)
      return 0;
   int straight = angle_cost(d, f, x, y, 0, false) + (angle_cost(d, f, x, y, 0, true) << 3);
   int best = angle_cost(d, f, x, y, offset, false) +
              ((angle_cost(d, f, x, y, offset, true) + (int)d->st.sdi_fallback_mode_2) << 3);
   return straight < best ? 0 : offset;
}

static int
median3(int a, int b, int c)
{
   return a < b ? (b < c ? b : int_most(a, c)) : (a < c ? a : int_most(b, c));
}

/* ---- lines that are made --------------------------------------------------------------------- */

/* SMP-513: the frame that a line is copied from. */
static enum vdi_frame
cadence_frame(const struct vdi_field *f)
{
   /* The previous frame's second field lies before the current frame's first one. */
   return f->cadence == 1 ? VDI_PREVIOUS : VDI_CURRENT;
}

/* SMP-510: along an angle, which chroma knows three of. */
static int
spatial_chroma(const struct vdi *d, const struct vdi_field *f, unsigned which, int x, int y,
               int offset, unsigned motion)
{
   int straight = (vdi_chroma(d, f->frame, which, x, y - 1, motion) +
                   vdi_chroma(d, f->frame, which, x, y + 1, motion)) /
                  2;
   if (!offset)
      return straight;
   int step = offset < 0 ? -2 : 2;
   int slanted = (vdi_chroma(d, f->frame, which, x + step, y + 1, motion) +
                  vdi_chroma(d, f->frame, which, x - step, y - 1, motion)) /
                 2;
   if (abs(offset) == 1)
      slanted = (straight + slanted) / 2;
   return vdi_blend(d, motion, straight, slanted); /* SMP-511: still pictures do not flicker */
}

static void
make_chroma(const struct vdi *d, const struct vdi_field *f, int x, int y, int offset,
            unsigned motion, uint8_t out[2])
{
   for (unsigned which = 0; which < 2; which++) {
      if (f->cadence) {
         out[which] = vdi_chroma(d, cadence_frame(f), which, x, y, motion);
         continue;
      }
      int spatial = spatial_chroma(d, f, which, x, y, offset, motion);
      int temporal = (vdi_chroma(d, VDI_PREVIOUS, which, x, y, motion) +
                      vdi_chroma(d, VDI_CURRENT, which, x, y, motion)) /
                     2;
      out[which] = (uint8_t)(d->has_previous ? vdi_blend(d, motion, temporal, spatial) : spatial);
   }
}

static void
make_pair(const struct vdi *d, const struct vdi_field *f, const struct vdi_vectors *v, int x, int y,
          unsigned motion, struct vdi_picture *out)
{
   enum vdi_frame frame = f->frame;
   int angle[3];
   for (int i = 0; i < 3; i++)
      angle[i] = robust_angle(d, frame, x + 2 * (i - 1), y);
   struct vdi_choice c = {.offset = median3(angle[0], angle[1], angle[2])};
   c.cost = angle_cost(d, frame, x, y, c.offset, false);
   c.complexity = complexity(d, frame, x, y);
   for (int i = 0; i < 2; i++) {
      int at = x + i;
      uint8_t *to = &out->luma[y][at];
      if (f->cadence) {
         *to = (uint8_t)vdi_luma(d, cadence_frame(f), at, y);
         continue;
      }
      c.spatial =
          (vdi_luma(d, frame, at + c.offset, y + 1) + vdi_luma(d, frame, at - c.offset, y - 1)) / 2;
      if (!d->has_previous) {
         *to = (uint8_t)c.spatial;
         continue;
      }
      int temporal = (vdi_luma(d, VDI_PREVIOUS, at, y) + vdi_luma(d, VDI_CURRENT, at, y)) / 2;
      int moving = v ? vdi_merge(d, f, v, at, y, &c) : c.spatial;
      *to = (uint8_t)vdi_blend(d, motion, temporal, moving); /* SMP-512 */
   }
   make_chroma(d, f, x, y, c.offset, motion, out->chroma[y][x / 2]);
}

/* v: NULL without motion compensation. */
void
vdi_deinterlace(const struct vdi *d, const struct vdi_field *f, const struct vdi_motion *m,
                const struct vdi_vectors *v, struct vdi_picture *out)
{
   for (int y = 0; y < 4; y++)
      for (int x = 0; x < VDI_BLOCK_W; x += 2) {
         unsigned motion = m->smooth[y][x / 2];
         if ((y & 1) != f->kept) {
            make_pair(d, f, v, x, y, motion, out);
            continue;
         }
         for (int i = 0; i < 2; i++) {
            out->luma[y][x + i] = (uint8_t)vdi_luma(d, f->frame, x + i, y);
            out->chroma[y][x / 2][i] = vdi_chroma(d, f->frame, (unsigned)i, x, y, motion);
         }
      }
}
