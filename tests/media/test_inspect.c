/* Threads that never end, seen from outside: where they stand, what they wait for, what they do. */
#include "stage.h"

#include "device/assembly.h"
#include "pergola/pergola_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include "tests/proves.h"

#define MOST 64

struct seen {
   unsigned count;
   struct pergola_thread thread[MOST];
   char instruction[MOST][200], waits_for[MOST][400];
};

static void
keep(void *data, const struct pergola_thread *t)
{
   struct seen *seen = data;
   assert_true(seen->count < MOST);
   unsigned i = seen->count++;
   seen->thread[i] = *t;
   snprintf(seen->instruction[i], sizeof(seen->instruction[i]), "%s", t->instruction);
   snprintf(seen->waits_for[i], sizeof(seen->waits_for[i]), "%s", t->waits_for ? t->waits_for : "");
}

static struct seen
look(struct stage *s)
{
   struct seen seen = {0};
   unsigned count = pergola_threads(s->dev, keep, &seen);
   assert_int_equal(count, seen.count);
   return seen;
}

/* What pergola_story_print says, for the caller to free. */
static char *
story(struct stage *s, const struct pergola_story *w)
{
   char *text = NULL;
   size_t size;
   FILE *f = open_memstream(&text, &size);
   assert_non_null(f);
   pergola_story_print(f, "test", s->dev, w);
   assert_int_equal(fclose(f), 0);
   return text;
}

#define BARRIER_KERNEL                                                                             \
   "mov(8) g10<1>UD 0UD { align1 WE_all 1Q };\n"                                                   \
   "and(1) g10.2<1>UD g0.2<0,1,0>UD 0x0f000000UD { align1 WE_all 1N };\n"                          \
   "send(8) null<1>UW g10<8,8,1>UD 0x02000004 gateway MsgDesc: mlen 1 rlen 0 { align1 WE_all 1Q "  \
   "};\n"                                                                                          \
   "wait(1) n0<1>UD { align1 WE_all 1N };\n" END_OF_THREAD
#define LOOP_KERNEL                                                                                \
   "mov(8) g10<1>UD 0UD { align1 WE_all 1Q };\n"                                                   \
   "again:\n"                                                                                      \
   "add(8) g10<1>D g10<8,8,1>D 1D { align1 WE_all 1Q };\n"                                         \
   "add(8) g11<1>D g10<8,8,1>D 1D { align1 WE_all 1Q };\n"                                         \
   "while(8) JIP: again { align1 WE_all 1Q };\n" END_OF_THREAD
#define SEND_TO_NULL                                                                               \
   "send(8) null<1>UW g10<8,8,1>UD 0x02000000 null MsgDesc: mlen 1 rlen 0 { align1 WE_all 1Q };\n"
#define SEND_KERNEL                                                                                \
   "mov(8) g10<1>UD 0UD { align1 WE_all 1Q };\n"                                                   \
   "again:\n" SEND_TO_NULL SEND_TO_NULL SEND_TO_NULL                                               \
   "while(8) JIP: again { align1 WE_all 1Q };\n" END_OF_THREAD

/* A walk of the kernel at 0x400, descriptor 1: CS_AGAIN or CS_ERROR. */
static enum cs_result
walk(struct stage *s, const char *kernel, unsigned threads, unsigned expected, unsigned groups,
     uint64_t budget)
{
   media_set_run(s->media, eu_run_inside);
   stage_standard(s, true);
   stage_assemble(s, kernel, 0x400);
   struct hw_interface_descriptor_data d = {.kernel_start_pointer = 0x400,
                                            .barrier_enable = expected != 0,
                                            .number_of_threads_in_gpgpu_thread_group = expected};
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   struct hw_gpgpu_walker w = stage_walk(1, 8, threads, groups, 1, 1);
   uint32_t dw[GEN7_GPGPU_WALKER_LENGTH];
   gen7_gpgpu_walker_pack(dw, &w);
   return stage_direct(s, dw, GEN7_GPGPU_WALKER_LENGTH, budget);
}

static void
reads(struct stage *s, uint32_t instdone, uint32_t row)
{
   assert_int_equal(pergola_mmio_read(s->dev, REG_RCS_INSTDONE, 4), instdone);
   assert_int_equal(pergola_mmio_read(s->dev, REG_ROW_INSTDONE, 4), row);
   assert_int_equal(pergola_mmio_read(s->dev, REG_SC_INSTDONE, 4), 0xffffffff);
   assert_int_equal(pergola_mmio_read(s->dev, REG_SAMPLER_INSTDONE, 4), 0xffffffff);
}

/* The units that have work while threads run: the spawner, the EUs that they sit on; while groups
 * are left, also those that have to place them. */
static void
busy_units_of_a_walk(void **state)
{
   proves("CS-025", "MEM-033");
   struct stage *s = *state;
   reads(s, 0xffffffff, 0xffffffff);
   assert_int_equal(walk(s, LOOP_KERNEL, 1, 0, 1, 10000), CS_AGAIN);
   reads(s, 0xfffdffff, ~(1u << 16 | 1u << 6));
   device_reset(s->dev, 1u << HW_RESET_RCS);
   reads(s, 0xffffffff, 0xffffffff);
}

static void
busy_units_of_two_rows(void **state)
{
   proves("CS-025");
   struct stage *s = *state;
   assert_int_equal(walk(s, LOOP_KERNEL, 8, 0, 1, 10000000), CS_AGAIN);
   reads(s, 0xfffdffff, ~(0x1efu << 16 | 1u << 6));
}

static void
busy_units_while_groups_are_left(void **state)
{
   proves("CS-025");
   struct stage *s = *state;
   assert_int_equal(walk(s, LOOP_KERNEL, 1, 0, 5000, 10000), CS_AGAIN);
   assert_int_equal(pergola_mmio_read(s->dev, REG_RCS_INSTDONE, 4), 0xfffcefff);
}

/* Threads that wait for a barrier stand at the gateway. */
static void
busy_units_of_a_barrier(void **state)
{
   proves("CS-025");
   struct stage *s = *state;
   s->dev->config.deadlocks_hang = true;
   assert_int_equal(walk(s, BARRIER_KERNEL, 3, 4, 1, 10000), CS_ERROR);
   reads(s, 0xfffdffff, ~(7u << 16 | 1u << 8 | 1u << 6));
}

/* DRM-116: with deadlocks_hang the threads stay where they are and the engine stops; a reset ends
 * them. */
static void
missed_barrier_stays(void **state)
{
   proves("DRM-116", "MEDIA-058");
   struct stage *s = *state;
   s->dev->config.deadlocks_hang = true;
   assert_int_equal(walk(s, BARRIER_KERNEL, 3, 4, 1, 10000), CS_ERROR);
   const struct rig_diagnostic *r = rig_find(s->rig, "MEDIA-058");
   assert_non_null(r);
   assert_non_null(strstr(r->message, "expects 4 messages, 3 have come"));
   assert_non_null(strstr(r->message, "; the engine stops"));
   struct seen seen = look(s);
   assert_int_equal(seen.count, 3);
   for (unsigned i = 0; i < 3; i++) {
      const struct pergola_thread *t = &seen.thread[i];
      assert_true(t->in_group && t->index == i && t->group_threads == 3 && !t->group[0] &&
                  !t->group[1] && !t->group[2]);
      assert_int_equal(t->kernel, STAGE_INSTRUCTION + 0x400);
      assert_int_equal(t->ip, STAGE_INSTRUCTION + 0x400 + 3 * 16);
      assert_int_equal(strncmp(seen.instruction[i], "wait(1) n0", 10), 0);
      assert_string_equal(seen.waits_for[i], "barrier 0: 3 of 4 messages have come");
   }
   /* whatever comes next finds the pipeline stopped */
   uint64_t budget = 1000;
   assert_int_equal(media_drain(s->media, &budget), CS_ERROR);
   assert_int_equal(look(s).count, 3);
   device_reset(s->dev, 1u << HW_RESET_RCS);
   assert_int_equal(look(s).count, 0);
   assert_true(media_idle(s->media));
}

/* DRM-116: without it the group is ended, and nothing is left to see. */
static void
missed_barrier_goes_on(void **state)
{
   proves("DRM-116", "MEDIA-058");
   struct stage *s = *state;
   assert_int_equal(walk(s, BARRIER_KERNEL, 3, 4, 1, 10000), CS_DONE);
   const struct rig_diagnostic *r = rig_find(s->rig, "MEDIA-058");
   assert_non_null(r);
   assert_non_null(strstr(r->message, "; the group is ended"));
   assert_int_equal(look(s).count, 0);
}

static enum eu_stop
second_ends(struct stage *s, struct eu_thread *t, unsigned step)
{
   if (t->group_index == 1)
      return stage_end(t);
   if (!step) {
      uint32_t message[8] = {[2] = eu_grf(t, 0)[2] & 0x0f000000};
      stage_message(t, SFID_GATEWAY, 4, message, false, NULL);
   }
   s->next_step = 1;
   return t->n0[0] ? stage_end(t) : EU_STOP_WAIT;
}

/* DRM-115: who has not come to a barrier is named. */
static void
barrier_names_the_missing(void **state)
{
   proves("DRM-115", "MEDIA-058");
   struct stage *s = *state;
   s->dev->config.deadlocks_hang = true;
   stage_standard(s, true);
   s->actor[1] = second_ends;
   struct hw_interface_descriptor_data d = stage_descriptor(1);
   d.barrier_enable = true;
   d.number_of_threads_in_gpgpu_thread_group = 4;
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   struct hw_gpgpu_walker w = stage_walk(1, 16, 4, 1, 1, 1);
   uint32_t dw[GEN7_GPGPU_WALKER_LENGTH];
   gen7_gpgpu_walker_pack(dw, &w);
   assert_int_equal(stage_direct(s, dw, GEN7_GPGPU_WALKER_LENGTH, 10000), CS_ERROR);
   struct seen seen = look(s);
   assert_int_equal(seen.count, 3);
   for (unsigned i = 0; i < 3; i++)
      assert_string_equal(seen.waits_for[i],
                          "barrier 0: 3 of 4 messages have come, none from thread 1 (ended)");
   assert_non_null(rig_find(s->rig, "MEDIA-058"));
}

static enum eu_stop
waits_for_ever(struct stage *s, struct eu_thread *t, unsigned step)
{
   return EU_STOP_WAIT;
}

/* DRM-116: threads of the media pipe stay as well. */
static void
media_threads_stay(void **state)
{
   proves("DRM-116", "MEDIA-268", "CS-025");
   static const uint32_t one[1] = {1};
   struct stage *s = *state;
   s->dev->config.deadlocks_hang = true;
   stage_standard(s, false);
   s->actor[1] = waits_for_ever;
   stage_object(s, &(struct hw_media_object){.interface_descriptor_offset = 1}, one, 1);
   uint64_t budget = 10000;
   assert_int_equal(media_drain(s->media, &budget), CS_ERROR);
   const struct rig_diagnostic *r = rig_find(s->rig, "MEDIA-268");
   assert_non_null(r);
   assert_non_null(strstr(r->message, "threads wait for notifications"));
   assert_non_null(strstr(r->message, "; the engine stops"));
   struct seen seen = look(s);
   assert_int_equal(seen.count, 1);
   assert_string_equal(seen.thread[0].maker, "media root");
   assert_false(seen.thread[0].in_group);
   assert_string_equal(seen.waits_for[0], "a notification that nobody has sent");
   reads(s, 0xfffdffff, ~(1u << 16 | 1u << 8 | 1u << 6));
   media_reset(s->media);
   reads(s, 0xffffffff, 0xffffffff);
   assert_int_equal(look(s).count, 0);
   assert_true(media_idle(s->media));
}

/* DRM-115: a thread that runs and runs; the story has its loop, and counts those that it does not
 * name. */
static void
endless_loop_is_told(void **state)
{
   proves("DRM-115");
   struct stage *s = *state;
   assert_int_equal(walk(s, LOOP_KERNEL, 10, 0, 1, 100000), CS_AGAIN);
   struct seen seen = look(s);
   assert_int_equal(seen.count, 10);
   for (unsigned i = 0; i < 10; i++) {
      assert_null(seen.thread[i].waits_for);
      assert_in_range(seen.thread[i].ip, STAGE_INSTRUCTION + 0x410, STAGE_INSTRUCTION + 0x430);
      assert_true(seen.thread[i].instructions > 1000);
   }
   char *text = story(s, NULL);
   assert_non_null(strstr(text, "test: GPGPU thread 0 (0 of 10 in group 0, 0, 0) on half-slice 0, "
                                "EU 0, slot 0: kernel 0x00200400, at "));
   assert_non_null(strstr(text, "\ntest:    can run\n"));
   assert_non_null(strstr(text, "\ntest: 2 more threads have not ended\n"));
   assert_null(strstr(text, "GPGPU thread 8 "));
   free(text);
   assert_quiet(s);
}

/* DRM-115: also a message, whose listing takes two lines, is told in one. */
static void
send_is_told_in_a_line(void **state)
{
   proves("DRM-115");
   struct stage *s = *state;
   assert_int_equal(walk(s, SEND_KERNEL, 4, 0, 1, 1003), CS_AGAIN);
   struct seen seen = look(s);
   unsigned sends = 0;
   for (unsigned i = 0; i < seen.count; i++) {
      assert_null(strpbrk(seen.instruction[i], "\n\t"));
      assert_null(strstr(seen.instruction[i], "  "));
      sends += !strncmp(seen.instruction[i],
                        "send(8) null<1>UW g10<8,8,1>UD 0x02000000 null MsgDesc: ", 55);
   }
   assert_true(sends > 0);
   assert_quiet(s);
}

/* DRM-115: the watch sees where a thread goes round, as the device runs on. */
static void
loop_is_watched(void **state)
{
   proves("DRM-115");
   struct stage *s = *state;
   media_set_run(s->media, eu_run_inside);
   stage_standard(s, true);
   stage_assemble(s, LOOP_KERNEL, 0x400);
   stage_put_descriptor(s, 1,
                        &(struct hw_interface_descriptor_data){.kernel_start_pointer = 0x400});
   stage_load_descriptors(s, 2);
   struct hw_gpgpu_walker w = stage_walk(1, 8, 1, 1, 1, 1);
   uint32_t dw[GEN7_GPGPU_WALKER_LENGTH];
   gen7_gpgpu_walker_pack(dw, &w);
   rig_ring(s->rig, RCS, dw, GEN7_GPGPU_WALKER_LENGTH);
   assert_int_equal(pergola_run(s->dev, 50000), PERGOLA_RUN_BUDGET);
   struct pergola_story watch;
   assert_int_equal(pergola_story_watch(s->dev, 30000, &watch), PERGOLA_RUN_BUDGET);
   assert_int_equal(watch.count, 1);
   assert_in_range(watch.row[0].instructions, 29000, 30000);
   assert_int_equal(watch.row[0].first, STAGE_INSTRUCTION + 0x410);
   assert_int_equal(watch.row[0].last, STAGE_INSTRUCTION + 0x430);
   char *text = story(s, &watch);
   assert_non_null(
       strstr(text, " instructions lie between 0x00200410 and 0x00200430 and send no message\n"));
   free(text);
   /* nobody watches any more */
   uint64_t before = watch.row[0].instructions;
   assert_int_equal(pergola_run(s->dev, 10000), PERGOLA_RUN_BUDGET);
   assert_int_equal(watch.row[0].instructions, before);
   assert_quiet(s);
}

/* Nothing runs: nothing is told. */
static void
idle_has_no_story(void **state)
{
   struct stage *s = *state;
   stage_standard(s, true);
   assert_int_equal(look(s).count, 0);
   char *text = story(s, NULL);
   assert_string_equal(text, "");
   free(text);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, stage_setup, stage_teardown)
   const struct CMUnitTest tests[] = {
       T(busy_units_of_a_walk),      T(busy_units_of_a_barrier),
       T(busy_units_of_two_rows),    T(busy_units_while_groups_are_left),
       T(missed_barrier_stays),      T(missed_barrier_goes_on),
       T(barrier_names_the_missing), T(media_threads_stay),
       T(endless_loop_is_told),      T(send_is_told_in_a_line),
       T(loop_is_watched),           T(idle_has_no_story),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
