/* ETC1, ETC2, EAC. Bit numbers are those of the manual, little endian. */
#include "surface/codec.h"

static uint8_t
clamp(int v)
{
   return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

/* SMP-454: k counts down the columns. */
static unsigned
index_of(const struct codec_bits *b, unsigned x, unsigned y)
{
   unsigned k = 4 * x + y, msb = k >= 8 ? 32 + k - 8 : 40 + k, lsb = k >= 8 ? 48 + k - 8 : 56 + k;
   return codec_get(b, msb, 1) << 1 | codec_get(b, lsb, 1);
}

/* SMP-453 */
static const uint8_t luminance[8][2] = {{2, 8},   {5, 17},  {9, 29},   {13, 42},
                                        {18, 60}, {24, 80}, {33, 106}, {47, 183}};

static void
shades(const struct codec_bits *b, uint8_t base[2][3], bool transparent, codec_rgba out[16])
{
   bool flip = codec_get(b, 24, 1);
   unsigned table[2] = {codec_get(b, 29, 3), codec_get(b, 26, 3)};
   for (unsigned y = 0; y < 4; y++)
      for (unsigned x = 0; x < 4; x++) {
         unsigned half = (flip ? y : x) >= 2, index = index_of(b, x, y);
         uint8_t *o = out[4 * y + x];
         int a = transparent ? 0 : luminance[table[half]][0], big = luminance[table[half]][1];
         int d = index == 0 ? a : index == 1 ? big : index == 2 ? -a : -big;
         if (transparent && index == 2) { /* SMP-459 */
            memset(o, 0, 4);
            continue;
         }
         for (unsigned c = 0; c < 3; c++)
            o[c] = clamp(base[half][c] + d);
         o[3] = 255;
      }
}

static void
four_colours(const struct codec_bits *b, int colour[4][3], bool transparent, codec_rgba out[16])
{
   for (unsigned y = 0; y < 4; y++)
      for (unsigned x = 0; x < 4; x++) {
         unsigned index = index_of(b, x, y);
         uint8_t *o = out[4 * y + x];
         bool hole = transparent && index == 2;
         for (unsigned c = 0; c < 3; c++)
            o[c] = hole ? 0 : clamp(colour[index][c]);
         o[3] = hole ? 0 : 255;
      }
}

static const uint8_t distance[8] = {3, 6, 11, 16, 23, 32, 41, 64};

/* SMP-456 */
static void
t_mode(const struct codec_bits *b, bool transparent, codec_rgba out[16])
{
   uint32_t c0[3] = {codec_get(b, 3, 2) << 2 | codec_get(b, 0, 2), codec_get(b, 12, 4),
                     codec_get(b, 8, 4)};
   uint32_t c1[3] = {codec_get(b, 20, 4), codec_get(b, 16, 4), codec_get(b, 28, 4)};
   int d = distance[codec_get(b, 26, 2) << 1 | codec_get(b, 24, 1)], colour[4][3];
   for (unsigned c = 0; c < 3; c++) {
      int a = codec_widen(c0[c], 4), e = codec_widen(c1[c], 4);
      colour[0][c] = a, colour[1][c] = e + d, colour[2][c] = e, colour[3][c] = e - d;
   }
   four_colours(b, colour, transparent, out);
}

/* SMP-457 */
static void
h_mode(const struct codec_bits *b, bool transparent, codec_rgba out[16])
{
   uint32_t c0[3] = {codec_get(b, 3, 4), codec_get(b, 0, 3) << 1 | codec_get(b, 12, 1),
                     codec_get(b, 11, 1) << 3 | codec_get(b, 8, 2) << 1 | codec_get(b, 23, 1)};
   uint32_t c1[3] = {codec_get(b, 19, 4), codec_get(b, 16, 3) << 1 | codec_get(b, 31, 1),
                     codec_get(b, 27, 4)};
   uint32_t v0 = 0, v1 = 0;
   int colour[4][3];
   for (unsigned c = 0; c < 3; c++) {
      c0[c] = codec_widen(c0[c], 4), c1[c] = codec_widen(c1[c], 4);
      v0 = v0 << 8 | c0[c], v1 = v1 << 8 | c1[c];
   }
   int d = distance[codec_get(b, 26, 1) << 2 | codec_get(b, 24, 1) << 1 | (v0 >= v1)];
   for (unsigned c = 0; c < 3; c++) {
      colour[0][c] = (int)c0[c] + d, colour[1][c] = (int)c0[c] - d;
      colour[2][c] = (int)c1[c] + d, colour[3][c] = (int)c1[c] - d;
   }
   four_colours(b, colour, transparent, out);
}

/* SMP-458 */
static void
planar(const struct codec_bits *b, codec_rgba out[16])
{
   int o[3] = {codec_widen(codec_get(b, 1, 6), 6),
               codec_widen(codec_get(b, 0, 1) << 6 | codec_get(b, 9, 6), 7),
               codec_widen(codec_get(b, 8, 1) << 5 | codec_get(b, 19, 2) << 3 |
                               codec_get(b, 16, 2) << 1 | codec_get(b, 31, 1),
                           6)};
   int h[3] = {codec_widen(codec_get(b, 26, 5) << 1 | codec_get(b, 24, 1), 6),
               codec_widen(codec_get(b, 33, 7), 7),
               codec_widen(codec_get(b, 32, 1) << 5 | codec_get(b, 43, 5), 6)};
   int v[3] = {codec_widen(codec_get(b, 40, 3) << 3 | codec_get(b, 53, 3), 6),
               codec_widen(codec_get(b, 48, 5) << 2 | codec_get(b, 62, 2), 7),
               codec_widen(codec_get(b, 56, 6), 6)};
   for (int y = 0; y < 4; y++)
      for (int x = 0; x < 4; x++) {
         for (unsigned c = 0; c < 3; c++)
            out[4 * y + x][c] = clamp((x * (h[c] - o[c]) + y * (v[c] - o[c]) + 4 * o[c] + 2) >> 2);
         out[4 * y + x][3] = 255;
      }
}

void
codec_etc(const uint8_t *block, enum codec_etc kind, codec_rgba out[16])
{
   struct codec_bits b = codec_load(block, 8);
   bool diff = codec_get(&b, 25, 1), transparent = kind == CODEC_ETC_2_PUNCH && !diff;
   uint8_t base[2][3];
   static const uint8_t at[3] = {0, 8, 16};
   if (!diff && kind != CODEC_ETC_2_PUNCH) {
      for (unsigned c = 0; c < 3; c++) {
         base[0][c] = codec_widen(codec_get(&b, at[c] + 4, 4), 4);
         base[1][c] = codec_widen(codec_get(&b, at[c], 4), 4);
      }
      shades(&b, base, false, out);
      return;
   }
   for (unsigned c = 0; c < 3; c++) {
      int first = (int)codec_get(&b, at[c] + 3, 5), delta = (int)(codec_get(&b, at[c], 3) ^ 4) - 4;
      int second = first + delta;
      if (kind != CODEC_ETC_1 && (second < 0 || second > 31)) { /* SMP-455 */
         if (c == 0)
            t_mode(&b, transparent, out);
         else if (c == 1)
            h_mode(&b, transparent, out);
         else
            planar(&b, out);
         return;
      }
      base[0][c] = codec_widen((uint32_t)first, 5);
      base[1][c] = codec_widen((uint32_t)second & 31, 5);
   }
   shades(&b, base, transparent, out);
}

/* SMP-461 */
static const int8_t modifiers[16][4] = {
    {-3, -6, -9, -15}, {-3, -7, -10, -13}, {-2, -5, -8, -13}, {-2, -4, -6, -13},
    {-3, -6, -8, -12}, {-3, -7, -9, -11},  {-4, -7, -8, -11}, {-3, -5, -8, -11},
    {-2, -6, -8, -10}, {-2, -5, -8, -10},  {-2, -4, -8, -10}, {-2, -5, -7, -10},
    {-3, -4, -7, -10}, {-1, -2, -3, -10},  {-4, -6, -8, -9},  {-3, -5, -7, -9}};

/* SMP-460: the 48 bits of indices are big endian, down the columns. Modifier of texel (x, y). */
static int
modifier(const uint8_t *block, unsigned x, unsigned y)
{
   uint64_t field = 0;
   for (unsigned i = 2; i < 8; i++)
      field = field << 8 | block[i];
   unsigned index = field >> (45 - 3 * (4 * x + y)) & 7;
   int v = modifiers[block[1] & 15][index & 3];
   return index & 4 ? -v - 1 : v;
}

void
codec_eac11(const uint8_t *block, bool is_signed, int16_t out[16])
{
   int base = is_signed ? (int8_t)block[0] : block[0], m = block[1] >> 4;
   if (base == -128)
      base = -127;
   for (unsigned y = 0; y < 4; y++)
      for (unsigned x = 0; x < 4; x++) {
         int im = modifier(block, x, y), v = base * 8 + (is_signed ? 0 : 4) + (m ? im * m * 8 : im);
         int low = is_signed ? -1023 : 0, high = is_signed ? 1023 : 2047;
         out[4 * y + x] = (int16_t)(v < low ? low : v > high ? high : v);
      }
}

/* SMP-462 */
void
codec_eac8(const uint8_t *block, uint8_t out[16])
{
   for (unsigned y = 0; y < 4; y++)
      for (unsigned x = 0; x < 4; x++)
         out[4 * y + x] = clamp(block[0] + modifier(block, x, y) * (block[1] >> 4));
}
