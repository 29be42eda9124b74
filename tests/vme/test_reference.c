/* The model against the independent reference: every bit of every answer, on random legal requests.
 * PERGOLA_SEED chooses others, the first argument how many. */
#include "tests/proves.h"
#include "tests/vme/generator.h"
#include "tests/vme/reference/reference.h"
#include "tests/vme/stand.h"

#include <inttypes.h>

#define PER_CONTENT 25 /* requests on the same pictures */

static unsigned long total_count = 10000;
static uint64_t seed;

static void
print_difference(const struct vme_request *q, unsigned n, uint32_t model[10][8],
                 uint32_t expected[10][8])
{
   for (unsigned r = 0; r < n; r++)
      for (unsigned d = 0; d < 8; d++)
         if (model[r][d] != expected[r][d])
            print_error("answer %u.%u: model %08" PRIx32 ", reference %08" PRIx32 "\n", r, d,
                        model[r][d], expected[r][d]);
   print_error("descriptor %05" PRIx32 "\n", q->descriptor);
   for (unsigned r = 0; r < 2; r++) {
      print_error("M%u", r);
      for (unsigned d = 0; d < 8; d++)
         print_error(" %08" PRIx32, q->in[r][d]);
      print_error("\n");
   }
   print_error("W0");
   for (unsigned d = 0; d < 8; d++)
      print_error(" %08" PRIx32, expected[0][d]);
   print_error("\n");
}

/* How often each decision, exit, step and type was seen: a generator that never reaches a part of
 * VME proves nothing about it. */
static struct {
   unsigned decision[16]; /* W0.7[31:16] */
   unsigned type[2][32];  /* inter, intra */
   unsigned skip, direct, minor, registers[11];
} seen;

static void
count_answer(unsigned n, uint32_t w[10][8])
{
   for (unsigned i = 0; i < 16; i++)
      seen.decision[i] += w[0][7] >> (16 + i) & 1;
   seen.type[w[0][0] >> 13 & 1][w[0][0] >> 8 & 31]++;
   seen.skip += w[0][0] >> 2 & 1;
   seen.direct += !(w[0][0] >> 2 & 1) && w[0][3] >> 28 != 0 && w[0][3] >> 28 != 15;
   seen.minor += (w[0][7] & 255) != 0;
   seen.registers[n]++;
}

static void
compare(void **state, unsigned features, unsigned share)
{
   struct vme_stand *s = *state;
   unsigned long count = total_count * share / 100;
   unsigned failures = 0;
   struct generator *g = malloc(sizeof(*g));
   assert_non_null(g);
   for (unsigned long i = 0; i < count; i++) {
      struct vme_request q;
      uint32_t model[10][8] = {{0}}, expected[10][8] = {{0}};
      uint64_t group = i / PER_CONTENT;
      if (i % PER_CONTENT == 0) {
         generate_begin(g, seed + ((uint64_t)features << 32) + group);
         generate_content(g);
         stand_forget(s);
      }
      generate_request(g, features, &q);
      unsigned n = vme_reference_run(&q, expected);
      unsigned m = vme_model_run(s, &q, model);
      count_answer(n, expected);
      if (s->rule_count && !(features & GENERATE_ILLEGAL))
         fail_msg("the request is not legal: %s", s->rules[0]);
      s->rule_count = 0;
      if (n == m && !memcmp(model, expected, n * sizeof(model[0])))
         continue;
      print_error("request %lu of features %u, seed %" PRIu64 ": %u and %u registers\n", i,
                  features, seed, m, n);
      print_difference(&q, n < m ? n : m, model, expected);
      if (++failures == 4)
         break;
   }
   free(g);
   assert_int_equal(failures, 0);
}

static void
integer_search(void **state)
{
   proves("VME-060", "VME-327", "VME-329", "VME-361", "VME-368", "VME-369", "VME-380", "VME-381",
          "VME-389", "VME-392");
   compare(state, 0, 13);
}

static void
fractional(void **state)
{
   proves("VME-072", "VME-077", "VME-078", "VME-080", "VME-122", "VME-132", "VME-133", "VME-223",
          "VME-277", "VME-322");
   compare(state, GENERATE_FRACTIONAL, 12);
}

static void
bidirectional(void **state)
{
   proves("VME-009", "VME-012", "VME-014", "VME-039", "VME-042", "VME-083", "VME-269", "VME-301",
          "VME-325", "VME-386");
   compare(state, GENERATE_FRACTIONAL | GENERATE_BIDIRECTIONAL, 13);
}

static void
skip_and_direct(void **state)
{
   proves("VME-023", "VME-248", "VME-287", "VME-294", "VME-307", "VME-337", "VME-339", "VME-350",
          "VME-363", "VME-390");
   compare(state, GENERATE_FRACTIONAL | GENERATE_BIDIRECTIONAL | GENERATE_SKIP, 12);
}

static void
intra_only(void **state)
{
   proves("VME-104", "VME-109", "VME-186", "VME-256", "VME-315", "VME-318", "VME-396", "VME-397",
          "VME-398", "VME-401");
   compare(state, GENERATE_INTRA | GENERATE_INTRA_ONLY, 8);
}

static void
intra_and_inter(void **state)
{
   proves("VME-362", "VME-364");
   compare(state, GENERATE_INTRA, 5);
}

static void
early_exits(void **state)
{
   proves("VME-040", "VME-094", "VME-098", "VME-100", "VME-130", "VME-266", "VME-291", "VME-296",
          "VME-324", "VME-344");
   compare(state, GENERATE_ALL & ~GENERATE_STREAMS, 12);
}

static void
streams(void **state)
{
   proves("VME-168", "VME-169", "VME-170", "VME-171", "VME-172", "VME-173", "VME-374", "VME-375",
          "VME-376", "VME-377");
   compare(state, GENERATE_FRACTIONAL | GENERATE_BIDIRECTIONAL | GENERATE_STREAMS, 8);
}

static void
everything(void **state)
{
   proves("VME-102", "VME-267", "VME-399");
   compare(state, GENERATE_ALL, 12);
}

static void
reserved_codes(void **state)
{
   proves("VME-146");
   compare(state, GENERATE_ALL | GENERATE_ILLEGAL, 5);
}

/* Runs last: what the cases above have met. */
static void
all_was_met(void **state)
{
   (void)state;
   if (total_count < 8000 || getenv("PROVES_CASE"))
      return; /* too few to expect all of it */
   for (unsigned i = 0; i < 16; i++)
      if (!seen.decision[i])
         fail_msg("no answer had W0.7[%u]", 16 + i);
   for (unsigned i = 1; i < 8; i++)
      assert_true(seen.type[0][i]);
   assert_true(seen.type[0][8] + seen.type[0][9] + seen.type[0][0xa] + seen.type[0][0xb]);
   assert_true(seen.type[0][0x16]);
   assert_true(seen.type[1][0] && seen.type[1][0x15] && seen.type[1][0x16] && seen.type[1][0x17]);
   assert_true(seen.skip && seen.direct && seen.minor);
   assert_true(seen.registers[1] && seen.registers[6] && seen.registers[8] && seen.registers[10]);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
       STAND_TEST(integer_search),  STAND_TEST(fractional),        STAND_TEST(bidirectional),
       STAND_TEST(skip_and_direct), STAND_TEST(intra_only),        STAND_TEST(intra_and_inter),
       STAND_TEST(early_exits),     STAND_TEST(streams),           STAND_TEST(everything),
       STAND_TEST(reserved_codes),  cmocka_unit_test(all_was_met),
   };
   const char *given = getenv("PERGOLA_SEED");
   seed = given ? strtoull(given, NULL, 0) : 1;
   if (argc > 1)
      total_count = strtoul(argv[1], NULL, 0);
   printf("# PERGOLA_SEED=%" PRIu64 ", %lu requests\n", seed, total_count);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
