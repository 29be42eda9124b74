/* What fuzzers of the 3D pipeline have found worth keeping (tests/fuzz/corpus), once more in every
 * build: a fuzzer that does not hold what it promises ends the program.
 *
 * usage: replay CORPUS */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/proves.h"

#define INPUT_MOST 65536u

typedef int (*fuzz_fn)(const uint8_t *data, size_t size);
/* LLVMFuzzerTestOneInput of each. */
int replay_draw(const uint8_t *data, size_t size);
int replay_mcs(const uint8_t *data, size_t size);
int replay_pixels(const uint8_t *data, size_t size);
int replay_sampler(const uint8_t *data, size_t size);
int replay_stages(const uint8_t *data, size_t size);

static const char *corpus;

static void
replay_file(const char *path, fuzz_fn fn)
{
   static uint8_t data[INPUT_MOST];
   FILE *f = fopen(path, "rb");
   assert_non_null(f);
   size_t size = fread(data, 1, sizeof(data), f);
   fclose(f);
   assert_in_range(size, 1, sizeof(data) - 1);
   assert_int_equal(fn(data, size), 0);
}

/* All that is kept of a fuzzer; returns how many inputs. */
static unsigned
replay(const char *name, fuzz_fn fn)
{
   char path[1024];
   unsigned count = 0;
   snprintf(path, sizeof(path), "%s/%s", corpus, name);
   DIR *d = opendir(path);
   if (!d)
      fail_msg("nothing is kept of %s", name);
   for (const struct dirent *e; (e = readdir(d));) {
      if (e->d_name[0] == '.')
         continue;
      snprintf(path, sizeof(path), "%s/%s/%s", corpus, name, e->d_name);
      replay_file(path, fn);
      count++;
   }
   closedir(d);
   return count;
}

/* State with a primitive, vertex fetch, vertices for the rasteriser. */
static void
draw(void **state)
{
   (void)state;
   proves("P3D-391");
   assert_true(replay("fuzz_draw", replay_draw) >= 4);
}

/* Tessellation factors, control data, declarations. */
static void
stages(void **state)
{
   (void)state;
   proves("P3D-391");
   assert_true(replay("fuzz_stages", replay_stages) >= 4);
}

/* Depth, stencil, the colour calculator. */
static void
pixels(void **state)
{
   (void)state;
   proves("P3D-391");
   assert_true(replay("fuzz_pixels", replay_pixels) >= 4);
}

static void
mcs(void **state)
{
   (void)state;
   assert_true(replay("fuzz_mcs", replay_mcs) >= 4);
}

static void
sampler(void **state)
{
   (void)state;
   assert_true(replay("fuzz_sampler", replay_sampler) >= 4);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(draw), cmocka_unit_test(stages),  cmocka_unit_test(pixels),
       cmocka_unit_test(mcs),  cmocka_unit_test(sampler),
   };
   if (argc != 2)
      return 2;
   corpus = argv[1];
   return cmocka_run_group_tests_name("fuzz_replay", tests, NULL, NULL);
}
