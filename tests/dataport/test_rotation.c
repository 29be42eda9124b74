/* Render Target Rotation. */
#include "render_target.h"
#include "tests/proves.h"

/* Sends every pixel of a picture of w by h whose colours are its numbers, four subspans a message.
 */
static void
draw(struct fx *f, unsigned w, unsigned h)
{
   for (unsigned y = 0; y < h; y += 2)
      for (unsigned x = 0; x < w; x += 8) {
         header(f, 0, 0xffff);
         for (unsigned n = 0; n < 4; n++)
            fx_in(f, 1)[2 + n] = y << 16 | (x + 2 * n);
         for (unsigned i = 0; i < 16; i++) {
            unsigned number = (y + i % 4 / 2) * w + x + 2 * (i / 4) + i % 2 + 1;
            fx_in(f, 2 + i / 8)[i % 8] = float_bits((float)(number & 255) / 255);
            fx_in(f, 4 + i / 8)[i % 8] = float_bits((float)(number >> 8) / 255);
         }
         fx_send(f, SFID_DP_RENDER, RT(SIMD16), true, 10, 0);
      }
}

/* SMP-365: a turned picture, made by reading columns of the picture as rows, is what lies in X
 * tiles; nothing else is touched. */
static void
rotation(void **state)
{
   proves("SMP-365");
   struct fx *f = *state;
   f->env.pixel = plain_windower();
   enum { W = 24, H = 140, PITCH = 1024, ROWS = 144 };
   static uint32_t want[ROWS][PITCH / 4];
   static const unsigned rotations[3] = {0, 1, 3};
   for (unsigned r = 0; r < 3; r++) {
      struct hw_render_surface_state st = {.surface_type = SURFTYPE_2D,
                                           .surface_format = 0xc7,
                                           .tiled_surface = true,
                                           .surface_base_address = FX_DATA,
                                           .width = W - 1,
                                           .height = H - 1,
                                           .surface_pitch = PITCH - 1,
                                           .render_target_rotation = rotations[r]};
      fx_surface(f, 0, &st);
      memset(fx_at(f, FX_DATA), 0, PITCH * ROWS);
      memset(want, 0, sizeof(want));
      uint32_t *to = want[0];
      if (rotations[r] == 0)
         for (unsigned y = 0; y < H; y++)
            for (unsigned x = 0; x < W; x++)
               want[y][x] = y * W + x + 1;
      else if (rotations[r] == 1) /* the left column becomes the top row: its lowest pixel first */
         for (unsigned x = 0; x < W; x++, to += PITCH / 4)
            for (unsigned left = H, n = 0; left-- > 0; n++)
               to[n] = left * W + x + 1;
      else /* the right column becomes the top row: its highest pixel first */
         for (unsigned right = W; right-- > 0; to += PITCH / 4)
            for (unsigned y = 0; y < H; y++)
               to[y] = y * W + right + 1;
      draw(f, W, H);
      for (unsigned n = 0; n < PITCH * ROWS / 4; n++) {
         unsigned tile = n / 1024, x = tile % 2 * 128 + n % 128, y = tile / 2 * 8 + n % 1024 / 128;
         assert_int_equal(*fx_dw(f, FX_DATA + 4 * n), want[y][x]);
      }
   }
   assert_silent(f);
}

static void
rotated_message(struct fx *f, const struct hw_render_surface_state *st)
{
   fx_surface(f, 0, st);
   memset(fx_at(f, FX_DATA), 0, 0x10000);
   header(f, 0, 1);
   for (unsigned n = 0; n < 4; n++)
      fx_in(f, 1)[2 + n] = 0;
   fx_in(f, 2)[0] = float_bits(1);
   fx_send(f, SFID_DP_RENDER, RT(SIMD8), true, 6, 0);
}

/* SMP-365: each condition, broken: it is named, and the target is written unrotated. */
static void
rotation_rules(void **state)
{
   proves("SMP-365");
   struct fx *f = *state;
   f->env.pixel = plain_windower();
   static const uint16_t good[] = {0x84, 0x8f, 0xc0, 0xc1, 0xc2, 0xc3, 0xc7,  0xc8, 0xd1,
                                   0xd2, 0xe9, 0xea, 0xeb, 0xec, 0xee, 0x100, 0x101};
   const struct hw_render_surface_state plain = {.surface_type = SURFTYPE_2D,
                                                 .surface_format = 0xc7,
                                                 .tiled_surface = true,
                                                 .surface_base_address = FX_DATA,
                                                 .width = 15,
                                                 .height = 15,
                                                 .surface_pitch = 511,
                                                 .render_target_rotation = 1};
   struct hw_render_surface_state st;
   for (unsigned format = 0, next = 0; format < FORMAT_COUNT; format++) {
      st = plain;
      st.surface_format = format;
      rotated_message(f, &st);
      bool listed = next < sizeof(good) / sizeof(good[0]) && good[next] == format;
      assert_int_equal(fx_said(f, "SMP-365"), !listed);
      next += listed;
      f->rule_count = 0;
   }
   for (unsigned i = 0; i < 11; i++) {
      st = plain;
      switch (i) {
      case 0:
         st.tiled_surface = false;
         break;
      case 1:
         st.tile_walk = 1;
         break;
      case 2:
         st.surface_array = true;
         break;
      case 3:
         st.mip_count_or_lod = 1;
         break;
      case 4:
         st.width = 14;
         break;
      case 5:
         st.height = 14;
         break;
      case 6:
         st.height = 129;
         break; /* 130 pixels of 4 bytes */
      case 7:
         st.x_offset = 1;
         break;
      case 8:
         st.y_offset = 1;
         break;
      case 9:
         st.surface_type = SURFTYPE_3D;
         break;
      case 10:
         st.render_target_rotation = 2;
         break;
      }
      rotated_message(f, &st);
      assert_rule(f, "SMP-365");
      if (i != 3 && i != 7 && i != 8)
         assert_int_equal(*fx_dw(f, FX_DATA), 0xff);
   }
   st = plain;
   st.height = 127; /* 128 pixels fill the pitch */
   rotated_message(f, &st);
   assert_silent(f);
   assert_int_equal(*fx_dw(f, FX_DATA + 127 * 4), 0xff);
   st.surface_type = SURFTYPE_BUFFER;
   rotated_message(f, &st);
   assert_true(fx_said(f, "SMP-365"));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {FX_TEST(rotation), FX_TEST(rotation_rules)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
