/* The denoise filter of the deinterlace message, on luma. */
#include "shared_functions/sampler/vdi.h"

#include <string.h>

/* ---- blocks of 4 by 4 ------------------------------------------------------------------------ */

struct measures {
   int stad, shcm, svcm, moving, tasd;
};

/* SMP-499: both fields, interleaved. */
static struct measures
measure(const struct vdi *d, int x0, int y0)
{
   struct measures m = {0};
   for (int y = y0; y < y0 + 4; y++)
      for (int x = x0; x < x0 + 4; x++) {
         int c = vdi_luma(d, VDI_CURRENT, x, y), p = vdi_luma(d, VDI_PREVIOUS, x, y);
         m.stad += abs(c - p);
         m.tasd += c - p;
         m.moving += abs(c - p) >= (int)d->st.temporal_difference_threshold;
         if (x < x0 + 3)
            m.shcm += abs(c - vdi_luma(d, VDI_CURRENT, x + 1, y));
         if (y < y0 + 3)
            m.svcm += abs(c - vdi_luma(d, VDI_CURRENT, x, y + 1));
      }
   m.tasd = abs(m.tasd);
   return m;
}

/* SMP-500 */
static uint8_t
new_history(const struct vdi *d, const struct measures *m, unsigned history, bool *motion)
{
   const struct hw_deinterlace_sampler_state *st = &d->st;
   *motion = m->stad >= (int)st->denoise_stad_threshold ||
             m->moving > (int)st->denoise_moving_pixel_threshold;
   if (*motion)
      return (uint8_t)(history >= 128 ? history / 2 : 0);
   unsigned next = history < 128                           ? 128
                   : history < st->denoise_maximum_history ? history + st->denoise_history_delta
                                                           : history;
   if (m->tasd > (int)st->denoise_asd_threshold &&
       m->shcm + m->svcm < (int)st->denoise_threshold_for_sum_of_complexity_measure)
      next = 128;
   return (uint8_t)(next < 255 ? next : 255);
}

/* ---- pixels ---------------------------------------------------------------------------------- */

/* The 3 by 3 around a pixel: of its field, or of the frame (SMP-503). */
static void
around(const struct vdi *d, int x, int y, int n[9])
{
   int step = d->st.progressive_dn ? 1 : 2;
   for (int j = 0; j < 3; j++)
      for (int i = 0; i < 3; i++)
         n[3 * j + i] = vdi_luma(d, VDI_CURRENT, x + i - 1, y + step * (j - 1));
}

/* SMP-503 */
static int
spatial(const struct vdi *d, const int n[9])
{
   static const uint16_t q[9] = {2048, 1024, 682, 512, 409, 341, 292, 256, 227};
   int sum = 0, count = 0;
   for (unsigned i = 0; i < 9; i++)
      if (i == 4 || abs(n[i] - n[4]) < (int)d->st.good_neighbor_threshold) {
         sum += n[i];
         count++;
      }
   int v = (sum + (count >> 1)) * q[count - 1] >> 11;
   return v < 255 ? v : 255;
}

/* SMP-501, SMP-502: the longer a block has been still, the more of the previous frame. SMP-504: but
 * not far out of what lies around. */
static int
temporal(const int n[9], int previous, unsigned history)
{
   int v = ((int)history * previous + (256 - (int)history) * n[4] + 128) >> 8;
   int least = n[0], most = n[0];
   for (unsigned i = 1; i < 9; i++) {
      least = n[i] < least ? n[i] : least;
      most = n[i] > most ? n[i] : most;
   }
   if (v >= most)
      v = (v + most) >> 1;
   if (v < least)
      v = (v + least) >> 1;
   return v;
}

/* SMP-504 */
static uint8_t
filtered(const struct vdi *d, int x, int y, unsigned history, bool motion)
{
   static const uint16_t q[16] = {1024, 512, 341, 256, 205, 171, 146, 128,
                                  114,  102, 93,  85,  79,  73,  68,  64};
   int n[9], high = (int)d->st.temporal_difference_threshold,
             low = (int)d->st.low_temporal_difference_threshold;
   around(d, x, y, n);
   int s = spatial(d, n), previous = vdi_luma(d, VDI_PREVIOUS, x, y), diff = abs(n[4] - previous);
   if (!d->has_previous || diff >= high || motion) /* SMP-520 */
      return (uint8_t)s;
   int t = temporal(n, previous, history);
   if (diff < low)
      return (uint8_t)t;
   int span = high - low; /* 1 … 16; more is reported, and divided by the last entry */
   int v = (s * (diff - low) + t * (high - diff) + span / 2) * q[(span < 16 ? span : 16) - 1] >> 10;
   return (uint8_t)(v < 255 ? v : 255);
}

/* With the deinterlacer, whose filters look around, lines near the block are denoised too. */
void
vdi_denoise(struct vdi *d)
{
   bool di = d->st.di_enable;
   int first = !di ? 0 : d->st.dn_di_top_first ? -2 : -3;
   int last = !di ? d->rows - 1 : d->st.dn_di_top_first ? 6 : 5; /* SMP-506 */
   int left = di ? -12 : 0, right = di ? VDI_W - VDI_LEFT - 4 : VDI_BLOCK_W;
   uint8_t out[VDI_H][VDI_W];
   memcpy(out, d->luma[VDI_CURRENT], sizeof(out));
   for (int by = first & ~3; by <= last; by += 4)
      for (int bx = left; bx < right; bx += 4) {
         struct measures m = measure(d, bx, by);
         bool motion, inside = bx >= 0 && bx < VDI_BLOCK_W && by >= 0 && by < d->rows;
         uint8_t history = new_history(d, &m, vdi_history(d, bx, by), &motion);
         if (inside) {
            d->block[by / 4][bx / 4].stad = m.stad;
            d->block[by / 4][bx / 4].shcm = m.shcm;
            d->block[by / 4][bx / 4].svcm = m.svcm;
            d->block[by / 4][bx / 4].history = d->has_previous ? history : 0;
         }
         for (int y = by; y < by + 4; y++)
            for (int x = bx; x < bx + 4 && y >= first && y <= last; x++)
               out[y + VDI_ABOVE][x + VDI_LEFT] = filtered(d, x, y, history, motion);
      }
   memcpy(d->luma[VDI_CURRENT], out, sizeof(out));
}

/* ---- block noise estimate -------------------------------------------------------------------- */

static int
median9(const int n[9])
{
   int sorted[9];
   for (unsigned i = 0; i < 9; i++) {
      unsigned k = i;
      for (; k && sorted[k - 1] > n[i]; k--)
         sorted[k] = sorted[k - 1];
      sorted[k] = n[i];
   }
   return sorted[4];
}

/* SMP-505: before the filter. */
void
vdi_estimate_noise(struct vdi *d)
{
   int best = 255;
   for (int y = 0; y < d->rows; y++)
      for (int x = 0; x < VDI_BLOCK_W; x++) {
         int n[9], noise = 0, least = 255, most = 0;
         around(d, x, y, n);
         int across = abs(n[0] + 2 * n[1] + n[2] - n[6] - 2 * n[7] - n[8]);
         int down = abs(n[0] + 2 * n[3] + n[6] - n[2] - 2 * n[5] - n[8]);
         int middle = median9(n);
         for (unsigned i = 0; i < 9; i++) {
            int away = abs(n[i] - middle);
            noise += away;
            least = away < least ? away : least;
            most = away > most ? away : most;
         }
         if ((across + down) >> 3 < (int)d->st.bne_edge_threshold &&
             most - least < (int)d->st.block_noise_estimate_noise_threshold && noise < best)
            best = noise;
      }
   d->noise = (uint8_t)best;
}
