/* Sampler messages that do not filter. */
#include "../dataport/fixture.h"
#include "shared_functions/quick.h"
#include "tests/proves.h"

enum { LD = 7, RESINFO = 10, SAMPLEINFO = 11, SIMD4X2 = 0, SIMD8 = 1, SIMD16 = 2 };

static void
send(struct fx *f, unsigned type, unsigned simd, unsigned bti, bool header, unsigned mlen,
     unsigned rlen)
{
   struct sf_message m = {.sfid = SFID_SAMPLER,
                          .header = header,
                          .mlen = (uint8_t)mlen,
                          .rlen = (uint8_t)rlen,
                          .exec_size = (uint8_t)f->exec_size,
                          .exec_mask = f->exec_mask,
                          .payload = f->t.grf + FX_PAYLOAD * EU_REG_SIZE,
                          .response = f->t.grf + FX_RESPONSE * EU_REG_SIZE};
   m.desc = bti | type << 12 | simd << 17 | (uint32_t)header << 19 | rlen << 20 | mlen << 25;
   m.ip = f->t.ip;
   f->t.ip += 16;
   assert_int_equal(sf_sampler(&f->t, &m), SF_OK);
}

/* SMP-001, SMP-208, SMP-266, SMP-304, SMP-311: SIMD8 ld of a typed buffer, a register per channel.
 * SMP-205: only valid pixels are written. SMP-267: past the end is 0. */
static void
ld_buffer_simd8(void **state)
{
   proves("SMP-001", "SMP-208", "SMP-266", "SMP-304", "SMP-311", "SMP-205", "SMP-267");
   struct fx *f = *state;
   fx_buffer(f, 3, GEN7_SURFACE_FORMAT_R32G32B32A32_UINT, FX_DATA, 40, 16);
   fx_pattern(f, FX_DATA, 4096);
   fx_fill_response(f, 4, 0x55555555);
   f->exec_mask = 0xfd; /* pixel 1 is not valid */
   for (unsigned i = 0; i < 8; i++)
      fx_in(f, 0)[i] = i < 7 ? i * 5 : 40;
   send(f, LD, SIMD8, 3, false, 1, 4);
   for (unsigned c = 0; c < 4; c++)
      for (unsigned i = 0; i < 8; i++)
         assert_int_equal(fx_out(f, c)[i], i == 1   ? 0x55555555u
                                           : i == 7 ? 0u
                                                    : 0xA0000000u + i * 5 * 16 + c * 4);
   assert_silent(f);
}

/* SMP-203, SMP-307, SMP-308, SMP-227: SIMD16, two registers a channel; masked channels close up.
 * SMP-209, SMP-214, SMP-225: the mask is in the header. */
static void
ld_buffer_simd16_masked(void **state)
{
   proves("SMP-203", "SMP-307", "SMP-308", "SMP-227", "SMP-209", "SMP-214", "SMP-225");
   struct fx *f = *state;
   fx_buffer(f, 1, GEN7_SURFACE_FORMAT_R32G32B32A32_UINT, FX_DATA, 64, 16);
   fx_pattern(f, FX_DATA, 4096);
   fx_clear_payload(f);
   fx_in(f, 0)[2] = 1u << 13 | 1u << 14; /* green and blue are not returned */
   for (unsigned i = 0; i < 16; i++)
      fx_in(f, 1)[i] = 63 - i;
   fx_fill_response(f, 5, 0x77777777);
   send(f, LD, SIMD16, 1, true, 3, 4);
   for (unsigned i = 0; i < 16; i++) {
      assert_int_equal(fx_out(f, 0)[i], 0xA0000000u + (63 - i) * 16);
      assert_int_equal(fx_out(f, 2)[i], 0xA0000000u + (63 - i) * 16 + 12);
      if (i < 8)
         assert_int_equal(fx_out(f, 4)[i], 0x77777777u);
   }
   assert_silent(f);
   send(f, LD, SIMD16, 1, true, 3, 8);
   assert_rule(f, "SMP-227");
}

/* The fast path of ld on a buffer gives what the slow one does, whichever entries the slots ask
 * for, and leaves to it what lies outside. */
static void
ld_buffer_quickly(void **state)
{
   proves("SMP-266", "SMP-267", "SMP-304");
   static const struct {
      unsigned format, size;
   } table[] = {{GEN7_SURFACE_FORMAT_R32G32B32A32_UINT, 16},
                {GEN7_SURFACE_FORMAT_R32G32B32A32_FLOAT, 16},
                {GEN7_SURFACE_FORMAT_R32G32_UINT, 8},
                {GEN7_SURFACE_FORMAT_R32_FLOAT, 4},
                {GEN7_SURFACE_FORMAT_R8G8B8A8_UNORM, 4},
                {GEN7_SURFACE_FORMAT_R16_UINT, 2},
                {GEN7_SURFACE_FORMAT_R8_UINT, 1}};
   struct fx *f = *state;
   struct sf_buffers *buffers = calloc(1, sizeof(*buffers));
   unsigned taken = 0, seed = 5;
   assert_non_null(buffers);
   for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]) * 60; i++) {
      unsigned simd = i & 1 ? SIMD16 : SIMD8, regs = i & 1 ? 2 : 1, k = i / 60;
      unsigned step = i % 7 == 6   ? 2 * table[k].size
                      : i % 7 == 5 ? 1
                                   : table[k].size,
               entries = 1 + i % 60 * 3;
      uint32_t desc = 3 | LD << 12 | simd << 17 | 4 * regs << 20 | regs << 25, slow[8][8];
      uint32_t base = FX_DATA + (step == 1 ? 4096 - i % 64 : 0); /* over the end of a page */
      struct sf_quick q;
      fx_buffer(f, 3, table[k].format, base, entries, step);
      fx_pattern(f, FX_DATA, 8192);
      memset(buffers, 0, sizeof(*buffers));
      for (unsigned n = 0; n < 8 * regs; n++) {
         seed = seed * 1664525u + 1013904223u;
         unsigned most = entries + (i % 5 == 0), any = (seed >> 8) % most;
         fx_in(f, n / 8)[n % 8] = i % 3 == 0 ? any : i % 3 == 1 ? i % entries : n % entries;
      }
      assert_true(sf_quick_select(&q, f->dev, SFID_SAMPLER, desc, false, FX_PAYLOAD, FX_RESPONSE));
      f->exec_mask = 0xffff;
      send(f, LD, simd, 3, false, regs, 4 * regs);
      for (unsigned r = 0; r < 4 * regs; r++)
         memcpy(slow[r], fx_out(f, r), sizeof(slow[r]));
      f->t.buffers = buffers;
      fx_fill_response(f, 4 * regs, 0x55555555);
      bool done = q.fn(&f->t, &q, 0xffff); /* the slow path has read the surface's state */
      f->t.buffers = NULL;
      for (unsigned r = 0; r < 4 * regs; r++)
         for (unsigned n = 0; n < 8; n++)
            assert_int_equal(fx_out(f, r)[n], done ? slow[r][n] : 0x55555555u);
      taken += done;
   }
   assert_true(taken > 200);
   free(buffers);
}

static void
surface_2d(struct fx *f, unsigned bti, unsigned format, unsigned levels, bool tiled)
{
   struct hw_render_surface_state st = {.surface_type = SURFTYPE_2D,
                                        .surface_format = format,
                                        .surface_base_address = FX_DATA,
                                        .width = 31,
                                        .height = 15,
                                        .surface_pitch = 255,
                                        .mip_count_or_lod = levels - 1,
                                        .tiled_surface = tiled,
                                        .tile_walk = tiled};
   fx_surface(f, bti, &st);
}

/* SMP-232, SMP-304: u, lod, v of a 2D surface; SMP-048: a level that does not exist is outside.
 * SMP-214: texel offsets. SMP-267 and SMP-274: alpha outside is 1 where the format has none, but
 * for the list. */
static void
ld_2d(void **state)
{
   proves("SMP-232", "SMP-304", "SMP-048", "SMP-214", "SMP-267", "SMP-274");
   struct fx *f = *state;
   surface_2d(f, 2, GEN7_SURFACE_FORMAT_R32_UINT, 1, false);
   for (unsigned y = 0; y < 16; y++)
      for (unsigned x = 0; x < 32; x++)
         *fx_dw(f, FX_DATA + y * 256 + x * 4) = y * 100 + x;
   fx_clear_payload(f);
   fx_in(f, 0)[2] = 0x0f1 << 4; /* U offset -1, V offset +1 */
   for (unsigned i = 0; i < 8; i++) {
      fx_in(f, 1)[i] = 3 * i + 1;           /* u */
      fx_in(f, 2)[i] = i == 5;              /* lod */
      fx_in(f, 3)[i] = i == 6 ? 15 : 2 * i; /* v: pixel 6 falls off by its offset */
   }
   f->exec_mask = 0xff;
   send(f, LD, SIMD8, 2, true, 4, 4);
   for (unsigned i = 0; i < 8; i++) {
      bool out = i == 5 || i == 6;
      assert_int_equal(fx_out(f, 0)[i], out ? 0u : (2 * i + 1) * 100 + 3 * i);
      assert_int_equal(fx_out(f, 3)[i], 1u);
   }
   surface_2d(f, 2, GEN7_SURFACE_FORMAT_B8G8R8X8_UNORM, 1, false);
   fx_in(f, 1)[0] = 1000;
   send(f, LD, SIMD8, 2, true, 4, 4);
   assert_int_equal(fx_out(f, 3)[0], 0u);
   assert_int_equal(fx_out(f, 3)[1], 0x3f800000u);
   assert_silent(f);
}

/* SMP-206, SMP-314, SMP-315: SIMD4x2, parameters u, v, r, lod of both samples in one register. */
static void
ld_simd4x2(void **state)
{
   proves("SMP-206", "SMP-314", "SMP-315");
   struct fx *f = *state;
   surface_2d(f, 2, GEN7_SURFACE_FORMAT_R32_UINT, 1, false);
   *fx_dw(f, FX_DATA + 7 * 256 + 9 * 4) = 1234;
   fx_clear_payload(f);
   fx_in(f, 0)[4] = 9;
   fx_in(f, 0)[5] = 7;
   fx_fill_response(f, 1, 0x33333333);
   f->exec_mask = 0x20; /* sample 1 only */
   send(f, LD, SIMD4X2, 2, false, 1, 1);
   assert_int_equal(fx_out(f, 0)[0], 0x33333333u);
   assert_int_equal(fx_out(f, 0)[4], 1234u);
   assert_int_equal(fx_out(f, 0)[7], 1u);
}

static void
resinfo(void **state)
{
   proves("SMP-260", "SMP-263", "SMP-264", "SMP-265");
   struct fx *f = *state;
   surface_2d(f, 2, GEN7_SURFACE_FORMAT_R32_UINT, 6, true);
   fx_buffer(f, 3, GEN7_SURFACE_FORMAT_R32_UINT, FX_DATA, 12345, 4);
   struct hw_render_surface_state null = {.surface_type = SURFTYPE_NULL};
   fx_surface(f, 4, &null);
   fx_clear_payload(f);
   fx_in(f, 0)[1] = 2;
   fx_in(f, 0)[2] = 5;
   fx_in(f, 0)[3] = 6;
   f->exec_mask = 0xff;
   send(f, RESINFO, SIMD8, 2, false, 1, 4);
   static const uint32_t want[4][4] = {{32, 16, 0, 6}, {8, 4, 0, 6}, {1, 1, 0, 6}, {0, 0, 0, 6}};
   for (unsigned i = 0; i < 4; i++)
      for (unsigned c = 0; c < 4; c++)
         assert_int_equal(fx_out(f, c)[i], want[i][c]);
   send(f, RESINFO, SIMD8, 3, false, 1, 4);
   assert_int_equal(fx_out(f, 0)[0], 12345);
   fx_fill_response(f, 4, 9);
   send(f, RESINFO, SIMD8, 4, false, 1, 4);
   for (unsigned c = 0; c < 4; c++)
      assert_int_equal(fx_out(f, c)[0], 0);
   assert_silent(f);
}

static void
sampleinfo(void **state)
{
   proves("SMP-276", "SMP-277");
   struct fx *f = *state;
   surface_2d(f, 2, GEN7_SURFACE_FORMAT_R32_UINT, 1, true);
   fx_buffer(f, 3, GEN7_SURFACE_FORMAT_R32_UINT, FX_DATA, 16, 4);
   fx_clear_payload(f);
   f->exec_mask = 0xff;
   send(f, SAMPLEINFO, SIMD8, 2, true, 1, 4);
   assert_int_equal(fx_out(f, 0)[3], 1);
   assert_int_equal(fx_out(f, 3)[3], 1);
   assert_silent(f);
   send(f, SAMPLEINFO, SIMD8, 3, true, 1, 4);
   assert_rule(f, "SMP-277");
}

/* SMP-273: the kinds of surface that ld reads; cubes, several samples and MONO8 are refused. */
static void
ld_surfaces(void **state)
{
   proves("SMP-273");
   struct fx *f = *state;
   static const struct {
      unsigned type, format, samples;
      bool allowed;
   } c[] = {{SURFTYPE_1D, GEN7_SURFACE_FORMAT_R32_UINT, 0, true},
            {SURFTYPE_2D, GEN7_SURFACE_FORMAT_R32_UINT, 0, true},
            {SURFTYPE_3D, GEN7_SURFACE_FORMAT_R32_UINT, 0, true},
            {SURFTYPE_2D, GEN7_SURFACE_FORMAT_R8_UINT, 0, true},
            {SURFTYPE_CUBE, GEN7_SURFACE_FORMAT_R32_UINT, 0, false},
            {SURFTYPE_2D, GEN7_SURFACE_FORMAT_R32_UINT, 2, false},
            {SURFTYPE_2D, GEN7_SURFACE_FORMAT_R32_UINT, 3, false},
            {SURFTYPE_2D, GEN7_SURFACE_FORMAT_MONO8, 0, false}};
   for (unsigned i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
      struct hw_render_surface_state st = {.surface_type = c[i].type,
                                           .surface_format = c[i].format,
                                           .number_of_multisamples = c[i].samples,
                                           .width = 7,
                                           .height = c[i].type == SURFTYPE_1D ? 0 : 7,
                                           .surface_base_address = FX_DATA,
                                           .surface_pitch = 31};
      fx_surface(f, 5, &st);
      fx_clear_payload(f);
      f->exec_mask = 0xff;
      f->rule_count = 0;
      send(f, LD, SIMD8, 5, false, 4, 4);
      if (c[i].allowed)
         assert_silent(f);
      else
         assert_rule(f, "SMP-273");
   }
}

/* SMP-273: cube and multisampled surfaces. SMP-231: a reserved type, and types that are not
 * modelled, are named, and give zeros. SMP-226: no parameter. */
static void
refusals(void **state)
{
   proves("SMP-273", "SMP-231", "SMP-226");
   struct fx *f = *state;
   struct hw_render_surface_state cube = {.surface_type = SURFTYPE_CUBE,
                                          .width = 7,
                                          .height = 7,
                                          .surface_format = GEN7_SURFACE_FORMAT_R32_UINT,
                                          .surface_base_address = FX_DATA,
                                          .surface_pitch = 31};
   fx_surface(f, 5, &cube);
   fx_clear_payload(f);
   f->exec_mask = 0xff;
   send(f, LD, SIMD8, 5, false, 4, 4);
   assert_rule(f, "SMP-273");
   fx_fill_response(f, 4, 9);
   send(f, 13, SIMD8, 5, false, 4, 4);
   assert_rule(f, "SMP-231");
   assert_int_equal(fx_out(f, 2)[2], 0);
   send(f, LD, SIMD8, 5, true, 1, 4);
   assert_rule(f, "SMP-226");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       FX_TEST(ld_buffer_quickly),
       FX_TEST(ld_buffer_simd8),
       FX_TEST(ld_buffer_simd16_masked),
       FX_TEST(ld_2d),
       FX_TEST(ld_simd4x2),
       FX_TEST(resinfo),
       FX_TEST(sampleinfo),
       FX_TEST(refusals),
       FX_TEST(ld_surfaces),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
