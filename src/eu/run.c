/* The run loop. */
#include "eu/fpmode.h"
#include "eu/observe.h"
#include "eu/jit/jit.h"
#include "eu/shadow.h"

#include <stdio.h>

/* Not a reason to return: the loop starts again at ip. */
#define EU_STOP_REENTER ((enum eu_stop)100)

const struct eu_op *
eu_stop(struct eu_thread *t, uint32_t ip, enum eu_stop why)
{
   t->ip = ip;
   t->stop = why;
   return NULL;
}

const struct eu_op *
eu_reenter(struct eu_thread *t, uint32_t ip)
{
   return eu_stop(t, ip, EU_STOP_REENTER);
}

const struct eu_op *
eu_exec_end(struct eu_thread *t, const struct eu_op *op)
{
   t->ip = op->ip;
   return eu_reenter(t, op->ip);
}

static inline void
set_modes(struct eu_thread *t)
{
   uint32_t dispatched = eu_dispatched(t);
   t->alt_mode = t->cr0[0] & CR0_ALT;
   t->single_program_flow = t->cr0[0] & CR0_SPF;
   t->careful &= (uint8_t)~CAREFUL_ALT;
   if (t->alt_mode)
      t->careful |= CAREFUL_ALT;
   if (t->single_program_flow)
      t->waiting = 0;
   t->waiting &= dispatched;
   t->active = dispatched & ~t->waiting;
   fpmode_set(fpmode_thread(t));
}

void
eu_set_modes(struct eu_thread *t)
{
   set_modes(t);
}

static const struct eu_op *
run_fast(struct eu_thread *t, const struct eu_op *op, uint64_t *left)
{
   uint64_t n = *left;
   do
      op = op->fn(t, op);
   while (--n && op);
   t->instructions += *left - n;
   t->ways[1] += (uint32_t)(*left - n);
   *left = n;
   return op;
}

/* The same, counted. */
static const struct eu_op *
run_counted(struct eu_thread *t, const struct eu_op *op, uint64_t *left)
{
   uint64_t before = *left;
   do {
      eu_count_op(t, op);
      op = op->fn(t, op);
   } while (--*left && op);
   t->instructions += before - *left;
   t->ways[1] += (uint32_t)(before - *left);
   return op;
}

/* Native code where there is some, the interpreter in between: for what is left of a budget, and
 * for a block that is going to break a rule. */
static const struct eu_op *
run_native(struct eu_thread *t, const struct eu_op *op, const struct jit_code *code, uint64_t *left)
{
   const struct eu_kernel *k = t->kernel;
   const bool counts = t->env->dev->eu->counting;
   while (op && *left && t->kernel == k) {
      if (jit_has(code, op)) {
         uint64_t before = *left;
         op = jit_run(code, t, op, left);
         t->instructions += before - *left;
         if (!op || !*left)
            break;
      }
      do {
         if (counts)
            eu_count_op(t, op);
         op = op->fn(t, op);
         t->instructions++;
         t->ways[1]++;
      } while (--*left && op && t->kernel == k && !jit_has(code, op));
   }
   return op;
}

static void
trace_instruction(struct eu_thread *t, const struct eu_op *op, uint32_t channels)
{
   struct trace *trace = &t->env->dev->trace;
   if (!trace_wants(trace, PERGOLA_EVENT_INSTRUCTION))
      return;
   uint32_t more[5] = {[4] = eu_thread_kernel(t)};
   memcpy(more, op->d->inst.dw, sizeof(op->d->inst.dw));
   struct pergola_event e = {.kind = PERGOLA_EVENT_INSTRUCTION,
                             .engine = "EU",
                             .time_ns = t->env->dev->time_ns,
                             .a = t->env->instruction_base + op->ip,
                             .b = t->id,
                             .flags = channels,
                             .dwords = more,
                             .count = 5};
   trace_emit(trace, &e);
}

static const struct eu_op *
run_careful(struct eu_thread *t, const struct eu_op *op, uint64_t *left)
{
   struct eu_shadow *shadow = t->careful & CAREFUL_SHADOW ? eu_shadow_of(t) : NULL;
   while (*left && op) {
      if (t->waiting)
         eu_wake(t, op->ip);
      if (op->fn == eu_exec_join)
         op++;
      const struct eu_op *now = op;
      t->ip = op->ip;
      if (!op->d) { /* the end of what was decoded */
         op = op->fn(t, op);
         break;
      }
      if (t->debug && t->debug->before && t->debug->before(t->debug, t, &op->d->inst))
         return eu_stop(t, op->ip, EU_STOP_BREAK);
      uint32_t channels = eu_write_mask(t, op->d) & eu_predicate(t, op->d);
      trace_instruction(t, op, channels);
      if (shadow)
         eu_shadow_step(shadow, t, op);
      if (t->env->dev->eu->counting)
         eu_count_op(t, op);
      op = op->slow(t, op);
      --*left;
      t->instructions++;
      t->ways[1]++;
      if (t->debug && t->debug->after)
         t->debug->after(t->debug, t, &now->d->inst, now->ip, channels);
   }
   return op;
}

/* Nobody looks but the sanitizer: instructions are executed as ever, and followed. */
static const struct eu_op *
run_shadowed(struct eu_thread *t, const struct eu_op *op, uint64_t *left)
{
   struct eu_shadow *shadow = eu_shadow_of(t);
   uint64_t before = *left;
   do {
      if (op->fn == eu_exec_join) { /* it would do the next one itself */
         if (t->waiting)
            eu_wake(t, op->ip);
         op++;
      }
      if (shadow && op->d)
         eu_shadow_step(shadow, t, op);
      op = op->fn(t, op);
   } while (--*left && op && t->careful == CAREFUL_SHADOW);
   t->instructions += before - *left;
   t->ways[1] += (uint32_t)(before - *left);
   return op;
}

#define STRETCH 16384u /* instructions of a thread that count as one use of its kernel */

static const struct eu_op *
run_on(struct eu_thread *t, const struct eu_op *op, uint64_t *left)
{
   if (t->careful == CAREFUL_SHADOW && !t->env->dev->eu->counting)
      return run_shadowed(t, op, left);
   if (t->careful)
      return run_careful(t, op, left);
   const struct jit_code *code = __atomic_load_n(&t->kernel->native, __ATOMIC_ACQUIRE);
   if (code && !t->single_program_flow && eu_dispatched(t) <= 0xffff)
      return run_native(t, op, code, left);
   uint64_t part = *left < STRETCH ? *left : STRETCH, rest = *left - part;
   struct eu_kernel *k = t->kernel;
   op = t->env->dev->eu->counting ? run_counted(t, op, &part) : run_fast(t, op, &part);
   *left = part + rest;
   /* One thread that runs for long is as good a reason for native code as many that are short. */
   if (!part && t->kernel == k)
      eu_kernel_used(t->env->dev->eu, k);
   return op;
}

static void
keep_kernel(struct eu_thread *t)
{
   t->kernel = eu_kernel_kept(t);
   if (!t->kernel)
      return;
   eu_kernel_used(t->env->dev->eu, t->kernel);
   if (t->kernel->timed)
      t->careful |= CAREFUL_TIME;
}

static void
begin(struct eu_thread *t)
{
   struct trace *trace = &t->env->dev->trace;
   if (t->waiting)
      eu_wake(t, t->ip);
   /* Channels that a return has parked anywhere are still to be looked for at every step. */
   t->careful &= t->waiting ? CAREFUL_WAITERS : 0;
   if (t->debug)
      t->careful |= CAREFUL_DEBUG;
   if (trace_wants(trace, PERGOLA_EVENT_INSTRUCTION))
      t->careful |= CAREFUL_TRACE;
   if (t->env->dev->config.sanitize & PERGOLA_SANITIZE_INIT) {
      t->careful |= CAREFUL_SHADOW;
      if (!t->instructions)
         eu_shadow_begin(t);
   }
   keep_kernel(t);
   if (t->alt_mode)
      t->cr0[0] |= CR0_ALT;
   if (t->single_program_flow)
      t->cr0[0] |= CR0_SPF;
   set_modes(t);
}

/* What comes after a stretch that has ended with `op`. */
static inline const struct eu_op *
go_on(struct eu_thread *t, const struct eu_op *op, const uint64_t *left)
{
   if (!op && t->stop == EU_STOP_REENTER)
      return *left ? eu_lookup(t, t->ip) : eu_stop(t, t->ip, EU_STOP_BUDGET);
   if (op && !*left)
      return eu_stop(t, op->ip, EU_STOP_BUDGET);
   return op;
}

static void
loop(struct eu_thread *t, const struct eu_op *op, uint64_t *left)
{
   while (op) {
      if (rules_stopped(t->env->dev)) { /* a broken rule has asked for it */
         eu_stop(t, op->ip, EU_STOP_FAULT);
         return;
      }
      op = go_on(t, run_on(t, op, left), left);
   }
}

static __attribute__((noinline)) enum eu_stop
run_from_begin(struct eu_thread *t, uint64_t budget)
{
   uint64_t left = budget;
   const bool fresh = !t->instructions;
   if (!budget)
      return t->stop = EU_STOP_BUDGET;
   begin(t);
   loop(t, eu_lookup(t, t->ip), &left);
   if (t->env->dev->eu->counting)
      /* A turn may end before its first instruction: then it begins in the next one. */
      eu_tally_thread(t, fresh && (t->instructions || t->stop != EU_STOP_BUDGET));
   return t->stop;
}

enum eu_stop
eu_run_rest(struct eu_thread *t, const struct eu_op *op, uint64_t left)
{
   loop(t, go_on(t, op, &left), &left);
   return t->stop;
}

/* EU-188: never more than the budget. Most runs, and those that go on behind a barrier, are of
 * threads with nothing unusual switched on, in a kernel with native code, counted and watched by
 * nobody: they need none of the questions of begin() and run_on(). */
enum eu_stop
eu_run_inside(struct eu_thread *t, uint64_t budget)
{
   const struct eu *eu = t->env->dev->eu;
   const struct jit_code *code = eu_native_at_once(t);
   if (!code || !budget || t->dispatch_mask > 0xffff || eu->counting ||
       __atomic_load_n(eu->stopped, __ATOMIC_RELAXED))
      return run_from_begin(t, budget);
   const struct eu_op *op = eu_op_in(t->kernel, t->ip);
   if (!op || !jit_has(code, op))
      return run_from_begin(t, budget);
   uint64_t left = budget;
   t->careful = 0;
   t->active = t->dispatch_mask;
   fpmode_set(fpmode_thread(t));
   op = jit_run(code, t, op, &left);
   t->instructions += budget - left;
   if (op || t->stop == EU_STOP_REENTER)
      return eu_run_rest(t, op, left);
   return t->stop;
}

enum eu_stop
eu_run(struct eu_thread *t, uint64_t budget)
{
   struct eu *eu = t->env->dev->eu;
   uint32_t host_modes = eu_enter(eu);
   enum eu_stop stop = eu_run_inside(t, budget);
   eu_leave(eu, host_modes);
   return stop;
}
