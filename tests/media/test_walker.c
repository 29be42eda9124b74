/* The walker's patterns: those that the manual draws and prints, and those that drivers program. */
#include "stage.h"

#include <stdlib.h>
#include "tests/proves.h"

#define LIMIT 20000

struct path {
   struct walk_point point[LIMIT];
   unsigned count;
};

static struct path *
walk_path(const struct walk_parameters *p)
{
   static struct path path; /* one at a time */
   struct walk w;
   walk_begin(&w, p);
   path.count = 0;
   while (path.count < LIMIT && walk_next(&w, &path.point[path.count]))
      path.count++;
   return &path;
}

/* One block that is the whole space, as most clients use the walker. */
static struct walk_parameters
block(int w, int h, int outer_x, int outer_y, int inner_x, int inner_y)
{
   return (struct walk_parameters){.repel = true,
                                   .colors = 1,
                                   .global_count = 1023,
                                   .local_count = 1023,
                                   .block = {w, h},
                                   .local_outer = {outer_x, outer_y},
                                   .local_inner = {inner_x, inner_y},
                                   .resolution = {w, h},
                                   .global_outer = {w, 0},
                                   .global_inner = {0, h}};
}

/* "xy xy …", one digit each. */
static void
assert_path(const struct path *p, const char *text)
{
   unsigned i = 0;
   for (; *text; text += 2 + (text[2] == ' '), i++) {
      assert_true(i < p->count);
      if (p->point[i].x != text[0] - '0' || p->point[i].y != text[1] - '0')
         fail_msg("step %u is (%d, %d), not (%c, %c)", i, p->point[i].x, p->point[i].y, text[0],
                  text[1]);
   }
}

static void
assert_each_once(const struct path *p, int w, int h)
{
   uint8_t *seen = calloc((size_t)w, (size_t)h);
   for (unsigned i = 0; i < p->count; i++) {
      int x = p->point[i].x, y = p->point[i].y;
      assert_in_range(x, 0, w - 1);
      assert_in_range(y, 0, h - 1);
      assert_int_equal(seen[y * w + x]++, 0);
   }
   assert_int_equal(p->count, w * h);
   free(seen);
}

/* MEDIA-136, MEDIA-137, MEDIA-132: rows and columns; larger steps skip. */
static void
rows_and_columns(void **state)
{
   proves("MEDIA-136", "MEDIA-137", "MEDIA-132");
   (void)state;
   struct walk_parameters p = block(8, 8, 0, 1, 1, 0);
   struct path *path = walk_path(&p);
   for (unsigned i = 0; i < 64; i++) {
      assert_int_equal(path->point[i].x, i % 8);
      assert_int_equal(path->point[i].y, i / 8);
   }
   assert_int_equal(path->count, 64);
   p = block(8, 8, 0, 2, 1, 0); /* every other row */
   path = walk_path(&p);
   assert_int_equal(path->count, 32);
   for (unsigned i = 0; i < 32; i++)
      assert_int_equal(path->point[i].y, i / 8 * 2);
   p = block(8, 8, 0, 1, 2, 0); /* every other column */
   path = walk_path(&p);
   assert_int_equal(path->count, 32);
   assert_int_equal(path->point[1].x, 2);
   p = block(8, 8, 1, 0, 0, 1); /* column walk */
   path = walk_path(&p);
   assert_each_once(path, 8, 8);
   assert_path(path, "00 01 02 03 04 05 06 07 10 11");
   p = block(8, 8, 2, 0, 0, 4);
   path = walk_path(&p);
   assert_path(path, "00 04 20 24 40 44 60 64");
   assert_int_equal(path->count, 8);
   p = block(8, 6, 0, 3, 4, 0); /* MEDIA-132: work units of 4 x 3 in pixel units */
   assert_path(walk_path(&p), "00 40 03 43");
}

/* MEDIA-138, MEDIA-155: wavefronts that leave on the right still enter from the edge. */
static void
angled_walks(void **state)
{
   proves("MEDIA-138", "MEDIA-155");
   (void)state;
   struct walk_parameters p = block(4, 3, 1, 0, -2, 1);
   assert_path(walk_path(&p), "00 10 20 01 30 11 21 02 31 12 22 32");
   assert_each_once(walk_path(&p), 4, 3);
   p = block(8, 8, 1, 0, -1, 1); /* 45 degrees */
   assert_each_once(walk_path(&p), 8, 8);
   assert_path(walk_path(&p), "00 10 01 20 11 02 30 21 12 03");
   p = block(8, 8, 1, 0, -2, 1); /* 26.5 degrees */
   assert_each_once(walk_path(&p), 8, 8);
   /* (4, 1) leads past the corner: the walk ends, though (6, 2) behind it would lead to (3, 0) */
   p = block(4, 4, 2, 1, -3, -2);
   p.local_start = (struct walk_vector){2, 0};
   assert_path(walk_path(&p), "20");
   assert_int_equal(walk_path(&p)->count, 1);
   p = block(8, 8, 2, 0, -1, 1); /* checkerboard */
   struct path *path = walk_path(&p);
   assert_int_equal(path->count, 32);
   for (unsigned i = 0; i < 32; i++)
      assert_int_equal((path->point[i].x + path->point[i].y) % 2, 0);
}

/* MEDIA-139, MEDIA-157: the four rotations; a start of 8 is the last column or row. */
static void
rotations(void **state)
{
   proves("MEDIA-139", "MEDIA-157");
   (void)state;
   static const int r[4][6] = {
       {0, 0, 1, 0, -2, 1}, {8, 0, 0, 1, -1, -2}, {0, 8, 0, -1, 1, 2}, {8, 8, -1, 0, 2, -1}};
   for (unsigned i = 0; i < 4; i++) {
      struct walk_parameters p = block(8, 8, r[i][2], r[i][3], r[i][4], r[i][5]);
      p.local_start = (struct walk_vector){r[i][0], r[i][1]};
      assert_each_once(walk_path(&p), 8, 8);
      if (i == 1)
         assert_path(walk_path(&p), "70 71 72 60 73 61");
   }
   /* MEDIA-157: a far-corner start in a clipped block */
   struct walk_parameters p = block(8, 8, 0, -1, -1, 0);
   p.local_start = (struct walk_vector){7, 7};
   p.resolution = (struct walk_vector){5, 6};
   assert_each_once(walk_path(&p), 5, 6);
   assert_path(walk_path(&p), "45 35 25 15 05 44");
}

/* MEDIA-142, MEDIA-152, MEDIA-404: the printed MBAFF order. */
static void
mbaff_order(void **state)
{
   proves("MEDIA-142", "MEDIA-152", "MEDIA-404");
   (void)state;
   struct walk_parameters p = block(8, 8, 1, 0, -2, 2);
   p.middle = (struct walk_vector){0, 1};
   p.middle_extra_steps = 1;
   assert_path(walk_path(&p),
               "00 01 10 11 20 02 21 03 30 12 31 13 40 22 04 41 23 05 50 32 14 51 33 15 "
               "60 42 24 06 61 43 25 07");
   assert_each_once(walk_path(&p), 8, 8);
   p.middle_extra_steps = 0; /* top macroblocks only */
   struct path *path = walk_path(&p);
   assert_int_equal(path->count, 32);
   for (unsigned i = 0; i < 32; i++)
      assert_int_equal(path->point[i].y % 2, 0);
}

/* MEDIA-134, MEDIA-131, MEDIA-133, MEDIA-148: the table of the manual, 1920 x 1088 as an MBAFF
 * wavefront. */
static void
manual_table_120_by_68(void **state)
{
   proves("MEDIA-134", "MEDIA-131", "MEDIA-133", "MEDIA-148");
   (void)state;
   struct walk_parameters p = {.dual = true,
                               .colors = 1,
                               .middle_extra_steps = 1,
                               .middle = {0, 1},
                               .global_count = 1023,
                               .local_count = 1023,
                               .block = {32, 32},
                               .local_outer = {1, 0},
                               .local_inner = {-2, 2},
                               .resolution = {120, 68},
                               .global_outer = {32, 0},
                               .global_inner = {0, 32}};
   assert_each_once(walk_path(&p), 120, 68);
   assert_int_equal(walk_path(&p)->count, 8160);
}

/* MEDIA-464, MEDIA-143, MEDIA-144, MEDIA-145, MEDIA-151, MEDIA-150: raster of blocks, wavefront in
 * each. */
static void
global_loop_20_by_20(void **state)
{
   proves("MEDIA-464", "MEDIA-143", "MEDIA-144", "MEDIA-145", "MEDIA-151", "MEDIA-150");
   (void)state;
   struct walk_parameters p = block(8, 8, 1, 0, -2, 1);
   p.resolution = (struct walk_vector){20, 20};
   p.global_outer = (struct walk_vector){0, 8};
   p.global_inner = (struct walk_vector){8, 0};
   struct path *path = walk_path(&p);
   assert_each_once(path, 20, 20);
   static const int order[9][4] = {{0, 0, 8, 8},  {8, 0, 8, 8},  {16, 0, 4, 8},
                                   {0, 8, 8, 8},  {8, 8, 8, 8},  {16, 8, 4, 8},
                                   {0, 16, 8, 4}, {8, 16, 8, 4}, {16, 16, 4, 4}};
   unsigned at = 0;
   for (unsigned b = 0; b < 9; b++) {
      assert_int_equal(path->point[at].x, order[b][0]);
      assert_int_equal(path->point[at].y, order[b][1]);
      at += (unsigned)(order[b][2] * order[b][3]);
   }
}

/* MEDIA-146, MEDIA-156: other global starts; the slack falls on the other faces. */
static void
global_starts(void **state)
{
   proves("MEDIA-146", "MEDIA-156");
   (void)state;
   struct walk_parameters p = block(8, 8, 0, 1, 1, 0);
   p.resolution = (struct walk_vector){20, 20};
   p.global_start = (struct walk_vector){16, 16};
   p.global_outer = (struct walk_vector){0, -8};
   p.global_inner = (struct walk_vector){-8, 0};
   struct path *path = walk_path(&p);
   assert_each_once(path, 20, 20);
   assert_int_equal(path->point[0].x, 16);
   assert_int_equal(path->point[16].x, 8); /* 4 x 4 first */
   assert_int_equal(path->point[16].y, 16);
   p.global_start = (struct walk_vector){12, 12};
   path = walk_path(&p);
   assert_each_once(path, 20, 20);
   assert_int_equal(path->point[0].x, 12);
   assert_int_equal(path->point[64].x, 4);
   assert_int_equal(path->point[128].x, 0); /* the block at -4 covers 0 … 3 */
   assert_int_equal(path->point[131].x, 3);
   assert_int_equal(path->point[132].x, 0);
}

/* MEDIA-159, MEDIA-140, MEDIA-141, MEDIA-462: order within an inner walk. */
static void
dual_repel_attract(void **state)
{
   proves("MEDIA-159", "MEDIA-140", "MEDIA-141", "MEDIA-462");
   (void)state;
   struct walk_parameters p = block(5, 1, 0, 1, 1, 0);
   assert_path(walk_path(&p), "00 10 20 30 40"); /* repel: away from the outer line */
   p.repel = false;
   assert_path(walk_path(&p), "40 30 20 10 00"); /* neither: attract */
   p.dual = true;
   struct path *path = walk_path(&p);
   assert_path(path, "00 40 10 30 20"); /* the middle point once */
   assert_int_equal(path->count, 5);
   for (unsigned i = 0; i < 5; i++)
      assert_int_equal(path->point[i].second_half, i % 2);
   p = block(4, 2, 0, 1, 1, 0);
   p.repel = false;
   p.dual = true;
   assert_path(walk_path(&p), "00 30 10 20 01 31 11 21");
}

/* MEDIA-402, MEDIA-403: each position once per color, before the walk goes on. */
static void
colors(void **state)
{
   proves("MEDIA-402", "MEDIA-403");
   (void)state;
   struct walk_parameters p = block(2, 2, 0, 1, 1, 0);
   p.colors = 3;
   struct path *path = walk_path(&p);
   assert_int_equal(path->count, 12);
   for (unsigned i = 0; i < 12; i++) {
      assert_int_equal(path->point[i].color, i % 3);
      assert_int_equal(path->point[i].x, i / 3 % 2);
      assert_int_equal(path->point[i].y, i / 6);
   }
}

/* MEDIA-406, MEDIA-407, MEDIA-463, MEDIA-153, MEDIA-154: the counts that open drivers program. */
static void
driver_patterns_and_counts(void **state)
{
   proves("MEDIA-406", "MEDIA-407", "MEDIA-463", "MEDIA-153", "MEDIA-154", "MEDIA-158");
   (void)state;
   for (int w = 1; w < 14; w += 3)
      for (int h = 1; h < 12; h += 2) {
         const struct {
            int ox, oy, ix, iy;
            int count;
            struct walk_vector end;
         } m[] = {{0, 1, 1, 0, h - 1, {w - 1, 0}},
                  {1, 0, 0, 1, w - 1, {0, h - 1}},
                  {1, 0, -1, 1, w + h - 2, {0, 0}},
                  {1, 0, -2, 1, w + 2 * (h - 1) - 1, {0, 0}}};
         for (unsigned i = 0; i < 4; i++) {
            struct walk_parameters p = block(w, h, m[i].ox, m[i].oy, m[i].ix, m[i].iy);
            p.local_count = (unsigned)m[i].count;
            p.global_count = 1;
            assert_each_once(walk_path(&p), w, h);
            struct walk_vector end = walk_first_end(&p); /* MEDIA-158 */
            assert_int_equal(end.x, m[i].end.x);
            assert_int_equal(end.y, m[i].end.y);
            p.repel = false;
            p.dual = true;
            assert_each_once(walk_path(&p), w, h);
            if (m[i].count) { /* one iteration less leaves something out */
               p.local_count--;
               assert_true(walk_path(&p)->count < (unsigned)(w * h));
            }
         }
      }
   struct walk_parameters p = block(4, 4, 0, 1, 1, 0);
   p.resolution = (struct walk_vector){4, 16};
   p.global_outer = (struct walk_vector){0, 4};
   p.global_inner = (struct walk_vector){4, 0};
   p.global_count = 1; /* two of four */
   assert_int_equal(walk_path(&p)->count, 32);
}

/* MEDIA-418: zero vectors end by the counts. */
static void
zero_vectors(void **state)
{
   proves("MEDIA-418");
   (void)state;
   struct walk_parameters p = block(4, 4, 0, 1, 0, 0); /* one point a walk */
   assert_path(walk_path(&p), "00 01 02 03");
   assert_int_equal(walk_path(&p)->count, 4);
   p = block(4, 4, 0, 0, 1, 0);
   p.local_count = 2;
   assert_int_equal(walk_path(&p)->count, 12);
   p = block(2, 2, 0, 1, 1, 0);
   p.global_inner = (struct walk_vector){0, 0};
   assert_int_equal(walk_path(&p)->count, 4);
   p.global_outer = (struct walk_vector){0, 0};
   p.global_count = 4;
   assert_int_equal(walk_path(&p)->count, 20);
   p = block(0, 0, 1, 0, 0, 1); /* nothing to walk */
   assert_int_equal(walk_path(&p)->count, 0);
}

/* MEDIA-149: the walk is a function of its parameters; taken in pieces it is the same. */
static void
random_walks_stay_inside(void **state)
{
   proves("MEDIA-149");
   (void)state;
   srand(5);
   for (unsigned n = 0; n < 1000; n++) {
      struct walk_parameters p = {.dual = rand() & 1,
                                  .repel = rand() & 1,
                                  .colors = 1 + (unsigned)rand() % 2,
                                  .middle_extra_steps = (unsigned)rand() % 3,
                                  .middle = {rand() % 4 - 2, rand() % 4 - 2},
                                  .global_count = (unsigned)rand() % 8,
                                  .local_count = (unsigned)rand() % 20,
                                  .block = {rand() % 12, rand() % 12},
                                  .local_start = {rand() % 14, rand() % 14},
                                  .local_outer = {rand() % 7 - 3, rand() % 7 - 3},
                                  .local_inner = {rand() % 7 - 3, rand() % 7 - 3},
                                  .resolution = {rand() % 30, rand() % 30},
                                  .global_start = {rand() % 40 - 10, rand() % 40 - 10},
                                  .global_outer = {rand() % 17 - 8, rand() % 17 - 8},
                                  .global_inner = {rand() % 17 - 8, rand() % 17 - 8}};
      struct path *path = walk_path(&p);
      for (unsigned i = 0; i < path->count; i++) {
         assert_in_range(path->point[i].x, 0, p.resolution.x - 1);
         assert_in_range(path->point[i].y, 0, p.resolution.y - 1);
      }
      if (path->count < 3)
         continue;
      struct walk w, ahead; /* a second walker that runs ahead changes nothing */
      struct walk_point a, b;
      walk_begin(&w, &p);
      for (unsigned i = 0; i < path->count / 2; i++)
         assert_true(walk_next(&w, &a));
      ahead = w;
      while (walk_next(&ahead, &b))
         ;
      for (unsigned i = path->count / 2; i < path->count; i++) {
         assert_true(walk_next(&w, &a));
         assert_int_equal(a.x, path->point[i].x);
         assert_int_equal(a.y, path->point[i].y);
      }
   }
}

/* MEDIA-135, MEDIA-147: from the command's fields to the loop nest. */
static void
parameters_from_the_command(void **state)
{
   proves("MEDIA-135", "MEDIA-147");
   (void)state;
   struct hw_media_object_walker c = {.dual_mode = true,
                                      .color_count_minus_one = 1,
                                      .middle_loop_extra_steps = 1,
                                      .local_mid_loop_unit_y = 1,
                                      .global_loop_exec_count = 1023,
                                      .local_loop_exec_count = 1023,
                                      .block_resolution_x = 32,
                                      .block_resolution_y = 32,
                                      .local_outer_loop_stride_x = 1,
                                      .local_inner_loop_unit_x = -2,
                                      .local_inner_loop_unit_y = 2,
                                      .global_resolution_x = 120,
                                      .global_resolution_y = 68,
                                      .global_outer_loop_stride_x = 32,
                                      .global_inner_loop_unit_y = 32};
   uint32_t dw[GEN7_MEDIA_OBJECT_WALKER_LENGTH];
   gen7_media_object_walker_pack(dw, &c);
   gen7_media_object_walker_unpack(&c, dw);
   struct walk_parameters p;
   walk_parameters_of(&p, &c);
   struct path *path = walk_path(&p);
   assert_int_equal(path->count, 2 * 8160);
   /* MEDIA-135: 9 bits of coordinates */
   c.global_resolution_x = 1920;
   gen7_media_object_walker_pack(dw, &c);
   gen7_media_object_walker_unpack(&c, dw);
   assert_int_equal(c.global_resolution_x, 1920 & 511);
}

/* MEDIA-416 and its like: each field of the command is one parameter of the walk, with its sign. */
static void
fields_become_parameters(void **state)
{
   proves("MEDIA-411", "MEDIA-412", "MEDIA-413", "MEDIA-414", "MEDIA-415", "MEDIA-416");
   uint32_t dw[GEN7_MEDIA_OBJECT_WALKER_LENGTH] = {0};
   struct hw_media_object_walker c;
   struct walk_parameters p;
#define PAIR(n, y, x) (dw[n] = ((uint32_t)(y)&0x3ff) << 16 | ((uint32_t)(x)&0x3ff))
   for (int sign = -1; sign < 2; sign += 2) {
      PAIR(11, 11 * sign, 13 * sign);
      PAIR(12, 17 * sign, -19 * sign);
      PAIR(13, 0x1aa, 0x155);
      PAIR(14, 23 * sign, -29 * sign);
      PAIR(15, 31 * sign, -37 * sign);
      PAIR(16, 41 * sign, -43 * sign);
      gen7_media_object_walker_unpack(&c, dw);
      walk_parameters_of(&p, &c);
      assert_int_equal(p.local_outer.y, 11 * sign);
      assert_int_equal(p.local_outer.x, 13 * sign);
      assert_int_equal(p.local_inner.y, 17 * sign);
      assert_int_equal(p.local_inner.x, -19 * sign);
      assert_int_equal(p.resolution.y, 0x1aa);
      assert_int_equal(p.resolution.x, 0x155);
      assert_int_equal(p.global_start.y, 23 * sign);
      assert_int_equal(p.global_start.x, -29 * sign);
      assert_int_equal(p.global_outer.y, 31 * sign);
      assert_int_equal(p.global_outer.x, -37 * sign);
      assert_int_equal(p.global_inner.y, 41 * sign);
      assert_int_equal(p.global_inner.x, -43 * sign);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(rows_and_columns),
       cmocka_unit_test(angled_walks),
       cmocka_unit_test(rotations),
       cmocka_unit_test(mbaff_order),
       cmocka_unit_test(manual_table_120_by_68),
       cmocka_unit_test(global_loop_20_by_20),
       cmocka_unit_test(global_starts),
       cmocka_unit_test(dual_repel_attract),
       cmocka_unit_test(colors),
       cmocka_unit_test(driver_patterns_and_counts),
       cmocka_unit_test(zero_vectors),
       cmocka_unit_test(random_walks_stay_inside),
       cmocka_unit_test(parameters_from_the_command),
       cmocka_unit_test(fields_become_parameters),
   };
   return cmocka_run_group_tests_name("media_walker", tests, NULL, NULL);
}
