/* Untyped messages: the forms that are not a plain raw buffer without a header. */
#include "fixture.h"
#include "tests/proves.h"

enum { SIMD4X2, SIMD16, SIMD8 };
#define READ(simd, mask) (5u << 14 | (simd) << 12 | (mask) << 8)
#define WRITE(simd, mask) (13u << 14 | (simd) << 12 | (mask) << 8)
#define ATOMIC(simd8, op, ret) (6u << 14 | (ret) << 13 | (simd8) << 12 | (op) << 8)
enum { CMPWR8B = 0, INC = 5, ADD = 7, CMPWR = 14 };
#define PITCH 20u /* of the structured buffer, which has 32 elements */

static void
structured_buffer(struct fx *f)
{
   struct hw_render_surface_state st = fx_buffer_state(SURFTYPE_STRBUF, 0x1ff, FX_DATA, 32, PITCH);
   fx_surface(f, 0, &st);
   fx_pattern(f, FX_DATA, 1024);
   fx_clear_payload(f);
}

/* DP-260 DP-432 DP-186 DP-189 DP-259: SIMD16 on a structured buffer, two registers of U, two of V,
 * with a header before them or not. */
static void
structured_simd16(void **state)
{
   proves("DP-260", "DP-432", "DP-186", "DP-189", "DP-259");
   struct fx *f = *state;
   for (unsigned header = 0; header < 2; header++) {
      structured_buffer(f);
      fx_in(f, 0)[7] = 0xffff;
      for (unsigned i = 0; i < 16; i++) {
         fx_in(f, header + i / 8)[i % 8] = 31 - i;
         fx_in(f, header + 2 + i / 8)[i % 8] = 4 * (i % 3);
      }
      fx_send(f, SFID_DP_DATA0, READ(SIMD16, 12u), header, header + 4, 4);
      for (unsigned i = 0; i < 16; i++)
         for (unsigned c = 0; c < 2; c++)
            assert_int_equal(fx_out(f, 2 * c + i / 8)[i % 8],
                             0xA0000000u + (31 - i) * PITCH + 4 * (i % 3) + 4 * c);
   }
   assert_silent(f);
}

/* DP-263 DP-268 DP-258: the data of a structured write follows U and V. */
static void
structured_write(void **state)
{
   proves("DP-263", "DP-268", "DP-258");
   struct fx *f = *state;
   for (unsigned n = 8; n <= 16; n += 8) {
      unsigned w = n / 8;
      uint32_t want[256];
      structured_buffer(f);
      memcpy(want, fx_at(f, FX_DATA), sizeof(want));
      for (unsigned i = 0; i < n; i++) {
         fx_in(f, i / 8)[i % 8] = 2 * i;
         fx_in(f, w + i / 8)[i % 8] = 8;
         for (unsigned c = 0; c < 2; c++) {
            fx_in(f, (2 + c) * w + i / 8)[i % 8] = 100 * c + i;
            want[(2 * i * PITCH + 8) / 4 + c] = 100 * c + i;
         }
      }
      fx_send(f, SFID_DP_DATA0, WRITE(n == 16 ? SIMD16 : SIMD8, 12u), false, 4 * w, 0);
      assert_memory_equal(fx_at(f, FX_DATA), want, sizeof(want));
   }
   assert_silent(f);
}

/* DP-026 DP-261 DP-266 DP-191 DP-189: atomics on a structured buffer; the sources follow U and V.
 */
static void
structured_atomics(void **state)
{
   proves("DP-026", "DP-261", "DP-266", "DP-191", "DP-189");
   struct fx *f = *state;
   for (unsigned n = 8; n <= 16; n += 8) {
      unsigned w = n / 8;
      structured_buffer(f);
      for (unsigned i = 0; i < n; i++) {
         uint32_t old = 0xA0000000u + i * PITCH + 12;
         fx_in(f, i / 8)[i % 8] = i;
         fx_in(f, w + i / 8)[i % 8] = 12;
         fx_in(f, 2 * w + i / 8)[i % 8] = i & 1 ? old : 1;
         fx_in(f, 3 * w + i / 8)[i % 8] = 500 + i;
      }
      fx_send(f, SFID_DP_DATA0, ATOMIC(n == 8, CMPWR, 1u), false, 4 * w, w);
      for (unsigned i = 0; i < n; i++) {
         uint32_t old = 0xA0000000u + i * PITCH + 12;
         assert_int_equal(fx_out(f, i / 8)[i % 8], old);
         assert_int_equal(fx_dw(f, FX_DATA)[(i * PITCH + 12) / 4], i & 1 ? 500 + i : old);
         assert_int_equal(fx_dw(f, FX_DATA)[(i * PITCH + 16) / 4], old + 4);
      }
   }
   assert_silent(f);
}

/* DP-026 DP-226 DP-227 DP-228 DP-257: with a header its mask drops atomics; all else in the header
 * is ignored. */
static void
atomic_header(void **state)
{
   proves("DP-026", "DP-226", "DP-227", "DP-228", "DP-257");
   struct fx *f = *state;
   fx_raw(f, 0, FX_DATA, 4096);
   for (unsigned n = 8; n <= 16; n += 8) {
      memset(fx_at(f, FX_DATA), 0, 256);
      fx_clear_payload(f);
      for (unsigned i = 0; i < 8; i++)
         fx_in(f, 0)[i] = 0xffffffff;
      fx_in(f, 0)[7] = 0xffff0000 | 0xa5a5;
      for (unsigned i = 0; i < n; i++)
         fx_in(f, 1 + i / 8)[i % 8] = 4 * i;
      f->exec_mask = 0x3cff;
      fx_send(f, SFID_DP_DATA0, ATOMIC(n == 8, INC, 0u), true, 1 + n / 8, 0);
      for (unsigned i = 0; i < 16; i++)
         assert_int_equal(fx_dw(f, FX_DATA)[i], i < n && 0x3cff & 0xa5a5 & 1u << i ? 1 : 0);
   }
   assert_silent(f);
}

/* DP-024 DP-025 DP-026 DP-049 DP-429: stateless with a header: read, write and atomic, up to the
 * bound. */
static void
stateless(void **state)
{
   proves("DP-024", "DP-025", "DP-026", "DP-049", "DP-429");
   struct fx *f = *state;
   f->env.general_state_end = FX_GENERAL + 0x1000;
   fx_pattern(f, FX_GENERAL, 0x1100);
   fx_clear_payload(f);
   fx_in(f, 0)[5] = 0xc00 | 0x3ff;
   fx_in(f, 0)[7] = 0xffff;
   f->exec_mask = 0xff;
   fx_send(f, SFID_DP_DATA0, 2u << 8 | 255, true, 1, 1); /* an OWord block may be */
   assert_silent(f);
   for (unsigned i = 0; i < 8; i++) {
      fx_in(f, 1)[i] = 0x3f0 + 4 * i;
      fx_in(f, 2)[i] = 5;
   }
   fx_fill_response(f, 1, 9);
   fx_send(f, SFID_DP_DATA0, ATOMIC(1u, ADD, 1u) | 255, true, 3, 1);
   assert_rule(f, "DP-049");
   for (unsigned i = 0; i < 8; i++) {
      assert_int_equal(fx_out(f, 0)[i], i < 4 ? 0xA0000ff0u + 4 * i : 0);
      assert_int_equal(fx_dw(f, FX_GENERAL + 0xff0)[i], 0xA0000ff0u + 4 * i + (i < 4 ? 5 : 0));
   }
   fx_send(f, SFID_DP_DATA0, WRITE(SIMD8, 14u) | 255, true, 3, 0);
   assert_rule(f, "DP-049");
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(fx_dw(f, FX_GENERAL + 0xff0)[i], i < 4 ? 5 : 0xA0000ff0u + 4 * i);
   fx_fill_response(f, 1, 9);
   fx_send(f, SFID_DP_DATA0, READ(SIMD8, 14u) | 255, true, 2, 1);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(fx_out(f, 0)[i], i < 4 ? 5 : 0);
}

/* DP-229 DP-257 DP-270 DP-279: each of the four bits turns a slot on, the header's mask does
 * nothing, V is beside U. */
static void
simd4x2_forms(void **state)
{
   proves("DP-229", "DP-257", "DP-270", "DP-279");
   struct fx *f = *state;
   structured_buffer(f);
   for (unsigned bit = 0; bit < 8; bit++) {
      for (unsigned i = 0; i < 8; i++)
         fx_in(f, 1)[i] = 0xffffffff; /* R and LOD are ignored */
      fx_in(f, 1)[0] = 3;
      fx_in(f, 1)[1] = 4;
      fx_in(f, 1)[4] = 7;
      fx_in(f, 1)[5] = 8;
      f->exec_mask = 0xff00 | 1u << bit;
      fx_fill_response(f, 1, 9);
      fx_send(f, SFID_DP_DATA0, READ(SIMD4X2, 0u), true, 2, 1); /* the mask in the header is 0 */
      for (unsigned i = 0; i < 8; i++) {
         uint32_t v = i < 4 ? 4 + 4 * i : 8 + 4 * (i - 4);
         uint32_t there = v < PITCH ? 0xA0000000u + (i < 4 ? 3 : 7) * PITCH + v : 0;
         assert_int_equal(fx_out(f, 0)[i], i / 4 == bit / 4 ? there : 9);
      }
   }
   assert_silent(f);
}

/* DP-211 DP-222 DP-230: 64 bits at an address that is not a multiple of 8: named, and done at the
 * multiple below; across the end nothing is done. */
static void
cmpwr8b_addresses(void **state)
{
   proves("DP-211", "DP-222", "DP-230");
   struct fx *f = *state;
   fx_raw(f, 0, FX_DATA, 20);
   fx_clear_payload(f);
   f->exec_mask = 3;
   for (unsigned i = 0; i < 6; i++)
      fx_dw(f, FX_DATA)[i] = 10 + i;
   fx_in(f, 0)[0] = 12;
   fx_in(f, 1)[0] = 12;
   fx_in(f, 2)[0] = 13;
   fx_in(f, 0)[1] = 16;
   fx_in(f, 1)[1] = 14;
   fx_in(f, 2)[1] = 15;
   for (unsigned i = 0; i < 2; i++) {
      fx_in(f, 3)[i] = 80 + i;
      fx_in(f, 4)[i] = 90 + i;
   }
   fx_fill_response(f, 2, 9);
   fx_send(f, SFID_DP_DATA0, ATOMIC(1u, CMPWR8B, 1u), false, 5, 2);
   assert_rule(f, "DP-211");
   static const uint32_t want[6] = {10, 11, 80, 90, 14, 15};
   assert_memory_equal(fx_at(f, FX_DATA), want, sizeof(want));
   assert_int_equal(fx_out(f, 0)[0], 12);
   assert_int_equal(fx_out(f, 1)[0], 13);
   assert_int_equal(fx_out(f, 0)[1], 0);
   assert_int_equal(fx_out(f, 0)[2], 9);
}

/* DP-420: a null surface reads as zeros in every form, and keeps nothing. */
static void
null_surface(void **state)
{
   proves("DP-420");
   struct fx *f = *state;
   struct hw_render_surface_state st = {.surface_type = SURFTYPE_NULL,
                                        .tiled_surface = true,
                                        .surface_base_address = FX_DATA,
                                        .width = 127,
                                        .height = 15};
   fx_surface(f, 0, &st);
   fx_pattern(f, FX_DATA, 256);
   fx_clear_payload(f);
   for (unsigned i = 0; i < 16; i++)
      fx_in(f, i / 8)[i % 8] = 4 * i;
   fx_fill_response(f, 2, 7);
   fx_send(f, SFID_DP_DATA0, READ(SIMD16, 14u), false, 2, 2);
   for (unsigned i = 0; i < 16; i++)
      assert_int_equal(fx_out(f, 0)[i], 0);
   fx_fill_response(f, 1, 7);
   fx_send(f, SFID_DP_DATA0, READ(SIMD4X2, 0u), false, 1, 1);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(fx_out(f, 0)[i], 0);
   fx_send(f, SFID_DP_DATA0, WRITE(SIMD16, 14u), false, 4, 0);
   fx_send(f, SFID_DP_DATA0, ATOMIC(0u, INC, 0u), false, 2, 0);
   for (unsigned i = 0; i < 64; i++)
      assert_int_equal(fx_dw(f, FX_DATA)[i], 0xA0000000u + 4 * i);
   assert_silent(f);
}

/* DP-235: two slots that are on and write the same dwords are named, in either order; slots that
 * are off are not, and neighbours are no overlap. Neither is it told when they write the same
 * values. */
static void
overlapping_slots(void **state)
{
   proves("DP-235");
   struct fx *f = *state;
   fx_raw(f, 0, FX_DATA, 4096);
   for (unsigned first = 0; first < 15; first += 7)
      for (unsigned back = 0; back < 2; back++)
         for (unsigned on = 0; on < 4; on++)
            for (unsigned off_by = 0; off_by < 3;
                 off_by++) { /* dwords between the two; two are written */
               fx_clear_payload(f);
               for (unsigned i = 0; i < 16; i++)
                  fx_in(f, 0)[i] = 64 + 32 * (back ? 16 - i : i);
               fx_in(f, 0)[15] = fx_in(f, 0)[first] + (back ? -4 * off_by : 4 * off_by);
               f->exec_mask = 0xffff ^ (on & 1 ? 0 : 1u << first) ^ (on & 2 ? 0 : 0x8000);
               fx_send(f, SFID_DP_DATA0, WRITE(SIMD16, 12u), false, 6, 0);
               assert_int_equal(fx_said(f, "DP-235"), 0);
               /* All values differ. */
               for (unsigned i = 0; i < 32; i++)
                  fx_in(f, 2)[i] = 100 + i;
               fx_send(f, SFID_DP_DATA0, WRITE(SIMD16, 12u), false, 6, 0);
               assert_int_equal(fx_said(f, "DP-235"), on == 3 && off_by < 2);
               f->rule_count = 0;
               /* One dword apart the green of the one is the red of the other: equal again. */
               fx_in(f, 2)[15] = fx_in(f, 2)[16 + first];
               fx_in(f, 2)[31] = fx_in(f, 2)[first];
               fx_send(f, SFID_DP_DATA0, WRITE(SIMD16, 12u), false, 6, 0);
               assert_int_equal(fx_said(f, "DP-235"), on == 3 && off_by < 1);
               f->rule_count = 0;
            }
}

/* DP-213 DP-214 DP-417 DP-423: each rule of the surface is broken alone, and named alone. */
static void
surface_rules(void **state)
{
   proves("DP-213", "DP-214", "DP-417", "DP-423", "SMP-408", "SMP-478", "SMP-363");
   struct fx *f = *state;
   static const struct {
      unsigned type, format, base, entries, pitch, tiled;
      const char *rule;
   } table[] = {{SURFTYPE_BUFFER, 0x1ff, 0, 64, 1, 0, NULL},
                {SURFTYPE_STRBUF, 0x1ff, 0, 64, 12, 0, NULL},
                {SURFTYPE_BUFFER, 0xd7, 0, 64, 4, 0, "DP-214"},
                {SURFTYPE_STRBUF, 0x1ff, 0, 64, 10, 0, "DP-423"},
                {SURFTYPE_STRBUF, 0x1ff, 2, 64, 12, 0, "DP-423"},
                {SURFTYPE_STRBUF, 0x1ff, 0, 64, 2048, 0, NULL},
                {SURFTYPE_STRBUF, 0x1ff, 0, 64, 2052, 0, "DP-423"},
                {SURFTYPE_BUFFER, 0x1ff, 0, 63, 1, 0, "DP-417"},
                {SURFTYPE_STRBUF, 0x1ff, 0, 64, 12, 1, "DP-213"},
                {SURFTYPE_BUFFER, 0x1ff, 0, 64, 1, 1, "DP-213"}};
   static const char *const all[4] = {"DP-213", "DP-214", "DP-417", "DP-423"};
   for (unsigned t = 0; t < sizeof(table) / sizeof(table[0]); t++) {
      struct hw_render_surface_state st =
          fx_buffer_state(table[t].type, table[t].format, FX_DATA + table[t].base, table[t].entries,
                          table[t].pitch);
      st.tiled_surface = table[t].tiled;
      fx_surface(f, 0, &st);
      fx_clear_payload(f);
      f->exec_mask = 1;
      fx_send(f, SFID_DP_DATA0, READ(SIMD8, 14u), false, 2, 1);
      for (unsigned k = 0; k < 4; k++)
         assert_int_equal(fx_said(f, all[k]), table[t].rule && !strcmp(table[t].rule, all[k]));
      f->rule_count = 0;
   }
}

/* DP-259: a message without an address, and one with more than four parameters, are named. */
static void
parameter_counts(void **state)
{
   proves("DP-259");
   struct fx *f = *state;
   fx_raw(f, 0, FX_DATA, 256);
   fx_clear_payload(f);
   fx_send(f, SFID_DP_DATA0, WRITE(SIMD8, 14u), false, 1, 0);
   assert_rule(f, "DP-259");
   fx_send(f, SFID_DP_DATA0, READ(SIMD8, 14u), false, 5, 1);
   assert_rule(f, "DP-259");
   fx_send(f, SFID_DP_DATA0, READ(SIMD8, 14u), false, 2, 1);
   assert_silent(f);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       FX_TEST(structured_simd16), FX_TEST(structured_write), FX_TEST(structured_atomics),
       FX_TEST(atomic_header),     FX_TEST(stateless),        FX_TEST(simd4x2_forms),
       FX_TEST(cmpwr8b_addresses), FX_TEST(null_surface),     FX_TEST(parameter_counts),
       FX_TEST(overlapping_slots), FX_TEST(surface_rules),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
