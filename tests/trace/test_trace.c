/* Observers and the trace files. */
#include "machine/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct heard {
   unsigned count[PERGOLA_EVENT_KIND_COUNT];
   struct pergola_event last;
};

static void
hear(void *data, const struct pergola_event *e)
{
   struct heard *h = data;
   h->count[e->kind]++;
   h->last = *e;
}

static void
observer_hears_the_kinds_it_asked_for(void **state)
{
   (void)state;
   struct pergola_device *dev = pergola_device_create(NULL, NULL);
   struct heard mmio = {0}, irq = {0};
   assert_int_equal(pergola_add_observer(dev, 1u << PERGOLA_EVENT_MMIO, hear, &mmio), 0);
   assert_int_equal(pergola_add_observer(dev, 1u << PERGOLA_EVENT_INTERRUPT, hear, &irq), 0);
   assert_int_not_equal(pergola_add_observer(dev, 1u << PERGOLA_EVENT_KIND_COUNT, hear, &irq), 0);
   assert_int_not_equal(pergola_add_observer(dev, 1, NULL, NULL), 0);
   pergola_mmio_write(dev, 0x20a8, 4, ~1u);
   assert_int_equal(mmio.count[PERGOLA_EVENT_MMIO], 1);
   assert_string_equal(mmio.last.text, "RCS_IMR");
   assert_int_equal(mmio.last.a, 0x20a8);
   assert_int_equal(mmio.last.b, ~1u);
   assert_int_equal(mmio.last.flags & 1, 1);
   pergola_mmio_read(dev, 0x20a8, 4);
   assert_int_equal(mmio.last.flags & 1, 0);
   interrupt_gt(dev, RCS, 1u << 0);
   assert_int_equal(irq.count[PERGOLA_EVENT_INTERRUPT], 1);
   assert_int_equal(irq.last.a, 1);
   assert_int_equal(irq.last.b, 1);
   assert_int_equal(irq.count[PERGOLA_EVENT_MMIO], 0);
   pergola_device_destroy(dev);
}

static void
memory_accesses_are_announced(void **state)
{
   (void)state;
   struct pergola_device *dev = pergola_device_create(NULL, NULL);
   struct heard h = {0};
   pergola_add_observer(dev, 1u << PERGOLA_EVENT_MEMORY, hear, &h);
   uint32_t value = 0;
   mem_read(&dev->ggtt, 0x1230, &value, 4);
   assert_int_equal(h.count[PERGOLA_EVENT_MEMORY], 1);
   assert_int_equal(h.last.a, 0x1230);
   assert_int_equal(h.last.b, 4);
   pergola_device_destroy(dev);
}

static void
kinds_are_parsed(void **state)
{
   (void)state;
   const char *bad = NULL;
   assert_int_equal(pergola_trace_kinds("mmio", &bad), 1u << PERGOLA_EVENT_MMIO);
   assert_int_equal(pergola_trace_kinds("irq,mmio", &bad),
                    1u << PERGOLA_EVENT_MMIO | 1u << PERGOLA_EVENT_INTERRUPT);
   assert_int_equal(pergola_trace_kinds("cs", &bad), 1u << PERGOLA_EVENT_COMMAND |
                                                         1u << PERGOLA_EVENT_BATCH |
                                                         1u << PERGOLA_EVENT_WAIT);
   assert_int_equal(pergola_trace_kinds("all", &bad), (1u << PERGOLA_EVENT_KIND_COUNT) - 1);
   assert_null(bad);
   assert_int_equal(pergola_trace_kinds("mmio,nonsense,eu", &bad), 0);
   assert_memory_equal(bad, "nonsense", 8);
   assert_int_equal(pergola_trace_kinds("", &bad), 0);
   assert_int_equal(pergola_trace_kinds("mmio,", &bad), 0);
}

static char *
slurp(const char *path)
{
   FILE *f = fopen(path, "r");
   char *text = calloc(1, 65536);
   assert_true(fread(text, 1, 65535, f) > 0);
   fclose(f);
   return text;
}

static void
session(struct pergola_device *dev)
{
   static const uint32_t dw[12] = {0x7a000003, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
   static const uint32_t message[] = {11, 0x2000, 0x10203}, end[] = {0, 55, 0x2000},
                         other_end[] = {0, 10, 0x3000}, inst[] = {0x7e, 0, 0, 0, 0x3000};
   pergola_mmio_write(dev, 0x2030, 4, 0x10);
   struct pergola_event e[] = {
       {PERGOLA_EVENT_BATCH, "RCS", 100, 0x1000, 0, 1, NULL, NULL, 0},
       {PERGOLA_EVENT_COMMAND, "RCS", 150, 0x1000, 0, 0, "PIPE_CONTROL", dw, 12},
       {PERGOLA_EVENT_DISPATCH, "EU", 1150, 0x2000, 7, 0x10203, NULL, NULL, 0},
       {PERGOLA_EVENT_MESSAGE, "EU", 1150, 0, 7, 4, NULL, message, 3},
       {PERGOLA_EVENT_THREAD_END, "EU", 1150, 55, 7, 0x10203, NULL, end, 3},
       {PERGOLA_EVENT_DISPATCH, "EU", 1150, 0x3000, 8, 0x10204, NULL, NULL, 0},
       {PERGOLA_EVENT_INSTRUCTION, "EU", 1150, 0x3010, 8, 0xff, NULL, inst, 5},
       {PERGOLA_EVENT_THREAD_END, "EU", 1150, 10, 8, 0x10204, NULL, other_end, 3},
       {PERGOLA_EVENT_WAIT, "RCS", 2160, 0, 0, 1, "semaphore \"x\"", NULL, 0},
       {PERGOLA_EVENT_WAIT, "RCS", 2260, 0, 0, 0, "semaphore \"x\"", NULL, 0},
       {PERGOLA_EVENT_COMMAND, "RCS", 2300, 0x1030, 0, 0, NULL, NULL, 0},
       {PERGOLA_EVENT_INTERRUPT, "bus", 2400, 1, 1, 0, NULL, NULL, 0},
       {PERGOLA_EVENT_BATCH, "RCS", 3150, 0x1000, 0, 0, NULL, NULL, 0},
   };
   for (size_t i = 0; i < sizeof(e) / sizeof(e[0]); i++)
      trace_emit(&dev->trace, &e[i]);
}

static void
text_trace_has_a_line_an_event(void **state)
{
   (void)state;
   char path[] = "/tmp/pergola-trace-XXXXXX";
   close(mkstemp(path));
   struct pergola_device *dev = pergola_device_create(NULL, NULL);
   struct pergola_trace *t = pergola_trace_text(dev, path, (1u << PERGOLA_EVENT_KIND_COUNT) - 1);
   assert_non_null(t);
   session(dev);
   pergola_trace_close(t);
   assert_int_equal(dev->trace.wanted, 0);
   session(dev); /* nobody listens any more */
   char *text = slurp(path);
   unsigned lines = 0;
   for (const char *p = text; *p; p++)
      lines += *p == '\n';
   assert_int_equal(lines, 14);
   assert_non_null(strstr(text, "thread 8 0x00003010 mask 0x000000ff nop ;"));
   assert_non_null(strstr(text, "write 0x002030 RCS_RING_BUFFER_TAIL 0x00000010"));
   assert_non_null(strstr(text, "0x00001000 PIPE_CONTROL 7a000003 00000001"));
   assert_non_null(strstr(text, "(12 dwords)"));
   assert_non_null(strstr(text, "thread 7 after 55 instructions\n"));
   free(text);
   unlink(path);
   pergola_device_destroy(dev);
}

/* How many lines a list of words leaves of the session. */
static unsigned
lines_of(const char *list)
{
   char path[] = "/tmp/pergola-trace-XXXXXX";
   close(mkstemp(path));
   struct pergola_device *dev = pergola_device_create(NULL, NULL);
   struct pergola_trace_filter filter;
   uint32_t kinds = pergola_trace_list(list, &filter, NULL);
   assert_int_not_equal(kinds, 0);
   struct pergola_trace *t = pergola_trace_text(dev, path, kinds);
   pergola_trace_set_filter(t, &filter);
   session(dev);
   pergola_trace_close(t);
   pergola_device_destroy(dev);
   unsigned lines = 0;
   FILE *f = fopen(path, "r");
   for (int c; (c = getc(f)) != EOF;)
      lines += c == '\n';
   fclose(f);
   unlink(path);
   return lines;
}

static void
traces_are_filtered(void **state)
{
   (void)state;
   const char *bad;
   struct pergola_trace_filter f;
   assert_int_equal(lines_of("eu"), 6);
   assert_int_equal(lines_of("eu,kernel=0x2000"), 3);
   assert_int_equal(lines_of("kernel=0x2000"), 3); /* "eu" is meant */
   assert_int_equal(lines_of("eu,thread=8"), 3);
   assert_int_equal(lines_of("eu,thread=8,kernel=0x2000"), 0);
   assert_int_equal(lines_of("instruction,thread=8"), 1);
   assert_int_equal(lines_of("cs,kernel=0x2000"), 6);  /* commands are no kernel's */
   assert_int_equal(lines_of("all,batch=0x1000"), 13); /* not the register write before it */
   assert_int_equal(lines_of("all,batch=0x1004"), 0);
   assert_int_equal(lines_of("thread,batch=0x1000"), 4); /* batches were not asked for */
   for (unsigned i = 0; i < 5; i++) {
      const char *wrong[] = {"eu,kernel=", "eu,kernel=zz", "eu,thread=-1", "eu,batch=1x",
                             "eu,slot=1"};
      assert_int_equal(pergola_trace_list(wrong[i], &f, &bad), 0);
      assert_string_equal(bad, wrong[i] + 3);
   }
}

static void
perfetto_trace_is_json_with_slices(void **state)
{
   (void)state;
   char path[] = "/tmp/pergola-trace-XXXXXX", command[2048];
   close(mkstemp(path));
   struct pergola_device *dev = pergola_device_create(NULL, NULL);
   struct pergola_trace *t = pergola_trace_perfetto(dev, path);
   assert_non_null(t);
   session(dev);
   pergola_trace_close(t);
   pergola_device_destroy(dev);
   snprintf(command, sizeof(command),
            "python3 -c 'import json; e = json.load(open(\"%s\"))[\"traceEvents\"];"
            "c = [x for x in e if x[\"ph\"] == \"X\" and x[\"pid\"] == 1];"
            "t = [x for x in e if x[\"ph\"] == \"X\" and x[\"pid\"] == 2];"
            "assert c[0][\"args\"][\"threads\"] == 2 and c[0][\"args\"][\"instructions\"] == 65, c;"
            "assert [x[\"args\"][\"thread\"] for x in t] == [7, 8], t;"
            /* two slots share the EU: 55 instructions of 2 ns last 220 ns, 10 last 40 */
            "assert abs(t[0][\"dur\"] - 0.220) < 1e-9 and abs(t[1][\"dur\"] - 0.040) < 1e-9, t;"
            "assert t[0][\"ts\"] == t[1][\"ts\"] == 0.15 and t[0][\"tid\"] != t[1][\"tid\"], t;"
            "m = [x for x in e if x.get(\"cat\") == \"message\"];"
            "assert len(m) == 1 and abs(m[0][\"ts\"] - 0.194) < 1e-9, m;" /* 11 of 55 */
            "f = [x for x in e if x[\"ph\"] in \"sf\"];"
            "assert [(x[\"ph\"], x[\"id\"], x[\"pid\"]) for x in f] =="
            " [(\"s\", 1, 1), (\"f\", 1, 2), (\"s\", 2, 1), (\"f\", 2, 2)], f;"
            "assert [x[\"name\"] for x in c] == [\"PIPE_CONTROL\", \"?\"], c;"
            "assert abs(c[0][\"dur\"] - 2.010) < 1e-9 and abs(c[0][\"ts\"] - 0.150) < 1e-9, c;"
            "assert sum(x[\"ph\"] == \"B\" for x in e) == sum(x[\"ph\"] == \"E\" for x in e) == 2;"
            "assert {x[\"args\"][\"name\"] for x in e if x[\"ph\"] == \"M\"} == {\"bus\", \"RCS\", "
            "\"engines\", \"execution units\", \"half-slice 1 EU 2 slot 3\", "
            "\"half-slice 1 EU 2 slot 4\"}'",
            path);
   assert_int_equal(system(command), 0);
   unlink(path);
}

static void
unwritable_trace_is_refused(void **state)
{
   (void)state;
   struct pergola_device *dev = pergola_device_create(NULL, NULL);
   assert_null(pergola_trace_text(dev, "/nonexistent/directory/file", 1));
   assert_null(pergola_trace_perfetto(dev, "/nonexistent/directory/file"));
   assert_int_equal(dev->trace.wanted, 0);
   pergola_trace_close(NULL);
   pergola_device_destroy(dev);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(observer_hears_the_kinds_it_asked_for),
       cmocka_unit_test(memory_accesses_are_announced),
       cmocka_unit_test(kinds_are_parsed),
       cmocka_unit_test(text_trace_has_a_line_an_event),
       cmocka_unit_test(traces_are_filtered),
       cmocka_unit_test(perfetto_trace_is_json_with_slices),
       cmocka_unit_test(unwritable_trace_is_refused),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
