/* Samples between pixels, and the weighted mean of two predictions. */
#include "shared_functions/vme/vme.h"

#include <string.h>

static uint8_t
clip(int value)
{
   return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value;
}

/* VME-068 … VME-071, VME-074, VME-075: by quarter; four taps, rounding and shift. */
struct taps {
   int8_t tap[4];
   uint8_t shift;
};
static const struct taps fixed_taps[4] = {
    {{0, 1, 0, 0}, 0}, {{-1, 13, 5, -1}, 4}, {{-1, 5, 5, -1}, 3}, {{-1, 5, 13, -1}, 4}};
static const struct taps bilinear_taps[4] = {
    {{0, 1, 0, 0}, 0}, {{0, 3, 1, 0}, 2}, {{0, 1, 1, 0}, 1}, {{0, 1, 3, 0}, 2}};

static uint8_t
filter(const struct taps *t, int a, int b, int c, int d)
{
   int sum = t->tap[0] * a + t->tap[1] * b + t->tap[2] * c + t->tap[3] * d;
   return clip((sum + (1 << t->shift >> 1)) >> t->shift);
}

static unsigned
inside(int32_t at, unsigned size)
{
   return at < 0 ? 0 : at >= (int32_t)size ? size - 1 : (unsigned)at;
}

void
vme_predict(const struct vme *v, const uint8_t *px, unsigned stride, unsigned width,
            unsigned height, int32_t x, int32_t y, unsigned w, unsigned h, uint8_t *out)
{
   const struct taps *taps = v->m1.bilinearenable ? bilinear_taps : fixed_taps;
   const struct taps *tx = &taps[x & 3], *ty = &taps[y & 3];
   int32_t x0 = x >> 2, y0 = y >> 2;
   uint8_t rows[19][16]; /* from the row above on */
   for (unsigned i = 0; i < h + 3; i++) {
      const uint8_t *row = px + inside(y0 - 1 + (int32_t)i, height) * stride;
      for (unsigned j = 0; j < w; j++) {
         int32_t at = x0 + (int32_t)j;
         rows[i][j] = filter(tx, row[inside(at - 1, width)], row[inside(at, width)],
                             row[inside(at + 1, width)], row[inside(at + 2, width)]);
      }
   }
   for (unsigned i = 0; i < h; i++)
      for (unsigned j = 0; j < w; j++)
         out[i * 16 + j] = filter(ty, rows[i][j], rows[i + 1][j], rows[i + 2][j], rows[i + 3][j]);
}

/* VME-072: taps repeat the edge of the window. */
void
vme_predict_window(const struct vme *v, unsigned window, const struct vme_block *b,
                   struct vme_mv mv, uint8_t *out)
{
   const struct vme_window *w = &v->window[window];
   vme_predict(v, w->px, VME_WINDOW_MAX, v->ref_w, v->ref_h, mv.x - 4 * w->x + 4 * b->x,
               mv.y - 4 * w->y + 4 * b->y, b->w, b->h, out);
}

/* VME-082, VME-083 */
void
vme_blend(uint8_t *out, const uint8_t *other, unsigned w, unsigned h, unsigned alpha)
{
   for (unsigned i = 0; i < h; i++)
      for (unsigned j = 0; j < w; j++)
         out[i * 16 + j] =
             (uint8_t)(((64 - alpha) * out[i * 16 + j] + alpha * other[i * 16 + j] + 32) >> 6);
}
