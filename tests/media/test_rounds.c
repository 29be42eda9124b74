/* Groups with barriers in native code, round by round, against the interpreter: random kernels that
 * share local memory, with random budgets. Memory, the number of turns and what is reported are the
 * same. */
#include "stage.h"

#include "machine/host.h"
#include "eu/jit/jit.h"
#include "tests/proves.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define GROUPS 6u
#define THREADS 4u
#define ROWS 4u
#define KERNELS 60u
#define RESULT_SIZE (GROUPS * THREADS * 64)

/* ---- random kernels ------------------------------------------------------------------------- */

static char text[1 << 16];
static unsigned loops, partners;
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

/* g40: where the thread's results go, g44: its row of shared local memory, g32: bytes of a lane;
 * g60 to g66: what is computed with. */
static void
prologue(void)
{
   say("mov(8) g30<1>UW 0x76543210V { align1 WE_all 1Q };\n"
       "add(8) g30.8<1>UW g30<8,8,1>UW 0x0008UW { align1 WE_all 1Q };\n"
       "mov(16) g32<1>D g30<8,8,1>UW { align1 WE_all 1H };\n"
       "shl(16) g32<1>D g32<8,8,1>D 0x00000002UD { align1 WE_all 1H };\n"
       "mov(16) g34<1>UD g0.1<0,1,0>UD { align1 WE_all 1H };\n"
       "shl(16) g34<1>D g34<8,8,1>D 0x00000008UD { align1 WE_all 1H };\n"
       "mov(16) g36<1>UD g1<0,1,0>UD { align1 WE_all 1H };\n"
       "shl(16) g36<1>D g36<8,8,1>D 0x00000004UD { align1 WE_all 1H };\n"
       "add(16) g40<1>D g32<8,8,1>D g34<8,8,1>D { align1 WE_all 1H };\n"
       "add(16) g40<1>D g40<8,8,1>D g36<8,8,1>D { align1 WE_all 1H };\n"
       "add(16) g44<1>D g32<8,8,1>D g36<8,8,1>D { align1 WE_all 1H };\n");
   for (unsigned r = 60; r < 68; r += 2)
      say("add(16) g%u<1>D g40<8,8,1>D %dD { align1 WE_all 1H };\n", r, (int)any(1000));
}

/* g50: offsets in shared local memory, in a row or anywhere, seldom outside. */
static void
address(const char *control)
{
   switch (any(6)) {
   case 0:
      say("xor(16) g50<1>UD g44<8,8,1>UD %uUD { align1 %s };\n", any(64) * 4, control);
      break;
   case 5: /* partners within eight */
      partners++;
      say("xor(16) g50<1>UD g44<8,8,1>UD %uUD { align1 %s };\n", 4 + any(7) * 4, control);
      break;
   case 1:
      say("mul(16) g50<1>D g44<8,8,1>D %uW { align1 %s };\n", 1 + any(3), control);
      break;
   case 2:
      say("and(16) g50<1>UD g60<8,8,1>UD 0x000000fcUD { align1 %s };\n", control);
      break;
   case 3:
      say("mov(16) g50<1>UD %uUD { align1 %s };\n", any(16) ? any(64) * 4 : 4096 - any(9), control);
      break;
   default:
      say("mov(16) g50<1>UD g44<8,8,1>UD { align1 %s };\n", control);
   }
}

static void
share(const char *control)
{
   unsigned r = 60 + 2 * any(4);
   address(control);
   if (any(2)) {
      say("mov(16) g52<1>UD g%u<8,8,1>UD { align1 %s };\n", r, control);
      say("send(16) null<1>UW g50<8,8,1>UD 0x08035efe data MsgDesc: mlen 4 rlen 0 { align1 %s };\n",
          control);
   } else {
      say("send(16) g%u<1>UW g50<8,8,1>UD 0x04215efe data MsgDesc: mlen 2 rlen 2 { align1 %s };\n",
          r, control);
   }
}

static void
compute(const char *control)
{
   static const char *const op[] = {"add", "xor", "and", "or"};
   say("%s(16) g%u<1>UD g%u<8,8,1>UD g%u<8,8,1>UD { align1 %s };\n", op[any(4)], 60 + 2 * any(4),
       60 + 2 * any(4), 60 + 2 * any(4), control);
}

static void
meet(void)
{
   if (any(2))
      say(any(2) ? "send(1) g23<1>UW g0<0,1,0>UD 0x0209c000 data MsgDesc: mlen 1 rlen 0 { align1 "
                   "WE_all 1N };\n"
                 : "send(1) g23<1>UW g0<0,1,0>UD 0x0219e000 data MsgDesc: mlen 1 rlen 1 { align1 "
                   "WE_all 1N };\n");
   say("mov(8) g24<1>UD 0x00000000UD { align1 WE_all 1Q };\n"
       "and(1) g24.2<1>UD g0.2<0,1,0>UD 0x0f000000UD { align1 WE_all 1N };\n");
   if (!any(4)) /* the count in the message */
      say("or(1) g24.2<1>UD g24.2<0,1,0>UD 0x%08xUD { align1 WE_all 1N };\n",
          0x8000 | THREADS << 9);
   say("send(16) null<1>UW g24<8,8,1>UD 0x02000004 gateway MsgDesc: mlen 1 rlen 0 { align1 WE_all "
       "1H };\n"
       "wait(1) n0<1>UD { align1 WE_all 1N };\n");
}

static void
some_channels(void)
{
   unsigned l = loops++;
   say("cmp.%s.f0.0(16) null<1>D g%u<8,8,1>D %dD { align1 1H };\n"
       "(+f0.0) if(16) JIP: else%u UIP: end%u { align1 1H };\n",
       any(2) ? "g" : "z", any(2) ? 32 : 60 + 2 * any(4), (int)any(64), l, l);
   share("1H");
   compute("1H");
   say("else%u:\nelse(16) JIP: end%u UIP: end%u { align1 1H };\n", l, l, l);
   share("1H");
   say("end%u:\nendif(16) JIP: behind%u { align1 1H };\nbehind%u:\n", l, l, l);
}

static void part(unsigned depth);

static void
loop(unsigned depth)
{
   unsigned l = loops++, r = 70 + 2 * depth;
   say("mov(16) g%u<1>D %uD { align1 1H };\nagain%u:\n", r, any(3) ? 1 + any(4) : 20 + any(60), l);
   if (any(2)) /* by a break, as drivers do it */
      say("cmp.le.f0.0(16) null<1>D g%u<8,8,1>D 0D { align1 1H };\n"
          "(+f0.0) break(16) JIP: out%u UIP: out%u { align1 1H };\n",
          r, l, l);
   part(depth + 1);
   meet();
   say("add.g.f0.0(16) g%u<1>D g%u<8,8,1>D -1D { align1 1H };\nout%u:\n"
       "(+f0.0) while(16) JIP: again%u { align1 1H };\n",
       r, r, l, l);
}

static void
part(unsigned depth)
{
   for (unsigned n = 1 + any(4); n; n--)
      switch (any(depth < 2 ? 6 : 4)) {
      case 0:
      case 1:
         share(any(4) ? "1H" : "WE_all 1H");
         break;
      case 2:
         compute("1H");
         break;
      case 3:
         some_channels();
         break;
      case 4:
         meet();
         break;
      default:
         loop(depth);
      }
}

/* A wait for what no barrier notifies, where nobody comes. */
static void
another_wait(void)
{
   say("cmp.l.f0.0(16) null<1>D g32<8,8,1>D 0D { align1 1H };\n"
       "(+f0.0) if(16) JIP: nobody UIP: nobody { align1 1H };\n"
       "wait(1) n0.2<1>UD { align1 WE_all 1N };\n"
       "nobody:\nendif(16) JIP: went_by { align1 1H };\nwent_by:\n");
}

static void
make_kernel(bool other_waits)
{
   text[0] = 0;
   loops = 0;
   prologue();
   if (other_waits)
      another_wait();
   part(0);
   meet();
   part(0);
   for (unsigned r = 60; r < 68; r += 2)
      say("add(16) g42<1>D g%u<8,8,1>D g%u<8,8,1>D { align1 1H };\n", r == 60 ? 60 : 42, r);
   say("send(16) null<1>UW g40<8,8,1>UD 0x08035e00 data MsgDesc: mlen 4 rlen 0 { align1 1H };\n"
       "%s",
       END_OF_THREAD);
}

/* ---- a walk --------------------------------------------------------------------------------- */

struct outcome {
   uint8_t memory[RESULT_SIZE], slm[2][SLM_SIZE];
   unsigned turns, reports;
   bool rounds;    /* did native code run them so? … */
   uint64_t rings; /* … and go on by itself with the next thread? */
};

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
   memset(stage_memory(s, STAGE_OUT), 0xee, RESULT_SIZE);
   struct hw_interface_descriptor_data d = {.kernel_start_pointer = 0x400,
                                            .constant_urb_entry_read_length = ROWS,
                                            .shared_local_memory_size = 1,
                                            .barrier_enable = true,
                                            .number_of_threads_in_gpgpu_thread_group = THREADS};
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   struct hw_gpgpu_walker w = stage_walk(1, 16, THREADS, GROUPS, 1, 1);
   uint32_t dw[GEN7_GPGPU_WALKER_LENGTH];
   w.right_execution_mask = mask;
   gen7_gpgpu_walker_pack(dw, &w);
   enum cs_result r = stage_direct(s, dw, GEN7_GPGPU_WALKER_LENGTH, budget);
   o->turns = 1;
   for (; r == CS_AGAIN && o->turns < 100000; o->turns++)
      r = stage_direct(s, dw, GEN7_GPGPU_WALKER_LENGTH, budget);
   assert_int_equal(r, CS_DONE);
   memcpy(o->memory, stage_memory(s, STAGE_OUT), RESULT_SIZE);
   for (unsigned h = 0; h < 2; h++)
      memcpy(o->slm[h], s->media->slm[h], SLM_SIZE);
   o->reports = 0;
   for (const struct rig_diagnostic *n = s->rig->diagnostics; n; n = n->next)
      o->reports++;
   const struct group_worker *worker = (struct group_worker *)(void *)s->media->crew.worker[0];
   o->rounds = worker->rooms != 0;
   o->rings = worker->rings;
   stage_destroy(s);
}

static void
rounds_are_exact(void **state)
{
   (void)state;
   proves("EU-188", "SF-077");
   static struct outcome interpreted, native;
   const char *asked = getenv("PERGOLA_SEED");
   uint32_t first = asked ? (uint32_t)strtoul(asked, NULL, 0) : 1; /* each run the same */
   if (!host_has_vectors())
      skip();
   print_message("# PERGOLA_SEED=%u\n", first);
   unsigned in_rings = 0;
   partners = 0;
   for (unsigned n = 0; n < KERNELS; n++) {
      seed = first + n;
      any(2);
      bool other_waits = !any(8);
      make_kernel(other_waits);
      static const uint32_t masks[] = {0xffff, 0xffff, 0x0fff, 0x8421};
      uint32_t mask = masks[any(4)];
      /* The second: threads follow each other until one would not have a whole slice. */
      const uint64_t budgets[] = {10000000, 8192 + any(4096), 50 + any(400)};
      uint64_t budget = budgets[any(3)];
      bool rules = any(2);
      run(0, rules, mask, budget, &interpreted);
      run(1, rules, mask, budget, &native);
      if (interpreted.rounds || !native.rounds)
         fail_msg("seed %u: %s\n%s", first + n,
                  native.rounds ? "the interpreter has rounds" : "no rounds in native code", text);
      if (memcmp(interpreted.memory, native.memory, RESULT_SIZE) ||
          memcmp(interpreted.slm, native.slm, sizeof(native.slm)))
         fail_msg("seed %u, mask %#x, budget %llu: memory differs\n%s", first + n, mask,
                  (unsigned long long)budget, text);
      if (interpreted.turns != native.turns || interpreted.reports != native.reports)
         fail_msg("seed %u, mask %#x, budget %llu: %u turns, %u reports; native %u, %u\n%s",
                  first + n, mask, (unsigned long long)budget, interpreted.turns,
                  interpreted.reports, native.turns, native.reports, text);
      assert_int_equal(interpreted.rings, 0);
      assert_true(!other_waits || !native.rings);
      in_rings += native.rings > 0;
   }
   print_message("# %u of %u kernels went on by themselves; %u reads or writes of partners\n",
                 in_rings, KERNELS, partners);
   assert_true(in_rings >= KERNELS / 6);
   assert_true(partners >= KERNELS / 4);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(rounds_are_exact)};
   return cmocka_run_group_tests_name("media_rounds", tests, NULL, NULL);
}
