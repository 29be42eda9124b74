/* The thread spawner: how threads end, and what they leave behind. */
#include "spawn.h"
#include "tests/proves.h"

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
end_case(struct stage *s, bool children, unsigned desc, unsigned fftid, unsigned handle,
         unsigned early, const char *rule)
{
   s->value[0] = desc;
   s->value[1] = fftid;
   s->value[2] = handle;
   s->value[3] = early;
   stage_object(
       s, &(struct hw_media_object){.interface_descriptor_offset = 1, .children_present = children},
       one, 1);
   stage_flush(s);
   if (rule)
      assert_said(s, rule);
   else
      assert_quiet(s);
   assert_true(ts_idle(s->media));
   assert_int_equal(s->media->ts->roots, 0);
   media_reset(
       s->media); /* diagnostics at the same place are counted, not repeated: a new device state */
   rig_forget(s->rig);
   stage_standard(s, false);
}

static void
ends_of_roots(void **state)
{
   proves("MEDIA-285", "MEDIA-269", "MEDIA-165", "MEDIA-169");
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = ends_as_told;
   end_case(s, false, 0x10, 0, 0, 0, NULL);
   end_case(s, false, 0x00, 0, 0, 0, NULL); /* MEDIA-285: no effect without children */
   end_case(s, true, 0x00, 0, 0, 0, NULL);
   end_case(s, true, 0x10, 0, 0, 1, NULL); /* dereferenced early, then ends without */
}

static void
wrong_ends_of_roots(void **state)
{
   proves("MEDIA-261", "MEDIA-271", "MEDIA-273", "MEDIA-275", "MEDIA-215", "MEDIA-366",
          "MEDIA-281");
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = ends_as_told;
   end_case(s, true, 0x00, 0, 0, 1, "MEDIA-271");  /* twice */
   end_case(s, true, 0x10, 0, 0, 0, "MEDIA-366");  /* never */
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

/* MEDIA-261, MEDIA-165: a root of the media pipe that faults, or ends and tells nobody: slot, FFTID
 * and URB handle come back all the same. */
static void
what_bad_ends_leave(void **state)
{
   proves("MEDIA-261", "MEDIA-165");
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = ends_badly;
   for (unsigned fault = 0; fault < 2; fault++)
      for (unsigned children = 0; children < 2; children++) {
         s->value[0] = fault;
         stage_object(s,
                      &(struct hw_media_object){.interface_descriptor_offset = 1,
                                                .children_present = children},
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
   proves("MEDIA-269");
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
   proves("MEDIA-476");
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = ends_by_gateway;
   stage_object(
       s, &(struct hw_media_object){.interface_descriptor_offset = 1, .children_present = true},
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
   proves("MEDIA-366");
   struct stage *s = *state;
   struct hw_media_vfe_state v = stage_vfe();
   stage_standard(s, false);
   v.number_of_urb_entries = 2;
   stage_put_vfe(s, &v);
   for (unsigned i = 0; i < 2; i++)
      stage_object(s, &(struct hw_media_object){.children_present = true}, one, 1);
   uint64_t budget = 1000;
   assert_int_equal(media_drain(s->media, &budget), CS_DONE);
   rig_forget(s->rig);
   stage_object(s, &(struct hw_media_object){0}, one, 1); /* no thread is left that could */
   assert_said(s, "MEDIA-366");
   stage_flush(s);
   assert_int_equal(s->count, 3);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, stage_setup, stage_teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(ends_of_roots),         CASE(what_bad_ends_leave), CASE(reserved_descriptor_bits),
       CASE(wrong_ends_of_roots),   CASE(what_bad_ends_leave), CASE(reserved_descriptor_bits),
       CASE(child_ends_by_gateway), CASE(lost_handles),
   };
   return cmocka_run_group_tests_name("media_ends", tests, NULL, NULL);
}
