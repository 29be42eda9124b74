/* The thread spawner: child threads, their payload, their queue, their place in the order. */
#include "spawn.h"
#include "tests/proves.h"

static enum eu_stop
parent_of_four(struct stage *s, struct eu_thread *t, unsigned step)
{
   if (step == 0) {
      s->thread[0] = t;
      for (unsigned i = 0; i < 4; i++) {
         build(s, handle_of(t), 2 * i, 0x1000 * (i + 1));
         build(s, handle_of(t), 2 * i + 1, 0x1000 * (i + 1) + 0x100);
         spawn(t, 2, 2 * i, i == 3 ? 0 : 2, false);
      }
      s->next_step = 1;
      return EU_STOP_BUDGET;
   }
   if (step <= 4) /* MEDIA-166: waits for all of them */
      return stage_wait(s, t, 0, step + 1);
   return end_with_handle(t);
}

static enum eu_stop
child_notifies(struct stage *s, struct eu_thread *t, unsigned step)
{
   return notify_parent(s, t);
}

/* Children with constants of their own; what stands in the descriptor for sampler and binding table
 * is not for them. */
static void
run_family(struct stage *s)
{
   stage_standard(s, false);
   struct hw_interface_descriptor_data d = stage_descriptor(2);
   d.constant_urb_entry_read_length = 1;
   d.constant_urb_entry_read_offset = 33;
   d.sampler_state_pointer = 0x9900;
   d.binding_table_pointer = 0x7700;
   stage_put_descriptor(s, 2, &d);
   stage_load_descriptors(s, 3);
   s->actor[1] = parent_of_four;
   s->actor[2] = child_notifies;
   stage_object(
       s, &(struct hw_media_object){.interface_descriptor_offset = 1, .children_present = true},
       one, 1);
}

/* MEDIA-022 MEDIA-222 MEDIA-246 MEDIA-247 MEDIA-277 MEDIA-282: what a child finds in its registers.
 */
static void
payload_of_children(void **state)
{
   proves("MEDIA-022", "MEDIA-222", "MEDIA-246", "MEDIA-247", "MEDIA-277", "MEDIA-282", "MEDIA-184",
          "MEDIA-274");
   struct stage *s = *state;
   run_family(s);
   stage_flush(s);
   assert_int_equal(s->count, 5);
   unsigned seen = 0;
   for (unsigned i = 1; i < 5; i++) {
      const struct record *r = &s->record[i];
      unsigned n = r->r[0][0] >> 12; /* which child */
      seen |= 1u << n;
      for (unsigned k = 0; k < 8; k++) {
         assert_int_equal(r->r[0][k], 0x1000 * n + k); /* R0 as the parent stored it */
         assert_int_equal(r->r[1][k], 33);             /* constants behind it */
         if (n != 4)
            assert_int_equal(r->r[2][k], 0x1000 * n + 0x100 + k); /* then the rest */
         else
            assert_int_not_equal(r->r[2][k], 0x1000 * n + 0x100 + k); /* length 0: R0 alone */
         assert_int_not_equal(r->r[3][k], 0x1000 * (n + 1) + k);      /* the next child's */
      }
   }
   assert_int_equal(seen, 0x1e);
   assert_quiet(s);
}

/* MEDIA-100 MEDIA-185 MEDIA-279: the descriptor that the parent named has kernel and constants.
 * MEDIA-334 MEDIA-336: its pointers are not for children, who take those of their R0. */
static void
descriptor_of_children(void **state)
{
   proves("MEDIA-100", "MEDIA-185", "MEDIA-279", "MEDIA-334", "MEDIA-336");
   struct stage *s = *state;
   run_family(s);
   stage_flush(s);
   assert_int_equal(s->count, 5);
   assert_int_equal(s->record[0].kernel, 64);
   for (unsigned i = 1; i < 5; i++) {
      const struct record *r = &s->record[i];
      unsigned n = r->r[0][0] >> 12;
      assert_int_equal(r->kernel, 2 * 64);
      assert_int_equal(r->r[1][0], 33);
      assert_int_equal(r->sampler_states, (0x1000 * n + 3) & ~31u);
      assert_int_equal(r->binding_table, (0x1000 * n + 4) & ~31u);
      assert_int_equal(r->mask, 0xffffffff);
   }
   assert_quiet(s);
}

/* MEDIA-018, MEDIA-019, MEDIA-095, MEDIA-168, MEDIA-366, MEDIA-186, MEDIA-216, MEDIA-170: the
 * handle of a root with children is the one of its payload, stays until the thread gives it back,
 * and children have none. */
static void
handle_of_a_family(void **state)
{
   proves("MEDIA-018", "MEDIA-019", "MEDIA-095", "MEDIA-168", "MEDIA-366", "MEDIA-186", "MEDIA-216",
          "MEDIA-170");
   struct stage *s = *state;
   run_family(s);
   assert_true(s->media->vfe.handle_busy[0]);
   uint64_t budget = 1; /* the root has started and spawned */
   ts_run(s->media, &budget, ts_idle);
   assert_true(s->media->vfe.handle_busy[0]);
   assert_int_equal(s->record[0].r[0][0] & 0xffff, s->media->vfe.handle[0]);
   for (unsigned i = 1; i < 16; i++)
      assert_false(s->media->vfe.handle_busy[i]);
   stage_flush(s);
   assert_false(s->media->vfe.handle_busy[0]); /* by its dereference message */
   assert_quiet(s);
}

/* MEDIA-004, MEDIA-006, MEDIA-017, MEDIA-260, MEDIA-267, MEDIA-270, MEDIA-051, MEDIA-166: spawned
 * by messages to the spawner; each tells its parent by a gateway message, then ends; the root ends
 * last. */
static void
children_of_a_root(void **state)
{
   proves("MEDIA-004", "MEDIA-006", "MEDIA-017", "MEDIA-260", "MEDIA-267", "MEDIA-270", "MEDIA-051",
          "MEDIA-166");
   struct stage *s = *state;
   run_family(s);
   stage_flush(s);
   assert_int_equal(s->count, 5);
   assert_int_equal(s->ended, 5);
   assert_int_equal(s->thread[0]->grf[100 * 32], 0x77);
   assert_true(ts_idle(s->media));
   assert_quiet(s);
}

static enum eu_stop
parent_leaves(struct stage *s, struct eu_thread *t, unsigned step)
{
   spawn(t, 2, 0, 1, false);
   return end_with_handle(t);
}

static enum eu_stop
child_lingers(struct stage *s, struct eu_thread *t, unsigned step)
{
   s->next_step = step + 1;
   return step < 8 ? EU_STOP_BUDGET : stage_end_child(t);
}

/* MEDIA-166, MEDIA-051: a root that ends before its child is named; the child goes on to its end.
 */
static void
root_leaves_first(void **state)
{
   proves("MEDIA-166", "MEDIA-051");
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = parent_leaves;
   s->actor[2] = child_lingers;
   stage_object(
       s, &(struct hw_media_object){.interface_descriptor_offset = 1, .children_present = true},
       one, 1);
   stage_flush(s);
   assert_said(s, "MEDIA-166");
   assert_int_equal(s->ended, 2);
}

static enum eu_stop
spawns_then_waits(struct stage *s, struct eu_thread *t, unsigned step)
{
   if (step == 0) {
      s->thread[0] = t;
      spawn(t, 2, 0, 1, false);
   }
   s->next_step = 1;
   return step == 0 ? EU_STOP_BUDGET : t->n0[0] ? end_with_handle(t) : EU_STOP_WAIT;
}

/* MEDIA-188, MEDIA-190: two roots are all that may run. When one leaves, a child that has been
 * asked for starts before the root that waits. */
static void
children_go_first(void **state)
{
   proves("MEDIA-188", "MEDIA-190");
   struct stage *s = *state;
   struct hw_media_vfe_state v = stage_vfe();
   stage_standard(s, false);
   v.maximum_number_of_threads = 1;
   stage_put_vfe(s, &v);
   s->actor[1] = spawns_then_waits;
   s->actor[2] = child_notifies;
   s->actor[3] = s->actor[4] = actor_ends;
   stage_object(
       s, &(struct hw_media_object){.interface_descriptor_offset = 1, .children_present = true},
       one, 1);
   for (unsigned i = 3; i < 5; i++)
      stage_object(s, &(struct hw_media_object){.interface_descriptor_offset = i}, one, 1);
   stage_flush(s);
   static const unsigned order[4] = {1, 3, 2, 4}; /* of dispatch: identifiers count up */
   assert_int_equal(s->count, 4);
   for (unsigned i = 0; i < 4; i++)
      for (unsigned k = 0; k < 4; k++)
         if (s->record[k].id == s->record[0].id + i)
            assert_int_equal(s->record[k].kernel, order[i] * 64);
   assert_quiet(s);
}

static enum eu_stop
spawns_with_junk(struct stage *s, struct eu_thread *t, unsigned step)
{
   if (step == 0) {
      s->thread[0] = t;
      build(s, handle_of(t), 3, 0x1000);
      build(s, handle_of(t), 4, 0x1100);
      uint32_t m[8] = {0xf0000000 | s->value[0] << 16 | handle_of(t),
                       0xffffffff,
                       0xf0fffc00 | 2u << 4 | 9,
                       0xffffffff,
                       0xffff0000 | 2u << 10 | 3,
                       0xffffffff,
                       0xffffffff,
                       0xffffffff};
      stage_message(t, SFID_THREAD_SPAWNER, 1, m, false, NULL);
   }
   s->next_step = 1;
   return step == 0 ? EU_STOP_BUDGET : t->n0[0] ? end_with_handle(t) : EU_STOP_WAIT;
}

/* MEDIA-274, MEDIA-275: what a spawn message ignores is ignored, the FFTID too; M0.0[23:16] must be
 * 0. */
static void
fields_of_a_spawn_message(void **state)
{
   proves("MEDIA-274", "MEDIA-275");
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = spawns_with_junk;
   s->actor[2] = child_notifies;
   for (s->value[0] = 0; s->value[0] < 2; s->value[0]++) {
      s->count = 0;
      stage_object(
          s, &(struct hw_media_object){.interface_descriptor_offset = 1, .children_present = true},
          one, 1);
      stage_flush(s);
      assert_int_equal(s->count, 2);
      assert_int_equal(s->record[1].kernel, 2 * 64);
      assert_int_equal(s->record[1].r[0][1], 0x1001);
      assert_int_equal(s->record[1].r[1][1], 0x1101);
      if (s->value[0])
         assert_said(s, "MEDIA-274");
      else
         assert_quiet(s);
   }
}

static enum eu_stop
nested(struct stage *s, struct eu_thread *t, unsigned step)
{
   bool root = t->ts->request.kind == TS_ROOT;
   unsigned depth = root ? 0 : eu_grf(t, 0)[6];
   if (step == 0 && depth < 6) {
      uint32_t dw[8] = {[0] = handle_of(t), [6] = depth + 1};
      urb_write(s->dev->urb, handle_of(t) * 64u + depth * 32, dw, 32);
      spawn(t, 1, depth, 1, false);
   }
   s->value[depth]++;
   if (root)
      s->thread[0] = t;
   if (root && step == 0) {
      s->next_step = 1;
      return EU_STOP_BUDGET;
   }
   if (root)
      return t->n0[0] ? end_with_handle(t) : EU_STOP_WAIT;
   return depth == 6 ? notify_parent(s, t) : stage_end_child(t);
}

/* MEDIA-006: children of children, to any depth. MEDIA-171: only roots are counted. */
static void
nested_children(void **state)
{
   proves("MEDIA-006", "MEDIA-171");
   struct stage *s = *state;
   struct hw_media_vfe_state v = stage_vfe();
   stage_standard(s, false);
   v.maximum_number_of_threads = 0; /* one root */
   stage_put_vfe(s, &v);
   s->actor[1] = nested;
   stage_object(
       s, &(struct hw_media_object){.interface_descriptor_offset = 1, .children_present = true},
       one, 1);
   stage_flush(s);
   assert_int_equal(s->count, 7);
   assert_int_equal(s->ended, 7);
   assert_quiet(s);
}

static enum eu_stop
spawns_many(struct stage *s, struct eu_thread *t, unsigned step)
{
   if (step == 0) {
      for (unsigned i = 0; i < s->value[0]; i++)
         spawn(t, 2, 0, 1, false);
      s->next_step = 1;
      return EU_STOP_BUDGET;
   }
   return s->value[1] >= s->value[0] ? end_with_handle(t) : EU_STOP_WAIT;
}

static enum eu_stop
child_counts(struct stage *s, struct eu_thread *t, unsigned step)
{
   s->value[1]++;
   return stage_end_child(t);
}

/* MEDIA-182, MEDIA-187, MEDIA-181, MEDIA-268, MEDIA-178: one root may have (slots - 1) + (8 - 1)
 * children on the way; with one more no thread can end, and that is told. */
static void
child_queue_depth(void **state)
{
   proves("MEDIA-182", "MEDIA-187", "MEDIA-181", "MEDIA-268", "MEDIA-178");
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = spawns_many;
   s->actor[2] = child_counts;
   struct hw_media_object o = {.interface_descriptor_offset = 1, .children_present = true};
   s->value[0] = 128 - 1 + TS_CHILD_QUEUE - 1;
   stage_object(s, &o, one, 1);
   stage_flush(s);
   assert_int_equal(s->value[1], s->value[0]);
   assert_int_equal(s->media->ts->peak, 128);
   assert_quiet(s);
   s->value[0]++;
   s->value[1] = 0;
   stage_object(s, &o, one, 1);
   stage_flush(s);
   const struct rig_diagnostic *d = rig_find(s->rig, "MEDIA-268");
   assert_non_null(d);
   assert_non_null(strstr(d->message, "the child queue is full"));
   rig_forget(s->rig);
   s->actor[1] = actor_ends; /* the next one runs */
   s->count = 0;
   stage_object(s, &o, one, 1);
   stage_flush(s);
   assert_int_equal(s->count, 1);
}

/* MEDIA-183: several roots: the conservative bound. */
static void
child_queue_depth_of_several_roots(void **state)
{
   proves("MEDIA-183", "MEDIA-268");
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = spawns_many;
   s->actor[2] = child_counts;
   struct hw_media_object o = {.interface_descriptor_offset = 1, .children_present = true};
   unsigned roots = 4, bound = (128 - 1) + (TS_CHILD_QUEUE - 1) - (roots - 1);
   s->value[0] = bound / roots;
   for (unsigned i = 0; i < roots; i++)
      stage_object(s, &o, one, 1);
   s->value[2] = 1;
   uint64_t budget = 100000;
   ts_run(s->media, &budget, ts_idle);
   assert_true(s->value[1] >= s->value[0]);
   assert_int_equal(rig_count(s->rig, "MEDIA-268"), 0);
}

static enum eu_stop
spawns_for_ever(struct stage *s, struct eu_thread *t, unsigned step)
{
   for (unsigned i = 0; i < 2 * TS_MESSAGES; i++)
      spawn(t, 1, 0, 1, false);
   return EU_STOP_FAULT;
}

/* A spawn loop is bounded and named; the engine goes on. */
static void
spawn_loop(void **state)
{
   proves("MEDIA-187");
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = spawns_for_ever;
   stage_object(
       s, &(struct hw_media_object){.interface_descriptor_offset = 1, .children_present = true},
       one, 1);
   uint64_t budget = 20000;
   enum cs_result r = media_drain(s->media, &budget);
   assert_said(s, "MEDIA-187");
   assert_true(r == CS_AGAIN || r == CS_DONE);
   media_reset(s->media);
   rig_forget(s->rig);
   stage_standard(s, false);
   s->count = 0;
   stage_object(s, &(struct hw_media_object){0}, one, 1);
   stage_flush(s);
   assert_int_equal(s->count, 1);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, stage_setup, stage_teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(payload_of_children),
       CASE(descriptor_of_children),
       CASE(handle_of_a_family),
       CASE(children_of_a_root),
       CASE(root_leaves_first),
       CASE(children_go_first),
       CASE(fields_of_a_spawn_message),
       CASE(nested_children),
       CASE(child_queue_depth),
       CASE(child_queue_depth_of_several_roots),
       CASE(spawn_loop),
   };
   return cmocka_run_group_tests_name("media_children", tests, NULL, NULL);
}
