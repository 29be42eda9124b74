/* The table in plain C: what the others are held against. */
#include "shared_functions/vme/dsp.h"

#include <stdlib.h>

#include "machine/host.h"
#include "shared_functions/vme/vme.h"

/* VME-118: halved. */
static uint32_t
sad_4x4(const uint8_t *src, const uint8_t *ref, unsigned stride)
{
   uint32_t sum = 0;
   for (unsigned y = 0; y < 4; y++)
      for (unsigned x = 0; x < 4; x++)
         sum += (uint32_t)abs(ref[y * stride + x] - src[y * 16 + x]);
   return sum >> 1;
}

/* VME-110 … VME-119: sums and differences without halving; half of the sum of the absolute
 * coefficients. */
static uint32_t
haar_4x4(const uint8_t *src, const uint8_t *ref, unsigned stride)
{
   int t[8], s[4];
   uint32_t sum = 0;
   for (unsigned i = 0; i < 8; i++) { /* VME-112 */
      unsigned y = i / 2, x = i % 2 * 2;
      int a = ref[y * stride + x] - src[y * 16 + x];
      int b = ref[y * stride + x + 1] - src[y * 16 + x + 1];
      sum += (uint32_t)abs(a - b);
      t[i] = a + b;
   }
   for (unsigned i = 0; i < 4; i++) { /* VME-113 */
      int a = t[i / 2 * 4 + i % 2], b = t[i / 2 * 4 + i % 2 + 2];
      sum += (uint32_t)abs(a - b);
      s[i] = a + b;
   }
   int upper = s[0] + s[1], lower = s[2] + s[3]; /* VME-114, VME-115 */
   sum += (uint32_t)(abs(s[0] - s[1]) + abs(s[2] - s[3]));
   sum += (uint32_t)(abs(upper + lower) + abs(upper - lower));
   return sum >> 1; /* VME-116, VME-117 */
}

typedef uint32_t (*cell_fn)(const uint8_t *src, const uint8_t *ref, unsigned stride);

static uint32_t
sum_cells(cell_fn cell, const uint8_t *src, const uint8_t *ref, unsigned stride, unsigned w,
          unsigned h)
{
   uint32_t sum = 0;
   for (unsigned y = 0; y < h; y += 4)
      for (unsigned x = 0; x < w; x += 4)
         sum += cell(src + y * 16 + x, ref + y * stride + x, stride);
   return sum;
}

static uint32_t
sad(const uint8_t *src, const uint8_t *ref, unsigned stride, unsigned w, unsigned h)
{
   return sum_cells(sad_4x4, src, ref, stride, w, h);
}

static uint32_t
haar(const uint8_t *src, const uint8_t *ref, unsigned stride, unsigned w, unsigned h)
{
   return sum_cells(haar_4x4, src, ref, stride, w, h);
}

static void
fill_tiles(cell_fn cell, const uint8_t *src, const uint8_t *ref, unsigned stride, unsigned cells,
           vme_tile out[2])
{
   for (unsigned c = 0; c < cells; c++) {
      unsigned x = 4 * vme_cell_x(c), y = 4 * vme_cell_y(c);
      for (unsigned i = 0; i < 32; i++)
         out[i / 16][c][i % 16] = (uint16_t)cell(
             src + y * 16 + x, ref + (y + i / 4 % 4) * stride + x + i / 16 * 4 + i % 4, stride);
   }
}

static void
sad_tiles(const uint8_t *src, const uint8_t *ref, unsigned stride, unsigned cells, vme_tile out[2])
{
   fill_tiles(sad_4x4, src, ref, stride, cells, out);
}

static void
haar_tiles(const uint8_t *src, const uint8_t *ref, unsigned stride, unsigned cells, vme_tile out[2])
{
   fill_tiles(haar_4x4, src, ref, stride, cells, out);
}

/* VME-064, VME-066, VME-067 */
static void
update(struct vme_lanes *l, const vme_tile tile, unsigned cells, bool minors,
       const uint16_t across[4], const uint16_t down[4], unsigned order)
{
   unsigned exist = cells == 16 ? 0xffff : (1u << cells) - 1;
   for (unsigned b = 0; b < (minors ? (unsigned)VME_BLOCKS : VME_MAJORS); b++) {
      if (vme_blocks[b].cells & ~exist)
         continue;
      for (unsigned i = 0; i < 16; i++) {
         uint32_t cost = across[i % 4] + down[i / 4];
         for (unsigned c = 0; c < cells; c++)
            cost += vme_blocks[b].cells >> c & 1 ? tile[c][i] : 0;
         if (cost >= l->cost[b][i])
            continue;
         l->cost[b][i] = (uint16_t)cost;
         l->order[b][i] = (uint16_t)order;
      }
   }
}

static uint16_t
lowest(const uint16_t cost[16], unsigned *lanes)
{
   uint16_t best = cost[0];
   *lanes = 0;
   for (unsigned i = 1; i < 16; i++)
      best = cost[i] < best ? cost[i] : best;
   for (unsigned i = 0; i < 16; i++)
      *lanes |= (unsigned)(cost[i] == best) << i;
   return best;
}

/* VME-068, VME-069, VME-070, VME-074, VME-075 */
const struct vme_taps vme_taps[2][4] = {
    {{{0, 1, 0, 0}, 0}, {{-1, 13, 5, -1}, 4}, {{-1, 5, 5, -1}, 3}, {{-1, 5, 13, -1}, 4}},
    {{{0, 1, 0, 0}, 0}, {{0, 3, 1, 0}, 2}, {{0, 1, 1, 0}, 1}, {{0, 1, 3, 0}, 2}},
};

/* step: from a sample to the next one of the filter. */
static uint8_t
filter(const struct vme_taps *t, const uint8_t *p, int step)
{
   int sum = 0;
   for (int i = 0; i < 4; i++)
      sum += t->tap[i] * p[(i - 1) * step];
   sum = (sum + (1 << t->shift >> 1)) >> t->shift;
   return sum < 0 ? 0 : sum > 255 ? 255 : (uint8_t)sum;
}

/* VME-071: across first, rounded and clamped, then down. */
static void
predict(const uint8_t *px, unsigned stride, unsigned fx, unsigned fy, bool bilinear, unsigned w,
        unsigned h, uint8_t *out)
{
   uint8_t rows[19 * 16]; /* from the row before on */
   for (unsigned i = 0; i < h + 3; i++)
      for (unsigned j = 0; j < w; j++)
         rows[i * 16 + j] = filter(&vme_taps[bilinear][fx], px + j + ((int)i - 1) * (int)stride, 1);
   for (unsigned i = 0; i < h; i++)
      for (unsigned j = 0; j < w; j++)
         out[i * 16 + j] = filter(&vme_taps[bilinear][fy], rows + (i + 1) * 16 + j, 16);
}

static void
column(bool haar_wanted, const uint8_t *src, const uint8_t *px, unsigned stride, unsigned fx,
       const int y[3], unsigned wanted, bool bilinear, unsigned w, unsigned h, uint32_t out[3])
{
   for (unsigned i = 0; i < 3; i++) {
      uint8_t pred[16 * 16];
      if (!(wanted >> i & 1))
         continue;
      predict(px + (y[i] >> 2) * (int)stride, stride, fx, (unsigned)y[i] & 3, bilinear, w, h, pred);
      out[i] = (haar_wanted ? haar : sad)(src, pred, 16, w, h);
   }
}

static void
sad_column(const uint8_t *src, const uint8_t *px, unsigned stride, unsigned fx, const int y[3],
           unsigned wanted, bool bilinear, unsigned w, unsigned h, uint32_t out[3])
{
   column(false, src, px, stride, fx, y, wanted, bilinear, w, h, out);
}

static void
haar_column(const uint8_t *src, const uint8_t *px, unsigned stride, unsigned fx, const int y[3],
            unsigned wanted, bool bilinear, unsigned w, unsigned h, uint32_t out[3])
{
   column(true, src, px, stride, fx, y, wanted, bilinear, w, h, out);
}

const struct vme_dsp vme_dsp_c = {
    .name = "C",
    .distortion = {sad, haar},
    .tiles = {sad_tiles, haar_tiles},
    .update = update,
    .lowest = lowest,
    .predict = predict,
    .column = {sad_column, haar_column},
};

const struct vme_dsp *
vme_dsp_select(void)
{
   return host_has_vectors() ? &vme_dsp_avx2 : &vme_dsp_c;
}
