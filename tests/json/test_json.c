/* The JSON writer: commas, nesting, and texts that hold anything. */
#include "json/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

struct page {
   struct json j;
   char *text;
   size_t size;
};

static void
page_begin(struct page *p)
{
   *p = (struct page){0};
   p->j.file = open_memstream(&p->text, &p->size);
   assert_non_null(p->j.file);
}

static void
page_is(struct page *p, const char *want)
{
   fclose(p->j.file);
   assert_string_equal(p->text, want);
   free(p->text);
}

static void
members_and_elements(void **state)
{
   (void)state;
   struct page p;
   page_begin(&p);
   json_object(&p.j, NULL);
   json_text(&p.j, "a", "x");
   json_array(&p.j, "b");
   json_unsigned(&p.j, NULL, 0);
   json_unsigned(&p.j, NULL, UINT64_MAX);
   json_object(&p.j, NULL);
   json_end_object(&p.j);
   json_array(&p.j, NULL);
   json_end_array(&p.j);
   json_end_array(&p.j);
   json_bool(&p.j, "c", false);
   json_text(&p.j, "d", NULL);
   json_hex(&p.j, "e", 8, 0xbeef);
   json_hex(&p.j, "f", 1, 0);
   json_thousandths(&p.j, "g", 1002);
   json_end_object(&p.j);
   page_is(&p, "{\"a\":\"x\",\"b\":[0,18446744073709551615,{},[]],\"c\":false,\"d\":null,"
               "\"e\":\"0x0000beef\",\"f\":\"0x0\",\"g\":1.002}");
}

static void
texts_are_escaped(void **state)
{
   (void)state;
   struct page p;
   page_begin(&p);
   json_text(&p.j, NULL, "q\" b\\ t\t n\n d\x7f \x01 ü");
   page_is(&p, "\"q\\\" b\\\\ t\\u0009 n\\u000a d\\u007f \\u0001 ü\"");
}

/* At the top each value stands for itself, as in files with a value per line. */
static void
values_at_the_top_are_apart(void **state)
{
   (void)state;
   struct page p;
   page_begin(&p);
   for (unsigned i = 0; i < 2; i++) {
      json_object(&p.j, NULL);
      json_unsigned(&p.j, "i", i);
      json_end_object(&p.j);
   }
   page_is(&p, "{\"i\":0}{\"i\":1}");
}

/* A report that is complete at any time: its end is written by a copy, over which it goes on. */
static void
a_copy_ends_what_stays_open(void **state)
{
   (void)state;
   struct page p;
   page_begin(&p);
   json_array(&p.j, NULL);
   json_line(&p.j);
   json_signed(&p.j, NULL, -3);
   long open = ftell(p.j.file);
   struct json copy = p.j;
   json_unsigned(&copy, NULL, 4);
   json_end_array(&copy);
   fseek(p.j.file, open, SEEK_SET);
   json_line(&p.j);
   fputs("1e3", json_value(&p.j, NULL));
   json_end_array(&p.j);
   page_is(&p, "[\n-3,\n1e3]");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(members_and_elements),
       cmocka_unit_test(texts_are_escaped),
       cmocka_unit_test(values_at_the_top_are_apart),
       cmocka_unit_test(a_copy_ends_what_stays_open),
   };
   return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
