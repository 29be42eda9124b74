#include "compare.h"

void
compare_setup(void)
{
   printf("# seed 0x%llx (PERGOLA_SEED is another one)\n", (unsigned long long)compare_seed());
   fflush(stdout);
}

/* The same in every run, so that a run can be repeated; another one explores. */
uint64_t
compare_seed(void)
{
   const char *given = getenv("PERGOLA_SEED");
   return given ? strtoull(given, NULL, 0) : 1;
}

unsigned long long
compare_count(void)
{
   const char *count = getenv("PERGOLA_ORACLE_COUNT");
   return count ? strtoull(count, NULL, 0) : 10000000;
}

unsigned
compare_failures(void)
{
   const char *count = getenv("PERGOLA_ORACLE_FAILURES");
   return count ? (unsigned)atoi(count) : 1;
}

void
compare_decode(const void *bytes, struct eu_inst *i)
{
   const char *why = NULL;
   if (!eu_inst_decode(bytes, EU_INST_SIZE, HW_IVB, i, &why))
      fail_msg("the generator made an illegal instruction: %s", why);
}

uint32_t
compare_vector_mask(uint32_t mask)
{
   uint32_t v = 0;
   for (unsigned n = 0; n < 32; n += 4)
      if (mask >> n & 15)
         v |= 15u << n;
   return v;
}

void
compare_start_state(struct generator *g, struct oracle *o, bool native)
{
   memset(o, 0, sizeof(*o));
   gen_registers(g, o->grf, sizeof(o->grf));
   for (unsigned n = 0; n < 2; n++)
      o->flag[n] = (uint32_t)gen_random(g);
   for (unsigned n = 0; n < 8; n++) {
      o->a0[n] = (uint16_t)(gen_pick(g, 120) * 32);
      o->a0[n] += gen_chance(g, 60) ? 0 : (uint16_t)(gen_pick(g, 8) * 4);
   }
   o->cr0 = gen_pick(g, 4) << 4;
   o->cr0 |= gen_chance(g, 20) ? 1 : 0;
   o->cr0 |= gen_chance(g, 20) ? 8 : 0;
   o->cr0 |= gen_chance(g, 40) ? 0x40 : 0;
   o->dispatch_mask = gen_chance(g, 40) ? 0xFFFFFFFF : (uint32_t)gen_random(g);
   if (native) /* code is for 16 channels; all of them, most of the time */
      o->dispatch_mask = gen_chance(g, 60) ? 0xffff : o->dispatch_mask & 0xffff;
   o->vector_mask = compare_vector_mask(o->dispatch_mask);
   o->sr0[2] = o->dispatch_mask;
   o->sr0[3] = o->vector_mask;
   for (unsigned n = 0; n < 16; n++) {
      uint64_t r = gen_random(g);
      o->acc[n] = g->acc == ACC_F   ? (uint32_t)r
                  : g->acc == ACC_W ? (uint64_t)((int64_t)(r << 31) >> 31)
                                    : r;
   }
}

void
compare_to_thread(struct machine *m, const struct oracle *o)
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
   t->single_program_flow = o->cr0 & 4;
   t->sr0[2] = t->dispatch_mask = o->dispatch_mask;
   t->sr0[3] = t->vector_mask = o->vector_mask;
   t->active = oracle_mask(o);
   t->ip = o->ip;
}

void
compare_load(struct machine *m, const struct program *p)
{
   static const uint32_t eot[4] = {0x07600231, 0x20000C28, 0x008D0FE0, 0x82000010};
   uint8_t *at = m->memory + m->env.instruction_base;
   memcpy(at, p->dw, p->size);
   memcpy(at + p->size, eot, EU_INST_SIZE);
   eu_invalidate_instructions(m->dev->eu);
}

const char *
compare_difference(const struct eu_thread *t, const struct oracle *o, enum acc_class acc,
                   char text[160])
{
   for (unsigned n = 0; n < sizeof(o->grf) / 4; n++) {
      uint32_t got, want;
      memcpy(&got, t->grf + n * 4, 4);
      memcpy(&want, o->grf + n * 4, 4);
      if (got != want) {
         snprintf(text, 160, "g%u.%u (dword): interpreter 0x%08x, oracle 0x%08x", n / 8, n % 8, got,
                  want);
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
         snprintf(text, 160, "accumulator lane %u: interpreter 0x%llx, oracle 0x%llx", n,
                  (unsigned long long)t->acc[n], (unsigned long long)o->acc[n]);
         return text;
      }
   }
   if (t->ip != o->ip || t->cr0[0] != o->cr0) {
      snprintf(text, 160, "ip 0x%x cr0 0x%x, oracle ip 0x%x cr0 0x%x", t->ip, t->cr0[0], o->ip,
               o->cr0);
      return text;
   }
   return NULL;
}
