/* Threads as iterations of a loop (eu/jit/iterate.c) against the interpreter: random kernels that
 * go straight to their end, with random budgets. Memory, the number of turns and what is reported
 * are the same; and most threads that could be iterations are. */
#include "stage.h"

#include "machine/host.h"
#include "eu/jit/jit.h"
#include "tests/proves.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define GROUPS 9u
#define THREADS 5u
#define ROWS 4u
#define KERNELS 80u
#define RESULT_SIZE (GROUPS * THREADS * 64)

/* ---- random kernels ------------------------------------------------------------------------- */

static char text[1 << 16];
static uint32_t seed;

static uint32_t
any(uint32_t below)
{
   seed = seed * 1664525u + 1013904223u;
   return (seed >> 8) % below;
}

__attribute__((format(printf, 1, 2))) static void
say(const char *format, ...)
{
   va_list list;
   size_t length = strlen(text);
   va_start(list, format);
   vsnprintf(text + length, sizeof(text) - length, format, list);
   va_end(list);
}

/* g40: where the thread's results go, g32: bytes of a lane, g34: of the group; g60 to g68: what is
 * computed with. */
static void
prologue(void)
{
   say("mov(8) g30<1>UW 0x76543210V { align1 WE_all 1Q };\n"
       "add(8) g30.8<1>UW g30<8,8,1>UW 0x0008UW { align1 WE_all 1Q };\n"
       "mov(16) g32<1>D g30<8,8,1>UW { align1 1H };\n"
       "shl(16) g32<1>D g32<8,8,1>D 0x00000002UD { align1 1H };\n"
       "mov(16) g34<1>UD g0.1<0,1,0>UD { align1 1H };\n"
       "mul(16) g34<1>D g34<8,8,1>D %uW { align1 1H };\n"
       "mov(16) g36<1>UD g1<0,1,0>UD { align1 1H };\n"
       "shl(16) g36<1>D g36<8,8,1>D 0x00000004UD { align1 1H };\n"
       "add(16) g40<1>D g32<8,8,1>D g34<8,8,1>D { align1 1H };\n"
       "add(16) g40<1>D g40<8,8,1>D g36<8,8,1>D { align1 1H };\n",
       THREADS * 64);
   for (unsigned r = 60; r < 70; r += 2)
      say("add(16) g%u<1>D g%u<8,8,1>D %dD { align1 1H };\n", r, any(2) ? 40 : 32, (int)any(1000));
}

static unsigned
pool(void)
{
   return 60 + 2 * any(5);
}

static const char *
source(const char *type)
{
   static char out[4][64];
   static unsigned next;
   char *s = out[next = (next + 1) % 4];
   switch (any(8)) {
   case 0: /* a constant of the thread */
      snprintf(s, 64, "g%u.%u<0,1,0>%s", 1 + any(ROWS), any(8), type);
      break;
   case 1:
      snprintf(s, 64, "g32<8,8,1>%s", type);
      break;
   case 2: /* out of the middle of other registers */
      snprintf(s, 64, "g%u.%u<0,1,0>%s", pool(), any(8), type);
      break;
   default:
      snprintf(s, 64, "%sg%u<8,8,1>%s", any(6) ? "" : "-", pool(), type);
   }
   return s;
}

/* The next instruction asks a flag; some ask one that nobody has written. */
static void
flags(void)
{
   static const char *const condition[] = {"z", "nz", "g", "ge", "l", "le"};
   const char *type = any(2) ? "D" : "F";
   if (any(8))
      say("cmp.%s.f0.0(16) null<1>%s g%u<8,8,1>%s %s { align1 1H };\n", condition[any(6)], type,
          pool(), type, source(type));
}

static void
compute(void)
{
   static const char *const integer[] = {"add", "xor", "and", "or"},
                            *const number[] = {"add", "mul"},
                            *const math[] = {"inv", "sqrt", "rsq", "exp", "sin"};
   unsigned r = pool(), x = pool();
   switch (any(12)) {
   case 0:
      say("%s(16) g%u<1>F %s %s { align1 1H };\n", number[any(2)], r, source("F"), source("F"));
      break;
   case 1:
      say("mad(8) g%u<1>F g%u<4,4,1>F g%u<4,4,1>F g%u<4,4,1>F { align16 1Q };\n"
          "mad(8) g%u<1>F g%u<4,4,1>F g%u<4,4,1>F g%u<4,4,1>F { align16 2Q };\n",
          r, x, x, 32, r + 1, x + 1, r + 1, 33);
      break;
   case 2:
      say("math %s(16) g%u<1>F g%u<8,8,1>F null<8,8,1>F { align1 1H };\n", math[any(5)], r, x);
      break;
   case 3:
      say("mov(16) g%u<1>%s g%u<8,8,1>%s { align1 1H };\n", r, any(2) ? "D" : "F", x,
          any(2) ? "D" : "F");
      break;
   case 4:
      say("%s(16) g%u<1>D %s %uUD { align1 1H };\n", any(2) ? "shl" : "asr", r, source("D"),
          any(32));
      break;
   case 5: /* in parts */
      say("mov(8) g%u<1>UW g%u<16,8,2>UW { align1 1Q };\n", r, x);
      break;
   case 6:
      say("mov(16) g%u<1>UD g%u<32,8,4>UB { align1 1H };\n", r, x);
      break;
   case 7:
      flags();
      say("(%sf0.0) sel(16) g%u<1>D %s %s { align1 1H };\n", any(2) ? "+" : "-", r, source("D"),
          source("D"));
      break;
   case 8:
      flags();
      say("(%sf0.0) mov(16) g%u<1>UD %s { align1 1H };\n", any(2) ? "+" : "-", r, source("UD"));
      break;
   case 9: /* one dword, which all go by */
      say("add(1) g%u.%u<1>UD %s 7UD { align1 WE_all 1N };\n", r, any(8), "g32.1<0,1,0>UD");
      break;
   case 10: /* the same for all threads */
      say("mov(16) g50<1>UD g0.1<0,1,0>UD { align1 1H };\n"
          "add(16) g52<1>D g50<8,8,1>D %uD { align1 1H };\n"
          "xor(16) g%u<1>UD g52<8,8,1>UD g%u<8,8,1>UD { align1 1H };\n",
          any(1000), r, x);
      break;
   default:
      say("%s(16) g%u<1>UD g%u<8,8,1>UD %s { align1 1H };\n", integer[any(4)], r, x, source("UD"));
   }
}

/* A row; seldom one that is at no dword, past the end or no row at all. */
static void
read_row(void)
{
   switch (any(12)) {
   case 0:
      say("add(16) g44<1>D g40<8,8,1>D %uD { align1 1H };\n", 1 + any(RESULT_SIZE));
      break;
   case 1:
      say("mul(16) g44<1>D g32<8,8,1>D %uW { align1 1H };\n", any(3) ? 1 : any(4));
      break;
   case 2:
      say("add(16) g44<1>D g32<8,8,1>D %uD { align1 1H };\n", 4 * any(100));
      break;
   default:
      say("mov(16) g44<1>UD g40<8,8,1>UD { align1 1H };\n");
   }
   say("send(16) g%u<1>UW g44<8,8,1>UD 0x04215e00 data MsgDesc: mlen 2 rlen 2 { align1 1H };\n",
       pool());
}

static void
make_kernel(void)
{
   text[0] = 0;
   prologue();
   for (unsigned n = 4 + any(30); n; n--)
      if (any(6))
         compute();
      else
         read_row();
   if (!any(6)) /* in common or not */
      say("xor(16) g60<1>UD g60<8,8,1>UD g0.%u<0,1,0>UD { align1 1H };\n", any(8));
   for (unsigned r = 60; r < 70; r += 2)
      say("add(16) g42<1>D g%u<8,8,1>D g%u<8,8,1>D { align1 1H };\n", r == 60 ? 60 : 42, r);
   say("send(16) null<1>UW g40<8,8,1>UD 0x08035e00 data MsgDesc: mlen 4 rlen 0 { align1 1H };\n"
       "%s",
       END_OF_THREAD);
}

/* ---- a walk --------------------------------------------------------------------------------- */

struct outcome {
   uint8_t memory[RESULT_SIZE];
   unsigned turns, reports;
   uint64_t between; /* the memory as each turn has left it, as a hash */
   uint64_t iterations;
};

/* A turn that exceeds its budget pays in the next one, so the number of turns alone tells little.
 */
static void
look(struct stage *s, struct outcome *o)
{
   const uint32_t *memory = stage_memory(s, STAGE_OUT);
   for (unsigned i = 0; i < RESULT_SIZE / 4; i++)
      o->between = (o->between ^ memory[i]) * UINT64_C(0x100000001b3);
}

static void
run(unsigned native_after, bool rules, uint32_t mask, uint64_t budget, struct outcome *o)
{
   struct stage *s =
       stage_create_checked("ivb-gt2", rules ? PERGOLA_CHECK_REPORT : PERGOLA_CHECK_OFF);
   assert_non_null(s);
   s->dev->eu->native_after = native_after;
   media_set_run(s->media, eu_run_inside);
   stage_standard(s, true);
   *stage_memory(s, STAGE_SURFACE) = 0x40;
   gen7_render_surface_state_pack(
       stage_memory(s, STAGE_SURFACE + 0x40),
       &(struct hw_render_surface_state){.surface_type = 4,
                                         .surface_format = 0x1ff,
                                         .surface_base_address = STAGE_OUT,
                                         .width = (RESULT_SIZE - 1) & 127,
                                         .height = (RESULT_SIZE - 1) >> 7});
   stage_assemble(s, text, 0x400);
   for (unsigned i = 0; i < RESULT_SIZE / 4; i++) /* numbers, small and large, and NaN */
      stage_memory(s, STAGE_OUT)[i] = i * 0x01234567u;
   struct hw_interface_descriptor_data d = {.kernel_start_pointer = 0x400,
                                            .constant_urb_entry_read_length = ROWS};
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   struct hw_gpgpu_walker w = stage_walk(1, 16, THREADS, GROUPS, 1, 1);
   uint32_t dw[GEN7_GPGPU_WALKER_LENGTH];
   w.right_execution_mask = mask;
   gen7_gpgpu_walker_pack(dw, &w);
   enum cs_result r = stage_direct(s, dw, GEN7_GPGPU_WALKER_LENGTH, budget);
   o->turns = 1;
   o->between = 0;
   look(s, o);
   for (; r == CS_AGAIN && o->turns < 100000; o->turns++) {
      r = stage_direct(s, dw, GEN7_GPGPU_WALKER_LENGTH, budget);
      look(s, o);
   }
   assert_int_equal(r, CS_DONE);
   memcpy(o->memory, stage_memory(s, STAGE_OUT), RESULT_SIZE);
   o->reports = 0;
   for (const struct rig_diagnostic *n = s->rig->diagnostics; n; n = n->next)
      o->reports++;
   o->iterations = ((struct group_worker *)(void *)s->media->crew.worker[0])->iterations;
   stage_destroy(s);
}

static void
iterations_are_exact(void **state)
{
   (void)state;
   proves("EU-188", "EU-037");
   static struct outcome interpreted, native;
   const char *asked = getenv("PERGOLA_SEED");
   uint32_t first = asked ? (uint32_t)strtoul(asked, NULL, 0) : 1; /* each run the same */
   uint64_t threads = 0, iterations = 0;
   if (!host_has_vectors())
      skip();
   print_message("# PERGOLA_SEED=%u\n", first);
   for (unsigned n = 0; n < KERNELS; n++) {
      seed = first + n;
      any(2);
      make_kernel();
      static const uint32_t masks[] = {0xffff, 0xffff, 0xffff, 0x0fff};
      uint32_t mask = masks[any(4)]; /* of the last thread of a group */
      const uint64_t budgets[] = {10000000, 10000000, 200 + any(800), 50 + any(200)};
      uint64_t budget = budgets[any(4)];
      bool rules = any(2);
      run(0, rules, mask, budget, &interpreted);
      run(1, rules, mask, budget, &native);
      if (memcmp(interpreted.memory, native.memory, RESULT_SIZE))
         fail_msg("seed %u, mask %#x, budget %llu: memory differs\n%s", first + n, mask,
                  (unsigned long long)budget, text);
      if (interpreted.between != native.between)
         fail_msg("seed %u, mask %#x, budget %llu: memory between turns differs\n%s", first + n,
                  mask, (unsigned long long)budget, text);
      if (interpreted.turns != native.turns || interpreted.reports != native.reports)
         fail_msg("seed %u, mask %#x, budget %llu: %u turns, %u reports; native %u, %u\n%s",
                  first + n, mask, (unsigned long long)budget, interpreted.turns,
                  interpreted.reports, native.turns, native.reports, text);
      assert_int_equal(interpreted.iterations, 0);
      threads += budget < 10000000 ? 0 : GROUPS * THREADS;
      iterations += native.iterations;
   }
   print_message("# %llu of %llu threads were iterations\n", (unsigned long long)iterations,
                 (unsigned long long)threads);
   assert_true(iterations > threads / 4);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(iterations_are_exact)};
   return cmocka_run_group_tests_name("media_iterate", tests, NULL, NULL);
}
