/* Threads that are all alike: what can be said of a kernel once and for all. */
#include "eu/check.h"
#include "eu/fpmode.h"
#include "eu/jit/jit.h"
#include "eu/send.h"
#include "eu/series.h"
#include "hw/message.h"

#include <string.h>

/* ---- survey --------------------------------------------------------------------------------- */

static void
add(uint64_t bits[2], unsigned first, unsigned last)
{
   for (unsigned r = first; r <= last && r < EU_GRF_COUNT; r++)
      bits[r / 64] |= UINT64_C(1) << (r % 64);
}

/* Nothing but registers, flags and notifications is written, and control stays in what has been
 * decoded. */
static bool
is_simple(const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   if (d->illegal || d->inst.debug || d->acc_write || d->dst.kind == OPERAND_ACC ||
       (d->dst.kind == OPERAND_ARF && d->opcode != EU_OP_WAIT) || d->dst.kind == OPERAND_INDIRECT)
      return false;
   switch (d->opcode) {
   case EU_OP_MAC:
   case EU_OP_MACH:
   case EU_OP_ADDC:
   case EU_OP_SUBB:
   case EU_OP_SADA2: /* the accumulator */
   case EU_OP_CALL:
   case EU_OP_CALLA:
   case EU_OP_RET:
      return false;
   case EU_OP_BREAK:
   case EU_OP_CONT:
   case EU_OP_HALT:
   case EU_OP_BRC:
      return op->jip && op->uip;
   case EU_OP_IF:
   case EU_OP_ELSE:
   case EU_OP_ENDIF:
   case EU_OP_WHILE:
   case EU_OP_BRD:
   case EU_OP_JMPI:
      return op->jip != NULL;
   default:
      return true;
   }
}

/* False: it may be anything. */
static bool
add_reads(const struct eu_detail *d, uint64_t reads[2])
{
   if (d->opcode == EU_OP_SEND || d->opcode == EU_OP_SENDC) {
      unsigned length = hw_message_length(d->inst.desc);
      if (d->src[0].kind != OPERAND_GRF || d->inst.desc_is_reg)
         return false;
      add(reads, d->src[0].reg, d->src[0].reg + (length ? length - 1 : 0));
      return true;
   }
   for (unsigned n = 0; n < 3; n++) {
      const struct op_operand *o = &d->src[n];
      if (o->kind == OPERAND_INDIRECT)
         return false;
      for (unsigned c = 0; o->kind == OPERAND_GRF && c < d->exec_size; c++)
         if (o->offset[c] != OFFSET_NONE)
            add(reads, o->offset[c] / 32u, (o->offset[c] + 7u) / 32u); /* at most eight bytes */
      if (o->kind == OPERAND_GRF && d->opcode == EU_OP_PLN)
         add(reads, o->reg, o->reg + 3u);
   }
   return true;
}

/* Neither heard nor seen by the message gateway. */
static bool
is_quiet(const struct eu_detail *d)
{
   bool send = d->opcode == EU_OP_SEND || d->opcode == EU_OP_SENDC;
   for (unsigned n = 0; n < 3; n++)
      if (d->src[n].kind == OPERAND_ARF && (d->src[n].reg & 0xf0) == EU_ARF_N)
         return false;
   return !send || d->inst.sfid != SFID_GATEWAY;
}

/* Registers that it writes from end to end when all its channels are active. */
static void
add_written(const struct eu_detail *d, uint64_t written[2])
{
   const struct op_operand *o = &d->dst;
   unsigned bytes = d->exec_size * type_size[o->type];
   bool row = d->quick.row && !d->quick.writes && d->exec_size == 8 * d->quick.row;
   if (o->kind != OPERAND_GRF || (d->predicate && d->opcode != EU_OP_SEL))
      return;
   if (row)
      add(written, o->reg, o->reg + d->quick.row - 1u);
   else if (d->alu && !d->paired && o->hstride == 1 && !o->subreg && bytes >= 32 &&
            (d->chan_en & d->channels) == d->channels)
      add(written, o->reg, o->reg + bytes / 32 - 1);
}

/* Registers that it may write to, if only a part of them. */
static void
add_touched(const struct eu_detail *d, uint64_t touched[2])
{
   const struct op_operand *o = &d->dst;
   bool send = d->opcode == EU_OP_SEND || d->opcode == EU_OP_SENDC;
   unsigned length = hw_response_length(d->inst.desc);
   if (o->kind != OPERAND_GRF)
      return;
   if (send && length)
      add(touched, o->reg, o->reg + length - 1);
   for (unsigned c = 0; c < d->exec_size && !send; c++)
      if (o->offset[c] != OFFSET_NONE)
         add(touched, o->offset[c] / 32u, (o->offset[c] + 7u) / 32u + eu_writes_behind(d));
}

/* Up to the first branch every channel goes the same way; from there on nothing counts as written.
 */
static bool
survey(struct eu_kernel *k)
{
   uint64_t written[2] = {0, 0};
   bool straight = true;
   if (k->op_count < 2 || !k->ops[k->op_count - 2].d->inst.eot)
      return false;
   for (uint32_t i = 0; i + 1 < k->op_count; i++) {
      const struct eu_op *op = &k->ops[i];
      uint64_t reads[2] = {0, 0};
      bool join = op->fn == eu_exec_join;
      straight = straight && !join && !eu_flow_select(op->d->opcode);
      if (join)
         continue;
      if (!is_simple(op) || !add_reads(op->d, reads))
         return false;
      k->ends = k->ends && (!op->d->inst.eot || op->d->quick.ends);
      k->quiet = k->quiet && is_quiet(op->d);
      for (unsigned w = 0; w < 2; w++)
         k->needs[w] |= reads[w] & ~written[w];
      if (straight)
         add_written(op->d, written);
      add_touched(op->d, k->touches);
      k->channels |= op->d->no_mask ? 0 : op->mask;
   }
   return true;
}

void
eu_kernel_survey(struct eu_kernel *k)
{
   k->channels = 0;
   k->ends = k->quiet = true;
   memset(k->needs, 0, sizeof(k->needs));
   memset(k->touches, 0, sizeof(k->touches));
   k->simple = survey(k);
   eu_kernel_find_uniform(k);
   eu_kernel_find_moves(k);
}

/* ---- running -------------------------------------------------------------------------------- */

/* EU-206: nothing is read that no thread of the series has. */
static void
begin_iterate(struct eu_series *s, const struct jit_code *code, const struct eu_thread *fresh)
{
   bool there = true;
   for (unsigned w = 0; w < 2; w++)
      there = there && !(code->payload[w] & ~fresh->initialised[w]);
   if (!code->iterate || !there || s->counts || eu_rounding(fresh))
      return;
   memcpy(&s->iterate, &code->iterate, sizeof(s->iterate));
   s->instructions = code->instructions;
}

static bool
begin(struct eu_series *s, const struct eu_thread *fresh, bool waits)
{
   const struct eu_env *env = fresh->env;
   struct eu_kernel *k = fresh->kernel;
   /* A system routine might read registers that the kernel does not. */
   if (fresh->dispatch_mask >> 16 || !eu_native_at_once(fresh) || !k->simple ||
       fresh->ip != k->start || env->sip || env->dev->trace.wanted || sf_observed(fresh))
      return false;
   const struct jit_code *code = eu_kernel_series(env->dev->eu, k);
   if (!code || !code->entry[0] || code->waits != waits)
      return false;
   bool known = sf_buffers_good(fresh->buffers, fresh);
   *s = (struct eu_series){
       .channels = k->channels,
       .needs = {k->needs[0], k->needs[1]},
       .touches = {k->touches[0], k->touches[1]},
       .ends = k->ends,
       .quiet = k->quiet,
       .counts = env->dev->eu->counting,
       /* What is counted is executed. */
       .uniform = k->uniform && !env->dev->eu->counting,
       .uniform_needs = {k->uniform_needs[0], k->uniform_needs[1]},
       .fetch = k->moves && !env->dev->eu->counting ? &k->moves->d->quick : NULL,
       .fetch_needs = {k->moves_needs[0], k->moves_needs[1]},
       .enter = jit_enter_of(code),
       .entry = code->entry[0],
       .full_channels =
           code->full ? code->channels : UINT32_MAX, /* as no thread of a series has them */
       .full_entry = code->full,
       .kernel = k,
       .modes = fpmode_thread(fresh),
       .again_ip = k->start,
       .again = code->entry[0],
       .stopped = env->dev->eu->stopped,
       .ops = k->ops,
       .buffers = known ? fresh->buffers : &jit_no_buffers};
   begin_iterate(s, code, fresh);
   fpmode_set(s->modes);
   return true;
}

bool
eu_series_begin(struct eu_series *s, const struct eu_thread *fresh)
{
   return begin(s, fresh, false);
}

bool
eu_series_holds(const struct eu_series *s, const struct eu_thread *fresh)
{
   const struct eu_env *env = fresh->env;
   bool known = sf_buffers_good(fresh->buffers, fresh);
   return s->kernel == fresh->kernel && s->counts == env->dev->eu->counting &&
          s->buffers == (known ? fresh->buffers : &jit_no_buffers) && eu_native_at_once(fresh) &&
          !env->sip && !env->dev->trace.wanted && !sf_observed(fresh);
}

bool
eu_rounds_begin(struct eu_rounds *r, const struct eu_thread *fresh, uint8_t barrier_id)
{
   if (fresh->env->dev->eu->counting || !begin(&r->series, fresh, true))
      return false;
   memset(r->resume, 0, sizeof(r->resume));
   r->series.barrier = hw_put(barrier_id, GEN7_BARRIERMSG_PAYLOAD__BARRIERID);
   return true;
}

/* Where the code of a round begins that goes on at ip; 0: nowhere. */
static uint64_t
entry_at(struct eu_series *s, uint32_t ip)
{
   const struct eu_op *op = eu_op_in(s->kernel, ip);
   s->again_ip = ip;
   return s->again = op ? s->kernel->series->entry[op->number] : 0;
}

/* Native code, as far as it comes; then the rest of the slice of the thread that it has left. */
static enum eu_stop
run_ring(struct eu_rounds *r, uint64_t entry, uint64_t budget)
{
   struct eu_series *s = &r->series;
   struct eu_thread *t = s->threads[s->at];
   uint64_t left = budget, room = s->room;
   t->careful = 0;
   t->active = t->dispatch_mask;
   t->stop = EU_STOP_EOT; /* which native code takes as given */
   const struct eu_op *op = s->enter(t, entry, &left, s->ops, s->buffers, s);
   if (s->room != room)
      s->inside |= UINT64_C(1) << t->group_index;
   t = s->threads[s->at]; /* all that it has gone on from wait, and are as they were */
   t->instructions += budget - left;
   s->last = budget - left;
   bool own = !op && t->stop <= EU_STOP_BREAK;
   if (!own || t->stop != EU_STOP_WAIT)
      r->resume[s->at] = 0;
   if (own) {
      s->inside |= UINT64_C(1) << s->at;
      return t->stop;
   }
   s->inside &= ~(UINT64_C(1) << s->at);
   uint64_t before = t->instructions;
   enum eu_stop stop = eu_run_rest(t, op, left);
   s->last += t->instructions - before;
   fpmode_set(s->modes);
   return stop;
}

enum eu_stop
eu_rounds_run(struct eu_rounds *r, uint64_t budget)
{
   struct eu_series *s = &r->series;
   struct eu_thread *t = s->threads[s->at];
   uint64_t own = UINT64_C(1) << s->at;
   uint64_t entry = t->ip == s->again_ip ? s->again : entry_at(s, t->ip);
   bool ordinary = s->inside & own || (t->kernel == s->kernel && !t->debug);
   if (entry && ordinary && !t->waiting && budget && !__atomic_load_n(s->stopped, __ATOMIC_RELAXED))
      return run_ring(r, entry, budget);
   uint64_t before = t->instructions;
   s->inside &= ~own;
   r->resume[s->at] = 0;
   enum eu_stop stop = eu_run_inside(t, budget);
   s->last = t->instructions - before;
   fpmode_set(s->modes);
   return stop;
}

void
eu_series_texels(const struct eu_series *s, struct eu_thread *t, struct eu_texels *out)
{
   const struct eu_op *op = s->ops;
   const uint8_t *payload = t->grf + s->fetch->payload;
   t->active = t->dispatch_mask;
   while (&op->d->quick != s->fetch) {
      eu_op_fn fn = op->fn == eu_exec_checked ? op->d->checked : op->fn;
      op = fn(t, op); /* the next one: nothing here branches */
   }
   *out = (struct eu_texels){.lod = 0};
   memcpy(out->u, payload, sizeof(out->u));
   memcpy(&out->lod, payload + 2 * EU_REG_SIZE, 4);
   memcpy(out->v, payload + 4 * EU_REG_SIZE, sizeof(out->v));
   if (s->fetch->sources > 3)
      memcpy(&out->slice, payload + 6 * EU_REG_SIZE, 4);
}

enum eu_stop
eu_series_left(struct eu_thread *t, const struct eu_op *op)
{
   if (!op && t->stop <= EU_STOP_BREAK)
      return t->stop;
   /* To be gone on with, by the interpreter or another kernel. */
   if (op)
      t->ip = op->ip;
   return t->stop = EU_STOP_BUDGET;
}
