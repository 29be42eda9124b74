/* Every plain format that can be sampled: what comes back is what its name says (SMP-116). */
#include "rig.h"

#include <ctype.h>

struct channel {
   char letter;
   unsigned start, bits;
   char type[12];
};

struct format {
   struct channel c[8];
   unsigned count, bits;
   bool srgb;
};

/* R10G10B10_SNORM_A2_UNORM: letters and widths from the lowest bit on; a type is of the channels
 * before it. */
static bool
parse(const char *name, struct format *f)
{
   char copy[64], *save = NULL;
   unsigned typed = 0;
   memset(f, 0, sizeof(*f));
   snprintf(copy, sizeof(copy), "%s", name);
   for (char *t = strtok_r(copy, "_", &save); t; t = strtok_r(NULL, "_", &save)) {
      if (strlen(t) > 1 && strchr("RGBALIX", t[0]) && isdigit((unsigned char)t[1])) {
         while (*t) {
            struct channel *c = &f->c[f->count++];
            c->letter = *t++;
            c->start = f->bits;
            c->bits = (unsigned)strtoul(t, &t, 10);
            f->bits += c->bits;
         }
      } else if (!strcmp(t, "SRGB")) {
         f->srgb = true;
      } else if (!strcmp(t, "LD")) {
         continue;
      } else {
         for (; typed < f->count; typed++)
            snprintf(f->c[typed].type, sizeof(f->c[0].type), "%s", t);
      }
   }
   return f->count && typed == f->count;
}

static uint64_t
field(const uint8_t *element, unsigned start, unsigned bits)
{
   uint64_t v = 0;
   for (unsigned i = 0; i < bits; i++)
      v |= (uint64_t)(element[(start + i) / 8] >> (start + i) % 8 & 1) << i;
   return v;
}

/* Exponent of 5 bits, biased by 15. */
static double
small_float(uint64_t v, unsigned fraction)
{
   double m = (double)(v & ((1u << fraction) - 1)) / (double)(1u << fraction);
   unsigned e = v >> fraction & 31;
   return e ? ldexp(1 + m, (int)e - 15) : ldexp(m, -14);
}

static double
value(const struct format *f, const struct channel *c, const uint8_t *element, bool *integer)
{
   uint64_t v = field(element, c->start, c->bits);
   int64_t s = (int64_t)(v << (64 - c->bits)) >> (64 - c->bits);
   double most = ldexp(1, (int)c->bits) - 1, half = ldexp(1, (int)c->bits - 1) - 1;
   if (!strcmp(c->type, "UNORM") || !strcmp(c->type, "TYPELESS")) {
      double x = (double)v / most;
      if (f->srgb && c->letter != 'A')
         x = x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
      return x;
   }
   if (!strcmp(c->type, "SNORM"))
      return fmax((double)s / half, -1);
   *integer |= !strcmp(c->type, "UINT") || !strcmp(c->type, "SINT");
   if (!strcmp(c->type, "UINT"))
      return (double)v;
   if (!strcmp(c->type, "SINT"))
      return (double)s;
   if (c->bits == 32)
      return rig_float((uint32_t)v);
   if (c->bits == 16)
      return (v >> 15 ? -1 : 1) * small_float(v & 0x7fff, 10);
   return small_float(v, c->bits - 5);
}

/* Random bits, floats kept finite. */
static void
fill(const struct format *f, uint8_t *element, uint32_t *seed)
{
   for (unsigned i = 0; i < 16; i++) {
      *seed = *seed * 1664525 + 1013904223;
      element[i] = (uint8_t)(*seed >> 24);
   }
   for (unsigned i = 0; i < f->count; i++) {
      if (strcmp(f->c[i].type, "FLOAT"))
         continue;
      unsigned bit =
          f->c[i].start + f->c[i].bits - (f->c[i].bits < 16 ? 1 : 2); /* of the exponent */
      element[bit / 8] &= (uint8_t) ~(1u << bit % 8);
      if (f->c[i].bits == 32) /* nor denormal */
         element[(bit - 1) / 8] |= (uint8_t)(1u << (bit - 1) % 8);
   }
}

static bool
expect(const struct format *f, const uint8_t *element, double out[4], double one)
{
   bool integer = false;
   out[0] = out[1] = out[2] = 0;
   out[3] = one;
   for (unsigned i = 0; i < f->count; i++) {
      const struct channel *c = &f->c[i];
      if (c->letter == 'X')
         continue;
      double v = value(f, c, element, &integer);
      if (c->letter == 'L' || c->letter == 'I')
         out[0] = out[1] = out[2] = v;
      if (c->letter == 'I')
         out[3] = v;
      const char *at = strchr("RGBA", c->letter);
      if (at)
         out[at - "RGBA"] = v;
   }
   return integer;
}

static void
expect_names(struct fx *f, unsigned first, unsigned last, unsigned count)
{
   unsigned seen = 0;
   uint32_t seed = 5;
   struct hw_sampler_state st = {.max_lod = 14 << 8};
   rig_sampler(f, 0, &st);
   f->exec_mask = 0xff;
   for (unsigned code = first; code <= last; code++) {
      const struct format_info *info = format_get(code);
      struct format n;
      if (!(info->capabilities & FORMAT_SAMPLER) || info->layout != FORMAT_PLAIN ||
          !parse(info->name, &n))
         continue;
      if (n.bits != info->bits)
         fail_msg("%s has %u bits, not %u", info->name, n.bits, info->bits);
      seen++;
      struct hw_render_surface_state s = rig_2d(code, 4, 2, 64);
      fx_surface(f, 1, &s);
      for (unsigned round = 0; round < 20; round++) {
         uint8_t element[8][16];
         fx_clear_payload(f);
         for (unsigned p = 0; p < 8; p++) {
            fill(&n, element[p], &seed);
            memcpy(fx_at(f, FX_DATA + 64 * (p / 4) + p % 4 * n.bits / 8), element[p], n.bits / 8);
            rig_put_float(f, SIMD8, false, 1, p, (0.5f + (float)(p % 4)) / 4);
            rig_put_float(f, SIMD8, false, 2, p, p / 4 ? 0.75f : 0.25f);
         }
         surface_cache_invalidate(f->dev->surfaces);
         rig_send(f, SAMPLER_SAMPLE_L, SIMD8, 1, 0, 3);
         for (unsigned p = 0; p < 8; p++) {
            double want[4];
            bool integer = expect(&n, element[p], want, 1);
            for (unsigned c = 0; c < 4; c++) {
               uint32_t bits = rig_get(f, SIMD8, c, p);
               double got =
                   integer ? (want[c] < 0 ? (double)(int32_t)bits : (double)bits) : rig_float(bits);
               if (fabs(got - want[c]) > 2e-7 * fmax(1, fabs(want[c])) ||
                   (integer && got != want[c]))
                  fail_msg("%s channel %u: %.9g for %.9g", info->name, c, got, want[c]);
            }
         }
      }
   }
   assert_int_equal(seen, count);
   assert_silent(f);
}

static void
names_of_wide_formats(void **state)
{
   proves("SMP-005", "SMP-119", "SMP-120", "SMP-121", "SMP-123", "SMP-124", "SMP-125", "SMP-126",
          "SMP-127", "SMP-399");
   expect_names(*state, 0, 0xbf, 24);
}

static void
names_of_dword_formats(void **state)
{
   proves("SMP-009", "SMP-128", "SMP-129", "SMP-130", "SMP-132", "SMP-133", "SMP-134", "SMP-309");
   expect_names(*state, 0xc0, 0xd8, 22);
}

static void
names_of_other_dword_formats(void **state)
{
   proves("SMP-135", "SMP-136", "SMP-137", "SMP-138", "SMP-139", "SMP-141");
   expect_names(*state, 0xd9, 0xff, 15);
}

static void
names_of_narrow_formats(void **state)
{
   proves("SMP-142", "SMP-143", "SMP-146", "SMP-148", "SMP-149", "SMP-150", "SMP-151", "SMP-152",
          "SMP-153", "SMP-164");
   expect_names(*state, 0x100, FORMAT_COUNT - 1, 34);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test_setup_teardown(names_of_wide_formats, rig_setup, fx_teardown),
       cmocka_unit_test_setup_teardown(names_of_dword_formats, rig_setup, fx_teardown),
       cmocka_unit_test_setup_teardown(names_of_other_dword_formats, rig_setup, fx_teardown),
       cmocka_unit_test_setup_teardown(names_of_narrow_formats, rig_setup, fx_teardown)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
