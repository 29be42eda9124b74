/* A machine that cannot be made leaves nothing behind. */
#include "frontends/cli/exec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

/* Bytes of address space that the process has. */
static uint64_t
mapped(void)
{
   unsigned long long pages = 0;
   FILE *f = fopen("/proc/self/statm", "re");
   assert_non_null(f);
   assert_int_equal(fscanf(f, "%llu", &pages), 1);
   fclose(f);
   return pages * 4096;
}

static void
failure_leaves_nothing(void **state)
{
   assert_null(exec_create("no-such-part", PERGOLA_CHECK_REPORT, 0));
   uint64_t before = mapped();
   for (unsigned i = 0; i < 8; i++)
      assert_null(exec_create("no-such-part", PERGOLA_CHECK_REPORT, 0));
   assert_true(mapped() < before + EXEC_MEMORY_SIZE);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(failure_leaves_nothing)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
