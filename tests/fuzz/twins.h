/* Two devices that differ in one thing: one interprets, the other runs native code. The same kernel
 * on the same registers and memory must leave the same of both, wherever the budget ends. */
#ifndef PERGOLA_FUZZ_TWINS_H
#define PERGOLA_FUZZ_TWINS_H

#include "pergola/pergola_eu.h"

#include "eu/op.h"
#include "eu/series.h"
#include "eu/group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TWINS_BUFFERS 3
#define TWINS_BUFFER_SIZE 8192u
/* Everything that the bench maps below its buffers: code, surface states, dynamic state, scratch.
 */
#define TWINS_FIXED_FIRST 0x00010000u
#define TWINS_FIXED_END 0x00400000u

struct twin {
   struct pergola_eu_bench *bench;
   struct pergola_device *dev;
   struct eu_thread *t;
   struct eu_env *env;
   uint8_t *buffer[TWINS_BUFFERS];
   struct sf_buffers buffers;
   uint64_t diagnostics; /* a hash of what was said */
   unsigned said;
   char last[400];
};

struct twins {
   enum pergola_check check;
   struct twin twin[2]; /* the interpreter, native code */
   uint32_t rounds;
   uint32_t series;       /* of these: run as one of a series */
   uint32_t untranslated; /* whose kernel has no native code */
   uint64_t regions[3];   /* that native code came into, second forms of them, and with sides */
   uint32_t seed;
   char why[1000];
};

/* How a thread starts and where its budget ends. */
struct twins_input {
   uint32_t seed, mask;
   uint8_t marked;  /* registers that count as written: this many eighths */
   uint8_t budgets; /* 0: one long run; else: often cut to at most this many instructions */
   bool routine;    /* there is a system routine: the kernel itself */
   bool series;     /* native code runs as one of a series of threads, if the kernel allows it */
   const uint8_t *kernel;
   size_t size;
};

static inline uint32_t
twins_random(uint32_t *seed)
{
   *seed = *seed * 1664525 + 1013904223;
   return *seed >> 8 ^ *seed << 16;
}

static void
twins_hear(void *data, const struct pergola_diagnostic *d)
{
   struct twin *w = data;
   snprintf(w->last, sizeof(w->last), "%s at %llx: %s (%s)", d->rule,
            (unsigned long long)d->address, d->message, d->subject);
   for (const char *c = w->last; *c; c++)
      w->diagnostics = (w->diagnostics ^ (uint8_t)*c) * UINT64_C(0x100000001b3);
   w->said++;
}

static inline bool
twins_open(struct twins *w, enum pergola_check check)
{
   memset(w, 0, sizeof(*w));
   w->check = check;
   for (unsigned n = 0; n < 2; n++) {
      struct twin *one = &w->twin[n];
      struct pergola_config config = {.check = check,
                                      .host_threads = 1,
                                      .native = n ? PERGOLA_NATIVE_ALWAYS : PERGOLA_NATIVE_OFF};
      one->bench = pergola_eu_create(&config, NULL);
      if (!one->bench)
         return false;
      one->dev = pergola_eu_device(one->bench);
      one->t = pergola_eu_grf(one->bench, 0); /* the registers come first */
      for (unsigned i = 0; i < TWINS_BUFFERS; i++) {
         one->buffer[i] = pergola_eu_buffer(one->bench, i, i == 2 ? 100 : TWINS_BUFFER_SIZE);
         if (!one->buffer[i])
            return false;
      }
   }
   return true;
}

static inline void
twins_close(struct twins *w)
{
   for (unsigned n = 0; n < 2; n++)
      pergola_eu_destroy(w->twin[n].bench);
}

/* What one has said before it must be able to say again. */
static void
twins_forget(struct twins *w, struct twin *one)
{
   rules_destroy(one->dev->rules);
   one->dev->rules = rules_create(one->dev, w->check);
   one->dev->eu->stopped = rules_stop_flag(one->dev);
   pergola_add_diagnostic_sink(one->dev, twins_hear, one);
   one->diagnostics = one->said = 0;
   one->last[0] = 0;
}

static uint32_t
twins_value(uint32_t *seed)
{
   static const uint32_t special[] = {
       0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00001, 0xffa00000,
       1, 0x807fffff, 0x7f7fffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x00800000, 0xffffffff};
   uint32_t r = twins_random(seed);
   switch (r & 7) {
   case 0:
      return special[r >> 8 & 15];
   case 1:
   case 2:
      return (uint32_t)(int32_t)((int32_t)(r >> 8 & 127) - 64);
   case 3:
      return twins_random(seed);
   default:
      return 0x3f000000 + (r >> 4 & 0x1ffffff);
   }
}

static void
twins_registers(struct eu_thread *t, const struct twins_input *in)
{
   uint32_t seed = in->seed, *grf = eu_grf(t, 0);
   for (unsigned i = 8; i < 1024; i++)
      grf[i] = twins_value(&seed);
   uint32_t row = twins_random(&seed) % 2048 & ~3u;
   for (unsigned i = 0; i < 16; i++) { /* g2, g3: a row of a buffer; g4, g5: anywhere in one */
      grf[16 + i] = row + 4 * i;
      grf[32 + i] = twins_random(&seed) % 2100 & ~(seed >> 28 ? 3u : 0u);
   }
   for (unsigned i = 0; i < 2; i++)
      t->flag[i] = seed & 1 << i ? twins_random(&seed) : 0xffffffffu * (seed >> 8 & 1);
   for (unsigned i = 0; i < 8; i++)
      t->a0[i] = (uint16_t)(twins_random(&seed) & 0x1fff);
   for (unsigned i = 0; i < 16; i++)
      t->acc[i] = twins_value(&seed);
   t->cr0[0] = seed >> 12 & 7 ? 0 : hw_put(seed >> 16, CR0_ROUNDING);
}

/* again: the kernel is there already. */
static bool
twins_start(struct twins *w, struct twin *one, const struct twins_input *in, bool again)
{
   twins_forget(w, one);
   for (unsigned i = 0; i < TWINS_BUFFERS; i++) {
      uint32_t seed = in->seed + i, size = i == 2 ? 4096 : TWINS_BUFFER_SIZE;
      for (uint32_t at = 0; at < size; at += 4) {
         uint32_t v = twins_value(&seed);
         memcpy(one->buffer[i] + at, &v, 4);
      }
   }
   if (!again && pergola_eu_load_binary(one->bench, in->kernel, in->size))
      return false;
   if (pergola_eu_start(one->bench, 1, in->mask))
      return false;
   memcpy(&one->env, &one->t->env, sizeof(one->env));
   one->env->sip = in->routine ? 16 : 0;
   memset(&one->buffers, 0, sizeof(one->buffers));
   one->t->buffers = in->seed & 8 ? NULL : &one->buffers;
   twins_registers(one->t, in);
   eu_thread_mark(one->t, 0, 16u * in->marked);
   /* The caches of kernels are emptied now and then. */
   if (w->rounds % 64 == 0)
      __atomic_store_n(&one->dev->eu->bytes, UINT64_C(1) << 29, __ATOMIC_SEQ_CST);
   return true;
}

/* ---- comparing ------------------------------------------------------------------------------ */

static bool
twins_differ(struct twins *w, const char *what, const void *a, const void *b, size_t size)
{
   const uint8_t *x = a, *y = b;
   for (size_t i = 0; memcmp(a, b, size) && i < size; i++)
      if (x[i] != y[i]) {
         size_t at = i & ~(size_t)3;
         uint32_t u = 0, v = 0;
         memcpy(&u, x + at, size - at < 4 ? size - at : 4);
         memcpy(&v, y + at, size - at < 4 ? size - at : 4);
         snprintf(w->why, sizeof(w->why),
                  "%s differs at byte %zu: interpreted %08x, native %08x; ip %x and %x", what, at,
                  u, v, w->twin[0].t->ip, w->twin[1].t->ip);
         return true;
      }
   return false;
}

#define TWINS_DIFFER(w, member)                                                                    \
   twins_differ(w, #member, &(w)->twin[0].t->member, &(w)->twin[1].t->member,                      \
                sizeof((w)->twin[0].t->member))

/* Threads. Who waits exactly where the thread is may have been woken or not. */
static bool
twins_threads_differ(struct twins *w)
{
   struct eu_thread *a = w->twin[0].t, *b = w->twin[1].t;
   if (TWINS_DIFFER(w, ip) || TWINS_DIFFER(w, stop) || TWINS_DIFFER(w, instructions))
      return true;
   eu_wake(a, a->ip);
   eu_wake(b, b->ip);
   for (unsigned c = 0; c < 32; c++) /* of the others it means nothing */
      if (!((a->waiting | b->waiting) >> c & 1))
         a->pip[c] = b->pip[c] = 0;
   bool marks = w->check != PERGOLA_CHECK_OFF && a->stop != EU_STOP_FAULT;
   return TWINS_DIFFER(w, active) || TWINS_DIFFER(w, waiting) || TWINS_DIFFER(w, pip) ||
          TWINS_DIFFER(w, grf) || TWINS_DIFFER(w, flag) || TWINS_DIFFER(w, acc) ||
          TWINS_DIFFER(w, a0) || TWINS_DIFFER(w, sr0) || TWINS_DIFFER(w, cr0) ||
          TWINS_DIFFER(w, n0) || TWINS_DIFFER(w, tdr) || TWINS_DIFFER(w, tm0) ||
          TWINS_DIFFER(w, sp_reg) || TWINS_DIFFER(w, call_mask) ||
          (marks && TWINS_DIFFER(w, initialised));
}

static bool
twins_diagnostics_differ(struct twins *w)
{
   struct twin *a = &w->twin[0], *b = &w->twin[1];
   if (a->diagnostics == b->diagnostics && a->said == b->said)
      return false;
   snprintf(w->why, sizeof(w->why),
            "diagnostics differ: interpreted %u, last \"%s\"; native %u, last \"%s\"", a->said,
            a->last, b->said, b->last);
   return true;
}

static bool
twins_memory_differs(struct twins *w)
{
   struct twin *a = &w->twin[0], *b = &w->twin[1];
   for (unsigned i = 0; i < TWINS_BUFFERS; i++)
      if (twins_differ(w, "a buffer", a->buffer[i], b->buffer[i],
                       i == 2 ? 4096 : TWINS_BUFFER_SIZE))
         return true;
   if (twins_differ(w, "shared local memory", a->t->group->slm, b->t->group->slm,
                    a->t->group->slm_size_B))
      return true;
   for (uint32_t at = TWINS_FIXED_FIRST; at < TWINS_FIXED_END; at += 4096) {
      if (!mem_probe(a->env->space, at, 4096, MEM_READ))
         continue;
      const uint8_t *x = mem_translate(a->env->space, at, MEM_READ),
                    *y = mem_translate(b->env->space, at, MEM_READ);
      if (twins_differ(w, "mapped memory", x, y, 4096))
         return true;
   }
   return false;
}

/* ---- running -------------------------------------------------------------------------------- */

static uint64_t
twins_budget(const struct twins_input *in, uint32_t *seed)
{
   uint32_t r = twins_random(seed);
   return in->budgets && r & 3 ? 1 + (r >> 8) % in->budgets : 1 + (r >> 8) % 300;
}

/* Both are at their start; the native one knows its kernel, as in a series the first thread has met
 * it. */
static bool
twins_meet(struct twins *w, const struct twins_input *in)
{
   struct twin *a = &w->twin[0], *b = &w->twin[1];
   if (!twins_start(w, a, in, false) || !twins_start(w, b, in, false))
      return false;
   if (!in->series)
      return true;
   eu_run(a->t, 1);
   eu_run(b->t, 1);
   struct eu_kernel *k = b->t->kernel;
   uint32_t generation = b->t->kernel_generation;
   if (!twins_start(w, a, in, true) || !twins_start(w, b, in, true))
      return false;
   b->t->kernel = k;
   b->t->kernel_generation = generation;
   return true;
}

/* All of the budget, whatever messages cost beside it. */
static enum eu_stop
twins_go(struct eu_thread *t, uint64_t budget)
{
   uint64_t end = t->instructions + budget;
   enum eu_stop stop;
   do
      stop = eu_run(t, end - t->instructions);
   while (eu_thread_paid(t) && stop == EU_STOP_BUDGET && t->instructions < end);
   return stop;
}

/* The first turn of the native one. */
static void
twins_first(struct twins *w, const struct twins_input *in, uint64_t budget)
{
   struct twin *b = &w->twin[1];
   struct eu_series s;
   uint32_t modes = eu_enter(b->dev->eu);
   bool series = in->series && b->t->dispatch_mask <= 0xffff && eu_series_begin(&s, b->t);
   if (series) {
      b->t->active = b->t->dispatch_mask;
      enum eu_stop stop = eu_series_run(&s, b->t, budget);
      if (stop == EU_STOP_EOT && s.ends) /* such an end leaves the IP as it was */
         b->t->ip = w->twin[0].t->ip;
      w->series++;
      eu_thread_paid(b->t);
      if (stop == EU_STOP_BUDGET && b->t->instructions < budget) { /* left, to be gone on with */
         eu_leave(b->dev->eu, modes);
         twins_go(b->t, budget - b->t->instructions);
         return;
      }
   }
   eu_leave(b->dev->eu, modes);
   if (!series)
      twins_go(b->t, budget);
}

/* NULL: they agree. */
static inline const char *
twins_run(struct twins *w, const struct twins_input *in)
{
   struct twin *a = &w->twin[0], *b = &w->twin[1];
   uint32_t seed = in->seed ^ 0x5bd1e995;
   w->rounds++;
   if (!twins_meet(w, in))
      return NULL;
   for (unsigned round = 0; round < 12; round++) {
      uint64_t budget = twins_budget(in, &seed);
      uint64_t before = a->t->instructions;
      enum eu_stop stop = twins_go(a->t, budget);
      if (round)
         twins_go(b->t, budget);
      else
         twins_first(w, in, budget);
      if (a->t->instructions - before > budget) /* EU-188 */
         return "the interpreter has run more than its budget";
      if (twins_threads_differ(w) || twins_diagnostics_differ(w))
         return w->why;
      if (stop == EU_STOP_WAIT) {
         eu_notify(a->t, 0);
         eu_notify(b->t, 0);
      } else if (stop != EU_STOP_BUDGET) {
         break;
      }
   }
   w->untranslated += b->t->kernel && !b->t->kernel->native;
   for (unsigned i = 0; i < 3; i++)
      w->regions[i] += b->t->regions[i];
   return twins_memory_differs(w) ? w->why : NULL;
}

#endif
