/* Channels part and meet inside a region (ir.h): if, else, endif and continue.
 *
 * The thread's own mask has all channels that are in the region, a host register those that are
 * active; of the others each place where they wait has a mask in the frame. Nobody waits at the top
 * or at the branch back. Where some may wait, operations are *apart*: what they write is blended
 * into values, by lanes that need be right for the region's channels only. A side that nobody takes
 * is jumped over, and its instructions are given back. */
#include "eu/jit/operand.h"
#include "eu/jit/show.h"

/* ---- where ---------------------------------------------------------------------------------- */

/* Where channels wait that an operation lets go; NULL: it lets none wait inside the kernel. */
static const struct eu_op *
waits_at(const struct eu_op *op)
{
   if (op->fn == eu_exec_join || !op->d)
      return NULL;
   switch (op->d->opcode) {
   case EU_OP_IF:
   case EU_OP_ELSE:
      return op->jip;
   case EU_OP_CONT:
      return op->uip;
   default:
      return NULL;
   }
}

bool
ir_is_apart(const struct jit *j, uint32_t i, uint32_t *until)
{
   const struct eu_op *at = waits_at(&j->k->ops[i]);
   bool apart = i < *until;
   if (at && (uint32_t)(at - j->k->ops) > *until)
      *until = (uint32_t)(at - j->k->ops);
   return apart;
}

static int
find_meet(const struct ir_region *r, uint32_t i)
{
   for (unsigned m = 0; m < r->meets; m++)
      if (r->meet[m].op == i)
         return (int)m;
   return -1;
}

static bool
is_ahead(const struct jit *j, const struct ir_region *r, uint32_t i, const struct eu_op *to)
{
   return to && to->fn == eu_exec_join && to > &j->k->ops[i] && to <= &j->k->ops[r->last];
}

/* Where an operation jumps to with nobody left, if channels may wait there; or -1. */
static int
next_meet(const struct jit *j, const struct ir_region *r, uint32_t i)
{
   const struct eu_op *op = &j->k->ops[i];
   bool ahead = op->fn != eu_exec_join && is_ahead(j, r, i, op->jip);
   return ahead ? find_meet(r, (uint32_t)(op->jip - j->k->ops)) : -1;
}

static bool
add_meet(const struct jit *j, struct ir_region *r, const struct eu_op *at, uint32_t from)
{
   uint32_t op = (uint32_t)(at - j->k->ops);
   if (find_meet(r, op) >= 0)
      return true;
   if (r->meets == IR_MEETS)
      return false;
   r->meet[r->meets++] = (struct ir_meet){.op = op, .from = from};
   return true;
}

/* Where channels wait, and where control goes when those of a side have left. */
static bool
find_meets(const struct jit *j, struct ir_region *r)
{
   uint32_t until = 0;
   for (uint32_t i = r->first; i <= r->last; i++) {
      const struct eu_op *op = &j->k->ops[i], *at = waits_at(op);
      bool apart = ir_is_apart(j, i, &until);
      if (at && (!is_ahead(j, r, i, at) || !add_meet(j, r, at, i)))
         return false;
      if (op->fn != eu_exec_join)
         r->quits |= op->d->opcode == EU_OP_CONT || (apart && op->d->opcode == EU_OP_BREAK);
   }
   until = 0;
   for (uint32_t i = r->first; r->quits && i <= r->last; i++) {
      const struct eu_op *op = &j->k->ops[i];
      if (ir_is_apart(j, i, &until) && op->fn != eu_exec_join && is_ahead(j, r, i, op->jip) &&
          !add_meet(j, r, op->jip, IR_NOBODY))
         return false;
   }
   return true;
}

/* Would it pass by others that wait? Not by those right behind it, who have been asked. */
static bool
passes_by(const struct jit *j, const struct ir_region *r, uint32_t i)
{
   int to = next_meet(j, r, i);
   for (unsigned m = 0; to >= 0 && m < r->meets; m++)
      if (r->meet[m].from <= i && r->meet[m].op > i + 1 && r->meet[m].op < r->meet[to].op)
         return true;
   return false;
}

bool
ir_find_sides(const struct jit *j, struct ir_region *r)
{
   if (!find_meets(j, r))
      return false;
   for (uint32_t i = r->first; r->meets && i <= r->last; i++)
      if (jit_is_flow(&j->k->ops[i]) && passes_by(j, r, i))
         return false;
   return true;
}

/* ---- lanes ---------------------------------------------------------------------------------- */

/* Channels of the region that an `if` lets go on, as a comparison has found them? */
static bool
tells_side(const struct truth *t, const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   return d->opcode == EU_OP_IF && d->predicate == 1 && d->flag_reg == t->flag_reg && !d->group &&
          !t->group && d->flag_shift == t->flag_shift && d->exec_size == 8u * t->count;
}

bool
jit_side_is_told(const struct jit *j, const struct truth *t, const struct eu_op *op)
{
   return j->region && j->region->meets && !j->apart && t->known && jit_is_flow(op) &&
          tells_side(t, op);
}

unsigned
jit_side_lanes(struct jit *j, unsigned channel, unsigned scratch)
{
   struct x86_rm shift = CONSTANT(shift);
   bool known = channel == 0 || channel == 8;
   unsigned to = known ? MASK0 : scratch;
   if (known && j->kept.masks)
      return channel ? MASK1 : MASK0;
   vex128(&j->a, VMOVD_FROM, to, 0, x86_reg(REG_ACTIVE));
   vex(&j->a, VPBROADCASTD, to, 0, x86_reg(to));
   if (known) {
      shift.disp += 32;
      vex(&j->a, VPSLLVD, MASK1, MASK0, shift);
      vex(&j->a, VPSLLVD, MASK0, MASK0, CONSTANT(shift));
      j->kept.masks = true;
      return channel ? MASK1 : MASK0;
   }
   shift.disp += 4 * (int32_t)channel;
   vex(&j->a, VPSLLVD, to, to, shift);
   return to;
}

/* The lanes of an `if`, before it. */
static void
take_lanes(struct jit *j, const struct eu_op *op)
{
   const struct truth *t = &j->kept.truth;
   j->kept.masks = jit_side_is_told(j, t, op);
   j->turns = j->kept.masks ? op : NULL;
   if (!j->kept.masks)
      return;
   bool inverted = t->inverted != op->d->predicate_inverse;
   for (unsigned half = 0; half < 2; half++) {
      unsigned to = half ? MASK1 : MASK0;
      if (half >= t->count)
         vex(&j->a, VPXOR, to, to, x86_reg(to));
      else if (inverted)
         vex(&j->a, VPXOR, to, KEPT + t->reg[half], CONSTANT(ones));
      else
         vex(&j->a, VMOVDQU_LOAD, to, 0, x86_reg(KEPT + t->reg[half]));
   }
}

/* Behind an `else` that all of its `if` have come to, with nothing in between that parts them, the
 * lanes are the others. */
static bool
is_other_side(const struct jit *j, uint32_t i)
{
   const struct eu_op *from = j->turns, *before = &j->k->ops[i - 1];
   return from && from->jip == &j->k->ops[i] && before->fn != eu_exec_join &&
          before->d->opcode == EU_OP_ELSE && (from->mask & ~before->mask) == 0;
}

/* ---- code ----------------------------------------------------------------------------------- */

static struct x86_rm
slot_of(unsigned m)
{
   return x86_mem(RSP, FRAME_MEETS + 4 * (int32_t)m);
}

void
jit_empty_meets(struct jit *j, const struct ir_region *r)
{
   for (unsigned m = 0; m < r->meets; m++)
      x86_store_imm(&j->a, slot_of(m), 0);
}

/* The channels in a register wait inside. */
static void
let_wait(struct jit *j, const struct eu_op *op, unsigned reg)
{
   int m = find_meet(j->region, (uint32_t)(waits_at(op) - j->k->ops));
   bool first = j->region->meet[m].from == (uint32_t)(op - j->k->ops);
   x86_op(&j->a, first ? X86_STORE : X86_OR_TO, false, reg, slot_of((unsigned)m));
}

/* With nobody left, as the zero flag tells. */
static void
nobody_if_zero(struct jit *j, const struct eu_op *op)
{
   struct detour *s = jit_detour(j, DETOUR_NOBODY, op);
   s->from[0] = x86_jump_if(&j->a, CC_Z);
   s->back = j->a.size;
}

static void
emit_else(struct jit *j, const struct eu_op *op)
{
   struct x86 *a = &j->a;
   int next = find_meet(j->region, (uint32_t)(op + 1 - j->k->ops));
   j->kept.masks = false;
   if (op->mask == 0xffff && next >= 0) { /* there are no more, and somebody waits behind it */
      let_wait(j, op, REG_ACTIVE);
      x86_op(a, X86_XOR, false, REG_ACTIVE, x86_reg(REG_ACTIVE));
      x86_imm(a, X86_CMP_I, false, slot_of((unsigned)next), 0);
      nobody_if_zero(j, op);
      return;
   }
   x86_op(a, X86_LOAD, false, RAX, x86_reg(REG_ACTIVE));
   x86_imm(a, X86_AND_I, false, x86_reg(RAX), (int32_t)op->mask);
   let_wait(j, op, RAX);
   x86_op(a, X86_XOR, false, REG_ACTIVE, x86_reg(RAX));
   nobody_if_zero(j, op);
}

void
jit_part_in_region(struct jit *j, const struct eu_op *op)
{
   struct x86 *a = &j->a;
   switch (op->d->opcode) {
   case EU_OP_IF:
      take_lanes(j, op);
      jit_taken(j, op);
      x86_op(a, X86_LOAD, false, RCX, x86_reg(REG_ACTIVE));
      x86_op(a, X86_XOR, false, RCX, x86_reg(RAX));
      let_wait(j, op, RCX);
      x86_op(a, X86_LOAD, false, REG_ACTIVE, x86_reg(RAX));
      x86_op(a, X86_TEST, false, RAX, x86_reg(RAX));
      nobody_if_zero(j, op);
      return;
   case EU_OP_ELSE:
      emit_else(j, op);
      return;
   case EU_OP_CONT:
      j->kept.masks = false;
      j->turns = NULL;
      jit_taken(j, op);
      let_wait(j, op, RAX);
      x86_op(a, X86_XOR, false, REG_ACTIVE, x86_reg(RAX));
      nobody_if_zero(j, op);
      return;
   default: /* endif, break: somebody is there, unless channels have left by other ways */
      if (!j->region->quits)
         return;
      x86_op(a, X86_TEST, false, REG_ACTIVE, x86_reg(REG_ACTIVE));
      nobody_if_zero(j, op);
      return;
   }
}

/* Control comes here from several places. */
void
jit_meet(struct jit *j, uint32_t i)
{
   struct x86 *a = &j->a;
   int m = find_meet(j->region, i);
   bool other = is_other_side(j, i);
   if (m < 0)
      return;
   jit_mark(j, MARK_BLOCK, i);
   j->label[FIX_INSIDE][i] = (uint32_t)a->size + 1;
   jit_forget(j);
   if (j->region->meet[m].from == IR_NOBODY)
      return;
   j->turns = NULL;
   if (j->apart)
      x86_op(a, X86_OR, false, REG_ACTIVE, slot_of((unsigned)m));
   else
      x86_op(a, X86_LOAD, false, REG_ACTIVE, THREAD(active));
   x86_store_imm(a, slot_of((unsigned)m), 0);
   for (unsigned half = 0; other && half < 2; half++)
      vex(a, VPXOR, MASK0 + half, MASK0 + half, CONSTANT(ones));
   j->kept.masks = other;
}

/* ---- aside ---------------------------------------------------------------------------------- */

void
jit_nobody(struct jit *j, const struct detour *s)
{
   struct x86 *a = &j->a;
   const struct ir_region *r = s->region;
   const struct eu_op *op = &j->k->ops[s->op];
   int next = find_meet(r, s->op + 1);
   if (next >= 0) {
      x86_imm(a, X86_CMP_I, false, slot_of((unsigned)next), 0);
      x86_patch(a, x86_jump_if(a, CC_NE), s->back);
   }
   if (next_meet(j, r, s->op) >= 0) {
      uint32_t skipped = 0;
      for (const struct eu_op *q = op + 1; q < op->jip; q++)
         skipped += q->fn != eu_exec_join;
      if (skipped) {
         x86_imm(a, X86_ADD_I, true, x86_reg(REG_LEFT), (int32_t)skipped);
         jit_count(j, s->op + 1, skipped, -1);
      }
      jit_jump_to(j, x86_jump(a), op->jip, FIX_INSIDE);
      return;
   }
   jit_leave_region(j, s);
   for (unsigned m = 0; m < r->meets; m++) {
      if (r->meet[m].op <= s->op || r->meet[m].from > s->op)
         continue;
      x86_op(a, X86_LOAD, false, RCX, slot_of(m));
      x86_op(a, X86_TEST, false, RCX, x86_reg(RCX));
      size_t none = x86_jump_if(a, CC_Z);
      jit_park(j, j->k->ops[r->meet[m].op].ip);
      x86_patch(a, none, a->size);
   }
   jit_refund(j, s);
   jit_jump_to(j, x86_jump(a), op->jip, MASKED);
}
