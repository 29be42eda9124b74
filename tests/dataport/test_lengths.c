/* Lengths of messages: each as it is, one data register short, and with a response that is too
 * long. */
#include "typed.h"
#include "tests/proves.h"

#define DWORD_READ(n) (3u << 14 | ((n) == 16 ? 3u : 2u) << 8)
#define DWORD_WRITE(n) (11u << 14 | ((n) == 16 ? 3u : 2u) << 8)
#define BYTE_READ(n) (4u << 14 | ((n) == 16) << 8)
#define BYTE_WRITE(n) (12u << 14 | ((n) == 16) << 8)
#define UNTYPED_WRITE(simd, mask) (13u << 14 | (simd) << 12 | (mask) << 8)
#define UNTYPED_ATOMIC (6u << 14 | 1u << 13 | 1u << 12 | 7u << 8)
#define UNTYPED_READ(simd, mask) (5u << 14 | (simd) << 12 | (mask) << 8)
#define BLOCK_WRITE(size) (8u << 14 | (size) << 8)
#define DUAL_READ (2u << 14)

struct length {
   const char *rule;
   uint32_t desc;
   bool header;
   unsigned mlen, rlen;
};

static void
keep_and_break(struct fx *f, const struct length *c, size_t count)
{
   fx_raw(f, 0, FX_DATA, 0x1000);
   for (size_t i = 0; i < count; i++, c++) {
      fx_clear_payload(f);
      f->exec_mask = 0xffff;
      fx_send(f, SFID_DP_DATA0, c->desc, c->header, c->mlen, c->rlen);
      assert_false(fx_said(f, c->rule));
      assert_false(fx_said(f, "DP-427"));
      f->rule_count = 0;
      fx_send(f, SFID_DP_DATA0, c->desc, c->header, c->mlen - 1, c->rlen);
      assert_rule(f, c->rule);
      fx_send(f, SFID_DP_DATA0, c->desc, c->header, c->mlen, c->rlen + 2);
      assert_rule(f, "DP-427");
   }
}

static void
lengths_of_scattered_messages(void **state)
{
   proves("DP-166", "DP-168", "DP-179", "DP-180", "DP-427");
   static const struct length c[] = {
       {"DP-166", DWORD_READ(16), false, 2, 2}, {"DP-166", DWORD_READ(8), true, 2, 1},
       {"DP-168", DWORD_WRITE(8), false, 2, 0}, {"DP-168", DWORD_WRITE(16), false, 4, 0},
       {"DP-179", BYTE_READ(16), false, 2, 2},  {"DP-179", BYTE_READ(8), true, 2, 1},
       {"DP-180", BYTE_WRITE(8), false, 2, 0},  {"DP-180", BYTE_WRITE(16), false, 4, 0},
   };
   keep_and_break(*state, c, sizeof(c) / sizeof(c[0]));
}

static void
lengths_of_untyped_and_block_messages(void **state)
{
   proves("DP-263", "DP-261", "DP-078", "DP-427");
   static const struct length c[] = {
       {"DP-263", UNTYPED_WRITE(2u, 14u), false, 2, 0},
       {"DP-263", UNTYPED_WRITE(2u, 0u), false, 5, 0},
       {"DP-263", UNTYPED_WRITE(1u, 14u), false, 4, 0},
       {"DP-261", UNTYPED_ATOMIC, false, 2, 1},
       {"DP-078", BLOCK_WRITE(2u), true, 2, 0},
       {"DP-078", BLOCK_WRITE(4u), true, 5, 0},
   };
   keep_and_break(*state, c, sizeof(c) / sizeof(c[0]));
}

/* One register for each channel and eight slots. */
static void
responses_of_untyped_reads(void **state)
{
   proves("DP-276", "DP-427");
   struct fx *f = *state;
   fx_raw(f, 0, FX_DATA, 0x1000);
   for (unsigned simd16 = 0; simd16 < 2; simd16++)
      for (unsigned channels = 1; channels <= 4; channels++)
         for (unsigned rlen = 1; rlen <= 9; rlen++) {
            fx_clear_payload(f);
            f->exec_mask = 0xffff;
            f->rule_count = 0;
            uint32_t off = 15u & ~((1u << channels) - 1);
            fx_send(f, SFID_DP_DATA0, UNTYPED_READ(simd16 ? 1u : 2u, off), false, 1 + simd16, rlen);
            assert_int_equal(fx_said(f, "DP-427"), rlen != channels << simd16);
         }
   f->rule_count = 0;
}

static void
lengths_of_typed_messages(void **state)
{
   proves("DP-266", "DP-268", "DP-427");
   static const struct length c[] = {{"DP-268", WRITE(14u, 0u), true, 3, 0},
                                     {"DP-268", WRITE(0u, 0u), true, 6, 0},
                                     {"DP-266", ATOMIC(7u, 1u, 0u), true, 3, 1},
                                     {"DP-266", ATOMIC(5u, 1u, 0u), true, 2, 1}};
   struct fx *f = *state;
   struct hw_render_surface_state st = image(SURFTYPE_1D, R32_UINT, 64, 1, 1);
   fx_surface(f, 0, &st);
   for (unsigned i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
      header(f, 0xff);
      fx_send(f, SFID_DP_RENDER, c[i].desc, true, c[i].mlen, c[i].rlen);
      assert_false(fx_said(f, c[i].rule));
      assert_false(fx_said(f, "DP-427"));
      fx_send(f, SFID_DP_RENDER, c[i].desc, true, c[i].mlen - 1, c[i].rlen);
      assert_true(fx_said(f, c[i].rule));
      f->rule_count = 0;
      fx_send(f, SFID_DP_RENDER, c[i].desc, true, c[i].mlen, c[i].rlen + 2);
      assert_true(fx_said(f, "DP-427"));
      f->rule_count = 0;
   }
}

/* A header alone has no offsets. */
static void
dual_block_without_offsets(void **state)
{
   proves("DP-094");
   struct fx *f = *state;
   fx_raw(f, 0, FX_DATA, 0x1000);
   fx_clear_payload(f);
   fx_send(f, SFID_DP_DATA0, DUAL_READ, true, 2, 1);
   assert_silent(f);
   fx_send(f, SFID_DP_DATA0, DUAL_READ, true, 1, 1);
   assert_rule(f, "DP-094");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       FX_TEST(lengths_of_scattered_messages), FX_TEST(lengths_of_untyped_and_block_messages),
       FX_TEST(responses_of_untyped_reads),    FX_TEST(dual_block_without_offsets),
       FX_TEST(lengths_of_typed_messages),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
