/* Windows with their margins, blocks at a vector, and the weighted mean of two predictions. */
#include "shared_functions/vme/vme.h"

#include <string.h>

/* VME-072: taps beyond the loaded pixels repeat the edge. */
void
vme_window_extend(struct vme_window *w, unsigned width, unsigned height)
{
   for (unsigned y = 0; y < height; y++) {
      uint8_t *row = w->px + VME_ORIGIN + y * VME_STRIDE;
      memset(row - VME_MARGIN, row[0], VME_MARGIN);
      memset(row + width, row[width - 1], VME_MARGIN);
   }
   uint8_t *first = w->px + VME_ORIGIN - VME_MARGIN, *last = first + (height - 1) * VME_STRIDE;
   memcpy(first - VME_STRIDE, first, width + 2 * VME_MARGIN);
   for (unsigned i = 1; i <= 2; i++)
      memcpy(last + i * VME_STRIDE, last, width + 2 * VME_MARGIN);
}

/* A vector that FME or IME found: its block lies in the window. */
void
vme_predict_window(const struct vme *v, unsigned window, const struct vme_block *b,
                   struct vme_mv mv, uint8_t *out)
{
   const struct vme_window *w = &v->window[window];
   int32_t x = mv.x - 4 * w->x + 4 * b->x, y = mv.y - 4 * w->y + 4 * b->y;
   v->dsp->predict(vme_window_at(w, (unsigned)(x >> 2), (unsigned)(y >> 2)), VME_STRIDE,
                   (unsigned)x & 3, (unsigned)y & 3, v->m1.bilinearenable, b->w, b->h, out);
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
