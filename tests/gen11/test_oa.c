/* The performance counters as this part connects them: bus, clock, contexts, commands, interrupt.
 * What the unit itself does is in tests/oa. */
#include "machine.h"
#include "tests/proves.h"

#define BUFFER 0x200000u /* in memory; 128 KiB, and a graphics address aligned to that */
#define BUFFER_AT (GLOBAL + BUFFER)
#define REPORT 0x190000u

enum { CONTEXT = 1u << 22, TIMER = 1u << 19, VALID = 1u << 16 };

/* The fields of the context's image that are OA's; the image is loaded whole. */
static uint64_t
oa_context(struct machine *m, unsigned c, uint32_t control)
{
   uint64_t d = context(m, c);
   uint32_t *image = at(m, IMAGES + 0x4000 * c + 0x1000);
   image[3] = 0x00090008;
   image[0x125] = control;
   return d;
}

static void
start_counters(struct machine *m)
{
   wr(m->dev, 0x2b0c, BUFFER_AT);
   wr(m->dev, 0x2b14, BUFFER_AT | 1);
   wr(m->dev, 0x2b10, BUFFER_AT);
   wr(m->dev, 0x2b00, 5 << 2 | 1);
}

static const uint32_t *
report(struct machine *m, unsigned n)
{
   return at(m, BUFFER + 256 * n);
}

/* All registers of the unit answer on the bus, in whole and in part; what they hold after reset. */
static void
registers_answer(void **state)
{
   proves("SYS-243", "SYS-418", "SYS-267", "SYS-274", "SYS-414", "SYS-415", "SYS-408");
   (void)state;
   struct pergola_device *dev = new_icl();
   static const struct {
      uint32_t first, last, bits;
   } registers[] = {
       {0x2360, 0x2360, 0xff},       {0x2364, 0x2364, ~0u},        {0x23b4, 0x23b4, ~0u},
       {0x2718, 0x271c, ~0u},        {0x2728, 0x272c, ~0u},        {0x2740, 0x2740, ~0u},
       {0x2748, 0x274c, ~0u},        {0x2900, 0x290c, ~0u},        {0x2920, 0x295c, ~0u},
       {0x2b08, 0x2b08, 0x3000f},    {0x2b0c, 0x2b10, 0xffffffc0}, {0x2b20, 0x2b20, ~0u},
       {0xe458, 0xe45c, 0x00ffffff}, {0xe658, 0xe65c, 0x00ffffff}, {0xe758, 0xe758, 0x00ffffff},
       {0x0d04, 0x0d2c, ~0u},        {0x20cc, 0x20cc, ~0u},        {0x91b8, 0x91dc, ~0u},
       {0x9800, 0x9888, ~0u},        {0xe180, 0xe180, ~0u},
   };
   assert_int_equal(rd(dev, 0x2b20), 0xffffffff);
   assert_int_equal(rd(dev, 0xe458), 0x0000f00f);
   for (unsigned i = 0; i < sizeof(registers) / sizeof(registers[0]); i++)
      for (uint32_t r = registers[i].first; r <= registers[i].last; r += 4) {
         uint32_t value = (r * 2654435761u ^ 0x5a5a5a5a) & registers[i].bits;
         wr(dev, r, value);
         assert_int_equal(rd(dev, r) & registers[i].bits, value);
         pergola_mmio_write(dev, r + 1, 1, (uint64_t)~value >> 8 & 0xff);
         assert_int_equal(rd(dev, r) & registers[i].bits, (value ^ 0x0000ff00) & registers[i].bits);
      }
   for (unsigned n = 0; n < 36; n++) { /* 40 bits, then the free-running ones */
      uint32_t r = n < 32 ? 0x2800 + 8 * n : 0x2960 + 8 * (n - 32);
      pergola_mmio_write(dev, r, 8, 0x1234567890000000u + n);
      assert_int_equal(pergola_mmio_read(dev, r, 8), 0x7890000000u + n);
   }
   wr(dev, 0x2b04, 0x00620022); /* masked */
   wr(dev, 0x2b04, 0x00020000);
   assert_int_equal(rd(dev, 0x2b04) & 0xffff, 0x20);
   wr(dev, 0x0d00, ~0u);
   assert_int_equal(rd(dev, 0x0d00),
                    4); /* RPM_CONFIG0 tells the clock; it is not a place to write */
   pergola_device_destroy(dev);
}

/* SYS-369: flexible events are programmed in all EUs at once. */
static void
uniform_events(void **state)
{
   proves("SYS-369");
   (void)state;
   struct pergola_device *dev = new_icl();
   struct seen_rules seen = {0};
   pergola_add_diagnostic_sink(dev, note_rule, &seen);
   static const uint32_t registers[] = {0xe458, 0xe558, 0xe658, 0xe758, 0xe45c, 0xe55c, 0xe65c};
   for (unsigned i = 0; i < 7; i++)
      wr(dev, registers[i], 0x5004);
   wr(dev, 0xfdc, 0x01000000); /* one subslice */
   wr(dev, 0x2360, 1);         /* another register of the unit */
   assert_int_equal(reported(&seen, "SYS-369"), 0);
   for (unsigned i = 0; i < 7; i++) {
      wr(dev, registers[i], 0x5000);
      assert_int_equal(reported(&seen, "SYS-369"), i + 1);
      assert_int_equal(rd(dev, registers[i]), 0x5000);
   }
   pergola_device_destroy(dev);
}

/* The clock goes on with the part's; A0 only while an engine, whichever, has work. */
static void
clock_and_busy(void **state)
{
   proves("SYS-250", "SYS-251", "SYS-327", "SYS-289", "SYS-274");
   (void)state;
   struct machine m = new_machine();
   start_counters(&m);
   EMIT(&m, 0, 0x01000000);
   submit(&m, GEN11_RCS0, oa_context(&m, 0, 1), 0); /* resume */
   pergola_run(m.dev, 0);
   assert_int_equal(rd(m.dev, 0x2360), 1);
   uint32_t ticks = rd(m.dev, 0x2910);
   uint64_t busy = pergola_mmio_read(m.dev, 0x2800, 8);
   clock_advance(m.dev, 1000);
   assert_int_equal(rd(m.dev, 0x2910) - ticks, 1000);
   assert_int_equal(pergola_mmio_read(m.dev, 0x2800, 8), busy);
   /* The blitter waits at a semaphore: it has work. */
   EMIT(&m, 1, 0x0e40c002, 7, DATA_AT(8), 0);
   submit(&m, GEN11_BCS0, context(&m, 1), 0);
   assert_int_equal(pergola_run(m.dev, 0), PERGOLA_RUN_WAITING);
   uint64_t since = pergola_mmio_read(m.dev, 0x2800, 8);
   clock_advance(m.dev, 1000);
   assert_int_equal(pergola_mmio_read(m.dev, 0x2800, 8), since + 1000);
   *at(&m, DATA + 8) = 7;
   pergola_run(m.dev, 0);
   since = pergola_mmio_read(m.dev, 0x2800, 8);
   clock_advance(m.dev, 500);
   assert_int_equal(pergola_mmio_read(m.dev, 0x2800, 8), since);
   end_machine(&m);
}

/* Reports by time come while nothing runs, into the buffer, with the part's timestamps. */
static void
timer_reports(void **state)
{
   proves("SYS-297", "SYS-298", "SYS-259", "SYS-258", "SYS-260");
   (void)state;
   struct machine m = new_machine();
   EMIT(&m, 0, 0x01000000);
   submit(&m, GEN11_RCS0, oa_context(&m, 0, 1 | 2 | 4 << 2), 0); /* every 32 counts */
   pergola_run(m.dev, 0);
   wr(m.dev, 0x2b04, 0x00660022);
   start_counters(&m);
   uint32_t first = rd(m.dev, 0x2358);
   clock_advance(m.dev, 100 * 32 * 1000 / 12);
   uint32_t bytes = rd(m.dev, 0x2b10) - BUFFER_AT, count = bytes / 256;
   assert_in_range(count, 99, 101);
   for (unsigned n = 0; n < count; n++) {
      assert_int_equal(report(&m, n)[0], TIMER);
      assert_int_equal(report(&m, n)[1] % 32, 0);
      assert_int_equal(report(&m, n)[1], (first / 32 + 1 + n) * 32);
   }
   assert_int_equal(report(&m, count)[1], 0);
   end_machine(&m);
}

/* A report for each switch, with the context that comes; the last one says that none does. */
static void
switch_reports(void **state)
{
   proves("SYS-301", "SYS-305", "SYS-322", "SYS-323", "SYS-290");
   (void)state;
   struct machine m = new_machine();
   start_counters(&m);
   uint64_t a = oa_context(&m, 0, 1), b = oa_context(&m, 1, 1);
   EMIT(&m, 0, SDI(DATA_AT(0), 1));
   EMIT(&m, 1, SDI(DATA_AT(4), 2));
   submit(&m, GEN11_RCS0, a, b);
   pergola_run(m.dev, 0);
   EMIT(&m, 2, SDI(DATA_AT(4), 2)); /* other engines' contexts are not OA's */
   submit(&m, GEN11_VCS0, context(&m, 2), 0);
   pergola_run(m.dev, 0);
   assert_int_equal(rd(m.dev, 0x2b10) - BUFFER_AT, 3 * 256);
   assert_int_equal(report(&m, 0)[0], CONTEXT | VALID);
   assert_int_equal(report(&m, 0)[2], (uint32_t)(a >> 32));
   assert_int_equal(report(&m, 1)[0], CONTEXT | VALID);
   assert_int_equal(report(&m, 1)[2], (uint32_t)(b >> 32));
   assert_int_equal(report(&m, 2)[0], CONTEXT);
   assert_true(report(&m, 1)[3] > report(&m, 0)[3]);
   /* A preempted context: its semaphore, the other one, itself again. */
   wr(m.dev, 0x2b10, BUFFER_AT);
   EMIT(&m, 0, 0x0e40c002, 7, DATA_AT(8), 0);
   EMIT(&m, 1, SDI(DATA_AT(8), 7));
   submit(&m, GEN11_RCS0, a, 0);
   assert_int_equal(pergola_run(m.dev, 0), PERGOLA_RUN_WAITING);
   submit(&m, GEN11_RCS0, b, a);
   assert_int_equal(pergola_run(m.dev, 0), PERGOLA_RUN_IDLE);
   static const unsigned order[] = {1, 2, 1};
   for (unsigned n = 0; n < 3; n++)
      assert_int_equal(report(&m, n)[2] >> 5, order[n]);
   assert_int_equal(report(&m, 3)[0], CONTEXT);
   assert_int_equal(pergola_diagnostic_count(m.dev, PERGOLA_NOTE), 0);
   end_machine(&m);
}

/* MI_REPORT_PERF_COUNT in the ring, in a batch, and where it may not be. */
static void
command_reports(void **state)
{
   proves("SYS-238", "SYS-304", "SYS-412");
   (void)state;
   struct machine m = new_machine();
   struct seen_rules seen = {0};
   pergola_add_diagnostic_sink(m.dev, note_rule, &seen);
   uint64_t a = oa_context(&m, 0, 1);
   start_counters(&m);
   wr(m.dev, 0x2b04, 0x00660022); /* no reports but those of commands */
   uint32_t pattern[0x90];
   memset(pattern, 0x77, sizeof(pattern));
   memcpy(at(&m, DATA + 0x1000), pattern, sizeof(pattern));
   const uint32_t batch[] = {
       0x14000002, USER + 0x2000, 0, 0xcafe, 0x14000002, DATA_AT(0x3000) | 1, 0, 0xbad, 0x05000000};
   memcpy(at(&m, BATCH), batch, sizeof(batch));
   EMIT(&m, 0, 0x14000002, DATA_AT(0x1040) | 1, 0, 0x12345678);
   EMIT(&m, 0, 0x18800101, USER + (BATCH - DATA), 0, SDI(DATA_AT(0x38), 9));
   submit(&m, GEN11_RCS0, a, 0);
   pergola_run(m.dev, 0);
   const uint32_t *r = at(&m, DATA + 0x1040), *s = at(&m, DATA + 0x2000);
   assert_int_equal(r[-1], 0x77777777);
   assert_int_equal(r[64], 0x77777777);
   assert_int_equal(r[0], 0x12345678);
   assert_int_equal(r[2], (uint32_t)(a >> 32));
   assert_int_equal(s[0], 0xcafe);
   assert_int_equal(s[3] - r[3], s[4] - r[4]);  /* clocks, all of them busy */
   assert_int_equal(s[3] - r[3], 2 * 40);       /* the commands between */
   assert_int_equal(*at(&m, DATA + 0x3000), 0); /* a no-op */
   assert_int_equal(*at(&m, DATA + 0x38), 9);
   assert_int_equal(rd(m.dev, 0x2b10), BUFFER_AT); /* the buffer is not theirs */
   assert_int_equal(reported(&seen, "GEN11-21"), 1);
   assert_int_equal(seen.count, 1);
   /* Formats of other sizes; counters that are off; reserved bits; another streamer. */
   wr(m.dev, 0x2b00, 1);
   memcpy(at(&m, DATA + 0x1000), pattern, sizeof(pattern));
   EMIT(&m, 0, 0x14000002, DATA_AT(0x1040) | 1, 0, 5);
   submit(&m, GEN11_RCS0, a, 0);
   pergola_run(m.dev, 0);
   assert_int_equal(r[0], 5);
   assert_int_equal(r[16], 0x77777777);
   wr(m.dev, 0x2b00, 0);
   EMIT(&m, 0, 0x14000002, DATA_AT(0x1040) | 1, 0, 6);
   submit(&m, GEN11_RCS0, a, 0);
   pergola_run(m.dev, 0);
   assert_int_equal(r[0], 6);
   assert_int_equal(reported(&seen, "SYS-412"), 1);
   wr(m.dev, 0x2b00, 1);
   EMIT(&m, 0, 0x14000002, DATA_AT(0x1040) | 0x21, 0, 7);
   submit(&m, GEN11_RCS0, a, 0);
   pergola_run(m.dev, 0);
   assert_int_equal(r[0], 7);
   assert_int_equal(reported(&seen, "SYS-412"), 2);
   EMIT(&m, 1, 0x14000002, DATA_AT(0x1040) | 1, 0, 8);
   submit(&m, GEN11_BCS0, context(&m, 1), 0);
   pergola_run(m.dev, 0);
   assert_int_equal(r[0], 7);
   assert_int_equal(reported(&seen, "GEN11-20"), 1);
   end_machine(&m);
}

/* Half of the buffer is unread: one message of WDOAPerf, bit 12 and nothing else. */
static void
half_full(void **state)
{
   proves("SYS-241", "SYS-276", "SYS-277", "SYS-278", "SYS-279", "SYS-280");
   (void)state;
   for (unsigned masked = 0; masked < 3; masked++) {
      struct machine m = new_machine();
      EMIT(&m, 0, 0x01000000);
      submit(&m, GEN11_RCS0, oa_context(&m, 0, 1 | 2), 0); /* every 2 counts */
      pergola_run(m.dev, 0);
      wr(m.dev, 0x190018, ~0u);
      wr(m.dev, 0x1900ec, masked == 1 ? 0xffffffff : 0xffff0000);
      wr(m.dev, 0x2b20, masked == 2 ? ~0u : ~(1u << 28));
      struct interrupts *other = &m.dev->gen11->scheduler; /* is told as well */
      memset(other->enable, 0xff, sizeof(other->enable));
      memset(other->mask, 0, sizeof(other->mask));
      start_counters(&m);
      /* A runner that sleeps must look at the clock from time to time. */
      assert_int_equal(pergola_run(m.dev, 0), masked == 2 ? PERGOLA_RUN_IDLE : PERGOLA_RUN_WAITING);
      while (rd(m.dev, 0x2b10) - BUFFER_AT < 0x10000 - 256) {
         assert_int_equal(rd(m.dev, 0x190018), 0);
         clock_advance(m.dev, 167);
      }
      clock_advance(m.dev, 10000);
      assert_true(rd(m.dev, 0x2b10) - BUFFER_AT >= 0x10000);
      assert_int_equal(rd(m.dev, 0x190018), masked ? 0 : 1u << 20);
      assert_int_equal(interrupts_read_dw(other, 0, 0) & 1u << 20, masked == 2 ? 0 : 1u << 20);
      if (!masked) {
         wr(m.dev, 0x190070, 1u << 20);
         assert_int_equal(rd(m.dev, 0x190060), 0x80000000 | 2u << 20 | 4u << 16 | 1u << 12);
         wr(m.dev, 0x190060, 0x80000000);
         wr(m.dev, 0x190018, 1u << 20);
         clock_advance(m.dev, 10000); /* the level stays: no second message */
         rd(m.dev, 0x2b10);
         assert_int_equal(rd(m.dev, 0x190018), 0);
         wr(m.dev, 0x2b0c, rd(m.dev, 0x2b10)); /* read; then half of it again */
         clock_advance(m.dev, 300 * 167);
         rd(m.dev, 0x2b10);
         assert_int_equal(rd(m.dev, 0x190018), 1u << 20);
      }
      end_machine(&m);
   }
}

/* The image's fields are loaded, and written back; an inhibited image's are not. */
static void
context_image(void **state)
{
   proves("SYS-254", "SYS-272", "SYS-409", "SYS-419");
   (void)state;
   struct machine m = new_machine();
   static const uint32_t ctl[7] = {0xe458, 0xe558, 0xe658, 0xe758, 0xe45c, 0xe55c, 0xe65c};
   uint64_t a = oa_context(&m, 0, 1 | 2 | 20 << 2), b = oa_context(&m, 1, 0);
   uint32_t *image = at(&m, IMAGES + 0x1000), *other = at(&m, IMAGES + 0x4000 + 0x1000);
   for (unsigned i = 0; i < 7; i++) {
      image[0x78f + 2 * i] = 0x005004 + (i << 8);
      other[0x78f + 2 * i] = 0x00f00f;
   }
   submit(&m, GEN11_BCS0, a, 0); /* no image of the render streamer */
   pergola_run(m.dev, 0);
   assert_int_equal(rd(m.dev, 0x2360), 0);
   submit(&m, GEN11_RCS0, a, 0);
   pergola_run(m.dev, 0);
   assert_int_equal(rd(m.dev, 0x2360), 1 | 2 | 20 << 2);
   for (unsigned i = 0; i < 7; i++)
      assert_int_equal(rd(m.dev, ctl[i]), 0x005004 + (i << 8));
   EMIT(&m, 1, 0x11000001, 0x2360, 0x55); /* changed while it runs: saved so */
   submit(&m, GEN11_RCS0, b, 0);
   pergola_run(m.dev, 0);
   assert_int_equal(rd(m.dev, 0xe65c), 0x00f00f);
   assert_int_equal(other[0x124], 0x2360);
   assert_int_equal(other[0x125], 0x55);
   for (unsigned i = 0; i < 7; i++) {
      assert_int_equal(other[0x78e + 2 * i], ctl[i]);
      assert_int_equal(other[0x78f + 2 * i], 0x00f00f);
   }
   image[3] = 0x00090009; /* restore inhibited */
   submit(&m, GEN11_RCS0, a, 0);
   pergola_run(m.dev, 0);
   assert_int_equal(rd(m.dev, 0x2360), 0x55);
   end_machine(&m);
}

/* An engine's reset leaves the unit alone; that of the GT does not. */
static void
reset_domain(void **state)
{
   proves("SYS-247");
   (void)state;
   struct pergola_device *dev = new_icl();
   static const uint32_t registers[] = {0x2360, 0x2b00, 0x2714, 0x2744, 0x2770, 0x2b0c, 0xe458};
   uint32_t was[7], reset[7];
   for (unsigned i = 0; i < 7; i++) {
      reset[i] = rd(dev, registers[i]);
      wr(dev, registers[i], 0x41);
      was[i] = rd(dev, registers[i]);
      assert_int_not_equal(was[i], reset[i]);
   }
   const struct oa11 *o = &dev->gen11->oa;
   unsigned ratio = o->slice_ratio;
   assert_int_equal(ratio, 60); /* of 16.667 MHz: 1 GHz */
   assert_int_equal(o->unslice_ratio, ratio);
   oa11_clock_ratio(&dev->gen11->oa, 3, 4);
   wr(dev, 0x941c, 2);
   wr(dev, 0x941c, 4);
   for (unsigned i = 0; i < 7; i++)
      assert_int_equal(rd(dev, registers[i]), was[i]);
   assert_int_equal(o->slice_ratio, 3);
   assert_int_equal(o->unslice_ratio, 4);
   wr(dev, 0x941c, 1);
   assert_int_equal(o->slice_ratio, ratio);
   assert_int_equal(o->unslice_ratio, ratio);
   for (unsigned i = 0; i < 7; i++)
      assert_int_equal(rd(dev, registers[i]), reset[i]);
   pergola_device_destroy(dev);
}

/* Buffers that are not there: reports are lost with a diagnostic, nothing else is. */
static void
hostile_buffers(void **state)
{
   (void)state;
   struct machine m = new_machine();
   struct seen_rules seen = {0};
   pergola_add_diagnostic_sink(m.dev, note_rule, &seen);
   for (unsigned space = 0; space < 2; space++) {
      wr(m.dev, 0x23b4, space ? 0x12345 : 0);
      wr(m.dev, 0x2b14, 0xfff00000 | space);
      wr(m.dev, 0x2b10, 0xfffe0000);
      wr(m.dev, 0x2b00, 5 << 2 | 1);
      submit(&m, GEN11_RCS0, oa_context(&m, 0, 1 | 2), 0);
      pergola_run(m.dev, 0);
      clock_advance(m.dev, 1000000000);
      rd(m.dev, 0x2b10);
   }
   assert_true(reported(&seen, "GEN11-30") >= 2);
   wr(m.dev, 0x2360, 0);
   EMIT(&m, 0, SDI(DATA_AT(0), 1));
   submit(&m, GEN11_RCS0, oa_context(&m, 0, 0), 0);
   assert_int_equal(pergola_run(m.dev, 0), PERGOLA_RUN_IDLE);
   assert_int_equal(*at(&m, DATA), 1);
   end_machine(&m);
}

/* Saved and restored in the middle, counters and reports go on as if nothing had been. */
static void
snapshot_with_counters(void **state)
{
   (void)state;
   struct machine m = new_machine(), n = new_machine();
   EMIT(&m, 0, 0x01000000);
   submit(&m, GEN11_RCS0, oa_context(&m, 0, 1 | 2 | 4 << 2), 0);
   pergola_run(m.dev, 0);
   start_counters(&m);
   wr(m.dev, 0x2714, 0x00800000);
   wr(m.dev, 0x2770, 0x00000007);
   clock_advance(m.dev, 5000);
   rd(m.dev, 0x2b10);
   int64_t size = pergola_device_save(m.dev, NULL, 0);
   assert_true(size > 0);
   void *bytes = malloc((size_t)size);
   assert_int_equal(pergola_device_save(m.dev, bytes, (size_t)size), size);
   memcpy(n.memory, m.memory, SIZE);
   const char *error = NULL;
   assert_int_equal(pergola_device_restore(n.dev, bytes, (size_t)size, &error), 0);
   clock_advance(m.dev, 7000);
   clock_advance(n.dev, 7000);
   for (uint32_t r = 0x2800; r <= 0x2b20; r += r == 0x297c ? 0x184 : 4)
      if (oa11_owns(r))
         assert_int_equal(rd(m.dev, r), rd(n.dev, r));
   assert_memory_equal(m.memory, n.memory, SIZE);
   free(bytes);
   end_machine(&m);
   end_machine(&n);
}

const struct CMUnitTest oa_tests[] = {
    cmocka_unit_test(registers_answer),
    cmocka_unit_test(uniform_events),
    cmocka_unit_test(clock_and_busy),
    cmocka_unit_test(timer_reports),
    cmocka_unit_test(switch_reports),
    cmocka_unit_test(command_reports),
    cmocka_unit_test(half_full),
    cmocka_unit_test(context_image),
    cmocka_unit_test(reset_domain),
    cmocka_unit_test(hostile_buffers),
    cmocka_unit_test(snapshot_with_counters),
};
const size_t oa_test_count = sizeof(oa_tests) / sizeof(oa_tests[0]);
