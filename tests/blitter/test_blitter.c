/* What the manual says about the 2D engine, case by case, with the values written out. */
#include "stand.h"
#include "tests/proves.h"

#define DST (STAND_BASE + 0x10000)
#define SRC (STAND_BASE + 0x40000)
#define PAT (STAND_BASE + 0x80000)
#define P64 PITCH(64)
#define P256 PITCH(256)

static void
put(struct stand *s, uint32_t address, const void *data, unsigned size)
{
   for (unsigned i = 0; i < size; i++)
      *stand_byte(s, address + i) = ((const uint8_t *)data)[i];
}

/* A linear 8 bpp picture of 16 by 4 as text: '.' is 0. */
static void
expect(struct stand *s, uint32_t address, unsigned pitch, const char *const *lines, unsigned height)
{
   for (unsigned y = 0; y < height; y++)
      for (unsigned x = 0; lines[y][x]; x++) {
         uint8_t want = lines[y][x] == '.' ? 0 : (uint8_t)lines[y][x];
         uint8_t is = *stand_byte(s, address + y * pitch + x);
         if (is != want)
            fail_msg("pixel %u,%u is 0x%02x and not 0x%02x", x, y, is, want);
      }
}
#define EXPECT(s, ...)                                                                             \
   do {                                                                                            \
      const char *const expect_lines[] = {__VA_ARGS__};                                            \
      expect(s, DST, 64, expect_lines, sizeof(expect_lines) / sizeof(expect_lines[0]));            \
   } while (0)

struct counts {
   unsigned reads, writes;
   uint64_t last_address, last_bytes;
};

static void
observe(void *data, const struct pergola_event *e)
{
   struct counts *n = data;
   *(e->flags & 1 ? &n->writes : &n->reads) += 1;
   n->last_address = e->a;
   n->last_bytes = e->b;
   assert_string_equal(e->engine, "BCS");
}

static void
color(struct stand *s, uint32_t dw0, uint32_t br13, uint32_t c1, uint32_t c2, uint32_t value)
{
   RUN(s, OP(0x50) | dw0, br13, c1, c2, DST, value);
}

/* BLT-030, BLT-056: the far edges are exclusive; empty rectangles draw nothing. */
static void
rectangle_edges(void **state)
{
   proves("BLT-030", "BLT-056");
   struct stand *s = *state;
   color(s, 0, ROP(0xf0) | P64, XY(2, 1), XY(5, 3), 'a');
   EXPECT(s, "........", "..aaa...", "..aaa...", "........");
   uint64_t before = pergola_time_ns(s->dev);
   color(s, 0, ROP(0xf0) | P64, XY(5, 1), XY(5, 3), 'b');
   color(s, 0, ROP(0xf0) | P64, XY(5, 3), XY(7, 1), 'b');
   color(s, 0, ROP(0xf0) | P64, XY(5, 1), XY(7, 1), 'b');
   EXPECT(s, "........", "..aaa...", "..aaa...", "........");
   assert_int_equal(pergola_time_ns(s->dev), before); /* no lines */
   assert_int_equal(s->seen[0], 0);                   /* nothing to complain about */
}

static void
linear_commands_of_no_size(void **state)
{
   proves("BLT-031");
   struct stand *s = *state;
   uint64_t before = pergola_time_ns(s->dev);
   RUN(s, OP(0x40) | CHANNELS, ROP(0xf0) | P64, XY(0, 4), DST, 0xff);
   RUN(s, OP(0x40) | CHANNELS, ROP(0xf0) | P64, XY(4, 0), DST, 0xff);
   RUN(s, OP(0x43) | CHANNELS, ROP(0xcc) | P64, XY(0, 0), DST, 64, SRC);
   assert_int_equal(stand_difference(s), 0); /* the oracle's memory is still all zeros */
   assert_int_equal(pergola_time_ns(s->dev), before);
   RUN(s, OP(0x40) | CHANNELS, ROP(0xf0) | P64, XY(3, 2), DST, 'x');
   EXPECT(s, "xxx.", "xxx.", "....");
}

/* BLT-032, BLT-044: the seeds and the destination coordinates choose the pattern's pixel. */
static void
color_pattern_and_seeds(void **state)
{
   proves("BLT-032", "BLT-044", "BLT-037", "BLT-065");
   struct stand *s = *state;
   char pattern[65] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-";
   put(s, PAT, pattern, 64);
   RUN(s, OP(0x51), ROP(0xf0) | P64, XY(0, 0), XY(10, 9), DST, PAT);
   EXPECT(s, "abcdefghab.", "ijklmnopij.", "qrstuvwxqr.", "yzABCDEFyz.", "GHIJKLMNGH.",
          "OPQRSTUVOP.", "WXYZ0123WX.", "456789+-45.");
   assert_int_equal(*stand_byte(s, DST + 8 * 64 + 1), 'b'); /* line 8 is line 0 again */
   RUN(s, OP(0x51) | 3u << 12 | 2u << 8, ROP(0xf0) | P64, XY(0, 0), XY(8, 2), DST, PAT);
   EXPECT(s, "tuvwxqrs", "BCDEFyzA"); /* from column 3, row 2 on */
   RUN(s, OP(0x51), ROP(0xf0) | P64, XY(2, 1), XY(4, 2), DST, PAT);
   assert_int_equal(*stand_byte(s, DST + 64 + 2), 'k'); /* by coordinate, not by corner */
}

/* BLT-033, BLT-045, BLT-076: bit 7 is column 0; a solid pattern is the background. */
static void
mono_pattern(void **state)
{
   proves("BLT-033", "BLT-045", "BLT-076", "BLT-032");
   struct stand *s = *state;
   RUN(s, OP(0x52), ROP(0xf0) | P64, XY(0, 0), XY(8, 2), DST, '-', '#', 0x00000381, 0);
   EXPECT(s, "#------#", "------##");
   static const uint8_t lines[8] = {0x01, 0x82, 0x44, 0x28, 0x10, 0x2a, 0x46, 0x83};
   RUN(s, OP(0x52), ROP(0xf0) | P64, XY(0, 0), XY(8, 8), DST, 0, 1, 0x28448201, 0x83462a10);
   for (unsigned i = 0; i < 64; i++)
      assert_int_equal(*stand_byte(s, DST + i / 8 * 64 + i % 8), lines[i / 8] >> (7 - i % 8) & 1);
   RUN(s, OP(0x52), ROP(0xf0) | P64, XY(0, 0), XY(8, 2), DST, '-', '#', 0x00000381, 0);
   uint32_t solid = 1u << 31;
   RUN(s, OP(0x57), solid | ROP(0xf0) | P64, XY(0, 0), XY(4, 1), DST, 64, XY(0, 0), SRC, 'b', 'f',
       ~0u, ~0u);
   EXPECT(s, "bbbb---#");
   assert_false(stand_saw(s, "BLT-076"));
   RUN(s, OP(0x57), solid | 1u << 28 | ROP(0xf0) | P64, XY(0, 0), XY(4, 1), DST, 64, XY(0, 0), SRC,
       'x', 'y', ~0u, ~0u);
   EXPECT(s, "bbbb---#");
   assert_true(stand_saw(s, "BLT-076"));
}

static void
fixed_patterns(void **state)
{
   proves("BLT-034");
   struct stand *s = *state;
   static const struct {
      unsigned number;
      uint8_t lines[8];
   } rows[] = {
       {0, {0, 0, 0, 0xff, 0, 0, 0, 0}},
       {1, {8, 8, 8, 8, 8, 8, 8, 8}},
       {2, {0x80, 0x40, 0x20, 0x10, 8, 4, 2, 1}},
       {3, {1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80}},
       {4, {8, 8, 8, 0xff, 8, 8, 8, 8}},
       {5, {0x81, 0x42, 0x24, 0x18, 0x18, 0x24, 0x42, 0x81}},
       {8, {0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa}},
       {9, {0xcc, 0x33, 0xcc, 0x33, 0xcc, 0x33, 0xcc, 0x33}},
       {10, {0x88, 0x44, 0x22, 0x11, 0x88, 0x44, 0x22, 0x11}},
       {11, {0x77, 0xbb, 0xdd, 0xee, 0x77, 0xbb, 0xdd, 0xee}},
   };
   for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      RUN(s, OP(0x59) | rows[i].number << 15, ROP(0xf0) | P64, XY(0, 0), XY(8, 8), DST, 0, 1);
      for (unsigned y = 0; y < 8; y++)
         for (unsigned x = 0; x < 8; x++)
            assert_int_equal(*stand_byte(s, DST + y * 64 + x), rows[i].lines[y] >> (7 - x) & 1);
   }
   assert_false(stand_saw(s, "BLT-034"));
   RUN(s, OP(0x59) | 7u << 15, ROP(0xf0) | P64, XY(0, 0), XY(8, 8), DST, 0, 1);
   assert_true(stand_saw(s, "BLT-034"));
   assert_int_equal(*stand_byte(s, DST), 0);
}

/* BLT-035, BLT-046: lines of whole words, from the start bit on; clipped bits are passed over. */
static void
mono_source(void **state)
{
   proves("BLT-035", "BLT-046", "BLT-036");
   struct stand *s = *state;
   const uint8_t bits[] = {0x2c, 0xff, 0x90, 0xff, 0x70, 0x00};
   put(s, SRC, bits, sizeof(bits));
   RUN(s, OP(0x54) | 2u << 17, ROP(0xcc) | P64, XY(0, 0), XY(4, 3), DST, SRC, '-', '#');
   EXPECT(s, "#-##", "-#--", "##--"); /* bits 2 to 5 of 2c, 90 and 70 */
   RUN(s, OP(0x54) | 2u << 17, ROP(0xcc) | P64, XY(-1, -1), XY(3, 2), DST, SRC, '-', '#');
   EXPECT(s, "#--#", "#---"); /* the first column and line fall away */
   RUN(s, OP(0x71), ROP(0xcc) | P64, XY(0, 0), XY(8, 2), DST, '-', '#', 0xffaa0055, 0);
   EXPECT(s, "-#-#-#-#", "#-#-#-#-"); /* bytes 0 and 2: the second line starts on a word */
   /* the ninth bit is alone in its byte, and the line before it had the other value there */
   for (unsigned bit = 0; bit < 2; bit++) {
      const uint8_t other[2] = {0, bit ? 0 : 0xff}, nine[2] = {0, bit ? 0x80 : 0};
      put(s, SRC, other, 2);
      RUN(s, OP(0x54), ROP(0xcc) | P64, XY(0, 0), XY(16, 1), DST, SRC, '-', '#');
      put(s, SRC, nine, 2);
      RUN(s, OP(0x54), ROP(0xcc) | P64, XY(0, 0), XY(9, 1), DST, SRC, '-', '#');
      assert_int_equal(*stand_byte(s, DST + 8), bit ? '#' : '-');
   }
}

static void
depths_and_colors(void **state)
{
   proves("BLT-036", "BLT-040");
   struct stand *s = *state;
   color(s, 0, DEPTH(0) | ROP(0xf0) | P64, XY(0, 0), XY(2, 1), 0x11223344);
   assert_int_equal(stand_pixel(s, DST, 4), 0x00004444);
   color(s, 0, DEPTH(1) | ROP(0xf0) | P64, XY(0, 1), XY(2, 2), 0x11223344);
   assert_int_equal(stand_pixel(s, DST + 64, 4), 0x33443344);
   color(s, 0, DEPTH(2) | ROP(0xf0) | P64, XY(0, 2), XY(1, 3), 0x11223344);
   assert_int_equal(stand_pixel(s, DST + 128, 4), 0x00003344);
   color(s, CHANNELS, DEPTH(3) | ROP(0xf0) | P64, XY(1, 3), XY(2, 4), 0x11223344);
   assert_int_equal(stand_pixel(s, DST + 192 + 4, 4), 0x11223344);
   assert_int_equal(stand_pixel(s, DST + 192, 4), 0);
}

/* BLT-037: an operand without effect is not read, so its address may be nowhere. */
static void
unused_operands_are_not_read(void **state)
{
   proves("BLT-037");
   struct stand *s = *state;
   RUN(s, OP(0x55), ROP(0xf0) | P64, XY(0, 0), XY(8, 2), DST, 64, XY(0, 0), 0x7f000000, PAT);
   RUN(s, OP(0x55), ROP(0xcc) | P64, XY(0, 0), XY(8, 2), DST, 64, XY(0, 0), SRC, 0x7f000000);
   assert_int_equal(pergola_diagnostic_count(s->dev, PERGOLA_ERROR), 0);
   RUN(s, OP(0x55), ROP(0xcc) | P64, XY(0, 0), XY(8, 2), DST, 64, XY(0, 0), 0x7f000000, PAT);
   assert_true(pergola_diagnostic_count(s->dev, PERGOLA_ERROR) > 0); /* the page fault */
   struct counts n = {0};
   pergola_add_observer(s->dev, 1u << PERGOLA_EVENT_MEMORY, observe, &n);
   color(s, 0, ROP(0xf0) | P64, XY(0, 0), XY(8, 2), 'a'); /* neither source nor destination */
   assert_int_equal(n.writes, 2);
   assert_int_equal(n.reads, 0);
   color(s, 0, ROP(0x5a) | P64, XY(0, 0), XY(8, 2), 'a');
   assert_int_equal(n.reads, 2);
}

static void
operands_that_the_command_lacks(void **state)
{
   proves("BLT-038");
   struct stand *s = *state;
   color(s, 0, ROP(0x5a) | P64, XY(0, 0), XY(4, 1), 'a');
   assert_false(stand_saw(s, "BLT-038"));
   EXPECT(s, "aaaa");
   color(s, 0, ROP(0xfc) | P64, XY(0, 0), XY(4, 1), 'b'); /* P or S */
   assert_true(stand_saw(s, "BLT-038"));
   EXPECT(s, "bbbb");
   stand_forget(s);
   RUN(s, OP(0x53), ROP(0xcc) | P64, XY(0, 0), XY(4, 1), DST, XY(0, 0), 64, SRC);
   assert_false(stand_saw(s, "BLT-038"));
   RUN(s, OP(0x53), ROP(0xc0) | P64, XY(0, 0), XY(4, 1), DST, XY(0, 0), 64, SRC); /* P and S */
   assert_true(stand_saw(s, "BLT-038"));
   put(s, SRC, "wxyz", 4);
   color(s, 0, ROP(0x5a) | P64, XY(0, 0), XY(4, 1), 0xff);                        /* a pattern */
   RUN(s, OP(0x53), ROP(0xfc) | P64, XY(0, 0), XY(4, 1), DST, XY(0, 0), 64, SRC); /* P or S */
   EXPECT(s, "wxyz"); /* the pattern that is not there is zeros, not the last one */
}

/* BLT-039: codes that people know by their formula. */
static void
named_raster_operations(void **state)
{
   proves("BLT-039");
   struct stand *s = *state;
   const uint32_t p = 0x0f0f55aa, c = 0x33cc1278, d = 0x5566f00f;
   const struct {
      uint8_t code;
      uint32_t result;
   } rows[] = {
       {0x00, 0},
       {0xff, ~0u},
       {0xf0, p},
       {0x0f, ~p},
       {0xcc, c},
       {0x33, ~c},
       {0xaa, d},
       {0x55, ~d},
       {0x88, c & d},
       {0xee, c | d},
       {0x66, c ^ d},
       {0x44, c & ~d},
       {0x22, ~c & d},
       {0xbb, ~c | d},
       {0x11, ~(c | d)},
       {0x99, ~(c ^ d)},
       {0x77, ~(c & d)},
       {0xdd, c | ~d},
       {0xc0, p & c},
       {0xfc, p | c},
       {0x5a, p ^ d},
       {0xa0, p & d},
       {0xfa, p | d},
       {0x50, p & ~d},
       {0xaf, ~p | d},
       {0x96, p ^ c ^ d},
       {0xfb, p | ~c | d},
       {0xb8, p ^ (c & (d ^ p))},
       {0xe2, d ^ (c & (p ^ d))},
       {0xca, d ^ (p & (c ^ d))},
       {0x1b, ~(c ^ (d & (p ^ c)))},
       {0x80, d & p & c},
       {0xfe, d | p | c},
       {0x17, ~(c ^ ((c ^ p) & (d ^ c)))},
   };
   uint32_t pattern[64];
   for (unsigned i = 0; i < 64; i++)
      pattern[i] = p;
   put(s, PAT, pattern, 256);
   put(s, SRC, &c, 4);
   for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      put(s, DST, &d, 4);
      RUN(s, OP(0x55) | CHANNELS, DEPTH(3) | ROP(rows[i].code) | P64, XY(0, 0), XY(1, 1), DST, 64,
          XY(0, 0), SRC, PAT);
      assert_int_equal(stand_pixel(s, DST, 4), rows[i].result);
   }
}

static void
channel_mask(void **state)
{
   proves("BLT-041");
   struct stand *s = *state;
   stand_fill(s, 0xee);
   color(s, 1u << 21, DEPTH(3) | ROP(0xf0) | P64, XY(0, 0), XY(1, 1), 0x11223344);
   assert_int_equal(stand_pixel(s, DST, 4), 0x11eeeeee);
   color(s, 1u << 20, DEPTH(3) | ROP(0xf0) | P64, XY(1, 0), XY(2, 1), 0x11223344);
   assert_int_equal(stand_pixel(s, DST + 4, 4), 0xee223344);
   color(s, 0, DEPTH(3) | ROP(0xf0) | P64, XY(2, 0), XY(3, 1), 0x11223344);
   assert_int_equal(stand_pixel(s, DST + 8, 4), 0xeeeeeeee);
   color(s, 0, DEPTH(1) | ROP(0xf0) | P64, XY(8, 0), XY(9, 1), 0x3344); /* no mask at 16 bpp */
   assert_int_equal(stand_pixel(s, DST + 16, 2), 0x3344);
}

/* BLT-042, BLT-043: zeros let the destination stand; both must let the pixel through. */
static void
transparency(void **state)
{
   proves("BLT-042", "BLT-043");
   struct stand *s = *state;
   const uint8_t bits[] = {0xf0, 0};
   put(s, SRC, bits, 2);
   RUN(s, OP(0x54), 1u << 29 | ROP(0xcc) | P64, XY(0, 0), XY(8, 1), DST, SRC, '-', '#');
   EXPECT(s, "####....");
   RUN(s, OP(0x52), 1u << 28 | ROP(0xf0) | P64, XY(0, 0), XY(8, 1), DST, '-', 'p', 0x55, 0);
   EXPECT(s, "#p#p.p.p");
   RUN(s, OP(0x58), 3u << 28 | ROP(0xcc) | P64, XY(0, 0), XY(8, 1), DST, SRC, '-', 's', '-', 'q',
       0xcc, 0);
   EXPECT(s, "ss#p.p.p"); /* f0 and cc */
}

static void
text_packing(void **state)
{
   proves("BLT-047");
   struct stand *s = *state;
   RUN(s, OP(0x01), 1u << 30 | ROP(0xcc) | P64, XY(0, 0), XY(64, 64), DST, '-', '#', 0);
   const uint8_t bits[] = {0xa5, 0xc3};
   put(s, SRC, bits, 2);
   RUN(s, OP(0x26), XY(0, 0), XY(3, 2), SRC);
   EXPECT(s, "#-#", "--#"); /* 101 001 01... */
   RUN(s, OP(0x26) | 1u << 16, XY(0, 0), XY(3, 2), SRC);
   EXPECT(s, "#-#", "##-"); /* 101.. 110.. */
   RUN(s, OP(0x31) | 1u << 16, XY(0, 0), XY(3, 2), 0x0000c3a5, 0);
   EXPECT(s, "#-#", "##-");
}

static void
chroma_key(void **state)
{
   proves("BLT-040", "BLT-048", "BLT-049");
   struct stand *s = *state;
   const uint32_t source[3] = {0x80102030, 0x80602030, 0x10102030}, low = 0x40000000,
                  high = 0xff404040;
   const uint32_t held[3] = {0, 0x99102030, 0x01102030};
   put(s, SRC, source, 12);
   static const struct {
      unsigned mode;
      uint32_t want[3]; /* 1: written */
   } rows[] = {
       {0, {1, 1, 1}}, {2, {1, 1, 1}}, {1, {0, 1, 0}},
       {3, {0, 1, 1}}, {7, {1, 1, 1}}, {5, {0, 1, 0}},
   };
   for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      put(s, DST, held, 12);
      RUN(s, OP(0x73) | CHANNELS | rows[i].mode << 17, DEPTH(3) | ROP(0xcc) | P64, XY(0, 0),
          XY(3, 1), DST, XY(0, 0), 64, SRC, low, high);
      for (unsigned k = 0; k < 3; k++)
         assert_int_equal(stand_pixel(s, DST + 4 * k, 4), rows[i].want[k] ? source[k] : held[k]);
   }
   /* 0x0400 is 565 green 32, but 1555 red 1; the key goes up to 565 red 1, green 31 = 1555 red 2,
    * green 31 */
   const uint16_t thin = 0x0400;
   for (unsigned depth = 1; depth <= 2; depth++) {
      stand_fill(s, 0);
      put(s, SRC, &thin, 2);
      RUN(s, OP(0x73) | 1u << 17, DEPTH(depth) | ROP(0xcc) | P64, XY(0, 0), XY(1, 1), DST, XY(0, 0),
          64, SRC, 0, 0x0be0);
      assert_int_equal(stand_pixel(s, DST, 2), depth == 1 ? thin : 0);
   }
   /* 1555 green 1 lies below green 2; blue has five bits and is 0 in all of them */
   const uint16_t green = 0x0020;
   stand_fill(s, 0);
   put(s, SRC, &green, 2);
   RUN(s, OP(0x73) | 1u << 17, DEPTH(2) | ROP(0xcc) | P64, XY(0, 0), XY(1, 1), DST, XY(0, 0), 64,
       SRC, 0, 0x0040);
   assert_int_equal(stand_pixel(s, DST, 2), 0);
}

/* Every bit of every component is its own: a key that only 0 of one of them fits, and all of the
 * others. */
static void
chroma_components(void **state)
{
   proves("BLT-048", "BLT-049");
   struct stand *s = *state;
   static const struct {
      unsigned depth, bytes, count;
      uint8_t bits[4]; /* from the lowest on, alpha last */
   } formats[] = {
       {0, 1, 1, {8}}, {1, 2, 3, {5, 6, 5}}, {2, 2, 4, {5, 5, 5, 1}}, {3, 4, 4, {8, 8, 8, 8}}};
   for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
      const unsigned bytes = formats[i].bytes, all = bytes * 8;
      const uint32_t whole = all == 32 ? UINT32_MAX : (1u << all) - 1;
      for (unsigned c = 0, shift = 0; c < formats[i].count; shift += formats[i].bits[c++]) {
         const uint32_t ones = (1u << formats[i].bits[c]) - 1;
         const uint32_t others = whole & ~(ones << shift);
         for (unsigned bit = 0; bit <= formats[i].bits[c]; bit++) {
            uint32_t pixel = others | (bit < formats[i].bits[c] ? 1u << (shift + bit) : 0);
            for (unsigned alpha = 0; alpha < 2; alpha++) {
               bool out = pixel != others && (c < 3 || alpha);
               stand_fill(s, 0x3c);
               put(s, SRC, &pixel, bytes);
               RUN(s, OP(0x73) | CHANNELS | (1u + 2 * alpha) << 17,
                   DEPTH(formats[i].depth) | ROP(0xcc) | P64, XY(0, 0), XY(1, 1), DST, XY(0, 0), 64,
                   SRC, 0, others);
               uint32_t want = out ? pixel : 0x3c3c3c3c & whole;
               if (stand_pixel(s, DST, bytes) != want)
                  fail_msg("depth %u, component %u, bit %u, alpha %u", formats[i].depth, c, bit,
                           alpha);
            }
         }
      }
   }
}

/* BLT-050, BLT-051: dwords for tiled surfaces; X tiles of 512 bytes by 8 rows. */
static void
x_tiles(void **state)
{
   proves("BLT-050", "BLT-051");
   struct stand *s = *state;
   color(s, 1u << 11, ROP(0xf0) | PITCH(256), XY(513, 9), XY(514, 10),
         'x'); /* 256 dwords: two tiles wide */
   /* tile row 1, tile column 1: tile 3; line 1, byte 1 */
   assert_int_equal(*stand_byte(s, DST + 3 * 4096 + 512 + 1), 'x');
   const uint8_t v = 'y';
   put(s, SRC + 2 * 4096 + 2 * 512 + 7, &v, 1);
   RUN(s, OP(0x53) | 1u << 15, ROP(0xcc) | P64, XY(3, 0), XY(4, 1), DST, XY(7, 10), 256, SRC);
   assert_int_equal(*stand_byte(s, DST + 3), 'y'); /* from tile 2 (row 1, column 0), line 2 */
}

static void
y_tiles(void **state)
{
   proves("BLT-052", "BLT-050");
   struct stand *s = *state;
   stand_swctrl(s, 2);
   color(s, 1u << 11, ROP(0xf0) | PITCH(64), XY(128 + 17, 33), XY(128 + 18, 34),
         'y'); /* 64 dwords: two tiles */
   /* tile 3; column 1 of 16 bytes (512), row 1 (16), byte 1 */
   assert_int_equal(*stand_byte(s, DST + 3 * 4096 + 512 + 16 + 1), 'y');
   color(s, 0, ROP(0xf0) | PITCH(64), XY(0, 2), XY(1, 3), 'z'); /* over the packet's bit */
   assert_int_equal(*stand_byte(s, DST + 32), 'z');
   stand_swctrl(s, 1);
   const uint8_t v = 's';
   put(s, SRC + 512 + 3 * 16 + 2, &v, 1);
   RUN(s, OP(0x53), ROP(0xcc) | P64, XY(9, 0), XY(10, 1), DST + 0x8000, XY(18, 3), 64, SRC);
   assert_int_equal(*stand_byte(s, DST + 0x8000 + 9), 's');
   stand_swctrl(s, 0);
}

static void
clipping(void **state)
{
   proves("BLT-053", "BLT-020", "BLT-030");
   struct stand *s = *state;
   RUN(s, OP(0x03), XY(2, 1), XY(5, 3));
   color(s, 0, 1u << 30 | ROP(0xf0) | P64, XY(0, 0), XY(8, 4), 'c');
   EXPECT(s, "........", "..ccc...", "..ccc...", "........");
   color(s, 0, ROP(0xf0) | P64, XY(0, 0), XY(2, 1), 'd'); /* clipping off */
   EXPECT(s, "dd......");
   color(s, 0, 1u << 30 | ROP(0xf0) | P64, XY(20, 0), XY(28, 4), 'e'); /* all of it out */
   EXPECT(s, "dd......................");
}

/* BLT-054, BLT-055: what is negative falls away, the rest keeps its place. */
static void
negative_coordinates(void **state)
{
   proves("BLT-053", "BLT-054", "BLT-055");
   struct stand *s = *state;
   for (unsigned i = 0; i < 8; i++)
      *stand_byte(s, SRC + i) = (uint8_t)('a' + i);
   RUN(s, OP(0x53), ROP(0xcc) | P64, XY(-3, 0), XY(4, 1), DST, XY(0, 0), 64, SRC);
   EXPECT(s, "defg....");
   stand_fill(s, 0);
   for (unsigned i = 0; i < 8; i++)
      *stand_byte(s, SRC + i) = (uint8_t)('a' + i);
   RUN(s, OP(0x53), ROP(0xcc) | P64, XY(1, 0), XY(8, 1), DST, XY(-2, 0), 64, SRC);
   EXPECT(s, "...abcde");
   RUN(s, OP(0x53), ROP(0xcc) | P64, XY(1, 0), XY(3, 1), DST, XY(-5, 0), 64,
       SRC); /* nothing is left */
   EXPECT(s, "...abcde");
   for (int back = 1; back < 4; back++) { /* what is not copied stays as it was */
      stand_fill(s, 'z');
      for (unsigned i = 1; i <= 4 * 64; i++)
         *stand_byte(s, SRC - i) = 'q'; /* before the source: nobody reads it */
      for (unsigned i = 0; i < 6; i++)
         *stand_byte(s, SRC + 64 * i) = *stand_byte(s, SRC + i) = (uint8_t)('a' + i);
      RUN(s, OP(0x53), ROP(0xcc) | P64, XY(1, 0), XY(5, 1), DST, XY(-back, 0), 64, SRC);
      static const char *const across[] = {"zzabcz", "zzzabz", "zzzzaz"};
      EXPECT(s, across[back - 1], "zzzzzz");
      RUN(s, OP(0x53), ROP(0xcc) | P64, XY(8, 1), XY(9, 5), DST, XY(0, -back), 64, SRC);
      for (int y = 0; y < 6; y++)
         assert_int_equal(*stand_byte(s, DST + 64 * (unsigned)y + 8),
                          y < 1 + back || y == 5 ? 'z' : 'a' + y - 1 - back);
   }
   stand_fill(s, 0);
   color(s, 0, ROP(0xf0) | P64, XY(-1, -2), XY(2, 1), 'n'); /* also lines above the first one */
   EXPECT(s, "nn..", "....");
   for (unsigned i = 1; i <= 128; i++)
      assert_int_equal(*stand_byte(s, DST - i), 0);
}

/* BLT-057: over itself in all eight directions. */
static void
overlap_with_equal_bases(void **state)
{
   proves("BLT-057", "BLT-058");
   struct stand *s = *state;
   for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) {
         uint8_t before[16][64];
         for (unsigned i = 0; i < sizeof(before); i++)
            before[i / 64][i % 64] = (uint8_t)(i * 37 + 11);
         put(s, DST, before, sizeof(before));
         RUN(s, OP(0x53), ROP(0xcc) | P64, XY(4 + dx, 4 + dy), XY(24 + dx, 12 + dy), DST, XY(4, 4),
             64, DST);
         for (int y = 0; y < 8; y++)
            for (int x = 0; x < 20; x++)
               assert_int_equal(*stand_byte(s, DST + (uint32_t)((4 + dy + y) * 64 + 4 + dx + x)),
                                before[4 + y][4 + x]);
      }
   assert_false(stand_saw(s, "BLT-058"));
}

static void
overlap_with_other_bases(void **state)
{
   proves("BLT-057", "BLT-058");
   struct stand *s = *state;
   RUN(s, OP(0x53), ROP(0xcc) | P64, XY(0, 0), XY(8, 4), DST, XY(0, 0), 64,
       DST + 32); /* side by side */
   assert_false(stand_saw(s, "BLT-058"));
   /* other pitches: the source's last byte lies just before the destination's first */
   RUN(s, OP(0x53), ROP(0xcc) | P64, XY(0, 0), XY(8, 4), DST, XY(0, 0), 128, DST - 3 * 128 - 8);
   assert_false(stand_saw(s, "BLT-058"));
   RUN(s, OP(0x53), ROP(0xcc) | P64, XY(0, 0), XY(8, 4), DST, XY(0, 0), 128, DST - 3 * 128 - 7);
   assert_true(stand_saw(s, "BLT-058"));
   stand_forget(s);
   RUN(s, OP(0x53), ROP(0xcc) | P64, XY(0, 0), XY(8, 4), DST, XY(0, 0), 64, DST + 4);
   assert_true(stand_saw(s, "BLT-058"));
   stand_forget(s);
   RUN(s, OP(0x53), ROP(0xcc) | PITCH(60), XY(0, 1), XY(8, 4), DST, XY(0, 0), 60,
       DST); /* not whole cache lines */
   assert_true(stand_saw(s, "BLT-058"));
   /* each line is read before it is written */
   for (unsigned i = 0; i < 8; i++)
      *stand_byte(s, DST + i) = (uint8_t)('a' + i);
   RUN(s, OP(0x53), ROP(0xcc) | P64, XY(0, 0), XY(7, 1), DST + 1, XY(0, 0), 64, DST);
   EXPECT(s, "aabcdefg");
   /* bases that differ are copied from the first line on, wherever the source lies */
   for (unsigned y = 0; y < 5; y++)
      *stand_byte(s, DST + y * 64) = (uint8_t)('0' + y);
   RUN(s, OP(0x53), ROP(0xcc) | P64, XY(0, 1), XY(1, 4), DST, XY(0, 0), 64, DST + 128);
   EXPECT(s, "0", "2", "3", "4", "4");
}

static void
negative_pitch(void **state)
{
   proves("BLT-059", "BLT-050");
   struct stand *s = *state;
   color(s, 0, ROP(0xf0) | PITCH(-64), XY(0, 0), XY(2, 2), 'n');
   assert_int_equal(*stand_byte(s, DST), 'n');
   assert_int_equal(*stand_byte(s, DST - 64), 'n');
   assert_int_equal(*stand_byte(s, DST + 64), 0);
   assert_false(stand_saw(s, "BLT-059"));
   stand_fill(s, 0);
   color(s, 1u << 11, ROP(0xf0) | PITCH(-128), XY(0, 0), XY(2, 2), 'n');
   assert_true(stand_saw(s, "BLT-059"));
   assert_int_equal(stand_difference(s), 0); /* nothing drawn */
   stand_forget(s);
   RUN(s, OP(0x54), ROP(0xcc) | PITCH(-64), XY(0, 0), XY(2, 2), DST, SRC, 1, 2);
   assert_true(stand_saw(s, "BLT-059"));
   stand_forget(s);
   stand_fill(s, 0);
   *stand_byte(s, SRC) = 's';
   RUN(s, OP(0x53), ROP(0xcc) | P64, XY(0, 0), XY(2, 2), DST, XY(0, 0), (uint32_t)-64 & 0xffff,
       SRC);
   assert_false(stand_saw(s, "BLT-059"));
   assert_int_equal(*stand_byte(s, DST), 's');
   *stand_byte(s, DST) = 0;
   RUN(s, OP(0x53) | 1u << 15, ROP(0xcc) | P64, XY(0, 0), XY(2, 2), DST, XY(0, 0),
       (uint32_t)-128 & 0xffff, SRC);
   assert_true(stand_saw(s, "BLT-059")); /* a tiled source */
   assert_int_equal(*stand_byte(s, DST), 0);
}

/* BLT-060: backwards the addresses are those of the last bytes. */
static void
linear_copy_directions(void **state)
{
   proves("BLT-060");
   struct stand *s = *state;
   for (unsigned i = 0; i < 8; i++)
      *stand_byte(s, SRC + i) = (uint8_t)('a' + i);
   RUN(s, OP(0x43), ROP(0xcc) | P64, XY(4, 1), DST, 64, SRC);
   EXPECT(s, "abcd....");
   RUN(s, OP(0x43), 1u << 30 | ROP(0xcc) | P64, XY(4, 1), DST + 7, 64, SRC + 3);
   EXPECT(s, "abcdabcd");
}

static void
tiled_surfaces_lie_on_tiles(void **state)
{
   proves("BLT-061", "BLT-062");
   struct stand *s = *state;
   color(s, 1u << 11, ROP(0xf0) | PITCH(256), XY(0, 0), XY(1, 1), 't');
   assert_int_equal(s->seen[0], 0);
   RUN(s, OP(0x50) | 1u << 11, ROP(0xf0) | PITCH(256), XY(1, 0), XY(2, 1), DST + 0x123, 'u');
   assert_true(stand_saw(s, "BLT-061"));
   assert_int_equal(*stand_byte(s, DST + 1), 'u'); /* the low bits do not count */
   for (unsigned bit = 0; bit < 12; bit++) {
      stand_forget(s);
      *stand_byte(s, DST + 1) = 0;
      RUN(s, OP(0x50) | 1u << 11, ROP(0xf0) | PITCH(256), XY(1, 0), XY(2, 1), DST + (1u << bit),
          'u');
      assert_true(stand_saw(s, "BLT-061"));
      assert_int_equal(*stand_byte(s, DST + 1), 'u');
   }
   assert_false(stand_saw(s, "BLT-062"));
   color(s, 1u << 11, ROP(0xf0) | PITCH(32), XY(0, 0), XY(1, 1), 't'); /* 128 bytes: a Y pitch */
   assert_true(stand_saw(s, "BLT-062"));
   stand_forget(s);
   stand_swctrl(s, 2);
   color(s, 1u << 11, ROP(0xf0) | PITCH(32), XY(0, 0), XY(1, 1), 't');
   assert_false(stand_saw(s, "BLT-062"));
   color(s, 1u << 11, ROP(0xf0) | PITCH(33), XY(0, 0), XY(1, 1), 't');
   assert_true(stand_saw(s, "BLT-062"));
   stand_swctrl(s, 0);
}

static void
linear_alignment(void **state)
{
   proves("BLT-063", "BLT-064");
   struct stand *s = *state;
   color(s, 0, ROP(0xf0) | PITCH(68), XY(0, 0), XY(4, 2), 'a');
   assert_int_equal(s->seen[0], 0);
   color(s, CHANNELS, DEPTH(3) | ROP(0xf0) | PITCH(60), XY(0, 0), XY(1, 2), 1);
   assert_int_equal(s->seen[0], 0);
   color(s, 0, ROP(0xf0) | PITCH(61), XY(0, 0), XY(1, 2), 7);
   assert_true(stand_saw(s, "BLT-063"));
   assert_int_equal(*stand_byte(s, DST + 61), 7); /* and is used as it is */
   assert_false(stand_saw(s, "BLT-064"));
   RUN(s, OP(0x50) | CHANNELS, DEPTH(3) | ROP(0xf0) | P64, XY(0, 0), XY(1, 1), DST + 2, 0x11223344);
   assert_true(stand_saw(s, "BLT-064"));
   assert_int_equal(stand_pixel(s, DST + 2, 4), 0x11223344);
}

static void
operand_alignment(void **state)
{
   proves("BLT-065", "BLT-066");
   struct stand *s = *state;
   uint8_t pattern[64];
   memset(pattern, 'r', 64);
   pattern[0] = 'q';
   put(s, PAT + 64, pattern, 64);
   RUN(s, OP(0x51), ROP(0xf0) | P64, XY(0, 0), XY(1, 1), DST, PAT + 64);
   assert_false(stand_saw(s, "BLT-065"));
   for (unsigned bit = 0; bit < 6; bit++) { /* bits 5:0 do not count */
      *stand_byte(s, DST) = 0;
      RUN(s, OP(0x51), ROP(0xf0) | P64, XY(0, 0), XY(1, 1), DST, PAT + 64 + (1u << bit));
      assert_true(stand_saw(s, "BLT-065"));
      EXPECT(s, "q");
      stand_forget(s);
   }
   RUN(s, OP(0x51), ROP(0xf0) | P64, XY(0, 0), XY(1, 1), DST, STAND_BASE + STAND_SIZE - 64);
   assert_int_equal(s->seen[0], 0); /* 64 bytes and no more: the next page is not there */
   RUN(s, OP(0x51), DEPTH(1) | ROP(0xf0) | P64, XY(0, 0), XY(1, 1), DST,
       PAT + 64); /* 16 bpp: 128 bytes */
   assert_true(stand_saw(s, "BLT-065"));
   RUN(s, OP(0x54), ROP(0xcc) | P64, XY(0, 0), XY(2, 2), DST, SRC, 1, 2);
   assert_false(stand_saw(s, "BLT-066"));
   RUN(s, OP(0x54), ROP(0xcc) | P64, XY(0, 0), XY(2, 2), DST, SRC + 2, 1, 2);
   assert_true(stand_saw(s, "BLT-066"));
}

static void
mono_width(void **state)
{
   proves("BLT-067");
   struct stand *s = *state;
   RUN(s, OP(0x54), ROP(0xcc) | P64, XY(0, 0), XY(32745, 1), DST, SRC, 1, 2);
   assert_false(stand_saw(s, "BLT-067"));
   RUN(s, OP(0x54), ROP(0xcc) | P64, XY(0, 0), XY(32746, 1), DST, SRC, 1, 2);
   assert_true(stand_saw(s, "BLT-067"));
   assert_int_equal(*stand_byte(s, DST + 32745), 1); /* drawn all the same */
}

static void
immediate_data(void **state)
{
   proves("BLT-068", "BLT-069", "BLT-070");
   struct stand *s = *state;
   RUN(s, OP(0x71), ROP(0xcc) | P64, XY(0, 0), XY(16, 2), DST, '-', '#', 0xffffffff, 0);
   assert_int_equal(s->seen[0], 0);
   RUN(s, OP(0x71), ROP(0xcc) | P64, XY(0, 0), XY(16, 2), DST, '-', '#', 0xffffffff);
   assert_true(stand_saw(s, "BLT-068"));
   assert_false(stand_saw(s, "BLT-069"));
   RUN(s, OP(0x71), ROP(0xcc) | P64, XY(0, 0), XY(16, 5), DST, '-', '#', ~0u, ~0u);
   assert_true(stand_saw(s, "BLT-069"));
   stand_forget(s);
   static const int none[][2] = {{16, 0}, {0, 2}, {16, -1}, {-1, 2}}; /* needs nothing */
   for (unsigned i = 0; i < 4; i++)
      RUN(s, OP(0x71), ROP(0xcc) | P64, XY(0, 0), XY(none[i][0], none[i][1]), DST, '-', '#');
   assert_int_equal(s->seen[0], 0);
   assert_int_equal(*stand_byte(s, DST + 3 * 64), '#');
   assert_int_equal(*stand_byte(s, DST + 4 * 64), '-'); /* missing bits are zeros */
   stand_forget(s);
   RUN(s, OP(0x71), ROP(0xcc) | PITCH(128), XY(0, 0), XY(64, 1), DST, '-', '#', ~0u, ~0u);
   assert_false(stand_saw(s, "BLT-069"));
   RUN(s, OP(0x71), ROP(0xcc) | PITCH(128), XY(0, 0), XY(65, 1), DST, '-', '#', ~0u, ~0u);
   assert_true(stand_saw(s, "BLT-069"));
   stand_forget(s);
   RUN(s, OP(0x71) | 2u << 17, ROP(0xcc) | PITCH(128), XY(0, 0), XY(62, 1), DST, '-', '#', ~0u,
       ~0u);
   assert_false(stand_saw(s, "BLT-069"));
   RUN(s, OP(0x71) | 2u << 17, ROP(0xcc) | PITCH(128), XY(0, 0), XY(63, 1), DST, '-', '#', ~0u,
       ~0u); /* the bits that are skipped count */
   assert_true(stand_saw(s, "BLT-069"));
   stand_forget(s);
   uint32_t pattern[5 + 16] = {OP(0x72), ROP(0xf0) | P64, XY(0, 0), XY(8, 8), DST};
   stand_run(s, pattern, 21);
   assert_int_equal(s->seen[0], 0);
   stand_run(s, pattern, 20);
   assert_true(stand_saw(s, "BLT-069"));
   stand_forget(s);
   uint32_t large[7 + 34] = {OP(0x71), ROP(0xcc) | P64, XY(0, 0), XY(8, 2), DST, 1, 2};
   stand_run(s, large, 7 + 32);
   assert_false(stand_saw(s, "BLT-070"));
   stand_run(s, large, 7 + 34);
   assert_true(stand_saw(s, "BLT-070"));
   assert_string_equal(s->message, "136 bytes of immediate source are more than 128");
}

/* More bits than a command can carry: in the middle of a line they are zeros from there on. */
static void
immediate_data_end_in_a_line(void **state)
{
   proves("BLT-035", "BLT-069");
   struct stand *s = *state;
   uint32_t dw[7 + 250] = {OP(0x71), ROP(0xcc) | PITCH(8192), XY(0, 0), XY(6400, 2), DST, '-', '#'};
   memset(dw + 7, 0xff, 1000);
   stand_run(s, dw, 7 + 250);
   assert_true(stand_saw(s, "BLT-069"));
   for (unsigned i = 0; i < 2 * 6400; i++)
      assert_int_equal(*stand_byte(s, DST + i / 6400 * 8192 + i % 6400), i < 8000 ? '#' : '-');
}

static void
pattern_chroma_key(void **state)
{
   proves("BLT-071");
   struct stand *s = *state;
   uint8_t pattern[64];
   memset(pattern, 'k', 64);
   put(s, PAT, pattern, 64);
   static const uint8_t fit[] = {0, 5, 7}; /* no key, or one of the destination */
   for (unsigned i = 0; i < 3; i++) {
      RUN(s, OP(0x76) | (uint32_t)fit[i] << 17, ROP(0xf0) | P64, XY(8, 0), XY(9, 1), DST, PAT, 1,
          2);
      assert_false(stand_saw(s, "BLT-071"));
   }
   RUN(s, OP(0x76) | 7u << 17, ROP(0xf0) | P64, XY(0, 0), XY(2, 1), DST, PAT, 1,
       2); /* 0 is out of [1,2] */
   assert_false(stand_saw(s, "BLT-071"));
   EXPECT(s, "..");
   RUN(s, OP(0x76) | 1u << 17, ROP(0xf0) | P64, XY(0, 0), XY(2, 1), DST, PAT, 0, 255);
   assert_true(stand_saw(s, "BLT-071"));
   EXPECT(s, "kk"); /* drawn without a key */
}

static void
clip_coordinates(void **state)
{
   proves("BLT-072");
   struct stand *s = *state;
   RUN(s, OP(0x03), XY(0, 0), XY(100, 100));
   RUN(s, OP(0x03), XY(0, 0), XY(0, 0));
   assert_false(stand_saw(s, "BLT-072"));
   static const int negative[][4] = {
       {-1, 0, 100, 100}, {0, -1, 100, 100}, {0, 0, -1, 100}, {0, 0, 100, -1}};
   for (unsigned i = 0; i < 4; i++) {
      const int *c = negative[i];
      RUN(s, OP(0x03), XY(c[0], c[1]), XY(c[2], c[3]));
      assert_true(stand_saw(s, "BLT-072"));
      stand_forget(s);
   }
}

/* BLT-027, BLT-018, BLT-019, BLT-021, BLT-022: the state of a setup lasts, colours and pattern
 * included. */
static void
setup_state(void **state)
{
   proves("BLT-027", "BLT-018", "BLT-019", "BLT-021", "BLT-022");
   struct stand *s = *state;
   uint8_t pattern[64];
   memset(pattern, 'p', 64);
   put(s, PAT, pattern, 64);
   RUN(s, OP(0x01), 1u << 30 | ROP(0xf0) | P64, XY(1, 0), XY(6, 3), DST, 'b', 'f', PAT);
   RUN(s, OP(0x24), XY(2, 1));
   RUN(s, OP(0x24), XY(0, 0)); /* clipped */
   EXPECT(s, "........", "..b.....");
   RUN(s, OP(0x25), XY(0, 2), XY(8, 3));
   EXPECT(s, "........", "..b.....", ".ppppp..");
   RUN(s, OP(0x11), ROP(0xf0) | P64, XY(0, 0), XY(9, 9), DST, '-', '#', 0x000000aa, 0);
   RUN(s, OP(0x25), XY(0, 0), XY(8, 1));
   EXPECT(s, "#-#-#-#-");
   color(s, 0, ROP(0x00) | P64, XY(0, 0), XY(8, 1), 0); /* leaves the setup alone */
   RUN(s, OP(0x25), XY(0, 0), XY(4, 1));
   EXPECT(s, "#-#-....");
   RUN(s, OP(0x11), 1u << 31 | ROP(0xf0) | P64, XY(0, 0), XY(9, 9), DST, 'o', '#', 0xaa,
       0); /* solid */
   RUN(s, OP(0x25), XY(0, 0), XY(4, 1));
   EXPECT(s, "oooo....");
}

/* The depth, the operation and the channels of a setup, too. */
static void
setup_channels(void **state)
{
   proves("BLT-027", "BLT-041");
   struct stand *s = *state;
   for (unsigned channels = 0; channels < 4; channels++) {
      stand_fill(s, 0x55);
      RUN(s, OP(0x01) | channels << 20, DEPTH(3) | ROP(0x5a) | P64, XY(0, 0), XY(9, 9), DST,
          0xffffffff, 0x0f0f0f0f, PAT);
      RUN(s, OP(0x24), XY(1, 0));
      uint32_t written = (channels & 1 ? 0xffffff : 0) | (channels & 2 ? 0xff000000 : 0);
      uint32_t want = stand_pixel(s, DST, 4) ^ written;
      assert_int_equal(stand_pixel(s, DST, 4), 0x55555555);
      if (stand_pixel(s, DST + 4, 4) != want)
         fail_msg("channels %u: %08x, not %08x", channels, stand_pixel(s, DST + 4, 4), want);
   }
}

/* BLT-028, BLT-027: before a setup, and after a reset, there is no state to draw with. */
static void
drawing_before_a_setup(void **state)
{
   proves("BLT-028", "BLT-027");
   struct stand *s = *state;
   RUN(s, OP(0x24), XY(2, 1));
   assert_true(stand_saw(s, "BLT-028"));
   stand_forget(s);
   RUN(s, OP(0x01), ROP(0xf0) | P64, XY(0, 0), XY(9, 9), DST, 'b', 'f', PAT);
   RUN(s, OP(0x24), XY(2, 1));
   assert_false(stand_saw(s, "BLT-028"));
   blitter_reset(s->dev->blitter);
   RUN(s, OP(0x25), XY(0, 0), XY(2, 1));
   assert_true(stand_saw(s, "BLT-028"));
   EXPECT(s, "...", "..b");
}

static void
opcodes_that_are_no_commands(void **state)
{
   proves("BLT-029");
   assert_null(hw_command_find(OP(0x42), HW_BCS, HW_IVB));
   assert_null(hw_command_find(OP(0x60), HW_BCS, HW_IVB));
   unsigned count = 0;
   for (unsigned opcode = 0; opcode < 128; opcode++)
      count += hw_command_find(OP(opcode), HW_BCS, HW_IVB) != NULL;
   assert_int_equal(count, 26);
   assert_null(hw_command_find(OP(0x50), HW_RCS, HW_IVB));
   /* a description that is none of them is named, and nothing happens */
   struct stand *s = *state;
   uint32_t dw[2] = {OP(0x42), 0};
   uint64_t budget = 10;
   struct hw_command other = {.layout = {.name = "OTHER", .length_dw = 1}, .id = UINT16_MAX};
   struct cs_command c = {
       .dev = s->dev, .desc = &other, .dw = dw, .count_dw = 2, .space = &s->dev->ggtt};
   assert_int_equal(blitter_command(s->dev->blitter, &c, &budget), CS_DONE);
   assert_true(stand_saw(s, "BLT-029"));
}

static void
setup_and_drawing_agree_on_tiling(void **state)
{
   proves("BLT-073");
   struct stand *s = *state;
   RUN(s, OP(0x01) | 1u << 11, ROP(0xf0) | PITCH(128), XY(0, 0), XY(9, 9), DST, 'b', 'f', PAT);
   RUN(s, OP(0x24) | 1u << 11, XY(2, 1));
   assert_false(stand_saw(s, "BLT-073"));
   assert_int_equal(*stand_byte(s, DST + 512 + 2), 'b');
   RUN(s, OP(0x24), XY(2, 1));
   assert_true(stand_saw(s, "BLT-073"));
   assert_int_equal(*stand_byte(s, DST + 128 + 2), 'b'); /* linear: 128 bytes a line */
}

/* BLT-074: the largest rectangle there is, in slices; each call ends soon. */
static void
long_blits_are_cut_into_slices(void **state)
{
   proves("BLT-074");
   struct stand *s = *state;
   uint64_t seed = 77;
   stand_random(s, &seed);
   s->budget = 3;
   BOTH(s, "slices", OP(0x53) | CHANNELS, DEPTH(3) | ROP(0x66) | P256, XY(1, 1), XY(60, 200), DST,
        XY(2, 3), 256, SRC);
   assert_true(s->calls >= 199 / 3);
   stand_fill(s, 0);
   uint32_t dw[] = {OP(0x50) | 4, ROP(0xf0) | PITCH(0), XY(0, 0), XY(0x7fff, 0x7fff), DST, 'h'};
   enum cs_hand hand = CS_FRESH;
   struct cs_command c = {.dev = s->dev,
                          .hand = &hand,
                          .desc = hw_command_find(dw[0], HW_BCS, HW_IVB),
                          .dw = dw,
                          .count_dw = 6,
                          .address = 0x5000,
                          .space = &s->dev->ggtt};
   uint64_t budget = 1000, spent = 0;
   while (blitter_command(s->dev->blitter, &c, &budget) == CS_AGAIN && spent < 20000) {
      assert_int_equal(budget, 0);
      spent += 1000;
      budget = 1000;
   }
   assert_int_equal(spent, 20000); /* not done, but never stuck in one call */
   blitter_reset(s->dev->blitter);
   /* another command after that does not take up the old one */
   color(s, 0, ROP(0xf0) | P64, XY(0, 0), XY(1, 1), 'z');
   EXPECT(s, "zh");
}

static void
faults_do_not_stop_a_blit(void **state)
{
   proves("BLT-075");
   struct stand *s = *state;
   stand_fill(s, 0x77);
   uint32_t last = STAND_BASE + STAND_SIZE - 4096;
   RUN(s, OP(0x53), ROP(0xcc) | PITCH(4096), XY(0, 0), XY(8, 3), last, XY(0, 0), 4096,
       last + 4092); /* runs out of memory */
   assert_int_equal(stand_pixel(s, last, 4), 0x77777777);
   assert_int_equal(stand_pixel(s, last + 4, 4), 0); /* its source is not there */
   assert_true(s->seen[0]);                          /* the page fault has been named */
   stand_forget(s);
   color(s, 0, ROP(0xf0) | P64, XY(0, 0), XY(4, 1), 'g');
   EXPECT(s, "gggg");
}

static void
time_and_observers(void **state)
{
   proves("BLT-077", "BLT-078");
   struct stand *s = *state;
   struct counts n = {0};
   uint64_t before = pergola_time_ns(s->dev);
   color(s, 0, ROP(0xf0) | P64, XY(0, 0), XY(16, 4), 'a');
   assert_int_equal(pergola_time_ns(s->dev) - before, 4 * (1 + 16 / 8));
   pergola_add_observer(s->dev, 1u << PERGOLA_EVENT_MEMORY, observe, &n);
   RUN(s, OP(0x53), ROP(0x66) | P64, XY(2, 0), XY(16, 4), DST, XY(0, 0), 64, SRC);
   assert_int_equal(n.writes, 4);
   assert_int_equal(n.reads, 8); /* source and destination */
   assert_int_equal(n.last_address, DST + 3 * 64 + 2);
   assert_int_equal(n.last_bytes, 14);
   /* Line by line as well where tiles would be copied at once. */
   n = (struct counts){0};
   RUN(s, OP(0x53) | 1u << 15 | 1u << 11, ROP(0xcc) | PITCH(128), XY(0, 0), XY(512, 16), DST,
       XY(0, 0), 128, SRC);
   assert_int_equal(n.writes, 16);
   assert_int_equal(n.reads, 16);
   assert_int_equal(n.last_bytes, 512);
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, stand_setup, stand_teardown)
   const struct CMUnitTest tests[] = {
       CASE(rectangle_edges),
       CASE(linear_commands_of_no_size),
       CASE(color_pattern_and_seeds),
       CASE(mono_pattern),
       CASE(fixed_patterns),
       CASE(mono_source),
       CASE(depths_and_colors),
       CASE(unused_operands_are_not_read),
       CASE(operands_that_the_command_lacks),
       CASE(named_raster_operations),
       CASE(channel_mask),
       CASE(transparency),
       CASE(text_packing),
       CASE(chroma_key),
       CASE(chroma_components),
       CASE(x_tiles),
       CASE(y_tiles),
       CASE(clipping),
       CASE(negative_coordinates),
       CASE(overlap_with_equal_bases),
       CASE(overlap_with_other_bases),
       CASE(negative_pitch),
       CASE(linear_copy_directions),
       CASE(tiled_surfaces_lie_on_tiles),
       CASE(linear_alignment),
       CASE(operand_alignment),
       CASE(mono_width),
       CASE(immediate_data),
       CASE(immediate_data_end_in_a_line),
       CASE(pattern_chroma_key),
       CASE(clip_coordinates),
       CASE(setup_state),
       CASE(setup_channels),
       CASE(drawing_before_a_setup),
       CASE(opcodes_that_are_no_commands),
       CASE(setup_and_drawing_agree_on_tiling),
       CASE(long_blits_are_cut_into_slices),
       CASE(faults_do_not_stop_a_blit),
       CASE(time_and_observers),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
