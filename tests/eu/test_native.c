/* Native code against the interpreter: random kernels on two devices that differ in nothing else,
 * cut by budgets anywhere. The same inputs as those of tests/fuzz/fuzz_eu_native.c, from a
 * generator of random numbers. */
#include "../fuzz/loops.h"
#include "../fuzz/twins.h"
#include "texels.h"
#include "wide.h"

#include "eu/isa/asm.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include "tests/proves.h"

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

enum kind { ANY_KERNEL, ANY_BYTES, LOOPS };

static void
compare(struct twins *w, unsigned count, uint32_t mask, enum kind kind)
{
   uint8_t bytes[1200], kernel[8192];
   for (unsigned n = 0; n < count; n++) {
      uint64_t start = state;
      size_t size = 40 + rnd(rnd(4) ? 300 : sizeof(bytes) - 40);
      for (size_t i = 0; i < size; i++)
         bytes[i] = (uint8_t)rnd(256);
      struct twins_input in = {.seed = rnd(UINT32_MAX),
                               .mask = mask                        ? mask
                                       : kind == LOOPS && !rnd(16) ? 0 /* nobody */
                                                                   : rnd(65536),
                               .marked = rnd(2) ? 8 : (uint8_t)rnd(8),
                               .budgets = rnd(2) ? 0 : (uint8_t)rnd(40),
                               .routine = !rnd(8),
                               .series = rnd(2),
                               .kernel = kernel};
      struct choices c = {.p = bytes, .end = bytes + size, .device = w->twin[0].dev->hw_device};
      in.size = kind == ANY_BYTES ? size
                : kind == LOOPS   ? loops_make(&c, kernel, sizeof(kernel))
                                  : kernels_make(&c, kernel, sizeof(kernel));
      if (kind == ANY_BYTES)
         memcpy(kernel, bytes, size);
      const char *why = twins_run(w, &in);
      if (why) {
         printf("# mask %x, marked %u, budgets %u, routine %d, series %d, seed %x\n", in.mask,
                in.marked, in.budgets, in.routine, in.series, in.seed);
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

static void
all_channels(void **s)
{
   proves("EU-188");
   (void)s;
   compare(&quiet, rounds(), 0xffff, ANY_KERNEL);
   compare(&quiet, rounds(), 0xff, ANY_KERNEL);
   for (unsigned more = 0; more < 8 && quiet.series < rounds() / 20; more++)
      compare(&quiet, rounds(), 0xffff, ANY_KERNEL);
   assert_true(quiet.series >= rounds() / 20); /* kernels that can run so are not rare */
}

static void
some_channels(void **s)
{
   (void)s;
   compare(&quiet, rounds(), 0, ANY_KERNEL);
}

static void
with_rules(void **s)
{
   proves("EU-206");
   (void)s;
   compare(&strict, rounds(), 0xffff, ANY_KERNEL);
   compare(&strict, rounds(), 0, ANY_KERNEL);
}

static void
any_bytes(void **s)
{
   (void)s;
   compare(&quiet, rounds(), 0xffff, ANY_BYTES);
   compare(&strict, rounds(), 0, ANY_BYTES);
}

/* Loops that have no regions prove little: have there been second forms and sides among them? */
static bool
enough_regions(void)
{
   return quiet.regions[0] > rounds() / 2 && quiet.regions[1] > rounds() / 10 &&
          quiet.regions[2] > rounds() / 4;
}

static void
loops(void **s)
{
   proves("EU-188");
   (void)s;
   uint32_t untranslated = quiet.untranslated;
   compare(&quiet, 2 * rounds(), 0xffff, LOOPS);
   compare(&quiet, rounds(), 0xff, LOOPS);
   for (unsigned more = 0; more < 8 && !enough_regions(); more++) /* whatever the seed */
      compare(&quiet, rounds(), 0xffff, LOOPS);
   if (getenv("PERGOLA_NATIVE_ROUNDS"))
      printf("# %llu regions, %llu second forms, %llu with sides\n",
             (unsigned long long)quiet.regions[0], (unsigned long long)quiet.regions[1],
             (unsigned long long)quiet.regions[2]);
   assert_true(enough_regions());
   compare(&quiet, 2 * rounds(), 0, LOOPS);
   assert_int_equal(quiet.untranslated, untranslated);
}

static void
loops_with_rules(void **s)
{
   proves("EU-206");
   (void)s;
   compare(&strict, rounds(), 0xffff, LOOPS);
   compare(&strict, rounds(), 0, LOOPS);
}

/* ---- what random kernels have found -----------------------------------------------------------
 */

static void
run_both(const struct eu_inst *list, unsigned count, struct twins_input *in)
{
   uint8_t kernel[512];
   uint32_t dw[4];
   struct choices none = {.device = quiet.twin[0].dev->hw_device};
   for (unsigned n = 0; n < count; n++) {
      eu_inst_encode(&list[n], none.device, dw);
      memcpy(kernel + 16 * n, dw, 16);
   }
   kernels_make(&none, kernel + 16 * count, 16);
   in->kernel = kernel;
   in->size = 16 * (count + 1);
   assert_null(twins_run(&quiet, in));
   assert_int_equal(quiet.twin[0].t->stop, EU_STOP_EOT);
}

#define REGISTER(n, t)                                                                             \
   {                                                                                               \
      .file = EU_FILE_GRF, .type = t, .nr = n, .vstride = 8, .width = 8, .hstride = 1,             \
      .writemask = 15                                                                              \
   }

/* EU-127: cmp does not saturate; with the bit set it still compares. */
static void
cmp_with_sat_compares(void **s)
{
   proves("EU-127");
   (void)s;
   struct eu_inst i = {.opcode = EU_OP_CMP,
                       .size = 16,
                       .exec_size = 8,
                       .saturate = true,
                       .cond_modifier = 1,
                       .dst = REGISTER(4, EU_TYPE_F),
                       .src = {REGISTER(2, EU_TYPE_F), REGISTER(2, EU_TYPE_F)}};
   struct twins_input in = {.mask = 0xff, .marked = 8};
   run_both(&i, 1, &in);
   for (unsigned n = 0; n < 8; n++)
      assert_int_equal(eu_grf(quiet.twin[0].t, 4)[n], 0xffffffff);
   assert_int_equal(quiet.twin[0].t->flag[0] & 0xff, 0xff);
}

/* EU-130: 32 channels are sixteen doubles. */
static void
movi_of_doubles_stays_inside(void **s)
{
   proves("EU-130");
   (void)s;
   struct eu_inst i = {.opcode = EU_OP_MOVI,
                       .size = 16,
                       .exec_size = 32,
                       .no_mask = true,
                       .dst = REGISTER(4, EU_TYPE_DF),
                       .src = {REGISTER(2, EU_TYPE_DF)}};
   i.src[0].indirect = true;
   struct twins_input in = {.mask = 0xffff, .marked = 8};
   run_both(&i, 1, &in);
}

/* One word changes in a register whose contents native code still holds from before. */
static void
a_word_of_a_result(void **s)
{
   (void)s;
   struct eu_inst list[3] = {{.opcode = EU_OP_MOV,
                              .size = 16,
                              .exec_size = 8,
                              .dst = REGISTER(4, EU_TYPE_D),
                              .src = {REGISTER(2, EU_TYPE_D)}},
                             {.opcode = EU_OP_MOV,
                              .size = 16,
                              .exec_size = 1,
                              .no_mask = true,
                              .dst = REGISTER(4, EU_TYPE_UW)},
                             {.opcode = EU_OP_MOV,
                              .size = 16,
                              .exec_size = 8,
                              .dst = REGISTER(5, EU_TYPE_D),
                              .src = {REGISTER(4, EU_TYPE_D)}}};
   list[1].dst.subnr = 6;
   list[1].src[0] =
       (struct eu_operand){.file = EU_FILE_IMM, .type = EU_TYPE_UW, .width = 1, .imm = 0x1234};
   struct twins_input in = {.mask = 0xff, .marked = 8};
   run_both(list, 3, &in);
   assert_int_equal(eu_grf(quiet.twin[0].t, 5)[1] >> 16, 0x1234);
   assert_int_equal(eu_grf(quiet.twin[1].t, 5)[1] >> 16, 0x1234);
}

/* EU-206: an `endif` whose unused bits read as an indirect destination has written nothing. */
static void
a_branch_writes_nothing(void **s)
{
   proves("EU-206");
   (void)s;
   struct eu_inst list[2] = {{.opcode = EU_OP_ENDIF, .size = 16, .exec_size = 8, .jip = 2},
                             {.opcode = EU_OP_MOV,
                              .size = 16,
                              .exec_size = 8,
                              .dst = REGISTER(5, EU_TYPE_D),
                              .src = {REGISTER(127, EU_TYPE_D)}}};
   uint8_t kernel[16 * 3];
   uint32_t dw[4];
   struct choices none = {.device = strict.twin[0].dev->hw_device};
   for (unsigned n = 0; n < 2; n++) {
      eu_inst_encode(&list[n], none.device, dw);
      if (n == 0)
         dw[1] = (dw[1] & ~3u) | 1 | 1u << 31; /* the GRF, by address */
      memcpy(kernel + 16 * n, dw, 16);
   }
   kernels_make(&none, kernel + 32, 16);
   struct twins_input in = {.mask = 0xff, .marked = 1, .kernel = kernel, .size = sizeof(kernel)};
   const char *why = twins_run(&strict, &in);
   if (why)
      fail_msg("%s", why);
   assert_non_null(strstr(strict.twin[0].last, "10010: g127 is read"));
}

/* An endless loop whose mad writes x and w only: what it leaves alone must not cost a value its
 * register. */
static void
some_channels_in_a_loop(void **s)
{
   (void)s;
   struct eu_inst list[2] = {
       {.opcode = EU_OP_MAD,
        .size = 16,
        .exec_size = 16,
        .align16 = true,
        .no_mask = true,
        .dst = REGISTER(4, EU_TYPE_F),
        .src = {REGISTER(11, EU_TYPE_F), REGISTER(12, EU_TYPE_F), REGISTER(6, EU_TYPE_F)}},
       {.opcode = EU_OP_JMPI, .size = 16, .exec_size = 1, .no_mask = true}};
   list[0].dst.writemask = 9;
   for (unsigned n = 0; n < 3; n++) {
      list[0].src[n].vstride = 4, list[0].src[n].width = 4;
      list[0].src[n].swizzle = 0xe4;
      list[0].src[n].rep_ctrl = n < 2;
   }
   list[1].src[0] =
       (struct eu_operand){.file = EU_FILE_IMM, .type = EU_TYPE_D, .width = 1, .imm = (uint32_t)-4};
   uint8_t kernel[16 * 3];
   uint32_t dw[4];
   struct choices none = {.device = quiet.twin[0].dev->hw_device};
   for (unsigned n = 0; n < 2; n++) {
      eu_inst_encode(&list[n], none.device, dw);
      memcpy(kernel + 16 * n, dw, 16);
   }
   kernels_make(&none, kernel + 32, 16);
   uint64_t before = quiet.regions[0];
   for (uint32_t seed = 0; seed < 20; seed++) {
      struct twins_input in = {
          .mask = 0xff, .marked = 8, .seed = seed, .kernel = kernel, .size = sizeof(kernel)};
      const char *why = twins_run(&quiet, &in);
      if (why)
         fail_msg("%s", why);
   }
   assert_true(quiet.regions[0] > before);
}

/* The same on both devices, in short kernels of this text. */
static void
compare_text(const char *text)
{
   struct eu_program program;
   struct eu_asm_error error;
   assert_true(eu_asm_text(text, strlen(text), quiet.twin[0].dev->hw_device, &program, &error));
   for (uint32_t seed = 0; seed < 20; seed++) {
      struct twins_input in = {.mask = seed % 2 ? 0xff : 0x5630,
                               .marked = 8,
                               .seed = seed,
                               .kernel = program.bytes,
                               .size = program.size};
      const char *why = twins_run(&quiet, &in);
      if (why)
         fail_msg("%s", why);
   }
   eu_program_free(&program);
}

#define END_OF_THREAD                                                                              \
   "send(8) null<1>UW g127<8,8,1>UD 0x82000010 thread_spawner { align1 WE_all 1Q EOT };\n"

/* Channels that go on outside of the kernel, at no end of this loop. */
static void
a_continue_to_nowhere(void **s)
{
   (void)s;
   compare_text("add(8) g9<1>D g9<8,8,1>D 1D { align1 1Q };\n"
                "cont(16) JIP: 2 UIP: -30 { align1 1H };\n"
                "(+f0.0) while(16) JIP: -4 { align1 1H };\n" END_OF_THREAD);
}

/* What threads of a series leave behind: also a remainder, in the register after the quotient. */
static void
a_remainder_is_left(void **s)
{
   (void)s;
   compare_text(
       "math intdivmod(4) g20<1>D g9<4,4,1>D g10<4,4,1>D { align1 WE_all 1N };\n" END_OF_THREAD);
   const struct eu_kernel *k = quiet.twin[1].t->kernel;
   assert_true(k && k->simple);
   assert_int_equal(k->touches[0], 3 << 20);
}

/* A comparison, a choice, or a copy of some channels, by one of the flags. */
static struct eu_inst
by_flags(void)
{
   static const uint8_t types[] = {EU_TYPE_D, EU_TYPE_UD, EU_TYPE_F};
   static const uint8_t opcodes[] = {EU_OP_CMP, EU_OP_CMP, EU_OP_SEL, EU_OP_SEL,
                                     EU_OP_MOV, EU_OP_ADD, EU_OP_MATH};
   uint8_t type = types[rnd(3)];
   struct eu_inst i = {.opcode = opcodes[rnd(rnd(4) ? 5 : 7)],
                       .size = 16,
                       .exec_size = rnd(3) ? 16 : 8,
                       .no_mask = rnd(6) == 0,
                       .flag_nr = (uint8_t)(rnd(6) == 0),
                       .flag_subnr = (uint8_t)(rnd(6) == 0),
                       .dst = REGISTER((uint8_t)(40 + 2 * rnd(5)), type),
                       .src = {REGISTER((uint8_t)(40 + 2 * rnd(5)), type),
                               REGISTER((uint8_t)(8 + 2 * rnd(16)), type)}};
   if (i.exec_size == 8 && rnd(2))
      i.quarter = 1;
   i.cond_modifier = i.opcode == EU_OP_CMP ? (uint8_t)(1 + rnd(6)) : 0;
   i.predicate = i.opcode == EU_OP_SEL || rnd(i.opcode == EU_OP_CMP ? 8 : 2) == 0;
   i.predicate_inverse = i.predicate && rnd(3) == 0;
   if (i.opcode == EU_OP_CMP && rnd(2))
      i.dst = (struct eu_operand){.file = EU_FILE_ARF, .type = type, .hstride = 1};
   if (i.opcode == EU_OP_MATH) {
      i.math_function = EU_MATH_INV;
      i.dst.type = i.src[0].type = EU_TYPE_F;
      i.src[1] = (struct eu_operand){.file = EU_FILE_ARF, .type = EU_TYPE_F};
   }
   return i;
}

static void
comparisons_and_choices(void **s)
{
   (void)s;
   for (unsigned n = 0; n < 3000; n++) {
      struct eu_inst list[24];
      unsigned count = 2 + rnd(22);
      for (unsigned i = 0; i < count; i++)
         list[i] = by_flags();
      struct twins_input in = {.mask = n & 1 ? 0xffff : rnd(65536) | 1,
                               .marked = 8,
                               .seed = n << 4,
                               .series = n >> 1 & 1};
      run_both(list, count, &in);
   }
}

/* Dwords from anywhere: the first message, of a row or not, goes by its fast path and opens a
 * window, the others find it. Half of the offsets may be small. The third leaves its response where
 * the offsets were; of the third buffer most dwords lie outside. */
static void
reads_from_anywhere(void **s)
{
   (void)s;
   unsigned windows = 0;
   for (unsigned n = 0; n < 400; n++) {
      bool wide = n & 1;
      const uint8_t to[6][2] = {{4 + (n >> 5 & 1), 4 + (n >> 5 & 1)},
                                {20, 2 + 2 * (n >> 4 & 1)},
                                {0, 0},
                                {24, 4},
                                {4, 4},
                                {28, 4}};
      struct eu_inst list[6] = {{.opcode = EU_OP_AND,
                                 .size = 16,
                                 .exec_size = 8,
                                 .dst = REGISTER(to[0][0], EU_TYPE_UD),
                                 .src = {REGISTER(to[0][1], EU_TYPE_UD)}}};
      list[0].src[1] = (struct eu_operand){
          .file = EU_FILE_IMM, .type = EU_TYPE_UD, .width = 1, .imm = n & 64 ? 0x5c : 0x7ff};
      for (unsigned i = 1; i < 6; i++) {
         list[i] = (struct eu_inst){.opcode = EU_OP_SEND,
                                    .size = 16,
                                    .exec_size = wide ? 16 : 8,
                                    .sfid = EU_SFID_DATA,
                                    .dst = REGISTER(to[i][0], EU_TYPE_UD),
                                    .src = {REGISTER(to[i][1], EU_TYPE_UD)}};
         list[i].desc = n / 2 % 3 | 14u << 8 | (wide ? 1u : 2u) << 12 | 5u << 14 |
                        (wide ? 2u : 1u) << 20 | (wide ? 2u : 1u) << 25;
      }
      struct twins_input in = {.mask = wide ? 0xffff : 0xff, .marked = 8, .seed = n << 4};
      list[2] = (struct eu_inst){.opcode = EU_OP_NOP, .size = 16}; /* a new block */
      run_both(list, 6, &in);
      windows += quiet.twin[1].buffers.view[n / 2 % 3].window[0].limit[3] != 0;
   }
   assert_in_range(windows, 100, 400);
}

/* Several dwords of one place for all slots: the first message goes by its fast path and opens a
 * window, the others find it; one slot may have another place. Places go beyond the ends of the
 * buffers. Responses may lie where the offsets were. */
static void
dwords_of_one_place(void **s)
{
   (void)s;
   unsigned windows = 0;
   for (unsigned n = 0; n < 1200; n++) {
      bool wide = n & 1, odd = n % 8 == 5;
      unsigned regs = wide ? 2 : 1, bti = n / 2 % 3;
      struct eu_inst list[7] = {{.opcode = EU_OP_AND,
                                 .size = 16,
                                 .exec_size = wide ? 16 : 8,
                                 .dst = REGISTER(40, EU_TYPE_UD),
                                 .src = {REGISTER(4, EU_TYPE_UD)}},
                                {.opcode = EU_OP_NOP, .size = 16}};
      list[0].src[0].vstride = 0, list[0].src[0].width = 1, list[0].src[0].hstride = 0;
      list[0].src[0].subnr = (uint8_t)(4 * (n / 6 % 8));
      list[0].src[1] = (struct eu_operand){.file = EU_FILE_IMM,
                                           .type = EU_TYPE_UD,
                                           .width = 1,
                                           .imm = bti == 2 ? 0x7f
                                                  : n & 64 ? 0xfff
                                                           : 0x7fc};
      if (odd) { /* one slot */
         list[1] = list[0];
         list[1].exec_size = 1, list[1].no_mask = true;
         list[1].dst.nr = (uint8_t)(40 + (wide && n & 16)), list[1].dst.subnr = n & 28;
         list[1].src[0].nr = 2;
      }
      for (unsigned i = 2; i < 7; i++) {
         unsigned count = 2 + (n / 3 + i) % 3;
         list[i] =
             (struct eu_inst){.opcode = EU_OP_SEND,
                              .size = 16,
                              .exec_size = wide ? 16 : 8,
                              .sfid = EU_SFID_DATA,
                              .dst = REGISTER((uint8_t)(i == 5 ? 40 : 8 + 8 * (i & 1)), EU_TYPE_UD),
                              .src = {REGISTER(40, EU_TYPE_UD)}};
         list[i].desc = bti | (15u & ~((1u << count) - 1)) << 8 | (wide ? 1u : 2u) << 12 |
                        5u << 14 | count * regs << 20 | regs << 25;
      }
      list[3] = (struct eu_inst){.opcode = EU_OP_NOP, .size = 16}; /* a new block */
      list[4].dst.nr = 60;
      struct twins_input in = {
          .mask = wide ? 0xffff : 0xff, .marked = 8, .seed = n << 4, .series = n >> 2 & 1};
      run_both(list, 7, &in);
      windows += quiet.twin[1].buffers.view[bti].window[0].limit[3] != 0;
   }
   assert_in_range(windows, 300, 1200);
}

/* ---- several host threads at once ----------------------------------------------------------- */

/* Channel k counts down from its number and adds 1 each time; those that have ended wait. */
static const char counting[] =
    "mov(16) g4<1>D 0D { align1 1H };\n"
    "add(16) g4<1>D g4<8,8,1>D 1D { align1 1H };\n"
    "add.g.f0.0(16) g2<1>D g2<8,8,1>D -1D { align1 1H };\n"
    "(+f0.0) while(16) JIP: -4 { align1 1H };\n"
    "mul(16) g6<1>D g4<8,8,1>D 3W { align1 1H };\n"
    "send(8) null<1>UW g127<8,8,1>UD 0x82000010 thread_spawner { align1 WE_all 1Q EOT };\n";

struct worker {
   pthread_t id;
   struct pergola_device *dev;
   const struct eu_env *env;
   unsigned number, wrong;
};

static void *
work(void *data)
{
   struct worker *w = data;
   struct eu_thread *t = aligned_alloc(64, (sizeof(*t) + 63) & ~(size_t)63);
   if (!t)
      return NULL;
   for (unsigned n = 0; n < 400; n++) {
      eu_thread_init(t, w->env, 0, 0xffff);
      eu_thread_mark(t, 0, 128);
      for (unsigned k = 0; k < 16; k++)
         eu_grf(t, 2)[k] = 1 + (k + n) % 16;
      enum eu_stop stop = EU_STOP_BUDGET;
      while (stop == EU_STOP_BUDGET)
         stop = eu_run(t, 7 + n % 50);
      w->wrong += stop != EU_STOP_EOT || t->instructions != 1 + 3 * 16 + 2;
      for (unsigned k = 0; k < 16; k++)
         w->wrong += eu_grf(t, 6)[k] != 3 * (1 + (k + n) % 16);
      if (n % 100 == 50 + w->number) /* everybody looks at the kernel again */
         eu_invalidate_instructions(w->dev->eu);
   }
   free(t);
   return NULL;
}

static void
on_several_threads(enum pergola_native native)
{
   struct pergola_config config = {.check = PERGOLA_CHECK_REPORT, .native = native};
   struct pergola_eu_bench *bench = pergola_eu_create(&config, NULL);
   struct worker w[4];
   struct pergola_eu_error error;
   assert_non_null(bench);
   if (pergola_eu_load_text(bench, counting, strlen(counting), &error))
      fail_msg("line %u: %s", error.line, error.message);
   assert_int_equal(pergola_eu_start(bench, 1, 0xffff), 0);
   const struct eu_thread *first = pergola_eu_grf(bench, 0);
   for (unsigned n = 0; n < 4; n++) {
      w[n] = (struct worker){.dev = pergola_eu_device(bench), .env = first->env, .number = n};
      assert_int_equal(pthread_create(&w[n].id, NULL, work, &w[n]), 0);
   }
   for (unsigned n = 0; n < 4; n++) {
      pthread_join(w[n].id, NULL);
      assert_int_equal(w[n].wrong, 0);
   }
   pergola_eu_destroy(bench);
}

/* One translates while others run. */
static void
several_host_threads(void **s)
{
   (void)s;
   on_several_threads(PERGOLA_NATIVE_OFF);
   for (unsigned n = 0; n < 5; n++) {
      on_several_threads(PERGOLA_NATIVE_AUTO);
      on_several_threads(PERGOLA_NATIVE_ALWAYS);
   }
}

static int
open_all(void **s)
{
   (void)s;
   const char *text = getenv("PERGOLA_NATIVE_SEED");
   if (text)
      state ^= strtoull(text, NULL, 0) * 0x2545f4914f6cdd1d;
   return twins_open(&quiet, PERGOLA_CHECK_OFF) && twins_open(&strict, PERGOLA_CHECK_REPORT) ? 0
                                                                                             : -1;
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
       cmocka_unit_test(loops),
       cmocka_unit_test(loops_with_rules),
       cmocka_unit_test(cmp_with_sat_compares),
       cmocka_unit_test(movi_of_doubles_stays_inside),
       cmocka_unit_test(a_word_of_a_result),
       cmocka_unit_test(a_branch_writes_nothing),
       cmocka_unit_test(some_channels_in_a_loop),
       cmocka_unit_test(a_continue_to_nowhere),
       cmocka_unit_test(a_remainder_is_left),
       cmocka_unit_test(comparisons_and_choices),
       cmocka_unit_test(reads_from_anywhere),
       cmocka_unit_test(dwords_of_one_place),
       cmocka_unit_test(several_host_threads),
       cmocka_unit_test(side_by_side),
       cmocka_unit_test(not_side_by_side),
       cmocka_unit_test(texels),
       cmocka_unit_test(texels_with_rules),
   };
   return cmocka_run_group_tests_name("eu_native", tests, open_all, close_all);
}
