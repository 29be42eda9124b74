/* Thread state, calls, messages, waits and exceptions. */
#include "machine.h"

#include "eu/arf.h"
#include "eu/op.h"
#include "tests/proves.h"

static struct machine m;

static int
setup(void **state)
{
   (void)state;
   machine_open(&m, PERGOLA_CHECK_REPORT);
   return 0;
}

static int
teardown(void **state)
{
   (void)state;
   machine_close(&m);
   return 0;
}

static void
state_at_the_start(void **state)
{
   proves("EU-037", "EU-028");
   (void)state;
   memset((void *)m.t, 0xff, sizeof(*m.t));
   eu_thread_init(m.t, &m.env, 0x40, 0x00010020);
   assert_int_equal(m.t->ip, 0x40);
   assert_int_equal(m.t->flag[0] | m.t->flag[1], 0);
   assert_int_equal(m.t->cr0[0] | m.t->cr0[1] | m.t->cr0[2], 0);
   for (unsigned i = 0; i < 16; i++)
      assert_int_equal(m.t->a0[i] | m.t->acc[i], 0);
   for (unsigned c = 0; c < 32; c++)
      assert_int_equal(m.t->pip[c], 0x40);
   assert_int_equal(m.t->dispatch_mask, 0x00010020);
   assert_int_equal(m.t->vector_mask, 0x000f00f0);  /* four at a time */
   assert_int_equal(eu_grf(m.t, 5)[0], 0xffffffff); /* the payload is the dispatcher's */
}

static void
state_register(void **state)
{
   proves("EU-027", "EU-007");
   (void)state;
   machine_load(&m, "mov(4) g2<1>UD sr0<4,4,1>UD { align1 WE_all 1N };\n"
                    "mov(1) sr0.2<1>UD 5UD { align1 WE_all 1N };\n"
                    "mov(1) g3<1>UD sr0.2<0,1,0>UD { align1 WE_all 1N };\n" EOT_TEXT);
   m.t->ffid = 7, m.t->half_slice = 1, m.t->eu = 5, m.t->slot = 3, m.t->fftid = 0x42;
   assert_int_equal(eu_run(m.t, 100), EU_STOP_EOT);
   assert_int_equal(grf_ud(&m, 2)[0], 7u << 24 | 1u << 12 | 5u << 8 | 3);
   assert_int_equal(grf_ud(&m, 2)[1], 0x42u << 24);
   assert_int_equal(grf_ud(&m, 2)[2], 0xff);
   assert_int_equal(grf_ud(&m, 2)[3], 0xff);
   assert_int_equal(grf_ud(&m, 3)[0], 0xff); /* read-only: the write is dropped */
}

/* Registers that are written whole: only the bits that exist are kept. */
static void
bits_of_architecture_registers(void **state)
{
   proves("EU-007", "EU-029", "EU-031", "EU-032", "EU-035", "EU-036");
   (void)state;
   static const struct eu_detail none;
   uint32_t w[8];
   memset(w, 0xff, sizeof(w));
   machine_load(&m, EOT_TEXT);
   eu_arf_write(m.t, EU_ARF_CR, (const uint8_t *)w, UINT32_MAX);
   assert_int_equal(m.t->cr0[0], 0x807f); /* software cannot enter the system routine */
   assert_int_equal(m.t->cr0[1], 0xfc00b800);
   assert_int_equal(m.t->cr0[2], 0xfffffff8);
   eu_arf_write(m.t, EU_ARF_SR, (const uint8_t *)w, UINT32_MAX); /* these take none */
   eu_arf_write(m.t, EU_ARF_TM, (const uint8_t *)w, UINT32_MAX);
   assert_int_equal(m.t->sr0[0] | m.t->sr0[1] | m.t->tm0[0] | m.t->tm0[2], 0);
   for (unsigned i = 0; i < 8; i++) {
      for (unsigned k = 0; k < 8; k++)
         m.t->tdr[k] = 0x8000 | k;
      eu_arf_write(m.t, EU_ARF_TDR, (const uint8_t *)w, 3u << 2 * i); /* one word */
      for (unsigned k = 0; k < 8; k++)
         assert_int_equal(m.t->tdr[k], k == i ? k : 0x8000 | k);
   }
   m.t->tm0[2] = 1; /* an event is told once */
   for (unsigned i = 0; i < 2; i++) {
      eu_arf_read(m.t, &none, EU_ARF_TM, (uint8_t *)w);
      assert_int_equal(w[2], !i);
   }
}

/* EU-029: each field does what it says. */
static void
control_register_fields(void **state)
{
   proves("EU-029");
   (void)state;
   grf_f(&m, 2)[0] = 1.0f;
   grf_f(&m, 3)[0] = 1.0f / 3;
   /* [5:4] rounding: 1 + 2^-25 up and down. */
   grf_ud(&m, 4)[0] = 0x33000000;
   machine_run(&m, "mov(1) cr0<1>UD 0x10UD { align1 WE_all 1N switch };\n"
                   "add(1) g5<1>F g2<0,1,0>F g4<0,1,0>F { align1 WE_all 1N };\n"
                   "mov(1) cr0<1>UD 0x20UD { align1 WE_all 1N switch };\n"
                   "add(1) g6<1>F g2<0,1,0>F g4<0,1,0>F { align1 WE_all 1N };\n" EOT_TEXT);
   assert_int_equal(grf_ud(&m, 5)[0], 0x3f800001);
   assert_int_equal(grf_ud(&m, 6)[0], 0x3f800000);
   /* [1] blocks AccWrEn, not explicit writes. */
   machine_run(&m, "mov(8) acc0<1>D 7D { align1 WE_all 1Q };\n"
                   "mov(1) cr0<1>UD 2UD { align1 WE_all 1N switch };\n"
                   "add(8) g5<1>D g2<8,8,1>D 1D { align1 WE_all 1Q AccWrEnable };\n"
                   "mov(8) g6<1>D acc0<8,8,1>D { align1 WE_all 1Q };\n"
                   "mov(8) acc0<1>D 9D { align1 WE_all 1Q };\n"
                   "mov(8) g7<1>D acc0<8,8,1>D { align1 WE_all 1Q };\n" EOT_TEXT);
   assert_int_equal(grf_d(&m, 6)[0], 7);
   assert_int_equal(grf_d(&m, 7)[0], 9);
   /* [3] vector mask instead of dispatch mask. */
   machine_load(&m, "mov(8) g5<1>D 0D { align1 WE_all 1Q };\n"
                    "mov(1) cr0<1>UD 8UD { align1 WE_all 1N switch };\n"
                    "mov(8) g5<1>D 1D { align1 1Q };\n" EOT_TEXT);
   m.t->dispatch_mask = 2;
   m.t->vector_mask = 15;
   assert_int_equal(eu_run(m.t, 100), EU_STOP_EOT);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(grf_d(&m, 5)[i], i < 4);
   /* [0] ALT: infinity comes in as the largest number. */
   grf_ud(&m, 2)[0] = 0x7f800000;
   machine_run(&m, "mov(1) cr0<1>UD 1UD { align1 WE_all 1N switch };\n"
                   "add(1) g5<1>F g2<0,1,0>F 0x0F { align1 WE_all 1N };\n" EOT_TEXT);
   assert_int_equal(grf_ud(&m, 5)[0], 0x7f7fffff);
}

/* EU-010, EU-013: channels behind the last lane of the accumulator go nowhere. */
static void
accumulator_ends(void **state)
{
   proves("EU-010", "EU-013");
   (void)state;
   machine_clear(&m);
   for (unsigned i = 0; i < 8; i++)
      grf_f(&m, 2)[i] = (float)i;
   machine_run(&m, "add(8) g4.5<1>F g2<8,8,1>F 0.5F { align1 WE_all 2Q AccWrEnable };\n" EOT_TEXT);
   float last = 2.5f; /* the third channel, from lane 5 of acc1 on */
   assert_memory_equal(&m.t->acc[15], &last, sizeof(last));
   for (unsigned i = 0; i < 16; i++) /* what lies behind */
      assert_int_equal(m.t->a0[i], 0);
   /* The same of an operation that has no shorter way. */
   for (unsigned i = 0; i < 8; i++)
      grf_f(&m, 2)[i] = (float)i + 0.25f;
   machine_run(&m, "frc(8) g4.5<1>F g2<8,8,1>F { align1 WE_all 2Q AccWrEnable };\n" EOT_TEXT);
   last = 0.25f;
   assert_memory_equal(&m.t->acc[15], &last, sizeof(last));
   for (unsigned i = 0; i < 16; i++)
      assert_int_equal(m.t->a0[i], 0);
}

/* EU-008: the widths of the accumulator's channels. */
static void
accumulator_widths(void **state)
{
   proves("EU-008");
   (void)state;
   for (unsigned i = 0; i < 8; i++) {
      grf_d(&m, 2)[i] = 0x40000000;
      grf_d(&m, 3)[i] = 0xffff;
   }
   machine_run(&m, "mul(8) acc0<1>D g2<8,8,1>D g3<8,8,1>D { align1 1Q };\n"
                   "mov(16) g8<1>W 0x7777W { align1 WE_all 1H };\n"
                   "mov(16) g9<1>W 100W { align1 WE_all 1H };\n" EOT_TEXT);
   assert_true((int64_t)m.t->acc[0] == (int64_t)0x40000000 * 0xffff); /* more than 32 bits */
   machine_run(&m, "mul(16) acc0<1>W g8<16,16,1>W g9<16,16,1>W { align1 WE_all 1H };\n"
                   "mac.sat(16) g10<1>W g8<16,16,1>W 0W { align1 WE_all 1H };\n"
                   "mov(16) acc0<1>F g2<8,8,1>F { align1 WE_all 1H };\n" EOT_TEXT);
   for (unsigned i = 0; i < 16; i++) { /* sixteen words, more than 16 bits each */
      assert_int_equal(grf_w(&m, 10)[i], 0x7fff);
      assert_int_equal((uint32_t)m.t->acc[i], grf_ud(&m, 2)[i]); /* acc0 and acc1 as floats */
   }
   for (unsigned i = 0; i < 16; i++)
      grf_f(&m, 2)[i] = (float)i / 16;
   machine_run(&m, "mov(16) acc0<1>F g2<8,8,1>F { align1 WE_all 1H };\n"
                   "mov.sat(8) g12<1>F acc0<8,8,1>F { align1 WE_all 1Q };\n"
                   "mov.sat(8) g13<1>F acc1<8,8,1>F { align1 WE_all 1Q };\n" EOT_TEXT);
   for (unsigned i = 0; i < 16; i++) /* each lane by its own number */
      assert_true(grf_f(&m, 12)[i] == (float)i / 16);
}

static void
wait_and_notify(void **state)
{
   proves("EU-033", "EU-200", "SF-169");
   (void)state;
   machine_load(&m, "wait(1) n0<1>UD { align1 WE_all 1N };\n"
                    "mov(1) n0<1>UD 9UD { align1 WE_all 1N };\n"
                    "mov(1) g2<1>UD n0<0,1,0>UD { align1 WE_all 1N };\n" EOT_TEXT);
   assert_int_equal(eu_run(m.t, 100), EU_STOP_WAIT);
   assert_int_equal(m.t->ip, 0);
   assert_int_equal(eu_run(m.t, 100), EU_STOP_WAIT);
   eu_notify(m.t, 0);
   eu_notify(m.t, 0);
   assert_int_equal(eu_run(m.t, 100), EU_STOP_EOT);
   assert_int_equal(grf_ud(&m, 2)[0], 1); /* one taken, and programs cannot write it */
   eu_notify(m.t, 1);
   eu_notify(m.t, 1);
   assert_int_equal(m.t->n0[1], 1); /* one bit */
   m.t->n0[2] = 0xffff;
   eu_notify(m.t, 2);
   assert_int_equal(m.t->n0[2], 0); /* 16 bits, all of them */
   for (uint32_t bits = 1; bits < 16; bits++) {
      m.t->n0[2] = (1u << bits) - 1;
      eu_notify(m.t, 2);
      assert_int_equal(m.t->n0[2], 1u << bits);
   }
}

static void
instruction_pointer(void **state)
{
   proves("EU-034");
   (void)state;
   machine_run(&m, "nop;\n"
                   "mov(1) g2<1>UD ip<0,1,0>UD { align1 WE_all 1N };\n"
                   "add(1) ip<1>UD ip<0,1,0>UD 35UD { align1 WE_all 1N };\n"
                   "mov(1) g2<1>UD 1UD { align1 WE_all 1N };\n"
                   "mov(1) g3<1>UD 2UD { align1 WE_all 1N };\n" EOT_TEXT);
   assert_int_equal(grf_ud(&m, 2)[0], 16);
   assert_int_equal(grf_ud(&m, 3)[0], 2);
}

static void
dependencies(void **state)
{
   proves("EU-035", "EU-199");
   (void)state;
   machine_load(
       &m,
       "mov(1) g2<1>UW tdr0.3<0,1,0>UW { align1 WE_all 1N };\n"
       "mov(1) tdr0.3<1>UW 0xffffUW { align1 WE_all 1N };\n"
       "mov(1) g3<1>UW tdr0.3<0,1,0>UW { align1 WE_all 1N };\n"
       "sendc(8) null<1>UW g127<8,8,1>UD 0x82000010 thread_spawner { align1 WE_all 1Q EOT };\n");
   m.t->tdr[3] = 0x8055;
   assert_int_equal(eu_run(m.t, 100), EU_STOP_EOT);
   assert_int_equal((uint16_t)grf_w(&m, 2)[0], 0x8055);
   assert_int_equal((uint16_t)grf_w(&m, 3)[0], 0x0055); /* only the valid bit went */
}

static void
time_runs(void **state)
{
   proves("EU-036");
   (void)state;
   machine_run(&m, "mov(1) g2<1>UD tm0<0,1,0>UD { align1 WE_all 1N };\n"
                   "nop;\nnop;\n"
                   "mov(1) tm0<1>UD 0UD { align1 WE_all 1N };\n"
                   "mov(1) g3<1>UD tm0<0,1,0>UD { align1 WE_all 1N };\n" EOT_TEXT);
   assert_int_equal(grf_ud(&m, 3)[0] - grf_ud(&m, 2)[0], 4);
}

static void
call_and_return(void **state)
{
   proves("EU-184", "EU-185");
   (void)state;
   for (unsigned i = 0; i < 8; i++)
      grf_d(&m, 2)[i] = (int)i;
   machine_run(&m, "mov(8) g4<1>D 0D { align1 1Q };\n"
                   "cmp.ge.f0.0(8) null<1>D g2<8,8,1>D 3D { align1 1Q };\n"
                   "(+f0.0) call(2) g10<1>UD JIP: L_sub { align1 1N };\n"
                   "add(8) g4<1>D g4<8,8,1>D 100D { align1 1Q };\n"
                   "call(2) g10<1>UD JIP: L_sub { align1 1N };\n" EOT_TEXT "L_sub:\n"
                   "add(8) g4<1>D g4<8,8,1>D 1D { align1 1Q };\n"
                   "ret(2) null g10<2,2,1>UD { align1 1N };\n");
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(grf_d(&m, 4)[i], i >= 3 ? 102 : 101);
   assert_int_equal(grf_ud(&m, 10)[0], 0x50);
   assert_int_equal(grf_ud(&m, 10)[1], 0); /* the caller's mask: nobody had called */
   grf_ud(&m, 10)[0] = grf_ud(&m, 10)[1] = 77;
   machine_run(&m, "mov(8) g4<1>D 0D { align1 1Q };\n"
                   "mov(1) f0<1>UW 0UW { align1 WE_all 1N };\n"
                   "(+f0.0) call(2) g10<1>UD JIP: L_sub { align1 1N };\n"
                   "add(8) g4<1>D g4<8,8,1>D 100D { align1 1Q };\n" EOT_TEXT "L_sub:\n"
                   "add(8) g4<1>D g4<8,8,1>D 1D { align1 1Q };\n"
                   "ret(2) null g10<2,2,1>UD { align1 1N };\n");
   assert_int_equal(grf_d(&m, 4)[0], 100);
   assert_int_equal(grf_ud(&m, 10)[0], 77); /* nobody calls: nothing is saved */
   assert_int_equal(grf_ud(&m, 10)[1], 77);
}

static void
endless_loop_ends_with_the_budget(void **state)
{
   proves("EU-188");
   (void)state;
   machine_load(&m, "L:\nadd(1) g2<1>UD g2<0,1,0>UD 1UD { align1 WE_all 1N };\njmpi(1) JIP: L { "
                    "align1 WE_all 1N };\n");
   grf_ud(&m, 2)[0] = 0;
   assert_int_equal(eu_run(m.t, 1001), EU_STOP_BUDGET);
   assert_int_equal(m.t->instructions, 1001);
   assert_int_equal(grf_ud(&m, 2)[0], 501);
   assert_int_equal(eu_run(m.t, 1), EU_STOP_BUDGET); /* goes on where it was */
   assert_int_equal(grf_ud(&m, 2)[0], 501);
   assert_int_equal(eu_run(m.t, 1), EU_STOP_BUDGET);
   assert_int_equal(grf_ud(&m, 2)[0], 502);
}

static uint32_t enables[4];
static unsigned messages;

static void
see_message(void *data, const struct pergola_event *e)
{
   (void)data;
   assert_int_equal(e->kind, PERGOLA_EVENT_MESSAGE);
   if (messages < 4)
      enables[messages] = (uint32_t)e->a;
   messages++;
}

/* EU-190: 8 bytes of shared local memory show which channels a message took. EU-189: a0.0 holds a
 * descriptor. */
static void
channel_enables(void **state)
{
   proves("EU-190", "EU-189");
   (void)state;
   uint8_t *surface = m.memory + m.env.surface_state_base;
   struct hw_render_surface_state s = {
       .surface_type = 4, .surface_format = 0x1ff, .surface_base_address = 0x400000, .width = 63};
   struct hw_binding_table_state entry = {.surface_state_pointer = 0x100};
   gen7_render_surface_state_pack((uint32_t *)(void *)(surface + 0x100), &s);
   gen7_binding_table_state_pack((uint32_t *)(void *)surface, &entry);
   pergola_add_observer(m.dev, 1u << PERGOLA_EVENT_MESSAGE, see_message, NULL);
   for (unsigned i = 0; i < 8; i++) {
      grf_ud(&m, 2)[i] = i * 4;
      grf_ud(&m, 3)[i] = 0x100 + i;
   }
   machine_load(&m, "mov(1) f0<1>UW 0x3cUW { align1 WE_all 1N };\n"
                    "(+f0.0) send(8) null<1>UW g2<8,8,1>UD 0x04036e00 data { align1 1Q };\n"
                    "mov(1) f0<1>UW 0UW { align1 WE_all 1N };\n"
                    "mov(1) a0<1>UD 0x04036e00UD { align1 WE_all 1N };\n"
                    "add(8) g2<1>UD g2<8,8,1>UD 32UD { align1 WE_all 1Q };\n"
                    "(+f0.0) send(8) null<1>UW g2<8,8,1>UD a0<0,1,0>UD 0x00000200 data { align1 1Q "
                    "};\n" EOT_TEXT);
   m.t->dispatch_mask = 0x1f;
   assert_int_equal(eu_run(m.t, 100), EU_STOP_EOT);
   const uint32_t *out = (const uint32_t *)(const void *)(m.memory + 0x400000);
   for (unsigned i = 0; i < 8; i++) {
      assert_int_equal(out[i], (0x1c >> i & 1) ? 0x100 + i : 0);
      assert_int_equal(out[8 + i], 0);
   }
   assert_int_equal(messages, 3); /* a message without channels is sent all the same */
   assert_int_equal(enables[1], 0x04036e00);
   /* In Align16 the destination's mask counts too: here x and y. */
   machine_load(&m, "send(8) null<1>UW g2<8,8,1>UD 0x04036e00 data { align1 1Q };\n" EOT_TEXT);
   uint32_t *code = (uint32_t *)(void *)(m.memory + m.env.instruction_base);
   code[0] |= 1u << 8;
   code[1] |= 3u << 16;
   for (unsigned i = 0; i < 8; i++)
      grf_ud(&m, 2)[i] = i * 4;
   memset(m.memory + 0x400000, 0, 64);
   assert_int_equal(eu_run(m.t, 100), EU_STOP_EOT);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(out[i], i % 4 < 2 ? 0x100 + i : 0);
}

/* EU-193: whatever the mask. */
static void
end_with_no_channels(void **state)
{
   proves("EU-193");
   (void)state;
   machine_load(&m,
                "send(8) null<1>UW g127<8,8,1>UD 0x82000010 thread_spawner { align1 1Q EOT };\n");
   m.t->dispatch_mask = 0;
   assert_int_equal(eu_run(m.t, 10), EU_STOP_EOT);
}

/* The system routine at 0x1000 counts in g20, clears the status and returns. */
static void
load_with_routine(const char *text, const char *routine)
{
   struct eu_program p;
   struct eu_asm_error e;
   machine_load(&m, text);
   assert_true(eu_asm_text(routine, strlen(routine), m.dev->hw_device, &p, &e));
   memcpy(m.memory + m.env.instruction_base + 0x1000, p.bytes, p.size);
   eu_program_free(&p);
   m.env.sip = 0x1000;
   memset(eu_grf(m.t, 20), 0, 32);
}

/* EU-202, EU-203, EU-031, EU-032: the routine steps over the illegal instruction. */
static void
illegal_opcode_enters_the_routine(void **state)
{
   proves("EU-202", "EU-203", "EU-031", "EU-032");
   (void)state;
   load_with_routine("nop;\nmov(1) g21<1>UD 5UD { align1 WE_all 1N };\n" EOT_TEXT,
                     "add(1) g20<1>UD g20<0,1,0>UD 1UD { align1 WE_all 1N };\n"
                     "mov(1) g22<1>UD cr0.2<0,1,0>UD { align1 WE_all 1N };\n"
                     "mov(1) g22.1<1>UD cr0<0,1,0>UD { align1 WE_all 1N };\n"
                     "mov(1) g22.2<1>UD cr0.1<0,1,0>UD { align1 WE_all 1N };\n"
                     "add(1) cr0.2<1>UD cr0.2<0,1,0>UD 16UD { align1 WE_all 1N switch };\n"
                     "mov(1) cr0.1<1>UD 0x1000UD { align1 WE_all 1N switch };\n"
                     "mov(1) cr0<1>UD 0UD { align1 WE_all 1N switch };\n");
   uint32_t *code = (uint32_t *)(void *)(m.memory + m.env.instruction_base);
   code[0] = 0; /* illegal */
   m.t->cr0[1] = 1u << 12;
   assert_int_equal(eu_run(m.t, 100), EU_STOP_EOT);
   assert_int_equal(grf_ud(&m, 20)[0], 1);
   assert_int_equal(grf_ud(&m, 21)[0], 5);
   assert_int_equal(grf_ud(&m, 22)[0], 0);           /* AIP: the instruction itself */
   assert_int_equal(grf_ud(&m, 22)[1] >> 31, 1);     /* in the routine */
   assert_int_equal(grf_ud(&m, 22)[2] >> 28 & 1, 1); /* status */
   /* Without the enable the thread ends, named, with the status set. */
   load_with_routine("nop;\n" EOT_TEXT, "nop;\n");
   code[0] = 0;
   machine_clear(&m);
   assert_int_equal(eu_run(m.t, 100), EU_STOP_FAULT);
   assert_string_equal(m.last_rule, "EU-203");
   assert_int_equal(m.t->cr0[1] >> 28 & 1, 1);
}

static void
breakpoints(void **state)
{
   proves("EU-204");
   (void)state;
   load_with_routine("mov(1) g21<1>UD 1UD { align1 WE_all 1N };\n"
                     "mov(1) g21<1>UD 2UD { align1 WE_all 1N breakpoint };\n" EOT_TEXT,
                     "add(1) g20<1>UD g20<0,1,0>UD 1UD { align1 WE_all 1N };\n"
                     "mov(1) g22<1>UD g21<0,1,0>UD { align1 WE_all 1N };\n"
                     "mov(1) cr0.1<1>UD 0x8000UD { align1 WE_all 1N switch };\n"
                     "mov(1) cr0<1>UD 0x8000UD { align1 WE_all 1N switch };\n");
   m.t->cr0[1] = 1u << 15;
   assert_int_equal(eu_run(m.t, 100), EU_STOP_EOT);
   assert_int_equal(grf_ud(&m, 20)[0], 1); /* once: the suppress bit let it through */
   assert_int_equal(grf_ud(&m, 22)[0], 1); /* before the instruction */
   assert_int_equal(grf_ud(&m, 21)[0], 2);
   assert_int_equal(m.t->cr0[0] & 0x8000, 0); /* and was cleared */
   /* Off: the instruction just runs, the status is set. */
   load_with_routine("mov(1) g21<1>UD 3UD { align1 WE_all 1N breakpoint };\n" EOT_TEXT, "nop;\n");
   assert_int_equal(eu_run(m.t, 100), EU_STOP_EOT);
   assert_int_equal(grf_ud(&m, 21)[0], 3);
   assert_int_equal(grf_ud(&m, 20)[0], 0);
   assert_int_equal(m.t->cr0[1] >> 31, 1);
}

static void
software_exception(void **state)
{
   proves("EU-205");
   (void)state;
   load_with_routine("mov(1) cr0.1<1>UD 0x20002000UD { align1 WE_all 1N switch };\n"
                     "mov(1) g21<1>UD 4UD { align1 WE_all 1N };\n" EOT_TEXT,
                     "add(1) g20<1>UD g20<0,1,0>UD 1UD { align1 WE_all 1N };\n"
                     "mov(1) g22<1>UD cr0.2<0,1,0>UD { align1 WE_all 1N };\n"
                     "mov(1) cr0.1<1>UD 0UD { align1 WE_all 1N switch };\n"
                     "mov(1) cr0<1>UD 0UD { align1 WE_all 1N switch };\n");
   grf_ud(&m, 21)[0] = 0;
   assert_int_equal(eu_run(m.t, 100), EU_STOP_EOT);
   assert_int_equal(grf_ud(&m, 20)[0], 1);
   assert_int_equal(grf_ud(&m, 22)[0], 16); /* AIP: the next instruction */
   assert_int_equal(grf_ud(&m, 21)[0], 4);
   m.env.sip = 0;
}

/* A kernel is decoded again when its bytes have changed and the cache was invalidated, not before.
 */
static void
instruction_cache(void **state)
{
   (void)state;
   machine_run(&m, "mov(1) g2<1>UD 1UD { align1 WE_all 1N };\n" EOT_TEXT);
   uint32_t *imm = (uint32_t *)(void *)(m.memory + m.env.instruction_base + 12);
   *imm = 2;
   eu_thread_init(m.t, &m.env, 0, 0xff);
   assert_int_equal(eu_run(m.t, 10), EU_STOP_EOT);
   assert_int_equal(grf_ud(&m, 2)[0], 1);
   eu_invalidate_instructions(m.dev->eu);
   eu_thread_init(m.t, &m.env, 0, 0xff);
   assert_int_equal(eu_run(m.t, 10), EU_STOP_EOT);
   assert_int_equal(grf_ud(&m, 2)[0], 2);
}

/* EU-187: where no instruction can be fetched. */
static void
jump_to_nowhere(void **state)
{
   proves("EU-187");
   (void)state;
   machine_clear(&m);
   machine_load(&m, "mov(1) ip<1>UD 0x7ff00000UD { align1 WE_all 1N };\n" EOT_TEXT);
   assert_int_equal(eu_run(m.t, 10), EU_STOP_FAULT);
   assert_string_equal(m.last_rule, "EU-187");
}

/* EU-187: a jump that nobody takes, to where there is no memory. */
static void
jump_behind_memory(void **state)
{
   proves("EU-187");
   (void)state;
   machine_clear(&m);
   machine_load(&m, "(+f0.0) jmpi(1) 2000D { align1 WE_all 1N };\n" EOT_TEXT);
   m.env.instruction_end = m.env.instruction_base + 4096;
   enum eu_stop stop = eu_run(m.t, 10);
   m.env.instruction_end = 0;
   assert_int_equal(stop, EU_STOP_EOT);
   assert_string_equal(m.last_rule, "EU-187");
}

/* Puts what was loaded last elsewhere in the kernel. */
static void
place(uint32_t at, const char *text, unsigned instructions)
{
   machine_load(&m, text);
   uint8_t *base = m.memory + m.env.instruction_base;
   memmove(base + at, base, instructions * 16);
}

/* What has been decoded from there on, since instructions were last invalidated. */
static const struct eu_kernel *
decoded_from(const struct eu *eu, uint32_t start)
{
   for (unsigned i = 0; i < EU_HASH; i++)
      for (const struct eu_kernel *k = eu->table[i]; k; k = k->next)
         if (k->start == start && k->generation == eu->generation)
            return k;
   return NULL;
}

/* EU-187: a kernel of any length is one kernel; a jump over more of it than is decoded at once is
 * no jump to nowhere. At each border one goes over it, one back, and one over it again; back is
 * where it has been decoded already. A piece of it is native code as a whole. */
static void
long_kernel(void **state)
{
   proves("EU-187", "MEDIA-017");
   (void)state;
   enum { STEP = 1 << 18, SIZE = 5 * STEP, HOP = 4096 };
   uint8_t *base = m.memory + m.env.instruction_base;
   memset(base, 0, SIZE + 16);
   for (uint32_t at = STEP; at < SIZE; at += STEP) {
      place(at - 32,
            "jmpi(1) 514D { align1 WE_all 1N };\n"
            "add(1) g3<1>UD g3<0,1,0>UD 1UD { align1 WE_all 1N };\n"
            "jmpi(1) 514D { align1 WE_all 1N };\n",
            3);
      place(at + HOP,
            "add(1) g2<1>UD g2<0,1,0>UD 1UD { align1 WE_all 1N };\n"
            "jmpi(1) -518D { align1 WE_all 1N };\n",
            2);
   }
   place(SIZE, EOT_TEXT, 1);
   memset(base, 0, 0x10000);
   for (uint32_t at = 0; at < SIZE; at += 16)
      if (!base[at])
         base[at] = EU_OP_NOP;
   machine_clear(&m);
   memset(grf_ud(&m, 2), 0, 64);
   eu_invalidate_instructions(m.dev->eu);
   eu_thread_init(m.t, &m.env, 0, 0xff);
   eu_thread_mark(m.t, 0, 128);
   assert_int_equal(eu_run(m.t, SIZE), EU_STOP_EOT);
   assert_int_equal(grf_ud(&m, 2)[0], 4);
   assert_int_equal(grf_ud(&m, 3)[0], 4);
   assert_non_null(decoded_from(m.dev->eu, 4 * STEP + HOP));
   assert_null(decoded_from(m.dev->eu, 4 * STEP - 16));
   if (m.dev->eu->native_after == 1)
      assert_non_null(decoded_from(m.dev->eu, 0)->native);
   assert_int_equal(m.diagnostics, 1); /* nobody has spawned the thread that ends */
   assert_string_equal(m.last_rule, "MEDIA-017");
   memset(base, 0, SIZE + 16);
}

/* Any bytes as a kernel: it ends, waits, faults by name, or uses up its budget. */
static void
random_bytes(void **state)
{
   (void)state;
   uint64_t seed = 0x243f6a8885a308d3;
   unsigned ended[8] = {0};
   for (unsigned n = 0; n < 600; n++) {
      machine_load(&m, "nop;\n");
      uint32_t *code = (uint32_t *)(void *)(m.memory + m.env.instruction_base);
      for (unsigned i = 0; i < 256; i++) {
         seed = seed * 6364136223846793005u + 1442695040888963407u;
         code[i] = (uint32_t)(seed >> 32);
         if (i % 4 == 0 && n % 2) /* half of them with opcodes that exist */
            code[i] = (code[i] & ~0xffu) |
                      (uint32_t[]){0x01, 0x40, 0x41, 0x5b, 0x10, 0x22, 0x27, 0x20}[seed >> 61];
      }
      enum eu_stop s = eu_run(m.t, 500);
      assert_in_range(s, EU_STOP_EOT, EU_STOP_FAULT);
      ended[s]++;
   }
   assert_true(ended[EU_STOP_FAULT] > 0);
}

/* A megabyte of legal instructions, and a thread that is somewhere else after each: what is decoded
 * goes by what is executed. */
static void
many_places(void **state)
{
   (void)state;
   enum { START = 2 << 20, SIZE = 4 << 20, PLACES = 200, FAR = -48 };
   static const char text[] = "jmpi(1) g10<0,1,0>D { align1 WE_all 1N };\n";
   struct eu_program p;
   struct eu_asm_error error;
   assert_true(eu_asm_text(text, strlen(text), m.dev->hw_device, &p, &error));
   machine_load(&m, EOT_TEXT);
   uint8_t *code = m.memory + m.env.instruction_base;
   for (uint32_t at = 0; at < SIZE; at += 16)
      memcpy(code + at, p.bytes, 16);
   eu_program_free(&p);
   eu_invalidate_instructions(m.dev->eu);
   eu_thread_init(m.t, &m.env, START, 0xff);
   eu_thread_mark(m.t, 0, 128);
   grf_d(&m, 10)[0] = FAR / 8;
   assert_int_equal(eu_run(m.t, 1), EU_STOP_BUDGET); /* all of what it starts with is decoded */
   uint64_t before = m.dev->eu->bytes;
   assert_int_equal(eu_run(m.t, PLACES), EU_STOP_BUDGET);
   assert_int_equal(m.t->ip, START + (PLACES + 1) * (FAR + 16));
   assert_in_range((m.dev->eu->bytes - before) / PLACES, 1, 256 << 10);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(state_at_the_start),
       cmocka_unit_test(state_register),
       cmocka_unit_test(bits_of_architecture_registers),
       cmocka_unit_test(control_register_fields),
       cmocka_unit_test(accumulator_ends),
       cmocka_unit_test(accumulator_widths),
       cmocka_unit_test(wait_and_notify),
       cmocka_unit_test(instruction_pointer),
       cmocka_unit_test(dependencies),
       cmocka_unit_test(time_runs),
       cmocka_unit_test(call_and_return),
       cmocka_unit_test(endless_loop_ends_with_the_budget),
       cmocka_unit_test(channel_enables),
       cmocka_unit_test(end_with_no_channels),
       cmocka_unit_test(illegal_opcode_enters_the_routine),
       cmocka_unit_test(breakpoints),
       cmocka_unit_test(software_exception),
       cmocka_unit_test(instruction_cache),
       cmocka_unit_test(jump_to_nowhere),
       cmocka_unit_test(jump_behind_memory),
       cmocka_unit_test(long_kernel),
       cmocka_unit_test(many_places),
       cmocka_unit_test(random_bytes),
   };
   return cmocka_run_group_tests_name("eu_state", tests, setup, teardown);
}
