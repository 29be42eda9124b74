/* Render target write: payload forms, slots, targets. */
#include "render_target.h"
#include "tests/proves.h"

/* A combination that the table of the manual lists: where each value lies. Register numbers are
 * written out as it prints them (M2 is 2). */
struct form {
   unsigned type, flags, regs;     /* registers after the header */
   int alpha, omask, color, depth; /* first register of each part, or -1 */
};

static void
expect_forms(struct fx *f, const struct form *forms, unsigned count)
{
   struct seen seen = {0};
   struct pixel_backend backend = {.pixels_data = &seen, .pixels = take, .dual_source_blend = true};
   f->env.pixel = &backend;
   target(f, RGBA_FLOAT, 1);
   for (unsigned t = 0; t < count; t++) {
      header(f, forms[t].flags, 0xffff);
      fx_in(f, 0)[2] = 1; /* render target 1: source 0 alpha is for those */
      for (unsigned r = 2; r < 15; r++)
         for (unsigned i = 0; i < 8; i++)
            fx_in(f, r)[i] = float_bits((float)(r * 100 + i));
      if (forms[t].omask >= 0)
         for (unsigned i = 0; i < 8; i++)
            fx_in(f, (unsigned)forms[t].omask)[i] = (2 * i + 1) << 16 | (2 * i) | 0x40004000;
      fx_send(f, SFID_DP_RENDER, RT(forms[t].type), true, 2 + forms[t].regs, 0);
      assert_silent(f);
      bool wide = forms[t].type == SIMD16,
           dual = forms[t].type == DUAL_LO || forms[t].type == DUAL_HI;
      unsigned slots = forms[t].type <= REPDATA ? 16 : 8, first = forms[t].type == DUAL_HI ? 8 : 0;
      assert_int_equal(seen.w.slot_count, slots);
      assert_int_equal(seen.w.first_slot, first);
      for (unsigned i = 0; i < slots; i++) {
         const struct rt_slot *s = &seen.w.slot[i];
         unsigned half = wide ? i / 8 : 0;
         for (unsigned c = 0; c < 4; c++) {
            unsigned reg = (unsigned)forms[t].color + c * (wide ? 2 : 1) + half;
            float want = forms[t].type == REPDATA ? (float)((unsigned)forms[t].color * 100 + c)
                                                  : (float)(reg * 100 + i % 8);
            assert_true(bits_float(s->color[0][c]) == want);
            if (dual)
               assert_true(bits_float(s->color[1][c]) ==
                           (float)(((unsigned)forms[t].color + 4 + c) * 100 + i % 8));
         }
         assert_int_equal(s->omask, forms[t].omask >= 0 ? 0x4000 | (first + i) : 0xffff);
         if (forms[t].alpha >= 0)
            assert_true(s->source0_alpha ==
                        (float)(((unsigned)forms[t].alpha + half) * 100 + i % 8));
         if (forms[t].depth >= 0)
            assert_true(s->depth == (float)(((unsigned)forms[t].depth + half) * 100 + i % 8));
         unsigned x, y;
         place_of(first + i, &x, &y);
         assert_int_equal(s->x, x);
         assert_int_equal(s->y, y);
      }
   }
   f->env.pixel = NULL;
}

/* SIMD16: eight forms. */
static void
forms_of_16(void **state)
{
   proves("DP-323", "DP-324", "DP-325", "DP-326", "DP-327", "DP-328", "DP-329", "DP-330", "DP-385",
          "DP-395");
   static const struct form forms[] = {{SIMD16, 0, 8, -1, -1, 2, -1},
                                       {SIMD16, ALPHA0, 10, 2, -1, 4, -1},
                                       {SIMD16, DEPTH, 10, -1, -1, 2, 10},
                                       {SIMD16, DEPTH | ALPHA0, 12, 2, -1, 4, 12},
                                       {SIMD16, OMASK, 9, -1, 2, 3, -1},
                                       {SIMD16, OMASK | ALPHA0, 11, 2, 4, 5, -1},
                                       {SIMD16, OMASK | DEPTH, 11, -1, 2, 3, 11},
                                       {SIMD16, OMASK | DEPTH | ALPHA0, 13, 2, 4, 5, 13}};
   expect_forms(*state, forms, sizeof(forms) / sizeof(forms[0]));
}

/* One colour for all slots. */
static void
forms_of_replicated_data(void **state)
{
   proves("DP-332");
   static const struct form forms[] = {{REPDATA, 0, 1, -1, -1, 2, -1},
                                       {REPDATA, OMASK, 2, -1, 2, 3, -1}};
   expect_forms(*state, forms, sizeof(forms) / sizeof(forms[0]));
}

/* Two sources; DP-321, DP-322: slots 7:0 or 15:8 by the type. DP-388: of oMask too. */
static void
forms_of_dual_source(void **state)
{
   proves("DP-333", "DP-334", "DP-335", "DP-336", "DP-321", "DP-322", "DP-388", "DP-394");
   static const struct form forms[] = {
       {DUAL_LO, 0, 8, -1, -1, 2, -1},    {DUAL_LO, DEPTH, 9, -1, -1, 2, 10},
       {DUAL_LO, OMASK, 9, -1, 2, 3, -1}, {DUAL_LO, OMASK | DEPTH, 10, -1, 2, 3, 11},
       {DUAL_HI, 0, 8, -1, -1, 2, -1},    {DUAL_HI, OMASK, 9, -1, 2, 3, -1}};
   expect_forms(*state, forms, sizeof(forms) / sizeof(forms[0]));
}

/* The same for slots 15:8. */
static void
forms_of_upper_dual_source(void **state)
{
   proves("DP-337", "DP-338", "DP-339", "DP-340");
   static const struct form forms[] = {{DUAL_HI, 0, 8, -1, -1, 2, -1},
                                       {DUAL_HI, DEPTH, 9, -1, -1, 2, 10},
                                       {DUAL_HI, OMASK, 9, -1, 2, 3, -1},
                                       {DUAL_HI, OMASK | DEPTH, 10, -1, 2, 3, 11}};
   expect_forms(*state, forms, sizeof(forms) / sizeof(forms[0]));
}

/* SIMD8: eight forms, and a message that is longer. */
static void
forms_of_8(void **state)
{
   proves("DP-341", "DP-342", "DP-343", "DP-344", "DP-345", "DP-346", "DP-347", "DP-348", "DP-465");
   static const struct form forms[] = {
       {SIMD8, 0, 4, -1, -1, 2, -1},           {SIMD8, ALPHA0, 5, 2, -1, 3, -1},
       {SIMD8, DEPTH, 5, -1, -1, 2, 6},        {SIMD8, DEPTH | ALPHA0, 6, 2, -1, 3, 7},
       {SIMD8, OMASK, 5, -1, 2, 3, -1},        {SIMD8, OMASK | ALPHA0, 6, 2, 3, 4, -1},
       {SIMD8, OMASK | DEPTH, 6, -1, 2, 3, 7}, {SIMD8, OMASK | DEPTH | ALPHA0, 7, 2, 3, 4, 8}};
   expect_forms(*state, forms, sizeof(forms) / sizeof(forms[0]));
   struct fx *f = *state;
   header(f, 0, 0xffff);
   fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 7, 0);
   assert_rule(f, "DP-465");
}

/* DP-376: the header's fields, each where the manual puts it; what it ignores is ignored. */
static void
header_fields(void **state)
{
   proves("DP-376", "DP-350");
   struct fx *f = *state;
   struct seen seen = {0};
   struct pixel_backend backend = {.pixels_data = &seen, .pixels = take};
   f->env.pixel = &backend;
   target(f, RGBA_FLOAT, 1);
   header(f, 1u << 31 | 5u << 27 | 1u << 15 | 1u << 14 | 3u << 9 | 2u << 6 | 0x3f, 0x1234);
   for (unsigned i = 3; i < 10; i++) /* M0.3 to M1.1 */
      fx_in(f, 0)[i] = 0xffffffff;
   fx_in(f, 1)[6] = 0xffffffff;
   for (unsigned n = 0; n < 4; n++)
      fx_in(f, 1)[2 + n] = (1000 + 10 * n) << 16 | (500 + 20 * n);
   fx_in(f, 0)[1] = 0xabcdef7f;
   fx_in(f, 0)[2] = 0xfffffff8u | 3;
   fx_in(f, 1)[7] = 0x5678u << 16 | 0x1234;
   fx_send(f, SFID_DP_RENDER, RT(SIMD16) | LAST, true, 10, 0);
   assert_int_equal(seen.w.viewport, 5);
   assert_true(seen.w.back_facing);
   assert_int_equal(seen.w.sample_pair, 2);
   assert_int_equal(seen.w.color_calc_state, 0xabcdef40);
   assert_int_equal(seen.w.render_target_index, 3);
   assert_int_equal(seen.w.enables, 0x1234);
   assert_int_equal(seen.w.dispatched, 0x5678);
   assert_true(seen.w.last);
   assert_int_equal(seen.w.scoreboard, 0x5678); /* DP-350 */
   for (unsigned i = 0; i < 16; i++) {
      assert_int_equal(seen.w.slot[i].enabled, 0x1234 >> i & 1);
      assert_int_equal(seen.w.slot[i].x, 500 + 20 * (i / 4) + i % 2);
      assert_int_equal(seen.w.slot[i].y, 1000 + 10 * (i / 4) + i % 4 / 2);
   }
   assert_false(seen.w.has_depth || seen.w.has_omask || seen.w.has_source0_alpha);
   assert_silent(f);
}

/* DP-033 DP-360 DP-366 DP-459 DP-460 DP-396 DP-349 DP-391: with no windower, enabled pixels
 * inside the surface get their colour, whatever the execution mask; the rest is not touched. */
static void
plain_write(void **state)
{
   proves("DP-033", "DP-360", "DP-366", "DP-459", "DP-460", "DP-396", "DP-349", "DP-391");
   struct fx *f = *state;
   target(f, 0xc7, 1);
   f->exec_mask = 0;
   memset(fx_at(f, FX_DATA), 0, 64 * 2048);
   header(f, 0, 0xd7f1);
   fx_in(f, 1)[2 + 3] = 62u << 16 | 63; /* the last subspan hangs over the right and lower edge */
   for (unsigned i = 0; i < 16; i++) {
      fx_in(f, 2 + i / 8)[i % 8] = float_bits((float)i / 255);
      fx_in(f, 8 + i / 8)[i % 8] = float_bits(1);
   }
   fx_send(f, SFID_DP_RENDER, RT(SIMD16), true, 10, 0);
   unsigned written = 0;
   for (unsigned y = 0; y < 64; y++)
      for (unsigned x = 0; x < 64; x++) {
         uint32_t at = FX_DATA + y / 32 * 32 * 2048 + x * 4 / 128 * 4096 + x * 4 % 128 / 16 * 512 +
                       y % 32 * 16 + x * 4 % 16;
         uint32_t want = 0;
         for (unsigned i = 0; i < 16; i++) {
            unsigned sx, sy;
            place_of(i, &sx, &sy);
            if (i >= 12)
               sx = 63 + i % 2, sy = 62 + i % 4 / 2;
            if (sx == x && sy == y && 0xd7f1 >> i & 1)
               want = 0xff000000u | i, written++;
         }
         assert_int_equal(*fx_dw(f, at), want);
      }
   assert_int_equal(written, 10);
   assert_silent(f);
}

/* DP-331 DP-355 DP-356 DP-392 DP-393: one colour for all slots, on tiled targets only. */
static void
replicated(void **state)
{
   proves("DP-331", "DP-355", "DP-356", "DP-392", "DP-393");
   struct fx *f = *state;
   target(f, 0xc7, 1);
   header(f, 0, 0xffff);
   for (unsigned c = 0; c < 4; c++)
      fx_in(f, 2)[c] = float_bits(c == 3 ? 1.0f : (float)(c + 1) / 255);
   fx_send(f, SFID_DP_RENDER, RT(REPDATA), true, 3, 0);
   assert_silent(f);
   assert_int_equal(*fx_dw(f, FX_DATA + 8 * 4 / 16 * 512 + 4 * 16), 0xff030201);
   fx_in(f, 0)[0] = DEPTH;
   fx_send(f, SFID_DP_RENDER, RT(REPDATA), true, 4, 0);
   assert_rule(f, "DP-356");
   struct hw_render_surface_state st = {.surface_type = SURFTYPE_2D,
                                        .surface_format = 0xc7,
                                        .width = 63,
                                        .height = 63,
                                        .surface_pitch = 255,
                                        .surface_base_address = FX_DATA};
   fx_surface(f, 0, &st);
   fx_in(f, 0)[0] = 0;
   fx_send(f, SFID_DP_RENDER, RT(REPDATA), true, 3, 0);
   assert_rule(f, "DP-393");
}

/* DP-381 DP-382 DP-421 DP-422: layers, the level, and indices outside the view. */
static void
layers(void **state)
{
   proves("DP-381", "DP-382", "DP-421", "DP-422");
   struct fx *f = *state;
   f->env.pixel = plain_windower();
   static const struct {
      unsigned type, depth, min, index, layer; /* layer as addressed */
   } table[] = {{SURFTYPE_2D, 6, 0, 3, 3}, {SURFTYPE_2D, 4, 2, 1, 3},   {SURFTYPE_2D, 4, 2, 5, 2},
                {SURFTYPE_3D, 8, 0, 2, 2}, {SURFTYPE_CUBE, 1, 0, 4, 4}, {SURFTYPE_CUBE, 1, 0, 6, 0},
                {SURFTYPE_2D, 1, 0, 3, 0}};
   for (unsigned t = 0; t < 7; t++) {
      struct hw_render_surface_state st = {
          .surface_type = table[t].type,
          .surface_format = 0xc7,
          .surface_base_address = FX_DATA,
          .width = 63,
          .height = 63,
          .depth = table[t].depth - 1,
          .surface_array = table[t].type == SURFTYPE_2D && table[t].depth > 1,
          .surface_pitch = 1023,
          .minimum_array_element = table[t].min,
          .render_target_view_extent = table[t].depth > 1 ? table[t].depth - 1 : 2047,
          .mip_count_or_lod = 1,
          .surface_min_lod = 3 /* ignored */};
      fx_surface(f, 0, &st);
      memset(fx_at(f, FX_DATA), 0, 0x200000);
      header(f, table[t].index << 16, 1);
      for (unsigned n = 0; n < 4; n++)
         fx_in(f, 1)[2 + n] = 0;
      fx_in(f, 2)[0] = float_bits(1);
      fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 6, 0);
      uint32_t row = table[t].type == SURFTYPE_3D ? 8 * 64 + table[t].layer / 2 * 32
                                                  : table[t].layer * (64 + 32 + 24) + 64;
      uint32_t x = table[t].type == SURFTYPE_3D ? table[t].layer % 2 * 32 * 4 : 0;
      assert_int_equal(*fx_dw(f, FX_DATA + row * 1024 + x), 0xff);
   }
   assert_silent(f);
}

/* DP-361 DP-387 DP-462: a pixel of a multisampled target goes to all samples that oMask keeps; each
 * sample is a slice. */
static void
multisampled(void **state)
{
   proves("DP-361", "DP-387", "DP-462");
   struct fx *f = *state;
   for (unsigned samples = 4; samples <= 8; samples += 4) {
      target(f, 0xd7, samples);
      memset(fx_at(f, FX_DATA), 0, 64 * 2048 * 8);
      header(f, OMASK, 1);
      fx_in(f, 2)[0] = 0xff00 | 0x5a;
      fx_in(f, 3)[0] = 77;
      fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 7, 0);
      for (unsigned n = 0; n < samples; n++)
         assert_int_equal(*fx_dw(f, FX_DATA + n * 64 * 2048 + 2 * 512 + 4 * 16),
                          0x5a >> n & 1 ? 77 : 0);
   }
   assert_silent(f);
}

/* DP-362 DP-363 DP-364 DP-365 DP-366 DP-367 DP-368: the table of slots. */
static void
slot_tables(void **state)
{
   proves("DP-362", "DP-363", "DP-364", "DP-365", "DP-366", "DP-367", "DP-368");
   (void)state;
   static const struct {
      unsigned simd, samples, pair;
      const char *quads; /* subspan and sample of each four slots */
   } table[] = {{32, 1, 0, "00 10 20 30 40 50 60 70"},
                {32, 2, 0, "00 01 10 11 20 21 30 31"},
                {32, 4, 0, "00 01 02 03 10 11 12 13"},
                {32, 8, 0, "00 01 02 03 04 05 06 07"},
                {16, 1, 0, "00 10 20 30"},
                {16, 2, 0, "00 01 10 11"},
                {16, 4, 0, "00 01 02 03"},
                {16, 8, 0, "00 01 02 03"},
                {16, 8, 2, "04 05 06 07"},
                {8, 1, 0, "00 10"},
                {8, 2, 0, "00 01"},
                {8, 4, 0, "00 01"},
                {8, 4, 1, "02 03"},
                {8, 8, 3, "06 07"},
                {8, 8, 0, "00 01"}};
   for (unsigned t = 0; t < sizeof(table) / sizeof(table[0]); t++)
      for (unsigned slot = 0; slot < table[t].simd; slot++) {
         struct rt_slot_place p =
             rt_slot_place(table[t].simd, table[t].samples, table[t].pair, slot);
         assert_int_equal(p.subspan, table[t].quads[slot / 4 * 3] - '0');
         assert_int_equal(p.sample, table[t].quads[slot / 4 * 3 + 1] - '0');
         assert_int_equal(p.pixel, slot % 4);
      }
}

/* DP-350 DP-351 DP-352 DP-353 DP-354 DP-357 DP-319: what the windower is told. */
static void
scoreboard_and_sources(void **state)
{
   proves("DP-350", "DP-351", "DP-352", "DP-353", "DP-354", "DP-357", "DP-319");
   struct fx *f = *state;
   struct seen seen = {0};
   struct pixel_backend backend = {.pixels_data = &seen, .pixels = take, .dual_source_blend = true};
   f->env.pixel = &backend;
   target(f, RGBA_FLOAT, 1);
   header(f, 0, 0xffff);
   fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 6, 0);
   assert_int_equal(seen.w.scoreboard, 0);
   assert_true(seen.w.color_dropped); /* single source while dual source blending is on */
   fx_send(f, SFID_DP_RENDER, RT(SIMD8) | LAST, true, 6, 0);
   assert_int_equal(seen.w.scoreboard, 0x00ff);
   fx_send(f, SFID_DP_RENDER, RT(REPDATA) | LAST, true, 3, 0);
   assert_int_equal(seen.w.scoreboard, 0xffff);
   fx_send(f, SFID_DP_RENDER, RT(DUAL_LO) | LAST, true, 10, 0);
   assert_int_equal(seen.w.scoreboard, 0x00ff);
   assert_true(seen.w.dual_source && !seen.w.color_dropped);
   fx_send(f, SFID_DP_RENDER, RT(DUAL_HI) | LAST, true, 10, 0);
   assert_int_equal(seen.w.scoreboard, 0xff00);
   backend.dual_source_blend = false;
   fx_send(f, SFID_DP_RENDER, RT(DUAL_LO), true, 10, 0);
   assert_false(seen.w.dual_source); /* source 0 alone */
   fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 6, 0);
   assert_false(seen.w.color_dropped);
   assert_silent(f);
}

/* DP-318: who has no windower is told; the colour is written all the same (DP-396). */
static void
without_windower(void **state)
{
   proves("DP-318", "DP-396");
   struct fx *f = *state;
   target(f, 0xd7, 1);
   header(f, 0, 1);
   fx_in(f, 2)[0] = 9;
   fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 6, 0);
   assert_silent(f);
   f->env.pixel = NULL;
   fx_in(f, 2)[0] = 10;
   fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 6, 0);
   assert_rule(f, "DP-318");
   assert_int_equal(*fx_dw(f, FX_DATA + 2 * 512 + 4 * 16), 10);
}

/* DP-318 DP-461 DP-320 DP-373: without a header R0 and R1 of the dispatch stand in; who has none
 * may not. */
static void
without_header(void **state)
{
   proves("DP-318", "DP-461", "DP-320", "DP-373", "DP-374");
   struct fx *f = *state;
   struct seen seen = {.has_bypass = true};
   struct pixel_backend backend = {.data = &seen,
                                   .pixels_data = &seen,
                                   .pixels = take,
                                   .bypass = give_bypass,
                                   .dispatch_width = 32};
   target(f, RGBA_FLOAT, 1);
   f->env.pixel = NULL;
   fx_clear_payload(f);
   fx_send(f, SFID_DP_RENDER, RT(SIMD8), false, 4, 0);
   assert_rule(f, "DP-318");
   f->env.pixel = &backend;
   seen.bypass.header[0] = ALPHA0 | 7u << 16;
   seen.bypass.header[2] = 3;
   seen.bypass.header[10] = 20u << 16 | 30;
   seen.bypass.header[15] = 0x00f0;
   seen.bypass.omask = true;
   for (unsigned r = 0; r < 6; r++)
      for (unsigned i = 0; i < 8; i++)
         fx_in(f, r)[i] = float_bits((float)(r * 100 + i));
   fx_send(f, SFID_DP_RENDER, RT(SIMD8) | 1u << 11, false, 5, 0);
   assert_int_equal(seen.calls, 1);
   assert_int_equal(seen.w.slot_group, 1);
   assert_int_equal(seen.asked_group, 1);
   assert_false(fx_said(f, "DP-374"));
   assert_int_equal(seen.w.render_target_index, 0);
   assert_false(seen.w.has_source0_alpha);
   assert_true(seen.w.has_omask);
   assert_true(bits_float(seen.w.slot[2].color[0][1]) ==
               202.0f); /* M0 is oMask, M1 red, M2 green */
   assert_int_equal(seen.w.slot[1].x, 31);
   assert_int_equal(seen.w.slot[2].y, 21);
   assert_int_equal(seen.w.enables, 0xf0);
   seen.bypass.omask = false;
   seen.bypass.source_depth = true;
   fx_send(f, SFID_DP_RENDER, RT(SIMD8), false, 5, 0);
   assert_true(seen.w.has_depth && !seen.w.has_omask);
   assert_true(seen.w.slot[3].depth == 403.0f);
   assert_silent(f);
   seen.has_bypass = false;
   fx_send(f, SFID_DP_RENDER, RT(SIMD8), false, 5, 0);
   assert_rule(f, "DP-318");
}

/* DP-390 DP-466 DP-467: every render target format; integers are clamped, floats rounded; other
 * formats are named. */
static void
target_formats(void **state)
{
   proves("DP-390", "DP-466", "DP-467");
   struct fx *f = *state;
   unsigned count = 0, blend = 0;
   for (unsigned code = 0; code < 512; code++) {
      const struct format_info *info = format_get(code);
      target(f, code, 1);
      header(f, 0, 1);
      fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 6, 0);
      assert_int_equal(fx_said(f, "DP-466"), !(info->capabilities & FORMAT_RENDER));
      count += (info->capabilities & FORMAT_RENDER) != 0;
      blend += (info->capabilities & FORMAT_BLEND) != 0;
      f->rule_count = 0;
   }
   assert_int_equal(count, 57);
   assert_int_equal(blend, 57 - 19 - 4);
   target(f, 0xcb, 1); /* R8G8B8A8_UINT */
   header(f, 0, 1);
   for (unsigned c = 0; c < 4; c++)
      fx_in(f, 2 + c)[0] = 200 + 50 * c;
   fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 6, 0);
   assert_int_equal(*fx_dw(f, FX_DATA + 2 * 512 + 4 * 16), 0xfffffac8);
   target(f, 0xca, 1); /* SINT */
   for (unsigned c = 0; c < 4; c++)
      fx_in(f, 2 + c)[0] = (uint32_t)((int)c * 100 - 150);
   fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 6, 0);
   assert_int_equal(*fx_dw(f, FX_DATA + 2 * 512 + 4 * 16), 0x7f32ce80);
   target(f, 0xc8, 1); /* sRGB: 0.5 is 188 */
   for (unsigned c = 0; c < 4; c++)
      fx_in(f, 2 + c)[0] = float_bits(0.5f);
   fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 6, 0);
   assert_int_equal(*fx_dw(f, FX_DATA + 2 * 512 + 4 * 16), 0x80bcbcbc);
}

/* YUV targets: luma of each pixel, chroma of the even one, in the order of the format. */
static void
yuv_target(void **state)
{
   struct fx *f = *state;
   static const struct {
      unsigned format;
      uint8_t want[4];
   } orders[4] = {{0x182, {10, 20, 11, 30}} /* YUYV */,
                  {0x183, {30, 10, 20, 11}} /* VYUY */,
                  {0x18f, {10, 30, 11, 20}} /* YVYU */,
                  {0x190, {20, 10, 30, 11}} /* UYVY */};
   for (unsigned k = 0; k < 4; k++) {
      target(f, orders[k].format, 1);
      header(f, 0, 3);
      for (unsigned i = 0; i < 2; i++) {
         fx_in(f, 2)[i] = float_bits((30.0f + (float)i) / 255);
         fx_in(f, 3)[i] = float_bits((10.0f + (float)i) / 255);
         fx_in(f, 4)[i] = float_bits((20.0f + (float)i) / 255);
      }
      fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 6, 0);
      assert_memory_equal(fx_at(f, FX_DATA + 8 * 2 / 16 * 512 + 4 * 16), orders[k].want, 4);
   }
   assert_silent(f);
}

/* DP-011 DP-359 DP-361 DP-371 DP-374 DP-457 DP-458 DP-463 DP-464: rules. */
static void
target_rules(void **state)
{
   proves("DP-011", "DP-359", "DP-361", "DP-371", "DP-374", "DP-457", "DP-458", "DP-463", "DP-464");
   struct fx *f = *state;
   target(f, 0xc7, 1);
   for (unsigned type = 5; type < 8; type++) {
      header(f, 0, 0xffff);
      fx_send(f, SFID_DP_RENDER, RT(type), true, 6, 0);
      assert_rule(f, "DP-371");
   }
   fx_send_full(f, SFID_DP_RENDER, RT(SIMD8) | LAST, true, 6, 0, true); /* may end a thread */
   assert_silent(f);
   fx_send_full(f, SFID_DP_RENDER, RT(SIMD8), true, 6, 0, true);
   assert_rule(f, "DP-458");
   fx_send(f, SFID_DP_RENDER, RT(SIMD8) | 255, true, 6, 0);
   assert_rule(f, "DP-457");
   fx_send(f, SFID_DP_RENDER, RT(SIMD8) | 1u << 11, true, 6, 0);
   assert_rule(f, "DP-374");
   fx_in(f, 0)[0] = ALPHA0;
   fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 7, 0);
   assert_rule(f, "DP-463");
   fx_in(f, 0)[2] = 1;
   fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 7, 0);
   assert_silent(f);
   fx_send(f, SFID_DP_RENDER, RT(DUAL_LO), true, 11, 0);
   assert_rule(f, "DP-463");
   target(f, 0x182, 1);
   fx_in(f, 0)[0] = 0;
   fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 6, 0);
   assert_rule(f, "DP-359");
   target(f, 0xc7, 8);
   header(f, DEPTH, 0xffff);
   fx_send(f, SFID_DP_RENDER, RT(SIMD16), true, 12, 0);
   assert_rule(f, "DP-464");
   struct hw_render_surface_state st = {.surface_type = SURFTYPE_2D,
                                        .surface_format = 0xc7,
                                        .width = 63,
                                        .height = 63,
                                        .surface_pitch = 511,
                                        .surface_base_address = FX_DATA,
                                        .vertical_line_stride = 1,
                                        .tiled_surface = true};
   fx_surface(f, 0, &st);
   header(f, 0, 0xffff);
   fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 6, 0);
   assert_rule(f, "DP-457");
   st.vertical_line_stride = 0, st.number_of_multisamples = 1;
   fx_surface(f, 0, &st);
   fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 6, 0);
   assert_rule(f, "DP-361");
   st.number_of_multisamples = 0, st.render_target_rotation = 1;
   fx_surface(f, 0, &st);
   fx_send(f, SFID_DP_RENDER, RT(DUAL_LO), true, 10, 0);
   assert_rule(f, "DP-457");
}

/* DP-322 DP-358: SIMD8 always takes slots 7:0; several targets are several messages, each with its
 * own surface. */
static void
several_targets(void **state)
{
   proves("DP-322", "DP-358");
   struct fx *f = *state;
   target(f, 0xd7, 1);
   struct hw_render_surface_state st = {.surface_type = SURFTYPE_2D,
                                        .surface_format = 0xd7,
                                        .width = 63,
                                        .height = 63,
                                        .surface_pitch = 255,
                                        .surface_base_address = FX_DATA + 0x100000};
   fx_surface(f, 1, &st);
   memset(fx_at(f, FX_DATA), 0, 0x200000);
   for (unsigned rt = 0; rt < 2; rt++) {
      header(f, 0, 0xff00 | 1);
      fx_in(f, 0)[2] = rt;
      for (unsigned i = 0; i < 8; i++)
         fx_in(f, 2)[i] = 50 + rt;
      fx_send(f, SFID_DP_RENDER, RT(SIMD8) | rt | (rt ? LAST : 0), true, 6, 0);
   }
   assert_int_equal(*fx_dw(f, FX_DATA + 2 * 512 + 4 * 16), 50);
   assert_int_equal(*fx_dw(f, FX_DATA + 0x100000 + 4 * 256 + 32), 51);
   unsigned written = 0;
   for (unsigned i = 0; i < 0x200000 / 4; i++)
      written += fx_dw(f, FX_DATA)[i] != 0;
   assert_int_equal(written, 2);
   assert_silent(f);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       FX_TEST(forms_of_16),
       FX_TEST(forms_of_replicated_data),
       FX_TEST(forms_of_dual_source),
       FX_TEST(forms_of_upper_dual_source),
       FX_TEST(forms_of_8),
       FX_TEST(header_fields),
       FX_TEST(plain_write),
       FX_TEST(replicated),
       FX_TEST(layers),
       FX_TEST(multisampled),
       cmocka_unit_test(slot_tables),
       FX_TEST(scoreboard_and_sources),
       FX_TEST(without_windower),
       FX_TEST(without_header),
       FX_TEST(target_formats),
       FX_TEST(yuv_target),
       FX_TEST(target_rules),
       FX_TEST(several_targets),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
