/* BC1 to BC5. SMP-482: tables in integers, the division cuts. */
#include "surface/codec.h"

/* SMP-414: 5, 6 and 5 bits. */
static void
expand565(uint32_t c, codec_rgba out)
{
   out[0] = codec_widen(c >> 11 & 31, 5);
   out[1] = codec_widen(c >> 5 & 63, 6);
   out[2] = codec_widen(c & 31, 5);
   out[3] = 255;
}

void
codec_bc1(const uint8_t *block, bool four_colours, codec_rgba out[16])
{
   struct codec_bits b = codec_load(block, 8);
   uint32_t c0 = codec_get(&b, 0, 16), c1 = codec_get(&b, 16, 16);
   codec_rgba table[4];
   expand565(c0, table[0]);
   expand565(c1, table[1]);
   bool four = four_colours || c0 > c1;
   for (unsigned c = 0; c < 3; c++) {
      unsigned x = table[0][c], y = table[1][c];
      table[2][c] = (uint8_t)(four ? (2 * x + y) / 3 : (x + y) / 2);
      table[3][c] = (uint8_t)(four ? (x + 2 * y) / 3 : 0);
   }
   table[2][3] = 255;
   table[3][3] = four ? 255 : 0;
   for (unsigned i = 0; i < 16; i++)
      memcpy(out[i], table[codec_get(&b, 32 + 2 * i, 2)], 4);
}

void
codec_bc2(const uint8_t *block, codec_rgba out[16])
{
   struct codec_bits b = codec_load(block, 8);
   codec_bc1(block + 8, true, out);
   for (unsigned i = 0; i < 16; i++)
      out[i][3] = (uint8_t)(codec_get(&b, 4 * i, 4) * 17);
}

/* SMP-417, SMP-418: eight steps, or six and the two ends of the range. */
static void
steps(int a, int b, int low, int high, int16_t table[8])
{
   table[0] = (int16_t)a;
   table[1] = (int16_t)b;
   for (int k = 2; k < 8; k++) {
      if (a > b)
         table[k] = (int16_t)(((8 - k) * a + (k - 1) * b) / 7);
      else
         table[k] = (int16_t)(k == 6 ? low : k == 7 ? high : ((6 - k) * a + (k - 1) * b) / 5);
   }
}

void
codec_bc4(const uint8_t *block, bool is_signed, int16_t out[16])
{
   struct codec_bits b = codec_load(block, 8);
   int16_t table[8];
   if (is_signed) {
      int a = (int8_t)block[0], c = (int8_t)block[1];
      steps(a < -127 ? -127 : a, c < -127 ? -127 : c, -127, 127, table);
   } else {
      steps(block[0], block[1], 0, 255, table);
   }
   for (unsigned i = 0; i < 16; i++)
      out[i] = table[codec_get(&b, 16 + 3 * i, 3)];
}

void
codec_bc3(const uint8_t *block, codec_rgba out[16])
{
   int16_t alpha[16];
   codec_bc1(block + 8, true, out);
   codec_bc4(block, false, alpha);
   for (unsigned i = 0; i < 16; i++)
      out[i][3] = (uint8_t)alpha[i];
}
