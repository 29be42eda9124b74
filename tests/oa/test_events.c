/* What threads do reaches the counters: kernels whose instructions can be counted by hand, run by
 * the interpreter, by native code and as a series. */
#include "../media/stage.h"

#include "eu/op.h"
#include "eu/tally.h"
#include "machine/host.h"
#include "oa/oa.h"
#include "oa/oa_file.h"
#include "shared_functions/sf.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "tests/proves.h"

#define THREADS 4u
#define GROUPS 24u
#define REPORT 0x2a0000u

/* Group g goes g + 1 times round the loop. Before it: 1 mov, 2 binary; in it: 1 ternary, 3 binary,
 * 1 math of one source, 1 math of two, 1 branch; behind it: messages, 1 mov, the end. */
static const char loop[] = "mov(8) g2<1>D g0.1<0,1,0>D { align1 WE_all 1Q };\n"
                           "shl(16) g10<1>UD g0.1<0,1,0>UD 2UD { align1 WE_all 1H };\n"
                           "add(8) g2<1>D g2<8,8,1>D 1D { align1 WE_all 1Q };\n"
                           "again:\n"
                           "mad(8) g4<1>F g5<4,4,1>F g6<4,4,1>F g7<4,4,1>F { align16 1Q };\n"
                           "mul(8) g8<1>F g4<8,8,1>F g4<8,8,1>F { align1 1Q };\n"
                           "math inv(8) g8<1>F g4<8,8,1>F null<8,8,1>F { align1 1Q };\n"
                           "math pow(8) g8<1>F g4<8,8,1>F g5<8,8,1>F { align1 1Q };\n"
                           "add(8) g2<1>D g2<8,8,1>D -1D { align1 1Q };\n"
                           "cmp.g.f0.0(8) null<1>D g2<8,8,1>D 0D { align1 1Q };\n"
                           "(+f0.0) while(8) JIP: again { align1 1Q };\n"
                           /* all channels to the group's dword: memory, shared local memory */
                           "send(16) null<1>UW g10<8,8,1>UD 0x08035e00 data MsgDesc: mlen 4 rlen 0 "
                           "{ align1 1H };\n"
                           "send(16) null<1>UW g10<8,8,1>UD 0x08035efe data MsgDesc: mlen 4 rlen 0 "
                           "{ align1 1H };\n"
                           "send(16) g14<1>UW g10<8,8,1>UD 0x04215efe data MsgDesc: mlen 2 rlen 2 "
                           "{ align1 1H };\n"
                           /* increments: memory, shared local memory */
                           "send(16) null<1>UW g10<8,8,1>UD 0x04018500 data MsgDesc: mlen 2 rlen 0 "
                           "{ align1 1H };\n"
                           "send(16) null<1>UW g10<8,8,1>UD 0x040185fe data MsgDesc: mlen 2 rlen 0 "
                           "{ align1 1H };\n" END_OF_THREAD;

static struct stage *
prepare(const char *text, unsigned native_after, unsigned host_threads, bool barrier)
{
   struct stage *s = stage_create("ivb-gt2");
   assert_non_null(s);
   s->dev->eu->native_after = native_after;
   s->dev->config.host_threads = host_threads;
   media_set_run(s->media, eu_run_inside);
   stage_standard(s, true);
   *stage_memory(s, STAGE_SURFACE) = 0x40;
   gen7_render_surface_state_pack(
       stage_memory(s, STAGE_SURFACE + 0x40),
       &(struct hw_render_surface_state){.surface_type = 4,
                                         .surface_format = 0x1ff,
                                         .surface_base_address = STAGE_OUT,
                                         .width = 127,
                                         .height = 31});
   stage_assemble(s, text, 0x400);
   struct hw_interface_descriptor_data d = {.kernel_start_pointer = 0x400,
                                            .constant_urb_entry_read_length = 1,
                                            .shared_local_memory_size = 1,
                                            .barrier_enable = barrier,
                                            .number_of_threads_in_gpgpu_thread_group =
                                                barrier ? THREADS : 0};
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   return s;
}

static void
dispatch(struct stage *s, unsigned groups)
{
   struct hw_gpgpu_walker w = stage_walk(1, 16, THREADS, groups, 1, 1);
   stage_walker(s, &w);
   stage_flush(s);
}

/* Sums, over all groups, of how often the loop is gone round. */
static uint64_t
rounds(unsigned groups)
{
   return THREADS * groups * (groups + 1) / 2;
}

static void
expect_loop(const struct oa_events *e, unsigned dispatches)
{
   uint64_t threads = (uint64_t)THREADS * GROUPS * dispatches, n = rounds(GROUPS) * dispatches;
   const uint64_t want[OA_INSTRUCTION_EVENTS + 1] = {
       [OA_FPU0_MOV] = 2 * threads,
       [OA_FPU0_BINARY] = 2 * threads + 3 * n,
       [OA_FPU0_TERNARY] = n,
       [OA_FPU1_BINARY] = n,
       [OA_FPU1_OTHER] = n,
       [OA_SEND] = 6 * threads,
       [OA_BRANCH] = n,
       [OA_SLM_READ] = 2 * threads,
       [OA_SLM_WRITE] = 2 * threads,
       [OA_SLM_ATOMIC] = threads,
       [OA_MEMORY] = 2 * threads,
       [OA_ATOMIC] = threads,
       [OA_THREADS] = threads,
   };
   for (unsigned i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
      if (oa_stage_sum(e, OA_TS, i, i) != want[i])
         fail_msg("event %u: %llu, not %llu", i, (unsigned long long)oa_stage_sum(e, OA_TS, i, i),
                  (unsigned long long)want[i]);
      assert_int_equal(oa_sum(e, i, i), want[i]); /* of no other stage */
   }
   assert_int_equal(oa_sum(e, OA_STALLED, OA_EVENTS - 1), 0);
}

/* SYS-367: one clock an instruction, whoever runs it; and the same on every EU. SYS-359, SYS-360:
 * atomics of shared local memory count as reads and as writes. */
static void
all_ways_count_the_same(void **state)
{
   proves("SYS-367", "SYS-359", "SYS-360");
   (void)state;
   static struct oa_events by[5];
   static const struct {
      unsigned native_after, host_threads;
   } ways[] = {{0, 1}, {1, 1}, {2, 1}, {0, 3}, {1, 3}};
   for (unsigned i = 0; i < (host_has_vectors() ? 5 : 1); i++) {
      struct stage *s = prepare(loop, ways[i].native_after, ways[i].host_threads, false);
      memset(&by[i], 0, sizeof(by[i]));
      dispatch(s, GROUPS); /* nobody counts yet */
      eu_count(s->dev->eu, true);
      for (unsigned n = 0; n < 3; n++)
         dispatch(s, GROUPS);
      eu_tally_collect(s->dev->eu, &by[i]);
      expect_loop(&by[i], 3);
      assert_memory_equal(&by[i], &by[0], sizeof(by[0]));
      eu_count(s->dev->eu, false);
      dispatch(s, GROUPS);
      eu_tally_collect(s->dev->eu, &by[i]);
      expect_loop(&by[i], 3);
      stage_destroy(s);
   }
}

/* All channels of group g leave in its round g + 1, before two ternaries and one branch; behind the
 * loop is arithmetic of other kinds. */
static const char leaves[] =
    "mov(16) g2<1>D g0.1<0,1,0>D { align1 WE_all 1H };\n"
    "again:\n"
    "add(16) g2<1>D g2<8,8,1>D -1D { align1 1H };\n"
    "cmp.l.f0.0(16) null<1>D g2<8,8,1>D 0D { align1 1H };\n"
    "(+f0.0) break(16) JIP: out UIP: out { align1 1H };\n"
    "mad(16) g4<1>F g6<4,4,1>F g8<4,4,1>F g10<4,4,1>F { align16 1H };\n"
    "mad(16) g12<1>F g4<4,4,1>F g8<4,4,1>F g10<4,4,1>F { align16 1H };\n"
    "out:\n"
    "while(16) JIP: again { align1 1H };\n"
    "math inv(8) g14<1>F g12<8,8,1>F null<8,8,1>F { align1 1Q };\n"
    "mul(16) g16<1>F g12<8,8,1>F g12<8,8,1>F { align1 1H };\n" END_OF_THREAD;

/* SYS-367: what native code has charged for a round and does not execute counts as what it is. */
static void
rounds_that_are_left_count_as_far_as_they_went(void **state)
{
   proves("SYS-367");
   (void)state;
   const uint64_t threads = (uint64_t)THREADS * GROUPS, whole = rounds(GROUPS - 1);
   for (unsigned native = 0; native < (host_has_vectors() ? 2 : 1); native++) {
      static struct oa_events e;
      struct stage *s = prepare(leaves, native, 1, false);
      memset(&e, 0, sizeof(e));
      eu_count(s->dev->eu, true);
      dispatch(s, GROUPS);
      eu_tally_collect(s->dev->eu, &e);
      assert_int_equal(oa_sum(&e, OA_FPU0_TERNARY, OA_FPU0_TERNARY), 2 * whole);
      assert_int_equal(oa_sum(&e, OA_FPU0_MOV, OA_FPU0_MOV), 2 * threads);
      assert_int_equal(oa_sum(&e, OA_FPU0_BINARY, OA_FPU0_BINARY), 2 * whole + 3 * threads);
      assert_int_equal(oa_sum(&e, OA_FPU1_OTHER, OA_FPU1_OTHER), threads);
      assert_int_equal(oa_sum(&e, OA_BRANCH, OA_BRANCH), 2 * whole + 2 * threads);
      stage_destroy(s);
   }
}

/* ---- Gen7's counters ---- */

static const uint32_t *
report(struct stage *s, uint32_t id)
{
   const uint32_t dw[] = {0x14000001, REPORT | 1, id, 0}; /* SYS-472 */
   memset(stage_memory(s, REPORT), 0, 256);
   stage_submit(s, dw, 4);
   const uint32_t *r = stage_memory(s, REPORT);
   assert_int_equal(r[0], id);
   return r;
}
#define A(n) ((n) < 13 ? 3 + (n) : 16 + (n)-13) /* Counter Select 101 */

/* SYS-471: reports around a dispatch differ by what it did; what comes while they are off does not
 * count. */
static void
gen7_counters_follow_a_dispatch(void **state)
{
   proves("SYS-468");
   (void)state;
   for (unsigned native = 0; native < 2; native++) {
      struct stage *s = prepare(loop, native, 1, false);
      uint32_t before[64], n = (uint32_t)rounds(GROUPS), threads = THREADS * GROUPS;
      dispatch(s, GROUPS);
      pergola_mmio_write(s->dev, 0x2360, 4, 5 << 2 | 1);
      memcpy(before, report(s, 1), sizeof(before));
      assert_int_equal(before[A(20)], 0);
      dispatch(s, GROUPS);
      const uint32_t *after = report(s, 2);
      for (unsigned i = 0; i < 45; i++) {
         uint32_t d = after[A(i)] - before[A(i)], active = 10 * threads + 7 * n;
         if (i == 41) /* an instruction takes 2 ns of one of 16 EUs; a command 10 ns */
            assert_in_range(d, active / 16, active / 16 + 5 * 20);
         else
            assert_int_equal(d, i == 0 || i == 17 ? active : i == 20 ? threads : 0);
      }
      memcpy(before, after, sizeof(before));
      pergola_mmio_write(s->dev, 0x2360, 4, 5 << 2);
      dispatch(s, GROUPS);
      pergola_mmio_write(s->dev, 0x2360, 4, 5 << 2 | 1);
      after = report(s, 3);
      assert_int_equal(after[A(17)], before[A(17)]);
      /* Only a context that is not there. */
      pergola_mmio_write(s->dev, 0x2360, 4, 0x12345000 | 5 << 2 | 3);
      dispatch(s, GROUPS);
      after = report(s, 4);
      assert_int_equal(after[A(17)], before[A(17)]);
      stage_destroy(s);
   }
}

/* ---- barriers ---- */

/* Thread 0 of a group (g1.0 is 16 times its number) goes round the loop 20 times; then all meet. */
static const char meet[] =
    "mov(8) g2<1>D 1D { align1 WE_all 1Q };\n"
    "cmp.z.f0.0(8) null<1>D g1<0,1,0>D 0D { align1 WE_all 1Q };\n"
    "(+f0.0) mov(8) g2<1>D 20D { align1 WE_all 1Q };\n"
    "again:\n"
    "add(8) g2<1>D g2<8,8,1>D -1D { align1 1Q };\n"
    "cmp.g.f0.0(8) null<1>D g2<8,8,1>D 0D { align1 1Q };\n"
    "(+f0.0) while(8) JIP: again { align1 1Q };\n"
    "and(1) g12.2<1>UD g0.2<0,1,0>UD 0x0f000000UD { align1 WE_all 1N };\n"
    "send(8) null<1>UW g12<8,8,1>UD 0x02000004 gateway MsgDesc: mlen 1 rlen 0 { align1 WE_all 1Q "
    "};\n"
    "wait(1) n0<1>UD { align1 WE_all 1N };\n" END_OF_THREAD;

struct ends {
   uint64_t instructions[THREADS];
   unsigned count;
};

static void
ended(void *data, const struct pergola_event *e)
{
   struct ends *ends = data;
   assert_in_range(e->b, 0, THREADS - 1);
   ends->instructions[e->b] = e->a;
   ends->count++;
}

/* Four threads of a group sit on four EUs: three of them wait for the one that works. */
static void
threads_that_wait_stall_their_eu(void **state)
{
   (void)state;
   for (unsigned native = 0; native < 2; native++) {
      struct stage *s = prepare(meet, native, 1, true);
      struct oa_events e = {0};
      struct ends ends = {.count = 0};
      assert_int_equal(pergola_add_observer(s->dev, 1u << PERGOLA_EVENT_THREAD_END, ended, &ends),
                       0);
      eu_count(s->dev->eu, true);
      dispatch(s, 1);
      eu_tally_collect(s->dev->eu, &e);
      assert_int_equal(ends.count, THREADS);
      uint64_t longest = 0, stalled = 0, executed = 0;
      for (unsigned i = 0; i < THREADS; i++)
         longest = ends.instructions[i] > longest ? ends.instructions[i] : longest;
      for (unsigned i = 0; i < THREADS; i++) {
         stalled += longest - ends.instructions[i];
         executed += ends.instructions[i];
      }
      assert_true(stalled >= 3 * 19 * 3 - 3);
      assert_int_equal(oa_sum(&e, 0, OA_CLOCK_EVENTS - 1), executed);
      assert_int_equal(oa_sum(&e, OA_STALLED, OA_STALLED), stalled);
      assert_int_equal(oa_sum(&e, OA_WAITED, OA_WAITED), stalled); /* a thread an EU */
      assert_int_equal(oa_sum(&e, OA_BARRIER, OA_BARRIER), THREADS);
      uint32_t a[OA_GEN7_A] = {0};
      oa_gen7_count(a, &e, 7);
      assert_int_equal(a[0], executed);
      assert_int_equal(a[1], stalled);
      assert_int_equal(a[19], stalled);
      assert_int_equal(a[41], 7);
      stage_destroy(s);
   }
}

/* SYS-240: a report with threads on their way is named; behind a flush it is not. */
static void
reports_need_a_flush(void **state)
{
   proves("SYS-240");
   struct stage *s = *state;
   static const uint32_t data[8] = {1};
   s->actor[0] = actor_ends;
   stage_standard(s, false);
   pergola_mmio_write(s->dev, 0x2360, 4, 5 << 2 | 1);
   stage_object(s, &(struct hw_media_object){0}, data, 8);
   report(s, 1);
   assert_said(s, "SYS-240");
   stage_object(s, &(struct hw_media_object){0}, data, 8);
   stage_flush(s);
   report(s, 2);
   assert_quiet(s);
}

/* SYS-240: a recording gives each dispatch, with a flush behind it, what its own threads did. */
static void
recordings_keep_dispatches_apart(void **state)
{
   proves("SYS-240");
   (void)state;
   struct stage *s = prepare(loop, 0, 1, false);
   char path[] = "oa-dispatches-XXXXXX";
   int fd = mkstemp(path);
   assert_true(fd >= 0);
   close(fd);
   assert_int_equal(pergola_oa_open(s->dev, path), 0);
   for (unsigned groups = 1; groups < 4; groups++)
      dispatch(s, groups);
   assert_int_equal(pergola_oa_close(s->dev), 0);
   static uint64_t data[1024];
   FILE *f = fopen(path, "rb");
   assert_non_null(f);
   size_t size = fread(data, 1, sizeof(data), f);
   fclose(f);
   unlink(path);
   struct oa_file file;
   assert_null(oa_file_read(&file, data, size));
   assert_int_equal(file.dispatches, 3);
   for (unsigned i = 0; i < 3; i++) {
      struct oa_file_row row;
      oa_file_row(&file, i, &row);
      assert_int_equal(row.a[4], THREADS * (i + 1));
   }
   stage_destroy(s);
}

/* SYS-357: blocks of 2x2 that a message asks the sampler for, by its SIMD mode; questions about the
 * surface, and a flush, ask for none. */
static void
messages_ask_for_blocks(void **state)
{
   proves("SYS-357");
   (void)state;
   static const uint8_t blocks[3] = {2, 2, 4}; /* SIMD4x2, SIMD8, SIMD16 */
   static const uint8_t types[] = {0, 1, 7, 10, 11, 31};
   for (unsigned mode = 0; mode < 3; mode++)
      for (unsigned i = 0; i < sizeof(types); i++) {
         uint8_t events[OA_INSTRUCTION_EVENTS] = {0};
         sf_events(SFID_SAMPLER, mode << 17 | (uint32_t)types[i] << 12, events);
         assert_int_equal(events[OA_SAMPLER_2X2], types[i] < 10 ? blocks[mode] : 0);
      }
}

/* SYS-471: which counters are of which stage. */
static void
gen7_counters_of_stages(void **state)
{
   (void)state;
   static const uint8_t first[OA_STAGES] = {2, 7, 12, 22, 27, 17};
   for (unsigned st = 0; st < OA_STAGES; st++) {
      struct oa_events e = {0};
      uint32_t a[OA_GEN7_A] = {0}, want[OA_GEN7_A] = {0};
      e.eu[st][3][OA_FPU0_MOV] = 5;
      e.eu[st][17][OA_BRANCH] = 6;
      e.eu[st][4][OA_STALLED] = 7;
      e.eu[st][5][OA_THREADS] = 3;
      e.eu[st][6][OA_TARGET_WRITE] = 9;
      oa_gen7_count(a, &e, 0);
      want[0] = want[first[st]] = 11;
      want[1] = want[first[st] + 2] = 7;
      want[first[st] + 3] = 3;
      want[40] = 9;
      assert_memory_equal(a, want, sizeof(a));
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(all_ways_count_the_same),
       cmocka_unit_test(rounds_that_are_left_count_as_far_as_they_went),
       cmocka_unit_test(gen7_counters_follow_a_dispatch),
       cmocka_unit_test(threads_that_wait_stall_their_eu),
       cmocka_unit_test_setup_teardown(reports_need_a_flush, stage_setup, stage_teardown),
       cmocka_unit_test(recordings_keep_dispatches_apart),
       cmocka_unit_test(gen7_counters_of_stages),
       cmocka_unit_test(messages_ask_for_blocks),
   };
   return cmocka_run_group_tests_name("oa_events", tests, NULL, NULL);
}
