/* The media pipeline among its neighbours: selection, bases, flushes, arbitration, scratch, real
 * kernels. */
#include "stage.h"
#include "tests/proves.h"

static uint32_t one[1] = {1};

static void
assert_field(const char *command, const char *name, unsigned dw, unsigned hi, unsigned lo)
{
   const struct hw_command *c = hw_command_by_name(command, HW_IVB);
   assert_non_null(c);
   for (unsigned i = 0; i < c->layout.field_count; i++) {
      const struct hw_field *f = &c->layout.fields[i];
      if (strcmp(f->name, name))
         continue;
      assert_int_equal(f->start, dw * 32 + lo);
      assert_int_equal(f->end, dw * 32 + hi);
      return;
   }
   fail_msg("%s has no field %s", command, name);
}

/* MEDIA-449, MEDIA-450, MEDIA-001, MEDIA-002, MEDIA-035: one pipe at a time; a command of the other
 * is named; repeated selects are legal; the entries of the old pipe are free. */
static void
one_pipe_at_a_time(void **state)
{
   proves("MEDIA-449", "MEDIA-450", "MEDIA-001", "MEDIA-002", "MEDIA-035", "RCS-070");
   struct stage *s = *state;
   assert_int_equal(hw_command_find(0x69040002, HW_RCS, HW_IVB)->layout.length_dw, 1);
   assert_field("PIPELINE_SELECT", "Pipeline Selection", 0, 1, 0);
   stage_standard(s, false);
   assert_int_equal(cs_pipeline(s->dev), PIPELINE_MEDIA);
   s->media->vfe.handle_busy[0] = true; /* never given back */
   s->media->vfe.handle_head = 1;
   stage_submit(s, IDS(0x69040001, 0x69040001, 0x69040002), 3);
   assert_int_equal(cs_pipeline(s->dev), PIPELINE_GPGPU);
   assert_false(s->media->vfe.handle_busy[0]);
   assert_int_equal(s->media->vfe.handle_head, 0);
   assert_quiet(s);
   stage_submit(s, IDS(0x69040000), 1);
   assert_int_equal(cs_pipeline(s->dev), PIPELINE_3D);
   struct hw_gpgpu_walker w = stage_walk(0, 8, 1, 1, 1, 1);
   stage_walker(s, &w);
   assert_said(s, "RCS-070");
}

/* MEDIA-451, MEDIA-452, MEDIA-036, MEDIA-039, MEDIA-453, MEDIA-040, MEDIA-454: the last
 * STATE_BASE_ADDRESS before a command counts, wherever it stands; a dword changes state only with
 * its bit 0. No STATE_SIP is needed. */
static void
bases_apply_to_what_follows(void **state)
{
   proves("MEDIA-451", "MEDIA-452", "MEDIA-036", "MEDIA-039", "MEDIA-453", "MEDIA-040", "MEDIA-454",
          "RCS-162");
   struct stage *s = *state;
   assert_int_equal(hw_command_length(hw_command_find(0x61010008, HW_RCS, HW_IVB), 0x61010008), 10);
   assert_int_equal(hw_command_length(hw_command_find(0x61020000, HW_RCS, HW_IVB), 0x61020000), 2);
   assert_field("STATE_BASE_ADDRESS", "General State Base Address", 1, 31, 12);
   assert_field("STATE_BASE_ADDRESS", "Stateless Data Port Access Force Write Thru", 1, 3, 3);
   assert_field("STATE_BASE_ADDRESS", "Dynamic State Base Address", 3, 31, 12);
   assert_field("STATE_SIP", "System Instruction Pointer", 1, 31, 4);
   stage_standard(s, true);
   /* another dynamic base, with another descriptor 0, in the middle of the state commands */
   gen7_interface_descriptor_data_pack(
       stage_memory(s, STAGE_OUT),
       &(struct hw_interface_descriptor_data){.kernel_start_pointer = 64 * 7});
   uint32_t dw[] = {0x61010008, 0, 0, STAGE_OUT | 1, 0, 0, 0, 0, 0, 0};
   stage_submit(s, dw, 10);
   assert_int_equal(cs_state_bases(s->dev)->dynamic, STAGE_OUT);
   assert_int_equal(cs_state_bases(s->dev)->instruction, STAGE_INSTRUCTION); /* kept */
   stage_load_descriptors(s, 1);
   struct hw_gpgpu_walker w = stage_walk(0, 8, 1, 1, 1, 1);
   stage_walker(s, &w);
   assert_int_equal(s->record[0].kernel, 64 * 7);
   assert_quiet(s);
   /* MEDIA-452: a bound that does not exceed its base */
   uint32_t bad[] = {0x61010008, 0, 0, 0, 0, 0, 0, 0x1000 | 1, 0, 0};
   stage_submit(s, bad, 10);
   assert_said(s, "RCS-162");
}

/* MEDIA-036: a primitive in a context that has had no STATE_BASE_ADDRESS. */
static void
no_bases(void **state)
{
   proves("MEDIA-036");
   struct stage *s = *state;
   struct hw_media_vfe_state v = stage_vfe();
   uint32_t data[1] = {0};
   stage_submit(s, IDS(0x69040001), 1); /* PIPELINE_SELECT: media */
   stage_put_vfe(s, &v);
   stage_object(s, &(struct hw_media_object){0}, data, 1);
   assert_said(s, "MEDIA-036");
}

static enum eu_stop
takes_long(struct stage *s, struct eu_thread *t, unsigned step)
{
   if (step == 20) {
      *stage_memory(s, STAGE_OUT) += 1;
      return stage_end(t);
   }
   s->next_step = step + 1;
   return EU_STOP_BUDGET;
}

/* MEDIA-083, MEDIA-469, MEDIA-032: PIPE_CONTROL and MI_FLUSH wait for every thread; what follows
 * sees their memory. */
static void
flushes_wait(void **state)
{
   proves("MEDIA-083", "MEDIA-469", "MEDIA-032", "RCS-221");
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = takes_long;
   for (unsigned mi = 0; mi < 2; mi++) {
      *stage_memory(s, STAGE_OUT) = 0;
      for (unsigned i = 0; i < 5; i++)
         stage_object(s, &(struct hw_media_object){.interface_descriptor_offset = 1}, one, 1);
      assert_false(media_idle(s->media));
      rig_set(s->rig, 0x209c, 1u << 28 | 1u << 12); /* MI_FLUSH has to be enabled */
      if (mi)
         rig_ring(s->rig, RCS, IDS(0x02000000, 0), 2);
      else
         rig_ring(s->rig, RCS, IDS(PC, 1u << 20 | 1u << 1, 0, 0, 0, 0), 6);
      rig_ring(s->rig, RCS,
               IDS(GEN7_MI_LOAD_REGISTER_MEM_HEADER | 1 | GLOBAL, 0x2500, STAGE_OUT, 0), 4);
      stage_run(s);
      assert_int_equal(rig_reg(s->rig, 0x2500), 5);
   }
   assert_field("MI_FLUSH", "Generic Media State Clear", 0, 4, 4);
   assert_field("MI_FLUSH", "State Instruction Cache Invalidate", 0, 1, 1);
   rig_set(s->rig, 0x209c, 1u << 28);
   stage_submit(s, IDS(0x02000000, 0), 2);
   assert_said(s, "RCS-221");
}

/* MEDIA-047, MEDIA-052, MEDIA-354, MEDIA-473: while arbitration is off a request to preempt
 * has no effect; afterwards it has. */
static void
arbitration_off(void **state)
{
   proves("MEDIA-047", "MEDIA-052", "MEDIA-354", "MEDIA-473");
   struct stage *s = *state;
   stage_standard(s, true);
   stage_submit(s, IDS(0x04000000, 0), 2); /* MI_ARB_ON_OFF: off */
   reg_set(s->dev, 0x2134, 1);
   assert_false(gpgpu_preemption_asked(s->media));
   struct hw_gpgpu_walker w = stage_walk(0, 8, 1, 10, 1, 1);
   uint32_t dw[GEN7_GPGPU_WALKER_LENGTH];
   gen7_gpgpu_walker_pack(dw, &w);
   assert_int_equal(stage_direct_all(s, IDS(0x70040000, 0), 2), CS_DONE);
   assert_int_equal(stage_direct_all(s, dw, GEN7_GPGPU_WALKER_LENGTH), CS_DONE);
   assert_int_equal(s->count, 10);
   assert_true(media_idle(s->media));
   reg_set(s->dev, 0x2134, 0);
   stage_submit(s, IDS(0x04000001, 0), 2);
   reg_set(s->dev, 0x2134, 1);
   assert_true(gpgpu_preemption_asked(s->media));
}

/* MEDIA-208, MEDIA-210, MEDIA-290, MEDIA-238, MEDIA-209: 1 KB to 12 KB a thread; a kernel that
 * needs more moves its pointer by FFTID * (new - old). */
static void
scratch_space(void **state)
{
   proves("MEDIA-208", "MEDIA-210", "MEDIA-290", "MEDIA-238", "MEDIA-209");
   struct stage *s = *state;
   stage_standard(s, true);
   struct hw_media_vfe_state v = stage_vfe();
   struct hw_gpgpu_walker w = stage_walk(0, 8, 4, 1, 1, 1);
   uint32_t pointer[12][4];
   for (unsigned n = 0; n < 12; n++) {
      v.per_thread_scratch_space = n;
      stage_flush(s);
      stage_put_vfe(s, &v);
      s->count = 0;
      stage_walker(s, &w);
      for (unsigned i = 0; i < 4; i++) {
         assert_int_equal(s->record[i].scratch_size, (n + 1) * 1024);
         assert_int_equal(s->record[i].r[0][3] & 15, n);
         pointer[n][i] = s->record[i].r[0][5] & ~1023u;
         assert_int_equal(pointer[n][i], 0x4000 + i * (n + 1) * 1024);
      }
   }
   for (unsigned i = 0; i < 4; i++) /* from 2 KB to 5 KB */
      assert_int_equal(pointer[1][i] + i * (5 - 2) * 1024, pointer[4][i]);
   assert_quiet(s);
   v.per_thread_scratch_space = 12; /* not defined */
   stage_flush(s);
   stage_put_vfe(s, &v);
   assert_said(s, "MEDIA-290");
}

static enum eu_stop
gives_back(struct stage *s, struct eu_thread *t, unsigned step)
{
   s->value[0] += s->media->vfe.handle_busy[0];
   stage_message(t, SFID_THREAD_SPAWNER, 0, eu_grf(t, 0), true, NULL);
   return EU_STOP_EOT;
}

static enum eu_stop
releases(struct stage *s, struct eu_thread *t, unsigned step)
{
   for (unsigned i = 0; i < 4; i++)
      stage_message(t, SFID_THREAD_SPAWNER, 0x11, eu_grf(t, 0), false, NULL);
   return stage_end(t);
}

/* MEDIA-382, MEDIA-394, MEDIA-395: Children Present and Thread Synchronization of the other
 * commands. */
static void
flags_of_prt_and_walker(void **state)
{
   proves("MEDIA-382", "MEDIA-394", "MEDIA-395", "MEDIA-268");
   struct stage *s = *state;
   stage_standard(s, false);
   s->actor[1] = gives_back;
   uint32_t dw[18];
   for (unsigned children = 0; children < 2; children++) {
      s->value[0] = 0;
      gen7_media_object_prt_pack(dw, &(struct hw_media_object_prt){.interface_descriptor_offset = 1,
                                                                   .children_present = children});
      s->media->vfe.handle_head = 0;
      assert_int_equal(stage_direct_all(s, dw, 16), CS_DONE);
      stage_flush(s);
      assert_int_equal(s->value[0], children); /* still its own while it runs */
      assert_false(s->media->vfe.handle_busy[0]);
   }
   struct hw_media_object_walker w = stage_raster(2, 2);
   w.interface_descriptor_offset = 1;
   w.children_present = true;
   gen7_media_object_walker_pack(dw, &w);
   dw[0]++;
   dw[17] = 1;
   s->count = s->value[0] = 0;
   s->media->vfe.handle_head = 0;
   assert_int_equal(stage_direct_all(s, dw, 18), CS_DONE);
   stage_flush(s);
   assert_int_equal(s->count, 4);
   assert_true(s->value[0] > 0);
   for (unsigned i = 0; i < 16; i++)
      assert_false(s->media->vfe.handle_busy[i]);
   assert_quiet(s);
   /* each thread of the walker waits for a message of its own */
   s->actor[2] = releases;
   w.children_present = false;
   w.thread_synchronization = true;
   w.interface_descriptor_offset = 0;
   gen7_media_object_walker_pack(dw, &w);
   dw[0]++;
   s->count = 0;
   assert_int_equal(stage_direct_all(s, dw, 18), CS_DONE);
   uint64_t budget = 100;
   assert_int_equal(s->count, 0);
   stage_object(s, &(struct hw_media_object){.interface_descriptor_offset = 2}, one, 1);
   media_drain(s->media, &budget);
   assert_true(rig_count(s->rig, "MEDIA-268") == 1); /* the releasing thread stands behind them */
   rig_forget(s->rig);
   s->count = 0;
   stage_object(s, &(struct hw_media_object){.interface_descriptor_offset = 2}, one, 1);
   assert_int_equal(stage_direct_all(s, dw, 18), CS_DONE);
   stage_flush(s);
   assert_int_equal(s->count, 5); /* in front of them it lets all four go */
   assert_quiet(s);
}

/* ---- real kernels ---------------------------------------------------------------------------- */

static void
count_event(void *data, const struct pergola_event *e)
{
   unsigned *n = data;
   n[e->kind == PERGOLA_EVENT_THREAD_END]++;
}

/* MEDIA-059, SF-173: barrier and wait as an assembled kernel has them, on the execution unit
 * itself. */
static void
real_kernel_with_barriers(void **state)
{
   proves("MEDIA-059", "SF-173", "MEDIA-058");
   struct stage *s = *state;
   unsigned events[2] = {0};
   media_set_run(s->media, eu_run);
   stage_standard(s, true);
   stage_assemble(s,
                  "mov(8) g10<1>UD 0UD { align1 WE_all 1Q };\n"
                  "and(1) g10.2<1>UD g0.2<0,1,0>UD 0x0f000000UD { align1 WE_all 1N };\n"
                  "send(8) null<1>UW g10<8,8,1>UD 0x02000004 gateway MsgDesc: mlen 1 rlen 0 { "
                  "align1 WE_all 1Q };\n"
                  "wait(1) n0<1>UD { align1 WE_all 1N };\n"
                  "send(8) null<1>UW g10<8,8,1>UD 0x02000004 gateway MsgDesc: mlen 1 rlen 0 { "
                  "align1 WE_all 1Q };\n"
                  "wait(1) n0<1>UD { align1 WE_all 1N };\n" END_OF_THREAD,
                  0x400);
   struct hw_interface_descriptor_data d = {.kernel_start_pointer = 0x400,
                                            .barrier_enable = true,
                                            .number_of_threads_in_gpgpu_thread_group = 16};
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   pergola_add_observer(s->dev, 1u << PERGOLA_EVENT_DISPATCH | 1u << PERGOLA_EVENT_THREAD_END,
                        count_event, events);
   struct hw_gpgpu_walker w = stage_walk(1, 16, 16, 20, 1, 1);
   stage_walker(s, &w);
   assert_int_equal(events[0], 320);
   assert_int_equal(events[1], 320);
   assert_quiet(s);
   /* one thread too few: the barrier never completes */
   w = stage_walk(1, 16, 15, 1, 1, 1);
   stage_walker(s, &w);
   assert_true(rig_count(s->rig, "MEDIA-058") == 1);
}

/* Real kernels on several host threads: atomics on shared memory and on a buffer, barriers in
 * between. */
static void
real_kernels_on_host_threads(void **state)
{
   proves("MEDIA-003"); /* a kernel of any kind, not one of media */
   struct stage *s = *state;
   media_set_run(s->media, eu_run);
   s->dev->config.host_threads = 3;
   stage_standard(s, true);
   rig_set(s->rig, 0xb020, 0x00080041);
   /* binding table entry 0: 4 KiB of raw buffer */
   *stage_memory(s, STAGE_SURFACE) = 0x40;
   gen7_render_surface_state_pack(
       stage_memory(s, STAGE_SURFACE + 0x40),
       &(struct hw_render_surface_state){.surface_type = 4,
                                         .surface_format = 0x1ff,
                                         .surface_base_address = STAGE_OUT,
                                         .width = 4095 & 127,
                                         .height = 4095 >> 7});
   stage_assemble(s,
                  "mov(8) g12<1>UD 0UD { align1 WE_all 1Q };\n"
                  "mov(8) g13<1>UD 1UD { align1 WE_all 1Q };\n"
                  "mov(8) g10<1>UD 0UD { align1 WE_all 1Q };\n"
                  "and(1) g10.2<1>UD g0.2<0,1,0>UD 0x0f000000UD { align1 WE_all 1N };\n"
                  "send(8) null<1>UW g12<8,8,1>UD 0x040197fe data MsgDesc: mlen 2 rlen 0 { align1 "
                  "WE_all 1Q };\n"
                  "send(8) null<1>UW g10<8,8,1>UD 0x02000004 gateway MsgDesc: mlen 1 rlen 0 { "
                  "align1 WE_all 1Q };\n"
                  "wait(1) n0<1>UD { align1 WE_all 1N };\n"
                  "send(8) null<1>UW g12<8,8,1>UD 0x04019700 data MsgDesc: mlen 2 rlen 0 { align1 "
                  "WE_all 1Q };\n"
                  "send(8) null<1>UW g10<8,8,1>UD 0x02000004 gateway MsgDesc: mlen 1 rlen 0 { "
                  "align1 WE_all 1Q };\n"
                  "wait(1) n0<1>UD { align1 WE_all 1N };\n" END_OF_THREAD,
                  0x400);
   struct hw_interface_descriptor_data d = {.kernel_start_pointer = 0x400,
                                            .barrier_enable = true,
                                            .shared_local_memory_size = 1,
                                            .number_of_threads_in_gpgpu_thread_group = 4};
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   struct hw_gpgpu_walker w = stage_walk(1, 8, 4, 3000, 1, 1);
   stage_walker(s, &w);
   stage_flush(s);
   assert_quiet(s);
   assert_int_equal(*stage_memory(s, STAGE_OUT), 3000 * 4 * 8);
   uint32_t slm = 0; /* the groups of a place add to the same word, which nobody clears */
   for (unsigned h = 0; h < 2; h++)
      for (unsigned block = 0; block < 16; block++)
         slm += *(uint32_t *)(void *)(s->media->slm[h] + block * 4096);
   assert_int_equal(slm, 3000 * 4 * 8);
}

static void
count_instructions(void *data, const struct pergola_event *e)
{
   *(uint64_t *)data += e->a;
}

/* CS-022: work of threads takes model time by the number of instructions and EUs; a walk of nothing
 * takes none. */
static void
threads_take_time(void **state)
{
   proves("CS-022");
   struct stage *s = *state;
   unsigned eus = s->dev->sku.half_slices * s->dev->sku.eus_per_half_slice;
   uint64_t instructions = 0, spent[2];
   media_set_run(s->media, eu_run);
   stage_standard(s, true);
   rig_forget(s->rig);
   stage_assemble(s,
                  "add(8) g20<1>UD g20<8,8,1>UD 1UD { align1 WE_all 1Q };\n"
                  "add(8) g20<1>UD g20<8,8,1>UD 1UD { align1 WE_all 1Q };\n"
                  "add(8) g20<1>UD g20<8,8,1>UD 1UD { align1 WE_all 1Q };\n" END_OF_THREAD,
                  0x400);
   struct hw_interface_descriptor_data d = {.kernel_start_pointer = 0x400};
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   pergola_add_observer(s->dev, 1u << PERGOLA_EVENT_THREAD_END, count_instructions, &instructions);
   for (unsigned i = 0; i < 2; i++) {
      uint64_t before = pergola_time_ns(s->dev);
      struct hw_gpgpu_walker w = stage_walk(1, 8, 2, i ? 4000 : 1, 1, 1);
      stage_walker(s, &w);
      stage_flush(s);
      spent[i] = pergola_time_ns(s->dev) - before;
   }
   assert_true(instructions >= 4001 * 2 * 4);
   uint64_t work = (instructions - instructions / 4001) * 2 /
                   eus; /* of the 4000 groups that make the difference */
   assert_in_range(spent[1] - spent[0], work - work / 50, work + work / 50);
}

/* An endless kernel: the run ends with its budget, a reset cures it. */
static void
real_kernel_without_end(void **state)
{
   struct stage *s = *state;
   media_set_run(s->media, eu_run);
   stage_standard(s, true);
   stage_assemble(s,
                  "add(8) g20<1>UD g20<8,8,1>UD 1UD { align1 WE_all 1Q };\njmpi(1) -4D { align1 "
                  "WE_all 1N };\n",
                  0x400);
   struct hw_interface_descriptor_data d = {.kernel_start_pointer = 0x400};
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   struct hw_gpgpu_walker w = stage_walk(1, 16, 1, 1, 1, 1);
   uint32_t dw[GEN7_GPGPU_WALKER_LENGTH];
   gen7_gpgpu_walker_pack(dw, &w);
   rig_ring(s->rig, RCS, dw, GEN7_GPGPU_WALKER_LENGTH);
   for (unsigned i = 0; i < 3; i++)
      assert_int_equal(pergola_run(s->dev, 10000), PERGOLA_RUN_BUDGET);
   rig_reset(s->rig, RCS);
   assert_true(media_idle(s->media));
   rig_forget(s->rig);
   stage_standard(s, true);
   stage_assemble(s, END_OF_THREAD, 0);
   w = stage_walk(0, 16, 1, 1, 1, 1);
   stage_walker(s, &w);
   assert_int_equal(pergola_run(s->dev, 10000), PERGOLA_RUN_IDLE);
}

/* With rules that stop, a broken one stops the engine; nothing loops. */
static void
broken_rule_stops(void **state)
{
   proves("MEDIA-041");
   (void)state;
   struct rig *r = rig_create("ivb-gt2", PERGOLA_CHECK_STOP);
   rig_ring(r, RCS, IDS(0x69040002, 0x70010002, 0, 32, 0, 0), 6); /* CURBE before MEDIA_VFE_STATE */
   assert_int_equal(pergola_run(r->dev, 100000), PERGOLA_RUN_STOPPED);
   rig_expect(r, "MEDIA-041");
   rig_destroy(r);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, stage_setup, stage_teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(broken_rule_stops),
       CASE(one_pipe_at_a_time),
       CASE(bases_apply_to_what_follows),
       CASE(no_bases),
       CASE(flushes_wait),
       CASE(arbitration_off),
       CASE(scratch_space),
       CASE(flags_of_prt_and_walker),
       CASE(real_kernel_with_barriers),
       CASE(real_kernels_on_host_threads),
       CASE(real_kernel_without_end),
       CASE(threads_take_time),
       cmocka_unit_test_setup_teardown(threads_take_time, stage_setup_vlv, stage_teardown),
   };
   return cmocka_run_group_tests_name("media_pipeline", tests, NULL, NULL);
}
