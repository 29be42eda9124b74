/* The interpreter against the oracle: random programs on random states, compared bit for bit. */
#include "generate.h"

#include "../eu/machine.h"

#include <stdio.h>
#include <time.h>

#define BLOCK 48
#define FLOW_LIMIT 400
#define FLOW_STEPS 4000

static uint64_t seed;
static unsigned long long wanted = 10000000;

struct program {
   uint32_t dw[FLOW_LIMIT + 2][4];
   unsigned count;
   unsigned steps;
};

static void
decode(const uint32_t dw[4], struct eu_inst *i)
{
   const char *why = NULL;
   if (!eu_inst_decode((const uint8_t *)dw, EU_INST_SIZE, HW_IVB, i, &why))
      fail_msg("the generator made an illegal instruction: %s", why);
}

static uint32_t
vector_of(uint32_t mask)
{
   uint32_t v = 0;
   for (unsigned n = 0; n < 32; n += 4)
      if (mask >> n & 15)
         v |= 15u << n;
   return v;
}

static uint32_t
pairs(uint32_t v)
{
   v &= 0x55555555;
   return v | v << 1;
}

static void
start_state(struct generator *g, struct oracle *o)
{
   memset(o, 0, sizeof(*o));
   gen_registers(g, o->grf, sizeof(o->grf));
   for (unsigned n = 0; n < 2; n++)
      o->flag[n] = (uint32_t)gen_random(g);
   for (unsigned n = 0; n < 8; n++)
      o->a0[n] = (uint16_t)(gen_pick(g, 120) * 32 + (gen_chance(g, 60) ? 0 : gen_pick(g, 8) * 4));
   o->cr0 = gen_pick(g, 4) << 4 | (gen_chance(g, 20) ? 1 : 0) | (gen_chance(g, 20) ? 8 : 0) | (gen_chance(g, 40) ? 0x40 : 0);
   o->dispatch_mask = gen_chance(g, 40) ? 0xFFFFFFFF : (uint32_t)gen_random(g);
   if (g->doubles) {
      o->dispatch_mask = pairs(o->dispatch_mask);
      o->flag[0] = pairs(o->flag[0]);
      o->flag[1] = pairs(o->flag[1]);
   }
   o->vector_mask = vector_of(o->dispatch_mask);
   o->sr0[2] = o->dispatch_mask;
   o->sr0[3] = o->vector_mask;
   for (unsigned n = 0; n < 16; n++) {
      uint64_t r = gen_random(g);
      o->acc[n] = g->acc == ACC_F ? (uint32_t)r : g->acc == ACC_W ? (uint64_t)((int64_t)(r << 31) >> 31) : r;
   }
}

static void
to_thread(struct machine *m, const struct oracle *o)
{
   struct eu_thread *t = m->t;
   eu_thread_init(t, &m->env, 0, o->dispatch_mask);
   eu_thread_mark(t, 0, 128);
   memcpy(t->grf, o->grf, sizeof(o->grf));
   memcpy(t->acc, o->acc, sizeof(o->acc));
   memcpy(t->a0, o->a0, sizeof(o->a0));
   memcpy(t->flag, o->flag, sizeof(o->flag));
   t->cr0[0] = o->cr0;
   t->alt_mode = o->cr0 & 1;
   t->sr0[2] = t->dispatch_mask = o->dispatch_mask;
   t->sr0[3] = t->vector_mask = o->vector_mask;
   t->active = oracle_mask(o);
   t->ip = o->ip;
}

static void
load(struct machine *m, const struct program *p)
{
   static const uint32_t eot[4] = {0x07600231, 0x20000C28, 0x008D0FE0, 0x82000010};
   uint8_t *at = m->memory + m->env.instruction_base;
   memcpy(at, p->dw, p->count * EU_INST_SIZE);
   memcpy(at + p->count * EU_INST_SIZE, eot, EU_INST_SIZE);
   eu_invalidate_instructions(m->dev->eu);
}

/* NULL when equal, else what differs. */
static const char *
difference(const struct eu_thread *t, const struct oracle *o, enum acc_class acc, char text[160])
{
   for (unsigned n = 0; n < sizeof(o->grf) / 4; n++) {
      uint32_t got, want;
      memcpy(&got, t->grf + n * 4, 4);
      memcpy(&want, o->grf + n * 4, 4);
      if (got != want) {
         snprintf(text, 160, "g%u.%u (dword): interpreter 0x%08x, oracle 0x%08x", n / 8, n % 8, got, want);
         return text;
      }
   }
   for (unsigned n = 0; n < 2; n++)
      if (t->flag[n] != o->flag[n]) {
         snprintf(text, 160, "f%u: interpreter 0x%08x, oracle 0x%08x", n, t->flag[n], o->flag[n]);
         return text;
      }
   for (unsigned n = 0; n < 8; n++)
      if (t->a0[n] != o->a0[n]) {
         snprintf(text, 160, "a0.%u: interpreter 0x%04x, oracle 0x%04x", n, t->a0[n], o->a0[n]);
         return text;
      }
   unsigned lanes = acc == ACC_D ? 8 : acc == ACC_DF ? 4 : 16;
   for (unsigned n = 0; n < lanes; n++) {
      uint64_t mask = acc == ACC_F ? UINT32_MAX : acc == ACC_W ? UINT64_C(0x1FFFFFFFF) : UINT64_MAX;
      if ((t->acc[n] ^ o->acc[n]) & mask) {
         snprintf(text, 160, "accumulator lane %u: interpreter 0x%llx, oracle 0x%llx", n, (unsigned long long)t->acc[n],
                  (unsigned long long)o->acc[n]);
         return text;
      }
   }
   if (t->ip != o->ip || t->cr0[0] != o->cr0) {
      snprintf(text, 160, "ip 0x%x cr0 0x%x, oracle ip 0x%x cr0 0x%x", t->ip, t->cr0[0], o->ip, o->cr0);
      return text;
   }
   return NULL;
}

static void
run_oracle(struct oracle *o, const struct program *p, unsigned steps)
{
   for (unsigned n = 0; n < steps; n++) {
      struct eu_inst i;
      decode(p->dw[o->ip / EU_INST_SIZE], &i);
      oracle_step(o, &i);
   }
}

static void
print_operands(const struct oracle *o, const struct eu_inst *i)
{
   for (unsigned n = 0; n < eu_opcodes[i->opcode].sources && n < 3; n++) {
      if (i->src[n].file != EU_FILE_GRF)
         continue;
      printf("#   source %u:", n);
      for (unsigned ch = 0; ch < i->exec_size; ch++) {
         struct value v = oracle_source(o, i, n, ch, oracle_halves(o, i) == 2 && ch >= i->exec_size / 2u, oracle_exec_type(i));
         printf(" %llx", (unsigned long long)(ref_type_is_int(i->src[n].type) ? (uint64_t)v.i : i->src[n].type == EU_TYPE_DF ? v.d : v.f));
      }
      printf("\n");
   }
}

/* Finds the first step after which they differ, and fails with it. */
static void
explain(struct machine *m, const struct program *p, const struct oracle *start, enum acc_class acc, unsigned long long number)
{
   char text[160], line[EU_DISASM_MAX];
   for (unsigned steps = 1; steps <= p->steps; steps++) {
      struct oracle o = *start, before;
      run_oracle(&o, p, steps - 1);
      before = o;
      struct eu_inst i;
      decode(p->dw[o.ip / EU_INST_SIZE], &i);
      oracle_step(&o, &i);
      to_thread(m, start);
      eu_run(m->t, steps);
      if (!difference(m->t, &o, acc, text))
         continue;
      eu_disasm_inst(&i, HW_IVB, line);
      printf("# seed 0x%llx, program %llu, step %u at 0x%x: %s\n#   %s\n#   masks 0x%08x flags 0x%08x 0x%08x cr0 0x%x\n",
             (unsigned long long)seed, number, steps, before.ip, line, text, oracle_mask(&before), before.flag[0], before.flag[1], before.cr0);
      print_operands(&before, &i);
      fflush(stdout);
      return;
   }
   printf("# seed 0x%llx, program %llu: differs only when run at a stretch\n", (unsigned long long)seed, number);
}

static bool
same(struct machine *m, const struct program *p, const struct oracle *start, const struct oracle *end, enum acc_class acc,
     unsigned long long number)
{
   char text[160];
   load(m, p);
   to_thread(m, start);
   enum eu_stop stop = eu_run(m->t, p->steps);
   if (stop == EU_STOP_BUDGET && !difference(m->t, end, acc, text))
      return true;
   if (stop != EU_STOP_BUDGET)
      printf("# program %llu stopped with %d\n", number, stop);
   else
      printf("# program %llu: %s\n", number, text);
   explain(m, p, start, acc, number);
   return false;
}

static void
make_straight(struct generator *g, struct program *p, struct oracle *o)
{
   p->count = p->steps = BLOCK;
   for (unsigned n = 0; n < BLOCK; n++) {
      struct eu_inst i;
      gen_instruction(g, o, &i);
      eu_inst_encode(&i, HW_IVB, p->dw[n]);
      decode(p->dw[n], &i);
      oracle_step(o, &i);
   }
}

static unsigned
max_failures(void)
{
   const char *s = getenv("PERGOLA_ORACLE_FAILURES");
   return s ? (unsigned)atoi(s) : 1;
}

static void
compare_programs(unsigned long long instructions, bool doubles, uint64_t salt)
{
   struct machine m;
   struct program *p = malloc(sizeof(*p));
   unsigned long long done = 0, number = 0;
   unsigned failures = 0;
   machine_open(&m, PERGOLA_CHECK_OFF);
   while (done < instructions && failures < max_failures()) {
      struct generator g = {.random = (seed ^ salt) + number * UINT64_C(0x9E3779B97F4A7C15) + 1, .doubles = doubles};
      for (unsigned n = 0; n < 4; n++)
         gen_random(&g);
      g.acc = doubles ? ACC_DF : (enum acc_class)(number % 3);
      struct oracle start, end;
      start_state(&g, &start);
      end = start;
      make_straight(&g, p, &end);
      failures += !same(&m, p, &start, &end, g.acc, number);
      done += p->steps;
      number++;
   }
   printf("# %llu instructions in %llu programs\n", done, number);
   machine_close(&m);
   free(p);
   assert_int_equal(failures, 0);
}

static void
straight_programs(void **state)
{
   compare_programs(wanted * 85 / 100, false, 0);
}

static void
double_programs(void **state)
{
   compare_programs(wanted * 5 / 100, true, UINT64_C(0xD0B1E5) << 20);
}

static void
flow_state(struct generator *g, struct oracle *o)
{
   start_state(g, o);
   o->cr0 &= ~1u;
   /* Small numbers, so that comparisons go both ways; loop limits of 1 to 4. */
   for (unsigned n = 20 * 8; n < 60 * 8; n++) {
      int32_t v = (int)gen_pick(g, 9) - 4;
      memcpy(o->grf + n * 4, &v, 4);
   }
   for (unsigned n = 80 * 8; n < 84 * 8; n++) {
      int32_t v = 1 + (int)gen_pick(g, 4);
      memcpy(o->grf + n * 4, &v, 4);
   }
   if (gen_chance(g, 70))
      o->dispatch_mask &= 0xFFFF;
   if (!(o->dispatch_mask & 0xFF))
      o->dispatch_mask |= 0x5A;
   if (!(o->dispatch_mask & 0xFF00))
      o->dispatch_mask |= 0x2100;
   o->sr0[2] = o->dispatch_mask;
   o->sr0[3] = o->vector_mask = vector_of(o->dispatch_mask);
}

static void
flow_programs(void **state)
{
   struct machine m;
   struct program *p = malloc(sizeof(*p));
   unsigned long long done = 0, number = 0;
   unsigned failures = 0;
   machine_open(&m, PERGOLA_CHECK_OFF);
   while (done < wanted / 10 && failures < max_failures()) {
      struct generator g = {.random = (seed ^ UINT64_C(0xF10F10F10)) + number * UINT64_C(0x9E3779B97F4A7C15) + 1, .acc = ACC_D};
      struct oracle start, end;
      flow_state(&g, &start);
      end = start;
      p->count = gen_flow_program(&g, p->dw, FLOW_LIMIT);
      p->steps = 0;
      while (end.ip < p->count * EU_INST_SIZE && p->steps < FLOW_STEPS) {
         run_oracle(&end, p, 1);
         p->steps++;
      }
      if (p->steps)
         failures += !same(&m, p, &start, &end, g.acc, number);
      done += p->steps;
      number++;
   }
   printf("# %llu instructions in %llu programs\n", done, number);
   machine_close(&m);
   free(p);
   assert_int_equal(failures, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(straight_programs),
      cmocka_unit_test(double_programs),
      cmocka_unit_test(flow_programs),
   };
   const char *given = getenv("PERGOLA_SEED"), *count = getenv("PERGOLA_ORACLE_COUNT");
   seed = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL) * 2654435761u;
   if (count)
      wanted = strtoull(count, NULL, 0);
   printf("# seed 0x%llx (PERGOLA_SEED repeats it)\n", (unsigned long long)seed);
   fflush(stdout);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
