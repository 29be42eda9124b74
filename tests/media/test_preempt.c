/* Preemption on thread group boundaries, the context image, exact continuation. */
#include "stage.h"

#include <stdlib.h>
#include "tests/proves.h"

#define X 4u
#define Y 3u
#define Z 2u
#define THREADS 3u
#define GROUPS (X * Y * Z)

/* Adds to its own word, so that a group that runs twice or never shows. */
static enum eu_stop
works(struct stage *s, struct eu_thread *t, unsigned step)
{
   const uint32_t *r0 = eu_grf(t, 0);
   unsigned group = (r0[7] * Y + r0[6]) * X + r0[1], index = eu_grf(t, 1)[0];
   uint32_t *out = stage_memory(s, STAGE_OUT) + group * THREADS + index;
   *out += 0x1000 + group * 16 + index;
   s->value[1]++;
   if (s->value[1] == s->value[0] * THREADS) /* the host asks in the middle of things */
      reg_set(s->dev, 0x2134, s->value[2] | 1);
   return stage_end(t);
}

static void
prepare(struct stage *s)
{
   stage_standard(s, true);
   struct hw_interface_descriptor_data d = stage_descriptor(1);
   d.constant_urb_entry_read_length = 1;
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   s->actor[1] = works;
   memset(s->value, 0, sizeof(s->value));
   memset(stage_memory(s, STAGE_OUT), 0, GROUPS * THREADS * 4);
}

static void
walker_dwords(uint32_t *dw)
{
   struct hw_gpgpu_walker w = stage_walk(1, 16, THREADS, X, Y, Z);
   gen7_gpgpu_walker_pack(dw, &w);
}

static void
assert_all_done(struct stage *s)
{
   for (unsigned g = 0; g < GROUPS; g++)
      for (unsigned i = 0; i < THREADS; i++)
         assert_int_equal(stage_memory(s, STAGE_OUT)[g * THREADS + i], 0x1000 + g * 16 + i);
}

/* MEDIA-065, MEDIA-067, MEDIA-069, MEDIA-072, MEDIA-443, MEDIA-050, MEDIA-045: at every group
 * boundary of a walk. */
static void
every_boundary(void **state)
{
   proves("MEDIA-065", "MEDIA-067", "MEDIA-069", "MEDIA-072", "MEDIA-443", "MEDIA-050",
          "MEDIA-045");
   struct stage *s = *state;
   uint32_t dw[GEN7_GPGPU_WALKER_LENGTH];
   walker_dwords(dw);
   for (unsigned k = 1; k <= GROUPS; k++) {
      prepare(s);
      s->value[0] = k;
      assert_int_equal(stage_direct_all(s, dw, GEN7_GPGPU_WALKER_LENGTH), CS_DONE);
      assert_int_equal(stage_direct_all(s, IDS(0x70040000, 0), 2), CS_DONE);
      assert_int_equal(s->value[1], k * THREADS); /* whole groups, and no more */
      assert_true(media_idle(s->media));
      uint32_t image[64] = {0};
      media_context_save(s->media, image);
      /* MEDIA-072: the order of the image */
      assert_int_equal(image[0], 0x70000006);
      assert_int_equal(image[8], 0x70010002);
      assert_int_equal(image[12], 0x70020002);
      assert_int_equal(image[16], k < GROUPS ? 0x71050009 : 0);
      assert_int_equal(image[32], 0x70040000);
      for (unsigned i = 34; i < 40; i++)
         assert_int_equal(image[i], 0);
      if (k < GROUPS) {
         assert_int_equal(image[16 + 3], k % X);
         assert_int_equal(image[16 + 5], k / X % Y);
         assert_int_equal(image[16 + 7], k / X / Y);
      }
      reg_set(s->dev, 0x2134, 0);
      media_reset(s->media); /* somebody else's context */
      s->value[0] = 0;
      media_context_restore(s->media, image);
      uint64_t budget = 100000;
      assert_int_equal(media_drain(s->media, &budget), CS_DONE);
      assert_all_done(s);
   }
   rig_forget(s->rig);
}

/* MEDIA-436, MEDIA-437, MEDIA-072: an indirect walk keeps the dimensions that it was started with.
 */
static void
indirect_walk_is_rewritten(void **state)
{
   proves("MEDIA-436", "MEDIA-437", "MEDIA-072");
   struct stage *s = *state;
   uint32_t dw[GEN7_GPGPU_WALKER_LENGTH], image[64];
   prepare(s);
   walker_dwords(dw);
   dw[0] |= 1u << 10;
   rig_set(s->rig, 0x2500, X);
   rig_set(s->rig, 0x2504, Y);
   rig_set(s->rig, 0x2508, Z);
   s->value[0] = 7;
   assert_int_equal(stage_direct_all(s, dw, GEN7_GPGPU_WALKER_LENGTH), CS_DONE);
   assert_int_equal(stage_direct_all(s, IDS(0x70040000, 0), 2), CS_DONE);
   media_context_save(s->media, image);
   assert_int_equal(image[16], 0x71050009);
   assert_int_equal(image[16 + 4], X);
   rig_set(s->rig, 0x2500, 99);
   reg_set(s->dev, 0x2134, 0);
   media_context_restore(s->media, image);
   uint64_t budget = 100000;
   assert_int_equal(media_drain(s->media, &budget), CS_DONE);
   assert_all_done(s);
}

/* MEDIA-355, MEDIA-473: with Disable Pre-emption the walk goes on; a later flush without it honours
 * the request. */
static void
preemption_disabled(void **state)
{
   proves("MEDIA-355", "MEDIA-473");
   struct stage *s = *state;
   uint32_t dw[GEN7_GPGPU_WALKER_LENGTH];
   prepare(s);
   walker_dwords(dw);
   s->value[0] = 5;
   assert_int_equal(stage_direct_all(s, IDS(0x70040000, 1u << 8), 2), CS_DONE);
   assert_int_equal(stage_direct_all(s, dw, GEN7_GPGPU_WALKER_LENGTH), CS_DONE);
   assert_int_equal(stage_direct_all(s, IDS(0x70040000, 1u << 8), 2), CS_DONE);
   assert_int_equal(s->value[1], GROUPS * THREADS);
   assert_all_done(s);
   assert_int_equal(stage_direct_all(s, IDS(0x70040000, 0), 2), CS_DONE);
   assert_true(gpgpu_preemption_asked(s->media)); /* still asked for, and now heard */
}

/* MEDIA-067: without the flush behind it a walk is not interruptible: a PIPE_CONTROL waits for its
 * end. */
static void
no_state_flush_no_preemption(void **state)
{
   proves("MEDIA-067");
   struct stage *s = *state;
   uint32_t dw[GEN7_GPGPU_WALKER_LENGTH];
   prepare(s);
   walker_dwords(dw);
   s->value[0] = 5;
   assert_int_equal(stage_direct_all(s, dw, GEN7_GPGPU_WALKER_LENGTH), CS_DONE);
   assert_int_equal(s->value[1], 5 * THREADS);
   assert_false(media_idle(s->media));
   uint64_t budget = 100000;
   assert_int_equal(media_drain(s->media, &budget), CS_DONE);
   assert_all_done(s);
}

/* MEDIA-068, MEDIA-071: GPGPU_OBJECTs are preempted between groups only. */
static void
objects_finish_their_group(void **state)
{
   proves("MEDIA-068", "MEDIA-071");
   struct stage *s = *state;
   prepare(s);
   reg_set(s->dev, 0x2134, 1);
   for (unsigned i = 0; i < THREADS; i++) {
      uint32_t dw[GEN7_GPGPU_OBJECT_LENGTH];
      struct hw_gpgpu_object o = {.interface_descriptor_offset = 1,
                                  .end_of_thread_group = i + 1 == THREADS,
                                  .execution_mask = 0xff};
      gen7_gpgpu_object_pack(dw, &o);
      assert_int_equal(stage_direct_all(s, dw, GEN7_GPGPU_OBJECT_LENGTH), CS_DONE);
   }
   assert_int_equal(s->value[1], THREADS);
   assert_true(media_idle(s->media));
}

#define CONTEXT_A 0x300000u
#define CONTEXT_B 0x340000u
#define SET_CONTEXT(a, flags) 0x0c000000, (a) | 1u << 8 | (flags), 0

/* MEDIA-066, MEDIA-070, MEDIA-071, MEDIA-073, MEDIA-074, MEDIA-471, MEDIA-472, MEDIA-474,
 * MEDIA-002: the whole way through ring and batch, with another context in between. */
static void
through_ring_and_contexts(void **state)
{
   proves("MEDIA-066", "MEDIA-070", "MEDIA-071", "MEDIA-073", "MEDIA-074", "MEDIA-471", "MEDIA-472",
          "MEDIA-474", "MEDIA-002");
   struct stage *s = *state;
   for (unsigned k = 1; k < GROUPS; k += 5) {
      rig_start(s->rig, RCS, 16, 0);
      stage_submit(s, IDS(SET_CONTEXT(CONTEXT_A, 1)), 3);
      prepare(s);
      rig_forget(s->rig);
      uint32_t *batch = stage_memory(s, RIG_BATCH);
      walker_dwords(batch);
      memcpy(batch + 11, IDS(0x70040000, 0, 0x02800000 /* MI_ARB_CHECK */, BBE, 0), 20);
      /* The new commands are in place before the preemption begins (MEDIA-074). */
      uint32_t start[] = {BBS, RIG_BATCH, 0, 0};
      uint32_t after = s->rig->tail[RCS] + sizeof(start);
      uint32_t rest[] = {
          LRI(1), 0x2134, 0, PC, 1u << 20 | 1u << 1, 0, 0, 0, SET_CONTEXT(CONTEXT_B, 1), 0};
      s->value[0] = k;
      s->value[2] = after;
      rig_ring(s->rig, RCS, start, 4);
      rig_ring(s->rig, RCS, rest, sizeof(rest) / 4);
      stage_run(s);
      assert_int_equal(s->value[1], k * THREADS);
      assert_int_equal(rig_reg(s->rig, 0x2134) & 1, 0);
      assert_int_equal(rig_reg(s->rig, 0x214c) & 3, 1); /* preempted in a batch */
      s->value[0] = 0;
      /* The other context works with a state of its own. */
      struct hw_media_vfe_state v = stage_vfe();
      v.curbe_allocation_size = 16;
      stage_bases(s, true);
      stage_put_vfe(s, &v);
      stage_load_descriptors(s, 1);
      struct hw_gpgpu_walker other = stage_walk(0, 8, 1, 3, 1, 1);
      stage_walker(s, &other);
      stage_flush(s);
      /* Back, at the address of the preempted command. */
      uint32_t back[] = {SET_CONTEXT(CONTEXT_A, 0), BBS, rig_reg(s->rig, 0x2148), 0};
      stage_submit(s, back, sizeof(back) / 4);
      stage_flush(s);
      assert_all_done(s);
   }
}

/* MEDIA-072: an image that is restored in the middle of a group leaves nothing of that group,
 * whatever came before (with its section of constants the threads of the next walk would read past
 * the URB). */
static void
restored_in_the_middle_of_a_group(void **state)
{
   proves("MEDIA-072");
   struct stage *s = *state;
   uint32_t dw[GEN7_GPGPU_WALKER_LENGTH], image[64];
   walker_dwords(dw);
   for (unsigned restored = 0; restored < 2; restored++) {
      prepare(s);
      media_context_save(s->media, image);
      assert_int_equal(stage_direct(s, dw, GEN7_GPGPU_WALKER_LENGTH, 1), CS_AGAIN);
      assert_in_range(s->value[1], 1, THREADS - 1);
      if (restored)
         media_context_restore(s->media, image);
      else
         media_drop_work(s->media);
      s->hand = CS_FRESH; /* the command comes anew */
      prepare(s);
      assert_int_equal(stage_direct_all(s, dw, GEN7_GPGPU_WALKER_LENGTH), CS_DONE);
      assert_int_equal(s->value[1], GROUPS * THREADS);
      assert_all_done(s);
   }
   rig_forget(s->rig);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, stage_setup, stage_teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(every_boundary),
       CASE(indirect_walk_is_rewritten),
       CASE(preemption_disabled),
       CASE(no_state_flush_no_preemption),
       CASE(objects_finish_their_group),
       CASE(through_ring_and_contexts),
       CASE(restored_in_the_middle_of_a_group),
   };
   return cmocka_run_group_tests_name("media_preempt", tests, NULL, NULL);
}
