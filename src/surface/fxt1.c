/* FXT1: 8 by 4 texels in 128 bits, four modes. */
#include "surface/codec.h"

/* Colour n of the CC_CHROMA positions: blue, green, red from bit 64 + 15 n on. */
static void
colour_at(const struct codec_bits *b, unsigned n, uint8_t rgb[4])
{
   for (unsigned c = 0; c < 3; c++)
      rgb[c] = codec_widen(codec_get(b, 64 + 15 * n + 5 * (2 - c), 5), 5);
   rgb[3] = 255;
}

/* Texel n of the block: left half row by row, then the right half (SMP-409). */
static uint8_t *
texel(codec_rgba out[32], unsigned n)
{
   return out[(n % 16 / 4) * 8 + n / 16 * 4 + n % 4];
}

/* SMP-410 */
static void
cc_hi(const struct codec_bits *b, codec_rgba out[32])
{
   uint8_t c0[4], c1[4];
   for (unsigned c = 0; c < 3; c++) {
      c0[c] = codec_widen(codec_get(b, 96 + 5 * (2 - c), 5), 5);
      c1[c] = codec_widen(codec_get(b, 111 + 5 * (2 - c), 5), 5);
   }
   for (unsigned n = 0; n < 32; n++) {
      unsigned k = codec_get(b, 3 * n, 3);
      uint8_t *o = texel(out, n);
      for (unsigned c = 0; c < 3; c++)
         o[c] = (uint8_t)(k == 0   ? c0[c]
                          : k == 6 ? c1[c]
                          : k == 7 ? 0
                                   : ((6 - k) * c0[c] + k * c1[c] + 3) / 6);
      o[3] = k == 7 ? 0 : 255;
   }
}

/* SMP-411 */
static void
cc_chroma(const struct codec_bits *b, codec_rgba out[32])
{
   for (unsigned n = 0; n < 32; n++)
      colour_at(b, codec_get(b, 2 * n, 2), texel(out, n));
}

static void
thirds(const uint8_t a[4], const uint8_t e[4], unsigned k, unsigned channels, uint8_t *o)
{
   for (unsigned c = 0; c < channels; c++)
      o[c] = (uint8_t)(k == 0   ? a[c]
                       : k == 3 ? e[c]
                       : k == 1 ? (2 * a[c] + e[c] + 1) / 3
                                : (a[c] + 2 * e[c] + 1) / 3);
}

/* SMP-412 */
static void
cc_mixed(const struct codec_bits *b, codec_rgba out[32])
{
   uint8_t colour[4][4];
   bool alpha = codec_get(b, 124, 1);
   uint32_t lsb[4] = {codec_get(b, 1, 1) ^ codec_get(b, 125, 1), codec_get(b, 125, 1),
                      codec_get(b, 33, 1) ^ codec_get(b, 126, 1), codec_get(b, 126, 1)};
   for (unsigned n = 0; n < 4; n++) {
      colour_at(b, n, colour[n]);
      if (!alpha || n & 1)
         colour[n][1] = codec_widen(codec_get(b, 64 + 15 * n + 5, 5) << 1 | lsb[n], 6);
   }
   for (unsigned n = 0; n < 32; n++) {
      const uint8_t *a = colour[n / 16 * 2], *e = colour[n / 16 * 2 + 1];
      unsigned k = codec_get(b, 2 * n, 2);
      uint8_t *o = texel(out, n);
      o[3] = 255;
      if (!alpha) {
         thirds(a, e, k, 3, o);
      } else if (k == 3) {
         memset(o, 0, 4);
      } else {
         for (unsigned c = 0; c < 3; c++)
            o[c] = (uint8_t)(k == 0 ? a[c] : k == 2 ? e[c] : (a[c] + e[c]) / 2);
      }
   }
}

/* SMP-413 */
static void
cc_alpha(const struct codec_bits *b, codec_rgba out[32])
{
   uint8_t colour[3][4];
   bool lerp = codec_get(b, 124, 1);
   for (unsigned n = 0; n < 3; n++) {
      colour_at(b, n, colour[n]);
      colour[n][3] = codec_widen(codec_get(b, 109 + 5 * n, 5), 5);
   }
   for (unsigned n = 0; n < 32; n++) {
      unsigned k = codec_get(b, 2 * n, 2);
      uint8_t *o = texel(out, n);
      if (lerp)
         thirds(colour[n < 16 ? 0 : 2], colour[1], k, 4, o);
      else if (k == 3)
         memset(o, 0, 4);
      else
         memcpy(o, colour[k], 4);
   }
}

void
codec_fxt1(const uint8_t *block, codec_rgba out[32])
{
   struct codec_bits b = codec_load(block, 16);
   unsigned mode = codec_get(&b, 125, 3);
   if (mode >= 4)
      cc_mixed(&b, out);
   else if (mode < 2)
      cc_hi(&b, out);
   else if (mode == 2)
      cc_chroma(&b, out);
   else
      cc_alpha(&b, out);
}
