/* Draws that no driver makes, and a guest may: they end, or end when their turn does. */
#include "scene.h"

#include "tests/proves.h"

#define LINELIST 2
#define LINESTRIP 3

/* The first turn of the draw. */
static enum pergola_run_result
first_turn(struct scene *s)
{
   uint32_t dw[512];
   prepare(s);
   unsigned n = record(s, dw);
   rig_ring(s->rig, RCS, dw, n);
   return pergola_run(s->rig->dev, 100000);
}

/* Thread Dispatch Enable, and no kernel to dispatch. */
static void
no_kernel(void **state)
{
   proves("P3D-286");
   struct scene *s = *state;
   s->ps._8_pixel_dispatch_enable = false;
   s->wm.thread_dispatch_enable = false;
   draw(s);
   expect_pixels(s, 0, 0, 0, 0);
   rig_clean(s->rig);
   s->wm.thread_dispatch_enable = true;
   draw(s);
   expect_pixels(s, 0, 0, 0, 0);
   rig_expect(s->rig, "P3D-286");
   s->ps._8_pixel_dispatch_enable = true;
   draw(s);
   expect_pixels(s, 0, 0, 8, 4);
}

/* Pixels that make no thread are work too: a turn ends in the middle of them. */
static void
no_threads(void **state)
{
   struct scene *s = *state;
   s->wm.thread_dispatch_enable = false;
   set_rectangle(s, 0, 0, 0, 32767, 32767);
   assert_int_equal(first_turn(s), PERGOLA_RUN_BUDGET);
}

/* So are the rows of a depth buffer that is cleared. What has been done stays done. */
static void
large_clears(void **state)
{
   struct scene *s = *state;
   s->wm = (struct hw_3dstate_wm){.depth_buffer_clear = true};
   set_rectangle(s, 0, 0, 0, 32767, 32767);
   assert_int_equal(first_turn(s), PERGOLA_RUN_BUDGET);
   set_rectangle(s, 0, 0, 0, 8, 64);
   rig_reset(s->rig, RCS);
   assert_int_equal(first_turn(s), PERGOLA_RUN_IDLE);
}

/* A wide line to infinity has corners that are no numbers. */
static void
infinite_lines(void **state)
{
   struct scene *s = *state;
   static const float ends[][2] = {{INFINITY, 3}, {-INFINITY, 3}, {3, INFINITY}, {1e38f, -1e38f}};
   s->primitive.primitive_topology_type = LINELIST;
   s->primitive.vertex_count_per_instance = 2;
   s->sf.line_width = 256;
   for (unsigned i = 0; i < 4; i++)
      for (unsigned mode = 0; mode < 4; mode++) {
         s->sf.multisample_rasterization_mode = s->wm.multisample_rasterization_mode = mode;
         memcpy(s->vertex[0], ends[i], sizeof(ends[i]));
         memcpy(s->vertex[1], ends[(i + mode) % 4], sizeof(ends[i]));
         s->vertex[1][1] += 1;
         draw(s);
      }
   rig_clean(s->rig);
}

/* Where turns end is not to be seen: what the last line of a strip is, the cut behind it tells. */
static void
turns(void **state)
{
   struct scene *s = *state;
   static const uint8_t indices[8] = {0, 1, 2, 0xff, 3, 4, 0xff, 0xff};
   static const float v[5][3] = {
       {1.5f, 1.5f}, {9.5f, 1.5f}, {9.5f, 7.5f}, {20.5f, 3.5f}, {30.5f, 3.5f}};
   uint32_t whole[WIDTH * HEIGHT * 4], dw[512];
   memcpy(rig_ggtt(s->rig, CONSTANTS), indices, sizeof(indices));
   memcpy(s->vertex, v, sizeof(v));
   s->sf.last_pixel_enable = true;
   s->primitive.primitive_topology_type = LINESTRIP;
   s->primitive.vertex_count_per_instance = 8;
   s->primitive.vertex_access_type = 1;
   const struct hw_3dstate_index_buffer index = {.cut_index_enable = true,
                                                 .buffer_starting_address = CONSTANTS,
                                                 .buffer_ending_address = CONSTANTS + 7};
   gen7_3dstate_index_buffer_pack(s->extra, &index);
   s->extras = GEN7_3DSTATE_INDEX_BUFFER_LENGTH;
   draw(s);
   memcpy(whole, pixel(s, 0, 0), sizeof(whole));
   assert_int_equal(pixel(s, 9, 7)[3], 7); /* the last pixels are there */
   assert_int_equal(pixel(s, 30, 3)[3], 7);
   prepare(s);
   rig_ring(s->rig, RCS, dw, record(s, dw));
   while (pergola_run(s->rig->dev, 5) == PERGOLA_RUN_BUDGET)
      ;
   assert_memory_equal(whole, pixel(s, 0, 0), sizeof(whole));
   rig_clean(s->rig);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {CASE(no_kernel), CASE(no_threads), CASE(large_clears),
                                      CASE(infinite_lines), CASE(turns)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
