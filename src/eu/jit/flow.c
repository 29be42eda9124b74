/* Flow control: channels part and meet. */
#include "eu/jit/translate.h"

#include <string.h>

bool
jit_is_flow(const struct eu_op *op)
{
   return op->d && eu_flow_select(op->d->opcode) != NULL;
}

/* ymm[lane] = the dword in a general register, eight times. */
static void
broadcast(struct jit *j, unsigned ymm, unsigned reg)
{
   vex128(&j->a, VMOVD_FROM, ymm, 0, x86_reg(reg));
   vex(&j->a, VPBROADCASTD, ymm, 0, x86_reg(ymm));
}

/* Channels that wait exactly here become active. */
void
jit_wake(struct jit *j, uint32_t ip)
{
   struct x86 *a = &j->a;
   x86_op(a, X86_LOAD, false, RAX, THREAD(waiting));
   x86_op(a, X86_TEST, false, RAX, x86_reg(RAX));
   size_t none = x86_jump_if(a, CC_Z);
   x86_mov_imm(a, RCX, ip);
   broadcast(j, 0, RCX);
   vex(a, VPCMPEQD, 1, 0, THREAD(pip[0]));
   vex(a, VPCMPEQD, 2, 0, THREAD(pip[8]));
   vex(a, VMOVMSKPS, RCX, 0, x86_reg(1));
   vex(a, VMOVMSKPS, RDX, 0, x86_reg(2));
   x86_shift(a, true, RDX, 8);
   x86_op(a, X86_OR, false, RCX, x86_reg(RDX));
   x86_op(a, X86_AND, false, RCX, x86_reg(RAX));
   x86_op(a, X86_XOR, false, RAX, x86_reg(RCX));
   x86_op(a, X86_STORE, false, RAX, THREAD(waiting));
   x86_op(a, X86_OR_TO, false, RCX, THREAD(active));
   x86_patch(a, none, a->size);
}

/* Of eight channels from `first` on. */
static void
park_eight(struct jit *j, uint32_t ip, unsigned first)
{
   struct x86 *a = &j->a;
   struct x86_rm shift = CONSTANT(shift), pip = THREAD(pip[0]);
   shift.disp += 4 * (int32_t)first;
   pip.disp += 4 * (int32_t)first;
   broadcast(j, 0, RCX);
   vex(a, VPSLLVD, 0, 0, shift);
   vex(a, VPXOR, 0, 0, CONSTANT(ones)); /* those that do not */
   x86_mov_imm(a, RAX, ip);
   broadcast(j, 1, RAX);
   vex_blend(a, 1, 1, pip, 0);
   vex(a, VMOVDQU_STORE, 1, 0, pip);
}

void
jit_park(struct jit *j, uint32_t ip)
{
   struct x86 *a = &j->a;
   park_eight(j, ip, 0);
   park_eight(j, ip, 8);
   x86_op(a, X86_OR_TO, false, RCX, THREAD(waiting));
   x86_not(a, false, RCX);
   x86_op(a, X86_LOAD, false, RAX, THREAD(active));
   x86_op(a, X86_AND, false, RAX, x86_reg(RCX));
   x86_op(a, X86_STORE, false, RAX, THREAD(active));
}

/* Has the operation before this one left its predicate in edx? Plain masked code is also reached
 * from elsewhere. */
static bool
bits_tell(const struct jit *j, const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   uint32_t asked = d->channels << d->flag_shift;
   return (j->region || j->version == FULL) && d->flag_shift - d->group == j->bits.first &&
          j->bits_until == (uint32_t)(op - j->k->ops) && d->predicate == 1 &&
          d->flag_reg == j->bits.flag_reg && (asked & ~j->bits.channels) == 0;
}

void
jit_taken(struct jit *j, const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   struct x86 *a = &j->a;
   if (j->version == FULL) {
      x86_mov_imm(a, RAX, j->all & op->mask);
   } else {
      x86_op(a, X86_LOAD, false, RAX, jit_active(j));
      if (op->mask != 0xffff) /* there are no more */
         x86_imm(a, X86_AND_I, false, x86_reg(RAX), (int32_t)op->mask);
   }
   if (!d->predicate)
      return;
   if (bits_tell(j, op)) {
      x86_op(a, X86_LOAD, false, RCX, x86_reg(RDX));
      if (d->predicate_inverse)
         x86_not(a, false, RCX);
      x86_shift(a, false, RCX, d->flag_shift);
   } else {
      jit_predicate(j, d);
   }
   x86_shift(a, true, RCX, d->group);
   x86_op(a, X86_AND, false, RAX, x86_reg(RCX));
}

bool
jit_is_simple_flow(const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   return d->group + d->exec_size <= 16 &&
          (d->predicate <= 1 || d->flag_shift + d->exec_size <= 32);
}

/* The interpreter's own function, then wherever it says. */
static void
interpret_flow(struct jit *j, const struct eu_op *op)
{
   const void *fn;
   memcpy(&fn, &op->fn, sizeof(fn));
   x86_imm(&j->a, X86_ADD_I, false, THREAD(ways[0]), 1);
   x86_op(&j->a, X86_LEA, true, RSI, jit_op_at(j, op));
   jit_call(j, fn);
   x86_patch(&j->a, x86_jump(&j->a), j->dispatch);
}

/* Nobody is left: the next instruction if somebody waits there, else the jump. */
static void
next_or_jip(struct jit *j, const struct eu_op *op)
{
   const struct eu_op *(*next)(struct eu_thread *, const struct eu_op *) = eu_flow_next;
   const void *fn;
   memcpy(&fn, &next, sizeof(fn));
   x86_imm(&j->a, X86_CMP_I, false, THREAD(active), 0);
   size_t some = x86_jump_if(&j->a, CC_NE);
   x86_op(&j->a, X86_LEA, true, RSI, jit_op_at(j, op));
   jit_call(j, fn);
   x86_patch(&j->a, x86_jump(&j->a), j->dispatch);
   x86_patch(&j->a, some, j->a.size);
}

/* Parks the channels that are in eax, or those that are not, of the active ones. */
static void
part(struct jit *j, bool others, uint32_t ip)
{
   struct x86 *a = &j->a;
   x86_op(a, X86_LOAD, false, RCX, x86_reg(RAX));
   if (others) {
      x86_not(a, false, RCX);
      x86_op(a, X86_AND, false, RCX, THREAD(active));
   }
   x86_op(a, X86_TEST, false, RCX, x86_reg(RCX));
   size_t none = x86_jump_if(a, CC_Z);
   jit_park(j, ip);
   x86_patch(a, none, a->size);
}

static void
jmpi(struct jit *j, const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   if (d->predicate > 1) {
      jit_predicate(j, d);
      x86_test_imm(&j->a, x86_reg(RCX), 1);
      jit_jump_to(j, x86_jump_if(&j->a, CC_NZ), op->jip, j->version);
   } else if (d->predicate) {
      x86_test_imm(&j->a, jit_flag(j, d->flag_reg), 1u << d->flag_shift);
      jit_jump_to(j, x86_jump_if(&j->a, d->predicate_inverse ? CC_Z : CC_NZ), op->jip, j->version);
   } else {
      jit_jump_to(j, x86_jump(&j->a), op->jip, j->version);
   }
}

static void
masked_while(struct jit *j, const struct eu_op *op)
{
   struct x86 *a = &j->a;
   jit_taken(j, op);
   x86_op(a, X86_TEST, false, RAX, x86_reg(RAX));
   size_t nobody = x86_jump_if(a, CC_Z);
   part(j, true, op->next_ip);
   jit_jump_to(j, x86_jump(a), op->jip, MASKED);
   x86_patch(a, nobody, a->size);
}

static void
masked(struct jit *j, const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   uint32_t jip = op->ip + (uint32_t)d->jip, uip = op->ip + (uint32_t)d->uip;
   j->label[FIX_FLOW][op - j->k->ops] = (uint32_t)j->a.size + 1;
   if (!jit_is_simple_flow(op)) {
      interpret_flow(j, op);
      return;
   }
   switch (d->opcode) {
   case EU_OP_NOP:
      return;
   case EU_OP_IF:
      jit_taken(j, op);
      part(j, true, jip);
      next_or_jip(j, op);
      return;
   case EU_OP_ELSE:
      x86_op(&j->a, X86_LOAD, false, RAX, THREAD(active));
      x86_imm(&j->a, X86_AND_I, false, x86_reg(RAX), (int32_t)op->mask);
      part(j, false, jip);
      next_or_jip(j, op);
      return;
   case EU_OP_ENDIF:
      next_or_jip(j, op);
      return;
   case EU_OP_BREAK:
   case EU_OP_CONT:
   case EU_OP_HALT:
      jit_taken(j, op);
      part(j, false, d->opcode == EU_OP_BREAK ? eu_behind_while(op) : uip);
      next_or_jip(j, op);
      return;
   case EU_OP_WHILE:
      if (op->jip) {
         masked_while(j, op);
         return;
      }
      break;
   case EU_OP_JMPI:
      if (op->jip) {
         jmpi(j, op);
         return;
      }
      break;
   }
   interpret_flow(j, op);
}

/* Channels leave a region, or go round again; those that are left stay in it. */
static void
masked_in_region(struct jit *j, const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   struct x86 *a = &j->a;
   struct detour *s;
   switch (d->opcode) {
   case EU_OP_BREAK:
      jit_taken(j, op);
      x86_op(a, X86_LOAD, false, RCX, x86_reg(RAX));
      x86_op(a, X86_TEST, false, RAX, x86_reg(RAX));
      s = jit_detour(j, DETOUR_PARK, op);
      s->from[0] = x86_jump_if(a, CC_NZ);
      s->back = a->size;
      s->park_ip = eu_behind_while(op);
      s->apart = j->apart;
      if (j->apart)
         jit_part_in_region(j, op);
      return;
   case EU_OP_IF:
   case EU_OP_ELSE:
   case EU_OP_ENDIF:
   case EU_OP_CONT:
      jit_part_in_region(j, op);
      return;
   case EU_OP_WHILE:
      if (!d->predicate && op->mask == 0xffff) {
         jit_jump_to(j, x86_jump(a), op->jip, MASKED);
         return;
      }
      jit_taken(j, op);
      x86_op(a, X86_TEST, false, RAX, x86_reg(RAX));
      jit_jump_to(j, x86_jump_if(a, CC_Z), op + 1, MASKED);
      x86_op(a, X86_LOAD, false, RCX, jit_active(j));
      x86_op(a, X86_XOR, false, RCX, x86_reg(RAX)); /* those that do not go round */
      jit_jump_to(j, x86_jump_if(a, CC_Z), op->jip, MASKED);
      s = jit_detour(j, DETOUR_PARK, op);
      s->from[0] = x86_jump(a);
      s->back = j->region->latch;
      s->park_ip = op->next_ip;
      return;
   case EU_OP_JMPI:
      jmpi(j, op);
      return;
   default: /* nop */
      return;
   }
}

/* The loop's end, if a break goes there and to nowhere else: with nobody left it is executed, and
 * falls through to where they all wait. */
static const struct eu_op *
end_of_loop(const struct jit *j, const struct eu_op *op)
{
   const struct eu_op *end = op->jip, *last = j->k->ops + j->k->op_count - 1;
   while (end && end < last && end->fn == eu_exec_join)
      end++;
   bool ends = op->d->opcode == EU_OP_BREAK && end && end < last && end->d &&
               end->d->opcode == EU_OP_WHILE && !end->d->inst.debug;
   return ends && eu_behind_while(op) == end->next_ip ? end : NULL;
}

/* All channels leave a loop at once. eax: those that do. */
static void
leave_loop(struct jit *j, const struct eu_op *end)
{
   struct x86 *a = &j->a;
   x86_imm(a, X86_CMP_I, false, x86_reg(RAX), (int32_t)j->all);
   size_t some = x86_jump_if(a, CC_NE);
   x86_imm(a, X86_CMP_I, true, x86_reg(REG_LEFT), 1);
   size_t no_budget = x86_jump_if(a, CC_B);
   x86_imm(a, X86_SUB_I, true, x86_reg(REG_LEFT), 1);
   jit_count(j, (uint32_t)(end - j->k->ops), 1, 1);
   jit_jump_to(j, x86_jump(a), end + 1, FULL);
   x86_patch(a, some, a->size);
   x86_patch(a, no_budget, a->size);
}

/* All channels are active: as long as they stay together there is little to do. */
static void
full(struct jit *j, const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   struct x86 *a = &j->a;
   bool together = jit_is_simple_flow(op) && (op->mask & j->all) == j->all;
   size_t next;
   if (d->opcode == EU_OP_NOP || (d->opcode == EU_OP_ENDIF && together))
      return;
   if (d->opcode == EU_OP_JMPI && op->jip && jit_is_simple_flow(op)) {
      jmpi(j, op);
      return;
   }
   /* Where all of them go to one place they are active there, as if they had waited for nobody. */
   if (d->opcode == EU_OP_ELSE && together && op->jip) {
      jit_jump_to(j, x86_jump(a), op->jip, FULL);
      return;
   }
   switch (together ? d->opcode : EU_OP_ELSE) {
   case EU_OP_IF:
      jit_taken(j, op);
      x86_imm(a, X86_CMP_I, false, x86_reg(RAX), (int32_t)j->all);
      next = x86_jump_if(a, CC_E);
      if (op->jip) {
         x86_op(a, X86_TEST, false, RAX, x86_reg(RAX));
         jit_jump_to(j, x86_jump_if(a, CC_Z), op->jip, FULL);
      }
      break;
   case EU_OP_BREAK:
   case EU_OP_CONT:
   case EU_OP_HALT:
      jit_taken(j, op);
      x86_op(a, X86_TEST, false, RAX, x86_reg(RAX));
      next = x86_jump_if(a, CC_Z);
      if (end_of_loop(j, op))
         leave_loop(j, end_of_loop(j, op));
      break;
   case EU_OP_WHILE:
      if (!d->predicate && op->jip) {
         jit_jump_to(j, x86_jump(a), op->jip, FULL);
         return;
      }
      jit_taken(j, op);
      x86_op(a, X86_TEST, false, RAX, x86_reg(RAX));
      next = x86_jump_if(a, CC_Z);
      x86_imm(a, X86_CMP_I, false, x86_reg(RAX), (int32_t)j->all);
      if (op->jip)
         jit_jump_to(j, x86_jump_if(a, CC_E), op->jip, FULL);
      break;
   default:
      jit_jump_to(j, x86_jump(a), op, FIX_FLOW);
      return;
   }
   jit_jump_to(j, x86_jump(a), op, FIX_FLOW);
   x86_patch(a, next, a->size);
}

void
jit_flow(struct jit *j, const struct eu_op *op, bool plain)
{
   if (!plain)
      interpret_flow(j, op);
   else if (j->version == FULL)
      full(j, op);
   else if (j->region)
      masked_in_region(j, op);
   else
      masked(j, op);
   if (!j->region)
      jit_forget(j);
}
