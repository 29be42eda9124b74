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
      struct hw_gpgpu_walker w = stage_walk(0, 8, 1, 8, 1, 1);
      stage_walker(s, &w);
      unsigned seen[2] = {0};
      for (unsigned i = 0; i < 8; i++)
         seen[s->record[i].half_slice]++;
      assert_int_equal(seen[0], mode == 0 ? 4 : mode == 1 ? 8 : 0);
   }
}

/* A group of 24 threads, with a barrier for `count` of them. */
static void
group_with_barrier(struct stage *s, bool barrier, unsigned count, actor_fn actor)
{
   struct hw_interface_descriptor_data d = stage_descriptor(1);
   d.barrier_enable = barrier;
   d.number_of_threads_in_gpgpu_thread_group = count;
   stage_flush(s);
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   s->actor[1] = actor;
   struct hw_gpgpu_walker w = stage_walk(1, 16, 24, 1, 1, 1);
   stage_walker(s, &w);
}

/* Five times over: nobody goes on before all have come. */
static void
barrier_releases_all(void **state)
{
   proves("MEDIA-058", "MEDIA-059", "SF-020", "SF-065", "SF-066", "SF-071", "SF-079", "SF-173",
          "SFV-080");
   struct stage *s = *state;
   stage_standard(s, true);
   s->value[0] = 5;
   group_with_barrier(s, true, 24, actor_meets_at_barrier);
   assert_int_equal(s->ended, 24);
   for (unsigned round = 1; round <= 5; round++)
      assert_int_equal(s->value[round], 24);
   assert_quiet(s);
}

/* The spawner gives each group a barrier by its descriptor, and the gateway is open to it. */
static void
barrier_of_the_descriptor(void **state)
{
   proves("MEDIA-053", "MEDIA-054", "MEDIA-195", "MEDIA-343", "MEDIA-347", "SFV-093", "SFV-100");
   struct stage *s = *state;
   stage_standard(s, true);
   s->value[0] = 1;
   group_with_barrier(s, true, 24, actor_meets_at_barrier);
   assert_int_equal(s->ended, 24);
   assert_quiet(s);
   assert_int_equal(stage_field(s->record[0].r[0][2], 29, 29), 1);
   /* MEDIA-347: a count that does not match is named */
   group_with_barrier(s, true, 23, actor_ends);
   assert_said(s, "MEDIA-347");
   s->count = 0;
   group_with_barrier(s, false, 0, actor_ends);
   assert_int_equal(stage_field(s->record[0].r[0][2], 29, 29), 0);
}

/* What a thread finds in its registers beside R0 is as it was before the barrier. */
static enum eu_stop
keeps_its_registers(struct stage *s, struct eu_thread *t, unsigned step)
{
   if (step == 0)
      memset(eu_grf(t, 1), 0xa5, 127 * EU_REG_SIZE);
   enum eu_stop stop = actor_meets_at_barrier(s, t, step);
   for (unsigned i = 0; i < 126 * EU_REG_SIZE / 4; i++)
      s->value[20] += eu_grf(t, 1)[i] != 0xa5a5a5a5;
   return stop;
}

static void
barrier_writes_no_register(void **state)
{
   proves("MEDIA-346", "SF-077", "SF-078", "SFV-116");
   struct stage *s = *state;
   stage_standard(s, true);
   s->value[0] = 2;
   group_with_barrier(s, true, 24, keeps_its_registers);
   assert_int_equal(s->ended, 24);
   assert_int_equal(s->value[20], 0);
   assert_quiet(s);
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
      struct hw_forwardmsg_payload p = {.data_0 = 0xabcd0000 + t->group->id[0],
                                        .hsid = t->half_slice,
                                        .euid = t->eu + 3u,
                                        .tid = t->slot,
                                        .register_offset = 5,
                                        .dword_offset = 2,
                                        .length = 2};
      gen7_forwardmsg_payload_pack(m, &p);
      gen7_gateway_message_descriptor_pack(
          &desc, &(struct hw_gateway_message_descriptor){.subfuncid = 2, .notify = 1});
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
      struct hw_gpgpu_walker w = stage_walk(1, 16, 4, groups, 1, 1);
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
   struct hw_interface_descriptor_data d = stage_descriptor(1);
   d.barrier_enable = true;
   d.number_of_threads_in_gpgpu_thread_group = 4;
   d.shared_local_memory_size = 16;
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   rig_set(s->rig, 0xb020, 0x00080041);
   s->actor[1] = some_miss_the_barrier;
   struct hw_gpgpu_walker w = stage_walk(1, 16, 4, 6, 1, 1);
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
   struct hw_gpgpu_walker w = stage_walk(2, 16, 2, 1, 1, 1);
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
      struct hw_interface_descriptor_data d = stage_descriptor(1);
      d.shared_local_memory_size = sizes[i];
      stage_flush(s);
      stage_put_descriptor(s, 1, &d);
      stage_load_descriptors(s, 2);
      s->count = 0;
      struct hw_gpgpu_walker w = stage_walk(1, 16, 8, 3, 1, 1);
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
       CASE(barrier_of_the_descriptor),
       CASE(barrier_writes_no_register),
       CASE(message_to_a_thread_that_has_not_run),
       CASE(barrier_that_never_completes),
       CASE(endless_thread_costs_its_budget),
       CASE(shared_memory_sizes),
   };
   return cmocka_run_group_tests_name("media_groups", tests, NULL, NULL);
}
