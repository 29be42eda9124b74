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

/* The channels in ecx wait at ip. */
static void
park(struct jit *j, uint32_t ip)
{
   struct x86 *a = &j->a;
   broadcast(j, 0, RCX);
   vex(a, VPSLLVD, 1, 0, CONSTANT(shift[0]));
   vex(a, VPSLLVD, 2, 0, CONSTANT(shift[8]));
   x86_mov_imm(a, RAX, ip);
   broadcast(j, 3, RAX);
   vex(a, VMOVDQU_LOAD, 0, 0, THREAD(pip[0]));
   vex_blend(a, 0, 0, x86_reg(3), 1);
   vex(a, VMOVDQU_STORE, 0, 0, THREAD(pip[0]));
   vex(a, VMOVDQU_LOAD, 0, 0, THREAD(pip[8]));
   vex_blend(a, 0, 0, x86_reg(3), 2);
   vex(a, VMOVDQU_STORE, 0, 0, THREAD(pip[8]));
   x86_op(a, X86_OR_TO, false, RCX, THREAD(waiting));
   x86_not(a, false, RCX);
   x86_op(a, X86_LOAD, false, RAX, THREAD(active));
   x86_op(a, X86_AND, false, RAX, x86_reg(RCX));
   x86_op(a, X86_STORE, false, RAX, THREAD(active));
}

/* eax = the active channels of the instruction whose predicate holds, in thread numbering. Uses
 * ecx and esi. */
static void
taken(struct jit *j, const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   struct x86 *a = &j->a;
   if (j->version == FULL) {
      x86_mov_imm(a, RAX, j->all & op->mask);
   } else {
      x86_op(a, X86_LOAD, false, RAX, THREAD(active));
      x86_imm(a, X86_AND_I, false, x86_reg(RAX), (int32_t)op->mask);
   }
   if (!d->predicate)
      return;
   jit_predicate(j, d);
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
   if (j->loop)
      jit_loop_flush(j, j->loop, j->version);
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
   park(j, ip);
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
      x86_test_imm(&j->a, d->flag_reg ? THREAD(flag[1]) : THREAD(flag[0]), 1u << d->flag_shift);
      jit_jump_to(j, x86_jump_if(&j->a, d->predicate_inverse ? CC_Z : CC_NZ), op->jip, j->version);
   } else {
      jit_jump_to(j, x86_jump(&j->a), op->jip, j->version);
   }
}

static void
masked_while(struct jit *j, const struct eu_op *op)
{
   struct x86 *a = &j->a;
   taken(j, op);
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
   if (!j->loop)
      j->label[FIX_FLOW][op - j->k->ops] = (uint32_t)j->a.size + 1;
   if (!jit_is_simple_flow(op)) {
      interpret_flow(j, op);
      return;
   }
   switch (d->opcode) {
   case EU_OP_NOP:
      return;
   case EU_OP_IF:
      taken(j, op);
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
      taken(j, op);
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
   switch (together ? d->opcode : EU_OP_ELSE) {
   case EU_OP_IF:
      taken(j, op);
      x86_imm(a, X86_CMP_I, false, x86_reg(RAX), (int32_t)j->all);
      next = x86_jump_if(a, CC_E);
      break;
   case EU_OP_BREAK:
   case EU_OP_CONT:
   case EU_OP_HALT:
      taken(j, op);
      x86_op(a, X86_TEST, false, RAX, x86_reg(RAX));
      next = x86_jump_if(a, CC_Z);
      break;
   case EU_OP_WHILE:
      taken(j, op);
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
   else
      masked(j, op);
   jit_forget(j);
}
