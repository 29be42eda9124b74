/* Conversion against the definition of each channel type; every 8- and 16-bit value. */
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

static uint32_t
bits(float v)
{
   uint32_t u;
   memcpy(&u, &v, 4);
   return u;
}

/* A channel of a name, worked out from the name alone: letters and digits, then the type. */
struct part {
   char letter;
   unsigned start, bits;
   char type[12];
};

static unsigned
parse(const char *name, struct part *part)
{
   unsigned n = 0, pending = 0, at = 0;
   while (*name) {
      if (strchr("RGBAXLIY", name[0]) && name[1] >= '0' && name[1] <= '9') {
         unsigned size = 0;
         part[n].letter = *name++;
         while (*name >= '0' && *name <= '9')
            size = size * 10 + (unsigned)(*name++ - '0');
         part[n].start = at;
         part[n].bits = size;
         part[n++].type[0] = 0;
         at += size;
      } else if (*name == '_') {
         name++;
      } else {
         size_t k = strcspn(name, "_");
         if (strncmp(name, "SRGB", 4) && strncmp(name, "LD", 2))
            for (; pending < n; pending++) {
               memcpy(part[pending].type, name, k);
               part[pending].type[k] = 0;
            }
         name += k;
      }
   }
   return n;
}

/* DP-425 SMP-116 SMP-388 SMP-389 SMP-390 SMP-391 SMP-392: every plain format of the table has the
 * channels that its name gives, from the least significant bit on. */
static void
names_and_layouts(void **state)
{
   proves("DP-425", "SMP-116", "SMP-388", "SMP-389", "SMP-390", "SMP-391", "SMP-392");
   (void)state;
   unsigned plain = 0, known = 0;
   for (unsigned code = 0; code < 512; code++) {
      const struct format_info *f = format_get(code);
      struct part part[8];
      known += f->layout != FORMAT_NONE;
      if (f->layout != FORMAT_PLAIN)
         continue;
      assert_int_equal(f->code, code);
      unsigned n = parse(f->name, part), total = 0;
      for (unsigned i = 0; i < n; i++) {
         static const char order[] = "RGBA";
         total += part[i].bits;
         if (part[i].letter == 'X' || !strcmp(part[i].type, "TYPELESS"))
            continue;
         for (unsigned c = 0; c < 4; c++) {
            bool mine = part[i].letter == order[c] || part[i].letter == 'I' ||
                        (part[i].letter == 'L' && c < 3) || (part[i].letter == 'Y' && c == 0);
            if (!mine)
               continue;
            assert_int_equal(f->channel[c].start, part[i].start);
            assert_int_equal(f->channel[c].bits, part[i].bits);
            static const char *const types[] = {"",      "UNORM",   "SNORM",   "UINT",  "SINT",
                                                "FLOAT", "USCALED", "SSCALED", "SFIXED"};
            if (strcmp(part[i].type, "PASSTHRU"))
               assert_string_equal(types[f->channel[c].type], part[i].type);
         }
      }
      assert_int_equal(total, f->bits);
      plain++;
   }
   assert_int_equal(known, 222);
   assert_true(plain > 150);
   static const struct {
      unsigned code;
      const char *name;
   } some[] = {{0x000, "R32G32B32A32_FLOAT"}, {0x0c0, "B8G8R8A8_UNORM"},
               {0x0d3, "R11G11B10_FLOAT"},    {0x0d6, "R32_SINT"},
               {0x0eb, "R8G8B8X8_UNORM"},     {0x104, "B4G4R4A4_UNORM"},
               {0x11a, "B5G5R5X1_UNORM"},     {0x144, "A8_UNORM"},
               {0x182, "YCRCB_NORMAL"},       {0x183, "YCRCB_SWAPUVY"},
               {0x18f, "YCRCB_SWAPUV"},       {0x190, "YCRCB_SWAPY"},
               {0x1a5, "PLANAR_420_8"},       {0x1ff, "RAW"}};
   for (unsigned i = 0; i < sizeof(some) / sizeof(some[0]); i++)
      assert_string_equal(format_get(some[i].code)->name, some[i].name);
}

/* What a channel is worth, from the definition, in long double. */
static long double
worth(const struct part *p, uint64_t v)
{
   int64_t s = (int64_t)(v << (64 - p->bits)) >> (64 - p->bits);
   if (!strcmp(p->type, "UNORM"))
      return (long double)v / ((1ull << p->bits) - 1);
   if (!strcmp(p->type, "SNORM")) {
      long double q = (long double)s / ((1ull << (p->bits - 1)) - 1);
      return q < -1 ? -1 : q;
   }
   if (!strcmp(p->type, "UINT") || !strcmp(p->type, "USCALED"))
      return v;
   if (!strcmp(p->type, "SINT") || !strcmp(p->type, "SSCALED"))
      return s;
   unsigned fraction = p->bits == 16 ? 10 : p->bits - 5, exponent = v >> fraction & 31;
   long double m = v & ((1u << fraction) - 1), sign = p->bits == 16 && v >> 15 ? -1 : 1;
   if (exponent == 31)
      return m ? NAN : sign * INFINITY;
   return sign * (exponent ? ldexpl(m + (1u << fraction), (int)exponent - 15 - (int)fraction)
                           : ldexpl(m, -14 - (int)fraction));
}

/* SMP-398 SMP-399 SMP-400 SMP-401 SMP-402: every value of every channel of at most 16 bits, read;
 * and written back (DP-218) it is itself. */
static void
exhaustive_channels(void **state)
{
   proves("SMP-398", "SMP-399", "SMP-400", "SMP-401", "SMP-402", "DP-218");
   (void)state;
   for (unsigned code = 0; code < 512; code++) {
      const struct format_info *f = format_get(code);
      struct part part[8];
      if (f->layout != FORMAT_PLAIN || f->srgb || f->bits > 64)
         continue;
      unsigned n = parse(f->name, part);
      for (unsigned i = 0; i < n; i++) {
         if (part[i].bits > 16 || part[i].letter == 'X' || strchr("LIY", part[i].letter) ||
             !strcmp(part[i].type, "TYPELESS"))
            continue;
         unsigned c = (unsigned)(strchr("RGBA", part[i].letter) - "RGBA");
         bool integer = strstr(part[i].type, "INT") != NULL;
         for (uint64_t v = 0; v < 1ull << part[i].bits; v++) {
            uint64_t element = v << part[i].start, back = 0;
            format_texel t;
            format_unpack(f, &element, t);
            long double want = worth(&part[i], v);
            if (integer)
               assert_true((long double)(part[i].type[0] == 'S' ? (int64_t)(int32_t)t[c]
                                                                : (int64_t)t[c]) == want);
            else if (isnan(want))
               assert_true(isnan(as_float(t[c])));
            else
               assert_true(as_float(t[c]) == (float)want);
            if (strstr(part[i].type, "SCALED") || (!integer && isnan(want)))
               continue;
            format_texel only = {0};
            only[c] = t[c];
            format_pack(f, only, &back);
            bool twin = !strcmp(part[i].type, "SNORM") &&
                        v == 1ull << (part[i].bits - 1); /* two codes for -1 */
            uint64_t expect = twin ? v + 1 : v;
            assert_true(back >> part[i].start << (64 - part[i].bits) == expect
                                                                            << (64 - part[i].bits));
         }
      }
   }
}

/* SMP-400: scaled channels of 32 bits are rounded to the nearest float, ties to even; integers of
 * 32 bits stay as they are. */
static void
scaled_and_integer_channels_of_32_bits(void **state)
{
   proves("SMP-400");
   (void)state;
   static const struct {
      uint32_t bits;
      float as_unsigned, as_signed;
   } v[] = {{0, 0, 0},
            {0x01000001, 16777216.0f, 16777216.0f},
            {0x01000003, 16777220.0f, 16777220.0f},
            {0x01000005, 16777220.0f, 16777220.0f},
            {0x7fffffff, 2147483648.0f, 2147483648.0f},
            {0x80000000, 2147483648.0f, -2147483648.0f},
            {0xfeffffff, 4278190080.0f, -16777216.0f},
            {0xfefffffd, 4278190080.0f, -16777220.0f},
            {0xffffffff, 4294967296.0f, -1.0f}};
   unsigned formats = 0;
   for (unsigned code = 0; code < 512; code++) {
      const struct format_info *f = format_get(code);
      struct part part[8];
      if (f->layout != FORMAT_PLAIN || f->bits > 128)
         continue;
      unsigned n = parse(f->name, part);
      for (unsigned i = 0; i < n; i++) {
         const char *c = strchr("RGBA", part[i].letter), *type = part[i].type;
         bool scaled = strstr(type, "SCALED"),
              integer = !strcmp(type, "UINT") || !strcmp(type, "SINT");
         if (part[i].bits != 32 || !c || !(scaled || integer))
            continue;
         formats++;
         for (unsigned k = 0; k < sizeof(v) / sizeof(v[0]); k++) {
            uint32_t element[4] = {0};
            element[part[i].start / 32] = v[k].bits;
            format_texel t;
            format_unpack(f, element, t);
            if (integer)
               assert_int_equal(t[c - "RGBA"], v[k].bits);
            else
               assert_true(as_float(t[c - "RGBA"]) ==
                           (type[0] == 'U' ? v[k].as_unsigned : v[k].as_signed));
         }
      }
   }
   assert_true(formats >= 24);
}

/* DP-218: rounding to nearest even of normalised values, against exact arithmetic. */
static void
normalised_rounding(void **state)
{
   proves("DP-218");
   (void)state;
   static const unsigned widths[] = {1, 2, 4, 5, 6, 8, 10, 16};
   uint32_t seed = 3;
   for (unsigned k = 0; k < 8; k++)
      for (unsigned n = 0; n < 20000; n++) {
         seed = seed * 1664525u + 1013904223u;
         float f = n < 4 ? (float)n / 2 : (float)(seed >> 8) / 16777216.0f * 1.1f - 0.05f;
         long double exact = (long double)(f < 0 ? 0 : f > 1 ? 1 : f) * ((1u << widths[k]) - 1);
         assert_int_equal(format_float_to_unorm(f, widths[k]), rintl(exact));
         if (widths[k] < 2)
            continue;
         float g = 2 * f - 1;
         exact = (long double)(g < -1 ? -1 : g > 1 ? 1 : g) * ((1u << (widths[k] - 1)) - 1);
         uint32_t mask = (1u << widths[k]) - 1;
         assert_int_equal(format_float_to_snorm(g, widths[k]),
                          (uint32_t)(int32_t)rintl(exact) & mask);
      }
   assert_int_equal(format_float_to_unorm(NAN, 8), 0);
   assert_int_equal(format_float_to_snorm(NAN, 8), 0);
   assert_int_equal(format_float_to_unorm(INFINITY, 8), 255);
}

/* SMP-401 DP-218: every float whose upper 24 bits vary, to half, against a search of the nearest
 * half. */
static void
half_rounding(void **state)
{
   proves("SMP-401", "DP-218", "SMP-402");
   (void)state;
   for (uint32_t u = 0; u < 0x7f800000u; u += 0x9d3) {
      float f = as_float(u);
      uint16_t h = format_float_to_half(f);
      if (h == 0x7c00) {
         assert_true(f >= 65520.0f);
         continue;
      }
      double here = format_half_to_float(h), up = format_half_to_float((uint16_t)(h + 1));
      double down = h ? format_half_to_float((uint16_t)(h - 1)) : -1;
      if (h == 0x7bff)
         up = 65536;
      double e = fabs(f - here), eu = fabs(f - up), ed = fabs(f - down);
      assert_true(e <= eu && e <= ed);
      if (e == eu || (h && e == ed))
         assert_int_equal(h & 1, 0);
      assert_int_equal(format_float_to_half(-f), h | 0x8000);
   }
   assert_int_equal(format_float_to_half(INFINITY), 0x7c00);
   assert_true((format_float_to_half(NAN) & 0x7fff) > 0x7c00);
   /* SMP-402: the largest finite 11- and 10-bit floats; no sign */
   assert_true(format_float11_to_float(0x7bf) == 65024.0f);
   assert_true(format_float10_to_float(0x3df) == 64512.0f);
   assert_int_equal(format_float_to_float11(1e9f), 0x7bf);
   assert_int_equal(format_float_to_float10(1e9f), 0x3df);
   assert_int_equal(format_float_to_float11(-1), 0);
   assert_int_equal(format_float_to_float11(INFINITY), 0x7c0);
   assert_int_equal(format_float_to_float11(as_float(1)), 0);
}

/* SMP-403: shared exponent. */
static void
shared_exponent(void **state)
{
   proves("SMP-403");
   (void)state;
   const struct format_info *f = format_get(0xed);
   for (unsigned e = 0; e < 32; e++)
      for (unsigned m = 0; m < 512; m += 3) {
         uint32_t v = e << 27 | m | (511 - m) << 9 | (m ^ 0x155) << 18;
         format_texel t;
         format_unpack(f, &v, t);
         assert_true(as_float(t[0]) == (float)ldexp(m, (int)e - 24));
         assert_true(as_float(t[1]) == (float)ldexp(511 - m, (int)e - 24));
         assert_true(as_float(t[2]) == (float)ldexp(m ^ 0x155, (int)e - 24));
         assert_int_equal(t[3], bits(1));
      }
}

/* SMP-099 SMP-100: the standard curve on red, green and blue; alpha is left alone. */
static void
srgb(void **state)
{
   proves("SMP-099", "SMP-100");
   (void)state;
   const struct format_info *f = format_get(0xc8), *l = format_get(0xc7);
   for (uint32_t v = 0; v < 256; v++) {
      uint32_t element = v * 0x01010101u, back;
      format_texel t;
      format_unpack(f, &element, t);
      double c = v / 255.0, want = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
      for (unsigned i = 0; i < 3; i++)
         assert_true(fabs(as_float(t[i]) - want) < 1e-7);
      assert_true(fabs(as_float(t[3]) - c) < 1e-7);
      format_pack(f, t, &back);
      assert_int_equal(back, element);
      format_unpack(l, &element, t);
      assert_true(as_float(t[0]) == (float)c);
   }
}

/* SMP-118 SMP-404 SMP-144 SMP-154: absent channels and the letters L, I, A. */
static void
absent_channels(void **state)
{
   proves("SMP-118", "SMP-404", "SMP-144", "SMP-154");
   (void)state;
   format_texel t;
   uint32_t v = 0x40;
   format_unpack(format_get(0x146), &v, t); /* L8 */
   assert_int_equal(t[0], bits(64 / 255.0f));
   assert_int_equal(t[1], t[0]);
   assert_int_equal(t[2], t[0]);
   assert_int_equal(t[3], bits(1));
   format_unpack(format_get(0x145), &v, t); /* I8 */
   assert_int_equal(t[3], t[0]);
   format_unpack(format_get(0x144), &v, t); /* A8 */
   assert_int_equal(t[0], 0);
   assert_int_equal(t[3], bits(64 / 255.0f));
   format_unpack(format_get(0x143), &v, t); /* R8_UINT */
   assert_int_equal(t[0], 0x40);
   assert_int_equal(t[1], 0);
   assert_int_equal(t[3], 1);
   v = 0x1234;
   format_unpack(format_get(0x104), &v, t); /* B4G4R4A4 */
   assert_int_equal(t[2], bits(4 / 15.0f));
   assert_int_equal(t[1], bits(3 / 15.0f));
   assert_int_equal(t[0], bits(2 / 15.0f));
   assert_int_equal(t[3], bits(1 / 15.0f));
}

/* SMP-158 SMP-407: two pixels a dword, Cr to red, luma to green, Cb to blue. */
static void
packed_yuv(void **state)
{
   proves("SMP-158", "SMP-407");
   (void)state;
   static const struct {
      unsigned code;
      uint8_t bytes[4];
   } order[] = {{0x182, {10, 20, 11, 30}},
                {0x18f, {10, 30, 11, 20}},
                {0x190, {20, 10, 30, 11}},
                {0x183, {30, 10, 20, 11}}};
   for (unsigned k = 0; k < 4; k++) {
      format_texel t[2];
      format_unpack_yuv422(format_get(order[k].code), order[k].bytes, t);
      for (unsigned i = 0; i < 2; i++) {
         assert_int_equal(t[i][0], bits(30 / 255.0f));
         assert_int_equal(t[i][1], bits((10.0f + (float)i) / 255.0f));
         assert_int_equal(t[i][2], bits(20 / 255.0f));
         assert_int_equal(t[i][3], bits(1));
      }
   }
}

/* SMP-147 SMP-155 SMP-406: indices and alpha of the palette formats. */
static void
palettes(void **state)
{
   proves("SMP-147", "SMP-155", "SMP-406");
   (void)state;
   static const uint8_t two[2] = {0x3c, 0xa5};
   struct format_palette_index p =
       format_unpack_palette(format_get(0x10f), two, 0); /* A8P8, palette 0 */
   assert_true(p.index == 0xa5 && p.alpha == 0x3c && p.has_alpha && p.palette == 0);
   p = format_unpack_palette(format_get(0x123), two, 0); /* P8A8, palette 1 */
   assert_true(p.index == 0x3c && p.alpha == 0xa5 && p.palette == 1);
   p = format_unpack_palette(format_get(0x147), two, 0); /* P4A4 */
   assert_true(p.index == 0xc && p.alpha == 0x33);
   p = format_unpack_palette(format_get(0x14f), two, 0); /* A4P4, palette 1 */
   assert_true(p.index == 3 && p.alpha == 0xcc && p.palette == 1);
   p = format_unpack_palette(format_get(0x14b), two, 0); /* P8 */
   assert_true(p.index == 0x3c && !p.has_alpha);
   for (unsigned i = 0; i < 4; i++) { /* P2: lowest bits first */
      static const uint8_t want[4] = {0, 3, 3, 0};
      assert_int_equal(format_unpack_palette(format_get(0x184), two, i).index, want[i]);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(names_and_layouts),
       cmocka_unit_test(exhaustive_channels),
       cmocka_unit_test(scaled_and_integer_channels_of_32_bits),
       cmocka_unit_test(normalised_rounding),
       cmocka_unit_test(half_rounding),
       cmocka_unit_test(shared_exponent),
       cmocka_unit_test(srgb),
       cmocka_unit_test(absent_channels),
       cmocka_unit_test(packed_yuv),
       cmocka_unit_test(palettes),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
