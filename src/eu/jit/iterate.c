/* Threads of a series as iterations of one loop.
 *
 * For kernels that go straight from their start to their end, with all channels, whose messages are
 * rows of buffers and of which one at most, the last, writes. Nobody looks at the registers of such
 * a thread, so nothing is stored but what the code itself loads again; what nobody reads is not
 * computed; what is the same for all threads of a group comes before the loop.
 *
 * There are no ways out that restore a state. Before its write a thread has left no trace, so where
 * a message cannot be done in line the loop is left with this thread not begun: it runs in the code
 * of any series then, from its start. The caller sees to the budget.
 *
 * The code is emitted twice. The first time tells which stores are loaded again (struct x86_watch);
 * the second one is the same without the others. */
#include "eu/jit/operand.h"
#include "eu/jit/show.h"

#include <stdlib.h>
#include <string.h>

#define MOST_OPS 256u
#define MOST_WAYS 256u
#define GRF_B (EU_GRF_COUNT * EU_REG_SIZE)

struct jit_iterate {
   const struct eu_kernel *k;
   uint32_t count; /* operations before the one that ends the thread */
   bool live[MOST_OPS], once[MOST_OPS];
   bool flags;          /* some are asked */
   uint64_t payload[2]; /* registers that come with a thread, R0 not among them */
   size_t out[MOST_WAYS];
   unsigned outs;
   struct x86_watch watch;
};

/* Bytes of the GRF, a bit each; two registers in a word. */
#define WORDS (GRF_B / 64)
struct bytes {
   uint64_t in[WORDS];
};

/* ---- who reads and writes what -------------------------------------------------------------- */

static bool
is_message(const struct eu_op *op)
{
   return op->d->opcode == EU_OP_SEND || op->d->opcode == EU_OP_SENDC;
}

static void
add(struct bytes *b, unsigned first, unsigned size, bool in)
{
   for (unsigned i = first; i < first + size && i < GRF_B; i++)
      if (in)
         b->in[i / 64] |= UINT64_C(1) << i % 64;
      else
         b->in[i / 64] &= ~(UINT64_C(1) << i % 64);
}

static void
add_reads(struct bytes *b, const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   struct ir_message m = ir_message_of(op);
   add(b, m.payload, m.payload_B, true);
   for (unsigned n = 0; n < ir_sources(op) && !is_message(op); n++)
      for (unsigned c = 0; c < d->exec_size && d->src[n].kind == OPERAND_GRF; c++)
         if (d->src[n].offset[c] != OFFSET_NONE)
            add(b, d->src[n].offset[c], type_size[d->src[n].type], true);
}

/* Those that it writes: all of them, or those that it is sure to. */
static void
set_writes(struct bytes *b, const struct eu_op *op, bool sure, bool in)
{
   const struct eu_detail *d = op->d;
   struct ir_message m = ir_message_of(op);
   bool select = op->operation == FAST_F_SEL || op->operation == FAST_I_SEL;
   add(b, m.response, m.response_B, in);
   if (is_message(op) || d->dst.kind != OPERAND_GRF || (sure && d->predicate && !select))
      return;
   for (unsigned c = 0; c < d->exec_size; c++)
      if (d->dst.offset[c] != OFFSET_NONE && (!sure || op->channels >> c & 1))
         add(b, d->dst.offset[c], type_size[d->dst.type], in);
}

static bool
writes_flags(const struct eu_op *op)
{
   unsigned f = op->operation;
   bool chooses = f == FAST_F_SELL || f == FAST_F_SELGE || (f >= FAST_I_MIN && f <= FAST_U_MAX);
   return op->d->condition && !chooses;
}

/* ---- which kernels -------------------------------------------------------------------------- */

static bool
is_row(const struct eu_op *op)
{
   const struct sf_quick *q = &op->d->quick;
   return q->row && !jit_is_shared(q) && op->d->exec_size == 8 * q->row && !op->d->predicate &&
          !op->d->inst.eot && !op->d->inst.desc_is_reg;
}

static bool
is_arithmetic(const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   unsigned f = op->operation;
   bool accumulator = f >= FAST_MUL_ACC && f <= FAST_SUBB;
   if (!op->fast || accumulator || d->paired || f == FAST_F_PLN ||
       (f >= FAST_F_DP2 && f <= FAST_F_DPH) ||
       (d->dst.kind != OPERAND_GRF && d->dst.kind != OPERAND_NULL))
      return false;
   for (unsigned n = 0; n < ir_sources(op); n++)
      if (d->src[n].kind != OPERAND_GRF && d->src[n].kind != OPERAND_IMM)
         return false;
   return true;
}

/* A straight line to the end of thread, with one write at most and no message behind it. */
static bool
is_straight(const struct eu_kernel *k)
{
   bool written = false;
   if (!k->simple || !k->ends || !k->quiet || k->op_count < 3 || k->op_count > MOST_OPS)
      return false;
   for (uint32_t i = 0; i + 2 < k->op_count; i++) {
      const struct eu_op *op = &k->ops[i];
      if (op->fn == eu_exec_join || !op->d || op->d->illegal || op->d->inst.debug ||
          jit_is_flow(op) || op->d->opcode == EU_OP_WAIT)
         return false;
      if (is_message(op) ? !is_row(op) || written : !is_arithmetic(op))
         return false;
      written = written || (is_message(op) && op->d->quick.writes);
   }
   const struct eu_op *end = &k->ops[k->op_count - 2];
   return end->fn != eu_exec_join && end->d->quick.ends && !end->d->predicate;
}

/* Backwards: is anything that it writes read later? */
static void
find_live(struct jit_iterate *l)
{
   struct bytes needed = {.in = {0}};
   for (uint32_t i = l->count; i-- > 0;) {
      const struct eu_op *op = &l->k->ops[i];
      struct bytes own = {.in = {0}};
      bool any = is_message(op) || writes_flags(op);
      set_writes(&own, op, false, true);
      for (unsigned w = 0; w < WORDS; w++)
         any = any || (own.in[w] & needed.in[w]);
      l->live[i] = any;
      if (!any)
         continue;
      set_writes(&needed, op, true, false);
      add_reads(&needed, op);
      l->flags = l->flags || op->d->predicate || writes_flags(op);
   }
}

static void
registers_of(const struct bytes *b, uint64_t bits[2])
{
   bits[0] = bits[1] = 0;
   for (unsigned w = 0; w < WORDS; w++)
      for (unsigned half = 0; half < 2; half++)
         if ((uint32_t)(b->in[w] >> 32 * half))
            bits[w / 32] |= UINT64_C(1) << (2 * w + half) % 64;
}

/* The group's id, dwords 1, 6 and 7, is all that its threads have in common in R0. */
#define R0_BYTES UINT32_MAX
#define R0_COMMON 0xff0000f0u

/* Forwards: what comes with the thread. False: it looks at more of R0 than the group's id, or
 * writes to it. */
static bool
find_payload(struct jit_iterate *l)
{
   struct bytes written = {.in = {0}}, comes = {.in = {0}};
   for (uint32_t i = 0; i < l->count; i++) {
      struct bytes read = {.in = {0}}, own = {.in = {0}};
      if (!l->live[i])
         continue;
      add_reads(&read, &l->k->ops[i]);
      set_writes(&own, &l->k->ops[i], false, true);
      for (unsigned w = 0; w < WORDS; w++)
         comes.in[w] |= read.in[w] & ~written.in[w];
      if (own.in[0] & R0_BYTES)
         return false;
      set_writes(&written, &l->k->ops[i], true, true);
   }
   bool common = !(comes.in[0] & R0_BYTES & ~R0_COMMON);
   comes.in[0] &= ~(uint64_t)R0_BYTES;
   registers_of(&comes, l->payload);
   return common;
}

/* ---- what all threads do alike -------------------------------------------------------------- */

struct access {
   uint64_t reads[2], writes[2];
};

static struct access
access_of(const struct eu_op *op)
{
   struct bytes r = {.in = {0}}, w = {.in = {0}};
   struct access a;
   add_reads(&r, op);
   set_writes(&w, op, false, true);
   registers_of(&r, a.reads);
   registers_of(&w, a.writes);
   return a;
}

static bool
meet(const uint64_t a[2], const uint64_t b[2])
{
   return (a[0] & b[0]) || (a[1] & b[1]);
}

static void
join(uint64_t to[2], const uint64_t with[2])
{
   to[0] |= with[0];
   to[1] |= with[1];
}

/* An operation comes before the loop if nothing that it reads or writes changes inside, and nobody
 * inside reads its registers before the last one before the loop has written them. Those that do
 * not qualify make others not do: again until all that are left do. */
static void
find_once(struct jit_iterate *l)
{
   struct access *of = calloc(l->count, sizeof(*of));
   uint64_t inside[2] = {l->payload[0], l->payload[1]};
   bool changed = of != NULL;
   for (uint32_t i = 0; i < l->count && of; i++) {
      const struct eu_op *op = &l->k->ops[i];
      of[i] = access_of(op);
      l->once[i] = l->live[i] && !is_message(op) && !op->d->predicate && !op->d->condition;
      if (l->live[i] && !l->once[i])
         join(inside, of[i].writes);
   }
   while (changed) {
      uint64_t read[2] = {0, 0}; /* inside, before the operation at hand */
      uint64_t late[2] = {0, 0}; /* written before the loop after that */
      changed = false;
      for (uint32_t i = 0; i < l->count; i++) {
         for (unsigned w = 0; w < 2 && l->once[i]; w++)
            late[w] |= of[i].writes[w] & read[w];
         if (l->live[i] && !l->once[i])
            join(read, of[i].reads);
      }
      for (uint32_t i = 0; i < l->count; i++)
         if (l->once[i] && (meet(of[i].reads, inside) || meet(of[i].writes, inside) ||
                            meet(of[i].writes, late))) {
            l->once[i] = false;
            changed = true;
            join(inside, of[i].writes);
         }
   }
   free(of);
}

/* ---- code ----------------------------------------------------------------------------------- */

void
jit_not_in_line(struct jit *j, const size_t at[], unsigned count)
{
   struct jit_iterate *l = j->iterate;
   for (unsigned i = 0; i < count; i++) {
      if (l->outs == MOST_WAYS)
         j->failed = true;
      else
         l->out[l->outs++] = at[i];
   }
}

/* The registers that come with a thread, from [rax]. */
static void
load_payload(struct jit *j)
{
   const struct jit_iterate *l = j->iterate;
   for (unsigned r = 1; r < EU_GRF_COUNT; r++) {
      if (!(l->payload[r / 64] >> r % 64 & 1))
         continue;
      vex(&j->a, VMOVDQU_LOAD, SCRATCH, 0, x86_mem(RAX, (int32_t)(r - 1) * EU_REG_SIZE));
      vex(&j->a, VMOVDQU_STORE, SCRATCH, 0, jit_grf(r * EU_REG_SIZE));
   }
}

static void
emit_operations(struct jit *j, bool once)
{
   const struct jit_iterate *l = j->iterate;
   for (uint32_t i = 0; i < l->count; i++)
      if (l->live[i] && l->once[i] == once)
         jit_operation(j, i);
}

/* struct jit_threads' function. On the stack: the payload at hand, from one to the next. */
static void
emit_loop(struct jit *j)
{
   static const uint8_t saved[6] = {RBX, RBP, R12, R13, R14, R15};
   const struct x86_rm payload = x86_mem(RSP, 8), stride = x86_mem(RSP, 0);
   struct x86 *a = &j->a;
   jit_mark(j, MARK_ITERATE, 0);
   for (unsigned i = 0; i < 6; i++)
      x86_push(a, saved[i]);
   x86_push(a, RSI); /* nine: the stack is aligned again */
   x86_push(a, RSI);
   x86_push(a, RDX);
   x86_op(a, X86_LOAD, true, REG_THREAD, x86_reg(RDI));
   x86_op(a, X86_LOAD, true, REG_LEFT, x86_reg(RCX));
   x86_op(a, X86_LOAD, true, REG_BUFFERS, x86_reg(R8));
   x86_op(a, X86_LOAD, true, REG_OPS, x86_reg(R9));
   x86_mov_imm(a, REG_CONST, (uint64_t)(uintptr_t)&jit_constants);
   jit_forget(j);
   emit_operations(j, true);
   jit_mark(j, MARK_ROUND, 0);
   size_t round = a->size;
   jit_forget(j);
   x86_op(a, X86_LOAD, true, RAX, payload);
   load_payload(j);
   for (unsigned f = 0; f < 2 && j->iterate->flags; f++)
      x86_store_imm(a, f ? THREAD(flag[1]) : THREAD(flag[0]), 0);
   emit_operations(j, false);
   jit_mark(j, MARK_ROUND, 0);
   x86_op(a, X86_LOAD, true, RAX, stride);
   x86_op(a, X86_ADD, true, RAX, payload);
   x86_op(a, X86_STORE, true, RAX, payload);
   x86_imm(a, X86_SUB_I, true, x86_reg(REG_LEFT), 1);
   x86_patch(a, x86_jump_if(a, CC_NZ), round);
   for (unsigned i = 0; i < j->iterate->outs; i++)
      x86_patch(a, j->iterate->out[i], a->size);
   x86_op(a, X86_LOAD, true, RAX, x86_reg(REG_LEFT));
   x86_vzeroupper(a);
   for (unsigned i = 0; i < 3; i++)
      x86_pop(a, RDX);
   for (unsigned i = 6; i-- > 0;)
      x86_pop(a, saved[i]);
   x86_ret(a);
}

/* Does the whole of it come out in line? */
static bool
emit_twice(struct jit *j, struct jit_iterate *l)
{
   size_t from = j->a.size, detours = j->detour_count, fixes = j->fix_count;
   size_t marks = j->listing ? j->listing->count : 0;
   j->iterate = l;
   j->a.watch = &l->watch;
   for (unsigned pass = 0; pass < 2 && !j->failed; pass++) {
      x86_watch_begin(&l->watch, pass);
      j->a.size = from;
      j->victim = 0;
      l->outs = 0;
      if (j->listing)
         j->listing->count = marks;
      emit_loop(j);
   }
   j->iterate = NULL;
   j->a.watch = NULL;
   bool ok = !j->failed && j->detour_count == detours && j->fix_count == fixes;
   if (!ok) {
      j->a.size = from;
      j->detour_count = detours;
      j->fix_count = fixes;
      if (j->listing)
         j->listing->count = marks;
   }
   return ok;
}

void
jit_emit_iterations(struct jit *j, struct jit_code *c)
{
   enum jit_kind kind = j->kind;
   size_t at = j->a.size;
   c->iterate = 0;
   if (j->failed || !j->has_full || j->counts || !is_straight(j->k))
      return;
   struct jit_iterate *l = calloc(1, sizeof(*l));
   if (!l)
      return;
   l->k = j->k;
   l->count = j->k->op_count - 2;
   l->watch.base = REG_THREAD;
   l->watch.first = (int32_t)offsetof(struct eu_thread, grf);
   find_live(l);
   j->kind = JIT_SERIES;
   j->version = FULL;
   bool ok = find_payload(l);
   if (ok) {
      find_once(l);
      ok = emit_twice(j, l);
   }
   if (ok) {
      c->iterate = (uint64_t)(uintptr_t)j->a.code + at;
      c->instructions = l->count + 1;
      memcpy(c->payload, l->payload, sizeof(c->payload));
   }
   j->failed = false; /* there is no loop: that is all */
   j->kind = kind;
   free(l);
}
