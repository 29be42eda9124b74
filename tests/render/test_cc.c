/* The colour calculator, against arithmetic in whole numbers: nothing here is a float but what goes
 * in. */
#include "tests/proves.h"

#include "eu/fpmode.h"
#include "machine/float_bits.h"
#include "render/cc/cc.h"
#include "render/cc/fast.h"
#include "render/compare.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define CLAMP_BOTH .pre_blend_color_clamp_enable = true, .post_blend_color_clamp_enable = true

static uint64_t seed = 1;

static uint32_t
dice(uint32_t n)
{
   seed = seed * 6364136223846793005u + 1442695040888963407u;
   return (uint32_t)(seed >> 33) % n;
}

/* ---- blending in rational numbers -------------------------------------------------------------
 */

/* Every value is a whole number over ONE: sources and constants are multiples of 1/4096, what a
 * target of n bits holds is a multiple of 1/(2^n - 1). */
#define STEPS 4096

struct scene {
   int64_t one; /* STEPS * (2^n - 1) */
   int64_t source[2][4], destination[4], constant[4];
};

typedef __int128 wide;

static const uint8_t factors[] = {1,  2,  3,  4,  5,  6,  7,  8,  9, 10,
                                  17, 18, 19, 20, 21, 23, 24, 25, 26};

static int64_t
exact_factor(const struct scene *s, unsigned code, unsigned i)
{
   int64_t rest = s->one - s->destination[3];
   switch (code) {
   case 1:
      return s->one;
   case 2:
      return s->source[0][i];
   case 3:
      return s->source[0][3];
   case 4:
      return s->destination[3];
   case 5:
      return s->destination[i];
   case 6:
      return i == 3 ? s->one : s->source[0][3] < rest ? s->source[0][3] : rest;
   case 7:
      return s->constant[i];
   case 8:
      return s->constant[3];
   case 9:
      return s->source[1][i];
   case 10:
      return s->source[1][3];
   default:
      return s->one - exact_factor(s, code - 16, i); /* 17 is what is left of ONE */
   }
}

/* Over ONE squared, not clamped. */
static wide
exact_blend(const struct scene *s, unsigned function, unsigned fs, unsigned fd, unsigned i)
{
   wide a = (wide)s->source[0][i] * exact_factor(s, fs, i),
        b = (wide)s->destination[i] * exact_factor(s, fd, i);
   return function == 0   ? a + b
          : function == 1 ? a - b
          : function == 2 ? b - a
          : function == 3 ? (a < b ? a : b)
                          : (a > b ? a : b);
}

/* The code of an n-bit channel times 2 ONE², so that halves are whole. */
static void
expect_code(wide exact, int64_t one, uint32_t code, uint32_t most, bool trivial, const char *what)
{
   wide squared = (wide)one * one;
   wide want = exact < 0 ? 0 : exact > squared ? squared : exact; /* times most: the code */
   wide off = want * most - (wide)code * squared;
   off = off < 0 ? -off : off;
   if (off > squared || (trivial && 2 * off > squared))
      fail_msg("%s: code %u of %u is %g units off", what, code, most,
               (double)off / (double)squared);
}

static bool
is_trivial(unsigned f)
{
   return f == 1 || f == 17;
}

static void
random_scene(struct scene *s, uint32_t most)
{
   s->one = (int64_t)STEPS * most;
   for (unsigned i = 0; i < 4; i++) {
      s->source[0][i] = (int64_t)dice(STEPS + 1) * most;
      s->source[1][i] = (int64_t)dice(STEPS + 1) * most;
      s->constant[i] = (int64_t)dice(STEPS + 1) * most;
   }
}

static float
as_float(const struct scene *s, int64_t v)
{
   return (float)(v / (s->one / STEPS)) / (float)STEPS;
}

static struct hw_color_calc_state
constants_of(const struct scene *s)
{
   return (struct hw_color_calc_state){.blend_constant_color_red = as_float(s, s->constant[0]),
                                       .blend_constant_color_green = as_float(s, s->constant[1]),
                                       .blend_constant_color_blue = as_float(s, s->constant[2]),
                                       .blend_constant_color_alpha = as_float(s, s->constant[3])};
}

/* One pixel of an RGBA target of n-bit channels, from bit 0 on. */
static void
one_blend(const struct hw_blend_state_entry *e, const struct format_info *f, unsigned bits)
{
   struct scene s;
   struct cc_target t;
   uint32_t most = (1u << bits) - 1, color[2][4];
   uint64_t element = 0, before;
   random_scene(&s, most);
   for (unsigned i = 0; i < 4; i++) {
      uint32_t code = dice(most + 1);
      s.destination[i] = (int64_t)code * STEPS;
      element |= (uint64_t)code << bits * i;
      for (unsigned k = 0; k < 2; k++)
         color[k][i] = float_bits(as_float(&s, s.source[k][i]));
   }
   struct hw_color_calc_state cc = constants_of(&s);
   cc_resolve(&t, e, &cc, f);
   assert_int_equal(t.rules, 0);
   before = element;
   cc_element(&t, 0, 0, (const uint32_t(*)[4])color, &element);
   for (unsigned i = 0; i < 4; i++) {
      bool own = i == 3 && e->independent_alpha_blend_enable;
      unsigned fs = own ? e->source_alpha_blend_factor : e->source_blend_factor,
               fd = own ? e->destination_alpha_blend_factor : e->destination_blend_factor,
               fn = own ? e->alpha_blend_function : e->color_blend_function;
      char what[120];
      snprintf(what, sizeof(what), "%s function %u factors %u %u channel %u of %#llx", f->name, fn,
               fs, fd, i, (unsigned long long)before);
      expect_code(exact_blend(&s, fn, fs, fd, i), s.one, (uint32_t)(element >> bits * i) & most,
                  most, is_trivial(fs) && is_trivial(fd), what);
   }
}

static void
blending_is_exact_to_a_unit(void **state)
{
   proves("P3D-336", "P3D-337", "P3D-338", "P3D-339");
   (void)state;
   const struct format_info *eight = format_get(GEN7_SURFACE_FORMAT_R8G8B8A8_UNORM),
                            *sixteen = format_get(GEN7_SURFACE_FORMAT_R16G16B16A16_UNORM);
   for (unsigned fn = 0; fn < 5; fn++)
      for (unsigned a = 0; a < COUNT(factors); a++)
         for (unsigned b = 0; b < COUNT(factors); b++)
            for (unsigned n = 0; n < 20; n++) {
               struct hw_blend_state_entry e = {
                   .color_buffer_blend_enable = true,
                   .color_blend_function = fn,
                   .source_blend_factor = factors[a],
                   .destination_blend_factor = factors[b],
                   .independent_alpha_blend_enable = n & 1,
                   .alpha_blend_function = dice(5),
                   .source_alpha_blend_factor = factors[dice(COUNT(factors))],
                   .destination_alpha_blend_factor = factors[dice(COUNT(factors))],
                   .color_clamp_range = 2,
                   CLAMP_BOTH};
               one_blend(&e, n & 2 ? sixteen : eight, n & 2 ? 16 : 8);
            }
}

/* ---- logic operations -------------------------------------------------------------------------
 */

static uint32_t
named_logic(unsigned op, uint32_t s, uint32_t d)
{
   const uint32_t results[16] = {0,     ~(s | d), ~s & d, ~s,     s & ~d, ~d,     s ^ d, ~(s & d),
                                 s & d, ~(s ^ d), d,      ~s | d, s,      s | ~d, s | d, ~0u};
   return results[op];
}

static void
logic_operations(void **state)
{
   proves("P3D-345", "P3D-346");
   (void)state;
   const struct hw_color_calc_state cc = {0};
   struct cc_target t;
   for (unsigned op = 0; op < 16; op++)
      for (unsigned n = 0; n < 50; n++) {
         struct hw_blend_state_entry e = {.logic_op_enable = true,
                                          .logic_op_function = op,
                                          .color_buffer_blend_enable = n & 1,
                                          .source_blend_factor = 17,
                                          .destination_blend_factor = 17,
                                          .color_clamp_range = 2,
                                          CLAMP_BOTH};
         uint32_t s = dice(1u << 31) << 1 | (n & 1), d = dice(1u << 31) << 1 | 1, color[2][4];
         for (unsigned i = 0; i < 4; i++)
            color[0][i] = float_bits((float)(s >> 8 * i & 0xff) / 255.0f), color[1][i] = 0;
         uint32_t element = d;
         cc_resolve(&t, &e, &cc, format_get(GEN7_SURFACE_FORMAT_R8G8B8A8_UNORM));
         assert_int_equal(t.rules, n & 1 ? CC_LOGIC_BLEND : 0);
         cc_element(&t, 0, 0, (const uint32_t(*)[4])color, &element);
         assert_int_equal(element, named_logic(op, s, d));
         /* elsewhere it is left out, and told */
         cc_resolve(&t, &e, &cc, format_get(GEN7_SURFACE_FORMAT_R8G8B8A8_UNORM_SRGB));
         assert_true(t.rules & CC_LOGIC_FORMAT);
         if (!(n & 1))
            assert_false(t.rules & CC_LOGIC_BLEND);
         cc_resolve(&t, &e, &cc, format_get(GEN7_SURFACE_FORMAT_R32_FLOAT));
         assert_true(t.rules & CC_LOGIC_FORMAT);
         assert_int_equal(t.logic_op, 12);
      }
}

/* ---- write disables, all formats --------------------------------------------------------------
 */

static const struct format_info *
next_target_format(unsigned *code)
{
   while (*code < FORMAT_COUNT) {
      const struct format_info *f = format_get((*code)++);
      if (f->capabilities & FORMAT_RENDER && f->layout == FORMAT_PLAIN)
         return f;
   }
   return NULL;
}

static bool
bit_at(const uint8_t *b, unsigned n)
{
   return b[n / 8] >> n % 8 & 1;
}

static void
random_color(const struct format_info *f, uint32_t color[2][4])
{
   for (unsigned i = 0; i < 8; i++)
      color[i / 4][i % 4] = f->channel_class == FORMAT_CLASS_FLOAT
                                ? float_bits((float)dice(3000) / 1000.0f - 1.0f)
                                : dice(1u << 31) >> dice(31);
}

static void
write_disables(void **state)
{
   proves("P3D-348", "P3D-340");
   (void)state;
   const struct hw_color_calc_state cc = {0};
   const struct format_info *f;
   unsigned seen = 0;
   for (unsigned code = 0; (f = next_target_format(&code)); seen++)
      for (unsigned mask = 0; mask < 16; mask++) {
         struct hw_blend_state_entry e = {.write_disable_red = mask & 1,
                                          .write_disable_green = mask >> 1 & 1,
                                          .write_disable_blue = mask >> 2 & 1,
                                          .write_disable_alpha = mask >> 3 & 1,
                                          .color_clamp_range = 2};
         struct cc_target t;
         uint32_t color[2][4];
         uint8_t old[16], got[16], plain[32];
         unsigned present = 0;
         random_color(f, color);
         for (unsigned i = 0; i < 16; i++)
            old[i] = got[i] = (uint8_t)dice(256);
         cc_resolve(&t, &e, &cc, f);
         cc_element(&t, 3, 5, (const uint32_t(*)[4])color, got);
         format_pack(f, color[0], plain);
         for (unsigned i = 0; i < 4; i++)
            present |= (unsigned)(f->channel[i].type != CHANNEL_NONE) << i;
         for (unsigned b = 0; b < f->bits; b++) {
            bool want = present & ~mask ? false : bit_at(old, b); /* bits of no channel */
            for (unsigned i = 0; i < 4; i++)
               if (f->channel[i].type != CHANNEL_NONE && b >= f->channel[i].start &&
                   b < (unsigned)f->channel[i].start + f->channel[i].bits)
                  want = bit_at(mask >> i & 1 ? old : plain, b);
            if (bit_at(got, b) != want)
               fail_msg("%s, disabled %#x: bit %u", f->name, mask, b);
         }
      }
   assert_int_equal(seen, 53);
}

/* ---- quantisation of all formats --------------------------------------------------------------
 */

/* A float of few bits, by its definition. */
static double
small_value(uint32_t v, unsigned fraction)
{
   int exponent = (int)(v >> fraction & 31);
   double m = (double)(v & ((1u << fraction) - 1)) / (1u << fraction);
   return exponent ? ldexp(1 + m, exponent - 15) : ldexp(m, -14);
}

static void
expect_small(float in, uint32_t got, unsigned fraction, const char *name)
{
   double x = in, here = small_value(got, fraction);
   uint32_t top = (31u << fraction) - 1;
   if (got > 0 && fabs(small_value(got - 1, fraction) - x) < fabs(here - x))
      fail_msg("%s: %.9g became %.9g, the one below is nearer", name, x, here);
   if (got < top && fabs(small_value(got + 1, fraction) - x) < fabs(here - x))
      fail_msg("%s: %.9g became %.9g, the one above is nearer", name, x, here);
}

static void
check_channel(const struct format_info *f, unsigned i, uint32_t in, const uint8_t *element)
{
   const struct format_channel *c = &f->channel[i];
   uint64_t v = 0;
   for (unsigned b = 0; b < c->bits; b++)
      v |= (uint64_t)bit_at(element, c->start + b) << b;
   float x = bits_float(in);
   double most = c->type == CHANNEL_SNORM ? (double)((1u << (c->bits - 1)) - 1)
                                          : (double)((UINT64_C(1) << c->bits) - 1);
   int64_t s = (int64_t)(v << (64 - c->bits)) >> (64 - c->bits);
   switch (c->type) {
   case CHANNEL_UNORM:
      x = x < 0 || x != x ? 0 : x > 1 ? 1 : x;
      if (!(f->srgb && i < 3) && fabs((double)v - (double)x * most) > 0.5)
         fail_msg("%s: %.9g became %u", f->name, x, (unsigned)v);
      return;
   case CHANNEL_SNORM:
      x = x != x ? 0 : x < -1 ? -1 : x > 1 ? 1 : x;
      if (fabs((double)s - (double)x * most) > 0.5)
         fail_msg("%s: %.9g became %d", f->name, x, (int)s);
      return;
   case CHANNEL_UINT:
      assert_true(v == (in > most ? (uint64_t)most : in));
      return;
   case CHANNEL_SINT: {
      int64_t low = -(INT64_C(1) << (c->bits - 1)), want = (int32_t)in;
      want = want < low ? low : want > -low - 1 ? -low - 1 : want;
      assert_true(s == want);
      return;
   }
   default:
      if (c->bits == 32)
         assert_int_equal(v, in);
      else if (c->bits == 16)
         expect_small(fabsf(x), (uint32_t)v & 0x7fff, 10, f->name);
      else
         expect_small(x < 0 ? 0 : x, (uint32_t)v, c->bits - 5, f->name);
   }
}

static void
quantisation(void **state)
{
   proves("P3D-344", "P3D-341");
   (void)state;
   const struct hw_color_calc_state cc = {0};
   const struct hw_blend_state_entry e = {.color_clamp_range = 2, CLAMP_BOTH};
   const struct format_info *f;
   for (unsigned code = 0; (f = next_target_format(&code));) {
      struct cc_target t;
      cc_resolve(&t, &e, &cc, f);
      for (unsigned n = 0; n < 300; n++) {
         uint32_t color[2][4];
         uint8_t element[16] = {0};
         random_color(f, color);
         if (f->channel_class == FORMAT_CLASS_FLOAT && f->channel[0].type != CHANNEL_FLOAT &&
             n == 7)
            color[0][0] = 0x7fc00000; /* NaN: 0 */
         cc_element(&t, 0, 0, (const uint32_t(*)[4])color, element);
         for (unsigned i = 0; i < 4; i++)
            if (f->channel[i].type != CHANNEL_NONE)
               check_channel(f, i, color[0][i], element);
      }
   }
}

/* ---- clamps -----------------------------------------------------------------------------------
 */

static float
blend_float(const struct hw_blend_state_entry *e, float constant, float source, float there)
{
   struct hw_color_calc_state cc = {.blend_constant_color_red = constant};
   struct cc_target t;
   uint32_t color[2][4] = {{float_bits(source), 0, 0, 0}}, element = float_bits(there);
   cc_resolve(&t, e, &cc, format_get(GEN7_SURFACE_FORMAT_R32_FLOAT));
   cc_element(&t, 0, 0, (const uint32_t(*)[4])color, &element);
   return bits_float(element);
}

static void
clamps(void **state)
{
   proves("P3D-341");
   (void)state;
   struct hw_blend_state_entry e = {.color_clamp_range = 0};
   assert_true(blend_float(&e, 0, 3.0f, 0) == 3.0f);
   e.pre_blend_color_clamp_enable = true;
   assert_true(blend_float(&e, 0, 3.0f, 0) == 1.0f); /* the source alone */
   assert_true(blend_float(&e, 0, -3.0f, 0) == 0.0f);
   e.color_clamp_range = 1;
   assert_true(blend_float(&e, 0, -3.0f, 0) == -1.0f);
   e.color_clamp_range = 2; /* a float has no bounds */
   assert_true(blend_float(&e, 0, -3.0f, 0) == -3.0f);
   e = (struct hw_blend_state_entry){.color_buffer_blend_enable = true,
                                     .source_blend_factor = GEN7_BLEND_FACTOR_CONST_COLOR,
                                     .destination_blend_factor = GEN7_BLEND_FACTOR_ONE};
   assert_true(blend_float(&e, 4.0f, 3.0f, 5.0f) == 17.0f);
   e.post_blend_color_clamp_enable = true;
   assert_true(blend_float(&e, 4.0f, 3.0f, 5.0f) == 1.0f);
   e.post_blend_color_clamp_enable = false;
   e.pre_blend_color_clamp_enable = true; /* source, destination and constant become 1 */
   assert_true(blend_float(&e, 4.0f, 3.0f, 5.0f) == 2.0f);
   assert_true(blend_float(&e, 4.0f, 3.0f, NAN) == 1.0f);
   /* ZERO hides what is no number */
   e = (struct hw_blend_state_entry){.color_buffer_blend_enable = true,
                                     .source_blend_factor = GEN7_BLEND_FACTOR_SRC_COLOR,
                                     .destination_blend_factor = GEN7_BLEND_FACTOR_ZERO};
   assert_true(blend_float(&e, 0, 3.0f, NAN) == 9.0f);
}

static void
clamp_rules(void **state)
{
   proves("P3D-342", "P3D-347");
   (void)state;
   const struct hw_color_calc_state cc = {0};
   struct hw_blend_state_entry e = {.color_buffer_blend_enable = true,
                                    .source_blend_factor = 1,
                                    .destination_blend_factor = 1,
                                    .color_clamp_range = 2,
                                    CLAMP_BOTH};
   struct cc_target t;
   cc_resolve(&t, &e, &cc, format_get(GEN7_SURFACE_FORMAT_R8G8B8A8_SNORM));
   assert_int_equal(t.rules, 0);
   e.color_clamp_range = 0;
   cc_resolve(&t, &e, &cc, format_get(GEN7_SURFACE_FORMAT_R8G8B8A8_SNORM));
   assert_int_equal(t.rules, CC_CLAMP);
   cc_resolve(&t, &e, &cc, format_get(GEN7_SURFACE_FORMAT_R8G8B8A8_UNORM));
   assert_int_equal(t.rules, 0);
   e.color_clamp_range = 1;
   cc_resolve(&t, &e, &cc, format_get(GEN7_SURFACE_FORMAT_R8G8B8A8_UNORM));
   assert_int_equal(t.rules, CC_CLAMP);
   e.color_clamp_range = 2;
   e.pre_blend_color_clamp_enable = false;
   cc_resolve(&t, &e, &cc, format_get(GEN7_SURFACE_FORMAT_R11G11B10_FLOAT));
   assert_int_equal(t.rules, CC_CLAMP);
   cc_resolve(&t, &e, &cc, format_get(GEN7_SURFACE_FORMAT_R16G16B16A16_FLOAT));
   assert_int_equal(t.rules, 0);
   cc_resolve(&t, &e, &cc, format_get(GEN7_SURFACE_FORMAT_R8G8B8A8_UINT));
   assert_int_equal(t.rules, CC_NO_BLEND);
   assert_false(t.blend);
}

/* ---- the curve, dither, alpha ------------------------------------------------------------------
 */

static long double
to_linear(long double c)
{
   return c <= 0.04045L ? c / 12.92L : powl((c + 0.055L) / 1.055L, 2.4L);
}

static long double
from_linear(long double c)
{
   return c <= 0.0031308L ? c * 12.92L : 1.055L * powl(c, 1 / 2.4L) - 0.055L;
}

static void
srgb_targets(void **state)
{
   proves("P3D-343");
   (void)state;
   const struct hw_color_calc_state cc = {0};
   struct hw_blend_state_entry e = {.color_buffer_blend_enable = true,
                                    .source_blend_factor = GEN7_BLEND_FACTOR_SRC_ALPHA,
                                    .destination_blend_factor = GEN7_BLEND_FACTOR_INV_SRC_ALPHA,
                                    .color_clamp_range = 2,
                                    CLAMP_BOTH};
   struct cc_target t;
   for (unsigned n = 0; n < 20000; n++) {
      uint32_t color[2][4] = {{0}}, old = dice(1u << 31) << 1, element = old;
      float in[4];
      for (unsigned i = 0; i < 4; i++) {
         in[i] = (float)dice(4097) / 4096.0f;
         color[0][i] = float_bits(in[i]);
      }
      cc_resolve(&t, &e, &cc, format_get(GEN7_SURFACE_FORMAT_R8G8B8A8_UNORM_SRGB));
      cc_element(&t, 0, 0, (const uint32_t(*)[4])color, &element);
      for (unsigned i = 0; i < 4; i++) {
         long double d = (long double)(old >> 8 * i & 255) / 255, a = in[3];
         long double want =
             i == 3 ? in[3] * a + d * (1 - a) : from_linear(in[i] * a + to_linear(d) * (1 - a));
         if (fabsl(want * 255 - (element >> 8 * i & 255)) > 1)
            fail_msg("channel %u of %#x over %#x: %u, exact %Lg", i, color[0][i], old,
                     element >> 8 * i & 255, want * 255);
      }
   }
}

static void
dithering(void **state)
{
   proves("P3D-349", "DP-467");
   (void)state;
   const unsigned matrix[16] = {0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5};
   const struct hw_color_calc_state cc = {0};
   struct cc_target t;
   for (unsigned n = 0; n < 20000; n++) {
      unsigned x = dice(64), y = dice(64), dx = dice(4), dy = dice(4);
      struct hw_blend_state_entry e = {.color_dither_enable = true,
                                       .x_dither_offset = dx,
                                       .y_dither_offset = dy,
                                       .color_clamp_range = 2,
                                       CLAMP_BOTH};
      uint32_t color[2][4] = {{0}}, in[4];
      uint16_t element = 0;
      for (unsigned i = 0; i < 4; i++)
         in[i] = dice(4097), color[0][i] = float_bits((float)in[i] / 4096.0f);
      cc_resolve(&t, &e, &cc, format_get(GEN7_SURFACE_FORMAT_B5G6R5_UNORM));
      cc_element(&t, x, y, (const uint32_t(*)[4])color, &element);
      unsigned m = matrix[(y + dy) % 4 * 4 + (x + dx) % 4];
      /* floor(v * most / 4096 + m / 16) in whole numbers */
      unsigned r = (in[0] * 31 * 16 + m * 4096) / 65536, g = (in[1] * 63 * 16 + m * 4096) / 65536,
               b = (in[2] * 31 * 16 + m * 4096) / 65536;
      r = r > 31 ? 31 : r, g = g > 63 ? 63 : g, b = b > 31 ? 31 : b;
      assert_int_equal(element, r << 11 | g << 5 | b);
      uint32_t wide_element = 0, plain = 0; /* eight bits and more: none */
      cc_resolve(&t, &e, &cc, format_get(GEN7_SURFACE_FORMAT_R8G8B8A8_UNORM));
      cc_element(&t, x, y, (const uint32_t(*)[4])color, &wide_element);
      e.color_dither_enable = false;
      cc_resolve(&t, &e, &cc, format_get(GEN7_SURFACE_FORMAT_R8G8B8A8_UNORM));
      cc_element(&t, x, y, (const uint32_t(*)[4])color, &plain);
      assert_int_equal(wide_element, plain);
   }
}

/* less, equal, greater, unordered */
static const char accepted[8][5] = {"yyyy", "nnnn", "ynnn", "nynn", "yynn", "nnyn", "ynyy", "nyyn"};

static void
alpha_tests(void **state)
{
   proves("P3D-350");
   (void)state;
   for (unsigned f = 0; f < 8; f++) {
      struct hw_blend_state_entry e = {.alpha_test_enable = true, .alpha_test_function = f};
      struct hw_color_calc_state cc = {.alpha_test_format = 1,
                                       .alpha_reference_value = float_bits(0.5f)};
      struct cc_alpha a;
      const float values[4] = {0.4999f, 0.5f, 0.5001f, NAN};
      cc_resolve_alpha(&a, &e, &cc);
      for (unsigned i = 0; i < 4; i++)
         assert_int_equal(cc_alpha_test(&a, values[i]), accepted[f][i] == 'y');
      cc.alpha_test_format = 0;
      cc.alpha_reference_value = 128; /* 0.4999 and 0.5 are 127 and 128 of 255; 0.5001 is 128 too */
      cc_resolve_alpha(&a, &e, &cc);
      assert_int_equal(cc_alpha_test(&a, 0.4999f), accepted[f][0] == 'y');
      assert_int_equal(cc_alpha_test(&a, 0.5001f), accepted[f][1] == 'y');
      assert_int_equal(cc_alpha_test(&a, 0.51f), accepted[f][2] == 'y');
   }
}

static void
alpha_coverage(void **state)
{
   proves("P3D-352");
   (void)state;
   for (unsigned samples = 4; samples <= 8; samples *= 2) {
      unsigned last = 0;
      assert_int_equal(cc_alpha_coverage(NAN, samples), 0);
      assert_int_equal(cc_alpha_coverage(-1, samples), 0);
      assert_int_equal(cc_alpha_coverage(7, samples), (1u << samples) - 1);
      for (unsigned n = 0; n <= 1024; n++) {
         uint32_t mask = cc_alpha_coverage((float)n / 1024.0f, samples);
         unsigned want = (2 * n * samples + 1024) / 2048; /* nearest, halves up */
         assert_int_equal(mask, (1u << want) - 1);
         assert_true(want >= last);
         last = want;
      }
      assert_int_equal(last, samples);
   }
}

static void
alpha_to_one(void **state)
{
   proves("P3D-353");
   (void)state;
   const struct hw_color_calc_state cc = {0};
   struct hw_blend_state_entry e = {.alphatoone_enable = true, .color_clamp_range = 2};
   uint32_t color[2][4] = {{0, 0, 0, float_bits(0.25f)}}, element = 0;
   struct cc_target t;
   cc_resolve(&t, &e, &cc, format_get(GEN7_SURFACE_FORMAT_R8G8B8A8_UNORM));
   cc_element(&t, 0, 0, (const uint32_t(*)[4])color, &element);
   assert_int_equal(element, 0xff000000);
}

/* ---- eight at once ----------------------------------------------------------------------------
 */

static struct hw_blend_state_entry
random_entry(void)
{
   unsigned clamps = dice(4);
   return (struct hw_blend_state_entry){
       .color_buffer_blend_enable = dice(4) != 0,
       .independent_alpha_blend_enable = dice(2),
       .color_blend_function = dice(5),
       .alpha_blend_function = dice(5),
       .source_blend_factor = dice(3) ? factors[dice(COUNT(factors))] : GEN7_BLEND_FACTOR_SRC_ALPHA,
       .destination_blend_factor =
           dice(3) ? factors[dice(COUNT(factors))] : GEN7_BLEND_FACTOR_INV_SRC_ALPHA,
       .source_alpha_blend_factor = factors[dice(COUNT(factors))],
       .destination_alpha_blend_factor = factors[dice(COUNT(factors))],
       .alphatoone_enable = !dice(8),
       .write_disable_red = !dice(4),
       .write_disable_green = !dice(4),
       .write_disable_blue = !dice(4),
       .write_disable_alpha = !dice(4),
       .color_clamp_range = clamps ? 2 : dice(3),
       .pre_blend_color_clamp_enable = clamps ? true : dice(2),
       .post_blend_color_clamp_enable = clamps ? true : dice(2),
   };
}

static uint32_t
wild_float(void)
{
   static const uint32_t some[] = {0x7fc00000, 0xffc00001, 0x7f800000, 0xff800000, 0x80000000,
                                   0,          1,          0x807fffff, 0x3f800000, 0xbf800000};
   unsigned n = dice(12);
   return n < COUNT(some) ? some[dice(COUNT(some))]
                          : float_bits((float)dice(5000) / 4096.0f - 0.1f);
}

/* 16 pixels: these eight, and the same from right to left. */
static void
row_equals_eights(const struct cc_target *t, const struct surface_view *v, cc_mix_fn mix,
                  cc_mix_row_fn row, const uint32_t (*color)[8], unsigned step,
                  const uint32_t *word)
{
   uint32_t both[8][8], out[2][8], want[1][8];
   for (unsigned i = 0; i < 8; i++) {
      for (unsigned c = 0; c < 4; c++) {
         both[2 * c][i] = color[c * step][i];
         both[2 * c + 1][7 - i] = color[c * step][i];
      }
      out[0][i] = out[1][7 - i] = want[0][i] = word[i];
   }
   mix(t, v, color, step, want);
   row(t, v, (const uint32_t(*)[8])both, out);
   for (unsigned i = 0; i < 8; i++) {
      assert_int_equal(out[0][i], want[0][i]);
      assert_int_equal(out[1][7 - i], want[0][i]);
   }
}

/* One set of state on one format, with the modes that threads run in. */
static bool
fast_equals_general(const struct format_info *f, unsigned *mixed)
{
   struct hw_blend_state_entry e = random_entry();
   struct hw_color_calc_state cc = {.blend_constant_color_red = bits_float(wild_float()),
                                    .blend_constant_color_green = (float)dice(4096) / 4096.0f,
                                    .blend_constant_color_blue = (float)dice(4096) / 4096.0f,
                                    .blend_constant_color_alpha = (float)dice(4096) / 4096.0f};
   struct surface s;
   struct surface_view v;
   struct cc_target t;
   cc_mix_fn mix;
   cc_mix_row_fn row;
   surface_null(&s);
   s.type = SURFTYPE_2D;
   s.width = s.height = 64;
   s.pitch_B = 2048;
   s.format = f->code;
   s.info = f;
   surface_view_make(&v, &s, 0);
   cc_resolve(&t, &e, &cc, f);
   if (!cc_choose_fast(&t, &v, &mix, &row))
      return false;
   uint32_t color[8][8], word[4][8] = {{0}};
   unsigned step = 1 + dice(2);
   uint8_t want[8][16] = {{0}}, got[8][16] = {{0}};
   unsigned size = f->bits / 8u;
   for (unsigned i = 0; i < 8; i++) {
      uint32_t in[2][4] = {{0}};
      for (unsigned c = 0; c < 4; c++)
         in[0][c] = color[c * step][i] =
             f->channel_class == FORMAT_CLASS_FLOAT ? wild_float() : dice(1u << 31) >> dice(31);
      for (unsigned b = 0; b < size; b++)
         want[i][b] = (uint8_t)dice(256);
      for (unsigned k = 0; k < (size + 3) / 4; k++)
         memcpy(&word[k][i], &want[i][4 * k], size < 4 ? size : 4);
      cc_element(&t, i, 0, (const uint32_t(*)[4])in, want[i]);
      if (!mix) /* then colours are packed, whatever is there */
         format_pack(f, in[0], got[i]);
   }
   unsigned modes = fpmode_get();
   fpmode_set(FPMODE_HOST | FPMODE_FLUSH);
   if (row)
      row_equals_eights(&t, &v, mix, row, (const uint32_t(*)[8])color, step, word[0]);
   if (mix)
      mix(&t, &v, (const uint32_t(*)[8])color, step, word);
   fpmode_set(modes);
   for (unsigned i = 0; i < 8; i++)
      for (unsigned k = 0; k < (size + 3) / 4 && mix; k++)
         memcpy(&got[i][4 * k], &word[k][i], size < 4 ? size : 4);
   for (unsigned i = 0; i < 8; i++)
      if (memcmp(want[i], got[i], size))
         fail_msg("%s, slot %u: %02x%02x%02x%02x, not %02x%02x%02x%02x (blend %d, factors %u %u)",
                  f->name, i, got[i][0], got[i][1], got[i][2], got[i][3], want[i][0], want[i][1],
                  want[i][2], want[i][3], t.blend, t.color.source, t.color.destination);
   *mixed += mix != NULL;
   return true;
}

static void
eight_at_once(void **state)
{
   proves("P3D-336", "P3D-337", "P3D-341", "P3D-348");
   (void)state;
   const struct format_info *f;
   unsigned taken = 0, mixed = 0;
   for (unsigned n = 0; n < 1000; n++)
      for (unsigned code = 0; (f = next_target_format(&code));)
         taken += fast_equals_general(f, &mixed);
   assert_true(taken > 5000 && mixed > 5000);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(blending_is_exact_to_a_unit),
       cmocka_unit_test(logic_operations),
       cmocka_unit_test(write_disables),
       cmocka_unit_test(quantisation),
       cmocka_unit_test(clamps),
       cmocka_unit_test(clamp_rules),
       cmocka_unit_test(srgb_targets),
       cmocka_unit_test(dithering),
       cmocka_unit_test(alpha_tests),
       cmocka_unit_test(alpha_coverage),
       cmocka_unit_test(alpha_to_one),
       cmocka_unit_test(eight_at_once),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
