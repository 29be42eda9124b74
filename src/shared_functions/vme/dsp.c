/* Distortions in plain C: what the others are held against. */
#include "shared_functions/vme/dsp.h"

#include <stdlib.h>

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

static uint32_t
sad(const uint8_t *src, const uint8_t *ref, unsigned stride, unsigned w, unsigned h)
{
   uint32_t sum = 0;
   for (unsigned y = 0; y < h; y += 4)
      for (unsigned x = 0; x < w; x += 4)
         sum += sad_4x4(src + y * 16 + x, ref + y * stride + x, stride);
   return sum;
}

static uint32_t
haar(const uint8_t *src, const uint8_t *ref, unsigned stride, unsigned w, unsigned h)
{
   uint32_t sum = 0;
   for (unsigned y = 0; y < h; y += 4)
      for (unsigned x = 0; x < w; x += 4)
         sum += haar_4x4(src + y * 16 + x, ref + y * stride + x, stride);
   return sum;
}

static void
tile(uint32_t (*cell)(const uint8_t *, const uint8_t *, unsigned), const uint8_t *src,
     const uint8_t *ref, unsigned stride, unsigned cells, uint16_t out[16][16])
{
   for (unsigned c = 0; c < cells; c++) {
      unsigned x = 4 * vme_cell_x(c), y = 4 * vme_cell_y(c);
      for (unsigned i = 0; i < 16; i++)
         out[c][i] =
             (uint16_t)cell(src + y * 16 + x, ref + (y + i / 4) * stride + x + i % 4, stride);
   }
}

static void
sad_tile(const uint8_t *src, const uint8_t *ref, unsigned stride, unsigned cells,
         uint16_t out[16][16])
{
   tile(sad_4x4, src, ref, stride, cells, out);
}

static void
haar_tile(const uint8_t *src, const uint8_t *ref, unsigned stride, unsigned cells,
          uint16_t out[16][16])
{
   tile(haar_4x4, src, ref, stride, cells, out);
}

const struct vme_dsp vme_dsp_c = {"C", {sad, haar}, {sad_tile, haar_tile}};

const struct vme_dsp *
vme_dsp_select(void)
{
   return &vme_dsp_c;
}
