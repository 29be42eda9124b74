/* What a round of a region (ir.h) need not do, because the round before it has done the same.
 *
 * A region with messages keeps nothing in host registers: whoever is called may use them all. It
 * has two forms instead. The first does everything. Once it has gone round, the second leaves out
 *   - what is made of nothing that the region changes, and is where it was put;
 *   - choices by comparisons of such values that come out alike in all lanes: they are one of two
 *     registers, always the same, and who reads them reads that one;
 *   - those comparisons, where nobody else can see their flags.
 * Drivers make choices like these to emulate swizzles, sixteen for each sample.
 *
 * Where the region is left, choices are stored as they were last made. So what they are made of
 * must still be there: it is written before the choice, with no way out in between, or not at all.
 */
#include "eu/jit/operand.h"

#include <stdlib.h>
#include <string.h>

#define GRF_B (EU_GRF_COUNT * EU_REG_SIZE)
#define DWORDS (GRF_B / 4u)
#define NOBODY UINT16_MAX

struct search {
   const struct jit *j;
   const struct ir_region *r;
   struct ir_steady *s;
   uint16_t first[DWORDS], last[DWORDS]; /* who writes it, from the region's start */
   uint16_t exit[STEADY_OPS];            /* the last way out before an operation, or its start */
   uint32_t chosen[DWORDS];              /* choices that write it, a bit each */
   uint8_t now[DWORDS];                  /* which of them has, at the operation at hand */
   uint32_t bad;                         /* choices that are none */
};

struct range {
   unsigned at, size;
};

/* ---- what operations touch ------------------------------------------------------------------ */

static const struct eu_op *
op_of(const struct search *f, unsigned i)
{
   return &f->j->k->ops[f->r->first + i];
}

/* The bytes of a source; a gather has eight pieces. */
static unsigned
source_ranges(const struct eu_op *op, unsigned n, unsigned half, struct range out[8])
{
   unsigned kind = op->kind[n], at = op->src[n][half];
   if (kind == FAST_CONST)
      return 0;
   if (kind >= FAST_GATHER_D) {
      for (unsigned c = 0; c < 8; c++)
         out[c] = (struct range){at + op->vec[n][c], 4};
      return 8;
   }
   bool one = kind == FAST_SCALAR || (kind >= FAST_WORD1 && kind <= FAST_UBYTE1);
   out[0] = (struct range){at, one ? 4 : kind == FAST_PERMUTE2 ? 64 : 32};
   return 1;
}

static unsigned
target_ranges(const struct eu_op *op, unsigned half, struct range out[8])
{
   unsigned n = jit_lanes_of(op);
   if (op->dst_kind == FAST_TO_NULL)
      return 0;
   if (op->dst_kind >= FAST_TO_STRIDED_D) {
      for (unsigned c = 0; c < n; c++)
         out[c] = (struct range){op->d->dst.offset[half * 8 + c], 4};
      return n;
   }
   out[0] = (struct range){op->dst[half], op->dst_kind == FAST_TO_DWORDS ? 4 * n : 32};
   return 1;
}

#define EACH_DWORD(i, range)                                                                       \
   for (unsigned i = (range).at / 4; i <= ((range).at + (range).size - 1) / 4 && i < DWORDS; i++)

static void
note_write(struct search *f, struct range range, unsigned i)
{
   EACH_DWORD(k, range)
   {
      if (f->first[k] == NOBODY)
         f->first[k] = (uint16_t)i;
      f->last[k] = (uint16_t)i;
   }
}

/* Who writes what, and where the region may be left. False: something is looked at in ways that are
 * not followed here. */
static bool
survey(struct search *f)
{
   unsigned out = 0;
   memset(f->first, 0xff, sizeof(f->first));
   memset(f->last, 0xff, sizeof(f->last));
   for (unsigned i = 0; i <= f->r->last - f->r->first; i++) {
      const struct eu_op *op = op_of(f, i);
      struct range range[8];
      f->exit[i] = (uint16_t)out;
      if (op->fn == eu_exec_join)
         continue;
      if (jit_is_flow(op) || jit_is_message(op)) {
         out = i;
         struct ir_message m = ir_message_of(op);
         if (m.response_B)
            note_write(f, (struct range){m.response, m.response_B}, i);
         continue;
      }
      for (unsigned n = 0; n < 3; n++)
         if (op->d->src[n].kind == OPERAND_ARF)
            return false;
      for (unsigned half = 0; half < op->count; half++)
         for (unsigned n = target_ranges(op, half, range); n--;)
            note_write(f, range[n], i);
   }
   return true;
}

/* ---- what stays ----------------------------------------------------------------------------- */

/* Written by nobody, or by what stays itself, before it is read. */
static bool
range_stays(const struct search *f, struct range range, unsigned i)
{
   if (range.at + range.size > GRF_B)
      return false;
   EACH_DWORD(k, range)
   {
      unsigned who = f->last[k];
      if (who != NOBODY && (who != f->first[k] || who >= i || f->s->role[who] != STEADY_THERE))
         return false;
   }
   return true;
}

static bool
sources_stay(const struct search *f, const struct eu_op *op, unsigned i)
{
   struct range range[8];
   for (unsigned half = 0; half < op->count; half++)
      for (unsigned s = 0; s < ir_sources(op); s++)
         for (unsigned n = op->kind[s] == FAST_ACC ? 0 : source_ranges(op, s, half, range); n--;)
            if (!range_stays(f, range[n], i))
               return false;
   for (unsigned s = 0; s < ir_sources(op); s++)
      if (op->kind[s] == FAST_ACC)
         return false;
   return true;
}

static bool
is_there(const struct search *f, unsigned i)
{
   const struct eu_op *op = op_of(f, i);
   struct range range[8];
   if (!ir_is_alu(op) || op->predicate || op->d->condition || op->dst_kind == FAST_TO_NULL ||
       !sources_stay(f, op, i))
      return false;
   for (unsigned half = 0; half < op->count; half++)
      for (unsigned n = target_ranges(op, half, range); n--;) {
         if (range[n].at + range[n].size > GRF_B)
            return false;
         EACH_DWORD(k, range[n])
         if (f->first[k] != i || f->last[k] != i)
            return false;
      }
   return true;
}

/* ---- choices -------------------------------------------------------------------------------- */

static bool
is_comparison(const struct eu_op *op)
{
   unsigned f = op->operation;
   return (f >= FAST_F_CMP_Z && f <= FAST_F_CMP_LE) || f >= FAST_I_CMP_Z;
}

static bool
is_whole(const struct eu_op *op)
{
   return op->channels == (op->count == 2 ? 0xffff : 0xff) && jit_lanes_of(op) == 8;
}

static uint32_t
flag_bits(const struct eu_op *op)
{
   return (op->d->channels & 0xffff) << op->d->flag_shift;
}

static bool
writes_flags(const struct eu_op *op)
{
   return ir_is_alu(op) && op->d->condition && op->d->opcode != EU_OP_SEL;
}

/* The comparison that a choice goes by, or -1. */
static int
test_of(const struct search *f, unsigned i)
{
   const struct eu_op *op = op_of(f, i);
   for (unsigned q = i; q-- > 0;) {
      const struct eu_op *test = op_of(f, q);
      if (!writes_flags(test) || test->d->flag_reg != op->flag_reg ||
          !(flag_bits(test) & flag_bits(op)))
         continue;
      bool same = test->flag_shift == op->flag_shift && test->count == op->count &&
                  test->group == op->group;
      return is_comparison(test) && same && is_whole(test) && !test->predicate &&
                     sources_stay(f, test, q)
                 ? (int)q
                 : -1;
   }
   return -1;
}

/* All bytes of a source or of the destination. */
static struct range
bytes_of(const struct eu_op *op, int n)
{
   return (struct range){n < 0 ? op->dst[0] : op->src[n][0], 32u * op->count};
}

static bool
overlap(struct range a, struct range b)
{
   return a.at < b.at + b.size && b.at < a.at + a.size;
}

static bool
looks_like_a_choice(const struct eu_op *op)
{
   if (!ir_is_alu(op) || (op->operation != FAST_I_SEL && op->operation != FAST_F_SEL) ||
       op->predicate != 1 || op->d->predicate != 1 || op->d->saturate || op->d->condition ||
       !is_whole(op) || op->dst_kind != FAST_TO_DWORDS || op->dst[0] + 32u * op->count > GRF_B)
      return false;
   for (unsigned n = 0; n < 2; n++)
      if (op->kind[n] != FAST_VECTOR || op->modifier[n] ||
          op->src[n][0] + 32u * op->count > GRF_B ||
          (op->count == 2 && op->src[n][1] != op->src[n][0] + 32) ||
          overlap(bytes_of(op, (int)n), bytes_of(op, -1)))
         return false;
   return op->count == 1 || op->dst[1] == op->dst[0] + 32;
}

static void
add_choice(struct search *f, unsigned i)
{
   struct ir_steady *s = f->s;
   int test = looks_like_a_choice(op_of(f, i)) ? test_of(f, i) : -1;
   unsigned t = 0;
   if (test < 0 || s->choices == IR_CHOICES)
      return;
   while (t < s->tests && s->test[t] != (uint16_t)test)
      t++;
   s->test[t] = (uint16_t)test;
   s->tests += t == s->tests;
   EACH_DWORD(k, bytes_of(op_of(f, i), -1))
   f->chosen[k] |= 1u << s->choices;
   s->choice[s->choices++] = (struct ir_choice){.op = (uint16_t)i, .test = (uint8_t)t};
}

/* The choice that all these bytes are now, or IR_CHOICES. Any other use of one spoils it. */
static unsigned
choice_in(struct search *f, struct range range)
{
   bool inside = range.at + range.size <= GRF_B && range.at % 4 == 0;
   unsigned c = inside ? f->now[range.at / 4] : IR_CHOICES;
   bool all = c < IR_CHOICES;
   EACH_DWORD(k, range)
   all = all && f->now[k] == c;
   if (all)
      return c;
   EACH_DWORD(k, range)
   f->bad |= f->chosen[k];
   return IR_CHOICES;
}

/* Bytes that a choice may be: what writes them does so before it, with no way out in between. */
static bool
is_lasting(const struct search *f, struct range range, unsigned i)
{
   EACH_DWORD(k, range)
   if (f->last[k] != NOBODY && (f->last[k] >= i || f->first[k] < f->exit[i]))
      return false;
   return true;
}

static void
make_choice(struct search *f, unsigned c)
{
   struct ir_choice *choice = &f->s->choice[c];
   const struct eu_op *op = op_of(f, choice->op);
   for (unsigned n = 0; n < 2; n++) {
      struct range range = bytes_of(op, (int)n);
      unsigned from = choice_in(f, range);
      bool good = from < IR_CHOICES ? f->exit[f->s->choice[from].op] == f->exit[choice->op]
                                    : is_lasting(f, range, choice->op);
      const struct eu_op *made = from < IR_CHOICES ? op_of(f, f->s->choice[from].op) : op;
      choice->from[n] = (uint8_t)from;
      choice->distance[n] = (uint16_t)(from < IR_CHOICES ? range.at - made->dst[0] : 0);
      f->bad |= good ? 0 : 1u << c;
   }
   EACH_DWORD(k, bytes_of(op, -1))
   f->now[k] = (uint8_t)c;
}

/* An operation that is no choice. */
static void
use(struct search *f, unsigned i)
{
   const struct eu_op *op = op_of(f, i);
   struct range range[8];
   if (op->fn == eu_exec_join || jit_is_flow(op))
      return;
   if (jit_is_message(op)) {
      struct ir_message m = ir_message_of(op);
      EACH_DWORD(k, ((struct range){m.payload, m.payload_B}))
      f->bad |= f->chosen[k];
      if (m.response_B)
         EACH_DWORD(k, ((struct range){m.response, m.response_B}))
      f->bad |= f->chosen[k];
      return;
   }
   for (unsigned half = 0; half < op->count; half++) {
      for (unsigned s = 0; s < ir_sources(op); s++) {
         unsigned count = source_ranges(op, s, half, range);
         unsigned c = IR_CHOICES;
         for (unsigned n = 0; n < count; n++)
            c = choice_in(f, range[n]);
         if (c < IR_CHOICES && op->kind[s] != FAST_VECTOR)
            f->bad |= 1u << c;
         f->s->alias[i][s][half] = (uint8_t)c;
      }
      for (unsigned n = target_ranges(op, half, range); n--;)
         EACH_DWORD(k, range[n])
      f->bad |= f->chosen[k];
   }
}

/* Follows the choices through a round; what does not hold is taken out, and all begins anew. */
static void
follow_choices(struct search *f)
{
   do {
      unsigned kept = 0, next = 0;
      memset(f->chosen, 0, sizeof(f->chosen));
      for (unsigned c = 0; c < f->s->choices; c++) {
         if (f->bad >> c & 1)
            continue;
         EACH_DWORD(k, bytes_of(op_of(f, f->s->choice[c].op), -1))
         f->chosen[k] |= 1u << kept;
         f->s->choice[kept++] = f->s->choice[c];
      }
      f->s->choices = kept;
      f->bad = 0;
      memset(f->now, IR_CHOICES, sizeof(f->now));
      memset(f->s->alias, IR_CHOICES, sizeof(f->s->alias));
      for (unsigned i = 0; i <= f->r->last - f->r->first; i++) {
         if (next < kept && f->s->choice[next].op == i)
            make_choice(f, next++);
         else
            use(f, i);
      }
   } while (f->bad);
}

/* May the flags of a comparison be left out? They are written again before anybody sees them. */
static bool
is_unseen(const struct search *f, unsigned i)
{
   const struct eu_op *op = op_of(f, i);
   if (!ir_is_alu(op) || !is_comparison(op) || op->dst_kind != FAST_TO_NULL || op->predicate)
      return false;
   for (unsigned q = i + 1; q <= f->r->last - f->r->first; q++) {
      const struct eu_op *next = op_of(f, q);
      if (next->fn == eu_exec_join)
         continue;
      if (!ir_is_alu(next))
         return false;
      if (next->d->predicate && f->s->role[q] != STEADY_CHOICE)
         return false;
      if (writes_flags(next) && !next->predicate && next->d->flag_reg == op->d->flag_reg &&
          is_whole(next) && !(flag_bits(op) & ~flag_bits(next)))
         return true;
   }
   return false;
}

/* Some choices were none. */
static void
keep_asked_tests(struct ir_steady *s)
{
   uint16_t all[IR_CHOICES];
   memcpy(all, s->test, sizeof(all));
   s->tests = 0;
   for (unsigned c = 0; c < s->choices; c++) {
      unsigned t = 0;
      while (t < s->tests && s->test[t] != all[s->choice[c].test])
         t++;
      s->test[t] = all[s->choice[c].test];
      s->tests += t == s->tests;
      s->choice[c].test = (uint8_t)t;
   }
}

/* ---- all of it ------------------------------------------------------------------------------ */

struct ir_steady *
ir_find_steady(const struct jit *j, const struct ir_region *r)
{
   unsigned count = r->last - r->first + 1, roles = 0;
   struct search *f = count <= STEADY_OPS ? calloc(1, sizeof(*f)) : NULL;
   struct ir_steady *s = f ? calloc(1, sizeof(*s)) : NULL;
   if (s) {
      f->j = j, f->r = r, f->s = s;
      memset(s->alias, IR_CHOICES, sizeof(s->alias));
   }
   if (s && survey(f)) {
      for (unsigned i = 0; i < count; i++)
         if (is_there(f, i))
            s->role[i] = STEADY_THERE;
      for (unsigned i = 0; i < count; i++)
         add_choice(f, i);
      follow_choices(f);
      for (unsigned c = 0; c < s->choices; c++)
         s->role[s->choice[c].op] = STEADY_CHOICE;
      for (unsigned i = 0; i < count; i++)
         if (s->choices && is_unseen(f, i))
            s->role[i] = STEADY_UNSEEN;
      for (unsigned i = 0; i < count; i++)
         roles += s->role[i] != STEADY_NO;
      keep_asked_tests(s);
   }
   free(f);
   if (!roles) {
      free(s);
      return NULL;
   }
   return s;
}

/* ---- code ----------------------------------------------------------------------------------- */

static struct x86_rm
pointer_slot(unsigned c)
{
   return x86_mem(RSP, 8 * (int32_t)c);
}

static struct x86_rm
test_slot(unsigned t)
{
   return x86_mem(RSP, 8 * (int32_t)(IR_CHOICES + t));
}
_Static_assert(8 * 2 * IR_CHOICES <= FRAME_B, "a region with messages has no other slots");

/* Its slot: all ones or all zeros. Returns the jump that is taken where lanes differ. */
static size_t
settle_test(struct jit *j, const struct ir_region *r, unsigned t)
{
   struct x86 *a = &j->a;
   const struct eu_op *op = &j->k->ops[r->first + r->steady->test[t]];
   unsigned truth[2] = {0, 0};
   bool inverted = false;
   jit_forget(j);
   j->pinned = 0;
   for (unsigned half = 0; half < op->count; half++) {
      truth[half] = jit_new_register(j);
      inverted = jit_compare(j, op, half, truth[half]);
   }
   vex(a, VMOVMSKPS, RDX, 0, x86_reg(truth[0]));
   if (op->count == 2) {
      vex(a, VMOVMSKPS, RCX, 0, x86_reg(truth[1]));
      x86_shift(a, true, RCX, 8);
      x86_op(a, X86_OR, false, RDX, x86_reg(RCX));
   }
   x86_op(a, X86_TEST, false, RDX, x86_reg(RDX));
   size_t none = x86_jump_if(a, CC_Z);
   x86_imm(a, X86_CMP_I, false, x86_reg(RDX), op->count == 2 ? 0xffff : 0xff);
   size_t differ = x86_jump_if(a, CC_NE);
   x86_patch(a, none, a->size);
   if (inverted)
      vex(a, VPXOR, truth[0], truth[0], CONSTANT(ones));
   vex128(a, VMOVQ_STORE, truth[0], 0, test_slot(t));
   return differ;
}

/* reg = the address of what a choice may be. */
static void
load_side(struct jit *j, const struct ir_choice *c, const struct eu_op *op, unsigned n,
          unsigned reg)
{
   if (c->from[n] == IR_CHOICES) {
      x86_op(&j->a, X86_LEA, true, reg, jit_grf(op->src[n][0]));
      return;
   }
   x86_op(&j->a, X86_LOAD, true, reg, pointer_slot(c->from[n]));
   if (c->distance[n])
      x86_imm(&j->a, X86_ADD_I, true, x86_reg(reg), c->distance[n]);
}

void
jit_settle_choices(struct jit *j, const struct ir_region *r, size_t differ[IR_CHOICES])
{
   struct x86 *a = &j->a;
   const struct ir_steady *s = r->steady;
   for (unsigned t = 0; t < s->tests; t++)
      differ[t] = settle_test(j, r, t);
   jit_forget(j);
   for (unsigned c = 0; c < s->choices; c++) {
      const struct eu_op *op = &j->k->ops[r->first + s->choice[c].op];
      bool inverse = op->d->predicate_inverse;
      load_side(j, &s->choice[c], op, inverse, RAX);
      load_side(j, &s->choice[c], op, !inverse, RCX);
      x86_op(a, X86_XOR, true, RAX, x86_reg(RCX));
      x86_op(a, X86_AND, true, RAX, test_slot(s->choice[c].test));
      x86_op(a, X86_XOR, true, RAX, x86_reg(RCX));
      x86_op(a, X86_STORE, true, RAX, pointer_slot(c));
   }
}

void
jit_store_choices(struct jit *j, const struct ir_region *r, uint32_t at)
{
   const struct ir_steady *s = r->steady;
   /* Those behind this place were made in the round before. */
   for (unsigned before = 0; before < 2; before++)
      for (unsigned c = 0; c < s->choices; c++) {
         const struct eu_op *op = &j->k->ops[r->first + s->choice[c].op];
         if ((r->first + s->choice[c].op < at) != before)
            continue;
         x86_op(&j->a, X86_LOAD, true, RAX, pointer_slot(c));
         for (unsigned half = 0; half < op->count; half++) {
            vex(&j->a, VMOVDQU_LOAD, 1, 0, x86_mem(RAX, 32 * (int32_t)half));
            vex(&j->a, VMOVDQU_STORE, 1, 0, jit_grf(op->dst[half]));
         }
      }
}

bool
jit_is_left_out(const struct jit *j, uint32_t i)
{
   return j->steady && j->region->steady->role[i - j->region->first] != STEADY_NO;
}

static unsigned
choice_of(const struct jit *j, const struct eu_op *op, unsigned n, unsigned half)
{
   const struct ir_region *r = j->region;
   return j->steady ? r->steady->alias[op - j->k->ops - r->first][n][half] : IR_CHOICES;
}

bool
jit_is_chosen(const struct jit *j, const struct eu_op *op, unsigned n, unsigned half)
{
   return choice_of(j, op, n, half) != IR_CHOICES;
}

struct x86_rm
jit_chosen(struct jit *j, const struct eu_op *op, unsigned n, unsigned half)
{
   unsigned c = choice_of(j, op, n, half);
   const struct eu_op *made = &j->k->ops[j->region->first + j->region->steady->choice[c].op];
   x86_op(&j->a, X86_LOAD, true, RAX, pointer_slot(c));
   return x86_mem(RAX, (int32_t)op->src[n][half] - (int32_t)made->dst[0]);
}
