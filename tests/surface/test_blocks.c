/* Compressed blocks, put together field by field here and taken apart by the decoders. */
#include "surface/codec.h"
#include "surface/format.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include "tests/proves.h"

static float
as_float(uint32_t u)
{
   float f;
   memcpy(&f, &u, 4);
   return f;
}

/* Writes bits one at a time, so that nothing is shared with the reader. */
static void
put(uint8_t *block, unsigned start, unsigned count, uint32_t v)
{
   for (unsigned i = 0; i < count; i++) {
      block[(start + i) / 8] &= (uint8_t) ~(1u << (start + i) % 8);
      block[(start + i) / 8] |= (uint8_t)((v >> i & 1) << (start + i) % 8);
   }
}

static void
expect8(unsigned code, const uint8_t *block, unsigned texel, int r, int g, int b, int a)
{
   format_texel out[32];
   const int want[4] = {r, g, b, a};
   format_decode_block(format_get(code), block, out);
   for (unsigned c = 0; c < 4; c++)
      assert_int_equal(lround(as_float(out[texel][c]) * 255), want[c]);
}

/* SMP-414 SMP-415 SMP-156 SMP-159 SMP-482: both tables, every code, in texel order. */
static void
bc1(void **state)
{
   proves("SMP-414", "SMP-415", "SMP-156", "SMP-159", "SMP-482");
   (void)state;
   uint8_t b[8] = {0};
   put(b, 0, 16, 31u << 11 | 10); /* red, some blue */
   put(b, 16, 16, 63u << 5);      /* green */
   for (unsigned i = 0; i < 16; i++)
      put(b, 32 + 2 * i, 2, i % 4);
   int blue = 10 << 3 | 10 >> 2;
   expect8(0x186, b, 0, 255, 0, blue, 255);
   expect8(0x186, b, 5, 0, 255, 0, 255);
   expect8(0x186, b, 10, 170, 85, 2 * blue / 3, 255);
   expect8(0x186, b, 15, 85, 170, blue / 3, 255);
   uint8_t t[8];
   memcpy(t, b + 2, 2), memcpy(t + 2, b, 2), memcpy(t + 4, b + 4, 4); /* the smaller colour first */
   expect8(0x186, t, 2, 127, 127, blue / 2, 255);
   expect8(0x186, t, 3, 0, 0, 0, 0);
   expect8(0x191, t, 3, 170, 85, 2 * blue / 3, 255); /* DXT1_RGB has no such table */
}

static void
bc2_bc3(void **state)
{
   proves("SMP-416", "SMP-417");
   (void)state;
   uint8_t b[16] = {0};
   put(b, 64, 16, 0), put(b, 80, 16, 0xffff); /* black first: the order does not matter here */
   for (unsigned i = 0; i < 16; i++) {
      put(b, 4 * i, 4, i);
      put(b, 96 + 2 * i, 2, 3);
   }
   for (unsigned i = 0; i < 16; i++)
      expect8(0x187, b, i, 170, 170, 170, (int)i * 17);
   for (unsigned order = 0; order < 2; order++) {
      int a0 = order ? 10 : 200, a1 = order ? 200 : 10;
      b[0] = (uint8_t)a0, b[1] = (uint8_t)a1;
      for (unsigned i = 0; i < 16; i++)
         put(b, 16 + 3 * i, 3, i % 8);
      for (int k = 0; k < 8; k++) {
         int want = k == 0   ? a0
                    : k == 1 ? a1
                    : !order ? ((8 - k) * a0 + (k - 1) * a1) / 7
                    : k == 6 ? 0
                    : k == 7 ? 255
                             : ((6 - k) * a0 + (k - 1) * a1) / 5;
         expect8(0x188, b, (unsigned)k, 170, 170, 170, want);
         expect8(0x188, b, 8 + (unsigned)k, 170, 170, 170, want);
      }
   }
}

static void
bc4_bc5(void **state)
{
   proves("SMP-418", "SMP-419", "SMP-160", "SMP-161");
   (void)state;
   uint8_t b[16] = {0};
   format_texel out[16];
   b[0] = (uint8_t)-100,
   b[1] = 100; /* signed: -100 < 100, so six steps; unsigned: 156 > 100, eight */
   b[8] = 50, b[9] = 20;
   for (unsigned i = 0; i < 16; i++)
      put(b, 16 + 3 * i, 3, i % 8), put(b, 80 + 3 * i, 3, 7 - i % 8);
   format_decode_block(format_get(0x19a), b, out);
   static const int red[8] = {-100, 100, -60, -20, 20, 60, -127, 127};
   for (int k = 0; k < 8; k++) {
      int g = 7 - k, green = g == 0 ? 50 : g == 1 ? 20 : ((8 - g) * 50 + (g - 1) * 20) / 7;
      assert_true(fabs(as_float(out[k][0]) - red[k] / 127.0) < 1e-6);
      assert_true(fabs(as_float(out[k][1]) - green / 127.0) < 1e-6);
      assert_int_equal(out[k][2], 0);
      assert_true(as_float(out[k][3]) == 1.0f);
   }
   format_decode_block(format_get(0x189), b, out);
   assert_true(fabs(as_float(out[2][0]) - (6 * 156 + 100) / 7 / 255.0) < 1e-6);
   assert_int_equal(out[2][1], 0);
}

static int
widen(unsigned v, unsigned bits)
{
   unsigned w = 0, have = 0;
   while (have < 8) {
      w = w << bits | v;
      have += bits;
   }
   return (int)(w >> (have - 8));
}

/* SMP-442 SMP-448 SMP-449 SMP-451 SMP-452: one line; rotation; P bits. */
static void
bc7_one_line(void **state)
{
   proves("SMP-166", "SMP-442", "SMP-448", "SMP-449", "SMP-451", "SMP-452");
   (void)state;
   static const int w4[16] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64},
                    w2[4] = {0, 21, 43, 64};
   uint8_t b[16] = {0};
   put(b, 6, 1, 1);
   static const unsigned e[2][4] = {{10, 20, 30, 127}, {100, 90, 80, 5}};
   for (unsigned c = 0; c < 4; c++)
      for (unsigned k = 0; k < 2; k++)
         put(b, 7 + 14 * c + 7 * k, 7, e[k][c]);
   put(b, 63, 1, 1); /* P0 = 1, P1 = 0 */
   for (unsigned i = 0; i < 16; i++)
      put(b, i ? 64 + 4 * i : 65, i ? 4 : 3, i ? i : 5);
   for (unsigned i = 0; i < 16; i++) {
      int v[4], w = w4[i ? i : 5];
      for (unsigned c = 0; c < 4; c++)
         v[c] = ((int)(e[0][c] * 2 + 1) * (64 - w) + (int)(e[1][c] * 2) * w + 32) >> 6;
      expect8(0x1a2, b, i, v[0], v[1], v[2], v[3]);
   }
   for (unsigned rotation = 0; rotation < 4; rotation++) { /* mode 5 */
      memset(b, 0, 16);
      put(b, 5, 1, 1), put(b, 6, 2, rotation);
      for (unsigned c = 0; c < 3; c++)
         for (unsigned k = 0; k < 2; k++)
            put(b, 8 + 14 * c + 7 * k, 7, e[k][c]);
      put(b, 50, 8, 200), put(b, 58, 8, 40);
      for (unsigned i = 0; i < 16; i++)
         put(b, i ? 65 + 2 * i : 66, i ? 2 : 1, i ? i % 4 : 1),
             put(b, i ? 96 + 2 * i : 97, i ? 2 : 1, i ? 3 - i % 4 : 0);
      for (unsigned i = 1; i < 16; i++) {
         int v[4], w = w2[i % 4], wa = w2[3 - i % 4];
         for (unsigned c = 0; c < 3; c++)
            v[c] = (widen(e[0][c], 7) * (64 - w) + widen(e[1][c], 7) * w + 32) >> 6;
         v[3] = (200 * (64 - wa) + 40 * wa + 32) >> 6;
         if (rotation) {
            int t = v[3];
            v[3] = v[rotation - 1], v[rotation - 1] = t;
         }
         expect8(0x1a2, b, i, v[0], v[1], v[2], v[3]);
      }
   }
   memset(b, 0, 16);
   expect8(0x1a2, b, 3, 0, 0, 0, 0);
}

/* SMP-439 SMP-440 SMP-443 SMP-444 SMP-445 SMP-446 SMP-447 SMP-450: lines and partitions; constant
 * lines show where each texel belongs. */
static void
bc7_partitions(void **state)
{
   proves("SMP-439", "SMP-440", "SMP-443", "SMP-444", "SMP-445", "SMP-446", "SMP-447", "SMP-450");
   (void)state;
   uint8_t b[16];
   static const struct {
      unsigned mode, lines, partition_at, bits, red, each;
   } modes[] = {{0, 3, 1, 4, 5, 4},
                {1, 2, 2, 6, 8, 6},
                {2, 3, 3, 6, 9, 5},
                {3, 2, 4, 6, 10, 7},
                {7, 2, 8, 6, 14, 5}};
   static const struct {
      unsigned lines, partition;
      const char *map; /* line of each texel, by eye */
   } maps[] = {{2, 0, "0011001100110011"},  {2, 13, "0000000011111111"},
               {2, 14, "0000111111111111"}, {3, 8, "0000000011112222"},
               {3, 9, "0000111111112222"},  {3, 11, "0012001200120012"}};
   for (unsigned m = 0; m < 5; m++)
      for (unsigned p = 0; p < 6; p++) {
         if (maps[p].lines != modes[m].lines)
            continue;
         memset(b, 0, 16);
         put(b, modes[m].mode, 1, 1);
         put(b, modes[m].partition_at, modes[m].bits, maps[p].partition);
         unsigned n = modes[m].each;
         for (unsigned k = 0; k < 2 * modes[m].lines; k++)
            put(b, modes[m].red + n * k, n, (k / 2 + 1) * ((1u << n) - 1) / 4);
         for (unsigned i = 0; i < 16; i++) {
            unsigned line = (unsigned)(maps[p].map[i] - '0'), v = (line + 1) * ((1u << n) - 1) / 4;
            bool pbits = modes[m].mode != 2;
            format_texel out[16];
            format_decode_block(format_get(0x1a2), b, out);
            assert_int_equal(lround(as_float(out[i][0]) * 255),
                             pbits ? widen(v << 1, n + 1) : widen(v, n));
         }
      }
   /* mode 4: the selector swaps which index colours use */
   for (unsigned selector = 0; selector < 2; selector++) {
      memset(b, 0, 16);
      put(b, 4, 1, 1), put(b, 7, 1, selector);
      put(b, 8, 5, 0), put(b, 13, 5, 31);  /* red 0 … 255 */
      put(b, 38, 6, 0), put(b, 44, 6, 63); /* alpha 0 … 255 */
      put(b, 50 + 1, 2, 1);                /* texel 1 of the 2-bit set: 21/64 */
      put(b, 81 + 2, 3, 7);                /* texel 1 of the 3-bit set: all */
      int low = (255 * 21 + 32) >> 6;
      expect8(0x1a2, b, 1, selector ? 255 : low, 0, 0, selector ? low : 255);
   }
}

/* SMP-443, SMP-444, SMP-446, SMP-449, SMP-450: a P bit belongs to an endpoint, in mode 1 to both of
 * a line. */
static void
bc7_p_bits(void **state)
{
   proves("SMP-443", "SMP-444", "SMP-446", "SMP-449", "SMP-450");
   (void)state;
   static const struct {
      unsigned mode, lines, partition_at, partition, each, p_at, p_bits;
      unsigned texel[3]; /* one of each line, none of them an anchor */
   } modes[] = {{0, 3, 1, 8, 4, 77, 6, {1, 9, 13}},
                {1, 2, 2, 13, 6, 80, 2, {1, 14}},
                {3, 2, 4, 13, 7, 94, 4, {1, 14}},
                {6, 1, 0, 0, 7, 63, 2, {1}},
                {7, 2, 8, 13, 5, 94, 4, {1, 14}}};
   for (unsigned m = 0; m < 5; m++)
      for (unsigned bit = 0; bit < modes[m].p_bits; bit++)
         for (unsigned end = 0; end < 2; end++) {
            uint8_t b[16] = {0};
            format_texel out[16];
            if (modes[m].partition_at)
               put(b, modes[m].partition_at, 6, modes[m].partition);
            put(b, modes[m].mode, 1, 1);
            for (unsigned at = modes[m].p_at + modes[m].p_bits; end && at < 128; at++)
               put(b, at, 1, 1); /* the indices: all texels show the second endpoint */
            put(b, modes[m].p_at + bit, 1, 1);
            format_decode_block(format_get(0x1a2), b, out);
            for (unsigned line = 0; line < modes[m].lines; line++) {
               bool mine = modes[m].mode == 1 ? bit == line : bit == 2 * line + end;
               assert_int_equal(lround(as_float(out[modes[m].texel[line]][0]) * 255),
                                mine ? widen(1, modes[m].each + 1) : 0);
            }
         }
}

/* ---- fields of BC6H -------------------------------------------------------------------------- */

/* As the manual prints them: bits of the block, channel (r, g, b), endpoint (w, x, y, z), bits. */
static const struct bc6h_mode {
   unsigned code, lines, bits[3], delta[3]; /* delta 0: none */
   const char *fields;
} bc6h_modes[] = {
    {1,
     2,
     {7, 7, 7},
     {6, 6, 6},
     "2 gy[5], 4:3 gz[5:4], 11:5 rw[6:0], 13:12 bz[1:0], 14 by[4], 21:15 gw[6:0], 22 "
     "by[5], 23 bz[2], 24 gy[4], 31:25 bw[6:0], 32 bz[3], 33 bz[5], 34 bz[4], 40:35 "
     "rx[5:0], 44:41 gy[3:0], 50:45 gx[5:0], 54:51 gz[3:0], 60:55 bx[5:0], 64:61 "
     "by[3:0], 70:65 ry[5:0], 76:71 rz[5:0]"},
    {2,
     2,
     {11, 11, 11},
     {5, 4, 4},
     "14:5 rw[9:0], 24:15 gw[9:0], 34:25 bw[9:0], 39:35 rx[4:0], 40 rw[10], 44:41 "
     "gy[3:0], 48:45 gx[3:0], 49 gw[10], 50 bz[0], 54:51 gz[3:0], 58:55 bx[3:0], 59 "
     "bw[10], 60 bz[1], 64:61 by[3:0], 69:65 ry[4:0], 70 bz[2], 75:71 rz[4:0], 76 "
     "bz[3]"},
    {6,
     2,
     {11, 11, 11},
     {4, 5, 4},
     "14:5 rw[9:0], 24:15 gw[9:0], 34:25 bw[9:0], 38:35 rx[3:0], 39 rw[10], 40 gz[4], "
     "44:41 gy[3:0], 49:45 gx[4:0], 50 gw[10], 54:51 gz[3:0], 58:55 bx[3:0], 59 "
     "bw[10], 60 bz[1], 64:61 by[3:0], 68:65 ry[3:0], 69 bz[0], 70 bz[2], 74:71 "
     "rz[3:0], 75 gy[4], 76 bz[3]"},
    {10,
     2,
     {11, 11, 11},
     {4, 4, 5},
     "14:5 rw[9:0], 24:15 gw[9:0], 34:25 bw[9:0], 38:35 rx[3:0], 39 rw[10], 40 by[4], "
     "44:41 gy[3:0], 48:45 gx[3:0], 49 gw[10], 50 bz[0], 54:51 gz[3:0], 59:55 bx[4:0], "
     "60 bw[10], 64:61 by[3:0], 68:65 ry[3:0], 70:69 bz[2:1], 74:71 rz[3:0], 75 bz[4], "
     "76 bz[3]"},
    {18,
     2,
     {8, 8, 8},
     {6, 5, 5},
     "12:5 rw[7:0], 13 gz[4], 14 by[4], 22:15 gw[7:0], 23 bz[2], 24 gy[4], 32:25 "
     "bw[7:0], 34:33 bz[4:3], 40:35 rx[5:0], 44:41 gy[3:0], 49:45 gx[4:0], 50 bz[0], "
     "54:51 gz[3:0], 59:55 bx[4:0], 60 bz[1], 64:61 by[3:0], 70:65 ry[5:0], 76:71 "
     "rz[5:0]"},
    {22,
     2,
     {8, 8, 8},
     {5, 6, 5},
     "12:5 rw[7:0], 13 bz[0], 14 by[4], 22:15 gw[7:0], 23 gy[5], 24 gy[4], 32:25 "
     "bw[7:0], 33 gz[5], 34 bz[4], 39:35 rx[4:0], 40 gz[4], 44:41 gy[3:0], 50:45 "
     "gx[5:0], 54:51 gz[3:0], 59:55 bx[4:0], 60 bz[1], 64:61 by[3:0], 69:65 ry[4:0], "
     "70 bz[2], 75:71 rz[4:0], 76 bz[3]"},
    {26,
     2,
     {8, 8, 8},
     {5, 5, 6},
     "12:5 rw[7:0], 13 bz[1], 14 by[4], 22:15 gw[7:0], 23 by[5], 24 gy[4], 32:25 "
     "bw[7:0], 33 bz[5], 34 bz[4], 39:35 rx[4:0], 40 gz[4], 44:41 gy[3:0], 49:45 "
     "gx[4:0], 50 bz[0], 54:51 gz[3:0], 60:55 bx[5:0], 64:61 by[3:0], 69:65 ry[4:0], "
     "70 bz[2], 75:71 rz[4:0], 76 bz[3]"},
    {30,
     2,
     {6, 6, 6},
     {0, 0, 0},
     "10:5 rw[5:0], 11 gz[4], 13:12 bz[1:0], 14 by[4], 20:15 gw[5:0], 21 gy[5], 22 "
     "by[5], 23 bz[2], 24 gy[4], 30:25 bw[5:0], 31 gz[5], 32 bz[3], 33 bz[5], 34 "
     "bz[4], 40:35 rx[5:0], 44:41 gy[3:0], 50:45 gx[5:0], 54:51 gz[3:0], 60:55 "
     "bx[5:0], 64:61 by[3:0], 70:65 ry[5:0], 76:71 rz[5:0]"},
    {7,
     1,
     {11, 11, 11},
     {9, 9, 9},
     "14:5 rw[9:0], 24:15 gw[9:0], 34:25 bw[9:0], 43:35 rx[8:0], 44 rw[10], 53:45 "
     "gx[8:0], 54 gw[10], 63:55 bx[8:0], 64 bw[10]"},
    {11,
     1,
     {12, 12, 12},
     {8, 8, 8},
     "14:5 rw[9:0], 24:15 gw[9:0], 34:25 bw[9:0], 42:35 rx[7:0], 43 rw[11], 44 rw[10], "
     "52:45 gx[7:0], 53 gw[11], 54 gw[10], 62:55 bx[7:0], 63 bw[11], 64 bw[10]"}};

/* Puts endpoint values where the fields say. */
static void
place_fields(uint8_t *b, const char *fields, unsigned value[4][3])
{
   for (const char *f = fields; *f;) {
      unsigned high, low, from, to;
      char channel, end;
      int used = 0;
      if (sscanf(f, "%u:%u %c%c[%u:%u]%n", &high, &low, &channel, &end, &to, &from, &used) != 6 ||
          !used) {
         used = 0;
         assert_int_equal(sscanf(f, "%u %c%c[%u]%n", &low, &channel, &end, &from, &used), 4);
         high = low;
         to = from;
      }
      unsigned v = value[end - 'w'][channel == 'r' ? 0 : channel == 'g' ? 1 : 2];
      put(b, low, high - low + 1, v >> from & ((1u << (to - from + 1)) - 1));
      f += used;
      f += *f == ',';
      f += *f == ' ';
   }
}

static unsigned
unquantised(unsigned e, unsigned bits)
{
   return e == 0 ? 0 : e == (1u << bits) - 1 ? 0xffff : ((e << 16) + 0x8000) >> bits;
}

/* Indices of 0 and of the most show the endpoints of both lines; partition 13 is top and bottom. */
static void
check_bc6h_mode(const struct bc6h_mode *m, uint32_t *seed)
{
   unsigned value[4][3], endpoint[4][3];
   uint8_t b[16] = {0};
   uint16_t out[16][3];
   for (unsigned k = 0; k < 4; k++)
      for (unsigned c = 0; c < 3; c++) {
         *seed = *seed * 1664525 + 1013904223;
         unsigned bits = k && m->delta[c] ? m->delta[c] : m->bits[c], random = *seed >> 8;
         unsigned mask = (1u << m->bits[c]) - 1;
         value[k][c] = endpoint[k][c] = random & ((1u << bits) - 1);
         if (k && m->delta[c]) {
            unsigned sign = value[k][c] >> (bits - 1) & 1;
            endpoint[k][c] = (value[0][c] + value[k][c] - (sign << bits)) & mask;
         }
      }
   put(b, 0, 5, m->code);
   place_fields(b, m->fields, value);
   if (m->lines == 2)
      put(b, 77, 5, 13);
   /* Texels 2 and 10: the largest index. Texels 0 and, in line 1, 15 have a bit less. */
   unsigned first = m->lines == 2 ? 82 : 65, each = m->lines == 2 ? 3 : 4;
   put(b, first + 2 * each - 1, each, (1u << each) - 1);
   put(b, first + 10 * each - 1, each, (1u << each) - 1);
   codec_bc6h(b, false, out);
   for (unsigned c = 0; c < 3; c++) {
      const unsigned of[4] = {1, 2, 9, 10}; /* w, x, y, z */
      for (unsigned k = 0; k < 4; k++) {
         unsigned e = m->lines == 2 ? k : k & 1;
         assert_int_equal(out[of[k]][c],
                          (uint64_t)unquantised(endpoint[e][c], m->bits[c]) * 31 / 64);
      }
   }
}

/* A half that is no denormal, as a float. */
static float
half_value(unsigned h)
{
   return ldexpf((float)(1024 + (h & 1023)), (int)(h >> 10 & 31) - 25) * (h & 0x8000 ? -1 : 1);
}

/* Through the format: red, green, blue, and alpha 1. */
static void
bc6h_channels(void **state)
{
   proves("SMP-165");
   (void)state;
   for (unsigned is_signed = 0; is_signed < 2; is_signed++) {
      uint8_t b[16] = {0};
      uint16_t half[16][3];
      format_texel out[16];
      put(b, 0, 5, 3);
      for (unsigned c = 0; c < 3; c++)
         put(b, 5 + 10 * c, 10, is_signed ? 900 - 100 * c : 200 + 300 * c);
      codec_bc6h(b, is_signed, half);
      format_decode_block(format_get(is_signed ? 0x1a1 : 0x1a4), b, out);
      for (unsigned c = 0; c < 3; c++)
         assert_true(as_float(out[0][c]) == half_value(half[0][c]));
      assert_true(as_float(out[0][0]) != as_float(out[0][1]));
      assert_true((as_float(out[0][0]) < 0) == is_signed);
      assert_true(as_float(out[0][3]) == 1.0f);
   }
}

static void
bc6h_fields(void **state)
{
   proves("SMP-422", "SMP-423", "SMP-424", "SMP-425", "SMP-427", "SMP-428", "SMP-429", "SMP-430",
          "SMP-432", "SMP-433");
   uint32_t seed = 1;
   (void)state;
   for (unsigned round = 0; round < 50; round++)
      for (unsigned m = 0; m < sizeof(bc6h_modes) / sizeof(bc6h_modes[0]); m++)
         check_bc6h_mode(&bc6h_modes[m], &seed);
}

/* Three lines, partitions 32 to 63: all ones as indices, of which the fix-up texels lack a bit. */
static void
bc7_three_lines(void **state)
{
   proves("SMP-441");
   (void)state;
   static const struct {
      uint32_t lines;
      uint8_t fix[2];
   } partitions[32] = {
       {0xa9a58000, {8, 15}}, {0x5090a0a8, {15, 3}},  {0xa8a09050, {3, 15}}, {0x24242424, {5, 10}},
       {0x00aa5500, {6, 10}}, {0x24924924, {10, 8}},  {0x24499224, {8, 9}},  {0x50a50a50, {15, 10}},
       {0x500aa550, {15, 6}}, {0xaaaa4444, {3, 15}},  {0x66660000, {15, 8}}, {0xa5a0a5a0, {5, 15}},
       {0x50a050a0, {15, 3}}, {0x69286928, {15, 6}},  {0x44aaaa44, {15, 6}}, {0x66666600, {15, 8}},
       {0xaa444444, {3, 15}}, {0x54a854a8, {15, 3}},  {0x95809580, {5, 15}}, {0x96969600, {5, 15}},
       {0xa85454a8, {5, 15}}, {0x80959580, {8, 15}},  {0xaa141414, {5, 15}}, {0x96960000, {10, 15}},
       {0xaaaa1414, {5, 15}}, {0xa05050a0, {10, 15}}, {0xa0a5a5a0, {8, 15}}, {0x96000000, {13, 15}},
       {0x40804080, {15, 3}}, {0xa9a8a9a8, {12, 15}}, {0xaaaaaa44, {3, 15}}, {0x2a4a5254, {3, 8}}};
   for (unsigned p = 0; p < 32; p++) {
      uint8_t b[16] = {0};
      format_texel out[16];
      put(b, 2, 1, 1); /* mode 2 */
      put(b, 3, 6, 32 + p);
      for (unsigned k = 0; k < 3; k++)
         put(b, 9 + 10 * k + 5, 5, 10 * k + 11); /* red: from 0 to these */
      put(b, 99, 29, (1u << 29) - 1);
      format_decode_block(format_get(0x1a2), b, out);
      for (unsigned i = 0; i < 16; i++) {
         bool fix = !i || i == partitions[p].fix[0] || i == partitions[p].fix[1];
         int most = widen(10 * (partitions[p].lines >> 2 * i & 3) + 11, 5);
         assert_int_equal(lround(as_float(out[i][0]) * 255), fix ? (most * 21 + 32) >> 6 : most);
      }
   }
}

/* SMP-420 SMP-421 SMP-426 SMP-431 SMP-434 SMP-435 SMP-436 SMP-437 SMP-438: constant and graded
 * blocks of several modes. */
static void
bc6h(void **state)
{
   proves("SMP-420", "SMP-421", "SMP-426", "SMP-431", "SMP-434", "SMP-435", "SMP-436", "SMP-437",
          "SMP-438");
   (void)state;
   uint8_t b[16] = {0};
   uint16_t out[16][3];
   put(b, 0, 5, 3); /* mode 10: two 10-bit endpoints */
   static const unsigned e[2][3] = {{100, 200, 300}, {900, 0, 1023}};
   for (unsigned c = 0; c < 3; c++)
      put(b, 5 + 10 * c, 10, e[0][c]), put(b, 35 + 10 * c, 10, e[1][c]);
   for (unsigned i = 1; i < 16; i++)
      put(b, 64 + 4 * i, 4, i);
   codec_bc6h(b, false, out);
   static const int w4[16] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};
   for (unsigned i = 0; i < 16; i++)
      for (unsigned c = 0; c < 3; c++) {
         int64_t q[2];
         for (unsigned k = 0; k < 2; k++)
            q[k] = e[k][c] == 0 ? 0 : e[k][c] == 1023 ? 0xffff : (e[k][c] * 65536 + 0x8000) / 1024;
         assert_int_equal(out[i][c], ((q[0] * (64 - w4[i]) + q[1] * w4[i] + 32) / 64) * 31 / 64);
      }
   /* signed: 512 is the most negative of ten bits, -512 */
   put(b, 5, 10, 512), put(b, 35, 10, 512);
   codec_bc6h(b, true, out);
   assert_int_equal(out[0][0], 0x8000 | 0x7fff * 31 / 32);
   /* mode 13: 16 bits with reversed high bits, delta 0 */
   memset(b, 0, 16);
   put(b, 0, 5, 15);
   static const unsigned w[3] = {0xb3c5, 0x7ca3, 0xad5a};
   for (unsigned c = 0; c < 3; c++) {
      put(b, 5 + 10 * c, 10, w[c] & 1023);
      for (unsigned k = 0; k < 6; k++)
         put(b, 39 + 10 * c + k, 1, w[c] >> (15 - k) & 1);
   }
   codec_bc6h(b, false, out);
   for (unsigned i = 0; i < 16; i++)
      for (unsigned c = 0; c < 3; c++)
         assert_int_equal(out[i][c], (uint64_t)w[c] * 31 >> 6);
   /* mode 0: partition 13 splits top and bottom; y = w + delta, delta -3 in five bits, its top bit
    * far away */
   memset(b, 0, 16);
   put(b, 5, 10, 500);
   put(b, 65, 5, 29), put(b, 71, 5, 29); /* ry, rz = -3 */
   put(b, 77, 5, 13);
   codec_bc6h(b, false, out);
   for (unsigned i = 0; i < 16; i++) {
      unsigned v = i < 8 ? 500 : 497;
      assert_int_equal(out[i][0], ((v * 65536 + 0x8000) / 1024) * 31 / 64);
   }
   put(b, 5, 10, 1); /* SMP-436: 1 - 3 wraps at ten bits */
   codec_bc6h(b, false, out);
   assert_int_equal(out[15][0], ((1022 * 65536 + 0x8000) / 1024) * 31 / 64);
   put(b, 0, 5, 0x1f); /* a reserved mode is black */
   codec_bc6h(b, false, out);
   assert_int_equal(out[3][0], 0);
}

/* SMP-453 SMP-454 SMP-167: both halves, both splits, four shades in their places. */
static void
etc1(void **state)
{
   proves("SMP-453", "SMP-454", "SMP-167");
   (void)state;
   for (unsigned flip = 0; flip < 2; flip++) {
      uint8_t b[8] = {0};
      put(b, 4, 4, 8), put(b, 0, 4, 3);   /* red 8 and 3 of 15 */
      put(b, 29, 3, 2), put(b, 26, 3, 0); /* tables (9, 29) and (2, 8) */
      put(b, 24, 1, flip);
      for (unsigned x = 0; x < 4; x++)
         for (unsigned y = 0; y < 4; y++) {
            unsigned k = 4 * x + y, index = (x + y) % 4;
            put(b, k >= 8 ? 32 + k - 8 : 40 + k, 1, index >> 1);
            put(b, k >= 8 ? 48 + k - 8 : 56 + k, 1, index & 1);
         }
      for (unsigned y = 0; y < 4; y++)
         for (unsigned x = 0; x < 4; x++) {
            bool second = (flip ? y : x) >= 2;
            static const int d[2][4] = {{9, 29, -9, -29}, {2, 8, -2, -8}};
            int base = second ? 3 * 17 : 8 * 17, v = d[second][(x + y) % 4];
            int dark = v < 0 ? 0 : v;
            expect8(0x1a9, b, 4 * y + x, base + v, dark, dark, 255);
         }
   }
   uint8_t b[8] = {0}; /* differential: 20 and 20 - 3 */
   put(b, 25, 1, 1), put(b, 3, 5, 20), put(b, 0, 3, 5);
   expect8(0x1a9, b, 0, widen(20, 5) + 2, 2, 2, 255);
   expect8(0x1a9, b, 3, widen(17, 5) + 2, 2, 2, 255);
}

/* SMP-455 SMP-456 SMP-457 SMP-458 SMP-459 SMP-169: the modes that overflow selects, and holes. */
static void
etc2(void **state)
{
   proves("SMP-455", "SMP-456", "SMP-457", "SMP-458", "SMP-459", "SMP-169");
   (void)state;
   uint8_t b[8] = {0};
   put(b, 25, 1, 1);
   put(b, 3, 5, 31), put(b, 0, 3, 3); /* red 31 + 3: T mode; its bits 4:3 and 1:0 are R0 = 15 */
   put(b, 20, 4, 5), put(b, 16, 4, 6), put(b, 28, 4, 7); /* C1 = 5, 6, 7 */
   put(b, 26, 2, 1), put(b, 24, 1, 1);                   /* distance index 3: 16 */
   put(b, 40, 1, 0), put(b, 56, 1, 1);                   /* texel (0,0): 1 */
   put(b, 41, 1, 1), put(b, 57, 1, 1);                   /* texel (0,1), second row: 3 */
   put(b, 42, 1, 1);                                     /* third row: 2 */
   expect8(0x1aa, b, 0, 85 + 16, 102 + 16, 119 + 16, 255);
   expect8(0x1aa, b, 4, 85 - 16, 102 - 16, 119 - 16, 255);
   expect8(0x1aa, b, 8, 85, 102, 119, 255);
   expect8(0x1aa, b, 12, 255, 0, 0, 255);
   expect8(0x1c0, b, 8, 85, 102, 119, 255); /* opaque */
   put(b, 25, 1, 0);
   expect8(0x1c0, b, 8, 0, 0, 0, 0); /* punch-through: index 2 is a hole */
   expect8(0x1c0, b, 12, 255, 0, 0, 255);
   memset(b, 0, 8); /* planar: blue overflows */
   put(b, 25, 1, 1), put(b, 16, 3, 4), put(b, 19, 5, 0);
   put(b, 1, 6, 63);                   /* red 255 at the origin */
   put(b, 26, 5, 0), put(b, 24, 1, 0); /* 0 at the right */
   put(b, 40, 3, 7), put(b, 53, 3, 7); /* 255 below */
   format_texel out[16];
   format_decode_block(format_get(0x1aa), b, out);
   for (int y = 0; y < 4; y++)
      for (int x = 0; x < 4; x++) {
         int red = (x * (0 - 255) + y * 0 + 4 * 255 + 2) >> 2;
         assert_int_equal(lround(as_float(out[4 * y + x][0]) * 255), red);
      }
   memset(b, 0, 8); /* H: green overflows, red does not */
   put(b, 25, 1, 1);
   put(b, 8, 3, 3), put(b, 11, 5, 31); /* G: 31 + 3; these bits are also G0[0], B0 */
   put(b, 3, 4, 9);                    /* R0 = 9 */
   put(b, 19, 4, 2);                   /* R1 = 2 */
   format_decode_block(format_get(0x1aa), b, out);
   int d = 6; /* di = 0 0 and C0 >= C1: index 1 */
   assert_int_equal(lround(as_float(out[0][0]) * 255), 9 * 17 + d);
}

/* ---- ETC from the other end: bits of a big-endian word, as Khronos numbers them ------------- */

static unsigned
from(uint64_t w, unsigned high, unsigned low)
{
   return (unsigned)(w >> low & ((UINT64_C(1) << (high - low + 1)) - 1));
}

static int
to_byte(int v)
{
   return v < 0 ? 0 : v > 255 ? 255 : v;
}

static void
etc_oracle(uint64_t w, bool punch, int out[16][4])
{
   static const int big[8] = {8, 17, 29, 42, 60, 80, 106, 183},
                    small[8] = {2, 5, 9, 13, 18, 24, 33, 47};
   static const int distances[8] = {3, 6, 11, 16, 23, 32, 41, 64};
   bool diff = from(w, 33, 33), holes = punch && !diff;
   int colour[2][3], paint[4][3], o[3], h[3], v[3];
   enum { SHADES, T, H, PLANAR } mode = SHADES;
   for (unsigned c = 0; c < 3; c++) {
      unsigned top = 63 - 8 * c;
      int first = (int)from(w, top, top - 4), step = (int)from(w, top - 5, top - 7);
      int second = first + (step > 3 ? step - 8 : step);
      if (!diff && !punch) {
         colour[0][c] = (int)from(w, top, top - 3) * 17;
         colour[1][c] = (int)from(w, top - 4, top - 7) * 17;
         continue;
      }
      if (mode == SHADES && (second < 0 || second > 31))
         mode = (unsigned[]){T, H, PLANAR}[c];
      colour[0][c] = widen((unsigned)first, 5);
      colour[1][c] = widen((unsigned)second & 31, 5);
   }
   if (mode == T) {
      unsigned a[3] = {from(w, 60, 59) * 4 + from(w, 57, 56), from(w, 55, 52), from(w, 51, 48)};
      unsigned e[3] = {from(w, 47, 44), from(w, 43, 40), from(w, 39, 36)};
      int d = distances[from(w, 35, 34) * 2 + from(w, 32, 32)];
      for (unsigned c = 0; c < 3; c++) {
         paint[0][c] = (int)a[c] * 17;
         for (int k = 1; k < 4; k++)
            paint[k][c] = (int)e[c] * 17 + d * (2 - k);
      }
   } else if (mode == H) {
      unsigned a[3] = {from(w, 62, 59), from(w, 58, 56) * 2 + from(w, 52, 52),
                       from(w, 51, 51) * 8 + from(w, 49, 47)};
      unsigned e[3] = {from(w, 46, 43), from(w, 42, 39), from(w, 38, 35)};
      bool more = a[0] * 256 + a[1] * 16 + a[2] >= e[0] * 256 + e[1] * 16 + e[2];
      int d = distances[from(w, 34, 34) * 4 + from(w, 32, 32) * 2 + more];
      for (unsigned c = 0; c < 3; c++)
         for (int k = 0; k < 4; k++)
            paint[k][c] = (int)(k < 2 ? a[c] : e[c]) * 17 + (k & 1 ? -d : d);
   } else if (mode == PLANAR) {
      o[0] = widen(from(w, 62, 57), 6), h[0] = widen(from(w, 38, 34) * 2 + from(w, 32, 32), 6);
      o[1] = widen(from(w, 56, 56) * 64 + from(w, 54, 49), 7), h[1] = widen(from(w, 31, 25), 7);
      o[2] = widen(from(w, 48, 48) * 32 + from(w, 44, 43) * 8 + from(w, 41, 39), 6);
      h[2] = widen(from(w, 24, 19), 6);
      v[0] = widen(from(w, 18, 13), 6), v[1] = widen(from(w, 12, 6), 7);
      v[2] = widen(from(w, 5, 0), 6);
   }
   for (unsigned k = 0; k < 16; k++) {
      int x = (int)k / 4, y = (int)k % 4, *to = out[4 * y + x];
      unsigned index = from(w, 16 + k, 16 + k) * 2 + from(w, k, k);
      bool second = from(w, 32, 32) ? y > 1 : x > 1;
      unsigned table = second ? from(w, 36, 34) : from(w, 39, 37);
      int step = index & 1 ? big[table] : holes ? 0 : small[table];
      to[3] = 255;
      for (unsigned c = 0; c < 3; c++)
         to[c] =
             to_byte(mode == PLANAR   ? (x * (h[c] - o[c]) + y * (v[c] - o[c]) + 4 * o[c] + 2) >> 2
                     : mode == SHADES ? colour[second][c] + (index > 1 ? -step : step)
                                      : paint[index][c]);
      if (holes && index == 2 && mode != PLANAR)
         memset(to, 0, 4 * sizeof(to[0]));
   }
}

static void
big_endian(uint64_t w, uint8_t b[8])
{
   for (unsigned i = 0; i < 8; i++)
      b[i] = (uint8_t)(w >> (56 - 8 * i));
}

static uint64_t
random_word(uint64_t *seed)
{
   *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
   return *seed ^ *seed >> 29;
}

static void
etc_agrees_with_the_oracle(void **state)
{
   proves("SMP-453", "SMP-454", "SMP-455", "SMP-456", "SMP-457", "SMP-458", "SMP-459");
   (void)state;
   uint64_t seed = 1;
   for (unsigned n = 0; n < 40000; n++) {
      uint64_t w = random_word(&seed);
      uint8_t b[8], out[16][4];
      int expect[16][4];
      bool punch = n & 1;
      big_endian(w, b);
      codec_etc(b, punch ? CODEC_ETC_2_PUNCH : CODEC_ETC_2, out);
      etc_oracle(w, punch, expect);
      for (unsigned i = 0; i < 16; i++)
         for (unsigned c = 0; c < 4; c++)
            assert_int_equal(out[i][c], expect[i][c]);
   }
}

static void
eac_agrees_with_the_oracle(void **state)
{
   proves("SMP-460", "SMP-461", "SMP-462");
   (void)state;
   static const int table[16][8] = {{-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12},
                                    {-2, -5, -8, -13, 1, 4, 7, 12}, {-2, -4, -6, -13, 1, 3, 5, 12},
                                    {-3, -6, -8, -12, 2, 5, 7, 11}, {-3, -7, -9, -11, 2, 6, 8, 10},
                                    {-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10},
                                    {-2, -6, -8, -10, 1, 5, 7, 9},  {-2, -5, -8, -10, 1, 4, 7, 9},
                                    {-2, -4, -8, -10, 1, 3, 7, 9},  {-2, -5, -7, -10, 1, 4, 6, 9},
                                    {-3, -4, -7, -10, 2, 3, 6, 9},  {-1, -2, -3, -10, 0, 1, 2, 9},
                                    {-4, -6, -8, -9, 3, 5, 7, 8},   {-3, -5, -7, -9, 2, 4, 6, 8}};
   uint64_t seed = 2;
   for (unsigned n = 0; n < 4000; n++) {
      uint64_t w = random_word(&seed);
      uint8_t b[8], eight[16];
      int16_t eleven[2][16];
      big_endian(w, b);
      codec_eac8(b, eight);
      codec_eac11(b, false, eleven[0]);
      codec_eac11(b, true, eleven[1]);
      for (unsigned k = 0; k < 16; k++) {
         unsigned at = 4 * (k % 4) + k / 4;
         int step = table[from(w, 51, 48)][from(w, 47 - 3 * k, 45 - 3 * k)], m = from(w, 55, 52);
         int base = from(w, 63, 56), whole = m ? 8 * m * step : step, v = 8 * base + 4 + whole;
         assert_int_equal(eight[at], to_byte(base + m * step));
         assert_int_equal(eleven[0][at], v < 0 ? 0 : v > 2047 ? 2047 : v);
         v = (base < 128 ? base : base == 128 ? -127 : base - 256) * 8 + whole;
         assert_int_equal(eleven[1][at], v < -1023 ? -1023 : v > 1023 ? 1023 : v);
      }
   }
}

/* SMP-460 SMP-461 SMP-462 SMP-168 SMP-170: eleven bits, signed and not; alpha of ETC2. */
static void
eac(void **state)
{
   proves("SMP-460", "SMP-461", "SMP-462", "SMP-168", "SMP-170");
   (void)state;
   uint8_t b[16] = {0};
   format_texel out[16];
   b[0] = 100, b[1] = 3 << 4 | 13; /* multiplier 3, table 13: -1 -2 -3 -10 */
   b[2] = 0x05 << 0, b[3] = 0x39,
   b[4] = 0x77; /* indices, big endian: 000 001 010 011 100 101 110 111 … */
   static const int m[8] = {-1, -2, -3, -10, 0, 1, 2, 9};
   format_decode_block(format_get(0x1ab), b, out);
   for (unsigned k = 0; k < 8; k++) /* down the columns */
      assert_true(fabs(as_float(out[4 * (k % 4) + k / 4][0]) - (100 * 8 + 4 + m[k] * 24) / 2047.0) <
                  1e-6);
   b[0] = 0x80; /* -128 counts as -127 */
   format_decode_block(format_get(0x1ad), b, out);
   for (unsigned k = 0; k < 8; k++) {
      int v = -127 * 8 + m[k] * 24;
      assert_true(fabs(as_float(out[4 * (k % 4) + k / 4][0]) - (v < -1023 ? -1023 : v) / 1023.0) <
                  1e-6);
   }
   b[0] = 100, b[1] = 13; /* multiplier 0 */
   format_decode_block(format_get(0x1ab), b, out);
   assert_true(fabs(as_float(out[0][0]) - (804 - 1) / 2047.0) < 1e-6);
   b[1] = 3 << 4 | 13;
   for (unsigned k = 0; k < 8; k++)
      expect8(0x1c2, b, 4 * (k % 4) + k / 4, 2, 2, 2, 100 + 3 * m[k]);
}

/* SMP-411: every bit of every channel of the four colours stands in its own place. */
static void
fxt1_chroma(void **state)
{
   proves("SMP-411");
   (void)state;
   for (unsigned bit = 0; bit < 60; bit++) {
      uint8_t b[16] = {0};
      put(b, 125, 3, 2);
      put(b, 64 + bit, 1, 1);
      for (unsigned n = 0; n < 32; n++)
         put(b, 2 * n, 2, n * 7 % 4);
      int value = widen(1u << bit % 5, 5);
      for (unsigned n = 0; n < 32; n++) {
         bool here = n * 7 % 4 == bit / 15;
         unsigned channel = 2 - bit % 15 / 5; /* blue is the lowest */
         expect8(0x192, b, n % 16 / 4 * 8 + n / 16 * 4 + n % 4, here && channel == 0 ? value : 0,
                 here && channel == 1 ? value : 0, here && channel == 2 ? value : 0, 255);
      }
   }
}

static void
fxt1(void **state)
{
   proves("SMP-409", "SMP-410", "SMP-412", "SMP-413", "SMP-163");
   (void)state;
   uint8_t b[16] = {0};
   put(b, 106, 5, 31), put(b, 116, 5, 31); /* CC_HI: C0 red, C1 green */
   for (unsigned n = 0; n < 32; n++)
      put(b, 3 * n, 3, n % 8);
   for (unsigned n = 0; n < 32; n++) {
      unsigned at = n % 16 / 4 * 8 + n / 16 * 4 + n % 4;
      int k = (int)n % 8;
      if (k == 7)
         expect8(0x192, b, at, 0, 0, 0, 0);
      else
         expect8(0x192, b, at, ((6 - k) * 255 + 3) / 6, (k * 255 + 3) / 6, 0, 255);
   }
   memset(b, 0, 16);
   put(b, 125, 3, 2); /* CC_CHROMA */
   for (unsigned c = 0; c < 4; c++)
      put(b, 64 + 15 * c + 10, 5, 5 * c + 3);
   for (unsigned n = 0; n < 32; n++)
      put(b, 2 * n, 2, n % 4);
   for (unsigned n = 0; n < 32; n++)
      expect8(0x192, b, n % 16 / 4 * 8 + n / 16 * 4 + n % 4, widen(5 * (n % 4) + 3, 5), 0, 0, 255);
   put(b, 125, 3, 4); /* CC_MIXED, no alpha: left half colours 0, 1; right half 2, 3 */
   for (unsigned n = 0; n < 32; n++) {
      int a = widen(n < 16 ? 3 : 13, 5), e = widen(n < 16 ? 8 : 18, 5), k = (int)n % 4;
      format_texel out[32];
      format_decode_block(format_get(0x192), b, out);
      int want = k == 0 ? a : k == 3 ? e : k == 1 ? (2 * a + e + 1) / 3 : (a + 2 * e + 1) / 3;
      assert_int_equal(lround(as_float(out[n % 16 / 4 * 8 + n / 16 * 4 + n % 4][0]) * 255), want);
   }
   put(b, 124, 1, 1);
   expect8(0x192, b, 3, 0, 0, 0, 0);
   memset(b, 0, 16);
   put(b, 125, 3, 3); /* CC_ALPHA */
   put(b, 109, 5, 31), put(b, 114, 5, 16), put(b, 64 + 10, 5, 31);
   for (unsigned n = 0; n < 32; n++)
      put(b, 2 * n, 2, n % 4);
   expect8(0x192, b, 0, 255, 0, 0, 255);
   expect8(0x192, b, 1, 0, 0, 0, widen(16, 5));
   expect8(0x192, b, 3, 0, 0, 0, 0);
   put(b, 124, 1, 1); /* LERP: left from C0 to C1 */
   expect8(0x192, b, 1, (2 * 255 + 1) / 3, 0, 0, (2 * 255 + widen(16, 5) + 1) / 3);
   expect8(0x192, b, 3, 0, 0, 0, widen(16, 5));
}

/* Any bytes give finite texels or the ones that the format allows, and no access past the block. */
static void
any_bytes(void **state)
{
   (void)state;
   uint32_t seed = 1;
   unsigned formats = 0;
   for (unsigned code = 0; code < 512; code++) {
      const struct format_info *f = format_get(code);
      if (f->layout != FORMAT_BLOCK)
         continue;
      formats++;
      for (unsigned n = 0; n < 2000; n++) {
         uint8_t b[16];
         format_texel out[32];
         for (unsigned i = 0; i < 16; i++) {
            seed = seed * 1664525u + 1013904223u;
            b[i] = (uint8_t)(seed >> 24);
         }
         format_decode_block(f, b, out);
         for (unsigned i = 0; i < (unsigned)f->block_w * f->block_h; i++)
            for (unsigned c = 0; c < 4; c++) {
               float v = as_float(out[i][c]);
               assert_true(v >= -65504.0f && v <= 65504.0f);
               if (code != 0x1a1 && code != 0x1a4)
                  assert_true(v >= -1.0f && v <= 1.0f);
            }
      }
   }
   assert_int_equal(formats, 28);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(bc1),
       cmocka_unit_test(bc2_bc3),
       cmocka_unit_test(bc4_bc5),
       cmocka_unit_test(bc7_one_line),
       cmocka_unit_test(bc7_partitions),
       cmocka_unit_test(bc7_p_bits),
       cmocka_unit_test(bc6h),
       cmocka_unit_test(bc6h_channels),
       cmocka_unit_test(bc6h_fields),
       cmocka_unit_test(bc7_three_lines),
       cmocka_unit_test(etc1),
       cmocka_unit_test(etc2),
       cmocka_unit_test(etc_agrees_with_the_oracle),
       cmocka_unit_test(eac),
       cmocka_unit_test(eac_agrees_with_the_oracle),
       cmocka_unit_test(fxt1),
       cmocka_unit_test(fxt1_chroma),
       cmocka_unit_test(any_bytes),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
