/* BC6H and BC7. */
#include "surface/codec.h"

struct two {
   uint16_t mask; /* texels of line 1 */
   uint8_t fixup;
};
struct three {
   uint32_t lines; /* two bits a texel */
   uint8_t fixup1, fixup2;
};

/* SMP-439 */
static const struct two two_lines[64] = {
    {0xCCCC, 15}, {0x8888, 15}, {0xEEEE, 15}, {0xECC8, 15}, {0xC880, 15}, {0xFEEC, 15},
    {0xFEC8, 15}, {0xEC80, 15}, {0xC800, 15}, {0xFFEC, 15}, {0xFE80, 15}, {0xE800, 15},
    {0xFFE8, 15}, {0xFF00, 15}, {0xFFF0, 15}, {0xF000, 15}, {0xF710, 15}, {0x008E, 2},
    {0x7100, 8},  {0x08CE, 2},  {0x008C, 2},  {0x7310, 8},  {0x3100, 8},  {0x8CCE, 15},
    {0x088C, 2},  {0x3110, 8},  {0x6666, 2},  {0x366C, 2},  {0x17E8, 8},  {0x0FF0, 8},
    {0x718E, 2},  {0x399C, 2},  {0xAAAA, 15}, {0xF0F0, 15}, {0x5A5A, 6},  {0x33CC, 8},
    {0x3C3C, 2},  {0x55AA, 8},  {0x9696, 15}, {0xA55A, 15}, {0x73CE, 2},  {0x13C8, 8},
    {0x324C, 2},  {0x3BDC, 2},  {0x6996, 2},  {0xC33C, 15}, {0x9966, 15}, {0x0660, 6},
    {0x0272, 6},  {0x04E4, 2},  {0x4E40, 6},  {0x2720, 8},  {0xC936, 15}, {0x936C, 15},
    {0x39C6, 2},  {0x639C, 2},  {0x9336, 15}, {0x9CC6, 15}, {0x817E, 15}, {0xE718, 15},
    {0xCCF0, 15}, {0x0FCC, 2},  {0x7744, 2},  {0xEE22, 15}};

/* SMP-440, SMP-441 */
static const struct three three_lines[64] = {
    {0xAA685050, 3, 15}, {0x6A5A5040, 3, 8},   {0x5A5A4200, 15, 8},  {0x5450A0A8, 15, 3},
    {0xA5A50000, 8, 15}, {0xA0A05050, 3, 15},  {0x5555A0A0, 15, 3},  {0x5A5A5050, 15, 8},
    {0xAA550000, 8, 15}, {0xAA555500, 8, 15},  {0xAAAA5500, 6, 15},  {0x90909090, 6, 15},
    {0x94949494, 6, 15}, {0xA4A4A4A4, 5, 15},  {0xA9A59450, 3, 15},  {0x2A0A4250, 3, 8},
    {0xA5945040, 3, 15}, {0x0A425054, 3, 8},   {0xA5A5A500, 8, 15},  {0x55A0A0A0, 15, 3},
    {0xA8A85454, 3, 15}, {0x6A6A4040, 3, 8},   {0xA4A45000, 6, 15},  {0x1A1A0500, 10, 8},
    {0x0050A4A4, 5, 3},  {0xAAA59090, 8, 15},  {0x14696914, 8, 6},   {0x69691400, 6, 10},
    {0xA08585A0, 8, 15}, {0xAA821414, 5, 15},  {0x50A4A450, 15, 10}, {0x6A5A0200, 15, 8},
    {0xA9A58000, 8, 15}, {0x5090A0A8, 15, 3},  {0xA8A09050, 3, 15},  {0x24242424, 5, 10},
    {0x00AA5500, 6, 10}, {0x24924924, 10, 8},  {0x24499224, 8, 9},   {0x50A50A50, 15, 10},
    {0x500AA550, 15, 6}, {0xAAAA4444, 3, 15},  {0x66660000, 15, 8},  {0xA5A0A5A0, 5, 15},
    {0x50A050A0, 15, 3}, {0x69286928, 15, 6},  {0x44AAAA44, 15, 6},  {0x66666600, 15, 8},
    {0xAA444444, 3, 15}, {0x54A854A8, 15, 3},  {0x95809580, 5, 15},  {0x96969600, 5, 15},
    {0xA85454A8, 5, 15}, {0x80959580, 8, 15},  {0xAA141414, 5, 15},  {0x96960000, 10, 15},
    {0xAAAA1414, 5, 15}, {0xA05050A0, 10, 15}, {0xA0A5A5A0, 8, 15},  {0x96000000, 13, 15},
    {0x40804080, 15, 3}, {0xA9A8A9A8, 12, 15}, {0xAAAAAA44, 3, 15},  {0x2A4A5254, 3, 8}};

/* SMP-438, SMP-451 */
static const uint8_t weights2[4] = {0, 21, 43, 64}, weights3[8] = {0, 9, 18, 27, 37, 46, 55, 64},
                     weights4[16] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};

static const uint8_t *
weights(unsigned bits)
{
   return bits == 2 ? weights2 : bits == 3 ? weights3 : weights4;
}

/* BC6H: a run of bits of an endpoint. Endpoint: 4 × channel + w, x, y, z. */
struct field {
   uint8_t endpoint, to, from, count;
};
static const struct field bc6h_fields[14][24] = {
    {{6, 4, 2, 1},
     {10, 4, 3, 1},
     {11, 4, 4, 1},
     {0, 0, 5, 10},
     {4, 0, 15, 10},
     {8, 0, 25, 10},
     {1, 0, 35, 5},
     {7, 4, 40, 1},
     {6, 0, 41, 4},
     {5, 0, 45, 5},
     {11, 0, 50, 1},
     {7, 0, 51, 4},
     {9, 0, 55, 5},
     {11, 1, 60, 1},
     {10, 0, 61, 4},
     {2, 0, 65, 5},
     {11, 2, 70, 1},
     {3, 0, 71, 5},
     {11, 3, 76, 1}}, /* mode 0: SMP-421 */
    {{6, 5, 2, 1},   {7, 4, 3, 2},   {0, 0, 5, 7},  {11, 0, 12, 2}, {10, 4, 14, 1}, {4, 0, 15, 7},
     {10, 5, 22, 1}, {11, 2, 23, 1}, {6, 4, 24, 1}, {8, 0, 25, 7},  {11, 3, 32, 1}, {11, 5, 33, 1},
     {11, 4, 34, 1}, {1, 0, 35, 6},  {6, 0, 41, 4}, {5, 0, 45, 6},  {7, 0, 51, 4},  {9, 0, 55, 6},
     {10, 0, 61, 4}, {2, 0, 65, 6},  {3, 0, 71, 6}}, /* mode 1: SMP-422 */
    {{0, 0, 5, 10},
     {4, 0, 15, 10},
     {8, 0, 25, 10},
     {1, 0, 35, 5},
     {0, 10, 40, 1},
     {6, 0, 41, 4},
     {5, 0, 45, 4},
     {4, 10, 49, 1},
     {11, 0, 50, 1},
     {7, 0, 51, 4},
     {9, 0, 55, 4},
     {8, 10, 59, 1},
     {11, 1, 60, 1},
     {10, 0, 61, 4},
     {2, 0, 65, 5},
     {11, 2, 70, 1},
     {3, 0, 71, 5},
     {11, 3, 76, 1}}, /* mode 2: SMP-423 */
    {{0, 0, 5, 10},  {4, 0, 15, 10}, {8, 0, 25, 10}, {1, 0, 35, 4},  {0, 10, 39, 1}, {7, 4, 40, 1},
     {6, 0, 41, 4},  {5, 0, 45, 5},  {4, 10, 50, 1}, {7, 0, 51, 4},  {9, 0, 55, 4},  {8, 10, 59, 1},
     {11, 1, 60, 1}, {10, 0, 61, 4}, {2, 0, 65, 4},  {11, 0, 69, 1}, {11, 2, 70, 1}, {3, 0, 71, 4},
     {6, 4, 75, 1},  {11, 3, 76, 1}}, /* mode 3: SMP-424 */
    {{0, 0, 5, 10},
     {4, 0, 15, 10},
     {8, 0, 25, 10},
     {1, 0, 35, 4},
     {0, 10, 39, 1},
     {10, 4, 40, 1},
     {6, 0, 41, 4},
     {5, 0, 45, 4},
     {4, 10, 49, 1},
     {11, 0, 50, 1},
     {7, 0, 51, 4},
     {9, 0, 55, 5},
     {8, 10, 60, 1},
     {10, 0, 61, 4},
     {2, 0, 65, 4},
     {11, 1, 69, 2},
     {3, 0, 71, 4},
     {11, 4, 75, 1},
     {11, 3, 76, 1}}, /* mode 4: SMP-425 */
    {{0, 0, 5, 9},
     {10, 4, 14, 1},
     {4, 0, 15, 9},
     {6, 4, 24, 1},
     {8, 0, 25, 9},
     {11, 4, 34, 1},
     {1, 0, 35, 5},
     {7, 4, 40, 1},
     {6, 0, 41, 4},
     {5, 0, 45, 5},
     {11, 0, 50, 1},
     {7, 0, 51, 4},
     {9, 0, 55, 5},
     {11, 1, 60, 1},
     {10, 0, 61, 4},
     {2, 0, 65, 5},
     {11, 2, 70, 1},
     {3, 0, 71, 5},
     {11, 3, 76, 1}}, /* mode 5: SMP-426 */
    {{0, 0, 5, 8},
     {7, 4, 13, 1},
     {10, 4, 14, 1},
     {4, 0, 15, 8},
     {11, 2, 23, 1},
     {6, 4, 24, 1},
     {8, 0, 25, 8},
     {11, 3, 33, 2},
     {1, 0, 35, 6},
     {6, 0, 41, 4},
     {5, 0, 45, 5},
     {11, 0, 50, 1},
     {7, 0, 51, 4},
     {9, 0, 55, 5},
     {11, 1, 60, 1},
     {10, 0, 61, 4},
     {2, 0, 65, 6},
     {3, 0, 71, 6}}, /* mode 6: SMP-427 */
    {{0, 0, 5, 8},   {11, 0, 13, 1}, {10, 4, 14, 1}, {4, 0, 15, 8},  {6, 5, 23, 1},  {6, 4, 24, 1},
     {8, 0, 25, 8},  {7, 5, 33, 1},  {11, 4, 34, 1}, {1, 0, 35, 5},  {7, 4, 40, 1},  {6, 0, 41, 4},
     {5, 0, 45, 6},  {7, 0, 51, 4},  {9, 0, 55, 5},  {11, 1, 60, 1}, {10, 0, 61, 4}, {2, 0, 65, 5},
     {11, 2, 70, 1}, {3, 0, 71, 5},  {11, 3, 76, 1}}, /* mode 7: SMP-428 */
    {{0, 0, 5, 8},   {11, 1, 13, 1}, {10, 4, 14, 1}, {4, 0, 15, 8}, {10, 5, 23, 1}, {6, 4, 24, 1},
     {8, 0, 25, 8},  {11, 5, 33, 1}, {11, 4, 34, 1}, {1, 0, 35, 5}, {7, 4, 40, 1},  {6, 0, 41, 4},
     {5, 0, 45, 5},  {11, 0, 50, 1}, {7, 0, 51, 4},  {9, 0, 55, 6}, {10, 0, 61, 4}, {2, 0, 65, 5},
     {11, 2, 70, 1}, {3, 0, 71, 5},  {11, 3, 76, 1}}, /* mode 8: SMP-429 */
    {{0, 0, 5, 6},   {7, 4, 11, 1},  {11, 0, 12, 2}, {10, 4, 14, 1}, {4, 0, 15, 6}, {6, 5, 21, 1},
     {10, 5, 22, 1}, {11, 2, 23, 1}, {6, 4, 24, 1},  {8, 0, 25, 6},  {7, 5, 31, 1}, {11, 3, 32, 1},
     {11, 5, 33, 1}, {11, 4, 34, 1}, {1, 0, 35, 6},  {6, 0, 41, 4},  {5, 0, 45, 6}, {7, 0, 51, 4},
     {9, 0, 55, 6},  {10, 0, 61, 4}, {2, 0, 65, 6},  {3, 0, 71, 6}}, /* mode 9: SMP-430 */
    {{0, 0, 5, 10},
     {4, 0, 15, 10},
     {8, 0, 25, 10},
     {1, 0, 35, 10},
     {5, 0, 45, 10},
     {9, 0, 55, 10}}, /* mode 10: SMP-431 */
    {{0, 0, 5, 10},
     {4, 0, 15, 10},
     {8, 0, 25, 10},
     {1, 0, 35, 9},
     {0, 10, 44, 1},
     {5, 0, 45, 9},
     {4, 10, 54, 1},
     {9, 0, 55, 9},
     {8, 10, 64, 1}}, /* mode 11: SMP-432 */
    {{0, 0, 5, 10},
     {4, 0, 15, 10},
     {8, 0, 25, 10},
     {1, 0, 35, 8},
     {0, 11, 43, 1},
     {0, 10, 44, 1},
     {5, 0, 45, 8},
     {4, 11, 53, 1},
     {4, 10, 54, 1},
     {9, 0, 55, 8},
     {8, 11, 63, 1},
     {8, 10, 64, 1}}, /* mode 12: SMP-433 */
    {{0, 0, 5, 10},  {4, 0, 15, 10}, {8, 0, 25, 10}, {1, 0, 35, 4},  {0, 15, 39, 1},
     {0, 14, 40, 1}, {0, 13, 41, 1}, {0, 12, 42, 1}, {0, 11, 43, 1}, {0, 10, 44, 1},
     {5, 0, 45, 4},  {4, 15, 49, 1}, {4, 14, 50, 1}, {4, 13, 51, 1}, {4, 12, 52, 1},
     {4, 11, 53, 1}, {4, 10, 54, 1}, {9, 0, 55, 4},  {8, 15, 59, 1}, {8, 14, 60, 1},
     {8, 13, 61, 1}, {8, 12, 62, 1}, {8, 11, 63, 1}, {8, 10, 64, 1}},
    /* mode 13: SMP-434 */};
/* Bits of w, and of the deltas of red, green, blue (0: no deltas). */
static const uint8_t bc6h_bits[14][4] = {{10, 5, 5, 5}, {7, 6, 6, 6}, {11, 5, 4, 4}, {11, 4, 5, 4},
                                         {11, 4, 4, 5}, {9, 5, 5, 5}, {8, 6, 5, 5},  {8, 5, 6, 5},
                                         {8, 5, 5, 6},  {6, 0, 0, 0}, {10, 0, 0, 0}, {11, 9, 9, 9},
                                         {12, 8, 8, 8}, {16, 4, 4, 4}};

/* SMP-420: mode of the low bits, or -1. */
static int
bc6h_mode(uint32_t low)
{
   static const int8_t five[8] = {2, 3, 4, 5, 6, 7, 8, 9}; /* xxx10 */
   if ((low & 3) < 2)
      return (int)(low & 3);
   if ((low & 3) == 2)
      return five[low >> 2 & 7];
   return (low >> 2 & 7) < 4 ? 10 + (int)(low >> 2 & 3) : -1; /* xxx11 */
}

static int32_t
extend(uint32_t v, unsigned bits)
{
   return (int32_t)(v << (32 - bits)) >> (32 - bits);
}

/* SMP-437 */
static int32_t
unquantise(int32_t e, unsigned p, bool is_signed)
{
   if (p >= 16 || !e)
      return e;
   if (!is_signed)
      return e == (1 << p) - 1 ? 0xffff : ((e << 16) + 0x8000) >> p;
   int32_t m = e < 0 ? -e : e;
   m = m >= (1 << (p - 1)) - 1 ? 0x7fff : ((m << 15) + 0x4000) >> (p - 1);
   return e < 0 ? -m : m;
}

/* SMP-436: deltas wrap at the endpoint width. */
static void
bc6h_endpoints(const struct codec_bits *b, unsigned mode, bool is_signed, int32_t e[3][4])
{
   uint32_t raw[12] = {0};
   unsigned p = bc6h_bits[mode][0], count = mode < 10 ? 4 : 2;
   for (unsigned i = 0; i < 24 && bc6h_fields[mode][i].count; i++) {
      const struct field *f = &bc6h_fields[mode][i];
      raw[f->endpoint] |= codec_get(b, f->from, f->count) << f->to;
   }
   for (unsigned c = 0; c < 3; c++)
      for (unsigned k = 0; k < count; k++) {
         unsigned delta = bc6h_bits[mode][1 + c];
         uint32_t v = raw[4 * c + k];
         if (k && delta)
            v = (uint32_t)((int32_t)raw[4 * c] + extend(v, delta)) & ((1u << p) - 1);
         e[c][k] = unquantise(is_signed ? extend(v, p) : (int32_t)v, p, is_signed);
      }
}

void
codec_bc6h(const uint8_t *block, bool is_signed, uint16_t out[16][3])
{
   struct codec_bits b = codec_load(block, 16);
   int mode = bc6h_mode(codec_get(&b, 0, 5));
   memset(out, 0, 16 * sizeof(out[0]));
   if (mode < 0)
      return;
   int32_t e[3][4];
   bool two = mode < 10;
   unsigned partition = two ? codec_get(&b, 77, 5) : 0, at = two ? 82 : 65, bits = two ? 3 : 4;
   bc6h_endpoints(&b, (unsigned)mode, is_signed, e);
   for (unsigned i = 0; i < 16; i++) { /* SMP-435 */
      unsigned line = two ? two_lines[partition].mask >> i & 1 : 0;
      unsigned n = bits - (i == 0 || (two && i == two_lines[partition].fixup));
      unsigned w = weights(bits)[codec_get(&b, at, n)];
      at += n;
      for (unsigned c = 0; c < 3; c++) { /* SMP-438 */
         int32_t v =
             (e[c][2 * line] * (64 - (int32_t)w) + e[c][2 * line + 1] * (int32_t)w + 32) >> 6;
         if (!is_signed)
            out[i][c] = (uint16_t)(v * 31 >> 6);
         else
            out[i][c] = (uint16_t)(v < 0 ? 0x8000 | (-v * 31 >> 5) : v * 31 >> 5);
      }
   }
}

/* SMP-443 to SMP-450: lines, partition bits, rotation bits, selector bits, colour bits, alpha bits,
 * P bits for each endpoint, P bits for each line, index bits, second index bits. */
static const struct mode7 {
   uint8_t lines, partition, rotation, selector, colour, alpha, p_endpoint, p_line, index, index2;
} bc7_modes[8] = {{3, 4, 0, 0, 4, 0, 1, 0, 3, 0}, {2, 6, 0, 0, 6, 0, 0, 1, 3, 0},
                  {3, 6, 0, 0, 5, 0, 0, 0, 2, 0}, {2, 6, 0, 0, 7, 0, 1, 0, 2, 0},
                  {1, 0, 2, 1, 5, 6, 0, 0, 2, 3}, {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
                  {1, 0, 0, 0, 7, 7, 1, 0, 4, 0}, {2, 6, 0, 0, 5, 5, 1, 0, 2, 0}};

static unsigned
line_of(unsigned lines, unsigned partition, unsigned texel)
{
   if (lines == 2)
      return two_lines[partition].mask >> texel & 1;
   return lines == 3 ? three_lines[partition].lines >> 2 * texel & 3 : 0;
}

static bool
is_fixup(unsigned lines, unsigned partition, unsigned texel)
{
   if (texel == 0)
      return true;
   if (lines == 2)
      return texel == two_lines[partition].fixup;
   return lines == 3 &&
          (texel == three_lines[partition].fixup1 || texel == three_lines[partition].fixup2);
}

static unsigned
take(const struct codec_bits *b, unsigned *at, unsigned count)
{
   unsigned v = count ? codec_get(b, *at, count) : 0;
   *at += count;
   return v;
}

static void
bc7_endpoints(const struct codec_bits *b, const struct mode7 *m, unsigned *at, uint8_t e[6][4])
{
   unsigned ends = 2u * m->lines, v[6][4], p[6] = {0};
   for (unsigned c = 0; c < 4; c++)
      for (unsigned k = 0; k < ends; k++)
         v[k][c] = take(b, at, c < 3 ? m->colour : m->alpha);
   for (unsigned k = 0; k < ends && m->p_endpoint; k++)
      p[k] = take(b, at, 1);
   for (unsigned l = 0; l < m->lines && m->p_line; l++)
      p[2 * l] = p[2 * l + 1] = take(b, at, 1);
   unsigned extra = m->p_endpoint | m->p_line;
   for (unsigned k = 0; k < ends; k++)
      for (unsigned c = 0; c < 4; c++) {
         unsigned bits = c < 3 ? m->colour : m->alpha;
         e[k][c] = bits ? codec_widen(extra ? v[k][c] << 1 | p[k] : v[k][c], bits + extra) : 255;
      }
}

static uint8_t
blend(unsigned a, unsigned b, unsigned w)
{
   return (uint8_t)((a * (64 - w) + b * w + 32) >> 6);
}

void
codec_bc7(const uint8_t *block, codec_rgba out[16])
{
   struct codec_bits b = codec_load(block, 16);
   unsigned mode = 0, first[16], second[16] = {0};
   memset(out, 0, 16 * sizeof(out[0]));
   while (mode < 8 && !(block[0] >> mode & 1))
      mode++;
   if (mode == 8) /* SMP-442 */
      return;
   const struct mode7 *m = &bc7_modes[mode];
   unsigned at = mode + 1, partition = take(&b, &at, m->partition),
            rotation = take(&b, &at, m->rotation);
   unsigned selector = take(&b, &at, m->selector);
   uint8_t e[6][4];
   bc7_endpoints(&b, m, &at, e);
   for (unsigned i = 0; i < 16; i++)
      first[i] = take(&b, &at, m->index - is_fixup(m->lines, partition, i));
   for (unsigned i = 0; i < 16 && m->index2; i++)
      second[i] = take(&b, &at, m->index2 - (i == 0));
   for (unsigned i = 0; i < 16; i++) { /* SMP-452 */
      unsigned l = line_of(m->lines, partition, i);
      unsigned colour = weights(m->index)[first[i]], alpha = colour;
      if (m->index2) {
         alpha = weights(m->index2)[second[i]];
         if (selector) {
            unsigned t = colour;
            colour = alpha, alpha = t;
         }
      }
      for (unsigned c = 0; c < 4; c++)
         out[i][c] = blend(e[2 * l][c], e[2 * l + 1][c], c < 3 ? colour : alpha);
      if (rotation) {
         uint8_t t = out[i][3];
         out[i][3] = out[i][rotation - 1];
         out[i][rotation - 1] = t;
      }
   }
}
