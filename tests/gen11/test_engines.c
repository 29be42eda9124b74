/* Submission: lists, contexts, status buffer, commands, tables. spec/facts/gen11-submission.md */
#include "machine.h"
#include "tests/proves.h"

/* Requests on all five engines end, are told in the status page and by interrupts. */
static void
requests_complete(void **state)
{
   proves("SYS-002", "SYS-021", "SYS-037");
   (void)state;
   struct machine m = new_machine();
   static const uint8_t dw[] = {0, 0, 1, 1, 1}, bit[] = {0, 15, 0, 2, 31};
   for (unsigned e = 0; e < GEN11_ENGINES; e++) {
      uint32_t status[12];
      unsigned read = 11;
      EMIT(&m, e, SDI(DATA_AT(16 * e), 0x100 + e), 0x01000000);
      if (e == GEN11_RCS0) /* PIPE_CONTROL: write, notify */
         EMIT(&m, e, 0x7a000004, 1u << 24 | 1u << 20 | 1u << 14 | 1u << 8, DATA_AT(8), 0, 0xabcd,
              0);
      else /* MI_FLUSH_DW: the same */
         EMIT(&m, e, 0x13000003 | 1u << 14 | 1u << 8, DATA_AT(16 * e + 8) | 4, 0, 0xabcd, 0);
      submit(&m, e, context(&m, e), 0);
      assert_int_equal(pergola_run(m.dev, 0), PERGOLA_RUN_IDLE);
      assert_int_equal(*at(&m, DATA + 16 * e), 0x100 + e);
      assert_int_equal(*at(&m, DATA + 16 * e + 8), 0xabcd);
      assert_int_equal(events(&m, e, &read, status), 2);
      assert_int_equal(status[0], 0x01);
      assert_int_equal(status[1], 0x18);
      assert_int_equal(rd(m.dev, 0x190018 + 4 * dw[e]), 1u << bit[e]);
      wr(m.dev, 0x190070 + 4 * dw[e], 1u << bit[e]);
      assert_int_equal(rd(m.dev, 0x190060 + 4 * dw[e]) & 0xffff, 0x0111); /* user, notify, switch */
      wr(m.dev, 0x190060 + 4 * dw[e], 0x80000000);
      wr(m.dev, 0x190018 + 4 * dw[e], ~0u);
      /* The image holds where the ring has come to. */
      assert_int_equal(*at(&m, IMAGES + 0x4000 * e + 0x1000 + 4 * 5), m.tail[e]);
      assert_int_equal(*at(&m, IMAGES + 0x4000 * e + 0x1000 + 4 * 3) & 1, 0);
   }
   /* The engine's own mask holds events back. */
   wr(m.dev, 0x20a8, ~0u);
   EMIT(&m, 0, 0x01000000);
   submit(&m, GEN11_RCS0, context(&m, 0), 0);
   pergola_run(m.dev, 0);
   assert_int_equal(rd(m.dev, 0x190018), 0);
   assert_int_equal(pergola_diagnostic_count(m.dev, PERGOLA_NOTE), 0);
   end_machine(&m);
}

/* Two contexts a list, a list behind a list, a tail that moves on, more rounds than the buffer. */
static void
lists_and_preemption(void **state)
{
   proves("SYS-021");
   (void)state;
   struct machine m = new_machine();
   uint64_t a = context(&m, 0), b = context(&m, 1);
   uint32_t status[12];
   unsigned read = 11;
   EMIT(&m, 0, SDI(DATA_AT(0), 1));
   EMIT(&m, 1, SDI(DATA_AT(4), 2));
   submit(&m, GEN11_BCS0, a, b);
   assert_int_equal(pergola_run(m.dev, 0), PERGOLA_RUN_IDLE);
   assert_int_equal(events(&m, GEN11_BCS0, &read, status), 3);
   assert_int_equal(status[1], 0x14); /* complete, next element */
   assert_int_equal(status[2], 0x18);
   assert_int_equal(*at(&m, DATA), 1);
   assert_int_equal(*at(&m, DATA + 4), 2);
   /* A waits at a semaphore; the same context again with more behind it: its tail moves. */
   EMIT(&m, 0, 0x0e40c002, 7, DATA_AT(8), 0); /* memory == 7, polled */
   submit(&m, GEN11_BCS0, a, 0);
   assert_int_equal(pergola_run(m.dev, 0), PERGOLA_RUN_WAITING);
   assert_int_equal(rd(m.dev, 0x22238), (uint32_t)(a >> 32));
   assert_int_equal(rd(m.dev, 0x190018), 0x8000);
   wr(m.dev, 0x190070, 0x8000);
   assert_int_equal(rd(m.dev, 0x190060) & 0x0800, 0x0800); /* waits on a semaphore */
   wr(m.dev, 0x190060, 0x80000000);
   wr(m.dev, 0x190018, 0x8000);
   EMIT(&m, 0, SDI(DATA_AT(0), 3));
   submit(&m, GEN11_BCS0, a, 0);
   assert_int_equal(pergola_run(m.dev, 0), PERGOLA_RUN_WAITING);
   assert_int_equal(events(&m, GEN11_BCS0, &read, status), 2);
   assert_int_equal(status[1], 0x8002);
   /* B preempts it there and ends; A goes on when it is submitted again. */
   EMIT(&m, 1, SDI(DATA_AT(4), 4));
   submit(&m, GEN11_BCS0, b, 0);
   assert_int_equal(pergola_run(m.dev, 0), PERGOLA_RUN_IDLE);
   assert_int_equal(events(&m, GEN11_BCS0, &read, status), 2);
   assert_int_equal(status[0], 0x0002);
   assert_int_equal(status[1], 0x18);
   assert_int_equal(*at(&m, DATA + 4), 4);
   assert_int_equal(*at(&m, DATA), 1);
   *at(&m, DATA + 8) = 7;
   submit(&m, GEN11_BCS0, a, 0);
   assert_int_equal(pergola_run(m.dev, 0), PERGOLA_RUN_IDLE);
   assert_int_equal(*at(&m, DATA), 3);
   /* A tail that software writes while the context runs is there when it has ended. */
   *at(&m, DATA + 8) = 0;
   EMIT(&m, 0, 0x0e40c002, 7, DATA_AT(8), 0);
   submit(&m, GEN11_BCS0, a, 0);
   assert_int_equal(pergola_run(m.dev, 0), PERGOLA_RUN_WAITING);
   EMIT(&m, 0, SDI(DATA_AT(0), 5));
   *at(&m, DATA + 8) = 7;
   assert_int_equal(pergola_run(m.dev, 0), PERGOLA_RUN_IDLE);
   assert_int_equal(*at(&m, DATA), 3);
   submit(&m, GEN11_BCS0, a, 0);
   assert_int_equal(pergola_run(m.dev, 0), PERGOLA_RUN_IDLE);
   assert_int_equal(*at(&m, DATA), 5);
   events(&m, GEN11_BCS0, &read, status);
   for (unsigned i = 0; i < 2000; i++) { /* the ring and the buffer go round */
      EMIT(&m, 0, SDI(DATA_AT(0), i), 0x01000000);
      submit(&m, GEN11_BCS0, a, 0);
      assert_int_equal(pergola_run(m.dev, 0), PERGOLA_RUN_IDLE);
      assert_int_equal(*at(&m, DATA), i);
      assert_int_equal(events(&m, GEN11_BCS0, &read, status), 2);
   }
   assert_int_equal(pergola_diagnostic_count(m.dev, PERGOLA_NOTE), 0);
   end_machine(&m);
}

/* Without the inhibition a context leaves at a semaphore; resubmitted, it goes on there. */
static void
switch_at_a_semaphore(void **state)
{
   (void)state;
   struct machine m = new_machine();
   uint64_t a = context(&m, 0), b = context(&m, 1);
   uint32_t status[12];
   unsigned read = 11;
   for (unsigned c = 0; c < 2; c++)
      at(&m, IMAGES + 0x4000 * c + 0x1000)[3] = 0x00090001;
   EMIT(&m, 0, SDI(DATA_AT(0), 1), 0x0e40c002, 7, DATA_AT(8), 0, SDI(DATA_AT(0), 2));
   EMIT(&m, 1, SDI(DATA_AT(4), 3));
   submit(&m, GEN11_VCS0, a, b);
   assert_int_equal(pergola_run(m.dev, 0), PERGOLA_RUN_IDLE);
   assert_int_equal(events(&m, GEN11_VCS0, &read, status), 3);
   assert_int_equal(status[0], 0x0001);
   assert_int_equal(status[1], 0x0884); /* waits, polls; the next element */
   assert_int_equal(status[2], 0x0018);
   assert_int_equal(*at(&m, DATA), 1);
   assert_int_equal(*at(&m, DATA + 4), 3);
   submit(&m, GEN11_VCS0, a, 0); /* still not: it leaves again, and the engine has nothing more */
   assert_int_equal(pergola_run(m.dev, 0), PERGOLA_RUN_IDLE);
   assert_int_equal(events(&m, GEN11_VCS0, &read, status), 2);
   assert_int_equal(status[1], 0x0888);
   *at(&m, DATA + 8) = 7;
   submit(&m, GEN11_VCS0, a, 0);
   assert_int_equal(pergola_run(m.dev, 0), PERGOLA_RUN_IDLE);
   assert_int_equal(events(&m, GEN11_VCS0, &read, status), 2);
   assert_int_equal(status[1], 0x0018);
   assert_int_equal(*at(&m, DATA), 2);
   assert_int_equal(pergola_diagnostic_count(m.dev, PERGOLA_NOTE), 0);
   end_machine(&m);
}

/* Commands that are none, and pages that are none: events, as the masks let them. */
static void
errors_interrupt(void **state)
{
   proves("SYS-021");
   (void)state;
   for (unsigned masked = 0; masked < 2; masked++) {
      struct machine m = new_machine();
      wr(m.dev, 0x220b4, masked ? ~0u : ~1u);
      EMIT(&m, 0, 0x3f000000 & 0x1fffffff, 0x11000000, 0); /* no such opcode; too short */
      submit(&m, GEN11_BCS0, context(&m, 0), 0);
      pergola_run(m.dev, 0);
      assert_int_equal(rd(m.dev, 0x220b0), !masked);
      wr(m.dev, 0x190070, 0x8000);
      rd(m.dev, 0x190018);
      wr(m.dev, 0x190070, 0x8000);
      assert_int_equal(rd(m.dev, 0x190060) & 0x0088, masked ? 0 : 0x0008);
      wr(m.dev, 0x190060, 0x80000000);
      wr(m.dev, 0x190018, 0x8000);
      wr(m.dev, 0x220b0, 1); /* cleared by a one */
      assert_int_equal(rd(m.dev, 0x220b0), 0);
      EMIT(&m, 0, SDI(0xf0000000, 1));
      submit(&m, GEN11_BCS0, context(&m, 0), 0);
      pergola_run(m.dev, 0);
      rd(m.dev, 0x190018);
      wr(m.dev, 0x190070, 0x8000);
      assert_int_equal(rd(m.dev, 0x190060) & 0x0088, 0x0080);
      end_machine(&m);
   }
}

static void
batches_and_pages(void **state)
{
   (void)state;
   struct machine m = new_machine();
   uint64_t a = context(&m, 0);
   /* In the process's space: 4 KiB, 64 KiB and 2 MiB pages; a second level; a general register. */
   const uint32_t batch[] = {
       0x10000002, USER + 0x10,     0,           1, /* 4 KiB page */
       0x10000002, USER + 0x213010, 0,           2, /* 64 KiB page, its fourth 4 KiB */
       0x10000002, USER + 0x400010, 0,           3, /* 2 MiB page */
       0x11000001, 0x2600,          5,              /* GPR 0 */
       0x12000002, 0x2600,          USER + 0x20, 0, /* stored */
       0x18c00101, USER + 0x90000,  0,              /* second level, comes back */
       0x10000002, USER + 0x30,     0,           4, 0x05000000};
   memcpy(at(&m, BATCH), batch, sizeof(batch));
   const uint32_t second[] = {0x10000002, USER + 0x28, 0, 6, 0x05000000};
   memcpy(at(&m, DATA + 0x90000), second, sizeof(second));
   EMIT(&m, 0, 0x18800101, USER + (BATCH - DATA), 0, SDI(DATA_AT(0x38), 9));
   submit(&m, GEN11_RCS0, a, 0);
   assert_int_equal(pergola_run(m.dev, 0), PERGOLA_RUN_IDLE);
   assert_int_equal(*at(&m, DATA + 0x10), 1);
   assert_int_equal(*at(&m, DATA + 0x3010), 2);
   assert_int_equal(*at(&m, 0x200010), 3);
   assert_int_equal(*at(&m, DATA + 0x20), 5);
   assert_int_equal(*at(&m, DATA + 0x28), 6);
   assert_int_equal(*at(&m, DATA + 0x30), 4);
   assert_int_equal(*at(&m, DATA + 0x38), 9);
   assert_int_equal(pergola_diagnostic_count(m.dev, PERGOLA_NOTE), 0);
   end_machine(&m);
}

/* What a process may not do, and what is not there. */
static void
hostile_batches(void **state)
{
   (void)state;
   struct machine m = new_machine();
   struct seen_rules seen = {0};
   pergola_add_diagnostic_sink(m.dev, note_rule, &seen);
   const uint32_t batch[] = {0x10400002, DATA_AT(0),
                             0,          1, /* the global GTT */
                             0x11000001, 0x4080,
                             1, /* a register of the kernel's */
                             0x10000002, USER + 0x7000,
                             0,          2, /* a page that may not be written */
                             0x10000002, 0x7f000000,
                             0,          3, /* none at all */
                             0x7b000005, 0,
                             0,          0,
                             0,          0,
                             0,             /* 3DPRIMITIVE: no such unit */
                             0x11000000, 0, /* too short */
                             0x10000002, USER + 0x10,
                             0,          4,
                             0x05000000};
   memcpy(at(&m, BATCH), batch, sizeof(batch));
   EMIT(&m, 0, 0x18800101, USER + (BATCH - DATA), 0);
   submit(&m, GEN11_RCS0, context(&m, 0), 0);
   assert_int_equal(pergola_run(m.dev, 0), PERGOLA_RUN_IDLE);
   assert_int_equal(*at(&m, DATA), 0);
   assert_int_equal(*at(&m, DATA + 0x7000), 0);
   assert_int_equal(rd(m.dev, 0x4080), 0);
   assert_int_equal(*at(&m, DATA + 0x10), 4); /* it has gone on */
   assert_int_equal(reported(&seen, "GEN11-21"), 1);
   assert_int_equal(reported(&seen, "GEN11-22"), 1);
   assert_int_equal(reported(&seen, "GEN11-30"), 2);
   assert_int_equal(reported(&seen, "GEN11-20"), 1);
   assert_int_equal(reported(&seen, "GEN11-25"), 1);
   assert_int_equal(rd(m.dev, 0x4094) & 1, 1); /* the fault is latched */
   /* A batch that never ends: only the budget ends the run; a reset ends the batch. */
   const uint32_t loop[] = {0x18800101, USER + (BATCH - DATA), 0};
   memcpy(at(&m, BATCH), loop, sizeof(loop));
   EMIT(&m, 0, 0x18800101, USER + (BATCH - DATA), 0);
   submit(&m, GEN11_RCS0, context(&m, 0), 0);
   assert_int_equal(pergola_run(m.dev, 10000), PERGOLA_RUN_BUDGET);
   wr(m.dev, 0x209c, 0x01000100); /* stop, as a driver does before a reset */
   assert_int_equal(rd(m.dev, 0x209c) >> 9 & 1, 1);
   wr(m.dev, 0x941c, 2);
   assert_int_equal(pergola_run(m.dev, 10000), PERGOLA_RUN_IDLE);
   end_machine(&m);
}

static void
note_message(void *data, const struct pergola_diagnostic *d)
{
   if (!strcmp(d->rule, "GEN11-30"))
      snprintf(data, 80, "%s", d->message);
}

/* Memory that the embedder has and does not share, reached through a process's tables. */
static void
absent_memory_is_named(void **state)
{
   (void)state;
   struct machine m = new_machine();
   char said[80] = "";
   pergola_add_diagnostic_sink(m.dev, note_message, said);
   assert_int_equal(pergola_memory_add(m.dev, 0xc0000, NULL, 0x2000, PERGOLA_MEMORY_ABSENT), 0);
   put64(&m, TABLES + 0x3000 + 8 * 9, 0xc1003);
   put64(&m, TABLES + 0x3000 + 8 * 10, 0xc2003);
   const char *const want[] = {"write of memory that the host does not share",
                               "write where no page is"};
   for (unsigned i = 0; i < 2; i++) {
      const uint32_t batch[] = {0x10000002, USER + 0x9000 + 0x1000 * i, 0, 1, 0x05000000};
      memcpy(at(&m, BATCH), batch, sizeof(batch));
      EMIT(&m, 0, 0x18800101, USER + (BATCH - DATA), 0);
      submit(&m, GEN11_RCS0, context(&m, 0), 0);
      assert_int_equal(pergola_run(m.dev, 0), PERGOLA_RUN_IDLE);
      assert_string_equal(said, want[i]);
   }
   end_machine(&m);
}

/* SYS-211: a streamer's reads are steered as the bus's are. SYS-074: and reach the alias. */
static void
register_to_memory(void **state)
{
   proves("SYS-074", "SYS-211", "SYS-178", "SYS-179", "SYS-180", "SYS-181", "SYS-182");
   (void)state;
   struct machine m = new_machine();
   gen11_set_slices(m.dev->gen11, 2, 2);
   wr(m.dev, 0x7020, 0x1234);
   EMIT(&m, 0, 0x12400002, 0x145998, DATA_AT(0), 0, 0x12400002, 0x7020, DATA_AT(4), 0);
   *at(&m, DATA + 4) = 99;
   submit(&m, GEN11_RCS0, context(&m, 0), 0);
   pergola_run(m.dev, 0);
   assert_int_equal(*at(&m, DATA), 0x060616);
   assert_int_equal(*at(&m, DATA + 4), 0);
   wr(m.dev, 0xfdc, 0x88000000);
   EMIT(&m, 0, 0x12400002, 0x7020, DATA_AT(4), 0);
   submit(&m, GEN11_RCS0, context(&m, 0), 0);
   pergola_run(m.dev, 0);
   assert_int_equal(*at(&m, DATA + 4), 0x1234);
   /* Force wake by source: what an engine stores of GT, render and media registers. */
   wr(m.dev, 0x4080, 0x11);
   wr(m.dev, 0x20a0, 0x22);
   wr(m.dev, 0x1c0054, 0x33);
   static const struct {
      enum gen11_engine engine;
      uint32_t want[3];
   } sources[] = {{GEN11_RCS0, {0x11, 0x22, 0}},
                  {GEN11_VCS0, {0x11, 0, 0x33}},
                  {GEN11_BCS0, {0x11, 0, 0}},
                  {GEN11_VECS0, {0x11, 0, 0}}};
   for (unsigned woken = 0; woken < 2; woken++)
      for (unsigned i = 0; i < 4; i++) {
         unsigned c = 1 + i;
         m.dev->gen11->cs_awake = 0;
         if (woken && i) /* MI_FORCE_WAKEUP, render */
            EMIT(&m, c, 0x0e800000, i == 1 ? 0x00020002u : 0x00010001u);
         if (woken && i != 1) /* PIPELINE_SELECT, media awake */
            EMIT(&m, c, 0x69042020);
         EMIT(&m, c, 0x12400002, 0x4080, DATA_AT(16), 0, 0x12400002, 0x20a0, DATA_AT(20), 0,
              0x12400002, 0x1c0054, DATA_AT(24), 0);
         submit(&m, sources[i].engine, context(&m, c), 0);
         gen11_set_power_gating(m.dev->gen11, true);
         pergola_run(m.dev, 0);
         gen11_set_power_gating(m.dev->gen11, false);
         assert_int_equal(*at(&m, DATA + 16), 0x11);
         assert_int_equal(*at(&m, DATA + 20), woken ? 0x22 : sources[i].want[1]);
         assert_int_equal(*at(&m, DATA + 24), woken ? 0x33 : sources[i].want[2]);
      }
   /* Without its mask bit the bit is not looked at. */
   m.dev->gen11->cs_awake = 0;
   EMIT(&m, 0, 0x69040020);
   EMIT(&m, 0, 0x12400002, 0x1c0054, DATA_AT(24), 0);
   submit(&m, GEN11_RCS0, context(&m, 0), 0);
   gen11_set_power_gating(m.dev->gen11, true);
   pergola_run(m.dev, 0);
   gen11_set_power_gating(m.dev->gen11, false);
   assert_int_equal(*at(&m, DATA + 24), 0);
   /* The render streamer may not use MI_FORCE_WAKEUP. */
   m.dev->gen11->cs_awake = 0;
   EMIT(&m, 0, 0x0e800000, 0x00010001);
   submit(&m, GEN11_RCS0, context(&m, 0), 0);
   pergola_run(m.dev, 0);
   assert_int_equal(m.dev->gen11->cs_awake, 0);
   end_machine(&m);
}

/* The ALU and atomics, against the host's. */
static void
arithmetic(void **state)
{
   (void)state;
   struct machine m = new_machine();
   uint64_t seed = 5;
   static const uint16_t opcodes[5] = {0x100, 0x101, 0x102, 0x103, 0x104};
   for (unsigned i = 0; i < 200; i++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      uint64_t a = seed ^ seed >> 31, b = seed * 0x9e3779b97f4a7c15u;
      unsigned o = i % 5;
      uint64_t want[5] = {a + b, a - b, a & b, a | b, a ^ b};
      EMIT(&m, 0, 0x11000007, 0x2608, (uint32_t)a, 0x260c, (uint32_t)(a >> 32), 0x2610, (uint32_t)b,
           0x2614, (uint32_t)(b >> 32));
      EMIT(&m, 0, 0x0d000003, 0x08000000 | 0x20 << 10 | 1, 0x08000000 | 0x21 << 10 | 2,
           (uint32_t)opcodes[o] << 20, 0x18000000 | 3 << 10 | 0x31);
      EMIT(&m, 0, 0x12400002, 0x2618, DATA_AT(0), 0, 0x12400002, 0x261c, DATA_AT(4), 0);
      submit(&m, GEN11_RCS0, context(&m, 0), 0);
      pergola_run(m.dev, 0);
      assert_int_equal(*at(&m, DATA) | (uint64_t)*at(&m, DATA + 4) << 32, want[o]);
   }
   *at(&m, DATA) = 40;
   EMIT(&m, 0, 0x17c40509, DATA_AT(0), 0, 0, 0, 0, 0, 0, 0, 0, 0); /* increment */
   EMIT(&m, 0, 0x17c40709, DATA_AT(0), 0, 5, 0, 0, 0, 0, 0, 0, 0); /* add */
   submit(&m, GEN11_RCS0, context(&m, 0), 0);
   pergola_run(m.dev, 0);
   assert_int_equal(*at(&m, DATA), 46);
   /* Every operation of 32 bits, on operands of both signs. */
   for (unsigned o = 1; o < 16; o++)
      for (unsigned i = 0; i < 4; i++) {
         uint32_t old = i & 1 ? 0x80000005u : 7, a = i & 2 ? 0xfffffff0u : 9;
         int32_t so = (int32_t)old, sa = (int32_t)a;
         uint32_t want[16] = {0,
                              old & a,
                              old | a,
                              old ^ a,
                              a,
                              old + 1,
                              old - 1,
                              old + a,
                              old - a,
                              a - old,
                              (uint32_t)(so > sa ? so : sa),
                              (uint32_t)(so < sa ? so : sa),
                              old > a ? old : a,
                              old < a ? old : a,
                              old,
                              old - 1};
         *at(&m, DATA) = old;
         EMIT(&m, 0, 0x17c50009 | o << 8, DATA_AT(0), 0, a, 1, 0, 0, 0, 0, 0, 0);
         EMIT(&m, 0, 0x12400002, 0x2600, DATA_AT(8), 0);
         submit(&m, GEN11_RCS0, context(&m, 0), 0);
         pergola_run(m.dev, 0);
         assert_int_equal(*at(&m, DATA), want[o]);
         assert_int_equal(*at(&m, DATA + 8), o == 15 ? old - 1 : old);
      }
   assert_int_equal(pergola_diagnostic_count(m.dev, PERGOLA_NOTE), 0);
   end_machine(&m);
}

/* Loads of more registers than a few: the kernel configures counters by up to 126 at once. Bytes
 * that are disabled keep what they hold. */
static void
long_loads(void **state)
{
   (void)state;
   struct machine m = new_machine();
   uint32_t load[121] = {0x11000000 | (2 * 60 - 1)};
   for (uint32_t i = 0; i < 60; i++) {
      load[1 + 2 * i] = 0x2600 + 4 * (i % 32);
      load[2 + 2 * i] = 0x1000 + i;
   }
   emit(&m, 0, load, 121);
   EMIT(&m, 0, 0x11000001 | 0xc00, 0x2604, 0xabcdefff);
   submit(&m, GEN11_RCS0, context(&m, 0), 0);
   pergola_run(m.dev, 0);
   /* Relative to the engine, past the last register: it wraps. */
   EMIT(&m, 0, 0x11080001, 0x7ffffc, 1);
   EMIT(&m, 0, 0x150c0001, 0x7ffffc, 0x678);
   submit(&m, GEN11_RCS0, context(&m, 0), 0);
   pergola_run(m.dev, 0);
   assert_int_equal(rd(m.dev, 0x2600), 0x1000 + 32);
   assert_int_equal(rd(m.dev, 0x2600 + 4 * 27), 0x1000 + 59);
   assert_int_equal(rd(m.dev, 0x2600 + 4 * 28), 0x1000 + 28);
   assert_int_equal(rd(m.dev, 0x2604), 0x0000efff);
   end_machine(&m);
}

/* MI_SET_PREDICATE: commands are skipped while the result is as it says; a semaphore may wait for a
 * register. */
static void
predicates(void **state)
{
   (void)state;
   static const struct {
      uint32_t mode, result_2, result;
      bool stores;
   } cases[] = {{0, 0, 0, true}, {1, 0, 1, false}, {1, 1, 0, true}, {2, 1, 0, false},
                {2, 0, 1, true}, {3, 1, 0, false}, {3, 0, 1, true}, {4, 0, 1, false},
                {4, 1, 0, true}, {15, 1, 1, false}};
   struct machine m = new_machine();
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      *at(&m, DATA) = 0;
      EMIT(&m, 0, 0x11000003, 0x23bc, cases[i].result_2, 0x2418, cases[i].result);
      EMIT(&m, 0, 0x00800000 | cases[i].mode, SDI(DATA_AT(0), 5), 0x00800000);
      submit(&m, GEN11_RCS0, context(&m, 0), 0);
      pergola_run(m.dev, 0);
      assert_int_equal(*at(&m, DATA), cases[i].stores ? 5 : 0);
   }
   EMIT(&m, 0, 0x11000001, 0x2600, 4, 0x0e41c002, 4, 0x2600, 0,
        SDI(DATA_AT(4), 6)); /* until the register is 4 */
   submit(&m, GEN11_RCS0, context(&m, 0), 0);
   assert_int_equal(pergola_run(m.dev, 0), PERGOLA_RUN_IDLE);
   assert_int_equal(*at(&m, DATA + 4), 6);
   end_machine(&m);
}

/* GEN11-28: bits that must be zero are named, and the command is executed. */
static void
reserved_bits(void **state)
{
   (void)state;
   struct machine m = new_machine();
   struct seen_rules seen = {0};
   pergola_add_diagnostic_sink(m.dev, note_rule, &seen);
   EMIT(&m, 0, SDI(DATA_AT(0), 5));
   submit(&m, GEN11_RCS0, context(&m, 0), 0);
   pergola_run(m.dev, 0);
   assert_int_equal(seen.count, 0);
   EMIT(&m, 0, 0x10480002, DATA_AT(0), 0, 6);
   submit(&m, GEN11_RCS0, context(&m, 0), 0);
   pergola_run(m.dev, 0);
   assert_int_equal(reported(&seen, "GEN11-28"), 1);
   assert_int_equal(*at(&m, DATA), 6);
   end_machine(&m);
}

/* Saved at a semaphore, restored in another device, it ends there. */
static void
snapshot_of_a_waiting_engine(void **state)
{
   (void)state;
   struct machine m = new_machine(), n = new_machine();
   EMIT(&m, 0, 0x0e40c002, 7, DATA_AT(8), 0, SDI(DATA_AT(0), 3), 0x01000000);
   submit(&m, GEN11_VCS2, context(&m, 0), 0);
   assert_int_equal(pergola_run(m.dev, 0), PERGOLA_RUN_WAITING);
   int64_t size = pergola_device_save(m.dev, NULL, 0);
   assert_true(size > 0);
   void *bytes = malloc((size_t)size);
   assert_int_equal(pergola_device_save(m.dev, bytes, (size_t)size), size);
   memcpy(n.memory, m.memory, SIZE);
   const char *error = NULL;
   assert_int_equal(pergola_device_restore(n.dev, bytes, (size_t)size, &error), 0);
   *at(&n, DATA + 8) = 7;
   assert_int_equal(pergola_run(n.dev, 0), PERGOLA_RUN_IDLE);
   assert_int_equal(*at(&n, DATA), 3);
   assert_int_equal(rd(n.dev, 0x19001c), 4);
   ((uint8_t *)bytes)[size / 2] ^= 1;
   assert_int_not_equal(pergola_device_restore(n.dev, bytes, (size_t)size, &error), 0);
   free(bytes);
   end_machine(&m);
   end_machine(&n);
}

const struct CMUnitTest engine_tests[] = {
    cmocka_unit_test(requests_complete),
    cmocka_unit_test(lists_and_preemption),
    cmocka_unit_test(switch_at_a_semaphore),
    cmocka_unit_test(errors_interrupt),
    cmocka_unit_test(batches_and_pages),
    cmocka_unit_test(hostile_batches),
    cmocka_unit_test(absent_memory_is_named),
    cmocka_unit_test(register_to_memory),
    cmocka_unit_test(arithmetic),
    cmocka_unit_test(long_loads),
    cmocka_unit_test(predicates),
    cmocka_unit_test(reserved_bits),
    cmocka_unit_test(snapshot_of_a_waiting_engine),
};
const size_t engine_test_count = sizeof(engine_tests) / sizeof(engine_tests[0]);
