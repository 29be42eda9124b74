/* Independent groups on several host threads: thousands of groups with shared memory, barriers and
 * atomics give the memory that one thread gives, also under a race detector. */
#include "stage.h"

#include "eu/isa/asm.h"

#include <stdlib.h>
#include "tests/proves.h"

#define GROUPS 3000u
#define THREADS 8u
#define OUT 0x2a0000u /* behind the scratch space of all threads */

/* Every thread adds its share in shared memory, meets the others, and the first publishes the sum.
 * The step is kept in the instruction pointer. */
static enum eu_stop
sums(struct eu_thread *t, uint64_t budget)
{
   struct media *m = t->env->dev->media;
   uint32_t *slm = (uint32_t *)(void *)t->group->slm;
   unsigned index = t->group_index, group = t->group->id[0];
   unsigned step = (t->ip - t->kernel_start) / 16;
   t->instructions++;
   if (step == 0) {
      slm[index] = group * 10 + index;
      uint32_t payload[8] = {[2] = eu_grf(t, 0)[2] & 0x0f000000};
      struct sf_message msg = {.sfid = SFID_GATEWAY,
                               .mlen = 1,
                               .desc = 4,
                               .payload = (uint8_t *)payload,
                               .exec_size = 8};
      sf_gateway(t, &msg);
      t->ip += 16;
      return EU_STOP_BUDGET;
   }
   if (!t->n0[0])
      return EU_STOP_WAIT;
   t->n0[0]--;
   uint32_t *out = mem_translate(t->env->space, OUT + 64 + group * 16, MEM_WRITE);
   uint32_t *total = mem_translate(t->env->space, OUT, MEM_WRITE);
   if (index == 0) {
      out[0] = 0;
      for (unsigned i = 0; i < THREADS; i++)
         out[0] += slm[i];
      out[1] = eu_grf(t, 0)[2]; /* barrier, key: what a thread sees of its place */
      out[2] = eu_grf(t, 0)[5];
      out[3] = eu_grf(t, 0)[0];
   }
   __atomic_fetch_add(total, group, __ATOMIC_RELAXED);
   uint32_t *scratch =
       mem_translate(t->env->space, STAGE_GENERAL + (eu_grf(t, 0)[5] & ~1023u), MEM_WRITE);
   scratch[0] = group; /* nobody else has this FFTID now */
   if (scratch[0] != group)
      abort();
   t->group->released |= UINT64_C(1) << index;
   (void)m;
   return EU_STOP_EOT;
}

static uint32_t *
run_walk(unsigned threads, bool deterministic, uint64_t budget)
{
   struct stage *s = stage_create("ivb-gt2");
   s->dev->config.host_threads = threads;
   s->dev->config.deterministic = deterministic;
   media_set_run(s->media, sums);
   stage_standard(s, true);
   rig_set(s->rig, 0xb020, 0x00080041);
   struct hw_interface_descriptor_data d = stage_descriptor(0);
   d.barrier_enable = true;
   d.number_of_threads_in_gpgpu_thread_group = THREADS;
   d.shared_local_memory_size = 1;
   stage_put_descriptor(s, 0, &d);
   stage_load_descriptors(s, 1);
   struct hw_gpgpu_walker w = stage_walk(0, 16, THREADS, GROUPS, 1, 1);
   uint32_t dw[GEN7_GPGPU_WALKER_LENGTH];
   gen7_gpgpu_walker_pack(dw, &w);
   enum cs_result r;
   unsigned calls = 0;
   do {
      r = stage_direct(s, dw, GEN7_GPGPU_WALKER_LENGTH, budget);
      calls++;
   } while (r == CS_AGAIN);
   assert_int_equal(r, CS_DONE);
   if (budget < 10000)
      assert_true(calls > 5);
   uint32_t *copy = malloc(64 + GROUPS * 16);
   memcpy(copy, stage_memory(s, OUT), 64 + GROUPS * 16);
   assert_quiet(s);
   stage_destroy(s);
   return copy;
}

/* MEDIA-056, MEDIA-201, MEDIA-196, MEDIA-197, MEDIA-195: places are given back and used again by
 * thousands of groups; never by two at once. */
static void
same_memory_on_any_number_of_threads(void **state)
{
   proves("MEDIA-056", "MEDIA-201", "MEDIA-196", "MEDIA-197", "MEDIA-195");
   (void)state;
   uint32_t *reference = run_walk(1, true, UINT64_MAX / 4);
   for (unsigned g = 0; g < GROUPS; g++)
      assert_int_equal(reference[16 + 4 * g], g * 80 + 28);
   assert_int_equal(reference[0], (uint32_t)((uint64_t)GROUPS * (GROUPS - 1) / 2 * THREADS));
   static const struct {
      unsigned threads;
      uint64_t budget;
   } c[] = {{1, UINT64_MAX / 4}, {2, UINT64_MAX / 4}, {4, UINT64_MAX / 4}, {2, 5000}, {1, 777}};
   for (unsigned i = 0; i < 5; i++) {
      uint32_t *memory = run_walk(c[i].threads, false, c[i].budget);
      assert_memory_equal(memory, reference, 64 + GROUPS * 16);
      free(memory);
   }
   free(reference);
}

/* Many small walks: threads of the pool sleep and wake. */
static void
many_walks(void **state)
{
   (void)state;
   struct stage *s = stage_create("ivb-gt2");
   s->dev->config.host_threads = 3;
   stage_standard(s, true);
   for (unsigned i = 1; i < 60; i++) {
      s->count = 0;
      struct hw_gpgpu_walker w = stage_walk(0, 16, 1 + i % 7, i, 1, 1);
      stage_walker(s, &w);
      assert_int_equal(s->count, i * (1 + i % 7));
   }
   assert_quiet(s);
   stage_destroy(s);
}

static unsigned begun;

static void
begins(void)
{
   __atomic_add_fetch(&begun, 1, __ATOMIC_RELAXED);
}

/* DRM-119: whoever owns the device hears of every host thread that it makes, on that thread. */
static void
threads_are_announced(void **state)
{
   proves("DRM-119");
   (void)state;
   struct stage *s = stage_create("ivb-gt2");
   s->dev->config.host_threads = 4;
   s->dev->host_thread_begins = begins;
   stage_standard(s, true);
   struct hw_gpgpu_walker w = stage_walk(0, 16, 4, 100, 1, 1);
   stage_walker(s, &w);
   stage_destroy(s);
   assert_int_equal(__atomic_load_n(&begun, __ATOMIC_RELAXED), 3);
}

static const char counting[] = "mov(8) g10<1>D 37D { align1 WE_all 1Q };\n"
                               "again:\n"
                               "add.nz.f0.0(8) g10<1>D g10<8,8,1>D -1D { align1 WE_all 1Q };\n"
                               "add(8) g11<1>D g10<8,8,1>D 1D { align1 WE_all 1Q };\n"
                               "(+f0.0) while(8) JIP: again { align1 WE_all 1Q };\n"
                               "mov(8) g127<1>UD g0<8,8,1>UD { align1 WE_all 1Q };\n"
                               "send(8) null<1>UW g127<8,8,1>UD 0x02000010 thread_spawner MsgDesc: "
                               "mlen 1 rlen 0 { align1 WE_all 1Q EOT };\n";

/* Model time goes by what has been done, not by the host threads that did it. */
static void
time_is_the_same(void **state)
{
   (void)state;
   struct eu_program p;
   struct eu_asm_error error;
   uint64_t want = 0;
   for (unsigned i = 0; i < 12; i++) {
      struct stage *s = stage_create("ivb-gt2");
      s->dev->config.host_threads = 1 + i % 4;
      media_set_run(s->media, eu_run_inside);
      stage_standard(s, true);
      assert_true(eu_asm_text(counting, strlen(counting), s->dev->hw_device, &p, &error));
      memcpy(stage_memory(s, STAGE_INSTRUCTION + 0x400), p.bytes, p.size);
      eu_program_free(&p);
      stage_put_descriptor(s, 1,
                           &(struct hw_interface_descriptor_data){.kernel_start_pointer = 0x400});
      stage_load_descriptors(s, 2);
      struct hw_gpgpu_walker w = stage_walk(1, 8, THREADS, GROUPS / 3, 1, 1);
      uint32_t dw[GEN7_GPGPU_WALKER_LENGTH];
      gen7_gpgpu_walker_pack(dw, &w);
      uint64_t before = pergola_time_ns(s->dev);
      rig_ring(s->rig, RCS, dw, GEN7_GPGPU_WALKER_LENGTH);
      unsigned turns = 1;
      while (pergola_run(s->dev, 40000) == PERGOLA_RUN_BUDGET)
         turns++;
      assert_in_range(turns, 10, 1000);
      uint64_t spent = pergola_time_ns(s->dev) - before;
      if (i && spent != want)
         fail_msg("%u host threads: %llu ns, before: %llu ns", 1 + i % 4, (unsigned long long)spent,
                  (unsigned long long)want);
      want = spent;
      assert_quiet(s);
      stage_destroy(s);
   }
}

/* Writes a register that has side effects and one that has none, and ends. */
static enum eu_stop
writes_registers(struct eu_thread *t, uint64_t budget)
{
   static const uint32_t offset[] = {
       0x2134, 0x2504}; /* UHPTR, which stays invalid, and GPGPU_DISPATCHDIMY */
   for (unsigned i = 0; i < 2; i++) {
      uint32_t payload[8] = {[0] = (t->group->id[0] + 1) * 8, [2] = offset[i], [3] = 1};
      sf_gateway(t, &(struct sf_message){.sfid = SFID_GATEWAY,
                                         .mlen = 1,
                                         .desc = 6,
                                         .payload = (uint8_t *)payload,
                                         .exec_size = 8});
   }
   t->instructions++;
   t->group->released |= UINT64_C(1) << t->group_index;
   return EU_STOP_EOT;
}

/* CS-024: threads of several host threads write registers; those that wait are one list, with one
 * end. */
static void
registers_from_any_thread(void **state)
{
   proves("CS-024");
   struct stage *s = stage_create("ivb-gt2");
   struct hw_media_vfe_state v = stage_vfe();
   struct hw_gpgpu_walker w = stage_walk(0, 16, 1, GROUPS, 1, 1);
   (void)state;
   s->dev->config.host_threads = 4;
   media_set_run(s->media, writes_registers);
   stage_standard(s, true);
   v.gateway_mmio_access_control = 2;
   stage_put_vfe(s, &v);
   stage_walker(s, &w);
   stage_flush(s);
   assert_said(s, "CS-024"); /* more than may wait */
   assert_int_equal(s->dev->posted_count, 0);
   for (unsigned i = 0; i < 2; i++) {
      uint32_t value = rig_reg(s->rig, i ? 0x2504 : 0x2134);
      assert_in_range(value, 8, GROUPS * 8);
      assert_int_equal(value % 8, 0);
   }
   rig_forget(s->rig);
   stage_destroy(s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(registers_from_any_thread),
       cmocka_unit_test(same_memory_on_any_number_of_threads),
       cmocka_unit_test(many_walks),
       cmocka_unit_test(threads_are_announced),
       cmocka_unit_test(time_is_the_same),
   };
   return cmocka_run_group_tests_name("media_pool", tests, NULL, NULL);
}
