/* Innermost loops with registers of their own.
 *
 * A loop of nothing but native arithmetic and branches is translated once more, with the EU
 * registers that it uses most in host registers from one iteration to the next. They are loaded at
 * the loop's start, where code from outside comes in, and written back wherever control leaves: in
 * between the thread's own copy is old, and nothing that is emitted here reads it. What is settled
 * of NaN (EU-055) is settled there too, of those in memory as well: inside, floats may be any NaN,
 * as long as only floats are made of them. So that what is written back is settled rightly, a loop
 * that starts with a NaN in such a register is left to the plain code. */
#include "eu/jit/operand.h"

#include <stdlib.h>
#include <string.h>

#define PLACES 48u /* that are looked at */

struct candidate {
   uint16_t offset;
   unsigned uses;
   bool written;
   bool bits;   /* somebody looks at its bits, or writes something other than float
                   results */
   bool shared; /* parts of it are used apart */
};

struct survey {
   struct candidate place[PLACES];
   unsigned count;
   bool overflow;
};

static void
use(struct survey *s, unsigned offset, bool write, bool bits)
{
   unsigned i = 0;
   while (i < s->count && s->place[i].offset != offset)
      i++;
   if (i == PLACES) {
      s->overflow = true;
      return;
   }
   if (i == s->count)
      s->place[s->count++] = (struct candidate){.offset = (uint16_t)offset};
   s->place[i].uses++;
   s->place[i].written |= write;
   s->place[i].bits |= bits;
}

/* Bytes that are reached in another way than as a whole vector. */
static void
spoil(struct survey *s, unsigned first, unsigned size)
{
   for (unsigned i = 0; i < s->count; i++)
      if (s->place[i].offset < first + size && first < s->place[i].offset + 32u)
         s->place[i].shared = true;
}

static bool
makes_floats(unsigned f)
{
   return f <= FAST_F_FDIV && f != FAST_F_SEL && f != FAST_F_TO_D && f != FAST_F_TO_UD &&
          !(f >= FAST_F_CMP_Z && f <= FAST_F_CMP_LE);
}

static bool
reads_floats(unsigned f)
{
   return f <= FAST_F_FDIV && f != FAST_F_SEL;
}

static unsigned
sources_of(const struct eu_op *op)
{
   return op->d->opcode == EU_OP_MATH && op->operation != FAST_F_FDIV ? 1 : op->d->sources;
}

static void
whole_uses(struct survey *s, const struct eu_op *op)
{
   unsigned f = op->operation;
   for (unsigned half = 0; half < op->count; half++) {
      for (unsigned n = 0; n < sources_of(op); n++)
         if (op->kind[n] == FAST_VECTOR)
            use(s, op->src[n][half], false, !reads_floats(f));
      if (op->dst_kind == FAST_TO_DWORDS && jit_lanes_of(op) == 8)
         use(s, op->dst[half], true, !makes_floats(f));
   }
}

static void
spoil_source(struct survey *s, const struct eu_op *op, unsigned n, unsigned half)
{
   unsigned at = op->src[n][half], size = 32;
   if (op->kind[n] == FAST_VECTOR || op->kind[n] == FAST_CONST)
      return;
   if (op->kind[n] == FAST_SCALAR || (op->kind[n] >= FAST_WORD1 && op->kind[n] <= FAST_UBYTE1)) {
      size = 4;
   } else if (op->kind[n] == FAST_PERMUTE2) {
      size = 64;
   } else if (op->kind[n] >= FAST_GATHER_D) {
      for (unsigned c = 0; c < 8; c++)
         spoil(s, at + op->vec[n][c], 4);
      return;
   }
   spoil(s, at, size);
}

static void
partial_uses(struct survey *s, const struct eu_op *op)
{
   for (unsigned half = 0; half < op->count; half++) {
      for (unsigned n = 0; n < sources_of(op); n++)
         spoil_source(s, op, n, half);
      if (op->dst_kind == FAST_TO_NULL || (op->dst_kind == FAST_TO_DWORDS && jit_lanes_of(op) == 8))
         continue;
      if (op->dst_kind == FAST_TO_STRIDED_D || op->dst_kind == FAST_TO_STRIDED_W ||
          op->dst_kind == FAST_TO_STRIDED_B)
         for (unsigned c = 0; c < jit_lanes_of(op); c++)
            spoil(s, op->d->dst.offset[half * 8 + c], 4);
      else
         spoil(s, op->dst[half], 32);
   }
}

static void
spoil_each_other(struct survey *s)
{
   for (unsigned i = 0; i < s->count; i++)
      for (unsigned k = 0; k < i; k++)
         if (s->place[i].offset < s->place[k].offset + 32u &&
             s->place[k].offset < s->place[i].offset + 32u)
            s->place[i].shared = s->place[k].shared = true;
}

/* The most used places. */
static void
choose(struct jit_loop *l, const struct survey *s)
{
   uint64_t taken = 0;
   for (l->count = 0; l->count < LOOP_PLACES; l->count++) {
      unsigned best = PLACES;
      for (unsigned i = 0; i < s->count; i++)
         if (!(taken >> i & 1) && !s->place[i].shared &&
             (best == PLACES || s->place[i].uses > s->place[best].uses))
            best = i;
      if (best == PLACES)
         return;
      taken |= UINT64_C(1) << best;
      l->place[l->count].offset = s->place[best].offset;
      l->place[l->count].written = s->place[best].written;
      l->place[l->count].open = s->place[best].written && !s->place[best].bits;
   }
}

/* In the loop and native in the version at hand, with no call? */
static bool
fits(const struct jit *j, const struct jit_loop *l, uint32_t i)
{
   const struct eu_op *op = &j->k->ops[i];
   if (op->fn == eu_exec_join)
      return true;
   const struct eu_detail *d = op->d;
   if (!d || d->inst.debug || d->illegal)
      return false;
   if (jit_is_flow(op))
      return jit_is_simple_flow(op) &&
             (d->opcode == EU_OP_NOP || d->opcode == EU_OP_IF || d->opcode == EU_OP_ELSE ||
              d->opcode == EU_OP_ENDIF || d->opcode == EU_OP_BREAK || d->opcode == EU_OP_CONT ||
              i == l->last);
   unsigned f = op->operation;
   bool select = f == FAST_F_SEL || f == FAST_I_SEL;
   bool accumulator = f >= FAST_MUL_ACC && f <= FAST_SUBB;
   return op->fast && jit_storable(j, op, op->predicate && !select) && !accumulator &&
          f != FAST_F_LRP && f != FAST_F_PLN && !(f > FAST_F_FDIV && f <= FAST_F_POW);
}

static void
survey(const struct jit *j, struct jit_loop *l)
{
   struct survey s = {.count = 0};
   for (unsigned pass = 0; pass < 2; pass++)
      for (uint32_t i = l->first; i <= l->last; i++) {
         const struct eu_op *op = &j->k->ops[i];
         if (op->fn == eu_exec_join || jit_is_flow(op))
            continue;
         l->nearest |= op->operation == FAST_F_FRC ||
                       (op->operation >= FAST_F_INV && op->operation <= FAST_F_FDIV);
         (pass ? partial_uses : whole_uses)(&s, op);
      }
   spoil_each_other(&s);
   l->count = 0;
   if (!s.overflow)
      choose(l, &s);
}

static void
consider(struct jit *j, uint32_t first, uint32_t last)
{
   struct jit_loop l = {.first = first, .last = last, .good = {true, j->has_full}};
   for (unsigned v = 0; v < 2; v++) {
      j->version = (enum version)v;
      for (uint32_t i = first; i <= last && l.good[v]; i++)
         l.good[v] = fits(j, &l, i);
   }
   if (!l.good[MASKED] && !l.good[FULL])
      return;
   survey(j, &l);
   if (l.count)
      j->loop_list[j->loop_count++] = l;
}

void
jit_find_loops(struct jit *j)
{
   uint32_t inner = 0; /* behind the last jump back */
   for (uint32_t i = 0; i < j->k->op_count && j->loop_count < LOOPS; i++) {
      const struct eu_op *op = &j->k->ops[i];
      if (op->fn == eu_exec_join || !op->d ||
          (op->d->opcode != EU_OP_WHILE && op->d->opcode != EU_OP_JMPI))
         continue;
      uint32_t first = op->jip ? (uint32_t)(op->jip - j->k->ops) : i;
      if (op->d->opcode == EU_OP_JMPI && (first >= i || i + 1 == j->k->op_count))
         continue;
      if (first < i && first >= inner && j->leader[first])
         consider(j, first, i);
      inner = i + 1;
   }
}

/* ---- code ----------------------------------------------------------------------------------- */

/* Two more registers where no masks are needed. */
static unsigned
registers_of(const struct jit_loop *l, enum version version)
{
   unsigned most = version == FULL ? LOOP_REGISTERS : LOOP_REGISTERS - 2;
   return l->count < most ? l->count : most;
}

/* Index among the kept registers. */
static unsigned
index_of(unsigned i)
{
   return i < LOOP_REGISTERS - 2 ? i : KEPT_COUNT + i - (LOOP_REGISTERS - 2);
}

int
jit_loop_register(const struct jit *j, unsigned offset)
{
   for (unsigned i = 0; j->loop && i < registers_of(j->loop, j->version); i++)
      if (j->loop->place[i].offset == offset)
         return (int)index_of(i);
   return -1;
}

bool
jit_stays_open(const struct jit *j, const struct eu_op *op, unsigned half)
{
   if (j->wide)
      return true;
   for (unsigned i = 0; j->loop && i < j->loop->count; i++)
      if (j->loop->place[i].offset == op->dst[half])
         return op->dst_kind == FAST_TO_DWORDS && j->loop->place[i].open;
   return false;
}

void
jit_loop_flush(struct jit *j, const struct jit_loop *l, enum version version)
{
   for (unsigned i = 0; i < l->count; i++) {
      bool own = i < registers_of(l, version);
      unsigned r = own ? KEPT + index_of(i) : SCRATCH + 1;
      if (own ? !l->place[i].written : !l->place[i].open)
         continue;
      if (!own)
         vex(&j->a, VMOVDQU_LOAD, r, 0, jit_grf(l->place[i].offset));
      if (l->place[i].open) {
         jit_settle(j, SCRATCH + 1, r);
         r = SCRATCH + 1;
      }
      vex(&j->a, VMOVDQU_STORE, r, 0, jit_grf(l->place[i].offset));
   }
}

void
jit_loop_enter(struct jit *j, uint32_t i)
{
   for (unsigned n = 0; n < j->loop_count; n++) {
      struct jit_loop *l = &j->loop_list[n];
      if (l->first != i || !l->good[j->version])
         continue;
      l->from[j->version] = x86_jump(&j->a);
      l->plain[j->version] = j->a.size;
   }
}

/* Loads the registers, unless something speaks against it. */
static void
enter(struct jit *j, const struct jit_loop *l, enum version v)
{
   struct x86 *a = &j->a;
   bool first = true;
   x86_patch(a, l->from[v], a->size);
   if (l->nearest) {
      x86_test_imm(a, THREAD(cr0[0]), 3u << CR0_ROUNDING_SHIFT);
      x86_patch(a, x86_jump_if(a, CC_NZ), l->plain[v]);
   }
   for (unsigned i = 0; i < l->count; i++) {
      bool own = i < registers_of(l, v);
      unsigned r = own ? KEPT + index_of(i) : SCRATCH + 2;
      if (own || l->place[i].open)
         vex(a, VMOVDQU_LOAD, r, 0, jit_grf(l->place[i].offset));
      if (!l->place[i].open)
         continue;
      vex_imm(a, VCMPPS_I, first ? SCRATCH : SCRATCH + 1, r, x86_reg(r), 3); /* unordered */
      if (!first)
         vex(a, VPOR, SCRATCH, SCRATCH, x86_reg(SCRATCH + 1));
      first = false;
   }
   if (first)
      return;
   vex(a, VTESTPS, SCRATCH, 0, x86_reg(SCRATCH));
   x86_patch(a, x86_jump_if(a, CC_NZ), l->plain[v]);
}

static void
emit(struct jit *j, struct jit_loop *l, enum version v)
{
   j->version = v;
   enter(j, l, v);
   l->top[v] = j->a.size;
   j->loop = l;
   for (unsigned i = 0; i < registers_of(l, v); i++) {
      j->reserved |= 1u << index_of(i);
      j->kept.offset[index_of(i)] = l->place[i].offset;
   }
   jit_forget(j);
   for (uint32_t i = l->first; i <= l->last; i++)
      jit_one(j, i);
   jit_jump_to(j, x86_jump(&j->a), &j->k->ops[l->last + 1], v);
   j->loop = NULL;
   j->reserved = 0;
   jit_forget(j);
}

void
jit_emit_loops(struct jit *j)
{
   for (unsigned n = 0; n < j->loop_count; n++)
      for (unsigned v = 0; v < 2; v++)
         if (j->loop_list[n].from[v])
            emit(j, &j->loop_list[n], (enum version)v);
}
