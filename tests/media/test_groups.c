/* Places of thread groups, their barriers and shared memory. */
#include "stage.h"
#include "tests/proves.h"

/* MEDIA-180, MEDIA-196, MEDIA-199, MEDIA-200, MEDIA-203, MEDIA-206, SF-170: how many groups a
 * machine holds, and where. */
static void
places_of_groups(void **state)
{
   proves("MEDIA-180", "MEDIA-196", "MEDIA-199", "MEDIA-200", "MEDIA-203", "MEDIA-206", "SF-170");
   struct stage *s = *state;
   stage_standard(s, true);
   struct kernel_state k = {0};
   struct group_layout l;
   group_layout_init(s->media, &k, 1, &l);
   assert_int_equal(l.slots, 32); /* 16 of each half-slice, barrier or not */
   group_layout_init(s->media, &k, 8, &l);
   assert_int_equal(l.slots, 16); /* 64 threads of a half-slice */
   group_layout_init(s->media, &k, 64, &l);
   assert_int_equal(l.slots, 2);
   for (unsigned blocks = 1; blocks <= 16; blocks *= 2) {
      k.slm_size_B = blocks * 4096;
      group_layout_init(s->media, &k, 1, &l);
      assert_int_equal(l.slots, 2 * 16 / blocks); /* 64 KB of each half-slice */
   }
   k.slm_size_B = 0;
   s->media->vfe.max_threads = 24;
   group_layout_init(s->media, &k, 8, &l);
   assert_int_equal(l.slots, 3);
   /* SF-170: a count of 0 disables the barrier */
   k.d.barrier_enable = true;
   group_layout_init(s->media, &k, 8, &l);
   assert_false(l.barrier);
   k.d.number_of_threads_in_gpgpu_thread_group = 8;
   group_layout_init(s->media, &k, 8, &l);
   assert_true(l.barrier);
   assert_int_equal(l.barrier_count, 8);
}

/* MEDIA-465: FF_MODE chooses the half-slice. */
static void
half_slice_override(void **state)
{
   proves("MEDIA-465");
   struct stage *s = *state;
   stage_standard(s, true);
   for (unsigned mode = 0; mode < 3; mode++) {
      reg_set(s->dev, 0x20a0, 1u << 16 | mode << 17);
      s->count = 0;
      struct gen7_gpgpu_walker w = stage_walk(0, 8, 1, 8, 1, 1);
      stage_walker(s, &w);
      unsigned seen[2] = {0};
      for (unsigned i = 0; i < 8; i++)
         seen[s->record[i].half_slice]++;
      assert_int_equal(seen[0], mode == 0 ? 4 : mode == 1 ? 8 : 0);
   }
}

static void
barrier_releases_all(void **state)
{
   proves("MEDIA-058", "MEDIA-059", "MEDIA-053", "MEDIA-054", "MEDIA-195", "SF-020", "SF-065",
          "SF-066", "SF-071", "SF-077", "SF-078", "SF-079", "SF-173", "MEDIA-343", "MEDIA-347",
          "MEDIA-346", "SFV-080", "SFV-093", "SFV-100", "SFV-116");
   struct stage *s = *state;
   stage_standard(s, true);
   struct gen7_interface_descriptor_data d = stage_descriptor(1);
   d.barrier_enable = true;
   d.number_of_threads_in_gpgpu_thread_group = 24;
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   s->actor[1] = actor_meets_at_barrier;
   s->value[0] = 5;
   struct gen7_gpgpu_walker w = stage_walk(1, 16, 24, 1, 1, 1);
   stage_walker(s, &w);
   assert_int_equal(s->ended, 24);
   assert_quiet(s);
   /* MEDIA-347: a count that does not match is named */
   d.number_of_threads_in_gpgpu_thread_group = 23;
   stage_flush(s);
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   s->actor[1] = actor_ends;
   stage_walker(s, &w);
   assert_said(s, "MEDIA-347");
}

/* Thread 0 writes into thread 3, which sits three EUs on, before that one has had a turn. */
static enum eu_stop
writes_to_the_fourth(struct stage *s, struct eu_thread *t, unsigned step)
{
   (void)step;
   if (t->group_index == 3) {
      s->value[0] = eu_grf(t, 5)[2];
      s->value[1] = t->n0[0];
      s->value[2] = eu_grf(t, 0)[1];
      t->n0[0] = 0;
   }
   if (t->group_index == 0) {
      uint32_t m[8], desc;
      struct gen7_forwardmsg_payload p = {.data_0 = 0xabcd0000 + t->group->id[0],
                                          .hsid = t->half_slice,
                                          .euid = t->eu + 3u,
                                          .tid = t->slot,
                                          .register_offset = 5,
                                          .dword_offset = 2,
                                          .length = 2};
      gen7_forwardmsg_payload_pack(m, &p);
      gen7_gateway_message_descriptor_pack(
          &desc, &(struct gen7_gateway_message_descriptor){.subfuncid = 2, .notify = 1});
      stage_message(t, SFID_GATEWAY, desc, m, false, NULL);
   }
   return stage_end(t);
}

/* SF-039, SF-041: all threads of a group are there from its start, whoever runs first. */
static void
message_to_a_thread_that_has_not_run(void **state)
{
   proves("SF-039", "SF-041");
   struct stage *s = *state;
   stage_standard(s, true);
   s->actor[1] = writes_to_the_fourth;
   for (unsigned groups = 1; groups < 4; groups++) {
      struct gen7_gpgpu_walker w = stage_walk(1, 16, 4, groups, 1, 1);
      stage_walker(s, &w);
      assert_int_equal(s->value[0], 0xabcd0000 + groups - 1);
      assert_int_equal(s->value[1], 1);
      assert_int_equal(s->value[2], groups - 1);
      stage_flush(s);
   }
   assert_quiet(s);
}

static enum eu_stop
some_miss_the_barrier(struct stage *s, struct eu_thread *t, unsigned step)
{
   if (step == 0 && t->id % 4 == 3)
      return stage_end(t);
   if (step == 0) {
      uint32_t m[8] = {[2] = eu_grf(t, 0)[2] & 0x0f000000};
      stage_message(t, SFID_GATEWAY, 4, m, false, NULL);
   }
   s->next_step = 1;
   return t->n0[0] ? stage_end(t) : EU_STOP_WAIT;
}

/* MEDIA-207 and MEDIA-204: a group that can never go on is named, ended, and its place used again.
 */
static void
barrier_that_never_completes(void **state)
{
   proves("MEDIA-207", "MEDIA-204", "MEDIA-058");
   struct stage *s = *state;
   stage_standard(s, true);
   struct gen7_interface_descriptor_data d = stage_descriptor(1);
   d.barrier_enable = true;
   d.number_of_threads_in_gpgpu_thread_group = 4;
   d.shared_local_memory_size = 16;
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   rig_set(s->rig, 0xb020, 0x00080041);
   s->actor[1] = some_miss_the_barrier;
   struct gen7_gpgpu_walker w = stage_walk(1, 16, 4, 6, 1, 1);
   stage_walker(s, &w);
   const struct rig_diagnostic *r = rig_find(s->rig, "MEDIA-058");
   assert_non_null(r);
   assert_non_null(strstr(r->message, "expects 4 messages, 3 have come (threads 0x7)"));
   assert_non_null(strstr(r->message, "threads 0x8 have ended"));
   rig_forget(s->rig);
   assert_int_equal(s->count, 24); /* the groups behind it ran in the same places */
   w = stage_walk(0, 16, 4, 1, 1, 1);
   stage_walker(s, &w);
   assert_int_equal(s->count, 28);
   assert_quiet(s);
}

static enum eu_stop
never_ends(struct stage *s, struct eu_thread *t, unsigned step)
{
   return EU_STOP_BUDGET;
}

/* A thread that never ends is bounded by the budget; the caller sees CS_AGAIN and may reset. */
static void
endless_thread_costs_its_budget(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   s->actor[2] = never_ends;
   struct gen7_gpgpu_walker w = stage_walk(2, 16, 2, 1, 1, 1);
   uint32_t dw[GEN7_GPGPU_WALKER_LENGTH];
   gen7_gpgpu_walker_pack(dw, &w);
   for (unsigned i = 0; i < 10; i++)
      assert_int_equal(stage_direct(s, dw, GEN7_GPGPU_WALKER_LENGTH, 1000), CS_AGAIN);
   assert_false(media_idle(s->media));
   media_reset(s->media);
   assert_true(media_idle(s->media));
}

static enum eu_stop
counts_in_slm(struct stage *s, struct eu_thread *t, unsigned step)
{
   uint32_t *slm = (uint32_t *)(void *)t->group->slm;
   if (t->id % t->group->thread_count == 0)
      slm[0] = 0;
   slm[0]++;
   s->value[0] = slm[0];
   return stage_end(t);
}

/* MEDIA-202, MEDIA-344, MEDIA-201: sizes are powers of two; the threads of a group share one block.
 */
static void
shared_memory_sizes(void **state)
{
   proves("MEDIA-202", "MEDIA-203", "MEDIA-344", "MEDIA-201", "SMP-324");
   struct stage *s = *state;
   stage_standard(s, true);
   rig_set(s->rig, 0xb020, 0x00080041);
   s->actor[1] = counts_in_slm;
   static const unsigned sizes[] = {1, 2, 4, 8, 16, 3, 31};
   for (unsigned i = 0; i < 7; i++) {
      struct gen7_interface_descriptor_data d = stage_descriptor(1);
      d.shared_local_memory_size = sizes[i];
      stage_flush(s);
      stage_put_descriptor(s, 1, &d);
      stage_load_descriptors(s, 2);
      s->count = 0;
      struct gen7_gpgpu_walker w = stage_walk(1, 16, 8, 3, 1, 1);
      stage_walker(s, &w);
      assert_int_equal(s->value[0], 8);
      unsigned given = sizes[i] == 3 ? 4 : sizes[i] == 31 ? 16 : sizes[i];
      assert_int_equal(s->record[0].slm_size, given * 4096);
      /* MEDIA-203: a block of its size, by which R0.0 counts */
      for (unsigned k = 0; k < s->count; k++) {
         const struct record *r = &s->record[k];
         assert_int_equal(r->slm_offset, stage_field(r->r[0][0], 27, 24) * 4096);
         assert_int_equal(r->slm_offset % (given * 4096), 0);
      }
      if (sizes[i] == 3 || sizes[i] == 31)
         assert_said(s, "MEDIA-344");
      else
         assert_quiet(s);
   }
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, stage_setup, stage_teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(places_of_groups),
       CASE(half_slice_override),
       CASE(barrier_releases_all),
       CASE(message_to_a_thread_that_has_not_run),
       CASE(barrier_that_never_completes),
       CASE(endless_thread_costs_its_budget),
       CASE(shared_memory_sizes),
   };
   return cmocka_run_group_tests_name("media_groups", tests, NULL, NULL);
}
