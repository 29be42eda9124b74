/* Native code against the interpreter: random kernels on two devices that differ in nothing else, cut by budgets
 * anywhere. The same inputs as those of tests/fuzz/fuzz_eu_native.c, from a generator of random numbers. */
#include "../fuzz/kernels.h"
#include "../fuzz/twins.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct twins quiet, strict;
static uint64_t state = 0x9e3779b97f4a7c15;

static uint32_t
rnd(uint32_t n)
{
   state ^= state << 13;
   state ^= state >> 7;
   state ^= state << 17;
   return (uint32_t)(state >> 16) % n;
}

static void
print_kernel(const struct twins *w, const struct twins_input *in)
{
   for (uint32_t at = 0, n; at < in->size; at += n) {
      char text[256];
      n = pergola_eu_text(w->twin[0].bench, at, text, sizeof(text));
      printf("# %4x %s\n", at, n ? text : "");
      n = n ? n : 8;
   }
}

static void
compare(struct twins *w, unsigned count, uint32_t mask, bool raw)
{
   uint8_t bytes[1200], kernel[8192];
   for (unsigned n = 0; n < count; n++) {
      uint64_t start = state;
      size_t size = 40 + rnd(rnd(4) ? 300 : sizeof(bytes) - 40);
      for (size_t i = 0; i < size; i++)
         bytes[i] = (uint8_t)rnd(256);
      struct twins_input in = {.seed = rnd(UINT32_MAX), .mask = mask ? mask : rnd(65536), .marked = rnd(2) ? 8 : (uint8_t)rnd(8),
                               .budgets = rnd(2) ? 0 : (uint8_t)rnd(40), .routine = !rnd(8), .kernel = kernel};
      struct choices c = {.p = bytes, .end = bytes + size, .device = w->twin[0].dev->hw_device};
      in.size = raw ? size : kernels_make(&c, kernel, sizeof(kernel));
      if (raw)
         memcpy(kernel, bytes, size);
      const char *why = twins_run(w, &in);
      if (why) {
         printf("# mask %x, marked %u, budgets %u, routine %d, seed %x\n", in.mask, in.marked, in.budgets, in.routine, in.seed);
         print_kernel(w, &in);
         fail_msg("state 0x%llx: %s", (unsigned long long)start, why);
      }
   }
}

static unsigned
rounds(void)
{
   const char *text = getenv("PERGOLA_NATIVE_ROUNDS");
   return text ? (unsigned)strtoul(text, NULL, 0) : 1500;
}

/* EU-188 */
static void
all_channels(void **s)
{
   (void)s;
   compare(&quiet, rounds(), 0xffff, false);
   compare(&quiet, rounds(), 0xff, false);
}

static void
some_channels(void **s)
{
   (void)s;
   compare(&quiet, rounds(), 0, false);
}

/* EU-206 */
static void
with_rules(void **s)
{
   (void)s;
   compare(&strict, rounds(), 0xffff, false);
   compare(&strict, rounds(), 0, false);
}

static void
any_bytes(void **s)
{
   (void)s;
   compare(&quiet, rounds(), 0xffff, true);
   compare(&strict, rounds(), 0, true);
}

static int
open_all(void **s)
{
   (void)s;
   const char *text = getenv("PERGOLA_NATIVE_SEED");
   if (text)
      state ^= strtoull(text, NULL, 0) * 0x2545f4914f6cdd1d;
   return twins_open(&quiet, PERGOLA_CHECK_OFF) && twins_open(&strict, PERGOLA_CHECK_REPORT) ? 0 : -1;
}

static int
close_all(void **s)
{
   (void)s;
   twins_close(&quiet);
   twins_close(&strict);
   return 0;
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_channels),
      cmocka_unit_test(some_channels),
      cmocka_unit_test(with_rules),
      cmocka_unit_test(any_bytes),
   };
   return cmocka_run_group_tests_name("eu_native", tests, open_all, close_all);
}
