/* The scoreboard: wavefronts of the video formats, what holds a thread and what does not. */
#include "sanitize/sanitize.h"
#include "spawn.h"
#include "tests/proves.h"

static void
set_scoreboard(struct stage *s, bool nonstalling, const int delta[][2], unsigned count)
{
   struct hw_media_vfe_state v = stage_vfe();
   uint32_t dw[GEN7_MEDIA_VFE_STATE_LENGTH];
   v.scoreboard_enable = true;
   v.scoreboard_type = nonstalling;
   v.scoreboard_mask = (1u << count) - 1;
   gen7_media_vfe_state_pack(dw, &v);
   for (unsigned i = 0; i < count; i++)
      dw[6 + i / 4] |= ((uint32_t)(delta[i][0] & 15) | (uint32_t)(delta[i][1] & 15) << 4)
                       << i % 4 * 8;
   stage_flush(s);
   stage_submit(s, dw, 8);
}

/* Who has ended, by position. */
static enum eu_stop
checks_neighbours(struct stage *s, struct eu_thread *t, unsigned step)
{
   static uint8_t done[64][64];
   const struct ts_request *r = &t->ts->request;
   if (s->value[40]) { /* forget */
      memset(done, 0, sizeof(done));
      s->value[40] = 0;
   }
   unsigned w = s->value[0], h = s->value[1];
   if (step == 0)
      for (unsigned n = 0; n < s->value[2]; n++) {
         if (!(r->mask >> n & 1))
            continue;
         int x = (int)r->x + (int)s->value[10 + 2 * n], y = (int)r->y + (int)s->value[11 + 2 * n];
         if (x >= 0 && y >= 0 && x < (int)w && y < (int)h && !done[y][x])
            s->value[3]++; /* started too early */
      }
   if (step < 1 + (r->x * 7 + r->y * 3) % 5) {
      s->next_step = step + 1;
      return EU_STOP_BUDGET;
   }
   done[r->y][r->x] = 1;
   return stage_end(t);
}

static void
wavefront(struct stage *s, unsigned w, unsigned h, int inner_x, int inner_y, unsigned extra,
          const int delta[][2], unsigned count)
{
   set_scoreboard(s, false, delta, count);
   s->actor[1] = checks_neighbours;
   s->count = s->value[3] = 0;
   s->value[0] = w;
   s->value[1] = h;
   s->value[2] = count;
   s->value[40] = 1;
   for (unsigned i = 0; i < count; i++) {
      s->value[10 + 2 * i] = (unsigned)delta[i][0];
      s->value[11 + 2 * i] = (unsigned)delta[i][1];
   }
   struct hw_media_object_walker o = {.interface_descriptor_offset = 1,
                                      .use_scoreboard = true,
                                      .scoreboard_mask = 0xff,
                                      .repel = true,
                                      .middle_loop_extra_steps = extra,
                                      .local_mid_loop_unit_y = extra ? 1 : 0,
                                      .global_loop_exec_count = 1,
                                      .local_loop_exec_count = 1023,
                                      .block_resolution_x = w,
                                      .block_resolution_y = h,
                                      .local_outer_loop_stride_x = 1,
                                      .local_inner_loop_unit_x = inner_x,
                                      .local_inner_loop_unit_y = inner_y,
                                      .global_resolution_x = w,
                                      .global_resolution_y = h,
                                      .global_outer_loop_stride_x = (int)w,
                                      .global_inner_loop_unit_y = (int)h};
   uint32_t dw[GEN7_MEDIA_OBJECT_WALKER_LENGTH + 1];
   gen7_media_object_walker_pack(dw, &o);
   dw[0]++;
   dw[17] = 0;
   assert_int_equal(stage_direct_all(s, dw, 18), CS_DONE);
   stage_flush(s);
   assert_int_equal(s->count, w * h);
   assert_int_equal(s->value[3], 0);
   rig_forget(s->rig);
}

/* MEDIA-311, MEDIA-125, MEDIA-126, MEDIA-389, MEDIA-396, MEDIA-307, MEDIA-309, MEDIA-310: AVC,
 * progressive: A, B, C, D in a 26.5 degree wavefront. */
static void
avc_progressive(void **state)
{
   proves("MEDIA-311", "MEDIA-125", "MEDIA-126", "MEDIA-389", "MEDIA-396", "MEDIA-307", "MEDIA-309",
          "MEDIA-310", "MEDIA-234");
   struct stage *s = *state;
   static const int delta[4][2] = {{-1, 0}, {0, -1}, {1, -1}, {-1, -1}};
   stage_standard(s, false);
   wavefront(s, 20, 12, -2, 1, 0, delta, 4);
   assert_true(s->media->ts->peak > 1); /* and yet side by side */
}

/* MEDIA-127, MEDIA-128: MBAFF. Eight deltas serve first and second macroblocks of frame and field
 * pairs; each thread says by its mask which of them it needs. */
static void
avc_mbaff(void **state)
{
   proves("MEDIA-127", "MEDIA-128");
   struct stage *s = *state;
   enum { W = 12, H = 12 };
   static const int delta[8][2] = {{-1, 0}, {-1, 1}, {0, -2},  {0, -1},
                                   {1, -2}, {1, -1}, {-1, -2}, {-1, -1}};
   /* first of a frame pair: A0 A1 B1 C1 D1; of a field pair: all; second of a frame pair: A0 A1 and
    * the first; of a field pair: A0 A1 B1 C1 D1 of its own position */
   static const struct {
      unsigned mask, count;
   } need[2][2] = {{{0xab, 5}, {0xff, 8}}, {{0x89, 3}, {0xd5, 5}}};
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(__builtin_popcount(need[i / 2][i % 2].mask), need[i / 2][i % 2].count);
   stage_standard(s, false);
   set_scoreboard(s, false, delta, 8);
   s->actor[1] = checks_neighbours;
   s->value[0] = W;
   s->value[1] = H;
   s->value[2] = 8;
   s->value[40] = 1;
   for (unsigned i = 0; i < 8; i++) {
      s->value[10 + 2 * i] = (unsigned)delta[i][0];
      s->value[11 + 2 * i] = (unsigned)delta[i][1];
   }
   for (unsigned pair = 0; pair < H / 2; pair++)
      for (unsigned x = 0; x < W; x++)
         for (unsigned second = 0; second < 2; second++) {
            bool field = (x + pair) % 3 == 0;
            stage_object(s,
                         &(struct hw_media_object){.interface_descriptor_offset = 1,
                                                   .use_scoreboard = true,
                                                   .scoreboard_x = x,
                                                   .scoreboard_y = 2 * pair + second,
                                                   .scoreboard_mask = need[second][field].mask},
                         one, 1);
         }
   stage_flush(s);
   assert_int_equal(s->count, W * H);
   assert_int_equal(s->value[3], 0);
   assert_quiet(s);
}

/* MEDIA-130: VC1: the upper neighbour only. */
static void
vc1_upper_neighbour(void **state)
{
   proves("MEDIA-130");
   struct stage *s = *state;
   static const int delta[1][2] = {{0, -1}};
   stage_standard(s, false);
   wavefront(s, 5, 6, -1, 1, 0, delta, 1);
   for (unsigned i = 0; i < 30; i++) { /* raster index = y * width + x */
      unsigned x = s->record[i].r[0][1] & 511, y = s->record[i].r[0][1] >> 16;
      assert_in_range(y * 5 + x, 0, 29);
   }
}

static unsigned
started(struct stage *s)
{
   uint64_t budget = 300;
   media_drain(s->media, &budget);
   return s->count;
}

static void
put(struct stage *s, unsigned x, unsigned y, unsigned color, unsigned mask, bool use)
{
   stage_object(s,
                &(struct hw_media_object){.interface_descriptor_offset = 1,
                                          .use_scoreboard = use,
                                          .scoreboard_x = x,
                                          .scoreboard_y = y,
                                          .scoreboard_color = color,
                                          .scoreboard_mask = mask},
                one, 1);
}

/* MEDIA-311, MEDIA-368, MEDIA-374, MEDIA-458, MEDIA-457, MEDIA-402: what holds a thread and what
 * does not. */
static void
stalling_scoreboard(void **state)
{
   proves("MEDIA-234", "MEDIA-311", "MEDIA-368", "MEDIA-374", "MEDIA-458", "MEDIA-457",
          "MEDIA-402");
   struct stage *s = *state;
   static const int delta[2][2] = {{-1, 0}, {0, 0}};
   stage_standard(s, false);
   s->actor[1] = stays;
   set_scoreboard(s, false, delta, 2);
   put(s, 5, 5, 0, 3, true);
   assert_int_equal(started(s), 1);
   put(s, 6, 5, 1, 1, true); /* another color: no match */
   assert_int_equal(started(s), 2);
   put(s, 6, 5, 0, 0, true); /* its own mask asks for nothing */
   assert_int_equal(started(s), 3);
   put(s, 6, 5, 0, 1, false); /* bypasses */
   assert_int_equal(started(s), 4);
   put(s, 5, 5, 0, 1, true); /* same position, delta (0, 0) not asked for: not held */
   assert_int_equal(started(s), 5);
   put(s, 6, 5, 0, 1, true); /* held by (5, 5) */
   assert_int_equal(started(s), 5);
   put(s, 100, 100, 0, 1, true); /* behind it in the queue */
   assert_int_equal(started(s), 5);
   s->value[0] = 1;
   assert_int_equal(started(s), 7);
   s->value[0] = s->count = 0;
   put(s, 511, 3, 0, 1, true); /* wraps at 512 */
   put(s, 0, 3, 0, 1, true);
   assert_int_equal(started(s), 1);
   s->value[0] = 1;
   assert_int_equal(started(s), 2);
   s->value[0] = s->count = 0;
   put(s, 9, 9, 0, 0, true); /* MEDIA-458: delta (0, 0) holds a second one */
   put(s, 9, 9, 0, 2, true);
   assert_int_equal(started(s), 1);
   s->value[0] = 1;
   stage_flush(s);
   assert_int_equal(s->count, 2);
}

/* As a kernel with sendc: goes on when no dependency is in flight. */
static enum eu_stop
depends(struct stage *s, struct eu_thread *t, unsigned step)
{
   for (unsigned n = 0; n < 8; n++)
      if (t->tdr[n] & 0x8000)
         return EU_STOP_WAIT;
   return s->value[0] ? stage_end(t) : EU_STOP_BUDGET;
}

/* MEDIA-312, MEDIA-308, MEDIA-460, MEDIA-461: the non-stalling scoreboard fills the dependency
 * registers; ends are broadcast. */
static void
nonstalling_scoreboard(void **state)
{
   proves("MEDIA-312", "MEDIA-308", "MEDIA-460", "MEDIA-461");
   struct stage *s = *state;
   static const int delta[3][2] = {{-1, 0}, {0, -1}, {1, -1}};
   stage_standard(s, false);
   s->actor[1] = depends;
   set_scoreboard(s, true, delta, 3);
   put(s, 4, 5, 0, 7, true);
   put(s, 5, 4, 0, 7, true);
   put(s, 5, 5, 0, 7, true);
   assert_int_equal(started(s), 3);
   const struct ts_thread *a = scoreboard_find(s->media->ts, 4, 5, 0);
   const struct ts_thread *b = scoreboard_find(s->media->ts, 5, 4, 0);
   const struct ts_thread *c = scoreboard_find(s->media->ts, 5, 5, 0);
   assert_non_null(a);
   assert_non_null(b);
   assert_non_null(c);
   assert_int_equal(c->t->tdr[0], 0x8000 | a->place.fftid);
   assert_int_equal(c->t->tdr[1], 0x8000 | b->place.fftid);
   assert_int_equal(c->t->tdr[2], 0); /* nobody there */
   s->value[0] = 1;
   struct eu_thread *watched = c->t;
   stage_flush(s);
   assert_int_equal(watched->tdr[0] & 0x8000, 0); /* the ends of both were told */
   assert_int_equal(watched->tdr[1] & 0x8000, 0);
}

/* MEDIA-176, MEDIA-457: a synchronized root needs its message and the scoreboard. */
static void
synchronized_root_with_scoreboard(void **state)
{
   proves("MEDIA-176", "MEDIA-457");
   struct stage *s = *state;
   static const int delta[1][2] = {{-1, 0}};
   stage_standard(s, false);
   s->actor[1] = stays;
   set_scoreboard(s, false, delta, 1);
   put(s, 1, 1, 0, 1, true);
   stage_object(s,
                &(struct hw_media_object){.interface_descriptor_offset = 3,
                                          .thread_synchronization = true,
                                          .use_scoreboard = true,
                                          .scoreboard_x = 2,
                                          .scoreboard_y = 1,
                                          .scoreboard_mask = 1},
                one, 1);
   assert_int_equal(started(s), 1); /* no message yet */
   struct ts_message q = {.kind = TS_SPAWN_ROOT};
   assert_true(ts_send(s->media, s->media->ts->thread[0].t, &q));
   assert_int_equal(started(s), 1); /* the message, but (1, 1) is in flight */
   s->value[0] = 1;
   assert_int_equal(started(s), 2);
   stage_flush(s);
}

/* Threads of a wavefront read what their left and upper neighbours have written. */
static enum eu_stop
reads_neighbours(struct stage *s, struct eu_thread *t, unsigned step)
{
   const struct ts_request *r = &t->ts->request;
   uint32_t *picture = rig_ggtt(s->rig, STAGE_OUT);
   struct sanitize_access a = {.t = t, .kind = SANITIZE_READ, .bti = 1, .size = 4};
   if (r->x) {
      a.host = (uint8_t *)&picture[r->y * 8 + r->x - 1];
      sanitize_access(s->dev->sanitizer, &a);
   }
   if (r->y) {
      a.host = (uint8_t *)&picture[(r->y - 1) * 8 + r->x];
      sanitize_access(s->dev->sanitizer, &a);
   }
   a.kind = SANITIZE_WRITE;
   a.host = (uint8_t *)&picture[r->y * 8 + r->x];
   sanitize_access(s->dev->sanitizer, &a);
   return stage_end(t);
}

/* By dependencies a thread comes after those that it names, and after those that they name. */
static void
order_for_the_sanitizer(void **state)
{
   proves("SAN-002");
   struct stage *s = *state;
   static const int both[2][2] = {{-1, 0}, {0, -1}}, left[1][2] = {{-1, 0}};
   s->dev->sanitizer = sanitizer_create(s->dev, PERGOLA_SANITIZE_RACE);
   assert_non_null(s->dev->sanitizer);
   s->actor[1] = reads_neighbours;
   for (unsigned n = 1; n <= 2; n++) {
      stage_standard(s, false);
      set_scoreboard(s, false, n == 2 ? both : left, n);
      struct hw_media_object_walker o = stage_raster(8, 4);
      uint32_t dw[GEN7_MEDIA_OBJECT_WALKER_LENGTH + 1];
      o.interface_descriptor_offset = 1;
      o.use_scoreboard = true;
      o.scoreboard_mask = 0xff;
      gen7_media_object_walker_pack(dw, &o);
      dw[0]++;
      dw[17] = 0;
      rig_forget(s->rig);
      assert_int_equal(stage_direct_all(s, dw, 18), CS_DONE);
      stage_flush(s);
      assert_int_equal(rig_count(s->rig, "SAN-002") != 0, n == 1);
   }
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, stage_setup, stage_teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(avc_progressive),         CASE(avc_mbaff),
       CASE(vc1_upper_neighbour),     CASE(stalling_scoreboard),
       CASE(nonstalling_scoreboard),  CASE(synchronized_root_with_scoreboard),
       CASE(order_for_the_sanitizer),
   };
   return cmocka_run_group_tests_name("media_scoreboard", tests, NULL, NULL);
}
