/* The scheduler: engines in turn, budgets, the same input gives the same everything. */
#include "pergola/pergola_machine.h"
#include "register_table.h"
#include "tests/proves.h"

enum { PAGE = 4096, PAGES = 16 };

static const uint32_t ring_page[ENGINE_COUNT] = {1, 2, 3};

struct machine {
   struct pergola_machine machine;
   struct pergola_device *dev;
   uint32_t *ram;
   uint64_t trace; /* a digest of all events */
   unsigned events;
};

static void
digest(void *data, const struct pergola_event *e)
{
   struct machine *m = data;
   uint64_t part[] = {e->kind, e->time_ns, e->a, e->b, e->flags};
   for (unsigned i = 0; i < 5; i++)
      m->trace = (m->trace ^ part[i]) * UINT64_C(1099511628211);
   for (const char *p = e->engine; p && *p; p++)
      m->trace = (m->trace ^ (uint8_t)*p) * UINT64_C(1099511628211);
   m->events++;
}

static void
boot(struct machine *m)
{
   static const struct pergola_config config = {.check = PERGOLA_CHECK_REPORT};
   static const struct pergola_machine_memory memory = {.size = PAGES * PAGE,
                                                        .mapped = PAGES * PAGE};
   *m = (struct machine){0};
   assert_int_equal(pergola_machine_create(&m->machine, &config, &memory, NULL), 0);
   m->dev = m->machine.dev;
   m->ram = (uint32_t *)(void *)m->machine.memory;
   pergola_add_observer(m->dev,
                        1u << PERGOLA_EVENT_COMMAND | 1u << PERGOLA_EVENT_MEMORY |
                            1u << PERGOLA_EVENT_BATCH | 1u << PERGOLA_EVENT_WAIT,
                        digest, m);
}

static void
shut_down(struct machine *m)
{
   pergola_machine_destroy(&m->machine);
}

/* `count` stores to a cell that all engines fight for, so that their order shows. */
static void
fill_ring(struct machine *m, enum engine_id e, unsigned count)
{
   uint32_t *at = m->ram + ring_page[e] * PAGE / 4;
   for (unsigned i = 0; i < count; i++, at += 4) {
      at[0] = 0x10400002; /* MI_STORE_DATA_IMM, GGTT */
      at[1] = 0;
      at[2] = 8 * PAGE + i % 7 * 4;
      at[3] = (e + 1) << 16 | i;
   }
   uint32_t b = engine_base[e];
   pergola_mmio_write(m->dev, b + 0x38, 4, ring_page[e] * PAGE);
   pergola_mmio_write(m->dev, b + 0x3c, 4, 1);
   pergola_mmio_write(m->dev, b + 0x30, 4, count * 16);
}

static void
same_input_gives_same_memory_trace_and_time(void **state)
{
   proves("MEM-042");
   (void)state;
   struct machine m[2];
   for (unsigned i = 0; i < 2; i++) {
      boot(&m[i]);
      for (enum engine_id e = RCS; e < ENGINE_COUNT; e++)
         fill_ring(&m[i], e, 200);
      assert_int_equal(pergola_run(m[i].dev, 0), PERGOLA_RUN_IDLE);
      assert_true(m[i].events >= 600);
   }
   assert_memory_equal(m[0].ram, m[1].ram, PAGES * PAGE);
   assert_int_equal(m[0].trace, m[1].trace);
   assert_int_equal(m[0].events, m[1].events);
   assert_int_equal(pergola_time_ns(m[0].dev), pergola_time_ns(m[1].dev));
   assert_true(pergola_time_ns(m[0].dev) > 0);
   shut_down(&m[0]);
   shut_down(&m[1]);
}

static void
budget_ends_a_run_that_can_be_continued(void **state)
{
   (void)state;
   struct machine m;
   boot(&m);
   fill_ring(&m, RCS, 200);
   unsigned runs = 0;
   enum pergola_run_result r;
   do {
      r = pergola_run(m.dev, 10);
      runs++;
      assert_true(runs < 10000);
   } while (r == PERGOLA_RUN_BUDGET);
   assert_int_equal(r, PERGOLA_RUN_IDLE);
   assert_true(runs >= 10);
   assert_int_equal(m.ram[8 * PAGE / 4 + 199 % 7], 1 << 16 | 199);
   assert_int_equal(pergola_run(m.dev, 1), PERGOLA_RUN_IDLE);
   shut_down(&m);
}

/* An endless batch ends with its budget; a reset of the engine ends it for good. */
static void
endless_loop_is_bounded_by_its_budget(void **state)
{
   (void)state;
   struct machine m;
   boot(&m);
   m.ram[1024] = 0x18800000; /* MI_BATCH_BUFFER_START … */
   m.ram[1025] = 5 * PAGE;
   m.ram[5 * 1024] = 0x18800000; /* … of a batch that starts itself */
   m.ram[5 * 1024 + 1] = 5 * PAGE;
   pergola_mmio_write(m.dev, 0x2038, 4, PAGE);
   pergola_mmio_write(m.dev, 0x203c, 4, 1);
   pergola_mmio_write(m.dev, 0x2030, 4, 8);
   assert_int_equal(pergola_run(m.dev, 5000), PERGOLA_RUN_BUDGET);
   pergola_mmio_write(m.dev, 0x941c, 4, 2);
   assert_int_equal(pergola_run(m.dev, 5000), PERGOLA_RUN_IDLE);
   shut_down(&m);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(same_input_gives_same_memory_trace_and_time),
       cmocka_unit_test(budget_ends_a_run_that_can_be_continued),
       cmocka_unit_test(endless_loop_is_bounded_by_its_budget),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
