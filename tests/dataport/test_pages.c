/* Messages whose bytes lie in two pages that are not neighbours in memory: no fast path may run
 * past the end of the first page. Twice each: the second time everything is known already. */
#include "fixture.h"
#include "tests/proves.h"

#define SECOND (FX_DATA + 0x1000u)     /* graphics address of the second page */
#define ELSEWHERE (FX_DATA + 0x80000u) /* where it lies */

/* A graphics address of the two pages in the fixture's memory. */
static uint32_t *
there(struct fx *f, uint32_t address)
{
   return fx_dw(f, address >= SECOND && address < SECOND + 0x1000 ? address - SECOND + ELSEWHERE
                                                                  : address);
}

static void
map(struct fx *f)
{
   pergola_mmio_write(f->dev, PERGOLA_MMIO_SIZE / 2 + SECOND / 4096 * 4, 4, ELSEWHERE | 3);
   for (uint32_t a = FX_DATA; a < FX_DATA + 0x2000; a += 4)
      *there(f, a) = 0xA0000000u + (a - FX_DATA);
   memset(fx_at(f, SECOND), 0xbb, 4096); /* what follows the first page in memory */
   fx_clear_payload(f);
}

static void
untouched(struct fx *f)
{
   for (unsigned i = 0; i < 4096; i++)
      assert_int_equal(fx_at(f, SECOND)[i], 0xbb);
   assert_silent(f);
}

/* DP-055, DP-054, DP-094: OWord blocks, aligned, unaligned, dual. */
static void
blocks(void **state)
{
   proves("DP-055", "DP-054", "DP-094");
   struct fx *f = *state;
   fx_buffer(f, 0, 0, FX_DATA, 512, 16);
   map(f);
   for (unsigned again = 0; again < 2; again++) {
      fx_in(f, 0)[2] = 0xfc; /* four OWords before the end of the page */
      fx_send(f, SFID_DP_DATA0, 4u << 8, true, 1, 4);
      for (unsigned i = 0; i < 32; i++)
         assert_int_equal(fx_out(f, 0)[i], 0xA0000fc0u + 4 * i);
      for (unsigned i = 0; i < 32; i++)
         fx_in(f, 1)[i] = 0xA0000fc0u + 4 * i;
      fx_send(f, SFID_DP_DATA0, 8u << 14 | 4u << 8, true, 5, 0);
      fx_in(f, 0)[2] = 0xfe8;
      fx_send(f, SFID_DP_DATA0, 1u << 14 | 4u << 8, true, 1, 4);
      for (unsigned i = 0; i < 32; i++)
         assert_int_equal(fx_out(f, 0)[i], 0xA0000fe8u + 4 * i);
   }
   for (uint32_t a = FX_DATA; a < FX_DATA + 0x2000; a += 4)
      assert_int_equal(*there(f, a), 0xA0000000u + (a - FX_DATA));
   untouched(f);
}

/* DP-166, DP-190, DP-179: slots one after the other, over the end of the page; bytes astride it. */
static void
slots(void **state)
{
   proves("DP-166", "DP-190", "DP-179");
   struct fx *f = *state;
   fx_raw(f, 0, FX_DATA, 0x2000);
   map(f);
   for (unsigned channels = 1; channels <= 4; channels++)
      for (unsigned n = 8; n <= 16; n += 8)
         for (unsigned again = 0; again < 2; again++) {
            unsigned mask = 15u & ~((1u << channels) - 1), w = n / 8;
            uint32_t first = 0x1000 - 4 * channels * (n / 2) + 4;
            for (unsigned i = 0; i < n; i++)
               fx_in(f, i / 8)[i % 8] = first + 4 * channels * i;
            fx_send(f, SFID_DP_DATA0, 5u << 14 | (n == 16 ? 1u : 2u) << 12 | mask << 8, false, w,
                    channels * w);
            for (unsigned c = 0; c < channels; c++)
               for (unsigned i = 0; i < n; i++)
                  assert_int_equal(fx_out(f, c * w)[i],
                                   0xA0000000u + first + 4 * channels * i + 4 * c);
            for (unsigned c = 0; c < channels; c++)
               for (unsigned i = 0; i < n; i++)
                  fx_in(f, (1 + c) * w)[i] = 0xA0000000u + first + 4 * channels * i + 4 * c;
            fx_send(f, SFID_DP_DATA0, 13u << 14 | (n == 16 ? 1u : 2u) << 12 | mask << 8, false,
                    w * (1 + channels), 0);
         }
   fx_buffer(f, 1, 0, FX_DATA, 512, 16);
   for (unsigned i = 0; i < 16; i++)
      fx_in(f, i / 8)[i % 8] = 0x3f9 + i;
   fx_send(f, SFID_DP_DATA0, 3u << 14 | 3u << 8 | 1, false, 2, 2);
   for (unsigned i = 0; i < 16; i++)
      assert_int_equal(fx_out(f, 0)[i], 0xA0000fe4u + 4 * i);
   for (unsigned i = 0; i < 8; i++)
      fx_in(f, 0)[i] = 0xffd + i;
   f->exec_mask = 0xff;
   fx_send(f, SFID_DP_DATA0, 4u << 14 | 2u << 10, false, 1, 1);
   for (unsigned i = 0; i < 8; i++) {
      uint8_t bytes[8];
      memcpy(bytes, there(f, FX_DATA + 0xffc), 4);
      memcpy(bytes + 4, there(f, SECOND), 4);
      if (i < 3)
         assert_memory_equal(&fx_out(f, 0)[i], bytes + 1 + i, 4);
   }
   for (uint32_t a = FX_DATA; a < FX_DATA + 0x2000; a += 4)
      assert_int_equal(*there(f, a), 0xA0000000u + (a - FX_DATA));
   untouched(f);
}

/* DP-139, DP-150: rows of a media block astride the end of the page, linear and in X tiles. */
static void
media_blocks(void **state)
{
   proves("DP-139", "DP-150");
   struct fx *f = *state;
   for (unsigned tiled = 0; tiled < 2; tiled++) {
      struct hw_render_surface_state st = {.surface_type = SURFTYPE_2D,
                                           .surface_format = 0xc7,
                                           .width = 255,
                                           .height = 7,
                                           .surface_pitch = tiled ? 1023 : 1087,
                                           .surface_base_address = FX_DATA,
                                           .tiled_surface = tiled};
      fx_surface(f, 0, &st);
      map(f);
      /* linear: the page ends at byte 832 of row 3; tiled: bytes 512 and up of each row are in the
       * second page */
      int x = tiled ? 496 : 816, y = tiled ? 2 : 1;
      fx_in(f, 0)[0] = (uint32_t)x;
      fx_in(f, 0)[1] = (uint32_t)y;
      fx_in(f, 0)[2] = 3u << 16 | 31;
      for (unsigned again = 0; again < 2; again++) {
         fx_send(f, SFID_DP_RENDER, 4u << 14, true, 1, 4);
         for (unsigned r = 0; r < 4; r++)
            for (unsigned i = 0; i < 8; i++) {
               uint32_t at = (uint32_t)x + 4 * i;
               uint32_t offset = tiled ? at / 512 * 4096 + ((unsigned)y + r) * 512 + at % 512
                                       : ((unsigned)y + r) * 1088 + at;
               assert_int_equal(fx_out(f, r)[i], 0xA0000000u + offset);
               fx_in(f, 1 + r)[i] = 0xA0000000u + offset;
            }
         fx_send(f, SFID_DP_RENDER, 10u << 14, true, 5, 0);
      }
      for (uint32_t a = FX_DATA; a < FX_DATA + 0x2000; a += 4)
         assert_int_equal(*there(f, a), 0xA0000000u + (a - FX_DATA));
      untouched(f);
   }
}

/* DP-298: scratch blocks of four registers. */
static void
scratch(void **state)
{
   proves("DP-298");
   struct fx *f = *state;
   map(f);
   f->env.general_state_base = FX_DATA;
   for (unsigned again = 0; again < 2; again++) {
      fx_send(f, SFID_DP_DATA0, 1u << 18 | 1u << 16 | 3u << 12 | 0x7e, true, 1, 4);
      for (unsigned i = 0; i < 32; i++) {
         assert_int_equal(fx_out(f, 0)[i], 0xA0000fc0u + 4 * i);
         fx_in(f, 1)[i] = 0xA0000fc0u + 4 * i;
      }
      fx_send(f, SFID_DP_DATA0, 1u << 18 | 1u << 17 | 1u << 16 | 3u << 12 | 0x7e, true, 5, 0);
   }
   untouched(f);
}

#define BOTH(name)                                                                                 \
   FX_TEST(name),                                                                                  \
   {                                                                                               \
#name "_unchecked", name, fx_setup_off, fx_teardown, NULL                                    \
   }

int
main(void)
{
   const struct CMUnitTest tests[] = {BOTH(blocks), BOTH(slots), BOTH(media_blocks), BOTH(scratch)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
