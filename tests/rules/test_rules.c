/* The rule engine: what is delivered, counted, stopped, and written to files. */
#include "machine/device.h"

#include <printf.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>
#include "tests/proves.h"

static struct pergola_device *
device(enum pergola_check level)
{
   struct pergola_config c = {.check = level};
   return pergola_device_create(&c, NULL);
}

struct seen {
   unsigned count;
   char message[128], title[64], source[64], subject[32];
   struct pergola_diagnostic last;
};

static void
note(void *data, const struct pergola_diagnostic *d)
{
   struct seen *s = data;
   s->count++;
   s->last = *d;
   snprintf(s->message, sizeof(s->message), "%s", d->message);
   snprintf(s->title, sizeof(s->title), "%s", d->title);
   snprintf(s->source, sizeof(s->source), "%s", d->source);
   snprintf(s->subject, sizeof(s->subject), "%s", d->subject);
}

static void
report_at(struct pergola_device *dev, uint64_t address, const char *subject, const char *field)
{
   struct rule_place p = {"RCS", subject, field, address, true};
   rule_report(dev, PERGOLA_ERROR, "RCS-117", &p, "at 0x%llx", (unsigned long long)address);
}

static void
diagnostic_carries_place_rule_and_manual(void **state)
{
   (void)state;
   struct pergola_device *dev = device(PERGOLA_CHECK_REPORT);
   struct seen s = {0};
   assert_int_equal(pergola_add_diagnostic_sink(dev, note, &s), 0);
   clock_advance(dev, 1234);
   report_at(dev, 0x5000, "PIPE_CONTROL", "Store Data Index");
   assert_int_equal(s.count, 1);
   assert_string_equal(s.message, "at 0x5000");
   assert_string_equal(s.title, "Store Data Index");
   assert_true(s.source[0] != 0);
   assert_string_equal(s.subject, "PIPE_CONTROL");
   assert_int_equal(s.last.severity, PERGOLA_ERROR);
   assert_true(s.last.has_address && s.last.address == 0x5000);
   assert_int_equal(s.last.time_ns, 1234);
   assert_int_equal(s.last.count, 1);
   assert_int_not_equal(pergola_add_diagnostic_sink(dev, NULL, NULL), 0);
   pergola_device_destroy(dev);
}

/* Same rule, engine, address, subject and field: delivered once, counted every time. */
static void
equal_diagnostics_are_counted_not_repeated(void **state)
{
   (void)state;
   struct pergola_device *dev = device(PERGOLA_CHECK_REPORT);
   struct seen s = {0};
   pergola_add_diagnostic_sink(dev, note, &s);
   for (unsigned i = 0; i < 1000; i++) {
      char subject[8], field[8]; /* contents, not pointers, make them equal */
      snprintf(subject, sizeof(subject), "S%u", i % 2);
      snprintf(field, sizeof(field), "F%u", i % 5);
      report_at(dev, 0x1000 + i % 3, subject, field);
   }
   assert_int_equal(s.count, 2 * 5 * 3);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_ERROR), 1000);
   struct rule_place other = {.engine = "VCS", .subject = "S0", .field = "F0", 0x1000, true};
   rule_report(dev, PERGOLA_ERROR, "RCS-117", &other, "elsewhere");
   struct rule_place nowhere = {.engine = "RCS", .subject = "S0", .field = "F0"};
   rule_report(dev, PERGOLA_ERROR, "RCS-117", &nowhere, "no address");
   assert_int_equal(s.count, 32);
   pergola_device_destroy(dev);
}

/* What a repeat would say is not even looked at: its text could not be read. */
static void
repeats_are_not_written(void **state)
{
   (void)state;
   struct pergola_device *dev = device(PERGOLA_CHECK_REPORT);
   struct seen s = {0};
   struct rule_place place = {.engine = "RCS", .subject = "S", .field = "F"};
   char *unreadable = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   assert_ptr_not_equal(unreadable, MAP_FAILED);
   pergola_add_diagnostic_sink(dev, note, &s);
   rule_report(dev, PERGOLA_ERROR, "RCS-117", &place, "%s", "first");
   rule_report(dev, PERGOLA_ERROR, "RCS-117", &place, "%s", unreadable);
   assert_int_equal(s.count, 1);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_ERROR), 2);
   munmap(unreadable, 4096);
   pergola_device_destroy(dev);
}

/* A guest that breaks rules in ever new places is bounded. */
static void
distinct_diagnostics_are_bounded(void **state)
{
   (void)state;
   struct pergola_device *dev = device(PERGOLA_CHECK_REPORT);
   struct seen s = {0};
   pergola_add_diagnostic_sink(dev, note, &s);
   for (unsigned i = 0; i < 70000; i++)
      report_at(dev, i, "X", "");
   assert_int_equal(s.count, 65536 + 1);
   assert_non_null(strstr(s.message, "only counted"));
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_ERROR), 70000);
   pergola_device_destroy(dev);
}

static void
levels_off_report_stop(void **state)
{
   (void)state;
   struct seen s = {0};
   struct pergola_device *dev = device(PERGOLA_CHECK_OFF);
   pergola_add_diagnostic_sink(dev, note, &s);
   report_at(dev, 1, "", "");
   assert_int_equal(s.count, 0);
   assert_false(rules_on(dev));
   rule_report(dev, PERGOLA_FATAL, "RCS-117", NULL, "cannot go on");
   assert_int_equal(s.count, 1);
   pergola_device_destroy(dev);

   dev = device(PERGOLA_CHECK_REPORT);
   report_at(dev, 1, "", "");
   assert_true(rules_on(dev));
   assert_false(rules_stopped(dev));
   pergola_device_destroy(dev);

   dev = device(PERGOLA_CHECK_STOP);
   rule_report(dev, PERGOLA_WARNING, "RCS-117", NULL, "only a warning");
   assert_false(rules_stopped(dev));
   report_at(dev, 1, "", "");
   assert_true(rules_stopped(dev));
   assert_int_equal(pergola_run(dev, 10), PERGOLA_RUN_STOPPED);
   rules_clear_stop(dev);
   assert_int_equal(pergola_run(dev, 10), PERGOLA_RUN_IDLE);
   pergola_device_destroy(dev);
}

static void
counts_are_by_severity(void **state)
{
   (void)state;
   struct pergola_device *dev = device(PERGOLA_CHECK_REPORT);
   for (enum pergola_severity v = PERGOLA_NOTE; v <= PERGOLA_FATAL; v++)
      rule_report(dev, v, "RCS-117", NULL, "x");
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_NOTE), 4);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_ERROR), 2);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_FATAL), 1);
   pergola_device_destroy(dev);
}

static void *
report_many(void *data)
{
   for (unsigned i = 0; i < 2000; i++)
      report_at(data, i % 100, "threads", "");
   return NULL;
}

static void
many_threads_report_at_once(void **state)
{
   (void)state;
   struct pergola_device *dev = device(PERGOLA_CHECK_REPORT);
   struct seen s = {0};
   pergola_add_diagnostic_sink(dev, note, &s);
   pthread_t t[4];
   for (unsigned i = 0; i < 4; i++)
      pthread_create(&t[i], NULL, report_many, dev);
   for (unsigned i = 0; i < 4; i++)
      pthread_join(t[i], NULL);
   assert_int_equal(s.count, 100);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_ERROR), 8000);
   pergola_device_destroy(dev);
}

static char *
report_file(enum pergola_report_format format, bool findings)
{
   char path[] = "/tmp/pergola-rules-XXXXXX";
   int fd = mkstemp(path);
   assert_true(fd >= 0);
   close(fd);
   struct pergola_device *dev = device(PERGOLA_CHECK_REPORT);
   assert_int_equal(pergola_report_open(dev, path, format), 0);
   report_at(dev, 0xabc, "say \"quoted\"\n", "F");
   report_at(dev, 0xabc, "say \"quoted\"\n", "F");
   report_at(dev, 0xdef, "B", "");
   rule_report(dev, PERGOLA_NOTE, "MEM-003", NULL, "a note");
   struct rule_place place = {
       .engine = "EU", .subject = "send", .address = 0x77, .has_address = true};
   for (unsigned i = 0; i < 3 && findings; i++)
      rule_report(dev, PERGOLA_ERROR, "SAN-010", &place, "is outside");
   pergola_device_destroy(dev);
   FILE *f = fopen(path, "r");
   char *text = calloc(1, 65536);
   assert_true(fread(text, 1, 65535, f) > 0);
   fclose(f);
   unlink(path);
   return text;
}

static unsigned
occurrences(const char *text, const char *what)
{
   unsigned n = 0;
   for (const char *p = text; (p = strstr(p, what)); p += strlen(what))
      n++;
   return n;
}

static void
text_report(void **state)
{
   (void)state;
   char *t = report_file(PERGOLA_REPORT_TEXT, false);
   assert_int_equal(occurrences(t, "error: RCS 0x00000abc"), 1);
   assert_int_equal(occurrences(t, "[RCS-117]"), 2);
   assert_int_equal(occurrences(t, "note: device: a note [MEM-003]"), 1);
   free(t);
}

static void
json_report(void **state)
{
   (void)state;
   char *t = report_file(PERGOLA_REPORT_JSON, false);
   assert_int_equal(occurrences(t, "\n"), 3);
   assert_int_equal(occurrences(t, "{\"severity\":\"error\",\"rule\":\"RCS-117\""), 2);
   assert_int_equal(occurrences(t, "\"subject\":\"say \\\"quoted\\\"\\u000a\""), 1);
   assert_int_equal(occurrences(t, "\"address\":\"0xabc\""), 1);
   free(t);
}

/* How often a finding was seen, in every format. */
static void
findings_are_counted(void **state)
{
   (void)state;
   char *t = report_file(PERGOLA_REPORT_TEXT, true);
   assert_int_equal(occurrences(t, "3 times: EU 0x00000077 send [SAN-010]"), 1);
   assert_int_equal(occurrences(t, " times: "), 1); /* rules of the manual are told once */
   free(t);
   t = report_file(PERGOLA_REPORT_JSON, true);
   assert_int_equal(occurrences(t, "\"count\":3"), 1);
   assert_int_equal(occurrences(t, "\n"), 5);
   free(t);
   t = report_file(PERGOLA_REPORT_SARIF, true);
   assert_int_equal(occurrences(t, "\"occurrenceCount\":3"), 1);
   free(t);
}

static void
sarif_report(void **state)
{
   (void)state;
   char *t = report_file(PERGOLA_REPORT_SARIF, false);
   assert_int_equal(occurrences(t, "\"version\":\"2.1.0\""), 1);
   assert_int_equal(occurrences(t, "\"ruleId\":\"RCS-117\""), 2);
   assert_int_equal(occurrences(t, "\"id\":\"RCS-117\""), 1);
   assert_int_equal(occurrences(t, "\"occurrenceCount\":2"), 1);
   assert_int_equal(occurrences(t, "\"level\":\"note\""), 1);
   assert_int_equal(occurrences(t, "\"absoluteAddress\":2748"), 1);
   /* It must be JSON as a parser sees it. */
   char path[] = "/tmp/pergola-sarif-XXXXXX";
   int fd = mkstemp(path);
   assert_int_equal(write(fd, t, strlen(t)), (ssize_t)strlen(t));
   close(fd);
   char command[128];
   snprintf(command, sizeof(command), "python3 -m json.tool %s >/dev/null", path);
   assert_int_equal(system(command), 0);
   unlink(path);
   free(t);
}

/* A program that dies leaves a report that can be read. */
static void
sarif_is_complete_at_any_time(void **state)
{
   (void)state;
   char path[] = "/tmp/pergola-sarif-XXXXXX", command[200];
   close(mkstemp(path));
   struct pergola_device *dev = device(PERGOLA_CHECK_REPORT);
   assert_int_equal(pergola_report_open(dev, path, PERGOLA_REPORT_SARIF), 0);
   static const unsigned at[][2] = {{0, 0}, {1, 1}, {2, 2}, {256, 256}, {300, 256}, {512, 512}};
   unsigned made = 0;
   for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
      while (made < at[i][0])
         report_at(dev, 0x1000 + 8 * made++, "S", "");
      snprintf(command, sizeof(command),
               "python3 -c 'import json; assert "
               "len(json.load(open(\"%s\"))[\"runs\"][0][\"results\"]) == %u'",
               path, at[i][1]);
      assert_int_equal(system(command), 0);
   }
   report_at(dev, 0x10, "S", "");
   pergola_device_destroy(dev);
   snprintf(command, sizeof(command),
            "python3 -c 'import json; assert "
            "len(json.load(open(\"%s\"))[\"runs\"][0][\"results\"]) == 513'",
            path);
   assert_int_equal(system(command), 0);
   unlink(path);
}

static void
unwritable_report_is_refused(void **state)
{
   (void)state;
   struct pergola_device *dev = device(PERGOLA_CHECK_REPORT);
   assert_true(pergola_report_open(dev, "/nonexistent/directory/file", PERGOLA_REPORT_TEXT) < 0);
   pergola_device_destroy(dev);
}

static void
ledger_rows_are_found(void **state)
{
   (void)state;
   assert_string_equal(ledger_find("RCS-117")->title, "Store Data Index");
   assert_null(ledger_find("RCS-X99"));
   assert_null(ledger_find(""));
   for (size_t i = 1; i < ledger_row_count; i++)
      assert_true(strcmp(ledger_rows[i - 1].id, ledger_rows[i].id) < 0);
}

static unsigned texts;

static int
count_text(FILE *f, const struct printf_info *info, const void *const *args)
{
   (void)info, (void)args;
   texts++;
   return fprintf(f, "text");
}

static int
no_arguments(const struct printf_info *info, size_t n, int *types, int *sizes)
{
   (void)info, (void)n, (void)types, (void)sizes;
   return 0;
}

/* A rule that is broken a million times at one place costs a lookup each time: its text is made
 * once. Nor is one made for those that are only counted because there are too many. */
static void
only_new_diagnostics_are_formatted(void **state)
{
   (void)state;
   assert_int_equal(register_printf_specifier('Y', count_text, no_arguments), 0);
   const char *volatile format = "a %Y";
   struct pergola_device *dev = device(PERGOLA_CHECK_REPORT);
   struct seen s = {0};
   pergola_add_diagnostic_sink(dev, note, &s);
   struct rule_place p = {"RCS", "NOOP", "", 0, true};
   for (unsigned i = 0; i < 100; i++)
      rule_report(dev, PERGOLA_ERROR, "RCS-117", &p, format, 0);
   assert_string_equal(s.message, "a text");
   assert_int_equal(texts, 1);
   for (unsigned i = 0; i < 70000; i++) {
      p.address = 4 * i;
      rule_report(dev, PERGOLA_ERROR, "RCS-117", &p, format, 0);
   }
   assert_in_range(texts, 60000, 69000);
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_ERROR), 70100);
   pergola_device_destroy(dev);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(diagnostic_carries_place_rule_and_manual),
       cmocka_unit_test(equal_diagnostics_are_counted_not_repeated),
       cmocka_unit_test(repeats_are_not_written),
       cmocka_unit_test(distinct_diagnostics_are_bounded),
       cmocka_unit_test(only_new_diagnostics_are_formatted),
       cmocka_unit_test(levels_off_report_stop),
       cmocka_unit_test(counts_are_by_severity),
       cmocka_unit_test(many_threads_report_at_once),
       cmocka_unit_test(text_report),
       cmocka_unit_test(json_report),
       cmocka_unit_test(sarif_report),
       cmocka_unit_test(findings_are_counted),
       cmocka_unit_test(sarif_is_complete_at_any_time),
       cmocka_unit_test(unwritable_report_is_refused),
       cmocka_unit_test(ledger_rows_are_found),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
