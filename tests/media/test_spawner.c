/* The thread spawner: ends, synchronized and persistent roots, queues, scoreboard, deadlock. */
#include "spawn.h"

/* ---- ends ------------------------------------------------------------------------------------ */

static enum eu_stop
ends_as_told(struct stage *s, struct eu_thread *t, unsigned step)
{
   uint32_t m[8];
   memcpy(m, eu_grf(t, 0), 32);
   m[5] += s->value[1];
   m[0] += s->value[2];
   if (s->value[3])
      stage_message(t, SFID_THREAD_SPAWNER, s->value[3] - 1, m, false, NULL);
   if (s->value[0] != 0xff)
      stage_message(t, SFID_THREAD_SPAWNER, s->value[0], m, true, NULL);
   return EU_STOP_EOT;
}

static void
end_case(struct stage *s, bool children, unsigned desc, unsigned fftid, unsigned handle, unsigned early,
         const char *rule)
{
   s->value[0] = desc;
   s->value[1] = fftid;
   s->value[2] = handle;
   s->value[3] = early;
   stage_object(s,
                &(struct gen7_media_object){.interface_descriptor_offset = 1, .children_present = children},
                one, 1);
   stage_flush(s);
   if (rule)
      assert_said(s, rule);
   else
      assert_quiet(s);
   assert_true(ts_idle(s->media));
   assert_int_equal(s->media->ts->roots, 0);
   media_reset(s->media); /* diagnostics at the same place are counted, not repeated: a new device state */
   rig_forget(s->rig);
   stage_standard(s, false);
}

/* MEDIA-261, MEDIA-271, MEDIA-272, MEDIA-273, MEDIA-275, MEDIA-285, MEDIA-269, MEDIA-215, MEDIA-165, MEDIA-023,
 * MEDIA-366, MEDIA-367, MEDIA-169 */
static void
ends_of_roots(void **state)
{
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = ends_as_told;
   end_case(s, false, 0x10, 0, 0, 0, NULL);
   end_case(s, false, 0x00, 0, 0, 0, NULL); /* MEDIA-285: no effect without children */
   end_case(s, true, 0x00, 0, 0, 0, NULL);
   end_case(s, true, 0x10, 0, 0, 1, NULL); /* dereferenced early, then ends without */
   end_case(s, true, 0x00, 0, 0, 1, "MEDIA-271"); /* twice */
   end_case(s, true, 0x10, 0, 0, 0, "MEDIA-366"); /* never */
   end_case(s, false, 0x12, 0, 0, 0, "MEDIA-261"); /* says that it is a child */
   end_case(s, false, 0x10, 1, 0, 0, "MEDIA-275"); /* another FFTID */
   end_case(s, true, 0x00, 0, 64, 0, "MEDIA-281"); /* another handle */
   end_case(s, false, 0x01, 0, 0, 0, "MEDIA-273"); /* ends with a spawn */
}

static enum eu_stop
ends_badly(struct stage *s, struct eu_thread *t, unsigned step)
{
   return s->value[0] ? EU_STOP_FAULT : EU_STOP_EOT;
}

/* MEDIA-261, MEDIA-165: a root of the media pipe that faults, or ends and tells nobody: slot, FFTID and URB handle come
 * back all the same. */
static void
what_bad_ends_leave(void **state)
{
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = ends_badly;
   for (unsigned fault = 0; fault < 2; fault++)
      for (unsigned children = 0; children < 2; children++) {
         s->value[0] = fault;
         stage_object(s,
                      &(struct gen7_media_object){.interface_descriptor_offset = 1, .children_present = children},
                      one, 1);
         stage_flush(s);
         if (fault)
            assert_quiet(s);
         else if (!children) /* the same place is not named twice */
            assert_said(s, "MEDIA-261");
         rig_forget(s->rig);
         assert_true(ts_idle(s->media));
         assert_int_equal(s->media->ts->roots, 0);
         assert_int_equal(s->media->ts->fftid_used[0], 0);
         for (unsigned i = 0; i < s->media->vfe.handle_count; i++)
            assert_false(s->media->vfe.handle_busy[i]);
         media_reset(s->media);
         stage_standard(s, false);
      }
}

/* MEDIA-269: reserved bits of the descriptor. */
static void
reserved_descriptor_bits(void **state)
{
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = ends_as_told;
   end_case(s, false, 0x14, 0, 0, 0, "MEDIA-269");
}

static enum eu_stop
ends_by_gateway(struct stage *s, struct eu_thread *t, unsigned step)
{
   if (t->ts->request.kind == TS_ROOT && step == 0) {
      s->thread[0] = t;
      spawn(t, 1, 0, 1, false);
      s->next_step = 1;
      return EU_STOP_BUDGET;
   }
   if (t->ts->request.kind == TS_ROOT)
      return t->n0[0] ? end_with_handle(t) : EU_STOP_WAIT;
   uint32_t m[8] = {[4] = (s->thread[0]->sr0[0] & 0xffff) << 16, [5] = 100u << 21 | 2u << 8};
   stage_message(t, SFID_GATEWAY, 1u << 15 | 2, m, true, NULL);
   return EU_STOP_EOT;
}

/* MEDIA-476: a child may still end with a gateway message; it is noted. */
static void
child_ends_by_gateway(void **state)
{
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = ends_by_gateway;
   stage_object(s, &(struct gen7_media_object){.interface_descriptor_offset = 1, .children_present = true},
                one, 1);
   stage_flush(s);
   assert_int_equal(s->ended, 2);
   assert_int_equal(rig_count(s->rig, "MEDIA-476"), 1);
   assert_true(ts_idle(s->media));
}

/* MEDIA-366: a handle that nobody gives back. */
static void
lost_handles(void **state)
{
   struct stage *s = *state;
   struct gen7_media_vfe_state v = stage_vfe();
   stage_standard(s, false);
   v.number_of_urb_entries = 2;
   stage_put_vfe(s, &v);
   for (unsigned i = 0; i < 2; i++)
      stage_object(s, &(struct gen7_media_object){.children_present = true}, one, 1);
   uint64_t budget = 1000;
   assert_int_equal(media_drain(s->media, &budget), CS_DONE);
   rig_forget(s->rig);
   stage_object(s, &(struct gen7_media_object){0}, one, 1); /* no thread is left that could */
   assert_said(s, "MEDIA-366");
   stage_flush(s);
   assert_int_equal(s->count, 3);
}

/* ---- root limit ------------------------------------------------------------------------------ */

static enum eu_stop
lives_a_while(struct stage *s, struct eu_thread *t, unsigned step)
{
   if (s->media->ts->roots > s->value[0])
      s->value[0] = s->media->ts->roots;
   unsigned like_me = 0; /* MEDIA-226: no two roots at a time have the same FFTID */
   for (unsigned i = 0; i < TS_MAX_THREADS; i++) {
      const struct ts_thread *th = &s->media->ts->thread[i];
      like_me += th->state != TS_FREE && th->place.fftid == t->fftid;
   }
   s->value[1] += like_me != 1;
   if (step == 5)
      return stage_end(t);
   s->next_step = step + 1;
   return EU_STOP_BUDGET;
}

/* MEDIA-162, MEDIA-179, MEDIA-180, MEDIA-163, MEDIA-160, MEDIA-161, MEDIA-172, MEDIA-211, MEDIA-209, MEDIA-226 */
static void
root_limit(void **state)
{
   struct stage *s = *state;
   struct gen7_media_vfe_state v = stage_vfe();
   stage_standard(s, false);
   s->actor[1] = lives_a_while;
   for (unsigned most = 0; most < 6; most += 5) {
      v.maximum_number_of_threads = most;
      stage_flush(s);
      stage_put_vfe(s, &v);
      s->value[0] = s->count = 0;
      for (unsigned i = 0; i < 14; i++)
         stage_object(s, &(struct gen7_media_object){.interface_descriptor_offset = 1}, one, 1);
      stage_flush(s);
      assert_int_equal(s->count, 14);
      assert_int_equal(s->value[0], most + 1); /* the field is the count minus one */
      assert_int_equal(s->value[1], 0);
      for (unsigned i = 0; i < 14; i++) {
         assert_true(s->record[i].fftid <= most); /* lowest free, below the count */
         assert_int_equal(s->record[i].r[0][5],
                          0x4000 + s->record[i].fftid * 2048 + s->record[i].fftid);
      }
   }
   assert_quiet(s);
}

/* ---- synchronized roots ---------------------------------------------------------------------- */

static enum eu_stop
releases_roots(struct stage *s, struct eu_thread *t, unsigned step)
{
   build(s, handle_of(t), 0, 0x5000);
   build(s, handle_of(t), 1, 0x6000);
   for (unsigned i = 0; i < s->value[0]; i++)
      spawn(t, 9, 0, i == 0 ? 2 : 0, true);
   return end_with_handle(t);
}

/* MEDIA-008, MEDIA-173, MEDIA-174, MEDIA-190, MEDIA-221, MEDIA-216, MEDIA-262, MEDIA-283, MEDIA-276, MEDIA-367,
 * MEDIA-175, MEDIA-285 */
static void
synchronized_roots(void **state)
{
   struct stage *s = *state;
   stage_standard(s, false);
   struct gen7_interface_descriptor_data d = stage_descriptor(3);
   d.constant_urb_entry_read_length = 1;
   d.constant_urb_entry_read_offset = 44;
   stage_put_descriptor(s, 3, &d);
   stage_load_descriptors(s, 4);
   s->actor[1] = releases_roots;
   s->value[0] = 2;
   uint32_t data[1] = {0x99};
   stage_object(s, &(struct gen7_media_object){.interface_descriptor_offset = 1, .children_present = true},
                one, 1);
   for (unsigned i = 0; i < 2; i++)
      stage_object(s,
                   &(struct gen7_media_object){.interface_descriptor_offset = 3,
                                               .thread_synchronization = true,
                                               .scoreboard_x = i},
                   data, 1);
   stage_flush(s);
   assert_int_equal(s->count, 3);
   assert_int_equal(s->record[0].kernel, 64);
   const struct record *r = &s->record[1];
   for (unsigned i = 1; i < 3; i++)
      if (s->record[i].r[0][1] == 0)
         r = &s->record[i];
   assert_int_equal(r->r[0][2], 3 << 4); /* R0 by the spawner of threads, not by the spawning thread */
   assert_int_equal(r->r[1][0], 44);     /* constants */
   assert_int_equal(r->r[2][0], 0x5000); /* data of the spawning thread */
   assert_int_equal(r->r[3][0], 0x6000);
   assert_int_equal(r->r[4][0], 0x99); /* VFE's */
   assert_quiet(s);
   /* MEDIA-175: a message too few */
   s->value[0] = 1;
   stage_object(s, &(struct gen7_media_object){.interface_descriptor_offset = 1, .children_present = true},
                one, 1);
   for (unsigned i = 0; i < 2; i++)
      stage_object(s,
                   &(struct gen7_media_object){.interface_descriptor_offset = 3,
                                               .thread_synchronization = true},
                   data, 1);
   stage_flush(s);
   const struct rig_diagnostic *w = rig_find(s->rig, "MEDIA-268");
   assert_non_null(w);
   assert_non_null(strstr(w->message, "a synchronized root waits for a spawn-root message"));
}

/* MEDIA-175: a message too many. */
static void
spawn_root_without_root(void **state)
{
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = releases_roots;
   s->value[0] = 1;
   stage_object(s, &(struct gen7_media_object){.interface_descriptor_offset = 1, .children_present = true},
                one, 1);
   stage_flush(s);
   const struct rig_diagnostic *w = rig_find(s->rig, "MEDIA-268");
   assert_non_null(w);
   assert_non_null(strstr(w->message, "a spawn-root message waits for a synchronized root"));
   assert_true(ts_idle(s->media));
}

/* ---- persistent roots ------------------------------------------------------------------------ */

static void
prt(struct stage *s, const struct gen7_media_object_prt *o)
{
   uint32_t dw[GEN7_MEDIA_OBJECT_PRT_LENGTH];
   gen7_media_object_prt_pack(dw, o);
   assert_int_equal(stage_direct_all(s, dw, GEN7_MEDIA_OBJECT_PRT_LENGTH), CS_DONE);
}

static enum eu_stop
persistent_with_fence(struct stage *s, struct eu_thread *t, unsigned step)
{
   if (step < 6) { /* nobody starts while the fence stands */
      assert_int_equal(s->count, 1);
      s->next_step = step + 1;
      return EU_STOP_BUDGET;
   }
   if (step == 6) {
      s->value[0] = s->media->ts->root_count; /* what stands behind the fence */
      spawn(t, 0, 0, 0, true);
      s->next_step = 7;
      return EU_STOP_BUDGET;
   }
   return s->count > 1 ? stage_end(t) : EU_STOP_BUDGET;
}

/* MEDIA-383, MEDIA-384, MEDIA-284, MEDIA-193, MEDIA-046 */
static void
persistent_root_fence(void **state)
{
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = persistent_with_fence;
   for (unsigned type = 0; type < 2; type++) {
      s->count = 0;
      prt(s, &(struct gen7_media_object_prt){
                .interface_descriptor_offset = 1, .prt_fence_needed = true, .prt_fence_type = type});
      for (unsigned i = 0; i < 2; i++) /* type 1: they cannot even enter until the thread says so */
         stage_object(s, &(struct gen7_media_object){0}, one, 1);
      stage_flush(s);
      assert_int_equal(s->count, 3);
      assert_int_equal(s->value[0], type ? 0 : 2);
      assert_quiet(s);
   }
}

static enum eu_stop
child_counts_apart(struct stage *s, struct eu_thread *t, unsigned step)
{
   s->value[3]++;
   return stage_end_child(t);
}

static enum eu_stop
persistent(struct stage *s, struct eu_thread *t, unsigned step)
{
   if (eu_grf(t, 0)[2] & 1)
      s->value[0]++; /* restarted */
   if (t->cr0[1] >> 26 & 1) {
      assert_int_equal(s->media->ts->roots, 1); /* MEDIA-265 */
      s->value[1]++;
      spawn(t, 2, 0, 1, false); /* MEDIA-266: children still go */
      return stage_end(t);
   }
   return s->value[2] ? stage_end(t) : EU_STOP_BUDGET;
}

/* MEDIA-007, MEDIA-191, MEDIA-192, MEDIA-265, MEDIA-377, MEDIA-242, MEDIA-266: asked to leave, saved,
 * restarted. */
static void
persistent_root_restarts(void **state)
{
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = persistent;
   s->actor[2] = child_counts_apart;
   prt(s, &(struct gen7_media_object_prt){.interface_descriptor_offset = 1, .inline_data_0 = 0x1234});
   stage_object(s, &(struct gen7_media_object){0}, one, 1);
   uint64_t budget = 1000;
   assert_int_equal(media_drain(s->media, &budget), CS_AGAIN); /* it lives on */
   reg_set(s->dev, 0x2134, 1); /* a new head is waiting */
   budget = 1000;
   assert_int_equal(media_drain(s->media, &budget), CS_DONE);
   assert_int_equal(s->value[1], 1);
   assert_int_equal(s->value[3], 1);
   reg_set(s->dev, 0x2134, 0);
   uint8_t image[1024];
   assert_true(media_context_size() <= sizeof(image));
   media_context_save(s->media, image);
   media_reset(s->media);
   s->count = 0;
   s->value[2] = 1;
   media_context_restore(s->media, image);
   budget = 1000;
   assert_int_equal(media_drain(s->media, &budget), CS_DONE);
   assert_int_equal(s->count, 1);
   assert_int_equal(s->value[0], 1);
   assert_int_equal(s->record[0].r[1][0], 0x1234);
   assert_int_equal(s->record[0].r[0][2], 1 << 4 | 1);
}

static enum eu_stop
controls(struct stage *s, struct eu_thread *t, unsigned step)
{
   if (step == 0)
      spawn(t, 0, 0, 0, true); /* lifts the fence */
   s->value[10]++;
   return stage_end(t);
}

/* MEDIA-046, MEDIA-048: the manual's order for barrier groups, twice, through the ring. */
static void
barrier_group_sequence(void **state)
{
   struct stage *s = *state;
   uint32_t dw[64];
   s->actor[1] = controls;
   stage_standard(s, false);
   rig_set(s->rig, 0x209c, 1u << 28 | 1u << 12);
   for (unsigned group = 0; group < 2; group++) {
      stage_load_descriptors(s, STAGE_ACTORS);
      stage_load_curbe(s, 64);
      unsigned n = 0;
      memcpy(dw, IDS(0x70030000, 1), 8); /* MEDIA_GATEWAY_STATE of the older part: skipped */
      n += 2;
      gen7_media_object_prt_pack(dw + n, &(struct gen7_media_object_prt){.interface_descriptor_offset = 1,
                                                                        .prt_fence_needed = true,
                                                                        .prt_fence_type = 1});
      n += GEN7_MEDIA_OBJECT_PRT_LENGTH;
      memcpy(dw + n, IDS(0x70040000, 1u << 6, 0x04000000), 12); /* watermark; arbitration off */
      n += 3;
      for (unsigned i = 0; i < 3; i++) {
         gen7_media_object_pack(dw + n, &(struct gen7_media_object){.scoreboard_x = i});
         dw[n]++;
         dw[n + GEN7_MEDIA_OBJECT_LENGTH] = i;
         n += GEN7_MEDIA_OBJECT_LENGTH + 1;
      }
      memcpy(dw + n, IDS(0x04000001, 0x70040000, 0, 0x02000000), 16); /* on; flush of state; MI_FLUSH */
      stage_submit(s, dw, n + 4);
   }
   assert_int_equal(s->value[10], 2);
   assert_int_equal(s->count, 2 * 4);
   assert_int_equal(rig_count(s->rig, "MEDIA-268"), 0);
   assert_true(media_idle(s->media));
}

/* ---- scoreboard ------------------------------------------------------------------------------ */

static void
set_scoreboard(struct stage *s, bool nonstalling, const int delta[][2], unsigned count)
{
   struct gen7_media_vfe_state v = stage_vfe();
   uint32_t dw[GEN7_MEDIA_VFE_STATE_LENGTH];
   v.scoreboard_enable = true;
   v.scoreboard_type = nonstalling;
   v.scoreboard_mask = (1u << count) - 1;
   gen7_media_vfe_state_pack(dw, &v);
   for (unsigned i = 0; i < count; i++)
      dw[6 + i / 4] |= ((uint32_t)(delta[i][0] & 15) | (uint32_t)(delta[i][1] & 15) << 4) << i % 4 * 8;
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
   struct gen7_media_object_walker o = {.interface_descriptor_offset = 1,
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

/* MEDIA-311, MEDIA-125, MEDIA-126, MEDIA-389, MEDIA-396, MEDIA-307, MEDIA-309, MEDIA-310: AVC, progressive: A, B,
 * C, D in a 26.5 degree wavefront. */
static void
avc_progressive(void **state)
{
   struct stage *s = *state;
   static const int delta[4][2] = {{-1, 0}, {0, -1}, {1, -1}, {-1, -1}};
   stage_standard(s, false);
   wavefront(s, 20, 12, -2, 1, 0, delta, 4);
   assert_true(s->media->ts->peak > 1); /* and yet side by side */
}

/* MEDIA-127, MEDIA-128: MBAFF. Eight deltas serve first and second macroblocks of frame and field pairs; each
 * thread says by its mask which of them it needs. */
static void
avc_mbaff(void **state)
{
   struct stage *s = *state;
   enum { W = 12, H = 12 };
   static const int delta[8][2] = {{-1, 0}, {-1, 1}, {0, -2}, {0, -1}, {1, -2}, {1, -1}, {-1, -2}, {-1, -1}};
   /* first of a frame pair: A0 A1 B1 C1 D1; of a field pair: all; second of a frame pair: A0 A1 and the first;
    * of a field pair: A0 A1 B1 C1 D1 of its own position */
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
                         &(struct gen7_media_object){.interface_descriptor_offset = 1,
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
   struct stage *s = *state;
   static const int delta[1][2] = {{0, -1}};
   stage_standard(s, false);
   wavefront(s, 5, 6, -1, 1, 0, delta, 1);
   for (unsigned i = 0; i < 30; i++) { /* raster index = y * width + x */
      unsigned x = s->record[i].r[0][1] & 511, y = s->record[i].r[0][1] >> 16;
      assert_in_range(y * 5 + x, 0, 29);
   }
}

static enum eu_stop
stays(struct stage *s, struct eu_thread *t, unsigned step)
{
   return s->value[0] ? stage_end(t) : EU_STOP_BUDGET;
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
                &(struct gen7_media_object){.interface_descriptor_offset = 1,
                                            .use_scoreboard = use,
                                            .scoreboard_x = x,
                                            .scoreboard_y = y,
                                            .scoreboard_color = color,
                                            .scoreboard_mask = mask},
                one, 1);
}

/* MEDIA-311, MEDIA-368, MEDIA-374, MEDIA-458, MEDIA-457, MEDIA-402: what holds a thread and what does not. */
static void
stalling_scoreboard(void **state)
{
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

/* MEDIA-312, MEDIA-308, MEDIA-460, MEDIA-461: the non-stalling scoreboard fills the dependency registers;
 * ends are broadcast. */
static void
nonstalling_scoreboard(void **state)
{
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
   struct stage *s = *state;
   static const int delta[1][2] = {{-1, 0}};
   stage_standard(s, false);
   s->actor[1] = stays;
   s->actor[2] = releases_roots;
   set_scoreboard(s, false, delta, 1);
   put(s, 1, 1, 0, 1, true);
   stage_object(s,
                &(struct gen7_media_object){.interface_descriptor_offset = 3,
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

/* ---- MEDIA_STATE_FLUSH ----------------------------------------------------------------------- */

/* MEDIA-358, MEDIA-356, MEDIA-349, MEDIA-350, MEDIA-359, MEDIA-031: waits for the
 * last dispatch, not for the last end; with a watermark, for the room that a group needs. */
static void
state_flush_waits(void **state)
{
   struct stage *s = *state;
   struct gen7_media_vfe_state v = stage_vfe();
   stage_standard(s, false);
   v.number_of_urb_entries = 64;
   stage_put_vfe(s, &v);
   struct gen7_interface_descriptor_data d = stage_descriptor(2);
   d.number_of_threads_in_gpgpu_thread_group = 64;
   stage_put_descriptor(s, 2, &d);
   stage_load_descriptors(s, 3);
   s->actor[1] = stays;
   for (unsigned i = 0; i < 10; i++)
      stage_object(s, &(struct gen7_media_object){.interface_descriptor_offset = 1}, one, 1);
   assert_int_equal(stage_direct(s, IDS(0x70040000, 0), 2, 5000), CS_DONE);
   assert_true(ts_dispatched_all(s->media));
   assert_false(ts_idle(s->media)); /* they still run */
   assert_int_equal(stage_direct(s, IDS(0x70040000, 0), 2, 5000), CS_DONE); /* a second one is harmless */
   assert_int_equal(stage_direct(s, IDS(0x70040000, 1u << 6 | 2), 2, 5000), CS_AGAIN);
   s->value[0] = 1;
   assert_int_equal(stage_direct(s, IDS(0x70040000, 1u << 6 | 2), 2, 5000), CS_DONE);
   stage_flush(s);
   assert_quiet(s);
}

/* MEDIA-353, MEDIA-358: constants may change once the last thread has been dispatched. */
static void
constants_change_behind_dispatch(void **state)
{
   struct stage *s = *state;
   stage_standard(s, false);
   struct gen7_interface_descriptor_data d = stage_descriptor(1);
   d.constant_urb_entry_read_length = 1;
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   for (unsigned i = 0; i < 2; i++) {
      stage_memory(s, STAGE_DYNAMIC + STAGE_CURBE)[0] = 0x70 + i;
      assert_int_equal(stage_direct_all(s, IDS(0x70010002, 0, 32, STAGE_CURBE), 4), CS_DONE);
      stage_object(s, &(struct gen7_media_object){.interface_descriptor_offset = 1}, one, 1);
      assert_int_equal(stage_direct_all(s, IDS(0x70040000, 0), 2), CS_DONE);
   }
   stage_flush(s);
   for (unsigned i = 0; i < 2; i++)
      assert_int_equal(s->record[i].r[1][0], 0x70 + s->record[i].id);
   assert_quiet(s);
}

static enum eu_stop
waits_for_ever(struct stage *s, struct eu_thread *t, unsigned step)
{
   return EU_STOP_WAIT;
}

/* MEDIA-268: who waits for whom, and the next batch runs. */
static void
deadlock_report(void **state)
{
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = waits_for_ever;
   for (unsigned i = 0; i < 3; i++)
      stage_object(s, &(struct gen7_media_object){.interface_descriptor_offset = 1}, one, 1);
   stage_flush(s);
   const struct rig_diagnostic *d = rig_find(s->rig, "MEDIA-268");
   assert_non_null(d);
   assert_non_null(strstr(d->message, "threads wait for notifications"));
   assert_non_null(strstr(d->message, "3 threads in slots, of which 3 wait"));
   rig_forget(s->rig);
   s->count = 0;
   stage_object(s, &(struct gen7_media_object){0}, one, 1);
   stage_flush(s);
   assert_int_equal(s->count, 1);
   assert_quiet(s);
}

/* SF-169: a notification outlives the thread: the next one in that place finds it. */
static enum eu_stop
records_n0(struct stage *s, struct eu_thread *t, unsigned step)
{
   eu_notify(t, 2);
   return stage_end(t);
}

static void
notifications_stay_with_the_slot(void **state)
{
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = records_n0;
   for (unsigned i = 0; i < 2; i++) {
      stage_object(s, &(struct gen7_media_object){.interface_descriptor_offset = 1}, one, 1);
      stage_flush(s);
   }
   assert_int_equal(s->record[0].n0[2], 0);
   assert_int_equal(s->record[1].n0[2], 1);
   media_reset(s->media);
   assert_int_equal(s->media->n0[0][0][0][2], 0);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, stage_setup, stage_teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
      CASE(ends_of_roots),
      CASE(what_bad_ends_leave),
      CASE(reserved_descriptor_bits),
      CASE(child_ends_by_gateway),
      CASE(lost_handles),
      CASE(root_limit),
      CASE(synchronized_roots),
      CASE(spawn_root_without_root),
      CASE(persistent_root_fence),
      CASE(persistent_root_restarts),
      CASE(barrier_group_sequence),
      CASE(avc_progressive),
      CASE(avc_mbaff),
      CASE(vc1_upper_neighbour),
      CASE(stalling_scoreboard),
      CASE(nonstalling_scoreboard),
      CASE(synchronized_root_with_scoreboard),
      CASE(state_flush_waits),
      CASE(constants_change_behind_dispatch),
      CASE(deadlock_report),
      CASE(notifications_stay_with_the_slot),
   };
   return cmocka_run_group_tests_name("media_spawner", tests, NULL, NULL);
}
